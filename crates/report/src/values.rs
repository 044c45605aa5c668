//! Values as people write them: numbers as their variables are written, arrays as lists.

use crate::style::{clip, one_line};
use tamis_ir::{Notation, Program};
use tamis_term::value::values;
use tamis_term::{ArrayValue, BitVec, Value, Var};

/// How many digits of a number are shown.
const MAX_DIGITS: usize = 40;

/// Arrays up to this many cells are shown as a list.
const MAX_LIST: u64 = 16;

/// How many cells of a larger array are shown.
const MAX_CELLS: usize = 8;

/// A value.
#[must_use]
pub fn value(value: &Value) -> String {
    value_in(value, None)
}

/// A value as its variable is written. Of an array, that is about the elements.
#[must_use]
pub fn value_in(value: &Value, notation: Option<&Notation>) -> String {
    value_up_to(value, notation, None)
}

/// The value of a variable as the program writes it, without what arrays have beyond their length.
#[must_use]
pub fn value_of(program: &Program, var: Var, value: &Value) -> String {
    value_up_to(value, program.notes.notation.get(&var), program.notes.lengths.get(&var).copied())
}

fn value_up_to(value: &Value, notation: Option<&Notation>, length: Option<u64>) -> String {
    match value {
        Value::Bool(truth) => truth.to_string(),
        Value::BitVec(bits) => bits_in(bits, notation),
        Value::Int(number) => clip(&number.to_string(), MAX_DIGITS),
        Value::Real(number) => clip(&number.to_string(), MAX_DIGITS),
        Value::Array(array) => array_value(array, notation, length),
    }
}

fn bits_in(bits: &BitVec, notation: Option<&Notation>) -> String {
    let plain = || match bits.to_u64() {
        Some(number) => number.to_string(),
        None => clip(&format!("{:#x}", bits.to_big()), MAX_DIGITS),
    };
    let signed = || clip(&bits.to_signed().to_string(), MAX_DIGITS);
    match notation {
        None | Some(Notation::Unsigned) => plain(),
        Some(Notation::Signed) => signed(),
        Some(Notation::Character) => match bits.to_u64().and_then(|code| u8::try_from(code).ok()) {
            Some(code) if code.is_ascii_graphic() || code == b' ' => format!("{} '{}'", signed(), char::from(code)),
            Some(_) | None => signed(),
        },
        Some(Notation::Address) => clip(&format!("{:#x}", bits.to_big()), MAX_DIGITS),
        Some(Notation::Names(names)) => {
            bits.to_u64().and_then(|number| names.get(&number)).map_or_else(plain, |name| one_line(name))
        }
    }
}

fn array_value(array: &ArrayValue, notation: Option<&Notation>, length: Option<u64>) -> String {
    let element = |cell: &Value| value_in(cell, notation);
    let index = &array.sort().index;
    if index.cardinality().is_some_and(|size| size <= MAX_LIST) {
        let length = length.and_then(|length| usize::try_from(length).ok()).unwrap_or(usize::MAX);
        let cells: Vec<String> = values(index).take(length).map(|at| element(array.select(&at))).collect();
        return format!("{{{}}}", cells.join(", "));
    }
    let mut parts: Vec<String> =
        array.cells().take(MAX_CELLS).map(|(at, cell)| format!("{}: {}", value(at), element(cell))).collect();
    if array.cells().nth(MAX_CELLS).is_some() {
        parts.push("…".into());
    }
    parts.push(format!("else {}", element(array.default())));
    format!("{{{}}}", parts.join(", "))
}

/// What a change of a variable looks like: `x = 5`, or for an array the cells that differ,
/// `a[2] = 1`. `old` is the value that the reader knows, if any.
#[must_use]
pub fn changes(program: &Program, var: Var, name: &str, old: Option<&Value>, new: &Value) -> Vec<String> {
    if old == Some(new) {
        return Vec::new();
    }
    if let (Some(Value::Array(before)), Value::Array(after)) = (old, new)
        && before.default() == after.default()
    {
        let mut places: Vec<&Value> = before.cells().chain(after.cells()).map(|(at, _)| at).collect();
        places.sort_unstable();
        places.dedup();
        places.retain(|at| before.select(at) != after.select(at));
        if places.len() <= MAX_CELLS {
            let notation = program.notes.notation.get(&var);
            let cell = |at: &&Value| format!("{name}[{}] = {}", value(at), value_in(after.select(at), notation));
            return places.iter().map(cell).collect();
        }
    }
    vec![format!("{name} = {}", value_of(program, var, new))]
}

#[cfg(test)]
mod tests {
    use super::*;
    use tamis_term::{Sort, Terms};

    #[test]
    fn values_are_decimal_and_arrays_are_lists() {
        let sort = |bits| Sort::array(Sort::BitVec(bits), Sort::BitVec(8));
        let Value::Array(small) = Value::default_of(&sort(2)) else { unreachable!() };
        let stored = Value::Array(Box::new(small.clone().store(Value::bv(2, 2), Value::bv(8, 7))));
        assert_eq!(value(&stored), "{0, 0, 7, 0}");
        let (mut terms, mut program) = (Terms::new(), Program::new(std::sync::Arc::default()));
        let a = terms.declare("a", sort(2));
        assert_eq!(changes(&program, a, "a", Some(&Value::Array(small)), &stored), ["a[2] = 7"]);
        program.notes.lengths.insert(a, 3);
        assert_eq!(changes(&program, a, "a", None, &stored), ["a = {0, 0, 7}"]);
        let Value::Array(large) = Value::default_of(&sort(30)) else { unreachable!() };
        let stored = Value::Array(Box::new(large.store(Value::bv(30, 9), Value::bv(8, 1))));
        assert_eq!(value(&stored), "{9: 1, else 0}");
        assert!(changes(&program, a, "x", Some(&Value::Bool(true)), &Value::Bool(true)).is_empty());
        assert_eq!(changes(&program, a, "x", None, &Value::Bool(true)), ["x = true"]);
    }

    #[test]
    fn numbers_are_written_as_their_variables_are() {
        let names = Notation::Names([(3, "RED".to_owned())].into());
        for (number, notation, expected) in [
            (0xff, Notation::Signed, "-1"),
            (0xff, Notation::Unsigned, "255"),
            (0xff, Notation::Address, "0xff"),
            (97, Notation::Character, "97 'a'"),
            (10, Notation::Character, "10"),
            (0xe9, Notation::Character, "-23"),
            (3, names.clone(), "RED"),
            (4, names, "4"),
        ] {
            assert_eq!(value_in(&Value::bv(8, number), Some(&notation)), expected);
        }
        let Value::Array(list) = Value::default_of(&Sort::array(Sort::BitVec(1), Sort::BitVec(8))) else { panic!() };
        let list = Value::Array(Box::new(list.store(Value::bv(1, 1), Value::bv(8, 254))));
        assert_eq!(value_in(&list, Some(&Notation::Signed)), "{0, -2}");
    }
}
