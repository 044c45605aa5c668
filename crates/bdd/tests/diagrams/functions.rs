//! Every function of finite sorts, on all inputs.

use crate::garden::{UNARY, binary};
use crate::support::{Rows, manager};
use fastrand::Rng;
use tamis_term::{Fun, Sort, Terms};

fn word_functions(width: u32) -> Vec<(Fun, Vec<Sort>)> {
    let word = Sort::BitVec(width);
    let mut all: Vec<(Fun, Vec<Sort>)> = Vec::new();
    all.extend(UNARY.map(|fun| (fun, vec![word.clone()])));
    all.extend(binary().map(|fun| (fun, vec![word.clone(); 2])));
    all.push((Fun::Concat, vec![word.clone(), Sort::BitVec(2)]));
    for low in 0..width {
        all.extend((low..width).map(|high| (Fun::Extract { high, low }, vec![word.clone()])));
    }
    for by in 0..3 {
        all.extend([(Fun::ZeroExtend(by), vec![word.clone()]), (Fun::SignExtend(by), vec![word.clone()])]);
    }
    all
}

fn core_functions() -> Vec<(Fun, Vec<Sort>)> {
    let mut all = vec![(Fun::Not, vec![Sort::Bool]), (Fun::Xor, vec![Sort::Bool; 2])];
    for count in 0..5 {
        all.extend([(Fun::And, vec![Sort::Bool; count]), (Fun::Or, vec![Sort::Bool; count])]);
    }
    let small = Sort::array(Sort::BitVec(1), Sort::BitVec(2));
    for sort in [Sort::Bool, Sort::BitVec(1), Sort::BitVec(4), small] {
        all.push((Fun::Eq, vec![sort.clone(); 2]));
        all.push((Fun::Ite, vec![Sort::Bool, sort.clone(), sort]));
    }
    all
}

fn array_functions() -> Vec<(Fun, Vec<Sort>)> {
    let (bit, two) = (Sort::BitVec(1), Sort::BitVec(2));
    let nested = Sort::array(Sort::Bool, Sort::array(bit.clone(), Sort::Bool));
    let mut all = Vec::new();
    for (index, element) in [
        (Sort::Bool, Sort::Bool),
        (bit.clone(), Sort::BitVec(3)),
        (two.clone(), Sort::Bool),
        (two.clone(), two.clone()),
        (bit.clone(), Sort::array(bit, Sort::Bool)),
        // Read with an array.
        (Sort::array(Sort::Bool, Sort::Bool), Sort::Bool),
        (Sort::Bool, nested),
    ] {
        let array = Sort::array(index.clone(), element.clone());
        let Sort::Array(sorts) = &array else { unreachable!() };
        all.push((Fun::ConstArray(sorts.clone()), vec![element.clone()]));
        all.push((Fun::Select, vec![array.clone(), index.clone()]));
        all.push((Fun::Store, vec![array, index, element]));
    }
    all
}

#[test]
fn every_function_on_all_inputs() {
    let mut random = Rng::with_seed(3);
    let words = (1..=4).flat_map(word_functions);
    for (fun, sorts) in words.chain(core_functions()).chain(array_functions()) {
        let mut terms = Terms::new();
        let vars: Vec<_> = sorts.iter().map(|sort| terms.declare("x", sort.clone())).collect();
        let args: Vec<_> = vars.iter().map(|var| terms.var(*var)).collect();
        let result = terms.raw_app(fun, &args).unwrap();
        let m = manager();
        Rows::new(&m, &terms, &vars, &mut random).compare(&m, &terms, &[result]);
    }
}

#[test]
fn constants_of_every_sort() {
    let array = Sort::array(Sort::BitVec(2), Sort::BitVec(2));
    for sort in [Sort::Bool, Sort::BitVec(4), array] {
        let mut terms = Terms::new();
        let roots: Vec<_> = tamis_term::value::values(&sort).map(|value| terms.constant(value)).collect();
        let m = manager();
        Rows::new(&m, &terms, &[], &mut Rng::with_seed(1)).compare(&m, &terms, &roots);
    }
}
