//! From lines to a machine.

use super::line::{Line, Word, parse};
use super::node::{Kind, vector};
use super::operators::{OPERATORS, Row, Shape, apply, extend, slice};
use crate::names::sane;
use num_bigint::{BigInt, Sign};
use rustc_hash::{FxHashMap, FxHashSet};
use tamis_ir::system::machine::{Bad, Machine};
use tamis_ir::{Diagnostic, Span};
use tamis_term::{BitVec, Term, Terms, Value, Var};

/// The widest word: wider ones are a slip of a generator, and would fill the memory.
const MAX_WIDTH: u32 = 1 << 20;

type Result<T> = std::result::Result<T, Diagnostic>;

/// A line that can be an operand.
#[derive(Clone, Debug)]
struct Node {
    kind: Kind,
    term: Term,
    /// Whether it reads an input.
    free: bool,
}

#[derive(Debug)]
struct State {
    id: i64,
    var: Var,
    kind: Kind,
    init: Option<Term>,
    next: Option<Term>,
}

/// What the lines so far are.
pub(super) struct Lowering<'a> {
    terms: &'a mut Terms,
    sorts: FxHashMap<i64, Kind>,
    nodes: FxHashMap<i64, Node>,
    /// Numbers of lines that are neither sorts nor nodes.
    others: FxHashSet<i64>,
    states: Vec<State>,
    /// The position of a state, by its line.
    state_at: FxHashMap<i64, usize>,
    inputs: Vec<Var>,
    constraints: Vec<Term>,
    bads: Vec<Bad>,
    /// Where the first justice property and the first fairness constraint are.
    unchecked: [Option<Span>; 2],
}

impl<'a> Lowering<'a> {
    pub(super) fn new(terms: &'a mut Terms) -> Lowering<'a> {
        Lowering {
            terms,
            sorts: FxHashMap::default(),
            nodes: FxHashMap::default(),
            others: FxHashSet::default(),
            states: Vec::new(),
            state_at: FxHashMap::default(),
            inputs: Vec::new(),
            constraints: Vec::new(),
            bads: Vec::new(),
            unchecked: [None; 2],
        }
    }

    /// Reads one line.
    pub(super) fn line(&mut self, line: &Line<'_>) -> Result<()> {
        let word = line.word(0, "a line's number")?;
        let id = line.id(0, "a line's number")?;
        if id < 0 {
            return Err(Diagnostic::error(word.span, "a line's number is positive"));
        }
        if self.sorts.contains_key(&id) || self.nodes.contains_key(&id) || self.others.contains(&id) {
            return Err(Diagnostic::error(word.span, format!("line number {id} is there twice")));
        }
        let tag = line.word(1, "what the line is")?;
        match tag.text {
            "sort" => return self.sort(line, id),
            "state" | "input" => return self.leaf(line, id, tag.text),
            "init" | "next" => self.transition(line, tag)?,
            "bad" | "constraint" | "fair" | "output" => self.role(line, tag)?,
            "justice" => {
                self.unchecked[0].get_or_insert(line.span());
                let count = line.number(2, "the size of the justice property")?;
                let last = (count as usize).saturating_add(3);
                (3..last).try_for_each(|position| self.condition(line, position).map(drop))?;
                line.symbol(last)?;
            }
            _ => {
                let node = self.node(line, tag)?;
                self.nodes.insert(id, node);
                return Ok(());
            }
        }
        self.others.insert(id);
        Ok(())
    }

    fn sort(&mut self, line: &Line<'_>, id: i64) -> Result<()> {
        let word = line.word(2, "`bitvec` or `array`")?;
        let kind = match word.text {
            "bitvec" => {
                let width = line.number(3, "a width")?;
                if !(1..=MAX_WIDTH).contains(&width) {
                    let message = format!("a width is from 1 to {MAX_WIDTH}");
                    return Err(Diagnostic::error(line.word(3, "a width")?.span, message));
                }
                line.symbol(4)?;
                Kind::Word(width)
            }
            "array" => {
                let (index, element) = (self.word_sort(line, 3)?, self.word_sort(line, 4)?);
                line.symbol(5)?;
                Kind::Array(index, element)
            }
            _ => return Err(Diagnostic::error(word.span, "this should be `bitvec` or `array`")),
        };
        self.sorts.insert(id, kind);
        Ok(())
    }

    fn sort_at(&self, line: &Line<'_>, position: usize) -> Result<Kind> {
        let id = line.id(position, "a sort")?;
        let unknown = || Diagnostic::error(line.span_at(position), format!("{id} is no sort"));
        self.sorts.get(&id).cloned().ok_or_else(unknown)
    }

    fn word_sort(&self, line: &Line<'_>, position: usize) -> Result<u32> {
        match self.sort_at(line, position)? {
            Kind::Word(width) => Ok(width),
            Kind::Array(..) => {
                let message = "the indices and the elements of an array are words";
                Err(Diagnostic::error(line.span_at(position), message))
            }
        }
    }

    /// A state or an input.
    fn leaf(&mut self, line: &Line<'_>, id: i64, tag: &str) -> Result<()> {
        let (kind, symbol) = (self.sort_at(line, 2)?, line.symbol(3)?);
        let is_state = tag == "state";
        let var = if is_state {
            let name = sane(symbol, &format!("state{}", self.states.len()));
            self.terms.declare(&name, kind.sort())
        } else {
            let name = sane(symbol, &format!("input{}", self.inputs.len()));
            self.terms.declare(&format!("main::{name}"), kind.sort())
        };
        if is_state {
            self.state_at.insert(id, self.states.len());
            self.states.push(State { id, var, kind: kind.clone(), init: None, next: None });
        } else {
            self.inputs.push(var);
        }
        let term = self.terms.var(var);
        self.nodes.insert(id, Node { kind, term, free: !is_state });
        Ok(())
    }

    /// The node that a word names; a negative number is its negation.
    fn operand(&mut self, line: &Line<'_>, position: usize) -> Result<Node> {
        let id = line.id(position, "an operand")?;
        let span = line.span_at(position);
        let Some(node) = self.nodes.get(&id.abs()).cloned() else {
            let message = format!("line {} is not there, or is no operand", id.abs());
            return Err(Diagnostic::error(span, message).hint("operands come before the lines that use them"));
        };
        match node.kind {
            _ if id > 0 => Ok(node),
            Kind::Word(_) => {
                let term = apply(self.terms, "not", &[node.term]);
                Ok(Node { term, ..node })
            }
            Kind::Array(..) => Err(Diagnostic::error(span, "an array cannot be negated")),
        }
    }

    /// An operand of one bit.
    fn condition(&mut self, line: &Line<'_>, position: usize) -> Result<Term> {
        let node = self.operand(line, position)?;
        expect(line, position, &node.kind, &Kind::Word(1))?;
        Ok(node.term)
    }

    /// `init` or `next`.
    fn transition(&mut self, line: &Line<'_>, tag: Word<'_>) -> Result<()> {
        let kind = self.sort_at(line, 2)?;
        let id = line.id(3, "a state")?;
        let Some(at) = self.state_at.get(&id).copied() else {
            return Err(Diagnostic::error(line.span_at(3), format!("{id} is no state")));
        };
        expect(line, 3, &self.states[at].kind, &kind)?;
        let value = self.operand(line, 4)?;
        line.symbol(5)?;
        let is_init = tag.text == "init";
        let state = &self.states[at];
        if if is_init { state.init.is_some() } else { state.next.is_some() } {
            return Err(Diagnostic::error(tag.span, format!("state {id} has two lines `{}`", tag.text)));
        }
        if !is_init {
            expect(line, 4, &value.kind, &kind)?;
            self.states[at].next = Some(value.term);
            return Ok(());
        }
        if value.free {
            let error = Diagnostic::error(line.span_at(4), "an initial value cannot depend on an input");
            return Err(error.hint("use a state without `init` instead of the input"));
        }
        if line.id(4, "an operand")?.abs() >= state.id {
            let error = Diagnostic::error(line.span_at(4), "an initial value must come before the state in the file");
            return Err(error.hint("so that no initial value depends on itself"));
        }
        let term = match kind {
            Kind::Array(_, element) if value.kind == Kind::Word(element) => {
                let element = vector(self.terms, value.term);
                self.terms.const_array(&kind.sort(), element)
            }
            Kind::Array(..) | Kind::Word(_) => {
                expect(line, 4, &value.kind, &kind)?;
                value.term
            }
        };
        self.states[at].init = Some(term);
        Ok(())
    }

    /// What a condition is for.
    fn role(&mut self, line: &Line<'_>, tag: Word<'_>) -> Result<()> {
        if tag.text == "output" {
            self.operand(line, 2)?;
            return line.symbol(3).map(drop);
        }
        let (condition, symbol) = (self.condition(line, 2)?, line.symbol(3)?);
        match tag.text {
            "bad" => {
                let name = format!("b{}", self.bads.len());
                let shown = sane(symbol, &name);
                let about = format!("the bad condition {shown} is true");
                self.bads.push(Bad { name, about, condition, span: line.span() });
            }
            "constraint" => self.constraints.push(condition),
            _ => _ = self.unchecked[1].get_or_insert(line.span()),
        }
        Ok(())
    }

    /// A constant or the application of an operator.
    fn node(&mut self, line: &Line<'_>, tag: Word<'_>) -> Result<Node> {
        let operator = OPERATORS.iter().find(|(name, ..)| *name == tag.text);
        if let Some(row) = operator {
            return self.operator(line, row);
        }
        match tag.text {
            "zero" | "one" | "ones" | "const" | "constd" | "consth" => self.constant(line, tag.text),
            "slice" | "uext" | "sext" => self.indexed(line, tag.text),
            _ => {
                let error = Diagnostic::error(tag.span, "this is no operator of BTOR2");
                Err(error.hint("a line is `number operator sort operands… symbol`"))
            }
        }
    }

    fn constant(&mut self, line: &Line<'_>, tag: &str) -> Result<Node> {
        let width = self.word_sort(line, 2)?;
        let base = match tag {
            "const" => 2,
            "constd" => 10,
            _ => 16,
        };
        let (bits, end) = match tag {
            "zero" => (BitVec::zero(width), 3),
            "one" => (BitVec::new(width, 1), 3),
            "ones" => (BitVec::ones(width), 3),
            _ => (literal(line.word(3, "a constant")?, base, width)?, 4),
        };
        line.symbol(end)?;
        let value = if width == 1 { Value::Bool(!bits.is_zero()) } else { Value::BitVec(bits) };
        Ok(Node { kind: Kind::Word(width), term: self.terms.constant(value), free: false })
    }

    fn indexed(&mut self, line: &Line<'_>, tag: &str) -> Result<Node> {
        let width = self.word_sort(line, 2)?;
        let Node { kind, term, free } = self.operand(line, 3)?;
        let Kind::Word(from) = kind else {
            return Err(Diagnostic::error(line.span_at(3), "this should be a word, and is an array"));
        };
        let first = line.number(4, "a number of bits")?;
        let term = if tag == "slice" {
            let low = line.number(5, "the lowest bit")?;
            line.symbol(6)?;
            if first >= from || low > first || first - low + 1 != width {
                let message = format!("bits {first} to {low} of {from} are not {width} bits");
                return Err(Diagnostic::error(line.span_at(4), message));
            }
            slice(self.terms, term, first, low)
        } else {
            line.symbol(5)?;
            if from.checked_add(first) != Some(width) {
                let message = format!("{from} bits and {first} more are not {width} bits");
                return Err(Diagnostic::error(line.span_at(4), message));
            }
            extend(self.terms, term, first, tag == "sext")
        };
        Ok(Node { kind: Kind::Word(width), term, free })
    }

    fn operator(&mut self, line: &Line<'_>, row: &Row) -> Result<Node> {
        let (name, count, shape) = row;
        let result = self.sort_at(line, 2)?;
        let mut args = Vec::new();
        for position in 3..3 + count {
            args.push(self.operand(line, position)?);
        }
        line.symbol(3 + count)?;
        let wanted = wanted(*shape, &args, &result).map_err(|why| Diagnostic::error(line.span_at(2), why))?;
        for (position, (arg, kind)) in args.iter().zip(&wanted).enumerate() {
            expect(line, position + 3, &arg.kind, kind)?;
        }
        let free = args.iter().any(|arg| arg.free);
        let terms: Vec<Term> = args.iter().map(|arg| arg.term).collect();
        Ok(Node { kind: result, term: apply(self.terms, name, &terms), free })
    }

    /// The machine, and what the user should know.
    pub(super) fn finish(self, first: Span) -> Result<(Machine, Vec<Diagnostic>)> {
        let Lowering { terms, states, inputs, constraints, bads, unchecked: [justice, fair], .. } = self;
        if let (Some(span), true) = (justice, bads.is_empty()) {
            let error = Diagnostic::error(span, "justice properties are not supported, and there is no bad condition");
            return Err(error.hint("what can be checked is whether a bad condition becomes true"));
        }
        let message = "fairness constraints do not change which states are reached: they are ignored";
        let fair = fair.filter(|_| justice.is_none()).map(|span| Diagnostic::warning(span, message));
        let justice = justice.map(|span| Diagnostic::warning(span, "justice properties are not checked"));
        let mut known: FxHashMap<Var, Term> = FxHashMap::default();
        let mut init = Vec::new();
        for state in &states {
            if let Some(value) = state.init {
                let value = terms.substitute(value, &known);
                known.insert(state.var, value);
                init.push((state.var, value));
            }
        }
        let update = states.iter().filter_map(|state| Some((state.var, state.next?))).collect();
        let state = states.iter().map(|state| state.var).collect();
        let (truth, constraint) = (terms.bool(true), terms.and(&constraints));
        let machine = Machine {
            state,
            inputs,
            init,
            start: truth,
            constraint,
            update,
            next: Vec::new(),
            relation: truth,
            bads,
            span: first,
        };
        Ok((machine, justice.into_iter().chain(fair).collect()))
    }
}

/// That an operand has a sort.
fn expect(line: &Line<'_>, position: usize, found: &Kind, wanted: &Kind) -> Result<()> {
    if found == wanted {
        return Ok(());
    }
    Err(Diagnostic::error(line.span_at(position), format!("this should be {wanted}, and is {found}")))
}

/// The sorts of an operator's arguments, if the result has the sort that the operator gives.
fn wanted(shape: Shape, args: &[Node], result: &Kind) -> std::result::Result<Vec<Kind>, String> {
    let bit = Kind::Word(1);
    let gives = |kind: &Kind| if kind == result { Ok(()) } else { Err(format!("the result is {kind}, not {result}")) };
    let first = args.first().map_or(&bit, |arg| &arg.kind);
    let is_word = |kind: &Kind| matches!(kind, Kind::Word(_));
    let no_array =
        |kind: &Kind| if is_word(kind) { Ok(()) } else { Err("the operands are words, not arrays".to_owned()) };
    match shape {
        Shape::Same => no_array(result).map(|()| vec![result.clone(); args.len()]),
        Shape::Equality => gives(&bit).map(|()| vec![first.clone(); args.len()]),
        Shape::Comparison | Shape::Reduction => {
            no_array(first)?;
            gives(&bit).map(|()| vec![first.clone(); args.len()])
        }
        Shape::Condition => gives(&bit).map(|()| vec![bit; args.len()]),
        Shape::Choice => Ok(vec![bit, result.clone(), result.clone()]),
        Shape::Concat => match args {
            [Node { kind: Kind::Word(high), .. }, Node { kind: Kind::Word(low), .. }] => {
                gives(&Kind::Word(high.saturating_add(*low)))?;
                Ok(vec![Kind::Word(*high), Kind::Word(*low)])
            }
            _ => Err("the operands are words, not arrays".into()),
        },
        Shape::Read | Shape::Write => {
            let Kind::Array(index, element) = *first else { return Err("the first operand is an array".into()) };
            gives(&if shape == Shape::Read { Kind::Word(element) } else { first.clone() })?;
            Ok(vec![first.clone(), Kind::Word(index), Kind::Word(element)])
        }
    }
}

/// The value of a constant, which must fit the width.
fn literal(word: Word<'_>, base: u32, width: u32) -> Result<BitVec> {
    let wrong = |message: String| Diagnostic::error(word.span, message);
    let name = match base {
        2 => "binary",
        10 => "decimal",
        _ => "hexadecimal",
    };
    // Long decimals take long to convert, so what cannot fit is refused before.
    let longest = if base == 10 { width / 3 + 4 } else { width };
    if word.text.len() > longest as usize {
        return Err(wrong(format!("this constant does not fit {width} bits")));
    }
    let value: BigInt = parse(word.text, base).ok_or_else(|| wrong(format!("this should be a {name} constant")))?;
    // A negative one may be as small as a number with a sign can be.
    let fits = match value.sign() {
        Sign::Minus => (value.clone() + 1_u32).bits() < u64::from(width),
        Sign::NoSign | Sign::Plus => value.bits() <= u64::from(width),
    };
    if !fits || base == 2 && word.text.len() as u64 != u64::from(width) {
        return Err(wrong(format!("this constant does not have {width} bits")));
    }
    Ok(BitVec::from_int(width, &value))
}
