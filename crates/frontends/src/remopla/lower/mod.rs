//! From the syntax tree to the program, with the checks that need types.
//!
//! Files in order of reading: `value` (what an expression evaluates to), `expression`,
//! `access` (variables, cells and fields), `transition` (one rule of the text as a sequence
//! of operations), `update` (parallel assignments), `body` (control flow), `call`,
//! `relation` (`skip` with primes and raw rules), `stack` (rules outside modules), `start`
//! (where the program begins, and its properties).

mod access;
mod body;
mod call;
mod expression;
mod relation;
mod stack;
mod start;
mod transition;
mod update;
mod value;

use super::ast::File;
use super::names::{Names, resolve};
use super::report::Report;
use crate::Lowered;
use crate::cursor::Refused;
use rustc_hash::FxHashSet;
use std::sync::Arc;
use tamis_ir::{Diagnostic, Loc, Program, Sources, Span};
use tamis_term::Terms;

/// How much quantifiers and indices may expand to, in a whole text: about the number of
/// terms that they make.
const BUDGET: u64 = 1 << 22;

/// What all parts of the text share.
pub(super) struct Context<'n, 'a, 's> {
    terms: &'n mut Terms,
    program: &'n mut Program,
    names: &'n Names<'a, 's>,
    file: &'a File<'s>,
    report: &'n mut Report,
    /// All labels, in order, with their modules.
    labels: Vec<Label<'s>>,
    /// All labels and symbols of rules, alone and with the name of their module.
    symbols: FxHashSet<(Option<&'s str>, &'s str)>,
    /// The control location of raw rules.
    control: Option<&'s str>,
    /// What is left of [`BUDGET`].
    budget: u64,
}

/// A label of the text and the location that it became.
#[derive(Clone, Copy, Debug)]
struct Label<'s> {
    name: &'s str,
    module: &'s str,
    loc: Loc,
}

impl Context<'_, '_, '_> {
    /// Counts work that the text's length does not bound.
    fn spend(&mut self, amount: u64, span: Span) -> Result<(), Refused> {
        if self.budget == 0 {
            return Err(Refused);
        }
        self.budget = self.budget.saturating_sub(amount);
        if self.budget == 0 {
            let message = format!("quantifiers and array indices expand to more than {BUDGET} terms");
            return Err(self.report.error_with(span, message, "use smaller ranges and arrays"));
        }
        Ok(())
    }

    /// Complains about a whole array or struct where a single value is needed.
    fn whole(&mut self, span: Span) -> Refused {
        let hint = "name a cell or a field; to compare arrays, write `A i (low,high) a[i] == b[i]`";
        self.report.error_with(span, "a whole array or struct is no single value", hint)
    }
}

/// Lowers a syntax tree.
pub(super) fn lower(file: &File<'_>, terms: &mut Terms, sources: Arc<Sources>) -> Result<Lowered, Vec<Diagnostic>> {
    let mut program = Program::new(sources);
    let mut report = Report::default();
    let names = resolve(file, terms, &mut program, &mut report);
    if !report.failed() {
        let mut context = Context {
            terms,
            program: &mut program,
            names: &names,
            file,
            report: &mut report,
            labels: Vec::new(),
            symbols: FxHashSet::default(),
            control: None,
            budget: BUDGET,
        };
        context.everything();
    }
    let warnings = report.finish()?;
    Ok(Lowered { program, warnings })
}
