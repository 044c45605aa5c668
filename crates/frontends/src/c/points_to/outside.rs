//! What functions of the outside do to the classes, called by name or through a pointer.

#![allow(clippy::wildcard_enum_match_arm, reason = "most known functions do nothing to pointers")]

use super::walk::{Target, Walk};
use super::{Class, key};
use crate::c::format;
use crate::c::library::{self, Known};
use crate::c::tree::{Expr, ExprKind, Function, FunctionId};

impl Walk<'_, '_> {
    /// Whether `memcpy(to, from, n)` copies integers to pointers.
    fn copies_integers(&self, args: &[Expr]) -> bool {
        let types = &self.unit.types;
        let pointee = |at: usize| args.get(at).and_then(|arg| types.pointee(library::unconverted(arg).ty));
        match (pointee(0), pointee(1)) {
            (Some(to), Some(from)) => types.is_pointer(to) && types.is_integer(from),
            _ => false,
        }
    }

    /// A class for objects that are made while the program runs.
    fn outside(&mut self) -> Class {
        let class = self.classes.fresh();
        self.classes.info[class.0 as usize].dynamic = true;
        class
    }

    /// A function that the program does not define may be called through a pointer, with any
    /// arguments.
    pub(super) fn outside_by_pointer(&mut self, function: FunctionId, about: &Function) {
        let class = self.classes.function(function);
        let Some((params, result)) = self.classes.info[class.0 as usize].signature.clone() else { return };
        let first = params.first().copied();
        match library::known(&about.name) {
            Some(Known::Copy) => {
                params.iter().take(2).for_each(|param| self.refine(*param, 1));
                if let [to, from, ..] = params[..] {
                    let (inside, other) = (self.classes.content(to), self.classes.content(from));
                    self.classes.unify(inside, other);
                    self.device(Some(inside));
                    self.classes.copies.push((to, from));
                }
                self.join(Some(result), first);
            }
            Some(Known::Set) => {
                params.iter().take(1).for_each(|param| self.refine(*param, 1));
                self.join(Some(result), first);
            }
            Some(Known::Silent) if !format::prints(&about.name) => {}
            Some(Known::ArbitraryBytes | Known::Read | Known::Silent) => {
                for param in &params {
                    self.refine(*param, 1);
                }
            }
            Some(Known::Allocate | Known::AllocateZero | Known::AllocateLocal | Known::Resize) => {
                let made = self.outside();
                self.refine(made, 1);
                self.classes.unify(made, result);
            }
            None => {
                for class in params.into_iter().chain([result]) {
                    self.give_away(Some(class));
                }
            }
            Some(Known::Nondet) => self.give_away(Some(result)),
            Some(_) => {}
        }
    }

    /// A call of a function that the program does not define.
    pub(super) fn outside_call(&mut self, call: &Expr, name: &str, args: &[Expr], targets: &[Target]) -> Target {
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
                    if self.copies_integers(args) {
                        self.device(Some(inside));
                    }
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
            Some(Known::Allocate | Known::AllocateZero | Known::AllocateLocal) => {
                let class = self.outside();
                self.classes.pointers.insert(key(call), class);
                Some(class)
            }
            Some(Known::Silent) => {
                self.print(name, args, targets);
                None
            }
            Some(Known::Nondet) => Some(self.classes.unknown),
            None => {
                for target in targets {
                    self.give_away(*target);
                }
                Some(self.classes.unknown)
            }
            Some(_) => None,
        }
    }
}
