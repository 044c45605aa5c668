//! `--report DIR`: a folder with a picture of every round of refinement, and a page that shows
//! them in order. Pictures are written as rounds go by, so a run that is stopped leaves what
//! it has shown; whatever fails here, the verdict stands.

use crate::output::{Existing, write_file};
use crate::trouble::Trouble;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex};
use tamis_cegar::{Round, Rounds};
use tamis_report::rounds::{Entry, Facts, Scene, dot, page, svg};
use tamis_term::Terms;

const INDEX: &str = "index.html";

/// The folder, while it is filled.
#[derive(Debug)]
pub struct Album {
    folder: PathBuf,
    existing: Existing,
    entries: Vec<Entry>,
    /// The first thing that went wrong; nothing is written after it.
    trouble: Option<Trouble>,
}

/// The album, for the worker, who fills it, and the watcher, who closes it if need be.
pub type Shared = Arc<Mutex<Album>>;

/// Whether a file of that name is one of ours.
fn is_ours(name: &str) -> bool {
    let number = name.strip_prefix("round-").and_then(|rest| rest.strip_suffix(".dot").or(rest.strip_suffix(".svg")));
    name == INDEX || number.is_some_and(|number| !number.is_empty() && number.bytes().all(|c| c.is_ascii_digit()))
}

impl Album {
    /// Refuses early what could not be written at the end of a long run. The folder is made
    /// when there is something to put into it. `inputs` are never overwritten.
    pub fn open(folder: &Path, existing: Existing, inputs: &[&Path]) -> Result<Shared, Trouble> {
        let name = folder.display();
        let there = folder.ancestors().find(|path| !path.as_os_str().is_empty() && path.symlink_metadata().is_ok());
        if there.is_some_and(|path| !path.is_dir()) {
            return Err(Trouble::input(format!("{name} cannot be a folder: a file is in the way"))
                .hint("choose another name for the report"));
        }
        let mut found: Vec<String> = Vec::new();
        if let Ok(entries) = folder.read_dir() {
            let names = entries.flatten().map(|entry| entry.file_name().to_string_lossy().into_owned());
            found.extend(names.filter(|name| is_ours(name)));
        }
        found.sort_unstable();
        let own: Vec<PathBuf> = found.iter().filter_map(|name| folder.join(name).canonicalize().ok()).collect();
        if inputs.iter().filter_map(|input| input.canonicalize().ok()).any(|input| own.contains(&input)) {
            return Err(Trouble::input(format!("the report in {name} would overwrite an input of this run"))
                .hint("choose another folder"));
        }
        if let Some(first) = found.first().filter(|_| existing == Existing::Keep) {
            return Err(Trouble::input(format!("{} exists", folder.join(first).display()))
                .hint("choose another folder, or overwrite the report with --force"));
        }
        let album = Album { folder: folder.to_owned(), existing, entries: Vec::new(), trouble: None };
        Ok(Arc::new(Mutex::new(album)))
    }

    /// Who is shown the rounds.
    pub fn viewer(shared: &Shared) -> Rounds {
        let shared = shared.clone();
        Rounds::new(move |terms, round| {
            if let Ok(mut album) = shared.lock() {
                album.take(terms, round);
            }
        })
    }

    fn take(&mut self, terms: &Terms, round: &Round) {
        let scene = Scene::new(terms, round);
        let (file, picture) = (format!("round-{:03}", round.number), svg::render(&scene));
        self.write(&format!("{file}.dot"), &dot::render(&scene));
        self.write(&format!("{file}.svg"), &picture);
        self.entries.push(Entry::new(round, &scene, file, picture));
    }

    fn write(&mut self, name: &str, text: &str) {
        if self.trouble.is_some() {
            return;
        }
        let path = self.folder.join(name);
        let made = std::fs::create_dir_all(&self.folder)
            .map_err(|why| Trouble::input(format!("{} cannot be made: {why}", self.folder.display())));
        self.trouble = made.and_then(|()| write_file(&path, self.existing, text)).err();
    }

    /// Writes the page, and says what went wrong, if anything did.
    pub fn close(&mut self, title: &str, facts: &Facts) -> Option<Trouble> {
        let text = page(title, facts, &self.entries);
        self.write(INDEX, &text);
        self.trouble.take()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn own_files_are_known_by_their_names() {
        for (name, ours) in [
            ("index.html", true),
            ("round-001.dot", true),
            ("round-1234.svg", true),
            ("round-.svg", false),
            ("round-one.svg", false),
            ("round-001.rem", false),
            ("readme.md", false),
        ] {
            assert_eq!(is_ours(name), ours, "{name}");
        }
    }
}
