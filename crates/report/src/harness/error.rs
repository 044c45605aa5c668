//! What the error is, and how a compiled program is seen to run into it.
//!
//! Calls of error functions are seen by the harness, which defines them or is told when they are
//! entered. A failing assertion calls a function of the harness. Labels are seen by a statement that
//! a copy of the program has behind them (see `probes`). For what an operation does wrong there are
//! the compiler's sanitizers. Those for arithmetic and array bounds call functions that the harness
//! defines, so that no library of theirs is needed; the one for memory brings its own.

use tamis_ir::{Loc, Program, PropertyId};

/// The kind of an error.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Error {
    /// An assertion fails.
    Assertion,
    /// An error function is called.
    Call,
    /// A label of that name is reached.
    Label(String),
    /// A number is divided by zero.
    Division,
    /// An array is accessed out of its bounds.
    Bounds,
    /// Signed arithmetic overflows.
    Overflow,
    /// Memory is accessed through an invalid pointer.
    Access,
    /// Something is freed that is no live allocated object.
    Free,
    /// An object is not freed at the end.
    Leak,
    /// An object is lost before it is freed.
    Lost,
}

impl Error {
    /// The error at a location of a property.
    #[must_use]
    pub fn at(program: &Program, property: PropertyId, loc: Loc) -> Error {
        let asked = program.property(property);
        let there = program.errors.iter().filter(|other| other.locs.contains(&loc));
        // A union of which only one part has locations is as large as that part.
        let union = program.default.map(|union| program.property(union));
        let named = there.min_by_key(|other| (other.locs.len(), Some(*other) == union)).unwrap_or(asked);
        if named.about == format!("the label {} is reached", named.name) {
            return Error::Label(named.name.clone());
        }
        match named.name.as_str() {
            "assert" => Error::Assertion,
            "division-by-zero" => Error::Division,
            "bounds" => Error::Bounds,
            "no-overflow" => Error::Overflow,
            "valid-deref" => Error::Access,
            "valid-free" => Error::Free,
            "valid-memtrack" => Error::Lost,
            "valid-memcleanup" => Error::Leak,
            _ => Error::Call,
        }
    }

    /// What it means to run into it.
    #[must_use]
    pub fn about(&self) -> String {
        let about = match self {
            Error::Assertion => "an assertion fails",
            Error::Call => "an error function is called",
            Error::Label(name) => return format!("the label {name} is reached"),
            Error::Division => "a number is divided by zero",
            Error::Bounds => "an array is accessed out of bounds",
            Error::Overflow => "signed arithmetic overflows",
            Error::Access => "memory is accessed through an invalid pointer",
            Error::Free => "something is freed that is no live allocated object",
            Error::Leak => "an object is not freed at the end",
            Error::Lost => "an object is lost before it is freed",
        };
        about.to_owned()
    }

    /// Why no run shows it, if none does.
    #[must_use]
    pub fn hidden(&self) -> Option<&'static str> {
        (*self == Error::Lost).then_some("no compiler tells when an object is lost")
    }

    /// Flags for the compiler, so that the program tells of the error.
    pub(super) fn flags(&self) -> &'static [&'static str] {
        match self {
            Error::Call => &["-finstrument-functions", WRAPS],
            Error::Division => &["-fsanitize=integer-divide-by-zero", WRAPS],
            Error::Bounds => &["-fsanitize=bounds", WRAPS],
            // What wraps around does not overflow.
            Error::Overflow => &["-fsanitize=signed-integer-overflow"],
            Error::Access | Error::Free => &[WRAPS, MEMORY],
            Error::Leak => {
                &["-Dmalloc=tamis_count_malloc", "-Dcalloc=tamis_count_calloc", "-Dfree=tamis_count_free", WRAPS]
            }
            Error::Assertion | Error::Label(_) | Error::Lost => &[WRAPS],
        }
    }

    /// Whether the library of the compiler's sanitizer for memory is needed.
    pub(super) fn needs_library(&self) -> bool {
        self.flags().contains(&MEMORY)
    }
}

const WRAPS: &str = "-fwrapv";

/// The sanitizer that has a library.
pub(super) const MEMORY: &str = "-fsanitize=address";

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::Arc;
    use tamis_ir::{Property, Span};

    #[test]
    fn the_narrowest_property_names_the_error() {
        let mut program = Program::new(Arc::default());
        let locs: Vec<Loc> = (0..3).map(|_| program.add_loc(Span::default())).collect();
        let all = program.add_property(Property::new("all", "an error", locs.clone()));
        program.default = Some(all);
        program.add_property(Property::new("assert", "an assertion fails", vec![locs[0]]));
        program.add_property(Property::new("out", "the label out is reached", vec![locs[1]]));
        let named: Vec<Error> = locs.iter().map(|loc| Error::at(&program, all, *loc)).collect();
        assert_eq!(named, [Error::Assertion, Error::Label("out".into()), Error::Call]);
    }

    #[test]
    fn a_union_of_one_part_has_the_name_of_the_part() {
        let mut program = Program::new(Arc::default());
        let loc = program.add_loc(Span::default());
        let all = program.add_property(Property::new("all", "an error", vec![loc]));
        program.default = Some(all);
        let part = program.add_property(Property::new("division-by-zero", "it divides", vec![loc]));
        for asked in [all, part] {
            assert_eq!(Error::at(&program, asked, loc), Error::Division);
        }
    }
}
