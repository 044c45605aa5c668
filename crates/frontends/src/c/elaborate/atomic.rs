//! GCC's atomic operations, `__sync_fetch_and_add` and `__atomic_fetch_add` with their relatives. There
//! is one thread, so each is what it does step by step, and orders of memory mean nothing.

use super::super::tree::{BinaryOp, Expr, ExprKind, Object, ObjectId, Place, PlaceKind, Storage};
use super::super::types::{IntKind, Ty, Type};
use super::{Elaborator, R};
use lang_c::ast::Expression;
use lang_c::span::Node;
use tamis_ir::Span;

/// What an operation does to the place that its first argument points to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Atomic {
    /// Combines it with the second argument; the result is the value before or after.
    Fetch {
        op: Change,
        before: bool,
    },
    /// The value.
    Load,
    /// Stores the second argument, or zero.
    Store,
    Clear,
    /// Stores the second argument; the result is the value before.
    Exchange,
    /// Stores one, in a byte; the result says whether there was something else than zero.
    TestAndSet,
    /// If it is the second argument, stores the third; the result is whether, or the value before.
    Swap {
        truth: bool,
    },
    /// The same with a pointer to what is expected, where the value before is stored otherwise.
    Expect,
    /// Nothing, but for the arguments.
    Fence,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Change {
    By(BinaryOp),
    /// The complement of the conjunction.
    Nand,
}

const CHANGES: [(&str, Change); 6] = [
    ("add", Change::By(BinaryOp::Add)),
    ("sub", Change::By(BinaryOp::Sub)),
    ("or", Change::By(BinaryOp::BitOr)),
    ("and", Change::By(BinaryOp::BitAnd)),
    ("xor", Change::By(BinaryOp::BitXor)),
    ("nand", Change::Nand),
];

const OTHERS: [(&str, Atomic); 13] = [
    ("__sync_synchronize", Atomic::Fence),
    ("__sync_bool_compare_and_swap", Atomic::Swap { truth: true }),
    ("__sync_val_compare_and_swap", Atomic::Swap { truth: false }),
    ("__sync_lock_test_and_set", Atomic::Exchange),
    ("__sync_lock_release", Atomic::Clear),
    ("__atomic_load_n", Atomic::Load),
    ("__atomic_store_n", Atomic::Store),
    ("__atomic_exchange_n", Atomic::Exchange),
    ("__atomic_compare_exchange_n", Atomic::Expect),
    ("__atomic_test_and_set", Atomic::TestAndSet),
    ("__atomic_clear", Atomic::Clear),
    ("__atomic_thread_fence", Atomic::Fence),
    ("__atomic_signal_fence", Atomic::Fence),
];

/// The operation of that name.
fn named(name: &str) -> Option<Atomic> {
    if let Some((_, atomic)) = OTHERS.into_iter().find(|(known, _)| *known == name) {
        return Some(atomic);
    }
    let change = |word: &str| CHANGES.into_iter().find(|(known, _)| *known == word).map(|(_, op)| op);
    let fetch = |word: &str, before| change(word).map(|op| Atomic::Fetch { op, before });
    if let Some(rest) = name.strip_prefix("__sync_") {
        let before = rest.strip_prefix("fetch_and_").and_then(|word| fetch(word, true));
        return before.or_else(|| rest.strip_suffix("_and_fetch").and_then(|word| fetch(word, false)));
    }
    let rest = name.strip_prefix("__atomic_")?;
    let before = rest.strip_prefix("fetch_").and_then(|word| fetch(word, true));
    before.or_else(|| rest.strip_suffix("_fetch").and_then(|word| fetch(word, false)))
}

/// Steps that are taken one after the other.
struct Steps {
    done: Option<Expr>,
    span: Span,
}

impl Elaborator<'_> {
    /// The call as an atomic operation, if it is one that is known.
    pub(super) fn atomic(&mut self, name: &str, arguments: &[Node<Expression>], span: Span) -> Option<R<Expr>> {
        let atomic = named(name)?;
        let wanted = match atomic {
            Atomic::Fence => 0,
            Atomic::Load | Atomic::Clear | Atomic::TestAndSet => 1,
            Atomic::Fetch { .. } | Atomic::Store | Atomic::Exchange => 2,
            Atomic::Swap { .. } | Atomic::Expect => 3,
        };
        if self.current.is_none() || arguments.len() < wanted {
            return Some(Err(self.error(span, format!("`{name}` is not possible here"))));
        }
        Some(self.operate(atomic, arguments, wanted, span))
    }

    fn operate(&mut self, atomic: Atomic, arguments: &[Node<Expression>], wanted: usize, span: Span) -> R<Expr> {
        let mut values = arguments.iter().map(|node| self.expr(node)).collect::<R<Vec<Expr>>>()?;
        let mut steps = Steps { done: None, span };
        // Orders of memory, which are evaluated.
        for rest in values.drain(wanted..) {
            self.step(&mut steps, rest);
        }
        let mut values = values.into_iter();
        let Some(pointer) = values.next() else {
            let (zero, void) = (self.int(), self.unit.types.void());
            let nothing = Self::number(0, zero, span);
            let nothing = self.convert(nothing, void);
            return Ok(self.ended(steps, nothing));
        };
        let (pointer, ty) = self.target(atomic, pointer, span)?;
        let pointer = self.kept(&mut steps, pointer)?;
        let mut given = Vec::new();
        for (at, value) in values.enumerate() {
            let expected = atomic == Atomic::Expect && at == 0;
            let value = if expected { value } else { self.assigned(value, ty, span)? };
            given.push(self.kept(&mut steps, value)?);
        }
        let before = self.behind(pointer, span)?;
        let before = self.kept(&mut steps, before)?;
        let (number, bool) = (self.int(), self.unit.types.make(Type::Bool));
        let zero = Self::number(0, number, span);
        let result = match (atomic, &given[..]) {
            (Atomic::Load, _) => self.load(before, span)?,
            (Atomic::Store, [new]) => {
                let new = self.load(*new, span)?;
                let void = self.unit.types.void();
                let stored = self.stored(pointer, new, span)?;
                self.convert(stored, void)
            }
            (Atomic::Clear, _) => {
                let (zero, void) = (self.assigned(zero, ty, span)?, self.unit.types.void());
                let stored = self.stored(pointer, zero, span)?;
                self.convert(stored, void)
            }
            (Atomic::Exchange, [new]) => {
                let new = self.load(*new, span)?;
                let stored = self.stored(pointer, new, span)?;
                self.step(&mut steps, stored);
                self.load(before, span)?
            }
            (Atomic::TestAndSet, _) => {
                let one = Self::number(1, ty, span);
                let stored = self.stored(pointer, one, span)?;
                self.step(&mut steps, stored);
                let before = self.load(before, span)?;
                self.convert(before, bool)
            }
            (Atomic::Fetch { op, before: is_before }, [by]) => {
                let (old, by) = (self.load(before, span)?, self.load(*by, span)?);
                let op = match op {
                    Change::By(op) => op,
                    Change::Nand => BinaryOp::BitAnd,
                };
                // Sums wrap around, whatever the type.
                let wide = self.unit.types.int(IntKind::ULongLong);
                let (left, right) = (self.convert(old, wide), self.convert(by, wide));
                let mut new = self.arithmetic(op, left, right, span)?;
                if atomic == (Atomic::Fetch { op: Change::Nand, before: is_before }) {
                    new = Expr { kind: ExprKind::BitNot(Box::new(new)), ty: wide, span };
                }
                let new = self.convert(new, ty);
                let stored = self.stored(pointer, new, span)?;
                if is_before {
                    self.step(&mut steps, stored);
                    self.load(before, span)?
                } else {
                    let new = self.kept(&mut steps, stored)?;
                    self.load(new, span)?
                }
            }
            (Atomic::Swap { .. } | Atomic::Expect, [expected, new]) => {
                let behind = atomic == Atomic::Expect;
                let wanted = if behind { self.behind(*expected, span)? } else { self.load(*expected, span)? };
                let old = self.load(before, span)?;
                let same = self.arithmetic(BinaryOp::Eq, old, wanted, span)?;
                let same = self.convert(same, bool);
                let same = self.kept(&mut steps, same)?;
                let new = self.load(*new, span)?;
                let yes = self.stored(pointer, new, span)?;
                let old = self.load(before, span)?;
                let no = if behind { self.stored(*expected, old, span)? } else { old };
                let condition = self.load(same, span)?;
                let kind = ExprKind::Conditional(Box::new(condition), Box::new(yes), Box::new(no));
                self.step(&mut steps, Expr { kind, ty, span });
                let result = if atomic == (Atomic::Swap { truth: false }) { before } else { same };
                self.load(result, span)?
            }
            _ => return Err(self.error(span, "this call needs more arguments")),
        };
        Ok(self.ended(steps, result))
    }

    /// The pointer, and the type of what it points to, if the operation is possible on that.
    fn target(&mut self, atomic: Atomic, pointer: Expr, span: Span) -> R<(Expr, Ty)> {
        let of_any = matches!(atomic, Atomic::TestAndSet | Atomic::Clear);
        let to = self.unit.types.pointee(pointer.ty);
        if of_any && to.is_some_and(|to| matches!(self.unit.types.get(to), Type::Void)) {
            let byte = self.unit.types.int(IntKind::UChar);
            let bytes = self.unit.types.pointer(byte);
            return Ok((self.convert(pointer, bytes), byte));
        }
        let types = &self.unit.types;
        let is_narrow = |ty: Ty| types.is_integer(ty) && types.size_of(ty).is_none_or(|bytes| bytes <= 8);
        let computes = matches!(atomic, Atomic::Fetch { .. } | Atomic::TestAndSet);
        let fits = to.filter(|to| is_narrow(*to) || !computes && types.is_pointer(*to));
        fits.map(|to| (pointer, to)).ok_or_else(|| {
            let what = if computes { "to an integer" } else { "to an integer or a pointer" };
            self.error(span, format!("a pointer {what} of at most 64 bits is expected here"))
        })
    }

    /// What a kept pointer points to.
    fn behind(&mut self, pointer: ObjectId, span: Span) -> R<Expr> {
        let pointer = self.load(pointer, span)?;
        let place = self.dereference(pointer, span)?;
        let ty = place.ty;
        Ok(Expr { kind: ExprKind::Load(Box::new(place)), ty, span })
    }

    /// The step that stores a value where a kept pointer points to.
    fn stored(&mut self, pointer: ObjectId, value: Expr, span: Span) -> R<Expr> {
        let pointer = self.load(pointer, span)?;
        let place = self.dereference(pointer, span)?;
        let ty = place.ty;
        Ok(Expr { kind: ExprKind::Assign(Box::new(place), Box::new(value)), ty, span })
    }

    /// Keeps a value in a hidden object.
    fn kept(&mut self, steps: &mut Steps, value: Expr) -> R<ObjectId> {
        let (ty, span) = (value.ty, steps.span);
        let Some(function) = self.current.as_ref().map(|current| current.function) else {
            return Err(self.error(span, "an atomic operation is only possible in a function"));
        };
        let hidden = self.add_object(Object::new("$kept", ty, span, Storage::Local(function)));
        let place = Place { kind: PlaceKind::Object(hidden), ty, bits: None, span };
        let keep = Expr { kind: ExprKind::Assign(Box::new(place), Box::new(value)), ty, span };
        self.step(steps, keep);
        Ok(hidden)
    }

    fn step(&self, steps: &mut Steps, step: Expr) {
        steps.done = Some(match steps.done.take() {
            Some(done) => self.after(done, step),
            None => step,
        });
    }

    fn ended(&self, steps: Steps, result: Expr) -> Expr {
        match steps.done {
            Some(done) => self.after(done, result),
            None => result,
        }
    }
}
