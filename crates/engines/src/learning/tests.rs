//! The trees of figures 1 to 4, loops, and the care that unclosed loops need.

use super::minimax::Minimax;
use super::tree::{Id, Node, Status};
use super::{Care, Config, Interpolants, Invariants, Slackening, run_as_is};
use std::rc::Rc;
use std::sync::Arc;
use std::time::Duration;
use tamis_cegar::{Budget, Context, Outcome, Stop};
use tamis_ir::blocks::Size;
use tamis_ir::{BlockGraph, Program, PropertyId, Sources};
use tamis_solver::Answer;
use tamis_term::{Reader, Term, Terms};
use tamis_witness::{Check, Reason, StopSignal, Verdict, check};

/// An automaton in Theta's language.
fn program(ctx: &mut Context, text: &str) -> (Program, PropertyId) {
    let mut sources = Sources::new();
    let file = sources.add("program.cfa", text);
    let lowered =
        tamis_frontends::by_extension("cfa").expect("registered").lower_one(&mut ctx.terms, Arc::new(sources), file);
    let program = lowered.unwrap_or_else(|refused| panic!("{:?}", refused.errors)).program;
    let property = program.default.expect("the error");
    (program, property)
}

/// As the paper shows trees: statement by statement, with interpolants as general as they can be.
fn paper() -> Config {
    Config { interpolants: Interpolants::Weakest, ..Config::seed() }
}

/// What was explored.
struct Explored {
    ctx: Context,
    program: Program,
    nodes: Vec<(Id, Node)>,
    graph: Rc<BlockGraph>,
}

impl Explored {
    fn new(text: &str, config: Config) -> Explored {
        let mut ctx = Context::default();
        let (program, property) = program(&mut ctx, text);
        let graph = BlockGraph::new(&mut ctx.terms, &program, property, config.blocks).expect("no calls");
        let graph = Rc::new(graph);
        let mut minimax = Minimax::new(&mut ctx, &program, graph.clone(), config);
        assert!(minimax.search(&mut ctx).expect("an answer").is_none(), "it is safe");
        let nodes = minimax.tree.nodes().map(|(id, node)| (id, node.clone())).collect();
        drop(minimax);
        Explored { ctx, program, nodes, graph }
    }

    /// The nodes at the location of this name, in the order in which they were reached.
    fn at(&self, loc: &str) -> Vec<(Id, Node)> {
        let property = self.program.find_property(loc).expect("a location");
        let loc = self.program.property(property).locs[0];
        let here = |node: &Node| node.at.is_some_and(|at| self.graph.point(at).loc == loc);
        self.nodes.iter().filter(|(_, node)| here(node)).cloned().collect()
    }

    /// What was learned at the nodes of a location that were explored.
    fn learned(&self, loc: &str) -> Vec<Term> {
        let closed = self.at(loc).into_iter().filter(|(_, node)| node.status == Status::Closed);
        closed.map(|(_, node)| node.interpolant.expect("something was learned")).collect()
    }

    /// Whether a learned formula says the same as this text in SMT-LIB.
    fn is(&mut self, learned: Term, text: &str) -> bool {
        let terms = &mut self.ctx.terms;
        let expected = read(terms, text);
        let differ = terms.distinct(learned, expected);
        let mut solver = self.ctx.solvers.fresh(&self.ctx.terms, &[differ]).expect("a solver");
        matches!(solver.check(&self.ctx.terms, &[differ]), Ok(Answer::Unsat(_)))
    }

    /// Whether a learned formula implies this text in SMT-LIB.
    fn implies(&mut self, learned: Term, text: &str) -> bool {
        let terms = &mut self.ctx.terms;
        let expected = read(terms, text);
        let not = terms.not(expected);
        let mut solver = self.ctx.solvers.fresh(&self.ctx.terms, &[learned, not]).expect("a solver");
        matches!(solver.check(&self.ctx.terms, &[learned, not]), Ok(Answer::Unsat(_)))
    }
}

fn read(terms: &mut Terms, text: &str) -> Term {
    Reader::new(text).term(terms).unwrap_or_else(|error| panic!("{text}: {error:?}"))
}

const FIGURE_1A: &str = "main process a {
    var x : int
    init loc S  loc L1 loc A1 loc B1  loc L2 loc A2 loc B2  loc L3 loc A3 loc B3  loc L4  error loc E
    S -> L1 { x := 0 }
    L1 -> A1 { }  A1 -> L2 { }  L1 -> B1 { }  B1 -> L2 { x := x + 1 }
    L2 -> A2 { }  A2 -> L3 { }  L2 -> B2 { }  B2 -> L3 { x := x + 2 }
    L3 -> A3 { }  A3 -> L4 { }  L3 -> B3 { }  B3 -> L4 { x := x + 4 }
    L4 -> E { assume x > 7 }
}";

#[test]
fn figure_2_feasible_paths_are_subsumed() {
    let mut tree = Explored::new(FIGURE_1A, paper());
    for (loc, learned) in [("L4", "(<= x 7)"), ("L3", "(<= x 3)"), ("L2", "(<= x 1)"), ("L1", "(<= x 0)")] {
        let found = tree.learned(loc);
        assert_eq!(found.len(), 1, "one node at {loc} is explored");
        assert!(tree.is(found[0], learned), "{loc}: {}", tree.ctx.terms.smtlib(found[0]));
        let nodes = tree.at(loc);
        let (first, others) = nodes.split_first().expect("there are nodes");
        assert!(others.iter().all(|(_, node)| node.status == Status::Subsumed(first.0)), "{loc}: {nodes:?}");
    }
}

#[test]
fn figure_2_grows_by_as_much_with_each_branch() {
    let size = |branches: usize| {
        let branch = |at: usize| {
            let next = at + 1;
            format!(
                " loc A{at} loc B{at} loc L{next} L{at} -> A{at} {{ }} A{at} -> L{next} {{ }}
                  L{at} -> B{at} {{ }} B{at} -> L{next} {{ x := x + 1 }}"
            )
        };
        let all: String = (0..branches).map(branch).collect();
        let text = format!(
            "main process a {{ var x : int  init loc S loc L0 error loc E S -> L0 {{ x := 0 }} {all}
              L{branches} -> E {{ assume x > {branches} }} }}"
        );
        Explored::new(&text, paper()).nodes.len()
    };
    let sizes = [4, 8, 12].map(size);
    assert_eq!(sizes[1] - sizes[0], sizes[2] - sizes[1], "{sizes:?}");
}

const FIGURE_1B: &str = "main process b {
    var x : int  var y : int
    init loc S  loc L2 loc A2 loc B2  loc L3 loc A3 loc B3  loc L4  error loc E
    S -> L2 { x := 0 }
    L2 -> A2 { assume y < 1 }  A2 -> L3 { }  L2 -> B2 { assume y >= 1 }  B2 -> L3 { x := x + 2 }
    L3 -> A3 { assume y >= 1 }  A3 -> L4 { }  L3 -> B3 { assume y < 1 }  B3 -> L4 { x := x + 4 }
    L4 -> E { assume x > 5 }
}";

#[test]
fn figure_3_infeasible_paths_stay_infeasible() {
    let mut tree = Explored::new(FIGURE_1B, paper());
    let found = tree.learned("L3");
    assert_eq!(found.len(), 2, "the second node is not subsumed");
    assert!(tree.is(found[0], "(and (<= x 1) (< y 1))"), "{}", tree.ctx.terms.smtlib(found[0]));
    let infeasible = tree.nodes.iter().filter(|(_, node)| node.status == Status::Infeasible && node.at.is_some());
    assert_eq!(infeasible.count(), 2, "one below each node at L3");
}

const FIGURE_1C: &str = "main process c {
    var lock : int  var new : int  var old : int  var flag : int
    init loc S loc S1 loc S2  loc L1 loc L2 loc L2b loc L3 loc L4 loc L4b loc L5 loc L7  error loc E
    S -> S1 { lock := 0 }  S1 -> S2 { new := old + 1 }  S2 -> L1 { flag := 1 }
    L1 -> L2 { assume new /= old }  L2 -> L2b { lock := 1 }  L2b -> L3 { old := new }
    L3 -> L1 { }  L3 -> L4 { }  L4 -> L4b { lock := 0 }  L4b -> L1 { new := new + 1 }
    L1 -> L5 { assume new = old }
    L5 -> E { assume flag = 0 }  L5 -> L7 { assume flag /= 0 }
    L7 -> E { assume lock = 0 }
}";

#[test]
fn figure_4_the_loop_restarts_with_the_locked_constraint() {
    for interpolants in [Interpolants::Greedy, Interpolants::Cores, Interpolants::Weakest] {
        let mut tree = Explored::new(FIGURE_1C, Config { interpolants, ..paper() });
        assert_eq!(tree.ctx.statistics.rounds, 1, "one conflict");
        let heads: Vec<(Id, Node)> =
            tree.at("L1").into_iter().filter(|(_, node)| node.status == Status::Closed).collect();
        let [(first, parent), (_, second)] = &heads[..] else { panic!("the loop is unrolled once: {heads:?}") };
        assert_eq!((parent.locked, second.locked), (1, 0), "new = old + 1 is locked where the loop begins");
        let learned = parent.interpolant.expect("something was learned");
        assert!(tree.implies(learned, "(= new (+ old 1))"), "{}", tree.ctx.terms.smtlib(learned));
        let back = tree.at("L1").into_iter().filter(|(_, node)| node.status == Status::Looped(*first));
        assert_eq!(back.count(), 1, "the way through L4 closes the loop");
    }
}

/// What comes out, and whether the check accepts it.
fn answer(text: &str, config: &Config) -> (Outcome<Verdict>, Option<Check>) {
    let budget = Budget::default().with_time(Duration::from_mins(1));
    let mut ctx = Context { budget, ..Context::default() };
    let (program, property) = program(&mut ctx, text);
    let verdict = run_as_is(&mut ctx, &program, property, config);
    let checked =
        verdict.as_ref().ok().map(|verdict| check(&mut ctx.terms, &program, property, verdict, &StopSignal::never()));
    (verdict, checked)
}

fn configurations() -> Vec<Config> {
    let mut all = Vec::new();
    for blocks in [Size::Large, Size::Single] {
        for interpolants in [Interpolants::Greedy, Interpolants::Cores, Interpolants::Weakest] {
            for loops in [Invariants::Individual, Invariants::Houdini] {
                for slackening in [Slackening::Nothing, Slackening::Interpolants] {
                    all.push(Config { blocks, interpolants, loops, slackening, ..Config::seed() });
                }
            }
        }
    }
    all
}

/// Whether each configuration says so, with evidence that is accepted.
fn all_say(text: &str, safe: bool) {
    these_say(configurations(), text, safe);
}

fn these_say(configurations: Vec<Config>, text: &str, safe: bool) {
    for config in configurations {
        let (verdict, checked) = answer(text, &config);
        let said = match &verdict {
            Ok(Verdict::Safe(_)) => Some(true),
            Ok(Verdict::Unsafe(_)) => Some(false),
            Ok(Verdict::Unknown(_)) | Err(_) => None,
        };
        assert_eq!(said, Some(safe), "{config:?}: {verdict:?}");
        assert_eq!(checked, Some(Check::Accepted), "{config:?}");
    }
}

#[test]
fn the_figures_are_proved_in_all_ways() {
    for text in [FIGURE_1A, FIGURE_1B] {
        all_say(text, true);
    }
    // In large blocks both ways through the loop are one: nothing of figure 1(c) is invariant by itself.
    let mut able = configurations();
    able.retain(|config| config.blocks == Size::Single || config.slackening != Slackening::Nothing);
    these_say(able, FIGURE_1C, true);
}

#[test]
fn slips_are_found_in_all_ways() {
    for (text, right, wrong) in [
        (FIGURE_1A, "x > 7", "x > 6"),
        (FIGURE_1B, "x > 5", "x > 3"),
        (FIGURE_1C, "new := old + 1", "new := old"),
        (FIGURE_1C, "flag = 0 }", "flag = 1 }"),
    ] {
        assert!(text.contains(right));
        all_say(&text.replace(right, wrong), false);
    }
}

#[test]
fn a_bound_on_restarts_is_no_proof() {
    let text = "main process c { var x : int  var n : int  init loc S loc H error loc E
        S -> H { x := 0 }  H -> H { assume x < 1000 x := x + 1 }  H -> E { assume x < 0 } }";
    let config = Config { restarts: Some(3), ..Config::seed() };
    let (verdict, _) = answer(text, &config);
    assert!(matches!(verdict, Err(Stop::GaveUp(Reason::Bounded(3)))), "{verdict:?}");
}

/// Two loops in sequence inside a loop: what the first keeps is deleted and locked again when the
/// second has a conflict.
const UNCLOSED: &str = "main process u {
    var a : int  var b : int  var c : int
    init loc S loc S1 loc S2 loc O loc F loc G loc R error loc E
    S -> S1 { a := 0 }  S1 -> S2 { b := 0 }  S2 -> O { c := 0 }
    O -> F { }
    F -> F { assume a < 5 a := a + 1 - b }
    F -> G { b := c }
    G -> G { assume c > 7 c := 0 }
    G -> R { }
    R -> O { c := c + b }
    R -> E { assume b /= 0 }
    R -> E { assume c > 7 }
}";

#[test]
fn what_was_memoised_in_an_unclosed_loop_is_void_after_a_restart() {
    all_say(UNCLOSED, true);
}

/// The way back deletes `a = 0`; the way out has a conflict that locks it. What was learned at `G`
/// meanwhile promises only that the loop goes on with any `a`.
const STALE: &str = "main process s {
    var a : int
    init loc S loc H loc G loc X error loc E
    S -> H { a := 0 }
    H -> G { }  G -> H { a := 1 }
    H -> X { }  X -> E { assume a = 1 }
}";

#[test]
fn without_that_care_the_check_refuses_what_comes_out() {
    all_say(STALE, false);
    let (verdict, checked) = answer(STALE, &Config { care: Care::Keep, ..Config::seed() });
    assert!(matches!(verdict, Ok(Verdict::Safe(_))), "the error is not seen any more: {verdict:?}");
    assert!(matches!(checked, Some(Check::Rejected(_))), "{checked:?}");
}
