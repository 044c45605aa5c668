//! Proof obligations: cubes from which a run leads to the error, each to be blocked in a frame. Those of
//! the earliest frame come first, and of these the ones farthest from the error. What was blocked in a
//! frame is an obligation of the next one again, so that long runs are found early.

use super::cube::Cube;
use crate::netlist::Frame;
use std::cmp::Reverse;
use std::collections::BinaryHeap;

/// The number of an obligation.
pub(super) type Number = usize;

/// A cube, and how it leads to the error.
pub(super) struct Obligation {
    pub(super) cube: Cube,
    /// The inputs of the step that leads on, or with which the error is seen.
    pub(super) inputs: Frame,
    /// Where that step leads, unless it is the error.
    pub(super) next: Option<Number>,
    pub(super) depth: usize,
}

/// Which one is next: by its frame, depth, size and number.
type Turn = (Reverse<usize>, usize, Reverse<usize>, Reverse<Number>);

/// What waits, and all that ever did.
#[derive(Default)]
pub(super) struct Obligations {
    all: Vec<Obligation>,
    waiting: BinaryHeap<Turn>,
}

impl Obligations {
    /// A new one for a frame.
    pub(super) fn add(&mut self, cube: Cube, inputs: Frame, next: Option<Number>, frame: usize) -> Number {
        let number = self.all.len();
        let depth = next.map_or(0, |next| self.all[next].depth + 1);
        self.all.push(Obligation { cube, inputs, next, depth });
        self.again(number, frame);
        number
    }

    /// A known one for a frame.
    pub(super) fn again(&mut self, number: Number, frame: usize) {
        let Obligation { cube, depth, .. } = &self.all[number];
        self.waiting.push((Reverse(frame), *depth, Reverse(cube.len()), Reverse(number)));
    }

    /// The next one up to a frame.
    pub(super) fn take(&mut self, top: usize) -> Option<(Number, usize)> {
        let (Reverse(frame), ..) = self.waiting.peek()?;
        if *frame > top {
            return None;
        }
        let (Reverse(frame), _, _, Reverse(number)) = self.waiting.pop()?;
        Some((number, frame))
    }

    pub(super) fn get(&self, number: Number) -> &Obligation {
        &self.all[number]
    }

    /// The inputs of the run from an obligation to the error.
    pub(super) fn run(&self, from: Number) -> Vec<Frame> {
        let mut run = Vec::new();
        let mut at = Some(from);
        while let Some(number) = at {
            run.push(self.all[number].inputs.clone());
            at = self.all[number].next;
        }
        run
    }

    pub(super) fn waiting(&self) -> usize {
        self.waiting.len()
    }
}
