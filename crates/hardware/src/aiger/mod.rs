//! AIGER 1.9: circuits of and-gates.
//!
//! Files: `text` (reading and writing), `run` (witnesses).

mod run;
mod text;

use rustc_hash::FxHashMap;

pub use run::run;
pub use text::{Format, read, write};

/// A circuit. Literals are those of the file: twice a variable, plus one if it is negated.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Aiger {
    /// The literals of inputs.
    pub inputs: Vec<u32>,
    /// Latches.
    pub latches: Vec<Latch>,
    /// Outputs.
    pub outputs: Vec<u32>,
    /// Bad signals.
    pub bads: Vec<u32>,
    /// Constraints.
    pub constraints: Vec<u32>,
    /// Justice properties.
    pub justice: Vec<Vec<u32>>,
    /// Fairness constraints.
    pub fairness: Vec<u32>,
    /// Gates: the literal, and the two that it is the conjunction of. Each comes after those
    /// that it reads.
    pub gates: Vec<[u32; 3]>,
    /// The symbol table: `("l0", "name")`.
    pub symbols: Vec<(String, String)>,
    /// The lines of the comment.
    pub comments: Vec<String>,
}

/// A latch.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Latch {
    /// Its literal.
    pub literal: u32,
    /// Its value after a step.
    pub next: u32,
    /// Its value at the start; its own literal if that is arbitrary.
    pub reset: u32,
}

impl Aiger {
    /// What must not become true: the bad signals, or the outputs of an old file.
    #[must_use]
    pub fn targets(&self) -> &[u32] {
        if self.bads.is_empty() { &self.outputs } else { &self.bads }
    }

    /// The circuit with only some of [`Aiger::targets`], by position.
    #[must_use]
    pub fn only(mut self, asked: &[usize]) -> Aiger {
        let targets = asked.iter().filter_map(|position| self.targets().get(*position).copied()).collect();
        *(if self.bads.is_empty() { &mut self.outputs } else { &mut self.bads }) = targets;
        self
    }

    /// The same circuit with variables from one on, however large the file's are. Names and
    /// liveness are left out.
    #[must_use]
    pub fn dense(&self) -> Aiger {
        let latches = self.latches.iter().map(|latch| latch.literal);
        let defined = self.inputs.iter().copied().chain(latches).chain(self.gates.iter().map(|gate| gate[0]));
        let mut map: FxHashMap<u32, u32> = defined.map(|literal| literal / 2).zip((1..).map(|var| 2 * var)).collect();
        map.insert(0, 0);
        let image = |literal: u32| map.get(&(literal / 2)).copied().unwrap_or(0) ^ (literal % 2);
        let images = |list: &[u32]| list.iter().map(|literal| image(*literal)).collect();
        let latch =
            |latch: &Latch| Latch { literal: image(latch.literal), next: image(latch.next), reset: image(latch.reset) };
        Aiger {
            inputs: images(&self.inputs),
            latches: self.latches.iter().map(latch).collect(),
            outputs: images(&self.outputs),
            bads: images(&self.bads),
            constraints: images(&self.constraints),
            gates: self.gates.iter().map(|gate| gate.map(image)).collect(),
            ..Aiger::default()
        }
    }

    /// The largest variable.
    #[must_use]
    pub fn max_var(&self) -> u32 {
        let latches = self.latches.iter().map(|latch| latch.literal);
        let all = self.inputs.iter().copied().chain(latches).chain(self.gates.iter().map(|gate| gate[0]));
        all.max().unwrap_or(0) / 2
    }
}
