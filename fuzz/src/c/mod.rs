//! Random C programs against a real compiler, in the spirit of Csmith (Yang, Chen, Eide, Regehr,
//! PLDI 2011).
//!
//! A generated program ends, does nothing that C leaves undefined or unspecified (signed
//! arithmetic wraps around, as with `-fwrapv`), and keeps a `checksum` of all it computes. So
//! there is one right answer, and the compiler knows it.
//!
//! What keeps a program harmless:
//! - an operation that could go wrong is printed with its guard;
//! - side effects inside expressions hit only *private* variables (no address is ever taken) that
//!   the rest of the expression does not mention, so that no order of evaluation matters;
//! - functions with other effects are called as whole right-hand sides only;
//! - a pointer points to an object that lives at least as long as the pointer;
//! - loops count, recursion counts down, and the estimated number of steps is bounded.
//!
//! Files in order of reading: [`tree`] (text with holes), `types`, `scope` (variables and the
//! integers in them), `expressions`, `effects`, `statements`, `memory`, `shapes` (aggregates and
//! their initialisers), `scenes` (stories about memory and control), `functions` (and the whole
//! program), [`features`], [`shrink`]; [`compiler`] (what the compiler says), [`differential`] (what
//! the front end says), [`mutate`] (texts that are no programs).

pub mod compiler;
pub mod differential;
mod effects;
mod expressions;
pub mod features;
mod functions;
mod memory;
pub mod mutate;
pub mod questions;
mod scenes;
mod scope;
mod shapes;
pub mod shrink;
mod statements;
pub mod tree;
mod types;

use fastrand::Rng;
use features::{Features, Part};
use functions::Function;
use scope::Var;
use tree::Node;
use types::{Int, Record, Type};

/// The program of a seed, as a tree; [`Node::print`] gives the text.
#[must_use]
pub fn generate(seed: u64, features: Features) -> Node {
    Generator::new(seed, features).program()
}

/// The parts of C that occur in the program of a seed.
#[must_use]
pub fn occurring(seed: u64, features: Features) -> Features {
    let mut generator = Generator::new(seed, features);
    let _ = generator.program();
    generator.told
}

/// How many statements a run may carry out, as estimated.
const STEPS: u64 = 600;

/// What is known at a place of the program that is being written.
struct Generator {
    rng: Rng,
    /// The parts of C that may occur.
    features: Features,
    /// Those that occur so far.
    told: Features,
    ints: Vec<Int>,
    enumerators: Vec<String>,
    records: Vec<Record>,
    /// The variables in scope, outer ones first.
    vars: Vec<Var>,
    /// The functions so far. They may be called.
    functions: Vec<Function>,
    /// What must be declared before the function that is being written.
    pending: Vec<Node>,
    /// How many names were made up.
    names: u32,
    /// How many blocks are open: 0 outside of functions.
    depth: u32,
    /// Where the variables of the innermost block begin in `vars`.
    opened: usize,
    /// How many statements the function being written carries out, as estimated.
    cost: u64,
    /// How often the statement being written is carried out each time that its function is called.
    times: u64,
    /// Whether the function being written may change its own variables only.
    pure: bool,
    /// The private variables that the expression being written may change, by their places in `vars`.
    reserved: Vec<usize>,
    /// Those that it has changed already.
    spent: Vec<usize>,
    /// How many indices are being written inside of each other.
    nesting: u32,
    /// What may be written to leave the surrounding statements early.
    exits: Vec<String>,
    /// What the function being written returns.
    result: Option<Type>,
}

impl Generator {
    fn new(seed: u64, features: Features) -> Generator {
        Generator {
            rng: Rng::with_seed(seed),
            features,
            told: Features::default(),
            ints: Vec::new(),
            enumerators: Vec::new(),
            records: Vec::new(),
            vars: Vec::new(),
            functions: Vec::new(),
            pending: Vec::new(),
            names: 0,
            depth: 0,
            opened: 0,
            cost: 0,
            times: 1,
            pure: false,
            reserved: Vec::new(),
            spent: Vec::new(),
            nesting: 0,
            exits: Vec::new(),
            result: None,
        }
    }

    /// Whether the part of C may occur.
    fn has(&self, part: Part) -> bool {
        self.features.has(part)
    }

    /// The part of C occurs.
    fn tell(&mut self, part: Part) {
        self.told = self.told.with(part);
    }

    /// A new name.
    fn fresh(&mut self, stem: &str) -> String {
        self.names += 1;
        format!("{stem}{}", self.names)
    }

    /// Accounts for `statements` more here.
    fn charge(&mut self, statements: u64) {
        self.cost += self.times * statements;
    }

    /// Whether `statements` more can be afforded here.
    fn affords(&self, statements: u64) -> bool {
        self.cost + self.times * statements <= STEPS
    }

    /// One of `odds`.
    fn chance(&mut self, odds: u32) -> bool {
        self.rng.u32(0..odds) == 0
    }
}
