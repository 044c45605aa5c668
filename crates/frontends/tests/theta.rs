//! Theta's languages: what expressions and programs mean, and what is refused.
//!
//! The programs are those of the corpus, with their verdicts in line 1. They are explored with
//! few values for what is arbitrary, by code that knows nothing of the lowering; their authors
//! chose them so that those values suffice.

#[path = "remopla/explore.rs"]
mod explore;

use std::fs;
use std::path::Path;
use std::sync::Arc;
use tamis_frontends::{Lowered, Refused, by_extension, by_name};
use tamis_ir::{Op, Severity, Sources};
use tamis_term::{Sort, Terms, Value};

type Told = Vec<String>;

/// The program, or what the user is told: the text at the place, and the message.
fn read(language: &str, text: &str) -> Result<(Terms, Lowered), Told> {
    let mut sources = Sources::new();
    let source = sources.add("text", text);
    let mut terms = Terms::new();
    let lowered = by_name(language).unwrap().lower_one(&mut terms, Arc::new(sources), source);
    lowered.map(|lowered| (terms, lowered)).map_err(|Refused { sources, errors }| {
        assert!(errors.iter().all(|error| error.severity == Severity::Error));
        errors.iter().map(|error| format!("{}: {}", sources.text(error.span).unwrap(), error.message)).collect()
    })
}

/// The values that are tried where any is possible.
fn values(sort: &Sort) -> Vec<Value> {
    match sort {
        Sort::Int => (-2..=6).map(Value::int).collect(),
        Sort::Real => {
            (0..=8).map(|n| Value::Real(Box::new(num_rational::BigRational::new(n.into(), 2.into())))).collect()
        }
        Sort::Array(_) => vec![Value::default_of(sort)],
        Sort::BitVec(width @ 4..) => [0, 1, u64::MAX].map(|n| Value::bv(*width, n)).to_vec(),
        Sort::Bool | Sort::BitVec(_) => explore::all(sort),
    }
}

#[test]
fn the_corpus_has_its_verdicts() {
    let corpus = tamis_testing::files(&Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/corpus/theta"), &[]);
    assert!(corpus.len() >= 15, "the corpus is there");
    for file in corpus {
        let text = fs::read_to_string(&file).unwrap();
        let language = by_extension(file.extension().unwrap().to_str().unwrap()).unwrap();
        let (terms, Lowered { program, warnings }) = read(language.name, &text).unwrap();
        assert!(warnings.is_empty(), "{}: {warnings:?}", file.display());
        tamis_ir::validate::validate(&terms, &program).unwrap();
        let reached = explore::reached(&terms, &program, 1_000_000, values).expect("few states");
        let holds = !reached.contains(program.property(program.default.unwrap()).name.as_str());
        let expected = text.lines().next().unwrap().strip_prefix("// expect: ").unwrap();
        assert_eq!(holds.to_string(), expected, "{}", file.display());
    }
}

/// What an expression of constants is worth, in the notation of values.
fn worth(sort: &str, expression: &str) -> String {
    let text = format!("main process p {{ var r : {sort} init loc A A -> A {{ r := {expression} }} }}");
    let (terms, lowered) = read("theta-cfa", &text).unwrap_or_else(|told| panic!("{expression}: {told:?}"));
    let edges = &lowered.program.procs[0].edges;
    let assigned = edges.iter().find_map(|edge| match &edge.op {
        Op::Assign(pairs) => Some(pairs[0].1),
        Op::Assume(_) | Op::Havoc(_) | Op::Call { .. } => None,
    });
    terms.smtlib(assigned.unwrap()).to_string()
}

#[test]
fn expressions_of_numbers_are_worth_what_theta_says() {
    let cases = [
        ("5 mod 3", "2"),
        ("5 mod -3", "2"),
        ("-5 mod 3", "1"),
        ("-5 mod -3", "1"),
        ("5 rem 3", "2"),
        ("5 rem -3", "(- 2)"),
        ("-5 rem 3", "1"),
        ("-5 rem -3", "(- 1)"),
        ("5 / 3", "1"),
        ("5 / -3", "(- 1)"),
        ("-5 div 3", "(- 2)"),
        ("-5 div -3", "2"),
        ("2 + 3 * 4 - 1", "13"),
        ("(2 + 3) * -4", "(- 20)"),
        ("10 - 3 - 2", "5"),
        ("if 1 < 2 then 3 else if true then 4 else 5", "3"),
        ("1 + if false then 3 else 4 * 2", "9"),
        ("[0 <- 7, 1 <- 8, default <- 9][1]", "8"),
        ("[0 <- 7, 0 <- 8, default <- 9][0]", "8"),
        ("[<int> default <- 9][4 <- 5][4]", "5"),
        ("[<int> default <- 9][4 <- 5][3]", "9"),
    ];
    for (expression, expected) in cases {
        assert_eq!(worth("int", expression), expected, "{expression}");
    }
    for (expression, expected) in
        [("1%2 + 1", "(/ 3.0 2.0)"), ("3", "3.0"), ("6%4 / 3", "(/ 1.0 2.0)"), ("-1%2 * 2", "(- 1.0)")]
    {
        assert_eq!(worth("rat", expression), expected, "{expression}");
    }
}

#[test]
fn operators_bind_as_in_the_grammar_of_theta() {
    let cases = [
        ("not false = false", "false"),
        ("not 1 = 2 and true", "true"),
        ("true or true and false", "true"),
        ("true xor true or true", "true"),
        ("false imply false imply false", "true"),
        ("false iff false imply true", "false"),
        ("true and false xor true", "true"),
        ("1 + 1 = 2", "true"),
        ("1 < 2 = true", "true"),
        ("4'd9 bvand 4'd3 bvor 4'd4 = 4'd5", "true"),
        ("4'd1 bvadd 4'd1 bvshl 4'd1 = 4'd4", "true"),
        ("not not true", "true"),
        ("true equal not false", "true"),
        ("(4'd3)[2:1] = 1'd1", "true"),
    ];
    for (expression, expected) in cases {
        assert_eq!(worth("bool", expression), expected, "{expression}");
    }
}

#[track_caller]
fn refused(language: &str, text: &str, expected: &[&str]) {
    assert_eq!(read(language, text).map(|_| ()).unwrap_err(), expected, "{text}");
}

#[test]
fn what_is_wrong_with_an_automaton_is_told_at_its_place() {
    let process = |body: &str| format!("main process p {{ var x : int var w : bv[4] init loc A error loc E {body} }}");
    let cases = [
        ("A -> A { x := }", &["}: expected an expression"][..]),
        ("A -> B", &["B: there is no location `B`"]),
        ("A -> A { y := 1 }", &["y: `y` is not declared"]),
        ("A -> A { x := true }", &["true: this is of type bool, not int"]),
        ("A -> A { assume x }", &["x: this is of type int, not bool"]),
        ("A -> A { assume x < w }", &["w: this is of type bv[4], no number"]),
        ("A -> A { assume w = 5'd1 }", &["5'd1: this is of type bv[5], not bv[4]"]),
        ("A -> A { w := 4'd16 }", &["4'd16: this does not fit 4 bits"]),
        ("A -> A { assume 1 < x < 3 }", &["<: `<` and `<` do not chain"]),
        ("A -> A { assume x' = 1 }", &["x': a prime has no meaning here"]),
        ("A -> A { assume forall (i : int) i = x }", &["forall: quantifiers are not supported"]),
        ("A -> A { return x }", &["return: `return` is not supported"]),
        ("var f : fp[8,24]", &["fp: floating-point numbers are not supported"]),
        ("var f : (int) -> int", &["(: functions are not supported"]),
        ("A -> A { x := x(1) }", &["(: functions are not supported, so nothing can be called"]),
        ("var x : int", &["x: `x` is declared twice"]),
        ("init loc B", &["main process p: there are 2 initial locations"]),
        ("A -> A { x := if true then 1 }", &["}: expected an operator or `else`"]),
        (
            "A -> A { x := x[1] } A -> A { w := w[9:1] }",
            &["x: this is of type int, no array", "w[9:1]: a word of 4 bits has no bits 9:1"],
        ),
    ];
    for (body, expected) in cases {
        refused("theta-cfa", &process(body), expected);
    }
    refused("theta-cfa", "process p {}", &["process: only one process is supported, the `main process`"]);
}

#[test]
fn what_is_wrong_with_a_system_is_told_at_its_place() {
    let system =
        |body: &str| format!("specification S {{ property p : {{ var x : integer {body} }} models G(x > 0) }}");
    let cases = [
        ("initial x' = 0", &["x': a prime has no meaning here"][..]),
        ("transition x'' = 0", &["x'': this is the next value of a next value"]),
        ("transition x = 1 transition", &["}: expected an expression"]),
        ("invariant x + 1", &["x + 1: this is of type int, not bool"]),
        ("assume x = 1", &["assume: expected `const`, `var`, `invariant`, `initial`, `transition` or `}`"]),
        ("var x : bool", &["x: `x` is declared twice"]),
    ];
    for (body, expected) in cases {
        refused("theta-system", &system(body), expected);
    }
    refused("theta-system", "specification S { }", &["specification S { }: there is no property, so nothing to check"]);
    let other = "specification S { property p : { } models G(true) property q : { } models F(true) }";
    refused("theta-system", other, &["F: expected `G`, the only operator that is supported"]);
    let several = "specification S { property p : { } models G(true) property q : { } models G(true) }";
    refused("theta-system", several, &["q: this property is about another system than the first"]);
}

#[test]
fn slips_of_published_systems_are_read_with_a_warning() {
    let texts = [
        "specification S { property p : { var x : int invariant x >= 0 and invariant x <= 2 } models G(x < 3) }",
        "specification S { property p : { var x : int } models G(x < 3)) }",
        "specification S { property p : { var x : int } models G((x < 3) }",
    ];
    for text in texts {
        assert_eq!(read("theta-system", text).unwrap().1.warnings.len(), 1, "{text}");
    }
}

#[test]
fn the_examples_are_programs() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let page = fs::read_to_string(root.join("docs/theta.md")).unwrap();
    let blocks = page.split("```\n").filter(|block| block.ends_with("}\n"));
    let mut texts: Vec<String> = blocks.map(ToOwned::to_owned).collect();
    assert_eq!(texts.len(), 2, "the page has two programs");
    texts.extend(
        ["fischer.system", "pump.cfa"].map(|file| fs::read_to_string(root.join("examples").join(file)).unwrap()),
    );
    for text in texts {
        let language = if text.contains("specification") { "theta-system" } else { "theta-cfa" };
        let (_, Lowered { program, warnings }) =
            read(language, &text).unwrap_or_else(|told| panic!("{told:?}\n{text}"));
        assert!(warnings.is_empty() && program.default.is_some(), "{text}");
    }
}
