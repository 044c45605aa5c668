//! Boolean programs: what they mean, what is asked about them, and what is refused.
//!
//! Programs with their verdicts are in `boolean_program/`: the first line names properties,
//! `true` if they hold and `false` if they are violated. The verdicts are checked by a small
//! explicit-state explorer with summaries, which knows nothing of the lowering.

#[path = "boolean_program/diagnostics.rs"]
mod diagnostics;
#[path = "boolean_program/explorer.rs"]
mod explorer;
#[path = "boolean_program/random.rs"]
mod random;

use diagnostics::main_with;
use explorer::{Explorer, check_shape};
use std::fmt::Write;
use std::fs;
use std::path::Path;
use std::sync::Arc;
use tamis_frontends::{Lowered, boolean_program};
use tamis_ir::{Diagnostic, Sources};
use tamis_term::Terms;
use tamis_testing::{files, tasks};

struct Read {
    terms: Terms,
    sources: Arc<Sources>,
    result: Result<Lowered, Vec<Diagnostic>>,
}

fn read(text: &str) -> Read {
    let mut sources = Sources::new();
    let source = sources.add("test.bp", text);
    let (mut terms, sources) = (Terms::new(), Arc::new(sources));
    let result = boolean_program::lower(&mut terms, sources.clone(), source);
    Read { terms, sources, result }
}

fn program(text: &str) -> (Terms, Lowered) {
    let read = read(text);
    match read.result {
        Ok(lowered) => (read.terms, lowered),
        Err(errors) => panic!("{errors:#?}\n{text}"),
    }
}

/// The words of a first line like `// assert true; L false`.
fn expectations(text: &str) -> Vec<(String, String)> {
    let line = text.lines().next().and_then(|line| line.strip_prefix("// ")).expect("a first line with verdicts");
    line.split("; ")
        .map(|part| {
            let (name, verdict) = part.trim().rsplit_once(' ').expect("a name and a verdict");
            (name.to_owned(), verdict.to_owned())
        })
        .collect()
}

fn check(name: &str, text: &str, expected: &[(String, String)]) {
    let (terms, Lowered { program, .. }) = program(text);
    check_shape(&terms, &program);
    if expected.iter().all(|(name, _)| program.find_property(name).is_some_and(|p| program.property(p).locs.is_empty()))
    {
        assert!(expected.iter().all(|(_, verdict)| verdict == "true"), "{name}: nothing can be reached");
        return;
    }
    let explorer = Explorer::run(&terms, &program);
    for (property, verdict) in expected {
        if property == "default" {
            let default = program.property(program.default.expect("a default"));
            assert_eq!(default.name, *verdict, "{name}");
            continue;
        }
        let id = program.find_property(property).unwrap_or_else(|| panic!("{name}: no property {property}"));
        let holds = !explorer.reaches(&program.property(id).locs);
        assert_eq!(holds.to_string(), *verdict, "{name}: {property}");
    }
}

#[test]
fn programs_mean_what_their_first_line_says() {
    let paths = files(&Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/boolean_program"), &["bp"]);
    assert!(paths.len() >= 20);
    for path in paths {
        let text = fs::read_to_string(&path).unwrap();
        check(&path.display().to_string(), &text, &expectations(&text));
    }
}

/// Other people's programs, where they are at hand; see their index for the verdicts.
#[test]
fn shared_programs_have_their_recorded_verdicts() {
    let Some(bench) = tasks("bench") else { return };
    let index = fs::read_to_string(bench.join("index.tsv")).unwrap();
    let mut count = 0;
    for row in index.lines().skip(1) {
        let cells: Vec<&str> = row.split('\t').collect();
        if Path::new(cells[0]).extension().is_none_or(|end| end != "bp") {
            continue;
        }
        let text = fs::read_to_string(bench.join(cells[0])).unwrap();
        let label = cells[7].split_once("-l ").map_or("assert", |(_, label)| label.trim());
        // The programs without a recorded verdict say in comments that an error is reachable.
        let verdict = if cells[2] == "?" { "false" } else { cells[2] };
        check(cells[0], &text, &[(label.to_owned(), verdict.to_owned())]);
        count += 1;
    }
    assert!(count >= 28, "{count} programs");
}

#[test]
fn places_are_statements() {
    let (_, Lowered { program, .. }) = program(&main_with("L: a, b := *, a & *; if a = b then M: b := T; fi"));
    let main = program.proc(program.main);
    let text = |span| program.sources.text(span).unwrap();
    let edges: Vec<&str> = main.edges.iter().map(|edge| text(edge.span)).collect();
    let assign = "a, b := *, a & *";
    assert_eq!(edges, ["void main()", assign, assign, assign, "if a = b", "if a = b", "b := T",]);
    let label = program.property(program.find_property("main:L").unwrap()).locs[0];
    assert_eq!(program.locs[label.index()].label.as_deref(), Some("L"));
    assert_eq!(text(program.locs[label.index()].span), assign);
    assert_eq!(text(program.locs[main.exit.index()].span), "end");
    let (_, Lowered { program, .. }) = self::program("void main()\nbegin\n assert(F); end");
    let failure = program.property(program.find_property("assert@3").unwrap()).locs[0];
    assert_eq!(program.sources.text(program.locs[failure.index()].span), Some("assert(F)"));
}

/// The numbers of locations, edges and hidden variables of a main function with that body.
#[track_caller]
fn costs(body: &str, expected: (usize, usize, usize)) {
    let (terms, Lowered { program, .. }) = program(&format!("decl a, b, c; void main() begin {body} end"));
    let hidden = program.proc(program.main).vars().filter(|var| terms.name(*var).contains("::$")).count();
    assert_eq!((program.locs.len(), program.edges().count(), hidden), expected, "{body}");
}

#[test]
fn the_graph_stays_small() {
    costs("", (2, 1, 0));
    costs("skip; skip; skip", (2, 1, 0));
    costs("a := T", (2, 1, 0));
    costs("a := T; b := F; c := a", (4, 3, 0));
    costs("a := *", (2, 1, 0));
    costs("a, b := *, schoose[F, F]", (2, 1, 0));
    costs("a := * & b; b := * & a; c := * & *", (7, 6, 2));
    costs("a, b := *, * constrain 'a = 'b", (3, 2, 0));
    costs("a, b := *, * constrain 'a = b", (4, 3, 2));
    costs("if (*) then a := T; else b := T; fi", (2, 2, 0));
    costs("if (*) then a := T; fi b := T", (3, 3, 0));
    costs("if a then b := T; fi; c := T", (4, 4, 0));
    costs("while a do a := F; od; c := T", (5, 5, 0));
    costs("while * do a := F; od", (3, 3, 0));
    costs("assert(a); assert(T)", (4, 2, 0));
    costs("a := T; goto L; b := T; L: c := T", (3, 2, 0));
    costs("a := T; goto L, M; L: b := T; M: c := T", (5, 5, 0));
    costs("a := T; return; b := T", (2, 1, 0));
}

#[test]
fn a_hundred_thousand_lines_are_read() {
    let mut text = String::from("decl a, b, c;\nvoid main()\nbegin\n");
    for line in 0..20_000 {
        write!(text, "L{line}: a, b := *, a & *;\nif a = b then\n c := schoose[a, b];\nelse goto L{};\nfi\n", line / 2)
            .unwrap();
    }
    text += "assert(a);\nend\n";
    let (_, Lowered { program, .. }) = program(&text);
    assert_eq!(program.errors.len(), 40_002);
}
