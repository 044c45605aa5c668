//! Substitutions against ordinary maps.

use proptest::prelude::*;
use std::collections::{BTreeMap, BTreeSet};
use tamis_term::{Sort, Substitution, Term, Terms, Var};

/// Far more variables than are used: numbers near each other and far apart.
fn world() -> (Vec<Var>, Vec<Term>) {
    let mut terms = Terms::new();
    let vars: Vec<Var> = (0..3000).map(|number| terms.declare(&format!("x{number}"), Sort::Int)).collect();
    let values = vars.iter().take(4).map(|var| terms.var(*var)).collect();
    (vars, values)
}

fn writes() -> impl Strategy<Value = Vec<(usize, usize)>> {
    let number = prop_oneof![0..8usize, 60..70usize, 1020..1030usize, 0..3000usize];
    prop::collection::vec((number, 0..4usize), 0..40)
}

proptest! {
    /// Whatever is written before and after a copy is made, both are what maps would be, and so
    /// is their difference.
    #[test]
    fn copies_are_maps_and_differ_as_maps_do(common in writes(), left in writes(), right in writes()) {
        let (vars, values) = world();
        let write = |(map, plain): &mut (Substitution, BTreeMap<Var, Term>), writes: &[(usize, usize)]| {
            for (var, value) in writes {
                map.insert(vars[*var], values[*value]);
                plain.insert(vars[*var], values[*value]);
            }
        };
        let mut one = (Substitution::default(), BTreeMap::new());
        write(&mut one, &common);
        let mut other = one.clone();
        write(&mut one, &left);
        write(&mut other, &right);
        for (map, plain) in [&one, &other] {
            prop_assert_eq!(map.pairs(), plain.iter().map(|(var, term)| (*var, *term)).collect::<Vec<_>>());
            prop_assert!(vars.iter().all(|var| map.get(*var) == plain.get(var).copied()));
        }
        let keys: BTreeSet<Var> = one.1.keys().chain(other.1.keys()).copied().collect();
        let both = keys.into_iter().map(|var| (var, one.1.get(&var).copied(), other.1.get(&var).copied()));
        let expected: Vec<_> = both.filter(|(_, then, otherwise)| then != otherwise).collect();
        prop_assert_eq!(one.0.differences(&other.0), expected);
    }
}
