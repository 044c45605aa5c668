//! `tamis translate`: the program in another notation.

use crate::hardware;
use crate::load::{Loaded, load};
use crate::options::{Notation, Translate};
use crate::output::{Ending, Existing, Exit, check_target, write_bytes};
use crate::progress::Gauge;
use crate::supervise::{Job, supervise};
use crate::task::Task;
use crate::trouble::{Manner, Trouble};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use tamis_cegar::{Budget, Context};
use tamis_engines::boolean::boolean_program;
use tamis_frontends::remopla::print::to_remopla;
use tamis_hardware::aiger::{Format, write};
use tamis_ir::passes::{PRUNE, SLICE, pipeline};
use tamis_report::diagnostics::render;
use tamis_report::dot;
use tamis_report::style::{Colour, one_line};
use tamis_report::translate::{aiger, bp, btor2, caveats, chc, comments, smt2, vmt};

/// Runs the subcommand.
pub fn run(mut options: Translate, colour: Colour) -> Exit {
    let manner = Manner { file: options.input.name(), json: false, colour };
    let task = options.input.files.clone();
    let prepared = Task::resolve(&mut options.input, Some(&mut options.question)).and_then(|_| {
        let inputs: Vec<&Path> = options.input.files.iter().chain(&task).map(PathBuf::as_path).collect();
        options.output.as_ref().map_or(Ok(()), |path| check_target(path, Existing::from_force(options.force), &inputs))
    });
    if let Err(trouble) = prepared {
        return trouble.report(Some(&manner));
    }
    let (limits, quiet) = (options.limits, options.quiet);
    let work = move |job: &Job| translate(job, &options, colour);
    supervise(limits, quiet, &Arc::new(Gauge::default()), work).end(&manner, |reason| {
        let err = format!("error: the translation was given up: {reason}\n");
        Ending { err, out: String::new(), exit: Exit::Unknown }
    })
}

fn translate(job: &Job, options: &Translate, colour: Colour) -> Result<Ending, Trouble> {
    if options.bound.is_some() && options.to != Notation::Smt2 {
        return Err(Trouble::input("--bound is for --to smt2").hint("leave it out"));
    }
    if options.rounds.is_some() && options.to != Notation::Bp {
        return Err(Trouble::input("--rounds is for --to bp").hint("leave it out"));
    }
    let mut loaded = load(job, &options.input, Some(&options.question), colour)?;
    job.stage("translating");
    let text = match options.to {
        Notation::Aiger => gates(job, options, &mut loaded)?,
        Notation::Dot => dot::render(&loaded.terms, &loaded.program).into_bytes(),
        Notation::Remopla => {
            let text = to_remopla(&loaded.terms, &loaded.program)
                .map_err(|why| Trouble::input(format!("the program cannot be written in Remopla: {why}")))?;
            (headed(&loaded, "# ") + &text).into_bytes()
        }
        Notation::Bp => abstraction(job, options, &mut loaded)?.into_bytes(),
        Notation::Chc | Notation::Vmt | Notation::Smt2 | Notation::Btor2 => {
            let text = asked(options, &mut loaded)?;
            (headed(&loaded, "; ") + &text).into_bytes()
        }
    };
    // A graph has no errors, and those of an abstraction are counterexamples anyway.
    let caveats = caveats(&loaded.program);
    if !caveats.is_empty() && !matches!(options.to, Notation::Dot | Notation::Bp) {
        job.say(render(&loaded.program.sources, &caveats, colour));
    }
    job.settle(None);
    let out = match &options.output {
        None => String::from_utf8_lossy(&text).into_owned(),
        Some(path) => {
            write_bytes(path, Existing::from_force(options.force), &text)?;
            String::new()
        }
    };
    Ok(Ending { err: String::new(), out, exit: Exit::Safe })
}

/// The comment at the head of a text: what it cannot say.
fn headed(loaded: &Loaded, mark: &str) -> String {
    let line = |text: String, line: &String| text + mark + &one_line(line) + "\n";
    comments(&loaded.program).iter().fold(String::new(), line)
}

/// A circuit of gates, which is binary if the file is called so. Its comment is at the end.
fn gates(job: &Job, options: &Translate, loaded: &mut Loaded) -> Result<Vec<u8>, Trouble> {
    let property = loaded.property(&options.question)?;
    let stop = job.budget.watch().stop.clone();
    let mut circuit = aiger::circuit(&mut loaded.terms, &loaded.program, property, &stop)
        .map_err(|why| Trouble::input(format!("the program cannot be written as a circuit: {why}")))?;
    circuit.comments.extend(comments(&loaded.program).iter().map(|line| one_line(line)));
    Ok(write(&circuit, options.output.as_deref().map_or(Format::Text, hardware::format)))
}

/// The Boolean program of a round.
fn abstraction(job: &Job, options: &Translate, loaded: &mut Loaded) -> Result<String, Trouble> {
    let property = loaded.property(&options.question)?;
    let terms = std::mem::take(&mut loaded.terms);
    let budget = Budget { rounds: options.rounds, ..job.budget.clone() };
    let mut ctx = Context { terms, budget, observer: job.observer(), ..Context::default() };
    let (passed, _) = pipeline(&mut ctx.terms, &loaded.program, property, &[&PRUNE, &SLICE]);
    let (program, property) = boolean_program(&mut ctx, &passed, property)
        .map_err(|why| Trouble::input(format!("the program was not abstracted: {why}")))?;
    bp::render(&ctx.terms, &program, property).map_err(Trouble::Internal)
}

/// The notations that are about a property.
fn asked(options: &Translate, loaded: &mut Loaded) -> Result<String, Trouble> {
    let property = loaded.property(&options.question)?;
    let (terms, program) = (&mut loaded.terms, &loaded.program);
    let text = match options.to {
        Notation::Vmt => vmt::render(terms, program, property),
        Notation::Smt2 => smt2::render(terms, program, property, usize::from(options.bound.unwrap_or(0))),
        Notation::Btor2 => btor2::print(terms, program, property),
        Notation::Chc | Notation::Dot | Notation::Remopla | Notation::Aiger | Notation::Bp => {
            return Ok(chc::render(terms, program, property));
        }
    };
    text.map_err(|why| {
        let trouble = Trouble::input(format!("the program cannot be written as a transition system: {why}"));
        trouble.hint("Horn clauses can say it: --to chc")
    })
}
