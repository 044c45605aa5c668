//! Diagrams as gates, in the shortest of several ways.
//!
//! First what a function demands alone is taken out, of it and of its complement: bits that it
//! fixes, and words of which it demands that they are equal. What is left is written as a sum of
//! products without redundancy (Minato, *Fast Generation of Irredundant Sum-of-Products Forms
//! from Binary Decision Diagrams*, SASIMI 1992), as a product of sums, or as the diagram that
//! it is.

use super::bits::Bits;
use rustc_hash::FxHashMap;
use tamis_bdd::{Bdd, Bit, EncodeError, Manager};
use tamis_circuit::{Edge, Gates};

/// How often demands are taken out, of a function or its complement.
const ROUNDS: usize = 6;
/// Diagrams of more nodes are written as they are.
const LARGE: usize = 2000;
/// With more bits than this, equal words are not looked for.
const MANY: usize = 256;

/// The gates of a diagram.
pub(super) fn cover(
    bits: &Bits,
    gates: &mut Gates,
    inputs: &mut FxHashMap<Bit, Edge>,
    diagram: &Bdd,
) -> Result<Edge, EncodeError> {
    let mut writer = Writer { bits, m: &bits.manager, gates, inputs };
    // The function is `outer(rest)`, where the layers say what was taken out on which side.
    let mut layers: Vec<(bool, Edge)> = Vec::new();
    let (mut rest, mut side, mut idle) = (diagram.clone(), false, 0);
    while layers.len() < ROUNDS && idle < 2 && !rest.is_true() && !rest.is_false() {
        let function = if side { writer.m.not(&rest) } else { rest.clone() };
        let (demands, left) = writer.demands(&function)?;
        if demands == Edge::TRUE {
            idle += 1;
        } else {
            idle = 0;
            layers.push((side, demands));
            rest = if side { writer.m.not(&left) } else { left };
        }
        side = !side;
    }
    let mut edge = writer.core(&rest)?;
    for (side, demands) in layers.into_iter().rev() {
        // On the other side, the complement is a conjunction.
        edge = if side { writer.gates.or(!demands, edge)? } else { writer.gates.and(demands, edge)? };
    }
    Ok(edge)
}

struct Writer<'a> {
    bits: &'a Bits,
    m: &'a Manager,
    gates: &'a mut Gates,
    inputs: &'a mut FxHashMap<Bit, Edge>,
}

/// A product of literals.
type Product = Vec<(Bit, bool)>;

impl Writer<'_> {
    fn bit(&mut self, bit: Bit) -> Result<Edge, EncodeError> {
        if let Some(edge) = self.inputs.get(&bit) {
            return Ok(*edge);
        }
        let edge = self.gates.input()?;
        self.inputs.insert(bit, edge);
        Ok(edge)
    }

    fn literal(&mut self, (bit, value): (Bit, bool)) -> Result<Edge, EncodeError> {
        let edge = self.bit(bit)?;
        Ok(if value { edge } else { !edge })
    }

    /// What the function demands alone, and the rest of it.
    fn demands(&mut self, function: &Bdd) -> Result<(Edge, Bdd), EncodeError> {
        let mut fixed: Product = Vec::new();
        let support = self.m.support(function);
        for bit in &support {
            for value in [false, true] {
                let literal = if value { self.m.bit(*bit) } else { self.m.not(&self.m.bit(*bit)) };
                if self.m.entails(function, &literal)? {
                    fixed.push((*bit, value));
                }
            }
        }
        let mut rest = self.m.restrict(function, &fixed)?;
        let mut demands = fixed.into_iter().map(|literal| self.literal(literal)).collect::<Result<Vec<_>, _>>()?;
        for (one, other) in self.pairs(&rest) {
            let differ = self.m.xor(&self.m.bit(one), &self.m.bit(other))?;
            if self.m.and(&rest, &differ)?.is_false() {
                let over = self.m.cube(&[other])?;
                rest = self.m.exists(&rest, &over)?;
                let (one, other) = (self.bit(one)?, self.bit(other)?);
                demands.push(self.gates.iff(one, other)?);
            }
        }
        Ok((self.gates.all(demands)?, rest))
    }

    /// Bits of the same significance in the function's words.
    fn pairs(&self, function: &Bdd) -> Vec<(Bit, Bit)> {
        let support = self.m.support(function);
        if support.len() > MANY {
            return Vec::new();
        }
        let mut pairs = Vec::new();
        for (at, one) in support.iter().enumerate() {
            for other in &support[at + 1..] {
                let ((var, i), (with, k)) = (self.bits.place(*one), self.bits.place(*other));
                if i == k && var != with {
                    pairs.push((*one, *other));
                }
            }
        }
        pairs
    }

    /// The function in the shortest way.
    fn core(&mut self, function: &Bdd) -> Result<Edge, EncodeError> {
        let size = self.m.size(function);
        if size <= LARGE {
            let complement = self.m.not(function);
            let sum = products(self.m, function, size)?;
            let dual = products(self.m, &complement, size)?;
            let length = |products: &Option<Vec<Product>>| {
                products.as_ref().map_or(usize::MAX, |all| all.iter().map(|one| 1 + one.len()).sum())
            };
            // A node of a diagram is a choice, which reads worse than a literal.
            let (as_sum, as_dual, as_diagram) = (length(&sum), length(&dual), 3 * size);
            if let Some(sum) = sum.filter(|_| as_sum <= as_dual && as_sum <= as_diagram) {
                return self.sum(sum);
            }
            if let Some(dual) = dual.filter(|_| as_dual <= as_diagram) {
                return Ok(!self.sum(dual)?);
            }
        }
        self.diagram(function)
    }

    fn sum(&mut self, products: Vec<Product>) -> Result<Edge, EncodeError> {
        let mut summands = Vec::new();
        for product in products {
            let literals = product.into_iter().map(|literal| self.literal(literal)).collect::<Result<Vec<_>, _>>()?;
            summands.push(self.gates.all(literals)?);
        }
        Ok(self.gates.any(summands)?)
    }

    /// A choice for each node.
    #[allow(clippy::mutable_key_type, reason = "a diagram is what its handle is, whatever the counters in it")]
    fn diagram(&mut self, root: &Bdd) -> Result<Edge, EncodeError> {
        let mut done: FxHashMap<Bdd, Edge> = FxHashMap::default();
        for value in [false, true] {
            done.insert(self.m.constant(value), Edge::constant(value));
        }
        let mut open = vec![root.clone()];
        while let Some(function) = open.last().cloned() {
            if done.contains_key(&function) {
                open.pop();
                continue;
            }
            let Some((bit, high, low)) = self.m.children(&function) else { continue };
            let known = (done.get(&high).copied(), done.get(&low).copied());
            match known {
                (Some(then), Some(otherwise)) => {
                    let condition = self.bit(bit)?;
                    let edge = self.gates.mux(condition, then, otherwise)?;
                    done.insert(self.m.not(&function), !edge);
                    done.insert(function, edge);
                    open.pop();
                }
                (then, otherwise) => {
                    open.extend(then.is_none().then_some(high));
                    open.extend(otherwise.is_none().then_some(low));
                }
            }
        }
        Ok(done[root])
    }
}

/// The function as a sum of products without redundancy, unless there are more than twice as
/// many as the diagram has nodes. One call per bit: the diagrams that get here are small.
fn products(m: &Manager, function: &Bdd, size: usize) -> Result<Option<Vec<Product>>, EncodeError> {
    let mut cover = Cover { m, room: 2 * size + 8 };
    let Some((_, products)) = cover.between(function, function)? else { return Ok(None) };
    Ok(Some(products))
}

struct Cover<'m> {
    m: &'m Manager,
    /// How many more products there may be.
    room: usize,
}

impl Cover<'_> {
    /// A function between the two, and products whose sum it is.
    fn between(&mut self, low: &Bdd, high: &Bdd) -> Result<Option<(Bdd, Vec<Product>)>, EncodeError> {
        if low.is_false() {
            return Ok(Some((self.m.constant(false), Vec::new())));
        }
        if high.is_true() {
            let Some(room) = self.room.checked_sub(1) else { return Ok(None) };
            self.room = room;
            return Ok(Some((self.m.constant(true), vec![Vec::new()])));
        }
        let m = self.m;
        let bit = m.support(low).into_iter().chain(m.support(high)).min().expect("a constant was handled above");
        let at = |function: &Bdd, value: bool| m.restrict(function, &[(bit, value)]);
        let (low_0, low_1, high_0, high_1) = (at(low, false)?, at(low, true)?, at(high, false)?, at(high, true)?);
        // What only one value of the bit allows, and then what is left for both.
        let only_0 = m.and(&low_0, &m.not(&high_1))?;
        let only_1 = m.and(&low_1, &m.not(&high_0))?;
        let Some((zero, products_0)) = self.between(&only_0, &high_0)? else { return Ok(None) };
        let Some((one, products_1)) = self.between(&only_1, &high_1)? else { return Ok(None) };
        let rest_0 = m.and(&low_0, &m.not(&zero))?;
        let rest_1 = m.and(&low_1, &m.not(&one))?;
        let rest = m.or(&rest_0, &rest_1)?;
        let both = m.and(&high_0, &high_1)?;
        let Some((either, mut products)) = self.between(&rest, &both)? else { return Ok(None) };
        for (value, found) in [(false, products_0), (true, products_1)] {
            products.extend(found.into_iter().map(|mut product| {
                product.push((bit, value));
                product
            }));
        }
        let function = m.or(&m.ite(&m.bit(bit), &one, &zero)?, &either)?;
        Ok(Some((function, products)))
    }
}
