//! Formulas as disjunctions of conjunctions of atoms (section 2, (2)), and the order of the free
//! distributive lattice over the atoms, which compares sets of atoms and asks nobody (section 3).
//!
//! Atoms are literals as they are written: an atom and its negation are two atoms that have nothing to do
//! with each other. A ground atom that is false, such as `-1 = 0`, becomes the atom `false`, and its
//! disjunct stays; one that is true is left out.

use std::collections::BTreeSet;
use tamis_term::{Fun, Node, Sort, Term, Terms};

/// A conjunction of atoms.
pub(super) type Conj = BTreeSet<Term>;

/// A formula of more disjuncts is one atom.
const MOST: usize = 256;

/// What is made of equations and their negations.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Equalities {
    Whole,
    Split,
}

/// A disjunction of conjunctions.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Formula {
    pub(super) disjuncts: BTreeSet<Conj>,
}

/// A way through a formula: the atoms found, and what is still to be taken apart.
#[derive(Clone)]
struct Way {
    atoms: Conj,
    open: Vec<Term>,
}

impl Formula {
    /// The formula of a term. One with too many disjuncts is left as one atom.
    pub(super) fn of(terms: &mut Terms, term: Term, equalities: Equalities) -> Formula {
        let mut disjuncts = BTreeSet::new();
        let mut ways = vec![Way { atoms: Conj::new(), open: vec![term] }];
        while let Some(mut way) = ways.pop() {
            if ways.len() + disjuncts.len() > MOST {
                return Formula { disjuncts: BTreeSet::from([Conj::from([term])]) };
            }
            let Some(part) = way.open.pop() else {
                disjuncts.insert(way.atoms);
                continue;
            };
            match split(terms, part, equalities) {
                Split::Atom => {
                    if !terms.is_true(part) {
                        way.atoms.insert(part);
                    }
                    ways.push(way);
                }
                Split::And(parts) => {
                    way.open.extend(parts);
                    ways.push(way);
                }
                Split::Or(parts) => ways.extend(parts.into_iter().map(|part| {
                    let mut way = way.clone();
                    way.open.push(part);
                    way
                })),
            }
        }
        Formula { disjuncts }
    }

    /// Its atomic constituents.
    pub(super) fn atoms(&self) -> BTreeSet<Term> {
        self.disjuncts.iter().flatten().copied().collect()
    }

    /// The formula as a term.
    pub(super) fn term(&self, terms: &mut Terms) -> Term {
        let disjuncts: Vec<Term> = self.disjuncts.iter().map(|conj| term(terms, conj)).collect();
        terms.or(&disjuncts)
    }

    /// Adds a disjunct unless a weaker one is there, and removes those that are stronger. Returns whether
    /// it was added.
    pub(super) fn join(&mut self, conj: Conj) -> bool {
        if self.disjuncts.iter().any(|other| other.is_subset(&conj)) {
            return false;
        }
        self.disjuncts.retain(|other| !conj.is_subset(other));
        self.disjuncts.insert(conj);
        true
    }

    /// The order of the free lattice: every disjunct has one of the other's that says no more.
    pub(super) fn is_below(&self, other: &Formula) -> bool {
        self.disjuncts.iter().all(|conj| other.disjuncts.iter().any(|weaker| weaker.is_subset(conj)))
    }
}

/// A conjunction as a term.
pub(super) fn term(terms: &mut Terms, conj: &Conj) -> Term {
    let atoms: Vec<Term> = conj.iter().copied().collect();
    terms.and(&atoms)
}

/// What a formula is made of at the top.
enum Split {
    Atom,
    And(Vec<Term>),
    Or(Vec<Term>),
}

fn split(terms: &mut Terms, part: Term, equalities: Equalities) -> Split {
    let (fun, args, holds) = match applied(terms, part) {
        Some((Fun::Not, args)) => match applied(terms, args[0]) {
            Some((fun, args)) => (fun, args, false),
            None => return Split::Atom,
        },
        Some((fun, args)) => (fun, args, true),
        None => return Split::Atom,
    };
    let is_order = |terms: &Terms| if equalities == Equalities::Split { at_most(terms, args[0]) } else { None };
    if fun == Fun::And || fun == Fun::Or {
        let parts = if holds { args } else { args.iter().map(|arg| terms.not(*arg)).collect() };
        return if (fun == Fun::And) == holds { Split::And(parts) } else { Split::Or(parts) };
    }
    if fun != Fun::Eq {
        return Split::Atom;
    }
    let Some(le) = is_order(terms) else { return Split::Atom };
    let sides = [[args[0], args[1]], [args[1], args[0]]].map(|way| terms.app(le.clone(), &way));
    if holds { Split::And(sides.to_vec()) } else { Split::Or(sides.map(|side| terms.not(side)).to_vec()) }
}

fn applied(terms: &Terms, term: Term) -> Option<(Fun, Vec<Term>)> {
    match terms.node(term) {
        Node::App(fun, args) => Some((fun.clone(), args.to_vec())),
        Node::Var(_) | Node::Const(_) => None,
    }
}

/// The order of numbers of a sort, if it has one.
fn at_most(terms: &Terms, number: Term) -> Option<Fun> {
    match terms.sort(number) {
        Sort::Int | Sort::Real => Some(Fun::Le),
        Sort::BitVec(_) => Some(Fun::BvUle),
        Sort::Bool | Sort::Array(_) => None,
    }
}
