//! Bit-vector functions as circuits. A word is its bits, the least significant first; the
//! operands of one function have one width, as their sorts guarantee.

use crate::Error;
use crate::gates::{Edge, Gates};

/// The bits of a value, the least significant first.
pub(crate) type Word = Vec<Edge>;

/// One gate per position.
pub(crate) fn bitwise(
    gates: &mut Gates,
    a: &[Edge],
    b: &[Edge],
    gate: impl Fn(&mut Gates, Edge, Edge) -> Result<Edge, Error>,
) -> Result<Word, Error> {
    gates.meter.work(a.len())?;
    a.iter().zip(b).map(|(a, b)| gate(gates, *a, *b)).collect()
}

pub(crate) fn not(a: &[Edge]) -> Word {
    a.iter().map(|edge| !*edge).collect()
}

/// `then` where `condition` holds, else `otherwise`.
pub(crate) fn mux(gates: &mut Gates, condition: Edge, then: &[Edge], otherwise: &[Edge]) -> Result<Word, Error> {
    bitwise(gates, then, otherwise, |gates, t, e| gates.mux(condition, t, e))
}

pub(crate) fn equal(gates: &mut Gates, a: &[Edge], b: &[Edge]) -> Result<Edge, Error> {
    let same = bitwise(gates, a, b, Gates::iff)?;
    gates.all(same)
}

/// `a + b + carry`.
pub(crate) fn add(gates: &mut Gates, a: &[Edge], b: &[Edge], carry: Edge) -> Result<Word, Error> {
    Ok(add_with_carry(gates, a, b, carry)?.0)
}

/// `a + b + carry` and the carry out of it, by ripple carry.
pub(crate) fn add_with_carry(
    gates: &mut Gates,
    a: &[Edge],
    b: &[Edge],
    mut carry: Edge,
) -> Result<(Word, Edge), Error> {
    gates.meter.work(a.len())?;
    let mut sum = Vec::with_capacity(a.len());
    for (a, b) in a.iter().zip(b) {
        let half = gates.xor(*a, *b)?;
        sum.push(gates.xor(half, carry)?);
        carry = gates.majority(*a, *b, carry)?;
    }
    Ok((sum, carry))
}

pub(crate) fn sub(gates: &mut Gates, a: &[Edge], b: &[Edge]) -> Result<Word, Error> {
    add(gates, a, &not(b), Edge::TRUE)
}

pub(crate) fn neg(gates: &mut Gates, a: &[Edge]) -> Result<Word, Error> {
    sub(gates, &vec![Edge::FALSE; a.len()], a)
}

/// `-a` where `condition` holds, else `a`: complement and add one, both under the condition.
pub(crate) fn neg_if(gates: &mut Gates, condition: Edge, a: &[Edge]) -> Result<Word, Error> {
    let flipped = a.iter().map(|bit| gates.xor(*bit, condition)).collect::<Result<Word, Error>>()?;
    add(gates, &flipped, &vec![Edge::FALSE; a.len()], condition)
}

/// The most significant bit.
pub(crate) fn sign(a: &[Edge]) -> Edge {
    *a.last().expect("a bit-vector has at least one bit")
}

/// Unsigned `a < b`: the borrow of `a - b`.
pub(crate) fn ult(gates: &mut Gates, a: &[Edge], b: &[Edge]) -> Result<Edge, Error> {
    gates.meter.work(a.len())?;
    let mut less = Edge::FALSE;
    for (a, b) in a.iter().zip(b) {
        less = gates.majority(!*a, *b, less)?;
    }
    Ok(less)
}

/// Signed `a < b`: unsigned, once the sign bits have changed places.
pub(crate) fn slt(gates: &mut Gates, a: &[Edge], b: &[Edge]) -> Result<Edge, Error> {
    let (mut low, mut high) = (a.to_vec(), b.to_vec());
    if let (Some(x), Some(y)) = (low.last_mut(), high.last_mut()) {
        std::mem::swap(x, y);
    }
    ult(gates, &low, &high)
}

/// By shifting and adding. The operand with more constant bits selects the rows, since each
/// constant makes a row vanish; equally constant operands are ordered, so that `a * b` and
/// `b * a` are the same gates.
pub(crate) fn mul(gates: &mut Gates, a: &[Edge], b: &[Edge]) -> Result<Word, Error> {
    let unknown = |word: &[Edge]| word.iter().filter(|bit| !bit.is_constant()).count();
    let (selector, row) = if (unknown(a), a) <= (unknown(b), b) { (a, b) } else { (b, a) };
    let mut sum = vec![Edge::FALSE; a.len()];
    for (shift, bit) in selector.iter().enumerate() {
        if *bit == Edge::FALSE {
            gates.meter.work(1)?;
            continue;
        }
        let term =
            row[..row.len() - shift].iter().map(|other| gates.and(*bit, *other)).collect::<Result<Word, Error>>()?;
        let high = add(gates, &sum[shift..], &term, Edge::FALSE)?;
        sum.truncate(shift);
        sum.extend(high);
    }
    Ok(sum)
}

/// The three shifts.
#[derive(Clone, Copy)]
pub(crate) enum Shift {
    Left,
    LogicalRight,
    ArithmeticRight,
}

/// By a barrel of multiplexers, one row per bit of the distance that is smaller than the
/// width; if any other bit of the distance is set, only the filling is left.
pub(crate) fn shift(gates: &mut Gates, kind: Shift, a: &[Edge], distance: &[Edge]) -> Result<Word, Error> {
    let fill = match kind {
        Shift::Left | Shift::LogicalRight => Edge::FALSE,
        Shift::ArithmeticRight => sign(a),
    };
    let width = a.len();
    let rows = distance.iter().enumerate().take_while(|(i, _)| step(*i).is_some_and(|step| step < width)).count();
    let mut word = a.to_vec();
    for (i, bit) in distance[..rows].iter().enumerate() {
        let step = step(i).unwrap_or(width);
        let filling = std::iter::repeat_n(fill, step);
        let moved: Word = match kind {
            Shift::Left => filling.chain(word[..width - step].iter().copied()).collect(),
            Shift::LogicalRight | Shift::ArithmeticRight => word[step..].iter().copied().chain(filling).collect(),
        };
        word = mux(gates, *bit, &moved, &word)?;
    }
    let beyond = gates.any(distance[rows..].iter().copied())?;
    mux(gates, beyond, &vec![fill; width], &word)
}

/// `2^i`, if it can be a position at all.
fn step(i: usize) -> Option<usize> {
    1_usize.checked_shl(u32::try_from(i).ok()?)
}
