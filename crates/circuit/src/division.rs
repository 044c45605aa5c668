//! Division as circuits. SMT-LIB's results for a zero divisor need no case of their own:
//! with it every step of the long division succeeds and subtracts nothing.

use crate::Error;
use crate::gates::{Edge, Gates};
use crate::words::{Word, add, add_with_carry, equal, mux, neg_if, not, sign};

/// Quotient and remainder by restoring division: bring down one bit, subtract if possible.
pub(crate) fn divide(gates: &mut Gates, a: &[Edge], b: &[Edge]) -> Result<(Word, Word), Error> {
    // One bit more than the operands, for the bit that is brought down.
    let mut minus = not(b);
    minus.push(Edge::TRUE);
    let mut rest = vec![Edge::FALSE; b.len()];
    let mut quotient = Vec::with_capacity(a.len());
    for bit in a.iter().rev() {
        rest.insert(0, *bit);
        let (difference, fits) = add_with_carry(gates, &rest, &minus, Edge::TRUE)?;
        // Where it fits the difference is below `b`; where not the rest was. (If `b` is
        // zero, the rest is a prefix of `a`.) So the top bit is clear either way.
        rest = mux(gates, fits, &difference[..b.len()], &rest[..b.len()])?;
        quotient.push(fits);
    }
    quotient.reverse();
    Ok((quotient, rest))
}

fn abs(gates: &mut Gates, a: &[Edge]) -> Result<Word, Error> {
    neg_if(gates, sign(a), a)
}

/// Signed division, rounding towards zero.
pub(crate) fn sdiv(gates: &mut Gates, a: &[Edge], b: &[Edge]) -> Result<Word, Error> {
    let (x, y) = (abs(gates, a)?, abs(gates, b)?);
    let (quotient, _) = divide(gates, &x, &y)?;
    let negative = gates.xor(sign(a), sign(b))?;
    neg_if(gates, negative, &quotient)
}

/// The signed remainder whose sign follows the dividend.
pub(crate) fn srem(gates: &mut Gates, a: &[Edge], b: &[Edge]) -> Result<Word, Error> {
    let (x, y) = (abs(gates, a)?, abs(gates, b)?);
    let (_, rest) = divide(gates, &x, &y)?;
    neg_if(gates, sign(a), &rest)
}

/// The signed remainder whose sign follows the divisor: where the signs differ and the
/// division leaves a rest, the divisor is added to the other remainder.
pub(crate) fn smod(gates: &mut Gates, a: &[Edge], b: &[Edge]) -> Result<Word, Error> {
    let rest = srem(gates, a, b)?;
    let zero = vec![Edge::FALSE; rest.len()];
    let exact = equal(gates, &rest, &zero)?;
    let differ = gates.xor(sign(a), sign(b))?;
    let adjust = gates.and(differ, !exact)?;
    let addend = mux(gates, adjust, b, &zero)?;
    add(gates, &rest, &addend, Edge::FALSE)
}
