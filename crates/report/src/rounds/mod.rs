//! Rounds of refinement as pictures: the counterexample with the interpolants at its nodes, and the
//! lists of predicates that grow.
//!
//! Files in order of reading: [`scene`] (what is to be seen of a round, as text), [`layout`]
//! (where it goes), [`svg`] (drawn by ourselves), [`dot`] (for Graphviz), [`html`] (all rounds
//! on a page).

pub mod dot;
pub mod html;
pub mod layout;
pub mod scene;
pub mod svg;

pub use html::{Entry, Facts, page};
pub use scene::Scene;

/// Text inside XML: names and formulas are the user's.
pub(crate) fn escaped(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;").replace('"', "&quot;")
}
