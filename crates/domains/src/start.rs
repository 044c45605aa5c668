//! The precision to begin with: nothing, what the property speaks about, or the variables that
//! select what happens (section 5.1: a location variable is compared with many constants, and
//! tracking it explicitly saves as many predicates and refinements).

use crate::pieces::{Pieces, conjuncts};
use std::collections::{BTreeMap, BTreeSet};
use tamis_ir::TransitionSystem;
use tamis_term::walk::post_order;
use tamis_term::{Fun, Node, Sort, Term, Terms, Value, Var};

/// The predicates to begin with.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Start {
    /// None.
    Empty,
    /// The atoms of the bad condition that speak about states alone.
    Property,
}

impl Start {
    /// The predicates.
    #[must_use]
    pub fn predicates(self, terms: &Terms, system: &TransitionSystem) -> Vec<Term> {
        let state: BTreeSet<Var> = system.state.iter().map(|(now, _)| *now).collect();
        let about_states = |atom: &Term| terms.free_vars(&[*atom]).is_subset(&state);
        match self {
            Start::Empty => Vec::new(),
            Start::Property => Pieces::Atoms.of(terms, system.bad).into_iter().filter(about_states).collect(),
        }
    }
}

/// The variables to track from the beginning.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Tracked {
    /// None.
    Nothing,
    /// Those of the bad condition, if they are few. The bad condition of a circuit is a gate, of
    /// which all latches may be variables; the paper's models have a variable for its output, from
    /// which its refinement starts too.
    Property,
    /// Those that are compared with many constants, if their values are finitely many; and bits
    /// beside variables whose values are not.
    Selectors,
    /// Those of these names. What is no state variable need not be told apart: it was sliced away,
    /// or has no meaning between blocks.
    Named(Vec<String>),
}

/// A variable that is compared with fewer constants than this selects nothing.
const MANY: usize = 3;

/// More bits than this are data, not control.
const FEW_BITS: usize = 12;

/// A property of more variables than this is no reason to track them all.
const FEW: usize = 8;

impl Tracked {
    /// The variables.
    ///
    /// # Errors
    /// If a variable with a name has infinitely many values.
    pub fn vars(&self, terms: &Terms, system: &TransitionSystem) -> Result<BTreeSet<Var>, String> {
        let state: BTreeSet<Var> = system.state.iter().map(|(now, _)| *now).collect();
        match self {
            Tracked::Nothing => Ok(BTreeSet::new()),
            Tracked::Property => {
                let vars = terms.free_vars(&[system.bad]).intersection(&state).copied().collect::<BTreeSet<Var>>();
                Ok(if vars.len() <= FEW { vars } else { BTreeSet::new() })
            }
            Tracked::Selectors => Ok(selectors(terms, system)),
            Tracked::Named(names) => names.iter().filter_map(|name| named(terms, system, name)).collect(),
        }
    }
}

fn named(terms: &Terms, system: &TransitionSystem, name: &str) -> Option<Result<Var, String>> {
    let var = system.state.iter().map(|(now, _)| *now).find(|var| {
        let full = terms.name(*var);
        full == name || full.rsplit("::").next() == Some(name)
    })?;
    Some(if is_discrete(terms, system, var) {
        Ok(var)
    } else {
        Err(format!("the values of {name} are not finitely many, so it cannot be tracked explicitly"))
    })
}

/// The variables that are compared with many constants.
fn selectors(terms: &Terms, system: &TransitionSystem) -> BTreeSet<Var> {
    let now_of: BTreeMap<Var, Var> =
        system.state.iter().flat_map(|(now, next)| [(*now, *now), (*next, *now)]).collect();
    let mut compared: BTreeMap<Var, BTreeSet<&Value>> = BTreeMap::new();
    for term in post_order(terms, &[system.invariant, system.init, system.trans, system.bad]) {
        let Node::App(Fun::Eq, args) = terms.node(term) else { continue };
        let sides = [(args[0], args[1]), (args[1], args[0])];
        for (var, value) in sides {
            if let (Node::Var(var), Some(value)) = (terms.node(var), terms.value(value))
                && let Some(now) = now_of.get(var)
            {
                compared.entry(*now).or_default().insert(value);
            }
        }
    }
    let selects = |(var, values): (Var, BTreeSet<&Value>)| {
        (values.len() >= MANY && is_discrete(terms, system, var)).then_some(var)
    };
    let mut found: BTreeSet<Var> = compared.into_iter().filter_map(selects).collect();
    found.extend(control_bits(terms, system));
    found
}

/// Whether a variable seems to have finitely many values: it has, or each step gives it a constant
/// or leaves it as it is. (Should it have more after all, its value is left open where there are
/// too many.)
fn is_discrete(terms: &Terms, system: &TransitionSystem, var: Var) -> bool {
    if is_finite(terms, system, var) {
        return true;
    }
    let Some(next) = system.state.iter().find(|(now, _)| *now == var).map(|(_, next)| *next) else { return false };
    let is = |term: Term, other: Var| matches!(terms.node(term), Node::Var(found) if *found == other);
    post_order(terms, &[system.trans]).into_iter().all(|term| match terms.node(term) {
        Node::App(Fun::Eq, args) => {
            let fits = |a: Term, b: Term| !is(a, next) || is(b, var) || terms.value(b).is_some();
            fits(args[0], args[1]) && fits(args[1], args[0])
        }
        Node::App(_, args) => args.iter().all(|arg| !is(*arg, next)),
        Node::Var(_) | Node::Const(_) => true,
    })
}

/// Where values are not finite, few bits beside them say where control is.
fn control_bits(terms: &Terms, system: &TransitionSystem) -> Vec<Var> {
    let vars = || system.state.iter().map(|(now, _)| *now);
    let bits: Vec<Var> = vars().filter(|var| *terms.var_sort(*var) == Sort::Bool).collect();
    let endless = vars().any(|var| !is_finite(terms, system, var));
    if endless && bits.len() <= FEW_BITS { bits } else { Vec::new() }
}

/// Whether a variable has finitely many values: by its sort, or because the invariant bounds it.
fn is_finite(terms: &Terms, system: &TransitionSystem, var: Var) -> bool {
    match terms.var_sort(var) {
        Sort::Bool | Sort::BitVec(_) => true,
        Sort::Real | Sort::Array(_) => false,
        Sort::Int => {
            let (mut below, mut above) = (false, false);
            for atom in conjuncts(terms, system.invariant) {
                let (negated, inner) = match terms.node(atom) {
                    Node::App(Fun::Not, args) => (true, args[0]),
                    Node::App(..) | Node::Var(_) | Node::Const(_) => (false, atom),
                };
                let Node::App(Fun::Le | Fun::Lt, args) = terms.node(inner) else { continue };
                let is_var = |term: Term| matches!(terms.node(term), Node::Var(other) if *other == var);
                // `var <= c` bounds it from above, `not (var <= c)` from below.
                if is_var(args[0]) && terms.value(args[1]).is_some() {
                    *(if negated { &mut below } else { &mut above }) = true;
                } else if is_var(args[1]) && terms.value(args[0]).is_some() {
                    *(if negated { &mut above } else { &mut below }) = true;
                }
            }
            below && above
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A location from 0 to 4, a counter without bounds and a switch.
    fn system(terms: &mut Terms) -> TransitionSystem {
        let state: Vec<(Var, Var)> = [("loc", Sort::Int), ("count", Sort::Int), ("on", Sort::Bool)]
            .into_iter()
            .map(|(name, sort)| (terms.declare(name, sort.clone()), terms.declare(&format!("{name}'"), sort)))
            .collect();
        let [loc, count, on] = [0, 1, 2].map(|at: usize| terms.var(state[at].0));
        let numbers: Vec<Term> = (0..5).map(|number| terms.int(number)).collect();
        let bounds = [terms.app(Fun::Le, &[numbers[0], loc]), terms.app(Fun::Le, &[loc, numbers[4]])];
        let (next, more) = (terms.var(state[1].1), terms.app(Fun::Add, &[count, numbers[1]]));
        let counts = terms.eq(next, more);
        let cases: Vec<Term> =
            numbers.iter().flat_map(|number| [terms.eq(loc, *number), terms.eq(count, *number)]).collect();
        let at_three = terms.eq(loc, numbers[3]);
        TransitionSystem {
            inputs: vec![],
            invariant: terms.and(&bounds),
            init: terms.bool(true),
            trans: {
                let any = terms.or(&cases);
                terms.and(&[any, counts])
            },
            bad: terms.and(&[at_three, on]),
            state,
        }
    }

    fn check(tracked: &Tracked, expected: Result<&[&str], &str>) {
        let mut terms = Terms::new();
        let system = system(&mut terms);
        let found = tracked.vars(&terms, &system);
        let names = |vars: BTreeSet<Var>| vars.into_iter().map(|var| terms.name(var).to_owned()).collect::<Vec<_>>();
        let expected = expected.map(|names| names.iter().map(ToString::to_string).collect()).map_err(str::to_owned);
        assert_eq!(found.map(names), expected);
    }

    #[test]
    fn selectors_are_compared_with_many_constants_and_bounded_or_bits() {
        check(&Tracked::Selectors, Ok(&["loc", "on"]));
    }

    #[test]
    fn the_property_names_variables() {
        check(&Tracked::Property, Ok(&["loc", "on"]));
        let mut terms = Terms::new();
        let system = system(&mut terms);
        let found = Start::Property.predicates(&terms, &system);
        assert_eq!(found.iter().map(|term| terms.smtlib(*term).to_string()).collect::<Vec<_>>(), ["(= loc 3)", "on"]);
    }

    #[test]
    fn what_has_no_end_is_refused() {
        let why = "the values of count are not finitely many, so it cannot be tracked explicitly";
        check(&Tracked::Named(vec!["count".into()]), Err(why));
        check(&Tracked::Named(vec!["nobody".into()]), Ok(&[]));
        check(&Tracked::Named(vec!["on".into()]), Ok(&["on"]));
    }
}
