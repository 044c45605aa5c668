//! What is called unsafe in C runs into the error when it is compiled: all of the corpus, and what
//! a harness has to give. What happens if it does not.

use crate::c_input::Compiler;
use crate::{Place, workspace};
use tamis_testing::tools::{COMPILER, COMPILER_32};
use tamis_testing::{files, has};

/// The programs of the corpus that no harness can lead into their error: they read registers of
/// devices, what others define, what is typed, or what lies between members.
const REGISTERS: &[&str] = &[
    "devices_change.c",
    "padding_is_arbitrary.c",
    "register_behind_a_pointer.c",
    "registers_are_computed.c",
    "registers_are_copied.c",
    "registers_change.c",
    "scanf_reads_anything.c",
    "volatile_of_the_outside.c",
];

/// Those whose error GCC's sanitizers do not see: objects that ended with their block, but are no
/// variables; arithmetic in `int` whose result is cut to a narrower place, which GCC computes in
/// that; indices wider than an address, which it cuts first.
const UNSEEN: &[&str] = &[
    "bit_fields_of_31_bits_overflow.c",
    "bounds_of_wide_indices.c",
    "compound_assignments_overflow_in_their_type.c",
    "dangling_variable_length.c",
    "literal_of_another_round.c",
];

/// Those whose inputs are addresses, which are others when the program is compiled.
const ADDRESSES: &[&str] = &["an_input_may_be_an_address.c"];

/// The options that line 1 of a program asks for, if it is unsafe.
fn options(text: &str) -> Option<String> {
    let (_, words) = text.lines().next()?.split_once("expect: false")?;
    let option = |word: &str| {
        let (key, name) = word.split_once('=')?;
        let option = if key == "label" { "label" } else { "property" };
        ["label", "property", "ask"].contains(&key).then(|| format!(" --{option} {name}"))
    };
    // What is asked makes the property, which is then named as well.
    let mut options: Vec<String> = words.split_whitespace().filter_map(option).collect();
    options.dedup();
    Some(options.concat())
}

#[test]
fn unsafe_programs_of_the_corpus_run_into_their_errors() {
    if !has(&COMPILER) {
        return;
    }
    let folder = workspace("tests/corpus/c");
    let (mut replayed, mut registers) = (0, 0);
    for file in files(&folder, &["c"]).iter().filter(|file| file.parent() == Some(&folder)) {
        let Some(options) = options(&std::fs::read_to_string(file).expect("a program")) else { continue };
        let name = file.file_name().and_then(|name| name.to_str()).expect("a name");
        let ran = Place::new(&[]).run(&format!("verify {} --replay --json{options}", file.display()));
        if UNSEEN.contains(&name) {
            assert_eq!(ran.ends(7, &[]).json()["replay"]["result"], "failed", "{name}");
            continue;
        }
        let replay = &ran.ends(10, &[]).json()["replay"];
        if REGISTERS.contains(&name) {
            assert_eq!(replay["result"], "not replayed", "{name}: {replay}");
            assert!(replay["detail"].as_str().is_some_and(|why| why.contains("the value that is read at")), "{replay}");
            registers += 1;
        } else if ADDRESSES.contains(&name) {
            assert_eq!(replay["result"], "not replayed", "{name}: {replay}");
        } else {
            assert_eq!(replay["result"], "replayed", "{name}: {replay}");
            replayed += 1;
        }
    }
    println!("{replayed} replayed, {registers} read registers");
    assert!(replayed >= 20 && registers == REGISTERS.len(), "{replayed} and {registers}");
}

/// The program is unsafe, and its compiled form runs into the error.
#[track_caller]
fn check(files: &[(&str, &str)], options: &str, how: &str) {
    if has(&COMPILER) {
        let place = Place::new(files);
        let texts = files.iter().map(|(name, _)| *name).filter(|name| !name.contains(".h"));
        let texts = texts.collect::<Vec<_>>().join(" ");
        let ran = place.run(&format!("verify {texts} {options} --replay --witness w.json"));
        ran.ends(10, &["replayed: the compiled program runs into the error", how]);
        let ran = place.run(&format!("check {texts} w.json {options} --replay"));
        ran.ends(0, &["accepted\nreplayed: the compiled program runs into the error", how]);
        assert_eq!(ran.last(), "false(unreach-call)");
    }
}

const INPUT: &str = "extern int __VERIFIER_nondet_int(void);\n";

#[test]
fn files_are_compiled_as_they_were_read() {
    let main = "#include \"b.h\"\nstatic void reach_error(void) {}\nextern int get(void), __VERIFIER_nondet_int(void);\n\
                int main(void) { if (get() == LIMIT && __VERIFIER_nondet_int() == -LIMIT) reach_error(); return 0; }\n";
    let other = format!("{INPUT}int get(void) {{ return __VERIFIER_nondet_int(); }}\n");
    let files = [("a.c", main), ("b.c", &other), ("b.h", "#ifndef LIMIT\n#define LIMIT 7\n#endif\n")];
    check(&files, "", "an error function is called");
    check(&files, "-DLIMIT=-9", "an error function is called");
}

#[test]
fn the_error_is_named_with_its_place() {
    let text = format!("#include <assert.h>\n{INPUT}int main(void) {{\n  assert(__VERIFIER_nondet_int());\n}}\n");
    check(&[("a.c", &text)], "", "(an assertion fails, a.c:4)");
    let text = format!("{INPUT}int main(void) {{\n  return 7 %\n    __VERIFIER_nondet_int();\n}}\n");
    check(&[("a.c", &text)], "", "(a number is divided by zero, a.c:");
    let text = format!("{INPUT}int main(void) {{ if (__VERIFIER_nondet_int() == 77) ERROR: return 1; return 0; }}\n");
    check(&[("a.c", &text)], "", "(the label ERROR is reached)");
}

#[test]
fn variables_that_are_not_set_have_the_values_of_the_trace() {
    let text = "extern void reach_error(void);\nextern int outside;\n\
                static int pick(int early) { if (early) return 3; int x; unsigned char y; return x - y; }\n\
                int main(void) {\n  int sum, i;\n  if (sum != -77) return 0;\n  if (pick(1) != 3 || pick(0) != 1234) return 0;\n  \
                for (i = 0; i < 3; i++) { short z; sum += z; if (z == 0) return 0; }\n  \
                if (sum == 1000 && outside == 55) reach_error();\n  return 0;\n}\n";
    check(&[("a.c", text)], "", "an error function is called");
}

#[test]
fn arguments_and_random_numbers_are_given() {
    let text = "#include <stdlib.h>\nextern void reach_error(void);\n\
                int main(int argc, char **argv) { if (argc == 4 && rand() == 12345) reach_error(); return 0; }\n";
    check(&[("a.c", text)], "", "an error function is called");
}

#[test]
fn programs_of_32_bits_are_replayed() {
    if !has(&COMPILER_32) {
        return;
    }
    let text = format!(
        "{INPUT}extern void reach_error(void);\nint main(void) {{ long long x = __VERIFIER_nondet_int(); \
         if (sizeof(long) == 4 && x * 100000 / 7 == 71428571428LL) reach_error(); return 0; }}\n"
    );
    check(&[("a.c", &text)], "--data-model ilp32", "an error function is called");
}

const UNSAFE: &str = "extern void reach_error(void);\nint main(void) { reach_error(); return 0; }\n";

/// A compiler that makes a program which does this. What only asks for what it can do is fine.
fn making(program: &str) -> Compiler {
    let script = format!(
        "target=none; while [ $# -gt 0 ]; do [ \"$1\" = -o ] && target=$2; shift; done\n\
         case $target in ./program) printf '#!/bin/sh\\n{program}\\n' ;; *) echo '#!/bin/sh' ;; esac > \"$target\"\n\
         chmod +x \"$target\""
    );
    Compiler::new(&script, &[("a.c", UNSAFE)])
}

#[test]
fn a_compiled_program_that_does_something_else_takes_the_verdict_away() {
    let compiler = making("exit 3");
    let ran = compiler.run("verify a.c --replay --witness w.json --quiet");
    let why = "not replayed: the compiled program does not run into the error: it ends with exit code 3";
    assert_eq!(ran.ends(7, &[&format!("error: {why}"), "bug to report"]).out, format!("unknown({why})\n"));
    let json = compiler.run("verify a.c --replay --json").ends(7, &[]).json();
    assert_eq!((&json["verdict"], &json["reason"]), (&"unknown".into(), &why.into()));
    assert_eq!((&json["replay"]["result"], &json["evidence"]["accepted"]), (&"failed".into(), &true.into()));
    let ran = compiler.run("check a.c w.json --replay");
    assert_eq!(ran.ends(7, &[]).out, format!("accepted\nrejected({why})\n"));
    assert_eq!(compiler.run("check a.c w.json --replay --json").ends(7, &[]).json()["replay"]["result"], "failed");
    // The exit code alone is no error that is reached, nor are the words alone.
    making("exit 107").run("verify a.c --replay").ends(7, &["exit code 107"]);
    making("echo tamis: error reached").run("verify a.c --replay").ends(7, &["error reached"]);
    making("echo tamis: error reached; exit 107").run("verify a.c --replay").ends(10, &["replayed: the compiled"]);
    making("kill -FPE $$").run("verify a.c --replay").ends(7, &["an arithmetic exception (signal 8)"]);
}

#[test]
fn what_cannot_be_compiled_is_not_replayed() {
    let compiler = Compiler::new("exit 127", &[("a.c", UNSAFE)]);
    let ran = compiler.run("verify a.c --replay --witness w.json");
    assert_eq!(ran.ends(10, &["warning: not replayed: there is no C compiler"]).last(), "false(unreach-call)");
    let ran = compiler.run("check a.c w.json --replay");
    assert!(
        ran.ends(5, &["accepted\n"]).last().starts_with("unknown(not replayed: there is no C compiler"),
        "{ran:#?}"
    );
    let script = "case \"$*\" in *unit0*) echo 'a.c:1: error: it is odd' >&2; exit 1;; *empty) \
                  echo '#!/bin/sh' > empty; chmod +x empty;; esac; exit 0";
    let ran = Compiler::new(script, &[("a.c", UNSAFE)]).run("verify a.c --replay");
    ran.ends(10, &["not replayed: a.c does not compile: a.c:1: error: it is odd"]);
    let script = "echo 'for another machine' > empty; chmod +x empty";
    let ran = Compiler::new(script, &[("a.c", UNSAFE)]).run("verify a.c --replay");
    ran.ends(10, &["not replayed: what the compiler makes does not run here"]);
}

#[test]
fn a_program_that_hangs_is_ended_with_all_it_started() {
    let compiler = making("sleep 1000 & echo $! > $PLACE; wait");
    let process = compiler.0.path("process");
    let output = compiler.command("verify a.c --replay --time 2s").env("PLACE", &process).output().expect("it runs");
    assert_eq!(output.status.code(), Some(10), "{output:?}");
    assert!(String::from_utf8_lossy(&output.stderr).contains("not replayed: out of time"), "{output:?}");
    compiler.gone();
}

#[test]
fn only_traces_of_c_programs_are_replayed() {
    let place = Place::new(&[("a.bp", "void main() begin assert(F); end"), ("a.c", "int main(void) { return 0; }\n")]);
    place.run("verify a.bp --replay").ends(2, &["only C programs are replayed"]);
    place.run("verify a.bp --witness b.json").ends(10, &[]);
    place.run("check a.bp b.json --replay").ends(2, &["only C programs are replayed"]);
    place.run("verify a.c --replay --witness w.json").ends(0, &["true"]);
    place.run("check a.c w.json --replay").ends(2, &["w.json is a proof", "leave out --replay"]);
}
