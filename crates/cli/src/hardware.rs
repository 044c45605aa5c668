//! Evidence in the notations of hardware tools: what `--hardware-witness` writes, and what `tamis
//! check` takes besides its own files.

use crate::load::Loaded;
use crate::output::{Existing, write_bytes};
use crate::trouble::Trouble;
use std::path::Path;
use tamis_cegar::Context;
use tamis_hardware::aiger::{Format, write as write_circuit};
use tamis_hardware::{Failure, Shown, is_aiger};
use tamis_ir::PropertyId;
use tamis_report::hardware::{aiger, btor2};
use tamis_term::StopSignal;
use tamis_witness::Verdict;

/// Whether the program is a circuit of AIGER or of BTOR2.
pub fn is_circuit(loaded: &Loaded) -> bool {
    loaded.program.notes.signals.is_some() && matches!(loaded.frontend.name, "aiger" | "btor2")
}

/// The bytes of the circuit.
fn model(loaded: &Loaded) -> &[u8] {
    let source = loaded.program.proc(loaded.program.main).span.source;
    loaded.program.sources.get(source).map_or(&[], |source| source.bytes())
}

/// How a circuit is written to a file of that name.
pub fn format(path: &Path) -> Format {
    let binary = path.extension().is_some_and(|ending| ending.eq_ignore_ascii_case("aig"));
    if binary { Format::Binary } else { Format::Text }
}

/// Writes the evidence for a verdict, if there is any.
pub fn write(
    path: &Path,
    force: bool,
    loaded: &Loaded,
    ctx: &mut Context,
    property: PropertyId,
    verdict: &Verdict,
) -> Result<(), Trouble> {
    let (program, model) = (&loaded.program, model(loaded));
    let none = |why: String| Trouble::input(format!("there is no hardware witness: {why}"));
    let bytes = match verdict {
        Verdict::Unknown(_) => return Ok(()),
        Verdict::Unsafe(trace) if is_aiger(model) => aiger::witness(&ctx.terms, program, trace).map(String::into_bytes),
        Verdict::Unsafe(trace) => btor2::witness(&ctx.terms, program, trace).map(String::into_bytes),
        Verdict::Safe(proof) if is_aiger(model) => {
            let (name, stop) = (&loaded.subject.file, StopSignal::never());
            aiger::certificate(&mut ctx.terms, program, property, proof, model, name, &stop)
                .map(|circuit| write_circuit(&circuit, format(path)))
        }
        Verdict::Safe(_) => Err("certificates are of AIGER circuits only".into()),
    };
    write_bytes(path, Existing::from_force(force), &bytes.map_err(none)?)
}

/// Checks evidence of any tool on the file itself, and says which property it is about.
pub fn check(
    loaded: &Loaded,
    evidence: &[u8],
    named: Option<PropertyId>,
    stop: &StopSignal,
) -> Result<(PropertyId, Result<Shown, Failure>), Trouble> {
    let program = &loaded.program;
    let signals = program.notes.signals.as_ref().ok_or_else(|| Trouble::input("the program is no circuit"))?;
    let nothing = || Trouble::input("there is nothing to check: the circuit has no bad signal");
    let property = named.or(program.default).ok_or_else(nothing)?;
    let asked = aiger::asked(program, property, signals);
    let found = tamis_hardware::check(model(loaded), evidence, &asked, &|| stop.is_set());
    if let Ok(Shown::Unsafe { bad, .. }) = found
        && !asked.contains(&bad)
    {
        let name = &program.property(property).name;
        return Err(Trouble::input(format!("the witness is about bad signal {bad}, not about {name}")));
    }
    let about = match found {
        Ok(Shown::Unsafe { bad, .. }) => signals.bads.get(bad).copied().unwrap_or(property),
        Ok(Shown::Safe) | Err(_) => property,
    };
    Ok((about, found))
}
