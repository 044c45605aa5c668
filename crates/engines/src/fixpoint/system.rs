//! A program as guarded commands `g(X) ∧ x1' = e1(X) ∧ … ∧ xm' = em(X)` (section 2, (1)). The location is
//! the program counter, a variable like the others.
//!
//! A command is an edge of the program, or a guard and the assignment behind it. Where all that happens at
//! the entry is a choice of initial states, these conditions are init; where all that happens before an
//! error is a test, these tests are unsafe. So the commands of a front end come back as they were written.

use super::formula::{Conj, Equalities, Formula};
use std::collections::{BTreeMap, BTreeSet};
use tamis_ir::{EdgeId, Loc, Op, Program, PropertyId};
use tamis_term::{Sort, Substitution, Term, Terms, Value, Var};

/// The number of a command.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct CommandId(pub(super) usize);

/// A guarded command.
#[derive(Clone, Debug)]
pub(super) struct Command {
    pub from: Loc,
    pub to: Loc,
    /// When it can be carried out.
    pub guard: Term,
    /// The same as a formula.
    pub ways: Formula,
    /// The values of what it writes.
    pub values: Substitution,
    /// What is chosen on it: the edge and the variable that get each input's value.
    pub inputs: Vec<((EdgeId, Var), Var)>,
    /// The edges of the program that it stands for.
    pub edges: Vec<EdgeId>,
}

/// A program as guarded commands.
#[derive(Debug)]
pub(super) struct System<'p> {
    pub program: &'p Program,
    pub commands: Vec<Command>,
    /// The locations that are values of the program counter.
    pub locs: Vec<Loc>,
    /// The locations between the parts of a command.
    pub between: BTreeSet<Loc>,
    /// Locations at which a run is at an error.
    pub errors: BTreeSet<Loc>,
    /// The program counter.
    pub pc: Var,
    /// All variables, without the program counter.
    pub vars: BTreeSet<Var>,
    pub init: Formula,
    pub unsafe_states: Formula,
    /// What leads to the initial states, if they are not simply at the entry.
    pub starts: Vec<Command>,
    /// What leads from unsafe states to errors.
    pub ends: Vec<Command>,
    pub equalities: Equalities,
}

impl<'p> System<'p> {
    /// The commands of a program.
    ///
    /// # Errors
    /// If there are calls, says so as a phrase.
    pub(super) fn new(
        terms: &mut Terms,
        program: &'p Program,
        property: PropertyId,
        equalities: Equalities,
    ) -> Result<System<'p>, String> {
        let reader = Reader::new(terms, program, property)?;
        let kept = reader.kept();
        let entry = program.proc(program.main).entry;
        let mut commands = Vec::new();
        for loc in &kept {
            for id in reader.out(*loc) {
                commands.push(reader.command(terms, *id, equalities)?);
            }
        }
        let is_plain = |command: &Command| command.values.pairs().is_empty() && command.inputs.is_empty();
        let at_entry = |command: &Command| command.from == entry;
        let begins = !reader.errors.contains(&entry)
            && reader.arrivals(entry) == 0
            && commands.iter().filter(|command| at_entry(command)).all(is_plain)
            && !commands.iter().any(|command| at_entry(command) && reader.errors.contains(&command.to));
        let (starts, commands): (Vec<Command>, Vec<Command>) =
            commands.into_iter().partition(|command| begins && at_entry(command));
        // What is chosen or computed in front of an error does not matter, but what is tested of it does.
        let (ends, commands): (Vec<Command>, Vec<Command>) =
            commands.into_iter().partition(|command| reader.errors.contains(&command.to) && command.inputs.is_empty());
        let mut locs: Vec<Loc> = kept.into_iter().filter(|loc| !(begins && *loc == entry)).collect();
        let reached = |loc: &Loc| *loc == entry || commands.iter().any(|command| command.to == *loc);
        locs.retain(|loc| !reader.errors.contains(loc) || reached(loc));
        let bits = usize::BITS - locs.len().saturating_sub(1).leading_zeros();
        let pc = terms.declare("pc", Sort::BitVec(bits.max(1)));
        let vars = program.vars().collect();
        let mut system = System {
            program,
            commands,
            locs,
            between: reader.between(),
            errors: reader.errors.clone(),
            pc,
            vars,
            init: Formula::default(),
            unsafe_states: Formula::default(),
            starts,
            ends,
            equalities,
        };
        let mut init: Vec<Conj> = Vec::new();
        if !begins {
            init.push(Conj::from([system.at(terms, entry)]));
        }
        for start in &system.starts {
            let here = system.at(terms, start.to);
            init.extend(start.ways.disjuncts.iter().map(|way| with(way, here)));
        }
        let mut bad: Vec<Conj> = Vec::new();
        for end in &system.ends {
            let here = system.at(terms, end.from);
            bad.extend(end.ways.disjuncts.iter().map(|way| with(way, here)));
        }
        for loc in system.locs.clone() {
            if system.errors.contains(&loc) {
                bad.push(Conj::from([system.at(terms, loc)]));
            }
        }
        system.init = Formula { disjuncts: init.into_iter().collect() };
        system.unsafe_states = Formula { disjuncts: bad.into_iter().collect() };
        Ok(system)
    }

    /// The value of the program counter at a location.
    pub(super) fn place(&self, terms: &mut Terms, loc: Loc) -> Term {
        let number = self.locs.iter().position(|other| *other == loc).expect("the location is one of a command");
        let value = Value::bv(
            terms.var_sort(self.pc).bits().and_then(|bits| u32::try_from(bits).ok()).unwrap_or(1),
            number as u64,
        );
        terms.constant(value)
    }

    /// That control is at a location.
    pub(super) fn at(&self, terms: &mut Terms, loc: Loc) -> Term {
        let (pc, place) = (terms.var(self.pc), self.place(terms, loc));
        terms.eq(pc, place)
    }

    /// The values after a command, the program counter's among them.
    pub(super) fn after(&self, terms: &mut Terms, command: &Command) -> Substitution {
        let mut values = command.values.clone();
        values.insert(self.pc, self.place(terms, command.to));
        values
    }

    /// Whether an atom speaks about the program counter, and nothing else.
    pub(super) fn is_control(&self, terms: &Terms, atom: Term) -> bool {
        terms.free_vars(&[atom]).into_iter().eq([self.pc])
    }

    /// The variable of that name, the program counter among them.
    pub(super) fn named(&self, terms: &Terms, name: &str) -> Option<Var> {
        if name == "pc" {
            return Some(self.pc);
        }
        let own = |var: &&Var| terms.name(**var) == name || terms.name(**var).rsplit("::").next() == Some(name);
        self.vars.iter().find(own).copied()
    }

    pub(super) fn command(&self, id: CommandId) -> &Command {
        &self.commands[id.0]
    }

    pub(super) fn ids(&self) -> impl Iterator<Item = CommandId> + use<> {
        (0..self.commands.len()).map(CommandId)
    }

    /// How a location is called.
    pub(super) fn name(&self, loc: Loc) -> String {
        let label = self.program.locs[loc.index()].label.clone();
        label.unwrap_or_else(|| format!("location {}", loc.index()))
    }
}

fn with(conj: &Conj, atom: Term) -> Conj {
    let mut conj = conj.clone();
    conj.insert(atom);
    conj
}

/// The edges that can be reached.
struct Reader<'p> {
    program: &'p Program,
    errors: BTreeSet<Loc>,
    out: BTreeMap<Loc, Vec<EdgeId>>,
    into: BTreeMap<Loc, Vec<EdgeId>>,
}

impl<'p> Reader<'p> {
    fn new(terms: &Terms, program: &'p Program, property: PropertyId) -> Result<Reader<'p>, String> {
        let errors: BTreeSet<Loc> = program.property(property).locs.iter().copied().collect();
        let main = program.proc(program.main);
        if main.edges.iter().any(|edge| matches!(edge.op, Op::Call { .. })) {
            return Err("the program calls procedures, which were not copied to their calls".into());
        }
        let mut all: BTreeMap<Loc, Vec<EdgeId>> = BTreeMap::new();
        for (index, edge) in (0..).zip(&main.edges) {
            let never = matches!(edge.op, Op::Assume(condition) if terms.is_false(condition));
            if !never && !errors.contains(&edge.from) {
                all.entry(edge.from).or_default().push(EdgeId { proc: program.main, index });
            }
        }
        let mut reader = Reader { program, errors, out: BTreeMap::new(), into: BTreeMap::new() };
        let (mut seen, mut waiting) = (BTreeSet::from([main.entry]), vec![main.entry]);
        while let Some(loc) = waiting.pop() {
            let edges = all.remove(&loc).unwrap_or_default();
            for id in &edges {
                let to = program.edge(*id).to;
                reader.into.entry(to).or_default().push(*id);
                if seen.insert(to) {
                    waiting.push(to);
                }
            }
            reader.out.insert(loc, edges);
        }
        Ok(reader)
    }

    fn out(&self, loc: Loc) -> &[EdgeId] {
        self.out.get(&loc).map_or(&[], Vec::as_slice)
    }

    fn arrivals(&self, loc: Loc) -> usize {
        self.into.get(&loc).map_or(0, Vec::len)
    }

    /// Whether a location lies between a guard and what follows it.
    fn is_between(&self, loc: Loc) -> bool {
        let plain = self.program.locs[loc.index()].label.is_none() && loc != self.program.proc(self.program.main).entry;
        let guarded = |id: &EdgeId| matches!(self.program.edge(*id).op, Op::Assume(_));
        let into = self.into.get(&loc).map_or(&[][..], Vec::as_slice);
        plain
            && !self.errors.contains(&loc)
            && matches!(into, [only] if guarded(only) && self.program.edge(*only).from != loc)
            && matches!(self.out(loc), [_])
    }

    fn kept(&self) -> BTreeSet<Loc> {
        self.out.keys().copied().filter(|loc| !self.is_between(*loc)).collect()
    }

    fn between(&self) -> BTreeSet<Loc> {
        self.out.keys().copied().filter(|loc| self.is_between(*loc)).collect()
    }

    /// The command that begins with an edge.
    fn command(&self, terms: &mut Terms, first: EdgeId, equalities: Equalities) -> Result<Command, String> {
        let (mut guards, mut values): (Vec<Term>, Substitution) = (Vec::new(), Substitution::default());
        let (mut inputs, mut edges, mut next) = (Vec::new(), Vec::new(), Some(first));
        let mut to = self.program.edge(first).to;
        while let Some(id) = next {
            let edge = self.program.edge(id);
            match &edge.op {
                Op::Assume(condition) => guards.push(terms.substitute(*condition, &values)),
                Op::Assign(pairs) => {
                    let (vars, rhs): (Vec<Var>, Vec<Term>) = pairs.iter().copied().unzip();
                    let rhs = terms.substitute_all(&rhs, &values);
                    values.extend(vars.into_iter().zip(rhs));
                }
                Op::Havoc(vars) => {
                    for var in vars {
                        let (name, sort) = (terms.name(*var).to_owned(), terms.var_sort(*var).clone());
                        let input = terms.declare(&name, sort);
                        values.insert(*var, terms.var(input));
                        inputs.push(((id, *var), input));
                    }
                }
                Op::Call { .. } => return Err("calls are no commands".into()),
            }
            edges.push(id);
            to = edge.to;
            next = if self.is_between(to) { self.out(to).first().copied() } else { None };
        }
        let guard = terms.and(&guards);
        let ways = Formula::of(terms, guard, equalities);
        let from = self.program.edge(first).from;
        Ok(Command { from, to, guard, ways, values, inputs, edges })
    }
}
