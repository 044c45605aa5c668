//! Statements and functions.

use super::effects::Effect;
use super::homes::Home;
use super::place::Purpose;
use super::value::number;
use super::{Lowering, Value};
use crate::c::tree::{BlockId, Expr, FunctionId, Init, LabelId, ObjectId, Place, PlaceKind, Stmt, StmtKind};
use crate::c::types::{Ty, Type};
use tamis_ir::{Loc, Op, Span};
use tamis_term::Term;

/// The innermost switch: its cases so far.
#[derive(Debug, Default)]
pub(super) struct Switch {
    /// How many blocks are around it.
    depth: usize,
    cases: Vec<(i128, i128, Case)>,
    default: Option<Case>,
}

/// Where a case is, and the blocks between the switch and it.
#[derive(Debug)]
struct Case {
    at: Loc,
    inside: Vec<BlockId>,
}

impl Lowering<'_> {
    /// The edges of a function that has a body.
    pub(super) fn lower_function(&mut self, function: FunctionId) {
        let about = &self.unit.functions[function.index()];
        let (Some(proc), Some(body)) = (self.procs[function.index()], &about.body) else { return };
        let (entry, exit) = (self.program.proc(proc).entry, self.program.proc(proc).exit);
        self.frame.proc = proc;
        self.frame.function = Some(function);
        self.frame.prefix = format!("{}::", about.name);
        // Initial values come before main's body.
        self.frame.at = if proc == self.program.main { self.program.add_loc(about.span) } else { entry };
        let start = self.frame.at;
        self.frame.leave = self.program.add_loc(about.span);
        self.frame.labels = vec![None; about.labels.len()];
        self.frame.labelled = false;
        self.frame.scopes.clear();
        self.clear_addresses(function, about.span);
        self.begin_locals(function, about.span);
        if proc == self.program.main {
            self.limit_arguments(function);
        }
        for param in &about.params {
            self.receive(*param, about.span);
        }
        self.statement(body);
        // The end of main returns zero.
        if about.name == "main" {
            self.return_zero(function, about.span);
        }
        let leave = self.frame.leave;
        self.go(leave, about.span);
        self.frame.at = leave;
        self.bury_locals(function, about.span);
        if proc == self.program.main {
            self.end_of_program(about.span);
        }
        self.go(exit, about.span);
        if proc == self.program.main {
            self.frame.at = entry;
            self.initial_values(about.span);
            self.go(start, about.span);
        }
    }

    /// The arguments of main: their number is not negative, and what they are is not modelled.
    fn limit_arguments(&mut self, function: FunctionId) {
        let (about, proc) = (&self.unit.functions[function.index()], self.frame.proc);
        let params = self.program.proc(proc).params.clone();
        if let Some((count, others)) = params.split_first() {
            let term = self.terms.var(*count);
            let zero = self.zero_of(*count);
            if matches!(self.terms.sort(term), tamis_term::Sort::BitVec(_)) {
                let fine = self.terms.bvsle(zero, term);
                self.emit(Op::Assume(fine), about.span);
            }
            if !others.is_empty() {
                let edge = self.emit(Op::Havoc(others.to_vec()), about.span);
                self.program.notes.approximations.insert(edge, "the arguments of main".to_owned());
            }
        }
    }

    /// A parameter that lives in memory is stored there.
    fn receive(&mut self, param: ObjectId, span: Span) {
        let Some(vars) = self.incoming.get(&param).cloned() else { return };
        let ty = self.unit.objects[param.index()].ty;
        self.begin_unknown(param, span);
        let Some((class, pointer)) = self.address_of(param) else { return };
        let class = self.region(class);
        let terms: Vec<Term> = vars.iter().map(|var| self.terms.var(*var)).collect();
        let value = match (&terms[..], self.unit.types.is_scalar(ty)) {
            (&[term], true) => Value::Scalar(term),
            _ => Value::Record(terms),
        };
        self.write_memory(class, pointer, ty, &value, span);
    }

    pub(super) fn statement(&mut self, statement: &Stmt) {
        let span = statement.span;
        self.program.locs[self.frame.at.index()].span = span;
        match &statement.kind {
            StmtKind::Expr(expr) => self.discard(expr),
            StmtKind::Declare(object, init) => self.declare(*object, init.as_ref(), span),
            StmtKind::Block(block, statements) => {
                let depth = self.open_scope(*block, span);
                for statement in statements {
                    self.statement(statement);
                }
                self.close_scope(depth, span);
            }
            StmtKind::If(condition, then, otherwise) => {
                let (yes, no) = (self.program.add_loc(then.span), self.program.add_loc(span));
                self.condition(condition, yes, no);
                let joined = self.program.add_loc(span);
                self.frame.at = yes;
                self.statement(then);
                self.go(joined, span);
                self.frame.at = no;
                if let Some(otherwise) = otherwise {
                    self.statement(otherwise);
                }
                self.go(joined, span);
                self.frame.at = joined;
            }
            StmtKind::While(condition, body) => {
                let head = self.loop_head(span);
                let (inside, done) = (self.program.add_loc(body.span), self.program.add_loc(span));
                self.condition(condition, inside, done);
                self.frame.at = inside;
                self.loop_body(body, done, head);
                self.go(head, span);
                self.frame.at = done;
            }
            StmtKind::DoWhile(body, condition) => {
                let head = self.loop_head(span);
                let (test, done) = (self.program.add_loc(condition.span), self.program.add_loc(span));
                self.loop_body(body, done, test);
                self.go(test, span);
                self.frame.at = test;
                self.condition(condition, head, done);
                self.frame.at = done;
            }
            StmtKind::For { init, condition, step, body } => {
                for statement in init {
                    self.statement(statement);
                }
                self.counted(condition.as_ref(), step.as_ref(), body, span);
            }
            StmtKind::Switch(value, body) => self.switch(value, body, span),
            StmtKind::Case(low, high, body) => {
                let target = self.case_here(span);
                if let Some(switch) = self.frame.switches.last_mut() {
                    switch.cases.push((*low, *high, target));
                }
                self.statement(body);
            }
            StmtKind::Default(body) => {
                let target = self.case_here(span);
                if let Some(switch) = self.frame.switches.last_mut() {
                    switch.default = Some(target);
                }
                self.statement(body);
            }
            StmtKind::Label(label, body) => {
                self.define_label(*label, span);
                self.statement(body);
            }
            StmtKind::Goto(label) => {
                self.cross_to_label(*label, span);
                let to = self.label(*label, span);
                self.go(to, span);
                self.at_nowhere(span);
            }
            StmtKind::Break => self.jump(self.frame.breaks.last().copied(), span),
            StmtKind::Continue => self.jump(self.frame.continues.last().copied(), span),
            StmtKind::Return(value) => self.give_back(value.as_ref(), span),
            StmtKind::Unsupported { what, changes, inputs, memory } => {
                for input in inputs {
                    self.discard(input);
                }
                if *memory {
                    self.forget_memory(what, span);
                }
                self.unsupported(what, changes, span);
            }
            StmtKind::Empty => {}
        }
    }

    /// The loop of a `for` whose first clause is done.
    fn counted(&mut self, condition: Option<&Expr>, step: Option<&Expr>, body: &Stmt, span: Span) {
        let head = self.loop_head(span);
        let inside = self.program.add_loc(body.span);
        let (next, done) = (self.program.add_loc(span), self.program.add_loc(span));
        match condition {
            Some(condition) => self.condition(condition, inside, done),
            None => self.go(inside, span),
        }
        self.frame.at = inside;
        self.loop_body(body, done, next);
        self.go(next, span);
        self.frame.at = next;
        if let Some(step) = step {
            self.discard(step);
        }
        self.go(head, span);
        self.frame.at = done;
    }

    /// The label is here; perhaps it is an error to come to it.
    fn define_label(&mut self, label: LabelId, span: Span) {
        let here = self.label(label, span);
        self.go(here, span);
        self.frame.at = here;
        self.frame.labelled = true;
        let labels = self.frame.function.map(|function| &self.unit.functions[function.index()].labels);
        if let Some(label) = labels.and_then(|labels| labels.get(label.index())) {
            self.program.locs[here.index()].label = Some(label.name.clone());
            if self.failures.is_error_label(&label.name) {
                self.error_label(span);
            }
        }
    }

    /// A location that is reached from here and from elsewhere.
    fn join_here(&mut self, span: Span) -> Loc {
        let here = self.program.add_loc(span);
        self.go(here, span);
        self.frame.at = here;
        here
    }

    fn loop_head(&mut self, span: Span) -> Loc {
        self.join_here(span)
    }

    fn loop_body(&mut self, body: &Stmt, done: Loc, next: Loc) {
        let depth = self.frame.scopes.len();
        self.frame.breaks.push((done, depth));
        self.frame.continues.push((next, depth));
        self.statement(body);
        self.frame.breaks.pop();
        self.frame.continues.pop();
    }

    fn jump(&mut self, to: Option<(Loc, usize)>, span: Span) {
        if let Some((to, depth)) = to {
            self.leave_scopes(depth, span);
            self.go(to, span);
        }
        self.at_nowhere(span);
    }

    /// The cases are found while the body is lowered; then the choice between them is.
    fn switch(&mut self, value: &Expr, body: &Stmt, span: Span) {
        let term = self.scalar(value);
        let term = self.keep(term, value.span);
        let (choice, done) = (self.frame.at, self.program.add_loc(span));
        let depth = self.frame.scopes.len();
        self.frame.switches.push(Switch { depth, ..Switch::default() });
        self.frame.breaks.push((done, depth));
        self.at_nowhere(span);
        self.statement(body);
        self.go(done, span);
        self.frame.breaks.pop();
        let Switch { cases, default, .. } = self.frame.switches.pop().unwrap_or_default();
        let signed = self.unit.types.scalar(value.ty).is_some_and(|(_, signed)| signed);
        let mut any = Vec::new();
        for (low, high, target) in cases {
            let here = self.within(term, low, high, signed);
            any.push(here);
            self.frame.at = choice;
            self.choose(here, &target, span);
        }
        let any = self.terms.or(&any);
        let none = self.terms.not(any);
        self.frame.at = choice;
        self.choose(none, &default.unwrap_or(Case { at: done, inside: Vec::new() }), span);
        self.frame.at = done;
    }

    /// A case of the innermost switch, which is reached from here as well.
    fn case_here(&mut self, span: Span) -> Case {
        let at = self.join_here(span);
        let depth = self.frame.switches.last().map_or(0, |switch| switch.depth);
        Case { at, inside: self.frame.scopes[depth..].to_vec() }
    }

    /// Goes to a case if the condition holds.
    fn choose(&mut self, condition: Term, case: &Case, span: Span) {
        if case.inside.is_empty() {
            self.emit_to(Op::Assume(condition), case.at, span);
            return;
        }
        self.emit(Op::Assume(condition), span);
        for block in &case.inside {
            self.begin_block(*block, span);
        }
        self.go(case.at, span);
    }

    fn within(&mut self, term: Term, low: i128, high: i128, signed: bool) -> Term {
        let width = self.terms.width(term);
        let (low, high) = (number(self.terms, width, low), number(self.terms, width, high));
        if low == high {
            return self.terms.eq(term, low);
        }
        let (above, below) = if signed {
            (self.terms.bvsle(low, term), self.terms.bvsle(term, high))
        } else {
            (self.terms.bvule(low, term), self.terms.bvule(term, high))
        };
        self.terms.and(&[above, below])
    }

    /// A local object gets its first value.
    pub(super) fn declare(&mut self, object: ObjectId, init: Option<&Init>, span: Span) {
        let Some(init) = init else {
            self.begin(object, span);
            return;
        };
        for (hidden, value) in &init.once {
            let result = self.rvalue(value);
            let spot = self.path_spot(*hidden, &[], span);
            self.write(&spot, &result, span);
        }
        let ty = self.unit.objects[object.index()].ty;
        let place = |ty: Ty, kind: PlaceKind| Place { kind, ty, bits: None, span };
        if let [(path, value)] = &init.items[..]
            && path.is_empty()
        {
            self.begin_unknown(object, span);
            let place = place(ty, PlaceKind::Object(object));
            if self.assign_call(&place, value).is_none() {
                let value = self.value_for(&place, value);
                let spot = self.spot(&place, Purpose::Access);
                self.write(&spot, &value, span);
            }
            return;
        }
        // Values first: an initialiser may mention the object only by its address.
        let mut items = Vec::with_capacity(init.items.len());
        let writes = init.items.iter().any(|(_, value)| self.effect(value) == Effect::Writes);
        for (path, value) in &init.items {
            let result = self.rvalue(value);
            items.push((&path[..], if writes { self.keep_value(result, span) } else { result }));
        }
        self.begin_unknown(object, span);
        if let Home::Plain(vars) = self.homes[object.index()].clone() {
            let zeros = vars.iter().map(|var| self.zero_of(*var)).collect();
            let leaves = self.initial_leaves(object, zeros, &items);
            if !vars.is_empty() {
                self.emit(Op::Assign(vars.into_iter().zip(leaves).collect()), span);
            }
            return;
        }
        self.zero(object, span);
        self.forget_padding(object, span);
        for (path, value) in items {
            let spot = self.path_spot(object, path, span);
            self.write(&spot, &value, span);
        }
    }

    /// What lies between the members of an object that has an initialiser is arbitrary, unless it is
    /// static (C11 6.2.6.1p6). Beyond so many gaps they stay zero.
    fn forget_padding(&mut self, object: ObjectId, span: Span) {
        const MOST: usize = 256;
        let gaps = self.unit.types.padding(self.unit.objects[object.index()].ty, MOST);
        if gaps.is_empty() {
            return;
        }
        let Some((class, pointer)) = self.address_of(object) else { return };
        let cell = self.points_to.grain(class).max(1);
        for (from, length) in gaps.into_iter().filter(|(from, length)| from % cell == 0 && length % cell == 0) {
            let [from, length] = [from, length].map(|bytes| number(self.terms, self.pointer_bits(), bytes.into()));
            let here = self.terms.bvadd(pointer, from);
            self.forget(class, here, length, span);
        }
    }

    /// An object in memory comes to life, and will be written to at once.
    fn begin_unknown(&mut self, object: ObjectId, span: Span) {
        if let Home::Moving { class, address } = self.homes[object.index()] {
            self.renew(object, class, address, span);
        }
    }

    /// The whole object is zero.
    fn zero(&mut self, object: ObjectId, span: Span) {
        match self.homes[object.index()].clone() {
            Home::Plain(vars) => {
                let zeros: Vec<_> = vars.into_iter().map(|var| (var, self.zero_of(var))).collect();
                if !zeros.is_empty() {
                    self.emit(Op::Assign(zeros), span);
                }
            }
            Home::Fixed { class, size, .. } => {
                let Some((_, pointer)) = self.address_of(object) else { return };
                let (byte, bytes) = (number(self.terms, 8, 0), number(self.terms, self.pointer_bits(), size.into()));
                self.fill(class, pointer, byte, bytes, span);
            }
            Home::Moving { class, .. } => {
                let Some((_, pointer)) = self.address_of(object) else { return };
                let size = self.unit.types.size_of(self.unit.objects[object.index()].ty).unwrap_or(0);
                let (byte, bytes) = (number(self.terms, 8, 0), number(self.terms, self.pointer_bits(), size.into()));
                self.fill(class, pointer, byte, bytes, span);
            }
            Home::Absent => {}
        }
    }

    fn give_back(&mut self, value: Option<&Expr>, span: Span) {
        let results = self.program.proc(self.frame.proc).results.clone();
        if let Some(value) = value {
            let terms = match self.rvalue(value) {
                Value::Void => Vec::new(),
                Value::Scalar(term) => vec![term],
                Value::Record(terms) => terms,
            };
            let writes: Vec<_> = results.into_iter().zip(terms).collect();
            if !writes.is_empty() {
                self.emit(Op::Assign(writes), span);
            }
        }
        self.go(self.frame.leave, span);
        self.at_nowhere(span);
    }

    fn return_zero(&mut self, function: FunctionId, span: Span) {
        let result = match self.unit.types.get(self.unit.functions[function.index()].ty) {
            Type::Function(signature) => signature.result,
            _ => return,
        };
        let results = self.program.proc(self.frame.proc).results.clone();
        if let (&[var], true) = (&results[..], self.unit.types.is_integer(result)) {
            let zero = number(self.terms, self.bits(result), 0);
            self.emit(Op::Assign(vec![(var, zero)]), span);
        }
    }

    /// Everything but plain local variables may have changed. Which variables that are is known
    /// when all functions are lowered.
    fn forget_memory(&mut self, what: &str, span: Span) {
        let edge = self.emit(Op::Havoc(Vec::new()), span);
        self.program.notes.approximations.insert(edge, what.to_owned());
        self.forgotten.push(edge);
    }

    /// What cannot be modelled may have changed some places.
    fn unsupported(&mut self, what: &str, changes: &[Place], span: Span) {
        for place in changes {
            let spot = self.spot(place, Purpose::Access);
            let sorts = self.sorts(place.ty);
            let terms: Vec<Term> = sorts.into_iter().map(|sort| self.approximate(sort, what, span)).collect();
            let value = if self.unit.types.is_scalar(place.ty) {
                terms.first().copied().map_or(Value::Void, Value::Scalar)
            } else {
                Value::Record(terms)
            };
            self.store(&spot, &value, span);
        }
    }

    /// The zero of a variable's sort.
    pub(super) fn zero_of(&mut self, var: tamis_term::Var) -> Term {
        let sort = self.terms.var_sort(var).clone();
        let zero = tamis_term::Value::default_of(&sort);
        self.terms.constant(zero)
    }

    /// The program ends here: what is asked about its end.
    pub(super) fn end_of_program(&mut self, span: Span) {
        use super::checks::Failure;
        let Some(leaks) = self.leaks() else { return };
        self.fail_if(Failure::Memcleanup, leaks, span);
        if self.failures.asks(Failure::Memtrack) {
            self.give_up_if("valid-memtrack of objects that are not freed", leaks, span);
        }
    }
}
