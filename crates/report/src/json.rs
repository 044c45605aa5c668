//! The object of `--json`. The names of its keys are frozen: tools read them.
//!
//! A run gives a [`Report`]: `verdict` is `true`, `false(unreach-call)` (or another kind of error)
//! or `unknown`, and only the last has a `reason`. What ends before a verdict gives a [`Failure`], whose verdict is
//! `error` and whose reason is `input` or `internal`. (A wrong command line gives no object.)

use crate::expr::term_of;
use crate::harness::Outcome;
use crate::values;
use crate::walk::{Places, Told, Walk};
use crate::witness_file::{ProofText, proof_text};
use serde::ser::{Serialize, SerializeStruct, Serializer};
use serde_json::ser::Formatter;
use serde_json::{Map, Value as Json};
use std::io;
use std::time::Duration;
use tamis_ir::{Action, Diagnostic, Op, Program, PropertyId, Severity, Sources, Trace};
use tamis_term::{Terms, Value, Var};
use tamis_witness::{Reason, Verdict};

/// The version of the program that writes the report.
pub const VERSION: &str = env!("CARGO_PKG_VERSION");

/// The first word of a verdict about a property: all of it, except for the reason of `Unknown`.
/// An unsafe one names the kind of the error where its trace ends.
#[must_use]
pub fn verdict_word(program: &Program, property: PropertyId, verdict: &Verdict) -> String {
    match verdict {
        Verdict::Safe(_) => "true".to_owned(),
        Verdict::Unsafe(trace) => format!("false({})", program.kind_at(property, trace.last(program))),
        Verdict::Unknown(_) => UNKNOWN.to_owned(),
    }
}

/// The verdict line: one line whatever the reason says.
#[must_use]
pub fn verdict_line(program: &Program, property: PropertyId, verdict: &Verdict) -> String {
    match verdict {
        Verdict::Safe(_) | Verdict::Unsafe(_) => crate::style::one_line(&verdict_word(program, property, verdict)),
        Verdict::Unknown(reason) => unknown_line(reason),
    }
}

/// The word for a verdict that is none.
pub const UNKNOWN: &str = "unknown";

/// The verdict line for a reason.
#[must_use]
pub fn unknown_line(reason: &Reason) -> String {
    format!("{UNKNOWN}({})", crate::style::one_line(&reason.to_string()))
}

/// What a run found.
#[derive(Debug, serde::Serialize)]
pub struct Report<'a> {
    /// `true`, `false(…)` or `unknown`.
    pub verdict: String,
    /// Why the verdict is unknown.
    pub reason: Option<String>,
    /// What was asked.
    pub property: Option<String>,
    /// About which file.
    pub file: String,
    /// Who answered.
    pub engine: String,
    /// Refinements.
    pub rounds: u64,
    /// The largest list of predicates at any location.
    pub predicates: u64,
    /// Abstract states or tree nodes explored.
    pub states: u64,
    /// Nodes of decision diagrams, at the peak.
    pub nodes: u64,
    /// Wall-clock time since the start, in seconds.
    pub time_s: f64,
    /// What the time went into, as far as the engine tells.
    pub phases: Phases,
    /// The most memory that was resident, in millions of bytes.
    pub memory_mb: f64,
    /// What the independent check said, if there was evidence.
    pub evidence: Option<Evidence>,
    /// What the compiled program did, if it was asked.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub replay: Option<Replay>,
    /// The run into the error.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub trace: Option<TraceJson<'a>>,
    /// The invariants.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub proof: Option<ProofText>,
    /// Of Tamis.
    pub version: &'static str,
}

/// What an engine spent its time on, in seconds.
#[derive(Clone, Copy, Debug, serde::Serialize)]
pub struct Phases {
    /// Building abstractions.
    pub abstraction_s: f64,
    /// Exploring them.
    pub saturation_s: f64,
    /// Examining counterexamples.
    pub refinement_s: f64,
}

/// What the independent check said.
#[derive(Clone, Copy, Debug, serde::Serialize)]
pub struct Evidence {
    /// Whether the evidence establishes the verdict.
    pub accepted: bool,
    /// How long the check took, in seconds.
    pub time_s: f64,
}

impl Evidence {
    /// What is to be said about the evidence of a verdict that comes out of the check.
    #[must_use]
    pub fn of(verdict: &Verdict, time: Duration) -> Option<Evidence> {
        let time_s = seconds(time);
        match verdict {
            Verdict::Safe(_) | Verdict::Unsafe(_) => Some(Evidence { accepted: true, time_s }),
            Verdict::Unknown(Reason::EvidenceRejected(_)) => Some(Evidence { accepted: false, time_s }),
            Verdict::Unknown(_) => None,
        }
    }
}

/// What the compiled program did.
#[derive(Clone, Debug, serde::Serialize)]
pub struct Replay {
    /// `replayed`, `not replayed` or `failed`.
    pub result: &'static str,
    /// Which error it ran into, why nothing is known, or what it did instead.
    pub detail: String,
}

impl Replay {
    /// What is to be said about a replay.
    #[must_use]
    pub fn of(outcome: &Outcome) -> Replay {
        Replay { result: outcome.word(), detail: outcome.detail().to_owned() }
    }
}

/// What ended before a verdict.
#[derive(Debug, serde::Serialize)]
pub struct Failure {
    /// Always `error`.
    pub verdict: &'static str,
    /// `input` or `internal`.
    pub reason: &'static str,
    /// What is wrong.
    pub diagnostics: Vec<Message>,
    /// About which file.
    pub file: String,
    /// Of Tamis.
    pub version: &'static str,
}

/// A diagnostic.
#[derive(Debug, serde::Serialize)]
pub struct Message {
    /// `error` or `warning`.
    pub severity: &'static str,
    /// What is wrong.
    pub message: String,
    /// What to do about it.
    pub hint: Option<String>,
    /// The source, if there is one.
    pub file: Option<String>,
    /// The line, counted from one.
    pub line: Option<u32>,
    /// The column in characters, counted from one.
    pub column: Option<u32>,
}

impl Message {
    /// A diagnostic about a place.
    #[must_use]
    pub fn located(sources: &Sources, diagnostic: &Diagnostic) -> Message {
        let position = sources.position(diagnostic.span);
        Message {
            severity: match diagnostic.severity {
                Severity::Error => "error",
                Severity::Warning => "warning",
            },
            message: diagnostic.message.clone(),
            hint: diagnostic.hint.clone(),
            file: sources.get(diagnostic.span.source).map(|source| source.name.clone()),
            line: position.map(|position| position.line),
            column: position.map(|position| position.column),
        }
    }

    /// An error without a place.
    #[must_use]
    pub fn plain(message: &str, hint: Option<&str>) -> Message {
        let (message, hint) = (message.to_owned(), hint.map(str::to_owned));
        Message { severity: "error", message, hint, file: None, line: None, column: None }
    }
}

/// Conditions longer than this are cut.
const CONDITION: usize = 200;

/// A trace for tools: step by step, with all variables under their full names. It is written
/// as it is told, because a list of all steps would take many times the trace's memory.
#[derive(Clone, Copy, Debug)]
pub struct TraceJson<'a> {
    /// The terms of the program.
    pub terms: &'a Terms,
    /// The program.
    pub program: &'a Program,
    /// What was asked.
    pub property: PropertyId,
    /// The trace.
    pub trace: &'a Trace,
}

impl Serialize for TraceJson<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut object = serializer.serialize_struct("Trace", 3)?;
        object.serialize_field("error", &error(self))?;
        object.serialize_field("start", &writes(self.terms, &self.trace.start))?;
        object.serialize_field("steps", &Steps(*self))?;
        object.end()
    }
}

/// What goes wrong at the end of a trace.
#[derive(Debug, serde::Serialize)]
struct ErrorJson<'a> {
    /// The property that is violated there: the narrowest of those that were asked about together.
    property: &'a str,
    about: &'a str,
    file: Option<String>,
    line: Option<u32>,
    column: Option<u32>,
}

fn error<'a>(told: &TraceJson<'a>) -> ErrorJson<'a> {
    let loc = told.trace.last(told.program);
    let violated = told.program.property_at(told.property, loc);
    let span = told.program.locs.get(loc.index()).map(|loc| loc.span);
    let place = span.and_then(|span| Places::new(told.program).find(span));
    let place = place.as_deref();
    ErrorJson {
        property: &violated.name,
        about: &violated.about,
        file: place.map(|place| place.file.clone()),
        line: place.map(|place| place.line),
        column: place.map(|place| place.column),
    }
}

struct Steps<'a>(TraceJson<'a>);

impl Serialize for Steps<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let TraceJson { terms, program, trace, .. } = self.0;
        let mut walk = Walk::new(terms, program, trace);
        let told = std::iter::from_fn(|| walk.step());
        serializer.collect_seq(told.map(|told| step(terms, program, &told)))
    }
}

#[derive(Debug, serde::Serialize)]
struct StepJson {
    /// `assume`, `assign`, `input`, `call` or `return`.
    action: &'static str,
    procedure: String,
    depth: usize,
    file: Option<String>,
    line: Option<u32>,
    column: Option<u32>,
    text: Option<String>,
    /// What an `assume` found true.
    #[serde(skip_serializing_if = "Option::is_none")]
    condition: Option<String>,
    writes: Map<String, Json>,
    /// The same as people write it, where that differs.
    #[serde(skip_serializing_if = "Map::is_empty")]
    shown: Map<String, Json>,
}

fn step(terms: &Terms, program: &Program, told: &Told<'_>) -> StepJson {
    let action = match (&told.step.action, told.edge) {
        (Action::Return, _) | (Action::Take { .. }, None) => "return",
        (Action::Take { .. }, Some(edge)) => match program.edge(edge).op {
            Op::Assume(_) => "assume",
            Op::Assign(_) => "assign",
            Op::Havoc(_) => "input",
            Op::Call { .. } => "call",
        },
    };
    let condition = told.edge.and_then(|edge| match program.edge(edge).op {
        Op::Assume(condition) => Some(term_of(terms, program, condition, CONDITION)),
        Op::Assign(_) | Op::Havoc(_) | Op::Call { .. } => None,
    });
    let place = told.place.as_deref();
    StepJson {
        action,
        procedure: program.proc(told.proc).name.clone(),
        depth: told.depth,
        file: place.map(|place| place.file.clone()),
        line: place.map(|place| place.line),
        column: place.map(|place| place.column),
        text: place.map(|place| place.text.clone()),
        condition,
        writes: writes(terms, &told.step.writes),
        shown: shown(terms, program, &told.step.writes),
    }
}

/// The values of variables that have a notation of their own.
fn shown(terms: &Terms, program: &Program, pairs: &[(Var, Value)]) -> Map<String, Json> {
    let text = |(var, value): &(Var, Value)| {
        program.notes.notation.get(var)?;
        let text = values::value_of(program, *var, value);
        (text != values::value(value)).then(|| (terms.name(*var).to_owned(), Json::String(text)))
    };
    pairs.iter().filter_map(text).collect()
}

fn writes(terms: &Terms, pairs: &[(Var, Value)]) -> Map<String, Json> {
    pairs.iter().map(|(var, value)| (terms.name(*var).to_owned(), json_value(value))).collect()
}

/// Truth values and numbers that every reader of JSON can hold as such, all else as text.
fn json_value(value: &Value) -> Json {
    match value {
        Value::Bool(truth) => Json::Bool(*truth),
        Value::BitVec(bits) => match bits.to_u64().filter(|number| *number < 1 << 53) {
            Some(number) => Json::from(number),
            None => Json::String(bits.to_big().to_string()),
        },
        Value::Int(_) | Value::Real(_) | Value::Array(_) => Json::String(values::value(value)),
    }
}

/// The evidence of a verdict: the trace or the proof.
///
/// # Errors
/// If the proof names procedures that cannot be inlined: a bug, because it was accepted.
pub fn evidence<'a>(
    terms: &'a mut Terms,
    program: &'a Program,
    property: PropertyId,
    verdict: &'a Verdict,
) -> Result<(Option<TraceJson<'a>>, Option<ProofText>), String> {
    Ok(match verdict {
        Verdict::Safe(proof) => (None, Some(proof_text(terms, program, proof)?)),
        Verdict::Unsafe(trace) => (Some(TraceJson { terms, program, property, trace }), None),
        Verdict::Unknown(_) => (None, None),
    })
}

/// A duration in seconds, to the millisecond.
#[must_use]
pub fn seconds(time: Duration) -> f64 {
    (time.as_secs_f64() * 1000.0).round() / 1000.0
}

/// The object as one line.
#[must_use]
pub fn line(object: &impl Serialize) -> String {
    // Plain data with string keys always serialises.
    serde_json::to_string(object).unwrap_or_else(|error| format!("{{\"verdict\":\"error\",\"reason\":\"{error}\"}}"))
}

/// The object with a line for each member of its members' lists: long lists stay readable,
/// and differences between two such texts small.
#[must_use]
pub fn rows(object: &impl Serialize) -> String {
    let mut bytes = Vec::new();
    let mut serializer = serde_json::Serializer::with_formatter(&mut bytes, Rows::default());
    // Plain data with string keys always serialises, and vectors take any bytes.
    let written = object.serialize(&mut serializer);
    debug_assert!(written.is_ok(), "{written:?}");
    bytes.push(b'\n');
    String::from_utf8(bytes).unwrap_or_default()
}

/// How deep lists and objects are spread over lines.
const SPREAD: usize = 3;

/// Spreads the outer levels over lines.
#[derive(Default)]
struct Rows {
    depth: usize,
    filled: bool,
}

impl Rows {
    fn open(&mut self) {
        self.depth += 1;
        self.filled = false;
    }

    fn next<W: io::Write + ?Sized>(&mut self, writer: &mut W, first: bool) -> io::Result<()> {
        if !first {
            writer.write_all(if self.depth > SPREAD { b", " } else { b"," })?;
        }
        self.line(writer, self.depth)
    }

    fn line<W: io::Write + ?Sized>(&mut self, writer: &mut W, indent: usize) -> io::Result<()> {
        if self.depth <= SPREAD {
            writer.write_all(b"\n")?;
            writer.write_all(" ".repeat(indent).as_bytes())?;
        }
        Ok(())
    }

    fn close<W: io::Write + ?Sized>(&mut self, writer: &mut W, end: &[u8]) -> io::Result<()> {
        if self.filled {
            self.line(writer, self.depth - 1)?;
        }
        self.depth -= 1;
        writer.write_all(end)
    }
}

impl Formatter for Rows {
    fn begin_array<W: io::Write + ?Sized>(&mut self, writer: &mut W) -> io::Result<()> {
        self.open();
        writer.write_all(b"[")
    }

    fn begin_array_value<W: io::Write + ?Sized>(&mut self, writer: &mut W, first: bool) -> io::Result<()> {
        self.next(writer, first)
    }

    fn end_array_value<W: io::Write + ?Sized>(&mut self, _: &mut W) -> io::Result<()> {
        self.filled = true;
        Ok(())
    }

    fn end_array<W: io::Write + ?Sized>(&mut self, writer: &mut W) -> io::Result<()> {
        self.close(writer, b"]")
    }

    fn begin_object<W: io::Write + ?Sized>(&mut self, writer: &mut W) -> io::Result<()> {
        self.open();
        writer.write_all(b"{")
    }

    fn begin_object_key<W: io::Write + ?Sized>(&mut self, writer: &mut W, first: bool) -> io::Result<()> {
        self.next(writer, first)
    }

    fn begin_object_value<W: io::Write + ?Sized>(&mut self, writer: &mut W) -> io::Result<()> {
        writer.write_all(b": ")
    }

    fn end_object_value<W: io::Write + ?Sized>(&mut self, _: &mut W) -> io::Result<()> {
        self.filled = true;
        Ok(())
    }

    fn end_object<W: io::Write + ?Sized>(&mut self, writer: &mut W) -> io::Result<()> {
        self.close(writer, b"}")
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sample::Sample;

    #[test]
    fn a_trace_names_places_and_values() {
        let sample = Sample::new(1);
        let Sample { terms, program, property, trace, .. } = &sample;
        let json = serde_json::to_value(TraceJson { terms, program, property: *property, trace }).unwrap();
        assert_eq!(json["start"]["g"], 3);
        let call = &json["steps"][1];
        assert_eq!((&call["action"], &call["line"], &call["depth"]), (&"call".into(), &5.into(), &0.into()));
        let input = &json["steps"][2];
        assert_eq!((&input["action"], &input["procedure"]), (&"input".into(), &"half".into()));
        assert_eq!(input["writes"]["half::m"], 1);
        assert_eq!((&json["error"]["property"], &json["error"]["line"]), (&"bad".into(), &8.into()));
        let conditions = json["steps"].as_array().unwrap().iter().filter_map(|step| step["condition"].as_str());
        assert_eq!(conditions.collect::<Vec<_>>(), ["x < y"]);
    }

    #[test]
    fn values_are_also_shown_as_people_write_them() {
        let mut sample = Sample::new(1);
        let noise = sample.terms.find_var("half::m").unwrap();
        sample.program.notes.notation.insert(noise, tamis_ir::Notation::Address);
        let Sample { terms, program, property, trace, .. } = &sample;
        let json = serde_json::to_value(TraceJson { terms, program, property: *property, trace }).unwrap();
        assert_eq!(
            (&json["steps"][2]["writes"]["half::m"], &json["steps"][2]["shown"]["half::m"]),
            (&1.into(), &"0x1".into())
        );
        assert_eq!(json["steps"][3].get("shown"), None);
    }

    #[test]
    fn a_violation_names_its_kind() {
        let mut sample = Sample::new(2);
        let verdict = Verdict::Unsafe(sample.trace.clone());
        let word = |program: &Program| verdict_word(program, sample.property, &verdict);
        assert_eq!(word(&sample.program), "false(unreach-call)");
        sample.program.errors[0].kind = "no-overflow".into();
        assert_eq!(word(&sample.program), "false(no-overflow)");
    }

    #[test]
    fn inner_lists_take_one_line_each() {
        let json = serde_json::json!({"a": {"rows": [[1, "x"], {"k": []}]}, "b": []});
        assert_eq!(
            rows(&json),
            "{\n \"a\": {\n  \"rows\": [\n   [1, \"x\"],\n   {\"k\": []}\n  ]\n },\n \"b\": []\n}\n"
        );
    }

    #[test]
    fn a_reason_stays_on_one_line() {
        let reason = Reason::Unsupported("two\nlines".into());
        assert_eq!(unknown_line(&reason), "unknown(unsupported: two lines)");
    }
}
