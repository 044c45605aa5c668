//! Lines per second from text to a program, one generated text per language.

use crate::table::Table;
use std::fmt::Write;
use std::sync::Arc;
use tamis_frontends::by_name;
use tamis_ir::Sources;
use tamis_term::Terms;

/// How many statements a generated procedure has, and how many procedures a text has.
const STATEMENTS: usize = 200;
const PROCEDURES: usize = 50;

/// Measures every language.
pub fn run(table: &mut Table) {
    for (language, text) in [("remopla", remopla()), ("boolean-program", boolean_program())] {
        let frontend = by_name(language).expect("a registered language");
        let lines = text.lines().count();
        table.measure(&format!("lower {language}"), "lines", || {
            let mut sources = Sources::new();
            let id = sources.add("bench", text.as_str());
            let lowered = frontend.lower_one(&mut Terms::new(), Arc::new(sources), id);
            assert!(lowered.is_ok(), "the generated text is correct");
            lines
        });
    }
}

/// Modules that call each other, with arithmetic, arrays and branches.
fn remopla() -> String {
    let mut text = String::from("define DEFAULT_INT_BITS 8\nint g, a[8];\n");
    for proc in 0..PROCEDURES {
        let _ = writeln!(text, "module int f{proc}(int x);");
    }
    text.push_str("init main;\n");
    for proc in 0..PROCEDURES {
        let _ = writeln!(text, "module int f{proc}(int x) {{\n  int y, z;");
        for statement in 0..STATEMENTS {
            let line = match statement % 5 {
                0 => "y = x + g * 2, z = y;".to_owned(),
                1 => format!("a[{}] = y - z;", statement % 8),
                2 => "if\n  :: y < z && g != 3 -> y = undef;\n  :: else -> skip;\n  fi".to_owned(),
                3 => "a[g] = a[z] + 1;".to_owned(),
                _ => format!("z = f{}(y);", (proc + statement) % PROCEDURES),
            };
            let _ = writeln!(text, "  {line}");
        }
        text.push_str("  return y + z;\n}\n");
    }
    text.push_str("module void main() {\n  int r;\n  r = f0(1);\n  error: skip;\n}\n");
    text
}

/// Functions that call each other, with parallel assignments and choices.
fn boolean_program() -> String {
    let mut text = String::from("decl g, h;\n");
    for proc in 0..PROCEDURES {
        let _ = writeln!(text, "bool<2> f{proc}(x, y) begin\n  decl a, b, c;");
        for statement in 0..STATEMENTS {
            let line = match statement % 5 {
                0 => "a, b := x & !g, schoose[h, y | c];".to_owned(),
                1 => "c := (a ^ b) | *;".to_owned(),
                2 => "if (c & !h) then\n    g := T;\n  else\n    g, h := h, g;\n  fi;".to_owned(),
                3 => "assert(a | !a);".to_owned(),
                _ => format!("a, c := f{}(b, *);", (proc + statement) % PROCEDURES),
            };
            let _ = writeln!(text, "  {line}");
        }
        text.push_str("  return a, b;\nend\n");
    }
    text.push_str("void main() begin\n  f0(T, F);\nend\n");
    text
}
