//! One rule of the text as a sequence of operations.
//!
//! In the text a rule is atomic: its guard, its checks and its assignments happen together.
//! In a program with one thread the same runs exist when they happen one after the other.

use num_bigint::BigInt;
use tamis_ir::Op;
use tamis_term::{BitVec, Fun, Node, Term, Terms, Value, Var};

/// What a rule does, in this order.
#[derive(Debug, Default)]
pub struct Transition {
    /// Conditions on the old values.
    pub before: Vec<Term>,
    /// Variables that take any value now: helpers, or variables whose old values no longer
    /// matter.
    pub choose: Vec<Var>,
    /// Conditions on the old values and what was chosen.
    pub such_that: Vec<Term>,
    /// Assignments, from the old values and what was chosen.
    pub assign: Vec<(Var, Term)>,
    /// Variables that are arbitrary afterwards.
    pub forget: Vec<Var>,
    /// Conditions on those.
    pub legal: Vec<Term>,
}

impl Transition {
    /// The operations; none if the rule does nothing.
    pub fn ops(mut self, terms: &mut Terms) -> Vec<Op> {
        let mut ops = Vec::new();
        if self.choose.is_empty() {
            self.before.append(&mut self.such_that);
        }
        assume(terms, &self.before, &mut ops);
        if !self.choose.is_empty() {
            ops.push(Op::Havoc(self.choose));
        }
        assume(terms, &self.such_that, &mut ops);
        if !self.assign.is_empty() {
            ops.push(Op::Assign(self.assign));
        }
        if !self.forget.is_empty() {
            ops.push(Op::Havoc(self.forget));
        }
        assume(terms, &self.legal, &mut ops);
        ops
    }

    /// The variables that the rule writes.
    pub fn written(&self) -> impl Iterator<Item = Var> {
        self.assign.iter().map(|(var, _)| *var).chain(self.forget.iter().copied())
    }
}

fn assume(terms: &mut Terms, conditions: &[Term], ops: &mut Vec<Op>) {
    let mut flat = Vec::new();
    for condition in conditions {
        match terms.node(*condition) {
            Node::App(Fun::And, args) => flat.extend(args),
            Node::App(..) | Node::Const(_) | Node::Var(_) => flat.push(*condition),
        }
    }
    let condition = terms.and(&flat);
    if !terms.is_true(condition) {
        ops.push(Op::Assume(condition));
    }
}

/// Whether two conditions on indices exclude each other because the indices differ by a
/// constant, as in `a[j] = a[j+1], a[j+1] = a[j]`. May say no although they do.
pub fn exclusive(terms: &Terms, a: Term, b: Term) -> bool {
    let parts = |term: Term| match terms.node(term) {
        Node::App(Fun::And, args) => args.to_vec(),
        Node::App(..) | Node::Const(_) | Node::Var(_) => vec![term],
    };
    let demands = |term: Term| parts(term).into_iter().filter_map(|part| demand(terms, part)).collect::<Vec<_>>();
    let others = demands(b);
    demands(a).iter().any(|a| {
        others.iter().any(|b| {
            let width = a.width.min(b.width);
            a.base == b.base && BitVec::from_int(width, &a.value) != BitVec::from_int(width, &b.value)
        })
    })
}

/// What an equation says about a term: its value modulo `2^width`.
struct Demand {
    base: Term,
    value: BigInt,
    width: u32,
}

/// Reads `x + c == d` as a demand on `x`.
fn demand(terms: &Terms, equation: Term) -> Option<Demand> {
    let Node::App(Fun::Eq, sides) = terms.node(equation) else { return None };
    let number = |term: Term| match terms.value(term) {
        Some(Value::BitVec(bits)) => Some(bits.to_signed()),
        Some(Value::Bool(_) | Value::Int(_) | Value::Real(_) | Value::Array(_)) | None => None,
    };
    let mut demand = Demand { base: sides[0], value: number(sides[1])?, width: terms.width(sides[0]) };
    loop {
        demand.width = demand.width.min(terms.width(demand.base));
        let Node::App(fun, args) = terms.node(demand.base) else { return Some(demand) };
        let offset = args.get(1).and_then(|arg| number(*arg));
        match (fun, offset) {
            (Fun::ZeroExtend(_) | Fun::SignExtend(_), _) => {}
            (Fun::BvAdd, Some(offset)) => demand.value -= offset,
            (Fun::BvSub, Some(offset)) => demand.value += offset,
            _ => return Some(demand),
        }
        demand.base = args[0];
    }
}
