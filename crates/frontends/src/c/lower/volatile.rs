//! Reads of `volatile` objects, which others may write: interrupts, devices, other threads.
//!
//! Which of these are there is not in the program. So a read gives what was written last, or, as an
//! approximation, anything: proofs hold whoever writes, traces are runs in which nobody does, and
//! where the difference matters the answer is `unknown`. What is in the hands of the outside anyway
//! (`extern` and defined nowhere, or its address given away) is an input at every read.

use super::{Lowering, Value};
use crate::c::Volatile;
use crate::c::tree::{Place, PlaceKind, Storage};
use tamis_ir::{Op, Span};
use tamis_term::{Term, Var};

/// Who writes to what is read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Writers {
    /// The program alone.
    Program,
    /// Perhaps others.
    Perhaps,
    /// Others.
    Others,
}

impl Lowering<'_> {
    /// Whether reading a place may give something else than what was written there.
    pub(super) fn may_change(&self, place: &Place) -> bool {
        self.writers(place) != Writers::Program
    }

    fn writers(&self, place: &Place) -> Writers {
        let volatile = self.unit.is_volatile(place) || self.unit.types.has_volatile_part(place.ty);
        if !volatile || self.options.volatile == Volatile::Memory {
            return Writers::Program;
        }
        match (self.writers_of_volatile(place), self.options.volatile) {
            (Writers::Perhaps, Volatile::Input) => Writers::Others,
            (writers, _) => writers,
        }
    }

    fn writers_of_volatile(&self, place: &Place) -> Writers {
        let class = match &place.kind {
            PlaceKind::Object(object) | PlaceKind::Literal(object, _) => {
                match &self.unit.objects[object.index()].storage {
                    // Nobody else knows where it is.
                    Storage::Local(_) | Storage::Param(_) if !self.points_to.is_taken(*object) => {
                        return Writers::Program;
                    }
                    Storage::Static { external: true, .. } => return Writers::Others,
                    Storage::Static { .. } | Storage::Local(_) | Storage::Param(_) | Storage::Alias(_) => {}
                }
                Some(self.points_to.object(*object))
            }
            PlaceKind::Deref(pointer) => self.points_to.target(pointer),
            PlaceKind::Field(base, _) | PlaceKind::Index(base, _) => return self.writers_of_volatile(base),
            PlaceKind::Value(_) => return Writers::Program,
        };
        if class == Some(self.points_to.unknown()) { Writers::Others } else { Writers::Perhaps }
    }

    /// The value of a place, of which `value` was written there last.
    pub(super) fn as_read(&mut self, place: &Place, value: Value, span: Span) -> Value {
        let writers = self.writers(place);
        if writers == Writers::Program {
            return value;
        }
        match value {
            Value::Void => Value::Void,
            Value::Scalar(term) => {
                // A bit-field has no more values than its bits.
                let part = place.bits.map_or(term, |bits| self.terms.extract(term, bits.width - 1, 0));
                let read = self.read_anew(writers, &[part], span)[0];
                Value::Scalar(if place.bits.is_some() { self.widen(read, place.ty) } else { read })
            }
            Value::Record(terms) => Value::Record(self.read_anew(writers, &terms, span)),
        }
    }

    fn read_anew(&mut self, writers: Writers, terms: &[Term], span: Span) -> Vec<Term> {
        let vars: Vec<Var> = terms.iter().map(|term| self.temporary(self.terms.sort(*term).clone())).collect();
        let joined = self.program.add_loc(span);
        if writers == Writers::Perhaps {
            let kept = vars.iter().copied().zip(terms.iter().copied()).collect();
            self.emit_to(Op::Assign(kept), joined, span);
        }
        let edge = self.emit_to(Op::Havoc(vars.clone()), joined, span);
        if writers == Writers::Perhaps {
            let what = "what others write to a volatile variable (see --volatile)";
            self.program.notes.approximations.insert(edge, what.to_owned());
        }
        self.frame.at = joined;
        vars.into_iter().map(|var| self.terms.var(var)).collect()
    }
}
