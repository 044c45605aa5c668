//! What of the program the abstraction keeps: cut points, the moves between them, and the words
//! in which predicates speak.
//!
//! A predicate of a procedure speaks about its current values and its inputs, which are the values
//! of parameters and globals at its entry. What a procedure never writes is always called by its
//! input's name, and at the entry everything is: so a predicate is written in one way only, and
//! knows across moves what did not change.

use super::entries::Apart;
use crate::evidence::old_vars;
use rustc_hash::FxHashMap;
use std::collections::{BTreeMap, BTreeSet};
use tamis_ir::analysis::Liveness;
use tamis_ir::blocks::{Arc, Block, Cuts, Size, Walker};
use tamis_ir::{Edge, EdgeId, Loc, Op, ProcId, Program, PropertyId};
use tamis_term::{Term, Terms, Var};

pub(super) type Map = FxHashMap<Var, Term>;

/// The cut points of all procedures and the moves between them.
pub(super) struct Skeleton<'p> {
    pub program: &'p Program,
    pub errors: BTreeSet<Loc>,
    /// By procedure.
    pub parts: Vec<Part>,
    pub moves: Vec<Move>,
    /// For globals and parameters, the variable that stands for the value at entry.
    pub old: BTreeMap<Var, Var>,
}

/// A procedure.
pub(super) struct Part {
    pub cuts: Cuts,
    /// By cut point.
    pub blocks: Vec<Block>,
    /// The parameters and globals that it never writes.
    pub untouched: BTreeSet<Var>,
}

/// What leads from one cut point to another.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Move {
    /// Code without loops: the number of the cut point, and of its arc.
    Arc { proc: ProcId, cut: usize, arc: usize },
    /// A call.
    Call(EdgeId),
}

/// A position in [`Skeleton::moves`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) struct MoveId(pub usize);

/// A call edge, taken apart.
pub(super) struct Call<'p> {
    pub edge: &'p Edge,
    pub callee: ProcId,
    pub args: &'p [Term],
    pub results: &'p [Var],
}

impl<'p> Skeleton<'p> {
    pub fn new(terms: &mut Terms, apart: &'p Apart, property: PropertyId) -> Skeleton<'p> {
        let program = &apart.program;
        let errors: BTreeSet<Loc> = program.property(property).locs.iter().copied().collect();
        let liveness = Liveness::new(terms, program);
        let old = old_vars(terms, program);
        let (mut parts, mut moves) = (Vec::new(), Vec::new());
        for (id, proc) in program.procs() {
            let twins = apart.twins.iter().filter(|(_, entry)| **entry == proc.entry).map(|(twin, _)| *twin);
            let ends = twins.chain([proc.entry, proc.exit]).collect();
            let cuts = Cuts::new(terms, program, id, &errors, Size::Large, &ends);
            let mut walker = Walker { terms, program, cuts: &cuts, errors: &errors };
            let blocks: Vec<Block> = cuts.locs.iter().map(|loc| walker.after_loc(*loc)).collect();
            for (cut, block) in blocks.iter().enumerate() {
                moves.extend((0..block.arcs.len()).map(|arc| Move::Arc { proc: id, cut, arc }));
            }
            moves.extend(cuts.calls.iter().map(|edge| Move::Call(*edge)));
            let written: BTreeSet<Var> = proc.edges.iter().flat_map(|edge| writes(&edge.op)).collect();
            let params = proc.params.iter().copied().filter(|param| !written.contains(param));
            let untouched = liveness.untouched(id).chain(params).collect();
            parts.push(Part { cuts, blocks, untouched });
        }
        Skeleton { program, errors, parts, moves, old }
    }

    pub fn part(&self, proc: ProcId) -> &Part {
        &self.parts[proc.index()]
    }

    /// The block and the arc of a move.
    pub fn arc(&self, proc: ProcId, cut: usize, arc: usize) -> (&Block, &Arc) {
        let block = &self.part(proc).blocks[cut];
        (block, &block.arcs[arc])
    }

    /// The call of an edge.
    pub fn call(&self, id: EdgeId) -> Call<'p> {
        let edge = self.program.edge(id);
        match &edge.op {
            Op::Call { callee, args, results } => Call { edge, callee: *callee, args, results },
            Op::Assume(_) | Op::Assign(_) | Op::Havoc(_) => unreachable!("moves name calls"),
        }
    }

    /// Parameters and globals: the inputs of a procedure.
    pub fn inputs(&self, proc: ProcId) -> impl Iterator<Item = Var> + use<'p> {
        self.program.proc(proc).params.iter().chain(&self.program.globals).copied()
    }

    /// How variables are called at a cut point, where that is not by their own names.
    pub fn words(&self, terms: &mut Terms, proc: ProcId, loc: Loc) -> Map {
        let at_entry = self.program.proc(proc).entry == loc;
        let untouched = &self.part(proc).untouched;
        let called_old = self.inputs(proc).filter(|var| at_entry || untouched.contains(var));
        called_old.map(|var| (var, terms.var(self.old[&var]))).collect()
    }

    /// Whether a call of the procedure may change the global.
    pub fn touches(&self, proc: ProcId, global: Var) -> bool {
        !self.part(proc).untouched.contains(&global)
    }

    /// The old values of a callee in the words of the caller.
    pub fn at_call(&self, terms: &mut Terms, call: &Call<'_>, words: &Map) -> Map {
        let mut map = Map::default();
        let args = terms.substitute_all(call.args, words);
        for (param, arg) in self.program.proc(call.callee).params.iter().zip(args) {
            map.insert(self.old[param], arg);
        }
        for global in &self.program.globals {
            let now = words.get(global).copied().unwrap_or_else(|| terms.var(*global));
            map.insert(self.old[global], now);
        }
        map
    }
}

/// The variables that an edge of a procedure writes itself.
fn writes(op: &Op) -> Vec<Var> {
    match op {
        Op::Assume(_) => Vec::new(),
        Op::Assign(pairs) => pairs.iter().map(|(var, _)| *var).collect(),
        Op::Havoc(vars) => vars.clone(),
        Op::Call { results, .. } => results.clone(),
    }
}
