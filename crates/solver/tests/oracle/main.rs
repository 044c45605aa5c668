//! The backends against evaluation: whatever they answer is compared with what `tamis_term`
//! computes, by trying all valuations where there are few.

mod cores;
mod diagrams;
mod functions;
mod garden;
mod incremental;
mod infinite;
mod limits;
mod misuse;
mod pipe;
mod products;
mod random;
mod scale;
mod support;
mod z3;
