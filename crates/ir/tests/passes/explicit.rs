//! Small programs by enumeration: exact reachability with recursion (saturation of summaries,
//! in the manner of Reps, Horwitz and Sagiv), the proofs that it gives, and their check.
//!
//! Integers stand for words of at most two bits, so a few of them are enough.

use std::collections::{BTreeMap, BTreeSet, HashMap};
use tamis_ir::graph::Flow;
use tamis_ir::{EdgeId, Loc, Op, ProcId, Program, Proof, PropertyId};
use tamis_term::value::values;
use tamis_term::{Code, Sort, Term, Terms, Value, Var};

/// What a procedure knows: the globals and parameters at its entry, and the globals and its own
/// variables now.
pub type Known = (Vec<Value>, Vec<Value>);

/// All values of a finite sort; of the integers, those in either reading of two bits and one more
/// on each side.
fn values_of(sort: &Sort) -> Vec<Value> {
    if *sort == Sort::Int { (-3..=4).map(Value::int).collect() } else { values(sort).collect() }
}

/// Every combination of values.
pub fn all(terms: &Terms, vars: &[Var]) -> Vec<Vec<Value>> {
    vars.iter().fold(vec![vec![]], |rows, var| {
        let extend = |row: &Vec<Value>, value| [row.as_slice(), &[value]].concat();
        rows.iter().flat_map(|row| values_of(terms.var_sort(*var)).into_iter().map(move |v| extend(row, v))).collect()
    })
}

/// How many bits the variables have together.
pub fn bits(terms: &Terms, vars: &[Var]) -> u64 {
    vars.iter().map(|var| terms.var_sort(*var).bits().unwrap_or(3)).sum()
}

/// The globals and a procedure's variables.
pub fn scope(program: &Program, proc: ProcId) -> Vec<Var> {
    program.globals.iter().copied().chain(program.proc(proc).vars()).collect()
}

/// The globals and parameters, whose values at entry are remembered.
fn remembered(program: &Program, proc: ProcId) -> Vec<Var> {
    program.globals.iter().chain(&program.proc(proc).params).copied().collect()
}

/// The procedure of every location that is in use.
pub fn homes(program: &Program) -> BTreeMap<Loc, ProcId> {
    let ends = program.procs().flat_map(|(id, proc)| [(proc.entry, id), (proc.exit, id)]);
    ends.chain(program.edges().flat_map(|(id, edge)| [(edge.from, id.proc), (edge.to, id.proc)])).collect()
}

/// Steps of a program on rows of values: globals, then the procedure's variables.
struct Machine<'p> {
    terms: &'p Terms,
    program: &'p Program,
    flow: Flow,
    code: BTreeMap<EdgeId, Code>,
    scratch: Vec<Value>,
}

/// Where an edge leads.
enum Next {
    Steps(Vec<Vec<Value>>),
    Call(ProcId, Vec<Value>),
}

impl<'p> Machine<'p> {
    fn new(terms: &'p Terms, program: &'p Program) -> Machine<'p> {
        let compile = |(id, edge): (EdgeId, &tamis_ir::Edge)| {
            let roots: Vec<Term> = match &edge.op {
                Op::Assume(condition) => vec![*condition],
                Op::Assign(pairs) => pairs.iter().map(|(_, value)| *value).collect(),
                Op::Havoc(_) => vec![],
                Op::Call { args, .. } => args.clone(),
            };
            let scope = scope(program, id.proc);
            (id, Code::new(terms, &roots, |var| place(&scope, var)))
        };
        let code = program.edges().map(compile).collect();
        Machine { terms, program, flow: Flow::new(program), code, scratch: Vec::new() }
    }

    fn next(&mut self, id: EdgeId, now: &[Value]) -> Next {
        let scope = scope(self.program, id.proc);
        self.code[&id].run(now, &mut self.scratch);
        let result = |i| self.code[&id].result(i, &self.scratch).clone();
        match &self.program.edge(id).op {
            Op::Assume(_) => Next::Steps(if result(0).as_bool() { vec![now.to_vec()] } else { vec![] }),
            Op::Assign(pairs) => {
                let mut then = now.to_vec();
                pairs.iter().enumerate().for_each(|(i, (var, _))| then[place(&scope, *var)] = result(i));
                Next::Steps(vec![then])
            }
            Op::Havoc(vars) => {
                Next::Steps(all(self.terms, vars).iter().map(|new| put(&scope, now, vars, new)).collect())
            }
            Op::Call { callee, args, .. } => Next::Call(*callee, (0..args.len()).map(result).collect()),
        }
    }

    /// The caller's row after a return with these globals and results.
    fn after(&self, call: EdgeId, now: &[Value], globals: &[Value], given: &[Value]) -> Vec<Value> {
        let Op::Call { results, .. } = &self.program.edge(call).op else { panic!("a call") };
        let row = put(&scope(self.program, call.proc), now, &self.program.globals, globals);
        put(&scope(self.program, call.proc), &row, results, given)
    }

    /// The values at a callee's entry that its proof remembers.
    fn entry(&self, now: &[Value], args: &[Value]) -> Vec<Value> {
        [&now[..self.program.globals.len()], args].concat()
    }

    fn inputs(&self, proc: ProcId) -> Vec<Vec<Value>> {
        all(self.terms, &self.program.proc(proc).inputs().copied().collect::<Vec<_>>())
    }
}

fn place(scope: &[Var], var: Var) -> usize {
    scope.iter().position(|other| *other == var).expect("a variable in scope")
}

fn put(scope: &[Var], row: &[Value], vars: &[Var], new: &[Value]) -> Vec<Value> {
    let mut row = row.to_vec();
    vars.iter().zip(new).for_each(|(var, value)| row[place(scope, *var)] = value.clone());
    row
}

/// All that procedures can know, by location.
pub type Reached = BTreeMap<Loc, BTreeSet<Known>>;

/// A procedure and the values of the globals and parameters at its entry.
type Called = (ProcId, Vec<Value>);

/// The values of the globals and results at a return.
type Returned = (Vec<Value>, Vec<Value>);

/// What is reachable from the start and from `seeds`.
pub fn saturate(terms: &Terms, program: &Program, seeds: &[(Loc, Known)]) -> Reached {
    let mut machine = Machine::new(terms, program);
    let homes = homes(program);
    let (mut reached, mut work) = (Reached::new(), seeds.to_vec());
    let mut summaries: HashMap<Called, BTreeSet<Returned>> = HashMap::new();
    let mut waiting: HashMap<Called, Vec<(EdgeId, Known)>> = HashMap::new();
    for row in all(terms, &scope(program, program.main)) {
        let old = row[..remembered(program, program.main).len()].to_vec();
        work.push((program.proc(program.main).entry, (old, row)));
    }
    while let Some((loc, known)) = work.pop() {
        if !reached.entry(loc).or_default().insert(known.clone()) {
            continue;
        }
        let (proc, (old, now)) = (homes[&loc], known);
        for id in machine.flow.out_edges(loc).to_vec() {
            let to = program.edge(id).to;
            match machine.next(id, &now) {
                Next::Steps(rows) => work.extend(rows.into_iter().map(|row| (to, (old.clone(), row)))),
                Next::Call(callee, args) => {
                    let entry = machine.entry(&now, &args);
                    let start = program.proc(callee).entry;
                    let rows = machine.inputs(callee).into_iter().map(|inputs| [entry.clone(), inputs].concat());
                    work.extend(rows.map(|row| (start, (entry.clone(), row))));
                    for (globals, results) in summaries.get(&(callee, entry.clone())).into_iter().flatten() {
                        work.push((to, (old.clone(), machine.after(id, &now, globals, results))));
                    }
                    waiting.entry((callee, entry)).or_default().push((id, (old.clone(), now.clone())));
                }
            }
        }
        if loc == program.proc(proc).exit {
            let globals = now[..program.globals.len()].to_vec();
            let own = scope(program, proc);
            let results: Vec<Value> =
                program.proc(proc).results.iter().map(|var| now[place(&own, *var)].clone()).collect();
            if summaries.entry((proc, old.clone())).or_default().insert((globals.clone(), results.clone())) {
                for (id, (before, row)) in waiting.get(&(proc, old)).into_iter().flatten() {
                    work.push((program.edge(*id).to, (before.clone(), machine.after(*id, row, &globals, &results))));
                }
            }
        }
    }
    reached
}

/// Whether a location of the property is among those reached.
pub fn is_unsafe(program: &Program, property: PropertyId, reached: &Reached) -> bool {
    program.property(property).locs.iter().any(|loc| reached.contains_key(loc))
}

/// The proof that says of each location exactly what was reached there.
pub fn proof(terms: &mut Terms, program: &Program, reached: &Reached) -> Proof {
    let homes = homes(program);
    let mut proof = Proof::default();
    for var in program.globals.iter().chain(program.procs.iter().flat_map(|proc| &proc.params)) {
        let (name, sort) = (format!("old({})", terms.name(*var)), terms.var_sort(*var).clone());
        let old = terms.find_var(&name).unwrap_or_else(|| terms.declare(&name, sort));
        proof.old.insert(*var, old);
    }
    for (loc, known) in reached {
        let proc = homes[loc];
        let before: Vec<Var> = remembered(program, proc).iter().map(|var| proof.old[var]).collect();
        let vars = [before.as_slice(), &scope(program, proc)].concat();
        let rows = known.iter().map(|(old, now)| [old.as_slice(), now].concat()).collect();
        let invariant = formula(terms, &vars, rows);
        proof.invariants.insert(*loc, invariant);
        if *loc == program.proc(proc).exit {
            let vars = [before.as_slice(), &program.globals, &program.proc(proc).results].concat();
            let own = scope(program, proc);
            let keep = |now: &Vec<Value>| -> Vec<Value> {
                program
                    .globals
                    .iter()
                    .chain(&program.proc(proc).results)
                    .map(|var| now[place(&own, *var)].clone())
                    .collect()
            };
            let rows = known.iter().map(|(old, now)| [old.as_slice(), &keep(now)].concat()).collect();
            let summary = formula(terms, &vars, rows);
            proof.summaries.insert(proc, summary);
        }
    }
    proof
}

/// The formula that holds for these rows of values.
fn formula(terms: &mut Terms, vars: &[Var], rows: BTreeSet<Vec<Value>>) -> Term {
    let Some((first, rest)) = vars.split_first() else { return terms.bool(!rows.is_empty()) };
    let mut groups: BTreeMap<Value, BTreeSet<Vec<Value>>> = BTreeMap::new();
    for mut row in rows {
        groups.entry(row.remove(0)).or_default().insert(row);
    }
    let cases: Vec<(Value, Term)> =
        groups.into_iter().map(|(value, rows)| (value, formula(terms, rest, rows))).collect();
    let full = Some(cases.len() as u64) == terms.var_sort(*first).cardinality();
    if full && cases.iter().all(|(_, case)| *case == cases[0].1) {
        return cases[0].1;
    }
    let var = terms.var(*first);
    let branch = |(value, case)| {
        let value = terms.constant(value);
        let is = terms.eq(var, value);
        terms.and(&[is, case])
    };
    let branches: Vec<Term> = cases.into_iter().map(branch).collect();
    terms.or(&branches)
}

/// A formula over some variables, ready to be evaluated on rows.
struct Formula {
    vars: Vec<Var>,
    code: Code,
}

impl Formula {
    fn new(terms: &Terms, formula: Term, vars: Vec<Var>) -> Formula {
        let code = Code::new(terms, &[formula], |var| place(&vars, var));
        Formula { vars, code }
    }

    fn holds(&self, row: &[Value]) -> bool {
        assert_eq!(row.len(), self.vars.len());
        let mut scratch = Vec::new();
        self.code.run(row, &mut scratch);
        self.code.result(0, &scratch).as_bool()
    }
}

/// Checks a proof by enumeration, with the rules of the crate `tamis-witness`.
pub fn check(terms: &Terms, program: &Program, property: PropertyId, proof: &Proof) -> Result<(), String> {
    let checker = Checker::new(terms, program, proof);
    checker.main()?;
    for loc in &program.property(property).locs {
        if !checker.rows(*loc).is_empty() {
            return Err(format!("error location {} has an invariant that can be true", loc.index()));
        }
    }
    let mut machine = Machine::new(terms, program);
    for loc in proof.invariants.keys() {
        checker.location(&mut machine, *loc)?;
    }
    Ok(())
}

struct Checker<'c> {
    terms: &'c Terms,
    program: &'c Program,
    proof: &'c Proof,
    homes: BTreeMap<Loc, ProcId>,
    invariants: BTreeMap<Loc, Formula>,
    summaries: BTreeMap<ProcId, Formula>,
}

impl<'c> Checker<'c> {
    fn new(terms: &'c Terms, program: &'c Program, proof: &'c Proof) -> Checker<'c> {
        let homes = homes(program);
        let invariants = proof.invariants.iter().map(|(loc, invariant)| {
            let proc = *homes.get(loc).unwrap_or_else(|| panic!("location {} is in no procedure", loc.index()));
            let vars = [scope(program, proc), old(program, proof, proc)].concat();
            (*loc, Formula::new(terms, *invariant, vars))
        });
        let invariants = invariants.collect();
        let summaries = proof.summaries.iter().map(|(proc, summary)| {
            let after = program.globals.iter().chain(&program.proc(*proc).results).copied().collect();
            (*proc, Formula::new(terms, *summary, [after, old(program, proof, *proc)].concat()))
        });
        let summaries = summaries.collect();
        Checker { terms, program, proof, homes, invariants, summaries }
    }

    /// The rows (current values, then old ones) that satisfy an invariant.
    fn rows(&self, loc: Loc) -> Vec<Vec<Value>> {
        let Some(formula) = self.invariants.get(&loc) else { return vec![] };
        all(self.terms, &formula.vars).into_iter().filter(|row| formula.holds(row)).collect()
    }

    fn holds(&self, loc: Loc, row: &[Value]) -> bool {
        self.invariants.get(&loc).is_some_and(|formula| formula.holds(row))
    }

    /// The values that a proof remembers of those at an entry.
    fn kept(&self, proc: ProcId, entry: &[Value]) -> Vec<Value> {
        let vars = remembered(self.program, proc);
        vars.iter().zip(entry).filter(|(var, _)| self.proof.old.contains_key(var)).map(|(_, v)| v.clone()).collect()
    }

    fn main(&self) -> Result<(), String> {
        let main = self.program.main;
        for row in all(self.terms, &scope(self.program, main)) {
            let start = [row.as_slice(), &self.kept(main, &row)].concat();
            if !self.holds(self.program.proc(main).entry, &start) {
                return Err(format!("the start {row:?} is not in the invariant"));
            }
        }
        Ok(())
    }

    fn location(&self, machine: &mut Machine, loc: Loc) -> Result<(), String> {
        let proc = self.homes[&loc];
        let width = scope(self.program, proc).len();
        for row in self.rows(loc) {
            let (now, old) = row.split_at(width);
            for id in machine.flow.out_edges(loc).to_vec() {
                self.edge(machine, id, now, old)?;
            }
            if loc == self.program.proc(proc).exit {
                let own = scope(self.program, proc);
                let after = self.program.globals.iter().chain(&self.program.proc(proc).results);
                let after: Vec<Value> = after.map(|var| now[place(&own, *var)].clone()).collect();
                if !self.summaries.get(&proc).is_some_and(|summary| summary.holds(&[after.as_slice(), old].concat())) {
                    return Err(format!("procedure {} returns {row:?} outside its summary", proc.index()));
                }
            }
        }
        Ok(())
    }

    fn edge(&self, machine: &mut Machine, id: EdgeId, now: &[Value], old: &[Value]) -> Result<(), String> {
        let to = self.program.edge(id).to;
        let wrong = |what: &str| Err(format!("edge {} of procedure {} {what} from {now:?}", id.index, id.proc.index()));
        match machine.next(id, now) {
            Next::Steps(rows) => {
                if rows.iter().any(|row| !self.holds(to, &[row.as_slice(), old].concat())) {
                    return wrong("leaves the invariant");
                }
            }
            Next::Call(callee, args) => {
                let entry = machine.entry(now, &args);
                let kept = self.kept(callee, &entry);
                for inputs in machine.inputs(callee) {
                    let row = [entry.as_slice(), &inputs, &kept].concat();
                    if !self.holds(self.program.proc(callee).entry, &row) {
                        return wrong("enters the callee outside its invariant");
                    }
                }
                let Some(summary) = self.summaries.get(&callee) else { return Ok(()) };
                let (globals, results) = (&self.program.globals, &self.program.proc(callee).results);
                for after in all(self.terms, &[globals.as_slice(), results].concat()) {
                    if summary.holds(&[after.as_slice(), &kept].concat()) {
                        let row = machine.after(id, now, &after[..globals.len()], &after[globals.len()..]);
                        if !self.holds(to, &[row.as_slice(), old].concat()) {
                            return wrong("leaves the invariant when the callee returns");
                        }
                    }
                }
            }
        }
        Ok(())
    }
}

/// The variables that stand for old values in a procedure.
fn old(program: &Program, proof: &Proof, proc: ProcId) -> Vec<Var> {
    remembered(program, proc).iter().filter_map(|var| proof.old.get(var)).copied().collect()
}
