//! Which variables it is good to speak about. A formula about a variable of few values says all there
//! is to say soon; one about a counter of a loop is often followed by one for the next round of it
//! (Beyer, Löwe, Wendler, *Refinement Selection*, SPIN 2015, who score variables by their use).

use std::collections::BTreeMap;
use tamis_ir::BlockGraph;
use tamis_term::walk::post_order;
use tamis_term::{Fun, Node, Sort, Term, Terms, Var};

/// How a variable is used.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Kind {
    /// It is a truth value, or only constants are assigned to it.
    Few,
    /// Neither of the others.
    Plain,
    /// It is added to, or subtracted from.
    Counter,
}

/// How the variables of a graph are used.
#[derive(Clone, Debug)]
pub(super) struct Kinds(BTreeMap<Var, Kind>);

impl Kinds {
    pub(super) fn new(terms: &Terms, graph: &BlockGraph) -> Kinds {
        let mut kinds: BTreeMap<Var, Kind> = BTreeMap::new();
        for id in graph.arcs() {
            let Some(to) = graph.to(id) else { continue };
            let arc = graph.arc(id);
            for var in &graph.point(to).live {
                let Some(value) = arc.values.get(*var) else { continue };
                let kind = kind(terms, *var, value);
                let known = kinds.entry(*var).or_insert(kind);
                *known = kind.max(*known);
            }
        }
        for var in graph.state() {
            if *terms.var_sort(var) == Sort::Bool {
                kinds.insert(var, Kind::Few);
            }
        }
        Kinds(kinds)
    }

    /// How a state variable is used.
    pub(super) fn of(&self, var: Var) -> Kind {
        self.0.get(&var).copied().unwrap_or(Kind::Plain)
    }
}

/// How a variable is used that gets a value.
fn kind(terms: &Terms, var: Var, value: Term) -> Kind {
    let mut leaves = vec![value];
    let mut constant = true;
    while let Some(leaf) = leaves.pop() {
        match terms.node(leaf) {
            Node::App(Fun::Ite, args) => leaves.extend(&args[1..]),
            Node::Const(_) => {}
            Node::Var(own) => constant &= *own == var,
            Node::App(..) => constant = false,
        }
    }
    if constant {
        return Kind::Few;
    }
    let is_own = |term: &Term| match terms.node(*term) {
        Node::Var(own) => *own == var,
        Node::App(Fun::ZeroExtend(_) | Fun::SignExtend(_) | Fun::Extract { .. }, args) => {
            matches!(terms.node(args[0]), Node::Var(own) if *own == var)
        }
        Node::App(..) | Node::Const(_) => false,
    };
    let counts = |term: &Term| match terms.node(*term) {
        Node::App(Fun::Add | Fun::Sub | Fun::Mul | Fun::BvAdd | Fun::BvSub | Fun::BvMul, args) => {
            args.iter().any(is_own)
        }
        Node::App(..) | Node::Var(_) | Node::Const(_) => false,
    };
    if post_order(terms, &[value]).iter().any(counts) { Kind::Counter } else { Kind::Plain }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn kinds_follow_from_what_is_assigned() {
        let mut terms = Terms::new();
        let [mode, count, copy] = ["mode", "count", "copy"].map(|name| terms.declare(name, Sort::BitVec(8)));
        let flag = terms.declare("flag", Sort::Bool);
        let [three, one] = [3, 1].map(|value| terms.bv(8, value));
        let [mode_now, count_now, flag_now] = [mode, count, flag].map(|var| terms.var(var));
        let (set, increased) = (terms.ite(flag_now, three, mode_now), terms.bvadd(count_now, one));
        let found = [(mode, set), (count, increased), (copy, count_now)].map(|(var, value)| kind(&terms, var, value));
        assert_eq!(found, [Kind::Few, Kind::Counter, Kind::Plain]);
    }
}
