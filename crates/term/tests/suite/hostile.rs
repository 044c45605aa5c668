//! Input made to break the reader: it may be refused, but never with a panic, a stack
//! overflow, or more time and memory than its length explains.

use crate::world::{World, all_sorts, cases, steps};
use proptest::prelude::*;
use tamis_term::{Sort, Terms, Value};

/// Reads the text as everything that can be read.
fn read(terms: &mut Terms, text: &str) -> bool {
    let _ = Sort::read(text);
    let _ = Value::read(text, &Sort::Int);
    terms.read(text).is_ok()
}

proptest! {
    #![proptest_config(cases(2000))]

    #[test]
    fn random_text_is_read_or_refused(text: String) {
        read(&mut Terms::new(), &text);
    }

    #[test]
    fn random_tokens_are_read_or_refused(
        tokens in prop::collection::vec(prop::sample::select(TOKENS), 0..40)
    ) {
        let mut world = World::new(&all_sorts());
        read(&mut world.terms, &tokens.join(" "));
        // The same, closed as it should be.
        let mut depth = 0_usize;
        let mut text = String::new();
        for token in &tokens {
            if *token == ")" && depth == 0 {
                continue;
            }
            depth = depth + token.matches('(').count() - token.matches(')').count().min(depth);
            text.push_str(token);
            text.push(' ');
        }
        text.push_str(&")".repeat(depth));
        read(&mut world.terms, &text);
    }

    #[test]
    fn damaged_terms_are_read_or_refused(steps in steps(12), damage: Vec<(u16, u8)>) {
        let mut world = World::grown(&all_sorts(), &steps);
        let Some(last) = world.made.last() else { return Ok(()) };
        let text = world.terms.smtlib(*last).to_string();
        let mut tokens: Vec<&str> = text.split_inclusive([' ', '(', ')']).collect();
        for (place, what) in damage {
            let place = usize::from(place) % tokens.len();
            match what % 4 {
                0 if tokens.len() > 1 => drop(tokens.remove(place)),
                1 => tokens.insert(place, TOKENS[usize::from(what) % TOKENS.len()]),
                2 => tokens.swap(place, 0),
                _ => tokens[place] = TOKENS[usize::from(what / 4) % TOKENS.len()],
            }
        }
        read(&mut world.terms, &tokens.concat());
    }
}

const TOKENS: &[&str] = &[
    "(",
    "(",
    "(",
    ")",
    ")",
    ")",
    "v0",
    "v1",
    "v2",
    "v3",
    "v6",
    "v8",
    "v10",
    "v22",
    "v24",
    "v26",
    "0",
    "1",
    "2.5",
    "#b0",
    "#b101",
    "#xff",
    "true",
    "false",
    "and",
    "or",
    "not",
    "xor",
    "=>",
    "ite",
    "=",
    "distinct",
    "bvadd",
    "bvnot",
    "bvcomp",
    "bvult",
    "concat",
    "+",
    "-",
    "*",
    "/",
    "div",
    "mod",
    "abs",
    "<",
    ">=",
    "to_real",
    "to_int",
    "is_int",
    "select",
    "store",
    "let",
    "((x",
    "x",
    "!",
    ":named",
    "_",
    "as",
    "const",
    "(_ bv5 8)",
    "(_ extract 1 0)",
    "(_ zero_extend 1)",
    "(_ repeat 2)",
    "(_ rotate_left 3)",
    "(_ rotate_right 0)",
    "(_ int2bv 4)",
    "(_ divisible 2)",
    "(_ divisible 0)",
    "(_ repeat 0)",
    "(_ bv 3)",
    "(_ bv-1 3)",
    "(as const (Array Int Int))",
    "Array",
    "Int",
    "Bool",
    "BitVec",
    "|",
    "\"",
    ";",
    "\n",
    "|a b|",
    "\"a\"\"b\"",
    "~",
    "#",
    "é",
    ":",
    "4294967296",
    "(Array Int Real)",
    "(_ bv1 1048576)",
    "(_ sign_extend 1048575)",
];

/// `open` and `close` around `middle`, many times.
fn nested(open: &str, middle: &str, close: &str, times: usize) -> String {
    format!("{}{middle}{}", open.repeat(times), close.repeat(times))
}

#[test]
fn short_text_for_huge_values_is_not_computed() {
    let mut terms = Terms::new();
    // Numbers, fractions, vectors and arrays that double with every let.
    for (start, step) in [
        ("3", "(* x x)"),
        ("(- 3)", "(* x x)"),
        ("(/ 2 3)", "(* x x)"),
        ("(/ 2 3)", "(+ x (/ x 7.5))"),
        ("#b1011", "(bvmul x x)"),
        ("((as const (Array Int Int)) 0)", "(store x 1 (+ 1 (select x 1)))"),
    ] {
        let text = format!("(let ((x {start})) {})", nested(&format!("(let ((x {step})) "), "x", ")", 5000));
        assert!(read(&mut terms, &text), "{step}");
    }
    let text = format!("(let ((x #b1011)) {})", nested("(let ((x (concat x x))) ", "x", ")", 5000));
    assert!(!read(&mut terms, &text));
}

#[test]
fn wide_vectors_are_not_computed_again_and_again() {
    let mut terms = Terms::new();
    let text = nested("(let ((x (bvadd (bvnot x) x))) ", "x", ")", 20_000);
    let term = terms.read(&format!("(let ((x ((_ sign_extend 1048575) #b1))) {text})")).unwrap();
    assert!(terms.value(term).is_none());
    assert_eq!(terms.width(term), 1 << 20);
}

#[test]
fn long_numbers_are_refused() {
    let mut terms = Terms::new();
    let digits = "7".repeat(1_000_000);
    assert!(!read(&mut terms, &digits));
    assert!(!read(&mut terms, &format!("0.{digits}")));
    assert!(!read(&mut terms, &format!("(_ bv{digits} 8)")));
    assert!(!read(&mut terms, &format!("#b{}", "1".repeat(2_000_000))));
    assert!(read(&mut terms, &format!("#b{}", "1".repeat(1_000_000))));
    let nines = "9".repeat(10_000);
    assert!(read(&mut terms, &nines));
    assert!(read(&mut terms, &format!("(/ (- {nines}) {})", "7".repeat(10_000))));
    assert!(read(&mut terms, &format!("0.{}", "3".repeat(9_999))));
}

#[test]
fn many_pairs_are_refused() {
    let mut terms = Terms::new();
    let args = (0..1000).map(|i| format!(" {i}")).collect::<Vec<_>>().concat();
    assert!(read(&mut terms, &format!("(distinct{args})")));
    let many = format!("(and {})", format!("(distinct{args}) ").repeat(20));
    assert!(!read(&mut terms, &many));
}

#[test]
fn long_chains_of_stores_are_one_constant() {
    let mut terms = Terms::new();
    let cells = (0..100_000).map(|i| format!(" {i} {})", i % 7)).collect::<Vec<_>>().concat();
    let text = format!("{}((as const (Array Int Int)) 0){cells}", "(store ".repeat(100_000));
    let before = terms.len();
    let array = terms.read(&text).unwrap();
    assert!(terms.value(array).is_some());
    assert_eq!(terms.len(), before + 1);
    let printed = terms.smtlib(array).to_string();
    assert_eq!(Value::read(&printed, terms.sort(array)).as_ref(), Ok(terms.value(array).unwrap()));
    // With names for the steps it is no constant, but still linear.
    let lets = nested("(let ((x (store x 1 (+ 1 (select x 1))))) ", "x", ")", 20_000);
    assert!(terms.read(&format!("(let ((x {text})) {lets})")).is_ok());
}

#[test]
fn large_sorts_are_refused() {
    let balanced = (0..20).fold("Int".to_owned(), |sort, _| format!("(Array {sort} {sort})"));
    assert!(Sort::read(&balanced).is_err());
    assert!(Sort::read(&nested("(Array Int ", "Int", ")", 1_000_000)).is_err());
    assert!(Sort::read(&nested("(Array Int ", "Int", ")", 100)).is_ok());
}
