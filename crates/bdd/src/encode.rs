//! Terms to diagrams: a term becomes a circuit, simplified and with each distinct gate once,
//! and then each gate a diagram, arguments first.

use crate::{Bdd, Full, Manager};
use rustc_hash::FxHashMap;
use std::fmt;
use tamis_circuit::{Edge, Gate, GateId, Gates, Meter};
use tamis_term::{Term, Terms, Var};

/// How many bytes the gates may take: diagrams of so many gates fit no memory.
const CIRCUIT_BYTES: usize = 1 << 30;
/// The most bits of an array that is spelled out cell by cell.
const ARRAY_BITS: u64 = 1 << 16;

/// Encodes terms as diagrams under one environment, and remembers what it encoded. It serves
/// one arena of terms and one manager.
#[derive(Debug)]
pub struct Encoder {
    env: FxHashMap<Var, Vec<Bdd>>,
    /// The circuit, as soon as there is one.
    circuit: Option<tamis_circuit::Encoder>,
    /// How many of the circuit's variables have their diagrams below.
    bound: usize,
    /// The diagrams of gates.
    diagrams: Vec<Option<Bdd>>,
}

/// Why a term has no diagram.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum EncodeError {
    /// No node is left, or the stop signal was set.
    Full(Full),
    /// The term uses what diagrams do not handle: a phrase that names it.
    Unsupported(String),
}

impl From<Full> for EncodeError {
    fn from(full: Full) -> EncodeError {
        EncodeError::Full(full)
    }
}

impl From<tamis_circuit::Error> for EncodeError {
    fn from(error: tamis_circuit::Error) -> EncodeError {
        match error {
            tamis_circuit::Error::Interrupted => EncodeError::Full(Full::Stopped),
            tamis_circuit::Error::OutOfMemory => EncodeError::Full(Full::Nodes),
            tamis_circuit::Error::Unsupported(what) => EncodeError::Unsupported(what),
        }
    }
}

impl fmt::Display for EncodeError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            EncodeError::Full(full) => full.fmt(f),
            EncodeError::Unsupported(what) => write!(f, "decision diagrams do not handle {what}"),
        }
    }
}

impl std::error::Error for EncodeError {}

impl Encoder {
    /// An encoder under `env`: the bits of each variable, the least significant first; for
    /// arrays the cells in the order of their indices, as [`tamis_term::pack`] lays them out.
    #[must_use]
    pub fn new(env: FxHashMap<Var, Vec<Bdd>>) -> Encoder {
        Encoder { env, circuit: None, bound: 0, diagrams: Vec::new() }
    }

    /// The diagrams of a term's bits, the least significant first.
    ///
    /// # Errors
    /// If the term has no diagram, not within the budget, or a variable that has no bits in
    /// the environment.
    pub fn word(&mut self, m: &Manager, terms: &Terms, term: Term) -> Result<Vec<Bdd>, EncodeError> {
        let circuit = self.circuit.get_or_insert_with(|| {
            let gates = Gates::new(Meter::new(m.stop().clone(), CIRCUIT_BYTES));
            tamis_circuit::Encoder::new(gates, ARRAY_BITS)
        });
        let edges = circuit.word(terms, term)?.to_vec();
        match self.diagrams(m, terms, &edges) {
            // What fills the manager may be the diagrams of other terms: try once without.
            Err(EncodeError::Full(Full::Nodes)) => {
                self.forget();
                let word = self.diagrams(m, terms, &edges);
                if word.is_err() {
                    self.forget();
                }
                word
            }
            word => word,
        }
    }

    /// The diagram of a Boolean term.
    ///
    /// # Errors
    /// As for [`Encoder::word`].
    pub fn truth(&mut self, m: &Manager, terms: &Terms, term: Term) -> Result<Bdd, EncodeError> {
        let mut word = self.word(m, terms, term)?;
        word.pop().ok_or_else(|| EncodeError::Unsupported("terms without bits".to_owned()))
    }

    /// Forgets all diagrams of gates.
    fn forget(&mut self) {
        self.diagrams.clear();
        self.bound = 0;
    }

    /// The diagrams of edges.
    fn diagrams(&mut self, m: &Manager, terms: &Terms, edges: &[Edge]) -> Result<Vec<Bdd>, EncodeError> {
        let Some(circuit) = &self.circuit else { return Ok(Vec::new()) };
        self.diagrams.resize(circuit.gates().len(), None);
        for (_, var) in &circuit.inputs()[self.bound..] {
            let (edges, bits) = (circuit.var_word(*var).unwrap_or_default(), self.env.get(var));
            for (edge, bit) in edges.iter().zip(bits.into_iter().flatten()) {
                self.diagrams[edge.gate().index()] = Some(bit.clone());
            }
        }
        self.bound = circuit.inputs().len();

        let mut open: Vec<GateId> = edges.iter().map(|edge| edge.gate()).collect();
        while let Some(id) = open.last().copied() {
            if self.diagrams[id.index()].is_some() {
                open.pop();
                continue;
            }
            let gate = circuit.gates().gate(id);
            let before = open.len();
            gate.for_each_input(|edge| {
                if self.diagrams[edge.gate().index()].is_none() {
                    open.push(edge.gate());
                }
            });
            if open.len() == before {
                open.pop();
                let diagram = self.diagram(m, gate)?.ok_or_else(|| unbound(terms, circuit, id))?;
                self.diagrams[id.index()] = Some(diagram);
            }
        }
        Ok(edges.iter().map(|edge| self.known(m, *edge)).collect())
    }

    /// The diagram of a gate whose arguments have one; none if it is an input.
    fn diagram(&self, m: &Manager, gate: &Gate) -> Result<Option<Bdd>, Full> {
        let of = |edge: &Edge| self.known(m, *edge);
        let diagram = match gate {
            Gate::False => m.constant(false),
            Gate::Input => return Ok(None),
            Gate::And(a, b) => m.and(&of(a), &of(b))?,
            Gate::Xor(a, b) => m.xor(&of(a), &of(b))?,
            Gate::Mux(c, t, e) => m.ite(&of(c), &of(t), &of(e))?,
            // Where the first two differ the third decides. Adders have that gate anyway.
            Gate::Majority(a, b, c) => {
                let a = of(a);
                m.ite(&m.xor(&a, &of(b))?, &of(c), &a)?
            }
            Gate::All(edges) => m.all(edges.iter().map(of))?,
        };
        Ok(Some(diagram))
    }

    /// The diagram of an edge whose gate has one.
    fn known(&self, m: &Manager, edge: Edge) -> Bdd {
        let gate = self.diagrams[edge.gate().index()].as_ref().expect("arguments come before gates");
        if edge.is_complement() { m.not(gate) } else { gate.clone() }
    }
}

/// The error for an input that is no bit of the environment.
fn unbound(terms: &Terms, circuit: &tamis_circuit::Encoder, id: GateId) -> EncodeError {
    let has = |var: Var| circuit.var_word(var).unwrap_or_default().iter().any(|edge| edge.gate() == id);
    let name = circuit.inputs().iter().find(|(_, var)| has(*var)).map_or("", |(_, var)| terms.name(*var));
    EncodeError::Unsupported(format!("the variable {name}, which has too few bits here"))
}
