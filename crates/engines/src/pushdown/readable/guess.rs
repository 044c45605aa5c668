//! Which atoms may matter: constants are read off the diagram, offsets off some of its
//! points.

use super::atoms::{Atom, Kind, Point, Sum};
use super::{Effort, MAX_WORDS, Tired};
use tamis_bdd::{Bdd, Bit, Manager};

/// How many points are looked at, inside and outside.
const POINTS: usize = 48;
/// Numbers that behave in one way or another in more ranges than this are not compared with
/// constants. Three ranges and what is around them are seven.
const MAX_RUNS: usize = 8;

/// A diagram's surroundings.
pub(super) struct Ground<'g> {
    pub m: &'g Manager,
    /// By word and position.
    pub bits: &'g [Vec<Bit>],
    pub kinds: &'g [Kind],
}

/// Numbers that look random, always the same ones (Steele, Lea, Flood, OOPSLA 2014).
pub(super) struct Random(u64);

impl Random {
    pub fn new() -> Random {
        Random(0)
    }

    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mixed = (self.0 ^ (self.0 >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        mixed ^ (mixed >> 31)
    }
}

impl Ground<'_> {
    /// A point where `f` holds, if there is one.
    pub fn point(&self, f: &Bdd, random: &mut Random) -> Option<Point> {
        if f.is_false() {
            return None;
        }
        let mut point: Point = self.kinds.iter().map(|kind| random.next() & kind.max()).collect();
        let mut g = f.clone();
        while let Some((bit, high, low)) = self.m.children(&g) {
            let value = low.is_false() || (!high.is_false() && random.next() & 1 == 1);
            let (word, at) = self.place(bit);
            point[word] = point[word] & !(1 << at) | u64::from(value) << at;
            g = if value { high } else { low };
        }
        Some(point)
    }

    /// The word and position of a bit.
    fn place(&self, bit: Bit) -> (usize, usize) {
        let word = bit.index() % MAX_WORDS;
        (word, self.bits[word].len() - 1 - bit.index() / MAX_WORDS)
    }

    /// Where `f` holds for some values of the other words.
    fn project(&self, f: &Bdd, word: usize) -> Result<Bdd, Tired> {
        let others: Vec<Bit> = self.m.support(f).into_iter().filter(|bit| self.place(*bit).0 != word).collect();
        Ok(self.m.exists(f, &self.m.cube(&others)?)?)
    }

    /// The values of a number from which on `f` is another function of the other words, in
    /// ascending order and without zero; none if there are many.
    fn turns(&self, f: &Bdd, word: usize, effort: &mut Effort) -> Result<Option<Vec<u64>>, Tired> {
        let mut turns: Vec<u64> = Vec::new();
        let mut last: Option<Bdd> = None;
        let mut open = vec![(f.clone(), self.kinds[word].width(), 0_u64)];
        while let Some((g, below, from)) = open.pop() {
            effort.operate(1)?;
            let used = self.m.support(&g).into_iter().map(|bit| self.place(bit));
            let highest = used.filter(|(of, at)| *of == word && *at < below as usize).map(|(_, at)| at).max();
            if highest.is_none() {
                if last.as_ref() != Some(&g) {
                    turns.push(from);
                    last = Some(g);
                }
                if turns.len() > MAX_RUNS {
                    return Ok(None);
                }
                continue;
            }
            let at = below - 1;
            let bit = self.bits[word][at as usize];
            open.push((self.m.restrict(&g, &[(bit, true)])?, at, from | 1 << at));
            open.push((self.m.restrict(&g, &[(bit, false)])?, at, from));
        }
        turns.retain(|turn| *turn > 0);
        Ok(Some(turns))
    }

    /// The least and the greatest value of the only number that `f` depends on.
    fn extremes(&self, f: &Bdd, word: usize) -> [u64; 2] {
        [false, true].map(|wanted| {
            let mut value = if wanted { self.kinds[word].max() } else { 0 };
            let mut g = f.clone();
            while let Some((bit, high, low)) = self.m.children(&g) {
                let (preferred, other) = if wanted { (high, low) } else { (low, high) };
                let met = !preferred.is_false();
                if !met {
                    value ^= 1 << self.place(bit).1;
                }
                g = if met { preferred } else { other };
            }
            value
        })
    }
}

/// What to build formulas from.
pub(super) struct Guesses {
    pub atoms: Vec<Atom>,
    /// Points where the diagram holds, and points where it does not.
    pub inside: Vec<Point>,
    pub outside: Vec<Point>,
}

impl Guesses {
    pub fn new(ground: &Ground, f: &Bdd, random: &mut Random, effort: &mut Effort) -> Result<Guesses, Tired> {
        let complement = ground.m.not(f);
        effort.spend(2 * POINTS as u64)?;
        let mut points = |f: &Bdd| (0..POINTS).filter_map(|_| ground.point(f, random)).collect();
        let (inside, outside) = (points(f), points(&complement));
        let mut guesses = Guesses { atoms: Vec::new(), inside, outside };
        let flags: Vec<usize> = positions(ground.kinds, |kind| kind == Kind::Flag);
        let numbers: Vec<usize> = positions(ground.kinds, |kind| kind != Kind::Flag);
        guesses.atoms.extend(flags.iter().map(|flag| Atom::Set(*flag)));
        for number in &numbers {
            guesses.constants(ground, [f, &complement], *number, effort)?;
        }
        guesses.atoms.extend(pairs(&flags).map(|(a, b)| Atom::Same(a, b)));
        guesses.atoms.extend(pairs(&numbers).map(|(a, b)| Atom::Equal(a, b)));
        guesses.atoms.extend(pairs(&numbers).flat_map(|(a, b)| [Atom::Less(a, b), Atom::Less(b, a)]));
        for (a, b) in pairs(&numbers) {
            guesses.sums(ground.kinds, &[a], Some(b));
            guesses.sums(ground.kinds, &[a, b], None);
            for c in numbers.iter().copied().filter(|c| *c != a && *c != b) {
                guesses.sums(ground.kinds, &[a, b], Some(c));
            }
        }
        Ok(guesses)
    }

    /// Comparisons of a number with constants.
    fn constants(&mut self, ground: &Ground, sides: [&Bdd; 2], word: usize, effort: &mut Effort) -> Result<(), Tired> {
        let mut turns = Vec::new();
        if let Some(all) = ground.turns(sides[0], word, effort)? {
            turns = all;
        } else {
            self.atoms.push(Atom::Odd(word));
            for side in sides {
                let values = ground.project(side, word)?;
                let [least, greatest] = ground.extremes(&values, word);
                let all = ground.turns(&values, word, effort)?;
                turns.extend(all.unwrap_or_else(|| vec![least, greatest.wrapping_add(1)]));
            }
        }
        let largest = ground.kinds[word].max();
        turns.retain(|turn| (1..=largest).contains(turn));
        turns.sort_unstable();
        turns.dedup();
        // A value between two neighbouring turns is special.
        let starts = std::iter::once(0).chain(turns.iter().copied());
        let ends = turns.iter().map(|turn| turn - 1).chain([largest]);
        self.atoms.extend(starts.zip(ends).filter(|(start, end)| start == end).map(|(value, _)| Atom::Is(word, value)));
        self.atoms.extend(turns.iter().map(|turn| Atom::AtMost(word, turn - 1)));
        Ok(())
    }

    /// Sums that hold at many points inside or outside, with the offset that is most common.
    fn sums(&mut self, kinds: &[Kind], left: &[usize], right: Option<usize>) {
        let width = kinds[left[0]].width();
        let same = left.iter().chain(&right).all(|word| kinds[*word].width() == width);
        // Without wrapping if that is the same, since it is shorter.
        for wraps in [None].into_iter().chain(same.then_some(Some(width))) {
            for points in [&self.inside, &self.outside] {
                let mut sum = Sum { left: left.to_vec(), right, offset: 0, wraps };
                let mut offsets: Vec<i128> = points.iter().map(|point| sum.difference(point)).collect();
                offsets.sort_unstable();
                let common = offsets.chunk_by(PartialEq::eq).max_by_key(|equal| equal.len());
                let Some((offset, count)) = common.and_then(|equal| Some((*equal.first()?, equal.len()))) else {
                    continue;
                };
                // There are other words for equal numbers, and for several zeros.
                let is_plain = offset == 0 && (left.len() == 1 || (right.is_none() && wraps.is_none()));
                sum.offset = offset;
                let atom = Atom::Sum(sum);
                if 3 * count >= points.len() && !is_plain && !self.atoms.contains(&atom) {
                    self.atoms.push(atom);
                }
            }
        }
    }
}

fn positions(kinds: &[Kind], is: impl Fn(Kind) -> bool) -> Vec<usize> {
    (0..kinds.len()).filter(|word| is(kinds[*word])).collect()
}

fn pairs(words: &[usize]) -> impl Iterator<Item = (usize, usize)> {
    words.iter().enumerate().flat_map(|(at, a)| words[at + 1..].iter().map(|b| (*a, *b)))
}
