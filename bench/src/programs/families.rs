//! C programs in any size. All of them are safe.

use std::fmt::Write as _;

macro_rules! line {
    ($text:expr, $($arguments:tt)*) => {
        writeln!($text, $($arguments)*).expect("strings take any text")
    };
}

const HEADER: &str = "extern int __VERIFIER_nondet_int(void);\nextern void reach_error(void);\n";

/// Locks that are taken and given back in every round of a loop, each only if its condition
/// says so. Statement by statement, every subset of the conditions is a state of its own (the
/// programs `test_locks_N` of SV-COMP).
#[must_use]
pub fn locks(number: u32) -> String {
    let mut text = format!("{HEADER}int main(void) {{\n");
    for lock in 1..=number {
        line!(text, "  int p{lock} = __VERIFIER_nondet_int();\n  int lk{lock};");
    }
    text.push_str("  while (__VERIFIER_nondet_int()) {\n");
    for lock in 1..=number {
        line!(text, "    lk{lock} = 0;");
    }
    for lock in 1..=number {
        line!(text, "    if (p{lock}) lk{lock} = 1;");
    }
    for lock in 1..=number {
        line!(text, "    if (p{lock}) {{\n      if (lk{lock} != 1) reach_error();\n      lk{lock} = 0;\n    }}");
    }
    text.push_str("  }\n  return 0;\n}\n");
    text
}

/// Branches that join again, one after the other: twice as many paths with each.
#[must_use]
pub fn diamonds(number: u32) -> String {
    let mut text = format!("{HEADER}int main(void) {{\n  int x = 0;\n");
    for _ in 0..number {
        text.push_str("  if (__VERIFIER_nondet_int()) x += 1; else x += 1;\n");
    }
    line!(text, "  if (x != {number}) reach_error();\n  return 0;\n}}");
    text
}

/// Procedures each of which calls the next one twice: twice as many calls with each. At least two
/// of them leave the variable as it was. (The thesis's chain, in C.)
#[must_use]
pub fn chain(procedures: u32) -> String {
    let mut text = format!("{HEADER}int g;\n");
    for number in (0..procedures).rev() {
        let next = number + 1;
        if next < procedures {
            line!(text, "void p{number}(void) {{ p{next}(); p{next}(); }}");
        } else {
            line!(text, "void p{number}(void) {{ g = !g; }}");
        }
    }
    text.push_str("int main(void) {\n  g = 0;\n  p0();\n  if (g != 0) reach_error();\n  return 0;\n}\n");
    text
}

/// A property that takes a predicate (a lock that is given back where a counter moves, as in
/// Ball and Rajamani, SPIN 2001), and functions behind it that have nothing to do with it.
#[must_use]
pub fn irrelevant(functions: u32) -> String {
    let mut text = HEADER.to_owned();
    for number in 0..functions {
        line!(text, "int g{number};");
        line!(text, "void f{number}(void) {{ while (__VERIFIER_nondet_int()) g{number} = 3 * g{number} + {number}; }}");
    }
    text.push_str(
        "\
int main(void) {
  int lock = 0, old, new = __VERIFIER_nondet_int();
  do {
    if (lock) reach_error();
    lock = 1;
    old = new;
    if (__VERIFIER_nondet_int()) {
      lock = 0;
      new = old ^ 1;
    }
  } while (new != old);
  if (!lock) reach_error();
",
    );
    for number in 0..functions {
        line!(text, "  f{number}();");
    }
    text.push_str("  return 0;\n}\n");
    text
}

/// Loops one after the other, whose invariants are the same.
#[must_use]
pub fn loops(number: u32) -> String {
    let mut text = format!("{HEADER}int main(void) {{\n  int x = 0;\n");
    for _ in 0..number {
        text.push_str("  while (__VERIFIER_nondet_int()) x = -x;\n");
    }
    text.push_str("  if (x != 0) reach_error();\n  return 0;\n}\n");
    text
}

/// A loop whose invariant relates two variables and an input, over words of 8, 16, 32 or 64 bits
/// (the loop of Kiefer 2005, figure 6.3).
#[must_use]
pub fn loop_invariant(bits: u32) -> String {
    let (word, input) = match bits {
        ..=8 => ("unsigned char", "uchar"),
        9..=16 => ("unsigned short", "ushort"),
        17..=32 => ("unsigned int", "uint"),
        33.. => ("unsigned long long", "ulonglong"),
    };
    format!(
        "\
extern {word} __VERIFIER_nondet_{input}(void);
extern void reach_error(void);
int main(void) {{
  {word} n = __VERIFIER_nondet_{input}();
  {word} i = 0, j = n;
  while (i <= n) {{
    if (({word})(i + j) != n) reach_error();
    i++;
    j--;
  }}
  return 0;
}}
"
    )
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
            Question { language: "c", source, engine, heuristic: Heuristic::Combined, options: &[], passes: USUAL };
        measure_often(&settings, question, 1).verdict
    }

    #[test]
    fn families_are_safe_and_one_slip_makes_them_unsafe() {
        for (source, engine, right, wrong) in [
            (locks(1), "predicate", "lk1 = 1;", "lk1 = 2;"),
            (locks(3), "predicate", "if (p3) lk3 = 1;", "if (p2) lk3 = 1;"),
            (locks(2), "blast", "if (p1) lk1 = 1;", ""),
            (diamonds(1), "predicate", "else x += 1", "else x += 2"),
            (diamonds(4), "predicate", "x != 4", "x != 5"),
            (chain(2), "auto", "p0();", "p1();"),
            (chain(3), "boolean", "void p0(void) { p1(); p1(); }", "void p0(void) { p1(); p1(); g = 1; }"),
            (chain(4), "auto", "g = !g", "g = 1"),
            (irrelevant(2), "predicate", "new = old ^ 1", "new = old"),
            (loops(3), "predicate", "x = -x", "x = 1 - x"),
            (loop_invariant(8), "predicate", "j--", "j -= 2"),
            (loop_invariant(64), "predicate", "j = n", "j = n + 1"),
        ] {
            assert_eq!(verdict(&source, engine), "true", "{engine} on\n{source}");
            assert!(source.contains(right), "{right} in\n{source}");
            let slip = source.replace(right, wrong);
            assert_eq!(verdict(&slip, engine), "false(unreach-call)", "{engine} on\n{slip}");
        }
    }
}
