//! Every simplification rule, on all small arguments: for each function, all tuples of
//! variables, constants, negations and repeated subterms, in all (or many) environments.

use crate::world::{Random, corner_values};
use tamis_term::{Fun, Sort, Term, Terms, Value, Var};

/// The arguments that rules look for, of one sort.
struct Shapes {
    sort: Sort,
    terms: Vec<Term>,
}

struct Rules {
    terms: Terms,
    environments: Vec<Vec<Value>>,
    checked: usize,
    simplified: usize,
}

impl Rules {
    /// Compares the raw application with the simplified one.
    fn check(&mut self, fun: &Fun, args: &[Term]) {
        let raw = self.terms.raw_app(fun.clone(), args).expect("the test knows the sorts");
        let simple = self.terms.app(fun.clone(), args);
        self.checked += 1;
        self.simplified += usize::from(raw != simple);
        for environment in &self.environments {
            let value = |term| self.terms.eval(term, |var: Var| environment[var.index()].clone());
            let (expected, found) = (value(raw), value(simple));
            assert!(expected == found, "{} became {}", self.terms.smtlib(raw), self.terms.smtlib(simple));
        }
    }

    fn singles(&mut self, fun: &Fun, args: &[Term]) {
        for a in args {
            self.check(fun, &[*a]);
        }
    }

    fn pairs(&mut self, fun: &Fun, left: &[Term], right: &[Term]) {
        for a in left {
            for b in right {
                self.check(fun, &[*a, *b]);
            }
        }
    }

    fn triples(&mut self, fun: &Fun, first: &[Term], second: &[Term], third: &[Term]) {
        for a in first {
            for b in second {
                for c in third {
                    self.check(fun, &[*a, *b, *c]);
                }
            }
        }
    }
}

fn shapes(terms: &mut Terms, sort: &Sort, negations: &[Fun]) -> Shapes {
    let vars = [terms.declare("x", sort.clone()), terms.declare("y", sort.clone())];
    let mut found: Vec<Term> = vars.iter().map(|var| terms.var(*var)).collect();
    for negation in negations {
        for i in 0..2 {
            let x = found[i];
            let once = terms.raw_app(negation.clone(), &[x]).unwrap();
            found.push(once);
            found.push(terms.raw_app(negation.clone(), &[once]).unwrap());
        }
    }
    found.extend(corner_values(sort).into_iter().map(|value| terms.constant(value)));
    Shapes { sort: sort.clone(), terms: found }
}

#[test]
fn all_small_applications_keep_their_value() {
    let mut terms = Terms::new();
    let bools = shapes(&mut terms, &Sort::Bool, &[Fun::Not]);
    let vectors = [1, 2, 65].map(|w| shapes(&mut terms, &Sort::BitVec(w), &[Fun::BvNot, Fun::BvNeg]));
    let numbers = [Sort::Int, Sort::Real].map(|sort| shapes(&mut terms, &sort, &[Fun::Neg]));
    let mut random = Random(1);
    let sorts: Vec<Sort> = [&bools].into_iter().chain(&vectors).chain(&numbers).map(|s| s.sort.clone()).collect();
    let sorts: Vec<Sort> = sorts.into_iter().flat_map(|sort| [sort.clone(), sort]).collect();
    let environments = (0..24).map(|_| sorts.iter().map(|sort| random.value(sort)).collect()).collect();
    let mut rules = Rules { terms, environments, checked: 0, simplified: 0 };
    let b = &bools.terms;

    for fun in [Fun::And, Fun::Or] {
        rules.check(&fun, &[]);
        rules.singles(&fun, b);
        rules.pairs(&fun, b, b);
        rules.triples(&fun, b, b, b);
    }
    rules.singles(&Fun::Not, b);
    rules.pairs(&Fun::Xor, b, b);
    rules.pairs(&Fun::Eq, b, b);
    rules.triples(&Fun::Ite, b, b, b);
    for Shapes { sort, terms: t } in vectors.iter().chain(&numbers) {
        rules.pairs(&Fun::Eq, t, t);
        rules.triples(&Fun::Ite, &b[..4], t, t);
        for fun in one_argument(sort) {
            rules.singles(&fun, t);
        }
        for fun in two_arguments(sort) {
            rules.pairs(&fun, t, t);
        }
    }
    rules.pairs(&Fun::Concat, &vectors[1].terms, &vectors[2].terms);
    assert!(rules.simplified * 3 > rules.checked, "{} of {}", rules.simplified, rules.checked);
}

pub fn one_argument(sort: &Sort) -> Vec<Fun> {
    match sort {
        Sort::BitVec(width) => {
            let mut funs = vec![Fun::BvNot, Fun::BvNeg, Fun::UbvToInt, Fun::SbvToInt];
            funs.extend([0, 1, 3].map(Fun::ZeroExtend));
            funs.extend([0, 1, 3].map(Fun::SignExtend));
            funs.extend((0..*width).map(|high| Fun::Extract { high, low: 0 }));
            funs.extend((0..*width).map(|low| Fun::Extract { high: width - 1, low }));
            funs
        }
        Sort::Int => vec![Fun::Neg, Fun::ToReal, Fun::IntToBv(1), Fun::IntToBv(64), Fun::IntToBv(65)],
        Sort::Real => vec![Fun::Neg, Fun::ToInt, Fun::IsInt],
        Sort::Bool | Sort::Array(_) => Vec::new(),
    }
}

pub fn two_arguments(sort: &Sort) -> Vec<Fun> {
    let numbers = [Fun::Add, Fun::Sub, Fun::Mul, Fun::Lt, Fun::Le];
    match sort {
        Sort::BitVec(_) => Fun::WORD_FUNCTIONS.into_iter().chain(Fun::WORD_COMPARISONS).collect(),
        Sort::Int => numbers.into_iter().chain([Fun::IntDiv, Fun::IntMod]).collect(),
        Sort::Real => numbers.into_iter().chain([Fun::RealDiv]).collect(),
        Sort::Bool | Sort::Array(_) => Vec::new(),
    }
}

#[test]
fn all_small_reads_and_writes_keep_their_value() {
    let mut terms = Terms::new();
    let (index, element) = (Sort::BitVec(1), Sort::BitVec(2));
    let array = Sort::array(index.clone(), element.clone());
    let Sort::Array(sorts) = &array else { unreachable!() };
    let indices = shapes(&mut terms, &index, &[]).terms;
    let elements = shapes(&mut terms, &element, &[]).terms;
    let mut arrays = shapes(&mut terms, &array, &[]).terms;
    for element in &elements {
        arrays.push(terms.raw_app(Fun::ConstArray(sorts.clone()), &[*element]).unwrap());
    }
    let mut random = Random(2);
    let order = [&index, &index, &element, &element, &array, &array];
    let environments = (0..24).map(|_| order.iter().map(|sort| random.value(sort)).collect()).collect();
    let mut rules = Rules { terms, environments, checked: 0, simplified: 0 };
    // Twice: reads below two writes, writes over writes, and writing back what was read.
    for _ in 0..2 {
        let mut written = Vec::new();
        for a in &arrays {
            for i in &indices {
                for e in &elements[..3] {
                    rules.check(&Fun::Store, &[*a, *i, *e]);
                    written.push(rules.terms.raw_app(Fun::Store, &[*a, *i, *e]).unwrap());
                }
                let read = rules.terms.raw_app(Fun::Select, &[*a, *i]).unwrap();
                for at in &indices {
                    rules.check(&Fun::Store, &[*a, *at, read]);
                }
            }
        }
        written.truncate(60);
        rules.pairs(&Fun::Select, &arrays, &indices);
        rules.pairs(&Fun::Select, &written, &indices);
        rules.pairs(&Fun::Eq, &arrays, &arrays);
        arrays.extend(written);
    }
    assert!(rules.simplified * 5 > rules.checked, "{} of {}", rules.simplified, rules.checked);
}

#[test]
fn reads_look_through_writes_at_other_constants() {
    let mut terms = Terms::new();
    let sort = Sort::array(Sort::Int, Sort::Int);
    let (a, i) = (terms.declare("a", sort), terms.declare("i", Sort::Int));
    let (a, i) = (terms.var(a), terms.var(i));
    let mut array = a;
    for k in 0..10 {
        let (at, what) = (terms.int(k), terms.int(100 + k));
        array = terms.store(array, at, what);
    }
    let (three, forty) = (terms.int(3), terms.int(40));
    let read = terms.select(array, three);
    assert_eq!(read, terms.int(103));
    let (read, plain) = (terms.select(array, forty), terms.select(a, forty));
    assert_eq!(read, plain);
    let read = terms.select(array, i);
    assert_eq!(terms.node(read).args(), [array, i]);
}

#[test]
fn folding_stops_before_it_fills_the_memory() {
    let mut terms = Terms::new();
    let mut number = terms.int(3);
    for _ in 0..100 {
        number = terms.mul(number, number);
    }
    assert!(terms.value(number).is_none());
    let sort = Sort::array(Sort::Int, Sort::Int);
    let zero = terms.int(0);
    let mut array = terms.const_array(&sort, zero);
    for k in 1..20_000 {
        let k = terms.int(k);
        array = terms.store(array, k, k);
    }
    assert!(terms.value(array).is_none());
    let last = terms.int(19_999);
    assert_eq!(terms.select(array, last), last);
    let mut bits = terms.bv(8, 5);
    for _ in 0..20 {
        bits = terms.concat(bits, bits);
    }
    assert!(terms.value(bits).is_none());
    let wide = terms.sign_extend(bits, 1 << 30);
    assert_eq!(terms.width(wide), (1 << 30) + (8 << 20));
}

#[test]
fn repeated_raw_negations_and_writes_do_not_recurse() {
    let mut terms = Terms::new();
    let (b, x) = (terms.declare("b", Sort::Bool), terms.declare("x", Sort::Int));
    let a = terms.declare("a", Sort::array(Sort::Int, Sort::Int));
    let (b, x, a) = (terms.var(b), terms.var(x), terms.var(a));
    let (mut negation, mut array, zero) = (b, a, terms.int(0));
    for _ in 0..300_001 {
        negation = terms.raw_app(Fun::Not, &[negation]).unwrap();
        array = terms.raw_app(Fun::Store, &[array, x, zero]).unwrap();
    }
    let (choice, expected) = (terms.ite(negation, x, zero), terms.ite(b, zero, x));
    assert_eq!(choice, expected);
    let (write, expected) = (terms.store(array, x, x), terms.store(a, x, x));
    assert_eq!(write, expected);
}

#[test]
fn long_conjunctions_keep_their_order_and_lose_their_repetitions() {
    let mut terms = Terms::new();
    let vars: Vec<Term> = (0..50_000)
        .map(|i| {
            let var = terms.declare(&format!("b{i}"), Sort::Bool);
            terms.var(var)
        })
        .collect();
    let mut args: Vec<Term> = vars.iter().rev().copied().collect();
    args.extend(&vars);
    let all = terms.and(&args);
    assert_eq!(terms.node(all).args(), &args[..vars.len()]);
    args.push(terms.not(vars[7]));
    assert!({
        let none = terms.and(&args);
        terms.is_false(none)
    });
}

#[test]
fn names_taken_again_and_again_stay_unique() {
    let mut terms = Terms::new();
    let vars: Vec<Var> = (0..100_000).map(|_| terms.declare("x", Sort::Bool)).collect();
    assert_eq!(terms.name(vars[99_999]), "x!99999");
    terms.declare("y!1", Sort::Bool);
    terms.declare("y", Sort::Bool);
    let y = terms.declare("y", Sort::Bool);
    assert_eq!(terms.name(y), "y!2");
}
