//! From a program to a symbolic pushdown system (Kiefer 2005, sections 2.2 and 5.2).
//!
//! Control points become stack symbols; every procedure gets an entry symbol, every call a
//! pivot. Globals that a callee never modifies are frozen in the caller's frame, as locals
//! are, so that effects speak only about what a procedure can change.

use super::blocks::{Block, Blocks, Point, is_nonlinear};
use super::layout::{Layout, Trouble};
use rustc_hash::FxHashMap;
use std::collections::BTreeSet;
use std::rc::Rc;
use tamis_bdd::{Bdd, Bit, Encoder, Manager};
use tamis_ir::blocks::Size;
use tamis_ir::{EdgeId, Op, ProcId, Program, PropertyId};
use tamis_pds::{Family, Proc, Rule, RuleId, Shape, Sym, Symbol, SymbolKind, System};
use tamis_term::{Node, Term, Terms, Var};

/// A system and where it comes from.
pub(super) struct Lowered {
    pub system: System,
    pub layout: Layout,
    pub blocks: Blocks,
    /// By symbol.
    pub places: Vec<Place>,
    /// By rule.
    pub origins: Vec<Origin>,
    /// By procedure: whether somebody calls it.
    pub is_called: Vec<bool>,
    /// By rule: whether its relation allows more than its block does.
    pub is_loose: Vec<bool>,
}

/// Which relations to build.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Relations {
    /// All of them, exactly.
    Exact,
    /// Products and quotients of unknowns of that many bits, and functions of many words with
    /// several times as many, only when they turn out to matter: until then their values are
    /// arbitrary. (Products have diagrams that are exponential in the width; what reads or writes
    /// a large array takes time in proportion to the array. A sum of few words does not, however
    /// wide they are.)
    LooseFrom {
        /// How many bits.
        bits: u64,
    },
}

/// What a symbol stands for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(super) enum Place {
    Entry(ProcId),
    Point(Point),
    Pivot(EdgeId),
}

/// What a rule stands for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Origin {
    /// A frame of the procedure begins.
    Enter(ProcId),
    /// A block, by its number.
    Block(usize),
    Call(EdgeId),
    Return,
    /// The caller goes on.
    Resume,
}

/// How many times as many bits make any function hard as make a product hard.
const MANY: u64 = 4;

/// Functions of no more words are about no array.
const FEW_WORDS: usize = 4;

/// Lowers a program, its blocks made and its bits laid out in `manager`.
pub(super) fn lower(
    terms: &mut Terms,
    program: &Program,
    property: PropertyId,
    manager: Rc<Manager>,
    relations: Relations,
    size: Size,
) -> Result<Lowered, Trouble> {
    let blocks = Blocks::new(terms, program, property, size);
    let layout = Layout::new(manager.clone(), terms, program, &blocks)?;
    let family = Family::new(manager, layout.block.clone())?;
    let mut is_called = vec![false; program.procs.len()];
    for (_, edge) in program.edges() {
        if let Op::Call { callee, .. } = &edge.op {
            is_called[callee.index()] = true;
        }
    }
    let system = System { family, symbols: vec![], rules: vec![], procs: vec![], main: program.main, errors: vec![] };
    let lowered = Lowered { system, layout, blocks, places: vec![], origins: vec![], is_called, is_loose: vec![] };
    let mut lowering = Lowering { terms, program, lowered, symbols: FxHashMap::default(), relations };
    lowering.procedures()?;
    lowering.rules()?;
    for loc in &program.property(property).locs {
        let error = lowering.symbols.get(&Place::Point(Point::At(*loc))).copied();
        lowering.lowered.system.errors.extend(error);
    }
    Ok(lowering.lowered)
}

struct Lowering<'l> {
    terms: &'l Terms,
    program: &'l Program,
    lowered: Lowered,
    symbols: FxHashMap<Place, Sym>,
    relations: Relations,
}

impl Lowering<'_> {
    fn symbol(&mut self, proc: ProcId, place: Place) -> Sym {
        if let Some(known) = self.symbols.get(&place) {
            return *known;
        }
        let kind = match place {
            Place::Entry(_) => SymbolKind::Entry,
            Place::Point(_) => SymbolKind::Normal,
            Place::Pivot(edge) => match &self.program.edge(edge).op {
                Op::Call { callee, .. } => SymbolKind::Pivot { callee: *callee },
                Op::Assume(_) | Op::Assign(_) | Op::Havoc(_) => unreachable!("only calls have pivots"),
            },
        };
        let sym = Sym::new(self.lowered.system.symbols.len());
        self.lowered.system.symbols.push(Symbol { proc, kind });
        self.lowered.places.push(place);
        self.symbols.insert(place, sym);
        sym
    }

    fn procedures(&mut self) -> Result<(), Trouble> {
        for (id, _) in self.program.procs() {
            let entry = self.symbol(id, Place::Entry(id));
            let Lowered { layout, system, blocks, .. } = &self.lowered;
            let positions = |vars: Vec<Var>| -> BTreeSet<usize> {
                vars.iter().flat_map(|var| &layout.positions[var]).copied().collect()
            };
            let input: Vec<usize> = positions(self.input(id)).into_iter().collect();
            let returned = positions(layout.returned(self.program, blocks, id).into_iter().map(|(_, to)| to).collect());
            let manager = &layout.manager;
            let now = &layout.block.now;
            let bits = |keep: bool| -> Vec<Bit> {
                (0..now.len()).filter(|at| returned.contains(at) == keep).map(|at| now[at]).collect()
            };
            let proc = Proc {
                entry,
                equal: system.family.equal_at_entry(&input)?,
                input,
                returned: manager.cube(&bits(true))?,
                kept: manager.cube(&bits(false))?,
            };
            self.lowered.system.procs.push(proc);
        }
        Ok(())
    }

    /// The input that a procedure's frames remember: none if nobody calls it.
    fn input(&self, id: ProcId) -> Vec<Var> {
        if self.lowered.is_called[id.index()] { self.lowered.layout.input(self.program, id) } else { Vec::new() }
    }

    fn rules(&mut self) -> Result<(), Trouble> {
        let mut by_proc: Vec<Vec<usize>> = vec![Vec::new(); self.program.procs.len()];
        for (at, block) in self.lowered.blocks.all.iter().enumerate() {
            by_proc[block.owner().index()].push(at);
        }
        for (id, blocks) in by_proc.into_iter().enumerate() {
            let id = ProcId::new(id);
            let mut encoder = Encoder::new(environment(self.program, &self.lowered, id));
            self.entry(id)?;
            for block in blocks {
                self.block(id, block, &mut encoder)?;
            }
            for (index, edge) in (0..).zip(&self.program.proc(id).edges) {
                if let Op::Call { .. } = &edge.op {
                    self.call(EdgeId { proc: id, index }, &mut encoder)?;
                }
            }
            self.exit(id)?;
        }
        Ok(())
    }

    fn add(&mut self, from: Sym, shape: Shape, relation: Option<Bdd>, steps: usize, origin: Origin) {
        self.lowered.system.rules.push(Rule { from, shape, relation, steps: steps as u64 });
        self.lowered.origins.push(origin);
        self.lowered.is_loose.push(false);
    }

    /// A frame begins: the input stays, everything else is arbitrary.
    fn entry(&mut self, id: ProcId) -> Result<(), Trouble> {
        let start = Place::Point(Point::At(self.program.proc(id).entry));
        let to = self.symbol(id, start);
        let layout = &self.lowered.layout;
        let mut equal = Equalities::new(layout);
        for var in self.input(id) {
            equal.copy(&layout.block.next, var, var);
        }
        let relation = equal.conjunction(&layout.manager.constant(true))?;
        let from = self.lowered.system.proc(id).entry;
        self.add(from, Shape::Entry { to }, Some(relation), 0, Origin::Enter(id));
        Ok(())
    }

    fn block(&mut self, id: ProcId, at: usize, encoder: &mut Encoder) -> Result<(), Trouble> {
        let block = &self.lowered.blocks.all[at];
        let (from, to, steps) = (Place::Point(block.from), Place::Point(Point::At(block.to)), block.edges.len());
        let (from, to) = (self.symbol(id, from), self.symbol(id, to));
        let relation = BlockRelation::new(self.terms, self.program, &self.lowered, at);
        let (relation, is_loose) = relation.build(encoder, self.relations)?;
        if !relation.is_false() {
            self.add(from, Shape::Normal { to }, Some(relation), steps, Origin::Block(at));
            if let Some(last) = self.lowered.is_loose.last_mut() {
                *last = is_loose;
            }
        }
        Ok(())
    }

    fn call(&mut self, id: EdgeId, encoder: &mut Encoder) -> Result<(), Trouble> {
        let edge = self.program.edge(id);
        let Op::Call { callee, args, results } = &edge.op else { unreachable!("the caller looked") };
        let behind = if results.is_empty() { Point::At(edge.to) } else { Point::Behind(id) };
        let (from, pivot) = (self.symbol(id.proc, Place::Point(Point::At(edge.from))), Place::Pivot(id));
        let (pivot, to) = (self.symbol(id.proc, pivot), self.symbol(id.proc, Place::Point(behind)));
        let Lowered { layout, blocks, .. } = &self.lowered;
        let m = &layout.manager;
        let mut equal = Equalities::new(layout);
        let params = &self.program.proc(*callee).params;
        for var in self.input(*callee) {
            match params.iter().position(|param| *param == var) {
                None => equal.copy(&layout.block.next, var, var),
                Some(at) => equal.word(&layout.block.next, var, encoder.word(m, self.terms, args[at])?),
            }
        }
        let returned: BTreeSet<Var> =
            layout.returned(self.program, blocks, *callee).into_iter().map(|(_, to)| to).collect();
        for var in layout.live(self.program, blocks, behind) {
            if !returned.contains(&var) {
                equal.copy(&layout.block.frozen, var, var);
            }
        }
        let relation = equal.conjunction(&m.constant(true))?;
        let entry = self.lowered.system.proc(*callee).entry;
        self.add(from, Shape::Push { entry, pivot }, Some(relation), 1, Origin::Call(id));
        self.add(pivot, Shape::Eval { to }, None, 0, Origin::Resume);
        Ok(())
    }

    fn exit(&mut self, id: ProcId) -> Result<(), Trouble> {
        if !self.lowered.is_called[id.index()] {
            return Ok(());
        }
        let exit = Place::Point(Point::At(self.program.proc(id).exit));
        let from = self.symbol(id, exit);
        let Lowered { layout, blocks, .. } = &self.lowered;
        let mut equal = Equalities::new(layout);
        for (var, carrier) in layout.returned(self.program, blocks, id) {
            equal.copy(&layout.block.next, carrier, var);
        }
        let relation = equal.conjunction(&layout.manager.constant(true))?;
        self.add(from, Shape::Pop, Some(relation), 1, Origin::Return);
        Ok(())
    }
}

/// What the variables of a procedure are, in terms of current values.
fn environment(program: &Program, lowered: &Lowered, id: ProcId) -> FxHashMap<Var, Vec<Bdd>> {
    let Lowered { layout, blocks, .. } = lowered;
    let carriers = blocks.results.iter().flatten().copied().collect::<BTreeSet<Var>>();
    let own = program.globals.iter().copied().chain(program.proc(id).vars()).chain(carriers);
    let now =
        own.filter(|var| layout.positions.contains_key(var)).map(|var| (var, layout.copy(&layout.block.now, var)));
    let choices = blocks.choices.iter().map(|var| {
        let bits = layout.choices[var].iter().map(|bit| layout.manager.bit(*bit)).collect();
        (*var, bits)
    });
    now.chain(choices).collect()
}

/// Makes a loose relation exact. Returns whether it was loose.
pub(super) fn tighten(terms: &Terms, program: &Program, lowered: &mut Lowered, rule: RuleId) -> Result<bool, Trouble> {
    let Origin::Block(at) = lowered.origins[rule.index()] else { return Ok(false) };
    if !std::mem::replace(&mut lowered.is_loose[rule.index()], false) {
        return Ok(false);
    }
    let proc = lowered.system.symbol(lowered.system.rule(rule).from).proc;
    let mut encoder = Encoder::new(environment(program, lowered, proc));
    let (relation, _) = BlockRelation::new(terms, program, lowered, at).build(&mut encoder, Relations::Exact)?;
    lowered.system.rules[rule.index()].relation = Some(relation);
    Ok(true)
}

/// Builds the relation of a block.
struct BlockRelation<'b> {
    terms: &'b Terms,
    layout: &'b Layout,
    block: &'b Block,
    /// The variables that matter behind the block.
    live: Vec<Var>,
}

impl<'b> BlockRelation<'b> {
    fn new(terms: &'b Terms, program: &Program, lowered: &'b Lowered, at: usize) -> BlockRelation<'b> {
        let Lowered { layout, blocks, .. } = lowered;
        let block = &blocks.all[at];
        BlockRelation { terms, layout, block, live: layout.live(program, blocks, Point::At(block.to)) }
    }

    /// The relation, and whether hard functions were left out of it.
    fn build(&self, encoder: &mut Encoder, relations: Relations) -> Result<(Bdd, bool), Trouble> {
        let (m, block) = (&self.layout.manager, self.block);
        let mut is_loose = false;
        let mut left_out = |term: Term| {
            let hard = self.is_hard(term, relations);
            is_loose |= hard;
            hard
        };
        let guards: Vec<Term> = block.guards.iter().copied().filter(|guard| !left_out(*guard)).collect();
        let written = |var: &Var| block.updates.get(var).map(|value| (*var, *value));
        let updates: Vec<(Var, Term)> =
            self.live.iter().filter_map(written).filter(|(_, value)| !left_out(*value)).collect();
        // A choice that only says what one variable becomes leaves that variable free.
        let mut uses: FxHashMap<Var, usize> = FxHashMap::default();
        let mut chosen: BTreeSet<Bit> = BTreeSet::new();
        for term in updates.iter().map(|(_, value)| value).chain(&guards) {
            for var in self.terms.free_vars(&[*term]) {
                *uses.entry(var).or_default() += 1;
                chosen.extend(self.layout.choices.get(&var).into_iter().flatten());
            }
        }
        let mut guard = m.constant(true);
        for condition in guards {
            guard = m.and(&guard, &encoder.truth(m, self.terms, condition)?)?;
        }
        let mut equal = Equalities::new(self.layout);
        for var in self.live.iter().filter(|var| !block.updates.contains_key(var)) {
            equal.copy(&self.layout.block.next, *var, *var);
        }
        for (var, value) in updates {
            let is_choice = |choice: &Var| self.layout.choices.contains_key(choice) && uses[choice] == 1;
            if !matches!(self.terms.node(value), Node::Var(choice) if is_choice(choice)) {
                equal.word(&self.layout.block.next, var, encoder.word(m, self.terms, value)?);
            }
        }
        let relation = equal.conjunction(&guard)?;
        let chosen = m.cube(&chosen.into_iter().collect::<Vec<Bit>>())?;
        Ok((m.exists(&relation, &chosen)?, is_loose))
    }

    /// Whether the term multiplies or divides unknowns of many bits, or is about a large array.
    fn is_hard(&self, term: Term, relations: Relations) -> bool {
        match relations {
            Relations::Exact => false,
            Relations::LooseFrom { bits: from } => {
                let vars = self.terms.free_vars(&[term]);
                let bits: u64 = vars.iter().filter_map(|var| self.terms.var_sort(*var).bits()).sum();
                let is_array = vars.len() > FEW_WORDS && bits >= from.saturating_mul(MANY);
                bits >= from && is_nonlinear(self.terms, term) || is_array
            }
        }
    }
}

/// What the bits of a target copy must be equal to.
struct Equalities<'e> {
    layout: &'e Layout,
    pairs: Vec<(Bit, Bdd)>,
}

impl<'e> Equalities<'e> {
    fn new(layout: &'e Layout) -> Equalities<'e> {
        Equalities { layout, pairs: Vec::new() }
    }

    /// `var` in that copy is the current value of `from`.
    fn copy(&mut self, copy: &[Bit], var: Var, from: Var) {
        let now = self.layout.copy(&self.layout.block.now, from);
        self.word(copy, var, now);
    }

    /// `var` in that copy is the given word.
    fn word(&mut self, copy: &[Bit], var: Var, word: Vec<Bdd>) {
        let bits = self.layout.positions[&var].iter().map(|at| copy[*at]);
        self.pairs.extend(bits.zip(word));
    }

    /// All of them and the guard. From the bottom of the order to its top, so that every
    /// conjunction only adds nodes above.
    fn conjunction(mut self, guard: &Bdd) -> tamis_bdd::Result<Bdd> {
        let m = &self.layout.manager;
        self.pairs.sort_by_key(|(bit, _)| std::cmp::Reverse(*bit));
        let mut all = m.constant(true);
        for (bit, value) in &self.pairs {
            let equal = m.iff(&m.bit(*bit), value)?;
            all = m.and(&equal, &all)?;
        }
        m.and(guard, &all)
    }
}
