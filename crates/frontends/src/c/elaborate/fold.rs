//! Constant expressions: their values, computed in their types.

use super::super::tree::{BinaryOp, Expr, ExprKind, Place, PlaceKind};
use super::super::types::{FloatKind, IntKind, Ty, Type};
use super::{Elaborator, R};
use lang_c::ast::Expression;
use lang_c::span::Node;

/// The value of a constant expression.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Value {
    Int(i128),
    Float(f64),
}

impl Value {
    fn is_true(self) -> bool {
        match self {
            Value::Int(value) => value != 0,
            Value::Float(value) => value != 0.0,
        }
    }
}

impl Elaborator<'_> {
    /// The value and the type of an integer constant expression.
    pub(super) fn constant(&mut self, node: &Node<Expression>) -> R<(i128, Ty)> {
        let expr = self.expr(node)?;
        if !self.unit.types.is_integer(expr.ty) {
            return Err(self.error(expr.span, "an integer is expected here"));
        }
        match self.fold_int(&expr) {
            Some(value) => Ok((value, expr.ty)),
            None => Err(self.error(expr.span, "this is not a constant")),
        }
    }

    pub(super) fn fold_int(&self, expr: &Expr) -> Option<i128> {
        match self.fold(expr)? {
            Value::Int(value) => Some(value),
            Value::Float(_) => None,
        }
    }

    /// The value of an expression, if it is constant.
    pub(super) fn fold(&self, expr: &Expr) -> Option<Value> {
        match &expr.kind {
            ExprKind::Int(value) => Some(Value::Int(*value)),
            ExprKind::Float(value) => self.known_float(*value, expr.ty).map(Value::Float),
            ExprKind::Neg(inner) => Some(match self.fold(inner)? {
                Value::Int(value) => Value::Int(self.wrap(value.wrapping_neg(), expr.ty)),
                Value::Float(value) => Value::Float(-value),
            }),
            ExprKind::BitNot(inner) => Some(Value::Int(self.wrap(!self.fold_int(inner)?, expr.ty))),
            ExprKind::Not(inner) => Some(truth(!self.fold(inner)?.is_true())),
            ExprKind::Binary(op, left, right) => self.fold_binary(*op, left, right, expr.ty),
            ExprKind::And(left, right) => Some(truth(self.fold(left)?.is_true() && self.fold(right)?.is_true())),
            ExprKind::Or(left, right) => Some(truth(self.fold(left)?.is_true() || self.fold(right)?.is_true())),
            ExprKind::Conditional(condition, yes, no) => {
                if self.fold(condition)?.is_true() {
                    self.fold(yes)
                } else {
                    self.fold(no)
                }
            }
            ExprKind::Elvis(condition, other) => self.fold(condition).filter(|value| value.is_true()).or_else(|| {
                self.fold(condition)?;
                self.fold(other)
            }),
            ExprKind::Convert(inner) => self.fold_convert(self.fold(inner)?, inner.ty, expr.ty),
            // `&((struct s *)0)->member`
            ExprKind::Address(place) => Some(Value::Int(self.address(place)?)),
            ExprKind::Load(_)
            | ExprKind::Function(_)
            | ExprKind::PointerAdd { .. }
            | ExprKind::PointerDiff { .. }
            | ExprKind::Comma(..)
            | ExprKind::Assign(..)
            | ExprKind::Compound { .. }
            | ExprKind::Increment { .. }
            | ExprKind::Call(..)
            | ExprKind::Statements(..)
            | ExprKind::Unsupported { .. } => None,
        }
    }

    /// The address of a place that hangs on a number.
    fn address(&self, place: &Place) -> Option<i128> {
        match &place.kind {
            PlaceKind::Deref(pointer) => self.fold_int(pointer),
            PlaceKind::Field(record, field) => {
                let field = self.unit.types.fields(record.ty).get(*field as usize)?;
                Some(self.address(record)? + i128::from(field.offset))
            }
            PlaceKind::Index(array, index) => {
                let size = self.unit.types.size_of(place.ty)?;
                self.address(array)?.checked_add(self.fold_int(index)?.checked_mul(i128::from(size))?)
            }
            PlaceKind::Object(_) | PlaceKind::Literal(..) | PlaceKind::Value(_) => None,
        }
    }

    /// A number of a floating-point type, if it is known: of `long double`, only what `double` holds
    /// in any case.
    fn known_float(&self, value: f64, ty: Ty) -> Option<f64> {
        let is_short = value.fract() == 0.0 && value.abs() < f64::from(1 << 24);
        (is_short || !matches!(self.unit.types.get(ty), Type::Float(FloatKind::LongDouble))).then_some(value)
    }

    pub(super) fn fold_convert(&self, value: Value, from: Ty, ty: Ty) -> Option<Value> {
        let unsigned = matches!(self.unit.types.get(from), Type::Int(IntKind::UInt128));
        let converted = self.converted(value, unsigned, ty)?;
        match converted {
            Value::Float(value) => self.known_float(value, ty).map(Value::Float),
            Value::Int(_) => Some(converted),
        }
    }

    /// A number in another type; negative ones are large if they are `unsigned`.
    fn converted(&self, value: Value, unsigned: bool, ty: Ty) -> Option<Value> {
        Some(match (self.unit.types.get(ty), value) {
            (Type::Bool, value) => truth(value.is_true()),
            (Type::Int(_) | Type::Bits(..) | Type::Pointer(_), Value::Int(value)) => Value::Int(self.wrap(value, ty)),
            (Type::Int(_) | Type::Bits(..), Value::Float(value)) => {
                let whole = value.trunc();
                // Beyond the range there is no right answer, so it is no constant.
                #[expect(clippy::cast_possible_truncation, reason = "checked against the range right below")]
                let exact = if whole.abs() < 1e38 { whole as i128 } else { return None };
                if self.wrap(exact, ty) != exact {
                    return None;
                }
                Value::Int(exact)
            }
            #[expect(clippy::cast_precision_loss, reason = "rounding is what the conversion does")]
            (Type::Float(FloatKind::Float), Value::Int(value)) if unsigned => {
                Value::Float(f64::from(value.cast_unsigned() as f32))
            }
            #[expect(clippy::cast_precision_loss, reason = "rounding is what the conversion does")]
            (Type::Float(_), Value::Int(value)) if unsigned => Value::Float(value.cast_unsigned() as f64),
            #[expect(clippy::cast_precision_loss, reason = "rounding is what the conversion does")]
            (Type::Float(FloatKind::Float), Value::Int(value)) => Value::Float(f64::from(value as f32)),
            #[expect(clippy::cast_precision_loss, reason = "rounding is what the conversion does")]
            (Type::Float(_), Value::Int(value)) => Value::Float(value as f64),
            (Type::Float(kind), Value::Float(value)) => Value::Float(self.round(value, *kind)),
            _ => return None,
        })
    }

    /// A value as a floating-point type holds it. `long double` is taken for `double`.
    #[expect(clippy::unused_self, reason = "it reads like the other conversions")]
    pub(super) fn round(&self, value: f64, kind: FloatKind) -> f64 {
        match kind {
            #[expect(clippy::cast_possible_truncation, reason = "rounding is what is asked for")]
            FloatKind::Float => f64::from(value as f32),
            FloatKind::Double | FloatKind::LongDouble => value,
        }
    }

    /// A number as an integer or pointer type holds it. Values of the unsigned 128-bit type that are
    /// beyond the signed one are kept as negative numbers of the same bits.
    pub(super) fn wrap(&self, value: i128, ty: Ty) -> i128 {
        if matches!(self.unit.types.get(ty), Type::Bool) {
            return i128::from(value != 0);
        }
        match self.unit.types.scalar(ty) {
            Some((bits, signed)) if bits < 128 => {
                let low = value & ((1_i128 << bits) - 1);
                if signed && low >> (bits - 1) != 0 { low - (1_i128 << bits) } else { low }
            }
            Some(_) | None => value,
        }
    }

    fn fold_binary(&self, op: BinaryOp, left: &Expr, right: &Expr, ty: Ty) -> Option<Value> {
        let (a, b) = match (self.fold(left)?, self.fold(right)?) {
            (Value::Int(a), Value::Int(b)) => (a, b),
            (Value::Float(a), Value::Float(b)) => return self.fold_floats(op, a, b, ty),
            (Value::Int(_), Value::Float(_)) | (Value::Float(_), Value::Int(_)) => return None,
        };
        let unsigned = matches!(self.unit.types.get(left.ty), Type::Int(IntKind::UInt128));
        let (ua, ub) = (a.cast_unsigned(), b.cast_unsigned());
        let less = if unsigned { ua < ub } else { a < b };
        let value = match op {
            BinaryOp::Mul => a.wrapping_mul(b),
            BinaryOp::Div if unsigned => ua.checked_div(ub)?.cast_signed(),
            BinaryOp::Div => a.checked_div(b)?,
            BinaryOp::Rem if unsigned => ua.checked_rem(ub)?.cast_signed(),
            BinaryOp::Rem => a.checked_rem(b)?,
            BinaryOp::Add => a.wrapping_add(b),
            BinaryOp::Sub => a.wrapping_sub(b),
            BinaryOp::Shl | BinaryOp::Shr => {
                let (bits, _) = self.unit.types.scalar(ty)?;
                let by = u32::try_from(b).ok().filter(|by| *by < bits)?;
                if op == BinaryOp::Shl {
                    a.wrapping_shl(by)
                } else if unsigned {
                    (ua >> by).cast_signed()
                } else {
                    a >> by
                }
            }
            BinaryOp::BitAnd => a & b,
            BinaryOp::BitXor => a ^ b,
            BinaryOp::BitOr => a | b,
            BinaryOp::Lt => return Some(truth(less)),
            BinaryOp::Ge => return Some(truth(!less)),
            BinaryOp::Le => return Some(truth(less || a == b)),
            BinaryOp::Gt => return Some(truth(!less && a != b)),
            BinaryOp::Eq => return Some(truth(a == b)),
            BinaryOp::Ne => return Some(truth(a != b)),
        };
        Some(Value::Int(self.wrap(value, ty)))
    }

    #[expect(clippy::float_cmp, reason = "the operators of C compare exactly")]
    fn fold_floats(&self, op: BinaryOp, a: f64, b: f64, ty: Ty) -> Option<Value> {
        let value = match op {
            BinaryOp::Mul => a * b,
            BinaryOp::Div => a / b,
            BinaryOp::Add => a + b,
            BinaryOp::Sub => a - b,
            BinaryOp::Lt => return Some(truth(a < b)),
            BinaryOp::Le => return Some(truth(a <= b)),
            BinaryOp::Gt => return Some(truth(a > b)),
            BinaryOp::Ge => return Some(truth(a >= b)),
            BinaryOp::Eq => return Some(truth(a == b)),
            BinaryOp::Ne => return Some(truth(a != b)),
            BinaryOp::Rem | BinaryOp::Shl | BinaryOp::Shr | BinaryOp::BitAnd | BinaryOp::BitXor | BinaryOp::BitOr => {
                return None;
            }
        };
        // Two floats give the exact result in a double or one rounding too few: round once more,
        // which is harmless for these operations (double has more than twice the bits).
        let Type::Float(kind) = self.unit.types.get(ty) else { return None };
        self.known_float(self.round(value, *kind), ty).map(Value::Float)
    }
}

fn truth(value: bool) -> Value {
    Value::Int(i128::from(value))
}
