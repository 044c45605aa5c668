//! What the user is told about a text.

use super::read;
use tamis_ir::{Diagnostic, Severity, Sources};

/// The diagnostics as `text at the place: message`.
fn told(sources: &Sources, diagnostics: &[Diagnostic]) -> Vec<String> {
    let one = |d: &Diagnostic| format!("{}: {}", sources.text(d.span).expect("a place in the text"), d.message);
    diagnostics.iter().map(one).collect()
}

#[track_caller]
fn refused(text: &str, expected: &[&str]) {
    let read = read(text);
    let errors = read.result.expect_err(text);
    assert!(errors.iter().all(|error| error.severity == Severity::Error));
    assert_eq!(told(&read.sources, &errors), expected, "{text}");
}

#[track_caller]
fn warned(text: &str, expected: &[&str]) {
    let read = read(text);
    let warnings = read.result.expect(text).warnings;
    assert!(warnings.iter().all(|warning| warning.severity == Severity::Warning && warning.hint.is_some()));
    assert_eq!(told(&read.sources, &warnings), expected, "{text}");
}

/// A main function with this body, and something to check.
pub fn main_with(body: &str) -> String {
    format!("decl a, b, c; void main() begin {body}; assert(T) end")
}

#[test]
fn warnings_point_at_doubtful_places() {
    let disputed = |body: &str, place: &str, first: &str, second: &str| {
        let warning = format!("{place}: `{first}` and `{second}` bind in another order in SATABS");
        warned(&main_with(body), &[&warning]);
    };
    disputed("a := a = b & c", "= b &", "=", "&");
    disputed("a := a | b != c", "| b !=", "|", "!=");
    disputed("a := a | b ^ c", "| b ^", "|", "^");
    disputed("a := a => b => c", "=> b =>", "=>", "=>");
    disputed("assume(a | b & c ^ a)", "| b & c ^", "|", "^");
    warned(
        &main_with("a := (a = b & c) | schoose[a | b ^ c, a = b | c = a] | !(a & b = c)"),
        &[
            "= b &: `=` and `&` bind in another order in SATABS",
            "| b ^: `|` and `^` bind in another order in SATABS",
            "= b |: `=` and `|` bind in another order in SATABS",
            "& b =: `&` and `=` bind in another order in SATABS",
        ],
    );
    for clear in ["a = (b & c)", "a & b => c = a", "a & b | c", "a ^ b & c", "a = b != c", "!a = b", "(a = b) | c"] {
        warned(&main_with(&format!("a := {clear}")), &[]);
    }
    warned("void main() begin end", &["void main(): nothing to check: there is no `assert`"]);
    warned("void main() begin L: skip end", &["void main(): nothing to check: there is no `assert`"]);
    warned("bool main() begin assert(T) end", &["end: `main` may end without `return`"]);
    warned(&main_with("ASYNC_1: skip"), &["ASYNC_1: labels of this kind start a thread in SATABS"]);
}

#[test]
fn many_warnings_are_cut_short() {
    let warnings = read(&main_with(&"a := a = b & c;".repeat(1000))).result.unwrap().warnings;
    assert_eq!(warnings.len(), 21);
    assert_eq!(warnings[20].message, "and 980 more warnings from here on");
}

#[test]
fn names_and_numbers_are_checked_all_at_once() {
    refused("", &[": there is no function `main`"]);
    refused("void f() begin end", &["f: there is no function `main`"]);
    refused(
        "decl a, b, a; void f(x, x) begin decl x; end void f() begin end void main() begin decl _; end",
        &[
            "a: `a` is declared twice",
            "x: `x` is declared twice",
            "x: `x` is declared twice",
            "f: function `f` is defined twice",
            "_: `_` cannot be declared",
        ],
    );
    refused(
        &main_with("a := x & y; x := F; a := _; goto L, M; L: L: skip; d := z"),
        &[
            "x: unknown variable `x`",
            "y: unknown variable `y`",
            "_: `_` has no value",
            "M: unknown label `M`",
            "L: label `L` is in `main` twice",
            "d: unknown variable `d`",
            "z: unknown variable `z`",
        ],
    );
    refused(
        "decl a, b; bool<2> f(x) begin return x; end void g() begin return a, b; L: end
         void main() begin a := f(T); a, b := f(); a, a := f(F); a, a := T, F; a := T, F; g(a); h(); a := g(); goto L end",
        &[
            "return x: `f` returns 2 values, not 1",
            "return a, b: `g` returns no value, not 2",
            "f: `f` returns 2 values, not 1",
            "f: `f` takes 1 argument, not 0",
            "a: `a` is assigned twice in one step",
            "a: `a` is assigned twice in one step",
            "a := T, F: 2 values for 1 variable",
            "g: `g` takes no argument, not 1",
            "h: unknown function `h`",
            "g: `g` returns no value, not 1",
            "L: unknown label `L`",
        ],
    );
    refused(&main_with("a := 'b; assume('a)"), &["'b: `'b` outside `constrain`", "'a: `'a` outside `constrain`"]);
    refused(
        "decl a; void main() begin enforce 'a; enforce a | *; end",
        &["'a: `'a` outside `constrain`", "a | *: a nondeterministic value in `enforce`"],
    );
}

#[test]
fn parsing_goes_on_after_an_error() {
    refused(
        "decl a b; decl c;
         void f( begin c := T; end
         void main() begin
             a := ; b := (a; c := T skip; 7 := a; if then a := b od; while a do
             x; goto; L: f(a; a := b = ; fi; assert(2); a := f(a) & b; a := b & f(a);
         end
         void g() begin skip
         void h() begin else skip fi end end; hello",
        &[
            "b: expected `,` or `;` after the declared variable",
            "begin: expected a parameter",
            ";: expected an expression",
            ";: expected an operator or `)`",
            "skip: expected `;`",
            "7: expected a statement",
            "then: expected an expression",
            "od: expected `fi`, because `if` is open",
            ";: expected `:=`, `(` or `:` after `x`",
            ";: expected a label",
            ";: expected an operator, `,` or `)`",
            ";: expected an expression",
            "fi: expected `od`, because `while` is open",
            "2: `2` is not a Boolean constant",
            "&: expected `;`",
            "f: `f` is called inside an expression",
            "void: expected `end`",
            "else: `else` without `if`",
            "fi: `fi` without `if`",
            "end: expected `decl` or a function",
        ],
    );
}

#[test]
fn what_the_grammar_leaves_out_is_refused_by_name() {
    for (construct, name) in [
        ("start_thread goto L", "start_thread"),
        ("end_thread", "end_thread"),
        ("sync e", "sync"),
        ("atomic_begin", "atomic_begin"),
        ("atomic_end", "atomic_end"),
    ] {
        refused(&main_with(construct), &[&format!("{name}: `{name}` is not supported: there are no threads")]);
    }
    refused(
        "thread_local decl a; void main() begin end",
        &["thread_local: `thread_local` is not supported: there are no threads"],
    );
    refused(&main_with("a := f(b) constrain 'a"), &["constrain: `constrain` after a call"]);
    refused(&main_with("a, b := f(b), T"), &[",: a call must be the only value of an assignment"]);
    refused(&main_with("a, b := T, f(b)"), &["f: `f` is called inside an expression"]);
    refused(&main_with("a := T; decl d"), &["decl: `decl` among the statements"]);
    refused(&main_with("enforce a; a := T; enforce b"), &["enforce: `enforce` among the statements"]);
    refused(&main_with("a := '(b)"), &["(: expected a variable after `'`"]);
    refused("bool<0> f() begin end", &["0: a function returns 1 to 10000 values here"]);
    refused("bool<99999999999> f() begin end", &["99999999999: a function returns 1 to 10000 values here"]);
    refused("decl T; void main() begin end", &["T: expected a variable, but `T` and `F` are constants"]);
}

#[test]
fn strange_characters_and_open_ends_are_located() {
    refused(
        "decl a; @@ void main() begin a := a + a; end",
        &["@@: unexpected character `@`", "+: unexpected character `+`", "a: expected `;`"],
    );
    refused("void main() begin /* skip; end", &["/*: this comment never ends", ": expected `end`, but the text ends"]);
    refused("void main() begin if T then {x y; end", &["if: this `if` has no `fi`", "{x y; end: this name never ends"]);
    refused("void main() begin while T do assert((T)", &[": expected an operator or `)`, but the text ends"]);
}

#[test]
fn nesting_is_bounded_far_from_what_tools_write() {
    let nested = |depth: usize| main_with(&format!("a := {}a{}", "(".repeat(depth), " & b)".repeat(depth)));
    warned(&nested(10_000), &[]);
    refused(&nested(10_001), &["(: nested deeper than 10000 levels"]);
}
