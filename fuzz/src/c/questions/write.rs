//! Random programs that meet what is asked about.
//!
//! The text is the same for the compiler and for the front end. Where something may happen, a
//! function of the prelude is called ahead, which tells so in the compiled program and does nothing
//! in the other: `@divides(y); x = x / y;`.

use crate::c::tree::{Kind, Node, Piece};
use fastrand::Rng;

/// What a program for the front end begins with.
pub const PRELUDE: &str = "extern _Bool __VERIFIER_nondet_bool(void);
extern unsigned char __VERIFIER_nondet_uchar(void);
extern void __VERIFIER_assume(int);
extern void assert(int);
extern void reach_error(void);
extern void abort(void) __attribute__((noreturn));
extern void exit(int) __attribute__((noreturn));
static void passes(void) {}
static void rests(void) {}
static void divides(unsigned by) {}
static void within(unsigned index, unsigned length) {}
static void adds(int a, int b) {}
static void multiplies(int a, int b) {}
";

/// How many inputs a program takes at the most.
pub const INPUTS: u32 = 3;

/// How many values each of them has.
pub const VALUES: u32 = 4;

/// Variables that every function sees. The pointer points to one of them, or to a variable of main.
const GLOBALS: &str = "static unsigned @g = 1, @h;
static volatile unsigned @v;
static unsigned char @t[4] = {1, 2};
static struct { unsigned low : 3, high : 5; int wide; unsigned char part[2]; } @s = {.high = 9, 2};
static unsigned *@p = &@g;
static void (*@hook)(void) = reach_error;";

/// Operands that every function has.
const OPERANDS: &[&str] =
    &["x", "y", "x", "y", "@g", "@h", "@v", "@t[1]", "@s.low", "@s.high", "*@p", "(unsigned)@s.wide", "@s.part[x & 1]"];

/// What statements write to. `*p++` would leave the object.
const TARGETS: &[&str] =
    &["x", "y", "x", "y", "@g", "@h", "@v", "@t[y & 3]", "@s.low", "@s.high", "(*@p)", "@s.part[1]"];

/// Operations, each harmless.
const OPERATIONS: &[&str] = &[
    "(# + #)",
    "(# - #)",
    "(# * 3)",
    "(# & #)",
    "(# ^ #)",
    "(# == #)",
    "(# < #)",
    "(# >> 1)",
    "(# & 3)",
    "(# % 3)",
    "(# && #)",
    "(# || #)",
    "(!#)",
    "(# ? # : #)",
    "(#, #)",
    "((unsigned char)#)",
    "(# | 4)",
];

/// What meets an event, if the numbers are right.
const MEETINGS: &[&str] = &[
    "if (#) reach_error();",
    "if (#) @hook();",
    "# && (reach_error(), x++);",
    "(#) ? reach_error() : (void)0;",
    "assert(#);",
    "assert((#) || y);",
    "x++, assert(x != #);",
    "y = # & 3; divides(y); x = x / y;",
    "y = # & 3; divides(y); x %= y;",
    "x = # & 1; divides(x); @g /= x; x = 5;",
    "y = # & 7; within(y, 4); @t[y] = #;",
    "y = # & 7; within(y, 4); x = @t[y];",
    "y = # & 3; within(y, 2); @s.part[y]++;",
    "{ unsigned char own[3] = {1, 2, 3}; y = # & 3; within(y, 3); x += own[y]; }",
    "{ int a = # ? 2147483647 : 1, b = # & 3; adds(a, b); a = a + b; x ^= a; }",
    "{ int a = (int)(# & 3) * 0x20000000, b = # & 3; multiplies(a, b); @s.wide = a * b; }",
    "{ int a = -2147483647, b = -(int)(# & 3); adds(a, b); a += b; y += a; }",
    "__VERIFIER_assume(#);",
    "if (#) exit(1);",
    "if (#) abort();",
];

/// Where the label `ERROR` stands.
const LABELS: &[&str] = &[
    "ERROR: passes(); $ = #;",
    "if (#) { ERROR: passes(); }",
    "if (#) goto ERROR; $ += 1; if (#) { $ = #; ERROR: passes(); $ ^= #; }",
    "switch ((#) & 3) { $ = 2; ERROR: passes(); break; case 1: if (#) goto ERROR; default: $++; }",
    "for (unsigned k = 0; k < 2; k++) { if (#) continue; ERROR: passes(); if (#) break; }",
];

/// Statements that meet nothing. `$` is what they write to.
const STEPS: &[&str] = &[
    "$ = #;",
    "$ += #;",
    "$ ^= # + 1;",
    "$++;",
    "if (#) $ = #;",
    "@p = # ? &@g : &@h;",
    "@hook = # ? reach_error : rests;",
    "{ unsigned z = #; $ = z * 5; x ^= z; }",
    "{ volatile unsigned w = #; $ = w; }",
    "for (unsigned k = 0; k < 3; k++) $ += k + #;",
];

/// Writes programs.
struct Writer {
    rng: Rng,
    names: u32,
    /// Functions that can be called.
    functions: u32,
    /// Whether the function being written has its label `ERROR`.
    labelled: bool,
    /// Labels that jumps of the function lead to, with no place yet.
    awaited: Vec<String>,
}

/// The program of a seed, without its prelude.
#[must_use]
pub fn program(seed: u64) -> Node {
    let mut writer = Writer { rng: Rng::with_seed(seed), names: 0, functions: 0, labelled: false, awaited: Vec::new() };
    let mut items = vec![Node::fixed(GLOBALS, [])];
    for _ in 0..writer.rng.u32(0..=2) {
        items.push(writer.function());
    }
    items.push(writer.main());
    Node { kind: Kind::Unit, pieces: items.into_iter().map(Piece::Node).collect() }
}

impl Writer {
    fn function(&mut self) -> Node {
        let (end, name) = (self.operand(), self.functions);
        self.labelled = false;
        let mut statements = vec![Node::fixed("unsigned y = #;", [Node::number("2", [])])];
        if self.rng.bool() {
            // It calls itself, but not for long.
            statements.push(Node::statement(&format!("if (x > 0 && x < 4) y += @f{name}(x - 1);"), []));
        }
        statements.extend(self.body(4));
        statements.push(Node::fixed("return #;", [end]));
        self.functions += 1;
        Node::statement(&format!("static unsigned @f{name}(unsigned x) #"), [Node::block(statements)])
    }

    fn main(&mut self) -> Node {
        self.labelled = false;
        let mut statements = vec![Node::fixed("unsigned x = #, y = #;", [self.input(), self.input()])];
        statements.extend(self.body(6));
        statements.push(Node::statement("x = #;", [self.input()]));
        statements.extend(self.body(6));
        statements.push(Node::fixed("return 0;", []));
        Node::fixed("int @main(void) #", [Node::block(statements)])
    }

    fn input(&mut self) -> Node {
        Node::number(if self.rng.bool() { "__VERIFIER_nondet_bool()" } else { "(__VERIFIER_nondet_uchar() & 3)" }, [])
    }

    /// Statements, with the places of all labels that they jump to.
    fn body(&mut self, most: u32) -> Vec<Node> {
        let mut statements = self.statements(most, 2);
        while let Some(label) = self.awaited.pop() {
            let event = if label == "ERROR" { "passes(); " } else { "" };
            statements.push(Node::statement(&format!("{label}: {event}#"), [self.step()]));
        }
        statements
    }

    fn statements(&mut self, most: u32, depth: u32) -> Vec<Node> {
        (0..self.rng.u32(1..=most)).map(|_| self.statement(depth)).collect()
    }

    fn statement(&mut self, depth: u32) -> Node {
        match self.rng.u32(0..20) {
            0..=5 => self.meeting(),
            6 if depth > 0 => {
                Node::statement("if (#) # else #", [self.number(2), self.block(depth), self.block(depth)])
            }
            7 if depth > 0 => {
                self.names += 1;
                let count = format!("k{}", self.names);
                let text = format!("for (unsigned {count} = 0; {count} < 3 && (#); {count}++) #");
                Node::statement(&text, [self.number(1), self.block(depth)])
            }
            8 if depth > 0 => {
                let parts = [self.number(1), self.block(depth), self.block(depth)];
                Node::statement("switch ((#) & 3) { case 0: # break; case 2: # default: ; }", parts)
            }
            9 | 10 => {
                self.names += 1;
                let label = format!("{}{}", self.one_of(&["skip", "assert", "reach_error", "bounds"]), self.names);
                self.awaited.push(label.clone());
                Node::statement(&format!("if (#) goto {label};"), [self.number(1)])
            }
            11 if self.functions > 0 => {
                let text = format!("$ = @f{}(#);", self.rng.u32(0..self.functions));
                self.filled(&text)
            }
            12 | 13 if !self.labelled => {
                self.labelled = true;
                let text = self.one_of(LABELS);
                self.filled(text)
            }
            14 if !self.labelled => {
                self.labelled = true;
                self.awaited.push("ERROR".to_owned());
                self.filled("if (#) goto ERROR;")
            }
            _ => self.step(),
        }
    }

    fn block(&mut self, depth: u32) -> Node {
        Node::block(self.statements(2, depth - 1))
    }

    fn meeting(&mut self) -> Node {
        let text = self.one_of(MEETINGS);
        self.filled(text)
    }

    fn step(&mut self) -> Node {
        let text = self.one_of(STEPS);
        self.filled(text)
    }

    /// A statement whose holes are filled with numbers.
    fn filled(&mut self, text: &str) -> Node {
        let text = text.replace('$', self.one_of(TARGETS));
        let children: Vec<Node> = text.matches('#').map(|_| self.number(2)).collect();
        Node::statement(&text, children)
    }

    fn number(&mut self, depth: u32) -> Node {
        if depth == 0 || self.rng.u32(0..3) == 0 {
            return self.operand();
        }
        let text = self.one_of(OPERATIONS);
        let children: Vec<Node> = text.matches('#').map(|_| self.number(depth - 1)).collect();
        Node::number(text, children)
    }

    fn operand(&mut self) -> Node {
        if self.rng.u32(0..3) == 0 {
            return Node::number(&self.rng.u32(0..5).to_string(), []);
        }
        Node::number(self.one_of(OPERANDS), [])
    }

    fn one_of(&mut self, texts: &[&'static str]) -> &'static str {
        texts[self.rng.usize(0..texts.len())]
    }
}
