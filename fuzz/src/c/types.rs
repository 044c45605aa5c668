//! The types of generated programs: what the generator must know about them.
//!
//! The generator never computes the type of an expression: the compiler and the front end under
//! test both do. It knows the declared types of variables, so that it can find integers in them.

use super::Generator;
use super::features::Part;
use super::tree::Node;

/// A type of a variable, member or parameter.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Type {
    /// An integer type, by its place in [`Generator::ints`].
    Int(usize),
    /// A struct or union, by its place in [`Generator::records`].
    Record(usize),
    /// An array whose length is a power of two, so that any index can be masked.
    Array(Box<Type>, u32),
    /// A pointer to a live object.
    Pointer(Box<Type>),
}

/// An integer type as it is written in a declaration.
#[derive(Clone, Debug)]
pub(super) struct Int {
    pub text: String,
    pub signed: Signed,
    /// How many bits a bit-field of it may have; 0 if it should have none.
    pub field: u32,
}

/// How an integer type fills its bits.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Signed {
    Yes,
    No,
    /// `_Bool`: some bit patterns are no value.
    Truth,
}

/// A struct or union.
#[derive(Clone, Debug)]
pub(super) struct Record {
    pub text: String,
    pub union: bool,
    pub fields: Vec<Field>,
}

/// A member.
#[derive(Clone, Debug)]
pub(super) struct Field {
    pub name: String,
    pub ty: Type,
    pub bits: Option<u32>,
}

/// Spellings of the integer types, and the width of a bit-field of each.
const INTS: &[(&str, Signed, u32)] = &[
    ("int", Signed::Yes, 32),
    ("_Bool", Signed::Truth, 1),
    ("char", Signed::Yes, 8),
    ("signed char", Signed::Yes, 8),
    ("unsigned char", Signed::No, 8),
    ("short", Signed::Yes, 16),
    ("unsigned short int", Signed::No, 16),
    ("unsigned", Signed::No, 32),
    ("long", Signed::Yes, 0),
    ("long unsigned int", Signed::No, 0),
    ("long long", Signed::Yes, 0),
    ("unsigned long long", Signed::No, 60),
];

/// The place of `int` in the table.
pub(super) const INT: usize = 0;
/// The place of `unsigned char`.
pub(super) const BYTE: usize = 4;
/// The place of `unsigned long long`.
pub(super) const WIDEST: usize = 11;

impl Generator {
    pub(super) fn declare_types(&mut self) -> Vec<Node> {
        self.ints = INTS
            .iter()
            .map(|(text, signed, field)| Int { text: (*text).into(), signed: *signed, field: *field })
            .collect();
        let mut items = Vec::new();
        for _ in 0..self.rng.u32(0..=2) {
            items.push(self.alias());
        }
        for _ in 0..self.rng.u32(0..=2) {
            items.push(self.enumeration());
        }
        if self.has(Part::Structs) {
            for _ in 0..self.rng.u32(1..=3) {
                items.push(self.record(false));
            }
        }
        if self.has(Part::Unions) && self.rng.bool() {
            items.push(self.record(true));
        }
        items
    }

    fn alias(&mut self) -> Node {
        let of = self.rng.usize(0..self.ints.len());
        let name = self.fresh("@T");
        let text = format!("typedef {} {name};", self.ints[of].text);
        self.ints.push(Int { text: name, field: 0, ..self.ints[of].clone() });
        Node::statement(&text, [])
    }

    fn enumeration(&mut self) -> Node {
        let (tag, negative) = (self.fresh("@E"), self.rng.bool());
        let mut names = Vec::new();
        for at in 0..self.rng.i64(2..=4) {
            let name = self.fresh("@K");
            let value = if negative && at == 0 { -self.rng.i64(1..9) } else { at * 10 + self.rng.i64(0..9) };
            names.push(if self.rng.bool() { format!("{name} = {value}") } else { name.clone() });
            self.enumerators.push(name);
        }
        let text = format!("enum {tag} {{ {} }};", names.join(", "));
        self.ints.push(Int { text: format!("enum {tag}"), signed: Signed::Yes, field: 0 });
        Node::statement(&text, [])
    }

    /// A struct of anything, or a union of integers: its first member covers all others, so that
    /// initialising it leaves no byte open.
    fn record(&mut self, union: bool) -> Node {
        let tag = self.fresh(if union { "@U" } else { "@S" });
        self.tell(if union { Part::Unions } else { Part::Structs });
        let mut fields = Vec::new();
        for at in 0..self.rng.u32(2..=4) {
            let (ty, bits) = match (union, at) {
                (true, 0) => (Type::Int(WIDEST), None),
                (true, _) => (self.member_of_union(), None),
                (false, _) => self.member_of_struct(),
            };
            let name = format!("m{at}");
            fields.push(Field { name, ty, bits });
        }
        let text: Vec<String> = fields
            .iter()
            .map(|field| {
                let bits = field.bits.map(|bits| format!(" : {bits}")).unwrap_or_default();
                format!("{}{bits};", self.declarator(&field.ty, &field.name))
            })
            .collect();
        let keyword = if union { "union" } else { "struct" };
        let name = format!("{keyword} {tag}");
        let text = if self.rng.u32(0..3) == 0 {
            let alias = self.fresh("@R");
            let text = format!("typedef {name} {{ {} }} {alias};", text.join(" "));
            self.records.push(Record { text: alias, union, fields });
            text
        } else {
            let text = format!("{name} {{ {} }};", text.join(" "));
            self.records.push(Record { text: name, union, fields });
            text
        };
        Node::statement(&text, [])
    }

    fn member_of_union(&mut self) -> Type {
        match self.rng.u32(0..4) {
            0 => Type::Array(Box::new(Type::Int(BYTE)), 1 << self.rng.u32(0..4)),
            1 => Type::Array(Box::new(Type::Int(6)), 1 << self.rng.u32(0..3)),
            _ => loop {
                let at = self.rng.usize(0..self.ints.len());
                if self.ints[at].signed != Signed::Truth {
                    break Type::Int(at);
                }
            },
        }
    }

    fn member_of_struct(&mut self) -> (Type, Option<u32>) {
        if self.has(Part::BitFields) && self.rng.u32(0..3) == 0 {
            let at = self.rng.usize(0..INTS.len());
            let most = self.ints[at].field;
            if most > 0 {
                self.tell(Part::BitFields);
                // A wide one is always read through a cast: compilers disagree on its own type.
                let least = if at == WIDEST { 33 } else { 1 };
                return (Type::Int(at), Some(self.rng.u32(least..=most)));
            }
        }
        match self.rng.u32(0..6) {
            0 if !self.records.is_empty() => (Type::Record(self.rng.usize(0..self.records.len())), None),
            1 if self.has(Part::Arrays) => (Type::Array(Box::new(self.int_type()), 1 << self.rng.u32(0..=2)), None),
            _ => (self.int_type(), None),
        }
    }

    pub(super) fn int_type(&mut self) -> Type {
        Type::Int(self.rng.usize(0..self.ints.len()))
    }

    /// A type for a variable.
    pub(super) fn some_type(&mut self) -> Type {
        match self.rng.u32(0..10) {
            0 | 1 if !self.records.is_empty() => Type::Record(self.rng.usize(0..self.records.len())),
            2 if self.has(Part::Arrays) => Type::Array(Box::new(self.int_type()), 1 << self.rng.u32(1..=3)),
            3 if self.has(Part::Arrays) => {
                let row = Type::Array(Box::new(self.int_type()), 1 << self.rng.u32(0..=2));
                Type::Array(Box::new(row), 1 << self.rng.u32(1..=2))
            }
            4 if self.has(Part::Arrays) && !self.records.is_empty() => {
                Type::Array(Box::new(Type::Record(self.rng.usize(0..self.records.len()))), 2)
            }
            _ => self.int_type(),
        }
    }

    /// What a pointer may point to.
    pub(super) fn target_type(&mut self) -> Type {
        match self.rng.u32(0..6) {
            0 | 1 if !self.records.is_empty() => Type::Record(self.rng.usize(0..self.records.len())),
            2 => Type::Pointer(Box::new(self.int_type())),
            _ => self.int_type(),
        }
    }

    /// A declaration of `name` without its initialiser.
    pub(super) fn declarator(&self, ty: &Type, name: &str) -> String {
        match ty {
            Type::Int(at) => format!("{} {name}", self.ints[*at].text),
            Type::Record(at) => format!("{} {name}", self.records[*at].text),
            Type::Array(element, length) => self.declarator(element, &format!("{name}[{length}]")),
            Type::Pointer(target) => self.declarator(target, &format!("*{name}")),
        }
    }

    /// The type's name, as in a cast.
    pub(super) fn type_name(&self, ty: &Type) -> String {
        self.declarator(ty, "").trim_end().to_owned()
    }

    /// Whether every bit pattern of the integer type is a value.
    pub(super) fn is_full(&self, ty: &Type) -> bool {
        matches!(ty, Type::Int(at) if self.ints[*at].signed != Signed::Truth)
    }
}
