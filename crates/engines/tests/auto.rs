//! What runs if nobody names an engine finds what only one of its racers finds.

use std::sync::Arc;
use tamis_cegar::Context;
use tamis_engines::driver::{Options, answer};
use tamis_engines::{Settings, by_name};
use tamis_ir::Sources;
use tamis_ir::passes::{PRUNE, SLICE};
use tamis_witness::Verdict;

/// Each input has eight bits, so nothing is guessed; there are too many for explicit states, and
/// decision diagrams of the products are too large.
const PRODUCTS: &str = "\
extern unsigned char __VERIFIER_nondet_uchar(void); extern void reach_error(void);
int main(void) {
  unsigned p = 1, q = 1;
  for (int i = 0; i < 3; i++) { unsigned char c = __VERIFIER_nondet_uchar(); p = p * (c + 1u); q = q * (c + 2u); }
  if (p == 101 * 37 * 11 && q == 102 * 38 * 12) reach_error();
}
";

/// There is nothing to guess, there are too many states to look at one by one, and decision diagrams
/// take a round for each.
const COUNTER: &str = "\
extern void reach_error(void);
void check(int fine) { if (!fine) reach_error(); }
int main(void) {
  int i;
  for (i = 0; i < 3000000; i += 2);
  check(i == 3000000);
}
";

/// There are no inputs, but locals that the copy of a procedure writes before it reads them.
const CHECKSUM: &str = "\
extern void reach_error(void);
unsigned char text[9] = \"123456789\";
unsigned sum(unsigned char *p, unsigned n) { unsigned s = 0; while (n--) s = s * 31 + *p++; return s; }
int main(void) { if (sum(text, 9) != 2427588661u) reach_error(); }
";

/// What is found without an engine being named.
fn verdict(text: &str) -> Verdict {
    let mut ctx = Context::default();
    let mut sources = Sources::new();
    let file = sources.add("a.c", text);
    let lowered = tamis_frontends::by_name("c").unwrap().lower_one(&mut ctx.terms, Arc::new(sources), file);
    let program = lowered.unwrap_or_else(|refused| panic!("{:?}", refused.errors)).program;
    let options =
        Options { engine: by_name("auto").unwrap(), passes: vec![&PRUNE, &SLICE], settings: Settings::default() };
    answer(&mut ctx, &options, &program, program.default.unwrap()).unwrap().verdict
}

#[test]
fn arithmetic_on_narrow_inputs_is_for_symbolic_execution() {
    let found = verdict(PRODUCTS);
    assert!(matches!(found, Verdict::Unsafe(_)), "expected an error, see NARROW_RACERS in auto.rs: {found:?}");
}

#[test]
fn long_counters_are_for_predicates() {
    let found = verdict(COUNTER);
    assert!(matches!(found, Verdict::Safe(_)), "expected a proof, see NARROW_RACERS in auto.rs: {found:?}");
}

#[test]
fn programs_without_inputs_are_run() {
    let found = verdict(CHECKSUM);
    assert!(matches!(found, Verdict::Safe(_)), "expected a proof, see has_wide_inputs in auto.rs: {found:?}");
}
