//! What the names of a text stand for: constants, types, variables and modules.
//!
//! Everything is resolved before any statement is looked at, so the order in which a text
//! declares things does not matter, except that a `define` uses earlier ones only.

use super::ast::{self, Base, BaseKind, Declaration, Declarator, File, Name, Suffix};
use super::constants::evaluate;
use super::report::Report;
use super::types::{Dim, Element, Enum, EnumId, Field, Scalar, Scope, Struct, StructId, Type, Types, Variable};
use crate::cursor::Refused;
use num_bigint::BigInt;
use rustc_hash::FxHashMap;
use tamis_ir::{ProcId, Program, Span};
use tamis_term::{Terms, Var};

/// The widest variable.
pub const MAX_WIDTH: u32 = 1024;
/// All arrays together have at most so many cells: each is a variable of its own.
pub const MAX_CELLS: u64 = 65_536;

/// A module with a body.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ModuleId(pub usize);

/// A constant.
#[derive(Clone, Debug)]
pub enum Constant {
    /// A `define`.
    Number(BigInt),
    /// A constant of an enum, and its number.
    Enum(EnumId, u32),
}

/// A module with a body.
#[derive(Debug)]
pub struct Module<'a, 's> {
    /// Its name.
    pub name: &'s str,
    /// The place of its header.
    pub span: Span,
    /// Its body.
    pub body: &'a ast::Body<'s>,
    /// The procedure that it becomes.
    pub proc: ProcId,
    /// What it returns.
    pub result: Option<Variable>,
    /// The names of its parameters.
    pub params: Vec<&'s str>,
    /// Its parameters and local variables.
    pub scope: Scope<'s>,
}

/// A parameter list and a result.
#[derive(PartialEq, Eq)]
struct Signature {
    result: Option<Type>,
    params: Vec<Type>,
}

/// What the names of a text stand for.
#[derive(Debug, Default)]
pub struct Names<'a, 's> {
    /// Enums and structs.
    pub types: Types<'s>,
    /// Global variables.
    pub globals: Scope<'s>,
    /// Modules with a body, by [`ModuleId`].
    pub modules: Vec<Module<'a, 's>>,
    constants: FxHashMap<&'s str, Constant>,
    enums: FxHashMap<&'s str, EnumId>,
    structs: FxHashMap<&'s str, StructId>,
    by_name: FxHashMap<&'s str, ModuleId>,
    /// Types without a name, by the place of their body.
    unnamed: FxHashMap<Span, Element>,
    default_bits: Option<BigInt>,
    cells: u64,
}

impl Names<'_, '_> {
    /// The module of that name, if it has a body.
    pub fn module(&self, name: &str) -> Option<ModuleId> {
        self.by_name.get(name).copied()
    }

    /// The constant of that name.
    pub fn constant(&self, name: &str) -> Option<&Constant> {
        self.constants.get(name)
    }

    /// The number of a constant, for constant expressions.
    pub fn number(&self, name: &str) -> Option<BigInt> {
        match self.constants.get(name)? {
            Constant::Number(value) => Some(value.clone()),
            Constant::Enum(_, number) => Some(BigInt::from(*number)),
        }
    }
}

/// Declares everything that a text names, in the terms and in the program.
pub fn resolve<'a, 's>(
    file: &'a File<'s>,
    terms: &mut Terms,
    program: &mut Program,
    report: &mut Report,
) -> Names<'a, 's> {
    let mut resolver = Resolver { names: Names::default(), terms, program, report };
    resolver.defines(file);
    resolver.types(file);
    for declaration in &file.globals {
        let declared = resolver.variables(declaration, "");
        for (name, variable) in declared {
            if resolver.names.constants.contains_key(name.text) {
                resolver.report.error(name.span, format!("`{}` is a constant already", name.text));
            } else if resolver.names.globals.get(name.text).is_some() {
                resolver.report.error(name.span, format!("`{}` is declared twice", name.text));
            } else {
                resolver.program.globals.extend(&variable.cells);
                resolver.names.globals.add(name.text, variable);
            }
        }
    }
    let results = resolver.results(file);
    for (module, result) in file.modules.iter().zip(results) {
        resolver.module(module, result);
    }
    resolver.prototypes(file);
    resolver.names
}

struct Resolver<'r, 'a, 's> {
    names: Names<'a, 's>,
    terms: &'r mut Terms,
    program: &'r mut Program,
    report: &'r mut Report,
}

impl<'a, 's> Resolver<'_, 'a, 's> {
    fn evaluate(&mut self, expr: &ast::Expr<'s>) -> Result<BigInt, Refused> {
        evaluate(expr, &|name| self.names.number(name)).map_err(|error| self.report.add(error))
    }

    fn defines(&mut self, file: &File<'s>) {
        for define in &file.defines {
            let Ok(value) = self.evaluate(&define.value) else { continue };
            match define.name.text {
                "DEFAULT_INT_BITS" => self.names.default_bits = Some(value),
                "DEFAULT_SIGNED_INT_BITS" => {}
                _ => self.constant(define.name, Constant::Number(value)),
            }
        }
    }

    fn constant(&mut self, name: Name<'s>, constant: Constant) {
        if self.names.constants.insert(name.text, constant).is_some() {
            self.report.error(name.span, format!("the constant `{}` is defined twice", name.text));
        }
    }

    /// Declares the enums and structs of the whole text: first those, so that declarations
    /// can use types that follow.
    fn types(&mut self, file: &'a File<'s>) {
        let locals = file.modules.iter().filter_map(|module| module.body.as_ref()).flat_map(|body| &body.locals);
        let bases: Vec<&Base<'s>> = file.globals.iter().chain(locals).map(|declaration| &declaration.base).collect();
        for base in &bases {
            self.enum_type(base);
            if let BaseKind::Struct(_, Some(fields)) = &base.kind {
                for field in fields {
                    self.enum_type(&field.base);
                }
            }
        }
        for module in &file.modules {
            let result = module.result.iter().map(|(base, _)| base);
            for base in result.chain(module.params.iter().map(|(base, _)| base)) {
                if matches!(&base.kind, BaseKind::Enum(_, Some(_)) | BaseKind::Struct(_, Some(_))) {
                    let hint = "declare the type outside the module and use its name";
                    self.report.error_with(base.span, "a type is declared in the header of a module", hint);
                }
            }
        }
        for base in bases {
            self.struct_type(base);
        }
    }

    fn enum_type(&mut self, base: &Base<'s>) {
        let BaseKind::Enum(name, Some(constants)) = &base.kind else { return };
        let id = EnumId(self.names.types.enums.len());
        let count = u32::try_from(constants.len()).unwrap_or(u32::MAX);
        for (number, constant) in (0..count).zip(constants) {
            self.constant(*constant, Constant::Enum(id, number));
        }
        let label = name.map_or_else(|| "enum".to_owned(), |name| format!("enum {}", name.text));
        self.names.types.enums.push(Enum { name: label, count });
        self.names.unnamed.insert(base.span, Element::Scalar(Scalar::Enum(id, count)));
        if let Some(name) = name
            && self.names.enums.insert(name.text, id).is_some()
        {
            self.report.error(name.span, format!("`enum {}` is declared twice", name.text));
        }
    }

    fn struct_type(&mut self, base: &'a Base<'s>) {
        let BaseKind::Struct(name, Some(body)) = &base.kind else { return };
        let mut fields: Vec<Field<'s>> = Vec::new();
        let mut cells = 0;
        for declaration in body {
            for declarator in &declaration.vars {
                if matches!(declaration.base.kind, BaseKind::Struct(..)) {
                    let hint = "give it the fields of the inner struct";
                    self.report.error_with(declarator.name.span, "a struct inside a struct", hint);
                    continue;
                }
                let Ok(ty) = self.ty(&declaration.base, &declarator.suffix, declarator.name.span) else { continue };
                if fields.iter().any(|field| field.name == declarator.name.text) {
                    self.report.error(declarator.name.span, format!("a second field `{}`", declarator.name.text));
                }
                let offset = cells;
                cells += usize::try_from(ty.elements()).unwrap_or(usize::MAX);
                fields.push(Field { name: declarator.name.text, ty, offset });
            }
        }
        if fields.is_empty() && !self.report.failed() {
            self.report.error(base.span, "a struct without fields");
        }
        let id = StructId(self.names.types.structs.len());
        let label = name.map_or_else(|| "struct".to_owned(), |name| format!("struct {}", name.text));
        self.names.types.structs.push(Struct { name: label, fields, cells });
        self.names.unnamed.insert(base.span, Element::Struct(id));
        if let Some(name) = name
            && self.names.structs.insert(name.text, id).is_some()
        {
            self.report.error(name.span, format!("`struct {}` is declared twice", name.text));
        }
    }

    fn element(&mut self, base: &Base<'s>, bits: Option<&ast::Expr<'s>>, span: Span) -> Result<Element, Refused> {
        if let (Some(bits), false) = (bits, matches!(base.kind, BaseKind::Int)) {
            return Err(self.report.error(bits.span, "only `int` has a number of bits"));
        }
        match &base.kind {
            BaseKind::Bool => Ok(Element::Scalar(Scalar::Bool)),
            BaseKind::Int => {
                let (value, span) = match (bits, &self.names.default_bits) {
                    (Some(bits), _) => (self.evaluate(bits)?, bits.span),
                    (None, Some(value)) => (value.clone(), span),
                    (None, None) => {
                        let hint = "write `define DEFAULT_INT_BITS 8` first, or `x(8)` for `x`";
                        return Err(self.report.error_with(span, "the number of bits is not given", hint));
                    }
                };
                if let Ok(bits @ 1..=MAX_WIDTH) = u32::try_from(&value) {
                    return Ok(Element::Scalar(Scalar::Int(bits)));
                }
                let message = format!("the number of bits is {}, not between 1 and {MAX_WIDTH}", brief(&value));
                Err(self.report.error(span, message))
            }
            BaseKind::Enum(_, Some(_)) | BaseKind::Struct(_, Some(_)) => {
                self.names.unnamed.get(&base.span).copied().ok_or(Refused)
            }
            BaseKind::Enum(name, None) => {
                let name = name.ok_or(Refused)?;
                let id = self.names.enums.get(name.text).copied();
                let id = id.ok_or_else(|| self.report.error(name.span, format!("unknown `enum {}`", name.text)))?;
                Ok(Element::Scalar(Scalar::Enum(id, self.names.types.enums[id.0].count)))
            }
            BaseKind::Struct(name, None) => {
                let name = name.ok_or(Refused)?;
                let id = self.names.structs.get(name.text).copied();
                let id = id.ok_or_else(|| self.report.error(name.span, format!("unknown `struct {}`", name.text)))?;
                Ok(Element::Struct(id))
            }
        }
    }

    fn dim(&mut self, dim: &ast::Dim<'s>) -> Result<Dim, Refused> {
        let low = dim.low.as_ref().map(|low| self.evaluate(low)).transpose()?;
        let high = self.evaluate(&dim.high)?;
        let (low, size) = match low {
            Some(low) => (low.clone(), high - low + 1),
            None => (BigInt::from(0), high),
        };
        let wrong = |message: String| Err((dim.span, message));
        let checked = match (u32::try_from(&low), u64::try_from(&size)) {
            (Err(_), _) => wrong(format!("the first index is {}, which is not allowed", brief(&low))),
            (_, Ok(0) | Err(_)) if size <= BigInt::from(0) => wrong("the array has no cells".to_owned()),
            (Ok(low), Ok(size @ 1..=MAX_CELLS)) if u32::try_from(u64::from(low) + size).is_ok() => {
                Ok(Dim { low, size: u32::try_from(size).unwrap_or(u32::MAX) })
            }
            _ => wrong(format!("the array has more than {MAX_CELLS} cells")),
        };
        checked.map_err(|(span, message)| self.report.error(span, message))
    }

    fn ty(&mut self, base: &Base<'s>, suffix: &Suffix<'s>, span: Span) -> Result<Type, Refused> {
        let element = self.element(base, suffix.bits.as_ref(), span)?;
        let dims = suffix.dims.iter().map(|dim| self.dim(dim)).collect::<Result<Vec<_>, _>>()?;
        let ty = Type { dims, element };
        if let Element::Struct(id) = element {
            let nested = self.names.types.structs[id.0].fields.iter().any(|field| !field.ty.dims.is_empty());
            if nested && !ty.dims.is_empty() {
                return Err(self.report.error(span, "an array of structs that contain arrays"));
            }
        }
        if ty.elements() > MAX_CELLS {
            return Err(self.report.error(span, format!("the array has more than {MAX_CELLS} cells")));
        }
        Ok(ty)
    }

    /// Declares the cells of a variable. Array cells are counted.
    fn variable(&mut self, name: &str, ty: Type, span: Span) -> Result<Variable, Refused> {
        let count = self.names.types.element_cells(ty.element) as u64 * ty.elements();
        if count > 1 {
            self.names.cells += count;
            if self.names.cells > MAX_CELLS {
                let message = format!("the arrays of the program have more than {MAX_CELLS} cells together");
                return Err(self.report.error_with(span, message, "make them smaller"));
            }
        }
        let cells = self.names.types.cells(name, &ty);
        let scalars: Vec<Scalar> = cells.iter().map(|(_, scalar)| *scalar).collect();
        let cells: Vec<Var> = cells.iter().map(|(name, scalar)| self.terms.declare(name, scalar.sort())).collect();
        Ok(Variable { ty, cells, scalars })
    }

    fn declarator(&mut self, base: &Base<'s>, declarator: &Declarator<'s>, prefix: &str) -> Result<Variable, Refused> {
        let ty = self.ty(base, &declarator.suffix, declarator.name.span)?;
        self.variable(&format!("{prefix}{}", declarator.name.text), ty, declarator.name.span)
    }

    fn variables(&mut self, declaration: &Declaration<'s>, prefix: &str) -> Vec<(Name<'s>, Variable)> {
        let declared = declaration.vars.iter().filter_map(|declarator| {
            let variable = self.declarator(&declaration.base, declarator, prefix).ok()?;
            Some((declarator.name, variable))
        });
        declared.collect()
    }

    /// What each module with a body returns. All modules that return an `int` do so through
    /// one variable, which is as wide as the widest of them.
    fn results(&mut self, file: &'a ast::File<'s>) -> Vec<Option<Type>> {
        let mut results: Vec<Option<Type>> = Vec::new();
        for module in &file.modules {
            let declared = module.result.as_ref().filter(|_| module.body.is_some());
            results.push(declared.and_then(|(base, suffix)| self.ty(base, suffix, base.span).ok()));
        }
        let bits = |ty: &Type| match ty {
            Type { dims, element: Element::Scalar(Scalar::Int(bits)) } if dims.is_empty() => Some(*bits),
            Type { .. } => None,
        };
        let widest = results.iter().flatten().filter_map(bits).max();
        for result in results.iter_mut().flatten() {
            if let (Some(_), Some(widest)) = (bits(result), widest) {
                result.element = Element::Scalar(Scalar::Int(widest));
            }
        }
        results
    }

    fn module(&mut self, module: &'a ast::Module<'s>, result: Option<Type>) {
        let Some(body) = &module.body else { return };
        let name = module.name.text;
        let id = ModuleId(self.names.modules.len());
        if self.names.by_name.insert(name, id).is_some() {
            self.report.error(module.name.span, format!("a second body for the module `{name}`"));
        }
        let prefix = format!("{name}::");
        let mut scope = Scope::default();
        let proc = self.program.add_proc(name, module.span);
        for (base, declarator) in &module.params {
            if let Ok(variable) = self.declarator(base, declarator, &prefix) {
                self.program.procs[proc.index()].params.extend(&variable.cells);
                self.local(&mut scope, declarator.name, variable);
            }
        }
        for declaration in &body.locals {
            for (name, variable) in self.variables(declaration, &prefix) {
                self.program.procs[proc.index()].locals.extend(&variable.cells);
                self.local(&mut scope, name, variable);
            }
        }
        let result = result
            .zip(module.result.as_ref())
            .and_then(|(ty, (base, _))| self.variable(&format!("{prefix}$ret"), ty, base.span).ok());
        if let Some(result) = &result {
            self.program.procs[proc.index()].results.extend(&result.cells);
        }
        let params = module.params.iter().map(|(_, declarator)| declarator.name.text).collect();
        self.names.modules.push(Module { name, span: module.span, body, proc, result, params, scope });
    }

    fn local(&mut self, scope: &mut Scope<'s>, name: Name<'s>, variable: Variable) {
        if scope.get(name.text).is_some() {
            self.report.error(name.span, format!("`{}` is declared twice", name.text));
        } else {
            scope.add(name.text, variable);
        }
    }

    fn signature(&mut self, module: &ast::Module<'s>) -> Result<Signature, Refused> {
        let result = module.result.as_ref().map(|(base, suffix)| self.ty(base, suffix, base.span)).transpose()?;
        let params = module
            .params
            .iter()
            .map(|(base, declarator)| self.ty(base, &declarator.suffix, declarator.name.span))
            .collect::<Result<Vec<_>, _>>()?;
        Ok(Signature { result, params })
    }

    /// Prototypes must say what the module says.
    fn prototypes(&mut self, file: &'a File<'s>) {
        let with_body = file.modules.iter().filter(|module| module.body.is_some());
        let bodies: FxHashMap<&str, &ast::Module<'s>> = with_body.map(|module| (module.name.text, module)).collect();
        for prototype in file.modules.iter().filter(|module| module.body.is_none()) {
            let Ok(declared) = self.signature(prototype) else { continue };
            let Some(module) = bodies.get(prototype.name.text) else { continue };
            let Ok(defined) = self.signature(module) else { continue };
            if declared != defined {
                let message = format!("the prototype of `{}` differs from the module", prototype.name.text);
                let hint = "give both the same parameters and the same result";
                self.report.error_with(prototype.span, message, hint);
            }
        }
    }
}

/// A number for a message, unless it is too long to read.
fn brief(value: &BigInt) -> String {
    if value.bits() <= 64 { value.to_string() } else { "a huge number".to_owned() }
}
