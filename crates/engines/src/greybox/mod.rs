//! Greybox fuzzing: concrete runs with guessed inputs: finds errors, never proves that there are none.
//!
//! A run is decided by its *genes*: one number for every input and for every branch with several
//! open edges. Runs that saw something new are kept, and others are bred from them by changing a
//! gene or two, as fuzzers do (Zalewski, american fuzzy lop, 2013); those that came near the error
//! go first (Böhme, Pham, Nguyen, Roychoudhury, Directed Greybox Fuzzing, CCS 2017). New genes
//! come from a pool of the program's own constants, because inputs are mostly compared with them.
//!
//! Files in order of reading: `machine` (runs a program quickly), `pool` (guesses), `guide` (what
//! is new, what is near), this file (the search).

mod guide;
mod machine;
mod pool;

use fastrand::Rng;
use guide::{Coverage, distances};
use machine::{End, Genes, Machine};
use pool::Pool;
use tamis_cegar::{Context, Outcome, Progress, Stop};
use tamis_ir::{Interpreter, Program, PropertyId};
use tamis_witness::{Reason, Verdict};

/// Runs repeat exactly.
const SEED: u64 = 0x7461_6d69;

/// How many steps a run may take at first. The bound doubles round by round.
const STEPS: u64 = 1_000;

/// The largest bound of steps.
const MOST_STEPS: u64 = 1 << 26;

/// How many runs make a round.
const ROUND: u32 = 256;

/// How many rounds without anything new end a search without a time limit.
const PATIENCE: u32 = 24;

/// How many steps end a search without a time limit.
const TOTAL: u64 = 20_000_000;

/// How many runs are kept to breed from.
const KEPT: usize = 200;

/// A run worth keeping.
struct Parent {
    genes: Vec<u64>,
    /// How near it came to an error.
    distance: u32,
}

/// Runs the program until an error is reached or the budget is used up. Without a time limit the
/// search ends when runs show nothing new any more.
///
/// # Errors
/// If it gives up: nothing was found within the bound on the steps of a run, or a limit was reached.
pub fn run(ctx: &mut Context, program: &Program, property: PropertyId) -> Outcome<Verdict> {
    let distances = distances(program, &program.property(property).locs);
    let pool = Pool::new(&ctx.terms, program);
    let mut search = Search {
        machine: Machine::new(&mut ctx.terms, program, &distances),
        pool,
        rng: Rng::with_seed(SEED),
        coverage: Coverage::new(),
        parents: Vec::new(),
    };
    let found = search.search(ctx)?;
    let (start, actions) = search.machine.record(&found);
    let trace = Interpreter::new(&ctx.terms, program).record(start, actions);
    trace
        .map(Verdict::Unsafe)
        .map_err(|(at, why)| Stop::refused(&format!("step {at} of a run cannot be repeated"), &why))
}

struct Search<'p> {
    machine: Machine<'p>,
    pool: Pool,
    rng: Rng,
    coverage: Coverage,
    parents: Vec<Parent>,
}

impl Search<'_> {
    /// The genes of a run into an error.
    fn search(&mut self, ctx: &mut Context) -> Outcome<Vec<u64>> {
        let watch = ctx.budget.watch();
        let (mut limit, mut idle) = (STEPS, 0);
        loop {
            let (mut news, mut long) = (false, false);
            for _ in 0..ROUND {
                let genes = self.breed();
                let mut genes = Genes::new(genes, &mut self.rng, &self.pool);
                let end = self.machine.run(&mut genes, &mut self.coverage, limit, &watch.stop);
                let (genes, distance) = (genes.used(), self.machine.nearest());
                ctx.statistics.states += self.machine.steps();
                match end {
                    End::Error => return Ok(genes),
                    End::Stopped => return Err(watch.reason().unwrap_or(Reason::Interrupted).into()),
                    End::Limit => {
                        long = true;
                        // Nothing was chosen, so every run goes on like this one.
                        if genes.is_empty() {
                            break;
                        }
                    }
                    // Nothing was chosen, so every run is this one.
                    End::Over | End::Long if genes.is_empty() => {
                        return Err(Reason::Bounded(self.machine.steps()).into());
                    }
                    End::Over | End::Long => {}
                }
                if self.coverage.is_new() {
                    news = true;
                    self.keep(Parent { genes, distance });
                }
            }
            ctx.budget.check()?;
            ctx.budget.check_states(ctx.statistics.states)?;
            ctx.observer.tell(&Progress { statistics: ctx.statistics, ..Progress::default() });
            idle = if news { 0 } else { idle + 1 };
            let tired = idle >= PATIENCE || ctx.statistics.states > TOTAL;
            if tired && ctx.budget.deadline.is_none() {
                return Err(Reason::Bounded(limit).into());
            }
            if long && limit < MOST_STEPS {
                limit *= 2;
            }
        }
    }

    /// Keeps a run; when there are too many, the farthest goes.
    fn keep(&mut self, parent: Parent) {
        let at = self.parents.partition_point(|other| other.distance < parent.distance);
        self.parents.insert(at, parent);
        self.parents.truncate(KEPT);
    }

    /// Genes to start a run with; the run adds what is missing.
    fn breed(&mut self) -> Vec<u64> {
        if self.parents.is_empty() || self.rng.u32(0..8) == 0 {
            return Vec::new();
        }
        // The smallest of three random numbers: near ones are chosen more often.
        let count = self.parents.len();
        let at = (0..3).map(|_| self.rng.usize(0..count)).min().unwrap_or(0);
        let mut genes = self.parents[at].genes.clone();
        for _ in 0..1 << (self.rng.u32(0..6) / 2) {
            self.mutate(&mut genes);
        }
        genes
    }

    fn mutate(&mut self, genes: &mut Vec<u64>) {
        if genes.is_empty() {
            return;
        }
        // The last choices decided how far the run came: change them more often than others.
        let last = genes.len().saturating_sub(1 << self.rng.u32(0..3));
        let first = if self.rng.bool() { last } else { 0 };
        let at = self.rng.usize(first..genes.len());
        match self.rng.u32(0..10) {
            0 => genes.truncate(at),
            1 => genes[at] = genes[at].wrapping_add(1),
            2 => genes[at] = genes[at].wrapping_sub(1),
            3 => genes[at] ^= 1 << self.rng.u32(0..64),
            4 => {
                let other = self.rng.usize(0..genes.len());
                genes[at] = genes[other];
            }
            5 => {
                // Another run goes on from here.
                let other = &self.parents[self.rng.usize(0..self.parents.len())].genes;
                genes.truncate(at);
                genes.extend(other.iter().skip(at));
            }
            _ => genes[at] = self.pool.guess(&mut self.rng),
        }
    }
}
