//! The invariants of a [`Program`], checked in one pass: what every engine and pass may rely
//! on, and what every front end and pass has to establish.
//!
//! Variables are taken as declared in the arena: their names are unique by construction.

use crate::program::{Edge, EdgeId, Loc, Op, ProcId, Procedure, Program, Property, PropertyId};
use rustc_hash::{FxHashMap, FxHashSet};
use std::fmt;
use tamis_term::{Node, Sort, Term, Terms, Var};

/// The first rule that a program breaks.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Violation {
    /// Where it breaks it.
    pub place: Place,
    /// What is wrong, as a lower-case phrase.
    pub message: String,
}

/// A part of a program.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Place {
    /// The program as a whole.
    Program,
    /// A procedure.
    Procedure(ProcId),
    /// An edge.
    Edge(EdgeId),
    /// A property.
    Property(PropertyId),
}

impl fmt::Display for Place {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Place::Program => write!(f, "the program"),
            Place::Procedure(proc) => write!(f, "procedure {}", proc.index()),
            Place::Edge(edge) => write!(f, "edge {} of procedure {}", edge.index, edge.proc.index()),
            Place::Property(property) => write!(f, "property {}", property.index()),
        }
    }
}

impl fmt::Display for Violation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}", self.place, self.message)
    }
}

impl std::error::Error for Violation {}

/// Checks every invariant of a program whose variables are declared in `terms`.
///
/// A procedure may have one location as entry and exit: it then returns at once.
///
/// # Errors
/// Names the first rule that does not hold.
pub fn validate(terms: &Terms, program: &Program) -> Result<(), Violation> {
    if program.main.index() >= program.procs.len() {
        let message = format!("main is procedure {}, but there are {}", program.main.index(), program.procs.len());
        return Err(Violation { place: Place::Program, message });
    }
    let mut checker = Checker {
        terms,
        program,
        home: vec![None; program.locs.len()],
        scope: FxHashMap::default(),
        inside: FxHashSet::default(),
    };
    checker.variables()?;
    checker.locations()?;
    for (id, edge) in program.edges() {
        checker.edge(id, edge).map_err(|message| Violation { place: Place::Edge(id), message })?;
    }
    properties(program)
}

/// Fails with the message unless the condition holds.
fn ensure(condition: bool, message: impl FnOnce() -> String) -> Result<(), String> {
    if condition { Ok(()) } else { Err(message()) }
}

struct Checker<'p> {
    terms: &'p Terms,
    program: &'p Program,
    /// The procedure that each location belongs to.
    home: Vec<Option<ProcId>>,
    /// The procedure that each variable belongs to; none for globals.
    scope: FxHashMap<Var, Option<ProcId>>,
    /// Subterms of the current procedure that are known to stay in scope.
    inside: FxHashSet<Term>,
}

impl Checker<'_> {
    fn variables(&mut self) -> Result<(), Violation> {
        let program = self.program;
        let own = program.procs().flat_map(|(id, proc)| proc.vars().map(move |var| (var, Some(id))));
        for (var, owner) in program.globals.iter().map(|var| (*var, None)).chain(own) {
            if self.scope.insert(var, owner).is_some() {
                let place = owner.map_or(Place::Program, Place::Procedure);
                let message = format!("variable {} is listed twice in the program", self.terms.name(var));
                return Err(Violation { place, message });
            }
        }
        Ok(())
    }

    fn locations(&mut self) -> Result<(), Violation> {
        for (id, proc) in self.program.procs() {
            for (loc, what) in [(proc.entry, "entry"), (proc.exit, "exit")] {
                self.settle(id, loc, what).map_err(|message| Violation { place: Place::Procedure(id), message })?;
            }
            for (index, edge) in (0..).zip(&proc.edges) {
                let place = Place::Edge(EdgeId { proc: id, index });
                for (loc, what) in [(edge.from, "start"), (edge.to, "target")] {
                    self.settle(id, loc, what).map_err(|message| Violation { place, message })?;
                }
                if edge.from == proc.exit {
                    let message = format!("it leaves the exit of procedure {}", proc.name);
                    return Err(Violation { place, message });
                }
            }
        }
        Ok(())
    }

    /// Notes that a location belongs to a procedure.
    fn settle(&mut self, proc: ProcId, loc: Loc, what: &str) -> Result<(), String> {
        let count = self.program.locs.len();
        ensure(loc.index() < count, || format!("its {what} is location {}, but there are {count}", loc.index()))?;
        let other = *self.home[loc.index()].get_or_insert(proc);
        ensure(other == proc, || {
            let name = &self.program.proc(other).name;
            format!("its {what}, location {}, belongs to procedure {name} as well", loc.index())
        })
    }

    fn edge(&mut self, id: EdgeId, edge: &Edge) -> Result<(), String> {
        if id.index == 0 {
            self.inside.clear();
        }
        match &edge.op {
            Op::Assume(condition) => {
                self.term(id.proc, *condition)?;
                let sort = self.terms.sort(*condition);
                ensure(*sort == Sort::Bool, || format!("the assumption is not a formula but has sort {sort}"))
            }
            Op::Assign(pairs) => {
                let targets: Vec<Var> = pairs.iter().map(|(var, _)| *var).collect();
                self.targets(id.proc, &targets, "assigns")?;
                pairs.iter().try_for_each(|(var, value)| self.fits(id.proc, *var, *value, "assigned"))
            }
            Op::Havoc(vars) => self.targets(id.proc, vars, "havocs"),
            Op::Call { callee, args, results } => {
                let count = self.program.procs.len();
                let procedure = self.program.procs.get(callee.index());
                let procedure =
                    procedure.ok_or_else(|| format!("it calls procedure {}, but there are {count}", callee.index()))?;
                self.call(id.proc, procedure, args, results)
            }
        }
    }

    fn call(&mut self, user: ProcId, callee: &Procedure, args: &[Term], results: &[Var]) -> Result<(), String> {
        let name = &callee.name;
        ensure(args.len() == callee.params.len(), || {
            format!("{name} takes {} arguments, not {}", callee.params.len(), args.len())
        })?;
        ensure(results.len() == callee.results.len(), || {
            format!("{name} returns {} results, not {}", callee.results.len(), results.len())
        })?;
        for (param, arg) in callee.params.iter().zip(args) {
            self.fits(user, *param, *arg, "passed")?;
        }
        self.targets(user, results, "writes")?;
        for (result, target) in callee.results.iter().zip(results) {
            let (sort, wanted) = (self.terms.var_sort(*result), self.terms.var_sort(*target));
            ensure(sort == wanted, || {
                format!("{} has sort {wanted}, but takes a result of sort {sort}", self.terms.name(*target))
            })?;
        }
        Ok(())
    }

    /// Whether a value that `user` computes has the sort of the variable that takes it.
    fn fits(&mut self, user: ProcId, var: Var, value: Term, how: &str) -> Result<(), String> {
        self.term(user, value)?;
        let (sort, wanted) = (self.terms.sort(value), self.terms.var_sort(var));
        ensure(sort == wanted, || {
            format!("{} has sort {wanted}, but is {how} a value of sort {sort}", self.terms.name(var))
        })
    }

    fn in_scope(&self, user: ProcId, var: Var) -> bool {
        self.scope.get(&var).is_some_and(|owner| owner.is_none_or(|owner| owner == user))
    }

    /// Whether the variables that an edge writes are in scope and distinct.
    fn targets(&self, user: ProcId, vars: &[Var], verb: &str) -> Result<(), String> {
        let mut seen = FxHashSet::default();
        for var in vars {
            let name = || self.terms.name(*var);
            ensure(self.in_scope(user, *var), || format!("it {verb} {}, which is not in scope", name()))?;
            ensure(seen.insert(*var), || format!("it {verb} {} twice", name()))?;
        }
        Ok(())
    }

    /// Whether a term is of this arena and mentions only variables in scope.
    fn term(&mut self, user: ProcId, root: Term) -> Result<(), String> {
        let count = self.terms.len();
        ensure(root.index() < count, || format!("it has term {}, but there are {count}", root.index()))?;
        let mut stack = vec![root];
        while let Some(term) = stack.pop() {
            if !self.inside.insert(term) {
                continue;
            }
            match self.terms.node(term) {
                Node::Const(_) => {}
                Node::Var(var) => ensure(self.in_scope(user, *var), || {
                    format!("it mentions {}, which is not in scope", self.terms.name(*var))
                })?,
                Node::App(_, args) => stack.extend(args),
            }
        }
        Ok(())
    }
}

fn properties(program: &Program) -> Result<(), Violation> {
    let mut names = FxHashSet::default();
    for (number, property) in program.errors.iter().enumerate() {
        named(program, property, &mut names)
            .map_err(|message| Violation { place: Place::Property(PropertyId::new(number)), message })?;
    }
    let count = program.errors.len();
    match program.default {
        Some(property) if property.index() >= count => {
            let message = format!("the default is property {}, but there are {count}", property.index());
            Err(Violation { place: Place::Program, message })
        }
        Some(_) | None => Ok(()),
    }
}

fn named<'p>(program: &Program, property: &'p Property, names: &mut FxHashSet<&'p str>) -> Result<(), String> {
    ensure(!property.name.is_empty(), || "it has no name".to_owned())?;
    ensure(names.insert(&property.name), || format!("another property is called {} too", property.name))?;
    let count = program.locs.len();
    match property.locs.iter().find(|loc| loc.index() >= count) {
        Some(loc) => Err(format!("it names location {}, but there are {count}", loc.index())),
        None => Ok(()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::source::Span;

    /// `bool g; main { bool x; int:8 n; assume(x); x, n := g, 3; havoc x; x := f(g); }` and
    /// `f(p) returns r { bool l; r := p; }`, where `main`'s last location is an error. Edges of
    /// main: 0 assume, 1 assign, 2 havoc, 3 call. Locations: main 0, 1 and 4, 5, 6; f 2, 3.
    fn valid(terms: &mut Terms) -> Program {
        let mut program = Program::new(std::sync::Arc::default());
        let [main, f] = ["main", "f"].map(|name| program.add_proc(name, Span::default()));
        let names = ["g", "main::x", "f::p", "f::r", "f::l"];
        let [global, own, param, result, local] = names.map(|name| terms.declare(name, Sort::Bool));
        let number = terms.declare("main::n", Sort::BitVec(8));
        program.globals = vec![global];
        program.procs[0].locals = vec![own, number];
        program.procs[1].params = vec![param];
        program.procs[1].results = vec![result];
        program.procs[1].locals = vec![local];
        let [given, condition, passed] = [global, own, param].map(|var| terms.var(var));
        let three = terms.bv(8, 3);
        let way = [(); 3].map(|()| program.add_loc(Span::default()));
        let (entry, exit) = (program.procs[0].entry, program.procs[0].exit);
        program.add_edge(main, entry, way[0], Op::Assume(condition), Span::default());
        program.add_edge(main, way[0], way[1], Op::Assign(vec![(own, given), (number, three)]), Span::default());
        program.add_edge(main, way[1], way[2], Op::Havoc(vec![own]), Span::default());
        let call = Op::Call { callee: f, args: vec![given], results: vec![own] };
        program.add_edge(main, way[2], exit, call, Span::default());
        let (entry, exit) = (program.procs[1].entry, program.procs[1].exit);
        program.add_edge(f, entry, exit, Op::Assign(vec![(result, passed)]), Span::default());
        program.add_property(Property::new("reach", "reached", vec![way[2]]));
        program.default = program.find_property("reach");
        program
    }

    /// Breaks the valid program and expects the violation.
    fn check(spoil: impl FnOnce(&mut Terms, &mut Program), expected: &str) {
        let mut terms = Terms::new();
        let mut program = valid(&mut terms);
        spoil(&mut terms, &mut program);
        let found = validate(&terms, &program).map_or_else(|violation| violation.to_string(), |()| "valid".into());
        assert_eq!(found, expected);
    }

    /// Replaces the operation of an edge of main and expects the violation.
    fn check_op(edge: usize, op: impl FnOnce(&mut Terms) -> Op, expected: &str) {
        check(|terms, program| program.procs[0].edges[edge].op = op(terms), expected);
    }

    fn var(terms: &Terms, name: &str) -> Var {
        terms.find_var(name).unwrap()
    }

    fn term(terms: &mut Terms, name: &str) -> Term {
        let var = var(terms, name);
        terms.var(var)
    }

    fn call(terms: &mut Terms, callee: usize, args: &[&str], results: &[&str]) -> Op {
        let args = args.iter().map(|name| term(terms, name)).collect();
        let results = results.iter().map(|name| var(terms, name)).collect();
        Op::Call { callee: ProcId::new(callee), args, results }
    }

    #[test]
    fn the_program_is_valid() {
        check(|_, _| (), "valid");
    }

    #[test]
    fn a_procedure_may_return_at_once() {
        check(
            |_, program| {
                program.procs[1].edges.clear();
                program.procs[1].exit = program.procs[1].entry;
            },
            "valid",
        );
    }

    #[test]
    fn main_exists() {
        check(|_, program| program.main = ProcId::new(2), "the program: main is procedure 2, but there are 2");
    }

    #[test]
    fn globals_are_distinct() {
        check(
            |_, program| program.globals.extend_from_within(..),
            "the program: variable g is listed twice in the program",
        );
    }

    #[test]
    fn variables_belong_to_one_procedure() {
        check(
            |terms, program| program.procs[1].locals.push(var(terms, "main::x")),
            "procedure 1: variable main::x is listed twice in the program",
        );
    }

    #[test]
    fn parameters_results_and_locals_are_distinct() {
        check(
            |terms, program| program.procs[1].results.push(var(terms, "f::p")),
            "procedure 1: variable f::p is listed twice in the program",
        );
    }

    #[test]
    fn entries_exist() {
        check(
            |_, program| program.procs[0].entry = Loc::new(9),
            "procedure 0: its entry is location 9, but there are 7",
        );
    }

    #[test]
    fn exits_belong_to_one_procedure() {
        check(
            |_, program| program.procs[1].exit = Loc::new(1),
            "procedure 1: its exit, location 1, belongs to procedure main as well",
        );
    }

    #[test]
    fn edges_start_at_locations_that_exist() {
        check(
            |_, program| program.procs[0].edges[1].from = Loc::new(7),
            "edge 1 of procedure 0: its start is location 7, but there are 7",
        );
    }

    #[test]
    fn edges_stay_in_their_procedure() {
        check(
            |_, program| program.procs[1].edges[0].to = Loc::new(4),
            "edge 0 of procedure 1: its target, location 4, belongs to procedure main as well",
        );
    }

    #[test]
    fn no_edge_leaves_an_exit() {
        check(
            |_, program| program.procs[1].edges[0].from = program.procs[1].exit,
            "edge 0 of procedure 1: it leaves the exit of procedure f",
        );
    }

    #[test]
    fn terms_belong_to_the_arena() {
        check_op(
            0,
            |terms| {
                let mut other = terms.clone();
                let fresh = other.declare("fresh", Sort::Bool);
                Op::Assume(other.var(fresh))
            },
            "edge 0 of procedure 0: it has term 4, but there are 4",
        );
    }

    #[test]
    fn terms_mention_only_variables_in_scope() {
        check_op(
            0,
            |terms| {
                let (mine, other) = (term(terms, "main::x"), term(terms, "f::l"));
                Op::Assume(terms.and(&[mine, other]))
            },
            "edge 0 of procedure 0: it mentions f::l, which is not in scope",
        );
    }

    #[test]
    fn assumptions_are_formulas() {
        check_op(
            0,
            |terms| Op::Assume(term(terms, "main::n")),
            "edge 0 of procedure 0: the assumption is not a formula but has sort (_ BitVec 8)",
        );
    }

    #[test]
    fn assigned_values_have_the_sort_of_the_variable() {
        check_op(
            1,
            |terms| Op::Assign(vec![(var(terms, "main::n"), term(terms, "g"))]),
            "edge 1 of procedure 0: main::n has sort (_ BitVec 8), but is assigned a value of sort Bool",
        );
    }

    #[test]
    fn no_variable_is_assigned_twice() {
        check_op(
            1,
            |terms| {
                let (x, value) = (var(terms, "main::x"), term(terms, "g"));
                Op::Assign(vec![(x, value), (x, value)])
            },
            "edge 1 of procedure 0: it assigns main::x twice",
        );
    }

    #[test]
    fn assigned_variables_are_in_scope() {
        check_op(
            1,
            |terms| Op::Assign(vec![(var(terms, "f::p"), term(terms, "g"))]),
            "edge 1 of procedure 0: it assigns f::p, which is not in scope",
        );
    }

    #[test]
    fn no_variable_is_havoced_twice() {
        check_op(
            2,
            |terms| Op::Havoc(vec![var(terms, "g"), var(terms, "g")]),
            "edge 2 of procedure 0: it havocs g twice",
        );
    }

    #[test]
    fn havoced_variables_are_in_scope() {
        check_op(
            2,
            |terms| Op::Havoc(vec![terms.declare("fresh", Sort::Bool)]),
            "edge 2 of procedure 0: it havocs fresh, which is not in scope",
        );
    }

    #[test]
    fn called_procedures_exist() {
        check_op(
            3,
            |terms| call(terms, 2, &["g"], &["main::x"]),
            "edge 3 of procedure 0: it calls procedure 2, but there are 2",
        );
    }

    #[test]
    fn calls_have_an_argument_per_parameter() {
        check_op(
            3,
            |terms| call(terms, 1, &["g", "g"], &["main::x"]),
            "edge 3 of procedure 0: f takes 1 arguments, not 2",
        );
    }

    #[test]
    fn calls_take_every_result() {
        check_op(3, |terms| call(terms, 1, &["g"], &[]), "edge 3 of procedure 0: f returns 1 results, not 0");
    }

    #[test]
    fn arguments_have_the_sort_of_the_parameter() {
        check_op(
            3,
            |terms| call(terms, 1, &["main::n"], &["main::x"]),
            "edge 3 of procedure 0: f::p has sort Bool, but is passed a value of sort (_ BitVec 8)",
        );
    }

    #[test]
    fn arguments_mention_only_the_callers_variables() {
        check_op(
            3,
            |terms| call(terms, 1, &["f::p"], &["main::x"]),
            "edge 3 of procedure 0: it mentions f::p, which is not in scope",
        );
    }

    #[test]
    fn results_have_the_sort_of_the_variable_that_takes_them() {
        check_op(
            3,
            |terms| call(terms, 1, &["g"], &["main::n"]),
            "edge 3 of procedure 0: main::n has sort (_ BitVec 8), but takes a result of sort Bool",
        );
    }

    #[test]
    fn results_are_taken_by_variables_in_scope() {
        check_op(
            3,
            |terms| call(terms, 1, &["g"], &["f::r"]),
            "edge 3 of procedure 0: it writes f::r, which is not in scope",
        );
    }

    #[test]
    fn no_variable_takes_two_results() {
        check(
            |terms, program| {
                let more = terms.declare("f::s", Sort::Bool);
                program.procs[1].results.push(more);
                program.procs[0].edges[3].op = call(terms, 1, &["g"], &["g", "g"]);
            },
            "edge 3 of procedure 0: it writes g twice",
        );
    }

    #[test]
    fn properties_name_locations_that_exist() {
        check(
            |_, program| program.errors[0].locs.push(Loc::new(7)),
            "property 0: it names location 7, but there are 7",
        );
    }

    #[test]
    fn properties_have_names() {
        check(|_, program| program.errors[0].name.clear(), "property 0: it has no name");
    }

    #[test]
    fn properties_have_different_names() {
        check(|_, program| program.errors.extend_from_within(..), "property 1: another property is called reach too");
    }

    #[test]
    fn the_default_property_exists() {
        check(
            |_, program| program.default = Some(PropertyId::new(1)),
            "the program: the default is property 1, but there are 1",
        );
    }
}
