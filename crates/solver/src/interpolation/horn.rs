//! Interpolants as solutions of Horn clauses: Z3's engine Spacer (Komuravelli, Gurfinkel, Chaki,
//! SMT-Based Model Checking for Recursive Programs, CAV 2014).
//!
//! Each node of the tree gets an unknown predicate over the variables that it shares with the
//! rest; it follows from its part and the predicates of its children, and the root's part
//! contradicts those of its children. A solution of these clauses is a tree of interpolants
//! (Rümmer, Hojjat, Kuncak, Disjunctive Interpolants for Horn-Clause Verification, CAV 2013).

use super::qe::{is_quantified, without_quantifiers};
use super::{Interpolation, Interpolator, Parts, Validity, valid};
use crate::limit::Clock;
use crate::numbers::has_products;
use crate::z3::{Encoder, read, watched};
use crate::{Answer, Error, Solvers, StopSignal, Why};
use std::time::Duration;
use tamis_term::{Sort, Term, Terms, Var};
use z3::ast::{Ast, Bool, Dynamic};
use z3::{FuncDecl, Params, SatResult};

/// How long the engine may take if nobody says: some questions, it never answers.
const PATIENCE: Duration = Duration::from_secs(10);

/// Z3's Horn engine as a source of interpolants.
pub struct Horn {
    solvers: Solvers,
    clock: Clock,
    stop: StopSignal,
}

impl Horn {
    /// The source, which takes as much time for an answer as the solvers may for a check.
    #[must_use]
    pub fn new(solvers: Solvers) -> Horn {
        let clock = Clock::new(solvers.stop.clone());
        Horn { stop: clock.signal(), clock, solvers }
    }

    /// Whether some valuation makes all parts true, in the words of interpolation. The engine
    /// says so, but a solver shows it.
    fn confirm(&self, terms: &Terms, parts: &Parts) -> Result<Interpolation, Error> {
        let mut solver = self.solvers.fresh(terms, &parts.formulas)?;
        Ok(match solver.check(terms, &parts.formulas)? {
            Answer::Sat(_) => Interpolation::Satisfiable,
            Answer::Unsat(_) => Interpolation::Unknown(Why::GaveUp("Spacer finds what is not there".to_owned())),
            Answer::Unknown(why) => Interpolation::Unknown(why),
        })
    }

    /// Reads the solution. Where there are arrays, or predicates that Spacer did not care about,
    /// it may be none.
    fn accept(
        &self,
        terms: &mut Terms,
        parts: &Parts,
        solution: &[Bool],
        complete: bool,
    ) -> Result<Interpolation, Error> {
        let shared = parts.shared(terms);
        let refuse = |what: &str| Ok(Interpolation::Unknown(Why::GaveUp(format!("Spacer's solution is {what}"))));
        let formulas = solution.iter().zip(&shared).map(|(formula, vars)| read(terms, formula, vars));
        let Some(found) = formulas.collect::<Option<Vec<Term>>>() else { return refuse("no formula") };
        let has_arrays = shared.iter().flatten().any(|var| matches!(terms.var_sort(*var), Sort::Array(_)));
        if has_arrays || !complete {
            let mut solver = self.solvers.fresh(terms, &parts.formulas)?;
            match valid(terms, parts, &found, solver.as_mut())? {
                Validity::Valid => {}
                Validity::Invalid(_) => return refuse("none"),
                Validity::Undecided(why) => return Ok(Interpolation::Unknown(why)),
            }
        }
        Ok(Interpolation::Interpolants(found))
    }
}

impl Interpolator for Horn {
    fn name(&self) -> &'static str {
        "horn"
    }

    fn interpolate(&mut self, terms: &mut Terms, parts: &Parts) -> Result<Interpolation, Error> {
        crate::z3::library()?;
        parts.check(terms)?;
        // Nothing would interrupt what Z3 computes then.
        if has_products(terms, &parts.formulas) {
            return Ok(Interpolation::Unknown(Why::Unsupported("products of unknown numbers".to_owned())));
        }
        self.clock.begin(Some(self.solvers.limit.time.unwrap_or(PATIENCE)));
        if self.clock.is_set() {
            return Ok(Interpolation::Unknown(Why::Interrupted));
        }
        let shared = parts.shared(terms);
        let (found, interrupted) = watched(&self.stop, || Clauses::solve(terms, parts, &shared, &self.stop));
        match found {
            Ok(Found::Satisfiable) => self.confirm(terms, parts),
            Ok(Found::Solution(..)) | Err(_) if interrupted => Ok(Interpolation::Unknown(self.clock.why())),
            Ok(Found::Solution(solution, complete)) => self.accept(terms, parts, &solution, complete),
            Err(why) => Ok(Interpolation::Unknown(self.clock.explain(why))),
        }
    }
}

/// What the engine found.
enum Found {
    /// What each predicate is, over the variables that its node shares, and whether Spacer said
    /// so about all.
    Solution(Vec<Bool>, bool),
    Satisfiable,
}

/// The clauses of a tree.
struct Clauses<'t> {
    terms: &'t Terms,
    encoder: Encoder,
    engine: z3::Solver,
    shared: &'t [Vec<Var>],
    predicates: Vec<FuncDecl>,
    /// Whether no predicate was found to be irrelevant.
    complete: bool,
}

impl Clauses<'_> {
    fn solve(terms: &Terms, parts: &Parts, shared: &[Vec<Var>], stop: &StopSignal) -> Result<Found, Why> {
        let Some(engine) = z3::Solver::new_for_logic("HORN") else {
            return Err(Why::Unsupported("Horn clauses".to_owned()));
        };
        engine.set_params(&params(parts.formulas.len()));
        let (encoder, predicates) = (Encoder::default(), Vec::new());
        let mut clauses = Clauses { terms, encoder, engine, shared, predicates, complete: true };
        for (node, children) in parts.children().iter().enumerate() {
            clauses.declare(node)?;
            clauses.add(node, children, parts.formulas[node], stop)?;
        }
        match clauses.engine.check() {
            SatResult::Unsat => Ok(Found::Satisfiable),
            SatResult::Sat => clauses.solution().map(|found| Found::Solution(found, clauses.complete)),
            SatResult::Unknown => {
                let reason = clauses.engine.get_reason_unknown().unwrap_or_default();
                Err(Why::GaveUp(format!("Spacer says: {reason}")))
            }
        }
    }

    /// What the predicates are.
    fn solution(&mut self) -> Result<Vec<Bool>, Why> {
        let refuse = || Why::GaveUp("Spacer does not say what it found".to_owned());
        let model = self.engine.get_model().ok_or_else(refuse)?;
        let nodes = 0..self.shared.len() - 1;
        nodes
            .map(|node| {
                let applied = self.apply(node)?;
                if !model.has_interp(&self.predicates[node]) {
                    self.complete = false;
                    return Ok(Bool::from_bool(true));
                }
                // Completion would give values to the variables.
                let meaning = model.eval(&applied, false).ok_or_else(refuse)?;
                Ok(if is_quantified(&meaning) { without_quantifiers(&meaning).unwrap_or(meaning) } else { meaning })
            })
            .collect()
    }

    /// Makes the predicate of a node. The root's has no arguments, and is to be false.
    fn declare(&mut self, node: usize) -> Result<(), Why> {
        let sorts = self.shared[node].iter().map(|var| self.encoder.sort(self.terms.var_sort(*var)));
        let sorts = sorts.collect::<Result<Vec<_>, Why>>()?;
        let predicate = FuncDecl::new(format!("P{node}"), &sorts.iter().collect::<Vec<_>>(), &z3::Sort::bool());
        self.predicates.push(predicate);
        Ok(())
    }

    /// The part and the predicates of the children imply the node's predicate.
    fn add(&mut self, node: usize, children: &[usize], part: Term, stop: &StopSignal) -> Result<(), Why> {
        let mut body = vec![self.encoder.truth(self.terms, part, stop)?];
        let mut vars = self.terms.free_vars(&[part]);
        for child in children {
            body.push(self.apply(*child)?);
            vars.extend(&self.shared[*child]);
        }
        vars.extend(&self.shared[node]);
        let head = if node + 1 == self.shared.len() { Bool::from_bool(false) } else { self.apply(node)? };
        let rule = Bool::and(&body).implies(head);
        let bound = vars.into_iter().map(|var| self.encoder.var(self.terms, var)).collect::<Result<Vec<_>, Why>>()?;
        let bound: Vec<&dyn Ast> = bound.iter().map(|var| var as &dyn Ast).collect();
        self.engine.assert(z3::ast::forall_const(&bound, &[], &rule));
        Ok(())
    }

    fn apply(&mut self, node: usize) -> Result<Bool, Why> {
        let args = self.shared[node].iter().map(|var| self.encoder.var(self.terms, *var));
        let args: Vec<Dynamic> = args.collect::<Result<_, Why>>()?;
        let args: Vec<&dyn Ast> = args.iter().map(|arg| arg as &dyn Ast).collect();
        Ok(self.predicates[node].apply(&args).as_bool().expect("a predicate is Boolean"))
    }
}

/// The settings under which each clause keeps its predicate.
fn params(parts: usize) -> Params {
    let mut params = Params::new();
    params.set_symbol("engine", "spacer");
    for transformation in ["xform.inline_linear", "xform.inline_eager", "xform.slice"] {
        params.set_bool(transformation, false);
    }
    params.set_u32("spacer.min_level", u32::try_from(parts).unwrap_or(u32::MAX));
    params
}
