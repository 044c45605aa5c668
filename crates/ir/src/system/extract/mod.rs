//! The transition system that a program is, and the way back for its evidence.
//!
//! States are the values at *cut points*, of which every loop has one. The code between two cut
//! points says how one state follows another, the code from the start which are initial, the code
//! to an error which are bad. With one cut point, as in a program that a
//! [`Machine`](crate::Machine) became, there is no need to say where control is; with several, a
//! variable counts them.
//!
//! Files in order of reading: `assemble` (one relation from [`blocks`](crate::blocks)), `back`
//! (proofs and traces).

mod assemble;
mod back;

pub use crate::blocks::Size;
use crate::blocks::{Block, Cuts};
use crate::graph::CallGraph;
use crate::program::{Loc, Op, Program, PropertyId};
use crate::system::TransitionSystem;
use rustc_hash::FxHashMap;
use std::collections::{BTreeMap, BTreeSet};
use tamis_term::{Sort, Term, Terms, Value, Var};

/// A transition system that means the same as a program for one property.
#[derive(Clone, Debug)]
pub struct Extracted {
    /// The system. Its state variables are variables of the program, and the one that says where
    /// control is, if there are several places.
    pub system: TransitionSystem,
    /// The variable that says where control is.
    pub control: Option<Var>,
    cuts: Cuts,
    blocks: Vec<Block>,
    /// The code from the start to the first cut points, unless the start is one.
    prologue: Option<Block>,
    /// For each cut point, the variables that matter there.
    live: Vec<BTreeSet<Var>>,
    /// What a variable's initial value was called at the start of the program.
    renamed: Vec<FxHashMap<Var, Var>>,
    /// Inputs that are the next value of a state variable.
    from_next: BTreeMap<Var, Var>,
    errors: BTreeSet<Loc>,
}

impl Extracted {
    /// The cut points. Where there are several, the control variable counts them.
    #[must_use]
    pub fn places(&self) -> &[Loc] {
        &self.cuts.locs
    }

    /// That control is at a cut point; nothing if there is no other.
    pub fn at(&self, terms: &mut Terms, number: usize) -> Option<Term> {
        self.control.map(|control| is_at(terms, control, number))
    }
}

/// That the control variable says so.
fn is_at(terms: &mut Terms, control: Var, number: usize) -> Term {
    let Sort::BitVec(width) = *terms.var_sort(control) else { unreachable!("declared so") };
    let (var, place) = (terms.var(control), terms.bv(width, number as u64));
    terms.eq(var, place)
}

/// A run of a transition system into a bad state: at least one frame.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Frames(pub Vec<Frame>);

/// One state of a run.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Frame {
    /// The values of the state variables, in their order.
    pub state: Vec<(Var, Value)>,
    /// The values of the inputs, in their order: those with which the next state is reached, and in
    /// the last frame those that make it bad.
    pub inputs: Vec<(Var, Value)>,
}

/// The transition system that the program is for the property.
///
/// # Errors
/// Says why it is none, as a phrase.
pub fn extract(terms: &mut Terms, program: &Program, property: PropertyId, size: Size) -> Result<Extracted, String> {
    let main = program.proc(program.main);
    if main.edges.iter().any(|edge| matches!(edge.op, Op::Call { .. })) {
        return Err(calls(program));
    }
    let errors: BTreeSet<Loc> = program.property(property).locs.iter().copied().collect();
    let cuts = Cuts::new(terms, program, program.main, &errors, size, &BTreeSet::new());
    if let Some(extracted) = assemble::assemble(terms, program, errors.clone(), cuts) {
        return Ok(extracted);
    }
    // What was before the first cut points cannot be said in their variables: the start is one too.
    let cuts = Cuts::new(terms, program, program.main, &errors, size, &BTreeSet::from([main.entry]));
    assemble::assemble(terms, program, errors, cuts).ok_or_else(|| "its start is no state".into())
}

/// Why there are still calls in a program.
fn calls(program: &Program) -> String {
    match CallGraph::new(program).recursion(program.main) {
        Some(id) => format!("procedure {} is recursive", program.proc(id).name),
        None => "the program calls procedures, which were not copied to their calls".into(),
    }
}

#[cfg(test)]
mod tests;
