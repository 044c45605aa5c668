//! Harnesses are compiled as they say, and run.

use super::recipe::quoted;
use super::*;
use std::process::Command;
use std::sync::Arc;
use tamis_ir::{Action, EdgeId, Input, Interpreter, Notation, Op, Property, Span};
use tamis_term::BitVec;
use tamis_testing::has;
use tamis_testing::tools::{COMPILER, COMPILER_32};

/// A call of an outside function: its name, the type of its result, and the result. What returns a
/// struct, and what is called `never`, is only declared.
type Call = (&'static str, &'static str, Notation, Value);

/// The harness of a program that calls outside functions, one after another, into the error of that
/// name. Its text is given, so that the harness may say how to copy it.
fn harness(text: &str, name: &str, calls: &[Call]) -> String {
    let mut terms = Terms::new();
    let mut program = Program::new(Arc::default());
    let main = program.add_proc("main", Span::default());
    let mut end = program.procs[0].entry;
    let mut actions = Vec::new();
    let is_declared = |(name, result, ..): &&Call| *name == "never" || result.starts_with("struct");
    for (function, result, ..) in calls.iter().filter(is_declared) {
        program.notes.outside.push(Input { function: (*function).into(), result: (*result).into() });
    }
    let calls: Vec<&Call> = calls.iter().filter(|call| !is_declared(call)).collect();
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
    let about = if name == "ERROR" { "the label ERROR is reached" } else { "it fails /* \n */" };
    let property = program.add_property(Property::new(name, about, vec![end]));
    let start: Vec<Value> = calls.iter().map(|(.., value)| Value::default_of(&value.sort())).collect();
    let trace = Interpreter::new(&terms, &program).record(start, actions).unwrap();
    let unit = Unit { name: "program.c".into(), text: text.into(), preprocessed: text.into() };
    let build = Build { units: vec![unit], harness: "harness.c".into(), flags: vec!["-w".into()], ..Build::default() };
    render(&Case { terms: &terms, program: &program, property, trace: &trace }, &build).0
}

/// Compiles the program with its harness as the harness says, and runs it: what it printed,
/// and the exit code. Nothing where there is no compiler.
fn run(program: &str, harness: &str) -> Option<(String, Option<i32>)> {
    if !has(&COMPILER) {
        return None;
    }
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("program.c"), program).unwrap();
    std::fs::write(folder.path().join("harness.c"), harness).unwrap();
    let mut commands: Vec<&str> = harness.lines().filter_map(|line| line.strip_prefix(" *     ")).collect();
    let start = commands.pop().expect("how to run it");
    let shell = |command: &str| Command::new("sh").args(["-c", command]).current_dir(folder.path()).output().unwrap();
    for command in commands {
        let ran = shell(command);
        assert!(ran.status.success(), "{command}\n{}\n{harness}", String::from_utf8_lossy(&ran.stderr));
    }
    let ran = shell(&format!("timeout 20 {start}"));
    Some((String::from_utf8_lossy(&ran.stdout).into_owned(), ran.status.code()))
}

#[track_caller]
fn check(program: &str, name: &str, calls: &[Call], reached: bool) {
    let harness = harness(program, name, calls);
    let Some((printed, code)) = run(program, &harness) else { return };
    assert_eq!(printed.contains("tamis: error reached\n"), reached, "{printed}\n{harness}");
    assert_eq!(code == Some(REACHED), reached, "{code:?}\n{harness}");
}

fn int(value: i32) -> Call {
    let bits = Value::BitVec(BitVec::from_int(32, &value.into()));
    ("__VERIFIER_nondet_int", "int", Notation::Signed, bits)
}

const CALLS: &str = "extern int __VERIFIER_nondet_int(void);\n";

/// A program whose main does this.
fn program(body: &str) -> String {
    format!("#include <assert.h>\n#include <stdlib.h>\n{CALLS}int main() {{ {body} return 0; }}")
}

#[test]
fn results_come_in_order() {
    let program = "void reach_error();\nint main() { int a = __VERIFIER_nondet_int(), b = __VERIFIER_nondet_int(), \
                   c = __VERIFIER_nondet_int(); if (a == -7 && b == 3 && c == 0) reach_error(); return 0; }";
    let program = format!("{CALLS}{program}");
    check(&program, "reach-error", &[int(-7), int(3), int(0)], true);
    check(&program, "reach-error", &[int(3), int(-7)], false);
    check(&program, "reach-error", &[int(-7), int(3), int(1)], false);
}

#[test]
fn an_error_on_another_way_is_another_error() {
    let program = program("int n = 0; while (n < 3) n += __VERIFIER_nondet_int(); assert(n < 3);");
    check(&program, "assert", &[int(1), int(2)], true);
    check(&program, "assert", &[int(3), int(2)], false);
    check(&program, "assert", &[int(1), int(1)], false);
}

#[test]
fn an_error_function_that_the_program_defines_is_seen() {
    let asserts = "#include <assert.h>\nvoid reach_error() { assert(0); }";
    for definition in
        ["void reach_error() {}", "void reach_error() { __builtin_abort(); }", asserts, "static void reach_error() {}"]
    {
        let program =
            format!("{CALLS}{definition}\nint main() {{ if (__VERIFIER_nondet_int() == 5) reach_error(); return 0; }}");
        check(&program, "reach-error", &[int(5)], true);
        check(&program, "reach-error", &[int(6)], false);
        check(&program, "assert", &[int(5)], definition == asserts);
    }
}

#[test]
fn labels_are_seen_whatever_they_are_about() {
    for statement in ["return 1;", "{ x = 3; }", "if (x) x = 4; else x = 5;", ";"] {
        let body = format!(
            "int x = __VERIFIER_nondet_int();\n  if (x < 0) x = 1; else if (x > 9)\n    ERROR : {statement}\n  \
             if (x == 5) goto ERROR;"
        );
        for (value, reached) in [(-1, false), (4, false), (5, true), (10, true)] {
            check(&program(&body), "ERROR", &[int(value)], reached);
        }
    }
}

#[test]
fn an_assertion_is_seen_where_it_fails() {
    let assertion = program("\nassert(__VERIFIER_nondet_int() != 5);");
    let harness = harness(&assertion, "assert", &[int(5)]);
    if let Some((printed, _)) = run(&assertion, &harness) {
        assert_eq!(printed, "tamis: at program.c:5\ntamis: error reached\n");
    }
    check(&assertion, "assert", &[int(4)], false);
    check(&assertion, "reach-error", &[int(5)], false);
}

#[test]
fn divisions_are_seen_and_aborts_are_not() {
    let division = program("volatile int x = 1 / __VERIFIER_nondet_int(); (void)x;");
    check(&division, "division-by-zero", &[int(0)], true);
    check(&division, "division-by-zero", &[int(1)], false);
    check(&division, "assert", &[int(0)], false);
    let smallest = program("volatile int least = -2147483647 - 1; least = least / __VERIFIER_nondet_int();");
    check(&smallest, "division-by-zero", &[int(-1)], false);
    check(&program("if (__VERIFIER_nondet_int()) abort();"), "assert", &[int(1)], false);
    let assumed =
        "extern void __VERIFIER_assume(int); int x = __VERIFIER_nondet_int(); __VERIFIER_assume(x > 0); assert(x > 1);";
    check(&program(assumed), "assert", &[int(1)], true);
    check(&program(assumed), "assert", &[int(0)], false);
}

#[test]
fn overflows_and_wrong_indices_are_seen() {
    let overflow = program("int x = __VERIFIER_nondet_int(); volatile int y = x + 1; return y == 3;");
    check(&overflow, "no-overflow", &[int(i32::MAX)], true);
    check(&overflow, "no-overflow", &[int(5)], false);
    let index = program("static int a[4]; a[__VERIFIER_nondet_int()] = 1;");
    check(&index, "bounds", &[int(4)], true);
    check(&index, "bounds", &[int(3)], false);
}

#[test]
fn errors_of_memory_are_told_apart() {
    let access = program("volatile int *p = malloc(4 * sizeof *p); p[__VERIFIER_nondet_int()] = 1;");
    check(&access, "valid-deref", &[int(4)], true);
    check(&access, "valid-deref", &[int(3)], false);
    check(&access, "valid-free", &[int(4)], false);
    let twice = program("int *p = malloc(4); free(p); if (__VERIFIER_nondet_int()) free(p);");
    check(&twice, "valid-free", &[int(1)], true);
    check(&twice, "valid-free", &[int(0)], false);
    check(&twice, "valid-deref", &[int(1)], false);
    check(&program("char *p = malloc(4); free(p + __VERIFIER_nondet_int());"), "valid-free", &[int(1)], true);
    check(&program("int *p = 0; if (__VERIFIER_nondet_int()) *p = 1;"), "valid-deref", &[int(1)], true);
    let leak = program("int *p = malloc(4); if (__VERIFIER_nondet_int()) free(p);");
    check(&leak, "valid-memcleanup", &[int(0)], true);
    check(&leak, "valid-memcleanup", &[int(1)], false);
    let aborted = program("int *p = malloc(4); if (__VERIFIER_nondet_int()) abort(); free(p);");
    check(&aborted, "valid-memcleanup", &[int(1)], true);
    check(&aborted, "valid-memcleanup", &[int(0)], false);
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
    check(program, "reach-error", &calls, true);
}

#[test]
fn one_function_may_have_results_of_several_widths() {
    let program = "
        extern long long get(void); long long (*wide)(void) = get; int (*narrow)(void) = (int (*)(void))get;
        unsigned char (*small)(void) = (unsigned char (*)(void))get;
        void reach_error(void);
        int main() { if (narrow() == -3 && wide() == -5000000000 && small() == 200) reach_error(); return 0; }";
    let bits = |width: u32, value: i64| Value::BitVec(BitVec::from_int(width, &value.into()));
    let calls = [
        ("get", "int", Notation::Signed, bits(32, -3)),
        ("get", "long long", Notation::Signed, bits(64, -5_000_000_000)),
        ("get", "unsigned char", Notation::Unsigned, bits(8, 200)),
    ];
    check(program, "reach-error", &calls, true);
}

#[test]
fn what_nobody_defines_is_defined() {
    let program = format!(
        "{CALLS}struct pair {{ int a, b; }};\nextern struct pair get(int, char *);\nextern int table[3], last;\n\
         void reach_error(void);\nint main() {{ struct pair p = get(1, 0); last = table[2];\n  \
         if (p.a + p.b + last == 0 && __VERIFIER_nondet_int() == 5) reach_error(); return 0; }}"
    );
    let calls = [("get", "struct", Notation::Unsigned, Value::bv(8, 1)), int(5)];
    check(&program, "reach-error", &calls, true);
}

#[test]
fn functions_of_the_program_are_not_those_of_the_system() {
    let text = format!(
        "{CALLS}int write(int x) {{ return x; }}\nint _exit(int x) {{ return x; }}\nvoid reach_error(void);\n\
         int main() {{ if (write(__VERIFIER_nondet_int()) == 5) reach_error(); return 0; }}"
    );
    check(&text, "reach-error", &[int(5)], true);
    check(&text, "reach-error", &[int(6)], false);
}

#[test]
fn the_file_tells_how_to_use_it() {
    let text = harness("", "reach-error", &[int(1)]);
    assert!(text.contains(" -w program.c\n *     cc program.o harness.c -o harness\n *     ./harness\n"), "{text}");
    assert_eq!(text.matches("/*").count(), text.matches("*/").count(), "{text}");
    assert_eq!((quoted("a.c"), quoted("it's a.c").as_str()), ("a.c".to_owned(), "'it'\\''s a.c'"));
}

#[test]
fn what_cannot_be_defined_is_said() {
    let text = harness("", "reach-error", &[("get", "struct pair", Notation::Unsigned, Value::bv(8, 1))]);
    assert!(text.contains("To be defined by hand: get"), "{text}");
}

#[test]
fn the_library_for_32_bits_is_enough_to_start() {
    if !has(&COMPILER_32) {
        return;
    }
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("runtime.c"), include_str!("runtime.c")).unwrap();
    let text = "extern void *malloc(unsigned); extern int printf(const char *, ...); static int set;\n\
                __attribute__((constructor)) static void before(void) { set = 3; }\n\
                int main(int argc, char **argv) {\n\
                  volatile long long a = -7000000000000, b = 3000; volatile unsigned long long c = -1;\n\
                  char *p = malloc(5); if (!p || p[4]) return 1; printf(\"%s\", argv[0]);\n\
                  if (a / b != -2333333333 || a % b != -1000 || c / 10 != 1844674407370955161 || c % 10 != 5) return 2;\n\
                  return argc == 2 && argv[1][0] == 'x' && !argv[2] ? set + 4 : 3; }";
    std::fs::write(folder.path().join("main.c"), text).unwrap();
    let build = "cc -w -m32 -nostdlib -static -no-pie -fno-pic -fno-stack-protector main.c runtime.c -o main";
    let shell = |command: &str| Command::new("sh").args(["-c", command]).current_dir(folder.path()).output().unwrap();
    let compiled = shell(build);
    assert!(compiled.status.success(), "{}", String::from_utf8_lossy(&compiled.stderr));
    assert_eq!(shell("./main x").status.code(), Some(7));
}
