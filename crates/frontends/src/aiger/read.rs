//! Reading AIGER files, in text (`aag`) and in binary (`aig`).
//!
//! Memory grows with the file and not with what its header promises: nothing is reserved.

use super::circuit::{Circuit, Definition, Gate, Kind, Latch, Literal, Placed};

/// What is wrong with a file, and where.
#[derive(Debug)]
pub(super) struct Fault {
    /// The bytes that are wrong.
    pub start: usize,
    pub end: usize,
    pub message: String,
    pub hint: Option<String>,
}

impl Fault {
    pub(super) fn new(start: usize, end: usize, message: impl Into<String>) -> Fault {
        Fault { start, end, message: message.into(), hint: None }
    }

    fn hint(mut self, hint: &str) -> Fault {
        self.hint = Some(hint.into());
        self
    }
}

/// The numbers of the header, in its order.
#[derive(Debug, Default)]
struct Header {
    binary: bool,
    max_var: u32,
    inputs: u32,
    latches: u32,
    outputs: u32,
    gates: u32,
    bads: u32,
    constraints: u32,
    justice: u32,
    fairness: u32,
}

/// How many more inputs a binary file may have than bytes: they take no room in it.
const SPARE_INPUTS: usize = 1 << 16;

/// Reads a file.
pub(super) fn read(bytes: &[u8]) -> Result<Circuit, Fault> {
    let mut reader = Reader { bytes, at: 0, header: Header::default(), circuit: Circuit::default() };
    reader.header()?;
    reader.inputs()?;
    reader.latches()?;
    reader.circuit.outputs = reader.literals(reader.header.outputs, "output")?;
    reader.circuit.bads = reader.literals(reader.header.bads, "bad signal")?;
    reader.circuit.constraints = reader.literals(reader.header.constraints, "constraint")?;
    reader.justice()?;
    reader.circuit.fairness = (reader.header.fairness as usize, reader.at);
    reader.literals(reader.header.fairness, "fairness constraint")?;
    if reader.header.binary {
        reader.binary_gates()?;
    } else {
        reader.gates()?;
    }
    reader.symbols()?;
    reader.all_defined()?;
    Ok(reader.circuit)
}

struct Reader<'a> {
    bytes: &'a [u8],
    at: usize,
    header: Header,
    circuit: Circuit,
}

impl Reader<'_> {
    fn peek(&self) -> Option<u8> {
        self.bytes.get(self.at).copied()
    }

    fn blanks(&mut self) {
        while matches!(self.peek(), Some(b' ' | b'\t' | b'\r')) {
            self.at += 1;
        }
    }

    /// The end of the line that a byte is in.
    fn line_end(&self, from: usize) -> usize {
        self.bytes[from..].iter().position(|byte| *byte == b'\n').map_or(self.bytes.len(), |length| from + length)
    }

    /// The end of the word that a byte is in.
    fn word_end(&self, from: usize) -> usize {
        let length = self.bytes[from..].iter().position(u8::is_ascii_whitespace);
        length.map_or(self.bytes.len(), |length| from + length).max((from + 1).min(self.bytes.len()))
    }

    /// What is wrong with the word at the place where the reader is.
    fn wrong(&self, expected: &str) -> Fault {
        match self.peek() {
            None => Fault::new(self.at, self.at, format!("the file ends where {expected} should be")),
            Some(b'\n') => Fault::new(self.at, self.at, format!("the line ends where {expected} should be")),
            Some(_) => Fault::new(self.at, self.word_end(self.at), format!("this should be {expected}")),
        }
    }

    /// Whether a line has more words.
    fn more(&mut self) -> bool {
        self.blanks();
        !matches!(self.peek(), None | Some(b'\n'))
    }

    fn number(&mut self, what: &str) -> Result<u32, Fault> {
        self.blanks();
        let start = self.at;
        let mut value: Option<u32> = Some(0);
        while let Some(digit @ b'0'..=b'9') = self.peek() {
            value = value.and_then(|value| value.checked_mul(10)?.checked_add(u32::from(digit - b'0')));
            self.at += 1;
        }
        if self.at == start || !matches!(self.peek(), None | Some(b' ' | b'\t' | b'\r' | b'\n')) {
            self.at = start;
            return Err(self.wrong(what));
        }
        value.ok_or_else(|| Fault::new(start, self.at, "this number does not fit 32 bits"))
    }

    fn end_of_line(&mut self) -> Result<(), Fault> {
        self.blanks();
        match self.peek() {
            None => Ok(()),
            Some(b'\n') => {
                self.at += 1;
                Ok(())
            }
            Some(_) => Err(Fault::new(self.at, self.line_end(self.at), "the line should end here")),
        }
    }

    fn header(&mut self) -> Result<(), Fault> {
        self.header.binary = match self.bytes.get(..4) {
            Some(b"aag ") => false,
            Some(b"aig ") => true,
            _ => {
                let end = self.line_end(0).min(40);
                let fault = Fault::new(0, end, "this is no AIGER file: it does not begin with `aag` or `aig`");
                return Err(fault.hint("the first line is `aag M I L O A`, with five to nine numbers"));
            }
        };
        self.at = 4;
        let mut numbers = [0; 9];
        let names = ["M", "I", "L", "O", "A", "B", "C", "J", "F"];
        for (position, name) in names.into_iter().enumerate() {
            if position >= 5 && !self.more() {
                break;
            }
            numbers[position] = self.number(&format!("{name}, a number"))?;
        }
        let end = self.at;
        self.end_of_line()?;
        let [max_var, inputs, latches, outputs, gates, bads, constraints, justice, fairness] = numbers;
        let binary = self.header.binary;
        self.header = Header { binary, max_var, inputs, latches, outputs, gates, bads, constraints, justice, fairness };
        let defined = u64::from(inputs) + u64::from(latches) + u64::from(gates);
        if max_var >= 1 << 31 {
            return Err(Fault::new(4, end, "literals of that many variables do not fit 32 bits"));
        }
        if defined > u64::from(max_var) || binary && defined < u64::from(max_var) {
            let relation = if binary { "is not" } else { "is less than" };
            let message = format!("M {relation} the number of inputs, latches and gates, which is {defined}");
            return Err(Fault::new(4, end, message));
        }
        if binary && inputs as usize > SPARE_INPUTS + self.bytes.len() {
            return Err(Fault::new(4, end, "the file is too short to use that many inputs"));
        }
        Ok(())
    }

    /// A literal that may be used anywhere in the circuit. That it is defined is checked later.
    fn literal(&mut self, what: &str) -> Result<Placed, Fault> {
        self.blanks();
        let at = self.at;
        let literal = Literal(self.number(what)?);
        if literal.var() > self.header.max_var {
            let message = format!("the literal {} is above 2M + 1", literal.0);
            return Err(Fault::new(at, self.at, message).hint("M is the first number of the file"));
        }
        Ok(Placed { literal, at })
    }

    fn define(&mut self, placed: Placed, definition: Definition) -> Result<(), Fault> {
        let Placed { literal, at } = placed;
        let end = self.word_end(at);
        if literal.is_constant() || literal.is_negated() {
            return Err(Fault::new(at, end, "what is defined here should be an even literal, not 0"));
        }
        if self.circuit.definitions.insert(literal.var(), definition).is_some() {
            return Err(Fault::new(at, end, format!("the literal {} is defined twice", literal.0)));
        }
        Ok(())
    }

    fn inputs(&mut self) -> Result<(), Fault> {
        for position in 0..self.header.inputs {
            let placed = if self.header.binary {
                Placed { literal: Literal(2 * (position + 1)), at: 0 }
            } else {
                let placed = self.literal("an input's literal")?;
                self.end_of_line()?;
                placed
            };
            self.define(placed, Definition::Input(position as usize))?;
            self.circuit.inputs.push(placed.literal);
        }
        Ok(())
    }

    fn latches(&mut self) -> Result<(), Fault> {
        for position in 0..self.header.latches {
            self.blanks();
            let placed = if self.header.binary {
                Placed { literal: Literal(2 * (self.header.inputs + position + 1)), at: self.at }
            } else {
                self.literal("a latch's literal")?
            };
            self.define(placed, Definition::Latch(position as usize))?;
            let next = self.literal("the literal of a latch's next value")?;
            let reset = if self.more() {
                self.literal("the literal of a latch's initial value")?
            } else {
                Placed { literal: Literal(0), at: next.at }
            };
            self.end_of_line()?;
            self.circuit.latches.push(Latch { literal: placed.literal, next, reset });
        }
        Ok(())
    }

    fn literals(&mut self, count: u32, what: &str) -> Result<Vec<Placed>, Fault> {
        let mut found = Vec::new();
        for _ in 0..count {
            found.push(self.literal(&format!("the literal of a {what}"))?);
            self.end_of_line()?;
        }
        Ok(found)
    }

    /// Justice properties are read, so that what follows is found, and not kept.
    fn justice(&mut self) -> Result<(), Fault> {
        self.circuit.justice = (self.header.justice as usize, self.at);
        let mut literals: u64 = 0;
        for _ in 0..self.header.justice {
            literals += u64::from(self.number("the size of a justice property")?);
            self.end_of_line()?;
        }
        for _ in 0..literals {
            self.literal("a literal of a justice property")?;
            self.end_of_line()?;
        }
        Ok(())
    }

    fn gates(&mut self) -> Result<(), Fault> {
        for position in 0..self.header.gates {
            let placed = self.literal("a gate's literal")?;
            self.define(placed, Definition::Gate(position as usize))?;
            let left = self.literal("a literal that the gate reads")?;
            let right = self.literal("a literal that the gate reads")?;
            self.end_of_line()?;
            self.circuit.gates.push(Gate { left, right });
        }
        Ok(())
    }

    fn binary_gates(&mut self) -> Result<(), Fault> {
        for position in 0..self.header.gates {
            let own = 2 * (self.header.inputs + self.header.latches + position + 1);
            let start = self.at;
            let below = |reader: &Reader<'_>, from: u32, delta: u32| {
                let wrong = || Fault::new(start, reader.at, format!("gate {own} does not read what is below it"));
                from.checked_sub(delta).map(Literal).ok_or_else(wrong)
            };
            let delta = self.delta()?;
            let left = below(self, own, delta)?;
            if delta == 0 {
                return Err(Fault::new(start, self.at, format!("gate {own} reads itself")));
            }
            let delta = self.delta()?;
            let right = below(self, left.0, delta)?;
            let placed = |literal| Placed { literal, at: start };
            self.circuit.definitions.insert(own / 2, Definition::Gate(position as usize));
            self.circuit.gates.push(Gate { left: placed(left), right: placed(right) });
        }
        Ok(())
    }

    /// A number in groups of seven bits, the lowest first.
    fn delta(&mut self) -> Result<u32, Fault> {
        let start = self.at;
        let mut value = 0_u64;
        for shift in (0..35).step_by(7) {
            let Some(byte) = self.peek() else {
                return Err(Fault::new(self.at, self.at, "the file ends where a gate should be"));
            };
            self.at += 1;
            value |= u64::from(byte & 0x7f) << shift;
            if byte & 0x80 == 0
                && let Ok(value) = u32::try_from(value)
            {
                return Ok(value);
            }
        }
        Err(Fault::new(start, self.at, "this number of a gate does not fit 32 bits"))
    }

    fn symbols(&mut self) -> Result<(), Fault> {
        while let Some(first) = self.peek() {
            let (start, end) = (self.at, self.line_end(self.at));
            let line = &self.bytes[start..end];
            if line.trim_ascii() == b"c" {
                return Ok(());
            }
            self.at = (end + 1).min(self.bytes.len());
            if line.trim_ascii().is_empty() {
                continue;
            }
            let header = &self.header;
            let kind = match first {
                b'i' => Some((Kind::Input, header.inputs)),
                b'l' => Some((Kind::Latch, header.latches)),
                b'o' => Some((Kind::Output, header.outputs)),
                b'b' => Some((Kind::Bad, header.bads)),
                b'c' => Some((Kind::Constraint, header.constraints)),
                b'j' => Some((Kind::Justice, header.justice)),
                b'f' => Some((Kind::Fairness, header.fairness)),
                _ => None,
            };
            let line = String::from_utf8_lossy(line);
            let parts = line.get(1..).and_then(|rest| rest.split_once(' '));
            let (Some((kind, count)), Some((position, name))) = (kind, parts) else {
                let fault = Fault::new(start, end, "this line is none of the symbol table");
                return Err(fault.hint("its lines are like `i0 name`; comments follow a line `c`"));
            };
            match position.parse::<u32>() {
                Ok(position) if position < count => {
                    self.circuit.symbols.insert((kind, position as usize), name.trim().to_owned());
                }
                _ => return Err(Fault::new(start, end, "this symbol names what is not there")),
            }
        }
        Ok(())
    }

    /// That every literal that is used is defined.
    fn all_defined(&self) -> Result<(), Fault> {
        let circuit = &self.circuit;
        let latches = circuit.latches.iter().flat_map(|latch| [latch.next, latch.reset]);
        let gates = circuit.gates.iter().flat_map(|gate| [gate.left, gate.right]);
        let others = circuit.outputs.iter().chain(&circuit.bads).chain(&circuit.constraints).copied();
        for Placed { literal, at } in latches.chain(gates).chain(others) {
            if !literal.is_constant() && !circuit.definitions.contains_key(&literal.var()) {
                let message = format!("the literal {} is not defined", literal.0);
                return Err(Fault::new(at, self.word_end(at), message));
            }
        }
        Ok(())
    }
}
