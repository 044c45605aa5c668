//! Transition systems as SMT-LIB functions, and the question whether a bad state is reached in
//! exactly so many steps: what bounded model checking asks a solver.

use super::smtlib::{atom, bindings, comment, prefix};
use std::fmt::Write;
use tamis_ir::{Program, PropertyId};
use tamis_term::smtlib::encode;
use tamis_term::{Term, Terms, Var};

/// The text for a property and a number of steps. `sat` means that the error is reached.
///
/// # Errors
/// Says why the program is no transition system, as a phrase.
pub fn render(terms: &mut Terms, program: &Program, property: PropertyId, bound: usize) -> Result<String, String> {
    let system = super::system(terms, program, property)?;
    let state: Vec<Var> = system.state.iter().map(|(now, _)| *now).collect();
    let next: Vec<Var> = system.state.iter().map(|(_, next)| *next).collect();
    let (init, (trans, inputs)) = (system.initial(terms), system.relation(terms));
    let here = [state.as_slice(), &inputs].concat();
    let both = [here.as_slice(), &next].concat();
    let own = prefix(terms, &system);
    let mut text = String::new();
    let name = &program.property(property).name;
    comment(&mut text, &format!("sat means that {name} is violated after {bound} steps of this system."));
    text.push_str("(set-logic ALL)\n");
    let mut define = |name: &str, vars: &[Var], formula: Term| {
        let (vars, formula) = (bindings(terms, vars), terms.smtlib(formula));
        writeln!(text, "(define-fun {own}{name} {vars} Bool {formula})").expect("a string");
    };
    define("init", &state, init);
    define("invariant", &here, system.invariant);
    define("trans", &both, trans);
    define("bad", &here, system.bad);
    let at = |terms: &mut Terms, vars: &[Var], step: usize| -> Vec<String> {
        vars.iter().map(|var| encode(&format!("{}@{step}", terms.name(*var))).into_owned()).collect()
    };
    for step in 0..=bound {
        comment(&mut text, &format!("state {step}"));
        for (name, var) in at(terms, &here, step).into_iter().zip(&here) {
            writeln!(text, "(declare-fun {name} () {})", terms.var_sort(*var)).expect("a string");
        }
        if step > 0 {
            let args = [at(terms, &here, step - 1), at(terms, &state, step)].concat();
            writeln!(text, "(assert {})", atom(&format!("{own}trans"), &args)).expect("a string");
        } else {
            writeln!(text, "(assert {})", atom(&format!("{own}init"), &at(terms, &state, 0))).expect("a string");
        }
        let args = at(terms, &here, step);
        writeln!(text, "(assert {})", atom(&format!("{own}invariant"), &args)).expect("a string");
    }
    writeln!(text, "(assert {})", atom(&format!("{own}bad"), &at(terms, &here, bound))).expect("a string");
    text.push_str("(check-sat)\n");
    Ok(text)
}
