//! C types, their sizes under a data model, and the layout of records.
//!
//! Types are hash-consed: two handles are equal exactly when the types are the same. An
//! enumeration is the integer type that holds it, a typedef is what it stands for. Objects,
//! members and what pointers point to carry `volatile` and `const`.

use rustc_hash::FxHashMap;

/// How wide the basic types are.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum DataModel {
    /// `int`, `long` and pointers have 32 bits.
    Ilp32,
    /// `int` has 32 bits, `long` and pointers have 64.
    #[default]
    Lp64,
}

impl DataModel {
    /// The width of a pointer in bits.
    #[must_use]
    pub fn pointer_bits(self) -> u32 {
        match self {
            DataModel::Ilp32 => 32,
            DataModel::Lp64 => 64,
        }
    }
}

/// An integer type other than `_Bool`, in the order of conversion ranks.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum IntKind {
    /// Plain `char`, which is signed.
    Char,
    SChar,
    UChar,
    Short,
    UShort,
    Int,
    UInt,
    Long,
    ULong,
    LongLong,
    ULongLong,
    Int128,
    UInt128,
}

impl IntKind {
    /// How it is written.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            IntKind::Char => "char",
            IntKind::SChar => "signed char",
            IntKind::UChar => "unsigned char",
            IntKind::Short => "short",
            IntKind::UShort => "unsigned short",
            IntKind::Int => "int",
            IntKind::UInt => "unsigned int",
            IntKind::Long => "long",
            IntKind::ULong => "unsigned long",
            IntKind::LongLong => "long long",
            IntKind::ULongLong => "unsigned long long",
            IntKind::Int128 => "__int128",
            IntKind::UInt128 => "unsigned __int128",
        }
    }
}

/// A floating-point type.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum FloatKind {
    Float,
    Double,
    LongDouble,
}

/// A handle to a type.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Ty(u32);

/// What marks a handle behind a pointer to something volatile. No other handle has it.
const VOLATILE: u32 = 1 << 31;

/// The same for something constant.
const CONSTANT: u32 = 1 << 30;

/// A struct or union.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct RecordId(u32);

/// What a type is.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Type {
    Void,
    Bool,
    Int(IntKind),
    /// What a bit-field wider than `int` is promoted to: so many bits, signed or not. GCC computes
    /// in this type, which ranks between `int` and `long`. Only values have it.
    Bits(u32, bool),
    Float(FloatKind),
    Pointer(Ty),
    /// An array; one without a length is incomplete.
    Array(Ty, Option<u64>),
    /// An array whose length is known at run time only. The object that has this type tells
    /// where its length is kept.
    Vla(Ty),
    Function(Signature),
    Record(RecordId),
}

/// The type of a function.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Signature {
    pub result: Ty,
    pub params: Vec<Ty>,
    /// Whether any further arguments may follow: `...`, or a declaration without a prototype.
    pub variadic: bool,
}

/// A struct or union.
#[derive(Clone, Debug)]
pub struct Record {
    /// The tag, or empty.
    pub name: String,
    pub union: bool,
    /// `None` while only declared.
    pub body: Option<Body>,
}

/// The members of a record, laid out.
#[derive(Clone, Debug)]
pub struct Body {
    pub fields: Vec<Field>,
    /// In bytes.
    pub size: u64,
    /// In bytes.
    pub align: u64,
}

/// A member of a record. Members of anonymous records are found through a field without a name.
#[derive(Clone, Debug)]
pub struct Field {
    /// Empty for an anonymous record.
    pub name: String,
    pub ty: Ty,
    /// Where it starts, in bytes. For a bit-field: where its storage unit starts.
    pub offset: u64,
    pub bits: Option<BitField>,
    /// In bytes.
    pub align: u64,
    pub volatile: bool,
    pub constant: bool,
}

/// The place of a bit-field in its storage unit: as many bytes as its type has, or only those that
/// it lies in, where there may be no more.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct BitField {
    /// The lowest bit, counted from the least significant one of the unit.
    pub shift: u32,
    /// How many bits.
    pub width: u32,
    /// How many bytes the unit has.
    pub bytes: u64,
}

/// All types of a program.
#[derive(Debug)]
pub struct Types {
    pub model: DataModel,
    all: Vec<Type>,
    known: FxHashMap<Type, Ty>,
    records: Vec<Record>,
}

impl Types {
    /// No types yet.
    #[must_use]
    pub fn new(model: DataModel) -> Types {
        Types { model, all: Vec::new(), known: FxHashMap::default(), records: Vec::new() }
    }

    /// The handle of a type.
    pub fn make(&mut self, ty: Type) -> Ty {
        if let Some(known) = self.known.get(&ty) {
            return *known;
        }
        let handle = Ty(u32::try_from(self.all.len()).expect("fewer than 2^30 types"));
        assert!(handle.0 < CONSTANT, "fewer than 2^30 types");
        self.all.push(ty.clone());
        self.known.insert(ty, handle);
        handle
    }

    /// What a type is.
    #[must_use]
    pub fn get(&self, ty: Ty) -> &Type {
        &self.all[(ty.0 & !(VOLATILE | CONSTANT)) as usize]
    }

    /// The type without qualifiers.
    #[must_use]
    pub fn unqualified(ty: Ty) -> Ty {
        Ty(ty.0 & !(VOLATILE | CONSTANT))
    }

    /// Whether what two pointers point to has the same qualifiers.
    #[must_use]
    pub fn same_qualifiers(a: Ty, b: Ty) -> bool {
        (a.0 ^ b.0) & (VOLATILE | CONSTANT) == 0
    }

    pub fn void(&mut self) -> Ty {
        self.make(Type::Void)
    }

    pub fn int(&mut self, kind: IntKind) -> Ty {
        self.make(Type::Int(kind))
    }

    pub fn pointer(&mut self, to: Ty) -> Ty {
        self.make(Type::Pointer(to))
    }

    /// A pointer to something that may be volatile or constant.
    pub fn pointer_to(&mut self, to: Ty, volatile: bool, constant: bool) -> Ty {
        let mark = |set: bool, mark: u32| if set { mark } else { 0 };
        self.pointer(Ty(to.0 | mark(volatile, VOLATILE) | mark(constant, CONSTANT)))
    }

    /// Whether what a pointer points to is constant.
    #[must_use]
    pub fn points_to_constant(&self, ty: Ty) -> bool {
        matches!(self.get(ty), Type::Pointer(to) if to.0 & CONSTANT != 0)
    }

    /// Whether what a pointer points to is volatile.
    #[must_use]
    pub fn points_to_volatile(&self, ty: Ty) -> bool {
        matches!(self.get(ty), Type::Pointer(to) if to.0 & VOLATILE != 0)
    }

    /// Whether a member of a record, or of an array of records, is volatile.
    #[must_use]
    pub fn has_volatile_part(&self, ty: Ty) -> bool {
        match self.element(ty) {
            Some(element) => self.has_volatile_part(element),
            None => self.fields(ty).iter().any(|field| field.volatile || self.has_volatile_part(field.ty)),
        }
    }

    /// `size_t`.
    pub fn size_type(&mut self) -> Ty {
        match self.model {
            DataModel::Ilp32 => self.int(IntKind::UInt),
            DataModel::Lp64 => self.int(IntKind::ULong),
        }
    }

    /// `ptrdiff_t`.
    pub fn difference_type(&mut self) -> Ty {
        match self.model {
            DataModel::Ilp32 => self.int(IntKind::Int),
            DataModel::Lp64 => self.int(IntKind::Long),
        }
    }

    /// A new record, only declared.
    pub fn declare_record(&mut self, name: &str, union: bool) -> RecordId {
        self.records.push(Record { name: name.to_owned(), union, body: None });
        RecordId(u32::try_from(self.records.len() - 1).expect("fewer than 2^32 records"))
    }

    /// Gives a record its members.
    pub fn define_record(&mut self, record: RecordId, body: Body) {
        self.records[record.0 as usize].body = Some(body);
    }

    #[must_use]
    pub fn record(&self, record: RecordId) -> &Record {
        &self.records[record.0 as usize]
    }

    /// All records, in the order of their declaration.
    pub fn record_ids(&self) -> impl Iterator<Item = RecordId> + use<> {
        (0..u32::try_from(self.records.len()).expect("fewer than 2^32 records")).map(RecordId)
    }

    /// The members of a record type; none for an incomplete record and for other types.
    #[must_use]
    pub fn fields(&self, ty: Ty) -> &[Field] {
        match self.get(ty) {
            Type::Record(record) => self.record(*record).body.as_ref().map_or(&[], |body| &body.fields),
            Type::Void
            | Type::Bool
            | Type::Int(_)
            | Type::Bits(..)
            | Type::Float(_)
            | Type::Pointer(_)
            | Type::Array(..)
            | Type::Vla(_)
            | Type::Function(_) => &[],
        }
    }

    /// The width and the signedness of an integer type other than `_Bool`.
    #[must_use]
    pub fn kind_bits(&self, kind: IntKind) -> (u32, bool) {
        let long = self.model.pointer_bits();
        match kind {
            IntKind::Char | IntKind::SChar => (8, true),
            IntKind::UChar => (8, false),
            IntKind::Short => (16, true),
            IntKind::UShort => (16, false),
            IntKind::Int => (32, true),
            IntKind::UInt => (32, false),
            IntKind::Long => (long, true),
            IntKind::ULong => (long, false),
            IntKind::LongLong => (64, true),
            IntKind::ULongLong => (64, false),
            IntKind::Int128 => (128, true),
            IntKind::UInt128 => (128, false),
        }
    }

    /// The bytes of a type that belong to no member, as offsets and lengths: in order, the first ones
    /// of at most so many. What unions have beside a member is not among them.
    #[must_use]
    pub fn padding(&self, ty: Ty, most: usize) -> Vec<(u64, u64)> {
        match self.get(ty) {
            Type::Array(element, Some(length)) => {
                let (inner, stride) = (self.padding(*element, most), self.size_of(*element).unwrap_or(0));
                let all = (0..*length).flat_map(|at| inner.iter().map(move |(from, len)| (at * stride + from, *len)));
                if inner.is_empty() { Vec::new() } else { all.take(most).collect() }
            }
            Type::Record(_) if !self.is_union(ty) => {
                let (mut found, mut end) = (Vec::new(), 0);
                for field in self.fields(ty) {
                    let (from, to) = match field.bits {
                        Some(bits) => {
                            let (first, last) = (u64::from(bits.shift), u64::from(bits.shift + bits.width));
                            (field.offset + first / 8, field.offset + last.div_ceil(8))
                        }
                        None => (field.offset, field.offset + self.size_of(field.ty).unwrap_or(0)),
                    };
                    if from > end {
                        found.push((end, from - end));
                    }
                    if field.bits.is_none() {
                        found.extend(self.padding(field.ty, most).into_iter().map(|(at, len)| (from + at, len)));
                    }
                    end = end.max(to);
                }
                let size = self.size_of(ty).unwrap_or(end);
                if size > end {
                    found.push((end, size - end));
                }
                found.truncate(most);
                found
            }
            Type::Void
            | Type::Bool
            | Type::Int(_)
            | Type::Bits(..)
            | Type::Float(_)
            | Type::Pointer(_)
            | Type::Array(..)
            | Type::Vla(_)
            | Type::Function(_)
            | Type::Record(_) => Vec::new(),
        }
    }

    /// How many bits a value of a scalar type has in memory, and whether it is a signed integer.
    /// `None` for types that are not scalar.
    #[must_use]
    pub fn scalar(&self, ty: Ty) -> Option<(u32, bool)> {
        match self.get(ty) {
            Type::Bool => Some((8, false)),
            Type::Int(kind) => Some(self.kind_bits(*kind)),
            Type::Bits(bits, signed) => Some((*bits, *signed)),
            Type::Float(FloatKind::Float) => Some((32, false)),
            Type::Float(FloatKind::Double) => Some((64, false)),
            Type::Float(FloatKind::LongDouble) => Some((if self.model == DataModel::Ilp32 { 96 } else { 128 }, false)),
            Type::Pointer(_) => Some((self.model.pointer_bits(), false)),
            Type::Void | Type::Array(..) | Type::Vla(_) | Type::Function(_) | Type::Record(_) => None,
        }
    }

    /// The size in bytes; `None` for incomplete types, functions and arrays of variable length.
    /// GNU: `void` and functions have size 1 in pointer arithmetic; that is the caller's business.
    #[must_use]
    pub fn size_of(&self, ty: Ty) -> Option<u64> {
        match self.get(ty) {
            Type::Array(element, len) => self.size_of(*element)?.checked_mul((*len)?),
            Type::Record(record) => Some(self.record(*record).body.as_ref()?.size),
            Type::Void | Type::Vla(_) | Type::Function(_) => None,
            Type::Bits(bits, _) => Some(u64::from(bits.next_power_of_two() / 8)),
            Type::Bool | Type::Int(_) | Type::Float(_) | Type::Pointer(_) => {
                self.scalar(ty).map(|(bits, _)| u64::from(bits / 8))
            }
        }
    }

    /// The alignment in bytes, as GCC on x86 lays out records.
    #[must_use]
    pub fn align_of(&self, ty: Ty) -> Option<u64> {
        match self.get(ty) {
            Type::Array(element, _) | Type::Vla(element) => self.align_of(*element),
            Type::Record(record) => Some(self.record(*record).body.as_ref()?.align),
            Type::Void | Type::Function(_) => None,
            Type::Bool | Type::Int(_) | Type::Bits(..) | Type::Float(_) | Type::Pointer(_) => {
                let size = self.size_of(ty)?;
                // On IA-32, eight-byte scalars and `long double` are aligned to four bytes in records.
                Some(if self.model == DataModel::Ilp32 && size > 4 && size != 16 { 4 } else { size })
            }
        }
    }

    #[must_use]
    pub fn is_integer(&self, ty: Ty) -> bool {
        matches!(self.get(ty), Type::Bool | Type::Int(_) | Type::Bits(..))
    }

    #[must_use]
    pub fn is_float(&self, ty: Ty) -> bool {
        matches!(self.get(ty), Type::Float(_))
    }

    #[must_use]
    pub fn is_pointer(&self, ty: Ty) -> bool {
        matches!(self.get(ty), Type::Pointer(_))
    }

    #[must_use]
    pub fn is_union(&self, ty: Ty) -> bool {
        matches!(self.get(ty), Type::Record(record) if self.record(*record).union)
    }

    #[must_use]
    pub fn is_scalar(&self, ty: Ty) -> bool {
        self.scalar(ty).is_some()
    }

    /// What a pointer points to.
    #[must_use]
    pub fn pointee(&self, ty: Ty) -> Option<Ty> {
        if let Type::Pointer(to) = self.get(ty) { Some(Types::unqualified(*to)) } else { None }
    }

    /// The elements of an array.
    #[must_use]
    pub fn element(&self, ty: Ty) -> Option<Ty> {
        if let Type::Array(element, _) | Type::Vla(element) = self.get(ty) { Some(*element) } else { None }
    }
}
