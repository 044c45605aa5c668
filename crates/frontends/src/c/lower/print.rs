//! What `%n` stores: how much was printed is not modelled.

use super::{Lowering, Value};
use crate::c::format::{self, literal_stores};
use crate::c::points_to::Class;
use crate::c::tree::{Expr, ObjectId};
use tamis_ir::{Op, Span};

impl Lowering<'_> {
    /// What a call that prints may write to.
    pub(super) fn print(&mut self, name: &str, args: &[Expr], values: &[Value], span: Span) {
        let Some(print) = format::print(name, args) else { return };
        if !format::may_store(self.unit, print.format) || self.only_harmless(print.format) {
            return;
        }
        if print.list {
            // What a list points to was given away.
            self.forget_outside(name, span);
            return;
        }
        for (arg, value) in print.values.iter().zip(&values[print.first..]) {
            let (Some(class), Value::Scalar(_)) = (self.points_to.target(arg), value) else { continue };
            // How much it stores, only the format says.
            let class = self.region(class);
            let var = self.memory.regions[&class].var;
            let edge = self.emit(Op::Havoc(vec![var]), span);
            self.program.notes.approximations.insert(edge, "what `%n` stores".to_owned());
        }
    }

    /// Whether a format can only be a string literal of the program, of which none has a `%n`.
    fn only_harmless(&self, format: &Expr) -> bool {
        let Some(class) = self.points_to.target(format) else { return false };
        let made = self.is_made(class) || self.points_to.is_wild(class) || self.points_to.is_device(class);
        !made && class != self.points_to.unknown() && self.has_only_harmless(class)
    }

    fn has_only_harmless(&self, class: Class) -> bool {
        let objects = (0..).map(ObjectId).zip(&self.unit.objects);
        let mut inside = objects.filter(|(object, _)| self.points_to.object(*object) == class);
        inside.all(|(_, about)| literal_stores(about) == Some(false))
    }
}
