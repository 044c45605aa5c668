//! From the tree to control-flow automata.
//!
//! Files in order of reading: `value` (scalars as terms), `memory` (regions, addresses,
//! allocation), `heap` (objects that are made at run time), `homes` (where each object lives), `place` (reading and writing), `registers` (of devices), `volatile` (what others write), `address` (addresses as numbers), `effects` (what
//! evaluating an expression involves), `expression`, `call`, `outside` (functions that the program
//! does not define), `print`, `scan`, `sign` and `literal` (what the library and the compiler leave open), `scope` (lifetimes), `statement`, `start` (initial values), `checks` (what is an error),
//! `weak` (what nobody may define), `tidy`.

#![allow(
    clippy::wildcard_enum_match_arm,
    reason = "there are two dozen kinds of expressions and nine of types; most functions are about a few"
)]

mod address;
mod call;
mod checks;
mod effects;
mod expression;
mod heap;
mod homes;
mod literal;
mod memory;
mod outside;
mod place;
mod print;
mod registers;
mod scan;
mod scope;
mod sign;
mod start;
mod statement;
mod tidy;
mod value;
mod volatile;
mod weak;

pub use checks::on_request;

use super::Options;
use super::leaves::Leaves;
use super::points_to::PointsTo;
use super::tree::{BlockId, FunctionId, LabelId, ObjectId, Unit};
use super::types::{Ty, Type};
use crate::Lowered;
use crate::c::library::{Known, known};
use crate::spec::Spec;
use checks::{Failure, Failures};
use effects::Effects;
use homes::Home;
use memory::Memory;
use std::collections::BTreeMap;
use std::sync::Arc;
use tamis_ir::{Diagnostic, EdgeId, Loc, Notation, Op, ProcId, Program, Sources, Span};
use tamis_term::{Sort, Term, Terms, Var};

/// The state of lowering.
struct Lowering<'a> {
    unit: &'a Unit,
    terms: &'a mut Terms,
    options: &'a Options,
    program: Program,
    points_to: PointsTo,
    leaves: Leaves,
    effects: Effects,
    memory: Memory,
    /// By object.
    homes: Vec<Home>,
    /// The variables in which parameters arrive that live in memory.
    incoming: BTreeMap<ObjectId, Vec<Var>>,
    /// The procedures of functions that have a body.
    procs: Vec<Option<ProcId>>,
    failures: Failures,
    missing: weak::Missing,
    shared: literal::Shared,
    /// Whether the program is written for TRACER (Jaffar, Murali, Navas, Santosa, CAV 2012): then
    /// static objects without an initialiser are inputs.
    for_tracer: bool,
    errors: Vec<Diagnostic>,
    /// Functions that are called but neither defined nor known, and where first.
    undefined: BTreeMap<String, Span>,
    /// Havocs of everything that is not a plain local variable.
    forgotten: Vec<EdgeId>,
    frame: Frame,
}

/// The function that is being lowered.
#[derive(Debug)]
struct Frame {
    proc: ProcId,
    function: Option<FunctionId>,
    /// What the names of its variables start with.
    prefix: String,
    /// Where the next edge starts.
    at: Loc,
    /// Where a return leads.
    leave: Loc,
    labels: Vec<Option<Loc>>,
    /// Whether a label was defined already, to which control may come back.
    labelled: bool,
    /// Where `break` and `continue` lead and how many blocks are around there, from the outside.
    breaks: Vec<(Loc, usize)>,
    continues: Vec<(Loc, usize)>,
    /// The cases of the switches around, from the outside.
    switches: Vec<statement::Switch>,
    /// The blocks around that declare something, from the outside.
    scopes: Vec<BlockId>,
}

/// A value.
#[derive(Clone, Debug)]
enum Value {
    Void,
    Scalar(Term),
    /// The leaves of a record.
    Record(Vec<Term>),
}

/// Lowers a program.
pub(super) fn lower(
    terms: &mut Terms,
    sources: Arc<Sources>,
    unit: &Unit,
    points_to: PointsTo,
    options: &Options,
    ask: &[Spec],
    mut warnings: Vec<Diagnostic>,
) -> Result<Lowered, Vec<Diagnostic>> {
    let Some(main) = unit.functions.iter().position(|function| function.name == "main" && function.body.is_some())
    else {
        let error = Diagnostic::error(Span::default(), "the program has no function `main`");
        return Err(vec![error.hint("name all files that belong to it")]);
    };
    let frame = Frame {
        proc: ProcId::new(0),
        function: None,
        prefix: String::new(),
        at: Loc::new(0),
        leave: Loc::new(0),
        labels: Vec::new(),
        labelled: false,
        breaks: Vec::new(),
        continues: Vec::new(),
        switches: Vec::new(),
        scopes: Vec::new(),
    };
    let mut lowering = Lowering {
        unit,
        terms,
        options,
        program: Program::new(sources),
        points_to,
        leaves: Leaves::default(),
        effects: Effects::default(),
        memory: Memory::default(),
        homes: Vec::new(),
        incoming: BTreeMap::new(),
        procs: Vec::new(),
        failures: Failures::new(unit, ask, options.overflow),
        missing: weak::Missing::default(),
        shared: literal::Shared::new(),
        for_tracer: unit.functions.iter().any(|function| matches!(known(&function.name), Some(Known::ErrorIf))),
        errors: Vec::new(),
        undefined: BTreeMap::new(),
        forgotten: Vec::new(),
        frame,
    };
    let main = FunctionId(u32::try_from(main).expect("fewer than 2^32 functions"));
    lowering.declare_procs(main);
    lowering.declare_missing();
    lowering.settle_homes();
    lowering.find_shared();
    lowering.choose_start(main);
    for (function, _) in (0..).zip(&unit.functions) {
        lowering.lower_function(FunctionId(function));
    }
    lowering.lower_start(main);
    lowering.fill_forgotten();
    lowering.note_outside();
    lowering.warn_of_undefined(&mut warnings);
    if lowering.for_tracer {
        let numbers = match (lowering.is_boundless(), lowering.failures.asks(Failure::Overflow)) {
            (true, false) => ", and arithmetic is assumed not to overflow",
            (true, true) => ", and unsigned arithmetic is assumed not to overflow",
            (false, _) => "",
        };
        let message = format!("it is for TRACER: static variables without an initial value are inputs{numbers}");
        let span = lowering.unit.functions[main.index()].span;
        warnings.push(Diagnostic::warning(span, message).hint("write `= 0` where they start as zero"));
    }
    if lowering.errors.is_empty() {
        let Lowering { mut program, failures, terms, .. } = lowering;
        failures.finish(&mut program);
        tidy::tidy(terms, &mut program);
        Ok(Lowered { program, warnings })
    } else {
        Err(lowering.errors)
    }
}

impl Lowering<'_> {
    /// Adds an edge from here to a new location, where the next one starts.
    fn emit(&mut self, op: Op, span: Span) -> EdgeId {
        let to = self.program.add_loc(span);
        let edge = self.emit_to(op, to, span);
        self.frame.at = to;
        edge
    }

    /// Adds an edge from here to a given location.
    fn emit_to(&mut self, op: Op, to: Loc, span: Span) -> EdgeId {
        self.program.add_edge(self.frame.proc, self.frame.at, to, op, span)
    }

    /// Goes to a location without doing anything.
    fn go(&mut self, to: Loc, span: Span) {
        let always = self.terms.bool(true);
        self.emit_to(Op::Assume(always), to, span);
    }

    /// What is lowered next is not reached from here.
    fn at_nowhere(&mut self, span: Span) {
        self.frame.at = self.program.add_loc(span);
    }

    /// Two new locations, taken if the condition holds and if it does not.
    fn branch(&mut self, condition: Term, span: Span) -> (Loc, Loc) {
        let (then, otherwise) = (self.program.add_loc(span), self.program.add_loc(span));
        self.branch_to(condition, then, otherwise, span);
        (then, otherwise)
    }

    fn branch_to(&mut self, condition: Term, then: Loc, otherwise: Loc, span: Span) {
        let opposite = self.terms.not(condition);
        self.emit_to(Op::Assume(condition), then, span);
        self.emit_to(Op::Assume(opposite), otherwise, span);
    }

    /// A variable of the current function that the user did not write.
    fn temporary(&mut self, sort: Sort) -> Var {
        let name = format!("{}$t", self.frame.prefix);
        let var = self.terms.declare(&name, sort);
        self.program.procs[self.frame.proc.index()].locals.push(var);
        var
    }

    /// The term's value now, whatever happens to the variables in it.
    fn keep(&mut self, term: Term, span: Span) -> Term {
        if self.terms.value(term).is_some() {
            return term;
        }
        let var = self.temporary(self.terms.sort(term).clone());
        self.emit(Op::Assign(vec![(var, term)]), span);
        self.terms.var(var)
    }

    fn keep_value(&mut self, value: Value, span: Span) -> Value {
        match value {
            Value::Void => Value::Void,
            Value::Scalar(term) => Value::Scalar(self.keep(term, span)),
            Value::Record(terms) => Value::Record(terms.into_iter().map(|term| self.keep(term, span)).collect()),
        }
    }

    /// An arbitrary value of that sort that stands for what cannot be modelled.
    fn approximate(&mut self, sort: Sort, what: &str, span: Span) -> Term {
        let var = self.temporary(sort);
        let edge = self.emit(Op::Havoc(vec![var]), span);
        self.program.notes.approximations.insert(edge, what.to_owned());
        self.terms.var(var)
    }

    /// The input cannot be used because of what is there.
    fn refuse(&mut self, span: Span, message: impl Into<String>) {
        self.errors.push(Diagnostic::error(span, message));
    }

    /// Notes how the values of a variable of that type are written.
    fn note_type(&mut self, var: Var, ty: Ty) {
        let types = &self.unit.types;
        let notation = match types.get(ty) {
            Type::Pointer(_) => Notation::Address,
            Type::Int(super::types::IntKind::Char) => Notation::Character,
            Type::Float(_) => return,
            _ if types.scalar(ty).is_some_and(|(_, signed)| signed) => Notation::Signed,
            _ => Notation::Unsigned,
        };
        self.program.notes.notation.insert(var, notation);
    }

    /// The width of a pointer.
    fn pointer_bits(&self) -> u32 {
        self.unit.types.model.pointer_bits()
    }

    /// The place of a label of the current function.
    fn label(&mut self, label: LabelId, span: Span) -> Loc {
        if let Some(loc) = self.frame.labels[label.index()] {
            return loc;
        }
        let loc = self.program.add_loc(span);
        self.frame.labels[label.index()] = Some(loc);
        loc
    }

    /// What is not modelled may change all globals, but not which numbers objects have.
    fn fill_forgotten(&mut self) {
        let mut own: Vec<Var> = self.memory.dynamic.map_or(Vec::new(), memory::Dynamic::vars);
        own.extend(self.missing.vars());
        let vars: Vec<Var> = self.program.globals.iter().copied().filter(|var| !own.contains(var)).collect();
        for edge in std::mem::take(&mut self.forgotten) {
            self.program.procs[edge.proc.index()].edges[edge.index as usize].op = Op::Havoc(vars.clone());
        }
    }

    fn warn_of_undefined(&mut self, warnings: &mut Vec<Diagnostic>) {
        let undefined = std::mem::take(&mut self.undefined);
        for (name, span) in undefined {
            match self.options.undefined {
                super::Undefined::Havoc => warnings.push(
                    Diagnostic::warning(span, format!("`{name}` is called but defined nowhere"))
                        .hint("its result is arbitrary; name the file that defines it to know what it does"),
                ),
                super::Undefined::Refuse => self.errors.push(
                    Diagnostic::error(span, format!("`{name}` is called but defined nowhere"))
                        .hint("name the file that defines it, or allow anything with --undefined havoc"),
                ),
            }
        }
    }
}
