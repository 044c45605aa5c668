//! Names of signals as names of variables.
//!
//! Symbol tables hold whatever a generator wrote. A variable's name must not look like one of
//! another procedure (`f::x`) or like a helper's (`$x`), and must fit on a line.

/// How many characters of a name are kept.
const MAX_CHARS: usize = 200;

/// The name as a variable may be called, or the other if nothing is left of it.
pub(crate) fn sane(name: &str, otherwise: &str) -> String {
    let strange = |c: char| c.is_control() || c.is_whitespace() || matches!(c, '|' | '\\' | '"' | ';');
    let plain: String = name.trim().chars().take(MAX_CHARS).map(|c| if strange(c) { '_' } else { c }).collect();
    let plain = plain.replace("::", ".");
    match plain.strip_prefix('$') {
        _ if plain.is_empty() => otherwise.to_owned(),
        Some(rest) => format!("_{rest}"),
        None => plain,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_keep_what_is_harmless() {
        for (name, expected) in
            [("req", "req"), ("a[3]", "a[3]"), ("f::x", "f.x"), ("$n", "_n"), ("a b", "a_b"), (" ", "l0")]
        {
            assert_eq!(sane(name, "l0"), expected);
        }
        assert_eq!(sane(&"é".repeat(999), "").chars().count(), MAX_CHARS);
    }
}
