//! Programs: one control-flow automaton per procedure, with calls and recursion.
//!
//! The meaning of a program is what [`crate::interpreter`] does with it; the rules are
//! written down in ARCHITECTURE.md. In short: variables start with arbitrary values
//! (globals and main's at the start, others at every call); an edge can be taken when its
//! operation can be carried out; a procedure returns when it reaches its exit.

use crate::source::{Sources, Span};
use std::collections::BTreeMap;
use std::sync::Arc;
use tamis_term::{Term, Var};

/// A procedure of a program.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct ProcId(u32);

/// A control location. Locations are numbered across the whole program.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Loc(u32);

/// An edge: the procedure, and the position in its list of edges.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct EdgeId {
    /// The procedure.
    pub proc: ProcId,
    /// The position in [`Procedure::edges`].
    pub index: u32,
}

/// A property of a program.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct PropertyId(u32);

macro_rules! index {
    ($($id:ident),*) => {$(
        impl $id {
            /// The id of that number.
            ///
            /// # Panics
            /// If the number does not fit 32 bits.
            #[must_use]
            pub fn new(index: usize) -> $id {
                $id(u32::try_from(index).expect("fewer than 2^32 of a kind in a program"))
            }

            /// The number.
            #[must_use]
            pub fn index(self) -> usize {
                self.0 as usize
            }
        }
    )*};
}
index!(ProcId, Loc, PropertyId);

/// A program.
#[derive(Clone, Debug)]
pub struct Program {
    /// The texts that spans point into.
    pub sources: Arc<Sources>,
    /// Global variables.
    pub globals: Vec<Var>,
    /// Procedures, by [`ProcId`].
    pub procs: Vec<Procedure>,
    /// Where the program starts.
    pub main: ProcId,
    /// Locations, by [`Loc`].
    pub locs: Vec<Location>,
    /// What can be asked about the program, by [`PropertyId`].
    pub errors: Vec<Property>,
    /// What is asked when the user names nothing.
    pub default: Option<PropertyId>,
    /// What the front end knows besides.
    pub notes: Notes,
}

/// What a front end knows about a program besides its meaning. Passes renumber edges, so what
/// is said about edges is there only for the program as lowered.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Notes {
    /// Edges that do more than the source says, because it uses what cannot be modelled: a havoc
    /// whose values may be impossible, or any other edge that perhaps cannot be taken. A trace
    /// that depends on one is no evidence. Each tells what is not modelled.
    pub approximations: BTreeMap<EdgeId, String>,
    /// Havocs of one variable that stand for a call of an outside function.
    pub inputs: BTreeMap<EdgeId, Input>,
    /// All outside functions that the source mentions, also where control never comes.
    pub outside: Vec<Input>,
    /// How the values of bit-vector variables are written.
    pub notation: BTreeMap<Var, Notation>,
    /// How many elements arrays have, where their indices have room for more.
    pub lengths: BTreeMap<Var, u64>,
    /// Variables that say whether somebody links a weak symbol of that name, from the start on.
    pub weak: BTreeMap<Var, String>,
    /// The numbers that are addresses of objects, if the program has any: only in the model they are
    /// these.
    pub addresses: Option<std::ops::Range<u64>>,
    /// If the program is a system: what its description lists, for witnesses in the notation of
    /// the description.
    pub signals: Option<Signals>,
}

/// What the description of a system lists, each in its order.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Signals {
    /// State variables.
    pub state: Vec<Var>,
    /// Inputs.
    pub inputs: Vec<Var>,
    /// The properties of its bad conditions.
    pub bads: Vec<PropertyId>,
}

/// A call of a function that is defined outside of the program.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Input {
    /// The function's name.
    pub function: String,
    /// The type of its result, in the words of the language: `unsigned int`.
    pub result: String,
}

/// How a bit-vector is written for people.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Notation {
    /// A number in two's complement.
    Signed,
    /// A number.
    Unsigned,
    /// A number in two's complement, and the character.
    Character,
    /// In hexadecimal.
    Address,
    /// A number that has names.
    Names(BTreeMap<u64, String>),
}

/// A procedure.
///
/// Parameters, results and locals are distinct variables and belong to this procedure
/// alone. A front end declares them as `procedure::name`, and names its own helpers
/// `procedure::$name`, so that reports can show the user's names and hide the helpers.
#[derive(Clone, Debug)]
pub struct Procedure {
    /// Its name in the source.
    pub name: String,
    /// Set by the caller.
    pub params: Vec<Var>,
    /// Read by the caller when the procedure has returned; arbitrary at entry.
    pub results: Vec<Var>,
    /// All other variables; arbitrary at entry.
    pub locals: Vec<Var>,
    /// Where a call starts.
    pub entry: Loc,
    /// Where a call ends. No edge leaves it.
    pub exit: Loc,
    /// The edges; the order of those that leave one location is the order of the source.
    pub edges: Vec<Edge>,
    /// Where it is declared.
    pub span: Span,
}

/// A control location.
#[derive(Clone, Debug, Default)]
pub struct Location {
    /// The label in the source, for reports.
    pub label: Option<String>,
    /// The place in the source.
    pub span: Span,
    /// If the location was copied with the body of a procedure: the procedure's name.
    pub body: Option<Arc<str>>,
}

/// An edge of a control-flow automaton.
#[derive(Clone, Debug)]
pub struct Edge {
    /// Where it starts.
    pub from: Loc,
    /// Where it leads; for a call, where the caller goes on after the return.
    pub to: Loc,
    /// What happens on it.
    pub op: Op,
    /// The place in the source.
    pub span: Span,
}

/// What happens on an edge.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Op {
    /// Goes on only if the condition holds.
    Assume(Term),
    /// Assigns in parallel: all right-hand sides are read first. No variable twice.
    Assign(Vec<(Var, Term)>),
    /// Gives each variable an arbitrary value. No variable twice.
    Havoc(Vec<Var>),
    /// Calls a procedure.
    Call {
        /// Which.
        callee: ProcId,
        /// One value per parameter.
        args: Vec<Term>,
        /// The caller's variables (or globals) that take the callee's results. No variable twice.
        results: Vec<Var>,
    },
}

/// What a property is there for.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Role {
    /// It can be asked.
    #[default]
    Question,
    /// It tells apart the errors of a question that is a union. It is no question of its own: runs
    /// end at the other errors of the union, behind which its own may lie.
    Part,
}

/// A question about a program: can any of these locations be reached?
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Property {
    /// How the user names it.
    pub name: String,
    /// What reaching the locations means, as a phrase.
    pub about: String,
    /// The kind of the error, as verdicts name it: `unreach-call`, `no-overflow`, `valid-deref`.
    pub kind: String,
    /// The locations that must not be reached.
    pub locs: Vec<Loc>,
    /// Whether it can be asked.
    pub role: Role,
}

impl Property {
    /// The kind of errors that are reached, and not an operation that goes wrong.
    pub const UNREACH_CALL: &str = "unreach-call";

    /// A property of that kind.
    pub fn new(name: impl Into<String>, about: impl Into<String>, locs: Vec<Loc>) -> Property {
        Property {
            name: name.into(),
            about: about.into(),
            kind: Property::UNREACH_CALL.into(),
            locs,
            role: Role::Question,
        }
    }
}

impl Op {
    /// The terms that it reads.
    #[must_use]
    pub fn terms(&self) -> Vec<Term> {
        match self {
            Op::Assume(condition) => vec![*condition],
            Op::Assign(pairs) => pairs.iter().map(|(_, value)| *value).collect(),
            Op::Havoc(_) => Vec::new(),
            Op::Call { args, .. } => args.clone(),
        }
    }
}

impl Program {
    /// A program without procedures; [`Program::main`] is the procedure added first until
    /// the caller sets another.
    #[must_use]
    pub fn new(sources: Arc<Sources>) -> Program {
        Program {
            sources,
            globals: Vec::new(),
            procs: Vec::new(),
            main: ProcId(0),
            locs: Vec::new(),
            errors: Vec::new(),
            default: None,
            notes: Notes::default(),
        }
    }

    /// Adds an empty procedure with its entry and its exit.
    pub fn add_proc(&mut self, name: &str, span: Span) -> ProcId {
        let id = ProcId::new(self.procs.len());
        let entry = self.add_loc(span);
        let exit = self.add_loc(Span { start: span.end, ..span });
        self.procs.push(Procedure {
            name: name.to_owned(),
            params: Vec::new(),
            results: Vec::new(),
            locals: Vec::new(),
            entry,
            exit,
            edges: Vec::new(),
            span,
        });
        id
    }

    /// Adds a location.
    pub fn add_loc(&mut self, span: Span) -> Loc {
        self.locs.push(Location { label: None, span, body: None });
        Loc::new(self.locs.len() - 1)
    }

    /// The name of the procedure in whose code a location of a procedure was written: another one's,
    /// if it is in a copy.
    #[must_use]
    pub fn body(&self, proc: ProcId, loc: Loc) -> &str {
        self.locs[loc.index()].body.as_deref().unwrap_or(&self.proc(proc).name)
    }

    /// Adds an edge.
    ///
    /// # Panics
    /// If the procedure has 2^32 edges.
    pub fn add_edge(&mut self, proc: ProcId, from: Loc, to: Loc, op: Op, span: Span) -> EdgeId {
        let edges = &mut self.procs[proc.index()].edges;
        edges.push(Edge { from, to, op, span });
        let index = u32::try_from(edges.len() - 1).expect("fewer than 2^32 edges");
        EdgeId { proc, index }
    }

    /// Adds a property.
    pub fn add_property(&mut self, property: Property) -> PropertyId {
        self.errors.push(property);
        PropertyId::new(self.errors.len() - 1)
    }

    /// The procedure.
    #[must_use]
    pub fn proc(&self, id: ProcId) -> &Procedure {
        &self.procs[id.index()]
    }

    /// The edge.
    #[must_use]
    pub fn edge(&self, id: EdgeId) -> &Edge {
        &self.proc(id.proc).edges[id.index as usize]
    }

    /// The property.
    #[must_use]
    pub fn property(&self, id: PropertyId) -> &Property {
        &self.errors[id.index()]
    }

    /// The question of that name.
    #[must_use]
    pub fn find_property(&self, name: &str) -> Option<PropertyId> {
        let named = |property: &Property| property.role == Role::Question && property.name == name;
        self.errors.iter().position(named).map(PropertyId::new)
    }

    /// The question that asks about the property of that name, alone or with others.
    #[must_use]
    pub fn find_question_about(&self, name: &str) -> Option<PropertyId> {
        let part = |property: &Property| property.role == Role::Part && property.name == name;
        self.find_property(name).or_else(|| self.default.filter(|_| self.errors.iter().any(part)))
    }

    /// What is wrong at a location of a property. A property may be the union of others: the one
    /// with the fewest locations says what happens at each.
    #[must_use]
    pub fn property_at(&self, property: PropertyId, loc: Loc) -> &Property {
        let asked = self.property(property);
        let parts = self.errors.iter().filter(|part| part.locs.len() < asked.locs.len() && part.locs.contains(&loc));
        parts.min_by_key(|part| part.locs.len()).unwrap_or(asked)
    }

    /// The kind of the error at a location of a property.
    #[must_use]
    pub fn kind_at(&self, property: PropertyId, loc: Loc) -> &str {
        let asked = self.property(property);
        let there = self.errors.iter().filter(|property| property.locs.contains(&loc));
        // A union of which only one part has locations is as large as that part.
        &there.min_by_key(|other| (other.locs.len(), *other == asked)).unwrap_or(asked).kind
    }

    /// All procedures with their ids.
    pub fn procs(&self) -> impl Iterator<Item = (ProcId, &Procedure)> {
        self.procs.iter().enumerate().map(|(i, proc)| (ProcId::new(i), proc))
    }

    /// The globals, and the variables of all procedures.
    pub fn vars(&self) -> impl Iterator<Item = Var> {
        self.globals.iter().copied().chain(self.procs.iter().flat_map(Procedure::vars))
    }

    /// All edges with their ids.
    pub fn edges(&self) -> impl Iterator<Item = (EdgeId, &Edge)> {
        self.procs().flat_map(|(proc, procedure)| {
            (0..).zip(&procedure.edges).map(move |(index, edge)| (EdgeId { proc, index }, edge))
        })
    }
}

impl Procedure {
    /// All variables of the procedure: parameters, results, locals.
    pub fn vars(&self) -> impl Iterator<Item = Var> {
        self.params.iter().chain(self.inputs()).copied()
    }

    /// The variables that a call leaves arbitrary: results, then locals.
    pub fn inputs(&self) -> impl Iterator<Item = &Var> {
        self.results.iter().chain(&self.locals)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_narrowest_property_names_the_kind_of_an_error() {
        let mut program = Program::new(Arc::default());
        let locs: Vec<Loc> = (0..4).map(|_| program.add_loc(Span::default())).collect();
        let all = program.add_property(Property::new("all", "an error", locs[..3].to_vec()));
        let bounds = Property::new("bounds", "an index is out of bounds", locs[1..3].to_vec());
        program.add_property(Property { kind: "valid-deref".into(), ..bounds });
        let kinds: Vec<&str> = locs.iter().map(|loc| program.kind_at(all, *loc)).collect();
        assert_eq!(kinds, ["unreach-call", "valid-deref", "valid-deref", "unreach-call"]);
        let union = program.add_property(Property::new("both", "an error", locs[1..3].to_vec()));
        assert_eq!(program.kind_at(union, locs[1]), "valid-deref");
    }
}
