//! From files to a program, and from the command line to a property of it.

use crate::input::{Content, is_stdin, language};
use crate::options::{Input, Question};
use crate::outside::Lent;
use crate::supervise::Job;
use crate::trouble::Trouble;
use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use tamis_frontends::outside::Prepare;
use tamis_frontends::spec::{self, Spec};
use tamis_frontends::{Content as Holds, FRONTENDS, Frontend, Lowered, Questions, Role};
use tamis_ir::validate::validate;
use tamis_ir::{Diagnostic, Program, PropertyId, Severity, SourceId, Sources, Span};
use tamis_options::Settings;
use tamis_report::diagnostics::{render, render_plain};
use tamis_report::style::{Colour, one_line};
use tamis_report::subject::{Fingerprint, SPEC, Subject};
use tamis_term::Terms;

/// How many names a hint lists.
const MAX_LISTED: usize = 20;

/// A program with its surroundings.
#[derive(Debug)]
pub struct Loaded {
    pub terms: Terms,
    pub program: Program,
    /// Its language.
    pub frontend: &'static Frontend,
    /// What was chosen about the language.
    pub settings: Settings,
    /// What was asked before it was lowered.
    pub asked: Vec<Spec>,
    /// What identifies the program in a witness.
    pub subject: Subject,
    /// The texts that were read, among the sources of the program: those that were prepared.
    pub files: Vec<SourceId>,
    sources: Arc<Sources>,
    /// The lines of the property file, if the user gave one.
    specs: Option<Vec<(Spec, Span)>>,
}

/// Reads and lowers the program. Warnings are said at once.
pub fn load(job: &Job, input: &Input, question: Option<&Question>, colour: Colour) -> Result<Loaded, Trouble> {
    load_from(FRONTENDS, job, input, question, colour)
}

/// The same, with the languages of a table.
fn load_from(
    table: &'static [Frontend],
    job: &Job,
    input: &Input,
    question: Option<&Question>,
    colour: Colour,
) -> Result<Loaded, Trouble> {
    let frontend = language(table, &input.files, input.language.as_deref())?;
    job.stage("reading");
    let spec = question.and_then(|question| question.spec.as_deref());
    if input.files.iter().map(PathBuf::as_path).chain(spec).filter(|path| is_stdin(path)).count() > 1 {
        return Err(Trouble::input("two inputs cannot both be standard input"));
    }
    if let Some(idle) = input.chosen.idle(table, frontend) {
        job.say(render_plain(Severity::Warning, &idle, None, colour));
    }
    let mut sources = Sources::new();
    let (mut settings, mut hash) = (input.chosen.about(frontend), Fingerprint::default());
    let text = |path: &PathBuf| {
        let content = Content::read(path)?;
        hash.add(&content.bytes);
        Ok(match frontend.content {
            Holds::Bytes => sources.add_bytes(&content.name, content.bytes),
            Holds::Text | Holds::Prepared(_) => sources.add(&content.name, content.text()?),
        })
    };
    let files = match frontend.content {
        Holds::Text | Holds::Bytes => input.files.iter().map(text).collect::<Result<Vec<SourceId>, Trouble>>()?,
        Holds::Prepared(prepare) => {
            let mut lent = Lent::new(job, colour);
            prepared(prepare, &mut lent, &input.files, &mut settings, &mut sources, &mut hash)?
        }
    };
    let specs = spec.map(|path| specification(path, &mut sources, frontend)).transpose()?;
    let mut subject = hash.subject(&input.name());
    subject.settings = meaning(frontend, &settings);
    let mut ask = Vec::new();
    if matches!(frontend.questions, Questions::Operations { .. }) {
        ask.extend(specs.iter().flatten().map(|(spec, _)| spec.clone()).chain(question.and_then(named_spec)));
        if !ask.is_empty() {
            let asked: Vec<String> = ask.iter().map(ToString::to_string).collect();
            subject.settings.insert(SPEC.to_owned(), asked.join(", "));
            subject.asked = question.and_then(named_option);
        }
    }
    let sources = Arc::new(sources);
    let mut terms = Terms::new();
    let read = tamis_frontends::Input { sources: sources.clone(), files: &files, ask: &ask };
    let lowered = (frontend.lower)(&mut terms, &read, &settings);
    let Lowered { program, warnings } = lowered.map_err(|refused| Trouble::Located(refused.sources, refused.errors))?;
    if !warnings.is_empty() {
        job.say(render(&program.sources, &warnings, colour));
    }
    validate(&terms, &program).map_err(|violation| {
        Trouble::Internal(format!("the front end {} made an invalid program: {violation}", frontend.name))
    })?;
    Ok(Loaded { terms, program, frontend, settings, asked: ask, subject, sources, specs, files })
}

/// Reads and prepares the files of a program. The user's own texts are kept beside them, for
/// diagnostics and traces.
fn prepared(
    prepare: Prepare,
    lent: &mut Lent<'_>,
    paths: &[PathBuf],
    settings: &mut Settings,
    sources: &mut Sources,
    hash: &mut Fingerprint,
) -> Result<Vec<SourceId>, Trouble> {
    let texts = prepare(lent, paths, settings).map_err(|why| lent.trouble(why))?;
    let mut known = BTreeSet::new();
    let mut files = Vec::new();
    for prepared in texts {
        hash.add_marked(&prepared.text.text);
        files.push(sources.add(prepared.text.name, prepared.text.text));
        for original in prepared.originals {
            if known.insert(original.name.clone()) {
                sources.add(original.name, original.text);
            }
        }
    }
    Ok(files)
}

/// What the meaning of a program depends on besides its text, by the options that say it.
fn meaning(frontend: &Frontend, settings: &Settings) -> BTreeMap<String, String> {
    let matters = |name: &str| frontend.flag(name).is_none_or(|flag| flag.role == Role::Meaning);
    let rows = frontend.options.rows().into_iter().filter(|row| matters(row.name));
    rows.map(|row| (row.name.to_owned(), settings.get(row.name).map_or(row.default, str::to_owned))).collect()
}

/// The lines of a property file, if the language can be asked about them.
fn specification(path: &Path, sources: &mut Sources, frontend: &Frontend) -> Result<Vec<(Spec, Span)>, Trouble> {
    let content = Content::read(path)?;
    let source = sources.add(&content.name, content.text()?);
    let specs = spec::parse(sources, source).and_then(|specs| match frontend.questions {
        Questions::Operations { .. } => Ok(specs),
        Questions::Reachability => spec::only_reachability(&specs).map(|()| specs),
    });
    specs.map_err(|errors| Trouble::Located(Arc::new(sources.clone()), errors))
}

/// What a name on the command line asks before a program is lowered.
fn named_spec(question: &Question) -> Option<Spec> {
    if let Some(label) = &question.label {
        return Some(Spec::Label(label.clone()));
    }
    Spec::named(question.property.as_deref()?)
}

/// The option that names what is asked.
fn named_option(question: &Question) -> Option<String> {
    let label = question.label.as_ref().map(|name| format!("--label {name}"));
    label.or_else(|| question.property.as_ref().map(|name| format!("--property {name}")))
}

impl Loaded {
    /// The property that the user names, if any.
    pub fn named_property(&self, question: &Question) -> Result<Option<PropertyId>, Trouble> {
        if let Some(specs) = &self.specs {
            return self.specified(specs).map(Some);
        }
        let (kind, name) = match (&question.property, &question.label) {
            (Some(name), _) => ("property", name),
            (None, Some(name)) => ("label", name),
            (None, None) => return Ok(None),
        };
        let found = self.program.find_property(name);
        found.map(Some).ok_or_else(|| Trouble::input(format!("the program has no {kind} {name}")).hint(self.known()))
    }

    /// The property to check: the one that the user names, or the program's own.
    pub fn property(&self, question: &Question) -> Result<PropertyId, Trouble> {
        if let Some(named) = self.named_property(question)? {
            return Ok(named);
        }
        self.program.default.ok_or_else(|| {
            let hint = match self.program.notes.signals {
                Some(_) => "what is checked is a bad signal, or an output".to_owned(),
                None => format!("name a label with --label; {}", self.known()),
            };
            Trouble::input("there is nothing to check: the program names no error").hint(hint)
        })
    }

    /// The properties that the front end looks for only if they are asked for, and was not: each
    /// with what it means to violate it.
    pub fn on_request(&self) -> impl Iterator<Item = (&'static str, &'static str)> {
        let all = match self.frontend.questions {
            Questions::Reachability => Vec::new(),
            Questions::Operations { on_request } => on_request(),
        };
        all.into_iter().filter(|(name, _)| self.program.find_question_about(name).is_none())
    }

    fn known(&self) -> String {
        let asked = self.program.errors.iter().filter(|property| !property.locs.is_empty());
        let names: Vec<String> = asked.map(|property| one_line(&property.name)).collect();
        let known = match names.len() {
            0 if matches!(self.frontend.questions, Questions::Operations { .. }) => None,
            0 => Some("the program has no labels".into()),
            1..=MAX_LISTED => Some(format!("known are {}", names.join(", "))),
            more => Some(format!("known are {} and {} more", names[..MAX_LISTED].join(", "), more - MAX_LISTED)),
        };
        let others: Vec<&str> = self.on_request().map(|(name, _)| name).collect();
        let others = (!others.is_empty())
            .then(|| format!("--property can also name {}, and --label any label of the program", others.join(", ")));
        known.into_iter().chain(others).collect::<Vec<String>>().join("; ")
    }

    /// The property that a property file asks for.
    fn specified(&self, specs: &[(Spec, Span)]) -> Result<PropertyId, Trouble> {
        let located = |errors| Trouble::Located(self.sources.clone(), errors);
        let mut asked: Option<PropertyId> = None;
        for (line, span) in specs {
            let found = spec::resolve(&self.program, line)
                .map_err(|why| located(vec![Diagnostic::error(*span, why).hint(self.known())]))?;
            if asked.is_some_and(|other| other != found) {
                let error =
                    Diagnostic::error(*span, "this is a second property, and a run answers one").hint("split the file");
                return Err(located(vec![error]));
            }
            asked = Some(found);
        }
        asked.ok_or_else(|| Trouble::input("the property file asks for nothing"))
    }
}

#[cfg(test)]
mod tests;
