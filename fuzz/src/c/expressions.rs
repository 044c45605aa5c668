//! Expressions: all operators on all integer types, mixed freely, with their guards.

use super::Generator;
use super::features::Part;
use super::scope::{Access, Extent, Use};
use super::tree::Node;
use super::types::Type;

/// Constants at the edges of the types.
const EDGES: &[&str] = &[
    "0",
    "1",
    "2",
    "7",
    "127",
    "128",
    "255",
    "256",
    "32767",
    "65535",
    "0x7fffffff",
    "0x80000000",
    "2147483648",
    "4294967295u",
    "(-1)",
    "(-128)",
    "(-32768)",
    "(-2147483647 - 1)",
    "0xffffffffffffffffULL",
    "0x7fffffffffffffffLL",
    "(-9223372036854775807LL - 1)",
    "1L",
    "3UL",
    "0377",
    "'a'",
    "'\\n'",
    "'\\xff'",
    "'\\0'",
    "5u",
    "1ull",
];

/// Operators that cannot go wrong when signed arithmetic wraps around.
const HARMLESS: &[&str] =
    &["+", "-", "*", "&", "|", "^", "+", "-", "==", "!=", "<", "<=", ">", ">=", "&&", "||", "<", "=="];

impl Generator {
    /// An integer expression.
    pub(super) fn expression(&mut self, depth: u32) -> Node {
        if depth == 0 || self.chance(5) {
            return self.simple();
        }
        let depth = depth - 1;
        match self.rng.u32(0..24) {
            0..=7 => {
                let operator = self.rng.choice(HARMLESS).copied().unwrap_or("+");
                Node::number(&format!("(# {operator} #)"), [self.expression(depth), self.expression(depth)])
            }
            8 | 9 => self.quotient(depth),
            10 | 11 => self.shift(depth),
            12 => {
                let operator = self.rng.choice(["-", "~", "!", "+"]).unwrap_or("-");
                Node::number(&format!("({operator}#)"), [self.expression(depth)])
            }
            13 | 14 => {
                let ty = self.int_type();
                Node::number(&format!("(({})#)", self.type_name(&ty)), [self.expression(depth)])
            }
            15 => {
                let parts = [self.expression(depth), self.expression(depth), self.expression(depth)];
                Node::number("(# ? # : #)", parts)
            }
            16 => Node::number("(# ?: #)", [self.expression(depth), self.expression(depth)]).if_gnu(self),
            17 | 18 => self.effect(depth),
            19 => self.pure_call(depth),
            20 => self.size_of(),
            21 => self.unusual(depth),
            _ => self.look_at_memory(depth),
        }
    }

    /// A constant, or the value of an object.
    pub(super) fn simple(&mut self) -> Node {
        match self.rng.u32(0..10) {
            0 | 1 => Node::number(&self.rng.u32(0..20).to_string(), []),
            2 => self.constant(),
            _ => match self.value() {
                Some(node) => node,
                None => self.constant(),
            },
        }
    }

    /// The value of an integer object. Indices are values themselves, so their nesting is cut.
    fn value(&mut self) -> Option<Node> {
        if self.nesting > 1 {
            return None;
        }
        self.nesting += 1;
        let place = self.integer(Use::Read);
        self.nesting -= 1;
        place.map(Generator::read)
    }

    /// A constant expression.
    pub(super) fn constant(&mut self) -> Node {
        match self.rng.u32(0..8) {
            0 if !self.enumerators.is_empty() => {
                let at = self.rng.usize(0..self.enumerators.len());
                Node::number(&self.enumerators[at].clone(), [])
            }
            1 => {
                let ty = self.int_type();
                let edge = self.rng.choice(EDGES).copied().unwrap_or("0");
                Node::number(&format!("({}){edge}", self.type_name(&ty)), [])
            }
            2..=4 => Node::number(self.rng.choice(EDGES).copied().unwrap_or("0"), []),
            5 => Node::number(&format!("({})", self.rng.i32(-1000..0)), []),
            _ => {
                let bits = self.rng.u32(1..32);
                Node::number(&self.rng.u32(0..1 << bits).to_string(), [])
            }
        }
    }

    /// A division or remainder by a constant, or by an object that is asked first.
    fn quotient(&mut self, depth: u32) -> Node {
        let operator = if self.rng.bool() { "/" } else { "%" };
        let dividend = self.expression(depth);
        if self.rng.bool() {
            let divisor = self.divisor();
            return Node::number(&format!("(# {operator} {divisor})"), [dividend]);
        }
        let read = self.candidates(Use::Read);
        let plain = |at: &usize| matches!(self.vars[*at].ty, Type::Int(_)) && self.vars[*at].extent == Extent::Type;
        let names: Vec<usize> = read.into_iter().filter(plain).collect();
        match self.rng.choice(&names) {
            Some(at) => {
                let name = self.vars[*at].name.clone();
                let text = format!("(({name} == 0 || {name} == -1) ? # : (# {operator} {name}))");
                let other = self.simple();
                Node::number(&text, [other, dividend])
            }
            None => Node::number(&format!("(# {operator} 3)"), [dividend]),
        }
    }

    /// A constant that anything can be divided by.
    pub(super) fn divisor(&mut self) -> String {
        let number = self.rng.u32(2..1000);
        match self.rng.u32(0..5) {
            0 => format!("(-{number})"),
            1 => format!("{number}u"),
            2 => format!("{number}LL"),
            _ => number.to_string(),
        }
    }

    fn shift(&mut self, depth: u32) -> Node {
        let (left, right) = (self.expression(depth), self.expression(depth));
        let text = match self.rng.u32(0..6) {
            0 => "((unsigned)# << (# & 31))",
            1 => "((unsigned long long)# << (# & 63))",
            2 => "((# & 1023) << (# & 15))",
            3 => "((unsigned char)# << (# & 15))",
            4 => "((long long)# >> (# & 63))",
            _ => "(# >> (# & 31))",
        };
        Node::number(text, [left, right])
    }

    /// The size of a type or of an object.
    fn size_of(&mut self) -> Node {
        let vars: Vec<usize> = self.candidates(Use::Read);
        let known = |at: &usize| matches!(self.vars[*at].extent, Extent::Type);
        let vars: Vec<usize> = vars.into_iter().filter(known).collect();
        match self.rng.choice(&vars) {
            Some(at) if self.rng.bool() => Node::number(&format!("sizeof({})", self.vars[*at].name), []),
            Some(_) | None => {
                let ty = self.some_type();
                Node::number(&format!("sizeof({})", self.type_name(&ty)), [])
            }
        }
    }

    /// Forms that are seldom written.
    fn unusual(&mut self, depth: u32) -> Node {
        match self.rng.u32(0..4) {
            0 if self.has(Part::Gnu) => {
                self.tell(Part::Gnu);
                let (name, ty) = (self.fresh("t"), self.int_type());
                let declared = self.declarator(&ty, &name);
                let inner = self.expression(depth);
                // The new name is used by the text alone, so what is embedded may change freely.
                Node::number(&format!("({{ {declared} = #; {name} + #; }})"), [inner, self.expression(depth)])
            }
            1 if self.has(Part::Structs) => {
                let records: Vec<usize> =
                    (0..self.records.len()).filter(|at| self.plain_member(*at).is_some()).collect();
                let Some(at) = self.rng.choice(&records).copied() else { return self.simple() };
                let member = self.plain_member(at).unwrap_or_default();
                let text = format!("(({}){{.{member} = #}}.{member})", self.records[at].text);
                Node::number(&text, [self.expression(depth)])
            }
            2 if self.has(Part::Arrays) => {
                let ty = self.int_type();
                let text = format!("(({}[4]){{#, #, [3] = #}}[# & 3])", self.type_name(&ty));
                let parts = [self.simple(), self.simple(), self.simple(), self.expression(depth)];
                Node::number(&text, parts)
            }
            3 if self.has(Part::Strings) => Node::number("(\"tamis\\0\\377\"[# & 7])", [self.expression(depth)]),
            _ => self.simple(),
        }
    }

    /// The first member of a record, if it is an integer and no bit-field.
    fn plain_member(&self, record: usize) -> Option<String> {
        let field = self.records[record].fields.iter().find(|field| field.bits.is_none())?;
        let first = field.name == "m0" || !self.records[record].union;
        (first && matches!(field.ty, Type::Int(_))).then(|| field.name.clone())
    }

    /// Reserves some private variables, so that the expression written next may change them.
    pub(super) fn reserve(&mut self) {
        self.reserved.clear();
        if !self.has(Part::Effects) {
            return;
        }
        let open = self.candidates(Use::Write);
        for at in open {
            let private = self.vars[at].access == Access::Private && matches!(self.vars[at].ty, Type::Int(_));
            if private && self.vars[at].depth > 0 && self.reserved.len() < 2 && self.chance(3) {
                self.reserved.push(at);
            }
        }
    }

    /// A whole expression, with side effects on private variables.
    pub(super) fn full(&mut self, depth: u32) -> Node {
        self.reserve();
        let node = self.expression(depth);
        self.release();
        node
    }
}

impl Node {
    /// The node, if GNU extensions may occur; its first child otherwise.
    fn if_gnu(self, generator: &Generator) -> Node {
        if generator.has(Part::Gnu) {
            return self;
        }
        self.children().next().cloned().unwrap_or_else(|| Node::number("0", []))
    }
}
