//! No text makes a front end panic, hang or stay silent: it gives a program, or at least one
//! error with its place.
//!
//! The texts are valid programs that were damaged at random, and a few that are extreme in
//! one way. Other people's programs join in where they are at hand.

use std::path::Path;
use std::sync::Arc;
use std::time::Instant;
use std::{fs, iter};
use tamis_frontends::{Frontend, Lowered, Refused, by_name};
use tamis_ir::validate::validate;
use tamis_ir::{Diagnostic, Severity, Sources, Span};
use tamis_term::Terms;
use tamis_testing::{files, tasks_at_hand};

/// What became of a text: the numbers of terms and edges, if it was accepted.
type Outcome = Option<(usize, usize)>;

fn check(frontend: &Frontend, text: &str) -> Outcome {
    let mut sources = Sources::new();
    sources.add("another", "so that the text is not the first");
    let source = sources.add("text", text);
    let (mut terms, sources) = (Terms::new(), Arc::new(sources));
    let inside = |span: Span| span.source == source && sources.text(span).is_some();
    let located = |diagnostics: &[Diagnostic]| {
        for diagnostic in diagnostics {
            assert!(inside(diagnostic.span), "{diagnostic:?} is not in the text");
            assert!(!diagnostic.message.is_empty());
        }
    };
    match frontend.lower_one(&mut terms, sources.clone(), source) {
        Ok(Lowered { program, warnings }) => {
            located(&warnings);
            assert!(warnings.iter().all(|warning| warning.severity == Severity::Warning));
            assert!(program.edges().all(|(_, edge)| inside(edge.span)));
            assert_eq!(validate(&terms, &program), Ok(()));
            Some((terms.len(), program.edges().count()))
        }
        Err(Refused { errors, .. }) => {
            located(&errors);
            assert!(errors.iter().any(|error| error.severity == Severity::Error), "an error without an error");
            None
        }
    }
}

const REMOPLA: &[&str] = &[
    "bool a, b;
init main;
module void main() {
    a = true, b = undef;
    if
    :: a && !b -> skip;
    :: else -> b = a;
    fi;
    do
    :: a -> a = false;
    :: else -> break;
    od;
    error: skip;
}
",
    "define N 3
int x(4), a[N](2);
enum colour { red, green } c;
module int f(int y(4), bool z);
init main;
module int f(int y(4), bool z) {
    int t(4);
    t = y + 1;
    if
    :: z -> return t;
    :: !z -> return y;
    fi;
}
module void main() {
    A i (0, 2) a[i] = 0;
    x = f(x, x == 3);
    goto again;
    again: skip(x < 9 && E i (0, 2) a[i] == 0);
    c = red;
}
",
];

const TOKENS: &[&str] = &[
    "begin",
    "end",
    "decl ",
    "void ",
    "bool",
    "bool<2>",
    "if",
    "then",
    "elsif",
    "else",
    "fi",
    "while",
    "do",
    "od",
    "skip",
    "goto ",
    "return ",
    "assert",
    "assume",
    "constrain ",
    "schoose[",
    "enforce ",
    "dead ",
    "print",
    "abortif ",
    "start_thread ",
    "dfs ",
    "T",
    "F",
    "0",
    "1",
    "*",
    "?",
    ":=",
    "=>",
    "=",
    "!=",
    "^",
    "|",
    "||",
    "&",
    "&&",
    "!",
    "~",
    "'",
    ";",
    ":",
    ",",
    "(",
    ")",
    "[",
    "]",
    "<",
    ">",
    "{",
    "}",
    "{a b}",
    "_",
    "$n1",
    "main",
    "L:",
    "//",
    "/*",
    "*/",
    "module ",
    "int ",
    "init ",
    "define ",
    "enum ",
    "struct ",
    "->",
    "-->",
    "::",
    "==",
    "<=",
    "undef",
    "break",
    "A i (0, 3) ",
    "E i (0, 3) ",
    "<<",
    ">>",
    "+",
    "-",
    "/",
    "global bool ",
    "local (",
    "q <a b> ",
    "<>",
    "''",
    "<->",
    "property p : {",
    "} models G(",
    "transition ",
    "initial ",
    "invariant ",
    "const ",
    "var x : int ",
    "var w : bv[4] ",
    "[int] -> int",
    "main process ",
    "error loc ",
    "and",
    "or ",
    "not ",
    "imply ",
    "mod",
    "bvadd",
    "bv_sign_extend bv[9]",
    "4'd3",
    "1%2",
    "[3:1]",
    "[0 <- 1, default <- 2]",
    "<-",
    "++",
    "%",
    "havoc ",
    "#",
    "\"",
    "99999999999999999999",
    "4294967296",
    "é",
    "\u{0}",
    "\r\n",
    "𝔘",
];

/// The valid programs of a language.
fn corpus(frontend: &Frontend) -> Vec<String> {
    let own = match frontend.name {
        "boolean-program" => "tests/boolean_program",
        "remopla" => "tests/remopla",
        "pds" => "../../tests/corpus/pds",
        "guarded" => "../../tests/corpus/guarded/numbers",
        _ => "../../tests/corpus/theta",
    };
    let own = Path::new(env!("CARGO_MANIFEST_DIR")).join(own);
    // Nobody else's tasks are rules of pushdown systems or guarded commands.
    let others = tasks_at_hand("bench").into_iter().filter(|_| !matches!(frontend.name, "pds" | "guarded"));
    let folders = iter::once(own).chain(others);
    let files = folders.flat_map(|folder| files(&folder, frontend.extensions));
    let mut texts: Vec<String> = files.map(|path| fs::read_to_string(path).unwrap()).collect();
    if frontend.name == "remopla" {
        texts.extend(REMOPLA.iter().map(|text| (*text).to_owned()));
    }
    texts
}

/// A stretch of at most `most` bytes.
fn stretch(rng: &mut fastrand::Rng, len: usize, most: usize) -> std::ops::Range<usize> {
    let start = rng.usize(..=len);
    start..(start + rng.usize(..=most)).min(len)
}

fn damage(rng: &mut fastrand::Rng, text: &str, other: &str) -> String {
    let mut bytes = text.as_bytes().to_vec();
    for _ in 0..rng.usize(1..5) {
        let part = stretch(rng, bytes.len(), 40);
        match rng.u32(..8) {
            0 => {
                if let Some(byte) = bytes.get_mut(part.start) {
                    *byte ^= 1 << rng.u32(..8);
                }
            }
            1 => drop(bytes.drain(part)),
            2 => {
                let copy = bytes[part.clone()].to_vec();
                let times = rng.usize(1..4);
                bytes.splice(part.start..part.start, copy.repeat(times));
            }
            3 | 4 => {
                let token = TOKENS[rng.usize(..TOKENS.len())];
                bytes.splice(part.start..part.start, token.bytes());
            }
            5 => {
                let token = TOKENS[rng.usize(..TOKENS.len())];
                bytes.splice(part, token.bytes());
            }
            6 => {
                let from = stretch(rng, other.len(), 80);
                bytes.splice(part, other.as_bytes()[from].iter().copied());
            }
            _ => {
                if rng.u32(..4) == 0 {
                    bytes.truncate(part.start);
                }
            }
        }
    }
    String::from_utf8_lossy(&bytes).into_owned()
}

fn survives_damage(name: &str) {
    let frontend = by_name(name).unwrap();
    let texts = corpus(frontend);
    let mut rng = fastrand::Rng::with_seed(42);
    let (start, mut slowest, mut accepted, mut work) = (Instant::now(), (0, String::new()), 0, 0);
    for _ in 0..10_000 {
        let (text, other) = (&texts[rng.usize(..texts.len())], &texts[rng.usize(..texts.len())]);
        let text = damage(&mut rng, text, other);
        let began = Instant::now();
        let outcome = check(frontend, &text);
        let micros = began.elapsed().as_micros();
        if micros > slowest.0 {
            slowest = (micros, text);
        }
        if let Some((terms, edges)) = outcome {
            accepted += 1;
            work += terms + edges;
        }
    }
    let first: String = slowest.1.chars().take(60).collect();
    println!("{name}: {} texts, {accepted} of 10000 accepted, {work} terms and edges", texts.len());
    println!("{name}: {:?} in all, at most {} µs, for {first:?}", start.elapsed(), slowest.0);
}

#[test]
fn damaged_boolean_programs_are_answered() {
    survives_damage("boolean-program");
}

#[test]
fn damaged_remopla_programs_are_answered() {
    survives_damage("remopla");
}

#[test]
fn damaged_rules_of_pushdown_systems_are_answered() {
    survives_damage("pds");
}

#[test]
fn damaged_guarded_commands_are_answered() {
    survives_damage("guarded");
}

#[test]
fn damaged_systems_of_theta_are_answered() {
    survives_damage("theta-system");
}

#[test]
fn damaged_automata_of_theta_are_answered() {
    survives_damage("theta-cfa");
}

#[test]
fn every_prefix_of_a_program_is_answered() {
    for name in ["boolean-program", "theta-system", "theta-cfa"] {
        let frontend = by_name(name).unwrap();
        for text in corpus(frontend) {
            let ends = text.char_indices().map(|(at, _)| at).step_by(1 + text.len() / 200);
            ends.for_each(|end| _ = check(frontend, &text[..end]));
        }
    }
}

/// Texts that are extreme in one way, and fit any language.
fn extremes() -> Vec<String> {
    let mut texts =
        vec![String::new(), "\u{0}".repeat(1000), "\u{feff}".to_owned(), "\n".repeat(1000), "\u{1F600}".repeat(1000)];
    for token in TOKENS {
        texts.push(token.repeat(20_000));
        texts.push(format!("{token} \n").repeat(5_000));
    }
    texts
}

#[test]
fn extreme_texts_are_answered() {
    for name in ["boolean-program", "remopla", "theta-system", "theta-cfa"] {
        let frontend = by_name(name).unwrap();
        let start = Instant::now();
        for text in extremes() {
            check(frontend, &text);
        }
        println!("{name}: {:?}", start.elapsed());
    }
}

const MILLION: usize = 1_000_000;

/// Checks a large text and prints how long it took.
fn large(name: &str, what: &str, text: &str) -> Outcome {
    let start = Instant::now();
    let outcome = check(by_name(name).unwrap(), text);
    println!("{name}: {what}: {} bytes, {outcome:?}, {:?}", text.len(), start.elapsed());
    outcome
}

#[test]
fn large_boolean_programs_are_answered() {
    let main = |body: &str| format!("decl a, b; void main() begin {body} end");
    let large = |what: &str, body: &str| large("boolean-program", what, &main(body));
    let (open, close) = ("(".repeat(MILLION), ")".repeat(MILLION));
    assert_eq!(large("nested parentheses", &format!("a := {open}a{close};")), None);
    assert_eq!(large("open parentheses", &format!("a := {open}")), None);
    assert_eq!(large("closing parentheses", &format!("a := {close}")), None);
    assert_eq!(large("open choices", &"schoose[".repeat(MILLION)), None);
    assert_eq!(large("open comments", &"/* ".repeat(MILLION)), None);
    assert_eq!(large("open braces", &"{ ".repeat(MILLION)), None);
    assert_eq!(large("labels", &"L: ".repeat(100_000)), None);
    assert_eq!(large("nested blocks, open", &"if a then ".repeat(MILLION)), None);
    assert_eq!(large("blocks that do not match", &"if a then while b do else fi od ".repeat(100_000)), None);
    assert_eq!(large("errors", &"x := y + ; \n".repeat(100_000)), None);
    assert_eq!(large("a long name", &format!("{} := T", "x".repeat(5 * MILLION))), None);
    assert_eq!(large("a long name in braces", &format!("{{{}}} := T", "x y".repeat(MILLION))), None);
    let unknown: Vec<String> = (0..100_000).map(|i| format!("x{i} := y{i};")).collect();
    assert_eq!(large("unknown names", &unknown.concat()), None);
    let nested = format!("{} skip; {}", "if a then ".repeat(MILLION / 5), "fi ".repeat(MILLION / 5));
    assert!(large("nested blocks", &nested).is_some());
    assert!(large("negations", &format!("a := {}a;", "!".repeat(MILLION))).is_some());
    let chain = |operator: &str| format!("a := a{};", format!(" {operator} b").repeat(MILLION / 10));
    for operator in ["&", "|", "^", "=", "=>", "| a &", "= a &", "^ a |", "=> !a =>", "& * |"] {
        assert!(large(operator, &chain(operator)).is_some(), "{operator}");
    }
    let line = "a, b := * & a, b; assert(a = b); ".repeat(5_000_000 / 33);
    let edges = large("one line", &line).unwrap().1;
    assert!(edges < 5 * line.len() / 33 + 10, "{edges} edges");
}

#[test]
fn large_remopla_programs_are_answered() {
    let main = |body: &str| format!("bool a, b; init main; module void main() {{ {body} }}");
    let large = |what: &str, body: &str| large("remopla", what, &main(body));
    let (open, close) = ("(".repeat(MILLION), ")".repeat(MILLION));
    assert_eq!(large("nested parentheses", &format!("a = {open}a{close};")), None);
    assert_eq!(large("open parentheses", &format!("a = {open}")), None);
    assert_eq!(large("nested blocks, open", &"if :: a -> ".repeat(MILLION)), None);
    assert_eq!(large("errors", &"x = y + ; \n".repeat(100_000)), None);
    large("nested blocks", &format!("{} skip; {}", "if :: a -> ".repeat(MILLION), "fi; ".repeat(MILLION)));
    large("negations", &format!("a = {}a;", "!".repeat(MILLION)));
    for operator in ["&&", "||", "^^", "<=>"] {
        large(operator, &format!("a = a{};", format!(" {operator} b").repeat(MILLION / 10)));
    }
    large("one line", &"a = b, b = a; ".repeat(5_000_000 / 14));
}

#[test]
fn large_programs_of_theta_are_answered() {
    let system =
        |body: &str| format!("specification S {{ property p : {{ var a : int var b : bool {body} }} models G(b) }}");
    let cfa = |body: &str| format!("main process p {{ var a : int var b : bool init loc A error loc E {body} }}");
    let large = |what: &str, body: &str| {
        large("theta-system", what, &system(&format!("transition {body}")));
        large("theta-cfa", what, &cfa(&format!("A -> A {{ assume {body} }}")))
    };
    let (open, close) = ("(".repeat(MILLION), ")".repeat(MILLION));
    assert_eq!(large("nested parentheses", &format!("{open}b{close}")), None);
    assert_eq!(large("open parentheses", &open), None);
    assert_eq!(large("open brackets", &"[".repeat(MILLION)), None);
    assert_eq!(large("accesses", &"a[".repeat(MILLION)), None);
    assert_eq!(large("open conditions", &"if b then ".repeat(MILLION)), None);
    assert_eq!(large("primes", &format!("b{}", "'".repeat(MILLION))), None);
    assert_eq!(large("a long number", &format!("a = {}", "9".repeat(MILLION))), None);
    assert_eq!(large("open array types", &format!("b }} var c : {}", "[int] -> ".repeat(MILLION))), None);
    assert!(large("negations", &format!("{}b", "not ".repeat(MILLION))).is_some());
    assert!(large("chains of if", &format!("{}b", "if b then a = 1 else ".repeat(MILLION / 10))).is_some());
    assert!(large("minus", &format!("a = {}a", "- ".repeat(MILLION))).is_some());
    let chain = |operator: &str| format!("b{}", format!(" {operator} b").repeat(MILLION / 10));
    for operator in ["and", "or", "xor", "iff", "imply", "and a = a +", "or not"] {
        large(operator, &chain(operator));
    }
    let declare = |i: u32| format!("var x{i} : int initial x{i} = {i} transition x{i}' = x{i} + a ");
    let items = (0..50_000).map(declare).collect::<Vec<String>>().concat();
    assert!(self::large("theta-system", "variables", &system(&items)).is_some());
    let edges = "A -> A { a := a + 1 b := not b havoc a } ".repeat(50_000);
    assert!(self::large("theta-cfa", "edges", &cfa(&edges)).is_some());
}
