//! What a diagram looks like: walks over its nodes that make no new ones, and no recursion.

use crate::apply::{Store, is_complement};
use crate::{Bdd, Bit, Manager};
use oxidd::bcdd::BCDDFunction;
use oxidd::{BooleanFunction, Function, HasLevel, InnerNode, LevelNo, Manager as _, ManagerRef, Node};
use rustc_hash::{FxHashMap, FxHashSet};

impl Bdd {
    /// Whether it holds everywhere.
    #[must_use]
    pub fn is_true(&self) -> bool {
        self.0.valid()
    }

    /// Whether it holds nowhere.
    #[must_use]
    pub fn is_false(&self) -> bool {
        !self.0.satisfiable()
    }
}

/// A number with a large exponent: `mantissa * 2^exponent`, where the mantissa is zero or
/// at least a half and less than one. Counts over thousands of bits need it.
#[derive(Clone, Copy)]
struct Scaled {
    mantissa: f64,
    exponent: i32,
}

impl Scaled {
    const ZERO: Scaled = Scaled { mantissa: 0.0, exponent: 0 };
    const ONE: Scaled = Scaled { mantissa: 0.5, exponent: 1 };

    /// The mean of two numbers.
    fn mean(self, other: Scaled) -> Scaled {
        let (large, small) = match (self.mantissa > 0.0, other.mantissa > 0.0) {
            (_, false) => (self, Scaled { exponent: self.exponent, ..other }),
            (false, true) => (other, Scaled { exponent: other.exponent, ..self }),
            (true, true) if self.exponent >= other.exponent => (self, other),
            (true, true) => (other, self),
        };
        // Two summands below one: the sum is below two, and half of it below one.
        let mantissa = f64::midpoint(large.mantissa, small.mantissa * power(small.exponent - large.exponent));
        let mut mean = Scaled { mantissa, exponent: large.exponent };
        if mantissa > 0.0 && mantissa < 0.5 {
            mean = Scaled { mantissa: 2.0 * mantissa, exponent: mean.exponent - 1 };
        }
        mean
    }
}

/// `2^exponent`, zero if that is too small and infinite if it is too large.
fn power(exponent: i32) -> f64 {
    2.0_f64.powi(exponent)
}

impl Manager {
    /// The bits that `f` depends on, in ascending order.
    pub fn support(&self, f: &Bdd) -> Vec<Bit> {
        self.store.with_manager_shared(|store| {
            let mut levels = FxHashSet::default();
            walk(store, f, |level| {
                levels.insert(level);
            });
            let mut bits: Vec<Bit> = levels.into_iter().map(|level| Bit(store.level_to_var(level))).collect();
            bits.sort_unstable();
            bits
        })
    }

    /// How many nodes `f` has; constants have none.
    pub fn size(&self, f: &Bdd) -> usize {
        self.store.with_manager_shared(|store| walk(store, f, |_| ()))
    }

    /// How many valuations of so many bits make `f` true, if `f` depends on no others. The
    /// result is rounded, and infinite if it is too large.
    pub fn count(&self, f: &Bdd, bits: usize) -> f64 {
        let share = self.store.with_manager_shared(|store| share(store, f));
        if share.mantissa == 0.0 {
            return 0.0;
        }
        let exponent = i32::try_from(bits).unwrap_or(i32::MAX).saturating_add(share.exponent);
        // In two steps: half of the power may be representable where all of it is not.
        share.mantissa * power(exponent / 2) * power(exponent - exponent / 2)
    }

    /// Values of some bits that make `f` true whatever the others are, from the topmost bit
    /// downwards; always the same ones. `None` if `f` is false.
    pub fn pick(&self, f: &Bdd) -> Option<Vec<(Bit, bool)>> {
        self.store.with_manager_shared(|store| {
            let falsity = BCDDFunction::f(store);
            let falsity = falsity.as_edge(store);
            let mut edge = f.0.as_edge(store);
            if edge == falsity {
                return None;
            }
            let mut cube = Vec::new();
            while let Node::Inner(node) = store.get_node(edge) {
                let (high, low) = BCDDFunction::cofactors_node(edge.tag(), node);
                let value = low == falsity;
                cube.push((Bit(store.level_to_var(node.level())), value));
                edge = if value { high } else { low };
            }
            Some(cube)
        })
    }

    /// Whether `f` holds where the bits have these values.
    pub fn eval(&self, f: &Bdd, value: &dyn Fn(Bit) -> bool) -> bool {
        self.store.with_manager_shared(|store| {
            let mut edge = f.0.as_edge(store);
            while let Node::Inner(node) = store.get_node(edge) {
                let (high, low) = BCDDFunction::cofactors_node(edge.tag(), node);
                edge = if value(Bit(store.level_to_var(node.level()))) { high } else { low };
            }
            !is_complement(edge)
        })
    }

    /// The topmost bit of `f`, with `f` where it is true and where it is false. Constants have
    /// no topmost bit.
    pub fn children(&self, f: &Bdd) -> Option<(Bit, Bdd, Bdd)> {
        self.store.with_manager_shared(|store| {
            let edge = f.0.as_edge(store);
            let Node::Inner(node) = store.get_node(edge) else { return None };
            let (high, low) = BCDDFunction::cofactors_node(edge.tag(), node);
            let handle = |edge| Bdd(BCDDFunction::from_edge_ref(store, edge));
            Some((Bit(store.level_to_var(node.level())), handle(high), handle(low)))
        })
    }
}

/// Hands the level of each node to `visit`, and returns how many nodes there are.
fn walk(store: &Store<'_>, f: &Bdd, mut visit: impl FnMut(LevelNo)) -> usize {
    let mut seen: FxHashSet<usize> = FxHashSet::default();
    let mut open = vec![f.0.as_edge(store)];
    while let Some(edge) = open.pop() {
        if let Node::Inner(node) = store.get_node(edge)
            && seen.insert(edge.node_id())
        {
            visit(node.level());
            open.extend(node.children());
        }
    }
    seen.len()
}

/// Which part of all valuations makes `f` true.
fn share(store: &Store<'_>, f: &Bdd) -> Scaled {
    // By edge, not by node: the share of a complement, computed by subtraction, is not exact.
    let mut shares = FxHashMap::default();
    let root = f.0.as_edge(store);
    let mut open = vec![root];
    while let Some(edge) = open.last().copied() {
        if shares.contains_key(&edge.raw()) {
            open.pop();
            continue;
        }
        let Some((high, low)) = BCDDFunction::cofactors_edge(store, edge) else {
            shares.insert(edge.raw(), if is_complement(edge) { Scaled::ZERO } else { Scaled::ONE });
            continue;
        };
        let known: (Option<&Scaled>, Option<&Scaled>) = (shares.get(&high.raw()), shares.get(&low.raw()));
        match known {
            (Some(high), Some(low)) => {
                let mean = high.mean(*low);
                shares.insert(edge.raw(), mean);
            }
            (None, _) => open.push(high),
            (_, None) => open.push(low),
        }
    }
    shares[&root.raw()]
}
