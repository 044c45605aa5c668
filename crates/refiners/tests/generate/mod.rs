//! Random small systems with random counterexample graphs.
//!
//! Both grow together: a new node comes with the rules that lead to it. Frames of the same
//! procedure that are gone by the end of the level share their nodes, as they do in
//! graphs that summaries leave, so that recursion makes a pivot wait for an effect that it leads
//! to.

use crate::graph::finish;
use fastrand::Rng;
use std::rc::Rc;
use tamis_bdd::{Bdd, Bit, Manager};
use tamis_ir::ProcId;
use tamis_pds::{
    Block, Dag, Edge, Family, From, Level, Node, NodeId, NodeKind, Proc, Rule, RuleId, Shape, Sym, Symbol, SymbolKind,
    System,
};

/// The most bits that a system has.
pub const BITS: usize = 3;

/// The frames that a node may belong to: of that procedure, gone by the end of the level or not.
#[derive(Clone, Copy, PartialEq, Eq)]
struct Frame {
    proc: ProcId,
    popped: bool,
}

pub struct Generator<'r> {
    rng: &'r mut Rng,
    system: System,
    dag: Dag,
    frames: Vec<Frame>,
}

/// A system with a graph. The manager has at least `4 * BITS` bits.
pub fn generate(rng: &mut Rng, manager: &Rc<Manager>, bits: &[Bit]) -> (System, Dag) {
    let count = rng.usize(0..=BITS);
    let copy = |at: usize| bits.iter().copied().skip(at).step_by(4).take(count).collect();
    let block = Block { now: copy(0), next: copy(1), frozen: copy(2), input: copy(3) };
    let family = Family::new(Rc::clone(manager), block).unwrap();
    let (symbols, rules, procs, errors) = (Vec::new(), Vec::new(), Vec::new(), Vec::new());
    let system = System { family, symbols, rules, procs, main: ProcId::new(0), errors };
    let mut generator = Generator { rng, system, dag: Dag::default(), frames: Vec::new() };
    for _ in 0..generator.rng.usize(1..=3) {
        generator.proc();
    }
    let levels = generator.rng.usize(1..=3);
    let mut proc = generator.system.main;
    for level in 1..=levels {
        proc = generator.level(proc, level == levels);
    }
    finish(&mut generator.dag);
    (generator.system, generator.dag)
}

impl Generator<'_> {
    fn proc(&mut self) {
        let proc = ProcId::new(self.system.procs.len());
        let entry = self.symbol(proc, SymbolKind::Entry);
        let family = &self.system.family;
        let now = &family.block.now;
        let input: Vec<usize> = (0..now.len()).filter(|_| self.rng.u8(0..4) > 0).collect();
        let (returned, kept): (Vec<Bit>, Vec<Bit>) = now.iter().partition(|_| self.rng.bool());
        let equal = family.equal_at_entry(&input).unwrap();
        let cube = |bits: &[Bit]| family.manager().cube(bits).unwrap();
        let (returned, kept) = (cube(&returned), cube(&kept));
        self.system.procs.push(Proc { entry, input, equal, returned, kept });
    }

    fn any_proc(&mut self) -> ProcId {
        ProcId::new(self.rng.usize(0..self.system.procs.len()))
    }

    fn symbol(&mut self, proc: ProcId, kind: SymbolKind) -> Sym {
        self.system.symbols.push(Symbol { proc, kind });
        Sym::new(self.system.symbols.len() - 1)
    }

    /// Some ways of getting the targets' values: a copy of the current value, a constant, or
    /// anything; under some condition.
    fn relation(&mut self, reads: &[usize], targets: &[(Bit, usize)]) -> Bdd {
        let m = Rc::clone(self.system.family.manager());
        let now = self.system.family.block.now.clone();
        let mut relation = m.constant(false);
        for _ in 0..self.rng.usize(1..=2) {
            let mut case = m.constant(true);
            for (target, from) in targets {
                let target = m.bit(*target);
                let equals = match self.rng.u8(0..8) {
                    0..=3 if reads.contains(from) => m.iff(&target, &m.bit(now[*from])).unwrap(),
                    0..=4 => target,
                    5 | 6 => m.not(&target),
                    _ => m.constant(true),
                };
                case = m.and(&case, &equals).unwrap();
            }
            for read in reads {
                let read = m.bit(now[*read]);
                case = match self.rng.u8(0..5) {
                    0 => m.and(&case, &read).unwrap(),
                    1 => m.and(&case, &m.not(&read)).unwrap(),
                    _ => case,
                };
            }
            relation = m.or(&relation, &case).unwrap();
        }
        relation
    }

    /// A new rule of that shape.
    fn rule(&mut self, from: Sym, shape: Shape) -> RuleId {
        let Block { now, next, frozen, .. } = self.system.family.block.clone();
        let all: Vec<usize> = (0..now.len()).collect();
        let of = |copy: &[Bit], positions: &[usize]| positions.iter().map(|at| (copy[*at], *at)).collect::<Vec<_>>();
        let among = |bits: &[Bit]| all.iter().copied().filter(|at| bits.contains(&now[*at])).collect::<Vec<_>>();
        let owner = self.system.owner(from);
        let (reads, targets) = match shape {
            Shape::Entry { .. } => (owner.input.clone(), of(&next, &all)),
            Shape::Normal { .. } => (all.clone(), of(&next, &all)),
            Shape::Push { entry, .. } => {
                let callee = self.system.owner(entry);
                let kept = of(&frozen, &among(callee.kept.bits()));
                (all.clone(), [of(&next, &callee.input), kept].concat())
            }
            Shape::Pop => (all.clone(), of(&next, &among(owner.returned.bits()))),
            Shape::Eval { .. } => (Vec::new(), Vec::new()),
        };
        let relation = match shape {
            Shape::Eval { .. } => None,
            Shape::Entry { .. } | Shape::Normal { .. } | Shape::Push { .. } | Shape::Pop => {
                Some(self.relation(&reads, &targets))
            }
        };
        self.system.rules.push(Rule { from, shape, relation, steps: 1 });
        RuleId::new(self.system.rules.len() - 1)
    }

    fn node(&mut self, frame: Frame, kind: NodeKind, from: &[From]) -> NodeId {
        let to = NodeId::new(self.dag.nodes.len());
        let level = self.dag.levels.len();
        self.dag.nodes.push(Node { kind, level, popped: frame.popped, into: Vec::new(), out: Vec::new() });
        self.frames.push(frame);
        self.dag.edges.extend(from.iter().map(|&from| Edge { from, to }));
        to
    }

    fn entry(&mut self, frame: Frame) -> NodeId {
        let entry = self.system.proc(frame.proc).entry;
        self.node(frame, NodeKind::Entry(entry), &[])
    }

    /// The nodes of this level that satisfy the condition.
    fn nodes(&self, is: impl Fn(NodeKind, Frame) -> bool) -> Vec<NodeId> {
        let nodes = self
            .dag
            .nodes()
            .filter(|(id, node)| node.level == self.dag.levels.len() && is(node.kind, self.frames[id.index()]));
        nodes.map(|(id, _)| id).collect()
    }

    /// One or two of them, rather late ones than early ones.
    fn some(&mut self, of: &[NodeId]) -> Vec<NodeId> {
        let mut some: Vec<NodeId> = Vec::new();
        for _ in 0..self.rng.usize(1..=2).min(of.len()) {
            some.push(of[of.len() - 1 - self.rng.usize(0..of.len()).min(self.rng.usize(0..of.len()))]);
        }
        some.sort_unstable();
        some.dedup();
        some
    }

    fn sym(&self, id: NodeId) -> Sym {
        match self.dag.node(id).kind {
            NodeKind::At(sym) | NodeKind::Entry(sym) | NodeKind::Pivot(sym) | NodeKind::Eval(sym) => sym,
            NodeKind::Effect(_) => panic!("an effect has no symbol"),
        }
    }

    /// Rules of one shape from each of the nodes.
    fn rules(&mut self, from: &[NodeId], shape: impl Fn(Sym) -> Shape) -> Vec<From> {
        let rule = |&node: &NodeId| {
            let from = self.sym(node);
            From::Rule { rule: self.rule(from, shape(from)), node }
        };
        from.iter().map(rule).collect()
    }

    /// One step from some places in frames of that kind.
    fn step(&mut self, frame: Frame) {
        let places = self.nodes(|kind, of| of == frame && matches!(kind, NodeKind::At(_) | NodeKind::Entry(_)));
        let from = self.some(&places);
        if from.is_empty() {
            return;
        }
        let to = self.symbol(frame.proc, SymbolKind::Normal);
        let mut edges = Vec::new();
        for node in from {
            let shape = if matches!(self.dag.node(node).kind, NodeKind::Entry(_)) {
                Shape::Entry { to }
            } else {
                Shape::Normal { to }
            };
            edges.extend(self.rules(&[node], |_| shape));
        }
        self.node(frame, NodeKind::At(to), &edges);
    }

    fn places(&self, frame: Frame) -> Vec<NodeId> {
        self.nodes(|kind, of| of == frame && matches!(kind, NodeKind::At(_)))
    }

    fn push(&mut self, frame: Frame, callee: ProcId) {
        let places = self.places(frame);
        let from = self.some(&places);
        if !from.is_empty() {
            let pivot = self.symbol(frame.proc, SymbolKind::Pivot { callee });
            let entry = self.system.proc(callee).entry;
            let edges = self.rules(&from, |_| Shape::Push { entry, pivot });
            self.node(frame, NodeKind::Pivot(pivot), &edges);
        }
    }

    fn pop(&mut self, proc: ProcId) {
        let frame = Frame { proc, popped: true };
        let places = self.places(frame);
        let from = self.some(&places);
        if !from.is_empty() {
            let edges = self.rules(&from, |_| Shape::Pop);
            self.node(frame, NodeKind::Effect(proc), &edges);
        }
    }

    /// A call returns, to a pivot that waits for it.
    fn eval(&mut self) {
        let pivots = self.nodes(|kind, _| matches!(kind, NodeKind::Pivot(_)));
        let Some(&pivot) = self.some(&pivots).first() else { return };
        let sym = self.sym(pivot);
        let callee = self.system.callee(sym);
        let effects = self.nodes(|kind, _| kind == NodeKind::Effect(callee));
        let edges: Vec<From> = self.some(&effects).into_iter().map(|effect| From::Return { pivot, effect }).collect();
        if edges.is_empty() {
            return;
        }
        let frame = self.frames[pivot.index()];
        let eval = self.node(frame, NodeKind::Eval(sym), &edges);
        let to = self.symbol(frame.proc, SymbolKind::Normal);
        let edges = self.rules(&[eval], |_| Shape::Eval { to });
        self.node(frame, NodeKind::At(to), &edges);
    }

    /// A level of frames of that procedure. Returns the procedure of the next one.
    fn level(&mut self, proc: ProcId, is_last: bool) -> ProcId {
        let frame = Frame { proc, popped: false };
        for _ in 0..self.rng.usize(1..=2) {
            self.entry(frame);
        }
        self.step(frame);
        for _ in 0..self.rng.usize(0..40) {
            let callee = self.any_proc();
            let inside = Frame { proc: callee, popped: true };
            let any = if self.rng.bool() { frame } else { inside };
            match self.rng.u8(0..10) {
                0 => {
                    self.entry(inside);
                    self.step(inside);
                }
                1 | 2 => self.step(any),
                3..=5 => {
                    let callee = self.any_proc();
                    self.push(any, callee);
                }
                6 | 7 => self.pop(callee),
                _ => self.eval(),
            }
        }
        let places = self.places(frame);
        let from = self.some(&places);
        let (next, kind, edges) = if is_last {
            let error = self.symbol(proc, SymbolKind::Normal);
            self.system.errors.push(error);
            (proc, NodeKind::At(error), self.rules(&from, |_| Shape::Normal { to: error }))
        } else {
            let callee = self.any_proc();
            let pivot = self.symbol(proc, SymbolKind::Pivot { callee });
            let entry = self.system.proc(callee).entry;
            (callee, NodeKind::Pivot(pivot), self.rules(&from, |_| Shape::Push { entry, pivot }))
        };
        let bottom = self.node(frame, kind, &edges);
        self.dag.levels.push(Level { tops: Vec::new(), bottom });
        next
    }
}
