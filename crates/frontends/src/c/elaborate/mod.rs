//! Elaboration: from what the parser read to the typed tree.
//!
//! Files in order of reading: `scope` (what names stand for), `specifiers`, `declarator`,
//! `record` and `layout` (types), `names` (types in messages); `literal`, `fold` (constants),
//! `convert` (the conversions that the standard makes silently), `expr`, `operators`, `member`,
//! `call`, `special`, `overflow`, `atomic` (expressions); `found`, `init` and `constant` (initialisers); `stmt`, `declare`, `alias`, `weak`,
//! `function` (the rest).
//!
//! An error is reported where it is found, and [`Reported`] only says that there was one: the
//! statement or external declaration around is given up, and the next one is looked at.

mod alias;
mod atomic;
mod call;
mod constant;
mod convert;
mod declarator;
mod declare;
mod expr;
mod fold;
mod found;
mod function;
mod init;
mod layout;
mod literal;
mod member;
mod names;
mod operators;
mod overflow;
mod record;
mod scope;
mod special;
mod specifiers;
mod stmt;
mod weak;

use super::markers::Places;
use super::parse::Parsed;
use super::rewrite::Rewritten;
use super::tree::{Expr, ExprKind, FunctionId, Init, ObjectId, Unit};
use super::types::{DataModel, RecordId, Ty, Types};
use alias::Alias;
use function::Current;
use lang_c::ast::{ExternalDeclaration, TranslationUnit};
use lang_c::span::Node;
use rustc_hash::{FxHashMap, FxHashSet};
use scope::{Scope, Symbol};
use tamis_ir::{Diagnostic, Severity, SourceId, Span};
use weak::Definition;

/// An error that the user will read about.
#[derive(Clone, Copy, Debug)]
pub(super) struct Reported;

type R<T> = Result<T, Reported>;

/// Nobody reads more errors than these.
const MOST_ERRORS: usize = 30;

/// The text that is elaborated.
#[derive(Clone, Copy)]
struct File<'a> {
    places: &'a Places,
    rewritten: &'a Rewritten,
}

/// What a name with external linkage stands for in all files.
#[derive(Clone, Copy)]
enum Linked {
    Object(ObjectId),
    Function(FunctionId),
}

/// Elaborates files one after the other into one program.
pub(super) struct Elaborator<'a> {
    unit: Unit,
    file: File<'a>,
    linked: FxHashMap<String, Linked>,
    /// Objects that have a definition, not only declarations.
    defined: FxHashSet<ObjectId>,
    /// Records of file scope by tag, kept across files: a header gives each file the same ones.
    tags: FxHashMap<(String, bool), RecordId>,
    /// Records without a tag of earlier files.
    anonymous: Vec<RecordId>,
    /// Which file has defined which record.
    bodies: FxHashSet<(RecordId, SourceId)>,
    /// Records that are being defined, of which another file has one of the same name.
    doubles: FxHashMap<RecordId, RecordId>,
    /// For an array of arrays of variable length, or a pointer to one: the hidden objects that
    /// keep how many bytes its rows have, the innermost first.
    rows: FxHashMap<ObjectId, Vec<ObjectId>>,
    /// What automatic objects that are constant hold, as far as it is known.
    constants: FxHashMap<ObjectId, Init>,
    /// Whether a static object is being initialised.
    statically: bool,
    /// Whether the last failure was a type that cannot be modelled, which is not reported yet:
    /// headers declare functions of such types that nobody calls.
    unmodelled: bool,
    /// The names of such declarations: it is an error to use them.
    unusable: FxHashSet<String>,
    /// Second names of this file.
    aliases: Vec<Alias>,
    /// Names for the linker that no file has settled so far.
    labels: Vec<(Symbol, Alias)>,
    /// Names of C that the linker does not know, as it knows others for the same things.
    labelled: FxHashSet<String>,
    /// What this file declares to be weak.
    weak: FxHashSet<String>,
    /// How firmly names with external linkage are defined, and which file this is.
    definitions: FxHashMap<String, Definition>,
    number: usize,
    scopes: Vec<Scope>,
    current: Option<Current>,
    diagnostics: Vec<Diagnostic>,
}

/// Elaborates parsed files, linked together.
pub(super) fn elaborate(
    files: &[(Parsed, &Places)],
    model: DataModel,
) -> Result<(Unit, Vec<Diagnostic>), Vec<Diagnostic>> {
    let Some((first, places)) = files.first() else { return Err(Vec::new()) };
    let mut elaborator = Elaborator {
        unit: Unit { types: Types::new(model), objects: Vec::new(), functions: Vec::new(), assembler: false },
        file: File { places, rewritten: &first.rewritten },
        linked: FxHashMap::default(),
        defined: FxHashSet::default(),
        tags: FxHashMap::default(),
        anonymous: Vec::new(),
        bodies: FxHashSet::default(),
        doubles: FxHashMap::default(),
        rows: FxHashMap::default(),
        constants: FxHashMap::default(),
        statically: false,
        unmodelled: false,
        unusable: FxHashSet::default(),
        aliases: Vec::new(),
        labels: Vec::new(),
        labelled: FxHashSet::default(),
        weak: FxHashSet::default(),
        definitions: FxHashMap::default(),
        number: 0,
        scopes: Vec::new(),
        current: None,
        diagnostics: Vec::new(),
    };
    for (parsed, places) in files {
        elaborator.file = File { places, rewritten: &parsed.rewritten };
        elaborator.diagnostics.extend(parsed.warnings.iter().cloned());
        elaborator.unit.assembler |= parsed.rewritten.assembler;
        elaborator.weak = parsed.weak.iter().cloned().collect();
        elaborator.file(&parsed.unit);
    }
    elaborator.finish()
}

impl Elaborator<'_> {
    fn file(&mut self, unit: &TranslationUnit) {
        self.scopes = vec![Scope::default()];
        // The first declaration is the prelude of `rewrite`.
        for external in unit.0.iter().skip(1) {
            // Whatever goes wrong inside is reported; the next declaration has its own chance.
            let result = match &external.node {
                ExternalDeclaration::Declaration(declaration) => self.declaration(declaration).map(|_| ()),
                ExternalDeclaration::StaticAssert(assertion) => self.static_assert(assertion),
                ExternalDeclaration::FunctionDefinition(definition) => self.function_definition(definition),
            };
            self.settle(result, external.span);
            self.scopes.truncate(1);
            self.current = None;
            if self.errors() >= MOST_ERRORS {
                break;
            }
        }
        self.complete_tentative();
        self.settle_weak();
        self.settle_aliases();
        let tagless = self.unit.types.record_ids().filter(|id| self.unit.types.record(*id).name.is_empty());
        self.anonymous = tagless.collect();
    }

    fn finish(mut self) -> Result<(Unit, Vec<Diagnostic>), Vec<Diagnostic>> {
        self.settle_labels();
        if self.errors() > 0 {
            self.diagnostics.truncate(MOST_ERRORS * 2);
            return Err(self.diagnostics);
        }
        Ok((self.unit, self.diagnostics))
    }

    fn errors(&self) -> usize {
        self.diagnostics.iter().filter(|diagnostic| diagnostic.severity == Severity::Error).count()
    }

    /// Reports what a declaration or statement failed with, if that was not done yet.
    fn settle(&mut self, result: R<()>, span: lang_c::span::Span) {
        let unmodelled = std::mem::take(&mut self.unmodelled);
        if result.is_ok() {
            return;
        }
        let span = self.at(span);
        if unmodelled {
            self.error(span, "floating-point types of 128 bits, and such of other widths, are not supported");
        } else if self.errors() == 0 {
            // Nothing may be left out without a word.
            self.error(span, "this is not understood");
        }
    }

    /// What to say about a name whose declaration failed.
    fn broken(&mut self, name: &str, span: Span) -> Reported {
        if self.unusable.contains(name) {
            return self.error(span, format!("`{name}` has a type that is not supported"));
        }
        Reported
    }

    /// The place of a node.
    fn at(&self, span: lang_c::span::Span) -> Span {
        if span.is_none() {
            return self.file.places.span(0, 0);
        }
        let text = self.file.rewritten.text.as_bytes();
        let mut end = span.end.min(text.len());
        while end > span.start && text[end - 1].is_ascii_whitespace() {
            end -= 1;
        }
        self.file.places.span(self.file.rewritten.original(span.start), self.file.rewritten.original_end(end))
    }

    fn span<T>(&self, node: &Node<T>) -> Span {
        self.at(node.span)
    }

    fn error(&mut self, span: Span, message: impl Into<String>) -> Reported {
        self.report(Diagnostic::error(span, message))
    }

    fn report(&mut self, diagnostic: Diagnostic) -> Reported {
        // The same complaint about the same place helps nobody: `sizeof` and ranges look twice.
        if !self.diagnostics.contains(&diagnostic) {
            self.diagnostics.push(diagnostic);
        }
        Reported
    }

    fn warn(&mut self, span: Span, message: impl Into<String>) {
        self.report(Diagnostic::warning(span, message));
    }

    /// A number of a type.
    fn number(value: i128, ty: Ty, span: Span) -> Expr {
        Expr { kind: ExprKind::Int(value), ty, span }
    }
}
