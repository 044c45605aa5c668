//! What languages may do outside while their texts are prepared: read files, run the C compiler.
//! The compiler is not trusted to end or to be brief: it runs on a [`crate::leash`].

use crate::input::Content;
use crate::leash::{Broken, COMPILER, compiler, leashed};
use crate::supervise::Job;
use crate::trouble::Trouble;
use std::ffi::{OsStr, OsString};
use std::io;
use std::path::{Path, PathBuf};
use tamis_frontends::outside::{Outside, Ran, Text, Unprepared, Write, utf8};
use tamis_ir::Severity;
use tamis_report::diagnostics::render_plain;
use tamis_report::style::Colour;
use tamis_witness::Reason;
use tempfile::TempDir;

/// What a run lends to the language of its program.
pub struct Lent<'j> {
    job: &'j Job,
    colour: Colour,
    folders: Vec<TempDir>,
    /// Why the work was stopped, if it was.
    stopped: Option<Reason>,
}

impl<'j> Lent<'j> {
    pub fn new(job: &'j Job, colour: Colour) -> Lent<'j> {
        Lent { job, colour, folders: Vec::new(), stopped: None }
    }

    /// What went wrong.
    pub fn trouble(&self, why: Unprepared) -> Trouble {
        match (why, &self.stopped) {
            (Unprepared::Input { message, hint }, _) => Trouble::Input { message, hint },
            (Unprepared::Tool { message, said }, _) => Trouble::Tool { message, said },
            (Unprepared::Stopped, Some(reason)) => Trouble::GaveUp(reason.clone()),
            (Unprepared::Stopped, None) => Trouble::Internal("a language stopped by itself".into()),
        }
    }
}

/// Reading fails with nothing else than what is wrong with the file.
fn unread(trouble: Trouble) -> Unprepared {
    match trouble {
        Trouble::Input { message, hint } => Unprepared::Input { message, hint },
        Trouble::Tool { message, said } => Unprepared::Tool { message, said },
        Trouble::Internal(message) => Unprepared::input(message),
        Trouble::Located(..) | Trouble::GaveUp(_) => Unprepared::Stopped,
    }
}

impl Outside for Lent<'_> {
    fn read(&mut self, path: &Path) -> Result<Text, Unprepared> {
        let content = Content::read(path).map_err(unread)?;
        let text = content.text().map_err(unread)?.to_owned();
        Ok(Text { name: content.name, text })
    }

    fn read_with(&mut self, path: &Path, write: Write) -> Result<Text, Unprepared> {
        let Content { name, bytes } = Content::read(path).map_err(unread)?;
        let content = Content { name, bytes: utf8(&bytes, write).into_bytes() };
        let text = content.text().map_err(unread)?.to_owned();
        Ok(Text { name: content.name, text })
    }

    fn found(&self, path: &Path) -> Option<PathBuf> {
        path.canonicalize().ok()
    }

    fn compiler(&self) -> String {
        compiler().swap_remove(0)
    }

    fn compile(&mut self, arguments: &[OsString]) -> Result<Ran, Unprepared> {
        let words: Vec<OsString> = compiler().into_iter().map(OsString::from).collect();
        let words: Vec<&OsStr> = words.iter().chain(arguments).map(OsString::as_os_str).collect();
        let name = self.compiler();
        let hint = "is it a C compiler? the variable CC names it";
        match leashed(self.job, &words, &COMPILER) {
            Ok(ran) => Ok(Ran { code: ran.status.code(), out: ran.out, err: ran.err }),
            Err(Broken::Start(why)) => Err(Unprepared::input(format!("the C compiler {name} cannot be run: {why}"))),
            Err(Broken::Loud) => {
                Err(Unprepared::input(format!("{name} prints more than {} MB", COMPILER.bytes >> 20)).hint(hint))
            }
            Err(Broken::Late) => {
                let seconds = COMPILER.time.as_secs();
                Err(Unprepared::input(format!("{name} does not end within {seconds} s")).hint(hint))
            }
            Err(Broken::GaveUp(reason)) => {
                self.stopped = Some(reason);
                Err(Unprepared::Stopped)
            }
        }
    }

    fn folder(&mut self, files: &[&str]) -> Result<PathBuf, Unprepared> {
        let refused = |why: io::Error| Unprepared::input(format!("no temporary file can be written: {why}"));
        let folder = tempfile::tempdir().map_err(refused)?;
        for file in files {
            let file = folder.path().join(file);
            let above = file.parent().unwrap_or(folder.path());
            std::fs::create_dir_all(above).and_then(|()| std::fs::write(&file, "")).map_err(refused)?;
        }
        self.folders.push(folder);
        Ok(self.folders[self.folders.len() - 1].path().to_owned())
    }

    fn warn(&mut self, message: &str, hint: &str) {
        self.job.say(render_plain(Severity::Warning, message, Some(hint), self.colour));
    }
}
