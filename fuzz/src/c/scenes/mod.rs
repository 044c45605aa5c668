//! Scenes: small stories about memory and control that random statements alone never tell, like a
//! list that is built, walked, changed and freed.
//!
//! The text of a scene is fixed up to its choices, but most scenes open a block of random
//! statements in the middle, in which their objects are known by ways to them: to the rest of the
//! generator, `p->next->value` is a variable like any other. In a text, `$x` is a name or a type.
//! What a scene needs outside of functions is written before the function that it is in.

mod activations;
mod aggregates;
mod bytes;
mod callbacks;
mod control;
mod entries;
mod fields;
mod generic;
mod layouts;
mod links;
mod old_style;
mod operands;
mod tables;
mod values;

use super::Generator;
use super::features::Part;
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

/// A scene.
struct Scene {
    /// What it is about.
    part: Part,
    /// How often it is drawn, compared with others.
    lots: u32,
    write: fn(&mut Generator) -> Node,
}

const fn scene(part: Part, lots: u32, write: fn(&mut Generator) -> Node) -> Scene {
    Scene { part, lots, write }
}

const SCENES: &[Scene] = &[
    scene(Part::Links, 2, Generator::linked_list),
    scene(Part::Links, 1, Generator::search_tree),
    scene(Part::Links, 1, Generator::pointers_in_array),
    scene(Part::Links, 2, Generator::pointers_in_struct),
    scene(Part::Activations, 1, Generator::frames),
    scene(Part::Activations, 1, Generator::written_through),
    scene(Part::Activations, 1, Generator::returned_pointers),
    scene(Part::Casts, 1, Generator::numbered_addresses),
    scene(Part::Casts, 2, Generator::bytes_of_structs),
    scene(Part::Casts, 1, Generator::overlapping),
    scene(Part::Casts, 1, Generator::overlaid),
    scene(Part::Casts, 1, Generator::containers),
    scene(Part::Casts, 1, Generator::untyped),
    scene(Part::Tables, 1, Generator::static_addresses),
    scene(Part::Tables, 1, Generator::operations),
    scene(Part::Tables, 1, Generator::letters),
    scene(Part::Control, 1, Generator::mutual),
    scene(Part::Control, 1, Generator::nested_loops),
    scene(Part::Control, 1, Generator::temporary_objects),
    scene(Part::Layouts, 1, Generator::carried),
    scene(Part::Layouts, 2, Generator::layouts),
    scene(Part::Volatile, 2, Generator::volatile_objects),
    scene(Part::Floats, 2, Generator::floats),
    scene(Part::Initialisers, 3, Generator::initialised),
    scene(Part::Values, 3, Generator::moved_values),
    scene(Part::Operands, 3, Generator::operands),
    scene(Part::Entries, 2, Generator::maze),
    scene(Part::Entries, 2, Generator::selections),
    scene(Part::Fields, 3, Generator::bit_fields),
    scene(Part::OldStyle, 3, Generator::old_style),
    scene(Part::Callbacks, 3, Generator::callbacks),
];

impl Generator {
    /// Whether there are scenes.
    pub(super) fn has_scenes(&self) -> bool {
        SCENES.iter().any(|scene| self.has(scene.part))
    }

    /// Whether a scene can be written here.
    pub(super) fn has_room(&self) -> bool {
        !self.pure && self.depth < 3 && self.affords(COST)
    }

    /// Some scene.
    pub(super) fn scene(&mut self) -> Node {
        self.charge(COST);
        let open: Vec<&Scene> = SCENES.iter().filter(|scene| self.has(scene.part)).collect();
        let mut lot = self.rng.u32(0..open.iter().map(|scene| scene.lots).sum());
        let drawn = open.iter().find(|scene| match lot.checked_sub(scene.lots) {
            None => true,
            Some(rest) => {
                lot = rest;
                false
            }
        });
        let Some(scene) = drawn else { return self.assignment() };
        self.tell(scene.part);
        (scene.write)(self)
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
