//! Registers of devices: what lies at addresses that the program writes down as numbers.
//!
//! Where integers become addresses (see `points_to`), an address of no known object is a register's.
//! It gives something else whenever it is read, and what is written to it is lost.

use super::Lowering;
use super::value::number;
use crate::c::points_to::Class;
use tamis_ir::{Op, Span};
use tamis_term::Term;

impl Lowering<'_> {
    /// When an address is a number that the program wrote down: that of a device's register, which
    /// gives something else whenever it is read. Nothing if it never is.
    pub(super) fn register(&mut self, class: Class, pointer: Term) -> Option<Term> {
        let objects: Vec<u64> = self.memory.regions[&class].objects.iter().map(|(id, _)| *id).collect();
        if objects.is_empty() && self.terms.value(pointer).is_some() {
            return Some(self.terms.bool(true));
        }
        // Addresses from outside are those of ordinary memory, unless integers are among them.
        if !self.points_to.is_device(class) {
            return None;
        }
        if objects.is_empty() && !self.is_made(class) {
            return Some(self.terms.bool(true));
        }
        let known = self.is_inside(class, pointer);
        Some(self.terms.not(known))
    }

    /// Whether an address is one in an object of a class, as far as numbers of objects tell.
    pub(super) fn is_inside(&mut self, class: Class, pointer: Term) -> Term {
        let objects = self.memory.regions.get(&class).map_or(&[][..], |region| &region.objects);
        let objects: Vec<u64> = objects.iter().map(|(id, _)| *id).collect();
        let id = self.object_of(pointer);
        let mut known: Vec<Term> = objects.into_iter().map(|object| self.is_number(id, object)).collect();
        if self.is_made(class) {
            let next = self.dynamic().next;
            let (first, next) = (self.memory.first_dynamic, self.terms.var(next));
            let first = number(self.terms, self.id_bits(), first.into());
            let made = [self.terms.bvule(first, id), self.terms.bvult(id, next)];
            known.push(self.terms.and(&made));
        }
        self.terms.or(&known)
    }

    /// Whether an object has this number.
    pub(super) fn is_number(&mut self, id: Term, object: u64) -> Term {
        let object = number(self.terms, self.id_bits(), object.into());
        self.terms.eq(id, object)
    }

    /// What is read where a register may be: a word of memory, or an input.
    pub(super) fn unless_register(&mut self, register: Option<Term>, word: Term, span: Span) -> Term {
        let Some(is_register) = register else { return word };
        let var = self.temporary(self.terms.sort(word).clone());
        self.emit(Op::Havoc(vec![var]), span);
        let input = self.terms.var(var);
        self.terms.ite(is_register, input, word)
    }
}
