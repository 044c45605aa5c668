//! From expressions to terms: names are resolved, and each `*` becomes a hidden variable.
//!
//! A hidden variable is given an arbitrary value just before its use and is never read
//! after, so all statements of a function share them: the first `*` of any statement is
//! `f::$n1`, the second `f::$n2`.

use super::ast::{Expr, Name, Node};
use crate::cursor::MAX_ERRORS;
use rustc_hash::{FxHashMap, FxHashSet};
use std::collections::BTreeSet;
use tamis_ir::Diagnostic;
use tamis_term::{Node as TermNode, Sort, Term, Terms, Var};

/// What the lowering has to say about a text.
#[derive(Debug, Default)]
pub(super) struct Findings {
    pub errors: Vec<Diagnostic>,
    pub warnings: Vec<Diagnostic>,
}

impl Findings {
    /// Records an error, unless there are enough.
    pub fn refuse(&mut self, error: Diagnostic) {
        if self.errors.len() < MAX_ERRORS {
            self.errors.push(error);
        }
    }
}

/// What a primed variable stands for.
#[derive(Clone, Copy, Debug)]
pub(super) enum Primes<'m> {
    /// Nothing: this is no place for one.
    Forbidden,
    /// The term in the map, or else the variable itself.
    Stand(&'m FxHashMap<Var, Term>),
}

/// The names that a function sees, and its hidden variables.
#[derive(Debug)]
pub(super) struct Formulas<'a, 's> {
    pub terms: &'a mut Terms,
    pub findings: &'a mut Findings,
    pub nodes: &'a [Node<'s>],
    pub globals: &'a FxHashMap<&'s str, Var>,
    pub locals: FxHashMap<&'s str, Var>,
    /// The function's name.
    pub function: &'s str,
    /// Hidden variables for `*`, and the same as a set.
    choices: Vec<Var>,
    known: FxHashSet<Var>,
    /// How many of them the current statement has taken.
    taken: usize,
    /// Names already reported as unknown.
    unknown: FxHashSet<&'s str>,
}

impl<'a, 's> Formulas<'a, 's> {
    pub fn new(
        terms: &'a mut Terms,
        findings: &'a mut Findings,
        nodes: &'a [Node<'s>],
        globals: &'a FxHashMap<&'s str, Var>,
        function: &'s str,
    ) -> Formulas<'a, 's> {
        let (locals, choices, known, unknown) =
            (FxHashMap::default(), Vec::new(), FxHashSet::default(), FxHashSet::default());
        Formulas { terms, findings, nodes, globals, locals, function, choices, known, taken: 0, unknown }
    }

    /// Declares a hidden variable of the function.
    pub fn hidden(&mut self, name: &str) -> Var {
        self.terms.declare(&format!("{}::${name}", self.function), Sort::Bool)
    }

    /// Starts a statement: its first `*` is the first hidden variable again.
    pub fn start_statement(&mut self) {
        self.taken = 0;
    }

    /// Whether the current statement has a `*` so far.
    pub fn has_choices(&self) -> bool {
        self.taken > 0
    }

    /// A hidden variable for one `*`.
    pub fn choice(&mut self) -> Term {
        if self.taken == self.choices.len() {
            let var = self.hidden(&format!("n{}", self.taken + 1));
            self.choices.push(var);
            self.known.insert(var);
        }
        self.taken += 1;
        self.terms.var(self.choices[self.taken - 1])
    }

    /// Whether a term of the current statement is one `*` and nothing else.
    pub fn is_choice(&self, term: Term) -> bool {
        matches!(self.terms.node(term), TermNode::Var(var) if self.known.contains(var))
    }

    /// The hidden variables that the terms of the current statement really depend on.
    pub fn choices_in(&self, roots: &[Term]) -> Vec<Var> {
        if self.taken == 0 {
            return Vec::new();
        }
        self.terms.free_vars(roots).into_iter().filter(|var| self.known.contains(var)).collect()
    }

    /// The variable of that name; records an error if there is none.
    pub fn resolve(&mut self, name: Name<'s>) -> Option<Var> {
        let found = self.locals.get(name.text).or_else(|| self.globals.get(name.text)).copied();
        if found.is_none() && self.unknown.insert(name.text) {
            self.findings.refuse(if name.text == "_" {
                Diagnostic::error(name.span, "`_` has no value").hint("it can only be assigned to")
            } else {
                Diagnostic::error(name.span, format!("unknown variable `{}`", name.text)).hint(match name.text {
                    "true" | "TRUE" | "True" => "write `T` for true".to_owned(),
                    "false" | "FALSE" | "False" => "write `F` for false".to_owned(),
                    text => format!("declare it: `decl {text};`"),
                })
            });
        }
        found
    }

    /// The variables whose values before the step an expression reads.
    pub fn reads(&mut self, expr: Expr) -> FxHashSet<Var> {
        let nodes = self.nodes;
        let mut reads = FxHashSet::default();
        for node in &nodes[expr.first..=expr.root] {
            if let Node::Var(name) = node {
                reads.extend(self.resolve(*name));
            }
        }
        reads
    }

    /// All variables of the text that the function can reach, in order of declaration.
    pub fn scope(&self) -> BTreeSet<Var> {
        #[allow(clippy::iter_over_hash_type, reason = "the set puts them in order")]
        self.globals.values().chain(self.locals.values()).copied().collect()
    }

    /// The term of an expression; if it is wrong, records why.
    pub fn formula(&mut self, expr: Expr, primes: Primes<'_>) -> Option<Term> {
        let nodes = self.nodes;
        let mut values: Vec<Term> = Vec::with_capacity(expr.root + 1 - expr.first);
        let mut fine = true;
        for node in &nodes[expr.first..=expr.root] {
            let value = |at: &usize| values[*at - expr.first];
            let term = match node {
                Node::Const(value) => self.terms.bool(*value),
                Node::Any => self.choice(),
                Node::Var(name) | Node::Primed(name) => {
                    let is_primed = matches!(node, Node::Primed(_));
                    let term = self.variable(*name, is_primed.then_some(primes));
                    fine &= term.is_some();
                    term.unwrap_or_else(|| self.terms.bool(false))
                }
                Node::Not(a) => self.terms.not(value(a)),
                Node::And(args) => self.terms.and(&args.iter().map(value).collect::<Vec<_>>()),
                Node::Or(args) => self.terms.or(&args.iter().map(value).collect::<Vec<_>>()),
                Node::Xor(a, b) => self.terms.xor(value(a), value(b)),
                Node::Equal(a, b) => self.terms.eq(value(a), value(b)),
                Node::Implies(a, b) => self.terms.implies(value(a), value(b)),
                Node::Choose(positive, negative) => {
                    let (positive, negative, choice) = (value(positive), value(negative), self.choice());
                    let not = self.terms.not(negative);
                    let open = self.terms.and(&[not, choice]);
                    self.terms.or(&[positive, open])
                }
            };
            values.push(term);
        }
        values.pop().filter(|_| fine)
    }

    /// The term of a variable, which is primed if `primes` is given.
    fn variable(&mut self, name: Name<'s>, primes: Option<Primes<'_>>) -> Option<Term> {
        let var = self.resolve(name)?;
        match primes {
            Some(Primes::Forbidden) => {
                let error = Diagnostic::error(name.span, format!("`'{}` outside `constrain`", name.text))
                    .hint("remove the prime: only `constrain` speaks about values after a step");
                self.findings.refuse(error);
                None
            }
            Some(Primes::Stand(map)) if map.contains_key(&var) => map.get(&var).copied(),
            Some(Primes::Stand(_)) | None => Some(self.terms.var(var)),
        }
    }
}
