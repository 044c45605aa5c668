//! Diagrams as gates, in the shortest of several ways.
//!
//! First what a function demands alone is taken out, of it and of its complement: bits that it
//! fixes, and words of which it demands that they are equal. What is left is written as a sum of
//! products without redundancy, as a product of sums, or as the diagram that it is.

use super::bits::Bits;
use rustc_hash::FxHashMap;
use tamis_bdd::{Bdd, Bit, EncodeError, Manager, Product};
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
            let most = 2 * size + 8;
            let sum = self.m.products(function, most)?;
            let dual = self.m.products(&self.m.not(function), most)?;
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
