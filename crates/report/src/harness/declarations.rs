//! What a C text declares outside of functions, found by its tokens alone: enough to tell which
//! objects nobody defines, and how a function is declared.

use super::tokens::{Kind, Token, closing, tokens};
use std::collections::BTreeSet;

/// A declaration or a definition outside of functions.
#[derive(Debug)]
pub(super) struct Declaration<'t> {
    /// Its tokens, without attributes, up to the body or the end.
    pub(super) head: Vec<Token<'t>>,
    /// Where the body starts, behind its bracket, if it is a function's definition.
    pub(super) body: Option<usize>,
}

/// Words that say nothing about what is declared.
const EXTENSIONS: &[&str] = &["__attribute__", "__attribute", "__asm__", "__asm", "asm", "_Alignas", "__extension__"];

/// All declarations of a text.
pub(super) fn declarations(text: &str) -> Vec<Declaration<'_>> {
    let tokens = tokens(text);
    let (mut found, mut head, mut at) = (Vec::new(), Vec::new(), 0);
    while let Some(token) = tokens.get(at) {
        at += 1;
        if token.kind == Kind::Word && EXTENSIONS.contains(&token.text) {
            // The arguments of an attribute are no parameters.
            at = behind_arguments(&tokens, at);
        } else if token.is(";") {
            found.push(Declaration { head: std::mem::take(&mut head), body: None });
        } else if token.is("{") && is_body(&head) {
            let end = closing(&tokens, at - 1).unwrap_or(tokens.len());
            found.push(Declaration { head: std::mem::take(&mut head), body: Some(token.end()) });
            at = end + 1;
        } else {
            // Brackets are taken whole: what is in them is declared elsewhere.
            let opens = token.is("{") || token.is("(") || token.is("[");
            let end = if opens { closing(&tokens, at - 1).unwrap_or(at - 1) } else { at - 1 };
            head.extend(&tokens[at - 1..=end]);
            at = end + 1;
        }
    }
    found
}

/// Whether a bracket after these tokens opens the body of a function: it follows the parameters.
/// (Or old-style declarations of them, which end like declarations and are not seen here.)
fn is_body(head: &[Token<'_>]) -> bool {
    head.last().is_some_and(|last| last.is(")")) && !head.iter().any(|token| token.is("="))
}

/// What a declarator declares.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum What {
    Object,
    Function,
}

impl<'t> Declaration<'t> {
    /// Whether a word is among its specifiers.
    pub(super) fn has(&self, word: &str) -> bool {
        let mut specifiers = self.head.iter().take_while(|token| !token.is("(") && !token.is("="));
        specifiers.any(|token| token.is(word))
    }

    /// What it declares.
    pub(super) fn declared(&self) -> Vec<(&'t str, What)> {
        if self.has("typedef") { Vec::new() } else { self.names() }
    }

    /// The names that it gives a meaning.
    fn names(&self) -> Vec<(&'t str, What)> {
        self.declarators().into_iter().filter_map(declared).collect()
    }

    /// The place of a name among its tokens.
    pub(super) fn position(&self, name: &str) -> Option<usize> {
        self.head.iter().position(|token| token.is(name))
    }

    /// The tokens of each declarator, the first with the specifiers before it.
    fn declarators(&self) -> Vec<&[Token<'t>]> {
        let (mut parts, mut start, mut at) = (Vec::new(), 0, 0);
        while let Some(token) = self.head.get(at) {
            if token.is(",") {
                parts.push(&self.head[start..at]);
                start = at + 1;
            }
            let opens = token.is("{") || token.is("(") || token.is("[");
            at = if opens { closing(&self.head, at).unwrap_or(at) + 1 } else { at + 1 };
        }
        parts.push(&self.head[start..]);
        parts
    }
}

/// The names of types that a text defines.
pub(super) fn typedefs(text: &str) -> BTreeSet<&str> {
    let types = declarations(text).into_iter().filter(|found| found.has("typedef"));
    types.flat_map(|found| found.names()).map(|(name, _)| name).collect()
}

/// Where the declarations of a local variable without a value end in the body of a function, which
/// the text begins with.
pub(super) fn locals(text: &str, name: &str, types: &BTreeSet<&str>) -> Vec<usize> {
    let tokens = tokens(text);
    let (mut places, mut at, mut depth, mut begins) = (Vec::new(), 0, 1_usize, true);
    while let Some(token) = tokens.get(at).filter(|_| depth > 0) {
        if begins
            && is_type(token, types)
            && let Some(end) = end_of_declaration(&tokens, at)
        {
            if leaves_unset(&tokens[at..end], name) {
                places.push(tokens[end].end());
            }
            at = end + 1;
            continue;
        }
        depth = if token.is("{") { depth + 1 } else { depth - usize::from(token.is("}")) };
        begins = [";", "{", "}", ":"].iter().any(|mark| token.is(mark));
        at += 1;
    }
    places
}

/// The semicolon that ends the declaration at `start`.
fn end_of_declaration(tokens: &[Token<'_>], start: usize) -> Option<usize> {
    let mut at = start;
    while !tokens.get(at)?.is(";") {
        let token = tokens[at];
        let opens = token.is("{") || token.is("(") || token.is("[");
        at = if opens { closing(tokens, at)? + 1 } else { at + 1 };
    }
    Some(at)
}

/// Whether a declaration declares an object of that name and leaves it unset.
fn leaves_unset(tokens: &[Token<'_>], name: &str) -> bool {
    let found = Declaration { head: without_extensions(tokens), body: None };
    let apart = ["static", "extern", "register", "typedef"].iter().any(|word| found.has(word));
    let unset = found.declarators().into_iter().filter(|part| !part.iter().any(|token| token.is("=")));
    !apart && unset.filter_map(declared).any(|found| found == (name, What::Object))
}

fn without_extensions<'t>(tokens: &[Token<'t>]) -> Vec<Token<'t>> {
    let (mut kept, mut at) = (Vec::new(), 0);
    while let Some(token) = tokens.get(at) {
        at += 1;
        if token.kind == Kind::Word && EXTENSIONS.contains(&token.text) {
            at = behind_arguments(tokens, at);
        } else {
            kept.push(*token);
        }
    }
    kept
}

/// Behind the arguments of an attribute, if there are any here.
fn behind_arguments(tokens: &[Token<'_>], at: usize) -> usize {
    let arguments = tokens.get(at).is_some_and(|next| next.is("(")).then(|| closing(tokens, at)).flatten();
    arguments.map_or(at, |end| end + 1)
}

/// Whether a declaration may begin with this word.
fn is_type(token: &Token<'_>, types: &BTreeSet<&str>) -> bool {
    token.kind == Kind::Word && (KEYWORDS.contains(&token.text) || types.contains(token.text) || token.is("auto"))
}

/// The name in a declarator, and what it is.
fn declared<'t>(declarator: &[Token<'t>]) -> Option<(&'t str, What)> {
    let mut name = None;
    let mut at = 0;
    while let Some(token) = declarator.get(at) {
        if token.is("(") {
            // `(*name)(…)` is a pointer; otherwise these are parameters.
            let inner = &declarator[at + 1..closing(declarator, at)?];
            let star = inner.iter().position(|token| token.is("*"));
            let pointer = star.and_then(|star| inner[star..].iter().find(|token| is_name(token)));
            return match (star, pointer) {
                (Some(0), Some(token)) => Some((token.text, What::Object)),
                _ => name.map(|name| (name, What::Function)),
            };
        }
        if token.is("[") || token.is("=") || token.is(":") {
            break;
        }
        if token.is("{") {
            at = closing(declarator, at)?;
            name = None;
        } else if is_name(token) {
            name = Some(token.text);
        }
        at += 1;
    }
    // A tag alone declares no object.
    let tag = declarator.len() == 2 && ["struct", "union", "enum"].contains(&declarator[0].text);
    name.filter(|_| !tag).map(|name| (name, What::Object))
}

fn is_name(token: &Token<'_>) -> bool {
    token.kind == Kind::Word && !KEYWORDS.contains(&token.text)
}

/// Keywords that may stand where a name does not.
const KEYWORDS: &[&str] = &[
    "extern",
    "static",
    "const",
    "volatile",
    "restrict",
    "__restrict",
    "__const",
    "__volatile__",
    "__volatile",
    "void",
    "char",
    "short",
    "int",
    "long",
    "float",
    "double",
    "signed",
    "unsigned",
    "_Bool",
    "struct",
    "union",
    "enum",
    "inline",
    "__inline",
    "__inline__",
    "_Noreturn",
    "register",
    "__signed__",
    "__restrict__",
    "_Thread_local",
    "__thread",
];

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(text: &str, expected: &[(&str, What)]) {
        let found: Vec<_> = declarations(text).iter().flat_map(Declaration::declared).collect();
        assert_eq!(found, expected, "{text}");
    }

    #[test]
    fn objects_and_functions_are_told_apart() {
        use What::{Function, Object};
        check("extern int x, *y, z[3];", &[("x", Object), ("y", Object), ("z", Object)]);
        check(
            "int f(int a, int b); extern int (*p)(int), g(void);",
            &[("f", Function), ("p", Object), ("g", Function)],
        );
        check("struct s { int a; } t = { 1 }, u; struct v;", &[("t", Object), ("u", Object)]);
        check("typedef int word; word w = 3, v;", &[("w", Object), ("v", Object)]);
        check(
            "void f(void) __attribute__((noreturn)); int x __attribute__((unused));",
            &[("f", Function), ("x", Object)],
        );
        check("int f(int a) { int b; if (a) { b = 1; } return b; } int c;", &[("f", Function), ("c", Object)]);
        check("enum e { A, B } k; extern struct s *q;", &[("k", Object), ("q", Object)]);
        check("unsigned; int a[] = { 1, 2 };", &[("a", Object)]);
    }

    #[test]
    fn local_variables_are_found_where_nothing_sets_them() {
        let types = typedefs("typedef unsigned char byte; typedef struct { int a; } pair;");
        assert_eq!(types.iter().copied().collect::<Vec<_>>(), ["byte", "pair"]);
        let count = |body: &str| locals(body, "x", &types).len();
        for body in
            ["int x; }", "int a = 3, x, *y; }", "if (a) { byte x[3]; } }", "L: ; struct s { int x; } x; }", "pair x; }"]
        {
            assert_eq!(count(body), 1, "{body}");
        }
        for body in [
            "int x = 1; }",
            "x; a * x; return x; }",
            "static int x; }",
            "for (int x;;) ; }",
            "struct s { int x; }; }",
            "} int x;",
        ] {
            assert_eq!(count(body), 0, "{body}");
        }
        assert_eq!(count("{ int x; } { byte x; } }"), 2);
    }

    #[test]
    fn bodies_are_found() {
        let text = "static void f(void) { g(); } int x;";
        let found = declarations(text);
        assert_eq!(found[0].body.map(|body| &text[body..body + 4]), Some(" g()"));
        assert!(found[0].has("static") && found[1].body.is_none());
        assert_eq!(found[0].position("f"), Some(2));
    }
}
