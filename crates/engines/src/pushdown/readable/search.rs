//! Which combination of literals is the diagram: clauses that it entails are collected,
//! each because of a point that the clauses so far do not exclude. A clause that is not
//! entailed yields a point, too, and is not tried again (as in counterexample-guided
//! synthesis: Solar-Lezama and others, ASPLOS 2006).

use super::atoms::{Literal, Point, Shape};
use super::guess::{Ground, Guesses, Random};
use super::{Effort, Tired};
use tamis_bdd::Bdd;

/// The most literals of a clause.
const CLAUSE: usize = 3;
/// The most literals that clauses of three are made of.
const MAX_TRIPLED: usize = 40;
/// The most literals of a formula.
const MAX_LITERALS: usize = 8;
/// What costs no more than this is not compared with its dual.
const SHORT: u64 = 10;
/// As many points as a set of them can have.
const MAX_POINTS: usize = 128;

/// Makes the diagram of a literal.
pub(super) type Truth<'t> = dyn FnMut(&Literal) -> Result<Bdd, Tired> + 't;

/// A short formula for the diagram, if there is one.
pub(super) fn shape(
    ground: &Ground,
    f: &Bdd,
    truth: &mut Truth<'_>,
    effort: &mut Effort,
) -> Result<Option<Shape>, Tired> {
    let mut random = Random::new();
    let Guesses { atoms, inside, outside } = Guesses::new(ground, f, &mut random, effort)?;
    let both =
        atoms.into_iter().flat_map(|atom| [true, false].map(|positive| Literal { atom: atom.clone(), positive }));
    let literals: Vec<Literal> = both.collect();
    let mut search =
        Search { ground, literals: &literals, truth, effort, random, diagrams: vec![None; literals.len()] };
    let straight = search.clauses(f, &inside, &outside)?.map(|clauses| Shape { clauses, turned: false });
    if straight.as_ref().is_some_and(|shape| shape.cost() <= SHORT) {
        return Ok(straight);
    }
    let turned = search.clauses(&ground.m.not(f), &outside, &inside)?;
    let turned = turned.map(|clauses| Shape { clauses, turned: false }.negation());
    Ok(match (straight, turned) {
        (Some(straight), Some(turned)) if turned.cost() < straight.cost() => Some(turned),
        (Some(shape), _) | (None, Some(shape)) => Some(shape),
        (None, None) => None,
    })
}

struct Search<'s> {
    ground: &'s Ground<'s>,
    literals: &'s [Literal],
    truth: &'s mut Truth<'s>,
    effort: &'s mut Effort,
    random: Random,
    /// By literal, as far as they were needed.
    diagrams: Vec<Option<Bdd>>,
}

/// A clause: literals by their position, and the diagram.
struct Clause {
    literals: Vec<usize>,
    diagram: Bdd,
}

/// By literal: at which points it holds.
struct Table {
    points: Vec<Point>,
    holds: Vec<u128>,
}

impl Table {
    fn new(literals: &[Literal], points: &[Point]) -> Table {
        let mut table = Table { points: Vec::new(), holds: vec![0; literals.len()] };
        for point in points {
            table.add(literals, point.clone());
        }
        table
    }

    fn add(&mut self, literals: &[Literal], point: Point) {
        for (holds, literal) in self.holds.iter_mut().zip(literals) {
            *holds |= u128::from(literal.holds(&point)) << self.points.len();
        }
        self.points.push(point);
    }

    fn all(&self) -> u128 {
        (1_u128 << self.points.len()) - 1
    }

    /// Where some of the literals hold.
    fn some(&self, literals: &[usize]) -> u128 {
        literals.iter().fold(0, |holds, at| holds | self.holds[*at])
    }
}

impl Search<'_> {
    /// Few clauses whose conjunction is `g`, which holds at the points `inside` and not at
    /// those `outside`.
    fn clauses(&mut self, g: &Bdd, inside: &[Point], outside: &[Point]) -> Result<Option<Vec<Vec<Literal>>>, Tired> {
        let m = self.ground.m;
        let (mut within, mut beyond) = (Table::new(self.literals, inside), Table::new(self.literals, outside));
        let (mut found, mut meaning): (Vec<Clause>, Bdd) = (Vec::new(), m.constant(true));
        while meaning != *g {
            self.effort.operate(1)?;
            let rest = m.and(&meaning, &m.not(g))?;
            let Some(point) = self.ground.point(&rest, &mut self.random) else { return Ok(None) };
            if beyond.points.len() + 1 < MAX_POINTS {
                beyond.add(self.literals, point.clone());
            }
            let left = found.iter().fold(beyond.all(), |left, clause| left & beyond.some(&clause.literals));
            let Some(clause) = self.excluding(g, &point, &mut within, (&beyond, left))? else { return Ok(None) };
            meaning = m.and(&meaning, &clause.diagram)?;
            found.push(clause);
        }
        self.prune(g, &mut found)?;
        if found.iter().map(|clause| clause.literals.len()).sum::<usize>() > MAX_LITERALS {
            return Ok(None);
        }
        // In the order of the words.
        let place = |at: &usize| (self.literals[*at].atom.first(), *at);
        for clause in &mut found {
            clause.literals.sort_by_key(place);
        }
        found.sort_by_key(|clause| clause.literals.iter().map(place).collect::<Vec<_>>());
        let literals = |clause: &Clause| clause.literals.iter().map(|at| self.literals[*at].clone()).collect();
        Ok(Some(found.iter().map(literals).collect()))
    }

    /// A clause that `g` entails and that excludes the point: a short one that excludes many
    /// of those that are left.
    fn excluding(
        &mut self,
        g: &Bdd,
        point: &Point,
        within: &mut Table,
        beyond: (&Table, u128),
    ) -> Result<Option<Clause>, Tired> {
        let m = self.ground.m;
        let usable: Vec<usize> = (0..self.literals.len()).filter(|at| !self.literals[*at].holds(point)).collect();
        for size in 1..=CLAUSE {
            while let Some(literals) = self.best(size, &usable, within, beyond)? {
                self.effort.operate(1)?;
                let mut parts = Vec::with_capacity(size);
                for at in &literals {
                    parts.push(self.diagram(*at)?);
                }
                let diagram = m.any(parts)?;
                let missed = m.and(g, &m.not(&diagram))?;
                let Some(counterexample) = self.ground.point(&missed, &mut self.random) else {
                    return Ok(Some(Clause { literals, diagram }));
                };
                if within.points.len() + 1 == MAX_POINTS {
                    return Ok(None);
                }
                within.add(self.literals, counterexample);
            }
        }
        Ok(None)
    }

    /// The best clause of that size among those that hold at all points within.
    fn best(
        &mut self,
        size: usize,
        usable: &[usize],
        within: &Table,
        (beyond, left): (&Table, u128),
    ) -> Result<Option<Vec<usize>>, Tired> {
        let (all, mut best) = (within.all(), None);
        let mut consider = |literals: &[usize]| {
            if within.some(literals) != all {
                return;
            }
            // How many points for how much to read.
            let gain = u64::from((left & !beyond.some(literals)).count_ones());
            let cost: u64 = literals.iter().map(|at| self.literals[*at].atom.cost()).sum();
            if best.as_ref().is_none_or(|(most, least, _)| gain * least > most * cost) {
                best = Some((gain, cost, literals.to_vec()));
            }
        };
        let count = usable.len();
        match size {
            1 => usable.iter().for_each(|a| consider(&[*a])),
            2 => (0..count).for_each(|a| (0..a).for_each(|b| consider(&[usable[b], usable[a]]))),
            _ if count > MAX_TRIPLED => {}
            _ => {
                for a in 0..count {
                    for b in 0..a {
                        (0..b).for_each(|c| consider(&[usable[c], usable[b], usable[a]]));
                    }
                }
            }
        }
        let pairs = (count * count) as u64;
        self.effort.spend(1 + if size < CLAUSE { pairs / 128 } else { pairs / 8 })?;
        Ok(best.map(|(.., literals)| literals))
    }

    fn diagram(&mut self, at: usize) -> Result<Bdd, Tired> {
        if let Some(known) = &self.diagrams[at] {
            return Ok(known.clone());
        }
        self.effort.operate(4)?;
        let diagram = (self.truth)(&self.literals[at])?;
        self.diagrams[at] = Some(diagram.clone());
        Ok(diagram)
    }

    /// Drops clauses that the others make superfluous, the longest first.
    fn prune(&mut self, g: &Bdd, found: &mut Vec<Clause>) -> Result<(), Tired> {
        let cost = |clause: &Clause| clause.literals.iter().map(|at| self.literals[*at].atom.cost()).sum::<u64>();
        found.sort_by_key(|clause| std::cmp::Reverse(cost(clause)));
        let mut at = 0;
        while at < found.len() {
            self.effort.operate(1)?;
            let others = found.iter().enumerate().filter(|(other, _)| *other != at);
            let rest = self.ground.m.all(others.map(|(_, clause)| clause.diagram.clone()))?;
            if rest == *g && found.len() > 1 {
                found.remove(at);
            } else {
                at += 1;
            }
        }
        Ok(())
    }
}
