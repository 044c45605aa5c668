//! Abstraction trees over block graphs: pairs of a cut point and an abstract state are explored one
//! by one, counterexamples examined, and the tree is cut where a refutation makes a difference.
//!
//! Hajdu, Tóth, Vörös, Majzik, *A Configurable CEGAR Framework with Interpolation-Based
//! Refinements* (FORTE 2016); lazy pruning after Henzinger, Jhala, Majumdar, Sutre (POPL 2002).
//! The domain, the refiner and the order are parts that combine; this folder names none of them.
//!
//! Files in order of reading: `nodes` (the tree) with `cover` (which states are there already),
//! `arcs` (what follows what), `explore` (the abstractor), `reuse` (precisions of other runs).

mod arcs;
mod cover;
mod explore;
mod nodes;
mod reuse;

use explore::Explorer;
use reuse::Reused;
use std::rc::Rc;
use tamis_cegar::{Context, Cut, Domain, Given, Outcome, Path, Precision, Refiner, Stop, refine};
use tamis_ir::blocks::Size;
use tamis_ir::{BlockGraph, Program, PropertyId};
use tamis_term::Terms;
use tamis_witness::{Reason, Verdict};

/// How the tree grows and what is kept of it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Config {
    /// How much code lies between two states.
    pub blocks: Size,
    /// Which state is explored next.
    pub order: Order,
    /// What is kept after a refutation.
    pub prune: Prune,
    /// How many counterexamples are looked for before they are examined.
    pub counterexamples: usize,
}

/// Which state is explored next.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Order {
    /// The one found last.
    Depth,
    /// The one found first.
    Breadth,
    /// The one that was nearest to a bad state in earlier counterexamples.
    Distance,
}

/// What is kept after a refutation.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Prune {
    /// All but what lies below the states that are split. With depth-first search and states that
    /// are split one by one this is the incremental search of section 4.5: what was explored before
    /// the first split state stays, and so does the way to its predecessor.
    Lazily,
    /// Nothing.
    Fully,
}

/// Makes the domain for a graph, with what tells states apart to begin with.
pub type MakeDomain<'m> = dyn Fn(&Terms, &BlockGraph, &Given) -> Result<Box<dyn Domain>, String> + 'm;

/// A refiner of paths of abstract states.
pub type Examiner<'m> = dyn Refiner<Counterexample = Vec<Path>, Refutation = Vec<Cut>> + 'm;

/// Makes the refiner for a graph.
pub type MakeRefiner<'m> = dyn Fn(&Context, &Rc<BlockGraph>) -> Box<Examiner<'m>> + 'm;

/// Checks the property on the block graph of the program.
///
/// # Errors
/// If the program has calls, or a part gives up.
pub fn run(
    ctx: &mut Context,
    program: &Program,
    property: PropertyId,
    config: Config,
    domain: &MakeDomain<'_>,
    refiner: &MakeRefiner<'_>,
) -> Outcome<Verdict> {
    ctx.watched(|ctx| check(ctx, program, property, config, domain, refiner))
}

fn check(
    ctx: &mut Context,
    program: &Program,
    property: PropertyId,
    config: Config,
    domain: &MakeDomain<'_>,
    refiner: &MakeRefiner<'_>,
) -> Outcome<Verdict> {
    let unsupported = |why: String| Stop::GaveUp(Reason::Unsupported(why));
    let graph = BlockGraph::new(&mut ctx.terms, program, property, config.blocks).map_err(unsupported)?;
    let graph = Rc::new(graph);
    let reused = Reused::new(ctx, program, &graph);
    let mut precision = Held(domain(&ctx.terms, &graph, &reused.given).map_err(unsupported)?);
    let mut refiner = refiner(ctx, &graph);
    let mut explorer = Explorer::new(program, graph, config);
    let verdict = refine(ctx, &mut explorer, &mut *refiner, &mut precision);
    reused.keep(ctx, &precision.0.learned());
    verdict
}

/// A domain is its own precision.
struct Held(Box<dyn Domain>);

impl Precision for Held {
    type Refutation = Vec<Cut>;

    fn absorb(&mut self, terms: &mut Terms, why: &Vec<Cut>) -> bool {
        let mut grown = false;
        for cut in why {
            grown |= self.0.split(terms, cut);
        }
        grown
    }

    fn size(&self) -> u64 {
        self.0.size()
    }
}
