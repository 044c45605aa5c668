//! Locations and edges as labels and statements.
//!
//! A chain of locations with one way on is a sequence of statements; a location with several
//! is an `if` whose alternatives end in jumps; a location without is `skip(false)`.

use super::Names;
use super::expression::{Scope, Writer};
use super::names::Namer;
use super::sorts::{cells, declare};
use rustc_hash::{FxHashMap, FxHashSet};
use std::fmt::Write;
use tamis_ir::{Edge, Loc, Op, ProcId, Procedure, Program};
use tamis_term::{Sort, Term, Terms, Var};

/// A module as text.
pub struct Module {
    /// Without a semicolon or a body.
    pub header: String,
    /// The declarations of local variables.
    pub locals: String,
    /// The statements.
    pub statements: String,
}

/// The names of one procedure.
struct Locals<'n> {
    terms: &'n Terms,
    names: &'n Names,
    namer: Namer,
    vars: FxHashMap<Var, String>,
    helpers: FxHashMap<Sort, Vec<String>>,
    declarations: Vec<(Sort, String)>,
}

impl Scope for Locals<'_> {
    fn name(&self, var: Var) -> Result<String, String> {
        let name = self.vars.get(&var).or_else(|| self.names.globals.get(&var));
        name.cloned().ok_or_else(|| format!("the variable {} out of its scope", self.terms.name(var)))
    }

    fn helper(&mut self, sort: &Sort, index: usize) -> String {
        let helpers = self.helpers.entry(sort.clone()).or_default();
        while helpers.len() <= index {
            let name = self.namer.fresh("t", Some(&self.names.namer));
            self.declarations.push((sort.clone(), name.clone()));
            helpers.push(name);
        }
        helpers[index].clone()
    }

    fn bound(&self) -> String {
        self.names.bound.clone()
    }
}

/// A line of code.
enum Line {
    Text(String),
    Goto(Loc),
    /// Jumps to the label of a property.
    Reach(usize),
    Return,
}

/// The code of a location.
struct Block {
    loc: Loc,
    lines: Vec<Line>,
}

struct Printer<'p> {
    procedure: &'p Procedure,
    locals: Locals<'p>,
    out: FxHashMap<Loc, Vec<&'p Edge>>,
    incoming: FxHashMap<Loc, u32>,
    /// Locations that jumps lead to.
    targets: FxHashSet<Loc>,
    /// The property whose label is on the location.
    labelled: FxHashMap<Loc, usize>,
    /// Properties whose label is jumped to.
    reached: Vec<usize>,
    done: FxHashSet<Loc>,
    work: Vec<Loc>,
    blocks: Vec<Block>,
}

/// Prints a procedure; `seen` collects the labels of properties.
pub fn procedure(
    terms: &Terms,
    program: &Program,
    names: &Names,
    id: ProcId,
    seen: &mut FxHashSet<String>,
) -> Result<Module, String> {
    let procedure = program.proc(id);
    let mut locals = Locals {
        terms,
        names,
        namer: Namer::default(),
        vars: FxHashMap::default(),
        helpers: FxHashMap::default(),
        declarations: Vec::new(),
    };
    let prefix = format!("{}::", procedure.name);
    for var in procedure.vars() {
        let full = terms.name(var);
        let name = locals.namer.fresh(full.strip_prefix(&prefix).unwrap_or(full), Some(&names.namer));
        locals.vars.insert(var, name);
    }
    let header = header(&locals, names, procedure, id)?;
    for var in procedure.inputs() {
        locals.declarations.push((terms.var_sort(*var).clone(), locals.vars[var].clone()));
    }
    let mut out: FxHashMap<Loc, Vec<&Edge>> = FxHashMap::default();
    let mut incoming: FxHashMap<Loc, u32> = FxHashMap::default();
    for edge in &procedure.edges {
        out.entry(edge.from).or_default().push(edge);
        *incoming.entry(edge.to).or_default() += 1;
    }
    let mut printer = Printer {
        procedure,
        locals,
        out,
        incoming,
        targets: FxHashSet::default(),
        labelled: FxHashMap::default(),
        reached: Vec::new(),
        done: FxHashSet::default(),
        work: Vec::new(),
        blocks: Vec::new(),
    };
    printer.place_labels();
    printer.everything()?;
    let returned = printer.returned(id)?;
    let statements = printer.finish(&returned, seen);
    let mut declarations = String::new();
    for (sort, name) in &printer.locals.declarations {
        let _ = writeln!(declarations, "  {};", declare(sort, name)?);
    }
    Ok(Module { header, locals: declarations, statements })
}

fn header(locals: &Locals<'_>, names: &Names, procedure: &Procedure, id: ProcId) -> Result<String, String> {
    let sort = |var: &Var| locals.terms.var_sort(*var);
    let result = match procedure.results.as_slice() {
        [result] => declare(sort(result), "")?,
        _ => "void".to_owned(),
    };
    let params = procedure.params.iter().map(|param| declare(sort(param), &locals.vars[param]));
    let params = params.collect::<Result<Vec<_>, _>>()?.join(", ");
    Ok(format!("module {result} {}({params})", names.modules[id.index()]))
}

impl<'p> Printer<'p> {
    /// Decides which property's label stands on which location.
    fn place_labels(&mut self) {
        let reachable = self.reachable();
        let properties = &self.locals.names.properties;
        let mut count: FxHashMap<usize, u32> = FxHashMap::default();
        for property in reachable.iter().filter_map(|loc| properties.get(loc)).flatten() {
            *count.entry(*property).or_default() += 1;
        }
        for loc in reachable {
            let alone = properties.get(&loc).into_iter().flatten().find(|property| count[*property] == 1);
            if let Some(property) = alone {
                self.labelled.insert(loc, *property);
            }
        }
    }

    /// The locations that edges lead to from the entry.
    fn reachable(&self) -> Vec<Loc> {
        let mut order = vec![self.procedure.entry];
        let mut seen: FxHashSet<Loc> = order.iter().copied().collect();
        let mut at = 0;
        while let Some(loc) = order.get(at) {
            at += 1;
            let next: Vec<Loc> = self.out.get(loc).into_iter().flatten().map(|edge| edge.to).collect();
            order.extend(next.into_iter().filter(|loc| seen.insert(*loc)));
        }
        order
    }

    fn everything(&mut self) -> Result<(), String> {
        self.work.push(self.procedure.entry);
        while let Some(loc) = self.work.pop() {
            self.from(loc)?;
        }
        Ok(())
    }

    /// Prints a location and those that follow it in a chain.
    fn from(&mut self, start: Loc) -> Result<(), String> {
        let mut next = Some(start);
        while let Some(loc) = next.take() {
            if !self.done.insert(loc) {
                break;
            }
            let mut lines = self.reaches(loc);
            let edges = self.out.get(&loc).cloned().unwrap_or_default();
            if loc == self.procedure.exit {
                lines.push(Line::Return);
            } else if let [edge] = edges.as_slice() {
                let code = self.code(edge)?;
                let ends = code.ends;
                lines.extend(code.into_lines());
                if ends {
                    // Nothing goes on behind `skip(false)`.
                } else if self.done.contains(&edge.to) {
                    lines.push(self.jump(edge.to));
                } else {
                    next = Some(edge.to);
                }
            } else if edges.is_empty() {
                lines.push(Line::Text("skip(false);".to_owned()));
            } else {
                lines.push(Line::Text("if".to_owned()));
                for edge in edges {
                    self.alternative(edge, &mut lines)?;
                }
                lines.push(Line::Text("fi".to_owned()));
            }
            self.blocks.push(Block { loc, lines });
        }
        Ok(())
    }

    /// Jumps to the labels of properties that are not on the location itself.
    fn reaches(&mut self, loc: Loc) -> Vec<Line> {
        let mut lines = Vec::new();
        let names: &'p Names = self.locals.names;
        for property in names.properties.get(&loc).into_iter().flatten() {
            if self.labelled.get(&loc) != Some(property) {
                lines.push(Line::Text("if".to_owned()));
                lines.push(Line::Text(":: true ->".to_owned()));
                lines.push(Line::Reach(*property));
                lines.push(Line::Text(":: true -> skip;".to_owned()));
                lines.push(Line::Text("fi".to_owned()));
                self.reached.push(*property);
            }
        }
        lines
    }

    /// A jump; returning is as short as jumping to the exit.
    fn jump(&mut self, to: Loc) -> Line {
        if to == self.procedure.exit && !self.locals.names.properties.contains_key(&to) {
            return Line::Return;
        }
        self.targets.insert(to);
        self.work.push(to);
        Line::Goto(to)
    }

    /// `:: guard -> statements`, as far as the edges form a chain that nothing else enters.
    fn alternative(&mut self, edge: &'p Edge, lines: &mut Vec<Line>) -> Result<(), String> {
        let mut edge = edge;
        let mut code = self.code(edge)?;
        let guard = if code.before.is_empty() { code.test.take() } else { None };
        lines.push(Line::Text(format!(":: {} ->", guard.unwrap_or_else(|| "true".to_owned()))));
        loop {
            let ends = code.ends;
            lines.extend(code.into_lines());
            if ends {
                lines.push(Line::Text("skip(false);".to_owned()));
                return Ok(());
            }
            let to = edge.to;
            let chained = self.incoming.get(&to) == Some(&1)
                && to != self.procedure.entry
                && to != self.procedure.exit
                && !self.locals.names.properties.contains_key(&to);
            match self.out.get(&to).map(Vec::as_slice) {
                Some([next]) if chained => {
                    self.done.insert(to);
                    edge = next;
                    code = self.code(edge)?;
                }
                _ => {
                    let jump = self.jump(to);
                    lines.push(jump);
                    return Ok(());
                }
            }
        }
    }

    /// The statements of an edge.
    fn code(&mut self, edge: &Edge) -> Result<Code, String> {
        let terms = self.locals.terms;
        let mut code = Code::default();
        match &edge.op {
            Op::Assume(condition) if terms.is_true(*condition) => {}
            Op::Assume(condition) => {
                code.ends = terms.is_false(*condition);
                code.test = self.values(&[*condition], &mut code)?.pop();
            }
            Op::Assign(pairs) => {
                let values: Vec<Term> = pairs.iter().map(|(_, value)| *value).collect();
                let values = self.values(&values, &mut code)?;
                let vars: Vec<Var> = pairs.iter().map(|(var, _)| *var).collect();
                code.after.extend(self.assign(&vars, &values)?);
            }
            Op::Havoc(vars) => {
                let vars = vars.iter().map(|var| self.forget(*var)).collect::<Result<Vec<_>, _>>()?;
                code.after.extend((!vars.is_empty()).then(|| format!("{};", vars.join(", "))));
            }
            Op::Call { callee, args, results } => {
                let args = self.values(args, &mut code)?.join(", ");
                let call = format!("{}({args});", self.locals.names.modules[callee.index()]);
                match results.as_slice() {
                    [] => code.after.push(call),
                    [result] => code.after.push(format!("{} = {call}", self.locals.name(*result)?)),
                    _ => {
                        code.after.push(call);
                        let names: &Names = self.locals.names;
                        code.after.extend(self.assign(results, &names.results[callee])?);
                    }
                }
            }
        }
        Ok(code)
    }

    /// The terms as expressions, behind the statements that they need.
    fn values(&mut self, values: &[Term], code: &mut Code) -> Result<Vec<String>, String> {
        let mut writer = Writer::new(self.locals.terms, &mut self.locals);
        let texts = writer.write(values)?;
        code.before.append(&mut writer.before);
        Ok(texts)
    }

    fn assign(&self, vars: &[Var], values: &[String]) -> Result<Option<String>, String> {
        let pairs = vars.iter().zip(values).map(|(var, value)| Ok(format!("{} = {value}", self.locals.name(*var)?)));
        let pairs = pairs.collect::<Result<Vec<_>, String>>()?;
        Ok((!pairs.is_empty()).then(|| format!("{};", pairs.join(", "))))
    }

    /// `x = undef`, without a semicolon.
    fn forget(&self, var: Var) -> Result<String, String> {
        let name = self.locals.name(var)?;
        let sort = self.locals.terms.var_sort(var);
        if !matches!(sort, Sort::Array(_)) {
            return Ok(format!("{name} = undef"));
        }
        let bound = self.locals.bound();
        Ok(format!("A {bound} (0,{}) {name}[{bound}] = undef", cells(sort)? - 1))
    }

    /// How the procedure returns.
    fn returned(&self, id: ProcId) -> Result<Vec<String>, String> {
        let results = self.procedure.results.iter().map(|var| self.locals.name(*var));
        let results = results.collect::<Result<Vec<_>, _>>()?;
        Ok(match results.as_slice() {
            [] => vec!["return;".to_owned()],
            [result] => vec![format!("return {result};")],
            _ => {
                let pairs = self.locals.names.results[&id].iter().zip(&results);
                let pairs: Vec<String> = pairs.map(|(global, result)| format!("{global} = {result}")).collect();
                vec![format!("{};", pairs.join(", ")), "return;".to_owned()]
            }
        })
    }

    /// The code of all locations, with labels where something jumps to.
    fn finish(&mut self, returned: &[String], seen: &mut FxHashSet<String>) -> String {
        let names: &Names = self.locals.names;
        let mut labels: FxHashMap<Loc, String> = FxHashMap::default();
        let blocks = std::mem::take(&mut self.blocks);
        for block in &blocks {
            if let Some(property) = self.labelled.get(&block.loc) {
                labels.insert(block.loc, names.labels[*property].clone());
                seen.insert(names.labels[*property].clone());
            } else if self.targets.contains(&block.loc) {
                labels.insert(block.loc, self.locals.namer.fresh("l", Some(&names.namer)));
            }
        }
        let mut text = String::new();
        for block in blocks {
            if let Some(label) = labels.get(&block.loc) {
                let _ = writeln!(text, "{label}:{}", if block.lines.is_empty() { " skip;" } else { "" });
            }
            for line in block.lines {
                let _ = match line {
                    Line::Text(line) => writeln!(text, "  {line}"),
                    Line::Goto(to) => writeln!(text, "  goto {};", labels[&to]),
                    Line::Reach(property) => writeln!(text, "  goto {};", names.labels[property]),
                    Line::Return => writeln!(text, "  {}", returned.join(" ")),
                };
            }
        }
        self.reached.sort_unstable();
        self.reached.dedup();
        for property in &self.reached {
            let label = &names.labels[*property];
            seen.insert(label.clone());
            let _ = writeln!(text, "{label}:\n  skip(false);");
        }
        if self.procedure.results.len() == 1 && !text.ends_with(&format!("{}\n", returned.join(" "))) {
            // A module with a result must end like this, even where nobody gets.
            let _ = writeln!(text, "  {}", returned.join(" "));
        }
        text
    }
}

/// The statements of an edge.
#[derive(Default)]
struct Code {
    /// Statements that compute helpers.
    before: Vec<String>,
    /// A condition to wait for.
    test: Option<String>,
    /// What the edge does.
    after: Vec<String>,
    /// Whether nothing can follow.
    ends: bool,
}

impl Code {
    fn into_lines(self) -> impl Iterator<Item = Line> {
        let test = self.test.map(|test| format!("skip({test});"));
        self.before.into_iter().chain(test).chain(self.after).map(Line::Text)
    }
}
