//! Collections of tasks, with what is expected of each.
//!
//! An index lists tasks in lines of columns that tabs separate: `path`, `format`, `expected`,
//! `property`, `data_model` are read, and paths are relative to the index.

use std::fs;
use std::path::{Path, PathBuf};

/// A line of an index.
#[derive(Clone, Debug)]
pub struct Task {
    /// Its path as the index has it.
    pub name: String,
    /// Where the index is.
    pub folder: PathBuf,
    /// `true`, `false`, or anything else if that is not known.
    pub expected: String,
    /// What is asked.
    pub property: String,
    /// How wide the basic types of C are, as `--data-model` has it.
    pub model: &'static str,
}

impl Task {
    /// A program of which nothing is expected.
    pub fn loose(file: &Path) -> Task {
        Task {
            name: file.display().to_string(),
            folder: PathBuf::from("."),
            expected: "?".into(),
            property: String::new(),
            model: "lp64",
        }
    }

    /// Where it is.
    pub fn file(&self) -> PathBuf {
        self.folder.join(&self.name)
    }

    /// The folder that it is in, as the index has it.
    pub fn family(&self) -> String {
        Path::new(&self.name).parent().map(|place| place.display().to_string()).unwrap_or_default()
    }

    /// Whether a verdict (`true` or `false`) contradicts what is expected.
    pub fn is_contradicted(&self, verdict: &str) -> bool {
        matches!(self.expected.as_str(), "true" | "false") && self.expected != verdict
    }

    /// The function that must not be called, if the property says it like `reach(FUNCTION/...)`.
    pub fn function(&self) -> Option<&str> {
        self.property.strip_prefix("reach(").and_then(|rest| rest.split('/').next())
    }

    /// The property file: the nearest `properties` folder has it by name; for a property like
    /// `reach(FUNCTION/...)`, one that is written into `room`.
    pub fn spec(&self, room: &Path) -> Option<PathBuf> {
        if let Some(function) = self.function() {
            let file = room.join("property.prp");
            let text = format!("CHECK( init(main()), LTL(G ! call({function}())) )\n");
            return fs::write(&file, text).is_ok().then_some(file);
        }
        let (name, path) = (format!("properties/{}.prp", self.property), self.file());
        let mut places = path.ancestors().skip(1).take_while(|place| place.starts_with(&self.folder));
        places.find_map(|place| Some(place.join(&name)).filter(|spec| spec.exists()))
    }
}

/// The tasks of an index in the formats that are wanted, whose paths start with `only`.
///
/// # Errors
/// If the index cannot be read.
pub fn tasks(index: &Path, only: &str, is_wanted: impl Fn(&str) -> bool) -> Result<Vec<Task>, String> {
    let text = fs::read_to_string(index).map_err(|why| format!("{}: {why}", index.display()))?;
    let folder = index.parent().unwrap_or(Path::new("."));
    let mut tasks = listed(&text, folder, is_wanted);
    tasks.retain(|task| task.name.starts_with(only));
    Ok(tasks)
}

fn listed(text: &str, folder: &Path, is_wanted: impl Fn(&str) -> bool) -> Vec<Task> {
    let row = |line: &str| {
        let cells: Vec<&str> = line.split('\t').collect();
        let &[name, format, expected, ref rest @ ..] = cells.as_slice() else { return None };
        let cell = |at: usize| rest.get(at).copied().unwrap_or_default();
        let model = if cell(1).eq_ignore_ascii_case("lp64") { "lp64" } else { "ilp32" };
        is_wanted(format).then(|| Task {
            name: name.into(),
            folder: folder.into(),
            expected: expected.into(),
            property: cell(0).into(),
            model,
        })
    };
    text.lines().skip(1).filter_map(row).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_index_lists_tasks_by_format() {
        let text = "path\tformat\texpected\tproperty\tdata_model\tx\na/b.c\tC\tfalse\tunreach-call\tILP32\ty\nd\tBTOR2\ttrue\tbad\t-\tz\n";
        let tasks = listed(text, Path::new("here"), |format| format == "C");
        assert_eq!(tasks.len(), 1);
        let task = &tasks[0];
        assert_eq!((task.name.as_str(), task.family().as_str(), task.model), ("a/b.c", "a", "ilp32"));
        assert_eq!((task.file(), task.function()), (PathBuf::from("here/a/b.c"), None));
        assert!(task.is_contradicted("true") && !task.is_contradicted("false"));
        assert!(!Task::loose(Path::new("b.c")).is_contradicted("true"));
    }

    #[test]
    fn a_property_may_name_a_function() {
        let task = Task { property: "reach(_TRACER_abort/ERROR label)".into(), ..Task::loose(Path::new("b.c")) };
        assert_eq!(task.function(), Some("_TRACER_abort"));
    }
}
