//! A round as a graph for Graphviz, whose layout is better than ours.

use super::scene::{Arrow, Box, List, Scene};
use crate::dot::quoted;
use std::fmt::{Arguments, Write as _};

/// The graph.
#[must_use]
pub fn render(scene: &Scene) -> String {
    let mut graph = Graph { scene, text: String::new() };
    graph.write();
    graph.text
}

struct Graph<'a> {
    scene: &'a Scene,
    text: String,
}

impl Graph<'_> {
    fn line(&mut self, line: Arguments<'_>) {
        writeln!(self.text, "{line}").expect("strings take any text");
    }

    fn write(&mut self) {
        self.line(format_args!("digraph round {{"));
        self.line(format_args!("  label={}; labelloc=t; fontname=\"Helvetica\";", quoted(&self.scene.title)));
        self.line(format_args!("  node [shape=box style=rounded fontname=\"Courier\" fontsize=10];"));
        self.line(format_args!("  edge [fontname=\"Courier\" fontsize=9];"));
        let mut levels: Vec<usize> = self.scene.boxes.iter().map(|node| node.level).collect();
        levels.sort_unstable();
        levels.dedup();
        for level in levels {
            self.line(format_args!("  subgraph cluster_{level} {{"));
            self.line(format_args!("    label=\"level {level}\"; style=filled; color=\"#f3f5f8\";"));
            for (at, node) in self.scene.boxes.iter().enumerate().filter(|(_, node)| node.level == level) {
                self.node(at, node);
            }
            self.line(format_args!("  }}"));
        }
        for (at, arrow) in self.scene.arrows.iter().enumerate() {
            self.arrow(at, arrow);
        }
        self.lists();
        self.line(format_args!("}}"));
    }

    fn node(&mut self, at: usize, node: &Box) {
        let style = if node.popped { " style=\"rounded,dashed\"" } else { "" };
        let (label, tip) = (quoted(&node.lines().join("\n")), quoted(&node.tip));
        self.line(format_args!("    n{at} [label={label} tooltip={tip}{style}];"));
    }

    /// A call that returned is two edges that join in a point.
    fn arrow(&mut self, at: usize, arrow: &Arrow) {
        let (label, to) = (quoted(&arrow.label), arrow.to);
        if let [from] = arrow.from[..] {
            self.line(format_args!("  n{from} -> n{to} [label={label}];"));
            return;
        }
        if arrow.from.is_empty() {
            return;
        }
        self.line(format_args!("  j{at} [shape=point label=\"\"];"));
        for from in &arrow.from {
            self.line(format_args!("  n{from} -> j{at} [dir=none];"));
        }
        self.line(format_args!("  j{at} -> n{to} [label={label}];"));
    }

    fn lists(&mut self) {
        if self.scene.lists.is_empty() {
            return;
        }
        let mut label = String::from("predicates after this round; + marks new ones\\l");
        for List { place, predicates } in &self.scene.lists {
            let _ = write!(label, "{}\\l", inner(place));
            for predicate in predicates {
                let mark = if predicate.new { "+" } else { " " };
                let _ = write!(label, "  {mark} {}\\l", inner(&predicate.text));
            }
        }
        if self.scene.unlisted > 0 {
            let _ = write!(label, "… and {} more\\l", self.scene.unlisted);
        }
        self.line(format_args!("  predicates [shape=note style=\"\" label=\"{label}\"];"));
    }
}

/// Text inside a quoted string of the DOT language.
fn inner(text: &str) -> String {
    let quoted = quoted(text);
    quoted[1..quoted.len() - 1].to_owned()
}
