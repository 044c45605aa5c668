//! The walk over a program: what each expression and statement does to the classes.

use super::{Class, PointsTo, Seen, gcd, key};
use crate::c::leaves::{Kind, Leaves};
use crate::c::library;
use crate::c::tree::{
    Callee, Expr, ExprKind, FunctionId, Init, ObjectId, Place, PlaceKind, Scale, Step, Stmt, StmtKind, Unit,
};
use crate::c::types::{Ty, Type};

/// The walk over a program.
pub(super) struct Walk<'u, 'c> {
    pub(super) unit: &'u Unit,
    leaves: Leaves,
    pub(super) classes: &'c mut PointsTo,
    function: Option<FunctionId>,
}

/// What a value may point to, if it can be an address at all.
pub(super) type Target = Option<Class>;

impl<'u, 'c> Walk<'u, 'c> {
    /// A walk that has seen nothing yet.
    pub(super) fn new(unit: &'u Unit, classes: &'c mut PointsTo) -> Walk<'u, 'c> {
        Walk { unit, leaves: Leaves::default(), classes, function: None }
    }

    /// Visits the body of a function.
    pub(super) fn function(&mut self, function: FunctionId, body: &Stmt) {
        self.function = Some(function);
        self.statement(body);
    }

    pub(super) fn join(&mut self, a: Target, b: Target) -> Target {
        if let (Some(a), Some(b)) = (a, b) {
            self.classes.unify(a, b);
        }
        a.or(b)
    }

    pub(super) fn refine(&mut self, class: Class, bytes: u64) {
        let class = self.classes.root(class);
        let grain = &mut self.classes.info[class.0 as usize].grain;
        *grain = gcd(*grain, bytes);
    }

    /// A value of that type is read or written in the class.
    pub(super) fn access(&mut self, class: Class, ty: Ty) {
        match self.leaves.of(&self.unit.types, ty) {
            None => self.refine(class, 1),
            Some(leaves) => {
                for leaf in leaves.iter() {
                    let bytes = match leaf.kind {
                        Kind::Scalar(ty) => self.unit.types.size_of(ty).unwrap_or(1),
                        Kind::Bits(_, bits) => bits.bytes,
                        Kind::Union(bytes) => bytes,
                    };
                    // A `long double` under ILP32 has twelve bytes; cells are powers of two.
                    self.refine(class, 1 << bytes.trailing_zeros());
                    self.refine(class, leaf.offset);
                    leaf.dims.iter().for_each(|(_, stride)| self.refine(class, *stride));
                }
            }
        }
    }

    /// The class of the object that a place is in; sub-expressions are visited.
    fn place(&mut self, place: &Place) -> Class {
        match &place.kind {
            PlaceKind::Object(object) => self.classes.objects[object.index()],
            PlaceKind::Literal(object, init) => {
                self.initialise(*object, init);
                self.classes.objects[object.index()]
            }
            PlaceKind::Deref(pointer) => {
                let target = self.value(pointer);
                let class = target.unwrap_or_else(|| self.classes.fresh());
                self.classes.pointers.insert(key(pointer), class);
                class
            }
            PlaceKind::Field(base, field) => {
                let class = self.place(base);
                let types = &self.unit.types;
                let offset = types.fields(base.ty).get(*field as usize).map_or(1, |field| field.offset);
                self.refine(class, offset);
                // The members of a union see each other's bytes.
                if types.is_union(base.ty) && !types.is_pointer(place.ty) {
                    let content = self.classes.content(class);
                    self.mark_numeric(content);
                    self.device(Some(content));
                }
                class
            }
            PlaceKind::Index(base, index) => {
                let class = self.place(base);
                self.value(index);
                self.refine(class, self.unit.types.size_of(place.ty).unwrap_or(1));
                class
            }
            PlaceKind::Value(record) => {
                let (class, content) = (self.classes.fresh(), self.value(record));
                let inside = self.classes.content(class);
                self.join(Some(inside), content);
                class
            }
        }
    }

    /// A place that is read or written as a whole.
    fn accessed(&mut self, place: &Place) -> Class {
        let class = self.place(place);
        match place.bits {
            Some(bits) => self.refine(class, 1 << bits.bytes.trailing_zeros()),
            None => self.access(class, place.ty),
        }
        class
    }

    /// Notes that the object which a place is in, if it is a variable, has its address taken.
    fn take(&mut self, place: &Place) {
        match &place.kind {
            PlaceKind::Object(object) | PlaceKind::Literal(object, _) => self.classes.taken[object.index()] = true,
            PlaceKind::Field(base, _) | PlaceKind::Index(base, _) => self.take(base),
            PlaceKind::Deref(_) | PlaceKind::Value(_) => {}
        }
    }

    fn scale(&mut self, target: Target, scale: &Scale) {
        let bytes = match scale {
            Scale::Bytes(bytes) => *bytes,
            Scale::Variable(size) => {
                self.value(size);
                1
            }
        };
        if let Some(class) = target {
            self.refine(class, bytes);
        }
    }

    fn value(&mut self, expr: &Expr) -> Target {
        self.read(expr);
        match &expr.kind {
            ExprKind::Int(number) => {
                self.classes.numbers.insert(*number);
                self.makes_address(expr, expr.ty).then(|| self.device(None))
            }
            ExprKind::Float(_) => None,
            ExprKind::Load(place) => {
                let class = self.accessed(place);
                Some(self.classes.content(class))
            }
            ExprKind::Address(place) => {
                self.take(place);
                Some(self.place(place))
            }
            ExprKind::Function(function) => {
                let function = self.unit.function(*function);
                self.classes.called_by_pointer[function.index()] = true;
                Some(self.classes.functions[function.index()])
            }
            ExprKind::Neg(operand) | ExprKind::BitNot(operand) => self.arithmetic(&[operand]),
            ExprKind::Not(operand) => {
                self.value(operand);
                None
            }
            ExprKind::Binary(op, left, right) if op.is_comparison() => {
                self.compare(left, right);
                None
            }
            ExprKind::Binary(_, left, right) => {
                let target = self.arithmetic(&[left, right]);
                self.note(expr, target)
            }
            ExprKind::PointerAdd { pointer, index, scale, .. } => {
                let target = self.value(pointer);
                self.value(index);
                self.scale(target, scale);
                target
            }
            ExprKind::PointerDiff { left, right, scale } => {
                self.compare(left, right);
                self.scale(None, scale);
                None
            }
            ExprKind::And(left, right) | ExprKind::Or(left, right) => {
                self.value(left);
                self.value(right);
                None
            }
            ExprKind::Conditional(condition, then, otherwise) => {
                self.value(condition);
                let (then, otherwise) = (self.value(then), self.value(otherwise));
                self.join(then, otherwise)
            }
            ExprKind::Elvis(first, second) => {
                let (first, second) = (self.value(first), self.value(second));
                self.join(first, second)
            }
            ExprKind::Comma(first, second) => {
                self.value(first);
                self.value(second)
            }
            ExprKind::Assign(place, value) => {
                let class = self.accessed(place);
                let value = self.value(value);
                let content = self.classes.content(class);
                self.join(Some(content), value)
            }
            ExprKind::Compound { place, value, scale, .. } => {
                let value = self.value(value);
                let target = self.update(place, value, scale.as_ref());
                self.note(expr, Some(target))
            }
            ExprKind::Increment { place, scale, .. } => Some(self.update(place, None, scale.as_ref())),
            ExprKind::Convert(operand) => {
                let mut target = self.value(operand);
                if self.unit.types.is_integer(operand.ty) && self.makes_address(operand, expr.ty) {
                    target = Some(self.device(target));
                }
                self.reinterpret(operand.ty, expr.ty, target);
                self.note(expr, target);
                let carries = matches!(self.unit.types.get(expr.ty), Type::Int(_) | Type::Bits(..) | Type::Pointer(_));
                target.filter(|_| carries)
            }
            ExprKind::Call(callee, args) => self.call(expr, callee, args),
            ExprKind::Statements(_, statements, last) => {
                for statement in statements {
                    self.statement(statement);
                }
                last.as_ref().and_then(|last| self.value(last))
            }
            ExprKind::Unsupported { operands, .. } => {
                for operand in operands {
                    let target = self.value(operand);
                    self.give_away(target);
                }
                Some(self.classes.unknown)
            }
        }
    }

    /// What an expression may point to is asked for again.
    fn note(&mut self, expr: &Expr, target: Target) -> Target {
        if let Some(class) = target {
            self.classes.pointers.insert(key(expr), class);
        }
        target
    }

    /// Two values are compared, or subtracted, which tells the same.
    fn compare(&mut self, left: &Expr, right: &Expr) {
        let (a, b) = (self.value(left), self.value(right));
        self.note(left, a);
        self.note(right, b);
        let types = &self.unit.types;
        let seen = if types.is_pointer(left.ty) { Seen::Pointers } else { Seen::Integers };
        let holds_addresses = types.scalar(left.ty).is_some_and(|(bits, _)| bits >= types.model.pointer_bits());
        if let (Some(a), Some(b), true) = (a, b, holds_addresses) {
            self.classes.operands.insert(key(left), a);
            self.classes.compared.push((a, b, seen));
        }
    }

    /// A place that gets a new value made of its old one and another.
    fn update(&mut self, place: &Place, value: Target, scale: Option<&Scale>) -> Class {
        let class = self.accessed(place);
        let content = self.classes.content(class);
        if let Some(scale) = scale {
            self.scale(Some(content), scale);
        } else {
            self.join(Some(content), value);
            self.classes.calculated.push(content);
        }
        content
    }

    /// A conversion may let addresses be seen as integers: directly, or by what a converted
    /// pointer will read.
    fn reinterpret(&mut self, from: Ty, to: Ty, target: Target) {
        let types = &self.unit.types;
        let Some(class) = target else { return };
        let holds_pointers = |ty: Ty| types.pointee(ty).is_some_and(|inside| types.is_pointer(inside));
        if types.is_pointer(from) && types.is_integer(to) {
            self.mark_numeric(class);
        } else if holds_pointers(from) && types.is_pointer(to) && !holds_pointers(to) {
            let content = self.classes.content(class);
            self.mark_numeric(content);
            self.device(Some(content));
        }
    }

    /// A class, or a new one, in which integers are addresses.
    pub(super) fn device(&mut self, target: Target) -> Class {
        let class = target.unwrap_or_else(|| self.classes.fresh());
        let class = self.classes.root(class);
        self.classes.info[class.0 as usize].device = true;
        class
    }

    /// Whether an integer becomes the address of an object or register. `NULL` does not, and neither
    /// do the last numbers, which stand for errors in kernels.
    fn makes_address(&self, integer: &Expr, to: Ty) -> bool {
        const ERRORS: i128 = 4096;
        let types = &self.unit.types;
        let is_object = |ty: Ty| !matches!(types.get(ty), Type::Function(_));
        let first_error = (1 << types.model.pointer_bits()) - ERRORS;
        let is_none = |number: i128| number == 0 || (-ERRORS..0).contains(&number) || number >= first_error;
        let none = matches!(library::unconverted(integer).kind, ExprKind::Int(number) if is_none(number));
        types.pointee(to).is_some_and(is_object) && !none
    }

    pub(super) fn mark_numeric(&mut self, class: Class) {
        let class = self.classes.root(class);
        self.classes.info[class.0 as usize].numeric = true;
    }

    /// An address that took part in a calculation can be any address of the object.
    fn arithmetic(&mut self, operands: &[&Expr]) -> Target {
        let target = operands.iter().fold(None, |target, operand| {
            let other = self.value(operand);
            self.note(operand, other);
            self.join(target, other)
        });
        self.classes.calculated.extend(target);
        target
    }

    fn call(&mut self, call: &Expr, callee: &Callee, args: &[Expr]) -> Target {
        let targets: Vec<Target> = args.iter().map(|arg| self.value(arg)).collect();
        for (arg, target) in args.iter().zip(&targets) {
            if let Some(class) = target {
                self.classes.pointers.insert(key(arg), *class);
            }
        }
        let class = match callee {
            Callee::Function(function) => {
                let function = self.unit.function(*function);
                let about = &self.unit.functions[function.index()];
                if about.body.is_none() {
                    self.classes.outside.insert(function);
                    return self.outside_call(call, &about.name, args, &targets);
                }
                self.classes.calls.extend(self.function.map(|caller| (caller, function)));
                self.classes.functions[function.index()]
            }
            Callee::Pointer(pointer) => {
                let target = self.value(pointer);
                let class = target.unwrap_or_else(|| self.classes.fresh());
                self.classes.pointers.insert(key(pointer), class);
                self.classes.calls_by_pointer.extend(self.function.map(|caller| (caller, class)));
                class
            }
        };
        let class = self.classes.root(class);
        let (mut params, result) = match self.classes.info[class.0 as usize].signature.take() {
            Some(signature) => signature,
            None => (Vec::new(), self.classes.fresh()),
        };
        while params.len() < args.len() {
            params.push(self.classes.fresh());
        }
        self.classes.info[class.0 as usize].signature = Some((params.clone(), result));
        // What a function takes besides its parameters is read by means that are not modelled.
        let named = match callee {
            Callee::Function(function) => self.unit.functions[self.unit.function(*function).index()].params.len(),
            Callee::Pointer(pointer) => self.parameters(pointer.ty),
        };
        for (at, (param, target)) in params.into_iter().zip(targets).enumerate() {
            self.join(Some(param), target);
            if at >= named {
                self.give_away(target);
            }
        }
        self.note(call, Some(result))
    }

    /// How many parameters the function has that a pointer of that type points to.
    fn parameters(&self, pointer: Ty) -> usize {
        let types = &self.unit.types;
        let signature = types.pointee(pointer).map(|to| types.get(to));
        if let Some(Type::Function(signature)) = signature { signature.params.len() } else { 0 }
    }

    /// An object of the outside, which knows where it is.
    pub(super) fn know(&mut self, object: ObjectId) {
        self.hold_anything(object);
        self.classes.unify(self.classes.objects[object.index()], self.classes.unknown);
    }

    /// What an object holds comes from outside.
    pub(super) fn hold_anything(&mut self, object: ObjectId) {
        let class = self.classes.objects[object.index()];
        let content = self.classes.content(class);
        self.classes.unify(content, self.classes.unknown);
    }

    /// Two names of one object, which lives in memory.
    pub(super) fn unify_objects(&mut self, a: ObjectId, b: ObjectId) {
        for object in [a, b] {
            self.classes.taken[object.index()] = true;
        }
        self.classes.unify(self.classes.objects[a.index()], self.classes.objects[b.index()]);
    }

    /// An address is given away: the outside knows what it points to.
    pub(super) fn give_away(&mut self, target: Target) {
        if let Some(class) = target {
            self.classes.unify(class, self.classes.unknown);
        }
    }

    /// Visits the initialiser of an object.
    pub(super) fn initialise(&mut self, object: ObjectId, init: &Init) {
        let about = &self.unit.objects[object.index()];
        let class = self.classes.objects[object.index()];
        for (hidden, value) in &init.once {
            let target = self.value(value);
            let content = self.classes.content(self.classes.objects[hidden.index()]);
            self.join(Some(content), target);
        }
        // The whole object is zero at first.
        self.access(class, about.ty);
        for (path, value) in &init.items {
            self.item(class, about.ty, path);
            let target = self.value(value);
            let content = self.classes.content(class);
            self.join(Some(content), target);
        }
    }

    /// An item of an initialiser is written: into a union, it may be smaller than the leaf.
    fn item(&mut self, class: Class, object: Ty, path: &[Step]) {
        let types = &self.unit.types;
        let mut ty = object;
        for step in path {
            let Some(part) = step.part(types, ty) else { return };
            let stride = match step {
                Step::Field(field) => types.fields(ty)[*field as usize].offset,
                Step::Index(_) => types.size_of(part).unwrap_or(1),
            };
            self.refine(class, stride);
            ty = part;
        }
        self.access(class, ty);
    }

    fn statement(&mut self, statement: &Stmt) {
        self.read_in(statement);
        match &statement.kind {
            StmtKind::Expr(expr) => {
                self.value(expr);
            }
            StmtKind::Declare(object, init) => {
                if let Some(init) = init {
                    self.initialise(*object, init);
                }
            }
            StmtKind::Block(_, statements) => {
                for statement in statements {
                    self.statement(statement);
                }
            }
            StmtKind::If(condition, then, otherwise) => {
                self.value(condition);
                self.statement(then);
                if let Some(otherwise) = otherwise {
                    self.statement(otherwise);
                }
            }
            StmtKind::While(condition, body) | StmtKind::DoWhile(body, condition) => {
                self.value(condition);
                self.statement(body);
            }
            StmtKind::For { init, condition, step, body } => {
                for statement in init {
                    self.statement(statement);
                }
                for expr in condition.iter().chain(step) {
                    self.value(expr);
                }
                self.statement(body);
            }
            StmtKind::Switch(value, body) => {
                self.value(value);
                self.statement(body);
            }
            StmtKind::Case(_, _, body) | StmtKind::Default(body) | StmtKind::Label(_, body) => self.statement(body),
            StmtKind::Return(Some(value)) => {
                let target = self.value(value);
                let function = self.function.map(|function| self.classes.functions[function.index()]);
                let class = function.map(|class| self.classes.root(class));
                let signature = class.and_then(|class| self.classes.info[class.0 as usize].signature.as_ref());
                let result = signature.map(|(_, result)| *result);
                self.join(result, target);
            }
            StmtKind::Unsupported { changes, inputs, .. } => {
                for place in changes {
                    let class = self.accessed(place);
                    let content = self.classes.content(class);
                    self.give_away(Some(content));
                }
                for input in inputs {
                    let target = self.value(input);
                    self.give_away(target);
                }
            }
            StmtKind::Goto(_) | StmtKind::Break | StmtKind::Continue | StmtKind::Return(None) | StmtKind::Empty => {}
        }
    }
}
