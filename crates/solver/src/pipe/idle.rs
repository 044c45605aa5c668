//! Processes that wait for the next solver of their thread: starting one takes longer than most
//! questions.

use super::command::{Command, Kind};
use super::conversation::Conversation;
use std::cell::RefCell;

/// How many processes may wait.
const MOST: usize = 4;

thread_local! {
    static IDLE: RefCell<Vec<(Command, Conversation)>> = const { RefCell::new(Vec::new()) };
}

/// Lets a process wait that has answered all that it was asked, if it can be used again.
pub(super) fn keep(command: &Command, conversation: Conversation) {
    if command.kind != Kind::Z3 {
        return;
    }
    // When the thread ends, so does the process.
    let _ = IDLE.try_with(|idle| {
        let mut idle = idle.borrow_mut();
        if idle.len() < MOST {
            idle.push((command.clone(), conversation));
        }
    });
}

/// A process that waits.
pub(super) fn take(command: &Command) -> Option<Conversation> {
    let taken = IDLE.try_with(|idle| {
        let mut idle = idle.borrow_mut();
        let at = idle.iter().position(|(other, _)| other == command)?;
        Some(idle.swap_remove(at).1)
    });
    taken.ok().flatten()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::pipe::Pipe;
    use crate::{Answer, Solver, StopSignal};
    use tamis_term::{Sort, Terms};

    #[test]
    fn a_process_that_is_used_again_has_forgotten_everything() {
        let program = crate::z3::program().and_then(std::path::Path::to_str).expect("it is beside the library");
        let command = Command::z3(program, &[], 100 << 20);
        let mut terms = Terms::new();
        let x = terms.declare("x", Sort::Int);
        let (x, zero) = (terms.var(x), terms.int(0));
        let (below, above) = (terms.lt(x, zero), terms.lt(zero, x));
        let ask = |facts: &[tamis_term::Term]| {
            let mut pipe = Pipe::run(command.clone(), StopSignal::never());
            for fact in facts {
                pipe.assert(&terms, *fact).expect("it is Boolean");
            }
            let possible = matches!(pipe.check(&terms, &[]), Ok(Answer::Sat(_)));
            (possible, pipe.process())
        };
        let (possible, first) = ask(&[below, above]);
        assert!(!possible && first.is_some());
        for facts in [[below], [above]] {
            assert_eq!(ask(&facts), (true, first));
        }
        // One that died while it waited is replaced.
        IDLE.with(|idle| idle.borrow().iter().for_each(|(_, conversation)| conversation.kill()));
        let (possible, second) = ask(&[above]);
        assert!(possible && second.is_some() && second != first);
    }
}
