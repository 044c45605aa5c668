//! The program as a graph for Graphviz: a cluster per procedure, operations on the edges,
//! error locations marked, calls dashed.

use crate::expr::{term_of, user_name};
use crate::style::{clip, one_line};
use rustc_hash::FxHashSet;
use std::fmt::Write;
use tamis_ir::{Edge, Loc, Op, Procedure, Program};
use tamis_term::{Term, Terms};

/// How long an operation on an edge may be.
const MAX_OPERATION: usize = 80;

/// The graph.
#[must_use]
pub fn render(terms: &Terms, program: &Program) -> String {
    let errors: FxHashSet<Loc> = program.errors.iter().flat_map(|property| property.locs.iter().copied()).collect();
    let mut graph = Graph { terms, program, errors, text: String::new() };
    graph.write();
    graph.text
}

struct Graph<'a> {
    terms: &'a Terms,
    program: &'a Program,
    errors: FxHashSet<Loc>,
    text: String,
}

impl Graph<'_> {
    fn line(&mut self, line: std::fmt::Arguments<'_>) {
        writeln!(self.text, "{line}").expect("strings take any text");
    }

    fn write(&mut self) {
        self.line(format_args!("digraph program {{"));
        self.line(format_args!("  compound=true; rankdir=TB; fontname=\"Helvetica\";"));
        self.line(format_args!("  node [shape=circle fontname=\"Helvetica\" fontsize=10];"));
        self.line(format_args!("  edge [fontname=\"Courier\" fontsize=10];"));
        for (id, proc) in self.program.procs() {
            let main = if id == self.program.main { " (main)" } else { "" };
            self.line(format_args!("  subgraph cluster_{} {{", id.index()));
            self.line(format_args!("    label={};", quoted(&format!("{}{main}", signature(self.terms, proc)))));
            self.locations(proc);
            for edge in &proc.edges {
                self.edge(edge);
            }
            self.line(format_args!("  }}"));
        }
        for (_, edge) in self.program.edges() {
            if let Op::Call { callee, .. } = edge.op {
                let entry = self.program.proc(callee).entry.index();
                let from = edge.from.index();
                self.line(format_args!("  l{from} -> l{entry} [style=dashed color=gray constraint=false];"));
            }
        }
        self.line(format_args!("}}"));
    }

    fn locations(&mut self, proc: &Procedure) {
        let ends = proc.edges.iter().flat_map(|edge| [edge.from, edge.to]);
        let mut locs: Vec<Loc> = ends.chain([proc.entry, proc.exit]).collect();
        locs.sort_unstable();
        locs.dedup();
        for loc in locs {
            let location = &self.program.locs[loc.index()];
            let line = self.program.sources.position(location.span).filter(|_| location.span.end > 0);
            let mut label = loc.index().to_string();
            if let Some(name) = &location.label {
                label = clip(&one_line(name), 30);
            }
            if let Some(position) = line {
                write!(label, "\nline {}", position.line).expect("strings take any text");
            }
            let mut style = String::new();
            if self.errors.contains(&loc) {
                style.push_str(" shape=doubleoctagon color=red fontcolor=red");
            } else if loc == proc.entry {
                style.push_str(" shape=box style=bold");
            } else if loc == proc.exit {
                style.push_str(" shape=doublecircle");
            }
            self.line(format_args!("    l{} [label={}{style}];", loc.index(), quoted(&label)));
        }
    }

    fn edge(&mut self, edge: &Edge) {
        let (operation, style) = match &edge.op {
            Op::Assume(condition) if self.terms.is_true(*condition) => (String::new(), ""),
            Op::Assume(condition) => (format!("[{}]", self.term(*condition)), ""),
            Op::Assign(pairs) => {
                let assign = |(var, value): &(_, Term)| {
                    format!("{} := {}", one_line(&user_name(self.terms.name(*var))), self.term(*value))
                };
                (pairs.iter().map(assign).collect::<Vec<_>>().join("\n"), "")
            }
            Op::Havoc(vars) => {
                let names: Vec<String> = vars.iter().map(|var| one_line(&user_name(self.terms.name(*var)))).collect();
                (clip(&format!("{} := *", names.join(", ")), MAX_OPERATION), "")
            }
            Op::Call { callee, args, results } => {
                let args: Vec<String> = args.iter().map(|arg| self.term(*arg)).collect();
                let names: Vec<String> =
                    results.iter().map(|var| one_line(&user_name(self.terms.name(*var)))).collect();
                let left = if names.is_empty() { String::new() } else { names.join(", ") + " := " };
                let call = format!("{left}{}({})", one_line(&self.program.proc(*callee).name), args.join(", "));
                (clip(&call, MAX_OPERATION), " style=dashed")
            }
        };
        let (from, to) = (edge.from.index(), edge.to.index());
        self.line(format_args!("    l{from} -> l{to} [label={}{style}];", quoted(&operation)));
    }

    fn term(&self, value: Term) -> String {
        one_line(&term_of(self.terms, self.program, value, MAX_OPERATION))
    }
}

fn signature(terms: &Terms, proc: &Procedure) -> String {
    let params: Vec<String> = proc.params.iter().map(|var| one_line(&user_name(terms.name(*var)))).collect();
    clip(&format!("{}({})", one_line(&proc.name), params.join(", ")), MAX_OPERATION)
}

/// A string of the DOT language.
pub(crate) fn quoted(text: &str) -> String {
    format!("\"{}\"", text.replace('\\', "\\\\").replace('"', "\\\"").replace('\n', "\\n"))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sample::Sample;

    #[test]
    fn procedures_edges_and_errors_are_drawn() {
        let sample = Sample::new(1);
        let text = render(&sample.terms, &sample.program);
        for expected in [
            "  subgraph cluster_0 {\n    label=\"main() (main)\";\n",
            "    l7 [label=\"bad\\nline 8\" shape=doubleoctagon color=red fontcolor=red];\n",
            "    l0 -> l4 [label=\"x := 0\\ny := g\"];\n",
            "    l4 -> l5 [label=\"x := half(y)\" style=dashed];\n",
            "    l5 -> l6 [label=\"[x >= y]\"];\n",
            "    l2 -> l8 [label=\"m := *\"];\n",
            "  l4 -> l2 [style=dashed color=gray constraint=false];\n",
        ] {
            assert!(text.contains(expected), "{expected}\n{text}");
        }
    }
}
