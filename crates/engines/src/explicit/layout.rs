//! States as bits and edges as code.
//!
//! A state at a location is the values of the variables that are live there, packed. What
//! a procedure can tell apart of its caller is its *input*: the globals and parameters
//! that are live at its entry.

use rustc_hash::FxHashMap;
use tamis_ir::analysis::Liveness;
use tamis_ir::{EdgeId, Loc, Op, ProcId, Program};
use tamis_term::pack::{BitReader, BitWriter};
use tamis_term::{Code, Sort, Term, Terms, Value, Var};
use tamis_witness::Reason;

/// More bits than this in one state are refused: nothing could be enumerated.
const MAX_STATE_BITS: u64 = 2_048;

/// The position of a variable in its scope: the globals, then the procedure's own.
pub(super) type Slot = usize;

/// How the states and steps of a program are laid out.
pub(super) struct Layout {
    /// By procedure.
    pub procs: Vec<ProcLayout>,
    /// By location: the live slots, in order.
    pub places: Vec<Vec<Slot>>,
    /// By location: the edges that leave it.
    pub steps: Vec<Vec<Step>>,
    /// By location.
    pub owner: Vec<ProcId>,
    pub liveness: Liveness,
}

pub(super) struct ProcLayout {
    pub scope: Vec<Var>,
    pub sorts: Vec<Sort>,
    /// Whether somebody calls the procedure, so that its states must be related to its input.
    pub is_called: bool,
    /// The slots that an entry of the procedure records: none if nobody calls it.
    pub input: Vec<Slot>,
    /// The other slots that are live at entry: their values are arbitrary.
    pub open: Vec<Slot>,
}

/// An edge, ready to be taken.
pub(super) struct Step {
    pub edge: EdgeId,
    pub to: Loc,
    pub kind: Kind,
    /// Where the live values at `to` come from.
    pub sources: Vec<Source>,
}

pub(super) enum Kind {
    /// A condition.
    Assume(Code),
    /// The values of the live left-hand sides.
    Assign(Code),
    /// The sorts of the live variables that take any value.
    Havoc(Vec<Sort>),
    /// The arguments of the callee's live parameters.
    /// `input` says where the callee's recorded input comes from.
    Call { callee: ProcId, args: Code, input: Vec<Source> },
}

/// Where a value of the next state comes from.
#[derive(Clone, Copy, Debug)]
pub(super) enum Source {
    /// From a slot of the state before.
    Keep(Slot),
    /// From the step: the n-th computed or chosen value. After a return: the callee's slot.
    New(usize),
}

impl Layout {
    pub fn new(terms: &Terms, program: &Program) -> Result<Layout, Reason> {
        let liveness = Liveness::new(terms, program);
        let mut slots: FxHashMap<Var, Slot> = FxHashMap::default();
        let mut procs = Vec::new();
        let mut is_called = vec![false; program.procs.len()];
        for (_, edge) in program.edges() {
            if let Op::Call { callee, .. } = &edge.op {
                is_called[callee.index()] = true;
            }
        }
        for (id, proc) in program.procs() {
            let scope: Vec<Var> = program.globals.iter().copied().chain(proc.vars()).collect();
            slots.extend(scope.iter().copied().zip(0..));
            let sorts = scope.iter().map(|var| terms.var_sort(*var).clone()).collect();
            let is_called = is_called[id.index()];
            let given = if is_called { program.globals.len() + proc.params.len() } else { 0 };
            let live = liveness.live(proc.entry).map(|var| slots[&var]);
            let (input, open) = live.partition(|slot| *slot < given);
            procs.push(ProcLayout { scope, sorts, is_called, input, open });
        }
        let mut owner = vec![program.main; program.locs.len()];
        for (id, proc) in program.procs() {
            owner[proc.entry.index()] = id;
            owner[proc.exit.index()] = id;
        }
        for (id, edge) in program.edges() {
            owner[edge.from.index()] = id.proc;
            owner[edge.to.index()] = id.proc;
        }
        let places: Vec<Vec<Slot>> =
            (0..program.locs.len()).map(|loc| liveness.live(Loc::new(loc)).map(|var| slots[&var]).collect()).collect();
        for (place, proc) in places.iter().zip(&owner) {
            storable(terms, &procs[proc.index()], place)?;
        }
        let mut layout = Layout { procs, places, steps: Vec::new(), owner, liveness };
        layout.steps.resize_with(program.locs.len(), Vec::new);
        for (id, edge) in program.edges() {
            let (kind, sources) = layout.compile(terms, program, &slots, id);
            layout.steps[edge.from.index()].push(Step { edge: id, to: edge.to, kind, sources });
        }
        Ok(layout)
    }

    fn compile(
        &self,
        terms: &Terms,
        program: &Program,
        slots: &FxHashMap<Var, Slot>,
        id: EdgeId,
    ) -> (Kind, Vec<Source>) {
        let edge = program.edge(id);
        let after = &self.places[edge.to.index()];
        let code = |roots: &[Term]| Code::new(terms, roots, |var| slots[&var]);
        // The live slots of the next state, with `written` ones taken from the step.
        let sources = |written: &[Slot]| -> Vec<Source> {
            let from = |slot: &Slot| written.iter().position(|w| w == slot).map_or(Source::Keep(*slot), Source::New);
            after.iter().map(from).collect()
        };
        match &edge.op {
            Op::Assume(condition) => (Kind::Assume(code(&[*condition])), sources(&[])),
            Op::Assign(pairs) => {
                let live: Vec<(Slot, Term)> = pairs
                    .iter()
                    .map(|(var, term)| (slots[var], *term))
                    .filter(|(slot, _)| after.contains(slot))
                    .collect();
                let (written, values): (Vec<Slot>, Vec<Term>) = live.into_iter().unzip();
                (Kind::Assign(code(&values)), sources(&written))
            }
            Op::Havoc(vars) => {
                let written: Vec<Slot> =
                    vars.iter().map(|var| slots[var]).filter(|slot| after.contains(slot)).collect();
                let sorts = written.iter().map(|slot| self.procs[id.proc.index()].sorts[*slot].clone()).collect();
                (Kind::Havoc(sorts), sources(&written))
            }
            Op::Call { callee, args, results } => {
                let globals = program.globals.len();
                let (proc, target) = (&self.procs[callee.index()], program.proc(*callee));
                let mut values = Vec::new();
                let mut input = Vec::new();
                for slot in &proc.input {
                    input.push(match slot.checked_sub(globals) {
                        None => Source::Keep(*slot),
                        Some(param) => {
                            values.push(args[param]);
                            Source::New(values.len() - 1)
                        }
                    });
                }
                let back = |slot: &Slot| {
                    let result = results.iter().position(|var| slots[var] == *slot);
                    match result {
                        Some(at) => Source::New(globals + target.params.len() + at),
                        None if *slot < globals && self.liveness.modifies(*callee, proc.scope[*slot]) => {
                            Source::New(*slot)
                        }
                        None => Source::Keep(*slot),
                    }
                };
                let sources = after.iter().map(back).collect();
                (Kind::Call { callee: *callee, args: code(&values), input }, sources)
            }
        }
    }

    /// Unpacks a state at `loc` into the slots of its procedure.
    pub fn unpack(&self, loc: Loc, words: &[u64], values: &mut Vec<Value>) {
        let proc = &self.procs[self.owner[loc.index()].index()];
        unpack(proc, &self.places[loc.index()], words, values);
    }

    /// Unpacks the recorded input of an entry of `proc`.
    pub fn unpack_input(&self, proc: ProcId, words: &[u64], values: &mut Vec<Value>) {
        let proc = &self.procs[proc.index()];
        unpack(proc, &proc.input, words, values);
    }
}

fn unpack(proc: &ProcLayout, slots: &[Slot], words: &[u64], values: &mut Vec<Value>) {
    values.resize(proc.scope.len(), Value::Bool(false));
    let mut reader = BitReader::new(words);
    for slot in slots {
        values[*slot] = reader.read(&proc.sorts[*slot]);
    }
}

/// Whether states of these variables can be stored.
fn storable(terms: &Terms, proc: &ProcLayout, place: &[Slot]) -> Result<(), Reason> {
    let mut total = 0_u64;
    for slot in place {
        let var = proc.scope[*slot];
        let bits = proc.sorts[*slot].bits().filter(|_| proc.sorts[*slot].is_finite());
        let Some(bits) = bits else {
            return Err(Reason::Unsupported(format!("variable {} of sort {}", terms.name(var), terms.var_sort(var))));
        };
        total = total.saturating_add(bits);
    }
    if total > MAX_STATE_BITS {
        return Err(Reason::Unsupported(format!("states of {total} bits")));
    }
    Ok(())
}

/// Packs values picked by `sources` from the state before and from what the step made.
pub(super) fn pack<'v>(words: &mut Vec<u64>, sources: &[Source], old: &'v [Value], new: impl Fn(usize) -> &'v Value) {
    let mut writer = BitWriter::new(words);
    for source in sources {
        writer.write(match source {
            Source::Keep(slot) => &old[*slot],
            Source::New(at) => new(*at),
        });
    }
}
