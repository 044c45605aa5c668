//! Arrays that are only read: each read becomes a variable, and equal indices read equal
//! elements (Ackermann, 1954). Reads of written arrays are told apart by index before.

use super::project::Fact;
use rustc_hash::FxHashMap;
use std::collections::BTreeSet;
use tamis_term::walk::post_order;
use tamis_term::{Fun, Node, Sort, Term, Terms, Var};

/// How many writes a read is moved through.
const WRITES: usize = 64;
/// More reads of one array than this are not told apart.
const READS: usize = 12;

/// Facts, and what their new variables stand for.
type Replaced = (Vec<Term>, Vec<(Var, Term)>);

/// The facts with one array less, if one of the variables is an array that is only read.
pub(super) fn eliminate(terms: &mut Terms, facts: &[Fact], vars: &BTreeSet<Var>) -> Option<Replaced> {
    let arrays: Vec<Var> = vars.iter().copied().filter(|var| matches!(terms.var_sort(*var), Sort::Array(_))).collect();
    if arrays.is_empty() {
        return None;
    }
    let all: Vec<Term> = facts.iter().map(|fact| fact.term).collect();
    let moved = move_reads(terms, &all);
    arrays.into_iter().find_map(|array| ackermann(terms, &moved, array))
}

/// Reads of writes and of choices, as choices of reads.
fn move_reads(terms: &mut Terms, facts: &[Term]) -> Vec<Term> {
    terms.rebuild(facts, |terms, term, args| match terms.node(term) {
        Node::App(Fun::Select, _) => read(terms, args[0], args[1], WRITES),
        Node::App(_, old) if old.as_slice() == args => term,
        Node::App(fun, _) => {
            let fun = fun.clone();
            terms.app(fun, args)
        }
        Node::Var(_) | Node::Const(_) => term,
    })
}

fn read(terms: &mut Terms, array: Term, index: Term, depth: usize) -> Term {
    // Writes from the outside in, and then choices from the inside out.
    let mut writes = Vec::new();
    let mut below = array;
    while let Node::App(Fun::Store, args) = terms.node(below)
        && writes.len() < depth
    {
        writes.push((args[1], args[2]));
        below = args[0];
    }
    let mut result = match terms.node(below) {
        Node::App(Fun::Ite, args) if depth > 8 => {
            let args = args.clone();
            // Nested choices are moved as well, down to a fixed depth.
            let then = read(terms, args[1], index, depth / 2);
            let otherwise = read(terms, args[2], index, depth / 2);
            terms.ite(args[0], then, otherwise)
        }
        Node::App(..) | Node::Var(_) | Node::Const(_) => terms.select(below, index),
    };
    for (at, element) in writes.into_iter().rev() {
        let same = terms.eq(at, index);
        result = terms.ite(same, element, result);
    }
    result
}

/// The facts with a variable for each read of the array.
fn ackermann(terms: &mut Terms, facts: &[Term], array: Var) -> Option<Replaced> {
    let subject = terms.var(array);
    let mut reads: Vec<(Term, Term)> = Vec::new();
    for term in post_order(terms, facts) {
        let args = terms.node(term).args();
        if !args.contains(&subject) {
            continue;
        }
        match terms.node(term) {
            Node::App(Fun::Select, args) if args[1] != subject => reads.push((term, args[1])),
            Node::App(..) | Node::Var(_) | Node::Const(_) => return None,
        }
    }
    if reads.len() > READS || facts.contains(&subject) {
        return None;
    }
    let mut fresh: FxHashMap<Term, Term> = FxHashMap::default();
    let (mut elements, mut meaning) = (Vec::new(), Vec::new());
    for (read, _) in &reads {
        let sort = terms.sort(*read).clone();
        let element = terms.declare("$read", sort);
        meaning.push((element, *read));
        let element = terms.var(element);
        fresh.insert(*read, element);
        elements.push(element);
    }
    // The indices may contain reads themselves.
    let mut indices: Vec<Term> = reads.iter().map(|(_, index)| *index).collect();
    let count = facts.len();
    indices.splice(0..0, facts.iter().copied());
    let mut replaced = terms.rebuild(&indices, |terms, term, args| match (fresh.get(&term), terms.node(term)) {
        (Some(element), _) => *element,
        (None, Node::App(_, old)) if old.as_slice() == args => term,
        (None, Node::App(fun, _)) => {
            let fun = fun.clone();
            terms.app(fun, args)
        }
        (None, Node::Var(_) | Node::Const(_)) => term,
    });
    let indices = replaced.split_off(count);
    for (one, element) in elements.iter().enumerate() {
        for other in 0..one {
            let (same, equal) = (terms.eq(indices[one], indices[other]), terms.eq(*element, elements[other]));
            replaced.push(terms.implies(same, equal));
        }
    }
    Some((replaced, meaning))
}
