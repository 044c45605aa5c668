//! `--report`: a folder with pictures, never overwritten unasked, and never in the verdict's way.

use crate::Place;

const SAFE: &str = "\
define DEFAULT_INT_BITS 2
int g;
module void set();
init main;
module void set() { g = 1; }
module void main() {
  set();
  if
  :: g != 1 -> goto error;
  :: else -> skip;
  fi
  return;
  error: skip;
}
";

const RUN: &str = "verify a.rem --engine pushdown-cegar --report pictures/of/a";

#[test]
fn a_report_has_a_page_and_a_picture_of_each_round() {
    let place = Place::new(&[("a.rem", SAFE)]);
    let ran = place.run(RUN);
    assert_eq!(ran.ends(0, &[" refinement"]).last(), "true");
    let page = place.read("pictures/of/a/index.html");
    for expected in ["<h1>a.rem</h1>", "<td>true</td>", "pushdown-cegar", "id=\"round-1\"", "</svg>", "</html>"] {
        assert!(page.contains(expected), "{expected}\n{page}");
    }
    assert!(place.read("pictures/of/a/round-001.svg").ends_with("</svg>\n"));
    assert!(place.read("pictures/of/a/round-001.dot").starts_with("digraph round {\n"));
}

#[test]
fn reports_are_not_overwritten_unasked() {
    let place = Place::new(&[("a.rem", SAFE)]);
    place.run(RUN).ends(0, &[]);
    let before = place.read("pictures/of/a/index.html");
    place.run(RUN).ends(2, &["index.html exists", "--force"]);
    assert_eq!(place.read("pictures/of/a/index.html"), before);
    place.run(&format!("{RUN} --force")).ends(0, &[]);
    // Other files do not matter, and stay.
    place.write("notes.txt", b"mine");
    place.run("verify a.rem --engine pushdown-cegar --report .").ends(0, &[]);
    assert_eq!(place.read("notes.txt"), "mine");
}

#[test]
fn inputs_are_never_overwritten() {
    let place = Place::new(&[("index.html", SAFE)]);
    let run = "verify index.html --language remopla --engine pushdown-cegar --report . --force";
    place.run(run).ends(2, &["would overwrite an input"]);
    assert_eq!(place.read("index.html"), SAFE);
}

#[test]
fn a_file_in_the_way_is_refused_early() {
    let place = Place::new(&[("a.rem", SAFE), ("file", "")]);
    for folder in ["file", "file/below"] {
        place.run(&format!("verify a.rem --report {folder}")).ends(2, &["a file is in the way"]);
    }
}

#[cfg(unix)]
#[test]
fn a_folder_that_cannot_be_made_leaves_the_verdict() {
    let place = Place::new(&[("a.rem", SAFE)]);
    let ran = place.run("verify a.rem --engine pushdown-cegar --report /proc/none/here");
    assert_eq!(ran.ends(0, &["cannot be made"]).last(), "true");
}

#[test]
fn engines_without_rounds_have_a_page_that_says_so() {
    let place = Place::new(&[("a.rem", SAFE)]);
    place.run("verify a.rem --engine explicit --report r").ends(0, &["explicit draws no rounds", "pushdown-cegar"]);
    assert!(place.read("r/index.html").contains("No round of refinement was shown"));
    place.run("verify a.rem --force").ends(1, &["--force"]);
}
