//! Bit-fields of every type and width, and what lies between them.

use super::Words;
use crate::c::Generator;
use crate::c::tree::Node;

/// Types of bit-fields, and how wide they may be in both data models.
const TYPES: &[(&str, u32)] = &[
    ("int", 32),
    ("unsigned", 32),
    ("signed char", 8),
    ("unsigned char", 8),
    ("short", 16),
    ("unsigned short", 16),
    ("_Bool", 1),
    ("long", 32),
    ("unsigned long", 32),
    ("long long", 64),
    ("unsigned long long", 64),
    ("enum $E", 32),
];

/// A bit-field by its name.
#[derive(Clone)]
struct Field {
    name: String,
    bits: u32,
    unsigned: bool,
}

impl Field {
    /// Its value in an object. Compilers disagree on the type of wide ones, so these are cast.
    fn read(&self, object: &str) -> String {
        self.cast(&format!("{object}.{}", self.name))
    }

    fn cast(&self, text: &str) -> String {
        match (self.is_wide(), self.unsigned) {
            (false, _) => text.to_owned(),
            (true, true) => format!("(unsigned long long)({text})"),
            (true, false) => format!("(long long)({text})"),
        }
    }

    fn is_wide(&self) -> bool {
        self.bits > 32
    }
}

impl Generator {
    /// Bit-fields in a struct and in arrays of it.
    pub(super) fn bit_fields(&mut self) -> Node {
        let stems = [('S', "@S"), ('E', "@E"), ('k', "@K"), ('f', "@f"), ('x', "x"), ('y', "y"), ('p', "p")];
        let w = self.words(&stems);
        self.outside(w.may("enum $E { $k = 3, $k_more };", []));
        let fields = self.declare_fields(&w);
        let first = fields[0].name.clone();
        let change = self.one_of(["v.$F = n; return v;", "v.$F += n; return v;", "v.$F ^= 1; return v;"]);
        let text = format!("static struct $S $f(struct $S v, int n) {{ {change} }}").replace("$F", &first);
        self.outside(w.may(&text, []));
        let address = self.rng.bool();
        let list = self.field_values(&fields);
        let mut lines = vec![w.must("struct $S $x = #, $y[2] = {{0}};", [list])];
        lines.push(w.may("@mix(sizeof(struct $S) * 100 + _Alignof(struct $S));", []));
        if address {
            lines.push(w.must("struct $S *$p = &$x;", []));
        }
        for _ in 0..self.rng.u32(4..=9) {
            let step = self.step_of_fields(&w, &fields, address);
            lines.push(step);
        }
        for field in &fields {
            lines.push(w.may(&format!("@mix({});", field.read("$x")), []));
            lines.push(w.may(&format!("@mix({});", field.read("$y[1]")), []));
        }
        Node::statement("#", [Node::block(lines)])
    }

    /// A struct of bit-fields with gaps, ends of units and other members between them.
    fn declare_fields(&mut self, w: &Words) -> Vec<Field> {
        let (mut fields, mut text) = (Vec::new(), String::new());
        for at in 0..self.rng.u32(3..=7) {
            let (ty, most) = TYPES[self.rng.usize(0..TYPES.len())];
            // An enum's width must hold its values.
            let least = if ty == "enum $E" { 3 } else { 1 };
            let bits = if self.chance(4) { most } else { self.rng.u32(least..=most) };
            let member = match self.rng.u32(0..12) {
                0 if at > 0 => format!("{ty} : {bits}; "),
                1 if at > 0 => format!("{ty} : 0; "),
                2 if at > 0 => format!("{} plain{at}; ", self.one_of(["char", "short", "int", "long long"])),
                _ => {
                    let unsigned = ty.starts_with("unsigned") || ["_Bool", "enum $E"].contains(&ty);
                    fields.push(Field { name: format!("f{at}"), bits, unsigned });
                    format!("{ty} f{at} : {bits}; ")
                }
            };
            text.push_str(&member);
        }
        // Seldom, because front ends may refuse it, which hides the rest of the program.
        let packed = if self.chance(10) { "__attribute__((packed)) " } else { "" };
        self.outside(w.may(&format!("struct {packed}$S {{ {text}}};"), []));
        fields
    }

    /// Values for all fields, or for some by their names.
    fn field_values(&mut self, fields: &[Field]) -> Node {
        if self.rng.bool() {
            // Other members may stand between the fields, so not all of these are theirs.
            return Node::list(fields.iter().map(|_| self.simple()).collect());
        }
        let mut parts = Vec::new();
        for _ in fields {
            let field = &fields[self.rng.usize(0..fields.len())];
            parts.push(Node::fixed(&format!(".{} = #", field.name), [self.simple()]));
        }
        Node::list(parts)
    }

    fn step_of_fields(&mut self, w: &Words, fields: &[Field], address: bool) -> Node {
        let object = match self.rng.u32(0..4) {
            0 | 1 if address => "(*$p)",
            2 => "$y[# & 1]",
            _ => "$x",
        };
        let field = fields[self.rng.usize(0..fields.len())].clone();
        let narrow: Vec<&Field> = fields.iter().filter(|field| !field.is_wide()).collect();
        let other = self.rng.choice(&narrow).map_or("1".to_owned(), |field| field.read("$x"));
        let at = format!("{object}.{}", field.name);
        let read = field.read(object);
        // What wraps around in any width.
        let operator = self.one_of(["+=", "-=", "*=", "&=", "|=", "^="]);
        let step = match self.rng.u32(0..18) {
            0 => format!("{at} = #;"),
            1 | 2 => format!("@mix({});", field.cast(&format!("{at} = #"))),
            3 => format!("{at} {operator} #;"),
            4 => format!("@mix({});", field.cast(&format!("{at} {operator} #"))),
            5 => format!("@mix({}); @mix(#);", field.cast(&format!("{at}++"))),
            6 => format!("@mix({}); @mix(#);", field.cast(&format!("--{at}"))),
            7 => format!("$x.{0} = $y[0].{0} = #;", field.name),
            8 if !field.is_wide() => format!("{at} /= {}; @mix(#);", self.divisor()),
            9 if !field.is_wide() => format!("{at} >>= (# & 7);"),
            10 if field.unsigned && field.bits <= 24 => format!("{at} <<= (# & 3);"),
            11 => format!("@mix(({read} < #) + 2 * (-{read} > 3) + 4 * (~{read} == #));"),
            12 => format!("@mix((# & 1 ? {read} : {other}) + !{at});"),
            13 => format!("@mix({read} - {other} * 3 + (# & 1));"),
            14 => "$y[# & 1] = $x;".to_owned(),
            15 => format!("$x = $f($y[# & 1], #); @mix({});", field.read("$f($x, 2)")),
            16 if address => "memset($p, #, sizeof *$p);".to_owned(),
            17 if address => "((unsigned char *)&$x)[(unsigned)# % sizeof $x] = #;".to_owned(),
            _ => format!("if ({at}) {at} = #; else {at} = 1;"),
        };
        let children: Vec<Node> = step.matches('#').map(|_| self.simple()).collect();
        w.may(&step, children)
    }
}
