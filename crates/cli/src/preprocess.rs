//! C goes through the system's preprocessor: `$CC -E`, or `cc -E`.
//!
//! Texts without directives are taken as they are if no flag defines anything, and so are `.i`
//! files. The compiler is not trusted to end or to be brief: it runs on a [`crate::leash`].

use crate::compile_commands::CompileCommands;
use crate::input::{Content, is_stdin};
use crate::leash::{Broken, COMPILER, Ran, compiler, leashed};
use crate::options::C;
use crate::supervise::Job;
use crate::trouble::Trouble;
use std::collections::BTreeSet;
use std::ffi::{OsStr, OsString};
use std::io;
use std::path::{Path, PathBuf};
use tamis_frontends::c::DataModel;
use tamis_ir::Severity;
use tamis_report::diagnostics::render_plain;
use tamis_report::style::Colour;

/// A C text for the front end.
#[derive(Debug)]
pub struct Prepared {
    /// What the text is called.
    pub name: String,
    /// The text.
    pub text: String,
    /// The user's files that its line markers name, and their texts.
    pub originals: Vec<(String, String)>,
}

/// Who preprocesses the files of a program.
pub struct Preprocessor<'a> {
    job: &'a Job,
    options: &'a C,
    commands: Option<CompileCommands>,
    colour: Colour,
    /// Whether the user knows that headers are missing.
    warned: bool,
}

impl<'a> Preprocessor<'a> {
    pub fn new(job: &'a Job, options: &'a C, colour: Colour) -> Result<Preprocessor<'a>, Trouble> {
        let commands = options.compile_commands.as_deref().map(CompileCommands::read).transpose()?;
        Ok(Preprocessor { job, options, commands, colour, warned: false })
    }

    /// The data model: what the user says, or what the first file is compiled for.
    pub fn data_model(&self, files: &[PathBuf]) -> Result<DataModel, Trouble> {
        if let Some(model) = self.options.data_model {
            return Ok(model);
        }
        let (Some(commands), Some(first)) = (&self.commands, files.first()) else { return Ok(DataModel::default()) };
        let narrow = commands.flags(first)?.iter().any(|flag| flag == "-m32");
        Ok(if narrow { DataModel::Ilp32 } else { DataModel::default() })
    }

    /// Preprocesses a text, if it needs that.
    pub fn prepare(&mut self, path: &Path, content: &Content, model: DataModel) -> Result<Prepared, Trouble> {
        let text = content.text()?;
        let preprocessed = path.extension().is_some_and(|ending| ending == "i");
        // What flags define may be anywhere in a text.
        let defines = !self.options.define.is_empty() || self.commands.is_some();
        if preprocessed || !has_directives(text) && !defines {
            return Ok(Prepared { name: content.name.clone(), text: text.to_owned(), originals: Vec::new() });
        }
        if is_stdin(path) {
            return Err(Trouble::input("standard input has to be preprocessed, and only files are")
                .hint("preprocess it first: `cc -E FILE.c | tamis verify - --language c`"));
        }
        let printed = self.preprocess(path, model)?;
        let text = String::from_utf8(printed)
            .map_err(|_| Trouble::input(format!("{} is not UTF-8 text after preprocessing", content.name)))?;
        let originals = originals(&text, &content.name, content.text()?);
        Ok(Prepared { name: format!("{} (preprocessed)", content.name), text, originals })
    }

    /// The flags for a file: those of its project first, then the user's.
    fn flags(&self, path: &Path, model: DataModel) -> Result<Vec<OsString>, Trouble> {
        let project = self.commands.as_ref().map_or(Ok(&[][..]), |commands| commands.flags(path))?;
        let project = project.iter().filter(|flag| !matches!(flag.as_str(), "-m32" | "-m64"));
        let mut flags: Vec<OsString> = project.map(OsString::from).collect();
        for folder in &self.options.include {
            flags.extend([OsString::from("-I"), folder.clone().into()]);
        }
        for define in &self.options.define {
            flags.extend(["-D", define].map(OsString::from));
        }
        if model == DataModel::Ilp32 {
            flags.push("-m32".into());
        }
        Ok(flags)
    }

    fn preprocess(&mut self, path: &Path, model: DataModel) -> Result<Vec<u8>, Trouble> {
        let words: Vec<OsString> = compiler().into_iter().map(OsString::from).collect();
        let flags = self.flags(path, model)?;
        // A name that begins with a dash is no flag.
        let file =
            if path.as_os_str().as_encoded_bytes().starts_with(b"-") { Path::new(".").join(path) } else { path.into() };
        let run = |more: &[OsString]| {
            let rest = flags.iter().chain(more).map(OsString::as_os_str);
            let words = words.iter().map(OsString::as_os_str).chain([OsStr::new("-E")]);
            let words: Vec<&OsStr> = words.chain(rest).chain([file.as_os_str()]).collect();
            compile(self.job, &words)
        };
        let mut ran = run(&[])?;
        if !ran.status.success() && model == DataModel::Ilp32 {
            let narrow = Stubs::new(self.job, &words[0])?;
            let again = run(&narrow.flags)?;
            if again.status.success() {
                ran = again;
                self.warn();
            }
        }
        let name = words[0].to_string_lossy();
        match ran.status.code() {
            Some(0) => Ok(ran.out),
            Some(126 | 127) => Err(Trouble::input(format!("the C compiler {name} cannot be run"))
                .hint("install one, name it in the variable CC, or preprocess the file yourself: `cc -E a.c > a.i`")),
            Some(_) | None => {
                let message = format!("{name} cannot preprocess {}", path.display());
                Err(Trouble::Tool { message, said: String::from_utf8_lossy(&ran.err).into_owned() })
            }
        }
    }

    fn warn(&mut self) {
        let message = "the headers of the 32-bit C library are missing; those of the 64-bit library are read instead";
        let hint = "install them (on Debian gcc-multilib), or choose --data-model lp64";
        if !std::mem::replace(&mut self.warned, true) {
            self.job.say(render_plain(Severity::Warning, message, Some(hint), self.colour));
        }
    }
}

/// What lets headers of a 64-bit C library be read for 32 bits: the folder where the compiler
/// looks for them otherwise, and an empty list of missing functions, which only the 32-bit
/// library has. Types have their right widths then, because the compiler's own macros say them.
struct Stubs {
    _folder: tempfile::TempDir,
    flags: Vec<OsString>,
}

impl Stubs {
    fn new(job: &Job, compiler: &OsStr) -> Result<Stubs, Trouble> {
        let refused = |why: io::Error| Trouble::input(format!("no temporary file can be written: {why}"));
        let folder = tempfile::tempdir().map_err(refused)?;
        let stubs = folder.path().join("gnu");
        std::fs::create_dir(&stubs).and_then(|()| std::fs::write(stubs.join("stubs-32.h"), "")).map_err(refused)?;
        let mut flags = vec![OsString::from("-isystem"), folder.path().into()];
        let asked = compile(job, &[compiler, OsStr::new("-print-multiarch")])?;
        let multiarch = String::from_utf8_lossy(&asked.out).trim().to_owned();
        if asked.status.success() && !multiarch.is_empty() {
            flags.extend(["-isystem".into(), Path::new("/usr/include").join(multiarch).into()]);
        }
        Ok(Stubs { _folder: folder, flags })
    }
}

/// Runs the compiler within its limits and ours.
fn compile(job: &Job, words: &[&OsStr]) -> Result<Ran, Trouble> {
    let name = words.first().map_or("".into(), |word| word.to_string_lossy());
    let hint = "is it a C compiler? the variable CC names it";
    leashed(job, words, &COMPILER).map_err(|broken| match broken {
        Broken::Start(why) => Trouble::input(format!("the C compiler {name} cannot be run: {why}")),
        Broken::Loud => Trouble::input(format!("{name} prints more than {} MB", COMPILER.bytes >> 20)).hint(hint),
        Broken::Late => Trouble::input(format!("{name} does not end within {} s", COMPILER.time.as_secs())).hint(hint),
        Broken::GaveUp(reason) => Trouble::GaveUp(reason),
    })
}

/// Whether a text has directives other than line markers and pragmas. Comments may hide a
/// directive that is none: then the preprocessor removes the comment, and nothing else.
fn has_directives(text: &str) -> bool {
    text.lines().any(|line| {
        let Some(rest) = line.trim_start().strip_prefix('#') else { return false };
        let word = rest.trim_start();
        !(word.is_empty()
            || word.starts_with("pragma")
            || word.starts_with("line")
            || word.starts_with(|c: char| c.is_ascii_digit()))
    })
}

/// The user's files that the line markers of a text name, with their texts: the file itself, and
/// those that are included from outside of the system's folders.
fn originals(preprocessed: &str, own: &str, text: &str) -> Vec<(String, String)> {
    let mut named = BTreeSet::new();
    let mut found = Vec::new();
    for (name, system) in preprocessed.lines().filter_map(marker) {
        if system || name.starts_with('<') || !named.insert(name.clone()) {
            continue;
        }
        if name == own {
            found.push((name, text.to_owned()));
        } else if let Ok(content) = Content::read(Path::new(&name))
            && let Ok(text) = content.text()
        {
            found.push((name, text.to_owned()));
        }
    }
    found
}

/// The file that a line marker names, and whether it belongs to the system: `# 1 "a.h" 1 3`.
fn marker(line: &str) -> Option<(String, bool)> {
    let rest = line.strip_prefix("# ")?.trim_start_matches(|c: char| c.is_ascii_digit());
    let mut characters = rest.strip_prefix(" \"")?.chars();
    let mut name = String::new();
    loop {
        match characters.next()? {
            '"' => break,
            '\\' => name.push(characters.next()?),
            character => name.push(character),
        }
    }
    Some((name, characters.as_str().split_whitespace().any(|flag| flag == "3")))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn line_markers_and_pragmas_need_no_preprocessor() {
        for text in ["int x;", "# 1 \"a.c\"\nint x;", "#line 3", "#pragma once\n", "#\n", "x # y"] {
            assert!(!has_directives(text), "{text}");
        }
        for text in ["#include <a.h>", "  #  define X", "int x;\n#if 0\n#endif"] {
            assert!(has_directives(text), "{text}");
        }
    }

    #[test]
    fn the_files_of_the_user_are_found_by_line_markers() {
        let folder = tempfile::tempdir().unwrap();
        let header = folder.path().join("b \"c\".h").display().to_string();
        std::fs::write(&header, "int y;\n").unwrap();
        let escaped = header.replace('"', "\\\"");
        let text = format!(
            "# 0 \"a.c\"\n# 0 \"<built-in>\"\n# 1 \"{escaped}\" 1\nint y;\n# 2 \"a.c\" 2\n# 1 \"/usr/include/s.h\" 1 3 4\n\
             # 9 \"gone.h\" 1\n# x\n# 7\n# 7 \"open"
        );
        let found = originals(&text, "a.c", "its text");
        assert_eq!(found, [("a.c".to_owned(), "its text".to_owned()), (header, "int y;\n".to_owned())]);
    }
}
