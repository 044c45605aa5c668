//! A solver as judge: Z3 reads what we print and agrees on its value.

use crate::world::{World, all_sorts, steps};
use proptest::strategy::{Strategy, ValueTree};
use proptest::test_runner::TestRunner;
use rustc_hash::FxHashMap;
use std::fmt::Write;
use std::path::{Path, PathBuf};
use std::process::Command;
use tamis_term::{Term, Var};
use tamis_testing::tools::Z3;
use tamis_testing::{find, needs};

/// Names that must be quoted or escaped, or that solvers own.
const NAMES: &[&str] = &[
    "and", "a|b", "let", "x y", "@z", "sin", "pi", "", ".q", "default", "str.x", "~", "é", "set", "a\nb", "fp.z",
    "union", "$0", "assert", "exp", "seq", "re", "int.k", "map", "is", "subset", "bag.x", "const", "a\\b", "0",
];

/// Asks whether a term can differ from its value, for every term of the world.
fn queries(script: &mut String, mut world: World, seed: u64) -> usize {
    let environment = world.environment(seed);
    let mut map: FxHashMap<Var, Term> = FxHashMap::default();
    let mut facts: FxHashMap<Var, String> = FxHashMap::default();
    for (old, name) in world.vars.clone().into_iter().zip(NAMES.iter().cycle()) {
        let var = world.terms.declare(name, world.terms.var_sort(old).clone());
        let term = world.terms.var(var);
        facts.insert(var, format!("(assert (= {} {}))", world.terms.smtlib(term), environment[&old]));
        map.insert(old, term);
    }
    for raw in world.made.clone() {
        let value = world.eval(raw, &environment);
        let guarded = world.terms.guard_divisions(raw);
        let term = world.terms.substitute(guarded, &map);
        writeln!(script, "(push 1)\n{}", world.terms.declarations(&[term])).unwrap();
        for var in world.terms.free_vars(&[term]) {
            writeln!(script, "{}", facts[&var]).unwrap();
        }
        let term = world.terms.smtlib(term);
        writeln!(script, "(assert (not (= {term} {value})))\n(check-sat)\n(pop 1)").unwrap();
    }
    world.made.len()
}

/// Functions that came with version 2.7.
const PROBE: &str = "(declare-const x (_ BitVec 8)) (assert (= (ubv_to_int x) (sbv_to_int x))) (check-sat)";

fn file() -> PathBuf {
    Path::new(env!("CARGO_TARGET_TMPDIR")).join("printed.smt2")
}

fn ask(z3: &Path, script: &str) -> String {
    std::fs::write(file(), script).unwrap();
    String::from_utf8(Command::new(z3).arg(file()).output().unwrap().stdout).unwrap()
}

#[test]
fn a_solver_agrees_on_what_is_printed() {
    let Some(z3) = find(&Z3) else { return };
    // One in the `PATH` may be too old.
    if !needs(&Z3, ask(&z3, PROBE) == "sat\n") {
        return;
    }
    let mut runner = TestRunner::deterministic();
    let mut script = String::new();
    let mut asked = 0;
    for seed in 0..150 {
        let steps = steps(30).new_tree(&mut runner).expect("steps never fail").current();
        asked += queries(&mut script, World::grown(&all_sorts(), &steps), seed);
    }
    let answers = ask(&z3, &script);
    assert_eq!(answers.lines().find(|line| *line != "unsat"), None, "see {}", file().display());
    assert_eq!(answers.lines().count(), asked);
}
