//! Circuits of AIGER and BTOR2 as they are in files, and the evidence of hardware model checking
//! about them: witnesses are run, certificates are checked by SAT.
//!
//! **This crate sees neither a front end nor an engine nor terms**: it reads the files itself, so
//! that it disagrees where lowering, engine or report is wrong.
//!
//! Files in order of reading: [`aiger`] (circuits of gates: reading, writing, running witnesses),
//! [`btor2`] (circuits of words: reading, running witnesses), [`certificate`] (the five conditions
//! of a safety certificate), [`check`](check()) (any evidence about any circuit).

pub mod aiger;
pub mod btor2;
pub mod certificate;

/// What evidence shows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Shown {
    /// The bad signal of that number is reached in so many steps.
    Unsafe {
        /// Its position among the bad signals, or among the outputs of an old file.
        bad: usize,
        /// The number of frames: one if the initial state is bad.
        frames: usize,
    },
    /// No bad signal is reached.
    Safe,
}

/// Why evidence shows nothing.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Failure {
    /// The circuit cannot be read: a phrase.
    Model(String),
    /// The evidence cannot be read: a phrase.
    Malformed(String),
    /// The evidence was read and is wrong: a phrase.
    Rejected(String),
    /// The check was stopped.
    Stopped,
}

/// Checks evidence about a circuit: an AIGER witness, an AIGER certificate, a BTOR2 witness.
/// A certificate is about the bad signals `asked` for, or all of them if none is. `stop` is asked now
/// and then whether to give up.
///
/// # Errors
/// Says why the evidence shows nothing.
pub fn check(
    model: &[u8],
    evidence: &[u8],
    asked: &[usize],
    stop: &(dyn Fn() -> bool + Sync),
) -> Result<Shown, Failure> {
    if !is_aiger(model) {
        let model = std::str::from_utf8(model).map_err(|_| Failure::Model("it is not text".into()))?;
        let circuit = btor2::read(model).map_err(Failure::Model)?;
        let evidence = std::str::from_utf8(evidence).map_err(|_| Failure::Malformed("it is not text".into()))?;
        return btor2::run(&circuit, evidence, stop);
    }
    let circuit = aiger::read(model).map_err(Failure::Model)?;
    if is_aiger(evidence) {
        let witness = aiger::read(evidence).map_err(Failure::Malformed)?;
        let circuit = if asked.is_empty() { circuit } else { circuit.only(asked) };
        return certificate::check(&circuit, &witness, stop).map(|()| Shown::Safe);
    }
    let evidence = std::str::from_utf8(evidence).map_err(|_| Failure::Malformed("it is not text".into()))?;
    aiger::run(&circuit, evidence, stop)
}

/// Whether the file says that it is an AIGER file.
#[must_use]
pub fn is_aiger(file: &[u8]) -> bool {
    file.starts_with(b"aag ") || file.starts_with(b"aig ")
}
