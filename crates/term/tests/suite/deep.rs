//! Terms and text a million levels deep, on a thread with a small stack.

use crate::world::simplified;
use rustc_hash::FxHashMap;
use tamis_term::{ArrayValue, Fun, Sort, Term, Terms, Value, Var};

const DEPTH: usize = 1_000_000;
const STACK: usize = 192 << 10;

fn with_small_stack(work: impl FnOnce() + Send + 'static) {
    let thread = std::thread::Builder::new().stack_size(STACK).spawn(work).expect("a thread");
    thread.join().expect("no panic");
}

/// Alternates functions so that nothing folds.
fn tower(terms: &mut Terms, vars: &[Term; 3]) -> Term {
    let [x, y, b] = *vars;
    let mut term = x;
    for level in 0..DEPTH {
        term = match level % 3 {
            0 => terms.bvadd(term, y),
            1 => terms.ite(b, term, x),
            _ => terms.app(Fun::BvNot, &[term]),
        };
    }
    term
}

#[test]
fn deep_terms_are_built_evaluated_substituted_printed_and_read() {
    with_small_stack(|| {
        let mut terms = Terms::new();
        let declared = [("x", Sort::BitVec(32)), ("y", Sort::BitVec(32)), ("b", Sort::Bool), ("z", Sort::BitVec(32))];
        let vars = declared.map(|(name, sort)| terms.declare(name, sort));
        let [x, y, b, z] = vars.map(|var| terms.var(var));
        let term = tower(&mut terms, &[x, y, b]);
        assert_eq!(terms.dag_size(term), DEPTH + 3);
        assert_eq!(terms.free_vars(&[term]).len(), 3);

        let value = |var: Var| if var == vars[2] { Value::Bool(true) } else { Value::bv(32, 5) };
        let expected = (0..DEPTH).fold(5_u32, |all, level| match level % 3 {
            0 => all.wrapping_add(5),
            1 => all,
            _ => !all,
        });
        assert_eq!(terms.eval(term, value), Value::bv(32, expected.into()));

        let map: FxHashMap<Var, Term> = [(vars[1], z)].into_iter().collect();
        let moved = terms.substitute(term, &map);
        assert_eq!(moved, tower(&mut terms, &[x, z, b]));
        assert_eq!(simplified(&mut terms, term), term);

        let text = terms.smtlib(term).to_string();
        assert_eq!(terms.read(&text), Ok(term));
        assert!(matches!(tamis_term::c::expression(&terms, term, |_| "v".into()), Err(tamis_term::c::CError::TooLong)));
        drop(terms.clone());
    });
}

#[test]
fn deep_shared_terms_are_printed_and_read() {
    with_small_stack(|| {
        let mut terms = Terms::new();
        let (x, y) = (terms.declare("x", Sort::BitVec(64)), terms.declare("y", Sort::BitVec(64)));
        let (mut term, y) = (terms.var(x), terms.var(y));
        for level in 0..DEPTH / 4 {
            let sum = if level % 2 == 0 { terms.bvadd(term, y) } else { terms.bvxor(term, y) };
            term = terms.bvmul(sum, sum);
        }
        let text = terms.smtlib(term).to_string();
        assert_eq!(terms.read(&text), Ok(term));
    });
}

/// `open` a million times, `middle`, and `close` as often.
fn nested(open: &str, middle: &str, close: &str) -> String {
    format!("{}{middle}{}", open.repeat(DEPTH), close.repeat(DEPTH))
}

#[test]
fn deep_text_is_read() {
    with_small_stack(|| {
        let mut terms = Terms::new();
        terms.declare("b", Sort::Bool);
        terms.declare("x", Sort::Int);
        let (b, x) = (terms.read("b").unwrap(), terms.read("x").unwrap());
        assert_eq!(terms.read(&nested("(not ", "b", ")")), Ok(b));
        assert_eq!(terms.read(&nested("(! ", "b", " :named n)")), Ok(b));
        assert_eq!(terms.read(&nested("(let ((y x)) ", "y", ")")), Ok(x));
        assert_eq!(terms.read(&nested("(let ((y ", "x", ")) y)")), Ok(x));
        assert!(terms.read(&nested("(let ((x (+ x 1))) ", "x", ")")).is_ok());
        assert!(terms.read(&nested("(- 1 (+ x ", "x", "))")).is_ok());
        assert_eq!(terms.read(&nested("(- ", "1", ")")), terms.read("1"));
        let names: Vec<String> = (0..DEPTH / 4).map(|i| format!("(let ((n{} (+ n{i} x))) ", i + 1)).collect();
        let text = format!("(let ((n0 x)) {}n{}{})", names.concat(), DEPTH / 4, ")".repeat(DEPTH / 4));
        assert!(terms.read(&text).is_ok());
    });
}

#[test]
fn the_deepest_sort_fits_a_small_stack() {
    with_small_stack(|| {
        let text = format!("{}Int{}", "(Array Int ".repeat(127), ")".repeat(127));
        let sort = Sort::read(&text).unwrap();
        assert_eq!(sort.to_string(), text);
        assert!(Sort::read(&format!("(Array Int {text})")).is_err());
        let Sort::Array(outer) = &sort else { unreachable!() };
        let array = ArrayValue::constant(outer.clone(), Value::default_of(&outer.element));
        let value = Value::Array(Box::new(array.store(Value::int(3), Value::default_of(&outer.element))));
        assert_eq!(Value::read(&value.to_string(), &sort), Ok(value.clone()));
        let mut terms = Terms::new();
        let (a, b) = (terms.declare("a", sort.clone()), terms.constant(value));
        let a = terms.var(a);
        let equal = terms.eq(a, b);
        let text = terms.smtlib(equal).to_string();
        assert_eq!(terms.read(&text), Ok(equal));
        assert_eq!(terms.eval(equal, |_| Value::default_of(&sort)), Value::Bool(true));
    });
}

#[test]
fn deep_nonsense_is_refused() {
    with_small_stack(|| {
        let mut terms = Terms::new();
        for open in ["(", "((_ ", "(let (", "(let ((x ", "(! ", "(+ ", "((as const (Array Int ", "(Array ", "|", "\""] {
            assert!(terms.read(&open.repeat(DEPTH)).is_err(), "{open}");
            assert!(terms.read(&nested(open, "", ")")).is_err(), "{open}");
            assert!(Sort::read(&open.repeat(DEPTH)).is_err(), "{open}");
        }
        assert!(terms.read(&format!("(! true :a {})", nested("(", "", ")"))).is_ok());
        assert!(terms.read(&format!("({}", " ".repeat(DEPTH))).is_err());
        assert!(terms.read(&";\n".repeat(DEPTH)).is_err());
    });
}
