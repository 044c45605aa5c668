//! Values: bit-vectors against a naive reference, arrays as maps, and values as bits.

use crate::world::{Random, all_sorts};
use num_bigint::{BigInt, BigUint, Sign};
use num_integer::Integer;
use num_traits::{One, Signed, Zero};
use proptest::prelude::*;
use std::collections::BTreeMap;
use std::hash::{BuildHasher, RandomState};
use tamis_term::pack::{BitReader, BitWriter};
use tamis_term::value::values;
use tamis_term::{ArrayValue, BitVec, Sort, Value};

/// Bit-vectors as unbounded integers and a modulus, straight from SMT-LIB's definitions.
struct Naive {
    width: u32,
}

impl Naive {
    fn modulus(&self) -> BigInt {
        BigInt::one() << self.width
    }

    fn wrap(&self, value: &BigInt) -> BigInt {
        value.mod_floor(&self.modulus())
    }

    fn signed(&self, value: &BigInt) -> BigInt {
        if *value >= BigInt::one() << (self.width - 1) { value - self.modulus() } else { value.clone() }
    }

    fn bitwise(&self, a: &BigInt, b: &BigInt, op: fn(bool, bool) -> bool) -> BigInt {
        let bit = |i| BigInt::from(u8::from(op(a.bit(i), b.bit(i)))) << i;
        (0..u64::from(self.width)).map(bit).sum()
    }

    fn udiv(&self, a: &BigInt, b: &BigInt) -> BigInt {
        if b.is_zero() { self.modulus() - 1 } else { a / b }
    }

    fn urem(a: &BigInt, b: &BigInt) -> BigInt {
        if b.is_zero() { a.clone() } else { a % b }
    }

    fn sdiv(&self, a: &BigInt, b: &BigInt) -> BigInt {
        let (a, b) = (self.signed(a), self.signed(b));
        let by_zero = if a.is_negative() { BigInt::one() } else { -BigInt::one() };
        self.wrap(&if b.is_zero() { by_zero } else { &a / &b })
    }

    fn srem(&self, a: &BigInt, b: &BigInt) -> BigInt {
        let (a, b) = (self.signed(a), self.signed(b));
        self.wrap(&if b.is_zero() { a } else { a % b })
    }

    fn smod(&self, a: &BigInt, b: &BigInt) -> BigInt {
        let (a, b) = (self.signed(a), self.signed(b));
        self.wrap(&if b.is_zero() { a } else { a.mod_floor(&b) })
    }

    fn shl(&self, a: &BigInt, b: &BigInt) -> BigInt {
        let distance = u32::try_from(b).unwrap_or(u32::MAX);
        if distance >= self.width { BigInt::zero() } else { self.wrap(&(a << distance)) }
    }

    /// Of a number in whichever reading: the floor of the quotient.
    fn shr(&self, a: &BigInt, b: &BigInt) -> BigInt {
        let distance = u32::try_from(b).unwrap_or(u32::MAX).min(self.width);
        self.wrap(&a.div_floor(&(BigInt::one() << distance)))
    }
}

fn check(width: u32, a: &BitVec, b: &BitVec) {
    let naive = Naive { width };
    let (x, y) = (BigInt::from(a.to_big()), BigInt::from(b.to_big()));
    let same = |name: &str, found: &BitVec, expected: &BigInt| {
        assert_eq!(found.width(), width, "{name} {a:?} {b:?}");
        assert_eq!(&BigInt::from(found.to_big()), expected, "{name} {a:?} {b:?}");
    };
    same("not", &a.not(), &naive.bitwise(&x, &y, |a, _| !a));
    same("neg", &a.neg(), &naive.wrap(&-&x));
    same("and", &a.and(b), &naive.bitwise(&x, &y, |a, b| a && b));
    same("or", &a.or(b), &naive.bitwise(&x, &y, |a, b| a || b));
    same("xor", &a.xor(b), &naive.bitwise(&x, &y, |a, b| a != b));
    same("add", &a.add(b), &naive.wrap(&(&x + &y)));
    same("sub", &a.sub(b), &naive.wrap(&(&x - &y)));
    same("mul", &a.mul(b), &naive.wrap(&(&x * &y)));
    same("udiv", &a.udiv(b), &naive.udiv(&x, &y));
    same("urem", &a.urem(b), &Naive::urem(&x, &y));
    same("sdiv", &a.sdiv(b), &naive.sdiv(&x, &y));
    same("srem", &a.srem(b), &naive.srem(&x, &y));
    same("smod", &a.smod(b), &naive.smod(&x, &y));
    same("shl", &a.shl(b), &naive.shl(&x, &y));
    same("lshr", &a.lshr(b), &naive.shr(&x, &y));
    same("ashr", &a.ashr(b), &naive.shr(&naive.signed(&x), &y));
    assert_eq!(a.ult(b), x < y);
    assert_eq!(a.slt(b), naive.signed(&x) < naive.signed(&y));
    assert_eq!(a.to_signed(), naive.signed(&x));
    assert_eq!(a.to_u64(), u64::try_from(&x).ok());
    assert_eq!((a.is_zero(), a.is_ones()), (x.is_zero(), x == naive.modulus() - 1));
    assert_eq!((a == b, a.cmp(b)), (x == y, x.cmp(&y)));
    assert_eq!(BitVec::from_int(width, &(&x - naive.modulus() * 3)), *a);
    assert_eq!(BitVec::from_big(width, &((a.to_big() + (BigUint::one() << width)) << 0_u32)), *a);
}

fn check_widths(width: u32, a: &BitVec, other: &BitVec, cut: (u32, u32)) {
    let naive = Naive { width };
    let (x, y) = (BigInt::from(a.to_big()), BigInt::from(other.to_big()));
    let joined = a.concat(other);
    assert_eq!((joined.width(), BigInt::from(joined.to_big())), (width + other.width(), (&x << other.width()) + &y));
    let (low, high) = (cut.0.min(cut.1) % width, cut.0.max(cut.1) % width);
    let (low, high) = (low.min(high), low.max(high));
    let part = a.extract(high, low);
    let size = high - low + 1;
    assert_eq!((part.width(), BigInt::from(part.to_big())), (size, (&x >> low).mod_floor(&(BigInt::one() << size))));
    for by in [0, 1, 31, 64, 65] {
        assert_eq!(a.zero_extend(by), BitVec::from_int(width + by, &x));
        assert_eq!(a.sign_extend(by), BitVec::from_int(width + by, &naive.signed(&x)));
    }
}

fn random_vector(random: &mut Random, width: u32) -> BitVec {
    let value = random.value(&Sort::BitVec(width));
    value.as_bv().clone()
}

#[test]
fn bit_vectors_compute_as_defined() {
    let mut random = Random(3);
    for width in 1..=130 {
        for _ in 0..60 {
            let (a, b) = (random_vector(&mut random, width), random_vector(&mut random, width));
            check(width, &a, &b);
            check(width, &a, &BitVec::new(width, random.next() % 140));
            check(width, &a, &a);
            let other_width = 1 + u32::try_from(random.below(130)).unwrap();
            let other = random_vector(&mut random, other_width);
            let mut place = || u32::try_from(random.below(130)).unwrap();
            check_widths(width, &a, &other, (place(), place()));
        }
    }
}

#[test]
fn all_small_bit_vectors_compute_as_defined() {
    for width in 1..=4 {
        for a in 0..1 << width {
            for b in 0..1 << width {
                check(width, &BitVec::new(width, a), &BitVec::new(width, b));
            }
        }
    }
}

fn hash(value: &impl std::hash::Hash) -> u64 {
    thread_local!(static STATE: RandomState = RandomState::new());
    STATE.with(|state| state.hash_one(value))
}

proptest! {
    #[test]
    fn arrays_that_agree_everywhere_are_equal(
        writes in prop::collection::vec((0_u64..8, 0_u64..3), 0..24),
        others in prop::collection::vec((0_u64..8, 0_u64..3), 0..24),
        defaults in (0_u64..3, 0_u64..3),
    ) {
        let Sort::Array(sort) = Sort::array(Sort::BitVec(3), Sort::BitVec(2)) else { unreachable!() };
        let build = |default: u64, writes: &[(u64, u64)]| {
            let start = ArrayValue::constant(sort.clone(), Value::bv(2, default));
            writes.iter().fold(start, |array, (i, e)| array.store(Value::bv(3, *i), Value::bv(2, *e)))
        };
        let map = |default: u64, writes: &[(u64, u64)]| {
            let mut map: BTreeMap<u64, u64> = (0..8).map(|i| (i, default)).collect();
            map.extend(writes.iter().copied());
            map
        };
        let (a, b) = (build(defaults.0, &writes), build(defaults.1, &others));
        let (x, y) = (map(defaults.0, &writes), map(defaults.1, &others));
        prop_assert_eq!(a == b, x == y);
        for (index, element) in &x {
            prop_assert_eq!(a.select(&Value::bv(3, *index)), &Value::bv(2, *element));
        }
        // The same map from every default, at once and cell by cell, is the same data.
        for default in 0..4 {
            let cells: Vec<(u64, u64)> = x.iter().rev().map(|(i, e)| (*i, *e)).collect();
            let again = build(default, &cells);
            prop_assert_eq!(&again, &a);
            prop_assert_eq!(hash(&again), hash(&a));
            let cells = cells.into_iter().map(|(i, e)| (Value::bv(3, i), Value::bv(2, e)));
            prop_assert_eq!(&ArrayValue::from_cells(sort.clone(), Value::bv(2, default), cells), &a);
        }
        prop_assert!(a.cells().all(|(_, element)| element != a.default()));
    }

    #[test]
    fn packed_values_read_back(seed: u64, choices in prop::collection::vec(any::<u8>(), 1..20)) {
        let mut sorts: Vec<Sort> = all_sorts().into_iter().filter(Sort::is_finite).collect();
        sorts.push(Sort::array(Sort::BitVec(6), Sort::BitVec(70)));
        let mut random = Random(seed);
        let chosen: Vec<&Sort> = choices.iter().map(|c| &sorts[usize::from(*c) % sorts.len()]).collect();
        let originals: Vec<Value> = chosen.iter().map(|sort| random.value(sort)).collect();
        let mut words = vec![7];
        let mut writer = BitWriter::new(&mut words);
        for value in &originals {
            writer.write(value);
        }
        let mut reader = BitReader::new(&words[1..]);
        for (sort, value) in chosen.iter().zip(&originals) {
            prop_assert_eq!(&reader.read(sort), value);
        }
        let bits: u64 = chosen.iter().filter_map(|sort| sort.bits()).sum();
        prop_assert_eq!(words.len() as u64, 1 + bits.div_ceil(64));
    }

    #[test]
    fn values_are_ordered_as_numbers(a: (i64, i64), b: (i64, i64)) {
        let value = |(n, d): (i64, i64)| {
            let ratio = num_rational::BigRational::new(n.into(), BigInt::from(d.max(1)));
            Value::Real(Box::new(ratio))
        };
        let (x, y) = (value(a), value(b));
        prop_assert_eq!(x.cmp(&y), x.as_real().cmp(y.as_real()));
        prop_assert_eq!(x == y, x.as_real() == y.as_real());
        prop_assert_eq!(Value::int(a.0).cmp(&Value::int(b.0)), a.0.cmp(&b.0));
    }
}

#[test]
fn all_values_of_a_sort_are_listed_once_and_in_order() {
    for sort in [Sort::Bool, Sort::BitVec(4), Sort::array(Sort::BitVec(1), Sort::BitVec(2))] {
        let mut all: Vec<Value> = values(&sort).collect();
        assert_eq!(all.len() as u64, sort.cardinality().unwrap());
        assert!(all.iter().all(|value| value.has_sort(&sort)));
        if !matches!(sort, Sort::Array(_)) {
            assert!(all.is_sorted());
        }
        all.sort();
        all.dedup();
        assert_eq!(all.len() as u64, sort.cardinality().unwrap());
    }
}

#[test]
fn large_arrays_are_packed_in_reasonable_time() {
    let sort = Sort::array(Sort::BitVec(14), Sort::BitVec(16));
    let Sort::Array(sorts) = &sort else { unreachable!() };
    let cells = (0..1 << 14).map(|i| (Value::bv(14, i), Value::bv(16, i * 7)));
    let array = Value::Array(Box::new(ArrayValue::from_cells(sorts.clone(), Value::bv(16, 0), cells)));
    let mut words = Vec::new();
    BitWriter::new(&mut words).write(&array);
    assert_eq!(BitReader::new(&words).read(&sort), array);
}

#[test]
fn long_fractions_are_compared_and_hashed_without_recursion() {
    // Neighbouring Fibonacci numbers: the longest continued fraction for their size.
    let (mut a, mut b) = (BigInt::one(), BigInt::one());
    for _ in 0..60_000 {
        let next = &a + &b;
        a = std::mem::replace(&mut b, next);
    }
    let fraction = |n: &BigInt, d: &BigInt| Value::Real(Box::new(num_rational::Ratio::new_raw(n.clone(), d.clone())));
    let (x, y) = (fraction(&a, &b), fraction(&b, &(&a + &b)));
    assert_ne!(x, y);
    assert_ne!(hash(&x), hash(&y));
    assert_eq!(x.cmp(&y), y.cmp(&x).reverse());
    assert_eq!(BigInt::from_biguint(Sign::Plus, a.magnitude().clone()), a);
}
