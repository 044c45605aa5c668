//! Every function: on all inputs where they are few, on samples where they are wide.

use crate::garden::{UNARY, binary};
use crate::support::{audited, backends, diagrams, is_sat};
use tamis_solver::{Bits, Diagrams, Solver};
use tamis_term::semantics::apply;
use tamis_term::value::values;
use tamis_term::{BitVec, Fun, Sort, Term, Terms, Value};

/// The functions that take bit-vectors of `width`, with the sorts of their arguments.
fn functions(width: u32) -> Vec<(Fun, Vec<Sort>)> {
    let word = Sort::BitVec(width);
    let mut all: Vec<(Fun, Vec<Sort>)> = Vec::new();
    all.extend(UNARY.map(|fun| (fun, vec![word.clone()])));
    all.extend(binary().map(|fun| (fun, vec![word.clone(), word.clone()])));
    all.push((Fun::Eq, vec![word.clone(), word.clone()]));
    all.push((Fun::Concat, vec![word.clone(), word.clone()]));
    all.push((Fun::Concat, vec![word.clone(), Sort::BitVec(2)]));
    all.push((Fun::Ite, vec![Sort::Bool, word.clone(), word.clone()]));
    for low in 0..width.min(5) {
        all.extend((low..width.min(7)).map(|high| (Fun::Extract { high, low }, vec![word.clone()])));
    }
    all.push((Fun::Extract { high: width - 1, low: width / 2 }, vec![word.clone()]));
    for by in 0..3 {
        all.extend([(Fun::ZeroExtend(by), vec![word.clone()]), (Fun::SignExtend(by), vec![word.clone()])]);
    }
    all
}

/// An application to variables, and the question whether it can be anything else than
/// evaluation says, input by input.
struct Probe {
    terms: Terms,
    bits: Bits,
    /// Not for wide words: most functions of them have no diagram.
    diagrams: Option<Diagrams>,
    fun: Fun,
    args: Vec<Term>,
    result: Term,
}

impl Probe {
    fn new(fun: Fun, sorts: &[Sort], diagrams: Option<Diagrams>) -> Probe {
        let mut terms = Terms::new();
        let vars: Vec<_> = sorts.iter().map(|sort| terms.declare("x", sort.clone())).collect();
        let args: Vec<Term> = vars.iter().map(|var| terms.var(*var)).collect();
        let result = terms.raw_app(fun.clone(), &args).unwrap();
        Probe { terms, bits: audited(), diagrams, fun, args, result }
    }

    fn check(&mut self, inputs: &[Value]) {
        let terms = &mut self.terms;
        let expected = apply(&self.fun, &inputs.iter().collect::<Vec<_>>());
        let mut assumptions = Vec::new();
        for (arg, input) in self.args.iter().zip(inputs) {
            let input = terms.constant(input.clone());
            assumptions.push(terms.raw_app(Fun::Eq, &[*arg, input]).unwrap());
        }
        let constant = terms.constant(expected.clone());
        let equal = terms.raw_app(Fun::Eq, &[self.result, constant]).unwrap();
        assumptions.push(terms.not(equal));
        let context = || format!("{} {inputs:?} = {expected:?}", self.fun);
        let diagrams = self.diagrams.iter_mut().map(|solver| solver as &mut dyn Solver);
        for solver in std::iter::once(&mut self.bits as &mut dyn Solver).chain(diagrams) {
            assert!(!is_sat(solver, terms, &assumptions), "{}", context());
            let last = assumptions.len() - 1;
            let differ = std::mem::replace(&mut assumptions[last], equal);
            assert!(is_sat(solver, terms, &assumptions), "{}", context());
            assumptions[last] = differ;
        }

        // The same on constants, which must fold at the level of gates.
        let inputs: Vec<Term> = inputs.iter().map(|input| terms.constant(input.clone())).collect();
        let folded = terms.raw_app(self.fun.clone(), &inputs).unwrap();
        let equal = terms.raw_app(Fun::Eq, &[folded, constant]).unwrap();
        let differ = terms.raw_app(Fun::Not, &[equal]).unwrap();
        let before = self.bits.effort().gates;
        assert!(!is_sat(&mut self.bits, terms, &[differ]), "folded");
        assert_eq!(self.bits.effort().gates, before, "constants take no gates");
    }
}

#[test]
fn every_function_on_all_narrow_inputs() {
    for width in 1..=5 {
        for (fun, sorts) in functions(width) {
            let mut probe = Probe::new(fun, &sorts, Some(diagrams()));
            let mut inputs = vec![Vec::new()];
            for sort in &sorts {
                let extend = |row: &Vec<Value>| {
                    let row = row.clone();
                    values(sort).map(move |value| [row.clone(), vec![value]].concat()).collect::<Vec<_>>()
                };
                inputs = inputs.iter().flat_map(extend).collect();
            }
            for input in inputs {
                probe.check(&input);
            }
        }
    }
}

/// The values where carries, signs and distances change, and a few between.
fn samples(width: u32, random: &mut fastrand::Rng) -> Vec<BitVec> {
    let small = |value| BitVec::new(width, value);
    let top = BitVec::ones(width).lshr(&small(1)).not();
    let noise = (0..width.div_ceil(64)).map(|_| small(random.u64(..)));
    let noise = noise.reduce(|a, b| a.shl(&small(64)).or(&b)).unwrap();
    vec![
        small(0),
        small(1),
        small(u64::from(width) - 1),
        small(u64::from(width)),
        BitVec::ones(width),
        top.clone(),
        top.not(),
        noise.lshr(&small(random.u64(..u64::from(width)))),
        noise,
    ]
}

#[test]
fn every_function_on_wide_samples() {
    let mut random = fastrand::Rng::with_seed(1);
    for width in [64, 65, 130] {
        for (fun, sorts) in functions(width) {
            let mut probe = Probe::new(fun, &sorts, None);
            for _ in 0..8 {
                let inputs: Vec<Value> = sorts
                    .iter()
                    .map(|sort| match sort {
                        Sort::BitVec(width) => {
                            let samples = samples(*width, &mut random);
                            Value::BitVec(random.choice(samples).unwrap())
                        }
                        Sort::Bool | Sort::Int | Sort::Real | Sort::Array(_) => Value::Bool(random.bool()),
                    })
                    .collect();
                probe.check(&inputs);
            }
        }
    }
}

#[test]
fn algebra_holds_at_every_input_at_once() {
    let mut terms = Terms::new();
    let [x, y, z] = ["x", "y", "z"].map(|name| terms.declare(name, Sort::BitVec(5))).map(|var| terms.var(var));
    let mut laws = Vec::new();
    // x = (x / y) * y + x % y, for a zero divisor too.
    for (div, rem) in [(Fun::BvUdiv, Fun::BvUrem), (Fun::BvSdiv, Fun::BvSrem)] {
        let (quotient, rest) = (terms.app(div, &[x, y]), terms.app(rem, &[x, y]));
        let product = terms.bvmul(quotient, y);
        let sum = terms.bvadd(product, rest);
        laws.push(terms.eq(sum, x));
    }
    // x * (y + z) = x * y + x * z
    let (sum, product, other) = (terms.bvadd(y, z), terms.bvmul(x, y), terms.bvmul(x, z));
    let (outer, inner) = (terms.bvmul(x, sum), terms.bvadd(product, other));
    laws.push(terms.eq(outer, inner));
    // x + -y = x - y
    let (negated, difference) = (terms.app(Fun::BvNeg, &[y]), terms.bvsub(x, y));
    let added = terms.bvadd(x, negated);
    laws.push(terms.eq(added, difference));
    // x < y or y <= x, not both
    let (less, not_above) = (terms.bvslt(x, y), terms.bvsle(y, x));
    laws.push(terms.xor(less, not_above));
    // y = 0 or x % y < y
    let (rest, zero) = (terms.bvurem(x, y), terms.bv(5, 0));
    let (undefined, in_range) = (terms.eq(y, zero), terms.bvult(rest, y));
    laws.push(terms.or(&[undefined, in_range]));

    let broken: Vec<Term> = laws.into_iter().map(|law| terms.not(law)).collect();
    for mut solver in backends() {
        for law in &broken {
            assert!(!is_sat(solver.as_mut(), &terms, &[*law]));
        }
    }
}
