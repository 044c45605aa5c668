//! Few cubes: a diagram as a disjunction of conjunctions without superfluous parts, or as the
//! dual of one.

use super::super::formula::{Names, formula};
use rustc_hash::FxHashMap;
use std::collections::BTreeMap;
use tamis_bdd::{Bdd, Bit, Manager, Result};
use tamis_term::{Term, Terms};

/// The most cubes that are easier to read than conditionals.
const MAX_CUBES: usize = 4;
/// Diagrams with more bits are not looked at.
const MAX_BITS: usize = 64;

/// A conjunction of literals.
type Cube = BTreeMap<Bit, bool>;

/// Cubes with more literals are kept as they are.
const MAX_COMPARED: usize = 16;

/// What a bit of a combination stands for.
pub(in super::super) struct Fact {
    pub yes: Term,
    /// The negation.
    pub no: Term,
    /// The diagram, if it is small.
    pub diagram: Option<Bdd>,
    /// Only diagrams with the same subject use the same bits for the same things.
    pub subject: Subject,
}

/// What facts are about.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in super::super) enum Subject {
    /// A place.
    Here,
    /// The input of a procedure.
    Input,
}

/// What the bits of a combination stand for.
pub(in super::super) type Facts = BTreeMap<Bit, Fact>;

/// The combination of facts that a diagram says: a few cubes if that is enough, else one
/// conditional per node.
pub(in super::super) fn combination(m: &Manager, terms: &mut Terms, facts: &Facts, f: &Bdd) -> Term {
    let cover = |f: &Bdd| cover(m, f).ok().flatten();
    let literals = |cubes: &Vec<Cube>| cubes.iter().map(BTreeMap::len).sum::<usize>();
    let chosen = match (cover(f), cover(&m.not(f))) {
        (Some(cubes), Some(others)) if literals(&others) < literals(&cubes) => Some((others, false)),
        (Some(cubes), _) => Some((cubes, true)),
        (None, Some(others)) => Some((others, false)),
        (None, None) => None,
    };
    let Some((cubes, straight)) = chosen else {
        let mut names = Names::default();
        for (bit, fact) in facts {
            names.add(terms, fact.yes, &[*bit]);
        }
        return formula(m, terms, &names, f, &mut FxHashMap::default());
    };
    // If there is no room for that, longer cubes are as right as shorter ones.
    let cubes = shorten(m, facts, cubes.clone()).unwrap_or(cubes);
    let mut parts = Vec::with_capacity(cubes.len());
    for cube in cubes {
        let fact = |(bit, value): (&Bit, &bool)| {
            let Fact { yes, no, .. } = facts[bit];
            if *value == straight { yes } else { no }
        };
        let literals: Vec<Term> = cube.iter().map(fact).collect();
        parts.push(if straight { terms.and(&literals) } else { terms.or(&literals) });
    }
    if straight { terms.or(&parts) } else { terms.and(&parts) }
}

/// Without literals that others of their cube entail, and without cubes that entail others,
/// given what the bits stand for.
fn shorten(m: &Manager, facts: &Facts, mut cubes: Vec<Cube>) -> Result<Vec<Cube>> {
    if cubes.iter().any(|cube| cube.len() > MAX_COMPARED) {
        return Ok(cubes);
    }
    for cube in &mut cubes {
        for (bit, value) in cube.clone() {
            cube.remove(&bit);
            if !entails(m, facts, cube, (bit, value))? {
                cube.insert(bit, value);
            }
        }
    }
    let mut at = 0;
    while at < cubes.len() {
        let one = cubes.remove(at);
        let mut superfluous = false;
        for cube in &cubes {
            let mut all = true;
            for (bit, value) in cube {
                all = all && entails(m, facts, &one, (*bit, *value))?;
            }
            superfluous |= all;
        }
        if !superfluous {
            cubes.insert(at, one);
            at += 1;
        }
    }
    Ok(cubes)
}

/// Whether some literal of the cube entails the literal. (Several may do so only together.)
fn entails(m: &Manager, facts: &Facts, cube: &Cube, literal: (Bit, bool)) -> Result<bool> {
    let meaning = |(bit, value): (Bit, bool)| {
        let Fact { diagram, subject, .. } = &facts[&bit];
        let diagram = diagram.as_ref()?;
        Some((if value { diagram.clone() } else { m.not(diagram) }, *subject))
    };
    for (bit, value) in cube {
        if (*bit, *value) == literal {
            return Ok(true);
        }
        if let (Some((strong, about)), Some((weak, subject))) = (meaning((*bit, *value)), meaning(literal))
            && about == subject
            && m.entails(&strong, &weak)?
        {
            return Ok(true);
        }
    }
    Ok(false)
}

/// Few cubes whose disjunction is `f`, if there are.
fn cover(m: &Manager, f: &Bdd) -> Result<Option<Vec<Cube>>> {
    if m.support(f).len() > MAX_BITS {
        return Ok(None);
    }
    let products = m.products(f, MAX_CUBES)?;
    Ok(products.map(|all| all.into_iter().map(Cube::from_iter).collect()))
}
