//! Structs and unions that go by value through pointers to functions, and functions that return
//! such pointers.

use crate::c::Generator;
use crate::c::shapes::Shape;
use crate::c::tree::Node;

impl Generator {
    /// Functions on values, chosen at run time.
    pub(super) fn callbacks(&mut self) -> Node {
        let shape = self.shape(1);
        let stems = [
            ('S', "@S"),
            ('F', "@F"),
            ('O', "@S"),
            ('f', "@f"),
            ('g', "@f"),
            ('k', "@f"),
            ('w', "@f"),
            ('t', "@t"),
            ('x', "x"),
            ('o', "o"),
        ];
        let w = self.defined(&shape, &stems);
        self.outside(w.may("typedef $T $F($T, int);", []));
        for name in ["$f", "$g"] {
            let body = self.value_body(&shape);
            self.outside(w.may(&format!("static $T {name}($T v, int n) {{ {body} }}"), []));
        }
        let pick = self.one_of([
            "static $F *$k(int c) { return c & 1 ? $f : &$g; }",
            "static $T (*$k(int c))($T, int) { static $F *const all[2] = {$f, $g}; return all[c & 1]; }",
            "static $T (*$k(int c))($T v, int) { if (c & 1) return $g; return *$f; }",
        ]);
        self.outside(w.may(pick, []));
        let twice = self.one_of([
            "static $T $w($F *f, $T v, int n) { return n > 0 ? f(f(v, n), 1) : f(v, 2); }",
            "static $T $w($T f($T, int), $T v, int n) { if (n <= 0) return v; return $w(f, (*f)(v, n), n - 2); }",
            "static $T $w($F *f, $T v, int n) { $T t = v; while (n-- > 0) t = (**f)(t, n); return t; }",
        ]);
        self.outside(w.may(twice, []));
        let how = self.one_of(["static $F *const $t[4]", "static $T (*$t[4])($T, int)"]);
        self.outside(w.may(&format!("{how} = {{$f, &$g, *$g, [3] = $f}};"), []));
        let members =
            self.one_of(["$F *f; $F *(*next)(int); $T v;", "$T v; $T (*f)($T, int); $T (*(*next)(int))($T, int);"]);
        self.outside(w.may(&format!("struct $O {{ {members} }};"), []));
        let mut lines = vec![w.must("$T $x = #;", [self.shaped_list(&shape, false)])];
        let list = self.shaped_list(&shape, false);
        lines.push(w.must("struct $O $o = {.f = $g, .next = $k, .v = #};", [list]));
        for _ in 0..self.rng.u32(3..=7) {
            let leaf = self.some_leaf(&shape).path;
            let text = self.one_of([
                "$x = $t[# & 3]($x, 2);",
                "$x = (*$t[# & 3])($o.v, #);",
                "@mix($t[# & 3]($x, #)$L);",
                "$x = $k(#)($x, 1);",
                "$o.v = (*$k(#))($x, 3);",
                "@mix($o.f($o.v, #)$L);",
                "$o.v = $o.next(#)($o.v, 2);",
                "$o.f = $k(#);",
                "$o.f = # & 1 ? $f : $g;",
                "$x = (# & 1 ? $f : &$g)($x, #);",
                "$x = $w($o.f, $x, # & 3);",
                "@mix($w($t[# & 3], $o.v, 1)$L);",
                "{ struct $O u = $o; u.f = $t[# & 3]; $o = u; $o.v = u.f(u.v, 1); }",
                "{ $T (*(*h)(int))($T, int) = $k; $x = h(#)($x, 4); @mix(h == $o.next); }",
                "{ $F *u[2] = {$k(0), $k(1)}, **p = u; $x = p[# & 1]($x, 5); @mix((*p)($x, 1)$L); }",
                "@mix(($k(#) == $f) + 2 * ($o.f != $g) + 4 * !$o.f);",
                "for (int i = 0; i < 4; i++) if ($t[i] == $k(#)) $x = $t[i]($x, i);",
                "{ struct $O all[2] = {$o, {$f, 0}}; all[1].v = $x; all[1].f = $f; $x = all[# & 1].f(all[1].v, 2); }",
            ]);
            // The order of the members decides which of them a list without names initialises.
            let text = text.replace("{$f, 0}", "{.f = $f}").replace("$L", &leaf);
            let children: Vec<Node> = text.matches('#').map(|_| self.simple()).collect();
            lines.push(w.may(&text, children));
        }
        lines.extend(self.mixed(&w, &shape, "$x"));
        lines.extend(self.mixed(&w, &shape, "$o.v"));
        Node::statement("#", [Node::block(lines)])
    }

    /// The body of a function on a value `v` and a number `n`.
    fn value_body(&mut self, shape: &Shape) -> String {
        let (leaf, other) = (self.some_leaf(shape).path, self.some_leaf(shape).path);
        let body = self.one_of([
            "v$L += n; return v;",
            "$T t = v; t$M = v$L; v$L ^= n; return n & 1 ? t : v;",
            "$T *p = &v; (*p)$L -= n; return *p;",
            "if (v$L < n) v$M++; else v$L = n; return v;",
            "static $T kept; $T t = kept; kept = v; t$M ^= n; return n & 1 ? t : kept;",
        ]);
        body.replace("$L", &leaf).replace("$M", &other)
    }
}
