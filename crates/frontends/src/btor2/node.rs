//! Sorts of BTOR2, and terms that have them.

use tamis_term::{Fun, Node, Sort, Term, Terms, Value};

/// A sort: words of one bit are `Bool`s, but not in arrays.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    /// A word of that many bits.
    Word(u32),
    /// An array, by the widths of index and element.
    Array(u32, u32),
}

impl Kind {
    /// The sort of variables of this kind.
    pub(super) fn sort(&self) -> Sort {
        match self {
            Kind::Word(1) => Sort::Bool,
            Kind::Word(width) => Sort::BitVec(*width),
            Kind::Array(index, element) => Sort::array(Sort::BitVec(*index), Sort::BitVec(*element)),
        }
    }
}

/// As messages name it.
impl std::fmt::Display for Kind {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Kind::Word(1) => write!(f, "one bit"),
            Kind::Word(width) => write!(f, "{width} bits"),
            Kind::Array(index, element) => write!(f, "an array of {element} bits, indexed by {index} bits"),
        }
    }
}

/// The term as a bit-vector: a `Bool` becomes one of one bit.
pub(super) fn vector(terms: &mut Terms, term: Term) -> Term {
    if *terms.sort(term) != Sort::Bool {
        return term;
    }
    if let Node::App(Fun::Eq, args) = terms.node(term)
        && *terms.sort(args[0]) == Sort::BitVec(1)
        && terms.value(args[1]) == Some(&Value::bv(1, 1))
    {
        return args[0];
    }
    let (one, zero) = (terms.bv(1, 1), terms.bv(1, 0));
    terms.ite(term, one, zero)
}

/// The term as a node has it: a bit-vector of one bit becomes a `Bool`.
pub(super) fn plain(terms: &mut Terms, term: Term) -> Term {
    if *terms.sort(term) != Sort::BitVec(1) {
        return term;
    }
    if let Node::App(Fun::Ite, args) = terms.node(term) {
        let (condition, then, otherwise) = (args[0], args[1], args[2]);
        let bit = |terms: &Terms, term: Term| terms.value(term).and_then(|value| value.as_bv().to_u64());
        match (bit(terms, then), bit(terms, otherwise)) {
            (Some(1), Some(0)) => return condition,
            (Some(0), Some(1)) => return terms.not(condition),
            _ => {}
        }
    }
    let one = terms.bv(1, 1);
    terms.eq(term, one)
}
