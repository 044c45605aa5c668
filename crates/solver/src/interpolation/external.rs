//! Interpolating solvers as processes: `SMTInterpol` (Christ, Hoenicke, Nutz, SPIN 2012),
//! `OpenSMT`, `MathSAT`, cvc5, and Z3 up to 4.7 (`McMillan`, Interpolants from Z3 Proofs, FMCAD
//! 2011).
//!
//! There is no common language: each has commands of its own, which its name tells. What they
//! say is not trusted.

use super::{Interpolation, Interpolator, Parts};
use crate::limit::Clock;
use crate::pipe::{Command, Conversation, End, explain};
use crate::script::{declaration, formula, fresh_name, logic};
use crate::{Chosen, Error, Solvers, Why};
use std::fmt::Write;
use std::time::Duration;
use tamis_term::smtlib::encode;
use tamis_term::{Reader, Sort, Term, Terms};

/// How long a solver may take if nobody says.
const PATIENCE: Duration = Duration::from_secs(20);

/// What every solver is told first.
const OPTIONS: &str = "(set-option :print-success false)\n(set-option :produce-interpolants true)\n";

/// The solver that the user chose, as a source of interpolants.
#[derive(Debug)]
pub struct External {
    solvers: Solvers,
    clock: Clock,
}

/// Whose commands are spoken.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Dialect {
    /// `(get-interpolants a (b) c)`, for trees: `SMTInterpol`, `OpenSMT`.
    Trees,
    /// `(compute-interpolant (and (interp A) B))`, for trees: Z3 up to 4.7.
    Nested,
    /// `(get-interpolant (a b))`, for one node and all below it: `MathSAT`.
    Groups,
    /// `(get-interpolant name B)`, for two formulas: cvc5.
    Pairs,
}

/// The words in a command by which its dialect is known.
const DIALECTS: &[(&str, Dialect)] = &[
    ("smtinterpol", Dialect::Trees),
    ("opensmt", Dialect::Trees),
    ("mathsat", Dialect::Groups),
    ("cvc5", Dialect::Pairs),
    ("z3", Dialect::Nested),
];

impl External {
    /// The source, which asks the solver that is chosen as a command.
    #[must_use]
    pub fn new(solvers: Solvers) -> External {
        External { clock: Clock::new(solvers.stop.clone()), solvers }
    }

    /// The chosen command, and its dialect.
    fn chosen(&self) -> Result<(&str, Dialect), Why> {
        let Chosen::Command(command) = &self.solvers.chosen else {
            return Err(Why::Unsupported("interpolation unless a solver's command is chosen".to_owned()));
        };
        let lower = command.to_lowercase();
        match DIALECTS.iter().find(|(name, _)| lower.contains(name)) {
            Some((_, dialect)) => Ok((command, *dialect)),
            None => Err(Why::Unsupported(format!("interpolation by `{command}`"))),
        }
    }
}

impl Interpolator for External {
    fn name(&self) -> &'static str {
        "external"
    }

    fn interpolate(&mut self, terms: &mut Terms, parts: &Parts) -> Result<Interpolation, Error> {
        parts.check(terms)?;
        let (command, dialect) = match self.chosen() {
            Ok(chosen) => chosen,
            Err(why) => return Ok(Interpolation::Unknown(why)),
        };
        self.clock.begin(Some(self.solvers.limit.time.unwrap_or(PATIENCE)));
        if self.clock.is_set() {
            return Ok(Interpolation::Unknown(Why::Interrupted));
        }
        let mut task = Task { terms, parts, children: parts.children(), clock: &self.clock };
        let line = Command::split(command);
        match Conversation::start(&line).and_then(|mut solver| task.run(dialect, &mut solver)) {
            Ok(Ok(found)) => Ok(found),
            Ok(Err(said)) => {
                let said: String = said.chars().take(200).collect();
                Ok(Interpolation::Unknown(Why::GaveUp(format!("`{command}` says: {said}"))))
            }
            Err(end) => explain(&line, end).map(|why| Interpolation::Unknown(self.clock.explain(why))),
        }
    }
}

/// A question to one of the solvers. What cannot be read is returned as it was said.
struct Task<'a> {
    terms: &'a mut Terms,
    parts: &'a Parts,
    children: Vec<Vec<usize>>,
    clock: &'a Clock,
}

type Found = Result<Interpolation, String>;

impl Task<'_> {
    fn run(&mut self, dialect: Dialect, solver: &mut Conversation) -> Result<Found, End> {
        match dialect {
            Dialect::Trees => self.trees(solver),
            Dialect::Nested => self.nested(solver),
            Dialect::Groups => self.groups(solver),
            Dialect::Pairs => self.pairs(solver),
        }
    }

    fn root(&self) -> usize {
        self.parts.formulas.len() - 1
    }

    fn preamble(&self) -> String {
        format!("{OPTIONS}(set-logic {})\n{}", logic(self.terms, &self.parts.formulas), self.declarations())
    }

    fn declarations(&self) -> String {
        let vars = self.terms.free_vars(&self.parts.formulas);
        vars.into_iter().map(|var| declaration(self.terms, var)).collect()
    }

    fn ask(&self, solver: &mut Conversation, commands: String) -> Result<Vec<String>, End> {
        solver.ask(commands, &mut || self.clock.is_set())
    }

    fn formula(&self, node: usize) -> String {
        formula(self.terms, self.parts.formulas[node])
    }

    /// The name of a part, which is none of the variables'.
    fn group(&self, node: usize) -> String {
        encode(&fresh_name(self.terms, &format!("part!{node}"))).into_owned()
    }

    /// The nodes in the order of a walk from the root that visits children first.
    fn walk(&self) -> Vec<usize> {
        let (mut order, mut open) = (Vec::new(), vec![self.root()]);
        while let Some(node) = open.pop() {
            order.push(node);
            open.extend(&self.children[node]);
        }
        order.reverse();
        order
    }

    /// Whether the solver has found a contradiction; otherwise what there is to say.
    fn is_unsat(answers: &[String]) -> Result<(), Found> {
        match answers.iter().map(String::as_str).find(|said| matches!(*said, "sat" | "unsat" | "unknown")) {
            Some("unsat") => Ok(()),
            Some("sat") => Err(Ok(Interpolation::Satisfiable)),
            Some(_) | None => Err(Err(answers.join(" "))),
        }
    }

    /// Reads formulas in the order of the nodes.
    fn read(&mut self, order: &[usize], texts: &[String]) -> Found {
        let mut found = vec![None; self.root()];
        for (node, text) in order.iter().zip(texts) {
            match self.terms.read(text) {
                Ok(term) if *self.terms.sort(term) == Sort::Bool => found[*node] = Some(term),
                Ok(_) | Err(_) => return Err(text.clone()),
            }
        }
        found.into_iter().collect::<Option<Vec<Term>>>().map(Interpolation::Interpolants).ok_or_else(|| texts.join(" "))
    }

    fn trees(&mut self, solver: &mut Conversation) -> Result<Found, End> {
        let answers = self.ask(solver, self.preamble() + &self.asserted(":named") + "(check-sat)")?;
        if let Err(found) = Self::is_unsat(&answers) {
            return Ok(found);
        }
        // A subtree that does not begin the list is put in parentheses.
        let order = self.walk();
        let mut question = vec![String::new(); self.root() + 1];
        for node in &order {
            let mut text = String::new();
            for (place, child) in self.children[*node].clone().into_iter().enumerate() {
                let below = std::mem::take(&mut question[child]);
                let _ = if place == 0 { write!(text, "{below} ") } else { write!(text, "({below}) ") };
            }
            question[*node] = text + &self.group(*node);
        }
        let mut answers = self.ask(solver, format!("(get-interpolants {})", question[self.root()]))?;
        Ok(match answers.pop().as_deref().map(elements) {
            Some(Some(texts)) => self.read(&order, &texts),
            Some(None) | None => Err("no list of interpolants".to_owned()),
        })
    }

    fn nested(&mut self, solver: &mut Conversation) -> Result<Found, End> {
        let order = self.walk();
        let mut text = vec![String::new(); self.root() + 1];
        for node in &order {
            let mut own = String::from("(and");
            for child in self.children[*node].clone() {
                let _ = write!(own, " (interp {})", std::mem::take(&mut text[child]));
            }
            let _ = write!(own, " {})", self.formula(*node));
            text[*node] = own;
        }
        // Z3 decides for itself which logic it is, and does so better without a name.
        let question = format!("{OPTIONS}{}(compute-interpolant {})", self.declarations(), text[self.root()]);
        let answers = self.ask(solver, question)?;
        Ok(match Self::is_unsat(&answers) {
            Ok(()) => self.read(&order, &answers[1..]),
            Err(found) => found,
        })
    }

    fn groups(&mut self, solver: &mut Conversation) -> Result<Found, End> {
        let asserted = self.asserted(":interpolation-group");
        let answers = self.ask(solver, self.preamble() + &asserted + "(check-sat)")?;
        if let Err(found) = Self::is_unsat(&answers) {
            return Ok(found);
        }
        let (mut below, mut texts) = (vec![Vec::new(); self.root() + 1], Vec::new());
        for node in 0..self.root() {
            below[node].push(self.group(node));
            let question = format!("(get-interpolant ({}))", below[node].join(" "));
            texts.extend(self.ask(solver, question)?.pop());
            let (own, parent) = (std::mem::take(&mut below[node]), self.parts.parents[node]);
            below[parent].extend(own);
        }
        let order: Vec<usize> = (0..self.root()).collect();
        Ok(self.read(&order, &texts))
    }

    /// One node after the other: what is known below it against all that is not below it. What was
    /// interpolated elsewhere is only known by its interpolant from then on: two parts that both
    /// contradict the rest could otherwise leave the contradiction to each other.
    fn pairs(&mut self, solver: &mut Conversation) -> Result<Found, End> {
        // Interpolants are searched among terms that a smaller logic may not have.
        let mut pending = format!("{OPTIONS}(set-option :incremental true)\n(set-logic ALL)\n{}", self.declarations());
        let mut found: Vec<Term> = Vec::new();
        for node in 0..self.root() {
            let known = self.children[node].iter().map(|child| formula(self.terms, found[*child]));
            let known: Vec<String> = known.chain([self.formula(node)]).collect();
            let elsewhere = (0..node).filter(|other| self.parts.parents[*other] > node);
            let elsewhere = elsewhere.map(|other| formula(self.terms, found[other]));
            let rest: Vec<String> =
                elsewhere.chain((node + 1..=self.root()).map(|other| self.formula(other))).collect();
            let _ = writeln!(pending, "(push 1)\n(assert (and true {}))", known.join(" "));
            let name = self.group(node);
            let _ = writeln!(pending, "(get-interpolant {name} (not (and true {})))\n(pop 1)", rest.join(" "));
            let answers = self.ask(solver, std::mem::take(&mut pending))?;
            let texts = answers.last().and_then(|said| elements(said)).filter(|said| said.len() == 5);
            let Some(texts) = texts else { return Ok(Err(answers.join(" "))) };
            match self.terms.read(&texts[4]) {
                Ok(term) if *self.terms.sort(term) == Sort::Bool => found.push(term),
                Ok(_) | Err(_) => return Ok(Err(texts[4].clone())),
            }
        }
        Ok(Ok(Interpolation::Interpolants(found)))
    }

    /// All parts as assertions that have names of some kind.
    fn asserted(&self, attribute: &str) -> String {
        let mut text = String::new();
        for node in 0..=self.root() {
            let _ = writeln!(text, "(assert (! {} {attribute} {}))", self.formula(node), self.group(node));
        }
        text
    }
}

/// The elements of a list, as text.
fn elements(list: &str) -> Option<Vec<String>> {
    let mut reader = Reader::new(list);
    reader.open().ok()?;
    let mut found = Vec::new();
    while !reader.closes().ok()? {
        let start = reader.offset();
        reader.skip().ok()?;
        found.push(list[start..reader.offset()].trim().to_owned());
    }
    Some(found)
}
