//! Time, memory and the user's interrupt end a run with `unknown`, soon.

use crate::{Place, Ran, counter};
use std::process::Command;
use std::time::{Duration, Instant};

#[test]
fn time_is_limited() {
    let place = Place::new(&[("a.bp", &counter(26))]);
    let ran = place.run("verify a.bp --engine explicit --time 1s");
    assert_eq!(ran.ends(5, &["hint: allow more time", "states"]).last(), "unknown(out of time)");
    assert!(ran.time < Duration::from_secs(8), "{ran:#?}");
    let json = place.run("verify a.bp --engine explicit --time 500ms --json").ends(5, &[]).json();
    assert_eq!((&json["verdict"], &json["reason"]), (&"unknown".into(), &"out of time".into()));
    assert!(json["states"].as_u64().is_some_and(|states| states > 0), "{json}");
}

#[test]
fn memory_is_limited() {
    let place = Place::new(&[("a.bp", &counter(26))]);
    let ran = place.run("verify a.bp --engine explicit --memory 20M");
    assert_eq!(ran.ends(5, &["hint: allow more memory"]).last(), "unknown(out of memory)");
    let json = place.run("verify a.bp --engine explicit --memory 20M --json").ends(5, &[]).json();
    assert!(json["memory_mb"].as_f64().is_some_and(|used| used < 150.0), "{json}");
}

#[test]
fn a_front_end_that_takes_too_much_is_ended_too() {
    let statements = "  g := !g;\n".repeat(3_000_000);
    let place = Place::new(&[("a.bp", &format!("decl g;\nvoid main() begin\n{statements}assert(T); end\n"))]);
    let ran = place.run("verify a.bp --memory 30M");
    assert_eq!(ran.ends(5, &[]).last(), "unknown(out of memory)");
    let ran = place.run("verify a.bp --time 100ms");
    assert_eq!(ran.ends(5, &[]).last(), "unknown(out of time)");
    assert!(ran.time < Duration::from_secs(8), "{ran:#?}");
}

#[cfg(unix)]
fn signalled(place: &Place, arguments: &str, signals: &[&str]) -> Ran {
    let start = Instant::now();
    let child = place.start(arguments);
    let id = child.id().to_string();
    for signal in signals {
        std::thread::sleep(Duration::from_millis(700));
        let script = format!("kill -{signal} {id}");
        assert!(Command::new("sh").args(["-c", &script]).status().unwrap().success());
    }
    Ran::new(&child.wait_with_output().unwrap(), start.elapsed())
}

#[cfg(unix)]
#[test]
fn an_interrupt_ends_with_what_was_learned() {
    let place = Place::new(&[("a.bp", &counter(26))]);
    for signal in ["INT", "TERM"] {
        let ran = signalled(&place, "verify a.bp --engine explicit", &[signal]);
        assert_eq!(ran.ends(5, &["explicit:", "states", "hint"]).last(), "unknown(interrupted)");
        assert!(ran.time < Duration::from_secs(8), "{ran:#?}");
    }
    let json = signalled(&place, "verify a.bp --engine explicit --json", &["INT"]).ends(5, &[]).json();
    assert_eq!((&json["verdict"], &json["reason"]), (&"unknown".into(), &"interrupted".into()));
}

#[cfg(unix)]
#[test]
fn a_second_interrupt_ends_at_once() {
    // Standard input that never comes cannot be asked to stop; two signals need no answer.
    let place = Place::new(&[]);
    let mut command = place.command("verify - --language boolean-program");
    let mut child = command.stdin(std::process::Stdio::piped()).spawn().unwrap();
    let held = child.stdin.take();
    std::thread::sleep(Duration::from_millis(500));
    let script = format!("kill -INT {0}; sleep 0.3; kill -INT {0}", child.id());
    assert!(Command::new("sh").args(["-c", &script]).status().unwrap().success());
    let output = child.wait_with_output().unwrap();
    assert_eq!(output.status.code(), Some(130));
    drop(held);
}
