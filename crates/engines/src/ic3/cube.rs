//! Cubes: sets of states, given by the values of some latches. The complement of a blocked cube is a
//! clause that holds in a frame.

/// A latch with a value.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(super) struct Bit(u32);

impl Bit {
    pub(super) fn new(latch: usize, value: bool) -> Bit {
        Bit(u32::try_from(2 * latch).expect("fewer than 2^31 latches") | u32::from(value))
    }

    pub(super) fn latch(self) -> usize {
        (self.0 >> 1) as usize
    }

    pub(super) fn value(self) -> bool {
        self.0 & 1 == 1
    }
}

/// A conjunction of bits, in their order.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Cube {
    bits: Vec<Bit>,
    /// One of 64 for each bit: what is not among them is not in the cube.
    signature: u64,
}

impl Cube {
    pub(super) fn new(mut bits: Vec<Bit>) -> Cube {
        bits.sort_unstable();
        bits.dedup();
        let signature = bits.iter().fold(0, |all, bit| all | 1 << (bit.0.wrapping_mul(0x9e37_79b1) >> 26));
        Cube { bits, signature }
    }

    pub(super) fn bits(&self) -> &[Bit] {
        &self.bits
    }

    pub(super) fn len(&self) -> usize {
        self.bits.len()
    }

    pub(super) fn contains(&self, bit: Bit) -> bool {
        self.bits.binary_search(&bit).is_ok()
    }

    /// The cube without one of its bits.
    pub(super) fn without(&self, bit: Bit) -> Cube {
        Cube::new(self.bits.iter().copied().filter(|other| *other != bit).collect())
    }

    /// Whether every state of the other one is a state of this one.
    pub(super) fn covers(&self, other: &Cube) -> bool {
        if self.len() > other.len() || self.signature & !other.signature != 0 {
            return false;
        }
        let mut rest = other.bits.iter();
        self.bits.iter().all(|bit| rest.by_ref().find(|own| *own >= bit) == Some(bit))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn fewer_bits_cover_more() {
        let cube =
            |latches: &[usize]| Cube::new(latches.iter().map(|latch| Bit::new(*latch, latch % 2 == 0)).collect());
        assert!(cube(&[3, 1]).covers(&cube(&[0, 1, 2, 3])));
        assert!(cube(&[]).covers(&cube(&[5])));
        assert!(!cube(&[1, 4]).covers(&cube(&[1, 3, 5])));
        assert!(!cube(&[1, 2, 3]).covers(&cube(&[1, 2])));
        assert_eq!(cube(&[7, 4]).without(Bit::new(7, false)), cube(&[4]));
    }
}
