//! Damaged C: no text makes the front end panic, hang or run out of memory.

use crate::damage::Vocabulary;
use fastrand::Rng;
use std::any::Any;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;
use std::sync::mpsc::channel;
use std::time::{Duration, Instant};
use tamis_frontends::Input;
use tamis_frontends::c::{self, DataModel};
use tamis_ir::{Sources, validate};
use tamis_term::Terms;

/// How long one text may take.
const PATIENCE: Duration = Duration::from_secs(10);

/// The stack of the thread that lowers: that of a main thread.
const STACK: usize = 8 << 20;

/// Words that are put where they do not belong.
const WORDS: &[&str] = &[
    "int",
    "struct",
    "union",
    "enum",
    "typedef",
    "static",
    "extern",
    "const",
    "void",
    "char",
    "unsigned",
    "long",
    "_Bool",
    "__extension__",
    "__attribute__((packed))",
    "__typeof__(",
    "sizeof",
    "_Alignof",
    "_Generic(",
    "goto",
    "case",
    "default:",
    "return",
    "if",
    "else",
    "while",
    "do",
    "for",
    "switch",
    "break;",
    "continue;",
    "asm(\"\")",
    "(",
    ")",
    "[",
    "]",
    "{",
    "}",
    "*",
    "&",
    "&&",
    "||",
    "++",
    "--",
    "->",
    ".",
    "...",
    "?",
    ":",
    ";",
    ",",
    "=",
    "==",
    "<<=",
    "%",
    "~",
    "!",
    "0",
    "1",
    "-1",
    "18446744073709551616",
    "1e400",
    "0x",
    "08",
    "'",
    "\"",
    "'\\",
    "L\"é\"",
    "/*",
    "*/",
    "//",
    "#",
    "# 1 \"x\" 3\n",
    "\\\n",
    "??=",
    "\u{0}",
    "é",
    "void *",
    "int (*f)(int)",
    "struct S *",
    "main",
    "x[1000000000000]",
    "= {[1000000] = 1}",
    "({",
    "})",
    "__builtin_expect(",
    "%:",
    "<:",
];

/// What opens and what closes it, or what is repeated and what ends it.
const PAIRS: &[(&str, &str)] = &[
    ("(", ")"),
    ("{", "}"),
    ("[", "]"),
    ("*", ""),
    ("-", ""),
    ("!", ""),
    ("~", ""),
    ("&", ""),
    ("if(1)", ";"),
    ("for(;;)", ";"),
    ("int(", ")"),
    ("1+", "1"),
    ("1?", ":1"),
    ("x=", "1"),
    ("({", ";})"),
    ("struct{", "}"),
    ("else ", ""),
    ("sizeof ", "1"),
    ("(int)", "1"),
    ("f(", ")"),
    ("\"a\"", ""),
    ("case 1:", ""),
    ("do ", ";"),
    ("l:", ""),
    ("1,", "1"),
    ("a->", "a"),
    ("__typeof__(", ")"),
    ("/*", "*/"),
];

/// A text made of `text` by a few random changes; `other` lends pieces.
#[must_use]
pub fn damage(rng: &mut Rng, text: &str, other: &str) -> String {
    let language = Vocabulary { words: WORDS, pairs: PAIRS };
    let bytes = crate::damage::damage(rng, &language, text.as_bytes(), other.as_bytes());
    String::from_utf8_lossy(&bytes).into_owned()
}

/// What became of a text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Fate {
    /// It was lowered to a valid program.
    Lowered,
    /// It was refused, with at least one error.
    Refused,
    /// Something that must not happen.
    Bad(String),
}

/// Lowers a text on a thread of its own, within a time limit.
#[must_use]
pub fn examine(text: &str, model: DataModel) -> (Fate, Duration) {
    let (sender, fates) = channel();
    let (text, start) = (text.to_owned(), Instant::now());
    let work = move || {
        let fate = quietly(|| lower(&text, model)).unwrap_or_else(|panic| Fate::Bad(format!("it panics: {panic}")));
        // If nobody listens any more, it took too long.
        let _ = sender.send(fate);
    };
    if let Err(error) = std::thread::Builder::new().stack_size(STACK).spawn(work) {
        return (Fate::Bad(format!("no thread: {error}")), start.elapsed());
    }
    let late = |_| Fate::Bad(format!("it takes more than {} s", PATIENCE.as_secs()));
    (fates.recv_timeout(PATIENCE).unwrap_or_else(late), start.elapsed())
}

fn lower(text: &str, model: DataModel) -> Fate {
    let mut sources = Sources::new();
    let file = sources.add("text.c", text);
    let options = c::Options { data_model: model, ..c::Options::default() };
    let mut terms = Terms::new();
    let input = Input { sources: Arc::new(sources), files: &[file], ask: &[] };
    match c::lower_as(&mut terms, &input, &options) {
        Ok(lowered) => match validate::validate(&terms, &lowered.program) {
            Ok(()) => Fate::Lowered,
            Err(violation) => Fate::Bad(format!("the program is malformed: {violation}")),
        },
        Err(refused) if refused.errors.is_empty() => Fate::Bad("it is refused without an error".to_owned()),
        Err(_) => Fate::Refused,
    }
}

/// Does something that may panic.
///
/// # Errors
/// The message of the panic.
pub fn quietly<T>(work: impl FnOnce() -> T) -> Result<T, String> {
    catch_unwind(AssertUnwindSafe(work)).map_err(|panic: Box<dyn Any + Send>| {
        let text = panic.downcast_ref::<String>().map(String::as_str);
        text.or_else(|| panic.downcast_ref::<&str>().copied()).unwrap_or("without a message").to_owned()
    })
}

/// The most memory that this process has had so far, in bytes, where the system tells.
#[must_use]
pub fn peak_memory() -> Option<u64> {
    let status = std::fs::read_to_string("/proc/self/status").ok()?;
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:"))?;
    line.trim().strip_suffix("kB")?.trim().parse::<u64>().ok().map(|kilobytes| kilobytes << 10)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn damage_repeats_exactly() {
        let once = damage(&mut Rng::with_seed(3), "int main(void) { return 0; }", "int x;");
        assert_eq!(once, damage(&mut Rng::with_seed(3), "int main(void) { return 0; }", "int x;"));
    }
}
