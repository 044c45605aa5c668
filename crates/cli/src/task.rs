//! Task files (`.yml`) as SV-COMP and `BenchExec` define them, formats 1.0 and 2.0: the program,
//! its properties with the expected verdicts, and the data model.
//!
//! A task is resolved before anything else: it turns into the options that a user would have
//! given. Format 1.0 says nothing about the data model; its programs are written for ILP32.

use crate::input::Content;
use crate::options::{Input, Question};
use crate::trouble::Trouble;
use saphyr::{LoadableYamlNode, Yaml};
use std::path::{Path, PathBuf};
use tamis_frontends::{FRONTENDS, spec};
use tamis_ir::Sources;

/// The option that a task chooses.
const DATA_MODEL: &str = "data-model";

/// What a task file says besides the options that it stands for.
#[derive(Debug, Default, PartialEq, Eq)]
pub struct Task {
    /// What the user should know about how the task was read.
    pub notes: Vec<String>,
    /// What its author thinks of the property that is asked for.
    expected: Option<Expected>,
}

/// An expected verdict.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Expected {
    safe: bool,
    /// Which part of the property is violated, if its author says so.
    part: Option<String>,
}

/// A property of a task.
#[derive(Debug)]
struct Entry {
    file: PathBuf,
    expected: Option<Expected>,
}

impl Task {
    /// Replaces a task file by what it says. Other inputs stay as they are.
    pub fn resolve(input: &mut Input, question: Option<&mut Question>) -> Result<Task, Trouble> {
        let is_task = |path: &PathBuf| path.extension().is_some_and(|ending| ending == "yml" || ending == "yaml");
        if !input.files.iter().any(is_task) {
            return Ok(Task::default());
        }
        let [file] = input.files.as_slice() else {
            return Err(Trouble::input("a task file names the files of its program itself").hint("give it alone"));
        };
        let file = file.clone();
        let content = Content::read(&file)?;
        let wrong = |what: &str| Trouble::input(format!("{} is no task file: {what}", content.name));
        let documents = Yaml::load_from_str(content.text()?).map_err(|error| wrong(&error.to_string()))?;
        let root = documents.first().ok_or_else(|| wrong("it is empty"))?;
        let text = Text { root, folder: file.parent().unwrap_or(Path::new("")) };
        text.version().and_then(|version| text.options(input, version)).map_err(|what| wrong(&what))?;
        input.files = text.files().map_err(|what| wrong(&what))?;
        let entries = text.entries().map_err(|what| wrong(&what))?;
        Ok(question.map_or_else(Task::default, |question| choose(entries, question)))
    }

    /// What is surprising about a verdict, given its word in `false(…)` if it is unsafe.
    pub fn surprise(&self, safe: bool, kind: &str) -> Option<String> {
        let expected = self.expected.as_ref()?;
        let word = |safe: bool, part: Option<&str>| match (safe, part) {
            (true, _) => "true".to_owned(),
            (false, None) => "false".to_owned(),
            (false, Some(part)) => format!("false({part})"),
        };
        let agrees = expected.safe == safe && (safe || expected.part.as_ref().is_none_or(|part| part == kind));
        let (told, found) = (word(expected.safe, expected.part.as_deref()), word(safe, Some(kind)));
        (!agrees).then(|| format!("the task file expects {told}, and the verdict is {found}"))
    }
}

/// Puts the property file into the question: the one that the user names, or the first that can
/// be asked for.
fn choose(entries: Vec<Entry>, question: &mut Question) -> Task {
    if question.property.is_some() || question.label.is_some() {
        return Task::default();
    }
    if let Some(asked) = &question.spec {
        let same = |entry: &&Entry| match (entry.file.canonicalize(), asked.canonicalize()) {
            (Ok(one), Ok(other)) => one == other,
            (Ok(_) | Err(_), _) => entry.file == *asked,
        };
        let expected = entries.iter().find(same).and_then(|entry| entry.expected.clone());
        return Task { notes: Vec::new(), expected };
    }
    let several = entries.len() > 1;
    // If none can be asked for, the first says why.
    let at = entries.iter().position(|entry| is_supported(&entry.file)).unwrap_or(0);
    let Some(entry) = entries.into_iter().nth(at) else { return Task::default() };
    let note = format!("of the task's properties, {} is asked for; --spec chooses another", entry.file.display());
    question.spec = Some(entry.file);
    Task { notes: if several { vec![note] } else { Vec::new() }, expected: entry.expected }
}

fn is_supported(file: &Path) -> bool {
    let Ok(content) = Content::read(file) else { return false };
    let Ok(text) = content.text() else { return false };
    let mut sources = Sources::new();
    let source = sources.add("", text);
    spec::parse(&sources, source).is_ok()
}

/// The first number of a format's version.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Version {
    One,
    Two,
}

/// The text of a task file. What is wrong with it is a phrase.
struct Text<'t> {
    root: &'t Yaml<'t>,
    folder: &'t Path,
}

impl Text<'_> {
    fn version(&self) -> Result<Version, String> {
        let version = self.root.as_mapping_get("format_version").ok_or("it has no format_version")?;
        let number = version.as_str().and_then(|text| text.parse().ok()).or(version.as_floating_point());
        match number {
            Some(number) if (1.0..2.0).contains(&number) => Ok(Version::One),
            Some(number) if (2.0..3.0).contains(&number) => Ok(Version::Two),
            Some(_) | None => Err("its format_version is neither 1.0 nor 2.0".into()),
        }
    }

    fn option(&self, name: &str) -> Option<&str> {
        self.root.as_mapping_get("options")?.as_mapping_get(name)?.as_str()
    }

    /// The language, which is C if none is named, and the data model, unless the user chose others.
    fn options(&self, input: &mut Input, version: Version) -> Result<(), String> {
        let language = self.option("language").unwrap_or("C");
        let reads = |text: &str| FRONTENDS.iter().find(|frontend| frontend.name.eq_ignore_ascii_case(text));
        let frontend = reads(language).filter(|frontend| frontend.options.has(DATA_MODEL));
        let frontend = frontend.ok_or_else(|| format!("its language is {language}, and only tasks in C are read"))?;
        let model = match (self.option("data_model"), version) {
            (Some(name), _) => {
                let model = name.to_lowercase();
                let known = frontend.options.check(DATA_MODEL, &model);
                Some(known.map(|()| model).map_err(|_| format!("there is no data model {name}"))?)
            }
            (None, Version::One) => Some("ilp32".to_owned()),
            (None, Version::Two) => None,
        };
        let language = input.language.get_or_insert_with(|| frontend.name.into());
        if let Some(model) = model.filter(|_| language == frontend.name) {
            input.chosen.about_mut(frontend).default_to(DATA_MODEL, model);
        }
        Ok(())
    }

    /// The files of the program. A task for validators lists the witness among them.
    fn files(&self) -> Result<Vec<PathBuf>, String> {
        let witness = self.option("witness_input_file");
        let given = self.root.as_mapping_get("input_files").ok_or("it has no input_files")?;
        let names = strings(given).ok_or("its input_files are no list of names")?;
        if let Some(pattern) = names.iter().find(|name| name.contains(['*', '?', '['])) {
            return Err(format!("it names its input files by the pattern {pattern}, and only names are read"));
        }
        let files: Vec<PathBuf> =
            names.iter().filter(|name| Some(**name) != witness).map(|name| self.folder.join(name)).collect();
        if files.is_empty() { Err("it has no input files".into()) } else { Ok(files) }
    }

    fn entries(&self) -> Result<Vec<Entry>, String> {
        let Some(list) = self.root.as_mapping_get("properties") else { return Ok(Vec::new()) };
        let list = list.as_sequence().ok_or("its properties are no list")?;
        let entry = |entry: &Yaml<'_>| {
            let file = entry.as_mapping_get("property_file").and_then(Yaml::as_str);
            let file = self.folder.join(file.ok_or("one of its properties has no property_file")?);
            let safe = entry.as_mapping_get("expected_verdict").and_then(Yaml::as_bool);
            let part = entry.as_mapping_get("subproperty").and_then(Yaml::as_str).map(str::to_owned);
            Ok(Entry { file, expected: safe.map(|safe| Expected { safe, part }) })
        };
        list.iter().map(entry).collect()
    }
}

/// One string, or a list of strings.
fn strings<'t>(node: &'t Yaml<'t>) -> Option<Vec<&'t str>> {
    if let Some(one) = node.as_str() {
        return Some(vec![one]);
    }
    node.as_sequence()?.iter().map(Yaml::as_str).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::languages::Chosen;
    use tamis_frontends::by_name;
    use tempfile::TempDir;

    const REACH: &str = "CHECK( init(main()), LTL(G ! call(reach_error())) )";
    const ENDS: &str = "CHECK( init(main()), LTL(F end) )";

    /// What a task file turns into, in a folder with two property files.
    fn resolve(text: &str, spec: Option<&str>) -> (TempDir, Result<(Input, Question, Task), String>) {
        let folder = tempfile::tempdir().unwrap();
        let path = |name: &str| folder.path().join(name);
        for (name, text) in [("task.yml", text), ("reach.prp", REACH), ("ends.prp", ENDS)] {
            std::fs::write(path(name), text).unwrap();
        }
        let mut input = Input { files: vec![path("task.yml")], language: None, chosen: Chosen::default() };
        let mut question = Question { property: None, label: None, spec: spec.map(path) };
        let task = Task::resolve(&mut input, Some(&mut question));
        let resolved = match task {
            Ok(task) => Ok((input, question, task)),
            Err(Trouble::Input { message, .. }) => Err(message),
            Err(other) => panic!("{other:?}"),
        };
        (folder, resolved)
    }

    /// The data model that was chosen.
    fn model(input: &Input) -> Option<String> {
        input.chosen.about(by_name("c").unwrap()).get(DATA_MODEL).map(str::to_owned)
    }

    const OLD: &str = "
format_version: '1.0'
input_files: 'a.c'
properties:
  - property_file: ends.prp
    expected_verdict: true
  - property_file: reach.prp
    expected_verdict: false
";

    #[test]
    fn the_old_format_is_for_32_bits_and_the_first_known_property_is_asked_for() {
        let (folder, resolved) = resolve(OLD, None);
        let (input, question, task) = resolved.unwrap();
        assert_eq!(input.files, [folder.path().join("a.c")]);
        assert_eq!((input.language.as_deref(), model(&input).as_deref()), (Some("c"), Some("ilp32")));
        assert_eq!(question.spec, Some(folder.path().join("reach.prp")));
        assert_eq!(task.notes.len(), 1);
        assert_eq!(task.surprise(false, "unreach-call"), None);
        let surprise = "the task file expects false, and the verdict is true";
        assert_eq!(task.surprise(true, "").as_deref(), Some(surprise));
    }

    #[test]
    fn the_user_chooses_the_property() {
        let (_folder, resolved) = resolve(OLD, Some("ends.prp"));
        let (_, _, task) = resolved.unwrap();
        assert_eq!(task.surprise(true, ""), None);
        assert!(task.surprise(false, "unreach-call").is_some());
    }

    #[test]
    fn the_new_format_says_more() {
        let text = "
format_version: '2.0'
input_files: [a.c, sub/b.i, w.yml]
properties:
  - {property_file: reach.prp, expected_verdict: false, subproperty: valid-deref}
options: {language: C, data_model: LP64, witness_input_file: w.yml}
";
        let (folder, resolved) = resolve(text, None);
        let (input, _, task) = resolved.unwrap();
        assert_eq!(input.files, ["a.c", "sub/b.i"].map(|name| folder.path().join(name)));
        assert_eq!((model(&input).as_deref(), task.notes.len()), (Some("lp64"), 0));
        assert_eq!(task.surprise(false, "valid-deref"), None);
        let surprise = "the task file expects false(valid-deref), and the verdict is false(valid-free)";
        assert_eq!(task.surprise(false, "valid-free").as_deref(), Some(surprise));
    }

    #[test]
    fn what_is_wrong_is_said() {
        let head = "format_version: '2.0'\n";
        // Each list has nine times the elements of the one before.
        let lists = (1..12).map(|n| format!("a{n}: &a{n} [{}]", vec![format!("*a{}", n - 1); 9].join(", ")));
        let bomb = ["a0: &a0 [x, x]".to_owned()].into_iter().chain(lists).collect::<Vec<_>>().join("\n");
        for (text, expected) in [
            ("", "it is empty"),
            ("[", "is no task file"),
            ("input_files: a.c", "no format_version"),
            ("format_version: '3.0'\ninput_files: a.c", "neither 1.0 nor 2.0"),
            (head, "no input_files"),
            (&format!("{head}input_files: []"), "no input files"),
            (&format!("{head}input_files: {{a: b}}"), "no list of names"),
            (&format!("{head}input_files: '*.c'"), "the pattern *.c"),
            (&format!("{head}input_files: a.java\noptions: {{language: Java}}"), "its language is Java"),
            (&format!("{head}input_files: a.c\noptions: {{data_model: LLP64}}"), "there is no data model LLP64"),
            (&format!("{head}input_files: a.c\nproperties: 3"), "no list"),
            (&format!("{head}input_files: a.c\nproperties: [{{}}]"), "no property_file"),
            (&bomb, "is no task file"),
        ] {
            let (_folder, resolved) = resolve(text, None);
            let message = resolved.map(|_| ()).unwrap_err();
            assert!(message.contains(expected), "{message}");
        }
    }
}
