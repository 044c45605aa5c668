//! Random problems of linear arithmetic that are contradictory by construction: a linear sum of
//! the state never falls, and is too small in the end.

use super::problems::{Problem, Shape, declare, tree};
use fastrand::Rng;
use tamis_solver::interpolation::Parts;
use tamis_term::value::Value;
use tamis_term::{Sort, Term, Terms};

/// A random problem.
pub fn random(random: &mut Rng, shape: &Shape) -> Problem {
    let mut terms = Terms::new();
    let parents = tree(random, shape);
    let sort = shape.state[0].clone();
    let weights: Vec<i64> = shape.state.iter().map(|_| random.i64(1..3)).collect();
    let nodes = parents.len() + 1;
    let states: Vec<Vec<Term>> =
        (0..nodes - 1).map(|node| declare(&mut terms, &format!("s{node}_"), &shape.state)).collect();
    // At each node, the sum of the weighted state is at least this.
    let mut bounds: Vec<i64> = Vec::new();
    let mut formulas = Vec::new();
    for node in 0..nodes {
        let inputs = declare(&mut terms, &format!("i{node}_"), &shape.inputs);
        let children: Vec<usize> = (0..node).filter(|child| parents[*child] == node).collect();
        let mut linear = Linear { terms: &mut terms, sort: sort.clone() };
        if node == nodes - 1 {
            let sums: Vec<Term> = children.iter().map(|child| linear.sum(&weights, &states[*child])).collect();
            let total = linear.total(&sums);
            let least: i64 = children.iter().map(|child| bounds[*child]).sum();
            let limit = linear.number(least - random.i64(0..3));
            let low = linear.terms.lt(total, limit);
            formulas.push(low);
            break;
        }
        let grown = random.i64(0..3);
        let (formula, least) = if children.is_empty() {
            start(random, &mut linear, &weights, &states[node])
        } else {
            let before: Vec<&[Term]> = children.iter().map(|child| states[*child].as_slice()).collect();
            let least: i64 = children.iter().map(|child| bounds[*child]).sum();
            (step(random, &mut linear, &before, &states[node], &inputs, grown), least + grown)
        };
        bounds.push(least);
        formulas.push(formula);
    }
    Problem { terms, parts: Parts { formulas, parents } }
}

/// Values of the state, or a bound of their sum.
fn start(random: &mut Rng, linear: &mut Linear<'_>, weights: &[i64], own: &[Term]) -> (Term, i64) {
    if random.u8(..3) == 0 {
        let least = random.i64(-3..4);
        let (sum, bound) = (linear.sum(weights, own), linear.number(least));
        return (linear.terms.le(bound, sum), least);
    }
    let values: Vec<i64> = own.iter().map(|_| random.i64(-3..4)).collect();
    let equal: Vec<Term> = own.iter().zip(&values).map(|(var, value)| linear.equals(*var, *value)).collect();
    (linear.terms.and(&equal), weights.iter().zip(&values).map(|(weight, value)| weight * value).sum())
}

/// Each variable is the sum of the children's, and some of what is not negative; the first
/// grows by at least as much as is asked for.
fn step(
    random: &mut Rng,
    linear: &mut Linear<'_>,
    before: &[&[Term]],
    own: &[Term],
    inputs: &[Term],
    grown: i64,
) -> Term {
    let ways = if random.u8(..3) == 0 { 2 } else { 1 };
    let mut choices = Vec::new();
    for _ in 0..ways {
        let mut conjuncts = Vec::new();
        for (at, target) in own.iter().enumerate() {
            let mut summands: Vec<Term> = before.iter().map(|state| state[at]).collect();
            let more = if at == 0 { grown + random.i64(0..2) } else { random.i64(0..2) };
            summands.push(linear.number(more));
            if let Some(input) = inputs.first().filter(|_| random.bool()) {
                let zero = linear.number(0);
                conjuncts.push(linear.terms.le(zero, *input));
                summands.push(*input);
            }
            let total = linear.total(&summands);
            conjuncts.push(match random.u8(..3) {
                0 => linear.terms.le(total, *target),
                _ => linear.terms.eq(*target, total),
            });
        }
        choices.push(linear.terms.and(&conjuncts));
    }
    linear.terms.or(&choices)
}

/// Linear terms of one sort.
struct Linear<'t> {
    terms: &'t mut Terms,
    sort: Sort,
}

impl Linear<'_> {
    fn number(&mut self, value: i64) -> Term {
        let int = self.terms.constant(Value::int(value));
        if self.sort == Sort::Real { self.terms.app(tamis_term::Fun::ToReal, &[int]) } else { int }
    }

    fn equals(&mut self, var: Term, value: i64) -> Term {
        let value = self.number(value);
        self.terms.eq(var, value)
    }

    fn total(&mut self, summands: &[Term]) -> Term {
        let zero = self.number(0);
        summands.iter().fold(zero, |sum, summand| self.terms.add(sum, *summand))
    }

    fn sum(&mut self, weights: &[i64], vars: &[Term]) -> Term {
        let mut summands = Vec::new();
        for (weight, var) in weights.iter().zip(vars) {
            let weight = self.number(*weight);
            summands.push(self.terms.mul(weight, *var));
        }
        self.total(&summands)
    }
}
