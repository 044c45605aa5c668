//! Variables that are bounded from below and above: each lower bound is below each upper one
//! (Fourier, 1826; Motzkin, 1936). For reals that says all there is to say; for integers if one
//! of the two coefficients is one; for words if the variable stands alone.

#![allow(clippy::wildcard_enum_match_arm, reason = "a table of rules: what has no row is left to others")]

use super::linear::Linear;
use super::project::Fact;
use num_rational::BigRational;
use num_traits::{One, Signed, Zero};
use tamis_term::{BitVec, Fun, Node, Sort, Term, Terms, Value, Var};

/// More pairs of bounds than this are not combined.
const PAIRS: usize = 64;

/// The facts without the variable, and whether they say all there is to say; nothing if a fact
/// with the variable is no bound of it.
pub(super) fn eliminate(terms: &mut Terms, facts: &[Fact], var: Var) -> Option<(Vec<Term>, bool)> {
    let about: Vec<Term> = facts.iter().filter(|fact| fact.gone.contains(&var)).map(|fact| fact.term).collect();
    let (new, exact) = match terms.var_sort(var).clone() {
        sort @ (Sort::Int | Sort::Real) => numbers(terms, &about, var, &sort)?,
        Sort::BitVec(width) => words(terms, &about, var, width)?,
        Sort::Bool | Sort::Array(_) => return None,
    };
    let rest = facts.iter().filter(|fact| !fact.gone.contains(&var)).map(|fact| fact.term);
    Some((rest.chain(new).collect(), exact))
}

/// A sum that is at most zero, or less.
struct Bound {
    sum: Linear,
    strict: bool,
}

/// The comparisons that a fact is.
fn comparison(terms: &Terms, fact: Term) -> Option<Vec<(Term, Term, bool)>> {
    let Node::App(fun, args) = terms.node(fact) else { return None };
    match fun {
        Fun::Le => Some(vec![(args[0], args[1], false)]),
        Fun::Lt => Some(vec![(args[0], args[1], true)]),
        Fun::Eq => Some(vec![(args[0], args[1], false), (args[1], args[0], false)]),
        Fun::Not => match terms.node(args[0]) {
            Node::App(Fun::Le, args) => Some(vec![(args[1], args[0], true)]),
            Node::App(Fun::Lt, args) => Some(vec![(args[1], args[0], false)]),
            Node::App(..) | Node::Var(_) | Node::Const(_) => None,
        },
        _ => None,
    }
}

fn numbers(terms: &mut Terms, about: &[Term], var: Var, sort: &Sort) -> Option<(Vec<Term>, bool)> {
    let subject = terms.var(var);
    let (mut lower, mut upper) = (Vec::new(), Vec::new());
    for fact in about {
        for (a, b, strict) in comparison(terms, *fact)? {
            let mut bound = Bound { sum: Linear::difference(terms, a, b)?, strict };
            let hidden = bound.sum.summands.keys().filter(|term| **term != subject);
            if hidden.into_iter().any(|term| terms.free_vars(&[*term]).contains(&var)) {
                return None;
            }
            if *sort == Sort::Int {
                bound = tighten(&bound);
            }
            let coefficient = bound.sum.coefficient(subject);
            if coefficient.is_zero() {
                return None;
            }
            if coefficient.is_negative() { lower.push(bound) } else { upper.push(bound) }
        }
    }
    if lower.len() * upper.len() > PAIRS {
        return None;
    }
    let (mut new, mut exact) = (Vec::new(), true);
    for low in &lower {
        for high in &upper {
            let (a, b) = (low.sum.coefficient(subject).abs(), high.sum.coefficient(subject));
            exact &= *sort == Sort::Real || a.is_one() || b.is_one();
            let sum = low.sum.combine(&b, &high.sum, &a);
            let mut bound = Bound { sum, strict: low.strict || high.strict };
            if *sort == Sort::Int {
                bound = tighten(&bound);
            }
            let (left, right) = bound.sum.sides(terms, sort);
            new.push(if bound.strict { terms.lt(left, right) } else { terms.le(left, right) });
        }
    }
    Some((new, exact))
}

/// For integers: coefficients without a common divisor, and at most instead of less than.
fn tighten(bound: &Bound) -> Bound {
    let mut sum = bound.sum.integral();
    let least = BigRational::one();
    sum.constant = match (bound.strict, sum.constant.is_integer()) {
        (true, true) => sum.constant + least,
        // `sum + c ≤ 0` for an integer sum is `sum + ⌈c⌉ ≤ 0`.
        (true, false) | (false, _) => sum.constant.ceil(),
    };
    Bound { sum, strict: false }
}

/// A side of a comparison with a variable that stands alone.
struct Limit {
    term: Term,
    strict: bool,
}

fn words(terms: &mut Terms, about: &[Term], var: Var, width: u32) -> Option<(Vec<Term>, bool)> {
    let subject = terms.var(var);
    let (mut lower, mut upper, mut others) = (Vec::new(), Vec::new(), 0_u64);
    let mut signed = None;
    for fact in about {
        let (fun, args, positive) = match terms.node(*fact) {
            Node::App(Fun::Not, args) => match terms.node(args[0]) {
                Node::App(fun, args) => (fun, args, false),
                Node::Var(_) | Node::Const(_) => return None,
            },
            Node::App(fun, args) => (fun, args, true),
            Node::Var(_) | Node::Const(_) => return None,
        };
        let [a, b] = args.as_slice() else { return None };
        let other = match (*a == subject, *b == subject) {
            (true, false) => *b,
            (false, true) => *a,
            (true, true) | (false, false) => return None,
        };
        if terms.free_vars(&[other]).contains(&var) {
            return None;
        }
        let (is_signed, strict) = match (fun, positive) {
            (Fun::BvUlt, positive) => (false, positive),
            (Fun::BvUle, positive) => (false, !positive),
            (Fun::BvSlt, positive) => (true, positive),
            (Fun::BvSle, positive) => (true, !positive),
            (Fun::Eq, false) => {
                others += 1;
                continue;
            }
            _ => return None,
        };
        if signed.is_some_and(|known| known != is_signed) {
            return None;
        }
        signed = Some(is_signed);
        let limit = Limit { term: other, strict };
        if (*a == subject) == positive { upper.push(limit) } else { lower.push(limit) }
    }
    if lower.len() * upper.len() > PAIRS {
        return None;
    }
    let signed = signed.unwrap_or(false);
    // Few exceptions leave a value, if there are no bounds.
    let spare = u32::try_from(others).ok().is_some_and(|others| others == 0 || (width < 32 && others < 1 << width));
    let exact = others == 0 || (lower.is_empty() && upper.is_empty() && (spare || width >= 32));
    Some((between(terms, &lower, &upper, signed, width), exact))
}

/// That some word is within all the limits.
fn between(terms: &mut Terms, lower: &[Limit], upper: &[Limit], signed: bool, width: u32) -> Vec<Term> {
    let mut new = Vec::new();
    let top = BitVec::new(width, 1).shl(&BitVec::from_big(width, &(width - 1).into()));
    let (least, most) = if signed { (top.clone(), top.not()) } else { (BitVec::zero(width), BitVec::ones(width)) };
    for (limits, end) in [(lower, most), (upper, least)] {
        let end = terms.constant(Value::BitVec(end));
        for limit in limits.iter().filter(|limit| limit.strict) {
            new.push(terms.distinct(limit.term, end));
        }
    }
    let (less, at_most) = if signed { (Fun::BvSlt, Fun::BvSle) } else { (Fun::BvUlt, Fun::BvUle) };
    for low in lower {
        for high in upper {
            let fun = if low.strict || high.strict { &less } else { &at_most };
            new.push(terms.app(fun.clone(), &[low.term, high.term]));
            if low.strict && high.strict {
                let one = terms.bv(width, 1);
                let next = terms.bvadd(low.term, one);
                new.push(terms.distinct(next, high.term));
            }
        }
    }
    new
}
