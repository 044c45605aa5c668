//! What people and tools read. Nothing here opens a file or writes to a stream: every
//! function returns text, and the command line decides where it goes.
//!
//! Files in order of reading: [`style`] (colours, widths, clipping), [`values`] and [`expr`]
//! (values and terms as people write them), [`diagnostics`] (errors with their source line), [`walk`]
//! (a trace told step by step), [`trace`] (the same as a table), [`proof`] (invariants),
//! [`json`] (the object of `--json`), [`witness_file`] (evidence as a file, both ways) with [`subject`] (about which program),
//! [`harness`] (a trace as a C file that runs), [`hardware`] (evidence as hardware tools read it),
//! [`dot`] (the program as a graph), [`translate`] (the question in the notations of other tools),
//! [`rounds`] (pictures of refinement).

pub mod diagnostics;
pub mod dot;
pub mod expr;
pub mod hardware;
pub mod harness;
pub mod json;
pub mod proof;
pub mod rounds;
#[cfg(test)]
mod sample;
pub mod style;
pub mod subject;
pub mod trace;
pub mod translate;
pub mod values;
pub mod walk;
pub mod witness_file;
