//! Damaged C: no text makes the front end panic, hang or run out of memory.

use fastrand::Rng;
use std::any::Any;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;
use std::sync::mpsc::channel;
use std::time::{Duration, Instant};
use tamis_frontends::c::{self, DataModel};
use tamis_frontends::{Input, Options};
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

/// A text made of `text` by a few random changes; `other` lends pieces.
#[must_use]
pub fn damage(rng: &mut Rng, text: &str, other: &str) -> String {
    let mut tokens = tokens(text);
    let lent = self::tokens(other);
    for _ in 0..rng.usize(1..6) {
        let (at, to) = (rng.usize(0..=tokens.len()), rng.usize(0..=tokens.len()));
        let short = at..(at + rng.usize(0..8)).min(tokens.len());
        match rng.u32(0..14) {
            0 | 1 => drop(tokens.drain(short)),
            2 => {
                let copy = tokens[short].to_vec();
                tokens.splice(at..at, copy);
            }
            3 if at < tokens.len() && to < tokens.len() => tokens.swap(at, to),
            4 | 5 => tokens.insert(at, word(rng)),
            6 | 7 if at < tokens.len() => tokens[at] = word(rng),
            8 if !lent.is_empty() => {
                let from = rng.usize(0..lent.len());
                let piece = lent[from..(from + 30).min(lent.len())].to_vec();
                tokens.splice(short, piece);
            }
            9 => inflate(rng, &mut tokens),
            10 if rng.u32(0..8) == 0 => tokens.truncate(at),
            11 if rng.u32(0..20) == 0 => tokens.insert(at, bomb(rng)),
            12 => return noise(rng, &tokens.concat()),
            _ if at < tokens.len() && to < tokens.len() => {
                let copy = tokens[to].clone();
                tokens[at] = copy;
            }
            _ => {}
        }
    }
    tokens.concat()
}

fn word(rng: &mut Rng) -> String {
    format!(" {} ", rng.choice(WORDS).copied().unwrap_or_default())
}

/// Makes a number large.
fn inflate(rng: &mut Rng, tokens: &mut [String]) {
    let numbers: Vec<usize> =
        (0..tokens.len()).filter(|at| tokens[*at].starts_with(|c: char| c.is_ascii_digit())).collect();
    if let Some(at) = rng.choice(&numbers) {
        tokens[*at] = match rng.u32(0..4) {
            0 => "9".repeat(rng.usize(1..60)),
            1 => format!("0x{}", "f".repeat(rng.usize(1..40))),
            2 => (1u64 << rng.u32(0..64)).to_string(),
            _ => format!("-{}", u64::MAX),
        };
    }
}

/// Something repeated very often, opened and perhaps closed again.
fn bomb(rng: &mut Rng) -> String {
    let many = 1 << rng.u32(8..18);
    let pairs = [
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
    let (open, close) = rng.choice(pairs).unwrap_or(("(", ")"));
    let closed = if rng.bool() { many } else { 0 };
    format!("{}{}", open.repeat(many), close.repeat(closed))
}

/// Changes bytes.
fn noise(rng: &mut Rng, text: &str) -> String {
    let mut bytes = text.as_bytes().to_vec();
    for _ in 0..rng.usize(1..10) {
        if !bytes.is_empty() {
            let at = rng.usize(0..bytes.len());
            bytes[at] = rng.u8(..);
        }
    }
    String::from_utf8_lossy(&bytes).into_owned()
}

/// The text in pieces: words, numbers, spaces, and single characters.
fn tokens(text: &str) -> Vec<String> {
    let class = |c: char| match c {
        'a'..='z' | 'A'..='Z' | '0'..='9' | '_' => 0,
        c if c.is_whitespace() => 1,
        _ => 2,
    };
    let mut tokens: Vec<String> = Vec::new();
    let mut last = 2;
    for c in text.chars() {
        let now = class(c);
        match tokens.last_mut() {
            Some(token) if now == last && now < 2 => token.push(c),
            Some(_) | None => tokens.push(c.to_string()),
        }
        last = now;
    }
    tokens
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
    let options = Options { c: c::Options { data_model: model, ..c::Options::default() } };
    let mut terms = Terms::new();
    match c::lower(&mut terms, &Input { sources: Arc::new(sources), files: &[file], options: &options }) {
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
    fn tokens_make_up_the_text() {
        let text = "int x1 = 0x10;\n\tx1+=2;";
        assert_eq!(tokens(text).concat(), text);
        assert_eq!(tokens(text)[..4], ["int", " ", "x1", " "]);
    }

    #[test]
    fn damage_repeats_exactly() {
        let once = damage(&mut Rng::with_seed(3), "int main(void) { return 0; }", "int x;");
        assert_eq!(once, damage(&mut Rng::with_seed(3), "int main(void) { return 0; }", "int x;"));
    }
}
