//! The diagram backend: facts of finite sorts become binary decision diagrams (`tamis_bdd`),
//! and are contradictory if and only if their conjunction is the diagram of false.
//!
//! It is at its best where the SAT backend is at its worst: on formulas that were diagrams
//! before, and say how every bit depends on many others. It is no match for it on arithmetic.
//!
//! Files in order of reading: `order` (of the bits, on which everything depends), `product`
//! (conjunctions that are not built), `solver` (scopes, checks), `evidence` (models, cores).
//!
//! ```
//! use tamis_solver::{Answer, Diagrams, Solver};
//! use tamis_term::{Sort, Terms};
//!
//! let mut terms = Terms::new();
//! let bits = [(); 40].map(|()| terms.declare("bit", Sort::Bool)).map(|var| terms.var(var));
//! let forth = bits.into_iter().reduce(|a, b| terms.xor(a, b)).expect("some bits");
//! let back = bits.into_iter().rev().reduce(|a, b| terms.xor(a, b)).expect("some bits");
//! let differ = terms.xor(forth, back);
//!
//! let mut solver = Diagrams::default();
//! assert!(matches!(solver.check(&terms, &[differ])?, Answer::Unsat(_)));
//! # Ok::<(), tamis_solver::Error>(())
//! ```

mod evidence;
mod order;
mod product;
mod solver;

pub use order::Order;
pub use solver::Diagrams;
pub use tamis_bdd::Config;
