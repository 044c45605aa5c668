//! What an initialiser has said so far about the parts of an object.
//!
//! A later item may speak of a part that an earlier one spoke of. It then takes the place of the
//! earlier one, which is not evaluated, as by GCC.

use super::super::tree::{Expr, ExprKind, Init, ObjectId, PlaceKind, Step};
use super::super::types::{Ty, Types};
use std::collections::BTreeMap;

/// What has been found so far about an object of a type. Items are kept by path, so that what is
/// said anew is found at once; each knows when it was said.
pub(super) struct Found {
    ty: Ty,
    pub(super) items: BTreeMap<Vec<Step>, (usize, Expr)>,
    pub(super) said: usize,
    /// What is evaluated once, and the hidden objects that keep it.
    pub(super) once: Vec<(ObjectId, Expr)>,
    /// The elements that have such values as a whole.
    pub(super) ranges: Vec<Range>,
}

impl Found {
    pub(super) fn new(ty: Ty) -> Found {
        Found { ty, items: BTreeMap::new(), said: 0, once: Vec::new(), ranges: Vec::new() }
    }

    /// Forgets what was said about a place, as it is said anew. A member of a union takes the place
    /// of all others.
    pub(super) fn forget(&mut self, types: &Types, path: &[Step]) {
        self.remove(path, |_| true);
        self.ranges = std::mem::take(&mut self.ranges).into_iter().flat_map(|range| range.without(path)).collect();
        let mut ty = self.ty;
        for (depth, step) in path.iter().enumerate() {
            if types.is_union(ty) {
                self.remove(&path[..depth], |known| known.get(depth) != Some(step));
            }
            ty = step.part(types, ty).unwrap_or(ty);
        }
    }

    /// Removes the items below a path that are meant.
    fn remove(&mut self, path: &[Step], is_meant: impl Fn(&[Step]) -> bool) {
        let below = self.items.range(path.to_vec()..).map(|(known, _)| known);
        let gone: Vec<Vec<Step>> =
            below.take_while(|known| known.starts_with(path)).filter(|known| is_meant(known)).cloned().collect();
        for path in gone {
            self.items.remove(&path);
        }
    }

    /// Whether a place is within a record, or an element of a range, whose value was given as a whole.
    pub(super) fn is_given(&self, path: &[Step]) -> bool {
        let inside = |range: &Range| path.len() > range.array.len() + 1 && range.element(path).is_some();
        (0..path.len()).any(|depth| self.items.contains_key(&path[..depth])) || self.ranges.iter().any(inside)
    }

    pub(super) fn say(&mut self, path: &[Step], value: Expr) {
        self.items.insert(path.to_vec(), (self.said, value));
        self.said += 1;
    }

    /// The paths of what was said since, in order.
    pub(super) fn since(&self, said: usize) -> Vec<Vec<Step>> {
        let new = self.items.iter().filter(|(_, (at, _))| *at >= said);
        let mut paths: Vec<(usize, &Vec<Step>)> = new.map(|(path, (at, _))| (*at, path)).collect();
        paths.sort_unstable();
        paths.into_iter().map(|(_, path)| path.clone()).collect()
    }

    /// Says other values in the place of those that were said since.
    pub(super) fn repeat(&mut self, said: usize, values: &[Expr]) {
        for (path, value) in self.since(said).into_iter().zip(values) {
            self.say(&path, value.clone());
        }
    }

    /// The items in the order in which they were said.
    pub(super) fn finish(self) -> Init {
        let mut items: Vec<(Vec<Step>, (usize, Expr))> = self.items.into_iter().collect();
        items.sort_by_key(|(_, (said, _))| *said);
        let items: Vec<(Vec<Step>, Expr)> = items.into_iter().map(|(path, (_, value))| (path, value)).collect();
        // What nothing is made of any more is not evaluated.
        let is_used = |hidden: &ObjectId| items.iter().any(|(_, value)| reads(value, *hidden));
        let once = self.once.into_iter().filter(|(hidden, _)| is_used(hidden)).collect();
        Init { once, items }
    }
}

/// Elements of the array that a path leads to.
pub(super) struct Range {
    pub(super) array: Vec<Step>,
    pub(super) low: u64,
    pub(super) high: u64,
}

impl Range {
    /// The element that a path leads to or into.
    fn element(&self, path: &[Step]) -> Option<u64> {
        match path.strip_prefix(&self.array[..])? {
            [Step::Index(at), ..] => Some(*at).filter(|at| (self.low..=self.high).contains(at)),
            _ => None,
        }
    }

    /// The elements but for those at a path.
    fn without(self, path: &[Step]) -> Vec<Range> {
        if self.array.starts_with(path) {
            return Vec::new();
        }
        let Some(at) = self.element(path).filter(|_| path.len() == self.array.len() + 1) else { return vec![self] };
        let part = |low, high| Range { array: self.array.clone(), low, high };
        let below = (self.low < at).then(|| part(self.low, at - 1));
        below.into_iter().chain((at < self.high).then(|| part(at + 1, self.high))).collect()
    }
}

/// Whether a value is that of a hidden object.
pub(super) fn reads(value: &Expr, hidden: ObjectId) -> bool {
    matches!(&value.kind, ExprKind::Load(place) if matches!(place.kind, PlaceKind::Object(object) if object == hidden))
}
