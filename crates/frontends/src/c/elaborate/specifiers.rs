//! Declaration specifiers: storage class, and the type that all declarators start from.

use super::super::rewrite::{AUTO, INT128, UINT128};
use super::super::tree::Expr;
use super::super::types::{DataModel, FloatKind, IntKind, Ty, Type};
use super::scope::{Qualified, Symbol};
use super::{Elaborator, R};
use lang_c::ast::{
    AlignmentSpecifier, Attribute, DeclarationSpecifier, Expression, Extension, Identifier, SpecifierQualifier,
    StorageClassSpecifier, TS18661FloatFormat, TypeName, TypeOf, TypeQualifier, TypeSpecifier,
};
use lang_c::span::Node;
use tamis_ir::Span;

/// What attributes say that matters.
#[derive(Clone, Copy, Debug, Default)]
#[expect(clippy::struct_excessive_bools, reason = "each is an attribute of its own")]
pub(super) struct Attributes {
    pub(super) packed: bool,
    pub(super) align: Option<u64>,
    /// The width that `mode` asks for, in bits.
    pub(super) mode: Option<u32>,
    pub(super) noreturn: bool,
    pub(super) weak: bool,
    /// With `extern inline`: the definition is only for inlining.
    pub(super) gnu_inline: bool,
}

/// What a declaration says before its declarators.
#[derive(Debug, Default)]
pub(super) struct Specifiers {
    pub(super) storage: Option<StorageClassSpecifier>,
    pub(super) base: Option<Qualified>,
    pub(super) attributes: Attributes,
    pub(super) inline: bool,
    /// `__auto_type`: the type comes from the initialiser.
    pub(super) auto: bool,
}

/// The words of a basic type, counted.
#[derive(Default)]
struct Words {
    char: u32,
    short: u32,
    int: u32,
    long: u32,
    float: u32,
    double: u32,
    signed: u32,
    unsigned: u32,
    complex: u32,
    /// Every other type.
    other: Option<Qualified>,
    auto: bool,
    any: bool,
}

/// One specifier, whichever kind of list it comes from.
enum Item<'n> {
    Type(&'n Node<TypeSpecifier>),
    Qualifier(&'n TypeQualifier),
    Extensions(&'n [Node<Extension>]),
}

impl Elaborator<'_> {
    pub(super) fn specifiers(&mut self, nodes: &[Node<DeclarationSpecifier>], span: Span) -> R<Specifiers> {
        let mut result = Specifiers::default();
        let mut items = Vec::with_capacity(nodes.len());
        for node in nodes {
            match &node.node {
                DeclarationSpecifier::StorageClass(class) => match class.node {
                    // Threads are not modelled: a thread-local object is a static one.
                    StorageClassSpecifier::ThreadLocal => {}
                    StorageClassSpecifier::Typedef
                    | StorageClassSpecifier::Extern
                    | StorageClassSpecifier::Static
                    | StorageClassSpecifier::Auto
                    | StorageClassSpecifier::Register => result.storage = Some(class.node.clone()),
                },
                DeclarationSpecifier::TypeSpecifier(specifier) => items.push(Item::Type(specifier)),
                DeclarationSpecifier::TypeQualifier(qualifier) => items.push(Item::Qualifier(&qualifier.node)),
                DeclarationSpecifier::Function(specifier) => {
                    result.inline |= specifier.node == lang_c::ast::FunctionSpecifier::Inline;
                    result.attributes.noreturn |= specifier.node == lang_c::ast::FunctionSpecifier::Noreturn;
                }
                DeclarationSpecifier::Alignment(alignment) => {
                    let align = self.alignment(&alignment.node)?;
                    result.attributes.align = result.attributes.align.max(align);
                }
                DeclarationSpecifier::Extension(extensions) => items.push(Item::Extensions(extensions)),
            }
        }
        let (base, auto) = self.base(&items, &mut result.attributes, span)?;
        result.base = base;
        result.auto = auto;
        Ok(result)
    }

    pub(super) fn specifier_qualifiers(
        &mut self,
        nodes: &[Node<SpecifierQualifier>],
        span: Span,
    ) -> R<(Qualified, Attributes)> {
        let items: Vec<Item<'_>> = nodes
            .iter()
            .map(|node| match &node.node {
                SpecifierQualifier::TypeSpecifier(specifier) => Item::Type(specifier),
                SpecifierQualifier::TypeQualifier(qualifier) => Item::Qualifier(&qualifier.node),
                SpecifierQualifier::Extension(extensions) => Item::Extensions(extensions),
            })
            .collect();
        let mut attributes = Attributes::default();
        match self.base(&items, &mut attributes, span)? {
            (Some(base), false) => Ok((base, attributes)),
            (None, _) | (_, true) => Err(self.error(span, "a type is missing here")),
        }
    }

    /// The type that a list of specifiers names.
    fn base(&mut self, items: &[Item<'_>], attributes: &mut Attributes, span: Span) -> R<(Option<Qualified>, bool)> {
        let mut words = Words::default();
        let (mut volatile, mut constant) = (false, false);
        for (at, item) in items.iter().enumerate() {
            match item {
                Item::Type(specifier) => {
                    // Attributes directly behind the members belong to the record.
                    let behind = match items.get(at + 1) {
                        Some(Item::Extensions(extensions)) => self.attributes(extensions)?,
                        Some(Item::Type(_) | Item::Qualifier(_)) | None => Attributes::default(),
                    };
                    self.word(specifier, behind, &mut words)?;
                }
                Item::Qualifier(qualifier) => {
                    volatile |= **qualifier == TypeQualifier::Volatile;
                    constant |= **qualifier == TypeQualifier::Const;
                }
                Item::Extensions(extensions) => {
                    let of_record = at > 0 && matches!(&items[at - 1], Item::Type(node) if defines(&node.node));
                    if !of_record {
                        let more = self.attributes(extensions)?;
                        attributes.packed |= more.packed;
                        attributes.align = attributes.align.max(more.align);
                        attributes.mode = more.mode.or(attributes.mode);
                        attributes.noreturn |= more.noreturn;
                        attributes.weak |= more.weak;
                        attributes.gnu_inline |= more.gnu_inline;
                    }
                }
            }
        }
        if words.auto {
            return Ok((None, true));
        }
        let base = self.combine(&words, span)?;
        let qualified = |base: Qualified| Qualified {
            volatile: base.volatile | volatile,
            constant: base.constant | constant,
            ..base
        };
        Ok((base.map(qualified), false))
    }

    fn word(&mut self, node: &Node<TypeSpecifier>, behind: Attributes, words: &mut Words) -> R<()> {
        words.any = true;
        let other = match &node.node {
            TypeSpecifier::Void => self.unit.types.void(),
            TypeSpecifier::Bool => self.unit.types.make(Type::Bool),
            TypeSpecifier::Char => {
                words.char += 1;
                return Ok(());
            }
            TypeSpecifier::Short => {
                words.short += 1;
                return Ok(());
            }
            TypeSpecifier::Int => {
                words.int += 1;
                return Ok(());
            }
            TypeSpecifier::Long => {
                words.long += 1;
                return Ok(());
            }
            TypeSpecifier::Float => {
                words.float += 1;
                return Ok(());
            }
            TypeSpecifier::Double => {
                words.double += 1;
                return Ok(());
            }
            TypeSpecifier::Signed => {
                words.signed += 1;
                return Ok(());
            }
            TypeSpecifier::Unsigned => {
                words.unsigned += 1;
                return Ok(());
            }
            TypeSpecifier::Complex => {
                words.complex += 1;
                return Ok(());
            }
            TypeSpecifier::Atomic(name) => {
                words.other = Some(self.type_name(name)?);
                return Ok(());
            }
            TypeSpecifier::Struct(record) => self.record(record, behind)?,
            TypeSpecifier::Enum(enumeration) => self.enumeration(enumeration, behind)?,
            TypeSpecifier::TypedefName(name) => return self.named(name, words),
            TypeSpecifier::TypeOf(of) => {
                words.other = Some(match &of.node {
                    // To the parser, the name of a type may be that of a variable.
                    TypeOf::Expression(expression) => match self.named_type(expression) {
                        Some(ty) => ty,
                        None => self.qualified_type_of(expression)?,
                    },
                    TypeOf::Type(name) => self.type_name(name)?,
                });
                return Ok(());
            }
            TypeSpecifier::TS18661Float(float) => {
                let kind = match (&float.format, float.width) {
                    (TS18661FloatFormat::BinaryInterchange, 32) => FloatKind::Float,
                    (TS18661FloatFormat::BinaryInterchange, 64) | (TS18661FloatFormat::BinaryExtended, 32) => {
                        FloatKind::Double
                    }
                    (TS18661FloatFormat::BinaryExtended, 64) => FloatKind::LongDouble,
                    _ => {
                        self.unmodelled = true;
                        return Err(super::Reported);
                    }
                };
                self.unit.types.make(Type::Float(kind))
            }
        };
        words.other = Some(Qualified::plain(other));
        Ok(())
    }

    fn named(&mut self, name: &Node<Identifier>, words: &mut Words) -> R<()> {
        let int128 = |kind| Some(Qualified::plain(kind));
        words.other = match name.node.name.as_str() {
            INT128 => int128(self.unit.types.int(IntKind::Int128)),
            UINT128 => int128(self.unit.types.int(IntKind::UInt128)),
            AUTO => {
                words.auto = true;
                None
            }
            "__builtin_va_list" => Some(Qualified::plain(self.va_list())),
            text => match self.lookup(text) {
                Some(Symbol::Typedef(ty)) => Some(ty),
                Some(Symbol::Broken) => {
                    let span = self.span(name);
                    return Err(self.broken(text, span));
                }
                Some(Symbol::Object(_) | Symbol::Function(_) | Symbol::Constant(..)) | None => {
                    let span = self.span(name);
                    return Err(self.error(span, format!("`{text}` is not a type")));
                }
            },
        };
        Ok(())
    }

    /// `va_list`, as the ABIs of x86 define it.
    pub(super) fn va_list(&mut self) -> Ty {
        let types = &mut self.unit.types;
        match types.model {
            DataModel::Ilp32 => {
                let char = types.int(IntKind::Char);
                types.pointer(char)
            }
            DataModel::Lp64 => {
                let long = types.int(IntKind::ULong);
                let three = types.make(Type::Array(long, Some(3)));
                types.make(Type::Array(three, Some(1)))
            }
        }
    }

    fn combine(&mut self, words: &Words, span: Span) -> R<Option<Qualified>> {
        if !words.any {
            return Ok(None);
        }
        let counted = words.char + words.short + words.int + words.long + words.float + words.double;
        let signs = words.signed + words.unsigned;
        if words.complex > 0 {
            return Err(self.error(span, "complex numbers are not supported"));
        }
        if let Some(other) = words.other {
            return if counted + signs == 0 {
                Ok(Some(other))
            } else {
                Err(self.error(span, "these type specifiers do not go together"))
            };
        }
        let unsigned = words.unsigned > 0;
        let pick = |signed, other| Type::Int(if unsigned { other } else { signed });
        let ty = match (words.char, words.short, words.int, words.long, words.float, words.double, signs) {
            (1, 0, 0, 0, 0, 0, 0) => Type::Int(IntKind::Char),
            (1, 0, 0, 0, 0, 0, 1) => pick(IntKind::SChar, IntKind::UChar),
            (0, 1, 0 | 1, 0, 0, 0, 0 | 1) => pick(IntKind::Short, IntKind::UShort),
            (0, 0, 0 | 1, 0, 0, 0, 0 | 1) => pick(IntKind::Int, IntKind::UInt),
            (0, 0, 0 | 1, 1, 0, 0, 0 | 1) => pick(IntKind::Long, IntKind::ULong),
            (0, 0, 0 | 1, 2, 0, 0, 0 | 1) => pick(IntKind::LongLong, IntKind::ULongLong),
            (0, 0, 0, 0, 1, 0, 0) => Type::Float(FloatKind::Float),
            (0, 0, 0, 0, 0, 1, 0) => Type::Float(FloatKind::Double),
            (0, 0, 0, 1, 0, 1, 0) => Type::Float(FloatKind::LongDouble),
            _ => return Err(self.error(span, "these type specifiers do not go together")),
        };
        Ok(Some(Qualified::plain(self.unit.types.make(ty))))
    }

    fn alignment(&mut self, alignment: &AlignmentSpecifier) -> R<Option<u64>> {
        match alignment {
            AlignmentSpecifier::Type(name) => {
                let span = self.span(name);
                let ty = self.type_name(name)?;
                Ok(Some(self.align_of(ty, span)?))
            }
            AlignmentSpecifier::Constant(expression) => {
                let (value, _) = self.constant(expression)?;
                Ok(u64::try_from(value).ok().filter(|value| *value > 0))
            }
        }
    }

    /// What attributes say about types. Those that only help a compiler are passed over.
    pub(super) fn attributes(&mut self, extensions: &[Node<Extension>]) -> R<Attributes> {
        let mut result = Attributes::default();
        for extension in extensions {
            let Extension::Attribute(attribute) = &extension.node else { continue };
            let span = self.span(extension);
            match attribute.name.node.trim_matches('_') {
                "packed" => result.packed = true,
                "aligned" => {
                    let align = match attribute.arguments.first() {
                        Some(argument) => self.constant(argument)?.0,
                        None => 16,
                    };
                    let align = u64::try_from(align).ok().filter(|align| align.is_power_of_two());
                    let Some(align) = align else { return Err(self.error(span, "an alignment is a power of two")) };
                    result.align = result.align.max(Some(align));
                }
                "noreturn" => result.noreturn = true,
                "weak" => result.weak = true,
                "gnu_inline" => result.gnu_inline = true,
                "constructor" | "destructor" => {
                    return Err(self.error(span, "functions that run before or after `main` are not supported"));
                }
                "mode" => result.mode = Some(self.mode(attribute, span)?),
                "cleanup" => {
                    return Err(self.error(span, "functions that run when a variable dies are not supported"));
                }
                "vector_size" | "ms_struct" | "scalar_storage_order" => {
                    return Err(self.error(span, format!("the attribute `{}` is not supported", attribute.name.node)));
                }
                _ => {}
            }
        }
        Ok(result)
    }

    fn mode(&mut self, attribute: &Attribute, span: Span) -> R<u32> {
        let name = match attribute.arguments.first().map(|argument| &argument.node) {
            Some(Expression::Identifier(name)) => name.node.name.trim_matches('_').to_owned(),
            _ => String::new(),
        };
        match name.as_str() {
            "QI" | "byte" => Ok(8),
            "HI" => Ok(16),
            "SI" => Ok(32),
            "DI" => Ok(64),
            "TI" => Ok(128),
            "word" | "pointer" => Ok(self.unit.types.model.pointer_bits()),
            _ => Err(self.error(span, format!("the mode `{name}` is not supported"))),
        }
    }

    /// The type that a mode makes of another one.
    pub(super) fn with_mode(&mut self, ty: Ty, attributes: Attributes, span: Span) -> R<Ty> {
        let Some(bits) = attributes.mode else { return Ok(ty) };
        let Some((_, signed)) = self.unit.types.scalar(ty).filter(|_| self.unit.types.is_integer(ty)) else {
            return Err(self.error(span, "a mode of a type other than an integer is not supported"));
        };
        let long = if self.unit.types.model == DataModel::Lp64 { 64 } else { 0 };
        let kind = match (bits, signed) {
            (8, true) => IntKind::SChar,
            (8, false) => IntKind::UChar,
            (16, true) => IntKind::Short,
            (16, false) => IntKind::UShort,
            (32, true) => IntKind::Int,
            (32, false) => IntKind::UInt,
            (128, true) => IntKind::Int128,
            (128, false) => IntKind::UInt128,
            (bits, true) => {
                if bits == long {
                    IntKind::Long
                } else {
                    IntKind::LongLong
                }
            }
            (bits, false) => {
                if bits == long {
                    IntKind::ULong
                } else {
                    IntKind::ULongLong
                }
            }
        };
        Ok(self.unit.types.int(kind))
    }

    /// `int *[3]`, as in casts.
    pub(super) fn type_name(&mut self, name: &Node<TypeName>) -> R<Qualified> {
        let (ty, lengths) = self.variable_type_name(name)?;
        if !lengths.is_empty() {
            let span = self.span(name);
            return Err(self.error(span, "an array of variable length is not supported here"));
        }
        Ok(ty)
    }

    /// The same where arrays may have variable length: their lengths, which are evaluated.
    pub(super) fn variable_type_name(&mut self, name: &Node<TypeName>) -> R<(Qualified, Vec<Expr>)> {
        let span = self.span(name);
        let (base, _) = self.specifier_qualifiers(&name.node.specifiers, span)?;
        let Some(declarator) = &name.node.declarator else { return Ok((base, Vec::new())) };
        let declared = self.declarator(base, declarator)?;
        Ok((declared.ty, declared.lengths))
    }
}

/// Whether a specifier defines a record or an enumeration.
pub(super) fn defines(specifier: &TypeSpecifier) -> bool {
    if let TypeSpecifier::Struct(record) = specifier {
        return record.node.declarations.is_some();
    }
    matches!(specifier, TypeSpecifier::Enum(enumeration) if !enumeration.node.enumerators.is_empty())
}
