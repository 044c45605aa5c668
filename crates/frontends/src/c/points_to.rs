//! What pointers may point to (Steensgaard, "Points-to analysis in almost linear time", 1996).
//!
//! Every object and function has a *class*, and every class one class of what the pointers that
//! are stored in it point to, its *content*. An assignment unifies contents. Integers count as
//! pointers: an address that travels through an integer or is copied byte by byte keeps its
//! class. Only classes with objects in them become regions of memory, so a program without
//! pointers pays nothing.
//!
//! Each class also learns its *grain*: the largest number of bytes such that every access to it
//! starts at a multiple of it and takes a multiple of it. That is the cell of its region.

use super::leaves::{Kind, Leaves};
use super::library::{self, Known};
use super::tree::{
    Callee, Expr, ExprKind, FunctionId, Init, ObjectId, Place, PlaceKind, Scale, Stmt, StmtKind, Storage, Unit,
};
use super::types::{Ty, Type};
use rustc_hash::FxHashMap;
use std::collections::BTreeSet;

/// A class of objects that pointers do not tell apart.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(super) struct Class(u32);

/// What is known about a class.
#[derive(Debug, Default)]
struct Info {
    content: Option<Class>,
    /// Zero as long as there is no access.
    grain: u64,
    /// For functions: the contents of parameters, and of the result.
    signature: Option<(Vec<Class>, Class)>,
    /// Whether objects are made in it while the program runs.
    dynamic: bool,
    /// Whether addresses of it may be seen as integers.
    numeric: bool,
}

/// The result of the analysis.
#[derive(Debug)]
pub(super) struct PointsTo {
    parent: Vec<u32>,
    info: Vec<Info>,
    objects: Vec<Class>,
    functions: Vec<Class>,
    /// The classes of pointers: those that are followed, given to a function, or returned by one
    /// that allocates; by the address of the expression.
    pointers: FxHashMap<usize, Class>,
    /// By object, whether its address is taken.
    taken: Vec<bool>,
    /// Classes of what integers that are calculated with point to, should they be addresses.
    calculated: Vec<Class>,
    /// Classes between which bytes are copied.
    copies: Vec<(Class, Class)>,
    /// By function, whether its address is taken.
    pub called_by_pointer: Vec<bool>,
    /// Functions without a body that are called.
    outside: BTreeSet<FunctionId>,
    /// Who calls whom by name, and through which pointers.
    calls: Vec<(FunctionId, FunctionId)>,
    calls_by_pointer: Vec<(FunctionId, Class)>,
}

/// How an expression is identified.
pub(super) fn key(expr: &Expr) -> usize {
    std::ptr::from_ref(expr).addr()
}

impl PointsTo {
    /// Analyses a program.
    pub fn new(unit: &Unit) -> PointsTo {
        let mut this = PointsTo {
            parent: Vec::new(),
            info: Vec::new(),
            objects: Vec::new(),
            functions: Vec::new(),
            pointers: FxHashMap::default(),
            taken: vec![false; unit.objects.len()],
            calculated: Vec::new(),
            copies: Vec::new(),
            called_by_pointer: vec![false; unit.functions.len()],
            outside: BTreeSet::new(),
            calls: Vec::new(),
            calls_by_pointer: Vec::new(),
        };
        this.objects = unit.objects.iter().map(|_| this.fresh()).collect();
        this.functions = unit.functions.iter().map(|_| this.fresh()).collect();
        for function in 0..unit.functions.len() {
            this.sign(unit, function);
        }
        let mut walk = Walk { unit, leaves: Leaves::default(), classes: &mut this, function: None };
        for (object, about) in (0..).zip(&unit.objects) {
            if let Storage::Static { init: Some(init), .. } = &about.storage {
                walk.initialise(ObjectId(object), init);
            }
        }
        for (number, function) in (0..).zip(&unit.functions) {
            walk.function = Some(FunctionId(number));
            if let Some(body) = &function.body {
                walk.statement(body);
            }
        }
        this.settle();
        this
    }

    /// A function's class knows the contents of its parameters and of its result.
    fn sign(&mut self, unit: &Unit, function: usize) {
        let params = &unit.functions[function].params;
        let params = params.iter().map(|param| self.content(self.objects[param.index()])).collect();
        let result = self.fresh();
        let class = self.functions[function];
        self.info[class.0 as usize].signature = Some((params, result));
    }

    /// Calculated addresses may lie anywhere, and bytes are copied in cells of one size.
    fn settle(&mut self) {
        for class in std::mem::take(&mut self.calculated) {
            let class = self.root(class);
            let info = &mut self.info[class.0 as usize];
            if info.numeric {
                info.grain = 1;
            }
        }
        let copies = std::mem::take(&mut self.copies);
        let mut changed = true;
        while changed {
            changed = false;
            for (a, b) in &copies {
                let common = gcd(self.grain(*a), self.grain(*b));
                for class in [*a, *b] {
                    let class = self.find(class);
                    let grain = &mut self.info[class.0 as usize].grain;
                    changed |= std::mem::replace(grain, common) != common;
                }
            }
        }
    }

    fn fresh(&mut self) -> Class {
        let class = u32::try_from(self.parent.len()).expect("fewer than 2^32 classes");
        self.parent.push(class);
        self.info.push(Info::default());
        Class(class)
    }

    /// The representative of a class.
    pub fn find(&self, class: Class) -> Class {
        let mut at = class.0;
        while self.parent[at as usize] != at {
            at = self.parent[at as usize];
        }
        Class(at)
    }

    /// The same, and shortens the way for the next time.
    fn root(&mut self, class: Class) -> Class {
        let root = self.find(class);
        let mut at = class.0;
        while self.parent[at as usize] != root.0 {
            at = std::mem::replace(&mut self.parent[at as usize], root.0);
        }
        root
    }

    fn content(&mut self, class: Class) -> Class {
        let class = self.root(class);
        if let Some(content) = self.info[class.0 as usize].content {
            return content;
        }
        let content = self.fresh();
        self.info[class.0 as usize].content = Some(content);
        content
    }

    fn unify(&mut self, a: Class, b: Class) {
        let mut work = vec![(a, b)];
        while let Some((a, b)) = work.pop() {
            let (a, b) = (self.root(a), self.root(b));
            if a == b {
                continue;
            }
            let (keep, gone) = (a.min(b), a.max(b));
            self.parent[gone.0 as usize] = keep.0;
            let old = std::mem::take(&mut self.info[gone.0 as usize]);
            let new = &mut self.info[keep.0 as usize];
            new.grain = gcd(new.grain, old.grain);
            new.dynamic |= old.dynamic;
            new.numeric |= old.numeric;
            match (new.content, old.content) {
                (Some(x), Some(y)) => work.push((x, y)),
                (None, content) => new.content = content,
                (Some(_), None) => {}
            }
            match (&mut new.signature, old.signature) {
                (Some((params, result)), Some((others, other))) => {
                    work.push((*result, other));
                    let known = params.len();
                    work.extend(params.iter().copied().zip(others.iter().copied()));
                    params.extend(others.into_iter().skip(known));
                }
                (signature @ None, old) => *signature = old,
                (Some(_), None) => {}
            }
        }
    }

    /// The class that an object is in.
    pub fn object(&self, object: ObjectId) -> Class {
        self.find(self.objects[object.index()])
    }

    /// The class that a function is in.
    pub fn function(&self, function: FunctionId) -> Class {
        self.find(self.functions[function.index()])
    }

    /// What the value of a pointer expression points to; see [`PointsTo::pointers`].
    pub fn target(&self, pointer: &Expr) -> Option<Class> {
        self.pointers.get(&key(pointer)).map(|class| self.find(*class))
    }

    /// The functions that a pointer into a class may mean.
    pub fn callees(&self, class: Class) -> impl Iterator<Item = FunctionId> {
        let class = self.find(class);
        (0..)
            .map(FunctionId)
            .zip(&self.called_by_pointer)
            .filter(move |(function, taken)| **taken && self.function(*function) == class)
            .map(|(function, _)| function)
    }

    /// The functions that are called, or whose address is taken, but that have no body.
    pub fn outside<'p>(&'p self, unit: &'p Unit) -> impl Iterator<Item = FunctionId> {
        let all = (0..).map(FunctionId).zip(&unit.functions).zip(&self.called_by_pointer);
        all.filter(|((function, about), taken)| about.body.is_none() && (**taken || self.outside.contains(function)))
            .map(|((function, _), _)| function)
    }

    /// Who may call whom.
    pub fn calls(&self) -> Vec<(FunctionId, FunctionId)> {
        let by_pointer = self.calls_by_pointer.iter();
        let by_pointer = by_pointer.flat_map(|(caller, class)| self.callees(*class).map(|callee| (*caller, callee)));
        let mut calls: Vec<_> = self.calls.iter().copied().chain(by_pointer).collect();
        calls.sort_unstable();
        calls.dedup();
        calls
    }

    /// Whether the address of an object is taken.
    pub fn is_taken(&self, object: ObjectId) -> bool {
        self.taken[object.index()]
    }

    /// The grain of a class in bytes, zero if it is never accessed.
    pub fn grain(&self, class: Class) -> u64 {
        self.info[self.find(class).0 as usize].grain
    }

    /// Whether objects are made in the class while the program runs.
    pub fn is_dynamic(&self, class: Class) -> bool {
        self.info[self.find(class).0 as usize].dynamic
    }
}

/// The greatest common divisor; zero is the neutral element.
fn gcd(a: u64, b: u64) -> u64 {
    if b == 0 { a } else { gcd(b, a % b) }
}

/// The walk over a program.
struct Walk<'u, 'c> {
    unit: &'u Unit,
    leaves: Leaves,
    classes: &'c mut PointsTo,
    function: Option<FunctionId>,
}

/// What a value may point to, if it can be an address at all.
type Target = Option<Class>;

impl Walk<'_, '_> {
    fn join(&mut self, a: Target, b: Target) -> Target {
        if let (Some(a), Some(b)) = (a, b) {
            self.classes.unify(a, b);
        }
        a.or(b)
    }

    fn refine(&mut self, class: Class, bytes: u64) {
        let class = self.classes.root(class);
        let grain = &mut self.classes.info[class.0 as usize].grain;
        *grain = gcd(*grain, bytes);
    }

    /// A value of that type is read or written in the class.
    fn access(&mut self, class: Class, ty: Ty) {
        match self.leaves.of(&self.unit.types, ty) {
            None => self.refine(class, 1),
            Some(leaves) => {
                for leaf in leaves.iter() {
                    let bytes = match leaf.kind {
                        Kind::Scalar(ty) | Kind::Bits(ty, _) => self.unit.types.size_of(ty).unwrap_or(1),
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
                let is_union = matches!(types.get(base.ty), Type::Record(record) if types.record(*record).union);
                if is_union && !types.is_pointer(place.ty) {
                    let content = self.classes.content(class);
                    self.mark_numeric(content);
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
        self.access(class, place.ty);
        class
    }

    /// Notes that the object which a place is in, if it is a variable, has its address taken.
    fn take(&mut self, place: &Place) {
        match &place.kind {
            PlaceKind::Object(object) => self.classes.taken[object.index()] = true,
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
        match &expr.kind {
            ExprKind::Int(_) | ExprKind::Float(_) => None,
            ExprKind::Load(place) => {
                let class = self.accessed(place);
                Some(self.classes.content(class))
            }
            ExprKind::Address(place) => {
                self.take(place);
                Some(self.place(place))
            }
            ExprKind::Function(function) => {
                self.classes.called_by_pointer[function.index()] = true;
                Some(self.classes.functions[function.index()])
            }
            ExprKind::Neg(operand) | ExprKind::BitNot(operand) => self.arithmetic(&[operand]),
            ExprKind::Not(operand) => {
                self.value(operand);
                None
            }
            ExprKind::Binary(op, left, right) if op.is_comparison() => {
                self.value(left);
                self.value(right);
                None
            }
            ExprKind::Binary(_, left, right) => self.arithmetic(&[left, right]),
            ExprKind::PointerAdd { pointer, index, scale, .. } => {
                let target = self.value(pointer);
                self.value(index);
                self.scale(target, scale);
                target
            }
            ExprKind::PointerDiff { left, right, scale } => {
                self.value(left);
                self.value(right);
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
                Some(self.update(place, value, scale.as_ref()))
            }
            ExprKind::Increment { place, scale, .. } => Some(self.update(place, None, scale.as_ref())),
            ExprKind::Convert(operand) => {
                let target = self.value(operand);
                self.reinterpret(operand.ty, expr.ty, target);
                let carries = matches!(self.unit.types.get(expr.ty), Type::Int(_) | Type::Pointer(_));
                target.filter(|_| carries)
            }
            ExprKind::Call(callee, args) => self.call(expr, callee, args),
            ExprKind::Statements(statements, last) => {
                for statement in statements {
                    self.statement(statement);
                }
                last.as_ref().and_then(|last| self.value(last))
            }
            ExprKind::Unsupported { operands, .. } => {
                for operand in operands {
                    self.value(operand);
                }
                Some(self.outside())
            }
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
        }
    }

    fn mark_numeric(&mut self, class: Class) {
        let class = self.classes.root(class);
        self.classes.info[class.0 as usize].numeric = true;
    }

    /// An address that took part in a calculation can be any address of the object.
    fn arithmetic(&mut self, operands: &[&Expr]) -> Target {
        let target = operands.iter().fold(None, |target, operand| {
            let other = self.value(operand);
            self.join(target, other)
        });
        self.classes.calculated.extend(target);
        target
    }

    /// A class for objects that are made while the program runs.
    fn outside(&mut self) -> Class {
        let class = self.classes.fresh();
        self.classes.info[class.0 as usize].dynamic = true;
        class
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
                let about = &self.unit.functions[function.index()];
                if about.body.is_none() {
                    self.classes.outside.insert(*function);
                    return self.outside_call(call, &about.name, args, &targets);
                }
                self.classes.calls.extend(self.function.map(|caller| (caller, *function)));
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
        for (param, target) in params.into_iter().zip(targets) {
            self.join(Some(param), target);
        }
        Some(result)
    }

    /// A call of a function that the program does not define.
    fn outside_call(&mut self, call: &Expr, name: &str, args: &[Expr], targets: &[Target]) -> Target {
        let first = targets.first().copied().flatten();
        let bytes = |at: usize| match args.get(at).map(library::unconverted).map(|arg| &arg.kind) {
            Some(ExprKind::Int(bytes)) => u64::try_from(*bytes).unwrap_or(1),
            _ => 1,
        };
        match library::known(name) {
            Some(Known::Copy) => {
                for target in targets.iter().take(2).flatten() {
                    self.refine(*target, bytes(2));
                }
                if let [Some(to), Some(from), ..] = *targets {
                    let (inside, other) = (self.classes.content(to), self.classes.content(from));
                    self.classes.unify(inside, other);
                    self.classes.copies.push((to, from));
                }
                first
            }
            Some(Known::Set) => {
                if let Some(target) = first {
                    self.refine(target, bytes(2));
                }
                first
            }
            Some(Known::ArbitraryBytes) => {
                if let Some(target) = first {
                    self.refine(target, bytes(1));
                }
                None
            }
            Some(Known::Read) => {
                // What is read has the type that the pointer says.
                for (arg, target) in args.iter().zip(targets) {
                    let pointee = self.unit.types.pointee(library::unconverted(arg).ty);
                    if let (Some(target), Some(pointee)) = (target, pointee) {
                        self.access(*target, pointee);
                    }
                }
                None
            }
            Some(Known::Resize) => {
                let class = self.outside();
                self.refine(class, 1);
                self.classes.pointers.insert(key(call), class);
                self.join(Some(class), first)
            }
            _ if self.unit.types.is_scalar(call.ty) => {
                let class = self.outside();
                self.classes.pointers.insert(key(call), class);
                Some(class)
            }
            _ => None,
        }
    }

    fn initialise(&mut self, object: ObjectId, init: &Init) {
        let about = &self.unit.objects[object.index()];
        let class = self.classes.objects[object.index()];
        // Where the items lie is what the leaves of the whole object say.
        self.access(class, about.ty);
        for (_, value) in &init.items {
            let target = self.value(value);
            let content = self.classes.content(class);
            self.join(Some(content), target);
        }
    }

    fn statement(&mut self, statement: &Stmt) {
        match &statement.kind {
            StmtKind::Expr(expr) => {
                self.value(expr);
            }
            StmtKind::Declare(object, init) => {
                if let Some(init) = init {
                    self.initialise(*object, init);
                }
            }
            StmtKind::Block(statements) => {
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
            StmtKind::Unsupported { changes, .. } => {
                for place in changes {
                    let class = self.accessed(place);
                    let (content, outside) = (self.classes.content(class), self.outside());
                    self.classes.unify(content, outside);
                }
            }
            StmtKind::Goto(_) | StmtKind::Break | StmtKind::Continue | StmtKind::Return(None) | StmtKind::Empty => {}
        }
    }
}
