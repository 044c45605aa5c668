//! Makes a failing program small: greedy removal until nothing more can go (delta debugging
//! without the halving; the programs are small already).

use tamis_ir::{Edge, Op, Program, validate};
use tamis_term::{Node, Term, Terms, Value};

/// The smallest program reached from `program` by steps that keep `fails` true.
pub fn shrink(terms: &mut Terms, program: &Program, mut fails: impl FnMut(&Terms, &Program) -> bool) -> Program {
    let mut best = program.clone();
    loop {
        let before = weight(terms, &best);
        for at in (0..candidates(terms, &best).len()).rev() {
            // Candidates are recomputed, because the best program may have changed.
            if let Some(candidate) = candidates(terms, &best).into_iter().nth(at)
                && validate::validate(terms, &candidate).is_ok()
                && weight(terms, &candidate) < weight(terms, &best)
                && fails(terms, &candidate)
            {
                best = candidate;
            }
        }
        if weight(terms, &best) == before {
            return best;
        }
    }
}

/// What shrinking makes smaller: edges, then what is written on them, then variables.
fn weight(terms: &Terms, program: &Program) -> (usize, usize, usize) {
    let ops = program.edges().map(|(_, edge)| match &edge.op {
        Op::Assume(condition) => terms.dag_size(*condition) - usize::from(terms.is_true(*condition)),
        Op::Assign(pairs) => pairs.iter().map(|(_, term)| 1 + terms.dag_size(*term)).sum::<usize>() + 1,
        Op::Havoc(vars) => 1 + vars.len(),
        Op::Call { args, results, .. } => {
            3 + results.len() + args.iter().map(|arg| terms.dag_size(*arg)).sum::<usize>()
        }
    });
    let errors: usize = program.errors.iter().map(|property| property.locs.len()).sum();
    let vars = program.globals.len() + program.procs.iter().map(|proc| proc.vars().count()).sum::<usize>();
    (program.edges().count() + errors, ops.sum(), vars)
}

/// Programs with one thing less.
fn candidates(terms: &mut Terms, program: &Program) -> Vec<Program> {
    let mut all = Vec::new();
    let with = |change: &dyn Fn(&mut Program)| {
        let mut copy = program.clone();
        change(&mut copy);
        copy
    };
    for (id, edge) in program.edges() {
        let (proc, at) = (id.proc.index(), id.index as usize);
        all.push(with(&|p| {
            p.procs[proc].edges.remove(at);
        }));
        for op in simpler(terms, edge) {
            all.push(with(&|p| p.procs[proc].edges[at].op = op.clone()));
        }
    }
    for at in 0..program.globals.len() {
        all.push(with(&|p| {
            p.globals.remove(at);
        }));
    }
    for (id, proc) in program.procs() {
        for at in 0..proc.locals.len() {
            all.push(with(&|p| {
                p.procs[id.index()].locals.remove(at);
            }));
        }
        for at in 0..proc.params.len() {
            all.push(with(&|p| {
                p.procs[id.index()].params.remove(at);
                on_calls(p, id, |args, _| {
                    args.remove(at);
                });
            }));
        }
        for at in 0..proc.results.len() {
            all.push(with(&|p| {
                p.procs[id.index()].results.remove(at);
                on_calls(p, id, |_, results| {
                    results.remove(at);
                });
            }));
        }
    }
    for (at, property) in program.errors.iter().enumerate() {
        for loc in 0..property.locs.len() {
            all.push(with(&|p| {
                p.errors[at].locs.remove(loc);
            }));
        }
    }
    all
}

fn on_calls(program: &mut Program, to: tamis_ir::ProcId, change: impl Fn(&mut Vec<Term>, &mut Vec<tamis_term::Var>)) {
    for edge in program.procs.iter_mut().flat_map(|proc| &mut proc.edges) {
        if let Op::Call { callee, args, results } = &mut edge.op
            && *callee == to
        {
            change(args, results);
        }
    }
}

/// Simpler operations for an edge.
fn simpler(terms: &mut Terms, edge: &Edge) -> Vec<Op> {
    let mut ops = vec![Op::Assume(terms.bool(true))];
    match &edge.op {
        Op::Assume(condition) => ops.extend(smaller(terms, *condition).into_iter().map(Op::Assume)),
        Op::Assign(pairs) => {
            for at in 0..pairs.len() {
                let mut fewer = pairs.clone();
                fewer.remove(at);
                ops.push(Op::Assign(fewer));
                for term in smaller(terms, pairs[at].1) {
                    let mut changed = pairs.clone();
                    changed[at].1 = term;
                    ops.push(Op::Assign(changed));
                }
            }
        }
        Op::Havoc(vars) => {
            for at in 0..vars.len() {
                let mut fewer = vars.clone();
                fewer.remove(at);
                ops.push(Op::Havoc(fewer));
            }
        }
        Op::Call { callee, args, results } => {
            for at in 0..args.len() {
                for term in smaller(terms, args[at]) {
                    let mut args = args.clone();
                    args[at] = term;
                    ops.push(Op::Call { callee: *callee, args, results: results.clone() });
                }
            }
        }
    }
    ops
}

/// Smaller terms of the same sort: a constant, or a subterm.
fn smaller(terms: &mut Terms, term: Term) -> Vec<Term> {
    let Node::App(_, args) = terms.node(term).clone() else {
        return match terms.node(term) {
            Node::Var(_) => {
                let value = Value::default_of(terms.sort(term));
                vec![terms.constant(value)]
            }
            Node::Const(_) | Node::App(..) => Vec::new(),
        };
    };
    let sort = terms.sort(term).clone();
    let mut found: Vec<Term> = args.iter().copied().filter(|arg| *terms.sort(*arg) == sort).collect();
    found.push(terms.constant(Value::default_of(&sort)));
    if sort == tamis_term::Sort::Bool {
        found.push(terms.bool(true));
    }
    found
}
