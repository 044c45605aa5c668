//! Small diagrams as formulas that people would have written.
//!
//! A diagram is copied into a manager of its own, whose order suits arithmetic and whose
//! nodes are few. There, atoms about the words that the diagram depends on are combined
//! until the result is the same diagram. Since diagrams are canonical, a formula that is
//! found is right; and since effort is bounded, often none is found.
//!
//! Files in order of reading: `atoms` (what is said about words), `guess` (which atoms may
//! matter), `search` (which combination is the diagram), `cover` (few cubes).

mod atoms;
mod cover;
mod guess;
mod search;
#[cfg(test)]
mod tests;

use super::formula::{Names, formula};
use atoms::{Kind, Shape};
pub(super) use cover::{Fact, Facts, Subject, combination};
use guess::Ground;
use rustc_hash::FxHashMap;
use std::collections::BTreeMap;
use tamis_bdd::{Bdd, Bit, Config, EncodeError, Encoder, Full, Manager};
use tamis_term::{Sort, StopSignal, Term, Terms, Var};

/// Diagrams of more words are left as they are.
const MAX_WORDS: usize = 6;
/// Numbers of more bits are left as they are.
const MAX_WIDTH: u32 = 64;
/// What an operation on diagrams costs besides the nodes of the diagram. A copied node costs
/// one, which is about a quarter of a microsecond.
const OPERATION: u64 = 32;
/// What the formulas of one proof may cost together, and what one of them may.
const EFFORT: u64 = 4_000_000;
const EFFORT_EACH: u64 = 200_000;
/// The manager's size.
const CONFIG: Config = Config { nodes: 1 << 18, cache: 1 << 14 };

/// Makes formulas for one proof.
pub(super) struct Readable {
    /// Diagrams with more nodes are left as they are.
    nodes: usize,
    /// How much effort is left.
    effort: u64,
    scratch: Option<Scratch>,
}

/// How much effort one diagram may still take.
struct Effort {
    left: u64,
    /// The price of an operation.
    operation: u64,
}

/// There is no effort left, or no node.
#[derive(Debug)]
struct Tired;

impl Effort {
    fn spend(&mut self, cost: u64) -> Result<(), Tired> {
        self.left = self.left.checked_sub(cost).ok_or(Tired)?;
        Ok(())
    }

    fn operate(&mut self, times: u64) -> Result<(), Tired> {
        self.spend(times * self.operation)
    }
}

impl From<Full> for Tired {
    fn from(_: Full) -> Tired {
        Tired
    }
}

impl From<EncodeError> for Tired {
    fn from(_: EncodeError) -> Tired {
        Tired
    }
}

impl Readable {
    /// For diagrams of at most so many nodes.
    pub fn new(nodes: usize) -> Readable {
        Readable { nodes, effort: EFFORT, scratch: None }
    }

    /// The formula of a diagram: a readable one if that is found, else one conditional per
    /// node.
    #[allow(clippy::mutable_key_type, reason = "what changes in a handle does not tell it from others")]
    pub fn formula(
        &mut self,
        m: &Manager,
        terms: &mut Terms,
        names: &Names,
        f: &Bdd,
        memo: &mut FxHashMap<Bdd, Term>,
    ) -> Term {
        match self.short(m, terms, names, f) {
            Some(short) => short,
            None => formula(m, terms, names, f, memo),
        }
    }

    /// A readable formula for the diagram, if one is found.
    pub fn short(&mut self, m: &Manager, terms: &mut Terms, names: &Names, f: &Bdd) -> Option<Term> {
        if f.is_true() || f.is_false() {
            return Some(terms.bool(f.is_true()));
        }
        let (words, nodes) = self.views(m, terms, names, f)?;
        let (kinds, words): (Vec<Kind>, Vec<Term>) = words.iter().map(|view| (view.kind, view.term)).unzip();
        let scratch = self.scratch.get_or_insert_with(Scratch::new);
        let shape = scratch.shape(&nodes, &kinds, &mut self.effort).unwrap_or_else(|Tired| {
            self.effort = 0;
            None
        });
        Some(shape?.term(terms, &kinds, &words))
    }

    /// The words that a diagram depends on, and its nodes, arguments first; none if it has
    /// too many.
    #[allow(clippy::mutable_key_type, reason = "what changes in a handle does not tell it from others")]
    fn views(&mut self, m: &Manager, terms: &mut Terms, names: &Names, f: &Bdd) -> Option<(Vec<View>, Vec<Copied>)> {
        let mut words: BTreeMap<usize, u64> = BTreeMap::new();
        let mut nodes: Vec<Copied> = Vec::new();
        let mut known: FxHashMap<Bdd, Child> = FxHashMap::default();
        let mut open = vec![f.clone()];
        while let Some(g) = open.last().cloned() {
            let Some((bit, high, low)) = m.children(&g) else {
                known.insert(g.clone(), Child::Constant(g.is_true()));
                open.pop();
                continue;
            };
            match (known.contains_key(&g), known.get(&high).copied(), known.get(&low).copied()) {
                (true, ..) => {
                    open.pop();
                }
                (false, Some(high), Some(low)) => {
                    let (word, at) = names.place(bit);
                    if at >= MAX_WIDTH || nodes.len() == self.nodes {
                        return None;
                    }
                    *words.entry(word).or_default() |= 1 << at;
                    if words.len() > MAX_WORDS {
                        return None;
                    }
                    known.insert(g, Child::Node(nodes.len()));
                    nodes.push(Copied { word, at, high, low });
                    self.effort = self.effort.checked_sub(1)?;
                }
                (false, None, _) => open.push(high),
                (false, Some(_), None) => open.push(low),
            }
        }
        let views: Vec<View> = words.iter().map(|(word, used)| View::new(terms, names.word(*word), *used)).collect();
        for node in &mut nodes {
            node.word = words.keys().position(|word| *word == node.word).unwrap_or_default();
            node.at -= views[node.word].from;
        }
        Some((views, nodes))
    }
}

/// A node of the diagram.
struct Copied {
    word: usize,
    at: u32,
    high: Child,
    low: Child,
}

#[derive(Clone, Copy)]
enum Child {
    Constant(bool),
    Node(usize),
}

/// A word, or the part of it that matters.
struct View {
    kind: Kind,
    term: Term,
    /// The word's bit that is the lowest of this part.
    from: u32,
}

impl View {
    /// The part of a word that has the used bits.
    fn new(terms: &mut Terms, word: Term, used: u64) -> View {
        let Sort::BitVec(width) = *terms.sort(word) else { return View { kind: Kind::Flag, term: word, from: 0 } };
        let high = used.ilog2();
        if used.is_power_of_two() && high + 1 < width {
            let (bit, one) = (terms.extract(word, high, high), terms.bv(1, 1));
            let term = terms.eq(bit, one);
            return View { kind: Kind::Flag, term, from: high };
        }
        View { kind: Kind::Number(high + 1), term: terms.extract(word, high, 0), from: 0 }
    }
}

/// Where formulas are looked for.
struct Scratch {
    m: Manager,
    /// By word and position.
    bits: Vec<Vec<Bit>>,
    terms: Terms,
    /// Variables that stand for words.
    vars: FxHashMap<(usize, Kind), Var>,
    known: FxHashMap<(Bdd, Vec<Kind>), Option<Shape>>,
}

impl Scratch {
    fn new() -> Scratch {
        let m = Manager::new(&CONFIG, StopSignal::never());
        let mut bits = vec![Vec::new(); MAX_WORDS];
        // The most significant bits of all words on top: sums and comparisons are small,
        // and so is looking for the least value.
        for _ in 0..MAX_WIDTH {
            bits.iter_mut().zip(m.add_bits(MAX_WORDS)).for_each(|(word, bit)| word.insert(0, bit));
        }
        Scratch { m, bits, terms: Terms::new(), vars: FxHashMap::default(), known: FxHashMap::default() }
    }

    /// A short shape of the diagram with these nodes, if there is one.
    fn shape(&mut self, nodes: &[Copied], kinds: &[Kind], effort: &mut u64) -> Result<Option<Shape>, Tired> {
        let mut copies: Vec<Bdd> = Vec::with_capacity(nodes.len());
        for node in nodes {
            let child = |child: Child| match child {
                Child::Constant(value) => self.m.constant(value),
                Child::Node(at) => copies[at].clone(),
            };
            let bit = self.m.bit(self.bits[node.word][node.at as usize]);
            copies.push(self.m.ite(&bit, &child(node.high), &child(node.low))?);
        }
        let Some(f) = copies.pop() else { return Ok(None) };
        drop(copies);
        let key = (f, kinds.to_vec());
        if let Some(known) = self.known.get(&key) {
            return Ok(known.clone());
        }
        // One diagram must not use up all effort.
        let left = EFFORT_EACH.min(*effort);
        let mut each = Effort { left, operation: OPERATION + nodes.len() as u64 };
        let shape = self.search(&key.0, kinds, &mut each).unwrap_or_default();
        *effort -= left - each.left;
        let turned = (self.m.not(&key.0), key.1.clone());
        self.known.insert(turned, shape.as_ref().map(Shape::negation));
        self.known.insert(key, shape.clone());
        Ok(shape)
    }

    /// The variable that stands for a word.
    fn var(&mut self, word: usize, kind: Kind) -> Var {
        let sort = match kind {
            Kind::Flag => Sort::Bool,
            Kind::Number(width) => Sort::BitVec(width),
        };
        *self.vars.entry((word, kind)).or_insert_with(|| self.terms.declare("word", sort))
    }

    fn search(&mut self, f: &Bdd, kinds: &[Kind], effort: &mut Effort) -> Result<Option<Shape>, Tired> {
        let vars: Vec<Var> = kinds.iter().enumerate().map(|(word, kind)| self.var(word, *kind)).collect();
        let words: Vec<Term> = vars.iter().map(|var| self.terms.var(*var)).collect();
        let Scratch { m, bits, terms, .. } = self;
        let mut env: FxHashMap<Var, Vec<Bdd>> = FxHashMap::default();
        for ((var, kind), bits) in vars.into_iter().zip(kinds).zip(&*bits) {
            env.insert(var, bits.iter().take(kind.width() as usize).map(|bit| m.bit(*bit)).collect());
        }
        let mut encoder = Encoder::new(env);
        let mut truth = |literal: &atoms::Literal| {
            let term = literal.term(terms, kinds, &words);
            Ok(encoder.truth(m, terms, term)?)
        };
        let ground = Ground { m, bits, kinds };
        let Some(shape) = search::shape(&ground, f, &mut truth, effort)? else { return Ok(None) };
        let term = shape.term(terms, kinds, &words);
        // Whatever went wrong on the way, what is said is true.
        Ok((encoder.truth(m, terms, term)? == *f).then_some(shape))
    }
}
