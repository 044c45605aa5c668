//! What happens from one location on until the next cut points: conditions and values as terms
//! over the values before and over what is chosen.
//!
//! Where ways part and meet again, the value after is that of the way taken. If the conditions do
//! not tell which one that is, an input does.

use super::cuts::Cuts;
use crate::graph;
use crate::program::{EdgeId, Loc, Op, Program};
use std::collections::{BTreeMap, BTreeSet};
use tamis_term::{Sort, Substitution, Term, Terms, Value, Var};

/// All ways from the start of a block to one of its ends.
#[derive(Clone, Debug)]
pub struct Arc {
    /// Where it ends.
    pub to: Loc,
    /// When it is taken.
    pub guard: Term,
    /// The values of variables that have changed.
    pub values: Substitution,
    /// The last edges, and when each is taken.
    pub ways: Vec<(EdgeId, Term)>,
}

/// The code from a location to the next cut points.
#[derive(Clone, Debug, Default)]
pub struct Block {
    /// What holds after the edges that are taken whatever happens.
    pub early: Vec<Term>,
    /// The ways to each cut point and each error.
    pub arcs: Vec<Arc>,
    /// For each location between, the edges that lead there, and when they are taken.
    pub between: BTreeMap<Loc, Vec<(EdgeId, Term)>>,
    /// The inputs that stand for what havocs choose.
    pub chosen: Vec<((EdgeId, Var), Var)>,
    /// The inputs that say which way is taken.
    pub selectors: Vec<Var>,
}

/// Executes a block in terms.
#[derive(Debug)]
pub struct Walker<'w> {
    /// The terms.
    pub terms: &'w mut Terms,
    /// The program.
    pub program: &'w Program,
    /// Where blocks begin and end.
    pub cuts: &'w Cuts,
    /// Where blocks end besides.
    pub errors: &'w BTreeSet<Loc>,
}

impl Block {
    /// The variables that stand for what is chosen.
    pub fn inputs(&self) -> impl Iterator<Item = Var> {
        self.chosen.iter().map(|(_, input)| *input).chain(self.selectors.iter().copied())
    }

    /// The edges from the start of the block up to and including an arc's, given the values at the
    /// start and what is chosen.
    #[must_use]
    pub fn path(&self, terms: &Terms, program: &Program, arc: &Arc, value: &dyn Fn(Var) -> Value) -> Vec<EdgeId> {
        let mut edges = Vec::new();
        let mut ways = Some(&arc.ways);
        // The way whose values were taken where ways meet is the first.
        let taken = |(_, guard): &&(EdgeId, Term)| terms.eval(*guard, value).as_bool();
        while let Some((id, _)) = ways.and_then(|ways| ways.iter().find(taken)) {
            edges.push(*id);
            ways = self.between.get(&program.edge(*id).from);
        }
        edges.reverse();
        edges
    }
}

/// An edge, when it is taken, and the values after it.
type Way = (EdgeId, Term, Substitution);

fn last_edges(ways: &[Way]) -> Vec<(EdgeId, Term)> {
    ways.iter().map(|(id, guard, _)| (*id, *guard)).collect()
}

/// What is known about a location between.
#[derive(Clone, Debug)]
struct Point {
    reached: Term,
    values: Substitution,
}

impl Walker<'_> {
    /// The block that starts with the prefix of a cut point.
    pub fn after_cut(&mut self, number: usize) -> Block {
        let mut block = Block::default();
        let mut values = Substitution::default();
        let mut at = self.cuts.locs[number];
        for id in &self.cuts.prefixes[number] {
            let edge = self.program.edge(*id);
            match &edge.op {
                Op::Assume(condition) => block.early.push(self.terms.substitute(*condition, &values)),
                Op::Havoc(vars) => self.choose(&mut block, &mut values, *id, vars),
                Op::Assign(_) | Op::Call { .. } => unreachable!("a prefix chooses and assumes"),
            }
            at = edge.to;
        }
        self.spread(&mut block, at, &values);
        block
    }

    /// The block that starts at a location.
    pub fn after_loc(&mut self, at: Loc) -> Block {
        let mut block = Block::default();
        self.spread(&mut block, at, &Substitution::default());
        block
    }

    fn choose(&mut self, block: &mut Block, values: &mut Substitution, id: EdgeId, vars: &[Var]) {
        for var in vars {
            let (name, sort) = (self.terms.name(*var).to_owned(), self.terms.var_sort(*var).clone());
            let input = self.terms.declare(&name, sort);
            values.insert(*var, self.terms.var(input));
            block.chosen.push(((id, *var), input));
        }
    }

    /// All ways from `start` to cut points and errors.
    fn spread(&mut self, block: &mut Block, start: Loc, values: &Substitution) {
        let order = self.order(start);
        let mut coming: BTreeMap<Loc, Vec<Way>> = BTreeMap::new();
        for loc in order {
            let point = if loc == start {
                Point { reached: self.terms.bool(true), values: values.clone() }
            } else {
                let ways = coming.remove(&loc).unwrap_or_default();
                block.between.insert(loc, last_edges(&ways));
                self.meet(ways)
            };
            if self.terms.is_false(point.reached) {
                continue;
            }
            for (id, guard, values) in self.leave(block, loc, &point) {
                coming.entry(self.program.edge(id).to).or_default().push((id, guard, values));
            }
        }
        for (to, coming) in coming {
            let ways = last_edges(&coming);
            let Point { reached, values } = self.meet(coming);
            block.arcs.push(Arc { to, guard: reached, values, ways });
        }
    }

    fn is_end(&self, loc: Loc) -> bool {
        self.cuts.number(loc).is_some() || self.errors.contains(&loc)
    }

    /// The locations of the block, each after all that lead to it.
    fn order(&self, start: Loc) -> Vec<Loc> {
        let next = |loc, at: usize| self.cuts.out(loc).get(at).map(|id| self.program.edge(*id).to);
        let mut order = graph::depth_first([start], next, |loc| !self.is_end(loc)).post_order;
        order.reverse();
        order
    }

    /// What is known where several ways meet, of which at most one is taken.
    fn meet(&mut self, ways: Vec<Way>) -> Point {
        let guards: Vec<Term> = ways.iter().map(|(_, guard, _)| *guard).collect();
        let reached = self.terms.or(&guards);
        let mut ways = ways.into_iter().rev();
        let Some((_, _, mut values)) = ways.next() else { return Point { reached, values: Substitution::default() } };
        for (_, guard, other) in ways {
            for (var, then, otherwise) in other.differences(&values) {
                let own = self.terms.var(var);
                let value = self.terms.ite(guard, then.unwrap_or(own), otherwise.unwrap_or(own));
                values.insert(var, value);
            }
        }
        Point { reached, values }
    }

    /// The ways that leave a location: the edge, when it is taken, the values after it.
    fn leave(&mut self, block: &mut Block, loc: Loc, point: &Point) -> Vec<Way> {
        let edges = self.cuts.out(loc).to_vec();
        let decided = graph::are_exclusive(self.terms, self.program, &edges) || !self.meet_again(&edges);
        let mut ways = Vec::new();
        let mut others = point.reached;
        for (at, id) in edges.iter().enumerate() {
            let mut taken = others;
            if !decided && at + 1 < edges.len() {
                let selector = self.terms.declare("$way", Sort::Bool);
                block.selectors.push(selector);
                let this = self.terms.var(selector);
                let not = self.terms.not(this);
                taken = self.terms.and(&[others, this]);
                others = self.terms.and(&[others, not]);
            }
            let mut values = point.values.clone();
            match &self.program.edge(*id).op {
                Op::Assume(condition) => {
                    let condition = self.terms.substitute(*condition, &values);
                    taken = self.terms.and(&[taken, condition]);
                }
                Op::Assign(pairs) => {
                    let (vars, rhs): (Vec<Var>, Vec<Term>) = pairs.iter().copied().unzip();
                    let rhs = self.terms.substitute_all(&rhs, &values);
                    values.extend(vars.into_iter().zip(rhs));
                }
                Op::Havoc(vars) => self.choose(block, &mut values, *id, vars),
                Op::Call { .. } => unreachable!("calls are no part of blocks"),
            }
            if !self.terms.is_false(taken) {
                ways.push((*id, taken, values));
            }
        }
        ways
    }

    /// Whether two of the edges lead to a common location of the block, or to a common end at which
    /// values matter.
    fn meet_again(&self, edges: &[EdgeId]) -> bool {
        let mut seen = BTreeSet::new();
        for id in edges {
            let ahead = self.ahead(self.program.edge(*id).to);
            if ahead.iter().any(|loc| seen.contains(loc)) {
                return true;
            }
            seen.extend(ahead);
        }
        false
    }

    /// The locations to which a way leads that goes on at one of the block, up to its ends.
    fn ahead(&self, from: Loc) -> BTreeSet<Loc> {
        let mut seen = BTreeSet::from([from]);
        let mut waiting = vec![from];
        while let Some(loc) = waiting.pop() {
            if !self.is_end(loc) {
                let next = self.cuts.out(loc).iter().map(|id| self.program.edge(*id).to);
                waiting.extend(next.filter(|to| seen.insert(*to)));
            }
        }
        seen.retain(|loc| !self.errors.contains(loc));
        seen
    }
}
