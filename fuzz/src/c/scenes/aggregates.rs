//! Structs and unions of any nesting: how they begin, and how they move as values.

use super::Words;
use crate::c::Generator;
use crate::c::shapes::{Leaf, Shape};
use crate::c::tree::Node;

/// How many integers of an object count in the checksum.
const LEAVES: usize = 6;

impl Generator {
    /// Objects of all kinds with their initialisers.
    pub(super) fn initialised(&mut self) -> Node {
        let shape = self.shape(2);
        let stems = [('S', "@S"), ('g', "@g"), ('h', "@g"), ('x', "x"), ('y', "y"), ('z', "z"), ('p', "p")];
        let w = self.defined(&shape, &stems);
        let mut lines = Vec::new();
        let mut seen = Vec::new();
        for _ in 0..self.rng.u32(2..=4) {
            // Each kind of object once.
            let kind = self.rng.usize(0..7);
            if seen.contains(&kind) {
                continue;
            }
            seen.push(kind);
            self.one_object(kind, &w, &shape, &mut lines);
        }
        Node::statement("#", [Node::block(lines)])
    }

    fn one_object(&mut self, kind: usize, w: &Words, shape: &Shape, lines: &mut Vec<Node>) {
        let rows = Shape::Array(Box::new(shape.clone()), 3);
        match kind {
            0 => {
                let list = self.shaped_list(shape, true);
                let how = self.one_of(["", "static ", "static const "]);
                self.outside(w.may(&format!("{how}$T $g = #;"), [list]));
                lines.extend(self.mixed(w, shape, "$g"));
            }
            1 => {
                let list = self.shaped_list(&rows, true);
                self.outside(w.may("static $T $h[] = #;", [list]));
                lines.push(w.may("@mix(sizeof $h);", []));
                lines.extend(self.mixed(w, shape, "$h[sizeof $h / sizeof *$h - 1]"));
            }
            2 => {
                lines.push(w.must("static $T $y = #;", [self.shaped_list(shape, true)]));
                lines.extend(self.changed(w, shape, "$y"));
                lines.extend(self.mixed(w, shape, "$y"));
            }
            3 => {
                lines.push(w.must("$T $x = #;", [self.shaped_list(shape, false)]));
                lines.extend(self.changed(w, shape, "$x"));
                lines.extend(self.mixed(w, shape, "$x"));
            }
            4 => {
                lines.push(w.must("$T $z[] = #;", [self.shaped_list(&rows, false)]));
                lines.push(w.may("@mix(sizeof $z);", []));
                lines.extend(self.mixed(w, shape, "$z[sizeof $z / sizeof *$z - 1]"));
            }
            5 => {
                lines.push(w.must("$T *$p = &($T)#;", [self.shaped_list(shape, false)]));
                lines.extend(self.changed(w, shape, "(*$p)"));
                lines.extend(self.mixed(w, shape, "(*$p)"));
            }
            _ => lines.push(self.initialised_again(w, shape)),
        }
    }

    /// Objects of a block that is entered several times.
    fn initialised_again(&mut self, w: &Words, shape: &Shape) -> Node {
        let leaf = self.some_leaf(shape);
        let form = self.one_of([
            "$T t = #; t$L += i; @mix(t$L);",
            "$T *t = &($T)#; (*t)$L += i; @mix((*t)$L);",
            "$T t, *u = &t; t = ($T)#; (*u)$L += i; @mix(t$L);",
            "const $T t[2] = {#, #}; @mix(t[i & 1]$L);",
        ]);
        let lists: Vec<Node> = form.matches('#').map(|_| self.shaped_list(shape, false)).collect();
        let text = format!("for (int i = 0; i < 3; i++) {{ {form} }}");
        Node::statement(&w.text(&text).replace("$L", &leaf.path), lists)
    }

    /// Structs and unions that are assigned, passed and returned.
    pub(super) fn moved_values(&mut self) -> Node {
        let shape = self.shape(1);
        let stems =
            [('S', "@S"), ('f', "@f"), ('k', "@f"), ('x', "x"), ('y', "y"), ('p', "p"), ('C', "@S"), ('c', "c")];
        let w = self.defined(&shape, &stems);
        self.outside(w.may("struct $C { int before; $T v; $T more[2]; short after; };", []));
        let (leaf, other) = (self.some_leaf(&shape).path, self.some_leaf(&shape).path);
        let list = self.shaped_list(&shape, true);
        let body = self.one_of([
            "v$L += n; return v;",
            "if (n & 1) return v; $T t = v; t$M ^= n; return t;",
            "$T t = #; t$L = v$L; return n & 1 ? t : v;",
            "$T *t = &v; (*t)$M -= n; return *t;",
            "return n & 1 ? ($T)# : v;",
        ]);
        let lists = body.contains('#').then_some(list);
        let named = |text: &str| w.text(text).replace("$L", &leaf).replace("$M", &other);
        self.outside(Node::statement(&named(&format!("static $T $f($T v, int n) {{ {body} }}")), lists));
        self.outside(w.may("static struct $C $k(struct $C c) { c.before++; c.more[0] = c.v; return c; }", []));
        let address = self.rng.bool();
        let mut lines =
            vec![w.must("$T $x = #, $y[2] = {#};", [self.shaped_list(&shape, false), self.shaped_list(&shape, false)])];
        lines.push(w.must("struct $C $c = {1, #, .after = 7};", [self.shaped_list(&shape, false)]));
        if address {
            lines.push(w.must("$T *$p = &$x;", []));
        }
        for _ in 0..self.rng.u32(3..=7) {
            lines.push(self.move_value(&w, &shape, address));
        }
        for object in ["$x", "$y[0]", "$y[1]", "$c.v", "$c.more[0]"] {
            lines.extend(self.mixed(&w, &shape, object).into_iter().take(4));
        }
        lines.push(w.may("@mix($c.before + $c.after);", []));
        Node::statement("#", [Node::block(lines)])
    }

    fn move_value(&mut self, w: &Words, shape: &Shape, address: bool) -> Node {
        let leaf = self.some_leaf(shape).path;
        // A `^` is a list that initialises.
        let step = match self.rng.u32(0..14) {
            0 | 1 => "$x = ($T)^;",
            2 => "$x = $f($x, #);",
            3 => "$y[# & 1] = $x;",
            4 => "$x = $y[# & 1];",
            5 => "$c.v = $f(($T)^, #);",
            6 => "$c = $k($c); @mix(#);",
            7 => "@mix($f($y[# & 1], 3)$L);",
            8 => "@mix($k($c).more[# & 1]$L);",
            9 if address => "$p = &$y[# & 1];",
            10 if address => "*$p = ($T)^; @mix($x$L);",
            11 if address => "(*$p)$L = #; *$p = $f(*$p, 2);",
            12 => "$x$L = #;",
            13 => "@mix((# & 1 ? $x : $y[1])$L);",
            _ => "$c.more[# & 1] = $c.v;",
        };
        let marks = step.chars().filter(|mark| ['#', '^'].contains(mark));
        let children: Vec<Node> =
            marks.map(|mark| if mark == '^' { self.shaped_list(shape, false) } else { self.simple() }).collect();
        Node::statement(&w.text(&step.replace('^', "#")).replace("$L", &leaf), children)
    }

    /// Declares the type of a scene, as `$T` and with the tag `$S`.
    pub(super) fn defined(&mut self, shape: &Shape, stems: &[(char, &str)]) -> Words {
        let w = self.words(stems);
        let (definition, name) = self.define_shape(shape, &w.text("$S"));
        self.outside(Node::statement(&definition, []));
        w.with('T', name)
    }

    pub(super) fn some_leaf(&mut self, shape: &Shape) -> Leaf {
        let mut leaves = shape.leaves();
        leaves.swap_remove(self.rng.usize(0..leaves.len()))
    }

    /// Some integers of an object, mixed into the checksum.
    pub(super) fn mixed(&mut self, w: &Words, shape: &Shape, object: &str) -> Vec<Node> {
        let mut leaves = shape.leaves();
        self.rng.shuffle(&mut leaves);
        leaves.iter().take(LEAVES).map(|leaf| w.may(&format!("@mix({object}{});", leaf.path), [])).collect()
    }

    /// Random statements about an object.
    fn changed(&mut self, w: &Words, shape: &Shape, object: &str) -> Option<Node> {
        if self.rng.bool() {
            return None;
        }
        let open = shape.leaves().into_iter().filter(|leaf| leaf.open);
        let ways = open.map(|leaf| (w.text(&format!("{object}{}", leaf.path)), leaf.ty)).take(6);
        Some(self.around(ways.collect()))
    }
}
