//! Runs a program quickly: edges are compiled once, nothing is recorded, and memory is changed in
//! place. It does what the interpreter does; a run that matters is repeated there.

use super::guide::Coverage;
use super::pool::{Pool, express};
use fastrand::Rng;
use rustc_hash::FxHashMap;
use std::collections::BTreeSet;
use tamis_ir::analysis::Liveness;
use tamis_ir::interpreter::is_short;
use tamis_ir::{Action, EdgeId, Loc, Op, ProcId, Procedure, Program};
use tamis_term::{Code, Fun, Node, Sort, Term, Terms, Value, Var};
use tamis_witness::StopSignal;

/// How many steps are taken between two looks at the stop signal.
const POLL: u64 = 1 << 12;

/// The choices of a run: those given, then new ones.
pub(super) struct Genes<'s> {
    list: Vec<u64>,
    next: usize,
    rng: &'s mut Rng,
    pool: &'s Pool,
}

impl<'s> Genes<'s> {
    pub(super) fn new(list: Vec<u64>, rng: &'s mut Rng, pool: &'s Pool) -> Genes<'s> {
        Genes { list, next: 0, rng, pool }
    }

    /// Those that the run asked for.
    pub(super) fn used(mut self) -> Vec<u64> {
        self.list.truncate(self.next);
        self.list
    }
}

/// Where a run takes its choices from.
trait Choose {
    fn input(&mut self) -> u64;
    /// The value of a variable that nothing sets: mostly zero, because programs seldom read it.
    fn leftover(&mut self) -> u64;
}

impl Choose for Genes<'_> {
    fn input(&mut self) -> u64 {
        if self.next == self.list.len() {
            self.list.push(self.pool.guess(self.rng));
        }
        self.next += 1;
        self.list[self.next - 1]
    }

    fn leftover(&mut self) -> u64 {
        if self.next == self.list.len() {
            let gene = if self.rng.u32(0..16) == 0 { self.pool.guess(self.rng) } else { 0 };
            self.list.push(gene);
        }
        self.next += 1;
        self.list[self.next - 1]
    }
}

/// The choices of a run that is repeated.
struct Repeat<'g>(std::slice::Iter<'g, u64>);

impl Choose for Repeat<'_> {
    fn input(&mut self) -> u64 {
        self.0.next().copied().unwrap_or(0)
    }

    fn leftover(&mut self) -> u64 {
        self.input()
    }
}

/// How a run ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum End {
    /// At an error.
    Error,
    /// At main's exit, or where no edge can be taken.
    Over,
    /// At the limit of steps.
    Limit,
    /// Where a number gets too long.
    Long,
    /// Because of the stop signal.
    Stopped,
}

/// A compiled edge.
struct Edge {
    id: EdgeId,
    to: Loc,
    op: Compiled,
}

enum Compiled {
    Assume(Code),
    /// The code computes all new values; then they are written.
    Assign(Code, Vec<usize>),
    /// An array changes in some cells: the code computes indices and elements in turn.
    Update(Code, usize, usize),
    Havoc(Vec<(usize, Sort)>),
    Call {
        callee: ProcId,
        args: Code,
        count: usize,
        results: Vec<usize>,
    },
}

/// What is known about a procedure.
struct Proc {
    entry: Loc,
    exit: Loc,
    results: Vec<usize>,
    /// The sorts of what a call leaves arbitrary, and whether some edge may read it before it is
    /// written: only then does it matter.
    leftovers: Vec<(Sort, bool)>,
}

/// What leaves a location.
enum Exits {
    /// These edges.
    Some(Vec<usize>),
    /// The first edge if its condition holds, the second if not.
    Fork(usize, usize),
}

/// A program, compiled, and the state of a run.
pub(super) struct Machine<'p> {
    program: &'p Program,
    edges: Vec<Edge>,
    exits: Vec<Exits>,
    procs: Vec<Proc>,
    /// For each location, the distance to an error: 0 is one.
    distances: &'p [u32],
    /// The sorts of the globals and of main's parameters, and whether they matter at the start.
    given: Vec<(Sort, bool)>,
    /// How many globals there are.
    globals: usize,
    /// The globals, then the variables of the running procedure.
    values: Vec<Value>,
    /// The suspended callers: the call's edge, and the variables of its procedure.
    stack: Vec<(usize, Vec<Value>)>,
    scratch: Vec<Value>,
    open: Vec<usize>,
    /// The inputs of the last edge, if they are wanted.
    inputs: Vec<Value>,
    recording: bool,
    steps: u64,
    nearest: u32,
}

impl<'p> Machine<'p> {
    pub(super) fn new(terms: &mut Terms, program: &'p Program, distances: &'p [u32]) -> Machine<'p> {
        let mut slots: FxHashMap<Var, usize> = program.globals.iter().copied().zip(0..).collect();
        for proc in &program.procs {
            slots.extend(proc.vars().zip(program.globals.len()..));
        }
        let liveness = Liveness::new(terms, program);
        let live = |proc: &Procedure| liveness.live(proc.entry).collect::<BTreeSet<Var>>();
        let (mut edges, mut leaving) = (Vec::new(), vec![Vec::new(); program.locs.len()]);
        for (id, edge) in program.edges() {
            leaving[edge.from.index()].push(edges.len());
            edges.push(Edge { id, to: edge.to, op: compile(terms, &edge.op, &slots) });
        }
        let exits = leaving.into_iter().map(|edges_here| exits(terms, program, &edges, edges_here)).collect();
        let procs = program.procs.iter().map(|proc| {
            let live = live(proc);
            let sort = |var: &Var| (terms.var_sort(*var).clone(), live.contains(var));
            let results = proc.results.iter().map(|var| slots[var]).collect();
            Proc { entry: proc.entry, exit: proc.exit, results, leftovers: proc.inputs().map(sort).collect() }
        });
        let main = program.proc(program.main);
        let live = live(main);
        let given = program.globals.iter().chain(&main.params);
        let given = given.map(|var| (terms.var_sort(*var).clone(), live.contains(var))).collect();
        Machine {
            program,
            procs: procs.collect(),
            edges,
            exits,
            distances,
            given,
            globals: program.globals.len(),
            values: Vec::new(),
            stack: Vec::new(),
            scratch: Vec::new(),
            open: Vec::new(),
            inputs: Vec::new(),
            recording: false,
            steps: 0,
            nearest: u32::MAX,
        }
    }

    /// How many steps the last run took.
    pub(super) fn steps(&self) -> u64 {
        self.steps
    }

    /// How near the last run came to an error.
    pub(super) fn nearest(&self) -> u32 {
        self.nearest
    }

    /// Runs the program once.
    pub(super) fn run(&mut self, genes: &mut Genes<'_>, coverage: &mut Coverage, limit: u64, stop: &StopSignal) -> End {
        self.start(genes);
        self.go(genes, limit, stop, &mut |edge, _| {
            if let Some(edge) = edge {
                coverage.take(edge);
            }
        })
    }

    /// Repeats the run of these genes into an error: its start and its actions.
    pub(super) fn record(&mut self, genes: &[u64]) -> (Vec<Value>, Vec<Action>) {
        let mut genes = Repeat(genes.iter());
        self.recording = true;
        self.start(&mut genes);
        let (start, mut actions) = (self.values.clone(), Vec::new());
        let ids: Vec<EdgeId> = self.edges.iter().map(|edge| edge.id).collect();
        self.go(&mut genes, u64::MAX, &StopSignal::never(), &mut |edge, inputs| {
            actions.push(match edge {
                Some(edge) => Action::Take { edge: ids[edge], inputs: inputs.to_vec() },
                None => Action::Return,
            });
        });
        (start, actions)
    }

    fn start(&mut self, choose: &mut dyn Choose) {
        self.stack.clear();
        (self.steps, self.nearest) = (0, u32::MAX);
        let leftovers = &self.procs[self.program.main.index()].leftovers;
        let sorts = self.given.iter().chain(leftovers);
        self.values = sorts.map(|(sort, matters)| leftover(choose, sort, *matters)).collect();
    }

    /// Goes on until the run ends. `tell` is handed each edge with its inputs, and `None` for a return.
    fn go(
        &mut self,
        choose: &mut dyn Choose,
        limit: u64,
        stop: &StopSignal,
        tell: &mut dyn FnMut(Option<usize>, &[Value]),
    ) -> End {
        let mut proc = self.program.main;
        let mut loc = self.procs[proc.index()].entry;
        loop {
            let distance = self.distances[loc.index()];
            self.nearest = self.nearest.min(distance);
            if distance == 0 {
                return End::Error;
            }
            if self.steps == limit {
                return End::Limit;
            }
            if self.steps.is_multiple_of(POLL) && stop.is_set() {
                return End::Stopped;
            }
            self.steps += 1;
            if loc == self.procs[proc.index()].exit {
                let Some((call, values)) = self.stack.pop() else { return End::Over };
                self.give_back(proc, call, values);
                (proc, loc) = (self.edges[call].id.proc, self.edges[call].to);
                tell(None, &[]);
                continue;
            }
            let edge = match self.choose_edge(choose, loc) {
                Ok(Some(edge)) => edge,
                Ok(None) => return End::Over,
                Err(TooLong) => return End::Long,
            };
            if self.take(choose, edge) == Err(TooLong) {
                return End::Long;
            }
            tell(Some(edge), &self.inputs);
            match &self.edges[edge].op {
                Compiled::Call { callee, .. } => (proc, loc) = (*callee, self.procs[callee.index()].entry),
                Compiled::Assume(_) | Compiled::Assign(..) | Compiled::Update(..) | Compiled::Havoc(_) => {
                    loc = self.edges[edge].to;
                }
            }
        }
    }

    /// An edge that can be taken. If there are several, a gene decides.
    fn choose_edge(&mut self, choose: &mut dyn Choose, loc: Loc) -> Result<Option<usize>, TooLong> {
        let open = match &self.exits[loc.index()] {
            Exits::Fork(yes, no) => {
                let holds = holds(&self.edges[*yes], &self.values, &mut self.scratch)?;
                return Ok(Some(if holds { *yes } else { *no }));
            }
            Exits::Some(edges) => {
                self.open.clear();
                for edge in edges {
                    if holds(&self.edges[*edge], &self.values, &mut self.scratch)? {
                        self.open.push(*edge);
                    }
                }
                &self.open
            }
        };
        Ok(match open.as_slice() {
            [] => None,
            [edge] => Some(*edge),
            several => {
                let at = choose.input() % several.len() as u64;
                usize::try_from(at).ok().and_then(|at| several.get(at)).copied()
            }
        })
    }

    /// Takes an edge that can be taken.
    fn take(&mut self, choose: &mut dyn Choose, edge: usize) -> Result<(), TooLong> {
        let Machine { values, scratch, inputs, stack, procs, .. } = self;
        inputs.clear();
        match &self.edges[edge].op {
            Compiled::Assume(_) => {}
            Compiled::Assign(code, slots) => {
                compute(code, values, scratch)?;
                for (at, slot) in slots.iter().enumerate() {
                    values[*slot] = code.result(at, scratch).clone();
                }
                // What is left there would be a second owner of an array.
                scratch.clear();
            }
            Compiled::Update(code, slot, count) => {
                compute(code, values, scratch)?;
                let old = std::mem::replace(&mut values[*slot], Value::Bool(false));
                let Value::Array(mut array) = old else { unreachable!("only arrays are updated") };
                for at in 0..*count {
                    let (index, element) = (code.result(2 * at, scratch), code.result(2 * at + 1, scratch));
                    *array = array.store(index.clone(), element.clone());
                }
                values[*slot] = Value::Array(array);
            }
            Compiled::Havoc(slots) => {
                for (slot, sort) in slots {
                    values[*slot] = express(choose.input(), sort);
                }
                if self.recording {
                    inputs.extend(slots.iter().map(|(slot, _)| values[*slot].clone()));
                }
            }
            Compiled::Call { callee, args, count, .. } => {
                compute(args, values, scratch)?;
                let own = values.split_off(self.globals);
                stack.push((edge, own));
                values.extend((0..*count).map(|at| args.result(at, scratch).clone()));
                let leftovers = procs[callee.index()].leftovers.iter();
                values.extend(leftovers.map(|(sort, matters)| leftover(choose, sort, *matters)));
                if self.recording {
                    inputs.extend(values[self.globals + count..].iter().cloned());
                }
                scratch.clear();
            }
        }
        Ok(())
    }

    /// Returns to the caller.
    fn give_back(&mut self, callee: ProcId, call: usize, own: Vec<Value>) {
        let Compiled::Call { results, .. } = &self.edges[call].op else { unreachable!("only calls suspend a caller") };
        let given: Vec<Value> =
            self.procs[callee.index()].results.iter().map(|slot| self.values[*slot].clone()).collect();
        self.values.truncate(self.globals);
        self.values.extend(own);
        for (slot, value) in results.iter().zip(given) {
            self.values[*slot] = value;
        }
    }
}

/// The value of a variable that nothing sets.
fn leftover(choose: &mut dyn Choose, sort: &Sort, matters: bool) -> Value {
    if matters { express(choose.leftover(), sort) } else { Value::default_of(sort) }
}

/// A number is longer than the interpreter allows: squared again and again, it would fill the memory.
#[derive(Debug, PartialEq, Eq)]
struct TooLong;

/// Runs the code of an edge.
fn compute(code: &Code, values: &[Value], scratch: &mut Vec<Value>) -> Result<(), TooLong> {
    if code.run_while(values, scratch, is_short) { Ok(()) } else { Err(TooLong) }
}

/// Whether the edge can be taken.
fn holds(edge: &Edge, values: &[Value], scratch: &mut Vec<Value>) -> Result<bool, TooLong> {
    match &edge.op {
        Compiled::Assume(code) => {
            compute(code, values, scratch)?;
            Ok(code.result(0, scratch).as_bool())
        }
        Compiled::Assign(..) | Compiled::Update(..) | Compiled::Havoc(_) | Compiled::Call { .. } => Ok(true),
    }
}

fn compile(terms: &Terms, op: &Op, slots: &FxHashMap<Var, usize>) -> Compiled {
    let code = |roots: &[Term]| Code::new(terms, roots, |var| slots[&var]);
    match op {
        Op::Assume(condition) => Compiled::Assume(code(&[*condition])),
        Op::Assign(pairs) => {
            if let [(var, term)] = pairs.as_slice()
                && let Some(cells) = stores(terms, *var, *term)
            {
                return Compiled::Update(code(&cells), slots[var], cells.len() / 2);
            }
            let roots: Vec<Term> = pairs.iter().map(|(_, term)| *term).collect();
            Compiled::Assign(code(&roots), pairs.iter().map(|(var, _)| slots[var]).collect())
        }
        Op::Havoc(vars) => Compiled::Havoc(vars.iter().map(|var| (slots[var], terms.var_sort(*var).clone())).collect()),
        Op::Call { callee, args, results } => Compiled::Call {
            callee: *callee,
            args: code(args),
            count: args.len(),
            results: results.iter().map(|var| slots[var]).collect(),
        },
    }
}

/// If `term` is `var` with some cells changed: their indices and elements in turn, first ones first.
fn stores(terms: &Terms, var: Var, mut term: Term) -> Option<Vec<Term>> {
    let mut cells = Vec::new();
    loop {
        match terms.node(term) {
            Node::App(Fun::Store, args) => {
                cells.extend([args[2], args[1]]);
                term = args[0];
            }
            Node::Var(base) if *base == var && !cells.is_empty() => {
                cells.reverse();
                return Some(cells);
            }
            Node::App(..) | Node::Var(_) | Node::Const(_) => return None,
        }
    }
}

/// What leaves a location. A condition and its negation are looked at together.
fn exits(terms: &mut Terms, program: &Program, edges: &[Edge], here: Vec<usize>) -> Exits {
    let condition = |edge: usize| match &program.edge(edges[edge].id).op {
        Op::Assume(condition) => Some(*condition),
        Op::Assign(_) | Op::Havoc(_) | Op::Call { .. } => None,
    };
    if let [yes, no] = here.as_slice()
        && let (Some(a), Some(b)) = (condition(*yes), condition(*no))
        && terms.not(a) == b
    {
        return Exits::Fork(*yes, *no);
    }
    Exits::Some(here)
}
