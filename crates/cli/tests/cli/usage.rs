//! The command line itself: a wrong one ends with exit code 1.

use crate::{Place, run};

fn tamis(arguments: &str) -> crate::Ran {
    Place::new(&[]).run(arguments)
}

#[test]
fn help_and_version_are_no_errors() {
    tamis("--help").ends(0, &["verify", "check", "engines", "translate", "Exit codes"]);
    tamis("--version").ends(0, &["tamis 0."]);
    for command in ["verify", "check", "engines", "translate"] {
        tamis(&format!("{command} --help")).ends(0, &["Usage"]);
    }
}

#[test]
fn a_wrong_command_line_ends_with_one() {
    for arguments in [
        "",
        "verfy a.bp",
        "verify",
        "verify a.bp --engine wizardry",
        "verify a.bp --time soon",
        "verify a.bp --memory lots",
        "verify a.bp --states -1",
        "verify a.bp --passes fold",
        "verify a.bp --passes none,slice",
        "verify a.bp --trace long",
        "verify a.bp --with sources=",
        "verify a.bp --with refine=guesses",
        "verify a.bp --label x --property y",
        "verify a.bp --force",
        "check a.bp",
        "engines wizardry",
        "translate a.bp",
        "translate a.bp --to pdf",
    ] {
        let ran = tamis(arguments);
        assert_eq!(ran.ends(1, &[]).out, "", "{arguments}");
    }
    tamis("engines wizardry").ends(1, &["explicit"]);
    tamis("verify a.bp --passes none,slice").ends(1, &["none stands alone", "leave out slice"]);
    tamis("verify --help").ends(0, &["- propagate: put in constants and copies", "- slice: remove variables"]);
}

#[test]
fn options_tell_what_they_can_be() {
    for (setting, told) in [
        ("blocks=foo", "it can be large, branches, single"),
        ("nosuch=1", "it has integers, equations, blocks"),
        ("sources=foo", "literals, newton, newton-forward"),
        ("track=", "nothing, property, selectors"),
    ] {
        tamis(&format!("verify a.c --engine combined --with {setting}")).ends(1, &[told]);
    }
    tamis("verify a.c --engine bounded --with blocks=single").ends(1, &["no option blocks; it has bound"]);
    tamis("verify a.c --with predicate.blocks=foo").ends(1, &["it can be large, branches, single"]);
    tamis("verify a.c --with combined.blocks=large").ends(1, &["combined does not race in auto"]);
}

#[test]
fn tracked_variables_are_those_of_the_program() {
    let text = "extern int __VERIFIER_nondet_int(void); void reach_error(void) {} int count;
        int f(int step) { int total = step; return total + 1; }
        int main(void) { int state = 0;
          while (__VERIFIER_nondet_int()) { state = (state + 1) % 4; count += f(state); }
          if (state == 5) reach_error(); return 0; }";
    let place = Place::new(&[("a.c", text)]);
    let track = |names: &str| place.run(&format!("verify a.c --engine combined --with track={names}"));
    // What does not matter for the property is no error, and is not tracked.
    for names in ["state", "main::state", "state+count", "total", "f::total", "selectors"] {
        track(names).ends(0, &["true"]);
    }
    track("stat").ends(2, &["no variable stat", "is state meant?"]);
    track("state+nosuch").ends(2, &["no variable nosuch", "known are count, state"]);
    place.run("verify a.c --with track=nosuch").ends(2, &["no variable nosuch"]);
}

#[test]
fn engines_are_listed_from_the_table() {
    tamis("engines").ends(0, &["explicit", "Reps, Horwitz, Sagiv", "auto"]);
    tamis("engines explicit").ends(0, &["explicit"]);
    tamis("engines predicate").ends(0, &["refine", "prefixes", "literals", "ideal [default: ideal]"]);
    tamis("engines pushdown-cegar").ends(0, &["interpolants", "[default: combined]"]);
    tamis("engines portfolio").ends(0, &["ENGINE.NAME=VALUE", "pushdown-cegar: interpolants"]);
    assert!(!tamis("engines bounded").ends(0, &["bound ", "rounds of loops"]).out.contains("literals"));
    let json = tamis("engines --json").json();
    for key in ["name", "about", "paper", "when"] {
        assert!(json[0][key].is_string(), "{json}");
    }
    let json = tamis("engines bounded --json").json();
    assert_eq!((&json[0]["options"][0]["name"], &json[0]["options"][0]["default"]), (&"bound".into(), &"none".into()));
}

#[test]
fn properties_are_listed() {
    let text = "void main() begin L1: skip; assert(T); end";
    run("a.bp", text, "verify FILE --list-properties").ends(0, &["assert", "L1", "(default)"]);
    let json = run("a.bp", text, "verify FILE --list-properties --json").json();
    assert!(json.as_array().unwrap().iter().any(|entry| entry["name"] == "L1" && entry["default"] == false));
}

#[test]
fn programs_are_drawn_and_files_are_kept() {
    let place = Place::new(&[("a.bp", "decl g; void main() begin g := T; assert(g); end"), ("taken.dot", "mine")]);
    let drawn = place.run("translate a.bp --to dot");
    drawn.ends(0, &["digraph", "g := true", "doubleoctagon"]);
    place.run("translate a.bp --to dot -o taken.dot").ends(2, &["taken.dot exists", "--force"]);
    assert_eq!(place.read("taken.dot"), "mine");
    place.run("translate a.bp --to dot -o taken.dot --force").ends(0, &[]);
    assert_eq!(place.read("taken.dot"), drawn.out);
    place.run("translate a.bp --to dot -o a.bp --force").ends(2, &["a.bp is an input"]);
    place.run("translate a.bp --to dot -o no/such.dot").ends(2, &["folder does not exist"]);
    place.run("translate a.bp --to dot -o .").ends(2, &["directory"]);
}

#[cfg(unix)]
#[test]
fn a_reader_who_goes_away_is_no_panic() {
    let place = Place::new(&[("a.bp", "decl g; void main() begin assert(g); end")]);
    let tamis = env!("CARGO_BIN_EXE_tamis");
    for arguments in ["verify a.bp", "verify a.bp --json", "translate a.bp --to dot", "--help", "engines"] {
        // `true` reads nothing; standard error goes to standard output here and is seen.
        let script = format!("(sleep 0.1; {tamis} {arguments} 2>err) | true");
        let status = std::process::Command::new("sh").args(["-c", &script]).current_dir(place.0.path()).status();
        assert!(status.unwrap().success());
        std::thread::sleep(std::time::Duration::from_millis(400));
        let err = place.read("err");
        assert!(!err.contains("internal error") && !err.contains("panicked"), "{err}");
    }
}
