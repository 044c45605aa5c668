//! Calls of functions that the program defines, by name and through pointers.

use super::checks::Failure;
use super::effects::Effect;
use super::homes::Home;
use super::place::Spot;
use super::value::resize;
use super::{Lowering, Value};
use crate::c::library::{Known, known};
use crate::c::points_to::Class;
use crate::c::tree::{Callee, Expr, ExprKind, FunctionId, Place, PlaceKind};
use crate::c::types::{Ty, Type};
use std::cmp::Ordering;
use tamis_ir::{Loc, Op, Span};
use tamis_term::{Sort, Term, Var};

/// How a value arrives that is passed as one type and taken as another.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Fit {
    Exact,
    /// Its low bits are what is taken.
    Low,
    Not,
}

impl Lowering<'_> {
    /// The value of a call, of which perhaps only the sign matters.
    pub(super) fn call(&mut self, call: &Expr, callee: &Callee, args: &[Expr], by_sign: bool) -> Value {
        match callee {
            Callee::Function(function) => self.call_function(call, self.unit.function(*function), args, by_sign),
            Callee::Pointer(pointer) => self.call_pointer(call, pointer, args, by_sign),
        }
    }

    fn call_function(&mut self, call: &Expr, function: FunctionId, args: &[Expr], by_sign: bool) -> Value {
        let about = &self.unit.functions[function.index()];
        if self.is_outside(function) {
            return self.call_outside(call, &about.name, args);
        }
        let values = self.arguments(args);
        let results = self.result_vars(call.ty);
        self.call_defined(function, (args, &values), (call.ty, results.clone()), call.span);
        self.leave_open(function, &results, by_sign, call.span);
        self.result(call.ty, &results)
    }

    /// What the library does not say about its result is not known, unless only the sign matters.
    fn leave_open(&mut self, function: FunctionId, results: &[Var], by_sign: bool, span: Span) {
        if let (Some(promise), false, &[result]) = (self.promise(function), by_sign, results) {
            self.unspecified(promise, result, span);
        }
    }

    /// Whether a call of the function has a meaning of its own, whatever its body says: error
    /// functions are errors although tasks define them.
    fn is_outside(&self, function: FunctionId) -> bool {
        let about = &self.unit.functions[function.index()];
        self.procs[function.index()].is_none() || self.is_error_function(&about.name)
    }

    /// The values of arguments, from left to right.
    pub(super) fn arguments(&mut self, args: &[Expr]) -> Vec<Value> {
        // What is evaluated after an argument may write to what the argument reads.
        let mut later = vec![Effect::None; args.len() + 1];
        for (at, arg) in args.iter().enumerate().rev() {
            later[at] = later[at + 1].max(self.effect(arg));
        }
        let mut values = Vec::with_capacity(args.len());
        for (at, arg) in args.iter().enumerate() {
            let mut value = self.rvalue(arg);
            if later[at + 1] == Effect::Writes {
                value = self.keep_value(value, arg.span);
            }
            values.push(value);
        }
        values
    }

    /// Variables for the result of a call.
    fn result_vars(&mut self, ty: Ty) -> Vec<Var> {
        let sorts = self.sorts(ty);
        sorts.into_iter().map(|sort| self.temporary(sort)).collect()
    }

    /// The sorts of the leaves of a type.
    pub(super) fn sorts(&mut self, ty: Ty) -> Vec<Sort> {
        let leaves = self.leaves.of(&self.unit.types, ty).unwrap_or_default();
        leaves.iter().map(|leaf| leaf.sort(&self.unit.types)).collect()
    }

    fn result(&mut self, ty: Ty, vars: &[Var]) -> Value {
        let terms: Vec<Term> = vars.iter().map(|var| self.terms.var(*var)).collect();
        match self.unit.types.get(ty) {
            Type::Void => Value::Void,
            Type::Record(_) => Value::Record(terms),
            _ => terms.first().copied().map_or(Value::Void, Value::Scalar),
        }
    }

    /// An edge that calls a function with a body.
    fn call_defined(
        &mut self,
        function: FunctionId,
        (given, values): (&[Expr], &[Value]),
        (ty, results): (Ty, Vec<Var>),
        span: Span,
    ) {
        let proc = self.procs[function.index()].expect("the function has a body");
        let args = self.passed(function, given, values, span);
        let Type::Function(signature) = self.unit.types.get(self.unit.functions[function.index()].ty) else { return };
        let returned = signature.result;
        let sorts: Vec<Sort> =
            self.program.proc(proc).results.iter().map(|var| self.terms.var_sort(*var).clone()).collect();
        let same = sorts.len() == results.len()
            && results.iter().zip(&sorts).all(|(var, sort)| self.terms.var_sort(*var) == sort);
        match (self.fit(returned, ty, same), &results[..]) {
            (Fit::Exact, _) => {
                self.emit(Op::Call { callee: proc, args, results }, span);
            }
            (Fit::Low, &[target]) => {
                let width = self.bits(ty);
                let var = self.temporary(sorts[0].clone());
                self.emit(Op::Call { callee: proc, args, results: vec![var] }, span);
                let value = self.terms.var(var);
                let value = resize(self.terms, value, width, false);
                self.emit(Op::Assign(vec![(target, value)]), span);
            }
            (Fit::Low | Fit::Not, _) => {
                // The result is taken for another type, or none is taken.
                if !results.is_empty() {
                    let edge = self.emit(Op::Havoc(results), span);
                    let what = "a call that takes the result for another type".to_owned();
                    self.program.notes.approximations.insert(edge, what);
                }
                let results = sorts.into_iter().map(|sort| self.temporary(sort)).collect();
                self.emit(Op::Call { callee: proc, args, results }, span);
            }
        }
    }

    /// What the parameters of a function get. Where arguments are not of their types, which only a
    /// cast, another file or a missing prototype can bring about, they may be anywhere.
    fn passed(&mut self, function: FunctionId, given: &[Expr], values: &[Value], span: Span) -> Vec<Term> {
        let params: Vec<Ty> = {
            let params = &self.unit.functions[function.index()].params;
            params.iter().map(|param| self.unit.objects[param.index()].ty).collect()
        };
        let mut fits = true;
        let mut parts: Vec<(Vec<Sort>, Option<Vec<Term>>)> = Vec::new();
        for (at, param) in params.iter().enumerate() {
            let sorts = self.sorts(*param);
            let terms: Option<Vec<Term>> = values.get(at).map(|value| match value {
                Value::Scalar(term) => vec![*term],
                Value::Record(terms) => terms.clone(),
                Value::Void => Vec::new(),
            });
            if let (Some(terms), Some(arg)) = (&terms, given.get(at)) {
                let same = terms.len() == sorts.len()
                    && terms.iter().zip(&sorts).all(|(term, sort)| self.terms.sort(*term) == sort);
                let fit = self.fit(arg.ty, *param, same);
                // What is wider than a place for arguments moves the others.
                let has_place = self.bits(arg.ty) <= self.pointer_bits();
                fits &= fit == Fit::Exact || fit == Fit::Low && has_place;
            }
            parts.push((sorts, terms));
        }
        let mut args = Vec::new();
        for (sorts, terms) in parts {
            match terms.filter(|_| fits) {
                Some(terms) => {
                    let fitted = terms.into_iter().zip(&sorts).map(|(term, sort)| match sort {
                        Sort::BitVec(width) => resize(self.terms, term, *width, false),
                        _ => term,
                    });
                    args.extend(fitted);
                }
                None => {
                    for sort in sorts {
                        args.push(self.approximate(sort, "a call with other arguments than the function takes", span));
                    }
                }
            }
        }
        args
    }

    /// How a value of one type is passed where another is expected, by the ABIs of x86.
    fn fit(&self, from: Ty, to: Ty, same_sorts: bool) -> Fit {
        let types = &self.unit.types;
        let exact = |fits: bool| if fits { Fit::Exact } else { Fit::Not };
        if from == to {
            return exact(same_sorts);
        }
        let is_bool = |ty: Ty| matches!(types.get(ty), Type::Bool);
        if !types.is_scalar(from) || !types.is_scalar(to) {
            return exact(same_sorts && !types.is_scalar(from) && !types.is_scalar(to));
        }
        if types.is_float(from) || types.is_float(to) || is_bool(from) || is_bool(to) {
            return exact(types.get(from) == types.get(to));
        }
        match self.bits(from).cmp(&self.bits(to)) {
            Ordering::Equal => Fit::Exact,
            // The other bits are in the same register.
            Ordering::Greater if self.bits(from) <= 64 => Fit::Low,
            Ordering::Greater | Ordering::Less => Fit::Not,
        }
    }

    /// A call through a pointer: one branch for every function that it may mean.
    fn call_pointer(&mut self, call: &Expr, pointer: &Expr, args: &[Expr], by_sign: bool) -> Value {
        let class = self.points_to.target(pointer).expect("the analysis visits every pointer that is called");
        let target = self.scalar(pointer);
        let target = self.keep(target, pointer.span);
        let values = self.arguments(args);
        let values: Vec<Value> = values.into_iter().map(|value| self.keep_value(value, call.span)).collect();
        let results = self.result_vars(call.ty);
        let functions: Vec<FunctionId> = self.points_to.callees(class).collect();
        let (start, joined) = (self.frame.at, self.program.add_loc(call.span));
        for function in functions {
            self.frame.at = start;
            let id = self.memory.functions.get(&function).copied().unwrap_or(0);
            let address = self.fixed_address(id);
            let this = self.terms.eq(target, address);
            self.emit(Op::Assume(this), call.span);
            if self.is_outside(function) {
                let name = self.unit.functions[function.index()].name.clone();
                let value = self.call_outside_with(call, &name, args, &values);
                let terms: Vec<Term> = match value {
                    Value::Void => Vec::new(),
                    Value::Scalar(term) => vec![term],
                    Value::Record(terms) => terms,
                };
                let writes: Vec<_> = results.iter().copied().zip(terms).collect();
                if !writes.is_empty() {
                    self.emit(Op::Assign(writes), call.span);
                }
            } else {
                self.call_defined(function, (args, &values), (call.ty, results.clone()), call.span);
                self.leave_open(function, &results, by_sign, call.span);
            }
            self.go(joined, call.span);
        }
        self.call_nothing(class, target, start, call.span);
        self.frame.at = joined;
        self.result(call.ty, &results)
    }

    /// A pointer that means no function of the program: it may mean one of the outside; otherwise
    /// the call crashes, which ends the run.
    fn call_nothing(&mut self, class: Class, target: Term, start: Loc, span: Span) {
        self.frame.at = start;
        let mut known = Vec::new();
        for function in self.points_to.callees(class).collect::<Vec<_>>() {
            let id = self.memory.functions.get(&function).copied().unwrap_or(0);
            let address = self.fixed_address(id);
            known.push(self.terms.eq(target, address));
        }
        let any = self.terms.or(&known);
        let none = self.terms.not(any);
        let asked = self.failures.asks(Failure::ValidDeref);
        let outside = self.points_to.find(class) == self.points_to.unknown();
        if self.terms.is_false(none) || !asked && !outside {
            return;
        }
        // The other ways from here are the known functions.
        self.emit(Op::Assume(none), span);
        if asked { self.fail(Failure::ValidDeref, span) } else { self.give_up("a call of an unknown function", span) }
    }

    /// `place = f(…)` and `place = input()` without a detour, if the place is a scalar variable.
    pub(super) fn assign_call(&mut self, place: &Place, value: &Expr) -> Option<Spot> {
        let PlaceKind::Object(object) = &place.kind else { return None };
        let ExprKind::Call(Callee::Function(function), args) = &value.kind else { return None };
        let Home::Plain(vars) = &self.homes[object.index()] else { return None };
        let &[var] = &vars[..] else { return None };
        if !self.unit.types.is_scalar(place.ty) || value.ty != place.ty || place.bits.is_some() {
            return None;
        }
        let function = self.unit.function(*function);
        let name = &self.unit.functions[function.index()].name;
        if self.is_outside(function) {
            if known(name) != Some(Known::Nondet) || !args.is_empty() {
                return None;
            }
            self.input(var, name, value.ty, value.span);
        } else if self.promise(function).is_some() && !self.is_read_by_sign(place) {
            return None;
        } else {
            let values = self.arguments(args);
            self.call_defined(function, (args, &values), (value.ty, vec![var]), value.span);
        }
        Some(self.spot(place, super::place::Purpose::Access))
    }
}
