//! Where each object lives: in variables of its own, or in memory.

use super::Lowering;
use super::heap::Lifetime;
use super::value::number;
use crate::c::leaves::{Kind, Leaf, index_bits};
use crate::c::points_to::Class;
use crate::c::tree::{FunctionId, Object, ObjectId, Step, Storage};
use crate::c::types::{Ty, Type, Types};
use std::collections::{BTreeMap, BTreeSet};
use tamis_ir::{Op, ProcId, Span};
use tamis_term::{Term, Var};

/// Where an object lives.
#[derive(Clone, Debug)]
pub(super) enum Home {
    /// In one variable per leaf.
    Plain(Vec<Var>),
    /// In the region of its class, at a fixed address.
    Fixed { class: Class, id: u64, size: u64 },
    /// In the region of its class, at an address that the variable holds.
    Moving { class: Class, address: Var },
    /// Nowhere: a parameter of a function that is only declared.
    Absent,
}

impl Lowering<'_> {
    /// One procedure for every function that can be called, directly or not, when main runs.
    pub(super) fn declare_procs(&mut self, main: FunctionId) {
        let mut callees: BTreeMap<FunctionId, Vec<FunctionId>> = BTreeMap::new();
        for (caller, callee) in self.points_to.calls() {
            callees.entry(caller).or_default().push(callee);
        }
        let (mut called, mut work) = (BTreeSet::from([main]), vec![main]);
        while let Some(function) = work.pop() {
            for callee in callees.get(&function).into_iter().flatten() {
                if called.insert(*callee) {
                    work.push(*callee);
                }
            }
        }
        for (number, function) in (0..).map(FunctionId).zip(&self.unit.functions) {
            let wanted = function.body.is_some() && called.contains(&number);
            self.procs.push(wanted.then(|| self.program.add_proc(&function.name, function.span)));
        }
    }

    /// Decides about all objects and lays out memory.
    pub(super) fn settle_homes(&mut self) {
        let reentrant = reentrant(self.unit.functions.len(), &self.points_to.calls());
        let mut fixed: BTreeMap<Class, Vec<ObjectId>> = BTreeMap::new();
        let mut moving: BTreeSet<Class> = BTreeSet::new();
        for (number, object) in (0..).map(ObjectId).zip(&self.unit.objects) {
            let owner = match &object.storage {
                Storage::Static { .. } | Storage::Alias(_) => None,
                Storage::Local(function) | Storage::Param(function) => Some(*function),
            };
            let absent = owner.is_some_and(|owner| self.procs[owner.index()].is_none());
            let alias = matches!(object.storage, Storage::Alias(_));
            let home = if absent || alias || matches!(self.unit.types.get(object.ty), Type::Void | Type::Function(_)) {
                Home::Absent
            } else if !self.points_to.is_taken(number)
                && !has_open_end(&self.unit.types, object.ty)
                && self.leaves.of(&self.unit.types, object.ty).is_some_and(|leaves| leaves.iter().all(Leaf::is_small))
            {
                Home::Plain(self.plain(number))
            } else {
                let class = self.points_to.object(number);
                let is_vla = matches!(self.unit.types.get(object.ty), Type::Vla(_));
                let again = owner.is_some_and(|owner| reentrant[owner.index()]);
                if owner.is_some() && (is_vla || again || self.failures.asks_about_memory()) {
                    let owner = owner.unwrap_or(FunctionId(0));
                    let address = self.local(owner, &format!("${}", object.name), self.pointer_bits());
                    moving.insert(class);
                    Home::Moving { class, address }
                } else {
                    fixed.entry(class).or_default().push(number);
                    Home::Absent
                }
            };
            self.homes.push(home);
        }
        self.memory.moving = moving;
        self.lay_out(&fixed);
        for (object, about) in self.unit.objects.iter().enumerate() {
            let mut storage = &about.storage;
            while let Storage::Alias(other) = storage {
                self.homes[object] = self.homes[other.index()].clone();
                storage = &self.unit.objects[other.index()].storage;
            }
        }
        let unknown = self.points_to.unknown();
        self.memory.given_away = fixed.contains_key(&unknown) || self.is_made(unknown);
        self.declare_interfaces();
    }

    /// How many bytes an object with a fixed place has.
    fn size_of_object(&self, object: ObjectId) -> Option<u64> {
        let (about, types) = (&self.unit.objects[object.index()], &self.unit.types);
        let Storage::Static { init, external, .. } = &about.storage else { return types.size_of(about.ty) };
        let Some(size) = types.size_of(about.ty) else {
            // Of one that is defined elsewhere nothing is known but that it is not endless. An array
            // without a length in a tentative definition has one element.
            return if *external { Some(UNKNOWN_SIZE) } else { types.size_of(types.element(about.ty)?) };
        };
        // An initialiser may give an array at the end of a record its elements.
        let ends = init
            .iter()
            .flat_map(|init| &init.items)
            .map(|(path, value)| path_offset(types, about.ty, path) + types.size_of(value.ty).unwrap_or(1));
        Some(ends.fold(size, u64::max))
    }

    /// Gives fixed objects their numbers, region by region, and makes the regions.
    fn lay_out(&mut self, fixed: &BTreeMap<Class, Vec<ObjectId>>) {
        let size = |this: &Self, object: ObjectId| this.size_of_object(object);
        let sizes = fixed.values().flatten().filter_map(|object| size(self, *object));
        let largest = sizes.max().unwrap_or(0);
        self.memory.choose_offset_bits(self.unit.types.model, largest);
        if self.memory.offset_bits + 2 > self.pointer_bits() {
            self.refuse(Span::default(), "an object is larger than the address space of the model");
            self.memory.offset_bits = self.pointer_bits() / 2;
        }
        let taken: BTreeSet<u64> =
            self.points_to.registers().map(|address| address >> self.memory.offset_bits).collect();
        let mut next: u64 = 1;
        for (class, objects) in fixed {
            let block = 1_u64 << if objects.len() > 1 { index_bits(objects.len() as u64) } else { 0 };
            next = next.next_multiple_of(block);
            while taken.range(next..next + block).next().is_some() {
                next += block;
            }
            let mut placed = Vec::new();
            for object in objects {
                let about = &self.unit.objects[object.index()];
                let bytes = size(self, *object).unwrap_or_else(|| {
                    self.errors.push(tamis_ir::Diagnostic::error(about.span, "this object has an incomplete type"));
                    1
                });
                self.homes[object.index()] = Home::Fixed { class: *class, id: next, size: bytes };
                if is_constant(about) {
                    self.memory.constants.insert(next);
                }
                placed.push((next, bytes));
                next += 1;
            }
            // An address from outside need not be one of a known object.
            let wild = self.points_to.is_wild(*class) || *class == self.points_to.unknown();
            let dynamic = self.is_made(*class) || wild;
            let name = match &objects[..] {
                [only] if !dynamic => self.name_of(*only),
                _ => "$memory".to_owned(),
            };
            self.add_region(*class, &name, &placed, dynamic);
            if let ([only], false) = (&objects[..], dynamic) {
                let mut ty = self.unit.objects[only.index()].ty;
                while let Some(element) = self.unit.types.element(ty) {
                    ty = element;
                }
                let region = &self.memory.regions[class];
                let cells = placed.iter().map(|(_, bytes)| bytes.div_ceil(region.cell)).sum();
                self.program.notes.lengths.insert(region.var, cells);
                if self.unit.types.is_scalar(ty) && self.unit.types.size_of(ty) == Some(region.cell) {
                    self.note_type(region.var, ty);
                }
            }
        }
        for function in (0..self.unit.functions.len()).filter(|at| self.points_to.called_by_pointer[*at]) {
            let function = FunctionId(u32::try_from(function).expect("fewer than 2^32 functions"));
            self.memory.functions.insert(function, next);
            next += 1;
        }
        self.memory.first_dynamic = next;
        self.memory.taken = taken.range(next..).copied().collect();
        if !fixed.is_empty() {
            self.program.notes.addresses =
                Some(1 << self.memory.offset_bits..next.saturating_add(1) << self.memory.offset_bits);
        }
        if self.id_bits() < 64 && next >= 1 << (self.id_bits() - 1) {
            self.refuse(Span::default(), "there are more objects than the address space of the model holds");
        }
    }

    /// Whether objects of a class are made while the program runs.
    pub(super) fn is_made(&self, class: Class) -> bool {
        self.memory.moving.contains(&class) || self.points_to.is_dynamic(class)
    }

    /// What an object is called in reports.
    fn name_of(&self, object: ObjectId) -> String {
        let about = &self.unit.objects[object.index()];
        match &about.storage {
            Storage::Static { owner: None, .. } | Storage::Alias(_) => about.name.clone(),
            Storage::Static { owner: Some(owner), .. } | Storage::Local(owner) | Storage::Param(owner) => {
                format!("{}::{}", self.unit.functions[owner.index()].name, about.name)
            }
        }
    }

    /// The variables of an object that lives in variables.
    fn plain(&mut self, object: ObjectId) -> Vec<Var> {
        let about = &self.unit.objects[object.index()];
        let leaves = self.leaves.of(&self.unit.types, about.ty).unwrap_or_default();
        let name = self.name_of(object);
        let mut vars = Vec::with_capacity(leaves.len());
        for leaf in leaves.iter() {
            let var = self.terms.declare(&format!("{name}{}", leaf.suffix), leaf.sort(&self.unit.types));
            if let Kind::Scalar(ty) | Kind::Bits(ty, _) = leaf.kind {
                self.note_type(var, ty);
            }
            if !leaf.dims.is_empty() {
                self.program.notes.lengths.insert(var, leaf.count());
            }
            vars.push(var);
        }
        match &about.storage {
            Storage::Static { .. } => self.program.globals.extend(&vars),
            Storage::Local(owner) => {
                let proc = self.proc_of(*owner);
                self.program.procs[proc.index()].locals.extend(&vars);
            }
            // Parameters are declared in their own order.
            Storage::Param(_) | Storage::Alias(_) => {}
        }
        vars
    }

    /// The parameters and results of every procedure.
    fn declare_interfaces(&mut self) {
        for (at, function) in self.unit.functions.iter().enumerate() {
            let Some(proc) = self.procs[at] else { continue };
            for param in &function.params {
                let vars = match &self.homes[param.index()] {
                    Home::Plain(vars) => vars.clone(),
                    // What lives in memory comes in a variable and is stored at once.
                    Home::Fixed { .. } | Home::Moving { .. } => {
                        let about = &self.unit.objects[param.index()];
                        let name = format!("{}::{}", function.name, about.name);
                        let vars: Vec<Var> =
                            self.sorts(about.ty).into_iter().map(|sort| self.terms.declare(&name, sort)).collect();
                        if let (&[var], true) = (&vars[..], self.unit.types.is_scalar(about.ty)) {
                            self.note_type(var, about.ty);
                        }
                        if vars.is_empty() && self.unit.types.size_of(about.ty) != Some(0) {
                            self.refuse(about.span, "a value of this type is too large to be passed");
                        }
                        self.incoming.insert(*param, vars.clone());
                        vars
                    }
                    Home::Absent => Vec::new(),
                };
                self.program.procs[proc.index()].params.extend(vars);
            }
            let Type::Function(signature) = self.unit.types.get(function.ty) else { continue };
            let result = signature.result;
            for sort in self.sorts(result) {
                let var = self.terms.declare(&format!("{}::$result", function.name), sort);
                self.program.procs[proc.index()].results.push(var);
                if self.unit.types.is_scalar(result) {
                    self.note_type(var, result);
                }
            }
        }
    }

    fn proc_of(&self, function: FunctionId) -> ProcId {
        self.procs[function.index()].expect("objects of functions without a body are nowhere")
    }

    /// A hidden word of a function.
    fn local(&mut self, function: FunctionId, name: &str, bits: u32) -> Var {
        let name = format!("{}::{name}", self.unit.functions[function.index()].name);
        let var = self.terms.declare(&name, tamis_term::Sort::BitVec(bits));
        let proc = self.proc_of(function);
        self.program.procs[proc.index()].locals.push(var);
        var
    }

    /// The address of an object in memory.
    pub(super) fn address_of(&mut self, object: ObjectId) -> Option<(Class, Term)> {
        match self.homes[object.index()] {
            Home::Fixed { class, id, .. } => {
                let address = self.fixed_address(id);
                Some((class, self.weak_address(object, address)))
            }
            Home::Moving { class, address } => Some((class, self.terms.var(address))),
            Home::Plain(_) | Home::Absent => None,
        }
    }

    /// The lifetime of a local object in memory starts, with arbitrary content.
    pub(super) fn begin(&mut self, object: ObjectId, span: Span) {
        let about = &self.unit.objects[object.index()];
        match self.homes[object.index()].clone() {
            Home::Plain(vars) => {
                // A call leaves them arbitrary, so only what may come here again is forgotten.
                let again = self.frame.labelled || !self.frame.continues.is_empty();
                if again && !vars.is_empty() {
                    self.emit(Op::Havoc(vars), span);
                }
            }
            Home::Fixed { class, id, size } => {
                let pointer = self.fixed_address(id);
                let bytes = number(self.terms, self.pointer_bits(), size.into());
                self.forget(class, pointer, bytes, span);
            }
            Home::Moving { class, address } => {
                let fresh = self.renew(object, class, address, span);
                // What may come here again is forgotten; where lifetimes matter, every round of a loop
                // has new objects.
                let rounds = !self.failures.asks_about_memory() && !self.frame.continues.is_empty();
                if !fresh && (self.frame.labelled || rounds) {
                    let size = self.unit.types.size_of(about.ty).unwrap_or(1);
                    let (pointer, bytes) =
                        (self.terms.var(address), number(self.terms, self.pointer_bits(), size.into()));
                    self.forget(class, pointer, bytes, span);
                }
            }
            Home::Absent => {}
        }
    }

    /// Objects whose size is known come to life with their function, unless lifetimes matter.
    pub(super) fn begin_locals(&mut self, function: FunctionId, span: Span) {
        if !self.failures.asks_about_memory() {
            self.make_all(&self.unit.functions[function.index()].locals, span);
        }
    }

    /// New objects for all variables whose size is known.
    pub(super) fn make_all(&mut self, objects: &[ObjectId], span: Span) {
        for object in objects {
            if let Home::Moving { class, address } = self.homes[object.index()]
                && self.unit.objects[object.index()].vla_bytes.is_none()
            {
                self.make(*object, class, address, span);
            }
        }
    }

    /// At its declaration an object is a new one, if its size is known only now, or if it is a
    /// parameter. Whether it is.
    pub(super) fn renew(&mut self, object: ObjectId, class: Class, address: Var, span: Span) -> bool {
        let about = &self.unit.objects[object.index()];
        let is_new = about.vla_bytes.is_some() || matches!(about.storage, Storage::Param(_));
        if about.vla_bytes.is_some() && self.failures.asks_about_memory() {
            // Control may have come here before, and not have left the block since.
            self.end(object, span);
        }
        if is_new {
            self.make(object, class, address, span);
        }
        is_new
    }

    /// A new object for a variable.
    fn make(&mut self, object: ObjectId, class: Class, address: Var, span: Span) {
        self.region(class);
        let about = &self.unit.objects[object.index()];
        let bytes = if let Some(length) = about.vla_bytes {
            self.read_object(length)
        } else {
            let size = self.unit.types.size_of(about.ty).unwrap_or(1);
            number(self.terms, self.pointer_bits(), size.into())
        };
        let pointer = self.allocate(bytes, Lifetime::Function, span);
        self.emit(Op::Assign(vec![(address, pointer)]), span);
    }

    /// The value of a hidden scalar object.
    fn read_object(&mut self, object: ObjectId) -> Term {
        match &self.homes[object.index()] {
            Home::Plain(vars) => self.terms.var(vars[0]),
            _ => unreachable!("the address of a hidden object is never taken"),
        }
    }
}

/// Whether an object lies in memory that is only read: compilers put constant objects there that
/// live for the whole run.
pub(super) fn is_constant(object: &Object) -> bool {
    object.constant && matches!(object.storage, Storage::Static { external: false, .. })
}

/// How many bytes an object of unknown size has.
const UNKNOWN_SIZE: u64 = 1 << 16;

/// Whether a record ends with an array without a length.
fn has_open_end(types: &Types, ty: Ty) -> bool {
    types
        .fields(ty)
        .last()
        .is_some_and(|last| matches!(types.get(last.ty), Type::Array(_, None)) || has_open_end(types, last.ty))
}

/// Where a path leads, in bytes.
fn path_offset(types: &Types, ty: Ty, path: &[Step]) -> u64 {
    let (mut at, mut ty) = (0_u64, ty);
    for step in path {
        match step {
            Step::Field(field) => {
                let Some(field) = types.fields(ty).get(*field as usize) else { return at };
                (at, ty) = (at.saturating_add(field.offset), field.ty);
            }
            Step::Index(index) => {
                let Some(element) = types.element(ty) else { return at };
                at = at.saturating_add(types.size_of(element).unwrap_or(1).saturating_mul(*index));
                ty = element;
            }
        }
    }
    at
}

/// Which functions can be active twice at a time: those that can reach themselves by calls.
fn reentrant(count: usize, calls: &[(FunctionId, FunctionId)]) -> Vec<bool> {
    let mut callees = vec![Vec::new(); count];
    for (caller, callee) in calls {
        callees[caller.index()].push(callee.index());
    }
    // Tarjan's algorithm with an explicit stack: deep call chains are data.
    let (mut index, mut low) = (vec![usize::MAX; count], vec![0; count]);
    let (mut open, mut is_open, mut result) = (Vec::new(), vec![false; count], vec![false; count]);
    let mut counter = 0;
    for start in 0..count {
        if index[start] != usize::MAX {
            continue;
        }
        let mut work = vec![(start, 0)];
        while let Some((function, at)) = work.pop() {
            if at == 0 {
                (index[function], low[function]) = (counter, counter);
                counter += 1;
                open.push(function);
                is_open[function] = true;
            }
            if let Some(callee) = callees[function].get(at) {
                work.push((function, at + 1));
                if index[*callee] == usize::MAX {
                    work.push((*callee, 0));
                } else if is_open[*callee] {
                    low[function] = low[function].min(index[*callee]);
                }
                continue;
            }
            if let Some((caller, _)) = work.last() {
                low[*caller] = low[*caller].min(low[function]);
            }
            if low[function] == index[function] {
                let start = open.iter().rposition(|member| *member == function).unwrap_or(0);
                let members = open.split_off(start);
                let cyclic = members.len() > 1 || callees[function].contains(&function);
                for member in members {
                    is_open[member] = false;
                    result[member] = cyclic;
                }
            }
        }
    }
    result
}
