//! AIGER files, both ways, in text and in binary.

use super::{Aiger, Latch};
use rustc_hash::{FxHashMap, FxHashSet};
use std::fmt::Write;

/// How a circuit is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Format {
    /// Text, as in files `.aag`.
    Text,
    /// As in files `.aig`.
    Binary,
}

/// Reads a circuit.
///
/// # Errors
/// Says what is wrong with the file, as a phrase.
pub fn read(bytes: &[u8]) -> Result<Aiger, String> {
    let mut file = File { bytes, at: 0 };
    let header = file.line()?;
    let mut words = header.split_ascii_whitespace();
    let binary = match words.next() {
        Some("aag") => false,
        Some("aig") => true,
        _ => return Err("it does not begin with aag or aig".into()),
    };
    let mut counts = words.map(|word| word.parse().map_err(|_| format!("{word} in the header is no number")));
    let mut counts = counts.by_ref().collect::<Result<Vec<u32>, String>>()?;
    if !(5..=9).contains(&counts.len()) {
        return Err("the header has five to nine numbers".into());
    }
    counts.resize(9, 0);
    let mut circuit = Aiger::default();
    if binary && counts[1] as usize > bytes.len() + (1 << 16) {
        return Err("the file is too short for that many inputs".into());
    }
    for position in 0..counts[1] {
        circuit.inputs.push(if binary { 2 * (position + 1) } else { file.numbers(1, 1)?[0] });
    }
    for position in 0..counts[2] {
        let literal = (counts[1] + position + 1).checked_mul(2).ok_or("too many latches")?;
        let line = if binary { file.numbers(1, 2)? } else { file.numbers(2, 3)? };
        let (literal, rest) = if binary { (literal, &line[..]) } else { (line[0], &line[1..]) };
        circuit.latches.push(Latch { literal, next: rest[0], reset: rest.get(1).copied().unwrap_or(0) });
    }
    circuit.outputs = file.list(counts[3])?;
    circuit.bads = file.list(counts[5])?;
    circuit.constraints = file.list(counts[6])?;
    let sizes = file.list(counts[7])?;
    for size in sizes {
        circuit.justice.push(file.list(size)?);
    }
    circuit.fairness = file.list(counts[8])?;
    for position in 0..counts[4] {
        let literal = 2 * (counts[1] + counts[2] + position + 1);
        circuit.gates.push(if binary {
            file.gate(literal)?
        } else {
            file.numbers(3, 3)?.try_into().unwrap_or_default()
        });
    }
    file.rest(&mut circuit)?;
    ordered(circuit)
}

struct File<'a> {
    bytes: &'a [u8],
    at: usize,
}

impl<'a> File<'a> {
    fn line(&mut self) -> Result<&'a str, String> {
        let rest = &self.bytes[self.at..];
        if rest.is_empty() {
            return Err("it ends too early".into());
        }
        let end = rest.iter().position(|byte| *byte == b'\n').unwrap_or(rest.len());
        let line = std::str::from_utf8(&rest[..end]).map_err(|_| format!("byte {} begins no line of text", self.at))?;
        self.at += (end + 1).min(rest.len());
        Ok(line)
    }

    /// The numbers of a line.
    fn numbers(&mut self, least: usize, most: usize) -> Result<Vec<u32>, String> {
        let at = self.at;
        let line = self.line()?;
        let numbers: Result<Vec<u32>, _> = line.split_ascii_whitespace().map(str::parse).collect();
        let numbers = numbers.map_err(|_| format!("the line {line:?} at byte {at} should be numbers"))?;
        if numbers.len() < least || numbers.len() > most {
            return Err(format!("the line {line:?} at byte {at} has {} numbers", numbers.len()));
        }
        Ok(numbers)
    }

    fn list(&mut self, count: u32) -> Result<Vec<u32>, String> {
        let mut list = Vec::new();
        for _ in 0..count {
            list.push(self.numbers(1, 1)?[0]);
        }
        Ok(list)
    }

    fn gate(&mut self, literal: u32) -> Result<[u32; 3], String> {
        let wrong = || format!("gate {literal} is wrong");
        let left = literal.checked_sub(self.delta()?).filter(|left| *left < literal).ok_or_else(wrong)?;
        let right = left.checked_sub(self.delta()?).ok_or_else(wrong)?;
        Ok([literal, left, right])
    }

    fn delta(&mut self) -> Result<u32, String> {
        let mut value = 0_u32;
        for group in 0..5 {
            let byte = *self.bytes.get(self.at).ok_or("it ends within the gates")?;
            self.at += 1;
            if group == 4 && byte > 0x0f {
                break;
            }
            value |= u32::from(byte & 0x7f) << (7 * group);
            if byte < 0x80 {
                return Ok(value);
            }
        }
        Err(format!("the number of a gate before byte {} is too large", self.at))
    }

    /// The symbol table and the comment, of which what is no text is shown as such.
    fn rest(&mut self, circuit: &mut Aiger) -> Result<(), String> {
        let text = String::from_utf8_lossy(&self.bytes[self.at..]);
        let mut lines = text.lines();
        for line in lines.by_ref() {
            if line == "c" {
                break;
            }
            let (key, name) = line.split_once(' ').ok_or_else(|| format!("the line {line:?} is no symbol"))?;
            circuit.symbols.push((key.to_owned(), name.to_owned()));
        }
        circuit.comments = lines.map(str::to_owned).collect();
        Ok(())
    }
}

/// Puts gates into an order in which each comes after those that it reads, and checks that every
/// variable is defined once.
fn ordered(mut circuit: Aiger) -> Result<Aiger, String> {
    let latches = circuit.latches.iter().map(|latch| latch.literal);
    let sources: Vec<u32> = circuit.inputs.iter().copied().chain(latches).collect();
    let mut ready: FxHashSet<u32> = FxHashSet::default();
    ready.insert(0);
    let mut defined = ready.clone();
    for literal in sources.iter().copied().chain(circuit.gates.iter().map(|gate| gate[0])) {
        if literal % 2 == 1 || !defined.insert(literal / 2) {
            return Err(format!("the literal {literal} is defined wrongly or twice"));
        }
    }
    ready.extend(sources.iter().map(|literal| literal / 2));
    let mut waiting: FxHashMap<u32, Vec<usize>> = FxHashMap::default();
    let mut missing: Vec<usize> = Vec::new();
    for (position, [_, left, right]) in circuit.gates.iter().enumerate() {
        let needs = [left / 2, right / 2].into_iter().filter(|var| !ready.contains(var));
        let needs: Vec<u32> = needs.collect();
        missing.push(needs.len());
        for var in needs {
            waiting.entry(var).or_default().push(position);
        }
    }
    let mut open: Vec<usize> = (0..missing.len()).rev().filter(|gate| missing[*gate] == 0).collect();
    let mut gates = Vec::new();
    while let Some(position) = open.pop() {
        let gate = circuit.gates[position];
        gates.push(gate);
        for user in waiting.remove(&(gate[0] / 2)).unwrap_or_default().into_iter().rev() {
            missing[user] -= 1;
            if missing[user] == 0 {
                open.push(user);
            }
        }
    }
    if gates.len() < circuit.gates.len() {
        return Err("a gate depends on itself, or on what is not defined".into());
    }
    circuit.gates = gates;
    match used(&circuit).find(|literal| !defined.contains(&(literal / 2))) {
        Some(literal) => Err(format!("the literal {literal} is not defined")),
        None => Ok(()),
    }?;
    Ok(circuit)
}

/// All literals that are read, but not by gates.
fn used(circuit: &Aiger) -> impl Iterator<Item = u32> {
    let latches = circuit.latches.iter().flat_map(|latch| [latch.next, latch.reset]);
    let others = [&circuit.outputs, &circuit.bads, &circuit.constraints];
    latches.chain(others.into_iter().flatten().copied())
}

/// The bytes of a file. In binary, inputs, latches and gates must be numbered in this order and
/// without gaps, as [`crate::aiger::Aiger`]s that this crate makes are.
#[must_use]
pub fn write(circuit: &Aiger, format: Format) -> Vec<u8> {
    let binary = format == Format::Binary;
    let mut counts = vec![
        circuit.max_var() as usize,
        circuit.inputs.len(),
        circuit.latches.len(),
        circuit.outputs.len(),
        circuit.gates.len(),
        circuit.bads.len(),
        circuit.constraints.len(),
        circuit.justice.len(),
        circuit.fairness.len(),
    ];
    while counts.len() > 5 && counts.last() == Some(&0) {
        counts.pop();
    }
    let mut text = String::from(if binary { "aig" } else { "aag" });
    let mut put = |line: std::fmt::Arguments<'_>| text.write_fmt(line).unwrap_or_default();
    for count in counts {
        put(format_args!(" {count}"));
    }
    put(format_args!("\n"));
    if !binary {
        circuit.inputs.iter().for_each(|input| put(format_args!("{input}\n")));
    }
    for latch in &circuit.latches {
        if !binary {
            put(format_args!("{} ", latch.literal));
        }
        put(format_args!("{}", latch.next));
        if latch.reset != 0 {
            put(format_args!(" {}", latch.reset));
        }
        put(format_args!("\n"));
    }
    let lists = [&circuit.outputs, &circuit.bads, &circuit.constraints];
    lists.into_iter().flatten().for_each(|literal| put(format_args!("{literal}\n")));
    circuit.justice.iter().for_each(|property| put(format_args!("{}\n", property.len())));
    let rest = circuit.justice.iter().flatten().chain(&circuit.fairness);
    rest.for_each(|literal| put(format_args!("{literal}\n")));
    let mut bytes = text.into_bytes();
    for [literal, left, right] in &circuit.gates {
        let (high, low) = (left.max(right), left.min(right));
        if binary {
            delta(&mut bytes, literal - high);
            delta(&mut bytes, high - low);
        } else {
            bytes.extend(format!("{literal} {high} {low}\n").into_bytes());
        }
    }
    for (key, name) in &circuit.symbols {
        bytes.extend(format!("{key} {name}\n").into_bytes());
    }
    if !circuit.comments.is_empty() {
        bytes.extend(format!("c\n{}\n", circuit.comments.join("\n")).into_bytes());
    }
    bytes
}

/// A number in groups of seven bits, the lowest first.
fn delta(bytes: &mut Vec<u8>, mut value: u32) {
    while value >= 0x80 {
        bytes.push(u8::try_from(value & 0x7f).unwrap_or_default() | 0x80);
        value >>= 7;
    }
    bytes.push(u8::try_from(value).unwrap_or_default());
}
