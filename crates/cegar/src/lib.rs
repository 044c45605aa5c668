//! Counterexample-guided abstraction refinement (Clarke, Grumberg, Jha, Lu, Veith, CAV 2000):
//! the traits of its parts, the loop that joins them, and nothing else.
//!
//! Files: [`context`] (what every engine is handed), [`budget`] (limits), [`refinement`]
//! (the traits and the loop), [`domain`] (abstract states of block graphs), [`pieces`] (what of
//! an interpolant becomes a predicate), [`round`]
//! (pictures of rounds), [`reuse`] (precisions that outlive a run).

pub mod budget;
pub mod context;
pub mod domain;
pub mod pieces;
pub mod refinement;
pub mod reuse;
pub mod round;

pub use budget::{Budget, Watch};
pub use context::{Context, Observer, Outcome, Progress, Reached, Statistics, Stop};
pub use domain::{Cut, Domain, Given, Learned, Path, Preconditions, State};
pub use pieces::Pieces;
pub use refinement::{Abstractor, Exploration, Finding, Precision, Refiner, refine};
pub use reuse::{Atlas, Known, Reuse, Spot, Stored};
pub use round::{Round, RoundEdge, RoundList, RoundNode, Rounds};
