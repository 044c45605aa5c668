//! What the notations that build on SMT-LIB share: comments, variables, names.

use crate::style::one_line;
use std::fmt::Write;
use tamis_ir::{Program, Span, TransitionSystem};
use tamis_term::smtlib::encode;
use tamis_term::{Terms, Var};

/// A comment of one line, whatever the text.
pub(super) fn comment(text: &mut String, words: &str) {
    writeln!(text, "; {}", one_line(words)).expect("strings take any text");
}

/// `file:line`
pub(super) fn place(program: &Program, span: Span) -> String {
    let name = program.sources.get(span.source).map_or("", |source| source.name.as_str());
    let name = name.rsplit('/').next().unwrap_or(name);
    match program.sources.position(span) {
        Some(position) => format!("{name}:{}", position.line),
        None => name.to_owned(),
    }
}

/// `((x Int) (y Bool))`
pub(super) fn bindings(terms: &Terms, vars: &[Var]) -> String {
    let binding = |var: &Var| format!("({} {})", encode(terms.name(*var)), terms.var_sort(*var));
    format!("({})", vars.iter().map(binding).collect::<Vec<String>>().join(" "))
}

/// `(f x y)`, and `f` without arguments.
pub(super) fn atom(name: &str, args: &[String]) -> String {
    if args.is_empty() { name.to_owned() } else { format!("({name} {})", args.join(" ")) }
}

/// The variable as a constant.
pub(super) fn declare(terms: &Terms, text: &mut String, var: Var) {
    writeln!(text, "(declare-fun {} () {})", encode(terms.name(var)), terms.var_sort(var)).expect("a string");
}

/// What our own names begin with so that no variable of the system is called so.
pub(super) fn prefix(terms: &Terms, system: &TransitionSystem) -> String {
    let vars = system.state.iter().flat_map(|(now, next)| [*now, *next]).chain(system.inputs.iter().copied());
    let marks = |name: &str| name.bytes().take_while(|byte| *byte == b'$').count();
    let most = vars.map(|var| marks(terms.name(var))).max().unwrap_or(0);
    "$".repeat(most + 1)
}
