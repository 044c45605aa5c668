//! `compile_commands.json`: how each file of a project is compiled
//! (<https://clang.llvm.org/docs/JSONCompilationDatabase.html>). Only what the preprocessor
//! and the widths of types depend on is taken.

use crate::outside::{Outside, Unprepared};
use serde_json::Value;
use std::path::{Path, PathBuf};

/// The commands of a project.
#[derive(Debug)]
pub struct CompileCommands {
    name: String,
    entries: Vec<Entry>,
}

#[derive(Debug)]
struct Entry {
    /// The file that is compiled, as a whole path where that is known.
    file: PathBuf,
    flags: Vec<String>,
}

impl CompileCommands {
    /// Reads the file.
    pub fn read(outside: &mut dyn Outside, path: &Path) -> Result<CompileCommands, Unprepared> {
        let content = outside.read(path)?;
        let wrong = |what: &str| Unprepared::input(format!("{} is no list of compile commands: {what}", content.name));
        let root: Value = serde_json::from_str(&content.text).map_err(|error| wrong(&error.to_string()))?;
        let list = root.as_array().ok_or_else(|| wrong("it is no list"))?;
        let base = path.parent().unwrap_or(Path::new(""));
        let entries = list.iter().map(|value| entry(outside, value, base).map_err(wrong)).collect::<Result<_, _>>()?;
        Ok(CompileCommands { name: content.name, entries })
    }

    /// The flags for a file.
    pub fn flags(&self, outside: &dyn Outside, file: &Path) -> Result<&[String], Unprepared> {
        let own = whole(outside, file);
        let found = self.entries.iter().find(|entry| entry.file == own);
        found.map(|entry| entry.flags.as_slice()).ok_or_else(|| {
            Unprepared::input(format!("{} does not say how {} is compiled", self.name, file.display()))
                .hint("name files that the project compiles, or give folders and macros with -I and -D")
        })
    }
}

fn whole(outside: &dyn Outside, path: &Path) -> PathBuf {
    outside.found(path).unwrap_or_else(|| path.to_owned())
}

fn entry(outside: &dyn Outside, value: &Value, base: &Path) -> Result<Entry, &'static str> {
    let text = |key: &str| value.get(key).and_then(Value::as_str);
    let folder = base.join(text("directory").unwrap_or(""));
    let file = whole(outside, &folder.join(text("file").ok_or("an entry has no file")?));
    let words = match (value.get("arguments").and_then(Value::as_array), text("command")) {
        (Some(arguments), _) => arguments.iter().filter_map(Value::as_str).map(str::to_owned).collect(),
        (None, Some(command)) => split(command),
        (None, None) => return Err("an entry has neither arguments nor a command"),
    };
    Ok(Entry { file, flags: taken(outside, &words, &folder) })
}

/// Flags whose value is a path.
const PATHS: &[&str] = &["-isystem", "-include", "-I"];

/// Flags whose value is none.
const OTHERS: &[&str] = &["-D", "-U"];

/// Flags without a separate value, by how they begin.
const SINGLE: &[&str] = &["-std=", "-m32", "-m64"];

/// The flags that matter; paths are made independent of the folder that they are relative to.
fn taken(outside: &dyn Outside, words: &[String], folder: &Path) -> Vec<String> {
    let mut flags = Vec::new();
    let mut rest = words.iter();
    while let Some(word) = rest.next() {
        if let Some(flag) = PATHS.iter().chain(OTHERS).find(|flag| word.starts_with(**flag)) {
            let joined = &word[flag.len()..];
            let value = if joined.is_empty() { rest.next().map_or("", String::as_str) } else { joined };
            let value = if PATHS.contains(flag) { located(outside, folder, value) } else { value.to_owned() };
            flags.extend([(*flag).to_owned(), value]);
        } else if SINGLE.iter().any(|flag| word.starts_with(flag)) {
            flags.push(word.clone());
        }
    }
    flags
}

/// A path that is relative to the folder; an included file may be in a searched folder instead.
fn located(outside: &dyn Outside, folder: &Path, value: &str) -> String {
    let path = folder.join(value);
    if outside.found(&path).is_some() { path.display().to_string() } else { value.to_owned() }
}

/// The words of a command, as a shell splits them: blanks, quotes, backslashes.
fn split(command: &str) -> Vec<String> {
    let (mut words, mut word, mut quote) = (Vec::new(), None::<String>, None);
    let mut characters = command.chars();
    while let Some(character) = characters.next() {
        match (character, quote) {
            ('\\', None | Some('"')) => word.get_or_insert_default().extend(characters.next()),
            ('\'' | '"', None) => {
                quote = Some(character);
                word.get_or_insert_default();
            }
            (_, Some(open)) if character == open => quote = None,
            (_, None) if character.is_whitespace() => words.extend(word.take()),
            (_, None | Some(_)) => word.get_or_insert_default().push(character),
        }
    }
    words.extend(word);
    words
}

#[cfg(test)]
mod tests {
    use super::super::tests::Folder;
    use super::*;

    #[test]
    fn commands_are_split_as_a_shell_does() {
        let words = split(r#"cc  -DA='x y' "-DB=\"q\"" -DC=\ z '' a.c"#);
        assert_eq!(words, ["cc", "-DA=x y", "-DB=\"q\"", "-DC= z", "", "a.c"]);
    }

    #[test]
    fn only_what_the_preprocessor_reads_is_taken() {
        let words =
            split("gcc -O2 -I inc -Isrc -DX=1 -D Y -U Z -isystem sys -include all.h -std=c99 -m32 -c a.c -o a.o");
        let folder = Folder::of(&["p/inc", "p/src", "p/sys"]);
        let expected = "-I p/inc -I p/src -D X=1 -D Y -U Z -isystem p/sys -include all.h -std=c99 -m32";
        assert_eq!(taken(&folder, &words, Path::new("p")).join(" "), expected);
    }

    #[test]
    fn both_forms_are_read_and_others_refused() {
        let path = Path::new("p/compile_commands.json");
        let read = |text: &str| {
            let mut folder = Folder::of(&["p/a.c"]);
            folder.0.push(("p/compile_commands.json".into(), text.into()));
            CompileCommands::read(&mut folder, path)
        };
        let commands = read(
            r#"[{"file": "a.c", "command": "cc -DA a.c"}, {"directory": ".", "file": "b.c", "arguments": ["cc", "-DB"]}]"#,
        );
        let commands = commands.unwrap();
        let flags = |file: &str| commands.flags(&Folder::of(&["p/a.c"]), Path::new(file)).map(<[String]>::to_vec);
        assert_eq!(flags("p/a.c").unwrap(), ["-D", "A"]);
        assert_eq!(flags("p/./b.c").unwrap(), ["-D", "B"]);
        assert!(matches!(flags("p/c.c"), Err(Unprepared::Input { hint: Some(_), .. })));
        for text in ["{}", "[1]", r#"[{"file": "a.c"}]"#, "["] {
            assert!(read(text).is_err(), "{text}");
        }
    }
}
