//! Formats of `printf` and its relatives: only `%n` makes them write to what they are given.

#![allow(clippy::wildcard_enum_match_arm, reason = "only addresses of literals are known formats")]

use super::library::unconverted;
use super::tree::{Expr, ExprKind, Object, PlaceKind, Storage, Unit};

/// Which argument is the format, and whether the others are in a `va_list`, of the functions
/// whose effect is modelled.
const FORMATS: &[(&str, usize, bool)] = &[
    ("printf", 0, false),
    ("__builtin_printf", 0, false),
    ("printk", 0, false),
    ("fprintf", 1, false),
    ("vprintf", 0, true),
    ("vfprintf", 1, true),
];

/// A call that prints.
pub(super) struct Print<'e> {
    pub(super) format: &'e Expr,
    /// What follows the format.
    pub(super) values: &'e [Expr],
    /// How many arguments come before those.
    pub(super) first: usize,
    /// Whether what follows is a `va_list`.
    pub(super) list: bool,
}

/// The call as one that prints, if the function does.
pub(super) fn print<'e>(name: &str, args: &'e [Expr]) -> Option<Print<'e>> {
    let (_, at, list) = FORMATS.iter().find(|(known, ..)| *known == name)?;
    let format = args.get(*at)?;
    Some(Print { format, values: &args[at + 1..], first: at + 1, list: *list })
}

/// Whether the function prints.
pub(super) fn prints(name: &str) -> bool {
    FORMATS.iter().any(|(known, ..)| *known == name)
}

/// Whether a format, as it is written, may have a `%n`: it has one, or is no literal.
pub(super) fn may_store(unit: &Unit, format: &Expr) -> bool {
    match &unconverted(format).kind {
        ExprKind::Conditional(_, yes, no) => may_store(unit, yes) || may_store(unit, no),
        ExprKind::Address(place) => match place.kind {
            PlaceKind::Object(object) => literal_stores(&unit.objects[object.index()]).unwrap_or(true),
            _ => true,
        },
        _ => true,
    }
}

/// Whether a string literal has a `%n`; `None` for other objects.
pub(super) fn literal_stores(object: &Object) -> Option<bool> {
    let units = literal(object)?;
    let is_between = |unit: &i128| u8::try_from(*unit).is_ok_and(|byte| b"0123456789$*.+-# 'hlLjztqI".contains(&byte));
    let starts =
        units.iter().enumerate().filter(|(_, unit)| **unit == i128::from(b'%')).map(|(at, _)| &units[at + 1..]);
    let mut conversions = starts.map(|rest| rest.iter().find(|unit| !is_between(unit)));
    Some(conversions.any(|conversion| conversion == Some(&i128::from(b'n'))))
}

/// The characters of a string literal, with the null behind them.
pub(super) fn literal(object: &Object) -> Option<Vec<i128>> {
    let Storage::Static { init: Some(init), .. } = &object.storage else { return None };
    if object.name != "$string" {
        return None;
    }
    let unit = |value: &Expr| if let ExprKind::Int(unit) = value.kind { Some(unit) } else { None };
    init.items.iter().map(|(_, value)| unit(value)).collect()
}
