//! The syntax tree, which borrows names from the text.
//!
//! Operators of one precedence form one [`ExprKind::Chain`], so that the tree is no deeper
//! than the text is nested and a chain of a million operands is no deep recursion.

use num_bigint::BigInt;
use tamis_ir::Span;

/// A name and its place.
#[derive(Clone, Copy, Debug)]
pub struct Name<'s> {
    /// The name.
    pub text: &'s str,
    /// The place.
    pub span: Span,
}

/// A whole text.
#[derive(Debug, Default)]
pub struct File<'s> {
    /// Its first token, or its end if there is none.
    pub start: Span,
    /// Constants, in order.
    pub defines: Vec<Define<'s>>,
    /// Global variables and types.
    pub globals: Vec<Declaration<'s>>,
    /// Modules and prototypes.
    pub modules: Vec<Module<'s>>,
    /// The initial stack, top first; the place is that of the keyword.
    pub init: Option<(Span, Vec<Name<'s>>)>,
    /// Statements outside modules.
    pub statements: Vec<Statement<'s>>,
}

/// `define NAME value`
#[derive(Debug)]
pub struct Define<'s> {
    /// The constant.
    pub name: Name<'s>,
    /// Its value.
    pub value: Expr<'s>,
}

/// A type and the variables declared with it; none if only the type is declared.
#[derive(Debug)]
pub struct Declaration<'s> {
    /// The type.
    pub base: Base<'s>,
    /// The variables.
    pub vars: Vec<Declarator<'s>>,
}

/// The type in front of the declared names.
#[derive(Debug)]
pub struct Base<'s> {
    /// What it is.
    pub kind: BaseKind<'s>,
    /// Its place.
    pub span: Span,
}

/// What a base type is.
#[derive(Debug)]
pub enum BaseKind<'s> {
    /// `bool`
    Bool,
    /// `int` or `unsigned int`
    Int,
    /// `enum`, by its name, its constants, or both
    Enum(Option<Name<'s>>, Option<Vec<Name<'s>>>),
    /// `struct`, by its name, its fields, or both
    Struct(Option<Name<'s>>, Option<Vec<Declaration<'s>>>),
}

/// A declared name with its dimensions and its number of bits.
#[derive(Debug)]
pub struct Declarator<'s> {
    /// The name.
    pub name: Name<'s>,
    /// What follows it.
    pub suffix: Suffix<'s>,
}

/// Dimensions and bits.
#[derive(Debug, Default)]
pub struct Suffix<'s> {
    /// None, one or two dimensions.
    pub dims: Vec<Dim<'s>>,
    /// The number of bits.
    pub bits: Option<Expr<'s>>,
}

/// `[size]` or `[low,high]`
#[derive(Debug)]
pub struct Dim<'s> {
    /// The first index; zero if absent.
    pub low: Option<Expr<'s>>,
    /// The last index, or the size if there is no first index.
    pub high: Expr<'s>,
    /// The place.
    pub span: Span,
}

/// A module or a prototype.
#[derive(Debug)]
pub struct Module<'s> {
    /// Its name.
    pub name: Name<'s>,
    /// What it returns; `None` for void.
    pub result: Option<(Base<'s>, Suffix<'s>)>,
    /// Its parameters.
    pub params: Vec<(Base<'s>, Declarator<'s>)>,
    /// Its body; `None` for a prototype.
    pub body: Option<Body<'s>>,
    /// The place of the header.
    pub span: Span,
}

/// The body of a module.
#[derive(Debug)]
pub struct Body<'s> {
    /// Local variables.
    pub locals: Vec<Declaration<'s>>,
    /// The statements.
    pub statements: Vec<Statement<'s>>,
    /// The place of the closing brace.
    pub end: Span,
}

/// A statement with its label.
#[derive(Debug)]
pub struct Statement<'s> {
    /// The label.
    pub label: Option<Name<'s>>,
    /// What it does.
    pub kind: Stmt<'s>,
    /// A short place: the statement's text, or the keyword of an `if` or `do`.
    pub span: Span,
}

/// What a statement does.
#[derive(Debug)]
pub enum Stmt<'s> {
    /// `skip` or `skip(b)`
    Skip(Option<Expr<'s>>),
    /// Assignments in parallel.
    Assign(Vec<Assign<'s>>),
    /// A call.
    Call(Call<'s>),
    /// `return` or `return e`
    Return(Option<Expr<'s>>),
    /// `goto label`, with assignments
    Goto(Name<'s>, Vec<Assign<'s>>),
    /// `break`
    Break,
    /// `if … fi`
    If(Vec<Alternative<'s>>),
    /// `do … od`
    Do(Vec<Alternative<'s>>),
    /// `q<a> --> q<b c> (b)`
    Rule(Box<Rule<'s>>),
}

/// An alternative of an `if` or a `do`.
#[derive(Debug)]
pub struct Alternative<'s> {
    /// When it can be taken; `None` for `else`.
    pub guard: Option<Expr<'s>>,
    /// The place of the guard or of `else`.
    pub span: Span,
    /// What it does.
    pub body: Vec<Statement<'s>>,
}

/// A call with the assignments made along with it.
#[derive(Debug)]
pub struct Call<'s> {
    /// What takes the returned value.
    pub target: Option<Lval<'s>>,
    /// The module.
    pub callee: Name<'s>,
    /// The arguments.
    pub args: Vec<Value<'s>>,
    /// The other assignments.
    pub also: Vec<Assign<'s>>,
}

/// One of several parallel assignments.
#[derive(Debug)]
pub struct Assign<'s> {
    /// What it does.
    pub kind: AssignKind<'s>,
    /// The place.
    pub span: Span,
}

/// What an assignment does.
#[derive(Debug)]
pub enum AssignKind<'s> {
    /// `x = e`
    Set(Lval<'s>, Value<'s>),
    /// `x != e`: any other value
    Differ(Lval<'s>, Expr<'s>),
    /// `A i (low,high) …`: for all values of a name at once
    All(Quantifier<'s>, Box<Assign<'s>>),
}

/// What can be assigned or passed.
#[derive(Debug)]
pub enum Value<'s> {
    /// An expression.
    Expr(Expr<'s>),
    /// Any value.
    Undef,
}

/// `i (low,high)`
#[derive(Debug)]
pub struct Quantifier<'s> {
    /// The name.
    pub name: Name<'s>,
    /// Its first value.
    pub low: Expr<'s>,
    /// Its last value.
    pub high: Expr<'s>,
}

/// A variable or a part of it.
#[derive(Debug)]
pub struct Lval<'s> {
    /// The variable.
    pub name: Name<'s>,
    /// How many primes follow the name.
    pub primes: u8,
    /// The indices.
    pub index: Vec<Expr<'s>>,
    /// The field and its indices.
    pub field: Option<(Name<'s>, Vec<Expr<'s>>)>,
    /// The place.
    pub span: Span,
}

/// An expression.
#[derive(Debug)]
pub struct Expr<'s> {
    /// What it is.
    pub kind: ExprKind<'s>,
    /// The place.
    pub span: Span,
}

/// What an expression is.
#[derive(Debug)]
pub enum ExprKind<'s> {
    /// A number.
    Number(BigInt),
    /// `true` or `false`
    Truth(bool),
    /// A variable, a constant or a quantified name.
    Lval(Box<Lval<'s>>),
    /// `!e`
    Not(Box<Expr<'s>>),
    /// Operators of one precedence, applied from the left.
    Chain(Box<Expr<'s>>, Vec<(Operator, Expr<'s>)>),
    /// `A i (low,high) e` if true, `E i (low,high) e` if false
    Quantified(bool, Box<(Quantifier<'s>, Expr<'s>)>),
}

/// A binary operator.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Operator {
    /// From truth values to a truth value.
    Logic(Logic),
    /// From numbers (or truth values) to a truth value.
    Compare(Compare),
    /// From numbers to a number.
    Arith(Arith),
}

/// `|| ^^ && <=>`
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[allow(missing_docs, reason = "each variant is named after its token")]
pub enum Logic {
    Or,
    Xor,
    And,
    Iff,
}

/// `== != <= >= < >`
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[allow(missing_docs, reason = "each variant is named after its token")]
pub enum Compare {
    Equal,
    Differ,
    LessEqual,
    GreaterEqual,
    Less,
    Greater,
}

/// `| ^ & << >> + - * /`
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[allow(missing_docs, reason = "each variant is named after its token")]
pub enum Arith {
    Or,
    Xor,
    And,
    ShiftLeft,
    ShiftRight,
    Plus,
    Minus,
    Times,
    Divide,
}

/// `q<head> --> q<target…> "text" (relation)`
#[derive(Debug)]
pub struct Rule<'s> {
    /// The control locations on both sides.
    pub control: [Name<'s>; 2],
    /// The symbol that is replaced.
    pub head: Name<'s>,
    /// What replaces it, top first: none, one or two symbols.
    pub target: Vec<Name<'s>>,
    /// The relation between the values before and after.
    pub relation: Option<Expr<'s>>,
}

/// Visits every variable, constant or quantified name of an expression.
pub fn visit_lvals<'a, 's>(expr: &'a Expr<'s>, visit: &mut impl FnMut(&'a Lval<'s>)) {
    match &expr.kind {
        ExprKind::Number(_) | ExprKind::Truth(_) => {}
        ExprKind::Lval(lval) => {
            visit(lval);
            let field = lval.field.iter().flat_map(|(_, index)| index);
            for index in lval.index.iter().chain(field) {
                visit_lvals(index, visit);
            }
        }
        ExprKind::Not(inner) => visit_lvals(inner, visit),
        ExprKind::Chain(first, rest) => {
            visit_lvals(first, visit);
            for (_, operand) in rest {
                visit_lvals(operand, visit);
            }
        }
        ExprKind::Quantified(_, parts) => visit_lvals(&parts.1, visit),
    }
}
