//! The Boolean variables of Boolean programs, by what they are for. They are declared once, so that
//! relations can be used again in later rounds.

use std::collections::BTreeMap;
use tamis_ir::ProcId;
use tamis_term::{Sort, Terms, Var};

/// What a Boolean variable is for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Role {
    /// A predicate at the entry: a parameter.
    Entry,
    /// A predicate at the exit: a result.
    Exit,
    /// A predicate at another cut point.
    Between,
    /// What a move has chosen.
    Chosen,
    /// What a callee returned.
    Returned,
}

impl Role {
    fn word(self) -> &'static str {
        match self {
            Role::Entry => "in",
            Role::Exit => "out",
            Role::Between => "p",
            Role::Chosen => "next",
            Role::Returned => "ret",
        }
    }
}

/// All variables so far.
#[derive(Default)]
pub(super) struct Names(BTreeMap<(ProcId, Role), Vec<Var>>);

impl Names {
    /// The first variables of a procedure that are for something; declares what is missing.
    pub fn first(&mut self, terms: &mut Terms, (proc, name): (ProcId, &str), role: Role, count: usize) -> Vec<Var> {
        let vars = self.0.entry((proc, role)).or_default();
        while vars.len() < count {
            vars.push(terms.declare(&format!("{name}::{}{}", role.word(), vars.len()), Sort::Bool));
        }
        vars[..count].to_vec()
    }

    /// All variables of a procedure that are for something.
    pub fn all(&self, proc: ProcId, role: Role) -> &[Var] {
        self.0.get(&(proc, role)).map_or(&[], Vec::as_slice)
    }
}
