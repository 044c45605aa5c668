//! What GCC makes of a test: whether it can be asked about here at all.

use super::suite::Program;
use super::wrapper::{Main, Way, parameters_of_main};
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};
use std::time::Duration;
use tamis_fuzz::c::compiler::limited;

/// The compiler that the tests are about.
pub const COMPILER: &str = "gcc";

/// What it builds in a test's folder.
const BINARY: &str = "test";

/// How long it may compile, and a test may run.
const PATIENCE: Duration = Duration::from_secs(20);

/// Options that make a test mean what Tamis cannot be told, and what they do.
const STRANGE: [(&str, &str); 1] = [("-finstrument-functions", "the compiler adds calls")];

/// The files of a question, if GCC confirms the right answer, or why it is not asked.
pub fn confirmed(program: &Program, way: Way, room: &Path) -> Result<Vec<PathBuf>, String> {
    if let Some((_, why)) = STRANGE.iter().find(|(option, _)| program.options.iter().any(|other| other == option)) {
        return Err((*why).into());
    }
    let beside = room.join("torture.c");
    fs::write(&beside, way.file(main_of(program, room)?)).map_err(|why| why.to_string())?;
    let files: Vec<PathBuf> = program.files.iter().cloned().chain([beside]).collect();
    // Signed arithmetic wraps around, as Tamis has it.
    built(compiler(program).args(["-w", "-fwrapv"]).args(way.macros()).args(&files), room)?;
    let run = ran(room)?;
    if run.status.code() == Some(way.exit_code()) { Ok(files) } else { Err(format!("ends with {} here", run.status)) }
}

/// The compiler with the test's own options.
pub fn compiler(program: &Program) -> Command {
    let mut compiler = Command::new(COMPILER);
    compiler.env("LC_ALL", "C").arg("-O0").args(&program.options);
    compiler
}

/// Builds what the command says. Returns the compiler's messages.
pub fn built(compiler: &mut Command, room: &Path) -> Result<String, String> {
    let built = limited(compiler.arg("-o").arg(room.join(BINARY)).arg("-lm"), room, PATIENCE)?;
    if !built.status.success() {
        return Err("does not compile here".into());
    }
    Ok(String::from_utf8_lossy(&built.stderr).into_owned())
}

/// Runs what was built.
pub fn ran(room: &Path) -> Result<Output, String> {
    let mut run = Command::new(room.join(BINARY));
    run.env("ASAN_OPTIONS", "detect_leaks=0:detect_stack_use_after_return=1").current_dir(room);
    limited(&mut run, room, PATIENCE)
}

/// The test's `main`, which is in its last file. Whether it returns on all ways without a value is
/// a warning of the compiler, which spares only functions that are called `main`.
fn main_of(program: &Program, room: &Path) -> Result<Main, String> {
    let text = main_text(program)?;
    let mut compiler = compiler(program);
    compiler.args(["-Wreturn-type", "-S", "-o", "/dev/null", "-Dmain=torture_main"]).args(program.files.last());
    let output = limited(&mut compiler, room, PATIENCE)?;
    let returns_value = !lacks_return(&String::from_utf8_lossy(&output.stderr), "torture_main");
    Ok(Main { parameters: parameters_of_main(&text), returns_value })
}

/// The text that has the test's `main`.
pub fn main_text(program: &Program) -> Result<String, String> {
    let file = program.files.last().ok_or("a test without files")?;
    let text = fs::read(file).map_err(|why| format!("{}: {why}", file.display()))?;
    // Some tests are no UTF-8.
    Ok(String::from_utf8_lossy(&text).into_owned())
}

/// Whether the compiler warns that this function may end without a value.
fn lacks_return(warnings: &str, function: &str) -> bool {
    let mut is_inside = false;
    warnings.lines().any(|line| {
        if line.contains(": In function ") {
            is_inside = line.contains(&format!("'{function}'"));
        }
        is_inside && line.contains("control reaches end of non-void function")
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_warning_belongs_to_its_function() {
        let warning = |name: &str| {
            format!(
                "a.c: In function '{name}':\na.c:3:1: warning: control reaches end of non-void function [-Wreturn-type]\n"
            )
        };
        assert!(lacks_return(&warning("torture_main"), "torture_main"));
        assert!(!lacks_return(&warning("f"), "torture_main"));
        assert!(lacks_return(&(warning("f") + &warning("torture_main")), "torture_main"));
        assert!(!lacks_return("", "torture_main"));
    }
}
