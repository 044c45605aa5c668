//! Z3's formulas as terms: through their text, whose reader knows no recursion.

use super::encode::name;
use rustc_hash::FxHashMap;
use tamis_term::walk::post_order;
use tamis_term::{Node, Sort, Term, Terms, Var};
use z3::ast::Bool;

/// Functions of Z3's own, whose meaning differs from the standard's only where the divisor is
/// zero: what is read must be validated anyway.
const INTERNAL: [(&str, &str); 5] = [
    ("(bvudiv_i ", "(bvudiv "),
    ("(bvurem_i ", "(bvurem "),
    ("(bvsdiv_i ", "(bvsdiv "),
    ("(bvsrem_i ", "(bvsrem "),
    ("(bvsmod_i ", "(bvsmod "),
];

/// The formula as a term over the given variables; none if it is more than that, for example
/// because it has quantifiers.
pub(crate) fn read(terms: &mut Terms, formula: &Bool, vars: &[Var]) -> Option<Term> {
    let mut text = formula.to_string();
    for (internal, standard) in INTERNAL {
        text = text.replace(internal, standard);
    }
    // Z3 calls the variables by numbers, which are names of their own here.
    let mut own = Terms::new();
    let known: FxHashMap<Var, Var> =
        vars.iter().map(|var| (own.declare(&name(*var), terms.var_sort(*var).clone()), *var)).collect();
    let root = own.read(&text).ok().filter(|root| *own.sort(*root) == Sort::Bool)?;
    let mut copies: FxHashMap<Term, Term> = FxHashMap::default();
    for term in post_order(&own, &[root]) {
        let copy = match own.node(term) {
            Node::Const(value) => terms.constant(value.clone()),
            Node::Var(var) => terms.var(known[var]),
            Node::App(fun, args) => {
                let args: Vec<Term> = args.iter().map(|arg| copies[arg]).collect();
                terms.app(fun.clone(), &args)
            }
        };
        copies.insert(term, copy);
    }
    Some(copies[&root])
}
