//! Z3 on integers, reals and arrays of them: against evaluation under all valuations from a
//! small box, and under one that was planted.

use crate::garden::Dice;
use crate::support::{Truth, check_against};
use proptest::prelude::*;
use tamis_solver::{Answer, Solver, Z3};
use tamis_term::{ArrayValue, Fun, Sort, Term, Terms, Value, Var};

/// Terms over integers, reals, short words and arrays that grow by random applications.
struct Field {
    terms: Terms,
    vars: Vec<Var>,
    pool: Vec<Term>,
    /// Whether variables are multiplied with each other and divided by each other.
    linear: bool,
}

const OF_TWO: [Fun; 8] = [Fun::Add, Fun::Sub, Fun::Mul, Fun::Lt, Fun::Le, Fun::IntDiv, Fun::IntMod, Fun::RealDiv];
const OF_ONE: [Fun; 7] = [Fun::Neg, Fun::ToReal, Fun::ToInt, Fun::IsInt, Fun::UbvToInt, Fun::SbvToInt, Fun::IntToBv(3)];

impl Field {
    fn new(sorts: &[Sort], linear: bool) -> Field {
        let mut terms = Terms::new();
        let vars: Vec<Var> = sorts.iter().map(|sort| terms.declare("v", sort.clone())).collect();
        let mut pool: Vec<Term> = vars.iter().map(|var| terms.var(*var)).collect();
        for number in [0, 1, 2, -3] {
            let int = terms.int(number);
            pool.extend([int, terms.app(Fun::ToReal, &[int])]);
        }
        let three = terms.bv(3, 3);
        pool.push(three);
        Field { terms, vars, pool, linear }
    }

    fn pick(&self, dice: &mut Dice, fits: impl Fn(&Sort) -> bool) -> Option<Term> {
        let candidates: Vec<Term> = self.pool.iter().copied().filter(|t| fits(self.terms.sort(*t))).collect();
        (!candidates.is_empty()).then(|| candidates[dice.below(candidates.len())])
    }

    fn like(&self, dice: &mut Dice, sort: &Sort) -> Option<Term> {
        self.pick(dice, |other| other == sort)
    }

    fn grow(&mut self, dice: &mut Dice) -> Option<Term> {
        let first = self.pick(dice, |_| true)?;
        let sort = self.terms.sort(first).clone();
        let same = |dice: &mut Dice| self.like(dice, &sort);
        let truth = |dice: &mut Dice| self.like(dice, &Sort::Bool);
        let (fun, args) = match dice.below(8) {
            0 => (Fun::Eq, vec![first, same(dice)?]),
            1 => (Fun::Ite, vec![truth(dice)?, first, same(dice)?]),
            2 => match dice.below(3) {
                0 => (Fun::Not, vec![truth(dice)?]),
                1 => (Fun::And, vec![truth(dice)?, truth(dice)?]),
                _ => (Fun::Or, vec![truth(dice)?, truth(dice)?, truth(dice)?]),
            },
            3 => (OF_ONE[dice.below(OF_ONE.len())].clone(), vec![first]),
            4..=6 => (OF_TWO[dice.below(OF_TWO.len())].clone(), vec![first, same(dice)?]),
            _ => {
                let array = self.pick(dice, |sort| matches!(sort, Sort::Array(_)))?;
                let Sort::Array(sorts) = self.terms.sort(array).clone() else { return None };
                match dice.below(3) {
                    0 => (Fun::Select, vec![array, self.like(dice, &sorts.index)?]),
                    1 => {
                        let index = self.like(dice, &sorts.index)?;
                        (Fun::Store, vec![array, index, self.like(dice, &sorts.element)?])
                    }
                    _ => (Fun::ConstArray(sorts.clone()), vec![self.like(dice, &sorts.element)?]),
                }
            }
        };
        let known = |term: &Term| self.terms.value(*term).is_some();
        let multiplies = matches!(fun, Fun::Mul | Fun::IntDiv | Fun::IntMod | Fun::RealDiv);
        if self.linear && multiplies && !args.last().is_some_and(known) {
            return None;
        }
        // Not all of the functions fit.
        let term =
            if dice.below(3) == 0 { self.terms.try_app(fun, &args) } else { self.terms.raw_app(fun, &args) }.ok()?;
        self.pool.push(term);
        Some(term)
    }

    fn booleans(&self) -> Vec<Term> {
        self.pool.iter().copied().filter(|t| *self.terms.sort(*t) == Sort::Bool).collect()
    }
}

/// A few values of a sort.
fn few(sort: &Sort) -> Vec<Value> {
    let real = |over: i64, under: i64| Value::Real(Box::new(num_rational::BigRational::new(over.into(), under.into())));
    match sort {
        Sort::Bool | Sort::BitVec(_) => tamis_term::value::values(sort).collect(),
        Sort::Int => [-4, -1, 0, 1, 3].map(Value::int).into(),
        Sort::Real => vec![real(-3, 2), real(0, 1), real(1, 3), real(2, 1)],
        Sort::Array(array) => {
            let (indices, elements) = (few(&array.index), few(&array.element));
            let constants = elements.iter().map(|e| ArrayValue::constant(array.clone(), e.clone()));
            let written = indices.iter().zip(elements.iter().cycle().skip(1));
            let constant = ArrayValue::constant(array.clone(), elements[0].clone());
            let stored = written.map(|(i, e)| constant.clone().store(i.clone(), e.clone()));
            constants.chain(stored).map(|array| Value::Array(Box::new(array))).collect()
        }
    }
}

/// The fact that a variable has one of the few values.
fn boxed(terms: &mut Terms, var: Var) -> Term {
    let values = few(&terms.var_sort(var).clone());
    let var = terms.var(var);
    let cases: Vec<Term> = values
        .into_iter()
        .map(|value| {
            let value = terms.constant(value);
            terms.eq(var, value)
        })
        .collect();
    terms.or(&cases)
}

fn families() -> Vec<Vec<Sort>> {
    let (int, real, word) = (Sort::Int, Sort::Real, Sort::BitVec(3));
    let map = Sort::array(int.clone(), int.clone());
    vec![
        vec![int.clone(), int.clone(), int.clone(), Sort::Bool],
        vec![real.clone(), real.clone(), real.clone()],
        vec![int.clone(), real.clone(), word.clone()],
        vec![map.clone(), int.clone(), int.clone()],
        vec![Sort::array(real.clone(), Sort::Bool), real.clone()],
        vec![Sort::array(word.clone(), real), word],
        vec![Sort::array(int.clone(), map.clone()), map, int],
    ]
}

/// All rows of values from the small box.
fn rows(terms: &Terms, vars: &[Var]) -> Vec<Vec<Value>> {
    let mut all = vec![Vec::new()];
    for var in vars {
        let values = few(terms.var_sort(*var));
        let extend = |row: &Vec<Value>, value: &Value| row.iter().chain([value]).cloned().collect::<Vec<_>>();
        all = all.iter().flat_map(|row| values.iter().map(|value| extend(row, value)).collect::<Vec<_>>()).collect();
    }
    all
}

/// Facts about numbers from a small box, and assumptions, compared with brute force.
fn compare(which: usize, rolls: Vec<u32>, linear: bool) {
    let mut field = Field::new(&families()[which], linear);
    let mut dice = Dice::new(rolls);
    let (facts, assumptions) = (dice.below(3), 1 + dice.below(4));
    while !dice.is_empty() {
        field.grow(&mut dice);
    }
    let booleans = field.booleans();
    let mut last = booleans.iter().rev().copied();
    let mut facts: Vec<Term> = last.by_ref().take(facts).collect();
    let assumptions: Vec<Term> = last.take(assumptions).collect();
    let boxes: Vec<Term> = field.vars.clone().into_iter().map(|var| boxed(&mut field.terms, var)).collect();
    facts.extend(boxes);
    let roots = booleans.iter().chain(&facts).copied().collect();
    let rows = rows(&field.terms, &field.vars);
    let truth = Truth::under(&field.terms, &field.vars, roots, rows);
    let mut solver = Z3::default();
    for fact in &facts {
        solver.assert(&field.terms, *fact).unwrap();
    }
    check_against(&truth, &field.terms, &mut solver, &facts, &assumptions);
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 1500, ..ProptestConfig::default() })]

    #[test]
    fn answers_agree_with_brute_force_in_a_box(
        which in 0..families().len(),
        rolls in prop::collection::vec(any::<u32>(), 30..160),
    ) {
        compare(which, rolls, true);
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 400, ..ProptestConfig::default() })]

    /// In a box, products are decided, too.
    #[test]
    fn products_agree_with_brute_force_in_a_box(
        which in 0..families().len(),
        rolls in prop::collection::vec(any::<u32>(), 30..160),
    ) {
        compare(which, rolls, false);
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 300, ..ProptestConfig::default() })]

    /// Formulas of any kind that have a solution. That none is found is allowed, because some
    /// are not decidable; that there is none would be the worst error of all.
    #[test]
    fn what_has_a_solution_is_not_refuted(
        which in 0..families().len(),
        seeds in prop::collection::vec(any::<prop::sample::Index>(), 4),
        rolls in prop::collection::vec(any::<u32>(), 60..200),
    ) {
        let mut field = Field::new(&families()[which], false);
        let mut dice = Dice::new(rolls);
        while !dice.is_empty() {
            field.grow(&mut dice);
        }
        let vars = field.vars.clone();
        let plan: Vec<Value> = vars.iter().zip(&seeds).map(|(var, seed)| {
            let values = few(field.terms.var_sort(*var));
            seed.get(&values).clone()
        }).collect();
        let mut solver = Z3::default();
        solver.limit(tamis_solver::Limit { time: None, steps: Some(300_000) });
        for fact in field.booleans() {
            let value = |var: Var| plan[vars.iter().position(|v| *v == var).unwrap()].clone();
            let holds = field.terms.eval(fact, value).as_bool();
            let fact = if holds { fact } else { field.terms.not(fact) };
            solver.assert(&field.terms, fact).unwrap();
        }
        let answer = solver.check(&field.terms, &[]).unwrap();
        prop_assert!(!matches!(answer, Answer::Unsat(_)), "it has a solution");
    }
}
