//! Rules of pushdown systems: what is refused, and where. What systems mean, the corpus tells.

use std::sync::Arc;
use tamis_frontends::{Lowered, Refused, by_name};
use tamis_ir::Sources;
use tamis_term::Terms;

fn lower(text: &str) -> (Arc<Sources>, Result<Lowered, Refused>) {
    let mut sources = Sources::new();
    let source = sources.add("test.pds", text);
    let sources = Arc::new(sources);
    let frontend = by_name("pds").expect("registered");
    (sources.clone(), frontend.lower_one(&mut Terms::new(), sources, source))
}

/// The first error, and the text that it points at.
fn refused(text: &str) -> (String, String) {
    let (sources, result) = lower(text);
    let error = result.expect_err("an error").errors.remove(0);
    (error.message, sources.text(error.span).expect("a place in the text").to_owned())
}

#[test]
fn what_is_not_supported_is_refused_at_its_place() {
    for (text, message, place) in [
        ("global int x(3); (q <a>)", "numbers are not supported in rules", "int"),
        ("global bool x[3]; (q <a>)", "arrays and widths are not supported in rules", "["),
        ("(q <>)", "the stack is empty at the start", ")"),
        ("(q <a>) q <a> --> q <b c d>", "a rule writes at most two symbols", "d"),
        ("(q <a>) q <a b> --> q <b>", "a rule replaces exactly one symbol", "q <a b>"),
        ("(q <a>) q <a> --> q <b> (x)", "the frame of `a` has no variable `x`", "x"),
        ("global bool g; (q <a>) q <a> --> q <b> (g'')", "the global `g` has no two primes", "g''"),
        ("local (b) bool x; (q <a>) q <a> --> q <b> (x'')", "there is no frame behind the arrow that `x` is in", "x''"),
        ("global bool g, g; (q <a>)", "`g` is declared twice", "g"),
        ("local (z) bool x; (q <a>)", "no rule mentions the symbol `z`", "z"),
        ("(q <a>) q <a> --> q <b> (true &)", "expected a variable, `true`, `false`, `!` or `(`", ")"),
        ("(q <a>) q <a> -> q <b>", "expected `-->`", "->"),
    ] {
        assert_eq!(refused(text), (message.into(), place.into()), "{text}");
    }
}

#[test]
fn symbols_and_heads_can_be_asked_about() {
    let (_, lowered) = lower("(0 <a>) 0 <a> --> 1 <b a> 1 <b> --> 0 <>");
    let program = lowered.expect("a system").program;
    let names: Vec<&str> = program.errors.iter().map(|property| property.name.as_str()).collect();
    assert_eq!(names, ["a", "0:a", "b", "1:b"]);
    assert_eq!(program.default, None);
}

#[test]
fn a_relation_may_be_deep_and_long() {
    let long = format!("global bool g; (q <a>) q <a> --> q <a> ({}g)", "g & ".repeat(10_000));
    assert!(lower(&long).1.is_ok());
    let deep = format!("global bool g; (q <a>) q <a> --> q <a> ({}g", "(".repeat(100_000));
    assert!(lower(&deep).1.is_err());
}
