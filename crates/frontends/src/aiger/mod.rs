//! AIGER 1.9 (Biere, Heljanko, Wieringa, *AIGER 1.9 and Beyond*, 2011), in text and in binary:
//! circuits of latches and and-gates.
//!
//! # What a circuit means
//!
//! - Latches start with 0, with 1, with any value (a reset to themselves), or with the value of
//!   any gate, as the competition of 2025 allows. Such a gate reads initial values of other
//!   latches and the inputs of the first step.
//! - Inputs are chosen anew in every step. Constraints hold in every step up to and including the
//!   one in which the error is seen.
//! - Bad signals are the properties `b0`, `b1`, …; the default is all of them together. A file
//!   without bad signals is an old one: its outputs are meant, as `o0`, `o1`, ….
//! - Justice and fairness are not checked: a warning where there is something else to check, an
//!   error otherwise.
//!
//! # How it is lowered
//!
//! As a [`Machine`](tamis_ir::system::machine::Machine) of `Bool`s, named by the symbol table, or
//! `l0`, …, `main::i0`, …. Where initial values depend on inputs, three helpers follow the
//! latches: `$first`, true in the first step, and `$first.i0`, what the input is there.
//!
//! The parser is our own. `flussab-aiger`, which is good, takes no reset to a gate, and an error in
//! a binary file should tell the byte.
//!
//! # Files in order of reading
//!
//! `circuit` (the file as data), `read` (text and binary), `lower` (to a machine).

mod circuit;
mod lower;
mod read;

use crate::Lowered;
use read::Fault;
use std::sync::Arc;
use tamis_ir::source::Source;
use tamis_ir::{Diagnostic, SourceId, Sources, Span};
use tamis_term::Terms;

/// Lowers one file of the table.
///
/// # Errors
/// At least one error that says what is wrong with the file.
pub fn lower(terms: &mut Terms, sources: Arc<Sources>, source: SourceId) -> Result<Lowered, Vec<Diagnostic>> {
    let table = sources.clone();
    let Some(file) = table.get(source) else {
        return Err(vec![Diagnostic::error(Span::default(), "this source is not in the table")]);
    };
    let places = Places { file, source };
    let circuit = read::read(file.bytes()).map_err(|fault| vec![places.diagnostic(fault)])?;
    let warnings = unchecked(&circuit, &places)?;
    let machine = lower::machine(terms, &circuit, places.header(), |placed| places.span(placed.at, placed.at))
        .map_err(|fault| vec![places.diagnostic(fault)])?;
    Ok(Lowered { program: machine.program(terms, sources), warnings })
}

/// Says that justice and fairness are not checked.
fn unchecked(circuit: &circuit::Circuit, places: &Places<'_>) -> Result<Vec<Diagnostic>, Vec<Diagnostic>> {
    let ((justice, at), (fairness, fair_at)) = (circuit.justice, circuit.fairness);
    let mut warnings = Vec::new();
    if justice > 0 && circuit.bads.is_empty() {
        let error =
            Diagnostic::error(places.span(at, at), "justice properties are not supported, and there is no bad signal");
        return Err(vec![error.hint("what can be checked is whether a bad signal becomes true")]);
    }
    if justice > 0 {
        let warning = Diagnostic::warning(places.span(at, at), "justice properties are not checked");
        warnings.push(warning.hint("only bad signals are"));
    } else if fairness > 0 {
        let message = "fairness constraints do not change which states are reached: they are ignored";
        warnings.push(Diagnostic::warning(places.span(fair_at, fair_at), message));
    }
    Ok(warnings)
}

/// Places in a file that may be binary.
struct Places<'a> {
    file: &'a Source,
    source: SourceId,
}

impl Places<'_> {
    /// The first line.
    fn header(&self) -> Span {
        let end = self.file.text.find('\n').unwrap_or(self.file.text.len());
        Span { source: self.source, start: 0, end: u32::try_from(end).unwrap_or(u32::MAX) }
    }

    /// The span of these bytes, if they are text; otherwise the header, or what there is of it.
    fn span(&self, start: usize, end: usize) -> Span {
        match (self.file.text.get(start..end), u32::try_from(start), u32::try_from(end)) {
            (Some(_), Ok(start), Ok(end)) => Span { source: self.source, start, end },
            _ => self.header(),
        }
    }

    fn diagnostic(&self, fault: Fault) -> Diagnostic {
        let Fault { start, end, message, hint } = fault;
        let span = self.span(start, end);
        let message = if span.start as usize == start { message } else { format!("at byte {start}: {message}") };
        Diagnostic { hint, ..Diagnostic::error(span, message) }
    }
}
