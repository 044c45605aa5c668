//! Abstraction learning on random programs, as it is by default and as the paper describes it: the
//! verdicts are the interpreter's, all evidence is accepted, and corrupted evidence is refused.

use tamis_engines::learning::{self, Config, Interpolants, Invariants, Slackening};
use tamis_engines::{Can, Decides, Engine, Takes};
use tamis_fuzz::campaign::campaign;
use tamis_fuzz::compare::everything;
use tamis_ir::blocks::Size;
use tamis_options::NONE;

/// A row of an engine that is configured like this.
macro_rules! learner {
    ($name:literal, $config:expr) => {
        Engine {
            name: $name,
            aliases: &[],
            about: "abstraction learning",
            paper: "this test",
            when: "only here",
            takes: Takes::Expanded,
            decides: Decides::Refinable,
            can: Can::NOTHING,
            expands: |_, _| true,
            races: |_| false,
            options: NONE,
            run: |ctx, program, property, _| learning::run(ctx, program, property, &$config),
        }
    };
}

static TABLE: [Engine; 4] = [
    learner!("default", Config::default()),
    learner!("seed", Config::seed()),
    learner!("weakest", Config { interpolants: Interpolants::Weakest, loops: Invariants::Houdini, ..Config::seed() }),
    learner!(
        "large",
        Config {
            blocks: Size::Large,
            interpolants: Interpolants::Cores,
            slackening: Slackening::Conditions,
            ..Config::seed()
        }
    ),
];

#[test]
fn random_programs_get_the_verdict_of_the_interpreter() {
    let counts = campaign(0..120, &everything(&TABLE), |_| true)
        .unwrap_or_else(|failure| panic!("seed {}: {}; shrunk: {}", failure.seed, failure.what, failure.shrunk_what));
    assert!(counts.tally.safe > 0 && counts.tally.violated > 0 && counts.refused > 0, "{counts:?}");
}
