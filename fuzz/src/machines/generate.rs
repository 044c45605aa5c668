//! Random machines: a few variables of small or bounded sorts, functions and relations between
//! states, constraints, several bad conditions.

use fastrand::Rng;
use tamis_ir::{Bad, Machine, Span};
use tamis_term::{Fun, Sort, Term, Terms, Value, Var};

/// The largest value of an integer or rational variable; the least is zero.
pub const LIMIT: i64 = 3;

/// Next values as functions, variables that stand for the others, and how these relate.
type Steps = (Vec<(Var, Term)>, Vec<(Var, Var)>, Term);

struct Maker<'m> {
    terms: &'m mut Terms,
    rng: Rng,
    /// What terms may mention.
    scope: Vec<Var>,
}

/// The machine of a seed. Unbounded sorts are bounded by its constraint.
///
/// # Panics
/// Never: there is always a sort to choose.
pub fn machine(terms: &mut Terms, seed: u64) -> Machine {
    let mut rng = Rng::with_seed(seed);
    let sorts = sorts(&mut rng);
    let count = rng.usize(1..=4);
    let declare = |terms: &mut Terms, rng: &mut Rng, name: String| {
        terms.declare(&name, rng.choice(&sorts).cloned().expect("some"))
    };
    let state: Vec<Var> = (0..count).map(|at| declare(terms, &mut rng, format!("s{at}"))).collect();
    let inputs: Vec<Var> = (0..rng.usize(0..=2)).map(|at| declare(terms, &mut rng, format!("main::i{at}"))).collect();
    let mut maker = Maker { terms, rng, scope: Vec::new() };
    let bounds = maker.bounds(&state);
    let input_bounds = maker.bounds(&inputs);
    maker.scope.clone_from(&state);
    let (init, start) = maker.start(&state);
    maker.scope.extend(&inputs);
    let (update, next, relation) = maker.steps(&state);
    maker.scope.truncate(state.len() + inputs.len());
    let extra = if maker.rng.u8(..4) == 0 { maker.condition(2) } else { maker.terms.bool(true) };
    let constraint = maker.terms.and(&[bounds, input_bounds, extra]);
    let bads = (0..maker.rng.usize(1..=2)).map(|at| maker.bad(at)).collect();
    Machine { state, inputs, init, start, constraint, update, next, relation, bads, span: Span::default() }
}

/// Systems are about bits and words, or about numbers, or both.
fn sorts(rng: &mut Rng) -> Vec<Sort> {
    match rng.u8(..6) {
        0 => vec![Sort::Bool],
        1 => vec![Sort::BitVec(2), Sort::Bool],
        2 => vec![Sort::BitVec(3), Sort::BitVec(2), Sort::Bool],
        3 => vec![Sort::Int, Sort::Bool],
        4 => vec![Sort::Int],
        _ => vec![Sort::Int, Sort::BitVec(2), Sort::Bool],
    }
}

impl Maker<'_> {
    /// That unbounded variables are between zero and the limit.
    fn bounds(&mut self, vars: &[Var]) -> Term {
        let mut parts = Vec::new();
        for var in vars.iter().filter(|var| *self.terms.var_sort(**var) == Sort::Int).copied().collect::<Vec<_>>() {
            let (own, zero, limit) = (self.terms.var(var), self.terms.int(0), self.terms.int(LIMIT));
            parts.extend([self.terms.app(Fun::Le, &[zero, own]), self.terms.app(Fun::Le, &[own, limit])]);
        }
        self.terms.and(&parts)
    }

    fn start(&mut self, state: &[Var]) -> (Vec<(Var, Term)>, Term) {
        let mut init = Vec::new();
        for var in state {
            if self.rng.u8(..4) > 0 {
                let sort = self.terms.var_sort(*var).clone();
                init.push((*var, self.constant(&sort)));
            }
        }
        let start = if self.rng.u8(..4) == 0 { self.condition(2) } else { self.terms.bool(true) };
        (init, start)
    }

    /// Functions, relations, and variables that nothing is said about.
    fn steps(&mut self, state: &[Var]) -> Steps {
        let (mut update, mut next) = (Vec::new(), Vec::new());
        let relational = self.rng.u8(..3) == 0;
        for var in state {
            let sort = self.terms.var_sort(*var).clone();
            match self.rng.u8(..8) {
                0 => {}
                1..=4 if relational => {
                    let name = format!("main::${}'", self.terms.name(*var));
                    next.push((*var, self.terms.declare(&name, sort)));
                }
                _ => update.push((*var, self.value(&sort, 3))),
            }
        }
        self.scope.extend(next.iter().map(|(_, next)| *next));
        let cases: Vec<Term> = (0..self.rng.usize(1..=3))
            .map(|_| {
                let parts: Vec<Term> = (0..self.rng.usize(1..=3)).map(|_| self.condition(1)).collect();
                self.terms.and(&parts)
            })
            .collect();
        let relation = if next.is_empty() { self.terms.bool(true) } else { self.terms.or(&cases) };
        (update, next, relation)
    }

    fn bad(&mut self, at: usize) -> Bad {
        let parts: Vec<Term> = (0..self.rng.usize(1..=3)).map(|_| self.condition(1)).collect();
        let condition = self.terms.and(&parts);
        Bad { name: format!("b{at}"), about: "a bad state is reached".into(), condition, span: Span::default() }
    }

    fn constant(&mut self, sort: &Sort) -> Term {
        let value = match sort {
            Sort::Bool => Value::Bool(self.rng.bool()),
            Sort::BitVec(width) => Value::bv(*width, self.rng.u64(0..1 << width)),
            Sort::Int | Sort::Real | Sort::Array(_) => {
                let value = self.rng.i64(0..=LIMIT);
                return self.terms.int(value);
            }
        };
        self.terms.constant(value)
    }

    /// A variable of the sort, or a constant if there is none.
    fn leaf(&mut self, sort: &Sort) -> Term {
        let fitting: Vec<Var> = self.scope.iter().copied().filter(|var| self.terms.var_sort(*var) == sort).collect();
        match self.rng.choice(&fitting) {
            Some(var) if self.rng.u8(..4) > 0 => self.terms.var(*var),
            Some(_) | None => self.constant(sort),
        }
    }

    fn value(&mut self, sort: &Sort, depth: u32) -> Term {
        if depth == 0 || self.rng.u8(..3) == 0 {
            return self.leaf(sort);
        }
        if *sort == Sort::Bool {
            return self.condition(depth);
        }
        if self.rng.bool() {
            let condition = self.condition(depth - 1);
            let [then, otherwise] = [(); 2].map(|()| self.value(sort, depth - 1));
            return self.terms.ite(condition, then, otherwise);
        }
        let [a, b] = [(); 2].map(|()| self.value(sort, depth - 1));
        let functions = match sort {
            Sort::BitVec(_) => [Fun::BvAdd, Fun::BvSub, Fun::BvAnd, Fun::BvXor],
            Sort::Bool | Sort::Int | Sort::Real | Sort::Array(_) => [Fun::Add, Fun::Sub, Fun::Add, Fun::Sub],
        };
        let fun = self.rng.choice(functions).expect("four");
        self.terms.app(fun, &[a, b])
    }

    fn condition(&mut self, depth: u32) -> Term {
        if depth > 0 && self.rng.bool() {
            let [a, b] = [(); 2].map(|()| self.condition(depth - 1));
            return match self.rng.u8(..4) {
                0 => self.terms.and(&[a, b]),
                1 => self.terms.or(&[a, b]),
                2 => self.terms.eq(a, b),
                _ => self.terms.not(a),
            };
        }
        let sorts: Vec<Sort> = self.scope.iter().map(|var| self.terms.var_sort(*var).clone()).collect();
        let sort = self.rng.choice(&sorts).cloned().unwrap_or(Sort::Bool);
        if sort == Sort::Bool {
            return self.leaf(&sort);
        }
        let (a, b) = (self.leaf(&sort), self.value(&sort, 1));
        let less = if matches!(sort, Sort::BitVec(_)) { Fun::BvUlt } else { Fun::Lt };
        if self.rng.bool() { self.terms.eq(a, b) } else { self.terms.app(less, &[a, b]) }
    }
}
