//! A static order of the bits, from what the program does with its variables.
//!
//! Words that are compared, added or assigned to one another form a class, whose bits are
//! interleaved by significance: comparisons, sums and equalities then stay linear. Classes
//! that index arrays or decide between values come above the classes of these, and within these
//! constraints related words are put close together (FORCE: Aloul, Markov, Sakallah,
//! GLSVLSI 2003).

use super::blocks::Blocks;
use rustc_hash::FxHashMap;
use std::collections::{BTreeMap, BTreeSet};
use tamis_ir::{Op, Program};
use tamis_term::{Fun, Node, Sort, Term, Terms, Var};

/// A scalar, or a cell of an array.
#[derive(Clone, Copy, Debug)]
pub(super) struct Word {
    pub width: u32,
}

/// A word's number.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(super) struct WordId(usize);

impl WordId {
    pub fn new(index: usize) -> WordId {
        WordId(index)
    }

    pub fn index(self) -> usize {
        self.0
    }
}

/// How often FORCE moves every word to the middle of its company.
const ROUNDS: usize = 30;

/// More words than this in one expression say little about who belongs together.
const MAX_COMPANY: usize = 64;

/// All bits of all words, the topmost first.
pub(super) fn bits(
    terms: &Terms,
    program: &Program,
    blocks: &Blocks,
    words: &[Word],
    of: &FxHashMap<Var, Vec<WordId>>,
) -> Vec<(WordId, u32)> {
    let mut company =
        Company { terms, of, class: (0..words.len()).collect(), groups: BTreeSet::new(), above: BTreeSet::new() };
    for block in &blocks.all {
        block.guards.iter().for_each(|guard| company.read(*guard));
        block.updates.iter().for_each(|(var, value)| company.write(*var, *value));
    }
    for (id, edge) in program.edges() {
        if let Op::Call { callee, args, .. } = &edge.op {
            debug_assert!(id.proc.index() < program.procs.len());
            program.proc(*callee).params.iter().zip(args).for_each(|(var, value)| company.write(*var, *value));
        }
    }
    for (id, proc) in program.procs() {
        for (result, carrier) in proc.results.iter().zip(&blocks.results[id.index()]) {
            company.meet(&[*result, *carrier]);
        }
    }
    company.order(words)
}

struct Company<'c> {
    terms: &'c Terms,
    of: &'c FxHashMap<Var, Vec<WordId>>,
    /// By word: another of its class, or itself.
    class: Vec<usize>,
    /// Words that occur together.
    groups: BTreeSet<Vec<usize>>,
    /// Words that index or decide, with words of what they index or decide about.
    above: BTreeSet<(usize, usize)>,
}

impl Company<'_> {
    fn find(&mut self, word: usize) -> usize {
        let mut at = word;
        while self.class[at] != at {
            self.class[at] = self.class[self.class[at]];
            at = self.class[at];
        }
        at
    }

    fn words(&self, vars: &[Var]) -> Vec<usize> {
        let mut words: Vec<usize> =
            vars.iter().flat_map(|var| self.of.get(var).into_iter().flatten()).map(|word| word.0).collect();
        words.sort_unstable();
        words.dedup();
        words
    }

    /// The variables' words belong to one class.
    fn meet(&mut self, vars: &[Var]) {
        let words = self.words(vars);
        for pair in words.windows(2) {
            let (a, b) = (self.find(pair[0]), self.find(pair[1]));
            self.class[a.max(b)] = a.min(b);
        }
        if words.len() > 1 && words.len() <= MAX_COMPANY {
            self.groups.insert(words);
        }
    }

    /// A Boolean expression: each of its atoms is company of its own.
    fn read(&mut self, term: Term) {
        let mut atoms = vec![term];
        let mut seen = BTreeSet::new();
        let mut all: Vec<Var> = Vec::new();
        while let Some(term) = atoms.pop() {
            if !seen.insert(term) {
                continue;
            }
            let terms = self.terms;
            match terms.node(term) {
                Node::App(Fun::And | Fun::Or | Fun::Not | Fun::Xor, args) => atoms.extend(args),
                Node::App(Fun::Ite | Fun::Eq, args) if *terms.sort(args[1]) == Sort::Bool => atoms.extend(args),
                Node::App(..) | Node::Const(_) | Node::Var(_) => {
                    let vars = self.values(term);
                    self.meet(&vars);
                    all.extend(vars);
                }
            }
        }
        let together = self.words(&all);
        if together.len() > 1 && together.len() <= MAX_COMPANY {
            self.groups.insert(together);
        }
    }

    fn write(&mut self, var: Var, value: Term) {
        if *self.terms.sort(value) == Sort::Bool && !matches!(self.terms.node(value), Node::Var(_)) {
            self.read(value);
            let mut all: Vec<Var> = self.terms.free_vars(&[value]).into_iter().collect();
            all.push(var);
            let together = self.words(&all);
            if together.len() > 1 && together.len() <= MAX_COMPANY {
                self.groups.insert(together);
            }
            return;
        }
        let mut vars = self.values(value);
        vars.push(var);
        self.meet(&vars);
    }

    /// The variables that a value is made of; those that only index are put above the arrays.
    fn values(&mut self, term: Term) -> Vec<Var> {
        let (mut open, mut seen, mut vars) = (vec![term], BTreeSet::new(), Vec::new());
        let terms = self.terms;
        while let Some(term) = open.pop() {
            if !seen.insert(term) {
                continue;
            }
            match terms.node(term) {
                Node::Var(var) => vars.push(*var),
                Node::Const(_) => {}
                Node::App(Fun::Select | Fun::Store, args) => {
                    let index: Vec<Var> = self.values(args[1]);
                    self.meet(&index);
                    self.put_above(&[args[1]], &[args[0]]);
                    open.extend(args.iter().enumerate().filter(|(at, _)| *at != 1).map(|(_, arg)| *arg));
                }
                Node::App(Fun::Ite, args) => {
                    // Arrays whose cells are variables of their own are read by conditionals.
                    self.read(args[0]);
                    self.put_above(&[args[0]], &args[1..]);
                    open.extend(&args[1..]);
                }
                Node::App(_, args) => open.extend(args),
            }
        }
        vars
    }

    /// What decides comes above what it decides about.
    fn put_above(&mut self, upper: &[Term], lower: &[Term]) {
        let vars = |terms: &[Term]| self.terms.free_vars(terms).into_iter().collect::<Vec<Var>>();
        let (upper, lower) = (self.words(&vars(upper)), self.words(&vars(lower)));
        for below in lower {
            self.above.extend(upper.iter().map(|above| (*above, below)));
        }
    }

    fn order(mut self, words: &[Word]) -> Vec<(WordId, u32)> {
        let place = self.force(words.len());
        let class: Vec<usize> = (0..words.len()).map(|word| self.find(word)).collect();
        let rank = self.ranks(&class);
        // By class: the middle of its words.
        let mut middle: BTreeMap<usize, (f64, f64)> = BTreeMap::new();
        for (word, class) in class.iter().enumerate() {
            let (sum, count) = middle.entry(*class).or_default();
            *sum += place[word];
            *count += 1.0;
        }
        let mut bits: Vec<(WordId, u32)> =
            words.iter().enumerate().flat_map(|(at, word)| (0..word.width).map(move |bit| (WordId(at), bit))).collect();
        bits.sort_by(|(a, i), (b, j)| {
            let class_key = |word: WordId| {
                let class = class[word.0];
                let (sum, count) = middle[&class];
                (rank.get(&class).copied().unwrap_or(0), sum / count, class)
            };
            let ((ra, ma, ca), (rb, mb, cb)) = (class_key(*a), class_key(*b));
            ra.cmp(&rb)
                .then(ma.total_cmp(&mb))
                .then(ca.cmp(&cb))
                .then(j.cmp(i))
                .then(place[a.0].total_cmp(&place[b.0]))
                .then(a.cmp(b))
        });
        bits
    }

    /// FORCE: words move to the middle of the groups that they belong to.
    fn force(&self, count: usize) -> Vec<f64> {
        #[expect(clippy::cast_precision_loss, reason = "places are rough")]
        let mut place: Vec<f64> = (0..count).map(|at| at as f64).collect();
        let mut company: Vec<Vec<usize>> = vec![Vec::new(); count];
        let groups: Vec<&Vec<usize>> = self.groups.iter().collect();
        for (at, group) in groups.iter().enumerate() {
            group.iter().for_each(|word| company[*word].push(at));
        }
        for _ in 0..ROUNDS {
            let mean = |of: &mut dyn Iterator<Item = f64>| {
                let (sum, count) = of.fold((0.0, 0.0), |(sum, count), value| (sum + value, count + 1.0));
                if count > 0.0 { Some(sum / count) } else { None }
            };
            let centre: Vec<f64> =
                groups.iter().map(|group| mean(&mut group.iter().map(|word| place[*word])).unwrap_or(0.0)).collect();
            let wish: Vec<f64> = (0..count)
                .map(|word| mean(&mut company[word].iter().map(|group| centre[*group])).unwrap_or(place[word]))
                .collect();
            let mut sorted: Vec<usize> = (0..count).collect();
            sorted.sort_by(|a, b| wish[*a].total_cmp(&wish[*b]).then(place[*a].total_cmp(&place[*b])));
            #[expect(clippy::cast_precision_loss, reason = "places are rough")]
            sorted.into_iter().enumerate().for_each(|(at, word)| place[word] = at as f64);
        }
        place
    }

    /// By class: how many classes must come above it. Cycles are cut where they are met.
    fn ranks(&mut self, class: &[usize]) -> BTreeMap<usize, usize> {
        let above: BTreeSet<(usize, usize)> =
            self.above.iter().map(|(index, cell)| (class[*index], class[*cell])).filter(|(a, b)| a != b).collect();
        let mut rank: BTreeMap<usize, usize> = BTreeMap::new();
        // As many rounds as the longest sensible chain of arrays that index arrays.
        for _ in 0..8 {
            for (index, cell) in &above {
                let least = rank.get(index).copied().unwrap_or(0) + 1;
                if least <= 8 && rank.get(cell).copied().unwrap_or(0) < least {
                    rank.insert(*cell, least);
                }
            }
        }
        rank
    }
}
