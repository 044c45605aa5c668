//! What a real compiler makes of generated programs.
//!
//! Starting a compiler takes longer than compiling a small program, so many programs go into one
//! file: each has its own prefix for names, and one `main` runs them all. If that goes wrong, each
//! program of the file is tried alone.

use super::tree::Node;
use std::fmt::Write;
use std::fs::{self, File};
use std::path::Path;
use std::process::{Child, Command, Output, Stdio};
use std::time::{Duration, Instant};
use tamis_frontends::c::DataModel;

/// How to compile.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Mode {
    /// As the source says, without optimisation.
    Direct,
    /// The same with constants as variables. GCC 12 reads a constant bit-field as zero where a string
    /// or an array of characters, another member of the union, initialises its bytes.
    Unfolded,
    /// Optimised, and watched by the sanitizers for memory and for undefined behaviour.
    Sanitized,
}

/// How many programs make up a file.
pub const BATCH: usize = 40;

/// How long the programs of a file may run.
const PATIENCE: Duration = Duration::from_secs(20);

/// What is said about a command that was ended.
const SLOW: &str = "it takes too long";

/// What a program does: its checksum, or what went wrong.
pub type Outcome = Result<u64, String>;

/// Whether programs of this data model can be compiled and run here.
#[must_use]
pub fn is_available(model: DataModel) -> bool {
    let empty = Node::fixed("int @main(void) { return 0; }", []);
    let Ok(folder) = tempfile::tempdir() else { return false };
    build_and_run(&[&empty], model, Mode::Direct, folder.path()).is_ok_and(|outcome| outcome.is_ok())
}

/// Compiles and runs programs.
///
/// # Errors
/// If files cannot be written or the compiler cannot be started.
pub fn outcomes(programs: &[Node], model: DataModel, mode: Mode) -> Result<Vec<Outcome>, String> {
    let folder = tempfile::tempdir().map_err(|error| format!("no temporary folder: {error}"))?;
    let mut all = Vec::new();
    for batch in programs.chunks(BATCH) {
        let together: Vec<&Node> = batch.iter().collect();
        match build_and_run(&together, model, mode, folder.path())? {
            Ok(output) if output.len() == batch.len() => all.extend(output.into_iter().map(Ok)),
            Ok(_) | Err(_) => {
                for program in batch {
                    let outcome = build_and_run(&[program], model, mode, folder.path())?;
                    all.push(outcome.and_then(|output| output.first().copied().ok_or("it prints nothing".to_owned())));
                }
            }
        }
    }
    Ok(all)
}

/// The programs in one file.
fn file_of(programs: &[&Node]) -> String {
    let (mut text, mut calls) = (String::new(), String::new());
    for (at, program) in programs.iter().enumerate() {
        text.push_str(&program.print(&format!("p{at}_")));
        let _ = writeln!(calls, "  p{at}_main();");
    }
    let _ = write!(text, "int main(void) {{\n{calls}  return 0;\n}}\n");
    text
}

/// What the programs print, or what is wrong with them.
///
/// # Errors
/// If something else is wrong.
fn build_and_run(
    programs: &[&Node],
    model: DataModel,
    mode: Mode,
    folder: &Path,
) -> Result<Result<Vec<u64>, String>, String> {
    let (source, binary) = (folder.join("programs.c"), folder.join("programs"));
    fs::write(&source, file_of(programs)).map_err(|error| error.to_string())?;
    let mut compiler = Command::new("cc");
    compiler.args(["-std=gnu11", "-w", "-pipe", "-fwrapv"]);
    // A shrunk program must still be a C program.
    compiler.args(["-Werror=int-conversion", "-Werror=incompatible-pointer-types"]);
    compiler.arg(match model {
        DataModel::Ilp32 => "-m32",
        DataModel::Lp64 => "-m64",
    });
    compiler.args(match mode {
        Mode::Direct => &["-O0"][..],
        Mode::Unfolded => &["-O0", "-Dconst="][..],
        Mode::Sanitized => &["-O2", "-fsanitize=undefined,address", "-fno-sanitize-recover=all"][..],
    });
    compiler.arg("-o").arg(&binary).arg(&source);
    let built = limited(&mut compiler, folder, 4 * PATIENCE)?;
    let line = |output: &Output, word: &str| {
        let text = String::from_utf8_lossy(&output.stderr);
        text.lines().find(|line| line.contains(word)).unwrap_or_default().to_owned()
    };
    if !built.status.success() {
        return Ok(Err(format!("it does not compile: {}", line(&built, "error"))));
    }
    let mut run = Command::new(&binary);
    run.env("ASAN_OPTIONS", "detect_leaks=0:detect_stack_use_after_return=1");
    match limited(&mut run, folder, PATIENCE) {
        Ok(output) if output.status.success() => {
            let text = String::from_utf8_lossy(&output.stdout);
            Ok(Ok(text.lines().filter_map(|line| line.parse().ok()).collect()))
        }
        Ok(output) => Ok(Err(format!("it ends with {}: {}", output.status, line(&output, "")))),
        Err(slow) if slow == SLOW => Ok(Err(slow)),
        Err(error) => Err(error),
    }
}

/// Runs a command within a time limit; its output goes through files of the folder. What takes
/// too long is ended together with what it started.
///
/// # Errors
/// If it cannot be run, or takes too long.
pub fn limited(command: &mut Command, folder: &Path, limit: Duration) -> Result<Output, String> {
    let trouble = |error: std::io::Error| error.to_string();
    let (output, errors) = (folder.join("output"), folder.join("errors"));
    let file = |path: &Path| File::create(path).map_err(trouble);
    command.stdin(Stdio::null()).stdout(file(&output)?).stderr(file(&errors)?);
    #[cfg(unix)]
    std::os::unix::process::CommandExt::process_group(command, 0);
    let mut child = command.spawn().map_err(trouble)?;
    let end = Instant::now() + limit;
    loop {
        if let Some(status) = child.try_wait().map_err(trouble)? {
            let read = |path: &Path| fs::read(path).map_err(trouble);
            return Ok(Output { status, stdout: read(&output)?, stderr: read(&errors)? });
        }
        if Instant::now() > end {
            kill_group(&mut child).and_then(|()| child.wait()).map_err(trouble)?;
            return Err(SLOW.to_owned());
        }
        std::thread::sleep(Duration::from_millis(2));
    }
}

/// Kills a process and all that it started. The number of its group is not given to another one
/// as long as the process was not waited for.
fn kill_group(child: &mut Child) -> std::io::Result<()> {
    #[cfg(unix)]
    if let Some(group) = i32::try_from(child.id()).ok().and_then(rustix::process::Pid::from_raw) {
        // If the group is gone, the process still is there to be killed and waited for.
        let _ = rustix::process::kill_process_group(group, rustix::process::Signal::KILL);
    }
    child.kill()
}
