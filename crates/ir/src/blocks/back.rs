//! The way back: invariants of cut points become a proof about the program, a way along arcs a
//! trace.

use super::block::Block;
use super::graph::{ArcId, BlockGraph, PointId};
use crate::evidence::{Action, Proof, Trace};
use crate::interpreter::{Interpreter, Refusal};
use crate::program::{EdgeId, Op, Program};
use rustc_hash::FxHashMap;
use tamis_term::{Term, Terms, Value, Var};

/// An arc that a run takes, with the values before it and what is chosen on it.
#[derive(Clone, Debug)]
pub struct Taken {
    /// The arc.
    pub arc: ArcId,
    /// The values; what is not mentioned does not matter.
    pub values: FxHashMap<Var, Value>,
}

impl Taken {
    fn value(&self, terms: &Terms, var: Var) -> Value {
        self.values.get(&var).cloned().unwrap_or_else(|| Value::default_of(terms.var_sort(var)))
    }
}

impl BlockGraph {
    /// The proof about the program that inductive invariants of the cut points are, with silence
    /// between.
    pub fn proof(
        &self,
        terms: &mut Terms,
        program: &Program,
        mut invariant: impl FnMut(&mut Terms, PointId) -> Term,
    ) -> Proof {
        let mut proof = Proof::default();
        let (main, always) = (program.proc(program.main), terms.bool(true));
        for point in &self.points {
            proof.invariants.insert(point.loc, invariant(terms, point.id));
        }
        proof.invariants.entry(main.entry).or_insert(always);
        let between = self.cuts.into.keys().filter(|loc| !self.errors.contains(loc));
        proof.passed = between.copied().filter(|loc| !proof.invariants.contains_key(loc)).collect();
        proof.summaries.insert(program.main, always);
        proof
    }

    /// The trace of the program that a run along arcs is: the first comes from the start, the last
    /// leads to an error.
    ///
    /// # Errors
    /// If the interpreter refuses it.
    pub fn trace(&self, terms: &Terms, program: &Program, run: &[Taken]) -> Result<Trace, Refusal> {
        let first = run.first().ok_or(Refusal::NotHere)?;
        let mut interpreter = Interpreter::new(terms, program);
        let start = interpreter.start_vars().iter().map(|var| first.value(terms, *var)).collect();
        let actions = run.iter().flat_map(|taken| self.actions(terms, program, taken)).collect();
        interpreter.record(start, actions).map_err(|(_, refusal)| refusal)
    }

    /// What happens on an arc.
    fn actions(&self, terms: &Terms, program: &Program, taken: &Taken) -> Vec<Action> {
        let block = self.block(taken.arc);
        let prefix = self.from(taken.arc).map_or(&[][..], |from| &self.cuts.prefixes[from.index()]);
        let edges = block.path(terms, program, self.arc(taken.arc), &|var| taken.value(terms, var));
        let action = |edge: EdgeId| Action::Take { edge, inputs: chosen(terms, program, block, edge, taken) };
        prefix.iter().copied().chain(edges).map(action).collect()
    }
}

/// What is chosen on an edge.
fn chosen(terms: &Terms, program: &Program, block: &Block, edge: EdgeId, taken: &Taken) -> Vec<Value> {
    match &program.edge(edge).op {
        Op::Havoc(vars) => {
            let input = |var: &Var| block.chosen.iter().find(|(choice, _)| *choice == (edge, *var));
            let value = |var: &Var| match input(var) {
                Some((_, input)) => taken.value(terms, *input),
                None => Value::default_of(terms.var_sort(*var)),
            };
            vars.iter().map(value).collect()
        }
        Op::Assume(_) | Op::Assign(_) | Op::Call { .. } => Vec::new(),
    }
}
