//! Addresses as numbers: which numbers they are is not known.
//!
//! The model has addresses of its own, far apart and aligned. What C guarantees about addresses
//! holds for them; what depends on where a linker or an allocator puts objects does not follow from
//! them. So an operation that looks at some of the bits of an address gives anything, as an
//! approximation. Numbers that are no addresses of objects (`NULL`, error codes, sums) stay exact.

use super::Lowering;
use super::value::resize;
use crate::c::library::unconverted;
use crate::c::points_to::Class;
use crate::c::tree::{BinaryOp, Expr, ExprKind};
use crate::c::types::Type;
use tamis_ir::{Op, Span};
use tamis_term::Term;

/// What is not known of addresses.
const WHICH: &str = "which number an address is";

impl Lowering<'_> {
    /// Whether an operation shows bits of an address that depend on where objects lie.
    pub(super) fn shows_address(&self, expr: &Expr) -> bool {
        let types = &self.unit.types;
        let width = self.pointer_bits();
        let bits = |operand: &Expr| types.scalar(operand.ty).map_or(0, |(bits, _)| bits);
        let is_address = |operand: &Expr| self.points_to.is_address(operand);
        match &expr.kind {
            ExprKind::Binary(op, _, right) | ExprKind::Compound { op, value: right, scale: None, .. } => {
                let left = if let ExprKind::Binary(_, left, _) = &expr.kind { is_address(left) } else { true };
                let any = is_address(expr) || left && matches!(expr.kind, ExprKind::Binary(..)) || is_address(right);
                bits(expr) >= width
                    && types.is_integer(expr.ty)
                    && any
                    && match op {
                        // Where objects lie cancels out in one of them, and counts twice in a sum.
                        BinaryOp::Sub => is_address(right),
                        BinaryOp::Add => left && is_address(right),
                        op => !self.keeps_address(*op, right, expr),
                    }
            }
            ExprKind::Neg(operand) | ExprKind::BitNot(operand) => {
                bits(expr) >= width && types.is_integer(expr.ty) && is_address(operand)
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
            // These bits are zero.
            (BinaryOp::BitOr | BinaryOp::BitXor, Some(bits)) => bits & all < align,
            (BinaryOp::Mul, Some(1)) | (BinaryOp::Shl | BinaryOp::Shr, Some(0)) => true,
            (op, _) => op.is_comparison(),
        }
    }

    /// The result of an operation on a number that may be the address of an object or a function:
    /// anything if it is one.
    pub(super) fn unless_address(&mut self, expr: &Expr, operand: Term, result: Term) -> Term {
        let Some(class) = self.class_of(expr) else { return result };
        let is_address = self.is_some_address(class, operand);
        self.unless(is_address, result, WHICH, expr.span)
    }

    /// The same for an operation on two numbers.
    pub(super) fn unless_addresses(
        &mut self,
        expr: &Expr,
        op: BinaryOp,
        [left, right]: [Term; 2],
        result: Term,
    ) -> Term {
        let Some(class) = self.class_of(expr) else { return result };
        let [one, other] = [left, right].map(|operand| self.is_some_address(class, operand));
        let shown = match op {
            BinaryOp::Sub => {
                let [here, there] = [left, right].map(|operand| {
                    let word = resize(self.terms, operand, self.pointer_bits(), false);
                    self.object_of(word)
                });
                let same = self.terms.eq(here, there);
                let apart = self.terms.not(same);
                self.terms.and(&[other, apart])
            }
            BinaryOp::Add => self.terms.and(&[one, other]),
            _ => self.terms.or(&[one, other]),
        };
        self.unless(shown, result, WHICH, expr.span)
    }

    /// Whether two numbers are put in an order that depends on where objects lie. They are neither at
    /// the beginning nor at the end, where `NULL` and error codes are.
    pub(super) fn orders_addresses(&self, op: BinaryOp, left: &Expr, right: &Expr) -> bool {
        const MARGIN: i128 = 4096;
        let types = &self.unit.types;
        let all = 1_i128 << self.pointer_bits();
        let orders = matches!(op, BinaryOp::Lt | BinaryOp::Le | BinaryOp::Gt | BinaryOp::Ge);
        let wide = types.scalar(left.ty).is_some_and(|(bits, _)| bits >= self.pointer_bits());
        let is_marginal =
            |operand: &Expr| constant(operand).is_some_and(|number| number.abs() <= MARGIN || number >= all - MARGIN);
        orders
            && wide
            && types.is_integer(left.ty)
            && (self.points_to.is_address(left) || self.points_to.is_address(right))
            && !is_marginal(left)
            && !is_marginal(right)
    }

    /// The result of putting two numbers in an order: anything if one is an address and the other is
    /// not one of the same object.
    pub(super) fn unless_apart(&mut self, operands: [(&Expr, Term); 2], result: Term, span: Span) -> Term {
        let mut known = Vec::new();
        for (operand, term) in operands {
            if let Some(class) = self.points_to.target(operand).filter(|_| self.points_to.is_address(operand)) {
                known.push(self.is_some_address(class, term));
            }
        }
        let [here, there] = operands.map(|(_, term)| {
            let word = resize(self.terms, term, self.pointer_bits(), false);
            self.object_of(word)
        });
        let same = self.terms.eq(here, there);
        let (any, apart) = (self.terms.or(&known), self.terms.not(same));
        let shown = self.terms.and(&[any, apart]);
        self.unless(shown, result, WHICH, span)
    }

    /// What an operation is about that looks at an address.
    fn class_of(&self, expr: &Expr) -> Option<Class> {
        let operands: Vec<&Expr> = match &expr.kind {
            ExprKind::Binary(_, left, right) => vec![left, right],
            ExprKind::Compound { value, .. } => vec![value],
            ExprKind::Neg(operand) | ExprKind::BitNot(operand) | ExprKind::Convert(operand) => vec![operand],
            _ => Vec::new(),
        };
        let mut address = operands.into_iter().filter(|operand| self.points_to.is_address(operand));
        self.points_to.target(expr).or_else(|| address.find_map(|operand| self.points_to.target(operand)))
    }

    /// Whether a number is the address of an object or function of a class.
    fn is_some_address(&mut self, class: Class, operand: Term) -> Term {
        let word = resize(self.terms, operand, self.pointer_bits(), false);
        let mut known = vec![self.is_inside(class, word)];
        for function in self.points_to.callees(class).collect::<Vec<_>>() {
            let address = self.memory.functions.get(&function).copied().unwrap_or(0);
            let address = self.fixed_address(address);
            known.push(self.terms.eq(word, address));
        }
        self.terms.or(&known)
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
