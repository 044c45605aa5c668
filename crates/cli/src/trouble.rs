//! What can go wrong before a verdict.

use crate::output::{self, Exit};
use std::sync::Arc;
use tamis_ir::{Diagnostic, Severity, Sources};
use tamis_report::diagnostics::{render, render_plain};
use tamis_report::json::{self, Failure, Message};
use tamis_report::style::Colour;
use tamis_witness::Reason;

/// A reason to end without a verdict.
#[derive(Debug)]
pub enum Trouble {
    /// Errors at places of the input.
    Located(Arc<Sources>, Vec<Diagnostic>),
    /// An error about the input as a whole.
    Input {
        /// What is wrong.
        message: String,
        /// What to do about it.
        hint: Option<String>,
    },
    /// Another program refused the input.
    Tool {
        /// What was tried.
        message: String,
        /// What the program said about it.
        said: String,
    },
    /// The work was stopped: a limit, or the user.
    GaveUp(Reason),
    /// A bug of ours.
    Internal(String),
}

/// How the user wants to hear about it.
#[derive(Clone, Debug)]
pub struct Manner {
    /// The file in question.
    pub file: String,
    /// As JSON on standard output.
    pub json: bool,
    /// With colours.
    pub colour: Colour,
}

impl Trouble {
    /// An error about the input.
    pub fn input(message: impl Into<String>) -> Trouble {
        Trouble::Input { message: message.into(), hint: None }
    }

    /// The same with a hint, if there is room for one.
    pub fn hint(self, hint: impl Into<String>) -> Trouble {
        match self {
            Trouble::Input { message, .. } => Trouble::Input { message, hint: Some(hint.into()) },
            Trouble::Located(..) | Trouble::Tool { .. } | Trouble::GaveUp(_) | Trouble::Internal(_) => self,
        }
    }

    /// Tells the user, and says how to end.
    pub fn report(&self, manner: Option<&Manner>) -> Exit {
        let colour = manner.map_or(Colour::Plain, |manner| manner.colour);
        output::error(&self.text(colour));
        if let Some(manner) = manner.filter(|manner| manner.json) {
            output::output(&(json::line(&self.failure(&manner.file)) + "\n"));
        }
        match self {
            Trouble::Located(..) | Trouble::Input { .. } | Trouble::Tool { .. } => Exit::Input,
            Trouble::GaveUp(_) => Exit::Unknown,
            Trouble::Internal(_) => Exit::Internal,
        }
    }

    /// What standard error shows.
    pub fn text(&self, colour: Colour) -> String {
        match self {
            Trouble::Located(sources, diagnostics) => render(sources, diagnostics, colour),
            Trouble::Input { message, hint } => render_plain(Severity::Error, message, hint.as_deref(), colour),
            Trouble::Tool { message, said } => {
                format!("{}\n{}", said.trim_end(), render_plain(Severity::Error, message, None, colour))
            }
            Trouble::GaveUp(reason) => render_plain(Severity::Error, &reason.to_string(), None, colour),
            Trouble::Internal(message) => {
                let hint = "please report this with the input and the command line: it is a bug";
                render_plain(Severity::Error, &format!("internal error: {message}"), Some(hint), colour)
            }
        }
    }

    fn failure(&self, file: &str) -> Failure {
        let (reason, diagnostics) = match self {
            Trouble::Located(sources, diagnostics) => {
                ("input", diagnostics.iter().map(|diagnostic| Message::located(sources, diagnostic)).collect())
            }
            Trouble::Input { message, hint } => ("input", vec![Message::plain(message, hint.as_deref())]),
            Trouble::Tool { message, said } => ("input", vec![Message::plain(message, Some(said.trim()))]),
            Trouble::GaveUp(reason) => ("input", vec![Message::plain(&reason.to_string(), None)]),
            Trouble::Internal(message) => ("internal", vec![Message::plain(message, None)]),
        };
        Failure { verdict: "error", reason, diagnostics, file: file.to_owned(), version: json::VERSION }
    }
}
