//! Weak symbols: `__attribute__((weak))` and `#pragma weak`.
//!
//! What is declared weak and defined nowhere has a null address, unless somebody links a definition.
//! Of definitions in several files the linker takes the one that is not weak. A definition that is
//! only for inlining (`extern inline` with `gnu_inline`) gives way even in its own file.

use super::super::tree::{FunctionId, ObjectId, Storage, Weak};
use super::{Elaborator, Linked};

/// How firmly something is defined so far.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Definition {
    /// Only to be copied to its calls.
    Inline,
    /// By the file of that number, weakly or not.
    Weak(usize),
    Strong(usize),
}

/// What becomes of one more definition.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Next {
    /// It is the first, or adds to what its file has said.
    Joins,
    /// The linker takes it instead of the one before.
    Wins,
    /// The linker does not take it.
    Loses,
}

impl Elaborator<'_> {
    /// At the end of a file: what it declares to be weak.
    pub(super) fn settle_weak(&mut self) {
        let mut names: Vec<String> = self.weak.drain().collect();
        names.sort_unstable();
        for name in names {
            match self.linked.get(&name) {
                Some(Linked::Function(function)) => self.unit.functions[function.index()].weak = Weak::Yes,
                Some(Linked::Object(object)) => self.unit.objects[object.index()].weak = Weak::Yes,
                None => {}
            }
        }
        self.number += 1;
    }

    /// One more definition of what has external linkage.
    fn next_definition(&mut self, name: &str, inline: bool) -> Next {
        let new = match (inline, self.weak.contains(name)) {
            (true, _) => Definition::Inline,
            (false, true) => Definition::Weak(self.number),
            (false, false) => Definition::Strong(self.number),
        };
        let next = match (self.definitions.get(name), new) {
            (None, _) => Next::Joins,
            (Some(Definition::Inline), Definition::Weak(_) | Definition::Strong(_)) => Next::Wins,
            (Some(_), Definition::Inline) => Next::Loses,
            (Some(Definition::Weak(old) | Definition::Strong(old)), Definition::Weak(file)) if *old != file => {
                Next::Loses
            }
            (Some(Definition::Weak(old)), Definition::Strong(file)) if *old != file => Next::Wins,
            (Some(_), _) => Next::Joins,
        };
        if next == Next::Wins || !self.definitions.contains_key(name) {
            self.definitions.insert(name.to_owned(), new);
        }
        next
    }

    /// One more definition of a function; one that it takes the place of is dropped.
    pub(super) fn next_body(&mut self, function: FunctionId, name: &str, inline: bool) -> Next {
        if !matches!(self.linked.get(name), Some(Linked::Function(linked)) if *linked == function) {
            return Next::Joins;
        }
        let next = self.next_definition(name, inline);
        if next == Next::Wins {
            let about = &mut self.unit.functions[function.index()];
            about.params.clear();
            about.locals.clear();
            about.labels.clear();
            about.blocks.clear();
            about.body = None;
        }
        next
    }

    /// The same for an object.
    pub(super) fn next_value(&mut self, object: ObjectId) -> Next {
        let name = self.unit.objects[object.index()].name.clone();
        if !matches!(self.linked.get(&name), Some(Linked::Object(linked)) if *linked == object) {
            return Next::Joins;
        }
        let next = self.next_definition(&name, false);
        if next == Next::Wins {
            self.defined.remove(&object);
            if let Storage::Static { init, .. } = &mut self.unit.objects[object.index()].storage {
                *init = None;
            }
        }
        next
    }

    /// Whether the linker may take another definition of an object than the one that is here.
    pub(super) fn is_weak(&self, object: ObjectId) -> bool {
        let about = &self.unit.objects[object.index()];
        about.weak != Weak::No || self.weak.contains(&about.name)
    }
}
