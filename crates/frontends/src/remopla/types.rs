//! Types, and the scalar variables that stand for a variable of such a type.

use super::number::power;
use num_bigint::BigInt;
use rustc_hash::FxHashMap;
use tamis_term::{Sort, Term, Terms, Var};

/// An enum of [`Types`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct EnumId(pub usize);

/// A struct of [`Types`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct StructId(pub usize);

/// The type of a single value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Scalar {
    /// `bool`
    Bool,
    /// `int` of so many bits
    Int(u32),
    /// An enum with so many constants.
    Enum(EnumId, u32),
}

/// What an array consists of.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Element {
    /// Single values.
    Scalar(Scalar),
    /// Structs.
    Struct(StructId),
}

/// The indices of one dimension.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Dim {
    /// The first index.
    pub low: u32,
    /// How many there are.
    pub size: u32,
}

/// The type of a variable.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Type {
    /// None, one or two dimensions.
    pub dims: Vec<Dim>,
    /// What the cells are.
    pub element: Element,
}

/// A field of a struct.
#[derive(Debug)]
pub struct Field<'s> {
    /// Its name.
    pub name: &'s str,
    /// Its type, which is no struct.
    pub ty: Type,
    /// The number of its first cell in the struct.
    pub offset: usize,
}

/// A struct.
#[derive(Debug)]
pub struct Struct<'s> {
    /// Its name, for messages.
    pub name: String,
    /// Its fields.
    pub fields: Vec<Field<'s>>,
    /// How many cells it has.
    pub cells: usize,
}

/// An enum.
#[derive(Debug)]
pub struct Enum {
    /// Its name, for messages.
    pub name: String,
    /// How many constants it has.
    pub count: u32,
}

/// All enums and structs of a text.
#[derive(Debug, Default)]
pub struct Types<'s> {
    /// By [`EnumId`].
    pub enums: Vec<Enum>,
    /// By [`StructId`].
    pub structs: Vec<Struct<'s>>,
}

/// A variable of the text, as the scalar variables of the program that hold its cells:
/// arrays row by row, structs field by field.
#[derive(Clone, Debug)]
pub struct Variable {
    /// Its type.
    pub ty: Type,
    /// Its cells.
    pub cells: Vec<Var>,
    /// The types of the cells.
    pub scalars: Vec<Scalar>,
}

/// The variables of one module, or the global ones, in order of declaration.
#[derive(Debug, Default)]
pub struct Scope<'s> {
    vars: Vec<(&'s str, Variable)>,
    index: FxHashMap<&'s str, usize>,
}

impl<'s> Scope<'s> {
    /// Adds a variable, whose name must be new.
    pub fn add(&mut self, name: &'s str, variable: Variable) {
        self.index.insert(name, self.vars.len());
        self.vars.push((name, variable));
    }

    /// The variable of that name.
    pub fn get(&self, name: &str) -> Option<&Variable> {
        self.index.get(name).map(|at| &self.vars[*at].1)
    }

    /// All variables with their names.
    pub fn iter(&self) -> impl Iterator<Item = &(&'s str, Variable)> {
        self.vars.iter()
    }
}

impl Variable {
    /// The cells with their types.
    pub fn parts(&self) -> impl Iterator<Item = (Var, Scalar)> {
        self.cells.iter().copied().zip(self.scalars.iter().copied())
    }
}

impl Scalar {
    /// How many bits hold a value.
    pub fn width(self) -> u32 {
        match self {
            Scalar::Bool => 1,
            Scalar::Int(bits) => bits,
            Scalar::Enum(_, count) => (u32::BITS - (count - 1).leading_zeros()).max(1),
        }
    }

    /// The sort of a variable of this type.
    pub fn sort(self) -> Sort {
        match self {
            Scalar::Bool => Sort::Bool,
            Scalar::Int(_) | Scalar::Enum(..) => Sort::BitVec(self.width()),
        }
    }

    /// The greatest number of this type; one for `bool`.
    pub fn high(self) -> BigInt {
        match self {
            Scalar::Bool => BigInt::from(1),
            Scalar::Int(bits) => power(bits) - 1,
            Scalar::Enum(_, count) => BigInt::from(count - 1),
        }
    }

    /// Whether a variable of this type, whose bits are arbitrary, holds a value of the type:
    /// not always so for enums.
    pub fn legal(self, terms: &mut Terms, var: Var) -> Term {
        match self {
            Scalar::Bool | Scalar::Int(_) => terms.bool(true),
            Scalar::Enum(_, count) => {
                let term = terms.var(var);
                let last = terms.bv(terms.width(term), u64::from(count - 1));
                terms.bvule(term, last)
            }
        }
    }
}

impl Type {
    /// The type of the single value, for a type that is no array and no struct.
    pub fn single(&self) -> Option<Scalar> {
        match self.element {
            Element::Scalar(scalar) if self.dims.is_empty() => Some(scalar),
            Element::Scalar(_) | Element::Struct(_) => None,
        }
    }

    /// How many elements an array has; one for anything else.
    pub fn elements(&self) -> u64 {
        self.dims.iter().map(|dim| u64::from(dim.size)).product()
    }
}

impl<'s> Types<'s> {
    /// How many cells an element has.
    pub fn element_cells(&self, element: Element) -> usize {
        match element {
            Element::Scalar(_) => 1,
            Element::Struct(id) => self.structs[id.0].cells,
        }
    }

    /// The field of that name.
    pub fn field(&self, id: StructId, name: &str) -> Option<&Field<'s>> {
        self.structs[id.0].fields.iter().find(|field| field.name == name)
    }

    /// The names and types of all cells of a variable called `name`, in order.
    pub fn cells(&self, name: &str, ty: &Type) -> Vec<(String, Scalar)> {
        let mut cells = Vec::new();
        for element in places(name, &ty.dims) {
            match ty.element {
                Element::Scalar(scalar) => cells.push((element, scalar)),
                Element::Struct(id) => {
                    for field in &self.structs[id.0].fields {
                        cells.extend(self.cells(&format!("{element}.{}", field.name), &field.ty));
                    }
                }
            }
        }
        cells
    }

    /// The type, as people write it.
    pub fn describe(&self, ty: &Type) -> String {
        let element = match ty.element {
            Element::Scalar(scalar) => self.describe_scalar(scalar),
            Element::Struct(id) => self.structs[id.0].name.clone(),
        };
        let dims = ty.dims.iter().map(|dim| format!("[{}]", dim.size));
        std::iter::once(element).chain(dims).collect()
    }

    /// The type of a single value, as people write it.
    pub fn describe_scalar(&self, scalar: Scalar) -> String {
        match scalar {
            Scalar::Bool => "bool".to_owned(),
            Scalar::Int(_) => "int".to_owned(),
            Scalar::Enum(id, _) => self.enums[id.0].name.clone(),
        }
    }

    /// Whether a value of one type can be assigned to a variable of the other, cell by cell:
    /// the widths of numbers may differ.
    pub fn compatible(a: &Type, b: &Type) -> bool {
        let sizes = |ty: &Type| ty.dims.iter().map(|dim| dim.size).collect::<Vec<_>>();
        let elements = match (a.element, b.element) {
            (Element::Scalar(Scalar::Int(_)), Element::Scalar(Scalar::Int(_))) => true,
            (x, y) => x == y,
        };
        elements && sizes(a) == sizes(b)
    }
}

/// The name with every combination of indices, row by row.
fn places(name: &str, dims: &[Dim]) -> Vec<String> {
    let mut names = vec![name.to_owned()];
    for dim in dims {
        let indices = dim.low..dim.low + dim.size;
        names = names.iter().flat_map(|name| indices.clone().map(move |i| format!("{name}[{i}]"))).collect();
    }
    names
}
