//! Random well-sorted terms over every function and sort, and environments to run them in.
//!
//! A term is described by a list of [`Step`]s, plain numbers that always make sense: each
//! applies one function to terms made before. Lists shrink well, and arguments are often
//! repeated, negated or constant, which is what simplification looks for.

use num_bigint::{BigInt, BigUint};
use num_rational::BigRational;
use proptest::prelude::*;
use rustc_hash::FxHashMap;
use std::collections::BTreeMap;
use tamis_term::value::values;
use tamis_term::{ArrayValue, BitVec, Fun, Sort, Term, Terms, Value, Var};

/// Wider vectors are not made.
const WIDEST: u32 = 140;

/// At least this many cases; `PROPTEST_CASES` asks for more.
pub fn cases(least: u32) -> ProptestConfig {
    let config = ProptestConfig::default();
    ProptestConfig { cases: config.cases.max(least), ..config }
}

/// How to make one more term.
#[derive(Clone, Copy, Debug)]
pub struct Step {
    fun: u8,
    args: [u16; 3],
    index: [u16; 2],
}

pub fn steps(count: usize) -> impl Strategy<Value = Vec<Step>> {
    let step = (any::<u8>(), any::<[u16; 3]>(), any::<[u16; 2]>());
    prop::collection::vec(step.prop_map(|(fun, args, index)| Step { fun, args, index }), 1..=count)
}

/// An arena with some variables, and all terms made so far by sort.
pub struct World {
    pub terms: Terms,
    pub vars: Vec<Var>,
    pools: BTreeMap<Sort, Vec<Term>>,
    /// The terms that steps made, in order.
    pub made: Vec<Term>,
}

/// Every kind of sort, with vectors of one bit, of a machine word, and wider.
pub fn all_sorts() -> Vec<Sort> {
    let mut sorts = vec![Sort::Bool, Sort::Int, Sort::Real];
    sorts.extend([1, 2, 3, 8, 32, 64, 65, 130].map(Sort::BitVec));
    sorts.push(Sort::array(Sort::BitVec(2), Sort::BitVec(3)));
    sorts.push(Sort::array(Sort::Int, Sort::Real));
    sorts.push(Sort::array(Sort::Bool, Sort::array(Sort::BitVec(1), Sort::Bool)));
    sorts
}

impl World {
    /// Two variables and some constants of each sort.
    pub fn new(sorts: &[Sort]) -> World {
        let mut world = World { terms: Terms::new(), vars: Vec::new(), pools: BTreeMap::new(), made: Vec::new() };
        for sort in sorts {
            for _ in 0..2 {
                let var = world.terms.declare(&format!("v{}", world.vars.len()), sort.clone());
                world.vars.push(var);
                let term = world.terms.var(var);
                world.pools.entry(sort.clone()).or_default().push(term);
            }
            for value in corner_values(sort) {
                let term = world.terms.constant(value);
                world.pools.entry(sort.clone()).or_default().push(term);
            }
        }
        world
    }

    /// A world in which the steps were taken.
    pub fn grown(sorts: &[Sort], steps: &[Step]) -> World {
        let mut world = World::new(sorts);
        for step in steps {
            world.take(step);
        }
        world
    }

    fn take(&mut self, step: &Step) {
        let Some((fun, args)) = self.application(step) else { return };
        let term = self.terms.raw_app(fun, &args).expect("the generator knows the sorts");
        let sort = self.terms.sort(term).clone();
        self.pools.entry(sort).or_default().push(term);
        self.made.push(term);
    }

    /// One of the sorts that terms have and that `accept` likes.
    fn some_sort(&self, choice: u16, accept: impl Fn(&Sort) -> bool) -> Option<Sort> {
        let sorts: Vec<&Sort> = self.pools.keys().filter(|sort| accept(sort)).collect();
        (!sorts.is_empty()).then(|| sorts[usize::from(choice) % sorts.len()].clone())
    }

    /// A term of the sort, more often a recent one.
    fn some_term(&self, choice: u16, sort: &Sort) -> Option<Term> {
        let pool = self.pools.get(sort)?;
        let back = (usize::from(choice & 0xff) % pool.len()).min(usize::from(choice >> 8) % pool.len());
        Some(pool[pool.len() - 1 - back])
    }

    /// A variable or a constant of the sort, so that products do not grow without end.
    fn some_leaf(&self, choice: u16, sort: &Sort) -> Option<Term> {
        let pool = self.pools.get(sort)?;
        Some(pool[usize::from(choice) % pool.len().min(6)])
    }

    pub fn terms_of(&self, sort: &Sort) -> &[Term] {
        self.pools.get(sort).map_or(&[], Vec::as_slice)
    }

    #[expect(clippy::many_single_char_names, reason = "numbers without further meaning")]
    fn application(&self, step: &Step) -> Option<(Fun, Vec<Term>)> {
        let [a, b, c] = step.args;
        let [i, j] = step.index;
        let is_vector = |sort: &Sort| matches!(sort, Sort::BitVec(_));
        let is_number = |sort: &Sort| matches!(sort, Sort::Int | Sort::Real);
        let is_array = |sort: &Sort| matches!(sort, Sort::Array(_));
        let all = |fun: Fun, sort: &Sort, choices: &[u16]| {
            let args: Option<Vec<Term>> = choices.iter().map(|choice| self.some_term(*choice, sort)).collect();
            Some((fun, args?))
        };
        let vector = |fun: Fun, choices: &[u16]| all(fun, &self.some_sort(i, is_vector)?, choices);
        let number = |fun: Fun, choices: &[u16]| all(fun, &self.some_sort(i, is_number)?, choices);
        let vector_functions = [Fun::WORD_FUNCTIONS.as_slice(), &Fun::WORD_COMPARISONS].concat();
        let bool = &Sort::Bool;
        match step.fun % 56 {
            0 | 1 => all(Fun::Not, bool, &[a]),
            2 | 3 => all(Fun::And, bool, &step.args[..usize::from(i % 4)]),
            4 | 5 => all(Fun::Or, bool, &step.args[..usize::from(i % 4)]),
            6 => all(Fun::Xor, bool, &[a, b]),
            7 | 8 => {
                let sort = self.some_sort(i, |_| true)?;
                let args = [self.some_term(a, bool)?, self.some_term(b, &sort)?, self.some_term(c, &sort)?];
                Some((Fun::Ite, args.to_vec()))
            }
            9 | 10 => all(Fun::Eq, &self.some_sort(i, |_| true)?, &[a, b]),
            11 => vector(Fun::BvNot, &[a]),
            12 => vector(Fun::BvNeg, &[a]),
            n @ 13..=30 => vector(vector_functions[usize::from(n - 13)].clone(), &[a, b]),
            31 => {
                let (left, right) = (self.some_sort(i, is_vector)?, self.some_sort(j, is_vector)?);
                let small = left.bits()? + right.bits()? <= u64::from(WIDEST);
                small.then_some((Fun::Concat, vec![self.some_term(a, &left)?, self.some_term(b, &right)?]))
            }
            32 | 33 => {
                let sort = self.some_sort(i, is_vector)?;
                let Sort::BitVec(width) = sort else { return None };
                let low = u32::from(j) % width;
                let high = low + u32::from(b) % (width - low);
                all(Fun::Extract { high, low }, &sort, &[a])
            }
            n @ 34..=35 => {
                let sort = self.some_sort(i, is_vector)?;
                let by = (u32::from(j) % 9).min(WIDEST - u32::try_from(sort.bits()?).ok()?);
                all(if n == 34 { Fun::ZeroExtend(by) } else { Fun::SignExtend(by) }, &sort, &[a])
            }
            36 => number(Fun::Neg, &[a]),
            37 => number(Fun::Add, &[a, b]),
            38 => number(Fun::Sub, &[a, b]),
            39 => {
                let sort = self.some_sort(i, is_number)?;
                let mut args = vec![self.some_term(a, &sort)?, self.some_leaf(b, &sort)?];
                if j.is_multiple_of(2) {
                    args.reverse();
                }
                Some((Fun::Mul, args))
            }
            40 => number(Fun::Lt, &[a, b]),
            41 => number(Fun::Le, &[a, b]),
            42 => all(Fun::IntDiv, &Sort::Int, &[a, b]),
            43 => all(Fun::IntMod, &Sort::Int, &[a, b]),
            44 => Some((Fun::RealDiv, vec![self.some_term(a, &Sort::Real)?, self.some_leaf(b, &Sort::Real)?])),
            45 => all(Fun::ToReal, &Sort::Int, &[a]),
            46 => all(Fun::ToInt, &Sort::Real, &[a]),
            47 => all(Fun::IsInt, &Sort::Real, &[a]),
            48 => vector(Fun::UbvToInt, &[a]),
            49 => vector(Fun::SbvToInt, &[a]),
            50 => all(Fun::IntToBv(1 + u32::from(j) % 70), &Sort::Int, &[a]),
            n @ 51..=54 => {
                let sort = self.some_sort(i, is_array)?;
                let Sort::Array(array) = &sort else { return None };
                let (from, at) = (self.some_term(a, &sort)?, self.some_term(b, &array.index)?);
                let write = || Some((Fun::Store, vec![from, at, self.some_term(c, &array.element)?]));
                if n < 53 { Some((Fun::Select, vec![from, at])) } else { write() }
            }
            _ => {
                let sort = self.some_sort(i, is_array)?;
                let Sort::Array(array) = &sort else { return None };
                all(Fun::ConstArray(array.clone()), &array.element, &[a])
            }
        }
    }

    /// Values of all variables, from a number.
    pub fn environment(&self, seed: u64) -> FxHashMap<Var, Value> {
        let mut random = Random(seed);
        self.vars.iter().map(|var| (*var, random.value(self.terms.var_sort(*var)))).collect()
    }

    pub fn eval(&self, term: Term, environment: &FxHashMap<Var, Value>) -> Value {
        self.terms.eval(term, |var| environment[&var].clone())
    }
}

/// Builds a term again through the simplifying constructor.
pub fn simplified(terms: &mut Terms, term: Term) -> Term {
    let rebuilt = terms.rebuild(&[term], |terms, term, args| match terms.node(term) {
        tamis_term::Node::Const(_) | tamis_term::Node::Var(_) => term,
        tamis_term::Node::App(fun, _) => terms.app(fun.clone(), args),
    });
    rebuilt[0]
}

/// Values at the edges of a sort.
pub fn corner_values(sort: &Sort) -> Vec<Value> {
    match sort {
        Sort::Bool => vec![Value::Bool(false), Value::Bool(true)],
        Sort::BitVec(width) => {
            let sign = BitVec::new(*width, 1).shl(&BitVec::from_int(*width, &BigInt::from(width - 1)));
            let edges = [BitVec::zero(*width), BitVec::new(*width, 1), BitVec::ones(*width), sign];
            edges.map(Value::BitVec).to_vec()
        }
        Sort::Int => [0, 1, -1, 2, -7].map(Value::int).to_vec(),
        Sort::Real => {
            let fraction = |n: i64, d: i64| Value::Real(Box::new(BigRational::new(n.into(), d.into())));
            vec![fraction(0, 1), fraction(1, 1), fraction(-1, 3), fraction(5, 2)]
        }
        Sort::Array(array) => {
            let constant = ArrayValue::constant(array.clone(), Value::default_of(&array.element));
            let index = corner_values(&array.index).swap_remove(1);
            let element = corner_values(&array.element).swap_remove(1);
            [constant.clone(), constant.store(index, element)].map(|a| Value::Array(Box::new(a))).to_vec()
        }
    }
}

/// A small generator of random numbers (splitmix64), so that an environment is one number.
pub struct Random(pub u64);

impl Random {
    pub fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    pub fn below(&mut self, bound: usize) -> usize {
        usize::try_from(self.next() % bound as u64).expect("below a usize")
    }

    /// A value of the sort, often one at the edges.
    pub fn value(&mut self, sort: &Sort) -> Value {
        if self.next().is_multiple_of(3) {
            let mut corners = corner_values(sort);
            return corners.swap_remove(self.below(corners.len()));
        }
        match sort {
            Sort::Bool => Value::Bool(self.next().is_multiple_of(2)),
            Sort::BitVec(width) => {
                let words = [self.next(), self.next(), self.next()];
                let big = words.iter().fold(BigUint::default(), |all, word| (all << 64_u32) | BigUint::from(*word));
                Value::BitVec(BitVec::from_big(*width, &big))
            }
            Sort::Int if self.next().is_multiple_of(4) => Value::int(i128::from(self.next()) * -77),
            Sort::Int => Value::int(i64::try_from(self.next() % 21).expect("small") - 10),
            Sort::Real => {
                let numerator = i64::try_from(self.next() % 41).expect("small") - 20;
                let denominator = i64::try_from(self.next() % 6).expect("small") + 1;
                Value::Real(Box::new(BigRational::new(numerator.into(), denominator.into())))
            }
            Sort::Array(array) => {
                let default = self.value(&array.element);
                let indices: Vec<Value> = match array.index.cardinality() {
                    Some(small @ ..=8) => values(&array.index).take(usize::try_from(small).expect("small")).collect(),
                    Some(_) | None => (0..3).map(|_| self.value(&array.index)).collect(),
                };
                let cells = indices.into_iter().map(|index| (index, self.value(&array.element))).collect::<Vec<_>>();
                Value::Array(Box::new(ArrayValue::from_cells(array.clone(), default, cells)))
            }
        }
    }
}
