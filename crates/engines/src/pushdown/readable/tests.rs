//! Formulas go in as diagrams and come out as formulas.

use super::*;
use tamis_term::Value;

/// Words for diagrams to be about. The bits of short ones are not interleaved, as a bad order
/// has them.
struct World {
    terms: Terms,
    m: Manager,
    names: Names,
    vars: Vec<(Var, Vec<Bit>)>,
}

impl World {
    fn new(sorts: &[(&str, Sort)]) -> World {
        let (mut terms, m) = (Terms::new(), Manager::new(&CONFIG, StopSignal::never()));
        let (mut names, mut vars) = (Names::default(), Vec::new());
        let wide = m.add_bits(64);
        for (name, sort) in sorts {
            let var = terms.declare(name, sort.clone());
            let bits = match (*name, sort) {
                ("w", _) => wide.iter().copied().step_by(2).collect(),
                ("v", _) => wide.iter().copied().skip(1).step_by(2).collect(),
                (_, sort) => m.add_bits(usize::try_from(sort.bits().unwrap()).unwrap()),
            };
            let term = terms.var(var);
            names.add(&mut terms, term, &bits);
            vars.push((var, bits));
        }
        World { terms, m, names, vars }
    }

    fn usual() -> World {
        let array = Sort::array(Sort::BitVec(2), Sort::BitVec(3));
        let words = ["x", "y", "z"].map(|name| (name, Sort::BitVec(4)));
        let flags = ["p", "q", "r"].map(|name| (name, Sort::Bool));
        let others = [("w", Sort::BitVec(32)), ("v", Sort::BitVec(32)), ("n", Sort::BitVec(2)), ("a", array)];
        World::new(&[&words[..], &flags[..], &others[..]].concat())
    }

    fn diagram(&self, term: Term) -> Bdd {
        let bits = |bits: &Vec<Bit>| bits.iter().map(|bit| self.m.bit(*bit)).collect();
        let env = self.vars.iter().map(|(var, of)| (*var, bits(of))).collect();
        Encoder::new(env).truth(&self.m, &self.terms, term).unwrap()
    }

    fn short(&mut self, f: &Bdd) -> Option<Term> {
        Readable::new(2000).short(&self.m, &mut self.terms, &self.names, f)
    }

    /// Whether a term and a diagram agree everywhere.
    fn agree(&self, term: Term, f: &Bdd) -> bool {
        let count: usize = self.vars.iter().map(|(_, bits)| bits.len()).sum();
        let first = self.vars[0].1[0].index();
        (0_u64..1 << count).all(|valuation| {
            let is_set = |bit: Bit| valuation >> (bit.index() - first) & 1 == 1;
            let value = |var: Var| {
                let bits = &self.vars.iter().find(|(of, _)| *of == var).unwrap().1;
                let number = bits.iter().rev().fold(0, |sum, bit| 2 * sum + u64::from(is_set(*bit)));
                match self.terms.var_sort(var) {
                    Sort::BitVec(width) => Value::bv(*width, number),
                    Sort::Bool => Value::Bool(number == 1),
                    Sort::Int | Sort::Real | Sort::Array(_) => unreachable!("words are small"),
                }
            };
            self.terms.eval(term, value).as_bool() == self.m.eval(f, &is_set)
        })
    }
}

/// A formula becomes the expected one; `-` if none is found.
fn check(text: &str, expected: &str) {
    let mut world = World::usual();
    let term = world.terms.read(text).unwrap();
    let f = world.diagram(term);
    let found = world.short(&f);
    let expected = (expected != "-").then(|| world.terms.read(expected).unwrap());
    let show = |term: Option<Term>| term.map(|term| world.terms.smtlib(term).to_string());
    assert_eq!(show(found), show(expected), "for {text}");
    if let Some(found) = found {
        assert!(world.diagram(found) == f);
    }
}

/// A formula comes out as it went in.
fn stays(text: &str) {
    check(text, text);
}

/// So does its negation, but for the way it is written.
fn stays_negated(text: &str, negation: &str) {
    stays(text);
    check(&format!("(not {text})"), negation);
}

#[test]
fn constants_are_constants() {
    check("(or p (not p))", "true");
    check("(= x (bvadd x #x1))", "false");
}

#[test]
fn flags_are_combined() {
    stays_negated("p", "(not p)");
    stays_negated("(and p q)", "(or (not p) (not q))");
    stays_negated("(or p (not q))", "(and (not p) q)");
    stays_negated("(= p q)", "(not (= p q))");
    check("(ite p q r)", "(and (or p r) (or (not p) q))");
}

#[test]
fn numbers_are_compared_with_constants() {
    stays_negated("(= x #x5)", "(not (= x #x5))");
    stays_negated("(= x #x0)", "(not (= x #x0))");
    stays_negated("(bvule x #x4)", "(bvule #x5 x)");
    stays_negated("(bvule x #x7)", "(bvule #x8 x)");
    stays("(bvule #x00001001 w)");
    stays("(and (bvule #x3 x) (bvule x #x9))");
    check("(or (= x #x2) (= x #x7) (= x #xb))", "(or (= x #x2) (= x #x7) (= x #xb))");
    check("(or (bvult x #x3) (bvugt x #xa))", "(or (bvule x #x2) (bvule #xb x))");
}

#[test]
fn only_the_bits_that_matter_are_mentioned() {
    stays_negated("(= ((_ extract 1 0) x) #b10)", "(not (= ((_ extract 1 0) x) #b10))");
    stays_negated("(= ((_ extract 0 0) x) #b1)", "(not (= ((_ extract 0 0) x) #b1))");
    stays("(= ((_ extract 2 2) w) #b1)");
    stays("(and (= ((_ extract 0 0) x) #b1) (bvule x #x9))");
    check("(= (bvurem w #x00000008) #x00000005)", "(= ((_ extract 2 0) w) #b101)");
}

#[test]
fn numbers_are_compared_with_each_other() {
    stays_negated("(= x y)", "(not (= x y))");
    stays_negated("(bvult x y)", "(bvule y x)");
    stays("(bvule x y)");
    stays("(bvult w v)");
    stays("(= x ((_ zero_extend 2) n))");
    stays("(bvult ((_ zero_extend 2) n) x)");
    check("(= x (bvadd y #x1))", "(= x ((_ extract 3 0) (bvadd ((_ zero_extend 1) y) #b00001)))");
    check("(and (= x (bvadd y #x1)) (bvult y x))", "(= ((_ zero_extend 1) x) (bvadd ((_ zero_extend 1) y) #b00001))");
}

#[test]
fn sums_are_told_from_sums_that_wrap() {
    let exact = "(= (bvadd ((_ zero_extend 1) x) ((_ zero_extend 1) y)) ((_ zero_extend 1) z))";
    stays_negated(exact, &format!("(not {exact})"));
    let wrapping = "(= ((_ extract 3 0) (bvadd ((_ zero_extend 1) x) ((_ zero_extend 1) y))) z)";
    check("(= (bvadd x y) z)", wrapping);
    check("(not (= (bvsub z x) y))", &format!("(not {wrapping})"));
    let wide = "(bvadd ((_ zero_extend 1) w) ((_ zero_extend 1) v))";
    stays("(and (= x #x0) (= y #x0))");
    check("(= (bvadd w v) #x00000007)", &format!("(= ((_ extract 31 0) {wide}) #x00000007)"));
}

#[test]
fn atoms_are_combined() {
    stays("(or (= x y) (not (= z #x1)))");
    stays("(and (bvule (select a #b01) (select a #b10)) (bvule (select a #b10) (select a #b11)))");
    stays("(or p (= (select a #b00) #b101))");
    check("(=> (bvult x #x8) (and (= y z) p))", "(or (bvule #x8 x) (and (= y z) p))");
    check("(ite p (= x y) (bvult x y))", "(or (and (= x y) p) (and (bvult x y) (not p)))");
}

#[test]
fn what_is_not_short_is_left() {
    check("(= (bvmul x y) z)", "-");
    check("(= (bvand x y) z)", "-");
    check("(= (bvxor x y) #x6)", "-");
}

#[test]
fn what_is_large_is_left() {
    let mut world = World::usual();
    let term = world.terms.read("(= x y)").unwrap();
    let f = world.diagram(term);
    let size = world.m.size(&f);
    let World { terms, m, names, .. } = &mut world;
    // A function and its complement count as two.
    assert_eq!(Readable::new(2 * size).short(m, terms, names, &f), Some(term));
    assert_eq!(Readable::new(size / 2).short(m, terms, names, &f), None);
    // Seven words are too many.
    let cells = "(= (bvxor (select a #b00) (select a #b01) (select a #b10)) (select a #b11))";
    check(&format!("(and p q r {cells})"), "-");
}

#[test]
fn effort_ends() {
    let mut world = World::usual();
    let term = world.terms.read("(= x y)").unwrap();
    let f = world.diagram(term);
    let World { terms, m, names, .. } = &mut world;
    let mut readable = Readable { effort: 1000, ..Readable::new(2000) };
    assert_eq!(readable.short(m, terms, names, &f), None);
    let long = readable.formula(m, terms, names, &f, &mut FxHashMap::default());
    assert!(world.diagram(long) == f);
}

/// Numbers that look random.
fn random(seed: u64) -> impl FnMut(usize) -> usize {
    let mut state = seed;
    move |below| {
        state = state.wrapping_mul(0x5851_f42d_4c95_7f2d).wrapping_add(0x1405_7b7e_f767_814f);
        usize::try_from(state >> 33).unwrap() % below
    }
}

#[test]
fn whatever_is_found_is_right() {
    let mut found = 0;
    for seed in 0..300 {
        let mut below = random(seed);
        let widths = [0; 3].map(|_| 1 + below(3));
        let names = ["a", "b", "c"];
        let count = 2 + below(2);
        let sorts: Vec<(&str, Sort)> =
            (0..count).map(|at| (names[at], Sort::BitVec(u32::try_from(widths[at]).unwrap()))).collect();
        let mut world = World::new(&sorts);
        let bits: Vec<Bit> = world.vars.iter().flat_map(|(_, bits)| bits.clone()).collect();
        // Few operations, so that some of the functions are simple.
        let mut f = world.m.bit(bits[below(bits.len())]);
        for _ in 0..=below(6) {
            let (a, b) = (world.m.bit(bits[below(bits.len())]), world.m.bit(bits[below(bits.len())]));
            let g = if below(2) == 0 { a } else { world.m.iff(&a, &b).unwrap() };
            f = match below(4) {
                0 => world.m.xor(&f, &g),
                1 | 2 => world.m.and(&f, &g),
                _ => world.m.or(&f, &world.m.not(&g)),
            }
            .unwrap();
        }
        if let Some(term) = world.short(&f) {
            found += 1;
            assert!(world.agree(term, &f), "seed {seed}: {}", world.terms.smtlib(term));
        }
    }
    assert!(found > 150, "only {found}");
}

#[test]
fn combinations_are_right_and_short_ones_have_no_conditionals() {
    let mut short = 0;
    for seed in 0..300 {
        let mut below = random(seed);
        let mut world = World::new(&["p", "q", "r", "s"].map(|name| (name, Sort::Bool)));
        let bits: Vec<Bit> = world.vars.iter().map(|(_, bits)| bits[0]).collect();
        let mut f = world.m.constant(below(2) == 0);
        for _ in 0..=below(6) {
            let bit = world.m.bit(bits[below(4)]);
            let operations = [Manager::and, Manager::or, Manager::xor, Manager::implies];
            f = operations[below(4)](&world.m, &f, &bit).unwrap();
        }
        let mut facts = Facts::new();
        for (var, bits) in &world.vars {
            let yes = world.terms.var(*var);
            let no = world.terms.not(yes);
            let diagram = Some(world.m.bit(bits[0]));
            facts.insert(bits[0], Fact { yes, no, diagram, subject: Subject::Here });
        }
        let term = combination(&world.m, &mut world.terms, &facts, &f);
        assert!(world.agree(term, &f), "seed {seed}");
        short += usize::from(!world.terms.smtlib(term).to_string().contains("ite"));
    }
    assert!(short > 150, "only {short}");
}

#[test]
fn what_others_entail_is_not_said() {
    let mut world = World::usual();
    let abstract_bits = world.m.add_bits(2);
    let mut facts = Facts::new();
    for (bit, text) in abstract_bits.iter().zip(["(bvule #x3 x)", "(bvule #x5 x)"]) {
        let yes = world.terms.read(text).unwrap();
        let no = world.terms.not(yes);
        let diagram = Some(world.diagram(yes));
        facts.insert(*bit, Fact { yes, no, diagram, subject: Subject::Here });
    }
    let [first, second] = [0, 1].map(|at| world.m.bit(abstract_bits[at]));
    let (both, either) = (world.m.and(&first, &second).unwrap(), world.m.or(&first, &second).unwrap());
    let mut shown = |f: &Bdd| {
        let term = combination(&world.m, &mut world.terms, &facts, f);
        world.terms.smtlib(term).to_string()
    };
    assert_eq!(shown(&both), "(bvule #x5 x)");
    assert_eq!(shown(&either), "(bvule #x3 x)");
}
