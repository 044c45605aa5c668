//! From programs to text: any program over finite sorts, from whatever front end, as a text
//! that means the same.
//!
//! Files in order of reading: `sorts` (declarations), `names`, `expression` (terms), `flow`
//! (locations and edges as statements).
//!
//! Every property becomes a label, the default one the label `error`. Where a location has
//! several properties, or a property several locations in one procedure, the location may
//! jump to the label: the label is reachable exactly when one of the locations is.

mod expression;
mod flow;
mod names;
mod sorts;

use flow::procedure;
use names::Namer;
use rustc_hash::{FxHashMap, FxHashSet};
use sorts::declare;
use std::fmt::Write;
use tamis_ir::{Loc, ProcId, Program};
use tamis_term::{Terms, Var};

/// The names of a program in the text.
#[derive(Debug, Default)]
struct Names {
    /// Of modules, global variables and properties.
    namer: Namer,
    modules: Vec<String>,
    globals: FxHashMap<Var, String>,
    /// One for each property.
    labels: Vec<String>,
    /// Global variables that carry the results of a procedure with several.
    results: FxHashMap<ProcId, Vec<String>>,
    /// The name that quantifiers bind.
    bound: String,
    /// The properties of each location.
    properties: FxHashMap<Loc, Vec<usize>>,
}

/// The program as text.
///
/// # Errors
/// Names what the language cannot express: unbounded numbers and arrays, bit-vectors and
/// arrays beyond the limits of this front end.
pub fn to_remopla(terms: &Terms, program: &Program) -> Result<String, String> {
    let mut names = Names::default();
    let mut text = String::new();
    // The default property is called `error`, and nothing else is.
    let error = names.namer.fresh("error", None);
    for (number, property) in program.errors.iter().enumerate() {
        let default = program.default.is_some_and(|default| default.index() == number);
        let label = if default { error.clone() } else { names.namer.fresh(&property.name, None) };
        names.labels.push(label);
        for loc in &property.locs {
            names.properties.entry(*loc).or_default().push(number);
        }
    }
    for (_, procedure) in program.procs() {
        let name = names.namer.fresh(&procedure.name, None);
        names.modules.push(name);
    }
    names.bound = names.namer.fresh("k", None);
    for var in &program.globals {
        let name = names.namer.fresh(terms.name(*var), None);
        let _ = writeln!(text, "{};", declare(terms.var_sort(*var), &name)?);
        names.globals.insert(*var, name);
    }
    for (id, procedure) in program.procs() {
        if procedure.results.len() > 1 {
            let mut results = Vec::new();
            for var in &procedure.results {
                let name = names.namer.fresh(&format!("{}_result", names.modules[id.index()]), None);
                let _ = writeln!(text, "{};", declare(terms.var_sort(*var), &name)?);
                results.push(name);
            }
            names.results.insert(id, results);
        }
    }

    let mut headers = String::new();
    let mut modules = String::new();
    let mut printed = FxHashSet::default();
    for (id, _) in program.procs() {
        let module = procedure(terms, program, &names, id, &mut printed)?;
        let _ = writeln!(headers, "{};", module.header);
        let _ = write!(modules, "{} {{\n{}{}}}\n", module.header, module.locals, module.statements);
    }
    text.push_str(&headers);
    // Labels that no code has are never reached, but can be asked about.
    let missing: Vec<&String> = names.labels.iter().filter(|label| !printed.contains(*label)).collect();
    if !missing.is_empty() {
        let name = names.namer.fresh("unreached", None);
        let _ = writeln!(modules, "module void {name}() {{");
        for label in missing {
            let _ = writeln!(modules, "  {label}: skip;");
        }
        modules.push_str("}\n");
    }
    let _ = writeln!(text, "init {};", names.modules[program.main.index()]);
    text.push_str(&modules);
    Ok(text)
}
