//! Variables by activity: a binary heap that knows where each is.

/// Which variable is next.
#[derive(Debug, Default)]
pub(super) struct Heap {
    vars: Vec<u32>,
    /// By variable: its position, if it is on the heap.
    at: Vec<u32>,
}

/// The position of what is not on the heap.
const NOWHERE: u32 = u32::MAX;

impl Heap {
    /// Makes room for a new variable.
    pub(super) fn admit(&mut self, var: usize) {
        self.at.resize(var + 1, NOWHERE);
    }

    pub(super) fn clear(&mut self) {
        for var in self.vars.drain(..) {
            self.at[var as usize] = NOWHERE;
        }
    }

    pub(super) fn insert(&mut self, var: usize, activity: &[f64]) {
        if self.at[var] == NOWHERE {
            let end = self.vars.len();
            self.vars.push(u32::try_from(var).expect("fewer than 2^31 variables"));
            self.place(end);
            self.up(end, activity);
        }
    }

    /// A variable is more active than before.
    pub(super) fn rises(&mut self, var: usize, activity: &[f64]) {
        if self.at[var] != NOWHERE {
            self.up(self.at[var] as usize, activity);
        }
    }

    /// Takes the most active variable.
    pub(super) fn pop(&mut self, activity: &[f64]) -> Option<usize> {
        let first = *self.vars.first()? as usize;
        self.vars.swap_remove(0);
        self.at[first] = NOWHERE;
        if !self.vars.is_empty() {
            self.place(0);
            self.down(0, activity);
        }
        Some(first)
    }

    fn place(&mut self, at: usize) {
        self.at[self.vars[at] as usize] = u32::try_from(at).expect("fewer than 2^31 variables");
    }

    fn swap(&mut self, a: usize, b: usize) {
        self.vars.swap(a, b);
        self.place(a);
        self.place(b);
    }

    fn up(&mut self, mut at: usize, activity: &[f64]) {
        while at > 0 {
            let parent = (at - 1) / 2;
            if activity[self.vars[at] as usize] <= activity[self.vars[parent] as usize] {
                break;
            }
            self.swap(at, parent);
            at = parent;
        }
    }

    fn down(&mut self, mut at: usize, activity: &[f64]) {
        loop {
            let mut child = 2 * at + 1;
            if child >= self.vars.len() {
                break;
            }
            let act = |position: usize| activity[self.vars[position] as usize];
            if child + 1 < self.vars.len() && act(child + 1) > act(child) {
                child += 1;
            }
            if act(at) >= act(child) {
                break;
            }
            self.swap(at, child);
            at = child;
        }
    }
}
