//! Proofs that are too hard for one of the two solvers, and proofs of many procedures.
//!
//! The hard invariants say that the number of ones in a word is even, each in another order of
//! the bits: a SAT solver has to go through most words to see that they agree, and diagrams do
//! not care. The program: `main { havoc x; assume(even(x)); x := x ^ 3; x := x ^ 5; r := f(x);
//! assume(!even(r)): error }` with `f(p) returns q { q := p ^ 6 }`.

use std::collections::BTreeMap;
use std::sync::atomic::{AtomicUsize, Ordering};
use tamis_ir::{Loc, Op, ProcId, Program, Proof, Property, PropertyId, Span};
use tamis_solver::bits::{Bits, Config, Contradictions};
use tamis_solver::{Answer, Limit, Solver, Why};
use tamis_term::{Fun, Sort, Substitution, Term, Terms, Var};
use tamis_witness::{Check, StopSignal, Verdict, check};

const WIDTH: u32 = 48;

struct Example {
    terms: Terms,
    program: Program,
    property: PropertyId,
    x: Var,
    r: Var,
    p: Var,
    q: Var,
    old_p: Var,
    /// main: behind `havoc`, the first `assume`, both assignments, the call.
    locs: [Loc; 5],
}

/// That the number of ones is even, asked in an order of the bits that depends on the seed.
fn even(terms: &mut Terms, var: Var, seed: u64) -> Term {
    let (word, one) = (terms.var(var), terms.bv(1, 1));
    let mut order: Vec<u32> = (0..WIDTH).collect();
    fastrand::Rng::with_seed(seed).shuffle(&mut order);
    let mut odd = terms.bool(false);
    for at in order {
        let bit = terms.extract(word, at, at);
        let bit = terms.eq(bit, one);
        odd = terms.xor(odd, bit);
    }
    terms.not(odd)
}

fn example() -> Example {
    let mut terms = Terms::new();
    let mut program = Program::new(std::sync::Arc::default());
    let span = Span::default();
    let (main, flip) = (program.add_proc("main", span), program.add_proc("f", span));
    let word = || Sort::BitVec(WIDTH);
    let [x, r, p, q, old_p] = ["x", "r", "p", "q", "old(p)"].map(|name| terms.declare(name, word()));
    program.procs[0].locals.extend([x, r]);
    program.procs[1].params.push(p);
    program.procs[1].results.push(q);
    let locs = [(); 5].map(|()| program.add_loc(span));
    let error = program.add_loc(span);
    let (entry, start, exit) = (program.procs[0].entry, program.procs[1].entry, program.procs[1].exit);
    let flipped = |terms: &mut Terms, var: Var, bits: u64| {
        let (word, bits) = (terms.var(var), terms.bv(WIDTH, bits));
        terms.app(Fun::BvXor, &[word, bits])
    };
    let (first, last) = (even(&mut terms, x, 1), even(&mut terms, r, 2));
    let (three, five, six) = (flipped(&mut terms, x, 3), flipped(&mut terms, x, 5), flipped(&mut terms, p, 6));
    let (x_term, bad) = (terms.var(x), terms.not(last));
    program.add_edge(main, entry, locs[0], Op::Havoc(vec![x]), span);
    program.add_edge(main, locs[0], locs[1], Op::Assume(first), span);
    program.add_edge(main, locs[1], locs[2], Op::Assign(vec![(x, three)]), span);
    program.add_edge(main, locs[2], locs[3], Op::Assign(vec![(x, five)]), span);
    let call = Op::Call { callee: flip, args: vec![x_term], results: vec![r] };
    program.add_edge(main, locs[3], locs[4], call, span);
    program.add_edge(main, locs[4], error, Op::Assume(bad), span);
    program.add_edge(flip, start, exit, Op::Assign(vec![(q, six)]), span);
    let property = Property::new("error", "the error is reached", vec![error]);
    let property = program.add_property(property);
    Example { terms, program, property, x, r, p, q, old_p, locs }
}

impl Example {
    fn proof(&mut self) -> Proof {
        let Example { terms, program, x, r, p, q, old_p, locs, .. } = self;
        let mut proof = Proof { old: BTreeMap::from([(*p, *old_p)]), ..Proof::default() };
        let yes = terms.bool(true);
        proof.invariants.extend([(program.procs[0].entry, yes), (locs[0], yes)]);
        proof.invariants.insert(locs[1], even(terms, *x, 3));
        proof.invariants.insert(locs[3], even(terms, *x, 4));
        // Between the assignments, what the second demands.
        let Op::Assign(pairs) = &program.procs[0].edges[3].op else { panic!("the second assignment") };
        let demanded = terms.substitute(proof.invariants[&locs[3]], &pairs.iter().copied().collect::<Substitution>());
        proof.invariants.insert(locs[2], demanded);
        proof.invariants.insert(locs[4], even(terms, *r, 5));
        let (now, before) = (terms.var(*p), terms.var(*old_p));
        let entered = terms.eq(now, before);
        proof.invariants.insert(program.procs[1].entry, entered);
        let both = |terms: &mut Terms, seed: u64| {
            let (result, input) = (even(terms, *q, seed), even(terms, *old_p, seed + 1));
            terms.eq(result, input)
        };
        let (exit, summary) = (both(terms, 6), both(terms, 8));
        proof.invariants.insert(program.procs[1].exit, exit);
        proof.summaries.insert(ProcId::new(1), summary);
        proof
    }

    fn check(&mut self, proof: Proof) -> Check {
        check(&mut self.terms, &self.program, self.property, &Verdict::Safe(proof), &StopSignal::never())
    }

    /// The proof with an invariant turned into its complement must be refused with that phrase.
    fn refuses(&mut self, loc: Loc, phrase: &str) {
        let mut proof = self.proof();
        let opposite = self.terms.not(proof.invariants[&loc]);
        proof.invariants.insert(loc, opposite);
        self.expect(proof, phrase);
    }

    fn expect(&mut self, proof: Proof, phrase: &str) {
        match self.check(proof) {
            Check::Rejected(why) => assert!(why.contains(phrase), "refused for another reason: {why}"),
            other @ (Check::Accepted | Check::Undecided(_)) => panic!("expected a refusal ({phrase}), got {other:?}"),
        }
    }
}

#[test]
fn the_sat_solver_gives_up() {
    let mut example = example();
    let proof = example.proof();
    let (Op::Assume(condition), claim) = (&example.program.procs[0].edges[1].op, proof.invariants[&example.locs[1]])
    else {
        panic!("the first assumption")
    };
    let not = example.terms.not(claim);
    let mut solver = limited(1 << 20);
    let answer = solver.check(&example.terms, &[*condition, not]).expect("a question");
    assert!(matches!(answer, Answer::Unknown(Why::GaveUp(_))), "{answer:?}");
}

#[test]
fn the_diagrams_accept_the_proof() {
    let mut example = example();
    let proof = example.proof();
    assert_eq!(example.check(proof), Check::Accepted);
}

#[test]
fn wherever_the_check_is_stopped_it_claims_nothing() {
    let mut example = example();
    let verdict = Verdict::Safe(example.proof());
    let mut looks = 1;
    loop {
        let left = AtomicUsize::new(looks);
        let less = |left: usize| left.checked_sub(1);
        let stop = StopSignal::when(move || left.fetch_update(Ordering::Relaxed, Ordering::Relaxed, less).is_err());
        match check(&mut example.terms, &example.program, example.property, &verdict, &stop) {
            Check::Accepted => break,
            Check::Undecided(why) => assert_eq!(why, "interrupted"),
            Check::Rejected(why) => panic!("{why}"),
        }
        looks *= 2;
    }
    assert!(looks > 100, "it looks often enough: {looks} times");
}

#[test]
fn the_diagrams_refuse_what_breaks_the_proof() {
    let mut example = example();
    let (locs, exit) = (example.locs, example.program.procs[1].exit);
    example.refuses(locs[1], "edge 1 of main leaves the invariant");
    example.refuses(locs[2], "edge 2 of main leaves the invariant");
    example.refuses(locs[3], "edge 3 of main leaves the invariant");
    example.refuses(locs[4], "edge 4 of main leaves the invariant when f returns");
    example.refuses(exit, "edge 0 of f leaves the invariant");

    let mut proof = example.proof();
    let opposite = example.terms.not(proof.summaries[&ProcId::new(1)]);
    proof.summaries.insert(ProcId::new(1), opposite);
    example.expect(proof, "edge 4 of main leaves the invariant when f returns");

    // One word is enough.
    let mut proof = example.proof();
    let (x, word) = (example.terms.var(example.x), example.terms.bv(WIDTH, 3));
    let other = example.terms.distinct(x, word);
    let almost = example.terms.and(&[proof.invariants[&locs[1]], other]);
    proof.invariants.insert(locs[1], almost);
    example.expect(proof, "edge 1 of main leaves the invariant");
}

/// Random clauses over many variables, without a solution: diagrams of them fit no memory.
#[test]
fn what_has_no_diagram_goes_back_to_the_sat_solver() {
    const VARS: usize = 170;
    let mut terms = Terms::new();
    let mut random = fastrand::Rng::with_seed(2);
    let vars: Vec<Var> = (0..VARS).map(|_| terms.declare("b", Sort::Bool)).collect();
    let literals: Vec<Term> = vars.iter().map(|var| terms.var(*var)).collect();
    let mut clause = || {
        let literals = [(); 3].map(|()| {
            let literal = literals[random.usize(..VARS)];
            if random.bool() { literal } else { terms.not(literal) }
        });
        terms.or(&literals)
    };
    let clauses: Vec<Term> = (0..VARS * 5).map(|_| clause()).collect();
    let contradiction = terms.and(&clauses);

    let span = Span::default();
    let mut program = Program::new(std::sync::Arc::default());
    let main = program.add_proc("main", span);
    program.globals = vars;
    let error = program.add_loc(span);
    let entry = program.procs[0].entry;
    program.add_edge(main, entry, error, Op::Assume(contradiction), span);
    let property = Property::new("error", "the error is reached", vec![error]);
    let property = program.add_property(property);
    let mut proof = Proof::default();
    proof.invariants.insert(entry, terms.bool(true));

    let answer = matches!(limited(500_000).check(&terms, &[contradiction]), Ok(Answer::Unknown(Why::GaveUp(_))));
    assert!(answer, "too easy to test anything");
    let verdict = Verdict::Safe(proof);
    assert_eq!(check(&mut terms, &program, property, &verdict, &StopSignal::never()), Check::Accepted);
}

/// Ten thousand procedures, each with a loop and a call of the next: the check must not look at
/// all of them for each.
#[test]
fn many_procedures_are_checked_one_by_one() {
    const COUNT: usize = 10_000;
    let mut terms = Terms::new();
    let mut program = Program::new(std::sync::Arc::default());
    let mut proof = Proof::default();
    let span = Span::default();
    let g = terms.declare("g", Sort::BitVec(8));
    let old = terms.declare("old(g)", Sort::BitVec(8));
    program.globals.push(g);
    proof.old.insert(g, old);
    let (one, g_term, old_term) = (terms.bv(8, 1), terms.var(g), terms.var(old));
    for index in 0..COUNT {
        program.add_proc(&format!("p{index}"), span);
    }
    let grown = terms.bvule(old_term, g_term);
    for index in 0..COUNT {
        let id = ProcId::new(index);
        let n = terms.declare(&format!("p{index}::n"), Sort::BitVec(8));
        program.procs[index].locals.push(n);
        let (entry, exit) = (program.procs[index].entry, program.procs[index].exit);
        let (head, called) = (program.add_loc(span), program.add_loc(span));
        let n = terms.var(n);
        let (small, next) = (terms.bvult(g_term, n), terms.bvadd(g_term, one));
        let large = terms.not(small);
        program.add_edge(id, entry, head, Op::Assume(small), span);
        program.add_edge(id, head, head, Op::Assume(small), span);
        program.add_edge(id, head, called, Op::Assume(large), span);
        let op = if index + 1 < COUNT {
            Op::Call { callee: ProcId::new(index + 1), args: vec![], results: vec![] }
        } else {
            Op::Assign(vec![(g, next)])
        };
        let unchanged = terms.eq(g_term, old_term);
        if index + 1 < COUNT {
            program.add_edge(id, called, exit, op, span);
            proof.invariants.insert(called, unchanged);
        } else {
            // The last one adds one where that does not wrap around.
            let top = terms.bv(8, 255);
            let below = terms.bvult(g_term, top);
            let middle = program.add_loc(span);
            program.add_edge(id, called, middle, Op::Assume(below), span);
            program.add_edge(id, middle, exit, op, span);
            let both = terms.and(&[unchanged, below]);
            proof.invariants.extend([(called, unchanged), (middle, both)]);
        }
        proof.invariants.extend([(entry, unchanged), (head, unchanged), (exit, grown)]);
        proof.summaries.insert(id, grown);
    }
    let error = program.add_loc(span);
    let property = Property::new("error", "the error is reached", vec![error]);
    let property = program.add_property(property);
    let start = std::time::Instant::now();
    let verdict = Verdict::Safe(proof);
    assert_eq!(check(&mut terms, &program, property, &verdict, &StopSignal::never()), Check::Accepted);
    assert!(start.elapsed().as_secs() < 60, "a second or two are enough");
}

/// The SAT solver with so many steps.
fn limited(steps: u64) -> Bits {
    let config = Config { contradictions: Contradictions::Audited, ..Config::default() };
    let mut solver = Bits::new(config, StopSignal::never());
    solver.limit(Limit { steps: Some(steps), time: None });
    solver
}
