//! Pushdown systems and counterexample graphs, written down by hand.
//!
//! A formula is SMT-LIB text. A variable `L` has the copies `L` (now), `L+` (next), `L_`
//! (frozen) and `L<` (input); the lower-case `l` is `L` with as many bits again, to compute
//! without overflow. Control points are named; `>f` is the entry of `f`, `f|m` the pivot
//! of a call to `f` that goes on at `m`. In a graph, `f.` is the effect of `f`, `=f|m` the
//! evaluation behind the call, and primes tell copies of one control point apart.

use crate::graph::finish;
use rustc_hash::FxHashMap;
use std::rc::Rc;
use tamis_bdd::{Bdd, Bit, Config, Encoder, Manager};
use tamis_ir::ProcId;
use tamis_pds::{
    Block, Dag, Edge, Family, From, Level, Node, NodeId, NodeKind, Proc, Rule, RuleId, Shape, Sym, Symbol, SymbolKind,
    System,
};
use tamis_term::{Sort, StopSignal, Terms};

/// All variables have so many bits.
const WIDTH: u32 = 4;

/// A system in the making.
pub struct Builder {
    terms: Terms,
    encoder: Encoder,
    vars: Vec<String>,
    names: Vec<String>,
    procs: Vec<String>,
    pub system: System,
}

impl Builder {
    /// A system with those variables and no procedure yet.
    pub fn new(vars: &str) -> Builder {
        let manager = Rc::new(Manager::new(&Config { nodes: 1 << 18, cache: 1 << 14 }, StopSignal::never()));
        let mut terms = Terms::new();
        let mut env = FxHashMap::default();
        let mut block = Block::default();
        for name in vars.split_whitespace() {
            let bits: Vec<Bit> = manager.add_bits(4 * WIDTH as usize);
            let copies =
                [("", &mut block.now), ("+", &mut block.next), ("_", &mut block.frozen), ("<", &mut block.input)];
            for (at, (mark, copy)) in copies.into_iter().enumerate() {
                let own: Vec<Bit> = bits.iter().copied().skip(at).step_by(4).collect();
                let var = terms.declare(&format!("{name}{mark}"), Sort::BitVec(WIDTH));
                env.insert(var, own.iter().map(|bit| manager.bit(*bit)).collect());
                copy.extend(own);
            }
        }
        let family = Family::new(manager, block).unwrap();
        let (symbols, rules, procs, errors) = (Vec::new(), Vec::new(), Vec::new(), Vec::new());
        let system = System { family, symbols, rules, procs, main: ProcId::new(0), errors };
        let vars = vars.split_whitespace().map(str::to_owned).collect();
        Builder { terms, encoder: Encoder::new(env), vars, names: Vec::new(), procs: Vec::new(), system }
    }

    /// The diagram of a formula.
    pub fn formula(&mut self, text: &str) -> Bdd {
        let wide = |var: &String| format!("({} ((_ zero_extend {WIDTH}) {var}))", var.to_lowercase());
        let wide: Vec<String> = self.vars.iter().map(wide).collect();
        let text = format!("(let ({}) {text})", wide.join(" "));
        let term = self.terms.read(&text).unwrap_or_else(|error| panic!("{text}: {error}"));
        self.encoder.truth(self.system.family.manager(), &self.terms, term).unwrap()
    }

    /// A procedure with its input variables and the variables that it returns. The first one is
    /// main.
    pub fn proc(&mut self, name: &str, input: &str, returned: &str) {
        let id = ProcId::new(self.procs.len());
        self.procs.push(name.to_owned());
        let entry = self.symbol(&format!(">{name}"), Symbol { proc: id, kind: SymbolKind::Entry });
        let (input, returned) = (self.positions(input), self.positions(returned));
        let family = &self.system.family;
        let (inside, outside): (Vec<usize>, Vec<usize>) =
            (0..family.block.now.len()).partition(|at| returned.contains(at));
        let now = |positions: Vec<usize>| {
            let bits: Vec<Bit> = positions.into_iter().map(|at| family.block.now[at]).collect();
            family.manager().cube(&bits).unwrap()
        };
        let equal = family.equal_at_entry(&input).unwrap();
        let proc = Proc { entry, input, equal, returned: now(inside), kept: now(outside) };
        self.system.procs.push(proc);
    }

    fn positions(&self, vars: &str) -> Vec<usize> {
        let width = WIDTH as usize;
        let first = |name: &str| self.vars.iter().position(|var| var == name).unwrap() * width;
        vars.split_whitespace().flat_map(|name| first(name)..first(name) + width).collect()
    }

    fn symbol(&mut self, name: &str, symbol: Symbol) -> Sym {
        if let Some(at) = self.names.iter().position(|known| known == name) {
            return Sym::new(at);
        }
        self.names.push(name.to_owned());
        self.system.symbols.push(symbol);
        Sym::new(self.names.len() - 1)
    }

    fn find(&self, name: &str) -> Sym {
        Sym::new(self.names.iter().position(|known| known == name).unwrap_or_else(|| panic!("no symbol {name}")))
    }

    /// A location of the same procedure as another symbol; `error…` is an error.
    fn location(&mut self, name: &str, like: Sym) -> Sym {
        let proc = self.system.symbol(like).proc;
        let sym = self.symbol(name, Symbol { proc, kind: SymbolKind::Normal });
        if name.starts_with("error") && !self.system.errors.contains(&sym) {
            self.system.errors.push(sym);
        }
        sym
    }

    fn rule(&mut self, from: Sym, shape: Shape, relation: Option<Bdd>) {
        self.system.rules.push(Rule { from, shape, relation, steps: 1 });
    }

    /// The first step of a procedure.
    pub fn entry(&mut self, proc: &str, to: &str, relation: &str) {
        let from = self.find(&format!(">{proc}"));
        let shape = Shape::Entry { to: self.location(to, from) };
        let relation = self.formula(relation);
        self.rule(from, shape, Some(relation));
    }

    /// A step inside a procedure.
    pub fn normal(&mut self, from: &str, to: &str, relation: &str) {
        let from = self.find(from);
        let shape = Shape::Normal { to: self.location(to, from) };
        let relation = self.formula(relation);
        self.rule(from, shape, Some(relation));
    }

    /// A call that goes on at `to`.
    pub fn call(&mut self, from: &str, callee: &str, to: &str, relation: &str) {
        let from = self.find(from);
        let proc = self.system.symbol(from).proc;
        let kind = SymbolKind::Pivot { callee: ProcId::new(self.procs.iter().position(|p| p == callee).unwrap()) };
        let pivot = self.symbol(&format!("{callee}|{to}"), Symbol { proc, kind });
        let entry = self.find(&format!(">{callee}"));
        let relation = self.formula(relation);
        self.rule(from, Shape::Push { entry, pivot }, Some(relation));
        let shape = Shape::Eval { to: self.location(to, from) };
        self.rule(pivot, shape, None);
    }

    /// A return.
    pub fn pop(&mut self, from: &str, relation: &str) {
        let from = self.find(from);
        let relation = self.formula(relation);
        self.rule(from, Shape::Pop, Some(relation));
    }

    /// A graph: for each level its nodes in order, the last one being its bottom; then its
    /// ways. A way may begin with a return, `f|m+f.`.
    pub fn dag(&self, levels: &[&str], ways: &[&str]) -> Graph {
        let mut graph = Graph { names: Vec::new(), dag: Dag::default() };
        for (level, nodes) in levels.iter().enumerate() {
            for name in nodes.split_whitespace() {
                let kind = self.kind(name);
                graph.names.push(name.to_owned());
                graph.dag.nodes.push(Node { kind, level, popped: false, into: Vec::new(), out: Vec::new() });
            }
            let bottom = NodeId::new(graph.names.len() - 1);
            graph.dag.levels.push(Level { tops: Vec::new(), bottom });
        }
        let mut edges: Vec<(From, NodeId)> = Vec::new();
        for way in ways {
            let names: Vec<&str> = way.split_whitespace().collect();
            for pair in names.windows(2) {
                let edge = (self.source(&graph, pair[0], pair[1]), graph.node(pair[1]));
                if !edges.contains(&edge) {
                    edges.push(edge);
                }
            }
        }
        edges.sort_by_key(|(_, to)| *to);
        for (from, to) in edges {
            graph.dag.edges.push(Edge { from, to });
        }
        finish(&mut graph.dag);
        graph
    }

    fn kind(&self, name: &str) -> NodeKind {
        let name = name.trim_end_matches('\'');
        if let Some(proc) = name.strip_suffix('.') {
            return NodeKind::Effect(ProcId::new(self.procs.iter().position(|known| known == proc).unwrap()));
        }
        if let Some(pivot) = name.strip_prefix('=') {
            return NodeKind::Eval(self.find(pivot));
        }
        let sym = self.find(name);
        match self.system.symbol(sym).kind {
            SymbolKind::Normal => NodeKind::At(sym),
            SymbolKind::Entry => NodeKind::Entry(sym),
            SymbolKind::Pivot { .. } => NodeKind::Pivot(sym),
        }
    }

    fn source(&self, graph: &Graph, from: &str, to: &str) -> From {
        if let Some((pivot, effect)) = from.split_once('+') {
            return From::Return { pivot: graph.node(pivot), effect: graph.node(effect) };
        }
        let (sym, target) = match (self.kind(from), self.kind(to)) {
            (NodeKind::At(from) | NodeKind::Entry(from) | NodeKind::Eval(from), to) => (from, to),
            (NodeKind::Pivot(_) | NodeKind::Effect(_), _) => panic!("no rule leaves {from}"),
        };
        let leads = |rule: &Rule| match (rule.shape, target) {
            (Shape::Entry { to } | Shape::Normal { to } | Shape::Eval { to }, NodeKind::At(target)) => to == target,
            (Shape::Push { pivot, .. }, NodeKind::Pivot(target)) => pivot == target,
            (Shape::Pop, NodeKind::Effect(_)) => true,
            _ => false,
        };
        let rule = self.system.rules.iter().position(|rule| rule.from == sym && leads(rule));
        From::Rule {
            rule: RuleId::new(rule.unwrap_or_else(|| panic!("no rule from {from} to {to}"))),
            node: graph.node(from),
        }
    }
}

/// A graph with the names of its nodes.
pub struct Graph {
    pub names: Vec<String>,
    pub dag: Dag,
}

impl Graph {
    /// The node of that name.
    pub fn node(&self, name: &str) -> NodeId {
        let at = self.names.iter().position(|known| known == name);
        NodeId::new(at.unwrap_or_else(|| panic!("no node {name}")))
    }
}

/// That the variables stay as they are.
pub fn keep(vars: &str) -> String {
    let same: Vec<String> = vars.split_whitespace().map(|var| format!("(= {var}+ {var})")).collect();
    format!("(and true true {})", same.join(" "))
}

/// `var := value`, where the other variables stay as they are.
pub fn set(var: &str, value: &str, others: &str) -> String {
    format!("(and (= {var}+ {value}) {})", keep(others))
}

/// A condition, where all variables stay as they are.
pub fn assume(condition: &str, vars: &str) -> String {
    format!("(and {condition} {})", keep(vars))
}

/// That a variable is even.
pub fn even(var: &str) -> String {
    format!("(= ((_ extract 0 0) {var}) #b0)")
}

/// That a variable is odd.
pub fn odd(var: &str) -> String {
    format!("(= ((_ extract 0 0) {var}) #b1)")
}
