//! How hard the numbers in formulas are for Z3, which decides who watches it and from where.

use num_rational::BigRational;
use rustc_hash::{FxHashMap, FxHashSet};
use tamis_term::{Fun, Node, Term, Terms, Value};

/// What is done to unknown numbers.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Numbers {
    /// They are added, compared, and multiplied by short constants.
    Easy,
    /// They are multiplied by long constants or divided by constants: on the way to an answer,
    /// numbers may get so long that a few of Z3's steps take seconds.
    Long,
    /// They are multiplied by each other, or divide each other: this is not linear.
    Products,
}

/// Constants of more bits than this are long factors.
const SHORT: u64 = 16;

impl Numbers {
    /// What the outermost function of a term does.
    pub(crate) fn of(terms: &Terms, term: Term) -> Numbers {
        let Node::App(fun, args) = terms.node(term) else { return Numbers::Easy };
        if *fun == Fun::Mul {
            let lengths = args.iter().filter_map(|arg| terms.value(*arg)).map(bits);
            return lengths.min().map_or(
                Numbers::Products,
                |bits| {
                    if bits > SHORT { Numbers::Long } else { Numbers::Easy }
                },
            );
        }
        match divides(fun) {
            true if terms.value(args[1]).is_none() => Numbers::Products,
            true => Numbers::Long,
            false => Numbers::Easy,
        }
    }
}

/// Whether the function divides numbers.
pub(crate) fn divides(fun: &Fun) -> bool {
    matches!(fun, Fun::IntDiv | Fun::IntMod | Fun::RealDiv)
}

fn bits(value: &Value) -> u64 {
    let ratio = |number: &BigRational| number.numer().bits().max(number.denom().bits());
    match value {
        Value::Int(number) => number.bits(),
        Value::Real(number) => ratio(number),
        Value::Bool(_) | Value::BitVec(_) | Value::Array(_) => 0,
    }
}

/// Looks at formulas, and remembers what it has seen.
#[derive(Debug, Default)]
pub(crate) struct Survey {
    /// Terms in which all numbers are easy.
    easy: FxHashSet<Term>,
    /// Other formulas.
    others: FxHashMap<Term, Numbers>,
}

impl Survey {
    /// The hardest numbers in formulas.
    pub(crate) fn hardest<'f>(&mut self, terms: &Terms, formulas: impl IntoIterator<Item = &'f Term>) -> Numbers {
        let numbers = formulas.into_iter().map(|formula| self.formula(terms, *formula));
        numbers.max().unwrap_or(Numbers::Easy)
    }

    fn formula(&mut self, terms: &Terms, formula: Term) -> Numbers {
        if let Some(known) = self.others.get(&formula) {
            return *known;
        }
        let (mut found, mut seen, mut open) = (Numbers::Easy, FxHashSet::default(), vec![formula]);
        while let Some(term) = open.pop() {
            if found < Numbers::Products && !self.easy.contains(&term) && seen.insert(term) {
                found = found.max(Numbers::of(terms, term));
                open.extend(terms.node(term).args());
            }
        }
        if found == Numbers::Easy {
            self.easy.extend(seen);
        } else {
            self.others.insert(formula, found);
        }
        found
    }
}

/// Whether unknown numbers are multiplied, or divide, in some formula.
pub(crate) fn has_products(terms: &Terms, formulas: &[Term]) -> bool {
    Survey::default().hardest(terms, formulas) == Numbers::Products
}

#[cfg(test)]
mod tests {
    use super::*;
    use tamis_term::Sort;

    #[test]
    fn constants_may_multiply_and_divide() {
        let mut terms = Terms::new();
        for (name, sort) in [("i", Sort::Int), ("j", Sort::Int), ("r", Sort::Real), ("w", Sort::BitVec(8))] {
            terms.declare(name, sort);
        }
        let mut survey = Survey::default();
        for (text, expected) in [
            ("(< (+ (* 2 i) (* i (- 3))) j)", Numbers::Easy),
            ("(<= i 99999999999999999999)", Numbers::Easy),
            ("(= (bvmul w w) (bvudiv w w))", Numbers::Easy),
            ("(= (bvmul w w) ((_ int2bv 8) (* 3 i)))", Numbers::Easy),
            ("(< (* 100000 i) j)", Numbers::Long),
            ("(< (* r (/ 1.0 100000.0)) 3.0)", Numbers::Long),
            ("(= (+ (mod i 7) (div j 2)) 0)", Numbers::Long),
            ("(or (= i 0) (< (* i j) 3))", Numbers::Products),
            ("(< (* i i) 3)", Numbers::Products),
            ("(= (div 7 i) 3)", Numbers::Products),
            ("(= (mod j i) 3)", Numbers::Products),
            ("(< (/ 1.0 r) 3.0)", Numbers::Products),
            ("(= w ((_ int2bv 8) (* j i)))", Numbers::Products),
            ("(< (+ (* 2 i) (* i (- 3))) j)", Numbers::Easy),
        ] {
            let formula = terms.read(text).unwrap();
            for _ in 0..2 {
                assert_eq!(survey.hardest(&terms, &[formula]), expected, "{text}");
            }
        }
    }
}
