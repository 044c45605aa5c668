//! Unusual layouts and lifetimes: addresses inside unions and among bytes, packed structs, arrays
//! at the end of structs, large unions, structs as results, memory that grows.

use crate::c::Generator;
use crate::c::features::Part;
use crate::c::tree::Node;

impl Generator {
    /// Addresses that are carried in unions, in numbers inside of structs, and byte by byte.
    pub(super) fn carried(&mut self) -> Node {
        let (ty, name) = self.named_type();
        let stems = [('S', "@S"), ('U', "@U"), ('f', "@f"), ('a', "a"), ('b', "b"), ('s', "s"), ('u', "u"), ('p', "p")];
        let w = self.words(&stems).with('T', name);
        let union = self.one_of([
            "union $U { $T *p; unsigned long n; unsigned char b[sizeof(long)]; };",
            "union $U { unsigned long n; struct { $T *p; }; $T **pp; char b[sizeof(void *)]; };",
        ]);
        self.outside(w.may(union, []));
        let order = self.one_of(["unsigned long key; union $U u; int k;", "int k; union $U u; unsigned long key;"]);
        self.outside(w.may(&format!("struct $S {{ {order} }};"), []));
        self.outside(w.may("static $T *$f(struct $S *s) { return s->k & 1 ? s->u.p : ($T *)s->key; }", []));
        let values = [self.simple(), self.simple(), self.simple()];
        let mut lines = vec![w.must("$T $a = #, $b[4] = {#, 2, #}, *$p = &$b[1];", values)];
        lines.push(if self.has(Part::Heap) && self.rng.bool() {
            w.must("struct $S *$s = malloc(sizeof *$s); union $U $u;", [])
        } else {
            w.must("struct $S $s[1]; static union $U $u;", [])
        });
        lines.push(w.must("$s->k = 0; $s->key = (unsigned long)&$a; $s->u.p = $b + 2; $u.p = &$b[0];", []));
        let ways = ["(*$s->u.p)", "(*($T *)$s->key)", "(*($T *)$u.n)", "(*$p)", "(*$f($s))"];
        lines.push(self.around(ways.map(|way| (w.text(way), ty.clone())).into()));
        for _ in 0..self.rng.u32(2..=5) {
            let step = self.one_of([
                "$s->k = #;",
                "*$f($s) += 3; @mix(#);",
                "$u.n = (unsigned long)&$b[# & 3];",
                "*$u.p ^= #;",
                "$u = $s->u; *$u.p = #;",
                "$s->u.n = $s->key; $s->key = $u.n; @mix(#);",
                "{ unsigned char t[sizeof $p]; memcpy(t, &$p, sizeof $p); memcpy(&$u, t, sizeof $p); *$u.p += #; }",
                "{ unsigned char *x = (unsigned char *)&$u, *y = (unsigned char *)&$p; \
                 for (int i = 0; i < (int)sizeof $p; i++) y[i] = x[i]; *$p = #; }",
                "{ struct $S t; memcpy(&t, $s, sizeof t); t.k = #; *$f(&t) += 1; memmove($s, &t, sizeof t); }",
                "{ $T **q = &$s->u.p, **r = &$p; $T *t = *q; *q = *r; *r = t; *t = #; }",
                "@mix(($u.p == $s->u.p) + 2 * ($u.n == $s->key) + 4 * ($p == ($T *)$s->key) + (# & 8));",
                "for (int i = 0; i < (int)sizeof $u.b; i++) $s->u.b[i] = $u.b[i]; @mix(*$s->u.p + (# & 1));",
            ]);
            lines.push(w.may(step, [self.simple()]));
        }
        lines.push(w.may("@mix($a + $b[0] + $b[1] * 3 + $b[2] * 5 + $b[3] * 7 + *$f($s) + *$u.p + *$p);", []));
        Node::statement("#", [Node::block(lines)])
    }

    /// Packed structs, arrays at the end, and unions that are too large for a word.
    pub(super) fn layouts(&mut self) -> Node {
        let (_, name) = self.named_type();
        let (_, other) = self.named_type();
        let stems =
            [('P', "@S"), ('L', "@S"), ('F', "@S"), ('f', "@f"), ('x', "x"), ('y', "y"), ('z', "@z"), ('n', "n")];
        let w = self.words(&stems).with('T', name).with('O', other);
        let packed = self.one_of([
            "struct __attribute__((packed)) $P { char c; $T v; short h[3]; $O w; };",
            "struct $P { char c; $T v; short h[3]; $O w; } __attribute__((packed));",
            "struct $P { char c; $T v __attribute__((aligned(8))); short h[3]; $O w; };",
        ]);
        self.outside(w.may(packed, []));
        self.outside(w.may("union $L { int i[24]; struct $P p; unsigned char b[100]; };", []));
        self.outside(w.may("struct $F { unsigned n; $T tail[]; };", []));
        self.outside(w.may(
            "static struct $P $f(struct $P *p, int n) { struct $P r = *p; r.h[n & 1] = n; r.v += 1; p->c ^= 1; return r; }",
            [],
        ));
        let mut lines = vec![w.must("struct $P $x[2] = {{#, #}, {1, 2, {3}}};", [self.simple(), self.simple()])];
        lines.push(if self.rng.bool() {
            w.must("union $L $y; memset(&$y, 3, sizeof $y);", [])
        } else {
            w.must("static union $L $z[2]; union $L $y; memset(&$y, 0, sizeof $y); $z[0] = $y;", [])
        });
        lines.push(w.must("int $n = (# & 3) + 1;", [self.simple()]));
        for _ in 0..self.rng.u32(3..=6) {
            let step = match self.rng.u32(0..12) {
                0 => "$x[# & 1].v += 3;",
                1 => "$x[0] = $f(&$x[1], #);",
                2 => "@mix($f($x, #).h[1]);",
                3 => "@mix($f(&$x[# & 1], 3).w + sizeof(struct $P));",
                4 => "$y.i[(unsigned)# % 24] = -2;",
                5 => "$y.b[(unsigned)# % 100] = 9;",
                6 => "$y.p.h[# & 1] += 3; @mix($y.p.c);",
                7 => "{ union $L t = $y; t.i[2] = #; $y.i[1] = t.b[9]; }",
                8 if self.has(Part::Heap) => {
                    "{ struct $F *t = malloc(sizeof *t + 4 * sizeof($T)); t->n = $n; \
                     for (unsigned i = 0; i < t->n; i++) t->tail[i] = i + #; \
                     while (t->n-- > 1) t->tail[0] += t->tail[t->n]; @mix(t->tail[0] + sizeof *t); free(t); }"
                }
                // Seldom, because front ends may refuse it, which hides the rest of the program.
                9 if self.has(Part::Heap) && self.chance(8) => {
                    "{ $T *t = malloc($n * sizeof *t); for (int i = 0; i < $n; i++) t[i] = i ^ 1; \
                     t = realloc(t, ($n + 2) * sizeof *t); t[$n] = #; t[$n + 1] = 4; \
                     for (int i = 0; i < $n + 2; i++) @mix(t[i]); free(t); }"
                }
                10 => {
                    "{ short *t = __builtin_alloca(4 * sizeof *t); for (int i = 0; i < 4; i++) t[i] = i * #; @mix(t[3]); }"
                }
                _ => "{ struct $P *t = $x + 1; t[-1].w = #; t->h[2] = t[-1].v; *t = t[-1]; }",
            };
            lines.push(w.may(step, [self.simple()]));
        }
        lines.push(w.may(
            "for (int i = 0; i < 2; i++) { @mix($x[i].c + $x[i].v); @mix($x[i].h[0] + $x[i].h[1]); @mix($x[i].w); }",
            [],
        ));
        lines.push(w.may("@mix($y.i[1] + $y.b[3] * 3 + $y.i[23]); @mix($y.b[50]);", []));
        Node::statement("#", [Node::block(lines)])
    }
}
