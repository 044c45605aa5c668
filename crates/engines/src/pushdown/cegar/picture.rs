//! A round of refinement as data for those who want to see it: the counterexample graph
//! with its interpolants, and the lists of predicates.

use super::super::blocks::Point;
use super::super::formula::Names;
use super::super::lower::{Lowered, Origin, Place};
use super::super::proof::Certificate;
use super::super::readable::Readable;
use super::precision::{Lists, Spot};
use rustc_hash::FxHashMap;
use std::collections::{BTreeMap, BTreeSet};
use tamis_bdd::Bdd;
use tamis_cegar::{Round, RoundEdge, RoundList, RoundNode};
use tamis_ir::{ProcId, Program, Span};
use tamis_pds::{Dag, From, NodeKind, RuleId, Sym};
use tamis_term::{Term, Terms, Var};

/// Draws one counterexample after another.
pub(super) struct Artist<'a> {
    pub terms: &'a mut Terms,
    pub program: &'a Program,
    pub lowered: &'a Lowered,
    /// The variables that stand for old values.
    pub old: &'a BTreeMap<Var, Var>,
    pub readable: Readable,
}

/// What was found out about a counterexample.
pub(super) struct Finding<'f> {
    pub number: u64,
    pub strongest: &'f [Bdd],
    /// None if the counterexample is real.
    pub chosen: Option<&'f [Bdd]>,
}

impl Artist<'_> {
    /// The picture of a round; `before` and `after` are the lists without and with what the
    /// round found.
    pub fn draw(&mut self, dag: &Dag, finding: &Finding, before: &Lists, after: &Lists) -> Round {
        let mut nodes = Vec::with_capacity(dag.nodes.len());
        for (id, node) in dag.nodes() {
            let names = self.names(node.kind);
            let strongest = self.formula(&names, &finding.strongest[id.index()]);
            let chosen = finding.chosen.map(|chosen| self.formula(&names, &chosen[id.index()]));
            let place = self.place(node.kind);
            nodes.push(RoundNode { place, level: node.level, popped: node.popped, strongest, chosen });
        }
        let edges = dag.edges.iter().map(|edge| {
            let (from, label) = match edge.from {
                From::Rule { rule, node } => (vec![node.index()], self.label(rule)),
                From::Return { pivot, effect } => (vec![pivot.index(), effect.index()], "return".to_owned()),
            };
            RoundEdge { from, to: edge.to.index(), label }
        });
        let edges = edges.collect();
        let lists = self.lists(before, after);
        Round { number: finding.number, real: finding.chosen.is_none(), nodes, edges, lists }
    }

    fn formula(&mut self, names: &Names, f: &Bdd) -> Term {
        let m = &self.lowered.layout.manager;
        self.readable.formula(m, self.terms, names, f, &mut FxHashMap::default())
    }

    fn lists(&mut self, before: &Lists, after: &Lists) -> Vec<RoundList> {
        let system = &self.lowered.system;
        let at = (0..system.symbols.len()).map(|sym| self.kind(Sym::new(sym)));
        let kinds: Vec<NodeKind> =
            at.chain((0..system.procs.len()).map(|proc| NodeKind::Effect(ProcId::new(proc)))).collect();
        let mut lists = Vec::new();
        for kind in kinds {
            let Some(spot) = Spot::of(kind) else { continue };
            let list = after.list(spot);
            if !list.is_empty() {
                let names = self.names(kind);
                let predicates = list.iter().map(|predicate| self.formula(&names, predicate)).collect();
                let new = list.len() - before.list(spot).len();
                lists.push(RoundList { place: self.place(kind), predicates, new });
            }
        }
        lists
    }

    /// The node that has its predicates at the symbol.
    fn kind(&self, sym: Sym) -> NodeKind {
        match self.lowered.places[sym.index()] {
            Place::Entry(_) => NodeKind::Entry(sym),
            Place::Point(_) => NodeKind::At(sym),
            Place::Pivot(_) => NodeKind::Pivot(sym),
        }
    }

    /// What bits stand for in relations of that kind.
    fn names(&mut self, kind: NodeKind) -> Names {
        let Artist { program, lowered, old, .. } = *self;
        let certificate = Certificate { program, lowered, old: old.clone() };
        match kind {
            NodeKind::Effect(proc) => certificate.names_of_effect(self.terms, proc),
            NodeKind::Entry(sym) | NodeKind::At(sym) | NodeKind::Eval(sym) | NodeKind::Pivot(sym) => {
                let proc = self.lowered.system.symbol(sym).proc;
                let mut names = certificate.names_at(self.terms, proc);
                certificate.name_carriers(self.terms, &mut names);
                if let NodeKind::Pivot(_) = kind {
                    certificate.name_callee(self.terms, &mut names, self.lowered.system.callee(sym));
                }
                names
            }
        }
    }

    fn place(&self, kind: NodeKind) -> String {
        let name = |proc: ProcId| &self.program.proc(proc).name;
        match kind {
            NodeKind::Effect(proc) => format!("{} returns", name(proc)),
            NodeKind::Entry(sym) => format!("enter {}", name(self.lowered.system.symbol(sym).proc)),
            NodeKind::At(sym) | NodeKind::Pivot(sym) | NodeKind::Eval(sym) => {
                let proc = name(self.lowered.system.symbol(sym).proc);
                let (what, span) = match self.lowered.places[sym.index()] {
                    Place::Point(Point::At(loc)) => {
                        let location = &self.program.locs[loc.index()];
                        let label = location.label.as_ref().map_or_else(String::new, |label| format!(" {label}"));
                        (label, location.span)
                    }
                    Place::Point(Point::Behind(edge)) => (" behind the call".to_owned(), self.program.edge(edge).span),
                    Place::Pivot(edge) => {
                        let callee = name(self.lowered.system.callee(sym));
                        let what = if let NodeKind::Eval(_) = kind { "back from" } else { "waiting for" };
                        (format!(" {what} {callee}"), self.program.edge(edge).span)
                    }
                    Place::Entry(_) => (String::new(), Span::default()),
                };
                let line = self.program.sources.position(span).map(|position| format!(":{}", position.line));
                format!("{proc}{}{what}", line.unwrap_or_default())
            }
        }
    }

    /// What happens by a rule: the lines of its block.
    fn label(&self, rule: RuleId) -> String {
        let text = |span: Span| {
            self.program.sources.text(span).map(|text| text.split_whitespace().collect::<Vec<_>>().join(" "))
        };
        match self.lowered.origins[rule.index()] {
            Origin::Enter(_) => "enter".to_owned(),
            Origin::Return => "return".to_owned(),
            Origin::Resume => "go on".to_owned(),
            Origin::Call(edge) => text(self.program.edge(edge).span).unwrap_or_else(|| "call".to_owned()),
            Origin::Block(at) => {
                let edges = &self.lowered.blocks.all[at].edges;
                let mut seen = BTreeSet::new();
                let lines = edges.iter().filter_map(|edge| text(self.program.edge(*edge).span));
                lines.filter(|line| seen.insert(line.clone())).collect::<Vec<_>>().join("; ")
            }
        }
    }
}
