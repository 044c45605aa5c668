//! Linear forms: of terms, and as terms.

#![allow(clippy::wildcard_enum_match_arm, reason = "a function that is not named is not linear")]

use super::rows::Row;
use rustc_hash::FxHashMap;
use tamis_term::{Fun, Node, Sort, Term, Terms, Value, Var};

/// Which variables have which columns. The last entry of a form is its constant.
pub(super) type Columns = FxHashMap<Var, usize>;

/// How deep a term is looked into.
const DEPTH: u32 = 40;

/// A term of at least `width` bits as a linear form modulo `2^width`, if it is one.
pub(super) fn form(terms: &Terms, term: Term, width: u32, columns: &Columns, length: usize) -> Option<Row> {
    let mut row = vec![0; length];
    add(terms, term, width, columns, 1, &mut row, DEPTH).then_some(row)
}

/// Adds a multiple of a term to a form. Returns whether it is linear.
fn add(terms: &Terms, term: Term, width: u32, columns: &Columns, times: u64, row: &mut Row, depth: u32) -> bool {
    let Some(depth) = depth.checked_sub(1) else { return false };
    let mut go = |term: Term, times: u64| add(terms, term, width, columns, times, row, depth);
    let wide = |term: Term| matches!(terms.sort(term), Sort::BitVec(own) if *own >= width);
    match terms.node(term) {
        Node::Const(value) => {
            let Some(number) = low_bits(value) else { return false };
            let constant = row.len() - 1;
            row[constant] = row[constant].wrapping_add(number.wrapping_mul(times));
            true
        }
        Node::Var(var) => {
            let Some(column) = columns.get(var) else { return false };
            row[*column] = row[*column].wrapping_add(times);
            true
        }
        Node::App(fun, args) => match fun {
            Fun::BvAdd => args.iter().all(|arg| go(*arg, times)),
            Fun::BvSub => go(args[0], times) && go(args[1], times.wrapping_neg()),
            Fun::BvNeg => go(args[0], times.wrapping_neg()),
            // ~x = -x - 1
            Fun::BvNot => {
                let linear = go(args[0], times.wrapping_neg());
                let constant = row.len() - 1;
                row[constant] = row[constant].wrapping_sub(times);
                linear
            }
            Fun::BvMul => match [args[0], args[1]].map(|arg| terms.value(arg).and_then(low_bits)) {
                [Some(factor), _] => go(args[1], times.wrapping_mul(factor)),
                [_, Some(factor)] => go(args[0], times.wrapping_mul(factor)),
                [None, None] => false,
            },
            Fun::BvShl => match terms.value(args[1]).and_then(low_bits) {
                Some(by) if by < 64 => go(args[0], times.wrapping_shl(u32::try_from(by).unwrap_or(63))),
                _ => false,
            },
            // The lowest bits are those of the lowest part.
            Fun::Extract { low: 0, .. } | Fun::ZeroExtend(_) | Fun::SignExtend(_) => {
                wide(args[0]) && go(args[0], times)
            }
            Fun::Concat => args.last().is_some_and(|low| wide(*low) && go(*low, times)),
            _ => false,
        },
    }
}

fn low_bits(value: &Value) -> Option<u64> {
    if let Value::BitVec(bits) = value { bits.to_u64() } else { None }
}

/// What an equation says, as a formula; `leaf` is the term of a column.
pub(super) fn formula(
    terms: &mut Terms,
    row: &Row,
    width: u32,
    mut leaf: impl FnMut(&mut Terms, usize) -> Term,
) -> Term {
    // A common power of two makes it an equation modulo a smaller one.
    let twos = row.iter().map(|entry| entry.trailing_zeros()).min().unwrap_or(0).min(width - 1);
    let bits = width - twos;
    let mut sides = [Vec::new(), Vec::new()];
    let constant = row.len() - 1;
    for (column, entry) in row.iter().enumerate().filter(|(_, entry)| **entry != 0) {
        let entry = entry >> twos;
        // Factors near 2^bits are negative: the summand goes to the other side.
        let negated = entry.wrapping_neg() & (u64::MAX >> (64 - bits));
        let (side, factor) = if negated < entry { (1, negated) } else { (0, entry) };
        let mut summand = if column == constant { terms.bv(bits, factor) } else { leaf(terms, column) };
        if column != constant {
            if twos > 0 {
                summand = terms.extract(summand, bits - 1, 0);
            }
            if factor != 1 {
                let factor = terms.bv(bits, factor);
                summand = terms.bvmul(factor, summand);
            }
        }
        sides[side].push(summand);
    }
    let [left, right] = sides.map(|summands| {
        let sum = summands.into_iter().reduce(|sum, summand| terms.bvadd(sum, summand));
        sum.unwrap_or_else(|| terms.bv(bits, 0))
    });
    terms.eq(left, right)
}
