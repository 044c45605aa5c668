//! What `explicit` promises beyond the right verdict: shortest traces, proofs that say
//! something, and giving up instead of dying.

use std::sync::Arc;
use std::time::{Duration, Instant};
use tamis_cegar::{Budget, Context};
use tamis_engines::driver::{Options, answer};
use tamis_ir::{Action, Sources};
use tamis_witness::{Reason, Resource, Verdict};

fn verdict(source: &str, budget: Budget) -> Verdict {
    let mut ctx = Context { budget, ..Context::default() };
    let mut sources = Sources::new();
    let id = sources.add("test.rem", source);
    let lowered = tamis_frontends::remopla::lower(&mut ctx.terms, Arc::new(sources), id).expect("a correct program");
    let program = lowered.program;
    let options = Options {
        engine: tamis_engines::by_name("explicit").expect("registered"),
        passes: vec![],
        settings: tamis_engines::Settings::default(),
    };
    answer(&mut ctx, &options, &program, program.default.expect("a label error")).expect("no failure").verdict
}

#[test]
fn the_shortest_of_several_traces_is_found() {
    let source = "
        define DEFAULT_INT_BITS 4
        int x;
        module void slow();
        init main;
        module void slow() { x = 1; x = 2; x = 3; x = 4; x = 5; }
        module void main() {
          if
          :: true -> slow(); goto error;
          :: true -> x = 9; x = 8; goto error;
          fi
          return;
          error: skip;
        }";
    let Verdict::Unsafe(trace) = verdict(source, Budget::default()) else { panic!("the error is reachable") };
    let calls = trace.steps.iter().filter(|step| step.action == Action::Return).count();
    assert_eq!(calls, 0, "the way without the call is shorter: {trace:?}");
}

/// Runs of this program are 2^30 calls long, but a summary per depth proves it.
const DOUBLING: &str = "
    define DEFAULT_INT_BITS 5
    bool b;
    module void f(int n);
    init main;
    module void f(int n) {
      if
      :: n > 0 -> f(n - 1); f(n - 1);
      :: else -> b = !b;
      fi
    }
    module void main() {
      b = false;
      f(30);
      if
      :: CONDITION -> goto error;
      :: else -> skip;
      fi
      return;
      error: skip;
    }";

#[test]
fn an_exponentially_long_run_is_proved_by_summaries() {
    assert!(matches!(verdict(&DOUBLING.replace("CONDITION", "b"), Budget::default()), Verdict::Safe(_)));
}

#[test]
fn a_trace_that_is_too_long_to_write_down_is_given_up() {
    let verdict = verdict(&DOUBLING.replace("CONDITION", "!b"), Budget::default());
    assert!(matches!(verdict, Verdict::Unknown(Reason::OutOfBudget(Resource::Memory))), "{verdict:?}");
}

/// Some 2^28 states.
const LARGE: &str = "
    define DEFAULT_INT_BITS 14
    int x, y;
    init main;
    module void main() {
      do
      :: x < 16000 -> x = x + 1;
      :: y < 16000 -> y = y + 1;
      :: x + y > 32500 -> goto error;
      od
      error: skip;
    }";

#[test]
fn the_limit_of_states_holds() {
    let verdict = verdict(LARGE, Budget { states: Some(10_000), ..Budget::default() });
    assert!(matches!(verdict, Verdict::Unknown(Reason::OutOfBudget(Resource::States))), "{verdict:?}");
}

#[test]
fn the_limit_of_time_holds() {
    let start = Instant::now();
    let verdict = verdict(LARGE, Budget::default().with_time(Duration::from_millis(200)));
    assert!(matches!(verdict, Verdict::Unknown(Reason::OutOfBudget(Resource::Time))), "{verdict:?}");
    assert!(start.elapsed() < Duration::from_mins(1), "far beyond the limit");
}

#[test]
fn the_limit_of_memory_holds() {
    // A stand-in for the allocator's count: it grows with every look at it.
    fn allocated() -> u64 {
        static CALLS: std::sync::atomic::AtomicU64 = std::sync::atomic::AtomicU64::new(0);
        CALLS.fetch_add(1, std::sync::atomic::Ordering::Relaxed)
    }
    let verdict = verdict(LARGE, Budget { memory: Some(5), allocated, ..Budget::default() });
    assert!(matches!(verdict, Verdict::Unknown(Reason::OutOfBudget(Resource::Memory))), "{verdict:?}");
}

#[test]
fn too_many_inputs_are_given_up_at_once() {
    let source = "int x(60); init main; module void main() { if :: x == 5 -> goto error; :: else -> skip; fi return; error: skip; }";
    let verdict = verdict(source, Budget::default());
    assert!(matches!(verdict, Verdict::Unknown(Reason::OutOfBudget(Resource::States))), "{verdict:?}");
}

#[test]
fn runs_may_be_longer_than_numbers_are_large() {
    let procedures = 100;
    let declare = |number| format!("module void p{number}();\n");
    let declared: String = (0..procedures).map(declare).collect();
    let calls = |number| format!("module void p{number}() {{ p{next}(); p{next}(); }}\n", next = number + 1);
    let calls: String = (0..procedures - 1).map(calls).collect();
    let source = format!(
        "bool g;\n{declared}init main;\n{calls}module void p{}() {{ g = !g; }}\n\
         module void main() {{ g = false; p0(); if :: g -> goto error; :: else -> skip; fi return; error: skip; }}\n",
        procedures - 1
    );
    assert!(matches!(verdict(&source, Budget::default()), Verdict::Safe(_)));
    // The error is found, and a run into it is too long to be told.
    let found = verdict(&source.replace(":: g ->", ":: !g ->"), Budget::default());
    assert!(matches!(found, Verdict::Unknown(Reason::OutOfBudget(Resource::Memory))), "{found:?}");
}
