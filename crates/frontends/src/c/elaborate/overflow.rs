//! Arithmetic that tells whether it overflows: `__builtin_add_overflow`, its relatives for one type, and
//! those that only tell (`__builtin_add_overflow_p`). They compute as if without bounds, keep what
//! fits the type of the result, and return whether that is something else.
//!
//! Sums, differences and products of 64 bits fit 128: products of two unsigned ones without a sign.

use super::super::tree::{BinaryOp, Expr, ExprKind, Object, Place, PlaceKind, Storage};
use super::super::types::{IntKind, Ty, Type};
use super::{Elaborator, R};
use lang_c::ast::Expression;
use lang_c::span::Node;
use tamis_ir::Span;

/// What such a function does.
pub(super) struct Overflow {
    op: BinaryOp,
    /// The type of its operands and its result, if that is not the arguments' own.
    kind: Option<IntKind>,
    /// Whether it stores the result.
    stores: bool,
}

const OPERATIONS: [(&str, BinaryOp); 3] = [("add", BinaryOp::Add), ("sub", BinaryOp::Sub), ("mul", BinaryOp::Mul)];

/// The suffixes of the functions for one type, with the signed and the unsigned type.
const SUFFIXES: [(&str, IntKind, IntKind); 3] = [
    ("ll", IntKind::LongLong, IntKind::ULongLong),
    ("l", IntKind::Long, IntKind::ULong),
    ("", IntKind::Int, IntKind::UInt),
];

/// The function of that name, without what is before it.
pub(super) fn named(name: &str) -> Option<Overflow> {
    if let Some(name) = name.strip_suffix("_overflow_p") {
        let (_, op) = OPERATIONS.into_iter().find(|(known, _)| *known == name)?;
        return Some(Overflow { op, kind: None, stores: false });
    }
    let name = name.strip_suffix("_overflow")?;
    if let Some((_, op)) = OPERATIONS.into_iter().find(|(known, _)| *known == name) {
        return Some(Overflow { op, kind: None, stores: true });
    }
    let (unsigned, rest) = match name.strip_prefix('u') {
        Some(rest) => (true, rest),
        None => (false, name.strip_prefix('s')?),
    };
    let (_, op) = OPERATIONS.into_iter().find(|(known, _)| rest.starts_with(known))?;
    let (_, with, without) = SUFFIXES.into_iter().find(|(suffix, ..)| rest[3..] == **suffix)?;
    Some(Overflow { op, kind: Some(if unsigned { without } else { with }), stores: true })
}

impl Elaborator<'_> {
    pub(super) fn overflow(
        &mut self,
        overflow: &Overflow,
        [left, right, result]: [&Node<Expression>; 3],
        span: Span,
    ) -> R<Expr> {
        let [mut left, mut right] = [self.expr(left)?, self.expr(right)?];
        if let Some(kind) = overflow.kind {
            let ty = self.unit.types.int(kind);
            left = self.assigned(left, ty, span)?;
            right = self.assigned(right, ty, span)?;
        }
        let result = self.expr(result)?;
        let Some(function) = self.current.as_ref().map(|current| current.function) else {
            return Err(self.error(span, "arithmetic that tells whether it overflows is only possible in a function"));
        };
        let target = if overflow.stores { self.unit.types.pointee(result.ty) } else { Some(result.ty) };
        let Some(target) = target.filter(|ty| self.is_narrow(*ty)) else {
            return Err(self.error(result.span, "an integer of at most 64 bits, or a pointer to one, is expected here"));
        };
        for operand in [&left, &right] {
            if !self.is_narrow(operand.ty) {
                return Err(self.error(operand.span, "an integer of at most 64 bits is expected here"));
            }
        }
        let is_signed = |operand: &Expr| self.unit.types.scalar(operand.ty).is_some_and(|(_, signed)| signed);
        let unsigned = !is_signed(&left) && !is_signed(&right);
        let kind = if unsigned && overflow.op == BinaryOp::Mul { IntKind::UInt128 } else { IntKind::Int128 };
        let wide = self.unit.types.int(kind);
        let hidden = self.add_object(Object::new("$wide", wide, span, Storage::Local(function)));
        let place = Place { kind: PlaceKind::Object(hidden), ty: wide, bits: None, span };
        let [left, right] = [left, right].map(|operand| self.convert(operand, wide));
        let exact = Expr { kind: ExprKind::Binary(overflow.op, Box::new(left), Box::new(right)), ty: wide, span };
        let keep = Expr { kind: ExprKind::Assign(Box::new(place), Box::new(exact)), ty: wide, span };
        let exact = self.load(hidden, span)?;
        let mut kept = self.convert(exact.clone(), target);
        if overflow.stores {
            let place = self.dereference(result, span)?;
            kept = Expr { kind: ExprKind::Assign(Box::new(place), Box::new(kept)), ty: target, span };
        }
        let kept = self.convert(kept, wide);
        let lost = self.arithmetic(BinaryOp::Ne, kept, exact, span)?;
        let bool = self.unit.types.make(Type::Bool);
        let lost = self.convert(lost, bool);
        Ok(self.after(keep, lost))
    }

    /// Whether a type is one of integers of at most 64 bits.
    fn is_narrow(&self, ty: Ty) -> bool {
        let types = &self.unit.types;
        types.is_integer(ty) && types.size_of(ty).is_none_or(|bytes| bytes <= 8)
    }
}
