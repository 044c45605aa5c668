//! Four copies of every bit, and what rules do to relations over them.
//!
//! | copy | thesis | meaning |
//! |---|---|---|
//! | *now* | `G_0, L_0` | current values; in a pivot's relation, the values that the caller froze; in an effect, what was returned |
//! | *next* | `G_1, L_1` | values after a step; in a pivot's relation and in an effect, the callee's input |
//! | *frozen* | `L_2` | the caller's values as they will be on return |
//! | *input* | `G_2, L_3` | the values with which the procedure was entered |
//!
//! Relations therefore have one of three signatures: at a location `(now ‖ input)`, at a
//! pivot `(next ‖ now ‖ input)`, and as a procedure's effect `(now ‖ next)`. The number of
//! copies does not grow with the depth of calls.
//!
//! The same operations serve the concrete system, the abstract one, and strongest
//! interpolants; weakest interpolants use the adjoint ones, whose names end in `_back`.

use std::rc::Rc;
use tamis_bdd::{Bdd, Bit, Cube, Manager, Renaming, Result};

/// Some bits in their four copies, in the same order.
#[derive(Clone, Debug, Default)]
pub struct Block {
    /// Current values.
    pub now: Vec<Bit>,
    /// Values after a step, or a callee's input.
    pub next: Vec<Bit>,
    /// What a caller keeps while the callee runs.
    pub frozen: Vec<Bit>,
    /// Values at the procedure's entry.
    pub input: Vec<Bit>,
}

/// The bits of a system, with what is needed to move relations between their copies.
pub struct Family {
    manager: Rc<Manager>,
    /// The bits.
    pub block: Block,
    now: Cube,
    next: Cube,
    next_frozen: Cube,
    input: Cube,
    now_input: Cube,
    all: Cube,
    next_input: Cube,
    next_to_now: Renaming,
    now_to_next: Renaming,
    now_next_to_next_input: Renaming,
    next_input_to_now_next: Renaming,
    frozen_to_now: Renaming,
    now_to_frozen: Renaming,
    now_to_input: Renaming,
    input_to_next: Renaming,
    now_next: Cube,
    frozen: Cube,
}

impl Family {
    /// The family of those bits.
    ///
    /// # Errors
    /// If the diagrams have no room.
    pub fn new(manager: Rc<Manager>, block: Block) -> Result<Family> {
        let m = &*manager;
        let pairs =
            |from: &[Bit], to: &[Bit]| -> Vec<(Bit, Bit)> { from.iter().copied().zip(to.iter().copied()).collect() };
        let join = |parts: &[&[Bit]]| parts.concat();
        let Block { now, next, frozen, input } = &block;
        let shift = |first: Vec<(Bit, Bit)>, second: Vec<(Bit, Bit)>| [first, second].concat();
        Ok(Family {
            now: m.cube(now)?,
            next: m.cube(next)?,
            next_frozen: m.cube(&join(&[next, frozen]))?,
            input: m.cube(input)?,
            now_input: m.cube(&join(&[now, input]))?,
            next_input: m.cube(&join(&[next, input]))?,
            all: m.cube(&join(&[now, next, frozen, input]))?,
            next_to_now: m.renaming(&pairs(next, now))?,
            now_to_next: m.renaming(&pairs(now, next))?,
            now_next_to_next_input: m.renaming(&shift(pairs(now, next), pairs(next, input)))?,
            next_input_to_now_next: m.renaming(&shift(pairs(next, now), pairs(input, next)))?,
            frozen_to_now: m.renaming(&pairs(frozen, now))?,
            now_to_frozen: m.renaming(&pairs(now, frozen))?,
            now_to_input: m.renaming(&pairs(now, input))?,
            input_to_next: m.renaming(&pairs(input, next))?,
            now_next: m.cube(&join(&[now, next]))?,
            frozen: m.cube(frozen)?,
            block,
            manager,
        })
    }

    /// The diagrams.
    #[must_use]
    pub fn manager(&self) -> &Rc<Manager> {
        &self.manager
    }

    /// The current values.
    #[must_use]
    pub fn now(&self) -> &Cube {
        &self.now
    }

    /// The values after a step, or a callee's input.
    #[must_use]
    pub fn next(&self) -> &Cube {
        &self.next
    }

    /// All copies.
    #[must_use]
    pub fn all(&self) -> &Cube {
        &self.all
    }

    /// A statement about current values, about the input instead: `[now → input]`.
    ///
    /// # Errors
    /// If the diagrams have no room.
    pub fn as_input(&self, f: &Bdd) -> Result<Bdd> {
        self.manager.rename(f, &self.now_to_input)
    }

    /// A statement about the input of a frame, as its caller knows it: `[input → next]`.
    ///
    /// # Errors
    /// If the diagrams have no room.
    pub fn input_as_next(&self, f: &Bdd) -> Result<Bdd> {
        self.manager.rename(f, &self.input_to_next)
    }

    /// The inputs of callers that hand over `handed`, which is about a callee's input.
    ///
    /// # Errors
    /// If the diagrams have no room.
    pub fn caller_inputs(&self, pivot: &Bdd, handed: &Bdd) -> Result<Bdd> {
        self.manager.and_exists(pivot, handed, &self.now_next)
    }

    /// `relation` without the current values, the next ones and the input: what does not
    /// belong to this family.
    ///
    /// # Errors
    /// If the diagrams have no room.
    pub fn forget(&self, relation: &Bdd) -> Result<Bdd> {
        self.manager.exists(relation, &self.all)
    }

    /// `relation` without what a caller keeps.
    ///
    /// # Errors
    /// If the diagrams have no room.
    pub fn forget_frozen(&self, relation: &Bdd) -> Result<Bdd> {
        self.manager.exists(relation, &self.frozen)
    }

    /// The values before a call whose values at the pivot satisfy `after`, given how calls
    /// lead from *now* to *frozen*: `∃ frozen. T ∧ A[now → frozen]`.
    ///
    /// # Errors
    /// If the diagrams have no room.
    pub fn before_pivot(&self, through: &Bdd, after: &Bdd) -> Result<Bdd> {
        let after = self.manager.rename(after, &self.now_to_frozen)?;
        self.manager.and_exists(through, &after, &self.frozen)
    }

    /// `relation` without the input.
    ///
    /// # Errors
    /// If the diagrams have no room.
    pub fn forget_input(&self, relation: &Bdd) -> Result<Bdd> {
        self.manager.exists(relation, &self.input)
    }

    /// That the bits of the given positions are now as they were at entry.
    ///
    /// # Errors
    /// If the diagrams have no room.
    pub fn equal_at_entry(&self, positions: &[usize]) -> Result<Bdd> {
        let m = &self.manager;
        let mut equal = m.constant(true);
        for at in positions.iter().rev() {
            let same = m.iff(&m.bit(self.block.now[*at]), &m.bit(self.block.input[*at]))?;
            equal = m.and(&equal, &same)?;
        }
        Ok(equal)
    }

    /// Normal, entry and evaluation rules: `(∃ now. W ∧ R)[next → now]`.
    ///
    /// # Errors
    /// If the diagrams have no room.
    pub fn step(&self, w: &Bdd, r: &Bdd) -> Result<Bdd> {
        let image = self.manager.and_exists(w, r, &self.now)?;
        self.manager.rename(&image, &self.next_to_now)
    }

    /// Pop rules: from a location's relation to the procedure's effect.
    ///
    /// # Errors
    /// If the diagrams have no room.
    pub fn pop(&self, w: &Bdd, r: &Bdd) -> Result<Bdd> {
        let image = self.manager.and_exists(w, r, &self.now)?;
        self.manager.rename(&image, &self.next_input_to_now_next)
    }

    /// Push rules: from a location's relation to the pivot's.
    ///
    /// # Errors
    /// If the diagrams have no room.
    pub fn push(&self, w: &Bdd, r: &Bdd) -> Result<Bdd> {
        let image = self.manager.and_exists(w, r, &self.now)?;
        self.manager.rename(&image, &self.frozen_to_now)
    }

    /// The inputs that a pivot's relation hands to the callee, as current values.
    ///
    /// # Errors
    /// If the diagrams have no room.
    pub fn inputs(&self, pivot: &Bdd) -> Result<Bdd> {
        let inputs = self.manager.exists(pivot, &self.now_input)?;
        self.manager.rename(&inputs, &self.next_to_now)
    }

    /// A call that returned: `∃ next. M ∧ S`.
    ///
    /// # Errors
    /// If the diagrams have no room.
    pub fn combine(&self, pivot: &Bdd, effect: &Bdd) -> Result<Bdd> {
        self.manager.and_exists(pivot, effect, &self.next)
    }

    /// Adjoint of [`Family::step`]: `∀ next. R → J[now → next]`.
    ///
    /// # Errors
    /// If the diagrams have no room.
    pub fn step_back(&self, r: &Bdd, j: &Bdd) -> Result<Bdd> {
        let j = self.manager.rename(j, &self.now_to_next)?;
        self.manager.forall_implies(r, &j, &self.next)
    }

    /// The adjoint of the entry step: `∀ next, input. R ∧ E → J[now → next]`, where `E` says
    /// that the current values are the input.
    ///
    /// # Errors
    /// If the diagrams have no room.
    pub fn entry_back(&self, r: &Bdd, equal: &Bdd, j: &Bdd) -> Result<Bdd> {
        let j = self.manager.rename(j, &self.now_to_next)?;
        let r = self.manager.and(r, equal)?;
        self.manager.forall_implies(&r, &j, &self.next_input)
    }

    /// Adjoint of [`Family::pop`].
    ///
    /// # Errors
    /// If the diagrams have no room.
    pub fn pop_back(&self, r: &Bdd, effect: &Bdd) -> Result<Bdd> {
        let j = self.manager.rename(effect, &self.now_next_to_next_input)?;
        self.manager.forall_implies(r, &j, &self.next)
    }

    /// Adjoint of [`Family::push`].
    ///
    /// # Errors
    /// If the diagrams have no room.
    pub fn push_back(&self, r: &Bdd, pivot: &Bdd) -> Result<Bdd> {
        let j = self.manager.rename(pivot, &self.now_to_frozen)?;
        self.manager.forall_implies(r, &j, &self.next_frozen)
    }

    /// What must hold of a callee's inputs, said at the pivot: `J[now → next]`.
    ///
    /// # Errors
    /// If the diagrams have no room.
    pub fn inputs_back(&self, entry: &Bdd) -> Result<Bdd> {
        self.manager.rename(entry, &self.now_to_next)
    }

    /// A call that returned, seen from the pivot: `∀ returned. S → J`.
    ///
    /// # Errors
    /// If the diagrams have no room.
    pub fn combine_back(&self, returned: &Cube, effect: &Bdd, j: &Bdd) -> Result<Bdd> {
        self.manager.forall_implies(effect, j, returned)
    }

    /// A call that returned, seen from the effect: `∀ frozen, input. M → J`.
    ///
    /// # Errors
    /// If the diagrams have no room.
    pub fn effect_back(&self, kept: &Cube, pivot: &Bdd, j: &Bdd) -> Result<Bdd> {
        let rest = self.manager.forall_implies(pivot, j, kept)?;
        self.manager.forall(&rest, &self.input)
    }

    /// A location's relation or an effect moved one step on, to stand behind a rule:
    /// `[now → next]`.
    ///
    /// # Errors
    /// If the diagrams have no room.
    pub fn after(&self, f: &Bdd) -> Result<Bdd> {
        self.manager.rename(f, &self.now_to_next)
    }

    /// A pivot's relation, to stand behind a push rule: `[now → frozen]`.
    ///
    /// # Errors
    /// If the diagrams have no room.
    pub fn after_push(&self, pivot: &Bdd) -> Result<Bdd> {
        self.manager.rename(pivot, &self.now_to_frozen)
    }

    /// An effect, to stand behind a pop rule: `[now → next, next → input]`.
    ///
    /// # Errors
    /// If the diagrams have no room.
    pub fn after_pop(&self, effect: &Bdd) -> Result<Bdd> {
        self.manager.rename(effect, &self.now_next_to_next_input)
    }
}
