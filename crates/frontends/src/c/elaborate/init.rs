//! Initialisers, flattened: braces, designators and ranges become paths to scalar values.
//!
//! A list is read with a cursor. A sub-aggregate without its own braces takes as many items from
//! the list around it as it needs, and gives up at a designator, which belongs to the braces.

use super::super::tree::{Expr, Init, Step};
use super::super::types::{IntKind, Ty, Type};
use super::{Elaborator, R};
use lang_c::ast::{Designator, Expression, Initializer, InitializerListItem};
use lang_c::span::Node;
use tamis_ir::Span;

/// An array of unknown length must not grow beyond this by a designator.
const MOST_ELEMENTS: u64 = 1 << 24;
/// How many elements a range designator may name.
const MOST_IN_RANGE: u64 = 1 << 20;

/// A list that is being read.
struct Cursor<'n> {
    items: &'n [Node<InitializerListItem>],
    at: usize,
    /// The value of the current item, if it was looked at already.
    ready: Option<Expr>,
}

impl<'n> Cursor<'n> {
    fn item(&self) -> Option<&'n InitializerListItem> {
        self.items.get(self.at).map(|item| &item.node)
    }

    fn advance(&mut self) {
        self.at += 1;
    }
}

/// What has been found so far.
#[derive(Default)]
struct Found {
    items: Vec<(Vec<Step>, Expr)>,
    /// Whether a later item may speak of the same place as an earlier one.
    designated: bool,
}

impl Found {
    /// Forgets what was said about a place, as it is said anew.
    fn forget(&mut self, path: &[Step]) {
        if self.designated {
            self.items.retain(|(known, _)| !known.starts_with(path));
        }
    }
}

impl Elaborator<'_> {
    /// The initialiser of an object, and the object's type, which it may complete.
    pub(super) fn initialise(&mut self, ty: Ty, node: &Node<Initializer>) -> R<(Init, Ty)> {
        let span = self.span(node);
        let mut found = Found::default();
        let ty = match &node.node {
            Initializer::List(items) => self.list(ty, items, &mut Vec::new(), &mut found, span)?,
            Initializer::Expression(expression) => match self.string_for(ty, expression)? {
                Some((units, element)) => self.place_string(ty, &units, element, &[], &mut found, span),
                None if matches!(self.unit.types.get(ty), Type::Array(..)) => {
                    return Err(self.error(span, "an array is initialised with a list in braces"));
                }
                None => {
                    let value = self.expr(expression)?;
                    let value = self.assigned(value, ty, span)?;
                    found.items.push((Vec::new(), value));
                    ty
                }
            },
        };
        Ok((Init { items: found.items }, ty))
    }

    /// The same for a list that stands alone, as in a compound literal.
    pub(super) fn initialise_list(&mut self, ty: Ty, items: &[Node<InitializerListItem>], span: Span) -> R<(Init, Ty)> {
        let mut found = Found::default();
        let ty = self.list(ty, items, &mut Vec::new(), &mut found, span)?;
        Ok((Init { items: found.items }, ty))
    }

    /// A list in braces for an object of a type.
    fn list(
        &mut self,
        ty: Ty,
        items: &[Node<InitializerListItem>],
        path: &mut Vec<Step>,
        found: &mut Found,
        span: Span,
    ) -> R<Ty> {
        found.forget(path);
        let mut cursor = Cursor { items, at: 0, ready: None };
        match self.unit.types.get(ty) {
            Type::Array(..) | Type::Record(_) => {
                // `char s[] = {"text"}`
                if let [only] = items
                    && let (Initializer::Expression(expression), true) =
                        (&only.node.initializer.node, only.node.designation.is_empty())
                    && let Some((units, element)) = self.string_for(ty, expression)?
                {
                    return Ok(self.place_string(ty, &units, element, path, found, span));
                }
                if matches!(self.unit.types.get(ty), Type::Record(_)) && self.unit.types.size_of(ty).is_none() {
                    let name = self.describe(ty);
                    return Err(self.error(span, format!("the type {name} is incomplete")));
                }
                let len = self.aggregate(ty, &mut cursor, &[], path, found, true)?;
                if let Some(extra) = items.get(cursor.at) {
                    let span = self.span(extra);
                    self.warn(span, "there is no room for this element; it is left out");
                }
                Ok(self.completed(ty, len))
            }
            Type::Vla(_) => Err(self.error(span, "an array of variable length cannot be initialised")),
            Type::Void | Type::Function(_) => Err(self.error(span, "this cannot be initialised")),
            Type::Bool | Type::Int(_) | Type::Float(_) | Type::Pointer(_) => {
                if items.is_empty() {
                    return Ok(ty);
                }
                self.fill(ty, &mut cursor, path, found)?;
                Ok(ty)
            }
        }
    }

    /// An array of unknown length gets one.
    fn completed(&mut self, ty: Ty, len: u64) -> Ty {
        let Type::Array(element, None) = *self.unit.types.get(ty) else { return ty };
        self.unit.types.make(Type::Array(element, Some(len)))
    }

    /// The members or elements of an aggregate, from a position that designators may choose.
    /// Returns how many elements an array needs.
    fn aggregate<'n>(
        &mut self,
        ty: Ty,
        cursor: &mut Cursor<'n>,
        designators: &'n [Node<Designator>],
        path: &mut Vec<Step>,
        found: &mut Found,
        braced: bool,
    ) -> R<u64> {
        let (mut next, mut len) = (0_u64, 0_u64);
        let mut pending = designators;
        while let Some(item) = cursor.item() {
            if pending.is_empty() && !item.designation.is_empty() {
                if !braced {
                    break;
                }
                pending = &item.designation;
                found.designated = true;
            }
            if let [first, rest @ ..] = pending {
                pending = &[];
                next = self.designated(ty, first, rest, cursor, path, found)?;
                len = len.max(next);
                continue;
            }
            let Some((step, sub)) = self.part(ty, next) else { break };
            path.push(step);
            self.fill(sub, cursor, path, found)?;
            path.pop();
            next = if self.is_union(ty) { u64::MAX } else { next + 1 };
            len = len.max(next);
        }
        Ok(len)
    }

    fn is_union(&self, ty: Ty) -> bool {
        matches!(self.unit.types.get(ty), Type::Record(record) if self.unit.types.record(*record).union)
    }

    /// The part of an aggregate at a position.
    fn part(&self, ty: Ty, at: u64) -> Option<(Step, Ty)> {
        if let Type::Array(element, len) = self.unit.types.get(ty) {
            return (at < len.unwrap_or(MOST_ELEMENTS)).then_some((Step::Index(at), *element));
        }
        let field = self.unit.types.fields(ty).get(usize::try_from(at).ok()?)?;
        Some((Step::Field(u32::try_from(at).ok()?), field.ty))
    }

    /// An item behind designators. Returns the position after it.
    fn designated<'n>(
        &mut self,
        ty: Ty,
        first: &'n Node<Designator>,
        rest: &'n [Node<Designator>],
        cursor: &mut Cursor<'n>,
        path: &mut Vec<Step>,
        found: &mut Found,
    ) -> R<u64> {
        let span = self.span(first);
        let (low, high) = match &first.node {
            Designator::Member(name) => {
                let fields = self.require_member(ty, &name.node.name, span)?;
                // Members of anonymous records lie deeper.
                let (last, outer) = fields.split_last().expect("a member has a field");
                let mut inner = ty;
                for field in outer {
                    path.push(Step::Field(*field));
                    inner = self.unit.types.fields(inner)[*field as usize].ty;
                }
                let depth = outer.len();
                if self.is_union(inner) {
                    found.forget(path);
                }
                let sub = self.unit.types.fields(inner)[*last as usize].ty;
                path.push(Step::Field(*last));
                self.designated_part(sub, rest, cursor, path, found)?;
                path.pop();
                path.truncate(path.len() - depth);
                let at = u64::from(fields[0]);
                return Ok(if self.is_union(ty) { u64::MAX } else { at + 1 });
            }
            Designator::Index(index) => {
                let at = self.position(ty, index)?;
                (at, at)
            }
            Designator::Range(range) => {
                let (low, high) = (self.position(ty, &range.node.from)?, self.position(ty, &range.node.to)?);
                if low > high || high - low >= MOST_IN_RANGE {
                    return Err(self.error(span, "this range is empty or too long"));
                }
                (low, high)
            }
        };
        let start = cursor.at;
        for at in low..=high {
            let Some((step, sub)) = self.part(ty, at) else {
                return Err(self.error(span, format!("the array has no element {at}")));
            };
            cursor.at = start;
            cursor.ready = None;
            path.push(step);
            self.designated_part(sub, rest, cursor, path, found)?;
            path.pop();
        }
        Ok(high + 1)
    }

    fn designated_part<'n>(
        &mut self,
        ty: Ty,
        rest: &'n [Node<Designator>],
        cursor: &mut Cursor<'n>,
        path: &mut Vec<Step>,
        found: &mut Found,
    ) -> R<()> {
        if rest.is_empty() {
            found.forget(path);
            return self.fill(ty, cursor, path, found);
        }
        self.aggregate(ty, cursor, rest, path, found, false).map(|_| ())
    }

    /// The element of an array that a designator names.
    fn position(&mut self, ty: Ty, index: &Node<Expression>) -> R<u64> {
        let span = self.span(index);
        let Type::Array(_, len) = *self.unit.types.get(ty) else {
            return Err(self.error(span, "only an array has elements with numbers"));
        };
        let (value, _) = self.constant(index)?;
        match u64::try_from(value).ok().filter(|value| *value < len.unwrap_or(MOST_ELEMENTS)) {
            Some(value) => Ok(value),
            None => Err(self.error(span, format!("the array has no element {value}"))),
        }
    }

    /// One part: a list in braces, a string, a whole record, a scalar, or parts of its own.
    fn fill(&mut self, ty: Ty, cursor: &mut Cursor<'_>, path: &mut Vec<Step>, found: &mut Found) -> R<()> {
        let Some(item) = cursor.item() else { return Ok(()) };
        let node = &item.initializer;
        let span = self.span(node);
        let expression = match &node.node {
            Initializer::List(items) => {
                self.list(ty, items, path, found, span)?;
                cursor.advance();
                return Ok(());
            }
            Initializer::Expression(expression) => expression,
        };
        let aggregate = matches!(self.unit.types.get(ty), Type::Array(..) | Type::Record(_));
        if aggregate {
            if cursor.ready.is_none() {
                if let Some((units, element)) = self.string_for(ty, expression)? {
                    self.place_string(ty, &units, element, path, found, span);
                    cursor.advance();
                    return Ok(());
                }
                cursor.ready = Some(self.expr(expression)?);
            }
            let whole = cursor.ready.as_ref().is_some_and(|value| value.ty == ty);
            if !whole {
                // A string among these is for a part further in: it must be looked at again.
                if matches!(expression.node, Expression::StringLiteral(_)) {
                    cursor.ready = None;
                }
                let before = cursor.at;
                self.aggregate(ty, cursor, &[], path, found, false)?;
                if cursor.at == before {
                    return Err(self.error(span, "an empty aggregate takes no value"));
                }
                return Ok(());
            }
        }
        let value = match cursor.ready.take() {
            Some(value) => value,
            None => self.expr(expression)?,
        };
        let value = self.assigned(value, ty, span)?;
        found.items.push((path.clone(), value));
        cursor.advance();
        Ok(())
    }

    /// The characters, if an array of characters is initialised with a string.
    fn string_for(&mut self, ty: Ty, expression: &Node<Expression>) -> R<Option<(Vec<u32>, Ty)>> {
        let (Type::Array(element, _), Expression::StringLiteral(parts)) = (self.unit.types.get(ty), &expression.node)
        else {
            return Ok(None);
        };
        let element = *element;
        if !self.unit.types.is_integer(element) {
            return Ok(None);
        }
        let span = self.span(expression);
        let (units, of) = self.string(&parts.node, span)?;
        let narrow = matches!(self.unit.types.get(of), Type::Int(IntKind::Char));
        if self.unit.types.size_of(of) != self.unit.types.size_of(element) {
            let what = if narrow { "a string" } else { "a wide string" };
            return Err(self.error(span, format!("{what} cannot initialise an array of this type")));
        }
        Ok(Some((units, element)))
    }

    fn place_string(&mut self, ty: Ty, units: &[u32], element: Ty, path: &[Step], found: &mut Found, span: Span) -> Ty {
        let len = u64::try_from(units.len()).expect("a text is shorter") + 1;
        let room = if let Type::Array(_, Some(room)) = self.unit.types.get(ty) { *room } else { len };
        if u64::try_from(units.len()).expect("a text is shorter") > room {
            self.warn(span, "the string is longer than the array; the rest is left out");
        }
        found.forget(path);
        let items = self.string_items(units, element, path, room, span);
        found.items.extend(items);
        self.completed(ty, len)
    }
}
