//! From blocks to one transition system: which variables are its state, what their next values
//! are, and which inputs can be told from the next state.

use super::{Extracted, is_at};
use crate::blocks::{Arc, Block, Cuts, Walker};
use crate::program::{Loc, Program};
use crate::system::TransitionSystem;
use rustc_hash::FxHashMap;
use std::collections::{BTreeMap, BTreeSet};
use tamis_term::{Node, Sort, Term, Terms, Value, Var};

/// The system, unless what was before the first cut point cannot be said in its variables.
pub(super) fn assemble(terms: &mut Terms, program: &Program, errors: BTreeSet<Loc>, cuts: Cuts) -> Option<Extracted> {
    let entry = program.proc(program.main).entry;
    let mut walker = Walker { terms, program, cuts: &cuts, errors: &errors };
    let blocks: Vec<Block> = (0..cuts.locs.len()).map(|number| walker.after_cut(number)).collect();
    let prologue = cuts.number(entry).is_none().then(|| walker.after_loc(entry));
    // An error before the first state is none of a state.
    if prologue.iter().flat_map(|block| &block.arcs).any(|arc| errors.contains(&arc.to)) {
        return None;
    }
    let live = liveness(terms, &cuts, &blocks);
    let mut builder = Builder { terms, cuts: &cuts, live: &live, control: None };
    builder.control = (cuts.locs.len() > 1).then(|| builder.declare_control());
    let (init, renamed) = builder.init(entry, prologue.as_ref())?;
    let mut system = builder.system(&blocks, &errors, init);
    let control = builder.control.map(|(var, _)| var);
    let from_next = told_by_next(terms, &mut system);
    Some(Extracted { system, control, cuts, blocks, prologue, live, renamed, from_next, errors })
}

/// For each cut point, the variables whose values there matter.
fn liveness(terms: &Terms, cuts: &Cuts, blocks: &[Block]) -> Vec<BTreeSet<Var>> {
    let inputs: BTreeSet<Var> = blocks.iter().flat_map(Block::inputs).collect();
    let read = |roots: &[Term]| terms.free_vars(roots).into_iter().filter(|var| !inputs.contains(var));
    let mut live: Vec<BTreeSet<Var>> = Vec::new();
    for block in blocks {
        let roots: Vec<Term> = block.early.iter().copied().chain(block.arcs.iter().map(|arc| arc.guard)).collect();
        live.push(read(&roots).collect());
    }
    let mut changed = true;
    while changed {
        changed = false;
        for (number, block) in blocks.iter().enumerate() {
            for arc in &block.arcs {
                let Some(to) = cuts.number(arc.to) else { continue };
                let mut more: BTreeSet<Var> = BTreeSet::new();
                let mut roots = Vec::new();
                for var in &live[to] {
                    match arc.values.get(*var) {
                        Some(value) => roots.push(value),
                        None => _ = more.insert(*var),
                    }
                }
                more.extend(read(&roots));
                let before = live[number].len();
                live[number].extend(more);
                changed |= live[number].len() > before;
            }
        }
    }
    live
}

struct Builder<'b> {
    terms: &'b mut Terms,
    cuts: &'b Cuts,
    live: &'b [BTreeSet<Var>],
    /// The variable that says where control is, and its next value.
    control: Option<(Var, Var)>,
}

impl Builder<'_> {
    fn declare_control(&mut self) -> (Var, Var) {
        let width = usize::BITS - (self.cuts.locs.len() - 1).leading_zeros();
        let now = self.terms.declare("main::$at", Sort::BitVec(width));
        (now, self.terms.declare("main::$at'", Sort::BitVec(width)))
    }

    /// That control is at a cut point.
    fn at(&mut self, control: Option<Var>, number: usize) -> Term {
        match control {
            Some(control) => is_at(self.terms, control, number),
            None => self.terms.bool(true),
        }
    }

    fn now(&self) -> Option<Var> {
        self.control.map(|(now, _)| now)
    }

    fn default(&mut self, var: Var) -> Term {
        let value = Value::default_of(self.terms.var_sort(var));
        self.terms.constant(value)
    }

    /// What holds of initial states, and for each way to one how values at the start are called.
    fn init(&mut self, entry: Loc, prologue: Option<&Block>) -> Option<(Term, Vec<FxHashMap<Var, Var>>)> {
        let Some(block) = prologue else {
            let number = self.cuts.number(entry).expect("the entry is a cut point without a prologue");
            let mut parts = vec![self.at(self.now(), number)];
            parts.extend(self.dead_are_default(number));
            return Some((self.terms.and(&parts), vec![]));
        };
        let mut ways = Vec::new();
        let mut renamed = Vec::new();
        for arc in &block.arcs {
            let number = self.cuts.number(arc.to).expect("errors were excluded");
            let mut parts = vec![self.at(self.now(), number)];
            parts.extend(self.dead_are_default(number));
            let names = self.names(number, arc);
            let map: FxHashMap<_, _> = names.iter().map(|(was, is)| (*was, self.terms.var(*is))).collect();
            let mut demanded = vec![arc.guard];
            for var in &self.live[number] {
                if let Some(value) = arc.values.get(*var) {
                    demanded.push(value);
                    let own = self.terms.var(*var);
                    let value = self.terms.substitute(value, &map);
                    parts.push(self.terms.eq(own, value));
                }
            }
            parts.push(self.terms.substitute(arc.guard, &map));
            if self.terms.free_vars(&demanded).iter().any(|var| !names.contains_key(var)) {
                return None;
            }
            ways.push(self.terms.and(&parts));
            renamed.push(names);
        }
        Some((self.terms.or(&ways), renamed))
    }

    /// For variables at the start, the ones that have their values at the end of an arc.
    fn names(&self, number: usize, arc: &Arc) -> FxHashMap<Var, Var> {
        let mut names = FxHashMap::default();
        for var in &self.live[number] {
            match arc.values.get(*var).map(|value| self.terms.node(value)) {
                None => _ = names.insert(*var, *var),
                Some(Node::Var(was)) => _ = names.entry(*was).or_insert(*var),
                Some(Node::Const(_) | Node::App(..)) => {}
            }
        }
        names
    }

    /// Variables that do not matter at a cut point have a fixed value there.
    fn dead_are_default(&mut self, number: usize) -> Vec<Term> {
        let dead: Vec<Var> = self.state().difference(&self.live[number]).copied().collect();
        let equal = |var| {
            let (own, value) = (self.terms.var(var), self.default(var));
            self.terms.eq(own, value)
        };
        dead.into_iter().map(equal).collect()
    }

    fn state(&self) -> BTreeSet<Var> {
        self.live.iter().flatten().copied().collect()
    }

    fn system(&mut self, blocks: &[Block], errors: &BTreeSet<Loc>, init: Term) -> TransitionSystem {
        let mut state: Vec<(Var, Var)> = self.control.into_iter().collect();
        for var in self.state() {
            let (name, sort) = (format!("{}'", self.terms.name(var)), self.terms.var_sort(var).clone());
            state.push((var, self.terms.declare(&name, sort)));
        }
        let (mut early, mut steps, mut bads) = (Vec::new(), Vec::new(), Vec::new());
        for (number, block) in blocks.iter().enumerate() {
            let here = self.at(self.now(), number);
            let known = self.terms.and(&block.early);
            early.push(self.terms.implies(here, known));
            for arc in &block.arcs {
                if errors.contains(&arc.to) {
                    bads.push(self.terms.and(&[here, arc.guard]));
                } else {
                    steps.push(self.step(here, arc, &state));
                }
            }
        }
        TransitionSystem {
            inputs: blocks.iter().flat_map(Block::inputs).collect(),
            invariant: self.terms.and(&early),
            init,
            trans: self.terms.or(&steps),
            bad: self.terms.or(&bads),
            state,
        }
    }

    /// One way from a state to the next.
    fn step(&mut self, here: Term, arc: &Arc, state: &[(Var, Var)]) -> Term {
        let to = self.cuts.number(arc.to).expect("not an error");
        let mut parts = vec![here, arc.guard, self.at(self.control.map(|(_, next)| next), to)];
        let control = self.now();
        for (var, next) in state.iter().filter(|(var, _)| Some(*var) != control) {
            let value = if self.live[to].contains(var) {
                arc.values.get(*var).unwrap_or_else(|| self.terms.var(*var))
            } else {
                self.default(*var)
            };
            let next = self.terms.var(*next);
            parts.push(self.terms.eq(next, value));
        }
        self.terms.and(&parts)
    }
}

/// Takes away inputs that do nothing, and those that are the next value of a state variable: a
/// relation then speaks about next values directly.
fn told_by_next(terms: &mut Terms, system: &mut TransitionSystem) -> BTreeMap<Var, Var> {
    let mut told = BTreeMap::new();
    let elsewhere = terms.free_vars(&[system.invariant, system.bad, system.init]);
    let inputs: BTreeSet<Var> = system.inputs.iter().copied().collect();
    for (now, next) in system.state.clone() {
        let next_term = terms.var(next);
        let alone = |term: Term, terms: &Terms| match terms.node(term) {
            Node::Var(var) if inputs.contains(var) && !elsewhere.contains(var) && !told.contains_key(var) => Some(*var),
            Node::Var(_) | Node::Const(_) | Node::App(..) => None,
        };
        let found = conjuncts(terms, system.trans).into_iter().find_map(|part| equated(terms, part, next_term));
        if let Some(input) = found.and_then(|term| alone(term, terms)) {
            told.insert(input, now);
        }
    }
    let next_of: BTreeMap<Var, Var> = system.state.iter().copied().collect();
    let map: FxHashMap<_, _> = told.iter().map(|(input, now)| (*input, terms.var(next_of[now]))).collect();
    system.trans = terms.substitute(system.trans, &map);
    let used = terms.free_vars(&[system.invariant, system.trans, system.bad]);
    system.inputs.retain(|var| used.contains(var));
    told
}

/// The parts of a conjunction.
fn conjuncts(terms: &Terms, formula: Term) -> Vec<Term> {
    match terms.node(formula) {
        Node::App(tamis_term::Fun::And, args) => args.to_vec(),
        Node::App(..) | Node::Var(_) | Node::Const(_) => vec![formula],
    }
}

/// What an equation says that a term is equal to.
fn equated(terms: &Terms, equation: Term, term: Term) -> Option<Term> {
    match terms.node(equation) {
        Node::App(tamis_term::Fun::Eq, args) if args[0] == term => Some(args[1]),
        Node::App(tamis_term::Fun::Eq, args) if args[1] == term => Some(args[0]),
        Node::App(..) | Node::Var(_) | Node::Const(_) => None,
    }
}
