//! The start of a program: static objects get their initial values, then main runs.

use super::homes::Home;
use super::memory::Shape;
use super::place::Spot;
use super::value::{number, resize};
use super::{Lowering, Value};
use crate::c::leaves::Kind;
use crate::c::points_to::Class;
use crate::c::tree::{FunctionId, Init, ObjectId, Step, Storage};
use std::collections::BTreeMap;
use tamis_ir::{Op, Span};
use tamis_term::{Term, Var};

/// How many bytes of an object among others are made zero one by one rather than in a loop.
const UNROLLED: u64 = 1024;

/// The memory of every region while initial values are gathered, and whether it started as zeros.
type Memories = BTreeMap<Class, (Term, bool)>;

impl Lowering<'_> {
    /// Where the program starts: in main, or, if main is called as well, in a procedure that calls
    /// main when the static objects have their values.
    pub(super) fn choose_start(&mut self, main: FunctionId) {
        let called = self.points_to.calls().iter().any(|(_, callee)| *callee == main);
        let span = self.unit.functions[main.index()].span;
        self.program.main = if called {
            self.program.add_proc("$start", span)
        } else {
            self.procs[main.index()].expect("main has a body")
        };
    }

    /// The procedure that calls main, if there is one.
    pub(super) fn lower_start(&mut self, main: FunctionId) {
        let (start, span) = (self.program.main, self.unit.functions[main.index()].span);
        let Some(proc) = self.procs[main.index()].filter(|proc| *proc != start) else { return };
        self.frame.proc = start;
        "$start::".clone_into(&mut self.frame.prefix);
        self.frame.at = self.program.proc(start).entry;
        self.initial_values(span);
        let sorts = |this: &Self, vars: &[Var]| -> Vec<_> {
            vars.iter().map(|var| this.terms.var_sort(*var).clone()).collect()
        };
        let (params, results) = (&self.program.proc(proc).params, &self.program.proc(proc).results);
        let (params, results) = (sorts(self, params), sorts(self, results));
        let args: Vec<Var> = params.into_iter().map(|sort| self.temporary(sort)).collect();
        let args = args.into_iter().map(|var| self.terms.var(var)).collect();
        let results = results.into_iter().map(|sort| self.temporary(sort)).collect();
        self.emit(Op::Call { callee: proc, args, results }, span);
        self.end_of_program(span);
        let exit = self.program.proc(start).exit;
        self.go(exit, span);
    }

    /// All static objects get their initial values, in one step as far as possible.
    pub(super) fn initial_values(&mut self, span: Span) {
        self.choose_missing(span);
        let mut memories = self.fresh_memories();
        let mut writes: Vec<(Var, Term)> = Vec::new();
        for (object, about) in (0..).map(ObjectId).zip(&self.unit.objects) {
            let Storage::Static { init, external: false, .. } = &about.storage else { continue };
            if init.is_none() && self.for_tracer {
                continue;
            }
            let items = self.constant_items(init.as_ref());
            match self.homes[object.index()].clone() {
                Home::Plain(vars) => {
                    let zeros = vars.iter().map(|var| self.zero_of(*var)).collect();
                    let items: Vec<(&[Step], Value)> =
                        items.iter().map(|(path, value)| (*path, value.clone())).collect();
                    let leaves = self.initial_leaves(object, zeros, &items);
                    writes.extend(vars.into_iter().zip(leaves));
                }
                Home::Fixed { class, size, .. } => {
                    self.zero_among_others(&mut memories, object, class, size, span);
                    for (path, value) in items {
                        self.initial_item(&mut memories, object, path, &value);
                    }
                }
                Home::Moving { .. } | Home::Absent => {}
            }
        }
        for (class, (memory, _)) in memories {
            let var = self.memory.regions[&class].var;
            if self.terms.var(var) != memory {
                writes.push((var, memory));
            }
        }
        if let Some(dynamic) = self.memory.dynamic {
            let first = i128::from(self.memory.first_dynamic);
            writes.push((dynamic.next, number(self.terms, self.id_bits(), first)));
            if let Some(tracked) = dynamic.tracked {
                writes.push((tracked.live, self.zero_of(tracked.live)));
                writes.push((tracked.count, self.zero_of(tracked.count)));
            }
        }
        if !writes.is_empty() {
            self.emit(Op::Assign(writes), span);
        }
    }

    /// The values of an initialiser, which are constants.
    fn constant_items<'i>(&mut self, init: Option<&'i Init>) -> Vec<(&'i [Step], Value)> {
        let items = init.map_or(&[][..], |init| &init.items[..]);
        items.iter().map(|(path, value)| (&path[..], self.rvalue(value))).collect()
    }

    /// Regions in which every object is static, or comes to life with new content, start as zeros;
    /// others as what they are.
    fn fresh_memories(&mut self) -> Memories {
        let external: Vec<Class> = (0..)
            .map(ObjectId)
            .zip(&self.unit.objects)
            .filter(|(_, about)| matches!(about.storage, Storage::Static { external: true, .. }))
            .map(|(object, _)| self.points_to.object(object))
            .collect();
        let classes: Vec<Class> = self.memory.regions.keys().copied().collect();
        let mut memories = Memories::new();
        for class in classes {
            let region = &self.memory.regions[&class];
            let zeros = region.shape != Shape::Full && !external.contains(&class) && !self.for_tracer;
            let var = region.var;
            let memory = if zeros { self.zero_of(var) } else { self.terms.var(var) };
            memories.insert(class, (memory, zeros));
        }
        memories
    }

    /// Makes an object zero in a region that does not start as zeros.
    fn zero_among_others(&mut self, memories: &mut Memories, object: ObjectId, class: Class, size: u64, span: Span) {
        let (Some(&(mut memory, false)), Some((_, pointer))) = (memories.get(&class), self.address_of(object)) else {
            return;
        };
        if size > UNROLLED {
            let (byte, bytes) = (number(self.terms, 8, 0), number(self.terms, self.pointer_bits(), size.into()));
            self.fill(class, pointer, byte, bytes, span);
            return;
        }
        let cell = self.memory.regions[&class].cell;
        let zero = number(self.terms, u32::try_from(cell * 8).expect("a cell has at most 16 bytes"), 0);
        for at in 0..size.div_ceil(cell) {
            let here = self.offset(pointer, at * cell);
            memory = self.write_cells(class, memory, here, zero);
        }
        memories.insert(class, (memory, false));
    }

    /// Writes one item of an initialiser.
    fn initial_item(&mut self, memories: &mut Memories, object: ObjectId, path: &[Step], value: &Value) {
        let span = Span::default();
        let Spot::Memory { class, pointer, ty, bits } = self.path_spot(object, path, span) else { return };
        let Some(&(memory, zeros)) = memories.get(&class) else { return };
        let memory = match (bits, value) {
            (Some(bits), Value::Scalar(value)) => {
                let part = resize(self.terms, *value, bits.width, false);
                self.write_kind(class, memory, pointer, Kind::Bits(ty, bits), part)
            }
            _ => self.with_value(class, memory, pointer, ty, value),
        };
        memories.insert(class, (memory, zeros));
    }
}
