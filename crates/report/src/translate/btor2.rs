//! Systems of words and arrays in BTOR2.

use super::functional::{Functional, Names, functional};
use rustc_hash::FxHashMap;
use std::fmt::Write;
use tamis_ir::{Program, PropertyId};
use tamis_term::walk::post_order;
use tamis_term::{BitVec, Fun, Node, Sort, Term, Terms, Value, Var};

/// The program as a circuit.
///
/// # Errors
/// Says why it is none, as a phrase.
pub fn print(terms: &mut Terms, program: &Program, property: PropertyId) -> Result<String, String> {
    let system = super::system(terms, program, property)?;
    let system = functional(terms, &system);
    let mut printer = Printer::default();
    printer.system(terms, &system)?;
    Ok(printer.text)
}

#[derive(Default)]
struct Printer {
    text: String,
    last: u64,
    sorts: FxHashMap<Sort, u64>,
    nodes: FxHashMap<Term, u64>,
    vars: FxHashMap<Var, u64>,
    names: Names,
}

impl Printer {
    /// Adds a line, and gives its number.
    fn line(&mut self, content: std::fmt::Arguments<'_>) -> u64 {
        self.last += 1;
        writeln!(self.text, "{} {content}", self.last).unwrap_or_default();
        self.last
    }

    fn system(&mut self, terms: &Terms, system: &Functional) -> Result<(), String> {
        // Initial values come before the states, so that none depends on itself.
        let mut inits = Vec::new();
        for state in &system.state {
            inits.push(state.init.map(|init| self.initial(terms, init)).transpose()?);
        }
        for (state, init) in system.state.iter().zip(inits) {
            let (sort, number) = self.leaf(terms, "state", state.var)?;
            if let Some(init) = init {
                self.line(format_args!("init {sort} {number} {init}"));
            }
        }
        for input in &system.inputs {
            self.leaf(terms, "input", *input)?;
        }
        for state in &system.state {
            let value = self.term(terms, state.next)?;
            let (sort, own) = (self.sort(terms.var_sort(state.var))?, self.variable(state.var));
            self.line(format_args!("next {sort} {own} {value}"));
        }
        if !terms.is_true(system.constraint) {
            let number = self.term(terms, system.constraint)?;
            self.line(format_args!("constraint {number}"));
        }
        let number = self.term(terms, system.bad)?;
        self.line(format_args!("bad {number}"));
        Ok(())
    }

    /// A state or an input: the numbers of its sort and of itself.
    fn leaf(&mut self, terms: &Terms, tag: &str, var: Var) -> Result<(u64, u64), String> {
        let sort = self.sort(terms.var_sort(var))?;
        let name = self.names.of(terms, var);
        let number = self.line(format_args!("{tag} {sort} {name}"));
        self.vars.insert(var, number);
        Ok((sort, number))
    }

    fn variable(&self, var: Var) -> u64 {
        self.vars.get(&var).copied().unwrap_or(0)
    }

    /// Widths of sorts: a `Bool` is a word of one bit.
    fn width(sort: &Sort) -> Result<u32, String> {
        match sort {
            Sort::Bool => Ok(1),
            Sort::BitVec(width) => Ok(*width),
            Sort::Int | Sort::Real | Sort::Array(_) => Err(format!("BTOR2 has no words of sort {sort}")),
        }
    }

    fn sort(&mut self, sort: &Sort) -> Result<u64, String> {
        let key = if let Sort::Array(_) = sort { sort.clone() } else { Sort::BitVec(Self::width(sort)?) };
        if let Some(number) = self.sorts.get(&key) {
            return Ok(*number);
        }
        let number = match &key {
            Sort::Array(array) => {
                let (index, element) = (Self::width(&array.index)?, Self::width(&array.element)?);
                let (index, element) = (self.sort(&Sort::BitVec(index))?, self.sort(&Sort::BitVec(element))?);
                self.line(format_args!("sort array {index} {element}"))
            }
            Sort::Bool | Sort::BitVec(_) | Sort::Int | Sort::Real => {
                let width = Self::width(&key)?;
                self.line(format_args!("sort bitvec {width}"))
            }
        };
        self.sorts.insert(key, number);
        Ok(number)
    }

    /// The number of an initial value: that of an array is its element.
    fn initial(&mut self, terms: &Terms, init: Term) -> Result<u64, String> {
        match terms.node(init) {
            Node::Const(Value::Array(array)) if array.cells().len() == 0 => self.value(array.default()),
            Node::App(Fun::ConstArray(_), args) => self.term(terms, args[0]),
            Node::App(..) | Node::Const(_) | Node::Var(_) => self.term(terms, init),
        }
    }

    fn value(&mut self, value: &Value) -> Result<u64, String> {
        let bits = match value {
            Value::Bool(value) => BitVec::new(1, u64::from(*value)),
            Value::BitVec(bits) => bits.clone(),
            Value::Array(array) => {
                let element = self.value(array.default())?;
                let mut whole = self.constant_array(&value.sort(), element)?;
                let sort = self.sort(&value.sort())?;
                for (index, element) in array.cells() {
                    let (index, element) = (self.value(index)?, self.value(element)?);
                    whole = self.line(format_args!("write {sort} {whole} {index} {element}"));
                }
                return Ok(whole);
            }
            Value::Int(_) | Value::Real(_) => return Err(format!("BTOR2 has no constant {value}")),
        };
        let sort = self.sort(&Sort::BitVec(bits.width()))?;
        let digits: String = (0..bits.width()).rev().map(|at| if bits.bit(at) { '1' } else { '0' }).collect();
        Ok(self.line(format_args!("const {sort} {digits}")))
    }

    /// An array whose elements are all the same: a state that never changes.
    fn constant_array(&mut self, sort: &Sort, element: u64) -> Result<u64, String> {
        let sort = self.sort(sort)?;
        let state = self.line(format_args!("state {sort}"));
        self.line(format_args!("init {sort} {state} {element}"));
        self.line(format_args!("next {sort} {state} {state}"));
        Ok(state)
    }

    fn term(&mut self, terms: &Terms, root: Term) -> Result<u64, String> {
        for term in post_order(terms, &[root]) {
            if self.nodes.contains_key(&term) {
                continue;
            }
            let number = match terms.node(term) {
                Node::Var(var) => match self.variable(*var) {
                    0 => return Err(format!("{} is neither a state nor an input", terms.name(*var))),
                    number => number,
                },
                Node::Const(value) => self.value(value)?,
                Node::App(fun, args) => {
                    let numbers: Vec<u64> = args.iter().map(|arg| self.nodes[arg]).collect();
                    self.application(terms, term, fun, args, &numbers)?
                }
            };
            self.nodes.insert(term, number);
        }
        Ok(self.nodes[&root])
    }

    fn application(
        &mut self,
        terms: &Terms,
        term: Term,
        fun: &Fun,
        args: &[Term],
        numbers: &[u64],
    ) -> Result<u64, String> {
        let sort = self.sort(terms.sort(term))?;
        match (fun, numbers) {
            (Fun::And | Fun::Or, [first, rest @ ..]) => {
                let name = if *fun == Fun::And { "and" } else { "or" };
                Ok(rest.iter().fold(*first, |all, part| self.line(format_args!("{name} {sort} {all} {part}"))))
            }
            (Fun::And | Fun::Or, []) => self.value(&Value::Bool(*fun == Fun::And)),
            (Fun::Extract { high, low }, [a]) => Ok(self.line(format_args!("slice {sort} {a} {high} {low}"))),
            (Fun::ZeroExtend(by), [a]) => Ok(self.line(format_args!("uext {sort} {a} {by}"))),
            (Fun::SignExtend(by), [a]) => Ok(self.line(format_args!("sext {sort} {a} {by}"))),
            (Fun::ConstArray(_), [element]) if terms.value(args[0]).is_some() => {
                self.constant_array(terms.sort(term), *element)
            }
            _ => {
                let name = operator(fun).ok_or_else(|| format!("BTOR2 has no operator for {fun}"))?;
                let operands: Vec<String> = numbers.iter().map(ToString::to_string).collect();
                Ok(self.line(format_args!("{name} {sort} {}", operands.join(" "))))
            }
        }
    }
}

/// The operator that means the same, if there is one.
#[rustfmt::skip]
fn operator(fun: &Fun) -> Option<&'static str> {
    Some(match fun {
        Fun::Not | Fun::BvNot => "not",
        Fun::Xor | Fun::BvXor => "xor",
        Fun::Ite => "ite",
        Fun::Eq => "eq",
        Fun::BvNeg => "neg", Fun::BvAnd => "and", Fun::BvOr => "or",
        Fun::BvAdd => "add", Fun::BvSub => "sub", Fun::BvMul => "mul",
        Fun::BvUdiv => "udiv", Fun::BvUrem => "urem",
        Fun::BvSdiv => "sdiv", Fun::BvSrem => "srem", Fun::BvSmod => "smod",
        Fun::BvShl => "sll", Fun::BvLshr => "srl", Fun::BvAshr => "sra",
        Fun::BvUlt => "ult", Fun::BvUle => "ulte", Fun::BvSlt => "slt", Fun::BvSle => "slte",
        Fun::Concat => "concat", Fun::Select => "read", Fun::Store => "write",
        Fun::And | Fun::Or | Fun::Extract { .. } | Fun::ZeroExtend(_) | Fun::SignExtend(_) | Fun::ConstArray(_) => {
            return None;
        }
        Fun::Neg | Fun::Add | Fun::Sub | Fun::Mul | Fun::Lt | Fun::Le | Fun::IntDiv | Fun::IntMod | Fun::RealDiv
        | Fun::ToReal | Fun::ToInt | Fun::IsInt | Fun::UbvToInt | Fun::SbvToInt | Fun::IntToBv(_) => return None,
    })
}
