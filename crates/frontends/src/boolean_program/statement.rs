//! From statements to edges.
//!
//! What a statement costs: an assignment, a call and an assumption one edge each; `*` inside
//! an expression one edge more, which chooses the hidden variables; a branch two edges from
//! one location, or none if it is just `*`; `skip`, `goto` and `return` none, unless a label
//! gives them a location of their own. No edge ever leads back to a function's entry.

use super::ast::{Expr, Function, Kind, Name, Stmt};
use super::flow::{Flow, Graph};
use super::formula::{Formulas, Primes};
use rustc_hash::{FxHashMap, FxHashSet};
use std::collections::BTreeSet;
use tamis_ir::{Diagnostic, Loc, Op, ProcId, Span};
use tamis_term::{Term, Var};

/// What `enforce` demands of every state in the function.
#[derive(Debug)]
struct Invariant {
    term: Term,
    vars: BTreeSet<Var>,
    /// Whether a call may break it behind the function's back.
    mentions_globals: bool,
}

/// A block that is open.
#[derive(Debug)]
enum Open {
    /// The ends of the branches so far, and where control is if no condition held yet.
    If { ends: Flow, otherwise: Flow },
    /// The head of the loop, and where control leaves it.
    While { head: Loc, exit: Flow },
}

/// The lowering of one function.
#[derive(Debug)]
pub(super) struct Body<'a, 's> {
    pub graph: Graph<'a>,
    pub formulas: Formulas<'a, 's>,
    pub functions: &'a FxHashMap<&'s str, ProcId>,
    /// Labels, and for each a function that has it: for hints.
    pub labels: &'a FxHashMap<&'s str, &'s str>,
    /// The locations of this function's labels.
    pub places: FxHashMap<&'s str, Loc>,
    /// Where assertions fail, in order.
    pub asserts: &'a mut Vec<(Loc, Span)>,
    invariant: Option<Invariant>,
    flow: Flow,
    open: Vec<Open>,
    /// Hidden variables for `*`, in use.
    chosen: BTreeSet<Var>,
    /// Hidden variables that take results nobody wants.
    discards: Vec<Var>,
}

impl<'a, 's> Body<'a, 's> {
    pub fn new(
        graph: Graph<'a>,
        formulas: Formulas<'a, 's>,
        functions: &'a FxHashMap<&'s str, ProcId>,
        labels: &'a FxHashMap<&'s str, &'s str>,
        asserts: &'a mut Vec<(Loc, Span)>,
    ) -> Body<'a, 's> {
        Body {
            graph,
            formulas,
            functions,
            labels,
            places: FxHashMap::default(),
            asserts,
            invariant: None,
            flow: Flow::default(),
            open: Vec::new(),
            chosen: BTreeSet::new(),
            discards: Vec::new(),
        }
    }

    /// Lowers the function.
    pub fn lower(mut self, function: &Function<'s>) {
        let (entry, exit) = (self.procedure().entry, self.procedure().exit);
        self.flow = Flow::at(entry, function.header);
        self.enforce(function);
        for stmt in &function.body {
            self.formulas.start_statement();
            if let Some(label) = stmt.labels.first() {
                let loc = self.places[label.text];
                let flow = std::mem::take(&mut self.flow);
                self.graph.land(flow, loc);
                self.flow = Flow::at(loc, stmt.span);
            }
            let _ = self.statement(stmt);
        }
        if function.results > 0 && !self.flow.is_dead() {
            let warning =
                Diagnostic::warning(function.end, format!("`{}` may end without `return`", function.name.text))
                    .hint("its results are arbitrary then");
            self.formulas.findings.warnings.push(warning);
        }
        let flow = std::mem::take(&mut self.flow).because(function.end);
        self.graph.land(flow, exit);
        let hidden: Vec<Var> = self.chosen.iter().chain(&self.discards).copied().collect();
        self.graph.program.procs[self.graph.proc.index()].locals.extend(hidden);
    }

    fn procedure(&self) -> &tamis_ir::Procedure {
        self.graph.program.proc(self.graph.proc)
    }

    /// Turns the function's `enforce` into an assumption at its entry, and remembers it.
    fn enforce(&mut self, function: &Function<'s>) {
        let mut parts = Vec::new();
        for condition in &function.enforce {
            self.formulas.start_statement();
            let term = self.formulas.formula(*condition, Primes::Forbidden);
            if self.formulas.has_choices() {
                let error = Diagnostic::error(condition.span, "a nondeterministic value in `enforce`")
                    .hint("`enforce` is a condition on states: remove `*` and `schoose` from it");
                self.formulas.findings.refuse(error);
            }
            parts.extend(term);
        }
        let term = self.formulas.terms.and(&parts);
        if self.formulas.terms.is_true(term) {
            return;
        }
        let span = function.enforce.first().map_or(function.header, |condition| condition.span);
        self.step(Op::Assume(term), span);
        let vars = self.formulas.terms.free_vars(&[term]);
        let own: FxHashSet<Var> = self.formulas.locals.values().copied().collect();
        let mentions_globals = vars.iter().any(|var| !own.contains(var));
        self.invariant = Some(Invariant { term, vars, mentions_globals });
    }

    /// The invariant, if a step that writes these variables may break it.
    fn broken_by(&self, written: &[Var]) -> Option<Term> {
        let invariant = self.invariant.as_ref()?;
        written.iter().any(|var| invariant.vars.contains(var)).then_some(invariant.term)
    }

    fn step(&mut self, op: Op, span: Span) {
        let flow = std::mem::take(&mut self.flow);
        self.flow = self.graph.step(flow, op, span);
    }

    fn assume(&mut self, condition: Term, span: Span) {
        if !self.formulas.terms.is_true(condition) {
            self.step(Op::Assume(condition), span);
        }
    }

    /// Gives the hidden variables of these terms their values.
    fn choose(&mut self, roots: &[Term], span: Span) {
        let choices = self.formulas.choices_in(roots);
        if !choices.is_empty() && !self.flow.is_dead() {
            self.chosen.extend(&choices);
            self.step(Op::Havoc(choices), span);
        }
    }

    fn formula(&mut self, expr: Expr) -> Option<Term> {
        self.formulas.formula(expr, Primes::Forbidden)
    }

    /// All terms, or none if an expression is wrong; every error is recorded.
    fn all(&mut self, exprs: &[Expr]) -> Option<Vec<Term>> {
        let terms: Vec<Option<Term>> = exprs.iter().map(|expr| self.formula(*expr)).collect();
        terms.into_iter().collect()
    }

    /// Lowers a statement; `None` if it is wrong, with the errors recorded. The flow is then
    /// of no interest: the program will not be used.
    fn statement(&mut self, stmt: &Stmt<'s>) -> Option<()> {
        let span = stmt.span;
        match &stmt.kind {
            Kind::Skip => {}
            Kind::Print(values) => drop(self.all(values)?),
            Kind::Assign { targets, values, relation } => self.assign(targets, values, *relation, span)?,
            Kind::Call { targets, callee, args } => self.call(targets.as_deref(), *callee, args, span)?,
            Kind::Return(values) => self.give_back(values, span)?,
            Kind::Goto(labels) => self.goto(labels, span)?,
            Kind::Assert(condition) => self.assert(*condition, span),
            Kind::Assume(condition) => {
                let condition = self.formula(*condition)?;
                self.filter(condition, span);
            }
            Kind::AbortIf(condition) => {
                let condition = self.formula(*condition)?;
                // A bare `*` stays bare: it may hold or not.
                let bare = self.formulas.is_choice(condition);
                let condition = if bare { condition } else { self.formulas.terms.not(condition) };
                self.filter(condition, span);
            }
            Kind::Constrain(relation) => self.constrain(*relation, span)?,
            Kind::Dead(names) => {
                let vars = self.targets(names)?;
                let writes = self.open_writes(vars.into_iter().flatten());
                self.write(writes, span);
            }
            Kind::If(condition) => {
                let (taken, otherwise) = self.branch(*condition, span);
                self.open.push(Open::If { ends: Flow::default(), otherwise });
                self.flow = taken;
            }
            Kind::Elsif(_) | Kind::Else | Kind::Fi => self.next_branch(&stmt.kind, span),
            Kind::While(condition) => {
                let label = stmt.labels.first().map(|label| self.places[label.text]);
                self.open_loop(*condition, label, span);
            }
            Kind::Od => {
                // The parser has matched the blocks.
                if let Some(Open::While { head, exit }) = self.open.pop() {
                    let flow = std::mem::replace(&mut self.flow, exit);
                    self.graph.land(flow, head);
                }
            }
        }
        Some(())
    }

    /// Lets only states pass that satisfy the condition.
    fn filter(&mut self, condition: Term, span: Span) {
        // A bare `*` may hold: nothing is lost by assuming that it does.
        if !self.formulas.is_choice(condition) {
            self.choose(&[condition], span);
            self.assume(condition, span);
        }
    }

    /// Where control goes on if the condition holds, and if it does not.
    fn branch(&mut self, condition: Expr, span: Span) -> (Flow, Flow) {
        let Some(condition) = self.formula(condition) else { return Default::default() };
        if self.formulas.terms.is_true(condition) {
            return (std::mem::take(&mut self.flow), Flow::default());
        }
        if self.formulas.terms.is_false(condition) {
            return (Flow::default(), std::mem::take(&mut self.flow));
        }
        let bare = self.formulas.is_choice(condition);
        if !bare {
            self.choose(&[condition], span);
        }
        let flow = std::mem::take(&mut self.flow);
        let Some(loc) = self.graph.settle(flow, span) else { return Default::default() };
        if bare {
            return (Flow::at(loc, span), Flow::at(loc, span));
        }
        let negation = self.formulas.terms.not(condition);
        let taken = self.graph.edge(loc, Op::Assume(condition), span);
        (taken, self.graph.edge(loc, Op::Assume(negation), span))
    }

    fn next_branch(&mut self, kind: &Kind<'s>, span: Span) {
        // The parser has matched the blocks.
        let Some(Open::If { ends, otherwise }) = self.open.pop() else { return };
        let end = std::mem::replace(&mut self.flow, otherwise);
        let ends = ends.join(end);
        if let Kind::Fi = kind {
            let rest = std::mem::take(&mut self.flow);
            self.flow = ends.join(rest);
            return;
        }
        let mut otherwise = Flow::default();
        if let Kind::Elsif(condition) = kind {
            let (taken, rest) = self.branch(*condition, span);
            self.flow = taken;
            otherwise = rest;
        }
        self.open.push(Open::If { ends, otherwise });
    }

    fn open_loop(&mut self, condition: Expr, label: Option<Loc>, span: Span) {
        let flow = std::mem::take(&mut self.flow);
        // Without a label the loop needs a location that nothing shares: its body leads back there.
        let head = label.unwrap_or_else(|| self.graph.own(flow, span));
        self.flow = Flow::at(head, span);
        let (body, exit) = self.branch(condition, span);
        self.open.push(Open::While { head, exit });
        self.flow = body;
    }

    fn assert(&mut self, condition: Expr, span: Span) {
        let error = self.graph.program.add_loc(span);
        self.asserts.push((error, span));
        let (holds, fails) = self.branch(condition, span);
        self.graph.land(fails.because(span), error);
        self.flow = holds;
    }

    fn goto(&mut self, labels: &[Name<'s>], span: Span) -> Option<()> {
        let (mut targets, mut seen): (Vec<Loc>, _) = (Vec::new(), FxHashSet::default());
        for label in labels {
            match self.places.get(label.text) {
                Some(loc) => targets.extend(seen.insert(*loc).then_some(*loc)),
                None => self.no_label(*label),
            }
        }
        let flow = std::mem::take(&mut self.flow).because(span);
        if let [target] = targets.as_slice() {
            self.graph.land(flow, *target);
            return Some(());
        }
        let loc = self.graph.settle(flow, span)?;
        for target in targets {
            self.graph.land(Flow::at(loc, span), target);
        }
        Some(())
    }

    fn no_label(&mut self, label: Name<'s>) {
        let error = Diagnostic::error(label.span, format!("unknown label `{}`", label.text));
        self.formulas.findings.refuse(match self.labels.get(label.text) {
            Some(function) => error.hint(format!("`goto` stays in its function; the label is in `{function}`")),
            None => error.hint(format!("put `{}:` in front of a statement", label.text)),
        });
    }

    /// The variables of an assignment's left-hand side, `None` for `_`.
    fn targets(&mut self, names: &[Name<'s>]) -> Option<Vec<Option<Var>>> {
        let mut seen = FxHashSet::default();
        let mut fine = true;
        let mut targets = Vec::with_capacity(names.len());
        for name in names {
            let var = if name.text == "_" { None } else { self.formulas.resolve(*name) };
            fine &= var.is_some() || name.text == "_";
            if var.is_some_and(|var| !seen.insert(var)) {
                let error = Diagnostic::error(name.span, format!("`{}` is assigned twice in one step", name.text));
                self.formulas.findings.refuse(error.hint("write `_` for a value that is not wanted"));
                fine = false;
            }
            targets.push(var);
        }
        fine.then_some(targets)
    }

    fn assign(&mut self, names: &[Name<'s>], values: &[Expr], relation: Option<Expr>, span: Span) -> Option<()> {
        if names.len() != values.len() {
            let error = format!("{} for {}", count(values.len(), "value"), count(names.len(), "variable"));
            self.formulas.findings.refuse(Diagnostic::error(span, error).hint("write one value for each variable"));
        }
        let targets = self.targets(names);
        let values = self.all(values)?;
        let writes = targets?.into_iter().zip(values).filter_map(|(var, value)| Some((var?, value))).collect();
        match relation {
            None => self.write(writes, span),
            Some(relation) => self.relate(writes, relation, span)?,
        }
        Some(())
    }

    /// Writes variables in parallel.
    fn write(&mut self, writes: Vec<(Var, Term)>, span: Span) {
        let written: Vec<Var> = writes.iter().map(|(var, _)| *var).collect();
        self.write_only(writes, &[], span);
        if let Some(invariant) = self.broken_by(&written) {
            self.assume(invariant, span);
        }
    }

    /// The same without the function's invariant; `more` are terms whose hidden variables
    /// have to be chosen as well.
    fn write_only(&mut self, writes: Vec<(Var, Term)>, more: &[Term], span: Span) {
        // What takes a bare `*` needs no hidden variable.
        let (free, assigned): (Vec<_>, Vec<_>) =
            writes.into_iter().partition(|(_, value)| self.formulas.is_choice(*value));
        let roots: Vec<Term> = assigned.iter().map(|(_, value)| *value).chain(more.iter().copied()).collect();
        self.choose(&roots, span);
        // The values are read before anything is made arbitrary.
        if !assigned.is_empty() {
            self.step(Op::Assign(assigned), span);
        }
        if !free.is_empty() {
            self.step(Op::Havoc(free.into_iter().map(|(var, _)| var).collect()), span);
        }
    }

    /// Writes variables such that the relation holds between the states before and after.
    fn relate(&mut self, writes: Vec<(Var, Term)>, relation: Expr, span: Span) -> Option<()> {
        let before = self.formulas.reads(relation);
        let written: Vec<Var> = writes.iter().map(|(var, _)| *var).collect();
        if !written.iter().any(|var| before.contains(var)) {
            // The relation does not look at what is overwritten: check it afterwards.
            let condition = self.formulas.formula(relation, Primes::Stand(&FxHashMap::default()))?;
            self.write_only(writes, &[condition], span);
            let invariant = self.broken_by(&written);
            let both: Vec<Term> = std::iter::once(condition).chain(invariant).collect();
            let both = self.formulas.terms.and(&both);
            self.assume(both, span);
            return Some(());
        }
        let after: FxHashMap<Var, Term> = writes.iter().copied().collect();
        let condition = self.formulas.formula(relation, Primes::Stand(&after))?;
        let roots: Vec<Term> = writes.iter().map(|(_, value)| *value).chain([condition]).collect();
        self.choose(&roots, span);
        self.assume(condition, span);
        self.step(Op::Assign(writes), span);
        if let Some(invariant) = self.broken_by(&written) {
            self.assume(invariant, span);
        }
        Some(())
    }

    /// Arbitrary values for variables.
    fn open_writes(&mut self, vars: impl IntoIterator<Item = Var>) -> Vec<(Var, Term)> {
        vars.into_iter().map(|var| (var, self.formulas.choice())).collect()
    }

    /// The statement form: all variables take any values that satisfy the relation. Nothing
    /// is framed, as in Moped: what should stay must be said (`'x = x`).
    fn constrain(&mut self, relation: Expr, span: Span) -> Option<()> {
        let all = self.formulas.scope();
        let writes = self.open_writes(all);
        self.relate(writes, relation, span)
    }

    fn call(&mut self, names: Option<&[Name<'s>]>, callee: Name<'s>, args: &[Expr], span: Span) -> Option<()> {
        let targets = match names {
            Some(names) => self.targets(names),
            None => Some(Vec::new()),
        };
        let args = self.all(args);
        let Some(id) = self.functions.get(callee.text).copied() else {
            let error = Diagnostic::error(callee.span, format!("unknown function `{}`", callee.text));
            self.formulas.findings.refuse(error.hint("define it in this file"));
            return None;
        };
        let procedure = self.graph.program.proc(id);
        let (params, results) = (procedure.params.len(), procedure.results.len());
        let (args, mut targets) = (args?, targets?);
        if args.len() != params {
            let error = format!("`{}` takes {}, not {}", callee.text, count(params, "argument"), args.len());
            self.formulas.findings.refuse(Diagnostic::error(callee.span, error));
        }
        if names.is_none() {
            targets = vec![None; results];
        } else if targets.len() != results {
            let error = format!("`{}` returns {}, not {}", callee.text, count(results, "value"), targets.len());
            let error = Diagnostic::error(callee.span, error);
            self.formulas.findings.refuse(error.hint("write `_` for a result that is not wanted"));
        }
        let mut discarded = 0;
        let results: Vec<Var> =
            targets.into_iter().map(|var| var.unwrap_or_else(|| self.discard(&mut discarded))).collect();
        self.choose(&args, span);
        let invariant = self.invariant.as_ref().filter(|invariant| invariant.mentions_globals).map(|i| i.term);
        let invariant = invariant.or_else(|| self.broken_by(&results));
        self.step(Op::Call { callee: id, args, results }, span);
        if let Some(invariant) = invariant {
            self.assume(invariant, span);
        }
        Some(())
    }

    /// A hidden variable for a result that nobody wants, another each time in one statement.
    fn discard(&mut self, used: &mut usize) -> Var {
        if *used == self.discards.len() {
            let var = self.formulas.hidden(&format!("d{}", *used + 1));
            self.discards.push(var);
        }
        *used += 1;
        self.discards[*used - 1]
    }

    fn give_back(&mut self, values: &[Expr], span: Span) -> Option<()> {
        let results = self.procedure().results.clone();
        let exit = self.procedure().exit;
        if values.len() != results.len() {
            let function = self.formulas.function;
            let wanted = count(results.len(), "value");
            let error = Diagnostic::error(span, format!("`{function}` returns {wanted}, not {}", values.len()));
            self.formulas.findings.refuse(match values.len() {
                0 => error.hint("write what it returns after `return`"),
                1 => error.hint("change the type in front of the function to `bool`"),
                more => error.hint(format!("change the type in front of the function to `bool<{more}>`")),
            });
        }
        let values = self.all(values)?;
        self.write_only(results.into_iter().zip(values).collect(), &[], span);
        let flow = std::mem::take(&mut self.flow).because(span);
        self.graph.land(flow, exit);
        Some(())
    }
}

/// `2 values`, `1 value`, `no value`
fn count(number: usize, what: &str) -> String {
    match number {
        0 => format!("no {what}"),
        1 => format!("1 {what}"),
        _ => format!("{number} {what}s"),
    }
}
