//! Generalisation: a clause that is inductive relative to a frame, with as few literals as can be found.
//! Literals are dropped one by one (Bradley, VMCAI 2011). Where that fails because of a state that steps
//! into the cube, the state is blocked first if it can be, one frame earlier: a counterexample to
//! generalisation (Hassan, Bradley, Somenzi, *Better Generalization in IC3*, FMCAD 2013); else the cube is
//! joined with it.

use super::cube::{Bit, Cube};
use super::frames::Frames;
use super::lift::Lifter;
use crate::netlist::Signal;
use std::collections::BTreeSet;
use tamis_solver::Why;

/// How many counterexamples to generalisation are blocked for one literal, and how deep that goes.
const BLOCKED: usize = 3;
const DEPTH: usize = 1;

impl Frames<'_> {
    /// Whether no step leads from the frame before, outside of the cube, into it: then the cube that is
    /// blocked for the same reason.
    pub(super) fn inductive(&mut self, cube: &Cube, frame: usize) -> Result<Option<Cube>, Why> {
        match self.queries[frame - 1].steps_into(cube, true)? {
            None => Ok(None),
            Some(core) => self.apart(core, cube).map(Some),
        }
    }

    /// A cube that is blocked in the frame like the given one, of as few bits as can be.
    pub(super) fn generalise(&mut self, cube: Cube, frame: usize, lifter: &mut Lifter<'_>) -> Result<Cube, Why> {
        let depth = if self.config.ctg { DEPTH } else { 0 };
        if self.config.drop { self.smaller(cube, frame, depth, lifter) } else { Ok(cube) }
    }

    fn smaller(&mut self, mut cube: Cube, frame: usize, depth: usize, lifter: &mut Lifter<'_>) -> Result<Cube, Why> {
        let mut needed: BTreeSet<Bit> = BTreeSet::new();
        for bit in self.dispensable_first(&cube) {
            if cube.len() == 1 {
                break;
            }
            if !cube.contains(bit) {
                continue;
            }
            match self.down(cube.without(bit), frame, depth, &needed, lifter)? {
                Some(less) => cube = less,
                None => _ = needed.insert(bit),
            }
        }
        Ok(cube)
    }

    /// A cube below this one, in the sense of fewer bits, that is blocked in the frame.
    fn down(
        &mut self,
        mut cube: Cube,
        frame: usize,
        depth: usize,
        needed: &BTreeSet<Bit>,
        lifter: &mut Lifter<'_>,
    ) -> Result<Option<Cube>, Why> {
        let mut blocked = 0;
        loop {
            if self.is_initial(&cube)? {
                return Ok(None);
            }
            if let Some(core) = self.inductive(&cube, frame)? {
                return Ok(Some(core));
            }
            if depth == 0 {
                return Ok(None);
            }
            let query = &self.queries[frame - 1];
            let latch = |bit: &Bit| self.netlist.latches[bit.latch()].node.signal();
            let agrees = |bit: &&Bit| query.holds(latch(bit)) == bit.value();
            let common: Vec<Bit> = cube.bits().iter().filter(agrees).copied().collect();
            let roots = query.step_into(&cube);
            let state = lifter.lift(&roots, |signal: Signal| query.holds(signal), !self.config.lift);
            if blocked < BLOCKED && frame > 1 && self.block_early(&state, frame, depth, lifter)? {
                blocked += 1;
                continue;
            }
            blocked = 0;
            if needed.iter().any(|bit| cube.contains(*bit) && common.binary_search(bit).is_err()) || common.is_empty() {
                return Ok(None);
            }
            cube = Cube::new(common);
        }
    }

    /// Blocks a counterexample to generalisation in the frame before, if it is unreachable there; then as far
    /// as it can be.
    fn block_early(&mut self, state: &Cube, frame: usize, depth: usize, lifter: &mut Lifter<'_>) -> Result<bool, Why> {
        if self.is_initial(state)? {
            return Ok(false);
        }
        let Some(mut core) = self.inductive(state, frame - 1)? else { return Ok(false) };
        let mut to = frame - 1;
        while to < frame {
            let Some(further) = self.inductive(&core, to + 1)? else { break };
            (core, to) = (further, to + 1);
        }
        let core = self.smaller(core, to, depth - 1, lifter)?;
        self.block(core, to);
        Ok(true)
    }
}
