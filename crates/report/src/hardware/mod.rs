//! Evidence about systems in the notations of hardware model checking: witnesses of AIGER and of
//! BTOR2, and AIGER certificates.
//!
//! Files in order of reading: `run` (a trace as frames), [`aiger`], [`btor2`].

pub mod aiger;
pub mod btor2;
mod run;

pub use run::{Frame, Run};

use tamis_ir::{Loc, Program, Signals};

/// The location where a step begins.
pub(crate) fn head(program: &Program) -> Option<Loc> {
    program.locs.iter().position(|loc| loc.label.as_deref() == Some("step")).map(Loc::new)
}

/// What the description lists, if the program is a system.
fn signals(program: &Program) -> Result<&Signals, String> {
    program.notes.signals.as_ref().ok_or_else(|| "the program is no circuit".to_owned())
}
