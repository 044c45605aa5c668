//! C expressions: what they look like, and that compiled C computes what evaluation does.

use crate::world::{Random, Step, World, steps};
use proptest::strategy::{Strategy, ValueTree};
use proptest::test_runner::{Config, TestRng, TestRunner};
use rustc_hash::FxHashMap;
use std::fmt::Write;
use std::path::Path;
use std::process::Command;
use tamis_term::c::{CError, expression};
use tamis_term::{Fun, Sort, Term, Terms, Value, Var};
use tamis_testing::tools::{COMPILER, SANITIZERS};
use tamis_testing::{find, has};

fn print(terms: &Terms, term: Term) -> Result<String, CError> {
    expression(terms, term, |var| terms.name(var).to_owned())
}

/// The SMT-LIB text is printed as the C text.
fn check(text: &str, expected: &str) {
    let mut terms = Terms::new();
    for (name, sort) in [("b", Sort::Bool), ("i", Sort::Int), ("v", Sort::BitVec(65))] {
        terms.declare(name, sort);
    }
    for width in [5, 8, 16, 32, 64] {
        terms.declare(&format!("x{width}"), Sort::BitVec(width));
        terms.declare(&format!("y{width}"), Sort::BitVec(width));
    }
    terms.declare("a", Sort::array(Sort::BitVec(8), Sort::BitVec(32)));
    terms.declare("m", Sort::array(Sort::BitVec(8), Sort::array(Sort::BitVec(8), Sort::Bool)));
    let term = terms.read(text).unwrap_or_else(|error| panic!("{text}: {error}"));
    let found = print(&terms, term).unwrap_or_else(|error| error.to_string());
    assert_eq!(found, expected);
}

#[test]
fn expressions_look_like_c() {
    check("(bvult x32 #x00000005)", "(uint32_t)x32 < 5U");
    check("(bvslt x32 #x00000005)", "(int32_t)(uint32_t)x32 < (int32_t)5U");
    check("(bvadd x8 y8)", "(uint8_t)((uint8_t)x8 + (uint8_t)y8)");
    check("(bvadd x5 #b00001)", "(((uint8_t)x5 & 31U) + 1U) & 31U");
    check("(bvmul x16 y16)", "(uint16_t)((uint32_t)(uint16_t)x16 * (uint16_t)y16)");
    check("(bvudiv x8 y8)", "(uint8_t)y8 == 0U ? 255U : (uint8_t)x8 / (uint8_t)y8");
    check("(bvudiv x8 #x03)", "(uint8_t)x8 / 3U");
    check("(bvshl x8 #x03)", "(uint8_t)((uint32_t)(uint8_t)x8 << 3)");
    check("(and b (not b))", "0");
    check("(or b (= x64 y64))", "(b != 0) || ((uint64_t)x64 == (uint64_t)y64)");
    check("(select a x8)", "(uint32_t)a[(uint8_t)x8]");
    check("(select (select m x8) y8)", "m[(uint8_t)x8][(uint8_t)y8] != 0");
}

#[test]
fn what_c_lacks_is_named() {
    check("(+ i 1)", "an unbounded integer cannot be expressed in C");
    check("(bvnot v)", "a bit-vector of 65 bits cannot be expressed in C");
    check("(concat x64 x8)", "a bit-vector of 72 bits cannot be expressed in C");
    check("(select (store a x8 x32) y8)", "the function store cannot be expressed in C");
    check(
        "(= a ((as const (Array (_ BitVec 8) (_ BitVec 32))) x32))",
        "the function (as const (Array (_ BitVec 8) (_ BitVec 32))) cannot be expressed in C",
    );
    check("(ubv_to_int x8)", "the function ubv_to_int cannot be expressed in C");
}

#[test]
fn exponential_text_is_refused() {
    let mut terms = Terms::new();
    let x = terms.declare("x", Sort::BitVec(32));
    let mut term = terms.var(x);
    for _ in 0..200 {
        term = terms.bvmul(term, term);
    }
    assert_eq!(print(&terms, term), Err(CError::TooLong));
}

/// Sorts that C has, at all sizes.
fn c_sorts() -> Vec<Sort> {
    let mut sorts = vec![Sort::Bool];
    sorts.extend([1, 5, 8, 13, 16, 31, 32, 33, 47, 63, 64].map(Sort::BitVec));
    sorts.push(Sort::array(Sort::BitVec(1), Sort::BitVec(13)));
    sorts.push(Sort::array(Sort::Bool, Sort::BitVec(32)));
    sorts
}

fn random_steps(runner: &mut TestRunner) -> Vec<Step> {
    steps(40).new_tree(runner).expect("steps never fail").current()
}

/// A C type for the variable, sometimes signed, always with room above odd widths.
fn c_type(sort: &Sort, signed: bool) -> String {
    let bits = sort.bits().unwrap_or(64).next_power_of_two().max(8);
    format!("{}int{bits}_t", if signed { "" } else { "u" })
}

/// A C literal whose low bits are the value's; the bits above are noise.
fn c_literal(value: &Value, noise: u64) -> String {
    match value {
        Value::Bool(value) => (if *value { 1 + noise % 9 } else { 0 }).to_string(),
        Value::BitVec(bits) => {
            let above = if bits.width() < 64 { noise << bits.width() } else { 0 };
            format!("(uint64_t){}ULL", bits.to_u64().expect("at most 64 bits") | above)
        }
        Value::Int(_) | Value::Real(_) | Value::Array(_) => unreachable!("no C value"),
    }
}

struct Batch {
    world: World,
    expressions: Vec<(Term, String)>,
    environments: Vec<FxHashMap<Var, Value>>,
}

/// Every function of vectors at every width, on variables and with constants on the right.
fn every_function() -> World {
    let mut world = World::new(&c_sorts());
    for sort in c_sorts() {
        let Sort::BitVec(width) = sort else { continue };
        let args = world.terms_of(&sort).to_vec();
        let x = args[0];
        for fun in crate::rules::two_arguments(&sort) {
            for y in &args {
                world.made.push(world.terms.raw_app(fun.clone(), &[x, *y]).unwrap());
            }
        }
        for fun in crate::rules::one_argument(&sort) {
            let fits = !matches!(fun, Fun::ZeroExtend(by) | Fun::SignExtend(by) if width + by > 64);
            if fits && !matches!(fun, Fun::UbvToInt | Fun::SbvToInt) {
                world.made.push(world.terms.raw_app(fun, &[x]).unwrap());
            }
        }
        for by in [16 - width.min(16), 32 - width.min(32), 64 - width] {
            world.made.push(world.terms.raw_app(Fun::SignExtend(by), &[x]).unwrap());
            world.made.push(world.terms.raw_app(Fun::ZeroExtend(by), &[x]).unwrap());
        }
        for other in c_sorts() {
            if matches!(other, Sort::BitVec(more) if width + more <= 64) {
                let y = world.terms_of(&other)[0];
                world.made.push(world.terms.raw_app(Fun::Concat, &[x, y]).unwrap());
            }
        }
    }
    world
}

/// Worlds with all of their terms that are not too long.
fn batches(count: usize) -> Vec<Batch> {
    let mut runner =
        TestRunner::new_with_rng(Config::default(), TestRng::deterministic_rng(Config::default().rng_algorithm));
    (0..=count)
        .map(|seed| {
            let directed = seed == count;
            let world = if directed { every_function() } else { World::grown(&c_sorts(), &random_steps(&mut runner)) };
            let spell = |var: Var| format!("w{seed}_{}", world.terms.name(var));
            let short = |term: &Term| expression(&world.terms, *term, spell).ok().filter(|text| text.len() < 3000);
            let expressions: Vec<_> = world.made.iter().filter_map(|term| Some((*term, short(term)?))).collect();
            assert!(!directed || expressions.len() == world.made.len(), "every function has a C expression");
            let environments = if directed { 40 } else { 6 };
            let environments = (0..environments).map(|i| world.environment(i * 1000 + seed as u64)).collect();
            Batch { world, expressions, environments }
        })
        .collect()
}

/// A program that prints the value of every expression in every environment, one per line.
fn program(batches: &[Batch]) -> String {
    let mut text = String::from("#include <stdint.h>\n#include <stdio.h>\n");
    let mut main = String::new();
    let mut random = Random(9);
    for (seed, Batch { world, expressions, environments }) in batches.iter().enumerate() {
        for var in &world.vars {
            let name = format!("w{seed}_{}", world.terms.name(*var));
            match world.terms.var_sort(*var) {
                Sort::Array(array) => writeln!(text, "static {} {name}[2];", c_type(&array.element, false)),
                sort @ (Sort::Bool | Sort::BitVec(_) | Sort::Int | Sort::Real) => {
                    writeln!(text, "static {} {name};", c_type(sort, var.index().is_multiple_of(2)))
                }
            }
            .unwrap();
        }
        writeln!(text, "static void w{seed}(void) {{").unwrap();
        for (_, expression) in expressions {
            writeln!(text, "  printf(\"%llu\\n\", (unsigned long long)({expression}));").unwrap();
        }
        text.push_str("}\n");
        for environment in environments {
            for var in &world.vars {
                let name = format!("w{seed}_{}", world.terms.name(*var));
                let noise = random.next();
                match &environment[var] {
                    Value::Array(array) => {
                        for (i, index) in tamis_term::value::values(&array.sort().index).enumerate() {
                            let element = c_literal(array.select(&index), noise);
                            writeln!(main, "  {name}[{i}] = {element};").unwrap();
                        }
                    }
                    value @ (Value::Bool(_) | Value::BitVec(_) | Value::Int(_) | Value::Real(_)) => {
                        writeln!(main, "  {name} = {};", c_literal(value, noise)).unwrap();
                    }
                }
            }
            writeln!(main, "  w{seed}();").unwrap();
        }
    }
    format!("{text}int main(void) {{\n{main}  return 0;\n}}\n")
}

#[test]
fn compiled_expressions_compute_what_evaluation_does() {
    let Some(compiler) = find(&COMPILER) else { return };
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR"));
    let (source, output) = (folder.join("expressions.c"), folder.join("expressions"));
    let batches = batches(40);
    std::fs::write(&source, program(&batches)).unwrap();
    let mut compile = Command::new(compiler);
    compile.arg("-w").arg("-o").arg(&output).arg(&source);
    if has(&SANITIZERS) {
        compile.args(["-fsanitize=undefined", "-fno-sanitize-recover=all"]);
    }
    let run = |command: &mut Command| {
        let run = command.output().unwrap();
        assert!(run.status.success(), "{}", String::from_utf8_lossy(&run.stderr));
        String::from_utf8(run.stdout).unwrap()
    };
    run(&mut compile);
    let stdout = run(&mut Command::new(&output));
    let mut lines = stdout.lines();
    let mut compared = 0;
    for Batch { world, expressions, environments } in &batches {
        for environment in environments {
            for (term, text) in expressions {
                let found: u64 = lines.next().expect("a line per expression").parse().unwrap();
                let expected = match world.eval(*term, environment) {
                    Value::Bool(value) => u64::from(value),
                    value @ (Value::BitVec(_) | Value::Int(_) | Value::Real(_) | Value::Array(_)) => {
                        value.as_bv().to_u64().unwrap()
                    }
                };
                assert_eq!(found, expected, "{} as {text}", world.terms.smtlib(*term));
                compared += 1;
            }
        }
    }
    assert!(compared > 2000, "only {compared} expressions");
}
