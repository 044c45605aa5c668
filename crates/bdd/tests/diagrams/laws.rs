//! The operations on random functions, against their tables.

use crate::support::{Table, diagram, read, shuffled, table};
use fastrand::Rng;
use tamis_bdd::{Bdd, Bit, Manager};

/// Random functions of up to ten bits, as tables and as diagrams.
struct World {
    m: Manager,
    bits: Vec<Bit>,
    random: Rng,
}

impl World {
    fn each(count: u64, mut test: impl FnMut(&mut World)) {
        for seed in 0..count {
            let mut random = Rng::with_seed(seed);
            let (count, spare) = (random.usize(1..=10), random.choice([0, 300]).unwrap());
            let (m, bits) = shuffled(count, spare, &mut random);
            test(&mut World { m, bits, random });
        }
    }

    fn function(&mut self) -> (Table, Bdd) {
        let table = table(self.bits.len(), &mut self.random);
        let f = diagram(&self.m, &self.bits, &table);
        (table, f)
    }

    fn rows(&self) -> std::ops::Range<usize> {
        0..1 << self.bits.len()
    }

    /// Whether `f` is what `meaning` says for each valuation; then it is also the diagram
    /// that is built from there.
    fn check(&self, f: &Bdd, meaning: impl Fn(usize) -> bool) {
        let expected: Table = self.rows().map(meaning).collect();
        assert_eq!(read(&self.m, &self.bits, f), expected);
        assert_eq!(*f, diagram(&self.m, &self.bits, &expected), "canonical");
    }

    /// Some bits, and their places in a row.
    fn some_bits(&mut self) -> (Vec<Bit>, usize) {
        let mask = self.random.usize(self.rows());
        let bits = self.bits.iter().enumerate().filter(|(i, _)| mask >> i & 1 == 1).map(|(_, bit)| *bit);
        (bits.collect(), mask)
    }
}

/// The rows that differ from `row` at most in `mask`.
fn around(row: usize, mask: usize, rows: usize) -> impl Iterator<Item = usize> {
    (0..rows).filter(move |other| (row ^ other) & !mask == 0)
}

#[test]
fn connectives() {
    World::each(60, |world| {
        let World { m, .. } = &*world;
        let mut random = world.random.clone();
        let tables = [(); 3].map(|()| table(world.bits.len(), &mut random));
        let [f, g, h] = [0, 1, 2].map(|i| diagram(m, &world.bits, &tables[i]));
        let at = |i: usize, row: usize| tables[i][row];
        world.check(&m.not(&f), |row| !at(0, row));
        world.check(&m.and(&f, &g).unwrap(), |row| at(0, row) && at(1, row));
        world.check(&m.or(&f, &g).unwrap(), |row| at(0, row) || at(1, row));
        world.check(&m.xor(&f, &g).unwrap(), |row| at(0, row) != at(1, row));
        world.check(&m.iff(&f, &g).unwrap(), |row| at(0, row) == at(1, row));
        world.check(&m.implies(&f, &g).unwrap(), |row| !at(0, row) || at(1, row));
        world.check(&m.ite(&f, &g, &h).unwrap(), |row| at(if at(0, row) { 1 } else { 2 }, row));
        let three = [f.clone(), g.clone(), h.clone()];
        world.check(&m.all(three.clone()).unwrap(), |row| (0..3).all(|i| at(i, row)));
        world.check(&m.any(three).unwrap(), |row| (0..3).any(|i| at(i, row)));
        assert_eq!(m.entails(&f, &g).unwrap(), world.rows().all(|row| !at(0, row) || at(1, row)));
        assert!(m.entails(&m.and(&f, &g).unwrap(), &g).unwrap());
        assert_eq!((f.is_true(), f.is_false()), (!tables[0].contains(&false), !tables[0].contains(&true)));
    });
}

#[test]
fn junctions_of_nothing_are_constant() {
    World::each(1, |world| {
        assert!(world.m.all([]).unwrap().is_true());
        assert!(world.m.any([]).unwrap().is_false());
        assert!(world.m.all(vec![world.m.constant(false); 3]).unwrap().is_false());
    });
}

#[test]
fn quantifiers() {
    World::each(80, |world| {
        let ((left, f), (right, g)) = (world.function(), world.function());
        let (bits, mask) = world.some_bits();
        let mut given = [bits.clone(), bits.clone()].concat();
        world.random.shuffle(&mut given);
        let m = &world.m;
        let over = m.cube(&given).unwrap();
        let mut sorted = bits;
        sorted.sort();
        assert_eq!((over.bits(), over.is_empty()), (&sorted[..], sorted.is_empty()));
        let near = |row| around(row, mask, world.rows().end);
        world.check(&m.exists(&f, &over).unwrap(), |row| near(row).any(|row| left[row]));
        world.check(&m.forall(&f, &over).unwrap(), |row| near(row).all(|row| left[row]));
        world.check(&m.and_exists(&f, &g, &over).unwrap(), |row| near(row).any(|row| left[row] && right[row]));
        world.check(&m.forall_implies(&f, &g, &over).unwrap(), |row| near(row).all(|row| !left[row] || right[row]));
    });
}

#[test]
fn restriction_takes_the_first_value() {
    World::each(80, |world| {
        let (a, f) = world.function();
        let (bits, mask) = world.some_bits();
        let at = world.random.usize(world.rows());
        let place = |bit: &Bit| world.bits.iter().position(|other| other == bit).unwrap();
        let mut values: Vec<(Bit, bool)> = bits.iter().map(|bit| (*bit, at >> place(bit) & 1 == 1)).collect();
        world.random.shuffle(&mut values);
        let contrary: Vec<(Bit, bool)> = values.iter().map(|(bit, value)| (*bit, !value)).collect();
        let restricted = world.m.restrict(&f, &[values, contrary].concat()).unwrap();
        world.check(&restricted, |row| a[(row & !mask) | (at & mask)]);
    });
}

/// Checks a renaming that is given by places: what was at `i` is read at `to[i]`.
fn check_renaming(world: &mut World, to: &[usize]) {
    let pairs: Vec<(Bit, Bit)> = to.iter().enumerate().map(|(i, j)| (world.bits[i], world.bits[*j])).collect();
    let renaming = world.m.renaming(&pairs).unwrap();
    for _ in 0..3 {
        let (a, f) = world.function();
        let renamed = world.m.rename(&f, &renaming).unwrap();
        world.check(&renamed, |row| a[to.iter().enumerate().map(|(i, j)| (row >> j & 1) << i).sum::<usize>()]);
        assert_eq!(world.m.rename(&f, &renaming).unwrap(), renamed, "again");
    }
}

#[test]
fn renaming_in_any_direction_and_swaps() {
    World::each(60, |world| {
        let mut to: Vec<usize> = (0..world.bits.len()).collect();
        check_renaming(world, &to);
        world.random.shuffle(&mut to);
        check_renaming(world, &to);
        let reversed: Vec<usize> = (0..to.len()).rev().collect();
        check_renaming(world, &reversed);
        // Several bits may become one.
        let count = to.len();
        let merged: Vec<usize> = to.iter().map(|_| world.random.usize(..count)).collect();
        check_renaming(world, &merged);
    });
}

#[test]
fn renaming_survives_a_change_of_the_order() {
    World::each(40, |world| {
        let mut to: Vec<usize> = (0..world.bits.len()).collect();
        world.random.shuffle(&mut to);
        let pairs: Vec<(Bit, Bit)> = to.iter().enumerate().map(|(i, j)| (world.bits[i], world.bits[*j])).collect();
        let renaming = world.m.renaming(&pairs).unwrap();
        let over = world.m.cube(&world.bits[..1]).unwrap();
        let (_, f) = world.function();
        let (renamed, hidden) = (world.m.rename(&f, &renaming).unwrap(), world.m.exists(&f, &over).unwrap());
        let mut order = world.m.order();
        world.random.shuffle(&mut order);
        world.m.set_order(&order).unwrap();
        assert_eq!(world.m.rename(&f, &renaming).unwrap(), renamed);
        assert_eq!(world.m.exists(&f, &over).unwrap(), hidden);
    });
}

#[test]
#[should_panic(expected = "one replacement")]
fn a_bit_has_one_replacement() {
    World::each(1, |world| {
        let bits = world.m.add_bits(3);
        let _ = world.m.renaming(&[(bits[0], bits[1]), (bits[0], bits[2])]);
    });
}
