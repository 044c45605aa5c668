//! Which parts of C occur in generated programs.

/// A part of C that can be left out.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Part {
    /// Arrays.
    Arrays,
    /// Structs.
    Structs,
    /// Bit-fields among the members of structs.
    BitFields,
    /// Unions.
    Unions,
    /// Pointers to variables, members and elements.
    Pointers,
    /// Looking at and changing single bytes of integers.
    Bytes,
    /// `malloc`, `calloc`, `free`.
    Heap,
    /// `memset`, `memcpy`, `memcmp`, `strlen` and string literals.
    Strings,
    /// Arrays of variable length.
    VariableLength,
    /// Functions other than main.
    Functions,
    /// Functions that call themselves.
    Recursion,
    /// Tables of functions.
    FunctionPointers,
    /// `goto`.
    Jumps,
    /// `switch`.
    Switch,
    /// Side effects inside expressions.
    Effects,
    /// Statement expressions, `__typeof__`, case ranges.
    Gnu,
    /// Lists, trees, arrays of pointers and structs with pointers.
    Links,
    /// Pointers into other activations of functions, and pointers as results.
    Activations,
    /// Addresses as numbers, structs as bytes, bytes that move between objects.
    Casts,
    /// Packed structs, arrays at the end of structs, large unions, addresses in unions.
    Layouts,
    /// Global objects that begin with addresses in them.
    Tables,
    /// Mutual recursion, loops that are left and continued, objects without a name.
    Control,
    /// `volatile`.
    Volatile,
    /// Floating-point numbers that are moved and compared.
    Floats,
    /// Initialisers of any order: designators, ranges, braces left out, parts that are overridden.
    Initialisers,
    /// Structs and unions that are assigned, passed and returned.
    Values,
    /// Side effects in bounds, sizes and types, and beside operands that are not evaluated.
    Operands,
    /// Jumps into blocks, loops and branches, and `switch` in all its shapes.
    Entries,
    /// Bit-fields of every type and width, with gaps between them.
    Fields,
    /// Parameters declared after their list, and calls without a prototype.
    OldStyle,
    /// Structs and unions that go through pointers to functions.
    Callbacks,
}

/// All parts with their names.
pub const PARTS: &[(Part, &str)] = &[
    (Part::Arrays, "arrays"),
    (Part::Structs, "structs"),
    (Part::BitFields, "bit-fields"),
    (Part::Unions, "unions"),
    (Part::Pointers, "pointers"),
    (Part::Bytes, "bytes"),
    (Part::Heap, "heap"),
    (Part::Strings, "strings"),
    (Part::VariableLength, "variable-length"),
    (Part::Functions, "functions"),
    (Part::Recursion, "recursion"),
    (Part::FunctionPointers, "function-pointers"),
    (Part::Jumps, "jumps"),
    (Part::Switch, "switch"),
    (Part::Effects, "effects"),
    (Part::Gnu, "gnu"),
    (Part::Links, "links"),
    (Part::Activations, "activations"),
    (Part::Casts, "casts"),
    (Part::Layouts, "layouts"),
    (Part::Tables, "tables"),
    (Part::Control, "control"),
    (Part::Volatile, "volatile"),
    (Part::Floats, "floats"),
    (Part::Initialisers, "initialisers"),
    (Part::Values, "values"),
    (Part::Operands, "operands"),
    (Part::Entries, "entries"),
    (Part::Fields, "fields"),
    (Part::OldStyle, "old-style"),
    (Part::Callbacks, "callbacks"),
];

/// A set of parts.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Features(u64);

impl Features {
    /// Integers and control flow only.
    pub const SCALAR: Features = Features(0)
        .with(Part::Functions)
        .with(Part::Recursion)
        .with(Part::Jumps)
        .with(Part::Switch)
        .with(Part::Effects);

    /// No addresses.
    pub const PLAIN: Features = Features::SCALAR.with(Part::Arrays).with(Part::Structs).with(Part::BitFields);

    /// Everything.
    pub const ALL: Features = Features((1 << PARTS.len()) - 1);

    /// The set with a part.
    #[must_use]
    pub const fn with(self, part: Part) -> Features {
        Features(self.0 | 1 << part as u32)
    }

    /// The set without a part.
    #[must_use]
    pub const fn without(self, part: Part) -> Features {
        Features(self.0 & !(1 << part as u32))
    }

    /// Whether the part is in the set.
    #[must_use]
    pub const fn has(self, part: Part) -> bool {
        self.0 >> part as u32 & 1 == 1
    }

    /// Reads a list like `all,-heap` or `plain,unions`: parts are added, and taken away by a `-`.
    ///
    /// # Errors
    /// Names the word that is unknown, and the words that are known.
    pub fn parse(list: &str) -> Result<Features, String> {
        let mut features = Features::SCALAR;
        for word in list.split(',').filter(|word| !word.is_empty()) {
            let (name, wanted) = word.strip_prefix('-').map_or((word, true), |name| (name, false));
            match (name, PARTS.iter().find(|(_, known)| *known == name)) {
                ("all", _) => features = Features::ALL,
                ("plain", _) => features = Features::PLAIN,
                ("scalar", _) => features = Features::SCALAR,
                (_, Some((part, _))) if wanted => features = features.with(*part),
                (_, Some((part, _))) => features = features.without(*part),
                (_, None) => {
                    let known: Vec<&str> = PARTS.iter().map(|(_, name)| *name).collect();
                    return Err(format!(
                        "no feature is called {name}; there are all, plain, scalar, {}",
                        known.join(", ")
                    ));
                }
            }
        }
        Ok(features)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lists_add_and_take_away() {
        assert_eq!(Features::parse("plain"), Ok(Features::PLAIN));
        assert_eq!(Features::parse("all,-heap"), Ok(Features::ALL.without(Part::Heap)));
        assert_eq!(Features::parse("scalar,gnu"), Ok(Features::SCALAR.with(Part::Gnu)));
        assert!(Features::parse("quick").is_err_and(|why| why.contains("no feature is called quick")));
    }

    #[test]
    fn all_parts_are_in_the_table_once() {
        for (at, (part, _)) in PARTS.iter().enumerate() {
            assert_eq!(*part as usize, at);
        }
    }
}
