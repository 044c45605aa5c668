//! Terms become Z3's: each once, arguments first, without recursion.

use crate::Why;
use rustc_hash::FxHashMap;
use std::str::FromStr;
use tamis_term::walk::post_order;
use tamis_term::{ArraySort, BitVec, Fun, Node, Sort, StopSignal, Term, Terms, Value, Var};
use z3::ast::{Array, BV, Bool, Dynamic, Int, Real};

/// The widest bit-vector that Z3 gets: what is wider would fill the memory before the search.
const MAX_WIDTH: u32 = 1 << 16;
/// How many terms are translated between two looks at the stop signal.
const LOOK: usize = 1 << 12;

/// What the terms of one arena are in Z3. All live in the context of this thread.
#[derive(Default)]
pub(crate) struct Encoder {
    done: FxHashMap<Term, Dynamic>,
    vars: FxHashMap<Var, Dynamic>,
    sorts: Sorts,
    /// A variable with its term, to recognise the arena by.
    landmark: Option<(Term, Var)>,
}

/// What the sorts are in Z3.
#[derive(Default)]
pub(crate) struct Sorts(FxHashMap<Sort, z3::Sort>);

impl Encoder {
    pub(crate) fn landmark(&self) -> Option<(Term, Var)> {
        self.landmark
    }

    /// A sort in Z3.
    pub(crate) fn sort(&mut self, sort: &Sort) -> Result<z3::Sort, Why> {
        self.sorts.get(sort)
    }

    /// A Boolean term in Z3.
    pub(crate) fn truth(&mut self, terms: &Terms, term: Term, stop: &StopSignal) -> Result<Bool, Why> {
        if !self.done.contains_key(&term) {
            self.add(terms, term, stop)?;
        }
        Ok(truth(&self.done[&term]))
    }

    /// A variable in Z3.
    pub(crate) fn var(&mut self, terms: &Terms, var: Var) -> Result<Dynamic, Why> {
        if let Some(known) = self.vars.get(&var) {
            return Ok(known.clone());
        }
        let sort = self.sorts.get(terms.var_sort(var))?;
        let known = Dynamic::new_const(name(var), &sort);
        self.vars.insert(var, known.clone());
        Ok(known)
    }

    fn add(&mut self, terms: &Terms, root: Term, stop: &StopSignal) -> Result<(), Why> {
        for (count, term) in post_order(terms, &[root]).into_iter().enumerate() {
            if count % LOOK == LOOK - 1 && stop.is_set() {
                return Err(Why::Interrupted);
            }
            if self.done.contains_key(&term) {
                continue;
            }
            if let Sort::BitVec(width) = terms.sort(term)
                && *width > MAX_WIDTH
            {
                return Err(Why::Unsupported(format!("bit-vectors of more than {MAX_WIDTH} bits")));
            }
            let made = match terms.node(term) {
                Node::Const(value) => self.constant(value)?,
                Node::Var(var) => {
                    self.landmark = Some((term, *var));
                    self.var(terms, *var)?
                }
                Node::App(fun, args) => {
                    let args: Vec<&Dynamic> = args.iter().map(|arg| &self.done[arg]).collect();
                    apply(&mut self.sorts, fun, &args)?
                }
            };
            self.done.insert(term, made);
        }
        Ok(())
    }

    /// A value in Z3.
    pub(crate) fn constant(&mut self, value: &Value) -> Result<Dynamic, Why> {
        Ok(match value {
            Value::Bool(value) => Bool::from_bool(*value).into(),
            Value::BitVec(bits) => word(bits).into(),
            Value::Int(value) => number(Int::from_str(&value.to_string()).ok())?.into(),
            Value::Real(value) => {
                let (over, under) = (value.numer().to_string(), value.denom().to_string());
                number(Real::from_rational_str(&over, &under))?.into()
            }
            Value::Array(array) => {
                let default = self.constant(array.default())?;
                let mut made = self.sorts.const_array(array.sort(), &default)?;
                for (index, element) in array.cells() {
                    let (index, element) = (self.constant(index)?, self.constant(element)?);
                    made = cells(&made).store(&index, &element).into();
                }
                made
            }
        })
    }
}

impl Sorts {
    pub(crate) fn get(&mut self, sort: &Sort) -> Result<z3::Sort, Why> {
        if let Some(known) = self.0.get(sort) {
            return Ok(known.clone());
        }
        // Sorts nest no deeper than their text, which is bounded where it is read.
        let made = match sort {
            Sort::Bool => z3::Sort::bool(),
            Sort::BitVec(width) if *width > MAX_WIDTH => {
                return Err(Why::Unsupported(format!("bit-vectors of more than {MAX_WIDTH} bits")));
            }
            Sort::BitVec(width) => z3::Sort::bitvector(*width),
            Sort::Int => z3::Sort::int(),
            Sort::Real => z3::Sort::real(),
            Sort::Array(array) => z3::Sort::array(&self.get(&array.index)?, &self.get(&array.element)?),
        };
        self.0.insert(sort.clone(), made.clone());
        Ok(made)
    }

    fn const_array(&mut self, sort: &ArraySort, element: &Dynamic) -> Result<Dynamic, Why> {
        Ok(Array::const_array(&self.get(&sort.index)?, element).into())
    }
}

/// What a variable is called in Z3: its number, because names may be anything.
pub(crate) fn name(var: Var) -> String {
    format!("v{}", var.index())
}

fn number<T>(made: Option<T>) -> Result<T, Why> {
    made.ok_or_else(|| Why::GaveUp("Z3 does not take a number".to_owned()))
}

fn word(bits: &BitVec) -> BV {
    let bools: Vec<bool> = (0..bits.width()).map(|i| bits.bit(i)).collect();
    BV::from_bits(&bools).expect("a bit-vector has bits")
}

fn truth(term: &Dynamic) -> Bool {
    term.as_bool().expect("a term that is well sorted")
}

fn bits(term: &Dynamic) -> BV {
    term.as_bv().expect("a term that is well sorted")
}

fn int(term: &Dynamic) -> Int {
    term.as_int().expect("a term that is well sorted")
}

fn real(term: &Dynamic) -> Real {
    term.as_real().expect("a term that is well sorted")
}

fn cells(term: &Dynamic) -> Array {
    term.as_array().expect("a term that is well sorted")
}

/// Applies a function as [`tamis_term::semantics`] means it.
fn apply(sorts: &mut Sorts, fun: &Fun, args: &[&Dynamic]) -> Result<Dynamic, Why> {
    let word = |made: fn(&BV, &BV) -> BV| made(&bits(args[0]), &bits(args[1])).into();
    let compare = |made: fn(&BV, &BV) -> Bool| made(&bits(args[0]), &bits(args[1])).into();
    Ok(match fun {
        Fun::Not => truth(args[0]).not().into(),
        Fun::And => Bool::and(&truths(args)).into(),
        Fun::Or => Bool::or(&truths(args)).into(),
        Fun::Xor => truth(args[0]).xor(truth(args[1])).into(),
        Fun::Ite => truth(args[0]).ite(args[1], args[2]),
        Fun::Eq => args[0].eq(args[1]).into(),
        Fun::BvNot => bits(args[0]).bvnot().into(),
        Fun::BvNeg => bits(args[0]).bvneg().into(),
        Fun::BvAnd => word(|a, b| a.bvand(b)),
        Fun::BvOr => word(|a, b| a.bvor(b)),
        Fun::BvXor => word(|a, b| a.bvxor(b)),
        Fun::BvAdd => word(|a, b| a.bvadd(b)),
        Fun::BvSub => word(|a, b| a.bvsub(b)),
        Fun::BvMul => word(|a, b| a.bvmul(b)),
        Fun::BvUdiv => word(|a, b| a.bvudiv(b)),
        Fun::BvUrem => word(|a, b| a.bvurem(b)),
        Fun::BvSdiv => word(|a, b| a.bvsdiv(b)),
        Fun::BvSrem => word(|a, b| a.bvsrem(b)),
        Fun::BvSmod => word(|a, b| a.bvsmod(b)),
        Fun::BvShl => word(|a, b| a.bvshl(b)),
        Fun::BvLshr => word(|a, b| a.bvlshr(b)),
        Fun::BvAshr => word(|a, b| a.bvashr(b)),
        Fun::BvUlt => compare(|a, b| a.bvult(b)),
        Fun::BvUle => compare(|a, b| a.bvule(b)),
        Fun::BvSlt => compare(|a, b| a.bvslt(b)),
        Fun::BvSle => compare(|a, b| a.bvsle(b)),
        Fun::Concat => word(|a, b| a.concat(b)),
        Fun::Extract { high, low } => bits(args[0]).extract(*high, *low).into(),
        Fun::ZeroExtend(by) => bits(args[0]).zero_ext(*by).into(),
        Fun::SignExtend(by) => bits(args[0]).sign_ext(*by).into(),
        Fun::Neg => match args[0].as_int() {
            Some(a) => a.unary_minus().into(),
            None => real(args[0]).unary_minus().into(),
        },
        Fun::Add => numbers(args, |a, b| Int::add(&[a, b]).into(), |a, b| Real::add(&[a, b]).into()),
        Fun::Sub => numbers(args, |a, b| Int::sub(&[a, b]).into(), |a, b| Real::sub(&[a, b]).into()),
        Fun::Mul => numbers(args, |a, b| Int::mul(&[a, b]).into(), |a, b| Real::mul(&[a, b]).into()),
        Fun::Lt => numbers(args, |a, b| a.lt(b).into(), |a, b| a.lt(b).into()),
        Fun::Le => numbers(args, |a, b| a.le(b).into(), |a, b| a.le(b).into()),
        Fun::IntDiv => by_zero(args, &Int::from_i64(0).into(), &int(args[0]).div(int(args[1])).into()),
        Fun::IntMod => by_zero(args, args[0], &int(args[0]).modulo(int(args[1])).into()),
        Fun::RealDiv => by_zero(args, &Real::from_rational(0, 1).into(), &real(args[0]).div(real(args[1])).into()),
        Fun::ToReal => int(args[0]).to_real().into(),
        Fun::ToInt => real(args[0]).to_int().into(),
        Fun::IsInt => real(args[0]).is_int().into(),
        Fun::UbvToInt => bits(args[0]).to_int(false).into(),
        Fun::SbvToInt => bits(args[0]).to_int(true).into(),
        Fun::IntToBv(width) => BV::from_int(&int(args[0]), *width).into(),
        Fun::Select => cells(args[0]).select(args[1]),
        Fun::Store => cells(args[0]).store(args[1], args[2]).into(),
        Fun::ConstArray(sort) => sorts.const_array(sort, args[0])?,
    })
}

fn truths(args: &[&Dynamic]) -> Vec<Bool> {
    args.iter().map(|arg| truth(arg)).collect()
}

/// What exists on integers and on reals.
fn numbers(args: &[&Dynamic], ints: fn(Int, Int) -> Dynamic, reals: fn(Real, Real) -> Dynamic) -> Dynamic {
    match args[0].as_int() {
        Some(a) => ints(a, int(args[1])),
        None => reals(real(args[0]), real(args[1])),
    }
}

/// The quotient, or what it is if the divisor is zero.
fn by_zero(args: &[&Dynamic], open: &Dynamic, quotient: &Dynamic) -> Dynamic {
    let zero: Dynamic = match args[1].as_int() {
        Some(_) => Int::from_i64(0).into(),
        None => Real::from_rational(0, 1).into(),
    };
    args[1].eq(&zero).ite(open, quotient)
}
