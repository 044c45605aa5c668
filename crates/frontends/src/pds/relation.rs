//! What the names in a relation mean, and relations as terms.

use super::ast::{File, Formula, Item, Name, Operator};
use super::names::{Names, Symbol};
use tamis_ir::Diagnostic;
use tamis_term::{Term, Terms, Var};

/// What the names in a relation mean.
pub(super) struct Scope<'r, 's> {
    pub names: &'r Names<'s>,
    pub file: &'r File<'s>,
    /// Before and after.
    pub globals: [&'r [Var]; 2],
    pub head: Symbol,
    pub now: &'r [Var],
    /// Of the symbols behind the arrow.
    pub frames: &'r [(Symbol, Vec<Var>)],
}

impl Scope<'_, '_> {
    /// The relation as a term.
    pub fn term(&self, terms: &mut Terms, formula: &Formula<'_>) -> Result<Term, Diagnostic> {
        let mut stack: Vec<Term> = Vec::new();
        for item in formula {
            let term = match item {
                Item::Truth(value) => terms.bool(*value),
                Item::Var(name, primes) => {
                    let var = self.var(name, *primes)?;
                    terms.var(var)
                }
                Item::Not => {
                    let operand = stack.pop().expect("an operand stands in front of its operator");
                    terms.not(operand)
                }
                Item::Binary(operator) => {
                    let right = stack.pop().expect("an operand stands in front of its operator");
                    let left = stack.pop().expect("an operand stands in front of its operator");
                    match operator {
                        Operator::Implies => terms.implies(left, right),
                        Operator::Or => terms.or(&[left, right]),
                        Operator::And => terms.and(&[left, right]),
                        Operator::Equal => terms.eq(left, right),
                        Operator::Xor | Operator::Differ => terms.distinct(left, right),
                    }
                }
            };
            stack.push(term);
        }
        Ok(stack.pop().expect("a formula has an operand"))
    }

    fn var(&self, name: &Name<'_>, primes: u8) -> Result<Var, Diagnostic> {
        if let Some(at) = self.names.globals.get(name.text) {
            return match self.globals.get(usize::from(primes)) {
                Some(vars) => Ok(vars[*at]),
                None => Err(Diagnostic::error(name.span, format!("the global `{}` has no two primes", name.text))
                    .hint("a global has a value before and one after; two primes are for the second frame")),
            };
        }
        let (symbol, vars) = match primes.checked_sub(1) {
            None => (self.head, self.now),
            Some(at) => {
                let Some((symbol, vars)) = self.frames.get(usize::from(at)) else {
                    let error = format!("there is no frame behind the arrow that `{}` is in", name.text);
                    let hint = "one prime is for the first, two are for the second";
                    return Err(Diagnostic::error(name.span, error).hint(hint));
                };
                (*symbol, &vars[..])
            }
        };
        let own = self.names.groups[symbol].map_or(&[][..], |group| &self.file.locals[group].vars);
        let at = own.iter().position(|var| var.text == name.text).ok_or_else(|| {
            let error = format!("the frame of `{}` has no variable `{}`", self.names.symbols[symbol], name.text);
            Diagnostic::error(name.span, error).hint("declare it as `global`, or as `local` of that symbol")
        })?;
        Ok(vars[at])
    }
}
