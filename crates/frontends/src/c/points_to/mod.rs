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
//!
//! `walk` goes over the program, `outside` knows other functions, `uses` counts uses of values.

mod outside;
mod uses;
mod walk;

use super::tree::{Expr, FunctionId, ObjectId, Storage, Unit};
use rustc_hash::FxHashMap;
use std::collections::BTreeSet;
use walk::Walk;

/// A class of objects that pointers do not tell apart.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(super) struct Class(u32);

/// What is known about a class.
#[derive(Debug, Default)]
#[expect(clippy::struct_excessive_bools, reason = "each is a fact of its own")]
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
    /// Whether integers become addresses in it: of objects, or of registers of devices.
    device: bool,
    /// Whether addresses in it may be those of no object of it: somebody compares them with others.
    wild: bool,
    /// To how many bytes the objects of it are aligned whose addresses are taken; zero if there are none.
    align: u64,
}

/// As what addresses are compared.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Seen {
    Pointers,
    Integers,
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
    /// By object, how often it is read, and how often only for its sign.
    reads: Vec<(u32, u32)>,
    /// Classes of what integers that are calculated with point to, should they be addresses.
    calculated: Vec<Class>,
    /// Classes between which bytes are copied.
    copies: Vec<(Class, Class)>,
    /// Classes whose addresses are compared, as pointers or as integers.
    compared: Vec<(Class, Class, Seen)>,
    /// What the left operands of comparisons of addresses point to, by the address of the expression.
    operands: FxHashMap<usize, Class>,
    /// By function, whether its address is taken.
    pub called_by_pointer: Vec<bool>,
    /// What the outside knows: everything whose address was given away, and all that is reached
    /// from there. Addresses that come from outside point here.
    unknown: Class,
    /// The numbers that the program writes down.
    numbers: BTreeSet<i128>,
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
            reads: vec![(0, 0); unit.objects.len()],
            calculated: Vec::new(),
            copies: Vec::new(),
            compared: Vec::new(),
            operands: FxHashMap::default(),
            called_by_pointer: vec![false; unit.functions.len()],
            unknown: Class(0),
            numbers: BTreeSet::new(),
            outside: BTreeSet::new(),
            calls: Vec::new(),
            calls_by_pointer: Vec::new(),
        };
        this.unknown = this.fresh();
        this.info[0].content = Some(this.unknown);
        this.objects = unit.objects.iter().map(|_| this.fresh()).collect();
        this.functions = unit.functions.iter().map(|_| this.fresh()).collect();
        for function in 0..unit.functions.len() {
            this.sign(unit, function);
        }
        let mut walk = Walk::new(unit, &mut this);
        for (object, about) in (0..).map(ObjectId).zip(&unit.objects) {
            match &about.storage {
                Storage::Static { external: true, .. } => walk.know(object),
                Storage::Static { init: Some(init), .. } => walk.initialise(object, init),
                Storage::Param(function) if unit.functions[function.index()].name == "main" => {
                    walk.hold_anything(object);
                }
                Storage::Alias(other) => walk.unify_objects(object, *other),
                Storage::Static { .. } | Storage::Local(_) | Storage::Param(_) => {}
            }
        }
        for (number, function) in (0..).zip(&unit.functions) {
            if let Some(body) = &function.body {
                walk.function(FunctionId(number), body);
            }
        }
        let by_pointer = |(function, _): &(FunctionId, _)| this.called_by_pointer[function.index()];
        let outside = (0..).map(FunctionId).zip(&unit.functions).filter(|(_, about)| about.body.is_none());
        let outside: Vec<_> = outside.filter(by_pointer).collect();
        for (function, about) in outside {
            Walk::new(unit, &mut this).outside_by_pointer(function, about);
        }
        this.compare();
        this.settle(unit);
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

    /// Addresses that are equal are those of one object. Where a comparison is all that two classes
    /// have in common, one of them has values that nothing is known about: inputs, what is not
    /// initialised. Integers are compared for many reasons, so one of the classes must have
    /// addresses that are seen as integers.
    fn compare(&mut self) {
        let mut compared = std::mem::take(&mut self.compared);
        let mut changed = true;
        while changed {
            let before = compared.len();
            compared.retain(|(a, b, seen)| {
                let (a, b) = (self.root(*a), self.root(*b));
                let numeric = |class: Class| self.info[class.0 as usize].numeric;
                let differ = a != b;
                if !differ || *seen == Seen::Integers && !numeric(a) && !numeric(b) {
                    return differ;
                }
                self.unify(a, b);
                let both = self.root(a);
                self.info[both.0 as usize].wild = true;
                false
            });
            changed = compared.len() < before;
        }
    }

    /// Calculated addresses may lie anywhere, and bytes are copied in cells of one size.
    fn settle(&mut self, unit: &Unit) {
        for (object, about) in unit.objects.iter().enumerate() {
            if self.taken[object] {
                self.align(self.objects[object], unit.types.align_of(about.ty).unwrap_or(1));
            }
        }
        for function in 0..unit.functions.len() {
            if self.called_by_pointer[function] {
                self.align(self.functions[function], 1);
            }
        }
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

    /// An object of the class is aligned in that way.
    fn align(&mut self, class: Class, bytes: u64) {
        let class = self.find(class);
        let info = &mut self.info[class.0 as usize];
        info.align = gcd(info.align, bytes);
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
            new.device |= old.device;
            new.wild |= old.wild;
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

    /// What the left operand of a comparison points to, if addresses are compared.
    pub fn compared(&self, left: &Expr) -> Option<Class> {
        self.operands.get(&key(left)).map(|class| self.find(*class))
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

    /// What the outside knows.
    pub fn unknown(&self) -> Class {
        self.find(self.unknown)
    }

    /// Whether the address of an object is taken.
    pub fn is_taken(&self, object: ObjectId) -> bool {
        self.taken[object.index()]
    }

    /// Whether only the sign of what an object holds is ever looked at.
    pub fn is_read_by_sign(&self, object: ObjectId) -> bool {
        let (reads, by_sign) = self.reads[object.index()];
        !self.is_taken(object) && reads == by_sign
    }

    /// The grain of a class in bytes, zero if it is never accessed.
    pub fn grain(&self, class: Class) -> u64 {
        self.info[self.find(class).0 as usize].grain
    }

    /// The numbers that the program writes down, if any may be the address of a register.
    pub fn registers(&self) -> impl Iterator<Item = u64> {
        let any = self.info.iter().any(|info| info.device);
        self.numbers.iter().filter(move |_| any).filter_map(|number| u64::try_from(*number).ok())
    }

    /// Whether addresses in the class may be those of registers: numbers that the program writes down.
    pub fn is_device(&self, class: Class) -> bool {
        self.info[self.find(class).0 as usize].device
    }

    /// Whether addresses in the class may be those of no object of it.
    pub fn is_wild(&self, class: Class) -> bool {
        self.info[self.find(class).0 as usize].wild
    }

    /// Whether the value of an expression, an integer, may be the address of an object. What the
    /// outside gives may be one, but hardly ever is.
    pub fn is_address(&self, expr: &Expr) -> bool {
        let Some(class) = self.target(expr).filter(|class| *class != self.unknown()) else { return false };
        let info = &self.info[class.0 as usize];
        info.numeric && (info.align > 0 || info.dynamic)
    }

    /// To how many bytes the objects are aligned whose addresses an integer may be. What is
    /// allocated is aligned for any scalar.
    pub fn alignment(&self, expr: &Expr) -> u64 {
        const ALLOCATED: u64 = 8;
        let Some(class) = self.target(expr) else { return 1 };
        let info = &self.info[class.0 as usize];
        if info.dynamic { gcd(info.align, ALLOCATED) } else { info.align.max(1) }
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
