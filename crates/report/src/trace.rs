//! A trace as a table that people read: the place, the source line indented by calls, and
//! what changed. Steps of one line are one row; a long trace is elided in the middle. A trace of a
//! system has a row for each of its steps (`steps`).

mod steps;

use crate::expr::{is_hidden, term_of};
use crate::hardware::head;
use crate::style::{Colour, Ink, clip, count, one_line, plural, width};
use crate::walk::{Note, Place, Told, Walk};
use rustc_hash::FxHashMap;
use std::collections::VecDeque;
use std::fmt::Write as _;
use std::path::Path;
use std::rc::Rc;
use tamis_ir::{EdgeId, Loc, Op, Program, PropertyId, Trace};
use tamis_term::Terms;

/// How much of a trace is shown.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Detail {
    /// The beginning and the end.
    Short,
    /// Every step.
    Full,
}

/// How many rows of a long trace are shown at its beginning and at its end.
const HEAD: usize = 24;
const TAIL: usize = 24;

/// Columns that the whole table, its places and its source lines may take.
const TABLE: usize = 110;
const PLACE: usize = 32;
const SOURCE: usize = 48;

/// How many steps of a line a row may take, and how many notes of a row are shown.
const MAX_STEPS: usize = 64;
const MAX_NOTES: usize = 40;

/// How deep calls are indented; deeper ones get their depth as a number.
const MAX_INDENT: usize = 8;

/// How long a condition may be to be shown; half of one tells nothing.
const CONDITION: usize = 40;

/// The trace as text.
#[must_use]
pub fn render(
    terms: &Terms,
    program: &Program,
    property: PropertyId,
    trace: &Trace,
    detail: Detail,
    colour: Colour,
) -> String {
    if let Some(head) = program.notes.signals.as_ref().and_then(|_| head(program)) {
        return steps::render(
            Walk::new(terms, program, trace).with_new_inputs(),
            program,
            property,
            head,
            detail,
            colour,
        );
    }
    let mut table = Table::new(detail);
    let mut walk = Walk::new(terms, program, trace);
    let start = walk.start();
    let inputs = start.len();
    if !start.is_empty() {
        table.push(Row { text: "start".into(), notes: start.iter().map(shown).collect(), ..Row::default() });
    }
    let mut rows = Rows { terms, program, siblings: siblings(program), open: None, table, inputs };
    let mut lines = FxHashMap::default();
    while let Some(told) = walk.step() {
        rows.add(&told, &mut lines);
    }
    let (loc, place, depth) = walk.here();
    let label = program.locs.get(loc.index()).and_then(|loc| loc.label.as_deref());
    rows.end(place.as_deref(), label, depth, error(program, property, loc));
    format!("{}\n{}", colour.paint(Ink::Bold, &title(walk.told(), rows.inputs)), rows.table.render(colour))
}

/// What is violated at the end.
fn error(program: &Program, property: PropertyId, loc: Loc) -> (Ink, String) {
    (Ink::Error, format!("ERROR: {}", one_line(&program.property_at(property, loc).about)))
}

fn title(steps: usize, inputs: usize) -> String {
    let steps = plural(steps as u64, "step");
    match inputs {
        0 => format!("the error is reached in {steps}:"),
        n => format!("the error is reached in {steps} with {}:", plural(n as u64, "input")),
    }
}

fn shown(note: &Note) -> (Ink, String) {
    match note {
        Note::Change(text) => (Ink::Value, text.clone()),
        Note::Input(text) => (Ink::Input, format!("{text} (input)")),
        Note::Enter(text) => (Ink::Call, format!("> {text}")),
        Note::Leave(text) => (Ink::Call, format!("< {text}")),
    }
}

fn short_place(file: &str, line: u32) -> String {
    let name = Path::new(file).file_name().map_or(file.into(), |name| name.to_string_lossy());
    format!("{}:{line}", clip(&one_line(&name), PLACE))
}

/// The edges that leave each location with a choice.
fn siblings(program: &Program) -> FxHashMap<Loc, Rc<[EdgeId]>> {
    let mut out: FxHashMap<Loc, Vec<EdgeId>> = FxHashMap::default();
    for (id, edge) in program.edges() {
        out.entry(edge.from).or_default().push(id);
    }
    out.retain(|_, edges| edges.len() > 1);
    let mut shared = FxHashMap::default();
    shared.extend(out.into_iter().map(|(loc, edges)| (loc, Rc::from(edges))));
    shared
}

/// A row of the table.
#[derive(Clone, Debug, Default)]
struct Row {
    place: String,
    text: String,
    depth: usize,
    notes: Vec<(Ink, String)>,
    steps: usize,
}

/// Gathers steps into rows.
struct Rows<'a> {
    terms: &'a Terms,
    program: &'a Program,
    siblings: FxHashMap<Loc, Rc<[EdgeId]>>,
    open: Option<Open>,
    table: Table,
    inputs: usize,
}

/// A row that may still grow: by steps of the same line and the same call, each edge once.
struct Open {
    row: Row,
    place: Option<Rc<Place>>,
    edges: Vec<EdgeId>,
    entered: bool,
}

impl Open {
    /// Whether a step there belongs to this row. One without a place belongs to any.
    fn goes_on(&self, place: Option<&Place>, depth: usize) -> bool {
        let same = match (place, &self.place) {
            (None, _) => true,
            (Some(new), Some(old)) => (new.line, &new.file) == (old.line, &old.file),
            (Some(_), None) => false,
        };
        same && !self.entered && self.row.depth == depth
    }
}

impl Rows<'_> {
    fn add(&mut self, told: &Told<'_>, lines: &mut FxHashMap<EdgeId, Option<u32>>) {
        let entering = told.notes.iter().any(|note| matches!(note, Note::Enter(_)));
        let leaving = told.notes.iter().any(|note| matches!(note, Note::Leave(_)));
        let mut notes: Vec<(Ink, String)> = told.notes.iter().map(shown).collect();
        self.inputs += told.notes.iter().filter(|note| matches!(note, Note::Input(_))).count();
        // A return whose results are shown need not name the procedure as well.
        if leaving && notes.len() > 1 {
            notes.remove(0);
            if let Some((_, first)) = notes.first_mut() {
                first.insert_str(0, "< ");
            }
        }
        if let Some(condition) = self.condition(told, lines) {
            notes.push((Ink::Faint, format!("[{condition}]")));
        }
        if let Some(open) = &mut self.open
            && !leaving
            && open.goes_on(told.place.as_deref(), told.depth)
            && open.edges.len() < MAX_STEPS
            && told.edge.is_none_or(|edge| !open.edges.contains(&edge))
        {
            open.row.notes.append(&mut notes);
            open.row.steps += 1;
            open.edges.extend(told.edge);
            open.entered |= entering;
            return;
        }
        self.close();
        let (place, text) = match &told.place {
            Some(place) => (short_place(&place.file, place.line), place.text.clone()),
            None => (String::new(), String::new()),
        };
        let row = Row { place, text, depth: told.depth, notes, steps: 1 };
        let (place, edges) = (told.place.clone(), told.edge.into_iter().collect());
        self.open = Some(Open { row, place, edges, entered: entering });
    }

    /// The branch that was taken, where the source line alone does not tell.
    fn condition(&self, told: &Told<'_>, lines: &mut FxHashMap<EdgeId, Option<u32>>) -> Option<String> {
        let id = told.edge?;
        let edge = self.program.edge(id);
        let Op::Assume(condition) = edge.op else { return None };
        let mut line = |id: EdgeId| {
            let find = || self.program.sources.position(self.program.edge(id).span).map(|place| place.line);
            *lines.entry(id).or_insert_with(find)
        };
        let siblings = self.siblings.get(&edge.from)?;
        let own = line(id);
        let ambiguous = siblings.iter().any(|other| *other != id && line(*other) == own);
        let visible = || !self.terms.free_vars(&[condition]).iter().any(|var| is_hidden(self.terms.name(*var)));
        let constant = self.terms.value(condition).is_some();
        let text = (ambiguous && !constant && visible())
            .then(|| one_line(&term_of(self.terms, self.program, condition, CONDITION)));
        text.filter(|text| !text.ends_with('…'))
    }

    /// Adds the error: to the last row, if it is of the same line.
    fn end(&mut self, place: Option<&Place>, label: Option<&str>, depth: usize, error: (Ink, String)) {
        if let Some(open) = &mut self.open
            && place.is_some()
            && open.goes_on(place, depth)
        {
            open.row.notes.push(error);
            return self.close();
        }
        self.close();
        let (place, text) = match place {
            Some(place) => (short_place(&place.file, place.line), place.text.clone()),
            None => (String::new(), label.map_or_else(String::new, |label| format!("{}:", one_line(label)))),
        };
        self.table.push(Row { place, text, depth, notes: vec![error], steps: 0 });
    }

    fn close(&mut self) {
        // A step with no place that changes nothing is a front end's own.
        if let Some(open) = self.open.take() {
            if open.row.place.is_empty() && open.row.notes.is_empty() {
                self.table.hidden(open.row.steps);
            } else {
                self.table.push(open.row);
            }
        }
    }
}

/// The rows to show: all, or those at both ends.
struct Table {
    detail: Detail,
    head: Vec<Row>,
    tail: VecDeque<Row>,
    elided: usize,
}

impl Table {
    fn new(detail: Detail) -> Table {
        Table { detail, head: Vec::new(), tail: VecDeque::new(), elided: 0 }
    }

    fn push(&mut self, mut row: Row) {
        if self.detail == Detail::Short && row.notes.len() > MAX_NOTES {
            let more = count((row.notes.len() - MAX_NOTES) as u64);
            row.notes.truncate(MAX_NOTES);
            row.notes.push((Ink::Faint, format!("… {more} more")));
        }
        if self.detail == Detail::Full || self.head.len() < HEAD {
            return self.head.push(row);
        }
        self.tail.push_back(row);
        // One row more than the tail: an elision that stands for a single row saves nothing.
        if self.tail.len() > TAIL + usize::from(self.elided == 0) {
            let drop = self.tail.len() - TAIL;
            self.elided += self.tail.drain(..drop).map(|row| row.steps).sum::<usize>();
        }
    }

    /// Steps that have no row of their own are counted with the row before.
    fn hidden(&mut self, steps: usize) {
        if let Some(row) = self.tail.back_mut().or(self.head.last_mut()) {
            row.steps += steps;
        }
    }

    fn render(&self, colour: Colour) -> String {
        let rows = || self.head.iter().chain(&self.tail);
        let place = rows().map(|row| width(&row.place)).max().unwrap_or(0);
        let source = rows().map(|row| width(&row.indented())).max().unwrap_or(0).min(SOURCE);
        let columns = Columns { place, source, colour };
        let mut text = String::new();
        self.head.iter().for_each(|row| columns.write(row, &mut text));
        if self.elided > 0 {
            let elision = format!("… {} steps …", count(self.elided as u64));
            let _ = writeln!(text, "{:place$}  {}", "", colour.paint(Ink::Faint, &elision));
        }
        self.tail.iter().for_each(|row| columns.write(row, &mut text));
        text
    }
}

impl Row {
    fn indented(&self) -> String {
        let indent = "  ".repeat(self.depth.min(MAX_INDENT));
        let deep = if self.depth > MAX_INDENT { format!("({}) ", self.depth) } else { String::new() };
        clip(&format!("{indent}{deep}{}", self.text), SOURCE)
    }
}

/// The widths of the columns.
struct Columns {
    place: usize,
    source: usize,
    colour: Colour,
}

impl Columns {
    fn write(&self, row: &Row, out: &mut String) {
        let source = row.indented();
        let left = self.place + 2 + self.source + 2;
        let pad = |text: &str, columns: usize| " ".repeat(columns.saturating_sub(width(text)));
        let mut line = self.colour.paint(Ink::Faint, &row.place);
        let _ = write!(line, "{}  {source}", pad(&row.place, self.place));
        let mut gap = format!("{}  ", pad(&source, self.source));
        let mut used = left;
        for (ink, note) in &row.notes {
            let note = clip(note, (TABLE - left.min(TABLE)).max(40));
            let more = width(&note);
            if used > left && used + more > TABLE {
                out.push_str(line.trim_end());
                out.push('\n');
                line = " ".repeat(left);
                used = left;
            } else {
                line.push_str(&gap);
            }
            line.push_str(&self.colour.paint(*ink, &note));
            used += more + 2;
            gap = "  ".into();
        }
        out.push_str(line.trim_end());
        out.push('\n');
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sample::{SOURCE, Sample};

    fn check(sample: &Sample, detail: Detail, expected: &str) {
        let text = render(&sample.terms, &sample.program, sample.property, &sample.trace, detail, Colour::Plain);
        assert_eq!(text.trim_end(), expected.trim_matches('\n'), "\n{SOURCE}\n{text}");
    }

    #[test]
    fn calls_inputs_and_branches_are_shown() {
        check(
            &Sample::new(1),
            Detail::Short,
            "
the error is reached in 6 steps with 2 inputs:
           start                 g = 3 (input)
half.c:4   x = 0, y = g;         x = 0  y = 3
half.c:5   x = half(y);          > half(n = 3)
half.c:11    m = *;              m = 1 (input)
half.c:12    return n / 2 + m;
half.c:5   x = half(y);          < x = 2
half.c:6   if (x < y) goto bad;  [x < y]
half.c:8   bad: skip;            ERROR: label bad is reached",
        );
    }

    #[test]
    fn a_long_trace_is_elided_in_the_middle() {
        let sample = Sample::new(400);
        let text = render(&sample.terms, &sample.program, sample.property, &sample.trace, Detail::Short, Colour::Plain);
        assert_eq!(text.lines().count(), 1 + HEAD + 1 + TAIL);
        assert!(text.contains("… 2,354 steps …"), "{text}");
        let full = render(&sample.terms, &sample.program, sample.property, &sample.trace, Detail::Full, Colour::Plain);
        assert!(full.lines().count() > 2000);
    }

    #[test]
    fn many_notes_wrap_under_each_other() {
        let mut table = Table::new(Detail::Full);
        let notes = (0..12).map(|n| (Ink::Value, format!("variable_{n} = {n}"))).collect();
        table.push(Row { place: "a.rem:1".into(), text: "x = 1".into(), depth: 1, notes, steps: 1 });
        assert_eq!(
            table.render(Colour::Plain),
            "\
a.rem:1    x = 1  variable_0 = 0  variable_1 = 1  variable_2 = 2  variable_3 = 3  variable_4 = 4
                  variable_5 = 5  variable_6 = 6  variable_7 = 7  variable_8 = 8  variable_9 = 9
                  variable_10 = 10  variable_11 = 11
"
        );
    }
}
