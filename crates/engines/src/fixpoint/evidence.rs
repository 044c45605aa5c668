//! Fixpoints as proofs, commands in a row as runs.
//!
//! A forward invariant says of each location what its disjuncts say where the program counter has that
//! value. A backward invariant contains all states from which an error can be reached, and no initial one:
//! its complement is the invariant.

use super::Direction;
use super::formula::Formula;
use super::prover::Prover;
use super::system::{Command, CommandId, System};
use rustc_hash::FxHashMap;
use tamis_cegar::{Context, Outcome, Stop};
use tamis_ir::{Action, EdgeId, Interpreter, Loc, Op, Proof, Trace};
use tamis_term::{Substitution, Term, Value, Var};

/// The proof that an invariant is.
pub(super) fn proof(ctx: &mut Context, system: &System<'_>, psi: &Formula, direction: Direction) -> Proof {
    let mut invariant = psi.term(&mut ctx.terms);
    if direction == Direction::Backward {
        invariant = ctx.terms.not(invariant);
    }
    let always = ctx.terms.bool(true);
    let mut proof = Proof::default();
    for loc in system.locs.iter().filter(|loc| !system.errors.contains(loc)) {
        let mut here = Substitution::default();
        here.insert(system.pc, system.place(&mut ctx.terms, *loc));
        let holds = ctx.terms.substitute(invariant, &here);
        proof.invariants.insert(*loc, holds);
    }
    let main = system.program.main;
    proof.invariants.entry(system.program.proc(main).entry).or_insert(always);
    proof.passed.clone_from(&system.between);
    proof.summaries.insert(main, always);
    proof
}

/// What is unrolled of a row of commands.
struct Row {
    facts: Vec<Term>,
    /// The values so far.
    values: Substitution,
    /// The edges, and for what is chosen on each the input of this step.
    edges: Vec<(EdgeId, FxHashMap<Var, Var>)>,
}

impl Row {
    /// Goes on with a command; its inputs are new.
    fn take(&mut self, ctx: &mut Context, command: &Command) {
        let mut before = self.values.clone();
        let mut inputs: FxHashMap<(EdgeId, Var), Var> = FxHashMap::default();
        for ((edge, var), input) in &command.inputs {
            let (name, sort) = (ctx.terms.name(*input).to_owned(), ctx.terms.var_sort(*input).clone());
            let fresh = ctx.terms.declare(&name, sort);
            before.insert(*input, ctx.terms.var(fresh));
            inputs.insert((*edge, *var), fresh);
        }
        self.facts.push(ctx.terms.substitute(command.guard, &before));
        let pairs = command.values.pairs();
        let values: Vec<Term> = pairs.iter().map(|(_, value)| *value).collect();
        let values = ctx.terms.substitute_all(&values, &before);
        self.values.extend(pairs.into_iter().map(|(var, _)| var).zip(values));
        for edge in &command.edges {
            let own = command.inputs.iter().filter(|((at, _), _)| at == edge);
            let chosen = own.map(|((_, var), _)| (*var, inputs[&(*edge, *var)])).collect();
            self.edges.push((*edge, chosen));
        }
    }
}

/// The run that carries out the commands in that order, between an initial state and an error; none if
/// there is none.
pub(super) fn run_along(
    ctx: &mut Context,
    prover: &mut Prover,
    system: &System<'_>,
    commands: &[CommandId],
) -> Outcome<Option<Trace>> {
    let first = commands.first().map(|id| system.command(*id).from);
    let last = commands.last().map(|id| system.command(*id).to);
    let starts: Vec<Option<&Command>> = if system.starts.is_empty() {
        vec![None]
    } else {
        system.starts.iter().filter(|start| first.is_none_or(|first| first == start.to)).map(Some).collect()
    };
    for start in starts {
        let entry = system.program.proc(system.program.main).entry;
        let at = last.or(start.map(|start| start.to)).unwrap_or(entry);
        if start.is_none() && first.is_some_and(|first| first != entry) {
            continue;
        }
        let mut ends: Vec<Option<&Command>> = system.ends.iter().filter(|end| end.from == at).map(Some).collect();
        if system.errors.contains(&at) {
            ends.push(None);
        }
        for end in ends {
            if let Some(trace) = run(ctx, prover, system, start, commands, end)? {
                return Ok(Some(trace));
            }
        }
    }
    Ok(None)
}

fn run(
    ctx: &mut Context,
    prover: &mut Prover,
    system: &System<'_>,
    start: Option<&Command>,
    commands: &[CommandId],
    end: Option<&Command>,
) -> Outcome<Option<Trace>> {
    let mut row = Row { facts: Vec::new(), values: Substitution::default(), edges: Vec::new() };
    let mut at: Option<Loc> = None;
    for command in start.into_iter().chain(commands.iter().map(|id| system.command(*id))).chain(end) {
        if at.is_some_and(|at| at != command.from) {
            return Ok(None);
        }
        at = Some(command.to);
        row.take(ctx, command);
    }
    let vars = Interpreter::new(&ctx.terms, system.program).start_vars();
    let found = prover.ask(ctx, &row.facts, |ctx, model| {
        let start: Vec<Value> = vars.iter().map(|var| model.value(&ctx.terms, *var)).collect();
        let action = |(edge, chosen): &(EdgeId, FxHashMap<Var, Var>)| {
            let inputs = match &system.program.edge(*edge).op {
                Op::Havoc(vars) => vars.iter().map(|var| model.value(&ctx.terms, chosen[var])).collect(),
                Op::Assume(_) | Op::Assign(_) | Op::Call { .. } => Vec::new(),
            };
            Action::Take { edge: *edge, inputs }
        };
        (start, row.edges.iter().map(action).collect::<Vec<Action>>())
    })?;
    let Some((start, actions)) = found else { return Ok(None) };
    let trace = Interpreter::new(&ctx.terms, system.program).record(start, actions);
    trace.map(Some).map_err(|(_, why)| Stop::refused("a row of commands is no run of the program", &why))
}
