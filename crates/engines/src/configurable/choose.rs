//! Which configurations suit a system: two or three, which race. The most promising one starts, and
//! the others join in one by one if that takes long.
//!
//! The paper's measurements (section 5.4) and ours agree in the outline: circuits and protocols are
//! for predicates, where one interpolant or a sequence of them may be ahead; systems with a
//! location variable are for combined abstraction, and explicit values where few variables matter.
//! Where a variable counts without end, no explicit values say what matters about it, and what the
//! conditions compare is a better predicate than most interpolants: `predicate` begins there.

use crate::{Engine, Settings, portfolio};
use std::time::Duration;
use tamis_cegar::{Context, Outcome, Stop};
use tamis_domains::{Tracked, is_discrete};
use tamis_ir::blocks::Size;
use tamis_ir::{BlockGraph, Program, PropertyId};
use tamis_term::{Sort, Terms};
use tamis_witness::{Reason, Verdict};

/// How long the first configuration runs alone. It is mostly the best one or not far behind, and two
/// that share what the machine has left take twice as long.
const ALONE: Duration = Duration::from_secs(1);

/// States of no more bits than this are few enough to be told apart one by one.
const FEW_BITS: u64 = 12;

/// Who races on states of few bits.
const FEW: &[&str] = &["explicit-craig", "predicate-sequence"];
/// Where no variable says where control is.
const PLAIN: &[&str] = &["predicate-sequence", "predicate-craig", "predicate"];
/// Where one does, with clocks beside it.
const DENSE: &[&str] = &["combined-sequence", "combined-craig", "predicate"];
/// Where one does, with values that can be told apart.
const DISCRETE: &[&str] = &["combined-sequence", "explicit-craig", "predicate-sequence"];
/// Where one does, and others count without end.
const COUNTING: &[&str] = &["combined-sequence", "predicate", "predicate-sequence"];

/// Whether an engine may be chosen.
#[must_use]
pub fn races(engine: &Engine) -> bool {
    [FEW, PLAIN, DENSE, DISCRETE, COUNTING].into_iter().flatten().any(|name| *name == engine.name)
}

/// Races the configurations that suit the system.
///
/// # Errors
/// If the program is no transition system, or no configuration has a verdict.
pub fn run(ctx: &mut Context, program: &Program, property: PropertyId, settings: &Settings) -> Outcome<Verdict> {
    let unsupported = |why: String| Stop::GaveUp(Reason::Unsupported(why));
    let graph = BlockGraph::new(&mut ctx.terms, program, property, Size::Large).map_err(unsupported)?;
    let chosen = choose(&ctx.terms, &graph);
    portfolio::handicap(ctx, chosen, ALONE, program, property, settings)
}

/// The names of configurations that suit a system, the most promising one first.
#[must_use]
pub fn choose(terms: &Terms, graph: &BlockGraph) -> &'static [&'static str] {
    let state = graph.state();
    let selects = Tracked::Selectors.vars(terms, graph).is_ok_and(|vars| !vars.is_empty());
    let dense = state.iter().any(|var| *terms.var_sort(*var) == Sort::Real);
    let counts = state.iter().any(|var| *terms.var_sort(*var) == Sort::Int && !is_discrete(terms, graph, *var));
    let bits: Option<u64> = state.iter().map(|var| terms.var_sort(*var).bits()).sum();
    match (selects || graph.points.len() > 1, dense) {
        _ if bits.is_some_and(|bits| bits <= FEW_BITS) => FEW,
        (false, _) => PLAIN,
        (true, true) => DENSE,
        (true, false) if counts => COUNTING,
        (true, false) => DISCRETE,
    }
}
