//! Terms to words: every distinct subterm once, remembered for as long as the encoder lives.

use crate::Error;
use crate::arrays;
use crate::division::{divide, sdiv, smod, srem};
use crate::gates::{Edge, Gates};
use crate::words::{self, Shift, Word};
use rustc_hash::FxHashMap;
use std::ops::Range;
use tamis_term::pack::BitWriter;
use tamis_term::{Fun, Node, Sort, Term, Terms, Value, Var};

/// What remembering a word costs beyond its bits.
const ENTRY_BYTES: usize = 64;

/// The gates, and which word stands for which term.
#[derive(Debug)]
pub struct Encoder {
    gates: Gates,
    /// All words, one after another.
    pool: Vec<Edge>,
    words: FxHashMap<Term, Range<usize>>,
    vars: FxHashMap<Var, Range<usize>>,
    /// The variables, in the order in which they were encoded.
    inputs: Vec<(Term, Var)>,
    array_bits: u64,
}

impl Encoder {
    /// Builds in `gates`. Arrays are spelled out cell by cell: those of more than `array_bits`
    /// bits are refused.
    #[must_use]
    pub fn new(gates: Gates, array_bits: u64) -> Encoder {
        Encoder {
            gates,
            pool: Vec::new(),
            words: FxHashMap::default(),
            vars: FxHashMap::default(),
            inputs: Vec::new(),
            array_bits,
        }
    }

    /// The word of a variable, if any term with it was encoded.
    #[must_use]
    pub fn var_word(&self, var: Var) -> Option<&[Edge]> {
        self.vars.get(&var).map(|range| &self.pool[range.clone()])
    }

    /// The variables that were encoded so far with their terms, the latest last.
    #[must_use]
    pub fn inputs(&self) -> &[(Term, Var)] {
        &self.inputs
    }

    /// The circuit.
    #[must_use]
    #[inline]
    pub fn gates(&self) -> &Gates {
        &self.gates
    }

    /// The circuit, to add gates or to charge its meter.
    #[inline]
    pub fn gates_mut(&mut self) -> &mut Gates {
        &mut self.gates
    }

    /// The edge of a Boolean term that is already encoded.
    #[must_use]
    pub fn known_truth(&self, term: Term) -> Option<Edge> {
        self.words.get(&term).map(|range| self.pool[range.start])
    }

    /// The edge of a Boolean term.
    ///
    /// # Errors
    /// If the term cannot be expressed, or the meter says so.
    pub fn truth(&mut self, terms: &Terms, term: Term) -> Result<Edge, Error> {
        Ok(self.word(terms, term)?[0])
    }

    /// The word of a term, the least significant bit first; for arrays, the cells in the order
    /// of their indices.
    ///
    /// # Errors
    /// If the term cannot be expressed, or the meter says so.
    pub fn word(&mut self, terms: &Terms, root: Term) -> Result<&[Edge], Error> {
        let mut open = vec![root];
        while let Some(term) = open.last().copied() {
            if self.words.contains_key(&term) {
                open.pop();
                continue;
            }
            let node = terms.node(term);
            let before = open.len();
            open.extend(node.args().iter().filter(|arg| !self.words.contains_key(arg)));
            self.gates.meter.work(1 + node.args().len())?;
            if open.len() == before {
                open.pop();
                self.encode(terms, term, node)?;
            }
        }
        Ok(&self.pool[self.words[&root].clone()])
    }

    /// Encodes a term whose arguments are encoded.
    fn encode(&mut self, terms: &Terms, term: Term, node: &Node) -> Result<(), Error> {
        let width = self.width(terms.sort(term))?;
        self.gates.meter.charge(ENTRY_BYTES.saturating_add(width.saturating_mul(size_of::<Edge>())))?;
        let word = match node {
            Node::Const(value) => constant(value, width),
            Node::Var(_) => (0..width).map(|_| self.gates.input()).collect::<Result<Word, Error>>()?,
            Node::App(fun, args) => {
                let pool = &self.pool;
                let args: Vec<&[Edge]> = args.iter().map(|arg| &pool[self.words[arg].clone()]).collect();
                apply(&mut self.gates, fun, &args, width)?
            }
        };
        debug_assert_eq!(word.len(), width, "as many bits as the sort says");
        let range = self.pool.len()..self.pool.len() + width;
        self.pool.extend(word);
        if let Node::Var(var) = node {
            self.vars.insert(*var, range.clone());
            self.inputs.push((term, *var));
        }
        self.words.insert(term, range);
        Ok(())
    }

    /// How many bits a value of the sort has, if this backend handles the sort.
    fn width(&self, sort: &Sort) -> Result<usize, Error> {
        let refuse = || Err(Error::Unsupported(format!("terms of sort {sort}")));
        match (sort, sort.bits()) {
            (Sort::Int | Sort::Real, _) | (_, None | Some(0)) => refuse(),
            (Sort::Array(_), Some(bits)) if bits > self.array_bits => refuse(),
            (Sort::Bool | Sort::BitVec(_) | Sort::Array(_), Some(bits)) => {
                usize::try_from(bits).map_err(|_| Error::OutOfMemory)
            }
        }
    }
}

/// The bits of a value of a finite sort.
fn constant(value: &Value, width: usize) -> Word {
    let mut packed = Vec::new();
    BitWriter::new(&mut packed).write(value);
    (0..width).map(|i| Edge::constant(packed[i / 64] >> (i % 64) & 1 == 1)).collect()
}

/// The word of an application whose result has `width` bits.
fn apply(gates: &mut Gates, fun: &Fun, args: &[&[Edge]], width: usize) -> Result<Word, Error> {
    let truth = |result: Result<Edge, Error>| result.map(|edge| vec![edge]);
    match fun {
        Fun::Not | Fun::BvNot => Ok(words::not(args[0])),
        Fun::And => truth(gates.all(args.iter().map(|arg| arg[0]).collect())),
        Fun::Or => truth(gates.any(args.iter().map(|arg| arg[0]))),
        Fun::Xor | Fun::BvXor => words::bitwise(gates, args[0], args[1], Gates::xor),
        Fun::Ite => words::mux(gates, args[0][0], args[1], args[2]),
        Fun::Eq => truth(words::equal(gates, args[0], args[1])),
        Fun::BvNeg => words::neg(gates, args[0]),
        Fun::BvAnd => words::bitwise(gates, args[0], args[1], Gates::and),
        Fun::BvOr => words::bitwise(gates, args[0], args[1], Gates::or),
        Fun::BvAdd => words::add(gates, args[0], args[1], Edge::FALSE),
        Fun::BvSub => words::sub(gates, args[0], args[1]),
        Fun::BvMul => words::mul(gates, args[0], args[1]),
        Fun::BvUdiv => Ok(divide(gates, args[0], args[1])?.0),
        Fun::BvUrem => Ok(divide(gates, args[0], args[1])?.1),
        Fun::BvSdiv => sdiv(gates, args[0], args[1]),
        Fun::BvSrem => srem(gates, args[0], args[1]),
        Fun::BvSmod => smod(gates, args[0], args[1]),
        Fun::BvShl => words::shift(gates, Shift::Left, args[0], args[1]),
        Fun::BvLshr => words::shift(gates, Shift::LogicalRight, args[0], args[1]),
        Fun::BvAshr => words::shift(gates, Shift::ArithmeticRight, args[0], args[1]),
        Fun::BvUlt => truth(words::ult(gates, args[0], args[1])),
        Fun::BvUle => truth(words::ult(gates, args[1], args[0]).map(|less| !less)),
        Fun::BvSlt => truth(words::slt(gates, args[0], args[1])),
        Fun::BvSle => truth(words::slt(gates, args[1], args[0]).map(|less| !less)),
        // SMT-LIB writes the high part first.
        Fun::Concat => Ok([args[1], args[0]].concat()),
        Fun::Extract { low, .. } => {
            let low = usize::try_from(*low).map_err(|_| Error::OutOfMemory)?;
            Ok(args[0][low..low + width].to_vec())
        }
        Fun::ZeroExtend(_) => Ok(extend(args[0], Edge::FALSE, width)),
        Fun::SignExtend(_) => Ok(extend(args[0], words::sign(args[0]), width)),
        Fun::Select => arrays::select(gates, args[0], args[1]),
        Fun::Store => arrays::store(gates, args[0], args[1], args[2]),
        Fun::ConstArray(_) => Ok(args[0].repeat(width / args[0].len())),
        Fun::Neg
        | Fun::Add
        | Fun::Sub
        | Fun::Mul
        | Fun::Lt
        | Fun::Le
        | Fun::IntDiv
        | Fun::IntMod
        | Fun::RealDiv
        | Fun::ToReal
        | Fun::ToInt
        | Fun::IsInt
        | Fun::UbvToInt
        | Fun::SbvToInt
        | Fun::IntToBv(_) => Err(Error::Unsupported(format!("{fun} on unbounded numbers"))),
    }
}

fn extend(a: &[Edge], fill: Edge, width: usize) -> Word {
    let mut word = a.to_vec();
    word.resize(width, fill);
    word
}
