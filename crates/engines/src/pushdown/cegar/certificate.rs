//! From predicates to a proof: at each location, the Boolean combination of its predicates
//! that the saturated abstract system allows, and likewise for each procedure's effect.
//!
//! Abstract bits are functions of concrete values, so putting predicates in place of bits
//! is the same as quantifying the bits away under their concretisations.

use super::super::formula::{Names, formula};
use super::super::lower::Lowered;
use super::super::proof::{Certificate, Claims};
use super::super::readable::{Fact, Facts, Readable, Subject, combination};
use super::super::saturation::Trans;
use super::abstraction::Abstraction;
use super::precision::{Lists, Spot};
use super::witness::{Automaton, WitnessId};
use rustc_hash::FxHashMap;
use tamis_bdd::{Bdd, Manager, Result};
use tamis_cegar::Context;
use tamis_ir::{ProcId, Program, Proof};
use tamis_pds::{Dag, NodeKind, Sym, System};
use tamis_term::{Term, Terms};

/// Predicates with more nodes are not made readable.
const READABLE_NODES: usize = 2000;

pub(super) fn prove(
    ctx: &mut Context,
    program: &Program,
    lowered: &Lowered,
    abstraction: &Abstraction,
    automaton: &Automaton,
    lists: &Lists,
) -> Proof {
    let certificate = Certificate::new(&mut ctx.terms, program, lowered);
    let names = |name: &mut dyn FnMut(ProcId) -> Names| program.procs().map(|(id, _)| Naming::new(name(id))).collect();
    let at: Vec<Naming> = names(&mut |id| certificate.names_at(&mut ctx.terms, id));
    let effects: Vec<Naming> = names(&mut |id| certificate.names_of_effect(&mut ctx.terms, id));
    let inputs: Vec<Naming> = names(&mut |id| certificate.names_of_input(&mut ctx.terms, id));
    let readable = Readable::new(READABLE_NODES);
    let mut claims = Predicates { lowered, abstraction, automaton, lists, readable, at, effects, inputs };
    certificate.prove(&mut ctx.terms, &mut claims)
}

/// What the abstract labels say, in terms of the predicates.
struct Predicates<'p> {
    lowered: &'p Lowered,
    abstraction: &'p Abstraction,
    automaton: &'p Automaton,
    lists: &'p Lists,
    readable: Readable,
    /// By procedure: what concrete bits stand for at its locations, in its effect, and in
    /// statements about its input.
    at: Vec<Naming>,
    effects: Vec<Naming>,
    inputs: Vec<Naming>,
}

/// What bits stand for, and what became of diagrams over them.
struct Naming {
    names: Names,
    /// Predicates and their negations, and whether they are readable.
    predicates: FxHashMap<Bdd, (Term, Term, bool)>,
    /// The nodes of those that are not.
    nodes: FxHashMap<Bdd, Term>,
}

impl Naming {
    fn new(names: Names) -> Naming {
        Naming { names, predicates: FxHashMap::default(), nodes: FxHashMap::default() }
    }

    /// What a predicate says.
    fn fact(&mut self, m: &Manager, terms: &mut Terms, readable: &mut Readable, f: &Bdd, subject: Subject) -> Fact {
        let (yes, no, is_small) = if let Some(known) = self.predicates.get(f) {
            *known
        } else {
            let short = readable.short(m, terms, &self.names, f);
            let yes = short.unwrap_or_else(|| formula(m, terms, &self.names, f, &mut self.nodes));
            let no = short.and_then(|_| readable.short(m, terms, &self.names, &m.not(f)));
            let no = no.unwrap_or_else(|| terms.not(yes));
            self.predicates.insert(f.clone(), (yes, no, short.is_some()));
            (yes, no, short.is_some())
        };
        Fact { yes, no, diagram: is_small.then(|| f.clone()), subject }
    }
}

impl Predicates<'_> {
    /// What the abstract bits of a label stand for: those of the predicates at the spot, and
    /// those of the predicates at the procedure's entry, which are about its input.
    fn facts(&mut self, terms: &mut Terms, proc: ProcId, spot: Spot) -> Facts {
        let Predicates { lowered, abstraction, lists, readable, .. } = self;
        let m = &lowered.layout.manager;
        let naming = match spot {
            Spot::At(_) => &mut self.at[proc.index()],
            Spot::Effect(_) => &mut self.effects[proc.index()],
        };
        let mut facts = Facts::new();
        for (number, predicate) in lists.list(spot).iter().enumerate() {
            let bit = match spot {
                Spot::At(_) => abstraction.bits(number)[0],
                Spot::Effect(_) => abstraction.effect_bit(number),
            };
            facts.insert(bit, naming.fact(m, terms, readable, predicate, Subject::Here));
        }
        let (entry, inputs) = (lowered.system.proc(proc).entry, &mut self.inputs[proc.index()]);
        for (number, predicate) in lists.list(Spot::At(entry)).iter().enumerate() {
            let bits = abstraction.bits(number);
            let bit = match spot {
                Spot::At(_) => bits[2],
                Spot::Effect(_) => bits[1],
            };
            facts.insert(bit, inputs.fact(m, terms, readable, predicate, Subject::Input));
        }
        facts
    }
}

impl Claims for Predicates<'_> {
    fn is_reached(&self, sym: Sym) -> bool {
        self.automaton.newest(Trans::At(sym)).is_some()
    }

    fn at(&mut self, terms: &mut Terms, sym: Sym, proc: ProcId) -> Term {
        let Some(label) = self.automaton.label(Trans::At(sym)) else { return terms.bool(false) };
        let facts = self.facts(terms, proc, Spot::At(sym));
        combination(&self.lowered.layout.manager, terms, &facts, label)
    }

    fn effect(&mut self, terms: &mut Terms, proc: ProcId) -> Option<Term> {
        let label = self.automaton.label(Trans::Effect(proc))?;
        let facts = self.facts(terms, proc, Spot::Effect(proc));
        Some(combination(&self.lowered.layout.manager, terms, &facts, label))
    }
}

/// By node of a counterexample: the concretisation of its abstract label. What the label
/// says about the input is left out, because abstract rules do not see it. None where the lazy
/// stop does not apply: at pivots and evaluations, and in calls that return, whose labels are
/// only about the inputs met so far.
pub(super) fn known(
    system: &System,
    abstraction: &Abstraction,
    automaton: &Automaton,
    dag: &Dag,
    witnesses: &[WitnessId],
) -> Result<Vec<Option<Bdd>>> {
    let (m, family) = (system.family.manager(), &abstraction.family);
    let mut known = Vec::with_capacity(dag.nodes.len());
    for ((_, node), witness) in dag.nodes().zip(witnesses) {
        let label = &automaton.witnesses[*witness].label;
        known.push(match node.kind {
            _ if node.popped => None,
            NodeKind::At(sym) | NodeKind::Entry(sym) => {
                let label = family.forget_input(label)?;
                Some(m.and_exists(&label, abstraction.at(sym), family.all())?)
            }
            NodeKind::Pivot(_) | NodeKind::Eval(_) | NodeKind::Effect(_) => None,
        });
    }
    Ok(known)
}
