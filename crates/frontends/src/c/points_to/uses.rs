//! How values are used: what printing may write, and of which variables only the sign matters.

#![allow(clippy::wildcard_enum_match_arm, reason = "few kinds of expressions and statements matter here")]

use super::walk::{Target, Walk};
use crate::c::format;
use crate::c::library::unconverted;
use crate::c::tree::{Expr, ExprKind, Place, PlaceKind, Stmt, StmtKind};
use crate::c::types::Type;

impl Walk<'_, '_> {
    /// `%n` writes to what a pointer means: mostly an integer of the type that it says.
    pub(super) fn print(&mut self, name: &str, args: &[Expr], targets: &[Target]) {
        let print = format::print(name, args).filter(|print| format::may_store(self.unit, print.format));
        let Some(print) = print else { return };
        for (value, target) in print.values.iter().zip(&targets[print.first..]) {
            let pointee = self.unit.types.pointee(unconverted(value).ty);
            match (target, pointee) {
                (Some(target), Some(ty)) if self.unit.types.is_integer(ty) => self.access(*target, ty),
                (Some(target), Some(_)) => self.refine(*target, 1),
                (None, _) | (_, None) => {}
            }
        }
    }

    /// Counts what an expression reads itself, and of what only the sign matters to it.
    pub(super) fn read(&mut self, expr: &Expr) {
        match &expr.kind {
            ExprKind::Load(place)
            | ExprKind::Assign(place, _)
            | ExprKind::Compound { place, .. }
            | ExprKind::Increment { place, .. } => self.count(place),
            ExprKind::Not(operand) => self.by_sign(operand),
            ExprKind::And(left, right) | ExprKind::Or(left, right) => {
                self.by_sign(left);
                self.by_sign(right);
            }
            ExprKind::Binary(op, left, right) if op.is_comparison() => {
                for (one, other) in [(left, right), (right, left)] {
                    if matches!(one.kind, ExprKind::Int(0)) {
                        self.by_sign(other);
                    }
                }
            }
            ExprKind::Conditional(first, ..) | ExprKind::Comma(first, _) => self.by_sign(first),
            ExprKind::Convert(operand) if matches!(self.unit.types.get(expr.ty), Type::Bool | Type::Void) => {
                self.by_sign(operand);
            }
            _ => {}
        }
    }

    /// The same for a statement.
    pub(super) fn read_in(&mut self, statement: &Stmt) {
        match &statement.kind {
            StmtKind::Expr(expr) | StmtKind::If(expr, ..) | StmtKind::While(expr, _) | StmtKind::DoWhile(_, expr) => {
                self.by_sign(expr);
            }
            StmtKind::For { condition, step, .. } => {
                condition.iter().chain(step).for_each(|expr| self.by_sign(expr));
            }
            StmtKind::Unsupported { changes, .. } => changes.iter().for_each(|place| self.count(place)),
            _ => {}
        }
    }

    fn count(&mut self, place: &Place) {
        if let PlaceKind::Object(object) = place.kind {
            self.classes.reads[object.index()].0 += 1;
        }
    }

    /// Of the value of an expression only the sign matters, or nothing.
    fn by_sign(&mut self, expr: &Expr) {
        if let ExprKind::Load(place) | ExprKind::Assign(place, _) = &expr.kind
            && let PlaceKind::Object(object) = place.kind
        {
            self.classes.reads[object.index()].1 += 1;
        }
    }
}
