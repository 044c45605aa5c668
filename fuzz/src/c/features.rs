//! Which parts of C occur in generated programs.

/// Which parts of C occur.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[expect(clippy::struct_excessive_bools, reason = "each part of C can be left out on its own")]
pub struct Features {
    /// Arrays.
    pub arrays: bool,
    /// Structs.
    pub structs: bool,
    /// Bit-fields.
    pub bit_fields: bool,
    /// Unions.
    pub unions: bool,
    /// Pointers to variables, members and elements.
    pub pointers: bool,
    /// Looking at and changing single bytes of integers.
    pub bytes: bool,
    /// `malloc`, `calloc`, `free`.
    pub heap: bool,
    /// `memset`, `memcpy`, `memcmp`, `strlen` and string literals.
    pub strings: bool,
    /// Arrays of variable length.
    pub variable_length: bool,
    /// Functions other than main.
    pub functions: bool,
    /// Functions that call themselves.
    pub recursion: bool,
    /// Tables of functions.
    pub function_pointers: bool,
    /// `goto`.
    pub jumps: bool,
    /// `switch`.
    pub switch: bool,
    /// Side effects inside expressions.
    pub effects: bool,
    /// Statement expressions, `__typeof__`, case ranges.
    pub gnu: bool,
    /// Lists, trees, arrays of pointers and structs with pointers.
    pub links: bool,
    /// Pointers into other activations of functions, and pointers as results.
    pub activations: bool,
    /// Addresses as numbers, structs as bytes, bytes that move between objects.
    pub casts: bool,
    /// Packed structs, arrays at the end of structs, large unions, addresses in unions.
    pub layouts: bool,
    /// Global objects that begin with addresses in them.
    pub tables: bool,
    /// Mutual recursion, loops that are left and continued, objects without a name.
    pub control: bool,
    /// `volatile`.
    pub volatile: bool,
    /// Floating-point numbers that are moved and compared.
    pub floats: bool,
}

type Switch = fn(&mut Features) -> &mut bool;

/// The names of the parts.
const NAMES: &[(&str, Switch)] = &[
    ("arrays", |f| &mut f.arrays),
    ("structs", |f| &mut f.structs),
    ("bit-fields", |f| &mut f.bit_fields),
    ("unions", |f| &mut f.unions),
    ("pointers", |f| &mut f.pointers),
    ("bytes", |f| &mut f.bytes),
    ("heap", |f| &mut f.heap),
    ("strings", |f| &mut f.strings),
    ("variable-length", |f| &mut f.variable_length),
    ("functions", |f| &mut f.functions),
    ("recursion", |f| &mut f.recursion),
    ("function-pointers", |f| &mut f.function_pointers),
    ("jumps", |f| &mut f.jumps),
    ("switch", |f| &mut f.switch),
    ("effects", |f| &mut f.effects),
    ("gnu", |f| &mut f.gnu),
    ("links", |f| &mut f.links),
    ("activations", |f| &mut f.activations),
    ("casts", |f| &mut f.casts),
    ("layouts", |f| &mut f.layouts),
    ("tables", |f| &mut f.tables),
    ("control", |f| &mut f.control),
    ("volatile", |f| &mut f.volatile),
    ("floats", |f| &mut f.floats),
];

impl Features {
    /// Everything.
    pub const ALL: Features = Features {
        arrays: true,
        structs: true,
        bit_fields: true,
        unions: true,
        pointers: true,
        bytes: true,
        heap: true,
        strings: true,
        variable_length: true,
        functions: true,
        recursion: true,
        function_pointers: true,
        jumps: true,
        switch: true,
        effects: true,
        gnu: true,
        links: true,
        activations: true,
        casts: true,
        layouts: true,
        tables: true,
        control: true,
        volatile: true,
        floats: true,
    };

    /// Integers and control flow only.
    pub const SCALAR: Features = Features {
        arrays: false,
        structs: false,
        bit_fields: false,
        unions: false,
        pointers: false,
        bytes: false,
        heap: false,
        strings: false,
        variable_length: false,
        functions: true,
        recursion: true,
        function_pointers: false,
        jumps: true,
        switch: true,
        effects: true,
        gnu: false,
        links: false,
        activations: false,
        casts: false,
        layouts: false,
        tables: false,
        control: false,
        volatile: false,
        floats: false,
    };

    /// No addresses.
    pub const PLAIN: Features = Features { arrays: true, structs: true, bit_fields: true, ..Features::SCALAR };

    /// Whether there are scenes.
    #[must_use]
    pub fn scenes(&self) -> bool {
        self.links
            || self.activations
            || self.casts
            || self.layouts
            || self.tables
            || self.control
            || self.volatile
            || self.floats
    }

    /// Reads a list like `all,-heap` or `plain,unions`: parts are added, and taken away by a `-`.
    ///
    /// # Errors
    /// Names the word that is unknown, and the words that are known.
    pub fn parse(list: &str) -> Result<Features, String> {
        let mut features = Features::SCALAR;
        for word in list.split(',').filter(|word| !word.is_empty()) {
            let (name, wanted) = word.strip_prefix('-').map_or((word, true), |name| (name, false));
            match (name, NAMES.iter().find(|(known, _)| *known == name)) {
                ("all", _) => features = Features::ALL,
                ("plain", _) => features = Features::PLAIN,
                ("scalar", _) => features = Features::SCALAR,
                (_, Some((_, part))) => *part(&mut features) = wanted,
                (_, None) => {
                    let known: Vec<&str> = NAMES.iter().map(|(name, _)| *name).collect();
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
        assert_eq!(Features::parse("all,-heap"), Ok(Features { heap: false, ..Features::ALL }));
        assert_eq!(Features::parse("scalar,gnu"), Ok(Features { gnu: true, ..Features::SCALAR }));
        assert!(Features::parse("quick").is_err_and(|why| why.contains("no feature is called quick")));
    }
}
