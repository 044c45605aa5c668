//! The laws on random graphs, spurious and real ones.

mod generate;
mod graph;
mod oracle;

use fastrand::Rng;
use generate::{BITS, generate};
use oracle::Oracle;
use std::rc::Rc;
use tamis_bdd::{Bdd, Config, Manager};
use tamis_pds::replay;
use tamis_pds::{Dag, From, System};
use tamis_refiners::bdd::{Fault, HEURISTICS, Heuristic, Options, Strongest, check, choose, concretise, strongest};
use tamis_term::StopSignal;

/// Hands so many graphs with their strongest interpolants to a test.
fn for_each(graphs: u64, mut test: impl FnMut(u64, &System, &Dag, &Strongest)) {
    let manager = Rc::new(Manager::new(&Config { nodes: 1 << 18, cache: 1 << 14 }, StopSignal::never()));
    let bits = manager.add_bits(4 * BITS);
    for seed in 0..graphs {
        let (system, dag) = generate(&mut Rng::with_seed(seed), &manager, &bits);
        let i = strongest(&system, &dag).unwrap();
        test(seed, &system, &dag, &i);
    }
}

#[test]
fn strongest_interpolants_are_exact() {
    for_each(300, |seed, system, dag, i| {
        let oracle = Oracle::new(system);
        for ((id, node), expected) in dag.nodes().zip(oracle.all(dag)) {
            assert_eq!(oracle.of(node.kind, i.node(id)), expected, "seed {seed}, {id:?} {:?}", node.kind);
        }
    });
}

#[test]
fn laws_hold_for_all_heuristics() {
    let (mut spurious, mut with_returns) = (0, 0);
    for_each(1500, |seed, system, dag, i| {
        spurious += usize::from(i.is_spurious());
        with_returns += usize::from(dag.edges.iter().any(|edge| matches!(edge.from, From::Return { .. })));
        for row in HEURISTICS {
            let k = choose(system, dag, i, &Options::new(row.heuristic)).unwrap();
            assert_eq!(check(system, dag, i, &k, row.heuristic).unwrap(), Ok(()), "seed {seed}, {}", row.name);
        }
    });
    assert!((300..1200).contains(&spurious), "{spurious}");
    assert!(with_returns > 500, "{with_returns}");
}

#[test]
fn real_counterexamples_run() {
    let mut deepest = 0;
    for_each(1500, |seed, system, dag, i| {
        let run = concretise(system, dag, i).unwrap();
        assert_eq!(run.is_none(), i.is_spurious(), "seed {seed}");
        if let Some(run) = run {
            assert!(replay(system, &run), "seed {seed}: {run:?}");
            deepest = deepest.max(run.steps.len());
        }
    });
    assert!(deepest > 20, "{deepest}");
}

/// What the abstraction knows and what is chosen on top of it rule out the graph together.
#[test]
fn lazy_choices_track_with_what_is_known() {
    let mut saved = 0;
    for_each(500, |seed, system, dag, i| {
        if !i.is_spurious() {
            return;
        }
        let m = system.family.manager();
        let known = choose(system, dag, i, &Options::new(Heuristic::Conciliated)).unwrap();
        let gamma: Vec<Option<Bdd>> = known.iter().cloned().map(Some).collect();
        for row in HEURISTICS {
            let options = Options { gamma: Some(&gamma), ..Options::new(row.heuristic) };
            let k = choose(system, dag, i, &options).unwrap();
            saved += k.iter().zip(&known).filter(|(k, known)| k.is_true() && !known.is_true()).count();
            let both: Vec<Bdd> = k.iter().zip(&known).map(|(k, known)| m.and(k, known).unwrap()).collect();
            assert_eq!(check(system, dag, i, &both, Heuristic::Weakest).unwrap(), Ok(()), "seed {seed}, {}", row.name);
        }
    });
    assert!(saved > 100, "{saved}");
}

/// The laws are sharp enough to see the mistakes that are easily made at calls.
#[test]
fn faults_are_caught() {
    for fault in [Fault::EffectIsTrue, Fault::PivotExists] {
        let mut laws = Vec::new();
        for_each(300, |_, system, dag, i| {
            let options = Options { fault: Some(fault), ..Options::new(Heuristic::Weakest) };
            let k = choose(system, dag, i, &options).unwrap();
            laws.extend(check(system, dag, i, &k, Heuristic::Weakest).unwrap().err().map(|broken| broken.law));
        });
        assert!(laws.len() > 20, "{fault:?} {laws:?}");
    }
}
