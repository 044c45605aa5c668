//! The recursive algorithms on diagrams (Brace, Rudell, Bryant, DAC 1990).
//!
//! `oxidd` has them too. Ours look at the stop signal, leave out the second branch of a
//! quantified bit where the first says it all, and spread their results over the whole cache.
//! There every result has one place, which `oxidd` computes without the complement of the last
//! operand: the results for `f, g` and for `f, ¬g` evict each other, and functions with many
//! exclusive ors take several times as long.

use crate::{Full, Result};
use oxidd::bcdd::BCDDFunction;
use oxidd::{BooleanFunction, Function, HasLevel, InnerNode, LevelNo, Manager, Node, VarNo};
use oxidd_core::function::{EdgeOfFunc, OwnEdgeOfFunc};
use oxidd_core::util::{EdgeDropGuard, Ref};
use oxidd_core::{ApplyCache, HasApplyCache, LevelView};
use oxidd_rules_bdd::complement_edge::{BCDDOp, EdgeTag};
use std::cell::Cell;
use tamis_term::StopSignal;

/// The manager behind ours, while it is locked.
pub(crate) type Store<'id> = <BCDDFunction as Function>::Manager<'id>;
/// A diagram that someone else keeps alive.
pub(crate) type Edge<'a, 'id> = Ref<'a, EdgeOfFunc<'id, BCDDFunction>>;
/// A diagram of one's own.
pub(crate) type Owned<'id> = OwnEdgeOfFunc<'id, BCDDFunction>;

/// How many steps may pass between two looks at the stop signal.
const PATIENCE: u32 = 1 << 14;

/// One operation.
pub(crate) struct Apply<'s, 'id: 's> {
    pub(crate) store: &'s Store<'id>,
    stop: &'s StopSignal,
    steps: Cell<u32>,
}

/// What an edge leads to.
enum Kind<'a, 'id: 'a> {
    Constant(bool),
    Inner(&'a <Store<'id> as Manager>::InnerNode),
}

/// Whether an edge is the complement of its node.
pub(crate) fn is_complement(edge: Edge<'_, '_>) -> bool {
    edge.tag() == EdgeTag::Complemented
}

pub(crate) fn not<'a, 'id>(edge: Edge<'a, 'id>) -> Edge<'a, 'id> {
    edge.with_tag(!edge.tag())
}

pub(crate) fn not_owned(edge: Owned<'_>) -> Owned<'_> {
    let tag = edge.tag();
    edge.with_tag(!tag)
}

fn plain<'a, 'id>(edge: Edge<'a, 'id>) -> Edge<'a, 'id> {
    edge.with_tag(EdgeTag::None)
}

/// Where an edge leads if the bit at `level` is true, and if it is false.
fn cofactors<'a, 'id>(edge: Edge<'a, 'id>, kind: &Kind<'a, 'id>, level: LevelNo) -> (Edge<'a, 'id>, Edge<'a, 'id>) {
    match kind {
        Kind::Inner(node) if node.level() == level => BCDDFunction::cofactors_node(edge.tag(), node),
        Kind::Inner(_) | Kind::Constant(_) => (edge, edge),
    }
}

impl Kind<'_, '_> {
    /// The level of the topmost bit; constants are below all bits.
    fn level(&self) -> LevelNo {
        match self {
            Kind::Inner(node) => node.level(),
            Kind::Constant(_) => LevelNo::MAX,
        }
    }
}

impl<'s, 'id> Apply<'s, 'id> {
    pub(crate) fn new(store: &'s Store<'id>, stop: &'s StopSignal) -> Apply<'s, 'id> {
        Apply { store, stop, steps: Cell::new(0) }
    }

    fn kind<'a>(&self, edge: Edge<'a, 'id>) -> Kind<'a, 'id>
    where
        's: 'a,
    {
        match self.store.get_node(edge) {
            Node::Inner(node) => Kind::Inner(node),
            Node::Terminal(_) => Kind::Constant(!is_complement(edge)),
        }
    }

    fn clone(&self, edge: Edge<'_, 'id>) -> Owned<'id> {
        self.store.clone_edge(edge)
    }

    fn constant(&self, value: bool) -> Owned<'id> {
        if value { BCDDFunction::t_edge(self.store) } else { BCDDFunction::f_edge(self.store) }
    }

    /// Keeps a diagram until the end of the scope, or for longer.
    fn keep(&self, edge: Owned<'id>) -> EdgeDropGuard<'s, Store<'id>> {
        EdgeDropGuard::new(self.store, edge)
    }

    /// Counts a step.
    fn step(&self) -> Result<()> {
        let steps = self.steps.get() + 1;
        self.steps.set(steps % PATIENCE);
        if steps == PATIENCE && self.stop.is_set() { Err(Full::Stopped) } else { Ok(()) }
    }

    /// The diagram with the bit at `level` on top.
    fn node(&self, level: LevelNo, high: Owned<'id>, low: Owned<'id>) -> Result<Owned<'id>> {
        if high == low {
            self.store.drop_edge(low);
            return Ok(high);
        }
        let (tag, other) = (high.tag(), low.tag());
        let children = [high.with_tag(EdgeTag::None), low.with_tag(other ^ tag)];
        let node = InnerNode::new(level, children);
        let edge = self.store.level(level).get_or_insert(node).map_err(|_| Full::Nodes)?;
        Ok(edge.with_tag(tag))
    }

    fn known<const N: usize>(&self, op: BCDDOp, key: [u32; N]) -> Option<Owned<'id>> {
        let cache = HasApplyCache::<_, BCDDOp>::apply_cache(self.store);
        cache.get_extended(self.store, op, (&[], &key)).map(|([edge], [])| edge)
    }

    fn remember<const N: usize>(&self, op: BCDDOp, key: [u32; N], result: Edge<'_, 'id>) {
        let cache = HasApplyCache::<_, BCDDOp>::apply_cache(self.store);
        cache.add_extended(self.store, op, (&[], &key), (&[result], &[]));
    }

    pub(crate) fn and(&self, f: Edge<'_, 'id>, g: Edge<'_, 'id>) -> Result<Owned<'id>> {
        if f == g {
            return Ok(self.clone(f));
        }
        if f == not(g) {
            return Ok(self.constant(false));
        }
        let (f_kind, g_kind) = (self.kind(f), self.kind(g));
        match (&f_kind, &g_kind) {
            (Kind::Constant(true), _) => return Ok(self.clone(g)),
            (_, Kind::Constant(true)) => return Ok(self.clone(f)),
            (Kind::Constant(false), _) | (_, Kind::Constant(false)) => return Ok(self.constant(false)),
            (Kind::Inner(_), Kind::Inner(_)) => {}
        }
        let key = pair(f.min(g), f.max(g));
        if let Some(known) = self.known(BCDDOp::And, key) {
            return Ok(known);
        }
        self.step()?;
        let level = f_kind.level().min(g_kind.level());
        let ((f1, f0), (g1, g0)) = (cofactors(f, &f_kind, level), cofactors(g, &g_kind, level));
        let high = self.keep(self.and(f1, g1)?);
        let low = self.and(f0, g0)?;
        let result = self.node(level, high.into_edge(), low)?;
        self.remember(BCDDOp::And, key, result.borrowed());
        Ok(result)
    }

    pub(crate) fn or(&self, f: Edge<'_, 'id>, g: Edge<'_, 'id>) -> Result<Owned<'id>> {
        Ok(not_owned(self.and(not(f), not(g))?))
    }

    pub(crate) fn xor(&self, f: Edge<'_, 'id>, g: Edge<'_, 'id>) -> Result<Owned<'id>> {
        let flip = f.tag() ^ g.tag();
        let flipped = |edge: Owned<'id>| {
            let tag = edge.tag();
            edge.with_tag(tag ^ flip)
        };
        let (f, g) = (plain(f).min(plain(g)), plain(f).max(plain(g)));
        if f == g {
            return Ok(flipped(self.constant(false)));
        }
        let (f_kind, g_kind) = (self.kind(f), self.kind(g));
        match (&f_kind, &g_kind) {
            (Kind::Constant(_), _) => return Ok(flipped(not_owned(self.clone(g)))),
            (_, Kind::Constant(_)) => return Ok(flipped(not_owned(self.clone(f)))),
            (Kind::Inner(_), Kind::Inner(_)) => {}
        }
        let key = pair(f, g);
        if let Some(known) = self.known(BCDDOp::Xor, key) {
            return Ok(flipped(known));
        }
        self.step()?;
        let level = f_kind.level().min(g_kind.level());
        let ((f1, f0), (g1, g0)) = (cofactors(f, &f_kind, level), cofactors(g, &g_kind, level));
        let high = self.keep(self.xor(f1, g1)?);
        let low = self.xor(f0, g0)?;
        let result = self.node(level, high.into_edge(), low)?;
        self.remember(BCDDOp::Xor, key, result.borrowed());
        Ok(flipped(result))
    }

    /// `g` where `f` holds, else `h`.
    pub(crate) fn ite(&self, f: Edge<'_, 'id>, g: Edge<'_, 'id>, h: Edge<'_, 'id>) -> Result<Owned<'id>> {
        let (f, g, h) = if is_complement(f) { (not(f), h, g) } else { (f, g, h) };
        let f_kind = self.kind(f);
        if g == h || matches!(f_kind, Kind::Constant(_)) {
            return Ok(self.clone(g));
        }
        if g == not(h) {
            return self.xor(f, h);
        }
        // Equal to the condition means constant in its branch.
        let (g_kind, h_kind) = (self.kind(g), self.kind(h));
        match &g_kind {
            Kind::Constant(true) => return self.or(f, h),
            Kind::Constant(false) => return self.and(not(f), h),
            Kind::Inner(_) if g == f => return self.or(f, h),
            Kind::Inner(_) if g == not(f) => return self.and(not(f), h),
            Kind::Inner(_) => {}
        }
        match &h_kind {
            Kind::Constant(true) => return self.or(not(f), g),
            Kind::Constant(false) => return self.and(f, g),
            Kind::Inner(_) if h == f => return self.and(f, g),
            Kind::Inner(_) if h == not(f) => return self.or(not(f), g),
            Kind::Inner(_) => {}
        }
        if is_complement(g) {
            return Ok(not_owned(self.ite(f, not(g), not(h))?));
        }
        let key = triple(f, g, h);
        if let Some(known) = self.known(BCDDOp::Ite, key) {
            return Ok(known);
        }
        self.step()?;
        let level = f_kind.level().min(g_kind.level()).min(h_kind.level());
        let (f1, f0) = cofactors(f, &f_kind, level);
        let ((g1, g0), (h1, h0)) = (cofactors(g, &g_kind, level), cofactors(h, &h_kind, level));
        let high = self.keep(self.ite(f1, g1, h1)?);
        let low = self.ite(f0, g0, h0)?;
        let result = self.node(level, high.into_edge(), low)?;
        self.remember(BCDDOp::Ite, key, result.borrowed());
        Ok(result)
    }

    /// The part of a conjunction of bits that is not above `level`.
    fn skip<'a>(&self, mut over: Edge<'a, 'id>, level: LevelNo) -> (Edge<'a, 'id>, Kind<'a, 'id>)
    where
        's: 'a,
    {
        loop {
            match self.kind(over) {
                Kind::Inner(node) if node.level() < level => over = node.child(0),
                kind @ (Kind::Inner(_) | Kind::Constant(_)) => return (over, kind),
            }
        }
    }

    /// Where `f` holds for some values of the bits whose conjunction is `over`.
    pub(crate) fn exists(&self, f: Edge<'_, 'id>, over: Edge<'_, 'id>) -> Result<Owned<'id>> {
        let f_kind @ Kind::Inner(_) = self.kind(f) else { return Ok(self.clone(f)) };
        let level = f_kind.level();
        let (over, over_kind @ Kind::Inner(_)) = self.skip(over, level) else { return Ok(self.clone(f)) };
        let key = pair(f, over);
        if let Some(known) = self.known(BCDDOp::Exists, key) {
            return Ok(known);
        }
        self.step()?;
        let ((f1, f0), (rest, _)) = (cofactors(f, &f_kind, level), cofactors(over, &over_kind, level));
        let high = self.keep(self.exists(f1, rest)?);
        let result = if over_kind.level() == level {
            self.either(high, || self.exists(f0, rest))?
        } else {
            let low = self.exists(f0, rest)?;
            self.node(level, high.into_edge(), low)?
        };
        self.remember(BCDDOp::Exists, key, result.borrowed());
        Ok(result)
    }

    /// Where `f` and `g` hold for some values of the bits whose conjunction is `over`.
    pub(crate) fn and_exists(&self, f: Edge<'_, 'id>, g: Edge<'_, 'id>, over: Edge<'_, 'id>) -> Result<Owned<'id>> {
        if f == not(g) {
            return Ok(self.constant(false));
        }
        let (f_kind, g_kind) = (self.kind(f), self.kind(g));
        match (&f_kind, &g_kind) {
            (Kind::Constant(true), _) => return self.exists(g, over),
            (_, Kind::Constant(true)) => return self.exists(f, over),
            (Kind::Constant(false), _) | (_, Kind::Constant(false)) => return Ok(self.constant(false)),
            (Kind::Inner(_), Kind::Inner(_)) if f == g => return self.exists(f, over),
            (Kind::Inner(_), Kind::Inner(_)) => {}
        }
        let level = f_kind.level().min(g_kind.level());
        let (over, over_kind @ Kind::Inner(_)) = self.skip(over, level) else { return self.and(f, g) };
        let key = triple(f.min(g), f.max(g), over);
        if let Some(known) = self.known(BCDDOp::ExistAnd, key) {
            return Ok(known);
        }
        self.step()?;
        let ((f1, f0), (g1, g0)) = (cofactors(f, &f_kind, level), cofactors(g, &g_kind, level));
        let (rest, _) = cofactors(over, &over_kind, level);
        let high = self.keep(self.and_exists(f1, g1, rest)?);
        let result = if over_kind.level() == level {
            self.either(high, || self.and_exists(f0, g0, rest))?
        } else {
            let low = self.and_exists(f0, g0, rest)?;
            self.node(level, high.into_edge(), low)?
        };
        self.remember(BCDDOp::ExistAnd, key, result.borrowed());
        Ok(result)
    }

    /// The disjunction, without the second diagram if the first holds everywhere.
    fn either(
        &self,
        first: EdgeDropGuard<'s, Store<'id>>,
        second: impl FnOnce() -> Result<Owned<'id>>,
    ) -> Result<Owned<'id>> {
        if matches!(self.kind(first.borrowed()), Kind::Constant(true)) {
            return Ok(first.into_edge());
        }
        let second = self.keep(second()?);
        self.or(first.borrowed(), second.borrowed())
    }

    /// `f` where the literals whose conjunction is `at` hold.
    pub(crate) fn restrict(&self, f: Edge<'_, 'id>, at: Edge<'_, 'id>) -> Result<Owned<'id>> {
        let (f_kind, at_kind) = (self.kind(f), self.kind(at));
        let (level, fixed) = (f_kind.level(), at_kind.level());
        let (Kind::Inner(_), Kind::Inner(_)) = (&f_kind, &at_kind) else { return Ok(self.clone(f)) };
        let ((f1, f0), (at1, at0)) = (cofactors(f, &f_kind, level.min(fixed)), cofactors(at, &at_kind, fixed));
        if fixed <= level {
            // One branch of a conjunction of literals is false.
            return match self.kind(at1) {
                Kind::Constant(false) => self.restrict(f0, at0),
                Kind::Constant(true) | Kind::Inner(_) => self.restrict(f1, at1),
            };
        }
        let key = pair(f, at);
        if let Some(known) = self.known(BCDDOp::Restrict, key) {
            return Ok(known);
        }
        self.step()?;
        let high = self.keep(self.restrict(f1, at)?);
        let low = self.restrict(f0, at)?;
        let result = self.node(level, high.into_edge(), low)?;
        self.remember(BCDDOp::Restrict, key, result.borrowed());
        Ok(result)
    }

    /// `f` with bits replaced by functions. Results are remembered under `name`.
    pub(crate) fn substitute<'f>(
        &self,
        f: Edge<'_, 'id>,
        replacement: &impl Fn(VarNo) -> Option<&'f BCDDFunction>,
        name: u32,
    ) -> Result<Owned<'id>> {
        if is_complement(f) {
            return Ok(not_owned(self.substitute(not(f), replacement, name)?));
        }
        let Kind::Inner(node) = self.kind(f) else { return Ok(self.clone(f)) };
        let key = [name, mix(number(f))];
        if let Some(known) = self.known(BCDDOp::Substitute, key) {
            return Ok(known);
        }
        self.step()?;
        let bit = self.store.level_to_var(node.level());
        let literal = match replacement(bit) {
            Some(function) => self.clone(function.as_edge(self.store)),
            None => BCDDFunction::var_edge(self.store, bit).map_err(|_| Full::Nodes)?,
        };
        let literal = self.keep(literal);
        let high = self.keep(self.substitute(node.child(0), replacement, name)?);
        let low = self.keep(self.substitute(node.child(1), replacement, name)?);
        let result = self.ite(literal.borrowed(), high.borrowed(), low.borrowed())?;
        self.remember(BCDDOp::Substitute, key, result.borrowed());
        Ok(result)
    }
}

/// The number of an edge, which says whether it is complemented in its highest bit.
fn number(edge: Edge<'_, '_>) -> u32 {
    edge.raw().raw()
}

/// A permutation of the numbers after which all bits influence the low ones, by which the
/// cache is indexed.
fn mix(number: u32) -> u32 {
    let number = (number ^ (number >> 16)).wrapping_mul(0x7feb_352d);
    number ^ (number >> 15)
}

/// A key that stands for two operands and no others.
fn pair(f: Edge<'_, '_>, g: Edge<'_, '_>) -> [u32; 2] {
    let f = number(f);
    [f, mix(number(g) ^ mix(f))]
}

/// A key that stands for three operands and no others.
fn triple(f: Edge<'_, '_>, g: Edge<'_, '_>, h: Edge<'_, '_>) -> [u32; 3] {
    let [f, g] = pair(f, g);
    [f, g, mix(number(h) ^ g)]
}
