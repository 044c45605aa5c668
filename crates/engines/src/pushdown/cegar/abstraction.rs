//! Existential abstraction of the rules (Kiefer 2005, sections 5.3 and 7.1 to 7.3).
//!
//! Every spot has a *concretisation*, which links its abstract bits to the predicates that
//! they stand for. It grows with the list, and a rule is abstracted again only if one of its
//! spots has new predicates (section 8.3). Abstract bits are shared by all spots and stay
//! above the concrete ones: everything that is quantified away is at the bottom.

use super::precision::{Lists, Spot};
use std::rc::Rc;
use tamis_bdd::{Bdd, Bit, Manager, Result};
use tamis_ir::ProcId;
use tamis_pds::{Block, Family, RuleId, Shape, Sym, System};

/// The bits that a run starts with. More are added by doubling.
const FIRST_BITS: usize = 16;

/// The bits of predicates: at control points in four copies, of effects in two.
pub(in super::super) struct Pool {
    local: [Vec<Bit>; 4],
    effect: [Vec<Bit>; 2],
}

impl Pool {
    /// The first bits, which must be made before all others.
    pub(in super::super) fn new(manager: &Manager) -> Pool {
        let mut pool = Pool { local: Default::default(), effect: Default::default() };
        pool.grow(manager, FIRST_BITS, FIRST_BITS);
        pool
    }

    fn grow(&mut self, manager: &Manager, local: usize, effect: usize) {
        // The copies of a bit side by side.
        for _ in self.local[0].len()..local {
            let bits = manager.add_bits(4);
            self.local.iter_mut().zip(bits).for_each(|(copy, bit)| copy.push(bit));
        }
        for _ in self.effect[0].len()..effect {
            let bits = manager.add_bits(2);
            self.effect.iter_mut().zip(bits).for_each(|(copy, bit)| copy.push(bit));
        }
    }

    /// The bits as one block: those of control points first, since effects have fewer copies.
    fn block(&self) -> Block {
        let [now, next, frozen, input] = self.local.clone();
        let [effect_now, effect_next] = self.effect.clone();
        Block { now: [now, effect_now].concat(), next: [next, effect_next].concat(), frozen, input }
    }
}

/// The abstract system: the same symbols and rules as the concrete one, with relations over
/// abstract bits.
pub(super) struct Abstraction {
    pool: Pool,
    /// The abstract bits' copies.
    pub family: Family,
    at: Vec<Linked>,
    effect: Vec<Linked>,
    /// By rule: its abstract relation.
    pub relations: Vec<Bdd>,
    /// By procedure: that the abstract values at its entry are its input.
    pub equal: Vec<Bdd>,
    /// By symbol: the rules that mention it; by procedure: those that mention its effect.
    rules_at: Vec<Vec<RuleId>>,
    rules_of_effect: Vec<Vec<RuleId>>,
}

/// A concretisation, and how many predicates it links.
struct Linked {
    relation: Bdd,
    count: usize,
}

impl Abstraction {
    /// The abstraction without predicates: every rule can do anything.
    pub fn new(system: &System, pool: Pool) -> Result<Abstraction> {
        let m = system.family.manager();
        let top = || m.constant(true);
        let linked = |count: usize| (0..count).map(|_| Linked { relation: top(), count: 0 }).collect();
        let mut rules_at: Vec<Vec<RuleId>> = vec![Vec::new(); system.symbols.len()];
        let mut rules_of_effect: Vec<Vec<RuleId>> = vec![Vec::new(); system.procs.len()];
        for (at, rule) in system.rules.iter().enumerate() {
            for spot in spots(system, RuleId::new(at), rule.from, rule.shape) {
                match spot {
                    Spot::At(sym) => rules_at[sym.index()].push(RuleId::new(at)),
                    Spot::Effect(proc) => rules_of_effect[proc.index()].push(RuleId::new(at)),
                }
            }
        }
        Ok(Abstraction {
            family: Family::new(m.clone(), pool.block())?,
            pool,
            at: linked(system.symbols.len()),
            effect: linked(system.procs.len()),
            relations: system.rules.iter().map(|_| top()).collect(),
            equal: system.procs.iter().map(|_| top()).collect(),
            rules_at,
            rules_of_effect,
        })
    }

    /// Takes in the lists that grew, and abstracts the rules that mention them again.
    /// Returns those rules.
    pub fn refine(&mut self, system: &System, lists: &Lists) -> Result<Vec<RuleId>> {
        self.make_room(system, lists)?;
        let mut stale: Vec<RuleId> = lists.tightened.clone();
        for spot in &lists.grown {
            self.link(system.family.manager(), lists, *spot)?;
            stale.extend(match spot {
                Spot::At(sym) => &self.rules_at[sym.index()],
                Spot::Effect(proc) => &self.rules_of_effect[proc.index()],
            });
        }
        stale.sort_unstable();
        stale.dedup();
        for (id, proc) in system.procs.iter().enumerate() {
            if lists.grown.binary_search(&Spot::At(proc.entry)).is_ok() {
                let bits: Vec<usize> = (0..self.at[proc.entry.index()].count).collect();
                self.equal[id] = self.family.equal_at_entry(&bits)?;
            }
        }
        for rule in &stale {
            self.relations[rule.index()] = self.abstracted(system, *rule)?;
        }
        Ok(stale)
    }

    /// Doubles the bits when lists outgrow them; new ones go on top.
    fn make_room(&mut self, system: &System, lists: &Lists) -> Result<()> {
        let (local, effect) = lists.widest();
        let (has_local, has_effect) = (self.pool.local[0].len(), self.pool.effect[0].len());
        if local <= has_local && effect <= has_effect {
            return Ok(());
        }
        let double = |need: usize, has: usize| if need > has { need.next_power_of_two() } else { has };
        let m: &Rc<Manager> = system.family.manager();
        let before = m.order();
        self.pool.grow(m, double(local, has_local), double(effect, has_effect));
        let order = m.order();
        m.set_order(&[&order[before.len()..], &before].concat())?;
        self.family = Family::new(m.clone(), self.pool.block())?;
        Ok(())
    }

    /// `{y} := {y} ∧ (l ↔ P)` for each new predicate (section 7.2).
    fn link(&mut self, m: &Manager, lists: &Lists, spot: Spot) -> Result<()> {
        let (linked, bits) = match spot {
            Spot::At(sym) => (&mut self.at[sym.index()], &self.pool.local[0]),
            Spot::Effect(proc) => (&mut self.effect[proc.index()], &self.pool.effect[0]),
        };
        for (predicate, bit) in lists.list(spot).iter().zip(bits).skip(linked.count) {
            let link = m.iff(&m.bit(*bit), predicate)?;
            linked.relation = m.and(&linked.relation, &link)?;
            linked.count += 1;
        }
        Ok(())
    }

    /// `{y}`.
    pub fn at(&self, sym: Sym) -> &Bdd {
        &self.at[sym.index()].relation
    }

    /// `{ε}` of a procedure.
    pub fn effect(&self, proc: ProcId) -> &Bdd {
        &self.effect[proc.index()].relation
    }

    /// The bit that stands for the predicate of that number, where lists are about current
    /// values, about a callee's input and about the input.
    pub fn bits(&self, number: usize) -> [Bit; 3] {
        [self.pool.local[0][number], self.pool.local[1][number], self.pool.local[3][number]]
    }

    /// The bit of an effect's predicate.
    pub fn effect_bit(&self, number: usize) -> Bit {
        self.pool.effect[0][number]
    }

    /// `{y}` behind a rule, in both families.
    fn after(&self, system: &System, sym: Sym) -> Result<Bdd> {
        self.family.after(&system.family.after(self.at(sym))?)
    }

    /// The abstract relation of a rule (sections 5.3.2 to 5.3.4), quantifying as early as
    /// possible.
    fn abstracted(&self, system: &System, id: RuleId) -> Result<Bdd> {
        let rule = system.rule(id);
        let (m, family) = (system.family.manager(), &system.family);
        let from = self.at(rule.from);
        match (rule.shape, &rule.relation) {
            (Shape::Normal { to }, Some(r)) => {
                let image = m.and_exists(from, r, family.now())?;
                m.and_exists(&image, &self.after(system, to)?, family.all())
            }
            (Shape::Entry { to }, Some(r)) => {
                let from = m.and(from, &system.owner(rule.from).equal)?;
                let image = m.and_exists(&from, r, family.now())?;
                m.and_exists(&image, &self.after(system, to)?, family.all())
            }
            (Shape::Push { entry, pivot }, Some(r)) => {
                let image = m.and_exists(from, r, family.now())?;
                let image = m.and(&image, &self.after(system, entry)?)?;
                let frozen = self.family.after_push(&family.after_push(self.at(pivot))?)?;
                m.and_exists(&image, &frozen, family.all())
            }
            (Shape::Pop, Some(r)) => {
                let image = m.and_exists(from, r, family.now())?;
                let effect = family.after_pop(self.effect(system.symbol(rule.from).proc))?;
                m.and_exists(&image, &self.family.after(&effect)?, family.all())
            }
            (Shape::Eval { to }, _) => {
                let back = m.and_exists(from, self.effect(system.callee(rule.from)), family.next())?;
                m.and_exists(&back, &self.family.after(self.at(to))?, family.all())
            }
            (Shape::Normal { .. } | Shape::Entry { .. } | Shape::Push { .. } | Shape::Pop, None) => {
                unreachable!("only evaluations have no relation")
            }
        }
    }

    /// The abstract values with which the program can start, as current values.
    pub fn start(&self, system: &System) -> Result<Bdd> {
        system.family.forget(self.at(system.proc(system.main).entry))
    }
}

/// The spots that a rule's abstraction depends on.
fn spots(system: &System, id: RuleId, from: Sym, shape: Shape) -> Vec<Spot> {
    debug_assert_eq!(system.rule(id).from, from);
    match shape {
        Shape::Entry { to } | Shape::Normal { to } => vec![Spot::At(from), Spot::At(to)],
        Shape::Push { entry, pivot } => vec![Spot::At(from), Spot::At(entry), Spot::At(pivot)],
        Shape::Pop => vec![Spot::At(from), Spot::Effect(system.symbol(from).proc)],
        Shape::Eval { to } => vec![Spot::At(from), Spot::At(to), Spot::Effect(system.callee(from))],
    }
}
