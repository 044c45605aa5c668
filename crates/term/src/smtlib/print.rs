//! Printing: text of a length linear in the number of distinct subterms.
//!
//! A subterm that occurs twice is named by a `let`. All names of one level, those whose
//! terms use no name of the same level, share one `let`, so that the nesting of lets is no
//! deeper than it must be. Their names are `$0`, `$1`, …, with more `$` in front where a
//! variable is called so.
//!
//! A conjunction of one argument, which SMT-LIB does not have, gets `true` as its second.
//! SMT-LIB leaves division of integers and reals by zero open: a solver may choose another
//! value than [`crate::semantics`] unless [`Terms::guard_divisions`] came first.

use super::symbol::encode;
use crate::fun::Fun;
use crate::marks::TermMap;
use crate::terms::{Node, Term, Terms};
use crate::value::{ArrayValue, Value};
use crate::walk::post_order;
use num_bigint::{BigInt, Sign};
use num_traits::One;
use std::fmt::{self, Write};

/// A term that displays as SMT-LIB, as one line.
#[derive(Clone, Copy, Debug)]
pub struct Smtlib<'t> {
    terms: &'t Terms,
    root: Term,
}

impl Terms {
    /// The term as SMT-LIB text: `terms.smtlib(term).to_string()`.
    #[must_use]
    pub fn smtlib(&self, term: Term) -> Smtlib<'_> {
        Smtlib { terms: self, root: term }
    }

    /// A `declare-const` line for each variable of the terms, in order of declaration.
    #[must_use]
    pub fn declarations(&self, roots: &[Term]) -> String {
        let mut text = String::new();
        for var in self.free_vars(roots) {
            let (name, sort) = (encode(self.name(var)), self.var_sort(var));
            writeln!(text, "(declare-const {name} {sort})").expect("strings take any text");
        }
        text
    }
}

/// What is left to print, the next on top.
enum Todo {
    /// A term after a space.
    Arg(Term),
    Text(&'static str),
}

/// The subterms that get names.
struct Layout {
    /// By level, and in each level in an order in which arguments come first.
    levels: Vec<Vec<Term>>,
    names: TermMap<Option<usize>>,
    prefix: String,
}

impl Layout {
    fn new(terms: &Terms, root: Term) -> Layout {
        let order = post_order(terms, &[root]);
        let mut uses = TermMap::new(&order, &0_u32);
        for term in &order {
            for arg in terms.node(*term).args() {
                uses[*arg] = uses[*arg].saturating_add(1);
            }
        }
        let shared = |term: Term| uses[term] > 1 && deserves_name(terms.node(term));
        // The level of a term is the number of lets around its text.
        let mut level = TermMap::new(&order, &0_usize);
        let mut levels: Vec<Vec<Term>> = Vec::new();
        for term in &order {
            let around = |arg: &Term| level[*arg] + usize::from(shared(*arg));
            let own = terms.node(*term).args().iter().map(around).max().unwrap_or(0);
            level[*term] = own;
            if shared(*term) {
                // Each level below holds the name that put this term here.
                levels.resize(levels.len().max(own + 1), Vec::new());
                levels[own].push(*term);
            }
        }
        let mut names = TermMap::new(&order, &None);
        for (number, term) in levels.iter().flatten().enumerate() {
            names[*term] = Some(number);
        }
        Layout { levels, names, prefix: fresh_prefix(terms, &order) }
    }

    /// Prints the term's name; returns whether it has one.
    fn name(&self, f: &mut fmt::Formatter<'_>, term: Term) -> Result<bool, fmt::Error> {
        let Some(number) = self.names[term] else { return Ok(false) };
        write!(f, "{}{number}", self.prefix)?;
        Ok(true)
    }
}

/// Variables and short constants are cheaper to repeat than to name.
fn deserves_name(node: &Node) -> bool {
    match node {
        Node::Var(_) => false,
        Node::App(_, args) => !args.is_empty(),
        Node::Const(value) => match value {
            Value::Bool(_) => false,
            Value::BitVec(bits) => bits.width() > 64,
            Value::Int(value) => value.bits() > 64,
            Value::Real(value) => value.numer().bits() > 64 || value.denom().bits() > 64,
            Value::Array(_) => true,
        },
    }
}

/// The shortest run of `$` that makes no variable of the term when digits follow.
fn fresh_prefix(terms: &Terms, order: &[Term]) -> String {
    let longest = order.iter().filter_map(|term| {
        let Node::Var(var) = terms.node(*term) else { return None };
        let digits = terms.name(*var).trim_start_matches('$');
        let taken = !digits.is_empty() && digits.bytes().all(|b| b.is_ascii_digit());
        taken.then(|| terms.name(*var).len() - digits.len())
    });
    "$".repeat(longest.max().unwrap_or(0) + 1)
}

impl fmt::Display for Smtlib<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let layout = Layout::new(self.terms, self.root);
        for level in &layout.levels {
            f.write_str("(let (")?;
            for (i, term) in level.iter().enumerate() {
                let space = if i == 0 { "" } else { " " };
                write!(f, "{space}(")?;
                layout.name(f, *term)?;
                f.write_char(' ')?;
                self.body(f, &layout, *term)?;
                f.write_char(')')?;
            }
            f.write_str(") ")?;
        }
        self.body(f, &layout, self.root)?;
        layout.levels.iter().try_for_each(|_| f.write_char(')'))
    }
}

impl Smtlib<'_> {
    /// Prints a term down to the subterms that have names.
    fn body(&self, f: &mut fmt::Formatter<'_>, layout: &Layout, top: Term) -> fmt::Result {
        let mut todo = Vec::new();
        self.node(f, &mut todo, top)?;
        while let Some(next) = todo.pop() {
            let term = match next {
                Todo::Text(text) => {
                    f.write_str(text)?;
                    continue;
                }
                Todo::Arg(term) => {
                    f.write_char(' ')?;
                    term
                }
            };
            if !layout.name(f, term)? {
                self.node(f, &mut todo, term)?;
            }
        }
        Ok(())
    }

    /// Prints the head of a term and leaves the rest to do.
    fn node(&self, f: &mut fmt::Formatter<'_>, todo: &mut Vec<Todo>, term: Term) -> fmt::Result {
        match self.terms.node(term) {
            Node::Const(value) => write!(f, "{value}"),
            Node::Var(var) => f.write_str(&encode(self.terms.name(*var))),
            Node::App(Fun::And, args) if args.is_empty() => f.write_str("true"),
            Node::App(Fun::Or, args) if args.is_empty() => f.write_str("false"),
            Node::App(fun, args) => {
                write!(f, "({fun}")?;
                todo.push(Todo::Text(match (fun, args.len()) {
                    (Fun::And, 1) => " true)",
                    (Fun::Or, 1) => " false)",
                    _ => ")",
                }));
                todo.extend(args.iter().rev().map(|arg| Todo::Arg(*arg)));
                Ok(())
            }
        }
    }
}

/// SMT-LIB's notation.
impl fmt::Display for Value {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Value::Bool(value) => write!(f, "{value}"),
            Value::BitVec(bits) => write!(f, "{bits}"),
            Value::Int(value) => number(f, value, ""),
            Value::Real(value) if value.denom().is_one() => number(f, value.numer(), ".0"),
            Value::Real(value) => {
                f.write_str("(/ ")?;
                number(f, value.numer(), ".0")?;
                write!(f, " {}.0)", value.denom())
            }
            Value::Array(array) => write!(f, "{array}"),
        }
    }
}

fn number(f: &mut fmt::Formatter<'_>, value: &BigInt, fraction: &str) -> fmt::Result {
    match value.sign() {
        Sign::Minus => write!(f, "(- {}{fraction})", value.magnitude()),
        Sign::NoSign | Sign::Plus => write!(f, "{}{fraction}", value.magnitude()),
    }
}

/// A chain of `store`s on a constant array.
impl fmt::Display for ArrayValue {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.cells().try_for_each(|_| f.write_str("(store "))?;
        let sort = self.sort();
        write!(f, "((as const (Array {} {})) {})", sort.index, sort.element, self.default())?;
        self.cells().try_for_each(|(index, element)| write!(f, " {index} {element})"))
    }
}
