//! A static order of the bits, read off formulas.
//!
//! A formula that was once a diagram is a tree of multiplexers over single bits: each of them
//! says that one bit stands above others, and where all of them agree there is an order in
//! which the formula is the diagram again. Other circuits say something similar: carries and
//! comparisons put the more significant bits of both operands above the less significant ones,
//! and reading an array puts the index above the cells. What is left open follows the first
//! visit of a depth-first walk (Malik, Wang, Brayton, Sangiovanni-Vincentelli, ICCAD 1988).
//!
//! Bits of one *place* stay together: those of the same significance in the variables of one
//! group, such as the copies of one variable. They are ordered as one.

use rustc_hash::FxHashMap;
use std::collections::hash_map::Entry;
use tamis_circuit::{Edge, Encoder, Gate, GateId};
use tamis_term::{Term, Terms, Var};

/// What is known about the order beforehand.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Order {
    /// Variables of one width whose bits are interleaved by significance; if a variable is in
    /// several groups, the first counts. All of a group get their bits with the first.
    pub groups: Vec<Vec<Var>>,
    /// Formulas to read the order from, besides those that are asserted or assumed.
    pub formulas: Vec<Term>,
}

/// The groups, ready to be looked up.
pub(super) struct Groups {
    members: Vec<Vec<Var>>,
    of: FxHashMap<Var, usize>,
}

/// The number of a place, in the order of first visits.
type Place = u32;

/// How many topmost places of a gate are remembered.
const TOPS: usize = 2;
/// A gate that says more than this about who stands above whom says nothing.
const COMPANY: usize = 16;

impl Groups {
    pub(super) fn new(mut groups: Vec<Vec<Var>>) -> Groups {
        let mut of = FxHashMap::default();
        for (index, group) in groups.iter_mut().enumerate() {
            group.retain(|var| match of.entry(*var) {
                Entry::Occupied(_) => false,
                Entry::Vacant(entry) => {
                    entry.insert(index);
                    true
                }
            });
        }
        Groups { members: groups, of }
    }

    /// The bits of the circuit's variables, and of those in their groups, the topmost first:
    /// each by its variable and its significance.
    pub(super) fn arrange(&self, terms: &Terms, circuit: &Encoder, roots: &[Edge]) -> Vec<(Var, usize)> {
        let mut places = Places::new(terms, circuit, self);
        let gates = places.visit(circuit, roots);
        let sorted = sort(places.known.len(), places.precedences(circuit, &gates));
        let mut bits = Vec::new();
        for place in sorted {
            let (team, at) = places.known[place as usize];
            match places.teams[team] {
                Team::Single(var) => bits.push((var, at)),
                Team::Group(index, width) => {
                    let members = self.members[index].iter().filter(|var| terms.var_sort(**var).bits() == Some(width));
                    bits.extend(members.map(|var| (*var, at)));
                }
            }
        }
        bits
    }
}

/// Variables of one width whose bits are interleaved.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
enum Team {
    Group(usize, u64),
    Single(Var),
}

/// The places of a circuit's inputs.
struct Places {
    teams: Vec<Team>,
    /// By gate: the team and the significance of an input.
    inputs: FxHashMap<GateId, (usize, usize)>,
    /// By gate: the place of an input.
    of: Vec<Option<Place>>,
    /// By place: its team and its significance.
    known: Vec<(usize, usize)>,
    numbers: FxHashMap<(usize, usize), Place>,
}

impl Places {
    fn new(terms: &Terms, circuit: &Encoder, groups: &Groups) -> Places {
        let mut places = Places {
            teams: Vec::new(),
            inputs: FxHashMap::default(),
            of: vec![None; circuit.gates().len()],
            known: Vec::new(),
            numbers: FxHashMap::default(),
        };
        let mut indices = FxHashMap::default();
        for (_, var) in circuit.inputs() {
            let team = match (groups.of.get(var), terms.var_sort(*var).bits()) {
                (Some(group), Some(width)) => Team::Group(*group, width),
                (None, _) | (_, None) => Team::Single(*var),
            };
            let index = *indices.entry(team).or_insert_with(|| {
                places.teams.push(team);
                places.teams.len() - 1
            });
            let word = circuit.var_word(*var).unwrap_or_default();
            places.inputs.extend(word.iter().enumerate().map(|(at, edge)| (edge.gate(), (index, at))));
        }
        places
    }

    /// Numbers the places as a walk from the roots meets them, inputs before other gates; the
    /// places that it does not meet follow, the most significant first. Returns the other
    /// gates that it met, arguments before the gates that take them.
    fn visit(&mut self, circuit: &Encoder, roots: &[Edge]) -> Vec<GateId> {
        let gates = circuit.gates();
        let (mut seen, mut met) = (vec![false; gates.len()], Vec::new());
        let mut open: Vec<GateId> = roots.iter().rev().map(|edge| edge.gate()).collect();
        let mut below = Vec::new();
        while let Some(id) = open.pop() {
            if std::mem::replace(&mut seen[id.index()], true) {
                continue;
            }
            if let Gate::Input = gates.gate(id) {
                self.number(id);
                continue;
            }
            met.push(id);
            gates.gate(id).for_each_input(|edge| below.push(edge.gate()));
            below.sort_by_key(|id| !matches!(gates.gate(*id), Gate::Input));
            open.extend(below.drain(..).rev());
        }
        for (_, var) in circuit.inputs() {
            let word = circuit.var_word(*var).unwrap_or_default();
            word.iter().rev().for_each(|edge| self.number(edge.gate()));
        }
        met.sort_unstable();
        met
    }

    fn number(&mut self, id: GateId) {
        let Some(key) = self.inputs.get(&id).copied() else { return };
        let next = Place::try_from(self.known.len()).expect("fewer places than gates");
        let place = *self.numbers.entry(key).or_insert(next);
        if place == next {
            self.known.push(key);
        }
        self.of[id.index()] = Some(place);
    }

    /// Which place stands above which other, as the gates say.
    fn precedences(&self, circuit: &Encoder, met: &[GateId]) -> Vec<(Place, Place)> {
        let gates = circuit.gates();
        let mut tops: Vec<[Option<Place>; TOPS]> = vec![[None; TOPS]; gates.len()];
        let mut pairs = Vec::new();
        let (mut bits, mut below) = (Vec::new(), Vec::new());
        for id in met {
            bits.clear();
            below.clear();
            gates.gate(*id).for_each_input(|edge| match self.of[edge.gate().index()] {
                Some(place) => bits.push(place),
                None => below.extend(tops[edge.gate().index()].iter().flatten().copied()),
            });
            let above = if bits.is_empty() { &below } else { &bits };
            for (top, place) in tops[id.index()].iter_mut().zip(above) {
                *top = Some(*place);
            }
            // Whatever the order of an exclusive or, its diagram is the same.
            if bits.len() * below.len() <= COMPANY && !matches!(gates.gate(*id), Gate::Xor(..)) {
                pairs.extend(bits.iter().flat_map(|bit| below.iter().map(|place| (*bit, *place))));
            }
        }
        pairs.retain(|(above, below)| above != below);
        pairs.sort_unstable();
        pairs.dedup();
        pairs
    }
}

/// Sorts the numbers below `count` such that the first of each pair comes before the second,
/// as long as the pairs do not contradict each other, and else by number: the reverse of the
/// order in which a depth-first walk leaves them.
fn sort(count: usize, pairs: Vec<(Place, Place)>) -> Vec<Place> {
    let mut below: Vec<Vec<Place>> = vec![Vec::new(); count];
    for (above, place) in pairs {
        below[above as usize].push(place);
    }
    let mut seen = vec![false; count];
    let mut left = Vec::with_capacity(count);
    let mut open = Vec::new();
    for root in (0..).take(count).collect::<Vec<Place>>().into_iter().rev() {
        if !seen[root as usize] {
            open.push(root);
        }
        while let Some(place) = open.last().copied() {
            seen[place as usize] = true;
            // The largest first, so that it ends up last.
            match below[place as usize].pop() {
                Some(next) if seen[next as usize] => {}
                Some(next) => open.push(next),
                None => {
                    open.pop();
                    left.push(place);
                }
            }
        }
    }
    left.reverse();
    left
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_left_open_follows_the_numbers() {
        assert_eq!(sort(4, vec![]), [0, 1, 2, 3]);
        assert_eq!(sort(4, vec![(2, 0)]), [1, 2, 0, 3]);
    }

    #[test]
    fn every_pair_is_obeyed() {
        let mut random = fastrand::Rng::with_seed(3);
        for _ in 0..200 {
            let mut order: Vec<Place> = (0..30).collect();
            random.shuffle(&mut order);
            let mut pairs: Vec<(Place, Place)> = Vec::new();
            for _ in 0..random.usize(..100) {
                let (a, b) = (random.usize(..30), random.usize(..30));
                pairs.extend((a != b).then(|| (order[a.min(b)], order[a.max(b)])));
            }
            let sorted = sort(30, pairs.clone());
            let place = |of: Place| sorted.iter().position(|place| *place == of).unwrap();
            assert!(pairs.iter().all(|(above, below)| place(*above) < place(*below)));
        }
    }

    #[test]
    fn contradictions_lose_no_place() {
        let mut sorted = sort(5, vec![(0, 1), (1, 2), (2, 0), (3, 3), (4, 3)]);
        sorted.sort_unstable();
        assert_eq!(sorted, [0, 1, 2, 3, 4]);
    }
}
