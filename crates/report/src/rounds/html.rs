//! All rounds on a page that needs nothing else: no network, no scripts.

use super::escaped;
use super::scene::Scene;
use crate::style::{count, one_line};
use std::fmt::Write as _;

/// How many bytes of pictures the page holds itself; further ones are linked to.
const MAX_INLINE: usize = 16 << 20;

const STYLE: &str = "\
body{font:15px/1.45 system-ui,sans-serif;color:#1b1f24;background:#fff;margin:2em auto;max-width:1200px;padding:0 1em}\
h1{font-size:1.4em}h2{font-size:1.1em;margin-top:2em}table{border-collapse:collapse}\
td,th{padding:.15em .9em .15em 0;text-align:left;vertical-align:top}td{font-variant-numeric:tabular-nums}\
.picture{overflow-x:auto;border:1px solid #d7dce3;border-radius:6px}.real{color:#b3261e}";

/// What the page says about a run: names and values, in order.
pub type Facts = Vec<(String, String)>;

/// A round on the page.
#[derive(Clone, Debug)]
pub struct Entry {
    /// Counted from 1.
    pub number: u64,
    /// What it shows.
    pub title: String,
    /// Whether the counterexample was real.
    pub real: bool,
    /// How many predicates there are after it, and how many are new.
    pub predicates: (usize, usize),
    /// The files with its pictures, without their endings.
    pub file: String,
    /// The picture.
    pub svg: String,
}

impl Entry {
    /// A round that was drawn.
    #[must_use]
    pub fn new(round: &tamis_cegar::Round, scene: &Scene, file: String, svg: String) -> Entry {
        let all = round.lists.iter().map(|list| list.predicates.len()).sum();
        let new = round.lists.iter().map(|list| list.new).sum();
        Entry { number: round.number, title: scene.title.clone(), real: round.real, predicates: (all, new), file, svg }
    }
}

/// The page.
#[must_use]
pub fn page(title: &str, facts: &Facts, entries: &[Entry]) -> String {
    let title = escaped(&one_line(title));
    let mut text = format!(
        "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n<title>{title}</title>\n\
         <style>{STYLE}</style>\n</head>\n<body>\n<h1>{title}</h1>\n<table>\n"
    );
    for (name, value) in facts {
        let (name, value) = (escaped(name), escaped(&one_line(value)));
        let _ = writeln!(text, "<tr><th>{name}</th><td>{value}</td></tr>");
    }
    text.push_str("</table>\n");
    if entries.is_empty() {
        text.push_str("<p>No round of refinement was shown: the engine needed none, does not refine, or does not draw its rounds (pushdown-cegar does).</p>\n");
    } else {
        overview(&mut text, entries);
    }
    let mut room = MAX_INLINE;
    for entry in entries {
        picture(&mut text, entry, &mut room);
    }
    text.push_str("</body>\n</html>\n");
    text
}

/// A table of the rounds.
fn overview(text: &mut String, entries: &[Entry]) {
    text.push_str(
        "<h2>Rounds</h2>\n<table>\n<tr><th>round</th><th>counterexample</th><th>predicates</th><th>new</th></tr>\n",
    );
    for entry in entries {
        let (number, (all, new)) = (entry.number, entry.predicates);
        let (class, word) = if entry.real { ("real", "real") } else { ("", "spurious") };
        let (all, new) = (count(all as u64), count(new as u64));
        let _ = writeln!(
            text,
            "<tr><td><a href=\"#round-{number}\">{number}</a></td><td class=\"{class}\">{word}</td><td>{all}</td>\
             <td>{new}</td></tr>"
        );
    }
    text.push_str("</table>\n");
}

fn picture(text: &mut String, entry: &Entry, room: &mut usize) {
    let (number, file, title) = (entry.number, escaped(&entry.file), escaped(&entry.title));
    let _ = writeln!(text, "<h2 id=\"round-{number}\">{title}</h2>");
    let _ = writeln!(text, "<p><a href=\"{file}.svg\">{file}.svg</a>, <a href=\"{file}.dot\">{file}.dot</a></p>");
    if entry.svg.len() <= *room {
        *room -= entry.svg.len();
        let _ = writeln!(text, "<div class=\"picture\">\n{}</div>", entry.svg);
    }
}
