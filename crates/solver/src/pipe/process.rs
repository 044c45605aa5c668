//! A solver's process: what it is told and what it says, and how it ends.
//!
//! It has a process group of its own, which is killed when we are done with it, however that
//! comes. If we are killed ourselves, a small watchman in the group sees that soon.

use rustix::process::{Pid, Signal, kill_process_group};
use std::io::{Read, Write};
use std::ops::Range;
use std::os::unix::process::CommandExt;
use std::process::{Child, Command, Stdio};
use std::sync::mpsc::{self, Receiver, RecvTimeoutError, Sender};
use std::thread;
use std::time::{Duration, Instant};

/// Starts a command in the background of which is a watchman: once its parent is gone, it kills
/// the process group.
const LEASH: &str = "\
parent=$PPID
{ while kill -0 \"$parent\"; do sleep 1; done; kill -KILL 0; } </dev/null >/dev/null 2>&1 &
exec \"$@\"";

/// How much of what a solver says in one answer, and of its complaints, is read.
const MAX_ANSWER: usize = 256 << 20;
const MAX_COMPLAINTS: u64 = 4 << 10;
/// How often we look whether to stop.
const LOOK: Duration = Duration::from_millis(10);
/// How long a solver may take to end after it has closed its output.
const FAREWELL: Duration = Duration::from_millis(500);

/// A running solver.
pub(super) struct Process {
    child: Child,
    tell: Option<Sender<String>>,
    heard: Receiver<Vec<u8>>,
    complaints: Receiver<String>,
    /// What was heard and not yet read.
    text: Vec<u8>,
    scanner: Scanner,
}

/// Why there is no answer.
#[derive(Debug)]
pub(super) enum Silence {
    /// We were told to stop waiting.
    Stopped,
    /// The process broke: what is known about it.
    Broken(String),
}

impl Process {
    /// Starts a program with its arguments.
    pub(super) fn start(words: &[String]) -> Result<Process, String> {
        let Some(program) = words.first() else { return Err("no command is given".to_owned()) };
        let mut command = Command::new("sh");
        command.args(["-c", LEASH, "sh"]).args(words).process_group(0);
        command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
        let mut child = command.spawn().map_err(|why| format!("{program} cannot be run: {why}"))?;
        let (tell, heard, complaints) = connect(&mut child);
        Ok(Process { child, tell: Some(tell), heard, complaints, text: Vec::new(), scanner: Scanner::default() })
    }

    /// The number of the process, which is that of its group.
    pub(super) fn number(&self) -> u32 {
        self.child.id()
    }

    /// Says something, without waiting until it is heard.
    pub(super) fn tell(&mut self, text: String) {
        // If nobody listens, the answer will be missing.
        let _ = self.tell.as_ref().map(|tell| tell.send(text));
    }

    /// The next thing that the solver says: a word, or something in parentheses.
    pub(super) fn hear(&mut self, mut stop: impl FnMut() -> bool) -> Result<String, Silence> {
        loop {
            if let Some(place) = self.scanner.scan(&self.text) {
                let said = String::from_utf8(self.text[place.clone()].to_vec());
                self.text.drain(..place.end);
                self.scanner = Scanner::default();
                return said.map_err(|_| Silence::Broken("it says no text".to_owned()));
            }
            if self.text.len() > MAX_ANSWER {
                return Err(Silence::Broken(format!("it says more than {} MB at once", MAX_ANSWER >> 20)));
            }
            match self.heard.recv_timeout(LOOK) {
                Ok(bytes) => self.text.extend(bytes),
                Err(RecvTimeoutError::Timeout) if stop() => return Err(Silence::Stopped),
                Err(RecvTimeoutError::Timeout) => {}
                Err(RecvTimeoutError::Disconnected) => return Err(Silence::Broken(self.obituary())),
            }
            if stop() {
                return Err(Silence::Stopped);
            }
        }
    }

    /// How the process ended, and what it complained about.
    fn obituary(&mut self) -> String {
        self.tell = None;
        let start = Instant::now();
        let status = loop {
            match self.child.try_wait() {
                Ok(Some(status)) => break Some(status),
                Ok(None) if start.elapsed() < FAREWELL => thread::sleep(LOOK),
                Ok(None) | Err(_) => break None,
            }
        };
        self.kill();
        let complaints = self.complaints.recv_timeout(FAREWELL).unwrap_or_default();
        let complaints = complaints.lines().find(|line| !line.trim().is_empty()).unwrap_or_default();
        let end = match status {
            Some(status) => match status.code() {
                Some(126 | 127) => "it cannot be run".to_owned(),
                Some(_) | None => format!("it ended with {status}"),
            },
            None => "it closed its output".to_owned(),
        };
        if complaints.is_empty() { end } else { format!("{end} and said: {complaints}") }
    }

    /// Kills the process group. The group's number is not given to another one as long as the
    /// first process was not waited for, or the watchman lives.
    pub(super) fn kill(&self) {
        if let Some(group) = i32::try_from(self.child.id()).ok().and_then(Pid::from_raw) {
            // If there is nobody left to kill, all the better.
            let _ = kill_process_group(group, Signal::KILL);
        }
    }
}

impl Drop for Process {
    fn drop(&mut self) {
        self.kill();
        // It is being killed: whatever is said about that does not matter.
        let _ = self.child.wait();
    }
}

type Streams = (Sender<String>, Receiver<Vec<u8>>, Receiver<String>);

/// Threads that write and read, so that no full pipe stops us.
fn connect(child: &mut Child) -> Streams {
    let (tell, told) = mpsc::channel::<String>();
    let (hear, heard) = mpsc::channel();
    let (complain, complaints) = mpsc::channel();
    let (stdin, stdout, stderr) = (child.stdin.take(), child.stdout.take(), child.stderr.take());
    thread::spawn(move || {
        let Some(mut stdin) = stdin else { return };
        for text in told {
            if stdin.write_all(text.as_bytes()).and_then(|()| stdin.flush()).is_err() {
                return;
            }
        }
    });
    thread::spawn(move || {
        let Some(mut stdout) = stdout else { return };
        let mut buffer = vec![0; 1 << 16];
        while let Ok(count @ 1..) = stdout.read(&mut buffer) {
            if hear.send(buffer[..count].to_vec()).is_err() {
                return;
            }
        }
    });
    thread::spawn(move || {
        let Some(mut stderr) = stderr else { return };
        let mut bytes = Vec::new();
        let _ = stderr.by_ref().take(MAX_COMPLAINTS).read_to_end(&mut bytes);
        let _ = complain.send(String::from_utf8_lossy(&bytes).into_owned());
        // The rest is read too, because a full pipe would stop the solver.
        let _ = std::io::copy(&mut stderr, &mut std::io::sink());
    });
    (tell, heard, complaints)
}

/// Finds where an S-expression ends, and remembers what it has seen.
#[derive(Default)]
struct Scanner {
    at: usize,
    depth: usize,
    inside: Inside,
    /// Where the expression began.
    begun: Option<usize>,
}

#[derive(Clone, Copy, Default, PartialEq, Eq)]
enum Inside {
    #[default]
    Nothing,
    Word,
    Text,
    Bars,
    Comment,
}

impl Scanner {
    /// Where the expression is, if all of it is there.
    fn scan(&mut self, text: &[u8]) -> Option<Range<usize>> {
        while let Some(byte) = text.get(self.at) {
            self.at += 1;
            let ended = match (self.inside, byte) {
                (Inside::Text, b'"') | (Inside::Bars, b'|') => {
                    self.inside = Inside::Nothing;
                    self.depth == 0
                }
                (Inside::Comment, b'\n') => {
                    self.inside = Inside::Nothing;
                    false
                }
                (Inside::Text | Inside::Bars | Inside::Comment, _) => false,
                (Inside::Word, b' ' | b'\t' | b'\r' | b'\n' | b'(' | b')' | b'"' | b';') if self.depth == 0 => {
                    self.at -= 1;
                    true
                }
                (_, b'(') => {
                    self.depth += 1;
                    self.enter(Inside::Nothing);
                    false
                }
                (_, b')') => {
                    // A parenthesis that closes nothing is an expression of its own: garbage.
                    self.depth = self.depth.saturating_sub(1);
                    self.enter(Inside::Nothing);
                    self.depth == 0
                }
                (_, b'"') => self.enter(Inside::Text),
                (_, b'|') => self.enter(Inside::Bars),
                (_, b';') => {
                    self.inside = Inside::Comment;
                    false
                }
                (_, b' ' | b'\t' | b'\r' | b'\n') => {
                    self.inside = Inside::Nothing;
                    false
                }
                _ => self.enter(Inside::Word),
            };
            if ended && let Some(begun) = self.begun {
                return Some(begun..self.at);
            }
        }
        None
    }

    fn enter(&mut self, inside: Inside) -> bool {
        self.inside = inside;
        self.begun = self.begun.or(self.at.checked_sub(1));
        false
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn expressions_are_found_however_they_arrive() {
        let text = b"sat\n((x 1) (|a ) b| \"q\"\"(\")) ; (\n unsat ) \"ready\"\n(a(b)c) x ";
        let mut found = Vec::new();
        let (mut rest, mut scanner) = (Vec::new(), Scanner::default());
        for byte in text {
            rest.push(*byte);
            while let Some(place) = scanner.scan(&rest) {
                found.push(String::from_utf8(rest[place.clone()].to_vec()).unwrap());
                rest.drain(..place.end);
                scanner = Scanner::default();
            }
        }
        assert_eq!(found, ["sat", "((x 1) (|a ) b| \"q\"\"(\"))", "unsat", ")", "\"ready\"", "(a(b)c)", "x"]);
    }
}
