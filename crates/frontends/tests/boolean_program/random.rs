//! Random statements and expressions against what they should mean.

use super::explorer::{Explorer, check_shape};
use super::program;
use rustc_hash::FxHashSet;
use std::fmt::Write;
use tamis_frontends::Lowered;

/// An expression over the globals a, b and c.
enum Expr {
    Const(bool),
    Any,
    Var(usize),
    Primed(usize),
    Not(Box<Expr>),
    Binary(&'static str, Box<Expr>, Box<Expr>),
    Choose(Box<Expr>, Box<Expr>),
}

const NAMES: [&str; 3] = ["a", "b", "c"];
const OPERATORS: [&str; 6] = ["=>", "|", "^", "&", "=", "!="];

fn apply(operator: &str, a: bool, b: bool) -> bool {
    match operator {
        "=>" => !a || b,
        "|" => a || b,
        "&" => a && b,
        "=" => a == b,
        "^" | "!=" => a != b,
        _ => panic!("no operator {operator}"),
    }
}

impl Expr {
    fn random(rng: &mut fastrand::Rng, depth: u32, primes: bool) -> Expr {
        let below = |rng: &mut fastrand::Rng| Box::new(Expr::random(rng, depth - 1, primes));
        match rng.u32(..if depth == 0 { 5 } else { 12 }) {
            0 => Expr::Const(rng.bool()),
            1 => Expr::Any,
            2 | 3 => Expr::Var(rng.usize(..3)),
            4 => {
                if primes {
                    Expr::Primed(rng.usize(..3))
                } else {
                    Expr::Var(rng.usize(..3))
                }
            }
            5 => Expr::Choose(below(rng), below(rng)),
            6 => Expr::Not(below(rng)),
            _ => Expr::Binary(OPERATORS[rng.usize(..6)], below(rng), below(rng)),
        }
    }

    fn text(&self) -> String {
        match self {
            Expr::Const(value) => if *value { "T" } else { "F" }.to_owned(),
            Expr::Any => "*".to_owned(),
            Expr::Var(var) => NAMES[*var].to_owned(),
            Expr::Primed(var) => format!("'{}", NAMES[*var]),
            Expr::Not(a) => format!("!{}", a.text()),
            Expr::Binary(operator, a, b) => format!("({} {operator} {})", a.text(), b.text()),
            Expr::Choose(a, b) => format!("schoose[{}, {}]", a.text(), b.text()),
        }
    }

    /// The value, where `choices` supplies one bit for each `*` and `schoose`.
    fn eval(&self, before: u64, after: u64, choices: &mut impl FnMut() -> bool) -> bool {
        match self {
            Expr::Const(value) => *value,
            Expr::Any => choices(),
            Expr::Var(var) => before >> var & 1 == 1,
            Expr::Primed(var) => after >> var & 1 == 1,
            Expr::Not(a) => !a.eval(before, after, choices),
            Expr::Binary(operator, a, b) => {
                let (a, b) = (a.eval(before, after, choices), b.eval(before, after, choices));
                apply(operator, a, b)
            }
            Expr::Choose(a, b) => {
                let (a, b) = (a.eval(before, after, choices), b.eval(before, after, choices));
                a || (!b && choices())
            }
        }
    }

    /// All values that the choices allow.
    fn values(&self, before: u64, after: u64) -> FxHashSet<bool> {
        let mut open = self.text().matches(['*', '[']).count();
        open = open.min(12);
        let run = |bits: u64| {
            let mut at = 0;
            self.eval(before, after, &mut || {
                at += 1;
                bits >> (at - 1) & 1 == 1
            })
        };
        (0..1 << open).map(run).collect()
    }
}

/// The pairs of global states before and after a statement, by the explorer.
fn relation(statement: &str) -> FxHashSet<(u64, u64)> {
    let text = format!("decl a, b, c; void main() begin {statement}; END: skip; end");
    let (terms, Lowered { program, .. }) = program(&text);
    check_shape(&terms, &program);
    let explorer = Explorer::run(&terms, &program);
    let end = program.property(program.find_property("END").unwrap()).locs[0];
    let states = explorer.found.iter().filter(|(_, loc, _)| *loc == end);
    states.map(|((_, before), _, after)| (*before, after & 7)).collect()
}

#[test]
fn random_assignments_relate_the_right_states() {
    let mut rng = fastrand::Rng::with_seed(1);
    for _ in 0..400 {
        let mut targets = vec![0, 1, 2];
        rng.shuffle(&mut targets);
        targets.truncate(rng.usize(1..4));
        let values: Vec<Expr> = targets.iter().map(|_| Expr::random(&mut rng, 2, false)).collect();
        let constraint = rng.bool().then(|| Expr::random(&mut rng, 3, true));
        let list = |parts: Vec<String>| parts.join(", ");
        let mut statement = format!(
            "{} := {}",
            list(targets.iter().map(|t| NAMES[*t].to_owned()).collect()),
            list(values.iter().map(Expr::text).collect())
        );
        if let Some(constraint) = &constraint {
            write!(statement, " constrain {}", constraint.text()).unwrap();
        }
        let mut expected = FxHashSet::default();
        for (before, after) in (0..8).flat_map(|before| (0..8).map(move |after| (before, after))) {
            let bit = |state: u64, var: usize| state >> var & 1 == 1;
            let kept = (0..3).all(|var| targets.contains(&var) || bit(before, var) == bit(after, var));
            let mut written = targets.iter().zip(&values);
            let written = written.all(|(var, value)| value.values(before, 0).contains(&bit(after, *var)));
            let allowed = constraint.as_ref().is_none_or(|c| c.values(before, after).contains(&true));
            if kept && written && allowed {
                expected.insert((before, after));
            }
        }
        assert_eq!(relation(&statement), expected, "{statement}");
    }
}

#[test]
fn random_constrain_statements_frame_nothing() {
    let mut rng = fastrand::Rng::with_seed(2);
    for _ in 0..200 {
        let constraint = Expr::random(&mut rng, 3, true);
        let text = constraint.text();
        let mut expected = FxHashSet::default();
        for (before, after) in (0..8_u64).flat_map(|before| (0..8_u64).map(move |after| (before, after))) {
            if constraint.values(before, after).contains(&true) {
                expected.insert((before, after));
            }
        }
        assert_eq!(relation(&format!("constrain ({text})")), expected, "{text}");
    }
}

/// The value of `operands` with `operators` between them, by levels from loosest to tightest;
/// operators of one level to the left, or to the right where `right` says so.
fn by_levels(levels: &[(&[&str], bool)], operands: &[bool], operators: &[&str]) -> bool {
    let [level, tighter @ ..] = levels else { return operands[0] };
    let (names, right) = level;
    let splits = (0..operators.len()).filter(|at| names.contains(&operators[*at]));
    let split = if *right { splits.min() } else { splits.max() };
    match split {
        None => by_levels(tighter, operands, operators),
        Some(at) => {
            let a = by_levels(levels, &operands[..=at], &operators[..at]);
            apply(operators[at], a, by_levels(levels, &operands[at + 1..], &operators[at + 1..]))
        }
    }
}

#[test]
fn precedence_is_getafix_and_a_warning_says_where_satabs_differs() {
    const GETAFIX: &[(&[&str], bool)] =
        &[(&["=>"], false), (&["|"], false), (&["^"], false), (&["&"], false), (&["=", "!="], false)];
    const SATABS: &[(&[&str], bool)] = &[(&["=>", "=", "!="], true), (&["^"], false), (&["|"], false), (&["&"], false)];
    let mut rng = fastrand::Rng::with_seed(3);
    let mut warned = 0;
    for _ in 0..600 {
        let operators: Vec<&str> = (0..rng.usize(1..6)).map(|_| OPERATORS[rng.usize(..6)]).collect();
        // Variables stand for themselves: one assertion per valuation would be slow, so the
        // chain is evaluated on constants, all at once.
        let mut differs = false;
        let mut body = String::new();
        for bits in 0..1_u32 << (operators.len() + 1) {
            let operands: Vec<bool> = (0..=operators.len()).map(|i| bits >> i & 1 == 1).collect();
            let value = by_levels(GETAFIX, &operands, &operators);
            differs |= value != by_levels(SATABS, &operands, &operators);
            let mut chain = String::from(if operands[0] { "T" } else { "F" });
            for (operator, operand) in operators.iter().zip(&operands[1..]) {
                write!(chain, " {operator} {}", if *operand { "T" } else { "F" }).unwrap();
            }
            write!(body, "assert(({chain}) = {});", if value { "T" } else { "F" }).unwrap();
        }
        let (terms, Lowered { program, warnings }) = program(&format!("void main() begin {body} end"));
        let explorer = Explorer::run(&terms, &program);
        assert!(!explorer.reaches(&program.property(program.default.unwrap()).locs), "{operators:?}");
        assert!(!differs || !warnings.is_empty(), "SATABS reads {operators:?} differently");
        warned += usize::from(!warnings.is_empty());
    }
    assert!((200..550).contains(&warned), "{warned} of 600 chains are disputed");
}

/// One step of the plain machine that random bodies are compared with: every statement has
/// a place of its own, and every place is one step.
enum Step {
    Assign(usize, Expr),
    Assume(Expr),
    /// Fails if the condition may be false.
    Assert(Expr),
    /// Goes on if the condition holds, else to the place.
    Branch(Expr, usize),
    Jump(usize),
    Goto(Vec<usize>),
    Return,
}

const LABELS: usize = 4;

/// A random body of a function: its text, its steps, and where its labels are.
struct Random<'r> {
    rng: &'r mut fastrand::Rng,
    text: String,
    steps: Vec<Step>,
    labels: Vec<usize>,
    asserts: Vec<usize>,
}

impl Random<'_> {
    fn expr(&mut self) -> Expr {
        if self.rng.u32(..3) == 0 { Expr::Any } else { Expr::random(self.rng, 1, false) }
    }

    fn block(&mut self, depth: u32) {
        for _ in 0..self.rng.u32(..4) {
            self.statement(depth);
        }
    }

    fn label(&mut self) {
        write!(self.text, " L{}:", self.labels.len()).unwrap();
        self.labels.push(self.steps.len());
    }

    fn statement(&mut self, depth: u32) {
        if self.labels.len() < LABELS && self.rng.u32(..4) == 0 {
            self.label();
        }
        let kind = self.rng.u32(..if depth == 0 { 12 } else { 20 });
        let expr = self.expr();
        match kind {
            0..4 => {
                let var = self.rng.usize(..3);
                write!(self.text, " {} := {};", NAMES[var], expr.text()).unwrap();
                self.steps.push(Step::Assign(var, expr));
            }
            4 => {
                write!(self.text, " assume({});", expr.text()).unwrap();
                self.steps.push(Step::Assume(expr));
            }
            5 | 6 => {
                write!(self.text, " assert({});", expr.text()).unwrap();
                self.asserts.push(self.steps.len());
                self.steps.push(Step::Assert(expr));
            }
            7 | 8 => {
                let labels: Vec<usize> = (0..self.rng.usize(1..3)).map(|_| self.rng.usize(..LABELS)).collect();
                let names: Vec<String> = labels.iter().map(|label| format!("L{label}")).collect();
                write!(self.text, " goto {};", names.join(", ")).unwrap();
                self.steps.push(Step::Goto(labels));
            }
            9 => {
                self.text += " return;";
                self.steps.push(Step::Return);
            }
            10 | 11 => {
                self.text += " skip;";
                self.steps.push(Step::Assume(Expr::Const(true)));
            }
            12..17 => self.branch(expr, depth),
            _ => {
                write!(self.text, " while ({}) do", expr.text()).unwrap();
                let head = self.steps.len();
                self.steps.push(Step::Branch(expr, 0));
                self.block(depth - 1);
                self.steps.push(Step::Jump(head));
                self.patch(head);
                self.text += " od";
            }
        }
    }

    fn branch(&mut self, expr: Expr, depth: u32) {
        write!(self.text, " if ({}) then", expr.text()).unwrap();
        let mut head = self.steps.len();
        self.steps.push(Step::Branch(expr, 0));
        self.block(depth - 1);
        let mut ends = vec![self.steps.len()];
        self.steps.push(Step::Jump(0));
        self.patch(head);
        if self.rng.bool() {
            let expr = self.expr();
            write!(self.text, " elsif ({}) then", expr.text()).unwrap();
            head = self.steps.len();
            self.steps.push(Step::Branch(expr, 0));
            self.block(depth - 1);
            ends.push(self.steps.len());
            self.steps.push(Step::Jump(0));
            self.patch(head);
        }
        if self.rng.bool() {
            self.text += " else";
            self.block(depth - 1);
        }
        self.text += " fi";
        for end in ends {
            self.patch(end);
        }
    }

    /// Lets a step lead to the next place.
    fn patch(&mut self, step: usize) {
        let next = self.steps.len();
        match &mut self.steps[step] {
            Step::Branch(_, to) | Step::Jump(to) => *to = next,
            Step::Assign(..) | Step::Assume(_) | Step::Assert(_) | Step::Goto(_) | Step::Return => {
                unreachable!("only jumps are patched")
            }
        }
    }

    /// All places and states that can be reached, and the assertions that can fail.
    fn explore(&self, invariant: &Expr) -> (FxHashSet<(usize, u64)>, FxHashSet<usize>) {
        let (mut found, mut failed) = (FxHashSet::default(), FxHashSet::default());
        let mut work: Vec<(usize, u64)> = (0..8).map(|state| (0, state)).collect();
        while let Some((place, state)) = work.pop() {
            if !invariant.values(state, 0).contains(&true) || !found.insert((place, state)) {
                continue;
            }
            let may = |expr: &Expr, value: bool| expr.values(state, 0).contains(&value);
            match self.steps.get(place) {
                None | Some(Step::Return) => {}
                Some(Step::Assign(var, value)) => {
                    let kept = state & !(1 << var);
                    work.extend(
                        value.values(state, 0).into_iter().map(|bit| (place + 1, kept | u64::from(bit) << var)),
                    );
                }
                Some(Step::Assume(condition)) => work.extend(may(condition, true).then_some((place + 1, state))),
                Some(Step::Assert(condition)) => {
                    work.extend(may(condition, true).then_some((place + 1, state)));
                    failed.extend(may(condition, false).then_some(place));
                }
                Some(Step::Branch(condition, otherwise)) => {
                    work.extend(may(condition, true).then_some((place + 1, state)));
                    work.extend(may(condition, false).then_some((*otherwise, state)));
                }
                Some(Step::Jump(to)) => work.push((*to, state)),
                Some(Step::Goto(labels)) => work.extend(labels.iter().map(|label| (self.labels[*label], state))),
            }
        }
        (found, failed)
    }
}

#[test]
fn random_bodies_reach_the_right_labels_and_assertions() {
    let mut rng = fastrand::Rng::with_seed(4);
    let (mut reached, mut missed) = (0, 0);
    for round in 0..1500 {
        let mut random =
            Random { rng: &mut rng, text: String::new(), steps: Vec::new(), labels: Vec::new(), asserts: Vec::new() };
        random.block(3);
        while random.labels.len() < LABELS {
            random.label();
            random.text += " skip;";
            random.steps.push(Step::Assume(Expr::Const(true)));
        }
        let invariant = if round % 3 == 0 {
            Expr::Binary("|", Box::new(Expr::Var(0)), Box::new(Expr::Var(1)))
        } else {
            Expr::Const(true)
        };
        let text = format!(
            "decl a, b, c; void main() begin enforce {}; {} end",
            invariant.text(),
            random.text.replace(';', ";\n")
        );
        let (found, failed) = random.explore(&invariant);
        let (terms, Lowered { program, .. }) = program(&text);
        check_shape(&terms, &program);
        let explorer = Explorer::run(&terms, &program);
        for (label, place) in random.labels.iter().enumerate() {
            let loc = program.property(program.find_property(&format!("L{label}")).unwrap()).locs[0];
            let states: FxHashSet<u64> = explorer.found.iter().filter(|f| f.1 == loc).map(|f| f.2 & 7).collect();
            let expected: FxHashSet<u64> = found.iter().filter(|f| f.0 == *place).map(|f| f.1).collect();
            assert_eq!(states, expected, "L{label} in {text}");
            if expected.is_empty() { missed += 1 } else { reached += 1 }
        }
        let assert = program.property(program.find_property("assert").unwrap());
        for (place, loc) in random.asserts.iter().zip(&assert.locs) {
            assert_eq!(explorer.reaches(&[*loc]), failed.contains(place), "an assertion in {text}");
        }
    }
    assert!(reached > 1000 && missed > 300, "{reached} labels reached, {missed} not");
}
