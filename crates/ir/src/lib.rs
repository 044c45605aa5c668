//! Programs and transition systems: what every front end lowers to and every engine reads.
//!
//! Files in order of reading: [`source`] and [`diagnostic`], [`program`], [`system`],
//! [`evidence`] (traces and proofs as data), [`interpreter`] (what programs mean),
//! [`validate`] (which programs mean anything), [`graph`] (calls and control flow),
//! [`analysis`] (liveness), [`blocks`] (code without loops as formulas), [`passes`] (easier programs, with the way back).

pub mod analysis;
pub mod blocks;
pub mod diagnostic;
pub mod evidence;
pub mod graph;
pub mod interpreter;
pub mod passes;
pub mod program;
pub mod source;
pub mod system;
pub mod validate;

pub use blocks::{ArcId, BlockGraph, Point, PointId};
pub use diagnostic::{Diagnostic, Severity};
pub use evidence::{Action, Proof, Step, Trace};
pub use interpreter::{Choices, Config, Interpreter, Refusal};
pub use program::{
    Edge, EdgeId, Input, Loc, Location, Notation, Notes, Op, ProcId, Procedure, Program, Property, PropertyId, Role,
    Signals,
};
pub use source::{Position, Source, SourceId, Sources, Span};
pub use system::TransitionSystem;
pub use system::encode::{Encoding, encode};
pub use system::machine::{Bad, Machine};
pub use system::unroll::Unrolling;
