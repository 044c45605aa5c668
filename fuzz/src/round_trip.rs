//! A program printed as Remopla and read again means the same: its question has the same answer.

use std::sync::Arc;
use tamis_cegar::{Budget, Context};
use tamis_engines::driver::{Options, answer};
use tamis_frontends::remopla;
use tamis_ir::{Program, PropertyId, Sources, validate};
use tamis_term::Terms;
use tamis_witness::{Reason, Verdict};

/// Compares the verdicts before and after the round trip. `None` if the budget ended one.
///
/// # Errors
/// Names what differs, with the printed text.
pub fn round_trip(terms: &Terms, program: &Program, states: u64) -> Result<Option<bool>, String> {
    let text = remopla::print::to_remopla(terms, program).map_err(|why| format!("cannot be printed: {why}"))?;
    let mut sources = Sources::new();
    let id = sources.add("printed.rem", text.as_str());
    let mut again = Terms::new();
    let lowered = remopla::lower(&mut again, Arc::new(sources), id);
    let read = lowered.map_err(|errors| format!("the printed text is refused: {errors:?}\n{text}"))?.program;
    validate::validate(&again, &read).map_err(|violation| format!("{violation}\n{text}"))?;
    let (Some(asked), Some(asked_again)) = (program.default, read.default) else {
        return Err(format!("the question is lost\n{text}"));
    };
    let before = verdict(terms.clone(), program, asked, states)?;
    let after = verdict(again, &read, asked_again, states)?;
    match (before, after) {
        (Some(a), Some(b)) if a != b => Err(format!("the verdict was {a} and is now {b}\n{text}")),
        (Some(a), Some(_)) => Ok(Some(a)),
        (None, _) | (_, None) => Ok(None),
    }
}

fn verdict(terms: Terms, program: &Program, property: PropertyId, states: u64) -> Result<Option<bool>, String> {
    let budget = Budget { states: Some(states), ..Budget::default() };
    let mut ctx = Context { terms, budget, ..Context::default() };
    let options = Options {
        engine: tamis_engines::by_name("explicit").ok_or("no such engine")?,
        passes: Vec::new(),
        settings: tamis_engines::Settings::default(),
    };
    match answer(&mut ctx, &options, program, property)?.verdict {
        Verdict::Safe(_) => Ok(Some(true)),
        Verdict::Unsafe(_) => Ok(Some(false)),
        Verdict::Unknown(Reason::OutOfBudget(_)) => Ok(None),
        Verdict::Unknown(reason) => Err(format!("no answer: {reason}")),
    }
}
