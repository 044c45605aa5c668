//! Diagrams as formulas.

use rustc_hash::FxHashMap;
use tamis_bdd::{Bdd, Bit, Manager};
use tamis_term::{Sort, Term, Terms};

/// What the bits of diagrams stand for, as Boolean terms.
pub(super) type Names = FxHashMap<Bit, Term>;

/// The Boolean terms of a term's bits, least significant first; arrays cell by cell.
pub(super) fn bits(terms: &mut Terms, term: Term) -> Vec<Term> {
    match terms.sort(term).clone() {
        Sort::Bool => vec![term],
        Sort::BitVec(width) => {
            let one = terms.bv(1, 1);
            (0..width)
                .map(|at| {
                    let bit = terms.extract(term, at, at);
                    terms.eq(bit, one)
                })
                .collect()
        }
        Sort::Array(array) => {
            let mut all = Vec::new();
            for index in tamis_term::value::values(&array.index) {
                let index = terms.constant(index);
                let cell = terms.select(term, index);
                all.extend(bits(terms, cell));
            }
            all
        }
        Sort::Int | Sort::Real => unreachable!("diagrams are about finite sorts"),
    }
}

/// The formula of a diagram: one conditional per node, shared as the nodes are.
pub(super) fn formula(m: &Manager, terms: &mut Terms, names: &Names, f: &Bdd, memo: &mut FxHashMap<Bdd, Term>) -> Term {
    let mut open = vec![f.clone()];
    while let Some(g) = open.last().cloned() {
        if memo.contains_key(&g) {
            open.pop();
            continue;
        }
        let Some((bit, high, low)) = m.children(&g) else {
            let truth = terms.bool(g.is_true());
            memo.insert(g, truth);
            continue;
        };
        match (memo.get(&high).copied(), memo.get(&low).copied()) {
            (Some(high), Some(low)) => {
                let node = terms.ite(names[&bit], high, low);
                memo.insert(g, node);
            }
            (known, _) => open.push(if known.is_none() { high } else { low }),
        }
    }
    memo[f]
}
