//! Ill use is an error, never an answer.

use crate::support::backends;
use tamis_solver::{Answer, Bits, Diagrams, Error, Pipe, Solvers};
use tamis_term::{Sort, Terms, Value};

#[test]
fn only_booleans_are_facts() {
    let mut terms = Terms::new();
    let five = terms.bv(4, 5);
    for mut solver in backends() {
        assert_eq!(solver.assert(&terms, five), Err(Error::NotBoolean(Sort::BitVec(4))));
        assert!(matches!(solver.check(&terms, &[five]), Err(Error::NotBoolean(_))));
        assert!(matches!(solver.check(&terms, &[]), Ok(Answer::Sat(_))));
    }
}

#[test]
fn closing_what_was_not_opened_spoils_the_solver() {
    let mut terms = Terms::new();
    let no = terms.bool(false);
    for mut solver in backends() {
        solver.pop();
        assert_eq!(solver.assert(&terms, no), Err(Error::Unbalanced));
        assert!(matches!(solver.check(&terms, &[]), Err(Error::Unbalanced)));
    }
}

#[test]
fn terms_of_another_arena_are_refused() {
    let (mut here, mut there) = (Terms::new(), Terms::new());
    let x = here.declare("x", Sort::Bool);
    let x = here.var(x);
    let y = there.declare("y", Sort::Bool);
    let y = there.var(y);
    let more = there.not(y);
    for mut solver in backends() {
        assert!(matches!(solver.check(&here, &[more]), Err(Error::ForeignTerms)));
        assert!(matches!(solver.check(&here, &[x]), Ok(Answer::Sat(_))));
        assert!(matches!(solver.check(&there, &[y]), Err(Error::ForeignTerms)));
        assert!(matches!(solver.check(&Terms::new(), &[]), Err(Error::ForeignTerms)));
    }
}

#[test]
fn a_variable_that_was_never_seen_has_its_default() {
    let mut terms = Terms::new();
    let sorts = [Sort::Bool, Sort::BitVec(9), Sort::Int, Sort::array(Sort::Int, Sort::Real)];
    let vars = sorts.map(|sort| terms.declare("v", sort));
    for mut solver in backends() {
        match solver.check(&terms, &[]).unwrap() {
            Answer::Sat(model) => {
                for var in &vars {
                    assert_eq!(model.value(&terms, *var), Value::default_of(terms.var_sort(*var)));
                }
            }
            answer @ (Answer::Unsat(_) | Answer::Unknown(_)) => panic!("{answer:?}"),
        }
    }
}

#[test]
fn solvers_can_move_to_other_threads() {
    fn moves<T: Send>() {}
    moves::<Bits>();
    moves::<Diagrams>();
    moves::<Pipe>();
}

#[test]
fn what_makes_solvers_is_shared_by_threads() {
    fn shares<T: Clone + Send + Sync + std::fmt::Debug>() {}
    shares::<Solvers>();
}
