//! From syntax trees of expressions to terms, with their types checked.
//!
//! The meanings are those of Theta's solvers: `/` and `div` on integers round so that the
//! remainder `mod` is never negative; `rem` has the sign of the divisor; an integer next to a
//! rational becomes one. What SMT-LIB leaves open, division by zero, is the value that terms
//! have everywhere here.

use super::ast::{Expr, Kind, Node};
use super::operators::{Binary, Unary};
use super::types::MAX_WIDTH;
use num_bigint::BigInt;
use num_rational::BigRational;
use num_traits::{Num, Zero};
use rustc_hash::FxHashMap;
use tamis_ir::{Diagnostic, Span};
use tamis_term::{BitVec, Fun, Sort, Term, Terms, Value, Var};

/// What names stand for.
#[derive(Clone, Debug, Default)]
pub(super) struct Scope<'s> {
    pub names: FxHashMap<&'s str, Term>,
    /// What variables become under a prime; none where there are no primes.
    pub primed: Option<FxHashMap<Var, Term>>,
}

/// The type as both languages write it.
pub(super) fn show(sort: &Sort) -> String {
    match sort {
        Sort::Bool => "bool".into(),
        Sort::Int => "int".into(),
        Sort::Real => "rat".into(),
        Sort::BitVec(width) => format!("bv[{width}]"),
        Sort::Array(array) => format!("[{}] -> {}", show(&array.index), show(&array.element)),
    }
}

/// The term as a value of the sort: an integer becomes a rational where one is wanted.
pub(super) fn convert(terms: &mut Terms, term: Term, sort: &Sort, span: Span) -> Result<Term, Diagnostic> {
    match (terms.sort(term), sort) {
        (found, wanted) if found == wanted => Ok(term),
        (Sort::Int, Sort::Real) => Ok(terms.app(Fun::ToReal, &[term])),
        (found, wanted) => {
            Err(Diagnostic::error(span, format!("this is of type {}, not {}", show(found), show(wanted))))
        }
    }
}

/// The term of an expression.
///
/// # Errors
/// Says where its types do not fit.
pub(super) fn evaluate(
    terms: &mut Terms,
    nodes: &[Node<'_>],
    expr: Expr,
    scope: &Scope<'_>,
) -> Result<Term, Diagnostic> {
    let mut values: Vec<Term> = Vec::with_capacity(expr.root + 1 - expr.first);
    for node in &nodes[expr.first..=expr.root] {
        let mut builder = Builder { terms, nodes, scope, first: expr.first, values: &values, span: node.span };
        let term = builder.node(&node.kind)?;
        values.push(term);
    }
    Ok(values[expr.root - expr.first])
}

/// The term of an expression of that sort.
///
/// # Errors
/// Says where its types do not fit.
pub(super) fn evaluate_as(
    terms: &mut Terms,
    nodes: &[Node<'_>],
    expr: Expr,
    scope: &Scope<'_>,
    sort: &Sort,
) -> Result<Term, Diagnostic> {
    let term = evaluate(terms, nodes, expr, scope)?;
    convert(terms, term, sort, expr.span)
}

struct Builder<'a, 's> {
    terms: &'a mut Terms,
    nodes: &'a [Node<'s>],
    scope: &'a Scope<'s>,
    first: usize,
    values: &'a [Term],
    /// The place of the node that is built.
    span: Span,
}

impl Builder<'_, '_> {
    fn error(&self, message: impl Into<String>) -> Diagnostic {
        Diagnostic::error(self.span, message)
    }

    fn value(&self, operand: usize) -> Term {
        self.values[operand - self.first]
    }

    /// The operand as a value of the sort.
    fn operand(&mut self, operand: usize, sort: &Sort) -> Result<Term, Diagnostic> {
        let (value, span) = (self.value(operand), self.nodes[operand].span);
        convert(self.terms, value, sort, span)
    }

    fn node(&mut self, kind: &Kind<'_>) -> Result<Term, Diagnostic> {
        match kind {
            Kind::Bool(value) => Ok(self.terms.bool(*value)),
            Kind::Int(digits) => {
                let value = self.integer(digits)?;
                Ok(self.terms.constant(Value::int(value)))
            }
            Kind::Rational(over, under) => {
                let (over, under) = (self.integer(over)?, self.integer(under)?);
                if under.is_zero() {
                    return Err(self.error("the denominator is zero"));
                }
                Ok(self.terms.constant(Value::Real(Box::new(BigRational::new(over, under)))))
            }
            Kind::Bits(text) => self.bits(text),
            Kind::Name(name) => self
                .scope
                .names
                .get(name)
                .copied()
                .ok_or_else(|| self.error(format!("`{name}` is not declared")).hint("declare it with `var`")),
            Kind::Prime(operand) => self.prime(self.value(*operand)),
            Kind::Unary(unary, operand) => self.unary(*unary, *operand),
            Kind::Binary(binary, a, b) => self.binary(*binary, *a, *b),
            Kind::And(args) => self.junction(Fun::And, args),
            Kind::Or(args) => self.junction(Fun::Or, args),
            Kind::Ite(condition, then, otherwise) => {
                let condition = self.operand(*condition, &Sort::Bool)?;
                let (then, otherwise) = self.unify(*then, *otherwise)?;
                Ok(self.terms.ite(condition, then, otherwise))
            }
            Kind::Read(array, index) => {
                let sort = self.array(*array)?;
                let index = self.operand(*index, &sort.index)?;
                Ok(self.terms.select(self.values[*array - self.first], index))
            }
            Kind::Write(array, index, element) => {
                let sort = self.array(*array)?;
                let index = self.operand(*index, &sort.index)?;
                let element = self.operand(*element, &sort.element)?;
                Ok(self.terms.store(self.values[*array - self.first], index, element))
            }
            Kind::Slice { operand, until, from } => {
                let (word, width) = self.word(*operand)?;
                if from >= until || *until > width {
                    return Err(self.error(format!("a word of {width} bits has no bits {until}:{from}")));
                }
                Ok(self.terms.extract(word, until - 1, *from))
            }
            Kind::Extend { operand, width, signed } => {
                let (word, from) = self.word(*operand)?;
                let Some(by) = width.checked_sub(from) else {
                    return Err(self.error(format!("a word of {from} bits is not extended to {width}")));
                };
                Ok(if *signed { self.terms.sign_extend(word, by) } else { self.terms.zero_extend(word, by) })
            }
            Kind::Array { index, parts } => self.literal(index.as_ref(), parts),
        }
    }

    fn integer(&self, digits: &str) -> Result<BigInt, Diagnostic> {
        digits.parse().map_err(|_| self.error("this is no number"))
    }

    /// `4'b0101`, `4'd-3`, `8'xff`
    fn bits(&mut self, text: &str) -> Result<Term, Diagnostic> {
        let (width, rest) = text.split_once('\'').unwrap_or((text, "d0"));
        let width: u32 = width
            .parse()
            .ok()
            .filter(|width| (1..=MAX_WIDTH).contains(width))
            .ok_or_else(|| self.error(format!("a width is a number from 1 to {MAX_WIDTH}")))?;
        let (base, digits) = rest.split_at(1);
        let radix = match base {
            "b" => 2,
            "x" => 16,
            _ => 10,
        };
        let value = BigInt::from_str_radix(digits, radix).map_err(|_| self.error("this is no number"))?;
        let bits =
            if value.sign() == num_bigint::Sign::Minus { (value.clone() + 1_u32).bits() + 1 } else { value.bits() };
        if bits > u64::from(width) {
            return Err(self.error(format!("this does not fit {width} bits")));
        }
        Ok(self.terms.constant(Value::BitVec(BitVec::from_int(width, &value))))
    }

    fn prime(&mut self, term: Term) -> Result<Term, Diagnostic> {
        let Some(primed) = &self.scope.primed else {
            return Err(self.error("a prime has no meaning here").hint("next values stand in transitions only"));
        };
        // Almost always a variable stands under the prime.
        if let tamis_term::Node::Var(var) = self.terms.node(term)
            && let Some(next) = primed.get(var)
        {
            return Ok(*next);
        }
        if self.terms.free_vars(&[term]).iter().any(|var| !primed.contains_key(var)) {
            return Err(self.error("this is the next value of a next value"));
        }
        Ok(self.terms.substitute(term, primed))
    }

    fn unary(&mut self, unary: Unary, operand: usize) -> Result<Term, Diagnostic> {
        let value = self.value(operand);
        let is_number = matches!(self.terms.sort(value), Sort::Int | Sort::Real);
        match unary {
            Unary::Not => {
                let value = self.operand(operand, &Sort::Bool)?;
                Ok(self.terms.not(value))
            }
            Unary::Minus if is_number => Ok(self.terms.app(Fun::Neg, &[value])),
            Unary::Plus if is_number => Ok(value),
            Unary::Minus => Err(self.no_number(operand, "bvneg")),
            Unary::Plus | Unary::BvNeg | Unary::BvNot => {
                let (word, _) = self.word(operand)?;
                Ok(match unary {
                    Unary::BvNeg => self.terms.app(Fun::BvNeg, &[word]),
                    Unary::BvNot => self.terms.app(Fun::BvNot, &[word]),
                    Unary::Plus | Unary::Minus | Unary::Not => word,
                })
            }
        }
    }

    fn junction(&mut self, fun: Fun, args: &[usize]) -> Result<Term, Diagnostic> {
        let args: Result<Vec<Term>, Diagnostic> = args.iter().map(|arg| self.operand(*arg, &Sort::Bool)).collect();
        Ok(self.terms.app(fun, &args?))
    }

    fn binary(&mut self, binary: Binary, a: usize, b: usize) -> Result<Term, Diagnostic> {
        match binary {
            Binary::Iff | Binary::Imply | Binary::Xor | Binary::And | Binary::Or => {
                let (a, b) = (self.operand(a, &Sort::Bool)?, self.operand(b, &Sort::Bool)?);
                Ok(match binary {
                    Binary::Iff => self.terms.eq(a, b),
                    Binary::Imply => self.terms.implies(a, b),
                    Binary::Xor => self.terms.xor(a, b),
                    Binary::And => self.terms.and(&[a, b]),
                    _ => self.terms.or(&[a, b]),
                })
            }
            Binary::Equal | Binary::Unequal => {
                let (a, b) = self.unify(a, b)?;
                Ok(if binary == Binary::Equal { self.terms.eq(a, b) } else { self.terms.distinct(a, b) })
            }
            Binary::Less | Binary::LessEqual | Binary::Greater | Binary::GreaterEqual => {
                let (a, b) = self.numbers(a, b, "bvult or bvslt")?;
                Ok(match binary {
                    Binary::Less => self.terms.lt(a, b),
                    Binary::LessEqual => self.terms.le(a, b),
                    Binary::Greater => self.terms.lt(b, a),
                    _ => self.terms.le(b, a),
                })
            }
            Binary::Plus | Binary::Minus | Binary::Times | Binary::Divide => {
                let (a, b) = self.numbers(a, b, "bvadd")?;
                let integers = *self.terms.sort(a) == Sort::Int;
                let fun = match binary {
                    Binary::Plus => Fun::Add,
                    Binary::Minus => Fun::Sub,
                    Binary::Times => Fun::Mul,
                    _ if integers => Fun::IntDiv,
                    _ => Fun::RealDiv,
                };
                Ok(self.terms.app(fun, &[a, b]))
            }
            Binary::Mod | Binary::Rem => {
                let (a, b) = (self.operand(a, &Sort::Int)?, self.operand(b, &Sort::Int)?);
                let rest = self.terms.int_mod(a, b);
                Ok(if binary == Binary::Mod { rest } else { self.signed_rest(rest, b) })
            }
            Binary::Concat => {
                let ((a, n), (b, m)) = (self.word(a)?, self.word(b)?);
                if n + m > MAX_WIDTH {
                    return Err(self.error(format!("this has more than {MAX_WIDTH} bits")));
                }
                Ok(self.terms.concat(a, b))
            }
            Binary::RotateLeft | Binary::RotateRight => {
                let (a, b, width) = self.words(a, b)?;
                Ok(self.rotate(a, b, width, binary == Binary::RotateLeft))
            }
            Binary::Word(word) => {
                let (a, b, _) = self.words(a, b)?;
                Ok(self.terms.app(word.fun.clone(), &if word.swapped { [b, a] } else { [a, b] }))
            }
        }
    }

    /// `rem`: what `mod` leaves, with the sign of the divisor.
    fn signed_rest(&mut self, rest: Term, divisor: Term) -> Term {
        let zero = self.terms.int(0);
        let negative = self.terms.lt(divisor, zero);
        let negated = self.terms.app(Fun::Neg, &[rest]);
        self.terms.ite(negative, negated, rest)
    }

    fn rotate(&mut self, word: Term, by: Term, width: u32, left: bool) -> Term {
        let terms = &mut *self.terms;
        let size = terms.bv(width, u64::from(width));
        let by = terms.bvurem(by, size);
        let back = terms.bvsub(size, by);
        let (up, down) = if left { (by, back) } else { (back, by) };
        let (high, low) = (terms.bvshl(word, up), terms.bvlshr(word, down));
        terms.bvor(high, low)
    }

    /// Both operands, made of one sort.
    fn unify(&mut self, a: usize, b: usize) -> Result<(Term, Term), Diagnostic> {
        let (x, y) = (self.value(a), self.value(b));
        let sort = match (self.terms.sort(x), self.terms.sort(y)) {
            (Sort::Int, Sort::Real) => Sort::Real,
            (sort, _) => sort.clone(),
        };
        Ok((self.operand(a, &sort)?, self.operand(b, &sort)?))
    }

    fn numbers(&mut self, a: usize, b: usize, instead: &str) -> Result<(Term, Term), Diagnostic> {
        for operand in [a, b] {
            if !matches!(self.terms.sort(self.value(operand)), Sort::Int | Sort::Real) {
                return Err(self.no_number(operand, instead));
            }
        }
        self.unify(a, b)
    }

    fn no_number(&self, operand: usize, instead: &str) -> Diagnostic {
        let sort = self.terms.sort(self.value(operand));
        let error = Diagnostic::error(self.nodes[operand].span, format!("this is of type {}, no number", show(sort)));
        if matches!(sort, Sort::BitVec(_)) { error.hint(format!("for bit-vectors use {instead}")) } else { error }
    }

    fn word(&mut self, operand: usize) -> Result<(Term, u32), Diagnostic> {
        let value = self.value(operand);
        match self.terms.sort(value) {
            Sort::BitVec(width) => Ok((value, *width)),
            sort => {
                let text = format!("this is of type {}, no bit-vector", show(sort));
                Err(Diagnostic::error(self.nodes[operand].span, text))
            }
        }
    }

    fn words(&mut self, a: usize, b: usize) -> Result<(Term, Term, u32), Diagnostic> {
        let (x, width) = self.word(a)?;
        Ok((x, self.operand(b, &Sort::BitVec(width))?, width))
    }

    fn array(&self, operand: usize) -> Result<std::sync::Arc<tamis_term::ArraySort>, Diagnostic> {
        match self.terms.sort(self.value(operand)) {
            Sort::Array(array) => Ok(array.clone()),
            sort => {
                let text = format!("this is of type {}, no array", show(sort));
                Err(Diagnostic::error(self.nodes[operand].span, text))
            }
        }
    }

    /// `[i <- v, default <- d]`: writes to the constant array, in their order.
    fn literal(&mut self, index: Option<&Sort>, parts: &[usize]) -> Result<Term, Diagnostic> {
        let (default, cells) = parts.split_last().expect("a literal array has a default");
        let Some(index) = index.cloned().or_else(|| Some(self.terms.sort(self.value(*cells.first()?)).clone())) else {
            return Err(self.error("the type of the index is not known").hint("write `[<int> default <- …]`"));
        };
        let element = self.terms.sort(self.value(*default)).clone();
        let sort = Sort::Array(tamis_term::ArraySort { index: index.clone(), element: element.clone() }.into());
        let default = self.value(*default);
        let mut array = self.terms.const_array(&sort, default);
        for cell in cells.chunks_exact(2) {
            let (at, value) = (self.operand(cell[0], &index)?, self.operand(cell[1], &element)?);
            array = self.terms.store(array, at, value);
        }
        Ok(array)
    }
}
