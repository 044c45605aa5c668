//! The paper's example and its footnote, the variants that lose, and the theorems on random programs.

use super::formula::{Conj, Formula};
use super::{Config, Direction, Disjuncts, Equal, Guide, Method, OPTIONS, run};
use crate::Settings;
use std::collections::BTreeSet;
use std::fmt::Write as _;
use std::sync::Arc;
use tamis_cegar::{Context, Stop};
use tamis_ir::{Program, Sources};
use tamis_term::{Sort, Terms};
use tamis_witness::{Check, Reason, Resource, Verdict, check};

const FIGURE_4: &str = include_str!("../../../../tests/corpus/guarded/numbers/figure_4.gc");
const FOOTNOTE_1: &str = include_str!("../../../../tests/corpus/guarded/numbers/footnote_1.gc");

fn lower(ctx: &mut Context, text: &str) -> Program {
    let mut sources = Sources::new();
    let file = sources.add("program.gc", text);
    let lowered = tamis_frontends::by_name("guarded").unwrap().lower_one(&mut ctx.terms, Arc::new(sources), file);
    lowered.unwrap_or_else(|refused| panic!("{:?}\n{text}", refused.errors)).program
}

fn configured(settings: &[(&str, &str)]) -> Config {
    OPTIONS.configured(&settings.iter().copied().collect::<Settings>()).unwrap()
}

/// What a method says within that many refinements, and how many it took. Its evidence is checked.
fn answer(text: &str, config: &Config, rounds: u64) -> (Result<bool, Reason>, u64) {
    let mut ctx = Context::default();
    ctx.budget.rounds = Some(rounds);
    let program = lower(&mut ctx, text);
    let property = program.default.unwrap();
    let verdict = match run(&mut ctx, &program, property, config) {
        Ok(verdict) => verdict,
        Err(Stop::GaveUp(reason)) => Verdict::Unknown(reason),
        Err(Stop::Failed(why)) => panic!("{why}\n{text}"),
    };
    let stop = ctx.budget.watch().stop;
    let checked = check(&mut ctx.terms, &program, property, &verdict, &stop);
    assert_eq!(checked, Check::Accepted, "{config:?}\n{text}\n{verdict:?}");
    let said = match verdict {
        Verdict::Safe(_) => Ok(true),
        Verdict::Unsafe(_) => Ok(false),
        Verdict::Unknown(reason) => Err(reason),
    };
    (said, ctx.statistics.rounds)
}

fn figure_4(settings: &[(&str, &str)], rounds: u64) -> (Result<bool, Reason>, u64) {
    answer(FIGURE_4, &configured(settings), rounds)
}

const OUT_OF_ROUNDS: Result<bool, Reason> = Err(Reason::OutOfBudget(Resource::Rounds));

#[test]
fn method_1_backward_proves_figure_4_in_four_rounds() {
    // The fixpoint is computed four times, with three refinements between.
    assert_eq!(figure_4(&[("method", "1"), ("direction", "backward")], 10), (Ok(true), 3));
}

#[test]
fn method_1_forward_does_not_end_on_figure_4() {
    assert_eq!(figure_4(&[("method", "1"), ("direction", "forward")], 12), (OUT_OF_ROUNDS, 12));
}

#[test]
fn method_2_forward_proves_figure_4_if_x_is_dropped() {
    let forward = ("direction", "forward");
    assert_eq!(figure_4(&[("method", "2"), forward, ("oracle", "x")], 10).0, Ok(true));
    assert_eq!(figure_4(&[("method", "2"), forward, ("oracle", "nothing")], 10).0, OUT_OF_ROUNDS);
    assert_eq!(figure_4(&[("method", "2"), forward, ("oracle", "0/0/x")], 10).0, Ok(true));
    assert_eq!(figure_4(&[("method", "2"), forward, ("oracle", "search")], 10).0, Ok(true));
}

#[test]
fn method_2_backward_proves_figure_4_if_z_is_dropped() {
    assert_eq!(figure_4(&[("method", "2"), ("oracle", "z")], 12).0, Ok(true));
    assert_eq!(figure_4(&[("method", "2"), ("oracle", "x")], 12).0, OUT_OF_ROUNDS);
    assert_eq!(figure_4(&[("method", "2"), ("oracle", "search")], 12).0, Ok(true));
}

#[test]
fn method_3_proves_figure_4() {
    assert_eq!(figure_4(&[("method", "3")], 10).0, Ok(true));
}

#[test]
fn method_1_forward_proves_figure_4_if_equations_are_split() {
    let forward = [("method", "1"), ("direction", "forward"), ("equalities", "split")];
    assert_eq!(figure_4(&forward, 10).0, Ok(true));
}

#[test]
fn widening_by_stability_proves_figure_4_if_equations_are_split() {
    let stable = [("method", "2"), ("direction", "forward"), ("oracle", "stability"), ("equalities", "split")];
    assert_eq!(figure_4(&stable, 20).0, Ok(true));
}

#[test]
fn without_unsatisfiable_disjuncts_figure_4_is_lost() {
    let broken = [("method", "1"), ("disjuncts", "satisfiable")];
    assert_eq!(figure_4(&broken, 12), (OUT_OF_ROUNDS, 12));
}

#[test]
fn the_converse_of_the_theorems_does_not_hold() {
    assert_eq!(answer(FOOTNOTE_1, &configured(&[("method", "1")]), 10).0, Ok(true));
    assert_eq!(answer(FOOTNOTE_1, &configured(&[("method", "3")]), 10).0, Ok(true));
    for direction in ["forward", "backward"] {
        let search = [("method", "2"), ("direction", direction), ("oracle", "search")];
        assert_eq!(answer(FOOTNOTE_1, &configured(&search), 12).0, OUT_OF_ROUNDS, "{direction}");
    }
}

#[test]
fn a_variable_that_there_is_not_cannot_be_dropped() {
    let (said, _) = figure_4(&[("method", "2"), ("oracle", "w")], 10);
    assert_eq!(said, Err(Reason::Unsupported("there is no variable w to drop".into())));
}

#[test]
fn errors_are_found_by_every_method() {
    let text = include_str!("../../../../tests/corpus/guarded/numbers/figure_4_with_an_error.gc");
    let choices = include_str!("../../../../tests/corpus/guarded/numbers/choices.gc");
    for settings in [
        &[("method", "1")][..],
        &[("method", "1"), ("direction", "forward")],
        &[("method", "2"), ("oracle", "z")],
        &[("method", "2"), ("direction", "forward"), ("oracle", "x")],
        &[("method", "3")],
    ] {
        assert_eq!(answer(text, &configured(settings), 14).0, Ok(false), "{settings:?}");
        let unnamed: Vec<(&str, &str)> = settings.iter().copied().filter(|(name, _)| *name != "oracle").collect();
        assert_eq!(answer(choices, &configured(&unnamed), 14).0, Ok(false), "{settings:?}");
    }
}

#[test]
fn the_order_of_the_lattice_is_strictly_weaker_than_entailment() {
    let mut terms = Terms::new();
    let x = terms.declare("x", Sort::Int);
    let x = terms.var(x);
    let [zero, one] = [0, 1].map(|value| terms.int(value));
    let [least, next] = [terms.le(zero, x), terms.le(one, x)];
    let formula = |conjs: &[&[tamis_term::Term]]| Formula {
        disjuncts: conjs.iter().map(|conj| conj.iter().copied().collect::<Conj>()).collect(),
    };
    let (both, either) = (formula(&[&[least, next]]), formula(&[&[least], &[next]]));
    assert!(both.is_below(&either) && !either.is_below(&both));
    // 1 ≤ x entails 0 ≤ x, but these are different atoms.
    assert!(!formula(&[&[next]]).is_below(&formula(&[&[least]])));
}

/// A random program over two variables that stay between 0 and 3, with three places.
fn random_program(rng: &mut fastrand::Rng) -> String {
    let atom = |rng: &mut fastrand::Rng| {
        let var = ["x", "y"][rng.usize(..2)];
        let other = if rng.u8(..4) == 0 { "y".to_owned() } else { rng.u8(..4).to_string() };
        format!("{var} {} {other}", ["=", "!=", "<=", ">="][rng.usize(..4)])
    };
    let mut text = String::from("control pc: p, q, r;\nvar x, y: int;\n");
    text += "init pc = p & x = 0 & y >= 0 & y <= 3;\n";
    writeln!(text, "unsafe pc = r & {};", atom(rng)).unwrap();
    for _ in 0..rng.usize(2..6) {
        let places = ["p", "q", "r"];
        let (from, to) = (places[rng.usize(..3)], places[rng.usize(..3)]);
        let var = ["x", "y"][rng.usize(..2)];
        let update = match rng.u8(..4) {
            0 => format!("{var} := {}", rng.u8(..4)),
            1 => format!("{var} := {var} + 1"),
            2 => format!("{var} := {var} - 1"),
            _ => "x := y".to_owned(),
        };
        let guard = atom(rng);
        // The values stay within bounds.
        let bounds = match update.split_whitespace().nth(3) {
            Some("+") => format!(" & {var} < 3"),
            Some("-") => format!(" & {var} > 0"),
            _ => String::new(),
        };
        writeln!(text, "pc = {from} & {guard}{bounds} -> pc := {to}, {update};").unwrap();
    }
    text
}

/// Whether no unsafe state can be reached, as another engine says.
fn is_safe(text: &str) -> bool {
    let mut ctx = Context::default();
    let program = lower(&mut ctx, text);
    let verdict = crate::configurable::run(
        &mut ctx,
        &program,
        program.default.unwrap(),
        &crate::configurable::predicate(tamis_refiners::interpolation::Strategy::Sequence),
    );
    matches!(verdict.expect("a finite question"), Verdict::Safe(_))
}

/// Theorems 1 and 2: whenever Method II succeeds with some schedule that the search finds, Method I
/// backward and Method III succeed. And nobody says what is wrong.
#[test]
fn methods_1_and_3_succeed_whenever_method_2_does() {
    let mut rng = fastrand::Rng::with_seed(2002);
    let (mut proved, mut refuted) = (0, 0);
    for _ in 0..60 {
        let text = random_program(&mut rng);
        let expected = is_safe(&text);
        for direction in [Direction::Backward, Direction::Forward] {
            let search = Config { method: Method::Widening, oracle: Guide::Search, direction, ..Config::default() };
            let (said, _) = answer(&text, &search, 8);
            assert!(said.as_ref().map_or(true, |said| *said == expected), "{text}");
            if said == Ok(true) && direction == Direction::Backward {
                proved += 1;
                for method in [Method::Abstraction, Method::Dual] {
                    let config = Config { method, ..Config::default() };
                    assert_eq!(answer(&text, &config, 20).0, Ok(true), "{method:?}\n{text}");
                }
            }
            if said == Ok(true) && direction == Direction::Forward {
                assert_eq!(
                    answer(&text, &Config { method: Method::Dual, ..Config::default() }, 20).0,
                    Ok(true),
                    "{text}"
                );
            }
        }
        refuted += usize::from(!expected);
    }
    println!("{proved} proved backward, {refuted} unsafe");
    assert!(proved >= 15 && refuted >= 5, "{proved} proved, {refuted} unsafe");
}

/// The names of options are those that the configuration prints.
#[test]
fn configurations_are_read_back() {
    let config = configured(&[
        ("method", "2"),
        ("direction", "forward"),
        ("oracle", "x+y/0/pc"),
        ("equalities", "split"),
        ("disjuncts", "satisfiable"),
        ("rounds", "9"),
    ]);
    let script = vec![vec!["x".to_owned(), "y".to_owned()], vec![], vec!["pc".to_owned()]];
    let expected = Config {
        method: Method::Widening,
        direction: Direction::Forward,
        oracle: Guide::Script(script),
        equalities: Equal::Split,
        disjuncts: Disjuncts::Satisfiable,
        rounds: Some(9),
    };
    assert_eq!(config, expected);
    let names: BTreeSet<&str> = OPTIONS.knobs.iter().map(|knob| knob.name).collect();
    assert_eq!(names.len(), OPTIONS.knobs.len());
    for knob in OPTIONS.knobs {
        let mut other = Config::default();
        (knob.set)(&mut other, &(knob.get)(&config)).unwrap();
        assert_eq!((knob.get)(&other), (knob.get)(&config));
    }
}
