//! Evaluation: a term is laid out once as straight-line code over its distinct subterms,
//! then run on as many environments as needed. No recursion, so depth does not matter.

use crate::fun::Fun;
use crate::semantics::apply;
use crate::terms::{Node, Term, Terms, Var};
use crate::value::Value;
use crate::walk::post_order;
use rustc_hash::FxHashMap;
use smallvec::SmallVec;

/// Code that computes some terms from the values of their variables.
#[derive(Clone, Debug)]
pub struct Code {
    steps: Vec<Step>,
    roots: Vec<usize>,
}

#[derive(Clone, Debug)]
enum Step {
    Const(Value),
    /// The position of a variable in the environment.
    Load(usize),
    /// A function and the earlier steps that it takes.
    Apply(Fun, SmallVec<[usize; 3]>),
}

impl Code {
    /// Code for `roots`; `slot` says where in the environment each variable is found.
    #[must_use]
    pub fn new(terms: &Terms, roots: &[Term], mut slot: impl FnMut(Var) -> usize) -> Code {
        let order = post_order(terms, roots);
        let mut place: FxHashMap<Term, usize> = FxHashMap::default();
        let mut steps = Vec::with_capacity(order.len());
        for term in order {
            place.insert(term, steps.len());
            steps.push(match terms.node(term) {
                Node::Const(value) => Step::Const(value.clone()),
                Node::Var(var) => Step::Load(slot(*var)),
                Node::App(fun, args) => Step::Apply(fun.clone(), args.iter().map(|a| place[a]).collect()),
            });
        }
        Code { steps, roots: roots.iter().map(|t| place[t]).collect() }
    }

    /// Computes the terms. `scratch` is reused between calls; the results stay in it, and
    /// [`Code::result`] finds them.
    pub fn run(&self, environment: &[Value], scratch: &mut Vec<Value>) {
        scratch.clear();
        for step in &self.steps {
            let value = match step {
                Step::Const(value) => value.clone(),
                Step::Load(slot) => environment[*slot].clone(),
                Step::Apply(fun, args) => {
                    let values: SmallVec<[&Value; 4]> = args.iter().map(|a| &scratch[*a]).collect();
                    apply(fun, &values)
                }
            };
            scratch.push(value);
        }
    }

    /// The value of the `root`-th term after [`Code::run`] filled `scratch`.
    #[must_use]
    pub fn result<'s>(&self, root: usize, scratch: &'s [Value]) -> &'s Value {
        &scratch[self.roots[root]]
    }
}

impl Terms {
    /// The value of `term` where each variable has the value that `value` names.
    #[must_use]
    pub fn eval(&self, term: Term, mut value: impl FnMut(Var) -> Value) -> Value {
        let mut environment = Vec::new();
        let mut slots: FxHashMap<Var, usize> = FxHashMap::default();
        let code = Code::new(self, &[term], |var| {
            *slots.entry(var).or_insert_with(|| {
                environment.push(value(var));
                environment.len() - 1
            })
        });
        let mut scratch = Vec::new();
        code.run(&environment, &mut scratch);
        code.result(0, &scratch).clone()
    }
}
