//! Pointers into other activations of functions, and pointers that functions return.

use crate::c::Generator;
use crate::c::features::Part;
use crate::c::tree::Node;

impl Generator {
    /// Recursion in which each activation has its own object, chained to those of its callers.
    pub(super) fn frames(&mut self) -> Node {
        let (_, name) = self.named_type();
        let w = self.words(&[('F', "@F"), ('f', "@f"), ('x', "x")]).with('T', name);
        let member = self.one_of(["$T v; struct $F *up;", "struct $F *up; $T v;", "$T v, w[2]; struct $F *up;"]);
        self.outside(w.may(&format!("struct $F {{ {member} }};"), []));
        let (first, second) = (self.constant(), self.constant());
        let end = self.one_of([
            "for (struct $F *c = &here; c; c = c->up) { sum += c->v; c->v ^= sum; }",
            "for (struct $F *c = up; c; c = c->up) { c->v += sum; sum = sum * 3 + 1; }",
            "{ struct $F **c = &here.up; while (*c) { (*c)->v += 1; sum += (*c)->v; c = &(*c)->up; } }",
        ]);
        let back = self.one_of([
            "{ sum += $f(n - 1, &here); sum ^= here.v; }",
            "{ sum += $f(n - 1, n & 1 ? up : &here); sum += here.v; }",
            "{ $T local = here.v; $T *to = &local; sum += $f(n - 1, &here); *to += here.v; sum += local; }",
            "{ sum += $f(n - 1, &here); if (n > 1) sum += $f(n - 2, &here) * 3; sum += here.v; }",
        ]);
        let text = format!(
            "static unsigned $f(int n, struct $F *up) {{ struct $F here = {{.v = # + n, .up = up}}; \
             unsigned sum = #; if (n <= 0) {end} else {back} return sum + (up ? up->v : 0); }}"
        );
        self.outside(w.may(&text, [first, second]));
        let mut lines = vec![w.may("@mix($f(# & 3, 0));", [self.simple()])];
        lines.push(w.must("struct $F $x = {.v = #};", [self.simple()]));
        lines.push(w.may("@mix($f(# & 3, &$x));", [self.simple()]));
        lines.push(w.may("@mix($x.v);", []));
        Node::statement("#", [Node::block(lines)])
    }

    /// Functions that write through their parameters, at any depth.
    pub(super) fn written_through(&mut self) -> Node {
        let (ty, name) = self.named_type();
        let w = self.words(&[('f', "@f"), ('g', "@f"), ('r', "@f"), ('a', "a"), ('b', "b"), ('p', "p")]);
        let w = w.with('T', name);
        self.outside(w.may("static void $f($T *x, $T *y) { $T t = *x; *x = *y; *y = t; }", []));
        let seat = self.one_of(["*p = *p + 1;", "*p = q;", "if (**p < *q) *p = q; else **p += 1;"]);
        self.outside(w.may(&format!("static void $g($T **p, $T *q) {{ {seat} }}"), []));
        let last = self.one_of([
            "if (n > 0) { $T mine = *out; $r(n - 1, &mine, at + 1); *out += mine; at[0] ^= mine; }",
            "if (n > 0) { $r(n - 1, at, out); $f(out, at); *out += n; } else *at = 5;",
            "if (n-- > 0) { $T mine[2] = {*out, *at}; $r(n, &mine[n & 1], mine); *out = mine[1]; at[n & 1] = mine[0]; }",
            "$T mine = n; $T *p = n & 1 ? &mine : out; if (n > 0) $r(n - 1, p, at); *out += mine; *p += 1;",
        ]);
        self.outside(w.may(&format!("static void $r(int n, $T *out, $T *at) {{ {last} }}"), []));
        let values = [self.simple(), self.simple(), self.simple(), self.simple()];
        let mut lines = vec![w.must("$T $a = #, $b[8] = {#, #, 1, 2, #}; $T *$p = $b;", values)];
        for _ in 0..self.rng.u32(2..=5) {
            let step = self.one_of([
                "$f(&$a, &$b[# & 7]);",
                "$f(&$b[# & 7], $b + 3);",
                "$f($p, &$a); @mix(#);",
                "$p = $b; $g(&$p, &$b[# & 3]); @mix($p - $b);",
                "$r(# & 3, &$a, $b);",
                "$r(# & 3, &$b[1], &$b[2]);",
                "{ $T *q = &$a; $g(&q, $b + (# & 3)); q = &$a; @mix(*q); }",
            ]);
            lines.push(w.may(step, [self.simple()]));
        }
        lines.push(self.around(vec![(w.text("$a"), ty.clone()), (w.text("$b[5]"), ty.clone()), (w.text("(*$p)"), ty)]));
        lines.push(w.may("for (int i = 0; i < 8; i++) @mix($b[i] + $a);", []));
        Node::statement("#", [Node::block(lines)])
    }

    /// Functions that return addresses: of static objects, of new ones, of one of their arguments.
    pub(super) fn returned_pointers(&mut self) -> Node {
        let (ty, name) = self.named_type();
        let w = self.words(&[('S', "@S"), ('f', "@f"), ('g', "@f"), ('m', "@f"), ('a', "a"), ('p', "p"), ('q', "q")]);
        let w = w.with('T', name);
        self.outside(w.may("struct $S { $T v; struct $S *more; };", []));
        let slot = self.one_of([
            "static $T slots[4] = {1, 2, 3}; static int at; return &slots[at++ & 3];",
            "static $T n = 9, *p = &n; *p += 3; return p;",
            "static $T rows[2][2] = {{1}, {2, 3}}; static unsigned char at = 255; at++; return rows[at & 1] + (at >> 1 & 1);",
        ]);
        self.outside(w.may(&format!("static $T *$f(void) {{ {slot} }}"), []));
        self.outside(w.may("static $T *$g($T *x, $T *y, int c) { return c ? x : y; }", []));
        let heap = self.has(Part::Heap);
        let make = if heap {
            "struct $S *n = malloc(sizeof *n); n->v = v; n->more = more; return n;"
        } else {
            "static struct $S all[4]; static int at; struct $S *n = &all[at++ & 3]; n->v = v; n->more = more; return n;"
        };
        self.outside(w.may(&format!("static struct $S *$m($T v, struct $S *more) {{ {make} }}"), []));
        let mut lines = vec![w.must("$T $a = #; $T *$p = $f();", [self.simple()])];
        lines.push(w.must("struct $S *$q = $m(#, $m(#, 0));", [self.simple(), self.simple()]));
        let ways = ["(*$p)", "$a", "$q->v", "$q->more->v"].map(|way| (w.text(way), ty.clone()));
        lines.push(self.around(ways.into()));
        for _ in 0..self.rng.u32(2..=5) {
            let step = self.one_of([
                "*$f() += #;",
                "*$g(&$a, $p, #) ^= 5;",
                "$p = $g($f(), &$q->v, #);",
                "$g($p, &$a, 0)[0] = #;",
                "@mix(*$f() + (# & 3));",
                "@mix($m(#, $q)->more->v);",
                "$m($q->v, $q)->more->more->v += #;",
                "@mix(($p == $f()) + (# & 1));",
            ]);
            lines.push(w.may(step, [self.simple()]));
        }
        lines.push(w.may("@mix(*$p + $a + $q->v + $q->more->v * 3);", []));
        if heap {
            lines.push(w.may("free($q->more); free($q);", []));
        }
        Node::statement("#", [Node::block(lines)])
    }
}
