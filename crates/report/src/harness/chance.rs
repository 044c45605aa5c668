//! What the error depends on although no harness can give it: memory that was never written,
//! registers of devices, inputs of the system, and inputs that are addresses in the model.
//!
//! The trace is run again with other values in their place. If it takes the same way with all of
//! them, they do not matter. Otherwise the first one that matters is found by bisection.

use super::outside::input;
use crate::expr::{is_hidden, user_name};
use crate::style::one_line;
use crate::walk::{Place, Places};
use std::rc::Rc;
use tamis_ir::{Action, EdgeId, Interpreter, Program, Trace};
use tamis_term::{ArrayValue, BitVec, Sort, Terms, Value, Var};

/// Values that take the place of those that are left to chance.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Fill {
    /// All bits are zero.
    Zeros,
    /// All bits are one.
    Ones,
    /// Bits that depend on a number, and on which value it is.
    Mixed(u64),
}

/// The values that are tried where nothing is known about those of the real run.
pub(super) const ANY: &[Fill] = &[Fill::Zeros, Fill::Ones, Fill::Mixed(1), Fill::Mixed(2)];

/// A value that matters and that is left to chance.
#[derive(Clone, Debug)]
pub struct Chance {
    /// The variable that holds it, if the user knows it.
    pub name: Option<String>,
    /// Where it is chosen; nowhere if the run starts with it.
    pub place: Option<Rc<Place>>,
}

impl Chance {
    /// What it is, as a phrase: `the value of x at main.c:12`.
    #[must_use]
    pub fn phrase(&self) -> String {
        match (&self.name, &self.place) {
            (Some(name), Some(place)) => format!("the value of {name} at {}:{}", one_line(&place.file), place.line),
            (None, Some(place)) => format!("the value that is read at {}:{}", one_line(&place.file), place.line),
            (Some(name), None) => format!("the value of {name} at the start"),
            (None, None) => "the content of memory that the program does not set".to_owned(),
        }
    }
}

/// The first value that matters although the harness does not give it, if it could be any of those.
/// `is_given` says which variables get their values from the harness.
pub(super) fn left_to_chance(
    terms: &Terms,
    program: &Program,
    trace: &Trace,
    fills: &[Fill],
    is_given: &dyn Fn(Var) -> bool,
) -> Option<Chance> {
    let mut rerun = Rerun { program, trace, interpreter: Interpreter::new(terms, program), is_given };
    let sites = rerun.sites();
    let fill = fills.iter().copied().find(|fill| !rerun.runs(*fill, sites.len()))?;
    // It runs with none of them replaced, and not with all.
    let (mut runs, mut fails) = (0, sites.len());
    while fails - runs > 1 {
        let middle = usize::midpoint(runs, fails);
        if rerun.runs(fill, middle) { runs = middle } else { fails = middle }
    }
    let (edge, var) = *sites.get(runs)?;
    let name = terms.name(var);
    let place = edge.and_then(|edge| Places::new(program).find(program.edge(edge).span));
    Some(Chance { name: (!is_hidden(name)).then(|| one_line(&user_name(name))), place })
}

/// A value that is left to chance: the edge on which it is chosen, and the variable.
type Site = (Option<EdgeId>, Var);

struct Rerun<'a> {
    program: &'a Program,
    trace: &'a Trace,
    interpreter: Interpreter<'a>,
    is_given: &'a dyn Fn(Var) -> bool,
}

impl Rerun<'_> {
    /// All values that are left to chance, in the order of the run.
    fn sites(&self) -> Vec<Site> {
        let mut sites: Vec<Site> = self.trace.start.iter().map(|(var, _)| (None, *var)).collect();
        for step in &self.trace.steps {
            if let Action::Take { edge, inputs } = &step.action
                && !self.is_delivered(*edge, inputs)
            {
                sites.extend(self.interpreter.inputs(*edge).into_iter().map(|var| (Some(*edge), var)));
            }
        }
        sites.retain(|(_, var)| !(self.is_given)(*var));
        sites
    }

    /// Whether the values chosen on an edge are what an outside function returns. It cannot return
    /// the address that an object has in the model.
    fn is_delivered(&self, edge: EdgeId, inputs: &[Value]) -> bool {
        let addresses = self.program.notes.addresses.as_ref();
        let is_address = |value: &Value| match value {
            Value::BitVec(word) => word.to_u64().is_some_and(|word| addresses.is_some_and(|all| all.contains(&word))),
            Value::Bool(_) | Value::Int(_) | Value::Real(_) | Value::Array(_) => false,
        };
        input(self.program, edge).is_some() && !inputs.iter().any(is_address)
    }

    /// Whether the run takes the same way if the first `count` sites have other values.
    fn runs(&mut self, fill: Fill, count: usize) -> bool {
        let (mut site, is_given) = (0, self.is_given);
        let mut choose = |var: Var, value: &Value| {
            site += usize::from(!is_given(var));
            if is_given(var) || site > count { value.clone() } else { fill.of(&value.sort(), site as u64) }
        };
        let start = self.trace.start.iter().map(|(var, value)| choose(*var, value)).collect();
        let Ok(mut config) = self.interpreter.start(start) else { return false };
        self.trace.steps.iter().all(|step| {
            let action = match &step.action {
                Action::Take { edge, inputs } if !self.is_delivered(*edge, inputs) => {
                    let chosen = self.interpreter.inputs(*edge).into_iter().zip(inputs);
                    let inputs = chosen.map(|(var, value)| choose(var, value)).collect();
                    Action::Take { edge: *edge, inputs }
                }
                Action::Take { .. } | Action::Return => step.action.clone(),
            };
            self.interpreter.step(&mut config, &action).is_ok()
        })
    }
}

impl Fill {
    /// The value of that sort, for the site of that number.
    fn of(self, sort: &Sort, site: u64) -> Value {
        match sort {
            Sort::Bool => Value::Bool(self.word(site) & 1 == 1),
            Sort::BitVec(width) => {
                let words = (0..u64::from(width.div_ceil(64))).map(|at| BitVec::new(64, self.word(site ^ (at << 32))));
                let all = words.reduce(|high, low| high.concat(&low)).unwrap_or_else(|| BitVec::new(64, 0));
                Value::BitVec(all.extract(width - 1, 0))
            }
            Sort::Array(parts) => {
                let element = self.of(&parts.element, site);
                Value::Array(Box::new(ArrayValue::constant(parts.clone(), element)))
            }
            Sort::Int | Sort::Real => Value::default_of(sort),
        }
    }

    fn word(self, site: u64) -> u64 {
        match self {
            Fill::Zeros => 0,
            Fill::Ones => u64::MAX,
            // The finaliser of SplitMix64 (Steele, Lea, Flood, OOPSLA 2014).
            Fill::Mixed(seed) => {
                let mut word = site.wrapping_add(seed.wrapping_mul(0x9e37_79b9_7f4a_7c15));
                word = (word ^ (word >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
                word = (word ^ (word >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
                word ^ (word >> 31)
            }
        }
    }
}
