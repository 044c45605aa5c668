//! The README and the page on circuits are true: their console blocks are run, and must print what
//! they show.

use std::path::Path;
use std::process::Command;

/// Times and memory differ from run to run, and sizes of decision diagrams with every change
/// of their order.
fn masked(text: &str) -> String {
    let line = |line: &str| {
        let words = line.split(' ').map(|word| {
            let number = word.trim_end_matches(',');
            if number.contains('.') && number.parse::<f64>().is_ok() { "TIME".to_owned() } else { word.to_owned() }
        });
        let mut words: Vec<String> = words.collect();
        for at in 1..words.len() {
            if words[at].starts_with("MB") || words[at].starts_with("node") {
                words[at - 1] = "SIZE".into();
            }
        }
        words.join(" ").trim_end().to_owned()
    };
    text.lines().map(line).collect::<Vec<_>>().join("\n")
}

/// Runs the blocks of a page, and tells how many there are.
fn check(page: &str) -> usize {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let readme = std::fs::read_to_string(root.join(page)).expect("the page");
    let mut blocks = 0;
    for block in readme.split("```console\n").skip(1) {
        let (block, _) = block.split_once("\n```").expect("a closed block");
        let (command, expected) = block.split_once('\n').expect("a command and its output");
        let words: Vec<&str> = command.strip_prefix("$ tamis ").expect("a tamis command").split_whitespace().collect();
        let output = Command::new(env!("CARGO_BIN_EXE_tamis")).args(&words).current_dir(&root).output().expect("runs");
        let printed = String::from_utf8_lossy(&[output.stderr, output.stdout].concat()).into_owned();
        assert_eq!(
            masked(&printed),
            masked(expected),
            "{page} shows another output of `{command}`: paste the real one"
        );
        blocks += 1;
    }
    blocks
}

#[test]
fn console_blocks_of_the_readme_are_real() {
    assert!(check("README.md") >= 3, "the README shows real runs");
}

#[test]
fn console_blocks_of_the_page_on_circuits_are_real() {
    assert_eq!(check("docs/hardware.md"), 2);
}
