//! Boolean functions as tables, and as diagrams.

use fastrand::Rng;
use rustc_hash::FxHashMap;
use tamis_bdd::{Bdd, Bit, Config, EncodeError, Encoder, Manager};
use tamis_term::pack::BitWriter;
use tamis_term::{Code, StopSignal, Term, Terms, Value, Var};

/// A manager that is large enough for small tests and quick to make.
pub fn manager() -> Manager {
    sized(1 << 18)
}

pub fn sized(nodes: usize) -> Manager {
    Manager::new(&Config { nodes, cache: 1 << 16 }, StopSignal::never())
}

/// A function of some bits: its value for each valuation, which is read as a number whose
/// lowest digit is the first bit.
pub type Table = Vec<bool>;

/// A random table; some are sparse, some do not depend on all bits.
pub fn table(bits: usize, random: &mut Rng) -> Table {
    let ignored = random.usize(..1 << bits) & random.usize(..1 << bits);
    let sparse = random.u8(..4);
    let values: Vec<bool> = (0..1 << bits).map(|_| (0..=sparse).all(|_| random.bool())).collect();
    let complement = random.bool();
    (0..1 << bits).map(|row: usize| values[row & !ignored] != complement).collect()
}

/// The diagram of a table over the bits.
pub fn diagram(m: &Manager, bits: &[Bit], table: &[bool]) -> Bdd {
    let mut row: Vec<Bdd> = table.iter().map(|value| m.constant(*value)).collect();
    for bit in bits {
        row = row.chunks(2).map(|pair| m.ite(&m.bit(*bit), &pair[1], &pair[0]).unwrap()).collect();
    }
    row.pop().unwrap()
}

/// The table of a diagram, which depends on no other bits.
pub fn read(m: &Manager, bits: &[Bit], f: &Bdd) -> Table {
    let place = |bit: Bit| bits.iter().position(|other| *other == bit).expect("a bit of the function");
    (0..1_usize << bits.len()).map(|row| m.eval(f, &|bit| row >> place(bit) & 1 == 1)).collect()
}

/// A manager whose bits are in a random order, with some of them. There are enough others to
/// make small diagrams small.
pub fn shuffled(count: usize, spare: usize, random: &mut Rng) -> (Manager, Vec<Bit>) {
    let m = manager();
    let mut bits = m.add_bits(count + spare);
    random.shuffle(&mut bits);
    m.set_order(&bits).unwrap();
    random.shuffle(&mut bits);
    bits.truncate(count);
    (m, bits)
}

/// A valuation of bits by variables, from the values of the variables.
pub struct Rows {
    vars: Vec<Var>,
    pub bits: FxHashMap<Var, Vec<Bit>>,
}

impl Rows {
    /// Adds bits for the variables, in a random order.
    pub fn new(m: &Manager, terms: &Terms, vars: &[Var], random: &mut Rng) -> Rows {
        let mut bits = FxHashMap::default();
        for var in vars {
            let width = terms.var_sort(*var).bits().unwrap();
            bits.insert(*var, m.add_bits(usize::try_from(width).unwrap()));
        }
        let mut order = m.order();
        random.shuffle(&mut order);
        m.set_order(&order).unwrap();
        Rows { vars: vars.to_vec(), bits }
    }

    /// An encoder whose variables are these bits.
    pub fn encoder(&self, m: &Manager) -> Encoder {
        let word = |var: &Var| (*var, self.bits[var].iter().map(|bit| m.bit(*bit)).collect());
        Encoder::new(self.vars.iter().map(word).collect())
    }

    /// The values of bits under the values of the variables.
    fn spread(&self, values: &[Value]) -> FxHashMap<Bit, bool> {
        let spread = |(var, value): (&Var, &Value)| {
            let bits = &self.bits[var];
            bits.iter().copied().zip(unpack(value, bits.len())).collect::<Vec<_>>()
        };
        self.vars.iter().zip(values).flat_map(spread).collect()
    }

    /// Compares the diagrams of terms with what evaluation says, on all valuations.
    pub fn compare(&self, m: &Manager, terms: &Terms, roots: &[Term]) {
        let mut encoder = self.encoder(m);
        let words: Result<Vec<Vec<Bdd>>, EncodeError> =
            roots.iter().map(|root| encoder.word(m, terms, *root)).collect();
        let words = words.unwrap();
        let code = Code::new(terms, roots, |var| self.vars.iter().position(|v| *v == var).unwrap());
        let mut scratch = Vec::new();
        for values in crate::garden::valuations(terms, &self.vars) {
            code.run(&values, &mut scratch);
            let at = self.spread(&values);
            for (i, (root, word)) in roots.iter().zip(&words).enumerate() {
                let found: Vec<bool> = word.iter().map(|f| m.eval(f, &|bit| at[&bit])).collect();
                let expected = unpack(code.result(i, &scratch), word.len());
                assert_eq!(found, expected, "{:?} at {values:?}", terms.node(*root));
            }
        }
    }
}

/// The bits of a value, the least significant first.
pub fn unpack(value: &Value, width: usize) -> Vec<bool> {
    let mut packed = Vec::new();
    BitWriter::new(&mut packed).write(value);
    (0..width).map(|i| packed[i / 64] >> (i % 64) & 1 == 1).collect()
}
