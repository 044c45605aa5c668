//! Printing and reading: what the text looks like, and what is said about wrong text.

use tamis_term::{Reader, Sort, Term, Terms, Value};

/// An arena with variables of every kind of sort.
fn arena() -> Terms {
    let mut terms = Terms::new();
    for (name, sort) in [
        ("p", Sort::Bool),
        ("q", Sort::Bool),
        ("x", Sort::BitVec(8)),
        ("y", Sort::BitVec(8)),
        ("i", Sort::Int),
        ("r", Sort::Real),
        ("a", Sort::array(Sort::Int, Sort::Int)),
        ("main::k", Sort::Int),
    ] {
        terms.declare(name, sort);
    }
    terms
}

/// The text is read and printed as `printed`.
fn check(text: &str, printed: &str) {
    let mut terms = arena();
    let term = terms.read(text).unwrap_or_else(|error| panic!("{text}: {error}"));
    assert_eq!(terms.smtlib(term).to_string(), printed);
    assert_eq!(terms.read(printed), Ok(term));
}

/// The text is refused at `offset` with `message`.
fn refuse(text: &str, offset: usize, message: &str) {
    let error = arena().read(text).expect_err(text);
    assert_eq!((error.offset, error.message.as_str()), (offset, message), "{text}");
}

#[test]
fn terms_print_as_smtlib() {
    check("(bvadd x #x05)", "(bvadd x #x05)");
    check("(+ i (- 5))", "(+ i (- 5))");
    check("(- i)", "(- i)");
    check("(< r (/ 1 3))", "(< r (/ 1.0 3.0))");
    check("(< r (- (/ 1 3)))", "(< r (/ (- 1.0) 3.0))");
    check("(+ r 2)", "(+ r 2.0)");
    check("(select a i)", "(select a i)");
    check("((_ extract 3 0) x)", "((_ extract 3 0) x)");
    check("((_ int2bv 9) i)", "((_ int_to_bv 9) i)");
    check("(bv2nat x)", "(ubv_to_int x)");
    check("(+ |main::k| 1)", "(+ |main::k| 1)");
    check("(=> p q)", "(or (not p) q)");
    check("(bvugt x y)", "(bvult y x)");
    check("(distinct x y)", "(not (= x y))");
    check("(= #b101 ((_ extract 4 2) x))", "(= #b101 ((_ extract 4 2) x))");
    check(
        "(= a (store ((as const (Array Int Int)) 0) 1 (- 2)))",
        "(= a (store ((as const (Array Int Int)) 0) 1 (- 2)))",
    );
    check("(store ((as const (Array Int Int)) i) i 0)", "(store ((as const (Array Int Int)) i) i 0)");
    check("; a comment\n(and p ; another\r\n q)", "(and p q)");
}

#[test]
fn shared_terms_are_named_once() {
    check("(bvmul (bvadd x y) (bvadd x y))", "(let (($0 (bvadd x y))) (bvmul $0 $0))");
    check(
        "(let ((s (bvadd x y)) (d (bvsub x y))) (bvmul (bvand s d) (bvor s d)))",
        "(let (($0 (bvadd x y)) ($1 (bvsub x y))) (bvmul (bvand $0 $1) (bvor $0 $1)))",
    );
    check(
        "(let ((s (bvadd x y))) (let ((t (bvmul s s))) (bvudiv t (bvneg t))))",
        "(let (($0 (bvadd x y))) (let (($1 (bvmul $0 $0))) (bvudiv $1 (bvneg $1))))",
    );
}

#[test]
fn names_of_lets_avoid_names_of_variables() {
    let mut terms = Terms::new();
    let vars: Vec<Term> = ["$0", "$$7", "$x", "$"]
        .into_iter()
        .map(|name| {
            let var = terms.declare(name, Sort::Int);
            terms.var(var)
        })
        .collect();
    let sum = vars[1..].iter().fold(vars[0], |sum, var| terms.add(sum, *var));
    let square = terms.mul(sum, sum);
    let text = terms.smtlib(square).to_string();
    assert_eq!(text, "(let (($$$0 (+ (+ (+ $0 $$7) $x) $))) (* $$$0 $$$0))");
    assert_eq!(terms.read(&text), Ok(square));
}

#[test]
fn printing_is_linear_in_the_graph() {
    let mut terms = arena();
    let mut term = terms.read("x").unwrap();
    for _ in 0..1000 {
        term = terms.bvmul(term, term);
    }
    let text = terms.smtlib(term).to_string();
    assert!(text.len() < 40_000, "{}", text.len());
    assert_eq!(terms.read(&text), Ok(term));
    // A large constant is named too.
    let cells = (0..300).map(|i| format!(" {i} {})", i + 1)).collect::<Vec<_>>().concat();
    let big = format!("{}((as const (Array Int Int)) 0){cells}", "(store ".repeat(300));
    let big = terms.read(&big).unwrap();
    assert!(terms.value(big).is_some());
    let a = terms.read("a").unwrap();
    let mut facts = Vec::new();
    for i in 0..100 {
        let i = terms.int(i);
        let stored = terms.store(a, i, i);
        facts.push(terms.eq(stored, big));
    }
    let all = terms.and(&facts);
    let text = terms.smtlib(all).to_string();
    assert!(text.len() < 20_000, "{}", text.len());
    assert_eq!(terms.read(&text), Ok(all));
}

#[test]
fn declarations_list_the_variables_in_order() {
    let mut terms = arena();
    terms.declare("and", Sort::Bool);
    let term = terms.read("(and q ~and (= x y) (= (select a |main::k|) i))").unwrap();
    let expected = "(declare-const q Bool)\n\
                    (declare-const x (_ BitVec 8))\n\
                    (declare-const y (_ BitVec 8))\n\
                    (declare-const i Int)\n\
                    (declare-const a (Array Int Int))\n\
                    (declare-const |main::k| Int)\n\
                    (declare-const ~and Bool)\n";
    assert_eq!(terms.declarations(&[term]), expected);
}

#[test]
fn conjunctions_of_none_or_one_print_as_legal_smtlib() {
    use tamis_term::Fun;
    let mut terms = arena();
    let p = terms.read("p").unwrap();
    for (fun, args, expected) in [
        (Fun::And, vec![], "true"),
        (Fun::Or, vec![], "false"),
        (Fun::And, vec![p], "(and p true)"),
        (Fun::Or, vec![p], "(or p false)"),
    ] {
        let term = terms.raw_app(fun, &args).unwrap();
        assert_eq!(terms.smtlib(term).to_string(), expected);
    }
}

#[test]
fn wrong_text_is_refused_where_it_is_wrong() {
    refuse("", 0, "the text ends too early");
    refuse("(bvadd x", 8, "the text ends too early");
    refuse("(bvadd x z)", 9, "unknown symbol z");
    refuse("(foo x)", 1, "unknown function foo");
    refuse("(not x)", 0, "not does not apply to ((_ BitVec 8))");
    refuse("(and p (bvadd x i))", 7, "bvadd does not apply to ((_ BitVec 8) Int)");
    refuse("x y", 2, "expected the end of the text");
    refuse(")", 0, "expected a term");
    refuse("()", 1, "expected a function");
    refuse("(and)", 0, "expected arguments");
    refuse("((x) y)", 2, "expected a function");
    refuse("(5 x)", 1, "expected a function");
    refuse("(= p)", 0, "expected at least 2 arguments");
    refuse("(ite p x)", 0, "expected 3 arguments, found 2");
    refuse("#b", 0, "expected #x or #b and digits");
    refuse("#xg", 0, "expected #x or #b and digits");
    refuse("12a", 0, "malformed number");
    refuse("1.", 0, "malformed number");
    refuse("|x", 0, "the quoted symbol is not closed by a bar");
    refuse("|x\\|", 0, "the quoted symbol is not closed by a bar");
    refuse("\"x", 0, "the string is not closed by a quotation mark");
    refuse("\"x\"", 0, "expected a term");
    refuse("é", 0, "this character begins no token");
    refuse("(let ((s x) (s y)) s)", 0, "the let binds s twice");
    refuse("(let ((s x)) (let ((t y)) s) t)", 29, "expected a closing parenthesis");
    refuse("(+ (let ((s i)) s) s)", 19, "unknown symbol s");
    refuse("(forall ((z Int)) p)", 1, "terms with forall are not supported");
    refuse("(! p :named n", 13, "the text ends too early");
    refuse("((_ extract 8 0) x)", 0, "(_ extract 8 0) does not apply to ((_ BitVec 8))");
    refuse("((_ extract 99999999999 0) x)", 12, "the index 99999999999 is too large");
    refuse("(_ bv5 0)", 0, "bit-vectors have 1 to 1048576 bits");
    refuse("(_ bv1 4000000000)", 0, "bit-vectors have 1 to 1048576 bits");
    refuse("((_ zero_extend 4000000000) x)", 0, "bit-vectors of more than 1048576 bits are not read");
    refuse("((_ repeat 4000000000) x)", 0, "bit-vectors of more than 1048576 bits are not read");
    refuse("((_ int2bv 4000000000) i)", 0, "bit-vectors of more than 1048576 bits are not read");
    refuse("((as const (Array Int (_ BitVec 0))) x)", 22, "bit-vectors have 1 to 1048576 bits");
    refuse("((_ repeat 0) x)", 0, "a bit-vector is repeated at least once");
    refuse("((_ rotate_left 1) i)", 0, "expected a bit-vector, found a term of sort Int");
    refuse("((_ divisible 0) i)", 0, "unknown function (_ divisible …) of 1 indices");
    refuse("(bvcomp i i)", 0, "expected a bit-vector, found a term of sort Int");
    refuse("(- true)", 0, "- does not apply to (Bool)");
    refuse("(store ((as const (Array Int Int)) 0) true 0)", 0, "store does not apply to ((Array Int Int) Bool Int)");
    refuse("((as const Int) 5)", 0, "unknown function (as const Int)");
    refuse("((as const (Array Int Int)) p)", 0, "(as const (Array Int Int)) does not apply to (Bool)");
}

#[test]
fn a_reader_walks_over_the_answer_of_a_solver() {
    let text = "((x #x2a) (|main::k| (- 3)) (f (lambda ((z Int)) z))) (error \"a (b\")";
    let mut reader = Reader::new(text);
    reader.open().unwrap();
    reader.open().unwrap();
    assert_eq!(reader.symbol().unwrap(), "x");
    assert_eq!(reader.value(&Sort::BitVec(8)).unwrap(), Value::bv(8, 42));
    reader.close().unwrap();
    assert!(!reader.closes().unwrap());
    reader.open().unwrap();
    assert_eq!(reader.symbol().unwrap(), "main::k");
    assert_eq!(reader.value(&Sort::Int).unwrap(), Value::int(-3));
    reader.close().unwrap();
    reader.skip().unwrap();
    assert!(reader.closes().unwrap());
    assert!(!reader.is_at_end());
    reader.skip().unwrap();
    assert!(reader.is_at_end());
}
