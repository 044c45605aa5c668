//! Calls of functions that the program does not define: inputs, errors, the standard library.

use super::checks::Failure;
use super::heap::Lifetime;
use super::homes::Home;
use super::value::{number, resize};
use super::{Lowering, Value};
use crate::c::library::{Known, known};
use crate::c::system::is_of_system;
use crate::c::tree::{Expr, Function, FunctionId, Object, Storage};
use crate::c::types::{FloatKind, Ty, Type};
use tamis_ir::{Op, Span};
use tamis_term::{Sort, Term, Var};

impl Lowering<'_> {
    /// Whether a call of that function is an error, although the program may define it.
    pub(super) fn is_error_function(&self, name: &str) -> bool {
        self.failures.is_error_call(name, known(name) == Some(Known::Error))
    }

    /// Whether a call of the function does nothing but return something.
    pub(super) fn is_silent(&self, function: FunctionId) -> bool {
        let about = &self.unit.functions[function.index()];
        about.body.is_none() && known(&about.name) == Some(Known::Silent)
    }

    /// Gives a variable an input that a function returns.
    pub(super) fn input(&mut self, var: Var, name: &str, ty: Ty, span: Span) {
        let edge = self.emit(Op::Havoc(vec![var]), span);
        let input = tamis_ir::Input { function: name.to_owned(), result: self.type_name(ty) };
        self.program.notes.inputs.insert(edge, input);
    }

    /// Notes the functions that somebody has to define before the program can run.
    pub(super) fn note_outside(&mut self) {
        for function in self.points_to.outside(self.unit) {
            let about = &self.unit.functions[function.index()];
            let Type::Function(signature) = self.unit.types.get(about.ty) else { continue };
            if matches!(known(&about.name), None | Some(Known::Nondet)) && !self.is_of_system(about) {
                let input = tamis_ir::Input { function: about.name.clone(), result: self.type_name(signature.result) };
                self.program.notes.outside.push(input);
            }
        }
    }

    /// Whether a function is declared by the system, or is the compiler's own.
    fn is_of_system(&self, function: &Function) -> bool {
        let file = self.program.sources.get(function.span.source);
        is_of_system(&function.name) || file.is_some_and(|file| file.name.starts_with("/usr/"))
    }

    /// How a scalar type is written in C.
    fn type_name(&self, ty: Ty) -> String {
        let name = match self.unit.types.get(ty) {
            Type::Bool => "_Bool",
            Type::Float(FloatKind::Float) => "float",
            Type::Float(FloatKind::Double) => "double",
            Type::Float(FloatKind::LongDouble) => "long double",
            Type::Int(kind) => kind.name(),
            Type::Bits(_, true) => "long long",
            Type::Bits(_, false) => "unsigned long long",
            Type::Pointer(_) => "void *",
            Type::Void => "void",
            Type::Record(_) => "struct",
            Type::Array(..) | Type::Vla(_) | Type::Function(_) => "void",
        };
        name.to_owned()
    }

    /// The value of a call of a function that the program does not define.
    pub(super) fn call_outside(&mut self, call: &Expr, name: &str, args: &[Expr]) -> Value {
        // An assertion branches on its argument, so that a compound condition is not kept.
        if let (Some(Known::Assert), [condition, ..]) = (known(name), args)
            && !self.is_error_function(name)
        {
            let (holds, fails) = (self.program.add_loc(call.span), self.program.add_loc(call.span));
            self.condition(condition, holds, fails);
            self.frame.at = fails;
            self.failed_assertion(call.span);
            self.frame.at = holds;
            return self.nothing_or_any(call);
        }
        let values = self.arguments(args);
        self.call_outside_with(call, name, args, &values)
    }

    /// The same with arguments that are evaluated already.
    pub(super) fn call_outside_with(&mut self, call: &Expr, name: &str, args: &[Expr], values: &[Value]) -> Value {
        let span = call.span;
        if self.is_error_function(name) {
            self.fail(Failure::ErrorCall, span);
            return self.nothing_or_any(call);
        }
        self.require_function(name, span);
        let Some(known) = known(name) else { return self.unknown(call, name, args) };
        match known {
            Known::Nondet => self.any(call, Some(name)),
            Known::ArbitraryBytes => {
                if let (Some(class), Some(pointer), Some(bytes)) =
                    (args.first().and_then(|arg| self.points_to.target(arg)), word(values, 0), word(values, 1))
                {
                    let bytes = resize(self.terms, bytes, self.pointer_bits(), false);
                    self.forget(class, pointer, bytes, span);
                }
                self.nothing_or_any(call)
            }
            Known::Assume => {
                if let (Some(arg), Some(term)) = (args.first(), word(values, 0)) {
                    let holds = super::value::truth(self.terms, &self.unit.types, term, arg.ty);
                    self.emit(Op::Assume(holds), span);
                }
                self.nothing_or_any(call)
            }
            Known::ErrorIf => {
                let wrong = match (args.first(), word(values, 0)) {
                    (Some(arg), Some(term)) => super::value::truth(self.terms, &self.unit.types, term, arg.ty),
                    _ => self.terms.bool(true),
                };
                self.fail_if(Failure::ErrorCall, wrong, span);
                self.nothing_or_any(call)
            }
            // Nobody asks about it: it is a function like others.
            Known::Error if self.is_noreturn(name) => {
                self.end_of_program(span);
                self.at_nowhere(span);
                self.nothing_or_any(call)
            }
            Known::Error => self.nothing_or_any(call),
            Known::Assert | Known::AssertFail => {
                self.failed_assertion(span);
                self.nothing_or_any(call)
            }
            Known::End => {
                self.end_of_program(span);
                self.at_nowhere(span);
                self.nothing_or_any(call)
            }
            Known::Allocate | Known::AllocateZero | Known::AllocateLocal => self.allocation(call, known, values),
            Known::Resize => {
                self.give_up("realloc", span);
                self.nothing_or_any(call)
            }
            Known::Free => {
                if let Some(pointer) = word(values, 0) {
                    self.free(pointer, span);
                }
                self.nothing_or_any(call)
            }
            Known::Copy | Known::Set => self.block_operation(call, known, args, values),
            Known::Silent => {
                self.print(name, args, values, span);
                self.unmodelled(call.ty, name, span)
            }
            Known::Random => self.any_within(call, 0, i128::from(i32::MAX)),
            Known::Character => self.any_within(call, -1, 255),
            Known::Nothing => self.nothing_or_any(call),
            Known::Zero => Value::Scalar(number(self.terms, self.bits(call.ty), 0)),
            Known::Read => self.scan(call, args, values),
            Known::Unmodelled => {
                self.give_up(name, span);
                self.nothing_or_any(call)
            }
        }
    }

    /// An error if it is asked about; it ends the run in any case.
    fn failed_assertion(&mut self, span: Span) {
        if self.failures.asks(Failure::Assert) { self.fail(Failure::Assert, span) } else { self.at_nowhere(span) }
    }

    /// Whether a function is declared never to return.
    fn is_noreturn(&self, name: &str) -> bool {
        self.unit.functions.iter().any(|function| is_missing(function, name) && function.noreturn)
    }

    /// A function that nothing is known about.
    fn unknown(&mut self, call: &Expr, name: &str, args: &[Expr]) -> Value {
        let span = call.span;
        self.undefined.entry(name.to_owned()).or_insert(span);
        let about = self.unit.functions.iter().find(|function| is_missing(function, name));
        let of_system = about.is_some_and(|function| self.is_of_system(function));
        if self.is_noreturn(name) {
            self.end_of_program(span);
            self.at_nowhere(span);
            return self.nothing_or_any(call);
        }
        let types = &self.unit.types;
        let is_callback =
            |arg: &Expr| types.pointee(arg.ty).is_some_and(|to| matches!(types.get(to), Type::Function(_)));
        // What the outside was given, or finds where it was given the address, it may call.
        let knows_functions = || self.points_to.callees(self.points_to.unknown()).next().is_some();
        if self.unit.assembler {
            self.give_up(&format!("what `{name}` does, which assembler text may define"), span);
            return self.nothing_or_any(call);
        }
        if args.iter().any(is_callback) || !of_system && knows_functions() {
            self.give_up(&format!("what `{name}` calls"), span);
            return self.nothing_or_any(call);
        }
        self.forget_outside(name, span);
        // Functions of the system and of the compiler have a meaning, which is only not known here.
        let floats = types.is_float(call.ty) || args.iter().any(|arg| types.is_float(arg.ty));
        if floats || of_system {
            return self.unmodelled(call.ty, &format!("what `{name}` returns"), span);
        }
        self.any(call, Some(name))
    }

    /// A function of the outside may change everything that it knows the address of.
    pub(super) fn forget_outside(&mut self, name: &str, span: Span) {
        let mut vars = self.variables_of_outside();
        if self.memory.given_away {
            let class = self.region(self.points_to.unknown());
            vars.push(self.memory.regions[&class].var);
        }
        if vars.is_empty() {
            return;
        }
        let edge = self.emit(Op::Havoc(vars), span);
        self.program.notes.approximations.insert(edge, format!("what `{name}` does to memory"));
    }

    /// The variables of objects that are defined outside, as far as they have some of their own.
    fn variables_of_outside(&self) -> Vec<Var> {
        let outside =
            |about: &Object| matches!(about.storage, Storage::Static { external: true, .. }) && !about.constant;
        let objects = self.unit.objects.iter().zip(&self.homes).filter(|(about, _)| outside(about));
        let vars = objects.filter_map(|(_, home)| if let Home::Plain(vars) = home { Some(vars) } else { None });
        vars.flatten().copied().collect()
    }

    /// An input within a range.
    pub(super) fn any_within(&mut self, call: &Expr, low: i128, high: i128) -> Value {
        let value = self.any(call, None);
        if let Value::Scalar(term) = value {
            let width = self.terms.width(term);
            let (low, high) = (number(self.terms, width, low), number(self.terms, width, high));
            let (above, below) = (self.terms.bvsle(low, term), self.terms.bvsle(term, high));
            let within = self.terms.and(&[above, below]);
            self.emit(Op::Assume(within), call.span);
        }
        value
    }

    /// An arbitrary value of a call's type; an input if the function has a name.
    fn any(&mut self, call: &Expr, name: Option<&str>) -> Value {
        let (ty, span) = (call.ty, call.span);
        match self.unit.types.get(ty) {
            Type::Void => Value::Void,
            Type::Record(_) => {
                let sorts = self.sorts(ty);
                let vars: Vec<Var> = sorts.into_iter().map(|sort| self.temporary(sort)).collect();
                if !vars.is_empty() {
                    self.emit(Op::Havoc(vars.clone()), span);
                }
                Value::Record(vars.into_iter().map(|var| self.terms.var(var)).collect())
            }
            _ => {
                let var = self.temporary(Sort::BitVec(self.bits(ty)));
                match name {
                    Some(name) => self.input(var, name, ty, span),
                    None => {
                        self.emit(Op::Havoc(vec![var]), span);
                    }
                }
                self.note_type(var, ty);
                Value::Scalar(self.terms.var(var))
            }
        }
    }

    /// The value of a call whose value means nothing.
    fn nothing_or_any(&mut self, call: &Expr) -> Value {
        if matches!(self.unit.types.get(call.ty), Type::Void) { Value::Void } else { self.any(call, None) }
    }

    /// `malloc`, `calloc` and `alloca`. They never fail.
    fn allocation(&mut self, call: &Expr, known: Known, values: &[Value]) -> Value {
        let (span, width) = (call.span, self.pointer_bits());
        if known == Known::AllocateLocal && self.failures.asks_about_memory() {
            self.give_up("the lifetime of what `alloca` makes", span);
        }
        let Some(class) = self.points_to.target(call) else { return self.any(call, None) };
        let mut bytes = match word(values, 0) {
            Some(term) => resize(self.terms, term, width, false),
            None => number(self.terms, width, 0),
        };
        if known == Known::AllocateZero
            && let Some(size) = word(values, 1)
        {
            let size = resize(self.terms, size, width, false);
            bytes = self.terms.bvmul(bytes, size);
        }
        let bytes = self.keep(bytes, span);
        let lifetime = if known == Known::AllocateLocal { Lifetime::Function } else { Lifetime::Heap };
        let pointer = self.allocate(bytes, lifetime, span);
        if known == Known::AllocateZero {
            let zero = number(self.terms, 8, 0);
            self.fill(class, pointer, zero, bytes, span);
        }
        // Declared without a prototype, it returns an int.
        Value::Scalar(resize(self.terms, pointer, self.bits(call.ty), false))
    }

    /// `memcpy`, `memmove` and `memset`.
    fn block_operation(&mut self, call: &Expr, known: Known, args: &[Expr], values: &[Value]) -> Value {
        let (span, width) = (call.span, self.pointer_bits());
        let target = |this: &Self, at: usize| args.get(at).and_then(|arg: &Expr| this.points_to.target(arg));
        let (Some(to), Some(second), Some(bytes)) = (word(values, 0), word(values, 1), word(values, 2)) else {
            return self.any(call, None);
        };
        let bytes = resize(self.terms, bytes, width, false);
        let to = self.keep(to, span);
        match (known, target(self, 0), target(self, 1)) {
            (Known::Set, Some(class), _) => {
                let byte = resize(self.terms, second, 8, false);
                self.fill(class, to, byte, bytes, span);
            }
            (Known::Copy, Some(class), Some(other)) => self.copy((class, to), (other, second), bytes, span),
            _ => self.give_up("copying from or to an unknown address", span),
        }
        Value::Scalar(resize(self.terms, to, self.bits(call.ty), false))
    }
}

/// Whether the function has this name for all files, and is not defined in any. A static function of
/// another file is a different one.
fn is_missing(function: &Function, name: &str) -> bool {
    function.name == name && function.body.is_none()
}

/// The value of an argument, if it is a scalar.
fn word(values: &[Value], at: usize) -> Option<Term> {
    match values.get(at) {
        Some(Value::Scalar(term)) => Some(*term),
        Some(Value::Void | Value::Record(_)) | None => None,
    }
}
