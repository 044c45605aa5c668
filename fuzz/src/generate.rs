//! Random small programs: procedures, recursion, arrays, nondeterminism, variables of one to
//! four bits. A program is a function of its seed.

use fastrand::Rng;
use tamis_ir::{Loc, Op, ProcId, Program, Property, Span};
use tamis_term::{Fun, Sort, Term, Terms, Value, Var};

/// A procedure's variables may have this many bits in all, and so may the globals.
const BITS: u64 = 6;

/// The program of a seed. It has one property, called `error`.
#[must_use]
pub fn program(terms: &mut Terms, seed: u64) -> Program {
    let mut generator =
        Generator { rng: Rng::with_seed(seed), program: Program::new(std::sync::Arc::default()), terms };
    generator.declare();
    for id in 0..generator.program.procs.len() {
        generator.body(ProcId::new(id));
    }
    generator.errors();
    generator.program
}

struct Generator<'t> {
    rng: Rng,
    program: Program,
    terms: &'t mut Terms,
}

impl Generator<'_> {
    fn declare(&mut self) {
        for _ in 0..self.rng.usize(1..=3) {
            let id = self.program.procs.len();
            self.program.add_proc(if id == 0 { "main" } else { ["f", "g"][id - 1] }, Span::default());
        }
        self.program.globals = self.vars("g", 3, BITS);
        for id in 0..self.program.procs.len() {
            let name = self.program.procs[id].name.clone();
            let params = if id == 0 { 0 } else { self.rng.usize(0..=2) };
            let mut vars = self.vars(&format!("{name}::x"), 4, BITS);
            let rest = vars.split_off(params.min(vars.len()));
            let results = if id == 0 { 0 } else { self.rng.usize(0..=rest.len().min(2)) };
            let (results, locals) = rest.split_at(results);
            let proc = &mut self.program.procs[id];
            (proc.params, proc.results, proc.locals) = (vars, results.to_vec(), locals.to_vec());
        }
    }

    fn vars(&mut self, prefix: &str, most: usize, mut bits: u64) -> Vec<Var> {
        let mut vars = Vec::new();
        for at in 0..self.rng.usize(0..=most) {
            let sort = match self.rng.u32(0..10) {
                0..=2 => Sort::Bool,
                9 => {
                    let element = if self.rng.bool() { Sort::Bool } else { Sort::BitVec(self.rng.u32(1..=2)) };
                    Sort::array(Sort::BitVec(1), element)
                }
                _ => Sort::BitVec(self.rng.u32(1..=4)),
            };
            let need = sort.bits().expect("finite");
            if need <= bits {
                bits -= need;
                vars.push(self.terms.declare(&format!("{prefix}{at}"), sort));
            }
        }
        vars
    }

    /// A random graph whose locations are mostly reachable: a chain from entry to exit, and
    /// some edges across.
    fn body(&mut self, id: ProcId) {
        let (entry, exit) = (self.program.proc(id).entry, self.program.proc(id).exit);
        let mut chain: Vec<Loc> = vec![entry];
        for _ in 0..self.rng.usize(1..=4) {
            chain.push(self.program.add_loc(Span::default()));
        }
        for pair in 0..chain.len() {
            let to = chain.get(pair + 1).copied().unwrap_or(exit);
            self.edge(id, chain[pair], to);
        }
        for _ in 0..self.rng.usize(0..=3) {
            let from = chain[self.rng.usize(0..chain.len())];
            let to = if self.rng.u32(0..4) == 0 { exit } else { chain[self.rng.usize(0..chain.len())] };
            self.edge(id, from, to);
        }
    }

    fn edge(&mut self, id: ProcId, from: Loc, to: Loc) {
        let scope = self.scope(id);
        let op = match self.rng.u32(0..20) {
            0..=6 => Op::Assume(self.term(&scope, &Sort::Bool, 2)),
            7..=13 => {
                let targets = self.some(&scope, 2);
                let pairs = targets.iter().map(|var| {
                    let sort = self.terms.var_sort(*var).clone();
                    (*var, self.term(&scope, &sort, 2))
                });
                Op::Assign(pairs.collect())
            }
            14 | 15 => Op::Havoc(self.some(&scope, 2)),
            _ => self.call(&scope),
        };
        self.program.add_edge(id, from, to, op, Span::default());
    }

    fn call(&mut self, scope: &[Var]) -> Op {
        let callee = ProcId::new(self.rng.usize(0..self.program.procs.len()));
        let (params, results) = (self.program.proc(callee).params.clone(), self.program.proc(callee).results.clone());
        let mut targets = Vec::new();
        for result in results {
            let sort = self.terms.var_sort(result);
            let fits: Vec<Var> = scope
                .iter()
                .copied()
                .filter(|var| self.terms.var_sort(*var) == sort && !targets.contains(var))
                .collect();
            match self.rng.choice(fits) {
                Some(var) => targets.push(var),
                None => return Op::Assume(self.terms.bool(true)),
            }
        }
        let args = params.iter().map(|param| {
            let sort = self.terms.var_sort(*param).clone();
            self.term(scope, &sort, 1)
        });
        Op::Call { callee, args: args.collect(), results: targets }
    }

    /// One or two error locations, behind conditions.
    fn errors(&mut self) {
        let mut locs = Vec::new();
        for _ in 0..self.rng.usize(1..=2) {
            let id = ProcId::new(self.rng.usize(0..self.program.procs.len()));
            let edges = &self.program.proc(id).edges;
            let from = edges[self.rng.usize(0..edges.len())].from;
            let error = self.program.add_loc(Span::default());
            let scope = self.scope(id);
            let mut parts: Vec<Term> = Vec::new();
            for _ in 0..self.rng.usize(1..=2) {
                parts.push(self.term(&scope, &Sort::Bool, 2));
            }
            let condition = self.terms.and(&parts);
            self.program.add_edge(id, from, error, Op::Assume(condition), Span::default());
            locs.push(error);
        }
        let property = Property::new("error", "the error is reached", locs);
        self.program.default = Some(self.program.add_property(property));
    }

    fn scope(&self, id: ProcId) -> Vec<Var> {
        self.program.globals.iter().copied().chain(self.program.proc(id).vars()).collect()
    }

    /// Up to `most` different variables.
    fn some(&mut self, scope: &[Var], most: usize) -> Vec<Var> {
        let mut vars = scope.to_vec();
        self.rng.shuffle(&mut vars);
        vars.truncate(self.rng.usize(1..=most));
        vars
    }

    /// A random term of the given sort over variables in scope.
    fn term(&mut self, scope: &[Var], sort: &Sort, depth: u32) -> Term {
        if depth == 0 || self.rng.u32(0..4) == 0 {
            return self.leaf(scope, sort);
        }
        match sort {
            Sort::Bool => self.condition(scope, depth - 1),
            Sort::BitVec(width) => self.word(scope, *width, depth - 1),
            Sort::Array(array) => {
                let base = self.term(scope, sort, depth - 1);
                let index = self.term(scope, &array.index, depth - 1);
                let element = self.term(scope, &array.element, depth - 1);
                self.terms.store(base, index, element)
            }
            Sort::Int | Sort::Real => unreachable!("random programs are finite"),
        }
    }

    fn leaf(&mut self, scope: &[Var], sort: &Sort) -> Term {
        let fits: Vec<Var> = scope.iter().copied().filter(|var| self.terms.var_sort(*var) == sort).collect();
        if self.rng.u32(0..4) > 0
            && let Some(var) = self.rng.choice(fits)
        {
            return self.terms.var(var);
        }
        // An array of a fitting element sort can be read.
        let arrays: Vec<Var> = scope
            .iter()
            .copied()
            .filter(|var| matches!(self.terms.var_sort(*var), Sort::Array(array) if array.element == *sort))
            .collect();
        if self.rng.bool()
            && let Some(array) = self.rng.choice(arrays)
        {
            let (array, index) = (self.terms.var(array), self.terms.bv(1, self.rng.u64(0..2)));
            return self.terms.select(array, index);
        }
        let value = self.value(sort);
        self.terms.constant(value)
    }

    fn value(&mut self, sort: &Sort) -> Value {
        random_value(&mut self.rng, sort)
    }

    fn condition(&mut self, scope: &[Var], depth: u32) -> Term {
        match self.rng.u32(0..8) {
            0 => {
                let a = self.term(scope, &Sort::Bool, depth);
                self.terms.not(a)
            }
            1 | 2 => {
                let (a, b) = (self.term(scope, &Sort::Bool, depth), self.term(scope, &Sort::Bool, depth));
                let fun = self.rng.choice([Fun::And, Fun::Or, Fun::Xor, Fun::Eq]).expect("not empty");
                self.terms.app(fun, &[a, b])
            }
            _ => {
                let sort = self.some_sort(scope);
                let (a, b) = (self.term(scope, &sort, depth), self.term(scope, &sort, depth));
                let compare = matches!(sort, Sort::BitVec(_)) && self.rng.u32(0..3) > 0;
                let fun = if compare { self.rng.choice(Fun::WORD_COMPARISONS).expect("not empty") } else { Fun::Eq };
                let equal = self.terms.app(fun, &[a, b]);
                if self.rng.u32(0..4) == 0 { self.terms.not(equal) } else { equal }
            }
        }
    }

    /// The sort of some variable in scope, so that comparisons say something.
    fn some_sort(&mut self, scope: &[Var]) -> Sort {
        self.rng.choice(scope).map_or(Sort::BitVec(2), |var| self.terms.var_sort(*var).clone())
    }

    fn word(&mut self, scope: &[Var], width: u32, depth: u32) -> Term {
        let sort = Sort::BitVec(width);
        match self.rng.u32(0..10) {
            0 => {
                let condition = self.term(scope, &Sort::Bool, depth);
                let (a, b) = (self.term(scope, &sort, depth), self.term(scope, &sort, depth));
                self.terms.ite(condition, a, b)
            }
            1 => {
                let a = self.term(scope, &sort, depth);
                let fun = if self.rng.bool() { Fun::BvNot } else { Fun::BvNeg };
                self.terms.app(fun, &[a])
            }
            2 => {
                // Through another width and back.
                let wide = self.rng.u32(width..=width + 2);
                let a = self.term(scope, &sort, depth);
                let by = wide - width;
                let a = if self.rng.bool() { self.terms.zero_extend(a, by) } else { self.terms.sign_extend(a, by) };
                let low = self.rng.u32(0..=by);
                self.terms.extract(a, low + width - 1, low)
            }
            _ => {
                let fun = self.rng.choice(Fun::WORD_FUNCTIONS).expect("not empty");
                let (a, b) = (self.term(scope, &sort, depth), self.term(scope, &sort, depth));
                self.terms.app(fun, &[a, b])
            }
        }
    }
}

/// A random value of a finite sort.
///
/// # Panics
/// If the sort is infinite.
pub fn random_value(rng: &mut Rng, sort: &Sort) -> Value {
    let count = sort.cardinality().expect("random programs are finite");
    let at = usize::try_from(rng.u64(0..count)).expect("few values");
    tamis_term::value::values(sort).nth(at).expect("below the count")
}
