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
use tamis_ir::{Loc, Op, Span};
use tamis_term::{Sort, Term, Var};

impl Lowering<'_> {
    /// The value of a call.
    pub(super) fn call(&mut self, call: &Expr, callee: &Callee, args: &[Expr]) -> Value {
        match callee {
            Callee::Function(function) => self.call_function(call, self.unit.function(*function), args),
            Callee::Pointer(pointer) => self.call_pointer(call, pointer, args),
        }
    }

    fn call_function(&mut self, call: &Expr, function: FunctionId, args: &[Expr]) -> Value {
        let about = &self.unit.functions[function.index()];
        if self.is_outside(function) {
            return self.call_outside(call, &about.name, args);
        }
        let values = self.arguments(args);
        let results = self.result_vars(call.ty);
        self.call_defined(function, &values, results.clone(), call.span);
        self.result(call.ty, &results)
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
    fn call_defined(&mut self, function: FunctionId, values: &[Value], results: Vec<Var>, span: Span) {
        let proc = self.procs[function.index()].expect("the function has a body");
        let about = &self.unit.functions[function.index()];
        let mut args = Vec::new();
        for (at, param) in about.params.iter().enumerate() {
            let sorts = self.sorts(self.unit.objects[param.index()].ty);
            let given: &[Term] = match values.get(at) {
                Some(Value::Scalar(term)) => std::slice::from_ref(term),
                Some(Value::Record(terms)) => terms,
                Some(Value::Void) | None => &[],
            };
            let fits = given.len() == sorts.len()
                && given.iter().zip(&sorts).all(|(term, sort)| self.terms.sort(*term) == sort);
            if fits {
                args.extend(given);
            } else if let (&[term], [Sort::BitVec(width)]) = (given, &sorts[..])
                && matches!(self.terms.sort(term), Sort::BitVec(_))
            {
                // Another file declares the function otherwise than it is defined.
                args.push(resize(self.terms, term, *width, false));
            } else {
                // Called with other arguments than it takes, which only a call without a prototype
                // can do: what the parameter is then is undefined.
                for sort in sorts {
                    args.push(self.approximate(sort, "a call with other arguments than the function takes", span));
                }
            }
        }
        let sorts: Vec<Sort> =
            self.program.proc(proc).results.iter().map(|var| self.terms.var_sort(*var).clone()).collect();
        let fits = sorts.len() == results.len()
            && results.iter().zip(&sorts).all(|(var, sort)| self.terms.var_sort(*var) == sort);
        let words = |sorts: &[Sort]| matches!(sorts, [Sort::BitVec(_)]);
        let results = if fits {
            results
        } else if let (&[target], true) = (&results[..], words(&sorts))
            && let Sort::BitVec(width) = *self.terms.var_sort(target)
        {
            let var = self.temporary(sorts[0].clone());
            self.emit(Op::Call { callee: proc, args, results: vec![var] }, span);
            let value = self.terms.var(var);
            let value = resize(self.terms, value, width, false);
            self.emit(Op::Assign(vec![(target, value)]), span);
            return;
        } else {
            // The result is taken for another type, or none is taken.
            if !results.is_empty() {
                let edge = self.emit(Op::Havoc(results), span);
                let what = "a call that takes the result for another type".to_owned();
                self.program.notes.approximations.insert(edge, what);
            }
            sorts.into_iter().map(|sort| self.temporary(sort)).collect()
        };
        self.emit(Op::Call { callee: proc, args, results }, span);
    }

    /// A call through a pointer: one branch for every function that it may mean.
    fn call_pointer(&mut self, call: &Expr, pointer: &Expr, args: &[Expr]) -> Value {
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
                self.call_defined(function, &values, results.clone(), call.span);
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
        } else {
            let values = self.arguments(args);
            self.call_defined(function, &values, vec![var], value.span);
        }
        Some(self.spot(place, super::place::Purpose::Access))
    }
}
