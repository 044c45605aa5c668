//! Functions of the standard library, of POSIX and of the compiler that are written in C, in the
//! files beside this one: a function, an empty line, the next. `size_t` is theirs, and what they call
//! comes before them.
//!
//! A call of `__builtin_strlen` means the library's `strlen`, whatever the program defines by that
//! name: so the function joins the program under the name that is called.

use super::BUILTIN;
use crate::c::types::DataModel;
use std::sync::LazyLock;

const FILES: [&str; 4] =
    [include_str!("ctype.c"), include_str!("string.c"), include_str!("numbers.c"), include_str!("fortify.c")];

/// A function.
struct Written {
    name: &'static str,
    text: &'static str,
}

static WRITTEN: LazyLock<Vec<Written>> = LazyLock::new(|| FILES.into_iter().flat_map(functions).collect());

/// The functions of a file. A paragraph without a body is a remark.
fn functions(file: &'static str) -> impl Iterator<Item = Written> {
    file.split("\n\n").filter_map(|text| {
        let head = text.lines().find(|line| line.ends_with(") {"))?;
        let name = head.split('(').next()?.rsplit([' ', '*']).next()?;
        Some(Written { name, text })
    })
}

/// The function that is meant by a name, and its position.
fn meant(name: &str) -> Option<(usize, &'static Written)> {
    let position = |name: &str| WRITTEN.iter().position(|written| written.name == name);
    let at = position(name).or_else(|| position(name.strip_prefix(BUILTIN)?))?;
    Some((at, &WRITTEN[at]))
}

/// Whether there is a function of that name.
pub(super) fn is_written(name: &str) -> bool {
    meant(name).is_some()
}

/// The words of a C text.
fn words(text: &str) -> impl Iterator<Item = &str> {
    text.split(|c: char| !c.is_ascii_alphanumeric() && c != '_')
}

/// The text with one word put for another.
fn renamed(text: &str, from: &str, to: &str) -> String {
    let mut rest = text;
    let mut out = String::new();
    while let Some(at) = rest.find(from) {
        let (before, after) = (&rest[..at], &rest[at + from.len()..]);
        let part = |c: char| c.is_ascii_alphanumeric() || c == '_';
        let whole = !before.ends_with(part) && !after.starts_with(part);
        out.push_str(before);
        out.push_str(if whole { to } else { from });
        rest = after;
    }
    out + rest
}

/// The C text of those of `names` that are written in C, and of what they call; `None` if there
/// are none. `is_defined` says which functions the program has already.
pub(in crate::c) fn text(names: &[&str], model: DataModel, is_defined: &dyn Fn(&str) -> bool) -> Option<String> {
    let mut wanted: Vec<(usize, &str)> = Vec::new();
    let mut work: Vec<&str> = names.to_vec();
    while let Some(name) = work.pop() {
        let Some((at, written)) = meant(name) else { continue };
        if !is_defined(name) && wanted.iter().all(|(_, known)| *known != name) {
            wanted.push((at, name));
            work.extend(words(written.text).filter(|word| *word != written.name));
        }
    }
    if wanted.is_empty() {
        return None;
    }
    wanted.sort_unstable();
    let size = match model {
        DataModel::Ilp32 => "unsigned int",
        DataModel::Lp64 => "unsigned long",
    };
    let texts = wanted.iter().map(|(at, name)| renamed(WRITTEN[*at].text, WRITTEN[*at].name, name));
    Some(format!("typedef {size} size_t;\n{}\n", texts.collect::<Vec<_>>().join("\n")))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn functions_come_after_what_they_call() {
        assert!(WRITTEN.len() > 60, "{} functions", WRITTEN.len());
        for (at, written) in WRITTEN.iter().enumerate() {
            let calls = words(written.text).filter(|word| *word != written.name);
            let later = calls.filter_map(meant).find(|(other, _)| *other > at);
            assert!(later.is_none(), "{} comes before {:?}", written.name, later.map(|(_, other)| other.name));
        }
    }

    #[test]
    fn a_function_joins_under_the_name_that_is_called() {
        let text = text(&["__builtin_strpbrk"], DataModel::Ilp32, &|_| false).expect("it is written");
        assert!(text.starts_with("typedef unsigned int size_t;\n"), "{text}");
        assert!(text.contains("char *__builtin_strpbrk(const char *s") && text.contains("size_t strcspn("), "{text}");
        assert!(!text.contains("strlen"), "{text}");
    }
}
