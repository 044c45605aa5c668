//! Objects that are made while the program runs, whole-object operations, and valid pointers.

use super::Lowering;
use super::checks::Failure;
use super::memory::{Dynamic, Shape, Tracked};
use super::value::{number, resize};
use crate::c::points_to::Class;
use tamis_ir::{Op, Span};
use tamis_term::{Sort, Term};

/// How long an object lives.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Lifetime {
    /// Until its function returns.
    Function,
    /// Until it is freed.
    Heap,
}

/// What is done to memory.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Access {
    Read,
    Write,
}

impl Lifetime {
    /// How a live object of that kind is marked.
    fn mark(self) -> u64 {
        match self {
            Lifetime::Function => 1,
            Lifetime::Heap => 2,
        }
    }
}

/// How many cells are written one by one rather than in a loop.
const UNROLLED: u64 = 64;

impl Lowering<'_> {
    /// How many bits the number of an object has.
    pub(super) fn id_bits(&self) -> u32 {
        self.pointer_bits() - self.memory.offset_bits
    }

    /// The variables for objects that are made while the program runs.
    pub(super) fn dynamic(&mut self) -> Dynamic {
        if let Some(dynamic) = self.memory.dynamic {
            return dynamic;
        }
        let id = Sort::BitVec(self.id_bits());
        let next = self.terms.declare("$next", id.clone());
        self.program.globals.push(next);
        let tracked = self.failures.asks_about_memory().then(|| {
            let sizes = Sort::array(id.clone(), Sort::BitVec(self.memory.offset_bits));
            let tracked = Tracked {
                sizes: self.terms.declare("$sizes", sizes),
                live: self.terms.declare("$live", Sort::array(id.clone(), Sort::BitVec(2))),
                count: self.terms.declare("$allocated", id.clone()),
            };
            self.program.globals.extend([tracked.sizes, tracked.live, tracked.count]);
            tracked
        });
        *self.memory.dynamic.insert(Dynamic { next, tracked })
    }

    /// A new object of so many bytes. Its content is arbitrary, because its cells were never used.
    pub(super) fn allocate(&mut self, bytes: Term, lifetime: Lifetime, span: Span) -> Term {
        let dynamic = self.dynamic();
        let offset_bits = self.memory.offset_bits;
        // Half of the offsets are left free, so that an address just before or behind an object
        // is not one of its neighbour.
        let limit = number(self.terms, self.pointer_bits(), 1 << (offset_bits - 1));
        let too_large = self.terms.bvule(limit, bytes);
        self.give_up_if("an object larger than the address space of the model", too_large, span);
        let next = self.terms.var(dynamic.next);
        let last = number(self.terms, self.id_bits(), -1);
        let mut exhausted = vec![self.terms.eq(next, last)];
        exhausted.extend(self.memory.taken.clone().into_iter().map(|taken| self.is_number(next, taken)));
        let exhausted = self.terms.or(&exhausted);
        self.give_up_if("more objects than the address space of the model holds", exhausted, span);
        let zero = number(self.terms, offset_bits, 0);
        let address = self.terms.concat(next, zero);
        let one = number(self.terms, self.id_bits(), 1);
        let following = self.terms.bvadd(next, one);
        let var = self.temporary(Sort::BitVec(self.pointer_bits()));
        let mut writes = vec![(var, address), (dynamic.next, following)];
        if let Some(tracked) = dynamic.tracked {
            let (sizes, live) = (self.terms.var(tracked.sizes), self.terms.var(tracked.live));
            let size = resize(self.terms, bytes, offset_bits, false);
            let mark = self.terms.bv(2, lifetime.mark());
            writes.push((tracked.sizes, self.terms.store(sizes, next, size)));
            writes.push((tracked.live, self.terms.store(live, next, mark)));
            if lifetime == Lifetime::Heap {
                let count = self.terms.var(tracked.count);
                writes.push((tracked.count, self.terms.bvadd(count, one)));
            }
        }
        self.emit(Op::Assign(writes), span);
        self.terms.var(var)
    }

    /// The number of the object that an address is in.
    pub(super) fn object_of(&mut self, pointer: Term) -> Term {
        self.terms.extract(pointer, self.pointer_bits() - 1, self.memory.offset_bits)
    }

    /// `free(pointer)`.
    pub(super) fn free(&mut self, pointer: Term, span: Span) {
        let Some(tracked) = self.failures.asks_about_memory().then(|| self.dynamic().tracked).flatten() else {
            return;
        };
        let null = number(self.terms, self.pointer_bits(), 0);
        let is_null = self.terms.eq(pointer, null);
        let (nothing, something) = self.branch(is_null, span);
        self.frame.at = something;
        let object = self.object_of(pointer);
        let (live, heap) = (self.terms.var(tracked.live), self.terms.bv(2, Lifetime::Heap.mark()));
        let mark = self.terms.select(live, object);
        let dead = self.terms.distinct(mark, heap);
        let offset = self.terms.extract(pointer, self.memory.offset_bits - 1, 0);
        let start = number(self.terms, self.memory.offset_bits, 0);
        let inside = self.terms.distinct(offset, start);
        let invalid = self.terms.or(&[dead, inside]);
        if self.failures.asks(Failure::ValidFree) {
            self.fail_if(Failure::ValidFree, invalid, span);
        } else {
            // The allocator notices, which ends the run.
            let fine = self.terms.not(invalid);
            self.emit(Op::Assume(fine), span);
        }
        let none = self.terms.bv(2, 0);
        let (count, one) = (self.terms.var(tracked.count), number(self.terms, self.id_bits(), 1));
        let writes =
            vec![(tracked.live, self.terms.store(live, object, none)), (tracked.count, self.terms.bvsub(count, one))];
        self.emit(Op::Assign(writes), span);
        self.go(nothing, span);
        self.frame.at = nothing;
    }

    /// The lifetime of a function's object ends.
    pub(super) fn bury(&mut self, pointer: Term, span: Span) {
        let Some(tracked) = self.memory.dynamic.and_then(|dynamic| dynamic.tracked) else { return };
        let object = self.object_of(pointer);
        let (live, none) = (self.terms.var(tracked.live), self.terms.bv(2, 0));
        let live = self.terms.store(live, object, none);
        self.emit(Op::Assign(vec![(tracked.live, live)]), span);
    }

    /// Is an error, if that is asked about, unless so many bytes from an address on belong to a
    /// live object, which can be written if that is what is done.
    pub(super) fn check_access(&mut self, class: Class, pointer: Term, bytes: u64, access: Access, span: Span) {
        if !self.failures.asks(Failure::ValidDeref) {
            if access == Access::Write {
                let hit = self.is_constant_at(class, pointer);
                self.end_if(hit, span);
            }
            return;
        }
        let (id_bits, offset_bits) = (self.id_bits(), self.memory.offset_bits);
        let object = self.object_of(pointer);
        let offset = self.terms.extract(pointer, offset_bits - 1, 0);
        let mut ways = Vec::new();
        let region = &self.memory.regions[&class];
        let (fixed, full) = (region.objects.clone(), region.shape == Shape::Full);
        for (id, size) in fixed {
            let Some(last) = size.checked_sub(bytes) else { continue };
            if access == Access::Write && self.memory.constants.contains(&id) {
                continue;
            }
            let (id, last) = (number(self.terms, id_bits, id.into()), number(self.terms, offset_bits, last.into()));
            let (here, inside) = (self.terms.eq(object, id), self.terms.bvule(offset, last));
            ways.push(self.terms.and(&[here, inside]));
        }
        if full && let Some(tracked) = self.dynamic().tracked {
            let (sizes, live) = (self.terms.var(tracked.sizes), self.terms.var(tracked.live));
            let (size, mark) = (self.terms.select(sizes, object), self.terms.select(live, object));
            let none = self.terms.bv(2, 0);
            let alive = self.terms.distinct(mark, none);
            let needed = number(self.terms, offset_bits, bytes.into());
            let fits = self.terms.bvule(needed, size);
            let last = self.terms.bvsub(size, needed);
            let inside = self.terms.bvule(offset, last);
            ways.push(self.terms.and(&[alive, fits, inside]));
        }
        let valid = self.terms.or(&ways);
        let invalid = self.terms.not(valid);
        self.fail_if(Failure::ValidDeref, invalid, span);
    }

    /// Whether an address is that of a constant object, which lies in memory that is only read.
    fn is_constant_at(&mut self, class: Class, pointer: Term) -> Term {
        let objects = self.memory.regions[&class].objects.iter().map(|(id, _)| *id);
        let constants: Vec<u64> = objects.filter(|id| self.memory.constants.contains(id)).collect();
        let id = self.object_of(pointer);
        let hits: Vec<Term> = constants.into_iter().map(|constant| self.is_number(id, constant)).collect();
        self.terms.or(&hits)
    }

    /// The run ends here if the condition holds.
    fn end_if(&mut self, condition: Term, span: Span) {
        if !self.terms.is_false(condition) {
            let fine = self.terms.not(condition);
            self.emit(Op::Assume(fine), span);
        }
    }

    /// Runs `body` for each cell of so many bytes, with the number of bytes before the cell.
    pub(super) fn for_cells(&mut self, class: Class, bytes: Term, span: Span, body: &mut dyn FnMut(&mut Self, Term)) {
        let (cell, width) = (self.memory.regions[&class].cell, self.pointer_bits());
        let known = self.terms.value(bytes).and_then(|value| value.as_bv().to_u64());
        if let Some(bytes) = known.filter(|bytes| bytes / cell <= UNROLLED) {
            for at in 0..bytes / cell {
                let at = number(self.terms, width, i128::from(at * cell));
                body(self, at);
            }
            return;
        }
        let bytes = self.keep(bytes, span);
        let var = self.temporary(Sort::BitVec(width));
        let zero = number(self.terms, width, 0);
        self.emit(Op::Assign(vec![(var, zero)]), span);
        let (head, at) = (self.frame.at, self.terms.var(var));
        let more = self.terms.bvult(at, bytes);
        let (again, done) = self.branch(more, span);
        self.frame.at = again;
        body(self, at);
        let step = number(self.terms, width, cell.into());
        let next = self.terms.bvadd(at, step);
        self.emit_to(Op::Assign(vec![(var, next)]), head, span);
        self.frame.at = done;
    }

    /// `memset(pointer, byte, bytes)`.
    pub(super) fn fill(&mut self, class: Class, pointer: Term, byte: Term, bytes: Term, span: Span) {
        let class = self.region(class);
        let byte = self.keep(byte, span);
        let pointer = self.keep(pointer, span);
        let cell = self.memory.regions[&class].cell;
        let word = (1..cell).fold(byte, |word, _| self.terms.concat(byte, word));
        self.check_range(class, pointer, bytes, Access::Write, span);
        self.for_cells(class, bytes, span, &mut |this, at| {
            let here = this.terms.bvadd(pointer, at);
            this.set_cell(class, here, word, span);
        });
    }

    /// Fills memory with anything.
    pub(super) fn forget(&mut self, class: Class, pointer: Term, bytes: Term, span: Span) {
        let class = self.region(class);
        let region = &self.memory.regions[&class];
        let (var, cell, alone) = (region.var, region.cell, region.objects.len() == 1 && region.shape != Shape::Full);
        let whole = region
            .objects
            .first()
            .is_some_and(|(_, size)| self.terms.value(bytes).and_then(|value| value.as_bv().to_u64()) == Some(*size));
        if alone && whole {
            self.emit(Op::Havoc(vec![var]), span);
            return;
        }
        let pointer = self.keep(pointer, span);
        let any = self.temporary(Sort::BitVec(u32::try_from(cell * 8).expect("a cell has at most 16 bytes")));
        self.for_cells(class, bytes, span, &mut |this, at| {
            this.emit(Op::Havoc(vec![any]), span);
            let (here, word) = (this.terms.bvadd(pointer, at), this.terms.var(any));
            this.set_cell(class, here, word, span);
        });
    }

    fn set_cell(&mut self, class: Class, pointer: Term, word: Term, span: Span) {
        let memory = self.memory_term(class);
        let memory = self.write_cells(class, memory, pointer, word);
        self.set_memory(class, pointer, memory, span);
    }

    /// `memmove(to, from, bytes)`. Overlapping memory is copied in the direction that keeps it.
    pub(super) fn copy(&mut self, to: (Class, Term), from: (Class, Term), bytes: Term, span: Span) {
        let (to_class, from_class) = (self.region(to.0), self.region(from.0));
        let (to, from) = (self.keep(to.1, span), self.keep(from.1, span));
        self.check_range(from_class, from, bytes, Access::Read, span);
        self.check_range(to_class, to, bytes, Access::Write, span);
        let cell = self.memory.regions[&to_class].cell;
        let step = |this: &mut Self, at: Term| {
            let (source, target) = (this.terms.bvadd(from, at), this.terms.bvadd(to, at));
            let memory = this.memory_term(from_class);
            let word = this.read_cells(from_class, memory, source, 1);
            let register = this.register(from_class, source);
            let word = this.unless_register(register, word, span);
            this.set_cell(to_class, target, word, span);
        };
        if to_class != from_class {
            self.for_cells(to_class, bytes, span, &mut { step });
            return;
        }
        let bytes = self.keep(bytes, span);
        let behind = self.terms.bvult(from, to);
        let (backward, forward) = self.branch(behind, span);
        self.frame.at = forward;
        self.for_cells(to_class, bytes, span, &mut { step });
        let done = self.frame.at;
        self.frame.at = backward;
        let last = number(self.terms, self.pointer_bits(), cell.into());
        self.for_cells(to_class, bytes, span, &mut |this: &mut Self, at: Term| {
            let end = this.terms.bvsub(bytes, last);
            let at = this.terms.bvsub(end, at);
            step(this, at);
        });
        self.go(done, span);
        self.frame.at = done;
    }

    /// The bytes from an address on must be accessible; none need not be.
    fn check_range(&mut self, class: Class, pointer: Term, bytes: Term, access: Access, span: Span) {
        let zero = number(self.terms, self.pointer_bits(), 0);
        let some = self.terms.distinct(bytes, zero);
        if !self.failures.asks(Failure::ValidDeref) {
            if access == Access::Write {
                let constant = self.is_constant_at(class, pointer);
                let hit = self.terms.and(&[some, constant]);
                self.end_if(hit, span);
            }
            return;
        }
        // Both ends in the same object, and the length within the offsets of one object.
        let (yes, no) = self.branch(some, span);
        self.frame.at = yes;
        self.check_access(class, pointer, 1, access, span);
        let limit = number(self.terms, self.pointer_bits(), 1 << (self.memory.offset_bits - 1));
        let long = self.terms.bvule(limit, bytes);
        let end = self.terms.bvadd(pointer, bytes);
        let one = number(self.terms, self.pointer_bits(), 1);
        let last = self.terms.bvsub(end, one);
        let (a, b) = (self.object_of(pointer), self.object_of(last));
        let apart = self.terms.distinct(a, b);
        let outside = self.terms.or(&[long, apart]);
        self.fail_if(Failure::ValidDeref, outside, span);
        self.check_access(class, last, 1, access, span);
        self.go(no, span);
        self.frame.at = no;
    }

    /// Whether objects of the heap are still live, as a word of pointer width.
    pub(super) fn leaks(&mut self) -> Option<Term> {
        let tracked = self.failures.asks_about_memory().then(|| self.dynamic().tracked)??;
        let count = self.terms.var(tracked.count);
        let zero = number(self.terms, self.id_bits(), 0);
        Some(self.terms.distinct(count, zero))
    }
}
