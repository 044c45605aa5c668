//! Whether a trace depends on what a front end could not model.
//!
//! Some edges do more than the source says ([`tamis_ir::Notes::approximations`]): a havoc may
//! choose a value that the real program never computes. A trace that takes such an edge is
//! still evidence if the value decides nothing. So values are followed: what a marked havoc
//! writes is tainted, what is computed from a tainted value is tainted, and what is overwritten
//! is clean again. The trace depends on the edge as soon as a condition reads a tainted value.
//! A marked edge of any other kind may be impossible, so to take it is to depend on it.

use rustc_hash::{FxHashMap, FxHashSet};
use std::rc::Rc;
use tamis_ir::{Action, EdgeId, Op, ProcId, Program, Span, Trace};
use tamis_term::{Term, Terms, Var};

/// The first thing that the trace depends on although it is not modelled: what it is, and where.
#[must_use]
pub fn depends(terms: &Terms, program: &Program, trace: &Trace) -> Option<(String, Span)> {
    let marked = &program.notes.approximations;
    if marked.is_empty() {
        return None;
    }
    let mut taint = Taint::new(terms, program);
    let found = trace.steps.iter().find_map(|step| taint.step(&step.action))?;
    Some((marked.get(&found)?.clone(), program.edge(found).span))
}

/// The same as a phrase: `floating-point arithmetic, line 12`.
#[must_use]
pub fn dependence(terms: &Terms, program: &Program, trace: &Trace) -> Option<String> {
    let (what, span) = depends(terms, program, trace)?;
    let place = program.sources.position(span).filter(|_| span.end > 0);
    Some(place.map_or(what.clone(), |place| format!("{what}, line {}", place.line)))
}

/// The variables that may ever hold a value which is not modelled, on any run.
#[must_use]
pub fn tainted(terms: &Terms, program: &Program) -> FxHashSet<Var> {
    let mut flows: FxHashMap<Var, Vec<Var>> = FxHashMap::default();
    let mut work: Vec<Var> = Vec::new();
    let mut flow = |from: Term, to: Var| {
        for var in terms.free_vars(&[from]) {
            flows.entry(var).or_default().push(to);
        }
    };
    let mut given_back: Vec<(Var, Var)> = Vec::new();
    for (id, edge) in program.edges() {
        match &edge.op {
            Op::Havoc(vars) if program.notes.approximations.contains_key(&id) => work.extend(vars),
            Op::Assume(_) | Op::Havoc(_) => {}
            Op::Assign(pairs) => pairs.iter().for_each(|(var, term)| flow(*term, *var)),
            Op::Call { callee, args, results } => {
                let callee = program.proc(*callee);
                callee.params.iter().zip(args).for_each(|(param, arg)| flow(*arg, *param));
                given_back.extend(callee.results.iter().copied().zip(results.iter().copied()));
            }
        }
    }
    for (result, target) in given_back {
        flows.entry(result).or_default().push(target);
    }
    let mut tainted = FxHashSet::default();
    while let Some(var) = work.pop() {
        if tainted.insert(var) {
            work.extend(flows.get(&var).into_iter().flatten());
        }
    }
    tainted
}

/// Where values come from that are not modelled: the marked edge of each tainted variable.
type Origins = FxHashMap<Var, EdgeId>;

/// The tainted variables along a run.
struct Taint<'p> {
    terms: &'p Terms,
    program: &'p Program,
    /// Which variables are global, and the taint of these.
    shared: FxHashSet<Var>,
    globals: Origins,
    /// The calls that have not returned, each with the taint of its own variables. A recursive
    /// procedure has the same variables in each of its frames.
    frames: Vec<Frame>,
    /// The variables of terms, each term looked at once.
    vars: FxHashMap<Term, Rc<[Var]>>,
}

struct Frame {
    proc: ProcId,
    /// Where the caller goes on, and which of its variables take the results.
    call: Option<EdgeId>,
    locals: Origins,
}

impl<'p> Taint<'p> {
    fn new(terms: &'p Terms, program: &'p Program) -> Taint<'p> {
        let main = Frame { proc: program.main, call: None, locals: Origins::default() };
        Taint {
            terms,
            program,
            shared: program.globals.iter().copied().collect(),
            globals: Origins::default(),
            frames: vec![main],
            vars: FxHashMap::default(),
        }
    }

    /// Follows one step; the marked edge that the run depends on from here, if there is one.
    fn step(&mut self, action: &Action) -> Option<EdgeId> {
        match action {
            Action::Take { edge, .. } => self.take(*edge),
            Action::Return => {
                self.give_back();
                None
            }
        }
    }

    fn take(&mut self, id: EdgeId) -> Option<EdgeId> {
        let program = self.program;
        let marked = program.notes.approximations.contains_key(&id);
        let op = &program.procs.get(id.proc.index())?.edges.get(id.index as usize)?.op;
        match op {
            Op::Havoc(vars) => vars.iter().for_each(|var| self.set(*var, marked.then_some(id))),
            Op::Assume(_) | Op::Assign(_) | Op::Call { .. } if marked => return Some(id),
            Op::Assume(condition) => return self.origin(*condition),
            Op::Assign(pairs) => {
                let origins: Vec<Option<EdgeId>> = pairs.iter().map(|(_, term)| self.origin(*term)).collect();
                pairs.iter().zip(origins).for_each(|((var, _), origin)| self.set(*var, origin));
            }
            Op::Call { callee, args, .. } => {
                let params = &program.proc(*callee).params;
                let given = params.iter().zip(args).filter_map(|(var, arg)| Some((*var, self.origin(*arg)?)));
                let locals = given.collect();
                self.frames.push(Frame { proc: *callee, call: Some(id), locals });
            }
        }
        None
    }

    fn give_back(&mut self) {
        let Some(Frame { proc, call: Some(call), locals }) = self.frames.pop() else { return };
        let Op::Call { results, .. } = &self.program.edge(call).op else { return };
        for (target, result) in results.iter().zip(&self.program.proc(proc).results) {
            self.set(*target, locals.get(result).copied());
        }
    }

    /// Why the value of a term is tainted.
    fn origin(&mut self, term: Term) -> Option<EdgeId> {
        let terms = self.terms;
        let find = || terms.free_vars(&[term]).into_iter().collect();
        let vars = self.vars.entry(term).or_insert_with(find).clone();
        let locals = self.frames.last().map(|frame| &frame.locals);
        vars.iter().find_map(|var| locals.and_then(|locals| locals.get(var)).or(self.globals.get(var))).copied()
    }

    /// A variable of the running procedure, or a global, has a new value.
    fn set(&mut self, var: Var, origin: Option<EdgeId>) {
        let frame = self.frames.last_mut().filter(|_| !self.shared.contains(&var));
        let origins = frame.map_or(&mut self.globals, |frame| &mut frame.locals);
        match origin {
            Some(origin) => origins.insert(var, origin),
            None => origins.remove(&var),
        };
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::Arc;
    use tamis_ir::{Choices, Interpreter, Loc, Property, PropertyId};
    use tamis_solver::StopSignal;
    use tamis_term::{Sort, Value};

    /// A program of straight pieces: `main`, and `f`, which has a parameter, a result and a local.
    struct Example {
        terms: Terms,
        program: Program,
        g: Var,
        x: Var,
        y: Var,
        given: Var,
        result: Var,
        local: Var,
        /// Where the next edge of each procedure starts.
        ends: [Loc; 2],
    }

    /// What an edge of the source is.
    #[derive(Clone, Copy, PartialEq)]
    enum Mark {
        Exact,
        Approximate,
    }
    use Mark::{Approximate, Exact};

    const MAIN: usize = 0;
    const F: usize = 1;

    impl Example {
        fn new() -> Example {
            let mut terms = Terms::new();
            let names = ["g", "main::x", "main::y", "f::given", "f::result", "f::local"];
            let [g, x, y, given, result, local] = names.map(|name| terms.declare(name, Sort::BitVec(4)));
            let mut program = Program::new(Arc::default());
            program.globals = vec![g];
            let procs = ["main", "f"].map(|name| program.add_proc(name, Span::default()));
            program.procs[MAIN].locals = vec![x, y];
            (program.procs[F].params, program.procs[F].results) = (vec![given], vec![result]);
            program.procs[F].locals = vec![local];
            let ends = procs.map(|proc| program.proc(proc).entry);
            Example { terms, program, g, x, y, given, result, local, ends }
        }

        fn edge(&mut self, proc: usize, op: Op, mark: Mark) -> &mut Example {
            let to = self.program.add_loc(Span::default());
            self.edge_to(proc, to, op, mark);
            self.ends[proc] = to;
            self
        }

        fn edge_to(&mut self, proc: usize, to: Loc, op: Op, mark: Mark) {
            let edge = self.program.add_edge(ProcId::new(proc), self.ends[proc], to, op, Span::default());
            if mark == Approximate {
                self.program.notes.approximations.insert(edge, "it".into());
            }
        }

        fn havoc(&mut self, proc: usize, var: Var, mark: Mark) -> &mut Example {
            self.edge(proc, Op::Havoc(vec![var]), mark)
        }

        fn copy(&mut self, proc: usize, pairs: &[(Var, Var)]) -> &mut Example {
            let pairs = pairs.iter().map(|(to, from)| (*to, self.terms.var(*from))).collect();
            self.edge(proc, Op::Assign(pairs), Exact)
        }

        /// Goes on where the variable is zero, as all values of the tests are.
        fn assume(&mut self, proc: usize, var: Var) -> &mut Example {
            let (term, zero) = (self.terms.var(var), self.terms.bv(4, 0));
            let zero = self.terms.eq(term, zero);
            self.edge(proc, Op::Assume(zero), Exact)
        }

        fn call(&mut self, proc: usize, arg: Var, result: Var) -> &mut Example {
            let args = vec![self.terms.var(arg)];
            self.edge(proc, Op::Call { callee: ProcId::new(F), args, results: vec![result] }, Exact)
        }

        /// `f` returns here.
        fn give_back(&mut self) -> &mut Example {
            let (always, exit) = (self.terms.bool(true), self.program.procs[F].exit);
            self.edge_to(F, exit, Op::Assume(always), Exact);
            self
        }

        /// Whether the run to the end of main depends on a marked edge. The check agrees.
        fn depends(&mut self) -> bool {
            struct Zeros;
            impl Choices for Zeros {
                fn branch(&mut self, _: usize) -> usize {
                    0
                }
                fn value(&mut self, sort: &Sort) -> Value {
                    Value::default_of(sort)
                }
            }
            let end = self.ends[MAIN];
            let property: PropertyId = self.program.add_property(Property::new("end", "the end", vec![end]));
            let mut interpreter = Interpreter::new(&self.terms, &self.program);
            let run = interpreter.run(&mut Zeros, &[end], 100);
            assert_eq!(run.last.loc(), end);
            let found = depends(&self.terms, &self.program, &run.trace).is_some();
            let never = StopSignal::never();
            let checked = crate::replay::check(&self.terms, &self.program, property, &run.trace, &never);
            assert_eq!(checked.is_err(), found, "{checked:?}");
            found
        }
    }

    #[test]
    fn a_condition_on_a_value_that_is_not_modelled_counts() {
        let mut example = Example::new();
        let (x, y) = (example.x, example.y);
        assert!(!example.havoc(MAIN, x, Approximate).assume(MAIN, y).depends());
        assert!(example.assume(MAIN, x).depends());
    }

    #[test]
    fn a_condition_on_an_ordinary_input_does_not() {
        let mut example = Example::new();
        let (x, y) = (example.x, example.y);
        assert!(!example.havoc(MAIN, y, Approximate).havoc(MAIN, x, Exact).assume(MAIN, x).depends());
    }

    #[test]
    fn any_other_marked_edge_counts_at_once() {
        let mut example = Example::new();
        let always = example.terms.bool(true);
        assert!(example.edge(MAIN, Op::Assume(always), Approximate).depends());
        let mut example = Example::new();
        let (x, zero) = (example.x, example.terms.bv(4, 0));
        assert!(example.edge(MAIN, Op::Assign(vec![(x, zero)]), Approximate).depends());
        let mut example = Example::new();
        example.give_back();
        let call = Op::Call { callee: ProcId::new(F), args: vec![zero], results: vec![x] };
        assert!(example.edge(MAIN, call, Approximate).depends());
    }

    #[test]
    fn assignments_pass_taint_on_and_clean_up() {
        let mut example = Example::new();
        let (x, y, g) = (example.x, example.y, example.g);
        example.havoc(MAIN, x, Approximate).copy(MAIN, &[(g, x)]).copy(MAIN, &[(x, y)]);
        assert!(!example.assume(MAIN, x).depends());
        assert!(example.assume(MAIN, g).depends());
    }

    #[test]
    fn a_havoc_cleans_up() {
        let mut example = Example::new();
        let x = example.x;
        assert!(!example.havoc(MAIN, x, Approximate).havoc(MAIN, x, Exact).assume(MAIN, x).depends());
    }

    #[test]
    fn a_parallel_assignment_reads_before_it_writes() {
        let mut example = Example::new();
        let (x, y) = (example.x, example.y);
        example.havoc(MAIN, x, Approximate).copy(MAIN, &[(x, y), (y, x)]);
        assert!(!example.assume(MAIN, x).depends());
        assert!(example.assume(MAIN, y).depends());
    }

    #[test]
    fn arguments_and_results_carry_taint() {
        let mut example = Example::new();
        let (x, y, given, result) = (example.x, example.y, example.given, example.result);
        example.copy(F, &[(result, given)]).give_back();
        example.havoc(MAIN, x, Approximate).call(MAIN, x, y).copy(MAIN, &[(x, x)]);
        assert!(example.assume(MAIN, y).depends());
        let mut example = Example::new();
        example.copy(F, &[(result, example.local)]).give_back();
        example.havoc(MAIN, x, Approximate).havoc(MAIN, y, Approximate).call(MAIN, x, y);
        assert!(!example.assume(MAIN, y).depends(), "the result is clean whatever the argument and the target were");
        assert!(example.assume(MAIN, x).depends());
    }

    #[test]
    fn a_condition_in_a_callee_counts() {
        let mut example = Example::new();
        let (x, y, given) = (example.x, example.y, example.given);
        example.assume(F, given).give_back();
        assert!(example.havoc(MAIN, x, Approximate).call(MAIN, x, y).depends());
    }

    /// What `f` does with its local variable.
    #[derive(Clone, Copy)]
    enum Deed {
        Taint,
        Clean,
        Read,
    }

    impl Example {
        fn deed(&mut self, deed: Deed) {
            let (local, given) = (self.local, self.given);
            match deed {
                Deed::Taint => self.havoc(F, local, Approximate),
                Deed::Clean => self.copy(F, &[(local, given)]),
                Deed::Read => self.assume(F, local),
            };
        }
    }

    /// `f` calls itself once: the outer call does something before and after, the inner one too.
    fn recursive(before: Deed, inside: Deed, after: Deed) -> bool {
        let mut example = Example::new();
        let (g, x, y, given, result) = (example.g, example.x, example.y, example.given, example.result);
        let (depth, zero, one) = (example.terms.var(g), example.terms.bv(4, 0), example.terms.bv(4, 1));
        let (outer, inner) = (example.terms.eq(depth, zero), example.terms.eq(depth, one));
        let start = example.ends[F];
        example.edge(F, Op::Assume(outer), Exact).deed(before);
        example.edge(F, Op::Assign(vec![(g, one)]), Exact).call(F, given, result).deed(after);
        example.give_back().ends[F] = start;
        example.edge(F, Op::Assume(inner), Exact).deed(inside);
        example.give_back().call(MAIN, x, y).depends()
    }

    #[test]
    fn a_recursive_call_does_not_touch_its_callers_variables() {
        assert!(recursive(Deed::Taint, Deed::Clean, Deed::Read));
        assert!(!recursive(Deed::Clean, Deed::Taint, Deed::Read));
        assert!(!recursive(Deed::Taint, Deed::Read, Deed::Clean));
    }
}
