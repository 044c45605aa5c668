//! Functions and global variables, and the program as a whole.

use super::Generator;
use super::features::Part;
use super::scope::{Access, Extent, Var};
use super::tree::{Kind, Node, Piece};
use super::types::{INT, Type};

/// A function that can be called.
#[derive(Clone, Debug)]
pub(super) struct Function {
    pub name: String,
    pub params: Vec<Type>,
    /// `None` for `void`.
    pub result: Option<Type>,
    /// Whether it changes nothing but its own variables.
    pub pure: bool,
    /// Whether its first parameter counts down to the end of the recursion.
    pub recursive: bool,
    /// How many statements a call carries out.
    pub cost: u64,
    /// A table of functions that it is in.
    pub table: Option<String>,
}

/// What every program begins with. The prototypes fit both data models.
const PRELUDE: &str = "extern int printf(const char *, ...);
typedef __typeof__(sizeof(int)) size_t;
extern void *malloc(size_t);
extern void *calloc(size_t, size_t);
extern void *realloc(void *, size_t);
extern void free(void *);
extern void *memset(void *, int, size_t);
extern void *memcpy(void *, const void *, size_t);
extern void *memmove(void *, const void *, size_t);
extern int memcmp(const void *, const void *, size_t);
extern size_t strlen(const char *);
unsigned long long @checksum;
static void @mix(unsigned long long value) { @checksum = (@checksum ^ value) * 1099511628211ULL + 7; }";

impl Generator {
    pub(super) fn program(&mut self) -> Node {
        let mut items = vec![Node::fixed(PRELUDE, [])];
        items.extend(self.declare_types());
        for _ in 0..self.rng.u32(1..=6) {
            items.extend(self.global());
        }
        if self.has(Part::Functions) {
            for _ in 0..self.rng.u32(0..=4) {
                items.extend(self.some_functions());
            }
        }
        let main = self.main();
        items.append(&mut self.pending);
        items.push(main);
        Node { kind: Kind::Unit, pieces: items.into_iter().map(Piece::Node).collect() }
    }

    fn global(&mut self) -> Option<Node> {
        let name = self.fresh("@g");
        let pointer = self.has(Part::Pointers) && self.chance(5);
        let (ty, text) = if pointer {
            (Type::Pointer(Box::new(self.int_type())), None)
        } else if self.has(Part::Strings) && self.chance(8) {
            let (text, ty) = self.text();
            (ty, Some(text))
        } else {
            (self.some_type(), None)
        };
        let declared = self.declarator(&ty, &name);
        let how = self.rng.choice(["", "static ", "static const "]).unwrap_or_default();
        let how = if pointer { "static " } else { how };
        let bare = how != "static const " && !pointer && self.chance(6);
        let node = if bare {
            Node::statement(&format!("{how}{declared};"), [])
        } else {
            let initialiser = match text {
                Some(text) => Node::fixed(&text, []),
                None => self.initialiser(&ty, true, 0)?,
            };
            Node::statement(&format!("{how}{declared} = #;"), [initialiser])
        };
        let access = if how == "static const " { Access::Constant } else { Access::Open };
        self.vars.push(Var { name, ty, depth: 0, access, extent: Extent::Type, ready: true });
        Some(node)
    }

    /// One function, or two of the same type and a table of them.
    fn some_functions(&mut self) -> Vec<Node> {
        if self.has(Part::FunctionPointers) && self.chance(3) {
            return self.table();
        }
        let (pure, recursive) = (self.rng.bool(), self.has(Part::Recursion) && self.chance(4));
        let mut params = if recursive { vec![Type::Int(INT)] } else { Vec::new() };
        for _ in 0..self.rng.u32(0..=3) {
            let pointer = self.has(Part::Pointers) && !pure && self.chance(3);
            params.push(match self.rng.u32(0..5) {
                _ if pointer => Type::Pointer(Box::new(self.target_type())),
                0 if !self.records.is_empty() => Type::Record(self.rng.usize(0..self.records.len())),
                _ => self.int_type(),
            });
        }
        let result = match self.rng.u32(0..6) {
            0 if !pure && !recursive => None,
            1 if !self.records.is_empty() => Some(Type::Record(self.rng.usize(0..self.records.len()))),
            _ => Some(self.int_type()),
        };
        let name = self.fresh("@f");
        let function = Function { name, params, result, pure, recursive, cost: 0, table: None };
        self.function(function)
    }

    fn table(&mut self) -> Vec<Node> {
        self.tell(Part::FunctionPointers);
        let params: Vec<Type> = (0..self.rng.u32(1..=3)).map(|_| self.int_type()).collect();
        let result = self.int_type();
        let first = self.functions.len();
        let mut items = Vec::new();
        for _ in 0..2 {
            let (name, result) = (self.fresh("@f"), Some(result.clone()));
            let (params, cost) = (params.clone(), 0);
            items.extend(self.function(Function {
                name,
                params,
                result,
                pure: true,
                recursive: false,
                cost,
                table: None,
            }));
        }
        let table = self.fresh("@t");
        let names: Vec<String> = self.functions[first..].iter().map(|function| function.name.clone()).collect();
        let types: Vec<String> = params.iter().map(|ty| self.type_name(ty)).collect();
        let declared = self.declarator(&result, &format!("(*const {table}[4])({})", types.join(", ")));
        let text = format!("static {declared} = {{ {0}, {1}, &{1}, {0} }};", names[0], names[1]);
        items.push(Node::statement(&text, []));
        let cost = self.functions[first..].iter().map(|function| function.cost).max().unwrap_or(0);
        for function in &mut self.functions[first..] {
            (function.table, function.cost) = (Some(table.clone()), cost);
        }
        items
    }

    /// Writes a function and makes it known.
    fn function(&mut self, mut function: Function) -> Vec<Node> {
        self.tell(Part::Functions);
        let mark = self.vars.len();
        let mut params = Vec::new();
        self.depth = 1;
        for (at, ty) in function.params.clone().into_iter().enumerate() {
            let name = self.fresh("p");
            params.push(self.declarator(&ty, &name));
            let access = match self.rng.u32(0..2) {
                _ if function.recursive && at == 0 => Access::Constant,
                0 if matches!(ty, Type::Int(_)) => Access::Private,
                _ => Access::Open,
            };
            self.vars.push(Var { name, ty, depth: 1, access, extent: Extent::Type, ready: true });
        }
        (self.pure, self.result) = (function.pure, function.result.clone());
        // So that a function can be called a few times, it starts with most of the steps used up.
        let (spent, rounds) = (super::STEPS - super::STEPS / 8, if function.recursive { 4 } else { 1 });
        (self.cost, self.times) = (spent, rounds);
        let body = self.function_body(&function, mark);
        function.cost = (self.cost - spent).max(1);
        (self.pure, self.result, self.depth) = (false, None, 0);
        self.vars.truncate(mark);
        let params = if params.is_empty() { "void".to_owned() } else { params.join(", ") };
        let head = format!("{}({params})", function.name);
        let head = match &function.result {
            Some(ty) => self.declarator(ty, &head),
            None => format!("void {head}"),
        };
        self.functions.push(function);
        let mut items = std::mem::take(&mut self.pending);
        if self.chance(3) {
            items.push(Node::statement(&format!("static {head};"), []));
        }
        items.push(Node::statement(&format!("static {head} #"), [body]));
        items
    }

    fn function_body(&mut self, function: &Function, mark: usize) -> Node {
        let params = self.vars.len();
        let mut statements = Vec::new();
        // Something of the type of the result is always at hand.
        let name = self.fresh("r");
        let result = Node::fixed(&name, []);
        if let Some(ty @ Type::Record(at)) = &function.result {
            let text = self.records[*at].text.clone();
            statements.push(Node::fixed(&format!("{text} {name} = {{#}};"), [Node::number("0", [])]));
            let (ty, depth, extent) = (ty.clone(), 1, Extent::Type);
            self.vars.push(Var { name, ty, depth, access: Access::Open, extent, ready: true });
        }
        if function.recursive
            && let Some(end) = function.result.clone().and_then(|ty| self.result_value(&ty))
        {
            let count = self.vars[mark].name.clone();
            statements.push(Node::fixed(&format!("if ({count} <= 0) return #;"), [end]));
            statements.extend(self.statements(2));
            statements.extend(self.recursive_call(function, &count));
        }
        statements.extend(self.statements(4));
        statements.extend(self.mix_from(params, 2));
        if let Some(ty) = &function.result {
            let value = self.result_value(ty).unwrap_or(result);
            statements.push(Node::fixed("return #;", [value]));
        }
        Node::block(statements)
    }

    fn recursive_call(&mut self, function: &Function, count: &str) -> Option<Node> {
        self.tell(Part::Recursion);
        let mut arguments = Vec::new();
        for ty in &function.params[1..] {
            arguments.push(self.argument(ty)?);
        }
        let ty = function.result.clone()?;
        let (name, holes) = (self.fresh("r"), ", #".repeat(arguments.len()));
        let declared = self.declarator(&ty, &name);
        let text = format!("{declared} = {}({count} - 1{holes});", function.name);
        self.vars.push(Var { name, ty, depth: 1, access: Access::Open, extent: Extent::Type, ready: true });
        Some(Node::statement(&text, arguments))
    }

    /// A call of any function, as a whole right-hand side or alone.
    pub(super) fn call_statement(&mut self) -> Node {
        let allowed = |at: &usize| {
            let function = &self.functions[*at];
            (function.pure || !self.pure) && self.affords(function.cost)
        };
        let open: Vec<usize> = (0..self.functions.len()).filter(allowed).collect();
        let Some(at) = self.rng.choice(&open).copied() else { return self.assignment() };
        let result = self.functions[at].result.clone();
        self.reserve();
        let call = self.call(at);
        self.release();
        let Some(call) = call else { return self.assignment() };
        let Some(ty) = result else { return Node::statement("#;", [call]) };
        // The left side is one name, which needs no evaluation that the call could disturb.
        let same = |var: &&Var| var.ty == ty && var.extent == Extent::Type && var.access != Access::Constant;
        let open = self.candidates(super::scope::Use::Write);
        let names: Vec<Var> = open.iter().map(|at| &self.vars[*at]).filter(same).cloned().collect();
        match self.rng.choice(&names) {
            Some(var) => {
                let private = var.access == Access::Private && matches!(ty, Type::Int(_));
                let operator = if private && self.rng.bool() { "+=" } else { "=" };
                Node::statement(&format!("{} {operator} #;", var.name), [call])
            }
            None if matches!(ty, Type::Int(_)) && !self.pure => {
                let name = self.fresh("v");
                let declared = self.declarator(&ty, &name);
                self.vars.push(Var {
                    name,
                    ty,
                    depth: self.depth,
                    access: Access::Private,
                    extent: Extent::Type,
                    ready: true,
                });
                Node::statement(&format!("{declared} = #;"), [call])
            }
            None => Node::statement("#;", [call]),
        }
    }

    fn main(&mut self) -> Node {
        (self.depth, self.cost, self.times) = (1, 0, 1);
        let mut statements = Vec::new();
        for _ in 0..3 {
            statements.push(self.declaration());
        }
        statements.extend(self.statements(14));
        statements.extend(self.statements(10));
        if self.has_scenes() {
            for _ in 0..self.rng.u32(1..=3) {
                self.cost = self.cost.min(super::STEPS / 2);
                statements.push(self.scene());
            }
        }
        self.cost = 0;
        statements.extend(self.mix_from(0, 12));
        statements.push(Node::fixed("printf(\"%llu\\n\", @checksum);", []));
        statements.push(Node::fixed("return 0;", []));
        Node::fixed("int @main(void) #", [Node::block(statements)])
    }
}
