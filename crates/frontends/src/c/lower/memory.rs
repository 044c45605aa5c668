//! Memory: one array per class of objects that pointers do not tell apart.
//!
//! An address is a word of pointer width: the number of an object in its high bits, the offset in
//! bytes in its low bits. Object 0 is `NULL`'s. Objects with a place of their own (statics,
//! literals, locals of functions that are never active twice) have fixed numbers; others get the
//! next number when they are made, and numbers are never used again.
//!
//! A *region* is the memory of one class. Its cells have as many bytes as all accesses to the class
//! allow (see `points_to`); an access to more bytes takes several cells, the lowest first. A
//! region of one cell is a plain variable; one of few objects is indexed by the bits that tell
//! their bytes apart; only where objects are made at run time it is indexed by whole addresses.

use super::value::{from_bool, number, resize, truth};
use super::{Lowering, Value};
use crate::c::leaves::{Kind, Leaf, index_bits};
use crate::c::points_to::Class;
use crate::c::tree::FunctionId;
use crate::c::types::{DataModel, Ty, Type};
use std::collections::{BTreeMap, BTreeSet};
use tamis_ir::{Op, Span};
use tamis_term::{Sort, Term, Var};

/// The memory of the program.
#[derive(Debug, Default)]
pub(super) struct Memory {
    /// How many low bits of an address are the offset.
    pub offset_bits: u32,
    pub regions: BTreeMap<Class, Region>,
    /// The numbers of functions whose address is taken.
    pub functions: BTreeMap<FunctionId, u64>,
    /// The numbers of constant objects, which cannot be written: string literals, and static ones that
    /// are declared `const`.
    pub constants: BTreeSet<u64>,
    /// The classes of locals that are made anew whenever their function is called.
    pub moving: BTreeSet<Class>,
    /// The first number that an object gets when the program runs.
    pub first_dynamic: u64,
    /// Numbers from there on that no object can have, because registers of devices have them.
    pub taken: Vec<u64>,
    /// Whether the outside knows the address of an object.
    pub given_away: bool,
    /// Made when the first object needs them.
    pub dynamic: Option<Dynamic>,
}

/// What is known about objects that are made while the program runs.
#[derive(Clone, Copy, Debug)]
pub(super) struct Dynamic {
    /// The number of the next object.
    pub next: Var,
    /// The sizes of objects, and which are live; only if memory safety is asked about.
    pub tracked: Option<Tracked>,
}

impl Dynamic {
    /// All its variables.
    pub fn vars(self) -> Vec<Var> {
        let tracked = self.tracked.map(|tracked| [tracked.sizes, tracked.live, tracked.count]);
        std::iter::once(self.next).chain(tracked.into_iter().flatten()).collect()
    }
}

/// The state of objects that were made.
#[derive(Clone, Copy, Debug)]
pub(super) struct Tracked {
    pub sizes: Var,
    /// One for a live object of a function, two for one of the heap.
    pub live: Var,
    /// How many objects of the heap are live.
    pub count: Var,
}

/// The memory of one class.
#[derive(Debug)]
pub(super) struct Region {
    pub var: Var,
    /// Bytes of a cell, a power of two.
    pub cell: u64,
    pub shape: Shape,
    /// The fixed objects: number and size.
    pub objects: Vec<(u64, u64)>,
}

/// How a region is indexed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Shape {
    /// One cell.
    Single,
    /// So many low bits of the object's number and of the offset.
    Compact { id: u32, offset: u32 },
    /// The whole address.
    Full,
}

impl Memory {
    /// Chooses how many bits of an address are the offset.
    pub fn choose_offset_bits(&mut self, model: DataModel, largest: u64) {
        let needed = index_bits(largest.saturating_add(1)) + 1;
        self.offset_bits = match model {
            DataModel::Ilp32 => needed.max(16),
            DataModel::Lp64 => needed.max(32),
        };
    }
}

impl Lowering<'_> {
    /// The address of a fixed object or function.
    pub(super) fn fixed_address(&mut self, id: u64) -> Term {
        let value = i128::from(id) << self.memory.offset_bits;
        number(self.terms, self.pointer_bits(), value)
    }

    /// The region of a class. One without any object is there for addresses out of nowhere.
    pub(super) fn region(&mut self, class: Class) -> Class {
        let class = self.points_to.find(class);
        if !self.memory.regions.contains_key(&class) {
            self.add_region(class, "$memory", &[], true);
        }
        class
    }

    /// Adds a region with fixed objects, of which the numbers are consecutive and start at a
    /// multiple of a power of two that is not less than their count.
    pub(super) fn add_region(&mut self, class: Class, name: &str, objects: &[(u64, u64)], dynamic: bool) {
        let largest = objects.iter().map(|(_, size)| *size).max().unwrap_or(0);
        let grain = match self.points_to.grain(class) {
            0 => largest.max(1),
            grain => grain,
        };
        // Cells are scalars, so that words of memory are as wide as words of the program.
        let cell = (1 << grain.trailing_zeros()).min(16_u64);
        let cell_bits = cell.trailing_zeros();
        let element = Sort::BitVec(u32::try_from(cell * 8).expect("a cell has at most 16 bytes"));
        let shape = match objects {
            _ if dynamic => Shape::Full,
            [(_, size)] if *size <= cell => Shape::Single,
            [_] => Shape::Compact { id: 0, offset: index_bits(largest).max(cell_bits + 1) },
            many => Shape::Compact { id: index_bits(many.len() as u64), offset: index_bits(largest).max(cell_bits) },
        };
        let bits = match shape {
            Shape::Single => 0,
            Shape::Compact { id, offset } => id + offset - cell_bits,
            Shape::Full => self.pointer_bits() - cell_bits,
        };
        let sort = if bits == 0 { element } else { Sort::array(Sort::BitVec(bits), element) };
        let var = self.terms.declare(name, sort);
        self.program.globals.push(var);
        self.memory.regions.insert(class, Region { var, cell, shape, objects: objects.to_vec() });
    }

    /// The index of the cell that an address is in.
    fn index(&mut self, class: Class, pointer: Term) -> Term {
        let region = &self.memory.regions[&class];
        let low = region.cell.trailing_zeros();
        let start = self.memory.offset_bits;
        match region.shape {
            Shape::Single => pointer,
            Shape::Full => self.terms.extract(pointer, self.pointer_bits() - 1, low),
            Shape::Compact { id: 0, offset } => self.terms.extract(pointer, offset - 1, low),
            Shape::Compact { id, offset } if offset == low => self.terms.extract(pointer, start + id - 1, start),
            Shape::Compact { id, offset } => {
                let object = self.terms.extract(pointer, start + id - 1, start);
                let cell = self.terms.extract(pointer, offset - 1, low);
                self.terms.concat(object, cell)
            }
        }
    }

    /// `count` cells from an address on, as one word.
    pub(super) fn read_cells(&mut self, class: Class, memory: Term, pointer: Term, count: u64) -> Term {
        let region = &self.memory.regions[&class];
        if region.shape == Shape::Single {
            // More than the object has is not there; what is read instead is nobody's business.
            let bits = u32::try_from(count * region.cell * 8).expect("an element is small");
            return resize(self.terms, memory, bits, false);
        }
        let index = self.index(class, pointer);
        let width = self.terms.width(index);
        let mut word = self.terms.select(memory, index);
        for at in 1..count {
            let step = number(self.terms, width, i128::from(at));
            let next = self.terms.bvadd(index, step);
            let cell = self.terms.select(memory, next);
            word = self.terms.concat(cell, word);
        }
        word
    }

    /// The memory with a word written at an address.
    pub(super) fn write_cells(&mut self, class: Class, memory: Term, pointer: Term, word: Term) -> Term {
        let region = &self.memory.regions[&class];
        let cell = u32::try_from(region.cell * 8).expect("a cell has at most 16 bytes");
        if region.shape == Shape::Single {
            return resize(self.terms, word, cell, false);
        }
        let index = self.index(class, pointer);
        let width = self.terms.width(index);
        let mut memory = memory;
        for at in 0..self.terms.width(word) / cell {
            let step = number(self.terms, width, i128::from(at));
            let here = self.terms.bvadd(index, step);
            let part = self.terms.extract(word, (at + 1) * cell - 1, at * cell);
            memory = self.terms.store(memory, here, part);
        }
        memory
    }

    /// The memory of a class as a term.
    pub(super) fn memory_term(&mut self, class: Class) -> Term {
        let var = self.memory.regions[&class].var;
        self.terms.var(var)
    }

    /// An address some bytes further.
    pub(super) fn offset(&mut self, pointer: Term, bytes: u64) -> Term {
        let step = number(self.terms, self.pointer_bits(), i128::from(bytes));
        self.terms.bvadd(pointer, step)
    }

    /// One element of a leaf, read at its address.
    pub(super) fn read_kind(&mut self, class: Class, memory: Term, pointer: Term, kind: Kind) -> Term {
        let cell = self.memory.regions[&class].cell;
        let (bytes, bits) = self.extent(kind);
        let word = self.read_cells(class, memory, pointer, bytes.div_ceil(cell));
        if let Kind::Scalar(ty) = kind
            && matches!(self.unit.types.get(ty), Type::Bool)
        {
            let truth = truth(self.terms, &self.unit.types, word, ty);
            return from_bool(self.terms, 1, truth);
        }
        let (low, width) = bits.unwrap_or((0, kind.value_bits(&self.unit.types)));
        self.terms.extract(word, low + width - 1, low)
    }

    /// The memory with one element of a leaf written at its address.
    pub(super) fn write_kind(&mut self, class: Class, memory: Term, pointer: Term, kind: Kind, value: Term) -> Term {
        let cell = self.memory.regions[&class].cell;
        let (bytes, bits) = self.extent(kind);
        let cells = bytes.div_ceil(cell);
        let whole = u32::try_from(cells * cell * 8).expect("an element is small");
        let word = match bits {
            None if u64::from(whole) == bytes * 8 => resize(self.terms, value, whole, false),
            _ => {
                let old = self.read_cells(class, memory, pointer, cells);
                let (low, width) = bits.unwrap_or((0, u32::try_from(bytes * 8).expect("an element is small")));
                let value = resize(self.terms, value, width, false);
                self.splice(old, value, low)
            }
        };
        self.write_cells(class, memory, pointer, word)
    }

    /// How many bytes an element takes, and for a bit-field which bits of them.
    pub(super) fn extent(&self, kind: Kind) -> (u64, Option<(u32, u32)>) {
        match kind {
            Kind::Scalar(ty) => (self.unit.types.size_of(ty).unwrap_or(1), None),
            Kind::Bits(_, bits) => (bits.bytes, Some((bits.shift, bits.width))),
            Kind::Union(bytes) => (bytes, None),
        }
    }

    /// The word with some of its bits replaced.
    pub(super) fn splice(&mut self, word: Term, part: Term, low: u32) -> Term {
        let (width, part_width) = (self.terms.width(word), self.terms.width(part));
        let mut spliced = part;
        if low > 0 {
            let below = self.terms.extract(word, low - 1, 0);
            spliced = self.terms.concat(spliced, below);
        }
        if low + part_width < width {
            let above = self.terms.extract(word, width - 1, low + part_width);
            spliced = self.terms.concat(above, spliced);
        }
        spliced
    }

    /// A leaf of a record that lies at an address: a scalar, or an array of all its elements.
    pub(super) fn read_leaf(&mut self, class: Class, memory: Term, pointer: Term, leaf: &Leaf) -> Term {
        if leaf.dims.is_empty() {
            let pointer = self.offset(pointer, leaf.offset);
            return self.read_kind(class, memory, pointer, leaf.kind);
        }
        let sort = leaf.sort(&self.unit.types);
        let width = leaf.kind.value_bits(&self.unit.types);
        let zero = number(self.terms, width, 0);
        let mut array = self.terms.const_array(&sort, zero);
        for (at, offset) in (0..).zip(leaf.offsets()) {
            let pointer = self.offset(pointer, offset);
            let element = self.read_kind(class, memory, pointer, leaf.kind);
            let index = number(self.terms, index_bits(leaf.count()), at);
            array = self.terms.store(array, index, element);
        }
        array
    }

    /// The memory with a leaf of a record written at its address.
    pub(super) fn write_leaf(&mut self, class: Class, memory: Term, pointer: Term, leaf: &Leaf, value: Term) -> Term {
        if leaf.dims.is_empty() {
            let pointer = self.offset(pointer, leaf.offset);
            return self.write_kind(class, memory, pointer, leaf.kind, value);
        }
        let mut memory = memory;
        for (at, offset) in (0..).zip(leaf.offsets()) {
            let pointer = self.offset(pointer, offset);
            let index = number(self.terms, index_bits(leaf.count()), at);
            let element = self.terms.select(value, index);
            memory = self.write_kind(class, memory, pointer, leaf.kind, element);
        }
        memory
    }

    /// The value of a type at an address.
    pub(super) fn read_memory(&mut self, class: Class, pointer: Term, ty: Ty) -> Value {
        let memory = self.memory_term(class);
        if self.unit.types.is_scalar(ty) {
            return Value::Scalar(self.read_kind(class, memory, pointer, Kind::Scalar(ty)));
        }
        let leaves = self.leaves.of(&self.unit.types, ty).unwrap_or_default();
        Value::Record(leaves.iter().map(|leaf| self.read_leaf(class, memory, pointer, leaf)).collect())
    }

    /// Writes a value of a type at an address.
    pub(super) fn write_memory(&mut self, class: Class, pointer: Term, ty: Ty, value: &Value, span: Span) {
        let memory = self.memory_term(class);
        let memory = self.with_value(class, memory, pointer, ty, value);
        self.set_memory(class, pointer, memory, span);
    }

    /// Lets memory be what it is after something was written at an address. What is written to a
    /// device's register is lost.
    pub(super) fn set_memory(&mut self, class: Class, pointer: Term, memory: Term, span: Span) {
        let register = self.register(class, pointer);
        let old = self.memory_term(class);
        let memory = register.map_or(memory, |is_register| self.terms.ite(is_register, old, memory));
        let var = self.memory.regions[&class].var;
        self.emit(Op::Assign(vec![(var, memory)]), span);
    }

    /// The memory with a value of a type written at an address.
    pub(super) fn with_value(&mut self, class: Class, memory: Term, pointer: Term, ty: Ty, value: &Value) -> Term {
        match value {
            Value::Void => memory,
            Value::Scalar(value) => self.write_kind(class, memory, pointer, Kind::Scalar(ty), *value),
            Value::Record(values) => {
                let leaves = self.leaves.of(&self.unit.types, ty).unwrap_or_default();
                leaves
                    .iter()
                    .zip(values)
                    .fold(memory, |memory, (leaf, value)| self.write_leaf(class, memory, pointer, leaf, *value))
            }
        }
    }
}
