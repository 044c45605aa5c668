//! The arena: every distinct term is stored once, and a term is a `Copy` handle to it.

use crate::fun::{Fun, SortError};
use crate::simplify::simplify;
use crate::sort::Sort;
use crate::value::Value;
use hashbrown::HashTable;
use rustc_hash::{FxBuildHasher, FxHashMap};
use smallvec::SmallVec;
use std::hash::{BuildHasher, Hash};

/// A term: a handle into the [`Terms`] that made it. Two terms of one arena are the same
/// term exactly when their handles are equal.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Term(u32);

/// A variable: a handle into the [`Terms`] that declared it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Var(u32);

impl Term {
    /// The term's number. Arguments have smaller numbers than the terms they are in.
    #[must_use]
    pub fn index(self) -> usize {
        self.0 as usize
    }
}

impl Var {
    /// The variable's number, counted from zero in order of declaration.
    #[must_use]
    pub fn index(self) -> usize {
        self.0 as usize
    }
}

/// What a term is made of.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Node {
    /// A value.
    Const(Value),
    /// A variable.
    Var(Var),
    /// A function symbol and its arguments.
    App(Fun, SmallVec<[Term; 4]>),
}

impl Node {
    /// The arguments, none for constants and variables.
    #[must_use]
    pub fn args(&self) -> &[Term] {
        match self {
            Node::Const(_) | Node::Var(_) => &[],
            Node::App(_, args) => args,
        }
    }
}

#[derive(Clone, Debug)]
struct Entry {
    node: Node,
    sort: Sort,
}

/// A term in the table of all terms, with the hash of its node: growing the table and
/// passing over other terms then need not look at their nodes, which are seldom cached.
#[derive(Clone, Copy, Debug)]
struct Slot {
    hash: u32,
    term: Term,
}

fn hash_of(node: &impl Hash) -> u32 {
    let hash = FxBuildHasher.hash_one(node);
    u32::try_from((hash ^ hash >> 32) & u64::from(u32::MAX)).expect("the low half")
}

/// The hash as the table takes it, which uses its highest bits and its lowest.
fn spread(hash: u32) -> u64 {
    u64::from(hash) << 32 | u64::from(hash)
}

#[derive(Clone, Debug)]
struct Declaration {
    name: String,
    sort: Sort,
}

/// All terms and variables of one problem.
#[derive(Clone, Debug, Default)]
pub struct Terms {
    /// A term's node and sort lie side by side, because most uses of one need the other.
    entries: Vec<Entry>,
    table: HashTable<Slot>,
    vars: Vec<Declaration>,
    names: FxHashMap<String, Var>,
    /// The last number given to a name that was already taken.
    suffixes: FxHashMap<String, u32>,
}

impl Terms {
    /// An empty arena.
    #[must_use]
    pub fn new() -> Terms {
        Terms::default()
    }

    /// How many distinct terms there are.
    #[must_use]
    pub fn len(&self) -> usize {
        self.entries.len()
    }

    /// Whether no term was made yet.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.entries.is_empty()
    }

    /// Declares a new variable. Names are unique in an arena: if `name` is taken, the
    /// variable is called `name!1`, `name!2`, and so on.
    ///
    /// # Panics
    /// If there are 2^32 variables.
    pub fn declare(&mut self, name: &str, sort: Sort) -> Var {
        let mut unique = name.to_owned();
        while self.names.contains_key(&unique) {
            let count = self.suffixes.entry(name.to_owned()).or_default();
            *count += 1;
            unique = format!("{name}!{count}");
        }
        let var = Var(u32::try_from(self.vars.len()).expect("fewer than 2^32 variables"));
        self.names.insert(unique.clone(), var);
        self.vars.push(Declaration { name: unique, sort });
        var
    }

    /// The variable of that name.
    #[must_use]
    pub fn find_var(&self, name: &str) -> Option<Var> {
        self.names.get(name).copied()
    }

    /// The variable's name, unique in this arena.
    #[must_use]
    pub fn name(&self, var: Var) -> &str {
        &self.vars[var.index()].name
    }

    /// The variable's sort.
    #[must_use]
    pub fn var_sort(&self, var: Var) -> &Sort {
        &self.vars[var.index()].sort
    }

    /// What the term is made of.
    #[must_use]
    pub fn node(&self, term: Term) -> &Node {
        &self.entries[term.index()].node
    }

    /// The term's sort.
    #[must_use]
    pub fn sort(&self, term: Term) -> &Sort {
        &self.entries[term.index()].sort
    }

    /// The term's value, if it is a constant.
    #[must_use]
    pub fn value(&self, term: Term) -> Option<&Value> {
        match self.node(term) {
            Node::Const(value) => Some(value),
            Node::Var(_) | Node::App(..) => None,
        }
    }

    /// Whether the term is the constant true.
    #[must_use]
    pub fn is_true(&self, term: Term) -> bool {
        self.value(term) == Some(&Value::Bool(true))
    }

    /// Whether the term is the constant false.
    #[must_use]
    pub fn is_false(&self, term: Term) -> bool {
        self.value(term) == Some(&Value::Bool(false))
    }

    /// The term whose node has this hash and satisfies `same`.
    fn find(&self, hash: u32, same: impl Fn(&Node) -> bool) -> Option<Term> {
        let same = |slot: &Slot| slot.hash == hash && same(&self.entries[slot.term.index()].node);
        self.table.find(spread(hash), same).map(|slot| slot.term)
    }

    /// A term whose node is new.
    fn add_entry(&mut self, hash: u32, entry: Entry) -> Term {
        let term = Term(u32::try_from(self.entries.len()).expect("fewer than 2^32 terms"));
        self.entries.push(entry);
        self.table.insert_unique(spread(hash), Slot { hash, term }, |slot| spread(slot.hash));
        term
    }

    /// The term of a variable.
    pub fn var(&mut self, var: Var) -> Term {
        let node = Node::Var(var);
        let hash = hash_of(&node);
        self.find(hash, |other| *other == node).unwrap_or_else(|| {
            let sort = self.var_sort(var).clone();
            self.add_entry(hash, Entry { node, sort })
        })
    }

    /// The term of a value.
    pub fn constant(&mut self, value: Value) -> Term {
        let node = Node::Const(value);
        let hash = hash_of(&node);
        if let Some(term) = self.find(hash, |other| *other == node) {
            return term;
        }
        let Node::Const(value) = &node else { unreachable!("made above") };
        let sort = value.sort();
        self.add_entry(hash, Entry { node, sort })
    }

    /// The term of an application. Most are there already, so none is made to look for it.
    fn application(&mut self, fun: Fun, args: &[Term], sort: Sort) -> Term {
        let hash = hash_of(&(&fun, args));
        let same = |node: &Node| matches!(node, Node::App(other, found) if found.as_slice() == args && *other == fun);
        match self.find(hash, same) {
            Some(term) => term,
            None => self.add_entry(hash, Entry { node: Node::App(fun, SmallVec::from_slice(args)), sort }),
        }
    }

    /// Applies `fun`, simplified: constants are folded, neutral elements dropped.
    ///
    /// # Errors
    /// If `fun` does not take arguments of these sorts.
    pub fn try_app(&mut self, fun: Fun, args: &[Term]) -> Result<Term, SortError> {
        let sort = self.result_sort(&fun, args)?;
        Ok(match simplify(self, &fun, args) {
            Some(term) => term,
            None => self.application(fun, args, sort),
        })
    }

    /// Applies `fun`, simplified.
    ///
    /// # Panics
    /// If `fun` does not take arguments of these sorts: for callers who know that it does.
    pub fn app(&mut self, fun: Fun, args: &[Term]) -> Term {
        match self.try_app(fun, args) {
            Ok(term) => term,
            Err(error) => panic!("ill-sorted application: {error}"),
        }
    }

    /// Applies `fun` as it stands, with no simplification: for tests of the simplifier and
    /// for readers that must not change what they read.
    ///
    /// # Errors
    /// If `fun` does not take arguments of these sorts.
    pub fn raw_app(&mut self, fun: Fun, args: &[Term]) -> Result<Term, SortError> {
        let sort = self.result_sort(&fun, args)?;
        Ok(self.application(fun, args, sort))
    }

    fn result_sort(&self, fun: &Fun, args: &[Term]) -> Result<Sort, SortError> {
        match args {
            [a] => fun.result(&[self.sort(*a)]),
            [a, b] => fun.result(&[self.sort(*a), self.sort(*b)]),
            [a, b, c] => fun.result(&[self.sort(*a), self.sort(*b), self.sort(*c)]),
            args => fun.result(&args.iter().map(|a| self.sort(*a)).collect::<Vec<_>>()),
        }
    }
}
