//! Weak symbols that the program does not define: nobody knows whether somebody links them.
//!
//! Each has a global variable that says whether it is there, an input: its address is null if not.
//! A direct call or access then crashes. For functions of the system, and where only a `weakref`
//! speaks of it, the answer is there but not known, so it is an approximation.

use super::Lowering;
use super::checks::Failure;
use crate::c::library::known;
use crate::c::system::is_of_system;
use crate::c::tree::{FunctionId, ObjectId, Weak};
use std::collections::BTreeMap;
use tamis_ir::{Op, Span};
use tamis_term::{Sort, Term, Var};

/// The variables that say what is there.
#[derive(Debug, Default)]
pub(super) struct Missing {
    functions: BTreeMap<FunctionId, Var>,
    objects: BTreeMap<ObjectId, Var>,
    /// Those whose values are approximations.
    fixed: Vec<Var>,
}

impl Missing {
    /// All of them.
    pub fn vars(&self) -> impl Iterator<Item = Var> {
        self.functions.values().chain(self.objects.values()).copied()
    }
}

impl Lowering<'_> {
    /// Declares what says which weak symbols are there.
    pub(super) fn declare_missing(&mut self) {
        let used: Vec<FunctionId> = self.points_to.outside(self.unit).collect();
        for function in used {
            let weak = self.unit.missing_function(function);
            let name = &self.unit.functions[function.index()].name;
            if weak != Weak::No {
                let fixed = weak == Weak::Reference || known(name).is_some() || is_of_system(name);
                let var = self.declare_linked(name, fixed);
                self.missing.functions.insert(function, var);
            }
        }
        for (object, about) in (0..).map(ObjectId).zip(&self.unit.objects) {
            let weak = self.unit.missing_object(object);
            if object == self.unit.object(object) && weak != Weak::No {
                let var = self.declare_linked(&about.name, weak == Weak::Reference);
                self.missing.objects.insert(object, var);
            }
        }
    }

    fn declare_linked(&mut self, name: &str, fixed: bool) -> Var {
        let var = self.terms.declare(&format!("{name}$linked"), Sort::Bool);
        self.program.globals.push(var);
        self.program.notes.weak.insert(var, name.to_owned());
        if fixed {
            self.missing.fixed.push(var);
        }
        var
    }

    /// What is there at the start: the others are arbitrary anyway.
    pub(super) fn choose_missing(&mut self, span: Span) {
        if !self.missing.fixed.is_empty() {
            let edge = self.emit(Op::Havoc(self.missing.fixed.clone()), span);
            self.program.notes.approximations.insert(edge, "which weak symbols are defined".to_owned());
        }
    }

    /// The address of a function.
    pub(super) fn function_address(&mut self, function: FunctionId) -> Term {
        let function = self.unit.function(function);
        let id = self.memory.functions.get(&function).copied().unwrap_or(0);
        let address = self.fixed_address(id);
        self.unless_missing(self.missing.functions.get(&function).copied(), address)
    }

    /// The address of an object, if it is there.
    pub(super) fn weak_address(&mut self, object: ObjectId, address: Term) -> Term {
        let object = self.unit.object(object);
        self.unless_missing(self.missing.objects.get(&object).copied(), address)
    }

    fn unless_missing(&mut self, linked: Option<Var>, address: Term) -> Term {
        let Some(linked) = linked else { return address };
        let (linked, null) = (self.terms.var(linked), self.fixed_address(0));
        self.terms.ite(linked, address, null)
    }

    /// A function that is called by name must be there. The system's are.
    pub(super) fn require_function(&mut self, name: &str, span: Span) {
        if known(name).is_some() || is_of_system(name) {
            return;
        }
        let of_name = |function: &FunctionId| self.unit.functions[function.index()].name == name;
        let linked = self.missing.functions.iter().find(|(function, _)| of_name(function)).map(|(_, var)| *var);
        self.require(linked, span);
    }

    /// An object that is accessed by name must be there.
    pub(super) fn require_object(&mut self, object: ObjectId, span: Span) {
        let object = self.unit.object(object);
        self.require(self.missing.objects.get(&object).copied(), span);
    }

    fn require(&mut self, linked: Option<Var>, span: Span) {
        let Some(linked) = linked else { return };
        let linked = self.terms.var(linked);
        if self.failures.asks(Failure::ValidDeref) {
            let missing = self.terms.not(linked);
            self.fail_if(Failure::ValidDeref, missing, span);
        } else {
            self.emit(Op::Assume(linked), span);
        }
    }
}
