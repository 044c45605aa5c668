//! Bits as formulas that people can read: decision diagrams and gates over bits of variables,
//! written as terms.
//!
//! Files in order of reading: `bits` (which bit of a diagram is which bit of a variable),
//! `cover` (diagrams as gates, in the shortest of several ways), `words` (gates as terms, with
//! words where there are any).

mod bits;
mod cover;
mod words;

pub(super) use bits::Bits;
pub(super) use words::{Place, write};

use crate::StopSignal;
use rustc_hash::FxHashMap;
use tamis_bdd::{Bdd, Config, EncodeError};
use tamis_circuit::{Edge, Gates, Meter};
use tamis_term::{Term, Terms};

/// The nodes that a formula may need to be made smaller: with more, there is little hope.
const NODES: usize = 1 << 14;
/// Formulas of fewer distinct subterms are short enough.
const SHORT: usize = 12;
/// Formulas of more are not looked at.
const LONG: usize = 20_000;
/// Formulas about more bits are not looked at.
const MOST_BITS: usize = 64;
/// The memory for gates that are written down.
const MEMORY: usize = 1 << 28;

/// The diagrams as terms.
pub(super) fn terms_of(terms: &mut Terms, bits: &Bits, diagrams: &[Bdd]) -> Result<Vec<Term>, EncodeError> {
    let mut gates = Gates::new(Meter::new(StopSignal::never(), MEMORY));
    let mut inputs = FxHashMap::default();
    let mut edges: Vec<Edge> = Vec::with_capacity(diagrams.len());
    for diagram in diagrams {
        edges.push(cover::cover(bits, &mut gates, &mut inputs, diagram)?);
    }
    let places = inputs.into_iter().map(|(bit, edge): (_, Edge)| (edge.gate(), bits.place(bit))).collect();
    Ok(write(terms, &gates, &places, &edges))
}

/// Equivalent formulas over bits that are no larger. What is about too many bits, or has no
/// small diagram, stays as it is.
pub(super) fn polish(terms: &mut Terms, stop: &StopSignal, formulas: Vec<Term>) -> Vec<Term> {
    let config = Config { nodes: NODES, cache: NODES };
    let polished = formulas.into_iter().map(|formula| {
        let old = terms.dag_size(formula);
        if !(SHORT..=LONG).contains(&old) {
            return formula;
        }
        let shorter = shorten(terms, stop, &config, formula);
        shorter.filter(|term| terms.dag_size(*term) < old).unwrap_or(formula)
    });
    polished.collect()
}

fn shorten(terms: &mut Terms, stop: &StopSignal, config: &Config, formula: Term) -> Option<Term> {
    let mut bits = Bits::new(terms, &[formula], config, stop).ok().filter(|bits| bits.count() <= MOST_BITS)?;
    let diagram = bits.truth(terms, formula).ok()?;
    terms_of(terms, &bits, &[diagram]).ok()?.pop()
}

#[cfg(test)]
mod tests {
    use super::*;
    use tamis_term::value::values;
    use tamis_term::{Sort, Value};

    #[test]
    fn polished_formulas_mean_the_same() {
        let mut random = fastrand::Rng::with_seed(11);
        for _ in 0..60 {
            let mut terms = Terms::new();
            let sorts = [Sort::BitVec(3), Sort::BitVec(3), Sort::array(Sort::Bool, Sort::Bool), Sort::Bool];
            let vars = sorts.clone().map(|sort| terms.declare("v", sort));
            let [a, b, c, d] = vars.map(|var| terms.var(var));
            let index = terms.bool(random.bool());
            let mut pool = vec![d, terms.eq(a, b), terms.bvult(a, b), terms.select(c, index)];
            for _ in 0..12 {
                let number = terms.bv(3, random.u64(..8));
                pool.push(if random.bool() { terms.eq(a, number) } else { terms.bvule(b, number) });
                let (one, other) = (pool[random.usize(..pool.len())], pool[random.usize(..pool.len())]);
                pool.push(match random.u8(..3) {
                    0 => terms.and(&[one, other]),
                    1 => terms.or(&[one, other]),
                    _ => terms.xor(one, other),
                });
            }
            let old = pool[pool.len() - 1];
            let new = polish(&mut terms, &StopSignal::never(), vec![old])[0];
            assert!(terms.dag_size(new) <= terms.dag_size(old));
            let domains: Vec<Vec<Value>> = sorts.iter().map(|sort| values(sort).collect()).collect();
            for _ in 0..200 {
                let row: Vec<&Value> = domains.iter().map(|domain| &domain[random.usize(..domain.len())]).collect();
                let value = |var| row[vars.iter().position(|other| *other == var).unwrap()].clone();
                assert_eq!(terms.eval(old, value), terms.eval(new, value));
            }
        }
    }

    #[test]
    fn words_are_recognised() {
        let mut terms = Terms::new();
        let [x, y] = ["x", "y"].map(|name| terms.declare(name, Sort::BitVec(4))).map(|var| terms.var(var));
        let bit = |terms: &mut Terms, word: Term, at: u32| terms.extract(word, at, at);
        let same = (0..4).map(|at| {
            let (a, b) = (bit(&mut terms, x, at), bit(&mut terms, y, at));
            terms.eq(a, b)
        });
        let same: Vec<Term> = same.collect();
        let same = terms.and(&same);
        let (equal, differ) = (terms.eq(x, y), terms.distinct(x, y));
        let not = terms.not(same);
        assert_eq!(polish(&mut terms, &StopSignal::never(), vec![same, not]), [equal, differ]);
    }
}
