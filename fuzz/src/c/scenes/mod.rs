//! Scenes: small stories about memory and control that random statements alone never tell, like a
//! list that is built, walked, changed and freed.
//!
//! The text of a scene is fixed up to its choices, but most scenes open a block of random
//! statements in the middle, in which their objects are known by ways to them: to the rest of the
//! generator, `p->next->value` is a variable like any other. In a text, `$x` is a name or a type.
//! What a scene needs outside of functions is written before the function that it is in.

mod activations;
mod bytes;
mod control;
mod generic;
mod layouts;
mod links;
mod tables;
mod values;

use super::Generator;
use super::scope::{Access, Extent, Var};
use super::tree::Node;
use super::types::Type;

/// What a scene costs, about.
const COST: u64 = 24;

/// What the `$` words of a scene stand for.
struct Words(Vec<(char, String)>);

impl Words {
    /// The text with its words replaced.
    fn text(&self, template: &str) -> String {
        let mut text = template.to_owned();
        for (word, meaning) in &self.0 {
            text = text.replace(&format!("${word}"), meaning);
        }
        text
    }

    /// One more word.
    fn with(mut self, word: char, meaning: impl Into<String>) -> Words {
        self.0.push((word, meaning.into()));
        self
    }

    /// A statement that may go.
    fn may(&self, template: &str, children: impl IntoIterator<Item = Node>) -> Node {
        Node::statement(&self.text(template), children)
    }

    /// A statement that others rely on.
    fn must(&self, template: &str, children: impl IntoIterator<Item = Node>) -> Node {
        Node::fixed(&self.text(template), children)
    }
}

impl Generator {
    /// Whether a scene can be written here.
    pub(super) fn has_room(&self) -> bool {
        !self.pure && self.depth < 3 && self.affords(COST)
    }

    /// Some scene.
    pub(super) fn scene(&mut self) -> Node {
        self.charge(COST);
        match self.rng.u32(0..27) {
            0 | 1 if self.features.links => self.linked_list(),
            2 if self.features.links => self.search_tree(),
            3 if self.features.links => self.pointers_in_array(),
            4 | 5 if self.features.links => self.pointers_in_struct(),
            6 if self.features.activations => self.frames(),
            7 if self.features.activations => self.written_through(),
            8 if self.features.activations => self.returned_pointers(),
            9 if self.features.casts => self.numbered_addresses(),
            10 | 11 if self.features.casts => self.bytes_of_structs(),
            12 if self.features.casts => self.overlapping(),
            13 if self.features.casts => self.overlaid(),
            14 if self.features.tables => self.static_addresses(),
            15 if self.features.tables => self.operations(),
            16 if self.features.tables => self.letters(),
            17 if self.features.control => self.mutual(),
            18 if self.features.control => self.nested_loops(),
            19 if self.features.control => self.temporary_objects(),
            20 if self.features.volatile => self.volatile_objects(),
            21 if self.features.floats => self.floats(),
            22 if self.features.casts => self.containers(),
            23 if self.features.casts => self.untyped(),
            24 if self.features.layouts => self.carried(),
            25 | 26 if self.features.layouts => self.layouts(),
            _ => self.assignment(),
        }
    }

    /// New names, each with its stem.
    fn words(&mut self, stems: &[(char, &str)]) -> Words {
        Words(stems.iter().map(|(word, stem)| (*word, self.fresh(stem))).collect())
    }

    /// An integer type, each bit pattern of which is a value.
    fn full_type(&mut self) -> Type {
        loop {
            let ty = self.int_type();
            if self.is_full(&ty) {
                return ty;
            }
        }
    }

    /// An integer type and its name.
    fn named_type(&mut self) -> (Type, String) {
        let ty = self.int_type();
        let name = self.type_name(&ty);
        (ty, name)
    }

    /// One of some texts.
    fn one_of<const N: usize>(&mut self, texts: [&'static str; N]) -> &'static str {
        self.rng.choice(texts).unwrap_or_default()
    }

    /// Declares something outside of functions.
    fn outside(&mut self, item: Node) {
        self.pending.push(item);
    }

    /// A block of random statements in which these ways lead to objects.
    fn around(&mut self, ways: Vec<(String, Type)>) -> Node {
        let mark = self.vars.len();
        // What is declared in the block lives shorter than what the ways lead to.
        self.depth += 1;
        let (depth, access, extent) = (self.depth, Access::Open, Extent::Type);
        for (name, ty) in ways {
            self.vars.push(Var { name, ty, depth, access, extent: extent.clone(), ready: true });
        }
        let body = self.block(3);
        self.depth -= 1;
        self.vars.truncate(mark);
        Node::statement("#", [body])
    }
}
