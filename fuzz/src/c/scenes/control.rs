//! Ways of control, and objects that have no name.

use crate::c::Generator;
use crate::c::features::Part;
use crate::c::tree::Node;

impl Generator {
    /// Functions that call each other, and write through pointers meanwhile.
    pub(super) fn mutual(&mut self) -> Node {
        let (ty, name) = self.named_type();
        let w = self.words(&[('f', "@f"), ('g', "@f"), ('h', "@f"), ('x', "x")]).with('T', name);
        let (a, b, c) = (self.constant(), self.constant(), self.constant());
        self.outside(w.may("static $T $g(int n, $T *to, $T (*then)(int, $T *));", []));
        let first = self.one_of([
            "$T mine = # + n; if (n <= 0) return mine; *to += $g(n - 1, &mine, $f); return mine ^ *to;",
            "if (n <= 0) return #; $T mine[2] = {n, *to}; mine[0] = $g(n - 1, mine + 1, $f); *to = mine[1]; return mine[0];",
            "static $T all = #; all += n; return n > 0 ? $g(n - 1, n & 1 ? to : &all, $f) : all;",
        ]);
        self.outside(w.may(&format!("static $T $f(int n, $T *to) {{ {first} }}"), [a]));
        let second = self.one_of([
            "if (n <= 0) { *to ^= #; return n; } $T t = then(n - 1, to); return t + *to;",
            "$T sum = #, t; while (n > 0 && (t = then(n - 1, &sum), sum += t) & 1) n--; *to += n; return sum;",
            "switch (n) { case 2: *to += #; case 1: return then(n - 1, to); default: return n > 0 ? then(1, to) : 3; }",
        ]);
        self.outside(w.may(&format!("static $T $g(int n, $T *to, $T (*then)(int, $T *)) {{ {second} }}"), [b]));
        self.outside(w.may("static $T $h(int n, $T *to) { *to += #; return n + *to; }", [c]));
        let mut lines = vec![w.must("$T $x = #;", [self.simple()])];
        for _ in 0..self.rng.u32(1..=3) {
            let step = self.one_of([
                "@mix($f(# & 3, &$x));",
                "@mix($g(# & 3, &$x, $f));",
                "@mix($g(# & 3, &$x, $h));",
                "if ($f(# & 1, &$x) || $g(1, &$x, &$h)) $x += 3; else $x--;",
                "for (int i = 0; i < 3 && $g(1, &$x, # & 1 ? $f : $h) != 4; i++) @mix(i);",
                "{ int i = 2; do $x ^= i; while (i-- && $h(i, &$x) != (# & 7)); @mix(i); }",
            ]);
            lines.push(w.may(step, [self.simple()]));
        }
        lines.push(self.around(vec![(w.text("$x"), ty)]));
        lines.push(w.may("@mix($x);", []));
        Node::statement("#", [Node::block(lines)])
    }

    /// Loops and `switch` inside of each other, with every way out of them.
    pub(super) fn nested_loops(&mut self) -> Node {
        let (_, name) = self.named_type();
        let w = self.words(&[('i', "i"), ('j', "j"), ('k', "k"), ('L', "L"), ('M', "M"), ('x', "x")]).with('T', name);
        let mut lines = vec![w.must("$T $x = #; int $k = 0;", [self.simple()])];
        let inner = self.one_of([
            "if (($x += $j) & 2) continue; if ($x & # & 4) goto $L; if ($j == 3) break; $x ^= 5;",
            "switch (($x + $j) & 3) { case 0: continue; case 1: $x++; break; case 2: if ($j) goto $M; default: $x += #; }",
            "switch ($j) { for (; $k < 9; $k++) { case 1: $x += 2; if ($x & 1) continue; case 2: $x++; } break; case 3: goto $L; } $x -= # & 1;",
            "do { if (++$k & 1) continue; $x += $k; if ($k > 20) goto $L; } while (($k & 3) && $x != (# & 3));",
            "while ($k++ < 12) { if ($k % 3 == 0) continue; if (($x ^ $k) & 8) break; $x = $x * 3 + (# & 1); }",
            "if (# & 1) goto $M; $x = $x + 1;",
        ]);
        let children = [self.simple(), self.simple(), self.full(1)];
        let text = format!(
            "for (int $i = 0; $i < 3; $i++) {{ if ((# & 7) == $i) continue; \
             for (int $j = 0; $j < 4; $j++) {{ {inner} if ($j) break; }} $M: $x += $i; if (# && $k++ > 40) break; }} $L: $x ^= 1;"
        );
        lines.push(w.must(&text, children));
        lines.push(w.may("@mix($x + $k);", []));
        Node::statement("#", [Node::block(lines)])
    }

    /// Objects of literals and of statement expressions, and arrays whose length is computed.
    pub(super) fn temporary_objects(&mut self) -> Node {
        let (ty, name) = self.named_type();
        let w = self.words(&[('S', "@S"), ('f', "@f"), ('g', "@f"), ('h', "@f"), ('p', "p"), ('n', "n"), ('y', "y")]);
        let w = w.with('T', name);
        self.outside(w.may("struct $S { $T v; $T *to; $T w[2]; };", []));
        self.outside(w.may("static unsigned $f(const struct $S *s) { return *s->to * 3 + s->v + s->w[1]; }", []));
        let sum = self.one_of(["int n, $T a[n]", "int n, $T a[static 1]", "int n, $T *a"]);
        self.outside(w.may(
            &format!(
                "static $T $g({sum}) {{ $T s = 0; for (int i = 0; i < n; i++) {{ s += a[i]; a[i] += i; }} return s; }}"
            ),
            [],
        ));
        // Seldom, because front ends may refuse it, which hides the rest of the program.
        let rows = self.chance(6);
        let length = if rows { "m" } else { "4" };
        let inner = if rows { w.text("$n") } else { "4".to_owned() };
        let w = w.with('M', length).with('N', inner);
        self.outside(w.may(
            "static $T $h(int n, int m, $T a[n][$M]) { $T s = 0; for (int i = 0; i < n; i++) \
             for (int j = 0; j < m; j++) s = s * 3 + (a[i][j] += j); return s + sizeof a[0] / sizeof a[0][0]; }",
            [],
        ));
        let mut lines = vec![w.must("int $n = (# & 3) + 1;", [self.simple()])];
        lines.push(w.must("$T *$p = ($T[4]){#, 2, #};", [self.simple(), self.simple()]));
        let ways = ["(*$p)", "$p[3]"].map(|way| (w.text(way), ty.clone()));
        lines.push(self.around(ways.into()));
        let gnu = self.has(Part::Gnu);
        for _ in 0..self.rng.u32(2..=5) {
            let step = match self.rng.u32(0..10) {
                0 => "@mix($f(&(struct $S){#, $p, {1, 2}}));",
                1 => {
                    "{ struct $S *s = &(struct $S){.to = $p + 1, .v = #}; s->to[1] = s->v; s->to = &s->w[1]; *s->to = 4; @mix($f(s)); }"
                }
                2 => "@mix($g(3, ($T[]){#, 5, 6, 7}));",
                3 => "@mix($g($n, $p) + (# & 1));",
                4 => {
                    "{ $T $y[$n]; for (int i = 0; i < $n; i++) $y[i] = # + i; @mix($g($n, $y)); @mix($g($n, $y) + sizeof $y); }"
                }
                5 => {
                    "{ $T $y[$n][$N]; for (int i = 0; i < $n * $N; i++) $y[i / $N][i % $N] = # + i; \
                     @mix($h($n, $N, $y)); $T (*r)[$N] = $y + $n; r--; @mix((*r)[0] + r[0][$N - 1]); }"
                }
                6 if gnu => {
                    "$p[1] += ({ $T t[2] = {#, 3}; $T *q = t; for (int i = 0; i < 3; i++) q[i & 1] += i; q[1]; });"
                }
                7 if gnu => "@mix(({ struct $S s = {.to = $p}; struct $S *q = &s; q->w[0] = #; *q; }).w[0]);",
                8 if gnu => "@mix(({ int t = $n; while (t-- > 0) if ($p[t & 3] == #) break; t; }));",
                _ => "for (int i = 0; i < 3; i++) { $T *q = &($T){#}; *q += i; @mix(*q); }",
            };
            lines.push(w.may(step, [self.simple()]));
        }
        lines.push(w.may("@mix($p[0] + $p[1] * 3 + $p[2] * 5 + $p[3] * 7);", []));
        Node::statement("#", [Node::block(lines)])
    }
}
