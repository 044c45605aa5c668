//! Expressions with rules of their own: sizes, literals with a place, statement expressions,
//! variable arguments.

use super::super::rewrite::EMPTY;
use super::super::tree::{BinaryOp, Expr, ExprKind, Init, Object, ObjectId, Place, PlaceKind, Step, StmtKind, Storage};
use super::super::types::{Ty, Type};
use super::expr::Operand;
use super::scope::{Qualified, Symbol};
use super::{Elaborator, R};
use lang_c::ast::{
    CompoundLiteral, Expression, Initializer, InitializerListItem, SpecifierQualifier, Statement, TypeName, TypeOf,
    TypeSpecifier, VaArgExpression,
};
use lang_c::span::Node;
use tamis_ir::Span;

impl Elaborator<'_> {
    pub(super) fn add_object(&mut self, object: Object) -> ObjectId {
        let id = ObjectId(u32::try_from(self.unit.objects.len()).expect("fewer than 2^32 objects"));
        if let (Storage::Local(_), Some(current)) = (&object.storage, &self.current) {
            let function = current.function.index();
            let block = self.block();
            self.unit.functions[function].locals.push(id);
            self.unit.functions[function].blocks[block.index()].push(id);
        }
        self.unit.objects.push(object);
        id
    }

    /// The object of a string literal.
    pub(super) fn string_place(&mut self, units: &[u32], element: Ty, span: Span) -> Place {
        let len = u64::try_from(units.len()).expect("a text is shorter") + 1;
        let ty = self.unit.types.make(Type::Array(element, Some(len)));
        let items = self.string_items(units, element, &[], len, span);
        let init = Some(Init { items, ..Init::default() });
        let storage = Storage::Static { init, owner: None, external: false };
        let object = self.add_object(Object { constant: true, ..Object::new("$string", ty, span, storage) });
        Place { kind: PlaceKind::Object(object), ty, bits: None, span }
    }

    /// The characters of a string as elements of an array, with the null if there is room.
    pub(super) fn string_items(
        &mut self,
        units: &[u32],
        element: Ty,
        path: &[Step],
        room: u64,
        span: Span,
    ) -> Vec<(Vec<Step>, Expr)> {
        let all = units.iter().copied().chain([0]);
        (0..room)
            .zip(all)
            .map(|(at, unit)| {
                let mut path = path.to_vec();
                path.push(Step::Index(at));
                (path, Self::number(self.wrap(i128::from(unit), element), element, span))
            })
            .collect()
    }

    pub(super) fn compound_literal(&mut self, node: &CompoundLiteral, span: Span) -> R<Place> {
        let named = self.type_name(&node.type_name)?;
        let (init, ty) = self.initialise_list(named.ty, listed(&node.initializer_list), span)?;
        let local = self.current.as_ref().map(|current| current.function);
        let Some(function) = local else {
            let init = Some(self.at_load_time(init)?);
            let storage = Storage::Static { init, owner: None, external: false };
            let object = self.add_object(Qualified { ty, ..named }.object("$literal", span, storage));
            return Ok(Place { kind: PlaceKind::Object(object), ty, bits: None, span });
        };
        let object = Qualified { ty, ..named }.object("$literal", span, Storage::Local(function));
        let object = self.add_object(object);
        Ok(Place { kind: PlaceKind::Literal(object, Box::new(init)), ty, bits: None, span })
    }

    pub(super) fn size_of_type(&mut self, name: &Node<TypeName>, span: Span) -> R<Expr> {
        let at = self.span(name);
        let (base, _) = self.specifier_qualifiers(&name.node.specifiers, at)?;
        let Some(declarator) = &name.node.declarator else { return self.size(base.ty, span) };
        let declared = self.declarator(base, declarator)?;
        let is_vla = matches!(self.unit.types.get(declared.ty.ty), Type::Vla(_));
        let mut lengths = declared.lengths.into_iter().filter(|_| is_vla);
        let Some(innermost) = lengths.next() else { return self.size(declared.ty.ty, span) };
        let bytes = self.variable_size(innermost, declared.ty.ty, span)?;
        lengths.try_fold(bytes, |bytes, length| self.arithmetic(BinaryOp::Mul, length, bytes, span))
    }

    /// The value of a hidden object.
    pub(super) fn load(&mut self, object: ObjectId, span: Span) -> R<Expr> {
        let ty = self.unit.objects[object.index()].ty;
        self.value(Operand::Place(Place { kind: PlaceKind::Object(object), ty, bits: None, span }))
    }

    /// The hidden object that keeps how many bytes lie at a pointer to an array of variable length.
    pub(super) fn row(&self, pointer: &Expr) -> Option<ObjectId> {
        self.row_of(pointer, 0)
    }

    fn row_of(&self, pointer: &Expr, depth: usize) -> Option<ObjectId> {
        if let ExprKind::PointerAdd { pointer, .. } = &pointer.kind {
            return self.row_of(pointer, depth);
        }
        let (ExprKind::Address(place) | ExprKind::Load(place)) = &pointer.kind else { return None };
        match &place.kind {
            PlaceKind::Object(object) => {
                let rows = self.rows.get(object)?;
                rows.get(rows.len().checked_sub(depth + 1)?).copied()
            }
            PlaceKind::Deref(pointer) => self.row_of(pointer, depth + 1),
            PlaceKind::Literal(..) | PlaceKind::Field(..) | PlaceKind::Index(..) | PlaceKind::Value(_) => None,
        }
    }

    /// How many bytes an array of so many elements has, which are the innermost ones of a type.
    pub(super) fn variable_size(&mut self, length: Expr, ty: Ty, span: Span) -> R<Expr> {
        let mut element = self.unit.types.pointee(ty).unwrap_or(ty);
        while let Type::Vla(inner) = self.unit.types.get(element) {
            element = *inner;
        }
        let bytes = self.size(element, span)?;
        self.arithmetic(BinaryOp::Mul, length, bytes, span)
    }

    fn size(&mut self, ty: Ty, span: Span) -> R<Expr> {
        // GNU: `sizeof` of void and of functions is one.
        let one = matches!(self.unit.types.get(ty), Type::Void | Type::Function(_));
        let size = if one { Some(1) } else { self.unit.types.size_of(ty) };
        let Some(size) = size else {
            let name = self.describe(ty);
            return Err(self.error(span, format!("the size of {name} is not known")));
        };
        let size_type = self.unit.types.size_type();
        Ok(Self::number(i128::from(size), size_type, span))
    }

    pub(super) fn size_of_value(&mut self, node: &Node<Expression>, span: Span) -> R<Expr> {
        match self.operand(node)? {
            Operand::Place(place) if place.bits.is_some() => Err(self.error(span, "a bit-field has no size in bytes")),
            Operand::Place(place) => {
                let bytes = match &place.kind {
                    PlaceKind::Object(object) => self.unit.objects[object.index()].vla_bytes,
                    PlaceKind::Deref(pointer) => self.row(pointer),
                    PlaceKind::Literal(..) | PlaceKind::Field(..) | PlaceKind::Index(..) | PlaceKind::Value(_) => None,
                };
                match bytes.filter(|_| matches!(self.unit.types.get(place.ty), Type::Vla(_))) {
                    // What has variable length is evaluated.
                    Some(bytes) => {
                        let operand = self.value(Operand::Place(place))?;
                        let bytes = self.load(bytes, span)?;
                        Ok(self.after(operand, bytes))
                    }
                    None => self.size(place.ty, span),
                }
            }
            Operand::Value(expr) => self.size(expr.ty, span),
            Operand::Function(function, _) => self.size(self.unit.functions[function.index()].ty, span),
        }
    }

    /// `_Alignof(type)`, or what `rewrite` made of `__alignof__(expression)`.
    pub(super) fn align_of_name(&mut self, name: &Node<TypeName>, span: Span) -> R<u64> {
        let (of, preferred) = only_type_of(&name.node);
        let ty = match of {
            Some(TypeOf::Expression(expression)) => match self.named_type(expression) {
                Some(ty) => ty,
                None => return self.align_of_value(expression, span),
            },
            Some(TypeOf::Type(name)) => self.type_name(name)?,
            None => self.type_name(name)?,
        };
        if preferred { self.preferred_align(ty, span) } else { self.align_of(ty, span) }
    }

    /// The type that a name stands for: to the parser, it may be that of a variable.
    pub(super) fn named_type(&self, node: &Node<Expression>) -> Option<Qualified> {
        let Expression::Identifier(name) = &node.node else { return None };
        if let Some(Symbol::Typedef(ty)) = self.lookup(&name.node.name) { Some(ty) } else { None }
    }

    /// What GCC prefers: on IA-32, eight-byte scalars lie at multiples of eight outside of records.
    fn preferred_align(&mut self, ty: Qualified, span: Span) -> R<u64> {
        let types = &self.unit.types;
        let mut scalar = ty.ty;
        while let Some(element) = types.element(scalar) {
            scalar = element;
        }
        let wide = types.is_scalar(scalar) && types.size_of(scalar) == Some(8);
        let align = self.align_of(ty, span)?;
        Ok(if wide && ty.align.is_none() { align.max(8) } else { align })
    }

    /// The alignment of an object, member or function may be more, or less, than that of its type.
    fn align_of_value(&mut self, node: &Node<Expression>, span: Span) -> R<u64> {
        let (ty, own) = match self.operand(node)? {
            Operand::Function(function, _) => {
                let about = &self.unit.functions[function.index()];
                (about.ty, about.align)
            }
            Operand::Value(expr) => (expr.ty, None),
            Operand::Place(place) if place.bits.is_some() => {
                return Err(self.error(span, "a bit-field has no alignment"));
            }
            Operand::Place(place) => match &place.kind {
                PlaceKind::Object(object) => (place.ty, self.unit.objects[object.index()].align),
                PlaceKind::Field(base, field) => {
                    return Ok(self.unit.types.fields(base.ty)[*field as usize].align);
                }
                PlaceKind::Literal(..) | PlaceKind::Deref(_) | PlaceKind::Index(..) | PlaceKind::Value(_) => {
                    (place.ty, None)
                }
            },
        };
        self.preferred_align(Qualified { align: own, ..Qualified::plain(ty) }, span)
    }

    pub(super) fn align_of(&mut self, ty: Qualified, span: Span) -> R<u64> {
        let types = &self.unit.types;
        let one = matches!(types.get(ty.ty), Type::Void | Type::Function(_));
        // On IA-32, `_Alignof` of eight-byte scalars is what holds in records (GCC since 8).
        let natural = if one { Some(1) } else { types.align_of(ty.ty) };
        if let Some(align) = natural {
            Ok(align.max(ty.align.unwrap_or(1)))
        } else {
            let name = self.describe(ty.ty);
            Err(self.error(span, format!("the alignment of {name} is not known")))
        }
    }

    pub(super) fn statement_expression(&mut self, node: &Node<Statement>, span: Span) -> R<Expr> {
        if self.current.is_none() {
            return Err(self.error(span, "a statement is only possible in a function"));
        }
        let Statement::Compound(items) = &node.node else {
            return Err(self.error(span, "a block is expected here"));
        };
        self.enter();
        let (block, mut statements) = (self.block(), self.block_items(items));
        self.leave();
        let last = statements.pop_if(
            |last| matches!(&last.kind, StmtKind::Expr(value) if !matches!(self.unit.types.get(value.ty), Type::Void)),
        );
        let value = last.and_then(|last| if let StmtKind::Expr(value) = last.kind { Some(value) } else { None });
        let ty = match &value {
            Some(value) => value.ty,
            None => self.unit.types.void(),
        };
        Ok(Expr { kind: ExprKind::Statements(block, statements, value.map(Box::new)), ty, span })
    }

    /// `va_arg`, or what `rewrite` made of `__builtin_types_compatible_p`.
    pub(super) fn va_arg(&mut self, node: &VaArgExpression, span: Span) -> R<Expr> {
        if let Expression::SizeOfTy(left) = &node.va_list.node {
            let left = self.type_name(&left.node.0)?.ty;
            let right = self.type_name(&node.type_name)?.ty;
            let ty = self.int();
            return Ok(Self::number(i128::from(self.alike(left, right)), ty, span));
        }
        let ty = self.type_name(&node.type_name)?.ty;
        if !self.unit.types.is_scalar(ty) {
            let name = self.describe(ty);
            return Err(self.error(span, format!("an argument of type {name} cannot be taken from a variable list")));
        }
        let list = self.expr(&node.va_list)?;
        Ok(Expr { kind: ExprKind::Unsupported { what: "va_arg".to_owned(), operands: vec![list] }, ty, span })
    }
}

/// The items of a compound literal; `rewrite` puts a word where there are none.
pub(super) fn listed(items: &[Node<InitializerListItem>]) -> &[Node<InitializerListItem>] {
    match items {
        [Node { node: item, .. }]
            if matches!(&item.initializer.node, Initializer::Expression(value)
            if matches!(&value.node, Expression::Identifier(name) if name.node.name == EMPTY)) =>
        {
            &[]
        }
        items => items,
    }
}

/// What `rewrite` made of an alignment: what it is of, and whether it is GCC's.
fn only_type_of(name: &TypeName) -> (Option<&TypeOf>, bool) {
    let (specifiers, preferred) = match &name.specifiers[..] {
        [Node { node: SpecifierQualifier::TypeQualifier(_), .. }, rest @ ..] => (rest, false),
        all => (all, true),
    };
    if let [Node { node: SpecifierQualifier::TypeSpecifier(specifier), .. }] = specifiers
        && let TypeSpecifier::TypeOf(of) = &specifier.node
        && name.declarator.is_none()
    {
        return (Some(&of.node), preferred);
    }
    (None, false)
}
