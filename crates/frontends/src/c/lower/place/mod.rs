//! Places: finding, reading and writing what has a place in memory; `plain` is about parts of
//! objects that live in variables.

mod plain;

use super::checks::Failure;
use super::effects::is_certain;
use super::heap::Access;
use super::homes::{Home, is_constant};
use super::memory::Shape;
use super::value::{number, resize};
use super::{Lowering, Value};
use crate::c::leaves::{Kind, Leaf};
use crate::c::points_to::Class;
use crate::c::tree::{ObjectId, Place, PlaceKind, Step};
use crate::c::types::{BitField, Ty, Type};
use std::rc::Rc;
use tamis_ir::{Op, Span};
use tamis_term::{Sort, Term, Var};

/// A place that was found.
#[derive(Clone, Debug)]
pub(super) enum Spot {
    /// In variables, or in a value that is not stored anywhere.
    Plain(Plain),
    /// In memory.
    Memory { class: Class, pointer: Term, ty: Ty, bits: Option<BitField> },
    /// Nowhere, after an error was reported.
    Nowhere(Ty),
}

/// A part of an object that lives in variables.
#[derive(Clone, Debug)]
pub(super) struct Plain {
    holder: Holder,
    /// The leaves of the whole object, and the first one of the part.
    leaves: Rc<[Leaf]>,
    first: usize,
    /// The indices so far, each with the length of its array.
    indices: Vec<(Term, u64)>,
    /// Inside a union: where the part starts, in bytes.
    inside: Option<Term>,
    ty: Ty,
    bits: Option<BitField>,
}

/// What the leaves are in.
#[derive(Clone, Debug)]
enum Holder {
    Vars(Vec<Var>),
    Terms(Vec<Term>),
}

/// What a place is found for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Purpose {
    /// To read or write it.
    Access,
    /// To take its address, which may be behind an array.
    Address,
}

impl Spot {
    /// The type of what is there.
    pub fn ty(&self) -> Ty {
        match self {
            Spot::Plain(plain) => plain.ty,
            Spot::Memory { ty, .. } | Spot::Nowhere(ty) => *ty,
        }
    }
}

/// A whole object.
fn whole(holder: Holder, leaves: Rc<[Leaf]>, ty: Ty) -> Plain {
    Plain { holder, leaves, first: 0, indices: Vec::new(), inside: None, ty, bits: None }
}

impl Lowering<'_> {
    /// Finds a place; what is in it is evaluated.
    pub(super) fn spot(&mut self, place: &Place, purpose: Purpose) -> Spot {
        match &place.kind {
            PlaceKind::Object(object) => {
                if purpose == Purpose::Access {
                    self.require_object(*object, place.span);
                }
                self.object_spot(*object, place)
            }
            PlaceKind::Literal(object, init) => {
                self.declare(*object, Some(init), place.span);
                self.object_spot(*object, place)
            }
            PlaceKind::Deref(pointer) => {
                let class = self.points_to.target(pointer);
                let certain = is_certain(self.unit, pointer);
                let pointer = self.scalar(pointer);
                let class = class.expect("the analysis visits every pointer that is followed");
                if purpose == Purpose::Access && !certain {
                    self.trap_null(class, pointer, place.span);
                }
                Spot::Memory { class: self.region(class), pointer, ty: place.ty, bits: place.bits }
            }
            PlaceKind::Value(record) => {
                let value = self.rvalue(record);
                let leaves = self.leaves.of(&self.unit.types, place.ty);
                if let (Value::Record(terms), Some(leaves)) = (value, leaves) {
                    Spot::Plain(whole(Holder::Terms(terms), leaves, place.ty))
                } else {
                    self.refuse(place.span, "a record of this type cannot be the value of an expression");
                    Spot::Nowhere(place.ty)
                }
            }
            PlaceKind::Field(base, field) => {
                let spot = self.spot(base, purpose);
                self.field(spot, base.ty, *field)
            }
            PlaceKind::Index(base, index) => {
                let spot = self.spot(base, purpose);
                let at = self.scalar(index);
                self.check_index(base, at, purpose, place.span);
                let at = resize(self.terms, at, self.pointer_bits(), true);
                let array = spot.ty();
                self.element(spot, array, at)
            }
        }
    }

    /// The place of a whole object.
    fn object_spot(&mut self, object: ObjectId, place: &Place) -> Spot {
        match self.homes[object.index()].clone() {
            Home::Plain(vars) => {
                // Where the place was written, the length of an array may not have been known yet.
                let ty = self.unit.objects[object.index()].ty;
                let leaves = self.leaves.of(&self.unit.types, ty).unwrap_or_default();
                Spot::Plain(whole(Holder::Vars(vars), leaves, ty))
            }
            Home::Fixed { .. } | Home::Moving { .. } => {
                let (class, pointer) = self.address_of(object).expect("it is in memory");
                Spot::Memory { class: self.region(class), pointer, ty: place.ty, bits: None }
            }
            Home::Absent => {
                self.refuse(place.span, "this object has an incomplete type");
                Spot::Nowhere(place.ty)
            }
        }
    }

    /// An access to the first page of memory, where `NULL` points, ends the run, unless it is an
    /// error that is asked about.
    fn trap_null(&mut self, class: Class, pointer: Term, span: Span) {
        if self.failures.asks(Failure::ValidDeref) || self.terms.value(pointer).is_some_and(|at| !at.as_bv().is_zero())
        {
            return;
        }
        // Registers may be on the first page.
        let (at, bits) = if self.points_to.is_device(class) {
            (pointer, self.pointer_bits())
        } else {
            (self.object_of(pointer), self.id_bits())
        };
        let null = number(self.terms, bits, 0);
        let fine = self.terms.distinct(at, null);
        self.emit(Op::Assume(fine), span);
    }

    /// A field of a record.
    pub(super) fn field(&mut self, spot: Spot, record: Ty, at: u32) -> Spot {
        let types = &self.unit.types;
        let Some(field) = types.fields(record).get(at as usize).cloned() else { return Spot::Nowhere(record) };
        let (ty, bits) = (field.ty, field.bits);
        match spot {
            Spot::Memory { class, pointer, .. } => {
                let pointer = self.offset(pointer, field.offset);
                Spot::Memory { class, pointer, ty, bits }
            }
            Spot::Plain(mut plain) => {
                if types.is_union(record) || plain.inside.is_some() {
                    let zero = number(self.terms, self.pointer_bits(), 0);
                    let start = plain.inside.unwrap_or(zero);
                    plain.inside = Some(self.offset(start, field.offset));
                } else {
                    for field in &types.fields(record)[..at as usize] {
                        plain.first += self.leaves.field(types, field).map_or(0, |leaves| leaves.len());
                    }
                }
                Spot::Plain(Plain { ty, bits, ..plain })
            }
            Spot::Nowhere(_) => Spot::Nowhere(ty),
        }
    }

    /// An element of an array.
    pub(super) fn element(&mut self, spot: Spot, array: Ty, at: Term) -> Spot {
        let ty = self.unit.types.element(array).unwrap_or(array);
        let size = number(self.terms, self.pointer_bits(), self.unit.types.size_of(ty).unwrap_or(1).into());
        match spot {
            Spot::Memory { class, pointer, .. } => {
                let step = self.terms.bvmul(at, size);
                let pointer = self.terms.bvadd(pointer, step);
                Spot::Memory { class, pointer, ty, bits: None }
            }
            Spot::Plain(mut plain) => {
                if let Some(start) = plain.inside {
                    let step = self.terms.bvmul(at, size);
                    plain.inside = Some(self.terms.bvadd(start, step));
                } else {
                    plain.indices.push((at, self.length(array).unwrap_or(1)));
                }
                Spot::Plain(Plain { ty, bits: None, ..plain })
            }
            Spot::Nowhere(_) => Spot::Nowhere(ty),
        }
    }

    /// The length of an array type, if it has one.
    fn length(&self, array: Ty) -> Option<u64> {
        match self.unit.types.get(array) {
            Type::Array(_, length) => *length,
            _ => None,
        }
    }

    /// The place in an object that a path leads to.
    pub(super) fn path_spot(&mut self, object: ObjectId, path: &[Step], span: Span) -> Spot {
        let ty = self.unit.objects[object.index()].ty;
        let place = Place { kind: PlaceKind::Object(object), ty, bits: None, span };
        let mut spot = self.spot(&place, Purpose::Access);
        for step in path {
            let ty = spot.ty();
            spot = match step {
                Step::Field(field) => self.field(spot, ty, *field),
                Step::Index(at) => {
                    let at = number(self.terms, self.pointer_bits(), (*at).into());
                    self.element(spot, ty, at)
                }
            };
        }
        spot
    }

    /// An index must be within its array; an address may be just behind it, or anywhere if only what is
    /// accessed matters.
    fn check_index(&mut self, base: &Place, at: Term, purpose: Purpose, span: Span) {
        let failure = match purpose {
            Purpose::Access if self.failures.asks(Failure::ValidDeref) => Failure::ValidDeref,
            Purpose::Access | Purpose::Address => Failure::Bounds,
        };
        let Some(length) = self.length(base.ty).filter(|_| self.failures.asks(failure)) else { return };
        // An array of at most one element at the end of a record stands for any number of them.
        if length <= 1 && self.is_at_the_end(base) {
            return;
        }
        let limit = number(self.terms, self.terms.width(at), length.into());
        let outside = match purpose {
            Purpose::Access => self.terms.bvule(limit, at),
            Purpose::Address => self.terms.bvult(limit, at),
        };
        self.fail_if(failure, outside, span);
    }

    /// Whether a field is the last of a record, or of a union, that a pointer leads to, or of such a
    /// field of it.
    fn is_at_the_end(&self, place: &Place) -> bool {
        let PlaceKind::Field(record, field) = &place.kind else { return false };
        let fields = self.unit.types.fields(record.ty);
        let end = |at: usize| fields.get(at).map(|field| field.offset + self.unit.types.size_of(field.ty).unwrap_or(0));
        let last = (0..fields.len()).all(|at| end(at) <= end(*field as usize));
        last && (is_indirect(record) && !matches!(record.kind, PlaceKind::Field(..)) || self.is_at_the_end(record))
    }

    /// The spot with all that it depends on evaluated now.
    pub(super) fn keep_spot(&mut self, spot: Spot, span: Span) -> Spot {
        match spot {
            Spot::Memory { class, pointer, ty, bits } => {
                Spot::Memory { class, pointer: self.keep(pointer, span), ty, bits }
            }
            Spot::Plain(mut plain) => {
                for (index, _) in &mut plain.indices {
                    *index = self.keep(*index, span);
                }
                plain.inside = plain.inside.map(|start| self.keep(start, span));
                Spot::Plain(plain)
            }
            Spot::Nowhere(ty) => Spot::Nowhere(ty),
        }
    }

    /// The address of a place in memory.
    pub(super) fn spot_address(&mut self, spot: &Spot, span: Span) -> Term {
        match spot {
            Spot::Memory { pointer, .. } => *pointer,
            Spot::Plain(_) => {
                self.refuse(span, "this has no address");
                number(self.terms, self.pointer_bits(), 0)
            }
            Spot::Nowhere(_) => number(self.terms, self.pointer_bits(), 0),
        }
    }

    /// Reads a place of scalar or record type.
    pub(super) fn load(&mut self, spot: &Spot, span: Span) -> Value {
        match spot {
            Spot::Memory { class, pointer, ty, bits } => {
                self.check_spot(spot, Access::Read, span);
                let register = self.register(*class, *pointer);
                if let Some(bits) = bits {
                    let memory = self.memory_term(*class);
                    let part = self.read_kind(*class, memory, *pointer, Kind::Bits(*ty, *bits));
                    let part = self.unless_register(register, part, span);
                    return Value::Scalar(self.widen(part, *ty));
                }
                match self.read_memory(*class, *pointer, *ty) {
                    Value::Scalar(value) => {
                        let value = self.beyond_object(*class, value, span);
                        Value::Scalar(self.unless_register(register, value, span))
                    }
                    Value::Record(mut values) => {
                        self.check_copied(*ty, span);
                        self.beyond_record(*class, *ty, &mut values, span);
                        let values = values.into_iter().map(|value| self.unless_register(register, value, span));
                        Value::Record(values.collect())
                    }
                    Value::Void => Value::Void,
                }
            }
            Spot::Plain(plain) if self.unit.types.is_scalar(plain.ty) => {
                let part = self.read_plain(plain);
                Value::Scalar(if plain.bits.is_some() { self.widen(part, plain.ty) } else { part })
            }
            Spot::Plain(plain) => {
                let parts = self.parts(plain);
                Value::Record(parts.iter().map(|part| self.read_part(part)).collect())
            }
            Spot::Nowhere(ty) => self.nothing(*ty),
        }
    }

    /// Writes a value of the place's type.
    pub(super) fn store(&mut self, spot: &Spot, value: &Value, span: Span) {
        self.check_spot(spot, Access::Write, span);
        self.write(spot, value, span);
    }

    /// The same where the place is known to be there.
    pub(super) fn write(&mut self, spot: &Spot, value: &Value, span: Span) {
        match (spot, value) {
            (Spot::Memory { class, pointer, ty, bits }, _) => match (bits, value) {
                (Some(bits), Value::Scalar(value)) => {
                    let memory = self.memory_term(*class);
                    let part = resize(self.terms, *value, bits.width, false);
                    let memory = self.write_kind(*class, memory, *pointer, Kind::Bits(*ty, *bits), part);
                    self.set_memory(*class, *pointer, memory, span);
                }
                _ => self.write_memory(*class, *pointer, *ty, value, span),
            },
            (Spot::Plain(plain), _) => {
                let Holder::Vars(vars) = &plain.holder else { return };
                let written = self.written(plain, value);
                let writes: Vec<_> = written.into_iter().map(|(leaf, term)| (vars[leaf], term)).collect();
                if !writes.is_empty() {
                    self.emit(Op::Assign(writes), span);
                }
            }
            (Spot::Nowhere(_), _) => {}
        }
    }

    /// What is accessed in memory must be there.
    fn check_spot(&mut self, spot: &Spot, access: Access, span: Span) {
        let Spot::Memory { class, pointer, ty, bits } = spot else { return };
        let bytes = bits.map_or_else(|| self.unit.types.size_of(*ty).unwrap_or(1), |bits| bits.bytes);
        self.check_access(*class, *pointer, bytes, access, span);
        if access == Access::Write && self.room(*class).is_some_and(|room| room < bytes) {
            self.give_up("a write beyond an object", span);
        }
    }

    /// How many bytes the largest object of a class has, if no others can be meant.
    fn room(&self, class: Class) -> Option<u64> {
        let region = &self.memory.regions[&class];
        let known = region.shape != Shape::Full && !self.failures.asks(Failure::ValidDeref);
        region.objects.iter().map(|(_, size)| *size).max().filter(|_| known)
    }

    /// What is read beyond all objects that can be meant is not known.
    fn beyond_object(&mut self, class: Class, word: Term, span: Span) -> Term {
        let width = self.terms.width(word);
        let room = self.room(class).and_then(|room| u32::try_from(room * 8).ok());
        let Some(room) = room.filter(|room| (1..width).contains(room)) else { return word };
        let inside = self.terms.extract(word, room - 1, 0);
        let beyond = self.approximate(Sort::BitVec(width - room), "a read beyond an object", span);
        self.terms.concat(beyond, inside)
    }

    /// The same for the leaves of a record.
    fn beyond_record(&mut self, class: Class, ty: Ty, values: &mut [Term], span: Span) {
        let Some(room) = self.room(class) else { return };
        let leaves = self.leaves.of(&self.unit.types, ty).unwrap_or_default();
        for (leaf, value) in leaves.iter().zip(values) {
            let last = leaf.offsets().into_iter().max().unwrap_or(0);
            if last + self.extent(leaf.kind).0 > room {
                let sort = self.terms.sort(*value).clone();
                *value = self.approximate(sort, "a read beyond an object", span);
            }
        }
    }

    /// Nothing is left out of a value without a word.
    pub(super) fn check_copied(&mut self, ty: Ty, span: Span) {
        if matches!(self.unit.types.get(ty), Type::Record(_)) && self.leaves.of(&self.unit.types, ty).is_none() {
            self.refuse(span, "a value of this type is too large to be copied");
        }
    }

    /// A constant object that lives in variables is not written either.
    pub(super) fn trap_constant(&mut self, place: &Place) {
        let Some(object) = object_of(place) else { return };
        let plain = matches!(self.homes[object.index()], Home::Plain(_));
        if !plain || !is_constant(&self.unit.objects[object.index()]) {
            return;
        }
        if self.failures.asks(Failure::ValidDeref) {
            self.fail(Failure::ValidDeref, place.span);
        } else {
            self.at_nowhere(place.span);
        }
    }

    /// A bit-field as a value of its declared type.
    pub(super) fn widen(&mut self, part: Term, ty: Ty) -> Term {
        let signed = self.unit.types.scalar(ty).is_some_and(|(_, signed)| signed);
        resize(self.terms, part, crate::c::leaves::value_bits(&self.unit.types, ty), signed)
    }

    /// A value for what does not exist, after an error was reported.
    fn nothing(&mut self, ty: Ty) -> Value {
        if self.unit.types.is_scalar(ty) {
            let bits = crate::c::leaves::value_bits(&self.unit.types, ty);
            return Value::Scalar(number(self.terms, bits, 0));
        }
        Value::Void
    }
}

/// The variable that a place is a part of.
fn object_of(place: &Place) -> Option<ObjectId> {
    match &place.kind {
        PlaceKind::Object(object) => Some(*object),
        PlaceKind::Field(base, _) | PlaceKind::Index(base, _) => object_of(base),
        PlaceKind::Literal(..) | PlaceKind::Deref(_) | PlaceKind::Value(_) => None,
    }
}

/// Whether a place is reached through a pointer.
fn is_indirect(place: &Place) -> bool {
    match &place.kind {
        PlaceKind::Deref(_) => true,
        PlaceKind::Field(base, _) | PlaceKind::Index(base, _) => is_indirect(base),
        PlaceKind::Object(_) | PlaceKind::Literal(..) | PlaceKind::Value(_) => false,
    }
}
