//! `scanf` and `fscanf` (C11 7.21.6.2): what is read is input.

use super::place::Spot;
use super::value::number;
use super::{Lowering, Value};
use crate::c::format;
use crate::c::library::unconverted;
use crate::c::tree::{Expr, ExprKind, PlaceKind};
use crate::c::types::Type;
use tamis_ir::Op;
use tamis_term::{Sort, Term};

impl Lowering<'_> {
    /// The result says how many of the pointers behind the format got something, in their order, or
    /// is negative; the others keep what they point to.
    pub(super) fn scan(&mut self, call: &Expr, args: &[Expr], values: &[Value]) -> Value {
        let known = args.iter().enumerate().find_map(|(at, arg)| Some((at, self.literal(arg)?)));
        let first = known.as_ref().map_or(0, |(at, _)| at + 1);
        // Whether all conversions are counted, and none is limited to some characters.
        let plain = known.is_some_and(|(_, text)| is_plain(&text));
        let targets = args.len().saturating_sub(first);
        let result = self.any_within(call, -1, i128::try_from(targets).unwrap_or(i128::MAX));
        let Value::Scalar(count) = result else { return result };
        for ((arg, value), at) in args.iter().zip(values).skip(first).zip(0_i128..) {
            let inner = unconverted(arg);
            let (Some(class), Some(target)) = (self.points_to.target(arg), self.unit.types.pointee(inner.ty)) else {
                continue;
            };
            let Value::Scalar(pointer) = value else { continue };
            // Behind a cast, the format may ask for another size.
            let bits = |ty| self.unit.types.scalar(ty).map_or(0, |(bits, _)| bits);
            let as_written = self.unit.types.pointee(arg.ty).map_or(0, bits);
            if self.unit.types.is_scalar(target) && self.bits(target) > 8 && bits(target) == as_written {
                let class = self.region(class);
                let spot = Spot::Memory { class, pointer: *pointer, ty: target, bits: None };
                let Value::Scalar(old) = self.load(&spot, call.span) else { continue };
                let var = self.temporary(Sort::BitVec(self.bits(target)));
                let edge = self.emit(Op::Havoc(vec![var]), call.span);
                let got = if plain {
                    let before = number(self.terms, self.terms.width(count), at);
                    self.terms.bvslt(before, count)
                } else {
                    let what = "what this format reads";
                    self.program.notes.approximations.insert(edge, what.to_owned());
                    self.approximate(Sort::Bool, what, call.span)
                };
                let new = self.terms.var(var);
                let new: Term = self.terms.ite(got, new, old);
                self.store(&spot, &Value::Scalar(new), call.span);
            } else if !matches!(self.unit.types.get(target), Type::Record(_)) {
                self.give_up("reading text into memory", call.span);
            }
        }
        result
    }

    /// The text of a string literal.
    fn literal(&self, arg: &Expr) -> Option<Vec<i128>> {
        let ExprKind::Address(place) = &unconverted(arg).kind else { return None };
        let PlaceKind::Object(object) = place.kind else { return None };
        format::literal(&self.unit.objects[object.index()])
    }
}

/// Whether a format has only conversions of whole numbers, without a width.
fn is_plain(format: &[i128]) -> bool {
    let mut conversions = format.iter().filter_map(|unit| u8::try_from(*unit).ok()).peekable();
    while let Some(byte) = conversions.next() {
        if byte != b'%' {
            continue;
        }
        while conversions.next_if(|byte| b"hljzt".contains(byte)).is_some() {}
        if !conversions.next().is_some_and(|byte| b"diouxX".contains(&byte)) {
            return false;
        }
    }
    true
}
