//! Runs of the concrete system, and the stack machine that replays them.

use crate::{Block, Proc, Rule, RuleId, Shape, Sym, System};
use std::collections::BTreeSet;
use std::rc::Rc;
use tamis_bdd::Bit;

/// A run from the start of main, in the order of execution.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Run {
    /// The steps.
    pub steps: Vec<RunStep>,
}

/// One rule, applied.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RunStep {
    /// The rule.
    pub rule: RuleId,
    /// The current values in front of it.
    pub before: Valuation,
    /// The current values behind it: for a push rule the callee's input, for a pop rule what is
    /// returned.
    pub after: Valuation,
    /// For a push rule: the values that the caller keeps.
    pub frozen: Option<Valuation>,
}

/// A value for each bit, by its position in the [`Block`]; false where nothing constrains it.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Valuation(Rc<[u64]>);

impl Valuation {
    /// The values of so many bits, of which those at the given positions are true.
    ///
    /// # Panics
    /// If there is no bit at one of the positions.
    #[must_use]
    pub fn new(bits: usize, positions: impl IntoIterator<Item = usize>) -> Valuation {
        let mut words = vec![0; bits.div_ceil(64)];
        for at in positions {
            words[at / 64] |= 1_u64 << (at % 64);
        }
        Valuation(words.into())
    }

    /// The values that a cube gives the bits of a copy; those that it leaves open are false.
    #[must_use]
    pub fn of_cube(copy: &[Bit], cube: &[(Bit, bool)]) -> Valuation {
        let known: BTreeSet<Bit> = cube.iter().filter(|(_, value)| *value).map(|(bit, _)| *bit).collect();
        Valuation::new(copy.len(), (0..copy.len()).filter(|at| known.contains(&copy[*at])))
    }

    /// The values as those of the bits of a copy.
    #[must_use]
    pub fn on(&self, copy: &[Bit]) -> Vec<(Bit, bool)> {
        copy.iter().enumerate().map(|(at, bit)| (*bit, self.get(at))).collect()
    }

    /// The value of the bit at that position.
    ///
    /// # Panics
    /// If there is no such bit.
    #[must_use]
    pub fn get(&self, at: usize) -> bool {
        self.0[at / 64] >> (at % 64) & 1 == 1
    }
}

/// Which copy of a bit, and its position.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Slot {
    /// Current values.
    Now(usize),
    /// Values after a step, or a callee's input.
    Next(usize),
    /// What a caller keeps.
    Frozen(usize),
    /// Values at the procedure's entry.
    Input(usize),
}

/// Finds the slot of a bit.
pub struct Slots(Vec<Option<Slot>>);

impl Slots {
    /// The slots of a block's bits.
    #[must_use]
    pub fn new(block: &Block) -> Slots {
        let mut slots = Vec::new();
        let mut place = |copy: &[Bit], slot: fn(usize) -> Slot| {
            for (at, bit) in copy.iter().enumerate() {
                slots.resize(slots.len().max(bit.index() + 1), None);
                slots[bit.index()] = Some(slot(at));
            }
        };
        place(&block.now, Slot::Now);
        place(&block.next, Slot::Next);
        place(&block.frozen, Slot::Frozen);
        place(&block.input, Slot::Input);
        Slots(slots)
    }

    /// The slot of a bit of the block.
    ///
    /// # Panics
    /// If the bit is not one of the block's.
    #[must_use]
    pub fn of(&self, bit: Bit) -> Slot {
        self.0.get(bit.index()).copied().flatten().expect("relations are over the family's bits")
    }
}

/// Whether the stack machine can take the steps one after another from the start of main, and
/// reaches an error.
#[must_use]
pub fn replay(system: &System, run: &Run) -> bool {
    let slots = Slots::new(&system.family.block);
    let mut machine =
        Machine { system, slots, at: system.proc(system.main).entry, values: Given::Any, stack: Vec::new() };
    run.steps.iter().all(|step| machine.take(step)) && system.errors.contains(&machine.at)
}

/// What is known of the current values before a step.
enum Given<'r> {
    /// At the start of main: nothing.
    Any,
    /// The last step says all.
    Values(&'r Valuation),
    /// At the start of a callee: its input.
    Input(&'r Proc, &'r Valuation),
    /// Behind a return: what the procedure returned, and for the rest what its caller froze.
    Return(&'r Proc, &'r Valuation, &'r Valuation),
}

struct Machine<'r> {
    system: &'r System,
    slots: Slots,
    at: Sym,
    values: Given<'r>,
    /// The pivots that wait, with the values frozen there.
    stack: Vec<(Sym, &'r Valuation)>,
}

impl<'r> Machine<'r> {
    fn take(&mut self, step: &'r RunStep) -> bool {
        let rule = self.system.rule(step.rule);
        if rule.from != self.at || !self.goes_on(&step.before) || !self.holds(rule, step) {
            return false;
        }
        self.values = Given::Values(&step.after);
        match (rule.shape, &step.frozen) {
            (Shape::Entry { to } | Shape::Normal { to } | Shape::Eval { to }, None) => self.at = to,
            (Shape::Push { entry, pivot }, Some(frozen)) => {
                self.stack.push((pivot, frozen));
                self.at = entry;
                self.values = Given::Input(self.system.owner(entry), &step.after);
            }
            (Shape::Pop, None) => {
                let Some((pivot, frozen)) = self.stack.pop() else { return false };
                self.at = pivot;
                self.values = Given::Return(self.system.proc(self.system.callee(pivot)), &step.after, frozen);
            }
            (Shape::Push { .. }, None)
            | (Shape::Entry { .. } | Shape::Normal { .. } | Shape::Eval { .. } | Shape::Pop, Some(_)) => return false,
        }
        true
    }

    /// Whether these may be the current values.
    fn goes_on(&self, now: &Valuation) -> bool {
        match self.values {
            Given::Any => true,
            Given::Values(values) => values == now,
            Given::Input(callee, input) => callee.input.iter().all(|&at| now.get(at) == input.get(at)),
            Given::Return(callee, returned, frozen) => {
                let comes_from =
                    |bit: Bit| if callee.returned.bits().binary_search(&bit).is_ok() { returned } else { frozen };
                let bits = self.system.family.block.now.iter().enumerate();
                bits.into_iter().all(|(at, &bit)| now.get(at) == comes_from(bit).get(at))
            }
        }
    }

    /// Whether the rule relates the step's values.
    fn holds(&self, rule: &Rule, step: &RunStep) -> bool {
        let Some(relation) = &rule.relation else { return step.before == step.after };
        let value = |bit: Bit| match self.slots.of(bit) {
            Slot::Now(at) => step.before.get(at),
            Slot::Next(at) => step.after.get(at),
            Slot::Frozen(at) => step.frozen.as_ref().is_some_and(|frozen| frozen.get(at)),
            Slot::Input(_) => unreachable!("rules do not speak about a procedure's input"),
        };
        self.system.family.manager().eval(relation, &value)
    }
}
