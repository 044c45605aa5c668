//! From rules to procedures.

use super::ast::{File, Rule};
use super::names::{Head, Names, State, Symbol};
use super::relation::Scope;
use crate::Lowered;
use rustc_hash::FxHashMap;
use std::sync::Arc;
use tamis_ir::{Diagnostic, Loc, Op, ProcId, Program, Property, Sources, Span};
use tamis_term::{Sort, Term, Terms, Var};

/// A symbol has a location in each procedure that it occurs in: there can be quadratically many.
const MAX_LOCATIONS: usize = 1_000_000;

/// The symbol that must not be on top if nobody says otherwise.
const ERROR: &str = "error";

/// Lowers a system.
pub(super) fn lower(file: &File<'_>, terms: &mut Terms, sources: Arc<Sources>) -> Result<Lowered, Vec<Diagnostic>> {
    let names = Names::new(file)?;
    let mut program = Program::new(sources);
    let globals: Vec<Var> = file.globals.iter().map(|name| terms.declare(name.text, Sort::Bool)).collect();
    program.globals.clone_from(&globals);
    let returns = names.returns(file);
    let state = (returns.len() > 1).then(|| {
        let bits = usize::BITS - (returns.len() - 1).leading_zeros();
        let var = terms.declare("$state", Sort::BitVec(bits));
        program.globals.push(var);
        (var, bits)
    });
    let mut rules: FxHashMap<Head, Vec<&Rule>> = FxHashMap::default();
    for rule in &file.rules {
        rules.entry(names.head(&rule.from[0], &rule.from[1])).or_default().push(rule);
    }
    let mut lowering = Lowering {
        file,
        names,
        terms,
        program,
        globals,
        returns,
        state,
        rules,
        procs: FxHashMap::default(),
        waiting: Vec::new(),
        places: FxHashMap::default(),
        errors: Vec::new(),
    };
    lowering.system();
    let Lowering { mut program, errors, names, places, .. } = lowering;
    if !errors.is_empty() {
        return Err(errors);
    }
    properties(&mut program, &names, &places);
    Ok(Lowered { program, warnings: Vec::new() })
}

struct Lowering<'l, 's> {
    file: &'l File<'s>,
    names: Names<'s>,
    terms: &'l mut Terms,
    program: Program,
    globals: Vec<Var>,
    /// The control states in which a procedure can return.
    returns: Vec<State>,
    /// The variable that says which it was, if there are several, and its width.
    state: Option<(Var, u32)>,
    rules: FxHashMap<Head, Vec<&'l Rule<'s>>>,
    /// By the head that a push begins with.
    procs: FxHashMap<Head, ProcId>,
    /// Procedures without a body.
    waiting: Vec<(Head, Frame)>,
    /// By head: its locations.
    places: FxHashMap<Head, Vec<Loc>>,
    errors: Vec<Diagnostic>,
}

/// A procedure while its body is made.
struct Frame {
    proc: ProcId,
    name: String,
    /// By declaration: its variables in this procedure.
    locals: FxHashMap<usize, Vec<Var>>,
    /// Helpers for the values after a rule: of globals; by declaration, with one and two primes.
    next: Option<Vec<Var>>,
    next_locals: FxHashMap<(usize, u8), Vec<Var>>,
    heads: FxHashMap<Head, Loc>,
    open: Vec<Head>,
}

impl<'s> Lowering<'_, 's> {
    fn system(&mut self) {
        let (state, stack) = (self.names.state_numbers[self.file.state.text], &self.file.stack);
        let stack: Vec<Symbol> = stack.iter().map(|name| self.names.symbol_numbers[name.text]).collect();
        let span = self.file.state.span;
        let name = self.fresh_name("main");
        let mut main = self.frame(name, span);
        self.program.main = main.proc;
        // What lies deeper goes on in whatever state is left in front of it.
        let mut ways = vec![(state, self.program.proc(main.proc).entry)];
        for (depth, symbol) in stack.iter().enumerate() {
            if depth + 1 == stack.len() {
                for (state, from) in ways.drain(..) {
                    let to = self.place(&mut main, (state, *symbol));
                    self.go(&main, from, to, span);
                }
                break;
            }
            let mut behind: Vec<(State, Loc)> = Vec::new();
            for (state, from) in std::mem::take(&mut ways) {
                let loc = self.program.add_loc(span);
                self.call(&mut main, from, loc, (state, *symbol), None, span);
                for state in self.returns.clone() {
                    let known = behind.iter().find(|(known, _)| *known == state).map(|(_, loc)| *loc);
                    let to = known.unwrap_or_else(|| self.program.add_loc(span));
                    if known.is_none() {
                        behind.push((state, to));
                    }
                    self.came_back(&main, loc, to, state, span);
                }
            }
            ways = behind;
        }
        self.body(main);
        while let Some((head, mut frame)) = self.waiting.pop() {
            let entry = self.program.proc(frame.proc).entry;
            let to = self.place(&mut frame, head);
            let span = self.program.proc(frame.proc).span;
            self.go(&frame, entry, to, span);
            self.body(frame);
        }
    }

    fn fresh_name(&self, name: &str) -> String {
        let mut name = name.to_owned();
        while self.names.symbol_numbers.contains_key(name.as_str()) {
            name.push_str(".start");
        }
        name
    }

    fn frame(&mut self, name: String, span: Span) -> Frame {
        let proc = self.program.add_proc(&name, span);
        Frame {
            proc,
            name,
            locals: FxHashMap::default(),
            next: None,
            next_locals: FxHashMap::default(),
            heads: FxHashMap::default(),
            open: Vec::new(),
        }
    }

    /// The location of a head in a procedure.
    fn place(&mut self, frame: &mut Frame, head: Head) -> Loc {
        if let Some(known) = frame.heads.get(&head) {
            return *known;
        }
        let span = self.rules.get(&head).and_then(|rules| rules.first()).map_or(self.file.state.span, |rule| rule.span);
        let loc = self.program.add_loc(span);
        self.program.locs[loc.index()].label = Some(self.names.called(head));
        frame.heads.insert(head, loc);
        frame.open.push(head);
        self.places.entry(head).or_default().push(loc);
        if self.program.locs.len() == MAX_LOCATIONS {
            let error =
                Diagnostic::error(span, format!("the system has over {MAX_LOCATIONS} pairs of procedure and symbol"));
            self.errors.push(error.hint("push fewer different symbols"));
        }
        loc
    }

    fn go(&mut self, frame: &Frame, from: Loc, to: Loc, span: Span) {
        let always = self.terms.bool(true);
        self.program.add_edge(frame.proc, from, to, Op::Assume(always), span);
    }

    /// Control goes on behind a call if the callee left that state.
    fn came_back(&mut self, frame: &Frame, from: Loc, to: Loc, state: State, span: Span) {
        let is_it = match self.state {
            Some((var, bits)) => {
                let (now, number) = (self.terms.var(var), self.number(state, bits));
                self.terms.eq(now, number)
            }
            None => self.terms.bool(true),
        };
        self.program.add_edge(frame.proc, from, to, Op::Assume(is_it), span);
    }

    fn number(&mut self, state: State, bits: u32) -> Term {
        let at = self.returns.iter().position(|known| *known == state).unwrap_or_default();
        self.terms.bv(bits, at as u64)
    }

    /// The variables of a symbol's frame.
    fn locals(&mut self, frame: &mut Frame, symbol: Symbol) -> Vec<Var> {
        let Some(group) = self.names.groups[symbol] else { return Vec::new() };
        if let Some(known) = frame.locals.get(&group) {
            return known.clone();
        }
        let vars: Vec<Var> = (0..self.file.locals[group].vars.len())
            .map(|at| {
                let name = format!("{}::{}", frame.name, self.local_name(group, at));
                self.terms.declare(&name, Sort::Bool)
            })
            .collect();
        self.program.procs[frame.proc.index()].locals.extend(&vars);
        frame.locals.insert(group, vars.clone());
        vars
    }

    /// A variable's name, with a symbol of its frame if another frame's has the same.
    fn local_name(&self, group: usize, at: usize) -> String {
        let locals = &self.file.locals[group];
        let name = locals.vars[at].text;
        let has = |other: &super::ast::Locals<'_>| other.vars.iter().any(|var| var.text == name);
        match locals.symbols.first() {
            Some(symbol) if self.file.locals.iter().filter(|other| has(other)).count() > 1 => {
                format!("{name}@{}", symbol.text)
            }
            _ => name.to_owned(),
        }
    }

    fn helpers(&mut self, frame: &Frame, kind: &str, count: usize) -> Vec<Var> {
        let name = |at: usize| format!("{}::${kind}{at}", frame.name);
        let vars: Vec<Var> = (0..count).map(|at| self.terms.declare(&name(at), Sort::Bool)).collect();
        self.program.procs[frame.proc.index()].locals.extend(&vars);
        vars
    }

    fn next(&mut self, frame: &mut Frame) -> Vec<Var> {
        if frame.next.is_none() {
            frame.next = Some(self.helpers(frame, "next", self.globals.len()));
        }
        frame.next.clone().unwrap_or_default()
    }

    fn next_locals(&mut self, frame: &mut Frame, symbol: Symbol, primes: u8) -> Vec<Var> {
        let Some(group) = self.names.groups[symbol] else { return Vec::new() };
        if !frame.next_locals.contains_key(&(group, primes)) {
            let kind = format!("next{group}.{primes}.");
            let vars = self.helpers(frame, &kind, self.file.locals[group].vars.len());
            frame.next_locals.insert((group, primes), vars);
        }
        frame.next_locals[&(group, primes)].clone()
    }

    fn body(&mut self, mut frame: Frame) {
        while let Some(head) = frame.open.pop() {
            if !self.errors.is_empty() {
                return;
            }
            for rule in self.rules.get(&head).cloned().unwrap_or_default() {
                if let Err(error) = self.rule(&mut frame, head, rule) {
                    self.errors.push(error);
                    return;
                }
            }
        }
    }

    fn rule(&mut self, frame: &mut Frame, head: Head, rule: &Rule<'s>) -> Result<(), Diagnostic> {
        let (from, span) = (self.place(frame, head), rule.span);
        let word: Vec<Symbol> = rule.word.iter().map(|name| self.names.symbol_numbers[name.text]).collect();
        let target = self.names.state_numbers[rule.state.text];
        // The values before, and behind the arrow: globals, and each frame's own.
        let now = self.locals(frame, head.1);
        let after = self.next(frame);
        let frames: Vec<(Symbol, Vec<Var>)> =
            word.iter().zip(1..).map(|(symbol, primes)| (*symbol, self.next_locals(frame, *symbol, primes))).collect();
        let scope = Scope {
            names: &self.names,
            file: self.file,
            globals: [&self.globals, &after],
            head: head.1,
            now: &now,
            frames: &frames,
        };
        let condition = match &rule.relation {
            Some(formula) => scope.term(self.terms, formula)?,
            None => self.terms.bool(true),
        };
        let chosen: Vec<Var> = after.iter().chain(frames.iter().flat_map(|(_, vars)| vars)).copied().collect();
        let mut at = from;
        if !chosen.is_empty() {
            let to = self.program.add_loc(span);
            self.program.add_edge(frame.proc, at, to, Op::Havoc(chosen), span);
            at = to;
        }
        // The values of a pushed frame are handed over; those of the frame that stays are stored.
        let mut stored: Vec<(Var, Term)> = Vec::new();
        for (var, next) in self.globals.clone().into_iter().zip(&after) {
            stored.push((var, self.terms.var(*next)));
        }
        if let Some((symbol, next)) = frames.last() {
            for (var, next) in self.locals(frame, *symbol).into_iter().zip(next) {
                stored.push((var, self.terms.var(*next)));
            }
        }
        if let (Some((var, bits)), true) = (self.state, word.is_empty()) {
            stored.push((var, self.number(target, bits)));
        }
        let to = match word[..] {
            [] => self.program.proc(frame.proc).exit,
            [symbol] => self.place(frame, (target, symbol)),
            _ => self.program.add_loc(span),
        };
        if stored.is_empty() {
            self.program.add_edge(frame.proc, at, to, Op::Assume(condition), span);
        } else {
            let chosen = self.program.add_loc(span);
            self.program.add_edge(frame.proc, at, chosen, Op::Assume(condition), span);
            self.program.add_edge(frame.proc, chosen, to, Op::Assign(stored), span);
        }
        if let [callee, behind] = word[..] {
            let back = self.program.add_loc(span);
            self.call(frame, to, back, (target, callee), frames.first().map(|(_, vars)| &vars[..]), span);
            for state in self.returns.clone() {
                let place = self.place(frame, (state, behind));
                self.came_back(frame, back, place, state, span);
            }
        }
        Ok(())
    }

    /// Calls what a push begins with; its frame has these values, or any.
    fn call(&mut self, frame: &mut Frame, from: Loc, to: Loc, head: Head, values: Option<&[Var]>, span: Span) {
        let (callee, is_chosen) = (self.procedure(head, span), values.is_some());
        let mut from = from;
        let values = values.map_or_else(|| self.next_locals(frame, head.1, 1), <[Var]>::to_vec);
        if !is_chosen && !values.is_empty() {
            let to = self.program.add_loc(span);
            self.program.add_edge(frame.proc, from, to, Op::Havoc(values.clone()), span);
            from = to;
        }
        let args = values.iter().map(|var| self.terms.var(*var)).collect();
        self.program.add_edge(frame.proc, from, to, Op::Call { callee, args, results: Vec::new() }, span);
    }

    fn procedure(&mut self, head: Head, span: Span) -> ProcId {
        if let Some(known) = self.procs.get(&head) {
            return *known;
        }
        let mut frame = self.frame(self.names.called(head), span);
        let params = self.locals(&mut frame, head.1);
        let procedure = &mut self.program.procs[frame.proc.index()];
        procedure.locals.clear();
        procedure.params = params;
        self.procs.insert(head, frame.proc);
        let proc = frame.proc;
        self.waiting.push((head, frame));
        proc
    }
}

/// What can be asked: about symbols, and about heads if there are several control states.
fn properties(program: &mut Program, names: &Names<'_>, places: &FxHashMap<Head, Vec<Loc>>) {
    let several = names.states.len() > 1;
    for (symbol, text) in names.symbols.iter().enumerate() {
        let heads: Vec<(State, &Vec<Loc>)> =
            (0..names.states.len()).filter_map(|state| Some((state, places.get(&(state, symbol))?))).collect();
        let all = heads.iter().flat_map(|(_, locs)| locs.iter().copied()).collect();
        let id = program.add_property(Property::new(*text, format!("symbol {text} is on top of the stack"), all));
        if *text == ERROR {
            program.default = Some(id);
        }
        for (state, locs) in heads.into_iter().filter(|_| several) {
            let state = names.states[state];
            let about = format!("symbol {text} is on top of the stack in state {state}");
            program.add_property(Property::new(format!("{state}:{text}"), about, locs.clone()));
        }
    }
}
