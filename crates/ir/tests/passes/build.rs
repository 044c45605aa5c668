//! Programs written as text, for tests.
//!
//! `proc f(p) returns (r) locals (x y)` starts a procedure and `globals (g)` lists globals; all
//! variables are Boolean. Then one edge per line: `from -> to: operation`, where locations are
//! words, among them `entry` and `exit`. Operations: `assume x`, `assume !x`, `assume true`,
//! `x y := y x`, `havoc x`, `x := call f(x y)`. Locations that begin with `error` are errors.

use std::collections::BTreeMap;
use std::fmt::Write;
use std::sync::Arc;
use tamis_ir::validate::validate;
use tamis_ir::{Loc, Op, ProcId, Program, Property, PropertyId, Span};
use tamis_term::{Sort, Term, Terms, Var};

/// A program with its names.
pub struct Built {
    pub terms: Terms,
    pub program: Program,
    locs: BTreeMap<(ProcId, String), Loc>,
}

/// The one property of every built program.
pub fn error() -> PropertyId {
    PropertyId::new(0)
}

pub fn build(text: &str) -> Built {
    let mut built = Built { terms: Terms::new(), program: Program::new(Arc::default()), locs: BTreeMap::new() };
    let mut edges: Vec<(ProcId, &str)> = Vec::new();
    for line in text.lines().map(str::trim).filter(|line| !line.is_empty()) {
        if let Some(names) = line.strip_prefix("globals") {
            built.program.globals = built.declare("", names);
        } else if let Some(rest) = line.strip_prefix("proc ") {
            built.procedure(rest);
        } else {
            edges.push((ProcId::new(built.program.procs.len() - 1), line));
        }
    }
    for (proc, line) in edges {
        built.edge(proc, line);
    }
    let errors = built.locs.iter().filter(|((_, name), _)| name.starts_with("error")).map(|(_, loc)| *loc).collect();
    built.program.add_property(Property::new("error", "an error", errors));
    validate(&built.terms, &built.program).unwrap();
    built
}

fn words(list: &str) -> Vec<&str> {
    list.split([' ', '(', ')']).filter(|word| !word.is_empty()).collect()
}

impl Built {
    fn declare(&mut self, prefix: &str, names: &str) -> Vec<Var> {
        words(names).iter().map(|name| self.terms.declare(&format!("{prefix}{name}"), Sort::Bool)).collect()
    }

    fn procedure(&mut self, text: &str) {
        let (head, locals) = text.split_once(" locals ").unwrap_or((text, ""));
        let (head, results) = head.split_once(" returns ").unwrap_or((head, ""));
        let (name, params) = head.split_once('(').unwrap_or((head, ""));
        let id = self.program.add_proc(name, Span::default());
        let prefix = format!("{name}::");
        let lists = [params, results, locals].map(|list| self.declare(&prefix, list));
        let proc = &mut self.program.procs[id.index()];
        [proc.params, proc.results, proc.locals] = lists;
        let ends = [("entry", proc.entry), ("exit", proc.exit)];
        self.locs.extend(ends.map(|(name, loc)| ((id, name.to_owned()), loc)));
    }

    fn edge(&mut self, proc: ProcId, line: &str) {
        let (ends, op) = line.split_once(':').unwrap();
        let (from, to) = ends.split_once("->").unwrap();
        let [from, to] = [from, to].map(|name| {
            let program = &mut self.program;
            *self.locs.entry((proc, name.trim().to_owned())).or_insert_with(|| program.add_loc(Span::default()))
        });
        let op = self.op(proc, op.trim());
        self.program.add_edge(proc, from, to, op, Span::default());
    }

    fn op(&mut self, proc: ProcId, text: &str) -> Op {
        if let Some(condition) = text.strip_prefix("assume ") {
            return Op::Assume(self.value(proc, condition));
        }
        if let Some(names) = text.strip_prefix("havoc ") {
            return Op::Havoc(self.vars(proc, names));
        }
        let (targets, values) = text.split_once(":=").unwrap_or(("", text));
        let targets = self.vars(proc, targets);
        let values = values.trim();
        if let Some(call) = values.strip_prefix("call ") {
            let (name, args) = call.split_once('(').unwrap();
            let args = words(args).into_iter().map(|arg| self.value(proc, arg)).collect();
            return Op::Call { callee: self.proc(name), args, results: targets };
        }
        let values: Vec<Term> = words(values).into_iter().map(|value| self.value(proc, value)).collect();
        Op::Assign(targets.into_iter().zip(values).collect())
    }

    fn value(&mut self, proc: ProcId, text: &str) -> Term {
        match text.strip_prefix('!') {
            Some(inner) => {
                let inner = self.value(proc, inner);
                self.terms.not(inner)
            }
            None if text == "true" || text == "false" => self.terms.bool(text == "true"),
            None => {
                let var = self.vars(proc, text)[0];
                self.terms.var(var)
            }
        }
    }

    fn vars(&self, proc: ProcId, names: &str) -> Vec<Var> {
        let own = |name: &str| self.terms.find_var(&format!("{}::{name}", self.program.proc(proc).name));
        words(names).into_iter().map(|name| own(name).or_else(|| self.terms.find_var(name)).unwrap()).collect()
    }

    pub fn proc(&self, name: &str) -> ProcId {
        self.program.procs().find(|(_, proc)| proc.name == name).unwrap().0
    }

    pub fn loc(&self, proc: &str, name: &str) -> Loc {
        self.locs[&(self.proc(proc), name.to_owned())]
    }

    /// A program of the same arena as text: variables, then edges with numbered locations.
    pub fn show(&self, program: &Program) -> String {
        let names = |vars: &[Var]| vars.iter().map(|var| self.terms.name(*var)).collect::<Vec<_>>().join(" ");
        let mut text = format!("globals ({})\n", names(&program.globals));
        for proc in &program.procs {
            let lists = [&proc.params, &proc.results, &proc.locals].map(|vars| names(vars));
            let [params, results, locals] = lists;
            writeln!(text, "proc {}({params}) returns ({results}) locals ({locals})", proc.name).unwrap();
            for edge in &proc.edges {
                let op = self.show_op(program, &edge.op);
                writeln!(text, "  {} -> {}: {op}", edge.from.index(), edge.to.index()).unwrap();
            }
        }
        text
    }

    fn show_op(&self, program: &Program, op: &Op) -> String {
        let names = |vars: &[Var]| vars.iter().map(|var| self.terms.name(*var)).collect::<Vec<_>>().join(" ");
        let values = |values: &[Term]| values.iter().map(|value| self.show_value(*value)).collect::<Vec<_>>().join(" ");
        match op {
            Op::Assume(condition) => format!("assume {}", self.show_value(*condition)),
            Op::Havoc(vars) => format!("havoc {}", names(vars)),
            Op::Assign(pairs) => {
                let (left, right): (Vec<Var>, Vec<Term>) = pairs.iter().copied().unzip();
                format!("{} := {}", names(&left), values(&right))
            }
            Op::Call { callee, args, results } => {
                format!("{} := call {}({})", names(results), program.proc(*callee).name, values(args))
            }
        }
    }

    fn show_value(&self, value: Term) -> String {
        match self.terms.node(value) {
            tamis_term::Node::Const(constant) => constant.as_bool().to_string(),
            tamis_term::Node::Var(var) => self.terms.name(*var).to_owned(),
            tamis_term::Node::App(_, args) => format!("!{}", self.show_value(args[0])),
        }
    }
}
