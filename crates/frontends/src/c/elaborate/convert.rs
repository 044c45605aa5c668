//! The conversions that the standard makes silently (C11 6.3), and which types may be assigned.

use super::super::tree::{Expr, ExprKind};
use super::super::types::{BitField, FloatKind, IntKind, Ty, Type, Types};
use super::fold::Value;
use super::{Elaborator, R};
use tamis_ir::Span;

impl Elaborator<'_> {
    /// An expression in another type. Numbers are converted at once.
    pub(super) fn convert(&mut self, expr: Expr, ty: Ty) -> Expr {
        if expr.ty == ty {
            return expr;
        }
        let number = self.number_for(&expr, ty);
        let span = expr.span;
        let kind = match number.and_then(|number| self.fold_convert(number, expr.ty, ty)) {
            Some(Value::Int(value)) => ExprKind::Int(value),
            Some(Value::Float(value)) => ExprKind::Float(value),
            None => ExprKind::Convert(Box::new(expr)),
        };
        Expr { kind, ty, span }
    }

    /// The number that an expression is, if its conversion is done at once.
    fn number_for(&self, expr: &Expr, ty: Ty) -> Option<Value> {
        if let ExprKind::Int(value) = expr.kind {
            return Some(Value::Int(value));
        }
        if let ExprKind::Float(_) = expr.kind {
            return self.fold(expr);
        }
        // A negative number is written as a negation. Between integers it needs no care.
        let ExprKind::Neg(operand) = &expr.kind else { return None };
        if let ExprKind::Float(_) = operand.kind {
            return self.fold(expr);
        }
        let ExprKind::Int(value) = operand.kind else { return None };
        let signed = self.unit.types.scalar(expr.ty).is_some_and(|(_, signed)| signed);
        (signed && value >= 0 && self.unit.types.is_float(ty)).then_some(Value::Int(-value))
    }

    pub(super) fn is_arithmetic(&self, ty: Ty) -> bool {
        self.unit.types.is_integer(ty) || self.unit.types.is_float(ty)
    }

    pub(super) fn int(&mut self) -> Ty {
        self.unit.types.int(IntKind::Int)
    }

    /// The integer promotions.
    pub(super) fn promote(&mut self, expr: Expr) -> Expr {
        let ty = self.promoted(expr.ty, bit_field(&expr));
        self.convert(expr, ty)
    }

    /// The type after promotion of a value that may come from a bit-field.
    pub(super) fn promoted(&mut self, ty: Ty, bits: Option<BitField>) -> Ty {
        let int = self.int();
        match *self.unit.types.get(ty) {
            Type::Bool => int,
            Type::Int(kind) => {
                let (own, signed) = self.unit.types.kind_bits(kind);
                let width = bits.map_or(own, |bits| bits.width);
                if kind < IntKind::Int || width < 32 || (bits.is_some() && width == 32 && signed) {
                    int
                } else if bits.is_some() && width == 32 {
                    self.unit.types.int(IntKind::UInt)
                } else if width < own {
                    self.unit.types.make(Type::Bits(width, signed))
                } else {
                    ty
                }
            }
            Type::Void
            | Type::Bits(..)
            | Type::Float(_)
            | Type::Pointer(_)
            | Type::Array(..)
            | Type::Vla(_)
            | Type::Function(_)
            | Type::Record(_) => ty,
        }
    }

    /// The promotions of arguments without a parameter type.
    pub(super) fn promote_argument(&mut self, expr: Expr) -> Expr {
        if matches!(self.unit.types.get(expr.ty), Type::Float(FloatKind::Float)) {
            let double = self.unit.types.make(Type::Float(FloatKind::Double));
            return self.convert(expr, double);
        }
        self.promote(expr)
    }

    /// The usual arithmetic conversions: the common type of two promoted types.
    pub(super) fn common(&mut self, left: Ty, right: Ty) -> Ty {
        match (self.unit.types.get(left).clone(), self.unit.types.get(right).clone()) {
            (Type::Float(a), Type::Float(b)) => self.unit.types.make(Type::Float(a.max(b))),
            (Type::Float(_), _) => left,
            (_, Type::Float(_)) => right,
            // The wider one ranks higher, but `long` ranks higher still.
            (Type::Bits(a, a_signed), Type::Bits(b, b_signed)) => match a.cmp(&b) {
                std::cmp::Ordering::Less => right,
                std::cmp::Ordering::Greater => left,
                std::cmp::Ordering::Equal => self.unit.types.make(Type::Bits(a, a_signed && b_signed)),
            },
            (Type::Bits(bits, _), Type::Int(kind)) => {
                if self.unit.types.kind_bits(kind).0 < bits {
                    left
                } else {
                    right
                }
            }
            (Type::Int(kind), Type::Bits(bits, _)) => {
                if self.unit.types.kind_bits(kind).0 < bits {
                    right
                } else {
                    left
                }
            }
            (Type::Int(a), Type::Int(b)) => {
                let kind = self.common_kind(a, b);
                self.unit.types.int(kind)
            }
            _ => left,
        }
    }

    fn common_kind(&self, a: IntKind, b: IntKind) -> IntKind {
        let ((a_bits, a_signed), (b_bits, b_signed)) = (self.unit.types.kind_bits(a), self.unit.types.kind_bits(b));
        if a_signed == b_signed {
            return a.max(b);
        }
        let (signed, signed_bits, unsigned, unsigned_bits) =
            if a_signed { (a, a_bits, b, b_bits) } else { (b, b_bits, a, a_bits) };
        // In the order of kinds, an unsigned type follows the signed one of its rank.
        if unsigned > signed {
            unsigned
        } else if signed_bits > unsigned_bits {
            signed
        } else {
            unsigned_of(signed)
        }
    }

    /// Both operands promoted and in their common type.
    pub(super) fn balance(&mut self, left: Expr, right: Expr) -> (Expr, Expr) {
        let (left, right) = (self.promote(left), self.promote(right));
        let common = self.common(left.ty, right.ty);
        (self.convert(left, common), self.convert(right, common))
    }

    /// Whether an expression is a null pointer constant.
    pub(super) fn is_null(&self, expr: &Expr) -> bool {
        if self.unit.types.is_integer(expr.ty) {
            return self.fold_int(expr) == Some(0);
        }
        let to_void = self.unit.types.pointee(expr.ty).is_some_and(|to| matches!(self.unit.types.get(to), Type::Void));
        to_void && matches!(expr.kind, ExprKind::Int(0))
    }

    /// A value as it is stored in a place of a type: assignment, arguments, initialisers, results.
    pub(super) fn assigned(&mut self, value: Expr, ty: Ty, span: Span) -> R<Expr> {
        if value.ty == ty && self.unit.types.size_of(ty).is_some() {
            return Ok(value);
        }
        let types = &self.unit.types;
        let (from, to) = (types.get(value.ty), types.get(ty));
        let arithmetic = self.is_arithmetic(value.ty);
        let fits = match to {
            Type::Bool => arithmetic || types.is_pointer(value.ty),
            Type::Int(_) | Type::Bits(..) => arithmetic || types.is_pointer(value.ty),
            Type::Float(_) => arithmetic,
            Type::Pointer(_) => types.is_pointer(value.ty) || types.is_integer(value.ty),
            Type::Record(_) => from == to && types.size_of(ty).is_some(),
            Type::Void | Type::Array(..) | Type::Vla(_) | Type::Function(_) => false,
        };
        if !fits {
            let (from, to) = (self.describe(value.ty), self.describe(ty));
            return Err(self.error(span, format!("a value of type {from} cannot become {to}")));
        }
        if types.is_pointer(ty) && types.is_integer(value.ty) && !self.is_null(&value) {
            self.warn(span, "an integer becomes a pointer without a cast");
        } else if types.is_pointer(value.ty) && matches!(to, Type::Int(_)) {
            self.warn(span, "a pointer becomes an integer without a cast");
        }
        Ok(self.convert(value, ty))
    }

    /// Whether declarations of two types can mean the same thing.
    pub(super) fn compatible(&self, left: Ty, right: Ty) -> bool {
        let (left, right) = (Types::unqualified(left), Types::unqualified(right));
        if left == right {
            return true;
        }
        match (self.unit.types.get(left), self.unit.types.get(right)) {
            (Type::Pointer(a), Type::Pointer(b)) => self.compatible(*a, *b),
            (Type::Array(a, n), Type::Array(b, m)) => (n.is_none() || m.is_none() || n == m) && self.compatible(*a, *b),
            (Type::Function(a), Type::Function(b)) => {
                let unknown = |s: &super::super::types::Signature| s.params.is_empty() && s.variadic;
                let params = unknown(a)
                    || unknown(b)
                    || (a.params.len() == b.params.len()
                        && a.variadic == b.variadic
                        && a.params.iter().zip(&b.params).all(|(a, b)| self.compatible(*a, *b)));
                params && self.compatible(a.result, b.result)
            }
            _ => false,
        }
    }

    /// Whether two types are compatible, qualifiers of what pointers point to included.
    pub(super) fn alike(&self, left: Ty, right: Ty) -> bool {
        self.compatible(left, right) && self.same_qualifiers(left, right)
    }

    fn same_qualifiers(&self, left: Ty, right: Ty) -> bool {
        match (self.unit.types.get(left), self.unit.types.get(right)) {
            (Type::Pointer(a), Type::Pointer(b)) => Types::same_qualifiers(*a, *b) && self.same_qualifiers(*a, *b),
            (Type::Array(a, _), Type::Array(b, _)) => self.same_qualifiers(*a, *b),
            (Type::Function(a), Type::Function(b)) => {
                self.same_qualifiers(a.result, b.result)
                    && a.params.iter().zip(&b.params).all(|(a, b)| self.same_qualifiers(*a, *b))
            }
            _ => true,
        }
    }

    /// The more telling one of two compatible types.
    pub(super) fn composite(&self, left: Ty, right: Ty) -> Ty {
        let vague = match self.unit.types.get(left) {
            Type::Array(_, len) => len.is_none(),
            Type::Function(signature) => signature.params.is_empty() && signature.variadic,
            Type::Void
            | Type::Bool
            | Type::Int(_)
            | Type::Bits(..)
            | Type::Float(_)
            | Type::Pointer(_)
            | Type::Vla(_)
            | Type::Record(_) => false,
        };
        if vague { right } else { left }
    }

    /// The index of an element of an array, at least as wide as a pointer: what is wider is not cut, so
    /// that it can be compared with the length.
    pub(super) fn element_index(&mut self, expr: Expr) -> Expr {
        let wide = self.unit.types.model.pointer_bits();
        let wider = self.unit.types.scalar(expr.ty).is_some_and(|(bits, _)| bits > wide);
        if wider { expr } else { self.index(expr) }
    }

    /// An integer as wide as a pointer: how far to go from an element.
    pub(super) fn index(&mut self, expr: Expr) -> Expr {
        let wide = self.unit.types.model.pointer_bits();
        let (bits, signed) = self.unit.types.scalar(expr.ty).unwrap_or((32, true));
        let ty = if bits >= wide && !signed { self.unit.types.size_type() } else { self.unit.types.difference_type() };
        self.convert(expr, ty)
    }
}

/// The bit-field that a value was read from or stored to.
pub(super) fn bit_field(expr: &Expr) -> Option<BitField> {
    if let ExprKind::Comma(_, last) = &expr.kind {
        return bit_field(last);
    }
    let (ExprKind::Load(place)
    | ExprKind::Assign(place, _)
    | ExprKind::Compound { place, .. }
    | ExprKind::Increment { place, .. }) = &expr.kind
    else {
        return None;
    };
    place.bits
}

fn unsigned_of(kind: IntKind) -> IntKind {
    match kind {
        IntKind::Char | IntKind::SChar | IntKind::UChar => IntKind::UChar,
        IntKind::Short | IntKind::UShort => IntKind::UShort,
        IntKind::Int | IntKind::UInt => IntKind::UInt,
        IntKind::Long | IntKind::ULong => IntKind::ULong,
        IntKind::LongLong | IntKind::ULongLong => IntKind::ULongLong,
        IntKind::Int128 | IntKind::UInt128 => IntKind::UInt128,
    }
}
