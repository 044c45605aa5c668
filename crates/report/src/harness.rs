//! A C file that makes the compiled program run into the error that was found: it defines the
//! outside functions that the program calls, with the results that the trace chose, and tells
//! when the error is reached.
//!
//! How the error is noticed depends on what it is. Error functions are often defined by the
//! program itself, so the program is compiled with `-finstrument-functions`, and the harness looks
//! at every function that is entered. A failing `assert` calls `__assert_fail`, which the harness
//! defines. For divisions by zero, overflows and wrong accesses to memory the compiler's
//! sanitizers are switched on; they end in a signal, or call a function of ours.
//!
//! Everything that the program may define itself is a weak symbol. No header declares functions
//! here that the program might call from outside.

use crate::expr::is_hidden;
use crate::style::one_line;
use crate::walk::{Note, Place, Walk};
use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::rc::Rc;
use tamis_ir::{Action, Input, Notation, Op, Program, PropertyId, Trace};
use tamis_term::{BitVec, Terms, Value};

/// The exit code of a run that reaches the error.
pub const REACHED: i32 = 107;

/// How the program is compiled.
#[derive(Clone, Debug, Default)]
pub struct Build {
    /// Its files, and that of the harness.
    pub files: Vec<String>,
    /// Flags for the compiler: folders, macros, the data model.
    pub flags: Vec<String>,
    /// Functions that are errors to call, besides the usual ones.
    pub errors: Vec<String>,
}

/// Functions that are errors to call.
const ERRORS: &[&str] = &["reach_error", "__VERIFIER_error"];

/// Where the trace chose a value that matters and that no outside function delivers: a harness cannot
/// give it. Start values have no place.
#[must_use]
pub fn left_to_chance(terms: &Terms, program: &Program, trace: &Trace) -> Vec<Option<Rc<Place>>> {
    let mut walk = Walk::new(terms, program, trace);
    let is_input = |note: &Note| matches!(note, Note::Input(_));
    let mut found: Vec<Option<Rc<Place>>> = Vec::new();
    if walk.start().iter().any(is_input) {
        found.push(None);
    }
    while let Some(told) = walk.step() {
        let delivered = told.edge.is_some_and(|edge| program.notes.inputs.contains_key(&edge));
        // What a register gives is not told as an input, because it has no name.
        let nameless = told.edge.is_some_and(|edge| match &program.edge(edge).op {
            Op::Havoc(vars) => vars.iter().any(|var| is_hidden(terms.name(*var))),
            Op::Assume(_) | Op::Assign(_) | Op::Call { .. } => false,
        });
        if !delivered && (nameless || told.notes.iter().any(is_input)) && !found.contains(&told.place) {
            found.push(told.place);
        }
    }
    found
}

/// How the compiler finds errors of a kind at run time, and which signals tell of them.
fn detection(kind: &str) -> (&'static str, &'static [&'static str]) {
    const TRAPS: &[&str] = &["SIGFPE", "SIGILL", "SIGTRAP"];
    match kind {
        "no-overflow" => ("-fsanitize=signed-integer-overflow -fsanitize-undefined-trap-on-error", TRAPS),
        "valid-deref" | "valid-free" | "valid-memtrack" | "valid-memcleanup" => {
            ("-fsanitize=address", &["SIGFPE", "SIGSEGV", "SIGBUS"])
        }
        // Compilers may avoid to divide where they know a shorter way.
        _ => ("-fsanitize=integer-divide-by-zero,bounds -fsanitize-undefined-trap-on-error", TRAPS),
    }
}

/// The harness for a trace.
#[must_use]
pub fn render(program: &Program, property: PropertyId, trace: &Trace, build: &Build) -> String {
    let (sanitizers, signals) = detection(program.kind_at(property, trace.last(program)));
    let mut errors: Vec<&str> = ERRORS.to_vec();
    errors.extend(build.errors.iter().map(String::as_str).filter(|name| !ERRORS.contains(name)));
    let mut text = introduction(program, property, build, sanitizers);
    text.push_str(PREAMBLE);
    for name in &errors {
        let _ = writeln!(text, "OURS __attribute__((weak)) void {name}(void) {{ reached(); }}");
    }
    let tests: Vec<String> = errors.iter().map(|name| format!("function == (void *){name}")).collect();
    let _ = writeln!(text, "\n/* Called whenever a function is entered. */");
    let _ = writeln!(text, "OURS void __cyg_profile_func_enter(void *function, void *site) {{");
    let _ = writeln!(text, "    (void)site;\n    if ({})\n        reached();\n}}\n", tests.join(" || "));
    text.push_str(OBSERVERS);
    for signal in signals {
        let _ = writeln!(text, "    signal({signal}, at_signal);");
    }
    text.push_str("}\n");
    for function in outside(program, trace).values() {
        text.push('\n');
        text.push_str(&function.definition());
    }
    text
}

const PREAMBLE: &str = "
#include <signal.h>

#define OURS __attribute__((no_instrument_function))

extern long write(int, const void *, unsigned long);
extern void _exit(int);

OURS static void say_and_exit(const char *line, unsigned long length, int code) {
    if (write(1, line, length) < 0)
        code = 1;
    _exit(code);
}

OURS static void reached(void) {
    static const char line[] = \"tamis: error reached\\n\";
    say_and_exit(line, sizeof line - 1, 107);
}

";

const OBSERVERS: &str = "\
OURS void __cyg_profile_func_exit(void *function, void *site) {
    (void)function, (void)site;
}

/* A failing assert. */
OURS __attribute__((weak)) void __assert_fail(const char *what, const char *file, unsigned line, const char *function) {
    (void)what, (void)file, (void)line, (void)function;
    reached();
}

/* What the address sanitizer finds. */
OURS void __asan_on_error(void) { reached(); }

OURS __attribute__((weak)) void __VERIFIER_assume(int condition) {
    static const char line[] = \"tamis: an assumption fails\\n\";
    if (!condition)
        say_and_exit(line, sizeof line - 1, 1);
}

OURS static void at_signal(int number) {
    (void)number;
    reached();
}

OURS __attribute__((constructor)) static void watch(void) {
";

/// What the file is, and how to use it.
fn introduction(program: &Program, property: PropertyId, build: &Build, sanitizers: &str) -> String {
    let flags = build.flags.iter().map(|flag| quoted(flag));
    let words = ["cc -finstrument-functions".to_owned(), sanitizers.to_owned()].into_iter().chain(flags);
    let words = words.chain(build.files.iter().map(|file| quoted(file)));
    let words: Vec<String> = words.filter(|word| !word.is_empty()).collect();
    let about = &program.property(property).about;
    let lines = [
        format!("Made by Tamis {}. The error: {}.", crate::json::VERSION, one_line(about)),
        "With this file, the program runs into it:".to_owned(),
        String::new(),
        format!("    {} -o harness && ./harness", words.join(" ")),
        String::new(),
        format!("prints \"tamis: error reached\" and ends with exit code {REACHED}."),
        "What the program reads without having written it is left to chance.".to_owned(),
    ];
    // Names of files may contain anything.
    let harmless = |line: String| line.replace(char::is_control, " ").replace("*/", "* /").replace("/*", "/ *");
    let lines = lines.map(|line| format!(" * {}", harmless(line)).trim_end().to_owned());
    format!("/*\n{}\n */\n", lines.join("\n"))
}

/// A word for the shell.
fn quoted(word: &str) -> String {
    let plain = |c: char| c.is_ascii_alphanumeric() || "_-./=+,:@%".contains(c);
    if !word.is_empty() && word.chars().all(plain) {
        word.to_owned()
    } else {
        format!("'{}'", word.replace('\'', "'\\''"))
    }
}

/// An outside function of the program.
struct Outside<'p> {
    input: &'p Input,
    /// How its results are written.
    notation: Option<&'p Notation>,
    /// The results that the trace chose, in order.
    values: Vec<&'p Value>,
}

/// The outside functions of the program, by name. Those that the trace does not call have to be
/// there for the linker.
fn outside<'p>(program: &'p Program, trace: &'p Trace) -> BTreeMap<&'p str, Outside<'p>> {
    let mut found: BTreeMap<&str, Outside<'p>> = BTreeMap::new();
    for (edge, input) in &program.notes.inputs {
        let notation = match &program.edge(*edge).op {
            Op::Havoc(vars) => vars.first().and_then(|var| program.notes.notation.get(var)),
            Op::Assume(_) | Op::Assign(_) | Op::Call { .. } => None,
        };
        found.entry(&input.function).or_insert(Outside { input, notation, values: Vec::new() });
    }
    for input in &program.notes.outside {
        found.entry(&input.function).or_insert(Outside { input, notation: None, values: Vec::new() });
    }
    for step in &trace.steps {
        if let Action::Take { edge, inputs } = &step.action
            && let Some(input) = program.notes.inputs.get(edge)
            && let Some(outside) = found.get_mut(input.function.as_str())
        {
            outside.values.extend(inputs.first());
        }
    }
    found
}

/// How a type's values get from a table to a result.
enum Passing {
    /// By a conversion.
    Converted,
    /// A pointer: a number of the same size first.
    Pointer,
    /// Bit by bit.
    Copied,
    /// There is none: the type is not one that can be named here.
    Impossible,
}

fn passing(result: &str) -> Passing {
    match result {
        "float" | "double" => Passing::Copied,
        _ if result.contains(['(', '[', '{']) => Passing::Impossible,
        _ if result.ends_with('*') => Passing::Pointer,
        _ if result.split_whitespace().any(|word| matches!(word, "struct" | "union" | "void")) => Passing::Impossible,
        _ => Passing::Converted,
    }
}

impl Outside<'_> {
    /// The function in C. After the last of the trace's results it returns zero.
    fn definition(&self) -> String {
        let Input { function, result } = self.input;
        let head = format!("{result} {function}(void)");
        let (table, values) = (self.table(), self.values.iter().map(|value| self.literal(value)).collect::<Vec<_>>());
        let fetch = match passing(result) {
            Passing::Impossible if result == "void" => return format!("OURS {head} {{}}\n"),
            Passing::Impossible => return format!("/* To be defined by hand: {function} */\n"),
            _ if values.is_empty() => return format!("OURS {head} {{ return 0; }}\n"),
            Passing::Converted => format!("    return next < COUNT ? ({result})values[next++] : 0;\n"),
            Passing::Pointer => format!("    return next < COUNT ? ({result})(__UINTPTR_TYPE__)values[next++] : 0;\n"),
            Passing::Copied => format!(
                "    {result} chosen = 0;\n    if (next < COUNT)\n        __builtin_memcpy(&chosen, &values[next++], \
                 sizeof chosen);\n    return chosen;\n"
            ),
        };
        let count = values.len().to_string();
        let values = values.join(", ");
        format!(
            "OURS {head} {{\n    static const {table} values[] = {{{values}}};\n    static unsigned long next;\n{}}}\n",
            fetch.replace("COUNT", &count)
        )
    }

    /// The type of the table of results.
    fn table(&self) -> &'static str {
        match self.values.iter().map(|value| width(value)).max() {
            Some(65..) => "unsigned __int128",
            Some(0..=32) if matches!(passing(&self.input.result), Passing::Copied) => "unsigned int",
            Some(_) if self.is_signed() => "long long",
            Some(_) | None => "unsigned long long",
        }
    }

    fn is_signed(&self) -> bool {
        matches!(self.notation, Some(Notation::Signed | Notation::Character))
    }

    fn literal(&self, value: &Value) -> String {
        let bits = match value {
            Value::Bool(truth) => return u8::from(*truth).to_string(),
            Value::BitVec(bits) => bits,
            // Outside functions return scalars.
            Value::Int(_) | Value::Real(_) | Value::Array(_) => return "0".into(),
        };
        let low = |bits: &BitVec| bits.to_u64().unwrap_or(0);
        match bits.width() {
            65.. => {
                let (high, rest) = (bits.extract(bits.width() - 1, 64), bits.extract(63, 0));
                format!("(unsigned __int128){:#x}ULL << 64 | {:#x}ULL", low(&high), low(&rest))
            }
            64 if self.is_signed() && low(bits) == 1 << 63 => "-9223372036854775807LL - 1".into(),
            _ if self.is_signed() => format!("{}LL", bits.to_signed()),
            _ => format!("{}ULL", low(bits)),
        }
    }
}

fn width(value: &Value) -> u32 {
    match value {
        Value::BitVec(bits) => bits.width(),
        Value::Bool(_) | Value::Int(_) | Value::Real(_) | Value::Array(_) => 1,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::process::Command;
    use std::sync::Arc;
    use tamis_ir::{EdgeId, Interpreter, Property, Span};
    use tamis_term::Terms;

    /// A program that calls outside functions, one after another, into an error of that kind.
    fn harness(kind: &str, calls: &[(&str, &str, Notation, Value)]) -> String {
        let mut terms = Terms::new();
        let mut program = Program::new(Arc::default());
        let main = program.add_proc("main", Span::default());
        let mut end = program.procs[0].entry;
        let mut actions = Vec::new();
        for (number, (function, result, notation, value)) in calls.iter().enumerate() {
            let var = terms.declare(&format!("main::x{number}"), value.sort());
            program.procs[0].locals.push(var);
            program.notes.notation.insert(var, notation.clone());
            let next = program.add_loc(Span::default());
            let edge: EdgeId = program.add_edge(main, end, next, Op::Havoc(vec![var]), Span::default());
            let input = Input { function: (*function).into(), result: (*result).into() };
            program.notes.inputs.insert(edge, input);
            actions.push(Action::Take { edge, inputs: vec![value.clone()] });
            end = next;
        }
        let property = Property { kind: kind.into(), ..Property::new("error", "it fails /* \n */", vec![end]) };
        let property = program.add_property(property);
        let start: Vec<Value> = calls.iter().map(|(.., value)| Value::default_of(&value.sort())).collect();
        let trace = Interpreter::new(&terms, &program).record(start, actions).unwrap();
        let build =
            Build { files: vec!["program.c".into(), "harness.c".into()], flags: vec!["-w".into()], errors: Vec::new() };
        render(&program, property, &trace, &build)
    }

    /// Compiles the program with its harness as the harness says, and runs it: what it printed,
    /// and the exit code. Nothing where there is no compiler.
    fn run(program: &str, harness: &str) -> Option<(String, Option<i32>)> {
        let folder = tempfile::tempdir().unwrap();
        std::fs::write(folder.path().join("program.c"), program).unwrap();
        std::fs::write(folder.path().join("harness.c"), harness).unwrap();
        let command = harness.lines().find_map(|line| line.strip_prefix(" *     ")).expect("how to compile it");
        let (compile, start) = command.split_once(" && ").expect("two commands");
        let shell =
            |command: &str| Command::new("sh").args(["-c", command]).current_dir(folder.path()).output().unwrap();
        if !shell("command -v cc").status.success() {
            eprintln!("there is no C compiler: the harness is not tried");
            return None;
        }
        let compiled = shell(compile);
        assert!(compiled.status.success(), "{compile}\n{}\n{harness}", String::from_utf8_lossy(&compiled.stderr));
        let ran = shell(&format!("timeout 20 {start}"));
        Some((String::from_utf8_lossy(&ran.stdout).into_owned(), ran.status.code()))
    }

    #[track_caller]
    fn check(program: &str, kind: &str, calls: &[(&str, &str, Notation, Value)], reached: bool) {
        let harness = harness(kind, calls);
        let Some((printed, code)) = run(program, &harness) else { return };
        assert_eq!(printed.contains("tamis: error reached\n"), reached, "{printed}\n{harness}");
        assert_eq!(code == Some(REACHED), reached, "{code:?}\n{harness}");
    }

    fn int(value: i32) -> (&'static str, &'static str, Notation, Value) {
        let bits = Value::BitVec(BitVec::from_int(32, &value.into()));
        ("__VERIFIER_nondet_int", "int", Notation::Signed, bits)
    }

    const CALLS: &str = "extern int __VERIFIER_nondet_int(void);\n";

    #[test]
    fn results_come_in_order_and_zeros_follow() {
        let program = "void reach_error();\nint main() { int a = __VERIFIER_nondet_int(), b = __VERIFIER_nondet_int(), \
                       c = __VERIFIER_nondet_int(); if (a == -7 && b == 3 && c == 0) reach_error(); return 0; }";
        let program = format!("{CALLS}{program}");
        check(&program, "unreach-call", &[int(-7), int(3)], true);
        check(&program, "unreach-call", &[int(3), int(-7)], false);
        check(&program, "unreach-call", &[int(-7), int(3), int(1)], false);
    }

    #[test]
    fn an_error_function_that_the_program_defines_is_noticed() {
        let program =
            "void reach_error() {}\nint main() { if (__VERIFIER_nondet_int() == 5) reach_error(); return 0; }";
        let program = format!("{CALLS}{program}");
        check(&program, "unreach-call", &[int(5)], true);
        check(&program, "unreach-call", &[int(6)], false);
        let program = program.replace("reach_error() {}", "reach_error() { __builtin_abort(); }");
        check(&program, "unreach-call", &[int(5)], true);
    }

    #[test]
    fn assertions_and_divisions_are_noticed_and_aborts_are_not() {
        let program =
            |body: &str| format!("#include <assert.h>\n#include <stdlib.h>\n{CALLS}int main() {{ {body} return 0; }}");
        let assertion = program("assert(__VERIFIER_nondet_int() != 5);");
        check(&assertion, "unreach-call", &[int(5)], true);
        check(&assertion, "unreach-call", &[int(4)], false);
        let division = program("volatile int x = 1 / __VERIFIER_nondet_int(); (void)x;");
        check(&division, "unreach-call", &[int(0)], true);
        check(&division, "unreach-call", &[int(1)], false);
        check(&program("if (__VERIFIER_nondet_int()) abort();"), "unreach-call", &[int(1)], false);
        let assumed = "extern void __VERIFIER_assume(int); int x = __VERIFIER_nondet_int(); __VERIFIER_assume(x > 0); assert(x > 1);";
        check(&program(assumed), "unreach-call", &[int(1)], true);
        check(&program(assumed), "unreach-call", &[int(0)], false);
    }

    #[test]
    fn overflows_and_wrong_accesses_are_noticed() {
        let program = |body: &str| {
            format!("#include <stdlib.h>\n{CALLS}int main() {{ int x = __VERIFIER_nondet_int(); {body} }}")
        };
        let overflow = program("volatile int y = x + 1; return y == 3;");
        check(&overflow, "no-overflow", &[int(i32::MAX)], true);
        check(&overflow, "no-overflow", &[int(5)], false);
        let access = program("volatile int *p = malloc(4 * sizeof *p); p[x] = 1; return 0;");
        check(&access, "valid-deref", &[int(4)], true);
        check(&access, "valid-deref", &[int(3)], false);
    }

    #[test]
    fn all_kinds_of_results_are_passed_on() {
        let program = "
            extern unsigned char a(void); extern long long b(void); extern unsigned long c(void); extern _Bool d(void);
            extern void *e(void); extern double f(void); extern unsigned __int128 g(void); extern char h(void);
            extern int never(void);
            void reach_error(void);
            int main(int argc, char **argv) {
                if (a() != 255 || b() != -9223372036854775807LL - 1 || c() != 18446744073709551615UL || !d()) return 1;
                if (e() != (void *)4096 || f() != -2.5 || g() != ((unsigned __int128)1 << 100) + 7 || h() != -1) return 1;
                if (argc > 7) never();
                reach_error();
                return 0;
            }";
        let bits = |width: u32, value: i64| Value::BitVec(BitVec::from_int(width, &value.into()));
        let wide = bits(128, 1).as_bv().shl(&BitVec::new(128, 100)).add(&BitVec::new(128, 7));
        let calls = [
            ("a", "unsigned char", Notation::Unsigned, bits(8, 255)),
            ("b", "long long", Notation::Signed, bits(64, i64::MIN)),
            ("c", "unsigned long", Notation::Unsigned, bits(64, -1)),
            ("d", "_Bool", Notation::Unsigned, Value::Bool(true)),
            ("e", "void *", Notation::Address, bits(64, 4096)),
            ("f", "double", Notation::Unsigned, bits(64, (-2.5_f64).to_bits().cast_signed())),
            ("g", "unsigned __int128", Notation::Unsigned, Value::BitVec(wide)),
            ("h", "char", Notation::Character, bits(8, -1)),
            ("never", "int", Notation::Signed, bits(32, 1)),
        ];
        check(program, "unreach-call", &calls, true);
    }

    #[test]
    fn the_file_tells_how_to_use_it() {
        let text = harness("unreach-call", &[int(1)]);
        assert!(text.contains(" -w program.c harness.c -o harness && ./harness\n"), "{text}");
        assert_eq!(text.matches("/*").count(), text.matches("*/").count(), "{text}");
        assert_eq!((quoted("a.c"), quoted("it's a.c").as_str()), ("a.c".to_owned(), "'it'\\''s a.c'"));
    }

    #[test]
    fn what_cannot_be_defined_is_said() {
        let text = harness("unreach-call", &[("get", "struct pair", Notation::Unsigned, Value::bv(8, 1))]);
        assert!(text.contains("To be defined by hand: get"), "{text}");
    }
}
