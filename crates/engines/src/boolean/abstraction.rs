//! Predicate abstraction, SLAM's c2bp: the Boolean program of a precision, with one Boolean variable
//! per predicate (Ball, Majumdar, Millstein, Rajamani, *Automatic Predicate Abstraction of C
//! Programs*, PLDI 2001), and the abstract relation of every move.
//!
//! A procedure's parameters are the predicates at its entry, its results those at its exit, and
//! its locals those at other cut points, where they mean something else at each. A move chooses
//! the truth values behind it that go together with those before it. A call
//! chooses the callee's parameters in this way, and behind the return the caller goes on from its
//! own predicates before the call and the callee's results. The parameters are never written, so what
//! a procedure knows about its inputs it knows everywhere.

use super::names::{Names, Role};
use super::precision::Lists;
use super::relation::{Literal, Part, Relation, excluded, relation};
use super::skeleton::{Map, Move, MoveId, Skeleton};
use rustc_hash::FxHashMap;
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;
use tamis_cegar::{Context, Outcome};
use tamis_ir::{Action, EdgeId, Loc, Op, ProcId, Program, Property, PropertyId, Sources, Span, Trace};
use tamis_term::{Term, Terms, Value, Var};

/// Makes Boolean programs, and remembers relations that did not change.
#[derive(Default)]
pub(super) struct Abstraction {
    names: Names,
    known: FxHashMap<Key, Known>,
    /// For each call, the variables that stand for what the callee leaves behind.
    after: FxHashMap<(EdgeId, Var), Term>,
}

/// A call has two relations: before it, and behind the return.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
enum Half {
    Into,
    Behind,
}

/// Which relation.
type Key = (MoveId, Half);

/// A relation, the facts and literals that it is about, and what counterexamples taught about it.
struct Known {
    facts: Term,
    literals: Vec<Literal>,
    relation: Relation,
    learned: Vec<Term>,
}

/// A Boolean program and what it means.
pub(super) struct Boolean {
    pub program: Program,
    pub property: PropertyId,
    /// For each move an edge that is taken on it; for calls, the call itself.
    pub moves: BTreeMap<EdgeId, MoveId>,
    /// The edges that are taken when all of a relation is chosen.
    relations: BTreeMap<EdgeId, Key>,
    /// How many truth values are chosen at once, at most.
    pub widest: usize,
    /// The locations of cut points.
    pub at: BTreeMap<Loc, Loc>,
}

impl Abstraction {
    /// c2bp: the Boolean program of a precision.
    ///
    /// # Errors
    /// If the solver does not know, or time runs out.
    pub fn build(&mut self, ctx: &mut Context, skeleton: &Skeleton<'_>, lists: &Lists) -> Outcome<Boolean> {
        let built = outline(skeleton);
        let mut builder = Builder { all: self, ctx, skeleton, lists, built };
        for (number, step) in skeleton.moves.iter().enumerate() {
            match *step {
                Move::Arc { proc, cut, arc } => builder.arc(MoveId(number), proc, cut, arc)?,
                Move::Call(edge) => builder.call(MoveId(number), edge)?,
            }
        }
        builder.declare();
        Ok(builder.built)
    }

    /// Writes at the cut points of a Boolean program what its variables mean there.
    pub fn annotate(&mut self, terms: &mut Terms, skeleton: &Skeleton<'_>, lists: &Lists, boolean: &mut Boolean) {
        for (id, procedure) in skeleton.program.procs() {
            for loc in &skeleton.part(id).cuts.locs {
                let list = lists.at(*loc);
                let role = role(skeleton, id, *loc);
                let vars = self.names.first(terms, (id, &procedure.name), role, list.len());
                let meaning = |(var, term): (&Var, &Term)| format!("{}: {}", terms.name(*var), terms.smtlib(*term));
                let meanings: Vec<String> = vars.iter().zip(list).map(meaning).collect();
                let at = boolean.at[loc];
                boolean.program.locs[at.index()].label = (!meanings.is_empty()).then(|| meanings.join(", "));
            }
        }
    }

    /// Makes relations stronger that allow a step of the trace although no values do. Returns
    /// whether there was one.
    ///
    /// # Errors
    /// If the solver does not know, or time runs out.
    pub fn tighten(&mut self, ctx: &mut Context, boolean: &Boolean, trace: &Trace) -> Outcome<bool> {
        let mut stack: Vec<FxHashMap<Var, bool>> = vec![truth(&trace.start).collect()];
        let mut learned = false;
        for step in &trace.steps {
            ctx.budget.check()?;
            match &step.action {
                Action::Return => _ = stack.pop(),
                Action::Take { edge, .. } => match &boolean.program.edge(*edge).op {
                    Op::Call { .. } => stack.push(FxHashMap::default()),
                    Op::Assume(_) | Op::Assign(_) | Op::Havoc(_) => {
                        let (Some(key), Some(values)) = (boolean.relations.get(edge), stack.last()) else { continue };
                        learned |= self.learn(ctx, key, values)?;
                    }
                },
            }
            if let Some(values) = stack.last_mut() {
                values.extend(truth(&step.writes));
            }
        }
        Ok(learned)
    }

    fn learn(&mut self, ctx: &mut Context, key: &Key, values: &FxHashMap<Var, bool>) -> Outcome<bool> {
        let Some(known) = self.known.get_mut(key).filter(|known| !known.relation.exact) else { return Ok(false) };
        let value = |var: Var| values.get(&var).copied().unwrap_or(false);
        let clause = excluded(ctx, known.facts, &known.literals, &value)?;
        known.learned.extend(clause.filter(|clause| !known.learned.contains(clause)));
        Ok(clause.is_some())
    }

    /// What the Boolean variables at a cut point mean, the predicates at entry included.
    pub fn meanings(
        &mut self,
        terms: &mut Terms,
        skeleton: &Skeleton<'_>,
        lists: &Lists,
        proc: ProcId,
        loc: Loc,
    ) -> Map {
        let procedure = skeleton.program.proc(proc);
        let mut map = Map::default();
        for at in [procedure.entry, loc] {
            let list = lists.at(at);
            let vars = self.names.first(terms, (proc, &procedure.name), role(skeleton, proc, at), list.len());
            map.extend(vars.into_iter().zip(list.iter().copied()));
        }
        map
    }
}

/// The values of Boolean variables.
fn truth(values: &[(Var, Value)]) -> impl Iterator<Item = (Var, bool)> {
    values.iter().map(|(var, value)| (*var, value.as_bool()))
}

/// What the variables at a cut point are for.
fn role(skeleton: &Skeleton<'_>, proc: ProcId, loc: Loc) -> Role {
    let procedure = skeleton.program.proc(proc);
    match loc {
        loc if loc == procedure.entry => Role::Entry,
        loc if loc == procedure.exit => Role::Exit,
        _ => Role::Between,
    }
}

/// Procedures and locations, without variables and edges.
fn outline(skeleton: &Skeleton<'_>) -> Boolean {
    let mut program = Program::new(Arc::new(Sources::new()));
    let mut at = BTreeMap::new();
    for (id, proc) in skeleton.program.procs() {
        let new = program.add_proc(&proc.name, Span::default());
        at.extend([(proc.entry, program.proc(new).entry), (proc.exit, program.proc(new).exit)]);
        let part = skeleton.part(id);
        let ends = part.blocks.iter().flat_map(|block| &block.arcs).map(|arc| arc.to);
        for loc in part.cuts.locs.iter().copied().chain(ends) {
            at.entry(loc).or_insert_with(|| program.add_loc(Span::default()));
        }
    }
    program.main = skeleton.program.main;
    let errors = skeleton.errors.iter().filter_map(|loc| at.get(loc)).copied().collect();
    let property = program.add_property(Property::new("error", "an error is reached", errors));
    program.default = Some(property);
    Boolean { program, property, moves: BTreeMap::new(), relations: BTreeMap::new(), widest: 0, at }
}

/// Adds moves to a Boolean program.
struct Builder<'b, 'p> {
    all: &'b mut Abstraction,
    ctx: &'b mut Context,
    skeleton: &'b Skeleton<'p>,
    lists: &'b Lists,
    built: Boolean,
}

impl Builder<'_, '_> {
    fn arc(&mut self, id: MoveId, proc: ProcId, cut: usize, arc: usize) -> Outcome<()> {
        let skeleton = self.skeleton;
        let from = skeleton.part(proc).cuts.locs[cut];
        let (_, arc) = skeleton.arc(proc, cut, arc);
        let words = skeleton.words(&mut self.ctx.terms, proc, from);
        let mut after = words.clone();
        let changed: BTreeMap<Var, Term> = arc.values.pairs().into_iter().collect();
        for (var, value) in changed {
            after.insert(var, self.ctx.terms.substitute(value, &words));
        }
        let facts = self.ctx.terms.substitute(arc.guard, &words);
        let before = self.held(proc, from);
        let behind = self.chosen(proc, arc.to, &after);
        self.relate((id, Half::Into), facts, before, behind)?;
        let ends = (self.built.at[&from], self.built.at[&arc.to]);
        let taken = self.step(proc, ends, (id, Half::Into), arc.to);
        self.built.moves.insert(taken, id);
        Ok(())
    }

    fn call(&mut self, id: MoveId, edge: EdgeId) -> Outcome<()> {
        let skeleton = self.skeleton;
        let (proc, call, span) = (edge.proc, skeleton.call(edge), Span::default());
        let callee = skeleton.program.proc(call.callee);
        let words = skeleton.words(&mut self.ctx.terms, proc, call.edge.from);
        let at_call = skeleton.at_call(&mut self.ctx.terms, &call, &words);
        let always = self.ctx.terms.bool(true);
        // Into the callee: its predicates at entry are chosen in the caller.
        let before = self.held(proc, call.edge.from);
        let given = self.own(proc, Role::Chosen, self.lists.at(callee.entry).len());
        let entry: Vec<Literal> = given.iter().copied().zip(self.lists.at(callee.entry).iter().copied()).collect();
        let entry = said(&mut self.ctx.terms, entry, &at_call);
        self.relate((id, Half::Into), always, before.clone(), entry)?;
        let program = &mut self.built.program;
        let [fits, back] = [(); 2].map(|()| program.add_loc(span));
        let (from, to) = (self.built.at[&call.edge.from], self.built.at[&call.edge.to]);
        self.choose(proc, (from, fits), (id, Half::Into));
        // The call itself.
        let args = given.iter().map(|var| self.ctx.terms.var(*var)).collect();
        let results = self.own(proc, Role::Returned, self.lists.at(callee.exit).len());
        let op = Op::Call { callee: call.callee, args, results: results.clone() };
        let taken = self.built.program.add_edge(proc, fits, back, op, span);
        self.built.moves.insert(taken, id);
        // Behind the return.
        let mut exit = at_call;
        let mut after = words;
        for global in skeleton.program.globals.iter().filter(|global| skeleton.touches(call.callee, **global)) {
            let new = self.after(edge, *global);
            exit.insert(*global, new);
            after.insert(*global, new);
        }
        for (result, target) in callee.results.iter().zip(call.results) {
            let new = self.after(edge, *result);
            exit.insert(*result, new);
            after.insert(*target, new);
        }
        let returned = results.into_iter().zip(self.lists.at(callee.exit).iter().copied()).collect();
        let mut known = before;
        known.extend(said(&mut self.ctx.terms, returned, &exit));
        let behind = self.chosen(proc, call.edge.to, &after);
        self.relate((id, Half::Behind), always, known, behind)?;
        self.step(proc, (back, to), (id, Half::Behind), call.edge.to);
        Ok(())
    }

    /// What a callee leaves behind in a variable.
    fn after(&mut self, edge: EdgeId, var: Var) -> Term {
        let terms = &mut self.ctx.terms;
        *self.all.after.entry((edge, var)).or_insert_with(|| {
            let (name, sort) = (format!("after({})", terms.name(var)), terms.var_sort(var).clone());
            let new = terms.declare(&name, sort);
            terms.var(new)
        })
    }

    fn own(&mut self, proc: ProcId, role: Role, count: usize) -> Vec<Var> {
        let name = &self.skeleton.program.proc(proc).name;
        self.all.names.first(&mut self.ctx.terms, (proc, name), role, count)
    }

    /// The predicates at a cut point and at the entry by the variables that have them.
    fn held(&mut self, proc: ProcId, loc: Loc) -> Vec<Literal> {
        let mut held = Vec::new();
        for at in BTreeSet::from([self.skeleton.program.proc(proc).entry, loc]) {
            let list = self.lists.at(at);
            let vars = self.own(proc, role(self.skeleton, proc, at), list.len());
            held.extend(vars.into_iter().zip(list.iter().copied()));
        }
        held
    }

    /// The predicates at a cut point by the variables that are chosen on the way there, in words
    /// of where the way begins.
    fn chosen(&mut self, proc: ProcId, loc: Loc, words: &Map) -> Vec<Literal> {
        let list = self.lists.at(loc);
        let vars = self.own(proc, Role::Chosen, list.len());
        let literals = vars.into_iter().zip(list.iter().copied()).collect();
        said(&mut self.ctx.terms, literals, words)
    }

    /// Makes sure that the relation of a move is known.
    fn relate(&mut self, key: Key, facts: Term, before: Vec<Literal>, behind: Vec<Literal>) -> Outcome<()> {
        let first = before.len();
        let mut literals = before;
        literals.extend(behind);
        // Clauses stay true: variables keep their meanings, and facts are those of the move.
        let learned = match self.all.known.remove(&key) {
            Some(known) if known.literals == literals => {
                self.all.known.insert(key, known);
                return Ok(());
            }
            known => known.map_or(Vec::new(), |known| known.learned),
        };
        let relation = relation(self.ctx, facts, &literals, first)?;
        self.all.known.insert(key, Known { facts, literals, relation, learned });
        Ok(())
    }

    /// Chooses truth values that fit, part by part. Returns the last edge.
    fn choose(&mut self, proc: ProcId, (mut from, to): (Loc, Loc), key: Key) -> EdgeId {
        let (span, terms, program) = (Span::default(), &mut self.ctx.terms, &mut self.built.program);
        let known = &self.all.known[&key];
        let mut holds: Vec<Term> = known.learned.clone();
        for part in &known.relation.parts {
            match part {
                Part::Known(formula) => holds.push(*formula),
                Part::Cases(cases) => {
                    let next = program.add_loc(span);
                    for (given, choice) in cases {
                        let chosen = program.add_loc(span);
                        program.add_edge(proc, from, chosen, Op::Assume(*given), span);
                        let pairs = choice.iter().map(|(var, value)| (*var, terms.bool(*value))).collect();
                        program.add_edge(proc, chosen, next, Op::Assign(pairs), span);
                    }
                    from = next;
                }
                Part::Choice(vars, formula) => {
                    let next = program.add_loc(span);
                    program.add_edge(proc, from, next, Op::Havoc(vars.clone()), span);
                    self.built.widest = self.built.widest.max(vars.len());
                    holds.push(*formula);
                    from = next;
                }
            }
        }
        let holds = terms.and(&holds);
        let last = program.add_edge(proc, from, to, Op::Assume(holds), span);
        self.built.relations.insert(last, key);
        last
    }

    /// Chooses truth values that fit, and goes on with them. Returns an edge that is taken.
    fn step(&mut self, proc: ProcId, (from, to): (Loc, Loc), key: Key, at: Loc) -> EdgeId {
        let (span, count) = (Span::default(), self.lists.at(at).len());
        if count == 0 {
            return self.choose(proc, (from, to), key);
        }
        let chosen = self.own(proc, Role::Chosen, count);
        let targets = self.own(proc, role(self.skeleton, proc, at), count);
        let values: Vec<Term> = chosen.iter().map(|var| self.ctx.terms.var(*var)).collect();
        let fits = self.built.program.add_loc(span);
        let taken = self.choose(proc, (from, fits), key);
        let pairs = targets.into_iter().zip(values).collect();
        self.built.program.add_edge(proc, fits, to, Op::Assign(pairs), span);
        taken
    }

    /// Gives the procedures the variables that they use.
    fn declare(&mut self) {
        for (id, proc) in self.skeleton.program.procs() {
            let params = self.own(id, Role::Entry, self.lists.at(proc.entry).len());
            let results = self.own(id, Role::Exit, self.lists.at(proc.exit).len());
            let all = [Role::Between, Role::Chosen, Role::Returned].map(|role| self.all.names.all(id, role).to_vec());
            let made = &mut self.built.program.procs[id.index()];
            (made.params, made.results, made.locals) = (params, results, all.concat());
        }
    }
}

/// The literals, whose meanings are said in other words.
fn said(terms: &mut Terms, literals: Vec<Literal>, words: &Map) -> Vec<Literal> {
    literals.into_iter().map(|(var, meaning)| (var, terms.substitute(meaning, words))).collect()
}
