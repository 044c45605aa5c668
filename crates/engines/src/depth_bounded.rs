//! Depth-bounded inlining: recursion for engines that know no calls.
//!
//! Calls are replaced by copies of what they call, down to a depth. Where a call is left, the stack
//! would be deeper: that place counts as an error. If neither it nor a real error can be reached, the
//! proof holds for all depths; if it can, the stack gets deeper. So recursion that is bounded is
//! exact, and errors are found at any depth; recursion without a bound is for engines with summaries.

use std::collections::BTreeSet;
use tamis_cegar::Context;
use tamis_ir::graph::CallGraph;
use tamis_ir::passes::inline;
use tamis_ir::{Loc, Op, Program, PropertyId};
use tamis_witness::{Reason, Verdict};

/// The most edges that main may have with its copies.
const MOST: usize = 1 << 11;

/// Whether calls would be left if all that can be were copied.
pub(crate) fn is_needed(program: &Program) -> bool {
    let calls = CallGraph::new(program);
    calls.recursion(program.main).is_some() && !calls.is_recursive(program.main)
}

/// Answers about deeper and deeper copies. `ask` is asked about programs whose main calls nobody.
///
/// # Errors
/// As `ask`.
pub(crate) fn run(
    ctx: &mut Context,
    program: &Program,
    property: PropertyId,
    mut ask: impl FnMut(&mut Context, &Program) -> Result<Verdict, String>,
) -> Result<Verdict, String> {
    let mut depth = 1;
    while let Some(list) = inline::unrolled(&mut ctx.terms, program, depth, MOST) {
        let (expanded, back) = inline::expand(&mut ctx.terms, program, &list)?.passed(program);
        let (cut, ends) = without_calls(ctx, expanded, property);
        match ask(ctx, &cut)? {
            Verdict::Safe(proof) => return Ok(Verdict::Safe(back.proof(&mut ctx.terms, proof))),
            Verdict::Unsafe(trace) if ends.contains(&trace.last(&cut)) => depth *= 2,
            Verdict::Unsafe(trace) => return Ok(Verdict::Unsafe(back.trace(&ctx.terms, trace))),
            Verdict::Unknown(reason) => return Ok(Verdict::Unknown(reason)),
        }
    }
    let why = format!("recursion deeper than {} calls, for an engine that copies procedures", depth / 2);
    Ok(Verdict::Unknown(Reason::Unsupported(why)))
}

/// The program in which calls of main are errors, and where they are.
fn without_calls(ctx: &mut Context, mut program: Program, property: PropertyId) -> (Program, BTreeSet<Loc>) {
    let never = ctx.terms.bool(false);
    let mut ends = BTreeSet::new();
    for edge in &mut program.procs[program.main.index()].edges {
        if matches!(edge.op, Op::Call { .. }) {
            edge.op = Op::Assume(never);
            ends.insert(edge.from);
        }
    }
    // What is an error anyway needs no deeper stack.
    let errors = &mut program.errors[property.index()].locs;
    ends.retain(|end| !errors.contains(end));
    errors.extend(&ends);
    (program, ends)
}
