//! What a diagram looks like, against its table.

use crate::support::{Table, diagram, read, shuffled, table};
use fastrand::Rng;
use std::collections::BTreeSet;
use tamis_bdd::{Bdd, Bit, Manager, Product};

fn each(mut test: impl FnMut(&Manager, &[Bit], &Table, &Bdd)) {
    for seed in 0..150 {
        let mut random = Rng::with_seed(seed);
        let count = random.usize(1..=10);
        let (m, bits) = shuffled(count, random.usize(..3), &mut random);
        let table = table(count, &mut random);
        let f = diagram(&m, &bits, &table);
        test(&m, &bits, &table, &f);
    }
}

fn depends(table: &Table, place: usize) -> bool {
    (0..table.len()).any(|row| table[row] != table[row ^ 1 << place])
}

#[test]
fn the_support_is_what_the_function_depends_on() {
    each(|m, bits, table, f| {
        let mut expected: Vec<Bit> = (0..bits.len()).filter(|i| depends(table, *i)).map(|i| bits[i]).collect();
        expected.sort();
        assert_eq!(m.support(f), expected);
    });
}

#[test]
fn the_count_is_exact_where_it_is_small() {
    each(|m, bits, table, f| {
        let count = u32::try_from(table.iter().filter(|value| **value).count()).unwrap();
        assert_eq!(m.count(f, bits.len()).to_bits(), f64::from(count).to_bits());
        assert_eq!(m.count(f, bits.len() + 3).to_bits(), f64::from(8 * count).to_bits());
    });
}

#[test]
fn what_is_picked_implies_the_function() {
    each(|m, bits, table, f| match m.pick(f) {
        None => assert!(!table.contains(&true)),
        Some(cube) => {
            let levels: Vec<usize> =
                cube.iter().map(|(bit, _)| m.order().iter().position(|other| other == bit).unwrap()).collect();
            assert!(levels.is_sorted(), "from the topmost bit downwards");
            let agrees = |row: usize| {
                cube.iter().all(|(bit, value)| (row >> bits.iter().position(|b| b == bit).unwrap() & 1 == 1) == *value)
            };
            assert!((0..table.len()).filter(|row| agrees(*row)).all(|row| table[row]));
            assert!((0..table.len()).any(agrees));
            assert_eq!(m.pick(f), Some(cube), "always the same");
        }
    });
}

#[test]
fn no_product_is_superfluous() {
    each(|m, bits, table, f| {
        let place = |bit: &Bit| bits.iter().position(|other| other == bit).unwrap();
        let agrees =
            |row: usize, product: &Product| product.iter().all(|(bit, value)| (row >> place(bit) & 1 == 1) == *value);
        let sum = |products: &[Product]| -> Table {
            (0..table.len()).map(|row| products.iter().any(|product| agrees(row, product))).collect()
        };
        let products = m.products(f, table.len()).unwrap().expect("there are no more than rows");
        assert_eq!(&sum(&products), table);
        for left_out in 0..products.len() {
            let mut fewer = products.clone();
            fewer.remove(left_out);
            assert_ne!(&sum(&fewer), table, "without the product {left_out} of {products:?}");
        }
        assert_eq!(m.products(f, products.len()).unwrap(), Some(products.clone()));
        if let Some(most) = products.len().checked_sub(1) {
            assert_eq!(m.products(f, most).unwrap(), None, "there are more than {most}");
        }
    });
}

#[test]
fn children_are_cofactors_by_the_topmost_bit() {
    each(|m, bits, table, f| match m.children(f) {
        None => assert!(f.is_true() || f.is_false()),
        Some((bit, high, low)) => {
            let topmost = m.order().into_iter().find(|bit| m.support(f).contains(bit));
            assert_eq!(Some(bit), topmost);
            let place = bits.iter().position(|other| *other == bit).unwrap();
            let at = |value: usize| (0..table.len()).map(|row| table[row & !(1 << place) | value << place]).collect();
            assert_eq!((read(m, bits, &high), read(m, bits, &low)), (at(1), at(0)));
        }
    });
}

#[test]
fn the_size_is_the_number_of_different_functions_below() {
    each(|m, bits, table, f| {
        // All functions that arise by fixing the topmost bits, up to complement.
        let order: Vec<usize> = m.order().iter().filter_map(|bit| bits.iter().position(|other| other == bit)).collect();
        let mut functions: BTreeSet<Table> = BTreeSet::new();
        let mut level = BTreeSet::from([table.clone()]);
        for place in order {
            let mut below = BTreeSet::new();
            for function in level {
                let at = |value: usize| -> Table {
                    (0..function.len()).map(|row| function[row & !(1 << place) | value << place]).collect()
                };
                below.extend([at(0), at(1)]);
                if depends(&function, place) {
                    let complement: Table = function.iter().map(|value| !value).collect();
                    functions.insert(if function[0] { complement } else { function });
                }
            }
            level = below;
        }
        assert_eq!(m.size(f), functions.len());
    });
}

#[test]
fn handles_are_data() {
    fn shareable<T: Send + Sync>(_: &T) {}
    let (m, bits) = shuffled(2, 0, &mut Rng::with_seed(1));
    let f = m.bit(bits[0]);
    shareable(&m);
    shareable(&f);
    assert_eq!(std::collections::HashSet::from([f.clone(), m.not(&m.not(&f)), m.bit(bits[1])]).len(), 2);
    assert_eq!(bits[0].index().min(bits[1].index()), 0);
    drop(m);
    assert!(!f.is_true() && !f.is_false(), "a handle may outlive its manager");
}
