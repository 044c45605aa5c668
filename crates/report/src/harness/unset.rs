//! Values of variables that the program reads without having set them: local variables, and static
//! ones that are inputs. A copy of the program asks the harness for them: behind the declaration of
//! a local variable, and before main runs.
//!
//! A variable has its value since its function was called, or, where control may come to the
//! declaration again, since the declaration. Calls are counted, because a call may end before it
//! comes to the declaration.

use super::declarations::{Declaration, What, declarations, locals, typedefs};
use super::outside::input;
use super::plan::Additions;
use super::probes::Edit;
use super::{Case, Unit};
use crate::expr::is_hidden;
use crate::walk::inputs_that_matter;
use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;
use tamis_ir::{Action, EdgeId, Op, ProcId};
use tamis_term::{Sort, Value, Var};

/// A variable that is not set when it is read.
#[derive(Debug)]
pub(super) struct Unset {
    pub(super) var: Var,
    /// The function that declares it, if it is local.
    function: Option<String>,
    name: String,
    /// Whether it is a scalar. How the elements of an array lie in memory is a guess.
    pub(super) scalar: bool,
    /// How many bytes a cell has: the variable, or an element of it.
    cell: usize,
    moments: Moments,
    values: Vec<Image>,
}

/// When the variable gets its values.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Moments {
    /// Each time control comes to the declaration, or once, before main runs.
    InOrder,
    /// When the function is called that declares it.
    ByCall,
}

/// The bytes of a value: those of every cell, but for some.
#[derive(Debug)]
struct Image {
    rest: Vec<u8>,
    cells: Vec<(u64, Vec<u8>)>,
}

/// The most cells of a value that are told.
const MOST_CELLS: usize = 4096;

/// The largest count of values that are told.
const MOST_VALUES: usize = 1 << 16;

impl Image {
    fn new(value: &Value) -> Option<Image> {
        match value {
            Value::Bool(_) | Value::BitVec(_) => Some(Image { rest: bytes(value)?, cells: Vec::new() }),
            Value::Array(array) => {
                let cell = |(at, cell): (&Value, &Value)| Some((number(at)?, bytes(cell)?));
                let cells = array.cells().map(cell).collect::<Option<Vec<_>>>()?;
                (cells.len() <= MOST_CELLS).then_some(Image { rest: bytes(array.default())?, cells })
            }
            Value::Int(_) | Value::Real(_) => None,
        }
    }
}

fn number(value: &Value) -> Option<u64> {
    match value {
        Value::BitVec(bits) => bits.to_u64(),
        Value::Bool(_) | Value::Int(_) | Value::Real(_) | Value::Array(_) => None,
    }
}

/// The bytes of a scalar, the lowest first. A truth value takes one.
fn bytes(value: &Value) -> Option<Vec<u8>> {
    match value {
        Value::Bool(truth) => Some(vec![u8::from(*truth)]),
        Value::BitVec(bits) => {
            let width = bits.width().max(8);
            let mut bytes = bits.to_big().to_bytes_le();
            bytes.resize(usize::try_from(width / 8).ok()?, 0);
            (bits.width() == 1 || width % 8 == 0).then_some(bytes)
        }
        Value::Int(_) | Value::Real(_) | Value::Array(_) => None,
    }
}

/// The variables that matter in a run although nothing sets them, as far as they are ordinary: of a
/// name that is theirs alone.
pub(super) fn unset(case: &Case<'_>) -> Vec<Unset> {
    let Case { terms, program, trace, .. } = *case;
    let matter: BTreeSet<Var> = inputs_that_matter(terms, program, trace).into_iter().map(|(_, var)| var).collect();
    let is_delivered = |edge: &EdgeId| input(program, *edge).is_some();
    // Where control may come to a declaration again, it is a havoc of its own.
    let mut again: BTreeMap<Var, Vec<&Value>> = BTreeMap::new();
    for (edge, found) in program.edges().filter(|(edge, _)| !is_delivered(edge)) {
        if let Op::Havoc(vars) = &found.op
            && !program.notes.approximations.contains_key(&edge)
        {
            again.extend(vars.iter().map(|var| (*var, Vec::new())));
        }
    }
    let mut entered: BTreeMap<ProcId, Vec<Vec<&Value>>> = BTreeMap::new();
    let own = trace.start[program.globals.len()..].iter().map(|(_, value)| value);
    let params = program.proc(program.main).params.len();
    entered.insert(program.main, vec![own.skip(params).collect()]);
    for step in &trace.steps {
        let Action::Take { edge, inputs } = &step.action else { continue };
        match &program.edge(*edge).op {
            Op::Havoc(vars) if !is_delivered(edge) => {
                for (var, value) in vars.iter().zip(inputs) {
                    again.entry(*var).and_modify(|values| values.push(value));
                }
            }
            Op::Call { callee, .. } => entered.entry(*callee).or_default().push(inputs.iter().collect()),
            Op::Havoc(_) | Op::Assume(_) | Op::Assign(_) => {}
        }
    }
    let mut found = Vec::new();
    let mut add = |var: Var, moments: Moments, values: &[&Value]| {
        found.extend(ordinary(case, var, moments, values));
    };
    for (var, value) in &trace.start[..program.globals.len()] {
        if matter.contains(var) && !again.contains_key(var) && !terms.name(*var).contains("::") {
            add(*var, Moments::InOrder, &[value]);
        }
    }
    for (var, values) in &again {
        if !values.is_empty() && terms.name(*var).contains("::") {
            add(*var, Moments::InOrder, values);
        }
    }
    for (proc, calls) in &entered {
        for (at, var) in program.proc(*proc).inputs().enumerate() {
            if matter.contains(var) && !again.contains_key(var) {
                let values: Vec<&Value> = calls.iter().filter_map(|call| call.get(at).copied()).collect();
                add(*var, Moments::ByCall, &values);
            }
        }
    }
    found
}

/// The variable, if it is an ordinary one.
fn ordinary(case: &Case<'_>, var: Var, moments: Moments, values: &[&Value]) -> Option<Unset> {
    let full = case.terms.name(var);
    let (function, name) = match full.split_once("::") {
        Some((function, name)) => (Some(function.to_owned()), name),
        None => (None, full),
    };
    let is_plain = name.chars().all(|c| c.is_alphanumeric() || c == '_');
    if is_hidden(full) || !is_plain || values.len() > MOST_VALUES {
        return None;
    }
    let values = values.iter().map(|value| Image::new(value)).collect::<Option<Vec<Image>>>()?;
    let cell = values.first()?.rest.len();
    let scalar = matches!(case.terms.var_sort(var), Sort::Bool | Sort::BitVec(_));
    Some(Unset { var, function, name: name.to_owned(), scalar, cell, moments, values })
}

impl Unset {
    /// Which unit asks the harness for its values, and how; none if its declaration is not found,
    /// or found twice.
    pub(super) fn place(&self, number: usize, units: &[Unit]) -> Option<(usize, Additions)> {
        let mut all = units.iter().enumerate().filter_map(|(at, unit)| Some((at, self.additions(number, unit)?)));
        all.next().filter(|_| all.next().is_none())
    }

    fn additions(&self, number: usize, unit: &Unit) -> Option<Additions> {
        let name = self.name.as_str();
        let ask = |call: &str| {
            format!(
                "{{ void tamis_unset_{number}(void *, unsigned long, long); \
                 tamis_unset_{number}((void *)&{name}, sizeof {name}, {call}); }}"
            )
        };
        let Some(function) = &self.function else {
            // A constant is where nobody can write to.
            let declares = |found: &Declaration<'_>| {
                found.declared().contains(&(name, What::Object)) && (!found.has("const") || found.has("*"))
            };
            let start = format!("__attribute__((constructor)) static void tamis_start_{number}(void) {}\n", ask("-1"));
            let found = declarations(&unit.preprocessed).iter().any(declares);
            return found.then(|| Additions { edits: Vec::new(), appendix: start });
        };
        let defines = |found: &&Declaration<'_>| {
            found.body.is_some() && found.declared().contains(&(function.as_str(), What::Function))
        };
        let body = declarations(&unit.text).iter().find(defines)?.body?;
        let mut places = locals(&unit.text[body..], name, &typedefs(&unit.preprocessed)).into_iter();
        let at = body + places.next().filter(|_| places.next().is_none())?;
        let call = format!("tamis_call_{number}");
        let edits = match self.moments {
            Moments::InOrder => vec![Edit { at, text: format!(" {}", ask("-1")) }],
            Moments::ByCall => {
                let count = format!(" long tamis_enter_{number}(void), {call} = tamis_enter_{number}();");
                vec![Edit { at: body, text: count }, Edit { at, text: format!(" {}", ask(&call)) }]
            }
        };
        Some(Additions { edits, appendix: String::new() })
    }

    /// The functions of the harness that give its values.
    pub(super) fn definition(&self, number: usize) -> String {
        let list = |bytes: &[u8]| bytes.iter().map(ToString::to_string).collect::<Vec<_>>().join(", ");
        let (mut values, mut cells, mut count) = (Vec::new(), Vec::new(), 0);
        for value in &self.values {
            values.push(format!("{{{count}, {}, {{{}}}}}", value.cells.len(), list(&value.rest)));
            count += value.cells.len();
            cells.extend(value.cells.iter().map(|(at, cell)| format!("{{{at}, {{{}}}}}", list(cell))));
        }
        // A table has at least one row.
        cells.push("{0}".to_owned());
        let mut text = format!("/* What {} holds before it is set. */\n", self.name);
        if self.moments == Moments::ByCall {
            let _ = writeln!(text, "OURS long tamis_enter_{number}(void) {{\n    static long calls;");
            let _ = writeln!(text, "    return calls++;\n}}");
        }
        let _ = writeln!(text, "OURS void tamis_unset_{number}(void *object, unsigned long size, long call) {{");
        let _ = writeln!(text, "    static const struct value values[] = {{{}}};", values.join(", "));
        let _ = writeln!(text, "    static const struct cell cells[] = {{{}}};", cells.join(", "));
        let _ = writeln!(text, "    static long next;\n    call = call < 0 ? next++ : call;");
        let _ = writeln!(text, "    if (call < {})", self.values.len());
        let _ = writeln!(text, "        fill(object, size, {}, &values[call], cells);\n}}", self.cell);
        text
    }
}
