//! The operators of Theta's expressions and how tightly they bind.

use super::lexer::Token;
use tamis_term::Fun;

/// An operator before its operand.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Unary {
    Not,
    Minus,
    /// `+` and `bvpos`, which change nothing.
    Plus,
    BvNeg,
    BvNot,
}

/// An operator between its operands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Binary {
    Iff,
    Imply,
    Or,
    Xor,
    And,
    Equal,
    Unequal,
    Less,
    LessEqual,
    Greater,
    GreaterEqual,
    Plus,
    Minus,
    Times,
    Divide,
    Mod,
    Rem,
    Concat,
    RotateLeft,
    RotateRight,
    /// The others on bit-vectors, by their names.
    Word(&'static Word),
}

/// An operator on two bit-vectors of one width.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Word {
    pub name: &'static str,
    level: u8,
    pub fun: Fun,
    /// Whether the operands of the function are exchanged.
    pub swapped: bool,
}

const fn word(name: &'static str, level: u8, fun: Fun) -> Word {
    Word { name, level, fun, swapped: false }
}

const fn swapped(name: &'static str, fun: Fun) -> Word {
    Word { name, level: RELATION, fun, swapped: true }
}

const NOT: u8 = 6;
const RELATION: u8 = 8;
const SHIFT: u8 = 12;
const SUM: u8 = 13;
const PRODUCT: u8 = 14;
/// How tightly `bv_zero_extend` and `bv_sign_extend` bind, which stand behind their operand.
pub(super) const EXTEND: u8 = 16;
const SIGN: u8 = 17;

static WORDS: [Word; 21] = [
    word("bvult", RELATION, Fun::BvUlt),
    word("bvule", RELATION, Fun::BvUle),
    swapped("bvugt", Fun::BvUlt),
    swapped("bvuge", Fun::BvUle),
    word("bvslt", RELATION, Fun::BvSlt),
    word("bvsle", RELATION, Fun::BvSle),
    swapped("bvsgt", Fun::BvSlt),
    swapped("bvsge", Fun::BvSle),
    word("bvor", 9, Fun::BvOr),
    word("bvxor", 10, Fun::BvXor),
    word("bvand", 11, Fun::BvAnd),
    word("bvshl", SHIFT, Fun::BvShl),
    word("bvashr", SHIFT, Fun::BvAshr),
    word("bvlshr", SHIFT, Fun::BvLshr),
    word("bvadd", SUM, Fun::BvAdd),
    word("bvsub", SUM, Fun::BvSub),
    word("bvmul", PRODUCT, Fun::BvMul),
    word("bvudiv", PRODUCT, Fun::BvUdiv),
    word("bvsdiv", PRODUCT, Fun::BvSdiv),
    word("bvurem", PRODUCT, Fun::BvUrem),
    word("bvsrem", PRODUCT, Fun::BvSrem),
];
static SMOD: Word = word("bvsmod", PRODUCT, Fun::BvSmod);

impl Unary {
    pub(super) fn of(token: &Token<'_>) -> Option<Unary> {
        Some(match token {
            Token::Word("not") => Unary::Not,
            Token::Minus => Unary::Minus,
            Token::Plus | Token::Word("bvpos") => Unary::Plus,
            Token::Word("bvneg") => Unary::BvNeg,
            Token::Word("bvnot") => Unary::BvNot,
            _ => return None,
        })
    }

    pub(super) fn level(self) -> u8 {
        match self {
            Unary::Not => NOT,
            Unary::Minus | Unary::Plus | Unary::BvNeg | Unary::BvNot => SIGN,
        }
    }
}

impl Binary {
    pub(super) fn of(token: &Token<'_>) -> Option<Binary> {
        Some(match token {
            Token::Equal => Binary::Equal,
            Token::Unequal => Binary::Unequal,
            Token::Less => Binary::Less,
            Token::LessEqual => Binary::LessEqual,
            Token::Greater => Binary::Greater,
            Token::GreaterEqual => Binary::GreaterEqual,
            Token::Plus => Binary::Plus,
            Token::Minus => Binary::Minus,
            Token::Times => Binary::Times,
            Token::Slash => Binary::Divide,
            Token::Concat => Binary::Concat,
            Token::Word(word) => return Binary::of_word(word),
            _ => return None,
        })
    }

    fn of_word(word: &str) -> Option<Binary> {
        Some(match word {
            // Systems write `equal` where automata write `iff`.
            "iff" | "equal" => Binary::Iff,
            "imply" => Binary::Imply,
            "or" => Binary::Or,
            "xor" => Binary::Xor,
            "and" => Binary::And,
            "div" => Binary::Divide,
            "mod" => Binary::Mod,
            "rem" => Binary::Rem,
            "bvrol" => Binary::RotateLeft,
            "bvror" => Binary::RotateRight,
            "bvsmod" => Binary::Word(&SMOD),
            other => Binary::Word(WORDS.iter().find(|word| word.name == other)?),
        })
    }

    /// How the operator is written.
    pub(super) fn symbol(self) -> &'static str {
        match self {
            Binary::Iff => "iff",
            Binary::Imply => "imply",
            Binary::Or => "or",
            Binary::Xor => "xor",
            Binary::And => "and",
            Binary::Equal => "=",
            Binary::Unequal => "/=",
            Binary::Less => "<",
            Binary::LessEqual => "<=",
            Binary::Greater => ">",
            Binary::GreaterEqual => ">=",
            Binary::Plus => "+",
            Binary::Minus => "-",
            Binary::Times => "*",
            Binary::Divide => "/",
            Binary::Mod => "mod",
            Binary::Rem => "rem",
            Binary::Concat => "++",
            Binary::RotateLeft => "bvrol",
            Binary::RotateRight => "bvror",
            Binary::Word(word) => word.name,
        }
    }

    pub(super) fn level(self) -> u8 {
        match self {
            Binary::Iff => 1,
            Binary::Imply => 2,
            Binary::Or => 3,
            Binary::Xor => 4,
            Binary::And => 5,
            Binary::Equal | Binary::Unequal => 7,
            Binary::Less | Binary::LessEqual | Binary::Greater | Binary::GreaterEqual => RELATION,
            Binary::RotateLeft | Binary::RotateRight => SHIFT,
            Binary::Plus | Binary::Minus => SUM,
            Binary::Times | Binary::Divide | Binary::Mod | Binary::Rem => PRODUCT,
            Binary::Concat => 15,
            Binary::Word(word) => word.level,
        }
    }

    /// Whether `a self b self c` is `a self (b self c)`.
    pub(super) fn to_the_right(self) -> bool {
        matches!(self, Binary::Iff | Binary::Imply | Binary::Xor)
    }

    /// Whether `a self b self c` is no expression.
    pub(super) fn compares(self) -> bool {
        (7..=RELATION).contains(&self.level())
    }
}

/// Words that name no variable in either language.
pub(super) fn is_reserved(word: &str) -> bool {
    let others = ["true", "false", "if", "then", "else", "default", "forall", "exists"];
    matches!(Unary::of(&Token::Word(word)), Some(Unary::Not))
        || others.contains(&word)
        || ["iff", "equal", "imply", "or", "xor", "and", "div", "mod", "rem"].contains(&word)
}

/// The operators on floating-point numbers, which are not supported.
pub(super) fn is_floating_point(word: &str) -> bool {
    let names = [
        "fpabs",
        "fpfrombv",
        "fpisnan",
        "fpmax",
        "fpmin",
        "fprem",
        "fproundtoint",
        "fpsqrt",
        "fptobv",
        "fptofp",
        "fpsub",
        "fpadd",
        "fpmul",
        "fpdiv",
        "fppos",
        "fpneg",
    ];
    names.contains(&word)
}
