//! Laws that every term obeys, on random terms in random environments.

use crate::world::{World, all_sorts, cases, simplified, steps};
use proptest::prelude::*;
use rustc_hash::FxHashMap;
use tamis_term::{Code, Term, Terms, Value, Var};

const ENVIRONMENTS: u64 = 4;

proptest! {
    #![proptest_config(cases(600))]

    #[test]
    fn simplifying_keeps_the_value(steps in steps(30), seed: u64) {
        let mut world = World::grown(&all_sorts(), &steps);
        for raw in world.made.clone() {
            let simple = simplified(&mut world.terms, raw);
            prop_assert_eq!(world.terms.sort(raw), world.terms.sort(simple));
            for i in 0..ENVIRONMENTS {
                let environment = world.environment(seed ^ i);
                let (expected, found) = (world.eval(raw, &environment), world.eval(simple, &environment));
                prop_assert!(expected == found, "{} became {}", world.terms.smtlib(raw), world.terms.smtlib(simple));
            }
        }
    }

    #[test]
    fn simplifying_again_changes_nothing(steps in steps(30)) {
        let mut world = World::grown(&all_sorts(), &steps);
        for raw in world.made.clone() {
            let once = simplified(&mut world.terms, raw);
            let twice = simplified(&mut world.terms, once);
            prop_assert!(once == twice, "{} became {}", world.terms.smtlib(once), world.terms.smtlib(twice));
        }
    }

    #[test]
    fn terms_have_the_sort_of_their_values(steps in steps(30), seed: u64) {
        let world = World::grown(&all_sorts(), &steps);
        let environment = world.environment(seed);
        for term in &world.made {
            prop_assert!(world.eval(*term, &environment).has_sort(world.terms.sort(*term)));
        }
    }

    #[test]
    fn what_is_printed_reads_back_simplified(steps in steps(30)) {
        let mut world = World::grown(&all_sorts(), &steps);
        for raw in world.made.clone() {
            let text = world.terms.smtlib(raw).to_string();
            let simple = simplified(&mut world.terms, raw);
            match world.terms.read(&text) {
                // A term that is simple already is read as the same handle.
                Ok(read) => prop_assert!(read == simple, "{} was read as {}", text, world.terms.smtlib(read)),
                Err(error) => prop_assert!(false, "{}: {}", text, error),
            }
        }
    }

    #[test]
    fn values_read_back(seed: u64) {
        let mut random = crate::world::Random(seed);
        for sort in all_sorts() {
            let value = random.value(&sort);
            prop_assert_eq!(Value::read(&value.to_string(), &sort), Ok(value));
        }
    }

    #[test]
    fn sorts_read_back(choices in prop::collection::vec(any::<u16>(), 1..12)) {
        let mut sorts = all_sorts();
        for choice in choices {
            let (index, element) = (usize::from(choice & 0xff) % sorts.len(), usize::from(choice >> 8) % sorts.len());
            sorts.push(tamis_term::Sort::array(sorts[index].clone(), sorts[element].clone()));
        }
        for sort in sorts.into_iter().filter(|sort| sort.to_string().matches("Array").count() < 100) {
            prop_assert_eq!(tamis_term::Sort::read(&sort.to_string()), Ok(sort));
        }
    }

    #[test]
    fn substituting_is_evaluating_elsewhere(steps in steps(30), seed: u64, choices: Vec<u16>) {
        let mut world = World::grown(&all_sorts(), &steps);
        let mut map: FxHashMap<Var, Term> = FxHashMap::default();
        for (var, choice) in world.vars.iter().zip(&choices) {
            let pool = world.terms_of(world.terms.var_sort(*var));
            map.insert(*var, pool[usize::from(*choice) % pool.len()]);
        }
        let environment = world.environment(seed);
        let moved: FxHashMap<Var, Value> = world
            .vars
            .iter()
            .map(|var| (*var, map.get(var).map_or_else(|| environment[var].clone(), |t| world.eval(*t, &environment))))
            .collect();
        let all = world.terms.substitute_all(&world.made.clone(), &map);
        for (term, replaced) in world.made.iter().zip(all) {
            prop_assert_eq!(world.eval(replaced, &environment), world.eval(*term, &moved));
        }
    }

    #[test]
    fn guarding_divisions_keeps_the_value(steps in steps(30), seed: u64) {
        let mut world = World::grown(&all_sorts(), &steps);
        let environment = world.environment(seed);
        for term in world.made.clone() {
            let guarded = world.terms.guard_divisions(term);
            prop_assert_eq!(world.eval(guarded, &environment), world.eval(term, &environment));
        }
    }

    #[test]
    fn code_for_many_terms_agrees_with_each_alone(steps in steps(30), seed: u64) {
        let mut world = World::grown(&all_sorts(), &steps);
        // Also roots that are variables or constants.
        let x = world.terms.var(world.vars[0]);
        world.made.push(x);
        let seven = world.terms.int(7);
        world.made.push(seven);
        let code = Code::new(&world.terms, &world.made, Var::index);
        let mut scratch = Vec::new();
        for i in 0..ENVIRONMENTS {
            let environment = world.environment(seed ^ i);
            let slots: Vec<Value> = world.vars.iter().map(|var| environment[var].clone()).collect();
            code.run(&slots, &mut scratch);
            for (root, term) in world.made.iter().enumerate() {
                prop_assert_eq!(code.result(root, &scratch), &world.eval(*term, &environment));
            }
        }
    }

    #[test]
    fn any_name_reads_back(names in prop::collection::vec(any::<String>(), 1..4)) {
        let mut terms = Terms::new();
        for name in names {
            let var = terms.declare(&name, tamis_term::Sort::Int);
            let x = terms.var(var);
            let sum = terms.add(x, x);
            prop_assert_eq!(terms.read(&terms.smtlib(sum).to_string()), Ok(sum));
        }
    }

    #[test]
    fn ugly_names_read_back(name in "[~a|\\\\.@7c\u{7f} \n$0-9]{0,8}|~?(and|true|let|\\$[0-9])~?") {
        let mut terms = Terms::new();
        let var = terms.declare(&name, tamis_term::Sort::Int);
        let x = terms.var(var);
        let square = terms.mul(x, x);
        let sum = terms.add(square, square);
        prop_assert_eq!(terms.read(&terms.smtlib(sum).to_string()), Ok(sum));
    }
}
