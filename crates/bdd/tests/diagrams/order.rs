//! Changes of the order.

use crate::support::{diagram, manager, read, shuffled, sized, table};
use fastrand::Rng;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use tamis_bdd::{Bdd, Bit, Config, Full, Manager};
use tamis_term::StopSignal;

/// Where the bits of the first half equal those of the second.
fn equal_halves(m: &Manager, bits: &[Bit]) -> Bdd {
    let (a, b) = bits.split_at(bits.len() / 2);
    let iffs = a.iter().zip(b).rev().map(|(x, y)| m.iff(&m.bit(*x), &m.bit(*y)).unwrap());
    m.all(iffs.collect::<Vec<_>>()).unwrap()
}

#[test]
fn every_function_stays_what_it_is() {
    for seed in 0..60 {
        let mut random = Rng::with_seed(seed);
        let count = random.usize(1..=9);
        let (m, bits) = shuffled(count, random.usize(..20), &mut random);
        let tables: Vec<_> = (0..6).map(|_| table(count, &mut random)).collect();
        let functions: Vec<Bdd> = tables.iter().map(|table| diagram(&m, &bits, table)).collect();
        for _ in 0..4 {
            let mut order = m.order();
            random.shuffle(&mut order);
            m.set_order(&order).unwrap();
            assert_eq!(m.order(), order);
            for (table, f) in tables.iter().zip(&functions) {
                assert_eq!(read(&m, &bits, f), *table);
                assert_eq!(diagram(&m, &bits, table), *f, "canonical");
            }
        }
    }
}

#[test]
fn sizes_follow_the_order() {
    let m = manager();
    let bits = m.add_bits(20);
    let f = equal_halves(&m, &bits);
    let large = m.size(&f);
    let woven: Vec<Bit> = (0..10).flat_map(|i| [bits[i], bits[10 + i]]).collect();
    m.set_order(&woven).unwrap();
    assert_eq!(m.size(&f), 29);
    m.set_order(&bits).unwrap();
    assert_eq!(m.size(&f), large);
    assert!(large > 1000);
}

#[test]
fn new_bits_go_to_the_bottom() {
    let m = manager();
    let first = m.add_bits(2);
    m.set_order(&[first[1], first[0]]).unwrap();
    let second = m.add_bits(2);
    assert_eq!(m.order(), [first[1], first[0], second[0], second[1]]);
}

#[test]
fn an_order_without_room_is_refused() {
    let m = sized(1 << 12);
    let bits = m.add_bits(40);
    let woven: Vec<Bit> = (0..20).flat_map(|i| [bits[i], bits[20 + i]]).collect();
    m.set_order(&woven).unwrap();
    let f = equal_halves(&m, &bits);
    assert_eq!(m.set_order(&bits), Err(Full::Nodes), "two million nodes");
    // Half-way, but sound.
    assert!(m.nodes() <= 1 << 12);
    assert_eq!(equal_halves(&m, &bits), f);
    drop(f);
    m.set_order(&woven).unwrap();
    assert_eq!(m.size(&equal_halves(&m, &bits)), 59);
}

#[test]
fn thousands_of_bits_change_places_quickly() {
    let m = Manager::new(&Config::default(), StopSignal::never());
    let bits = m.add_bits(6000);
    let f = equal_halves(&m, &bits[..8]);
    let mut order = bits.clone();
    let start = std::time::Instant::now();
    for seed in 0..5 {
        Rng::with_seed(seed).shuffle(&mut order);
        m.set_order(&order).unwrap();
    }
    assert!(start.elapsed().as_secs() < 5, "{:?}", start.elapsed());
    assert_eq!(equal_halves(&m, &bits[..8]), f);
}

#[test]
fn a_set_signal_stops_it() {
    let stop = Arc::new(AtomicBool::new(false));
    let heard = stop.clone();
    let signal = StopSignal::when(move || heard.load(Ordering::Relaxed));
    let m = Manager::new(&Config { nodes: 1 << 16, cache: 1 << 10 }, signal);
    let bits = m.add_bits(12);
    let f = equal_halves(&m, &bits);
    stop.store(true, Ordering::Relaxed);
    let reversed: Vec<Bit> = bits.iter().rev().copied().collect();
    assert_eq!(m.set_order(&reversed), Err(Full::Stopped));
    stop.store(false, Ordering::Relaxed);
    assert_eq!(equal_halves(&m, &bits), f);
}

#[test]
#[should_panic(expected = "names each bit once")]
fn an_order_is_complete() {
    let m = manager();
    let bits = m.add_bits(3);
    let _ = m.set_order(&bits[..2]);
}
