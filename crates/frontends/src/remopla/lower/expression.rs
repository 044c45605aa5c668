//! Expressions to terms.
//!
//! Numbers are exact. Where an expression is not defined, what happens depends on the
//! [`Mode`]: in a condition the smallest comparison around it is false (and so is an array
//! of truth values that is read out of range), in a statement the whole rule is disabled.

use super::Context;
use super::value::{Numeric, Truth, Value};
use crate::cursor::Refused;
use crate::remopla::ast::{Arith, Compare, Expr, ExprKind, Logic, Lval, Operator, Quantifier};
use crate::remopla::constants::evaluate;
use crate::remopla::names::Constant;
use crate::remopla::number::{MAX_BITS, Number, TooWide};
use crate::remopla::types::{Scope, Variable};
use num_bigint::{BigInt, Sign};
use rustc_hash::FxHashMap;
use tamis_ir::Span;
use tamis_term::{Term, Var};

/// What an undefined part makes of an expression.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Mode {
    /// The smallest comparison around it is false.
    Condition,
    /// The rule is disabled.
    Statement,
}

/// What the names with a given number of primes mean.
#[derive(Debug, Default)]
pub struct Frame<'n, 's> {
    /// Local variables.
    pub locals: Option<&'n Scope<'s>>,
    /// Global variables.
    pub globals: Option<&'n Scope<'s>>,
    /// The terms that stand for cells other than by their variable.
    pub cells: FxHashMap<Var, Term>,
}

/// The meaning of names without, with one and with two primes. Where there is none, primes
/// are refused.
pub type Frames<'n, 's> = [Option<Frame<'n, 's>>; 3];

/// An evaluator of expressions in some place of the program.
pub struct Evaluator<'c, 'n, 'a, 's> {
    pub(super) ctx: &'c mut Context<'n, 'a, 's>,
    pub(super) frames: &'c Frames<'n, 's>,
    pub(super) mode: Mode,
    /// Quantified names, innermost last.
    pub(super) bound: Vec<(&'s str, BigInt)>,
}

impl<'n, 's> Evaluator<'_, 'n, '_, 's> {
    /// The value of an expression.
    ///
    /// # Errors
    /// If it has none; the reason is reported.
    pub fn value(&mut self, expr: &Expr<'s>) -> Result<Value, Refused> {
        if !self.bound.is_empty() {
            self.ctx.spend(1, expr.span)?;
        }
        match &expr.kind {
            ExprKind::Number(value) => {
                let value = value.clone();
                self.constant(value, expr.span)
            }
            ExprKind::Truth(value) => {
                let (term, defined) = (self.ctx.terms.bool(*value), self.ctx.terms.bool(true));
                Ok(Value::Truth(Truth { term, defined }))
            }
            ExprKind::Lval(lval) => self.lval(lval),
            ExprKind::Not(inner) => {
                let inner = self.connected(inner)?;
                let term = self.ctx.terms.not(inner.term);
                Ok(Value::Truth(Truth { term, ..inner }))
            }
            ExprKind::Chain(first, rest) => self.chain(first, rest, expr.span),
            ExprKind::Quantified(all, parts) => self.quantified(*all, &parts.0, &parts.1),
        }
    }

    /// A truth value.
    pub fn truth(&mut self, expr: &Expr<'s>) -> Result<Truth, Refused> {
        let value = self.value(expr)?;
        self.as_truth(&value, expr.span)
    }

    /// A number.
    pub fn number(&mut self, expr: &Expr<'s>) -> Result<Numeric, Refused> {
        let value = self.value(expr)?;
        self.as_number(value, expr.span)
    }

    fn as_truth(&mut self, value: &Value, span: Span) -> Result<Truth, Refused> {
        match value {
            Value::Truth(truth) => Ok(*truth),
            Value::Number(_) => {
                Err(self.ctx.report.error_with(span, "expected a truth value, not a number", "compare it: `… != 0`"))
            }
            Value::Whole(_) => Err(self.ctx.whole(span)),
        }
    }

    fn as_number(&mut self, value: Value, span: Span) -> Result<Numeric, Refused> {
        match value {
            Value::Number(number) => Ok(number),
            Value::Truth(_) => {
                let hint = "parenthesise: comparisons bind tighter than `&`, `^` and `|`";
                Err(self.ctx.report.error_with(span, "expected a number, not a truth value", hint))
            }
            Value::Whole(_) => Err(self.ctx.whole(span)),
        }
    }

    /// An operand of a connective.
    fn connected(&mut self, expr: &Expr<'s>) -> Result<Truth, Refused> {
        let truth = self.truth(expr)?;
        Ok(self.atom(truth))
    }

    /// In a condition, an atom that is not defined is false.
    pub fn atom(&mut self, truth: Truth) -> Truth {
        match self.mode {
            Mode::Statement => truth,
            Mode::Condition => {
                let term = self.ctx.terms.and(&[truth.defined, truth.term]);
                Truth { term, defined: self.ctx.terms.bool(true) }
            }
        }
    }

    fn constant(&mut self, value: BigInt, span: Span) -> Result<Value, Refused> {
        let number = Number::constant(self.ctx.terms, value);
        let number = self.fitting(number, span)?;
        Ok(Value::Number(Numeric { number, defined: self.ctx.terms.bool(true), of: None }))
    }

    fn fitting(&mut self, number: Result<Number, TooWide>, span: Span) -> Result<Number, Refused> {
        number.map_err(|TooWide| {
            let message = format!("the exact value needs more than {MAX_BITS} bits");
            let hint = "use fewer bits: mask the distance of a shift with `&`, or split the expression";
            self.ctx.report.error_with(span, message, hint)
        })
    }

    fn lval(&mut self, lval: &Lval<'s>) -> Result<Value, Refused> {
        let plain = lval.primes == 0 && lval.index.is_empty() && lval.field.is_none();
        if plain && let Some((_, value)) = self.bound.iter().rev().find(|(name, _)| *name == lval.name.text) {
            let value = value.clone();
            return self.constant(value, lval.span);
        }
        if plain && self.variable(lval).is_none() {
            match self.ctx.names.constant(lval.name.text) {
                Some(Constant::Number(value)) => return self.constant(value.clone(), lval.span),
                Some(Constant::Enum(id, number)) => {
                    let of = Some(*id);
                    let number = Number::constant(self.ctx.terms, BigInt::from(*number));
                    let number = self.fitting(number, lval.span)?;
                    return Ok(Value::Number(Numeric { number, defined: self.ctx.terms.bool(true), of }));
                }
                None => {}
            }
        }
        self.read(lval)
    }

    /// The variable that a name stands for.
    pub(super) fn variable(&self, lval: &Lval<'s>) -> Option<&'n Variable> {
        let frame = self.frames[usize::from(lval.primes)].as_ref()?;
        let scopes = [frame.locals, frame.globals];
        scopes.into_iter().flatten().find_map(|scope| scope.get(lval.name.text))
    }

    fn chain(&mut self, first: &Expr<'s>, rest: &[(Operator, Expr<'s>)], span: Span) -> Result<Value, Refused> {
        if let Some((Operator::Logic(operator @ (Logic::And | Logic::Or)), _)) = rest.first() {
            return self.junction(*operator == Logic::And, first, rest);
        }
        let mut left = self.value(first)?;
        let mut left_span = first.span;
        for (operator, operand) in rest {
            left = match operator {
                Operator::Logic(operator) => {
                    let a = self.as_truth(&left, left_span)?;
                    let (a, b) = (self.atom(a), self.connected(operand)?);
                    let terms = &mut *self.ctx.terms;
                    let term = match operator {
                        Logic::Or => terms.or(&[a.term, b.term]),
                        Logic::And => terms.and(&[a.term, b.term]),
                        Logic::Xor => terms.xor(a.term, b.term),
                        Logic::Iff => terms.eq(a.term, b.term),
                    };
                    Value::Truth(Truth { term, defined: terms.and(&[a.defined, b.defined]) })
                }
                Operator::Compare(operator) => {
                    let right = self.value(operand)?;
                    Value::Truth(self.comparison(*operator, (left, left_span), (right, operand.span))?)
                }
                Operator::Arith(operator) => {
                    let a = self.as_number(left, left_span)?;
                    Value::Number(self.arithmetic(*operator, &a, operand, span)?)
                }
            };
            left_span = left_span.to(operand.span);
        }
        Ok(left)
    }

    /// `a && b && …` or `a || b || …`
    fn junction(&mut self, all: bool, first: &Expr<'s>, rest: &[(Operator, Expr<'s>)]) -> Result<Value, Refused> {
        let (mut operands, mut defined) = (Vec::new(), Vec::new());
        let mut failed = false;
        for operand in std::iter::once(first).chain(rest.iter().map(|(_, operand)| operand)) {
            match self.connected(operand) {
                Ok(truth) => {
                    operands.push(truth.term);
                    defined.push(truth.defined);
                }
                Err(Refused) => failed = true,
            }
        }
        if failed {
            return Err(Refused);
        }
        let term = if all { self.ctx.terms.and(&operands) } else { self.ctx.terms.or(&operands) };
        Ok(Value::Truth(Truth { term, defined: self.ctx.terms.and(&defined) }))
    }

    fn comparison(
        &mut self,
        operator: Compare,
        (left, left_span): (Value, Span),
        (right, right_span): (Value, Span),
    ) -> Result<Truth, Refused> {
        let equality = matches!(operator, Compare::Equal | Compare::Differ);
        if let (Value::Truth(a), Value::Truth(b), true) = (&left, &right, equality) {
            let equal = self.ctx.terms.eq(a.term, b.term);
            let term = if operator == Compare::Differ { self.ctx.terms.not(equal) } else { equal };
            let defined = self.ctx.terms.and(&[a.defined, b.defined]);
            return Ok(self.atom(Truth { term, defined }));
        }
        if matches!((&left, &right), (Value::Truth(_), Value::Number(_)) | (Value::Number(_), Value::Truth(_))) {
            let hint = "truth values are `true` and `false`; comparisons bind tighter than `&`, `^` and `|`";
            let span = left_span.to(right_span);
            return Err(self.ctx.report.error_with(span, "a truth value is compared with a number", hint));
        }
        let (a, b) = (self.as_number(left, left_span)?, self.as_number(right, right_span)?);
        if let (Some(x), Some(y)) = (a.of, b.of)
            && x != y
        {
            let enums = &self.ctx.names.types.enums;
            let message = format!("`{}` is compared with `{}`", enums[x.0].name, enums[y.0].name);
            return Err(self.ctx.report.error(left_span.to(right_span), message));
        }
        let (x, y, terms) = (&a.number, &b.number, &mut *self.ctx.terms);
        let term = match operator {
            Compare::Equal => x.eq(terms, y),
            Compare::Differ => {
                let equal = x.eq(terms, y);
                terms.not(equal)
            }
            Compare::LessEqual => x.less_equal(terms, y),
            Compare::GreaterEqual => y.less_equal(terms, x),
            Compare::Less => x.less(terms, y),
            Compare::Greater => y.less(terms, x),
        };
        let defined = self.ctx.terms.and(&[a.defined, b.defined]);
        Ok(self.atom(Truth { term, defined }))
    }

    fn arithmetic(
        &mut self,
        operator: Arith,
        left: &Numeric,
        operand: &Expr<'s>,
        span: Span,
    ) -> Result<Numeric, Refused> {
        if operator == Arith::Minus
            && let Some(parts) = quotient_times(operand)
        {
            return self.minus_product(left, parts, span);
        }
        let right = self.number(operand)?;
        self.apply(operator, left, &right, span)
    }

    fn apply(&mut self, operator: Arith, left: &Numeric, right: &Numeric, span: Span) -> Result<Numeric, Refused> {
        let terms = &mut *self.ctx.terms;
        let (a, b) = (&left.number, &right.number);
        let number = match operator {
            Arith::Plus => a.add(terms, b),
            Arith::Minus => a.sub(terms, b),
            Arith::Times => a.mul(terms, b),
            Arith::Divide => a.div(terms, b),
            Arith::ShiftLeft => a.shift_left(terms, b),
            Arith::ShiftRight => a.shift_right(terms, b),
            Arith::And => a.and(terms, b),
            Arith::Or => a.or(terms, b),
            Arith::Xor => a.xor(terms, b),
        };
        let number = self.fitting(number, span)?;
        let terms = &mut *self.ctx.terms;
        let shift = matches!(operator, Arith::ShiftLeft | Arith::ShiftRight);
        let allowed = if operator == Arith::Divide {
            let zero = b.eq_value(terms, &BigInt::from(0));
            terms.not(zero)
        } else if shift && b.low.sign() == Sign::Minus {
            b.between(terms, &BigInt::from(0), &b.high)
        } else {
            terms.bool(true)
        };
        let defined = terms.and(&[left.defined, right.defined, allowed]);
        Ok(Numeric { number, defined, of: None })
    }

    /// `left - (p / q) * r`. The language has no remainder, and this is how one writes it:
    /// as a remainder it is one term, and known not to be negative.
    fn minus_product(
        &mut self,
        left: &Numeric,
        (p, q, r): (&Expr<'s>, &Expr<'s>, &Expr<'s>),
        span: Span,
    ) -> Result<Numeric, Refused> {
        let (p, q, r) = (self.number(p)?, self.number(q)?, self.number(r)?);
        let quotient = self.apply(Arith::Divide, &p, &q, span)?;
        if left.number == p.number
            && q.number == r.number
            && let Some(number) = p.number.remainder(self.ctx.terms, &q.number)
        {
            let defined = self.ctx.terms.and(&[left.defined, quotient.defined, r.defined]);
            return Ok(Numeric { number, defined, of: None });
        }
        let product = self.apply(Arith::Times, &quotient, &r, span)?;
        self.apply(Arith::Minus, left, &product, span)
    }

    /// The values of a quantified name.
    ///
    /// # Errors
    /// If the bounds are no constants or there are too many values.
    pub(super) fn values(&mut self, quantifier: &Quantifier<'s>) -> Result<Vec<BigInt>, Refused> {
        let lookup = |name: &str| {
            let bound = self.bound.iter().rev().find(|(bound, _)| *bound == name);
            bound.map(|(_, value)| value.clone()).or_else(|| self.ctx.names.number(name))
        };
        let (low, high) = match (evaluate(&quantifier.low, &lookup), evaluate(&quantifier.high, &lookup)) {
            (Ok(low), Ok(high)) => (low, high),
            (Err(error), _) | (_, Err(error)) => return Err(self.ctx.report.add(error)),
        };
        let count: BigInt = &high - &low + 1;
        if count.sign() != Sign::Plus {
            return Ok(Vec::new());
        }
        let count = u64::try_from(&count).unwrap_or(u64::MAX);
        self.ctx.spend(count, quantifier.low.span.to(quantifier.high.span))?;
        Ok((0..count).map(|step| &low + step).collect())
    }

    fn quantified(&mut self, all: bool, quantifier: &Quantifier<'s>, body: &Expr<'s>) -> Result<Value, Refused> {
        let values = self.values(quantifier)?;
        let nothing = values.is_empty();
        let (mut operands, mut defined) = (Vec::new(), Vec::new());
        // The body is checked even if there is no value for the name.
        for value in if nothing { vec![BigInt::from(0)] } else { values } {
            self.bound.push((quantifier.name.text, value));
            let truth = self.connected(body);
            self.bound.pop();
            let truth = truth?;
            operands.push(truth.term);
            defined.push(truth.defined);
        }
        let terms = &mut *self.ctx.terms;
        if nothing {
            let (term, defined) = (terms.bool(all), terms.bool(true));
            return Ok(Value::Truth(Truth { term, defined }));
        }
        let term = if all { terms.and(&operands) } else { terms.or(&operands) };
        Ok(Value::Truth(Truth { term, defined: terms.and(&defined) }))
    }
}

/// The parts of `(p / q) * r`, `p / q * r` or `r * (p / q)`.
fn quotient_times<'e, 's>(expr: &'e Expr<'s>) -> Option<(&'e Expr<'s>, &'e Expr<'s>, &'e Expr<'s>)> {
    let ExprKind::Chain(first, rest) = &expr.kind else { return None };
    match rest.as_slice() {
        [(Operator::Arith(Arith::Divide), q), (Operator::Arith(Arith::Times), r)] => Some((first, q, r)),
        [(Operator::Arith(Arith::Times), other)] => {
            let (p, q) = quotient(first).or_else(|| quotient(other))?;
            Some((p, q, if quotient(first).is_some() { other } else { first }))
        }
        _ => None,
    }
}

fn quotient<'e, 's>(expr: &'e Expr<'s>) -> Option<(&'e Expr<'s>, &'e Expr<'s>)> {
    let ExprKind::Chain(first, rest) = &expr.kind else { return None };
    match rest.as_slice() {
        [(Operator::Arith(Arith::Divide), q)] => Some((first, q)),
        _ => None,
    }
}
