//! What an edge does to a relation: forwards, where it gives the strongest relation behind
//! the edge (Figure 5.5), and backwards, where it gives the weakest one in front of it that
//! tracks (Figure 5.6; Theorem 3.3).

use tamis_bdd::{Bdd, Result};
use tamis_ir::ProcId;
use tamis_pds::{Dag, From, NodeId, NodeKind, Rule, RuleId, Shape, System};

/// What holds behind an edge if the values of its sources hold in front of it.
pub(super) fn image(system: &System, from: From, values: &[Bdd]) -> Result<Bdd> {
    match from {
        From::Rule { rule, node } => rule_image(system, rule, &values[node.index()]),
        From::Return { pivot, effect } => system.family.combine(&values[pivot.index()], &values[effect.index()]),
    }
}

/// What holds behind a rule if `w` holds in front of it. At an entry the current values *are*
/// the input, which is where the relation between both begins.
pub(super) fn rule_image(system: &System, rule: RuleId, w: &Bdd) -> Result<Bdd> {
    let rule = system.rule(rule);
    let family = &system.family;
    match rule.shape {
        Shape::Entry { .. } => {
            let start = family.manager().and(w, &system.owner(rule.from).equal)?;
            family.step(&start, relation(rule))
        }
        Shape::Normal { .. } => family.step(w, relation(rule)),
        Shape::Push { .. } => family.push(w, relation(rule)),
        Shape::Pop => family.pop(w, relation(rule)),
        Shape::Eval { .. } => Ok(w.clone()),
    }
}

/// The weakest relation in front of a rule that entails `j` behind it.
pub(super) fn rule_preimage(system: &System, rule: RuleId, j: &Bdd) -> Result<Bdd> {
    let rule = system.rule(rule);
    let family = &system.family;
    match rule.shape {
        Shape::Entry { .. } => family.entry_back(relation(rule), &system.owner(rule.from).equal, j),
        Shape::Normal { .. } => family.step_back(relation(rule), j),
        Shape::Push { .. } => family.push_back(relation(rule), j),
        Shape::Pop => family.pop_back(relation(rule), j),
        Shape::Eval { .. } => Ok(j.clone()),
    }
}

fn relation(rule: &Rule) -> &Bdd {
    rule.relation.as_ref().expect("only evaluations, which change nothing, have no relation")
}

/// The pivot that waits while the frames run that begin at an entry node: where the level
/// below it on the stack ends (Figure 5.9). Main's first frame has none, nor have frames
/// that are gone by the end of their level: those are joined by returns.
pub(super) fn caller(dag: &Dag, id: NodeId) -> Option<NodeId> {
    let node = dag.node(id);
    match node.kind {
        NodeKind::Entry(_) if !node.popped => Some(dag.levels[node.level.checked_sub(1)?].bottom),
        NodeKind::Entry(_) | NodeKind::At(_) | NodeKind::Pivot(_) | NodeKind::Effect(_) | NodeKind::Eval(_) => None,
    }
}

/// The procedure that has returned at an effect node.
pub(super) fn callee(dag: &Dag, effect: NodeId) -> ProcId {
    match dag.node(effect).kind {
        NodeKind::Effect(callee) => callee,
        NodeKind::At(_) | NodeKind::Entry(_) | NodeKind::Pivot(_) | NodeKind::Eval(_) => {
            unreachable!("a return joins a pivot and an effect")
        }
    }
}
