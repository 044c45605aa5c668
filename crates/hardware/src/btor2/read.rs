//! Lines to nodes.
//!
//! The front end tells users what is wrong with a file; here it is only refused.

use num_bigint::{BigInt, BigUint};
use rustc_hash::FxHashMap;

/// What a node is: a word of that width, or an array by the widths of index and element.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    Word(u32),
    Array(u32, u32),
}

impl Kind {
    /// The width of a word, or of an array's elements.
    pub(super) fn width(self) -> u32 {
        match self {
            Kind::Word(width) | Kind::Array(_, width) => width,
        }
    }
}

/// An operand: a position among the nodes, and whether it is negated.
#[derive(Clone, Copy, Debug)]
pub(super) struct Operand {
    pub node: usize,
    pub negated: bool,
}

/// Where a node's value comes from.
#[derive(Clone, Debug)]
pub(super) enum Source {
    Input(usize),
    State(usize),
    Constant(BigUint),
    Operator { name: String, operands: Vec<Operand>, numbers: Vec<u32> },
}

#[derive(Clone, Debug)]
pub(super) struct Node {
    pub kind: Kind,
    pub source: Source,
}

#[derive(Clone, Copy, Debug)]
pub(super) struct StateLine {
    pub node: usize,
    pub init: Option<Operand>,
    pub next: Option<Operand>,
}

/// A circuit.
#[derive(Debug, Default)]
pub struct Circuit {
    pub(super) nodes: Vec<Node>,
    pub(super) inputs: Vec<usize>,
    pub(super) states: Vec<StateLine>,
    pub(super) bads: Vec<Operand>,
    pub(super) constraints: Vec<Operand>,
}

impl Circuit {
    /// How many bad conditions there are.
    #[must_use]
    pub fn bads(&self) -> usize {
        self.bads.len()
    }

    /// How many inputs there are.
    #[must_use]
    pub fn inputs(&self) -> usize {
        self.inputs.len()
    }

    /// Which states have an initial value, and which a next one.
    #[must_use]
    pub fn states(&self) -> Vec<(bool, bool)> {
        self.states.iter().map(|state| (state.init.is_some(), state.next.is_some())).collect()
    }

    /// The widths of the words that inputs are; none for an array.
    #[must_use]
    pub fn input_widths(&self) -> Vec<Option<u32>> {
        self.inputs.iter().map(|node| width(self.nodes[*node].kind)).collect()
    }

    /// The widths of the words that states are; none for an array.
    #[must_use]
    pub fn state_widths(&self) -> Vec<Option<u32>> {
        self.states.iter().map(|state| width(self.nodes[state.node].kind)).collect()
    }
}

fn width(kind: Kind) -> Option<u32> {
    match kind {
        Kind::Word(width) => Some(width),
        Kind::Array(..) => None,
    }
}

/// Reads a circuit.
///
/// # Errors
/// Says which line is wrong.
pub fn read(text: &str) -> Result<Circuit, String> {
    let mut reader = Reader::default();
    for (number, line) in text.lines().enumerate() {
        let comment = line.split_ascii_whitespace().position(|word| word.starts_with(';'));
        let words: Vec<&str> = line.split_ascii_whitespace().take(comment.unwrap_or(usize::MAX)).collect();
        if !words.is_empty() {
            reader.line(&words).map_err(|what| format!("line {}: {what}", number + 1))?;
        }
    }
    Ok(reader.circuit)
}

#[derive(Default)]
struct Reader {
    circuit: Circuit,
    sorts: FxHashMap<i64, Kind>,
    ids: FxHashMap<i64, usize>,
    state_at: FxHashMap<i64, usize>,
}

type Read<T> = Result<T, String>;

fn number<T: std::str::FromStr>(words: &[&str], position: usize) -> Read<T> {
    words.get(position).and_then(|word| word.parse().ok()).ok_or_else(|| format!("word {} is no number", position + 1))
}

impl Reader {
    fn line(&mut self, words: &[&str]) -> Read<()> {
        let id: i64 = number(words, 0)?;
        match words.get(1).copied().unwrap_or_default() {
            "sort" if words.get(2) == Some(&"bitvec") => {
                let width: u32 = number(words, 3)?;
                if width == 0 || width > 1 << 20 {
                    return Err("the width is out of range".into());
                }
                self.sorts.insert(id, Kind::Word(width));
            }
            "sort" => {
                let (index, element) = (self.sort(words, 3)?, self.sort(words, 4)?);
                self.sorts.insert(id, Kind::Array(index.width(), element.width()));
            }
            "input" => {
                let source = Source::Input(self.circuit.inputs.len());
                let node = self.add(id, words, source)?;
                self.circuit.inputs.push(node);
            }
            "state" => {
                let source = Source::State(self.circuit.states.len());
                self.state_at.insert(id, self.circuit.states.len());
                let node = self.add(id, words, source)?;
                self.circuit.states.push(StateLine { node, init: None, next: None });
            }
            "init" | "next" => {
                let state = *self.state_at.get(&number(words, 3)?).ok_or("there is no such state")?;
                let value = self.operand(words, 4)?;
                let state = &mut self.circuit.states[state];
                *(if words[1] == "init" { &mut state.init } else { &mut state.next }) = Some(value);
            }
            "bad" => {
                let operand = self.operand(words, 2)?;
                self.circuit.bads.push(operand);
            }
            "constraint" => {
                let operand = self.operand(words, 2)?;
                self.circuit.constraints.push(operand);
            }
            "fair" | "justice" | "output" => {}
            _ => return self.node(id, words),
        }
        Ok(())
    }

    fn sort(&self, words: &[&str], position: usize) -> Read<Kind> {
        let id: i64 = number(words, position)?;
        self.sorts.get(&id).copied().ok_or_else(|| format!("{id} is no sort"))
    }

    fn operand(&self, words: &[&str], position: usize) -> Read<Operand> {
        let id: i64 = number(words, position)?;
        let node = id.checked_abs().and_then(|id| self.ids.get(&id));
        Ok(Operand { node: *node.ok_or_else(|| format!("{id} is no node"))?, negated: id < 0 })
    }

    fn add(&mut self, id: i64, words: &[&str], source: Source) -> Read<usize> {
        let kind = self.sort(words, 2)?;
        self.circuit.nodes.push(Node { kind, source });
        self.ids.insert(id, self.circuit.nodes.len() - 1);
        Ok(self.circuit.nodes.len() - 1)
    }

    fn node(&mut self, id: i64, words: &[&str]) -> Read<()> {
        let kind = self.sort(words, 2)?;
        let (name, width) = (words[1], kind.width());
        let source = match name {
            "zero" => Source::Constant(BigUint::default()),
            "one" => Source::Constant(BigUint::from(1_u32)),
            "ones" => Source::Constant(super::value::power(width) - 1_u32),
            "const" | "constd" | "consth" => {
                let base = [("const", 2), ("constd", 10)].into_iter().find(|(n, _)| *n == name).map_or(16, |(_, b)| b);
                let text = words.get(3).copied().unwrap_or_default();
                let value = BigInt::parse_bytes(text.as_bytes(), base).ok_or("this is no constant")?;
                Source::Constant(super::value::wrap(&value, width))
            }
            _ => {
                let (operands, numbers) = shape(name).ok_or_else(|| format!("{name} is no operator"))?;
                let list = (3..3 + operands).map(|position| self.operand(words, position)).collect::<Read<_>>()?;
                let first = 3 + operands;
                let numbers = (first..first + numbers).map(|at| number(words, at)).collect::<Read<_>>()?;
                Source::Operator { name: name.to_owned(), operands: list, numbers }
            }
        };
        self.add(id, words, source).map(drop)
    }
}

/// How many operands and how many numbers an operator has.
fn shape(name: &str) -> Option<(usize, usize)> {
    const ONE: &str = " not inc dec neg redand redor redxor ";
    const TWO: &str = " iff implies eq neq ugt ugte ult ulte sgt sgte slt slte and nand or nor xor xnor rol ror sll srl \
        sra add sub mul udiv urem sdiv srem smod uaddo saddo usubo ssubo umulo smulo sdivo concat read ";
    let among = |list: &str| list.contains(&format!(" {name} "));
    match name {
        "ite" | "write" => Some((3, 0)),
        "slice" => Some((1, 2)),
        "uext" | "sext" => Some((1, 1)),
        _ if among(ONE) => Some((1, 0)),
        _ if among(TWO) => Some((2, 0)),
        _ => None,
    }
}
