//! Which bits stand for which variable.
//!
//! Words (scalars and array cells) of different procedures share positions: a frame only
//! ever holds one procedure's. Variables that are live nowhere have no bits.

use super::blocks::{Blocks, Point};
use super::order::{self, Word, WordId};
use rustc_hash::FxHashMap;
use std::collections::BTreeSet;
use std::rc::Rc;
use tamis_bdd::{Bdd, Bit, Manager};
use tamis_ir::analysis::Liveness;
use tamis_ir::{Loc, Op, ProcId, Program};
use tamis_pds::Block;
use tamis_term::{Sort, Terms, Value, Var};
use tamis_witness::Reason;

/// More bits than this in one frame are refused: a relation over them would not fit anyway.
const MAX_BITS: u64 = 20_000;

/// The bits of a program's variables.
pub(super) struct Layout {
    pub manager: Rc<Manager>,
    /// The four copies of every position.
    pub block: Block,
    /// By variable: its positions, least significant bit first.
    pub positions: FxHashMap<Var, Vec<usize>>,
    /// By variable that stands for a choice: its bits.
    pub choices: FxHashMap<Var, Vec<Bit>>,
    pub liveness: Liveness,
    /// By location: the live variables.
    live: Vec<Vec<Var>>,
    globals: BTreeSet<Var>,
}

impl Layout {
    pub fn new(manager: Rc<Manager>, terms: &Terms, program: &Program, blocks: &Blocks) -> Result<Layout, Trouble> {
        let liveness = Liveness::new(terms, program);
        let live: Vec<Vec<Var>> = (0..program.locs.len()).map(|loc| liveness.live(Loc::new(loc)).collect()).collect();
        let mut words = Words::default();
        let used: BTreeSet<Var> = live.iter().flatten().copied().collect();
        let carriers: BTreeSet<Var> = blocks.results.iter().flatten().copied().collect();
        for var in program.globals.iter().filter(|var| used.contains(var)).chain(&carriers) {
            words.add_own(terms, *var)?;
        }
        for proc in &program.procs {
            words.add_frame(terms, proc.vars().filter(|var| used.contains(var)))?;
        }
        for choice in &blocks.choices {
            words.add_own(terms, *choice)?;
        }
        let order = order::bits(terms, program, blocks, &words.all, &words.of);
        let is_choice: BTreeSet<WordId> = blocks.choices.iter().flat_map(|var| words.of[var].clone()).collect();
        let (mut block, mut choices) = (Block::default(), FxHashMap::default());
        let mut at: FxHashMap<(WordId, u32), usize> = FxHashMap::default();
        for (word, bit) in order {
            if is_choice.contains(&word) {
                choices.insert((word, bit), manager.add_bits(1)[0]);
                continue;
            }
            at.insert((word, bit), block.now.len());
            // The copies of a bit side by side: equality between copies stays small.
            let copies = manager.add_bits(4);
            block.now.push(copies[0]);
            block.next.push(copies[1]);
            block.frozen.push(copies[2]);
            block.input.push(copies[3]);
        }
        let bits =
            |var: &Var| words.of[var].iter().flat_map(|word| (0..words.all[word.index()].width).map(|b| (*word, b)));
        let place = |var: &Var| bits(var).map(|bit| at[&bit]).collect();
        let chosen: BTreeSet<Var> = blocks.choices.iter().copied().collect();
        let mut positions: FxHashMap<Var, Vec<usize>> = FxHashMap::default();
        let mut owned: Vec<Var> = words.of.keys().filter(|var| !chosen.contains(var)).copied().collect();
        owned.sort_unstable();
        positions.extend(owned.iter().map(|var| (*var, place(var))));
        let choices = chosen.iter().map(|var| (*var, bits(var).map(|bit| choices[&bit]).collect())).collect();
        let globals = program.globals.iter().copied().collect();
        Ok(Layout { manager, block, positions, choices, liveness, live, globals })
    }

    /// The variables that matter at a control point.
    pub fn live(&self, program: &Program, blocks: &Blocks, point: Point) -> Vec<Var> {
        match point {
            Point::At(loc) => self.live[loc.index()].clone(),
            Point::Behind(id) => {
                let edge = program.edge(id);
                let Op::Call { callee, results, .. } = &edge.op else { unreachable!("only calls have results") };
                let after = &self.live[edge.to.index()];
                let carried = results.iter().zip(&blocks.results[callee.index()]);
                let wanted = carried.filter(|(to, _)| after.contains(to)).map(|(_, from)| *from);
                after.iter().copied().filter(|var| !results.contains(var)).chain(wanted).collect()
            }
        }
    }

    /// The input of a procedure: the globals and parameters that are live at its entry.
    pub fn input(&self, program: &Program, id: ProcId) -> Vec<Var> {
        let proc = program.proc(id);
        let given = |var: &Var| self.globals.contains(var) || proc.params.contains(var);
        self.live[proc.entry.index()].iter().copied().filter(given).collect()
    }

    /// What a procedure leaves behind, with the variable that carries it to the caller.
    pub fn returned(&self, program: &Program, blocks: &Blocks, id: ProcId) -> Vec<(Var, Var)> {
        let proc = program.proc(id);
        let carrier = |var: Var| match proc.results.iter().position(|result| *result == var) {
            Some(at) => Some(blocks.results[id.index()][at]),
            None => self.globals.contains(&var).then_some(var),
        };
        let exit = &self.live[proc.exit.index()];
        exit.iter().filter_map(|var| Some((*var, carrier(*var)?))).collect()
    }

    /// The diagrams of a variable's bits in one copy.
    pub fn copy(&self, copy: &[Bit], var: Var) -> Vec<Bdd> {
        let positions = self.positions.get(&var).map_or(&[][..], Vec::as_slice);
        positions.iter().map(|at| self.manager.bit(copy[*at])).collect()
    }

    /// The value of a variable, given the values of positions.
    pub fn value(&self, terms: &Terms, var: Var, bit: impl Fn(usize) -> bool) -> Value {
        let sort = terms.var_sort(var);
        match self.positions.get(&var) {
            Some(positions) => pack(sort, positions.iter().map(|at| bit(*at))),
            None => Value::default_of(sort),
        }
    }
}

/// A value from its bits.
pub(super) fn pack(sort: &Sort, bits: impl Iterator<Item = bool>) -> Value {
    let mut words = Vec::new();
    for (at, bit) in bits.enumerate() {
        if at % 64 == 0 {
            words.push(0);
        }
        words[at / 64] |= u64::from(bit) << (at % 64);
    }
    tamis_term::pack::BitReader::new(&words).read(sort)
}

/// Why a system cannot be built.
#[derive(Debug)]
pub(super) enum Trouble {
    /// The diagrams have no room, or the run must end.
    Full(tamis_bdd::Full),
    /// The program has something that this engine does not handle.
    Unsupported(Reason),
}

impl From<tamis_bdd::Full> for Trouble {
    fn from(full: tamis_bdd::Full) -> Trouble {
        Trouble::Full(full)
    }
}

impl From<tamis_bdd::EncodeError> for Trouble {
    fn from(error: tamis_bdd::EncodeError) -> Trouble {
        match error {
            tamis_bdd::EncodeError::Full(full) => Trouble::Full(full),
            tamis_bdd::EncodeError::Unsupported(what) => Trouble::Unsupported(Reason::Unsupported(what)),
        }
    }
}

/// The words of all variables.
#[derive(Default)]
struct Words {
    all: Vec<Word>,
    of: FxHashMap<Var, Vec<WordId>>,
    /// By width, and whether for cells of arrays: the words that frames share.
    shared: FxHashMap<(u32, bool), Vec<WordId>>,
    bits: u64,
}

impl Words {
    /// How many words of which width a variable has.
    fn shape(terms: &Terms, var: Var) -> Result<(u64, u32, bool), Trouble> {
        let sort = terms.var_sort(var);
        let refuse = || {
            let what = format!("{} has sort {sort}, which is too much for this engine", terms.name(var));
            Trouble::Unsupported(Reason::Unsupported(what))
        };
        let bits = sort.bits().filter(|bits| *bits <= MAX_BITS).ok_or_else(refuse)?;
        match sort {
            Sort::Bool | Sort::BitVec(_) => Ok((1, u32::try_from(bits).map_err(|_| refuse())?, false)),
            Sort::Array(array) => {
                // Cells of arrays of arrays are words as wide as the inner array.
                let width = array.element.bits().and_then(|bits| u32::try_from(bits).ok()).ok_or_else(refuse)?;
                Ok((bits / u64::from(width.max(1)), width, true))
            }
            Sort::Int | Sort::Real => Err(refuse()),
        }
    }

    fn new_word(&mut self, width: u32) -> Result<WordId, Trouble> {
        self.bits += u64::from(width);
        if self.bits > MAX_BITS {
            let what = format!("states of more than {MAX_BITS} bits");
            return Err(Trouble::Unsupported(Reason::Unsupported(what)));
        }
        self.all.push(Word { width });
        Ok(WordId::new(self.all.len() - 1))
    }

    fn add_own(&mut self, terms: &Terms, var: Var) -> Result<(), Trouble> {
        let (count, width, _) = Words::shape(terms, var)?;
        let words = (0..count).map(|_| self.new_word(width)).collect::<Result<Vec<_>, _>>()?;
        self.of.insert(var, words);
        Ok(())
    }

    fn add_frame(&mut self, terms: &Terms, vars: impl Iterator<Item = Var>) -> Result<(), Trouble> {
        let mut used: FxHashMap<(u32, bool), usize> = FxHashMap::default();
        for var in vars {
            let (count, width, is_cell) = Words::shape(terms, var)?;
            let key = (width, is_cell);
            let mut words = Vec::new();
            for _ in 0..count {
                let at = used.entry(key).or_default();
                *at += 1;
                let known = self.shared.get(&key).and_then(|shared| shared.get(*at - 1)).copied();
                let word = if let Some(word) = known {
                    word
                } else {
                    let word = self.new_word(width)?;
                    self.shared.entry(key).or_default().push(word);
                    word
                };
                words.push(word);
            }
            self.of.insert(var, words);
        }
        Ok(())
    }
}
