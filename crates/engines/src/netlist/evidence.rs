//! The way back: clauses about latches as a proof of the program, a run of the circuit as its trace.
//!
//! The run is computed on the circuit before it was reduced. From the reduced one come the inputs, and
//! the initial values of latches that are free to choose.

use super::{Built, Cnf, Netlist, Node, NodeId, Plan, Signal, Valuation};
use rustc_hash::FxHashMap;
use std::collections::BTreeMap;
use tamis_cegar::{Context, Outcome, Stop};
use tamis_ir::{Program, Proof, Trace};
use tamis_solver::{Answer, Solvers};
use tamis_term::pack::BitReader;
use tamis_term::value::values;
use tamis_term::{Sort, Term, Terms, Value, Var};

/// What is chosen in one step: the inputs that are true, by their original numbers, in order.
pub(crate) type Frame = Vec<usize>;

impl Built {
    /// The proof that an invariant of the circuit is: a conjunction of clauses, each a list of original
    /// latches with the values that they have to have, and of signals of the circuit that is given.
    pub(crate) fn proof(
        &self,
        terms: &mut Terms,
        program: &Program,
        clauses: &[Vec<(usize, bool)>],
        besides: (&Netlist, &[Signal]),
    ) -> Proof {
        let mut bits: FxHashMap<usize, Term> = FxHashMap::default();
        let mut parts = self.formulas(terms, &mut bits, besides.0, besides.1);
        for clause in clauses {
            let mut literals = Vec::new();
            for (latch, value) in clause {
                let bit = self.bit(terms, &mut bits, *latch);
                literals.push(if *value { bit } else { terms.not(bit) });
            }
            parts.push(terms.or(&literals));
        }
        let invariant = terms.and(&parts);
        self.encoding.proof(terms, program, invariant)
    }

    /// A latch as a formula.
    fn bit(&self, terms: &mut Terms, bits: &mut FxHashMap<usize, Term>, latch: usize) -> Term {
        *bits.entry(latch).or_insert_with(|| {
            let (var, bit) = self.state[latch];
            let term = terms.var(var);
            bit_of(terms, term, bit)
        })
    }

    /// Signals that depend on latches alone as formulas.
    fn formulas(
        &self,
        terms: &mut Terms,
        bits: &mut FxHashMap<usize, Term>,
        netlist: &Netlist,
        signals: &[Signal],
    ) -> Vec<Term> {
        let marks = netlist.aig.cone(signals.iter().copied());
        let mut known: FxHashMap<NodeId, Term> = FxHashMap::default();
        for latch in netlist.latches.iter().filter(|latch| marks[latch.node.index()]) {
            known.insert(latch.node, self.bit(terms, bits, latch.origin));
        }
        let read = |terms: &mut Terms, known: &FxHashMap<NodeId, Term>, signal: Signal| {
            let term = known[&signal.node()];
            if signal.is_complement() { terms.not(term) } else { term }
        };
        for (id, node) in netlist.aig.nodes().filter(|(id, _)| marks[id.index()]) {
            match node {
                Node::False => _ = known.insert(id, terms.bool(false)),
                Node::Leaf => {}
                Node::And(a, b) => {
                    let (a, b) = (read(terms, &known, a), read(terms, &known, b));
                    known.insert(id, terms.and(&[a, b]));
                }
            }
        }
        signals.iter().map(|signal| read(terms, &known, *signal)).collect()
    }

    /// The trace of a run: an initial state, as values of some original latches, and the inputs of each
    /// step up to the one in which the error is seen.
    ///
    /// # Errors
    /// If it is none, which is a bug.
    pub(crate) fn trace(
        &self,
        ctx: &mut Context,
        program: &Program,
        start: &BTreeMap<usize, bool>,
        frames: &[Frame],
    ) -> Outcome<Trace> {
        let broken = |what: &str| Stop::Failed(format!("a run of the circuit {what}"));
        let netlist = &self.netlist;
        let mut now = Valuation::new(&netlist.aig);
        for (latch, value) in netlist.latches.iter().zip(self.initial(ctx, start)?) {
            now.set(latch.node, u64::from(value));
        }
        let mut run = Vec::new();
        for (at, frame) in frames.iter().enumerate() {
            for (node, number) in &netlist.inputs {
                now.set(*node, u64::from(frame.binary_search(number).is_ok()));
            }
            now.compute(&netlist.aig);
            if !now.holds(netlist.constraint) || (at == 0 && !now.holds(netlist.start)) {
                return Err(broken("violates a constraint"));
            }
            run.push(self.values(&ctx.terms, &now));
            if at + 1 < frames.len() {
                if !now.holds(netlist.step) {
                    return Err(broken("takes a step that there is none"));
                }
                now.step(netlist);
            }
        }
        if !now.holds(netlist.bad) {
            return Err(broken("leads to no error"));
        }
        let (solvers, mut trouble) = (&ctx.solvers, None);
        let trace = self.encoding.trace(&mut ctx.terms, program, &run, |terms, formula| {
            solved(solvers, terms, formula).unwrap_or_else(|stop| {
                trouble = Some(stop);
                None
            })
        });
        trace.map_err(|why| trouble.unwrap_or_else(|| Stop::refused("a run of a circuit", &why)))
    }

    /// A whole initial state, latch by latch, from some of its values.
    fn initial(&self, ctx: &mut Context, start: &BTreeMap<usize, bool>) -> Outcome<Vec<bool>> {
        let netlist = &self.netlist;
        let value = |latch: &super::Latch| latch.reset.or_else(|| start.get(&latch.origin).copied());
        if netlist.start == Signal::TRUE {
            return Ok(netlist.latches.iter().map(|latch| value(latch).unwrap_or(false)).collect());
        }
        let nodes = netlist.latches.iter().map(|latch| latch.node.signal());
        let plan = Plan::new(&netlist.aig, nodes.chain([netlist.start]));
        let mut cnf = Cnf::new(&plan, ctx.solvers.stop.clone(), ctx.solvers.memory);
        let mut assumed = vec![cnf.literal(netlist.start)];
        for latch in &netlist.latches {
            let literal = cnf.literal(latch.node.signal());
            assumed.extend(value(latch).map(|value| literal.flip_if(!value)));
        }
        if !cnf.sat.solve(&assumed, &[], None)? {
            return Err(Stop::Failed("a run of a circuit begins nowhere".into()));
        }
        Ok(netlist.latches.iter().map(|latch| cnf.holds(latch.node.signal())).collect())
    }

    /// The values of the system's variables. What the question does not depend on is false.
    fn values(&self, terms: &Terms, now: &Valuation) -> FxHashMap<Var, Value> {
        let mut words: BTreeMap<Var, Vec<u64>> = BTreeMap::new();
        for var in self.encoding.system.state.iter().map(|(var, _)| var).chain(&self.encoding.system.inputs) {
            let bits = terms.var_sort(*var).bits().unwrap_or(0);
            words.insert(*var, vec![0; usize::try_from(bits.div_ceil(64)).expect("it was blasted")]);
        }
        let latches = self.netlist.latches.iter().map(|latch| (latch.node, self.state[latch.origin]));
        let inputs = self.netlist.inputs.iter().map(|(node, number)| (*node, self.inputs[*number]));
        for (node, (var, bit)) in latches.chain(inputs) {
            if let Some(word) = words.get_mut(&var) {
                word[bit as usize / 64] |= u64::from(now.holds(node.signal())) << (bit % 64);
            }
        }
        words.into_iter().map(|(var, word)| (var, BitReader::new(&word).read(terms.var_sort(var)))).collect()
    }
}

/// Values of a formula's variables for which it holds, if there are some.
fn solved(solvers: &Solvers, terms: &Terms, formula: Term) -> Outcome<Option<FxHashMap<Var, Value>>> {
    let mut solver = solvers.fresh(terms, &[formula])?;
    solver.assert(terms, formula)?;
    match solver.check(terms, &[])? {
        Answer::Sat(model) => {
            let vars = terms.free_vars(&[formula]);
            Ok(Some(vars.into_iter().map(|var| (var, model.value(terms, var))).collect()))
        }
        Answer::Unsat(_) => Ok(None),
        Answer::Unknown(why) => Err(why.into()),
    }
}

/// A bit of a value as a formula.
fn bit_of(terms: &mut Terms, term: Term, bit: u32) -> Term {
    match terms.sort(term).clone() {
        Sort::Bool => term,
        Sort::BitVec(_) => {
            let (bit, one) = (terms.extract(term, bit, bit), terms.bv(1, 1));
            terms.eq(bit, one)
        }
        Sort::Array(array) => {
            let width = array.element.bits().and_then(|bits| u32::try_from(bits).ok()).unwrap_or(u32::MAX).max(1);
            let index = values(&array.index).nth((bit / width) as usize).expect("a cell of the array");
            let index = terms.constant(index);
            let cell = terms.select(term, index);
            bit_of(terms, cell, bit % width)
        }
        Sort::Int | Sort::Real => unreachable!("these have no bits"),
    }
}
