//! From labels to a proof: the labels are the invariants, the effects the summaries
//! (the certificate of a saturation).

use super::blocks::Point;
use super::formula::Names;
use super::lower::{Lowered, Place};
use crate::evidence::{frame, old_vars};
use std::collections::{BTreeMap, BTreeSet};
use tamis_bdd::Bit;
use tamis_ir::{Op, ProcId, Program, Proof};
use tamis_pds::Sym;
use tamis_term::{Substitution, Term, Terms, Var};

/// Makes proofs for one lowered program.
pub(super) struct Certificate<'c> {
    pub program: &'c Program,
    pub lowered: &'c Lowered,
    pub old: BTreeMap<Var, Var>,
}

/// What to say about symbols and effects.
pub(super) trait Claims {
    /// Whether control can be at the symbol.
    fn is_reached(&self, sym: Sym) -> bool;

    /// What holds at a location of the procedure, if it is reached.
    fn at(&mut self, terms: &mut Terms, sym: Sym, proc: ProcId) -> Term;

    /// What holds when the procedure returns, if it does.
    fn effect(&mut self, terms: &mut Terms, proc: ProcId) -> Option<Term>;
}

impl<'c> Certificate<'c> {
    pub fn new(terms: &mut Terms, program: &'c Program, lowered: &'c Lowered) -> Certificate<'c> {
        Certificate { program, lowered, old: old_vars(terms, program) }
    }

    /// What the bits stand for at the locations of a procedure: current values are its
    /// variables, the input is the old values.
    pub fn names_at(&self, terms: &mut Terms, id: ProcId) -> Names {
        let layout = &self.lowered.layout;
        let mut names = Names::default();
        let (program, block) = (self.program, &layout.block);
        for var in program.globals.iter().copied().chain(program.proc(id).vars()) {
            self.name(terms, &mut names, &block.now, var, var);
            if let Some(old) = self.old.get(&var) {
                self.name(terms, &mut names, &block.input, var, *old);
            }
        }
        names
    }

    /// What the bits stand for in statements about a procedure's input that are written
    /// with current values, as those at its entry are.
    pub fn names_of_input(&self, terms: &mut Terms, id: ProcId) -> Names {
        let layout = &self.lowered.layout;
        let mut names = Names::default();
        for var in layout.input(self.program, id) {
            self.name(terms, &mut names, &layout.block.now, var, self.old[&var]);
        }
        names
    }

    /// What the bits stand for in a procedure's effect: current values are the globals and
    /// results that it leaves behind, the callee's input is the old values.
    pub fn names_of_effect(&self, terms: &mut Terms, id: ProcId) -> Names {
        let layout = &self.lowered.layout;
        let mut names = Names::default();
        for (var, carrier) in layout.returned(self.program, &self.lowered.blocks, id) {
            self.name(terms, &mut names, &layout.block.now, carrier, var);
        }
        for var in layout.input(self.program, id) {
            self.name(terms, &mut names, &layout.block.next, var, self.old[&var]);
        }
        names
    }

    /// The variables that carry results stand for themselves.
    pub fn name_carriers(&self, terms: &mut Terms, names: &mut Names) {
        let carriers: BTreeSet<Var> = self.lowered.blocks.results.iter().flatten().copied().collect();
        for carrier in carriers {
            self.name(terms, names, &self.lowered.layout.block.now, carrier, carrier);
        }
    }

    /// At a pivot, the callee's input.
    pub fn name_callee(&self, terms: &mut Terms, names: &mut Names, callee: ProcId) {
        let layout = &self.lowered.layout;
        for var in layout.input(self.program, callee) {
            let (name, sort) = (format!("in({})", terms.name(var)), terms.var_sort(var).clone());
            let known = terms.find_var(&name).unwrap_or_else(|| terms.declare(&name, sort));
            self.name(terms, names, &layout.block.next, var, known);
        }
    }

    /// The bits of `place` in a copy stand for those of `var`.
    fn name(&self, terms: &mut Terms, names: &mut Names, copy: &[Bit], place: Var, var: Var) {
        let Some(positions) = self.lowered.layout.positions.get(&place) else { return };
        let term = terms.var(var);
        let bits: Vec<Bit> = positions.iter().map(|at| copy[*at]).collect();
        names.add(terms, term, &bits);
    }

    /// The proof that the claims make.
    pub fn prove(self, terms: &mut Terms, claims: &mut dyn Claims) -> Proof {
        let Lowered { layout, blocks, places, system, is_called, .. } = self.lowered;
        let mut proof = Proof::default();
        let frames: Vec<Option<Term>> = self
            .program
            .procs()
            .map(|(id, _)| is_called[id.index()].then(|| frame(terms, &layout.liveness, &self.old, id)))
            .collect();
        let with_frame = |terms: &mut Terms, id: ProcId, claim: Term| match frames[id.index()] {
            Some(frame) => terms.and(&[claim, frame]),
            None => claim,
        };
        let mut reached: BTreeSet<Point> = BTreeSet::new();
        for (at, place) in places.iter().enumerate() {
            let (sym, Place::Point(point)) = (Sym::new(at), place) else { continue };
            if !claims.is_reached(sym) {
                continue;
            }
            reached.insert(*point);
            if let Point::At(loc) = point {
                let proc = system.symbol(sym).proc;
                let claim = claims.at(terms, sym, proc);
                proof.invariants.insert(*loc, with_frame(terms, proc, claim));
            }
        }
        for (id, procedure) in self.program.procs() {
            let claim = if is_called[id.index()] {
                claims.effect(terms, id).map(|claim| with_frame(terms, id, claim))
            } else {
                // Nobody asks what it returns.
                proof.invariants.get(&procedure.exit).copied()
            };
            proof.summaries.extend(claim.map(|claim| (id, claim)));
        }
        // Inside a block: the weakest precondition of its rest.
        for block in blocks.all.iter().filter(|block| reached.contains(&block.from)) {
            let mut claim = proof.invariants.get(&block.to).copied().unwrap_or_else(|| terms.bool(false));
            let first = usize::from(!matches!(block.from, Point::Behind(_)));
            for edge in block.edges.iter().skip(first).rev() {
                let edge = self.program.edge(*edge);
                claim = match &edge.op {
                    Op::Assume(condition) => terms.implies(*condition, claim),
                    Op::Assign(pairs) => {
                        let map: Substitution = pairs.iter().copied().collect();
                        terms.substitute(claim, &map)
                    }
                    Op::Havoc(_) | Op::Call { .. } => unreachable!("they leave control points"),
                };
                proof.invariants.insert(edge.from, claim);
            }
        }
        proof.old = self.old;
        proof
    }
}
