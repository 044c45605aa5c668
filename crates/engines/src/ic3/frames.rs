//! Frames: `F_i` holds in all states that `i` steps reach at most. A cube is kept in the last frame in
//! which it is blocked, and blocked in all before (Eén, Mishchenko, Brayton, FMCAD 2011, section III).

use super::Config;
use super::cube::{Bit, Cube};
use super::query::Query;
use crate::netlist::{Netlist, Plan};
use tamis_solver::{StopSignal, Why};

/// The frames, each with the solver that answers questions about steps from it.
pub(super) struct Frames<'n> {
    pub(super) netlist: &'n Netlist,
    plan: &'n Plan,
    pub(super) config: Config,
    /// By frame: the cubes that are blocked up to there.
    pub(super) blocked: Vec<Vec<Cube>>,
    pub(super) queries: Vec<Query<'n>>,
    /// What holds at the start: asked where initial states are not a cube.
    initial: Option<Query<'n>>,
    /// By latch: how often it was in a blocked cube, the last ones counting more.
    activity: Vec<f64>,
    bump: f64,
    stop: StopSignal,
    memory: usize,
}

impl<'n> Frames<'n> {
    /// The frame of the initial states.
    pub(super) fn new(netlist: &'n Netlist, plan: &'n Plan, config: Config, stop: StopSignal, memory: usize) -> Self {
        let mut frames = Frames {
            netlist,
            plan,
            config,
            blocked: Vec::new(),
            queries: Vec::new(),
            initial: None,
            activity: vec![0.0; netlist.latches.len()],
            bump: 1.0,
            stop,
            memory,
        };
        frames.open();
        frames.queries[0].begin();
        if netlist.start != crate::netlist::Signal::TRUE {
            let mut initial = frames.query();
            initial.begin();
            frames.initial = Some(initial);
        }
        frames
    }

    fn query(&self) -> Query<'n> {
        Query::new(self.netlist, self.plan, self.stop.clone(), self.memory)
    }

    /// The number of the last frame.
    pub(super) fn top(&self) -> usize {
        self.queries.len() - 1
    }

    /// Adds a frame in which everything is possible.
    pub(super) fn open(&mut self) {
        self.queries.push(self.query());
        self.blocked.push(Vec::new());
    }

    /// Whether some initial state is in the cube.
    pub(super) fn is_initial(&mut self, cube: &Cube) -> Result<bool, Why> {
        let differs = |bit: &Bit| self.netlist.latches[bit.latch()].reset == Some(!bit.value());
        if cube.bits().iter().any(differs) {
            return Ok(false);
        }
        match &mut self.initial {
            None => Ok(true),
            Some(initial) => initial.meets(cube),
        }
    }

    /// A cube between two that has no initial state, as the larger one has none.
    pub(super) fn apart(&mut self, small: Vec<Bit>, large: &Cube) -> Result<Cube, Why> {
        let cube = Cube::new(small);
        if !self.is_initial(&cube)? {
            return Ok(cube);
        }
        let mut bits = cube.bits().to_vec();
        let differs = |bit: &&Bit| self.netlist.latches[bit.latch()].reset == Some(!bit.value());
        match (large.bits().iter().find(differs), &mut self.initial) {
            (Some(bit), _) => bits.push(*bit),
            (None, Some(initial)) => {
                let met = initial.meets(large)?;
                debug_assert!(!met, "the larger one has no initial state");
                bits.extend(initial.core(large));
            }
            (None, None) => unreachable!("the larger one differs from the initial states in some latch"),
        }
        Ok(Cube::new(bits))
    }

    /// The last frame in which the cube is known to be blocked.
    pub(super) fn blocked_up_to(&self, cube: &Cube, from: usize) -> Option<usize> {
        (from..=self.top()).rev().find(|frame| self.blocked[*frame].iter().any(|known| known.covers(cube)))
    }

    /// Blocks a cube up to a frame. What it covers is forgotten.
    pub(super) fn block(&mut self, cube: Cube, frame: usize) {
        for frame in 1..=frame {
            self.blocked[frame].retain(|known| !cube.covers(known));
            self.queries[frame].block(&cube);
        }
        self.bump *= 1.02;
        for bit in cube.bits() {
            self.activity[bit.latch()] += self.bump;
        }
        if self.bump > 1e100 {
            self.bump /= 1e100;
            self.activity.iter_mut().for_each(|activity| *activity /= 1e100);
        }
        self.blocked[frame].push(cube);
    }

    /// The bits of a cube, those first that were least often needed so far.
    pub(super) fn dispensable_first(&self, cube: &Cube) -> Vec<Bit> {
        let mut bits = cube.bits().to_vec();
        bits.sort_by(|a, b| self.activity[a.latch()].total_cmp(&self.activity[b.latch()]));
        bits
    }

    /// Pushes cubes to later frames as far as they stay blocked there. Returns a frame that equals the next
    /// one, if there is one: it is inductive.
    pub(super) fn propagate(&mut self) -> Result<Option<usize>, Why> {
        for frame in 1..self.top() {
            let mut cubes = self.blocked[frame].clone();
            cubes.sort_by_key(Cube::len);
            for cube in cubes {
                // One that was pushed before may cover it.
                if !self.blocked[frame].contains(&cube) {
                    continue;
                }
                if let Some(core) = self.queries[frame].steps_into(&cube, false)? {
                    let core = self.apart(core, &cube)?;
                    self.block(core, frame + 1);
                }
            }
            if self.blocked[frame].is_empty() {
                return Ok(Some(frame));
            }
        }
        Ok(None)
    }
}
