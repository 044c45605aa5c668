//! Declarators: pointers, arrays and functions around a name, read from the inside out.

use super::super::tree::Expr;
use super::super::types::{Signature, Ty, Type};
use super::scope::Qualified;
use super::specifiers::Attributes;
use super::{Elaborator, R};
use lang_c::ast::{
    ArrayDeclarator, ArraySize, Declarator, DeclaratorKind, DerivedDeclarator, Ellipsis, Expression,
    FunctionDeclarator, Identifier, ParameterDeclaration, PointerQualifier, TypeQualifier,
};
use lang_c::span::Node;
use tamis_ir::Span;

/// What a declarator makes of the type before it.
#[derive(Debug)]
pub(super) struct Declared<'n> {
    pub(super) name: Option<&'n Node<Identifier>>,
    pub(super) ty: Qualified,
    /// For an array of variable length, or a pointer to one: how many elements each dimension has,
    /// the innermost first.
    pub(super) lengths: Vec<Expr>,
    /// For an array parameter: its length, which is evaluated when the function is called.
    pub(super) bound: Option<&'n Node<Expression>>,
    /// For a function: its parameters.
    pub(super) params: Params<'n>,
    pub(super) attributes: Attributes,
}

/// The parameters that a function declarator names.
#[derive(Debug)]
pub(super) enum Params<'n> {
    /// It declares no function.
    None,
    /// A prototype.
    Typed(Vec<Param<'n>>),
    /// Only names, with types in the declarations that follow.
    Names(&'n [Node<Identifier>]),
}

#[derive(Debug)]
pub(super) struct Param<'n> {
    pub(super) name: Option<&'n Node<Identifier>>,
    pub(super) ty: Qualified,
    /// Of an array: its length.
    pub(super) bound: Option<&'n Node<Expression>>,
    pub(super) span: Span,
}

impl Elaborator<'_> {
    pub(super) fn declarator<'n>(&mut self, base: Qualified, node: &'n Node<Declarator>) -> R<Declared<'n>> {
        let declared = Declared {
            name: None,
            ty: base,
            lengths: Vec::new(),
            bound: None,
            params: Params::None,
            attributes: Attributes::default(),
        };
        self.derive(declared, node, false)
    }

    /// Applies pointers first, then arrays and functions from the right, then what is around.
    fn derive<'n>(&mut self, mut declared: Declared<'n>, node: &'n Node<Declarator>, param: bool) -> R<Declared<'n>> {
        let more = self.attributes(&node.node.extensions)?;
        declared.attributes.packed |= more.packed;
        declared.attributes.noreturn |= more.noreturn;
        declared.attributes.weak |= more.weak;
        declared.attributes.gnu_inline |= more.gnu_inline;
        declared.attributes.align = declared.attributes.align.max(more.align);
        declared.attributes.mode = more.mode.or(declared.attributes.mode);
        let (pointers, suffixes): (Vec<_>, Vec<_>) =
            node.node.derived.iter().partition(|derived| matches!(derived.node, DerivedDeclarator::Pointer(_)));
        for pointer in pointers {
            let DerivedDeclarator::Pointer(qualifiers) = &pointer.node else { continue };
            let span = self.span(pointer);
            self.refuse_variable(&declared, span)?;
            let ty = self.unit.types.pointer_to(declared.ty.ty, declared.ty.volatile, declared.ty.constant);
            let has = |wanted: &TypeQualifier| qualifiers.iter().any(|qualifier| is_qualifier(qualifier, wanted));
            let (volatile, constant) = (has(&TypeQualifier::Volatile), has(&TypeQualifier::Const));
            declared.ty = Qualified { ty, volatile, constant, align: None };
            declared.params = Params::None;
        }
        let innermost = !matches!(node.node.kind.node, DeclaratorKind::Declarator(_));
        for (at, suffix) in suffixes.iter().enumerate().rev() {
            let span = self.span(suffix);
            self.refuse_variable(&declared, span)?;
            declared.params = Params::None;
            match &suffix.node {
                DerivedDeclarator::Array(array) if param && innermost && at == 0 => {
                    // An array parameter is a pointer, whatever its length.
                    declared.bound = match &array.node.size {
                        ArraySize::VariableExpression(size) | ArraySize::StaticExpression(size) => Some(size),
                        ArraySize::Unknown | ArraySize::VariableUnknown => None,
                    };
                    let pointer =
                        self.unit.types.pointer_to(declared.ty.ty, declared.ty.volatile, declared.ty.constant);
                    declared.ty = Qualified::plain(pointer);
                }
                DerivedDeclarator::Array(array) => self.array(&mut declared, &array.node, span, param)?,
                DerivedDeclarator::Function(function) => {
                    let (params, variadic) = self.parameters(&function.node)?;
                    let types = params.iter().map(|param| param.ty.ty).collect();
                    declared.ty = self.function_type(declared.ty.ty, types, variadic, span)?;
                    declared.params = Params::Typed(params);
                }
                DerivedDeclarator::KRFunction(names) => {
                    declared.ty = self.function_type(declared.ty.ty, Vec::new(), true, span)?;
                    declared.params = Params::Names(names);
                }
                DerivedDeclarator::Pointer(_) | DerivedDeclarator::Block(_) => {
                    return Err(self.error(span, "blocks are not supported"));
                }
            }
        }
        match &node.node.kind.node {
            DeclaratorKind::Abstract => {}
            DeclaratorKind::Identifier(name) => declared.name = Some(name),
            DeclaratorKind::Declarator(inner) => declared = self.derive(declared, inner, param)?,
        }
        if innermost {
            let span = self.span(node);
            declared.ty.ty = self.with_mode(declared.ty.ty, declared.attributes, span)?;
            declared.ty.align = declared.ty.align.max(declared.attributes.align);
        }
        Ok(declared)
    }

    /// Lengths are kept with the object that is an array, or points to one, but not further away.
    fn refuse_variable(&mut self, declared: &Declared<'_>, span: Span) -> R<()> {
        if !declared.lengths.is_empty() && !matches!(self.unit.types.get(declared.ty.ty), Type::Vla(_)) {
            return Err(self.error(span, "types made of pointers to arrays of variable length are not supported"));
        }
        Ok(())
    }

    fn function_type(&mut self, result: Ty, params: Vec<Ty>, variadic: bool, span: Span) -> R<Qualified> {
        if matches!(self.unit.types.get(result), Type::Array(..) | Type::Function(_)) {
            return Err(self.error(span, "a function cannot return an array or a function"));
        }
        Ok(Qualified::plain(self.unit.types.make(Type::Function(Signature { result, params, variadic }))))
    }

    fn array(&mut self, declared: &mut Declared<'_>, array: &ArrayDeclarator, span: Span, param: bool) -> R<()> {
        let element = declared.ty.ty;
        let types = &self.unit.types;
        let wrong = if matches!(types.get(element), Type::Function(_)) {
            Some("the elements of an array cannot be functions")
        } else if matches!(types.get(element), Type::Void) {
            Some("the elements of an array cannot be void")
        } else if matches!(types.get(element), Type::Array(_, None)) {
            Some("the elements of an array have no size yet")
        } else {
            None
        };
        if let Some(wrong) = wrong {
            return Err(self.error(span, wrong));
        }
        let rows = matches!(self.unit.types.get(element), Type::Vla(_));
        if self.unit.types.size_of(element).is_none() && !rows && !self.at_file_scope() {
            let name = self.describe(element);
            return Err(self.error(span, format!("the type {name} of the elements is incomplete")));
        }
        let len = match &array.size {
            ArraySize::Unknown => None,
            ArraySize::VariableUnknown => return Err(self.error(span, "a length `*` is only for parameters")),
            ArraySize::VariableExpression(size) | ArraySize::StaticExpression(size) => {
                let before = self.diagnostics.len();
                let count = match self.expr(size) {
                    Err(_) if param => {
                        // Most likely it names another parameter, of which there is no object yet.
                        self.diagnostics.truncate(before);
                        return Err(self.error(span, "the inner lengths of an array parameter must be constant"));
                    }
                    count => count?,
                };
                if !self.unit.types.is_integer(count.ty) {
                    return Err(self.error(count.span, "the length of an array is an integer"));
                }
                match self.fold_int(&count) {
                    Some(value) => {
                        let bytes = i128::from(self.unit.types.size_of(element).unwrap_or(1));
                        let fits = value >= 0 && value.checked_mul(bytes).is_some_and(|bytes| bytes < 1 << 40);
                        let Some(value) = u64::try_from(value).ok().filter(|_| fits) else {
                            return Err(self.error(count.span, format!("an array cannot have {value} elements")));
                        };
                        if rows {
                            self.variable(declared, count);
                            return Ok(());
                        }
                        Some(value)
                    }
                    None if self.current.is_none() || param => {
                        return Err(self.error(count.span, "the length of this array must be constant"));
                    }
                    None => {
                        self.variable(declared, count);
                        return Ok(());
                    }
                }
            }
        };
        declared.ty.ty = self.unit.types.make(Type::Array(element, len));
        Ok(())
    }

    /// One more dimension of an array of variable length.
    fn variable(&mut self, declared: &mut Declared<'_>, count: Expr) {
        let size_type = self.unit.types.size_type();
        let count = self.convert(count, size_type);
        declared.lengths.push(count);
        declared.ty.ty = self.unit.types.make(Type::Vla(declared.ty.ty));
    }

    fn parameters<'n>(&mut self, function: &'n FunctionDeclarator) -> R<(Vec<Param<'n>>, bool)> {
        self.enter();
        let params = function.parameters.iter().map(|node| self.parameter(node)).collect::<R<Vec<_>>>();
        self.leave();
        let mut params = params?;
        let only_void = |param: &Param<'_>| matches!(self.unit.types.get(param.ty.ty), Type::Void);
        if params.len() == 1 && params[0].name.is_none() && only_void(&params[0]) {
            params.clear();
        }
        if let Some(param) = params.iter().find(|param| only_void(param)) {
            let span = param.span;
            return Err(self.error(span, "a parameter cannot be void"));
        }
        Ok((params, function.ellipsis == Ellipsis::Some))
    }

    fn parameter<'n>(&mut self, node: &'n Node<ParameterDeclaration>) -> R<Param<'n>> {
        let span = self.span(node);
        let specifiers = self.specifiers(&node.node.specifiers, span)?;
        let base = match specifiers.base {
            Some(base) => base,
            None => Qualified::plain(self.unit.types.int(super::super::types::IntKind::Int)),
        };
        let mut declared = Declared {
            name: None,
            ty: base,
            lengths: Vec::new(),
            bound: None,
            params: Params::None,
            attributes: Attributes::default(),
        };
        if let Some(declarator) = &node.node.declarator {
            declared = self.derive(declared, declarator, true)?;
        }
        let ty = Qualified { ty: self.decayed(declared.ty.ty), ..declared.ty };
        let span = declared.name.map_or(span, |name| self.at(name.span));
        Ok(Param { name: declared.name, ty, bound: declared.bound, span })
    }

    /// What an array or function becomes as a value.
    pub(super) fn decayed(&mut self, ty: Ty) -> Ty {
        match self.unit.types.get(ty) {
            Type::Array(element, _) | Type::Vla(element) => {
                let element = *element;
                self.unit.types.pointer(element)
            }
            Type::Function(_) => self.unit.types.pointer(ty),
            Type::Void
            | Type::Bool
            | Type::Int(_)
            | Type::Bits(..)
            | Type::Float(_)
            | Type::Pointer(_)
            | Type::Record(_) => ty,
        }
    }
}

fn is_qualifier(qualifier: &Node<PointerQualifier>, wanted: &TypeQualifier) -> bool {
    match &qualifier.node {
        PointerQualifier::TypeQualifier(qualifier) => qualifier.node == *wanted,
        PointerQualifier::Extension(_) => false,
    }
}
