//! The outside functions of a program, with the results that a trace chose.

use std::collections::BTreeMap;
use tamis_ir::{Action, EdgeId, Input, Notation, Op, Program, Trace};
use tamis_term::{BitVec, Value};

/// Functions of the system that return any number, within limits that the program's model has. They
/// are known by what the source says, because they are no inputs that the user declares.
const SYSTEM: &[(&str, &str)] =
    &[("rand", "int"), ("random", "long"), ("getchar", "int"), ("fgetc", "int"), ("getc", "int")];

/// The outside function whose result is chosen on an edge.
pub(super) fn input(program: &Program, edge: EdgeId) -> Option<Input> {
    if let Some(input) = program.notes.inputs.get(&edge) {
        return Some(input.clone());
    }
    let found = program.edge(edge);
    let single = matches!(&found.op, Op::Havoc(vars) if vars.len() == 1);
    let (name, rest) = program.sources.text(found.span).filter(|_| single)?.split_once('(')?;
    let (function, result) = SYSTEM.iter().find(|(function, _)| *function == name.trim_end())?;
    // More than the call would be another expression.
    let whole = rest.matches(')').count() == 1 && rest.trim_end().ends_with(')');
    let unmarked = !program.notes.approximations.contains_key(&edge);
    (whole && unmarked).then(|| Input { function: (*function).to_owned(), result: (*result).to_owned() })
}

/// An outside function of the program.
pub(super) struct Outside<'p> {
    /// Files may declare it with different results: this is the widest that the trace chose.
    input: Input,
    /// The results that the trace chose, in order, and how they are written.
    values: Vec<(&'p Value, Option<&'p Notation>)>,
    /// Whether every call of it is an input of the trace.
    counted: bool,
}

/// The outside functions of the program, by name. Those that the trace does not call have to be
/// there for the linker.
pub(super) fn outside<'p>(program: &'p Program, trace: &'p Trace) -> BTreeMap<String, Outside<'p>> {
    let mut found: BTreeMap<String, Outside<'p>> = BTreeMap::new();
    let inputs = program.notes.inputs.values().map(|input| (input, true));
    for (input, counted) in inputs.chain(program.notes.outside.iter().map(|input| (input, false))) {
        let outside = || Outside { input: input.clone(), values: Vec::new(), counted };
        found.entry(input.function.clone()).or_insert_with(outside);
    }
    for step in &trace.steps {
        if let Action::Take { edge, inputs } = &step.action
            && let (Some(input), Some(value)) = (input(program, *edge), inputs.first())
        {
            let notation = match &program.edge(*edge).op {
                Op::Havoc(vars) => vars.first().and_then(|var| program.notes.notation.get(var)),
                Op::Assume(_) | Op::Assign(_) | Op::Call { .. } => None,
            };
            let new = || Outside { input: input.clone(), values: Vec::new(), counted: true };
            let outside = found.entry(input.function.clone()).or_insert_with(new);
            if outside.values.iter().all(|(other, _)| width(other) < width(value)) {
                outside.input = input;
            }
            outside.values.push((value, notation));
        }
    }
    for name in absent(program, trace) {
        found.remove(name);
    }
    found
}

/// The weak symbols without which the trace starts: nobody must define them.
pub(super) fn absent<'p>(program: &'p Program, trace: &Trace) -> Vec<&'p str> {
    let unlinked = trace.start.iter().filter(|(_, linked)| *linked == Value::Bool(false));
    unlinked.filter_map(|(var, _)| program.notes.weak.get(var)).map(String::as_str).collect()
}

/// How a type's values get from a table to a result.
enum Passing {
    /// By a conversion.
    Converted,
    /// A pointer: a number of the same size first.
    Pointer,
    /// Bit by bit.
    Copied,
    /// There is none: the type is not one that can be named here.
    Impossible,
}

fn passing(result: &str) -> Passing {
    match result {
        "float" | "double" => Passing::Copied,
        _ if result.contains(['(', '[', '{']) => Passing::Impossible,
        _ if result.ends_with('*') => Passing::Pointer,
        _ if result.split_whitespace().any(|word| matches!(word, "struct" | "union" | "void")) => Passing::Impossible,
        _ => Passing::Converted,
    }
}

impl Outside<'_> {
    /// Whether its result is of a type that only the program can name.
    pub(super) fn is_record(&self) -> bool {
        matches!(passing(&self.input.result), Passing::Impossible) && self.input.result != "void"
    }

    /// How often the trace calls it.
    pub(super) fn count(&self) -> usize {
        self.values.len()
    }

    /// The function in C. After the last of the trace's results it returns zero.
    pub(super) fn definition(&self) -> String {
        let Input { function, result } = &self.input;
        let head = format!("{result} {function}(void)");
        let (table, values) = (self.table(), self.values.iter().map(literal).collect::<Vec<_>>());
        let taken = if self.counted { "    taken++;\n" } else { "" };
        let fetch = match passing(result) {
            Passing::Impossible if result == "void" => return format!("OURS {head} {{}}\n"),
            Passing::Impossible => return format!("/* To be defined by hand: {function} */\n"),
            _ if values.is_empty() => return format!("OURS {head} {{\n{taken}    return 0;\n}}\n"),
            Passing::Converted => format!("    return next < COUNT ? ({result})values[next++] : 0;\n"),
            Passing::Pointer => format!("    return next < COUNT ? ({result})(__UINTPTR_TYPE__)values[next++] : 0;\n"),
            Passing::Copied => format!(
                "    {result} chosen = 0;\n    if (next < COUNT)\n        __builtin_memcpy(&chosen, &values[next++], \
                 sizeof chosen);\n    return chosen;\n"
            ),
        };
        let count = values.len().to_string();
        let values = values.join(", ");
        format!(
            "OURS {head} {{\n    static const {table} values[] = {{{values}}};\n    static unsigned long next;\n{taken}{}}}\n",
            fetch.replace("COUNT", &count)
        )
    }

    /// The type of the table of results.
    fn table(&self) -> &'static str {
        match self.values.iter().map(|(value, _)| width(value)).max() {
            Some(65..) => "unsigned __int128",
            Some(0..=32) if matches!(passing(&self.input.result), Passing::Copied) => "unsigned int",
            Some(_) if self.values.iter().any(|(_, notation)| is_signed(*notation)) => "long long",
            Some(_) | None => "unsigned long long",
        }
    }
}

fn is_signed(notation: Option<&Notation>) -> bool {
    matches!(notation, Some(Notation::Signed | Notation::Character))
}

fn literal((value, notation): &(&Value, Option<&Notation>)) -> String {
    let bits = match value {
        Value::Bool(truth) => return u8::from(*truth).to_string(),
        Value::BitVec(bits) => bits,
        // Outside functions return scalars.
        Value::Int(_) | Value::Real(_) | Value::Array(_) => return "0".into(),
    };
    let low = |bits: &BitVec| bits.to_u64().unwrap_or(0);
    match bits.width() {
        65.. => {
            let (high, rest) = (bits.extract(bits.width() - 1, 64), bits.extract(63, 0));
            format!("(unsigned __int128){:#x}ULL << 64 | {:#x}ULL", low(&high), low(&rest))
        }
        64 if is_signed(*notation) && low(bits) == 1 << 63 => "-9223372036854775807LL - 1".into(),
        _ if is_signed(*notation) => format!("{}LL", bits.to_signed()),
        _ => format!("{}ULL", low(bits)),
    }
}

fn width(value: &Value) -> u32 {
    match value {
        Value::BitVec(bits) => bits.width(),
        Value::Bool(_) | Value::Int(_) | Value::Real(_) | Value::Array(_) => 1,
    }
}
