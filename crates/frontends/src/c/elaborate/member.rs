//! Members of records: `.`, `->` and `offsetof`, through anonymous records.

use super::super::tree::{Expr, ExprKind, Place, PlaceKind};
use super::super::types::{Ty, Type};
use super::expr::Operand;
use super::{Elaborator, R};
use lang_c::ast::{MemberExpression, MemberOperator, OffsetMember, OffsetOfExpression};
use tamis_ir::Span;

impl Elaborator<'_> {
    /// The fields that lead to a member: the last one is it, the others are anonymous records.
    pub(super) fn find_member(&self, ty: Ty, name: &str) -> Option<Vec<u32>> {
        let fields = self.unit.types.fields(ty);
        for (at, field) in (0_u32..).zip(fields) {
            if field.name == name {
                return Some(vec![at]);
            }
            if field.name.is_empty()
                && let Some(mut path) = self.find_member(field.ty, name)
            {
                path.insert(0, at);
                return Some(path);
            }
        }
        None
    }

    /// The same, or an error.
    pub(super) fn require_member(&mut self, ty: Ty, name: &str, span: Span) -> R<Vec<u32>> {
        if let Some(path) = self.find_member(ty, name) {
            return Ok(path);
        }
        let what = self.describe(ty);
        let complete = self.unit.types.size_of(ty).is_some();
        let message = if !matches!(self.unit.types.get(ty), Type::Record(_)) {
            format!("{what} is not a struct or union")
        } else if complete {
            format!("{what} has no member `{name}`")
        } else {
            format!("the members of {what} are not known here")
        };
        Err(self.error(span, message))
    }

    fn step_into(&self, place: Place, path: &[u32], span: Span) -> Place {
        path.iter().fold(place, |place, field| {
            let found = &self.unit.types.fields(place.ty)[*field as usize];
            let (ty, bits) = (found.ty, found.bits);
            Place { kind: PlaceKind::Field(Box::new(place), *field), ty, bits, span }
        })
    }

    pub(super) fn member_access(&mut self, node: &MemberExpression, span: Span) -> R<Place> {
        let name = &node.identifier.node.name;
        let at = self.at(node.identifier.span);
        let place = match node.operator.node {
            MemberOperator::Direct => match self.operand(&node.expression)? {
                Operand::Place(place) => place,
                Operand::Value(expr) => {
                    let (ty, span) = (expr.ty, expr.span);
                    if !matches!(self.unit.types.get(ty), Type::Record(_)) && self.unit.types.is_pointer(ty) {
                        return Err(self.error(at, format!("this is a pointer; write `->{name}`")));
                    }
                    Place { kind: PlaceKind::Value(Box::new(expr)), ty, bits: None, span }
                }
                Operand::Function(..) => return Err(self.error(at, "a function has no members")),
            },
            MemberOperator::Indirect => {
                let pointer = self.expr(&node.expression)?;
                if matches!(self.unit.types.get(pointer.ty), Type::Record(_)) {
                    return Err(self.error(at, format!("this is not a pointer; write `.{name}`")));
                }
                let span = pointer.span;
                self.dereference(pointer, span)?
            }
        };
        if self.unit.types.is_pointer(place.ty) && node.operator.node == MemberOperator::Direct {
            return Err(self.error(at, format!("this is a pointer; write `->{name}`")));
        }
        let path = self.require_member(place.ty, name, at)?;
        Ok(self.step_into(place, &path, span))
    }

    /// `offsetof(type, member.designator[index])`.
    pub(super) fn offset_of(&mut self, node: &OffsetOfExpression, span: Span) -> R<Expr> {
        let mut ty = self.type_name(&node.type_name)?.ty;
        let size_type = self.unit.types.size_type();
        let mut offset = Self::number(0, size_type, span);
        let base = &node.designator.node.base;
        let at = self.at(base.span);
        ty = self.offset_member(ty, &base.node.name, &mut offset, at)?;
        for member in &node.designator.node.members {
            let at = self.span(member);
            match &member.node {
                OffsetMember::Member(name) => ty = self.offset_member(ty, &name.node.name, &mut offset, at)?,
                OffsetMember::IndirectMember(_) => return Err(self.error(at, "`->` leaves the object")),
                OffsetMember::Index(index) => {
                    let Some(element) = self.unit.types.element(ty) else {
                        return Err(self.error(at, "this member is not an array"));
                    };
                    let size = self.unit.types.size_of(element).unwrap_or(0);
                    let index = self.expr(index)?;
                    let index = self.convert(index, size_type);
                    let size = Self::number(i128::from(size), size_type, at);
                    let bytes = self.arithmetic(super::super::tree::BinaryOp::Mul, index, size, at)?;
                    offset = self.arithmetic(super::super::tree::BinaryOp::Add, offset, bytes, at)?;
                    ty = element;
                }
            }
        }
        match self.fold_int(&offset) {
            Some(value) => Ok(Self::number(value, size_type, span)),
            None => Ok(offset),
        }
    }

    fn offset_member(&mut self, ty: Ty, name: &str, offset: &mut Expr, span: Span) -> R<Ty> {
        let path = self.require_member(ty, name, span)?;
        let (mut ty, mut bytes) = (ty, 0_i128);
        for field in path {
            let found = &self.unit.types.fields(ty)[field as usize];
            if found.bits.is_some() {
                return Err(self.error(span, "a bit-field has no offset"));
            }
            bytes += i128::from(found.offset);
            ty = found.ty;
        }
        if let ExprKind::Int(value) = &mut offset.kind {
            *value += bytes;
            return Ok(ty);
        }
        let size_type = offset.ty;
        let before = std::mem::replace(offset, Self::number(0, size_type, span));
        let more = Self::number(bytes, size_type, span);
        *offset = self.arithmetic(super::super::tree::BinaryOp::Add, before, more, span)?;
        Ok(ty)
    }
}
