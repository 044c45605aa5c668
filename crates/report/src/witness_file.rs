//! Evidence as a file: what `--witness` writes and `tamis check` reads.
//!
//! The file is one JSON object. Variables are given by their unique names, edges by the name
//! of their procedure and their position in it, locations by their number (the procedure
//! beside it is checked), values and formulas as SMT-LIB text in which shared subterms are
//! named once. The numbers mean nothing in another program, so the file says which one it is about
//! ([`subject`](crate::subject)).
//!
//! Reading trusts nothing. Whatever is wrong with a file is a phrase for the user; whether
//! the evidence proves anything is for the independent check to say.

use crate::subject::Subject;
use serde::{Deserialize, Serialize, Serializer};
use tamis_ir::passes::inline;
use tamis_ir::{Action, EdgeId, Loc, ProcId, Program, Proof, PropertyId, Step, Trace};
use tamis_term::{Term, Terms, Value, Var};
use tamis_witness::Verdict;

/// What the file says it is.
const FORMAT: &str = "tamis-witness";

/// The version that is written, and the only one that is read.
const VERSION: u32 = 1;

/// What was read from a file.
#[derive(Debug)]
pub struct Witness {
    /// The property that it is about.
    pub property: PropertyId,
    /// What it claims, with the evidence: never unknown.
    pub verdict: Verdict,
}

#[derive(Debug, Deserialize)]
struct Header {
    format: String,
    version: u32,
}

/// A file, with a trace to be written or one that was read.
#[derive(Debug, Serialize, Deserialize)]
struct File<T> {
    format: String,
    version: u32,
    producer: String,
    program: Subject,
    property: String,
    verdict: Claim,
    #[serde(skip_serializing_if = "Option::is_none")]
    trace: Option<T>,
    #[serde(skip_serializing_if = "Option::is_none")]
    proof: Option<ProofText>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
enum Claim {
    True,
    False,
}

/// A variable's name and a value.
type Binding = (String, String);

/// A trace as text. Writing goes step by step, through [`TraceLines`] and [`StepLines`]: all
/// steps as text take many times the trace's memory.
#[derive(Debug, Deserialize)]
struct TraceText {
    start: Vec<Binding>,
    steps: Vec<StepText>,
}

/// A step: with an edge it takes that edge, without it returns.
#[derive(Debug, Serialize, Deserialize)]
struct StepText {
    #[serde(default, skip_serializing_if = "Option::is_none")]
    edge: Option<(String, u32)>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    inputs: Vec<String>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    writes: Vec<Binding>,
}

/// A proof as text.
#[derive(Debug, Serialize, Deserialize)]
pub struct ProofText {
    /// The procedures whose calls are expanded before the rest is read.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    inlined: Vec<String>,
    /// Variables, each with the name that stands for its value at entry.
    old: Vec<Binding>,
    invariants: Vec<Invariant>,
    /// The numbers of the locations that the proof passes over.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    passed: Vec<u32>,
    summaries: Vec<Summary>,
}

#[derive(Debug, Serialize, Deserialize)]
struct Invariant {
    procedure: String,
    location: u32,
    formula: String,
}

#[derive(Debug, Serialize, Deserialize)]
struct Summary {
    procedure: String,
    formula: String,
}

/// The file for a verdict; none for `Unknown`, which has no evidence.
///
/// # Errors
/// If the proof names procedures that cannot be inlined: a bug, because it was accepted.
pub fn write(
    terms: &mut Terms,
    program: &Program,
    property: PropertyId,
    verdict: &Verdict,
    subject: &Subject,
) -> Result<Option<String>, String> {
    let (claim, trace, proof) = match verdict {
        Verdict::Unknown(_) => return Ok(None),
        Verdict::Safe(proof) => (Claim::True, None, Some(proof_text(terms, program, proof)?)),
        Verdict::Unsafe(trace) => {
            let steps = StepLines { terms, program, steps: &trace.steps };
            (Claim::False, Some(TraceLines { start: bindings(terms, &trace.start), steps }), None)
        }
    };
    let file = File {
        format: FORMAT.into(),
        version: VERSION,
        producer: concat!("tamis ", env!("CARGO_PKG_VERSION")).into(),
        program: subject.clone(),
        property: program.property(property).name.clone(),
        verdict: claim,
        trace,
        proof,
    };
    Ok(Some(crate::json::rows(&file)))
}

fn bindings(terms: &Terms, pairs: &[(Var, Value)]) -> Vec<Binding> {
    pairs.iter().map(|(var, value)| (terms.name(*var).to_owned(), value.to_string())).collect()
}

#[derive(Serialize)]
struct TraceLines<'a> {
    start: Vec<Binding>,
    steps: StepLines<'a>,
}

struct StepLines<'a> {
    terms: &'a Terms,
    program: &'a Program,
    steps: &'a [Step],
}

impl Serialize for StepLines<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_seq(self.steps.iter().map(|step| self.text(step)))
    }
}

impl StepLines<'_> {
    fn text(&self, step: &Step) -> StepText {
        let (edge, inputs) = match &step.action {
            Action::Return => (None, Vec::new()),
            Action::Take { edge, inputs } => {
                let name = self.program.proc(edge.proc).name.clone();
                (Some((name, edge.index)), inputs.iter().map(ToString::to_string).collect())
            }
        };
        StepText { edge, inputs, writes: bindings(self.terms, &step.writes) }
    }
}

/// A proof as text, for this file and for the JSON report.
///
/// # Errors
/// If the proof names procedures that cannot be inlined.
pub fn proof_text(terms: &mut Terms, program: &Program, proof: &Proof) -> Result<ProofText, String> {
    let expanded = Expanded::new(terms, program, &proof.inlined)?;
    let name = |proc: ProcId| program.proc(proc).name.clone();
    let invariant = |(loc, formula): (&Loc, &Term)| Invariant {
        procedure: expanded.home(*loc).map_or_else(String::new, name),
        location: u32::try_from(loc.index()).unwrap_or(u32::MAX),
        formula: terms.smtlib(*formula).to_string(),
    };
    let summary = |(proc, formula): (&ProcId, &Term)| Summary {
        procedure: name(*proc),
        formula: terms.smtlib(*formula).to_string(),
    };
    let old = |(var, old): (&Var, &Var)| (terms.name(*var).to_owned(), terms.name(*old).to_owned());
    Ok(ProofText {
        inlined: proof.inlined.iter().map(|proc| name(*proc)).collect(),
        old: proof.old.iter().map(old).collect(),
        invariants: proof.invariants.iter().map(invariant).collect(),
        passed: proof.passed.iter().map(|loc| u32::try_from(loc.index()).unwrap_or(u32::MAX)).collect(),
        summaries: proof.summaries.iter().map(summary).collect(),
    })
}

/// The locations of a program after inlining, each with its procedure.
#[derive(Debug)]
pub(crate) struct Expanded {
    homes: Vec<Option<ProcId>>,
    /// The expanded program, if anything was inlined.
    pub(crate) program: Option<Program>,
}

impl Expanded {
    pub(crate) fn new(terms: &mut Terms, program: &Program, inlined: &[ProcId]) -> Result<Expanded, String> {
        let expanded = if inlined.is_empty() { None } else { Some(inline::expand(terms, program, inlined)?.program) };
        let subject = expanded.as_ref().unwrap_or(program);
        let mut homes = vec![None; subject.locs.len()];
        for (id, proc) in subject.procs() {
            let ends = proc.edges.iter().flat_map(|edge| [edge.from, edge.to]);
            for loc in ends.chain([proc.entry, proc.exit]) {
                homes[loc.index()] = Some(id);
            }
        }
        Ok(Expanded { homes, program: expanded })
    }

    /// The procedure that a location belongs to.
    pub(crate) fn home(&self, loc: Loc) -> Option<ProcId> {
        self.homes.get(loc.index()).copied().flatten()
    }
}

/// Reads a file about `program`, whose text is `subject`.
///
/// # Errors
/// If the text is no such file, as a phrase that says what is wrong.
pub fn read(terms: &mut Terms, program: &Program, subject: &Subject, text: &str) -> Result<Witness, String> {
    let malformed = |error: serde_json::Error| format!("it is no witness file: {error}");
    let header: Header = serde_json::from_str(text).map_err(malformed)?;
    if header.format != FORMAT {
        return Err(format!("it is no witness file: its format is {:?}, not {FORMAT:?}", header.format));
    }
    if header.version != VERSION {
        return Err(format!("it has version {}, and this program reads version {VERSION}", header.version));
    }
    let file: File<TraceText> = serde_json::from_str(text).map_err(malformed)?;
    if let Some(why) = subject.difference(&file.program) {
        return Err(why);
    }
    if file.program.sha256 != subject.sha256 {
        return Err(format!(
            "it is about another program, or another version of it: {} with SHA-256 {}, not {}",
            file.program.file, file.program.sha256, subject.sha256
        ));
    }
    let property = program
        .find_property(&file.property)
        .ok_or_else(|| format!("it is about {:?}, which is no property of the program", file.property))?;
    let verdict = match (file.verdict, file.trace, file.proof) {
        (Claim::False, Some(trace), None) => Verdict::Unsafe(read_trace(terms, program, &trace)?),
        (Claim::True, None, Some(proof)) => Verdict::Safe(read_proof(terms, program, &proof)?),
        (Claim::False, _, _) => return Err("its verdict is false, which needs a trace and no proof".into()),
        (Claim::True, _, _) => return Err("its verdict is true, which needs a proof and no trace".into()),
    };
    Ok(Witness { property, verdict })
}

fn find_proc(program: &Program, name: &str) -> Result<ProcId, String> {
    let found = program.procs().find(|(_, proc)| proc.name == name);
    found.map(|(id, _)| id).ok_or_else(|| format!("there is no procedure {name:?}"))
}

fn find_var(terms: &Terms, name: &str) -> Result<Var, String> {
    terms.find_var(name).ok_or_else(|| format!("there is no variable {name:?}"))
}

fn read_bindings(terms: &Terms, pairs: &[Binding]) -> Result<Vec<(Var, Value)>, String> {
    let read = |(name, text): &Binding| {
        let var = find_var(terms, name)?;
        let value =
            Value::read(text, terms.var_sort(var)).map_err(|error| format!("the value of {name:?}: {error}"))?;
        Ok((var, value))
    };
    pairs.iter().map(read).collect()
}

fn read_trace(terms: &Terms, program: &Program, text: &TraceText) -> Result<Trace, String> {
    let start = read_bindings(terms, &text.start).map_err(|why| format!("in the start values, {why}"))?;
    let step = |(at, step): (usize, &StepText)| {
        read_step(terms, program, step).map_err(|why| format!("in step {at} of the trace, {why}"))
    };
    let steps = (1..).zip(&text.steps).map(step).collect::<Result<Vec<Step>, String>>()?;
    Ok(Trace { start, steps })
}

fn read_step(terms: &Terms, program: &Program, text: &StepText) -> Result<Step, String> {
    let action = match &text.edge {
        None if text.inputs.is_empty() => Action::Return,
        None => return Err("a return has inputs".into()),
        Some((name, index)) => {
            let proc = find_proc(program, name)?;
            let id = EdgeId { proc, index: *index };
            if program.proc(proc).edges.get(*index as usize).is_none() {
                return Err(format!("{name:?} has no edge {index}"));
            }
            Action::Take { edge: id, inputs: read_inputs(terms, program, id, &text.inputs)? }
        }
    };
    Ok(Step { action, writes: read_bindings(terms, &text.writes)? })
}

fn read_inputs(terms: &Terms, program: &Program, edge: EdgeId, texts: &[String]) -> Result<Vec<Value>, String> {
    let vars = inputs(program, edge);
    if vars.len() != texts.len() {
        return Err(format!("the edge takes {} inputs, not {}", vars.len(), texts.len()));
    }
    let read = |(var, text): (Var, &String)| {
        Value::read(text, terms.var_sort(var)).map_err(|error| format!("the input of {:?}: {error}", terms.name(var)))
    };
    vars.into_iter().zip(texts).map(read).collect()
}

/// The variables that an edge leaves to choice.
fn inputs(program: &Program, edge: EdgeId) -> Vec<Var> {
    use tamis_ir::Op;
    match &program.edge(edge).op {
        Op::Assume(_) | Op::Assign(_) => Vec::new(),
        Op::Havoc(vars) => vars.clone(),
        Op::Call { callee, .. } => program.proc(*callee).inputs().copied().collect(),
    }
}

fn read_proof(terms: &mut Terms, program: &Program, text: &ProofText) -> Result<Proof, String> {
    let inlined = text.inlined.iter().map(|name| find_proc(program, name)).collect::<Result<Vec<_>, _>>()?;
    // Expanding declares the variables of the copies, which the formulas may name.
    let expanded = Expanded::new(terms, program, &inlined)?;
    let mut proof = Proof { inlined, ..Proof::default() };
    for (name, old) in &text.old {
        let var = find_var(terms, name)?;
        if terms.find_var(old).is_some() {
            return Err(format!("the name {old:?} of an old value is taken"));
        }
        let sort = terms.var_sort(var).clone();
        if proof.old.insert(var, terms.declare(old, sort)).is_some() {
            return Err(format!("{name:?} has two old values"));
        }
    }
    for invariant in &text.invariants {
        let proc = find_proc(program, &invariant.procedure)?;
        let loc = Loc::new(invariant.location as usize);
        if expanded.home(loc) != Some(proc) {
            return Err(format!("{:?} has no location {}", invariant.procedure, invariant.location));
        }
        let formula = terms
            .read(&invariant.formula)
            .map_err(|error| format!("in the invariant of location {}: {error}", invariant.location))?;
        if proof.invariants.insert(loc, formula).is_some() {
            return Err(format!("location {} has two invariants", invariant.location));
        }
    }
    for location in &text.passed {
        let loc = Loc::new(*location as usize);
        if expanded.home(loc).is_none() || !proof.passed.insert(loc) {
            return Err(format!("location {location} cannot be passed over, or not twice"));
        }
    }
    for summary in &text.summaries {
        let proc = find_proc(program, &summary.procedure)?;
        let formula = terms
            .read(&summary.formula)
            .map_err(|error| format!("in the summary of {:?}: {error}", summary.procedure))?;
        if proof.summaries.insert(proc, formula).is_some() {
            return Err(format!("{:?} has two summaries", summary.procedure));
        }
    }
    Ok(proof)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sample::{SOURCE, Sample};
    use tamis_witness::{StopSignal, check};

    fn subject() -> Subject {
        Subject::new("half.c", SOURCE.as_bytes())
    }

    fn written(safe: bool) -> (Sample, Verdict, String) {
        let mut sample = Sample::new(2);
        let verdict = if safe { Verdict::Safe(sample.proof.clone()) } else { Verdict::Unsafe(sample.trace.clone()) };
        let text = write(&mut sample.terms, &sample.program, sample.property, &verdict, &subject());
        (sample, verdict, text.unwrap().unwrap())
    }

    #[test]
    fn a_trace_comes_back_as_it_was() {
        let (mut sample, _, text) = written(false);
        let witness = read(&mut sample.terms, &sample.program, &subject(), &text).unwrap();
        let Verdict::Unsafe(trace) = witness.verdict else { panic!("a trace") };
        assert_eq!((witness.property, trace), (sample.property, sample.trace));
    }

    #[test]
    fn a_proof_comes_back_with_its_own_old_variables() {
        let (_, _, text) = written(true);
        // The reader's arena never saw the proof.
        let mut fresh = Sample::new(2);
        let taken = read(&mut fresh.terms, &fresh.program, &subject(), &text).unwrap_err();
        assert_eq!(taken, "the name \"g@old\" of an old value is taken");
        let text = text.replace("g@old", "g_before");
        let witness = read(&mut fresh.terms, &fresh.program, &subject(), &text).unwrap();
        let Verdict::Safe(proof) = witness.verdict else { panic!("a proof") };
        let again = proof_text(&mut fresh.terms, &fresh.program, &proof).unwrap();
        assert_eq!(serde_json::to_value(&again).unwrap()["summaries"][0]["formula"], "(= g g_before)");
        assert_eq!(proof.invariants.len(), fresh.proof.invariants.len());
    }

    #[test]
    fn what_is_wrong_is_said() {
        let (mut sample, _, text) = written(false);
        let cases = [
            ("\"tamis-witness\"", "\"other\"", "its format is \"other\""),
            ("\"version\": 1", "\"version\": 2", "it has version 2"),
            ("\"sha256\": \"", "\"sha256\": \"0", "it is about another program"),
            ("\"property\": \"bad\"", "\"property\": \"good\"", "\"good\", which is no property"),
            ("\"verdict\": \"false\"", "\"verdict\": \"true\"", "needs a proof"),
            ("\"verdict\": \"false\"", "\"verdict\": \"maybe\"", "unknown variant `maybe`"),
            ("\"main::x\"", "\"main::z\"", "there is no variable \"main::z\""),
            ("\"half\"", "\"third\"", "there is no procedure \"third\""),
            ("#x3", "#b001", "expected a value of sort (_ BitVec 4)"),
            ("#x3", "(", "in the start values"),
            ("\"steps\": [", "\"steps\": [[", "it is no witness file"),
        ];
        for (old, new, expected) in cases {
            assert!(text.contains(old), "{old}");
            let broken = text.replacen(old, new, 1);
            let why = read(&mut sample.terms, &sample.program, &subject(), &broken).unwrap_err();
            assert!(why.contains(expected), "{why}");
        }
        let deep = "[".repeat(1_000_000);
        assert!(read(&mut sample.terms, &sample.program, &subject(), &deep).is_err());
    }

    #[test]
    fn every_truncation_is_refused() {
        for safe in [true, false] {
            let (mut sample, _, text) = written(safe);
            for end in (0..text.len() - 2).step_by(7) {
                read(&mut sample.terms, &sample.program, &subject(), &text[..end]).unwrap_err();
            }
        }
    }

    #[test]
    fn no_change_of_a_byte_makes_reading_panic() {
        for safe in [true, false] {
            let (sample, _, text) = written(safe);
            let text = text.replace("g@old", "g_before");
            for at in (0..text.len()).filter(|at| text.as_bytes()[*at] != b' ') {
                for new in ["0", "9999999999", "\"", "(", "#", "]"] {
                    let mut broken = text.clone();
                    broken.replace_range(at..=at, new);
                    let mut terms = sample.terms.clone();
                    let read = read(&mut terms, &sample.program, &subject(), &broken);
                    if let Ok(Witness { verdict: verdict @ Verdict::Unsafe(_), property }) = read {
                        let never = StopSignal::never();
                        check(&mut terms, &sample.program, property, &verdict, &never);
                    }
                }
            }
        }
    }

    #[test]
    fn other_settings_are_refused() {
        let (mut sample, verdict, plain) = written(false);
        let with = |pairs: &[(&str, &str)]| {
            let settings = pairs.iter().map(|(name, value)| ((*name).to_owned(), (*value).to_owned())).collect();
            Subject { settings, ..subject() }
        };
        let (lp64, ilp32) = (with(&[("data-model", "lp64")]), with(&[("data-model", "ilp32")]));
        let text = write(&mut sample.terms, &sample.program, sample.property, &verdict, &lp64).unwrap().unwrap();
        let mut read = |subject: &Subject, text: &str| read(&mut sample.terms, &sample.program, subject, text).err();
        assert_eq!(read(&lp64, &text), None);
        let why = "it was made with --data-model lp64, and this check runs with --data-model ilp32";
        assert_eq!(read(&ilp32, &text), Some(why.into()));
        let why = "it was made without --data-model, and this check runs with --data-model lp64";
        assert_eq!(read(&lp64, &plain), Some(why.into()));
    }
}
