//! Random circuits of BTOR2 mean the same to the front end and to the independent simulator, their
//! evidence is accepted, and their translations have the same verdict.

use tamis_fuzz::hardware::compare::compare;
use tamis_fuzz::hardware::generate::circuit;

#[test]
fn random_circuits_agree() {
    let (mut safe, mut wrong) = (0, 0);
    for seed in 0..2_000 {
        let mut rng = fastrand::Rng::with_seed(seed);
        let text = circuit(&mut rng);
        match compare(&mut rng, &text, 20_000) {
            Ok(Some(true)) => safe += 1,
            Ok(Some(false)) => wrong += 1,
            Ok(None) => {}
            Err(why) => panic!("seed {seed}: {why}\n{text}"),
        }
    }
    println!("{safe} safe, {wrong} unsafe");
    assert!(safe > 50 && wrong > 50, "{safe} safe, {wrong} unsafe");
}
