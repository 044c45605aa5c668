//! What is to be seen of a round, as text that fits. A round of hundreds of nodes is
//! summarised: nobody reads such a picture.

use crate::expr;
use crate::style::{clip, count, one_line, plural, width};
use std::collections::BTreeMap;
use tamis_cegar::{Round, RoundNode};
use tamis_term::{Term, Terms};

/// A round of more nodes is summarised.
const MAX_NODES: usize = 400;

/// How long a formula in a box may be.
const MAX_FORMULA: usize = 38;

/// How long a predicate in a list may be.
const MAX_PREDICATE: usize = 110;

/// How long a label on an arrow may be.
const MAX_LABEL: usize = 30;

/// How long the text that a pointer calls up may be.
const MAX_TIP: usize = 2000;

/// How many predicates are listed.
const MAX_LISTED: usize = 80;

/// A round, ready to be drawn.
#[derive(Clone, Debug)]
pub struct Scene {
    /// What it shows.
    pub title: String,
    /// Boxes, earlier ones first.
    pub boxes: Vec<Box>,
    /// Arrows between them.
    pub arrows: Vec<Arrow>,
    /// The lists of predicates.
    pub lists: Vec<List>,
    /// How many predicates are not listed.
    pub unlisted: usize,
}

/// A node of the counterexample, or what stands for many.
#[derive(Clone, Debug)]
pub struct Box {
    /// Where it is in the program.
    pub place: String,
    /// The formula that was chosen there.
    pub chosen: Option<String>,
    /// What is possible there, where that is short.
    pub strongest: Option<String>,
    /// All of it, for a pointer.
    pub tip: String,
    /// The stack level.
    pub level: usize,
    /// Whether it belongs to a call that returns.
    pub popped: bool,
}

impl Box {
    /// The lines in the box.
    #[must_use]
    pub fn lines(&self) -> Vec<&str> {
        [Some(&self.place), self.chosen.as_ref(), self.strongest.as_ref()]
            .into_iter()
            .flatten()
            .map(String::as_str)
            .collect()
    }

    /// How many columns the longest line has.
    #[must_use]
    pub fn columns(&self) -> usize {
        self.lines().into_iter().map(width).max().unwrap_or(0)
    }
}

/// An arrow; one from two boxes is a call that returned.
#[derive(Clone, Debug)]
pub struct Arrow {
    /// Where it comes from.
    pub from: Vec<usize>,
    /// Where it leads.
    pub to: usize,
    /// What happens, clipped.
    pub label: String,
    /// What happens, for a pointer.
    pub tip: String,
}

/// The predicates of a place.
#[derive(Clone, Debug)]
pub struct List {
    /// The place.
    pub place: String,
    /// The predicates.
    pub predicates: Vec<Listed>,
}

/// A predicate in a list.
#[derive(Clone, Debug)]
pub struct Listed {
    /// The formula, clipped.
    pub text: String,
    /// The formula, for a pointer.
    pub tip: String,
    /// Whether this round added it.
    pub new: bool,
}

impl Scene {
    /// What is to be seen of a round.
    #[must_use]
    pub fn new(terms: &Terms, round: &Round) -> Scene {
        let verdict = if round.real { "a real error" } else { "spurious" };
        let size =
            format!("{}, {}", plural(round.nodes.len() as u64, "node"), plural(round.edges.len() as u64, "edge"));
        let large = round.nodes.len() > MAX_NODES;
        let note = if large { ", too many to draw: summarised by stack level" } else { "" };
        let (boxes, arrows) = if large { summarised(round) } else { drawn(terms, round) };
        let (lists, unlisted) = lists(terms, round);
        Scene {
            title: format!("round {}: {verdict}, {size}{note}", count(round.number)),
            boxes,
            arrows,
            lists,
            unlisted,
        }
    }
}

/// A formula on one line, clipped.
fn formula(terms: &Terms, term: Term, limit: usize) -> String {
    one_line(&expr::term(terms, term, limit))
}

fn drawn(terms: &Terms, round: &Round) -> (Vec<Box>, Vec<Arrow>) {
    let boxes = round.nodes.iter().map(|node| boxed(terms, node)).collect();
    // Edges between the same boxes are one arrow that says all of it.
    let mut merged: Vec<(Vec<usize>, usize, Vec<String>)> = Vec::new();
    for edge in round.edges.iter().filter(|edge| edge.to < round.nodes.len()) {
        let from: Vec<usize> = edge.from.iter().copied().filter(|from| *from < round.nodes.len()).collect();
        let label = one_line(&edge.label);
        match merged.iter_mut().find(|(ends, to, _)| *ends == from && *to == edge.to) {
            Some((_, _, labels)) => labels.push(label),
            None => merged.push((from, edge.to, vec![label])),
        }
    }
    let arrow = |(from, to, labels): (Vec<usize>, usize, Vec<String>)| {
        let label = labels.join(" | ");
        Arrow { from, to, label: clip(&label, MAX_LABEL), tip: clip(&label, MAX_TIP) }
    };
    (boxes, merged.into_iter().map(arrow).collect())
}

fn boxed(terms: &Terms, node: &RoundNode) -> Box {
    let place = one_line(&node.place);
    let mut tip = vec![place.clone()];
    if let Some(chosen) = node.chosen {
        tip.push(format!("chosen: {}", formula(terms, chosen, MAX_TIP)));
    }
    tip.push(format!("strongest: {}", formula(terms, node.strongest, MAX_TIP)));
    // The strongest interpolant is shown where it says something new and fits.
    let strongest = formula(terms, node.strongest, 2 * MAX_FORMULA);
    let worth = width(&strongest) <= MAX_FORMULA && node.chosen != Some(node.strongest);
    Box {
        place: clip(&place, MAX_FORMULA),
        chosen: node.chosen.map(|chosen| formula(terms, chosen, MAX_FORMULA)),
        strongest: worth.then(|| format!("knows {strongest}")),
        tip: tip.join("\n"),
        level: node.level,
        popped: node.popped,
    }
}

/// A box for each level, and one beside it for the calls in it that returned.
fn summarised(round: &Round) -> (Vec<Box>, Vec<Arrow>) {
    let mut sizes: BTreeMap<(usize, bool), u64> = BTreeMap::new();
    for node in &round.nodes {
        *sizes.entry((node.level, node.popped)).or_default() += 1;
    }
    let keys: Vec<(usize, bool)> = sizes.keys().copied().collect();
    let boxes = sizes.iter().map(|((level, popped), size)| {
        let place = if *popped { format!("level {level}, returned") } else { format!("level {level}") };
        let chosen = Some(plural(*size, "node"));
        Box { tip: place.clone(), place, chosen, strongest: None, level: *level, popped: *popped }
    });
    let mut counts: BTreeMap<(usize, usize), u64> = BTreeMap::new();
    for edge in &round.edges {
        let key = |at: usize| round.nodes.get(at).and_then(|node| keys.binary_search(&(node.level, node.popped)).ok());
        for (from, to) in edge.from.iter().filter_map(|from| Some((key(*from)?, key(edge.to)?))) {
            if from < to {
                *counts.entry((from, to)).or_default() += 1;
            }
        }
    }
    let arrow = |((from, to), number): ((usize, usize), u64)| {
        let label = plural(number, "edge");
        Arrow { from: vec![from], to, tip: label.clone(), label }
    };
    (boxes.collect(), counts.into_iter().map(arrow).collect())
}

fn lists(terms: &Terms, round: &Round) -> (Vec<List>, usize) {
    let mut room = MAX_LISTED;
    let mut unlisted = 0;
    let mut lists = Vec::new();
    for list in &round.lists {
        let old = list.predicates.len().saturating_sub(list.new);
        // New predicates are what a reader looks for: they come first where room is short.
        let mut order: Vec<usize> = (old..list.predicates.len()).chain(0..old).collect();
        unlisted += order.len().saturating_sub(room);
        order.truncate(room);
        room -= order.len();
        order.sort_unstable();
        let predicates: Vec<Listed> = order
            .into_iter()
            .map(|at| Listed {
                text: formula(terms, list.predicates[at], MAX_PREDICATE),
                tip: formula(terms, list.predicates[at], MAX_TIP),
                new: at >= old,
            })
            .collect();
        if !predicates.is_empty() {
            lists.push(List { place: one_line(&list.place), predicates });
        }
    }
    (lists, unlisted)
}
