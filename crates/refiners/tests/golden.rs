//! The thesis's examples, with the interpolants that its figures show.

mod builder;
mod graph;

use builder::{Builder, Graph, assume, even, keep, odd, set};
use tamis_bdd::Bdd;
use tamis_pds::replay;
use tamis_refiners::bdd::{
    HEURISTICS, Heuristic, Options, Strongest, by_name, check, choose, concretise, predicates, strongest,
};

/// All six heuristics obey the laws on a spurious graph. Returns its strongest interpolants.
fn spurious(b: &Builder, g: &Graph) -> Strongest {
    let i = strongest(&b.system, &g.dag).unwrap();
    assert!(i.is_spurious());
    assert_eq!(concretise(&b.system, &g.dag, &i).unwrap(), None);
    for row in HEURISTICS {
        let k = choose(&b.system, &g.dag, &i, &Options::new(row.heuristic)).unwrap();
        assert_eq!(check(&b.system, &g.dag, &i, &k, row.heuristic).unwrap(), Ok(()), "{}", row.name);
    }
    i
}

fn chosen(b: &Builder, g: &Graph, i: &Strongest, heuristic: Heuristic) -> Vec<Bdd> {
    choose(&b.system, &g.dag, i, &Options::new(heuristic)).unwrap()
}

/// Each node in the first column has the value in the second.
fn expect(b: &mut Builder, g: &Graph, values: &[Bdd], expected: &[(&str, &str)]) {
    for (node, formula) in expected {
        assert!(values[g.node(node).index()] == b.formula(formula), "{node} is not {formula}");
    }
}

/// A program without procedures: main's body, as rules between locations, from location 1.
fn monolithic(vars: &str, rules: &[(&str, &str, String)]) -> Builder {
    let mut b = Builder::new(vars);
    b.proc("main", "", "");
    b.entry("main", "1", &keep(vars));
    for (from, to, relation) in rules {
        b.normal(from, to, relation);
    }
    b
}

#[test]
fn figure_4_7_weakest_interpolants_of_the_running_example() {
    let vars = "X Y A";
    let mut b = monolithic(
        vars,
        &[
            ("1", "2", set("X", "(bvmul X (bvadd X #x1))", "Y A")),
            ("2", "3", assume("(= A #x0)", vars)),
            ("2", "4", assume("(distinct A #x0)", vars)),
            ("3", "6", set("Y", "#x2", "X A")),
            ("4", "5", assume(&odd("Y"), vars)),
            ("5", "4", set("Y", "(bvadd Y #x1)", "X A")),
            ("4", "6", assume(&even("Y"), vars)),
            ("6", "7", set("X", "(bvadd X Y)", "Y A")),
            ("7", "error", assume(&odd("X"), vars)),
        ],
    );
    let g = b.dag(&[">main 1 2 3 4 5 4' 6 7 error"], &[">main 1 2 3 6 7 error", "2 4 5 4' 6", "4 6"]);
    let i = spurious(&b, &g);
    let j = chosen(&b, &g, &i, Heuristic::Weakest);
    let even_x = even("X");
    expect(
        &mut b,
        &g,
        &j,
        &[
            ("error", "false"),
            ("7", &even_x),
            ("6", &even("(bvadd X Y)")),
            ("3", &even_x),
            ("4'", &format!("(or {} {})", even_x, odd("Y"))),
            ("5", &format!("(or {} {})", even_x, even("Y"))),
            ("4", &even_x),
            ("2", &even_x),
            ("1", "true"),
        ],
    );
    // The products of neighbours modulo 16.
    let products = "(or (= X #x0) (= X #x2) (= X #x4) (= X #x6) (= X #x8) (= X #xa) (= X #xc) (= X #xe))";
    expect(&mut b, &g, i.nodes(), &[("1", "true"), ("2", products), ("error", "false")]);
}

#[test]
fn figure_4_8_mixed_interpolants_do_not_track() {
    let rules = [
        ("1", "2", set("X", "#x0", "Y")),
        ("2", "3", set("Y", "#x0", "X")),
        ("3", "error", assume("(distinct Y #x0)", "X Y")),
    ];
    let mut b = monolithic("X Y", &rules);
    let g = b.dag(&[">main 1 2 3 error"], &[">main 1 2 3 error"]);
    let i = spurious(&b, &g);
    let j = chosen(&b, &g, &i, Heuristic::Weakest);
    let both_zero = "(and (= X #x0) (= Y #x0))";
    expect(&mut b, &g, i.nodes(), &[("1", "true"), ("2", "(= X #x0)"), ("3", both_zero), ("error", "false")]);
    expect(&mut b, &g, &j, &[("1", "true"), ("2", "true"), ("3", "(= Y #x0)"), ("error", "false")]);
    let mut mixed = j.clone();
    let three = g.node("3");
    mixed[three.index()] = i.node(three).clone();
    let broken = check(&b.system, &g.dag, &i, &mixed, Heuristic::Weakest).unwrap().unwrap_err();
    assert_eq!((broken.law, broken.node), ("tracking", Some(three)));
}

/// The program of Figure 2.1, with 5 for 561, and overflow that blocks.
fn figure_2_1() -> (Builder, Graph) {
    let mut b = Builder::new("G L P");
    b.proc("main", "", "");
    b.proc("foo", "G P", "G");
    b.entry("main", "m0", &keep("G L"));
    b.normal("m0", "m1", "(and (= ((_ zero_extend 4) L+) (bvmul l (bvadd l #x01))) (= G+ G))");
    b.call("m1", "foo", "m2", "(and (= P+ L) (= G+ G) (= L_ L))");
    b.normal("m2", "error", &assume("(distinct G #x0)", "G L"));
    b.entry("foo", "f0", &keep("G P"));
    b.normal("f0", "f1", &assume(&even("P"), "G P"));
    b.normal("f0", "f2", &assume(&odd("P"), "G P"));
    b.normal("f1", "f3", &set("P", "#x0", "G"));
    b.normal("f2", "f3", &set("P", "#x5", "G"));
    b.pop("f3", "(= G+ P)");
    let g = b.dag(
        &[">main m0 m1 foo|m2 >foo f0 f1 f2 f3 foo. =foo|m2 m2 error"],
        &[">main m0 m1 foo|m2", ">foo f0 f1 f3 foo.", "f0 f2 f3", "foo|m2+foo. =foo|m2 m2 error"],
    );
    (b, g)
}

#[test]
fn figure_5_3_strongest_interpolants_of_a_call() {
    let (mut b, g) = figure_2_1();
    let i = spurious(&b, &g);
    let same = "(= G G<) (= P P<)";
    // The products of neighbours that fit four bits.
    let product = "(or (= L #x0) (= L #x2) (= L #x6) (= L #xc))";
    expect(
        &mut b,
        &g,
        i.nodes(),
        &[
            ("m0", "true"),
            ("m1", product),
            ("foo|m2", &format!("(and (= P+ L) {product})")),
            ("f0", &format!("(and {same})")),
            ("f1", &format!("(and {same} {})", even("P"))),
            ("f2", &format!("(and {same} {})", odd("P"))),
            ("f3", &format!("(and (= G G<) (ite {} (= P #x0) (= P #x5)))", even("P<"))),
            ("foo.", &format!("(ite {} (= G #x0) (= G #x5))", even("P+"))),
            ("m2", &format!("(and (= G #x0) {product})")),
            ("error", "false"),
        ],
    );
}

#[test]
fn figure_5_7_weakest_interpolants_of_a_call() {
    let (mut b, g) = figure_2_1();
    let i = spurious(&b, &g);
    let j = chosen(&b, &g, &i, Heuristic::Weakest);
    expect(
        &mut b,
        &g,
        &j,
        &[
            ("m0", "true"),
            ("m1", &even("L")),
            ("foo|m2", &even("P+")),
            ("f0", &format!("(or {} {})", even("P"), odd("P<"))),
            ("f1", "true"),
            ("f2", &odd("P<")),
            ("f3", &format!("(=> {} (= P #x0))", even("P<"))),
            ("foo.", &format!("(=> {} (= G #x0))", even("P+"))),
            ("m2", "(= G #x0)"),
            ("error", "false"),
        ],
    );
    let found = predicates(&g.dag, &i, &j, Heuristic::Weakest);
    let names: Vec<&str> = found.iter().map(|(id, _)| g.names[id.index()].as_str()).collect();
    assert_eq!(names, ["m1", "foo|m2", "f0", "f2", "f3", "foo.", "m2"]);
    assert_eq!(predicates(&g.dag, &i, &j, Heuristic::Both).len(), 15);
}

#[test]
fn example_5_2_a_call_that_does_not_return() {
    let mut b = Builder::new("L P");
    b.proc("main", "", "");
    b.proc("foo", "P", "");
    b.entry("main", "m0", &keep("L"));
    b.normal("m0", "m1", &set("L", "#x0", ""));
    b.call("m1", "foo", "m2", "(and (= P+ L) (= L_ L))");
    b.entry("foo", "f0", &keep("P"));
    b.normal("f0", "error", &assume("(= P #x1)", "P"));
    let g = b.dag(&[">main m0 m1 foo|m2", ">foo f0 error"], &[">main m0 m1 foo|m2", ">foo f0 error"]);
    let i = spurious(&b, &g);
    let (pivot, f0) = ("(and (= P+ #x0) (= L #x0))", "(and (= P #x0) (= P< #x0))");
    let start = ("m0", "true");
    let rows = [start, ("m1", "(= L #x0)"), ("foo|m2", pivot), (">foo", "(= P #x0)"), ("f0", f0), ("error", "false")];
    expect(&mut b, &g, i.nodes(), &rows);
    let j = chosen(&b, &g, &i, Heuristic::Weakest);
    let (m1, pivot, f0) = ("(distinct L #x1)", "(distinct P+ #x1)", "(distinct P #x1)");
    expect(&mut b, &g, &j, &[start, ("m1", m1), ("foo|m2", pivot), (">foo", f0), ("f0", f0), ("error", "false")]);
}

#[test]
fn figure_6_4_conciliation_and_skipping_find_the_variable_that_matters() {
    let vars = "X Y Z";
    let mut b = monolithic(
        vars,
        &[
            ("1", "2", set("X", "#x0", "Y Z")),
            ("2", "3", set("Y", "#x0", "X Z")),
            ("3", "4", assume("(distinct Z #x0)", vars)),
            ("4", "error", assume("(distinct X #x0)", vars)),
        ],
    );
    let g = b.dag(&[">main 1 2 3 4 error"], &[">main 1 2 3 4 error"]);
    let i = spurious(&b, &g);
    let (only_x, xy, xyz) = ("(= X #x0)", "(and (= X #x0) (= Y #x0))", "(and (= X #x0) (= Y #x0) (distinct Z #x0))");
    expect(&mut b, &g, i.nodes(), &[("1", "true"), ("2", only_x), ("3", xy), ("4", xyz), ("error", "false")]);
    let weakest = chosen(&b, &g, &i, Heuristic::Weakest);
    let x_or_z = "(or (= X #x0) (= Z #x0))";
    expect(&mut b, &g, &weakest, &[("1", "true"), ("2", x_or_z), ("3", x_or_z), ("4", only_x), ("error", "false")]);
    for heuristic in [Heuristic::Conciliated, Heuristic::Skip, Heuristic::Combined] {
        let chosen = chosen(&b, &g, &i, heuristic);
        expect(&mut b, &g, &chosen, &[("1", "true"), ("2", only_x), ("3", only_x), ("4", only_x), ("error", "false")]);
    }
}

#[test]
fn zero_is_neither_copied_nor_conciliated() {
    let rules = [
        ("1", "2", set("X", "#x0", "Y")),
        ("2", "3", assume("(distinct X #x0)", "X Y")),
        ("3", "4", set("Y", "#x0", "X")),
        ("4", "error", assume("(distinct Y #x0)", "X Y")),
    ];
    let mut b = monolithic("X Y", &rules);
    let g = b.dag(&[">main 1 2 3 4 error"], &[">main 1 2 3 4 error"]);
    let i = spurious(&b, &g);
    expect(&mut b, &g, i.nodes(), &[("2", "(= X #x0)"), ("3", "false"), ("4", "false")]);
    for heuristic in [Heuristic::Conciliated, Heuristic::Skip, Heuristic::Combined] {
        let k = chosen(&b, &g, &i, heuristic);
        expect(&mut b, &g, &k, &[("1", "true"), ("4", "(= Y #x0)")]);
    }
}

#[test]
fn figure_6_8_skipping_ignores_a_whole_procedure() {
    let mut b = Builder::new("G B C");
    b.proc("main", "", "");
    b.proc("foo", "G", "G");
    b.entry("main", "m0", &keep("G B"));
    b.normal("m0", "m1", &set("B", "#x0", "G"));
    b.call("m1", "foo", "m2", "(and (= G+ G) (= B_ B))");
    b.normal("m2", "error", &assume("(distinct B #x0)", "G B"));
    // Something complicated that involves global variables.
    b.entry("foo", "f0", &keep("G"));
    b.normal("f0", "f1", &set("C", "(bvmul G (bvadd G #x3))", "G"));
    b.normal("f1", "f2", &set("G", "(bvxor C (bvshl G #x1))", "C"));
    b.pop("f2", "(= G+ (bvudiv G C))");
    let g = b.dag(
        &[">main m0 m1 foo|m2 >foo f0 f1 f2 foo. =foo|m2 m2 error"],
        &[">main m0 m1 foo|m2", ">foo f0 f1 f2 foo.", "foo|m2+foo. =foo|m2 m2 error"],
    );
    let i = spurious(&b, &g);
    let zero = "(= B #x0)";
    let main = [("m0", "true"), ("m1", zero), ("foo|m2", zero), ("m2", zero), ("error", "false")];
    let foo = [(">foo", "true"), ("f0", "true"), ("f1", "true"), ("f2", "true"), ("foo.", "true")];
    for heuristic in [Heuristic::Skip, Heuristic::Combined] {
        let k = chosen(&b, &g, &i, heuristic);
        expect(&mut b, &g, &k, &main);
        expect(&mut b, &g, &k, &foo);
    }
}

#[test]
fn skipping_carries_a_global_across_a_call() {
    let mut b = Builder::new("G H");
    b.proc("main", "", "");
    b.proc("foo", "G H", "G H");
    b.entry("main", "m0", &keep("G H"));
    b.normal("m0", "m1", &set("G", "#x0", "H"));
    b.call("m1", "foo", "m2", &keep("G H"));
    b.normal("m2", "error", &assume("(distinct G #x0)", "G H"));
    b.entry("foo", "f0", &keep("G H"));
    b.pop("f0", &set("H", "(bvadd H #x1)", "G"));
    let g = b.dag(
        &[">main m0 m1 foo|m2 >foo f0 foo. =foo|m2 m2 error"],
        &[">main m0 m1 foo|m2", ">foo f0 foo.", "foo|m2+foo. =foo|m2 m2 error"],
    );
    let i = spurious(&b, &g);
    let k = chosen(&b, &g, &i, Heuristic::Skip);
    let effect = "(=> (= G+ #x0) (= G #x0))";
    expect(&mut b, &g, &k, &[("m1", "(= G #x0)"), ("foo|m2", "(= G+ #x0)"), ("foo.", effect), ("m2", "(= G #x0)")]);
}

#[test]
fn what_is_known_already_stops_the_way_up() {
    let mut b = Builder::new("X Y");
    b.proc("main", "", "");
    b.entry("main", "1", &keep("X Y"));
    b.normal("1", "2", &set("X", "#x0", "Y"));
    b.normal("2", "11", &keep("X Y"));
    b.normal("11", "12", &assume("(distinct Y #x7)", "X Y"));
    b.normal("12", "error", &assume("(= X #x5)", "X Y"));
    let g = b.dag(&[">main 1 2 11 12 error"], &[">main 1 2 11 12 error"]);
    let i = spurious(&b, &g);
    // Section 8.3, Figure 8.2: the abstraction knows X = 0 at 2 and at 11.
    let mut gamma = vec![None; g.dag.nodes.len()];
    for node in ["2", "11"] {
        gamma[g.node(node).index()] = Some(b.formula("(= X #x0)"));
    }
    let options = Options { gamma: Some(&gamma), ..Options::new(Heuristic::Weakest) };
    let k = choose(&b.system, &g.dag, &i, &options).unwrap();
    let rows = [("1", "true"), ("2", "true"), ("11", "true"), ("12", "(distinct X #x5)"), ("error", "false")];
    expect(&mut b, &g, &k, &rows);
    assert_eq!(predicates(&g.dag, &i, &k, Heuristic::Weakest).len(), 1);
}

/// Procedures `f0`, `f1`, …, each calling the one before twice; the last one called by main,
/// which reaches the error if `X` counts modulo 16 what it should.
fn doubling(depth: usize) -> (Builder, Graph) {
    let mut b = Builder::new("X");
    b.proc("main", "", "");
    for level in 0..depth {
        b.proc(&format!("f{level}"), "X", "X");
    }
    let mut nodes = Vec::new();
    let mut ways = Vec::new();
    for level in 0..depth {
        let name = |what: &str| format!("{what}{level}");
        b.entry(&name("f"), &name("a"), &keep("X"));
        if level == 0 {
            b.pop("a0", "(= X+ (bvadd X #x1))");
            nodes.push(">f0 a0 f0.".to_owned());
            ways.push(">f0 a0 f0.".to_owned());
            continue;
        }
        let below = format!("f{}", level - 1);
        let (first, second) = (format!("{below}|b{level}"), format!("{below}|c{level}"));
        b.call(&name("a"), &below, &name("b"), &keep("X"));
        b.call(&name("b"), &below, &name("c"), &keep("X"));
        b.pop(&name("c"), &keep("X"));
        nodes.push(format!(">f{level} a{level} {first} ={first} b{level} {second} ={second} c{level} f{level}."));
        ways.push(format!(">f{level} a{level} {first}"));
        ways.push(format!("{first}+{below}. ={first} b{level} {second}"));
        ways.push(format!("{second}+{below}. ={second} c{level} f{level}."));
    }
    let top = format!("f{}", depth - 1);
    let times = 1_u64 << (depth - 1).min(32);
    b.entry("main", "m0", &set("X", "#x0", ""));
    b.call("m0", &top, "m1", &keep("X"));
    b.normal("m1", "error", &assume(&format!("(= X #x{:x})", times % 16), "X"));
    let pivot = format!("{top}|m1");
    nodes.push(format!(">main m0 {pivot} ={pivot} m1 error"));
    ways.push(format!(">main m0 {pivot}"));
    ways.push(format!("{pivot}+{top}. ={pivot} m1 error"));
    let g = b.dag(&[&nodes.join(" ")], &ways.iter().map(String::as_str).collect::<Vec<_>>());
    (b, g)
}

#[test]
fn runs_may_be_exponentially_longer_than_the_graph() {
    let (b, g) = doubling(12);
    let i = strongest(&b.system, &g.dag).unwrap();
    let run = concretise(&b.system, &g.dag, &i).unwrap().unwrap();
    // A leaf takes a push, an entry, a pop and an evaluation, and so does each inner call.
    assert_eq!(run.steps.len(), 2 + 4 * 4095);
    assert!(replay(&b.system, &run));
    let mut wrong = run;
    wrong.steps.pop();
    assert!(!replay(&b.system, &wrong));
}

#[test]
fn runs_that_are_too_long_are_not_written_down() {
    let (b, g) = doubling(40);
    let i = strongest(&b.system, &g.dag).unwrap();
    assert!(!i.is_spurious());
    assert_eq!(concretise(&b.system, &g.dag, &i).unwrap(), None);
}

#[test]
fn heuristics_are_found_by_name() {
    let names: Vec<&str> = HEURISTICS.iter().map(|row| row.name).collect();
    assert_eq!(names, ["weakest", "strongest", "both", "conciliated", "skip", "combined"]);
    for row in HEURISTICS {
        assert_eq!(by_name(row.name).unwrap().heuristic, row.heuristic);
    }
    assert!(by_name("strange").is_none());
}
