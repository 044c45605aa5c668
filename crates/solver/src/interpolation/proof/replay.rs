//! The refutation as a proof by resolution, replayed literal by literal.
//!
//! A lemma may follow with fewer literals than it has. Then some resolutions that used it have
//! nothing to resolve: an antecedent is left out, or all that came before it. What is not used
//! any more in the end is left out too.

use super::clauses::Clauses;
use super::refute::{Fact, Refutation};
use crate::Why;
use batsat::Lit;

/// A proof of the empty clause. Clauses are numbered: first the leaves, then what the steps
/// derive.
#[derive(Debug, Default)]
pub(super) struct Resolution {
    /// The given clauses that it needs.
    pub(super) leaves: Vec<usize>,
    /// By step: its antecedents. Each but the first is resolved with what came before it.
    pub(super) steps: Vec<Vec<(usize, Lit)>>,
}

impl Resolution {
    /// How many resolutions there are.
    pub(super) fn resolutions(&self) -> usize {
        self.steps.iter().map(|step| step.len().saturating_sub(1)).sum()
    }
}

/// A derivation with what it really derives.
struct Derived {
    literals: Vec<Lit>,
    chain: Vec<(Fact, Lit)>,
}

/// What has been replayed.
struct Replay<'a> {
    clauses: &'a Clauses,
    /// By fact that is no given clause.
    derived: Vec<Option<Derived>>,
    /// By literal: whether it is in the clause that is made.
    present: Vec<bool>,
}

/// Replays the refutation.
pub(super) fn replay(clauses: &Clauses, refutation: &Refutation) -> Result<Resolution, Why> {
    let mut replay = Replay {
        clauses,
        derived: (clauses.len()..refutation.facts).map(|_| None).collect(),
        present: vec![false; 2 * clauses.vars()],
    };
    let mut order = Vec::new();
    for (fact, chain) in refutation.derivations() {
        let derived = replay.resolve(chain)?;
        let slot = (fact as usize).checked_sub(clauses.len()).ok_or_else(wrong)?;
        replay.derived[slot] = Some(derived);
        order.push(slot);
    }
    let last = order.last().and_then(|slot| replay.derived[*slot].as_ref());
    if last.is_none_or(|derived| !derived.literals.is_empty()) {
        return Err(wrong());
    }
    Ok(replay.trim(&order))
}

fn wrong() -> Why {
    Why::GaveUp("the proof of a contradiction is wrong, please report this".to_owned())
}

impl Replay<'_> {
    fn literals(&self, fact: Fact) -> Result<&[Lit], Why> {
        match (fact as usize).checked_sub(self.clauses.len()) {
            None => Ok(self.clauses.get(fact as usize)),
            Some(slot) => self.derived[slot].as_ref().map(|derived| derived.literals.as_slice()).ok_or_else(wrong),
        }
    }

    /// Resolves the antecedents, from the first to the last.
    fn resolve(&mut self, chain: &[(Fact, Lit)]) -> Result<Derived, Why> {
        let (mut made, mut used): (Vec<Lit>, Vec<(Fact, Lit)>) = (Vec::new(), Vec::new());
        for (fact, pivot) in chain {
            let first = used.is_empty();
            if !first && !self.present[(!*pivot).idx() as usize] {
                continue;
            }
            let literals = self.literals(*fact)?.to_vec();
            if first || !literals.contains(pivot) {
                // The antecedent alone says more than both together.
                for literal in made.drain(..) {
                    self.present[literal.idx() as usize] = false;
                }
                used.clear();
                used.push((*fact, Lit::UNDEF));
            } else {
                self.present[(!*pivot).idx() as usize] = false;
                used.push((*fact, *pivot));
            }
            for literal in literals {
                let resolved = used.len() > 1 && literal == *pivot;
                if !resolved && !std::mem::replace(&mut self.present[literal.idx() as usize], true) {
                    made.push(literal);
                }
            }
        }
        // What was resolved away is still listed, and what came back is listed twice.
        made.retain(|literal| std::mem::replace(&mut self.present[literal.idx() as usize], false));
        Ok(Derived { literals: made, chain: used })
    }

    /// Keeps what the last derivation needs, and numbers it.
    fn trim(mut self, order: &[usize]) -> Resolution {
        let given = self.clauses.len();
        let mut needed = vec![false; given + self.derived.len()];
        if let Some(last) = order.last() {
            needed[given + last] = true;
        }
        for slot in order.iter().rev().filter(|slot| self.derived[**slot].is_some()) {
            if needed[given + slot] {
                let chain = self.derived[*slot].iter().flat_map(|derived| &derived.chain);
                chain.for_each(|(fact, _)| needed[*fact as usize] = true);
            }
        }
        let leaves: Vec<usize> = (0..given).filter(|fact| needed[*fact]).collect();
        let mut number = vec![0; needed.len()];
        let kept = order.iter().map(|slot| given + slot).filter(|fact| needed[*fact]);
        for (at, fact) in leaves.iter().copied().chain(kept).enumerate() {
            number[fact] = at;
        }
        let steps = order.iter().filter(|slot| needed[given + **slot]).filter_map(|slot| self.derived[*slot].take());
        let renumber = |(fact, pivot): (Fact, Lit)| (number[fact as usize], pivot);
        let steps = steps.map(|derived| derived.chain.into_iter().map(renumber).collect()).collect();
        Resolution { leaves, steps }
    }
}
