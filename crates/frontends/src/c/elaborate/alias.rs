//! Second names: `__attribute__((alias("x")))`, `weakref`, and names that assembly gives.
//!
//! What an alias stands for may be defined behind it, so it is looked up at the end of the file.

use super::super::tree::{FunctionId, Storage};
use super::scope::Symbol;
use super::{Elaborator, Linked, R};
use lang_c::ast::{DeclarationSpecifier, Declarator, Expression, Extension};
use lang_c::span::Node;
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
        for extension in before.flatten().chain(&declarator.node.extensions) {
            let (parts, kind) = match &extension.node {
                Extension::AsmLabel(label) => (&label.node, Kind::Label),
                Extension::Attribute(attribute) => match attribute.name.node.trim_matches('_') {
                    "alias" | "weakref" => match attribute.arguments.first().map(|argument| &argument.node) {
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
            if target != name {
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
            match (symbol(&alias.name), symbol(&alias.target), alias.kind) {
                (Some(one), Some(other @ (Symbol::Function(_) | Symbol::Object(_))), _) => {
                    self.join_names(one, other, &alias);
                }
                (Some(one), _, Kind::Label) => self.labels.push((one, alias)),
                (Some(_), _, Kind::Attribute) => {
                    let message = format!("`{}` is an alias of `{}`, which is not here", alias.name, alias.target);
                    self.error(alias.span, message);
                }
                (None, _, _) => {}
            }
        }
    }

    /// At the end of all files: the linker's names stand for what has external linkage.
    pub(super) fn settle_labels(&mut self) {
        for (one, alias) in std::mem::take(&mut self.labels) {
            let other = match self.linked.get(&alias.target) {
                Some(Linked::Function(other)) => Symbol::Function(*other),
                Some(Linked::Object(other)) => Symbol::Object(*other),
                // Nothing of the program has that name.
                None => continue,
            };
            self.join_names(one, other, &alias);
        }
    }

    /// Two names of one thing, of which one is defined.
    fn join_names(&mut self, one: Symbol, other: Symbol, alias: &Alias) {
        match (one, other) {
            (Symbol::Function(one), Symbol::Function(other)) => {
                let about = |id: FunctionId| &self.unit.functions[id.index()];
                let alike = self.compatible(about(one).ty, about(other).ty);
                if alike && about(one).body.is_none() {
                    self.unit.functions[one.index()].alias = Some(other);
                } else if alike && about(other).body.is_none() {
                    self.unit.functions[other.index()].alias = Some(one);
                } else {
                    self.unlike(alias);
                }
            }
            (Symbol::Object(one), Symbol::Object(other)) => {
                let other = match self.unit.objects[other.index()].storage {
                    Storage::Alias(first) => first,
                    Storage::Static { .. } | Storage::Local(_) | Storage::Param(_) => other,
                };
                let (ty, known) = (self.unit.objects[one.index()].ty, self.unit.objects[other.index()].ty);
                if one != other && self.compatible(ty, known) && !self.defined.contains(&one) {
                    self.unit.objects[one.index()].storage = Storage::Alias(other);
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
