//! A circuit as an AIGER file lists it: everything is a literal.

use rustc_hash::FxHashMap;

/// A literal: twice a variable, plus one if it is negated. 0 is false, 1 is true.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(super) struct Literal(pub u32);

impl Literal {
    pub(super) fn var(self) -> u32 {
        self.0 >> 1
    }

    pub(super) fn is_negated(self) -> bool {
        self.0 & 1 == 1
    }

    pub(super) fn is_constant(self) -> bool {
        self.0 < 2
    }
}

/// A literal, and the byte at which the file names it.
#[derive(Clone, Copy, Debug)]
pub(super) struct Placed {
    pub literal: Literal,
    pub at: usize,
}

/// A latch.
#[derive(Clone, Copy, Debug)]
pub(super) struct Latch {
    pub literal: Literal,
    pub next: Placed,
    /// The initial value; the latch itself means that it is arbitrary.
    pub reset: Placed,
}

/// An and-gate.
#[derive(Clone, Copy, Debug)]
pub(super) struct Gate {
    pub left: Placed,
    pub right: Placed,
}

/// What a variable stands for: the position among its kind.
#[derive(Clone, Copy, Debug)]
pub(super) enum Definition {
    Input(usize),
    Latch(usize),
    Gate(usize),
}

/// The kinds of signals that the symbol table names.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) enum Kind {
    Input,
    Latch,
    Output,
    Bad,
    Constraint,
    Justice,
    Fairness,
}

/// A circuit.
#[derive(Debug, Default)]
pub(super) struct Circuit {
    pub inputs: Vec<Literal>,
    pub latches: Vec<Latch>,
    pub outputs: Vec<Placed>,
    pub bads: Vec<Placed>,
    pub constraints: Vec<Placed>,
    /// How many justice properties there are, and where the first is.
    pub justice: (usize, usize),
    /// How many fairness constraints there are, and where the first is.
    pub fairness: (usize, usize),
    pub gates: Vec<Gate>,
    pub definitions: FxHashMap<u32, Definition>,
    pub symbols: FxHashMap<(Kind, usize), String>,
}

impl Circuit {
    /// The user's name of a signal.
    pub(super) fn symbol(&self, kind: Kind, position: usize) -> &str {
        self.symbols.get(&(kind, position)).map_or("", String::as_str)
    }

    /// What a gate reads; nothing for other variables.
    pub(super) fn operands(&self, var: u32) -> Vec<Placed> {
        match self.definitions.get(&var) {
            Some(Definition::Gate(gate)) => vec![self.gates[*gate].left, self.gates[*gate].right],
            Some(Definition::Input(_) | Definition::Latch(_)) | None => Vec::new(),
        }
    }
}
