//! Terms as expressions.
//!
//! The language computes with exact integers and has no conditional expression, so: results
//! are masked to their width, subtraction adds the complement, signed numbers are shifted
//! by half their range, and where a case distinction is needed a helper variable is assigned
//! in an `if` before the statement. Helpers also keep shared and large subterms small.

use super::sorts::{cells, check};
use num_bigint::BigUint;
use rustc_hash::FxHashMap;
use std::fmt::Write;
use tamis_term::walk::post_order;
use tamis_term::{BitVec, Fun, Node, Sort, Term, Terms, Value, Var};

/// A text longer than this becomes a helper.
const LONG: usize = 300;
/// A text that is used more than once and longer than this becomes a helper.
const SHORT: usize = 16;
/// Parentheses nest no deeper.
const DEEP: u32 = 16;

/// What the writer of expressions needs from the procedure that it writes.
pub trait Scope {
    /// The name of a variable.
    fn name(&self, var: Var) -> Result<String, String>;
    /// The `index`-th helper of a sort.
    fn helper(&mut self, sort: &Sort, index: usize) -> String;
    /// A name for quantifiers.
    fn bound(&self) -> String;
}

/// The text of a term.
#[derive(Clone, Debug)]
struct Piece {
    text: String,
    depth: u32,
    /// Whether it is a helper that holds nothing but this term, at its own width.
    helper: bool,
}

impl Piece {
    fn name(text: String) -> Piece {
        Piece { text, depth: 0, helper: false }
    }

    fn helper(text: String) -> Piece {
        Piece { text, depth: 0, helper: true }
    }

    fn compound(text: String) -> Piece {
        Piece { text, depth: 1, helper: false }
    }
}

/// A writer of the expressions of one statement.
pub struct Writer<'w, S> {
    terms: &'w Terms,
    scope: &'w mut S,
    /// Statements that compute the helpers.
    pub before: Vec<String>,
    written: FxHashMap<Term, Piece>,
    /// How often each term occurs in others.
    uses: FxHashMap<Term, u32>,
    helpers: FxHashMap<Sort, usize>,
}

fn two_to(bits: u32) -> BigUint {
    BigUint::from(1_u32) << bits
}

/// `2^width - 1`
fn mask(width: u32) -> BigUint {
    two_to(width) - 1_u32
}

/// The number whose only bit is the sign.
fn top(width: u32) -> BigUint {
    two_to(width - 1)
}

/// Names that [`Writer::signed`] uses for a case distinction on signs.
struct Signs {
    x: String,
    y: String,
    negative_x: String,
    negative_y: String,
}

impl<'w, S: Scope> Writer<'w, S> {
    /// A writer for one statement.
    pub fn new(terms: &'w Terms, scope: &'w mut S) -> Self {
        Writer {
            terms,
            scope,
            before: Vec::new(),
            written: FxHashMap::default(),
            uses: FxHashMap::default(),
            helpers: FxHashMap::default(),
        }
    }

    /// The terms as expressions of the values before the statement.
    ///
    /// # Errors
    /// Names what has no counterpart in the language.
    pub fn write(&mut self, roots: &[Term]) -> Result<Vec<String>, String> {
        let order = post_order(self.terms, roots);
        for arg in order.iter().flat_map(|term| self.terms.node(*term).args()).chain(roots) {
            *self.uses.entry(*arg).or_default() += 1;
        }
        for term in order {
            if self.written.contains_key(&term) {
                continue;
            }
            check(self.terms.sort(term))?;
            let text = self.node(term)?;
            let shared = self.uses[&term] > 1 && text.text.len() > SHORT;
            let text = if shared || text.text.len() > LONG || text.depth > DEEP {
                Piece::helper(self.assigned(self.terms.sort(term), &text.text))
            } else {
                text
            };
            self.written.insert(term, text);
        }
        Ok(roots.iter().map(|root| self.written[root].text.clone()).collect())
    }

    fn helper(&mut self, sort: &Sort) -> String {
        let count = self.helpers.entry(sort.clone()).or_default();
        *count += 1;
        self.scope.helper(sort, *count - 1)
    }

    /// A helper that holds the value.
    fn assigned(&mut self, sort: &Sort, text: &str) -> String {
        let helper = self.helper(sort);
        self.before.push(format!("{helper} = {text};"));
        helper
    }

    /// A helper that holds the value of the first case whose condition holds; the last case
    /// is for all others.
    fn cases(&mut self, sort: &Sort, cases: &[(String, String)], otherwise: &str) -> Piece {
        let helper = self.helper(sort);
        let mut statement = "if".to_owned();
        for (condition, value) in cases {
            let _ = write!(statement, " :: {condition} -> {helper} = {value};");
        }
        let _ = write!(statement, " :: else -> {helper} = {otherwise}; fi");
        self.before.push(statement);
        Piece::helper(helper)
    }

    /// The text of an argument if it is short, else a helper.
    fn short(&mut self, term: Term) -> String {
        let text = self.written[&term].text.clone();
        if text.len() <= SHORT {
            return text;
        }
        let helper = self.assigned(self.terms.sort(term), &text);
        self.written.insert(term, Piece::helper(helper.clone()));
        helper
    }

    /// The helper of an argument that nothing else needs: it can be overwritten.
    fn reusable(&self, term: Term) -> Option<String> {
        let text = &self.written[&term];
        (text.helper && self.uses[&term] == 1).then(|| text.text.clone())
    }

    fn node(&mut self, term: Term) -> Result<Piece, String> {
        match self.terms.node(term) {
            Node::Const(value) => self.constant(value),
            Node::Var(var) => Ok(Piece::name(self.scope.name(*var)?)),
            Node::App(fun, args) => {
                let depth = args.iter().map(|arg| self.written[arg].depth).max().unwrap_or(0) + 1;
                let mut text = self.application(term, fun, args)?;
                if text.depth > 0 {
                    text.depth = depth;
                }
                Ok(text)
            }
        }
    }

    fn constant(&mut self, value: &Value) -> Result<Piece, String> {
        let text = match value {
            Value::Bool(value) => value.to_string(),
            Value::BitVec(bits) => bits.to_big().to_string(),
            Value::Array(array) => {
                let sort = Sort::Array(array.sort().clone());
                let default = self.constant(array.default())?.text;
                let helper = self.filled(&sort, &default)?;
                for (index, element) in array.cells() {
                    let (index, element) = (self.constant(index)?.text, self.constant(element)?.text);
                    self.before.push(format!("{helper}[{index}] = {element};"));
                }
                return Ok(Piece::helper(helper));
            }
            Value::Int(_) | Value::Real(_) => return Err("unbounded numbers".to_owned()),
        };
        Ok(Piece::name(text))
    }

    /// A helper array with one value everywhere.
    fn filled(&mut self, sort: &Sort, element: &str) -> Result<String, String> {
        let last = cells(sort)? - 1;
        let (helper, bound) = (self.helper(sort), self.scope.bound());
        self.before.push(format!("A {bound} (0,{last}) {helper}[{bound}] = {element};"));
        Ok(helper)
    }

    fn application(&mut self, term: Term, fun: &Fun, args: &[Term]) -> Result<Piece, String> {
        let arg = |writer: &Self, at: usize| writer.written[&args[at]].text.clone();
        let sort = self.terms.sort(term).clone();
        let infix = |writer: &Self, operator: &str| {
            let texts: Vec<String> = args.iter().map(|arg| writer.written[arg].text.clone()).collect();
            format!("({})", texts.join(&format!(" {operator} ")))
        };
        let width = |writer: &Self, at: usize| match writer.terms.sort(args[at]) {
            Sort::BitVec(width) => *width,
            Sort::Bool | Sort::Int | Sort::Real | Sort::Array(_) => 1,
        };
        let text = match fun {
            Fun::Not => format!("!{}", parenthesised(&arg(self, 0))),
            Fun::And if args.is_empty() => "true".to_owned(),
            Fun::Or if args.is_empty() => "false".to_owned(),
            Fun::And => infix(self, "&&"),
            Fun::Or => infix(self, "||"),
            Fun::Xor => infix(self, "^^"),
            Fun::Ite => return Ok(self.conditional(&sort, args)),
            Fun::Eq => match self.terms.sort(args[0]) {
                Sort::Bool => infix(self, "<=>"),
                sort @ Sort::Array(_) => {
                    let (last, bound) = (cells(sort)? - 1, self.scope.bound());
                    let (a, b) = (arg(self, 0), arg(self, 1));
                    format!("(A {bound} (0,{last}) {a}[{bound}] == {b}[{bound}])")
                }
                Sort::BitVec(_) | Sort::Int | Sort::Real => infix(self, "=="),
            },
            Fun::BvUlt => infix(self, "<"),
            Fun::BvUle => infix(self, "<="),
            Fun::BvSlt | Fun::BvSle => {
                let operator = if *fun == Fun::BvSlt { "<" } else { "<=" };
                let half = top(width(self, 0));
                format!("(({} ^ {half}) {operator} ({} ^ {half}))", arg(self, 0), arg(self, 1))
            }
            Fun::BvAnd => infix(self, "&"),
            Fun::BvOr => infix(self, "|"),
            Fun::BvXor => infix(self, "^"),
            Fun::BvNot => format!("({} ^ {})", arg(self, 0), mask(width(self, 0))),
            Fun::BvNeg => format!("(({} - {}) & {})", two_to(width(self, 0)), arg(self, 0), mask(width(self, 0))),
            Fun::BvAdd => format!("({} & {})", infix(self, "+"), mask(width(self, 0))),
            Fun::BvMul => format!("({} & {})", infix(self, "*"), mask(width(self, 0))),
            Fun::BvSub => {
                let (n, x) = (width(self, 0), arg(self, 0));
                match self.constant_of(args[1]) {
                    Some(bits) => format!("(({x} + {}) & {})", two_to(n) - bits.to_big(), mask(n)),
                    None => format!("(({x} + ({} - {})) & {})", two_to(n), arg(self, 1), mask(n)),
                }
            }
            Fun::Concat => format!("(({} << {}) | {})", arg(self, 0), width(self, 1), arg(self, 1)),
            Fun::Extract { high, low } => {
                let x = arg(self, 0);
                let shifted = if *low == 0 { x } else { format!("({x} >> {low})") };
                format!("({shifted} & {})", mask(high - low + 1))
            }
            // The helper of a narrower term cannot hold wider ones.
            Fun::ZeroExtend(_) => return Ok(Piece { helper: false, ..self.written[&args[0]].clone() }),
            Fun::SignExtend(by) => {
                let (n, x) = (width(self, 0), arg(self, 0));
                let (half, wide) = (top(n), n + by);
                format!("((({x} ^ {half}) + {}) & {})", two_to(wide) - &half, mask(wide))
            }
            Fun::BvShl | Fun::BvLshr | Fun::BvAshr => return Ok(self.shift(fun, &sort, args, width(self, 0))),
            Fun::BvUdiv | Fun::BvUrem => {
                let (x, y) = (self.short(args[0]), self.short(args[1]));
                let zero = self.constant_of(args[1]).map(BitVec::is_zero);
                return Ok(self.quotient(*fun == Fun::BvUdiv, &sort, width(self, 0), (&x, &y), zero));
            }
            Fun::BvSdiv | Fun::BvSrem | Fun::BvSmod => return Ok(self.signed(fun, &sort, args, width(self, 0))),
            Fun::Select => format!("{}[{}]", arg(self, 0), arg(self, 1)),
            Fun::Store => {
                let helper = match self.reusable(args[0]) {
                    Some(helper) => helper,
                    None => self.assigned(&sort, &arg(self, 0)),
                };
                self.before.push(format!("{helper}[{}] = {};", arg(self, 1), arg(self, 2)));
                return Ok(Piece::helper(helper));
            }
            Fun::ConstArray(_) => {
                return Ok(Piece::helper(self.filled(&sort, &arg(self, 0))?));
            }
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
            | Fun::IntToBv(_) => return Err(format!("unbounded numbers ({fun:?})")),
        };
        Ok(Piece::compound(text))
    }

    fn constant_of(&self, term: Term) -> Option<&'w BitVec> {
        match self.terms.value(term)? {
            Value::BitVec(bits) => Some(bits),
            Value::Bool(_) | Value::Int(_) | Value::Real(_) | Value::Array(_) => None,
        }
    }

    fn conditional(&mut self, sort: &Sort, args: &[Term]) -> Piece {
        let text = |writer: &Self, at: usize| writer.written[&args[at]].text.clone();
        if *sort == Sort::Bool {
            let condition = self.short(args[0]);
            let condition = parenthesised(&condition);
            let (yes, no) = (text(self, 1), text(self, 2));
            return Piece::compound(format!("(({condition} && {yes}) || (!{condition} && {no}))"));
        }
        let (condition, yes, no) = (text(self, 0), text(self, 1), text(self, 2));
        // A chain of conditionals needs one helper only.
        if let Some(helper) = self.reusable(args[2]) {
            self.before.push(format!("if :: {condition} -> {helper} = {yes}; :: else -> skip; fi"));
            return Piece::helper(helper);
        }
        if let Some(helper) = self.reusable(args[1]) {
            self.before.push(format!("if :: {condition} -> skip; :: else -> {helper} = {no}; fi"));
            return Piece::helper(helper);
        }
        self.cases(sort, &[(condition, yes)], &no)
    }

    /// Shifts by a constant are expressions. Others distinguish distances below the width.
    fn shift(&mut self, fun: &Fun, sort: &Sort, args: &[Term], width: u32) -> Piece {
        let x = self.written[&args[0]].text.clone();
        if *fun == Fun::BvLshr {
            return Piece::compound(format!("({x} >> {})", self.written[&args[1]].text));
        }
        let all = mask(width);
        // The distance below the width, which bounds the bits of the exact result.
        let near = mask(u32::BITS - (width - 1).leading_zeros());
        let (half, full) = (top(width), two_to(width));
        let left = |x: &str, y: &str| format!("(({x} << {y}) & {all})");
        let right = |x: &str, y: &str| format!("(((({x} ^ {half}) >> {y}) + ({full} - ({half} >> {y}))) & {all})");
        if let Some(distance) = self.constant_of(args[1]) {
            let distance = distance.to_u64().filter(|distance| *distance < u64::from(width));
            let text = match (fun, distance) {
                (Fun::BvShl, Some(distance)) => left(&x, &distance.to_string()),
                (Fun::BvShl, None) => "0".to_owned(),
                (_, Some(distance)) => right(&x, &distance.to_string()),
                (_, None) => right(&x, &(width - 1).to_string()),
            };
            return Piece::compound(text);
        }
        let (x, y) = (self.short(args[0]), self.short(args[1]));
        let below = format!("({y} < {width})");
        if *fun == Fun::BvShl {
            let value = left(&x, &format!("({y} & {near})"));
            return self.cases(sort, &[(below, value)], "0");
        }
        let value = right(&x, &format!("({y} & {near})"));
        let sign = format!("(({x} >> {}) * {all})", width - 1);
        self.cases(sort, &[(below, value)], &sign)
    }

    /// Unsigned quotient or remainder; `zero` if it is known whether the divisor is zero.
    fn quotient(&mut self, quotient: bool, sort: &Sort, width: u32, (x, y): (&str, &str), zero: Option<bool>) -> Piece {
        let by_zero = if quotient { mask(width).to_string() } else { x.to_owned() };
        let value = if quotient { format!("({x} / {y})") } else { format!("({x} - (({x} / {y}) * {y}))") };
        match zero {
            Some(true) => Piece::compound(by_zero),
            Some(false) => Piece::compound(value),
            None => self.cases(sort, &[(format!("({y} == 0)"), by_zero)], &value),
        }
    }

    /// Division of signed numbers: that of their absolute values, then the sign.
    fn signed(&mut self, fun: &Fun, sort: &Sort, args: &[Term], width: u32) -> Piece {
        let (half, full, all) = (top(width), two_to(width), mask(width));
        let (x, y) = (self.short(args[0]), self.short(args[1]));
        let names = Signs { negative_x: format!("({x} >= {half})"), negative_y: format!("({y} >= {half})"), x, y };
        let absolute = |writer: &mut Self, value: &str, negative: &str| {
            writer.cases(sort, &[(negative.to_owned(), format!("({full} - {value})"))], value).text
        };
        let a = absolute(self, &names.x, &names.negative_x);
        let b = absolute(self, &names.y, &names.negative_y);
        let rest = self.quotient(*fun == Fun::BvSdiv, sort, width, (&a, &b), None).text;
        let minus = |value: &str| format!("(({full} - {value}) & {all})");
        let (x, y) = (&names.negative_x, &names.negative_y);
        let cases = if *fun == Fun::BvSdiv {
            vec![(format!("({x} ^^ {y})"), minus(&rest))]
        } else if *fun == Fun::BvSrem {
            vec![(x.clone(), minus(&rest))]
        } else {
            vec![
                (format!("({rest} != 0) && {x} && {y}"), minus(&rest)),
                (format!("({rest} != 0) && {x} && !{y}"), format!("((({full} - {rest}) + {}) & {all})", names.y)),
                (format!("({rest} != 0) && !{x} && {y}"), format!("(({rest} + {}) & {all})", names.y)),
            ]
        };
        self.cases(sort, &cases, &rest)
    }
}

/// The text as an operand of `!`.
fn parenthesised(text: &str) -> String {
    let simple = text.starts_with('(') || text.bytes().all(|b| b.is_ascii_alphanumeric() || b == b'_');
    if simple { text.to_owned() } else { format!("({text})") }
}
