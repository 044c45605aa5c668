//! The question about a program in the notations of other tools.
//!
//! Files: [`chc`] (Horn clauses, for any program), [`vmt`] and [`smt2`] (transition systems, for
//! programs that are one), `smtlib` (what they share), [`btor2`] and [`aiger`] (circuits), `functional`
//! (what they share), [`bp`] (Boolean programs), [`caveats()`] (what none of them can say).

pub mod aiger;
pub mod bp;
pub mod btor2;
mod caveats;
pub mod chc;
mod functional;
pub mod smt2;
mod smtlib;
pub mod vmt;

pub use caveats::{caveats, comments};

use tamis_ir::passes::PLAIN;
use tamis_ir::{Program, PropertyId, TransitionSystem, encode};
use tamis_term::Terms;

/// The transition system that the program is for the property, once what does not matter is gone
/// and small procedures are where they are called. Divisions by zero have the values that terms
/// give them, whatever a solver would choose.
///
/// # Errors
/// Says why it is none, as a phrase.
fn system(terms: &mut Terms, program: &Program, property: PropertyId) -> Result<TransitionSystem, String> {
    let mut program = program.clone();
    for pass in PLAIN {
        program = (pass.apply)(terms, &program, property).0;
    }
    let system = encode(terms, &program, property)?.system;
    Ok(system.map(|formula| terms.guard_divisions(formula)))
}
