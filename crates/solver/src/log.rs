//! The query log: every question as a file that any solver can answer again.

use crate::scopes::Scopes;
use crate::script::question;
use crate::{Answer, Error, Limit, Solver};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use tamis_term::{Term, Terms};

/// A folder of questions, numbered from one on over all solvers that share it.
#[derive(Clone, Debug)]
pub struct QueryLog {
    folder: PathBuf,
    count: Arc<AtomicU64>,
}

impl QueryLog {
    /// A log in a folder, which must be there.
    #[must_use]
    pub fn new(folder: impl Into<PathBuf>) -> QueryLog {
        QueryLog { folder: folder.into(), count: Arc::default() }
    }

    fn next(&self) -> PathBuf {
        let number = self.count.fetch_add(1, Ordering::Relaxed) + 1;
        self.folder.join(format!("{number:04}.smt2"))
    }
}

/// A solver whose questions are written down.
pub(crate) struct Logged {
    solver: Box<dyn Solver>,
    log: QueryLog,
    facts: Scopes,
}

impl Logged {
    pub(crate) fn new(solver: Box<dyn Solver>, log: QueryLog) -> Logged {
        Logged { solver, log, facts: Scopes::default() }
    }
}

impl Solver for Logged {
    fn assert(&mut self, terms: &Terms, fact: Term) -> Result<(), Error> {
        self.solver.assert(terms, fact)?;
        self.facts.keep(fact);
        Ok(())
    }

    fn push(&mut self) {
        self.solver.push();
        self.facts.push();
    }

    fn pop(&mut self) {
        self.solver.pop();
        self.facts.pop();
    }

    /// The file is there before the question is asked, and learns its status afterwards: so it
    /// is there too if the solver takes everything down.
    fn check(&mut self, terms: &Terms, assumptions: &[Term]) -> Result<Answer<'_>, Error> {
        let facts: Vec<Term> = self.facts.facts().copied().collect();
        // What is no term of the arena is for the solver to refuse.
        if facts.iter().chain(assumptions).any(|term| term.index() >= terms.len()) {
            return self.solver.check(terms, assumptions);
        }
        let path = self.log.next();
        write(&path, &question(terms, &facts, assumptions, "unknown"))?;
        let answer = self.solver.check(terms, assumptions)?;
        let status = match &answer {
            Answer::Sat(_) => "sat",
            Answer::Unsat(_) => "unsat",
            Answer::Unknown(_) => return Ok(answer),
        };
        write(&path, &question(terms, &facts, assumptions, status))?;
        Ok(answer)
    }

    fn limit(&mut self, limit: Limit) {
        self.solver.limit(limit);
    }
}

fn write(path: &Path, text: &str) -> Result<(), Error> {
    let failed = |why| Error::Backend(format!("the query log {} cannot be written: {why}", path.display()));
    std::fs::write(path, text).map_err(failed)
}
