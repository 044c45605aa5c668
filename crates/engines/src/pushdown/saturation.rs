//! Symbolic post* (Schwoon 2002, chapter 3; Esparza, Hansel, Rossmanith, Schwoon, CAV 2000)
//! with difference propagation.
//!
//! The automaton has one control state and one state per procedure, in which the frames of
//! that procedure end. So there are three kinds of transitions: a location in a frame, whose
//! label relates current values to the frame's input; a pivot, whose label also holds the
//! callee's input; and a procedure's effect, which is its summary. A program starts as if
//! its main procedure were called with any input.
//!
//! Labels grow in *layers*, each with a time: what is in a layer follows by one rule from
//! what is in earlier layers. That is all that traces need. The clock counts either rounds
//! of saturation, or the exact number of steps from the start of the program along a
//! shortest run (Knuth's generalisation of Dijkstra's algorithm, Inf. Proc. Lett. 1977,
//! on sets): then the first error is a shortest one.

use std::collections::BTreeMap;
use tamis_bdd::{Bdd, Result};
use tamis_ir::ProcId;
use tamis_pds::{Family, RuleId, Shape, Sym, System};

/// A transition of the automaton. Of those that are reached at the same time, the first ones
/// come first: a caller waits before its callee begins.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(super) enum Trans {
    /// A caller waits.
    Frozen(Sym),
    /// The procedure has returned.
    Effect(ProcId),
    /// Control is at the symbol. (At a pivot: the callee has returned.)
    At(Sym),
}

/// What a rule adds to labels if the label in front of it gets `set`: the same for concrete and for abstract
/// values. `equal` says for a procedure that the values at its entry are its input. A frame that is pushed
/// begins before its caller waits.
pub(super) fn additions<'e>(
    system: &System,
    family: &Family,
    id: RuleId,
    relation: Option<&Bdd>,
    equal: impl Fn(ProcId) -> &'e Bdd,
    set: &Bdd,
) -> Result<Vec<(Trans, Bdd)>> {
    let rule = system.rule(id);
    Ok(match (rule.shape, relation) {
        (Shape::Normal { to } | Shape::Entry { to } | Shape::Eval { to }, Some(r)) => {
            vec![(Trans::At(to), family.step(set, r)?)]
        }
        (Shape::Normal { to } | Shape::Entry { to } | Shape::Eval { to }, None) => vec![(Trans::At(to), set.clone())],
        (Shape::Push { entry, pivot }, Some(r)) => {
            let frozen = family.push(set, r)?;
            let inputs = family.inputs(&frozen)?;
            let inputs = family.manager().and(&inputs, equal(system.symbol(entry).proc))?;
            vec![(Trans::At(entry), inputs), (Trans::Frozen(pivot), frozen)]
        }
        (Shape::Pop, Some(r)) => vec![(Trans::Effect(system.symbol(rule.from).proc), family.pop(set, r)?)],
        (Shape::Push { .. } | Shape::Pop, None) => unreachable!("only evaluations have no relation"),
    })
}

/// What was added to a label at one time.
pub(super) struct Layer {
    pub time: u64,
    /// Layers are numbered in the order in which they were found.
    pub number: u64,
    pub set: Bdd,
}

/// A label, and how it grew.
pub(super) struct Track {
    pub label: Bdd,
    pub layers: Vec<Layer>,
}

/// What the times of layers mean.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Clock {
    /// Rounds of saturation: the fastest way to a fixpoint.
    Rounds,
    /// Steps of a shortest run.
    Steps,
}

/// The labels of all transitions.
pub(super) struct Saturation {
    at: Vec<Track>,
    frozen: Vec<Track>,
    effect: Vec<Track>,
    clock: Clock,
    /// By procedure: its effects with the number of steps from entry to return, in steps mode.
    lengths: Vec<Vec<Layer>>,
    /// How many operations on labels it took.
    pub work: u64,
}

/// How a saturation ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum End {
    /// At the fixpoint.
    Saturated,
    /// At an error.
    Reached(Sym),
    /// After more operations than allowed.
    GaveUp,
}

impl Saturation {
    pub fn track(&self, trans: Trans) -> &Track {
        match trans {
            Trans::At(sym) => &self.at[sym.index()],
            Trans::Frozen(sym) => &self.frozen[sym.index()],
            Trans::Effect(proc) => &self.effect[proc.index()],
        }
    }

    fn track_mut(&mut self, trans: Trans) -> &mut Track {
        match trans {
            Trans::At(sym) => &mut self.at[sym.index()],
            Trans::Frozen(sym) => &mut self.frozen[sym.index()],
            Trans::Effect(proc) => &mut self.effect[proc.index()],
        }
    }

    /// The effects of a procedure by how many steps they take; only in steps mode.
    pub fn lengths(&self, proc: ProcId) -> &[Layer] {
        &self.lengths[proc.index()]
    }

    pub fn clock(&self) -> Clock {
        self.clock
    }
}

/// Saturates until an error is reached, nothing more is, or it took more than `patience`
/// operations. `poll` is called with the number of transitions that wait.
pub(super) fn saturate<E: From<tamis_bdd::Full>>(
    system: &System,
    clock: Clock,
    patience: u64,
    mut poll: impl FnMut(usize) -> std::result::Result<(), E>,
) -> std::result::Result<(Saturation, End), E> {
    let mut run = Run::new(system, clock, patience);
    let main = system.proc(system.main);
    run.reach(0, Trans::At(main.entry), &main.equal)?;
    while let Some((time, trans, new)) = run.next()? {
        poll(run.waiting)?;
        if let Trans::At(sym) = trans
            && system.errors.contains(&sym)
        {
            return Ok((run.result, End::Reached(sym)));
        }
        run.propagate(time, trans, &new)?;
        if run.is_tired() {
            return Ok((run.result, End::GaveUp));
        }
    }
    Ok((run.result, End::Saturated))
}

struct Run<'s> {
    system: &'s System,
    result: Saturation,
    outgoing: Vec<Vec<RuleId>>,
    /// By procedure: the pivots of its callers.
    callers: Vec<Vec<Sym>>,
    /// By time: what will be reached then.
    pending: BTreeMap<u64, BTreeMap<Trans, Bdd>>,
    waiting: usize,
    /// How many layers there are.
    found: u64,
    patience: u64,
}

impl<'s> Run<'s> {
    fn new(system: &'s System, clock: Clock, patience: u64) -> Run<'s> {
        let none = system.family.manager().constant(false);
        let tracks = |count: usize| -> Vec<Track> {
            (0..count).map(|_| Track { label: none.clone(), layers: Vec::new() }).collect()
        };
        let (symbols, procs) = (system.symbols.len(), system.procs.len());
        let mut callers: Vec<Vec<Sym>> = vec![Vec::new(); procs];
        for rule in &system.rules {
            if let Shape::Push { pivot, .. } = rule.shape {
                callers[system.callee(pivot).index()].push(pivot);
            }
        }
        let mut lengths: Vec<Vec<Layer>> = Vec::new();
        lengths.resize_with(procs, Vec::new);
        let result =
            Saturation { at: tracks(symbols), frozen: tracks(symbols), effect: tracks(procs), clock, lengths, work: 0 };
        Run {
            system,
            result,
            outgoing: system.outgoing(),
            callers,
            pending: BTreeMap::new(),
            waiting: 0,
            found: 0,
            patience,
        }
    }

    fn is_tired(&self) -> bool {
        self.result.work > self.patience
    }

    fn reach(&mut self, time: u64, trans: Trans, set: &Bdd) -> Result<()> {
        self.result.work += 1;
        if set.is_false() {
            return Ok(());
        }
        let m = self.system.family.manager();
        let waiting = &mut self.waiting;
        let pending = self.pending.entry(time).or_default().entry(trans).or_insert_with(|| {
            *waiting += 1;
            m.constant(false)
        });
        *pending = m.or(pending, set)?;
        Ok(())
    }

    /// The earliest transition whose label grows, with what is new.
    fn next(&mut self) -> Result<Option<(u64, Trans, Bdd)>> {
        let m = self.system.family.manager();
        while let Some(mut entry) = self.pending.first_entry() {
            let time = *entry.key();
            let Some((trans, set)) = entry.get_mut().pop_first() else {
                entry.remove();
                continue;
            };
            self.waiting -= 1;
            let track = self.result.track_mut(trans);
            let new = m.and(&set, &m.not(&track.label))?;
            if new.is_false() {
                continue;
            }
            track.label = m.or(&track.label, &new)?;
            track.layers.push(Layer { time, number: self.found, set: new.clone() });
            self.found += 1;
            return Ok(Some((time, trans, new)));
        }
        Ok(None)
    }

    fn propagate(&mut self, time: u64, trans: Trans, new: &Bdd) -> Result<()> {
        let (system, family) = (self.system, &self.system.family);
        match trans {
            Trans::At(sym) => {
                for id in self.outgoing[sym.index()].clone() {
                    let rule = system.rule(id);
                    let later = match self.result.clock {
                        Clock::Rounds => time + 1,
                        Clock::Steps => time + rule.steps,
                    };
                    let equal = |proc: ProcId| &system.proc(proc).equal;
                    for (trans, set) in additions(system, family, id, rule.relation.as_ref(), equal, new)? {
                        self.reach(later, trans, &set)?;
                    }
                }
            }
            Trans::Frozen(pivot) => {
                let callee = system.callee(pivot);
                match self.result.clock {
                    Clock::Rounds => {
                        let effect = self.result.effect[callee.index()].label.clone();
                        self.reach(time + 1, Trans::At(pivot), &family.combine(new, &effect)?)?;
                    }
                    Clock::Steps => {
                        for at in 0..self.result.lengths[callee.index()].len() {
                            let layer = &self.result.lengths[callee.index()][at];
                            let (then, back) = (time + layer.time, family.combine(new, &layer.set)?);
                            self.reach(then, Trans::At(pivot), &back)?;
                        }
                    }
                }
            }
            Trans::Effect(proc) => match self.result.clock {
                Clock::Rounds => {
                    for pivot in self.callers[proc.index()].clone() {
                        let back = family.combine(&self.result.frozen[pivot.index()].label, new)?;
                        self.reach(time + 1, Trans::At(pivot), &back)?;
                    }
                }
                Clock::Steps => self.returned(time, proc, new)?,
            },
        }
        Ok(())
    }

    /// In steps mode: new effects of a procedure, each as long as it is since its input was
    /// first met. An input that is met again later takes as many steps as the first time.
    fn returned(&mut self, time: u64, proc: ProcId, new: &Bdd) -> Result<()> {
        let (system, family) = (self.system, &self.system.family);
        let m = family.manager();
        let entry = system.proc(proc).entry;
        let mut rest = new.clone();
        for at in 0..self.result.at[entry.index()].layers.len() {
            let layer = &self.result.at[entry.index()].layers[at];
            let (length, inputs) = (time - layer.time, family.inputs_back(&layer.set)?);
            // The entry's label also says that the input is the current value.
            let inputs = family.forget_input(&inputs)?;
            let part = m.and(&rest, &inputs)?;
            self.result.work += 1;
            if self.is_tired() {
                return Ok(());
            }
            if part.is_false() {
                continue;
            }
            rest = m.and(&rest, &m.not(&part))?;
            for pivot in self.callers[proc.index()].clone() {
                for caller in 0..self.result.frozen[pivot.index()].layers.len() {
                    let caller = &self.result.frozen[pivot.index()].layers[caller];
                    let (then, back) = (caller.time + length, family.combine(&caller.set, &part)?);
                    self.reach(then, Trans::At(pivot), &back)?;
                }
            }
            self.result.lengths[proc.index()].push(Layer { time: length, number: self.found, set: part });
        }
        Ok(())
    }
}
