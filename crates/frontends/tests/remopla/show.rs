//! Programs and diagnostics as text, for golden tests.

use std::fmt::Write;
use tamis_ir::{Diagnostic, Loc, Op, Procedure, Program, Severity, Sources};
use tamis_term::{Node, Term, Terms, Value, Var};

/// A term in prefix notation; bit-vector constants as plain numbers.
pub fn term(terms: &Terms, root: Term) -> String {
    match terms.node(root) {
        Node::Const(Value::BitVec(bits)) => bits.to_big().to_string(),
        Node::Const(Value::Bool(value)) => value.to_string(),
        Node::Const(value) => format!("{value:?}"),
        Node::Var(var) => terms.name(*var).to_owned(),
        Node::App(fun, args) => {
            let args: Vec<String> = args.iter().map(|arg| term(terms, *arg)).collect();
            format!("{fun:?}({})", args.join(", "))
        }
    }
}

fn vars(terms: &Terms, vars: &[Var]) -> String {
    vars.iter().map(|var| terms.name(*var)).collect::<Vec<_>>().join(", ")
}

fn op(terms: &Terms, program: &Program, op: &Op) -> String {
    match op {
        Op::Assume(condition) => format!("assume {}", term(terms, *condition)),
        Op::Assign(pairs) => {
            let pairs: Vec<String> =
                pairs.iter().map(|(var, value)| format!("{} := {}", terms.name(*var), term(terms, *value))).collect();
            pairs.join(", ")
        }
        Op::Havoc(names) => format!("havoc {}", vars(terms, names)),
        Op::Call { callee, args, results } => {
            let args: Vec<String> = args.iter().map(|arg| term(terms, *arg)).collect();
            let results = vars(terms, results);
            let results = if results.is_empty() { results } else { format!("{results} := ") };
            format!("{results}{}({})", program.proc(*callee).name, args.join(", "))
        }
    }
}

/// Locations numbered by first use, with labels.
fn place(program: &Program, procedure: &Procedure, order: &mut Vec<Loc>, loc: Loc) -> String {
    if loc == procedure.exit {
        return "exit".to_owned();
    }
    let at = order.iter().position(|other| *other == loc).unwrap_or_else(|| {
        order.push(loc);
        order.len() - 1
    });
    match &program.locs[loc.index()].label {
        Some(label) => format!("{at}({label})"),
        None => at.to_string(),
    }
}

/// All procedures, edge by edge.
pub fn program(terms: &Terms, program: &Program) -> String {
    let mut text = String::new();
    for (id, procedure) in program.procs() {
        let main = if id == program.main { "main " } else { "" };
        let _ = writeln!(
            text,
            "{main}{}({}) -> ({})",
            procedure.name,
            vars(terms, &procedure.params),
            vars(terms, &procedure.results)
        );
        let mut order = vec![];
        place(program, procedure, &mut order, procedure.entry);
        for edge in &procedure.edges {
            let from = place(program, procedure, &mut order, edge.from);
            let to = place(program, procedure, &mut order, edge.to);
            let source = program.sources.text(edge.span).unwrap_or("?").replace('\n', " ");
            let _ = writeln!(text, "  {from} -> {to}: {}  # {source}", op(terms, program, &edge.op));
        }
    }
    text
}

/// Diagnostics, one per line: `line:column: message (hint)`.
pub fn diagnostics(sources: &Sources, found: &[Diagnostic]) -> String {
    let line = |diagnostic: &Diagnostic| {
        let position = sources.position(diagnostic.span).expect("a located diagnostic");
        let severity = if diagnostic.severity == Severity::Warning { "warning: " } else { "" };
        let hint = diagnostic.hint.as_ref().map(|hint| format!(" ({hint})")).unwrap_or_default();
        format!("{}:{}: {severity}{}{hint}", position.line, position.column, diagnostic.message)
    };
    found.iter().map(line).collect::<Vec<_>>().join("\n")
}
