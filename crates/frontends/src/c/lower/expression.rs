//! Expressions: terms where possible, edges where evaluation does something.

use super::checks::Failure;
use super::effects::{Effect, is_nonzero};
use super::place::{Purpose, Spot};
use super::value::{self, number};
use super::{Lowering, Value};
use crate::c::leaves::value_bits;
use crate::c::tree::{BinaryOp, Callee, Expr, ExprKind, Place, Scale};
use crate::c::types::{FloatKind, Ty, Type};
use tamis_ir::{Loc, Op, Span};
use tamis_term::{Fun, Sort, Term};

/// What an assignment is also used for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Use {
    Nothing,
    /// The value afterwards.
    ReadBack,
    /// The value before.
    Old,
}

impl Lowering<'_> {
    /// The value of a scalar expression.
    pub(super) fn scalar(&mut self, expr: &Expr) -> Term {
        match self.rvalue(expr) {
            Value::Scalar(term) => term,
            Value::Void | Value::Record(_) => {
                self.refuse(expr.span, "this has no value");
                number(self.terms, self.bits(expr.ty), 0)
            }
        }
    }

    /// The width of values of a scalar type.
    pub(super) fn bits(&self, ty: Ty) -> u32 {
        value_bits(&self.unit.types, ty)
    }

    pub(super) fn is_long_double(&self, ty: Ty) -> bool {
        matches!(self.unit.types.get(ty), Type::Float(FloatKind::LongDouble))
    }

    fn is_signed(&self, ty: Ty) -> bool {
        self.unit.types.scalar(ty).is_some_and(|(_, signed)| signed)
    }

    /// Whether a scalar expression differs from zero.
    pub(super) fn truth(&mut self, expr: &Expr) -> Term {
        match &expr.kind {
            ExprKind::Not(operand) => {
                let truth = self.truth(operand);
                self.terms.not(truth)
            }
            ExprKind::Binary(op, left, right) if op.is_comparison() => self.comparison(*op, left, right, expr.span),
            ExprKind::And(left, right) => self.junction(left, right, true, expr.span),
            ExprKind::Or(left, right) => self.junction(left, right, false, expr.span),
            ExprKind::Convert(operand) if self.keeps_truth(operand.ty, expr.ty) => self.truth(operand),
            _ => {
                let term = self.sign(expr);
                self.is_true(term, expr.ty, expr.span)
            }
        }
    }

    /// Whether a conversion never makes a value zero that was not.
    fn keeps_truth(&self, from: Ty, to: Ty) -> bool {
        let types = &self.unit.types;
        let integers = types.is_integer(from) && types.is_integer(to);
        integers && (matches!(types.get(to), Type::Bool) || self.bits(to) >= self.bits(from))
    }

    fn is_true(&mut self, term: Term, ty: Ty, span: Span) -> Term {
        if self.is_long_double(ty) {
            return self.approximate(Sort::Bool, "long double", span);
        }
        value::truth(self.terms, &self.unit.types, term, ty)
    }

    fn comparison(&mut self, op: BinaryOp, left: &Expr, right: &Expr, span: Span) -> Term {
        let is_zero = |expr: &Expr| matches!(expr.kind, ExprKind::Int(0));
        let (a, b) = if is_zero(right) {
            (self.sign(left), self.scalar(right))
        } else if is_zero(left) {
            (self.scalar(left), self.sign(right))
        } else {
            self.pair(left, right)
        };
        if self.is_long_double(left.ty) {
            return self.approximate(Sort::Bool, "long double", span);
        }
        let result = value::compare(self.terms, &self.unit.types, op, a, b, left.ty);
        if self.compares_literals(left, right) {
            return self.unless_shared((left, a), b, result, span);
        }
        if self.orders_addresses(op, left, right) {
            return self.unless_apart([(left, a), (right, b)], result, span);
        }
        result
    }

    /// Two operands, from left to right.
    fn pair(&mut self, left: &Expr, right: &Expr) -> (Term, Term) {
        let mut a = self.scalar(left);
        if self.effect(right) == Effect::Writes {
            a = self.keep(a, left.span);
        }
        (a, self.scalar(right))
    }

    /// `left && right`, or `left || right`.
    fn junction(&mut self, left: &Expr, right: &Expr, and: bool, span: Span) -> Term {
        if self.effect(right) == Effect::None {
            let (a, b) = (self.truth(left), self.truth(right));
            return if and { self.terms.and(&[a, b]) } else { self.terms.or(&[a, b]) };
        }
        let var = self.temporary(Sort::Bool);
        let first = self.truth(left);
        let (yes, no) = self.branch(first, span);
        let (go_on, decided) = if and { (yes, no) } else { (no, yes) };
        let joined = self.program.add_loc(span);
        self.frame.at = decided;
        let short = self.terms.bool(!and);
        self.emit_to(Op::Assign(vec![(var, short)]), joined, span);
        self.frame.at = go_on;
        let second = self.truth(right);
        self.emit_to(Op::Assign(vec![(var, second)]), joined, span);
        self.frame.at = joined;
        self.terms.var(var)
    }

    /// Goes to one of two locations.
    pub(super) fn condition(&mut self, expr: &Expr, then: Loc, otherwise: Loc) {
        match &expr.kind {
            ExprKind::Not(operand) => self.condition(operand, otherwise, then),
            ExprKind::And(left, right) if self.effect(right) != Effect::None => {
                let middle = self.program.add_loc(right.span);
                self.condition(left, middle, otherwise);
                self.frame.at = middle;
                self.condition(right, then, otherwise);
            }
            ExprKind::Or(left, right) if self.effect(right) != Effect::None => {
                let middle = self.program.add_loc(right.span);
                self.condition(left, then, middle);
                self.frame.at = middle;
                self.condition(right, then, otherwise);
            }
            _ => {
                let truth = self.truth(expr);
                self.branch_to(truth, then, otherwise, expr.span);
            }
        }
    }

    /// The value of an expression.
    pub(super) fn rvalue(&mut self, expr: &Expr) -> Value {
        let span = expr.span;
        match &expr.kind {
            ExprKind::Int(number_of) => Value::Scalar(number(self.terms, self.bits(expr.ty), *number_of)),
            ExprKind::Float(float) => {
                let known = match self.unit.types.get(expr.ty) {
                    Type::Float(kind) => value::float(self.terms, *kind, *float),
                    _ => None,
                };
                match known {
                    Some(term) => Value::Scalar(term),
                    None => self.unmodelled(expr.ty, "long double", span),
                }
            }
            ExprKind::Load(place) => {
                let spot = self.spot(place, Purpose::Access);
                let value = self.load(&spot, span);
                self.as_read(place, value, span)
            }
            ExprKind::Address(place) => {
                let spot = self.spot(place, Purpose::Address);
                Value::Scalar(self.spot_address(&spot, span))
            }
            ExprKind::Function(function) => Value::Scalar(self.function_address(*function)),
            ExprKind::Neg(operand) => self.negation(expr, operand),
            ExprKind::BitNot(operand) => {
                let term = self.scalar(operand);
                let result = self.terms.app(Fun::BvNot, &[term]);
                let shown = self.shows_address(expr);
                Value::Scalar(if shown { self.unless_address(expr, term, result) } else { result })
            }
            ExprKind::Not(_) | ExprKind::And(..) | ExprKind::Or(..) => self.truth_value(expr),
            ExprKind::Binary(op, ..) if op.is_comparison() => self.truth_value(expr),
            ExprKind::Binary(op, left, right) => {
                let (a, b) = self.pair(left, right);
                Value::Scalar(self.operate(*op, a, b, expr.ty, is_nonzero(right), expr))
            }
            ExprKind::PointerAdd { pointer, index, minus, scale } => {
                let (pointer, index) = self.pair(pointer, index);
                let step = self.scaled(index, scale);
                let moved = if *minus { self.terms.bvsub(pointer, step) } else { self.terms.bvadd(pointer, step) };
                Value::Scalar(moved)
            }
            ExprKind::PointerDiff { left, right, scale } => {
                let (a, b) = self.pair(left, right);
                let bytes = self.terms.bvsub(a, b);
                let one = number(self.terms, self.pointer_bits(), 1);
                let size = self.scaled(one, scale);
                let difference = if size == one { bytes } else { self.terms.bvsdiv(bytes, size) };
                Value::Scalar(if self.compares_literals(left, right) {
                    self.unless_shared((left, a), b, difference, span)
                } else {
                    difference
                })
            }
            ExprKind::Conditional(condition, then, otherwise) => self.conditional(expr, condition, then, otherwise),
            ExprKind::Elvis(first, second) => self.elvis(expr, first, second),
            ExprKind::Comma(first, second) => {
                self.discard(first);
                self.rvalue(second)
            }
            ExprKind::Assign(place, value) => {
                let spot = self.assign(place, value, span, Use::ReadBack);
                self.load(&spot, span)
            }
            ExprKind::Compound { .. } => {
                let spot = self.compound(expr, Use::ReadBack);
                self.load(&spot, span)
            }
            ExprKind::Increment { post, .. } => {
                let (spot, old) = self.increment(expr, if *post { Use::Old } else { Use::ReadBack });
                old.map_or_else(|| self.load(&spot, span), Value::Scalar)
            }
            ExprKind::Convert(operand) => self.conversion(expr, operand),
            ExprKind::Call(callee, args) => {
                self.check_copied(expr.ty, span);
                self.call(expr, callee, args, false)
            }
            ExprKind::Statements(block, statements, last) => {
                let depth = self.open_scope(*block, span);
                for statement in statements {
                    self.statement(statement);
                }
                let mut value = last.as_ref().map_or(Value::Void, |last| self.rvalue(last));
                if self.failures.asks_about_memory() {
                    value = self.keep_value(value, span);
                }
                self.close_scope(depth, span);
                value
            }
            ExprKind::Unsupported { what, operands } => {
                for operand in operands {
                    self.discard(operand);
                }
                self.unmodelled(expr.ty, what, span)
            }
        }
    }

    /// Evaluates an expression for its effects.
    pub(super) fn discard(&mut self, expr: &Expr) {
        match &expr.kind {
            ExprKind::Assign(place, value) => {
                self.assign(place, value, expr.span, Use::Nothing);
            }
            ExprKind::Compound { .. } => {
                self.compound(expr, Use::Nothing);
            }
            ExprKind::Increment { .. } => {
                self.increment(expr, Use::Nothing);
            }
            ExprKind::Convert(operand) if matches!(self.unit.types.get(expr.ty), Type::Void) => self.discard(operand),
            ExprKind::Comma(first, second) => {
                self.discard(first);
                self.discard(second);
            }
            ExprKind::And(..) | ExprKind::Or(..) if self.effect(expr) != Effect::None => {
                let done = self.program.add_loc(expr.span);
                self.condition(expr, done, done);
                self.frame.at = done;
            }
            // What it returns is not modelled, but not wanted either.
            ExprKind::Call(Callee::Function(function), args) if self.is_silent(self.unit.function(*function)) => {
                let values = self.arguments(args);
                let name = &self.unit.functions[self.unit.function(*function).index()].name;
                self.print(name, args, &values, expr.span);
            }
            _ if self.effect(expr) == Effect::None => {}
            _ => {
                self.rvalue(expr);
            }
        }
    }

    /// An arbitrary value where nothing better is known.
    pub(super) fn unmodelled(&mut self, ty: Ty, what: &str, span: Span) -> Value {
        if matches!(self.unit.types.get(ty), Type::Void) {
            return Value::Void;
        }
        if self.unit.types.is_scalar(ty) {
            return Value::Scalar(self.approximate(Sort::BitVec(self.bits(ty)), what, span));
        }
        let leaves = self.leaves.of(&self.unit.types, ty).unwrap_or_default();
        let sorts: Vec<Sort> = leaves.iter().map(|leaf| leaf.sort(&self.unit.types)).collect();
        Value::Record(sorts.into_iter().map(|sort| self.approximate(sort, what, span)).collect())
    }

    fn truth_value(&mut self, expr: &Expr) -> Value {
        let truth = self.truth(expr);
        Value::Scalar(value::from_bool(self.terms, self.bits(expr.ty), truth))
    }

    fn negation(&mut self, expr: &Expr, operand: &Expr) -> Value {
        let term = self.scalar(operand);
        let width = self.terms.width(term);
        if self.is_long_double(expr.ty) {
            return self.unmodelled(expr.ty, "long double", expr.span);
        }
        if self.unit.types.is_float(expr.ty) {
            let sign = number(self.terms, width, 1 << (width - 1));
            return Value::Scalar(self.terms.bvxor(term, sign));
        }
        let zero = number(self.terms, width, 0);
        self.check_overflow((BinaryOp::Sub, zero, term), self.is_signed(expr.ty), expr.span);
        let result = self.terms.app(Fun::BvNeg, &[term]);
        let shown = self.shows_address(expr);
        Value::Scalar(if shown { self.unless_address(expr, term, result) } else { result })
    }

    /// Arithmetic on two values of a type, on behalf of an expression.
    fn operate(&mut self, op: BinaryOp, left: Term, right: Term, ty: Ty, nonzero: bool, expr: &Expr) -> Term {
        if self.unit.types.is_float(ty) {
            return self.approximate(Sort::BitVec(self.bits(ty)), "floating-point arithmetic", expr.span);
        }
        if matches!(op, BinaryOp::Div | BinaryOp::Rem) && !nonzero {
            let zero = number(self.terms, self.terms.width(right), 0);
            let by_zero = self.terms.eq(right, zero);
            if self.failures.asks(Failure::Division) {
                self.fail_if(Failure::Division, by_zero, expr.span);
            } else {
                // The processor traps, which ends the run.
                let fine = self.terms.not(by_zero);
                self.emit(Op::Assume(fine), expr.span);
            }
        }
        self.check_overflow((op, left, right), self.is_signed(ty), expr.span);
        if self.is_signed(ty) && matches!(op, BinaryOp::Div | BinaryOp::Rem) && !self.failures.asks(Failure::Overflow) {
            // The processor traps when the least number is divided by -1.
            let traps =
                value::overflows(self.terms, op, left, right, true).filter(|traps| !self.terms.is_false(*traps));
            if let Some(traps) = traps {
                let fine = self.terms.not(traps);
                self.emit(Op::Assume(fine), expr.span);
            }
        }
        let result = value::arithmetic(self.terms, op, left, right, self.is_signed(ty));
        if self.shows_address(expr) { self.unless_addresses(expr, op, [left, right], result) } else { result }
    }

    /// Signed arithmetic beyond its range is an error or does not happen, if the user says so. Its type
    /// is the one that it is done in, which may be another than that of the place that it changes.
    fn check_overflow(&mut self, (op, left, right): (BinaryOp, Term, Term), signed: bool, span: Span) {
        if !self.checks_overflow(signed) {
            return;
        }
        let (op, left, right) = if signed { (op, left, right) } else { value::as_written(self.terms, op, left, right) };
        let Some(overflow) = value::overflows(self.terms, op, left, right, signed) else { return };
        if signed && self.failures.asks(Failure::Overflow) {
            self.fail_if(Failure::Overflow, overflow, span);
        } else if !self.terms.is_false(overflow) {
            let fine = self.terms.not(overflow);
            self.emit(Op::Assume(fine), span);
        }
    }

    fn scaled(&mut self, index: Term, scale: &Scale) -> Term {
        let size = match scale {
            Scale::Bytes(bytes) => number(self.terms, self.pointer_bits(), (*bytes).into()),
            Scale::Variable(size) => self.scalar(size),
        };
        let size = value::resize(self.terms, size, self.pointer_bits(), false);
        let index = value::resize(self.terms, index, self.pointer_bits(), true);
        self.terms.bvmul(index, size)
    }

    fn conversion(&mut self, expr: &Expr, operand: &Expr) -> Value {
        if matches!(self.unit.types.get(expr.ty), Type::Void) {
            self.discard(operand);
            return Value::Void;
        }
        if self.keeps_truth(operand.ty, expr.ty) && matches!(self.unit.types.get(expr.ty), Type::Bool) {
            return self.truth_value_of(operand, 1);
        }
        let term = match self.rvalue(operand) {
            Value::Scalar(term) => term,
            other => return other,
        };
        match value::convert(self.terms, &self.unit.types, term, operand.ty, expr.ty) {
            Some(result) if self.shows_address(expr) => Value::Scalar(self.unless_address(expr, term, result)),
            Some(result) if self.shows_literal(expr) => {
                Value::Scalar(self.unless_literal((expr, term), result, expr.span))
            }
            Some(result) if !self.is_long_double(operand.ty) => Value::Scalar(result),
            _ => self.unmodelled(expr.ty, "conversion of floating-point numbers", expr.span),
        }
    }

    fn truth_value_of(&mut self, expr: &Expr, width: u32) -> Value {
        let truth = self.truth(expr);
        Value::Scalar(value::from_bool(self.terms, width, truth))
    }

    fn conditional(&mut self, expr: &Expr, condition: &Expr, then: &Expr, otherwise: &Expr) -> Value {
        if self.effect(then) == Effect::None && self.effect(otherwise) == Effect::None {
            let truth = self.truth(condition);
            let values = (self.rvalue(then), self.rvalue(otherwise));
            return match values {
                (Value::Scalar(a), Value::Scalar(b)) => Value::Scalar(self.terms.ite(truth, a, b)),
                (Value::Record(a), Value::Record(b)) => {
                    Value::Record(a.into_iter().zip(b).map(|(a, b)| self.terms.ite(truth, a, b)).collect())
                }
                _ => Value::Void,
            };
        }
        let (yes, no) = (self.program.add_loc(then.span), self.program.add_loc(otherwise.span));
        self.condition(condition, yes, no);
        self.choice(expr, &[(yes, then), (no, otherwise)])
    }

    /// The value of one of several expressions, each evaluated at its own location.
    fn choice(&mut self, expr: &Expr, ways: &[(Loc, &Expr)]) -> Value {
        let joined = self.program.add_loc(expr.span);
        let mut vars = Vec::new();
        let mut shape = Value::Void;
        for (at, way) in ways {
            self.frame.at = *at;
            let value = self.rvalue(way);
            let terms: &[Term] = match &value {
                Value::Void => &[],
                Value::Scalar(term) => std::slice::from_ref(term),
                Value::Record(terms) => terms,
            };
            if vars.is_empty() {
                for term in terms {
                    let sort = self.terms.sort(*term).clone();
                    vars.push(self.temporary(sort));
                }
            }
            let writes: Vec<_> = vars.iter().copied().zip(terms.iter().copied()).collect();
            if writes.is_empty() {
                self.go(joined, way.span);
            } else {
                self.emit_to(Op::Assign(writes), joined, way.span);
            }
            shape = value;
        }
        self.frame.at = joined;
        let terms: Vec<Term> = vars.into_iter().map(|var| self.terms.var(var)).collect();
        match shape {
            Value::Void => Value::Void,
            Value::Scalar(_) => Value::Scalar(terms[0]),
            Value::Record(_) => Value::Record(terms),
        }
    }

    /// `first ?: second`.
    fn elvis(&mut self, expr: &Expr, first: &Expr, second: &Expr) -> Value {
        let term = self.scalar(first);
        let term = if self.effect(second) == Effect::Writes { self.keep(term, first.span) } else { term };
        let truth = self.is_true(term, first.ty, first.span);
        if self.effect(second) == Effect::None {
            let other = self.scalar(second);
            return Value::Scalar(self.terms.ite(truth, term, other));
        }
        let var = self.temporary(self.terms.sort(term).clone());
        let (yes, no) = self.branch(truth, expr.span);
        self.frame.at = no;
        let other = self.scalar(second);
        let joined = self.program.add_loc(expr.span);
        self.emit_to(Op::Assign(vec![(var, other)]), joined, expr.span);
        self.frame.at = yes;
        self.emit_to(Op::Assign(vec![(var, term)]), joined, expr.span);
        self.frame.at = joined;
        Value::Scalar(self.terms.var(var))
    }

    /// `place op= value`.
    fn compound(&mut self, expr: &Expr, used: Use) -> Spot {
        let ExprKind::Compound { place, op, value, common, scale } = &expr.kind else {
            unreachable!("called for compound assignments")
        };
        let mut operand = self.scalar(value);
        if self.place_effect(place) == Effect::Writes {
            operand = self.keep(operand, value.span);
        }
        let spot = self.spot_for(place, used);
        let old = self.load(&spot, expr.span);
        let Value::Scalar(old) = self.as_read(place, old, expr.span) else { return spot };
        let new = if let Some(scale) = scale {
            let step = self.scaled(operand, scale);
            if *op == BinaryOp::Sub { self.terms.bvsub(old, step) } else { self.terms.bvadd(old, step) }
        } else {
            let left = self.convert_or_approximate(old, place.ty, *common, expr.span);
            let result = self.operate(*op, left, operand, *common, is_nonzero(value), expr);
            self.convert_or_approximate(result, *common, place.ty, expr.span)
        };
        self.store(&spot, &Value::Scalar(new), expr.span);
        spot
    }

    pub(super) fn convert_or_approximate(&mut self, term: Term, from: Ty, to: Ty, span: Span) -> Term {
        match value::convert(self.terms, &self.unit.types, term, from, to) {
            Some(term) => term,
            None => self.approximate(Sort::BitVec(self.bits(to)), "conversion of floating-point numbers", span),
        }
    }

    /// `++` and `--`; the old value too if it is wanted.
    fn increment(&mut self, expr: &Expr, used: Use) -> (Spot, Option<Term>) {
        let ExprKind::Increment { place, minus, scale, .. } = &expr.kind else { unreachable!("called for increments") };
        let spot = self.spot_for(place, used);
        let old = self.load(&spot, expr.span);
        let Value::Scalar(mut old) = self.as_read(place, old, expr.span) else { return (spot, None) };
        if used == Use::Old {
            old = self.keep(old, expr.span);
        }
        let op = if *minus { BinaryOp::Sub } else { BinaryOp::Add };
        let ty = place.ty;
        let new = if let Some(scale) = scale {
            let one = number(self.terms, self.pointer_bits(), 1);
            let step = self.scaled(one, scale);
            value::arithmetic(self.terms, op, old, step, false)
        } else if self.unit.types.is_float(ty) {
            self.approximate(Sort::BitVec(self.bits(ty)), "floating-point arithmetic", expr.span)
        } else if matches!(self.unit.types.get(ty), Type::Bool) {
            // `++` makes it true, and `--` flips it.
            let one = number(self.terms, 1, 1);
            if *minus { self.terms.bvxor(old, one) } else { one }
        } else {
            // Narrow types, and narrow bit-fields of any type, are computed as int, and the result is cut.
            let narrow = place.bits.map_or(self.bits(ty), |bits| bits.width) < 32;
            let width = if narrow { 32 } else { self.bits(ty) };
            let signed = self.is_signed(ty) || narrow;
            let (wide, one) = (value::resize(self.terms, old, width, self.is_signed(ty)), number(self.terms, width, 1));
            self.check_overflow((op, wide, one), signed, expr.span);
            let sum = value::arithmetic(self.terms, op, wide, one, signed);
            value::resize(self.terms, sum, self.bits(ty), false)
        };
        self.store(&spot, &Value::Scalar(new), expr.span);
        (spot, (used == Use::Old).then_some(old))
    }

    /// `place = value`. Where the value writes, the place is found first, as compilers do; elsewhere it
    /// does not matter, and the place is found after the value is known.
    fn assign(&mut self, place: &Place, value: &Expr, span: Span, used: Use) -> Spot {
        if let Some(spot) = self.assign_call(place, value) {
            return spot;
        }
        if self.effect(value) == Effect::Writes {
            self.trap_constant(place);
            let spot = self.spot(place, Purpose::Access);
            let spot = self.keep_spot(spot, place.span);
            let result = self.value_for(place, value);
            self.store(&spot, &result, span);
            return spot;
        }
        let mut result = self.value_for(place, value);
        if self.place_effect(place) == Effect::Writes {
            result = self.keep_value(result, value.span);
        }
        let spot = self.spot_for(place, used);
        self.store(&spot, &result, span);
        spot
    }

    /// A place that is written to; if it is read back afterwards, that must be the same place,
    /// whatever the writing does to the variables that tell where it is.
    fn spot_for(&mut self, place: &Place, used: Use) -> Spot {
        self.trap_constant(place);
        let spot = self.spot(place, Purpose::Access);
        if used == Use::ReadBack { self.keep_spot(spot, place.span) } else { spot }
    }
}
