//! The block graph of a program without calls: its cut points, and the arcs of loop-free code
//! between them.
//!
//! An arc says when it is taken and what the values after it are, over the values before it and
//! what is chosen on the way. What it does not write it does not mention. The code from the start
//! to the first cut points is on arcs that come from nowhere; what they read is arbitrary.

use super::Size;
use super::block::{Arc, Block, Walker};
use super::cuts::Cuts;
use crate::graph::CallGraph;
use crate::program::{Loc, Op, Program, PropertyId};
use std::collections::{BTreeMap, BTreeSet};
use tamis_term::{Substitution, Term, Terms, Var};

/// The number of a cut point in its graph.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct PointId(pub u32);

/// The number of an arc in its graph.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct ArcId(pub u32);

/// The cut points of a program for one property, and the arcs between them.
#[derive(Clone, Debug)]
pub struct BlockGraph {
    /// The cut points.
    pub points: Vec<Point>,
    links: Vec<Link>,
    /// The arcs from the start.
    starts: Vec<ArcId>,
    pub(super) cuts: Cuts,
    /// By cut point, and the code from the start behind them, if the start is none.
    pub(super) blocks: Vec<Block>,
    pub(super) errors: BTreeSet<Loc>,
}

/// A cut point.
#[derive(Clone, Debug)]
pub struct Point {
    /// Its number.
    pub id: PointId,
    /// Where it is.
    pub loc: Loc,
    /// The variables whose values there matter.
    pub live: BTreeSet<Var>,
    /// What holds of the values in every state from which anything goes on.
    pub invariant: Term,
    /// The arcs to cut points.
    pub out: Vec<ArcId>,
    /// The arcs to errors.
    pub bad: Vec<ArcId>,
}

/// Where an arc leads from and to, and where it is kept.
#[derive(Clone, Copy, Debug)]
struct Link {
    from: Option<PointId>,
    to: Option<PointId>,
    block: usize,
    arc: usize,
}

impl PointId {
    /// The position in [`BlockGraph::points`].
    #[must_use]
    pub fn index(self) -> usize {
        self.0 as usize
    }
}

impl BlockGraph {
    /// The graph of a program for a property.
    ///
    /// # Errors
    /// If there are calls, says so as a phrase.
    pub fn new(terms: &mut Terms, program: &Program, property: PropertyId, size: Size) -> Result<BlockGraph, String> {
        BlockGraph::with(terms, program, property, size, BTreeSet::new())
    }

    /// The same where the start is a cut point in any case.
    ///
    /// # Errors
    /// As [`BlockGraph::new`].
    pub fn with_start(
        terms: &mut Terms,
        program: &Program,
        property: PropertyId,
        size: Size,
    ) -> Result<BlockGraph, String> {
        BlockGraph::with(terms, program, property, size, BTreeSet::from([program.proc(program.main).entry]))
    }

    /// The graph with more cut points.
    fn with(
        terms: &mut Terms,
        program: &Program,
        property: PropertyId,
        size: Size,
        mut more: BTreeSet<Loc>,
    ) -> Result<BlockGraph, String> {
        let main = program.proc(program.main);
        if main.edges.iter().any(|edge| matches!(edge.op, Op::Call { .. })) {
            return Err(calls(program));
        }
        let errors: BTreeSet<Loc> = program.property(property).locs.iter().copied().collect();
        loop {
            let cuts = Cuts::new(terms, program, program.main, &errors, size, &more);
            let mut walker = Walker { terms, program, cuts: &cuts, errors: &errors };
            let mut blocks: Vec<Block> = (0..cuts.locs.len()).map(|number| walker.after_cut(number)).collect();
            if cuts.number(main.entry).is_none() {
                let prologue = walker.after_loc(main.entry);
                // An error before the first cut point is none of a state: then the start is one, too.
                if prologue.arcs.iter().any(|arc| errors.contains(&arc.to)) {
                    more.insert(main.entry);
                    continue;
                }
                blocks.push(prologue);
            } else {
                blocks.push(arrival(terms, main.entry));
            }
            return Ok(BlockGraph::linked(terms, cuts, blocks, errors));
        }
    }

    fn linked(terms: &mut Terms, cuts: Cuts, mut blocks: Vec<Block>, errors: BTreeSet<Loc>) -> BlockGraph {
        let live = liveness(terms, &cuts, &blocks);
        let mut points = Vec::new();
        for ((number, loc), live) in (0..).zip(&cuts.locs).zip(live) {
            let invariant = assumed(terms, &mut blocks[number as usize]);
            points.push(Point { id: PointId(number), loc: *loc, live, invariant, out: vec![], bad: vec![] });
        }
        let (mut links, mut starts) = (Vec::new(), Vec::new());
        let point = |number: usize| u32::try_from(number).ok().map(PointId);
        for (block, code) in blocks.iter().enumerate() {
            let from = point(block).filter(|from| from.index() < points.len());
            for (arc, Arc { to, .. }) in code.arcs.iter().enumerate() {
                let id = ArcId(u32::try_from(links.len()).expect("fewer than 2^32 arcs"));
                let to = cuts.number(*to).and_then(point);
                links.push(Link { from, to, block, arc });
                match (from, to) {
                    (Some(from), Some(_)) => points[from.index()].out.push(id),
                    (Some(from), None) => points[from.index()].bad.push(id),
                    (None, _) => starts.push(id),
                }
            }
        }
        BlockGraph { points, links, starts, cuts, blocks, errors }
    }

    /// A cut point.
    #[must_use]
    pub fn point(&self, id: PointId) -> &Point {
        &self.points[id.index()]
    }

    /// An arc.
    #[must_use]
    pub fn arc(&self, id: ArcId) -> &Arc {
        let Link { block, arc, .. } = self.links[id.0 as usize];
        &self.blocks[block].arcs[arc]
    }

    /// The block that an arc belongs to.
    #[must_use]
    pub fn block(&self, id: ArcId) -> &Block {
        &self.blocks[self.links[id.0 as usize].block]
    }

    /// Where an arc begins, unless that is the start.
    #[must_use]
    pub fn from(&self, id: ArcId) -> Option<PointId> {
        self.links[id.0 as usize].from
    }

    /// Where an arc ends, unless that is an error.
    #[must_use]
    pub fn to(&self, id: ArcId) -> Option<PointId> {
        self.links[id.0 as usize].to
    }

    /// The arcs from the start.
    #[must_use]
    pub fn starts(&self) -> &[ArcId] {
        &self.starts
    }

    /// All arcs.
    pub fn arcs(&self) -> impl Iterator<Item = ArcId> + use<'_> {
        (0..).zip(&self.links).map(|(number, _)| ArcId(number))
    }

    /// All variables that matter at some cut point.
    #[must_use]
    pub fn state(&self) -> BTreeSet<Var> {
        self.points.iter().flat_map(|point| &point.live).copied().collect()
    }
}

/// The code from a start that is a cut point: there is none.
fn arrival(terms: &mut Terms, entry: Loc) -> Block {
    let arc = Arc { to: entry, guard: terms.bool(true), values: Substitution::default(), ways: Vec::new() };
    Block { arcs: vec![arc], ..Block::default() }
}

/// What a block assumes of the values at its start. What it assumes of inputs, too, goes to its
/// arcs.
fn assumed(terms: &mut Terms, block: &mut Block) -> Term {
    let inputs: BTreeSet<Var> = block.inputs().collect();
    let about_inputs = |part: &Term| !terms.free_vars(&[*part]).is_disjoint(&inputs);
    let (chosen, states): (Vec<Term>, Vec<Term>) = block.early.iter().copied().partition(about_inputs);
    if !chosen.is_empty() {
        for arc in &mut block.arcs {
            arc.guard = terms.and(&[chosen.as_slice(), &[arc.guard]].concat());
        }
    }
    terms.and(&states)
}

/// For each cut point, the variables whose values there matter.
fn liveness(terms: &Terms, cuts: &Cuts, blocks: &[Block]) -> Vec<BTreeSet<Var>> {
    let inputs: BTreeSet<Var> = blocks.iter().flat_map(Block::inputs).collect();
    let read = |roots: &[Term]| terms.free_vars(roots).into_iter().filter(|var| !inputs.contains(var));
    let blocks = &blocks[..cuts.locs.len()];
    // For each cut point, the blocks that lead there.
    let mut into: BTreeMap<usize, BTreeSet<usize>> = BTreeMap::new();
    let mut live: Vec<BTreeSet<Var>> = Vec::new();
    for (number, block) in blocks.iter().enumerate() {
        let roots: Vec<Term> = block.early.iter().copied().chain(block.arcs.iter().map(|arc| arc.guard)).collect();
        live.push(read(&roots).collect());
        for to in block.arcs.iter().filter_map(|arc| cuts.number(arc.to)) {
            into.entry(to).or_default().insert(number);
        }
    }
    let mut waiting: BTreeSet<usize> = (0..blocks.len()).collect();
    while let Some(number) = waiting.pop_last() {
        let before = live[number].len();
        for arc in &blocks[number].arcs {
            let Some(to) = cuts.number(arc.to) else { continue };
            let written = live[to].iter().filter_map(|var| arc.values.get(*var)).collect::<Vec<Term>>();
            let mut more: BTreeSet<Var> =
                live[to].iter().copied().filter(|var| arc.values.get(*var).is_none()).collect();
            more.extend(read(&written));
            live[number].extend(more);
        }
        if live[number].len() > before {
            waiting.extend(into.get(&number).into_iter().flatten());
        }
    }
    live
}

/// Why there are still calls in a program.
fn calls(program: &Program) -> String {
    match CallGraph::new(program).recursion(program.main) {
        Some(id) => format!("procedure {} is recursive", program.proc(id).name),
        None => "the program calls procedures, which were not copied to their calls".into(),
    }
}
