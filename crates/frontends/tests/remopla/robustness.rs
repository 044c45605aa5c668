//! No text makes the front end panic, hang or overflow the stack.

use crate::{lower, programs, show};
use std::fmt::Write;
use tamis_frontends::cursor::MAX_NESTING;

/// Lowers, and looks at every place that is named.
fn survives(text: &str) {
    let (_, sources, result) = lower(text);
    let found = match result {
        Ok(lowered) => lowered.warnings,
        Err(errors) => {
            assert!(!errors.is_empty(), "an error is named");
            errors
        }
    };
    show::diagnostics(&sources, &found);
}

#[test]
fn mutated_programs_are_read_or_refused() {
    let seeds: Vec<String> = programs().into_iter().map(|(_, text)| text).collect();
    let words = [
        "if",
        "fi",
        "do",
        "od",
        "::",
        "->",
        "-->",
        "(",
        ")",
        "[",
        "]",
        "{",
        "}",
        ";",
        ",",
        "=",
        "==",
        "!=",
        "'",
        "''",
        "A k (0,1)",
        "E k (0,99)",
        "undef",
        "else",
        "goto",
        "return",
        "break",
        "skip",
        "module void",
        "int",
        "bool",
        "enum",
        "struct",
        "define",
        "init",
        "x",
        "a[",
        "0",
        "7",
        "99999999999999999999",
        "<",
        ">",
        "<=>",
        "<<",
        "/",
        "q<a> --> q<b>",
        ":",
        ".",
        "\"",
        "é",
        "\u{0}",
        "%",
        "fork",
        "shared",
        "signed",
        "unsigned",
        "&&",
        "||",
        "^^",
    ];
    let mut rng = fastrand::Rng::with_seed(7);
    for _ in 0..3_000 {
        let seed = rng.choice(&seeds).unwrap();
        let mut text: Vec<char> = seed.chars().collect();
        for _ in 0..rng.usize(1..4) {
            let at = rng.usize(..=text.len());
            match rng.u32(..5) {
                0 => text.truncate(at),
                1 => {
                    let end = (at + rng.usize(..20)).min(text.len());
                    text.drain(at..end);
                }
                2 => {
                    let end = (at + rng.usize(..40)).min(text.len());
                    let copy: Vec<char> = text[at..end].to_vec();
                    let to = rng.usize(..=text.len());
                    text.splice(to..to, copy);
                }
                _ => {
                    let word = format!(" {} ", rng.choice(words).unwrap());
                    text.splice(at..at, word.chars());
                }
            }
        }
        survives(&text.into_iter().collect::<String>());
    }
}

#[test]
fn deep_nesting_is_refused() {
    let deep = |before: &str, middle: &str, after: &str, count: usize| {
        let text = format!("{}{middle}{}", before.repeat(count), after.repeat(count));
        survives(&format!("bool b; int x(2), a[2](1); module void main() {{ {text} }}"));
        survives(&format!("bool b; int x(2), a[2](1); module void main() {{ b = {text}; }}"));
        survives(&format!("bool b; int x(2), a[2](1); module void main() {{ x = {text}; }}"));
    };
    for count in [100, MAX_NESTING as usize / 2 - 5, MAX_NESTING as usize - 5, 100_000] {
        deep("(", "1", ")", count);
        deep("!", "b", "", count);
        deep("!(", "b", ")", count);
        deep("x + (", "1", ")", count);
        deep("b || b ^^ b && (", "b", ")", count);
        deep("a[", "1", "]", count);
        deep("A i (0,0) (", "b", ")", count);
        deep("A i (0,0) ", "x = i", "", count);
        deep("if :: true -> ", "skip;", "fi ", count);
        deep("do :: b -> ", "break;", "od ", count);
        deep("{", "", "}", count);
    }
    survives(&"(".repeat(1_000_000));
    survives(&format!("struct s {{ {} int x(1);", "struct t { ".repeat(100_000)));
}

#[test]
fn nesting_up_to_the_limit_is_lowered() {
    let (deep, half) = (MAX_NESTING as usize - 10, MAX_NESTING as usize / 2 - 10);
    let text = format!("{}skip;{}", "if :: true -> ".repeat(deep), "fi ".repeat(deep));
    lower(&format!("module void main() {{ {text} }}")).2.expect("a legal program");
    let text = format!("{}x{}", "(1 + ".repeat(half), ")".repeat(half));
    lower(&format!("int x(12); module void main() {{ x = {text}; }}")).2.expect("a legal program");
}

#[test]
fn long_chains_are_no_deep_recursion() {
    let long = |operand: &str, operator: &str| vec![operand; 50_000].join(operator);
    let program = |condition: String| format!("bool b; int x(2); module void main() {{ skip({condition}); }}");
    for operator in [" && ", " || ", " ^^ ", " <=> ", " == "] {
        lower(&program(long("b", operator))).2.expect("a legal program");
    }
    for operator in [" + ", " - ", " & ", " | "] {
        lower(&program(format!("({}) < 9", long("x", operator)))).2.expect("a legal program");
    }
    survives(&program(format!("{} < 9", long("x", " * "))));
}

#[test]
fn huge_numbers_are_refused() {
    for digits in [20, 1_000, 2_000, 1_000_000] {
        let number = "9".repeat(digits);
        survives(&format!("define N {number} int x(N); module void main() {{ }}"));
        survives(&format!("int x(2); module void main() {{ skip(x < {number}); }}"));
        survives(&format!(
            "int x[{number}](2), y({number}); module void main() {{ skip(A i (0,{number}) x[i] == i); }}"
        ));
    }
}

#[test]
fn many_accesses_to_a_large_array_are_bounded() {
    let statements = "a[i] = a[j] + a[a[i]];\n".repeat(2_000);
    survives(&format!("int a[30000](15), i(15), j(15); module void main() {{ {statements} }}"));
}

#[test]
fn a_long_text_is_lowered_in_a_moment() {
    const MODULES: u32 = 1_600;
    let mut text = String::from("define DEFAULT_INT_BITS 8\nint g, h, a[4];\nbool b;\ninit m0;\n");
    for module in 0..MODULES {
        let _ = write!(text, "module int m{module}(int p, bool q) {{\n  int x, y;\n");
        let next = (module + 1) % MODULES;
        for line in 0..10 {
            let _ = writeln!(text, "  l{line}: x = x + {line}, y = p;\n  if\n  :: x < y && !q -> a[x & 3] = y;");
            let _ = writeln!(text, "  :: else -> goto l{line};\n  fi\n  x = m{next}(y, b);");
        }
        text.push_str("  return x;\n}\n");
    }
    let start = std::time::Instant::now();
    lower(&text).2.expect("a legal program");
    eprintln!("{} lines in {:?}", text.lines().count(), start.elapsed());
}
