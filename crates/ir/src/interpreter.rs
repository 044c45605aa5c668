//! The interpreter: the reference semantics of programs. Every engine is tested against it.
//!
//! A configuration is a control location, the values of the globals and of the running
//! procedure's variables, and a stack of suspended callers. The interpreter carries out one
//! [`Action`] at a time; every choice (which edge, which input) is in the action, so runs
//! are deterministic. The call stack is data: a program may recurse as deep as memory lasts.

use crate::evidence::{Action, Step, Trace};
use crate::program::{EdgeId, Loc, Op, ProcId, Program};
use rustc_hash::FxHashMap;
use std::fmt;
use tamis_term::{Code, Sort, Term, Terms, Value, Var};

/// Where a run is.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Config {
    proc: ProcId,
    loc: Loc,
    /// The globals, then the variables of `proc`: parameters, results, locals.
    values: Vec<Value>,
    stack: Vec<Suspended>,
}

/// A caller that waits for its callee.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
struct Suspended {
    call: EdgeId,
    /// The variables of the caller's procedure.
    values: Vec<Value>,
}

impl Config {
    /// The running procedure.
    #[must_use]
    pub fn proc(&self) -> ProcId {
        self.proc
    }

    /// The control location.
    #[must_use]
    pub fn loc(&self) -> Loc {
        self.loc
    }

    /// How many callers wait.
    #[must_use]
    pub fn depth(&self) -> usize {
        self.stack.len()
    }
}

/// Why an action cannot be carried out.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Refusal {
    /// The program has no such edge.
    NoSuchEdge,
    /// The edge does not leave the current location.
    NotHere,
    /// The edge's condition is false.
    ConditionFails,
    /// There are too few or too many inputs, or one has the wrong sort.
    WrongInputs,
    /// A return away from a procedure's exit, or from main with no caller.
    CannotReturn,
    /// It takes a number of more than [`LONGEST`] bits.
    TooLong,
}

/// Numbers without bounds have at most this many bits in a run: one that squares itself in a loop
/// would soon take all time and memory.
pub const LONGEST: u64 = 1 << 16;

impl fmt::Display for Refusal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Refusal::NoSuchEdge => "the program has no such edge",
            Refusal::NotHere => "the edge does not leave the current location",
            Refusal::ConditionFails => "the condition of the edge is false",
            Refusal::WrongInputs => "the inputs do not fit the edge",
            Refusal::CannotReturn => "there is nothing to return from",
            Refusal::TooLong => return write!(f, "a number takes more than {LONGEST} bits"),
        })
    }
}

impl std::error::Error for Refusal {}

/// An interpreter of one program.
#[derive(Debug)]
pub struct Interpreter<'p> {
    terms: &'p Terms,
    program: &'p Program,
    /// The edges that leave each location.
    out: Vec<Vec<EdgeId>>,
    /// Where each variable's value is in [`Config::values`].
    slots: FxHashMap<Var, usize>,
    /// Code of the edges taken so far.
    code: FxHashMap<EdgeId, Code>,
    scratch: Vec<Value>,
}

impl<'p> Interpreter<'p> {
    /// An interpreter of `program`, which must be valid.
    #[must_use]
    pub fn new(terms: &'p Terms, program: &'p Program) -> Interpreter<'p> {
        let mut out = vec![Vec::new(); program.locs.len()];
        for (id, edge) in program.edges() {
            out[edge.from.index()].push(id);
        }
        let mut slots: FxHashMap<Var, usize> = FxHashMap::default();
        slots.extend(program.globals.iter().copied().zip(0..));
        for proc in &program.procs {
            slots.extend(proc.vars().zip(program.globals.len()..));
        }
        Interpreter { terms, program, out, slots, code: FxHashMap::default(), scratch: Vec::new() }
    }

    /// The edges that leave a location, in the order of the program.
    #[must_use]
    pub fn out_edges(&self, loc: Loc) -> &[EdgeId] {
        self.out.get(loc.index()).map_or(&[], Vec::as_slice)
    }

    /// The variables whose values a run starts with: globals, then main's.
    #[must_use]
    pub fn start_vars(&self) -> Vec<Var> {
        self.program.globals.iter().copied().chain(self.program.proc(self.program.main).vars()).collect()
    }

    /// The variables that an action on this edge must choose values for.
    #[must_use]
    pub fn inputs(&self, edge: EdgeId) -> Vec<Var> {
        match &self.program.edge(edge).op {
            Op::Assume(_) | Op::Assign(_) => Vec::new(),
            Op::Havoc(vars) => vars.clone(),
            Op::Call { callee, .. } => self.program.proc(*callee).inputs().copied().collect(),
        }
    }

    /// The configuration in which a run starts, given the values of [`Interpreter::start_vars`].
    ///
    /// # Errors
    /// If the values do not fit the variables.
    pub fn start(&self, values: Vec<Value>) -> Result<Config, Refusal> {
        self.fits(&self.start_vars(), &values)?;
        let proc = self.program.main;
        Ok(Config { proc, loc: self.program.proc(proc).entry, values, stack: Vec::new() })
    }

    /// The value of a variable that is in scope.
    #[must_use]
    pub fn value<'c>(&self, config: &'c Config, var: Var) -> Option<&'c Value> {
        let in_scope = self.program.globals.contains(&var) || self.program.proc(config.proc).vars().any(|v| v == var);
        if in_scope { config.values.get(*self.slots.get(&var)?) } else { None }
    }

    fn fits(&self, vars: &[Var], values: &[Value]) -> Result<(), Refusal> {
        let fits = vars.len() == values.len()
            && vars.iter().zip(values).all(|(var, value)| value.has_sort(self.terms.var_sort(*var)));
        if fits { Ok(()) } else { Err(Refusal::WrongInputs) }
    }

    /// Carries out one action. Returns the variables that it wrote, with their new values;
    /// if it is refused, the configuration stays as it was.
    ///
    /// # Errors
    /// If the action cannot be carried out here.
    pub fn step(&mut self, config: &mut Config, action: &Action) -> Result<Vec<(Var, Value)>, Refusal> {
        match action {
            Action::Take { edge, inputs } => self.take(config, *edge, inputs),
            Action::Return => self.give_back(config),
        }
    }

    /// Whether an `Assume` edge would be refused here because its condition is false.
    pub fn blocks(&mut self, config: &Config, edge: EdgeId) -> bool {
        match &self.program.edge(edge).op {
            Op::Assume(condition) => {
                self.evaluate(config, edge, &[*condition]).is_ok_and(|values| !values[0].as_bool())
            }
            Op::Assign(_) | Op::Havoc(_) | Op::Call { .. } => false,
        }
    }

    fn take(&mut self, config: &mut Config, id: EdgeId, inputs: &[Value]) -> Result<Vec<(Var, Value)>, Refusal> {
        let program = self.program;
        let proc = program.procs.get(id.proc.index()).ok_or(Refusal::NoSuchEdge)?;
        let edge = proc.edges.get(id.index as usize).ok_or(Refusal::NoSuchEdge)?;
        if edge.from != config.loc || id.proc != config.proc {
            return Err(Refusal::NotHere);
        }
        self.fits(&self.inputs(id), inputs)?;
        let writes: Vec<(Var, Value)> = match &edge.op {
            Op::Assume(condition) => {
                if !self.evaluate(config, id, &[*condition])?[0].as_bool() {
                    return Err(Refusal::ConditionFails);
                }
                Vec::new()
            }
            Op::Assign(pairs) => {
                let terms: Vec<Term> = pairs.iter().map(|(_, term)| *term).collect();
                let values = self.evaluate(config, id, &terms)?;
                pairs.iter().map(|(var, _)| *var).zip(values).collect()
            }
            Op::Havoc(vars) => vars.iter().copied().zip(inputs.iter().cloned()).collect(),
            Op::Call { callee, args, .. } => {
                let args = self.evaluate(config, id, args)?;
                let own = config.values.split_off(program.globals.len());
                config.stack.push(Suspended { call: id, values: own });
                config.values.extend(args.into_iter().chain(inputs.iter().cloned()));
                config.proc = *callee;
                config.loc = program.proc(*callee).entry;
                let values = config.values[program.globals.len()..].iter().cloned();
                return Ok(program.proc(*callee).vars().zip(values).collect());
            }
        };
        self.write(config, &writes);
        config.loc = edge.to;
        Ok(writes)
    }

    fn give_back(&mut self, config: &mut Config) -> Result<Vec<(Var, Value)>, Refusal> {
        let program = self.program;
        let callee = program.proc(config.proc);
        if config.loc != callee.exit {
            return Err(Refusal::CannotReturn);
        }
        let resumed = config.stack.pop().ok_or(Refusal::CannotReturn)?;
        let edge = program.edge(resumed.call);
        let Op::Call { results, .. } = &edge.op else { unreachable!("only calls suspend a caller") };
        let values: Vec<Value> = callee.results.iter().map(|var| config.values[self.slots[var]].clone()).collect();
        let writes: Vec<(Var, Value)> = results.iter().copied().zip(values).collect();
        config.values.truncate(program.globals.len());
        config.values.extend(resumed.values);
        config.proc = resumed.call.proc;
        config.loc = edge.to;
        self.write(config, &writes);
        Ok(writes)
    }

    fn write(&self, config: &mut Config, writes: &[(Var, Value)]) {
        for (var, value) in writes {
            config.values[self.slots[var]] = value.clone();
        }
    }

    /// The values of an edge's terms.
    fn evaluate(&mut self, config: &Config, id: EdgeId, terms: &[Term]) -> Result<Vec<Value>, Refusal> {
        let slots = &self.slots;
        let arena = self.terms;
        let code = self.code.entry(id).or_insert_with(|| Code::new(arena, terms, |var| slots[&var]));
        if !code.run_while(&config.values, &mut self.scratch, is_short) {
            return Err(Refusal::TooLong);
        }
        Ok((0..terms.len()).map(|i| code.result(i, &self.scratch).clone()).collect())
    }

    /// Carries out `actions` from the start and records them as a trace.
    ///
    /// # Errors
    /// Names the first action that is refused (0 for the start values, then counted from 1).
    pub fn record(&mut self, start: Vec<Value>, actions: Vec<Action>) -> Result<Trace, (usize, Refusal)> {
        let mut config = self.start(start.clone()).map_err(|refusal| (0, refusal))?;
        let mut steps = Vec::with_capacity(actions.len());
        for (at, action) in actions.into_iter().enumerate() {
            let writes = self.step(&mut config, &action).map_err(|refusal| (at + 1, refusal))?;
            steps.push(Step { action, writes });
        }
        Ok(Trace { start: self.start_vars().into_iter().zip(start).collect(), steps })
    }

    /// Runs the program, asking `choices` wherever the program leaves something open, until
    /// it is at a location of `goals`, ends, blocks, or `limit` steps are done or numbers get too long.
    ///
    /// # Panics
    /// If `choices` returns a value of another sort than asked for.
    pub fn run(&mut self, choices: &mut dyn Choices, goals: &[Loc], limit: usize) -> Run {
        let start: Vec<Value> = self.choose(&self.start_vars(), choices);
        let mut config = self.start(start.clone()).expect("the choices have the variables' sorts");
        let mut steps = Vec::new();
        let end = loop {
            if goals.contains(&config.loc) {
                break End::Reached;
            }
            if steps.len() == limit {
                break End::Limit;
            }
            let action = if config.loc == self.program.proc(config.proc).exit {
                if config.stack.is_empty() {
                    break End::Finished;
                }
                Action::Return
            } else {
                let open: Vec<EdgeId> = self.out_edges(config.loc).to_vec();
                let open: Vec<EdgeId> = open.into_iter().filter(|edge| !self.blocks(&config, *edge)).collect();
                if open.is_empty() {
                    break End::Blocked;
                }
                let edge = open[choices.branch(open.len()) % open.len()];
                Action::Take { edge, inputs: self.choose(&self.inputs(edge), choices) }
            };
            let writes = match self.step(&mut config, &action) {
                Ok(writes) => writes,
                Err(Refusal::TooLong) => break End::Limit,
                Err(refusal) => unreachable!("the action is enabled: {refusal}"),
            };
            steps.push(Step { action, writes });
        };
        Run { trace: Trace { start: self.start_vars().into_iter().zip(start).collect(), steps }, end, last: config }
    }

    fn choose(&self, vars: &[Var], choices: &mut dyn Choices) -> Vec<Value> {
        vars.iter().map(|var| choices.value(self.terms.var_sort(*var))).collect()
    }
}

/// Where a run takes its choices from.
pub trait Choices {
    /// One of `count` edges that can be taken (taken modulo `count`).
    fn branch(&mut self, count: usize) -> usize;
    /// An input of the given sort.
    fn value(&mut self, sort: &Sort) -> Value;
}

/// A run.
#[derive(Clone, Debug)]
pub struct Run {
    /// What happened.
    pub trace: Trace,
    /// How it ended.
    pub end: End,
    /// Where it ended.
    pub last: Config,
}

/// How a run ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum End {
    /// At a goal.
    Reached,
    /// At main's exit.
    Finished,
    /// Where no edge can be taken.
    Blocked,
    /// At the limit of steps, or of the length of numbers.
    Limit,
}

/// Whether a number is one that runs may have: of at most [`LONGEST`] bits.
#[must_use]
pub fn is_short(value: &Value) -> bool {
    match value {
        Value::Int(number) => number.bits() <= LONGEST,
        Value::Real(number) => number.numer().bits().max(number.denom().bits()) <= LONGEST,
        Value::Bool(_) | Value::BitVec(_) | Value::Array(_) => true,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::source::Span;

    /// Takes the last open edge as long as the counter lasts, then the first; all inputs are zero.
    struct Deep(u32);
    impl Choices for Deep {
        fn branch(&mut self, count: usize) -> usize {
            self.0 = self.0.saturating_sub(1);
            if self.0 > 0 { count - 1 } else { 0 }
        }
        fn value(&mut self, sort: &Sort) -> Value {
            Value::default_of(sort)
        }
    }

    /// `main(n) { n := n + 1; either stop or call main(n) }`
    fn recursive(terms: &mut Terms) -> Program {
        let mut program = Program::new(std::sync::Arc::default());
        let main = program.add_proc("main", Span::default());
        let n = terms.declare("main::n", Sort::BitVec(32));
        program.procs[0].params.push(n);
        let (entry, exit) = (program.procs[0].entry, program.procs[0].exit);
        let middle = program.add_loc(Span::default());
        let (var, one) = (terms.var(n), terms.bv(32, 1));
        let sum = terms.bvadd(var, one);
        let always = terms.bool(true);
        program.add_edge(main, entry, middle, Op::Assign(vec![(n, sum)]), Span::default());
        program.add_edge(main, middle, exit, Op::Assume(always), Span::default());
        let call = Op::Call { callee: main, args: vec![var], results: vec![] };
        program.add_edge(main, middle, exit, call, Span::default());
        program
    }

    #[test]
    fn recursion_a_million_deep_runs_and_returns() {
        let mut terms = Terms::new();
        let program = recursive(&mut terms);
        let mut interpreter = Interpreter::new(&terms, &program);
        let run = interpreter.run(&mut Deep(2_000_000), &[], 10_000_000);
        assert_eq!(run.end, End::Finished);
        assert_eq!(run.last.depth(), 0);
        let returns = run.trace.steps.iter().filter(|step| step.action == Action::Return).count();
        assert!(returns >= 999_998, "{returns} returns");
    }

    #[test]
    fn numbers_that_grow_too_long_end_a_run() {
        let mut terms = Terms::new();
        let mut program = Program::new(std::sync::Arc::default());
        let main = program.add_proc("main", Span::default());
        let n = terms.declare("n", Sort::Int);
        program.globals.push(n);
        let (entry, exit) = (program.procs[0].entry, program.procs[0].exit);
        let middle = program.add_loc(Span::default());
        let (var, two) = (terms.var(n), terms.int(2));
        let square = terms.mul(var, var);
        program.add_edge(main, entry, middle, Op::Assign(vec![(n, two)]), Span::default());
        program.add_edge(main, middle, middle, Op::Assign(vec![(n, square)]), Span::default());
        let run = Interpreter::new(&terms, &program).run(&mut Deep(0), &[exit], 1_000);
        // 2 to the power of 2, 4, 8, ..., and the next one has more than LONGEST bits.
        assert_eq!((run.end, run.trace.steps.len()), (End::Limit, 16));
    }

    #[test]
    fn a_refused_step_changes_nothing() {
        let mut terms = Terms::new();
        let program = recursive(&mut terms);
        let mut interpreter = Interpreter::new(&terms, &program);
        let mut config = interpreter.start(vec![Value::bv(32, 7)]).unwrap();
        let before = config.clone();
        let edge = EdgeId { proc: program.main, index: 1 };
        let wrong = [
            (Action::Take { edge, inputs: vec![] }, Refusal::NotHere),
            (Action::Take { edge: EdgeId { index: 9, ..edge }, inputs: vec![] }, Refusal::NoSuchEdge),
            (Action::Take { edge: EdgeId { index: 0, ..edge }, inputs: vec![Value::Bool(true)] }, Refusal::WrongInputs),
            (Action::Return, Refusal::CannotReturn),
        ];
        for (action, refusal) in wrong {
            assert_eq!(interpreter.step(&mut config, &action), Err(refusal));
            assert_eq!(config, before);
        }
        assert_eq!(interpreter.start(vec![Value::bv(8, 7)]), Err(Refusal::WrongInputs));
    }
}
