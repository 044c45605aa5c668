//! Reading and writing parts of objects that live in variables.

use super::{Holder, Plain, Spot};
use crate::c::leaves::{Kind, Leaf, index_bits, value_bits};
use crate::c::lower::value::{number, resize};
use crate::c::lower::{Lowering, Value};
use crate::c::tree::{ObjectId, Step};
use crate::c::types::Type;
use std::rc::Rc;
use tamis_ir::Span;
use tamis_term::{Fun, Term};

/// One leaf of a part of record type.
#[derive(Clone, Debug)]
pub(super) struct Part {
    plain: Plain,
    at: usize,
    leaf: Leaf,
}

impl Lowering<'_> {
    /// The leaves of an object that change when a part of it is written to, and their new values.
    pub(super) fn written(&mut self, plain: &Plain, value: &Value) -> Vec<(usize, Term)> {
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
    pub(in crate::c::lower) fn initial_leaves(
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
            None => (0, value_bits(&self.unit.types, plain.ty)),
        }
    }

    pub(super) fn read_plain(&mut self, plain: &Plain) -> Term {
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
        let others = self.terms.app(Fun::BvNot, &[ones]);
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
    pub(super) fn parts(&mut self, plain: &Plain) -> Vec<Part> {
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

    pub(super) fn read_part(&mut self, part: &Part) -> Term {
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
