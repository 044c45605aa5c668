//! The strategies on traces that are only lists of what eliminates them.

use super::elimination::{Elimination, Test};
use super::select::{Select, Selector};
use std::collections::BTreeSet;
use tamis_cegar::{Context, Outcome};

/// Traces by the sets that eliminate them. The newest is the last.
struct Table {
    candidates: usize,
    traces: Vec<Vec<BTreeSet<usize>>>,
    tests: usize,
}

impl Elimination for Table {
    fn candidates(&self) -> usize {
        self.candidates
    }

    fn traces(&self) -> usize {
        self.traces.len()
    }

    fn test(&mut self, _: &mut Context, trace: usize, chosen: &BTreeSet<usize>) -> Outcome<Test> {
        self.tests += 1;
        Ok(match self.traces[trace].iter().find(|set| set.is_subset(chosen)) {
            Some(set) => Test::Eliminated(set.clone()),
            None => Test::Remains(chosen.clone()),
        })
    }

    fn on(&self, trace: usize) -> Vec<usize> {
        let mut found = Vec::new();
        for number in self.traces[trace].iter().flatten() {
            if !found.contains(number) {
                found.push(*number);
            }
        }
        found
    }
}

fn set(numbers: &[usize]) -> BTreeSet<usize> {
    numbers.iter().copied().collect()
}

/// What a strategy keeps after traces that come one by one.
fn kept(select: Select, candidates: usize, traces: &[Vec<BTreeSet<usize>>]) -> Option<BTreeSet<usize>> {
    let mut ctx = Context::default();
    let mut selector = Selector::new(select, 1_000, 20, 7);
    let mut table = Table { candidates, traces: Vec::new(), tests: 0 };
    let mut chosen = BTreeSet::new();
    for trace in traces {
        table.traces.push(trace.clone());
        chosen = selector.choose(&mut ctx, &mut table, &chosen).unwrap()?;
        let eliminates = |sets: &Vec<BTreeSet<usize>>| sets.iter().any(|set| set.is_subset(&chosen));
        assert!(table.traces.iter().all(eliminates), "{select:?} {traces:?} {chosen:?}");
    }
    Some(chosen)
}

/// The introduction's scenario: one predicate suffices, and keeping everything keeps two.
#[test]
fn the_second_trace_may_make_the_first_choice_needless() {
    let traces = [vec![set(&[0]), set(&[1])], vec![set(&[1])]];
    assert_eq!(kept(Select::Cumulative, 2, &traces), Some(set(&[0, 1])));
    for select in [Select::Greedy, Select::Minimum, Select::Enumerated] {
        assert_eq!(kept(select, 2, &traces), Some(set(&[1])), "{select:?}");
    }
}

/// Example 5, with its numbers.
#[test]
fn example_5_keeps_three() {
    let traces = [vec![set(&[1, 3, 5]), set(&[2, 5])], vec![set(&[2, 3]), set(&[4])]];
    let minimum = kept(Select::Minimum, 6, &traces).unwrap();
    assert!([set(&[2, 4, 5]), set(&[2, 3, 5])].contains(&minimum), "{minimum:?}");
}

/// The enumeration ends with the first size at which it finds something: it may miss the minimum, here the
/// three that eliminate both traces, because of smaller sets that eliminate one each.
#[test]
fn the_enumeration_may_miss_the_minimum() {
    let traces = [vec![set(&[0, 1]), set(&[4, 5, 6])], vec![set(&[2, 3]), set(&[4, 5, 6])]];
    assert_eq!(kept(Select::Enumerated, 7, &traces), Some(set(&[0, 1, 2, 3])));
    assert_eq!(kept(Select::Minimum, 7, &traces), Some(set(&[4, 5, 6])));
}

#[test]
fn what_nothing_eliminates_is_told() {
    for select in [Select::Cumulative, Select::Greedy, Select::Minimum, Select::Enumerated] {
        assert_eq!(kept(select, 3, &[vec![set(&[1])], vec![]]), None, "{select:?}");
    }
}

/// The size of the smallest set that eliminates all traces, by trying all.
fn brute(candidates: usize, traces: &[Vec<BTreeSet<usize>>]) -> usize {
    let sets = (0_u32..1 << candidates).map(|bits| (0..candidates).filter(|at| bits >> at & 1 == 1).collect());
    let eliminates = |set: &BTreeSet<usize>| traces.iter().all(|trace| trace.iter().any(|way| way.is_subset(set)));
    sets.filter(eliminates).map(|set: BTreeSet<usize>| set.len()).min().unwrap()
}

#[test]
fn the_minimum_is_the_minimum() {
    let mut rng = fastrand::Rng::with_seed(2003);
    let mut larger = [0, 0];
    for _ in 0..2_000 {
        let candidates = rng.usize(1..9);
        let way = |rng: &mut fastrand::Rng| (0..rng.usize(1..4)).map(|_| rng.usize(..candidates)).collect();
        let trace = |rng: &mut fastrand::Rng| (0..rng.usize(1..4)).map(|_| way(rng)).collect();
        let traces: Vec<Vec<BTreeSet<usize>>> = (0..rng.usize(1..5)).map(|_| trace(&mut rng)).collect();
        let least = brute(candidates, &traces);
        assert_eq!(kept(Select::Minimum, candidates, &traces).unwrap().len(), least, "{traces:?}");
        for (at, select) in [Select::Greedy, Select::Cumulative].into_iter().enumerate() {
            let found = kept(select, candidates, &traces).unwrap().len();
            assert!(found >= least);
            larger[at] += usize::from(found > least);
        }
    }
    println!("larger than the minimum: greedy {}, cumulative {}", larger[0], larger[1]);
    assert!(larger[0] > 0 && larger[1] > larger[0], "{larger:?}");
}
