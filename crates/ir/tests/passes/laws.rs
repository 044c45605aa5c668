//! The laws of passes on random programs: the verdict stays, traces and proofs find back.

use crate::explicit::{self, Known, all};
use crate::random::{self, Taste};
use std::collections::{HashMap, VecDeque};
use tamis_ir::passes::{self, EQUATIONS, EXACT, INLINE, PROPAGATE, PRUNE, Pass, SLICE, inline};
use tamis_ir::validate::validate;
use tamis_ir::{Action, Config, Interpreter, Loc, Program, PropertyId, Trace};
use tamis_term::{Terms, Value};

/// The pipelines under test.
const PIPELINES: &[&[&Pass]] = &[
    &[],
    &[&PRUNE],
    &[&SLICE],
    &[&INLINE],
    &[&PRUNE, &SLICE],
    &[&SLICE, &PRUNE],
    &[&PRUNE, &SLICE, &PRUNE],
    &[&INLINE, &PRUNE, &SLICE, &PRUNE],
    &[&INLINE, &SLICE],
];

/// The pipelines that put in what is known.
const WITH_FACTS: &[&[&Pass]] = &[
    &[&PROPAGATE],
    &[&PROPAGATE, &SLICE],
    &[&PRUNE, &PROPAGATE, &PRUNE, &SLICE],
    &[&INLINE, &PRUNE, &PROPAGATE, &SLICE],
    &[&EQUATIONS],
    &[&PRUNE, &SLICE, &EQUATIONS],
    &[&INLINE, &PROPAGATE, &EQUATIONS],
];

/// The pipelines that make integers of words.
const WITH_INTEGERS: &[&[&Pass]] = &[&[&EXACT], &[&INLINE, &PRUNE, &SLICE, &EXACT]];

/// The shortest trace to a goal, found among the first `limit` configurations.
pub fn search(terms: &Terms, program: &Program, goals: &[Loc], limit: usize) -> Option<Trace> {
    let mut interpreter = Interpreter::new(terms, program);
    let mut queue: VecDeque<Config> = VecDeque::new();
    let mut from: HashMap<Config, Option<(Config, Action)>> = HashMap::new();
    for start in all(terms, &interpreter.start_vars()) {
        let config = interpreter.start(start).unwrap();
        from.insert(config.clone(), None);
        queue.push_back(config);
    }
    while let Some(config) = queue.pop_front() {
        if goals.contains(&config.loc()) {
            return Some(trace(&mut interpreter, &from, config));
        }
        for action in actions(terms, program, &mut interpreter, &config) {
            let mut next = config.clone();
            interpreter.step(&mut next, &action).unwrap();
            if from.len() < limit && !from.contains_key(&next) {
                from.insert(next.clone(), Some((config.clone(), action)));
                queue.push_back(next);
            }
        }
    }
    None
}

fn actions(terms: &Terms, program: &Program, interpreter: &mut Interpreter, config: &Config) -> Vec<Action> {
    if config.loc() == program.proc(config.proc()).exit {
        return if config.depth() > 0 { vec![Action::Return] } else { vec![] };
    }
    let mut actions = Vec::new();
    for edge in interpreter.out_edges(config.loc()).to_vec() {
        if !interpreter.blocks(config, edge) {
            let inputs = all(terms, &interpreter.inputs(edge));
            actions.extend(inputs.into_iter().map(|inputs| Action::Take { edge, inputs }));
        }
    }
    actions
}

fn trace(interpreter: &mut Interpreter, from: &HashMap<Config, Option<(Config, Action)>>, end: Config) -> Trace {
    let (mut actions, mut config) = (Vec::new(), end);
    while let Some((before, action)) = &from[&config] {
        actions.push(action.clone());
        config = before.clone();
    }
    actions.reverse();
    let start = interpreter.start_vars().iter().map(|var| interpreter.value(&config, *var).unwrap().clone()).collect();
    interpreter.record(start, actions).unwrap()
}

/// Expects a trace of `program` that is recorded faithfully and ends at a location of the property.
pub fn expect_error_trace(terms: &Terms, program: &Program, property: PropertyId, trace: &Trace) {
    let mut interpreter = Interpreter::new(terms, program);
    let start: Vec<Value> = trace.start.iter().map(|(_, value)| value.clone()).collect();
    let actions = trace.steps.iter().map(|step| step.action.clone()).collect();
    let recorded = interpreter.record(start.clone(), actions).expect("every step can be taken");
    assert_eq!(recorded, *trace, "the trace says what the program does");
    let mut config = interpreter.start(start).unwrap();
    for step in &trace.steps {
        interpreter.step(&mut config, &step.action).unwrap();
    }
    assert!(program.property(property).locs.contains(&config.loc()), "the trace ends at location {:?}", config.loc());
}

/// The program that a proof speaks about.
fn subject(terms: &mut Terms, program: &Program, proof: &tamis_ir::Proof) -> Program {
    inline::expand(terms, program, &proof.inlined).unwrap().program
}

/// Whether the frames of a program are small enough to enumerate.
fn small(terms: &Terms, program: &Program) -> bool {
    let olds = program.globals.len() as u64 * 2;
    program.procs().all(|(id, proc)| {
        explicit::bits(terms, &explicit::scope(program, id)) + explicit::bits(terms, &proc.params) + olds <= 13
    })
}

/// Proofs about `new`: the strongest one, and weaker ones from random seeds that happen to be safe.
fn proofs(rng: &mut fastrand::Rng, terms: &mut Terms, new: &Program, property: PropertyId) -> Vec<tamis_ir::Proof> {
    let homes: Vec<_> = explicit::homes(new).into_iter().collect();
    let mut found = Vec::new();
    for seeds in [0, 1, 1, 2, 3] {
        let seeds: Vec<(Loc, Known)> = (0..seeds)
            .map(|_| {
                let (loc, proc) = homes[rng.usize(..homes.len())];
                let mut pick = |vars: &[tamis_term::Var]| {
                    let rows = all(terms, vars);
                    rows[rng.usize(..rows.len())].clone()
                };
                let old = pick(&new.globals.iter().chain(&new.proc(proc).params).copied().collect::<Vec<_>>());
                (loc, (old, pick(&explicit::scope(new, proc))))
            })
            .collect();
        let reached = explicit::saturate(terms, new, &seeds);
        if !explicit::is_unsafe(new, property, &reached) {
            let proof = explicit::proof(terms, new, &reached);
            found.push(proof);
        }
    }
    found
}

/// What a run of the laws came across.
#[derive(Debug, Default)]
struct Count {
    safe: usize,
    traces: usize,
    proofs: usize,
    fewer_edges: usize,
    fewer_vars: usize,
}

fn size(program: &Program) -> (usize, usize) {
    let vars: usize = program.procs.iter().map(|proc| proc.vars().count()).sum();
    (program.edges().count(), vars + program.globals.len())
}

fn check_laws(seed: u64, taste: Taste, passes: &[&Pass], count: &mut Count) {
    let mut rng = fastrand::Rng::with_seed(seed);
    let mut terms = Terms::new();
    let program = random::program(&mut rng, &mut terms, taste);
    validate(&terms, &program).unwrap();
    let property = PropertyId::new(0);
    let (new, back) = passes::pipeline(&mut terms, &program, property, passes);
    validate(&terms, &new).unwrap();
    assert_eq!(new.property(property).name, "error");
    if !small(&terms, &program) || !small(&terms, &new) {
        return;
    }
    let wrong = explicit::is_unsafe(&program, property, &explicit::saturate(&terms, &program, &[]));
    let new_wrong = explicit::is_unsafe(&new, property, &explicit::saturate(&terms, &new, &[]));
    assert_eq!(wrong, new_wrong, "the verdict changed");
    count.fewer_edges += usize::from(size(&new).0 < size(&program).0);
    count.fewer_vars += usize::from(size(&new).1 < size(&program).1);
    if wrong {
        if let Some(trace) = search(&terms, &new, &new.property(property).locs, 20_000) {
            expect_error_trace(&terms, &program, property, &back.trace(&terms, trace));
            count.traces += 1;
        }
        return;
    }
    count.safe += 1;
    for proof in proofs(&mut rng, &mut terms, &new, property) {
        assert_eq!(explicit::check(&terms, &new, property, &proof), Ok(()), "the test's own proof");
        let proof = back.proof(&mut terms, proof);
        let subject = subject(&mut terms, &program, &proof);
        if small(&terms, &subject) {
            assert_eq!(explicit::check(&terms, &subject, property, &proof), Ok(()));
            count.proofs += 1;
        }
    }
}

/// Runs the laws for a range of seeds and some pipelines.
fn run(seeds: std::ops::Range<u64>, taste: Taste, pipelines: &[&[&Pass]]) {
    for passes in pipelines {
        let mut count = Count::default();
        let names: Vec<&str> = passes.iter().map(|pass| pass.name).collect();
        for seed in seeds.clone() {
            let law = std::panic::AssertUnwindSafe(|| check_laws(seed, taste, passes, &mut count));
            if let Err(panic) = std::panic::catch_unwind(law) {
                eprintln!("seed {seed}, passes {names:?}");
                std::panic::resume_unwind(panic);
            }
        }
        println!("{names:?}: {count:?}");
        assert!(count.safe > 0 && count.traces > 0 && count.proofs > 0, "{names:?} was hardly tested: {count:?}");
    }
}

/// `SEEDS=5000 cargo test --release -p tamis-ir --test passes laws` tries more.
fn seeds(usual: u64) -> std::ops::Range<u64> {
    0..std::env::var("SEEDS").ok().and_then(|seeds| seeds.parse().ok()).unwrap_or(usual)
}

#[test]
fn passes_keep_verdicts_and_evidence_on_random_programs() {
    run(seeds(50), Taste::Bits, PIPELINES);
}

#[test]
fn facts_keep_verdicts_and_evidence_on_random_programs() {
    run(seeds(50), Taste::Bits, WITH_FACTS);
    run(seeds(20), Taste::Words, WITH_FACTS);
}

#[test]
fn exact_integers_keep_verdicts_and_evidence_on_random_programs() {
    run(seeds(30), Taste::Words, WITH_INTEGERS);
}
