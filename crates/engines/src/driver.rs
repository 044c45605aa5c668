//! From a question to a checked answer: passes, the engine, the way back, the check.
//!
//! A verdict whose evidence fails is never shown: it becomes `Unknown(EvidenceRejected)`. A trace
//! that depends on what the front end could not model is the front end's limit and no fault of
//! the engine: it gets a second try without these parts of the program.

use crate::around::brought_back;
use crate::{Engine, Settings, depth_bounded};
use std::time::{Duration, Instant};
use tamis_cegar::{Context, Stop};
use tamis_ir::passes::{EXPAND, Pass, pipeline};
use tamis_ir::{Op, Program, PropertyId};
use tamis_term::Terms;
use tamis_witness::{Check, Reason, Verdict, check, dependence, tainted};

/// An answer with what is known about it.
#[derive(Debug)]
pub struct Answer {
    /// The verdict; its evidence, if it has one, was accepted.
    pub verdict: Verdict,
    /// How long the engine ran, passes included.
    pub engine_time: Duration,
    /// How long the check took.
    pub check_time: Duration,
}

/// What to run.
#[derive(Clone, Debug)]
pub struct Options {
    /// The engine.
    pub engine: &'static Engine,
    /// The passes that the program goes through first, in the order of the table of passes.
    pub passes: Vec<&'static Pass>,
    /// What the user chose about engines.
    pub settings: Settings,
}

/// Asks an engine whether `property` holds, and checks what it says on the program as given.
///
/// # Errors
/// If the engine fails for a reason that is no verdict: a bug.
pub fn answer(ctx: &mut Context, options: &Options, program: &Program, property: PropertyId) -> Result<Answer, String> {
    let start = Instant::now();
    let mut verdict = run(ctx, options, program, property)?;
    if let Verdict::Unsafe(trace) = &verdict
        && let Some(what) = dependence(&ctx.terms, program, trace)
    {
        // That the rest is safe says nothing about the parts that are not modelled.
        verdict = Verdict::Unknown(Reason::Unsupported(what));
        for exact in [without_decisions, without_approximations] {
            let exact = exact(&mut ctx.terms, program);
            match run(ctx, options, &exact, property)? {
                Verdict::Unsafe(trace) => {
                    verdict = Verdict::Unsafe(trace);
                    break;
                }
                Verdict::Unknown(Reason::Interrupted) => {
                    verdict = Verdict::Unknown(Reason::Interrupted);
                    break;
                }
                Verdict::Safe(_) | Verdict::Unknown(_) => {}
            }
        }
    }
    let (engine_time, start) = (start.elapsed(), Instant::now());
    let watch = ctx.budget.watch();
    let verdict = match check(&mut ctx.terms, program, property, &verdict, &watch.stop) {
        Check::Accepted => verdict,
        Check::Rejected(why) => Verdict::Unknown(Reason::EvidenceRejected(why)),
        Check::Undecided(why) => Verdict::Unknown(watch.reason().unwrap_or(Reason::SolverUnknown(why))),
    };
    Ok(Answer { verdict, engine_time, check_time: start.elapsed() })
}

/// What the engine says about the program: the passes, and the way back.
fn run(ctx: &mut Context, options: &Options, program: &Program, property: PropertyId) -> Result<Verdict, String> {
    if !options.engine.takes.calls() && depth_bounded::is_needed(program) {
        let ask = |ctx: &mut Context, program: &Program| without_stack(ctx, options, program, property);
        return depth_bounded::run(ctx, program, property, ask).map(|verdict| match verdict {
            Verdict::Unknown(reason) => Verdict::Unknown(advised(reason, options.engine, program)),
            verdict @ (Verdict::Safe(_) | Verdict::Unsafe(_)) => verdict,
        });
    }
    without_stack(ctx, options, program, property)
}

fn without_stack(
    ctx: &mut Context,
    options: &Options,
    program: &Program,
    property: PropertyId,
) -> Result<Verdict, String> {
    let mut passes = options.passes.clone();
    // What recurses stays; an engine that knows no calls got a stack, or will say so.
    let expanded = passes.iter().any(|pass| pass.name == EXPAND.name);
    if !expanded && (options.engine.expands)(&ctx.terms, program) {
        passes.insert(0, &EXPAND);
    }
    let (simpler, back) = pipeline(&mut ctx.terms, program, property, &passes);
    match (options.engine.run)(ctx, &simpler, property, &options.settings) {
        Ok(Verdict::Unknown(reason)) | Err(Stop::GaveUp(reason)) => {
            Ok(Verdict::Unknown(advised(reason, options.engine, &simpler)))
        }
        Ok(verdict) => Ok(brought_back(&mut ctx.terms, &*back, verdict)),
        Err(Stop::Failed(error)) => Err(error),
    }
}

/// The reason, with advice where an engine that knows no calls was given some.
fn advised(mut reason: Reason, engine: &Engine, program: &Program) -> Reason {
    let has_calls = program.proc(program.main).edges.iter().any(|edge| matches!(edge.op, Op::Call { .. }));
    if !engine.takes.calls()
        && has_calls
        && let Reason::Unsupported(why) = &mut reason
    {
        why.push_str("; --engine boolean and --engine bounded follow calls");
    }
    reason
}

/// The program with all decisions blocked that may read a value which is not modelled. Every run
/// of it is one of the program, and depends on nothing that is not modelled.
fn without_decisions(terms: &mut Terms, program: &Program) -> Program {
    let tainted = tainted(terms, program);
    let mut exact = program.clone();
    let never = terms.bool(false);
    for (id, edge) in program.edges() {
        let marked = program.notes.approximations.contains_key(&id);
        let blocked = match &edge.op {
            Op::Assume(condition) => marked || terms.free_vars(&[*condition]).iter().any(|var| tainted.contains(var)),
            Op::Assign(_) | Op::Call { .. } => marked,
            Op::Havoc(_) => false,
        };
        if blocked {
            exact.procs[id.proc.index()].edges[id.index as usize].op = Op::Assume(never);
        }
    }
    exact
}

/// The program with its marked edges blocked: the same, where a value that is not modelled is
/// overwritten by one that is.
fn without_approximations(terms: &mut Terms, program: &Program) -> Program {
    let mut exact = program.clone();
    let never = terms.bool(false);
    for id in program.notes.approximations.keys() {
        exact.procs[id.proc.index()].edges[id.index as usize].op = Op::Assume(never);
    }
    exact
}

#[cfg(test)]
mod tests {
    use super::*;
    use tamis_ir::{Property, Sources, Span};
    use tamis_term::{Sort, Value};

    /// `x = *` or, if `real`, also `x = 3` by another way; an error if `x` is 3. The first is not modelled.
    fn program(terms: &mut Terms, real: bool) -> Program {
        let mut sources = Sources::new();
        let source = sources.add("a.c", "\nx = fancy();\n");
        let span = Span { source, start: 1, end: 5 };
        let mut program = Program::new(sources.into());
        let main = program.add_proc("main", span);
        let x = terms.declare("main::x", Sort::BitVec(4));
        program.procs[0].locals = vec![x];
        let entry = program.procs[0].entry;
        let [set, error] = [0, 1].map(|_| program.add_loc(span));
        let marked = program.add_edge(main, entry, set, Op::Havoc(vec![x]), span);
        program.notes.approximations.insert(marked, "fancy arithmetic".into());
        let three = terms.constant(Value::bv(4, 3));
        if real {
            let (ways, always) = (program.add_loc(span), terms.bool(true));
            program.add_edge(main, entry, ways, Op::Assume(always), span);
            program.add_edge(main, ways, set, Op::Assign(vec![(x, three)]), span);
        }
        let var = terms.var(x);
        let equal = terms.eq(var, three);
        program.add_edge(main, set, error, Op::Assume(equal), span);
        program.default = Some(program.add_property(Property::new("error", "the error is reached", vec![error])));
        program
    }

    fn verdict(real: bool, engine: &str) -> Verdict {
        let mut ctx = Context::default();
        let program = program(&mut ctx.terms, real);
        let passes = tamis_ir::passes::PLAIN.to_vec();
        let engine = crate::by_name(engine).expect("registered");
        let options = Options { engine, passes, settings: Settings::default() };
        answer(&mut ctx, &options, &program, program.default.expect("a property")).expect("no failure").verdict
    }

    #[test]
    fn an_error_that_depends_on_what_is_not_modelled_is_no_error() {
        for engine in ["explicit", "pushdown", "pushdown-cegar"] {
            let Verdict::Unknown(reason) = verdict(false, engine) else { panic!("{engine} knows") };
            assert_eq!(reason, Reason::Unsupported("fancy arithmetic, line 2".into()));
        }
    }

    #[test]
    fn another_way_to_the_error_counts() {
        for engine in ["explicit", "pushdown", "pushdown-cegar"] {
            let found = verdict(true, engine);
            assert!(matches!(found, Verdict::Unsafe(_)), "{engine}: {found:?}");
        }
    }

    #[test]
    fn what_decides_nothing_does_not_matter() {
        let mut ctx = Context::default();
        let mut program = program(&mut ctx.terms, false);
        // Another input decides: after `x = *`, the error is also reached if `y`.
        let y = ctx.terms.declare("main::y", Sort::Bool);
        program.procs[0].locals.push(y);
        let (set, error) = (program.procs[0].edges[0].to, program.procs[0].edges[1].to);
        let (condition, span) = (ctx.terms.var(y), program.procs[0].span);
        program.add_edge(program.main, set, error, Op::Assume(condition), span);
        let options = Options {
            engine: crate::by_name("explicit").expect("registered"),
            passes: tamis_ir::passes::PLAIN.to_vec(),
            settings: Settings::default(),
        };
        let property = program.default.expect("a property");
        let found = answer(&mut ctx, &options, &program, property).expect("no failure").verdict;
        assert!(matches!(found, Verdict::Unsafe(_)), "{found:?}");
    }
}
