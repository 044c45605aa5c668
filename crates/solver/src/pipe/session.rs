//! One conversation with a solver: from its start until it ends or breaks.

use super::command::Command;
use super::conversation::{Conversation, End};
use super::idle;
use crate::script::{declaration, formula, fresh_name};
use crate::valuation::Valuation;
use crate::{Error, Why};
use rustc_hash::{FxHashMap, FxHashSet};
use std::fmt::Write;
use std::time::{Duration, Instant};
use tamis_term::smtlib::encode;
use tamis_term::{Reader, Term, Terms, Value, Var};

/// How long a solver may take to start, and to say more about an answer.
const PATIENCE: Duration = Duration::from_secs(10);
/// How many values are asked for at once.
const VALUES: usize = 1000;

/// What every solver is told first. Those that lack an option say so, and are forgiven.
const OPTIONS: &str = "\
(set-option :print-success false)
(set-option :produce-models true)
(set-option :produce-unsat-assumptions true)
";

/// Makes a solver forget everything.
const RESET: &str = "(reset)\n";

/// A conversation.
pub(super) struct Session {
    conversation: Conversation,
    /// The open scopes, the outermost first.
    scopes: Vec<Scope>,
    /// What is to be said before the next question.
    pending: String,
}

/// What a scope holds, which is forgotten with it.
#[derive(Default)]
struct Scope {
    declared: FxHashSet<Var>,
    named: FxHashMap<Term, String>,
}

/// What a solver answers.
pub(super) enum Reply {
    Sat,
    Unsat,
    Unknown,
}

impl Session {
    /// Begins a conversation with a solver that is told to decide everything, or only the given
    /// logic if it cannot.
    pub(super) fn start(command: &Command, logic: &str, stop: &mut dyn FnMut() -> bool) -> Result<Session, End> {
        if let Some(conversation) = idle::take(command) {
            match Session::attempt(conversation, RESET, "ALL", stop) {
                Ok((session, false)) => return Ok(session),
                Err(End::Stopped) => return Err(End::Stopped),
                // It ended while it waited.
                Ok((_, true)) | Err(End::Broken(_)) => {}
            }
        }
        let (session, refused) = Session::attempt(Conversation::start(command)?, "", "ALL", stop)?;
        if !refused {
            return Ok(session);
        }
        Session::attempt(Conversation::start(command)?, "", logic, stop).map(|(session, _)| session)
    }

    /// What is said in a logic after some words, and whether the logic was refused.
    fn attempt(
        conversation: Conversation,
        first: &str,
        logic: &str,
        stop: &mut dyn FnMut() -> bool,
    ) -> Result<(Session, bool), End> {
        let pending = format!("{first}{OPTIONS}");
        let mut session = Session { conversation, scopes: vec![Scope::default()], pending };
        let start = Instant::now();
        let mut patience = || stop() || start.elapsed() > PATIENCE;
        let mut answers = session.ask("", &mut patience);
        if answers.is_ok() {
            answers = session.ask(&format!("(set-logic {logic})"), &mut patience);
        }
        match answers {
            Err(End::Stopped) if start.elapsed() > PATIENCE => {
                Err(End::Broken(format!("it does not answer within {} s", PATIENCE.as_secs())))
            }
            Err(end) => Err(end),
            Ok(answers) => Ok((session, !answers.is_empty())),
        }
    }

    /// The conversation, when nothing more is to be asked.
    pub(super) fn into_conversation(self) -> Conversation {
        self.conversation
    }

    /// The number of the process.
    pub(super) fn process(&self) -> u32 {
        self.conversation.process()
    }

    /// Limits the steps of Z3's questions to come; zero is no limit.
    pub(super) fn limit(&mut self, steps: u32) {
        let _ = writeln!(self.pending, "(set-option :rlimit {steps})");
    }

    pub(super) fn push(&mut self) {
        self.pending.push_str("(push 1)\n");
        self.scopes.push(Scope::default());
    }

    pub(super) fn pop(&mut self) {
        self.pending.push_str("(pop 1)\n");
        self.scopes.pop();
    }

    pub(super) fn assert(&mut self, terms: &Terms, fact: Term) {
        self.declare(terms, fact);
        let _ = writeln!(self.pending, "(assert {})", formula(terms, fact));
    }

    /// The name of an assumption.
    pub(super) fn name(&mut self, terms: &Terms, assumption: Term) -> String {
        if let Some(name) = self.scopes.iter().find_map(|scope| scope.named.get(&assumption)) {
            return name.clone();
        }
        self.declare(terms, assumption);
        let name = format!("assumed!{}", assumption.index());
        let name = encode(&fresh_name(terms, &name)).into_owned();
        let text = formula(terms, assumption);
        let _ = writeln!(self.pending, "(declare-fun {name} () Bool)\n(assert (=> {name} {text}))");
        if let Some(scope) = self.scopes.last_mut() {
            scope.named.insert(assumption, name.clone());
        }
        name
    }

    fn declare(&mut self, terms: &Terms, formula: Term) {
        for var in terms.free_vars(&[formula]) {
            if !self.scopes.iter().any(|scope| scope.declared.contains(&var)) {
                self.pending.push_str(&declaration(terms, var));
                if let Some(scope) = self.scopes.last_mut() {
                    scope.declared.insert(var);
                }
            }
        }
    }

    /// Says what is pending and a question, and returns all that is said then.
    fn ask(&mut self, question: &str, stop: &mut dyn FnMut() -> bool) -> Result<Vec<String>, End> {
        let commands = std::mem::take(&mut self.pending) + question;
        self.conversation.ask(commands, stop)
    }

    /// Whether all that was asserted can be true with the named assumptions.
    pub(super) fn check(&mut self, names: &[String], stop: &mut dyn FnMut() -> bool) -> Result<Reply, End> {
        let question = match names {
            [] => "(check-sat)".to_owned(),
            names => format!("(check-sat-assuming ({}))", names.join(" ")),
        };
        let answers = self.ask(&question, stop)?;
        let broken = |what: &str| {
            let what: String = what.chars().take(300).collect();
            Err(End::Broken(format!("it says `{what}` instead of sat, unsat or unknown")))
        };
        match answers.iter().map(String::as_str).collect::<Vec<_>>().as_slice() {
            ["sat"] => Ok(Reply::Sat),
            ["unsat"] => Ok(Reply::Unsat),
            ["unknown" | "timeout"] => Ok(Reply::Unknown),
            [] => broken("nothing"),
            [first, ..] if first.starts_with('(') => broken(first),
            several => broken(&several.join(" ")),
        }
    }

    /// Why the solver does not know.
    pub(super) fn reason(&mut self, stop: &mut dyn FnMut() -> bool) -> Result<Why, End> {
        let answer = self.ask_more("(get-info :reason-unknown)", stop)?;
        let reason = answer.trim_start_matches("(:reason-unknown").trim_end_matches(')').trim().trim_matches('"');
        Ok(if reason.contains("memout") || reason.contains("memory") {
            Why::OutOfMemory
        } else {
            Why::GaveUp(format!("it says: {reason}"))
        })
    }

    /// Which of the names are needed for the contradiction; none if the solver does not say.
    pub(super) fn needed(&mut self, stop: &mut dyn FnMut() -> bool) -> Result<Option<FxHashSet<String>>, End> {
        let answer = self.ask_more("(get-unsat-assumptions)", stop)?;
        let mut reader = Reader::new(&answer);
        let mut names = FxHashSet::default();
        if reader.open().is_err() {
            return Ok(None);
        }
        loop {
            match reader.closes() {
                Ok(true) => return Ok(reader.end().is_ok().then_some(names)),
                Ok(false) => match reader.symbol() {
                    Ok(name) => names.insert(encode(&name).into_owned()),
                    Err(_) => return Ok(None),
                },
                Err(_) => return Ok(None),
            };
        }
    }

    /// The values of variables, if they are constants.
    pub(super) fn values(
        &mut self,
        terms: &Terms,
        vars: &[Var],
        stop: &mut dyn FnMut() -> bool,
    ) -> Result<Option<Valuation>, End> {
        let mut valuation = Valuation::default();
        // A formula may lose a variable before it is sent, and its value does not matter then.
        let known = |var: &&Var| self.scopes.iter().any(|scope| scope.declared.contains(var));
        let vars: Vec<Var> = vars.iter().filter(known).copied().collect();
        for chunk in vars.chunks(VALUES) {
            let names: Vec<_> = chunk.iter().map(|var| encode(terms.name(*var))).collect();
            let answer = self.ask_more(&format!("(get-value ({}))", names.join(" ")), stop)?;
            let mut reader = Reader::new(&answer);
            let Ok(()) = reader.open() else { return Ok(None) };
            for var in chunk {
                let Some(value) = value(&mut reader, terms, *var) else { return Ok(None) };
                valuation.values.insert(*var, value);
            }
        }
        Ok(Some(valuation))
    }

    /// Asks about the last answer, and does not wait for long.
    fn ask_more(&mut self, question: &str, stop: &mut dyn FnMut() -> bool) -> Result<String, End> {
        let start = Instant::now();
        match self.ask(question, &mut || stop() || start.elapsed() > PATIENCE) {
            Ok(answers) => Ok(answers.into_iter().next().unwrap_or_default()),
            Err(End::Stopped) if start.elapsed() > PATIENCE => {
                Err(End::Broken(format!("it does not answer {question:.40} within {} s", PATIENCE.as_secs())))
            }
            Err(end) => Err(end),
        }
    }
}

/// Reads `(name value)`.
fn value(reader: &mut Reader<'_>, terms: &Terms, var: Var) -> Option<Value> {
    reader.open().ok()?;
    reader.skip().ok()?;
    let value = reader.value(terms.var_sort(var)).ok()?;
    reader.close().ok()?;
    Some(value)
}

/// What a caller is told about the end of a conversation.
pub(crate) fn explain(command: &Command, end: End) -> Result<Why, Error> {
    match end {
        End::Stopped => Ok(Why::Interrupted),
        End::Broken(what) => Err(Error::Backend(format!("`{command}`: {what}"))),
    }
}
