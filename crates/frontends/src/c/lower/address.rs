//! Addresses as numbers: which numbers they are is not known.
//!
//! The model has addresses of its own, far apart and aligned. What C guarantees about addresses
//! holds for them; what depends on where a linker or an allocator puts objects does not follow from
//! them. So an operation that looks at some of the bits of an address gives anything, as an
//! approximation. Numbers that are no addresses of objects (`NULL`, error codes, sums) stay exact.

use super::Lowering;
use super::value::resize;
use crate::c::library::unconverted;
use crate::c::tree::{BinaryOp, Expr, ExprKind};
use crate::c::types::Type;
use tamis_ir::{Op, Span};
use tamis_term::Term;

impl Lowering<'_> {
    /// Whether an operation shows bits of an address that depend on where objects lie.
    pub(super) fn shows_address(&self, expr: &Expr) -> bool {
        let types = &self.unit.types;
        let width = self.pointer_bits();
        let bits = |operand: &Expr| types.scalar(operand.ty).map_or(0, |(bits, _)| bits);
        match &expr.kind {
            ExprKind::Binary(op, _, right) | ExprKind::Compound { op, value: right, scale: None, .. } => {
                bits(expr) >= width
                    && types.is_integer(expr.ty)
                    && self.points_to.is_address(expr)
                    && !self.keeps_address(*op, right, expr)
            }
            ExprKind::Convert(operand) => {
                let narrow = matches!(types.get(expr.ty), Type::Int(_)) && bits(expr) < width;
                let wide = types.is_pointer(operand.ty) || types.is_integer(operand.ty) && bits(operand) >= width;
                let origin = unconverted(operand);
                let is_pointer = types.is_pointer(origin.ty) && !matches!(origin.kind, ExprKind::Int(_));
                narrow && wide && (is_pointer || self.points_to.is_address(expr))
            }
            _ => false,
        }
    }

    /// Whether the result is known if objects are aligned, wherever they are.
    fn keeps_address(&self, op: BinaryOp, right: &Expr, expr: &Expr) -> bool {
        let align = i128::from(self.points_to.alignment(expr));
        let all = (1_i128 << self.pointer_bits()) - 1;
        match (op, constant(right)) {
            (BinaryOp::BitAnd, Some(mask)) => {
                let mask = mask & all;
                mask < align || mask | (align - 1) == all
            }
            (BinaryOp::Rem, Some(divisor)) => divisor <= align && divisor.count_ones() == 1,
            (BinaryOp::BitAnd | BinaryOp::Rem | BinaryOp::Div | BinaryOp::Shr, _) => false,
            _ => true,
        }
    }

    /// The result of an operation on a number that may be the address of an object or a function:
    /// anything if it is one.
    pub(super) fn unless_address(&mut self, expr: &Expr, operand: Term, result: Term) -> Term {
        let span = expr.span;
        let Some(class) = self.points_to.target(expr) else { return result };
        let word = resize(self.terms, operand, self.pointer_bits(), false);
        let mut known = vec![self.is_inside(class, word)];
        for function in self.points_to.callees(class).collect::<Vec<_>>() {
            let address = self.memory.functions.get(&function).copied().unwrap_or(0);
            let address = self.fixed_address(address);
            known.push(self.terms.eq(word, address));
        }
        let is_address = self.terms.or(&known);
        self.unless(is_address, result, "which number an address is", span)
    }

    /// The result; under a condition anything, as an approximation.
    pub(super) fn unless(&mut self, condition: Term, result: Term, what: &str, span: Span) -> Term {
        if self.terms.is_false(condition) {
            return result;
        }
        let var = self.temporary(self.terms.sort(result).clone());
        let (open, known) = self.branch(condition, span);
        let joined = self.program.add_loc(span);
        self.frame.at = known;
        self.emit_to(Op::Assign(vec![(var, result)]), joined, span);
        self.frame.at = open;
        let edge = self.emit_to(Op::Havoc(vec![var]), joined, span);
        self.program.notes.approximations.insert(edge, what.to_owned());
        self.frame.at = joined;
        self.terms.var(var)
    }
}

/// The number that a mask is written as.
fn constant(expr: &Expr) -> Option<i128> {
    match &unconverted(expr).kind {
        ExprKind::Int(number) => Some(*number),
        ExprKind::BitNot(operand) => constant(operand).map(|number| !number),
        ExprKind::Neg(operand) => constant(operand).map(|number| -number),
        _ => None,
    }
}
