//! Programs as text.

use crate::{explore, lower, programs, show};
use tamis_frontends::remopla::print::to_remopla;
use tamis_ir::{Op, Program, Property, Span};
use tamis_term::{Sort, Terms};

#[test]
fn what_was_read_is_printed_and_read_again_with_the_same_result() {
    for (path, text) in programs() {
        let (terms, _, lowered) = lower(&text);
        let program = lowered.unwrap().program;
        let printed = to_remopla(&terms, &program).unwrap();
        let (again, sources, lowered) = lower(&printed);
        let lowered = lowered
            .unwrap_or_else(|errors| panic!("{}\n{}\n{printed}", path.display(), show::diagnostics(&sources, &errors)));
        let before = explore::reached(&terms, &program, 400_000, explore::all).unwrap();
        let after = explore::reached(&again, &lowered.program, 1_000_000, explore::all).unwrap();
        for property in program.errors.iter().filter(|property| !property.name.contains(':')) {
            let name = property.name.as_str();
            assert_eq!(before.contains(name), after.contains(name), "{name} in {}\n{printed}", path.display());
        }
    }
}

#[test]
fn chains_are_sequences_and_branches_are_alternatives() {
    let (terms, _, lowered) = lower(
        "int x(2), a[2](1);
         module int(2) f(int p(2)) { if :: p > 1 -> return p - 1; :: else -> return 0; fi }
         module void main() {
           x = 3; a[1] = 0;
           do :: x != 0 -> x = f(x); :: else -> break; od
           error: skip;
         }",
    );
    let text = to_remopla(&terms, &lowered.unwrap().program).unwrap();
    let expected = "int x(2);
int a_0(1);
int a_1(1);
module int(2) f(int p(2));
module void main();
init main;
module int(2) f(int p(2)) {
  int ret(2);
  if
  :: ((1 < p) && (((p + 7) & 7) <= 3)) ->
  ret = ((p + 3) & 3);
  return ret;
  :: !(1 < p) ->
  ret = 0;
  return ret;
  fi
  return ret;
}
module void main() {
  x = 3;
  a_1 = 0;
l:
  if
  :: !(x == 0) ->
  x = f(x);
  goto l;
  :: (x == 0) ->
  goto error;
  fi
error: skip;
  return;
}
";
    assert_eq!(text, expected);
}

#[test]
fn several_properties_of_one_location_and_several_locations_of_one_property() {
    let mut terms = Terms::new();
    let mut program = Program::new(std::sync::Arc::default());
    let main = program.add_proc("main", Span::default());
    let (entry, exit) = (program.procs[0].entry, program.procs[0].exit);
    let always = terms.bool(true);
    program.add_edge(main, entry, exit, Op::Assume(always), Span::default());
    for (name, locs) in [("p", vec![entry, exit]), ("q", vec![entry]), ("r", vec![entry]), ("s", vec![])] {
        program.add_property(Property::new(name.to_owned(), "", locs));
    }
    let text = to_remopla(&terms, &program).unwrap();
    let (again, _, lowered) = lower(&text);
    let lowered = lowered.unwrap();
    let reached = explore::reached(&again, &lowered.program, 100, explore::all).unwrap();
    assert!(["p", "q", "r"].iter().all(|name| reached.contains(name)), "{text}");
    assert!(!reached.contains("s") && lowered.program.find_property("s").is_some(), "{text}");
    assert_eq!(lowered.program.default, None);
}

#[test]
fn infinite_sorts_are_refused() {
    for (sort, message) in [
        (Sort::Int, "unbounded numbers of sort Int"),
        (Sort::Real, "unbounded numbers of sort Real"),
        (Sort::array(Sort::Int, Sort::Bool), "arrays of sort (Array Int Bool)"),
        (Sort::array(Sort::BitVec(40), Sort::Bool), "arrays of sort (Array (_ BitVec 40) Bool)"),
        (Sort::BitVec(2000), "bit-vectors of 2000 bits"),
    ] {
        let mut terms = Terms::new();
        let mut program = Program::new(std::sync::Arc::default());
        program.add_proc("main", Span::default());
        program.globals.push(terms.declare("x", sort));
        assert_eq!(to_remopla(&terms, &program), Err(message.to_owned()));
    }
}

#[test]
fn wide_words_keep_their_meaning() {
    let mut terms = Terms::new();
    let mut program = Program::new(std::sync::Arc::default());
    let main = program.add_proc("main", Span::default());
    let (x, y) = (terms.declare("x", Sort::BitVec(70)), terms.declare("y", Sort::BitVec(70)));
    program.globals.extend([x, y]);
    let (a, b) = (terms.var(x), terms.var(y));
    let (product, shifted) = (terms.bvmul(a, b), terms.bvshl(a, b));
    let below = terms.bvslt(product, shifted);
    let (entry, exit) = (program.procs[0].entry, program.procs[0].exit);
    program.add_edge(main, entry, exit, Op::Assume(below), Span::default());
    let text = to_remopla(&terms, &program).unwrap();
    let (_, sources, lowered) = lower(&text);
    lowered.unwrap_or_else(|errors| panic!("{}\n{text}", show::diagnostics(&sources, &errors)));
}
