//! The primality test of figure 6.11 as a Java compiler leaves it, and a translation of such
//! bytecode into Remopla (in the manner of jMoped, Suwimonteerabuth, Schwoon, Esparza 2005).
//!
//! The operand stack has a known depth at every instruction of valid code, so its cell number
//! `k` becomes a variable `t_k` and nothing is shifted. Integers block on overflow as Remopla's
//! do. What is outside the program (strings, printing) returns any value.

use std::collections::BTreeMap;
use std::fmt::Write as _;

/// An instruction.
#[derive(Clone, Copy, Debug)]
enum Op {
    /// `iconst_n`, `bipush`.
    Const(u32),
    /// The same with a number that the program's size decides.
    Size(&'static str),
    /// `iload`, `aload`.
    Load(usize),
    /// `istore`, `astore`.
    Store(usize),
    /// `iinc` by one.
    Increment(usize),
    /// `iadd` and the like, as a sign of Remopla.
    Binary(&'static str),
    /// `irem`, which Remopla does not have.
    Remainder,
    /// `dup`.
    Duplicate,
    /// `ifeq` and the like: a comparison with zero, and where to go.
    IfZero(&'static str, u32),
    /// `if_icmpeq` and the like.
    IfCompare(&'static str, u32),
    /// `goto`.
    Goto(u32),
    /// `invokestatic` of a method of the program.
    Call(&'static str, usize),
    /// Whatever is outside the program: takes operands, leaves some.
    Outside { takes: usize, leaves: usize },
    /// `athrow` of an `AssertionError`.
    Throw,
    /// `ireturn`.
    ReturnValue,
    /// `return`.
    Return,
}

/// A method: its instructions by offset.
struct Method {
    name: &'static str,
    params: usize,
    locals: usize,
    code: &'static [(u32, Op)],
}

use Op::{
    Binary, Call, Const, Duplicate, Goto, IfCompare, IfZero, Increment, Load, Outside, Remainder, Return, ReturnValue,
    Size, Store, Throw,
};

/// The class, as compiled. Offset 0 of `witness` reads whether assertions are disabled: no.
const CLASS: &[Method] = &[
    Method {
        name: "witness",
        params: 3,
        locals: 5,
        code: &[
            (0, Const(0)),
            (3, IfZero("!=", 18)),
            (6, Load(2)),
            (7, IfZero("!=", 18)),
            (10, Outside { takes: 0, leaves: 1 }),
            (13, Duplicate),
            (14, Outside { takes: 1, leaves: 0 }),
            (17, Throw),
            (18, Load(1)),
            (19, IfZero("!=", 24)),
            (22, Const(1)),
            (23, ReturnValue),
            (24, Load(0)),
            (25, Load(1)),
            (26, Const(2)),
            (27, Binary("/")),
            (28, Load(2)),
            (29, Call("witness", 3)),
            (32, Store(3)),
            (33, Load(3)),
            (34, IfZero("!=", 39)),
            (37, Const(0)),
            (38, ReturnValue),
            (39, Load(3)),
            (40, Load(3)),
            (41, Binary("*")),
            (42, Load(2)),
            (43, Remainder),
            (44, Store(4)),
            (46, Load(4)),
            (48, Const(1)),
            (49, IfCompare("!=", 66)),
            (52, Load(3)),
            (53, Const(1)),
            (54, IfCompare("==", 66)),
            (57, Load(3)),
            (58, Load(2)),
            (59, Const(1)),
            (60, Binary("-")),
            (61, IfCompare("==", 66)),
            (64, Const(0)),
            (65, ReturnValue),
            (66, Load(1)),
            (67, Const(2)),
            (68, Remainder),
            (69, IfZero("==", 80)),
            (72, Load(0)),
            (73, Load(4)),
            (75, Binary("*")),
            (76, Load(2)),
            (77, Remainder),
            (78, Store(4)),
            (80, Load(4)),
            (82, ReturnValue),
        ],
    },
    Method {
        name: "isPrime",
        params: 1,
        locals: 3,
        code: &[
            (0, Const(0)),
            (1, Store(1)),
            (2, Load(1)),
            (3, Size("TRIALS")),
            (4, IfCompare(">=", 38)),
            (7, Outside { takes: 0, leaves: 1 }),
            (10, Duplicate),
            (11, Outside { takes: 1, leaves: 0 }),
            (14, Store(2)),
            (15, Load(2)),
            (16, Outside { takes: 1, leaves: 1 }),
            (19, Load(0)),
            (20, Const(1)),
            (21, Binary("-")),
            (22, Load(0)),
            (23, Call("witness", 3)),
            (26, Const(1)),
            (27, IfCompare("==", 32)),
            (30, Const(0)),
            (31, ReturnValue),
            (32, Increment(1)),
            (35, Goto(2)),
            (38, Const(1)),
            (39, ReturnValue),
        ],
    },
    Method {
        name: "main",
        params: 0,
        locals: 2,
        code: &[
            (0, Const(3)),
            (1, Store(1)),
            (2, Load(1)),
            (3, Size("END")),
            (5, IfCompare(">=", 33)),
            (8, Load(1)),
            (9, Call("isPrime", 1)),
            (12, IfZero("==", 27)),
            (15, Outside { takes: 0, leaves: 1 }),
            (18, Load(1)),
            (19, Outside { takes: 1, leaves: 1 }),
            (24, Outside { takes: 2, leaves: 0 }),
            (27, Increment(1)),
            (30, Goto(2)),
            (33, Return),
        ],
    },
];

/// The class as Remopla, with integers of the given width, testing the numbers up to `last`.
#[must_use]
pub fn primality(bits: u32, trials: u32, last: u32) -> String {
    let end = last + 1;
    let mut text = format!("define DEFAULT_INT_BITS {bits}\ndefine TRIALS {trials}\ndefine END {end}\n");
    for method in CLASS.iter().filter(|method| method.name != "main") {
        line(&mut text, &format!("{};", head(method)));
    }
    line(&mut text, "init main;");
    for method in CLASS {
        Translation { method, text: &mut text }.write();
    }
    text
}

fn line(text: &mut String, content: &str) {
    text.push_str(content);
    text.push('\n');
}

fn returns(method: &Method) -> bool {
    method.code.iter().any(|(_, op)| matches!(op, ReturnValue))
}

fn head(method: &Method) -> String {
    let params: Vec<String> = (0..method.params).map(|number| format!("int v{number}")).collect();
    let kind = if returns(method) { "int" } else { "void" };
    format!("module {kind} {}({})", method.name, params.join(", "))
}

struct Translation<'t> {
    method: &'t Method,
    text: &'t mut String,
}

impl Translation<'_> {
    fn write(&mut self) {
        let (depths, deepest) = depths(self.method);
        line(self.text, &format!("{} {{", head(self.method)));
        let locals = (self.method.params..self.method.locals).map(|number| format!("v{number}"));
        let cells = (0..deepest).map(|cell| format!("t{cell}"));
        let names: Vec<String> = locals.chain(cells).collect();
        line(self.text, &format!("  int {};", names.join(", ")));
        let targets: Vec<u32> = self.method.code.iter().filter_map(|(_, op)| target(*op)).collect();
        for (at, op) in self.method.code {
            let label = if targets.contains(at) { format!("l{at}: ") } else { String::new() };
            let statement = statement(*op, depths[at]);
            line(self.text, &format!("  {label}{statement}"));
        }
        if self.method.code.iter().any(|(_, op)| matches!(op, Throw)) {
            line(self.text, "  error: skip;");
            line(self.text, "  return 0;");
        }
        line(self.text, "}");
    }
}

/// Where an instruction may jump to.
fn target(op: Op) -> Option<u32> {
    match op {
        IfZero(_, to) | IfCompare(_, to) | Goto(to) => Some(to),
        Const(_)
        | Size(_)
        | Load(_)
        | Store(_)
        | Increment(_)
        | Binary(_)
        | Remainder
        | Duplicate
        | Call(..)
        | Outside { .. }
        | Throw
        | ReturnValue
        | Return => None,
    }
}

/// How many operands an instruction takes and leaves.
fn effect(op: Op) -> (usize, usize) {
    match op {
        Const(_) | Size(_) | Load(_) => (0, 1),
        Store(_) | IfZero(..) | Throw | ReturnValue => (1, 0),
        Increment(_) | Goto(_) | Return => (0, 0),
        Binary(_) | Remainder => (2, 1),
        Duplicate => (1, 2),
        IfCompare(..) => (2, 0),
        Call(_, args) => (args, 1),
        Outside { takes, leaves } => (takes, leaves),
    }
}

/// The depth of the operand stack at each instruction, and the largest.
fn depths(method: &Method) -> (BTreeMap<u32, usize>, usize) {
    let mut depths: BTreeMap<u32, usize> = BTreeMap::new();
    let (mut depth, mut deepest) = (0, 1);
    for (at, op) in method.code {
        // Behind a jump, the depth is the one with which others jump here.
        depth = *depths.entry(*at).or_insert(depth);
        let (takes, leaves) = effect(*op);
        depth = depth - takes + leaves;
        deepest = deepest.max(depth);
        if let Some(to) = target(*op) {
            depths.entry(to).or_insert(depth);
        }
        if matches!(op, Goto(_) | Throw | ReturnValue | Return) {
            depth = 0;
        }
    }
    (depths, deepest)
}

/// An instruction at the given depth as a statement.
fn statement(op: Op, depth: usize) -> String {
    let cell = |down: usize| format!("t{}", depth - down);
    let branch = |condition: String, to: u32| format!("if :: {condition} -> goto l{to}; :: else -> skip; fi");
    match op {
        Const(number) => format!("{} = {number};", cell(0)),
        Size(name) => format!("{} = {name};", cell(0)),
        Load(number) => format!("{} = v{number};", cell(0)),
        Store(number) => format!("v{number} = {};", cell(1)),
        Increment(number) => format!("v{number} = v{number} + 1;"),
        Binary(sign) => format!("{0} = {0} {sign} {1};", cell(2), cell(1)),
        Remainder => format!("{0} = {0} - ({0} / {1}) * {1};", cell(2), cell(1)),
        Duplicate => format!("{} = {};", cell(0), cell(1)),
        IfZero(sign, to) => branch(format!("{} {sign} 0", cell(1)), to),
        IfCompare(sign, to) => branch(format!("{} {sign} {}", cell(2), cell(1)), to),
        Goto(to) => format!("goto l{to};"),
        Call(name, args) => {
            let operands: Vec<String> = (1..=args).rev().map(cell).collect();
            format!("{} = {name}({});", cell(args), operands.join(", "))
        }
        Outside { takes, leaves } => {
            let mut text = String::new();
            for left in 0..leaves {
                let _ = write!(text, "{}t{} = undef;", if left > 0 { " " } else { "" }, depth - takes + left);
            }
            if text.is_empty() { "skip;".into() } else { text }
        }
        Throw => "goto error;".into(),
        ReturnValue => format!("return {};", cell(1)),
        Return => "return;".into(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn operands_become_variables_of_known_depth() {
        let text = primality(4, 5, 9);
        for expected in [
            "  t0 = witness(t0, t1, t2);\n",
            "  l18: t0 = v1;\n",
            "  if :: t0 == t1 -> goto l66; :: else -> skip; fi\n",
            "  goto error;\n",
        ] {
            assert!(text.contains(expected), "{expected}\n{text}");
        }
    }

    #[test]
    fn the_depth_is_the_same_on_all_ways() {
        for method in CLASS {
            let (depths, _) = depths(method);
            for (at, op) in method.code {
                let (takes, leaves) = effect(*op);
                assert!(depths[at] >= takes, "{} at {at}", method.name);
                let next = depths[at] - takes + leaves;
                assert!(target(*op).is_none_or(|to| depths[&to] == next), "{} at {at}", method.name);
            }
        }
    }
}
