//! All that a replay needs: the program's texts with probes, the harness, the commands that compile
//! and run them, and the judgement of what comes out. Starting commands is left to others.

use super::chance::{ANY, Fill};
use super::error::{Error, MEMORY};
use super::outcome::{Ended, Outcome, Ran};
use super::plan::Plan;
use super::probes::apply;
use super::text::body;
use super::{Build, Case, Unit};

/// What a command is for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Stage {
    /// It is the compiler.
    Compile,
    /// It is the compiled program.
    Run,
}

/// Who carries out commands.
pub type Shell<'s, E> = dyn FnMut(Stage, &[String]) -> Result<Ran, E> + 's;

/// A replay that can be tried.
pub struct Kit<'a> {
    case: Case<'a>,
    plan: Plan<'a>,
    narrow: bool,
    units: Vec<Copy>,
    harness: String,
}

/// A text of the program with what it needs more than it says.
#[derive(Debug)]
struct Copy {
    /// What the user calls it.
    name: String,
    text: String,
}

const HARNESS: &str = "harness.c";
const RUNTIME: &str = "runtime.c";
const EMPTY: &str = "empty.c";
const PROGRAM: &str = "./program";

/// Flags for every text: names that are macros of the compiler are names of the program, and
/// what older compilers only warn about is no error.
const FLAGS: &[&str] = &[
    "-c",
    "-g",
    "-O0",
    "-w",
    "-std=gnu11",
    "-Ulinux",
    "-Uunix",
    "-Ui386",
    "-fno-strict-aliasing",
    "-Wno-implicit-function-declaration",
    "-Wno-implicit-int",
    "-Wno-int-conversion",
    "-Wno-incompatible-pointer-types",
    "-Dmalloc=tamis_malloc",
];

/// Makes local variables zero that are not set.
const ZEROS: &str = "-ftrivial-auto-var-init=zero";

/// Checks the bounds of arrays at the end of structs as well.
const STRICT: &str = "-fsanitize=bounds-strict";

/// A program without a C library.
const ALONE: &[&str] = &["-nostdlib", "-static", "-no-pie", "-fno-pic", "-fno-stack-protector"];

impl<'a> Kit<'a> {
    /// A replay of a run. The preprocessed texts of the units are what is compiled.
    #[must_use]
    pub fn new(case: &Case<'a>, build: &'a Build) -> Kit<'a> {
        let units: Vec<Unit> = build.units.iter().map(Unit::preprocessed).collect();
        let plan = Plan::new(case, build, &units);
        let copies = units.iter().zip(&plan.additions).map(|(unit, additions)| Copy {
            name: unit.name.clone(),
            text: format!("{}{}\n{}", marker(&unit.name), apply(&unit.text, &additions.edits), additions.appendix),
        });
        Kit { case: *case, units: copies.collect(), harness: body(&plan), narrow: build.narrow, plan }
    }

    /// The files that the commands read, which must be there before.
    #[must_use]
    pub fn files(&self) -> Vec<(String, &str)> {
        let ours = [(HARNESS, self.harness.as_str()), (RUNTIME, include_str!("runtime.c")), (EMPTY, NOTHING)];
        let units = self.units.iter().enumerate().map(|(at, unit)| (format!("unit{at}.c"), unit.text.as_str()));
        units.chain(ours.map(|(name, text)| (name.to_owned(), text))).collect()
    }

    /// Compiles the program and runs it. The shell carries out commands in the folder of the files.
    ///
    /// # Errors
    /// Those of the shell.
    pub fn replay<E>(&self, compiler: &[String], shell: &mut Shell<'_, E>) -> Result<Outcome, E> {
        if let Some(why) = self.plan.error.hidden() {
            return Ok(Outcome::NotReplayed(why.to_owned()));
        }
        let mut workshop = Workshop { kit: self, compiler, shell: &mut *shell, able: Able::default() };
        if let Err(why) = workshop.look_around()? {
            return Ok(Outcome::NotReplayed(why));
        }
        if let Err(why) = workshop.build()? {
            return Ok(Outcome::NotReplayed(why));
        }
        let zeros = workshop.able.zeros;
        let command: Vec<String> = [PROGRAM.to_owned()].into_iter().chain(self.case.arguments()).collect();
        let ran = shell(Stage::Run, &command)?;
        Ok(self.judge(&ran, zeros))
    }

    fn judge(&self, ran: &Ran, zeros: bool) -> Outcome {
        if ran.reached() {
            let place = ran.place().map_or_else(String::new, |place| format!(", {place}"));
            return Outcome::Replayed(self.plan.error.about() + &place);
        }
        // What is not set is zero, if the compiler can do that.
        let fills = if zeros { &[Fill::Zeros][..] } else { ANY };
        match self.plan.left_to_chance(&self.case, fills) {
            Some(chance) => Outcome::NotReplayed(format!("it depends on {}; {}", chance.phrase(), ran.phrase())),
            None => Outcome::Failed(ran.phrase()),
        }
    }
}

/// What a text begins with, so that places in it are called as the user calls them.
fn marker(name: &str) -> String {
    let name = name.replace(char::is_control, " ").replace('\\', "\\\\").replace('"', "\\\"");
    format!("# 1 \"{name}\"\n")
}

const NOTHING: &str = "int main(void) { return 0; }\n";

/// What the compiler can do.
#[derive(Debug, Default)]
struct Able {
    /// It makes local variables zero.
    zeros: bool,
    /// It checks the bounds of all arrays.
    strict: bool,
    /// There is a C library for the program's data model.
    hosted: bool,
}

struct Workshop<'k, 's, E> {
    kit: &'k Kit<'k>,
    compiler: &'k [String],
    shell: &'s mut Shell<'s, E>,
    able: Able,
}

/// What cannot be done, as a phrase.
type Refused = Result<(), String>;

impl<E> Workshop<'_, '_, E> {
    fn compile(&mut self, words: &[&str]) -> Result<Ran, E> {
        let words = words.iter().map(|word| (*word).to_owned());
        let command: Vec<String> = self.compiler.iter().cloned().chain(words).collect();
        (self.shell)(Stage::Compile, &command)
    }

    fn accepts(&mut self, words: &[&str]) -> Result<bool, E> {
        let ran = self.compile(&[words, &[EMPTY, "-o", "empty"]].concat())?;
        Ok(ran.ended == Ended::Code(0))
    }

    /// The flag for the data model; that of 64 bits is the usual one.
    fn width(&self) -> &'static [&'static str] {
        if self.kit.narrow { &["-m32"] } else { &[] }
    }

    /// Finds out what the compiler can do.
    fn look_around(&mut self) -> Result<Refused, E> {
        let ran = self.compile(&["--version"])?;
        if ran.ended != Ended::Code(0) {
            let name = self.compiler.join(" ");
            return Ok(Err(format!("there is no C compiler: {name} cannot be run")));
        }
        let (width, library) = (self.width(), self.kit.plan.error.needs_library());
        self.able.zeros = self.accepts(&["-c", "-Werror", ZEROS])?;
        self.able.strict = self.kit.plan.error == Error::Bounds && self.accepts(&["-c", "-Werror", STRICT])?;
        self.able.hosted = self.accepts(width)?;
        let alone = [width, ALONE, &[RUNTIME]].concat();
        let refused = match (self.able.hosted, library) {
            (true, false) => None,
            (true, true) if self.accepts(&[width, &[MEMORY]].concat())? => None,
            (true, true) => Some("the compiler has no library for its sanitizer of memory"),
            (false, _) if !self.kit.narrow || !self.accepts(&alone)? => {
                Some("the compiler cannot make programs for this data model")
            }
            (false, true) => Some("there is no C library for 32 bits, which the sanitizer of memory needs"),
            (false, false) => None,
        };
        if let Some(why) = refused {
            return Ok(Err(why.to_owned()));
        }
        let ran = (self.shell)(Stage::Run, &["./empty".to_owned()])?;
        let runs = ran.ended == Ended::Code(0);
        Ok(if runs { Ok(()) } else { Err(format!("what the compiler makes does not run here: {}", ran.phrase())) })
    }

    /// Compiles and links the program and its harness.
    fn build(&mut self) -> Result<Refused, E> {
        let kit = self.kit;
        let mut flags: Vec<&str> = FLAGS.iter().chain(kit.plan.error.flags()).copied().collect();
        flags.extend(self.width());
        if !self.able.hosted {
            flags.extend(["-fno-pic", "-fno-stack-protector"]);
        }
        if self.able.zeros {
            flags.push(ZEROS);
        }
        if self.able.strict {
            flags.push(STRICT);
        }
        let mut objects = Vec::new();
        for (at, unit) in kit.units.iter().enumerate() {
            let (source, object) = (format!("unit{at}.c"), format!("unit{at}.o"));
            let ran = self.compile(&[&flags[..], &[&source, "-o", &object]].concat())?;
            if ran.ended != Ended::Code(0) {
                return Ok(Err(format!("{} does not compile: {}", unit.name, ran.complaint())));
            }
            objects.push(object);
        }
        let mut link = [&["-w"], self.width()].concat();
        if self.able.hosted {
            link.extend(kit.plan.error.needs_library().then_some(MEMORY));
        } else {
            link.extend(ALONE);
            link.push(RUNTIME);
        }
        link.extend(objects.iter().map(String::as_str));
        link.extend([HARNESS, "-o", PROGRAM]);
        let ran = self.compile(&link)?;
        Ok(match ran.ended {
            Ended::Code(0) => Ok(()),
            Ended::Code(_) | Ended::Signal(_) | Ended::Late | Ended::Missing => {
                Err(format!("it cannot be linked: {}", ran.complaint()))
            }
        })
    }
}
