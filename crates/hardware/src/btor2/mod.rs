//! BTOR2: circuits of words.
//!
//! Files: `read` (lines to nodes), `value` (words of any width and arrays), `eval` (what the
//! operators compute), `run` (witnesses, as `btorsim -c` does).

mod eval;
mod read;
mod run;
mod value;

pub use eval::{Frame, State};
pub use read::{Circuit, read};
pub use run::run;
pub use value::Value;
