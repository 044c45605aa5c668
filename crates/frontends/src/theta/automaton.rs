//! From the syntax tree of a control-flow automaton to a program of one procedure.
//!
//! The variables become globals. A statement becomes an edge, so an edge of the automaton
//! becomes as many as it has statements; assignments and havocs that follow each other and do
//! not depend on each other share one.

use super::ast::{Name, Node};
use super::cfa::{Action, Automaton, Role, Stmt};
use super::value::{Scope, evaluate_as};
use rustc_hash::FxHashMap;
use std::sync::Arc;
use tamis_ir::{Diagnostic, Loc, Op, ProcId, Program, Property, Sources, Span};
use tamis_term::{Sort, Term, Terms, Var};

/// The name of the property of error locations.
const ERROR: &str = "error";

/// The program of the automaton.
///
/// # Errors
/// What is wrong with it.
pub(super) fn program<'s>(
    terms: &mut Terms,
    nodes: &[Node<'s>],
    automaton: &Automaton<'s>,
    sources: Arc<Sources>,
    file: Span,
) -> Result<Program, Vec<Diagnostic>> {
    let Some(span) = automaton.main else {
        let error = Diagnostic::error(file, "there is no main process");
        return Err(vec![error.hint("write `main process NAME { … }`")]);
    };
    let mut program = Program::new(sources);
    let main = program.add_proc("main", span);
    let mut lowering = Lowering {
        terms,
        nodes,
        program,
        main,
        scope: Scope::default(),
        vars: FxHashMap::default(),
        locs: FxHashMap::default(),
        errors: Vec::new(),
    };
    lowering.variables(automaton);
    lowering.locations(automaton, span);
    for edge in &automaton.edges {
        lowering.edge(edge);
    }
    if lowering.errors.is_empty() { Ok(lowering.program) } else { Err(lowering.errors) }
}

struct Lowering<'a, 's> {
    terms: &'a mut Terms,
    nodes: &'a [Node<'s>],
    program: Program,
    main: ProcId,
    scope: Scope<'s>,
    vars: FxHashMap<&'s str, Var>,
    locs: FxHashMap<&'s str, Loc>,
    errors: Vec<Diagnostic>,
}

impl<'s> Lowering<'_, 's> {
    fn twice(&mut self, name: Name<'s>) {
        self.errors.push(Diagnostic::error(name.span, format!("`{}` is declared twice", name.text)));
    }

    fn variables(&mut self, automaton: &Automaton<'s>) {
        for declared in &automaton.vars {
            let name = declared.name.text;
            let var = self.terms.declare(name, declared.sort.clone());
            let term = self.terms.var(var);
            self.program.globals.push(var);
            self.scope.names.insert(name, term);
            if self.vars.insert(name, var).is_some() {
                self.twice(declared.name);
            }
        }
    }

    /// Locations, where the automaton starts and ends, and what can be asked.
    fn locations(&mut self, automaton: &Automaton<'s>, span: Span) {
        let (entry, exit) = (self.program.proc(self.main).entry, self.program.proc(self.main).exit);
        let nothing = self.terms.bool(true);
        let (mut starts, mut errors) = (0, Vec::new());
        for declared in &automaton.locs {
            let name = declared.name;
            let loc = self.program.add_loc(name.span);
            self.program.locs[loc.index()].label = Some(name.text.to_owned());
            if self.locs.insert(name.text, loc).is_some() {
                self.twice(name);
            }
            match declared.role {
                Role::Init => {
                    starts += 1;
                    self.program.add_edge(self.main, entry, loc, Op::Assume(nothing), name.span);
                }
                Role::Final => _ = self.program.add_edge(self.main, loc, exit, Op::Assume(nothing), name.span),
                Role::Error => errors.push((name.text, loc)),
                Role::Plain => {}
            }
        }
        if starts != 1 {
            let error = Diagnostic::error(span, format!("there are {starts} initial locations"));
            self.errors.push(error.hint("write `init loc` before exactly one"));
        }
        self.properties(automaton, &errors);
    }

    /// `error`, which is asked by default, and every location by its name.
    fn properties(&mut self, automaton: &Automaton<'s>, errors: &[(&str, Loc)]) {
        if !errors.is_empty() {
            let locs = errors.iter().map(|(_, loc)| *loc).collect();
            let property = Property::new(ERROR, "an error location is reached", locs);
            self.program.default = Some(self.program.add_property(property));
        }
        for declared in &automaton.locs {
            let name = declared.name.text;
            let about = format!("location {name} is reached");
            let locs = self.locs.get(name).copied().into_iter().collect();
            self.program.add_property(Property::new(name, about, locs));
        }
    }

    fn loc(&mut self, name: Name<'s>) -> Option<Loc> {
        let found = self.locs.get(name.text).copied();
        if found.is_none() {
            let error = Diagnostic::error(name.span, format!("there is no location `{}`", name.text));
            self.errors.push(error.hint(format!("declare it: `loc {}`", name.text)));
        }
        found
    }

    fn edge(&mut self, edge: &super::cfa::Edge<'s>) {
        let (Some(from), Some(to)) = (self.loc(edge.from), self.loc(edge.to)) else { return };
        let mut ops: Vec<(Op, Span)> = Vec::new();
        for stmt in &edge.stmts {
            match self.statement(stmt) {
                Ok(op) => append(self.terms, &mut ops, op, stmt.span),
                Err(error) => self.errors.push(error),
            }
        }
        if ops.is_empty() {
            ops.push((Op::Assume(self.terms.bool(true)), edge.span));
        }
        let mut at = from;
        let last = ops.len() - 1;
        for (index, (op, span)) in ops.into_iter().enumerate() {
            let next = if index == last { to } else { self.program.add_loc(span) };
            self.program.add_edge(self.main, at, next, op, span);
            at = next;
        }
    }

    fn statement(&mut self, stmt: &Stmt<'s>) -> Result<Op, Diagnostic> {
        Ok(match &stmt.kind {
            Action::Assume(condition) => Op::Assume(self.value(*condition, &Sort::Bool)?),
            Action::Assign(name, value) => {
                let var = self.var(*name)?;
                let sort = self.terms.var_sort(var).clone();
                Op::Assign(vec![(var, self.value(*value, &sort)?)])
            }
            Action::Havoc(name) => Op::Havoc(vec![self.var(*name)?]),
        })
    }

    fn value(&mut self, expr: super::ast::Expr, sort: &Sort) -> Result<Term, Diagnostic> {
        evaluate_as(self.terms, self.nodes, expr, &self.scope, sort)
    }

    fn var(&self, name: Name<'s>) -> Result<Var, Diagnostic> {
        self.vars.get(name.text).copied().ok_or_else(|| {
            let error = Diagnostic::error(name.span, format!("`{}` is not declared", name.text));
            error.hint("declare it with `var`")
        })
    }
}

/// How many variables one edge assigns at most: each assignment is compared to those before.
const MAX_PARALLEL: usize = 64;

/// Adds an operation, to the last edge if that does the same.
fn append(terms: &Terms, ops: &mut Vec<(Op, Span)>, op: Op, span: Span) {
    if let Some((last, place)) = ops.last_mut() {
        let merged = match (last, &op) {
            (Op::Assign(pairs), Op::Assign(more)) if pairs.len() < MAX_PARALLEL => {
                let reads = terms.free_vars(&[more[0].1]);
                let apart = pairs.iter().all(|(var, _)| *var != more[0].0 && !reads.contains(var));
                if apart {
                    pairs.extend(more.iter().copied());
                }
                apart
            }
            (Op::Havoc(vars), Op::Havoc(more)) if vars.len() < MAX_PARALLEL => {
                let apart = !vars.contains(&more[0]);
                if apart {
                    vars.extend(more.iter().copied());
                }
                apart
            }
            _ => false,
        };
        if merged {
            *place = place.to(span);
            return;
        }
    }
    ops.push((op, span));
}
