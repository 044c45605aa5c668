//! Functions as they were written before prototypes: parameters declared after the list of their
//! names, calls without a prototype in sight, declarations that say nothing about parameters.
//!
//! Arguments of such calls are promoted, and must fit the promoted parameters, so they are cast.

use crate::c::Generator;
use crate::c::tree::Node;

/// Types of parameters, and the type that an argument must have.
const PARAMETERS: &[(&str, &str)] = &[
    ("char", "int"),
    ("signed char", "int"),
    ("unsigned char", "int"),
    ("short", "int"),
    ("unsigned short", "int"),
    // GCC cuts off what it should compare with zero, so it gets nothing else than a truth value.
    ("_Bool", "_Bool"),
    ("int", "int"),
    ("unsigned", "unsigned"),
    ("long", "long"),
    ("unsigned long long", "unsigned long long"),
];

impl Generator {
    pub(super) fn old_style(&mut self) -> Node {
        let stems =
            [('f', "@f"), ('g', "@f"), ('h', "@f"), ('k', "@f"), ('S', "@S"), ('x', "x"), ('a', "a"), ('t', "t")];
        let (_, name) = self.named_type();
        let w = self.words(&stems).with('T', name);
        let [first, second, third] = [0; 3].map(|_| PARAMETERS[self.rng.usize(0..PARAMETERS.len())]);
        let w = w.with('A', first.0).with('B', second.0).with('C', third.0);
        let w = w.with('X', first.1).with('Y', second.1).with('Z', third.1);
        self.outside(w.may("struct $S { short s; $T v; char c[3]; };", []));
        // A function that is called before it is declared has external linkage.
        let early = self.rng.bool();
        if early {
            self.outside(w.may("static int $k(int x) { return $h(($X)x, ($Y)3, ($Z)x); }", []));
        }
        let list = self.one_of(["$A a; $B b; $C c;", "$B b; $C c; $A a;", "$C c; $A a; register $B b;"]);
        let body = self.one_of([
            "a += 3; b -= a; return a * 5 + b * 3 + (c ^ sizeof c);",
            "c = c - 1; if (a < b) a = b + 1; return a + b * 7 + c;",
            "{ $B *p = &b; *p += c; } return (a-- ? b : c) + 3;",
        ]);
        let body = if list.contains("register") {
            body.replace("{ $B *p = &b; *p += c; }", "b += c;")
        } else {
            body.to_owned()
        };
        self.outside(w.may(&format!("int $h(a, b, c) {list} {{ {body} }}"), []));
        if !early {
            self.outside(w.may("static int $k(x) int x; { int $h(); return $h(($X)x, ($Y)3, ($Z)x); }", []));
        }
        let text = self.one_of([
            "static $T $f(); static $T $g(p, s, n) struct $S *p, s; short n; { p->s += n; s.v ^= n; return s.v + $f(p->c); }",
            "static $T $f(), $g(); static $T $g(p, s, n) struct $S *p; struct $S s; unsigned char n; { $T v = $f(p->c + 1); s.c[0] = n; *p = s; return v + n; }",
        ]);
        self.outside(w.may(text, []));
        let text = self.one_of([
            "static $T $f(q) char q[]; { return q[0]++ + q[1]; }",
            "static $T $f(q) char *q; { *q ^= 3; return *q; }",
        ]);
        self.outside(w.may(text, []));
        let mut lines = vec![w.must("int $x = #; struct $S $a = {1, #, \"ab\"};", [self.simple(), self.simple()])];
        lines.push(w.must("int (*$t[2])() = {$h, &$h}, $k();", []));
        for _ in 0..self.rng.u32(3..=6) {
            let text = self.one_of([
                "@mix($h(($X)#, ($Y)#, ($Z)#));",
                "@mix($k((int)#));",
                "$x = $t[# & 1](($X)#, ($Y)$x, ($Z)300);",
                "@mix((*$t[# & 1])(($X)-1, ($Y)#, ($Z)$x));",
                "@mix($g(&$a, $a, (int)#));",
                "@mix($g(&$a, (struct $S){#, 4}, 'a'));",
                "@mix($f($a.c) + (# & 1));",
                "{ $T (*p)() = # & 1 ? $f : (&$f); @mix(p(&$a.c[1])); }",
                "{ extern int $h(); int y = $h(($X)$x, ($Y)$a.s, ($Z)#); $x += y; }",
            ]);
            let children: Vec<Node> = text.matches('#').map(|_| self.simple()).collect();
            lines.push(w.may(text, children));
        }
        lines.push(w.may("@mix($x); @mix($a.s); @mix($a.v); @mix($a.c[0] * 3 + $a.c[1]);", []));
        Node::statement("#", [Node::block(lines)])
    }
}
