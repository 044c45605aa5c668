//! Random expressions, compared with exact integer arithmetic, for all values of their
//! variables.

use crate::lower;
use tamis_ir::Op;
use tamis_term::{Terms, Value};

/// The values of `x`, `y` (two bits), `z` (three bits) and `a[1,3]` (two bits each).
#[derive(Clone, Copy, Debug)]
pub struct Env {
    x: u32,
    y: u32,
    z: u32,
    a: [u32; 3],
}

impl Env {
    fn all() -> impl Iterator<Item = Env> {
        let mut state = 0_u32;
        std::iter::from_fn(move || {
            if state == 1 << 13 {
                return None;
            }
            let bits = |from: u32, count: u32| state >> from & ((1 << count) - 1);
            let env = Env { x: bits(0, 2), y: bits(2, 2), z: bits(4, 3), a: [bits(7, 2), bits(9, 2), bits(11, 2)] };
            state += 1;
            Some(env)
        })
    }

    fn get(&self, name: &str) -> Value {
        let (width, value) = match name {
            "x" => (2, self.x),
            "y" => (2, self.y),
            "z" => (3, self.z),
            "a[1]" => (2, self.a[0]),
            "a[2]" => (2, self.a[1]),
            "a[3]" => (2, self.a[2]),
            _ => panic!("unknown variable {name}"),
        };
        Value::bv(width, u64::from(value))
    }
}

/// An expression with its reference semantics.
#[derive(Clone, Debug)]
enum Num {
    Const(i128),
    Var(char),
    Cell(Box<Num>),
    Op(&'static str, Box<Num>, Box<Num>),
}

#[derive(Clone, Debug)]
enum Cond {
    Compare(&'static str, Num, Num),
    Not(Box<Cond>),
    Op(&'static str, Box<Cond>, Box<Cond>),
}

impl Num {
    fn random(rng: &mut fastrand::Rng, depth: u32) -> Num {
        if depth == 0 || rng.u32(..4) == 0 {
            return if rng.bool() {
                Num::Const(rng.i128(0..6))
            } else {
                Num::Var(rng.choice(['x', 'y', 'z']).unwrap())
            };
        }
        if rng.u32(..6) == 0 {
            return Num::Cell(Box::new(Num::random(rng, depth - 1)));
        }
        let operator = rng.choice(["+", "-", "*", "/", "<<", ">>", "&", "|", "^"]).unwrap();
        let (a, b) = (Num::random(rng, depth - 1), Num::random(rng, depth - 1));
        if rng.u32(..8) == 0 {
            // A remainder, written the only way there is.
            let quotient = Num::Op("/", Box::new(a.clone()), Box::new(b.clone()));
            let product = Num::Op("*", Box::new(quotient), Box::new(b));
            return Num::Op("-", Box::new(a), Box::new(product));
        }
        Num::Op(operator, Box::new(a), Box::new(b))
    }

    fn text(&self) -> String {
        match self {
            Num::Const(value) => value.to_string(),
            Num::Var(name) => name.to_string(),
            Num::Cell(index) => format!("a[{}]", index.text()),
            Num::Op(operator, a, b) => format!("({} {operator} {})", a.text(), b.text()),
        }
    }

    /// `None` where it is not defined, `Err` where the exact value is too large for this test.
    fn eval(&self, env: &Env) -> Result<Option<i128>, ()> {
        Ok(match self {
            Num::Const(value) => Some(*value),
            Num::Var('x') => Some(env.x.into()),
            Num::Var('y') => Some(env.y.into()),
            Num::Var(_) => Some(env.z.into()),
            Num::Cell(index) => {
                let cell = |index: i128| env.a.get(usize::try_from(index - 1).ok()?).map(|value| i128::from(*value));
                index.eval(env)?.and_then(cell)
            }
            Num::Op(operator, a, b) => {
                let (Some(a), Some(b)) = (a.eval(env)?, b.eval(env)?) else { return Ok(None) };
                match *operator {
                    "+" => Some(a.checked_add(b).ok_or(())?),
                    "-" => Some(a.checked_sub(b).ok_or(())?),
                    "*" => Some(a.checked_mul(b).ok_or(())?),
                    "/" => a.checked_div(b),
                    "&" => Some(a & b),
                    "|" => Some(a | b),
                    "^" => Some(a ^ b),
                    "<<" | ">>" if b < 0 => None,
                    "<<" => {
                        Some(a.checked_mul(1_i128.checked_shl(u32::try_from(b).map_err(|_| ())?).ok_or(())?).ok_or(())?)
                    }
                    _ => Some(a >> b.min(127)),
                }
            }
        })
    }
}

impl Cond {
    fn random(rng: &mut fastrand::Rng, depth: u32) -> Cond {
        if depth == 0 || rng.u32(..3) == 0 {
            let operator = rng.choice(["==", "!=", "<", "<=", ">", ">="]).unwrap();
            return Cond::Compare(operator, Num::random(rng, 2), Num::random(rng, 2));
        }
        if rng.u32(..4) == 0 {
            return Cond::Not(Box::new(Cond::random(rng, depth - 1)));
        }
        let operator = rng.choice(["&&", "||", "^^", "<=>", "=="]).unwrap();
        Cond::Op(operator, Box::new(Cond::random(rng, depth - 1)), Box::new(Cond::random(rng, depth - 1)))
    }

    fn text(&self) -> String {
        match self {
            Cond::Compare(operator, a, b) => format!("({} {operator} {})", a.text(), b.text()),
            Cond::Not(a) => format!("!{}", a.text()),
            Cond::Op(operator, a, b) => format!("({} {operator} {})", a.text(), b.text()),
        }
    }

    fn eval(&self, env: &Env) -> Result<bool, ()> {
        Ok(match self {
            Cond::Compare(operator, a, b) => {
                // The comparison is false where it is not defined.
                let (Some(a), Some(b)) = (a.eval(env)?, b.eval(env)?) else { return Ok(false) };
                match *operator {
                    "==" => a == b,
                    "!=" => a != b,
                    "<" => a < b,
                    "<=" => a <= b,
                    ">" => a > b,
                    _ => a >= b,
                }
            }
            Cond::Not(a) => !a.eval(env)?,
            Cond::Op(operator, a, b) => {
                let (a, b) = (a.eval(env)?, b.eval(env)?);
                match *operator {
                    "&&" => a && b,
                    "||" => a || b,
                    "^^" => a != b,
                    _ => a == b,
                }
            }
        })
    }
}

const HEAD: &str = "int x(2), y(2), z(3); int a[1,3](2); int r(4);";

/// What the edges of main do: the value that they assign, zero if none, or nothing if they block.
fn run(terms: &Terms, ops: &[&Op], env: &Env) -> Option<u64> {
    let eval = |term| terms.eval(term, |var| env.get(terms.name(var)));
    let mut result = 0;
    for op in ops {
        match op {
            Op::Assume(condition) => {
                if !eval(*condition).as_bool() {
                    return None;
                }
            }
            Op::Assign(pairs) => result = eval(pairs[0].1).as_bv().to_u64().expect("four bits"),
            Op::Havoc(_) | Op::Call { .. } => panic!("an unexpected operation"),
        }
    }
    Some(result)
}

#[test]
fn guards_are_exact_and_their_undefined_comparisons_are_false() {
    let mut rng = fastrand::Rng::with_seed(1);
    let mut checked = 0;
    for _ in 0..150 {
        let condition = Cond::random(&mut rng, 2);
        let text = format!("{HEAD} module void main() {{ skip({}); }}", condition.text());
        let (terms, _, lowered) = lower(&text);
        let Ok(lowered) = lowered else { continue };
        let ops: Vec<&Op> = lowered.program.procs[0].edges.iter().map(|edge| &edge.op).collect();
        for env in Env::all().step_by(rng.usize(1..16)) {
            let Ok(expected) = condition.eval(&env) else { continue };
            assert_eq!(run(&terms, &ops, &env).is_some(), expected, "{} in {env:?}", condition.text());
            checked += 1;
        }
    }
    assert!(checked > 100_000, "{checked}");
}

#[test]
fn assignments_are_exact_and_block_where_the_value_does_not_fit() {
    let mut rng = fastrand::Rng::with_seed(2);
    let mut checked = 0;
    for _ in 0..150 {
        let number = Num::random(&mut rng, 3);
        let text = format!("{HEAD} module void main() {{ r = {}; }}", number.text());
        let (terms, _, lowered) = lower(&text);
        let Ok(lowered) = lowered else { continue };
        let ops: Vec<&Op> = lowered.program.procs[0].edges.iter().map(|edge| &edge.op).collect();
        for env in Env::all().step_by(rng.usize(1..16)) {
            let Ok(expected) = number.eval(&env) else { continue };
            let expected = expected.and_then(|value| u64::try_from(value).ok()).filter(|value| *value < 16);
            assert_eq!(run(&terms, &ops, &env), expected, "{} in {env:?}", number.text());
            checked += 1;
        }
    }
    assert!(checked > 100_000, "{checked}");
}
