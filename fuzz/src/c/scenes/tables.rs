//! Global objects that begin with addresses in them: of objects, functions and texts.

use crate::c::Generator;
use crate::c::tree::Node;
use crate::c::types::Type;

impl Generator {
    /// Global pointers with their initialisers, and a list that is there from the start.
    pub(super) fn static_addresses(&mut self) -> Node {
        let (ty, name) = self.named_type();
        let stems = [
            ('a', "@a"),
            ('p', "@p"),
            ('q', "@q"),
            ('S', "@S"),
            ('x', "@x"),
            ('y', "@y"),
            ('r', "@r"),
            ('f', "@f"),
            ('o', "p"),
        ];
        let w = self.words(&stems).with('T', name);
        let values = [self.constant(), self.constant(), self.constant()];
        self.outside(w.may("static $T $a[6] = {#, #, 3, #};", values));
        let to = self.one_of(["&$a[3]", "$a + 2", "&$a[5] - 1", "$a", "&*$a", "&4[$a]"]);
        self.outside(w.may(&format!("$T *$p = {to};"), []));
        self.outside(w.may("static $T **$q = &$p;", []));
        let value = self.constant();
        let nodes = self.one_of([
            "struct $S { $T v; $T *to; struct $S *next; }; static struct $S $x[3]; \
             static struct $S $y = {#, &$a[1], &$x[1]}; \
             static struct $S $x[3] = {{1, $a, &$x[1]}, {2, $a + 2, &$x[2]}, {.to = &$a[5], .next = 0}};",
            "struct $S { struct $S *next; $T *to, v; }; \
             static struct $S $x[3] = {[1] = {&$x[2], &$a[4], 8}, [2] = {.v = 6, .to = $a}, \
             [0] = {$x + 1, &$x[2].v, #}}, $y = {&$x[1], &$y.v, 7};",
        ]);
        self.outside(w.may(nodes, [value]));
        self.outside(w.may("static struct $S *$r[2] = {&$x[0], &$y};", []));
        let count = self.one_of(["n += 2; return &n;", "static $T *p = &n; *p += 1; return p;"]);
        self.outside(w.may(&format!("static $T *$f(void) {{ static $T n = 3; {count} }}"), []));
        let mut lines = Vec::new();
        let mut ways: Vec<(String, Type)> =
            ["(*$p)", "(**$q)", "$a[1]", "$r[0]->v", "(*$r[1]->to)", "$r[1]->next->v", "$x[2].v"]
                .map(|way| (w.text(way), ty.clone()))
                .into();
        let pointer = Type::Pointer(Box::new(ty.clone()));
        ways.push((w.text("(*$r[0]->next).v"), ty));
        lines.push(self.around(ways));
        lines.push(w.must("$T *$o = $p;", []));
        lines.push(self.around(vec![(w.text("$o"), pointer)]));
        for _ in 0..self.rng.u32(2..=4) {
            let step = self.one_of([
                "for (struct $S *s = $r[# & 1]; s; s = s->next) { *s->to += s->v; @mix(*s->to); }",
                "*$q = &$a[# & 3];",
                "**$q = #;",
                "*$f() += #;",
                "@mix(*$f() + (# & 1));",
                "$r[# & 1]->next->v ^= 6;",
                "$r[0]->to = &$r[1]->v; $r[1]->v = #;",
                "@mix($p - $a + (# & 1));",
                "$y.next = $x[1].next; $x[0].next->v = #;",
            ]);
            lines.push(w.may(step, [self.simple()]));
        }
        lines.push(w.may("for (int i = 0; i < 6; i++) @mix($a[i]);", []));
        Node::statement("#", [Node::block(lines)])
    }

    /// Structs with functions in them, functions as arguments and results.
    pub(super) fn operations(&mut self) -> Node {
        let (_, name) = self.named_type();
        let (_, other) = self.named_type();
        let stems =
            [('S', "@S"), ('f', "@f"), ('g', "@f"), ('h', "@f"), ('k', "@f"), ('o', "@o"), ('F', "@F"), ('x', "x")];
        let w = self.words(&stems).with('T', name).with('O', other);
        self.outside(w.may("typedef $T $F($T, $O *);", []));
        self.outside(w.may("static $T $f($T x, $O *p) { *p += x; return x ^ *p; }", []));
        self.outside(w.may("static $T $g($T x, $O *p) { return *p ? x - 1 : (*p = x); }", []));
        self.outside(
            w.may("static $T $h($F *f, $T x, int n) { $O y = n; while (n-- > 0) x += f(x, &y); return x + y; }", []),
        );
        self.outside(w.may("static $F *$k(int c) { return c & 1 ? $f : &$g; }", []));
        let members = self.one_of(["const char *name; $F *f; $T n;", "$T n; $T (*f)($T, $O *); char name[8];"]);
        self.outside(w.may(&format!("struct $S {{ {members} }};"), []));
        let mutable = self.one_of(["", "const "]);
        let table = format!(
            "static {mutable}struct $S $o[4] = {{{{.name = \"add\", .f = $f, .n = 3}}, {{.f = &$g, .name = \"\"}}, \
             {{.f = $g, .n = #, .name = \"sieve\"}}, {{.f = $f, .name = \"x\\0y\"}}}};"
        );
        let value = self.constant();
        self.outside(w.may(&table, [value]));
        let mut lines = vec![w.must("$O $x = #;", [self.simple()])];
        for _ in 0..self.rng.u32(2..=5) {
            let step = self.one_of([
                "@mix($o[# & 3].f(2, &$x));",
                "@mix($h($o[# & 3].f, 5, 2));",
                "@mix($k(#)(7, &$x));",
                "@mix((*$k(#))($x, &$x));",
                "{ struct $S *s = (struct $S *)&$o[# & 3]; @mix(s->f(s->n, &$x) + s->name[0]); }",
                "{ struct $S s = $o[# & 3]; s.f = s.f == $f ? $g : $f; s.n++; @mix(s.f(s.n, &$x)); }",
                "for (int i = 0; i < 4; i++) if ($o[i].f == $k(#)) @mix(i + strlen($o[i].name));",
                "{ $F *t[2] = {$k(0), $k(1)}, **u = t; u += # & 1; @mix((*u)(1, &$x) + (u - t)); }",
                "while ($h($f, $x, 1) & 1 && $x != 0) { $x = $x / 2; @mix(# & 1); }",
            ]);
            lines.push(w.may(step, [self.simple()]));
        }
        lines.push(w.may("@mix($x);", []));
        Node::statement("#", [Node::block(lines)])
    }

    /// Texts, and pointers that walk over them.
    pub(super) fn letters(&mut self) -> Node {
        let w = self.words(&[('t', "@t"), ('c', "c"), ('s', "s"), ('f', "@f"), ('n', "n")]);
        let table = self.one_of([
            "static const char *$t[4] = {\"one\", \"\", \"three\" + 1, \"four\"};",
            "static char $t[4][6] = {\"one\", {'t', 'w', 'o'}, \"three\"};",
            "static const char *const $t[] = {[3] = \"ab\\0c\", [0] = \"\\x80\\xff\", \"u\", \"v\" \"w\"};",
        ]);
        self.outside(w.may(table, []));
        let count = self.one_of([
            "int n = 0; while (*s++) n++; return n;",
            "const char *e = s; while (*e) e++; return e - s;",
            "return *s ? 1 + $f(s + 1) : 0;",
            "int n; for (n = 0; s[n] != '\\0'; ++n); return n;",
        ]);
        self.outside(w.may(&format!("static int $f(const char *s) {{ {count} }}"), []));
        let mut lines = vec![w.must("char $c[16] = \"tamis\", *$s = $c; int $n = # & 3;", [self.simple()])];
        for _ in 0..self.rng.u32(2..=6) {
            let step = self.one_of([
                "@mix($f($t[# & 3]));",
                "{ const char *s = $t[# & 3]; char *d = $c; while ((*d++ = *s++)); }",
                "$s = $c + $f($c); *$s++ = 'a' + (# & 7); *$s = 0; if ($f($c) > 10) $c[0] = 0;",
                "for (const char *s = \"walk\\377\"; *s; s++) { $n = $n * 31 + *s; @mix($n + (# & 1)); }",
                "{ char *a = $c, *b = $c + $f($c); while (a < b) { char t = *a; *a++ = *--b; *b = t; } @mix(#); }",
                "@mix(strlen($c) + (# & 1));",
                "@mix(($t[# & 3])[0] == $c[0]);",
                "{ const char *s = # & 1 ? \"yes\" : \"no\"; @mix(s[1] + $f(s)); }",
                "memcpy($c + 2, $t[# & 3], 1);",
                "{ const char *a = $c, *b = $t[# & 3]; while (*a && *a == *b) a++, b++; @mix(*a - *b); }",
                "switch (*$c) { case 't': case 'o': $n++; break; default: $n ^= #; }",
            ]);
            lines.push(w.may(step, [self.simple()]));
        }
        lines.push(w.may("for (int i = 0; $c[i]; i++) @mix($c[i] + $n);", []));
        Node::statement("#", [Node::block(lines)])
    }
}
