//! Programs as constrained Horn clauses, in the form of the competition CHC-COMP.
//!
//! A predicate per location holds for the values that the live variables can have there; in a
//! procedure that is called, it relates them to the values with which the procedure was
//! entered, so the predicate of its exit is the summary of its calls. The clauses are
//! satisfiable exactly if the error is not reached: the predicates are then a proof.
//!
//! Edges in a row without a branch become one clause. Predicates are applied to distinct
//! variables only, as the competition asks, and equations say what the values are.

use super::smtlib::{atom, bindings, comment, place};
use rustc_hash::FxHashMap;
use std::collections::BTreeSet;
use std::fmt::Write;
use tamis_ir::analysis::Liveness;
use tamis_ir::graph::{Flow, LocSet, reachable};
use tamis_ir::passes::{PRUNE, SLICE};
use tamis_ir::{Loc, Op, ProcId, Program, PropertyId};
use tamis_term::smtlib::encode;
use tamis_term::{Node, Term, Terms, Var};

/// The predicate without arguments that follows from every error. No location is called so.
const ERROR: &str = "error";

/// The clauses for a property. `sat` means that its locations are never reached.
#[must_use]
pub fn render(terms: &mut Terms, program: &Program, property: PropertyId) -> String {
    let (pruned, _) = (PRUNE.apply)(terms, program, property);
    let (sliced, _) = (SLICE.apply)(terms, &pruned, property);
    let clauses = Clauses::new(terms, &sliced, property).write();
    let mut text = String::new();
    let name = &program.property(property).name;
    comment(&mut text, &format!("Horn clauses for the property {name}: sat means that it holds."));
    text + &clauses
}

struct Clauses<'a> {
    terms: &'a mut Terms,
    program: &'a Program,
    flow: Flow,
    live: Liveness,
    errors: LocSet,
    reached: LocSet,
    /// The variables that stand for what a procedure's variable was at its entry, and for the
    /// values of a variable that one clause needs besides.
    copies: FxHashMap<(Var, usize), Var>,
    text: String,
}

/// One clause while it is built.
#[derive(Default)]
struct Clause {
    /// Applied predicates, as text.
    atoms: Vec<String>,
    conditions: Vec<Term>,
    /// What is quantified besides the variables of the conditions.
    vars: BTreeSet<Var>,
    /// The values that variables have now, if not their own.
    values: FxHashMap<Var, Term>,
    /// How many copies of each variable are used.
    used: FxHashMap<Var, usize>,
}

impl<'a> Clauses<'a> {
    fn new(terms: &'a mut Terms, program: &'a Program, property: PropertyId) -> Clauses<'a> {
        let live = Liveness::new(terms, program);
        let errors = LocSet::of(program, &program.property(property).locs);
        let (flow, copies) = (Flow::new(program), FxHashMap::default());
        let reached = reachable(program, &flow, &errors, |_| false);
        Clauses { terms, program, flow, live, errors, reached, copies, text: String::new() }
    }

    fn write(mut self) -> String {
        let mut locs = self.located();
        locs.retain(|(_, loc)| self.reached.contains(*loc) && self.is_cut(*loc) && !self.errors.contains(*loc));
        self.text.push_str("(set-logic HORN)\n");
        writeln!(self.text, "(declare-fun {ERROR} () Bool)").expect("strings take any text");
        for (proc, loc) in &locs {
            self.declare(*proc, *loc);
        }
        self.start();
        for (proc, loc) in &locs {
            self.leave(*proc, *loc);
        }
        writeln!(self.text, "(assert (forall ((unused Bool)) (=> (and {ERROR} true) false)))").expect("a string");
        self.text.push_str("(check-sat)\n");
        self.text
    }

    /// All locations with an edge, with their procedures, in order.
    fn located(&self) -> Vec<(ProcId, Loc)> {
        let mut found = BTreeSet::new();
        for (id, proc) in self.program.procs() {
            found.extend([(id, proc.entry), (id, proc.exit)]);
            found.extend(proc.edges.iter().flat_map(|edge| [(id, edge.from), (id, edge.to)]));
        }
        found.into_iter().collect()
    }

    /// Whether the location has a predicate: all but those in the middle of a row of edges.
    fn is_cut(&self, loc: Loc) -> bool {
        let (into, out) = (self.flow.in_edges(loc), self.flow.out_edges(loc));
        let calls = out.iter().any(|edge| matches!(self.program.edge(*edge).op, Op::Call { .. }));
        let in_row = into.len() == 1 && out.len() == 1 && self.program.edge(into[0]).from != loc;
        let end = self.flow.entry_of(loc).is_some() || self.flow.exit_of(loc).is_some();
        end || self.errors.contains(loc) || calls || !in_row
    }

    fn predicate(&self, proc: ProcId, loc: Loc) -> String {
        format!("{}@{}", self.program.proc(proc).name, loc.index())
    }

    /// The variables whose values at its entry a procedure's predicates remember: none if it is
    /// never called.
    fn remembered(&self, proc: ProcId) -> Vec<Var> {
        if self.flow.calls_to(proc).is_empty() {
            return Vec::new();
        }
        let procedure = self.program.proc(proc);
        let given = |var: &Var| self.program.globals.contains(var) || procedure.params.contains(var);
        self.live.live(procedure.entry).filter(given).collect()
    }

    fn declare(&mut self, proc: ProcId, loc: Loc) {
        let mut words = format!("in {}", self.program.proc(proc).name);
        if let Some(label) = &self.program.locs[loc.index()].label {
            write!(words, ", {label}").expect("strings take any text");
        }
        let at = place(self.program, self.program.locs[loc.index()].span);
        comment(&mut self.text, &format!("{words}, {at}"));
        let vars: Vec<Var> = self.remembered(proc).into_iter().chain(self.live.live(loc)).collect();
        let sorts: Vec<String> = vars.iter().map(|var| self.terms.var_sort(*var).to_string()).collect();
        let name = encode(&self.predicate(proc, loc)).into_owned();
        writeln!(self.text, "(declare-fun {name} ({}) Bool)", sorts.join(" ")).expect("strings take any text");
    }

    /// The variable that stands for the `number`-th other value of a variable.
    fn copy(&mut self, var: Var, number: usize) -> Var {
        if let Some(copy) = self.copies.get(&(var, number)) {
            return *copy;
        }
        let name = match number {
            0 => format!("{}.in", self.terms.name(var)),
            _ => format!("{}.{number}", self.terms.name(var)),
        };
        let copy = self.terms.declare(&name, self.terms.var_sort(var).clone());
        self.copies.insert((var, number), copy);
        copy
    }

    fn fresh(&mut self, clause: &mut Clause, var: Var) -> Var {
        let number = clause.used.entry(var).or_default();
        *number += 1;
        let number = *number;
        self.copy(var, number)
    }

    /// A variable that is known to have the value, other than those in `taken`.
    fn named(&mut self, clause: &mut Clause, taken: &BTreeSet<Var>, var: Var, value: Term) -> Var {
        if let Node::Var(own) = self.terms.node(value)
            && !taken.contains(own)
        {
            return *own;
        }
        let fresh = self.fresh(clause, var);
        let name = self.terms.var(fresh);
        let equal = self.terms.eq(name, value);
        clause.conditions.push(equal);
        fresh
    }

    /// The predicate applied to variables that have these values.
    fn apply(&mut self, clause: &mut Clause, name: &str, values: &[(Var, Term)]) -> String {
        let mut taken = BTreeSet::new();
        let mut args = Vec::new();
        for (var, value) in values {
            let arg = self.named(clause, &taken, *var, *value);
            taken.insert(arg);
            args.push(arg);
        }
        clause.vars.extend(&taken);
        let args: Vec<String> = args.iter().map(|arg| encode(self.terms.name(*arg)).into_owned()).collect();
        atom(&encode(name), &args)
    }

    /// The values that the predicate of a location is about, where the clause is now.
    fn here(&mut self, clause: &Clause, proc: ProcId, loc: Loc) -> Vec<(Var, Term)> {
        let mut values = Vec::new();
        for var in self.remembered(proc) {
            let copy = self.copy(var, 0);
            values.push((var, self.terms.var(copy)));
        }
        let live: Vec<Var> = self.live.live(loc).collect();
        for var in live {
            let own = self.terms.var(var);
            values.push((var, clause.values.get(&var).copied().unwrap_or(own)));
        }
        values
    }

    fn reach(&mut self, clause: &mut Clause, proc: ProcId, loc: Loc) -> String {
        if self.errors.contains(loc) {
            return ERROR.to_owned();
        }
        let (name, values) = (self.predicate(proc, loc), self.here(clause, proc, loc));
        self.apply(clause, &name, &values)
    }

    /// Where the program starts.
    fn start(&mut self) {
        let main = self.program.main;
        let mut clause = Clause::default();
        let globals: Vec<Var> = self.remembered(main);
        let values = globals.into_iter().map(|var| (var, self.terms.var(var))).collect();
        let head = self.enter(&mut clause, main, values);
        self.print(clause, &head);
    }

    /// The head that says that a procedure is entered with these values; its other variables
    /// are arbitrary.
    fn enter(&mut self, clause: &mut Clause, proc: ProcId, given: Vec<(Var, Term)>) -> String {
        let entry = self.program.proc(proc).entry;
        if self.errors.contains(entry) {
            return ERROR.to_owned();
        }
        let known: FxHashMap<Var, Term> = given.iter().copied().collect();
        let mut values = given;
        let live: Vec<Var> = self.live.live(entry).collect();
        for var in live {
            let value = match known.get(&var) {
                Some(value) => *value,
                // Without a body the variable's own name is free.
                None if clause.atoms.is_empty() => self.terms.var(var),
                None => {
                    let fresh = self.fresh(clause, var);
                    self.terms.var(fresh)
                }
            };
            values.push((var, value));
        }
        let name = self.predicate(proc, entry);
        self.apply(clause, &name, &values)
    }

    /// The clauses for the edges that leave a location, each up to the next predicate.
    fn leave(&mut self, proc: ProcId, loc: Loc) {
        let program = self.program;
        for edge in self.flow.out_edges(loc).to_vec() {
            let mut clause = Clause::default();
            let body = self.reach(&mut clause, proc, loc);
            clause.atoms.push(body);
            let edge = program.edge(edge);
            if let Op::Call { callee, args, results } = &edge.op {
                let given = self.given(*callee, args);
                let mut entering =
                    Clause { atoms: clause.atoms.clone(), vars: clause.vars.clone(), ..Clause::default() };
                let head = self.enter(&mut entering, *callee, given.clone());
                self.print(entering, &head);
                if !self.reached.contains(program.proc(*callee).exit)
                    || self.errors.contains(program.proc(*callee).exit)
                {
                    continue;
                }
                self.returns(&mut clause, *callee, given, results);
            } else {
                self.step(&mut clause, &edge.op);
            }
            self.go_on(clause, proc, edge.to);
        }
    }

    /// Follows the row of edges up to the next predicate, and prints the clause.
    fn go_on(&mut self, mut clause: Clause, proc: ProcId, from: Loc) {
        let (program, mut loc) = (self.program, from);
        while !self.is_cut(loc) {
            let edge = program.edge(self.flow.out_edges(loc)[0]);
            self.step(&mut clause, &edge.op);
            loc = edge.to;
        }
        let head = self.reach(&mut clause, proc, loc);
        self.print(clause, &head);
    }

    fn value(&mut self, clause: &Clause, term: Term) -> Term {
        self.terms.substitute(term, &clause.values)
    }

    fn step(&mut self, clause: &mut Clause, op: &Op) {
        match op {
            Op::Assume(condition) => {
                let condition = self.value(clause, *condition);
                clause.conditions.push(condition);
            }
            Op::Assign(pairs) => {
                let values: Vec<Term> = pairs.iter().map(|(_, term)| self.value(clause, *term)).collect();
                clause.values.extend(pairs.iter().map(|(var, _)| *var).zip(values));
            }
            Op::Havoc(vars) => {
                for var in vars {
                    let fresh = self.fresh(clause, *var);
                    let term = self.terms.var(fresh);
                    clause.values.insert(*var, term);
                }
            }
            Op::Call { .. } => unreachable!("calls are clauses of their own"),
        }
    }

    /// What a call gives to the variables that the callee remembers.
    fn given(&mut self, callee: ProcId, args: &[Term]) -> Vec<(Var, Term)> {
        let params = &self.program.proc(callee).params;
        let actual: FxHashMap<Var, Term> = params.iter().copied().zip(args.iter().copied()).collect();
        let remembered = self.remembered(callee);
        remembered
            .into_iter()
            .map(|var| (var, actual.get(&var).copied().unwrap_or_else(|| self.terms.var(var))))
            .collect()
    }

    /// Adds what the summary of the callee says about a call that returns.
    fn returns(&mut self, clause: &mut Clause, callee: ProcId, given: Vec<(Var, Term)>, results: &[Var]) {
        let procedure = self.program.proc(callee);
        let mut values = given;
        let mut returned: FxHashMap<Var, Term> = FxHashMap::default();
        let live: Vec<Var> = self.live.live(procedure.exit).collect();
        for var in live {
            let fresh = self.fresh(clause, var);
            let term = self.terms.var(fresh);
            values.push((var, term));
            returned.insert(var, term);
        }
        let summary = self.predicate(callee, procedure.exit);
        let summary = self.apply(clause, &summary, &values);
        clause.atoms.push(summary);
        let modified = self.program.globals.iter().filter(|global| self.live.modifies(callee, **global));
        let mut targets: Vec<(Var, Var)> = modified.map(|global| (*global, *global)).collect();
        targets.extend(results.iter().copied().zip(procedure.results.iter().copied()));
        for (target, source) in targets {
            let value = returned.get(&source).copied().unwrap_or_else(|| {
                // Nobody looks at it, so it may have any value.
                let fresh = self.fresh(clause, target);
                self.terms.var(fresh)
            });
            clause.values.insert(target, value);
        }
    }

    fn print(&mut self, clause: Clause, head: &str) {
        let condition = self.terms.and(&clause.conditions);
        let condition = self.terms.guard_divisions(condition);
        if self.terms.is_false(condition) {
            return;
        }
        let mut vars = clause.vars;
        vars.extend(self.terms.free_vars(&[condition]));
        let vars: Vec<Var> = vars.into_iter().collect();
        let bound = if vars.is_empty() { "((unused Bool))".to_owned() } else { bindings(self.terms, &vars) };
        let condition = self.terms.smtlib(condition);
        let body = if clause.atoms.is_empty() {
            condition.to_string()
        } else {
            format!("(and {} {condition})", clause.atoms.join(" "))
        };
        writeln!(self.text, "(assert (forall {bound} (=> {body} {head})))").expect("strings take any text");
    }
}
