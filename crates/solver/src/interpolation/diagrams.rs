//! Exact interpolants of finite sorts on decision diagrams: strongest, weakest, and conciliated
//! in between (Kiefer, *Abstraction Refinement for Pushdown Systems*, 2005, sections 5.2 and
//! 6.3).
//!
//! The strongest interpolant is what is possible behind a subtree; the weakest is all that
//! excludes the rest. The conciliated one is the weakest for all values of those bits about
//! which the strongest says nothing: what follows from it is kept, and it speaks about less.

use super::shape::{Bits, terms_of};
use super::{Interpolation, Interpolator, Parts};
use crate::{Error, StopSignal, Why};
use rustc_hash::FxHashMap;
use std::collections::BTreeSet;
use tamis_bdd::{Bdd, Bit, Config, EncodeError, Manager, on_large_stack};
use tamis_term::{Term, Terms};

/// Operations recurse once per bit: with more bits than this they need a stack of their own.
const SHALLOW: usize = 1000;

/// Which interpolants.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Choice {
    /// What is possible behind a subtree.
    Strongest,
    /// All that excludes the rest.
    Weakest,
    /// The weakest, without the bits that the strongest leaves open.
    Conciliated,
}

/// Interpolants on decision diagrams.
#[derive(Debug)]
pub struct Diagrams {
    choice: Choice,
    config: Config,
    stop: StopSignal,
}

impl Diagrams {
    /// A source that gives up when its nodes are used up or `stop` is set.
    #[must_use]
    pub fn new(choice: Choice, config: Config, stop: StopSignal) -> Diagrams {
        Diagrams { choice, config, stop }
    }

    fn derive(&self, terms: &mut Terms, parts: &Parts) -> Result<Option<Vec<Term>>, EncodeError> {
        let mut bits = Bits::new(terms, &parts.formulas, &self.config, &self.stop)?;
        let depth = bits.count();
        let found = {
            let (choice, terms, bits) = (self.choice, &*terms, &mut bits);
            let mut work = move || Walk::new(terms, parts, bits)?.choose(choice);
            if depth > SHALLOW { on_large_stack(work) } else { work() }
        }?;
        match found {
            None => Ok(None),
            Some(diagrams) => Ok(Some(terms_of(terms, &bits, &diagrams)?)),
        }
    }
}

impl Interpolator for Diagrams {
    fn name(&self) -> &'static str {
        match self.choice {
            Choice::Strongest => "diagrams-strongest",
            Choice::Weakest => "diagrams-weakest",
            Choice::Conciliated => "diagrams",
        }
    }

    fn interpolate(&mut self, terms: &mut Terms, parts: &Parts) -> Result<Interpolation, Error> {
        parts.check(terms)?;
        Ok(match self.derive(terms, parts) {
            Ok(Some(interpolants)) => Interpolation::Interpolants(interpolants),
            Ok(None) => Interpolation::Satisfiable,
            Err(error) => Interpolation::Unknown(Why::from(error)),
        })
    }
}

/// The parts as diagrams.
struct Walk<'a> {
    m: &'a Manager,
    children: Vec<Vec<usize>>,
    /// By node: diagrams whose conjunction the part is.
    relations: Vec<Vec<Bdd>>,
    /// By node: the bits that its interpolant may be about.
    shared: Vec<BTreeSet<Bit>>,
}

impl<'a> Walk<'a> {
    fn new(terms: &Terms, parts: &Parts, bits: &'a mut Bits) -> Result<Walk<'a>, EncodeError> {
        let mut relations = Vec::with_capacity(parts.formulas.len());
        for formula in &parts.formulas {
            let conjuncts = terms.conjuncts(&[*formula]).into_iter().map(|conjunct| bits.truth(terms, conjunct));
            relations.push(conjuncts.collect::<Result<Vec<Bdd>, EncodeError>>()?);
        }
        let of = |vars: Vec<_>| vars.into_iter().flat_map(|var| bits.of(var).iter().copied()).collect();
        let shared = parts.shared(terms).into_iter().map(of).collect();
        Ok(Walk { m: &bits.manager, children: parts.children(), relations, shared })
    }

    /// The chosen interpolants, or none if the parts do not contradict each other.
    fn choose(&self, choice: Choice) -> Result<Option<Vec<Bdd>>, EncodeError> {
        let siblings = self.children.iter().any(|children| children.len() > 1);
        let strongest = match choice {
            Choice::Weakest if !siblings => None,
            Choice::Strongest | Choice::Weakest | Choice::Conciliated => match self.strongest()? {
                None => return Ok(None),
                known => known,
            },
        };
        match (choice, strongest) {
            (Choice::Strongest, strongest) => Ok(strongest),
            (Choice::Weakest | Choice::Conciliated, strongest) => self.backwards(choice, strongest.as_deref()),
        }
    }

    /// What is possible behind each node but the root, or none if something is behind that.
    fn strongest(&self) -> Result<Option<Vec<Bdd>>, EncodeError> {
        let mut known: Vec<Bdd> = Vec::new();
        for (node, shared) in self.shared.iter().enumerate() {
            let mut parts: Vec<Bdd> = self.children[node].iter().map(|child| known[*child].clone()).collect();
            parts.extend_from_slice(&self.relations[node]);
            known.push(self.project(&parts, shared)?);
        }
        let end = known.pop();
        Ok(end.filter(Bdd::is_false).map(|_| known))
    }

    /// What excludes the rest, from the root back. Siblings share the work: the first excludes
    /// what is left by what is possible behind the others, the next what is left by that.
    fn backwards(&self, choice: Choice, strongest: Option<&[Bdd]>) -> Result<Option<Vec<Bdd>>, EncodeError> {
        let yes = self.m.constant(true);
        let mut chosen = strongest.map_or_else(|| vec![yes.clone(); self.shared.len() - 1], <[Bdd]>::to_vec);
        for node in (0..self.shared.len()).rev() {
            let goal = chosen.get(node).map_or_else(|| yes.clone(), |goal| self.m.not(goal));
            for child in &self.children[node] {
                let others = self.children[node].iter().filter(|other| *other != child);
                let mut parts: Vec<Bdd> = others.map(|other| chosen[*other].clone()).collect();
                parts.push(goal.clone());
                parts.extend_from_slice(&self.relations[node]);
                let weakest = self.m.not(&self.project(&parts, &self.shared[*child])?);
                chosen[*child] = match strongest {
                    Some(strongest) if choice == Choice::Conciliated => self.conciliate(&strongest[*child], weakest)?,
                    Some(_) | None => weakest,
                };
            }
            // Without what is possible, only the leaves tell whether there is a contradiction.
            if self.children[node].is_empty() {
                let mut parts = self.relations[node].clone();
                parts.push(goal);
                if !self.project(&parts, &BTreeSet::new())?.is_false() {
                    return Ok(None);
                }
            }
        }
        Ok(Some(chosen))
    }

    /// `∀Z. weakest`, where `Z` are the bits about which the strongest says nothing. Not if it
    /// is false, which is about no bit at all: everything would go.
    fn conciliate(&self, strongest: &Bdd, weakest: Bdd) -> Result<Bdd, EncodeError> {
        if strongest.is_false() || weakest.is_true() || weakest.is_false() {
            return Ok(weakest);
        }
        let kept = self.m.support(strongest);
        let open = self.m.support(&weakest).into_iter().filter(|bit| kept.binary_search(bit).is_err());
        let open: Vec<Bit> = open.collect();
        Ok(self.m.forall(&weakest, &self.m.cube(&open)?)?)
    }

    /// The conjunction without the bits that are not kept, each of which goes with the last
    /// part that has it (Burch, Clarke, Long, VLSI 1991).
    fn project(&self, parts: &[Bdd], keep: &BTreeSet<Bit>) -> Result<Bdd, EncodeError> {
        let mut last: FxHashMap<Bit, usize> = FxHashMap::default();
        for (at, part) in parts.iter().enumerate() {
            last.extend(self.m.support(part).into_iter().map(|bit| (bit, at)));
        }
        let mut done: Vec<Vec<Bit>> = vec![Vec::new(); parts.len()];
        let mut bits: Vec<(Bit, usize)> = last.into_iter().filter(|(bit, _)| !keep.contains(bit)).collect();
        bits.sort_unstable();
        for (bit, at) in bits {
            done[at].push(bit);
        }
        let mut product = self.m.constant(true);
        for (part, done) in parts.iter().zip(done) {
            product = self.m.and_exists(&product, part, &self.m.cube(&done)?)?;
            if product.is_false() {
                break;
            }
        }
        Ok(product)
    }
}
