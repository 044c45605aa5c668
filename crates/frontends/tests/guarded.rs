//! Guarded commands: what is lowered, and what is refused.

use std::sync::Arc;
use tamis_frontends::by_name;
use tamis_ir::{Op, Program, Sources};
use tamis_term::Terms;

/// The program of a text, or the first thing that is wrong with it.
fn lower(text: &str) -> Result<(Terms, Program), String> {
    let mut terms = Terms::new();
    let mut sources = Sources::new();
    let file = sources.add("program.gc", text);
    let lowered = by_name("guarded").expect("registered").lower_one(&mut terms, Arc::new(sources), file);
    match lowered {
        Ok(lowered) => {
            tamis_ir::validate::validate(&terms, &lowered.program).expect("a valid program");
            Ok((terms, lowered.program))
        }
        Err(refused) => Err(refused.errors[0].message.clone()),
    }
}

/// The edges of a program: the labels of both ends, if they have one, and what happens between.
fn edges(text: &str) -> Vec<String> {
    let (terms, program) = lower(text).unwrap();
    let label = |loc: tamis_ir::Loc| program.locs[loc.index()].label.clone().unwrap_or_else(|| "-".into());
    let edge = |(_, edge): (_, &tamis_ir::Edge)| {
        let what = match &edge.op {
            Op::Assume(condition) => terms.smtlib(*condition).to_string(),
            Op::Assign(pairs) => {
                let set = |(var, value): &(tamis_term::Var, tamis_term::Term)| {
                    format!("{} := {}", terms.name(*var), terms.smtlib(*value))
                };
                pairs.iter().map(set).collect::<Vec<String>>().join(", ")
            }
            Op::Havoc(_) | Op::Call { .. } => "other".into(),
        };
        format!("{} {what} {}", label(edge.from), label(edge.to))
    };
    program.edges().map(edge).collect()
}

#[test]
fn a_command_is_an_edge_at_each_place_where_it_may_be() {
    let text = "control pc: a, b; var x: int; init pc = a; unsafe pc = b & x < 0;
        pc != b & x > 1 -> pc := b, x := x - 1; x = 0 -> skip;";
    assert_eq!(
        edges(text),
        ["- true a", "a (< 1 x) -", "- x := (- x 1) b", "a (= x 0) a", "b (= x 0) b", "b (< x 0) -",]
    );
}

#[test]
fn what_is_wrong_is_told() {
    let rest = "init x = 0; unsafe x = 1;";
    for (text, expected) in [
        ("var x: int; unsafe x = 1;".to_owned(), "there is no `init`"),
        ("var x: int; init x = 1;".into(), "there is no `unsafe`"),
        (format!("var x: int; {rest} x -> skip;"), "this is a number, and a truth value is needed"),
        (format!("var x: int; {rest} x = true -> skip;"), "this is a truth value, and a number is needed"),
        (format!("var x: int; {rest} true -> y := 1;"), "`y` is not declared"),
        (format!("var x, x: int; {rest}"), "`x` is declared twice"),
        (format!("var x: int; {rest} true -> x := 1, x := 2;"), "`x` is set twice"),
        (
            format!("control p: a; var x: int; {rest} p = x -> skip;"),
            "this is a number, and a value of the program counter is needed",
        ),
        (format!("control p: a; var x: int; {rest} true -> p := x;"), "`x` is no value of the program counter"),
        (format!("control p: a; control q: b; var x: int; {rest}"), "there are two program counters"),
        (format!("var x: int; {rest} init x = 2;"), "`init` is given twice"),
        (format!("var x: int; {rest} x = 1 / 2 -> skip;"), "unexpected character `/`"),
        (format!("var x: int; {rest} x = 99999999999999999999 -> skip;"), "this number does not fit 64 bits"),
    ] {
        assert_eq!(lower(&text).map(|_| ()), Err(expected.to_owned()), "{text}");
    }
}
