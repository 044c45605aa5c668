//! A trace told step by step: where each step is in the source, how deep in calls, and what
//! it changes of what the reader knows.
//!
//! Variables start with arbitrary values, most of which do not matter. Only those that the
//! trace reads before it writes them are told, as inputs.

use crate::expr::{is_hidden, user_name};
use crate::style::{clip, one_line};
use crate::values::{changes, value_of};
use rustc_hash::{FxHashMap, FxHashSet};
use std::rc::Rc;
use tamis_ir::{Action, EdgeId, Loc, Op, ProcId, Program, Span, Step, Trace};
use tamis_term::{Term, Terms, Value, Var};

/// Source lines up to this width are shown whole; of longer ones only the step's own text.
const MAX_LINE: usize = 60;

/// A place in the source, with what to show of it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Place {
    /// The source's name.
    pub file: String,
    /// The line, counted from one.
    pub line: u32,
    /// The column, counted from one.
    pub column: u32,
    /// The line, trimmed, or the step's own text if the line is long.
    pub text: String,
}

/// What a step tells.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Note {
    /// A variable has a new value: `x = 5`.
    Change(String),
    /// The run chose a value: `x = 5`.
    Input(String),
    /// A procedure is entered: `f(x = 5)`.
    Enter(String),
    /// A procedure returned: its name.
    Leave(String),
}

/// A step with its surroundings.
#[derive(Clone, Debug)]
pub struct Told<'a> {
    /// The step.
    pub step: &'a Step,
    /// The edge that is taken; for a return, the call that ends.
    pub edge: Option<EdgeId>,
    /// The procedure in which the edge is.
    pub proc: ProcId,
    /// How many callers wait.
    pub depth: usize,
    /// The place of the edge.
    pub place: Option<Rc<Place>>,
    /// What is new to the reader.
    pub notes: Vec<Note>,
}

/// Finds the places of spans, each once.
#[derive(Debug)]
pub struct Places<'a> {
    program: &'a Program,
    found: FxHashMap<Span, Option<Rc<Place>>>,
}

impl<'a> Places<'a> {
    /// The places of a program.
    #[must_use]
    pub fn new(program: &'a Program) -> Places<'a> {
        Places { program, found: FxHashMap::default() }
    }

    /// The place of a span; none for code that has no place in any text.
    pub fn find(&mut self, span: Span) -> Option<Rc<Place>> {
        self.found.entry(span).or_insert_with(|| locate(self.program, span).map(Rc::new)).clone()
    }
}

fn locate(program: &Program, span: Span) -> Option<Place> {
    if span.end == 0 {
        return None;
    }
    let sources = &program.sources;
    let (source, position) = (sources.get(span.source)?, sources.position(span)?);
    let line = sources.line(span)?.trim();
    let text = if line.len() <= MAX_LINE { line } else { sources.text(span)?.lines().next().unwrap_or(line) };
    let text = clip(&one_line(text), MAX_LINE);
    Some(Place { file: source.name.clone(), line: position.line, column: position.column, text })
}

/// Tells a trace. The trace must be one that the program can run: every verdict's is.
#[derive(Debug)]
pub struct Walk<'a> {
    terms: &'a Terms,
    program: &'a Program,
    trace: &'a Trace,
    places: Places<'a>,
    globals: FxHashSet<Var>,
    matter: FxHashSet<(usize, Var)>,
    /// What the reader knows of the globals.
    known: FxHashMap<Var, Value>,
    /// Which inputs are told.
    inputs: Tell,
    frames: Vec<Frame>,
    loc: Loc,
    at: usize,
}

#[derive(Debug)]
struct Frame {
    proc: ProcId,
    call: Option<EdgeId>,
    known: FxHashMap<Var, Value>,
}

impl<'a> Walk<'a> {
    /// A walk along `trace`.
    #[must_use]
    pub fn new(terms: &'a Terms, program: &'a Program, trace: &'a Trace) -> Walk<'a> {
        Walk {
            terms,
            program,
            trace,
            places: Places::new(program),
            globals: program.globals.iter().copied().collect(),
            matter: inputs_that_matter(terms, program, trace),
            known: FxHashMap::default(),
            inputs: Tell::All,
            frames: vec![Frame { proc: program.main, call: None, known: FxHashMap::default() }],
            loc: program.proc(program.main).entry,
            at: 0,
        }
    }

    /// The same walk, which tells of an input only when it has another value than before.
    #[must_use]
    pub fn with_new_inputs(mut self) -> Walk<'a> {
        self.inputs = Tell::News;
        self
    }

    /// The start values that matter. To be asked first.
    pub fn start(&mut self) -> Vec<Note> {
        let trace = self.trace;
        let chosen: Vec<(Var, Value)> =
            trace.start.iter().filter(|(var, _)| self.matter.contains(&(0, *var))).cloned().collect();
        self.learn(&chosen, Tell::All).into_iter().map(Note::Input).collect()
    }

    /// The next step.
    pub fn step(&mut self) -> Option<Told<'a>> {
        let trace = self.trace;
        let step = trace.steps.get(self.at)?;
        self.at += 1;
        let told = match &step.action {
            Action::Take { edge, .. } => self.take(step, *edge),
            Action::Return => self.give_back(step),
        };
        Some(told)
    }

    /// Where the walk is: the location, its place, and how many callers wait.
    pub fn here(&mut self) -> (Loc, Option<Rc<Place>>, usize) {
        let place = self.program.locs.get(self.loc.index()).and_then(|loc| self.places.find(loc.span));
        (self.loc, place, self.depth())
    }

    /// How many steps were told.
    #[must_use]
    pub fn told(&self) -> usize {
        self.at
    }

    fn depth(&self) -> usize {
        self.frames.len().saturating_sub(1)
    }

    fn take(&mut self, step: &'a Step, id: EdgeId) -> Told<'a> {
        let (program, depth) = (self.program, self.depth());
        let edge = program.edge(id);
        self.loc = edge.to;
        let notes = match &edge.op {
            Op::Assume(_) => Vec::new(),
            Op::Assign(_) => self.learn(&step.writes, Tell::News).into_iter().map(Note::Change).collect(),
            Op::Havoc(_) => {
                let mut notes = self.learn(&step.writes, self.inputs);
                // What a function returns into a hidden variable is told by the function's name.
                if let (Some(input), true) = (program.notes.inputs.get(&id), notes.is_empty()) {
                    let values = step.writes.iter().map(|(var, value)| value_of(program, *var, value));
                    notes.extend(values.map(|value| format!("{}() = {value}", one_line(&input.function))));
                }
                notes.into_iter().map(Note::Input).collect()
            }
            Op::Call { callee, .. } => self.enter(step, id, *callee),
        };
        Told { step, edge: Some(id), proc: id.proc, depth, place: self.places.find(edge.span), notes }
    }

    fn enter(&mut self, step: &Step, call: EdgeId, callee: ProcId) -> Vec<Note> {
        let proc = self.program.proc(callee);
        self.loc = proc.entry;
        self.frames.push(Frame { proc: callee, call: Some(call), known: FxHashMap::default() });
        let (given, open) = step.writes.split_at(proc.params.len().min(step.writes.len()));
        let args = self.learn(given, Tell::All);
        let mut notes = vec![Note::Enter(format!("{}({})", one_line(&proc.name), args.join(", ")))];
        let open: Vec<(Var, Value)> =
            open.iter().filter(|(var, _)| self.matter.contains(&(self.at, *var))).cloned().collect();
        notes.extend(self.learn(&open, Tell::All).into_iter().map(Note::Input));
        notes
    }

    fn give_back(&mut self, step: &'a Step) -> Told<'a> {
        let callee = self.frames.pop();
        let (call, name) = match &callee {
            Some(frame) => (frame.call, one_line(&self.program.proc(frame.proc).name)),
            None => (None, String::new()),
        };
        let mut notes = vec![Note::Leave(name)];
        notes.extend(self.learn(&step.writes, Tell::All).into_iter().map(Note::Change));
        let edge = call.map(|call| self.program.edge(call));
        if let Some(edge) = edge {
            self.loc = edge.to;
        }
        let place = edge.and_then(|edge| self.places.find(edge.span));
        let proc = call.map_or(self.program.main, |call| call.proc);
        Told { step, edge: call, proc, depth: self.depth(), place, notes }
    }

    /// What writes tell a reader who knows what was told so far.
    fn learn(&mut self, writes: &[(Var, Value)], tell: Tell) -> Vec<String> {
        let mut told = Vec::new();
        for (var, new) in writes {
            let name = self.terms.name(*var);
            if is_hidden(name) {
                continue;
            }
            let known = match self.frames.last_mut() {
                Some(frame) if !self.globals.contains(var) => &mut frame.known,
                Some(_) | None => &mut self.known,
            };
            let old = known.insert(*var, new.clone());
            let old = old.as_ref().filter(|old| tell == Tell::News || *old != new);
            told.extend(changes(self.program, *var, &one_line(&user_name(name)), old, new));
        }
        told
    }
}

/// Which writes are worth telling.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Tell {
    /// Those that change what the reader knows.
    News,
    /// All: inputs, arguments and results.
    All,
}

/// The arbitrary values that the trace reads before it writes them: the variable, and where
/// its value comes from (0 for the start, n for the n-th step, a call).
pub(crate) fn inputs_that_matter(terms: &Terms, program: &Program, trace: &Trace) -> FxHashSet<(usize, Var)> {
    let mut reads = Reads { terms, program, found: FxHashMap::default() };
    let mut matter = FxHashSet::default();
    let own = program.proc(program.main).vars();
    // Where each variable's value comes from, if it is still the arbitrary one.
    let mut globals: FxHashMap<Var, usize> = program.globals.iter().map(|var| (*var, 0)).collect();
    let mut frames: Vec<(FxHashMap<Var, usize>, ProcId)> = vec![(own.map(|var| (var, 0)).collect(), program.main)];
    for (at, step) in (1..).zip(&trace.steps) {
        let Some((locals, proc)) = frames.last_mut() else { break };
        let read = match &step.action {
            Action::Take { edge, .. } => reads.of(*edge),
            Action::Return => Rc::from(program.proc(*proc).results.as_slice()),
        };
        for var in read.iter() {
            if let Some(origin) = locals.remove(var).or_else(|| globals.remove(var)) {
                matter.insert((origin, *var));
            }
        }
        match &step.action {
            Action::Take { edge, .. } => {
                if let Op::Call { callee, .. } = program.edge(*edge).op {
                    let open = program.proc(callee).inputs().map(|var| (*var, at)).collect();
                    frames.push((open, callee));
                }
            }
            Action::Return => {
                frames.pop();
            }
        }
        let entering = matches!(&step.action, Action::Take { edge, .. } if reads.is_call(*edge));
        if let Some((locals, _)) = frames.last_mut().filter(|_| !entering) {
            for (var, _) in &step.writes {
                locals.remove(var);
                globals.remove(var);
            }
        }
    }
    matter
}

/// The variables that edges read, each edge looked at once.
struct Reads<'a> {
    terms: &'a Terms,
    program: &'a Program,
    found: FxHashMap<EdgeId, Rc<[Var]>>,
}

impl Reads<'_> {
    fn of(&mut self, id: EdgeId) -> Rc<[Var]> {
        let read = |roots: &[Term]| self.terms.free_vars(roots).into_iter().collect();
        let find = || match &self.program.edge(id).op {
            Op::Assume(condition) => read(&[*condition]),
            Op::Assign(pairs) => read(&pairs.iter().map(|(_, term)| *term).collect::<Vec<_>>()),
            Op::Havoc(_) => Rc::from([]),
            Op::Call { args, .. } => read(args),
        };
        self.found.entry(id).or_insert_with(find).clone()
    }

    fn is_call(&self, id: EdgeId) -> bool {
        matches!(self.program.edge(id).op, Op::Call { .. })
    }
}
