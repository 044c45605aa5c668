//! Reading terms: one loop over the tokens with a stack of open applications, no recursion.
//!
//! Terms are made by [`Terms::try_app`] and are therefore simplified. A `let` binds in
//! parallel; annotations (`!`) are dropped; names of variables are looked up in the arena.
//! Integers are taken for reals where a function mixes both or needs reals.
//!
//! Literals are kept as values until a function needs a term. So a negative number, a
//! fraction or a long chain of `store`s on a constant array is read as one constant, and no
//! constant is made for the steps in between.

use super::lex::{ReadError, Reader, Token};
use super::ops::{Op, indexed, lower, named};
use super::symbol::decode;
use super::{MAX_DIGITS, MAX_WIDTH};
use crate::bitvec::BitVec;
use crate::fun::Fun;
use crate::simplify::is_modest;
use crate::sort::{ArraySort, Sort};
use crate::terms::{Term, Terms};
use crate::value::{ArrayValue, Value};
use num_bigint::{BigInt, BigUint};
use num_rational::BigRational;
use num_traits::{One, Zero};
use smallvec::SmallVec;
use std::collections::HashMap;
use std::sync::Arc;

/// `distinct` may compare this many pairs in one text, plus some for each of its bytes.
const FREE_PAIRS: usize = 1 << 20;

impl Terms {
    /// Reads a term over the declared variables.
    ///
    /// # Errors
    /// If the text is no term, or not one that is well sorted and within the limits of
    /// [`crate::smtlib`].
    pub fn read(&mut self, text: &str) -> Result<Term, ReadError> {
        let mut reader = Reader::new(text);
        let term = reader.term(self)?;
        reader.end()?;
        Ok(term)
    }
}

impl Sort {
    /// Reads a sort.
    ///
    /// # Errors
    /// If the text is no sort.
    pub fn read(text: &str) -> Result<Sort, ReadError> {
        let mut reader = Reader::new(text);
        let sort = reader.sort()?;
        reader.end()?;
        Ok(sort)
    }
}

impl Value {
    /// Reads a constant of the given sort, as solvers print them in models.
    ///
    /// # Errors
    /// If the text is no such constant.
    pub fn read(text: &str, sort: &Sort) -> Result<Value, ReadError> {
        let mut reader = Reader::new(text);
        let value = reader.value(sort)?;
        reader.end()?;
        Ok(value)
    }
}

impl Reader<'_> {
    /// Reads a term over the variables of `terms`.
    ///
    /// # Errors
    /// If there is no well-sorted term.
    pub fn term(&mut self, terms: &mut Terms) -> Result<Term, ReadError> {
        let mut work = TermReader::new(terms, self);
        let operand = work.run()?;
        Ok(work.term(operand))
    }

    /// Reads a constant of the given sort.
    ///
    /// # Errors
    /// If there is no such constant.
    pub fn value(&mut self, sort: &Sort) -> Result<Value, ReadError> {
        let at = self.offset();
        let mut terms = Terms::new();
        let mut work = TermReader::new(&mut terms, self);
        let operand = work.run()?;
        let Some(value) = work.constant(operand) else {
            return Err(ReadError::new(at, "expected a constant, found a term that must be computed"));
        };
        coerce(value, sort).map_err(|value| {
            ReadError::new(at, format!("expected a value of sort {sort}, found one of {}", value.sort()))
        })
    }
}

/// The value as one of the given sort: integers are taken for reals where reals are expected.
fn coerce(value: Value, sort: &Sort) -> Result<Value, Value> {
    match (value, sort) {
        (Value::Int(value), Sort::Real) => Ok(Value::Real(Box::new(BigRational::from_integer(*value)))),
        (value, sort) if value.has_sort(sort) => Ok(value),
        (value, _) => Err(value),
    }
}

/// Something that was read.
enum Operand {
    Term(Term),
    Value(Value),
    /// A constant array whose cells are still being written.
    Array(Box<Cells>),
}

struct Cells {
    sort: Arc<ArraySort>,
    default: Value,
    written: Vec<(Value, Value)>,
}

impl Cells {
    fn finish(self) -> Value {
        Value::Array(Box::new(ArrayValue::from_cells(self.sort, self.default, self.written)))
    }
}

/// A parenthesis that is not closed yet.
enum Frame {
    /// An application; its arguments are the operands from `base` on.
    Apply { at: usize, op: Op, base: usize },
    /// The bindings of a `let`: their names begin at `names`, their terms at `base`.
    Bindings { at: usize, names: usize, base: usize },
    /// The body of a `let` whose names begin at `names`.
    Body { names: usize },
    /// The term of an annotation.
    Annotated,
}

struct TermReader<'r, 't> {
    terms: &'r mut Terms,
    reader: &'r mut Reader<'t>,
    frames: Vec<Frame>,
    operands: Vec<Operand>,
    /// What each name means, the innermost last, with the number of names bound before it.
    /// The default hasher, so that no choice of names makes this slow.
    scope: HashMap<&'t str, Vec<(usize, Term)>>,
    /// All names that are bound or about to be.
    names: Vec<&'t str>,
    pairs: usize,
}

impl<'r, 't> TermReader<'r, 't> {
    fn new(terms: &'r mut Terms, reader: &'r mut Reader<'t>) -> TermReader<'r, 't> {
        let pairs = FREE_PAIRS + reader.length();
        TermReader {
            terms,
            reader,
            frames: Vec::new(),
            operands: Vec::new(),
            scope: HashMap::new(),
            names: Vec::new(),
            pairs,
        }
    }

    fn run(&mut self) -> Result<Operand, ReadError> {
        loop {
            let (at, token) = self.reader.next()?;
            let complete = match token {
                Token::Open => self.open(at)?,
                Token::Close => Some(self.close(at)?),
                Token::Bare(name) | Token::Quoted(name) => Some(self.name(at, name)?),
                Token::Numeral(digits) => Some(Operand::Value(Value::Int(Box::new(numeral(at, digits)?)))),
                Token::Decimal(digits) => Some(Operand::Value(decimal(at, digits)?)),
                Token::Hex(digits) => Some(Operand::Value(bitvector(at, digits, 4)?)),
                Token::Binary(digits) => Some(Operand::Value(bitvector(at, digits, 1)?)),
                Token::Keyword(_) | Token::Text(_) => return Err(ReadError::new(at, "expected a term")),
            };
            if let Some(operand) = complete
                && let Some(result) = self.deliver(operand)?
            {
                return Ok(result);
            }
        }
    }

    /// What follows an opening parenthesis: a complete constant, or the head of something.
    fn open(&mut self, at: usize) -> Result<Option<Operand>, ReadError> {
        let base = self.operands.len();
        let (head_at, head) = self.reader.next()?;
        let frame = match head {
            Token::Bare("let") => {
                self.reader.open()?;
                self.frames.push(Frame::Bindings { at, names: self.names.len(), base });
                self.binding()?;
                return Ok(None);
            }
            Token::Bare("!") => Frame::Annotated,
            Token::Bare("_") => return self.indexed_constant(at).map(Some),
            Token::Bare(word @ ("forall" | "exists" | "lambda" | "match" | "as")) => {
                return Err(ReadError::new(head_at, format!("terms with {word} are not supported")));
            }
            Token::Bare(name) | Token::Quoted(name) => match named(name) {
                Some(op) => Frame::Apply { at, op, base },
                None => return Err(ReadError::new(head_at, format!("unknown function {name}"))),
            },
            Token::Open => Frame::Apply { at, op: self.head(at)?, base },
            Token::Close
            | Token::Keyword(_)
            | Token::Numeral(_)
            | Token::Decimal(_)
            | Token::Hex(_)
            | Token::Binary(_)
            | Token::Text(_) => return Err(ReadError::new(head_at, "expected a function")),
        };
        self.frames.push(frame);
        Ok(None)
    }

    /// The rest of `(_ name index …)` or `(as const sort)` as a function.
    fn head(&mut self, at: usize) -> Result<Op, ReadError> {
        match self.reader.next()? {
            (_, Token::Bare("_")) => {
                let (name, indices) = self.indices()?;
                indexed(name, &indices).map_err(|message| ReadError::new(at, message))
            }
            (_, Token::Bare("as")) => {
                let name = self.reader.raw_symbol()?;
                let sort = self.reader.sort()?;
                self.reader.close()?;
                match (name, sort) {
                    ("const", Sort::Array(sort)) => Ok(Op::ConstArray(sort)),
                    (name, sort) => Err(ReadError::new(at, format!("unknown function (as {name} {sort})"))),
                }
            }
            (at, _) => Err(ReadError::new(at, "expected a function")),
        }
    }

    /// The rest of `_ name index …)`.
    fn indices(&mut self) -> Result<(&'t str, SmallVec<[u32; 2]>), ReadError> {
        let name = self.reader.raw_symbol()?;
        let mut indices = SmallVec::new();
        while !self.reader.closes()? {
            indices.push(self.reader.index()?);
        }
        Ok((name, indices))
    }

    /// The rest of `(_ bv5 8)`.
    fn indexed_constant(&mut self, at: usize) -> Result<Operand, ReadError> {
        let (name, indices) = self.indices()?;
        let digits = name.strip_prefix("bv").filter(|digits| {
            // Not only for the message: the parser of numbers would take signs and underscores.
            !digits.is_empty() && digits.bytes().all(|b| b.is_ascii_digit())
        });
        match (digits, indices.as_slice()) {
            (Some(digits), [width]) => {
                let number = numeral(at, digits)?;
                if !(1..=MAX_WIDTH).contains(width) {
                    return Err(ReadError::new(at, format!("bit-vectors have 1 to {MAX_WIDTH} bits")));
                }
                Ok(Operand::Value(Value::BitVec(BitVec::from_big(*width, number.magnitude()))))
            }
            _ => Err(ReadError::new(at, format!("unknown constant (_ {name} …) of {} indices", indices.len()))),
        }
    }

    /// A name that stands for a term.
    fn name(&mut self, at: usize, name: &'t str) -> Result<Operand, ReadError> {
        if let Some((_, term)) = self.scope.get(name).and_then(|meanings| meanings.last()) {
            return Ok(Operand::Term(*term));
        }
        match name {
            "true" => return Ok(Operand::Value(Value::Bool(true))),
            "false" => return Ok(Operand::Value(Value::Bool(false))),
            _ => {}
        }
        match self.terms.find_var(&decode(name)) {
            Some(var) => Ok(Operand::Term(self.terms.var(var))),
            None => Err(ReadError::new(at, format!("unknown symbol {name}"))),
        }
    }

    /// Gives a complete operand to what it is part of; returns it if it is part of nothing.
    fn deliver(&mut self, operand: Operand) -> Result<Option<Operand>, ReadError> {
        loop {
            match self.frames.last() {
                None => return Ok(Some(operand)),
                Some(Frame::Apply { .. }) => {
                    self.operands.push(operand);
                    return Ok(None);
                }
                Some(Frame::Bindings { .. }) => {
                    let term = self.term(operand);
                    self.operands.push(Operand::Term(term));
                    self.reader.close()?;
                    self.binding()?;
                    return Ok(None);
                }
                Some(Frame::Body { names }) => {
                    let names = *names;
                    self.reader.close()?;
                    for name in self.names.drain(names..) {
                        self.scope.get_mut(name).and_then(Vec::pop);
                    }
                }
                Some(Frame::Annotated) => self.reader.skip_attributes()?,
            }
            self.frames.pop();
        }
    }

    /// Begins the next binding of a `let`, or its body.
    fn binding(&mut self) -> Result<(), ReadError> {
        if !self.reader.closes()? {
            self.reader.open()?;
            self.names.push(self.reader.raw_symbol()?);
            return Ok(());
        }
        let Some(Frame::Bindings { at, names, base }) = self.frames.pop() else {
            return Err(ReadError::new(self.reader.offset(), "a binding outside a let"));
        };
        for (place, operand) in (names..).zip(self.operands.split_off(base)) {
            let name = self.names[place];
            let meaning = self.term(operand);
            let meanings = self.scope.entry(name).or_default();
            if meanings.last().is_some_and(|(bound, _)| *bound >= names) {
                return Err(ReadError::new(at, format!("the let binds {name} twice")));
            }
            meanings.push((place, meaning));
        }
        self.frames.push(Frame::Body { names });
        Ok(())
    }

    /// The application that a closing parenthesis completes.
    fn close(&mut self, at: usize) -> Result<Operand, ReadError> {
        let Some(Frame::Apply { at, op, base }) = self.frames.pop() else {
            return Err(ReadError::new(at, "expected a term"));
        };
        let args: SmallVec<[Operand; 3]> = self.operands.drain(base..).collect();
        if args.is_empty() {
            return Err(ReadError::new(at, "expected arguments"));
        }
        self.apply(op, args).map_err(|message| ReadError::new(at, message))
    }

    fn apply(&mut self, op: Op, mut args: SmallVec<[Operand; 3]>) -> Result<Operand, String> {
        match (&op, args.as_mut_slice()) {
            (Op::Minus, [Operand::Value(value)]) => {
                if let Some(negative) = negate(value) {
                    return Ok(Operand::Value(negative));
                }
            }
            (Op::Divide, [Operand::Value(a), Operand::Value(b)]) => {
                if let (Some(a), Some(b)) = (whole(a), whole(b))
                    && !b.is_zero()
                {
                    let quotient = BigRational::new(a.clone(), b.clone());
                    return Ok(Operand::Value(Value::Real(Box::new(quotient))));
                }
            }
            (Op::ConstArray(sort), [element]) => {
                let element = std::mem::replace(element, Operand::Value(Value::Bool(false)));
                match self.settle(element, &sort.element) {
                    Operand::Value(default) => {
                        let cells = Cells { sort: sort.clone(), default, written: Vec::new() };
                        return Ok(Operand::Array(Box::new(cells)));
                    }
                    other @ (Operand::Term(_) | Operand::Array(_)) => args[0] = other,
                }
            }
            (Op::Plain(Fun::Store), [Operand::Array(_), _, _]) => return self.store(args),
            _ => {}
        }
        let mut args: SmallVec<[Term; 4]> = args.into_iter().map(|arg| self.term(arg)).collect();
        lower(self.terms, op, &mut args, &mut self.pairs).map(Operand::Term)
    }

    /// A `store` on a constant array: one more cell, if it is constant too.
    fn store(&mut self, args: SmallVec<[Operand; 3]>) -> Result<Operand, String> {
        let mut args = args.into_iter();
        let (Some(Operand::Array(mut cells)), Some(index), Some(element)) = (args.next(), args.next(), args.next())
        else {
            return Err("expected an array, an index and an element".to_owned());
        };
        let index = self.settle(index, &cells.sort.index);
        let element = self.settle(element, &cells.sort.element);
        match (index, element) {
            (Operand::Value(index), Operand::Value(element)) => {
                cells.written.push((index, element));
                Ok(Operand::Array(cells))
            }
            (index, element) => {
                let mut args = [Operand::Array(cells), index, element].map(|arg| self.term(arg));
                lower(self.terms, Op::Plain(Fun::Store), &mut args, &mut self.pairs).map(Operand::Term)
            }
        }
    }

    /// The operand as a value if it is a constant of the given sort that is cheap to copy.
    fn settle(&mut self, operand: Operand, sort: &Sort) -> Operand {
        let value = match operand {
            Operand::Term(term) => match self.terms.value(term) {
                Some(value) if is_modest(value) => value.clone(),
                Some(_) | None => return Operand::Term(term),
            },
            Operand::Array(cells) => cells.finish(),
            Operand::Value(value) => value,
        };
        match coerce(value, sort) {
            Ok(value) => Operand::Value(value),
            Err(other) => Operand::Term(self.terms.constant(other)),
        }
    }

    fn constant(&self, operand: Operand) -> Option<Value> {
        match operand {
            Operand::Value(value) => Some(value),
            Operand::Term(term) => self.terms.value(term).cloned(),
            Operand::Array(cells) => Some(cells.finish()),
        }
    }

    fn term(&mut self, operand: Operand) -> Term {
        match operand {
            Operand::Term(term) => term,
            Operand::Value(value) => self.terms.constant(value),
            Operand::Array(cells) => self.terms.constant(cells.finish()),
        }
    }
}

fn negate(value: &mut Value) -> Option<Value> {
    match value {
        Value::Int(value) => Some(Value::Int(Box::new(-std::mem::take(&mut **value)))),
        Value::Real(value) => Some(Value::Real(Box::new(-std::mem::replace(&mut **value, BigRational::zero())))),
        Value::Bool(_) | Value::BitVec(_) | Value::Array(_) => None,
    }
}

/// The integer that a literal without a fraction stands for.
fn whole(value: &Value) -> Option<&BigInt> {
    match value {
        Value::Int(value) => Some(value),
        Value::Real(value) if value.denom().is_one() => Some(value.numer()),
        Value::Real(_) | Value::Bool(_) | Value::BitVec(_) | Value::Array(_) => None,
    }
}

fn numeral(at: usize, digits: &str) -> Result<BigInt, ReadError> {
    if digits.len() > MAX_DIGITS {
        return Err(ReadError::new(at, format!("numbers of more than {MAX_DIGITS} digits are not read")));
    }
    digits.parse().map_err(|_| ReadError::new(at, "malformed number"))
}

fn decimal(at: usize, digits: &str) -> Result<Value, ReadError> {
    let (whole, fraction) = digits.split_once('.').unwrap_or((digits, ""));
    let fraction = fraction.trim_end_matches('0');
    let number = numeral(at, &format!("{whole}{fraction}"))?;
    let scale = u32::try_from(fraction.len()).map_err(|_| ReadError::new(at, "malformed number"))?;
    let value = BigRational::new(number, BigInt::from(10).pow(scale));
    Ok(Value::Real(Box::new(value)))
}

/// Digits of `bits` bits each.
fn bitvector(at: usize, digits: &str, bits: u32) -> Result<Value, ReadError> {
    let width = u32::try_from(digits.len()).ok().and_then(|n| n.checked_mul(bits)).filter(|n| *n <= MAX_WIDTH);
    let Some(width) = width else {
        return Err(ReadError::new(at, format!("bit-vectors of more than {MAX_WIDTH} bits are not read")));
    };
    let value = if width <= 64 {
        u64::from_str_radix(digits, 1 << bits).ok().map(|value| BitVec::new(width, value))
    } else {
        BigUint::parse_bytes(digits.as_bytes(), 1 << bits).map(|value| BitVec::from_big(width, &value))
    };
    value.map(Value::BitVec).ok_or_else(|| ReadError::new(at, "malformed bit-vector"))
}
