//! Relations between old and new values: `skip` with primes, and raw rules.
//!
//! New values are chosen first (as helpers, or in place where the old value does not
//! matter), then constrained, then assigned. Conjuncts `x' == e` without other primes are
//! plain assignments.

use super::body::{Body, Guard};
use super::expression::{Evaluator, Frame, Frames, Mode};
use super::transition::Transition;
use super::value::Value;
use crate::cursor::Refused;
use crate::remopla::ast::{Compare, Expr, ExprKind, Logic, Lval, Name, Operator, Rule, Statement, Stmt, visit_lvals};
use crate::remopla::names::Module;
use crate::remopla::types::{Scope, Variable};
use rustc_hash::{FxHashMap, FxHashSet};
use tamis_ir::{Loc, Op, ProcId, Span};
use tamis_term::{Term, Var};

/// A variable whose new value a relation speaks about.
#[derive(Clone, Copy, Debug)]
struct After<'n, 's> {
    name: &'s str,
    /// How its new value is written.
    primes: u8,
    variable: &'n Variable,
    /// Whether it is a parameter of the callee: its new value is an argument.
    param: bool,
}

impl<'n, 'a, 's> Body<'_, 'n, 'a, 's> {
    /// `skip(b)`: variables that occur with a prime are not kept.
    pub(super) fn skip(
        &mut self,
        relation: &'a Expr<'s>,
        from: Loc,
        to: Loc,
        guard: Option<Guard>,
        span: Span,
    ) -> Result<(), Refused> {
        let mut names = Vec::new();
        visit_lvals(relation, &mut |lval| names.extend((lval.primes > 0).then_some(lval.name)));
        if names.is_empty() {
            let condition = self.condition(relation)?;
            let rule = Transition { before: vec![condition], ..Transition::default() };
            self.rule(from, to, rule, guard, span);
            return Ok(());
        }
        let locals = self.info().map(|module| &module.scope);
        let globals = &self.ctx.names.globals;
        let mut seen = FxHashSet::default();
        let found = |name: &Name<'s>| {
            let variable = locals.and_then(|scope| scope.get(name.text)).or_else(|| globals.get(name.text))?;
            Some(After { name: name.text, primes: 1, variable, param: false })
        };
        let after: Vec<_> = names.iter().filter(|name| seen.insert(name.text)).filter_map(found).collect();
        let frames = [Some(frame(locals, Some(globals))), Some(frame(locals, Some(globals))), None];
        let (rule, _) = self.relate(Some(relation), &after, frames)?;
        self.rule(from, to, rule, guard, span);
        Ok(())
    }

    /// A relation as a rule, and the arguments that it gives to the callee's parameters.
    fn relate(
        &mut self,
        relation: Option<&'a Expr<'s>>,
        after: &[After<'n, 's>],
        mut frames: Frames<'n, 's>,
    ) -> Result<(Transition, Vec<Term>), Refused> {
        let mut conjuncts = Vec::new();
        if let Some(relation) = relation {
            flatten(relation, &mut conjuncts);
        }
        let mut rule = Transition::default();
        let defined = self.definitions(&mut conjuncts, after, &mut frames, &mut rule)?;
        let mentioned = mentioned(relation, &conjuncts);

        let mut args = Vec::new();
        for (after, done) in after.iter().zip(defined) {
            let level = usize::from(after.primes);
            let cells = |frames: &mut Frames<'n, 's>, var: Var, term: Term| {
                if let Some(frame) = &mut frames[level] {
                    frame.cells.insert(var, term);
                }
            };
            for (var, scalar) in after.variable.parts() {
                if done {
                    // Its new value is known.
                } else if after.param {
                    let helper = self.anything(scalar, &mut rule);
                    cells(&mut frames, var, helper);
                } else if !mentioned.contains(&(after.name, after.primes)) {
                    rule.forget.push(var);
                    rule.legal.push(scalar.legal(self.ctx.terms, var));
                } else if !mentioned.contains(&(after.name, 0)) {
                    // The old value is not read: the variable itself takes the new one first.
                    rule.choose.push(var);
                    rule.such_that.push(scalar.legal(self.ctx.terms, var));
                } else {
                    let helper = self.anything(scalar, &mut rule);
                    cells(&mut frames, var, helper);
                    rule.assign.push((var, helper));
                }
                if after.param {
                    let chosen = frames[level].as_ref().and_then(|frame| frame.cells.get(&var));
                    args.extend(chosen);
                }
            }
        }
        for (conjunct, primed) in conjuncts {
            let mut evaluator = Evaluator { ctx: self.ctx, frames: &frames, mode: Mode::Condition, bound: Vec::new() };
            let truth = evaluator.truth(conjunct)?;
            let term = evaluator.atom(truth).term;
            if primed { rule.such_that.push(term) } else { rule.before.push(term) }
        }
        Ok((rule, args))
    }

    /// Takes out the conjuncts that say what a new value is; says for which variables.
    fn definitions(
        &mut self,
        conjuncts: &mut Vec<(&'a Expr<'s>, bool)>,
        after: &[After<'n, 's>],
        frames: &mut Frames<'n, 's>,
        rule: &mut Transition,
    ) -> Result<Vec<bool>, Refused> {
        let index: FxHashMap<(&str, u8), usize> =
            after.iter().enumerate().map(|(at, after)| ((after.name, after.primes), at)).collect();
        let mut defined = vec![false; after.len()];
        let mut rest = Vec::new();
        for (conjunct, primed) in conjuncts.drain(..) {
            let definition = definition(conjunct).and_then(|(lval, expr, iff)| {
                let at = *index.get(&(lval.name.text, lval.primes))?;
                let fresh = !defined[at] && after[at].variable.ty.single().is_some();
                fresh.then_some((at, expr, iff))
            });
            let Some((at, expr, iff)) = definition else {
                rest.push((conjunct, primed));
                continue;
            };
            defined[at] = true;
            let target = &after[at];
            let (Some(cell), Some(scalar)) = (target.variable.cells.first(), target.variable.scalars.first()) else {
                continue;
            };
            let mut evaluator = Evaluator { ctx: self.ctx, frames, mode: Mode::Condition, bound: Vec::new() };
            let mut value = evaluator.value(expr)?;
            if let (Value::Truth(truth), true) = (&value, iff) {
                value = Value::Truth(evaluator.atom(*truth));
            }
            let (terms, condition) =
                evaluator.stored(value, &target.variable.ty, std::slice::from_ref(scalar), expr.span)?;
            let Some(term) = terms.first() else { continue };
            rule.before.push(condition);
            let same = *term == self.ctx.terms.var(*cell);
            if !target.param && !same {
                rule.assign.push((*cell, *term));
            }
            if let Some(frame) = &mut frames[usize::from(target.primes)] {
                frame.cells.insert(*cell, *term);
            }
        }
        *conjuncts = rest;
        Ok(defined)
    }

    /// Finds the stack symbols of the raw rules of a module.
    pub(super) fn symbols(&mut self, statements: &'a [Statement<'s>]) {
        for (at, statement) in statements.iter().enumerate() {
            let Stmt::Rule(rule) = &statement.kind else { continue };
            if let Some(label) = statement.label {
                let hint = "its symbols are its labels";
                self.ctx.report.error_with(label.span, "a label in front of a raw rule", hint);
            }
            let before = at.checked_sub(1).and_then(|at| statements.get(at)).map(|statement| &statement.kind);
            let falls =
                matches!(before, Some(Stmt::Skip(_) | Stmt::Assign(_) | Stmt::Call(_) | Stmt::If(_) | Stmt::Do(_)));
            if falls {
                let hint = "end the statements before it with `goto` or `return`";
                self.ctx.report.error_with(statement.span, "a statement leads into a raw rule", hint);
            }
            if before.is_none() && self.module.is_some() && rule.head.text != self.name {
                let message = format!("the first rule of the module does not start with `{}`", self.name);
                let hint = "the name of a module is the symbol of its first statement";
                self.ctx.report.error_with(rule.head.span, message, hint);
            }
            self.ctx.control(rule);
            let stay = if rule.target.len() == 2 { &rule.target[1..] } else { &rule.target[..] };
            for symbol in std::iter::once(&rule.head).chain(stay) {
                self.symbol(*symbol);
            }
        }
    }

    /// The location of a stack symbol.
    pub(super) fn symbol(&mut self, name: Name<'s>) -> Loc {
        if let Some(loc) = self.labels.get(name.text) {
            return *loc;
        }
        if self.module.is_some() && name.text == self.name {
            return self.start;
        }
        if self.leaves(name.text) {
            let message = format!("the rule leaves its module for `{}`", name.text);
            let hint = "push the other module: `q<a> --> q<f b>`";
            self.ctx.report.error_with(name.span, message, hint);
            return self.exit;
        }
        let loc = self.ctx.program.add_loc(name.span);
        self.labels.insert(name.text, loc);
        self.name_location(name.text, loc);
        loc
    }

    /// Lowers the raw rules of a module.
    pub(super) fn rules(&mut self, statements: &'a [Statement<'s>]) {
        for statement in statements {
            if let Stmt::Rule(rule) = &statement.kind {
                // An error is reported where it is found.
                let _: Result<(), Refused> = self.raw_rule(rule, None, statement.span);
            }
        }
    }

    /// `q<a> --> q<…> (relation)`: nothing is kept unless the relation says so. `outside`
    /// is the procedure of the pushed symbol, if that is no module.
    pub(super) fn raw_rule(&mut self, rule: &'a Rule<'s>, outside: Option<ProcId>, span: Span) -> Result<(), Refused> {
        self.statement_begins();
        let from = self.symbol(rule.head);
        let own = self.info().map(|module| &module.scope);
        let globals = &self.ctx.names.globals;
        let relation = rule.relation.as_ref();
        let mut frames = [Some(frame(own, Some(globals))), Some(frame(None, Some(globals))), None];
        match rule.target.as_slice() {
            [] => {
                let (rule, _) = self.relate(relation, &visible(globals, 1, None), frames)?;
                self.rule(from, self.exit, rule, None, span);
            }
            [next] => {
                let mut after = visible(globals, 1, own);
                after.extend(own.into_iter().flat_map(|own| visible(own, 1, None)));
                frames[1] = Some(frame(own, Some(globals)));
                let to = self.symbol(*next);
                let (rule, _) = self.relate(relation, &after, frames)?;
                self.rule(from, to, rule, None, span);
            }
            [first, back, ..] => {
                let callee = match outside {
                    Some(_) => None,
                    None => Some(self.callee(*first)?),
                };
                let scope = callee.map(|callee| &callee.scope);
                let mut after = visible(globals, 1, scope);
                after.extend(own.into_iter().flat_map(|own| visible(own, 2, None)));
                if let Some(callee) = callee {
                    self.only_parameters(relation, callee)?;
                    let params = callee.params.iter().filter_map(|name| Some((*name, callee.scope.get(name)?)));
                    after.extend(params.map(|(name, variable)| After { name, primes: 1, variable, param: true }));
                }
                frames[1] = Some(frame(scope, Some(globals)));
                frames[2] = Some(frame(own, None));
                let to = self.symbol(*back);
                let (mut rule, args) = self.relate(relation, &after, frames)?;
                let args = self.saved(args, &mut rule);
                let results = callee.map_or_else(Vec::new, |callee| self.dropped(callee));
                let mut ops = rule.ops(self.ctx.terms);
                let callee = callee.map(|callee| callee.proc).or(outside).ok_or(Refused)?;
                ops.push(Op::Call { callee, args, results });
                self.chain(from, to, ops, None, span);
            }
        }
        Ok(())
    }

    /// A rule that pushes may set the callee's parameters, not its other variables.
    fn only_parameters(&mut self, relation: Option<&'a Expr<'s>>, callee: &'n Module<'a, 's>) -> Result<(), Refused> {
        let mut wrong: Option<&Lval<'s>> = None;
        if let Some(relation) = relation {
            visit_lvals(relation, &mut |lval| {
                let local = lval.primes == 1 && callee.scope.get(lval.name.text).is_some();
                if local && !callee.params.contains(&lval.name.text) {
                    wrong = Some(lval);
                }
            });
        }
        let Some(lval) = wrong else { return Ok(()) };
        let message = format!("a rule sets `{}`, which is no parameter of `{}`", lval.name.text, callee.name);
        Err(self.ctx.report.error_with(lval.span, message, "make it a parameter"))
    }
}

/// The variables of a scope. Those behind a variable of the same name in `front` cannot be
/// mentioned: they get a name that no text has.
fn visible<'n, 's>(scope: &'n Scope<'s>, primes: u8, front: Option<&Scope<'s>>) -> Vec<After<'n, 's>> {
    let hidden = |name: &str| front.is_some_and(|front| front.get(name).is_some());
    let name = |name: &'s str| if hidden(name) { "" } else { name };
    let vars = scope.iter().map(|(text, variable)| After { name: name(text), primes, variable, param: false });
    vars.collect()
}

fn frame<'n, 's>(locals: Option<&'n Scope<'s>>, globals: Option<&'n Scope<'s>>) -> Frame<'n, 's> {
    Frame { locals, globals, cells: FxHashMap::default() }
}

/// The conjuncts of an expression, and whether each mentions new values.
fn flatten<'a, 's>(expr: &'a Expr<'s>, conjuncts: &mut Vec<(&'a Expr<'s>, bool)>) {
    if let ExprKind::Chain(first, rest) = &expr.kind
        && matches!(rest.first(), Some((Operator::Logic(Logic::And), _)))
    {
        flatten(first, conjuncts);
        for (_, operand) in rest {
            flatten(operand, conjuncts);
        }
        return;
    }
    conjuncts.push((expr, has_primes(expr)));
}

fn has_primes(expr: &Expr<'_>) -> bool {
    let mut found = false;
    visit_lvals(expr, &mut |lval| found |= lval.primes > 0);
    found
}

/// Which names occur with how many primes: unprimed ones anywhere, primed ones in what is
/// left of the relation.
fn mentioned<'a, 's>(relation: Option<&'a Expr<'s>>, rest: &[(&'a Expr<'s>, bool)]) -> FxHashSet<(&'s str, u8)> {
    let mut found = FxHashSet::default();
    if let Some(relation) = relation {
        visit_lvals(relation, &mut |lval| {
            if lval.primes == 0 {
                found.insert((lval.name.text, 0));
            }
        });
    }
    for (conjunct, _) in rest {
        visit_lvals(conjunct, &mut |lval| {
            found.insert((lval.name.text, lval.primes));
        });
    }
    found
}

/// The parts of `x' == e` or `e == x'` (or with `<=>`) where `e` has no primes.
fn definition<'a, 's>(expr: &'a Expr<'s>) -> Option<(&'a Lval<'s>, &'a Expr<'s>, bool)> {
    let ExprKind::Chain(left, rest) = &expr.kind else { return None };
    let [(operator, right)] = rest.as_slice() else { return None };
    let iff = *operator == Operator::Logic(Logic::Iff);
    if !iff && *operator != Operator::Compare(Compare::Equal) {
        return None;
    }
    let sides = [(&**left, right), (right, &**left)];
    sides.into_iter().find_map(|(side, other)| {
        let ExprKind::Lval(lval) = &side.kind else { return None };
        let whole = lval.primes > 0 && lval.index.is_empty() && lval.field.is_none();
        (whole && !has_primes(other)).then_some((&**lval, other, iff))
    })
}
