//! Structs, unions and enumerations.

use super::super::types::{Body, Field, IntKind, RecordId, Ty, Type, Types};
use super::layout::{Member, layout};
use super::scope::{Qualified, Symbol, Tag};
use super::specifiers::Attributes;
use super::{Elaborator, R};
use lang_c::ast::{EnumType, StructDeclaration, StructDeclarator, StructField, StructKind, StructType};
use lang_c::span::Node;
use tamis_ir::Span;

impl Elaborator<'_> {
    pub(super) fn record(&mut self, node: &Node<StructType>, attributes: Attributes) -> R<Ty> {
        let span = self.span(node);
        let union = node.node.kind.node == StructKind::Union;
        let tag = node.node.identifier.as_ref().map_or("", |tag| tag.node.name.as_str());
        let Some(declarations) = &node.node.declarations else { return self.mention(tag, union, span) };
        let record = self.open(tag, union, span)?;
        let mut members = Vec::new();
        let mut spans = Vec::new();
        for declaration in declarations {
            match &declaration.node {
                StructDeclaration::Field(field) => {
                    self.members(field, attributes.packed, &mut members)?;
                    spans.resize(members.len(), self.span(field));
                }
                StructDeclaration::StaticAssert(assertion) => self.static_assert(assertion)?,
            }
        }
        self.check_members(&members, &spans, union)?;
        let body = match layout(&self.unit.types, members, union, attributes.align) {
            Ok(body) => body,
            Err(misplaced) => return Err(self.error(spans[misplaced.member], misplaced.why)),
        };
        self.close(record, tag, body, span)
    }

    /// `struct tag`, without members: what is known, or a new record that is only declared.
    fn mention(&mut self, tag: &str, union: bool, span: Span) -> R<Ty> {
        let record = match self.lookup_tag(tag) {
            Some(Tag::Record(record, kind)) if kind == union => record,
            Some(Tag::Record(..) | Tag::Enum(_)) => return Err(self.other_kind(tag, span)),
            None => self.declare_tag(tag, union),
        };
        Ok(self.unit.types.make(Type::Record(record)))
    }

    fn other_kind(&mut self, tag: &str, span: Span) -> super::Reported {
        self.error(span, format!("`{tag}` is the tag of another kind of type"))
    }

    /// A tag that is new in this scope. At file scope, another file may know it.
    fn declare_tag(&mut self, tag: &str, union: bool) -> RecordId {
        let key = (tag.to_owned(), union);
        let shared = self.at_file_scope() && !tag.is_empty();
        let record = match self.tags.get(&key).filter(|_| shared) {
            Some(record) => *record,
            None => self.unit.types.declare_record(tag, union),
        };
        if shared {
            self.tags.insert(key, record);
        }
        if !tag.is_empty() {
            self.innermost().tags.insert(tag.to_owned(), Tag::Record(record, union));
        }
        record
    }

    /// The record whose members follow.
    fn open(&mut self, tag: &str, union: bool, span: Span) -> R<RecordId> {
        let record = match self.scopes.last().and_then(|scope| scope.tags.get(tag)).copied() {
            Some(Tag::Record(record, kind)) if kind == union => record,
            Some(Tag::Record(..) | Tag::Enum(_)) => return Err(self.other_kind(tag, span)),
            None => self.declare_tag(tag, union),
        };
        let elsewhere = self.unit.types.record(record).body.is_some()
            && !self.bodies.contains(&(record, self.file.places.source()));
        if !elsewhere {
            return Ok(record);
        }
        // Another file has a record of that name. Whether it is the same one will be seen when the
        // members are known.
        let own = self.unit.types.declare_record(tag, union);
        self.innermost().tags.insert(tag.to_owned(), Tag::Record(own, union));
        self.doubles.insert(own, record);
        Ok(own)
    }

    /// Gives the record its members, unless it has the same ones from another file.
    fn close(&mut self, record: RecordId, tag: &str, body: Body, span: Span) -> R<Ty> {
        if self.unit.types.record(record).body.is_some() {
            return Err(self.error(span, format!("`{tag}` is defined twice")));
        }
        let here = self.file.places.source();
        if let Some(shared) = self.doubles.remove(&record)
            && self.same_record(shared, record, &body)
        {
            let union = self.unit.types.record(shared).union;
            self.innermost().tags.insert(tag.to_owned(), Tag::Record(shared, union));
            self.bodies.insert((shared, here));
            return Ok(self.unit.types.make(Type::Record(shared)));
        }
        if tag.is_empty() {
            let types = &self.unit.types;
            let union = types.record(record).union;
            let same = |id: &&RecordId| {
                let other = types.record(**id);
                other.union == union && other.body.as_ref().is_some_and(|other| same_body(other, &body))
            };
            // Within one file, equal members do not make types equal; across files they are one
            // header read twice.
            if let Some(known) = self.anonymous.iter().find(same).copied() {
                return Ok(self.unit.types.make(Type::Record(known)));
            }
        }
        self.bodies.insert((record, here));
        self.unit.types.define_record(record, body);
        Ok(self.unit.types.make(Type::Record(record)))
    }

    /// Whether members are those that a record of another file has, where the one record stands for
    /// the other.
    fn same_record(&self, shared: RecordId, own: RecordId, body: &Body) -> bool {
        let Some(known) = &self.unit.types.record(shared).body else { return false };
        let fields = known.fields.len() == body.fields.len()
            && known.fields.iter().zip(&body.fields).all(|(a, b)| {
                (&a.name, a.offset, a.bits) == (&b.name, b.offset, b.bits) && self.same_type(a.ty, b.ty, shared, own)
            });
        (known.size, known.align) == (body.size, body.align) && fields
    }

    fn same_type(&self, a: Ty, b: Ty, shared: RecordId, own: RecordId) -> bool {
        let types = &self.unit.types;
        let (a, b) = (Types::unqualified(a), Types::unqualified(b));
        let same = |a: Ty, b: Ty| self.same_type(a, b, shared, own);
        match (types.get(a), types.get(b)) {
            _ if a == b => true,
            (Type::Record(a), Type::Record(b)) => (*a, *b) == (shared, own),
            (Type::Pointer(a), Type::Pointer(b)) | (Type::Vla(a), Type::Vla(b)) => same(*a, *b),
            (Type::Array(a, n), Type::Array(b, m)) => n == m && same(*a, *b),
            (Type::Function(f), Type::Function(g)) => {
                f.variadic == g.variadic
                    && same(f.result, g.result)
                    && f.params.len() == g.params.len()
                    && f.params.iter().zip(&g.params).all(|(a, b)| same(*a, *b))
            }
            _ => false,
        }
    }

    fn members(&mut self, field: &Node<StructField>, packed: bool, members: &mut Vec<Member>) -> R<()> {
        let span = self.span(field);
        let (base, attributes) = self.specifier_qualifiers(&field.node.specifiers, span)?;
        let packed = packed || attributes.packed;
        if field.node.declarators.is_empty() {
            // An anonymous record, or a declaration that declares nothing.
            if let Type::Record(inner) = *self.unit.types.get(base.ty)
                && self.unit.types.record(inner).name.is_empty()
            {
                let align = attributes.align.max(base.align);
                members.push(Member {
                    name: String::new(),
                    ty: base.ty,
                    width: None,
                    align,
                    packed,
                    volatile: base.volatile,
                    constant: base.constant,
                });
            }
            return Ok(());
        }
        for declarator in &field.node.declarators {
            let (name, ty, more) = self.member(base, declarator)?;
            let width = match &declarator.node.bit_width {
                Some(width) => Some(self.bit_width(width, ty.ty, &name)?),
                None => None,
            };
            let align = ty.align.max(attributes.align).max(more.align);
            let packed = packed || more.packed;
            members.push(Member {
                name,
                ty: ty.ty,
                width,
                align,
                packed,
                volatile: ty.volatile,
                constant: ty.constant,
            });
        }
        Ok(())
    }

    fn member(&mut self, base: Qualified, node: &Node<StructDeclarator>) -> R<(String, Qualified, Attributes)> {
        let Some(declarator) = &node.node.declarator else { return Ok((String::new(), base, Attributes::default())) };
        let declared = self.declarator(base, declarator)?;
        let name = declared.name.map_or(String::new(), |name| name.node.name.clone());
        if !declared.lengths.is_empty() {
            let span = self.span(node);
            return Err(self.error(span, "a member cannot have variable length"));
        }
        Ok((name, declared.ty, declared.attributes))
    }

    fn bit_width(&mut self, width: &Node<lang_c::ast::Expression>, ty: Ty, name: &str) -> R<u32> {
        let span = self.span(width);
        let (value, _) = self.constant(width)?;
        let most = if matches!(self.unit.types.get(ty), Type::Bool) {
            1
        } else if let Type::Int(kind) = self.unit.types.get(ty) {
            self.unit.types.kind_bits(*kind).0
        } else {
            return Err(self.error(span, "a bit-field is an integer"));
        };
        let least = u32::from(!name.is_empty());
        match u32::try_from(value).ok().filter(|width| (least..=most).contains(width)) {
            Some(width) => Ok(width),
            None => Err(self.error(span, format!("a bit-field of this type has {least} to {most} bits"))),
        }
    }

    fn check_members(&mut self, members: &[Member], spans: &[Span], union: bool) -> R<()> {
        let mut known = rustc_hash::FxHashSet::default();
        for (at, member) in members.iter().enumerate() {
            let flexible =
                matches!(self.unit.types.get(member.ty), Type::Array(_, None)) && at + 1 == members.len() && !union;
            if self.unit.types.size_of(member.ty).is_none() && !flexible {
                let name = self.describe(member.ty);
                return Err(self.error(spans[at], format!("the type {name} of this member is incomplete")));
            }
            if !member.name.is_empty() && !known.insert(member.name.as_str()) {
                return Err(self.error(spans[at], format!("there are two members `{}`", member.name)));
            }
        }
        Ok(())
    }

    pub(super) fn enumeration(&mut self, node: &Node<EnumType>, attributes: Attributes) -> R<Ty> {
        let span = self.span(node);
        let tag = node.node.identifier.as_ref().map(|tag| tag.node.name.clone());
        if node.node.enumerators.is_empty() {
            let Some(tag) = tag else { return Err(self.error(span, "an enumeration without constants")) };
            return match self.lookup_tag(&tag) {
                Some(Tag::Enum(Some(ty))) => Ok(ty),
                Some(Tag::Record(..)) => Err(self.other_kind(&tag, span)),
                // GNU: an enumeration may be used before its constants are known.
                Some(Tag::Enum(None)) | None => {
                    let ty = self.unit.types.int(IntKind::UInt);
                    self.innermost().tags.insert(tag, Tag::Enum(None));
                    Ok(ty)
                }
            };
        }
        let int = self.unit.types.int(IntKind::Int);
        let mut constants: Vec<(&str, i128, Span)> = Vec::new();
        let (mut next, mut wide) = (0_i128, self.unit.types.int(IntKind::LongLong));
        for enumerator in &node.node.enumerators {
            let name = &enumerator.node.identifier;
            let span = self.at(name.span);
            if let Some(expression) = &enumerator.node.expression {
                (next, wide) = self.constant(expression)?;
            }
            if self.lookup_here(&name.node.name).is_some() {
                return Err(self.error(span, format!("`{}` is declared twice", name.node.name)));
            }
            // Within the list, the constants so far can be used, in the types of their expressions.
            if self.wrap(next, wide) != next {
                wide = self.holder(next, next, false);
            }
            let ty = if i32::try_from(next).is_ok() { int } else { wide };
            self.bind(&name.node.name, Symbol::Constant(next, ty), span);
            constants.push((&name.node.name, next, span));
            next = next.saturating_add(1);
        }
        let least = constants.iter().map(|(_, value, _)| *value).min().unwrap_or(0);
        let most = constants.iter().map(|(_, value, _)| *value).max().unwrap_or(0);
        let holder = self.holder(least, most, attributes.packed);
        for (name, value, span) in constants {
            let ty = if i32::try_from(value).is_ok() { int } else { holder };
            self.bind(name, Symbol::Constant(value, ty), span);
        }
        if let Some(tag) = tag {
            if let Some(Tag::Enum(Some(_)) | Tag::Record(..)) = self.innermost().tags.get(&tag) {
                return Err(self.error(span, format!("`{tag}` is defined twice")));
            }
            self.innermost().tags.insert(tag, Tag::Enum(Some(holder)));
        }
        Ok(holder)
    }

    /// The integer type that GCC chooses for the constants of an enumeration.
    fn holder(&mut self, least: i128, most: i128, packed: bool) -> Ty {
        let small = [IntKind::UChar, IntKind::SChar, IntKind::UShort, IntKind::Short];
        let usual = [IntKind::UInt, IntKind::Int, IntKind::ULong, IntKind::Long, IntKind::ULongLong];
        let kinds = small.into_iter().filter(|_| packed).chain(usual);
        for kind in kinds {
            let (bits, signed) = self.unit.types.kind_bits(kind);
            let (low, high) =
                if signed { (-(1_i128 << (bits - 1)), (1_i128 << (bits - 1)) - 1) } else { (0, (1_i128 << bits) - 1) };
            if low <= least && most <= high {
                return self.unit.types.int(kind);
            }
        }
        self.unit.types.int(IntKind::LongLong)
    }
}

/// Whether two records of different files are one.
fn same_body(left: &Body, right: &Body) -> bool {
    let same = |(a, b): (&Field, &Field)| a.name == b.name && a.ty == b.ty && a.offset == b.offset && a.bits == b.bits;
    left.size == right.size
        && left.align == right.align
        && left.fields.len() == right.fields.len()
        && left.fields.iter().zip(&right.fields).all(same)
}
