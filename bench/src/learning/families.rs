//! The programs of figures 5 to 9 in any size, as automata over integers. All of them are safe. The
//! figures are lost; what they show is told in section 3.

use std::fmt::Write as _;

macro_rules! line {
    ($text:expr, $($arguments:tt)*) => {
        writeln!($text, $($arguments)*).expect("strings take any text")
    };
}

/// How many statements the complex functions of figures 5 and 7 have.
const COMPLEX: u32 = 20;

/// An automaton with these variables, whose first location is `L0`.
fn automaton(vars: &[&str]) -> String {
    let mut text = "main process figure {\n".to_owned();
    for var in vars {
        line!(text, "  var {var} : int");
    }
    text.push_str("  init loc L0\n  error loc E\n");
    text
}

/// A way from one location to another through a complex function: what it is given is added and
/// subtracted again, statement by statement, and `more` is added.
fn complex(text: &mut String, from: &str, to: &str, name: &str, var: &str, more: u32) {
    let mut at = from.to_owned();
    for step in 0..COMPLEX {
        let next = format!("{name}_{step}");
        let sign = if step % 2 == 0 { "+" } else { "-" };
        line!(text, "  loc {next}\n  {at} -> {next} {{ {var} := {var} {sign} {} }}", step / 2 + 1);
        at = next;
    }
    line!(text, "  {at} -> {to} {{ {var} := {var} + {more} }}");
}

/// Figure 5: the complex way is never taken, because `b` is positive.
#[must_use]
pub fn infeasible(number: u32) -> String {
    let mut text = automaton(&["s", "b"]);
    text.push_str("  loc S0\n  loc S1\n  L0 -> S1 { s := 0 }\n  S1 -> S0 { b := 1 }\n");
    for at in 0..number {
        let next = at + 1;
        line!(text, "  loc T{at}\n  loc U{at}\n  loc V{next}");
        let from = if at == 0 { "S0".to_owned() } else { format!("V{at}") };
        line!(text, "  {from} -> T{at} {{ assume b > 0 }}\n  T{at} -> V{next} {{ s := s + 1 }}");
        line!(text, "  {from} -> U{at} {{ assume b <= 0 }}");
        complex(&mut text, &format!("U{at}"), &format!("V{next}"), &format!("C{at}"), "s", 1);
    }
    line!(text, "  V{number} -> E {{ assume s > {number} }}\n}}");
    text
}

/// Figure 6: what is learned where `z` is 0 does not matter where it is 999.
#[must_use]
pub fn local(number: u32) -> String {
    let mut text = automaton(&["s", "z"]);
    text.push_str("  loc A\n  loc B\n  loc C\n  loc V0\n  L0 -> A { s := 0 }\n  A -> B { }\n  A -> C { }\n");
    text.push_str("  B -> V0 { z := 0 }\n  C -> V0 { z := 999 }\n");
    for at in 0..number {
        let next = at + 1;
        line!(text, "  loc T{at}\n  loc U{at}\n  loc V{next}");
        line!(text, "  V{at} -> T{at} {{ }}\n  T{at} -> V{next} {{ s := s + 1 }}");
        line!(text, "  V{at} -> U{at} {{ }}\n  U{at} -> V{next} {{ s := s + 2 }}");
    }
    line!(text, "  V{number} -> E {{ assume s + z > {} and z = 0 }}\n}}", 2 * number);
    text
}

/// Figure 7: a complex way to 0 leads to the same states as the simple one.
#[must_use]
pub fn coarse(number: u32) -> String {
    let mut text = automaton(&["x", "y", "s", "t"]);
    text.push_str("  loc A\n  loc A1\n  loc B\n  loc B1\n  loc C\n  loc D\n  loc V0\n");
    text.push_str("  L0 -> A { }\n  A -> A1 { x := 0 }\n  A1 -> C { y := 0 }\n  L0 -> B { x := 0 }\n");
    complex(&mut text, "B", "B1", "F", "x", 0);
    // What was added and subtracted in pairs leaves 0.
    text.push_str("  B1 -> C { y := 0 }\n  C -> D { s := x }\n  D -> V0 { t := y }\n");
    for at in 0..number {
        let next = at + 1;
        line!(text, "  loc T{at}\n  loc U{at}\n  loc W{at}\n  loc V{next}");
        line!(text, "  V{at} -> T{at} {{ }}\n  T{at} -> W{at} {{ s := s + 1 }}\n  W{at} -> V{next} {{ t := t + 1 }}");
        line!(text, "  V{at} -> U{at} {{ }}\n  U{at} -> V{next} {{ }}");
    }
    line!(text, "  V{number} -> E {{ assume t > {number} and s > {number} }}\n}}");
    text
}

/// Figure 8: a loop of as many rounds, whose invariant is found in one.
#[must_use]
pub fn invariant(number: u32) -> String {
    let mut text = automaton(&["y", "n"]);
    text.push_str("  loc A\n  loc H\n  loc B\n  loc C\n  loc X\n  L0 -> A { assume y >= 0 }\n  A -> H { n := 0 }\n");
    line!(text, "  H -> B {{ assume n < {number} }}\n  B -> C {{ y := y + 1 }}\n  C -> H {{ n := n + 1 }}");
    line!(text, "  H -> X {{ assume n >= {number} }}\n  X -> E {{ assume y + n < {number} }}\n}}");
    text
}

/// Figure 9, bad for learning: every third branch cannot be taken, and none of it matters.
#[must_use]
pub fn unnecessary(number: u32) -> String {
    let mut text = automaton(&["c", "k", "u", "w"]);
    text.push_str("  loc V0\n  L0 -> V0 { k := 1 }\n");
    for at in 0..number {
        let next = at + 1;
        line!(text, "  loc T{at}\n  loc U{at}\n  loc V{next}");
        let condition = if at % 3 == 2 { "k < 0" } else { "w > u" };
        line!(text, "  V{at} -> T{at} {{ assume {condition} }}\n  T{at} -> V{next} {{ u := u + 1 }}");
        line!(text, "  V{at} -> U{at} {{ assume not ({condition}) }}\n  U{at} -> V{next} {{ }}");
    }
    line!(text, "  loc X\n  V{number} -> X {{ c := 1 }}\n  X -> E {{ assume c = 0 }}\n}}");
    text
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::measure::{Question, Settings, USUAL, measure_often};
    use std::time::Duration;
    use tamis_cegar::Budget;
    use tamis_refiners::bdd::Heuristic;

    /// The verdict about a program.
    fn verdict(source: &str, engine: &str) -> String {
        let settings = Settings { budget: Budget::default(), time: Duration::from_mins(1) };
        let question =
            Question { language: "cfa", source, engine, heuristic: Heuristic::Combined, options: &[], passes: USUAL };
        measure_often(&settings, question, 1).verdict
    }

    #[test]
    fn families_are_safe_and_one_slip_makes_them_unsafe() {
        for (source, right, wrong) in [
            (infeasible(2), "s > 2", "s > 1"),
            (local(2), "s + z > 4", "s + z > 3"),
            (coarse(2), "t > 2 and s > 2", "t > 1 and s > 1"),
            (invariant(3), "y >= 0", "y >= 0 - 9"),
            (unnecessary(3), "c = 0", "c = 1"),
        ] {
            for engine in ["learn", "predicate"] {
                assert_eq!(verdict(&source, engine), "true", "{engine} on\n{source}");
            }
            assert!(source.contains(right), "{right} in\n{source}");
            let slip = source.replace(right, wrong);
            let found = verdict(&slip, "learn");
            assert!(found.starts_with("false"), "{found} on\n{slip}");
        }
    }
}
