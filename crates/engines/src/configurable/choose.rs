//! Which configurations suit a system: two of them, which race.
//!
//! The paper's measurements (section 5.4) and ours agree in the outline: circuits and protocols are
//! for predicates, where one interpolant or a sequence of them may be ahead; systems with a
//! location variable are for combined abstraction, and explicit values where few variables matter.

use crate::{Settings, portfolio};
use tamis_cegar::{Context, Outcome, Stop};
use tamis_domains::Tracked;
use tamis_ir::system::extract::{Extracted, extract};
use tamis_ir::{Program, PropertyId};
use tamis_term::{Sort, Terms};
use tamis_witness::{Reason, Verdict};

/// Races the configurations that suit the system.
///
/// # Errors
/// If the program is no transition system, or no configuration has a verdict.
pub fn run(ctx: &mut Context, program: &Program, property: PropertyId, settings: &Settings) -> Outcome<Verdict> {
    let unsupported = |why: String| Stop::GaveUp(Reason::Unsupported(why));
    let extracted = extract(&mut ctx.terms, program, property).map_err(unsupported)?;
    let chosen = choose(&ctx.terms, &extracted);
    portfolio::race(ctx, &chosen, program, property, settings)
}

/// The names of two configurations that suit a system.
#[must_use]
pub fn choose(terms: &Terms, extracted: &Extracted) -> [&'static str; 2] {
    let system = &extracted.system;
    let selects = Tracked::Selectors.vars(terms, system).is_ok_and(|vars| !vars.is_empty());
    let dense = system.state.iter().any(|(now, _)| *terms.var_sort(*now) == Sort::Real);
    match (selects || extracted.control.is_some(), dense) {
        (false, _) => ["predicate-sequence", "predicate-craig"],
        (true, true) => ["combined-craig", "combined-sequence"],
        (true, false) => ["combined-sequence", "explicit-craig"],
    }
}
