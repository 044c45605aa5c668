//! What a proof says at each node: the rules of `McMillan` and of Pudlák, as gates over the
//! shared bits.
//!
//! At a node, the clauses of its subtree are one side and the rest is the other. Every clause
//! gets a partial interpolant; that of the empty clause is the interpolant.

use super::super::Parts;
use super::super::shape::Place;
use super::System;
use super::clauses::Clauses;
use super::replay::Resolution;
use crate::Why;
use batsat::Lit;
use rustc_hash::FxHashMap;
use tamis_circuit::{Edge, GateId, Gates};

/// The interpolants, and which gates are bits of variables.
pub(super) struct Labels {
    pub(super) interpolants: Vec<Edge>,
    pub(super) places: FxHashMap<GateId, Place>,
}

/// In which parts of the proof's leaves a bit occurs.
#[derive(Clone)]
enum Home {
    Nowhere,
    Part(usize),
    /// By its number in a list.
    Several(usize),
}

/// Where a bit occurs, seen from a node.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Side {
    /// Only in the subtree.
    Inside,
    /// Only in the rest.
    Outside,
    Both,
}

/// The interpolants at all nodes but the root.
pub(super) fn label(
    clauses: &Clauses,
    proof: &Resolution,
    parts: &Parts,
    system: System,
    gates: &mut Gates,
) -> Result<Labels, Why> {
    let mut labeller = Labeller {
        clauses,
        proof,
        system,
        homes: vec![Home::Nowhere; clauses.vars()],
        several: Vec::new(),
        bits: FxHashMap::default(),
        sides: Vec::new(),
        inside: Vec::new(),
        partial: Vec::new(),
    };
    labeller.settle();
    let mut interpolants = Vec::with_capacity(parts.parents.len());
    for node in 0..parts.parents.len() {
        labeller.take_sides(parts, node);
        interpolants.push(labeller.interpolant(gates)?);
    }
    let place = |(literal, edge): (Lit, Edge)| clauses.place(literal.var()).map(|place| (edge.gate(), place));
    let places = labeller.bits.into_iter().filter_map(place).collect();
    Ok(Labels { interpolants, places })
}

struct Labeller<'a> {
    clauses: &'a Clauses,
    proof: &'a Resolution,
    system: System,
    /// By SAT variable.
    homes: Vec<Home>,
    several: Vec<Vec<usize>>,
    /// The gates of shared bits, by the positive literal.
    bits: FxHashMap<Lit, Edge>,
    /// By SAT variable, at the current node.
    sides: Vec<Side>,
    /// By part, at the current node: whether it is in the subtree.
    inside: Vec<bool>,
    /// By clause of the proof, at the current node.
    partial: Vec<Edge>,
}

impl Labeller<'_> {
    /// Finds out where the bits occur.
    fn settle(&mut self) {
        for leaf in &self.proof.leaves {
            let part = self.clauses.part(*leaf);
            for literal in self.clauses.get(*leaf) {
                let home = &mut self.homes[literal.var().idx() as usize];
                match home {
                    Home::Nowhere => *home = Home::Part(part),
                    Home::Part(other) if *other == part => {}
                    Home::Part(other) => {
                        self.several.push(vec![*other, part]);
                        *home = Home::Several(self.several.len() - 1);
                    }
                    // Clauses are in the order of their parts.
                    Home::Several(list) if self.several[*list].last() == Some(&part) => {}
                    Home::Several(list) => self.several[*list].push(part),
                }
            }
        }
    }

    /// Goes to a node.
    fn take_sides(&mut self, parts: &Parts, node: usize) {
        self.inside = vec![false; parts.formulas.len()];
        self.inside[node] = true;
        for below in (0..node).rev() {
            self.inside[below] = self.inside[parts.parents[below]];
        }
        let side = |home: &Home| match home {
            Home::Nowhere => Side::Outside,
            Home::Part(part) if self.inside[*part] => Side::Inside,
            Home::Part(_) => Side::Outside,
            Home::Several(list) => match self.several[*list].iter().filter(|part| self.inside[**part]).count() {
                0 => Side::Outside,
                count if count == self.several[*list].len() => Side::Inside,
                _ => Side::Both,
            },
        };
        self.sides = self.homes.iter().map(side).collect();
    }

    fn side(&self, literal: Lit) -> Side {
        self.sides[literal.var().idx() as usize]
    }

    /// The gate of a shared bit.
    fn bit(&mut self, gates: &mut Gates, literal: Lit) -> Result<Edge, Why> {
        let positive = Lit::new(literal.var(), true);
        let edge = match self.bits.get(&positive) {
            Some(edge) => *edge,
            None => gates.input()?,
        };
        self.bits.insert(positive, edge);
        Ok(if literal == positive { edge } else { !edge })
    }

    /// The partial interpolant of the last clause.
    fn interpolant(&mut self, gates: &mut Gates) -> Result<Edge, Why> {
        self.partial.clear();
        for leaf in &self.proof.leaves {
            let edge = self.leaf(gates, *leaf)?;
            self.partial.push(edge);
        }
        for step in &self.proof.steps {
            let mut edge = Edge::TRUE;
            for (at, (antecedent, pivot)) in step.iter().enumerate() {
                let other = self.partial[*antecedent];
                edge = if at == 0 { other } else { self.resolve(gates, edge, other, *pivot)? };
            }
            self.partial.push(edge);
        }
        // A proof without a step is a leaf, which is the empty clause.
        Ok(self.partial.last().copied().unwrap_or(Edge::TRUE))
    }

    fn leaf(&mut self, gates: &mut Gates, leaf: usize) -> Result<Edge, Why> {
        let inside = self.inside[self.clauses.part(leaf)];
        match self.system {
            _ if !inside => Ok(Edge::TRUE),
            System::Pudlak => Ok(Edge::FALSE),
            System::McMillan => {
                let clauses = self.clauses;
                let shared = clauses.get(leaf).iter().filter(|literal| self.side(**literal) == Side::Both);
                let shared: Vec<Lit> = shared.copied().collect();
                let edges = shared.into_iter().map(|literal| self.bit(gates, literal));
                let edges = edges.collect::<Result<Vec<Edge>, Why>>()?;
                Ok(gates.any(edges)?)
            }
        }
    }

    /// What resolution makes of two partial interpolants; the second clause has the pivot, the
    /// first its complement.
    fn resolve(&mut self, gates: &mut Gates, first: Edge, second: Edge, pivot: Lit) -> Result<Edge, Why> {
        Ok(match (self.side(pivot), self.system) {
            (Side::Inside, _) => gates.or(first, second)?,
            (Side::Outside, _) | (Side::Both, System::McMillan) => gates.and(first, second)?,
            // Where the pivot is true, the second clause is, and says nothing.
            (Side::Both, System::Pudlak) => {
                let bit = self.bit(gates, pivot)?;
                gates.mux(bit, first, second)?
            }
        })
    }
}
