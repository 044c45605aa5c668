//! Random circuits in BTOR2, small enough to explore state by state.

use fastrand::Rng;
use std::fmt::Write;

/// The widths of words.
const WIDTHS: [u32; 3] = [1, 2, 3];

/// What a node is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Kind {
    Word(u32),
    /// An array of words of two bits, indexed by one.
    Array,
}

struct Circuit<'a> {
    rng: &'a mut Rng,
    text: String,
    last: i64,
    nodes: Vec<(i64, Kind)>,
}

/// A circuit. Every operator occurs in some.
#[must_use]
pub fn circuit(rng: &mut Rng) -> String {
    let mut circuit = Circuit { rng, text: String::new(), last: 0, nodes: Vec::new() };
    circuit.line("sort bitvec 1");
    circuit.line("sort bitvec 2");
    circuit.line("sort bitvec 3");
    circuit.line("sort array 1 2");
    for width in WIDTHS {
        circuit.constant(width);
    }
    let mut states = Vec::new();
    for _ in 0..circuit.rng.usize(1..4) {
        let kind = circuit.kind();
        // Other tools want a constant for an array. The second node is one of two bits.
        let value =
            if kind == Kind::Array { circuit.nodes.get(1).map(|node| node.0) } else { circuit.operand(kind, true) };
        let state = circuit.line(&format!("state {}", sort(kind)));
        if circuit.rng.u32(..4) > 0
            && let Some(value) = value
        {
            circuit.line(&format!("init {} {state} {value}", sort(kind)));
        }
        circuit.nodes.push((state, kind));
        states.push((state, kind));
    }
    for _ in 0..circuit.rng.usize(..3) {
        let width = WIDTHS[circuit.rng.usize(..3)];
        let input = circuit.line(&format!("input {width}"));
        circuit.nodes.push((input, Kind::Word(width)));
    }
    for _ in 0..circuit.rng.usize(3..14) {
        circuit.operator();
    }
    for (state, kind) in states {
        if circuit.rng.u32(..6) > 0
            && let Some(next) = circuit.operand(kind, false)
        {
            circuit.line(&format!("next {} {state} {next}", sort(kind)));
        }
    }
    circuit.roles();
    circuit.text
}

fn sort(kind: Kind) -> u32 {
    match kind {
        Kind::Word(width) => width,
        Kind::Array => 4,
    }
}

impl Circuit<'_> {
    fn line(&mut self, content: &str) -> i64 {
        self.last += 1;
        writeln!(self.text, "{} {content}", self.last).unwrap_or_default();
        self.last
    }

    fn kind(&mut self) -> Kind {
        if self.rng.u32(..6) == 0 { Kind::Array } else { Kind::Word(WIDTHS[self.rng.usize(..3)]) }
    }

    fn constant(&mut self, width: u32) {
        let content = match self.rng.u32(..5) {
            0 => format!("zero {width}"),
            1 => format!("one {width}"),
            2 => format!("ones {width}"),
            3 => format!("constd {width} {}", self.rng.u32(..1 << width)),
            _ => format!("consth {width} {:x}", self.rng.u32(..1 << width)),
        };
        let node = self.line(&content);
        self.nodes.push((node, Kind::Word(width)));
    }

    /// A node of that kind, or its negation; of late ones if possible, so that little is unused.
    fn operand(&mut self, kind: Kind, plain: bool) -> Option<i64> {
        let fitting: Vec<i64> = self.nodes.iter().filter(|node| node.1 == kind).map(|node| node.0).collect();
        let count = fitting.len();
        let from = if self.rng.bool() { count / 2 } else { 0 };
        let chosen = *fitting.get(self.rng.usize(from..count.max(from + 1)))?;
        let negated = !plain && kind != Kind::Array && self.rng.u32(..5) == 0;
        Some(if negated { -chosen } else { chosen })
    }

    fn operator(&mut self) {
        const UNARY: [&str; 4] = ["not", "inc", "dec", "neg"];
        const REDUCE: [&str; 3] = ["redand", "redor", "redxor"];
        const BINARY: [&str; 19] = [
            "and", "nand", "or", "nor", "xor", "xnor", "rol", "ror", "sll", "srl", "sra", "add", "sub", "mul", "udiv",
            "urem", "sdiv", "srem", "smod",
        ];
        const COMPARE: [&str; 17] = [
            "eq", "neq", "ugt", "ugte", "ult", "ulte", "sgt", "sgte", "slt", "slte", "uaddo", "saddo", "usubo",
            "ssubo", "umulo", "smulo", "sdivo",
        ];
        let width = WIDTHS[self.rng.usize(..3)];
        let word = Kind::Word(width);
        let wide = WIDTHS[self.rng.usize(..3)].max(width);
        let (name, result, kinds, numbers) = match self.rng.u32(..14) {
            0 => (UNARY[self.rng.usize(..4)], word, vec![word], String::new()),
            1 => (REDUCE[self.rng.usize(..3)], Kind::Word(1), vec![word], String::new()),
            2..=5 => (BINARY[self.rng.usize(..19)], word, vec![word, word], String::new()),
            6 | 7 => (COMPARE[self.rng.usize(..17)], Kind::Word(1), vec![word, word], String::new()),
            8 => {
                let name = if self.rng.bool() { "iff" } else { "implies" };
                (name, Kind::Word(1), vec![Kind::Word(1); 2], String::new())
            }
            9 => {
                let kind = self.kind();
                ("ite", kind, vec![Kind::Word(1), kind, kind], String::new())
            }
            10 => {
                let low = self.rng.u32(..=wide - width);
                ("slice", word, vec![Kind::Word(wide)], format!(" {} {low}", low + width - 1))
            }
            11 => {
                let name = if self.rng.bool() { "uext" } else { "sext" };
                (name, Kind::Word(wide), vec![word], format!(" {}", wide - width))
            }
            12 => ("read", Kind::Word(2), vec![Kind::Array, Kind::Word(1)], String::new()),
            _ if self.rng.bool() => ("concat", Kind::Word(3), vec![Kind::Word(1), Kind::Word(2)], String::new()),
            _ => ("write", Kind::Array, vec![Kind::Array, Kind::Word(1), Kind::Word(2)], String::new()),
        };
        let operands: Option<Vec<i64>> = kinds.into_iter().map(|kind| self.operand(kind, false)).collect();
        if let Some(operands) = operands {
            let list: Vec<String> = operands.iter().map(ToString::to_string).collect();
            let node = self.line(&format!("{name} {} {}{numbers}", sort(result), list.join(" ")));
            self.nodes.push((node, result));
        }
    }

    fn roles(&mut self) {
        let bit = Kind::Word(1);
        if self.rng.u32(..4) == 0
            && let Some(constraint) = self.operand(bit, false)
        {
            self.line(&format!("constraint {constraint}"));
        }
        for _ in 0..self.rng.usize(1..3) {
            if let Some(bad) = self.operand(bit, false) {
                self.line(&format!("bad {bad}"));
            }
        }
    }
}
