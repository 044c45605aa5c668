//! The paper's running example, and a program where keeping everything keeps two predicates and one
//! suffices.

use super::{Needed, OPTIONS, measured};
use crate::Settings;
use std::sync::Arc;
use tamis_cegar::{Context, Stop};
use tamis_ir::Sources;
use tamis_ir::passes::{EXPAND, PRUNE, SLICE, pipeline};
use tamis_witness::{Check, Reason, Verdict, check};

/// What the engine says about a program in C, what it needed, and in how many rounds.
fn answer(text: &str, settings: &[(&str, &str)]) -> (Result<bool, Reason>, Needed, u64) {
    let mut ctx = Context::default();
    let mut sources = Sources::new();
    let file = sources.add("program.c", text);
    let lowered = tamis_frontends::by_name("c").unwrap().lower_one(&mut ctx.terms, Arc::new(sources), file);
    let program = lowered.unwrap_or_else(|refused| panic!("{:?}", refused.errors)).program;
    let property = program.default.unwrap();
    let (program, _) = pipeline(&mut ctx.terms, &program, property, &[&EXPAND, &PRUNE]);
    let config = OPTIONS.configured(&settings.iter().copied().collect::<Settings>()).unwrap();
    let (verdict, needed) = measured(&mut ctx, &program, property, &config);
    let verdict = match verdict {
        Ok(verdict) => verdict,
        Err(Stop::GaveUp(reason)) => Verdict::Unknown(reason),
        Err(Stop::Failed(why)) => panic!("{why}"),
    };
    let stop = ctx.budget.watch().stop;
    assert_eq!(check(&mut ctx.terms, &program, property, &verdict, &stop), Check::Accepted, "{verdict:?}");
    let said = match verdict {
        Verdict::Safe(_) => Ok(true),
        Verdict::Unsafe(_) => Ok(false),
        Verdict::Unknown(reason) => Err(reason),
    };
    (said, needed.unwrap(), ctx.statistics.rounds)
}

const HEAD: &str = "extern int __VERIFIER_nondet_int(void); extern void reach_error(void);\n";

const ALL: [&str; 4] = ["cumulative", "greedy", "minimum", "enumerated"];

/// The running example of section 2.1 and Figure 1, where the values are not known to the front end.
#[test]
fn the_running_example_needs_its_only_branch() {
    let text = format!(
        "{HEAD}int main(void) {{ int x, y; x = 1; y = 1; if (x == y) y = 1; else {{ reach_error(); y = 2; }} return 0; }}"
    );
    for select in ALL {
        let (said, needed, rounds) = answer(&text, &[("select", select), ("blocks", "single")]);
        assert_eq!(said, Ok(true), "{select}");
        // x == y before the branch, x == 1 before that: two expressions of one branch (Example 2).
        assert_eq!((needed.expressions, needed.branches, needed.candidates), (2, 1, 1), "{select}");
        assert_eq!(rounds, 1, "{select}");
    }
}

/// What is known of one variable is known of its copy: the weakest precondition of the later branch.
const TWO_BRANCHES: &str = "int main(void) {
    int a = __VERIFIER_nondet_int(), b = a;
    if (a == 3) { if (b != 3) reach_error(); }
    return 0; }";

#[test]
fn errors_are_found_and_loops_without_enough_branches_are_given_up() {
    let error = format!(
        "{HEAD}int main(void) {{ int x = __VERIFIER_nondet_int(); if (x > 5) {{ if (x == 9) reach_error(); }} return 0; }}"
    );
    let parity = format!(
        "{HEAD}int main(void) {{ unsigned x = 0, n = __VERIFIER_nondet_int(); while (n > 0) {{ x = x + 2; n--; }}
         if (x == 7) reach_error(); return 0; }}"
    );
    for select in ALL {
        assert_eq!(answer(&error, &[("select", select)]).0, Ok(false), "{select}");
        assert_eq!(answer(&parity, &[("select", select)]).0, Err(Reason::RefinementStuck), "{select}");
    }
    for select in ALL {
        assert_eq!(answer(&format!("{HEAD}{TWO_BRANCHES}"), &[("select", select)]).0, Ok(true), "{select}");
    }
}

/// Only the last branch eliminates the trace, and the ones before it are tried first: keeping everything keeps
/// them, too.
#[test]
fn cumulative_keeps_two_branches_where_one_suffices() {
    let text = format!(
        "{HEAD}int main(void) {{
            int p = __VERIFIER_nondet_int(), q = __VERIFIER_nondet_int(), n = __VERIFIER_nondet_int();
            if (q == 0) {{
                if (n > 0) p = 1;
                if (p == 5) n = 7;
                if (q != 0) reach_error();
            }}
            return 0; }}"
    );
    let needed = ALL.map(|select| {
        let (said, needed, _) = answer(&text, &[("select", select)]);
        assert_eq!(said, Ok(true), "{select}");
        needed.branches
    });
    let [cumulative, greedy, minimum, enumerated] = needed;
    assert_eq!((greedy, minimum, enumerated), (1, 1, 1), "{needed:?}");
    assert!(cumulative > 1, "{needed:?}");
}

/// The configurations of the framework choose among the pieces of all interpolants, and take predicates from
/// the errors back.
#[test]
fn predicate_chooses_among_interpolants() {
    let loops = format!(
        "{HEAD}int main(void) {{ int x = 0, n = __VERIFIER_nondet_int(); while (x < n) {{ x++; }} if (n > 0 && x != n) reach_error();
         return 0; }}"
    );
    let wrong = loops.replace("x++", "x += 2");
    for (name, value) in
        [("select", "minimum"), ("select", "greedy"), ("select", "enumerated"), ("refine", "relatively-complete")]
    {
        for (text, expected) in [(&loops, true), (&wrong, false)] {
            let mut ctx = Context::default();
            let mut sources = Sources::new();
            let file = sources.add("program.c", text.as_str());
            let c = tamis_frontends::by_name("c").unwrap();
            let program = c.lower_one(&mut ctx.terms, Arc::new(sources), file).unwrap().program;
            let engine = crate::by_name("predicate").unwrap();
            let settings = [(name, value)].into_iter().collect();
            let options = crate::driver::Options { engine, passes: vec![&PRUNE, &SLICE], settings };
            let verdict =
                crate::driver::answer(&mut ctx, &options, &program, program.default.unwrap()).unwrap().verdict;
            let said = match verdict {
                Verdict::Safe(_) => Some(true),
                Verdict::Unsafe(_) => Some(false),
                Verdict::Unknown(_) => None,
            };
            assert_eq!(said, Some(expected), "{name}={value}");
        }
    }
}
