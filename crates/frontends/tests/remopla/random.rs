//! Random programs over all finite sorts and operators: printed and read again, they must
//! reach the same properties.

use crate::{explore, lower, show};
use std::collections::BTreeSet;
use std::sync::Arc;
use tamis_frontends::remopla::print::to_remopla;
use tamis_ir::{Loc, Op, ProcId, Program, Property, PropertyId, Span};
use tamis_term::pack::BitReader;
use tamis_term::{Fun, Sort, Term, Terms, Value, Var};

struct Maker {
    rng: fastrand::Rng,
    /// The widest words.
    width: u32,
    terms: Terms,
    program: Program,
}

fn bits_to(element: Sort) -> Sort {
    Sort::array(Sort::BitVec(1), element)
}

impl Maker {
    fn sort(&mut self) -> Sort {
        match self.rng.u32(..8) {
            0 | 1 => Sort::Bool,
            2 => bits_to(Sort::BitVec(1)),
            3 => bits_to(Sort::Bool),
            _ => Sort::BitVec(self.rng.u32(1..=self.width)),
        }
    }

    fn value(&mut self, sort: &Sort) -> Value {
        let words: Vec<u64> = (0..=sort.bits().unwrap() / 64).map(|_| self.rng.u64(..)).collect();
        let small = words.iter().map(|_| self.rng.u64(..3)).collect::<Vec<_>>();
        BitReader::new(if self.rng.bool() { &words } else { &small }).read(sort)
    }

    fn app(&mut self, fun: Fun, args: &[Term]) -> Term {
        if self.rng.bool() {
            self.terms.app(fun, args)
        } else {
            self.terms.raw_app(fun, args).expect("well-sorted by construction")
        }
    }

    fn term(&mut self, sort: &Sort, scope: &[Var], depth: u32) -> Term {
        if depth == 0 || self.rng.u32(..5) == 0 {
            let fitting: Vec<Var> = scope.iter().copied().filter(|var| self.terms.var_sort(*var) == sort).collect();
            if let Some(var) = self.rng.choice(&fitting)
                && self.rng.u32(..4) > 0
            {
                return self.terms.var(*var);
            }
            let value = self.value(sort);
            return self.terms.constant(value);
        }
        let depth = depth - 1;
        if self.rng.u32(..8) == 0 {
            let condition = self.term(&Sort::Bool, scope, depth);
            let (yes, no) = (self.term(sort, scope, depth), self.term(sort, scope, depth));
            return self.app(Fun::Ite, &[condition, yes, no]);
        }
        match sort {
            Sort::Bool => self.truth(scope, depth),
            Sort::BitVec(width) => self.word(*width, scope, depth),
            Sort::Array(array) => {
                let element = self.term(&array.element.clone(), scope, depth);
                if self.rng.u32(..4) == 0 {
                    return self.app(Fun::ConstArray(Arc::clone(array)), &[element]);
                }
                let index = self.term(&array.index.clone(), scope, depth);
                let below = self.term(sort, scope, depth);
                self.app(Fun::Store, &[below, index, element])
            }
            Sort::Int | Sort::Real => unreachable!("finite sorts only"),
        }
    }

    fn truth(&mut self, scope: &[Var], depth: u32) -> Term {
        match self.rng.u32(..7) {
            0 => {
                let a = self.term(&Sort::Bool, scope, depth);
                self.app(Fun::Not, &[a])
            }
            1 => {
                let fun = if self.rng.bool() { Fun::And } else { Fun::Or };
                let args: Vec<Term> = (0..self.rng.usize(..4)).map(|_| self.term(&Sort::Bool, scope, depth)).collect();
                self.app(fun, &args)
            }
            2 => {
                let (a, b) = (self.term(&Sort::Bool, scope, depth), self.term(&Sort::Bool, scope, depth));
                self.app(Fun::Xor, &[a, b])
            }
            3 => {
                let sort = self.sort();
                let (a, b) = (self.term(&sort, scope, depth), self.term(&sort, scope, depth));
                self.app(Fun::Eq, &[a, b])
            }
            4 => {
                let array = self.term(&bits_to(Sort::Bool), scope, depth);
                let index = self.term(&Sort::BitVec(1), scope, depth);
                self.app(Fun::Select, &[array, index])
            }
            _ => {
                let sort = Sort::BitVec(self.rng.u32(1..=self.width));
                let fun = self.rng.choice([Fun::BvUlt, Fun::BvUle, Fun::BvSlt, Fun::BvSle]).unwrap();
                let (a, b) = (self.term(&sort, scope, depth), self.term(&sort, scope, depth));
                self.app(fun, &[a, b])
            }
        }
    }

    fn word(&mut self, width: u32, scope: &[Var], depth: u32) -> Term {
        let sort = Sort::BitVec(width);
        match self.rng.u32(..9) {
            0 if width > 1 => {
                let low = self.rng.u32(1..width);
                let a = self.term(&Sort::BitVec(width - low), scope, depth);
                let b = self.term(&Sort::BitVec(low), scope, depth);
                self.app(Fun::Concat, &[a, b])
            }
            1 if width > 1 => {
                let by = self.rng.u32(1..width);
                let a = self.term(&Sort::BitVec(width - by), scope, depth);
                let fun = if self.rng.bool() { Fun::ZeroExtend(by) } else { Fun::SignExtend(by) };
                self.app(fun, &[a])
            }
            2 => {
                let (low, more) = (self.rng.u32(..2), self.rng.u32(..2));
                let a = self.term(&Sort::BitVec(width + low + more), scope, depth);
                self.app(Fun::Extract { high: low + width - 1, low }, &[a])
            }
            3 => {
                let fun = if self.rng.bool() { Fun::BvNot } else { Fun::BvNeg };
                let a = self.term(&sort, scope, depth);
                self.app(fun, &[a])
            }
            4 if width == 1 => {
                let array = self.term(&bits_to(sort), scope, depth);
                let index = self.term(&Sort::BitVec(1), scope, depth);
                self.app(Fun::Select, &[array, index])
            }
            _ => {
                let fun = self.rng.choice(Fun::WORD_FUNCTIONS).unwrap();
                let (a, b) = (self.term(&sort, scope, depth), self.term(&sort, scope, depth));
                self.app(fun, &[a, b])
            }
        }
    }

    fn declare(&mut self, prefix: &str, count: usize) -> Vec<Var> {
        let names = ["x", "if", "a[0]", "E", "s.f", "$any", "error"];
        (0..count)
            .map(|i| {
                let sort = self.sort();
                let name = self.rng.choice(names).unwrap();
                self.terms.declare(&format!("{prefix}{name}{}", ["", "1", "2"][i.min(2)]), sort)
            })
            .collect()
    }

    fn op(&mut self, scope: &[Var]) -> Op {
        let some = |maker: &mut Maker| {
            let mut vars: Vec<Var> = scope.to_vec();
            maker.rng.shuffle(&mut vars);
            vars.truncate(maker.rng.usize(1..=2));
            vars
        };
        match self.rng.u32(..10) {
            0..4 => Op::Assume(self.term(&Sort::Bool, scope, 3)),
            4..8 => {
                let vars = some(self);
                let pairs = vars.into_iter().map(|var| {
                    let sort = self.terms.var_sort(var).clone();
                    (var, self.term(&sort, scope, 3))
                });
                Op::Assign(pairs.collect())
            }
            8 => Op::Havoc(some(self)),
            _ => {
                let callee = ProcId::new(self.rng.usize(..self.program.procs.len()));
                let procedure = self.program.proc(callee).clone();
                let args = procedure.params.iter().map(|param| {
                    let sort = self.terms.var_sort(*param).clone();
                    self.term(&sort, scope, 2)
                });
                let args = args.collect();
                let mut free = scope.to_vec();
                let mut results = Vec::new();
                for result in &procedure.results {
                    let sort = self.terms.var_sort(*result);
                    let Some(at) = free.iter().position(|var| self.terms.var_sort(*var) == sort) else {
                        return Op::Havoc(vec![]);
                    };
                    results.push(free.remove(at));
                }
                Op::Call { callee, args, results }
            }
        }
    }

    fn make(seed: u64) -> Maker {
        let rng = fastrand::Rng::with_seed(seed);
        let mut maker = Maker { rng, width: 3, terms: Terms::new(), program: Program::new(Arc::default()) };
        let globals = maker.rng.usize(1..=2);
        maker.program.globals = maker.declare("", globals);
        for name in ["main", "do", "main"].iter().take(maker.rng.usize(1..=3)) {
            let id = maker.program.add_proc(name, Span::default());
            let prefix = format!("{name}::");
            let counts = [maker.rng.usize(..2), maker.rng.usize(..3), maker.rng.usize(..2)];
            let [params, results, locals] = counts.map(|count| maker.declare(&prefix, count));
            let procedure = &mut maker.program.procs[id.index()];
            (procedure.params, procedure.results, procedure.locals) = (params, results, locals);
        }
        for id in 0..maker.program.procs.len() {
            let procedure = maker.program.procs[id].clone();
            let scope: Vec<Var> = maker.program.globals.iter().copied().chain(procedure.vars()).collect();
            let mut locs = vec![procedure.entry];
            locs.extend((0..maker.rng.usize(1..4)).map(|_| maker.program.add_loc(Span::default())));
            for at in 0..maker.rng.usize(3..9) {
                let from = locs[if at < locs.len() { at } else { maker.rng.usize(..locs.len()) }];
                let to = if maker.rng.u32(..4) == 0 { procedure.exit } else { locs[maker.rng.usize(..locs.len())] };
                let op = maker.op(&scope);
                maker.program.add_edge(ProcId::new(id), from, to, op, Span::default());
            }
        }
        for name in ["a:b", "error", "while not"].iter().take(maker.rng.usize(1..=3)) {
            let locs = (0..maker.rng.usize(..3)).map(|_| Loc::new(maker.rng.usize(..maker.program.locs.len())));
            let property = Property::new((*name).to_owned(), "", locs.collect());
            maker.program.add_property(property);
        }
        let count = maker.program.errors.len();
        maker.program.default = Some(maker.rng.usize(..=count)).filter(|at| *at < count).map(PropertyId::new);
        maker
    }
}

/// What the properties of a program are called in the text.
fn printed_names(program: &Program) -> Vec<String> {
    let name = |(at, property): (usize, &Property)| {
        if program.default == Some(PropertyId::new(at)) {
            return "error".to_owned();
        }
        match property.name.as_str() {
            "a:b" => "a_b".to_owned(),
            "error" => "error_2".to_owned(),
            _ => "while_not".to_owned(),
        }
    };
    program.errors.iter().enumerate().map(name).collect()
}

#[test]
fn printed_programs_reach_the_same_properties() {
    // A longer run: REMOPLA_SEEDS=100000 cargo test --release
    let seeds = std::env::var("REMOPLA_SEEDS").ok().and_then(|seeds| seeds.parse().ok()).unwrap_or(150);
    let mut compared = 0;
    for seed in 0..seeds {
        let maker = Maker::make(seed);
        let (terms, program) = (&maker.terms, &maker.program);
        tamis_ir::validate::validate(terms, program).expect("a valid random program");
        let text = to_remopla(terms, program).expect("finite sorts");
        let (again, sources, lowered) = lower(&text);
        let lowered = lowered.unwrap_or_else(|errors| panic!("{}\n{text}", show::diagnostics(&sources, &errors)));
        let Some(locs) = explore::reachable(terms, program, 3_000, explore::all) else { continue };
        let Some(reached) = explore::reached(&again, &lowered.program, 60_000, explore::all) else { continue };
        let names = printed_names(program);
        let expected: BTreeSet<&str> = program
            .errors
            .iter()
            .zip(&names)
            .filter(|(property, _)| property.locs.iter().any(|loc| locs.contains(loc)))
            .map(|(_, name)| name.as_str())
            .collect();
        let found: BTreeSet<&str> = reached.into_iter().filter(|name| names.iter().any(|n| n == name)).collect();
        assert_eq!(found, expected, "seed {seed}\n{}\n{text}", show::program(terms, program));
        for name in &names {
            assert!(lowered.program.find_property(name).is_some(), "{name} in {text}");
        }
        assert_eq!(lowered.program.default.is_some(), program.default.is_some());
        compared += 1;
    }
    assert!(compared > seeds / 2, "{compared} programs were small enough");
}

/// `x := …; r := term;` and then one way on if `r` is what the term evaluates to, another if not.
#[test]
fn printed_terms_have_the_same_value() {
    for seed in 0..300 {
        let rng = fastrand::Rng::with_seed(seed);
        let mut maker = Maker { rng, width: 70, terms: Terms::new(), program: Program::new(Arc::default()) };
        let main = maker.program.add_proc("main", Span::default());
        let mut vars = maker.declare("main::", 3);
        // Words of one width, so that most operators have something to work on.
        let word = Sort::BitVec(maker.rng.u32(1..=70));
        for name in ["v", "w"] {
            vars.push(maker.terms.declare(&format!("main::{name}"), word.clone()));
        }
        let result = maker.terms.declare("main::r", word.clone());
        let term = maker.term(&word, &vars, 4);
        let values: Vec<Value> = vars.iter().map(|var| maker.value(&maker.terms.var_sort(*var).clone())).collect();
        let expected = maker.terms.eval(term, |var| values[vars.iter().position(|v| *v == var).unwrap()].clone());
        let constants: Vec<(Var, Term)> =
            vars.iter().zip(values).map(|(var, value)| (*var, maker.terms.constant(value))).collect();
        let expected = maker.terms.constant(expected);
        let found = maker.terms.var(result);
        let (right, wrong) = (maker.terms.eq(found, expected), maker.terms.distinct(found, expected));
        vars.push(result);
        maker.program.procs[0].locals = vars;
        let entry = maker.program.procs[0].entry;
        let locs: Vec<Loc> = (0..4).map(|_| maker.program.add_loc(Span::default())).collect();
        maker.program.add_edge(main, entry, locs[0], Op::Assign(constants), Span::default());
        maker.program.add_edge(main, locs[0], locs[1], Op::Assign(vec![(result, term)]), Span::default());
        maker.program.add_edge(main, locs[1], locs[2], Op::Assume(right), Span::default());
        maker.program.add_edge(main, locs[1], locs[3], Op::Assume(wrong), Span::default());
        for (name, loc) in [("right", locs[2]), ("wrong", locs[3])] {
            let property = Property::new(name.to_owned(), "", vec![loc]);
            maker.program.add_property(property);
        }
        let text = to_remopla(&maker.terms, &maker.program).expect("finite sorts");
        let (terms, sources, lowered) = lower(&text);
        let lowered = lowered.unwrap_or_else(|errors| panic!("{}\n{text}", show::diagnostics(&sources, &errors)));
        let reached = explore::reached(&terms, &lowered.program, 10_000, explore::all).expect("one run");
        assert!(reached.contains("right") && !reached.contains("wrong"), "seed {seed}\n{text}");
    }
}
