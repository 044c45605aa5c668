//! IC3: an invariant is built clause by clause, each inductive relative to those before; what no clause
//! excludes becomes an error that is found backwards, step by step.
//!
//! Bradley, *SAT-Based Model Checking without Unrolling* (VMCAI 2011), in the form of Eén, Mishchenko,
//! Brayton, *Efficient Implementation of Property Directed Reachability* (FMCAD 2011).
//!
//! Files in order of reading: `cube` (sets of states), `query` (questions about one frame), `frames` (what
//! is blocked where), `lift` (which values matter), `obligations` (what is to be blocked), `generalise`
//! (what else is blocked with it), this file (the search).

mod cube;
mod frames;
mod generalise;
mod lift;
mod obligations;
mod query;

#[cfg(test)]
mod laws;

use crate::netlist::{Built, Frame, Netlist, Plan, Signal};
use crate::options::{Knobs, knob};
use cube::Cube;
use frames::Frames;
use lift::Lifter;
use obligations::{Number, Obligations};
use std::collections::BTreeMap;
use tamis_cegar::{Context, Outcome, Progress};
use tamis_ir::{Program, PropertyId};
use tamis_witness::Verdict;

/// How to search. Each part can be left out, to see what it brings.
#[expect(clippy::struct_excessive_bools, reason = "each part is there or is not")]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Config {
    /// Whether literals of a clause are dropped one by one, beyond those that the refutation leaves out.
    pub drop: bool,
    /// Whether counterexamples to that are blocked.
    pub ctg: bool,
    /// Whether of a state only the values that matter are kept.
    pub lift: bool,
    /// Whether what was blocked in a frame is to be blocked in the next one at once.
    pub reuse: bool,
    /// Whether latches and gates that are equal by induction are merged first.
    pub equal: bool,
}

impl Default for Config {
    fn default() -> Config {
        Config { drop: true, ctg: true, lift: true, reuse: true, equal: true }
    }
}

/// What can be chosen.
pub const OPTIONS: &Knobs<Config> = &Knobs {
    default: Config::default,
    knobs: &[
        knob!("drop", "whether literals of a clause are dropped one by one", drop: "yes" => true, "no" => false),
        knob!("ctg", "whether what stands against dropping one is blocked first", ctg: "yes" => true, "no" => false),
        knob!("lift", "whether of a state only the values that matter are kept", lift: "yes" => true, "no" => false),
        knob!("reuse", "whether what was blocked is an obligation of the next frame", reuse: "yes" => true, "no" => false),
        knob!("equal", "whether latches and gates that are equal by induction are merged first", equal: "yes" => true, "no" => false),
    ],
};

/// Searches for an inductive invariant or a run into the error.
///
/// # Errors
/// If it gives up: a limit was reached, or the program is no circuit.
pub fn run(ctx: &mut Context, program: &Program, property: PropertyId, config: &Config) -> Outcome<Verdict> {
    ctx.watched(|ctx| {
        let built = Built::new(ctx, program, property)?;
        let reduced = built.netlist.reduced(ctx, config.equal)?;
        match search(ctx, &reduced.netlist, *config)? {
            Found::Invariant(clauses) => {
                let besides = (&reduced.before, &reduced.facts[..]);
                Ok(Verdict::Safe(built.proof(&mut ctx.terms, program, &clauses, besides)))
            }
            Found::Run(start, frames) => built.trace(ctx, program, &start, &frames).map(Verdict::Unsafe),
        }
    })
}

/// A clause over the latches of the original circuit.
type Clause = Vec<(usize, bool)>;

/// What a search finds.
enum Found {
    Invariant(Vec<Clause>),
    /// A run: values of latches at the start, and the inputs of each step.
    Run(BTreeMap<usize, bool>, Vec<Frame>),
}

fn search(ctx: &mut Context, netlist: &Netlist, config: Config) -> Outcome<Found> {
    let plan = Plan::new(&netlist.aig, netlist.roots());
    let frames = Frames::new(netlist, &plan, config, ctx.solvers.stop.clone(), ctx.solvers.memory);
    let mut search = Search { netlist, frames, lifter: Lifter::new(netlist), obligations: Obligations::default() };
    search.run(ctx)
}

struct Search<'n> {
    netlist: &'n Netlist,
    frames: Frames<'n>,
    lifter: Lifter<'n>,
    obligations: Obligations,
}

impl Search<'_> {
    fn run(&mut self, ctx: &mut Context) -> Outcome<Found> {
        loop {
            while let Some(bad) = self.bad_state()? {
                if let Some(first) = self.block(ctx, bad)? {
                    return Ok(self.counterexample(first));
                }
            }
            self.frames.open();
            if let Some(frame) = self.frames.propagate()? {
                return Ok(self.invariant(frame));
            }
            ctx.statistics.rounds += 1;
            self.tell(ctx);
            if let Some(first) = self.block_waiting(ctx)? {
                return Ok(self.counterexample(first));
            }
        }
    }

    fn tell(&self, ctx: &mut Context) {
        let statistics = ctx.statistics;
        ctx.observer.tell(&Progress { statistics, frontier: self.obligations.waiting() as u64, counterexample: None });
    }

    /// States of the last frame that are bad, if there are any.
    fn bad_state(&mut self) -> Outcome<Option<Number>> {
        let top = self.frames.top();
        if !self.frames.queries[top].is_bad()? {
            return Ok(None);
        }
        let roots = [self.netlist.bad, self.netlist.constraint];
        Ok(Some(self.obligation(&roots, top, None, top)))
    }

    /// The states like the one that a frame's solver found, as an obligation.
    fn obligation(&mut self, roots: &[Signal], found: usize, next: Option<Number>, frame: usize) -> Number {
        let query = &self.frames.queries[found];
        let cube = self.lifter.lift(roots, |signal| query.holds(signal), !self.frames.config.lift);
        let chosen = self.netlist.inputs.iter().filter(|(node, _)| query.holds(node.signal()));
        let mut inputs: Frame = chosen.map(|(_, number)| *number).collect();
        inputs.sort_unstable();
        self.obligations.add(cube, inputs, next, frame)
    }

    /// Blocks an obligation, and all that have to be blocked for it. Returns one with an initial state, if
    /// there is one.
    fn block(&mut self, ctx: &mut Context, first: Number) -> Outcome<Option<Number>> {
        if self.frames.top() == 0 || self.frames.is_initial(&self.obligations.get(first).cube)? {
            return Ok(Some(first));
        }
        self.block_waiting(ctx)
    }

    fn block_waiting(&mut self, ctx: &mut Context) -> Outcome<Option<Number>> {
        while let Some((number, frame)) = self.obligations.take(self.frames.top()) {
            ctx.budget.check()?;
            ctx.statistics.states += 1;
            let cube = self.obligations.get(number).cube.clone();
            if let Some(known) = self.frames.blocked_up_to(&cube, frame) {
                self.again(number, known + 1);
                continue;
            }
            let Some(core) = self.frames.inductive(&cube, frame)? else {
                let roots = self.frames.queries[frame - 1].step_into(&cube);
                let before = self.obligation(&roots, frame - 1, Some(number), frame - 1);
                if self.frames.is_initial(&self.obligations.get(before).cube)? {
                    return Ok(Some(before));
                }
                self.obligations.again(number, frame);
                continue;
            };
            let (core, frame) = self.generalised(core, frame)?;
            self.frames.block(core, frame);
            self.again(number, frame + 1);
        }
        Ok(None)
    }

    /// An obligation that was blocked is one of a later frame.
    fn again(&mut self, number: Number, frame: usize) {
        if self.frames.config.reuse {
            self.obligations.again(number, frame);
        }
    }

    /// A larger cube that is blocked, too, and the last frame in which it is.
    fn generalised(&mut self, core: Cube, frame: usize) -> Outcome<(Cube, usize)> {
        let mut core = self.frames.generalise(core, frame, &mut self.lifter)?;
        let mut frame = frame;
        while frame < self.frames.top() {
            let Some(further) = self.frames.inductive(&core, frame + 1)? else { break };
            (core, frame) = (further, frame + 1);
        }
        Ok((core, frame))
    }

    /// The run from an obligation that has an initial state.
    fn counterexample(&self, first: Number) -> Found {
        let origin = |latch: usize| self.netlist.latches[latch].origin;
        let bits = self.obligations.get(first).cube.bits().iter();
        let start = bits.map(|bit| (origin(bit.latch()), bit.value())).collect();
        Found::Run(start, self.obligations.run(first))
    }

    /// The clauses that hold behind a frame which equals the next.
    fn invariant(&self, frame: usize) -> Found {
        let clause = |cube: &Cube| -> Clause {
            cube.bits().iter().map(|bit| (self.netlist.latches[bit.latch()].origin, !bit.value())).collect()
        };
        Found::Invariant(self.frames.blocked[frame + 1..].iter().flatten().map(clause).collect())
    }
}
