//! Which bit-vector variables become integers, and how each is read.
//!
//! A variable stays a word if a function without a reading in linear arithmetic is applied to
//! it (a bitwise function of two unknown words, a shift by an unknown distance), or if its value
//! meets one that does: in a comparison, an assignment, an argument, a result, as an element or
//! an index of an array that stays as it is. An array of words stays if it is compared with
//! another one, because integers are more indices than words. Terms and variables that meet are in one group, and a group is of words
//! if one of its members is. Constants are in no group, since they have both forms.

use super::interval::Interval;
use super::masks;
use crate::program::{Notation, Op, Program};
use rustc_hash::{FxHashMap, FxHashSet};
use std::cmp::Ordering;
use std::collections::BTreeMap;
use std::sync::Arc;
use tamis_term::walk::post_order;
use tamis_term::{ArraySort, Fun, Node, Sort, Term, Terms, Value, Var};

/// The number that a word stands for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Reading {
    /// In two's complement.
    Signed,
    /// Never negative.
    Unsigned,
}

impl Reading {
    /// The numbers that words of a width stand for.
    pub(super) fn range(self, width: u32) -> Interval {
        match self {
            Reading::Signed => Interval::signed(width),
            Reading::Unsigned => Interval::unsigned(width),
        }
    }

    /// The number that a word stands for.
    pub(super) fn number(self, word: &tamis_term::BitVec) -> num_bigint::BigInt {
        match self {
            Reading::Signed => word.to_signed(),
            Reading::Unsigned => word.to_big().into(),
        }
    }
}

/// The integer that takes the place of a word.
#[derive(Clone, Copy, Debug)]
pub(super) struct Stand {
    pub(super) int: Var,
    pub(super) reading: Reading,
    pub(super) width: u32,
}

impl Stand {
    pub(super) fn range(&self) -> Interval {
        self.reading.range(self.width)
    }
}

/// What becomes of the variables of a program.
pub(super) struct Choice {
    pub(super) stands: BTreeMap<Var, Stand>,
    /// The arrays of integers that take the places of arrays of words.
    pub(super) tables: BTreeMap<Var, Var>,
    /// How the elements of arrays of words are read, by the array's sort.
    pub(super) elements: BTreeMap<Arc<ArraySort>, Reading>,
    groups: Groups,
}

impl Choice {
    pub(super) fn new(terms: &mut Terms, program: &Program) -> Choice {
        let all: Vec<Var> = program.vars().collect();
        let roots = roots(program);
        let order = post_order(terms, &roots);
        let mut groups = meetings(terms, program, &order);
        let (readings, elements) = readings(terms, program, &order);
        let used: FxHashSet<Var> = all.iter().copied().collect();
        let (mut stands, mut tables) = (BTreeMap::new(), BTreeMap::new());
        for var in all {
            let sort = terms.var_sort(var).clone();
            let term = terms.var(var);
            if !is_wordy(&sort) || groups.is_marked(term) {
                continue;
            }
            if let Sort::BitVec(width) = sort {
                let int = integer(terms, var, &used, Sort::Int);
                stands.insert(var, Stand { int, reading: readings[&var], width });
            } else {
                tables.insert(var, integer(terms, var, &used, of_integers()));
            }
        }
        Choice { stands, tables, elements, groups }
    }

    /// How the elements of an array of words are read.
    pub(super) fn element(&self, array: &Arc<ArraySort>) -> Reading {
        self.elements.get(array).copied().unwrap_or(Reading::Unsigned)
    }

    /// Whether a term of words or of arrays of words stays one.
    pub(super) fn stays(&mut self, term: Term) -> bool {
        self.groups.is_marked(term)
    }
}

/// The sort of arrays that take the place of arrays of words.
pub(super) fn of_integers() -> Sort {
    Sort::Array(Arc::new(ArraySort { index: Sort::Int, element: Sort::Int }))
}

/// The sort of an array of words.
pub(super) fn words(sort: &Sort) -> Option<(&Arc<ArraySort>, u32, u32)> {
    let Sort::Array(array) = sort else { return None };
    match (&array.index, &array.element) {
        (Sort::BitVec(index), Sort::BitVec(element)) => Some((array, *index, *element)),
        _ => None,
    }
}

/// Whether a sort is of words or of arrays of words.
pub(super) fn is_wordy(sort: &Sort) -> bool {
    matches!(sort, Sort::BitVec(_)) || words(sort).is_some()
}

/// The variable named after a word or an array of words.
fn integer(terms: &mut Terms, word: Var, used: &FxHashSet<Var>, sort: Sort) -> Var {
    let name = format!("{}.int", terms.name(word));
    match terms.find_var(&name) {
        Some(var) if *terms.var_sort(var) == sort && !used.contains(&var) => var,
        Some(_) | None => terms.declare(&name, sort),
    }
}

/// The terms on the edges of a program.
pub(super) fn roots(program: &Program) -> Vec<Term> {
    program.edges().flat_map(|(_, edge)| edge.op.terms()).collect()
}

/// Disjoint sets of terms, of which some are marked.
#[derive(Default)]
struct Groups {
    parent: FxHashMap<Term, Term>,
    marked: FxHashSet<Term>,
}

impl Groups {
    fn find(&mut self, term: Term) -> Term {
        let mut root = term;
        while let Some(parent) = self.parent.get(&root) {
            root = *parent;
        }
        let mut at = term;
        while at != root {
            at = self.parent.insert(at, root).unwrap_or(root);
        }
        root
    }

    fn join(&mut self, a: Term, b: Term) {
        let (a, b) = (self.find(a), self.find(b));
        if a != b {
            self.parent.insert(a, b);
            if self.marked.remove(&a) {
                self.marked.insert(b);
            }
        }
    }

    fn mark(&mut self, term: Term) {
        let root = self.find(term);
        self.marked.insert(root);
    }

    fn is_marked(&mut self, term: Term) -> bool {
        let root = self.find(term);
        self.marked.contains(&root)
    }
}

/// The groups of terms whose values meet.
fn meetings(terms: &mut Terms, program: &Program, order: &[Term]) -> Groups {
    let mut groups = Groups::default();
    for term in order {
        let Node::App(fun, args) = terms.node(*term) else { continue };
        let is_member = |term: &Term| is_wordy(terms.sort(*term)) && terms.value(*term).is_none();
        let members: Vec<Term> = args.iter().chain([term]).copied().filter(is_member).collect();
        for pair in members.windows(2) {
            groups.join(pair[0], pair[1]);
        }
        if let (Some(first), false) = (members.first(), is_linear(terms, *term, fun, args)) {
            groups.mark(*first);
        }
    }
    for (_, edge) in program.edges() {
        match &edge.op {
            Op::Assume(_) | Op::Havoc(_) => {}
            Op::Assign(pairs) => pairs.iter().for_each(|(var, value)| meet(terms, &mut groups, *var, *value)),
            Op::Call { callee, args, results } => {
                let callee = program.proc(*callee);
                callee.params.iter().zip(args).for_each(|(param, arg)| meet(terms, &mut groups, *param, *arg));
                for (result, target) in callee.results.iter().zip(results) {
                    let result = terms.var(*result);
                    meet(terms, &mut groups, *target, result);
                }
            }
        }
    }
    groups
}

fn meet(terms: &mut Terms, groups: &mut Groups, var: Var, value: Term) {
    if terms.value(value).is_none() {
        let var = terms.var(var);
        groups.join(var, value);
    }
}

/// Whether the function of words has a reading in integers: see `forward`, which gives it.
fn is_linear(terms: &Terms, term: Term, fun: &Fun, args: &[Term]) -> bool {
    let constant = |term: Term| terms.value(term).is_some();
    match fun {
        Fun::Select => words(terms.sort(args[0])).is_some(),
        Fun::Store | Fun::ConstArray(_) => words(terms.sort(term)).is_some(),
        Fun::Eq => words(terms.sort(args[0])).is_none(),
        Fun::BvShl | Fun::BvLshr | Fun::BvAshr => constant(args[1]),
        Fun::BvAnd | Fun::BvOr | Fun::BvXor => {
            masks::is_bit(terms, args[0]) && masks::is_bit(terms, args[1])
                || args
                    .iter()
                    .any(|arg| matches!(terms.value(*arg), Some(Value::BitVec(mask)) if masks::is_simple(mask)))
        }
        Fun::IntToBv(_) => false,
        Fun::Not | Fun::And | Fun::Or | Fun::Xor | Fun::Ite => true,
        Fun::BvNot | Fun::BvNeg | Fun::BvAdd | Fun::BvSub | Fun::BvMul => true,
        Fun::BvUdiv | Fun::BvUrem | Fun::BvSdiv | Fun::BvSrem | Fun::BvSmod => true,
        Fun::BvUlt | Fun::BvUle | Fun::BvSlt | Fun::BvSle => true,
        Fun::Concat | Fun::Extract { .. } | Fun::ZeroExtend(_) | Fun::SignExtend(_) => true,
        Fun::Neg | Fun::Add | Fun::Sub | Fun::Mul | Fun::Lt | Fun::Le | Fun::IntDiv | Fun::IntMod => true,
        Fun::RealDiv | Fun::ToReal | Fun::ToInt | Fun::IsInt | Fun::UbvToInt | Fun::SbvToInt => true,
    }
}

/// How many uses of a variable ask for which reading.
#[derive(Clone, Copy, Default)]
struct Votes {
    signed: u64,
    unsigned: u64,
}

impl Votes {
    fn one(reading: Reading) -> Votes {
        match reading {
            Reading::Signed => Votes { signed: 1, unsigned: 0 },
            Reading::Unsigned => Votes { signed: 0, unsigned: 1 },
        }
    }

    fn add(&mut self, other: Votes) {
        self.signed += other.signed;
        self.unsigned += other.unsigned;
    }

    fn winner(self) -> Option<Reading> {
        match self.signed.cmp(&self.unsigned) {
            Ordering::Greater => Some(Reading::Signed),
            Ordering::Less => Some(Reading::Unsigned),
            Ordering::Equal => None,
        }
    }
}

/// More than all uses of a variable.
const DECIDED: u64 = 1 << 32;

/// How each variable is read: as the front end writes it, else as most uses read it, else as what
/// it is copied from or to. A result
/// and the variables that take it are read alike, because they are copied without a term. So are
/// the elements of all arrays of one sort.
fn readings(
    terms: &mut Terms,
    program: &Program,
    order: &[Term],
) -> (FxHashMap<Var, Reading>, BTreeMap<Arc<ArraySort>, Reading>) {
    let mut votes: FxHashMap<Var, Votes> = FxHashMap::default();
    for (var, notation) in &program.notes.notation {
        let votes = votes.entry(*var).or_default();
        match notation {
            Notation::Signed | Notation::Character => votes.signed += DECIDED,
            Notation::Unsigned | Notation::Address | Notation::Names(_) => votes.unsigned += DECIDED,
        }
    }
    for term in order {
        let Node::App(fun, args) = terms.node(*term) else { continue };
        let Some((reading, asked)) = asks(fun, args) else { continue };
        for var in asked.iter().flat_map(|arg| summands(terms, *arg)) {
            votes.entry(var).or_default().add(Votes::one(reading));
        }
    }
    let mut alike = Groups::default();
    for (_, edge) in program.edges() {
        if let Op::Call { callee, results, .. } = &edge.op {
            for (result, target) in program.proc(*callee).results.iter().zip(results) {
                let (result, target) = (terms.var(*result), terms.var(*target));
                alike.join(result, target);
            }
        }
    }
    let all: Vec<Var> = program.vars().collect();
    let mut first: BTreeMap<Arc<ArraySort>, Var> = BTreeMap::new();
    for var in &all {
        let Some((sort, ..)) = words(terms.var_sort(*var)) else { continue };
        let other = *first.entry(sort.clone()).or_insert(*var);
        let (var, other) = (terms.var(*var), terms.var(other));
        alike.join(var, other);
    }
    let groups: FxHashMap<Var, Term> = all.iter().map(|var| (*var, alike.find(terms.var(*var)))).collect();
    let mut sums: BTreeMap<Term, Votes> = groups.values().map(|group| (*group, Votes::default())).collect();
    for var in &all {
        let own = votes.get(var).copied().unwrap_or_default();
        sums.entry(groups[var]).or_default().add(own);
    }
    let copies: Vec<(Term, Term)> = copies(terms, program).into_iter().map(|(a, b)| (groups[&a], groups[&b])).collect();
    follow(&mut sums, &copies);
    let read = |var: &Var| sums[&groups[var]].winner().unwrap_or(Reading::Unsigned);
    let elements = first.iter().map(|(sort, var)| (sort.clone(), read(var))).collect();
    (all.iter().map(|var| (*var, read(var))).collect(), elements)
}

/// The pairs of variables of which one is given the other, or a sum with it.
fn copies(terms: &Terms, program: &Program) -> Vec<(Var, Var)> {
    let mut copies = Vec::new();
    for (_, edge) in program.edges() {
        let pairs: Vec<(Var, Term)> = match &edge.op {
            Op::Assume(_) | Op::Havoc(_) => continue,
            Op::Assign(pairs) => pairs.clone(),
            Op::Call { callee, args, .. } => {
                program.proc(*callee).params.iter().copied().zip(args.iter().copied()).collect()
            }
        };
        for (var, value) in pairs {
            copies.extend(summands(terms, value).into_iter().map(|of| (var, of)));
        }
    }
    copies
}

/// Groups without a reading take that of the groups that they are copied from or to.
fn follow(sums: &mut BTreeMap<Term, Votes>, copies: &[(Term, Term)]) {
    loop {
        let mut more: BTreeMap<Term, Votes> = BTreeMap::new();
        for (a, b) in copies.iter().flat_map(|(a, b)| [(a, b), (b, a)]) {
            if let (None, Some(reading)) = (sums[a].winner(), sums[b].winner()) {
                more.entry(*a).or_default().add(Votes::one(reading));
            }
        }
        more.retain(|_, votes| votes.winner().is_some());
        if more.is_empty() {
            return;
        }
        sums.extend(more);
    }
}

/// The reading that a function asks for, and of which arguments.
fn asks<'a>(fun: &Fun, args: &'a [Term]) -> Option<(Reading, &'a [Term])> {
    #[expect(clippy::wildcard_enum_match_arm, reason = "most functions ask for no reading")]
    match fun {
        Fun::BvSlt | Fun::BvSle | Fun::BvSdiv | Fun::BvSrem | Fun::BvSmod => Some((Reading::Signed, args)),
        Fun::BvUlt | Fun::BvUle | Fun::BvUdiv | Fun::BvUrem => Some((Reading::Unsigned, args)),
        Fun::SignExtend(_) | Fun::BvAshr => Some((Reading::Signed, &args[..1])),
        Fun::ZeroExtend(_) | Fun::BvLshr => Some((Reading::Unsigned, &args[..1])),
        _ => None,
    }
}

/// The variables that a word is a sum or difference of, and the arrays that it is from or goes
/// to, found among its first subterms.
fn summands(terms: &Terms, term: Term) -> Vec<Var> {
    const MOST: usize = 16;
    let (mut found, mut stack, mut looked) = (Vec::new(), vec![term], 0);
    while let Some(term) = stack.pop().filter(|_| looked < MOST) {
        looked += 1;
        match terms.node(term) {
            Node::Var(var) => found.push(*var),
            Node::App(Fun::BvAdd | Fun::BvSub | Fun::BvNeg, args) => stack.extend(args),
            Node::App(Fun::Ite, args) => stack.extend(&args[1..]),
            Node::App(Fun::Select | Fun::ConstArray(_), args) => stack.push(args[0]),
            Node::App(Fun::Store, args) => stack.extend([args[0], args[2]]),
            Node::App(..) | Node::Const(_) => {}
        }
    }
    found
}
