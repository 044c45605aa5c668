//! C goes through the system's preprocessor: `$CC -E`, or `cc -E`.
//!
//! Texts without directives and without names that compilers predefine are taken as they are if no
//! flag defines anything, and so are `.i` files. A byte that is no UTF-8, as in texts in Latin-1, is
//! the character of that number. In `commands`: how a project compiles its files.

mod commands;

use super::options::OPTIONS;
use super::{DataModel, Options};
use crate::outside::{Outside, Prepared, Ran, Text, Unprepared, utf8};
use commands::CompileCommands;
use std::collections::BTreeSet;
use std::ffi::OsString;
use std::path::{Path, PathBuf};
use tamis_options::{Settings, Unfit};

/// Reads and preprocesses the files of a program. The data model is the one that the user says, or
/// what the first file is compiled for.
///
/// # Errors
/// A file cannot be read or preprocessed.
pub fn prepare(
    outside: &mut dyn Outside,
    files: &[PathBuf],
    settings: &mut Settings,
) -> Result<Vec<Prepared>, Unprepared> {
    let configured = |settings: &Settings| OPTIONS.configured(settings).map_err(|Unfit(why)| Unprepared::input(why));
    let mut options = configured(settings)?;
    let file = options.compile_commands.as_deref();
    let commands = file.map(|file| CompileCommands::read(outside, file)).transpose()?;
    if let (Some(commands), Some(first), None) = (&commands, files.first(), settings.get("data-model"))
        && commands.flags(outside, first)?.iter().any(|flag| flag == "-m32")
    {
        settings.default_to("data-model", "ilp32");
        options = configured(settings)?;
    }
    let mut preprocessor = Preprocessor { outside, options, commands, warned: false };
    files.iter().map(|path| preprocessor.prepare(path)).collect()
}

/// Who preprocesses the files of a program.
struct Preprocessor<'a> {
    outside: &'a mut dyn Outside,
    options: Options,
    commands: Option<CompileCommands>,
    /// Whether the user knows that headers are missing.
    warned: bool,
}

impl Preprocessor<'_> {
    /// Preprocesses a text, if it needs that.
    fn prepare(&mut self, path: &Path) -> Result<Prepared, Unprepared> {
        let written = self.outside.read_with(path, escaped)?;
        let preprocessed = path.extension().is_some_and(|ending| ending == "i");
        let is_stdin = path.as_os_str() == "-";
        // What flags define may be anywhere in a text.
        let defines = !self.options.define.is_empty() || self.commands.is_some();
        let wants = has_directives(&written.text) || !is_stdin && has_predefined(&written.text);
        if preprocessed || !wants && !defines {
            return Ok(Prepared { text: written, originals: Vec::new() });
        }
        if is_stdin {
            return Err(Unprepared::input("standard input has to be preprocessed, and only files are")
                .hint("preprocess it first: `cc -E FILE.c | tamis verify - --language c`"));
        }
        let printed = self.preprocess(path)?;
        let text = utf8(&printed, escaped);
        let name = format!("{} (preprocessed)", written.name);
        let originals = originals(self.outside, &text, &written);
        Ok(Prepared { text: Text { name, text }, originals })
    }

    /// The flags for a file: those of its project first, then the user's.
    fn flags(&self, path: &Path) -> Result<Vec<OsString>, Unprepared> {
        let project = self.commands.as_ref().map_or(Ok(&[][..]), |commands| commands.flags(self.outside, path))?;
        let project = project.iter().filter(|flag| !matches!(flag.as_str(), "-m32" | "-m64"));
        let mut flags: Vec<OsString> = project.map(OsString::from).collect();
        for folder in &self.options.include {
            flags.extend(["-I", folder].map(OsString::from));
        }
        for define in &self.options.define {
            flags.extend(["-D", define].map(OsString::from));
        }
        if self.options.data_model == DataModel::Ilp32 {
            flags.push("-m32".into());
        }
        Ok(flags)
    }

    fn preprocess(&mut self, path: &Path) -> Result<Vec<u8>, Unprepared> {
        let flags = self.flags(path)?;
        // A name that begins with a dash is no flag.
        let file =
            if path.as_os_str().as_encoded_bytes().starts_with(b"-") { Path::new(".").join(path) } else { path.into() };
        let words = |more: Vec<OsString>| -> Vec<OsString> {
            let words = [OsString::from("-E")].into_iter().chain(flags.clone()).chain(more);
            words.chain([file.clone().into_os_string()]).collect()
        };
        let mut ran = self.outside.compile(&words(Vec::new()))?;
        if !ran.succeeded() && self.options.data_model == DataModel::Ilp32 {
            let stubs = stubs(self.outside)?;
            let again = self.outside.compile(&words(stubs))?;
            if again.succeeded() {
                ran = again;
                self.warn();
            }
        }
        let name = self.outside.compiler();
        match ran {
            Ran { code: Some(0), out, .. } => Ok(out),
            Ran { code: Some(126 | 127), .. } => Err(Unprepared::input(format!("the C compiler {name} cannot be run"))
                .hint("install one, name it in the variable CC, or preprocess the file yourself: `cc -E a.c > a.i`")),
            Ran { err, .. } => {
                let message = format!("{name} cannot preprocess {}", path.display());
                Err(Unprepared::Tool { message, said: String::from_utf8_lossy(&err).into_owned() })
            }
        }
    }

    fn warn(&mut self) {
        let message = "the headers of the 32-bit C library are missing; those of the 64-bit library are read instead";
        let hint = "install them (on Debian gcc-multilib), or choose --data-model lp64";
        if !std::mem::replace(&mut self.warned, true) {
            self.outside.warn(message, hint);
        }
    }
}

/// What lets headers of a 64-bit C library be read for 32 bits: the folder where the compiler
/// looks for them otherwise, and an empty list of missing functions, which only the 32-bit
/// library has. Types have their right widths then, because the compiler's own macros say them.
fn stubs(outside: &mut dyn Outside) -> Result<Vec<OsString>, Unprepared> {
    let folder = outside.folder(&["gnu/stubs-32.h"])?;
    let mut flags = vec![OsString::from("-isystem"), folder.into()];
    let asked = outside.compile(&["-print-multiarch".into()])?;
    let multiarch = String::from_utf8_lossy(&asked.out).trim().to_owned();
    if asked.succeeded() && !multiarch.is_empty() {
        flags.extend(["-isystem".into(), Path::new("/usr/include").join(multiarch).into()]);
    }
    Ok(flags)
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

/// Whether a text has names like `__SIZE_TYPE__` and `__ATOMIC_RELAXED`, which compilers define
/// without being told.
fn has_predefined(text: &str) -> bool {
    let is_loud = |c: char| c.is_ascii_uppercase() || c.is_ascii_digit() || c == '_';
    let is_one = |word: &str| {
        let Some(rest) = word.strip_prefix("__") else { return false };
        rest.contains(|c: char| c.is_ascii_uppercase()) && (rest.ends_with("__") || rest.chars().all(is_loud))
    };
    text.split(|c: char| !c.is_ascii_alphanumeric() && c != '_').any(is_one)
}

/// A byte of a text that is no UTF-8, as C writes a character of that number. Outside of literals it
/// is in a comment, where it does not matter.
fn escaped(byte: u8) -> String {
    format!("\\{byte:03o}")
}

/// The user's files that the line markers of a text name, with their texts: the file itself, and
/// those that are included from outside of the system's folders.
fn originals(outside: &mut dyn Outside, preprocessed: &str, own: &Text) -> Vec<Text> {
    let mut named = BTreeSet::new();
    let mut found = Vec::new();
    for (name, system) in preprocessed.lines().filter_map(marker) {
        if system || name.starts_with('<') || !named.insert(name.clone()) {
            continue;
        }
        if name == own.name {
            found.push(own.clone());
        } else if let Ok(text) = outside.read_with(Path::new(&name), escaped) {
            found.push(Text { name, ..text });
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
    use crate::outside::Write;

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
    fn names_that_compilers_define_want_the_preprocessor() {
        for text in ["__SIZE_TYPE__ n;", "int a = __LINE__;", "char b[__INT_MAX__ / 2];", "f(__ATOMIC_RELAXED)"] {
            assert!(has_predefined(text), "{text}");
        }
        for text in ["int __attribute__((x)) y;", "__asm__ __volatile__ (\"\");", "__VERIFIER_nondet_int();", "____"] {
            assert!(!has_predefined(text), "{text}");
        }
    }

    #[test]
    fn bytes_of_other_encodings_are_characters() {
        assert_eq!(utf8(b"s = \"\xe9\xc3\xa9\";", escaped), "s = \"\\351\u{e9}\";");
    }

    /// Files with their texts; no compiler.
    pub(super) struct Folder(pub Vec<(PathBuf, String)>);

    impl Folder {
        /// Empty files.
        pub(super) fn of(names: &[&str]) -> Folder {
            Folder(names.iter().map(|name| (name.into(), String::new())).collect())
        }
    }

    impl Outside for Folder {
        fn read(&mut self, path: &Path) -> Result<Text, Unprepared> {
            let found = self.0.iter().find(|(known, _)| known == path);
            let (_, text) = found.ok_or_else(|| Unprepared::input("missing"))?;
            Ok(Text { name: path.display().to_string(), text: text.clone() })
        }

        fn read_with(&mut self, path: &Path, _: Write) -> Result<Text, Unprepared> {
            self.read(path)
        }

        fn found(&self, path: &Path) -> Option<PathBuf> {
            self.0.iter().any(|(known, _)| known == path).then(|| path.to_owned())
        }

        fn compiler(&self) -> String {
            "cc".into()
        }

        fn compile(&mut self, _: &[OsString]) -> Result<Ran, Unprepared> {
            Err(Unprepared::Stopped)
        }

        fn folder(&mut self, _: &[&str]) -> Result<PathBuf, Unprepared> {
            Err(Unprepared::Stopped)
        }

        fn warn(&mut self, _: &str, _: &str) {}
    }

    #[test]
    fn the_files_of_the_user_are_found_by_line_markers() {
        let text = "# 0 \"a.c\"\n# 0 \"<built-in>\"\n# 1 \"b \\\"c\\\".h\" 1\nint y;\n# 2 \"a.c\" 2\n\
                    # 1 \"/usr/include/s.h\" 1 3 4\n# 9 \"gone.h\" 1\n# x\n# 7\n# 7 \"open";
        let named = |name: &str, text: &str| Text { name: name.into(), text: text.into() };
        let own = named("a.c", "its text");
        let mut folder = Folder(vec![("b \"c\".h".into(), "int y;\n".into())]);
        assert_eq!(originals(&mut folder, text, &own), [own, named("b \"c\".h", "int y;\n")]);
    }
}
