//! A C program after elaboration: names are resolved, every expression has its type, and every
//! conversion that the standard makes silently is written down.
//!
//! `elaborate` makes this tree from what the parser read; `points_to` and `lower` read it.
//! What the tree promises:
//! - Operands of arithmetic have the common type already, arguments the parameters' types
//!   (after default promotions where there is no prototype), assigned values the place's type.
//! - Arrays and functions in value position have become addresses; a [`Place`] is only loaded
//!   through [`ExprKind::Load`].
//! - Constant expressions where the language demands them are numbers; `sizeof` is folded unless
//!   its operand has variable length.
//! - Initialisers are flat lists of scalar (or whole-record) values at paths, in order.

use super::types::{BitField, Ty, Types};
use tamis_ir::Span;

macro_rules! id {
    ($($(#[$about:meta])* $name:ident),*) => {$(
        $(#[$about])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
        pub struct $name(pub u32);

        impl $name {
            #[must_use]
            pub fn index(self) -> usize {
                self.0 as usize
            }
        }
    )*};
}
id!(
    /// An object of [`Unit::objects`].
    ObjectId,
    /// A function of [`Unit::functions`].
    FunctionId,
    /// A label of a function, by its place in [`Function::labels`].
    LabelId,
    /// A block of a function, by its place in [`Function::blocks`].
    BlockId
);

/// A whole program: all translation units, linked.
#[derive(Debug)]
pub struct Unit {
    pub types: Types,
    pub objects: Vec<Object>,
    pub functions: Vec<Function>,
    /// Whether there is assembler text outside of functions, which may define what the program calls.
    pub assembler: bool,
}

/// A variable, a string literal or a compound literal.
#[derive(Debug)]
pub struct Object {
    /// As in the source; `$string` and `$literal` for those without a name.
    pub name: String,
    pub ty: Ty,
    pub span: Span,
    pub storage: Storage,
    pub volatile: bool,
    /// Declared `const` and not `volatile`, or a string literal.
    pub constant: bool,
    /// Declared `const`.
    pub qualified: bool,
    /// An alignment that attributes ask for, in bytes.
    pub align: Option<u64>,
    /// For an array of variable length: the hidden object (of type `size_t`) that keeps the
    /// number of its bytes, assigned before its declaration.
    pub vla_bytes: Option<ObjectId>,
    pub weak: Weak,
}

impl Object {
    /// An object that is neither volatile nor constant, of a size that its type tells.
    #[must_use]
    pub fn new(name: &str, ty: Ty, span: Span, storage: Storage) -> Object {
        let name = name.to_owned();
        Object {
            name,
            ty,
            span,
            storage,
            volatile: false,
            constant: false,
            qualified: false,
            align: None,
            vla_bytes: None,
            weak: Weak::No,
        }
    }
}

/// Whether a program may do without what a name stands for.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub enum Weak {
    /// Somebody has to define it.
    #[default]
    No,
    /// Only a `weakref` speaks of it. Who else does would have to know a definition.
    Reference,
    /// It is declared `weak`: its address is null if nobody defines it.
    Yes,
}

/// Where an object lives.
#[derive(Debug)]
pub enum Storage {
    /// For the whole run, zero where the initialiser says nothing.
    Static {
        init: Option<Init>,
        /// The function that declares it, if it is a `static` local.
        owner: Option<FunctionId>,
        /// Declared `extern` and defined nowhere in the program: its value is arbitrary.
        external: bool,
    },
    /// While control is in its block, see [`Function::blocks`]; an array of variable length from its
    /// declaration on.
    Local(FunctionId),
    /// A parameter.
    Param(FunctionId),
    /// Where another object of the program lives.
    Alias(ObjectId),
}

#[derive(Debug)]
pub struct Function {
    pub name: String,
    /// Of a function type.
    pub ty: Ty,
    pub params: Vec<ObjectId>,
    /// All local objects in order of declaration, hidden ones included.
    pub locals: Vec<ObjectId>,
    pub labels: Vec<Label>,
    /// What each block declares: variables and compound literals.
    pub blocks: Vec<Vec<ObjectId>>,
    /// `None` if it is only declared.
    pub body: Option<Stmt>,
    /// Its name at the definition, or at the first declaration.
    pub span: Span,
    /// Whether it was never declared before it was called.
    pub implicit: bool,
    /// Whether it is declared never to return.
    pub noreturn: bool,
    /// An alignment that attributes ask for, in bytes.
    pub align: Option<u64>,
    /// The function of which it is only another name.
    pub alias: Option<FunctionId>,
    pub weak: Weak,
}

impl Unit {
    /// How weakly the program speaks of a function that it does not define.
    #[must_use]
    pub fn missing_function(&self, function: FunctionId) -> Weak {
        let about = &self.functions[self.function(function).index()];
        if about.body.is_none() { about.weak } else { Weak::No }
    }

    /// How weakly the program speaks of an object that it does not define.
    #[must_use]
    pub fn missing_object(&self, object: ObjectId) -> Weak {
        let about = &self.objects[self.object(object).index()];
        if matches!(about.storage, Storage::Static { external: true, .. }) { about.weak } else { Weak::No }
    }

    /// Whether a place is volatile as it is named, by itself or with what is around it.
    #[must_use]
    pub fn is_volatile(&self, place: &Place) -> bool {
        match &place.kind {
            PlaceKind::Object(object) | PlaceKind::Literal(object, _) => self.objects[object.index()].volatile,
            PlaceKind::Deref(pointer) => self.types.points_to_volatile(pointer.ty),
            PlaceKind::Field(base, field) => {
                self.types.fields(base.ty).get(*field as usize).is_some_and(|field| field.volatile)
                    || self.is_volatile(base)
            }
            PlaceKind::Index(base, _) => self.is_volatile(base),
            PlaceKind::Value(_) => false,
        }
    }

    /// The same for `const`.
    #[must_use]
    pub fn is_constant(&self, place: &Place) -> bool {
        match &place.kind {
            PlaceKind::Object(object) | PlaceKind::Literal(object, _) => self.objects[object.index()].qualified,
            PlaceKind::Deref(pointer) => self.types.points_to_constant(pointer.ty),
            PlaceKind::Field(base, field) => {
                self.types.fields(base.ty).get(*field as usize).is_some_and(|field| field.constant)
                    || self.is_constant(base)
            }
            PlaceKind::Index(base, _) => self.is_constant(base),
            PlaceKind::Value(_) => false,
        }
    }

    /// The object that a name stands for.
    #[must_use]
    pub fn object(&self, object: ObjectId) -> ObjectId {
        match self.objects[object.index()].storage {
            Storage::Alias(other) => self.object(other),
            Storage::Static { .. } | Storage::Local(_) | Storage::Param(_) => object,
        }
    }

    /// The function that a name stands for.
    #[must_use]
    pub fn function(&self, mut function: FunctionId) -> FunctionId {
        // A name that stands for itself in the end stands for nothing.
        for _ in 0..self.functions.len() {
            match self.functions[function.index()].alias {
                Some(other) => function = other,
                None => break,
            }
        }
        function
    }
}

/// A label of a function.
#[derive(Debug)]
pub struct Label {
    pub name: String,
    /// Where it is defined.
    pub span: Span,
    /// The blocks around it, from the outside, and how many objects each declares before it.
    pub blocks: Vec<(BlockId, usize)>,
}

/// An initialiser: everything is zero but for these paths, of which none leads into another. They
/// are evaluated in this order.
#[derive(Clone, Debug, Default)]
pub struct Init {
    /// Hidden objects that get their values first: what a range of elements repeats is evaluated once.
    pub once: Vec<(ObjectId, Expr)>,
    pub items: Vec<(Vec<Step>, Expr)>,
}

/// One step into an aggregate.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Step {
    /// The field of that number.
    Field(u32),
    /// The element of that number.
    Index(u64),
}

impl Step {
    /// The type of the part that the step leads to.
    #[must_use]
    pub fn part(self, types: &Types, aggregate: Ty) -> Option<Ty> {
        match self {
            Step::Field(field) => types.fields(aggregate).get(field as usize).map(|field| field.ty),
            Step::Index(_) => types.element(aggregate),
        }
    }
}

#[derive(Clone, Debug)]
pub struct Stmt {
    pub kind: StmtKind,
    pub span: Span,
}

#[derive(Clone, Debug)]
pub enum StmtKind {
    Expr(Expr),
    /// A local object gets the initialiser's value, or an arbitrary one.
    Declare(ObjectId, Option<Init>),
    Block(BlockId, Vec<Stmt>),
    If(Expr, Box<Stmt>, Option<Box<Stmt>>),
    While(Expr, Box<Stmt>),
    DoWhile(Box<Stmt>, Expr),
    For {
        init: Vec<Stmt>,
        condition: Option<Expr>,
        step: Option<Expr>,
        body: Box<Stmt>,
    },
    /// The cases are inside the body, which is any statement.
    Switch(Expr, Box<Stmt>),
    /// `case low ... high:` of the innermost switch, in the type of its (promoted) expression.
    Case(i128, i128, Box<Stmt>),
    Default(Box<Stmt>),
    Label(LabelId, Box<Stmt>),
    Goto(LabelId),
    Break,
    Continue,
    Return(Option<Expr>),
    /// What cannot be modelled: the places may be changed arbitrarily, and, if `memory`, also
    /// everything that is not a local variable whose address is never taken.
    Unsupported {
        what: String,
        changes: Vec<Place>,
        /// What it reads.
        inputs: Vec<Expr>,
        memory: bool,
    },
    Empty,
}

#[derive(Clone, Debug)]
pub struct Expr {
    pub kind: ExprKind,
    pub ty: Ty,
    pub span: Span,
}

#[derive(Clone, Debug)]
pub enum ExprKind {
    /// A number of integer, `_Bool` or pointer type, within the type's range.
    Int(i128),
    Float(f64),
    /// The value of a place of scalar or record type.
    Load(Box<Place>),
    /// The address of a place; also of an array that becomes a pointer to its first element.
    Address(Box<Place>),
    /// The address of a function.
    Function(FunctionId),
    /// On integers and floats.
    Neg(Box<Expr>),
    BitNot(Box<Expr>),
    /// `!e`, an `int`; `e` is scalar.
    Not(Box<Expr>),
    /// Arithmetic on two operands of the expression's type (of shifts, only the left one has it),
    /// or on integers and floats a comparison of two operands of one type, also of pointers.
    Binary(BinaryOp, Box<Expr>, Box<Expr>),
    /// `pointer + index`, or `pointer - index`. The index has the width of a pointer.
    PointerAdd {
        pointer: Box<Expr>,
        index: Box<Expr>,
        minus: bool,
        scale: Scale,
    },
    /// `left - right`, counted in elements.
    PointerDiff {
        left: Box<Expr>,
        right: Box<Expr>,
        scale: Scale,
    },
    And(Box<Expr>, Box<Expr>),
    Or(Box<Expr>, Box<Expr>),
    /// Both branches have the expression's type (or it is void).
    Conditional(Box<Expr>, Box<Expr>, Box<Expr>),
    /// `e ?: other`: the first operand is evaluated once; both have the expression's type.
    Elvis(Box<Expr>, Box<Expr>),
    Comma(Box<Expr>, Box<Expr>),
    /// The value of the place afterwards.
    Assign(Box<Place>, Box<Expr>),
    /// `place op= value`: the place is read once, converted to `common`, combined, converted back.
    /// For pointers, the value is the index and `scale` is set.
    Compound {
        place: Box<Place>,
        op: BinaryOp,
        value: Box<Expr>,
        common: Ty,
        scale: Option<Scale>,
    },
    /// `++` and `--` on integers, floats and pointers.
    Increment {
        place: Box<Place>,
        minus: bool,
        post: bool,
        scale: Option<Scale>,
    },
    /// A conversion to the expression's type: between scalars, or to void.
    Convert(Box<Expr>),
    Call(Callee, Vec<Expr>),
    /// `({ ... })`, a block; the last expression is the value.
    Statements(BlockId, Vec<Stmt>, Option<Box<Expr>>),
    /// A value that cannot be modelled; the operands are evaluated for their effects.
    Unsupported {
        what: String,
        operands: Vec<Expr>,
    },
}

/// How many bytes an element of pointer arithmetic has.
#[derive(Clone, Debug)]
pub enum Scale {
    Bytes(u64),
    /// For elements of variable length: an expression of type `size_t`.
    Variable(Box<Expr>),
}

#[derive(Clone, Debug)]
pub enum Callee {
    Function(FunctionId),
    /// Through a pointer.
    Pointer(Box<Expr>),
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum BinaryOp {
    Mul,
    Div,
    Rem,
    Add,
    Sub,
    Shl,
    Shr,
    BitAnd,
    BitXor,
    BitOr,
    Lt,
    Le,
    Gt,
    Ge,
    Eq,
    Ne,
}

impl BinaryOp {
    /// Whether it compares, and so gives an `int`.
    #[must_use]
    pub fn is_comparison(self) -> bool {
        match self {
            BinaryOp::Lt | BinaryOp::Le | BinaryOp::Gt | BinaryOp::Ge | BinaryOp::Eq | BinaryOp::Ne => true,
            BinaryOp::Mul
            | BinaryOp::Div
            | BinaryOp::Rem
            | BinaryOp::Add
            | BinaryOp::Sub
            | BinaryOp::Shl
            | BinaryOp::Shr
            | BinaryOp::BitAnd
            | BinaryOp::BitXor
            | BinaryOp::BitOr => false,
        }
    }
}

/// Something that has a place in memory.
#[derive(Clone, Debug)]
pub struct Place {
    pub kind: PlaceKind,
    pub ty: Ty,
    /// For a bit-field: its place in the storage unit; `ty` is its declared type.
    pub bits: Option<BitField>,
    pub span: Span,
}

#[derive(Clone, Debug)]
pub enum PlaceKind {
    Object(ObjectId),
    /// A compound literal in a function, which gets its value whenever control passes it.
    Literal(ObjectId, Box<Init>),
    /// What a pointer points to.
    Deref(Box<Expr>),
    /// A field, by number, of a place of record type.
    Field(Box<Place>, u32),
    /// An element of a place of array type (of constant length or incomplete). The index is an
    /// integer of a pointer's width, signed unless its own type was unsigned and as wide.
    Index(Box<Place>, Box<Expr>),
    /// A record that is the value of an expression: `f().x`.
    Value(Box<Expr>),
}
