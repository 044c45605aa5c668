//! From a file to a program, and from the command line to a property of it.

use crate::input::{Content, is_stdin, language};
use crate::options::{Input, Question};
use crate::supervise::Job;
use crate::trouble::Trouble;
use std::sync::Arc;
use tamis_frontends::{Lowered, spec};
use tamis_ir::validate::validate;
use tamis_ir::{Diagnostic, Program, PropertyId, SourceId, Sources};
use tamis_report::diagnostics::render;
use tamis_report::style::{Colour, one_line};
use tamis_report::witness_file::Subject;
use tamis_term::Terms;

/// How many names a hint lists.
const MAX_LISTED: usize = 20;

/// A program with its surroundings.
#[derive(Debug)]
pub struct Loaded {
    pub terms: Terms,
    pub program: Program,
    /// What identifies the program in a witness.
    pub subject: Subject,
    sources: Arc<Sources>,
    /// The property file, if the user gave one.
    spec: Option<SourceId>,
}

/// Reads and lowers the program. Warnings are said at once.
pub fn load(job: &Job, input: &Input, question: Option<&Question>, colour: Colour) -> Result<Loaded, Trouble> {
    let frontend = language(&input.file, input.language.as_deref())?;
    job.stage("reading");
    let content = Content::read(&input.file)?;
    let mut sources = Sources::new();
    let source = sources.add(&content.name, content.text()?);
    let spec = question.and_then(|question| question.spec.as_deref());
    if spec.is_some_and(is_stdin) && is_stdin(&input.file) {
        return Err(Trouble::input("the program and the property file cannot both be standard input"));
    }
    let spec = spec.map(|path| {
        let content = Content::read(path)?;
        Ok(sources.add(&content.name, content.text()?))
    });
    let spec = spec.transpose()?;
    let sources = Arc::new(sources);
    let subject = Subject::new(&content.name, &content.bytes);
    drop(content);
    let mut terms = Terms::new();
    let lowered = (frontend.lower)(&mut terms, sources.clone(), source);
    let Lowered { program, warnings } = lowered.map_err(|errors| Trouble::Located(sources.clone(), errors))?;
    if !warnings.is_empty() {
        job.say(render(&sources, &warnings, colour));
    }
    validate(&terms, &program).map_err(|violation| {
        Trouble::Internal(format!("the front end {} made an invalid program: {violation}", frontend.name))
    })?;
    Ok(Loaded { terms, program, subject, sources, spec })
}

impl Loaded {
    /// The property that the user names, if any.
    pub fn named_property(&self, question: &Question) -> Result<Option<PropertyId>, Trouble> {
        if let Some(source) = self.spec {
            return self.specified(source).map(Some);
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
            let hint = format!("name a label with --label; {}", self.known());
            Trouble::input("there is nothing to check: the program names no error").hint(hint)
        })
    }

    fn known(&self) -> String {
        let asked = self.program.errors.iter().filter(|property| !property.locs.is_empty());
        let names: Vec<String> = asked.map(|property| one_line(&property.name)).collect();
        match names.len() {
            0 => "the program has no labels".into(),
            1..=MAX_LISTED => format!("known are {}", names.join(", ")),
            more => format!("known are {} and {} more", names[..MAX_LISTED].join(", "), more - MAX_LISTED),
        }
    }

    /// The property that a property file asks for.
    fn specified(&self, source: SourceId) -> Result<PropertyId, Trouble> {
        let located = |errors| Trouble::Located(self.sources.clone(), errors);
        let specs = spec::parse(&self.sources, source).map_err(located)?;
        let mut asked: Option<PropertyId> = None;
        for (line, span) in &specs {
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
