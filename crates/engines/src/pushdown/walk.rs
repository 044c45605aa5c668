//! From an error back to the start of the program, through the layers of a saturation.
//!
//! Everything in a layer follows by one rule from earlier layers, so walking back picks a
//! valuation in an earlier layer at every step and ends. With the clock that counts steps
//! the run is a shortest one. No recursion: calls may be nested as deep as memory lasts.

use super::saturation::{Clock, Layer, Saturation, Trans};
use tamis_bdd::{Bdd, Bit, Result};
use tamis_ir::ProcId;
use tamis_pds::{RuleId, Run, RunStep, Shape, Sym, SymbolKind, System, Valuation};

/// Summaries can stand for runs of exponential length; a longer run helps nobody.
pub(super) const MAX_STEPS: usize = 5_000_000;

/// A run into the error symbol; none if it would be too long.
pub(super) fn back_from(system: &System, saturation: &Saturation, error: Sym) -> Result<Option<Run>> {
    let mut into: Vec<Vec<RuleId>> = vec![Vec::new(); system.symbols.len()];
    let mut pops: Vec<Vec<RuleId>> = vec![Vec::new(); system.procs.len()];
    let mut pushes: Vec<Vec<RuleId>> = vec![Vec::new(); system.symbols.len()];
    let mut callers: Vec<Vec<Sym>> = vec![Vec::new(); system.procs.len()];
    for (at, rule) in system.rules.iter().enumerate() {
        let id = RuleId::new(at);
        match rule.shape {
            Shape::Entry { to } | Shape::Normal { to } | Shape::Eval { to } => into[to.index()].push(id),
            Shape::Pop => pops[system.symbol(rule.from).proc.index()].push(id),
            Shape::Push { pivot, .. } => {
                pushes[pivot.index()].push(id);
                callers[system.callee(pivot).index()].push(pivot);
            }
        }
    }
    Walk { system, saturation, into, pops, pushes, callers }.run(error)
}

struct Walk<'w> {
    system: &'w System,
    saturation: &'w Saturation,
    /// By symbol: the rules that lead to it.
    into: Vec<Vec<RuleId>>,
    /// By procedure: the rules that return from it.
    pops: Vec<Vec<RuleId>>,
    /// By pivot: the rules that push it.
    pushes: Vec<Vec<RuleId>>,
    /// By procedure: the pivots of its callers.
    callers: Vec<Vec<Sym>>,
}

/// Where the walk is: a valuation of a transition's label, in a layer.
struct Spot {
    now: Valuation,
    input: Valuation,
    time: u64,
    number: u64,
}

/// A caller that waits: the pivot, what it handed to the callee, its own values.
struct Waiting {
    pivot: Sym,
    callee: Valuation,
    spot: Spot,
}

impl Walk<'_> {
    fn run(&self, error: Sym) -> Result<Option<Run>> {
        let mut steps: Vec<RunStep> = Vec::new();
        let mut pending: Vec<Waiting> = Vec::new();
        let Some(layer) = self.saturation.track(Trans::At(error)).layers.first() else { return Ok(None) };
        let (mut sym, mut spot) = (error, self.pick(layer, &layer.set));
        loop {
            if steps.len() > MAX_STEPS {
                return Ok(None);
            }
            match self.system.symbol(sym).kind {
                SymbolKind::Normal => {
                    let (rule, from, before) = self.predecessor(sym, &spot)?;
                    steps.push(RunStep { rule, before: before.now.clone(), after: spot.now, frozen: None });
                    (sym, spot) = (from, before);
                }
                SymbolKind::Pivot { callee } => {
                    let (waiting, rule, exit, before) = self.returned(sym, callee, &spot)?;
                    steps.push(RunStep { rule, before: before.now.clone(), after: spot.now, frozen: None });
                    pending.push(waiting);
                    (sym, spot) = (exit, before);
                }
                SymbolKind::Entry => {
                    let proc = self.system.symbol(sym).proc;
                    let waiting = match pending.pop() {
                        Some(waiting) => waiting,
                        None if proc == self.system.main && spot.number == 0 => break,
                        None => self.caller(proc, &spot)?,
                    };
                    let (rule, from, before) = self.call(&waiting)?;
                    let (after, frozen) = (waiting.callee, Some(waiting.spot.now));
                    steps.push(RunStep { rule, before: before.now.clone(), after, frozen });
                    (sym, spot) = (from, before);
                }
            }
        }
        steps.reverse();
        Ok(Some(Run { steps }))
    }

    /// A valuation of a part of a layer.
    fn pick(&self, layer: &Layer, part: &Bdd) -> Spot {
        let block = &self.system.family.block;
        let cube = self.system.family.manager().pick(part).unwrap_or_default();
        Spot {
            now: Valuation::of_cube(&block.now, &cube),
            input: Valuation::of_cube(&block.input, &cube),
            time: layer.time,
            number: layer.number,
        }
    }

    /// The oldest valuation with the given input from which `allowed` current values lead on.
    fn oldest(&self, trans: Trans, allowed: &Bdd, input: &Valuation, before: u64) -> Result<Option<Spot>> {
        let (m, block) = (self.system.family.manager(), &self.system.family.block);
        let input_values = input.on(&block.input);
        for layer in self.saturation.track(trans).layers.iter().filter(|layer| layer.number < before) {
            let part = m.and(&m.restrict(&layer.set, &input_values)?, allowed)?;
            if !part.is_false() {
                let spot = self.pick(layer, &part);
                return Ok(Some(Spot { input: input.clone(), ..spot }));
            }
        }
        Ok(None)
    }

    /// The step that led to a location.
    fn predecessor(&self, sym: Sym, spot: &Spot) -> Result<(RuleId, Sym, Spot)> {
        let (m, block) = (self.system.family.manager(), &self.system.family.block);
        let mut best: Option<(RuleId, Sym, Spot)> = None;
        for id in &self.into[sym.index()] {
            let rule = self.system.rule(*id);
            let allowed = match &rule.relation {
                Some(relation) => m.restrict(relation, &spot.now.on(&block.next))?,
                None => self.cube(&spot.now.on(&block.now))?,
            };
            let limit = best.as_ref().map_or(spot.number, |(_, _, best)| best.number);
            let Some(found) = self.oldest(Trans::At(rule.from), &allowed, &spot.input, limit)? else { continue };
            // Rules between the same points may stand for different numbers of steps.
            if self.saturation.clock() == Clock::Rounds || found.time + rule.steps == spot.time {
                best = Some((*id, rule.from, found));
            }
        }
        Ok(best.expect("what is in a layer follows from an earlier one"))
    }

    fn cube(&self, values: &[(Bit, bool)]) -> Result<Bdd> {
        let m = self.system.family.manager();
        let literal = |(bit, value): &(Bit, bool)| if *value { m.bit(*bit) } else { m.not(&m.bit(*bit)) };
        m.all(values.iter().rev().map(literal).collect::<Vec<Bdd>>())
    }

    /// The caller and the callee that met in a call that returned.
    fn returned(&self, pivot: Sym, callee: ProcId, spot: &Spot) -> Result<(Waiting, RuleId, Sym, Spot)> {
        let (m, block) = (self.system.family.manager(), &self.system.family.block);
        let fixed = [spot.now.on(&block.now), spot.input.on(&block.input)].concat();
        let effects = match self.saturation.clock() {
            Clock::Rounds => &self.saturation.track(Trans::Effect(callee)).layers[..],
            Clock::Steps => self.saturation.lengths(callee),
        };
        let mut handed = Vec::new();
        for layer in effects.iter().filter(|layer| layer.number <= spot.number) {
            handed.push((layer, m.restrict(&layer.set, &fixed)?));
        }
        for caller in &self.saturation.track(Trans::Frozen(pivot)).layers {
            if caller.number >= spot.number {
                break;
            }
            let inputs = m.restrict(&caller.set, &fixed)?;
            for (layer, effect) in &handed {
                if self.saturation.clock() == Clock::Steps && caller.time + layer.time != spot.time {
                    continue;
                }
                let both = m.and(&inputs, effect)?;
                let Some(cube) = m.pick(&both) else { continue };
                let callee_input = Valuation::of_cube(&block.next, &cube);
                let at =
                    Spot { now: spot.now.clone(), input: spot.input.clone(), time: caller.time, number: caller.number };
                let waiting = Waiting { pivot, callee: callee_input, spot: at };
                let (rule, exit, before) = self.exit(callee, spot, &waiting.callee)?;
                return Ok((waiting, rule, exit, before));
            }
        }
        unreachable!("a call returned because a caller and an effect met")
    }

    /// The return that left the current values behind, for that input.
    fn exit(&self, callee: ProcId, spot: &Spot, input: &Valuation) -> Result<(RuleId, Sym, Spot)> {
        let (m, block) = (self.system.family.manager(), &self.system.family.block);
        for id in &self.pops[callee.index()] {
            let rule = self.system.rule(*id);
            let Some(relation) = &rule.relation else { continue };
            let allowed = m.restrict(relation, &spot.now.on(&block.next))?;
            if let Some(found) = self.oldest(Trans::At(rule.from), &allowed, input, spot.number)? {
                return Ok((*id, rule.from, found));
            }
        }
        unreachable!("an effect comes from a return")
    }

    /// The oldest caller that handed over this input and has not seen it return.
    fn caller(&self, proc: ProcId, spot: &Spot) -> Result<Waiting> {
        let (m, block) = (self.system.family.manager(), &self.system.family.block);
        let handed = spot.now.on(&block.next);
        let mut best: Option<Waiting> = None;
        for pivot in &self.callers[proc.index()] {
            for layer in &self.saturation.track(Trans::Frozen(*pivot)).layers {
                if best.as_ref().is_some_and(|best| best.spot.number <= layer.number) {
                    break;
                }
                let part = m.restrict(&layer.set, &handed)?;
                if !part.is_false() {
                    let found = self.pick(layer, &part);
                    best = Some(Waiting { pivot: *pivot, callee: spot.now.clone(), spot: found });
                    break;
                }
            }
        }
        Ok(best.expect("an input comes from a caller"))
    }

    /// The call of a caller that waits.
    fn call(&self, waiting: &Waiting) -> Result<(RuleId, Sym, Spot)> {
        let (m, block) = (self.system.family.manager(), &self.system.family.block);
        let values = [waiting.callee.on(&block.next), waiting.spot.now.on(&block.frozen)].concat();
        for id in &self.pushes[waiting.pivot.index()] {
            let rule = self.system.rule(*id);
            let Some(relation) = &rule.relation else { continue };
            let allowed = m.restrict(relation, &values)?;
            if let Some(found) =
                self.oldest(Trans::At(rule.from), &allowed, &waiting.spot.input, waiting.spot.number)?
            {
                return Ok((*id, rule.from, found));
            }
        }
        unreachable!("a pivot comes from a call")
    }
}
