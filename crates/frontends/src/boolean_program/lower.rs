//! From the syntax tree to a program: declarations, functions, properties.

use super::ast::{self, Function, Name};
use super::flow::Graph;
use super::formula::{Findings, Formulas};
use super::statement::Body;
use crate::Lowered;
use rustc_hash::FxHashMap;
use std::sync::Arc;
use tamis_ir::{Diagnostic, Loc, ProcId, Program, Property, Sources, Span};
use tamis_term::{Sort, Terms, Var};

/// The label that SLAM's instrumentation makes reachable when the rule is broken.
const SLIC_ERROR: &str = "SLIC_ERROR";

/// A label of a function.
#[derive(Clone, Copy, Debug)]
struct Label<'s> {
    name: &'s str,
    proc: ProcId,
    loc: Loc,
}

/// Lowers a syntax tree without syntax errors; `file` is the span of its text.
pub(super) fn lower(
    terms: &mut Terms,
    sources: Arc<Sources>,
    file: Span,
    tree: &ast::Program<'_>,
    warnings: Vec<Diagnostic>,
) -> Result<Lowered, Vec<Diagnostic>> {
    let mut findings = Findings { errors: Vec::new(), warnings };
    let mut program = Program::new(sources);
    let mut globals: FxHashMap<&str, Var> = FxHashMap::default();
    program.globals = declare(terms, &mut findings, &mut globals, &tree.globals, None);
    let functions = functions(terms, &mut findings, &mut program, tree);
    if let Some(main) = functions.get("main") {
        program.main = *main;
    } else {
        let place = tree.functions.first().map_or(Span { end: file.start, ..file }, |first| first.name.span);
        let error = Diagnostic::error(place, "there is no function `main`");
        findings.refuse(error.hint("call the function where the program starts `main`"));
    }
    let homes: FxHashMap<&str, &str> = tree
        .functions
        .iter()
        .flat_map(|function| function.body.iter().flat_map(|stmt| &stmt.labels).map(|l| (l.text, function.name.text)))
        .collect();
    let (mut labels, mut asserts) = (Vec::new(), Vec::new());
    for (index, function) in tree.functions.iter().enumerate() {
        let proc = ProcId::new(index);
        let always = terms.bool(true);
        let mut formulas = Formulas::new(terms, &mut findings, &tree.nodes, &globals, function.name.text);
        variables(&mut formulas, &mut program, proc, function);
        let graph = Graph { program: &mut program, proc, always };
        let mut body = Body::new(graph, formulas, &functions, &homes, &mut asserts);
        place_labels(&mut body, &mut labels, function);
        body.lower(function);
    }
    if !findings.errors.is_empty() {
        findings.errors.sort_by_key(|error| error.span);
        return Err(findings.errors);
    }
    properties(&mut program, file, &labels, &asserts);
    if program.default.is_none_or(|default| program.property(default).locs.is_empty()) {
        findings.warnings.push(nothing_to_check(&program, !labels.is_empty()));
    }
    Ok(Lowered { program, warnings: findings.warnings })
}

/// Declares variables under their names; of a function, if one is given.
fn declare<'s>(
    terms: &mut Terms,
    findings: &mut Findings,
    scope: &mut FxHashMap<&'s str, Var>,
    names: &[Name<'s>],
    function: Option<&str>,
) -> Vec<Var> {
    let mut vars = Vec::with_capacity(names.len());
    for name in names {
        if scope.contains_key(name.text) {
            let error = Diagnostic::error(name.span, format!("`{}` is declared twice", name.text));
            findings.refuse(error.hint("remove one of the declarations"));
            continue;
        }
        if name.text == "_" {
            let error = Diagnostic::error(name.span, "`_` cannot be declared");
            findings.refuse(error.hint("it stands for a value that is not wanted: choose another name"));
        }
        // A leading `$` marks helpers, which reports hide: the user's own get braces.
        let shown = if name.text.starts_with('$') { &format!("{{{}}}", name.text) } else { name.text };
        let var = match function {
            Some(function) => terms.declare(&format!("{function}::{shown}"), Sort::Bool),
            None => terms.declare(shown, Sort::Bool),
        };
        scope.insert(name.text, var);
        vars.push(var);
    }
    vars
}

/// Adds all procedures, with their parameters and results, so that calls can come first.
fn functions<'s>(
    terms: &mut Terms,
    findings: &mut Findings,
    program: &mut Program,
    tree: &ast::Program<'s>,
) -> FxHashMap<&'s str, ProcId> {
    let mut functions: FxHashMap<&str, ProcId> = FxHashMap::default();
    for function in &tree.functions {
        let name = function.name.text;
        let proc = program.add_proc(name, function.header);
        if functions.insert(name, proc).is_some() {
            let error = Diagnostic::error(function.name.span, format!("function `{name}` is defined twice"));
            findings.refuse(error.hint("rename or remove one of them"));
        }
        let mut own = FxHashMap::default();
        let params = declare(terms, findings, &mut own, &function.params, Some(name));
        let results = (1..=function.results).map(|number| match function.results {
            1 => terms.declare(&format!("{name}::return"), Sort::Bool),
            _ => terms.declare(&format!("{name}::return.{number}"), Sort::Bool),
        });
        let results = results.collect();
        let procedure = &mut program.procs[proc.index()];
        (procedure.params, procedure.results) = (params, results);
        program.locs[program.procs[proc.index()].exit.index()].span = function.end;
    }
    functions
}

/// Brings the parameters of a function into its scope, and declares its locals.
fn variables<'s>(formulas: &mut Formulas<'_, 's>, program: &mut Program, proc: ProcId, function: &Function<'s>) {
    let procedure = &mut program.procs[proc.index()];
    formulas.locals.extend(function.params.iter().map(|name| name.text).zip(procedure.params.iter().copied()));
    let name = Some(function.name.text);
    procedure.locals = declare(formulas.terms, formulas.findings, &mut formulas.locals, &function.locals, name);
}

/// Gives every labelled statement of a function its location.
fn place_labels<'s>(body: &mut Body<'_, 's>, labels: &mut Vec<Label<'s>>, function: &Function<'s>) {
    for stmt in &function.body {
        let Some(first) = stmt.labels.first() else { continue };
        let proc = body.graph.proc;
        let loc = body.graph.program.add_loc(stmt.span);
        body.graph.program.locs[loc.index()].label = Some(first.text.to_owned());
        for label in &stmt.labels {
            if body.places.insert(label.text, loc).is_some() {
                let function = function.name.text;
                let error = Diagnostic::error(label.span, format!("label `{}` is in `{function}` twice", label.text));
                body.formulas.findings.refuse(error.hint("rename one of them"));
            }
            labels.push(Label { name: label.text, proc, loc });
            if label.text.starts_with("ASYNC_") {
                let warning = Diagnostic::warning(label.span, "labels of this kind start a thread in SATABS");
                let warning = warning.hint("there are no threads here: it is a label like any other");
                body.formulas.findings.warnings.push(warning);
            }
        }
    }
}

/// Adds what can be asked: `assert` and each assertion, each label and each function's label.
///
/// The default is what a careful user wants checked: the assertions, and SLAM's error label.
fn properties(program: &mut Program, file: Span, labels: &[Label<'_>], asserts: &[(Loc, Span)]) {
    let failures: Vec<Loc> = asserts.iter().map(|(loc, _)| *loc).collect();
    let assert = Property::new("assert", "an assertion fails", failures.clone());
    let assert = program.add_property(assert);
    program.default = Some(assert);
    single_assertions(program, file, asserts);

    let mut by_name: FxHashMap<&str, usize> = FxHashMap::default();
    let mut groups: Vec<(&str, Vec<Loc>)> = Vec::new();
    for label in labels {
        let group = *by_name.entry(label.name).or_insert(groups.len());
        if group == groups.len() {
            groups.push((label.name, Vec::new()));
        }
        groups[group].1.push(label.loc);
    }
    for (name, locs) in groups {
        let about = format!("label {name} is reached");
        let property = program.add_property(Property::new(name.to_owned(), about, locs.clone()));
        if name != SLIC_ERROR {
            continue;
        }
        program.default = Some(if failures.is_empty() {
            property
        } else {
            program.add_property(Property::new(
                format!("assert+{SLIC_ERROR}"),
                format!("an assertion fails or label {SLIC_ERROR} is reached"),
                failures.iter().copied().chain(locs).collect(),
            ))
        });
    }
    for Label { name, proc, loc } in labels {
        let function = program.proc(*proc).name.clone();
        let about = format!("label {name} of {function} is reached");
        program.add_property(Property::new(format!("{function}:{name}"), about, vec![*loc]));
    }
}

/// One property per assertion, named by its line.
fn single_assertions(program: &mut Program, file: Span, asserts: &[(Loc, Span)]) {
    let sources = program.sources.clone();
    let text = sources.get(file.source).map_or("", |source| source.text.as_str());
    // Assertions come in the order of the text, so its lines are counted once.
    let (mut line, mut before, mut counted) = (1_usize, 0, 0_usize);
    for (loc, span) in asserts {
        let start = span.start as usize;
        let breaks = text.get(counted..start).map_or(0, |part| part.matches('\n').count());
        before = if breaks == 0 { before + 1 } else { 1 };
        (line, counted) = (line + breaks, start);
        let name = if before == 1 { format!("assert@{line}") } else { format!("assert@{line}#{before}") };
        let about = format!("the assertion in line {line} fails");
        program.add_property(Property::new(name, about, vec![*loc]));
    }
}

fn nothing_to_check(program: &Program, has_labels: bool) -> Diagnostic {
    let warning = Diagnostic::warning(program.proc(program.main).span, "nothing to check: there is no `assert`");
    warning.hint(if has_labels {
        "name a label to ask whether it can be reached"
    } else {
        "add an `assert`, or a label to ask about"
    })
}

/// Leaves out warnings that nobody would read.
pub(super) fn shorten(warnings: &mut Vec<Diagnostic>, most: usize) {
    if warnings.len() > most {
        let left = warnings.len() - most;
        let place = warnings[most].span;
        warnings.truncate(most);
        warnings.push(Diagnostic::warning(place, format!("and {left} more warnings from here on")));
    }
}
