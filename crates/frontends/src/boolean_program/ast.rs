//! What the parser makes of a text: names are unresolved, nothing is nested.
//!
//! Expressions are nodes in one list, operands before operators, and a function's body is
//! one list of statements in which `if`, `fi`, `while` and `od` are statements of their own.
//! So no later step recurses, and no input can be nested too deeply for it.

use tamis_ir::Span;

/// A name and its place.
#[derive(Clone, Copy, Debug)]
pub(super) struct Name<'s> {
    pub text: &'s str,
    pub span: Span,
}

/// A whole text.
#[derive(Debug, Default)]
pub(super) struct Program<'s> {
    pub globals: Vec<Name<'s>>,
    pub functions: Vec<Function<'s>>,
    /// The nodes of all expressions.
    pub nodes: Vec<Node<'s>>,
}

/// A function.
#[derive(Debug)]
pub(super) struct Function<'s> {
    pub name: Name<'s>,
    /// How many values it returns.
    pub results: u32,
    pub params: Vec<Name<'s>>,
    pub locals: Vec<Name<'s>>,
    pub enforce: Vec<Expr>,
    pub body: Vec<Stmt<'s>>,
    /// From the type to the closing parenthesis.
    pub header: Span,
    /// The `end`.
    pub end: Span,
}

/// A statement, with the labels in front of it.
#[derive(Debug)]
pub(super) struct Stmt<'s> {
    pub labels: Vec<Name<'s>>,
    pub kind: Kind<'s>,
    /// Without the labels; of `if` and `while`, the condition only.
    pub span: Span,
}

/// What a statement does.
#[derive(Debug)]
pub(super) enum Kind<'s> {
    Skip,
    /// `print`: nothing happens, but the names must exist.
    Print(Vec<Expr>),
    /// `targets := values constrain relation`
    Assign {
        targets: Vec<Name<'s>>,
        values: Vec<Expr>,
        relation: Option<Expr>,
    },
    /// `targets := callee(args)`; without targets all results are discarded.
    Call {
        targets: Option<Vec<Name<'s>>>,
        callee: Name<'s>,
        args: Vec<Expr>,
    },
    Return(Vec<Expr>),
    Goto(Vec<Name<'s>>),
    Assert(Expr),
    Assume(Expr),
    AbortIf(Expr),
    /// The statement form.
    Constrain(Expr),
    Dead(Vec<Name<'s>>),
    If(Expr),
    Elsif(Expr),
    Else,
    Fi,
    While(Expr),
    Od,
}

/// An expression: a root, and the first of the nodes that belong to it. They are all the
/// nodes from there to the root.
#[derive(Clone, Copy, Debug)]
pub(super) struct Expr {
    pub first: usize,
    pub root: usize,
    pub span: Span,
}

/// A node of an expression. Operands are places in [`Program::nodes`].
#[derive(Debug)]
pub(super) enum Node<'s> {
    Const(bool),
    /// `*` or `?`
    Any,
    Var(Name<'s>),
    /// `'x`
    Primed(Name<'s>),
    Not(usize),
    And(Vec<usize>),
    Or(Vec<usize>),
    Xor(usize, usize),
    Equal(usize, usize),
    Implies(usize, usize),
    /// `schoose[positive, negative]`
    Choose(usize, usize),
}
