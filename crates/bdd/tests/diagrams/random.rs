//! Random terms against evaluation, and environments other than fresh bits.

use crate::garden::{Dice, Garden};
use crate::support::{Rows, manager, sized};
use fastrand::Rng;
use proptest::prelude::*;
use rustc_hash::FxHashMap;
use tamis_bdd::{Bdd, EncodeError, Encoder, Full};
use tamis_term::{Fun, Sort, Terms, Value};

/// At most eight bits of variables each.
fn sorts() -> Vec<Vec<Sort>> {
    let (bit, two, three) = (Sort::BitVec(1), Sort::BitVec(2), Sort::BitVec(3));
    let nested = Sort::array(Sort::Bool, Sort::array(bit.clone(), bit.clone()));
    vec![
        vec![Sort::Bool, Sort::Bool, Sort::Bool, Sort::Bool],
        vec![Sort::Bool, three.clone(), three.clone()],
        vec![Sort::BitVec(4), Sort::BitVec(4)],
        vec![bit.clone(), two.clone(), Sort::BitVec(3), two.clone()],
        vec![Sort::array(bit.clone(), two.clone()), two.clone(), bit.clone()],
        vec![Sort::array(Sort::Bool, Sort::Bool), Sort::array(two.clone(), Sort::Bool), two],
        vec![nested, bit, Sort::Bool],
    ]
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 400, ..ProptestConfig::default() })]

    #[test]
    fn diagrams_agree_with_evaluation(
        which in 0..sorts().len(),
        seed in any::<u64>(),
        rolls in prop::collection::vec(any::<u32>(), 20..200),
    ) {
        let mut garden = Garden::new(&sorts()[which]);
        let mut dice = Dice::new(rolls);
        while !dice.is_empty() {
            garden.grow(&mut dice);
        }
        let m = manager();
        let rows = Rows::new(&m, &garden.terms, &garden.vars, &mut Rng::with_seed(seed));
        rows.compare(&m, &garden.terms, &garden.pool);
    }

    /// Substitution before encoding and functions in the environment are the same thing.
    #[test]
    fn variables_may_be_functions(seed in any::<u64>(), rolls in prop::collection::vec(any::<u32>(), 20..120)) {
        let sorts = [Sort::BitVec(3), Sort::BitVec(3), Sort::Bool];
        let mut garden = Garden::new(&sorts);
        let mut dice = Dice::new(rolls);
        while !dice.is_empty() {
            garden.grow(&mut dice);
        }
        let m = manager();
        let rows = Rows::new(&m, &garden.terms, &garden.vars, &mut Rng::with_seed(seed));
        let [x, y, b] = garden.vars[..] else { unreachable!() };
        // y becomes x + y, b becomes true.
        let terms = &mut garden.terms;
        let (sum, truth) = {
            let (x, y) = (terms.var(x), terms.var(y));
            (terms.bvadd(x, y), terms.constant(Value::Bool(true)))
        };
        let mut plain = rows.encoder(&m);
        let word = |bits: &[tamis_bdd::Bit]| -> Vec<Bdd> { bits.iter().map(|bit| m.bit(*bit)).collect() };
        let mut env = FxHashMap::default();
        env.insert(x, word(&rows.bits[&x]));
        env.insert(y, plain.word(&m, terms, sum).unwrap());
        env.insert(b, vec![m.constant(true)]);
        let mut shifted = Encoder::new(env);
        let replacements: FxHashMap<_, _> = [(y, sum), (b, truth)].into_iter().collect();
        for root in garden.booleans() {
            let found = shifted.truth(&m, &garden.terms, root).unwrap();
            let replaced = garden.terms.substitute(root, &replacements);
            prop_assert_eq!(&found, &plain.truth(&m, &garden.terms, replaced).unwrap());
        }
    }
}

#[test]
fn what_has_no_diagram_is_unsupported_and_the_rest_still_works() {
    let mut terms = Terms::new();
    let m = manager();
    let bits = m.add_bits(4);
    let x = terms.declare("x", Sort::BitVec(4));
    let missing = terms.declare("missing", Sort::Bool);
    let number = terms.declare("n", Sort::Int);
    let wide = terms.declare("a", Sort::array(Sort::BitVec(32), Sort::Bool));
    let mut encoder = Encoder::new([(x, bits.iter().map(|bit| m.bit(*bit)).collect())].into_iter().collect());
    let (x, missing) = (terms.var(x), terms.var(missing));
    let zero = terms.bv(4, 0);
    let is_zero = terms.eq(x, zero);
    let both = terms.and(&[is_zero, missing]);
    let integer = {
        let (n, m) = (terms.var(number), terms.var(number));
        terms.raw_app(Fun::Le, &[n, m]).unwrap()
    };
    let cell = {
        let (a, index) = (terms.var(wide), terms.bv(32, 5));
        terms.app(Fun::Select, &[a, index])
    };
    for (term, phrase) in [(both, "missing"), (integer, "Int"), (cell, "Array"), (both, "missing")] {
        match encoder.truth(&m, &terms, term) {
            Err(EncodeError::Unsupported(what)) => assert!(what.contains(phrase), "{what}"),
            other => panic!("{other:?}"),
        }
        let f = encoder.truth(&m, &terms, is_zero).unwrap();
        assert_eq!(m.count(&f, 4).to_bits(), 1.0_f64.to_bits());
    }
}

#[test]
fn what_does_not_fit_leaves_the_encoder_usable() {
    let mut terms = Terms::new();
    let m = sized(1 << 13);
    let vars = ["x", "y"].map(|name| terms.declare(name, Sort::BitVec(12)));
    let mut env: FxHashMap<_, Vec<Bdd>> = FxHashMap::default();
    let bits = m.add_bits(24);
    for (i, var) in vars.into_iter().enumerate() {
        env.insert(var, bits.iter().skip(i).step_by(2).map(|bit| m.bit(*bit)).collect());
    }
    let mut encoder = Encoder::new(env);
    let [x, y] = vars.map(|var| terms.var(var));
    let (product, sum) = (terms.bvmul(x, y), terms.bvadd(x, y));
    assert_eq!(encoder.word(&m, &terms, product).unwrap_err(), EncodeError::Full(Full::Nodes));
    assert_eq!(m.support(&encoder.word(&m, &terms, sum).unwrap()[0]).len(), 2);
    let low = terms.app(Fun::Extract { high: 3, low: 0 }, &[product]);
    assert_eq!(m.support(&encoder.word(&m, &terms, low).unwrap()[3]).len(), 8);
}
