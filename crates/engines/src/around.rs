//! A pass around an engine: what the engine says about the program after the pass, brought back.

use tamis_cegar::{Context, Outcome};
use tamis_ir::passes::{Back, Pass};
use tamis_ir::{Program, PropertyId};
use tamis_term::Terms;
use tamis_witness::Verdict;

/// What an engine says about a program after a pass, brought back.
pub(crate) fn after(
    pass: &Pass,
    ctx: &mut Context,
    program: &Program,
    property: PropertyId,
    ask: impl FnOnce(&mut Context, &Program) -> Outcome<Verdict>,
) -> Outcome<Verdict> {
    let (other, back) = (pass.apply)(&mut ctx.terms, program, property);
    let verdict = ask(ctx, &other)?;
    Ok(brought_back(&mut ctx.terms, &*back, verdict))
}

/// A verdict about a program after a pass, as one about the program before it.
pub(crate) fn brought_back(terms: &mut Terms, back: &dyn Back, verdict: Verdict) -> Verdict {
    match verdict {
        Verdict::Safe(proof) => Verdict::Safe(back.proof(terms, proof)),
        Verdict::Unsafe(trace) => Verdict::Unsafe(back.trace(terms, trace)),
        Verdict::Unknown(reason) => Verdict::Unknown(reason),
    }
}
