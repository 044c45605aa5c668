//! `tamis translate`: the program in another notation.

use crate::load::load;
use crate::options::{Notation, Translate};
use crate::output::{Ending, Existing, Exit, check_target, write_file};
use crate::progress::Gauge;
use crate::supervise::{Job, supervise};
use crate::task::Task;
use crate::trouble::{Manner, Trouble};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use tamis_frontends::remopla::print::to_remopla;
use tamis_report::dot;
use tamis_report::style::Colour;

/// Runs the subcommand.
pub fn run(mut options: Translate, colour: Colour) -> Exit {
    let manner = Manner { file: options.input.name(), json: false, colour };
    let task = options.input.files.clone();
    let prepared = Task::resolve(&mut options.input, None).and_then(|_| {
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
    let loaded = load(job, &options.input, None, colour)?;
    job.stage("translating");
    let text = match options.to {
        Notation::Dot => dot::render(&loaded.terms, &loaded.program),
        Notation::Remopla => to_remopla(&loaded.terms, &loaded.program)
            .map_err(|why| Trouble::input(format!("the program cannot be written in Remopla: {why}")))?,
    };
    job.settle(None);
    let out = match &options.output {
        None => text,
        Some(path) => {
            write_file(path, Existing::from_force(options.force), &text)?;
            String::new()
        }
    };
    Ok(Ending { err: String::new(), out, exit: Exit::Safe })
}
