//! Transition systems in the notation VMT: SMT-LIB in which annotations say what is what.
//!
//! What the system calls an invariant, which states must satisfy to exist, is part of the
//! transition relation and of the property: VMT has no other place for it, because it may speak
//! about inputs.

use super::smtlib::{comment, declare, prefix};
use std::fmt::Write;
use tamis_ir::{Program, PropertyId};
use tamis_term::smtlib::encode;
use tamis_term::{Term, Terms};

/// The text for a property.
///
/// # Errors
/// Says why the program is no transition system, as a phrase.
pub fn render(terms: &mut Terms, program: &Program, property: PropertyId) -> Result<String, String> {
    let system = super::system(terms, program, property)?;
    let (init, (relation, inputs)) = (system.initial(terms), system.relation(terms));
    let trans = terms.and(&[system.invariant, relation]);
    let holds = terms.not(system.bad);
    let holds = terms.implies(system.invariant, holds);
    let mut text = String::new();
    comment(&mut text, &format!("A transition system for the property {}.", program.property(property).name));
    let own = prefix(terms, &system);
    for (number, (now, next)) in system.state.iter().enumerate() {
        declare(terms, &mut text, *now);
        declare(terms, &mut text, *next);
        let [now_name, next_name] = [now, next].map(|var| encode(terms.name(*var)));
        let sort = terms.var_sort(*now);
        writeln!(text, "(define-fun {own}state{number} () {sort} (! {now_name} :next {next_name}))").expect("a string");
    }
    for input in &inputs {
        declare(terms, &mut text, *input);
    }
    let mut define = |name: &str, formula: Term, annotation: &str| {
        let formula = terms.smtlib(formula);
        writeln!(text, "(define-fun {own}{name} () Bool (! {formula} :{annotation}))").expect("a string");
    };
    define("init", init, "init true");
    define("trans", trans, "trans true");
    define("property", holds, "invar-property 0");
    Ok(text)
}
