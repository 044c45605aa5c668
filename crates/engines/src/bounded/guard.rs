//! Guards: when a state is reached, as the list of conditions on the way. Ways that part share the
//! list up to there, so that where they meet again only what is different is looked at: after
//! `if (c) … else …` nothing is left of `c`.

use tamis_term::{Fun, Node, Term, Terms};

/// The conditions on the way to a state.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(super) struct Guard(u32);

impl Guard {
    /// Nothing has to hold.
    pub(super) const ALWAYS: Guard = Guard(0);
}

/// All guards.
pub(super) struct Guards {
    /// The first is the empty guard, which is its own parent.
    nodes: Vec<Conjunct>,
}

struct Conjunct {
    parent: Guard,
    condition: Term,
    /// All conditions together.
    whole: Term,
}

/// What two exclusive guards have in common, and how they differ.
pub(super) struct Meeting {
    /// That one of both holds.
    pub(super) either: Guard,
    /// Where one of both holds, this tells whether it is the first.
    pub(super) first: Term,
}

impl Guards {
    pub(super) fn new(terms: &mut Terms) -> Guards {
        let always = terms.bool(true);
        Guards { nodes: vec![Conjunct { parent: Guard::ALWAYS, condition: always, whole: always }] }
    }

    /// The guard as a formula.
    pub(super) fn whole(&self, guard: Guard) -> Term {
        self.nodes[guard.0 as usize].whole
    }

    /// The guard and one more condition.
    pub(super) fn and(&mut self, terms: &mut Terms, guard: Guard, condition: Term) -> Guard {
        if terms.is_true(condition) {
            return guard;
        }
        let whole = terms.and(&[self.whole(guard), condition]);
        self.nodes.push(Conjunct { parent: guard, condition, whole });
        Guard(u32::try_from(self.nodes.len() - 1).expect("fewer than 2^32 guards"))
    }

    /// The common part of two guards. A parent has a smaller number.
    fn common(&self, mut a: Guard, mut b: Guard) -> Guard {
        while a != b {
            let larger = if a > b { &mut a } else { &mut b };
            *larger = self.nodes[larger.0 as usize].parent;
        }
        a
    }

    /// How many guards were made before the ways to two of them parted.
    pub(super) fn parted(&self, a: Guard, b: Guard) -> usize {
        self.common(a, b).0 as usize
    }

    /// The conditions of a guard after those of another that it begins with.
    fn rest(&self, mut guard: Guard, common: Guard) -> Vec<Term> {
        let mut rest = Vec::new();
        while guard != common {
            let node = &self.nodes[guard.0 as usize];
            rest.push(node.condition);
            guard = node.parent;
        }
        rest.reverse();
        rest
    }

    /// Two guards of which at most one can hold.
    pub(super) fn meet(&mut self, terms: &mut Terms, a: Guard, b: Guard) -> Meeting {
        let common = self.common(a, b);
        let (left, right) = (self.rest(a, common), self.rest(b, common));
        if let ([first, left @ ..], [second, right @ ..]) = (left.as_slice(), right.as_slice())
            && are_opposite(terms, *first, *second)
        {
            let (left, right) = (terms.and(left), terms.and(right));
            let rest = terms.ite(*first, left, right);
            return Meeting { either: self.and(terms, common, rest), first: *first };
        }
        let (left, right) = (terms.and(&left), terms.and(&right));
        let rest = terms.or(&[left, right]);
        Meeting { either: self.and(terms, common, rest), first: left }
    }
}

/// Whether one is the negation of the other.
pub(super) fn are_opposite(terms: &Terms, a: Term, b: Term) -> bool {
    let negates = |a: Term, b: Term| matches!(terms.node(a), Node::App(Fun::Not, args) if args[..] == [b]);
    negates(a, b) || negates(b, a)
}
