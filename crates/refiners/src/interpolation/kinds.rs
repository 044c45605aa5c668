//! Which variables it is good to speak about. A formula about a variable of few values says all there
//! is to say soon; one about a counter of a loop is often followed by one for the next round of it
//! (Beyer, Löwe, Wendler, *Refinement Selection*, SPIN 2015, who score variables by their use).

use super::slices::conjuncts;
use std::collections::BTreeMap;
use tamis_ir::TransitionSystem;
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

/// How the state variables of a system are used.
#[derive(Clone, Debug)]
pub(super) struct Kinds(BTreeMap<Var, Kind>);

impl Kinds {
    pub(super) fn new(terms: &Terms, system: &TransitionSystem) -> Kinds {
        let mut kinds: BTreeMap<Var, Kind> = BTreeMap::new();
        let now_of: BTreeMap<Var, Var> = system.state.iter().map(|(now, next)| (*next, *now)).collect();
        for (now, value) in assignments(terms, system.trans, &now_of) {
            let kind = kind(terms, now, value);
            let known = kinds.entry(now).or_insert(kind);
            *known = kind.max(*known);
        }
        for (now, _) in &system.state {
            if *terms.var_sort(*now) == Sort::Bool {
                kinds.insert(*now, Kind::Few);
            }
        }
        Kinds(kinds)
    }

    /// How a state variable is used.
    pub(super) fn of(&self, var: Var) -> Kind {
        self.0.get(&var).copied().unwrap_or(Kind::Plain)
    }
}

/// The equations of a relation that say the next value of a variable.
fn assignments(terms: &Terms, relation: Term, now_of: &BTreeMap<Var, Var>) -> Vec<(Var, Term)> {
    let mut found = Vec::new();
    for part in conjuncts(terms, relation) {
        let ways = match terms.node(part) {
            Node::App(Fun::Or, ways) => ways.iter().flat_map(|way| conjuncts(terms, *way)).collect(),
            Node::App(..) | Node::Var(_) | Node::Const(_) => vec![part],
        };
        for equation in ways {
            let Node::App(Fun::Eq, args) = terms.node(equation) else { continue };
            for (next, value) in [(args[0], args[1]), (args[1], args[0])] {
                if let Node::Var(next) = terms.node(next)
                    && let Some(now) = now_of.get(next)
                {
                    found.push((*now, value));
                }
            }
        }
    }
    found
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
        let mut declare =
            |name: &str, sort: Sort| [name, &format!("{name}'")].map(|name| terms.declare(name, sort.clone()));
        let [mode, count, copy] = ["mode", "count", "copy"].map(|name| declare(name, Sort::BitVec(8)));
        let flag = declare("flag", Sort::Bool);
        let [three, one] = [3, 1].map(|value| terms.bv(8, value));
        let [mode_now, count_now, flag_now] = [mode[0], count[0], flag[0]].map(|var| terms.var(var));
        let increased = terms.bvadd(count_now, one);
        let values = [(mode, terms.ite(flag_now, three, mode_now)), (count, increased), (copy, count_now)];
        let mut parts = Vec::new();
        for ([_, next], value) in values {
            let next = terms.var(next);
            parts.push(terms.eq(next, value));
        }
        let (first, rest) = (parts[0], terms.and(&parts[1..]));
        // One of two ways, in one of which nothing is counted.
        let either = terms.or(&[rest, parts[2]]);
        let trans = terms.and(&[first, either]);
        let truth = terms.bool(true);
        let state = [mode, count, copy, flag].map(|[now, next]| (now, next)).to_vec();
        let system = TransitionSystem { state, inputs: vec![], invariant: truth, init: truth, trans, bad: truth };
        let kinds = Kinds::new(&terms, &system);
        let found = [mode, count, copy, flag].map(|[now, _]| kinds.of(now));
        assert_eq!(found, [Kind::Few, Kind::Counter, Kind::Plain, Kind::Few]);
    }
}
