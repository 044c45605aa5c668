//! What the operators compute, by arithmetic on big numbers.

use super::read::{Circuit, Kind, Operand, Source};
use super::value::{Value, power, signed, wrap};
use num_bigint::{BigInt, BigUint, Sign};
use num_traits::{One, Signed, ToPrimitive, Zero};

/// The values of all states.
pub type State = Vec<Value>;

/// The values of all nodes in one step.
pub struct Frame<'a> {
    circuit: &'a Circuit,
    values: Vec<Value>,
}

/// The zero of a kind.
pub(super) fn zero(kind: Kind) -> Value {
    match kind {
        Kind::Word(_) => Value::Word(BigUint::zero()),
        Kind::Array(..) => Value::Array { otherwise: BigUint::zero(), cells: std::collections::BTreeMap::new() },
    }
}

impl<'a> Frame<'a> {
    /// Computes all nodes.
    #[must_use]
    pub fn new(circuit: &'a Circuit, state: &[Value], inputs: &[Value]) -> Frame<'a> {
        let mut frame = Frame { circuit, values: Vec::with_capacity(circuit.nodes.len()) };
        for node in &circuit.nodes {
            let value = match &node.source {
                Source::Input(position) => inputs[*position].clone(),
                Source::State(position) => state[*position].clone(),
                Source::Constant(bits) => Value::Word(bits.clone()),
                Source::Operator { name, operands, numbers } => {
                    let args: Vec<(Value, Kind)> =
                        operands.iter().map(|o| (frame.value(*o), circuit.nodes[o.node].kind)).collect();
                    operator(name, &args, numbers, node.kind)
                }
            };
            frame.values.push(value);
        }
        frame
    }

    pub(super) fn value(&self, operand: Operand) -> Value {
        let value = self.values[operand.node].clone();
        if !operand.negated {
            return value;
        }
        let width = self.circuit.nodes[operand.node].kind.width();
        Value::Word(power(width) - 1_u32 - value.word())
    }

    fn holds(&self, operand: Operand) -> bool {
        !self.value(operand).word().is_zero()
    }

    /// Which bad conditions are true.
    #[must_use]
    pub fn bads(&self) -> Vec<bool> {
        self.circuit.bads.iter().map(|bad| self.holds(*bad)).collect()
    }

    /// The first constraint that does not hold.
    #[must_use]
    pub fn broken(&self) -> Option<usize> {
        self.circuit.constraints.iter().position(|constraint| !self.holds(*constraint))
    }

    /// The next values of states that have one.
    #[must_use]
    pub fn next(&self) -> Vec<Option<Value>> {
        self.circuit.states.iter().map(|state| state.next.map(|next| self.value(next))).collect()
    }

    /// The initial value of a state, if it has one.
    #[must_use]
    pub fn initial(&self, position: usize) -> Option<Value> {
        let state = self.circuit.states[position];
        let value = self.value(state.init?);
        let of_array = matches!(self.circuit.nodes[state.node].kind, Kind::Array(..));
        Some(match value {
            Value::Word(element) if of_array => {
                Value::Array { otherwise: element, cells: std::collections::BTreeMap::new() }
            }
            value @ (Value::Word(_) | Value::Array { .. }) => value,
        })
    }
}

fn operator(name: &str, args: &[(Value, Kind)], numbers: &[u32], kind: Kind) -> Value {
    match (name, args) {
        ("ite", [(condition, _), (then, _), (otherwise, _)]) => {
            return if condition.word().is_zero() { otherwise.clone() } else { then.clone() };
        }
        ("write", [(array, _), (index, _), (element, _)]) => return array.clone().with(index.word(), element.word()),
        ("read", [(array, _), (index, _)]) => return Value::Word(array.element(&index.word())),
        ("eq" | "iff", [(a, ka), (b, _)]) => return truth(same(a, b, *ka)),
        ("neq", [(a, ka), (b, _)]) => return truth(!same(a, b, *ka)),
        _ => {}
    }
    let width = args.first().map_or(1, |(_, kind)| kind.width());
    let words: Vec<BigUint> = args.iter().map(|(value, _)| value.word()).collect();
    let result = match *words.as_slice() {
        [ref a] => unary(name, a, width, numbers),
        [ref a, ref b] => binary(name, a, b, width, args[1].1.width()),
        _ => BigInt::zero(),
    };
    Value::Word(wrap(&result, kind.width()))
}

fn truth(value: bool) -> Value {
    Value::Word(BigUint::from(u32::from(value)))
}

/// Whether values are equal. Arrays may list elements that are as all others are, and where all are
/// listed, the rest does not matter.
fn same(a: &Value, b: &Value, kind: Kind) -> bool {
    let (Value::Array { otherwise: oa, cells: ca }, Value::Array { otherwise: ob, cells: cb }) = (a, b) else {
        return a == b;
    };
    let Kind::Array(index, _) = kind else { return a == b };
    let mut listed: Vec<&BigUint> = ca.keys().chain(cb.keys()).collect();
    listed.sort_unstable();
    listed.dedup();
    let all_listed = BigUint::from(listed.len()) == power(index);
    (oa == ob || all_listed) && listed.into_iter().all(|index| a.element(index) == b.element(index))
}

fn unary(name: &str, a: &BigUint, width: u32, numbers: &[u32]) -> BigInt {
    let number = BigInt::from(a.clone());
    let ones = BigInt::from(power(width)) - 1;
    let flag = |value: bool| BigInt::from(u32::from(value));
    match name {
        "not" => ones - number,
        "inc" => number + 1,
        "dec" => number - 1,
        "neg" => -number,
        "redand" => flag(number == ones),
        "redor" => flag(!a.is_zero()),
        "redxor" => flag(a.count_ones() % 2 == 1),
        "slice" => number >> numbers[1],
        "sext" => signed(a, width),
        _ => number,
    }
}

fn binary(name: &str, a: &BigUint, b: &BigUint, width: u32, low_width: u32) -> BigInt {
    let (x, y) = (BigInt::from(a.clone()), BigInt::from(b.clone()));
    let (sx, sy) = (signed(a, width), signed(b, low_width));
    let flag = |value: bool| BigInt::from(u32::from(value));
    let ones = BigInt::from(power(width)) - 1;
    let half = BigInt::from(power(width)) / 2;
    let beyond = |number: &BigInt| *number >= half || *number < -half.clone();
    let beyond_unsigned = |number: &BigInt| number.is_negative() || *number > ones;
    match name {
        "implies" => flag(a.is_zero() || !b.is_zero()),
        "ugt" => flag(x > y),
        "ugte" => flag(x >= y),
        "ult" => flag(x < y),
        "ulte" => flag(x <= y),
        "sgt" => flag(sx > sy),
        "sgte" => flag(sx >= sy),
        "slt" => flag(sx < sy),
        "slte" => flag(sx <= sy),
        "and" => x & y,
        "nand" => ones - (x & y),
        "or" => x | y,
        "nor" => ones - (x | y),
        "xor" => x ^ y,
        "xnor" => ones - (x ^ y),
        "add" => x + y,
        "sub" => x - y,
        "mul" => x * y,
        "udiv" if b.is_zero() => ones,
        "udiv" => x / y,
        "urem" if b.is_zero() => x,
        "urem" => x % y,
        // Division of numbers with a sign rounds to zero; by zero it is 1 or -1.
        "sdiv" if b.is_zero() => {
            if sx.is_negative() {
                BigInt::one()
            } else {
                -BigInt::one()
            }
        }
        "sdiv" => sx / sy,
        "srem" | "smod" if b.is_zero() => sx,
        "srem" => sx % sy,
        "smod" => {
            let rest = &sx % &sy;
            if !rest.is_zero() && (rest.sign() == Sign::Minus) != (sy.sign() == Sign::Minus) { rest + sy } else { rest }
        }
        "sll" | "srl" | "sra" | "rol" | "ror" => shift(name, a, b, width),
        "concat" => (x << low_width) + y,
        "uaddo" => flag(beyond_unsigned(&(x + y))),
        "usubo" => flag(beyond_unsigned(&(x - y))),
        "umulo" => flag(beyond_unsigned(&(x * y))),
        "saddo" => flag(beyond(&(sx + sy))),
        "ssubo" => flag(beyond(&(sx - sy))),
        "smulo" => flag(beyond(&(sx * sy))),
        "sdivo" => flag(!b.is_zero() && beyond(&(sx / sy))),
        _ => BigInt::zero(),
    }
}

fn shift(name: &str, a: &BigUint, b: &BigUint, width: u32) -> BigInt {
    let turn = (b % width).to_u32().unwrap_or(0);
    let by = b.to_u32().unwrap_or(width).min(width);
    match name {
        "sll" => BigInt::from(a.clone() << by),
        "srl" => BigInt::from(a.clone() >> by),
        // Shifting a negative number right rounds down.
        "sra" => signed(a, width) >> by,
        "rol" => BigInt::from((a.clone() << turn) | (a.clone() >> (width - turn))),
        _ => BigInt::from((a.clone() >> turn) | (a.clone() << (width - turn))),
    }
}
