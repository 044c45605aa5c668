//! Control flow: statements to locations and edges.
//!
//! A statement starts at a location and ends at the location where the next one starts.
//! Plain jumps take no edge: what comes before them leads to their target. The guard of an
//! alternative and the checks of its first statement share one edge.

use super::expression::{Evaluator, Frame, Frames, Mode};
use super::transition::Transition;
use super::{Context, Label};
use crate::cursor::Refused;
use crate::remopla::ast::{Alternative, Expr, Name, Statement, Stmt};
use crate::remopla::names::{Module, ModuleId};
use rustc_hash::FxHashMap;
use tamis_ir::{Diagnostic, Loc, Op, ProcId, Span};
use tamis_term::{Sort, Term, Var};

/// The condition of an alternative, to be tested with its first statement.
#[derive(Clone, Copy, Debug)]
pub struct Guard {
    /// The condition.
    pub term: Term,
    /// Its place.
    pub span: Span,
}

/// Helpers of one sort.
#[derive(Debug, Default)]
struct Helpers {
    vars: Vec<Var>,
    /// How many of them `statement` uses.
    used: usize,
    statement: usize,
}

/// A procedure in the making.
pub struct Body<'c, 'n, 'a, 's> {
    pub(super) ctx: &'c mut Context<'n, 'a, 's>,
    /// The module, unless this is code outside modules.
    pub(super) module: Option<ModuleId>,
    /// What its labels are listed under.
    pub(super) name: &'s str,
    pub(super) proc: ProcId,
    /// Where the first statement starts.
    pub(super) start: Loc,
    pub(super) exit: Loc,
    pub(super) labels: FxHashMap<&'s str, Loc>,
    pub(super) frames: Frames<'n, 's>,
    /// Where a `break` leads, innermost last.
    breaks: Vec<Loc>,
    helpers: FxHashMap<Sort, Helpers>,
    helper_count: usize,
    /// Counts statements, to know which helpers are free again.
    statement: usize,
}

impl<'c, 'n, 'a, 's> Body<'c, 'n, 'a, 's> {
    /// A procedure without statements.
    pub fn new(ctx: &'c mut Context<'n, 'a, 's>, module: Option<ModuleId>, name: &'s str, proc: ProcId) -> Self {
        let procedure = ctx.program.proc(proc);
        let (start, exit) = (procedure.entry, procedure.exit);
        let locals = module.map(|id| &ctx.names.modules[id.0].scope);
        let frame = Frame { locals, globals: Some(&ctx.names.globals), cells: FxHashMap::default() };
        Body {
            ctx,
            module,
            name,
            proc,
            start,
            exit,
            labels: FxHashMap::default(),
            frames: [Some(frame), None, None],
            breaks: Vec::new(),
            helpers: FxHashMap::default(),
            helper_count: 0,
            statement: 0,
        }
    }

    /// The module that is lowered.
    pub(super) fn info(&self) -> Option<&'n Module<'a, 's>> {
        self.module.map(|id| &self.ctx.names.modules[id.0])
    }

    /// An evaluator of expressions without primes.
    pub(super) fn evaluator(&mut self, mode: Mode) -> Evaluator<'_, 'n, 'a, 's> {
        Evaluator { ctx: self.ctx, frames: &self.frames, mode, bound: Vec::new() }
    }

    /// A new statement begins: helpers can be used again.
    pub(super) fn statement_begins(&mut self) {
        self.statement += 1;
    }

    /// A variable that the current statement uses and nobody else reads.
    pub(super) fn helper(&mut self, sort: Sort) -> Var {
        let helpers = self.helpers.entry(sort.clone()).or_default();
        if helpers.statement != self.statement {
            helpers.statement = self.statement;
            helpers.used = 0;
        }
        if helpers.used == helpers.vars.len() {
            let name = format!("{}::$any{}", self.name, self.helper_count);
            self.helper_count += 1;
            let var = self.ctx.terms.declare(&name, sort);
            helpers.vars.push(var);
            self.ctx.program.procs[self.proc.index()].locals.push(var);
        }
        helpers.used += 1;
        helpers.vars[helpers.used - 1]
    }

    /// Lowers the statements of a module, from [`Body::start`] to the exit.
    pub fn statements(&mut self, statements: &'a [Statement<'s>]) {
        self.collect_labels(statements, true);
        self.symbols(statements);
        let flow: Vec<&Statement<'s>> = statements.iter().filter(|s| !matches!(s.kind, Stmt::Rule(_))).collect();
        let first_is_rule = matches!(statements.first(), Some(Statement { kind: Stmt::Rule(_), .. }));
        let Some(first) = flow.first() else {
            if statements.is_empty() {
                let always = self.ctx.terms.bool(true);
                let span = self.ctx.program.locs[self.exit.index()].span;
                self.edge(self.start, self.exit, Op::Assume(always), span);
            }
            self.rules(statements);
            return;
        };
        let from = if first_is_rule { self.begin(first) } else { self.start };
        self.block(&flow, from, self.exit, None);
        self.rules(statements);
    }

    /// Finds all labels, so that jumps can go forward.
    fn collect_labels(&mut self, statements: &'a [Statement<'s>], outermost: bool) {
        for (at, statement) in statements.iter().enumerate() {
            if let Some(label) = statement.label {
                let first = outermost && at == 0;
                let loc = if first { self.start } else { self.ctx.program.add_loc(statement.span) };
                if self.labels.insert(label.text, loc).is_some() {
                    self.ctx.report.error(label.span, format!("a second label `{}` in one module", label.text));
                }
                self.name_location(label.text, loc);
            }
            if let Stmt::If(alternatives) | Stmt::Do(alternatives) = &statement.kind {
                for alternative in alternatives {
                    self.collect_labels(&alternative.body, false);
                }
            }
        }
    }

    /// Puts a label on a location and makes it a property.
    pub(super) fn name_location(&mut self, label: &'s str, loc: Loc) {
        self.ctx.program.locs[loc.index()].label = Some(label.to_owned());
        self.ctx.labels.push(Label { name: label, module: self.name, loc });
    }

    pub(super) fn edge(&mut self, from: Loc, to: Loc, op: Op, span: Span) {
        self.ctx.program.add_edge(self.proc, from, to, op, span);
    }

    /// A chain of edges; one that does nothing if there is no operation.
    pub(super) fn chain(&mut self, from: Loc, to: Loc, ops: Vec<Op>, guard: Option<Guard>, span: Span) {
        let mut ops = ops;
        if ops.is_empty() {
            ops.push(Op::Assume(self.ctx.terms.bool(true)));
        }
        let last = ops.len() - 1;
        let mut here = from;
        for (at, op) in ops.into_iter().enumerate() {
            let next = if at == last { to } else { self.ctx.program.add_loc(span) };
            let terms = &self.ctx.terms;
            let tests =
                |guard: &Guard| matches!(op, Op::Assume(term) if !terms.is_true(guard.term) || terms.is_true(term));
            let place = guard.filter(|guard| at == 0 && tests(guard)).map_or(span, |guard| guard.span);
            self.edge(here, next, op, place);
            here = next;
        }
    }

    /// A rule from one location to another, behind a guard.
    pub(super) fn rule(&mut self, from: Loc, to: Loc, mut rule: Transition, guard: Option<Guard>, span: Span) {
        if let Some(guard) = guard {
            rule.before.insert(0, guard.term);
        }
        let ops = rule.ops(self.ctx.terms);
        self.chain(from, to, ops, guard, span);
    }

    fn block(&mut self, statements: &[&'a Statement<'s>], from: Loc, to: Loc, guard: Option<Guard>) {
        let mut from = from;
        let mut guard = guard;
        for (at, statement) in statements.iter().enumerate() {
            let next = statements.get(at + 1).map_or(to, |next| self.begin(next));
            // A jump that is not first has been followed by what comes before it.
            if at == 0 || self.jump(statement).is_none() {
                self.statement(statement, from, next, guard.take());
            }
            from = next;
        }
    }

    /// Where a statement starts: where it leads, if it is a plain jump.
    fn begin(&mut self, statement: &Statement<'s>) -> Loc {
        if let Some(label) = statement.label {
            return self.labels[label.text];
        }
        self.jump(statement).unwrap_or_else(|| self.ctx.program.add_loc(statement.span))
    }

    /// The target of a statement without a label that does nothing but jump.
    fn jump(&mut self, statement: &Statement<'s>) -> Option<Loc> {
        if statement.label.is_some() {
            return None;
        }
        match &statement.kind {
            Stmt::Goto(label, assigns) if assigns.is_empty() => Some(self.target(*label)),
            Stmt::Break => self.breaks.last().copied(),
            Stmt::Return(None) if self.info().is_none_or(|module| module.result.is_none()) => Some(self.exit),
            Stmt::Goto(..)
            | Stmt::Return(_)
            | Stmt::Skip(_)
            | Stmt::Assign(_)
            | Stmt::Call(_)
            | Stmt::If(_)
            | Stmt::Do(_)
            | Stmt::Rule(_) => None,
        }
    }

    /// The location of a label.
    fn target(&mut self, label: Name<'s>) -> Loc {
        if let Some(loc) = self.labels.get(label.text) {
            return *loc;
        }
        if self.module.is_some() && label.text == self.name {
            return self.start;
        }
        if self.leaves(label.text) {
            let message = format!("`goto {}` leaves the module", label.text);
            let hint = "call a module instead; a jump stays inside its module";
            self.ctx.report.error_with(label.span, message, hint);
        } else {
            let hint = format!("write `{}:` before a statement of this module", label.text);
            self.ctx.report.error_with(label.span, format!("unknown label `{}`", label.text), hint);
        }
        self.exit
    }

    /// Whether a name is a module or a label outside this module.
    pub(super) fn leaves(&self, name: &'s str) -> bool {
        let symbols = &self.ctx.symbols;
        self.ctx.names.module(name).is_some()
            || symbols.contains(&(None, name)) && !symbols.contains(&(Some(self.name), name))
    }

    fn statement(&mut self, statement: &'a Statement<'s>, from: Loc, to: Loc, guard: Option<Guard>) {
        self.statement_begins();
        let (mut from, mut guard) = (from, guard);
        if let (Some(label), Some(test)) = (statement.label, guard) {
            let here = self.labels[label.text];
            self.edge(from, here, Op::Assume(test.term), test.span);
            (from, guard) = (here, None);
        }
        let span = statement.span;
        // An error is reported where it is found, and the next statement is looked at.
        let _: Result<(), Refused> = match &statement.kind {
            Stmt::Skip(None) => {
                self.rule(from, to, Transition::default(), guard, span);
                Ok(())
            }
            Stmt::Skip(Some(relation)) => self.skip(relation, from, to, guard, span),
            Stmt::Assign(assigns) => self.update(assigns).map(|update| {
                let rule = self.finish(update, span);
                self.rule(from, to, rule, guard, span);
            }),
            Stmt::Goto(label, assigns) => {
                let to = self.target(*label);
                self.update(assigns).map(|update| {
                    let rule = self.finish(update, span);
                    self.rule(from, to, rule, guard, span);
                })
            }
            Stmt::Break => match self.breaks.last().copied() {
                Some(to) => {
                    self.rule(from, to, Transition::default(), guard, span);
                    Ok(())
                }
                None => Err(self.ctx.report.error(span, "`break` outside a `do`")),
            },
            Stmt::Return(value) => self.give_back(value.as_ref(), from, guard, span),
            Stmt::Call(call) => self.call(call, from, to, guard, span),
            Stmt::If(alternatives) => {
                let head = self.behind(from, guard.filter(|guard| !self.ctx.terms.is_true(guard.term)), span);
                self.alternatives(alternatives, head, to);
                Ok(())
            }
            Stmt::Do(alternatives) => {
                let head = self.behind(from, guard, span);
                self.breaks.push(to);
                self.alternatives(alternatives, head, head);
                self.breaks.pop();
                Ok(())
            }
            Stmt::Rule(_) => {
                let hint = "put it at the end of the module, outside `if` and `do`";
                Err(self.ctx.report.error_with(span, "a raw rule inside another statement", hint))
            }
        };
    }

    /// The location behind a guard.
    fn behind(&mut self, from: Loc, guard: Option<Guard>, span: Span) -> Loc {
        let Some(guard) = guard else { return from };
        let here = self.ctx.program.add_loc(span);
        self.edge(from, here, Op::Assume(guard.term), guard.span);
        here
    }

    fn alternatives(&mut self, alternatives: &'a [Alternative<'s>], head: Loc, to: Loc) {
        let mut guards = Vec::with_capacity(alternatives.len());
        let mut elses = 0;
        for alternative in alternatives {
            let Some(guard) = &alternative.guard else {
                elses += 1;
                if elses > 1 {
                    self.ctx.report.error(alternative.span, "a second `else` in one statement");
                }
                guards.push(None);
                continue;
            };
            // A wrong guard is reported; the statements behind it are checked all the same.
            guards.push(Some(self.condition(guard).unwrap_or_else(|Refused| self.ctx.terms.bool(true))));
        }
        let others: Vec<Term> = guards.iter().flatten().copied().collect();
        let any = self.ctx.terms.or(&others);
        let otherwise = self.ctx.terms.not(any);
        for (alternative, guard) in alternatives.iter().zip(guards) {
            let guard = Guard { term: guard.unwrap_or(otherwise), span: alternative.span };
            let body: Vec<&Statement<'s>> = alternative.body.iter().collect();
            self.block(&body, head, to, Some(guard));
        }
    }

    /// The term of a guard.
    pub(super) fn condition(&mut self, expr: &Expr<'s>) -> Result<Term, Refused> {
        let mut evaluator = self.evaluator(Mode::Condition);
        let truth = evaluator.truth(expr)?;
        Ok(evaluator.atom(truth).term)
    }

    /// `return` with a value or without.
    fn give_back(
        &mut self,
        value: Option<&Expr<'s>>,
        from: Loc,
        guard: Option<Guard>,
        span: Span,
    ) -> Result<(), Refused> {
        let result = self.info().and_then(|module| module.result.as_ref());
        let rule = match (value, result) {
            (None, None) => Transition::default(),
            (Some(expr), Some(result)) => {
                let mut evaluator = self.evaluator(Mode::Statement);
                let value = evaluator.value(expr)?;
                let (cells, condition) = evaluator.stored(value, &result.ty, &result.scalars, expr.span)?;
                let assign = result.cells.iter().copied().zip(cells).collect();
                Transition { before: vec![condition], assign, ..Transition::default() }
            }
            (Some(expr), None) => {
                let message = format!("`{}` returns nothing", self.name);
                return Err(self.ctx.report.error_with(expr.span, message, "write `return;`"));
            }
            (None, Some(_)) => {
                let message = format!("`{}` returns a value, but none is given", self.name);
                return Err(self.ctx.report.error_with(span, message, "write `return e;`"));
            }
        };
        self.rule(from, self.exit, rule, guard, span);
        Ok(())
    }

    /// A module that returns a value must not end without saying which.
    pub fn check_end(&mut self, statements: &[Statement<'s>], end: Span) {
        let returns = self.info().is_some_and(|module| module.result.is_some());
        let ends = match statements.last().map(|statement| &statement.kind) {
            Some(Stmt::Return(_) | Stmt::Goto(..) | Stmt::If(_) | Stmt::Do(_) | Stmt::Rule(_)) => true,
            Some(Stmt::Skip(_) | Stmt::Assign(_) | Stmt::Call(_) | Stmt::Break) | None => false,
        };
        if returns && !ends {
            let message = format!("`{}` ends without returning a value", self.name);
            self.ctx.report.add(Diagnostic::error(end, message).hint("end it with `return e;`"));
        }
    }
}
