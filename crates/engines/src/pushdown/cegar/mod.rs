//! Abstraction refinement for pushdown systems on decision diagrams (Kiefer, *Abstraction
//! Refinement for Pushdown Systems*, 2005).
//!
//! Files in order of reading: `precision` (localised predicates), `abstraction` (existential
//! abstraction of rules), `witness` (saturation of the abstract system with its witness
//! graph), `counterexample` (modular graphs of counterexamples), `certificate` (from predicates to
//! a proof), `laws` (what must hold of every round, for tests). The interpolants come from
//! `tamis_refiners::bdd`.

mod abstraction;
mod certificate;
mod counterexample;
mod laws;
mod picture;
mod precision;
mod witness;

use super::lower::{Lowered, Relations, lower, tighten};
use super::readable::Readable;
use super::{Halt, Session, trace};
use crate::evidence::old_vars;
use crate::options::{Knob, Knobs, knob, listed};
use abstraction::{Abstraction, Pool};
use counterexample::Witnessed;
use laws::Audit;
use precision::{Interpolants, Lists, Spot};
use std::cell::RefCell;
use std::collections::BTreeMap;
use std::rc::Rc;
use std::time::Instant;
use tamis_bdd::{Bdd, on_large_stack};
use tamis_cegar::{Abstractor, Context, Exploration, Finding, Outcome, Precision, Progress, Refiner, Stop, refine};
use tamis_ir::blocks::Size;
use tamis_ir::{Program, PropertyId};
use tamis_pds::{Dag, From, RuleId, Shape, Sym};
use tamis_refiners::bdd::{self, Fault, HEURISTICS, Heuristic, Options};
use tamis_term::Var;
use tamis_witness::{Reason, Resource, Verdict};
pub use witness::{Search, Witnesses};

/// How to refine.
#[derive(Clone, Copy, Debug)]
pub struct Config {
    /// Which interpolants become predicates.
    pub interpolants: Heuristic,
    /// How much of a procedure is one rule.
    pub blocks: Size,
    /// What the witness graph records.
    pub witnesses: Witnesses,
    /// How much of the abstract system is explored.
    pub search: Search,
    /// How far up a counterexample predicates are looked for.
    pub stop: StopRule,
    /// From how many bits on the products and quotients of unknowns are arbitrary until they
    /// turn out to matter, and other functions from several times as many.
    pub hard_bits: u64,
    /// Whether to check the laws that every round must obey, which takes longer than the
    /// round itself. For tests.
    pub audit: bool,
    /// A mistake to make. For tests of the audit.
    pub fault: Option<Fault>,
}

/// How far up a counterexample predicates are looked for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum StopRule {
    /// To the top.
    Never,
    /// To where the abstraction already knows enough (section 8.3).
    Lazily,
}

impl Config {
    /// The usual configuration with the given interpolants.
    #[must_use]
    pub fn new(interpolants: Heuristic) -> Config {
        Config {
            interpolants,
            blocks: Size::Large,
            witnesses: Witnesses::Thick,
            search: Search::Complete,
            stop: StopRule::Never,
            hard_bits: 16,
            audit: false,
            fault: None,
        }
    }
}

/// What can be chosen.
pub const OPTIONS: &Knobs<Config> = &Knobs {
    default: || Config::new(Heuristic::Combined),
    knobs: &[
        Knob {
            name: "interpolants",
            about: "which interpolants become predicates",
            values: || listed(HEURISTICS.iter().map(|row| row.name)),
            get: |config| config.interpolants.name().to_owned(),
            set: |config, name| {
                config.interpolants = bdd::by_name(name)?.heuristic;
                Some(())
            },
        },
        knob!("blocks", "how much code lies between two abstract states",
            blocks: "large" => Size::Large, "single" => Size::Single),
        knob!("witnesses", "whether rules that add no abstract state become part of counterexamples",
            witnesses: "thick" => Witnesses::Thick, "thin" => Witnesses::Thin),
        knob!("search", "whether the search for counterexamples ends at the first error",
            search: "complete" => Search::Complete, "early" => Search::Early),
        knob!("stop", "whether predicates are looked for only up to where enough is known",
            stop: "never" => StopRule::Never, "lazily" => StopRule::Lazily),
    ],
};

/// Larger diagrams are not shown in words.
const READABLE: usize = 2_000;

/// Checks a program by abstraction refinement.
///
/// # Errors
/// If time, memory or rounds run out, or the program has variables without finitely many
/// bits.
pub fn run(ctx: &mut Context, program: &Program, property: PropertyId, config: &Config) -> Outcome<Verdict> {
    on_large_stack(|| check(ctx, program, property, config))
}

fn check(ctx: &mut Context, program: &Program, property: PropertyId, config: &Config) -> Outcome<Verdict> {
    let session = Rc::new(Session::new(ctx));
    let start = Instant::now();
    // Abstract bits are made first, so that they are above the concrete ones (section 7.3).
    let pool = Pool::new(&session.manager);
    let relations = Relations::LooseFrom { bits: config.hard_bits };
    let lowered = lower(&mut ctx.terms, program, property, session.manager.clone(), relations, config.blocks);
    let lowered = lowered.map_err(|trouble| session.trouble(trouble))?;
    let abstraction = Abstraction::new(&lowered.system, pool).map_err(|full| session.full(full))?;
    ctx.statistics.abstraction += start.elapsed();
    let system = &lowered.system;
    let mut callers: Vec<Vec<Sym>> = vec![Vec::new(); system.procs.len()];
    for rule in &system.rules {
        if let Shape::Push { pivot, .. } = rule.shape {
            callers[system.callee(pivot).index()].push(pivot);
        }
    }
    let (mut lists, outgoing) = (Lists::new(system), system.outgoing());
    let lowered = Rc::new(RefCell::new(lowered));
    let mut saturation = Saturation {
        session: session.clone(),
        program,
        outgoing,
        callers,
        lowered: lowered.clone(),
        abstraction,
        config: *config,
        audit: config.audit.then(Audit::default),
    };
    let mut interpolation =
        Interpolation { session, program, shown: lists.clone(), old: None, lowered, config: *config };
    refine(ctx, &mut saturation, &mut interpolation, &mut lists)
}

/// The abstractor: abstracts rules, saturates, and looks for a counterexample.
struct Saturation<'p> {
    session: Rc<Session>,
    program: &'p Program,
    lowered: Rc<RefCell<Lowered>>,
    outgoing: Vec<Vec<RuleId>>,
    callers: Vec<Vec<Sym>>,
    abstraction: Abstraction,
    config: Config,
    audit: Option<Audit>,
}

/// A counterexample of the abstract system.
#[derive(Debug)]
struct Counterexample {
    dag: Dag,
    /// By node: what the abstraction knows there, if predicates are looked for lazily.
    known: Option<Vec<Option<Bdd>>>,
}

impl PartialEq for Counterexample {
    fn eq(&self, other: &Counterexample) -> bool {
        self.dag == other.dag
    }
}

impl Abstractor for Saturation<'_> {
    type Precision = Lists;
    type Counterexample = Counterexample;

    fn explore(&mut self, ctx: &mut Context, lists: &Lists) -> Outcome<Exploration<Counterexample>> {
        let session = self.session.clone();
        let full = |full| session.full(full);
        let lowered = self.lowered.borrow();
        let system = &lowered.system;
        let start = Instant::now();
        let before = self.audit.is_some().then(|| self.abstraction.relations.clone());
        let stale = self.abstraction.refine(system, lists).map_err(full)?;
        ctx.statistics.abstraction += start.elapsed();
        if let (Some(audit), Some(before)) = (&self.audit, before) {
            audit.abstraction(system, &self.abstraction, &before, &stale).map_err(full)?.map_err(Stop::Failed)?;
        }
        let start = Instant::now();
        let (outgoing, callers) = (&self.outgoing, &self.callers);
        let mut count = 0_u64;
        let mut poll = |waiting: usize| -> Result<(), Halt> {
            count += 1;
            if count.is_multiple_of(64) {
                ctx.budget.check()?;
                let (statistics, frontier) = (ctx.statistics, waiting as u64);
                ctx.observer.tell(&Progress { statistics, frontier, counterexample: None });
            }
            Ok(())
        };
        let Config { witnesses, search, .. } = self.config;
        let rules = witness::Rules { system, abstraction: &self.abstraction, outgoing, callers };
        let mut search = search;
        let (automaton, found) = loop {
            let automaton = witness::saturate(rules, witnesses, search, &mut poll);
            let automaton = automaton.map_err(|halt| self.session.halt(halt))?;
            let found = counterexample::find(system, &self.abstraction, callers, &automaton).map_err(full)?;
            // That an error has a label says nothing yet about the stack below it.
            if found.is_some() || automaton.is_complete {
                break (automaton, found);
            }
            search = Search::Complete;
        };
        ctx.statistics.saturation += start.elapsed();
        ctx.statistics.states += automaton.witnesses.len() as u64;
        ctx.statistics.nodes = session.manager.peak() as u64;
        let Some(Witnessed { dag, witnesses }) = found else {
            let proof = certificate::prove(ctx, self.program, &lowered, &self.abstraction, &automaton, lists);
            return Ok(Exploration::Safe(proof));
        };
        if let Some(audit) = &mut self.audit {
            audit.counterexample(&dag);
        }
        let known = match self.config.stop {
            StopRule::Never => None,
            StopRule::Lazily => {
                let known = certificate::known(system, &self.abstraction, &automaton, &dag, &witnesses);
                Some(known.map_err(full)?)
            }
        };
        Ok(Exploration::Counterexample(Counterexample { dag, known }))
    }
}

/// The refiner: strongest interpolants tell whether a counterexample is real; the chosen
/// ones exclude it if it is not.
struct Interpolation<'p> {
    session: Rc<Session>,
    program: &'p Program,
    lowered: Rc<RefCell<Lowered>>,
    config: Config,
    /// Kept only for pictures: the lists so far, and names for old values.
    shown: Lists,
    old: Option<BTreeMap<Var, Var>>,
}

impl Refiner for Interpolation<'_> {
    type Counterexample = Counterexample;
    type Refutation = Interpolants;

    fn examine(&mut self, ctx: &mut Context, counterexample: &Counterexample) -> Outcome<Finding<Interpolants>> {
        let start = Instant::now();
        let (statistics, length) = (ctx.statistics, counterexample.dag.nodes.len() as u64);
        ctx.observer.tell(&Progress { statistics, frontier: 0, counterexample: Some(length) });
        let finding = self.finding(ctx, counterexample);
        ctx.statistics.refinement += start.elapsed();
        ctx.statistics.nodes = self.session.manager.peak() as u64;
        finding
    }
}

impl Interpolation<'_> {
    fn finding(
        &mut self,
        ctx: &mut Context,
        Counterexample { dag, known }: &Counterexample,
    ) -> Outcome<Finding<Interpolants>> {
        let session = self.session.clone();
        let full = |full| session.full(full);
        let m = &session.manager;
        let mut strongest = bdd::strongest(&self.lowered.borrow().system, dag).map_err(full)?;
        // Relations that allow more than their blocks do may be what makes it look real.
        let mut tightened = Vec::new();
        if !strongest.is_spurious() {
            tightened = self.tighten(ctx, dag)?;
            if !tightened.is_empty() {
                strongest = bdd::strongest(&self.lowered.borrow().system, dag).map_err(full)?;
            }
        }
        let shared = self.lowered.clone();
        let lowered = shared.borrow();
        let system = &lowered.system;
        if !strongest.is_spurious() {
            self.picture(ctx, dag, strongest.nodes(), None);
            let run = bdd::concretise(system, dag, &strongest).map_err(full)?;
            let run = run.ok_or(Stop::GaveUp(Reason::OutOfBudget(Resource::Memory)))?;
            let trace = trace::from_run(&ctx.terms, self.program, &lowered, &run);
            return Ok(Finding::Feasible(trace.map_err(|problem| self.session.problem(problem))?));
        }
        let heuristic = self.config.interpolants;
        let options = Options { heuristic, gamma: known.as_deref(), fault: self.config.fault };
        let chosen = bdd::choose(system, dag, &strongest, &options).map_err(full)?;
        if self.config.audit && known.is_none() {
            let law = bdd::check(system, dag, &strongest, &chosen, heuristic).map_err(full)?;
            law.map_err(|broken| Stop::Failed(format!("{} is broken: {}", broken.law, broken.why)))?;
        }
        let predicates = bdd::predicates(dag, &strongest, &chosen, heuristic).into_iter();
        let found: Vec<(Spot, Bdd, Bdd)> = predicates
            .filter_map(|(node, predicate)| {
                let spot = Spot::of(dag.node(node).kind)?;
                let complement = m.not(&predicate);
                Some((spot, predicate, complement))
            })
            .collect();
        let interpolants = Interpolants { found, tightened };
        self.picture(ctx, dag, strongest.nodes(), Some((&chosen, &interpolants)));
        Ok(Finding::Spurious(interpolants))
    }

    /// Shows the round to those who want to see it.
    fn picture(&mut self, ctx: &mut Context, dag: &Dag, strongest: &[Bdd], chosen: Option<(&[Bdd], &Interpolants)>) {
        if !ctx.rounds.wanted() {
            return;
        }
        let before = self.shown.clone();
        if let Some((_, interpolants)) = chosen {
            self.shown.absorb(&mut ctx.terms, interpolants);
        }
        let (program, lowered) = (self.program, &self.lowered.borrow());
        let old = self.old.get_or_insert_with(|| old_vars(&mut ctx.terms, program));
        let chosen = chosen.map(|(chosen, _)| chosen);
        let finding = picture::Finding { number: ctx.statistics.rounds + 1, strongest, chosen };
        let mut artist =
            picture::Artist { terms: &mut ctx.terms, program, lowered, old, readable: Readable::new(READABLE) };
        let round = artist.draw(dag, &finding, &before, &self.shown);
        ctx.rounds.show(&mut ctx.terms, &round);
    }

    /// Makes the relations exact that the counterexample uses. Returns those that were loose.
    fn tighten(&self, ctx: &Context, dag: &Dag) -> Outcome<Vec<RuleId>> {
        let mut lowered = self.lowered.borrow_mut();
        let mut tightened = Vec::new();
        for edge in &dag.edges {
            let From::Rule { rule, .. } = edge.from else { continue };
            let was_loose = tighten(&ctx.terms, self.program, &mut lowered, rule);
            if was_loose.map_err(|trouble| self.session.trouble(trouble))? {
                tightened.push(rule);
            }
        }
        Ok(tightened)
    }
}
