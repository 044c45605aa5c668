//! Boolean programs, in the language of SLAM's Bebop (Ball, Rajamani, *Bebop: A Symbolic Model
//! Checker for Boolean Programs*, SPIN 2000): what `frontends/boolean_program` reads.
//!
//! Control is written with labels and `goto`: a label `L` for each location, and `E` for each edge.
//! Error locations are assertions that fail.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use tamis_ir::graph::Flow;
use tamis_ir::{Loc, Op, Procedure, Program, PropertyId};
use tamis_term::{Fun, Node, Sort, Term, Terms, Var};

/// The text of a program whose variables are all Boolean.
///
/// # Errors
/// Names a variable that is not.
pub fn render(terms: &Terms, program: &Program, property: PropertyId) -> Result<String, String> {
    let all: Vec<Var> = program.vars().collect();
    if let Some(var) = all.iter().copied().find(|var| *terms.var_sort(*var) != Sort::Bool) {
        return Err(format!("{} is not Boolean", terms.name(var)));
    }
    let names = all.into_iter().map(|var| (var, name(terms, var))).collect();
    let writer = Writer { terms, program, flow: Flow::new(program), errors: &program.property(property).locs, names };
    let mut text = String::new();
    if !program.globals.is_empty() {
        let _ = writeln!(text, "decl {};", writer.list(&program.globals));
    }
    for proc in &program.procs {
        writer.procedure(&mut text, proc);
    }
    Ok(text)
}

/// A variable's name without its procedure's.
fn name(terms: &Terms, var: Var) -> String {
    let name = terms.name(var);
    let name = name.rsplit("::").next().unwrap_or(name);
    let plain =
        name.chars().all(|c| c.is_ascii_alphanumeric() || c == '_') && !name.starts_with(|c: char| c.is_ascii_digit());
    if plain { name.to_owned() } else { format!("{{{}}}", name.replace(['{', '}'], "_")) }
}

struct Writer<'w> {
    terms: &'w Terms,
    program: &'w Program,
    flow: Flow,
    errors: &'w [Loc],
    names: BTreeMap<Var, String>,
}

impl Writer<'_> {
    fn list(&self, vars: &[Var]) -> String {
        vars.iter().map(|var| self.names[var].as_str()).collect::<Vec<_>>().join(", ")
    }

    fn procedure(&self, text: &mut String, proc: &Procedure) {
        let kind = match proc.results.len() {
            0 => "void".to_owned(),
            1 => "bool".to_owned(),
            count => format!("bool<{count}>"),
        };
        let _ = writeln!(text, "\n{kind} {}({}) begin", proc.name, self.list(&proc.params));
        let locals: Vec<Var> = proc.inputs().copied().collect();
        if !locals.is_empty() {
            let _ = writeln!(text, "  decl {};", self.list(&locals));
        }
        let mut locs = vec![proc.entry];
        locs.extend(proc.edges.iter().flat_map(|edge| [edge.from, edge.to]));
        locs.push(proc.exit);
        let mut seen = std::collections::BTreeSet::new();
        locs.retain(|loc| seen.insert(*loc));
        for loc in locs {
            self.location(text, proc, loc);
        }
        text.push_str("end\n");
    }

    fn location(&self, text: &mut String, proc: &Procedure, loc: Loc) {
        if let Some(label) = &self.program.locs[loc.index()].label {
            let _ = writeln!(text, "  // {label}");
        }
        let _ = write!(text, "  L{}: ", loc.index());
        let edges = self.flow.out_edges(loc);
        if self.errors.contains(&loc) {
            text.push_str("assert(F);\n");
            return;
        }
        if loc == proc.exit {
            let results = self.list(&proc.results);
            let _ = if results.is_empty() { writeln!(text, "return;") } else { writeln!(text, "return {results};") };
            return;
        }
        if edges.is_empty() {
            text.push_str("assume(F);\n");
            return;
        }
        let labels: Vec<String> = edges.iter().map(|id| format!("E{}_{}", loc.index(), id.index)).collect();
        let _ = writeln!(text, "goto {};", labels.join(", "));
        for (id, label) in edges.iter().zip(&labels) {
            let edge = self.program.edge(*id);
            let _ = writeln!(text, "  {label}: {}; goto L{};", self.operation(&edge.op), edge.to.index());
        }
    }

    fn operation(&self, op: &Op) -> String {
        match op {
            Op::Assume(condition) => format!("assume({})", self.formula(*condition)),
            Op::Assign(pairs) if pairs.is_empty() => "skip".to_owned(),
            Op::Assign(pairs) => {
                let (vars, values): (Vec<Var>, Vec<Term>) = pairs.iter().copied().unzip();
                let values: Vec<String> = values.iter().map(|value| self.formula(*value)).collect();
                format!("{} := {}", self.list(&vars), values.join(", "))
            }
            Op::Havoc(vars) if vars.is_empty() => "skip".to_owned(),
            Op::Havoc(vars) => format!("{} := {}", self.list(vars), vec!["*"; vars.len()].join(", ")),
            Op::Call { callee, args, results } => {
                let args: Vec<String> = args.iter().map(|arg| self.formula(*arg)).collect();
                let call = format!("{}({})", self.program.proc(*callee).name, args.join(", "));
                if results.is_empty() { call } else { format!("{} := {call}", self.list(results)) }
            }
        }
    }

    /// A formula, fully parenthesised.
    fn formula(&self, root: Term) -> String {
        enum Piece {
            Of(Term),
            Text(&'static str),
        }
        let mut text = String::new();
        let mut stack = vec![Piece::Of(root)];
        while let Some(piece) = stack.pop() {
            let term = match piece {
                Piece::Text(words) => {
                    text.push_str(words);
                    continue;
                }
                Piece::Of(term) => term,
            };
            let (fun, args) = match self.terms.node(term) {
                Node::Var(var) => {
                    text.push_str(&self.names[var]);
                    continue;
                }
                Node::Const(value) => {
                    text.push_str(if value.as_bool() { "T" } else { "F" });
                    continue;
                }
                Node::App(fun, args) => (fun, args),
            };
            let mut pieces = vec![Piece::Text("(")];
            let word = if *fun == Fun::And {
                " & "
            } else if *fun == Fun::Or {
                " | "
            } else if *fun == Fun::Xor {
                " ^ "
            } else {
                " = "
            };
            match args[..] {
                [arg] if *fun == Fun::Not => pieces.extend([Piece::Text("!"), Piece::Of(arg)]),
                [condition, then, otherwise] if *fun == Fun::Ite => pieces.extend([
                    Piece::Text("("),
                    Piece::Of(condition),
                    Piece::Text(" & "),
                    Piece::Of(then),
                    Piece::Text(") | (!"),
                    Piece::Of(condition),
                    Piece::Text(" & "),
                    Piece::Of(otherwise),
                    Piece::Text(")"),
                ]),
                _ => {
                    for (at, arg) in args.iter().enumerate() {
                        pieces.extend((at > 0).then_some(Piece::Text(word)));
                        pieces.push(Piece::Of(*arg));
                    }
                }
            }
            pieces.push(Piece::Text(")"));
            stack.extend(pieces.into_iter().rev());
        }
        text
    }
}
