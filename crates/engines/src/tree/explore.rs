//! The abstractor: explores the abstract states that a domain makes, and keeps of the tree what a
//! refutation leaves untouched.

use super::nodes::{Id, Nodes, Status};
use super::{Config, Held, Prune};
use rustc_hash::FxHashMap;
use std::collections::BTreeSet;
use std::time::Instant;
use tamis_cegar::{Abstractor, Context, Cut, Exploration, Outcome, Path, Progress, Renaming, State};
use tamis_ir::{Extracted, Program};
use tamis_solver::{Answer, Solver};
use tamis_term::Term;

pub(super) struct Explorer<'p> {
    program: &'p Program,
    extracted: Extracted,
    config: Config,
    nodes: Nodes,
    /// Whether the initial states are to be found, for the first time or again.
    beginning: bool,
    /// What holds in every state, whatever the inputs.
    invariant: Term,
    /// Knows which states are initial.
    init: Box<dyn Solver>,
    /// Knows which state follows which.
    trans: Box<dyn Solver>,
    /// Knows which states are bad.
    bad: Box<dyn Solver>,
    now: Renaming,
    next: Renaming,
    /// Which labels have bad states.
    badness: FxHashMap<Term, bool>,
    /// The last suspects.
    suspects: Vec<(Id, Path)>,
    local: bool,
}

impl<'p> Explorer<'p> {
    pub(super) fn new(
        ctx: &mut Context,
        program: &'p Program,
        extracted: Extracted,
        config: Config,
    ) -> Outcome<Explorer<'p>> {
        let system = &extracted.system;
        let terms = &mut ctx.terms;
        let (invariant, about_inputs) = system.split_invariant(terms);
        let next = system.state.iter().map(|(now, next)| (*now, terms.var(*next))).collect();
        let mut next = Renaming::new(next);
        let invariant_next = next.apply(terms, invariant);
        let solver = |facts: &[Term]| -> Outcome<Box<dyn Solver>> {
            let mut solver = ctx.solvers.fresh(terms, facts)?;
            for fact in facts {
                solver.assert(terms, *fact)?;
            }
            Ok(solver)
        };
        let init = solver(&[invariant, system.init])?;
        let trans = solver(&[invariant, about_inputs, system.trans, invariant_next])?;
        let bad = solver(&[invariant, about_inputs, system.bad])?;
        Ok(Explorer {
            program,
            config,
            nodes: Nodes::new(config.order),
            beginning: true,
            invariant,
            init,
            trans,
            bad,
            now: Renaming::default(),
            next,
            badness: FxHashMap::default(),
            suspects: Vec::new(),
            local: false,
            extracted,
        })
    }

    /// Finds the initial states; of those that are there already, what is below them stays.
    fn begin(&mut self, ctx: &mut Context, precision: &Held) -> Outcome<()> {
        let states = precision.0.cover(&mut ctx.terms, &mut *self.init, &mut self.now)?;
        let known: BTreeSet<Term> = self.nodes.roots.iter().map(|root| self.nodes.node(*root).state.label).collect();
        for state in states.into_iter().rev().filter(|state| !known.contains(&state.label)) {
            self.nodes.add(state, None);
        }
        self.beginning = false;
        Ok(())
    }

    /// Whether an abstract state has a bad concrete one (section 4.2).
    fn is_bad(&mut self, ctx: &mut Context, state: &State) -> Outcome<bool> {
        if let Some(known) = self.badness.get(&state.label) {
            return Ok(*known);
        }
        let found = match self.bad.check(&ctx.terms, &state.literals)? {
            Answer::Sat(_) => true,
            Answer::Unsat(_) => false,
            Answer::Unknown(why) => return Err(why.into()),
        };
        self.badness.insert(state.label, found);
        Ok(found)
    }

    fn successors(&mut self, ctx: &mut Context, precision: &Held, state: &State) -> Outcome<Vec<State>> {
        self.trans.push();
        let asserted = state.literals.iter().try_for_each(|literal| self.trans.assert(&ctx.terms, *literal));
        let found = match asserted {
            Ok(()) => precision.0.cover(&mut ctx.terms, &mut *self.trans, &mut self.next),
            Err(error) => Err(error.into()),
        };
        self.trans.pop();
        found
    }

    /// What holds in all reached states: in those that the invariant of the system allows, one of
    /// the labels.
    fn invariant(&self, ctx: &mut Context) -> Term {
        let labels: BTreeSet<Term> = self.nodes.expanded().map(|state| state.label).collect();
        let mut ways: Vec<Term> = labels.into_iter().collect();
        ways.push(ctx.terms.not(self.invariant));
        ctx.terms.or(&ways)
    }

    fn tell(&self, ctx: &mut Context, suspect: Option<u64>) {
        let frontier = self.nodes.waiting() as u64;
        ctx.observer.tell(&Progress { statistics: ctx.statistics, frontier, suspect });
    }

    fn search(&mut self, ctx: &mut Context, precision: &Held) -> Outcome<Exploration<Vec<Path>>> {
        self.local = precision.0.is_local();
        if self.beginning {
            self.begin(ctx, precision)?;
        }
        while let Some(id) = self.nodes.next() {
            ctx.budget.check()?;
            let reopened = self.nodes.node(id).status == Status::Reopened;
            if !reopened && self.nodes.is_covered(id) {
                continue;
            }
            ctx.statistics.states += 1;
            ctx.budget.check_states(ctx.statistics.states)?;
            self.tell(ctx, None);
            let state = self.nodes.node(id).state.clone();
            if self.is_bad(ctx, &state)? {
                self.nodes.suspect(id);
                self.suspects.push((id, self.nodes.path(id)));
                if self.suspects.len() >= self.config.suspects {
                    break;
                }
                continue;
            }
            let states = self.successors(ctx, precision, &state)?;
            self.nodes.expand(id, states);
        }
        if self.suspects.is_empty() {
            let invariant = self.invariant(ctx);
            return Ok(Exploration::Safe(self.extracted.proof(&mut ctx.terms, self.program, invariant)));
        }
        let paths: Vec<Path> = self.suspects.iter().map(|(_, path)| path.clone()).collect();
        self.tell(ctx, paths.first().map(|path| path.0.len() as u64));
        Ok(Exploration::Suspect(paths))
    }
}

impl Abstractor for Explorer<'_> {
    type Precision = Held;
    type Suspect = Vec<Path>;

    fn explore(&mut self, ctx: &mut Context, precision: &Held) -> Outcome<Exploration<Vec<Path>>> {
        let start = Instant::now();
        let found = self.search(ctx, precision);
        ctx.statistics.abstraction += start.elapsed();
        found
    }

    fn refuted(&mut self, why: &Vec<Cut>) {
        let suspects = std::mem::take(&mut self.suspects);
        for (_, path) in &suspects {
            self.nodes.learn(path);
        }
        if self.config.prune == Prune::Fully {
            self.nodes.clear();
            self.beginning = true;
            return;
        }
        let split: BTreeSet<Term> = why.iter().map(|cut| cut.state.label).collect();
        let mut coarse: Vec<Id> = Vec::new();
        for (id, _) in &suspects {
            let way: Vec<Id> = std::iter::successors(Some(*id), |id| self.nodes.node(*id).parent).collect();
            // The first on the way is enough: all else that is split lies below it, or, where only
            // these states change, is found by its label.
            coarse.extend(way.iter().rev().find(|id| split.contains(&self.nodes.node(**id).state.label)));
        }
        if self.local {
            coarse.extend(split.iter().flat_map(|label| self.nodes.with_label(*label)));
        }
        for id in coarse {
            self.beginning |= self.nodes.prune(id);
        }
        for (id, _) in &suspects {
            self.nodes.reconsider(*id);
        }
    }
}
