//! The questions of one frame, each answered by a small search: is there a step into a cube, and is
//! there a bad state?

use super::cube::{Bit, Cube};
use crate::netlist::{Cnf, Netlist, Plan, Signal};
use tamis_solver::sat::Lit;
use tamis_solver::{StopSignal, Why};

/// What is known about a frame, as clauses.
pub(super) struct Query<'n> {
    netlist: &'n Netlist,
    cnf: Cnf<&'n Plan>,
    /// What every question is about besides: what always holds, and the latches in blocked cubes.
    always: Vec<Signal>,
    /// By latch: whether it is among these.
    known: Vec<bool>,
}

impl<'n> Query<'n> {
    /// Everything is possible that the constraints allow.
    pub(super) fn new(netlist: &'n Netlist, plan: &'n Plan, stop: StopSignal, memory: usize) -> Query<'n> {
        let mut cnf = Cnf::new(plan, stop, memory);
        let mut always = Vec::new();
        if netlist.constraint != Signal::TRUE {
            let constraint = cnf.literal(netlist.constraint);
            cnf.sat.clause(&[constraint]);
            always.push(netlist.constraint);
        }
        Query { netlist, cnf, always, known: vec![false; netlist.latches.len()] }
    }

    /// From now on it is about initial states only.
    pub(super) fn begin(&mut self) {
        for (at, latch) in self.netlist.latches.iter().enumerate() {
            if let Some(value) = latch.reset {
                self.know(at);
                let literal = self.cnf.literal(latch.node.signal()).flip_if(!value);
                self.cnf.sat.clause(&[literal]);
            }
        }
        if self.netlist.start != Signal::TRUE {
            let start = self.cnf.literal(self.netlist.start);
            self.cnf.sat.clause(&[start]);
            self.always.push(self.netlist.start);
        }
    }

    fn know(&mut self, latch: usize) {
        if !std::mem::replace(&mut self.known[latch], true) {
            self.always.push(self.netlist.latches[latch].node.signal());
        }
    }

    fn now(&mut self, bit: Bit) -> Lit {
        self.cnf.literal(self.now_signal(bit))
    }

    fn now_signal(&self, bit: Bit) -> Signal {
        self.netlist.latches[bit.latch()].node.signal().flip_if(!bit.value())
    }

    fn next_signal(&self, bit: Bit) -> Signal {
        self.netlist.latches[bit.latch()].next.flip_if(!bit.value())
    }

    /// From now on, none of its states is in the cube.
    pub(super) fn block(&mut self, cube: &Cube) {
        let mut clause = Vec::with_capacity(cube.len());
        for bit in cube.bits() {
            self.know(bit.latch());
            clause.push(!self.now(*bit));
        }
        self.cnf.sat.clause(&clause);
    }

    fn open(&mut self) {
        self.cnf.open_domain();
        for at in 0..self.always.len() {
            self.cnf.concern(self.always[at]);
        }
    }

    /// Whether one of its states is in the cube.
    pub(super) fn meets(&mut self, cube: &Cube) -> Result<bool, Why> {
        self.open();
        let assumptions: Vec<Lit> = cube.bits().iter().map(|bit| self.now(*bit)).collect();
        self.cnf.ask(&assumptions, &[])
    }

    /// The bits of the cube because of which it was not met.
    pub(super) fn core(&mut self, cube: &Cube) -> Vec<Bit> {
        let mut core = Vec::new();
        for bit in cube.bits() {
            let literal = self.now(*bit);
            if self.cnf.sat.needs(literal) {
                core.push(*bit);
            }
        }
        core
    }

    /// Whether one of its states is bad, with some input.
    pub(super) fn is_bad(&mut self) -> Result<bool, Why> {
        self.open();
        self.cnf.concern(self.netlist.bad);
        let bad = self.cnf.literal(self.netlist.bad);
        self.cnf.ask(&[bad], &[])
    }

    /// Whether no step leads from its states into the cube; from those outside of the cube if `outside` is
    /// set, which makes the complement inductive relative to the frame. Then the bits for which that is so.
    pub(super) fn steps_into(&mut self, cube: &Cube, outside: bool) -> Result<Option<Vec<Bit>>, Why> {
        self.open();
        let mut assumptions = Vec::with_capacity(cube.len() + 1);
        if self.netlist.step != Signal::TRUE {
            self.cnf.concern(self.netlist.step);
            assumptions.push(self.cnf.literal(self.netlist.step));
        }
        for bit in cube.bits() {
            let next = self.next_signal(*bit);
            self.cnf.concern(next);
            assumptions.push(self.cnf.literal(next));
        }
        let only: Vec<Lit> = if outside { cube.bits().iter().map(|bit| !self.now(*bit)).collect() } else { Vec::new() };
        if self.cnf.ask(&assumptions, &only)? {
            return Ok(None);
        }
        let bits = cube.bits().iter().copied();
        Ok(Some(
            bits.filter(|bit| self.cnf.loaded(self.next_signal(*bit)).is_some_and(|l| self.cnf.sat.needs(l))).collect(),
        ))
    }

    /// The signals that say that a step leads into the cube.
    pub(super) fn step_into(&self, cube: &Cube) -> Vec<Signal> {
        let nexts = cube.bits().iter().map(|bit| self.next_signal(*bit));
        nexts.chain([self.netlist.constraint, self.netlist.step]).collect()
    }

    /// The value of a signal in the state that was found; false if it does not matter.
    pub(super) fn holds(&self, signal: Signal) -> bool {
        self.cnf.holds(signal)
    }
}
