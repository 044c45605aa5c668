//! Pictures of hand-made rounds, compared with files; with `BLESS=1` the files are written anew.

use std::path::Path;
use tamis_cegar::{Round, RoundEdge, RoundList, RoundNode};
use tamis_report::rounds::{Entry, Scene, dot, page, svg};
use tamis_term::{Fun, Sort, Term, Terms};

fn check(name: &str, found: &str) {
    let file = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/golden").join(name);
    if std::env::var_os("BLESS").is_some() {
        std::fs::write(&file, found).expect("a writable folder");
    }
    let expected = std::fs::read_to_string(&file).unwrap_or_default();
    assert_eq!(found, expected, "{name} is another picture than before: look at it, and set BLESS=1 if it is right");
}

fn node(place: &str, level: usize, popped: bool, strongest: Term, chosen: Option<Term>) -> RoundNode {
    RoundNode { place: place.into(), level, popped, strongest, chosen }
}

fn edge(from: &[usize], to: usize, label: &str) -> RoundEdge {
    RoundEdge { from: from.to_vec(), to, label: label.into() }
}

/// A call of `foo` that returns, then a call of `bar` in which the error is.
fn round(terms: &mut Terms) -> Round {
    let name = |terms: &mut Terms, name: &str| {
        let var = terms.declare(name, Sort::BitVec(4));
        terms.var(var)
    };
    let (x, y) = (name(terms, "main::x"), name(terms, "main::<y> & \"z\""));
    let (zero, yes, no) = (terms.bv(4, 0), terms.bool(true), terms.bool(false));
    let (x_zero, y_zero) = (terms.eq(x, zero), terms.eq(y, zero));
    let both = terms.and(&[x_zero, y_zero]);
    let long = (0..8).fold(both, |long, number| {
        let number = terms.bv(4, number + 1);
        let less = terms.app(Fun::BvUlt, &[x, number]);
        terms.or(&[long, less])
    });
    Round {
        number: 2,
        real: false,
        nodes: vec![
            node("main, line 3", 0, false, yes, Some(yes)),
            node("main, line 4", 0, false, x_zero, Some(x_zero)),
            node("main, line 4 calls foo", 0, false, both, Some(x_zero)),
            node("foo, line 8", 0, true, yes, Some(long)),
            node("foo, line 9", 0, true, long, None),
            node("foo returns", 0, true, both, Some(y_zero)),
            node("main, line 5", 0, false, both, Some(x_zero)),
            node("bar, line 14", 1, false, both, Some(y_zero)),
            node("error", 1, false, no, Some(no)),
        ],
        edges: vec![
            edge(&[0], 1, "x := 0"),
            edge(&[1], 2, "foo(x)"),
            edge(&[3], 4, "y := 0"),
            edge(&[4], 5, "return"),
            edge(&[4], 5, "y := 1"),
            edge(&[3], 5, "[x < 3 && y > 2] and a label that is far too long to be drawn"),
            edge(&[2, 5], 6, "foo returned"),
            edge(&[6], 7, "bar()"),
            edge(&[7], 8, "[x != 0]"),
            edge(&[0], 6, "skip"),
        ],
        lists: vec![
            RoundList { place: "main, line 4".into(), predicates: vec![x_zero, long], new: 1 },
            RoundList { place: "foo returns".into(), predicates: vec![y_zero], new: 0 },
        ],
    }
}

#[test]
fn a_round_is_drawn() {
    let mut terms = Terms::new();
    let round = round(&mut terms);
    let scene = Scene::new(&terms, &round);
    let picture = svg::render(&scene);
    check("round.svg", &picture);
    check("round.dot", &dot::render(&scene));
    let facts = vec![("verdict".to_owned(), "true".to_owned()), ("engine".into(), "pushdown-cegar".into())];
    let entries = [Entry::new(&round, &scene, "round-002".into(), picture)];
    check("index.html", &page("lock.rem & <co>", &facts, &entries));
}

#[test]
fn what_users_write_does_not_break_the_picture() {
    let mut terms = Terms::new();
    let mut round = round(&mut terms);
    round.nodes[0].place = "</svg><script>alert(1)</script>\u{0}\u{1b}".into();
    round.edges[0].label = "\"]; evil -> edge [label=\"".into();
    let scene = Scene::new(&terms, &round);
    let picture = svg::render(&scene);
    assert!(!picture.contains("<script>") && !picture.contains('\u{1b}') && !picture.contains('\u{0}'));
    assert!(picture.contains("&lt;y&gt; &amp; &quot;z&quot;"), "{picture}");
    let graph = dot::render(&scene);
    assert!(graph.contains("label=\"\\\"]; evil -> edge [label=\\\"\""), "{graph}");
}

#[test]
fn huge_rounds_are_summarised() {
    let mut terms = Terms::new();
    let mut round = round(&mut terms);
    let yes = terms.bool(true);
    for number in 0..1000 {
        round.nodes.push(node("bar, line 15", 1, number % 2 == 0, yes, Some(yes)));
        round.edges.push(edge(&[8 + number], 9 + number, ""));
    }
    let scene = Scene::new(&terms, &round);
    assert_eq!(scene.boxes.len(), 4);
    let picture = svg::render(&scene);
    assert!(picture.contains("1,009 nodes") && picture.contains("500 nodes") && picture.len() < 20_000, "{picture}");
}

#[test]
fn odd_rounds_are_drawn_too() {
    let mut terms = Terms::new();
    let yes = terms.bool(true);
    // No nodes; edges to nowhere; edges that lead back; edges from nowhere.
    let empty = Round { number: 1, real: true, nodes: vec![], edges: vec![edge(&[0], 1, "")], lists: vec![] };
    assert!(svg::render(&Scene::new(&terms, &empty)).contains("no predicates"));
    let nodes = vec![node("a", 3, false, yes, None), node("b", 0, true, yes, None)];
    let edges = vec![edge(&[1], 0, ""), edge(&[0], 0, "self"), edge(&[], 1, ""), edge(&[0, 1, 7], 1, "")];
    let odd = Round { number: 1, real: true, nodes, edges, lists: vec![] };
    let scene = Scene::new(&terms, &odd);
    assert!(!svg::render(&scene).contains("NaN") && !svg::render(&scene).contains("inf"));
    assert!(dot::render(&scene).contains("n1 -> n0"));
}
