//! Declarations of objects, functions and types, and what they mean across scopes and files.

use super::super::tree::{BinaryOp, Expr, FunctionId, Init, Object, ObjectId, Stmt, StmtKind, Storage};
use super::super::types::{Ty, Type};
use super::declarator::Declared;
use super::scope::{Qualified, Symbol};
use super::specifiers::Specifiers;
use super::weak::Next;
use super::{Elaborator, Linked, R, Reported};
use lang_c::ast::{Declaration, InitDeclarator, Initializer, StorageClassSpecifier};
use lang_c::span::Node;
use tamis_ir::Span;

impl Elaborator<'_> {
    /// A declaration; the statements set up local objects.
    pub(super) fn declaration(&mut self, node: &Node<Declaration>) -> R<Vec<Stmt>> {
        let result = self.declare(node);
        if result.is_ok() || !self.unmodelled || !self.at_file_scope() {
            return result;
        }
        // Only whoever uses these names needs to know.
        self.unmodelled = false;
        let names = node.node.declarators.iter().filter_map(|declarator| name_of(&declarator.node.declarator.node));
        self.unusable.extend(names.map(str::to_owned));
        Ok(Vec::new())
    }

    fn declare(&mut self, node: &Node<Declaration>) -> R<Vec<Stmt>> {
        let span = self.span(node);
        let specifiers = match self.specifiers(&node.node.specifiers, span) {
            Ok(specifiers) => specifiers,
            Err(reported) => {
                self.break_names(node);
                return Err(reported);
            }
        };
        let mut statements = Vec::new();
        let mut result = Ok(());
        for declarator in &node.node.declarators {
            let known = name_of(&declarator.node.declarator.node)
                .map_or(Ok(()), |name| self.note_alias(name, &node.node.specifiers, &declarator.node.declarator, span));
            let declared = known.and_then(|()| self.init_declarator(&specifiers, declarator, &mut statements, span));
            if let Err(reported) = declared {
                if let Some(name) = name_of(&declarator.node.declarator.node)
                    && self.lookup_here(name).is_none()
                {
                    self.bind(name, Symbol::Broken, span);
                }
                result = Err(reported);
            }
        }
        result.map(|()| statements)
    }

    /// Names of a wrong declaration are known to be wrong, and not reported again.
    fn break_names(&mut self, node: &Node<Declaration>) {
        let span = self.span(node);
        for declarator in &node.node.declarators {
            if let Some(name) = name_of(&declarator.node.declarator.node) {
                self.bind(name, Symbol::Broken, span);
            }
        }
    }

    fn init_declarator(
        &mut self,
        specifiers: &Specifiers,
        node: &Node<InitDeclarator>,
        statements: &mut Vec<Stmt>,
        whole: Span,
    ) -> R<()> {
        let initializer = node.node.initializer.as_ref();
        let base = match (specifiers.base, specifiers.auto, initializer) {
            (Some(base), _, _) => base,
            (None, true, Some(Node { node: Initializer::Expression(expression), .. })) => {
                let ty = self.type_of(expression)?;
                Qualified::plain(self.decayed(ty))
            }
            (None, true, _) => return Err(self.error(whole, "`__auto_type` needs an initialiser")),
            (None, false, _) => Qualified::plain(self.int()),
        };
        let mut declared = self.declarator(base, &node.node.declarator)?;
        declared.ty.ty = self.with_mode(declared.ty.ty, specifiers.attributes, whole)?;
        declared.ty.align = declared.ty.align.max(specifiers.attributes.align);
        let Some(name) = declared.name else { return Err(self.error(whole, "a name is missing here")) };
        let span = self.at(name.span);
        let text = name.node.name.as_str();
        if specifiers.attributes.weak || declared.attributes.weak {
            self.weak.insert(text.to_owned());
        }
        if specifiers.storage == Some(StorageClassSpecifier::Typedef) {
            return self.typedef(text, &declared, span);
        }
        if matches!(self.unit.types.get(declared.ty.ty), Type::Function(_)) {
            if initializer.is_some() {
                return Err(self.error(span, "a function cannot be initialised"));
            }
            let is_static = specifiers.storage == Some(StorageClassSpecifier::Static);
            let function = self.declare_function(text, declared.ty.ty, is_static, span)?;
            let about = &mut self.unit.functions[function.index()];
            about.noreturn |= specifiers.attributes.noreturn || declared.attributes.noreturn;
            about.align = about.align.max(specifiers.attributes.align).max(declared.attributes.align);
            return Ok(());
        }
        if matches!(self.unit.types.get(declared.ty.ty), Type::Void) {
            return Err(self.error(span, format!("`{text}` cannot be void")));
        }
        match (&self.current, &specifiers.storage) {
            (None, storage) => {
                let storage = storage.clone();
                self.global(text, &declared, storage.as_ref(), initializer, span)
            }
            (Some(_), Some(StorageClassSpecifier::Extern)) => {
                self.global(text, &declared, specifiers.storage.as_ref(), initializer, span)
            }
            (Some(current), Some(StorageClassSpecifier::Static)) => {
                let owner = current.function;
                self.static_local(text, declared.ty, owner, initializer, span)
            }
            (Some(current), _) => {
                let function = current.function;
                self.local(text, declared, function, initializer, statements, span)
            }
        }
    }

    fn typedef(&mut self, name: &str, declared: &Declared<'_>, span: Span) -> R<()> {
        if !declared.lengths.is_empty() {
            return Err(self.error(span, "a type of variable length cannot have a name"));
        }
        match self.lookup_here(name) {
            Some((Symbol::Typedef(known), _)) if self.compatible(known.ty, declared.ty.ty) => {}
            Some((Symbol::Broken, _)) | None => {}
            Some(_) => return Err(self.redeclared(name, span)),
        }
        self.bind(name, Symbol::Typedef(declared.ty), span);
        Ok(())
    }

    fn redeclared(&mut self, name: &str, span: Span) -> Reported {
        self.error(span, format!("`{name}` was declared as something else before"))
    }

    /// Two definitions are wrong in both places.
    pub(super) fn defined_twice(&mut self, name: &str, first: Span, second: Span) -> Reported {
        self.error(first, format!("`{name}` is defined here, and again elsewhere"));
        self.error(second, format!("`{name}` is defined a second time"))
    }

    /// A declaration of a function, linked with earlier ones.
    pub(super) fn declare_function(&mut self, name: &str, ty: Ty, is_static: bool, span: Span) -> R<FunctionId> {
        let known = match self.scopes[0].names.get(name).map(|(symbol, _)| *symbol) {
            Some(Symbol::Function(function)) => Some(function),
            Some(Symbol::Broken) | None if is_static => None,
            Some(Symbol::Broken) | None => match self.linked.get(name) {
                Some(Linked::Function(function)) => Some(*function),
                Some(Linked::Object(_)) => return Err(self.redeclared(name, span)),
                None => None,
            },
            Some(Symbol::Object(_) | Symbol::Typedef(_) | Symbol::Constant(..)) => {
                return Err(self.redeclared(name, span));
            }
        };
        let function = if let Some(function) = known {
            self.merge_function(function, name, ty, span)?;
            function
        } else {
            let function = self.add_function(name, ty, span);
            if !is_static {
                self.linked.insert(name.to_owned(), Linked::Function(function));
            }
            function
        };
        if let Some((Symbol::Object(_) | Symbol::Typedef(_) | Symbol::Constant(..), _)) = self.lookup_here(name) {
            return Err(self.redeclared(name, span));
        }
        self.scopes[0].names.insert(name.to_owned(), (Symbol::Function(function), span));
        self.bind(name, Symbol::Function(function), span);
        Ok(function)
    }

    fn merge_function(&mut self, function: FunctionId, name: &str, ty: Ty, span: Span) -> R<()> {
        let known = self.unit.functions[function.index()].ty;
        let implicit = self.unit.functions[function.index()].implicit;
        if !self.compatible(known, ty) {
            let (old, new) = (self.describe(known), self.describe(ty));
            if self.unit.functions[function.index()].span.source != span.source {
                // Compilers cannot see that two files disagree; what the definition says counts.
                self.warn(span, format!("`{name}` is {new} here, but {old} in another file"));
                let record = &mut self.unit.functions[function.index()];
                if record.body.is_none() {
                    (record.ty, record.span) = (ty, span);
                }
                return Ok(());
            }
            if !implicit {
                return Err(self.error(span, format!("`{name}` is {new} here, but was {old} before")));
            }
            self.warn(span, format!("`{name}` was called before it was declared, and is of another type"));
        }
        let composite = if implicit { ty } else { self.composite(known, ty) };
        let record = &mut self.unit.functions[function.index()];
        record.ty = composite;
        if implicit {
            record.implicit = false;
            record.span = span;
        }
        Ok(())
    }

    /// An object of file scope, or one that `extern` in a function speaks of.
    fn global(
        &mut self,
        name: &str,
        declared: &Declared<'_>,
        storage: Option<&StorageClassSpecifier>,
        initializer: Option<&Node<Initializer>>,
        span: Span,
    ) -> R<()> {
        let is_static = storage == Some(&StorageClassSpecifier::Static);
        let only_declared = storage == Some(&StorageClassSpecifier::Extern) && initializer.is_none();
        let known = match self.scopes[0].names.get(name).map(|(symbol, _)| *symbol) {
            Some(Symbol::Object(object)) => Some(object),
            Some(Symbol::Broken) | None if is_static => None,
            Some(Symbol::Broken) | None => match self.linked.get(name) {
                Some(Linked::Object(object)) => Some(*object),
                Some(Linked::Function(_)) => return Err(self.redeclared(name, span)),
                None => None,
            },
            Some(Symbol::Function(_) | Symbol::Typedef(_) | Symbol::Constant(..)) => {
                return Err(self.redeclared(name, span));
            }
        };
        let object = if let Some(object) = known {
            self.merge_object(object, name, declared.ty, span)?;
            object
        } else {
            let storage = Storage::Static { init: None, owner: None, external: true };
            let object = self.add_object(declared.ty.object(name, span, storage));
            if !is_static {
                self.linked.insert(name.to_owned(), Linked::Object(object));
            }
            object
        };
        if self.at_file_scope() {
            self.bind(name, Symbol::Object(object), span);
        } else {
            if self
                .lookup_here(name)
                .is_some_and(|(symbol, _)| !matches!(symbol, Symbol::Object(other) if other == object))
            {
                return Err(self.redeclared(name, span));
            }
            self.bind(name, Symbol::Object(object), span);
        }
        if !only_declared {
            self.define(object, initializer, span)?;
        }
        Ok(())
    }

    fn merge_object(&mut self, object: ObjectId, name: &str, ty: Qualified, span: Span) -> R<()> {
        let known = self.unit.objects[object.index()].ty;
        if !self.compatible(known, ty.ty) {
            let (old, new) = (self.describe(known), self.describe(ty.ty));
            return Err(self.error(span, format!("`{name}` is {new} here, but was {old} before")));
        }
        let composite = self.composite(known, ty.ty);
        let record = &mut self.unit.objects[object.index()];
        record.ty = composite;
        record.volatile |= ty.volatile;
        record.constant &= ty.constant && !ty.volatile;
        record.align = record.align.max(ty.align);
        Ok(())
    }

    /// A definition, which is tentative without an initialiser.
    fn define(&mut self, object: ObjectId, initializer: Option<&Node<Initializer>>, span: Span) -> R<()> {
        let object = self.unit.object(object);
        if self.next_value(object) == Next::Loses {
            return Ok(());
        }
        self.unit.objects[object.index()].storage = match std::mem::replace(
            &mut self.unit.objects[object.index()].storage,
            Storage::Static { init: None, owner: None, external: false },
        ) {
            Storage::Static { init, owner, .. } => Storage::Static { init, owner, external: false },
            other @ (Storage::Local(_) | Storage::Param(_) | Storage::Alias(_)) => other,
        };
        let Some(initializer) = initializer else { return Ok(()) };
        if !self.defined.insert(object) {
            let (name, first) =
                (self.unit.objects[object.index()].name.clone(), self.unit.objects[object.index()].span);
            return Err(self.defined_twice(&name, first, span));
        }
        self.statically = true;
        let initialised = self.initialise(self.unit.objects[object.index()].ty, initializer);
        self.statically = false;
        let (init, ty) = initialised?;
        let init = self.at_load_time(init)?;
        let record = &mut self.unit.objects[object.index()];
        record.ty = ty;
        record.span = span;
        if let Storage::Static { init: place, .. } = &mut record.storage {
            *place = Some(init);
        }
        Ok(())
    }

    fn static_local(
        &mut self,
        name: &str,
        ty: Qualified,
        owner: FunctionId,
        initializer: Option<&Node<Initializer>>,
        span: Span,
    ) -> R<()> {
        if self.lookup_here(name).is_some() {
            return Err(self.error(span, format!("`{name}` is declared twice")));
        }
        let storage = Storage::Static { init: None, owner: Some(owner), external: false };
        let object = self.add_object(ty.object(name, span, storage));
        self.bind(name, Symbol::Object(object), span);
        self.define(object, initializer, span)?;
        self.require_size(self.unit.objects[object.index()].ty, name, span)
    }

    fn require_size(&mut self, ty: Ty, name: &str, span: Span) -> R<()> {
        if self.unit.types.size_of(ty).is_none() {
            let what = self.describe(ty);
            return Err(self.error(span, format!("`{name}` has the incomplete type {what}")));
        }
        Ok(())
    }

    fn local(
        &mut self,
        name: &str,
        declared: Declared<'_>,
        function: FunctionId,
        initializer: Option<&Node<Initializer>>,
        statements: &mut Vec<Stmt>,
        span: Span,
    ) -> R<()> {
        if self.lookup_here(name).is_some_and(|(symbol, _)| !matches!(symbol, Symbol::Broken)) {
            return Err(self.error(span, format!("`{name}` is declared twice")));
        }
        let ty = declared.ty;
        let mut rows = self.variable_lengths(declared.lengths, ty.ty, function, statements, span)?;
        let is_vla = matches!(self.unit.types.get(ty.ty), Type::Vla(_));
        let vla_bytes = if is_vla { rows.pop() } else { None };
        let object = Object { vla_bytes, ..ty.object(name, span, Storage::Local(function)) };
        let object = self.add_object(object);
        if !rows.is_empty() {
            self.rows.insert(object, rows);
        }
        // An object is known in its own initialiser.
        self.bind(name, Symbol::Object(object), span);
        let init = match initializer {
            Some(initializer) => {
                let (init, ty) = self.initialise(ty.ty, initializer)?;
                self.unit.objects[object.index()].ty = ty;
                self.note_constant(object, &init);
                Some(init)
            }
            None => None,
        };
        if vla_bytes.is_none() {
            self.require_size(self.unit.objects[object.index()].ty, name, span)?;
        }
        statements.push(Stmt { kind: StmtKind::Declare(object, init), span });
        Ok(())
    }

    /// Hidden objects that keep how many bytes the dimensions of an array have, innermost first.
    fn variable_lengths(
        &mut self,
        lengths: Vec<Expr>,
        ty: Ty,
        function: FunctionId,
        statements: &mut Vec<Stmt>,
        span: Span,
    ) -> R<Vec<ObjectId>> {
        let mut rows: Vec<ObjectId> = Vec::with_capacity(lengths.len());
        for length in lengths {
            let bytes = match rows.last() {
                Some(inner) => {
                    let inner = self.load(*inner, span)?;
                    self.arithmetic(BinaryOp::Mul, length, inner, span)?
                }
                None => self.variable_size(length, ty, span)?,
            };
            let ty = bytes.ty;
            let object = self.add_object(Object::new("$bytes", ty, span, Storage::Local(function)));
            let init = Init { items: vec![(Vec::new(), bytes)], ..Init::default() };
            statements.push(Stmt { kind: StmtKind::Declare(object, Some(init)), span });
            rows.push(object);
        }
        Ok(rows)
    }

    /// At the end of a file: arrays that never got a length have one element.
    pub(super) fn complete_tentative(&mut self) {
        for at in 0..self.unit.objects.len() {
            let object = &self.unit.objects[at];
            let Storage::Static { external: false, .. } = object.storage else { continue };
            let (ty, span) = (object.ty, object.span);
            if let Type::Array(element, None) = *self.unit.types.get(ty) {
                self.unit.objects[at].ty = self.unit.types.make(Type::Array(element, Some(1)));
            } else if matches!(self.unit.types.get(ty), Type::Record(_)) && self.unit.types.size_of(ty).is_none() {
                let (name, what) = (self.unit.objects[at].name.clone(), self.describe(ty));
                self.error(span, format!("`{name}` has the incomplete type {what}"));
            }
        }
    }
}

fn name_of(declarator: &lang_c::ast::Declarator) -> Option<&str> {
    match &declarator.kind.node {
        lang_c::ast::DeclaratorKind::Abstract => None,
        lang_c::ast::DeclaratorKind::Identifier(name) => Some(&name.node.name),
        lang_c::ast::DeclaratorKind::Declarator(inner) => name_of(&inner.node),
    }
}
