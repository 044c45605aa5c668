//! What is shown of a round: the iterate at each location, what of it a widening left, and the predicates,
//! of which some are new.

use super::formula::Formula;
use super::system::System;
use std::collections::BTreeSet;
use tamis_cegar::{Context, Round, RoundEdge, RoundList, RoundNode};
use tamis_term::{Substitution, Term};

/// Shows a round to who wants to see it.
pub(super) fn show(
    ctx: &mut Context,
    system: &System<'_>,
    iterate: &Formula,
    widened: Option<&Formula>,
    predicates: &BTreeSet<Term>,
    known: &BTreeSet<Term>,
) {
    if !ctx.rounds.wanted() {
        return;
    }
    let strongest = iterate.term(&mut ctx.terms);
    let chosen = widened.map(|formula| formula.term(&mut ctx.terms));
    let mut nodes = Vec::new();
    for loc in &system.locs {
        let mut here = Substitution::default();
        here.insert(system.pc, system.place(&mut ctx.terms, *loc));
        let strongest = ctx.terms.substitute(strongest, &here);
        let chosen = chosen.map(|formula| ctx.terms.substitute(formula, &here));
        nodes.push(RoundNode { place: system.name(*loc), level: 0, popped: false, strongest, chosen });
    }
    let number = |loc| system.locs.iter().position(|other| *other == loc);
    let edge = |command: &super::system::Command| {
        let (from, to) = (number(command.from)?, number(command.to)?);
        Some(RoundEdge { from: vec![from], to, label: ctx.terms.smtlib(command.guard).to_string() })
    };
    let edges = system.commands.iter().filter_map(edge).collect();
    let new = predicates.difference(known).count();
    let lists = vec![RoundList { place: "everywhere".into(), predicates: predicates.iter().copied().collect(), new }];
    let round = Round { number: ctx.statistics.rounds + 1, real: false, nodes, edges, lists };
    ctx.rounds.show(&mut ctx.terms, &round);
}
