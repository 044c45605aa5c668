//! String literals that may be one object: a compiler may keep equal ones once, and let one that
//! ends as another does be the end of that (C11 6.4.5p7). Whether it does is not known.

use super::Lowering;
use super::homes::Home;
use super::value::number;
use crate::c::format::literal;
use crate::c::points_to::Class;
use crate::c::tree::{Expr, ExprKind, ObjectId};
use crate::c::types::Ty;
use std::collections::BTreeMap;
use tamis_ir::Span;
use tamis_term::Term;

/// Literals that may share their place, by the numbers of the objects: those of one text, and all
/// that end with it.
#[derive(Clone, Debug)]
pub(super) struct Group {
    same: Vec<u64>,
    longer: Vec<u64>,
}

/// What is not known about such literals.
const WHAT: &str = "whether string literals share their place";

/// The groups of each class that has some.
pub(super) type Shared = BTreeMap<Class, Vec<Group>>;

impl Lowering<'_> {
    /// Finds the literals that may share their place.
    pub(super) fn find_shared(&mut self) {
        let mut literals: BTreeMap<(Class, Ty, Vec<i128>), Vec<u64>> = BTreeMap::new();
        for (object, about) in (0..).map(ObjectId).zip(&self.unit.objects) {
            let (Some(mut units), Home::Fixed { class, id, .. }) = (literal(about), &self.homes[object.index()]) else {
                continue;
            };
            let Some(element) = self.unit.types.element(about.ty) else { continue };
            units.reverse();
            literals.entry((*class, element, units)).or_default().push(*id);
        }
        for ((class, element, units), same) in &literals {
            // Read from the end, what ends with a text follows it.
            let from = (*class, *element, units.clone());
            let ends = literals
                .range(from..)
                .take_while(|((other, ty, text), _)| other == class && ty == element && text.starts_with(units));
            let longer: Vec<u64> = ends.flat_map(|(_, ids)| ids).copied().collect();
            if longer.len() > 1 {
                self.shared.entry(*class).or_default().push(Group { same: same.clone(), longer });
            }
        }
    }

    /// The class of a pointer, or of a number that is one, if literals in it may share their place.
    fn shared_class(&self, expr: &Expr) -> Option<Class> {
        let holds_addresses = self.unit.types.scalar(expr.ty).is_some_and(|(bits, _)| bits >= self.pointer_bits());
        let class = self.points_to.compared(expr).or_else(|| self.points_to.target(expr))?;
        (holds_addresses && self.shared.contains_key(&class)).then_some(class)
    }

    /// Whether a comparison, or a difference, may be one of literals that share their place.
    pub(super) fn compares_literals(&self, left: &Expr, right: &Expr) -> bool {
        let is_number = |expr: &Expr| matches!(expr.kind, ExprKind::Int(_));
        !is_number(left) && !is_number(right) && self.shared_class(left).is_some()
    }

    /// Whether an expression makes a number of the address of a literal that may share its place.
    pub(super) fn shows_literal(&self, expr: &Expr) -> bool {
        let types = &self.unit.types;
        matches!(&expr.kind, ExprKind::Convert(operand)
            if types.is_pointer(operand.ty) && types.is_integer(expr.ty) && self.shared_class(expr).is_some())
    }

    /// The result of comparing or subtracting addresses: anything for two literals that may share
    /// their place.
    pub(super) fn unless_shared(&mut self, (left, a): (&Expr, Term), b: Term, result: Term, span: Span) -> Term {
        let groups = self.shared_class(left).and_then(|class| self.shared.get(&class)).cloned().unwrap_or_default();
        let (a, b) = (self.object_of(a), self.object_of(b));
        let mut both = Vec::new();
        for Group { same, longer } in groups {
            for (one, other) in [(a, b), (b, a)] {
                let (one, other) = (self.is_one_of(one, &same), self.is_one_of(other, &longer));
                both.push(self.terms.and(&[one, other]));
            }
        }
        let (any, differ) = (self.terms.or(&both), self.terms.distinct(a, b));
        let shared = self.terms.and(&[any, differ]);
        self.unless(shared, result, WHAT, span)
    }

    /// The number that an address is: anything for a literal that may share its place.
    pub(super) fn unless_literal(&mut self, pointer: (&Expr, Term), result: Term, span: Span) -> Term {
        let (expr, address) = pointer;
        let groups = self.shared_class(expr).and_then(|class| self.shared.get(&class)).cloned().unwrap_or_default();
        let object = self.object_of(address);
        let some: Vec<Term> = groups.iter().map(|group| self.is_one_of(object, &group.longer)).collect();
        let shared = self.terms.or(&some);
        self.unless(shared, result, WHAT, span)
    }

    fn is_one_of(&mut self, object: Term, ids: &[u64]) -> Term {
        let bits = self.id_bits();
        let ids: Vec<Term> = ids.iter().map(|id| number(self.terms, bits, (*id).into())).collect();
        let equal: Vec<Term> = ids.into_iter().map(|id| self.terms.eq(object, id)).collect();
        self.terms.or(&equal)
    }
}
