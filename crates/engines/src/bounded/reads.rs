//! Reads of large arrays as words: a read of what was written is that, where the index is the same,
//! and otherwise a read of what was there before; reads of an arbitrary array are variables, equal
//! where the indices are (Ackermann, *Solvable Cases of the Decision Problem*, 1954). Formulas
//! about memory then need no arrays, and a solver of bits answers them.

use rustc_hash::FxHashMap;
use std::collections::BTreeMap;
use std::sync::Arc;
use tamis_ir::Program;
use tamis_term::walk::post_order;
use tamis_term::{ArraySort, ArrayValue, Code, Fun, Node, Sort, Term, Terms, Value, Var};

/// Arrays of more bits are large.
const SMALL: u64 = 1 << 10;

/// What was read so far.
#[derive(Default)]
pub(super) struct Reads {
    /// What terms are without reads of large arrays; large arrays are themselves.
    done: FxHashMap<Term, Term>,
    /// What is read from an array at an index.
    found: FxHashMap<(Term, Term), Term>,
    /// The cells of arbitrary arrays.
    cells: BTreeMap<Var, Cells>,
    /// What holds of the cells and was not handed out yet.
    facts: Vec<Term>,
}

/// Cells of an arbitrary array: the index, and the variable that is there.
#[derive(Default)]
struct Cells {
    fixed: Vec<(Term, Var)>,
    open: Vec<(Term, Var)>,
}

/// Whether large arrays are neither compared nor in other arrays, so that reads are all that
/// matters of them.
pub(super) fn are_only_read(terms: &Terms, program: &Program) -> bool {
    let roots: Vec<Term> = program.edges().flat_map(|(_, edge)| edge.op.terms()).collect();
    post_order(terms, &roots).into_iter().all(|term| {
        let compares = matches!(terms.node(term), Node::App(Fun::Eq, args) if array(terms, args[0]).is_some());
        let nests = array(terms, term).is_some_and(|sort| matches!(sort.element, Sort::Array(_)));
        !compares && !nests
    })
}

/// The sort of a large array.
fn array(terms: &Terms, term: Term) -> Option<&Arc<ArraySort>> {
    let sort = terms.sort(term);
    match sort {
        Sort::Array(array) if sort.bits().is_none_or(|bits| bits > SMALL) => Some(array),
        Sort::Array(_) | Sort::Bool | Sort::BitVec(_) | Sort::Int | Sort::Real => None,
    }
}

/// What has to be known before a read is.
enum Read {
    Found(Term),
    First(Vec<(Term, Term)>),
}

impl Reads {
    /// The formula without large arrays. What [`Reads::facts`] hands out has to hold besides.
    pub(super) fn lower(&mut self, terms: &mut Terms, formula: Term) -> Term {
        let mut stack = vec![formula];
        while let Some(term) = stack.last().copied() {
            if self.done.contains_key(&term) {
                stack.pop();
                continue;
            }
            let before = stack.len();
            stack.extend(terms.node(term).args().iter().filter(|arg| !self.done.contains_key(*arg)));
            if stack.len() == before {
                stack.pop();
                let lowered = self.rebuilt(terms, term);
                self.done.insert(term, lowered);
            }
        }
        self.done[&formula]
    }

    /// What holds of the variables in all that was lowered since the last call.
    pub(super) fn facts(&mut self) -> Vec<Term> {
        std::mem::take(&mut self.facts)
    }

    fn rebuilt(&mut self, terms: &mut Terms, term: Term) -> Term {
        if array(terms, term).is_some() {
            return term;
        }
        let (fun, args) = match terms.node(term) {
            Node::App(fun, args) => (fun.clone(), args.clone()),
            Node::Var(_) | Node::Const(_) => return term,
        };
        if fun == Fun::Select && array(terms, args[0]).is_some() {
            let index = self.done[&args[1]];
            return self.read(terms, args[0], index);
        }
        let new: Vec<Term> = args.iter().map(|arg| self.done[arg]).collect();
        if new == args.as_slice() { term } else { terms.app(fun, &new) }
    }

    fn read(&mut self, terms: &mut Terms, from: Term, index: Term) -> Term {
        let mut stack = vec![(from, index)];
        while let Some(key) = stack.last().copied() {
            if self.found.contains_key(&key) {
                stack.pop();
                continue;
            }
            match self.look(terms, key.0, index) {
                Read::Found(value) => {
                    self.found.insert(key, value);
                    stack.pop();
                }
                Read::First(keys) => stack.extend(keys),
            }
        }
        self.found[&(from, index)]
    }

    /// What is in an array at an index, if what is below is known.
    fn look(&mut self, terms: &mut Terms, from: Term, index: Term) -> Read {
        let mut at = from;
        loop {
            let (fun, args) = match terms.node(at) {
                Node::Var(var) => return Read::Found(self.cell(terms, *var, index)),
                Node::Const(Value::Array(array)) => return Read::Found(element(terms, &array.clone(), index)),
                Node::Const(_) => unreachable!("an array"),
                Node::App(fun, args) => (fun.clone(), args.clone()),
            };
            let below = |array: Term| self.found.get(&(array, index)).copied().ok_or((array, index));
            if fun == Fun::Store {
                let (place, value) = (self.done[&args[1]], self.done[&args[2]]);
                let here = terms.eq(place, index);
                if terms.is_true(here) {
                    return Read::Found(value);
                }
                if terms.is_false(here) {
                    at = args[0];
                    continue;
                }
                return match below(args[0]) {
                    Ok(other) => Read::Found(terms.ite(here, value, other)),
                    Err(key) => Read::First(vec![key]),
                };
            }
            if fun == Fun::Ite {
                let condition = self.done[&args[0]];
                return match (below(args[1]), below(args[2])) {
                    (Ok(then), Ok(otherwise)) => Read::Found(terms.ite(condition, then, otherwise)),
                    (a, b) => Read::First([a, b].into_iter().filter_map(Result::err).collect()),
                };
            }
            // Nothing else is a large array that is in no other.
            return Read::Found(self.done[&args[0]]);
        }
    }

    /// A cell of an arbitrary array.
    fn cell(&mut self, terms: &mut Terms, var: Var, index: Term) -> Term {
        let Sort::Array(sort) = terms.var_sort(var).clone() else { unreachable!("an array") };
        let name = format!("{}[]", terms.name(var));
        let new = terms.declare(&name, sort.element.clone());
        let own = terms.var(new);
        let fixed = terms.value(index).is_some();
        let cells = self.cells.entry(var).or_default();
        let others = cells.fixed.iter().filter(|_| !fixed).chain(&cells.open);
        for (place, cell) in others {
            let same = terms.eq(*place, index);
            let cell = terms.var(*cell);
            let equal = terms.eq(cell, own);
            let fact = terms.implies(same, equal);
            if !terms.is_true(fact) {
                self.facts.push(fact);
            }
        }
        if fixed { &mut cells.fixed } else { &mut cells.open }.push((index, new));
        own
    }

    /// The values of all arrays that were read, given those of other variables.
    pub(super) fn arrays(&self, terms: &Terms, value: &dyn Fn(Var) -> Value) -> BTreeMap<Var, Value> {
        let all = || self.cells.values().flat_map(|cells| cells.fixed.iter().chain(&cells.open));
        let indices: Vec<Term> = all().map(|(index, _)| *index).collect();
        let mut environment = Vec::new();
        let code = Code::new(terms, &indices, |var| {
            environment.push(value(var));
            environment.len() - 1
        });
        let mut scratch = Vec::new();
        code.run(&environment, &mut scratch);
        let mut arrays = BTreeMap::new();
        let mut count = 0;
        for (var, cells) in &self.cells {
            let Sort::Array(sort) = terms.var_sort(*var) else { continue };
            let mut known = Vec::new();
            for (_, cell) in cells.fixed.iter().chain(&cells.open) {
                known.push((code.result(count, &scratch).clone(), value(*cell)));
                count += 1;
            }
            let default = Value::default_of(&sort.element);
            let array = ArrayValue::from_cells(sort.clone(), default, known);
            arrays.insert(*var, Value::Array(Box::new(array)));
        }
        arrays
    }
}

/// What is in a known array at an index.
fn element(terms: &mut Terms, array: &ArrayValue, index: Term) -> Term {
    if let Some(at) = terms.value(index) {
        let value = array.select(at).clone();
        return terms.constant(value);
    }
    let mut found = terms.constant(array.default().clone());
    for (at, value) in array.cells() {
        let (at, value) = (terms.constant(at.clone()), terms.constant(value.clone()));
        let here = terms.eq(at, index);
        found = terms.ite(here, value, found);
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;
    use fastrand::Rng;

    /// Random arrays of 256 bytes, and bytes read from them.
    struct Sample {
        terms: Terms,
        rng: Rng,
        arrays: Vec<Term>,
        bytes: Vec<Term>,
        truths: Vec<Term>,
        vars: Vec<Var>,
    }

    impl Sample {
        fn new(seed: u64) -> Sample {
            let (mut terms, rng) = (Terms::new(), Rng::with_seed(seed));
            let byte = || Sort::BitVec(8);
            let vars: Vec<Var> = [byte(), byte(), Sort::array(byte(), byte()), Sort::array(byte(), byte())]
                .into_iter()
                .map(|sort| terms.declare("v", sort))
                .collect();
            let all: Vec<Term> = vars.iter().map(|var| terms.var(*var)).collect();
            let fixed = [0, 1, 7].map(|value| terms.bv(8, value));
            let zero = terms.const_array(&Sort::array(byte(), byte()), fixed[0]);
            let mut bytes = all[..2].to_vec();
            bytes.extend(fixed);
            let truths = vec![terms.bvult(all[0], all[1])];
            let mut sample = Sample { terms, rng, arrays: vec![all[2], all[3], zero], bytes, truths, vars };
            for _ in 0..30 {
                sample.grow();
            }
            sample
        }

        fn pick(rng: &mut Rng, from: &[Term]) -> Term {
            // Recent ones more often, so that terms get deep.
            from[from.len() - 1 - rng.usize(0..from.len()).min(rng.usize(0..from.len()))]
        }

        fn grow(&mut self) {
            let Sample { terms, rng, arrays, bytes, truths, .. } = self;
            let (array, other) = (Sample::pick(rng, arrays), Sample::pick(rng, arrays));
            let (a, b) = (Sample::pick(rng, bytes), Sample::pick(rng, bytes));
            let truth = Sample::pick(rng, truths);
            match rng.u32(0..6) {
                0 | 1 => arrays.push(terms.store(array, a, b)),
                2 => arrays.push(terms.ite(truth, array, other)),
                3 | 4 => bytes.push(terms.select(array, a)),
                _ => truths.push(terms.eq(a, b)),
            }
        }

        /// Random values: few different ones, so that indices meet.
        fn value(rng: &mut Rng, sort: &Sort) -> Value {
            match sort {
                Sort::Array(array) => {
                    let cells = (0..8).map(|at| (Value::bv(8, at), Value::bv(8, rng.u64(0..8))));
                    let cells: Vec<(Value, Value)> = cells.collect();
                    Value::Array(Box::new(ArrayValue::from_cells(array.clone(), Value::bv(8, 3), cells)))
                }
                Sort::BitVec(_) | Sort::Bool | Sort::Int | Sort::Real => Value::bv(8, rng.u64(0..8)),
            }
        }
    }

    /// With cells that have the values of the arrays, the formula without arrays is as true as the
    /// one with them, all facts hold, and the arrays made of the cells mean the same.
    #[test]
    fn formulas_without_arrays_mean_the_same() {
        for seed in 0..400 {
            let mut sample = Sample::new(seed);
            let mut reads = Reads::default();
            let truths = sample.truths.clone();
            let lowered: Vec<Term> = truths.iter().map(|truth| reads.lower(&mut sample.terms, *truth)).collect();
            let facts = reads.facts();
            let Sample { terms, rng, vars, .. } = &mut sample;
            let values: BTreeMap<Var, Value> =
                vars.iter().map(|var| (*var, Sample::value(rng, terms.var_sort(*var)))).collect();
            // Cells are declared after the indices at which they are read: they are known in order.
            let mut known = values.clone();
            let mut cells: Vec<(Var, Term, Var)> = Vec::new();
            for (array, own) in &reads.cells {
                cells.extend(own.fixed.iter().chain(&own.open).map(|(index, cell)| (*cell, *index, *array)));
            }
            cells.sort_unstable();
            for (cell, index, array) in cells {
                let at = terms.eval(index, |var| known[&var].clone());
                let value = values[&array].as_array().select(&at).clone();
                known.insert(cell, value);
            }
            let again = reads.arrays(terms, &|var| known[&var].clone());
            for (old, new) in truths.iter().zip(&lowered) {
                let wanted = terms.eval(*old, |var| values[&var].clone());
                assert_eq!(terms.eval(*new, |var| known[&var].clone()), wanted, "seed {seed}: another formula");
                let other = terms.eval(*old, |var| again.get(&var).unwrap_or(&values[&var]).clone());
                assert_eq!(other, wanted, "seed {seed}: other arrays");
            }
            for fact in facts {
                assert!(terms.eval(fact, |var| known[&var].clone()).as_bool(), "seed {seed}: a fact does not hold");
            }
        }
    }
}
