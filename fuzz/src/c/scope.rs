//! Variables, and the objects that can be found in them.

use super::Generator;
use super::features::Part;
use super::tree::Node;
use super::types::{Int, Signed, Type, WIDEST};

/// A variable in scope.
#[derive(Clone, Debug)]
pub(super) struct Var {
    pub name: String,
    pub ty: Type,
    /// The block that it lives in: 0 for what lives as long as the program.
    pub depth: u32,
    /// Who may change it and take its address.
    pub access: Access,
    /// How many elements there are, if it is more than a fixed array or one object.
    pub extent: Extent,
    /// Whether its initialiser is complete. Until then its name hides others but is not used.
    pub ready: bool,
}

/// Who may change a variable and take its address.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Access {
    /// It is only read.
    Constant,
    /// It is read and written by its name only.
    Private,
    /// Pointers may point to it.
    Open,
}

/// How many elements a variable has.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Extent {
    /// What its type says.
    Type,
    /// A pointer to this many elements, a power of two.
    Elements(u32),
    /// The number in the variable of this name.
    Named(String),
}

/// An object: how it is written, and its type.
pub(super) struct Place {
    pub node: Node,
    pub ty: Type,
    pub bits: Option<u32>,
    /// Whether it is found through a pointer.
    pub through: bool,
}

/// What an object is wanted for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Use {
    Read,
    Write,
    /// Its address is taken, for a pointer that lives in the block of this depth.
    Address(u32),
}

impl Generator {
    /// The variables that can be named here and fit the use.
    pub(super) fn candidates(&self, use_: Use) -> Vec<usize> {
        let fits = |at: usize| {
            let var = &self.vars[at];
            let hidden = self.vars[at + 1..].iter().any(|other| other.name == var.name);
            let allowed = match (use_, var.access) {
                (Use::Read, _) => true,
                (Use::Write, access) => access != Access::Constant && !(self.pure && var.depth == 0),
                (Use::Address(depth), access) => access == Access::Open && var.depth <= depth,
            };
            var.ready && !hidden && allowed && !self.reserved.contains(&at)
        };
        (0..self.vars.len()).filter(|at| fits(*at)).collect()
    }

    /// An object of a type that `wanted` accepts.
    pub(super) fn place(&mut self, use_: Use, wanted: &dyn Fn(&Type) -> bool) -> Option<Place> {
        let candidates = self.candidates(use_);
        for _ in 0..8 {
            let at = self.rng.choice(&candidates).copied()?;
            if let Some(place) = self.descend(at, use_, wanted) {
                return Some(place);
            }
        }
        None
    }

    /// An object inside a variable.
    fn descend(&mut self, at: usize, use_: Use, wanted: &dyn Fn(&Type) -> bool) -> Option<Place> {
        let var = self.vars[at].clone();
        let mut place = Place { node: Node::fixed(&var.name, []), ty: var.ty.clone(), bits: None, through: false };
        match &var.extent {
            Extent::Type => {}
            // The pointer itself stays as it is.
            Extent::Elements(length) => {
                let Type::Pointer(element) = var.ty else { return None };
                place = self.element(place, *element, *length);
                place.through = true;
            }
            Extent::Named(length) => {
                let Type::Array(element, _) = var.ty else { return None };
                let index = self.simple();
                let text = format!("#[(unsigned)# % (unsigned){length}]");
                place.node = Node::fixed(&text, [place.node, index]);
                place.ty = *element;
            }
        }
        loop {
            if wanted(&place.ty) && !(matches!(use_, Use::Address(_)) && place.bits.is_some()) {
                let refused = self.pure && place.through && use_ == Use::Write;
                return if refused { None } else { Some(place) };
            }
            place = match place.ty.clone() {
                Type::Int(_) => return None,
                Type::Array(element, length) => self.element(place, *element, length),
                Type::Record(record) => {
                    // Members of a union may be mixed by name, but not through pointers to them.
                    if self.records[record].union && matches!(use_, Use::Address(_)) {
                        return None;
                    }
                    let fields = &self.records[record].fields;
                    let field = fields[self.rng.usize(0..fields.len())].clone();
                    let node = Node::fixed(&format!("#.{}", field.name), [place.node]);
                    Place { node, ty: field.ty, bits: field.bits, through: place.through }
                }
                Type::Pointer(target) => self.target(place, *target, use_),
            };
        }
    }

    /// An element of an array, at an index that is masked.
    fn element(&mut self, place: Place, element: Type, length: u32) -> Place {
        self.tell(Part::Arrays);
        let index = if self.chance(3) { Node::number(&self.rng.u32(0..length).to_string(), []) } else { self.simple() };
        let text = match self.rng.u32(0..6) {
            0 => format!("(*(# + (# & {})))", length - 1),
            _ => format!("#[# & {}]", length - 1),
        };
        Place { node: Node::fixed(&text, [place.node, index]), ty: element, bits: None, through: place.through }
    }

    /// What a pointer points to.
    fn target(&mut self, place: Place, target: Type, use_: Use) -> Place {
        if let Type::Record(record) = target
            && !(self.records[record].union && matches!(use_, Use::Address(_)))
            && self.chance(2)
        {
            let fields = &self.records[record].fields;
            let field = fields[self.rng.usize(0..fields.len())].clone();
            let node = Node::fixed(&format!("#->{}", field.name), [place.node]);
            return Place { node, ty: field.ty, bits: field.bits, through: true };
        }
        Place { node: Node::fixed("(*#)", [place.node]), ty: target, bits: None, through: true }
    }

    /// An integer object.
    pub(super) fn integer(&mut self, use_: Use) -> Option<Place> {
        self.place(use_, &|ty| matches!(ty, Type::Int(_)))
    }

    /// The value of an integer object.
    pub(super) fn read(place: Place) -> Node {
        let wide = place.ty == Type::Int(WIDEST) && place.bits.is_some();
        let text = if wide { "(unsigned long long)#" } else { "#" };
        Node::number(text, [place.node])
    }

    /// An address of an object of this type that lives at least as long as the block of that depth.
    pub(super) fn address(&mut self, target: &Type, depth: u32) -> Option<Node> {
        if self.chance(3) {
            let pointer = Type::Pointer(Box::new(target.clone()));
            let open = self.candidates(Use::Read);
            let same = |at: &usize| {
                let var = &self.vars[*at];
                var.ty == pointer && var.extent == Extent::Type && var.depth <= depth && var.access != Access::Constant
            };
            let pointers: Vec<usize> = open.into_iter().filter(same).collect();
            if let Some(at) = self.rng.choice(&pointers) {
                return Some(Node::fixed(&self.vars[*at].name, []));
            }
        }
        self.tell(Part::Pointers);
        let place = self.place(Use::Address(depth), &|ty| ty == target)?;
        Some(Node::fixed("&#", [place.node]))
    }

    /// What is known about an integer type.
    pub(super) fn int(&self, ty: &Type) -> Option<&Int> {
        match ty {
            Type::Int(at) => self.ints.get(*at),
            Type::Record(_) | Type::Array(..) | Type::Pointer(_) => None,
        }
    }

    /// Whether a left shift of such a value keeps within C's rules.
    pub(super) fn is_unsigned(&self, place: &Place) -> bool {
        place.bits.is_none() && self.int(&place.ty).is_some_and(|int| int.signed == Signed::No)
    }

    /// Every integer in an object, elements of arrays one by one.
    pub(super) fn leaves(&self, name: &str, ty: &Type, out: &mut Vec<String>) {
        match ty {
            Type::Int(_) => out.push(name.to_owned()),
            Type::Array(element, length) => {
                for at in 0..*length {
                    self.leaves(&format!("{name}[{at}]"), element, out);
                }
            }
            Type::Record(record) => {
                for field in &self.records[*record].fields {
                    self.leaves(&format!("{name}.{}", field.name), &field.ty, out);
                }
            }
            Type::Pointer(target) => self.leaves(&format!("(*{name})"), target, out),
        }
    }
}
