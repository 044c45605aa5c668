//! What a value of a type consists of.
//!
//! An object that nobody points to is a handful of variables, its *leaves*: one per scalar,
//! where the elements of arrays share one leaf (an array of structs becomes a struct of
//! arrays). A union, whose members lie upon each other, is one leaf: a word of all its bytes.

use super::types::{BitField, Ty, Type, Types};
use rustc_hash::FxHashMap;
use std::rc::Rc;
use tamis_term::Sort;

/// The largest union that is a variable; larger ones live in memory.
const MAX_VARIABLE: u64 = 64;

/// The largest union that is a word when it is copied.
const MAX_UNION: u64 = 4096;

/// How many leaves a type may have to be split.
pub(super) const MAX_LEAVES: usize = 4096;

/// A leaf of a type.
#[derive(Clone, Debug)]
pub(super) struct Leaf {
    pub kind: Kind,
    /// Where the leaf is in the object, in bytes; of an array, the first element.
    pub offset: u64,
    /// The arrays that it is in, from the outside: length, and bytes of an element.
    pub dims: Vec<(u64, u64)>,
    /// How the leaf is named after its object: `.f`, or nothing.
    pub suffix: String,
}

/// What one element of a leaf is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    Scalar(Ty),
    /// A bit-field of that declared type.
    Bits(Ty, BitField),
    /// A union of so many bytes.
    Union(u64),
}

impl Leaf {
    /// Whether the leaf may be a variable.
    pub fn is_small(&self) -> bool {
        !matches!(self.kind, Kind::Union(bytes) if bytes > MAX_VARIABLE)
    }

    /// How many elements the leaf has.
    pub fn count(&self) -> u64 {
        self.dims.iter().map(|(len, _)| *len).product()
    }

    /// The sort of the variable that holds the leaf.
    pub fn sort(&self, types: &Types) -> Sort {
        let element = Sort::BitVec(self.kind.value_bits(types));
        if self.dims.is_empty() { element } else { Sort::array(Sort::BitVec(index_bits(self.count())), element) }
    }

    /// Where its elements are, in the order of their indices.
    pub fn offsets(&self) -> Vec<u64> {
        self.dims.iter().fold(vec![self.offset], |starts, (len, stride)| {
            starts.iter().flat_map(|start| (0..*len).map(move |at| start + at * stride)).collect()
        })
    }
}

impl Kind {
    /// The width of a value of it.
    pub fn value_bits(self, types: &Types) -> u32 {
        match self {
            Kind::Scalar(ty) => value_bits(types, ty),
            Kind::Bits(_, bits) => bits.width,
            Kind::Union(bytes) => u32::try_from(bytes * 8).expect("a union that is a word is small"),
        }
    }
}

/// The width of a value of a scalar type: as in memory, but for `_Bool`, which is one bit.
pub(super) fn value_bits(types: &Types, ty: Ty) -> u32 {
    match types.get(ty) {
        Type::Bool => 1,
        Type::Int(_) | Type::Bits(..) | Type::Float(_) | Type::Pointer(_) => {
            types.scalar(ty).map_or(1, |(bits, _)| bits)
        }
        // Nothing but a report of an error asks for these.
        Type::Void | Type::Array(..) | Type::Vla(_) | Type::Function(_) | Type::Record(_) => 1,
    }
}

/// How many bits tell so many elements apart, at least one.
pub(super) fn index_bits(count: u64) -> u32 {
    u64::BITS - count.saturating_sub(1).max(1).leading_zeros()
}

/// The leaves of types, computed once.
#[derive(Debug, Default)]
pub(super) struct Leaves {
    known: FxHashMap<Ty, Option<Rc<[Leaf]>>>,
}

impl Leaves {
    /// The leaves of a complete type, in the order of offsets; `None` if the type has no fixed
    /// size, too many leaves, or a union that is too large.
    pub fn of(&mut self, types: &Types, ty: Ty) -> Option<Rc<[Leaf]>> {
        if let Some(known) = self.known.get(&ty) {
            return known.clone();
        }
        let leaves = self.split(types, ty).map(Rc::from);
        self.known.insert(ty, leaves.clone());
        leaves
    }

    fn split(&mut self, types: &Types, ty: Ty) -> Option<Vec<Leaf>> {
        let single = |kind| Some(vec![Leaf { kind, offset: 0, dims: Vec::new(), suffix: String::new() }]);
        match types.get(ty) {
            Type::Array(element, len) => {
                let (len, stride) = ((*len)?, types.size_of(*element)?);
                let inside = self.of(types, *element)?;
                let leaves = inside.iter().map(|leaf| {
                    let dims = std::iter::once((len, stride)).chain(leaf.dims.iter().copied()).collect();
                    Leaf { dims, ..leaf.clone() }
                });
                Some(leaves.collect())
            }
            Type::Record(record) => {
                let record = types.record(*record);
                let body = record.body.as_ref()?;
                if record.union {
                    return if body.size == 0 {
                        Some(Vec::new())
                    } else if body.size <= MAX_UNION {
                        single(Kind::Union(body.size))
                    } else {
                        None
                    };
                }
                let mut leaves = Vec::new();
                for field in &body.fields {
                    leaves.extend(self.field(types, field)?);
                    if leaves.len() > MAX_LEAVES {
                        return None;
                    }
                }
                Some(leaves)
            }
            Type::Vla(_) | Type::Void | Type::Function(_) => None,
            Type::Bool | Type::Int(_) | Type::Bits(..) | Type::Float(_) | Type::Pointer(_) => single(Kind::Scalar(ty)),
        }
    }

    /// The leaves of one field, placed in the record. A flexible array at its end has none.
    pub fn field(&mut self, types: &Types, field: &super::types::Field) -> Option<Vec<Leaf>> {
        let suffix = if field.name.is_empty() { String::new() } else { format!(".{}", field.name) };
        if let Some(bits) = field.bits {
            let kind = Kind::Bits(field.ty, bits);
            return Some(vec![Leaf { kind, offset: field.offset, dims: Vec::new(), suffix }]);
        }
        if matches!(types.get(field.ty), Type::Array(_, None)) {
            return Some(Vec::new());
        }
        let inside = self.of(types, field.ty)?;
        let placed = inside.iter().map(|leaf| Leaf {
            offset: field.offset + leaf.offset,
            suffix: format!("{suffix}{}", leaf.suffix),
            ..leaf.clone()
        });
        Some(placed.collect())
    }
}
