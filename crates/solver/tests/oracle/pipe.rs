//! Solvers as processes: one that misbehaves at every question in every way, and Z3.

use crate::garden::{Dice, Garden};
use crate::support::{Truth, check_against, is_sat};
use std::fs;
use std::path::Path;
use std::process::Command;
use std::time::{Duration, Instant};
use tamis_solver::{Answer, Chosen, Error, Limit, Pipe, QueryLog, Solver, Solvers, StopSignal, Why};
use tamis_term::{Fun, Sort, Term, Terms};
use tamis_testing::find;
use tamis_testing::tools::Z3;

/// What a question may end in besides the right answer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Allowed {
    /// Nothing else.
    Right,
    Unknown,
    Broken,
}

/// All ways to misbehave, and what they lead to where they show in a question that is
/// satisfiable and in one that is not.
const MOODS: &[(&str, Allowed, Allowed)] = &[
    ("good", Allowed::Right, Allowed::Right),
    ("mumble", Allowed::Right, Allowed::Right),
    ("unknown", Allowed::Unknown, Allowed::Unknown),
    ("hang", Allowed::Unknown, Allowed::Unknown),
    ("hang-twice", Allowed::Unknown, Allowed::Unknown),
    ("silence", Allowed::Broken, Allowed::Broken),
    ("garbage", Allowed::Broken, Allowed::Broken),
    ("close", Allowed::Broken, Allowed::Broken),
    ("binary", Allowed::Broken, Allowed::Broken),
    ("both", Allowed::Broken, Allowed::Broken),
    ("error", Allowed::Broken, Allowed::Broken),
    ("flood", Allowed::Unknown, Allowed::Unknown),
    ("die", Allowed::Broken, Allowed::Broken),
    ("killed", Allowed::Broken, Allowed::Broken),
    ("deaf", Allowed::Broken, Allowed::Broken),
    ("mute", Allowed::Broken, Allowed::Broken),
    ("wrong-model", Allowed::Unknown, Allowed::Right),
    ("no-model", Allowed::Unknown, Allowed::Right),
    ("odd-model", Allowed::Unknown, Allowed::Right),
    ("bad-core", Allowed::Right, Allowed::Broken),
    ("odd-core", Allowed::Right, Allowed::Right),
    ("foreign-core", Allowed::Right, Allowed::Right),
    ("no-core", Allowed::Right, Allowed::Right),
    ("die-later", Allowed::Broken, Allowed::Broken),
];

/// Facts and assumptions over two Boolean variables.
struct World {
    terms: Terms,
    x: Term,
    y: Term,
    not_x: Term,
}

fn world() -> World {
    let mut terms = Terms::new();
    let [x, y] = ["x", "y"].map(|name| terms.declare(name, Sort::Bool)).map(|var| terms.var(var));
    let not_x = terms.not(x);
    World { terms, x, y, not_x }
}

fn fake(folder: &Path, at: usize, mood: &str) -> String {
    let script = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/oracle/fake.sh");
    format!("sh {script} {} {at} {mood}", folder.display())
}

/// Whether a process of the group is left that is not a mere record of its end.
fn is_alive(group: &str) -> bool {
    let processes = fs::read_dir("/proc").into_iter().flatten().flatten();
    processes.filter_map(|entry| fs::read_to_string(entry.path().join("stat")).ok()).any(|stat| {
        // The name before may hold anything, even parentheses: state, parent, group.
        let mut rest = stat.rsplit(')').next().unwrap_or_default().split_whitespace();
        rest.next() != Some("Z") && rest.nth(1) == Some(group)
    })
}

/// Waits a little until all processes that the fake solver was are gone.
fn assert_nobody_is_left(folder: &Path) {
    let pids = fs::read_to_string(folder.join("pids")).unwrap_or_default();
    let start = Instant::now();
    while pids.lines().any(is_alive) {
        assert!(start.elapsed() < Duration::from_secs(20), "a process is left");
        std::thread::sleep(Duration::from_millis(10));
    }
}

/// What the k-th of four questions has for an answer: satisfiable or not.
fn ask(world: &World, solver: &mut dyn Solver, question: usize) -> Result<Result<bool, Why>, Error> {
    let World { terms, x, y, not_x } = world;
    let assumptions = &[vec![], vec![*not_x], vec![*y], vec![*not_x, *y]][question - 1];
    Ok(match solver.check(terms, assumptions)? {
        Answer::Sat(model) => {
            assert!(assumptions.iter().chain([x]).all(|term| model.eval(terms, *term).as_bool()));
            Ok(true)
        }
        Answer::Unsat(core) => {
            assert!(core.assumptions().iter().all(|term| assumptions.contains(term)));
            assert!(core.assumptions().contains(not_x), "the core suffices");
            Ok(false)
        }
        Answer::Unknown(why) => Err(why),
    })
}

#[test]
fn whatever_a_solver_does_it_leads_to_no_wrong_answer_and_leaves_nobody() {
    let world = world();
    for (mood, when_sat, when_unsat) in MOODS {
        for at in 1..=4 {
            let folder = tempfile::tempdir().unwrap();
            let mut solver = Pipe::new(&fake(folder.path(), at, mood), StopSignal::never());
            let hangs = *when_sat == Allowed::Unknown && mood.starts_with(['h', 'f']);
            solver.assert(&world.terms, world.x).unwrap();
            for question in 1..=4 {
                let (expected, allowed) = if question % 2 == 1 { (true, when_sat) } else { (false, when_unsat) };
                let allowed = if question == at { *allowed } else { Allowed::Right };
                let time = (hangs && question == at).then_some(Duration::from_millis(300));
                solver.limit(Limit { time, steps: None });
                let found = match ask(&world, &mut solver, question) {
                    Ok(Ok(found)) => {
                        assert_eq!(found, expected, "{mood} at {at}, question {question}");
                        Allowed::Right
                    }
                    Ok(Err(why)) => {
                        assert!(matches!(why, Why::GaveUp(_)), "{why}");
                        Allowed::Unknown
                    }
                    Err(Error::Backend(message)) => {
                        assert!(message.contains("fake.sh"), "{message}");
                        Allowed::Broken
                    }
                    Err(error) => panic!("{error}"),
                };
                assert_eq!(found, allowed, "{mood} at {at}, question {question}");
            }
            drop(solver);
            assert_nobody_is_left(folder.path());
        }
    }
}

#[test]
fn a_solver_that_does_not_know_all_logics_gets_a_small_one() {
    let world = world();
    let folder = tempfile::tempdir().unwrap();
    let mut solver = Pipe::new(&fake(folder.path(), 1, "narrow"), StopSignal::never());
    solver.assert(&world.terms, world.x).unwrap();
    assert_eq!(ask(&world, &mut solver, 1), Ok(Ok(true)));
    assert!(folder.path().join("logic").exists());
    drop(solver);
    assert_nobody_is_left(folder.path());
}

#[test]
fn the_signal_ends_a_process_that_hangs() {
    let world = world();
    let folder = tempfile::tempdir().unwrap();
    let start = Instant::now();
    let stop = StopSignal::when(move || start.elapsed() > Duration::from_millis(200));
    let mut solver = Pipe::new(&fake(folder.path(), 1, "hang-twice"), stop);
    assert_eq!(ask(&world, &mut solver, 1), Ok(Err(Why::Interrupted)));
    assert_nobody_is_left(folder.path());
}

#[test]
fn a_command_that_is_no_solver_is_an_error_that_names_it() {
    let world = world();
    for (command, reason) in [
        ("no-such-solver --incremental", "cannot be run"),
        ("false", "ended with"),
        ("", "no command"),
        ("/dev/null", "cannot be run"),
        ("echo hello", "ended with"),
    ] {
        let mut solver = Pipe::new(command, StopSignal::never());
        for question in [1, 2] {
            let Err(Error::Backend(message)) = ask(&world, &mut solver, question) else { panic!("{command}") };
            assert!(message.contains(command) && message.contains(reason), "{message}");
        }
    }
}

const HELPER: &str = "TAMIS_TEST_FOLDER_OF_A_SOLVER_THAT_OUTLIVES_US";

/// What the next test runs in a process of its own.
#[test]
fn helper_that_waits_for_a_solver() {
    if let Ok(folder) = std::env::var(HELPER) {
        let mut solver = Pipe::new(&fake(Path::new(&folder), 1, "hang-twice"), StopSignal::never());
        let _ = ask(&world(), &mut solver, 1);
    }
}

#[test]
fn a_solver_does_not_outlive_us() {
    let folder = tempfile::tempdir().unwrap();
    let mut us = Command::new(std::env::current_exe().unwrap())
        .args(["--exact", "pipe::helper_that_waits_for_a_solver"])
        .env(HELPER, folder.path())
        .stdout(std::process::Stdio::null())
        .spawn()
        .unwrap();
    let start = Instant::now();
    while !folder.path().join("count").exists() {
        assert!(start.elapsed() < Duration::from_secs(20), "it does not start");
        std::thread::sleep(Duration::from_millis(10));
    }
    us.kill().unwrap();
    us.wait().unwrap();
    assert_nobody_is_left(folder.path());
}

fn grown(seed: u64, sorts: &[Sort]) -> Garden {
    let mut random = fastrand::Rng::with_seed(seed);
    let mut garden = Garden::new(sorts);
    let mut dice = Dice::new((0..100).map(|_| random.u32(..)).collect());
    while !dice.is_empty() {
        garden.grow(&mut dice);
    }
    garden
}

#[test]
fn z3_as_a_process_agrees_with_brute_force() {
    let Some(z3) = find(&Z3) else { return };
    let sorts = [Sort::BitVec(3), Sort::array(Sort::BitVec(1), Sort::BitVec(2)), Sort::Bool];
    for seed in 0..20 {
        let garden = grown(seed, &sorts);
        let booleans = garden.booleans();
        let truth = Truth::new(&garden.terms, &garden.vars, booleans.clone());
        let mut solver = Pipe::new(&format!("{} -in", z3.display()), StopSignal::never());
        let mut random = fastrand::Rng::with_seed(seed);
        let mut scopes: Vec<Vec<Term>> = vec![Vec::new()];
        for _ in 0..40 {
            match random.u32(..6) {
                0 => {
                    let fact = booleans[random.usize(..booleans.len())];
                    solver.assert(&garden.terms, fact).unwrap();
                    scopes.last_mut().unwrap().push(fact);
                }
                1 => {
                    solver.push();
                    scopes.push(Vec::new());
                }
                2 if scopes.len() > 1 => {
                    solver.pop();
                    scopes.pop();
                }
                _ => {
                    let count = random.usize(..4);
                    let assumptions: Vec<Term> = (0..count).map(|_| booleans[random.usize(..booleans.len())]).collect();
                    check_against(&truth, &garden.terms, &mut solver, &scopes.concat(), &assumptions);
                }
            }
        }
    }
}

/// Names that need quotes, numbers that need them, and divisions by zero.
fn odd_questions(terms: &mut Terms) -> Vec<Vec<Term>> {
    let [x, y, z] = ["let", "a|b", "assumed!3"].map(|name| terms.declare(name, Sort::Int));
    let [x, y, z] = [x, y, z].map(|var| terms.var(var));
    let real = terms.declare("real one", Sort::Real);
    let real = terms.var(real);
    let (zero, minus, half) = (terms.int(0), terms.int(-7), terms.read("(/ 1.0 2.0)").unwrap());
    let (quotient, rest) = (terms.app(Fun::IntDiv, &[x, y]), terms.app(Fun::IntMod, &[x, y]));
    let ratio = terms.app(Fun::RealDiv, &[half, real]);
    let none = terms.read("0.0").unwrap();
    let at_zero = terms.eq(y, zero);
    let (is_zero, is_minus) = (terms.eq(quotient, zero), terms.eq(rest, minus));
    let odd = terms.not(is_zero);
    let (nothing, something) = (terms.eq(real, none), terms.lt(none, ratio));
    let named = terms.lt(z, zero);
    vec![
        vec![at_zero, is_minus],
        vec![at_zero, odd],
        vec![odd, is_minus],
        vec![nothing, something],
        vec![something, named],
        vec![],
    ]
}

#[test]
fn processes_mean_what_terms_mean() {
    let Some(z3) = find(&Z3) else { return };
    let mut terms = Terms::new();
    let questions = odd_questions(&mut terms);
    let command = Chosen::Command(format!("{} -in", z3.display()));
    for chosen in [command, Chosen::Auto] {
        let solvers = Solvers { chosen, ..Solvers::default() };
        let mut solver = solvers.fresh(&terms, &[]).unwrap();
        let answers: Vec<bool> = questions.iter().map(|question| is_sat(solver.as_mut(), &terms, question)).collect();
        assert_eq!(answers, [true, false, false, false, true, true]);
    }
}

#[test]
fn logged_questions_can_be_asked_again() {
    let folder = tempfile::tempdir().unwrap();
    let log = Some(QueryLog::new(folder.path()));
    for name in ["auto", "z3", "bits"] {
        let solvers = Solvers { log: log.clone(), chosen: Chosen::named(name).unwrap(), ..Solvers::default() };
        for seed in 0..5 {
            let garden = grown(seed, &[Sort::BitVec(3), Sort::BitVec(3), Sort::Bool]);
            let booleans = garden.booleans();
            let mut solver = solvers.fresh(&garden.terms, &booleans).unwrap();
            solver.assert(&garden.terms, booleans[0]).unwrap();
            solver.push();
            solver.assert(&garden.terms, booleans[1]).unwrap();
            solver.check(&garden.terms, &booleans[2..4]).unwrap();
            solver.pop();
            solver.check(&garden.terms, &booleans[3..]).unwrap();
        }
    }
    let mut terms = Terms::new();
    let questions = odd_questions(&mut terms);
    let mut solver = Solvers { log, ..Solvers::default() }.fresh(&terms, &[]).unwrap();
    for question in &questions {
        solver.check(&terms, question).unwrap();
    }
    assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 3 * 5 * 2 + questions.len());
    assert!(folder.path().join("0001.smt2").exists() && folder.path().join("0036.smt2").exists());

    let Some(z3) = find(&Z3) else { return };
    let (mut sat, mut unsat) = (0, 0);
    for entry in fs::read_dir(folder.path()).unwrap() {
        let path = entry.unwrap().path();
        let said = Command::new(&z3).arg(&path).output().unwrap();
        let said = String::from_utf8(said.stdout).unwrap();
        let text = fs::read_to_string(&path).unwrap();
        assert!(text.contains(&format!("(set-info :status {})", said.trim())), "{}: {said}\n{text}", path.display());
        *(if said.trim() == "sat" { &mut sat } else { &mut unsat }) += 1;
    }
    assert!(sat > 5 && unsat > 5, "{sat} and {unsat}");
}

#[test]
fn a_log_that_cannot_be_written_is_an_error() {
    let mut terms = Terms::new();
    let yes = terms.bool(true);
    let log = Some(QueryLog::new("/nonexistent/folder"));
    let mut solver = Solvers { log, ..Solvers::default() }.fresh(&terms, &[]).unwrap();
    assert!(matches!(solver.check(&terms, &[yes]), Err(Error::Backend(_))));
}
