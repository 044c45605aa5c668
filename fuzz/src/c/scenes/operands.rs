//! Side effects where expressions seldom stand: in bounds and sizes, in types, beside operands
//! that are not evaluated. C says of each place whether its effect takes place.

use crate::c::Generator;
use crate::c::features::Part;
use crate::c::tree::Node;

/// What is evaluated once, and changes `$n` or `$m` each at most once.
const EVALUATED: &[&str] = &[
    "{ $T v[($n++ & 3) + 1]; v[0] = #; @mix(sizeof v + v[0]); }",
    "for (int i = 0; i < 3; i++) { $T v[$n++ % 3u + 1]; v[0] = i; @mix(sizeof v / sizeof *v + v[0]); } @mix(#);",
    "@mix(sizeof($T[($n++ & 3) + 1]) + (# & 1));",
    "@mix(__builtin_expect($n++, $m++) + (# & 1));",
    "if (__builtin_expect($n & 1, ($m++, 1))) $n += 2; else $n--; @mix(#);",
    "@mix(($n++ & 1 ?: $m++) + #);",
    "@mix((# & 3) ?: $n++);",
    "for (int i = ($n++, 0), j = 3; i < j; i++, j--) @mix(i * j + #);",
    "for ($n = 0, $m = 3; $n < $m; $n++, $m--) @mix($n - $m + #);",
    "$a[$n++ & 7] = #;",
    "$a[$n = # & 7] += 3;",
    "($n++ & 7)[$a] ^= #;",
    "$a[(# & 1) + ($m++ & 3)]++;",
    "{ $T *p = &$a[$n++ & 3]; *p++ = #; ++*p; (*p)--; @mix(*p++); @mix(p - $a); @mix(*--p); }",
    "@mix(*(&$a[2] - ($n++ & 1)) + (# & 1));",
    "@mix(($n++, $m--, #));",
    "@mix(# & 1 ? $n++ : $m++);",
    "@mix((# & 1) && $n++ || $m--);",
    "@mix((($T[2]){$n++, #})[1] + ((int[]){4, 5, 6})[$m++ & 1]);",
    "@mix($h($n++, #, $m--));",
    "if (($n = # & 7)) @mix($n); else $m++;",
    "while (($m = ($m & 15) >> 1)) @mix($m + #);",
    "do $m++; while ((++$n & 3) && $m < 9); @mix(#);",
    "switch ($n++ & 3) { case 0: $m++; case 1: $a[1] = #; break; default: $m--; }",
    "if ($n++, # & 1) $m = 3; else $m = $n;",
    "@mix($f(# & 7, $a));",
    "@mix($g(# & 7, $a, $a + 1));",
    "@mix(($n += 3, $a[$n & 7] = #) + 1);",
];

/// What is not evaluated.
const UNEVALUATED: &[&str] = &[
    "@mix(sizeof($n++) + sizeof($a[$m++]) * 3 + sizeof $f($n++, $a) + (# & 1));",
    "@mix(sizeof($n = #) + sizeof *&$a[$n++]);",
    "{ $T v[3]; v[1] = #; @mix(sizeof v[$n++] + sizeof(v) + v[1]); }",
    "@mix(_Alignof($T) + __alignof__($a[0]) * 3 + __alignof__($n++) * 5 + (# & 1));",
    "{ __typeof__($n++) t = #; @mix(t); }",
    "{ __typeof__(*&$a[$n++]) t = #; @mix(t + sizeof t); }",
    "@mix(_Generic($n++, int: #, default: 3));",
    "@mix(_Generic($m--, long: 1, default: #));",
    "(void)$n++; (void)sizeof($n++); @mix($n + #);",
    "@mix(__builtin_constant_p($n++) + (# & 1));",
    "@mix(0 && $n++ || (1 || $m++) + (# & 1));",
];

/// What is a constant where constants are asked for.
const CONSTANT: &[&str] = &[
    "{ static $T t = sizeof($T[3]) * 2 + (1 ? 2 : 3) - _Alignof(int); t += #; @mix(t); }",
    "{ static const int t[sizeof(struct $S) > 4 ? 2 : 3] = {sizeof(int[2]), ~0}; @mix(t[# & 1] + sizeof t); }",
    "{ static unsigned long t = (unsigned long)&((struct $S *)0)->w[1] + __builtin_offsetof(struct $S, v); @mix(t + #); }",
    "{ enum { A = sizeof(char[7]), B = (int)-1U, C = A > B }; @mix(A * 100 + B * 10 + C + (# & 1)); }",
    "{ _Static_assert(sizeof($T) * 8 >= 1, \"\"); struct { int b : sizeof($T) + 1; } t = {#}; @mix(t.b); }",
    "switch (# & 7) { case sizeof(char): $n = 1; break; case 'a' - 'a' + 2: $m = 1; break; case _Alignof(int) - 1: $n++; }",
];

/// What front ends may refuse, which hides the rest of the program.
const SELDOM: &[&str] = &[
    "{ __typeof__($T[($n++ & 3) + 1]) t; t[0] = #; @mix(sizeof t + t[0]); }",
    "@mix((*($T (*)[($n++ & 3) + 1])$a)[0] + #);",
    "{ typedef $T V[($n++ & 3) + 1]; V t; $n += 5; t[0] = #; @mix(sizeof(V) + sizeof t + t[0]); }",
    "@mix(__builtin_offsetof(struct $S, w[$n++ & 1]) + (# & 1));",
    "@mix(__builtin_choose_expr(1, $n, $m++) + __builtin_types_compatible_p(int, __typeof__($n++)) + #);",
    "{ $T v[2][($n++ & 1) + 1]; v[1][0] = #; @mix(sizeof v + sizeof v[0] + v[1][0]); }",
    "@mix(__alignof__($f) + (# & 1));",
];

/// Statement expressions, with ways out of them.
const INSIDE: &[&str] = &[
    "@mix(({ $n++; int t = #; t + 1; }));",
    "for (int i = 0; i < 3; i++) @mix(({ if (i == 1) continue; $n++; i + #; }));",
    "while ($m++ < 9) { int t = ({ if ($m > 5) break; $m; }); @mix(t + #); }",
    "$a[({ $n++; $n & 7; })] = #;",
    "@mix(({ int t = #; { int t = 2; $n += t; } t; }) ? $n : $m);",
    "@mix(({ switch (# & 3) { case 0: $n++; case 1: $m++; } $n; }) + 1);",
    "{ int t = ({ __typeof__($n) u = $n; u++; u * 2; }) + (# & 1); @mix(t); }",
];

/// Types that `_Generic` tells apart.
const SELECTED: &str = "_Generic($O, char: 1, signed char: 2, unsigned char: 3, short: 4, unsigned short: 5, int: 6, \
     unsigned: 7, long: 8, unsigned long: 9, long long: 10, unsigned long long: 11, _Bool: 12, char *: 13, default: 14)";

/// What is selected by. Bit-fields and enums have no type of their own in all compilers.
const SELECTORS: &[&str] = &[
    "($T)#",
    "$a[$n++]",
    "+$a[0]",
    "$n++ + 1L",
    "($m--, 'a')",
    "\"text\"",
    "$a",
    "sizeof $n++",
    "# & 1",
    "(char)# + (char)1",
    "1u << ($n++ & 3)",
    "1 ? ($T)0 : 1u",
    "(unsigned char)3 ? 1 : 2LL",
    "-(unsigned short)#",
    "!1L",
    "&$a[1]",
    "0xffffffff",
    "2147483648",
];

impl Generator {
    /// Effects in all kinds of places.
    pub(super) fn operands(&mut self) -> Node {
        let (_, name) = self.named_type();
        let stems = [('S', "@S"), ('f', "@f"), ('g', "@f"), ('h', "@f"), ('a', "a"), ('n', "n"), ('m', "m")];
        let w = self.words(&stems).with('T', name);
        self.outside(w.may("struct $S { char c; $T v; $T w[2]; };", []));
        let bound =
            self.one_of(["a++ & 7 | 1", "(a += 2) & 3 | 1", "(a ^= 5, 2)", "static a++ & 3 | 1", "const (a--, 1)"]);
        self.outside(w.may(&format!("static int $f(int a, $T b[{bound}]) {{ return a * 3 + (b[0] & 1); }}"), []));
        let second = self.one_of(["(a *= 3, 4)", "(a = -a) & 1 | 2", "a++ & 1 | 2"]);
        self.outside(w.may(
            &format!("static int $g(int a, $T b[{bound}], $T c[{second}]) {{ return a * 5 + sizeof b - sizeof c; }}"),
            [],
        ));
        self.outside(w.may("static int $h(int a, int b, int c) { return a * 5 + b * 3 + c; }", []));
        let mut lines = vec![w.must("$T $a[8] = {#, 1, #, 3, 4}; int $n = 1, $m = 2;", [self.simple(), self.simple()])];
        for _ in 0..self.rng.u32(4..=8) {
            let gnu = self.has(Part::Gnu);
            let text = match self.rng.u32(0..16) {
                0..=6 => self.rng.choice(EVALUATED).copied(),
                7..=9 => self.rng.choice(UNEVALUATED).copied(),
                10 => self.rng.choice(CONSTANT).copied(),
                11 | 12 if gnu => self.rng.choice(INSIDE).copied(),
                13 if self.chance(6) => self.rng.choice(SELDOM).copied(),
                14 | 15 => Some("@mix($X);"),
                _ => self.rng.choice(EVALUATED).copied(),
            };
            let selector = self.rng.choice(SELECTORS).copied().unwrap_or("1");
            let text = text.unwrap_or(";").replace("$X", &SELECTED.replace("$O", selector));
            let children: Vec<Node> = text.matches('#').map(|_| self.simple()).collect();
            lines.push(w.may(&format!("{text} $n &= 7; $m &= 7;"), children));
        }
        lines.push(w.may("@mix($n * 10 + $m); for (int i = 0; i < 8; i++) @mix($a[i]);", []));
        Node::statement("#", [Node::block(lines)])
    }
}
