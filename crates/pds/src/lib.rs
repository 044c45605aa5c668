//! Symbolic pushdown systems (Schwoon 2002; Kiefer 2005, section 2.2): the data that the
//! pushdown engines and the refiners on decision diagrams share.
//!
//! Files in order of reading: [`family`] (four copies of every bit, and what rules do to
//! relations over them), [`system`] (stack symbols, rules, procedures), [`dag`] (modular
//! counterexample graphs), [`run`] (concrete runs).

pub mod dag;
pub mod family;
pub mod run;
pub mod system;

pub use dag::{Dag, Edge, EdgeId, From, Level, Node, NodeId, NodeKind};
pub use family::{Block, Family};
pub use run::{Run, RunStep, Slot, Slots, Valuation, replay};
pub use system::{Proc, Rule, RuleId, Shape, Sym, Symbol, SymbolKind, System};
