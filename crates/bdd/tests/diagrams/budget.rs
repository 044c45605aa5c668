//! Running out of nodes, being told to stop, and collecting.

use crate::support::{diagram, manager, read, sized, table};
use fastrand::Rng;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::{Duration, Instant};
use tamis_bdd::{Bdd, Bit, Config, Full, Manager};
use tamis_term::StopSignal;

/// A function of random tables whose diagrams do not share much.
fn noise(m: &Manager, bits: &[Bit], random: &mut Rng) -> Bdd {
    diagram(m, bits, &(0..1 << bits.len()).map(|_| random.bool()).collect::<Vec<_>>())
}

/// The inner product of two words one above the other, which doubles with each bit, until
/// there is an error.
fn fill(m: &Manager, bits: &[Bit]) -> Full {
    let (upper, lower) = bits.split_at(bits.len() / 2);
    let mut product = m.constant(false);
    for (x, y) in upper.iter().zip(lower) {
        match m.and(&m.bit(*x), &m.bit(*y)).and_then(|both| m.xor(&product, &both)) {
            Ok(more) => product = more,
            Err(full) => return full,
        }
    }
    panic!("a diagram of 2^{} nodes", upper.len());
}

#[test]
fn running_out_is_an_answer_and_the_manager_stays_usable() {
    for nodes in [1 << 12, 100_000, 1 << 17] {
        let m = sized(nodes);
        let bits = m.add_bits(60);
        let table = table(9, &mut Rng::with_seed(nodes as u64));
        let f = diagram(&m, &bits[..9], &table);
        for _ in 0..3 {
            assert_eq!(fill(&m, &bits), Full::Nodes);
            assert!(m.nodes() <= nodes && m.peak() <= nodes);
            assert_eq!(read(&m, &bits[..9], &f), table);
            assert_eq!(diagram(&m, &bits[..9], &table), f);
        }
    }
}

#[test]
fn what_no_handle_reaches_makes_room() {
    let m = sized(1 << 14);
    let bits = m.add_bits(11);
    let mut random = Rng::with_seed(2);
    // Each has hundreds of nodes: far more in all than there can be at a time.
    for _ in 0..400 {
        assert!(m.size(&noise(&m, &bits, &mut random)) > 200);
    }
    let mut kept: Vec<Bdd> = (0..8).map(|_| noise(&m, &bits, &mut random)).collect();
    assert!(m.nodes() > 2000 && kept.iter().all(|f| m.size(f) > 200));
    kept.clear();
    m.collect();
    assert_eq!(m.nodes(), bits.len(), "only the bits are left");
    assert!(m.peak() > 1 << 12);
}

#[test]
fn without_room_for_a_bit_nothing_succeeds() {
    let m = sized(10);
    let bits = m.add_bits(20);
    assert_eq!(m.and(&m.bit(bits[0]), &m.bit(bits[1])), Err(Full::Nodes));
    assert_eq!(m.entails(&m.bit(bits[19]), &m.constant(false)), Err(Full::Nodes));
}

#[test]
fn a_signal_that_is_set_stops_the_first_operation() {
    let m = Manager::new(&Config { nodes: 1 << 12, cache: 1 << 10 }, StopSignal::when(|| true));
    let bits = m.add_bits(2);
    let (x, y) = (m.bit(bits[0]), m.bit(bits[1]));
    for _ in 0..100 {
        assert_eq!(m.and(&x, &y), Err(Full::Stopped));
    }
    assert_eq!(m.cube(&bits).unwrap_err(), Full::Stopped);
    assert_eq!(m.renaming(&[(bits[0], bits[1])]).unwrap_err(), Full::Stopped);
}

#[test]
fn a_signal_is_heard_soon() {
    let asked = Arc::new(AtomicUsize::new(0));
    let count = asked.clone();
    let stop = StopSignal::when(move || count.fetch_add(1, Ordering::Relaxed) >= 3);
    let m = Manager::new(&Config { nodes: 1 << 12, cache: 1 << 10 }, stop);
    let bits = m.add_bits(2);
    let done = (0..10_000).take_while(|_| m.xor(&m.bit(bits[0]), &m.bit(bits[1])).is_ok()).count();
    assert!((100..1000).contains(&done), "{done}");
}

#[test]
fn a_single_long_operation_is_interrupted() {
    let start = Instant::now();
    let stop = StopSignal::when(move || start.elapsed() > Duration::from_millis(300));
    let m = Manager::new(&Config::default(), stop);
    let bits = m.add_bits(80);
    assert_eq!(fill(&m, &bits), Full::Stopped, "the diagram doubles with each operation");
    assert!(start.elapsed() < Duration::from_secs(5), "{:?}", start.elapsed());
}

#[test]
fn budgets_follow_the_memory() {
    let bytes = |config: &Config| (48 * config.nodes + 20 * config.cache) as u64;
    let mut last = Config { nodes: 0, cache: 0 };
    for shift in 0..40 {
        let limit = 1_u64 << shift;
        let config = Config::for_memory(Some(limit));
        assert!(config.nodes >= last.nodes && config.cache >= last.cache);
        assert!(config.cache.is_power_of_two());
        if limit >= 1 << 23 {
            assert!(bytes(&config) <= limit && bytes(&config) > limit / 3 || config.nodes == 1 << 31);
        }
        last = config;
    }
    assert_eq!(Config::for_memory(None), Config::default());
    assert!(Config::default().nodes > 40_000_000);
}

#[test]
fn the_default_is_made_quickly() {
    let best = (0..10).map(|_| {
        let start = Instant::now();
        let m = Manager::new(&Config::default(), StopSignal::never());
        let time = start.elapsed();
        drop(m);
        time
    });
    assert!(best.min().unwrap().as_millis() < 20);
}

#[test]
fn managers_do_not_mix_up_their_nodes() {
    let (m, n) = (manager(), manager());
    let (x, y) = (m.add_bits(1)[0], n.add_bits(1)[0]);
    assert_eq!(x, y, "bits are numbers");
    assert_ne!(m.bit(x), n.bit(y), "functions are not");
}
