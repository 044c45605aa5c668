//! Bitwise functions that sums can express: with a constant whose ones are in few runs, and of
//! words that are zero or one.

use tamis_term::{BitVec, Fun, Node, Term, Terms, Value};

/// The most runs that are taken apart.
const MOST_RUNS: usize = 4;

/// The runs of ones of a mask, each as its lowest position and the first above it.
pub(super) fn runs(mask: &BitVec) -> Vec<(u32, u32)> {
    let mut runs: Vec<(u32, u32)> = Vec::new();
    for at in (0..mask.width()).filter(|at| mask.bit(*at)) {
        match runs.last_mut() {
            Some((_, end)) if *end == at => *end += 1,
            Some(_) | None => runs.push((at, at + 1)),
        }
    }
    runs
}

/// Whether the ones and the zeros of a mask are in few runs.
pub(super) fn is_simple(mask: &BitVec) -> bool {
    runs(mask).len() <= MOST_RUNS && runs(&mask.not()).len() <= MOST_RUNS
}

/// Whether a word is zero or one, as far as its shape tells.
pub(super) fn is_bit(terms: &Terms, root: Term) -> bool {
    const MOST: usize = 64;
    let (mut stack, mut looked) = (vec![root], 0);
    while let Some(term) = stack.pop() {
        looked += 1;
        let bit = match terms.node(term) {
            _ if looked > MOST => false,
            Node::Const(Value::BitVec(value)) => value.to_u64().is_some_and(|value| value <= 1),
            _ if terms.width(term) == 1 => true,
            Node::App(Fun::Ite, args) => {
                stack.extend(&args[1..]);
                true
            }
            Node::App(Fun::ZeroExtend(_) | Fun::BvAnd | Fun::BvOr | Fun::BvXor, args) => {
                stack.extend(args);
                true
            }
            Node::Const(_) | Node::Var(_) | Node::App(..) => false,
        };
        if !bit {
            return false;
        }
    }
    true
}
