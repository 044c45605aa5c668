//! Removes variables that cannot influence whether the error is reached, and branches that
//! only decide about such variables (Weiser, "Program slicing", 1981; as a cone of influence,
//! so every kept variable is kept everywhere).
//!
//! **Relevant** is the least set of variables that contains those of every condition on an edge
//! towards the error, and with a variable all that its value is made of: the right-hand sides
//! of its assignments, the arguments for a parameter, the callee's result for a variable that
//! takes it. A result that is taken somewhere must be taken everywhere, or calls would not fit
//! the procedure any more; a relevant result that nobody takes becomes a local variable.
//!
//! **Skipped** are branches that have a join (see [`super::joins`]) and between branch and join
//! write no relevant variable. Their conditions are not relevant: an edge straight to the join
//! takes their place. Nothing on the way can call, block, loop or be an error, so the slice has
//! the same runs on relevant variables: it neither gains an ending nor loses an endless run.
//! Whether a branch can be skipped depends on what is relevant, and the other way round; one
//! work list starts with all branches skipped and takes back what cannot stay.
//!
//! **The way back.** A trace is replayed: removed inputs get default values, and a skipped
//! branch is walked by edges that can be taken. A proof mentions relevant variables only, so
//! it is as inductive as before on all edges of the slice. Between a skipped branch and its
//! join, where the slice may have no run, the branch's own invariant still holds, because
//! nothing it mentions is written there: the way back adds it as a disjunct. If the proof passes
//! over the branch, it passes over what lies between, too.

use super::joins::Joins;
use super::replay::Replay;
use super::{Back, EdgeMap, Passed, no_edge};
use crate::evidence::{Action, Proof, Trace};
use crate::graph::{self, Flow, LocSet};
use crate::program::{Edge, EdgeId, Loc, Op, ProcId, Procedure, Program, PropertyId};
use rustc_hash::{FxHashMap, FxHashSet};
use std::collections::BTreeMap;
use tamis_term::{Node, Term, Terms, Value, Var};

/// Removes what cannot influence whether the property's locations are reached.
#[must_use]
pub fn slice(terms: &mut Terms, program: &Program, property: PropertyId) -> Passed {
    let flow = Flow::new(program);
    let errors = LocSet::of(program, &program.property(property).locs);
    let reached = graph::reachable(program, &flow, &LocSet::new(program), |_| false);
    let towards = graph::leading(program, &flow, &errors, &reached);
    let joins = Joins::new(terms, program, &flow, &errors);
    let mut cone = Cone::new(terms, program, &flow, &joins, &towards);
    cone.grow();
    let Cone { relevant, taken, seen, read, .. } = cone;
    let branches = (0..program.locs.len()).map(Loc::new).filter(|loc| flow.out_edges(*loc).len() > 1);
    let skipped = branches.filter(|loc| !read.contains(*loc)).filter_map(|loc| Some((loc, joins.join(loc)?)));
    let knife = Knife { program, relevant, taken, seen, skipped: skipped.collect() };
    let (new, origins) = knife.cut(terms);
    let back = Sliced { old: program.clone(), new: new.clone(), origins, skipped: knife.skipped };
    (new, Box::new(back))
}

/// What becomes relevant with a variable.
#[derive(Clone, Copy)]
enum Need {
    /// What a term mentions.
    Term(Term),
    /// A result of a procedure, by position.
    Result(ProcId, usize),
    /// The branches that decide whether a run leaves this location.
    Branch(Loc),
}

/// The fixpoint that finds the relevant variables.
struct Cone<'p> {
    terms: &'p Terms,
    program: &'p Program,
    flow: &'p Flow,
    joins: &'p Joins,
    towards: &'p LocSet,
    needs: FxHashMap<Var, Vec<Need>>,
    work: Vec<Need>,
    /// Subterms whose variables are relevant.
    seen: FxHashSet<Term>,
    relevant: FxHashSet<Var>,
    /// The results that some call takes, by procedure and position.
    taken: FxHashSet<(ProcId, usize)>,
    /// The locations whose conditions are relevant.
    read: LocSet,
}

impl<'p> Cone<'p> {
    fn new(terms: &'p Terms, program: &'p Program, flow: &'p Flow, joins: &'p Joins, towards: &'p LocSet) -> Self {
        let mut cone = Cone {
            terms,
            program,
            flow,
            joins,
            towards,
            needs: FxHashMap::default(),
            work: Vec::new(),
            seen: FxHashSet::default(),
            relevant: FxHashSet::default(),
            taken: FxHashSet::default(),
            read: LocSet::new(program),
        };
        for edge in program.procs.iter().flat_map(|proc| &proc.edges) {
            cone.collect(edge);
        }
        let locs = (0..program.locs.len()).map(Loc::new);
        cone.work.extend(locs.filter(|loc| joins.join(*loc).is_none()).map(Need::Branch));
        cone
    }

    /// Notes what the variables that an edge writes are made of.
    fn collect(&mut self, edge: &Edge) {
        let mut note = |var: Var, need| self.needs.entry(var).or_default().push(need);
        match &edge.op {
            Op::Assume(_) => {}
            Op::Assign(pairs) => {
                for (var, value) in pairs {
                    note(*var, Need::Term(*value));
                    note(*var, Need::Branch(edge.from));
                }
            }
            Op::Havoc(vars) => vars.iter().for_each(|var| note(*var, Need::Branch(edge.from))),
            Op::Call { callee, args, results } => {
                let params = &self.program.proc(*callee).params;
                params.iter().zip(args).for_each(|(param, arg)| note(*param, Need::Term(*arg)));
                results.iter().enumerate().for_each(|(at, target)| note(*target, Need::Result(*callee, at)));
            }
        }
    }

    fn grow(&mut self) {
        while let Some(need) = self.work.pop() {
            match need {
                Need::Term(term) => self.mention(term),
                Need::Result(proc, at) => self.take(proc, at),
                Need::Branch(loc) => self.read(loc),
            }
        }
    }

    fn add(&mut self, var: Var) {
        if self.relevant.insert(var) {
            self.work.extend(self.needs.get(&var).into_iter().flatten());
        }
    }

    fn mention(&mut self, root: Term) {
        let mut stack = vec![root];
        while let Some(term) = stack.pop() {
            if self.seen.insert(term) {
                match self.terms.node(term) {
                    Node::Const(_) => {}
                    Node::Var(var) => self.add(*var),
                    Node::App(_, args) => stack.extend(args),
                }
            }
        }
    }

    /// A result is taken by some call, hence by all.
    fn take(&mut self, proc: ProcId, at: usize) {
        if self.taken.insert((proc, at)) {
            self.add(self.program.proc(proc).results[at]);
            for id in self.flow.calls_to(proc) {
                if let Op::Call { results, .. } = &self.program.edge(*id).op {
                    self.add(results[at]);
                }
            }
        }
    }

    /// It matters by which edge a run leaves `loc`, hence also whether it comes there.
    fn read(&mut self, loc: Loc) {
        if !self.read.insert(loc) {
            return;
        }
        for id in self.flow.out_edges(loc) {
            let edge = self.program.edge(*id);
            match edge.op {
                Op::Assume(condition) if self.towards.contains(edge.to) => self.work.push(Need::Term(condition)),
                Op::Assume(_) | Op::Assign(_) | Op::Havoc(_) | Op::Call { .. } => {}
            }
        }
        self.work.extend(self.joins.deciders(loc).iter().map(|decider| Need::Branch(*decider)));
    }
}

/// Where an edge of the slice comes from.
#[derive(Clone, Copy, Debug)]
enum Origin {
    /// An edge of the old program.
    Edge(EdgeId),
    /// The way from a skipped branch to this join.
    Skip(Loc),
}

/// Builds the slice.
struct Knife<'p> {
    program: &'p Program,
    relevant: FxHashSet<Var>,
    taken: FxHashSet<(ProcId, usize)>,
    /// The subterms whose variables are relevant, among them the conditions that matter.
    seen: FxHashSet<Term>,
    /// The skipped branches and their joins.
    skipped: FxHashMap<Loc, Loc>,
}

impl Knife<'_> {
    fn cut(&self, terms: &mut Terms) -> (Program, EdgeMap<Origin>) {
        let mut sliced = self.program.clone();
        let mut origins = Vec::new();
        sliced.globals.retain(|var| self.relevant.contains(var));
        for (id, proc) in self.program.procs() {
            let new = &mut sliced.procs[id.index()];
            self.variables(id, proc, new);
            let (mut edges, mut origin, mut left) = (Vec::new(), Vec::new(), FxHashSet::default());
            for (index, edge) in (0..).zip(&proc.edges) {
                if let Some(join) = self.skipped.get(&edge.from) {
                    if left.insert(edge.from) {
                        edges.push(Edge { to: *join, op: Op::Assume(terms.bool(true)), ..edge.clone() });
                        origin.push(Origin::Skip(*join));
                    }
                } else {
                    edges.push(Edge { op: self.op(terms, &edge.op), ..edge.clone() });
                    origin.push(Origin::Edge(EdgeId { proc: id, index }));
                }
            }
            new.edges = edges;
            origins.push(origin);
        }
        (sliced, EdgeMap(origins))
    }

    fn variables(&self, id: ProcId, old: &Procedure, new: &mut Procedure) {
        let relevant = |var: &Var| self.relevant.contains(var);
        new.params.retain(relevant);
        let (taken, others): (Vec<_>, Vec<_>) =
            old.results.iter().enumerate().partition(|(at, _)| self.taken.contains(&(id, *at)));
        new.results = taken.into_iter().map(|(_, var)| *var).collect();
        new.locals = others.into_iter().map(|(_, var)| var).chain(&old.locals).copied().filter(relevant).collect();
    }

    fn op(&self, terms: &mut Terms, op: &Op) -> Op {
        let relevant = |var: &Var| self.relevant.contains(var);
        match op {
            Op::Assume(condition) if self.seen.contains(condition) => Op::Assume(*condition),
            Op::Assign(pairs) if pairs.iter().any(|(var, _)| relevant(var)) => {
                Op::Assign(pairs.iter().copied().filter(|(var, _)| relevant(var)).collect())
            }
            Op::Havoc(vars) if vars.iter().any(relevant) => Op::Havoc(vars.iter().copied().filter(relevant).collect()),
            Op::Assume(_) | Op::Assign(_) | Op::Havoc(_) => Op::Assume(terms.bool(true)),
            Op::Call { callee, args, results } => {
                let params = self.program.proc(*callee).params.iter().zip(args);
                let taken = results.iter().enumerate().filter(|(at, _)| self.taken.contains(&(*callee, *at)));
                Op::Call {
                    callee: *callee,
                    args: params.filter(|(param, _)| relevant(param)).map(|(_, arg)| *arg).collect(),
                    results: taken.map(|(_, target)| *target).collect(),
                }
            }
        }
    }
}

/// The way back from a slice.
struct Sliced {
    old: Program,
    new: Program,
    origins: EdgeMap<Origin>,
    /// The skipped branches and their joins.
    skipped: FxHashMap<Loc, Loc>,
}

impl Sliced {
    /// The values that a step of the slice chooses, with the variables that they are for.
    fn inputs<'v>(&self, edge: EdgeId, values: &'v [Value]) -> Vec<(Var, &'v Value)> {
        match &self.new.edge(edge).op {
            Op::Assume(_) | Op::Assign(_) => Vec::new(),
            Op::Havoc(vars) => vars.iter().copied().zip(values).collect(),
            Op::Call { callee, .. } => self.new.proc(*callee).inputs().copied().zip(values).collect(),
        }
    }
}

impl Back for Sliced {
    fn trace(&self, terms: &Terms, trace: Trace) -> Trace {
        let mut replay = Replay::new(terms, &self.old, &trace.start);
        for step in trace.steps {
            match step.action {
                Action::Take { edge, inputs } => match self.origins.get(edge) {
                    Some(Origin::Edge(old)) => replay.take(*old, self.inputs(edge, &inputs)),
                    Some(Origin::Skip(join)) => replay.walk(self.new.edge(edge).from, *join),
                    None => replay.step(Action::Take { edge: no_edge(edge), inputs }),
                },
                Action::Return => replay.step(Action::Return),
            }
        }
        replay.finish()
    }

    fn proof(&self, terms: &mut Terms, mut proof: Proof) -> Proof {
        // What the proof says where the slice has no control is dropped first: false does as
        // well, and the regions of the other branches hardly overlap.
        let reached = graph::reachable(&self.new, &Flow::new(&self.new), &LocSet::new(&self.new), |_| false);
        proof.invariants.retain(|loc, _| reached.contains(*loc));
        proof.summaries.retain(|proc, _| self.new.procs.get(proc.index()).is_some_and(|p| reached.contains(p.exit)));
        proof.passed.retain(|loc| reached.contains(*loc));
        let flow = Flow::new(&self.old);
        let mut more: BTreeMap<Loc, Vec<Term>> = BTreeMap::new();
        for (branch, invariant) in &proof.invariants {
            let Some(join) = self.skipped.get(branch) else { continue };
            for loc in self.between(&flow, *branch, *join) {
                more.entry(loc).or_default().push(*invariant);
            }
        }
        for branch in proof.passed.clone() {
            let Some(join) = self.skipped.get(&branch) else { continue };
            let silent = self.between(&flow, branch, *join);
            proof.passed.extend(silent.into_iter().filter(|loc| !proof.invariants.contains_key(loc)));
        }
        more.retain(|loc, _| !proof.passed.contains(loc));
        for (loc, mut cases) in more {
            cases.extend(proof.invariants.get(&loc));
            proof.invariants.insert(loc, terms.or(&cases));
        }
        proof
    }
}

impl Sliced {
    /// The locations between a skipped branch and its join.
    fn between(&self, flow: &Flow, branch: Loc, join: Loc) -> Vec<Loc> {
        let mut seen = FxHashSet::from_iter([branch, join]);
        let (mut work, mut found) = (vec![branch], Vec::new());
        while let Some(loc) = work.pop() {
            for next in flow.out_edges(loc).iter().map(|id| self.old.edge(*id).to) {
                if seen.insert(next) {
                    found.push(next);
                    work.push(next);
                }
            }
        }
        found
    }
}
