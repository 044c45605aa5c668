//! Syntax trees of expressions. Nodes lie in one list, operands before what they are in, so
//! that no walk over them recurses.

use super::operators::{Binary, Unary};
use tamis_ir::Span;
use tamis_term::Sort;

/// A name in the text.
#[derive(Clone, Copy, Debug)]
pub(super) struct Name<'s> {
    pub text: &'s str,
    pub span: Span,
}

/// A declared name and its type.
#[derive(Clone, Debug)]
pub(super) struct Declared<'s> {
    pub name: Name<'s>,
    pub sort: Sort,
}

/// An expression: the nodes from `first` to `root`.
#[derive(Clone, Copy, Debug)]
pub(super) struct Expr {
    pub first: usize,
    pub root: usize,
    pub span: Span,
}

/// A node and its place.
#[derive(Clone, Debug)]
pub(super) struct Node<'s> {
    pub kind: Kind<'s>,
    pub span: Span,
}

/// What a node is; operands are positions in the list of nodes.
#[derive(Clone, Debug)]
pub(super) enum Kind<'s> {
    Bool(bool),
    Int(&'s str),
    /// `1%2`
    Rational(&'s str, &'s str),
    Bits(&'s str),
    Name(&'s str),
    /// `x'`
    Prime(usize),
    Unary(Unary, usize),
    Binary(Binary, usize, usize),
    And(Vec<usize>),
    Or(Vec<usize>),
    Ite(usize, usize, usize),
    /// `a[i]`
    Read(usize, usize),
    /// `a[i <- v]`
    Write(usize, usize, usize),
    /// `a[until:from]`: the bits below `until` down to `from`.
    Slice {
        operand: usize,
        until: u32,
        from: u32,
    },
    /// `a bv_sign_extend bv[n]`
    Extend {
        operand: usize,
        width: u32,
        signed: bool,
    },
    /// `[i <- v, default <- d]`: index and value in turn, then the default.
    Array {
        index: Option<Sort>,
        parts: Vec<usize>,
    },
}
