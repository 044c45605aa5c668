//! The Z3 backend: Z3 (de Moura, Bjørner, TACAS 2008), for all sorts. It works in this process,
//! except on products of unknown numbers.
//!
//! Files in order of reading: `encode` (terms become Z3's), `watch` (how Z3 is interrupted),
//! `memory` (how much it holds), `aside` (what it must be ended for), `solver` (scopes, checks, cores),
//! `model` (values, and whether they are right), `read` (Z3's formulas become terms).
//!
//! **Why this can be trusted.** Z3's contradictions are believed. Its models are not: each is
//! read as values and evaluated, and one under which a fact is not true is no answer. Division
//! by zero is put under a test before Z3 sees it, so that it means here what it means elsewhere.
//!
//! ```
//! use tamis_solver::{Answer, Solver, Z3};
//! use tamis_term::{Sort, Terms};
//!
//! let mut terms = Terms::new();
//! let x = terms.declare("x", Sort::Int);
//! let (term, two, seven) = (terms.var(x), terms.int(2), terms.int(7));
//! let double = terms.mul(term, two);
//! let odd = terms.eq(double, seven);
//!
//! let mut solver = Z3::default();
//! assert!(matches!(solver.check(&terms, &[odd])?, Answer::Unsat(_)));
//! # Ok::<(), tamis_solver::Error>(())
//! ```

use crate::Error;
use std::sync::OnceLock;

mod aside;
mod encode;
mod memory;
mod model;
mod read;
mod solver;
mod watch;

pub use aside::program;
pub(crate) use encode::Encoder;
pub use memory::allocated;
pub(crate) use read::read;
pub use solver::Z3;
pub(crate) use watch::watched;

/// The least version whose functions have the numbers that we call them by.
const VERSION: (u32, u32) = (5, 3);

/// Refuses a library of another version, which the dynamic linker may have found.
pub(crate) fn library() -> Result<(), Error> {
    static FOUND: OnceLock<bool> = OnceLock::new();
    let suits = FOUND.get_or_init(|| {
        let mut numbers = z3::full_version().split('.').map_while(|number| number.parse().ok());
        numbers.next().zip(numbers.next()).is_some_and(|found| found >= VERSION)
    });
    if *suits {
        return Ok(());
    }
    let (major, minor) = VERSION;
    Err(Error::Backend(format!("the library is Z3 {}, and {major}.{minor} or later is needed", z3::full_version())))
}

/// What Z3 may use.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Config {
    /// About how many bytes Z3 may hold in this process before it answers
    /// [`crate::Why::OutOfMemory`]. What other solvers hold counts too. A process that is asked
    /// aside may hold half as many of its own.
    pub memory: usize,
}

impl Default for Config {
    /// Two gibibytes.
    fn default() -> Config {
        Config { memory: 2 << 30 }
    }
}
