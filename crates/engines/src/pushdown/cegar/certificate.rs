//! From predicates to a proof: at each location, the Boolean combination of its predicates
//! that the saturated abstract system allows, and likewise for each procedure's effect.
//!
//! Abstract bits are functions of concrete values, so putting predicates in place of bits
//! is the same as quantifying the bits away under their concretisations.

use super::super::formula::{Names, formula};
use super::super::lower::Lowered;
use super::super::proof::{Certificate, Claims};
use super::super::saturation::Trans;
use super::abstraction::Abstraction;
use super::precision::{Lists, Spot};
use super::witness::{Automaton, WitnessId};
use rustc_hash::FxHashMap;
use tamis_bdd::{Bdd, Result};
use tamis_cegar::Context;
use tamis_ir::{ProcId, Program, Proof};
use tamis_pds::{Dag, NodeKind, Sym, System};
use tamis_term::{Term, Terms};

pub(super) fn prove(
    ctx: &mut Context,
    program: &Program,
    lowered: &Lowered,
    abstraction: &Abstraction,
    automaton: &Automaton,
    lists: &Lists,
) -> Proof {
    let certificate = Certificate::new(&mut ctx.terms, program, lowered);
    let names = |name: &mut dyn FnMut(ProcId) -> Names| program.procs().map(|(id, _)| name(id)).collect();
    let at: Vec<Names> = names(&mut |id| certificate.names_at(&mut ctx.terms, id));
    let effects: Vec<Names> = names(&mut |id| certificate.names_of_effect(&mut ctx.terms, id));
    let inputs: Vec<Names> = names(&mut |id| certificate.names_of_input(&mut ctx.terms, id));
    let mut claims = Predicates { lowered, abstraction, automaton, lists, at, effects, inputs };
    certificate.prove(&mut ctx.terms, &mut claims)
}

/// What the abstract labels say, in terms of the predicates.
struct Predicates<'p> {
    lowered: &'p Lowered,
    abstraction: &'p Abstraction,
    automaton: &'p Automaton,
    lists: &'p Lists,
    /// By procedure: what concrete bits stand for at its locations, in its effect, and in
    /// statements about its input.
    at: Vec<Names>,
    effects: Vec<Names>,
    inputs: Vec<Names>,
}

impl Predicates<'_> {
    /// The formulas of a list.
    fn formulas(&self, terms: &mut Terms, spot: Spot, names: &Names) -> Vec<Term> {
        let (m, mut memo) = (&self.lowered.layout.manager, FxHashMap::default());
        self.lists.list(spot).iter().map(|predicate| formula(m, terms, names, predicate, &mut memo)).collect()
    }

    /// The formulas of the predicates at a procedure's entry, about its input.
    fn inputs(&self, terms: &mut Terms, proc: ProcId) -> Vec<Term> {
        let entry = self.lowered.system.proc(proc).entry;
        self.formulas(terms, Spot::At(entry), &self.inputs[proc.index()])
    }
}

impl Claims for Predicates<'_> {
    fn is_reached(&self, sym: Sym) -> bool {
        self.automaton.newest(Trans::At(sym)).is_some()
    }

    fn at(&mut self, terms: &mut Terms, sym: Sym, proc: ProcId) -> Term {
        let mut names = Names::default();
        for (number, predicate) in self.formulas(terms, Spot::At(sym), &self.at[proc.index()]).into_iter().enumerate() {
            names.insert(self.abstraction.bits(number)[0], predicate);
        }
        for (number, predicate) in self.inputs(terms, proc).into_iter().enumerate() {
            names.insert(self.abstraction.bits(number)[2], predicate);
        }
        let Some(label) = self.automaton.label(Trans::At(sym)) else { return terms.bool(false) };
        formula(&self.lowered.layout.manager, terms, &names, label, &mut FxHashMap::default())
    }

    fn effect(&mut self, terms: &mut Terms, proc: ProcId) -> Option<Term> {
        let label = self.automaton.label(Trans::Effect(proc))?;
        let mut names = Names::default();
        let effects = self.formulas(terms, Spot::Effect(proc), &self.effects[proc.index()]);
        for (number, predicate) in effects.into_iter().enumerate() {
            names.insert(self.abstraction.effect_bit(number), predicate);
        }
        for (number, predicate) in self.inputs(terms, proc).into_iter().enumerate() {
            names.insert(self.abstraction.bits(number)[1], predicate);
        }
        Some(formula(&self.lowered.layout.manager, terms, &names, label, &mut FxHashMap::default()))
    }
}

/// By node of a counterexample: the concretisation of its abstract label. None at pivots and
/// evaluations, where the lazy stop does not apply.
pub(super) fn known(
    system: &System,
    abstraction: &Abstraction,
    automaton: &Automaton,
    dag: &Dag,
    witnesses: &[WitnessId],
) -> Result<Vec<Option<Bdd>>> {
    let m = system.family.manager();
    let mut known = Vec::with_capacity(dag.nodes.len());
    for ((_, node), witness) in dag.nodes().zip(witnesses) {
        let label = &automaton.witnesses[*witness].label;
        known.push(match node.kind {
            NodeKind::At(sym) => {
                let inputs = abstraction.at_input(system, system.symbol(sym).proc)?;
                let meaning = m.and(abstraction.at(sym), &inputs)?;
                Some(m.and_exists(label, &meaning, abstraction.family.all())?)
            }
            NodeKind::Entry(sym) => {
                let label = abstraction.family.forget_input(label)?;
                Some(m.and_exists(&label, abstraction.at(sym), abstraction.family.all())?)
            }
            NodeKind::Effect(proc) => {
                let inputs = abstraction.at_callee(system, proc)?;
                let meaning = m.and(abstraction.effect(proc), &inputs)?;
                Some(m.and_exists(label, &meaning, abstraction.family.all())?)
            }
            NodeKind::Pivot(_) | NodeKind::Eval(_) => None,
        });
    }
    Ok(known)
}
