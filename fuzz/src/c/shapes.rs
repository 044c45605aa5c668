//! Aggregates of any nesting, and lists that initialise them in any order that C allows.
//!
//! A list may name what it initialises, go on from there, leave braces out, initialise again what
//! it has initialised, and a part of that once more (C11 6.7.9). What comes out is for the
//! compiler to say. Only two things must be kept: no element goes beyond the end, and no value
//! has an effect, because a value that is overridden need not be evaluated.
//!
//! All members of a union have the same size and no padding, so that each may be read whichever
//! was written.

use super::Generator;
use super::features::Part;
use super::tree::Node;
use super::types::{INT, Type};
use std::fmt::Write;

/// A type that is made of integers.
#[derive(Clone, Debug)]
pub(super) enum Shape {
    /// An integer type, by its place in [`Generator::ints`].
    Int(usize),
    /// An array of characters, which a string may initialise.
    Text(u32),
    Array(Box<Shape>, u32),
    Struct(Vec<Member>),
    Union(Vec<Member>),
}

/// A member of a struct or union.
#[derive(Clone, Debug)]
pub(super) struct Member {
    /// Nothing for a struct or union whose members count as those of the surrounding one.
    name: Option<String>,
    shape: Shape,
    bits: Option<u32>,
}

/// An integer in an object.
pub(super) struct Leaf {
    /// The way to it, after the name of the object.
    pub path: String,
    pub ty: Type,
    /// Whether a pointer may point to it: it is no bit-field, and in no union, whose other members
    /// a compiler takes for other objects.
    pub open: bool,
}

/// Integer types of one, two, four and eight bytes in both data models, by their places.
const SIZES: &[&[usize]] = &[&[2, 3, 4], &[5, 6], &[0, 7], &[10, 11]];

/// Integer types that bit-fields have, by their places.
const FIELDS: &[usize] = &[0, 7, 0, 7, 4, 5, 6, 3];

/// The place of `char`.
const CHARACTER: usize = 2;

impl Shape {
    /// The parts of an aggregate.
    fn part(&self, at: usize) -> Option<&Shape> {
        match self {
            Shape::Int(_) => None,
            Shape::Text(length) => (at < *length as usize).then_some(&Shape::Int(CHARACTER)),
            Shape::Array(element, length) => (at < *length as usize).then_some(element),
            Shape::Struct(members) | Shape::Union(members) => members.get(at).map(|member| &member.shape),
        }
    }

    /// What is at the end of a way.
    fn at(&self, way: &[usize]) -> Option<&Shape> {
        way.iter().try_fold(self, |shape, at| shape.part(*at))
    }

    /// The way to what comes next, as lists go on.
    fn next(&self, mut way: Vec<usize>) -> Option<Vec<usize>> {
        while let Some(at) = way.pop() {
            let parent = self.at(&way)?;
            // Of a union, one member is initialised.
            if !matches!(parent, Shape::Union(_)) && parent.part(at + 1).is_some() {
                way.push(at + 1);
                return Some(way);
            }
        }
        None
    }

    /// The integers in an object, in order.
    pub fn leaves(&self) -> Vec<Leaf> {
        let mut leaves = Vec::new();
        self.collect("", true, &mut leaves);
        leaves
    }

    fn collect(&self, path: &str, open: bool, out: &mut Vec<Leaf>) {
        match self {
            Shape::Int(at) => out.push(Leaf { path: path.to_owned(), ty: Type::Int(*at), open }),
            Shape::Text(length) => {
                (0..*length).for_each(|at| Shape::Int(CHARACTER).collect(&format!("{path}[{at}]"), open, out));
            }
            Shape::Array(element, length) => {
                (0..*length).for_each(|at| element.collect(&format!("{path}[{at}]"), open, out));
            }
            Shape::Struct(members) | Shape::Union(members) => {
                let open = open && matches!(self, Shape::Struct(_));
                for Member { name, shape, bits } in members {
                    let path = name.as_ref().map_or(path.to_owned(), |name| format!("{path}.{name}"));
                    shape.collect(&path, open && bits.is_none(), out);
                }
            }
        }
    }
}

impl Generator {
    /// A struct or union, at most so deep.
    pub(super) fn shape(&mut self, depth: u32) -> Shape {
        let mut names = 0;
        if self.chance(4) { self.union(8, depth, &mut names) } else { self.structure(depth, &mut names) }
    }

    fn structure(&mut self, depth: u32, names: &mut u32) -> Shape {
        let count = self.rng.u32(2..=4);
        Shape::Struct((0..count).map(|_| self.member(depth, names)).collect())
    }

    fn member(&mut self, depth: u32, names: &mut u32) -> Member {
        let size = self.rng.u32(2..=3);
        let shape = match self.rng.u32(0..12) {
            0 | 1 if depth > 0 => self.structure(depth - 1, names),
            2 | 3 if depth > 0 => self.union(1 << size, depth - 1, names),
            4 if depth > 0 => Shape::Array(Box::new(self.structure(depth - 1, names)), size),
            5 => Shape::Array(Box::new(Shape::Int(self.rng.usize(0..self.ints.len()))), size),
            6 => Shape::Text(self.rng.u32(2..=5)),
            7 | 8 => {
                let at = self.rng.choice(FIELDS).copied().unwrap_or(INT);
                let bits = Some(self.rng.u32(1..=self.ints[at].field));
                return Member { name: Some(name(names)), shape: Shape::Int(at), bits };
            }
            _ => Shape::Int(self.rng.usize(0..self.ints.len())),
        };
        self.named(shape, names)
    }

    /// A union without padding.
    fn union(&mut self, bytes: u32, depth: u32, names: &mut u32) -> Shape {
        let count = self.rng.u32(2..=3);
        let mut members = Vec::new();
        for _ in 0..count {
            let shape = self.dense(bytes, depth, names);
            members.push(self.named(shape, names));
        }
        Shape::Union(members)
    }

    /// Something of so many bytes without padding.
    fn dense(&mut self, bytes: u32, depth: u32, names: &mut u32) -> Shape {
        match self.rng.u32(0..8) {
            0 | 1 if bytes > 1 && depth > 0 => {
                let halves = (0..2).map(|_| {
                    let half = self.dense(bytes / 2, depth - 1, names);
                    self.named(half, names)
                });
                Shape::Struct(halves.collect())
            }
            2 if bytes > 1 && depth > 0 => Shape::Array(Box::new(self.dense(bytes / 2, depth - 1, names)), 2),
            3 if bytes == 4 => self.divided(names),
            4 if bytes > 2 && depth > 0 => self.union(bytes, depth - 1, names),
            5 if bytes > 1 => Shape::Text(bytes),
            6 if bytes > 1 => Shape::Array(Box::new(Shape::Int(4)), bytes),
            _ => {
                let same = SIZES[bytes.trailing_zeros() as usize];
                Shape::Int(self.rng.choice(same).copied().unwrap_or(INT))
            }
        }
    }

    /// Bit-fields that fill four bytes.
    fn divided(&mut self, names: &mut u32) -> Shape {
        let (mut members, mut left) = (Vec::new(), 32);
        while left > 0 {
            let bits = if members.len() == 3 { left } else { self.rng.u32(1..=left) };
            let shape = Shape::Int(self.rng.choice([0, 7]).unwrap_or(INT));
            members.push(Member { name: Some(name(names)), shape, bits: Some(bits) });
            left -= bits;
        }
        Shape::Struct(members)
    }

    /// A member, which has no name if its own members can be named instead.
    fn named(&mut self, shape: Shape, names: &mut u32) -> Member {
        let nameless = matches!(shape, Shape::Struct(_) | Shape::Union(_)) && self.chance(3);
        Member { name: (!nameless).then(|| name(names)), shape, bits: None }
    }

    /// A declaration of a name with that type.
    pub(super) fn shaped(&self, shape: &Shape, name: &str) -> String {
        match shape {
            Shape::Int(at) => format!("{} {name}", self.ints[*at].text),
            Shape::Text(length) => format!("char {name}[{length}]"),
            Shape::Array(element, length) => self.shaped(element, &format!("{name}[{length}]")),
            Shape::Struct(_) => format!("struct {} {name}", self.members(shape)),
            Shape::Union(_) => format!("union {} {name}", self.members(shape)),
        }
    }

    /// The members of a struct or union in their braces.
    fn members(&self, shape: &Shape) -> String {
        let (Shape::Struct(members) | Shape::Union(members)) = shape else { return String::new() };
        let texts = members.iter().map(|Member { name, shape, bits }| {
            let declared = self.shaped(shape, name.as_deref().unwrap_or_default());
            bits.map_or(format!("{declared};"), |bits| format!("{declared} : {bits};"))
        });
        format!("{{ {} }}", texts.collect::<Vec<_>>().join(" "))
    }

    /// A definition of the type, and its name.
    pub(super) fn define_shape(&self, shape: &Shape, tag: &str) -> (String, String) {
        let keyword = if matches!(shape, Shape::Union(_)) { "union" } else { "struct" };
        let name = format!("{keyword} {tag}");
        (format!("{name} {};", self.members(shape)), name)
    }

    /// A list that initialises an object; one that is `constant` can stand outside of functions.
    pub(super) fn shaped_list(&mut self, shape: &Shape, constant: bool) -> Node {
        let (mut parts, mut next, mut strings) = (Vec::new(), Some(vec![0]), true);
        for _ in 0..self.rng.u32(1..=6) {
            let Target { designator, way, range } = match next {
                Some(way) if !self.chance(3) => Target { designator: String::new(), way, range: false },
                Some(_) | None => self.target_of(shape),
            };
            // Braces are seldom left out behind designators: front ends may refuse it, which hides the rest.
            let bare = if designator.is_empty() { true } else { !range && self.chance(40) };
            // GCC cannot copy an array that it has computed to all elements of a range.
            let how = Manner { constant: constant || range, bare, strings: strings || !designator.is_empty() };
            let (value, way) = self.value_at(shape, way, how);
            parts.push(Node::fixed(&format!("{designator}#"), [value]));
            // After a part of an array, GCC takes a string for the array's own.
            strings = !matches!(shape.at(&way[..way.len() - 1]), Some(Shape::Array(..) | Shape::Text(_)));
            // Where a list goes on after a range is not written down anywhere.
            next = if range { None } else { shape.next(way) };
        }
        Node::list(parts)
    }

    /// Something in an object that a designator names.
    fn target_of(&mut self, shape: &Shape) -> Target {
        let (mut designator, mut way, mut range, mut here) = (String::new(), Vec::new(), false, shape);
        loop {
            let at = match here {
                Shape::Int(_) => break,
                Shape::Text(length) | Shape::Array(_, length) => {
                    let at = self.rng.u32(0..*length);
                    let ranges = self.has(Part::Gnu) && self.chance(4);
                    let first = if ranges { self.rng.u32(0..=at) } else { at };
                    range |= ranges;
                    let _ =
                        if ranges { write!(designator, "[{first} ... {at}]") } else { write!(designator, "[{at}]") };
                    at as usize
                }
                Shape::Struct(members) | Shape::Union(members) => {
                    let at = self.rng.usize(0..members.len());
                    let _ = members[at].name.as_ref().map(|name| write!(designator, ".{name}"));
                    at
                }
            };
            let named = !matches!(here, Shape::Struct(members) | Shape::Union(members) if members[at].name.is_none());
            way.push(at);
            let Some(part) = here.part(at) else { break };
            here = part;
            if named && self.rng.bool() {
                break;
            }
        }
        designator.push_str(" = ");
        Target { designator, way, range }
    }

    /// What initialises the object at the end of the way or, if its braces may be left out, its
    /// first part; and the way to what it initialises.
    fn value_at(&mut self, shape: &Shape, mut way: Vec<usize>, how: Manner) -> (Node, Vec<usize>) {
        let Manner { constant, bare, strings } = how;
        // Braces would be those of the outermost object whose own were left out.
        let mut braces = true;
        while let Some(here) = shape.at(&way) {
            match here {
                Shape::Int(_) => break,
                Shape::Text(length) if strings && self.chance(2) => return (self.string(*length, braces), way),
                Shape::Text(_) | Shape::Array(..) | Shape::Struct(_) | Shape::Union(_) => {
                    if braces && !(bare && self.chance(2)) {
                        return (self.shaped_list(here, constant), way);
                    }
                    braces = false;
                    way.push(0);
                }
            }
        }
        let number = if constant { self.constant() } else { self.expression(1) };
        (if braces && self.chance(8) { Node::fixed("{#}", [number]) } else { number }, way)
    }

    /// A string of at most so many characters; the zero at its end is cut off if it does not fit.
    fn string(&mut self, most: u32, braces: bool) -> Node {
        let count = self.rng.u32(0..=most);
        let letters: String =
            (0..count).map(|_| self.rng.choice(["a", "b", "7", "\\0", "\\n", "\\376", "z"]).unwrap_or("a")).collect();
        let braces = braces && self.chance(4);
        Node::fixed(&if braces { format!("{{\"{letters}\"}}") } else { format!("\"{letters}\"") }, [])
    }
}

/// How a part of a list is written.
#[derive(Clone, Copy)]
struct Manner {
    /// Whether it can stand outside of functions.
    constant: bool,
    /// Whether braces may be left out.
    bare: bool,
    /// Whether it may be a string.
    strings: bool,
}

/// What a designator names.
struct Target {
    designator: String,
    way: Vec<usize>,
    /// Whether it names several elements at once.
    range: bool,
}

fn name(names: &mut u32) -> String {
    *names += 1;
    format!("m{}", *names - 1)
}
