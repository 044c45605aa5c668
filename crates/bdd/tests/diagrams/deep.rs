//! Diagrams of thousands of levels, on a large stack.

use tamis_bdd::{Bdd, Bit, Config, Manager, on_large_stack};
use tamis_term::StopSignal;

const BITS: usize = 5000;

fn parity(m: &Manager, bits: &[Bit]) -> Bdd {
    bits.iter().rev().fold(m.constant(false), |f, bit| m.xor(&m.bit(*bit), &f).unwrap())
}

#[test]
fn five_thousand_bits() {
    on_large_stack(|| {
        let m = Manager::new(&Config { nodes: 1 << 20, cache: 1 << 16 }, StopSignal::never());
        let bits = m.add_bits(2 * BITS);
        let (now, next): (Vec<Bit>, Vec<Bit>) = bits.iter().partition(|bit| bit.index() % 2 == 0);
        let odd = parity(&m, &now);
        assert_eq!((m.size(&odd), m.support(&odd)), (BITS, now.clone()));
        assert_eq!(m.pick(&odd).unwrap().len(), BITS);
        assert!(m.eval(&odd, &|bit| bit.index() == 4242));

        // One valuation: two to the minus five thousand is no number of 64 bits.
        let all = m.all(now.iter().map(|bit| m.bit(*bit))).unwrap();
        assert_eq!(m.count(&all, BITS).to_bits(), 1.0_f64.to_bits());
        assert_eq!(m.count(&all, BITS + 10).to_bits(), 1024.0_f64.to_bits());
        assert!(m.count(&m.not(&all), BITS).is_infinite());
        assert_eq!(m.count(&m.constant(false), BITS).to_bits(), 0.0_f64.to_bits());

        let pairs: Vec<(Bit, Bit)> = now.iter().copied().zip(next.iter().copied()).collect();
        let renaming = m.renaming(&pairs).unwrap();
        let primed = m.rename(&odd, &renaming).unwrap();
        assert_eq!(primed, parity(&m, &next));
        let swaps: Vec<(Bit, Bit)> = pairs.iter().flat_map(|(a, b)| [(*a, *b), (*b, *a)]).collect();
        assert_eq!(m.rename(&primed, &m.renaming(&swaps).unwrap()).unwrap(), odd);

        // Through the relation in which everything stays as it is.
        let same = m.all(pairs.iter().map(|(a, b)| m.iff(&m.bit(*a), &m.bit(*b)).unwrap())).unwrap();
        let over = m.cube(&now).unwrap();
        assert_eq!(m.and_exists(&odd, &same, &over).unwrap(), primed);
        assert_eq!(m.forall_implies(&same, &odd, &over).unwrap(), primed);
        let values: Vec<(Bit, bool)> = now[1..].iter().map(|bit| (*bit, false)).collect();
        assert_eq!(m.restrict(&odd, &values).unwrap(), m.bit(now[0]));
        assert!(m.exists(&odd, &over).unwrap().is_true() && m.forall(&odd, &over).unwrap().is_false());
    });
}

#[test]
fn a_large_stack_returns_and_panics_like_a_call() {
    let mut words = vec!["one"];
    assert_eq!(on_large_stack(|| (words.push("two"), 5).1), 5);
    assert_eq!(words, ["one", "two"]);
    let panic = std::panic::catch_unwind(|| on_large_stack(|| panic!("as told"))).unwrap_err();
    assert_eq!(panic.downcast_ref::<&str>(), Some(&"as told"));
}
