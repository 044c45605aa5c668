//! C programs from the command line to the verdict: preprocessed, linked, asked, replayed by a
//! compiler.

use crate::{Place, Ran};
use std::process::Command;
use tamis_testing::has;
use tamis_testing::tools::COMPILER;

const MAIN: &str = "\
#include \"half.h\"
extern int __VERIFIER_nondet_int(void);
void reach_error(void) {}
int main(void) {
  int x = __VERIFIER_nondet_int();
  if (half(x) == LIMIT)
    reach_error();
  return 0;
}
";
const HALF: &str = "int half(int n) {\n  return n / 2;\n}\n";
const HEADER: &str = "#ifndef LIMIT\n#define LIMIT -7\n#endif\nint half(int);\n";

fn linked() -> Place {
    Place::new(&[("main.c", MAIN), ("half.c", HALF), ("half.h", HEADER)])
}

#[test]
fn files_are_linked_and_traces_show_the_users_lines() {
    if !has(&COMPILER) {
        return;
    }
    let ran = linked().run("verify main.c half.c");
    ran.ends(10, &["main.c:6", "if (half(x) == LIMIT)", "half.c:2", "(input)"]);
    assert_eq!(ran.last(), "false(unreach-call)");
    let json = linked().run("verify main.c half.c --list-properties --json").ends(0, &[]).json();
    assert_eq!((&json[0]["files"][0], &json[0]["lines"][0]), (&"main.c".into(), &7.into()));
}

#[test]
fn macros_of_the_command_line_count() {
    if !has(&COMPILER) {
        return;
    }
    // No half of an int is that large.
    linked().run("verify main.c half.c -D LIMIT=2000000000").ends(0, &["true"]);
}

#[test]
fn errors_are_located_in_the_users_files() {
    if !has(&COMPILER) {
        return;
    }
    let place = linked();
    place.write("half.h", b"#define LIMIT 3\nint half(int;\n");
    place.run("verify main.c half.c").ends(2, &["half.h:2"]);
}

#[test]
fn a_harness_runs_into_the_error() {
    if !has(&COMPILER) {
        return;
    }
    let place = linked();
    place.run("verify main.c half.c --harness harness.c").ends(10, &[]);
    reaches_the_error(&place);
    place.run("verify main.c half.c --harness harness.c").ends(2, &["harness.c exists"]);
}

/// Does what the harness says.
#[track_caller]
fn reaches_the_error(place: &Place) {
    let text = place.read("harness.c");
    let commands: Vec<&str> = text.lines().filter_map(|line| line.strip_prefix(" *     ")).collect();
    let commands = commands.join(" && ");
    let output = Command::new("sh").args(["-c", &commands]).current_dir(place.path("")).output().expect("a shell");
    assert_eq!(output.status.code(), Some(107), "{output:?}\n{text}");
    assert_eq!(output.stdout, b"tamis: error reached\n");
}

#[test]
fn a_harness_reaches_errors_in_headers_and_unset_variables() {
    if !has(&COMPILER) {
        return;
    }
    let main = "#include \"half.h\"\nint main(void) {\n  word x;\n  if (half(x) == LIMIT)\n    reach_error();\n  return 0;\n}\n";
    let header = "typedef int word;\nstatic void reach_error(void) { for (;;) ; }\nint half(int);\n";
    let place = Place::new(&[("main.c", main), ("half.c", HALF), ("half.h", header)]);
    place.run("verify main.c half.c -DLIMIT=-9 --harness harness.c").ends(10, &[]);
    reaches_the_error(&place);
}

#[test]
fn a_harness_warns_only_of_what_matters() {
    let heap = "extern void *malloc(unsigned long);\nvoid reach_error(void);\n\
                int main(void) { int *p = malloc(8); if (p[1] == 77) reach_error(); return 0; }\n";
    let register = "void reach_error(void);\nint main(void) { int x = *(volatile int *)0x4000; int y = x; reach_error(); return y; }\n";
    let place = Place::new(&[("heap.c", heap), ("register.c", register)]);
    place.run("verify heap.c --harness a.c").ends(10, &["the harness cannot give the content of memory"]);
    let ran = place.run("verify register.c --harness b.c");
    assert!(!ran.ends(10, &[]).err.contains("the harness cannot"), "{ran:#?}");
}

#[test]
fn what_is_asked_names_the_verdict() {
    let text = "extern int __VERIFIER_nondet_int(void);\nint a[4];\n\
                int main(void) { int x = __VERIFIER_nondet_int(); if (x >= 0 && x < 5) a[x] = x + 1; return 0; }\n";
    let place = Place::new(&[("a.c", text)]);
    let ask = |formulas: &[&str]| {
        let lines: Vec<String> =
            formulas.iter().map(|formula| format!("CHECK( init(main()), LTL({formula}) )")).collect();
        place.write("a.prp", lines.join("\n").as_bytes());
        place.run("verify a.c --spec a.prp")
    };
    assert_eq!(ask(&["G valid-free", "G valid-deref", "G valid-memtrack"]).ends(10, &[]).last(), "false(valid-deref)");
    assert_eq!(ask(&["G ! overflow"]).ends(0, &[]).last(), "true");
    assert_eq!(ask(&["G ! call(reach_error())"]).ends(0, &[]).last(), "true");
    ask(&["F end"]).ends(2, &["termination is not supported"]);
}

#[test]
fn an_index_out_of_bounds_is_shown_as_it_is_compared() {
    let text = "extern int __VERIFIER_nondet_int(void);\nint a[10];\n\
                int main(void) { int n = __VERIFIER_nondet_int(); if (n < 20) a[n] = 1; return 0; }\n";
    let ran = Place::new(&[("a.c", text)]).run("verify a.c");
    ran.ends(10, &["[n >=u 10]", "a = {0, 0, 0, 0, 0, 0, 0, 0, 0, 0}"]);
}

#[test]
fn what_is_looked_for_only_on_request_is_listed() {
    let text = "int main(void) { int x = 3; goto out; out: return x; }\n";
    let place = Place::new(&[("a.c", text)]);
    let names = ["no-overflow", "valid-deref", "valid-free", "valid-memtrack", "valid-memcleanup"];
    let listed = place.run("verify a.c --list-properties");
    listed.ends(0, &["an assertion fails", "only if it is asked for", "--property NAME", "--label NAME", "--spec"]);
    let json = place.run("verify a.c --list-properties --json").ends(0, &[]).json();
    for name in names {
        assert!(listed.out.contains(&format!("\n{name} ")), "{listed:#?}");
        assert!(json.as_array().unwrap().iter().any(|entry| entry["name"] == name), "{json}");
        place.run(&format!("verify a.c --property {name}")).ends(0, &["true"]);
    }
    place.run("verify a.c --property nope").ends(2, &["no property nope", &names.join(", "), "--label"]);
    let missing = place.run("verify a.c --label nope");
    assert!(!missing.ends(2, &["no label nope"]).err.contains("the program has no labels"), "{missing:#?}");
    place.run("verify a.c --label out").ends(10, &["the label out is reached"]);
}

#[test]
fn witnesses_pin_what_the_meaning_depends_on() {
    let place = Place::new(&[("a.c", "int main(void) { long x = -1; if (x + 2 != 1) return *(int *)0; return 0; }\n")]);
    place.run("verify a.c --witness w.json").ends(0, &["true"]);
    place.run("check a.c w.json").ends(0, &["accepted"]);
    let refused = |options: &str, what: &str| {
        place.run(&format!("check a.c w.json {options}")).ends(2, &[what, "the options that it was made with"]);
    };
    refused("--data-model ilp32", "it was made with --data-model lp64");
    refused("--overflow assume", "it was made with --overflow usual");
    refused("--undefined refuse", "it was made with --undefined havoc");
    place.write("a.prp", b"CHECK( init(main()), LTL(G valid-deref) )\n");
    refused("--spec a.prp", "it was made without --spec");
    refused(
        "--property valid-deref",
        "it was made without --property, and this check runs with --property valid-deref",
    );
}

#[test]
fn witnesses_name_the_option_that_asked() {
    let place = Place::new(&[
        ("a.c", "int main(void) { goto out; out: return 0; }\n"),
        ("a.prp", "CHECK( init(main()), LTL(G valid-deref) )\n"),
    ]);
    for (option, told) in [
        ("--property valid-deref", "it was made with --property valid-deref, and this check runs without --property"),
        ("--label out", "it was made with --label out, and this check runs without --label"),
        ("--spec a.prp", "it was made with --spec G valid-deref, and this check runs without --spec"),
    ] {
        let ran = place.run(&format!("verify a.c {option} --witness w.json --force"));
        assert!(matches!(ran.code, Some(0 | 10)), "{ran:#?}");
        place.run("check a.c w.json").ends(2, &[told]);
        place.run(&format!("check a.c w.json {option}")).ends(0, &["accepted"]);
    }
}

#[test]
fn a_task_says_what_to_expect() {
    let task = "format_version: '2.0'\ninput_files: a.c\n\
                properties:\n  - {property_file: end.prp, expected_verdict: false}\n  \
                - {property_file: reach.prp, expected_verdict: false}\noptions: {language: C, data_model: ILP32}\n";
    let place = Place::new(&[
        ("task.yml", task),
        ("a.c", "void reach_error(void);\nint main(void) { if (sizeof(long) != 4) reach_error(); return 0; }\n"),
        ("end.prp", "CHECK( init(main()), LTL(F end) )\n"),
        ("reach.prp", "CHECK( init(main()), LTL(G ! call(reach_error())) )\n"),
    ]);
    let ran: Ran = place.run("verify task.yml");
    ran.ends(0, &["reach.prp is asked for", "the task file expects false, and the verdict is true"]);
    assert_eq!(ran.last(), "true");
    let wide = place.run("verify task.yml --data-model lp64");
    assert!(!wide.ends(10, &["reach.prp"]).err.contains("expects"), "{wide:#?}");
    assert_eq!(place.run("verify task.yml --quiet").ends(0, &[]).err, "");
}

const FACTORIAL: &str = "\
extern int __VERIFIER_nondet_int(void);
void reach_error(void) {}
int factorial(int n) {
  if (n <= 0) return 1;
  return n * factorial(n - 1);
}
int main(void) {
  int n = __VERIFIER_nondet_int();
  if (n > 3) return 0;
  if (factorial(n) > LIMIT) reach_error();
  return 0;
}
";

#[test]
fn engines_without_calls_have_a_stack() {
    let endless = FACTORIAL.replace("n > 3", "n < 0").replace("> LIMIT", "== 7");
    let place = Place::new(&[
        ("safe.c", &FACTORIAL.replace("LIMIT", "6")),
        ("unsafe.c", &FACTORIAL.replace("LIMIT", "5")),
        ("endless.c", &endless),
    ]);
    for engine in ["predicate", "combined"] {
        let verify = |arguments: &str| place.run(&format!("verify --engine {engine} {arguments}"));
        verify(&format!("safe.c --witness {engine}.json")).ends(0, &["true"]);
        place.run(&format!("check safe.c {engine}.json")).ends(0, &["true"]);
        verify("unsafe.c").ends(10, &["factorial"]);
    }
    // No depth is enough: that is no proof.
    place.run("verify --engine predicate endless.c --time 5s").ends(5, &["unknown"]);
}

#[test]
fn a_program_for_tracer_wraps_around_if_it_is_told_to() {
    let text =
        "unsigned up, down;\nint main(void) {\n  if (up + 100 <= down) _TRACER_abort(up > down);\n  return 0;\n}\n";
    let place = Place::new(&[("a.c", text)]);
    place.run("verify a.c").ends(0, &["true", "arithmetic is assumed not to overflow"]);
    let ran = place.run("verify a.c --overflow wrap");
    assert!(!ran.ends(10, &["false(unreach-call)", "inputs"]).err.contains("assumed not to overflow"), "{ran:#?}");
    place.run("verify a.c --overflow assume").ends(0, &["true"]);
    let asked = "verify a.c --property no-overflow";
    place.run(asked).ends(0, &["true", "unsigned arithmetic is assumed not to overflow"]);
}

#[test]
fn a_bounded_search_that_ends_without_a_proof_says_so() {
    let text = "extern int __VERIFIER_nondet_int(void);\nvoid reach_error(void) {}\nint main(void) {\n  int s = 0;\n  \
                for (int i = 0; i < 150; i++) s += __VERIFIER_nondet_int() & 1;\n  \
                if (s > 150) reach_error();\n  return 0;\n}\n";
    let ran = Place::new(&[("a.c", text)]).run("verify a.c --engine bounded");
    assert!(!ran.ends(5, &["all paths end without an error", "try another engine"]).err.contains("solver"), "{ran:#?}");
}
