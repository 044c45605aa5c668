//! The whole text: its modules, where the program begins, and what can be asked about it.

use super::Context;
use super::body::Body;
use super::stack::OUTSIDE;
use crate::remopla::ast::{Name, Statement, Stmt};
use crate::remopla::names::ModuleId;
use rustc_hash::FxHashMap;
use tamis_ir::{Loc, Op, ProcId, Property, Span};
use tamis_term::Term;

impl<'a, 's> Context<'_, 'a, 's> {
    /// Lowers everything.
    pub(super) fn everything(&mut self) {
        self.collect_symbols();
        let init = self.initial_stack();
        let starts: Vec<Name<'s>> =
            init.iter().filter(|name| self.names.module(name.text).is_none()).copied().collect();
        for at in 0..self.names.modules.len() {
            let first = init.iter().any(|name| self.names.module(name.text) == Some(ModuleId(at)));
            self.module(ModuleId(at), first, init.len() == 1);
        }
        let outside = if self.file.statements.is_empty() { FxHashMap::default() } else { self.outside(&starts) };
        let mut stack: Vec<(ProcId, Span)> = Vec::new();
        for name in &init {
            let module = self.names.module(name.text).map(|id| self.names.modules[id.0].proc);
            if let Some(proc) = module.or_else(|| outside.get(name.text).copied()) {
                stack.push((proc, name.span));
            } else {
                let message = format!("the initial stack names `{}`, which is no module", name.text);
                let hint = "name a module, or a label of a statement outside modules";
                self.report.error_with(name.span, message, hint);
            }
        }
        self.program.main = match stack.as_slice() {
            [] => return,
            [(proc, _)] => *proc,
            [(_, first), ..] => {
                let span = first.to(stack[stack.len() - 1].1);
                self.stack(&stack, span)
            }
        };
        if !self.names.modules.iter().any(|module| module.proc == self.program.main) {
            self.legal_globals();
        }
        self.properties();
    }

    /// Notes which labels and symbols the modules have.
    fn collect_symbols(&mut self) {
        let modules = self.names.modules.iter().map(|module| (module.name, &module.body.statements));
        for (module, statements) in modules.chain([(OUTSIDE, &self.file.statements)]) {
            let mut work: Vec<&'a [Statement<'s>]> = vec![statements];
            while let Some(statements) = work.pop() {
                for statement in statements {
                    let symbol = match &statement.kind {
                        Stmt::If(alternatives) | Stmt::Do(alternatives) => {
                            work.extend(alternatives.iter().map(|alternative| alternative.body.as_slice()));
                            None
                        }
                        Stmt::Rule(rule) => Some(rule.head),
                        Stmt::Skip(_)
                        | Stmt::Assign(_)
                        | Stmt::Call(_)
                        | Stmt::Return(_)
                        | Stmt::Goto(..)
                        | Stmt::Break => None,
                    };
                    for name in symbol.into_iter().chain(statement.label) {
                        self.symbols.extend([(None, name.text), (Some(module), name.text)]);
                    }
                }
            }
        }
    }

    /// The symbols of `init`, or the module `main`.
    fn initial_stack(&mut self) -> Vec<Name<'s>> {
        if let Some((_, names)) = &self.file.init {
            return names.clone();
        }
        if let Some(id) = self.names.module("main") {
            let module = &self.names.modules[id.0];
            return vec![Name { text: module.name, span: module.span }];
        }
        let modules = self.file.modules.iter().map(|module| module.span);
        let statements = self.file.statements.iter().map(|statement| statement.span);
        let span = modules.chain(statements).next().unwrap_or(self.file.start);
        let message = "the program has no start: neither `init` nor a module `main`";
        self.report.error_with(span, message, "say where it starts: `init f;`");
        Vec::new()
    }

    /// `first`: the program may start here; `alone`: there is no other place.
    fn module(&mut self, id: ModuleId, first: bool, alone: bool) {
        let module = &self.names.modules[id.0];
        let (body, proc) = (module.body, module.proc);
        let falls = !matches!(body.statements.last().map(|statement| &statement.kind), Some(Stmt::Return(_)));
        let mut legal: Vec<Term> = if first && alone { self.legal_values() } else { Vec::new() };
        for (name, variable) in module.scope.iter() {
            // Arguments are legal; main's parameters are arbitrary.
            if first || !module.params.contains(name) {
                legal.extend(variable.parts().map(|(var, scalar)| scalar.legal(self.terms, var)));
            }
        }
        if falls && let Some(result) = &module.result {
            legal.extend(result.parts().map(|(var, scalar)| scalar.legal(self.terms, var)));
        }
        let legal = self.terms.and(&legal);
        let begin = body.statements.first().map_or(body.end, |statement| statement.span);
        let procedure = self.program.proc(proc);
        let (entry, exit) = (procedure.entry, procedure.exit);
        self.program.locs[entry.index()].span = begin;
        self.program.locs[exit.index()].span = body.end;
        let start = self.behind(proc, entry, legal, begin, module.span);
        let mut lowering = Body::new(self, Some(id), module.name, proc);
        lowering.start = start;
        lowering.check_end(&body.statements, body.end);
        lowering.statements(&body.statements);
    }

    /// The location behind an assumption, if it assumes anything.
    fn behind(&mut self, proc: ProcId, from: Loc, legal: Term, place: Span, span: Span) -> Loc {
        if self.terms.is_true(legal) {
            return from;
        }
        let start = self.program.add_loc(place);
        self.program.add_edge(proc, from, start, Op::Assume(legal), span);
        start
    }

    /// Global variables of enum types have a value of the enum.
    fn legal_values(&mut self) -> Vec<Term> {
        let mut legal = Vec::new();
        for (_, variable) in self.names.globals.iter() {
            legal.extend(variable.parts().map(|(var, scalar)| scalar.legal(self.terms, var)));
        }
        legal
    }

    /// Lets the program start with legal values of the global variables.
    fn legal_globals(&mut self) {
        let legal = self.legal_values();
        let legal = self.terms.and(&legal);
        if self.terms.is_true(legal) {
            return;
        }
        let main = self.program.main;
        let procedure = self.program.proc(main);
        let (first, span) = (procedure.entry, procedure.span);
        let entry = self.program.add_loc(span);
        self.program.add_edge(main, entry, first, Op::Assume(legal), span);
        self.program.procs[main.index()].entry = entry;
    }

    /// Every label is a property; labels of one name are one property, and one for each
    /// module if there are several.
    fn properties(&mut self) {
        let mut order: Vec<&'s str> = Vec::new();
        let mut by_name: FxHashMap<&'s str, Vec<(&'s str, Loc)>> = FxHashMap::default();
        for label in &self.labels {
            let found = by_name.entry(label.name).or_default();
            if found.is_empty() {
                order.push(label.name);
            }
            found.push((label.module, label.loc));
        }
        for name in order {
            let places = &by_name[name];
            let locs = places.iter().map(|(_, loc)| *loc).collect();
            self.property(name.to_owned(), name, locs);
            if places.iter().all(|(module, _)| *module == places[0].0) {
                continue;
            }
            for (module, loc) in places.iter().filter(|(module, _)| *module != OUTSIDE) {
                self.property(format!("{module}:{name}"), name, vec![*loc]);
            }
        }
        self.program.default = self.program.find_property("error");
    }

    fn property(&mut self, name: String, label: &str, locs: Vec<Loc>) {
        let about = match name.split_once(':') {
            Some((module, _)) => format!("label {label} of module {module} is reached"),
            None => format!("label {label} is reached"),
        };
        self.program.add_property(Property::new(name, about, locs));
    }
}
