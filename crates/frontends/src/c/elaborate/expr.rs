//! Expressions: each becomes a value, a place, or a function.

use super::super::rewrite::ELVIS;
use super::super::tree::{Expr, ExprKind, FunctionId, Place, PlaceKind, Scale};
use super::super::types::{Ty, Type};
use super::convert::bit_field;
use super::scope::{Qualified, Symbol};
use super::{Elaborator, R};
use lang_c::ast::{ConditionalExpression, Expression, GenericAssociation, GenericSelection, Identifier};
use lang_c::span::Node;
use tamis_ir::Span;

/// What an expression denotes before it is used.
#[derive(Debug)]
pub(super) enum Operand {
    Place(Place),
    Value(Expr),
    Function(FunctionId, Span),
}

/// The tree of a longer list would be too deep.
const MOST_COMMAS: usize = 20_000;

impl Elaborator<'_> {
    /// The value of an expression; arrays and functions have become addresses.
    pub(super) fn expr(&mut self, node: &Node<Expression>) -> R<Expr> {
        let operand = self.operand(node)?;
        self.value(operand)
    }

    /// The value of what an expression denotes.
    pub(super) fn value(&mut self, operand: Operand) -> R<Expr> {
        match operand {
            Operand::Value(expr) => Ok(expr),
            Operand::Function(function, span) => {
                let ty = self.unit.functions[function.index()].ty;
                let ty = self.unit.types.pointer(ty);
                Ok(Expr { kind: ExprKind::Function(function), ty, span })
            }
            Operand::Place(place) => {
                let span = place.span;
                match self.unit.types.get(place.ty) {
                    Type::Array(element, _) | Type::Vla(element) => {
                        let element = *element;
                        let (volatile, constant) = (self.unit.is_volatile(&place), self.unit.is_constant(&place));
                        let ty = self.unit.types.pointer_to(element, volatile, constant);
                        Ok(Expr { kind: ExprKind::Address(Box::new(place)), ty, span })
                    }
                    Type::Function(_) => match place.kind {
                        PlaceKind::Deref(pointer) => Ok(*pointer),
                        PlaceKind::Object(_)
                        | PlaceKind::Literal(..)
                        | PlaceKind::Field(..)
                        | PlaceKind::Index(..)
                        | PlaceKind::Value(_) => Err(self.error(span, "this function has no address")),
                    },
                    Type::Void => {
                        // GNU: `*p` of a void pointer is a void value.
                        let void = place.ty;
                        match place.kind {
                            PlaceKind::Deref(pointer) => Ok(self.convert(*pointer, void)),
                            PlaceKind::Object(_)
                            | PlaceKind::Literal(..)
                            | PlaceKind::Field(..)
                            | PlaceKind::Index(..)
                            | PlaceKind::Value(_) => Err(self.error(span, "a void object has no value")),
                        }
                    }
                    Type::Record(_) if self.unit.types.size_of(place.ty).is_none() => {
                        let name = self.describe(place.ty);
                        Err(self.error(span, format!("the type {name} is incomplete")))
                    }
                    Type::Bool
                    | Type::Int(_)
                    | Type::Bits(..)
                    | Type::Float(_)
                    | Type::Pointer(_)
                    | Type::Record(_) => {
                        let ty = place.ty;
                        Ok(Expr { kind: ExprKind::Load(Box::new(place)), ty, span })
                    }
                }
            }
        }
    }

    /// A value that can be compared with zero.
    pub(super) fn condition(&mut self, node: &Node<Expression>) -> R<Expr> {
        let expr = self.expr(node)?;
        self.scalar(expr)
    }

    pub(super) fn scalar(&mut self, expr: Expr) -> R<Expr> {
        if self.unit.types.is_scalar(expr.ty) {
            return Ok(expr);
        }
        let name = self.describe(expr.ty);
        Err(self.error(expr.span, format!("a number or a pointer is expected here, not {name}")))
    }

    /// The same with the qualifiers of what has a place.
    pub(super) fn qualified_type_of(&mut self, node: &Node<Expression>) -> R<Qualified> {
        let place = match self.operand(node)? {
            Operand::Place(place) => place,
            Operand::Value(expr) => return Ok(Qualified::plain(expr.ty)),
            Operand::Function(function, _) => return Ok(Qualified::plain(self.unit.functions[function.index()].ty)),
        };
        let (volatile, constant) = (self.unit.is_volatile(&place), self.unit.is_constant(&place));
        Ok(Qualified { volatile, constant, ..Qualified::plain(place.ty) })
    }

    /// The type of an expression that is not evaluated.
    pub(super) fn type_of(&mut self, node: &Node<Expression>) -> R<Ty> {
        Ok(match self.operand(node)? {
            Operand::Place(place) => place.ty,
            Operand::Value(expr) => expr.ty,
            Operand::Function(function, _) => self.unit.functions[function.index()].ty,
        })
    }

    pub(super) fn operand(&mut self, node: &Node<Expression>) -> R<Operand> {
        let span = self.span(node);
        match &node.node {
            Expression::Identifier(name) => self.identifier(name),
            Expression::Constant(constant) => self.literal(constant).map(Operand::Value),
            Expression::StringLiteral(parts) => {
                let (units, element) = self.string(&parts.node, span)?;
                Ok(Operand::Place(self.string_place(&units, element, span)))
            }
            Expression::GenericSelection(selection) => self.generic(&selection.node, span),
            Expression::Member(member) => self.member_access(&member.node, span).map(Operand::Place),
            Expression::Call(call) => self.called(&call.node, span),
            Expression::CompoundLiteral(literal) => self.compound_literal(&literal.node, span).map(Operand::Place),
            Expression::SizeOfTy(of) => self.size_of_type(&of.node.0, span).map(Operand::Value),
            Expression::SizeOfVal(of) => self.size_of_value(&of.node.0, span).map(Operand::Value),
            Expression::AlignOf(of) => {
                let align = self.align_of_name(&of.node.0, span)?;
                let size_type = self.unit.types.size_type();
                Ok(Operand::Value(Self::number(i128::from(align), size_type, span)))
            }
            Expression::UnaryOperator(unary) => self.unary(&unary.node, span),
            Expression::Cast(cast) => {
                let (ty, lengths) = self.variable_type_name(&cast.node.type_name)?;
                let expr = self.expr(&cast.node.expression)?;
                let cast = self.cast(expr, ty.ty, span)?;
                Ok(Operand::Value(lengths.into_iter().rev().fold(cast, |cast, length| self.after(length, cast))))
            }
            Expression::BinaryOperator(binary) => self.binary(&binary.node, span),
            Expression::Conditional(conditional) => self.conditional(&conditional.node, span).map(Operand::Value),
            Expression::Comma(list) => self.comma(list, span).map(Operand::Value),
            Expression::OffsetOf(offset) => self.offset_of(&offset.node, span).map(Operand::Value),
            Expression::VaArg(argument) => self.va_arg(&argument.node, span).map(Operand::Value),
            Expression::Statement(statement) => self.statement_expression(statement, span).map(Operand::Value),
        }
    }

    fn identifier(&mut self, name: &Node<Identifier>) -> R<Operand> {
        let (text, span) = (name.node.name.as_str(), self.at(name.span));
        match self.lookup(text) {
            Some(Symbol::Object(object)) => {
                let ty = self.unit.objects[object.index()].ty;
                Ok(Operand::Place(Place { kind: PlaceKind::Object(object), ty, bits: None, span }))
            }
            Some(Symbol::Function(function)) => Ok(Operand::Function(function, span)),
            Some(Symbol::Constant(value, ty)) => Ok(Operand::Value(Self::number(value, ty, span))),
            Some(Symbol::Typedef(_)) => Err(self.error(span, format!("`{text}` is a type, not a value"))),
            Some(Symbol::Broken) => Err(self.broken(text, span)),
            None if matches!(text, "__func__" | "__FUNCTION__" | "__PRETTY_FUNCTION__") => {
                let name = self.current_name();
                let units: Vec<u32> = name.bytes().map(u32::from).collect();
                let char = self.unit.types.int(super::super::types::IntKind::Char);
                Ok(Operand::Place(self.string_place(&units, char, span)))
            }
            None if text == ELVIS => Err(self.error(span, "an operand is missing")),
            None => {
                let diagnostic = self.undeclared(text, span);
                // Once is enough in a function.
                self.bind(text, Symbol::Broken, span);
                Err(self.report(diagnostic))
            }
        }
    }

    fn generic(&mut self, selection: &GenericSelection, span: Span) -> R<Operand> {
        let of = self.expr(&selection.expression)?.ty;
        let (mut fallback, mut chosen) = (None, None);
        for association in &selection.associations {
            match &association.node {
                GenericAssociation::Type(case) => {
                    let ty = self.type_name(&case.node.type_name)?;
                    // A value has no qualifiers.
                    if ty.volatile || ty.constant || !self.alike(ty.ty, of) {
                        continue;
                    }
                    if chosen.is_some() {
                        return Err(self.error(span, "two associations are of compatible types"));
                    }
                    chosen = Some(&case.node.expression);
                }
                GenericAssociation::Default(expression) => fallback = Some(expression),
            }
        }
        if let Some(expression) = chosen.or(fallback) {
            self.operand(expression)
        } else {
            let name = self.describe(of);
            Err(self.error(span, format!("no association is for {name}")))
        }
    }

    fn comma(&mut self, list: &[Node<Expression>], span: Span) -> R<Expr> {
        if list.len() > MOST_COMMAS {
            return Err(self.error(span, "this is nested too deeply"));
        }
        let mut result: Option<Expr> = None;
        for node in list {
            let next = self.expr(node)?;
            result = Some(match result {
                None => next,
                Some(before) => {
                    let ty = next.ty;
                    Expr { kind: ExprKind::Comma(Box::new(before), Box::new(next)), ty, span }
                }
            });
        }
        result.ok_or_else(|| self.error(span, "an expression is missing"))
    }

    /// An expression that is evaluated after another, whose value is not wanted.
    pub(super) fn after(&self, first: Expr, then: Expr) -> Expr {
        if self.fold(&first).is_some() {
            return then;
        }
        let (ty, span) = (then.ty, then.span);
        Expr { kind: ExprKind::Comma(Box::new(first), Box::new(then)), ty, span }
    }

    fn conditional(&mut self, node: &ConditionalExpression, span: Span) -> R<Expr> {
        let condition = self.condition(&node.condition)?;
        let elvis = matches!(&node.then_expression.node, Expression::Identifier(name) if name.node.name == ELVIS);
        if elvis {
            let other = self.expr(&node.else_expression)?;
            let (condition, other) = self.branches(condition, other, span)?;
            let ty = condition.ty;
            return Ok(Expr { kind: ExprKind::Elvis(Box::new(condition), Box::new(other)), ty, span });
        }
        let yes = self.expr(&node.then_expression)?;
        let no = self.expr(&node.else_expression)?;
        let (yes, no) = self.branches(yes, no, span)?;
        let ty = yes.ty;
        Ok(Expr { kind: ExprKind::Conditional(Box::new(condition), Box::new(yes), Box::new(no)), ty, span })
    }

    /// Both branches in the type of the whole (C11 6.5.15).
    fn branches(&mut self, yes: Expr, no: Expr, span: Span) -> R<(Expr, Expr)> {
        if self.is_arithmetic(yes.ty) && self.is_arithmetic(no.ty) {
            return Ok(self.balance(yes, no));
        }
        let is_void = |this: &Self, ty| matches!(this.unit.types.get(ty), Type::Void);
        let ty = if yes.ty == no.ty {
            yes.ty
        } else if is_void(self, yes.ty) || is_void(self, no.ty) {
            self.unit.types.void()
        } else {
            match (self.unit.types.pointee(yes.ty), self.unit.types.pointee(no.ty)) {
                (Some(_), _) if self.is_null(&no) => yes.ty,
                (_, Some(_)) if self.is_null(&yes) => no.ty,
                (Some(a), Some(_)) if is_void(self, a) => yes.ty,
                (Some(_), Some(b)) if is_void(self, b) => no.ty,
                (Some(a), Some(b)) => {
                    if !self.compatible(a, b) {
                        self.warn(span, "the branches are pointers to different types");
                    }
                    self.composite(yes.ty, no.ty)
                }
                (Some(_), None) if self.unit.types.is_integer(no.ty) => yes.ty,
                (None, Some(_)) if self.unit.types.is_integer(yes.ty) => no.ty,
                (Some(_) | None, None) | (None, Some(_)) => {
                    let (a, b) = (self.describe(yes.ty), self.describe(no.ty));
                    return Err(
                        self.error(span, format!("the branches have types {a} and {b}, which do not go together"))
                    );
                }
            }
        };
        let ty = self.with_qualifiers(ty, &yes, &no);
        Ok((self.convert(yes, ty), self.convert(no, ty)))
    }

    /// A pointer that is one of two points to something as volatile, and as constant, as both.
    fn with_qualifiers(&mut self, ty: Ty, yes: &Expr, no: &Expr) -> Ty {
        let types = &self.unit.types;
        let Some(to) = types.pointee(ty) else { return ty };
        let volatile = types.points_to_volatile(yes.ty) || types.points_to_volatile(no.ty);
        let constant = types.points_to_constant(yes.ty) || types.points_to_constant(no.ty);
        self.unit.types.pointer_to(to, volatile, constant)
    }

    pub(super) fn cast(&mut self, expr: Expr, ty: Ty, span: Span) -> R<Expr> {
        let types = &self.unit.types;
        let (from, to) = (expr.ty, ty);
        let pointers = types.is_pointer(from) && types.is_float(to) || types.is_float(from) && types.is_pointer(to);
        if matches!(types.get(to), Type::Void) || (types.is_scalar(from) && types.is_scalar(to) && !pointers) {
            // What is cast is a bit-field no longer, so it is not promoted as one.
            if from == to && bit_field(&expr).is_some() {
                return Ok(Expr { kind: ExprKind::Convert(Box::new(expr)), ty, span });
            }
            let mut result = self.convert(expr, ty);
            result.span = span;
            return Ok(result);
        }
        if from == to && matches!(types.get(to), Type::Record(_)) {
            return Ok(expr);
        }
        let (from, to) = (self.describe(from), self.describe(to));
        Err(self.error(span, format!("{from} cannot be cast to {to}")))
    }

    /// How many bytes lie between neighbours that a pointer can point to.
    pub(super) fn scale(&mut self, pointer: &Expr, span: Span) -> R<Scale> {
        if let Some(row) = self.row(pointer) {
            return Ok(Scale::Variable(Box::new(self.load(row, span)?)));
        }
        self.fixed_scale(pointer.ty, span)
    }

    /// The same where the elements have constant size.
    pub(super) fn fixed_scale(&mut self, pointer: Ty, span: Span) -> R<Scale> {
        let to = self.unit.types.pointee(pointer).unwrap_or(pointer);
        // GNU: one byte for void and functions.
        if matches!(self.unit.types.get(to), Type::Void | Type::Function(_)) {
            return Ok(Scale::Bytes(1));
        }
        if let Some(size) = self.unit.types.size_of(to) {
            Ok(Scale::Bytes(size))
        } else {
            let name = self.describe(to);
            Err(self.error(span, format!("the size of {name} is not known")))
        }
    }
}
