//! From a set of states to a formula: a decision diagram over whole values.
//!
//! The rows are sorted, so the diagram is built by splitting ranges of rows column by
//! column. Values that lead to the same rest are grouped, and written as ranges; equal
//! subformulas are shared because terms are. A range of rows that covers everything is
//! simply true.

use rustc_hash::FxHashMap;
use tamis_cegar::Budget;
use tamis_term::{Sort, Term, Terms};
use tamis_witness::Reason;

/// A part of a state, of at most 64 bits.
#[derive(Clone, Copy, Debug)]
pub(super) struct Column {
    /// A Boolean or a bit-vector.
    pub term: Term,
    pub width: u32,
}

/// The columns that make up a term, in the order in which the term's value is packed.
pub(super) fn columns(terms: &mut Terms, term: Term) -> Vec<Column> {
    match terms.sort(term).clone() {
        Sort::Bool => vec![Column { term, width: 1 }],
        Sort::BitVec(width @ ..=64) => vec![Column { term, width }],
        Sort::BitVec(width) => (0..width)
            .step_by(64)
            .map(|low| {
                let high = (low + 63).min(width - 1);
                Column { term: terms.extract(term, high, low), width: high - low + 1 }
            })
            .collect(),
        Sort::Array(array) => {
            let mut cells = Vec::new();
            for index in tamis_term::value::values(&array.index) {
                let index = terms.constant(index);
                let cell = terms.select(term, index);
                cells.extend(columns(terms, cell));
            }
            cells
        }
        Sort::Int | Sort::Real => unreachable!("states hold values of finite sorts"),
    }
}

/// The formula that holds for exactly the given rows: `rows` has one value per column, row
/// after row.
pub(super) fn formula(terms: &mut Terms, budget: &Budget, columns: &[Column], rows: &[u64]) -> Result<Term, Reason> {
    if columns.is_empty() {
        return Ok(terms.bool(true));
    }
    let mut sorted: Vec<&[u64]> = rows.chunks_exact(columns.len()).collect();
    sorted.sort_unstable();
    sorted.dedup();
    // By column: how many bits it and those behind it have.
    let mut bits: Vec<u64> = columns
        .iter()
        .rev()
        .scan(0, |sum, c| {
            *sum += u64::from(c.width);
            Some(*sum)
        })
        .collect();
    bits.reverse();
    let mut build = Build { terms, budget, columns, bits, calls: 0 };
    if sorted.is_empty() { Ok(build.terms.bool(false)) } else { build.split(&sorted, 0) }
}

struct Build<'b> {
    terms: &'b mut Terms,
    budget: &'b Budget,
    columns: &'b [Column],
    bits: Vec<u64>,
    calls: u64,
}

impl Build<'_> {
    /// The formula over the columns from `at` on, for rows that agree on those before.
    fn split(&mut self, rows: &[&[u64]], at: usize) -> Result<Term, Reason> {
        let Some(column) = self.columns.get(at).copied() else { return Ok(self.terms.bool(true)) };
        if 1_u64.checked_shl(u32::try_from(self.bits[at]).unwrap_or(u32::MAX)) == Some(rows.len() as u64) {
            return Ok(self.terms.bool(true));
        }
        self.calls += 1;
        if self.calls.is_multiple_of(1 << 14) {
            self.budget.check()?;
        }
        // Groups of values with the same rest, in order of their first value.
        let mut groups: Vec<(Term, Vec<u64>)> = Vec::new();
        let mut place: FxHashMap<Term, usize> = FxHashMap::default();
        for run in rows.chunk_by(|a, b| a[at] == b[at]) {
            let rest = self.split(run, at + 1)?;
            let group = *place.entry(rest).or_insert(groups.len());
            if group == groups.len() {
                groups.push((rest, Vec::new()));
            }
            groups[group].1.push(run[0][at]);
        }
        let mut cases = Vec::with_capacity(groups.len());
        for (rest, values) in groups {
            let member = self.member(column, &values);
            cases.push(self.terms.and(&[member, rest]));
        }
        Ok(self.terms.or(&cases))
    }

    /// That the column has one of the values, which are sorted.
    fn member(&mut self, column: Column, values: &[u64]) -> Term {
        let Column { term, width } = column;
        if *self.terms.sort(term) == Sort::Bool {
            return match values {
                [0] => self.terms.not(term),
                [_] => term,
                _ => self.terms.bool(true),
            };
        }
        let max = if width == 64 { u64::MAX } else { (1 << width) - 1 };
        let inside: Vec<(u64, u64)> = ranges(values);
        let outside = complement(&inside, max);
        let (ranges, negate) = if outside.len() < inside.len() { (outside, true) } else { (inside, false) };
        let mut parts = Vec::with_capacity(ranges.len());
        for (low, high) in ranges {
            let (l, h) = (self.terms.bv(width, low), self.terms.bv(width, high));
            parts.push(if low == high {
                self.terms.eq(term, l)
            } else {
                let above = self.terms.bvule(l, term);
                let below = self.terms.bvule(term, h);
                self.terms.and(&[above, below])
            });
        }
        let any = self.terms.or(&parts);
        if negate { self.terms.not(any) } else { any }
    }
}

/// The maximal ranges of consecutive values.
fn ranges(values: &[u64]) -> Vec<(u64, u64)> {
    let mut ranges: Vec<(u64, u64)> = Vec::new();
    for value in values {
        match ranges.last_mut() {
            Some((_, high)) if *value - *high == 1 => *high = *value,
            _ => ranges.push((*value, *value)),
        }
    }
    ranges
}

/// The ranges between 0 and `max` that are not in `ranges`.
fn complement(ranges: &[(u64, u64)], max: u64) -> Vec<(u64, u64)> {
    let mut gaps = Vec::new();
    let mut next = Some(0);
    for (low, high) in ranges {
        if let Some(start) = next.filter(|start| start < low) {
            gaps.push((start, low - 1));
        }
        next = high.checked_add(1).filter(|next| *next <= max);
    }
    gaps.extend(next.map(|start| (start, max)));
    gaps
}
