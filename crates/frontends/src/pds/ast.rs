//! The syntax tree, which borrows names from the text.

use tamis_ir::Span;

/// A name and its place.
#[derive(Clone, Copy, Debug)]
pub(super) struct Name<'s> {
    pub text: &'s str,
    pub span: Span,
}

/// A whole text.
#[derive(Debug)]
pub(super) struct File<'s> {
    /// Global variables.
    pub globals: Vec<Name<'s>>,
    /// Symbols, and the variables that their frames have.
    pub locals: Vec<Locals<'s>>,
    /// The control state at the start.
    pub state: Name<'s>,
    /// The stack at the start, its top first; not empty.
    pub stack: Vec<Name<'s>>,
    pub rules: Vec<Rule<'s>>,
}

/// `local (a, b) bool x, y;`
#[derive(Debug)]
pub(super) struct Locals<'s> {
    pub symbols: Vec<Name<'s>>,
    pub vars: Vec<Name<'s>>,
}

/// `p <a> --> q <b c> "label" (relation)`
#[derive(Debug)]
pub(super) struct Rule<'s> {
    pub from: [Name<'s>; 2],
    pub state: Name<'s>,
    /// What replaces the symbol, top first: at most two.
    pub word: Vec<Name<'s>>,
    /// Not there: anything.
    pub relation: Option<Formula<'s>>,
    pub span: Span,
}

/// A formula in postfix notation, so that no text makes a deep tree.
pub(super) type Formula<'s> = Vec<Item<'s>>;

/// An item of a formula.
#[derive(Clone, Copy, Debug)]
pub(super) enum Item<'s> {
    Truth(bool),
    /// A variable with its number of primes.
    Var(Name<'s>, u8),
    Not,
    Binary(Operator),
}

/// A binary operator.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Operator {
    Implies,
    Or,
    Xor,
    And,
    Equal,
    Differ,
}
