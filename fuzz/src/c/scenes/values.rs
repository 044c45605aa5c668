//! Volatile objects, and floating-point numbers as far as no rounding is involved.

use crate::c::Generator;
use crate::c::tree::Node;

impl Generator {
    /// Volatile objects, which are ordinary ones here.
    pub(super) fn volatile_objects(&mut self) -> Node {
        let (ty, name) = self.named_type();
        let stems = [('v', "v"), ('a', "a"), ('p', "p"), ('s', "s"), ('S', "@S"), ('g', "@g"), ('n', "n")];
        let w = self.words(&stems).with('T', name);
        self.outside(w.may("struct $S { volatile $T m; $T n; volatile unsigned b : 5; };", []));
        let value = self.constant();
        self.outside(w.may("static volatile $T $g = #;", [value]));
        let mut lines = vec![w.must("volatile $T $v = #; $T volatile $a[4] = {#};", [self.simple(), self.simple()])];
        lines.push(w.must("struct $S $s = {#, 1}; volatile $T *$p = &$v; volatile int $n = 0;", [self.simple()]));
        // The member is not volatile, so that any pointer may point to it.
        lines.push(self.around(vec![(w.text("$s.n"), ty)]));
        for _ in 0..self.rng.u32(2..=6) {
            let step = self.one_of([
                "$v = #;",
                "$v += #;",
                "*$p ^= #;",
                "$p = &$a[# & 3];",
                "$a[# & 3]++;",
                "$s.m = #;",
                "$s.b += #;",
                "$p = (# & 1) ? &$s.m : &$g;",
                "while ($n < 3) { $n++; @mix($g + #); }",
                "{ struct $S t = $s; t.m -= 2; $s = t; @mix(#); }",
                "$g = $v; @mix(#);",
                "for (volatile unsigned char i = 0; i < 3; i++) $a[i] = $a[i + 1] + #;",
            ]);
            lines.push(w.may(step, [self.simple()]));
        }
        lines.push(w.may("@mix($v); @mix(*$p); @mix($g); @mix($s.m); @mix($s.b); @mix($a[0]); @mix($a[1]);", []));
        Node::statement("#", [Node::block(lines)])
    }

    /// Floating-point numbers that are moved about and compared.
    pub(super) fn floats(&mut self) -> Node {
        let ty = self.one_of(["float", "double", "float", "double", "float", "double", "long double"]);
        let suffix = match ty {
            "float" => "f",
            "double" => "",
            _ => "L",
        };
        let stems = [('S', "@S"), ('f', "@f"), ('g', "@g"), ('x', "x"), ('y', "y"), ('a', "a"), ('p', "p"), ('s', "s")];
        let w = self.words(&stems).with('D', ty).with('Z', suffix);
        self.outside(w.may("struct $S { $D d; int n; $D e[2]; };", []));
        self.outside(w.may("static $D $f($D a, $D b, int c) { return c ? a : b; }", []));
        self.outside(w.may("static $D $g[2] = {1.5, -0.25};", []));
        let mut lines = vec![w.must("$D $x = 2.5, $y = -1.0, $a[4] = {0.5, -3, 8}, *$p = &$x;", [])];
        lines.push(w.must("struct $S $s = {0.75, #, {1.25}};", [self.simple()]));
        for _ in 0..self.rng.u32(2..=6) {
            let step = self.one_of([
                "if ($x > $y) $x = $y; else $y = 4.5; @mix(#);",
                "$a[# & 3] = $x;",
                "$p = &$a[# & 3];",
                "*$p = $g[# & 1];",
                "@mix(($x < $y) + 2 * ($x == *$p) + 4 * ($a[# & 3] >= $y));",
                "$y = $f($a[0], -7.5, # & 1);",
                "{ struct $S t = $s; t.d = $a[# & 3]; t.e[1] = t.d; $s = t; }",
                "$s.e[# & 1] = $s.d;",
                "@mix($s.d != $s.e[# & 1]);",
                "if (!$a[# & 3]) @mix(3); else $x = -0.125;",
                "$x = # ? $y : 100.0$Z;",
                "$g[# & 1] = *$p;",
                "@mix($x <= 0 || $y > 1.0$Z || (# & 1));",
            ]);
            lines.push(w.may(step, [self.simple()]));
        }
        lines.push(w.may("@mix(($x > 0) + 2 * ($y > 0) + 4 * (*$p > $a[1]) + 8 * ($s.d < $s.e[0]) + $s.n);", []));
        Node::statement("#", [Node::block(lines)])
    }
}
