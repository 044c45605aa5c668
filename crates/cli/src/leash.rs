//! Commands of others, on a leash: C compilers, and the programs that they make.
//!
//! They are not trusted to end or to be brief. A command runs in a process group of its own, and
//! the leash is a pipe that only we hold open. When it is gone the whole group is killed, whether we
//! dropped it (a limit, an interrupt) or died ourselves.

use crate::supervise::Job;
use std::ffi::OsStr;
use std::io::{self, Read};
use std::os::unix::process::CommandExt;
use std::path::Path;
use std::process::{Child, Command, ExitStatus, Stdio};
use std::sync::mpsc::{self, RecvTimeoutError};
use std::thread;
use std::time::{Duration, Instant};
use tamis_witness::Reason;

/// How much of a command's messages is kept.
const MAX_MESSAGES: u64 = 16 << 10;

/// How often we look.
const LOOK: Duration = Duration::from_millis(5);

/// What a command may do, and where it runs.
#[derive(Clone, Copy, Debug)]
pub struct Limits<'a> {
    /// How long it may take.
    pub time: Duration,
    /// How much it may print.
    pub bytes: u64,
    /// Its folder, if it is not ours.
    pub folder: Option<&'a Path>,
}

/// What a compiler may do.
pub const COMPILER: Limits<'_> = Limits { time: Duration::from_mins(1), bytes: 256 << 20, folder: None };

/// What a command left behind.
#[derive(Debug)]
pub struct Ran {
    pub status: ExitStatus,
    pub out: Vec<u8>,
    pub err: Vec<u8>,
}

/// Why a command did not end by itself.
#[derive(Debug)]
pub enum Broken {
    /// It could not be started.
    Start(io::Error),
    /// It printed too much.
    Loud,
    /// It took too long.
    Late,
    /// Our own work was stopped.
    GaveUp(Reason),
}

/// Runs a command, and kills its process group once standard input ends.
const LEASH: &str = "\
exec 3<&0 4>&2 2>/dev/null
\"$@\" </dev/null 2>&4 3<&- 4>&- &
command=$!
{ read -r _ <&3; kill -KILL 0; } >/dev/null 4>&- &
watch=$!
wait $command
status=$?
kill $watch
exit $status";

enum Stream {
    Out(Vec<u8>),
    Err(Vec<u8>),
}

/// The words that start the C compiler: those of the variable `CC`, or `cc`.
pub fn compiler() -> Vec<String> {
    let named = std::env::var("CC").unwrap_or_default();
    let words: Vec<String> = named.split_whitespace().map(str::to_owned).collect();
    if words.is_empty() { vec!["cc".to_owned()] } else { words }
}

/// Compilers that are asked one after the other: where the language leaves open what happens,
/// they choose differently. Who names one in `CC` means that one.
pub fn compilers() -> Vec<Vec<String>> {
    let named = std::env::var("CC").is_ok_and(|named| !named.trim().is_empty());
    let other = (!named).then(|| vec!["clang".to_owned()]);
    [compiler()].into_iter().chain(other).collect()
}

/// Runs a command within its limits and ours. One that is ended by a signal has an exit code as
/// shells give it: 128 more than the signal's number.
pub fn leashed(job: &Job, words: &[&OsStr], limits: &Limits<'_>) -> Result<Ran, Broken> {
    let mut command = Command::new("sh");
    command.args(["-c", LEASH, "sh"]).args(words).process_group(0);
    command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
    if let Some(folder) = limits.folder {
        command.current_dir(folder);
    }
    let mut child = command.spawn().map_err(Broken::Start)?;
    let start = Instant::now();
    let streams = streams(&mut child, limits.bytes);
    let (mut out, mut err) = (None, None);
    loop {
        match streams.recv_timeout(LOOK) {
            Ok(Stream::Out(bytes)) if bytes.len() as u64 > limits.bytes => {
                end(child);
                return Err(Broken::Loud);
            }
            Ok(Stream::Out(bytes)) => out = Some(bytes),
            Ok(Stream::Err(bytes)) => err = Some(bytes),
            // Both are read; what remains is that the command ends.
            Err(RecvTimeoutError::Disconnected) => thread::sleep(LOOK),
            Err(RecvTimeoutError::Timeout) => {}
        }
        if out.is_some()
            && err.is_some()
            && let Some(status) = child.try_wait().map_err(Broken::Start)?
        {
            return Ok(Ran { status, out: out.unwrap_or_default(), err: err.unwrap_or_default() });
        }
        if let Err(reason) = job.budget.check() {
            end(child);
            return Err(Broken::GaveUp(reason));
        }
        if start.elapsed() > limits.time {
            end(child);
            return Err(Broken::Late);
        }
    }
}

/// Reads both streams of a child, as far as they are wanted.
fn streams(child: &mut Child, most: u64) -> mpsc::Receiver<Stream> {
    let (sender, receiver) = mpsc::channel();
    let (out, err) = (child.stdout.take(), child.stderr.take());
    let send = sender.clone();
    thread::spawn(move || {
        let mut bytes = Vec::new();
        // What cannot be read is not there: the exit status tells.
        let _ = out.map(|stream| stream.take(most + 1).read_to_end(&mut bytes));
        let _ = send.send(Stream::Out(bytes));
    });
    thread::spawn(move || {
        let mut bytes = Vec::new();
        if let Some(mut stream) = err {
            let _ = stream.by_ref().take(MAX_MESSAGES).read_to_end(&mut bytes);
            let _ = io::copy(&mut stream, &mut io::sink());
        }
        let _ = sender.send(Stream::Err(bytes));
    });
    receiver
}

/// Drops the leash.
fn end(mut child: Child) {
    drop(child.stdin.take());
    // It is being killed: whatever is said about that does not matter.
    let _ = child.wait();
}
