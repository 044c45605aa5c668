//! The laws about abstraction that every round must obey (for the laws about interpolants,
//! see `tamis_refiners::bdd::laws`). Tests run whole refinements under this audit.

use super::abstraction::Abstraction;
use tamis_bdd::{Bdd, Result};
use tamis_pds::{Dag, From, NodeKind, RuleId, Shape, System};

/// What an audit remembers: the counterexamples of all rounds.
#[derive(Default)]
pub(super) struct Audit {
    counterexamples: Vec<Dag>,
}

impl Audit {
    /// Remembers a counterexample.
    pub fn counterexample(&mut self, dag: &Dag) {
        self.counterexamples.push(dag.clone());
    }

    /// Checks a new abstraction against the one before.
    pub fn abstraction(
        &self,
        system: &System,
        abstraction: &Abstraction,
        before: &[Bdd],
        stale: &[RuleId],
    ) -> Result<std::result::Result<(), String>> {
        if self.counterexamples.is_empty() && abstraction.relations.iter().any(|relation| !relation.is_true()) {
            return Ok(Err("P10 is broken: the first abstraction has a relation that is not constant".to_owned()));
        }
        for id in stale {
            let at = id.index();
            if !covers(system, abstraction, *id)? {
                return Ok(Err(format!("P8 is broken: rule {at} has a step that its abstraction does not have")));
            }
            // P9: new bits only split what was there.
            let (m, new) = (system.family.manager(), &abstraction.relations[at]);
            if !m.entails(new, &before[at])? {
                return Ok(Err(format!("P9 is broken: the abstraction of rule {at} has grown")));
            }
        }
        for (round, dag) in self.counterexamples.iter().enumerate() {
            if !excluded(system, abstraction, dag)? {
                return Ok(Err(format!("P6 is broken: the counterexample of round {round} is back")));
            }
        }
        Ok(Ok(()))
    }
}

/// P8: every step of a rule is a step of its abstraction.
fn covers(system: &System, abstraction: &Abstraction, id: RuleId) -> Result<bool> {
    let (m, rule) = (system.family.manager(), system.rule(id));
    let missing = m.not(&abstraction.relations[id.index()]);
    let (c, a) = (&system.family, &abstraction.family);
    let from = abstraction.at(rule.from);
    let after = |f: &Bdd| a.after(&c.after(f)?);
    let mut parts = vec![missing, from.clone()];
    parts.extend(rule.relation.clone());
    match rule.shape {
        Shape::Normal { to } => parts.push(after(abstraction.at(to))?),
        Shape::Entry { to } => parts.extend([after(abstraction.at(to))?, system.owner(to).equal.clone()]),
        Shape::Push { entry, pivot } => {
            let frozen = a.after_push(&c.after_push(abstraction.at(pivot))?)?;
            parts.extend([after(abstraction.at(entry))?, frozen]);
        }
        Shape::Pop => parts.push(a.after(&c.after_pop(abstraction.effect(system.symbol(rule.from).proc))?)?),
        Shape::Eval { to } => {
            parts.extend([abstraction.effect(system.callee(rule.from)).clone(), a.after(abstraction.at(to))?]);
        }
    }
    Ok(m.all(parts)?.is_false())
}

/// P6: no way through an old counterexample is possible in the new abstraction.
fn excluded(system: &System, abstraction: &Abstraction, dag: &Dag) -> Result<bool> {
    let (m, family) = (system.family.manager(), &abstraction.family);
    let mut values: Vec<Bdd> = Vec::with_capacity(dag.nodes.len());
    for (id, node) in dag.nodes() {
        let mut value = m.constant(false);
        if let NodeKind::Entry(sym) = node.kind {
            let equal = &abstraction.equal[system.symbol(sym).proc.index()];
            let inputs = if node.popped || node.level == 0 {
                system.family.forget(abstraction.at(sym))?
            } else {
                family.inputs(&values[dag.levels[node.level - 1].bottom.index()])?
            };
            value = m.and(&inputs, equal)?;
            debug_assert!(node.popped || dag.levels[node.level].tops.contains(&id), "frames begin at tops");
        }
        for edge in &node.into {
            let share = match dag.edge(*edge).from {
                From::Rule { rule, node: from } => {
                    let (w, r) = (&values[from.index()], &abstraction.relations[rule.index()]);
                    match system.rule(rule).shape {
                        Shape::Normal { .. } | Shape::Entry { .. } | Shape::Eval { .. } => family.step(w, r)?,
                        Shape::Push { .. } => family.push(w, r)?,
                        Shape::Pop => family.pop(w, r)?,
                    }
                }
                From::Return { pivot, effect } => family.combine(&values[pivot.index()], &values[effect.index()])?,
            };
            value = m.or(&value, &share)?;
        }
        values.push(value);
    }
    Ok(values[dag.bottom().index()].is_false())
}
