//! Localised predicates: one list per control point, one per procedure for its effect
//! (Kiefer 2005, sections 4.1 and 5.3).

use tamis_bdd::Bdd;
use tamis_cegar::Precision;
use tamis_ir::ProcId;
use tamis_pds::{NodeKind, RuleId, Sym, System};
use tamis_term::Terms;

/// Where predicates are tracked.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Spot {
    /// At a control point: a location, an entry or a pivot.
    At(Sym),
    /// At a procedure's return.
    Effect(ProcId),
}

impl Spot {
    /// Where a node's predicates go. An evaluation never has any.
    pub fn of(kind: NodeKind) -> Option<Spot> {
        match kind {
            NodeKind::At(sym) | NodeKind::Entry(sym) | NodeKind::Pivot(sym) => Some(Spot::At(sym)),
            NodeKind::Effect(proc) => Some(Spot::Effect(proc)),
            NodeKind::Eval(_) => None,
        }
    }
}

/// The lists of predicates. The position of a predicate in its list is the number of the
/// abstract bit that stands for it; all lists share the same bits (section 7.1).
#[derive(Clone, Debug)]
pub struct Lists {
    at: Vec<Vec<Bdd>>,
    effect: Vec<Vec<Bdd>>,
    /// The spots whose lists grew last.
    pub grown: Vec<Spot>,
    /// The rules whose relations were made exact last.
    pub tightened: Vec<RuleId>,
}

impl Lists {
    /// No predicates.
    pub fn new(system: &System) -> Lists {
        let (at, effect) = (vec![Vec::new(); system.symbols.len()], vec![Vec::new(); system.procs.len()]);
        Lists { at, effect, grown: Vec::new(), tightened: Vec::new() }
    }

    /// The list of a spot.
    pub fn list(&self, spot: Spot) -> &[Bdd] {
        match spot {
            Spot::At(sym) => &self.at[sym.index()],
            Spot::Effect(proc) => &self.effect[proc.index()],
        }
    }

    /// The lengths of the longest list at a control point and of the longest at a return.
    pub fn widest(&self) -> (usize, usize) {
        let longest = |lists: &[Vec<Bdd>]| lists.iter().map(Vec::len).max().unwrap_or(0);
        (longest(&self.at), longest(&self.effect))
    }
}

/// What an examined counterexample adds: predicates with the spots that track them, and for
/// each predicate its complement, so that none is tracked twice.
pub struct Interpolants {
    /// The predicates.
    pub found: Vec<(Spot, Bdd, Bdd)>,
    /// The rules whose relations were made exact.
    pub tightened: Vec<RuleId>,
}

impl Precision for Lists {
    type Refutation = Interpolants;

    fn absorb(&mut self, _: &mut Terms, why: &Interpolants) -> bool {
        self.grown.clear();
        self.tightened.clone_from(&why.tightened);
        for (spot, predicate, complement) in &why.found {
            let list = match spot {
                Spot::At(sym) => &mut self.at[sym.index()],
                Spot::Effect(proc) => &mut self.effect[proc.index()],
            };
            let constant = predicate.is_true() || predicate.is_false();
            if !constant && !list.contains(predicate) && !list.contains(complement) {
                list.push(predicate.clone());
                self.grown.push(*spot);
            }
        }
        self.grown.sort_unstable();
        self.grown.dedup();
        !self.grown.is_empty() || !self.tightened.is_empty()
    }

    fn size(&self) -> u64 {
        let (at, effect) = self.widest();
        at.max(effect) as u64
    }
}
