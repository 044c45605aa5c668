//! Evidence that is right is accepted, and evidence that is wrong in one way is refused for it.

use tamis_hardware::{Failure, Shown, check};

fn verdict(model: &str, evidence: &str) -> String {
    match check(model.as_bytes(), evidence.as_bytes(), &[], &|| false) {
        Ok(Shown::Safe) => "safe".into(),
        Ok(Shown::Unsafe { bad, frames }) => format!("bad {bad} in {frames}"),
        Err(Failure::Model(why)) => format!("model: {why}"),
        Err(Failure::Malformed(why)) => format!("malformed: {why}"),
        Err(Failure::Rejected(why)) => format!("rejected: {why}"),
        Err(Failure::Stopped) => "stopped".into(),
    }
}

#[track_caller]
fn test(model: &str, evidence: &str, expected: &str) {
    assert_eq!(verdict(model, evidence), expected);
}

/// One latch that remembers the input; constraint: the input is 1 only while the latch is 0.
const LATCH: &str = "aag 3 1 1 0 1 1 1\n2\n4 2\n4\n7\n6 4 2\n";

#[test]
fn aiger_witnesses_are_run() {
    test(LATCH, "1\nb0\n0\n1\n0\n.\n", "bad 0 in 2");
    test(LATCH, "1\nb0\nx\n1\nx\n.\n", "bad 0 in 2");
    test(LATCH, "1\nb0\n1\n0\n.\n", "rejected: latch 0 does not start like that");
    test(LATCH, "1\nb0\n0\n1\n1\n.\n", "rejected: constraint 0 does not hold in step 1");
    test(LATCH, "1\nb0\n0\n0\n0\n.\n", "rejected: bad signal 0 is not true in the last step");
    test(LATCH, "1\nb1\n0\n1\n0\n.\n", "rejected: the circuit has no bad signal 1");
    test(LATCH, "1\nb0\n0\n11\n0\n.\n", "malformed: the line \"11\" should have 1 characters 0, 1 or x");
    test(LATCH, "1\nb0\n0\n1\n0\n", "malformed: the last line of a witness is a point");
    test(LATCH, "0\nb0\n.\n", "malformed: the first line of a witness is 1");
    test("aag 1 0 0 0 0 1\n2\n", "1\nb0\n\n\n.\n", "model: the literal 2 is not defined");
    test("aag 0 0 0 0 0 1\n1\n", "1\nb0\n\n\n.\n", "bad 0 in 1");
    let sparse = "aag 2147483647 1 1 0 0 1\n4294967294\n4 4294967294\n4\n";
    test(sparse, "1\nb0\n0\n1\n0\n.\n", "bad 0 in 2");
    // The second latch starts as the input is.
    let reset = "aag 2 1 1 0 0 1\n2\n4 4 2\n4\n";
    test(reset, "1\nb0\n1\n1\n.\n", "bad 0 in 1");
    test(reset, "1\nb0\n1\n0\n.\n", "rejected: latch 0 does not start like that");
}

/// Counts 0, 1, 2, 0 in two latches; bad is 3, which only an unreachable state is.
const RING: &str = "aag 5 0 3 0 2 1\n2 8\n4 2\n6 6\n10\n8 3 5\n10 2 4\n";

/// A certificate for the ring: its shape with the bad signal and resets in question.
fn certificate(latches: &str, bad: &str, symbols: &str) -> String {
    format!("aag 5 0 3 0 2 1\n{latches}{bad}\n8 3 5\n10 2 4\n{symbols}")
}

#[test]
fn certificates_are_checked() {
    let (latches, symbols) = ("2 8\n4 2\n6 6\n", "l0 = 2\nl1 = 4\nl2 = 6\n");
    test(RING, &certificate(latches, "10", symbols), "safe");
    test(RING, &certificate("2 8 1\n4 2\n6 6\n", "10", symbols), "rejected: the condition reset does not hold");
    test(RING, &certificate("2 8\n4 4\n6 6\n", "10", symbols), "rejected: the condition transition does not hold");
    test(RING, &certificate(latches, "0", symbols), "rejected: the condition property does not hold");
    test(RING, &certificate(latches, "1", symbols), "rejected: the condition base does not hold");
    test(RING, &certificate(latches, "10", "l0 = 2\n"), "rejected: the condition transition does not hold");
    test(RING, &certificate(latches, "10", "l0 = 3\n"), "malformed: the symbol l0 = 3 maps nothing");
    // The model itself is not inductive here: the state 3 comes from a state that is not bad.
    let chain = "aag 4 0 3 0 1 1\n2 2\n4 2\n6 4\n8\n8 4 6\n";
    let own = format!("{chain}l0 = 2\nl1 = 4\nl2 = 6\n");
    test(chain, &own, "rejected: the condition step does not hold");
    let strong = "aag 5 0 3 0 2 1\n2 2\n4 2\n6 4\n11\n8 3 5\n10 8 7\nl0 = 2\nl1 = 4\nl2 = 6\n";
    test(chain, strong, "safe");
    let circular = "aag 5 0 3 0 2 1\n2 2 4\n4 2 2\n6 4\n11\n8 3 5\n10 8 7\nl0 = 2\nl1 = 4\nl2 = 6\n";
    test(chain, circular, "rejected: a reset of the certificate depends on itself");
}

const WORDS: &str = "1 sort bitvec 1\n2 sort bitvec 2\n3 sort array 1 2\n4 zero 2\n5 state 2 count\n6 init 2 5 4\n\
    7 input 2 step\n8 add 2 5 7\n9 next 2 5 8\n10 state 3 free\n11 one 2\n12 ulte 1 7 11\n13 constraint 12\n\
    14 input 1 at\n15 read 2 10 14\n16 eq 1 15 5\n17 ones 2\n18 eq 1 5 17\n19 and 1 16 18\n20 bad 19\n";

#[test]
fn btor2_witnesses_are_run() {
    let right = "sat\nb0\n#0\n@0\n0 01 step@0\n@1\n0 01\n@2\n0 01\n#3\n1 [0] 11\n@3\n1 0\n.\n";
    test(WORDS, right, "bad 0 in 4");
    test(WORDS, &right.replace("1 [0] 11", "1 [*] 11"), "bad 0 in 4");
    test(WORDS, &right.replace("1 [0] 11", "1 [1] 11"), "rejected: bad condition 0 is not true in the last step");
    test(WORDS, &right.replace("#0\n", "#0\n0 01\n"), "rejected: state 0 does not start like that");
    test(WORDS, &right.replace("#0\n", "#0\n0 00\n"), "bad 0 in 4");
    test(WORDS, &right.replace("#3\n", "#3\n0 01\n"), "rejected: state 0 has another value in step 3");
    test(WORDS, &right.replace("0 01 step@0", "0 10"), "rejected: constraint 0 does not hold in step 0");
    test(WORDS, &right.replace("0 01 step@0", "0 1"), "malformed: 1 should be 2 bits");
    test(WORDS, &right.replace("0 01 step@0", "0 01\n0 01"), "malformed: the line \"0 01\" assigns a second time");
    test(WORDS, &right.replace("b0", "b7"), "rejected: the circuit has no bad condition 7");
    test(WORDS, &right.replace("sat", "unsat"), "malformed: the first line of a witness is sat");
    test(WORDS, "sat\nb0\n.\n", "malformed: there is no frame");
}

#[test]
fn random_bytes_are_no_evidence_and_no_circuit() {
    let mut rng = fastrand::Rng::with_seed(3);
    let seeds = [LATCH, RING, WORDS, "1\nb0\n0\n1\n0\n.\n", "sat\nb0\n#0\n1 [0] 11\n@0\n0 01\n.\n"];
    for _ in 0..5_000 {
        let damaged = |rng: &mut fastrand::Rng| {
            let mut bytes = seeds[rng.usize(..seeds.len())].as_bytes().to_vec();
            for _ in 0..rng.usize(..4) {
                let at = rng.usize(..bytes.len());
                bytes[at] = b" \n0123456789-abgi#@[]."[rng.usize(..22)];
            }
            bytes
        };
        let (model, evidence) = (damaged(&mut rng), damaged(&mut rng));
        let _ = check(&model, &evidence, &[], &|| false);
    }
}
