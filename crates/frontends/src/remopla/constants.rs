//! Expressions whose value is known before the program runs: `define`s, sizes, widths and
//! the bounds of quantifiers. Exact, and refused where they leave [`MAX_BITS`] bits.

use super::ast::{Arith, Expr, ExprKind, Operator};
use super::number::MAX_BITS;
use num_bigint::{BigInt, Sign};
use tamis_ir::{Diagnostic, Span};

/// The value of a constant expression; `lookup` knows the names.
///
/// # Errors
/// If the expression is no constant number.
pub fn evaluate(expr: &Expr<'_>, lookup: &impl Fn(&str) -> Option<BigInt>) -> Result<BigInt, Diagnostic> {
    match &expr.kind {
        ExprKind::Number(value) => Ok(value.clone()),
        ExprKind::Lval(lval) => {
            let name = lval.name.text;
            let plain = lval.primes == 0 && lval.index.is_empty() && lval.field.is_none();
            lookup(name).filter(|_| plain).ok_or_else(|| {
                Diagnostic::error(lval.span, format!("`{name}` is not a constant"))
                    .hint(format!("define it before: `define {name} 4`"))
            })
        }
        ExprKind::Chain(first, rest) => {
            let mut value = evaluate(first, lookup)?;
            for (operator, operand) in rest {
                let right = evaluate(operand, lookup)?;
                value = apply(*operator, &value, &right, operand.span)?;
                if value.bits() > u64::from(MAX_BITS) {
                    return Err(overflow(expr.span));
                }
            }
            Ok(value)
        }
        ExprKind::Truth(_) | ExprKind::Not(_) | ExprKind::Quantified(..) => {
            Err(Diagnostic::error(expr.span, "expected a number, not a truth value"))
        }
    }
}

fn overflow(span: Span) -> Diagnostic {
    Diagnostic::error(span, format!("the constant has more than {MAX_BITS} bits"))
}

fn apply(operator: Operator, a: &BigInt, b: &BigInt, span: Span) -> Result<BigInt, Diagnostic> {
    let Operator::Arith(operator) = operator else {
        return Err(Diagnostic::error(span, "expected a number, not a truth value"));
    };
    Ok(match operator {
        Arith::Plus => a + b,
        Arith::Minus => a - b,
        Arith::Times => a * b,
        Arith::Divide if b.sign() == Sign::NoSign => return Err(Diagnostic::error(span, "division by zero")),
        Arith::Divide => a / b,
        Arith::And => a & b,
        Arith::Or => a | b,
        Arith::Xor => a ^ b,
        Arith::ShiftLeft | Arith::ShiftRight => {
            let distance = u32::try_from(b).ok().filter(|distance| *distance <= MAX_BITS);
            let distance = distance.ok_or_else(|| {
                Diagnostic::error(span, format!("the distance of a shift is not between 0 and {MAX_BITS}"))
            })?;
            if operator == Arith::ShiftLeft { a << distance } else { a >> distance }
        }
    })
}
