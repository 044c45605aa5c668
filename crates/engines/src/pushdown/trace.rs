//! From a run of the system to a trace of the program: blocks become edges again, and the
//! values that havocs chose inside a block are found by looking at what the block did.

use super::layout::{Trouble, pack};
use super::lower::{Lowered, Origin};
use rustc_hash::FxHashMap;
use tamis_bdd::{Bdd, Encoder};
use tamis_cegar::Stop;
use tamis_ir::{Action, EdgeId, Interpreter, Op, Program, Trace};
use tamis_pds::{Run, RunStep, Valuation};
use tamis_term::{Terms, Value, Var};

/// The trace that a run stands for.
pub(super) fn from_run(terms: &Terms, program: &Program, lowered: &Lowered, run: &Run) -> Result<Trace, Problem> {
    let mut reader = Reader { terms, program, lowered, start: Vec::new(), actions: Vec::new(), called: None };
    for step in &run.steps {
        reader.step(step)?;
    }
    Interpreter::new(terms, program)
        .record(reader.start, reader.actions)
        .map_err(|(at, refusal)| Problem::Stop(Stop::refused(&format!("the trace stops at step {at}"), &refusal)))
}

/// Why there is no trace.
pub(super) enum Problem {
    Trouble(Trouble),
    Stop(Stop),
}

impl<T: Into<Trouble>> From<T> for Problem {
    fn from(trouble: T) -> Problem {
        Problem::Trouble(trouble.into())
    }
}

struct Reader<'r> {
    terms: &'r Terms,
    program: &'r Program,
    lowered: &'r Lowered,
    start: Vec<Value>,
    actions: Vec<Action>,
    /// The call whose callee begins next.
    called: Option<EdgeId>,
}

impl Reader<'_> {
    fn step(&mut self, step: &RunStep) -> Result<(), Problem> {
        match self.lowered.origins[step.rule.index()] {
            Origin::Call(edge) => self.called = Some(edge),
            Origin::Return => self.actions.push(Action::Return),
            Origin::Resume => {}
            Origin::Enter(proc) => {
                if let Some(edge) = self.called.take() {
                    let inputs = self.values(self.program.proc(proc).inputs().copied(), &step.after);
                    self.actions.push(Action::Take { edge, inputs });
                } else {
                    let vars = Interpreter::new(self.terms, self.program).start_vars();
                    self.start = self.values(vars.into_iter(), &step.after);
                }
            }
            Origin::Block(at) => self.block(at, step)?,
        }
        Ok(())
    }

    fn values(&self, vars: impl Iterator<Item = Var>, valuation: &Valuation) -> Vec<Value> {
        vars.map(|var| self.lowered.layout.value(self.terms, var, |at| valuation.get(at))).collect()
    }

    fn block(&mut self, at: usize, step: &RunStep) -> Result<(), Problem> {
        let block = &self.lowered.blocks.all[at];
        let mut edges = block.edges.iter();
        // Only the first edge of a block can be a havoc.
        if let Some(first) = edges.clone().next()
            && let Op::Havoc(vars) = &self.program.edge(*first).op
        {
            let choices = self.choices(at, step)?;
            let mut used: FxHashMap<Var, usize> = FxHashMap::default();
            let inputs = vars.iter().map(|var| self.choice(*var, &choices, &mut used)).collect();
            self.actions.push(Action::Take { edge: *first, inputs });
            edges.next();
        }
        self.actions.extend(edges.map(|edge| Action::Take { edge: *edge, inputs: Vec::new() }));
        Ok(())
    }

    /// The value that a havoc gives its next variable of this sort.
    fn choice(&self, var: Var, choices: &FxHashMap<Var, Value>, used: &mut FxHashMap<Var, usize>) -> Value {
        let sort = self.terms.var_sort(var);
        let mut same = self.lowered.blocks.choices.iter().filter(|choice| self.terms.var_sort(**choice) == sort);
        let key = self.lowered.blocks.choices.iter().find(|choice| self.terms.var_sort(**choice) == sort);
        let at = key.map_or(0, |key| {
            let at = used.entry(*key).or_default();
            *at += 1;
            *at - 1
        });
        same.nth(at).and_then(|choice| choices.get(choice)).cloned().unwrap_or_else(|| Value::default_of(sort))
    }

    /// Values of the choices with which the block leads from the values before to those after.
    fn choices(&self, at: usize, step: &RunStep) -> Result<FxHashMap<Var, Value>, Problem> {
        let Lowered { layout, blocks, .. } = self.lowered;
        let (block, m) = (&blocks.all[at], &layout.manager);
        let constant = |var: Var| -> Vec<Bdd> {
            layout.positions.get(&var).into_iter().flatten().map(|at| m.constant(step.before.get(*at))).collect()
        };
        let free = |var: &Var| layout.choices[var].iter().map(|bit| m.bit(*bit)).collect::<Vec<Bdd>>();
        let known = layout.positions.keys().copied().collect::<std::collections::BTreeSet<Var>>();
        let mut env: FxHashMap<Var, Vec<Bdd>> = known.into_iter().map(|var| (var, constant(var))).collect();
        env.extend(blocks.choices.iter().map(|var| (*var, free(var))));
        let mut encoder = Encoder::new(env);
        let mut all = m.constant(true);
        for guard in &block.guards {
            all = m.and(&all, &encoder.truth(m, self.terms, *guard)?)?;
        }
        for var in layout.live(self.program, blocks, super::blocks::Point::At(block.to)) {
            let Some(value) = block.updates.get(&var) else { continue };
            let word = encoder.word(m, self.terms, *value)?;
            for (bit, position) in word.iter().zip(&layout.positions[&var]) {
                let bit = if step.after.get(*position) { bit.clone() } else { m.not(bit) };
                all = m.and(&all, &bit)?;
            }
        }
        let picked: FxHashMap<_, _> = m.pick(&all).unwrap_or_default().into_iter().collect();
        let value = |var: &Var| {
            let bits = layout.choices[var].iter().map(|bit| picked.get(bit).copied().unwrap_or(false));
            (*var, pack(self.terms.var_sort(*var), bits))
        };
        Ok(blocks.choices.iter().map(value).collect())
    }
}
