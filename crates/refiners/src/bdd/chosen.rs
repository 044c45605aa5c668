//! Chosen interpolants, bottom up: weakest ones (Figures 5.6 and 5.9) and what the heuristics
//! of chapter 6 make of them, in the frame of section 4.3.4.
//!
//! Every edge contributes to the nodes that it comes from; a node's `K` is the conjunction. It
//! suffices that each contribution `k` satisfies
//!
//! - (a) `I ⊨ k`, where `I` is the strongest interpolant of the node, and
//! - (b) `k` and the edge entail `K` behind the edge,
//!
//! because both survive conjunction with other contributions, and conciliation too: `∀Z. k`
//! entails `k`, which keeps (b), and is still entailed by `I`, which does not depend on `Z`
//! (Theorem 6.3). So strengthening each edge's contribution, and the conjunction again, keeps
//! whatever mix of contributions tracking.
//!
//! A return has two sources. The pivot's contribution `k_<` is chosen first, such that it tracks
//! together with the strongest effect: `k_< ∧ I_> ⊨ K`. The effect's is then as weak as
//! `k_<` allows: `k_> = ∀ frozen, input. k_< → K`. That is (a) by the choice of `k_<`, and (b)
//! since `K_<` entails `k_<` and `K_>` entails `k_>`. It is the contribution of this very edge
//! that counts, not the pivot's final `K_<`: in a recursive procedure the way from a pivot may
//! lead to an effect that the same pivot waits for, so `K_>` may be needed to find `K_<`.

use super::Heuristic;
use super::edges::{callee, caller, rule_image, rule_preimage};
use super::strongest::Strongest;
use tamis_bdd::{Bdd, Bit, Renaming, Result};
use tamis_pds::{Dag, Edge, From, NodeId, NodeKind, Proc, RuleId, Shape, System};

/// How to choose.
#[derive(Clone, Copy, Debug)]
pub struct Options<'a> {
    /// Which interpolants.
    pub heuristic: Heuristic,
    /// By node: what the abstraction already knows there, as a relation of the node's
    /// signature. Where that entails `K`, nothing new is needed, and the way above stays as
    /// it is (section 8.3). `K` then tracks only together with what is known. Strongest
    /// interpolants need nothing from below, and are not affected.
    pub gamma: Option<&'a [Option<Bdd>]>,
    /// A mistake to make.
    pub fault: Option<Fault>,
}

/// Mistakes to make on purpose, so that tests see that [`super::laws`] catch them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Fault {
    /// Effects contribute nothing: `J_> = 1`.
    EffectIsTrue,
    /// Pivots ask for some return value instead of all: `J_< = ∃ returned. J`.
    PivotExists,
}

impl Options<'_> {
    /// The heuristic alone.
    #[must_use]
    pub fn new(heuristic: Heuristic) -> Self {
        Options { heuristic, gamma: None, fault: None }
    }
}

/// Chooses `K` for every node, by [`NodeId`]. For [`Heuristic::Both`] these are the weakest
/// ones.
///
/// If the graph is not spurious, they still track, but are no interpolants: 1 at the top would
/// be wrong.
///
/// # Errors
/// If the diagrams have no room.
pub fn choose(system: &System, dag: &Dag, strongest: &Strongest, options: &Options) -> Result<Vec<Bdd>> {
    if options.heuristic == Heuristic::Strongest {
        return Ok(strongest.nodes().to_vec());
    }
    let m = system.family.manager();
    let across = if options.heuristic.skips() { across_calls(system)? } else { Vec::new() };
    let chosen = vec![m.constant(true); dag.nodes.len()];
    let mut chooser = Chooser { system, dag, strongest, options, chosen, across };
    chooser.chosen[dag.bottom().index()] = m.constant(false);
    for (id, node) in dag.nodes().rev() {
        chooser.settle(id)?;
        // What demands nothing demands nothing of the nodes in front of it.
        if chooser.chosen[id.index()].is_true() {
            continue;
        }
        for &edge in &node.into {
            chooser.contribute(dag.edge(edge))?;
        }
        if let Some(pivot) = caller(dag, id) {
            let k = system.family.inputs_back(&chooser.chosen[id.index()])?;
            chooser.add(pivot, k)?;
        }
    }
    Ok(chooser.chosen)
}

/// What each node contributes to the predicates of its control point, constants left out.
/// Evaluation nodes have no predicates.
#[must_use]
pub fn predicates(dag: &Dag, strongest: &Strongest, chosen: &[Bdd], heuristic: Heuristic) -> Vec<(NodeId, Bdd)> {
    let mut found = Vec::new();
    for (id, node) in dag.nodes() {
        if matches!(node.kind, NodeKind::Eval(_)) {
            continue;
        }
        let both = (heuristic == Heuristic::Both).then(|| strongest.node(id));
        let new = both.into_iter().chain([&chosen[id.index()]]).filter(|k| !k.is_true() && !k.is_false());
        found.extend(new.map(|k| (id, k.clone())));
    }
    found
}

/// By procedure: how to say of its input what is said of the values that it returns, for
/// calls that are assumed to do nothing.
fn across_calls(system: &System) -> Result<Vec<Renaming>> {
    let block = &system.family.block;
    let across = |proc: &Proc| {
        let pairs: Vec<_> = proc.input.iter().map(|&at| (block.now[at], block.next[at])).collect();
        let returned = pairs.into_iter().filter(|(now, _)| proc.returned.bits().binary_search(now).is_ok());
        system.family.manager().renaming(&returned.collect::<Vec<_>>())
    };
    system.procs.iter().map(across).collect()
}

struct Chooser<'a> {
    system: &'a System,
    dag: &'a Dag,
    strongest: &'a Strongest,
    options: &'a Options<'a>,
    /// `K` as far as it is known.
    chosen: Vec<Bdd>,
    across: Vec<Renaming>,
}

impl Chooser<'_> {
    /// All edges out of the node have contributed: conciliates again, now for the conjunction,
    /// unless the abstraction knows enough (section 8.3). A pivot and the evaluation behind it
    /// are excepted: a weaker `K_<` would demand more of the effect.
    fn settle(&mut self, id: NodeId) -> Result<()> {
        let m = self.system.family.manager();
        let k = &self.chosen[id.index()];
        let known = self.options.gamma.and_then(|gamma| gamma[id.index()].as_ref());
        let may_stop = match self.dag.node(id).kind {
            NodeKind::At(_) | NodeKind::Entry(_) | NodeKind::Effect(_) => id != self.dag.bottom(),
            NodeKind::Pivot(_) | NodeKind::Eval(_) => false,
        };
        self.chosen[id.index()] = match known {
            Some(known) if may_stop && m.entails(known, k)? => m.constant(true),
            Some(_) | None => self.conciliate(id, k.clone())?,
        };
        Ok(())
    }

    /// Conjoins a contribution with what the node has so far.
    fn add(&mut self, id: NodeId, k: Bdd) -> Result<()> {
        let k = self.conciliate(id, k)?;
        let so_far = &mut self.chosen[id.index()];
        *so_far = self.system.family.manager().and(so_far, &k)?;
        Ok(())
    }

    /// Section 6.3: `∀Z. k`, where `Z` are the bits that occur in `k` but not in `I`. Not if
    /// `I` is 0, which is about no bit at all: everything would go.
    fn conciliate(&self, id: NodeId, k: Bdd) -> Result<Bdd> {
        let i = self.strongest.node(id);
        if !self.options.heuristic.conciliates() || i.is_false() || k.is_true() || k.is_false() {
            return Ok(k);
        }
        let m = self.system.family.manager();
        let kept = m.support(i);
        let z: Vec<Bit> = m.support(&k).into_iter().filter(|bit| kept.binary_search(bit).is_err()).collect();
        m.forall(&k, &m.cube(&z)?)
    }

    /// Lets an edge contribute to the nodes that it comes from.
    fn contribute(&mut self, edge: &Edge) -> Result<()> {
        match edge.from {
            From::Rule { rule, node } => {
                let k2 = &self.chosen[edge.to.index()];
                let k1 = match self.skip(rule, node, k2)? {
                    Some(k1) => k1,
                    None => rule_preimage(self.system, rule, k2)?,
                };
                self.add(node, k1)
            }
            From::Return { pivot, effect } => self.contribute_return(pivot, effect, edge.to),
        }
    }

    /// Section 6.4: `K` behind a normal rule, if it satisfies (a) and (b) in front of it too.
    /// Never 0: where `I` is 0 that would be admissible, and would shift the blame to whatever
    /// made the way impossible further above.
    fn skip(&self, rule: RuleId, node: NodeId, k2: &Bdd) -> Result<Option<Bdd>> {
        let is_normal = matches!(self.system.rule(rule).shape, Shape::Normal { .. });
        if !self.options.heuristic.skips() || !is_normal || k2.is_false() {
            return Ok(None);
        }
        let m = self.system.family.manager();
        let admissible =
            m.entails(self.strongest.node(node), k2)? && m.entails(&rule_image(self.system, rule, k2)?, k2)?;
        Ok(admissible.then(|| k2.clone()))
    }

    /// Figure 5.6 at a call that returns: `J_< = ∀ returned. I_> → J`, the weakest contribution
    /// to the pivot; then `J_> = ∀ frozen, input. J_< → J`.
    fn contribute_return(&mut self, pivot: NodeId, effect: NodeId, to: NodeId) -> Result<()> {
        let family = &self.system.family;
        let callee = self.system.proc(callee(self.dag, effect));
        let k = &self.chosen[to.index()];
        let mut k_pivot = match self.skip_call(pivot, effect, k)? {
            Some(candidate) => candidate,
            None => family.combine_back(&callee.returned, self.strongest.node(effect), k)?,
        };
        if self.options.fault == Some(Fault::PivotExists) {
            k_pivot = family.manager().exists(k, &callee.returned)?;
        }
        let k_pivot = self.conciliate(pivot, k_pivot)?;
        let mut k_effect = family.effect_back(&callee.kept, &k_pivot, k)?;
        if self.options.fault == Some(Fault::EffectIsTrue) {
            k_effect = family.manager().constant(true);
        }
        self.add(pivot, k_pivot)?;
        self.add(effect, k_effect)
    }

    /// Section 6.4 at a call: the callee returns what it was given. The candidate says of the
    /// input what `k` says of the returned values; there is none if `k` speaks about
    /// a returned bit that is no input.
    fn skip_call(&self, pivot: NodeId, effect: NodeId, k: &Bdd) -> Result<Option<Bdd>> {
        if !self.options.heuristic.skips() || k.is_false() {
            return Ok(None);
        }
        let family = &self.system.family;
        let m = family.manager();
        let callee = callee(self.dag, effect);
        let candidate = m.rename(k, &self.across[callee.index()])?;
        let returned = self.system.proc(callee).returned.bits();
        let admissible = !m.support(&candidate).iter().any(|bit| returned.binary_search(bit).is_ok())
            && m.entails(self.strongest.node(pivot), &candidate)?
            && m.entails(&family.combine(&candidate, self.strongest.node(effect))?, k)?;
        Ok(admissible.then_some(candidate))
    }
}
