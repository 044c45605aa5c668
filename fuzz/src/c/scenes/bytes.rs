//! Addresses as numbers, objects as bytes, and bytes that move between objects.

use super::Words;
use crate::c::Generator;
use crate::c::features::Part;
use crate::c::tree::Node;

/// Members of structs without padding: how they are written, and their size.
const MEMBERS: &[(&str, u32)] = &[
    ("int $", 4),
    ("unsigned $", 4),
    ("short $[2]", 4),
    ("unsigned char $[4]", 4),
    ("signed char $[8]", 8),
    ("unsigned short $[2][2]", 8),
    ("int $[2]", 8),
    ("struct { unsigned char b[4]; short s[2]; } $", 8),
];

impl Generator {
    /// Addresses that become numbers and addresses again.
    pub(super) fn numbered_addresses(&mut self) -> Node {
        let ty = self.full_type();
        let w = self.words(&[('U', "@U"), ('a', "a"), ('x', "x"), ('u', "u"), ('v', "v")]);
        let w = w.with('T', self.type_name(&ty));
        self.outside(w.may("typedef unsigned long $U;", []));
        let values = [self.simple(), self.simple(), self.simple(), self.simple()];
        let mut lines = vec![w.must("$T $x = #, $a[4] = {#, #, #, 9};", values)];
        lines.push(w.must("$U $u = ($U)&$x, $v = ($U)&$a[1];", []));
        let ways = ["(*($T *)$u)", "(*($T *)$v)", "(($T *)$v)[1]", "(*($T *)($v - sizeof($T)))", "$a[2]"];
        lines.push(self.around(ways.map(|way| (w.text(way), ty.clone())).into()));
        for _ in 0..self.rng.u32(2..=4) {
            let step = self.one_of([
                "*($T *)$u = #;",
                "$v = ($U)($a + (# & 3));",
                "*($T *)$v += #;",
                "@mix(($U)&$a[# & 3] - ($U)$a);",
                "$u = # & 1 ? ($U)&$x : $v;",
                "{ $U s = $u; $u = $v; $v = s; @mix($u != $v || (# & 1)); }",
                "for ($U s = ($U)$a; s < ($U)($a + 4); s += sizeof($T)) *($T *)s ^= #;",
                "if ($u == ($U)&$x) $x += #;",
                "{ void *s = (void *)$v; long t = (long)s; *($T *)t = #; }",
                "if ($v != ($U)&$x) @mix((($T *)$v - $a) * 5 + (# & 1));",
                "{ int k = #, *s = (int *)((($U)&k | 1) & ~1ul); *s += 3; @mix(k + (($U)s & 3)); }",
            ]);
            lines.push(w.may(step, [self.simple()]));
        }
        lines.push(w.may("@mix($x + $a[0] * 3 + $a[1] * 5 + $a[2] * 7 + $a[3] + *($T *)$u + *($T *)$v);", []));
        Node::statement("#", [Node::block(lines)])
    }

    /// A struct without padding, with members m0, m1, …; and its size.
    fn dense_struct(&mut self, w: &Words, tag: char) -> (Vec<(String, u32)>, u32) {
        let (mut members, mut text, mut size) = (Vec::new(), String::new(), 0);
        for at in 0..self.rng.u32(2..=4) {
            let (member, bytes) = MEMBERS[self.rng.usize(0..MEMBERS.len())];
            text.push_str(&member.replace('$', &format!("m{at}")));
            text.push_str("; ");
            members.push((format!("m{at}"), bytes));
            size += bytes;
        }
        self.outside(Node::statement(&w.text(&format!("struct ${tag} {{ {text}}};")), []));
        (members, size)
    }

    /// Structs looked at and changed byte by byte, or by functions of `<string.h>`.
    pub(super) fn bytes_of_structs(&mut self) -> Node {
        let stems = [('A', "@S"), ('B', "@S"), ('x', "x"), ('y', "y"), ('c', "c"), ('d', "d"), ('z', "@x")];
        let w = self.words(&stems);
        let (first, size) = self.dense_struct(&w, 'A');
        let (_, other) = self.dense_struct(&w, 'B');
        let mut lines = Vec::new();
        lines.push(match self.rng.u32(0..3) {
            0 if self.has(Part::Heap) => w.must("struct $A *$x = malloc(2 * sizeof(struct $A)); struct $B $y[2];", []),
            1 if self.has(Part::Heap) => w.must("static struct $A $x[2]; struct $B *$y = malloc(2 * sizeof *$y);", []),
            _ => w.must("struct $A $x[2]; static struct $B $y[2];", []),
        });
        lines.push(w.must("unsigned char *$c = (unsigned char *)$x, *$d = (unsigned char *)$y;", []));
        lines.push(w.must("memset($x, #, 2 * sizeof(struct $A));", [self.simple()]));
        let fill = [self.simple(), self.simple()];
        lines.push(w.must("for (int i = 0; i < 2 * (int)sizeof(struct $B); i++) $d[i] = i * # + #;", fill));
        for _ in 0..self.rng.u32(3..=7) {
            let count = self.rng.u32(1..=(2 * size).min(2 * other));
            let (from, to) = (self.rng.u32(0..=2 * other - count), self.rng.u32(0..=2 * size - count));
            let (member, bytes) = self.rng.choice(&first).cloned().unwrap_or_default();
            let (part, start) = (self.rng.u32(1..=bytes), self.rng.u32(0..=1));
            let shift = (self.rng.u32(0..=2 * size - count), self.rng.u32(0..=2 * size - count));
            let step = match self.rng.u32(0..12) {
                0 => format!("memcpy($c + {to}, $d + {from}, {count}); @mix(#);"),
                1 => format!("memmove($c + {}, $c + {}, {count}); @mix(#);", shift.0, shift.1),
                2 => format!("memset(&$x[{start}].{member}, #, {part});"),
                3 => format!("memcpy($d + {from}, $c + {to}, {count}); @mix(#);"),
                4 => "$x[# & 1] = $x[0];".to_owned(),
                5 => "{ struct $A t = *$x, *p = &t; *p = $x[1]; $x[1] = *$x; $x[0] = t; @mix(#); }".to_owned(),
                6 => format!("for (int i = 0; i < {count}; i++) $c[i + {to}] ^= $d[i + {from}] + #;"),
                7 => format!("$c[(unsigned)# % {}] = 77;", 2 * size),
                8 => format!("{{ char *e = (char *)&$x[1]; e[-(int)((unsigned)# % {size})] += 3; }}"),
                9 => format!("{{ unsigned v = #; memcpy(&v, $c + {}, 3); memcpy($d + {}, &v, 4); }}", to / 2, from / 2),
                10 => format!("@mix(memcmp($c + {to}, $d + {from}, {count}) < 0); @mix(#);"),
                _ => format!("{{ void *e = &$x[{start}].{member}; memset(e, #, sizeof $x->{member}); }}"),
            };
            lines.push(w.may(&step, [self.simple()]));
        }
        lines.push(w.may("for (int i = 0; i < 2 * (int)sizeof(struct $A); i++) @mix($c[i]);", []));
        lines.push(w.may("for (int i = 0; i < 2 * (int)sizeof(struct $B); i += 3) @mix($d[i]);", []));
        for (member, bytes) in first {
            lines.push(w.may(&format!("{{ int t; memcpy(&t, &$x[1].{member}, 4); @mix(t + {bytes}); }}"), []));
        }
        Node::statement("#", [Node::block(lines)])
    }

    /// An array whose elements move over each other; pointers into its middle.
    pub(super) fn overlapping(&mut self) -> Node {
        let ty = self.full_type();
        let w = self.words(&[('a', "a"), ('m', "m"), ('p', "p")]).with('T', self.type_name(&ty));
        let mut lines = Vec::new();
        let values = [self.simple(), self.simple(), self.simple(), self.simple()];
        lines.push(w.must("$T $a[8] = {#, #, 3, #, 5, #}, *$m = &$a[4], *$p = $m;", values));
        let ways = ["$m[-1]", "(*($m - 3))", "(-2)[$m]", "$a[4]", "(*$p)"].map(|way| (w.text(way), ty.clone()));
        lines.push(self.around(ways.into()));
        for _ in 0..self.rng.u32(2..=5) {
            let (from, to) = (self.rng.u32(0..=4), self.rng.u32(0..=4));
            let step = match self.rng.u32(0..10) {
                0 | 1 => format!("memmove(&$a[{to}], $a + {from}, 4 * sizeof($T)); @mix(#);"),
                2 => format!("memmove($m - {to}, &$a[{from}], 3 * sizeof *$a + {}); @mix(#);", to.min(1)),
                3 => "$m[-(int)(# & 3)] += 3;".to_owned(),
                4 => "$p = $m - (# & 3);".to_owned(),
                5 => "@mix($p - &$a[# & 7]);".to_owned(),
                6 => "@mix(&$m[-(int)(# & 3)] - $a + ($m > $p));".to_owned(),
                7 => "$p = &$m[3]; while ($p > $a) { $p[-1] += *$p; $p--; } @mix(#);".to_owned(),
                8 => "{ $T *e = $a + 8; int n = # & 7; while (n--) { e--; *e ^= e[-1]; } }".to_owned(),
                _ => "{ $T (*r)[4] = ($T (*)[4])$a; r[1][# & 3] = r[0][2] + (*(r + 1))[1]; }".to_owned(),
            };
            lines.push(w.may(&step, [self.simple()]));
        }
        lines.push(w.may("for (int i = -4; i < 4; i++) @mix($m[i]);", []));
        lines.push(w.may("@mix(*$p + ($p - $m));", []));
        Node::statement("#", [Node::block(lines)])
    }

    /// Unions and bit-fields inside of structs, through pointers.
    pub(super) fn overlaid(&mut self) -> Node {
        let (_, name) = self.named_type();
        let w = self.words(&[('W', "@W"), ('f', "@f"), ('p', "p"), ('x', "x"), ('z', "@x")]).with('T', name);
        let union = "{ unsigned i; unsigned char b[4]; short h[2]; struct { unsigned lo : 5, mid : 20, hi : 7; } f; }";
        let form = match self.rng.u32(0..3) {
            0 => format!("struct $W {{ $T k; union {union} u; int n : 3; unsigned m : 11; $T t[2][2]; }};"),
            1 => format!(
                "union $W {{ union {union} u; struct {{ int pad; int n : 3; unsigned m : 11; $T k, t[2][2]; }}; }};"
            ),
            _ => format!("struct $W {{ unsigned m : 11; union {union} u; struct {{ $T t[2][2], k; }}; int n : 9; }};"),
        };
        let w = w.with('K', if form.starts_with("union") { "union" } else { "struct" });
        self.outside(w.may(&form, []));
        self.outside(w.may(
            "static int $f($K $W *p, $K $W v) { p->m += v.m; p->u.b[1] ^= v.n; v.u.h[1] = p->n; return v.u.i; }",
            [],
        ));
        let mut lines = vec![match self.rng.u32(0..3) {
            0 if self.has(Part::Heap) => w.must("$K $W *$p = calloc(2, sizeof *$p);", []),
            1 => w.must("static $K $W $x[2]; $K $W *$p = $x;", []),
            _ => w.must("$K $W $x[2] = {{0}, {0}}, *$p = &$x[0]; memset($x, 0, sizeof $x);", []),
        }];
        for _ in 0..self.rng.u32(3..=8) {
            let at = self.one_of(["$p->", "$p[1].", "(*($p + 1)).", "($p + 1)->"]);
            let step = match self.rng.u32(0..12) {
                0 => format!("{at}u.i = #;"),
                1 => format!("{at}u.b[# & 3] += 7;"),
                2 => format!("{at}u.h[# & 1] = -5;"),
                3 => format!("{at}u.f.mid = #;"),
                4 => format!("{at}n = #;"),
                5 => format!("{at}m -= #;"),
                6 => format!("{at}t[# & 1][1] += {at}u.f.hi;"),
                7 => "$p[# & 1] = $p[0];".to_owned(),
                8 => "@mix($f($p, $p[# & 1]));".to_owned(),
                9 => format!("{{ unsigned char *c = {at}u.b; c[# & 3] ^= 9; }}"),
                10 => format!("{{ $T (*r)[2] = {at}t, *s = r[1]; s[-(int)(# & 1)] = 4; (*r)[1] += s[0]; }}"),
                _ => format!("@mix({at}n++ + --{at}m + {at}u.f.lo + (# & 1));"),
            };
            lines.push(w.may(&step, [self.simple()]));
        }
        for at in ["$p->", "$p[1]."] {
            lines.push(
                w.may(&format!("@mix({at}u.i + {at}n); @mix({at}m + {at}k); @mix({at}t[0][1] + {at}t[1][0]);"), []),
            );
        }
        Node::statement("#", [Node::block(lines)])
    }
}
