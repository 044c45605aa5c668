//! The harness as a file for people: it says at its top how to use it.

use super::chance::{ANY, Chance};
use super::error::MEMORY;
use super::plan::{Additions, Plan};
use super::text::body;
use super::{Build, Case, REACHED, Unit};
use crate::style::one_line;

/// The harness for a run, as a file that says how to use it; and the first value that matters
/// although the harness does not give it.
#[must_use]
pub fn render(case: &Case<'_>, build: &Build) -> (String, Option<Chance>) {
    let units = copied_texts(case, build);
    let plan = Plan::new(case, build, &units);
    (introduction(case, &plan, build, &units) + &body(&plan), plan.left_to_chance(case, ANY))
}

/// The units with the texts that copies are made of: as they are written, unless something that is
/// needed comes from a header or a macro.
fn copied_texts(case: &Case<'_>, build: &Build) -> Vec<Unit> {
    let read: Vec<Unit> = build.units.iter().map(Unit::preprocessed).collect();
    let (written, preprocessed) = (Plan::new(case, build, &build.units), Plan::new(case, build, &read));
    let plans = written.additions.iter().zip(&preprocessed.additions);
    let fits = plans.map(|(written, preprocessed)| written.edits.len() == preprocessed.edits.len());
    let choose = |((unit, read), fits): ((&Unit, Unit), bool)| if fits { unit.clone() } else { read };
    build.units.iter().zip(read).zip(fits).map(choose).collect()
}

/// What the file is, and how to use it.
fn introduction(case: &Case<'_>, plan: &Plan<'_>, build: &Build, units: &[Unit]) -> String {
    let about = &case.program.property(case.property).about;
    let mut lines = vec![
        format!("Made by Tamis {}. The error: {}.", crate::json::VERSION, one_line(about)),
        "With this file, the program runs into it:".to_owned(),
        String::new(),
    ];
    lines.extend(commands(case, plan, build, units).into_iter().map(|command| format!("    {command}")));
    lines.push(String::new());
    lines.push(match plan.error.hidden() {
        Some(why) => format!("But it cannot be seen: {why}."),
        None => format!("prints \"tamis: error reached\" and ends with exit code {REACHED}."),
    });
    lines.push("What the program reads without having written it is left to chance.".to_owned());
    // Names of files may contain anything.
    let harmless = |line: String| line.replace(char::is_control, " ").replace("*/", "* /").replace("/*", "/ *");
    let lines: Vec<String> =
        lines.into_iter().map(|line| format!(" * {}", harmless(line)).trim_end().to_owned()).collect();
    format!("/*\n{}\n */\n", lines.join("\n"))
}

/// The commands that compile the program with the harness, and run it. A file that needs more than
/// it says is copied first.
fn commands(case: &Case<'_>, plan: &Plan<'_>, build: &Build, units: &[Unit]) -> Vec<String> {
    let error = &plan.error;
    let narrow: &[&str] = if build.narrow { &["-m32"] } else { &[] };
    let flags: Vec<String> = build.flags.iter().map(|flag| quoted(flag)).collect();
    let preprocess = ["cc -E"].iter().chain(narrow).map(|word| (*word).to_owned()).chain(flags.iter().cloned());
    let preprocess = preprocess.collect::<Vec<_>>().join(" ");
    let (mut commands, mut files, mut objects) = (Vec::new(), Vec::new(), Vec::new());
    for ((unit, own), additions) in units.iter().zip(&build.units).zip(&plan.additions) {
        let stem = unit.name.rsplit('/').next().unwrap_or(&unit.name);
        let stem = stem.rsplit_once('.').map_or(stem, |(stem, _)| stem);
        if additions.edits.is_empty() && additions.appendix.is_empty() {
            files.push(quoted(&unit.name));
            objects.push(quoted(&format!("{stem}.o")));
        } else {
            let copy = format!("{stem}.copy.c");
            let read = if unit.text == own.text { "cat" } else { &preprocess };
            commands.push(format!("{} > {}", copied(unit, additions, read), quoted(&copy)));
            let folder = unit.name.rsplit_once('/').map_or(".", |(folder, _)| folder);
            files.extend([format!("-iquote {}", quoted(folder)), quoted(&copy)]);
            objects.push(quoted(&format!("{stem}.copy.o")));
        }
    }
    let library: &[&str] = if error.needs_library() { &[MEMORY] } else { &[] };
    let compile = ["cc", "-c", "-g"].iter().chain(error.flags()).chain(narrow).map(|word| (*word).to_owned());
    commands.push(compile.chain(flags).chain(files).collect::<Vec<_>>().join(" "));
    let link = ["cc"].iter().chain(library).chain(narrow).map(|word| (*word).to_owned());
    let link = link.chain(objects).chain([quoted(&build.harness), "-o harness".to_owned()]);
    commands.push(link.collect::<Vec<_>>().join(" "));
    commands.push(["./harness".to_owned()].into_iter().chain(case.arguments()).collect::<Vec<_>>().join(" "));
    commands
}

/// A command that prints a copy of a file, which `read` prints, with what it needs more.
fn copied(unit: &Unit, additions: &Additions, read: &str) -> String {
    let place = |at: usize| {
        let before = &unit.text[..at];
        let start = before.rfind('\n').map_or(0, |end| end + 1);
        (before.matches('\n').count() + 1, at - start)
    };
    // From the end, so that columns stay what they are.
    let edits = additions.edits.iter().rev().map(|edit| {
        let (line, column) = place(edit.at);
        let text = edit.text.replace('\\', "\\\\").replace('&', "\\&").replace('/', "\\/");
        format!(" -e {}", quoted(&format!("{line}s/^.\\{{{column}\\}}/&{text}/")))
    });
    let edits: String = edits.collect();
    let edits = if edits.is_empty() { edits } else { format!(" | LC_ALL=C sed{edits}") };
    let copy = format!("{read} {}{edits}", quoted(&unit.name));
    let lines = additions.appendix.lines().map(|line| format!("; echo {}", quoted(line)));
    let lines: String = lines.collect();
    if lines.is_empty() { copy } else { format!("({copy}{lines})") }
}

/// A word for the shell.
pub(super) fn quoted(word: &str) -> String {
    let plain = |c: char| c.is_ascii_alphanumeric() || "_-./=+,:@%".contains(c);
    if !word.is_empty() && word.chars().all(plain) {
        word.to_owned()
    } else {
        format!("'{}'", word.replace('\'', "'\\''"))
    }
}
