//! Brute force, and whom it is compared with.

use crate::garden::{valuations, value_of};
use tamis_solver::bits::{Config, Contradictions};
use tamis_solver::diagrams::{self, Order};
use tamis_solver::{Answer, Bits, Diagrams, Solver, StopSignal, Z3};
use tamis_term::{Code, Sort, Term, Terms, Value, Var};

/// What each Boolean root is under each valuation.
pub struct Truth {
    roots: Vec<Term>,
    rows: Vec<Vec<bool>>,
}

impl Truth {
    pub fn new(terms: &Terms, vars: &[Var], roots: Vec<Term>) -> Truth {
        Truth::under(terms, vars, roots, valuations(terms, vars))
    }

    /// What the roots are under some valuations.
    pub fn under(terms: &Terms, vars: &[Var], roots: Vec<Term>, valuations: Vec<Vec<Value>>) -> Truth {
        let code = Code::new(terms, &roots, |var| vars.iter().position(|v| *v == var).unwrap());
        let mut scratch = Vec::new();
        let rows = valuations
            .into_iter()
            .map(|environment| {
                code.run(&environment, &mut scratch);
                (0..roots.len()).map(|i| code.result(i, &scratch).as_bool()).collect()
            })
            .collect();
        Truth { roots, rows }
    }

    pub fn satisfiable(&self, facts: &[Term]) -> bool {
        let columns: Vec<usize> =
            facts.iter().map(|fact| self.roots.iter().position(|root| root == fact).unwrap()).collect();
        self.rows.iter().any(|row| columns.iter().all(|column| row[*column]))
    }
}

/// Checks, and compares the answer and its evidence with brute force.
pub fn check_against(truth: &Truth, terms: &Terms, solver: &mut dyn Solver, facts: &[Term], assumptions: &[Term]) {
    let all: Vec<Term> = facts.iter().chain(assumptions).copied().collect();
    match solver.check(terms, assumptions).unwrap() {
        Answer::Sat(model) => {
            assert!(truth.satisfiable(&all), "claimed satisfiable");
            for term in &all {
                assert!(model.eval(terms, *term).as_bool(), "the model makes everything true");
            }
        }
        Answer::Unsat(core) => {
            assert!(!truth.satisfiable(&all), "claimed unsatisfiable");
            let core = core.assumptions();
            let mut rest = assumptions.iter();
            assert!(core.iter().all(|term| rest.any(|other| other == term)), "a subset, in order");
            let suffices: Vec<Term> = facts.iter().chain(core).copied().collect();
            assert!(!truth.satisfiable(&suffices), "the core suffices");
        }
        Answer::Unknown(why) => panic!("unknown: {why}"),
    }
}

/// Whether the facts and assumptions can be true; unknown is a failure.
pub fn is_sat(solver: &mut dyn Solver, terms: &Terms, assumptions: &[Term]) -> bool {
    match solver.check(terms, assumptions).unwrap() {
        Answer::Sat(model) => {
            assert!(assumptions.iter().all(|term| model.eval(terms, *term).as_bool()), "the model is one");
            true
        }
        Answer::Unsat(_) => false,
        Answer::Unknown(why) => panic!("unknown: {why}"),
    }
}

/// A value of a sort of any size, arrays with one cell of their own.
pub fn planted(sort: &Sort, seed: u64) -> Value {
    match sort {
        Sort::Bool | Sort::BitVec(_) | Sort::Int | Sort::Real => value_of(sort, seed),
        Sort::Array(array) => {
            let constant = tamis_term::ArrayValue::constant(array.clone(), planted(&array.element, seed >> 7));
            Value::Array(Box::new(constant.store(planted(&array.index, seed), planted(&array.element, seed >> 23))))
        }
    }
}

/// A solver that checks its contradictions, so that what the tests see of the SAT solver is
/// checked too.
pub fn audited() -> Bits {
    Bits::new(Config { contradictions: Contradictions::Audited, ..Config::default() }, StopSignal::never())
}

/// A solver on diagrams with room for small questions.
pub fn diagrams() -> Diagrams {
    Diagrams::new(diagrams::Config { nodes: 1 << 18, cache: 1 << 12 }, StopSignal::never(), Order::default())
}

/// The backends for finite sorts, whose cores are as small as they look.
pub fn finite_backends() -> [Box<dyn Solver>; 2] {
    [Box::new(audited()), Box::new(diagrams())]
}

/// All backends: what holds for one holds for the others.
pub fn backends() -> [Box<dyn Solver>; 3] {
    [Box::new(audited()), Box::new(diagrams()), Box::new(Z3::default())]
}
