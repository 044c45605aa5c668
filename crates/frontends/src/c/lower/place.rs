//! Places: finding, reading and writing what has a place in memory.

use super::checks::Failure;
use super::homes::Home;
use super::value::{number, resize};
use super::{Lowering, Value};
use crate::c::leaves::{Kind, Leaf, index_bits};
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
    /// To take its address, which may be just behind an array.
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
            PlaceKind::Object(object) => match self.homes[object.index()].clone() {
                Home::Plain(vars) => {
                    // Where the place was written, the length of an array may not have been known yet.
                    let ty = self.unit.objects[object.index()].ty;
                    let leaves = self.leaves.of(&self.unit.types, ty).unwrap_or_default();
                    Spot::Plain(whole(Holder::Vars(vars), leaves, ty))
                }
                Home::Fixed { .. } | Home::Moving { .. } => {
                    let (class, pointer) = self.address_of(*object).expect("it is in memory");
                    Spot::Memory { class: self.region(class), pointer, ty: place.ty, bits: None }
                }
                Home::Absent => {
                    self.refuse(place.span, "this object has an incomplete type");
                    Spot::Nowhere(place.ty)
                }
            },
            PlaceKind::Deref(pointer) => {
                let class = self.points_to.target(pointer);
                let pointer = self.scalar(pointer);
                let class = class.expect("the analysis visits every pointer that is followed");
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
                let spot = self.spot(base, Purpose::Access);
                self.field(spot, base.ty, *field)
            }
            PlaceKind::Index(base, index) => {
                let spot = self.spot(base, Purpose::Access);
                let at = self.scalar(index);
                let at = resize(self.terms, at, self.pointer_bits(), true);
                self.check_index(base, at, purpose, place.span);
                let array = spot.ty();
                self.element(spot, array, at)
            }
        }
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
                let is_union = matches!(types.get(record), Type::Record(id) if types.record(*id).union);
                if is_union || plain.inside.is_some() {
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

    /// An index must be within its array; an address may be just behind it.
    fn check_index(&mut self, base: &Place, at: Term, purpose: Purpose, span: Span) {
        let failure = if self.failures.asks(Failure::ValidDeref) { Failure::ValidDeref } else { Failure::Bounds };
        let Some(length) = self.length(base.ty).filter(|_| self.failures.asks(failure)) else { return };
        // An array of at most one element at the end of a record stands for any number of them.
        let open = length <= 1 && matches!(&base.kind, PlaceKind::Field(record, _) if is_indirect(record));
        if open {
            return;
        }
        let limit = number(self.terms, self.pointer_bits(), length.into());
        let outside = match purpose {
            Purpose::Access => self.terms.bvule(limit, at),
            Purpose::Address => self.terms.bvult(limit, at),
        };
        self.fail_if(failure, outside, span);
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
                self.check_spot(*class, *pointer, *ty, span);
                if self.is_device(*class, *pointer) && self.unit.types.is_scalar(*ty) {
                    let width = bits.map_or(self.bits(*ty), |bits| bits.width);
                    let var = self.temporary(Sort::BitVec(width));
                    self.emit(Op::Havoc(vec![var]), span);
                    let input = self.terms.var(var);
                    return Value::Scalar(if bits.is_some() { self.widen(input, *ty) } else { input });
                }
                match bits {
                    Some(bits) => {
                        let memory = self.memory_term(*class);
                        let part = self.read_kind(*class, memory, *pointer, Kind::Bits(*ty, *bits));
                        Value::Scalar(self.widen(part, *ty))
                    }
                    None => self.read_memory(*class, *pointer, *ty),
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
        match (spot, value) {
            (Spot::Memory { class, pointer, ty, bits }, _) => {
                self.check_spot(*class, *pointer, *ty, span);
                match (bits, value) {
                    (Some(bits), Value::Scalar(value)) => {
                        let memory = self.memory_term(*class);
                        let part = resize(self.terms, *value, bits.width, false);
                        let memory = self.write_kind(*class, memory, *pointer, Kind::Bits(*ty, *bits), part);
                        let var = self.memory.regions[class].var;
                        self.emit(Op::Assign(vec![(var, memory)]), span);
                    }
                    _ => self.write_memory(*class, *pointer, *ty, value, span),
                }
            }
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

    /// The leaves of an object that change when a part of it is written to, and their new values.
    fn written(&mut self, plain: &Plain, value: &Value) -> Vec<(usize, Term)> {
        match value {
            Value::Void => Vec::new(),
            Value::Scalar(value) => {
                let value = match plain.bits {
                    Some(bits) => resize(self.terms, *value, bits.width, false),
                    None => *value,
                };
                vec![(plain.first, self.write_plain(plain, value))]
            }
            Value::Record(values) => {
                let parts = self.parts(plain);
                let mut plain = plain.clone();
                let mut written: Vec<(usize, Term)> = Vec::new();
                for (part, value) in parts.iter().zip(values) {
                    let part = Part { plain: plain.clone(), ..part.clone() };
                    let (leaf, term) = self.write_part(&part, *value);
                    written.retain(|(other, _)| *other != leaf);
                    written.push((leaf, term));
                    // All parts of a union are in one word, so each is written upon the others.
                    if plain.inside.is_some() {
                        plain.holder = self.replaced(&plain, leaf, term);
                    }
                }
                written
            }
        }
    }

    /// The holder as terms, one of them replaced.
    fn replaced(&mut self, plain: &Plain, leaf: usize, term: Term) -> Holder {
        let mut terms: Vec<Term> = (0..plain.leaves.len()).map(|leaf| self.holder_term(plain, leaf)).collect();
        terms[leaf] = term;
        Holder::Terms(terms)
    }

    /// The leaves of an object after its initialiser, from zeros or from what they are.
    pub(super) fn initial_leaves(
        &mut self,
        object: ObjectId,
        start: Vec<Term>,
        items: &[(&[Step], Value)],
    ) -> Vec<Term> {
        let mut terms = start;
        for (path, value) in items {
            let Spot::Plain(mut plain) = self.path_spot(object, path, Span::default()) else { continue };
            plain.holder = Holder::Terms(std::mem::take(&mut terms));
            let written = self.written(&plain, value);
            let Holder::Terms(old) = plain.holder else { continue };
            terms = old;
            for (leaf, term) in written {
                terms[leaf] = term;
            }
        }
        terms
    }

    /// Whether an address is a number that the program writes down: the register of a device,
    /// which gives something else whenever it is read.
    fn is_device(&self, class: Class, pointer: Term) -> bool {
        self.terms.value(pointer).is_some() && self.memory.regions[&class].objects.is_empty()
    }

    fn check_spot(&mut self, class: Class, pointer: Term, ty: Ty, span: Span) {
        let bytes = self.unit.types.size_of(ty).unwrap_or(1);
        self.check_access(class, pointer, bytes, span);
    }

    /// A bit-field as a value of its declared type.
    fn widen(&mut self, part: Term, ty: Ty) -> Term {
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

    /// The word of a union, or the array or scalar, that holds the part's leaf.
    fn holder_term(&mut self, plain: &Plain, leaf: usize) -> Term {
        match &plain.holder {
            Holder::Vars(vars) => self.terms.var(vars[leaf]),
            Holder::Terms(terms) => terms[leaf],
        }
    }

    /// The index into a leaf's array, of which the innermost `rest` elements are left open.
    fn flat_index(&mut self, leaf: &Leaf, indices: &[(Term, u64)], rest: u64) -> Term {
        let width = index_bits(leaf.count());
        let mut flat = number(self.terms, width, 0);
        for (index, length) in indices {
            let (length, index) =
                (number(self.terms, width, (*length).into()), resize(self.terms, *index, width, false));
            let scaled = self.terms.bvmul(flat, length);
            flat = self.terms.bvadd(scaled, index);
        }
        let rest = number(self.terms, width, rest.into());
        self.terms.bvmul(flat, rest)
    }

    /// The kind of a scalar part.
    fn scalar_bits(&self, plain: &Plain) -> (u32, u32) {
        match plain.bits {
            Some(bits) => (bits.shift, bits.width),
            None => (0, crate::c::leaves::value_bits(&self.unit.types, plain.ty)),
        }
    }

    fn read_plain(&mut self, plain: &Plain) -> Term {
        let word = self.element_of(plain, plain.first);
        let Some(start) = plain.inside else { return word };
        let (shift, width) = self.scalar_bits(plain);
        self.cut(word, start, shift, width)
    }

    /// The element of a leaf that the indices tell, all of them given.
    fn element_of(&mut self, plain: &Plain, leaf: usize) -> Term {
        let holder = self.holder_term(plain, leaf);
        if plain.leaves[leaf].dims.is_empty() {
            return holder;
        }
        let leaves = Rc::clone(&plain.leaves);
        let index = self.flat_index(&leaves[leaf], &plain.indices, 1);
        self.terms.select(holder, index)
    }

    /// Some bits of a word, from a byte on that may depend on the run.
    fn cut(&mut self, word: Term, byte: Term, shift: u32, width: u32) -> Term {
        let whole = self.terms.width(word);
        let constant = self.terms.value(byte).and_then(|value| value.as_bv().to_u64());
        if let Some(low) = constant.and_then(|byte| u32::try_from(byte * 8 + u64::from(shift)).ok())
            && low + width <= whole
        {
            return self.terms.extract(word, low + width - 1, low);
        }
        let distance = self.bit_distance(byte, shift, whole);
        let shifted = self.terms.bvlshr(word, distance);
        let shifted = resize(self.terms, shifted, whole.max(width), false);
        self.terms.extract(shifted, width - 1, 0)
    }

    fn bit_distance(&mut self, byte: Term, shift: u32, whole: u32) -> Term {
        let wide = resize(self.terms, byte, whole.max(self.pointer_bits()), false);
        let width = self.terms.width(wide);
        let eight = number(self.terms, width, 8);
        let bits = self.terms.bvmul(wide, eight);
        let shift = number(self.terms, width, shift.into());
        let distance = self.terms.bvadd(bits, shift);
        resize(self.terms, distance, whole, false)
    }

    /// A word with some bits replaced, from a byte on that may depend on the run.
    fn paste(&mut self, word: Term, byte: Term, shift: u32, part: Term) -> Term {
        let (whole, width) = (self.terms.width(word), self.terms.width(part));
        let constant = self.terms.value(byte).and_then(|value| value.as_bv().to_u64());
        if let Some(low) = constant.and_then(|byte| u32::try_from(byte * 8 + u64::from(shift)).ok())
            && low + width <= whole
        {
            return self.splice(word, part, low);
        }
        let distance = self.bit_distance(byte, shift, whole);
        let ones = number(self.terms, width, -1);
        let (ones, part) = (resize(self.terms, ones, whole, false), resize(self.terms, part, whole, false));
        let (ones, part) = (self.terms.bvshl(ones, distance), self.terms.bvshl(part, distance));
        let others = self.terms.app(tamis_term::Fun::BvNot, &[ones]);
        let kept = self.terms.bvand(word, others);
        self.terms.bvor(kept, part)
    }

    /// The leaf that a scalar part is in, after the part got the value.
    fn write_plain(&mut self, plain: &Plain, value: Term) -> Term {
        let value = match plain.inside {
            None => value,
            Some(start) => {
                let word = self.element_of(plain, plain.first);
                let (shift, _) = self.scalar_bits(plain);
                // A truth value takes a byte in memory.
                let is_bool = plain.bits.is_none() && matches!(self.unit.types.get(plain.ty), Type::Bool);
                let value = if is_bool { resize(self.terms, value, 8, false) } else { value };
                self.paste(word, start, shift, value)
            }
        };
        self.with_element(plain, value)
    }

    /// The first leaf of a part with the element that the indices tell replaced.
    fn with_element(&mut self, plain: &Plain, element: Term) -> Term {
        let leaves = Rc::clone(&plain.leaves);
        let leaf = &leaves[plain.first];
        if leaf.dims.is_empty() {
            return element;
        }
        let holder = self.holder_term(plain, plain.first);
        let index = self.flat_index(leaf, &plain.indices, 1);
        self.terms.store(holder, index, element)
    }

    /// The leaves of a part of record type.
    fn parts(&mut self, plain: &Plain) -> Vec<Part> {
        let inner = self.leaves.of(&self.unit.types, plain.ty).unwrap_or_default();
        inner.iter().enumerate().map(|(at, leaf)| Part { plain: plain.clone(), at, leaf: leaf.clone() }).collect()
    }

    /// Where the elements of a leaf inside a union are.
    fn element_places(&mut self, part: &Part, start: Term) -> Vec<Plain> {
        let (ty, bits) = match part.leaf.kind {
            Kind::Scalar(ty) => (ty, None),
            Kind::Bits(ty, bits) => (ty, Some(bits)),
            Kind::Union(_) => (part.plain.ty, None),
        };
        let offsets = part.leaf.offsets();
        let places = offsets.into_iter().map(|offset| {
            let inside = Some(self.offset(start, offset));
            Plain { inside, ty, bits, ..part.plain.clone() }
        });
        places.collect()
    }

    fn read_part(&mut self, part: &Part) -> Term {
        let Part { plain, at, leaf } = part;
        let count = leaf.count();
        let elements: Vec<Term> = if let Some(start) = plain.inside {
            let places = self.element_places(part, start);
            let width = leaf.kind.value_bits(&self.unit.types);
            places
                .iter()
                .map(|place| {
                    let word = self.element_of(place, place.first);
                    let (shift, _) = self.scalar_bits_of(place, leaf.kind);
                    self.cut(word, place.inside.expect("it is in a union"), shift, width)
                })
                .collect()
        } else {
            let outer = Rc::clone(&plain.leaves);
            let outer = &outer[plain.first + at];
            let holder = self.holder_term(plain, plain.first + at);
            if plain.indices.is_empty() {
                return holder;
            }
            let start = self.flat_index(outer, &plain.indices, count);
            let width = index_bits(outer.count());
            let mut elements = Vec::new();
            for at in 0..count {
                let at = number(self.terms, width, at.into());
                let index = self.terms.bvadd(start, at);
                elements.push(self.terms.select(holder, index));
            }
            elements
        };
        if leaf.dims.is_empty() {
            return elements[0];
        }
        let zero = number(self.terms, leaf.kind.value_bits(&self.unit.types), 0);
        let mut array = self.terms.const_array(&leaf.sort(&self.unit.types), zero);
        for (at, element) in (0..).zip(elements) {
            let index = number(self.terms, index_bits(count), at);
            array = self.terms.store(array, index, element);
        }
        array
    }

    fn scalar_bits_of(&self, place: &Plain, kind: Kind) -> (u32, u32) {
        match kind {
            Kind::Union(_) => (0, kind.value_bits(&self.unit.types)),
            Kind::Scalar(_) | Kind::Bits(..) => self.scalar_bits(place),
        }
    }

    /// The leaf of the object that a leaf of a part is in, and its value after the write.
    fn write_part(&mut self, part: &Part, value: Term) -> (usize, Term) {
        let Part { plain, at, leaf } = part;
        let count = leaf.count();
        let element = |this: &mut Self, at: u64| {
            if leaf.dims.is_empty() {
                return value;
            }
            let index = number(this.terms, index_bits(count), at.into());
            this.terms.select(value, index)
        };
        if let Some(start) = plain.inside {
            let places = self.element_places(part, start);
            let mut word = self.element_of(plain, plain.first);
            for (at, place) in (0..).zip(&places) {
                let element = element(self, at);
                let (shift, _) = self.scalar_bits_of(place, leaf.kind);
                let is_bool = matches!(leaf.kind, Kind::Scalar(ty) if matches!(self.unit.types.get(ty), Type::Bool));
                let element = if is_bool { resize(self.terms, element, 8, false) } else { element };
                word = self.paste(word, place.inside.expect("it is in a union"), shift, element);
            }
            return (plain.first, self.with_element(plain, word));
        }
        let target = plain.first + at;
        if plain.indices.is_empty() {
            return (target, value);
        }
        let leaves = Rc::clone(&plain.leaves);
        let start = self.flat_index(&leaves[target], &plain.indices, count);
        let width = index_bits(leaves[target].count());
        let mut holder = self.holder_term(plain, target);
        for at in 0..count {
            let element = element(self, at);
            let step = number(self.terms, width, at.into());
            let index = self.terms.bvadd(start, step);
            holder = self.terms.store(holder, index, element);
        }
        (target, holder)
    }
}

/// One leaf of a part of record type.
#[derive(Clone, Debug)]
struct Part {
    plain: Plain,
    at: usize,
    leaf: Leaf,
}

/// Whether a place is reached through a pointer.
fn is_indirect(place: &Place) -> bool {
    match &place.kind {
        PlaceKind::Deref(_) => true,
        PlaceKind::Field(base, _) | PlaceKind::Index(base, _) => is_indirect(base),
        PlaceKind::Object(_) | PlaceKind::Value(_) => false,
    }
}
