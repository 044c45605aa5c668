//! What static objects start with: values that are known when a program is loaded (C11 6.6).
//!
//! These are numbers, addresses of static objects and functions, and what differs from an address by
//! a number. As GCC does, the values of constant objects are taken where they are known.

use super::super::tree::{
    BinaryOp, Callee, Expr, ExprKind, FunctionId, Init, ObjectId, Place, PlaceKind, Step, Storage,
};
use super::super::types::Type;
use super::fold::Value;
use super::{Elaborator, R};

/// What is known of a value.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Known {
    Number,
    /// An address, or an integer made of one: so far from the start of an object.
    Object(ObjectId),
    Function(FunctionId),
}

impl Elaborator<'_> {
    /// An initialiser of which everything is known when the program is loaded, or an error.
    pub(super) fn at_load_time(&mut self, init: Init) -> R<Init> {
        self.loaded(init).map_err(|span| {
            self.error(span, "the initial value of a static object must be known when the program is loaded")
        })
    }

    /// What an automatic object that is constant holds may be known, too.
    pub(super) fn note_constant(&mut self, object: ObjectId, init: &Init) {
        if self.unit.objects[object.index()].constant
            && let Ok(init) = self.loaded(init.clone())
        {
            self.constants.insert(object, init);
        }
    }

    /// The initialiser with what is known put in, or where nothing is known.
    fn loaded(&self, init: Init) -> Result<Init, tamis_ir::Span> {
        let mut items = Vec::with_capacity(init.items.len());
        for (path, mut value) in init.items {
            self.put_constants(&mut value);
            match self.parts(&value) {
                Some(parts) => items.extend(parts.into_iter().map(|(rest, part)| ([&path[..], &rest].concat(), part))),
                None if self.known(&value).is_some() => items.push((path, value)),
                None => return Err(value.span),
            }
        }
        Ok(Init { items, ..init })
    }

    /// What a constant object holds.
    fn constant_object(&self, object: ObjectId) -> Option<&Init> {
        let about = &self.unit.objects[object.index()];
        match &about.storage {
            Storage::Static { init, external: false, .. } => {
                init.as_ref().filter(|_| about.constant && !self.is_weak(object))
            }
            Storage::Static { .. } | Storage::Param(_) | Storage::Alias(_) => None,
            Storage::Local(_) => self.constants.get(&object),
        }
    }

    /// The constant object that a place is in, and the way to the place.
    fn constant_place(&self, place: &Place) -> Option<(&Init, Vec<Step>)> {
        let (base, step) = match &place.kind {
            PlaceKind::Object(object) => return Some((self.constant_object(*object)?, Vec::new())),
            PlaceKind::Field(base, field) if place.bits.is_none() => (base, Step::Field(*field)),
            PlaceKind::Index(base, index) => {
                let at = u64::try_from(self.fold_int(index)?).ok()?;
                let inside = matches!(self.unit.types.get(base.ty), Type::Array(_, Some(length)) if at < *length);
                (base, inside.then_some(Step::Index(at))?)
            }
            PlaceKind::Field(..) | PlaceKind::Literal(..) | PlaceKind::Deref(_) | PlaceKind::Value(_) => return None,
        };
        // The members of a union see each other's bytes.
        if self.unit.types.is_union(base.ty) {
            return None;
        }
        let (init, mut path) = self.constant_place(base)?;
        path.push(step);
        Some((init, path))
    }

    /// The parts of a record that is the value of a constant object.
    fn parts(&self, value: &Expr) -> Option<Vec<(Vec<Step>, Expr)>> {
        let ExprKind::Load(place) = &value.kind else { return None };
        let (init, path) = self.constant_place(place)?;
        let below = init.items.iter().filter(|(known, _)| known.starts_with(&path));
        Some(below.map(|(known, part)| (known[path.len()..].to_vec(), part.clone())).collect())
    }

    /// Puts in the values of constant objects, and of arithmetic on floating-point constants.
    fn put_constants(&self, expr: &mut Expr) {
        match &mut expr.kind {
            ExprKind::Neg(operand) | ExprKind::BitNot(operand) | ExprKind::Not(operand) => self.put_constants(operand),
            ExprKind::Convert(operand) => self.put_constants(operand),
            ExprKind::Binary(_, left, right) | ExprKind::And(left, right) | ExprKind::Or(left, right) => {
                self.put_constants(left);
                self.put_constants(right);
            }
            ExprKind::PointerAdd { pointer: left, index: right, .. }
            | ExprKind::PointerDiff { left, right, .. }
            | ExprKind::Elvis(left, right) => {
                self.put_constants(left);
                self.put_constants(right);
            }
            ExprKind::Conditional(condition, yes, no) => {
                self.put_constants(condition);
                self.put_constants(yes);
                self.put_constants(no);
            }
            ExprKind::Load(place) if self.unit.types.is_scalar(expr.ty) => {
                if let Some(kind) = self.constant_scalar(place) {
                    expr.kind = kind;
                }
            }
            ExprKind::Int(_)
            | ExprKind::Float(_)
            | ExprKind::Load(_)
            | ExprKind::Address(_)
            | ExprKind::Function(_)
            | ExprKind::Comma(..)
            | ExprKind::Assign(..)
            | ExprKind::Compound { .. }
            | ExprKind::Increment { .. }
            | ExprKind::Call(..)
            | ExprKind::Statements(..)
            | ExprKind::Unsupported { .. } => {}
        }
        if self.computes_floats(expr)
            && let Some(value) = self.fold(expr)
        {
            expr.kind = match value {
                Value::Int(value) => ExprKind::Int(value),
                Value::Float(value) => ExprKind::Float(value),
            };
        }
    }

    /// The value of a scalar in a constant object; what an initialiser does not mention is zero.
    fn constant_scalar(&self, place: &Place) -> Option<ExprKind> {
        let (init, path) = self.constant_place(place)?;
        let known = init.items.iter().find(|(known, _)| *known == path);
        if known.is_none() && self.unit.types.is_float(place.ty) {
            return Some(ExprKind::Float(0.0));
        }
        Some(known.map_or(ExprKind::Int(0), |(_, value)| value.kind.clone()))
    }

    /// Whether an expression is an operation on floating-point numbers.
    fn computes_floats(&self, expr: &Expr) -> bool {
        let (ExprKind::Binary(_, operand, _)
        | ExprKind::Convert(operand)
        | ExprKind::Neg(operand)
        | ExprKind::Not(operand)) = &expr.kind
        else {
            return false;
        };
        self.unit.types.is_float(operand.ty) || self.unit.types.is_float(expr.ty)
    }

    /// What is known of a value when the program is loaded.
    fn known(&self, expr: &Expr) -> Option<Known> {
        if self.fold(expr).is_some() {
            return Some(Known::Number);
        }
        match &expr.kind {
            ExprKind::Int(_) | ExprKind::Float(_) => Some(Known::Number),
            ExprKind::Address(place) => self.known_place(place),
            ExprKind::Function(function) => Some(Known::Function(*function)),
            ExprKind::Convert(operand) => self.known_conversion(expr, operand),
            ExprKind::PointerAdd { pointer, index, .. } => self.known(pointer).filter(|_| self.fold(index).is_some()),
            ExprKind::PointerDiff { left, right, .. } => {
                (self.known(left)? == self.known(right)?).then_some(Known::Number)
            }
            ExprKind::Binary(op, left, right) => self.known_operation(*op, self.known(left)?, self.known(right)?),
            ExprKind::Neg(operand) | ExprKind::BitNot(operand) => {
                self.known(operand).filter(|known| *known == Known::Number)
            }
            ExprKind::Not(operand) => self.known(operand).map(|_| Known::Number),
            ExprKind::And(left, right) | ExprKind::Or(left, right) => {
                self.known(left)?;
                self.known(right).map(|_| Known::Number)
            }
            ExprKind::Conditional(condition, yes, no) => match self.fold_int(condition) {
                Some(0) => self.known(no),
                Some(_) => self.known(yes),
                None => {
                    self.known(condition)?;
                    self.known(no)?;
                    self.known(yes)
                }
            },
            ExprKind::Elvis(condition, other) => {
                self.known(other)?;
                self.known(condition)
            }
            // Compilers compute their own functions.
            ExprKind::Call(Callee::Function(function), args) => {
                let builtin = self.unit.functions[function.index()].name.starts_with("__builtin_");
                (builtin && args.iter().all(|arg| self.known(arg).is_some())).then_some(Known::Number)
            }
            ExprKind::Load(_)
            | ExprKind::Comma(..)
            | ExprKind::Assign(..)
            | ExprKind::Compound { .. }
            | ExprKind::Increment { .. }
            | ExprKind::Call(Callee::Pointer(_), _)
            | ExprKind::Statements(..)
            | ExprKind::Unsupported { .. } => None,
        }
    }

    fn known_conversion(&self, expr: &Expr, operand: &Expr) -> Option<Known> {
        let known = self.known(operand)?;
        let (bits, _) = self.unit.types.scalar(expr.ty)?;
        let whole = bits >= self.unit.types.model.pointer_bits();
        match (known, self.unit.types.get(expr.ty)) {
            (Known::Number, _) | (_, Type::Bool) => Some(Known::Number),
            // An address that is cut is not known before the program is loaded.
            (Known::Object(_) | Known::Function(_), _) => Some(known).filter(|_| whole),
        }
    }

    #[expect(clippy::unused_self, reason = "it reads like the other rules")]
    fn known_operation(&self, op: BinaryOp, left: Known, right: Known) -> Option<Known> {
        match (op, left, right) {
            // It was not computed because it divides by zero.
            (BinaryOp::Div | BinaryOp::Rem, _, _) => None,
            (_, Known::Number, Known::Number) => Some(Known::Number),
            (BinaryOp::Add | BinaryOp::Sub, address, Known::Number) | (BinaryOp::Add, Known::Number, address) => {
                Some(address)
            }
            (BinaryOp::Sub, left, right) => (left == right).then_some(Known::Number),
            _ => op.is_comparison().then_some(Known::Number),
        }
    }

    /// The static object that a place is in, at a place that is known.
    fn known_place(&self, place: &Place) -> Option<Known> {
        match &place.kind {
            PlaceKind::Object(object) => match self.unit.objects[object.index()].storage {
                Storage::Static { .. } => Some(Known::Object(*object)),
                Storage::Alias(other) => Some(Known::Object(other)),
                Storage::Local(_) | Storage::Param(_) => None,
            },
            PlaceKind::Deref(pointer) => self.known(pointer),
            PlaceKind::Field(base, _) => self.known_place(base),
            PlaceKind::Index(base, index) => self.known_place(base).filter(|_| self.fold(index).is_some()),
            PlaceKind::Literal(..) | PlaceKind::Value(_) => None,
        }
    }
}
