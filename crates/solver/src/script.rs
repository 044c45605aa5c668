//! Formulas as SMT-LIB commands that mean in any solver what they mean here.

use crate::numbers::{Numbers, divides};
use std::borrow::Cow;
use std::fmt::Write;
use tamis_term::smtlib::encode;
use tamis_term::walk::post_order;
use tamis_term::{Node, Sort, Term, Terms, Var};

/// The command that declares a variable.
pub(crate) fn declaration(terms: &Terms, var: Var) -> String {
    format!("(declare-fun {} () {})\n", encode(terms.name(var)), terms.var_sort(var))
}

/// A formula as text, in which no division shows what a solver makes of zero.
pub(crate) fn formula(terms: &Terms, term: Term) -> String {
    match guarded(terms, term) {
        Some((terms, term)) => terms.smtlib(term).to_string(),
        None => terms.smtlib(term).to_string(),
    }
}

/// A complete question: whether facts and assumptions can be true together.
pub(crate) fn question(terms: &Terms, facts: &[Term], assumptions: &[Term], status: &str) -> String {
    let mut text = String::from("(set-info :smt-lib-version 2.6)\n");
    let _ = write!(text, "(set-info :status {status})\n(set-logic ALL)\n");
    let all: Vec<Term> = facts.iter().chain(assumptions).copied().collect();
    for var in terms.free_vars(&all) {
        text.push_str(&declaration(terms, var));
    }
    for (formulas, kind) in [(facts, ""), (assumptions, " ; assumed")] {
        for term in formulas {
            let _ = writeln!(text, "(assert {}){kind}", formula(terms, *term));
        }
    }
    text.push_str("(check-sat)\n");
    text
}

/// A logic that has all sorts of the formulas, for solvers that do not know `ALL`.
pub(crate) fn logic(terms: &Terms, formulas: &[Term]) -> String {
    let (mut arrays, mut words, mut ints, mut reals, mut linear) = (false, false, false, false, true);
    for term in post_order(terms, formulas) {
        match terms.sort(term) {
            Sort::Bool => {}
            Sort::BitVec(_) => words = true,
            Sort::Int => ints = true,
            Sort::Real => reals = true,
            Sort::Array(_) => arrays = true,
        }
        linear &= Numbers::of(terms, term) != Numbers::Products;
    }
    let numbers = match (ints, reals) {
        (false, false) => "",
        (true, false) => "IA",
        (false, true) => "RA",
        (true, true) => "IRA",
    };
    let kind = match (numbers, linear) {
        ("", _) => "",
        (_, true) => "L",
        (_, false) => "N",
    };
    let (arrays, words) = (if arrays { "A" } else { "" }, if words { "BV" } else { "" });
    format!("QF_{arrays}UF{words}{kind}{numbers}")
}

/// A name that no variable has, for text that speaks about the arena's variables.
pub(crate) fn fresh_name<'n>(terms: &Terms, name: &'n str) -> Cow<'n, str> {
    let mut name = Cow::Borrowed(name);
    while terms.find_var(&name).is_some() {
        name.to_mut().push('!');
    }
    name
}

/// The term in an arena of its own with its divisions guarded, if it divides integers or reals.
fn guarded(terms: &Terms, root: Term) -> Option<(Terms, Term)> {
    let order = post_order(terms, &[root]);
    if !order.iter().any(|term| matches!(terms.node(*term), Node::App(fun, _) if divides(fun))) {
        return None;
    }
    let mut own = Terms::new();
    let mut copies = rustc_hash::FxHashMap::default();
    for term in order {
        let copy = match terms.node(term) {
            Node::Const(value) => own.constant(value.clone()),
            Node::Var(var) => {
                let var = own.declare(terms.name(*var), terms.var_sort(*var).clone());
                own.var(var)
            }
            Node::App(fun, args) => {
                let args: Vec<Term> = args.iter().map(|arg| copies[arg]).collect();
                own.app(fun.clone(), &args)
            }
        };
        copies.insert(term, copy);
    }
    let root = own.guard_divisions(copies[&root]);
    Some((own, root))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_logic_has_what_the_formulas_need() {
        let mut terms = Terms::new();
        for (name, sort) in [("i", Sort::Int), ("r", Sort::Real), ("w", Sort::BitVec(3)), ("b", Sort::Bool)] {
            terms.declare(name, sort);
        }
        terms.declare("a", Sort::array(Sort::BitVec(3), Sort::Bool));
        for (text, expected) in [
            ("b", "QF_UF"),
            ("(bvult w #b010)", "QF_UFBV"),
            ("(select a w)", "QF_AUFBV"),
            ("(< (* 2 i) 3)", "QF_UFLIA"),
            ("(< (* i i) 3)", "QF_UFNIA"),
            ("(= (div i i) 3)", "QF_UFNIA"),
            ("(= (mod i 2) 1)", "QF_UFLIA"),
            ("(< r 0.5)", "QF_UFLRA"),
            ("(< (to_real i) r)", "QF_UFLIRA"),
        ] {
            let formula = terms.read(text).unwrap();
            assert_eq!(logic(&terms, &[formula]), expected, "{text}");
        }
    }
}
