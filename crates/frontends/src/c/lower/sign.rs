//! What the library leaves open about its results: of `strcmp` only the sign is known, of `isdigit`
//! only whether it is zero.
//!
//! The functions are written in C with results of their own choice. Where only the sign of a result
//! matters, as in `strcmp(a, b) == 0`, that choice is as good as any. Elsewhere a result that is not
//! zero is replaced by any other one of its sign, as an approximation.

use super::value::number;
use super::{Lowering, Value};
use crate::c::LIBRARY;
use crate::c::library::{Promise, promise};
use crate::c::tree::{Expr, ExprKind, FunctionId, Place, PlaceKind};
use tamis_ir::{Op, Span};
use tamis_term::{Term, Var};

impl Lowering<'_> {
    /// What is known about the results of a function of ours that stands for one of the library.
    pub(super) fn promise(&self, function: FunctionId) -> Option<Promise> {
        let about = &self.unit.functions[function.index()];
        let file = self.program.sources.get(about.span.source)?;
        promise(&about.name).filter(|_| file.name == LIBRARY && about.body.is_some())
    }

    /// The value of an expression of which only the sign matters.
    pub(super) fn sign(&mut self, expr: &Expr) -> Term {
        if let ExprKind::Call(callee, args) = &expr.kind
            && self.unit.types.is_scalar(expr.ty)
        {
            return match self.call(expr, callee, args, true) {
                Value::Scalar(term) => term,
                Value::Void | Value::Record(_) => unreachable!("a call of scalar type has a scalar value"),
            };
        }
        self.scalar(expr)
    }

    /// The value of an expression that a place gets.
    pub(super) fn value_for(&mut self, place: &Place, expr: &Expr) -> Value {
        match &expr.kind {
            ExprKind::Call(callee, args) if self.is_read_by_sign(place) => {
                self.check_copied(expr.ty, expr.span);
                self.call(expr, callee, args, true)
            }
            _ => self.rvalue(expr),
        }
    }

    /// Whether only the sign of what a place holds is ever looked at.
    pub(super) fn is_read_by_sign(&self, place: &Place) -> bool {
        matches!(place.kind, PlaceKind::Object(object)
            if self.points_to.is_read_by_sign(object) && self.bits(place.ty) >= 32 && self.unit.types.is_integer(place.ty))
    }

    /// Any result that keeps the promise where it is not zero: an approximation.
    pub(super) fn unspecified(&mut self, promise: Promise, result: Var, span: Span) {
        let term = self.terms.var(result);
        let width = self.terms.width(term);
        let zero = number(self.terms, width, 0);
        let is_zero = self.terms.eq(term, zero);
        let (done, other) = self.branch(is_zero, span);
        self.frame.at = other;
        let sort = self.terms.sort(term).clone();
        let any = self.approximate(sort, "which of its possible results a library function returns", span);
        let chosen = match promise {
            Promise::Truth => {
                let one = number(self.terms, width, 1);
                let none = self.terms.eq(any, zero);
                self.terms.ite(none, one, any)
            }
            Promise::Sign => {
                let (least, most) = (number(self.terms, width, 1 << (width - 1)), (1_i128 << (width - 1)) - 1);
                let (most, one) = (number(self.terms, width, most), number(self.terms, width, 1));
                let below = self.terms.bvor(any, least);
                let low = self.terms.bvand(any, most);
                let none = self.terms.eq(low, zero);
                let above = self.terms.ite(none, one, low);
                let negative = self.terms.bvslt(term, zero);
                self.terms.ite(negative, below, above)
            }
        };
        self.emit_to(Op::Assign(vec![(result, chosen)]), done, span);
        self.frame.at = done;
    }
}
