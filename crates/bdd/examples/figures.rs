//! Measures what a manager costs and how fast its operations are:
//! `cargo run --release --package tamis-bdd --example figures`.

use std::hint::black_box;
use std::time::{Duration, Instant};
use tamis_bdd::{Bdd, Bit, Config, Manager, Result, on_large_stack};
use tamis_term::StopSignal;

#[global_allocator]
static ALLOCATOR: cap::Cap<std::alloc::System> = cap::Cap::new(std::alloc::System, usize::MAX);

const REPEATS: u32 = 1_000_000;

fn main() -> Result<()> {
    on_large_stack(|| {
        creation();
        tiny_operations()?;
        renamings()?;
        orders()?;
        for cache in [18, 19, 20, 22] {
            growth(cache)?;
        }
        Ok(())
    })
}

fn manager(config: &Config) -> Manager {
    Manager::new(config, StopSignal::never())
}

/// The processor time of this thread in seconds, which other programs do not disturb; the time
/// since `start` where the system does not tell.
fn spent(start: Instant) -> f64 {
    let statistics = std::fs::read_to_string("/proc/thread-self/schedstat").unwrap_or_default();
    let nanoseconds = statistics.split(' ').next().and_then(|field| field.parse().ok());
    nanoseconds.map_or_else(|| start.elapsed(), Duration::from_nanos).as_secs_f64()
}

/// Runs `work` so many times and prints how long one takes.
fn time(what: &str, times: u32, mut work: impl FnMut() -> Result<()>) -> Result<()> {
    let start = Instant::now();
    let before = spent(start);
    for _ in 0..times {
        work()?;
    }
    println!("{what}: {:.3} µs", (spent(start) - before) * 1e6 / f64::from(times));
    Ok(())
}

fn creation() {
    for cache in [18, 19, 20, 21, 22] {
        for nodes in [20, 26] {
            let config = Config { nodes: 1 << nodes, cache: 1 << cache };
            let before = ALLOCATOR.allocated();
            let start = Instant::now();
            let m = manager(&config);
            let bytes = ALLOCATOR.allocated() - before;
            let created = start.elapsed();
            let start = Instant::now();
            drop(m);
            println!(
                "2^{nodes} nodes, 2^{cache} entries: created in {created:?}, dropped in {:?}, {} MiB counted",
                start.elapsed(),
                bytes >> 20
            );
        }
    }
}

fn tiny_operations() -> Result<()> {
    let m = manager(&Config::default());
    let bits = m.add_bits(64);
    let pairs = |k: usize| -> Result<Bdd> {
        let near = |i: usize| (bits[(2 * i) % 64], bits[(2 * i + 1) % 64]);
        let iffs = (k..k + 3).map(near).map(|(x, y)| m.iff(&m.bit(x), &m.bit(y)));
        m.all(iffs.collect::<Result<Vec<_>>>()?)
    };
    let functions: Vec<Bdd> = (0..64).map(pairs).collect::<Result<_>>()?;
    let odd: Vec<Bit> = bits.iter().copied().filter(|bit| bit.index() % 2 == 1).collect();
    let over = m.cube(&odd)?;
    let mut k = 0;
    let mut pair = || {
        k += 1;
        (&functions[k % 64], &functions[k * 7 / 64 % 64])
    };
    time("and, remembered", REPEATS, || {
        let (f, g) = pair();
        m.and(f, g).map(drop)
    })?;
    time("and-exists, remembered", REPEATS, || {
        let (f, g) = pair();
        m.and_exists(f, g, &over).map(drop)
    })?;
    time("is it false", REPEATS, || {
        assert!(!pair().0.is_false());
        Ok(())
    })?;
    time("clone and drop", REPEATS, || {
        drop(black_box(pair().0.clone()));
        Ok(())
    })?;
    time("complement", REPEATS, || {
        drop(m.not(pair().0));
        Ok(())
    })?;
    time("support", REPEATS / 10, || {
        drop(m.support(pair().0));
        Ok(())
    })
}

fn renamings() -> Result<()> {
    for count in [64, 512, 4096] {
        let m = manager(&Config::default());
        let bits = m.add_bits(count);
        let half = count / 2;
        let pairs: Vec<(Bit, Bit)> = (0..half).map(|i| (bits[2 * i], bits[2 * i + 1])).collect();
        let next = m.renaming(&pairs)?;
        let f = m.all((half - 16..half).map(|i| m.bit(bits[2 * i])))?;
        time(&format!("rename 16 of {count} bits"), 10_000, || m.rename(&f, &next).map(drop))?;
        let g = m.all((0..half).map(|i| m.bit(bits[2 * i])))?;
        time(&format!("rename all of {count} bits"), 1000, || m.rename(&g, &next).map(drop))?;
    }
    Ok(())
}

fn orders() -> Result<()> {
    for (what, held) in [("no", 0), ("300", 300), ("all", 5000)] {
        let m = manager(&Config::default());
        let bits = m.add_bits(5000);
        let kept: Vec<Bdd> = bits[..held].iter().map(|bit| m.bit(*bit)).collect();
        let mut order = bits.clone();
        fastrand::Rng::with_seed(1).shuffle(&mut order);
        time(&format!("order 5000 bits, {what} literals held"), 1, || m.set_order(&order))?;
        assert_eq!(m.order(), order);
        drop(kept);
    }
    let m = manager(&Config::default());
    let bits = m.add_bits(5000);
    let cube = m.cube(&bits[..2500])?;
    let order: Vec<Bit> = (0..2500).flat_map(|i| [bits[i], bits[2500 + i]]).collect();
    time("weave 5000 bits, a cube of half of them", 1, || m.set_order(&order))?;
    let backwards: Vec<Bit> = order.iter().rev().copied().collect();
    time("reverse 5000 bits, a cube of half of them", 1, || m.set_order(&backwards))?;
    assert_eq!(cube.bits().len(), 2500);

    let m = manager(&Config::default());
    let bits = m.add_bits(28);
    let iffs = (0..14).map(|i| m.iff(&m.bit(bits[2 * i]), &m.bit(bits[2 * i + 1]))).collect::<Result<Vec<_>>>()?;
    let f = m.all(iffs)?;
    let (even, odd): (Vec<Bit>, Vec<Bit>) = bits.iter().partition(|bit| bit.index() % 2 == 0);
    println!("14 equalities, neighbours: {} nodes", m.size(&f));
    time("their bits apart", 1, || m.set_order(&[even.clone(), odd.clone()].concat()))?;
    println!("14 equalities, apart: {} nodes", m.size(&f));
    time("their bits together", 1, || m.set_order(&bits))?;
    println!("14 equalities, neighbours: {} nodes", m.size(&f));
    Ok(())
}

/// The product of two words, bit by bit, which has large diagrams.
fn growth(cache: u32) -> Result<()> {
    let m = manager(&Config { cache: 1 << cache, ..Config::default() });
    let reserved = ALLOCATOR.allocated();
    let bits = m.add_bits(24);
    let (a, b) = bits.split_at(12);
    let start = Instant::now();
    let before = spent(start);
    let mut sum = vec![m.constant(false); 24];
    for (i, x) in a.iter().enumerate() {
        let mut carry = m.constant(false);
        for (j, y) in b.iter().enumerate() {
            let row = m.and(&m.bit(*x), &m.bit(*y))?;
            let half = m.xor(&sum[i + j], &row)?;
            let full = m.xor(&half, &carry)?;
            carry = m.ite(&half, &carry, &row)?;
            sum[i + j] = full;
        }
        sum[i + b.len()] = carry;
    }
    println!(
        "a product of 12 bits, 2^{cache} entries: {:.3} s, {} nodes, peak {}, {} MiB besides what is reserved",
        spent(start) - before,
        m.nodes(),
        m.peak(),
        ALLOCATOR.allocated().saturating_sub(reserved) >> 20
    );
    Ok(())
}
