//! Symbolic pre* (Bouajjani, Esparza, Maler, CONCUR 1997; Schwoon 2002, chapter 3): from the
//! errors back to the start.
//!
//! For every control point two sets grow: from which values an *error* can be reached
//! before the frame is left, and from which values the frame can be *left*, with what it
//! then returns. The second is computed only for procedures behind whose calls something
//! matters. Both grow in layers, so that a run can be read off forwards.
//!
//! Copies are used as in a rule seen from its front: `error(now)`, `leave(now ‖ input)`,
//! where *input* holds the returned values.

use super::formula::{Names, formula};
use super::layout::Layout;
use super::lower::{Lowered, Relations};
use super::proof::{Certificate, Claims};
use super::saturation::Layer;
use super::walk::MAX_STEPS;
use super::{Halt, Session, lower, trace};
use rustc_hash::FxHashMap;
use std::collections::VecDeque;
use tamis_bdd::{Bdd, Bit, Renaming, Result, on_large_stack};
use tamis_cegar::{Context, Outcome, Progress, Stop};
use tamis_ir::blocks::Size;
use tamis_ir::{ProcId, Program, Proof, PropertyId};
use tamis_pds::{RuleId, Run, RunStep, Shape, Slot, Slots, Sym, SymbolKind, System, Valuation};
use tamis_term::{Term, Terms};
use tamis_witness::{Reason, Resource, Verdict};

/// Backward saturation without abstraction.
///
/// # Errors
/// If time or memory run out, or the program has variables without finitely many bits.
pub fn run(ctx: &mut Context, program: &Program, property: PropertyId) -> Outcome<Verdict> {
    on_large_stack(|| backward(ctx, program, property))
}

fn backward(ctx: &mut Context, program: &Program, property: PropertyId) -> Outcome<Verdict> {
    let session = Session::new(ctx);
    let lowered =
        lower::lower(&mut ctx.terms, program, property, session.manager.clone(), Relations::Exact, Size::Large)
            .map_err(|t| session.trouble(t))?;
    let mut count = 0_u64;
    let poll = |waiting: usize| -> std::result::Result<(), Halt> {
        count += 1;
        ctx.statistics.nodes = session.manager.peak() as u64;
        ctx.statistics.states = count;
        if count.is_multiple_of(64) {
            ctx.budget.check()?;
            let (statistics, frontier) = (ctx.statistics, waiting as u64);
            ctx.observer.tell(&Progress { statistics, frontier, counterexample: None });
        }
        Ok(())
    };
    let back = saturate(&lowered.system, poll).map_err(|halt| session.halt(halt))?;
    let entry = lowered.system.proc(program.main).entry;
    if back.error[entry.index()].label.is_false() {
        return Ok(Verdict::Safe(prove(ctx, &session, program, &lowered, &back)?));
    }
    let run = Walk::new(&lowered.system, &back).run().map_err(|full| session.full(full))?;
    let run = run.ok_or(Stop::GaveUp(Reason::OutOfBudget(Resource::Memory)))?;
    let trace = trace::from_run(&ctx.terms, program, &lowered, &run).map_err(|problem| session.problem(problem))?;
    Ok(Verdict::Unsafe(trace))
}

/// What a control point is asked about.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
enum Goal {
    /// To reach an error before the frame is left.
    Error,
    /// To leave the frame.
    Leave,
}

/// A set, and how it grew.
struct Track {
    label: Bdd,
    layers: Vec<Layer>,
}

/// All sets.
struct Back {
    error: Vec<Track>,
    leave: Vec<Track>,
    /// By procedure: whether it matters how it is left.
    wanted: Vec<bool>,
    moves: Moves,
}

impl Back {
    fn track(&self, goal: Goal, sym: Sym) -> &Track {
        match goal {
            Goal::Error => &self.error[sym.index()],
            Goal::Leave => &self.leave[sym.index()],
        }
    }
}

/// The renamings that only the backward direction needs.
struct Moves {
    next_to_input: Renaming,
    input_to_frozen: Renaming,
    input_to_next: Renaming,
    entry_to_old: Renaming,
    entry_to_effect: Renaming,
}

impl Moves {
    fn new(system: &System) -> Result<Moves> {
        let (m, block) = (system.family.manager(), &system.family.block);
        let pairs =
            |from: &[Bit], to: &[Bit]| -> Vec<(Bit, Bit)> { from.iter().copied().zip(to.iter().copied()).collect() };
        let both = |a: Vec<(Bit, Bit)>, b: Vec<(Bit, Bit)>| [a, b].concat();
        Ok(Moves {
            next_to_input: m.renaming(&pairs(&block.next, &block.input))?,
            input_to_frozen: m.renaming(&pairs(&block.input, &block.frozen))?,
            input_to_next: m.renaming(&pairs(&block.input, &block.next))?,
            entry_to_old: m.renaming(&both(pairs(&block.now, &block.input), pairs(&block.input, &block.next)))?,
            entry_to_effect: m.renaming(&both(pairs(&block.now, &block.next), pairs(&block.input, &block.now)))?,
        })
    }
}

fn saturate(
    system: &System,
    mut poll: impl FnMut(usize) -> std::result::Result<(), Halt>,
) -> std::result::Result<Back, Halt> {
    let m = system.family.manager();
    let tracks = |count: usize| -> Vec<Track> {
        (0..count).map(|_| Track { label: m.constant(false), layers: Vec::new() }).collect()
    };
    let count = system.symbols.len();
    let wanted = vec![false; system.procs.len()];
    let back = Back { error: tracks(count), leave: tracks(count), wanted, moves: Moves::new(system)? };
    let mut into: Vec<Vec<RuleId>> = vec![Vec::new(); count];
    let mut pops: Vec<Vec<RuleId>> = vec![Vec::new(); system.procs.len()];
    for (at, rule) in system.rules.iter().enumerate() {
        let id = RuleId::new(at);
        match rule.shape {
            Shape::Entry { to } | Shape::Normal { to } | Shape::Eval { to } => into[to.index()].push(id),
            Shape::Pop => pops[system.symbol(rule.from).proc.index()].push(id),
            Shape::Push { entry, pivot } => {
                into[entry.index()].push(id);
                into[pivot.index()].push(id);
            }
        }
    }
    let through = vec![m.constant(false); system.rules.len()];
    let (pending, queue) = (FxHashMap::default(), VecDeque::new());
    let mut saturation = Saturation { system, back, into, pops, through, pending, queue, found: 0 };
    for error in &system.errors {
        saturation.add(Goal::Error, *error, &m.constant(true))?;
    }
    while let Some((goal, sym)) = saturation.queue.pop_front() {
        poll(saturation.queue.len())?;
        saturation.propagate(goal, sym)?;
    }
    Ok(saturation.back)
}

struct Saturation<'s> {
    system: &'s System,
    back: Back,
    /// By symbol: the rules that lead to it, push rules included.
    into: Vec<Vec<RuleId>>,
    pops: Vec<Vec<RuleId>>,
    /// By push rule: from the values before the call to those at the pivot, through the
    /// callee: `(now; frozen)`. (The partially applied rule of the literature.)
    through: Vec<Bdd>,
    pending: FxHashMap<(Goal, Sym), Bdd>,
    queue: VecDeque<(Goal, Sym)>,
    found: u64,
}

impl Saturation<'_> {
    fn add(&mut self, goal: Goal, sym: Sym, set: &Bdd) -> Result<()> {
        let m = self.system.family.manager();
        let new = m.and(set, &m.not(&self.back.track(goal, sym).label))?;
        if new.is_false() {
            return Ok(());
        }
        let new = if let Some(old) = self.pending.remove(&(goal, sym)) {
            m.or(&old, &new)?
        } else {
            self.queue.push_back((goal, sym));
            new
        };
        self.pending.insert((goal, sym), new);
        Ok(())
    }

    fn propagate(&mut self, goal: Goal, sym: Sym) -> Result<()> {
        let (system, family) = (self.system, &self.system.family);
        let m = family.manager();
        let Some(new) = self.pending.remove(&(goal, sym)) else { return Ok(()) };
        let track = match goal {
            Goal::Error => &mut self.back.error[sym.index()],
            Goal::Leave => &mut self.back.leave[sym.index()],
        };
        let new = m.and(&new, &m.not(&track.label))?;
        if new.is_false() {
            return Ok(());
        }
        track.label = m.or(&track.label, &new)?;
        track.layers.push(Layer { time: 0, number: self.found, set: new.clone() });
        self.found += 1;
        for id in self.into[sym.index()].clone() {
            let rule = system.rule(id);
            match (rule.shape, &rule.relation, system.symbol(sym).kind) {
                (Shape::Entry { .. } | Shape::Normal { .. } | Shape::Eval { .. }, Some(r), _) => {
                    let before = m.and_exists(r, &family.after(&new)?, family.next())?;
                    self.add(goal, rule.from, &before)?;
                }
                (Shape::Entry { .. } | Shape::Normal { .. } | Shape::Eval { .. }, None, _) => {
                    self.add(goal, rule.from, &new)?;
                }
                (Shape::Push { pivot, .. }, Some(r), SymbolKind::Entry) => {
                    self.through_callee(goal, id, rule.from, pivot, r, &new)?;
                }
                (Shape::Push { .. }, Some(_), SymbolKind::Pivot { callee }) => {
                    self.want(callee)?;
                    let through = self.through[id.index()].clone();
                    let before = family.before_pivot(&through, &new)?;
                    self.add(goal, rule.from, &before)?;
                }
                (Shape::Push { .. } | Shape::Pop, ..) => unreachable!("it leads elsewhere"),
            }
        }
        Ok(())
    }

    /// Something new is known about a callee's entry.
    fn through_callee(&mut self, goal: Goal, id: RuleId, from: Sym, pivot: Sym, r: &Bdd, new: &Bdd) -> Result<()> {
        let family = &self.system.family;
        let m = family.manager();
        let called = m.and_exists(r, &family.after(new)?, family.next())?;
        match goal {
            Goal::Error => self.add(Goal::Error, from, &family.forget_frozen(&called)?),
            Goal::Leave => {
                // What is returned takes its place among the frozen values.
                let new = m.rename(&called, &self.back.moves.input_to_frozen)?;
                self.through[id.index()] = m.or(&self.through[id.index()], &new)?;
                for goal in [Goal::Error, Goal::Leave] {
                    let after = self.back.track(goal, pivot).label.clone();
                    let before = family.before_pivot(&new, &after)?;
                    self.add(goal, from, &before)?;
                }
                Ok(())
            }
        }
    }

    /// From now on it matters how the procedure is left.
    fn want(&mut self, proc: ProcId) -> Result<()> {
        if std::mem::replace(&mut self.back.wanted[proc.index()], true) {
            return Ok(());
        }
        let m = self.system.family.manager();
        for id in self.pops[proc.index()].clone() {
            let rule = self.system.rule(id);
            if let Some(r) = &rule.relation {
                let left = m.rename(r, &self.back.moves.next_to_input)?;
                self.add(Goal::Leave, rule.from, &left)?;
            }
        }
        Ok(())
    }
}

/// Reads a run off forwards: every step leads to an earlier layer.
struct Walk<'w> {
    system: &'w System,
    back: &'w Back,
    outgoing: Vec<Vec<RuleId>>,
    slots: Slots,
}

/// Where the walk is, and what it is after.
struct Spot {
    sym: Sym,
    now: Valuation,
    goal: Goal,
    /// What the frame is to return, if it is to be left.
    returned: Valuation,
}

impl<'w> Walk<'w> {
    fn new(system: &'w System, back: &'w Back) -> Walk<'w> {
        Walk { system, back, outgoing: system.outgoing(), slots: Slots::new(&system.family.block) }
    }

    /// A run; none if it would be too long.
    fn run(&self) -> Result<Option<Run>> {
        let block = &self.system.family.block;
        let main = self.system.proc(self.system.main).entry;
        let Some(first) = self.back.error[main.index()].layers.first() else { return Ok(None) };
        let cube = self.system.family.manager().pick(&first.set).unwrap_or_default();
        let nothing = Valuation::new(block.now.len(), []);
        let mut spot =
            Spot { sym: main, now: Valuation::of_cube(&block.now, &cube), goal: Goal::Error, returned: nothing };
        let mut pending: Vec<Spot> = Vec::new();
        let mut steps: Vec<RunStep> = Vec::new();
        while !(spot.goal == Goal::Error && self.system.errors.contains(&spot.sym)) {
            if steps.len() > MAX_STEPS {
                return Ok(None);
            }
            let (step, next) = self.step(&spot, &mut pending)?;
            steps.push(step);
            spot = match next {
                Some(next) => next,
                None => pending.pop().expect("only a callee that is waited for is left"),
            };
        }
        Ok(Some(Run { steps }))
    }

    /// The number of the layer that holds the spot.
    fn number(&self, spot: &Spot) -> u64 {
        let value = |bit: Bit| match self.slots.of(bit) {
            Slot::Now(at) => spot.now.get(at),
            Slot::Input(at) => spot.returned.get(at),
            Slot::Next(_) | Slot::Frozen(_) => false,
        };
        let m = self.system.family.manager();
        let holds = |layer: &&Layer| m.eval(&layer.set, &value);
        let layers = &self.back.track(spot.goal, spot.sym).layers;
        layers.iter().find(holds).map_or(0, |layer| layer.number)
    }

    /// One step, and where it leads; nowhere if it leaves the frame.
    fn step(&self, spot: &Spot, pending: &mut Vec<Spot>) -> Result<(RunStep, Option<Spot>)> {
        let (m, block) = (self.system.family.manager(), &self.system.family.block);
        let number = self.number(spot);
        let (now, returned) = (spot.now.on(&block.now), spot.returned.on(&block.input));
        for id in &self.outgoing[spot.sym.index()] {
            let rule = self.system.rule(*id);
            let step = |after: Valuation, frozen: Option<Valuation>| RunStep {
                rule: *id,
                before: spot.now.clone(),
                after,
                frozen,
            };
            let Some(r) = &rule.relation else {
                let Shape::Eval { to } = rule.shape else { unreachable!("only evaluations have no relation") };
                let next = Spot { sym: to, now: spot.now.clone(), goal: spot.goal, returned: spot.returned.clone() };
                return Ok((step(spot.now.clone(), None), Some(next)));
            };
            let r = m.restrict(r, &now)?;
            match rule.shape {
                Shape::Entry { to } | Shape::Normal { to } | Shape::Eval { to } => {
                    for layer in self.back.track(spot.goal, to).layers.iter().take_while(|layer| layer.number < number)
                    {
                        let target = self.system.family.after(&m.restrict(&layer.set, &returned)?)?;
                        if let Some(cube) = m.pick(&m.and(&r, &target)?) {
                            let after = Valuation::of_cube(&block.next, &cube);
                            let next =
                                Spot { sym: to, now: after.clone(), goal: spot.goal, returned: spot.returned.clone() };
                            return Ok((step(after, None), Some(next)));
                        }
                    }
                }
                Shape::Pop => {
                    let left = spot.returned.on(&block.next);
                    if spot.goal == Goal::Leave && !m.restrict(&r, &left)?.is_false() {
                        return Ok((step(spot.returned.clone(), None), None));
                    }
                }
                Shape::Push { entry, pivot } => {
                    if let Some((step, next)) = self.call(spot, *id, (entry, pivot), &r, number, pending)? {
                        return Ok((step, Some(next)));
                    }
                }
            }
        }
        unreachable!("what is in a layer leads to an earlier one")
    }

    /// A call: either the error is inside the callee, or the callee returns and the caller
    /// goes on.
    fn call(
        &self,
        spot: &Spot,
        id: RuleId,
        (entry, pivot): (Sym, Sym),
        r: &Bdd,
        number: u64,
        pending: &mut Vec<Spot>,
    ) -> Result<Option<(RunStep, Spot)>> {
        let (family, block) = (&self.system.family, &self.system.family.block);
        let m = family.manager();
        let pushed = |cube: &[(Bit, bool)]| {
            let (after, frozen) = (Valuation::of_cube(&block.next, cube), Valuation::of_cube(&block.frozen, cube));
            (after.clone(), RunStep { rule: id, before: spot.now.clone(), after, frozen: Some(frozen) })
        };
        if spot.goal == Goal::Error {
            for layer in self.back.error[entry.index()].layers.iter().take_while(|layer| layer.number < number) {
                if let Some(cube) = m.pick(&m.and(r, &family.after(&layer.set)?)?) {
                    let (now, step) = pushed(&cube);
                    let returned = Valuation::new(block.now.len(), []);
                    return Ok(Some((step, Spot { sym: entry, now, goal: Goal::Error, returned })));
                }
            }
        }
        let own = spot.returned.on(&block.input);
        let callee = self.system.proc(self.system.callee(pivot));
        let is_returned = |at: usize| callee.returned.bits().binary_search(&block.now[at]).is_ok();
        for behind in self.back.track(spot.goal, pivot).layers.iter().take_while(|layer| layer.number < number) {
            let behind = family.after_push(&m.restrict(&behind.set, &own)?)?;
            for inside in self.back.leave[entry.index()].layers.iter().take_while(|layer| layer.number < number) {
                let inside = m.rename(&family.after(&inside.set)?, &self.back.moves.input_to_frozen)?;
                let Some(cube) = m.pick(&m.and(&m.and(r, &inside)?, &behind)?) else { continue };
                let (now, step) = pushed(&cube);
                // The frozen copy of a returned position holds what the callee returns.
                let all = Valuation::of_cube(&block.frozen, &cube);
                let part = |keep: bool| {
                    Valuation::new(
                        block.now.len(),
                        (0..block.now.len()).filter(|at| all.get(*at) && is_returned(*at) == keep),
                    )
                };
                let step = RunStep { frozen: Some(part(false)), ..step };
                pending.push(Spot { sym: pivot, now: all.clone(), goal: spot.goal, returned: spot.returned.clone() });
                return Ok(Some((step, Spot { sym: entry, now, goal: Goal::Leave, returned: part(true) })));
            }
        }
        Ok(None)
    }
}

/// Nothing that is reached leads to an error, and whatever a frame can still return, it
/// could return from the beginning.
fn prove(ctx: &mut Context, session: &Session, program: &Program, lowered: &Lowered, back: &Back) -> Outcome<Proof> {
    let certificate = Certificate::new(&mut ctx.terms, program, lowered);
    let names = |name: &mut dyn FnMut(ProcId) -> Names| program.procs().map(|(id, _)| name(id)).collect();
    let at: Vec<Names> = names(&mut |id| certificate.names_at(&mut ctx.terms, id));
    let effects: Vec<Names> = names(&mut |id| certificate.names_of_effect(&mut ctx.terms, id));
    let mut claims = Unreached { lowered, back, at, effects, trouble: None };
    let proof = certificate.prove(&mut ctx.terms, &mut claims);
    match claims.trouble {
        None => Ok(proof),
        Some(full) => Err(session.full(full)),
    }
}

struct Unreached<'u> {
    lowered: &'u Lowered,
    back: &'u Back,
    /// By procedure.
    at: Vec<Names>,
    effects: Vec<Names>,
    trouble: Option<tamis_bdd::Full>,
}

impl Unreached<'_> {
    /// `¬error(now) ∧ ∀ returned. leave(now, returned) → leave at entry(old, returned)`.
    fn invariant(&self, sym: Sym, proc: ProcId) -> Result<Bdd> {
        let Layout { manager: m, .. } = &self.lowered.layout;
        let system = &self.lowered.system;
        let safe = m.not(&self.back.error[sym.index()].label);
        let leave = m.rename(&self.back.leave[sym.index()].label, &self.back.moves.input_to_next)?;
        let entry = &self.back.leave[system.proc(proc).entry.index()].label;
        let from_entry = m.rename(entry, &self.back.moves.entry_to_old)?;
        m.and(&safe, &m.forall_implies(&leave, &from_entry, system.family.next())?)
    }
}

impl Claims for Unreached<'_> {
    fn is_reached(&self, _: Sym) -> bool {
        true
    }

    fn at(&mut self, terms: &mut Terms, sym: Sym, proc: ProcId) -> Term {
        match self.invariant(sym, proc) {
            Ok(claim) => {
                let (m, names) = (&self.lowered.layout.manager, &self.at[proc.index()]);
                formula(m, terms, names, &claim, &mut FxHashMap::default())
            }
            Err(full) => {
                self.trouble = Some(full);
                terms.bool(true)
            }
        }
    }

    fn effect(&mut self, terms: &mut Terms, proc: ProcId) -> Option<Term> {
        let m = &self.lowered.layout.manager;
        let entry = self.lowered.system.proc(proc).entry;
        let left = &self.back.leave[entry.index()];
        if !self.back.wanted[proc.index()] {
            return Some(terms.bool(true));
        }
        match m.rename(&left.label, &self.back.moves.entry_to_effect) {
            Ok(effect) => Some(formula(m, terms, &self.effects[proc.index()], &effect, &mut FxHashMap::default())),
            Err(full) => {
                self.trouble = Some(full);
                None
            }
        }
    }
}
