//! Guesses for inputs: what the program itself compares with, and what is special to machines.

use fastrand::Rng;
use std::collections::BTreeSet;
use tamis_ir::{Op, Program};
use tamis_term::walk::post_order;
use tamis_term::{Node, Sort, Term, Terms, Value};

/// Numbers worth trying. A number stands for its remainder modulo the width of the input.
pub(super) struct Pool {
    numbers: Vec<u64>,
}

impl Pool {
    pub(super) fn new(terms: &Terms, program: &Program) -> Pool {
        let mut numbers: BTreeSet<u64> = (0..10).chain([u64::MAX]).collect();
        for width in [8, 16, 32, 64] {
            let top = 1u64 << (width - 1);
            numbers.extend([top, top - 1, u64::MAX >> (64 - width)]);
        }
        let roots: Vec<Term> = program.edges().flat_map(|(_, edge)| terms_of(&edge.op)).collect();
        for term in post_order(terms, &roots) {
            if let Node::Const(value) = terms.node(term)
                && let Some(number) = number(value)
            {
                // The extremes of a loop are often one off.
                numbers.extend([number, number.wrapping_add(1), number.wrapping_sub(1)]);
            }
        }
        Pool { numbers: numbers.into_iter().collect() }
    }

    /// A gene.
    pub(super) fn guess(&self, rng: &mut Rng) -> u64 {
        match rng.u32(0..16) {
            0..=3 => rng.u64(0..4),
            4..=5 => rng.u64(0..=64),
            6 => 1 << rng.u32(0..64),
            7 => rng.u64(..),
            8 => rng.u64(0..64).wrapping_neg(),
            _ => self.numbers[rng.usize(0..self.numbers.len())],
        }
    }
}

fn terms_of(op: &Op) -> Vec<Term> {
    match op {
        Op::Assume(condition) => vec![*condition],
        Op::Assign(pairs) => pairs.iter().map(|(_, term)| *term).collect(),
        Op::Havoc(_) => Vec::new(),
        Op::Call { args, .. } => args.clone(),
    }
}

fn number(value: &Value) -> Option<u64> {
    match value {
        Value::BitVec(bits) => bits.to_u64(),
        Value::Int(int) => i64::try_from((**int).clone()).ok().map(i64::cast_unsigned),
        Value::Bool(_) | Value::Real(_) | Value::Array(_) => None,
    }
}

/// The value of a sort that a gene stands for.
pub(super) fn express(gene: u64, sort: &Sort) -> Value {
    match sort {
        Sort::Bool => Value::Bool(gene & 1 == 1),
        Sort::BitVec(width) => Value::bv(*width, gene),
        Sort::Int => Value::int(gene.cast_signed()),
        Sort::Real | Sort::Array(_) => Value::default_of(sort),
    }
}
