//! Unary and binary operators, assignments included.

use super::super::tree::{BinaryOp, Expr, ExprKind, Place, PlaceKind};
use super::super::types::Type;
use super::expr::Operand;
use super::{Elaborator, R};
use lang_c::ast::{BinaryOperator, BinaryOperatorExpression, Expression, UnaryOperator, UnaryOperatorExpression};
use lang_c::span::Node;
use tamis_ir::Span;

/// What a binary operator of the parser is here.
enum Operator {
    Index,
    And,
    Or,
    Assign,
    Plain(BinaryOp),
    Compound(BinaryOp),
}

fn operator(operator: &BinaryOperator) -> Operator {
    match operator {
        BinaryOperator::Index => Operator::Index,
        BinaryOperator::LogicalAnd => Operator::And,
        BinaryOperator::LogicalOr => Operator::Or,
        BinaryOperator::Assign => Operator::Assign,
        BinaryOperator::Multiply => Operator::Plain(BinaryOp::Mul),
        BinaryOperator::Divide => Operator::Plain(BinaryOp::Div),
        BinaryOperator::Modulo => Operator::Plain(BinaryOp::Rem),
        BinaryOperator::Plus => Operator::Plain(BinaryOp::Add),
        BinaryOperator::Minus => Operator::Plain(BinaryOp::Sub),
        BinaryOperator::ShiftLeft => Operator::Plain(BinaryOp::Shl),
        BinaryOperator::ShiftRight => Operator::Plain(BinaryOp::Shr),
        BinaryOperator::Less => Operator::Plain(BinaryOp::Lt),
        BinaryOperator::Greater => Operator::Plain(BinaryOp::Gt),
        BinaryOperator::LessOrEqual => Operator::Plain(BinaryOp::Le),
        BinaryOperator::GreaterOrEqual => Operator::Plain(BinaryOp::Ge),
        BinaryOperator::Equals => Operator::Plain(BinaryOp::Eq),
        BinaryOperator::NotEquals => Operator::Plain(BinaryOp::Ne),
        BinaryOperator::BitwiseAnd => Operator::Plain(BinaryOp::BitAnd),
        BinaryOperator::BitwiseXor => Operator::Plain(BinaryOp::BitXor),
        BinaryOperator::BitwiseOr => Operator::Plain(BinaryOp::BitOr),
        BinaryOperator::AssignMultiply => Operator::Compound(BinaryOp::Mul),
        BinaryOperator::AssignDivide => Operator::Compound(BinaryOp::Div),
        BinaryOperator::AssignModulo => Operator::Compound(BinaryOp::Rem),
        BinaryOperator::AssignPlus => Operator::Compound(BinaryOp::Add),
        BinaryOperator::AssignMinus => Operator::Compound(BinaryOp::Sub),
        BinaryOperator::AssignShiftLeft => Operator::Compound(BinaryOp::Shl),
        BinaryOperator::AssignShiftRight => Operator::Compound(BinaryOp::Shr),
        BinaryOperator::AssignBitwiseAnd => Operator::Compound(BinaryOp::BitAnd),
        BinaryOperator::AssignBitwiseXor => Operator::Compound(BinaryOp::BitXor),
        BinaryOperator::AssignBitwiseOr => Operator::Compound(BinaryOp::BitOr),
    }
}

impl Elaborator<'_> {
    pub(super) fn binary(&mut self, node: &BinaryOperatorExpression, span: Span) -> R<Operand> {
        match operator(&node.operator.node) {
            Operator::Index => self.element(&node.lhs, &node.rhs, span).map(Operand::Place),
            Operator::And | Operator::Or => {
                let left = Box::new(self.condition(&node.lhs)?);
                let right = Box::new(self.condition(&node.rhs)?);
                let and = node.operator.node == BinaryOperator::LogicalAnd;
                let kind = if and { ExprKind::And(left, right) } else { ExprKind::Or(left, right) };
                let ty = self.int();
                Ok(Operand::Value(Expr { kind, ty, span }))
            }
            Operator::Assign => {
                let place = self.place(&node.lhs)?;
                let value = self.expr(&node.rhs)?;
                let ty = place.ty;
                let value = self.assigned(value, ty, span)?;
                Ok(Operand::Value(Expr { kind: ExprKind::Assign(Box::new(place), Box::new(value)), ty, span }))
            }
            Operator::Plain(op) => {
                let left = self.expr(&node.lhs)?;
                let right = self.expr(&node.rhs)?;
                self.arithmetic(op, left, right, span).map(Operand::Value)
            }
            Operator::Compound(op) => {
                let place = self.place(&node.lhs)?;
                let value = self.expr(&node.rhs)?;
                self.compound(op, place, value, span).map(Operand::Value)
            }
        }
    }

    /// A place that can be assigned to.
    fn place(&mut self, node: &Node<Expression>) -> R<Place> {
        match self.operand(node)? {
            Operand::Place(place) if !is_value(&place) => match self.unit.types.get(place.ty) {
                Type::Array(..) | Type::Vla(_) => Err(self.error(place.span, "an array cannot be assigned to")),
                Type::Function(_) | Type::Void => Err(self.error(place.span, "this cannot be assigned to")),
                Type::Record(_) if self.unit.types.size_of(place.ty).is_none() => {
                    let name = self.describe(place.ty);
                    Err(self.error(place.span, format!("the type {name} is incomplete")))
                }
                Type::Bool | Type::Int(_) | Type::Bits(..) | Type::Float(_) | Type::Pointer(_) | Type::Record(_) => {
                    Ok(place)
                }
            },
            Operand::Place(_) | Operand::Value(_) | Operand::Function(..) => {
                let span = self.span(node);
                Err(self.error(span, "this has no place that could be assigned to"))
            }
        }
    }

    /// `array[index]`, also the other way round.
    fn element(&mut self, left: &Node<Expression>, right: &Node<Expression>, span: Span) -> R<Place> {
        let (left, right) = (self.operand(left)?, self.operand(right)?);
        let is_array = |this: &Self, operand: &Operand| matches!(operand, Operand::Place(place) if matches!(this.unit.types.get(place.ty), Type::Array(..)));
        let swap = !is_array(self, &left) && is_array(self, &right);
        let (base, index) = if swap { (right, left) } else { (left, right) };
        let index = self.value(index)?;
        if let Operand::Place(array) = base {
            let in_place = matches!(self.unit.types.get(array.ty), Type::Array(..));
            if let Some(ty) =
                self.unit.types.element(array.ty).filter(|_| in_place && self.unit.types.is_integer(index.ty))
            {
                let index = self.element_index(index);
                return Ok(Place { kind: PlaceKind::Index(Box::new(array), Box::new(index)), ty, bits: None, span });
            }
            let base = self.value(Operand::Place(array))?;
            return self.pointed(base, index, span);
        }
        let base = self.value(base)?;
        self.pointed(base, index, span)
    }

    fn pointed(&mut self, base: Expr, index: Expr, span: Span) -> R<Place> {
        if !self.unit.types.is_pointer(base.ty) && !self.unit.types.is_pointer(index.ty) {
            let name = self.describe(base.ty);
            return Err(self.error(span, format!("{name} is neither an array nor a pointer")));
        }
        let pointer = self.arithmetic(BinaryOp::Add, base, index, span)?;
        self.dereference(pointer, span)
    }

    pub(super) fn dereference(&mut self, pointer: Expr, span: Span) -> R<Place> {
        let Some(ty) = self.unit.types.pointee(pointer.ty) else {
            let name = self.describe(pointer.ty);
            return Err(self.error(span, format!("a pointer is expected here, not {name}")));
        };
        // `*&x` is `x`; this keeps objects whose address is only taken to be followed at once.
        if let ExprKind::Address(place) = pointer.kind {
            if place.ty == ty {
                return Ok(Place { span, ..*place });
            }
            let pointer = Expr { kind: ExprKind::Address(place), ..pointer };
            return Ok(Place { kind: PlaceKind::Deref(Box::new(pointer)), ty, bits: None, span });
        }
        Ok(Place { kind: PlaceKind::Deref(Box::new(pointer)), ty, bits: None, span })
    }

    pub(super) fn arithmetic(&mut self, op: BinaryOp, left: Expr, right: Expr, span: Span) -> R<Expr> {
        let types = &self.unit.types;
        let (left_pointer, right_pointer) = (types.is_pointer(left.ty), types.is_pointer(right.ty));
        let (left_int, right_int) = (types.is_integer(left.ty), types.is_integer(right.ty));
        let numbers = self.is_arithmetic(left.ty) && self.is_arithmetic(right.ty);
        let (boxed, ty) = match op {
            BinaryOp::Add | BinaryOp::Sub if left_pointer && right_int => {
                return self.pointer_add(left, right, op == BinaryOp::Sub, span);
            }
            BinaryOp::Add if left_int && right_pointer => return self.pointer_add(right, left, false, span),
            BinaryOp::Sub if left_pointer && right_pointer => {
                let scale = self.scale(&left, span)?;
                let ty = self.unit.types.difference_type();
                let (left, right) = (Box::new(left), Box::new(right));
                return Ok(Expr { kind: ExprKind::PointerDiff { left, right, scale }, ty, span });
            }
            BinaryOp::Shl | BinaryOp::Shr if left_int && right_int => {
                let (left, right) = (self.promote(left), self.promote(right));
                let ty = left.ty;
                ((left, right), ty)
            }
            BinaryOp::Add | BinaryOp::Sub | BinaryOp::Mul | BinaryOp::Div if numbers => {
                let (left, right) = self.balance(left, right);
                let ty = left.ty;
                ((left, right), ty)
            }
            BinaryOp::Rem | BinaryOp::BitAnd | BinaryOp::BitOr | BinaryOp::BitXor if left_int && right_int => {
                let (left, right) = self.balance(left, right);
                let ty = left.ty;
                ((left, right), ty)
            }
            BinaryOp::Lt | BinaryOp::Le | BinaryOp::Gt | BinaryOp::Ge | BinaryOp::Eq | BinaryOp::Ne if numbers => {
                let int = self.int();
                (self.balance(left, right), int)
            }
            BinaryOp::Lt | BinaryOp::Le | BinaryOp::Gt | BinaryOp::Ge | BinaryOp::Eq | BinaryOp::Ne
                if left_pointer && (right_pointer || right_int) || left_int && right_pointer =>
            {
                // One side takes the type of the other; which one makes no difference to addresses.
                let ty = if left_pointer { left.ty } else { right.ty };
                let int = self.int();
                ((self.convert(left, ty), self.convert(right, ty)), int)
            }
            BinaryOp::Mul
            | BinaryOp::Div
            | BinaryOp::Rem
            | BinaryOp::Add
            | BinaryOp::Sub
            | BinaryOp::Shl
            | BinaryOp::Shr
            | BinaryOp::BitAnd
            | BinaryOp::BitXor
            | BinaryOp::BitOr
            | BinaryOp::Lt
            | BinaryOp::Le
            | BinaryOp::Gt
            | BinaryOp::Ge
            | BinaryOp::Eq
            | BinaryOp::Ne => {
                let (a, b) = (self.describe(left.ty), self.describe(right.ty));
                return Err(self.error(span, format!("this operator does not take {a} and {b}")));
            }
        };
        let (left, right) = boxed;
        Ok(Expr { kind: ExprKind::Binary(op, Box::new(left), Box::new(right)), ty, span })
    }

    fn pointer_add(&mut self, pointer: Expr, index: Expr, minus: bool, span: Span) -> R<Expr> {
        let scale = self.scale(&pointer, span)?;
        let ty = pointer.ty;
        let index = self.index(index);
        let (pointer, index) = (Box::new(pointer), Box::new(index));
        Ok(Expr { kind: ExprKind::PointerAdd { pointer, index, minus, scale }, ty, span })
    }

    fn compound(&mut self, op: BinaryOp, place: Place, value: Expr, span: Span) -> R<Expr> {
        let ty = place.ty;
        let types = &self.unit.types;
        let (place_int, value_int) = (types.is_integer(ty), types.is_integer(value.ty));
        let numbers = self.is_arithmetic(ty) && self.is_arithmetic(value.ty);
        let (value, common, scale) = match op {
            BinaryOp::Add | BinaryOp::Sub if types.is_pointer(ty) && value_int => {
                let scale = self.fixed_scale(ty, span)?;
                (self.index(value), ty, Some(scale))
            }
            BinaryOp::Shl | BinaryOp::Shr if place_int && value_int => {
                let common = self.promoted(ty, place.bits);
                (self.promote(value), common, None)
            }
            BinaryOp::Add | BinaryOp::Sub | BinaryOp::Mul | BinaryOp::Div if numbers => {
                let (value, common) = self.meet(&place, value);
                (value, common, None)
            }
            BinaryOp::Rem | BinaryOp::BitAnd | BinaryOp::BitOr | BinaryOp::BitXor if place_int && value_int => {
                let (value, common) = self.meet(&place, value);
                (value, common, None)
            }
            BinaryOp::Mul
            | BinaryOp::Div
            | BinaryOp::Rem
            | BinaryOp::Add
            | BinaryOp::Sub
            | BinaryOp::Shl
            | BinaryOp::Shr
            | BinaryOp::BitAnd
            | BinaryOp::BitXor
            | BinaryOp::BitOr
            | BinaryOp::Lt
            | BinaryOp::Le
            | BinaryOp::Gt
            | BinaryOp::Ge
            | BinaryOp::Eq
            | BinaryOp::Ne => {
                let (a, b) = (self.describe(ty), self.describe(value.ty));
                return Err(self.error(span, format!("this operator does not take {a} and {b}")));
            }
        };
        let (place, value) = (Box::new(place), Box::new(value));
        Ok(Expr { kind: ExprKind::Compound { place, op, value, common, scale }, ty, span })
    }

    /// A value in the common type with what a place holds.
    fn meet(&mut self, place: &Place, value: Expr) -> (Expr, super::super::types::Ty) {
        let held = self.promoted(place.ty, place.bits);
        let value = self.promote(value);
        let common = self.common(held, value.ty);
        (self.convert(value, common), common)
    }

    pub(super) fn unary(&mut self, node: &UnaryOperatorExpression, span: Span) -> R<Operand> {
        let kind = match node.operator.node {
            UnaryOperator::Address => return self.address_of(&node.operand, span),
            UnaryOperator::Indirection => {
                let operand = self.operand(&node.operand)?;
                // A function stays one, however often it is followed.
                if let Operand::Function(..) = operand {
                    return Ok(operand);
                }
                let pointer = self.value(operand)?;
                return self.dereference(pointer, span).map(Operand::Place);
            }
            UnaryOperator::PostIncrement => return self.increment(&node.operand, false, true, span),
            UnaryOperator::PostDecrement => return self.increment(&node.operand, true, true, span),
            UnaryOperator::PreIncrement => return self.increment(&node.operand, false, false, span),
            UnaryOperator::PreDecrement => return self.increment(&node.operand, true, false, span),
            UnaryOperator::Negate => {
                let inner = Box::new(self.condition(&node.operand)?);
                let ty = self.int();
                return Ok(Operand::Value(Expr { kind: ExprKind::Not(inner), ty, span }));
            }
            UnaryOperator::Plus | UnaryOperator::Minus | UnaryOperator::Complement => &node.operator.node,
        };
        let inner = self.expr(&node.operand)?;
        let fits = if *kind == UnaryOperator::Complement {
            self.unit.types.is_integer(inner.ty)
        } else {
            self.is_arithmetic(inner.ty)
        };
        if !fits {
            let name = self.describe(inner.ty);
            return Err(self.error(span, format!("this operator does not take {name}")));
        }
        let inner = self.promote(inner);
        let ty = inner.ty;
        let kind = if *kind == UnaryOperator::Minus {
            ExprKind::Neg(Box::new(inner))
        } else if *kind == UnaryOperator::Complement {
            ExprKind::BitNot(Box::new(inner))
        } else {
            return Ok(Operand::Value(inner));
        };
        Ok(Operand::Value(Expr { kind, ty, span }))
    }

    fn address_of(&mut self, node: &Node<Expression>, span: Span) -> R<Operand> {
        match self.operand(node)? {
            Operand::Function(function, _) => Ok(Operand::Value(self.value(Operand::Function(function, span))?)),
            Operand::Place(place) if place.bits.is_some() => Err(self.error(span, "a bit-field has no address")),
            Operand::Place(place) if !is_value(&place) => {
                if let Type::Vla(_) = self.unit.types.get(place.ty) {
                    return Err(self.error(span, "the address of an array of variable length is not supported"));
                }
                let (volatile, constant) = (self.unit.is_volatile(&place), self.unit.is_constant(&place));
                let ty = self.unit.types.pointer_to(place.ty, volatile, constant);
                // `&*p` is `p`.
                if let PlaceKind::Deref(pointer) = place.kind {
                    return Ok(Operand::Value(Expr { ty, span, ..*pointer }));
                }
                Ok(Operand::Value(Expr { kind: ExprKind::Address(Box::new(place)), ty, span }))
            }
            Operand::Place(_) | Operand::Value(_) => Err(self.error(span, "this has no place, and so no address")),
        }
    }

    fn increment(&mut self, node: &Node<Expression>, minus: bool, post: bool, span: Span) -> R<Operand> {
        let place = self.place(node)?;
        let ty = place.ty;
        let scale = if self.unit.types.is_pointer(ty) {
            Some(self.fixed_scale(ty, span)?)
        } else if self.is_arithmetic(ty) {
            None
        } else {
            let name = self.describe(ty);
            return Err(self.error(span, format!("{name} cannot be counted up or down")));
        };
        let place = Box::new(place);
        Ok(Operand::Value(Expr { kind: ExprKind::Increment { place, minus, post, scale }, ty, span }))
    }
}

/// Whether a place is part of a mere value, as `f().x`.
pub(super) fn is_value(place: &Place) -> bool {
    match &place.kind {
        PlaceKind::Value(_) => true,
        PlaceKind::Field(inner, _) => is_value(inner),
        // An array inside of a value has temporary lifetime; GCC lets its elements be changed.
        PlaceKind::Object(_) | PlaceKind::Literal(..) | PlaceKind::Deref(_) | PlaceKind::Index(..) => false,
    }
}
