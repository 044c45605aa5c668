//! Terms: how fast the arena makes them and how fast they are evaluated, printed and read.

use crate::table::Table;
use fastrand::Rng;
use rustc_hash::FxHashMap;
use tamis_term::{Code, Fun, Sort, Term, Terms, Value, Var};

const SEED: u64 = 20;
const NODES: usize = 200_000;

/// One application of a random term: a function and the places of its arguments.
struct Recipe {
    sort: Sort,
    steps: Vec<(Fun, Vec<usize>)>,
}

const VARS: usize = 16;

/// Applications whose arguments are mostly recent, as in unrolled programs: deep graphs with
/// some sharing. `funs` says how many arguments each function takes.
fn recipe(sort: &Sort, funs: &[(Fun, usize)], nodes: usize) -> Recipe {
    let mut rng = Rng::with_seed(SEED);
    let steps = (0..nodes).map(|done| {
        let (fun, arity) = funs[rng.usize(..funs.len())].clone();
        let made = VARS + done;
        let arg = |rng: &mut Rng| if rng.u8(..4) == 0 { rng.usize(..made) } else { made - 1 - rng.usize(..VARS) };
        (fun, (0..arity).map(|_| arg(&mut rng)).collect())
    });
    Recipe { sort: sort.clone(), steps: steps.collect() }
}

fn words() -> Recipe {
    let binary = [Fun::BvAdd, Fun::BvSub, Fun::BvMul, Fun::BvAnd, Fun::BvOr, Fun::BvXor, Fun::BvShl, Fun::BvLshr];
    let mut funs: Vec<(Fun, usize)> = binary.map(|fun| (fun, 2)).to_vec();
    funs.extend([(Fun::BvNot, 1), (Fun::BvNeg, 1)]);
    recipe(&Sort::BitVec(32), &funs, NODES)
}

fn booleans() -> Recipe {
    recipe(&Sort::Bool, &[(Fun::And, 3), (Fun::Or, 2), (Fun::Not, 1), (Fun::Ite, 3), (Fun::Eq, 2)], NODES)
}

fn integers() -> Recipe {
    // No products: numbers of a million bits would measure something else.
    recipe(&Sort::Int, &[(Fun::Sub, 2), (Fun::Neg, 1), (Fun::IntMod, 2)], NODES / 4)
}

impl Recipe {
    /// Makes the terms; the result holds the variables first.
    fn cook(&self, terms: &mut Terms) -> Vec<Term> {
        let mut made: Vec<Term> = (0..VARS)
            .map(|i| {
                let name = format!("x{i}");
                let var = terms.find_var(&name).unwrap_or_else(|| terms.declare(&name, self.sort.clone()));
                terms.var(var)
            })
            .collect();
        let mut args = Vec::new();
        for (fun, places) in &self.steps {
            args.clear();
            args.extend(places.iter().map(|place| made[*place]));
            made.push(terms.app(fun.clone(), &args));
        }
        made
    }
}

/// A conjunction over the last terms, so that one root reaches most of the graph.
fn root(terms: &mut Terms, made: &[Term]) -> Term {
    let pairs: Vec<Term> = made[made.len() - 64..].windows(2).map(|w| terms.eq(w[0], w[1])).collect();
    terms.and(&pairs)
}

/// Measures the arena, evaluation, and the SMT-LIB printer and reader.
pub fn run(table: &mut Table) {
    for (name, recipe) in [("words", words()), ("booleans", booleans()), ("integers", integers())] {
        let mut terms = Terms::new();
        let made = recipe.cook(&mut terms);
        let root = root(&mut terms, &made);
        let size = terms.dag_size(root);

        table.measure(&format!("build {name}"), "term", || {
            let mut fresh = Terms::new();
            recipe.cook(&mut fresh).len()
        });
        table.measure(&format!("find {name}"), "term", || recipe.cook(&mut terms).len());
        evaluate(table, name, &recipe.sort, &terms, root);
        table.measure(&format!("substitute {name}"), "term", || {
            let x0 = terms.find_var("x0").expect("declared by the recipe");
            let x1 = terms.find_var("x1").expect("declared by the recipe");
            let with = terms.var(x1);
            let map: FxHashMap<Var, Term> = [(x0, with)].into_iter().collect();
            terms.substitute(root, &map);
            size
        });
        let text = terms.smtlib(root).to_string();
        table.measure(&format!("print {name}"), "B", || terms.smtlib(root).to_string().len());
        table.measure(&format!("read {name}"), "B", || {
            terms.read(&text).expect("what was printed");
            text.len()
        });
    }
}

fn evaluate(table: &mut Table, name: &str, sort: &Sort, terms: &Terms, root: Term) {
    let size = terms.dag_size(root);
    table.measure(&format!("compile {name}"), "term", || {
        std::hint::black_box(Code::new(terms, &[root], Var::index));
        size
    });
    let code = Code::new(terms, &[root], Var::index);
    let environment: Vec<Value> = (0..VARS as u64).map(|i| sample(sort, i)).collect();
    let mut scratch = Vec::new();
    table.measure(&format!("evaluate {name}"), "term", || {
        code.run(&environment, &mut scratch);
        std::hint::black_box(code.result(0, &scratch));
        size
    });
}

/// Some value of the sort.
fn sample(sort: &Sort, seed: u64) -> Value {
    match sort {
        Sort::Bool => Value::Bool(seed.is_multiple_of(3)),
        Sort::BitVec(width) => Value::bv(*width, seed.wrapping_mul(0x9e37_79b9_7f4a_7c15)),
        Sort::Int => Value::int(seed * 1_000_003),
        Sort::Real | Sort::Array(_) => Value::default_of(sort),
    }
}
