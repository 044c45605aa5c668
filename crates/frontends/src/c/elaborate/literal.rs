//! Constants as they are written: numbers, characters and strings.

use super::super::tree::{Expr, ExprKind};
use super::super::types::{DataModel, FloatKind, IntKind, Ty, Type};
use super::{Elaborator, R};
use lang_c::ast::{Constant, Float, FloatBase, FloatFormat, Integer, IntegerBase, IntegerSize};
use lang_c::span::Node;
use tamis_ir::Span;

impl Elaborator<'_> {
    pub(super) fn literal(&mut self, node: &Node<Constant>) -> R<Expr> {
        let span = self.span(node);
        match &node.node {
            Constant::Integer(integer) => self.integer(integer, span),
            Constant::Float(float) => self.float(float, span),
            Constant::Character(text) => {
                let (units, kind) = self.units(text, '\'', span)?;
                let ty = if kind == IntKind::Char { IntKind::Int } else { kind };
                let ty = self.unit.types.int(ty);
                let value = match (units.as_slice(), kind) {
                    ([], _) => return Err(self.error(span, "a character constant without a character")),
                    ([one], IntKind::Char) => i128::from(one.to_le_bytes()[0].cast_signed()),
                    // Several characters make one int, as GCC packs them.
                    (many, IntKind::Char) => {
                        let packed = many.iter().fold(0_u32, |value, unit| (value << 8) | (unit & 0xff));
                        i128::from(packed.cast_signed())
                    }
                    ([.., last], IntKind::Int) => i128::from(last.cast_signed()),
                    ([.., last], _) => i128::from(*last),
                };
                Ok(Self::number(value, ty, span))
            }
        }
    }

    fn integer(&mut self, integer: &Integer, span: Span) -> R<Expr> {
        let radix = match integer.base {
            IntegerBase::Decimal => 10,
            IntegerBase::Octal => 8,
            IntegerBase::Hexadecimal => 16,
            IntegerBase::Binary => 2,
        };
        if integer.suffix.imaginary {
            return Err(self.error(span, "complex numbers are not supported"));
        }
        let digits = if integer.number.is_empty() { "0" } else { &integer.number };
        let value = u128::from_str_radix(digits, radix).ok().and_then(|value| i128::try_from(value).ok());
        let decimal = integer.base == IntegerBase::Decimal;
        let rungs =
            [(IntKind::Int, IntKind::UInt), (IntKind::Long, IntKind::ULong), (IntKind::LongLong, IntKind::ULongLong)];
        let first = match integer.suffix.size {
            IntegerSize::Int => 0,
            IntegerSize::Long => 1,
            IntegerSize::LongLong => 2,
        };
        for (signed, unsigned) in &rungs[first..] {
            for (kind, allowed) in
                [(*signed, !integer.suffix.unsigned), (*unsigned, integer.suffix.unsigned || !decimal)]
            {
                let (bits, is_signed) = self.unit.types.kind_bits(kind);
                let most = (1_i128 << (bits - u32::from(is_signed))) - 1;
                if let Some(value) = value.filter(|value| allowed && *value <= most) {
                    let ty = self.unit.types.int(kind);
                    return Ok(Self::number(value, ty, span));
                }
            }
        }
        // GNU: a decimal constant too large for any signed type is of the 128-bit one, if there is one.
        if let Some(value) = value.filter(|value| self.unit.types.model == DataModel::Lp64 && *value < 1 << 64) {
            let ty = self.unit.types.int(IntKind::Int128);
            return Ok(Self::number(value, ty, span));
        }
        if let Some(value) = value.filter(|value| *value < 1 << 64) {
            let ty = self.unit.types.int(IntKind::ULongLong);
            return Ok(Self::number(value, ty, span));
        }
        Err(self.error(span, "this number is too large for any type"))
    }

    fn float(&mut self, float: &Float, span: Span) -> R<Expr> {
        if float.suffix.imaginary {
            return Err(self.error(span, "complex numbers are not supported"));
        }
        let kind = match &float.suffix.format {
            FloatFormat::Float => FloatKind::Float,
            FloatFormat::Double => FloatKind::Double,
            FloatFormat::LongDouble => FloatKind::LongDouble,
            FloatFormat::TS18661Format(_) => return Err(self.error(span, "this kind of number is not supported")),
        };
        let value = match (&float.base, kind) {
            (FloatBase::Decimal, FloatKind::Float) => float.number.parse::<f32>().ok().map(f64::from),
            (FloatBase::Decimal, FloatKind::Double | FloatKind::LongDouble) => float.number.parse().ok(),
            (FloatBase::Hexadecimal, _) => hexadecimal(&float.number),
        };
        let Some(value) = value else { return Err(self.error(span, "this number cannot be read")) };
        let ty = self.unit.types.make(Type::Float(kind));
        Ok(Expr { kind: ExprKind::Float(self.round(value, kind)), ty, span })
    }

    /// The characters of a string: their values, and their type.
    pub(super) fn string(&mut self, parts: &[String], span: Span) -> R<(Vec<u32>, Ty)> {
        let mut units = Vec::new();
        let mut kind = IntKind::Char;
        // A prefix of one part is the prefix of all.
        let wide = parts
            .iter()
            .find(|part| part.starts_with(['L', 'U']) || (part.starts_with('u') && !part.starts_with("u8")));
        let prefix = wide.map_or("", |part| &part[..1]);
        for part in parts {
            let quote = part.find('"').unwrap_or(0);
            let (more, of) = self.units(&format!("{prefix}{}", &part[quote..]), '"', span)?;
            units.extend(more);
            kind = of;
        }
        Ok((units, self.unit.types.int(kind)))
    }

    /// The code units of a quoted text, and the type of one.
    fn units(&mut self, text: &str, quote: char, span: Span) -> R<(Vec<u32>, IntKind)> {
        let start = text.find(quote).unwrap_or(0);
        let kind = match &text[..start] {
            "L" if self.unit.types.model == DataModel::Ilp32 => IntKind::Long,
            "L" => IntKind::Int,
            "U" => IntKind::UInt,
            "u" => IntKind::UShort,
            _ => IntKind::Char,
        };
        let body = text[start + 1..].strip_suffix(quote).unwrap_or("");
        let mut units = Vec::with_capacity(body.len());
        let mut chars = body.chars().peekable();
        while let Some(character) = chars.next() {
            if character != '\\' {
                encode(character, kind, &mut units);
                continue;
            }
            let Some(escaped) = chars.next() else { break };
            let simple = match escaped {
                'n' => 10,
                't' => 9,
                'r' => 13,
                'a' => 7,
                'b' => 8,
                'f' => 12,
                'v' => 11,
                'e' | 'E' => 27,
                '\\' | '\'' | '"' | '?' => u32::from(escaped),
                '0'..='7' => {
                    let mut value = escaped.to_digit(8).unwrap_or(0);
                    for _ in 0..2 {
                        let Some(digit) = chars.peek().and_then(|next| next.to_digit(8)) else { break };
                        value = value * 8 + digit;
                        chars.next();
                    }
                    value
                }
                'x' => {
                    let mut value = 0_u32;
                    while let Some(digit) = chars.peek().and_then(|next| next.to_digit(16)) {
                        value = value.wrapping_mul(16) | digit;
                        chars.next();
                    }
                    value
                }
                'u' | 'U' => {
                    let digits = if escaped == 'u' { 4 } else { 8 };
                    let value = chars
                        .by_ref()
                        .take(digits)
                        .try_fold(0_u32, |value, next| Some(value.wrapping_mul(16) | next.to_digit(16)?));
                    let Some(character) = value.and_then(char::from_u32) else {
                        return Err(self.error(span, "this is not a universal character name"));
                    };
                    encode(character, kind, &mut units);
                    continue;
                }
                other => return Err(self.error(span, format!("`\\{other}` is not an escape sequence"))),
            };
            let mask = if kind == IntKind::Char {
                0xff
            } else if kind == IntKind::UShort {
                0xffff
            } else {
                u32::MAX
            };
            units.push(simple & mask);
        }
        Ok((units, kind))
    }
}

fn encode(character: char, kind: IntKind, units: &mut Vec<u32>) {
    if kind == IntKind::Char {
        units.extend(character.encode_utf8(&mut [0; 4]).bytes().map(u32::from));
    } else if kind == IntKind::UShort {
        units.extend(character.encode_utf16(&mut [0; 2]).iter().map(|unit| u32::from(*unit)));
    } else {
        units.push(u32::from(character));
    }
}

/// `1.8p3` in hexadecimal: digits with a point, and a power of two.
fn hexadecimal(text: &str) -> Option<f64> {
    let (digits, power) = text.split_once(['p', 'P']).unwrap_or((text, "0"));
    let (whole, fraction) = digits.split_once('.').unwrap_or((digits, ""));
    let mut power: i32 = power.parse().ok()?;
    let mut value = 0_u64;
    for (at, digit) in whole.chars().chain(fraction.chars()).enumerate() {
        let digit = u64::from(digit.to_digit(16)?);
        if value >> 60 == 0 {
            value = value << 4 | digit;
            power = power.checked_sub(if at < whole.len() { 0 } else { 4 })?;
        } else {
            power = power.checked_add(if at < whole.len() { 4 } else { 0 })?;
        }
    }
    #[expect(clippy::cast_precision_loss, reason = "more than 53 bits are rounded, as a compiler does")]
    let value = value as f64;
    // In two steps, so that small numbers do not vanish half-way.
    Some(value * 2_f64.powi(power / 2) * 2_f64.powi(power - power / 2))
}
