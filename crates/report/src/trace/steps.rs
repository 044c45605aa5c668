//! A trace of a system: the start, and a row for each step, with the values that it changes. All of
//! it comes from one place of the source, so places are told for the error alone.

use super::{Detail, Row, Table, error, short_place, shown, title};
use crate::style::{Colour, Ink};
use crate::walk::{Note, Walk};
use tamis_ir::{Loc, Program, PropertyId};

/// The trace as text. Steps begin and end at the head.
pub(super) fn render(
    mut walk: Walk<'_>,
    program: &Program,
    property: PropertyId,
    head: Loc,
    detail: Detail,
    colour: Colour,
) -> String {
    let is_input = |note: &&Note| matches!(note, Note::Input(_));
    let mut table = Table::new(detail);
    let start = walk.start();
    let mut inputs = start.len();
    let mut notes: Vec<(Ink, String)> = start.iter().map(shown).collect();
    let mut done: Option<u64> = None;
    while let Some(told) = walk.step() {
        inputs += told.notes.iter().filter(is_input).count();
        notes.extend(told.notes.iter().map(shown));
        if walk.here().0 != head {
            continue;
        }
        let place = match done {
            None => "start".to_owned(),
            Some(before) => format!("step {}", before + 1),
        };
        done = Some(done.map_or(0, |before| before + 1));
        if notes.is_empty() {
            notes.push((Ink::Faint, "nothing changes".into()));
        }
        table.push(Row { place, notes: std::mem::take(&mut notes), steps: 1, ..Row::default() });
    }
    // What is chosen in the step that sees the error, and where that was asked.
    let (loc, place, _) = walk.here();
    let place = place.map_or_else(|| "end".into(), |place| short_place(&place.file, place.line));
    notes.push(error(program, property, loc));
    table.push(Row { place, notes, ..Row::default() });
    let steps = usize::try_from(done.unwrap_or(0)).unwrap_or(usize::MAX);
    format!("{}\n{}", colour.paint(Ink::Bold, &title(steps, inputs)), table.render(colour))
}
