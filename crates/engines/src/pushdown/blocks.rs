//! From edges to rules: straight pieces of a procedure become one guarded parallel
//! assignment each.
//!
//! The fewer control points there are, the fewer places need predicates. A location is kept
//! as a control point if it is an entry, an exit, an error or a call, if several edges lead
//! to it or leave it, and if a havoc leaves it: then what must hold at a location that is
//! not kept is the weakest precondition of the rest of its block, which needs no quantifier.
//!
//! Moped's own rules are smaller: one statement each, with the guards in front of it. Blocks of
//! [`Size::Single`] are these.

use rustc_hash::FxHashMap;
use std::collections::BTreeMap;
use tamis_ir::blocks::Size;
use tamis_ir::graph::{Flow, LocSet};
use tamis_ir::{EdgeId, Loc, Op, ProcId, Program, PropertyId};
use tamis_term::walk::post_order;
use tamis_term::{Fun, Node, Sort, Term, Terms, Var};

/// Longer blocks are cut: composing all of a long text, and the weakest preconditions inside
/// it, would take time in proportion to the square of its length.
const MAX_EDGES: usize = 32;

/// A control point.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(super) enum Point {
    /// A location.
    At(Loc),
    /// Behind a call, where its results still have to be stored.
    Behind(EdgeId),
}

/// Straight edges between two control points, as one step.
#[derive(Debug)]
pub(super) struct Block {
    pub from: Point,
    pub to: Loc,
    /// What must hold for the block to be passed.
    pub guards: Vec<Term>,
    /// The new values of the variables that are written.
    pub updates: BTreeMap<Var, Term>,
    pub edges: Vec<EdgeId>,
}

impl Block {
    /// The procedure that it belongs to.
    pub fn owner(&self) -> ProcId {
        match (self.edges.first(), self.from) {
            (Some(edge), _) => edge.proc,
            (None, Point::Behind(edge)) => edge.proc,
            (None, Point::At(_)) => unreachable!("a block from a location has an edge"),
        }
    }
}

/// The blocks of a program.
pub(super) struct Blocks {
    pub all: Vec<Block>,
    /// By procedure: for each result, the variable that carries it to the caller.
    pub results: Vec<Vec<Var>>,
    /// The variables that stand for the values that havocs choose. They are used again in
    /// every block.
    pub choices: Vec<Var>,
}

/// Variables for values of given sorts, used again and again.
#[derive(Default)]
struct Pool {
    vars: FxHashMap<Sort, Vec<Var>>,
    all: Vec<Var>,
}

impl Pool {
    /// The `at`-th variable of that sort.
    fn get(&mut self, terms: &mut Terms, name: &str, sort: &Sort, at: usize) -> Var {
        let vars = self.vars.entry(sort.clone()).or_default();
        while vars.len() <= at {
            let var = terms.declare(name, sort.clone());
            vars.push(var);
            self.all.push(var);
        }
        vars[at]
    }
}

impl Blocks {
    pub fn new(terms: &mut Terms, program: &Program, property: PropertyId, size: Size) -> Blocks {
        let flow = Flow::new(program);
        let mut carriers = Pool::default();
        let results = program
            .procs
            .iter()
            .map(|proc| {
                let mut used: FxHashMap<Sort, usize> = FxHashMap::default();
                let mut carry = |result: &Var| {
                    let sort = terms.var_sort(*result).clone();
                    let at = used.entry(sort.clone()).or_default();
                    *at += 1;
                    carriers.get(terms, "$result", &sort, *at - 1)
                };
                proc.results.iter().map(&mut carry).collect()
            })
            .collect();
        let kept = control_points(program, &flow, property);
        let (blocks, choices) = (Vec::new(), Pool::default());
        let mut builder = Builder { terms, program, size, flow, blocks, kept, results, choices };
        builder.build();
        let Builder { blocks, results, choices, .. } = builder;
        Blocks { all: blocks, results, choices: choices.all }
    }
}

fn control_points(program: &Program, flow: &Flow, property: PropertyId) -> LocSet {
    let mut kept = LocSet::of(program, &program.property(property).locs);
    for proc in &program.procs {
        kept.insert(proc.entry);
        kept.insert(proc.exit);
    }
    for (_, edge) in program.edges() {
        match &edge.op {
            Op::Call { results, .. } => {
                kept.insert(edge.from);
                if results.is_empty() {
                    kept.insert(edge.to);
                }
            }
            Op::Havoc(_) => {
                kept.insert(edge.from);
            }
            Op::Assume(_) | Op::Assign(_) => {}
        }
        for loc in [edge.from, edge.to] {
            if flow.in_edges(loc).len() != 1 || flow.out_edges(loc).len() != 1 {
                kept.insert(loc);
            }
        }
    }
    kept
}

struct Builder<'b> {
    terms: &'b mut Terms,
    program: &'b Program,
    size: Size,
    flow: Flow,
    blocks: Vec<Block>,
    kept: LocSet,
    results: Vec<Vec<Var>>,
    choices: Pool,
}

impl Builder<'_> {
    fn build(&mut self) {
        let program = self.program;
        // Locations at which a block was cut become control points while blocks are built.
        let mut open: Vec<Loc> = self.kept.iter().collect();
        open.reverse();
        for (id, edge) in program.edges() {
            let Op::Call { callee, results, .. } = &edge.op else { continue };
            if !results.is_empty() {
                let carriers = self.results[callee.index()].clone();
                let stored = results.iter().zip(carriers).map(|(to, from)| (*to, self.terms.var(from))).collect();
                let block = Block {
                    from: Point::Behind(id),
                    to: edge.to,
                    guards: Vec::new(),
                    updates: stored,
                    edges: Vec::new(),
                };
                self.follow(block, &mut open);
            }
        }
        while let Some(loc) = open.pop() {
            for id in self.flow.out_edges(loc).to_vec() {
                if matches!(program.edge(id).op, Op::Call { .. }) {
                    continue;
                }
                let (from, updates) = (Point::At(loc), BTreeMap::new());
                let mut block = Block { from, to: loc, guards: Vec::new(), updates, edges: Vec::new() };
                self.append(&mut block, id);
                self.follow(block, &mut open);
            }
        }
    }

    /// Extends the block to the next control point.
    fn follow(&mut self, mut block: Block, open: &mut Vec<Loc>) {
        while !self.kept.contains(block.to) {
            let next = self.flow.out_edges(block.to)[0];
            if self.is_complete(&block) || self.is_hard_block(&block) && self.is_hard_edge(next) {
                self.kept.insert(block.to);
                open.push(block.to);
                break;
            }
            self.append(&mut block, next);
        }
        self.blocks.push(block);
    }

    fn append(&mut self, block: &mut Block, id: EdgeId) {
        let edge = self.program.edge(id);
        let now: FxHashMap<Var, Term> = block.updates.iter().map(|(var, term)| (*var, *term)).collect();
        match &edge.op {
            Op::Assume(condition) => block.guards.push(self.terms.substitute(*condition, &now)),
            Op::Assign(pairs) => {
                let values: Vec<Term> = pairs.iter().map(|(_, value)| *value).collect();
                let values = self.terms.substitute_all(&values, &now);
                block.updates.extend(pairs.iter().map(|(var, _)| *var).zip(values));
            }
            Op::Havoc(vars) => {
                let mut used: FxHashMap<Sort, usize> = FxHashMap::default();
                for var in vars {
                    let sort = self.terms.var_sort(*var).clone();
                    let at = used.entry(sort.clone()).or_default();
                    let choice = self.choices.get(self.terms, "$choice", &sort, *at);
                    *at += 1;
                    block.updates.insert(*var, self.terms.var(choice));
                }
            }
            Op::Call { .. } => unreachable!("a call leaves a control point"),
        }
        block.to = edge.to;
        block.edges.push(id);
    }

    /// Whether the block is as long as it may be.
    fn is_complete(&self, block: &Block) -> bool {
        match self.size {
            Size::Large => block.edges.len() >= MAX_EDGES,
            Size::Single | Size::Branches => {
                let is_guard = |id: &EdgeId| matches!(self.program.edge(*id).op, Op::Assume(_));
                block.edges.len() >= MAX_EDGES || !block.edges.iter().all(is_guard)
            }
        }
    }

    /// Whether composing with another hard function could blow the relation up.
    fn is_hard_block(&self, block: &Block) -> bool {
        let values = block.updates.values().chain(&block.guards);
        values.into_iter().any(|term| is_nonlinear(self.terms, *term))
    }

    fn is_hard_edge(&self, id: EdgeId) -> bool {
        match &self.program.edge(id).op {
            Op::Assume(condition) => is_nonlinear(self.terms, *condition),
            Op::Assign(pairs) => pairs.iter().any(|(_, value)| is_nonlinear(self.terms, *value)),
            Op::Havoc(_) | Op::Call { .. } => false,
        }
    }
}

/// Whether the term multiplies or divides unknowns.
pub(super) fn is_nonlinear(terms: &Terms, term: Term) -> bool {
    post_order(terms, &[term]).into_iter().any(|sub| match terms.node(sub) {
        Node::App(fun, args) => {
            matches!(fun, Fun::BvMul | Fun::BvUdiv | Fun::BvUrem | Fun::BvSdiv | Fun::BvSrem | Fun::BvSmod)
                && args.iter().all(|arg| terms.value(*arg).is_none())
        }
        Node::Const(_) | Node::Var(_) => false,
    })
}
