//! What a copy of the program says more than the program: that a label is reached, that a static
//! error function is entered; definitions of objects that nobody defines, and of outside functions
//! whose results only the program can name.
//!
//! All of it is inserted, nothing is removed, and no line is broken, so that a copy is compiled
//! like the program, and places in it are those of the program.

use super::declarations::{Declaration, What, declarations};
use super::tokens::{Kind, Token, closing, tokens};
use std::collections::BTreeSet;
use std::fmt::Write as _;

/// Text that is inserted before a byte.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Edit {
    pub(super) at: usize,
    pub(super) text: String,
}

/// The text with insertions.
pub(super) fn apply(text: &str, edits: &[Edit]) -> String {
    let (mut copy, mut done) = (String::with_capacity(text.len()), 0);
    for edit in edits {
        copy.push_str(&text[done..edit.at]);
        copy.push_str(&edit.text);
        done = edit.at;
    }
    copy + &text[done..]
}

/// The functions of the harness that probes call.
pub(super) const AT_LABEL: &str = "tamis_at_label";
pub(super) const AT_ERROR: &str = "tamis_at_error";

/// A probe behind every label of that name.
///
/// It calls the harness and goes on. As the condition of an `if` whose `else` is the statement that
/// the label is about, it stands wherever a label stands.
pub(super) fn at_label(text: &str, label: &str) -> Vec<Edit> {
    let tokens = tokens(text);
    let mut edits = Vec::new();
    for at in 0..tokens.len() {
        let colon = tokens.get(at + 1).is_some_and(|next| next.is(":"));
        if tokens[at].kind == Kind::Word && tokens[at].text == label && colon && begins_statement(&tokens[..at]) {
            let at = behind_attributes(&tokens, at + 2);
            let call = format!("__extension__ ({{ void {AT_LABEL}(void); {AT_LABEL}(); 0; }})");
            // In C23 a label may end a block.
            let ends = tokens.get(at).is_some_and(|next| next.is("}"));
            let text = if ends { format!(" (void){call};") } else { format!(" if ({call}) ; else") };
            edits.push(Edit { at: tokens[at - 1].end(), text });
        }
    }
    edits
}

/// Whether a statement may begin after these tokens: the name there is no operand.
fn begins_statement(before: &[Token<'_>]) -> bool {
    let ends = |token: &Token<'_>| token.is(";") || token.is("{") || token.is("}");
    let Some(last) = before.last() else { return false };
    let within = before.iter().rev().take_while(|token| !ends(token));
    let operand = within.into_iter().any(|token| token.is("?"));
    !operand && (ends(last) || [":", ")", "else", "do"].iter().any(|word| last.is(word)))
}

fn behind_attributes(tokens: &[Token<'_>], mut at: usize) -> usize {
    while tokens.get(at).is_some_and(|token| token.is("__attribute__")) {
        at = closing(tokens, at + 1).map_or(at, |end| end) + 1;
    }
    at
}

/// A probe at the beginning of every static function of these names. Others are seen when they
/// are entered.
pub(super) fn in_functions(text: &str, names: &[&str]) -> Vec<Edit> {
    let is_static =
        |found: &Declaration<'_>| found.has("static") && found.declared().iter().any(|(name, _)| names.contains(name));
    let bodies = declarations(text).into_iter().filter(is_static).filter_map(|found| found.body);
    let probe = format!(" {{ void {AT_ERROR}(void); {AT_ERROR}(); }}");
    bodies.map(|at| Edit { at, text: probe.clone() }).collect()
}

/// Objects of the C library, which programs declare without its headers.
const LIBRARY: &[&str] = &[
    "stdin",
    "stdout",
    "stderr",
    "environ",
    "__environ",
    "errno",
    "sys_nerr",
    "sys_errlist",
    "optarg",
    "optind",
    "opterr",
    "optopt",
    "tzname",
    "timezone",
    "daylight",
    "signgam",
];

/// For every text of a program, definitions of the objects that it declares and that no text
/// defines, but for those that must be absent.
pub(super) fn missing_objects(texts: &[&str], absent: &[&str]) -> Vec<String> {
    let all: Vec<Vec<Declaration<'_>>> = texts.iter().map(|text| declarations(text)).collect();
    let objects = |found: &Declaration<'_>, outside: bool| -> Vec<String> {
        let system = found.head.first().is_none_or(|token| token.system);
        if found.body.is_some() || system || found.has("extern") != outside {
            return Vec::new();
        }
        let declared = found.declared().into_iter().filter(|(_, what)| *what == What::Object);
        declared.map(|(name, _)| name.to_owned()).collect()
    };
    let mut defined: BTreeSet<String> = LIBRARY.iter().chain(absent).map(|name| (*name).to_owned()).collect();
    for found in all.iter().flatten() {
        // One with a value is a definition, whatever else it says.
        let outside = found.has("extern") && found.head.iter().any(|token| token.is("="));
        defined.extend(objects(found, outside));
    }
    let mut appendix = Vec::new();
    for found in &all {
        let missing: Vec<String> = found.iter().flat_map(|found| objects(found, true)).collect();
        let mut text = String::new();
        for name in missing {
            if defined.insert(name.clone()) {
                let _ = writeln!(text, "__typeof__({name}) {name};");
            }
        }
        appendix.push(text);
    }
    appendix
}

/// Definitions of those functions that the text declares, each of which returns zeros; and which
/// these are.
pub(super) fn missing_functions<'n>(text: &str, names: &[&'n str]) -> (String, Vec<&'n str>) {
    let (mut appendix, mut defined) = (String::new(), Vec::new());
    let all = declarations(text);
    for name in names {
        let declares = |found: &&Declaration<'_>| found.declared().contains(&(*name, What::Function));
        let Some((found, at)) = all.iter().find(declares).and_then(|found| Some((found, found.position(name)?))) else {
            continue;
        };
        let Some(end) = closing(&found.head, at + 1) else { continue };
        let (result, head) = (written(&found.head[..at]), written(&found.head[..=end]));
        let _ = writeln!(appendix, "{head} {{ {result} nothing = {{0}}; return nothing; }}");
        defined.push(*name);
    }
    (appendix, defined)
}

/// Tokens as they are written, on one line, but for `extern`.
fn written(tokens: &[Token<'_>]) -> String {
    let (mut text, mut end) = (String::new(), 0);
    for token in tokens.iter().filter(|token| !token.is("extern")) {
        text.push_str(if token.start == end || text.is_empty() { "" } else { " " });
        text.push_str(token.text);
        end = token.end();
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn labels_are_told_from_operands() {
        let labels = |text: &str| at_label(text, "ERROR").len();
        assert_eq!(labels("int f() { ERROR: g(); if (x) ERROR: h(); else { goto ERROR; } }"), 2);
        assert_eq!(labels("int f() { x = y ? ERROR : 3; z = a ? (int) ERROR : 4; } struct { int ERROR : 3; };"), 0);
        assert_eq!(labels("int f() { switch (x) { case ERROR: g(); case 1: ERROR: h(); } }"), 1);
        assert_eq!(labels("// ERROR: \nint f() { char *s = \"{ERROR:\"; ERRORS: ; }"), 0);
    }

    #[test]
    fn a_probe_stands_before_the_statement() {
        let text = "int f() { ERROR: __attribute__((unused)) ; }";
        let copy = apply(text, &at_label(text, "ERROR"));
        assert!(copy.starts_with("int f() { ERROR: __attribute__((unused)) if (__extension__"), "{copy}");
        assert!(copy.ends_with("; else ; }"), "{copy}");
        let text = "int f() { ERROR: }";
        assert!(apply(text, &at_label(text, "ERROR")).ends_with("0; }); }"));
    }

    #[test]
    fn static_functions_are_probed() {
        let text = "static void reach_error(void) { g(); } void reach_error_(void) {} static int x;";
        let copy = apply(text, &in_functions(text, &["reach_error"]));
        assert_eq!(copy.matches(AT_ERROR).count(), 2, "{copy}");
        assert!(in_functions("void reach_error(void) {}", &["reach_error"]).is_empty());
        assert!(in_functions("static void reach_error(void);", &["reach_error"]).is_empty());
    }

    #[test]
    fn objects_are_defined_once() {
        let texts = [
            "extern int a, b[2], c; extern int f(void); extern char *stdin; int c;",
            "extern int a; extern int d; int b[2];",
        ];
        let found = missing_objects(&texts, &[]);
        assert_eq!(found, ["__typeof__(a) a;\n", "__typeof__(d) d;\n"]);
        let header = "# 1 \"/usr/include/x.h\" 1 3\nextern int a;\n# 1 \"a.c\"\nextern int b = 3;";
        assert_eq!(missing_objects(&[header], &[]), [""]);
    }

    #[test]
    fn functions_are_defined_as_they_are_declared() {
        let text = "struct pair { int a, b; }; extern struct pair get(int, char *, ...) __attribute__((pure)); int main() { get(1, 0); }";
        let expected = "struct pair get(int, char *, ...) { struct pair nothing = {0}; return nothing; }\n";
        assert_eq!(missing_functions(text, &["get", "other"]), (expected.to_owned(), vec!["get"]));
    }
}
