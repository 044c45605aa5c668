//! Reading files that may not be there, may not be text, and may be endless.

use crate::trouble::Trouble;
use std::fs::File;
use std::io::{self, ErrorKind, Read};
use std::path::{Path, PathBuf};
use tamis_frontends::Frontend;

/// The largest file that is read.
const MAX_BYTES: u64 = 256 << 20;

/// The bytes of a file, and the text that they are.
#[derive(Debug)]
pub struct Content {
    /// What the user calls the file.
    pub name: String,
    /// All bytes.
    pub bytes: Vec<u8>,
}

impl Content {
    /// Reads a file, or standard input if the path is `-`.
    pub fn read(path: &Path) -> Result<Content, Trouble> {
        let stdin = is_stdin(path);
        let name = if stdin { "<stdin>".to_owned() } else { path.display().to_string() };
        let read = if stdin { Ok(bounded(io::stdin().lock())) } else { open(path, &name).map(bounded) };
        let bytes = read?.map_err(|why| Trouble::input(format!("{name} cannot be read: {}", phrase(&why))))?;
        if bytes.len() as u64 > MAX_BYTES {
            return Err(too_large(&name));
        }
        Ok(Content { name, bytes })
    }

    /// The text, without a byte order mark.
    pub fn text(&self) -> Result<&str, Trouble> {
        let bytes = self.bytes.strip_prefix(b"\xef\xbb\xbf").unwrap_or(&self.bytes);
        let zero = bytes.iter().position(|byte| *byte == 0);
        let wrong = std::str::from_utf8(bytes).err().map(|error| error.valid_up_to());
        match (wrong, zero) {
            (None, None) => Ok(std::str::from_utf8(bytes).unwrap_or_default()),
            (Some(at), None) => {
                let hint = "save it as UTF-8, for instance with `iconv -f LATIN1 -t UTF-8`";
                Err(Trouble::input(format!("{} is not UTF-8 text: {}", self.name, place(bytes, at))).hint(hint))
            }
            (_, Some(at)) => {
                let message = format!("{} is binary data, not text: {}", self.name, place(bytes, at));
                Err(Trouble::input(message).hint("is it the right file?"))
            }
        }
    }
}

/// Whether the path stands for standard input.
pub fn is_stdin(path: &Path) -> bool {
    path.as_os_str() == "-"
}

fn bounded(reader: impl Read) -> io::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    reader.take(MAX_BYTES + 1).read_to_end(&mut bytes)?;
    Ok(bytes)
}

fn open(path: &Path, name: &str) -> Result<File, Trouble> {
    let refuse = |why: &io::Error| {
        let trouble = Trouble::input(format!("{name} cannot be read: {}", phrase(why)));
        if why.kind() == ErrorKind::NotFound {
            return trouble.hint("check the path; - stands for standard input");
        }
        if why.kind() == ErrorKind::PermissionDenied { trouble.hint("check its permissions") } else { trouble }
    };
    // Opening a pipe or a device could wait for ever, so what it is comes first.
    let about = path.metadata().map_err(|why| refuse(&why))?;
    if about.is_dir() {
        return Err(Trouble::input(format!("{name} is a directory")).hint("name a file in it"));
    }
    if !about.is_file() {
        let hint = "pipe its content to standard input: `tamis … - --language NAME`";
        return Err(Trouble::input(format!("{name} is not a regular file")).hint(hint));
    }
    if about.len() > MAX_BYTES {
        return Err(too_large(name));
    }
    File::open(path).map_err(|why| refuse(&why))
}

fn too_large(name: &str) -> Trouble {
    Trouble::input(format!("{name} is larger than {} MB", MAX_BYTES >> 20)).hint("check a smaller part of it")
}

/// An operating system's error as a phrase.
fn phrase(why: &io::Error) -> String {
    if why.kind() == ErrorKind::NotFound {
        return "there is no such file".into();
    }
    if why.kind() == ErrorKind::PermissionDenied { "permission denied".into() } else { why.to_string() }
}

/// The place of a byte as people name it.
fn place(bytes: &[u8], at: usize) -> String {
    let before = String::from_utf8_lossy(&bytes[..at]);
    let line = before.matches('\n').count() + 1;
    let column = before.rsplit('\n').next().unwrap_or("").chars().count() + 1;
    format!("byte {:#04x} at line {line}, column {column}", bytes.get(at).copied().unwrap_or(0))
}

/// The language of a table that reads a program: the one that the user names, or that of its files' endings.
pub fn language(
    table: &'static [Frontend],
    files: &[PathBuf],
    name: Option<&str>,
) -> Result<&'static Frontend, Trouble> {
    let [first, others @ ..] = files else { return Err(Trouble::input("no file is named")) };
    let frontend = language_of(table, first, name)?;
    for other in others {
        let found = language_of(table, other, name)?;
        if found.name != frontend.name {
            let (one, two) = (first.display(), other.display());
            return Err(Trouble::input(format!("{one} is {}, and {two} is {}", frontend.name, found.name))
                .hint("a program has one language; --language NAME says it"));
        }
    }
    Ok(frontend)
}

/// The language of a file.
fn language_of(table: &'static [Frontend], path: &Path, name: Option<&str>) -> Result<&'static Frontend, Trouble> {
    let known = table
        .iter()
        .map(|frontend| {
            let endings: Vec<String> = frontend.extensions.iter().map(|ending| format!(".{ending}")).collect();
            format!("{} ({})", endings.join(", "), frontend.name)
        })
        .collect::<Vec<_>>()
        .join(", ");
    let unknown = |message: String| {
        Err(Trouble::input(message).hint(format!("known are {known}; --language NAME says it directly")))
    };
    if let Some(name) = name {
        let found = table.iter().find(|frontend| frontend.name == name);
        return found.map_or_else(|| unknown(format!("there is no language {name}")), Ok);
    }
    if is_stdin(path) {
        return unknown("standard input does not say its language".into());
    }
    if path.is_dir() {
        return Err(Trouble::input(format!("{} is a directory", path.display())).hint("name a file in it"));
    }
    let Some(ending) = path.extension().map(|ending| ending.to_string_lossy()) else {
        return unknown(format!("{} does not say its language: it has no ending", path.display()));
    };
    match table.iter().find(|frontend| frontend.reads(&ending)) {
        Some(frontend) => Ok(frontend),
        None => unknown(format!("{}: no language has the ending .{ending}", path.display())),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(bytes: &[u8], expected: &str) {
        let content = Content { name: "a.bp".into(), bytes: bytes.to_vec() };
        let found = match content.text() {
            Ok(text) => text.to_owned(),
            Err(Trouble::Input { message, .. }) => message,
            Err(other) => format!("{other:?}"),
        };
        assert_eq!(found, expected);
    }

    #[test]
    fn text_is_utf8_without_zeros() {
        check("é".as_bytes(), "é");
        check(b"\xef\xbb\xbfdecl g;", "decl g;");
        check(b"a\n\xc3\xa9\xff", "a.bp is not UTF-8 text: byte 0xff at line 2, column 2");
        check(b"\x7fELF\x00\xff", "a.bp is binary data, not text: byte 0x00 at line 1, column 5");
    }
}
