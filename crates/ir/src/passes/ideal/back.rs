//! The way back from a program with integers: traces modulo the widths of the words, proofs as
//! formulas over the words.

use super::super::replay::Replay;
use super::super::{Back, EdgeMap, no_edge};
use super::choice::{Reading, Stand, words};
use super::interval::Interval;
use super::ranges::State;
use super::wide::Widener;
use crate::evidence::{Action, Proof, Trace};
use crate::program::{EdgeId, Op, Program};
use rustc_hash::FxHashMap;
use std::collections::BTreeMap;
use std::sync::Arc;
use tamis_term::{ArraySort, ArrayValue, BitVec, Sort, Terms, Value, Var};

/// The way back.
pub(super) struct Idealised {
    pub(super) old: Program,
    /// The old edges; none for edges that only assume ranges.
    pub(super) origins: EdgeMap<Option<EdgeId>>,
    pub(super) stands: BTreeMap<Var, Stand>,
    pub(super) tables: BTreeMap<Var, Var>,
    pub(super) elements: BTreeMap<Arc<ArraySort>, Reading>,
    /// The intervals at each location, if they were of use; nothing where control does not come.
    pub(super) ranges: Vec<Option<State>>,
}

impl Idealised {
    /// The values that a step of the old program chooses, given those of the new one's.
    fn inputs(&self, terms: &Terms, edge: EdgeId, values: Vec<Value>) -> Vec<Value> {
        let vars: Vec<Var> = match &self.old.edge(edge).op {
            Op::Assume(_) | Op::Assign(_) => Vec::new(),
            Op::Havoc(vars) => vars.clone(),
            Op::Call { callee, .. } => self.old.proc(*callee).inputs().copied().collect(),
        };
        let mut values = values;
        for (value, var) in values.iter_mut().zip(vars) {
            *value = word(terms, var, value);
        }
        values
    }

    /// Adds the intervals to the invariants, still about integers.
    fn conjoin_ranges(&self, terms: &mut Terms, proof: &mut Proof) {
        if self.ranges.is_empty() {
            return;
        }
        proof.invariants.retain(|loc, _| self.ranges[loc.index()].is_some());
        for (loc, invariant) in &mut proof.invariants {
            let mut parts = vec![*invariant];
            for (var, range) in self.ranges[loc.index()].iter().flatten() {
                let int = terms.var(self.stands[var].int);
                let [lo, hi] = [&range.lo, &range.hi].map(|end| terms.constant(Value::int(end.clone())));
                parts.extend([terms.le(lo, int), terms.le(int, hi)]);
            }
            *invariant = terms.and(&parts);
        }
    }

    /// The word variable named after an integer one.
    fn word_var(terms: &mut Terms, int: Var, sort: Sort) -> Var {
        let name = format!("{}.word", terms.name(int));
        match terms.find_var(&name) {
            Some(var) if *terms.var_sort(var) == sort => var,
            Some(_) | None => terms.declare(&name, sort),
        }
    }
}

/// The value as one of the variable's sort, if words are wanted where there are integers.
fn word(terms: &Terms, var: Var, value: &Value) -> Value {
    let cut = |value: &Value, width: u32| match value {
        Value::Int(number) => Value::BitVec(BitVec::from_int(width, number)),
        Value::Bool(_) | Value::BitVec(_) | Value::Real(_) | Value::Array(_) => value.clone(),
    };
    let sort = terms.var_sort(var);
    match (value, sort, words(sort)) {
        (Value::Int(_), Sort::BitVec(width), _) => cut(value, *width),
        (Value::Array(array), _, Some((sort, index, element))) if array.sort() != sort => {
            let is_index = |at: &Value| matches!(at, Value::Int(at) if Interval::unsigned(index).contains(at));
            let cells =
                array.cells().filter(|(at, _)| is_index(at)).map(|(at, cell)| (cut(at, index), cut(cell, element)));
            Value::Array(Box::new(ArrayValue::from_cells(sort.clone(), cut(array.default(), element), cells)))
        }
        _ => value.clone(),
    }
}

impl Back for Idealised {
    fn trace(&self, terms: &Terms, trace: Trace) -> Trace {
        let scalars = self.stands.iter().map(|(word, stand)| (stand.int, *word));
        let words: FxHashMap<Var, Var> =
            scalars.chain(self.tables.iter().map(|(word, table)| (*table, *word))).collect();
        let start: Vec<(Var, Value)> = trace
            .start
            .iter()
            .map(|(var, value)| {
                let var = words.get(var).copied().unwrap_or(*var);
                (var, word(terms, var, value))
            })
            .collect();
        let mut replay = Replay::new(terms, &self.old, &start);
        for step in trace.steps {
            match step.action {
                Action::Return => replay.step(Action::Return),
                Action::Take { edge, inputs } => match self.origins.get(edge) {
                    Some(Some(old)) => {
                        replay.step(Action::Take { edge: *old, inputs: self.inputs(terms, *old, inputs) });
                    }
                    Some(None) => {}
                    None => replay.step(Action::Take { edge: no_edge(edge), inputs }),
                },
            }
        }
        replay.finish()
    }

    fn proof(&self, terms: &mut Terms, mut proof: Proof) -> Proof {
        let mut known = FxHashMap::default();
        let scalars = self.stands.iter().map(|(word, stand)| (*word, stand.int, stand.reading));
        let arrays = self.tables.iter().map(|(word, table)| {
            let reading = words(terms.var_sort(*word)).and_then(|(sort, ..)| self.elements.get(sort)).copied();
            (*word, *table, reading.unwrap_or(Reading::Unsigned))
        });
        for (word, int, reading) in scalars.chain(arrays).collect::<Vec<_>>() {
            known.insert(int, (word, reading));
            if let Some(old) = proof.old.remove(&int) {
                let sort = terms.var_sort(word).clone();
                let old_word = Idealised::word_var(terms, old, sort);
                known.insert(old, (old_word, reading));
                proof.old.insert(word, old_word);
            }
        }
        proof.invariants.retain(|loc, _| loc.index() < self.old.locs.len());
        proof.passed.retain(|loc| loc.index() < self.old.locs.len());
        // An entry that comes after assumptions about ranges is an entry again.
        for entry in self.old.procs.iter().map(|proc| proc.entry) {
            if proof.passed.remove(&entry) {
                proof.invariants.insert(entry, terms.bool(true));
            }
        }
        self.conjoin_ranges(terms, &mut proof);
        let mut widener = Widener::new(terms, known);
        for formula in proof.invariants.values_mut().chain(proof.summaries.values_mut()) {
            *formula = widener.formula(*formula);
        }
        proof
    }
}
