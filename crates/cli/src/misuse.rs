//! Options that are right each for itself, and not together.

use crate::options::{Verify, engine};
use std::path::Path;
use tamis_engines::{ENGINES, Engine};
use tamis_solver::choice::{BACKENDS, Chosen};

/// Whether an engine reads an option.
type Reads = fn(&Engine) -> bool;

impl Verify {
    /// What is wrong with the options together, and what to do about it.
    pub fn misuse(&self) -> Option<String> {
        let engine = engine(&self.engine);
        let precision = self.precision_in.is_some() || self.precision_out.is_some();
        let given: [(&str, bool, Reads); 3] = [
            ("--with", !self.with.0.is_empty(), Engine::has_parts),
            ("--interpolants", self.interpolants.is_some(), Engine::has_interpolants),
            ("--precision-in or --precision-out", precision, Engine::has_precision),
        ];
        if let Some((option, _, reads)) = given.iter().find(|(_, given, reads)| *given && !reads(engine)) {
            let others: Vec<&str> = ENGINES.iter().filter(|engine| reads(engine)).map(|engine| engine.name).collect();
            let others = others.join(", ");
            return Some(format!("{option} has no meaning for the engine {}; it is for {others}", engine.name));
        }
        let parts: Vec<&str> = engine.parts().iter().map(|(name, _, _)| *name).collect();
        if let Some((other, _)) =
            self.with.0.iter().find(|(name, _)| !parts.is_empty() && !parts.contains(&name.as_str()))
        {
            return Some(format!("the engine {} has no part {other}; it has {}", engine.name, parts.join(", ")));
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
        let parts = ["--with", "order=breadth"];
        let heuristic = ["--interpolants", "weakest"];
        let precision = ["--precision-in", "a.precision"];
        for (engine, has_parts, has_interpolants, has_precision) in [
            ("auto", true, true, true),
            ("explicit", false, false, false),
            ("pushdown-cegar", false, true, false),
            ("configurable", true, false, true),
            ("boolean", false, false, true),
        ] {
            let engine = ["--engine", engine];
            assert_eq!(misuse(&[engine, parts].concat()).is_none(), has_parts, "{engine:?}");
            assert_eq!(misuse(&[engine, heuristic].concat()).is_none(), has_interpolants, "{engine:?}");
            assert_eq!(misuse(&[engine, precision].concat()).is_none(), has_precision, "{engine:?}");
            assert_eq!(misuse(&engine), None);
        }
        let bounded = ["--engine", "bounded", "--with"];
        assert_eq!(misuse(&[&bounded[..], &["bound=3"]].concat()), None);
        let other = misuse(&[&bounded[..], &["blocks=single"]].concat());
        assert_eq!(other.as_deref(), Some("the engine bounded has no part blocks; it has bound"));
        assert_eq!(misuse(&["--solver", "z3"]), None);
        assert_eq!(misuse(&["--solver", "sh -c true"]), None);
        assert!(misuse(&["--solver", "no-such-solver --incremental"]).is_some());
        assert!(misuse(&["--solver", " "]).is_some());
    }
}
