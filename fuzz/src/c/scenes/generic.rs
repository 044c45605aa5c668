//! Pointers that forget the type of their object: to a struct inside of another, and to `void`.

use crate::c::Generator;
use crate::c::features::Part;
use crate::c::tree::Node;

impl Generator {
    /// A struct that others begin with or contain, and the way back from it to them.
    pub(super) fn containers(&mut self) -> Node {
        let (value, name) = self.named_type();
        let (second, other) = self.named_type();
        let stems =
            [('B', "@S"), ('C', "@S"), ('D', "@S"), ('f', "@f"), ('g', "@f"), ('x', "x"), ('y', "y"), ('h', "h")];
        let w = self.words(&stems).with('T', name).with('O', other);
        self.outside(w.may("struct $B { int kind; struct $B *next; };", []));
        self.outside(w.may("struct $C { struct $B base; $T v; };", []));
        let members = self.one_of(["$O w[2]; struct $B link; $T u;", "$T u; struct $B link; $O w[2];"]);
        self.outside(w.may(&format!("struct $D {{ {members} }};"), []));
        self.outside(w.may(
            "static struct $D *$f(struct $B *b) { \
             return (struct $D *)((char *)b - __builtin_offsetof(struct $D, link)); }",
            [],
        ));
        let back = self.one_of(["($T *)((char *)b + __builtin_offsetof(struct $C, v))", "&((struct $C *)b)->v"]);
        self.outside(
            w.may(&format!("static $T *$g(struct $B *b) {{ return b->kind == 1 ? {back} : &$f(b)->u; }}"), []),
        );
        let mut lines = Vec::new();
        if self.has(Part::Heap) && self.rng.bool() {
            lines.push(w.must("struct $C *$x = calloc(1, sizeof *$x); struct $D *$y = calloc(2, sizeof *$y);", []));
        } else {
            lines.push(w.must("struct $C $x[1] = {0}; static struct $D $y[2];", []));
        }
        lines.push(w.must("$x->base.kind = 1; $x->base.next = &$y[0].link; $x->v = #;", [self.simple()]));
        lines.push(w.must("$y[0].link.kind = 2; $y[0].link.next = &$y[1].link; $y[0].u = #;", [self.simple()]));
        lines.push(w.must("$y[1].link.kind = 2; $y[1].link.next = 0; $y[1].u = #;", [self.simple()]));
        lines.push(w.must("$y[0].w[1] = $y[1].w[0] = #; struct $B *$h = &$x->base;", [self.simple()]));
        let mut ways: Vec<_> = ["(*$g($h))", "((struct $C *)$h)->v", "$f($h->next)->u", "$y[1].u"]
            .map(|way| (w.text(way), value.clone()))
            .into();
        ways.push((w.text("$f($h->next->next)->w[0]"), second));
        lines.push(self.around(ways));
        for _ in 0..self.rng.u32(2..=4) {
            let step = self.one_of([
                "for (struct $B *each = $h; each; each = each->next) *$g(each) += each->kind + (# & 3);",
                "for (struct $B *each = $h; each; each = each->next) if (each->kind == 2) $f(each)->w[# & 1] ^= 6;",
                "$f(&$y[# & 1].link)->u = 4;",
                "*$g(&$y[# & 1].link) -= 7;",
                "@mix($f($h->next) - $y + (# & 1));",
                "{ struct $D t = $y[0]; $f(&t.link)->u = #; @mix(t.u + $y[0].u); }",
                "{ struct $B *each = $h->next; each->kind = 3; @mix(*$g(each) + #); each->kind = 2; }",
            ]);
            lines.push(w.may(step, [self.simple()]));
        }
        lines.push(w.may("for (struct $B *each = $h; each; each = each->next) @mix(*$g(each));", []));
        lines.push(w.may("@mix($y[0].w[0] + $y[0].w[1]); @mix($y[1].w[0] + $y[1].w[1]);", []));
        Node::statement("#", [Node::block(lines)])
    }

    /// Objects of different types behind pointers to `void`, and functions that know which.
    pub(super) fn untyped(&mut self) -> Node {
        let (value, name) = self.named_type();
        let (second, other) = self.named_type();
        let stems =
            [('E', "@S"), ('f', "@f"), ('g', "@f"), ('k', "@f"), ('x', "x"), ('y', "y"), ('t', "t"), ('u', "u")];
        let w = self.words(&stems).with('T', name).with('O', other);
        self.outside(w.may("struct $E { void *data; int n; int (*act)(void *, int); };", []));
        self.outside(w.may("static int $f(void *p, int n) { $T *q = p; *q += n; return *q; }", []));
        self.outside(w.may("static int $g(void *p, int n) { return (($O *)p)[n & 1] ^= n; }", []));
        self.outside(w.may(
            "static int $k(struct $E *e, void *from, int n) { \
             if (n > 2) e = from; e->n += n; return e->act(e->data, e->n); }",
            [],
        ));
        let mut lines = vec![w.must("$T $x = #; $O $y[2] = {#};", [self.simple(), self.simple()])];
        lines.push(w.must("struct $E $t[3] = {{&$x, 1, $f}, {.act = $g, .data = $y}, {&$t[0], 2, $f}};", []));
        lines.push(w.must("$t[2].data = &$x; void *$u = &$t[1];", []));
        let mut ways = vec![(w.text("(*($T *)$t[0].data)"), value.clone()), (w.text("$x"), value)];
        ways.push((w.text("(*($O *)((struct $E *)$u)->data)"), second));
        lines.push(self.around(ways));
        for _ in 0..self.rng.u32(2..=5) {
            let step = self.one_of([
                "@mix($k(&$t[# & 1], $u, 2));",
                "@mix($k($t, &$t[# & 1], 3));",
                "for (struct $E *e = $t; e < $t + 3; e++) @mix(e->act(e->data, e->n + (# & 1)));",
                "{ struct $E e = $t[# & 1]; $t[0] = $t[1]; $t[1] = e; $t[0] = $t[2]; }",
                "{ void **p = &$t[0].data; void *q = *p; *p = &$x; @mix((q == *p) + (# & 1)); $t[0].act = $f; }",
                "{ void *p = # & 1 ? (void *)&$x : (void *)$y; @mix(p == (void *)&$x); }",
                "memcpy(&$t[2], &$t[0], sizeof $t[0]); @mix($t[2].act($t[2].data, #));",
                "{ void *a[3] = {&$x, $y, $t}; *($T *)a[0] += #; ((struct $E *)a[2])[1].n++; (($O *)a[1])[1] = 5; }",
            ]);
            lines.push(w.may(step, [self.simple()]));
        }
        lines.push(w.may("@mix($x); @mix($y[0]); @mix($y[1]); @mix($t[0].n + $t[1].n * 3 + $t[2].n);", []));
        Node::statement("#", [Node::block(lines)])
    }
}
