//! Random terms of finite sorts from a list of choices, which proptest can shrink.

use tamis_term::value::values;
use tamis_term::{Fun, Sort, Term, Terms, Value, Var};

/// A list of choices that ends in zeros.
pub struct Dice {
    rolls: std::vec::IntoIter<u32>,
}

impl Dice {
    pub fn new(rolls: Vec<u32>) -> Dice {
        Dice { rolls: rolls.into_iter() }
    }

    pub fn is_empty(&self) -> bool {
        self.rolls.len() == 0
    }

    /// A number below `bound`.
    pub fn below(&mut self, bound: usize) -> usize {
        self.rolls.next().unwrap_or(0) as usize % bound
    }
}

/// Variables, and terms over them that grow by random applications.
pub struct Garden {
    pub terms: Terms,
    pub vars: Vec<Var>,
    pub pool: Vec<Term>,
    pub max_width: u32,
}

/// The functions of one bit-vector to its own sort.
pub const UNARY: [Fun; 2] = [Fun::BvNot, Fun::BvNeg];
/// The functions of two bit-vectors of one sort.
pub fn binary() -> impl Iterator<Item = Fun> {
    Fun::WORD_FUNCTIONS.into_iter().chain(Fun::WORD_COMPARISONS)
}

impl Garden {
    pub fn new(sorts: &[Sort]) -> Garden {
        let mut terms = Terms::new();
        let vars: Vec<Var> = sorts.iter().map(|sort| terms.declare("v", sort.clone())).collect();
        let mut pool: Vec<Term> = vars.iter().map(|var| terms.var(*var)).collect();
        for (sort, seed) in sorts.iter().chain([&Sort::Bool]).flat_map(|sort| [(sort, 1), (sort, 7)]) {
            let value = value_of(sort, seed);
            pool.push(terms.constant(value));
        }
        Garden { terms, vars, pool, max_width: 6 }
    }

    fn pick(&self, dice: &mut Dice, fits: impl Fn(&Sort) -> bool) -> Option<Term> {
        let candidates: Vec<Term> = self.pool.iter().copied().filter(|t| fits(self.terms.sort(*t))).collect();
        // Late terms are the interesting ones: half of the time, one of the last four.
        let recent = candidates.len().min(4);
        match (candidates.is_empty(), dice.below(2)) {
            (true, _) => None,
            (false, 0) => Some(candidates[candidates.len() - 1 - dice.below(recent)]),
            (false, _) => Some(candidates[dice.below(candidates.len())]),
        }
    }

    fn like(&self, dice: &mut Dice, sort: &Sort) -> Option<Term> {
        self.pick(dice, |other| other == sort)
    }

    /// Adds one random application to the pool, if the choices allow it.
    pub fn grow(&mut self, dice: &mut Dice) -> Option<Term> {
        let is_word = |sort: &Sort| matches!(sort, Sort::BitVec(_));
        let (fun, args) = match dice.below(8) {
            0 | 1 => {
                let first = self.pick(dice, |_| true)?;
                let second = self.like(dice, &self.terms.sort(first).clone())?;
                let truth = |dice: &mut Dice| self.like(dice, &Sort::Bool);
                match dice.below(6) {
                    0 => (Fun::Not, vec![truth(dice)?]),
                    1 => (Fun::Xor, vec![truth(dice)?, truth(dice)?]),
                    2 => (Fun::Ite, vec![truth(dice)?, first, second]),
                    3 => (Fun::Eq, vec![first, second]),
                    junction => {
                        let args = (0..dice.below(6)).map(|_| truth(dice)).collect::<Option<Vec<_>>>()?;
                        (if junction == 4 { Fun::And } else { Fun::Or }, args)
                    }
                }
            }
            2 => (UNARY[dice.below(UNARY.len())].clone(), vec![self.pick(dice, is_word)?]),
            3..=5 => {
                let first = self.pick(dice, is_word)?;
                let second = self.like(dice, &self.terms.sort(first).clone())?;
                (binary().nth(dice.below(binary().count())).expect("below the count"), vec![first, second])
            }
            6 => {
                let arg = self.pick(dice, is_word)?;
                let width = self.terms.width(arg);
                match dice.below(4) {
                    0 => {
                        let low = u32::try_from(dice.below(width as usize)).unwrap();
                        let high = low + u32::try_from(dice.below((width - low) as usize)).unwrap();
                        (Fun::Extract { high, low }, vec![arg])
                    }
                    1 => (Fun::ZeroExtend(u32::try_from(dice.below(4)).unwrap()), vec![arg]),
                    2 => (Fun::SignExtend(u32::try_from(dice.below(4)).unwrap()), vec![arg]),
                    _ => (Fun::Concat, vec![arg, self.pick(dice, is_word)?]),
                }
            }
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
        let sorts: Vec<&Sort> = args.iter().map(|arg| self.terms.sort(*arg)).collect();
        let sort = fun.result(&sorts).expect("chosen to fit");
        if matches!(sort, Sort::BitVec(width) if width > self.max_width) {
            return None;
        }
        // Simplified or not: the simplifier must not hide cases from the encoder.
        let term = if dice.below(4) == 0 {
            self.terms.app(fun, &args)
        } else {
            self.terms.raw_app(fun, &args).expect("chosen to fit")
        };
        self.pool.push(term);
        Some(term)
    }

    pub fn booleans(&self) -> Vec<Term> {
        self.pool.iter().copied().filter(|t| *self.terms.sort(*t) == Sort::Bool).collect()
    }
}

/// Some value of a finite sort of fewer than 2^64 values.
pub fn value_of(sort: &Sort, seed: u64) -> Value {
    match sort {
        Sort::Bool => Value::Bool(seed % 2 == 1),
        Sort::BitVec(width) => Value::bv(*width, seed),
        Sort::Int | Sort::Real | Sort::Array(_) => {
            let count = sort.cardinality().expect("a small sort");
            values(sort).nth(usize::try_from(seed % count).unwrap()).unwrap()
        }
    }
}

/// All valuations of the variables.
pub fn valuations(terms: &Terms, vars: &[Var]) -> Vec<Vec<Value>> {
    let mut all = vec![Vec::new()];
    for var in vars {
        let sort = terms.var_sort(*var);
        all = all
            .into_iter()
            .flat_map(|prefix: Vec<Value>| {
                values(sort).map(move |value| {
                    let mut row = prefix.clone();
                    row.push(value);
                    row
                })
            })
            .collect();
    }
    all
}
