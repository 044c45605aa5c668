//! Evaluation: a term is laid out once as straight-line code over its distinct subterms,
//! then run on as many environments as needed. No recursion, so depth does not matter.
//!
//! Only applications are steps. Constants and variables are read where they are, so that
//! an array in the environment is not copied for every read of one of its cells.

use crate::fun::Fun;
use crate::marks::TermMap;
use crate::semantics::apply;
use crate::terms::{Node, Term, Terms, Var};
use crate::value::Value;
use crate::walk::post_order;
use smallvec::SmallVec;

/// Code that computes some terms from the values of their variables.
#[derive(Clone, Debug)]
pub struct Code {
    constants: Vec<Value>,
    steps: Vec<Step>,
    /// For each root, the step that computes it.
    roots: Vec<usize>,
}

#[derive(Clone, Debug)]
enum Step {
    /// A function and what it takes.
    Apply(Fun, SmallVec<[Place; 3]>),
    /// A root that is itself a constant or a variable.
    Copy(Place),
}

/// Where a value is found.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
enum Place {
    Constant(u32),
    Environment(u32),
    /// The result of an earlier step.
    Step(u32),
}

impl Code {
    /// Code for `roots`; `slot` says where in the environment each variable is found.
    ///
    /// # Panics
    /// If a slot is 2^32 or more.
    #[must_use]
    pub fn new(terms: &Terms, roots: &[Term], mut slot: impl FnMut(Var) -> usize) -> Code {
        let mut code = Code { constants: Vec::new(), steps: Vec::new(), roots: Vec::new() };
        let order = post_order(terms, roots);
        let mut places = TermMap::new(&order, &Place::Constant(0));
        let number = |n: usize| u32::try_from(n).expect("fewer than 2^32 variables, constants and steps");
        for term in order {
            let place = match terms.node(term) {
                Node::Const(value) => {
                    code.constants.push(value.clone());
                    Place::Constant(number(code.constants.len() - 1))
                }
                Node::Var(var) => Place::Environment(number(slot(*var))),
                Node::App(fun, args) => {
                    code.steps.push(Step::Apply(fun.clone(), args.iter().map(|a| places[*a]).collect()));
                    Place::Step(number(code.steps.len() - 1))
                }
            };
            places[term] = place;
        }
        for root in roots {
            let step = match places[*root] {
                Place::Step(step) => step as usize,
                place @ (Place::Constant(_) | Place::Environment(_)) => {
                    code.steps.push(Step::Copy(place));
                    code.steps.len() - 1
                }
            };
            code.roots.push(step);
        }
        code
    }

    /// Computes the terms. `scratch` is reused between calls; the results stay in it, and
    /// [`Code::result`] finds them.
    pub fn run(&self, environment: &[Value], scratch: &mut Vec<Value>) {
        self.run_while(environment, scratch, |_| true);
    }

    /// The same, as long as all values are `fine`: products of integers may grow without bound.
    /// Returns whether they were; if not, there are no results.
    pub fn run_while(&self, environment: &[Value], scratch: &mut Vec<Value>, fine: impl Fn(&Value) -> bool) -> bool {
        scratch.clear();
        scratch.reserve(self.steps.len());
        for step in &self.steps {
            let value = {
                let fetch = |place: Place| match place {
                    Place::Constant(at) => &self.constants[at as usize],
                    Place::Environment(at) => &environment[at as usize],
                    Place::Step(at) => &scratch[at as usize],
                };
                match step {
                    Step::Apply(fun, args) => match args.as_slice() {
                        [a] => apply(fun, &[fetch(*a)]),
                        [a, b] => apply(fun, &[fetch(*a), fetch(*b)]),
                        [a, b, c] => apply(fun, &[fetch(*a), fetch(*b), fetch(*c)]),
                        args => apply(fun, &args.iter().map(|a| fetch(*a)).collect::<SmallVec<[&Value; 8]>>()),
                    },
                    Step::Copy(place) => fetch(*place).clone(),
                }
            };
            if !fine(&value) {
                return false;
            }
            scratch.push(value);
        }
        true
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
        let code = Code::new(self, &[term], |var| {
            environment.push(value(var));
            environment.len() - 1
        });
        let mut scratch = Vec::new();
        code.run(&environment, &mut scratch);
        code.result(0, &scratch).clone()
    }
}
