//! Pointers, bytes, the heap, arrays of variable length, and the functions of `<string.h>`.

use super::Generator;
use super::features::Part;
use super::scope::{Access, Extent, Use, Var};
use super::tree::Node;
use super::types::{BYTE, Type};

impl Generator {
    /// An expression about addresses or bytes.
    pub(super) fn look_at_memory(&mut self, depth: u32) -> Node {
        match self.rng.u32(0..6) {
            0 | 1 if self.has(Part::Pointers) && self.has(Part::Arrays) => self.positions(depth),
            2 if self.has(Part::Pointers) => self.same_target(),
            3 if self.has(Part::Bytes) => match self.byte() {
                Some(byte) => Node::number("#", [byte]),
                None => self.simple(),
            },
            4 if self.has(Part::Strings) => self.compared_bytes(),
            5 if self.has(Part::Strings) => Node::number("strlen(\"t\\0amis\" + (# & 3))", [self.expression(depth)]),
            _ => self.expression(depth),
        }
    }

    /// The arrays of integers without holes, with their lengths.
    fn arrays(&mut self, use_: Use) -> Vec<(String, Type, u32)> {
        let mut found = Vec::new();
        for at in self.candidates(use_) {
            let var = &self.vars[at];
            if let (Type::Array(element, length), Extent::Type) = (&var.ty, &var.extent)
                && self.is_full(element)
            {
                found.push((var.name.clone(), (**element).clone(), *length));
            }
        }
        found
    }

    /// Two positions in an array, compared or subtracted.
    fn positions(&mut self, depth: u32) -> Node {
        let arrays = self.arrays(Use::Read);
        let Some((name, _, length)) = self.rng.choice(&arrays).cloned() else { return self.simple() };
        let (mask, operator) = (length - 1, self.rng.choice(["-", "<", "<=", "==", "!=", ">"]).unwrap_or("-"));
        let text = format!("(&{name}[# & {mask}] {operator} ({name} + (# & {mask})))");
        Node::number(&text, [self.expression(depth), self.expression(depth)])
    }

    /// Whether two pointers are equal, or one is not null.
    fn same_target(&mut self) -> Node {
        let read = self.candidates(Use::Read);
        let pointers: Vec<Var> =
            read.into_iter().map(|at| self.vars[at].clone()).filter(|var| matches!(var.ty, Type::Pointer(_))).collect();
        let Some(first) = self.rng.choice(&pointers) else { return self.simple() };
        let same: Vec<&Var> = pointers.iter().filter(|var| var.ty == first.ty).collect();
        match self.rng.choice(same) {
            Some(second) if second.name != first.name => {
                Node::number(&format!("({} == {})", first.name, second.name), [])
            }
            Some(_) | None => Node::number(&format!("({} != 0)", first.name), []),
        }
    }

    /// A byte of an integer object.
    fn byte(&mut self) -> Option<Node> {
        self.tell(Part::Bytes);
        let full: Vec<bool> = (0..self.ints.len()).map(|at| self.is_full(&Type::Int(at))).collect();
        let wanted = |ty: &Type| matches!(ty, Type::Int(at) if full[*at]);
        let place = self.place(Use::Address(self.depth), &wanted)?;
        let text = format!("((unsigned char *)&#)[# & (sizeof({}) - 1)]", self.type_name(&place.ty));
        Some(Node::fixed(&text, [place.node, self.simple()]))
    }

    fn compared_bytes(&mut self) -> Node {
        self.tell(Part::Strings);
        let arrays = self.arrays(Use::Read);
        let (Some(a), Some(b)) = (self.rng.choice(&arrays).cloned(), self.rng.choice(&arrays).cloned()) else {
            return self.simple();
        };
        let operator = self.rng.choice(["<", "==", ">"]).unwrap_or("==");
        // An element has at least one byte.
        Node::number(&format!("(memcmp({}, {}, {}) {operator} 0)", a.0, b.0, a.2.min(b.2)), [])
    }

    /// A statement about addresses or memory.
    pub(super) fn memory_statement(&mut self) -> Node {
        let nested = self.depth < 4 && self.affords(16);
        match self.rng.u32(0..8) {
            0 if self.has(Part::Heap) && nested => self.heap(),
            1 if self.has(Part::VariableLength) && nested => self.variable_length(),
            2 | 3 if self.has(Part::Pointers) => self.point_elsewhere(),
            4 if self.has(Part::Bytes) && !self.pure => match self.byte() {
                Some(byte) => Node::statement("# = #;", [byte, self.expression(2)]),
                None => self.assignment(),
            },
            5 | 6 if self.has(Part::Strings) => self.moved_bytes(),
            7 if self.has(Part::Pointers) && self.has(Part::Arrays) => self.walk(),
            _ => self.assignment(),
        }
    }

    /// Lets a pointer point to another object.
    fn point_elsewhere(&mut self) -> Node {
        let open = self.candidates(Use::Write);
        let fits = |at: &usize| {
            let var = &self.vars[*at];
            matches!(var.ty, Type::Pointer(_)) && var.extent == Extent::Type && var.access != Access::Constant
        };
        let pointers: Vec<usize> = open.into_iter().filter(fits).collect();
        let Some(at) = self.rng.choice(&pointers) else { return self.assignment() };
        let var = self.vars[*at].clone();
        let Type::Pointer(target) = &var.ty else { return self.assignment() };
        match self.address(target, var.depth) {
            Some(address) => Node::statement(&format!("{} = #;", var.name), [address]),
            None => self.assignment(),
        }
    }

    /// `memset` or `memcpy` on different arrays of integers.
    fn moved_bytes(&mut self) -> Node {
        self.tell(Part::Strings);
        let (targets, sources) = (self.arrays(Use::Write), self.arrays(Use::Read));
        let Some(to) = self.rng.choice(&targets).cloned() else { return self.assignment() };
        match self.rng.choice(&sources).cloned() {
            Some(from) if from.0 != to.0 => {
                let text = format!("memcpy({}, {}, {});", to.0, from.0, to.2.min(from.2));
                Node::statement(&text, [])
            }
            Some(_) | None => Node::statement(&format!("memset({}, #, sizeof({}));", to.0, to.0), [self.expression(1)]),
        }
    }

    /// Walks over an array with a pointer.
    fn walk(&mut self) -> Node {
        let arrays = self.arrays(Use::Write);
        let Some((name, element, length)) = self.rng.choice(&arrays).cloned() else { return self.assignment() };
        let pointer = self.fresh("w");
        let declared = self.declarator(&element, &format!("*{pointer}"));
        let operator = self.rng.choice(["=", "+=", "^="]).unwrap_or("=");
        self.times *= u64::from(length);
        self.charge(2);
        let value = self.expression(2);
        self.times /= u64::from(length);
        let text = match self.rng.u32(0..3) {
            0 => format!(
                "for ({declared} = {name}; {pointer} < {name} + {length}; {pointer}++) *{pointer} {operator} #;"
            ),
            1 => {
                format!("{{ {declared} = {name} + {length}; while ({pointer} != {name}) *--{pointer} {operator} #; }}")
            }
            _ => format!(
                "{{ {declared} = &{name}[0]; do *{pointer}++ {operator} #; while ({pointer} - {name} < {length}); }}"
            ),
        };
        Node::statement(&text, [value])
    }

    /// A block with an array on the heap.
    fn heap(&mut self) -> Node {
        self.tell(Part::Heap);
        let (name, counter, length) = (self.fresh("h"), self.fresh("i"), 1 << self.rng.u32(0..=2));
        let element = if self.records.is_empty() || self.rng.bool() { self.int_type() } else { self.target_type() };
        let Type::Int(_) = element else { return self.heap_object(element) };
        let declared = self.declarator(&element, &format!("*{name}"));
        self.charge(2 * u64::from(length));
        let first = self.expression(1);
        let fill = format!("for (int {counter} = 0; {counter} < {length}; {counter}++) {name}[{counter}] = #;");
        let head = if self.rng.bool() {
            format!("{declared} = malloc({length} * sizeof(*{name})); {fill}")
        } else {
            format!("{declared} = calloc({length}, sizeof(*{name})); {name}[0] = #;")
        };
        let ty = Type::Pointer(Box::new(element));
        let body = self.inside(name.clone(), ty, Extent::Elements(length));
        Node::statement(&format!("{{ {head} # free({name}); }}"), [first, body])
    }

    /// A block with one struct on the heap.
    fn heap_object(&mut self, ty: Type) -> Node {
        let name = self.fresh("h");
        let Some(value) = self.object(&ty) else { return self.assignment() };
        let declared = self.declarator(&ty, &format!("*{name}"));
        let body = self.inside(name.clone(), Type::Pointer(Box::new(ty)), Extent::Elements(1));
        let text = format!("{{ {declared} = malloc(sizeof(*{name})); *{name} = #; # free({name}); }}");
        Node::statement(&text, [value, body])
    }

    /// A block with an array whose length is computed.
    fn variable_length(&mut self) -> Node {
        self.tell(Part::VariableLength);
        let (name, length, counter) = (self.fresh("y"), self.fresh("n"), self.fresh("i"));
        let element = self.int_type();
        let declared = self.declarator(&element, &format!("{name}[{length}]"));
        self.charge(8);
        let (count, first) = (self.full(2), self.expression(1));
        let ty = Type::Array(Box::new(element), 1);
        let body = self.inside(name.clone(), ty, Extent::Named(length.clone()));
        let text = format!(
            "{{ int {length} = (# & 3) + 1; {declared}; \
             for (int {counter} = 0; {counter} < {length}; {counter}++) {name}[{counter}] = #; #{} }}",
            if self.pure { String::new() } else { format!(" @mix(sizeof({name}) + {name}[{length} - 1]);") }
        );
        Node::statement(&text, [count, first, body])
    }

    /// A block in which one more variable is known.
    fn inside(&mut self, name: String, ty: Type, extent: Extent) -> Node {
        let mark = self.vars.len();
        let access = if matches!(extent, Extent::Named(_)) { Access::Private } else { Access::Open };
        self.vars.push(Var { name, ty, depth: self.depth + 1, access, extent, ready: true });
        let body = self.block(3);
        self.vars.truncate(mark);
        body
    }

    /// Text at file scope, as an array of bytes.
    pub(super) fn text(&mut self) -> (String, Type) {
        let text = self.rng.choice(["\"sieve\"", "\"a\\tb\\\\\"", "\"\"", "\"1234567\""]).unwrap_or("\"\"");
        (text.to_owned(), Type::Array(Box::new(Type::Int(BYTE)), 8))
    }
}
