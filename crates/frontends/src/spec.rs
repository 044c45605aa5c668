//! Property files (`.prp`) as SV-COMP defines them: one `CHECK(init(main()), LTL(...))` per line.
//!
//! Properties that no language here can be asked about are refused by their names, and so are
//! those that the program's language does not have: nobody shall take "true" for an answer to
//! another question.

use std::fmt;
use tamis_ir::{Diagnostic, Program, PropertyId, SourceId, Sources, Span};

/// The label that stands for an error if no other is named.
pub const ERROR_LABEL: &str = "ERROR";

/// One line of a property file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Spec {
    /// The function must never be called: `G ! call(reach_error())`.
    UnreachCall {
        /// Its name.
        function: String,
    },
    /// The label must never be reached: `G ! label(ERROR)`.
    Label(String),
    /// None of the usual error functions is called: `G ! error-call`.
    ErrorCall,
    /// No assertion fails: `G ! failed-assertion`.
    Assert,
    /// Nothing is divided by zero: `G ! division-by-zero`.
    Division,
    /// No array is accessed out of bounds: `G ! out-of-bounds`.
    Bounds,
    /// No signed overflow: `G ! overflow`.
    NoOverflow,
    /// Only live objects are freed, each once: `G valid-free`.
    ValidFree,
    /// Only live objects are read and written: `G valid-deref`.
    ValidDeref,
    /// Every live object can be reached from a pointer: `G valid-memtrack`.
    ValidMemtrack,
    /// Every object is freed at the end: `G valid-memcleanup`.
    ValidMemcleanup,
}

/// The names and the formulas of properties about operations, and what they ask for.
const OPERATIONS: &[(&str, &[&str], Spec)] = &[
    ("reach-error", &["G", "!", "error-call"], Spec::ErrorCall),
    ("assert", &["G", "!", "failed-assertion"], Spec::Assert),
    ("division-by-zero", &["G", "!", "division-by-zero"], Spec::Division),
    ("bounds", &["G", "!", "out-of-bounds"], Spec::Bounds),
    ("no-overflow", &["G", "!", "overflow"], Spec::NoOverflow),
    ("valid-free", &["G", "valid-free"], Spec::ValidFree),
    ("valid-deref", &["G", "valid-deref"], Spec::ValidDeref),
    ("valid-memtrack", &["G", "valid-memtrack"], Spec::ValidMemtrack),
    ("valid-memcleanup", &["G", "valid-memcleanup"], Spec::ValidMemcleanup),
];

impl Spec {
    /// The property that has that name, without a file.
    #[must_use]
    pub fn named(name: &str) -> Option<Spec> {
        if name == ERROR_LABEL {
            return Some(Spec::Label(name.to_owned()));
        }
        OPERATIONS.iter().find(|(known, _, _)| *known == name).map(|(_, _, spec)| spec.clone())
    }
}

/// The formulas of known properties that cannot be asked about, and their names.
const OTHERS: &[(&[&str], &str)] = &[
    (&["G", "!", "data-race"], "no-data-race"),
    (&["G", "!", "deadlock"], "no-deadlock"),
    (&["F", "end"], "termination"),
];

const EXAMPLE: &str = "write it like `CHECK( init(main()), LTL(G ! call(reach_error())) )`";

/// Reads a property file: each line's meaning and place.
///
/// # Errors
/// At least one error with its place: for a line that cannot be read, for a property that no
/// language can be asked about, or if there is no property at all.
pub fn parse(sources: &Sources, source: SourceId) -> Result<Vec<(Spec, Span)>, Vec<Diagnostic>> {
    let text = sources.get(source).map_or("", |source| source.text.as_str());
    let (mut specs, mut errors) = (Vec::new(), Vec::new());
    let mut start = 0;
    for line in text.split_inclusive('\n') {
        let content = line.trim();
        let from = start + (line.len() - line.trim_start().len());
        start += line.len();
        if content.is_empty() {
            continue;
        }
        let mut scanner = Scanner { source, rest: content, end: from + content.len() };
        let span = scanner.span();
        match scanner.check() {
            Ok(spec) => specs.push((spec, span)),
            Err(error) => errors.push(error),
        }
    }
    if specs.is_empty() && errors.is_empty() {
        let place = Span { source, start: 0, end: 0 };
        errors.push(Diagnostic::error(place, "there is no property in this file").hint(EXAMPLE));
    }
    if errors.is_empty() { Ok(specs) } else { Err(errors) }
}

/// Refuses what is not about reachability, for languages that have no other properties.
///
/// # Errors
/// One error per such line.
pub fn only_reachability(specs: &[(Spec, Span)]) -> Result<(), Vec<Diagnostic>> {
    let refused = specs.iter().filter_map(|(spec, span)| {
        let name = match spec {
            Spec::UnreachCall { .. } | Spec::Label(_) => return None,
            Spec::ErrorCall => "reach-error",
            Spec::Assert => "assert",
            Spec::Division => "division-by-zero",
            Spec::Bounds => "bounds",
            Spec::NoOverflow => "no-overflow",
            Spec::ValidFree | Spec::ValidDeref | Spec::ValidMemtrack => "valid-memsafety",
            Spec::ValidMemcleanup => "valid-memcleanup",
        };
        Some(unsupported(*span, name))
    });
    let refused: Vec<Diagnostic> = refused.collect();
    if refused.is_empty() { Ok(()) } else { Err(refused) }
}

/// The property of a program that a line asks about. Programs say themselves what their error
/// function is, and those whose language has properties about operations were lowered for the
/// question: all but labels are the program's default question.
///
/// # Errors
/// Says what is missing, as a lower-case phrase.
pub fn resolve(program: &Program, spec: &Spec) -> Result<PropertyId, String> {
    match spec {
        Spec::UnreachCall { function } => {
            program.default.ok_or_else(|| format!("the program does not say what a call of `{function}` is"))
        }
        Spec::Label(label) => {
            program.find_question_about(label).ok_or_else(|| format!("the program has no label `{label}`"))
        }
        Spec::ErrorCall
        | Spec::Assert
        | Spec::Division
        | Spec::Bounds
        | Spec::NoOverflow
        | Spec::ValidFree
        | Spec::ValidDeref
        | Spec::ValidMemtrack
        | Spec::ValidMemcleanup => program.default.ok_or_else(|| "the program has no such property".to_owned()),
    }
}

/// The formula of the line: `G ! call(reach_error())`.
impl fmt::Display for Spec {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Spec::UnreachCall { function } => write!(f, "G ! call({function}())"),
            Spec::Label(label) => write!(f, "G ! label({label})"),
            operation @ (Spec::ErrorCall
            | Spec::Assert
            | Spec::Division
            | Spec::Bounds
            | Spec::NoOverflow
            | Spec::ValidFree
            | Spec::ValidDeref
            | Spec::ValidMemtrack
            | Spec::ValidMemcleanup) => {
                let formula = OPERATIONS.iter().find(|(_, _, known)| known == operation);
                let (_, words, _) = formula.expect("all others are about operations");
                f.write_str(&words.join(" "))
            }
        }
    }
}

/// The part of a line that is still to be read.
struct Scanner<'t> {
    source: SourceId,
    rest: &'t str,
    /// Where the line ends in the text.
    end: usize,
}

impl<'t> Scanner<'t> {
    /// The place of the part that is still to be read.
    fn span(&self) -> Span {
        let offset = |at: usize| u32::try_from(at).unwrap_or(u32::MAX);
        Span { source: self.source, start: offset(self.end - self.rest.len()), end: offset(self.end) }
    }

    /// Consumes the text and the white space around it, if it comes next.
    fn eat(&mut self, text: &str) -> bool {
        match self.rest.trim_start().strip_prefix(text) {
            Some(rest) => {
                self.rest = rest.trim_start();
                true
            }
            None => false,
        }
    }

    fn expect(&mut self, text: &str) -> Result<(), Diagnostic> {
        if self.eat(text) {
            return Ok(());
        }
        Err(Diagnostic::error(self.span(), format!("expected `{text}`")).hint(EXAMPLE))
    }

    /// Consumes everything before the parenthesis that closes the one just read.
    fn inside(&mut self) -> Result<&'t str, Diagnostic> {
        let mut depth = 0_usize;
        for (at, character) in self.rest.char_indices() {
            match character {
                '(' => depth += 1,
                ')' if depth == 0 => {
                    let inside = self.rest[..at].trim_end();
                    self.rest = &self.rest[at..];
                    return Ok(inside);
                }
                ')' => depth -= 1,
                _ => {}
            }
        }
        Err(Diagnostic::error(self.span(), "this parenthesis is never closed").hint(EXAMPLE))
    }

    /// `CHECK( init(main()), LTL(formula) )`
    fn check(&mut self) -> Result<Spec, Diagnostic> {
        if self.rest.starts_with("COVER") {
            return Err(unsupported(self.span(), "COVER"));
        }
        self.expect("CHECK")?;
        self.expect("(")?;
        self.expect("init")?;
        self.expect("(")?;
        let place = self.span();
        let start = self.inside()?;
        if start.trim_end_matches(['(', ')', ' ', '\t']) != "main" {
            return Err(Diagnostic::error(place, format!("programs start in `main`, not in `{start}`")).hint(EXAMPLE));
        }
        self.expect(")")?;
        self.expect(",")?;
        self.expect("LTL")?;
        self.expect("(")?;
        let place = self.span();
        let inside = self.inside()?;
        let mut formula = Scanner { source: self.source, rest: inside, end: place.start as usize + inside.len() };
        self.expect(")")?;
        self.expect(")")?;
        if !self.rest.is_empty() {
            return Err(Diagnostic::error(self.span(), "expected the end of the line").hint(EXAMPLE));
        }
        formula.formula()
    }

    fn formula(&mut self) -> Result<Spec, Diagnostic> {
        let whole = self.span();
        let reads = |words: &[&str]| {
            let mut other = Scanner { source: self.source, rest: self.rest, end: self.end };
            words.iter().all(|word| other.eat(word)) && other.rest.is_empty()
        };
        if let Some((_, _, spec)) = OPERATIONS.iter().find(|(_, words, _)| reads(words)) {
            return Ok(spec.clone());
        }
        if let Some((_, name)) = OTHERS.iter().find(|(words, _)| reads(words)) {
            return Err(unsupported(whole, name));
        }
        let never = self.eat("G") && self.eat("!");
        let call = never && self.eat("call");
        let label = !call && never && self.eat("label");
        if !call && !label {
            return Err(Diagnostic::error(whole, "this formula is not a known property").hint(EXAMPLE));
        }
        self.expect("(")?;
        let place = self.span();
        let inside = self.inside()?;
        self.expect(")")?;
        let name = if call { inside.split('(').next().unwrap_or(inside).trim_end() } else { inside };
        if name.is_empty() || !self.rest.is_empty() {
            return Err(Diagnostic::error(place, "this formula is not a known property").hint(EXAMPLE));
        }
        let name = name.to_owned();
        Ok(if call { Spec::UnreachCall { function: name } } else { Spec::Label(name) })
    }
}

fn unsupported(span: Span, name: &str) -> Diagnostic {
    Diagnostic::error(span, format!("property {name} is not supported for this input"))
        .hint("ask about reachability: `unreach-call`, or a label")
}

#[cfg(test)]
mod tests {
    use super::*;

    /// What a property file says, or its errors as `start..end: message`.
    fn read(text: &str) -> Result<Vec<Spec>, Vec<String>> {
        let mut sources = Sources::new();
        let source = sources.add("a.prp", text);
        match parse(&sources, source) {
            Ok(specs) => {
                assert!(
                    specs.iter().all(|(_, span)| sources.text(*span).is_some_and(|line| line.starts_with("CHECK")))
                );
                Ok(specs.into_iter().map(|(spec, _)| spec).collect())
            }
            Err(errors) => Err(errors
                .iter()
                .map(|error| {
                    let place = sources.text(error.span).expect("a place in the text");
                    format!("{place}: {}", error.message)
                })
                .collect()),
        }
    }

    fn call(function: &str) -> Spec {
        Spec::UnreachCall { function: function.to_owned() }
    }

    #[test]
    fn the_usual_lines_are_read() {
        assert_eq!(read("CHECK( init(main()), LTL(G ! call(reach_error())) )\n"), Ok(vec![call("reach_error")]));
        assert_eq!(
            read("\r\n  CHECK(init(main()),LTL(G!call(__VERIFIER_error())))"),
            Ok(vec![call("__VERIFIER_error")])
        );
        let tolerant =
            "CHECK ( init ( main ( ) ) , LTL ( G ! label ( f:ERROR ) ) )  \n\nCHECK( init(main()), LTL(G ! call(f)) )";
        assert_eq!(read(tolerant), Ok(vec![Spec::Label("f:ERROR".to_owned()), call("f")]));
    }

    #[test]
    fn other_properties_are_refused_by_name() {
        let refused = |formula: &str, name: &str| {
            let errors = read(&format!("CHECK( init(main()), LTL({formula}) )"));
            assert_eq!(errors, Err(vec![format!("{formula}: property {name} is not supported for this input")]));
        };
        refused("F end", "termination");
        refused("G ! data-race", "no-data-race");
        let cover = "COVER( init(main()), FQL(COVER EDGES(@DECISIONEDGE)) )";
        assert_eq!(read(cover), Err(vec![format!("{cover}: property COVER is not supported for this input")]));
    }

    #[test]
    fn properties_about_operations_are_read_and_refused_where_the_language_has_none() {
        for (spec, name) in [
            (Spec::NoOverflow, "no-overflow"),
            (Spec::ValidFree, "valid-memsafety"),
            (Spec::ValidDeref, "valid-memsafety"),
            (Spec::ValidMemtrack, "valid-memsafety"),
            (Spec::ValidMemcleanup, "valid-memcleanup"),
        ] {
            assert_eq!(read(&format!("CHECK( init(main()), LTL({spec}) )")), Ok(vec![spec.clone()]));
            let line = Span { start: 3, end: 7, ..Span::default() };
            let refused = only_reachability(&[(call("f"), Span::default()), (spec, line)]).unwrap_err();
            let message = format!("property {name} is not supported for this input");
            assert_eq!(
                refused.iter().map(|error| (error.span, &error.message)).collect::<Vec<_>>(),
                [(line, &message)]
            );
        }
        assert_eq!(read(&format!("CHECK( init(main()), LTL({}) )", call("f"))), Ok(vec![call("f")]));
        assert_eq!(only_reachability(&[(Spec::Label("L".to_owned()), Span::default())]), Ok(()));
    }

    #[test]
    fn garbage_is_located() {
        assert_eq!(read(" \n"), Err(vec![": there is no property in this file".to_owned()]));
        assert_eq!(read("\nhello"), Err(vec!["hello: expected `CHECK`".to_owned()]));
        assert_eq!(read("CHECK( init(main()), CTL(x) )"), Err(vec!["CTL(x) ): expected `LTL`".to_owned()]));
        assert_eq!(read("CHECK( init(main()"), Err(vec!["main(): this parenthesis is never closed".to_owned()]));
        assert_eq!(
            read("CHECK( init(start()), LTL(F end) )"),
            Err(vec!["start()), LTL(F end) ): programs start in `main`, not in `start()`".to_owned()])
        );
        for formula in ["", "G", "G ! p", "G ! call()", "G ! call(f()) & x", "F end end", "G ! call", "label(L)", "λ"]
        {
            let errors = read(&format!("CHECK( init(main()), LTL({formula}) )"));
            assert_eq!(errors.map_err(|errors| errors.len()), Err(1), "{formula}");
        }
    }

    #[test]
    fn lines_are_resolved_by_name_or_default() {
        let mut program = Program::new(std::sync::Arc::default());
        assert!(resolve(&program, &call("f")).is_err());
        let property = |name: &str| tamis_ir::Property::new(name.to_owned(), "", vec![]);
        program.add_property(property("assert"));
        let label = program.add_property(property("L"));
        program.default = Some(PropertyId::new(0));
        assert_eq!(resolve(&program, &Spec::Label("L".to_owned())), Ok(label));
        assert_eq!(resolve(&program, &call("f")), Ok(PropertyId::new(0)));
        assert_eq!(resolve(&program, &Spec::Label("M".to_owned())), Err("the program has no label `M`".to_owned()));
    }
}
