//! Random circuits of few latches for tests, and what happens in them by enumeration.

use super::{Aig, Latch, Netlist, Signal, Valuation};
use std::collections::BTreeSet;

pub(crate) const LATCHES: usize = 5;
pub(crate) const INPUTS: usize = 2;

/// A state of a circuit: a bit for each latch.
pub(crate) type State = u32;

/// A circuit, with constraints now and then, and latches that are equal or constant more often than chance
/// would have it.
pub(crate) fn circuit(seed: u64) -> Netlist {
    let mut random = fastrand::Rng::with_seed(seed);
    let mut aig = Aig::default();
    let leaves: Vec<_> = (0..LATCHES + INPUTS).map(|_| aig.leaf()).collect();
    let mut pool: Vec<Signal> = leaves.iter().map(|leaf| leaf.signal()).collect();
    for _ in 0..30 {
        let mut pick = || pool[random.usize(pool.len().saturating_sub(15)..pool.len())].flip_if(random.bool());
        let (a, b) = (pick(), pick());
        pool.push(aig.and(a, b));
    }
    let mut pick = || pool[random.usize(..pool.len())].flip_if(random.bool());
    let mut latches: Vec<Latch> = Vec::new();
    for (origin, node) in leaves[..LATCHES].iter().enumerate() {
        latches.push(Latch { node: *node, next: pick(), reset: Some(false), origin });
    }
    let (a, b, c, d) = (pick(), pick(), pick(), pick());
    let bad = aig.and(a, b);
    let constraint = if seed.is_multiple_of(3) { aig.or(c, d) } else { Signal::TRUE };
    let step = if seed.is_multiple_of(5) { aig.or(a, d) } else { Signal::TRUE };
    if seed.is_multiple_of(2) {
        latches[1].next = latches[0].next;
        latches[3].next = aig.and(latches[3].node.signal(), latches[2].next);
    }
    let inputs = leaves[LATCHES..].iter().enumerate().map(|(number, node)| (*node, number)).collect();
    Netlist { aig, latches, inputs, start: Signal::TRUE, constraint, step, bad }
}

/// The values in a state with inputs.
pub(crate) fn valuation(netlist: &Netlist, state: State, inputs: u32) -> Valuation {
    let mut now = Valuation::new(&netlist.aig);
    for (at, latch) in netlist.latches.iter().enumerate() {
        now.set(latch.node, u64::from(state >> at & 1));
    }
    for (at, (node, _)) in netlist.inputs.iter().enumerate() {
        now.set(*node, u64::from(inputs >> at & 1));
    }
    now.compute(&netlist.aig);
    now
}

/// The initial state: latches are set as they are reset.
pub(crate) fn initial(netlist: &Netlist) -> State {
    (0..).zip(&netlist.latches).map(|(at, latch)| u32::from(latch.reset == Some(true)) << at).sum()
}

/// The states that follow a state.
pub(crate) fn after(netlist: &Netlist, state: State) -> BTreeSet<State> {
    let values = (0..1 << netlist.inputs.len()).map(|inputs| valuation(netlist, state, inputs));
    let steps = values.filter(|now| now.holds(netlist.constraint) && now.holds(netlist.step));
    let next = |now: Valuation| -> State {
        (0..).zip(&netlist.latches).map(|(at, latch)| u32::from(now.holds(latch.next)) << at).sum()
    };
    steps.map(next).collect()
}

/// The states that one step more leads to.
pub(crate) fn further(netlist: &Netlist, reached: &BTreeSet<State>) -> BTreeSet<State> {
    reached.iter().flat_map(|state| after(netlist, *state)).chain(reached.iter().copied()).collect()
}

/// How many steps lead to an error, if any do.
pub(crate) fn distance(netlist: &Netlist) -> Option<usize> {
    let is_bad = |state: &State| {
        let mut values = (0..1 << netlist.inputs.len()).map(|inputs| valuation(netlist, *state, inputs));
        values.any(|now| now.holds(netlist.constraint) && now.holds(netlist.bad))
    };
    let mut reached = BTreeSet::from([initial(netlist)]);
    for steps in 0..=1 << netlist.latches.len() {
        if reached.iter().any(is_bad) {
            return Some(steps);
        }
        reached = further(netlist, &reached);
    }
    None
}

/// All states that are ever reached.
pub(crate) fn reachable(netlist: &Netlist) -> BTreeSet<State> {
    let mut reached = BTreeSet::from([initial(netlist)]);
    loop {
        let more = further(netlist, &reached);
        if more == reached {
            return reached;
        }
        reached = more;
    }
}
