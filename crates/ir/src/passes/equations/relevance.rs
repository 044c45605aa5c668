//! Which variables equations may be about: those that steps and conditions relate linearly.

use super::linear::{Columns, form};
use crate::program::{Op, Program};
use std::collections::BTreeSet;
use tamis_term::{Fun, Node, Sort, Term, Terms, Var};

/// The equations of words of a width that a condition says, besides others.
pub(super) fn equations(terms: &Terms, condition: Term, width: u32) -> Vec<[Term; 2]> {
    let (mut stack, mut found) = (vec![condition], Vec::new());
    while let Some(term) = stack.pop() {
        match terms.node(term) {
            Node::App(Fun::And, args) => stack.extend(args),
            Node::App(Fun::Eq, args) if *terms.sort(args[0]) == Sort::BitVec(width) => found.push([args[0], args[1]]),
            Node::App(..) | Node::Var(_) | Node::Const(_) => {}
        }
    }
    found
}

/// The groups of variables that each step of the program may relate.
pub(super) fn related(terms: &Terms, program: &Program, width: u32) -> Vec<Vec<Var>> {
    let words = words(terms, program, width);
    let columns: Columns = words.iter().map(|var| (*var, 0)).collect();
    let linear = |term: Term| {
        let is_linear = form(terms, term, width, &columns, 2).is_some();
        if is_linear { terms.free_vars(&[term]).into_iter().collect() } else { Vec::new() }
    };
    let mut groups = Vec::new();
    for (_, edge) in program.edges() {
        let pairs: Vec<(Var, Vec<Var>)> = match &edge.op {
            Op::Assign(pairs) => pairs.iter().map(|(var, value)| (*var, linear(*value))).collect(),
            Op::Call { callee, args, results } => {
                let proc = program.proc(*callee);
                let args = proc.params.iter().zip(args).map(|(param, arg)| (*param, linear(*arg)));
                args.chain(proc.results.iter().zip(results).map(|(from, to)| (*to, vec![*from]))).collect()
            }
            Op::Assume(_) | Op::Havoc(_) => Vec::new(),
        };
        for (var, vars) in pairs {
            if words.contains(&var) && !vars.is_empty() {
                groups.push(std::iter::once(var).chain(vars).collect());
            }
        }
    }
    groups
}

/// The groups of variables that equations in conditions relate.
pub(super) fn guarded(terms: &Terms, program: &Program, width: u32) -> Vec<Vec<Var>> {
    let conditions = program.edges().filter_map(|(_, edge)| match &edge.op {
        Op::Assume(condition) => Some(*condition),
        Op::Assign(_) | Op::Havoc(_) | Op::Call { .. } => None,
    });
    let equations = conditions.flat_map(|condition| equations(terms, condition, width));
    equations.map(|sides| terms.free_vars(&sides).into_iter().collect()).collect()
}

/// The variables of that many bits.
fn words(terms: &Terms, program: &Program, width: u32) -> BTreeSet<Var> {
    program.vars().filter(|var| *terms.var_sort(*var) == Sort::BitVec(width)).collect()
}

/// The variables that are worth a column: those that linear forms of others are assigned to, and
/// those others.
pub(super) fn tracked(terms: &Terms, program: &Program, width: u32) -> BTreeSet<Var> {
    related(terms, program, width).into_iter().flatten().collect()
}
