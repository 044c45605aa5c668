//! Who calls whom, and which procedures call each other in a circle.

use super::callee;
use crate::program::{ProcId, Program};

/// Which procedures call which.
#[derive(Clone, Debug)]
pub struct CallGraph {
    callees: Vec<Vec<ProcId>>,
    callers: Vec<Vec<ProcId>>,
    components: Vec<Vec<ProcId>>,
    component_of: Vec<usize>,
}

impl CallGraph {
    /// The call graph of a valid program.
    #[must_use]
    pub fn new(program: &Program) -> CallGraph {
        let mut called: Vec<Vec<ProcId>> = vec![Vec::new(); program.procs.len()];
        let mut callers = called.clone();
        // The last caller seen of each procedure, so that no pair is listed twice.
        let mut last: Vec<Option<ProcId>> = vec![None; program.procs.len()];
        for (caller, proc) in program.procs() {
            for callee in proc.edges.iter().filter_map(callee) {
                if last[callee.index()].replace(caller) != Some(caller) {
                    called[caller.index()].push(callee);
                    callers[callee.index()].push(caller);
                }
            }
        }
        let components = components(&called);
        let mut component_of = vec![0; called.len()];
        for (number, component) in components.iter().enumerate() {
            for proc in component {
                component_of[proc.index()] = number;
            }
        }
        CallGraph { callees: called, callers, components, component_of }
    }

    /// The procedures that `proc` calls, in the order of their first call.
    #[must_use]
    pub fn callees(&self, proc: ProcId) -> &[ProcId] {
        &self.callees[proc.index()]
    }

    /// The procedures that call `proc`.
    #[must_use]
    pub fn callers(&self, proc: ProcId) -> &[ProcId] {
        &self.callers[proc.index()]
    }

    /// The strongly connected components, callees before their callers.
    #[must_use]
    pub fn components(&self) -> &[Vec<ProcId>] {
        &self.components
    }

    /// All procedures, callees before their callers except where they call each other.
    pub fn bottom_up(&self) -> impl Iterator<Item = ProcId> {
        self.components.iter().flatten().copied()
    }

    /// Whether a call of `proc` can lead to another call of `proc` before it returns.
    #[must_use]
    pub fn is_recursive(&self, proc: ProcId) -> bool {
        self.components[self.component_of[proc.index()]].len() > 1 || self.callees(proc).contains(&proc)
    }

    /// A recursive procedure to which calls lead from `start`, if there is one.
    #[must_use]
    pub fn recursion(&self, start: ProcId) -> Option<ProcId> {
        let used = self.reachable(start);
        (0..used.len()).map(ProcId::new).find(|id| used[id.index()] && self.is_recursive(*id))
    }

    /// For every procedure, whether calls lead to it from `start`, which is one of them.
    #[must_use]
    pub fn reachable(&self, start: ProcId) -> Vec<bool> {
        let mut found = vec![false; self.callees.len()];
        found[start.index()] = true;
        let mut work = vec![start];
        while let Some(proc) = work.pop() {
            for callee in self.callees(proc) {
                if !std::mem::replace(&mut found[callee.index()], true) {
                    work.push(*callee);
                }
            }
        }
        found
    }
}

/// Tarjan's algorithm ("Depth-first search and linear graph algorithms", 1972), with a stack
/// of its own: a component is complete only after those that it leads to.
fn components(successors: &[Vec<ProcId>]) -> Vec<Vec<ProcId>> {
    const NEW: usize = usize::MAX;
    const DONE: usize = usize::MAX - 1;
    let mut low = vec![NEW; successors.len()];
    let (mut open, mut result, mut count) = (Vec::new(), Vec::new(), 0);
    for root in 0..successors.len() {
        // A procedure, its number in order of discovery, and how many callees were looked at.
        let mut path: Vec<(ProcId, usize, usize)> = Vec::new();
        let mut next = (low[root] == NEW).then(|| ProcId::new(root));
        loop {
            if let Some(proc) = next.take() {
                low[proc.index()] = count;
                path.push((proc, count, 0));
                open.push(proc);
                count += 1;
            }
            let Some((proc, number, looked)) = path.last_mut() else { break };
            if let Some(callee) = successors[proc.index()].get(*looked) {
                *looked += 1;
                match low[callee.index()] {
                    NEW => next = Some(*callee),
                    DONE => {}
                    other => low[proc.index()] = low[proc.index()].min(other),
                }
                continue;
            }
            let (proc, number) = (*proc, *number);
            path.pop();
            if low[proc.index()] == number {
                let start = open.iter().rposition(|other| *other == proc).expect("an open component has its root");
                let component = open.split_off(start);
                for member in &component {
                    low[member.index()] = DONE;
                }
                result.push(component);
            } else if let Some((caller, ..)) = path.last() {
                low[caller.index()] = low[caller.index()].min(low[proc.index()]);
            }
        }
    }
    result
}
