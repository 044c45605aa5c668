use super::*;

fn sat() -> Sat {
    Sat::new(StopSignal::never(), usize::MAX)
}

/// Random clauses over few variables, with questions about them, against all assignments.
#[test]
fn answers_agree_with_enumeration() {
    let mut random = fastrand::Rng::with_seed(7);
    for _ in 0..400 {
        let count = random.usize(3..11);
        let mut sat = sat();
        let vars: Vec<Lit> = (0..count).map(|_| sat.variable()).collect();
        let mut clauses: Vec<Vec<Lit>> = Vec::new();
        for _ in 0..30 {
            let mut pick = |len: usize| -> Vec<Lit> {
                (0..len).map(|_| vars[random.usize(..count)].flip_if(random.bool())).collect()
            };
            let (clause, assumptions, only) = (pick(3), pick(2), pick(2));
            sat.clause(&clause);
            clauses.push(clause);
            let holds = |bits: u32, literal: &Lit| (bits >> literal.var() & 1 == 1) == (literal.0 & 1 == 0);
            let all = |bits: u32, core: &[Lit], only: &[Lit]| {
                clauses.iter().all(|clause| clause.iter().any(|literal| holds(bits, literal)))
                    && core.iter().all(|literal| holds(bits, literal))
                    && (only.is_empty() || only.iter().any(|literal| holds(bits, literal)))
            };
            for only in [&[][..], &only] {
                let domain = random.bool().then_some(&vars[..]);
                let found = sat.solve(&assumptions, only, domain).unwrap();
                assert_eq!(found, (0..1 << count).any(|bits| all(bits, &assumptions, only)));
                if found {
                    let bits = vars.iter().filter(|var| sat.value(**var) == Some(true)).map(|var| 1 << var.var()).sum();
                    assert!(all(bits, &assumptions, only), "the model is one");
                } else {
                    let core: Vec<Lit> = assumptions.iter().copied().filter(|literal| sat.needs(*literal)).collect();
                    assert!(!(0..1 << count).any(|bits| all(bits, &core, only)), "the core suffices");
                }
            }
        }
    }
}

/// More pigeons than holes: takes conflicts, restarts and reductions.
fn pigeons(sat: &mut Sat, count: usize) {
    let place: Vec<Vec<Lit>> = (0..count).map(|_| (1..count).map(|_| sat.variable()).collect()).collect();
    for (at, pigeon) in place.iter().enumerate() {
        sat.clause(pigeon);
        for other in &place[..at] {
            for (a, b) in pigeon.iter().zip(other) {
                sat.clause(&[!*a, !*b]);
            }
        }
    }
}

#[test]
fn pigeons_do_not_fit() {
    let mut sat = sat();
    pigeons(&mut sat, 8);
    assert_eq!(sat.solve(&[], &[], None), Ok(false));
    assert!(sat.conflicts() > 500, "it takes a search");
}

#[test]
fn what_is_outside_of_the_domain_stays_open() {
    let mut sat = sat();
    let [a, b, gate] = [(); 3].map(|()| sat.variable());
    for clause in [&[!gate, a][..], &[!gate, b], &[gate, !a, !b]] {
        sat.clause(clause);
    }
    assert_eq!(sat.solve(&[a], &[], Some(&[a, b])), Ok(true));
    assert_eq!((sat.value(a), sat.value(gate)), (Some(true), None));
    assert_eq!(sat.solve(&[a, b, !gate], &[], Some(&[a, b, gate])), Ok(false));
}

#[test]
fn a_stopped_search_knows_nothing() {
    let mut sat = Sat::new(StopSignal::when(|| true), usize::MAX);
    pigeons(&mut sat, 10);
    assert_eq!(sat.solve(&[], &[], None), Err(Why::Interrupted));
    let mut sat = Sat::new(StopSignal::never(), 1000);
    pigeons(&mut sat, 10);
    assert_eq!(sat.solve(&[], &[], None), Err(Why::OutOfMemory));
}
