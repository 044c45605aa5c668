//! Which variables matter where: what procedures modify, and strong liveness across calls.
//!
//! A variable is live at a location if its value there may still influence whether some
//! condition holds later. Engines that store states drop the others: two states that agree
//! on the live variables have the same future.
//!
//! The analysis is strong (what is assigned to a dead variable keeps nothing alive) and
//! context-insensitive (after a return, the caller's demand is that of all callers). A
//! global that a callee does not modify stays with the caller during the call, so it is
//! live inside the callee only if the callee reads it.

use crate::program::{EdgeId, Loc, Op, ProcId, Program};
use rustc_hash::FxHashMap;
use tamis_term::{Term, Terms, Var};

/// A set of small numbers.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
struct Bits(Vec<u64>);

impl Bits {
    fn with_room(count: usize) -> Bits {
        Bits(vec![0; count.div_ceil(64)])
    }

    fn insert(&mut self, at: usize) -> bool {
        let (word, bit) = (at / 64, 1 << (at % 64));
        let new = self.0[word] & bit == 0;
        self.0[word] |= bit;
        new
    }

    fn extend<'a>(&mut self, more: impl IntoIterator<Item = &'a usize>) {
        for at in more {
            self.insert(*at);
        }
    }

    fn remove<'a>(&mut self, less: impl IntoIterator<Item = &'a usize>) {
        for at in less {
            self.0[at / 64] &= !(1 << (at % 64));
        }
    }

    fn contains(&self, at: usize) -> bool {
        self.0[at / 64] >> (at % 64) & 1 == 1
    }

    fn iter(&self) -> impl Iterator<Item = usize> {
        self.0.iter().enumerate().flat_map(|(word, bits)| {
            let without_lowest = |rest: &u64| Some(rest & rest.wrapping_sub(1));
            let rests = std::iter::successors(Some(*bits), without_lowest).take_while(|rest| *rest != 0);
            rests.map(move |rest| word * 64 + rest.trailing_zeros() as usize)
        })
    }

    fn union(&mut self, other: &Bits) -> bool {
        let mut grown = false;
        for (word, more) in self.0.iter_mut().zip(&other.0) {
            grown |= *more & !*word != 0;
            *word |= more;
        }
        grown
    }
}

/// What is live at each location, and what each procedure modifies.
#[derive(Clone, Debug)]
pub struct Liveness {
    globals: usize,
    /// By procedure: the globals, then its variables. Sets hold positions in this list.
    scopes: Vec<Vec<Var>>,
    /// By procedure: the globals that it or a procedure that it calls may write.
    modified: Vec<Bits>,
    /// By location.
    live: Vec<Bits>,
    /// By location: the procedure that it belongs to.
    owner: Vec<Option<ProcId>>,
}

impl Liveness {
    /// Analyses a valid program.
    #[must_use]
    pub fn new(terms: &Terms, program: &Program) -> Liveness {
        Solver::new(terms, program).solve()
    }

    /// The live variables at a location: globals first, then the procedure's.
    pub fn live(&self, loc: Loc) -> impl Iterator<Item = Var> {
        let scope = self.owner[loc.index()].map(|proc| &self.scopes[proc.index()]);
        self.live[loc.index()].iter().filter_map(move |at| scope.map(|vars| vars[at]))
    }

    /// Whether the procedure, or one that it calls, may write the global.
    #[must_use]
    pub fn modifies(&self, proc: ProcId, global: Var) -> bool {
        let at = self.scopes[proc.index()][..self.globals].iter().position(|var| *var == global);
        at.is_some_and(|at| self.modified[proc.index()].contains(at))
    }

    /// The globals that neither the procedure nor one that it calls writes.
    pub fn untouched(&self, proc: ProcId) -> impl Iterator<Item = Var> {
        let modified = &self.modified[proc.index()];
        self.scopes[proc.index()][..self.globals]
            .iter()
            .enumerate()
            .filter(|(at, _)| !modified.contains(*at))
            .map(|(_, v)| *v)
    }
}

/// An edge with the positions of the variables it reads and writes.
struct Flow {
    from: Loc,
    to: Loc,
    kind: Kind,
}

enum Kind {
    Assume(Vec<usize>),
    /// Each written position with the positions that its right-hand side reads.
    Write(Vec<(usize, Vec<usize>)>),
    Call {
        callee: ProcId,
        /// By parameter: the positions that its argument reads.
        args: Vec<Vec<usize>>,
        /// By result: the position of the variable that takes it.
        results: Vec<usize>,
    },
}

struct Solver<'p> {
    program: &'p Program,
    flows: Vec<Flow>,
    /// By location: the flows to look at again when its set grows.
    watch: Vec<Vec<usize>>,
    state: Liveness,
}

impl<'p> Solver<'p> {
    fn new(terms: &Terms, program: &'p Program) -> Solver<'p> {
        let scopes: Vec<Vec<Var>> =
            program.procs.iter().map(|proc| program.globals.iter().copied().chain(proc.vars()).collect()).collect();
        let mut position: FxHashMap<Var, usize> = FxHashMap::default();
        for scope in &scopes {
            position.extend(scope.iter().copied().zip(0..));
        }
        let reads = |term: Term| -> Vec<usize> { terms.free_vars(&[term]).iter().map(|var| position[var]).collect() };
        let mut owner = vec![None; program.locs.len()];
        for (id, proc) in program.procs() {
            owner[proc.entry.index()] = Some(id);
            owner[proc.exit.index()] = Some(id);
        }
        let mut flows = Vec::new();
        let mut watch: Vec<Vec<usize>> = vec![Vec::new(); program.locs.len()];
        for (EdgeId { proc, .. }, edge) in program.edges() {
            owner[edge.from.index()] = Some(proc);
            owner[edge.to.index()] = Some(proc);
            let kind = match &edge.op {
                Op::Assume(condition) => Kind::Assume(reads(*condition)),
                Op::Assign(pairs) => {
                    Kind::Write(pairs.iter().map(|(var, term)| (position[var], reads(*term))).collect())
                }
                Op::Havoc(vars) => Kind::Write(vars.iter().map(|var| (position[var], Vec::new())).collect()),
                Op::Call { callee, args, results } => {
                    watch[program.proc(*callee).entry.index()].push(flows.len());
                    Kind::Call {
                        callee: *callee,
                        args: args.iter().map(|arg| reads(*arg)).collect(),
                        results: results.iter().map(|var| position[var]).collect(),
                    }
                }
            };
            watch[edge.to.index()].push(flows.len());
            flows.push(Flow { from: edge.from, to: edge.to, kind });
        }
        let live = owner
            .iter()
            .map(|proc| proc.map_or_else(Bits::default, |p: ProcId| Bits::with_room(scopes[p.index()].len())))
            .collect();
        let globals = program.globals.len();
        let modified = vec![Bits::with_room(globals); program.procs.len()];
        Solver { program, flows, watch, state: Liveness { globals, scopes, modified, live, owner } }
    }

    fn solve(mut self) -> Liveness {
        self.modified();
        let mut queue: Vec<usize> = (0..self.flows.len()).collect();
        let mut queued = vec![true; self.flows.len()];
        while let Some(at) = queue.pop() {
            queued[at] = false;
            for loc in self.transfer(at) {
                for flow in &self.watch[loc.index()] {
                    if !std::mem::replace(&mut queued[*flow], true) {
                        queue.push(*flow);
                    }
                }
            }
        }
        self.state
    }

    /// The least solution of: a procedure modifies what its edges write and what its callees modify.
    fn modified(&mut self) {
        let globals = self.state.globals;
        let mut callers: Vec<Vec<ProcId>> = vec![Vec::new(); self.program.procs.len()];
        for flow in &self.flows {
            let Some(proc) = self.state.owner[flow.from.index()] else { continue };
            let modified = &mut self.state.modified[proc.index()];
            let mut write = |at: &usize| {
                if *at < globals {
                    modified.insert(*at);
                }
            };
            match &flow.kind {
                Kind::Assume(_) => {}
                Kind::Write(pairs) => pairs.iter().for_each(|(at, _)| write(at)),
                Kind::Call { callee, results, .. } => {
                    results.iter().for_each(&mut write);
                    callers[callee.index()].push(proc);
                }
            }
        }
        let mut queue: Vec<ProcId> = (0..self.program.procs.len()).map(ProcId::new).collect();
        while let Some(callee) = queue.pop() {
            let effect = self.state.modified[callee.index()].clone();
            for caller in &callers[callee.index()] {
                if self.state.modified[caller.index()].union(&effect) {
                    queue.push(*caller);
                }
            }
        }
    }

    /// Carries the demand at the end of an edge to its start. Returns the locations whose
    /// sets grew.
    fn transfer(&mut self, at: usize) -> Vec<Loc> {
        let (flow, program) = (&self.flows[at], self.program);
        let state = &mut self.state;
        let mut demand = state.live[flow.to.index()].clone();
        let mut grown = Vec::new();
        match &flow.kind {
            Kind::Assume(reads) => demand.extend(reads),
            Kind::Write(pairs) => {
                let after = demand.clone();
                demand.remove(pairs.iter().map(|(at, _)| at));
                demand.extend(pairs.iter().filter(|(at, _)| after.contains(*at)).flat_map(|(_, reads)| reads));
            }
            Kind::Call { callee, args, results } => {
                let (proc, after) = (program.proc(*callee), demand.clone());
                demand.remove(results);
                let modified = &state.modified[callee.index()];
                // What the callee must deliver: results that are wanted, and globals it modifies.
                let (globals, exit) = (state.globals, &mut state.live[proc.exit.index()]);
                let mut wants = false;
                for (result, at) in results.iter().enumerate() {
                    wants |= after.contains(*at) && exit.insert(globals + proc.params.len() + result);
                }
                for at in modified.iter().filter(|at| demand.contains(*at)).collect::<Vec<_>>() {
                    wants |= exit.insert(at);
                    demand.remove(&[at]);
                }
                if wants {
                    grown.push(proc.exit);
                }
                // What the callee needs: globals, and arguments for the parameters it reads.
                for at in state.live[proc.entry.index()].iter().collect::<Vec<_>>() {
                    if at < globals {
                        demand.insert(at);
                    } else if let Some(reads) = args.get(at - globals) {
                        demand.extend(reads);
                    }
                }
            }
        }
        if state.live[flow.from.index()].union(&demand) {
            grown.push(flow.from);
        }
        grown
    }
}
