//! What evaluating an expression involves: nothing but a term, steps of the program, or writes.
//!
//! An expression that is a mere term can be part of a condition; one that takes steps (a division
//! that may trap, an access that is checked, an input) needs edges of its own; one that writes
//! makes it necessary to keep what was evaluated before.

use super::Lowering;
use super::checks::Failure;
use crate::c::Overflow;
use crate::c::library::{Known, known};
use crate::c::points_to::key;
use crate::c::tree::{BinaryOp, Callee, Expr, ExprKind, Place, PlaceKind, Scale, Unit, Weak};
use crate::c::types::Type;
use rustc_hash::FxHashMap;

/// How much evaluating an expression involves.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Effect {
    /// A term.
    None,
    /// Edges that write nothing that the program can read.
    Steps,
    /// Edges that write.
    Writes,
}

/// The effects of expressions found so far, by their addresses: they are asked for at every
/// level of a nested expression.
pub(super) type Effects = FxHashMap<usize, Effect>;

impl Lowering<'_> {
    /// What evaluating the expression involves.
    pub(super) fn effect(&mut self, expr: &Expr) -> Effect {
        if let Some(known) = self.effects.get(&key(expr)) {
            return *known;
        }
        let effect = self.find_effect(expr);
        self.effects.insert(key(expr), effect);
        effect
    }

    fn find_effect(&mut self, expr: &Expr) -> Effect {
        let own = if self.shows_address(expr) || self.shows_literal(expr) { Effect::Steps } else { Effect::None };
        own.max(self.effect_of_kind(expr))
    }

    fn effect_of_kind(&mut self, expr: &Expr) -> Effect {
        match &expr.kind {
            ExprKind::Int(_) | ExprKind::Function(_) => Effect::None,
            ExprKind::Float(_) => self.long_double(expr),
            ExprKind::Load(place) if self.may_change(place) => self.place_effect(place).max(Effect::Steps),
            ExprKind::Load(place) | ExprKind::Address(place) => self.place_effect(place),
            ExprKind::Neg(operand) => self.effect(operand).max(self.overflow_effect(expr)).max(self.long_double(expr)),
            ExprKind::BitNot(operand) => self.effect(operand),
            ExprKind::Not(operand) => self.effect(operand).max(self.long_double(operand)),
            ExprKind::Binary(op, left, right) => {
                let own = match op {
                    BinaryOp::Div | BinaryOp::Rem if !is_harmless(right) => Effect::Steps,
                    BinaryOp::Add | BinaryOp::Sub | BinaryOp::Mul | BinaryOp::Div | BinaryOp::Rem => {
                        self.overflow_effect(expr).max(self.float_effect(expr))
                    }
                    BinaryOp::Lt | BinaryOp::Le | BinaryOp::Gt | BinaryOp::Ge | BinaryOp::Eq | BinaryOp::Ne => {
                        let open = self.compares_literals(left, right) || self.orders_addresses(*op, left, right);
                        if open { Effect::Steps } else { self.long_double(left) }
                    }
                    _ => Effect::None,
                };
                own.max(self.effect(left)).max(self.effect(right))
            }
            ExprKind::PointerAdd { pointer, index, scale, .. } => {
                self.effect(pointer).max(self.effect(index)).max(self.scale_effect(scale))
            }
            ExprKind::PointerDiff { left, right, scale } => {
                let own = if self.compares_literals(left, right) { Effect::Steps } else { Effect::None };
                own.max(self.effect(left)).max(self.effect(right)).max(self.scale_effect(scale))
            }
            ExprKind::And(left, right) | ExprKind::Or(left, right) => {
                let own = self.long_double(left).max(self.long_double(right));
                own.max(self.effect(left)).max(self.effect(right))
            }
            ExprKind::Elvis(left, right) => self.effect(left).max(self.effect(right)).max(self.long_double(left)),
            ExprKind::Comma(left, right) => self.effect(left).max(self.effect(right)),
            ExprKind::Conditional(condition, then, otherwise) => self
                .effect(condition)
                .max(self.effect(then))
                .max(self.effect(otherwise))
                .max(self.long_double(condition)),
            ExprKind::Convert(operand) => {
                let types = &self.unit.types;
                let floats = types.is_float(expr.ty) || types.is_float(operand.ty);
                let exact = expr.ty == operand.ty || matches!(types.get(expr.ty), Type::Void);
                let own = if floats && !exact { Effect::Steps } else { Effect::None };
                own.max(self.effect(operand))
            }
            ExprKind::Call(Callee::Function(function), args) => {
                let about = &self.unit.functions[self.unit.function(*function).index()];
                let input = about.body.is_none() && known(&about.name) == Some(Known::Nondet);
                let own = if input { Effect::Steps } else { Effect::Writes };
                args.iter().map(|arg| self.effect(arg)).max().unwrap_or(Effect::None).max(own)
            }
            ExprKind::Unsupported { operands, .. } => {
                operands.iter().map(|operand| self.effect(operand)).max().unwrap_or(Effect::None).max(Effect::Steps)
            }
            ExprKind::Assign(..)
            | ExprKind::Compound { .. }
            | ExprKind::Increment { .. }
            | ExprKind::Call(Callee::Pointer(_), _)
            | ExprKind::Statements(..) => Effect::Writes,
        }
    }

    /// What finding (and accessing) a place involves.
    pub(super) fn place_effect(&mut self, place: &Place) -> Effect {
        let checked = self.failures.asks(Failure::ValidDeref);
        match &place.kind {
            PlaceKind::Object(object) if self.unit.missing_object(*object) != Weak::No => Effect::Steps,
            PlaceKind::Object(_) => Effect::None,
            PlaceKind::Literal(..) => Effect::Writes,
            PlaceKind::Deref(pointer) => {
                let own = if checked || !is_certain(self.unit, pointer) { Effect::Steps } else { Effect::None };
                self.effect(pointer).max(own)
            }
            PlaceKind::Field(base, _) => self.place_effect(base),
            PlaceKind::Index(base, index) => {
                let own = if checked || self.failures.asks(Failure::Bounds) && !is_inside(self, base, index) {
                    Effect::Steps
                } else {
                    Effect::None
                };
                self.place_effect(base).max(self.effect(index)).max(own)
            }
            PlaceKind::Value(record) => self.effect(record),
        }
    }

    fn scale_effect(&mut self, scale: &Scale) -> Effect {
        match scale {
            Scale::Bytes(_) => Effect::None,
            Scale::Variable(size) => self.effect(size),
        }
    }

    /// Whether arithmetic on integers is checked for overflow.
    pub(super) fn checks_overflow(&self, signed: bool) -> bool {
        let asked = self.failures.asks(Failure::Overflow) || self.options.overflow == Overflow::Assume;
        signed && asked || self.is_boundless()
    }

    /// Whether numbers are TRACER's, which have no bounds: runs in which ours would are left out.
    pub(super) fn is_boundless(&self) -> bool {
        self.for_tracer && matches!(self.options.overflow, Overflow::Usual | Overflow::Assume)
    }

    fn overflow_effect(&self, expr: &Expr) -> Effect {
        let signed = self.unit.types.scalar(expr.ty).is_some_and(|(_, signed)| signed);
        let checked = self.unit.types.is_integer(expr.ty) && self.checks_overflow(signed);
        if checked { Effect::Steps } else { Effect::None }
    }

    fn float_effect(&self, expr: &Expr) -> Effect {
        if self.unit.types.is_float(expr.ty) { Effect::Steps } else { Effect::None }
    }

    /// The bits of a `long double` are not modelled.
    fn long_double(&self, expr: &Expr) -> Effect {
        if self.is_long_double(expr.ty) { Effect::Steps } else { Effect::None }
    }
}

/// Whether a divisor is known not to be zero.
pub(super) fn is_nonzero(divisor: &Expr) -> bool {
    matches!(divisor.kind, ExprKind::Int(value) if value != 0)
}

/// Whether a division by it cannot trap: a known divisor that is neither zero nor -1.
fn is_harmless(divisor: &Expr) -> bool {
    matches!(divisor.kind, ExprKind::Int(value) if value != 0 && value != -1)
}

/// Whether a pointer is known to point into an object.
pub(super) fn is_certain(unit: &Unit, pointer: &Expr) -> bool {
    match &pointer.kind {
        ExprKind::Address(place) => is_object(unit, place),
        ExprKind::PointerAdd { pointer, .. } | ExprKind::Convert(pointer) => is_certain(unit, pointer),
        _ => false,
    }
}

/// Whether a place is in a variable that is there, and not reached through a pointer.
fn is_object(unit: &Unit, place: &Place) -> bool {
    match &place.kind {
        PlaceKind::Object(object) => unit.missing_object(*object) == Weak::No,
        PlaceKind::Literal(..) => true,
        PlaceKind::Field(base, _) | PlaceKind::Index(base, _) => is_object(unit, base),
        PlaceKind::Deref(_) | PlaceKind::Value(_) => false,
    }
}

/// Whether an index is known to be within its array.
fn is_inside(lowering: &Lowering<'_>, base: &Place, index: &Expr) -> bool {
    match (&index.kind, lowering.unit.types.get(base.ty)) {
        (ExprKind::Int(at), Type::Array(_, Some(length))) => *at >= 0 && *at < i128::from(*length),
        (_, Type::Array(_, None)) => true,
        _ => false,
    }
}
