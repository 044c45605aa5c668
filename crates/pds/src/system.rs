//! Stack symbols, rules and procedures, after the frame transformation: every procedure has
//! an explicit *entry* symbol, every call an explicit *pivot* symbol (Kiefer 2005, sections
//! 5.2 and 5.3), so that predicates about a callee's input and about a call's frozen values
//! have a place.

use crate::family::Family;
use tamis_bdd::{Bdd, Cube};
use tamis_ir::ProcId;

macro_rules! index {
    ($($(#[$doc:meta])* $id:ident),*) => {$(
        $(#[$doc])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
        pub struct $id(u32);

        impl $id {
            /// The id of that number.
            ///
            /// # Panics
            /// If the number does not fit 32 bits.
            #[must_use]
            pub fn new(index: usize) -> $id {
                $id(u32::try_from(index).expect("fewer than 2^32 of a kind in a system"))
            }

            /// The number.
            #[must_use]
            pub fn index(self) -> usize {
                self.0 as usize
            }
        }
    )*};
}
pub(crate) use index;

index!(
    /// A stack symbol: a control point.
    Sym,
    /// A rule.
    RuleId
);

/// A symbolic pushdown system.
pub struct System {
    /// The copies of the variables' bits.
    pub family: Family,
    /// The stack symbols, by [`Sym`].
    pub symbols: Vec<Symbol>,
    /// The rules, by [`RuleId`].
    pub rules: Vec<Rule>,
    /// The procedures, by [`ProcId`].
    pub procs: Vec<Proc>,
    /// The procedure that a run starts with, with any input.
    pub main: ProcId,
    /// The symbols that must not be reached.
    pub errors: Vec<Sym>,
}

/// A control point.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Symbol {
    /// The procedure to whose frames it belongs.
    pub proc: ProcId,
    /// What it is.
    pub kind: SymbolKind,
}

/// What a control point is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SymbolKind {
    /// A location.
    Normal,
    /// Where a frame of the procedure begins: its current values are its input.
    Entry,
    /// What the caller leaves on the stack while the callee runs.
    Pivot {
        /// Which procedure runs.
        callee: ProcId,
    },
}

/// A procedure.
pub struct Proc {
    /// Its entry symbol.
    pub entry: Sym,
    /// The positions of the bits that its input consists of.
    pub input: Vec<usize>,
    /// That current values are the input, for those bits.
    pub equal: Bdd,
    /// The current-value bits that its effect speaks about.
    pub returned: Cube,
    /// The other current-value bits: those that a caller may freeze.
    pub kept: Cube,
}

/// A rule with its relation.
pub struct Rule {
    /// The symbol that it replaces.
    pub from: Sym,
    /// What it replaces it by.
    pub shape: Shape,
    /// The relation, over the copies that the shape names. An evaluation changes nothing
    /// and has none.
    pub relation: Option<Bdd>,
    /// How many steps of the program it stands for.
    pub steps: u64,
}

/// The shapes of rules.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Shape {
    /// From the entry symbol to the first location: `(now; next)`.
    Entry {
        /// The first location.
        to: Sym,
    },
    /// A step inside a procedure: `(now; next)`.
    Normal {
        /// Where it leads.
        to: Sym,
    },
    /// A call: `(now; next, frozen)`.
    Push {
        /// The callee's entry symbol.
        entry: Sym,
        /// What stays on the stack.
        pivot: Sym,
    },
    /// A return: `(now; next)`, where *next* is what is returned.
    Pop,
    /// From a pivot, once the callee has returned, to the point behind the call.
    Eval {
        /// Where the caller goes on.
        to: Sym,
    },
}

impl System {
    /// The rule.
    #[must_use]
    pub fn rule(&self, id: RuleId) -> &Rule {
        &self.rules[id.index()]
    }

    /// The symbol.
    #[must_use]
    pub fn symbol(&self, id: Sym) -> Symbol {
        self.symbols[id.index()]
    }

    /// The procedure.
    #[must_use]
    pub fn proc(&self, id: ProcId) -> &Proc {
        &self.procs[id.index()]
    }

    /// The procedure to whose frames the symbol belongs.
    #[must_use]
    pub fn owner(&self, id: Sym) -> &Proc {
        self.proc(self.symbol(id).proc)
    }

    /// The callee that runs above a pivot.
    ///
    /// # Panics
    /// If the symbol is no pivot.
    #[must_use]
    pub fn callee(&self, pivot: Sym) -> ProcId {
        match self.symbol(pivot).kind {
            SymbolKind::Pivot { callee } => callee,
            SymbolKind::Normal | SymbolKind::Entry => unreachable!("only a pivot waits for a callee"),
        }
    }

    /// By symbol: the rules that replace it.
    #[must_use]
    pub fn outgoing(&self) -> Vec<Vec<RuleId>> {
        let mut out = vec![Vec::new(); self.symbols.len()];
        for (at, rule) in self.rules.iter().enumerate() {
            out[rule.from.index()].push(RuleId::new(at));
        }
        out
    }
}
