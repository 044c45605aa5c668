//! A proof as people want to see it: how much there is, and the invariants that fit a line.

use crate::expr::{Reading, is_hidden, term_with, user_name};
use crate::style::{Colour, Ink, clip, count, one_line, plural, width};
use crate::trace::Detail;
use crate::walk::Places;
use crate::witness_file::Expanded;
use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::path::Path;
use tamis_ir::{Program, Proof};
use tamis_term::{Term, Terms, Var};

/// How many invariants a short summary shows, and how long each may be.
const MAX_ROWS: usize = 12;
const MAX_FORMULA: usize = 70;

/// How long an invariant may be when all are asked for.
const MAX_FULL: usize = 2000;

/// The proof as text.
#[must_use]
pub fn render(terms: &mut Terms, program: &Program, proof: &Proof, detail: Detail, colour: Colour) -> String {
    let summaries = match proof.summaries.len() {
        1 => "1 summary".to_owned(),
        many => format!("{} summaries", count(many as u64)),
    };
    let title = format!("the proof has {} and {summaries}", plural(proof.invariants.len() as u64, "invariant"));
    let Ok(expanded) = Expanded::new(terms, program, &proof.inlined) else { return title + "\n" };
    let rows = rows(terms, expanded.program.as_ref().unwrap_or(program), proof, &expanded, detail);
    if rows.is_empty() {
        let title = "the proof needs no invariant: control never gets to the error";
        return colour.paint(Ink::Bold, title) + "\n";
    }
    let title = title + ":";
    let shown = match detail {
        Detail::Short => rows.len().min(MAX_ROWS),
        Detail::Full => rows.len(),
    };
    let left = rows.iter().take(shown).map(|(place, _)| width(place)).max().unwrap_or(0);
    let mut text = colour.paint(Ink::Bold, &title) + "\n";
    for (place, formula) in rows.iter().take(shown) {
        let gap = " ".repeat(left - width(place));
        let _ = writeln!(text, "{}{gap}  {formula}", colour.paint(Ink::Faint, place));
    }
    let (more, trivial) = (rows.len() - shown, proof.invariants.len() + proof.summaries.len() - rows.len());
    let rest = [(more, plural(more as u64, "more formula")), (trivial, plural(trivial as u64, "trivial one"))];
    let rest: Vec<String> = rest.into_iter().filter(|(number, _)| *number > 0).map(|(_, words)| words).collect();
    if !rest.is_empty() {
        let more = format!("… and {}; --proof full shows them", rest.join(", and "));
        text.push_str(&colour.paint(Ink::Faint, &more));
        text.push('\n');
    }
    text
}

/// The formulas with their places, by procedure and line. A short summary leaves out what
/// says nothing.
fn rows(terms: &Terms, program: &Program, proof: &Proof, expanded: &Expanded, detail: Detail) -> Vec<(String, String)> {
    let olds: BTreeMap<Var, Var> = proof.old.iter().map(|(var, old)| (*old, *var)).collect();
    let name = |var: Var| match olds.get(&var) {
        Some(now) => format!("old({})", one_line(&user_name(terms.name(*now)))),
        None => one_line(&user_name(terms.name(var))),
    };
    let notation = |var: Var| program.notes.notation.get(olds.get(&var).unwrap_or(&var));
    let reading = Reading { name: &name, notation: &notation };
    let formula = |formula: Term| match detail {
        Detail::Full => term_with(terms, formula, MAX_FULL, reading),
        Detail::Short => {
            let text = term_with(terms, formula, MAX_FORMULA, reading);
            let clipped = text.ends_with('…');
            if clipped { format!("{text} ({})", plural(terms.dag_size(formula) as u64, "term")) } else { text }
        }
    };
    let worth = |formula: Term| detail == Detail::Full || !terms.is_true(formula);
    let mut places = Places::new(program);
    let mut found = Vec::new();
    for (loc, invariant) in proof.invariants.iter().filter(|(_, invariant)| worth(**invariant)) {
        let Some(proc) = expanded.home(*loc) else { continue };
        let location = &program.locs[loc.index()];
        let place = places.find(location.span);
        let line = place.as_ref().map_or(0, |place| place.line);
        let file = place.as_ref().map_or(String::new(), |place| short(&place.file));
        let label = location.label.as_deref().filter(|label| !is_hidden(label));
        let label = label.map_or(String::new(), |label| format!(" {}", one_line(label)));
        let head = one_line(&program.proc(proc).name);
        let at = if line == 0 { format!("#{}", loc.index()) } else { format!("{file}:{line}") };
        found.push(((proc.index(), 0, line, loc.index()), format!("{head} {at}{label}"), formula(*invariant)));
    }
    for (proc, summary) in proof.summaries.iter().filter(|(_, summary)| worth(**summary)) {
        let head = one_line(&program.proc(*proc).name);
        found.push(((proc.index(), 1, 0, 0), format!("{head} returns"), formula(*summary)));
    }
    found.sort();
    found.into_iter().map(|(_, place, formula)| (clip(&place, 40), formula)).collect()
}

fn short(file: &str) -> String {
    Path::new(file).file_name().map_or_else(|| one_line(file), |name| one_line(&name.to_string_lossy()))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sample::Sample;

    #[test]
    fn invariants_are_shown_by_procedure_and_line() {
        let mut sample = Sample::new(1);
        let text = render(&mut sample.terms, &sample.program, &sample.proof, Detail::Short, Colour::Plain);
        assert_eq!(
            text,
            "\
the proof has 4 invariants and 1 summary:
main half.c:5   g == old(g) && x <= y
main half.c:6   x <= y
half half.c:10  g == old(g)
half returns    g == old(g)
… and 1 trivial one; --proof full shows them
"
        );
        let full = render(&mut sample.terms, &sample.program, &sample.proof, Detail::Full, Colour::Plain);
        assert!(full.contains("main half.c:2   true"), "{full}");
    }
}
