//! Statements: declarations, assignments, control flow. Every loop counts.

use super::Generator;
use super::features::Part;
use super::scope::{Access, Extent, Use, Var};
use super::tree::Node;
use super::types::{INT, Type};

/// Names that are declared again and again, so that inner ones hide outer ones.
const SHADOWS: &[&str] = &["a", "b", "c", "d"];

/// How deep blocks are nested.
const NESTING: u32 = 4;

impl Generator {
    /// A block of about `size` statements, with its own scope.
    pub(super) fn block(&mut self, size: u32) -> Node {
        let (mark, outer) = (self.vars.len(), self.opened);
        self.depth += 1;
        self.opened = mark;
        let mut statements = self.statements(size);
        statements.extend(self.mix_from(mark, 3));
        self.vars.truncate(mark);
        self.depth -= 1;
        self.opened = outer;
        Node::block(statements)
    }

    /// Some statements; their declarations stay in scope.
    pub(super) fn statements(&mut self, size: u32) -> Vec<Node> {
        let mut statements = Vec::new();
        for _ in 0..self.rng.u32(1..=size.max(1)) {
            if !self.affords(4) {
                break;
            }
            self.charge(1);
            statements.push(self.statement());
        }
        statements
    }

    fn statement(&mut self) -> Node {
        let nested = self.depth < NESTING && self.affords(8);
        match self.rng.u32(0..34) {
            0..=4 => self.declaration(),
            5..=12 => self.assignment(),
            13 => self.step_by_one(),
            14 | 15 if !self.pure => Node::statement("@mix(#);", [self.full(3)]),
            16 => Node::statement("#;", [self.full(3)]),
            17 | 18 if nested => self.conditional(),
            19..=21 if nested => self.counting_loop(),
            22 | 23 if nested => self.conditional_loop(),
            24 | 25 if nested && self.has(Part::Switch) => self.selection(),
            26 if nested && self.has(Part::Jumps) => self.jumps(),
            27 => self.leave(),
            28 => Node::statement("#", [self.block(2)]),
            29 | 30 if self.has(Part::Functions) => self.call_statement(),
            31 if self.has_scenes() && self.has_room() => self.scene(),
            _ => self.memory_statement(),
        }
    }

    /// A variable with its initialiser.
    pub(super) fn declaration(&mut self) -> Node {
        let ty = if self.has(Part::Pointers) && self.chance(4) {
            Type::Pointer(Box::new(self.target_type()))
        } else {
            self.some_type()
        };
        let shadows = self.has(Part::Pointers) || self.rng.bool();
        let taken = |name: &&str| self.vars[self.opened..].iter().any(|var| var.name == **name);
        let free: Vec<&str> = SHADOWS.iter().copied().filter(|name| !taken(name)).collect();
        let name = match self.rng.choice(&free) {
            Some(name) if shadows && self.depth > 1 => (*name).to_owned(),
            Some(_) | None => self.fresh("v"),
        };
        let fixed = !self.pure && self.chance(10);
        let access = match self.rng.u32(0..8) {
            0 if !matches!(ty, Type::Pointer(_)) => Access::Constant,
            1..=4 if matches!(ty, Type::Int(_)) => Access::Private,
            _ => Access::Open,
        };
        self.declare(&name, &ty, access, fixed)
    }

    /// Declares a variable of that name; `fixed` makes it live as long as the program.
    fn declare(&mut self, name: &str, ty: &Type, access: Access, fixed: bool) -> Node {
        let declared = self.declarator(ty, name);
        let depth = if fixed { 0 } else { self.depth };
        // From here on the name means the new variable, which has no value yet.
        let at = self.vars.len();
        let ready = false;
        self.vars.push(Var { name: name.to_owned(), ty: ty.clone(), depth, access, extent: Extent::Type, ready });
        let Some(initialiser) = self.initialiser(ty, fixed, depth) else {
            self.vars.truncate(at);
            return self.assignment();
        };
        self.vars[at].ready = true;
        let how = match (fixed, access) {
            (true, _) => "static ",
            (false, Access::Constant) => "const ",
            (false, Access::Private | Access::Open) => "",
        };
        if self.has(Part::Gnu) && how.is_empty() && matches!(ty, Type::Int(_)) && self.chance(8) {
            let text = format!("__typeof__(({})0) {name} = #;", self.type_name(ty));
            return Node::statement(&text, [initialiser]);
        }
        Node::statement(&format!("{how}{declared} = #;"), [initialiser])
    }

    /// An initialiser; one that is `constant` can stand outside of functions.
    pub(super) fn initialiser(&mut self, ty: &Type, constant: bool, depth: u32) -> Option<Node> {
        match ty {
            Type::Int(_) if constant => Some(self.constant()),
            Type::Int(_) => Some(self.full(2)),
            Type::Pointer(target) => {
                let place = self.place(Use::Address(depth), &|other| *other == **target)?;
                let simple = !constant || place.node.size() == 1;
                simple.then(|| Node::fixed("&#", [place.node]))
            }
            Type::Record(_) if !constant && self.chance(3) => match self.object(ty) {
                Some(object) => Some(object),
                None => self.list(ty, constant),
            },
            Type::Record(_) | Type::Array(..) => self.list(ty, constant),
        }
    }

    /// A list in braces, complete or with gaps.
    fn list(&mut self, ty: &Type, constant: bool) -> Option<Node> {
        let parts: Vec<(String, Type)> = match ty {
            Type::Array(element, length) => {
                (0..*length).map(|at| (format!("[{at}] = "), (**element).clone())).collect()
            }
            Type::Record(at) => {
                let record = &self.records[*at];
                let count = if record.union { 1 } else { record.fields.len() };
                let fields = record.fields[..count].iter();
                fields.map(|field| (format!(".{} = ", field.name), field.ty.clone())).collect()
            }
            Type::Int(_) | Type::Pointer(_) => return None,
        };
        let designated = self.chance(3);
        let mut list = Vec::new();
        let keep = if self.chance(3) { self.rng.usize(1..=parts.len()) } else { parts.len() };
        for (at, (designator, ty)) in parts.into_iter().enumerate() {
            // The first one stays: in a union it covers all bytes.
            let left_out = at >= keep || designated && at > 0 && self.chance(4);
            if !left_out {
                // Elements without an order of evaluation must not have effects.
                let constant = constant || matches!(ty, Type::Int(_)) && self.chance(2);
                let value = match ty {
                    Type::Int(_) if constant => self.constant(),
                    Type::Int(_) => self.expression(1),
                    Type::Record(_) | Type::Array(..) => self.list(&ty, constant)?,
                    Type::Pointer(_) => return None,
                };
                list.push(if designated { Node::fixed(&format!("{designator}#"), [value]) } else { value });
            }
        }
        Some(Node::list(list))
    }

    /// An assignment, simple or compound, to an integer or to a whole struct.
    pub(super) fn assignment(&mut self) -> Node {
        if self.has(Part::Structs) && self.chance(6) {
            let wanted = |ty: &Type| matches!(ty, Type::Record(_));
            if let Some(left) = self.place(Use::Write, &wanted)
                && let Some(right) = self.object(&left.ty)
            {
                return Node::statement("# = #;", [left.node, right]);
            }
        }
        self.reserve();
        let Some(left) = self.integer(Use::Write) else {
            self.release();
            return Node::statement(";", []);
        };
        let unsigned = self.is_unsigned(&left);
        let node = match self.rng.u32(0..14) {
            // Compilers disagree on the width in which a wide bit-field is computed with.
            _ if left.bits.is_some_and(|bits| bits > 32) => Node::statement("# = #;", [left.node, self.expression(3)]),
            0 => {
                let operator = if self.rng.bool() { "/=" } else { "%=" };
                Node::statement(&format!("# {operator} {};", self.divisor()), [left.node])
            }
            1 => Node::statement("# >>= (# & 31);", [left.node, self.expression(2)]),
            2 if unsigned => Node::statement("# <<= (# & 15);", [left.node, self.expression(2)]),
            3..=6 => {
                let operator = self.rng.choice(["+=", "-=", "*=", "&=", "|=", "^="]).unwrap_or("+=");
                Node::statement(&format!("# {operator} #;"), [left.node, self.expression(3)])
            }
            _ => Node::statement("# = #;", [left.node, self.expression(3)]),
        };
        self.release();
        node
    }

    fn step_by_one(&mut self) -> Node {
        let Some(place) = self.integer(Use::Write) else { return self.assignment() };
        let text = self.rng.choice(["#++;", "#--;", "++#;", "--#;"]).unwrap_or("#++;");
        Node::statement(text, [place.node])
    }

    fn conditional(&mut self) -> Node {
        let condition = self.full(3);
        let first = self.block(3);
        if self.rng.bool() {
            return Node::statement("if (#) #", [condition, first]);
        }
        Node::statement("if (#) # else #", [condition, first, self.block(3)])
    }

    /// Writes the body of a loop with at most `times` rounds.
    fn body(&mut self, times: u64, size: u32) -> Node {
        let outer = self.exits.clone();
        self.exits.retain(|exit| exit.starts_with("goto"));
        self.exits.extend(["break;".to_owned(), "continue;".to_owned()]);
        self.times *= times;
        let body = self.block(size);
        self.times /= times;
        self.exits = outer;
        body
    }

    fn counting_loop(&mut self) -> Node {
        let (name, times) = (self.fresh("i"), self.rng.u64(1..=4));
        let ty = self.rng.choice(["int", "unsigned", "unsigned char", "long", "short"]).unwrap_or("int");
        let head = match self.rng.u32(0..3) {
            0 => format!("for ({ty} {name} = {times}; {name} > 0; {name}--) #"),
            1 => format!("for ({ty} {name} = 0; {name} < {}; {name} += 3) #", 3 * times),
            _ => format!("for ({ty} {name} = 0; {name} < {times}; ++{name}) #"),
        };
        let mark = self.vars.len();
        let (ty, depth, extent) = (Type::Int(INT), self.depth + 1, Extent::Type);
        self.vars.push(Var { name, ty, depth, access: Access::Constant, extent, ready: true });
        let body = self.body(times, 3);
        self.vars.truncate(mark);
        Node::statement(&head, [body])
    }

    fn conditional_loop(&mut self) -> Node {
        let (name, times) = (self.fresh("n"), self.rng.u64(1..=4));
        self.times *= times;
        let condition = self.full(2);
        self.times /= times;
        let body = self.body(times, 3);
        if self.rng.bool() {
            let text = format!("{{ int {name} = 0; while ({name}++ < {times} && #) # }}");
            Node::statement(&text, [condition, body])
        } else {
            let text = format!("{{ int {name} = 0; do # while (++{name} < {times} && #); }}");
            Node::statement(&text, [body, condition])
        }
    }

    /// A `switch` with its default anywhere, where some cases fall through.
    fn selection(&mut self) -> Node {
        self.tell(Part::Switch);
        let subject = self.full(2);
        let outer = self.exits.clone();
        self.exits.push("break;".to_owned());
        let count = self.rng.i64(2..=4);
        let default = self.rng.i64(0..=count);
        let mut cases = Vec::new();
        for at in 0..count {
            let label = match self.rng.u32(0..6) {
                _ if at == default => "default:".to_owned(),
                0 if self.has(Part::Gnu) => format!("case {} ... {}:", at * 10, at * 10 + 7),
                1 => format!("case {}: case {}:", at * 10, at * 10 + 1),
                2 => format!("case -{}:", at + 1),
                _ => format!("case {}:", at * 10 + self.rng.i64(0..8)),
            };
            let end = if self.chance(3) { "" } else { " break;" };
            cases.push(Node::statement(&format!("{label} #{end}"), [self.block(2)]));
        }
        self.exits = outer;
        let modulus = self.rng.choice([" % 40", " & 31", ""]).unwrap_or_default();
        Node::statement(&format!("switch (#{modulus}) #"), [subject, Node::block(cases)])
    }

    /// A jump back that counts, or a place to jump to from anywhere before it.
    fn jumps(&mut self) -> Node {
        self.tell(Part::Jumps);
        let label = self.fresh("L");
        if self.rng.bool() {
            let outer = self.exits.clone();
            self.exits.push(format!("goto {label};"));
            let body = self.block(4);
            self.exits = outer;
            return Node::statement(&format!("{{ # {label}:; }}"), [body]);
        }
        let (name, times) = (self.fresh("n"), self.rng.u64(2..=3));
        self.times *= times;
        let (body, condition) = (self.block(3), self.full(2));
        self.times /= times;
        let text = format!("{{ int {name} = 0; {label}: # if (++{name} < {times} && #) goto {label}; }}");
        Node::statement(&text, [body, condition])
    }

    /// Leaves something early, under a condition.
    fn leave(&mut self) -> Node {
        let condition = self.full(2);
        match (self.rng.choice(&self.exits).cloned(), self.result.clone()) {
            (Some(exit), _) if self.rng.bool() => Node::statement(&format!("if (#) {exit}"), [condition]),
            (_, Some(ty)) => match self.result_value(&ty) {
                Some(value) => Node::statement("if (#) return #;", [condition, value]),
                None => self.assignment(),
            },
            (_, None) => self.assignment(),
        }
    }

    /// A value that a function of this type can return.
    pub(super) fn result_value(&mut self, ty: &Type) -> Option<Node> {
        if matches!(ty, Type::Int(_)) { Some(self.full(3)) } else { self.object(ty) }
    }

    /// Mixes at most `most` integers of each variable from `mark` on into the checksum.
    pub(super) fn mix_from(&mut self, mark: usize, most: usize) -> Vec<Node> {
        let mut statements = Vec::new();
        for at in mark..self.vars.len() {
            let var = self.vars[at].clone();
            if self.pure || !var.ready || var.extent != Extent::Type || !self.affords(2) {
                continue;
            }
            let mut leaves = Vec::new();
            self.leaves(&var.name, &var.ty, &mut leaves);
            self.rng.shuffle(&mut leaves);
            for leaf in leaves.into_iter().take(most) {
                self.charge(1);
                statements.push(Node::statement("@mix(#);", [Node::number(&leaf, [])]));
            }
        }
        statements
    }
}
