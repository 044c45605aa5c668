//! Code outside modules: a pushdown system written as raw rules, or plain statements.
//!
//! Rules alone have no procedures. A symbol that is pushed on top of another one (or that
//! the program starts with) is where a procedure begins; the procedure consists of all
//! symbols that it can become before it is popped.

use super::Context;
use super::body::Body;
use crate::cursor::Refused;
use crate::remopla::ast::{Name, Rule, Statement, Stmt};
use rustc_hash::{FxHashMap, FxHashSet};
use tamis_ir::{Op, ProcId, Span};
use tamis_term::Var;

/// Names code outside modules.
pub const OUTSIDE: &str = "$outside";

impl<'a, 's> Context<'_, 'a, 's> {
    /// All rules must have one control location.
    pub(super) fn control(&mut self, rule: &Rule<'s>) {
        for name in &rule.control {
            let first = *self.control.get_or_insert(name.text);
            if name.text != first {
                let message = format!("a second control location `{}` besides `{first}`", name.text);
                let hint = "keep it in a global variable of an enum type";
                self.report.error_with(name.span, message, hint);
            }
        }
    }

    /// Lowers the code outside modules; `starts` are the symbols of the initial stack that
    /// are no modules. Returns the procedure of each symbol.
    pub(super) fn outside(&mut self, starts: &[Name<'s>]) -> FxHashMap<&'s str, ProcId> {
        let statements: &'a [Statement<'s>] = &self.file.statements;
        let only_rules = statements.iter().all(|statement| matches!(statement.kind, Stmt::Rule(_)));
        if only_rules { self.pushdown(statements, starts) } else { self.plain(statements, starts) }
    }

    /// Statements outside modules: one procedure for each label that the program starts with.
    fn plain(&mut self, statements: &'a [Statement<'s>], starts: &[Name<'s>]) -> FxHashMap<&'s str, ProcId> {
        let mut procs = FxHashMap::default();
        let mut names: Vec<&'s str> = starts.iter().map(|name| name.text).collect();
        if names.is_empty() {
            names.push(OUTSIDE);
        }
        for name in names {
            let span = statements.first().map_or(self.file.start, |statement| statement.span);
            let proc = self.program.add_proc(name, span);
            let mut body = Body::new(self, None, OUTSIDE, proc);
            body.statements(statements);
            if let Some(start) = body.labels.get(name) {
                let start = *start;
                self.program.procs[proc.index()].entry = start;
                procs.insert(name, proc);
            }
        }
        procs
    }

    fn pushdown(&mut self, statements: &'a [Statement<'s>], starts: &[Name<'s>]) -> FxHashMap<&'s str, ProcId> {
        let mut rules: FxHashMap<&'s str, Vec<(&'a Rule<'s>, Span)>> = FxHashMap::default();
        let mut entries: Vec<(&'s str, Span)> = starts.iter().map(|name| (name.text, name.span)).collect();
        for statement in statements {
            let Stmt::Rule(rule) = &statement.kind else { continue };
            self.control(rule);
            if let Some(label) = statement.label {
                self.report.error_with(label.span, "a label in front of a raw rule", "its symbols are its labels");
            }
            rules.entry(rule.head.text).or_default().push((rule, statement.span));
            if let [first, _] = rule.target.as_slice()
                && self.names.module(first.text).is_none()
            {
                entries.push((first.text, first.span));
            }
        }
        // Symbols that nothing pushes are still labels that can be asked about.
        let mut seen: FxHashSet<&'s str> = FxHashSet::default();
        entries.retain(|(name, _)| seen.insert(name));
        let mut procs = FxHashMap::default();
        for (name, span) in &entries {
            procs.insert(*name, self.program.add_proc(name, *span));
        }
        let mut reached = FxHashSet::default();
        for (name, span) in entries {
            self.symbols_from(Name { text: name, span }, &procs, &rules, &mut reached);
        }
        for statement in statements {
            let Stmt::Rule(rule) = &statement.kind else { continue };
            if !reached.contains(rule.head.text) && seen.insert(rule.head.text) {
                let proc = self.program.add_proc(rule.head.text, rule.head.span);
                procs.insert(rule.head.text, proc);
                self.symbols_from(rule.head, &procs, &rules, &mut reached);
            }
        }
        procs
    }

    /// Lowers the procedure that begins with a symbol.
    fn symbols_from(
        &mut self,
        entry: Name<'s>,
        procs: &FxHashMap<&'s str, ProcId>,
        rules: &FxHashMap<&'s str, Vec<(&'a Rule<'s>, Span)>>,
        reached: &mut FxHashSet<&'s str>,
    ) {
        let proc = procs[entry.text];
        let mut body = Body::new(self, None, OUTSIDE, proc);
        body.labels.insert(entry.text, body.start);
        body.name_location(entry.text, body.start);
        let mut work = vec![entry.text];
        let mut done: FxHashSet<&'s str> = work.iter().copied().collect();
        while let Some(symbol) = work.pop() {
            reached.insert(symbol);
            for (rule, span) in rules.get(symbol).into_iter().flatten() {
                // Procedures can share symbols, so their sizes may add up to more than the text.
                if body.ctx.spend(1, *span).is_err() {
                    return;
                }
                let stay = if rule.target.len() == 2 { &rule.target[1..] } else { &rule.target[..] };
                work.extend(stay.iter().map(|name| name.text).filter(|name| done.insert(name)));
                let outside = rule.target.first().filter(|_| rule.target.len() == 2).and_then(|f| procs.get(f.text));
                // Errors are reported where they are found.
                let _: Result<(), Refused> = body.raw_rule(rule, outside.copied(), *span);
            }
        }
    }

    /// Calls the symbols of the initial stack, one after the other.
    pub(super) fn stack(&mut self, stack: &[(ProcId, Span)], span: Span) -> ProcId {
        let proc = self.program.add_proc("$init", span);
        let mut body = Body::new(self, None, "$init", proc);
        let mut from = body.start;
        for (at, (callee, span)) in stack.iter().enumerate() {
            let last = at + 1 == stack.len();
            let to = if last { body.exit } else { body.ctx.program.add_loc(*span) };
            let callee_proc = body.ctx.program.proc(*callee);
            let (params, results) = (callee_proc.params.clone(), callee_proc.results.clone());
            body.statement_begins();
            let mut helpers = |vars: Vec<Var>| {
                let sorts = vars.into_iter().map(|var| body.ctx.terms.var_sort(var).clone()).collect::<Vec<_>>();
                sorts.into_iter().map(|sort| body.helper(sort)).collect::<Vec<_>>()
            };
            let (params, results) = (helpers(params), helpers(results));
            let args = params.iter().map(|var| body.ctx.terms.var(*var)).collect();
            let mut ops = Vec::new();
            if !params.is_empty() {
                ops.push(Op::Havoc(params));
            }
            ops.push(Op::Call { callee: *callee, args, results });
            body.chain(from, to, ops, None, *span);
            from = to;
        }
        proc
    }
}
