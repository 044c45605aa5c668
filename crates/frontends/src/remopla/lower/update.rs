//! Parallel assignments.
//!
//! Every assignment is a set of writes to cells, each under the condition that its indices
//! name the cell. As relations, two writes to one cell must agree, or the rule is disabled;
//! a cell that no write names keeps its value.

use super::access::{Access, Targets};
use super::body::Body;
use super::expression::{Evaluator, Mode};
use super::transition::{Transition, exclusive};
use super::value::Value;
use crate::cursor::Refused;
use crate::remopla::ast::{self, Assign, AssignKind, Lval};
use crate::remopla::number::Number;
use crate::remopla::types::{Scalar, Type, Types};
use num_bigint::BigInt;
use rustc_hash::FxHashMap;
use tamis_ir::{Diagnostic, Span};
use tamis_term::{Term, Var};

/// Assignments in the making.
#[derive(Debug, Default)]
pub struct Update {
    /// Conditions under which the assignments can be made.
    pub before: Vec<Term>,
    choose: Vec<Var>,
    such_that: Vec<Term>,
    cells: Vec<Cell>,
    index: FxHashMap<Var, usize>,
}

/// A cell and what is written to it.
#[derive(Debug)]
struct Cell {
    var: Var,
    scalar: Scalar,
    writes: Vec<(Term, Written)>,
}

/// What is written.
#[derive(Clone, Copy, Debug)]
enum Written {
    Term(Term),
    Anything,
}

impl Update {
    fn write(&mut self, var: Var, scalar: Scalar, when: Term, written: Written) {
        let at = *self.index.entry(var).or_insert_with(|| {
            self.cells.push(Cell { var, scalar, writes: Vec::new() });
            self.cells.len() - 1
        });
        self.cells[at].writes.push((when, written));
    }

    /// Writes to every candidate of every cell.
    fn scatter(&mut self, targets: Vec<Targets>, scalars: &[Scalar], written: impl Iterator<Item = Written>) {
        for ((candidates, scalar), written) in targets.into_iter().zip(scalars).zip(written) {
            for (when, var) in candidates {
                self.write(var, *scalar, when, written);
            }
        }
    }
}

impl Evaluator<'_, '_, '_, '_> {
    /// A value as the cells of a variable of the given type, and the condition that it is
    /// defined and fits.
    ///
    /// # Errors
    /// If the types do not fit.
    pub fn stored(
        &mut self,
        value: Value,
        ty: &Type,
        scalars: &[Scalar],
        span: Span,
    ) -> Result<(Vec<Term>, Term), Refused> {
        match (value, ty.single()) {
            (Value::Truth(truth), Some(Scalar::Bool)) => Ok((vec![truth.term], truth.defined)),
            (Value::Number(numeric), Some(scalar @ (Scalar::Int(_) | Scalar::Enum(..)))) => {
                if let (Some(of), Scalar::Enum(id, _)) = (numeric.of, scalar)
                    && of != id
                {
                    let types = &self.ctx.names.types;
                    let (from, to) = (types.enums[of.0].name.clone(), types.enums[id.0].name.clone());
                    return Err(self.ctx.report.error(span, format!("a value of `{from}` for a variable of `{to}`")));
                }
                let term = self.fit(&numeric.number, scalar);
                Ok((vec![term.0], self.ctx.terms.and(&[numeric.defined, term.1])))
            }
            (Value::Whole(whole), _) if Types::compatible(&whole.ty, ty) => {
                let mut conditions = vec![whole.defined];
                let mut cells = Vec::with_capacity(whole.cells.len());
                for ((term, from), to) in whole.cells.iter().zip(&whole.scalars).zip(scalars) {
                    let Value::Number(numeric) = Value::of_term(*term, *from, whole.defined) else {
                        cells.push(*term);
                        continue;
                    };
                    let (term, fits) = self.fit(&numeric.number, *to);
                    cells.push(term);
                    conditions.push(fits);
                }
                Ok((cells, self.ctx.terms.and(&conditions)))
            }
            (value, _) => {
                let types = &self.ctx.names.types;
                let found = match &value {
                    Value::Truth(_) => "a truth value".to_owned(),
                    Value::Number(_) => "a number".to_owned(),
                    Value::Whole(whole) => format!("a value of type `{}`", types.describe(&whole.ty)),
                };
                let wanted = types.describe(ty);
                let error = Diagnostic::error(span, format!("{found} where `{wanted}` is needed"));
                let truth = matches!((&value, ty.single()), (Value::Number(_), Some(Scalar::Bool)));
                Err(self.ctx.report.add(if truth { error.hint("use `true` or `false`") } else { error }))
            }
        }
    }

    fn fit(&mut self, number: &Number, scalar: Scalar) -> (Term, Term) {
        let fits = number.between(self.ctx.terms, &BigInt::from(0), &scalar.high());
        let width = scalar.width();
        (number.at(self.ctx.terms, width), fits)
    }
}

impl<'s> Body<'_, '_, '_, 's> {
    /// All of these assignments, in parallel.
    ///
    /// # Errors
    /// If one of them is wrong; all are checked.
    pub fn update(&mut self, assigns: &[Assign<'s>]) -> Result<Update, Refused> {
        let mut update = Update::default();
        let mut result = Ok(());
        for assign in assigns {
            let checked = self.assign(assign, &mut Vec::new(), &mut update);
            result = result.and(checked);
        }
        result.map(|()| update)
    }

    fn assign(
        &mut self,
        assign: &Assign<'s>,
        bound: &mut Vec<(&'s str, BigInt)>,
        update: &mut Update,
    ) -> Result<(), Refused> {
        match &assign.kind {
            AssignKind::Set(target, value) => self.set(target, value, bound, assign.span, update),
            AssignKind::Differ(target, expr) => self.differ(target, expr, bound, assign.span, update),
            AssignKind::All(quantifier, inner) => {
                let mut evaluator = self.evaluator(Mode::Statement);
                evaluator.bound.clone_from(bound);
                let values = evaluator.values(quantifier)?;
                if values.is_empty() {
                    // Nothing is assigned, but the assignment is checked.
                    bound.push((quantifier.name.text, BigInt::from(0)));
                    let result = self.assign(inner, bound, &mut Update::default());
                    bound.pop();
                    return result;
                }
                for value in values {
                    bound.push((quantifier.name.text, value));
                    let result = self.assign(inner, bound, update);
                    bound.pop();
                    result?;
                }
                Ok(())
            }
        }
    }

    fn set(
        &mut self,
        target: &Lval<'s>,
        value: &ast::Value<'s>,
        bound: &[(&'s str, BigInt)],
        span: Span,
        update: &mut Update,
    ) -> Result<(), Refused> {
        let mut evaluator = self.evaluator(Mode::Statement);
        evaluator.bound.extend_from_slice(bound);
        let access = evaluator.access(target);
        match value {
            ast::Value::Expr(expr) => {
                let value = evaluator.value(expr);
                let access = access?;
                self.put(&access, value?, expr.span, bound.to_vec(), update)
            }
            ast::Value::Undef => {
                let access = access?;
                update.before.push(access.defined);
                let targets = evaluator.targets(&access, span)?;
                update.scatter(targets, access.scalars(), std::iter::repeat(Written::Anything));
                Ok(())
            }
        }
    }

    /// Writes a value to a variable or a part of it.
    pub(super) fn put(
        &mut self,
        access: &Access<'_>,
        value: Value,
        span: Span,
        bound: Vec<(&'s str, BigInt)>,
        update: &mut Update,
    ) -> Result<(), Refused> {
        let mut evaluator = self.evaluator(Mode::Statement);
        evaluator.bound = bound;
        let (cells, condition) = evaluator.stored(value, &access.ty, access.scalars(), span)?;
        let targets = evaluator.targets(access, span)?;
        update.before.extend([condition, access.defined]);
        update.scatter(targets, access.scalars(), cells.into_iter().map(Written::Term));
        Ok(())
    }

    /// `x != e`: x takes any value but that of e.
    fn differ(
        &mut self,
        target: &Lval<'s>,
        expr: &ast::Expr<'s>,
        bound: &[(&'s str, BigInt)],
        span: Span,
        update: &mut Update,
    ) -> Result<(), Refused> {
        let mut evaluator = self.evaluator(Mode::Statement);
        evaluator.bound.extend_from_slice(bound);
        let access = evaluator.access(target)?;
        let value = evaluator.value(expr)?;
        let targets = evaluator.targets(&access, span)?;
        let ([scalar], [candidates]) = (access.scalars(), targets.as_slice()) else {
            return Err(self.ctx.whole(target.span));
        };
        let helper = self.helper(scalar.sort());
        let terms = &mut *self.ctx.terms;
        let chosen = terms.var(helper);
        let always = terms.bool(true);
        let (equal, defined) = match (value, Value::of_term(chosen, *scalar, always)) {
            (Value::Truth(truth), Value::Truth(_)) => (terms.eq(chosen, truth.term), truth.defined),
            (Value::Number(numeric), Value::Number(own)) => (own.number.eq(terms, &numeric.number), numeric.defined),
            _ => {
                let message = format!("`{}` cannot differ from a value of another type", target.name.text);
                return Err(self.ctx.report.error(expr.span, message));
            }
        };
        let other = terms.not(equal);
        update.before.extend([access.defined, defined]);
        update.choose.push(helper);
        update.such_that.extend([other, scalar.legal(terms, helper)]);
        for (when, var) in candidates {
            update.write(*var, *scalar, *when, Written::Term(chosen));
        }
        Ok(())
    }

    /// The assignments as one rule.
    pub fn finish(&mut self, update: Update, span: Span) -> Transition {
        let mut rule = Transition {
            before: update.before,
            choose: update.choose,
            such_that: update.such_that,
            ..Transition::default()
        };
        for cell in update.cells {
            if let [(when, Written::Anything)] = cell.writes.as_slice()
                && self.ctx.terms.is_true(*when)
            {
                rule.forget.push(cell.var);
                rule.legal.push(cell.scalar.legal(self.ctx.terms, cell.var));
                continue;
            }
            let mut writes = Vec::with_capacity(cell.writes.len());
            for (when, written) in cell.writes {
                let value = match written {
                    Written::Term(term) => term,
                    Written::Anything => self.anything(cell.scalar, &mut rule),
                };
                writes.push((when, value));
            }
            let agree = self.agreement(&writes, span);
            rule.such_that.push(agree);
            let terms = &mut *self.ctx.terms;
            let mut value = terms.var(cell.var);
            for (when, written) in writes.iter().rev() {
                value = terms.ite(*when, *written, value);
            }
            rule.assign.push((cell.var, value));
        }
        rule
    }

    /// A helper with any value of the type, chosen by the rule.
    pub fn anything(&mut self, scalar: Scalar, rule: &mut Transition) -> Term {
        let helper = self.helper(scalar.sort());
        rule.choose.push(helper);
        rule.such_that.push(scalar.legal(self.ctx.terms, helper));
        self.ctx.terms.var(helper)
    }

    /// Whether writes to one cell agree.
    fn agreement(&mut self, writes: &[(Term, Term)], span: Span) -> Term {
        let mut conditions = Vec::new();
        for (i, (when, value)) in writes.iter().enumerate() {
            if i > 0 && self.ctx.spend(i as u64, span).is_err() {
                break;
            }
            for (other_when, other) in &writes[..i] {
                let terms = &mut *self.ctx.terms;
                if exclusive(terms, *when, *other_when) {
                    continue;
                }
                let both = terms.and(&[*when, *other_when]);
                let equal = terms.eq(*value, *other);
                let agree = terms.implies(both, equal);
                if terms.is_false(agree) {
                    let message = "a variable is assigned different values at once: the statement blocks";
                    self.ctx.report.add(Diagnostic::warning(span, message));
                }
                conditions.push(agree);
            }
        }
        self.ctx.terms.and(&conditions)
    }
}
