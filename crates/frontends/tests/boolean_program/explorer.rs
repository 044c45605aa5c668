//! A small explorer of Boolean programs: all (entry state, location, state) triples, with
//! summaries for calls. It reads the program model only and knows nothing of the lowering.

use rustc_hash::{FxHashMap, FxHashSet};
use tamis_ir::validate::validate;
use tamis_ir::{Edge, Loc, Op, ProcId, Program};
use tamis_term::{Code, Term, Terms, Value, Var};

/// A valuation: bit i is the i-th of the globals and then of the procedure's variables.
pub type State = u64;
/// A procedure and the globals and parameters with which it is entered.
pub type Entry = (ProcId, State);
/// A call that waits: the caller's entry, its edge, and its state before the call.
type Waiting = (Entry, usize, State);

pub struct Explorer<'p> {
    /// What can be reached: how the procedure was entered, where control is, and the state.
    pub found: FxHashSet<(Entry, Loc, State)>,
    terms: &'p Terms,
    program: &'p Program,
    slots: FxHashMap<Var, usize>,
    code: FxHashMap<Term, Code>,
    out: FxHashMap<Loc, Vec<(ProcId, usize)>>,
    work: Vec<(Entry, Loc, State)>,
    waiting: FxHashMap<Entry, Vec<Waiting>>,
    exits: FxHashMap<Entry, Vec<State>>,
}

impl<'p> Explorer<'p> {
    /// Explores a program.
    pub fn run(terms: &'p Terms, program: &'p Program) -> Explorer<'p> {
        let mut slots: FxHashMap<Var, usize> = program.globals.iter().copied().zip(0..).collect();
        for proc in &program.procs {
            slots.extend(proc.vars().zip(program.globals.len()..));
        }
        let mut out: FxHashMap<Loc, Vec<(ProcId, usize)>> = FxHashMap::default();
        for (id, edge) in program.edges() {
            out.entry(edge.from).or_default().push((id.proc, id.index as usize));
        }
        let mut explorer = Explorer {
            terms,
            program,
            slots,
            code: FxHashMap::default(),
            out,
            found: FxHashSet::default(),
            work: Vec::new(),
            waiting: FxHashMap::default(),
            exits: FxHashMap::default(),
        };
        let bits = program.globals.len() + program.proc(program.main).params.len();
        for state in 0..1 << bits {
            explorer.enter((program.main, state));
        }
        while let Some((entry, loc, state)) = explorer.work.pop() {
            explorer.visit(entry, loc, state);
        }
        explorer
    }

    fn add(&mut self, entry: Entry, loc: Loc, state: State) {
        if self.found.insert((entry, loc, state)) {
            self.work.push((entry, loc, state));
            assert!(self.found.len() < 5_000_000, "the program is too large for the explorer");
        }
    }

    fn enter(&mut self, (proc, state): Entry) {
        let procedure = self.program.proc(proc);
        let inputs: Vec<Var> = procedure.inputs().copied().collect();
        for state in self.any(state, &inputs) {
            self.add((proc, state & self.low(proc)), procedure.entry, state);
        }
    }

    /// The bits of the globals and of a procedure's parameters.
    fn low(&self, proc: ProcId) -> State {
        (1 << (self.program.globals.len() + self.program.proc(proc).params.len())) - 1
    }

    fn set(&self, state: State, var: Var, value: bool) -> State {
        let bit = 1 << self.slots[&var];
        if value { state | bit } else { state & !bit }
    }

    fn get(&self, state: State, var: Var) -> bool {
        state >> self.slots[&var] & 1 == 1
    }

    fn any(&self, state: State, vars: &[Var]) -> Vec<State> {
        let assign = |bits: u64| {
            vars.iter().enumerate().fold(state, |state, (i, var)| self.set(state, *var, bits >> i & 1 == 1))
        };
        (0..1 << vars.len()).map(assign).collect()
    }

    fn eval(&mut self, term: Term, state: State) -> bool {
        let slots = &self.slots;
        let code = self.code.entry(term).or_insert_with(|| Code::new(self.terms, &[term], |var| slots[&var]));
        let values: Vec<Value> = (0..64).map(|bit| Value::Bool(state >> bit & 1 == 1)).collect();
        let mut scratch = Vec::new();
        code.run(&values, &mut scratch);
        code.result(0, &scratch).as_bool()
    }

    fn visit(&mut self, entry: Entry, loc: Loc, state: State) {
        if loc == self.program.proc(entry.0).exit {
            self.exits.entry(entry).or_default().push(state);
            for waiting in self.waiting.get(&entry).cloned().unwrap_or_default() {
                self.resume(waiting, entry.0, state);
            }
        }
        for (proc, index) in self.out.get(&loc).cloned().unwrap_or_default() {
            let Edge { to, op, .. } = self.program.proc(proc).edges[index].clone();
            match op {
                Op::Assume(condition) => {
                    if self.eval(condition, state) {
                        self.add(entry, to, state);
                    }
                }
                Op::Assign(pairs) => {
                    let mut after = state;
                    for (var, value) in pairs {
                        let value = self.eval(value, state);
                        after = self.set(after, var, value);
                    }
                    self.add(entry, to, after);
                }
                Op::Havoc(vars) => {
                    for state in self.any(state, &vars) {
                        self.add(entry, to, state);
                    }
                }
                Op::Call { callee, args, .. } => {
                    let globals = (1 << self.program.globals.len()) - 1;
                    let mut start = state & globals;
                    let params = self.program.proc(callee).params.clone();
                    for (param, arg) in params.into_iter().zip(args) {
                        let value = self.eval(arg, state);
                        start = self.set(start, param, value);
                    }
                    let (called, waiting) = ((callee, start), (entry, index, state));
                    self.waiting.entry(called).or_default().push(waiting);
                    self.enter(called);
                    for exit in self.exits.get(&called).cloned().unwrap_or_default() {
                        self.resume(waiting, callee, exit);
                    }
                }
            }
        }
    }

    fn resume(&mut self, (entry, index, before): Waiting, callee: ProcId, exit: State) {
        let edge = &self.program.proc(entry.0).edges[index];
        let Op::Call { results, .. } = &edge.op else { unreachable!("only calls wait") };
        let globals = (1 << self.program.globals.len()) - 1;
        let mut after = before & !globals | exit & globals;
        for (target, result) in results.iter().zip(&self.program.proc(callee).results) {
            after = self.set(after, *target, self.get(exit, *result));
        }
        self.add(entry, edge.to, after);
    }

    /// Whether one of the locations can be reached.
    pub fn reaches(&self, locs: &[Loc]) -> bool {
        self.found.iter().any(|(_, loc, _)| locs.contains(loc))
    }
}

/// The rules of the program model, and what this front end promises on top.
pub fn check_shape(terms: &Terms, program: &Program) {
    validate(terms, program).unwrap();
    assert!(program.default.is_some());
    for (_, proc) in program.procs() {
        for var in proc.vars() {
            assert!(terms.name(var).starts_with(&format!("{}::", proc.name)), "{}", terms.name(var));
        }
        let mut leaving: FxHashMap<Loc, usize> = FxHashMap::default();
        for edge in &proc.edges {
            assert!(
                edge.from != proc.exit && edge.to != proc.entry,
                "nothing leaves the exit or comes back to the entry"
            );
            assert!(edge.span.start < edge.span.end, "every edge has a place");
            *leaving.entry(edge.from).or_default() += 1;
            match &edge.op {
                Op::Assume(condition) => assert!(!terms.is_true(*condition) || edge.from != edge.to),
                Op::Assign(pairs) => assert!(!pairs.is_empty()),
                Op::Havoc(vars) => assert!(!vars.is_empty()),
                Op::Call { .. } => {}
            }
        }
        let stuck = |edge: &Edge| edge.to != proc.exit && !leaving.contains_key(&edge.to);
        let errors: FxHashSet<Loc> = program.errors.iter().flat_map(|property| property.locs.clone()).collect();
        for edge in proc.edges.iter().filter(|edge| stuck(edge)) {
            // Only errors and endless loops without a body end a path.
            let label = &program.locs[edge.to.index()];
            assert!(errors.contains(&edge.to) || label.span.start < label.span.end, "{edge:?}");
        }
    }
}
