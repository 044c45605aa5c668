//! What GCC's sanitizers say about a run of a test, and which answers about memory and overflow
//! follow from it.
//!
//! A test has no inputs, so one run is all runs. A left shift is no overflow for Tamis, and
//! misaligned accesses work on x86.

use super::suite::Program;
use super::truth::{built, compiler, main_text, ran};
use super::wrapper::parameters_of_main;
use crate::tools::Said;
use std::path::Path;

/// A question about a whole run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Safety {
    Deref,
    Overflow,
}

impl Safety {
    pub const ALL: [Safety; 2] = [Safety::Deref, Safety::Overflow];

    pub fn word(self) -> &'static str {
        match self {
            Safety::Deref => "valid-deref",
            Safety::Overflow => "no-overflow",
        }
    }

    /// What a property file calls it.
    pub fn formula(self) -> &'static str {
        match self {
            Safety::Deref => "valid-deref",
            Safety::Overflow => "! overflow",
        }
    }
}

/// What the sanitizers saw.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Report {
    /// An access to memory that is no object; the run ends there.
    is_stray: bool,
    /// Signed arithmetic beyond its range.
    overflows: bool,
    /// A constant is computed beyond its range. The compiler does that, so the run does not show
    /// whether it is computed at all.
    is_constant: bool,
    /// Something else that is not defined, and from which nothing follows.
    doubt: Option<String>,
}

/// Reports of what is defined on this machine, or no matter of the questions.
const HARMLESS: [&str; 5] = [
    "left shift of",
    "shift exponent",
    "misaligned address",
    "pointer index expression",
    "is not a valid value for type",
];

/// Reports of signed overflow.
const OVERFLOWS: [&str; 3] = ["signed integer overflow", "negation of", "division of"];

impl Report {
    /// The compiler's warnings, and what the sanitizers wrote.
    fn read(warnings: &str, errors: &str) -> Report {
        let mut report = Report {
            is_stray: errors.contains("ERROR: AddressSanitizer"),
            is_constant: warnings.contains("integer overflow in expression"),
            ..Report::default()
        };
        for (_, message) in errors.lines().filter_map(|line| line.split_once("runtime error: ")) {
            let is_any = |of: &[&str]| of.iter().any(|words| message.contains(words));
            if is_any(&OVERFLOWS) {
                report.overflows = true;
            } else if !is_any(&HARMLESS) {
                report.doubt.get_or_insert_with(|| message.to_owned());
            }
        }
        report
    }

    /// The right answer, or why none follows.
    pub fn expected(&self, question: Safety) -> Result<Said, String> {
        match (question, &self.doubt) {
            (Safety::Deref, _) if self.is_stray => Ok(Said::Unsafe),
            (Safety::Overflow, _) if self.overflows => Ok(Said::Unsafe),
            (Safety::Overflow, _) if self.is_stray => Err("the sanitizers end the run at a stray access".into()),
            (Safety::Overflow, _) if self.is_constant => Err("a constant overflows".into()),
            (_, Some(doubt)) => Err(format!("undefined: {doubt}")),
            (_, None) => Ok(Said::Safe),
        }
    }
}

/// Runs a test under the sanitizers.
pub fn report(program: &Program, room: &Path) -> Result<Report, String> {
    // For Tamis they are inputs.
    if parameters_of_main(&main_text(program)?) > 0 {
        return Err("main has parameters".into());
    }
    let mut compiler = compiler(program);
    compiler.args(["-g", "-fsanitize=address,undefined", "-fno-wrapv"]).args(&program.files);
    let warnings = built(&mut compiler, room)?;
    let run = ran(room)?;
    let report = Report::read(&warnings, &String::from_utf8_lossy(&run.stderr));
    if run.status.success() || report.is_stray {
        Ok(report)
    } else {
        Err(format!("ends with {} under the sanitizers", run.status))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(errors: &str, deref: Option<Said>, overflow: Option<Said>) {
        let report = Report::read("", errors);
        assert_eq!(report.expected(Safety::Deref).ok(), deref, "{errors}");
        assert_eq!(report.expected(Safety::Overflow).ok(), overflow, "{errors}");
    }

    #[test]
    fn answers_follow_from_reports() {
        let (safe, error) = (Some(Said::Safe), Some(Said::Unsafe));
        check("", safe, safe);
        check("a.c:3:5: runtime error: signed integer overflow: 2147483647 + 1 cannot ...", safe, error);
        check("a.c:3:5: runtime error: left shift of 1 by 31 places cannot ...", safe, safe);
        check("==7==ERROR: AddressSanitizer: stack-buffer-overflow on address ...", error, None);
        let constant = Report::read("a.c:1:9: warning: integer overflow in expression of type 'int' ...", "");
        assert_eq!((constant.expected(Safety::Deref).ok(), constant.expected(Safety::Overflow).ok()), (safe, None));
        check("a.c:3:5: runtime error: index 4 out of bounds for type 'int [4]'", None, None);
    }
}
