//! Function definitions, with prototypes or in the old style.

use super::super::tree::{FunctionId, Label, LabelId, ObjectId, Stmt, StmtKind, Storage};
use super::super::types::{Signature, Ty, Type};
use super::declarator::{Param, Params};
use super::scope::{Qualified, Symbol};
use super::weak::Next;
use super::{Elaborator, R};
use lang_c::ast::{Declaration, Expression, FunctionDefinition, Identifier, Statement, StorageClassSpecifier};
use lang_c::span::Node;
use rustc_hash::{FxHashMap, FxHashSet};
use std::collections::BTreeMap;
use tamis_ir::Span;

/// The function whose body is elaborated.
pub(super) struct Current {
    pub(super) function: FunctionId,
    pub(super) result: Ty,
    pub(super) labels: FxHashMap<String, LabelId>,
    pub(super) defined_labels: FxHashSet<LabelId>,
    /// How many loops are around.
    pub(super) loops: u32,
    /// How many loops and switches are around.
    pub(super) breakable: u32,
    pub(super) switches: Vec<Switch>,
}

/// A switch around the current statement.
pub(super) struct Switch {
    pub(super) ty: Ty,
    /// From the first to the last value of each case.
    pub(super) cases: BTreeMap<i128, i128>,
    pub(super) default: bool,
}

impl Elaborator<'_> {
    /// The name of the current function, for `__func__`.
    pub(super) fn current_name(&self) -> String {
        self.current
            .as_ref()
            .map_or(String::new(), |current| self.unit.functions[current.function.index()].name.clone())
    }

    pub(super) fn function_definition(&mut self, node: &Node<FunctionDefinition>) -> R<()> {
        let whole = self.span(node);
        let definition = &node.node;
        let specifiers = self.specifiers(&definition.specifiers, whole)?;
        let base = match specifiers.base {
            Some(base) => base,
            None => Qualified::plain(self.int()),
        };
        let declared = self.declarator(base, &definition.declarator)?;
        let Some(name) = declared.name else { return Err(self.error(whole, "this function has no name")) };
        let span = self.at(name.span);
        let Type::Function(signature) = self.unit.types.get(declared.ty.ty).clone() else {
            return Err(self.error(span, format!("`{}` is not a function", name.node.name)));
        };
        let mut ty = declared.ty.ty;
        let params = match declared.params {
            Params::Names(names) if !names.is_empty() => {
                let params = self.old_style(names, &definition.declarations)?;
                let types = params.iter().map(|param| param.ty.ty).collect();
                ty = self.unit.types.make(Type::Function(Signature {
                    params: types,
                    variadic: false,
                    ..signature.clone()
                }));
                params
            }
            Params::Typed(params) => params,
            Params::Names(_) | Params::None => Vec::new(),
        };
        if specifiers.attributes.weak || declared.attributes.weak {
            self.weak.insert(name.node.name.clone());
        }
        let is_static = specifiers.storage == Some(StorageClassSpecifier::Static);
        let function = self.declare_function(&name.node.name, ty, is_static, span)?;
        let only_inline = specifiers.inline
            && specifiers.storage == Some(StorageClassSpecifier::Extern)
            && (specifiers.attributes.gnu_inline || declared.attributes.gnu_inline);
        if self.next_body(function, &name.node.name, only_inline) == Next::Loses {
            return Ok(());
        }
        if self.unit.functions[function.index()].body.is_some() {
            let first = self.unit.functions[function.index()].span;
            // GNU: an inline definition may be repeated in every file.
            if specifiers.inline {
                return Ok(());
            }
            return Err(self.defined_twice(&name.node.name, first, span));
        }
        self.unit.functions[function.index()].span = span;
        self.unit.functions[function.index()].ty = ty;
        self.function_body(function, signature.result, params, &definition.statement)
    }

    fn function_body(
        &mut self,
        function: FunctionId,
        result: Ty,
        params: Vec<Param<'_>>,
        body: &Node<Statement>,
    ) -> R<()> {
        let complete = matches!(self.unit.types.get(result), Type::Void) || self.unit.types.size_of(result).is_some();
        let at = self.unit.functions[function.index()].span;
        if !complete {
            let name = self.describe(result);
            return Err(self.error(at, format!("the result type {name} is incomplete")));
        }
        self.current = Some(Current {
            function,
            result,
            labels: FxHashMap::default(),
            defined_labels: FxHashSet::default(),
            loops: 0,
            breakable: 0,
            switches: Vec::new(),
        });
        self.enter();
        let mut statements = Vec::new();
        for param in params {
            if let Some(bound) = param.bound {
                statements.extend(self.bound(bound)?);
            }
            let object = self.param_object(function, &param)?;
            self.unit.functions[function.index()].params.push(object);
        }
        let span = self.span(body);
        let Statement::Compound(items) = &body.node else {
            return Err(self.error(span, "a function's body is a block"));
        };
        statements.extend(self.block_items(items));
        self.check_labels();
        let kind = StmtKind::Block(self.block(), statements);
        self.current = None;
        self.leave();
        self.unit.functions[function.index()].body = Some(Stmt { kind, span });
        Ok(())
    }

    /// The length of an array parameter is evaluated at the start, for its effects. It can mention the
    /// parameters before.
    fn bound(&mut self, node: &Node<Expression>) -> R<Option<Stmt>> {
        let length = self.expr(node)?;
        if !self.unit.types.is_integer(length.ty) {
            return Err(self.error(length.span, "the length of an array is an integer"));
        }
        let span = length.span;
        Ok(self.fold(&length).is_none().then_some(Stmt { kind: StmtKind::Expr(length), span }))
    }

    fn param_object(&mut self, function: FunctionId, param: &Param<'_>) -> R<ObjectId> {
        let name = param.name.map_or("", |name| name.node.name.as_str());
        if self.unit.types.size_of(param.ty.ty).is_none() {
            let what = self.describe(param.ty.ty);
            return Err(self.error(param.span, format!("the type {what} of this parameter is incomplete")));
        }
        let object = param.ty.object(name, param.span, Storage::Param(function));
        let object = self.add_object(object);
        if !name.is_empty() {
            if self.lookup_here(name).is_some() {
                return Err(self.error(param.span, format!("there are two parameters `{name}`")));
            }
            self.bind(name, Symbol::Object(object), param.span);
        }
        Ok(object)
    }

    /// Every label that a `goto` names must be somewhere.
    fn check_labels(&mut self) {
        let Some(current) = &self.current else { return };
        let labels = &self.unit.functions[current.function.index()].labels;
        let missing: Vec<(String, Span)> = (0_u32..)
            .zip(labels)
            .filter(|(at, _)| !current.defined_labels.contains(&LabelId(*at)))
            .map(|(_, Label { name, span, .. })| (name.clone(), *span))
            .collect();
        for (name, span) in missing {
            self.error(span, format!("there is no label `{name}` in this function"));
        }
    }

    /// Parameters whose types follow the parentheses; without one, a parameter is an int.
    fn old_style<'n>(
        &mut self,
        names: &'n [Node<Identifier>],
        declarations: &'n [Node<Declaration>],
    ) -> R<Vec<Param<'n>>> {
        let mut types: FxHashMap<&str, Qualified> = FxHashMap::default();
        for node in declarations {
            let span = self.span(node);
            let specifiers = self.specifiers(&node.node.specifiers, span)?;
            let base = match specifiers.base {
                Some(base) => base,
                None => Qualified::plain(self.int()),
            };
            for declarator in &node.node.declarators {
                let declared = self.declarator(base, &declarator.node.declarator)?;
                let Some(name) = declared.name else { continue };
                if !names.iter().any(|known| known.node.name == name.node.name) {
                    let span = self.at(name.span);
                    return Err(self.error(span, format!("`{}` is not a parameter", name.node.name)));
                }
                let ty = self.decayed(declared.ty.ty);
                types.insert(&name.node.name, Qualified { ty, ..declared.ty });
            }
        }
        let int = Qualified::plain(self.int());
        Ok(names
            .iter()
            .map(|name| Param {
                name: Some(name),
                ty: types.get(name.node.name.as_str()).copied().unwrap_or(int),
                bound: None,
                span: self.at(name.span),
            })
            .collect())
    }
}
