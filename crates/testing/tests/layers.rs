//! The layers of the workspace, as the two tables in ARCHITECTURE.md (section Layers) say them: on
//! which crates each crate depends, and what some parts use nothing of.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

fn read(path: &Path) -> String {
    fs::read_to_string(path).unwrap_or_else(|why| panic!("{}: {why}", path.display()))
}

/// The rows of the table below a heading: for each cell, what stands in backquotes.
fn table(heading: &str) -> Vec<[Vec<String>; 2]> {
    let text = read(&root().join("ARCHITECTURE.md"));
    let rows = text.lines().skip_while(|line| !line.starts_with(heading)).skip(2);
    let quoted = |cell: &str| cell.split('`').skip(1).step_by(2).map(str::to_owned).collect::<Vec<String>>();
    let row = |line: &str| {
        let cells: Vec<&str> = line.trim_matches('|').split('|').collect();
        [quoted(cells[0]), quoted(cells.get(1).copied().unwrap_or_default())]
    };
    let found: Vec<_> = rows.take_while(|line| line.starts_with('|')).map(row).collect();
    assert!(found.len() > 3, "ARCHITECTURE.md has a table below `{heading}`");
    found
}

/// The crates of this workspace on which a crate depends, tests aside.
fn dependencies(manifest: &str) -> BTreeSet<String> {
    let lines = manifest.lines().skip_while(|line| *line != "[dependencies]").skip(1);
    let lines = lines.take_while(|line| !line.starts_with('['));
    let name = |line: &str| line.strip_prefix("tamis-")?.split(['.', ' ', '=']).next().map(str::to_owned);
    lines.filter_map(name).collect()
}

#[test]
fn crates_depend_on_what_the_table_says() {
    let said: BTreeMap<String, BTreeSet<String>> = table("| crate | depends on |")
        .into_iter()
        .map(|[name, on]| (name.concat(), on.into_iter().collect()))
        .collect();
    let mut found = BTreeMap::new();
    for entry in fs::read_dir(root().join("crates")).expect("there are crates") {
        let folder = entry.expect("readable").path();
        let name = folder.file_name().expect("a folder").to_string_lossy().into_owned();
        found.insert(name, dependencies(&read(&folder.join("Cargo.toml"))));
    }
    assert_eq!(said, found, "left: the table in ARCHITECTURE.md; right: the manifests. Change what is wrong of both");
}

/// All source files below a path, which may be that of a file or a folder, without `mod.rs` or `.rs`.
fn sources(path: &Path) -> Vec<PathBuf> {
    let mut found = Vec::new();
    let mut waiting = vec![path.to_owned(), path.with_extension("rs")];
    while let Some(path) = waiting.pop() {
        if path.is_dir() {
            waiting.extend(fs::read_dir(&path).expect("readable").map(|entry| entry.expect("readable").path()));
        } else if path.extension().is_some_and(|ending| ending == "rs") && path.is_file() {
            found.push(path);
        }
    }
    found
}

/// All paths of a `use` with braces.
fn paths(tree: &str) -> Vec<String> {
    let Some((front, rest)) = tree.split_once('{') else { return vec![tree.trim().to_owned()] };
    let inner = rest.rsplit_once('}').map_or(rest, |(inner, _)| inner);
    let (mut depth, mut parts) = (0, vec![String::new()]);
    for c in inner.chars() {
        depth += i32::from(c == '{') - i32::from(c == '}');
        if c == ',' && depth == 0 {
            parts.push(String::new());
        } else {
            parts.last_mut().expect("there is one").push(c);
        }
    }
    parts.iter().flat_map(|part| paths(part)).map(|part| format!("{}{part}", front.trim())).collect()
}

/// Whether code says the path, by `use` or in place.
fn says(code: &str, path: &str) -> bool {
    let is = |found: &str| found == path || found.strip_prefix(path).is_some_and(|rest| rest.starts_with("::"));
    let mut uses = code.split("\nuse ").skip(1).filter_map(|rest| rest.split_once(';'));
    let ends = |rest: &str| !rest.starts_with(|c: char| c.is_alphanumeric() || c == '_');
    uses.any(|(tree, _)| paths(tree).iter().any(|found| is(found)))
        || code.match_indices(path).any(|(at, _)| ends(&code[at + path.len()..]))
}

fn without_comments(text: &str) -> String {
    let code = text.lines().map(|line| line.split_once("//").map_or(line, |(code, _)| code).trim_start());
    "\n".to_owned() + &code.collect::<Vec<&str>>().join("\n").replace("\npub use ", "\nuse ")
}

#[test]
fn parts_use_nothing_of_what_the_table_says() {
    let mut wrong = Vec::new();
    for [parts, forbidden] in table("| part | uses nothing of |") {
        for part in parts {
            let files = sources(&root().join(&part));
            assert!(!files.is_empty(), "ARCHITECTURE.md speaks of {part}, which is not there");
            for file in files {
                let code = without_comments(&read(&file));
                wrong
                    .extend(forbidden.iter().filter(|path| says(&code, path)).map(|path| (file.clone(), path.clone())));
            }
        }
    }
    assert!(wrong.is_empty(), "layers that ARCHITECTURE.md forbids: {wrong:#?}");
}

#[test]
fn uses_are_understood() {
    let code = without_comments("use crate::{Engine, driver::{self, after}}; // crate::auto\npub use tamis_ir::Op;\n");
    for (path, expected) in [
        ("crate::driver", true),
        ("crate::Engine", true),
        ("crate::auto", false),
        ("crate::drive", false),
        ("tamis_ir", true),
        ("tamis_i", false),
    ] {
        assert_eq!(says(&code, path), expected, "{path}");
    }
    assert!(says("\nlet x = crate::driver::after(y);", "crate::driver"));
}
