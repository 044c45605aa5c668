//! The way back: an invariant of the system becomes a proof about the program, a run of the
//! system a trace.

use super::{Extracted, Frame, Frames};
use crate::blocks::{Arc, Block};
use crate::evidence::{Action, Proof, Trace};
use crate::interpreter::{Interpreter, Refusal};
use crate::program::{EdgeId, Op, Program};
use rustc_hash::FxHashMap;
use tamis_term::{Sort, Term, Terms, Value, Var};

impl Extracted {
    /// The proof about the program that an inductive invariant of the system is: the invariant at
    /// cut points, and silence between.
    #[must_use]
    pub fn proof(&self, terms: &mut Terms, program: &Program, invariant: Term) -> Proof {
        let mut proof = Proof::default();
        let (main, always) = (program.proc(program.main), terms.bool(true));
        for (number, cut) in self.cuts.locs.iter().enumerate() {
            proof.invariants.insert(*cut, self.here(terms, number, invariant));
        }
        proof.invariants.entry(main.entry).or_insert(always);
        let between = self.cuts.into.keys().filter(|loc| !self.errors.contains(loc));
        proof.passed = between.copied().filter(|loc| !proof.invariants.contains_key(loc)).collect();
        proof.summaries.insert(program.main, always);
        proof
    }

    /// What an invariant says at a cut point.
    fn here(&self, terms: &mut Terms, number: usize, invariant: Term) -> Term {
        let mut map = FxHashMap::default();
        if let Some(control) = self.control {
            let Sort::BitVec(width) = *terms.var_sort(control) else { unreachable!("declared so") };
            map.insert(control, terms.bv(width, number as u64));
        }
        for (var, _) in &self.system.state {
            if Some(*var) != self.control && !self.live[number].contains(var) {
                let value = Value::default_of(terms.var_sort(*var));
                map.insert(*var, terms.constant(value));
            }
        }
        terms.substitute(invariant, &map)
    }

    /// The trace of the program that a run of the system is.
    ///
    /// # Errors
    /// If it is none, or one that the interpreter refuses.
    pub fn trace(&self, terms: &Terms, program: &Program, run: &Frames) -> Result<Trace, Refusal> {
        let (start, actions) = self.actions(terms, program, run).ok_or(Refusal::NotHere)?;
        let mut interpreter = Interpreter::new(terms, program);
        let value = |var: &Var| start.get(var).cloned().unwrap_or_else(|| Value::default_of(terms.var_sort(*var)));
        let start = interpreter.start_vars().iter().map(value).collect();
        interpreter.record(start, actions).map_err(|(_, refusal)| refusal)
    }

    /// Where a run starts, and what it does.
    fn actions(&self, terms: &Terms, program: &Program, run: &Frames) -> Option<(FxHashMap<Var, Value>, Vec<Action>)> {
        let first = run.0.first()?;
        let (start, mut actions) = match &self.prologue {
            None => (first.state.iter().cloned().collect::<FxHashMap<Var, Value>>(), Vec::new()),
            Some(block) => self.begin(terms, program, block, first)?,
        };
        for (at, frame) in run.0.iter().enumerate() {
            let values = self.values(frame, run.0.get(at + 1));
            let block = &self.blocks[self.number(frame)?];
            let holds = |arc: &&Arc| {
                terms.eval(arc.guard, |var| lookup(terms, &values, var)).as_bool()
                    && match run.0.get(at + 1) {
                        None => self.errors.contains(&arc.to),
                        Some(next) => self.leads(terms, arc, &values, next),
                    }
            };
            let arc = block.arcs.iter().find(holds)?;
            let prefix = &self.cuts.prefixes[self.number(frame)?];
            let edges =
                prefix.iter().copied().chain(block.path(terms, program, arc, &|var| lookup(terms, &values, var)));
            actions.extend(edges.map(|id| Extracted::action(terms, program, block, id, &values)));
        }
        Some((start, actions))
    }

    /// The start of a run that comes to the first frame, and what happens before it.
    fn begin(
        &self,
        terms: &Terms,
        program: &Program,
        block: &Block,
        first: &Frame,
    ) -> Option<(FxHashMap<Var, Value>, Vec<Action>)> {
        let state: FxHashMap<Var, Value> = first.state.iter().cloned().collect();
        for (arc, names) in block.arcs.iter().zip(&self.renamed) {
            let start: FxHashMap<Var, Value> =
                names.iter().filter_map(|(was, is)| Some((*was, state.get(is)?.clone()))).collect();
            let taken = terms.eval(arc.guard, |var| lookup(terms, &start, var)).as_bool();
            if taken && self.leads(terms, arc, &start, first) {
                let edges = block.path(terms, program, arc, &|var| lookup(terms, &start, var));
                let actions =
                    edges.into_iter().map(|id| Extracted::action(terms, program, block, id, &start)).collect();
                return Some((start, actions));
            }
        }
        None
    }

    /// The cut point at which a frame is.
    fn number(&self, frame: &Frame) -> Option<usize> {
        let Some(control) = self.control else { return Some(0) };
        let (_, value) = frame.state.iter().find(|(var, _)| *var == control)?;
        let Value::BitVec(number) = value else { return None };
        usize::try_from(number.to_u64()?).ok().filter(|number| *number < self.blocks.len())
    }

    /// All values of a frame, and those of inputs that only the next one tells.
    fn values(&self, frame: &Frame, next: Option<&Frame>) -> FxHashMap<Var, Value> {
        let mut values: FxHashMap<Var, Value> = frame.state.iter().chain(&frame.inputs).cloned().collect();
        for (input, var) in &self.from_next {
            if let Some((_, value)) = next.and_then(|next| next.state.iter().find(|(other, _)| other == var)) {
                values.insert(*input, value.clone());
            }
        }
        values
    }

    /// Whether an arc ends in the next frame.
    fn leads(&self, terms: &Terms, arc: &Arc, values: &FxHashMap<Var, Value>, next: &Frame) -> bool {
        let Some(number) = self.cuts.number(arc.to) else { return false };
        self.number(next) == Some(number)
            && next.state.iter().filter(|(var, _)| self.live[number].contains(var)).all(|(var, value)| {
                let found = arc.values.get(*var).map(|term| terms.eval(term, |var| lookup(terms, values, var)));
                found.unwrap_or_else(|| lookup(terms, values, *var)) == *value
            })
    }

    /// What taking an edge of a block is, with what is chosen there.
    fn action(terms: &Terms, program: &Program, block: &Block, edge: EdgeId, values: &FxHashMap<Var, Value>) -> Action {
        let inputs = match &program.edge(edge).op {
            Op::Havoc(vars) => {
                let input = |var: &Var| block.chosen.iter().find(|(choice, _)| *choice == (edge, *var));
                let chosen = |var: &Var| match input(var) {
                    Some((_, input)) => lookup(terms, values, *input),
                    None => Value::default_of(terms.var_sort(*var)),
                };
                vars.iter().map(chosen).collect()
            }
            Op::Assume(_) | Op::Assign(_) | Op::Call { .. } => Vec::new(),
        };
        Action::Take { edge, inputs }
    }
}

fn lookup(terms: &Terms, values: &FxHashMap<Var, Value>, var: Var) -> Value {
    values.get(&var).cloned().unwrap_or_else(|| Value::default_of(terms.var_sort(var)))
}
