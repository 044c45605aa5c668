//! The Remopla front end, through one door.

#[path = "remopla/arithmetic.rs"]
mod arithmetic;
#[path = "remopla/explore.rs"]
mod explore;
#[path = "remopla/random.rs"]
mod random;
#[path = "remopla/show.rs"]
mod show;

use std::sync::Arc;
use tamis_frontends::{Lowered, remopla};
use tamis_ir::{Diagnostic, Sources};
use tamis_term::Terms;

fn lower(text: &str) -> (Terms, Arc<Sources>, Result<Lowered, Vec<Diagnostic>>) {
    let mut sources = Sources::new();
    let id = sources.add("test.rem", text);
    let sources = Arc::new(sources);
    let mut terms = Terms::new();
    let result = remopla::lower(&mut terms, Arc::clone(&sources), id);
    (terms, sources, result)
}

#[test]
fn dump() {
    for path in std::env::var("REM").unwrap_or_default().split_whitespace() {
        println!("=== {path}");
        let text = std::fs::read_to_string(path).unwrap();
        let (terms, sources, result) = lower(&text);
        match result {
            Ok(lowered) => {
                if std::env::var("QUIET").is_err() {
                    println!("{}", show::program(&terms, &lowered.program));
                }
                println!("{}", show::diagnostics(&sources, &lowered.warnings));
                println!("{:?}", lowered.program.errors.iter().map(|p| &p.name).collect::<Vec<_>>());
            }
            Err(errors) => println!("{}", show::diagnostics(&sources, &errors)),
        }
    }
}
