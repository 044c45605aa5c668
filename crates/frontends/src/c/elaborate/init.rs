//! Initialisers, flattened: braces, designators and ranges become paths to scalar values.
//!
//! A list is read with a cursor. A sub-aggregate without its own braces takes as many items from
//! the list around it as it needs, and gives up at a designator, which belongs to the braces.

use super::super::tree::{Expr, ExprKind, Init, Object, Place, PlaceKind, Step, Storage};
use super::super::types::{IntKind, Ty, Type};
use super::found::{Found, Range, reads};
use super::special::listed;
use super::specifiers::defines;
use super::{Elaborator, R};
use lang_c::ast::{Designator, Expression, Initializer, InitializerListItem, SpecifierQualifier};
use lang_c::span::Node;
use tamis_ir::{Diagnostic, Span};

/// An array of unknown length must not grow beyond this by a designator.
const MOST_ELEMENTS: u64 = 1 << 24;
/// How many elements a range designator may name.
const MOST_IN_RANGE: u64 = 1 << 20;

/// What stands between braces.
type List<'n> = &'n [Node<InitializerListItem>];

/// A list that is being read.
struct Cursor<'n> {
    items: List<'n>,
    at: usize,
    /// The item whose designators were followed.
    followed: Option<usize>,
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

impl Elaborator<'_> {
    /// The initialiser of an object, and the object's type, which it may complete.
    pub(super) fn initialise(&mut self, ty: Ty, node: &Node<Initializer>) -> R<(Init, Ty)> {
        let span = self.span(node);
        let mut found = Found::new(ty);
        let ty = match &node.node {
            Initializer::List(items) => self.list(ty, items, &mut Vec::new(), &mut found, span)?,
            Initializer::Expression(expression) => self.single(ty, expression, &mut found, span)?,
        };
        Ok((found.finish(), ty))
    }

    /// An object that is initialised with one expression.
    fn single(&mut self, ty: Ty, expression: &Node<Expression>, found: &mut Found, span: Span) -> R<Ty> {
        if let Some((units, element)) = self.string_for(ty, expression)? {
            return self.place_string(ty, &units, element, &[], found, span);
        }
        if let Some((ty, items)) = self.literal_for(ty, expression)? {
            return self.list(ty, items, &mut Vec::new(), found, span);
        }
        if matches!(self.unit.types.get(ty), Type::Array(..)) {
            return Err(self.error(span, "an array is initialised with a list in braces"));
        }
        let value = self.expr(expression)?;
        let value = self.assigned(value, ty, span)?;
        found.say(&[], value);
        Ok(ty)
    }

    /// The same for a list that stands alone, as in a compound literal.
    pub(super) fn initialise_list(&mut self, ty: Ty, items: &[Node<InitializerListItem>], span: Span) -> R<(Init, Ty)> {
        let mut found = Found::new(ty);
        let ty = self.list(ty, items, &mut Vec::new(), &mut found, span)?;
        Ok((found.finish(), ty))
    }

    /// A list in braces for an object of a type.
    fn list(&mut self, ty: Ty, items: List<'_>, path: &mut Vec<Step>, found: &mut Found, span: Span) -> R<Ty> {
        self.renew(found, path, span)?;
        let mut cursor = Cursor { items, at: 0, followed: None, ready: None };
        match self.unit.types.get(ty) {
            Type::Array(..) | Type::Record(_) => {
                // `char s[] = {"text"}`
                if let [only] = items
                    && let (Initializer::Expression(expression), true) =
                        (&only.node.initializer.node, only.node.designation.is_empty())
                    && let Some((units, element)) = self.string_for(ty, expression)?
                {
                    return self.place_string(ty, &units, element, path, found, span);
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
            Type::Bool | Type::Int(_) | Type::Bits(..) | Type::Float(_) | Type::Pointer(_) => {
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
            if pending.is_empty() && !item.designation.is_empty() && cursor.followed != Some(cursor.at) {
                if !braced {
                    break;
                }
                cursor.followed = Some(cursor.at);
                pending = &item.designation;
            }
            if !pending.is_empty() {
                let designators = std::mem::take(&mut pending);
                next = self.designated(ty, designators, cursor, path, found)?;
                len = len.max(next);
                continue;
            }
            let Some((step, sub)) = self.part(ty, next) else { break };
            path.push(step);
            self.fill(sub, cursor, path, found)?;
            path.pop();
            next = if self.unit.types.is_union(ty) { u64::MAX } else { next + 1 };
            len = len.max(next);
        }
        Ok(len)
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
        designators: &'n [Node<Designator>],
        cursor: &mut Cursor<'n>,
        path: &mut Vec<Step>,
        found: &mut Found,
    ) -> R<u64> {
        let (first, rest) = designators.split_first().expect("called for designators");
        let span = self.span(first);
        let (low, high) = match &first.node {
            Designator::Member(name) => {
                let fields = self.require_member(ty, &name.node.name, span)?;
                let sub = self.unit.types.fields(ty)[fields[0] as usize].ty;
                path.push(Step::Field(fields[0]));
                if fields.len() > 1 {
                    // A member of an anonymous record lies deeper, and the next one follows it there.
                    self.aggregate(sub, cursor, designators, path, found, false)?;
                } else {
                    self.designated_part(sub, rest, cursor, path, found)?;
                }
                path.pop();
                return Ok(if self.unit.types.is_union(ty) { u64::MAX } else { u64::from(fields[0]) + 1 });
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
        let (mut first, once) = (Vec::new(), found.once.len());
        for at in low..=high {
            let Some((step, sub)) = self.part(ty, at) else {
                return Err(self.error(span, format!("the array has no element {at}")));
            };
            cursor.at = start;
            cursor.ready = None;
            let said = found.said;
            path.push(step);
            self.designated_part(sub, rest, cursor, path, found)?;
            path.pop();
            if at == low && high > low {
                first = self.keep_values(found, said, span);
            } else if high > low {
                found.repeat(said, &first);
            }
        }
        if rest.is_empty() && found.once.len() > once {
            found.ranges.push(Range { array: path.clone(), low, high });
        }
        Ok(high + 1)
    }

    /// What a range of elements gets: the values that were said since, each evaluated once.
    fn keep_values(&mut self, found: &mut Found, said: usize, span: Span) -> Vec<Expr> {
        let mut values = Vec::new();
        for path in found.since(said) {
            let Some((_, value)) = found.items.get_mut(&path) else { continue };
            let function = self.current.as_ref().map(|current| current.function).filter(|_| !self.statically);
            let kept = found.once.iter().any(|(hidden, _)| reads(value, *hidden));
            if let Some(function) = function.filter(|_| !kept && self.fold(value).is_none()) {
                let ty = value.ty;
                let hidden = self.add_object(Object::new("$once", ty, span, Storage::Local(function)));
                let place = Box::new(Place { kind: PlaceKind::Object(hidden), ty, bits: None, span });
                let kept = Expr { kind: ExprKind::Load(place), ty, span };
                found.once.push((hidden, std::mem::replace(value, kept)));
            }
            values.push(value.clone());
        }
        values
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
            // Without braces of its own, an aggregate keeps what was said about its other parts.
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
        if self.statically
            && let Some((ty, items)) = self.literal_for(ty, expression)?
        {
            self.list(ty, items, path, found, span)?;
            cursor.advance();
            return Ok(());
        }
        let aggregate = matches!(self.unit.types.get(ty), Type::Array(..) | Type::Record(_));
        if aggregate {
            if cursor.ready.is_none() {
                if let Some((units, element)) = self.string_for(ty, expression)? {
                    self.place_string(ty, &units, element, path, found, span)?;
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
        self.renew(found, path, span)?;
        found.say(path, value);
        cursor.advance();
        Ok(())
    }

    /// A place gets a value, whatever was said about it before.
    fn renew(&mut self, found: &mut Found, path: &[Step], span: Span) -> R<()> {
        if found.is_given(path) {
            let error = Diagnostic::error(span, "what this is a part of has a value already");
            return Err(
                self.report(error.hint("compilers do not agree on its other parts; initialise them one by one"))
            );
        }
        found.forget(&self.unit.types, path);
        Ok(())
    }

    /// The list of a compound literal that an object of its type is initialised with, and the type,
    /// with the length of the array if one of them has it.
    fn literal_for<'n>(&mut self, ty: Ty, expression: &'n Node<Expression>) -> R<Option<(Ty, List<'n>)>> {
        let Expression::CompoundLiteral(literal) = &expression.node else { return Ok(None) };
        let name = &literal.node.type_name;
        // A type that is defined here is no other, and must not be defined again.
        let is_definition = |node: &Node<SpecifierQualifier>| matches!(&node.node, SpecifierQualifier::TypeSpecifier(specifier) if defines(&specifier.node));
        if name.node.specifiers.iter().any(is_definition) {
            return Ok(None);
        }
        let own = self.type_name(name)?.ty;
        let same = own == ty || matches!(self.unit.types.get(ty), Type::Array(..)) && self.compatible(own, ty);
        Ok(same.then(|| (self.composite(ty, own), listed(&literal.node.initializer_list))))
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

    fn place_string(
        &mut self,
        ty: Ty,
        units: &[u32],
        element: Ty,
        path: &[Step],
        found: &mut Found,
        span: Span,
    ) -> R<Ty> {
        let len = u64::try_from(units.len()).expect("a text is shorter") + 1;
        let room = if let Type::Array(_, Some(room)) = self.unit.types.get(ty) { *room } else { len };
        if u64::try_from(units.len()).expect("a text is shorter") > room {
            self.warn(span, "the string is longer than the array; the rest is left out");
        }
        self.renew(found, path, span)?;
        for (path, unit) in self.string_items(units, element, path, room, span) {
            found.say(&path, unit);
        }
        Ok(self.completed(ty, len))
    }
}
