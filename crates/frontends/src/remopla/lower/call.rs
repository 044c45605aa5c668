//! Calls.
//!
//! The assignments made along with a call are made before it, in parallel with reading the
//! arguments: a global variable then has its new value where the callee starts, and a local
//! one, which no callee sees, has it after the return.

use super::body::{Body, Guard};
use super::expression::Mode;
use super::transition::Transition;
use super::update::Update;
use super::value::{Value, Whole};
use crate::cursor::Refused;
use crate::remopla::ast::{self, Call, Lval, Name};
use crate::remopla::names::Module;
use crate::remopla::report::count;
use crate::remopla::types::Variable;
use rustc_hash::FxHashSet;
use tamis_ir::{Loc, Op, Span};
use tamis_term::{Term, Var};

impl<'n, 'a, 's> Body<'_, 'n, 'a, 's> {
    /// The module of a call.
    pub(super) fn callee(&mut self, name: Name<'s>) -> Result<&'n Module<'a, 's>, Refused> {
        if let Some(id) = self.ctx.names.module(name.text) {
            return Ok(&self.ctx.names.modules[id.0]);
        }
        let declared = self.ctx.file.modules.iter().any(|module| module.name.text == name.text);
        Err(if declared {
            let message = format!("the module `{}` is declared but has no body", name.text);
            self.ctx.report.error(name.span, message)
        } else {
            let hint = match name.text {
                "assert" => "Remopla has no assertions: `goto error;` where one fails",
                "while" | "for" => "loops are written `do :: condition -> … :: else -> break; od`",
                _ => "define it: `module void name() { … }`",
            };
            self.ctx.report.error_with(name.span, format!("unknown module `{}`", name.text), hint)
        })
    }

    /// `f(args), …` or `x = f(args), …`
    pub(super) fn call(
        &mut self,
        call: &Call<'s>,
        from: Loc,
        to: Loc,
        guard: Option<Guard>,
        span: Span,
    ) -> Result<(), Refused> {
        let callee = self.callee(call.callee)?;
        let update = self.update(&call.also);
        let args = self.arguments(call, callee);
        let target = call.target.as_ref().map(|target| self.result(target, callee, call.callee)).transpose();
        let (update, (args, arg_rule), target) = (update?, args?, target?);

        let mut rule = self.finish(update, span);
        rule.before.extend(arg_rule.before);
        rule.choose.extend(arg_rule.choose);
        rule.such_that.extend(arg_rule.such_that);
        rule.before.extend(guard.map(|guard| guard.term));
        rule.before.rotate_right(usize::from(guard.is_some()));
        let args = self.saved(args, &mut rule);

        let (results, after) = match target {
            Some(target) => (target.results, target.after),
            None => (self.dropped(callee), None),
        };
        let mut ops = rule.ops(self.ctx.terms);
        ops.push(Op::Call { callee: callee.proc, args, results });
        if let Some(update) = after {
            let rule = self.finish(update, span);
            ops.extend(rule.ops(self.ctx.terms));
        }
        self.chain(from, to, ops, guard, span);
        Ok(())
    }

    /// The values of the arguments, and the conditions and choices that they need.
    fn arguments(&mut self, call: &Call<'s>, callee: &'n Module<'a, 's>) -> Result<(Vec<Term>, Transition), Refused> {
        if call.args.len() != callee.params.len() {
            let wanted = count(callee.params.len(), "argument");
            let message = format!("`{}` takes {wanted}, not {}", callee.name, call.args.len());
            return Err(self.ctx.report.error(call.callee.span, message));
        }
        let (mut cells, mut rule) = (Vec::new(), Transition::default());
        let mut result = Ok(());
        for (arg, name) in call.args.iter().zip(&callee.params) {
            let Some(param) = callee.scope.get(name) else { continue };
            let checked = self.argument(arg, param, &mut cells, &mut rule);
            result = result.and(checked);
        }
        result.map(|()| (cells, rule))
    }

    fn argument(
        &mut self,
        arg: &ast::Value<'s>,
        param: &Variable,
        cells: &mut Vec<Term>,
        rule: &mut Transition,
    ) -> Result<(), Refused> {
        match arg {
            ast::Value::Undef => {
                for scalar in &param.scalars {
                    cells.push(self.anything(*scalar, rule));
                }
            }
            ast::Value::Expr(expr) => {
                let mut evaluator = self.evaluator(Mode::Statement);
                let value = evaluator.value(expr)?;
                let (terms, condition) = evaluator.stored(value, &param.ty, &param.scalars, expr.span)?;
                cells.extend(terms);
                rule.before.push(condition);
            }
        }
        Ok(())
    }

    /// Arguments that read what the rule assigns are saved by the rule, from the old values.
    pub(super) fn saved(&mut self, args: Vec<Term>, rule: &mut Transition) -> Vec<Term> {
        let written: FxHashSet<Var> = rule.written().collect();
        if written.is_empty() {
            return args;
        }
        let save = |arg: Term| {
            if self.ctx.terms.free_vars(&[arg]).is_disjoint(&written.iter().copied().collect()) {
                return arg;
            }
            let helper = self.helper(self.ctx.terms.sort(arg).clone());
            rule.assign.push((helper, arg));
            self.ctx.terms.var(helper)
        };
        args.into_iter().map(save).collect()
    }

    /// Helpers for results that nobody wants.
    pub(super) fn dropped(&mut self, callee: &'n Module<'a, 's>) -> Vec<Var> {
        let scalars = callee.result.iter().flat_map(|result| &result.scalars);
        scalars.map(|scalar| self.helper(scalar.sort())).collect()
    }

    /// What takes the result: the variable itself where it can, or helpers from which it is
    /// assigned after the return.
    fn result(&mut self, target: &Lval<'s>, callee: &'n Module<'a, 's>, name: Name<'s>) -> Result<Target, Refused> {
        let Some(result) = &callee.result else {
            let message = format!("`{}` returns nothing", callee.name);
            return Err(self.ctx.report.error_with(name.span, message, "call it without `=`"));
        };
        let mut evaluator = self.evaluator(Mode::Statement);
        let access = evaluator.access(target)?;
        let exact = access.scalars() == result.scalars && access.ty.dims.len() == result.ty.dims.len();
        if exact && access.is_fixed() && evaluator.ctx.terms.is_true(access.defined) {
            let targets = evaluator.targets(&access, target.span)?;
            let results = targets.into_iter().flatten().map(|(_, var)| var).collect();
            return Ok(Target { results, after: None });
        }
        let results = self.dropped(callee);
        let always = self.ctx.terms.bool(true);
        let cells: Vec<Term> = results.iter().map(|var| self.ctx.terms.var(*var)).collect();
        let value = if let (Some(scalar), [term]) = (result.ty.single(), cells.as_slice()) {
            Value::of_term(*term, scalar, always)
        } else {
            let scalars = result.scalars.clone();
            Value::Whole(Whole { ty: result.ty.clone(), cells, scalars, defined: always })
        };
        let mut update = Update::default();
        self.put(&access, value, target.span, Vec::new(), &mut update)?;
        Ok(Target { results, after: Some(update) })
    }
}

/// Where a result goes.
struct Target {
    /// The variables that take it.
    results: Vec<Var>,
    /// What is assigned from them afterwards.
    after: Option<Update>,
}
