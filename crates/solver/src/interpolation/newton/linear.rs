//! Sums of multiples of terms, over the rationals and modulo powers of two.

use num_bigint::BigInt;
use num_integer::Integer;
use num_rational::BigRational;
use num_traits::{One, Signed, Zero};
use std::collections::BTreeMap;
use tamis_term::{BitVec, Fun, Node, Sort, Term, Terms, Value};

/// Sums with more summands than this, counted as often as they are reached, are not read.
const SUMMANDS: usize = 4096;

/// `constant + Σ coefficient · term`, where the terms are no sums.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Linear {
    pub(super) constant: BigRational,
    pub(super) summands: BTreeMap<Term, BigRational>,
}

/// The value of a constant number.
fn number(terms: &Terms, term: Term) -> Option<BigRational> {
    match terms.value(term)? {
        Value::Int(value) => Some(BigRational::from_integer((**value).clone())),
        Value::Real(value) => Some((**value).clone()),
        Value::Bool(_) | Value::BitVec(_) | Value::Array(_) => None,
    }
}

impl Linear {
    fn zero() -> Linear {
        Linear { constant: BigRational::zero(), summands: BTreeMap::new() }
    }

    /// `a - b`, for two integers or two reals.
    pub(super) fn difference(terms: &Terms, a: Term, b: Term) -> Option<Linear> {
        let mut sum = Linear::zero();
        let one = BigRational::one();
        let mut open = vec![(a, one.clone()), (b, -one)];
        let mut steps = 0;
        while let Some((term, factor)) = open.pop() {
            steps += 1;
            if steps > SUMMANDS {
                return None;
            }
            if let Some(value) = number(terms, term) {
                sum.constant += factor * value;
                continue;
            }
            match terms.node(term) {
                Node::App(Fun::Add, args) => open.extend(args.iter().map(|arg| (*arg, factor.clone()))),
                Node::App(Fun::Sub, args) => open.extend([(args[0], factor.clone()), (args[1], -factor)]),
                Node::App(Fun::Neg, args) => open.push((args[0], -factor)),
                Node::App(Fun::Mul, args) => match (number(terms, args[0]), number(terms, args[1])) {
                    (Some(value), _) => open.push((args[1], factor * value)),
                    (_, Some(value)) => open.push((args[0], factor * value)),
                    (None, None) => sum.add(term, factor),
                },
                Node::App(..) | Node::Var(_) | Node::Const(_) => sum.add(term, factor),
            }
        }
        Some(sum)
    }

    fn add(&mut self, term: Term, factor: BigRational) {
        let coefficient = self.summands.entry(term).or_insert_with(BigRational::zero);
        *coefficient += factor;
        if coefficient.is_zero() {
            self.summands.remove(&term);
        }
    }

    /// The coefficient of a term.
    pub(super) fn coefficient(&self, term: Term) -> BigRational {
        self.summands.get(&term).cloned().unwrap_or_else(BigRational::zero)
    }

    /// `self · a + other · b`.
    pub(super) fn combine(&self, a: &BigRational, other: &Linear, b: &BigRational) -> Linear {
        let mut sum = self.scale(a);
        sum.constant += &other.constant * b;
        for (term, coefficient) in &other.summands {
            sum.add(*term, coefficient * b);
        }
        sum
    }

    pub(super) fn scale(&self, factor: &BigRational) -> Linear {
        let summands = self.summands.iter().map(|(term, coefficient)| (*term, coefficient * factor));
        Linear { constant: &self.constant * factor, summands: summands.collect() }
    }

    /// The sum with coefficients that are integers without a common divisor.
    pub(super) fn integral(&self) -> Linear {
        let all = || self.summands.values();
        let denominators = all().fold(BigInt::one(), |lcm, coefficient| lcm.lcm(coefficient.denom()));
        let numerators =
            all().fold(BigInt::zero(), |gcd, coefficient| gcd.gcd(&(coefficient * &denominators).to_integer()));
        if numerators.is_zero() {
            return self.clone();
        }
        self.scale(&BigRational::new(denominators, numerators))
    }

    /// The sum as two terms whose difference it is, both without negative summands.
    pub(super) fn sides(&self, terms: &mut Terms, sort: &Sort) -> (Term, Term) {
        let sum = self.integral();
        let mut sides = [Vec::new(), Vec::new()];
        for (term, coefficient) in &sum.summands {
            let multiple = multiple(terms, sort, *term, &coefficient.abs());
            sides[usize::from(coefficient.is_negative())].push(multiple);
        }
        if !sum.constant.is_zero() || sides.iter().any(Vec::is_empty) {
            let negative = sum.constant.is_negative() || (sum.constant.is_zero() && sides[1].is_empty());
            let constant = constant(terms, sort, sum.constant.abs());
            sides[usize::from(negative)].push(constant);
        }
        sides.iter_mut().filter(|side| side.is_empty()).for_each(|side| side.push(constant(terms, sort, Zero::zero())));
        let [left, right] = sides.map(|side| side.into_iter().reduce(|sum, summand| terms.add(sum, summand)));
        (left.expect("filled above"), right.expect("filled above"))
    }

    /// The sum as one term.
    pub(super) fn term(&self, terms: &mut Terms, sort: &Sort) -> Term {
        let mut sum = constant(terms, sort, self.constant.clone());
        for (term, coefficient) in &self.summands {
            let multiple = multiple(terms, sort, *term, &coefficient.abs());
            sum =
                match (terms.value(sum).and_then(|_| self.constant.is_zero().then_some(())), coefficient.is_negative())
                {
                    (Some(()), false) => multiple,
                    (_, false) => terms.add(sum, multiple),
                    (_, true) => terms.sub(sum, multiple),
                };
        }
        sum
    }
}

fn constant(terms: &mut Terms, sort: &Sort, value: BigRational) -> Term {
    let value = if *sort == Sort::Int { Value::int(value.to_integer()) } else { Value::Real(Box::new(value)) };
    terms.constant(value)
}

fn multiple(terms: &mut Terms, sort: &Sort, term: Term, factor: &BigRational) -> Term {
    if factor.is_one() {
        return term;
    }
    let factor = constant(terms, sort, factor.clone());
    terms.mul(factor, term)
}

/// What `a = b` says about a summand of odd coefficient: which term it equals, for two
/// bit-vectors. The summand occurs nowhere else in them, as far as sums show it.
pub(super) fn solve_word(terms: &mut Terms, a: Term, b: Term, summand: Term) -> Option<Term> {
    let width = terms.width(a);
    let one = BitVec::new(width, 1);
    let mut open = vec![(a, one.clone()), (b, one.neg())];
    let mut constant = BitVec::zero(width);
    let mut summands: BTreeMap<Term, BitVec> = BTreeMap::new();
    let mut steps = 0;
    while let Some((term, factor)) = open.pop() {
        steps += 1;
        if steps > SUMMANDS {
            return None;
        }
        let value = |term: Term| match terms.value(term) {
            Some(Value::BitVec(value)) => Some(value.clone()),
            Some(Value::Bool(_) | Value::Int(_) | Value::Real(_) | Value::Array(_)) | None => None,
        };
        if let Some(value) = value(term) {
            constant = constant.add(&factor.mul(&value));
            continue;
        }
        match terms.node(term) {
            Node::App(Fun::BvAdd, args) => open.extend(args.iter().map(|arg| (*arg, factor.clone()))),
            Node::App(Fun::BvSub, args) => open.extend([(args[0], factor.clone()), (args[1], factor.neg())]),
            Node::App(Fun::BvNeg, args) => open.push((args[0], factor.neg())),
            // The complement of `x` is `-x - 1`.
            Node::App(Fun::BvNot, args) => {
                constant = constant.sub(&factor);
                open.push((args[0], factor.neg()));
            }
            Node::App(Fun::BvMul, args) if value(args[0]).is_some() || value(args[1]).is_some() => {
                let (known, other) = value(args[0]).map_or((value(args[1]), args[0]), |known| (Some(known), args[1]));
                open.push((other, factor.mul(&known?)));
            }
            Node::App(..) | Node::Var(_) | Node::Const(_) => {
                let coefficient = summands.entry(term).or_insert_with(|| BitVec::zero(width));
                *coefficient = coefficient.add(&factor);
            }
        }
    }
    let coefficient = summands.remove(&summand)?;
    if !coefficient.bit(0) {
        return None;
    }
    // `c · x + rest = 0`, so `x = -c⁻¹ · rest`.
    let factor = inverse(&coefficient).neg();
    let mut result = terms.constant(Value::BitVec(constant.mul(&factor)));
    for (term, coefficient) in summands {
        let coefficient = coefficient.mul(&factor);
        result = if coefficient.is_zero() {
            result
        } else if coefficient.is_ones() {
            terms.bvsub(result, term)
        } else {
            let coefficient = terms.constant(Value::BitVec(coefficient));
            let product = terms.bvmul(coefficient, term);
            terms.bvadd(result, product)
        };
    }
    Some(result)
}

/// The inverse of an odd number, by Newton's iteration: each round doubles the correct bits.
fn inverse(odd: &BitVec) -> BitVec {
    let two = BitVec::new(odd.width(), 2);
    let mut inverse = odd.clone();
    let mut correct = 3;
    while correct < odd.width() {
        inverse = inverse.mul(&two.sub(&odd.mul(&inverse)));
        correct = correct.saturating_mul(2);
    }
    inverse
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn odd_numbers_have_inverses() {
        for width in [1, 2, 3, 5, 8, 16, 33, 64, 100] {
            for odd in [1, 3, 5, 11, 123, 255, 65_535, 0x1234_5678_9abc_def1] {
                let odd = BitVec::new(width, odd);
                assert_eq!(odd.mul(&inverse(&odd)), BitVec::new(width, 1), "{width}");
            }
        }
    }

    #[test]
    fn words_are_solved() {
        let mut terms = Terms::new();
        let [x, y] = ["x", "y"].map(|name| terms.declare(name, Sort::BitVec(8))).map(|var| terms.var(var));
        let (three, seven) = (terms.bv(8, 3), terms.bv(8, 7));
        let product = terms.bvmul(three, x);
        let left = terms.bvadd(product, seven);
        let solved = solve_word(&mut terms, left, y, x).unwrap();
        for (a, b) in [(0, 7), (1, 10), (200, 95)] {
            let env = [(y, Value::bv(8, b))];
            let value = terms
                .eval(solved, |var| env.iter().find(|(t, _)| terms.node(*t) == &Node::Var(var)).unwrap().1.clone());
            assert_eq!(value, Value::bv(8, a));
        }
        let even = terms.bvadd(x, x);
        assert_eq!(solve_word(&mut terms, even, y, x), None);
    }
}
