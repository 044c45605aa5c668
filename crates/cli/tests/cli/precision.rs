//! Precisions that one run leaves to another.

use crate::Place;

/// A lock that is taken and given back; `EDIT` is where a line may come.
const PROGRAM: &str = "\
extern int __VERIFIER_nondet_int(void);
void reach_error(void) {}
int locked;
void lock(void) { if (locked) reach_error(); locked = 1; }
void unlock(void) { if (!locked) reach_error(); locked = 0; }
int main(void) {
  EDIT
  locked = 0;
  while (__VERIFIER_nondet_int()) {
    lock();
    unlock();
  }
  return 0;
}
";

fn place() -> Place {
    Place::new(&[
        ("a.c", &PROGRAM.replace("EDIT", "")),
        ("edited.c", &PROGRAM.replace("EDIT", "int more = 5; more++;")),
        ("broken.c", &PROGRAM.replace("EDIT", "").replace("    unlock();\n", "")),
    ])
}

#[test]
fn a_second_run_needs_no_refinement() {
    for engine in ["predicate", "combined", "value-analysis", "boolean"] {
        let place = place();
        let run = |arguments: &str| place.run(&format!("verify --engine {engine} {arguments} --json"));
        let rounds = |json: &serde_json::Value| json["rounds"].as_u64().expect("a number");
        let first = run("a.c --precision-out a.precision").ends(0, &[]).json();
        let text = place.read("a.precision");
        assert!(text.starts_with("tamis-precision 1\n") && text.contains(&format!("engine {engine}\n")), "{text}");
        for file in ["a.c", "edited.c"] {
            let again = run(&format!("{file} --precision-in a.precision")).ends(0, &[]).json();
            assert!(rounds(&first) > 0 && rounds(&again) == 0, "{engine} on {file}: {text}\n{first}\n{again}");
            assert_eq!(again["evidence"]["accepted"], true);
        }
        // Advice does not decide.
        run("broken.c --precision-in a.precision").ends(10, &["false(unreach-call)"]);
    }
}

#[test]
fn whoever_races_begins_with_the_engine_of_the_file() {
    let place = place();
    place.run("verify --engine predicate a.c --precision-out a.precision").ends(0, &[]);
    let again = place.run("verify edited.c --precision-in a.precision --json").ends(0, &[]).json();
    assert_eq!(again["rounds"], 0, "{again}");
}

#[test]
fn a_file_that_does_not_fit_is_passed_over() {
    let place = place();
    place.write("a.precision", b"tamis-precision 1\nengine nobody\ntrack x\n\nat f: y\n    (= |f::y| 1)\n    ((\n");
    for engine in ["auto", "predicate", "boolean"] {
        let ran = place.run(&format!("verify --engine {engine} a.c --precision-in a.precision"));
        ran.ends(0, &["true", "nothing in a.precision fits the program"]);
    }
}

#[test]
fn predicates_count_only_where_they_mean_something() {
    // At the entry of main a local has no value yet, and at the exit of a procedure nobody knows its locals.
    let everywhere = "tamis-precision 1\nengine boolean\n\neverywhere\n    (= |main::sum| #x00000000)\n    \
                      (= |f::x| #x00000001)\n    (= |f::y| #x00000001)\n";
    let text = "\
extern int __VERIFIER_nondet_int(void);
void reach_error(void) {}
int f(int x) { int y = x + 1; if (y > 5) return f(y - 3); return y; }
int main(void) {
  int sum = 0;
  while (sum < 9) { if (__VERIFIER_nondet_int()) sum = sum + f(sum); else sum = sum + 1; }
  if (sum == LIMIT) reach_error();
  return 0;
}
";
    let place = Place::new(&[
        ("unsafe.c", &text.replace("LIMIT", "9")),
        ("safe.c", &text.replace("LIMIT", "3")),
        ("a.precision", everywhere),
    ]);
    let verify = |file: &str| place.run(&format!("verify {file} --engine boolean --precision-in a.precision"));
    verify("unsafe.c").ends(10, &["false"]);
    assert!(!verify("safe.c --time 10s").out.contains("evidence rejected"));
}

#[test]
fn files_that_are_none_are_refused() {
    let place = place();
    place.write("a.precision", b"tamis-precision 1\nengine predicate\nhello\n");
    let verify = |arguments: &str| place.run(&format!("verify a.c {arguments}"));
    verify("--precision-in a.precision").ends(2, &["a.precision:3:1", "expected"]);
    verify("--precision-in a.c").ends(2, &["a.c:1:1", "tamis-precision 1"]);
    verify("--precision-in missing").ends(2, &["missing"]);
    verify("--precision-out a.precision").ends(2, &["a.precision exists", "--force"]);
    for other in ["b", "./b"] {
        verify(&format!("--precision-out b --witness {other} --force")).ends(2, &["would be one file"]);
    }
    verify("--engine explicit --precision-in a.precision").ends(1, &["has no meaning"]);
    // What is read may be replaced, if the user says so.
    place.write("a.precision", b"tamis-precision 1\nengine predicate\n");
    verify("--engine predicate --precision-in a.precision --precision-out a.precision --force").ends(0, &["true"]);
    assert!(place.read("a.precision").contains("at main: while"), "{}", place.read("a.precision"));
}

#[test]
fn a_race_without_a_winner_leaves_no_precision_and_says_why() {
    let text = "extern unsigned __VERIFIER_nondet_uint(void); void reach_error(void) {}
        int main(void) { unsigned a = 0, b = 0, n = __VERIFIER_nondet_uint();
          while (a != n) { a++; b += a * a * n; if (b * b == 7 * a + n * 3) a++; }
          if (b * a != n * b) reach_error(); return 0; }";
    let place = Place::new(&[("a.c", text)]);
    let ran = place.run("verify a.c --time 2s --precision-out a.precision");
    ran.ends(5, &["a.precision is not written: no engine came to an answer", "--engine predicate"]);
    place.run("verify a.c --engine predicate --time 2s --precision-out a.precision").ends(5, &["unknown"]);
    assert!(place.read("a.precision").starts_with("tamis-precision 1"));
}
