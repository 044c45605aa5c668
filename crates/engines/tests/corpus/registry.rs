//! A row is all that it takes to register an engine: one that exists only here is in the help, its
//! option is checked, and it is compared and run on the corpus like all others.

use crate::judge::{Solved, judge};
use crate::root;
use std::sync::atomic::{AtomicU64, Ordering};
use tamis_engines::{Can, Decides, Engine, Settings, Takes, explicit, help};
use tamis_fuzz::campaign::campaign;
use tamis_fuzz::compare::everything;
use tamis_options::{Knob, Knobs};
use tamis_testing::files;

/// How the engine of the test is configured.
#[derive(Clone, Copy, Debug)]
struct Config {
    /// How many states it may store.
    most: u64,
}

const OPTIONS: &Knobs<Config> = &Knobs {
    default: || Config { most: 200_000 },
    knobs: &[Knob {
        name: "most",
        about: "how many states are stored",
        values: || "a number".into(),
        get: |config| config.most.to_string(),
        set: |config, number| {
            config.most = number.parse().ok()?;
            Some(())
        },
    }],
};

/// How often it ran.
static RUNS: AtomicU64 = AtomicU64::new(0);

static TABLE: [Engine; 1] = [Engine {
    name: "modest",
    aliases: &["meek"],
    about: "explicit states, up to some number",
    paper: "this test",
    when: "only here",
    takes: Takes::Programs,
    decides: Decides::Finite,
    can: Can { shortest: true, ..Can::NOTHING },
    expands: |_, _| false,
    races: |_| false,
    options: OPTIONS,
    run: |ctx, program, property, settings| {
        RUNS.fetch_add(1, Ordering::Relaxed);
        ctx.budget.states = Some(OPTIONS.configured(settings)?.most);
        explicit::run(ctx, program, property)
    },
}];

/// How often it ran meanwhile.
fn runs(work: impl FnOnce()) -> u64 {
    let before = RUNS.load(Ordering::Relaxed);
    work();
    RUNS.load(Ordering::Relaxed) - before
}

#[test]
fn an_engine_is_a_row() {
    let modest = &TABLE[0];
    assert!(help::list(&TABLE).starts_with("modest\n    explicit states"), "{}", help::list(&TABLE));
    let page = help::page(modest, &TABLE);
    for part in ["how many states are stored: a number [default: 200000]", "also called: meek"] {
        assert!(page.contains(part), "{part} in {page}");
    }

    let check = |name, value| modest.check(&TABLE, &Settings::from_iter([(name, value)]));
    assert_eq!(check("most", "5"), Ok(()));
    assert_eq!(check("most", "many"), Err("most cannot be many; it can be a number".into()));
    assert_eq!(check("moist", "5"), Err("the engine modest has no option moist; is most meant?".into()));

    let compared = runs(|| {
        let counts = campaign(0..20, &everything(&TABLE), |_| true).expect("all agree");
        assert!(counts.tally.safe > 0 && counts.tally.violated > 0, "{counts:?}");
    });
    assert!(compared >= 2 * 20, "with and without passes: {compared}");

    let corpus = &files(&root().join("tests/corpus/remopla"), &["rem"])[..10];
    let judged = runs(|| assert_eq!(judge(&TABLE, corpus, &Solved::new()).wrong, [""; 0]));
    assert!(judged >= 3 * 10, "with three lists of passes: {judged}");
}
