//! Options that are right each for itself, and not together.

use crate::options::{Verify, engine};
use std::path::Path;
use tamis_engines::{ENGINES, Engine};
use tamis_solver::choice::{BACKENDS, Chosen};

impl Verify {
    /// What is wrong with the options together, and what to do about it.
    pub fn misuse(&self) -> Option<String> {
        let engine = engine(&self.engine);
        let has_precision = |engine: &Engine| engine.can(ENGINES, |can| can.precision);
        if (self.precision_in.is_some() || self.precision_out.is_some()) && !has_precision(engine) {
            let others = ENGINES.iter().filter(|engine| has_precision(engine)).map(|engine| engine.name);
            let others = others.collect::<Vec<_>>().join(", ");
            return Some(format!(
                "--precision-in or --precision-out has no meaning for the engine {}; it is for {others}",
                engine.name
            ));
        }
        if let Err(why) = engine.check(ENGINES, &self.settings()) {
            return Some(why);
        }
        let known: Vec<&str> = BACKENDS.iter().map(|backend| backend.name).collect();
        match (Chosen::named(&self.solver), self.solver.split_whitespace().next()) {
            (Some(_), _) => None,
            (None, Some(program)) if is_there(program) => None,
            (None, Some(_) | None) => Some(format!(
                "--solver {:?} is neither auto, {} nor a command that can be started; is it installed and in PATH?",
                self.solver,
                known.join(", ")
            )),
        }
    }
}

/// Whether there is a file that a shell would start by this name.
fn is_there(program: &str) -> bool {
    let path = std::env::var_os("PATH").unwrap_or_default();
    program.contains('/') && Path::new(program).is_file()
        || !program.contains('/') && std::env::split_paths(&path).any(|folder| folder.join(program).is_file())
}

#[cfg(test)]
mod tests {
    use crate::options::{Cli, Command};
    use clap::Parser;

    #[test]
    fn what_an_engine_does_not_read_is_refused() {
        let misuse = |options: &[&str]| {
            let words = ["tamis", "verify", "a.rem"].iter().chain(options);
            match Cli::try_parse_from(words).unwrap().command {
                Command::Verify(options) => options.misuse(),
                Command::Check(_) | Command::Engines(_) | Command::Translate(_) | Command::Bench(_) => panic!("verify"),
            }
        };
        let options = ["--with", "order=breadth"];
        let heuristic = ["--interpolants", "weakest"];
        let precision = ["--precision-in", "a.precision"];
        for (engine, has_options, has_interpolants, has_precision) in [
            ("auto", true, true, true),
            ("explicit", false, false, false),
            ("pushdown-cegar", false, true, false),
            ("configurable", true, false, true),
            ("boolean", false, false, true),
        ] {
            let engine = ["--engine", engine];
            assert_eq!(misuse(&[engine, options].concat()).is_none(), has_options, "{engine:?}");
            assert_eq!(misuse(&[engine, heuristic].concat()).is_none(), has_interpolants, "{engine:?}");
            assert_eq!(misuse(&[engine, precision].concat()).is_none(), has_precision, "{engine:?}");
            assert_eq!(misuse(&engine), None);
        }
        let bounded = ["--engine", "bounded", "--with"];
        assert_eq!(misuse(&[&bounded[..], &["bound=3"]].concat()), None);
        let other = misuse(&[&bounded[..], &["blocks=single"]].concat());
        assert_eq!(other.as_deref(), Some("the engine bounded has no option blocks; it has bound"));
        assert_eq!(misuse(&["--with", "predicate.order=breadth,bound=3"]), None);
        assert!(misuse(&["--with", "explicit.order=breadth"]).is_some_and(|why| why.contains("does not race in auto")));
        assert_eq!(misuse(&["--solver", "z3"]), None);
        assert_eq!(misuse(&["--solver", "sh -c true"]), None);
        assert!(misuse(&["--solver", "no-such-solver --incremental"]).is_some());
        assert!(misuse(&["--solver", " "]).is_some());
    }
}
