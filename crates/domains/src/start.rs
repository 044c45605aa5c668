//! The precision to begin with: nothing, what the property speaks about, or the variables that
//! select what happens (section 5.1: a location variable is compared with many constants, and
//! tracking it explicitly saves as many predicates and refinements).

use std::collections::{BTreeMap, BTreeSet};
use tamis_cegar::Pieces;
use tamis_ir::BlockGraph;
use tamis_ir::blocks::Arc;
use tamis_term::walk::post_order;
use tamis_term::{Fun, Node, Sort, Term, Terms, Value, Var};

/// The predicates to begin with.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Start {
    /// None.
    Empty,
    /// The atoms of the conditions of errors that speak about states alone.
    Property,
}

impl Start {
    /// The predicates.
    #[must_use]
    pub fn predicates(self, terms: &Terms, graph: &BlockGraph) -> Vec<Term> {
        let state = graph.state();
        let about_states = |atom: &Term| terms.free_vars(&[*atom]).is_subset(&state);
        match self {
            Start::Empty => Vec::new(),
            Start::Property => {
                let atoms = bad(graph).into_iter().flat_map(|bad| Pieces::Atoms.of(terms, bad));
                let mut seen = BTreeSet::new();
                atoms.filter(|atom| about_states(atom) && seen.insert(*atom)).collect()
            }
        }
    }
}

/// The variables to track from the beginning.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Tracked {
    /// None.
    Nothing,
    /// Those of the conditions of errors, if they are few. That of a circuit is a gate, of
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
    pub fn vars(&self, terms: &Terms, graph: &BlockGraph) -> Result<BTreeSet<Var>, String> {
        match self {
            Tracked::Nothing => Ok(BTreeSet::new()),
            Tracked::Property => {
                let vars: BTreeSet<Var> = terms.free_vars(&bad(graph)).intersection(&graph.state()).copied().collect();
                Ok(if vars.len() <= FEW { vars } else { BTreeSet::new() })
            }
            Tracked::Selectors => Ok(selectors(terms, graph)),
            Tracked::Named(names) => names.iter().filter_map(|name| named(terms, graph, name)).collect(),
        }
    }
}

/// When errors are reached.
fn bad(graph: &BlockGraph) -> Vec<Term> {
    let arcs = graph.points.iter().flat_map(|point| &point.bad);
    arcs.map(|arc| graph.arc(*arc).guard).collect()
}

fn named(terms: &Terms, graph: &BlockGraph, name: &str) -> Option<Result<Var, String>> {
    let var = graph.state().into_iter().find(|var| {
        let full = terms.name(*var);
        full == name || full.rsplit("::").next() == Some(name)
    })?;
    Some(if is_discrete(terms, graph, var) {
        Ok(var)
    } else {
        Err(format!("the values of {name} are not finitely many, so it cannot be tracked explicitly"))
    })
}

/// The variables that are compared with many constants, or get them.
fn selectors(terms: &Terms, graph: &BlockGraph) -> BTreeSet<Var> {
    let state = graph.state();
    let mut meant: BTreeMap<Var, Var> = state.iter().map(|var| (*var, *var)).collect();
    let mut known: BTreeMap<Var, BTreeSet<&Value>> = BTreeMap::new();
    let mut formulas: Vec<Term> = graph.points.iter().map(|point| point.invariant).collect();
    for id in graph.arcs() {
        let arc = graph.arc(id);
        formulas.push(arc.guard);
        let Some(to) = graph.to(id) else { continue };
        for var in &graph.point(to).live {
            let Some(term) = arc.values.get(*var) else { continue };
            match terms.node(term) {
                Node::Const(value) => _ = known.entry(*var).or_default().insert(value),
                // What is chosen for it: the guard says how.
                Node::Var(input) => _ = meant.entry(*input).or_insert(*var),
                Node::App(..) => formulas.push(term),
            }
        }
    }
    for term in post_order(terms, &formulas) {
        let Node::App(Fun::Eq, args) = terms.node(term) else { continue };
        let sides = [(args[0], args[1]), (args[1], args[0])];
        for (var, value) in sides {
            if let (Node::Var(var), Some(value)) = (terms.node(var), terms.value(value))
                && let Some(var) = meant.get(var)
            {
                known.entry(*var).or_default().insert(value);
            }
        }
    }
    let selects = |(var, values): (Var, BTreeSet<&Value>)| {
        (values.len() >= MANY && is_discrete(terms, graph, var)).then_some(var)
    };
    let mut found: BTreeSet<Var> = known.into_iter().filter_map(selects).collect();
    found.extend(control_bits(terms, graph, &state));
    found
}

/// Whether a variable seems to have finitely many values: it has, or each arc gives it a constant
/// or leaves it as it is. (Should it have more after all, its value is left open where there are
/// too many.)
#[must_use]
pub fn is_discrete(terms: &Terms, graph: &BlockGraph, var: Var) -> bool {
    let is = |term: Term, other: Var| matches!(terms.node(term), Node::Var(found) if *found == other);
    let fits = |value: Term| is(value, var) || terms.value(value).is_some();
    // What is chosen for it is equated with such values in the guard.
    let is_chosen_so = |input: Var, guard: Term| {
        post_order(terms, &[guard]).into_iter().all(|term| match terms.node(term) {
            Node::App(Fun::Eq, args) => {
                let fits = |a: Term, b: Term| !is(a, input) || fits(b);
                fits(args[0], args[1]) && fits(args[1], args[0])
            }
            Node::App(_, args) => args.iter().all(|arg| !is(*arg, input)),
            Node::Var(_) | Node::Const(_) => true,
        })
    };
    let fits_on = |arc: &Arc| match arc.values.get(var) {
        None => true,
        Some(value) => match terms.node(value) {
            Node::Var(input) if *input != var => is_chosen_so(*input, arc.guard),
            Node::Var(_) | Node::Const(_) | Node::App(..) => fits(value),
        },
    };
    is_finite(terms, graph, var) || graph.arcs().all(|id| fits_on(graph.arc(id)))
}

/// Where values are not finite, few bits beside them say where control is.
fn control_bits(terms: &Terms, graph: &BlockGraph, state: &BTreeSet<Var>) -> Vec<Var> {
    let bits: Vec<Var> = state.iter().copied().filter(|var| *terms.var_sort(*var) == Sort::Bool).collect();
    let endless = state.iter().any(|var| !is_finite(terms, graph, *var));
    if endless && bits.len() <= FEW_BITS { bits } else { Vec::new() }
}

/// Whether a variable has finitely many values: by its sort, or because an invariant bounds it.
fn is_finite(terms: &Terms, graph: &BlockGraph, var: Var) -> bool {
    match terms.var_sort(var) {
        Sort::Bool | Sort::BitVec(_) => true,
        Sort::Real | Sort::Array(_) => false,
        Sort::Int => {
            let (mut below, mut above) = (false, false);
            for atom in graph.points.iter().flat_map(|point| terms.conjuncts(&[point.invariant])) {
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
    use tamis_ir::blocks::Size;
    use tamis_ir::{Bad, Machine, Sources, Span};

    /// A location from 0 to 4, a counter without bounds and a switch.
    fn graph(terms: &mut Terms) -> BlockGraph {
        let names = [("loc", Sort::Int), ("count", Sort::Int), ("on", Sort::Bool)];
        let state: Vec<Var> = names.iter().map(|(name, sort)| terms.declare(name, sort.clone())).collect();
        let next: Vec<(Var, Var)> = names
            .into_iter()
            .zip(&state)
            .map(|((name, sort), var)| (*var, terms.declare(&format!("main::${name}'"), sort)))
            .collect();
        let [loc, count, on] = [0, 1, 2].map(|at: usize| terms.var(state[at]));
        let numbers: Vec<Term> = (0..5).map(|number| terms.int(number)).collect();
        let bounds = [terms.app(Fun::Le, &[numbers[0], loc]), terms.app(Fun::Le, &[loc, numbers[4]])];
        let (after, more) = (terms.var(next[1].1), terms.app(Fun::Add, &[count, numbers[1]]));
        let counts = terms.eq(after, more);
        let cases: Vec<Term> =
            numbers.iter().flat_map(|number| [terms.eq(loc, *number), terms.eq(count, *number)]).collect();
        let any = terms.or(&cases);
        let at_three = terms.eq(loc, numbers[3]);
        let condition = terms.and(&[at_three, on]);
        let machine = Machine {
            inputs: vec![],
            init: vec![],
            start: terms.bool(true),
            constraint: terms.and(&bounds),
            update: vec![],
            relation: terms.and(&[any, counts]),
            bads: vec![Bad { name: "bad".into(), about: "bad".into(), condition, span: Span::default() }],
            span: Span::default(),
            state,
            next,
        };
        let program = machine.program(terms, Sources::new().into());
        let property = program.default.expect("there is a bad condition");
        BlockGraph::new(terms, &program, property, Size::Large).expect("it has no calls")
    }

    fn check(tracked: &Tracked, expected: Result<&[&str], &str>) {
        let mut terms = Terms::new();
        let graph = graph(&mut terms);
        let found = tracked.vars(&terms, &graph);
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
        let graph = graph(&mut terms);
        let found = Start::Property.predicates(&terms, &graph);
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
