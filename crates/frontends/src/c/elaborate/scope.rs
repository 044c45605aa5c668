//! What names stand for: ordinary names and tags, in scopes that hide each other.

use super::super::tree::{BlockId, FunctionId, Object, ObjectId, Storage};
use super::super::types::{RecordId, Ty};
use super::Elaborator;
use rustc_hash::FxHashMap;
use tamis_ir::diagnostic::is_near;
use tamis_ir::{Diagnostic, Span};

/// A type with what types do not say themselves.
#[derive(Clone, Copy, Debug)]
pub(super) struct Qualified {
    pub(super) ty: Ty,
    pub(super) volatile: bool,
    pub(super) constant: bool,
    /// An alignment that attributes ask for.
    pub(super) align: Option<u64>,
}

impl Qualified {
    pub(super) fn plain(ty: Ty) -> Qualified {
        Qualified { ty, volatile: false, constant: false, align: None }
    }

    /// An object of that type.
    pub(super) fn object(self, name: &str, span: Span, storage: Storage) -> Object {
        let Qualified { ty, volatile, constant, align } = self;
        Object {
            volatile,
            constant: constant && !volatile,
            qualified: constant,
            align,
            ..Object::new(name, ty, span, storage)
        }
    }
}

/// What an ordinary name stands for.
#[derive(Clone, Copy, Debug)]
pub(super) enum Symbol {
    Object(ObjectId),
    Function(FunctionId),
    Typedef(Qualified),
    /// A constant of an enumeration.
    Constant(i128, Ty),
    /// Its declaration was wrong, which was reported once.
    Broken,
}

/// What a tag stands for.
#[derive(Clone, Copy, Debug)]
pub(super) enum Tag {
    Record(RecordId, bool),
    /// The integer type that holds the enumeration, once it is known.
    Enum(Option<Ty>),
}

#[derive(Debug, Default)]
pub(super) struct Scope {
    pub(super) names: FxHashMap<String, (Symbol, Span)>,
    pub(super) tags: FxHashMap<String, Tag>,
    /// The block that it is the scope of, inside of functions.
    pub(super) block: Option<BlockId>,
}

impl Elaborator<'_> {
    pub(super) fn enter(&mut self) {
        let block = self.current.as_ref().map(|current| {
            let blocks = &mut self.unit.functions[current.function.index()].blocks;
            blocks.push(Vec::new());
            BlockId(u32::try_from(blocks.len() - 1).expect("fewer than 2^32 blocks"))
        });
        self.scopes.push(Scope { block, ..Scope::default() });
    }

    pub(super) fn leave(&mut self) {
        self.scopes.pop();
    }

    /// The innermost block of the current function.
    pub(super) fn block(&self) -> BlockId {
        self.scopes.last().and_then(|scope| scope.block).expect("control is in a function")
    }

    pub(super) fn at_file_scope(&self) -> bool {
        self.scopes.len() == 1
    }

    pub(super) fn innermost(&mut self) -> &mut Scope {
        self.scopes.last_mut().expect("the file scope stays")
    }

    pub(super) fn bind(&mut self, name: &str, symbol: Symbol, span: Span) {
        self.innermost().names.insert(name.to_owned(), (symbol, span));
    }

    pub(super) fn lookup(&self, name: &str) -> Option<Symbol> {
        self.scopes.iter().rev().find_map(|scope| scope.names.get(name)).map(|(symbol, _)| *symbol)
    }

    /// What the innermost scope says about a name, and where it was declared.
    pub(super) fn lookup_here(&self, name: &str) -> Option<(Symbol, Span)> {
        self.scopes.last().and_then(|scope| scope.names.get(name)).copied()
    }

    pub(super) fn lookup_tag(&self, name: &str) -> Option<Tag> {
        self.scopes.iter().rev().find_map(|scope| scope.tags.get(name)).copied()
    }

    pub(super) fn undeclared(&mut self, name: &str, span: Span) -> Diagnostic {
        let mut known: Vec<&str> = Vec::new();
        for scope in &self.scopes {
            #[expect(clippy::iter_over_hash_type, reason = "the names are sorted below")]
            for other in scope.names.keys() {
                known.push(other);
            }
        }
        known.sort_unstable();
        let near = known.into_iter().find(|other| is_near(name, other)).map(|near| format!("did you mean `{near}`?"));
        let error = Diagnostic::error(span, format!("`{name}` is not declared"));
        match near {
            Some(hint) => error.hint(hint),
            None => error,
        }
    }
}
