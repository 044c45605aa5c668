//! Which configurations suit a system: two of them, which race. The more promising one starts, and
//! the other joins in if that takes long.
//!
//! The paper's measurements (section 5.4) and ours agree in the outline: circuits and protocols are
//! for predicates, where one interpolant or a sequence of them may be ahead; systems with a
//! location variable are for combined abstraction, and explicit values where few variables matter.

use crate::{Engine, Settings, portfolio};
use std::time::Duration;
use tamis_cegar::{Context, Outcome, Stop};
use tamis_domains::Tracked;
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
const FEW: [&str; 2] = ["explicit-craig", "predicate-sequence"];
/// Where no variable says where control is.
const PLAIN: [&str; 2] = ["predicate-sequence", "predicate-craig"];
/// Where one does, with clocks beside it.
const DENSE: [&str; 2] = ["combined-sequence", "combined-craig"];
/// Where one does, with values that can be told apart.
const DISCRETE: [&str; 2] = ["combined-sequence", "explicit-craig"];

/// Whether an engine may be chosen.
#[must_use]
pub fn races(engine: &Engine) -> bool {
    [FEW, PLAIN, DENSE, DISCRETE].iter().flatten().any(|name| *name == engine.name)
}

/// Races the configurations that suit the system.
///
/// # Errors
/// If the program is no transition system, or no configuration has a verdict.
pub fn run(ctx: &mut Context, program: &Program, property: PropertyId, settings: &Settings) -> Outcome<Verdict> {
    let unsupported = |why: String| Stop::GaveUp(Reason::Unsupported(why));
    let graph = BlockGraph::new(&mut ctx.terms, program, property, Size::Large).map_err(unsupported)?;
    let chosen = choose(&ctx.terms, &graph);
    portfolio::handicap(ctx, &chosen, ALONE, program, property, settings)
}

/// The names of two configurations that suit a system, the more promising one first.
#[must_use]
pub fn choose(terms: &Terms, graph: &BlockGraph) -> [&'static str; 2] {
    let state = graph.state();
    let selects = Tracked::Selectors.vars(terms, graph).is_ok_and(|vars| !vars.is_empty());
    let dense = state.iter().any(|var| *terms.var_sort(*var) == Sort::Real);
    let bits: Option<u64> = state.iter().map(|var| terms.var_sort(*var).bits()).sum();
    match (selects || graph.points.len() > 1, dense) {
        _ if bits.is_some_and(|bits| bits <= FEW_BITS) => FEW,
        (false, _) => PLAIN,
        (true, true) => DENSE,
        (true, false) => DISCRETE,
    }
}
