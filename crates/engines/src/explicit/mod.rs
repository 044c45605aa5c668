//! Explicit pushdown saturation: exact verdicts for finite-state programs with unbounded
//! recursion, by procedure summaries over single states (the functional approach of Sharir
//! and Pnueli, as tabulated by Reps, Horwitz and Sagiv, POPL 1995).
//!
//! A *path edge* says: from this entry of its procedure, this location can be reached in
//! this state. When a path edge reaches a procedure's exit, it is a *summary*, and every
//! call that waits for that entry goes on behind the call. Recursion needs no bound.
//!
//! Path edges are processed in the order of the shortest run of the whole program that they
//! stand for (Knuth's generalisation of Dijkstra's algorithm): the length at which the
//! entry is first called, plus the length since. Lengths only grow along calls and returns,
//! so what is processed first is shortest, and so is the first error found.
//!
//! States are stored without their dead variables. If saturation ends without an error, the
//! path edges are an inductive invariant, and the summaries prove the calls.
//!
//! Files: `layout` (states as bits, edges as code), `table` (path edges, stored once),
//! this file (saturation), `trace` (from an error back to the start), `proof` and `region`
//! (from sets of states to formulas).

mod layout;
mod proof;
mod region;
mod table;
mod trace;

use layout::{Kind, Layout, Step, pack};
use std::collections::BTreeMap;
use table::{EntryId, How, MAX_PATHS, PathId, Table};
use tamis_cegar::{Context, Outcome, Progress, Stop};
use tamis_ir::{EdgeId, Program, PropertyId};
use tamis_term::pack::{BitReader, BitWriter};
use tamis_term::{Sort, Value};
use tamis_witness::{Reason, Resource, Verdict};

/// How many path edges are made or processed between two looks at the budget.
const POLL: u64 = 1 << 10;

/// How many path edges are processed between two reports of progress.
const TELL: u64 = 1 << 16;

/// Answers the question exactly, or gives up when the budget is used up.
///
/// # Errors
/// If it gives up, or if a trace that it found does not run (a bug).
pub fn run(ctx: &mut Context, program: &Program, property: PropertyId) -> Outcome<Verdict> {
    match run_outlined(ctx, program, property, u64::MAX)? {
        Found::Verdict(verdict) => Ok(verdict),
        Found::Outline(_) => Err(Stop::Failed("no run is that long".into())),
    }
}

/// What was found.
#[derive(Debug)]
pub enum Found {
    /// An answer with all its evidence.
    Verdict(Verdict),
    /// A run into an error that is too long to be told: what happens in the calls that returned
    /// is left out.
    Outline(Vec<Outlined>),
}

/// A step of an outline.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Outlined {
    /// An edge is taken; a call does not return.
    Take(EdgeId),
    /// A call is made and returns.
    Skip(EdgeId),
}

/// The same, with an outline instead of a run that is longer than `longest`.
///
/// # Errors
/// If it gives up, or if a trace that it found does not run (a bug).
pub fn run_outlined(ctx: &mut Context, program: &Program, property: PropertyId, longest: u64) -> Outcome<Found> {
    let layout = Layout::new(&ctx.terms, program)?;
    let mut search = Search::new(ctx, program, &layout, property);
    let result = search.saturate();
    let table = search.table;
    ctx.statistics.states = table.len();
    let verdict = match result? {
        Some(error) if table.length(error) > longest => {
            return Ok(Found::Outline(trace::outline(&layout, &table, error)));
        }
        Some(error) => trace::extract(ctx, program, &layout, &table, error).map(Verdict::Unsafe)?,
        None => proof::build(ctx, program, &layout, &table).map(Verdict::Safe)?,
    };
    Ok(Found::Verdict(verdict))
}

struct Search<'s> {
    ctx: &'s mut Context,
    program: &'s Program,
    layout: &'s Layout,
    /// By location: whether it is an error.
    error: Vec<bool>,
    table: Table,
    /// Path edges to process, by the length of the run that they stand for.
    queue: BTreeMap<u64, Vec<PathId>>,
    waiting: u64,
    /// Counts towards the next look at the budget.
    made: u64,
    /// The state in hand, the state on the other side of a call, and room for computing.
    values: Vec<Value>,
    other: Vec<Value>,
    scratch: Vec<Value>,
}

impl<'s> Search<'s> {
    fn new(ctx: &'s mut Context, program: &'s Program, layout: &'s Layout, property: PropertyId) -> Search<'s> {
        let mut error = vec![false; program.locs.len()];
        for loc in &program.property(property).locs {
            error[loc.index()] = true;
        }
        Search {
            ctx,
            program,
            layout,
            error,
            table: Table::new(),
            queue: BTreeMap::new(),
            waiting: 0,
            made: 0,
            values: Vec::new(),
            other: Vec::new(),
            scratch: Vec::new(),
        }
    }

    /// Processes path edges until an error is reached or nothing is left.
    fn saturate(&mut self) -> Outcome<Option<PathId>> {
        self.start()?;
        let mut processed = 0_u64;
        while let Some((length, path)) = self.dequeue() {
            if processed.is_multiple_of(TELL) {
                let mut statistics = self.ctx.statistics;
                statistics.states = self.table.len();
                self.ctx.observer.tell(&Progress { statistics, frontier: self.waiting, counterexample: Some(length) });
            }
            processed += 1;
            self.poll()?;
            if self.error[self.table.path(path).loc.index()] {
                return Ok(Some(path));
            }
            self.process(path)?;
        }
        Ok(None)
    }

    fn dequeue(&mut self) -> Option<(u64, PathId)> {
        loop {
            let mut bucket = self.queue.first_entry()?;
            let length = *bucket.key();
            let Some(id) = bucket.get_mut().pop() else {
                bucket.remove();
                continue;
            };
            self.waiting -= 1;
            let path = *self.table.path(id);
            // A path edge is queued again when it gets shorter; the older place is stale.
            if !path.done && self.table.length(id) == length {
                self.table.path_mut(id).done = true;
                return Some((length, id));
            }
        }
    }

    fn poll(&mut self) -> Result<(), Reason> {
        self.made += 1;
        if self.made.is_multiple_of(POLL) {
            self.ctx.budget.check()?;
        }
        if self.table.len() >= MAX_PATHS {
            return Err(Reason::OutOfBudget(Resource::States));
        }
        self.ctx.budget.check_states(self.table.len())
    }

    /// Enters main with every input.
    fn start(&mut self) -> Outcome<()> {
        let main = self.program.main;
        let layout = &self.layout.procs[main.index()];
        let sorts: Vec<Sort> = layout.input.iter().map(|slot| layout.sorts[*slot].clone()).collect();
        for code in 0..combinations(&sorts)? {
            let chosen = decode(&sorts, code);
            let (entry, _) = self.table.enter(main, 0, |words| {
                let mut writer = BitWriter::new(words);
                for value in &chosen {
                    writer.write(value);
                }
            });
            self.open(entry)?;
        }
        Ok(())
    }

    /// The path edges with which a new entry starts: one for each value of the variables
    /// that a call leaves open.
    fn open(&mut self, entry: EntryId) -> Outcome<()> {
        let proc = self.table.entry(entry).proc;
        let layout = &self.layout.procs[proc.index()];
        let loc = self.program.proc(proc).entry;
        let sorts: Vec<Sort> = layout.open.iter().map(|slot| layout.sorts[*slot].clone()).collect();
        let mut values = Vec::new();
        self.layout.unpack_input(proc, self.table.input(entry), &mut values);
        for code in 0..combinations(&sorts)? {
            for (slot, value) in layout.open.iter().zip(decode(&sorts, code)) {
                values[*slot] = value;
            }
            let found = self.table.reach(entry, loc, 0, How::Start, |words| {
                let mut writer = BitWriter::new(words);
                for slot in &self.layout.places[loc.index()] {
                    writer.write(&values[*slot]);
                }
            });
            self.enqueue(found);
            self.poll()?;
        }
        Ok(())
    }

    fn enqueue(&mut self, found: Option<PathId>) {
        if let Some(id) = found {
            let length = self.table.length(id);
            self.queue.entry(length).or_default().push(id);
            self.waiting += 1;
        }
    }

    /// Takes every edge from a path edge; at an exit, goes on with every caller.
    fn process(&mut self, id: PathId) -> Outcome<()> {
        let layout = self.layout;
        let (loc, entry) = (self.table.path(id).loc, self.table.path(id).entry);
        let mut values = std::mem::take(&mut self.values);
        layout.unpack(loc, self.table.state(id), &mut values);
        for step in &layout.steps[loc.index()] {
            self.take(id, step, &values)?;
        }
        if loc == self.program.proc(self.table.entry(entry).proc).exit {
            self.table.entry_mut(entry).exits.push(id);
            for at in 0..self.table.entry(entry).callers.len() {
                let (caller, edge) = self.table.entry(entry).callers[at];
                let mut frozen = std::mem::take(&mut self.other);
                let from = self.table.path(caller).loc;
                layout.unpack(from, self.table.state(caller), &mut frozen);
                let step = layout.steps[from.index()].iter().find(|step| step.edge.index == edge);
                self.resume(caller, step.expect("the edge of the call"), &frozen, id, &values)?;
                self.other = frozen;
            }
        }
        self.values = values;
        Ok(())
    }

    fn take(&mut self, from: PathId, step: &Step, values: &[Value]) -> Outcome<()> {
        let path = *self.table.path(from);
        let (length, how) = (path.length.saturating_add(1), How::Edge { from, edge: step.edge.index });
        let mut scratch = std::mem::take(&mut self.scratch);
        match &step.kind {
            Kind::Assume(condition) => {
                condition.run(values, &mut scratch);
                if condition.result(0, &scratch).as_bool() {
                    let found = self.table.reach(path.entry, step.to, length, how, |words| {
                        pack(words, &step.sources, values, |_| unreachable!("a condition makes no values"));
                    });
                    self.enqueue(found);
                }
            }
            Kind::Assign(code) => {
                code.run(values, &mut scratch);
                let found = self.table.reach(path.entry, step.to, length, how, |words| {
                    pack(words, &step.sources, values, |at| code.result(at, &scratch));
                });
                self.enqueue(found);
            }
            Kind::Havoc(sorts) => {
                for code in 0..combinations(sorts)? {
                    let chosen = decode(sorts, code);
                    let found = self.table.reach(path.entry, step.to, length, how, |words| {
                        pack(words, &step.sources, values, |at| &chosen[at]);
                    });
                    self.enqueue(found);
                    self.poll()?;
                }
            }
            Kind::Call { callee, args, input } => {
                args.run(values, &mut scratch);
                let start = self.table.entry(path.entry).length.saturating_add(length);
                let (entry, new) = self.table.enter(*callee, start, |words| {
                    pack(words, input, values, |at| args.result(at, &scratch));
                });
                if new {
                    self.open(entry)?;
                }
                self.table.entry_mut(entry).callers.push((from, step.edge.index));
                for at in 0..self.table.entry(entry).exits.len() {
                    let exit = self.table.entry(entry).exits[at];
                    let mut returned = std::mem::take(&mut self.other);
                    self.layout.unpack(self.table.path(exit).loc, self.table.state(exit), &mut returned);
                    self.resume(from, step, values, exit, &returned)?;
                    self.other = returned;
                }
            }
        }
        self.scratch = scratch;
        Ok(())
    }

    /// Joins a call with a summary of its callee.
    fn resume(
        &mut self,
        caller: PathId,
        step: &Step,
        frozen: &[Value],
        exit: PathId,
        returned: &[Value],
    ) -> Outcome<()> {
        let path = *self.table.path(caller);
        // One step for the call, one for the return.
        let length = path.length.saturating_add(self.table.path(exit).length).saturating_add(2);
        let how = How::Return { caller, edge: step.edge.index, exit };
        let found = self.table.reach(path.entry, step.to, length, how, |words| {
            pack(words, &step.sources, frozen, |slot| &returned[slot]);
        });
        self.enqueue(found);
        Ok(self.poll()?)
    }
}

/// How many valuations variables of these sorts have.
fn combinations(sorts: &[Sort]) -> Result<u64, Reason> {
    let bits = sorts.iter().map(Sort::bits).try_fold(0_u64, |sum, bits| sum.checked_add(bits?));
    match bits {
        Some(bits) if bits <= 32 => Ok(1 << bits),
        Some(_) | None => Err(Reason::OutOfBudget(Resource::States)),
    }
}

/// The valuation of that number.
fn decode(sorts: &[Sort], code: u64) -> Vec<Value> {
    let words = [code];
    let mut reader = BitReader::new(&words);
    sorts.iter().map(|sort| reader.read(sort)).collect()
}
