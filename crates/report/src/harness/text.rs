//! The harness as C: how it tells of the error, and the functions that give inputs.
//!
//! Everything that the program may define itself is a weak symbol. No header is included: one that
//! declares functions which the program calls from outside would be in the way, and there may be
//! no headers for the program's data model.

use super::REACHED;
use super::error::Error;
use super::outside::Outside;
use super::plan::Plan;
use super::probes::{AT_ERROR, AT_LABEL};
use std::fmt::Write as _;

/// The functions of the harness: those that see the error, and those that give inputs.
pub(super) fn body(plan: &Plan<'_>) -> String {
    let Plan { error, errors, outside, unset, .. } = plan;
    let inputs: usize = outside.values().map(Outside::count).sum();
    let mut text = format!("\n#define REACHED {REACHED}\n#define INPUTS {inputs}\n");
    let _ = writeln!(text, "#define EXACT {}", u8::from(is_exact(error)));
    text.push_str(include_str!("preamble.c"));
    text.push_str(&error_functions(error, errors));
    text.push_str(include_str!("library.c"));
    text.push_str(&observers(error));
    for function in outside.values() {
        text.push('\n');
        text.push_str(&function.definition());
    }
    text.push_str(if unset.is_empty() { "" } else { include_str!("fill.c") });
    for (number, unset) in unset {
        text.push('\n');
        text.push_str(&unset.definition(*number));
    }
    text
}

/// Whether all inputs are taken when a run comes to the error, and no more. Operands of an operation
/// that goes wrong may be evaluated before others or after them.
fn is_exact(error: &Error) -> bool {
    match error {
        Error::Assertion | Error::Call | Error::Label(_) => true,
        Error::Division | Error::Bounds | Error::Overflow | Error::Access | Error::Free | Error::Leak | Error::Lost => {
            false
        }
    }
}

/// What is done when error functions are called and assertions fail. Error functions that the
/// program defines are seen when they are entered. A call that is not the error does nothing.
fn error_functions(error: &Error, errors: &[&str]) -> String {
    let is_call = *error == Error::Call;
    let called = if is_call { "reached(0, 0);" } else { "" };
    let failed = if *error == Error::Assertion {
        "reached(file, line)"
    } else {
        "(void)file, (void)line, ended(\"an assertion fails\")"
    };
    let mut text = format!("\nOURS static void called(void) {{ {called} }}\n");
    let _ = writeln!(text, "OURS static void failed(const char *file, unsigned line) {{ {failed}; }}\n");
    for name in errors {
        let _ = writeln!(text, "WEAK void {name}(void) {{ called(); }}");
    }
    let wrong = if is_call { "if (wrong)\n        called();" } else { "(void)wrong;" };
    for name in ["_TRACER_abort", "_ABORT"].into_iter().filter(|name| !errors.contains(name)) {
        let _ = writeln!(text, "WEAK void {name}(int wrong) {{\n    {wrong}\n}}");
    }
    if is_call {
        let tests: Vec<String> = errors.iter().map(|name| format!("function == (void *){name}")).collect();
        let _ = writeln!(text, "\n/* Called whenever a function is entered, and left. */");
        let _ = writeln!(text, "OURS void __cyg_profile_func_enter(void *function, void *site) {{");
        let _ = writeln!(text, "    (void)site;\n    if ({})\n        called();\n}}", tests.join(" || "));
        let _ = writeln!(text, "OURS void __cyg_profile_func_exit(void *function, void *site) {{");
        let _ = writeln!(text, "    (void)function, (void)site;\n}}");
        let _ = writeln!(text, "OURS void {AT_ERROR}(void) {{ called(); }}");
    }
    text
}

/// What sees errors that are operations.
fn observers(error: &Error) -> String {
    let memory = |free: bool| format!("\n#define WRONG_FREE {}\n{}", u8::from(free), include_str!("memory.c"));
    let handlers: &[&str] = match error {
        Error::Division => &["divrem_overflow"],
        Error::Bounds => &["out_of_bounds"],
        Error::Overflow => &["add_overflow", "sub_overflow", "mul_overflow", "negate_overflow", "divrem_overflow"],
        Error::Label(_) => return format!("\nOURS void {AT_LABEL}(void) {{ reached(0, 0); }}\n"),
        Error::Access => return memory(false),
        Error::Free => return memory(true),
        Error::Leak => return include_str!("leaks.c").to_owned(),
        Error::Assertion | Error::Call | Error::Lost => return String::new(),
    };
    let mut text = "\n/* What the sanitizer calls. */\nstruct place {\n    const char *file;\n".to_owned();
    text.push_str("    unsigned line, column;\n};\n");
    for name in handlers {
        let _ = writeln!(text, "OURS void __ubsan_handle_{name}(struct place *place) {{");
        let _ = writeln!(text, "    reached(place->file, place->line);\n}}");
    }
    text
}
