//! Diagrams against tables: whatever an operation returns is compared, valuation by
//! valuation, with what it means.

mod budget;
mod deep;
mod functions;
#[path = "../../../solver/tests/oracle/garden.rs"]
mod garden;
mod inspection;
mod laws;
mod order;
mod random;
mod support;
