//! Second names: `__attribute__((alias("x")))`, `weakref`, and names that assembly gives.
//!
//! What an alias stands for may be defined behind it, so it is looked up at the end of the file. To
//! the linker two declarations with the same `asm("name")` are one thing, and so is what has that
//! name in C, unless it has another one for the linker.

use super::super::library::known;
use super::super::tree::{FunctionId, ObjectId, Storage, Weak};
use super::scope::Symbol;
use super::{Elaborator, Linked, R};
use lang_c::ast::{DeclarationSpecifier, Declarator, Expression, Extension, StorageClassSpecifier};
use lang_c::span::Node;
use rustc_hash::FxHashMap;
use tamis_ir::Span;

/// A second name of something.
pub(super) struct Alias {
    name: String,
    target: String,
    span: Span,
    kind: Kind,
}

/// How a second name is given.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Kind {
    /// The file must define what it stands for.
    Attribute,
    /// `weakref`: nobody need define it.
    Reference,
    /// `asm("name")`: another name for the linker, which may be anybody's.
    Label,
}

impl Elaborator<'_> {
    /// Notes if a declaration gives a second name to something.
    pub(super) fn note_alias(
        &mut self,
        name: &str,
        specifiers: &[Node<DeclarationSpecifier>],
        declarator: &Node<Declarator>,
        span: Span,
    ) -> R<()> {
        let before = specifiers.iter().filter_map(|specifier| {
            if let DeclarationSpecifier::Extension(extensions) = &specifier.node { Some(extensions) } else { None }
        });
        let extensions: Vec<&Node<Extension>> = before.flatten().chain(&declarator.node.extensions).collect();
        let is_reference = extensions.iter().any(|extension| {
            matches!(&extension.node, Extension::Attribute(attribute)
                if attribute.name.node.trim_matches('_') == "weakref")
        });
        // `register int r asm("ebx")` asks for a register.
        let in_register = specifiers.iter().any(|specifier| {
            matches!(&specifier.node, DeclarationSpecifier::StorageClass(class)
                if class.node == StorageClassSpecifier::Register)
        });
        for extension in extensions {
            let (parts, kind) = match &extension.node {
                Extension::AsmLabel(_) if in_register => continue,
                Extension::AsmLabel(label) => (&label.node, Kind::Label),
                Extension::Attribute(attribute) => match attribute.name.node.trim_matches('_') {
                    "alias" | "weakref" => match attribute.arguments.first().map(|argument| &argument.node) {
                        Some(Expression::StringLiteral(parts)) if is_reference => (&parts.node, Kind::Reference),
                        Some(Expression::StringLiteral(parts)) => (&parts.node, Kind::Attribute),
                        // `weakref` alone comes with an `alias` of its own.
                        _ => continue,
                    },
                    "ifunc" | "copy" => {
                        let at = self.span(extension);
                        let what = &attribute.name.node;
                        return Err(self.error(at, format!("the attribute `{what}` is not supported")));
                    }
                    _ => continue,
                },
                Extension::AvailabilityAttribute(_) => continue,
            };
            let (units, _) = self.string(parts, span)?;
            let target: String = units.into_iter().filter_map(char::from_u32).collect();
            if kind == Kind::Label {
                self.labelled.insert(name.to_owned());
            }
            if target != name || kind == Kind::Label {
                self.aliases.push(Alias { name: name.to_owned(), target, span, kind });
            }
        }
        Ok(())
    }

    /// At the end of a file: second names stand for what has the first one. The linker's names may
    /// be those of another file.
    pub(super) fn settle_aliases(&mut self) {
        for alias in std::mem::take(&mut self.aliases) {
            let symbol = |name: &str| self.scopes[0].names.get(name).map(|(symbol, _)| *symbol);
            let target = symbol(&alias.target).filter(|symbol| match alias.kind {
                Kind::Attribute => true,
                Kind::Label | Kind::Reference => {
                    !self.labelled.contains(&alias.target) && matches!(symbol, Symbol::Function(_) | Symbol::Object(_))
                }
            });
            match (symbol(&alias.name), target, alias.kind) {
                (Some(one), Some(other @ (Symbol::Function(_) | Symbol::Object(_))), _) => {
                    self.join_names(one, other, &alias);
                }
                (Some(one), _, Kind::Label | Kind::Reference) => self.labels.push((one, alias)),
                (Some(_), _, Kind::Attribute) => {
                    let message = format!("`{}` is an alias of `{}`, which is not here", alias.name, alias.target);
                    self.error(alias.span, message);
                }
                (None, _, _) => {}
            }
        }
    }

    /// At the end of all files: the linker's names stand for what has external linkage, and for
    /// whatever else has the same one.
    pub(super) fn settle_labels(&mut self) {
        let mut first: FxHashMap<String, Symbol> = FxHashMap::default();
        for (one, alias) in std::mem::take(&mut self.labels) {
            let linked = self.linked.get(&alias.target).filter(|_| !self.labelled.contains(&alias.target));
            let other = match linked {
                Some(Linked::Function(other)) => Symbol::Function(*other),
                Some(Linked::Object(other)) => Symbol::Object(*other),
                None => {
                    let Some(other) = first.get(&alias.target) else {
                        // Nothing else of the program has that name.
                        self.rename(one, &alias);
                        first.insert(alias.target, one);
                        continue;
                    };
                    *other
                }
            };
            self.join_names(one, other, &alias);
        }
        self.follow_bodies();
    }

    /// A later file may have defined what an earlier one took for another name.
    fn follow_bodies(&mut self) {
        for at in 0..self.unit.functions.len() {
            let one = FunctionId(u32::try_from(at).expect("fewer than 2^32 functions"));
            let other = self.unit.function(one);
            let (about, first) = (&self.unit.functions[at], &self.unit.functions[other.index()]);
            if one == other || about.body.is_none() {
                continue;
            }
            if first.body.is_some() {
                let (name, first, second) = (about.name.clone(), first.span, about.span);
                self.defined_twice(&name, first, second);
            } else {
                self.unit.functions[at].alias = None;
                self.unit.functions[other.index()].alias = Some(one);
            }
        }
    }

    /// What nobody else defines has the name that the linker knows.
    fn rename(&mut self, one: Symbol, alias: &Alias) {
        match one {
            Symbol::Function(one) => {
                let about = &mut self.unit.functions[one.index()];
                if about.body.is_none() || known(&alias.target).is_some() {
                    about.name.clone_from(&alias.target);
                }
                if alias.kind == Kind::Reference {
                    about.weak = about.weak.max(Weak::Reference);
                }
            }
            Symbol::Object(one) if alias.kind == Kind::Reference => {
                let about = &mut self.unit.objects[one.index()];
                about.weak = about.weak.max(Weak::Reference);
            }
            Symbol::Object(_) | Symbol::Typedef(_) | Symbol::Constant(..) | Symbol::Broken => {}
        }
    }

    /// Two names of one thing, of which one is defined.
    fn join_names(&mut self, one: Symbol, other: Symbol, alias: &Alias) {
        let weak = if alias.kind == Kind::Reference { Weak::Reference } else { Weak::No };
        match (one, other) {
            (Symbol::Function(one), Symbol::Function(other)) => {
                let (one, other) = (self.unit.function(one), self.unit.function(other));
                let about = |id: FunctionId| &self.unit.functions[id.index()];
                let (alike, weak) = (self.compatible(about(one).ty, about(other).ty), about(one).weak.max(weak));
                if one == other {
                } else if alike && about(one).body.is_none() {
                    self.unit.functions[one.index()].alias = Some(other);
                    let about = &mut self.unit.functions[other.index()];
                    about.weak = about.weak.max(weak);
                } else if alike && about(other).body.is_none() {
                    self.unit.functions[other.index()].alias = Some(one);
                } else {
                    self.unlike(alias);
                }
            }
            (Symbol::Object(one), Symbol::Object(other)) => {
                let (one, other) = (self.unit.object(one), self.unit.object(other));
                let about = |id: ObjectId| &self.unit.objects[id.index()];
                let (alike, weak) = (self.compatible(about(one).ty, about(other).ty), about(one).weak.max(weak));
                let is_declared = |id: ObjectId| matches!(about(id).storage, Storage::Static { external: true, .. });
                if one == other {
                } else if alike && is_declared(one) {
                    self.unit.objects[one.index()].storage = Storage::Alias(other);
                    let about = &mut self.unit.objects[other.index()];
                    about.weak = about.weak.max(weak);
                } else if alike && is_declared(other) {
                    self.unit.objects[other.index()].storage = Storage::Alias(one);
                } else {
                    self.unlike(alias);
                }
            }
            (Symbol::Broken, _) | (_, Symbol::Broken) => {}
            _ => self.unlike(alias),
        }
    }

    fn unlike(&mut self, alias: &Alias) {
        let message = format!("`{}` and `{}`, of which it is another name, are not alike", alias.name, alias.target);
        self.error(alias.span, message);
    }
}
