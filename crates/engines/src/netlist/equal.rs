//! Which latches and gates are equal, or complements of each other, in all reachable states: by random
//! simulation and induction (van Eijk, *Sequential Equivalence Checking Based on Structural Similarities*,
//! IEEE TCAD 2000), on a circuit in which what is believed to be equal is merged already (Mony, Baumgartner,
//! Paruthi, Kanzelman, *Exploiting Suspected Redundancy without Proving It*, DAC 2005).
//!
//! Only gates that depend on latches alone are candidates: what is equal is to be said of states. What is
//! found holds in all states from which a constraint is yet to be demanded, as the invariant of a proof has
//! to.

use super::reduce::Merged;
use super::{Aig, Cnf, Netlist, Node, NodeId, Plan, Signal, Valuation};
use rustc_hash::FxHashMap;
use tamis_cegar::{Context, Outcome};
use tamis_solver::Why;

/// How many steps the runs have that tell signals apart, and after how many without news they end.
const STEPS: usize = 256;
const STALE: usize = 32;
/// How much search a pair is worth.
const CONFLICTS: u64 = 200;
/// How many variables all questions together may be about: about a second.
const EFFORT: usize = 20_000_000;
/// How many rounds there may be.
const ROUNDS: usize = 200;

/// By node: the older signal that it equals. Nothing if that takes too long to find out.
pub(super) fn find(ctx: &Context, netlist: &Netlist) -> Outcome<Option<Merged>> {
    if netlist.latches.is_empty() {
        return Ok(None);
    }
    let mut effort = 0;
    let mut classes = Classes::new(netlist);
    classes.simulate(netlist);
    if !classes.initially(ctx, netlist, &mut effort)? {
        return Ok(None);
    }
    for _ in 0..ROUNDS {
        if classes.merged(netlist).iter().all(Option::is_none) {
            return Ok(None);
        }
        match classes.inductive(ctx, netlist, &mut effort)? {
            Some(true) => return Ok(Some(classes.merged(netlist))),
            Some(false) => {}
            None => return Ok(None),
        }
    }
    Ok(None)
}

/// Candidates, and which of them may be equal.
struct Classes {
    /// In the order of nodes, the constant among them.
    candidates: Vec<NodeId>,
    /// By candidate: its class, and whether the complement is meant.
    class: Vec<usize>,
    flipped: Vec<bool>,
    count: usize,
    random: fastrand::Rng,
}

impl Classes {
    fn new(netlist: &Netlist) -> Classes {
        // What depends on latches alone.
        let mut pure = vec![false; netlist.aig.len()];
        for latch in &netlist.latches {
            pure[latch.node.index()] = true;
        }
        let mut candidates = Vec::new();
        for (id, node) in netlist.aig.nodes() {
            match node {
                Node::False => pure[id.index()] = true,
                Node::Leaf => {}
                Node::And(a, b) => pure[id.index()] = pure[a.node().index()] && pure[b.node().index()],
            }
            if pure[id.index()] {
                candidates.push(id);
            }
        }
        let count = candidates.len();
        Classes {
            candidates,
            class: vec![0; count],
            flipped: vec![false; count],
            count: 1,
            random: fastrand::Rng::with_seed(0),
        }
    }

    /// Tells apart what differs in some of these runs. Returns whether that was any.
    fn split(&mut self, word: impl Fn(NodeId) -> u64, valid: u64) -> bool {
        let mut numbers: FxHashMap<(usize, u64), usize> = FxHashMap::default();
        for ((id, class), flipped) in self.candidates.iter().zip(&mut self.class).zip(&self.flipped) {
            let word = if *flipped { !word(*id) } else { word(*id) } & valid;
            let next = numbers.len();
            *class = *numbers.entry((*class, word)).or_insert(next);
        }
        let more = numbers.len() > self.count;
        self.count = numbers.len();
        more
    }

    /// Random runs from initial states.
    fn simulate(&mut self, netlist: &Netlist) {
        let mut now = Valuation::new(&netlist.aig);
        for latch in &netlist.latches {
            let word = match latch.reset {
                Some(true) => u64::MAX,
                Some(false) => 0,
                None => self.random.u64(..),
            };
            now.set(latch.node, word);
        }
        let (mut valid, mut stale) = (u64::MAX, 0);
        for step in 0..STEPS {
            for (node, _) in &netlist.inputs {
                now.set(*node, self.random.u64(..));
            }
            now.compute(&netlist.aig);
            if step == 0 {
                valid = now.get(netlist.start);
                // Which of two complements is meant, a run that begins rightly tells.
                let run = valid.trailing_zeros().min(63);
                for (id, flipped) in self.candidates.iter().zip(&mut self.flipped) {
                    *flipped = now.get(id.signal()) >> run & 1 == 1;
                }
            }
            stale = if self.split(|id| now.get(id.signal()), valid) { 0 } else { stale + 1 };
            valid &= now.get(netlist.constraint) & now.get(netlist.step);
            if stale > STALE || valid == 0 {
                return;
            }
            now.step(netlist);
        }
    }

    /// By candidate: the first of its class, unless it is that.
    fn leaders(&self) -> Vec<Option<(usize, bool)>> {
        let mut first: FxHashMap<usize, usize> = FxHashMap::default();
        let mut leaders = Vec::with_capacity(self.candidates.len());
        for (at, class) in self.class.iter().enumerate() {
            let leader = *first.entry(*class).or_insert(at);
            leaders.push((leader != at).then_some((leader, self.flipped[leader] != self.flipped[at])));
        }
        leaders
    }

    /// By node: the first of its class.
    fn merged(&self, netlist: &Netlist) -> Merged {
        let mut merged = vec![None; netlist.aig.len()];
        for (id, leader) in self.candidates.iter().zip(self.leaders()) {
            merged[id.index()] = leader.map(|(leader, flip)| self.candidates[leader].signal().flip_if(flip));
        }
        merged
    }

    /// Puts a candidate into a class of its own.
    fn single_out(&mut self, at: usize) {
        self.class[at] = self.count;
        self.count += 1;
    }

    /// Tells apart what differs in an initial state. Returns whether that was possible.
    fn initially(&mut self, ctx: &Context, netlist: &Netlist, effort: &mut usize) -> Outcome<bool> {
        if netlist.start == Signal::TRUE && netlist.latches.iter().all(|latch| latch.reset.is_some()) {
            // There is one initial state, and the runs began in it.
            return Ok(true);
        }
        let roots: Vec<Signal> = self.candidates.iter().map(|id| id.signal()).collect();
        let plan = Plan::new(&netlist.aig, roots.iter().copied().chain([netlist.start]));
        let mut cnf = Cnf::new(&plan, ctx.solvers.stop.clone(), ctx.solvers.memory);
        let start = cnf.literal(netlist.start);
        cnf.sat.clause(&[start]);
        for latch in &netlist.latches {
            let literal = cnf.literal(latch.node.signal());
            if let Some(value) = latch.reset {
                cnf.sat.clause(&[literal.flip_if(!value)]);
            }
        }
        cnf.sat.limit(Some(CONFLICTS));
        loop {
            let mut again = false;
            for (at, leader) in self.leaders().into_iter().enumerate() {
                let Some((leader, flip)) = leader.filter(|(leader, _)| self.class[*leader] == self.class[at]) else {
                    continue;
                };
                *effort += cnf.sat.variables();
                if *effort > EFFORT {
                    return Ok(false);
                }
                ctx.budget.check()?;
                let this = cnf.literal(self.candidates[at].signal());
                let other = cnf.literal(self.candidates[leader].signal()).flip_if(flip);
                for (this, other) in [(this, !other), (!this, other)] {
                    match cnf.sat.solve(&[this, other], &[], None) {
                        Ok(false) => {}
                        Ok(true) => {
                            let mut now = Valuation::new(&netlist.aig);
                            for latch in &netlist.latches {
                                now.set(latch.node, u64::from(cnf.holds(latch.node.signal())));
                            }
                            now.compute(&netlist.aig);
                            self.split(|id| now.get(id.signal()), 1);
                            again = true;
                            break;
                        }
                        Err(Why::GaveUp(_)) => {
                            self.single_out(at);
                            break;
                        }
                        Err(why) => return Err(why.into()),
                    }
                }
            }
            if !again {
                return Ok(true);
            }
        }
    }

    /// Whether what is equal stays so in a step. If not, tells apart what does not. Nothing if it takes too
    /// much.
    fn inductive(&mut self, ctx: &Context, netlist: &Netlist, effort: &mut usize) -> Outcome<Option<bool>> {
        let step = Step::new(netlist, self);
        let roots = step.next.iter().chain(&step.now).copied();
        let plan = Plan::new(&step.aig, roots.chain(step.assumed.iter().copied()));
        let mut cnf = Cnf::new(&plan, ctx.solvers.stop.clone(), ctx.solvers.memory);
        for assumed in &step.assumed {
            let literal = cnf.literal(*assumed);
            cnf.sat.clause(&[literal]);
        }
        cnf.sat.limit(Some(CONFLICTS));
        let mut holds = true;
        for at in 0..self.candidates.len() {
            // Splitting changes leaders, so they are looked up anew; what the step believes stays.
            let Some((leader, flip)) = step.leaders[at] else { continue };
            let (this, other) = (step.own[at], step.next[leader].flip_if(flip));
            if this == other || self.class[at] != self.class[leader] {
                holds &= self.class[at] == self.class[leader];
                continue;
            }
            ctx.budget.check()?;
            let mut differs = None;
            for flip in [false, true] {
                match step.may_be([this.flip_if(flip), (!other).flip_if(flip)], &mut cnf, effort) {
                    Ok(false) => {}
                    Ok(true) => differs = Some(true),
                    Err(Why::GaveUp(_)) => differs = Some(false),
                    Err(why) => return Err(why.into()),
                }
                if differs.is_some() {
                    break;
                }
            }
            if *effort > EFFORT {
                return Ok(None);
            }
            let Some(found) = differs else { continue };
            holds = false;
            if found {
                let values = step.simulate(&cnf, &mut self.random);
                let (next, valid) = (&step.own, step.valid(&values));
                let words: FxHashMap<NodeId, u64> =
                    self.candidates.iter().copied().zip(next.iter().map(|signal| values.get(*signal))).collect();
                self.split(|id| words[&id], valid);
            }
            if self.class[at] == self.class[leader] {
                self.single_out(at);
            }
        }
        Ok(Some(holds))
    }
}

/// A state in which what is believed to be equal is merged, and the one after it.
struct Step {
    aig: Aig,
    /// By candidate: the signal that stands for it now, and after the step.
    now: Vec<Signal>,
    next: Vec<Signal>,
    /// By candidate: its own function after the step, of what the others are.
    own: Vec<Signal>,
    leaders: Vec<Option<(usize, bool)>>,
    /// What holds now: what the circuit demands, and with it what is believed of gates.
    always: [Signal; 2],
    assumed: Vec<Signal>,
    leaves: Vec<NodeId>,
}

impl Step {
    fn new(netlist: &Netlist, classes: &Classes) -> Step {
        let leaders = classes.leaders();
        let mut number = vec![None; netlist.aig.len()];
        for (at, id) in classes.candidates.iter().enumerate() {
            number[id.index()] = Some(at);
        }
        let mut aig = Aig::default();
        let mut leaves = Vec::new();
        let mut assumed = Vec::new();
        // Now.
        let mut now = vec![Signal::FALSE; netlist.aig.len()];
        let image = |map: &[Signal], signal: Signal| map[signal.node().index()].flip_if(signal.is_complement());
        let believed = |map: &[Signal], id: NodeId| {
            let (leader, flip) = number[id.index()].and_then(|at: usize| leaders[at])?;
            Some(map[classes.candidates[leader].index()].flip_if(flip))
        };
        for (id, node) in netlist.aig.nodes() {
            let other = believed(&now, id);
            let own = match node {
                Node::False => Some(Signal::FALSE),
                Node::Leaf if other.is_some() => None,
                Node::Leaf => {
                    let leaf = aig.leaf();
                    leaves.push(leaf);
                    Some(leaf.signal())
                }
                Node::And(a, b) => Some(aig.and(image(&now, a), image(&now, b))),
            };
            if let (Some(own), Some(other)) = (own, other)
                && own != other
            {
                assumed.push(aig.iff(own, other));
            }
            now[id.index()] = other.or(own).expect("one of them is there");
        }
        let always = [image(&now, netlist.constraint), image(&now, netlist.step)];
        assumed.extend(always);
        assumed.retain(|signal| *signal != Signal::TRUE);
        // After the step, of what depends on latches alone.
        let mut next = vec![Signal::FALSE; netlist.aig.len()];
        let mut own = vec![Signal::FALSE; classes.candidates.len()];
        let latches: FxHashMap<NodeId, Signal> =
            netlist.latches.iter().map(|latch| (latch.node, image(&now, latch.next))).collect();
        for (at, id) in classes.candidates.iter().enumerate() {
            own[at] = match netlist.aig.node(*id) {
                Node::False => Signal::FALSE,
                Node::Leaf => latches[id],
                Node::And(a, b) => aig.and(image(&next, a), image(&next, b)),
            };
            next[id.index()] = believed(&next, *id).unwrap_or(own[at]);
        }
        let of = |map: &[Signal]| classes.candidates.iter().map(|id| map[id.index()]).collect();
        Step { now: of(&now), next: of(&next), own, leaders, always, assumed, leaves, aig }
    }

    /// Whether two signals can be true together. The first time, what is believed of gates that they do not
    /// read is left out, which is enough for most.
    fn may_be(&self, question: [Signal; 2], cnf: &mut Cnf<&Plan>, effort: &mut usize) -> Result<bool, Why> {
        for all in [&self.always[..], &self.assumed] {
            cnf.open_domain();
            all.iter().chain(&question).for_each(|signal| cnf.concern(*signal));
            let literals = question.map(|signal| cnf.literal(signal));
            *effort += cnf.concerned();
            if !cnf.ask(&literals, &[])? {
                return Ok(false);
            }
        }
        Ok(true)
    }

    /// The state that was found, and others like it.
    fn simulate(&self, cnf: &Cnf<&Plan>, random: &mut fastrand::Rng) -> Valuation {
        let mut values = Valuation::new(&self.aig);
        for leaf in &self.leaves {
            let word = if cnf.holds(leaf.signal()) { u64::MAX } else { 0 };
            // A few bits differ in each run but the first.
            values.set(*leaf, word ^ (random.u64(..) & random.u64(..) & random.u64(..) & !1));
        }
        values.compute(&self.aig);
        values
    }

    /// The runs in which all that is assumed holds.
    fn valid(&self, values: &Valuation) -> u64 {
        self.assumed.iter().fold(u64::MAX, |valid, signal| valid & values.get(*signal))
    }
}
