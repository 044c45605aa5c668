//! Random small pushdown systems, written as programs: relations are sets of few tuples,
//! which have no structure that an engine could be lucky with. A system is a function of its
//! seed.
//!
//! Dense relations make everything reachable in the first abstraction and test nothing, so
//! most relations have one or two tuples, and errors are guarded by single ones.

use fastrand::Rng;
use tamis_ir::{Loc, Op, ProcId, Program, Property, Span};
use tamis_term::{Sort, Term, Terms, Var};

/// The system of a seed. Its property `error` is guarded; `targets` further properties,
/// called `target0`, `target1`, …, ask for random sets of locations.
#[must_use]
pub fn system(terms: &mut Terms, seed: u64, targets: usize) -> Program {
    let mut rng = Rng::with_seed(seed);
    let (global_bits, local_bits) = (rng.u32(0..=3), rng.u32(0..=3));
    let mut generator = Generator {
        program: Program::new(std::sync::Arc::default()),
        frames: Vec::new(),
        locs: Vec::new(),
        global: (global_bits > 0).then(|| terms.declare("g", Sort::BitVec(global_bits))),
        local_bits,
        global_bits,
        rng,
        terms,
    };
    generator.declare();
    generator.rules();
    generator.errors(targets);
    generator.program
}

/// The variables of a procedure: its local, and the next values of what rules change.
#[derive(Clone, Copy)]
struct Frame {
    local: Option<Var>,
    next_global: Option<Var>,
    next_local: Option<Var>,
    handed: Option<Var>,
}

struct Generator<'t> {
    rng: Rng,
    terms: &'t mut Terms,
    program: Program,
    global: Option<Var>,
    global_bits: u32,
    local_bits: u32,
    frames: Vec<Frame>,
    /// By procedure: its locations, the entry first.
    locs: Vec<Vec<Loc>>,
}

impl Generator<'_> {
    fn declare(&mut self) {
        self.program.globals = self.global.into_iter().collect();
        for at in 0..self.rng.usize(1..=3) {
            let name = ["main", "f", "h"][at];
            let id = self.program.add_proc(name, Span::default());
            let var = |terms: &mut Terms, what: &str, bits: u32| {
                (bits > 0).then(|| terms.declare(&format!("{name}::{what}"), Sort::BitVec(bits)))
            };
            let frame = Frame {
                local: var(self.terms, "x", self.local_bits),
                next_global: var(self.terms, "g1", self.global_bits),
                next_local: var(self.terms, "x1", self.local_bits),
                handed: var(self.terms, "y1", self.local_bits),
            };
            let proc = &mut self.program.procs[id.index()];
            let others = [frame.next_global, frame.next_local, frame.handed].into_iter().flatten();
            if at == 0 {
                proc.locals = frame.local.into_iter().chain(others).collect();
            } else {
                proc.params = frame.local.into_iter().collect();
                proc.locals = others.collect();
            }
            let entry = proc.entry;
            let mut locs = vec![entry];
            for _ in 1..self.rng.usize(2..=4) {
                locs.push(self.program.add_loc(Span::default()));
            }
            self.frames.push(frame);
            self.locs.push(locs);
        }
    }

    fn rules(&mut self) {
        let locations: usize = self.locs.iter().map(Vec::len).sum();
        for _ in 0..2 * locations + self.rng.usize(0..=5) {
            let proc = self.rng.usize(0..self.locs.len());
            let from = self.any(proc);
            match self.rng.u32(0..10) {
                0..=5 => {
                    let to = self.any(proc);
                    let density = self.density();
                    self.step(proc, from, to, false, density);
                }
                6 | 7 => self.call(proc, from),
                _ => {
                    let (exit, density) = (self.program.proc(ProcId::new(proc)).exit, self.density());
                    self.step(proc, from, exit, false, density);
                }
            }
        }
    }

    fn any(&mut self, proc: usize) -> Loc {
        let at = self.rng.usize(0..self.locs[proc].len());
        self.locs[proc][at]
    }

    /// How many tuples a relation has.
    fn density(&mut self) -> usize {
        let most = 1 << (self.global_bits + self.local_bits);
        match self.rng.u32(0..3) {
            0 => 1,
            1 => 2,
            _ => self.rng.usize(1..=most),
        }
    }

    /// A rule: the next values are chosen, must be related to the current ones, and take
    /// their place.
    fn step(&mut self, proc: usize, from: Loc, to: Loc, hands: bool, tuples: usize) {
        let (id, frame) = (ProcId::new(proc), self.frames[proc]);
        let handed = frame.handed.filter(|_| hands);
        let next: Vec<Var> = [frame.next_global, frame.next_local, handed].into_iter().flatten().collect();
        let now: Vec<Var> = [self.global, frame.local].into_iter().flatten().collect();
        let relation = self.relation(&[now, next.clone()].concat(), tuples);
        let (chosen, related) = (self.loc(), self.loc());
        self.edge(id, from, chosen, Op::Havoc(next));
        self.edge(id, chosen, related, Op::Assume(relation));
        let pairs = [(self.global, frame.next_global), (frame.local, frame.next_local)];
        let mut assigned = Vec::new();
        for (var, value) in pairs {
            if let (Some(var), Some(value)) = (var, value) {
                assigned.push((var, self.terms.var(value)));
            }
        }
        self.edge(id, related, to, Op::Assign(assigned));
    }

    fn call(&mut self, proc: usize, from: Loc) {
        let callee = self.rng.usize(0..self.locs.len());
        let (ready, to, density) = (self.loc(), self.any(proc), self.density());
        self.step(proc, from, ready, true, density);
        let params = self.program.proc(ProcId::new(callee)).params.len();
        let args = self.frames[proc].handed.into_iter().take(params).map(|var| self.terms.var(var)).collect();
        let op = Op::Call { callee: ProcId::new(callee), args, results: Vec::new() };
        self.edge(ProcId::new(proc), ready, to, op);
    }

    fn loc(&mut self) -> Loc {
        self.program.add_loc(Span::default())
    }

    fn edge(&mut self, id: ProcId, from: Loc, to: Loc, op: Op) {
        self.program.add_edge(id, from, to, op, Span::default());
    }

    fn relation(&mut self, vars: &[Var], tuples: usize) -> Term {
        let mut cases = Vec::new();
        for _ in 0..tuples {
            let mut equal = Vec::new();
            for var in vars {
                let (term, width) = (self.terms.var(*var), self.terms.var_sort(*var).bits().unwrap_or(1));
                let value = self.rng.u64(0..1 << width);
                let value = self.terms.bv(u32::try_from(width).expect("few bits"), value);
                equal.push(self.terms.eq(term, value));
            }
            cases.push(self.terms.and(&equal));
        }
        self.terms.or(&cases)
    }

    fn errors(&mut self, targets: usize) {
        let mut errors = Vec::new();
        for _ in 0..=usize::from(self.rng.u32(0..14) == 0) {
            let proc = self.rng.usize(0..self.locs.len());
            let (from, error) = (self.any(proc), self.loc());
            let now: Vec<Var> = [self.global, self.frames[proc].local].into_iter().flatten().collect();
            let guard = self.relation(&now, 1);
            self.edge(ProcId::new(proc), from, error, Op::Assume(guard));
            errors.push(error);
        }
        let property = Property::new("error", "an error is reached", errors);
        self.program.default = Some(self.program.add_property(property));
        for number in 0..targets {
            let proc = self.rng.usize(0..self.locs.len());
            let locs = (0..self.rng.usize(1..=2)).map(|_| self.any(proc)).collect();
            let name = format!("target{number}");
            self.program.add_property(Property::new(name, "a location is reached", locs));
        }
    }
}
