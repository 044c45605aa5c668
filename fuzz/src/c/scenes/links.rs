//! Lists, trees, arrays of pointers, and structs with pointers in them.

use super::Words;
use crate::c::Generator;
use crate::c::features::Part;
use crate::c::tree::Node;
use crate::c::types::Type;

impl Generator {
    /// A list on the heap or in an array: built, changed, walked, freed.
    pub(super) fn linked_list(&mut self) -> Node {
        let (value, value_name) = self.named_type();
        let (other, other_name) = self.named_type();
        let stems = [('N', "@N"), ('s', "@s"), ('h', "h"), ('n', "n"), ('i', "i"), ('p', "p"), ('q', "q")];
        let length = self.rng.u32(1..=4);
        let w = self.words(&stems).with('T', value_name).with('O', other_name).with('K', length.to_string());
        let members = self.one_of([
            "$T v; struct $N *next; $O w[2];",
            "struct $N *next; $T v; $O w[2];",
            "$O w[2]; $T v; struct $N *next;",
            "$O w[2]; struct { $T v; struct $N *next; };",
        ]);
        let declaration = w.may(&format!("struct $N {{ {members} }};"), []);
        self.outside(declaration);
        let heap = self.has(Part::Heap) && self.rng.bool();
        let mut lines = Vec::new();
        let node = if heap {
            "malloc(sizeof(struct $N))"
        } else {
            if self.rng.bool() {
                lines.push(w.must("static struct $N $s[$K];", []));
            } else {
                lines.push(w.must("struct $N $s[$K];", []));
            }
            self.one_of(["&$s[$i]", "$s + $i", "&$s[$K - 1 - $i]"])
        };
        let link = self.one_of(["$n->next = $h; $h = $n;", "*$q = $n; $n->next = 0; $q = &$n->next;"]);
        self.times *= u64::from(length);
        let values = [self.expression(2), self.expression(1), self.expression(1)];
        self.times /= u64::from(length);
        lines.push(w.must("struct $N *$h = 0, **$q = &$h;", []));
        let build = format!(
            "for (int $i = 0; $i < $K; $i++) {{ struct $N *$n = {node}; \
             $n->v = # + $i; $n->w[0] = #; $n->w[1] = #; {link} }}"
        );
        lines.push(w.must(&build, values));
        let mut ways = vec![(w.text("$h->v"), value.clone()), (w.text("$h->w"), Type::Array(Box::new(other), 2))];
        if length > 1 {
            ways.push((w.text("$h->next->v"), value));
        }
        lines.push(self.around(ways));
        for _ in 0..self.rng.u32(1..=3) {
            let change = self.change_of_list();
            lines.push(w.may(change, [self.simple()]));
        }
        lines.push(
            w.may("for (struct $N *$p = $h; $p; $p = $p->next) @mix($p->v + $p->w[1] * 3 + (# & 1));", [self.simple()]),
        );
        if heap {
            lines.push(w.may("while ($h) { struct $N *$n = $h->next; free($h); $h = $n; }", []));
        }
        Node::statement("#", [Node::block(lines)])
    }

    /// What can be done to a list; there is one hole.
    fn change_of_list(&mut self) -> &'static str {
        self.one_of([
            // Turns it round.
            "{ struct $N *$p = 0; while ($h) { struct $N *$n = $h->next; $h->next = $p; $p = $h; $h = $n; } \
             $h = $p; @mix(#); }",
            // Takes nodes out through a pointer to the link.
            "for ($q = &$h; *$q;) if (((*$q)->v ^ #) & 1) *$q = (*$q)->next; else $q = &(*$q)->next;",
            // Copies values along.
            "for (struct $N *$p = $h; $p && $p->next; $p = $p->next) { $p->next->w[0] += $p->v; $p->v = #; }",
            // Whole nodes change places, links and all.
            "if ($h && $h->next) { struct $N $n = *$h; struct $N *$p = $h->next; *$h = *$p; \
             $h->next = $p; $p->v = $n.v; $p->w[1] = #; $p->next = 0; }",
            // Counts with a pointer that lags behind.
            "{ int $i = 0; struct $N *$p = $h, *$n = $h; while ($p) { $p = $p->next; if ($i++ & 1) $n = $n->next; } \
             if ($n) $n->v += $i + (# & 3); @mix($i); }",
            // Sorts by moving links.
            "{ struct $N *$p = 0; while ($h) { struct $N *$n = $h, **$i = &$p; $h = $h->next; \
             while (*$i && (*$i)->v < $n->v) $i = &(*$i)->next; $n->next = *$i; *$i = $n; } $h = $p; @mix(#); }",
        ])
    }

    /// A search tree: nodes are inserted through pointers to links, and summed up by recursion.
    pub(super) fn search_tree(&mut self) -> Node {
        let (value, value_name) = self.named_type();
        let stems =
            [('N', "@N"), ('s', "@s"), ('f', "@f"), ('d', "@f"), ('h', "h"), ('n', "n"), ('i', "i"), ('q', "q")];
        let count = self.rng.u32(2..=5);
        let w = self.words(&stems).with('T', value_name).with('K', count.to_string());
        let members = self.one_of(["struct $N *kid[2]; $T v;", "$T v; struct $N *kid[2];"]);
        let mut items = vec![w.may(&format!("struct $N {{ {members} }};"), [])];
        items.push(w.may(
            "static unsigned $f(struct $N *t, unsigned d) { \
             return t ? $f(t->kid[0], d + 1) * 3 + t->v * d + $f(t->kid[1], d + 2) : d; }",
            [],
        ));
        let heap = self.has(Part::Heap) && self.rng.bool();
        if heap {
            items.push(w.may(
                "static void $d(struct $N **t) { if (!*t) return; $d(&(*t)->kid[0]); $d((*t)->kid + 1); \
                 free(*t); *t = 0; }",
                [],
            ));
        }
        self.pending.extend(items);
        let node = if heap { "calloc(1, sizeof(struct $N))" } else { "&$s[$i]" };
        let mut lines = Vec::new();
        if !heap {
            lines.push(w.must("struct $N $s[$K];", []));
        }
        lines.push(w.must("struct $N *$h = 0;", []));
        self.times *= u64::from(count);
        let new = self.expression(2);
        self.times /= u64::from(count);
        let build = format!(
            "for (int $i = 0; $i < $K; $i++) {{ struct $N *$n = {node}, **$q = &$h; \
             $n->v = # + $i; $n->kid[0] = $n->kid[1] = 0; \
             while (*$q) $q = &(*$q)->kid[(*$q)->v < $n->v]; *$q = $n; }}"
        );
        lines.push(w.must(&build, [new]));
        lines.push(self.around(vec![(w.text("$h->v"), value)]));
        lines.push(w.may("@mix($f($h, #));", [self.simple()]));
        lines.push(w.may(
            "if ($h->kid[0] && $h->kid[1]) { struct $N *$n = $h->kid[0]; $h->kid[0] = $h->kid[1]; $h->kid[1] = $n; }",
            [],
        ));
        lines.push(w.may("{ struct $N *$n = $h; while ($n->kid[1]) $n = $n->kid[1]; $n->v ^= #; }", [self.simple()]));
        lines.push(w.may("@mix($f($h, 1));", []));
        if heap {
            lines.push(w.may("$d(&$h); @mix($h == 0);", []));
        }
        Node::statement("#", [Node::block(lines)])
    }

    /// Addresses of what can be found, or of new variables, of an integer type.
    fn some_addresses(&mut self, ty: &Type, w: &Words, lines: &mut Vec<Node>) -> Vec<Node> {
        lines.push(w.must("$T $a = #, $b[4] = {#, 2, #, 4};", [self.simple(), self.simple(), self.simple()]));
        let mut all = Vec::new();
        for _ in 0..4 {
            let own = self.one_of(["&$a", "&$b[2]", "$b", "$b + 3"]);
            let own = w.must(own, []);
            all.push(if self.rng.bool() { self.address(ty, self.depth).unwrap_or(own) } else { own });
        }
        all
    }

    /// An array of pointers, whose elements change places.
    pub(super) fn pointers_in_array(&mut self) -> Node {
        let (ty, name) = self.named_type();
        let stems = [('a', "a"), ('b', "b"), ('p', "p"), ('q', "q"), ('r', "r"), ('s', "@s")];
        let w = self.words(&stems).with('T', name);
        let mut lines = Vec::new();
        let addresses = self.some_addresses(&ty, &w, &mut lines);
        match self.rng.u32(0..3) {
            0 => lines.push(w.must("$T *$p[4] = {#, #, #, #};", addresses)),
            1 => {
                lines.push(w.must("static $T *$p[4];", []));
                lines.push(w.must("$p[0] = #; $p[1] = #; $p[2] = #; $p[3] = #;", addresses));
            }
            _ => lines.push(w.must("$T *$s[4] = {#, #, #, #}, **$p = $s;", addresses)),
        }
        lines.push(w.must("$T **$q = &$p[1], ***$r = &$q;", []));
        let pointer = Type::Pointer(Box::new(ty.clone()));
        let ways = ["$p[0]", "$p[3]", "$q[-1]", "(**$r)", "(*$q)"].map(|way| (w.text(way), pointer.clone()));
        lines.push(self.around(ways.into()));
        for _ in 0..self.rng.u32(1..=4) {
            let step = self.one_of([
                "{ $T *t = $p[# & 3]; $p[0] = *$q; *$q = t; }",
                "*$p[# & 3] += 5;",
                "$q = &$p[# & 3];",
                "**$q = #;",
                "*$r = $p + (# & 3);",
                "***$r ^= #;",
                "for (int i = 0; i < 4; i++) *$p[i] += *$p[3 - i] + (# & 7);",
                "if ($p[0] != $p[# & 3]) *$q = $p[0];",
            ]);
            lines.push(w.may(step, [self.simple()]));
        }
        lines.push(w.may("for (int i = 0; i < 4; i++) @mix(*$p[i]);", []));
        lines.push(w.may("@mix(**$q + ($q - $p) + ($p[0] == $p[1]) + $a + $b[2]);", []));
        Node::statement("#", [Node::block(lines)])
    }

    /// A struct with pointers in it, copied, passed on and changed.
    pub(super) fn pointers_in_struct(&mut self) -> Node {
        let (ty, name) = self.named_type();
        let (_, other) = self.named_type();
        let stems = [('S', "@S"), ('f', "@f"), ('a', "a"), ('b', "b"), ('s', "s"), ('t', "t"), ('p', "p"), ('x', "@x")];
        let w = self.words(&stems).with('T', name).with('O', other);
        let members = self.one_of([
            "$T *one; $O n; $T **two; struct $S *self; $T *many[2];",
            "$O n : 1; $T *many[2]; struct { $T *one; $T **two; }; struct $S *self;",
            "$O n; $T **two; $T *many[2]; $T *one; struct $S *self;",
        ]);
        self.outside(w.may(&format!("struct $S {{ {members} }};"), []));
        let how = self.one_of(["struct $S s, $T v", "struct $S s, long v"]);
        let body = self.one_of([
            "*s.one += v; **s.two ^= 3; s.one = s.many[1]; s.self->n = 1; return s.one;",
            "s.self->one = s.many[0]; *s.self->one += v; return *s.two;",
            "$T *t = s.self->many[0]; s.self->many[0] = s.self->many[1]; s.self->many[1] = t; return &*t;",
        ]);
        self.outside(w.may(&format!("static $T *$f({how}) {{ {body} }}"), []));
        let mut lines = Vec::new();
        let addresses = self.some_addresses(&ty, &w, &mut lines);
        match self.rng.u32(0..3) {
            0 if self.has(Part::Heap) => {
                lines.push(w.must("struct $S *$p = malloc(2 * sizeof *$p), $t = {0};", []));
                lines.push(w.must("$p[0] = $t;", []));
            }
            1 => lines.push(w.must("static struct $S $x[2]; struct $S *$p = $x, $t = {0};", [])),
            _ => lines.push(w.must("struct $S $s = {0}, *$p = &$s, $t = $s;", [])),
        }
        lines.push(w.must(
            "$p->one = #; $p->many[0] = #; $p->many[1] = #; $t.one = #; $p->two = &$p->one; $p->self = $p; $p->n = 0;",
            addresses,
        ));
        let pointer = Type::Pointer(Box::new(ty.clone()));
        let mut ways: Vec<(String, Type)> = ["$p->one", "$t.one", "$p->many[1]", "$p->self->many[0]", "(*$p->two)"]
            .map(|way| (w.text(way), pointer.clone()))
            .into();
        ways.push((w.text("(**$p->two)"), ty));
        lines.push(self.around(ways));
        for _ in 0..self.rng.u32(1..=4) {
            let step = self.one_of([
                "{ $T t = #; *$f(*$p, 1) += t; }",
                "$t = *$p; $t.many[0] = &$a; *$t.many[0] = #;",
                "$p->two = &$p->many[# & 1];",
                "$p->one = &$b[# & 3];",
                "*$p->self->self->one = #;",
                "{ struct $S u = *$p; *u.one = #; u.self = &u; u.self->one = &$a; @mix(*$p->one + *u.self->one); }",
                "**$p->two -= #;",
                "if ($p->one == $p->many[0]) $p->one = $p->many[1]; else $p->one[0] = #;",
            ]);
            lines.push(w.may(step, [self.simple()]));
        }
        lines.push(w.may("@mix(*$p->one + **$p->two * 3 + *$p->many[0] + *$p->many[1] + $p->n + *$t.one);", []));
        lines.push(w.may("@mix($a + $b[0] + $b[1] * 3 + $b[2] * 5 + $b[3] * 7);", []));
        Node::statement("#", [Node::block(lines)])
    }
}
