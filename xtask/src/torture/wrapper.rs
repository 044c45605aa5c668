//! How a test becomes a question: its functions that end the run are renamed by macros, and a file
//! beside it defines them.
//!
//! The compiler and Tamis read exactly the same texts, so that a slip in here shows as a test that
//! the compiler does not confirm.

use crate::tools::Said;
use std::fmt::Write;

/// The two ways to ask about a test.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Way {
    /// Can it fail? It never does.
    Abort,
    /// Can it end well? It always does.
    End,
}

/// The exit code of a run that reaches the error.
pub const REACHED: i32 = 107;

/// The functions that end a run and say so.
const ENDS: [(&str, &str); 2] = [("main", "torture_main"), ("exit", "torture_exit")];

/// The functions that end a run because of a failure.
const FAILURES: [(&str, &str); 4] = [
    ("abort", "torture_abort"),
    ("__builtin_abort", "torture_abort"),
    ("__builtin_trap", "torture_abort"),
    ("__assert_fail", "torture_assert"),
];

impl Way {
    pub const ALL: [Way; 2] = [Way::Abort, Way::End];

    pub fn word(self) -> &'static str {
        match self {
            Way::Abort => "abort",
            Way::End => "end",
        }
    }

    /// The right answer.
    pub fn expected(self) -> Said {
        match self {
            Way::Abort => Said::Safe,
            Way::End => Said::Unsafe,
        }
    }

    /// How the compiled question ends.
    pub fn exit_code(self) -> i32 {
        match self {
            Way::Abort => 0,
            Way::End => REACHED,
        }
    }

    fn renamed(self) -> impl Iterator<Item = (&'static str, &'static str)> {
        let failures = match self {
            Way::Abort => &FAILURES[..],
            Way::End => &[],
        };
        ENDS.iter().chain(failures).copied()
    }

    /// The macros that all files get.
    pub fn macros(self) -> Vec<String> {
        self.renamed().map(|(name, instead)| format!("-D{name}={instead}")).collect()
    }

    /// The file beside the test.
    pub fn file(self, main: Main) -> String {
        let mut text = String::new();
        for (name, _) in self.renamed() {
            let _ = writeln!(text, "#undef {name}");
        }
        let _ = write!(text, "void exit(int);\nvoid _Exit(int);\nvoid reach_error(void) {{ _Exit({REACHED}); }}\n");
        let is_error = match self {
            Way::Abort => {
                text.push_str(
                    "void torture_abort(void) { reach_error(); }\n\
                     void torture_assert(const char *condition, const char *file, unsigned line, const char *function) { reach_error(); }\n",
                );
                "!= 0"
            }
            Way::End => "== 0",
        };
        let _ =
            writeln!(text, "void torture_exit(int status) {{ if (status {is_error}) reach_error(); exit(status); }}");
        text.push_str(&main.caller(self, is_error));
        text
    }
}

/// The test's own `main`, as far as its caller has to know it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Main {
    /// How many parameters it has: none, the number of arguments, or the arguments too.
    pub parameters: usize,
    /// Whether it returns a value on all ways. Under another name than `main`, a function that
    /// does not returns anything.
    pub returns_value: bool,
}

impl Main {
    /// A new `main` that calls the test's.
    fn caller(self, way: Way, is_error: &str) -> String {
        let (parameters, argv, arguments) = match self.parameters {
            0 => ("void", "", ""),
            1 => ("int", "", "1"),
            _ => ("int, char **", "  char *argv[] = { \"torture\", 0 };\n", "1, argv"),
        };
        let call = match (self.returns_value, way) {
            (true, _) => format!("if (torture_main({arguments}) {is_error}) reach_error();"),
            (false, Way::Abort) => format!("torture_main({arguments});"),
            (false, Way::End) => format!("torture_main({arguments}); reach_error();"),
        };
        format!("int torture_main({parameters});\nint main(void) {{\n{argv}  {call}\n  return 0;\n}}\n")
    }
}

/// How many parameters the `main` that a text defines or calls has.
pub fn parameters_of_main(text: &str) -> usize {
    let is_part = |c: char| c.is_alphanumeric() || c == '_';
    let lists =
        text.match_indices("main").filter(|(at, _)| !text[..*at].ends_with(is_part)).filter_map(|(at, word)| {
            let list = text[at + word.len()..].trim_start().strip_prefix('(')?;
            list.split_once(')').map(|(list, _)| list.trim())
        });
    let count = |list: &str| if matches!(list, "" | "void") { 0 } else { list.split(',').count() };
    lists.map(count).max().unwrap_or(0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parameters_of_main_are_counted() {
        for (text, count) in [
            ("main () { exit (0); }", 0),
            ("int main( void )\n{ return main_test (3); }", 0),
            ("main (int argc) { return 0; }", 1),
            ("int\nmain (int argc, char *argv[])\n{}", 2),
            ("main (argc, argv) int argc; char **argv; {}", 2),
            ("int domain (int x) { return x; } int main(void) {}", 0),
        ] {
            assert_eq!(parameters_of_main(text), count, "{text}");
        }
    }

    #[test]
    fn the_result_of_main_counts_where_there_is_one() {
        let main = Main { parameters: 2, returns_value: true };
        assert!(Way::Abort.file(main).contains("if (torture_main(1, argv) != 0) reach_error();"));
        assert!(Way::End.file(main).contains("if (torture_main(1, argv) == 0) reach_error();"));
        let main = Main { parameters: 0, returns_value: false };
        assert!(Way::Abort.file(main).contains("  torture_main();\n"));
        assert!(Way::End.file(main).contains("  torture_main(); reach_error();\n"));
    }

    #[test]
    fn only_the_question_about_failures_renames_them() {
        assert!(Way::Abort.macros().contains(&"-D__builtin_trap=torture_abort".to_owned()));
        assert_eq!(Way::End.macros(), ["-Dmain=torture_main", "-Dexit=torture_exit"]);
        assert!(!Way::End.file(Main { parameters: 0, returns_value: true }).contains("abort"));
    }
}
