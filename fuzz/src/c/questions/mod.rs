//! Verdicts on small random C programs with inputs, against the compiled program on all inputs.
//!
//! A program meets what is asked about on purpose: it calls `reach_error`, fails assertions, passes
//! the label `ERROR`, divides by zero, leaves arrays and overflows, and goes on behind these places
//! where the machine does. Each property is asked alone, and some together. The inputs have few
//! values, so the compiled program runs on all of them and writes down what happens: a verdict is
//! right or wrong, whether it is `safe` or `unsafe`.
//!
//! Files in order of reading: [`write`](mod@write) (the programs), [`oracle`] (what the compiled program meets),
//! [`compare`] (what is asked, and whether the answer is right).

pub mod compare;
pub mod oracle;
pub mod write;

use tamis_frontends::spec::Spec;

/// What a program may meet on its way.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Event {
    /// `reach_error` is called.
    Call,
    /// An assertion fails.
    Assertion,
    /// The label `ERROR` is reached.
    Label,
    /// Something is divided by zero.
    Division,
    /// An array is accessed out of bounds.
    Bounds,
    /// A signed operation overflows.
    Overflow,
}

/// All events: the letter that the compiled program writes, and the name of the question.
pub const EVENTS: [(Event, char, &str); 6] = [
    (Event::Call, 'R', "reach-error"),
    (Event::Assertion, 'A', "assert"),
    (Event::Label, 'L', "ERROR"),
    (Event::Division, 'D', "division-by-zero"),
    (Event::Bounds, 'B', "bounds"),
    (Event::Overflow, 'O', "no-overflow"),
];

impl Event {
    /// The property that it violates.
    ///
    /// # Panics
    /// Never: every event has a property.
    #[must_use]
    pub fn spec(self) -> Spec {
        let name = EVENTS[self as usize].2;
        Spec::named(name).expect("each event is asked about by its name")
    }

    /// Whether the run ends there, if nobody asks.
    fn ends(self) -> bool {
        match self {
            Event::Assertion | Event::Division => true,
            Event::Call | Event::Label | Event::Bounds | Event::Overflow => false,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn all_events_are_in_the_table_once() {
        for (at, (event, _, _)) in EVENTS.iter().enumerate() {
            assert_eq!(*event as usize, at);
            let _ = event.spec();
        }
    }
}
