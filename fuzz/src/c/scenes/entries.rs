//! Control that enters statements from the side: jumps into blocks, loops and branches, over
//! declarations and backwards, and `switch` in all its shapes.

use super::Words;
use crate::c::Generator;
use crate::c::tree::Node;

/// How deep the statements of a maze are nested.
const NESTING: u32 = 3;

/// What a maze does at a place. `x` and `y` are its numbers.
const STEPS: &[&str] = &[
    "y = y * 3 + #;",
    "y ^= x + #;",
    "x = y >> 3;",
    "if (y & 4) x += y; else y -= #;",
    "y += i; i ^= 1;",
    "{ static unsigned kept = #; kept += x; y ^= kept; }",
    "{ unsigned *p = &(unsigned){y}; *p += #; y = *p; }",
];

/// Conditions in a maze.
const CONDITIONS: &[&str] = &["y & 1", "(y + x) & 2", "x > #", "!(y & 3)", "i != 1", "y % 3 == 1"];

/// Blocks with variables of their own. A `~` is where control may come from elsewhere: what was
/// not initialised then is written before it is read.
const BLOCKS: &[&str] = &[
    "{ unsigned t; t = y; y += t; ~ t = x; y = y * 5 + t; }",
    "{ unsigned t = y ^ #; y += t; ~ t = y; x ^= t; }",
    "{ unsigned t[3] = {y, #}; y += t[1]; ~ t[0] = y; t[2] = x; y ^= t[0] + t[2]; }",
    "{ struct { short a; unsigned b; } t = {x, y}, u; y += t.b; ~ u.b = y; t = u; y += t.b * 3; }",
    "{ static unsigned kept; ~ kept += y; y ^= kept; }",
    "{ int j = 2; y += j; ~ j = 3; { int j = 4; x += j; } y += j; }",
    "{ ~ unsigned t = y; y = y * 3 + t; }",
];

/// Shapes of `switch`, on the number `$x` with the counter `$k`.
const SELECTIONS: &[&str] = &[
    "switch ($x & 3) { int t; t = 5; $x += 100; case 1: t = #; $x += t; break; default: t = 2; $x ^= t; }",
    "switch (#) { int t; unsigned u[2]; }",
    "switch ($x++) ; @mix(#);",
    "switch ($x++) {} @mix(#);",
    "switch (# & 3) case 2: $x++;",
    "switch (# & 1) default: $x += 3;",
    "switch ($x & 3) while ($k-- > 0) { case 1: $x += 3; default: $x ^= #; }",
    "switch (# & 7) { case 0: do { $x++; case 1: $x += 2; case 2: $x ^= 5; default: ; } while (--$k > 0); }",
    "switch ($x & 3) { if (0) { case 1: $x += 3; } else { case 2: $x ^= #; } $x++; break; case 3: $x = 1; }",
    "switch ($x & 3) { if ($x & 4) case 1: $x += 3; else case 2: $x ^= #; $x++; }",
    "switch ((signed char)#) { case -128 ... -1: $x += 1; break; case 0: $x += 2; case 1 ... 127: $x += 3; }",
    "switch ((unsigned char)#) { case 256: $x = 1; break; case -1: $x = 2; break; case 200 ... 255: $x = 3; }",
    "switch ((unsigned)#) { case -1: $x = 1; break; case 0x80000000: $x = 2; break; case 3: case 1: $x++; }",
    "switch (0x100000000LL + (# & 1)) { case 0: case 1: $x = 1; break; case 0x100000001LL: $x += 2; break; default: $x += 3; }",
    "switch ((_Bool)#) { case 0: $x += 2; case 1: $x ^= 3; }",
    "switch ((short)#) { case 65535: $x++; break; case -1: $x--; break; default: $x ^= 2; }",
    "while ($k-- > 0) switch ($k & 3) { case 0: continue; case 1: break; default: $x += $k + #; }",
    "for (int i = 0; i < 4; i++) switch (i) { default: $x += 2; case 1: $x ^= #; if (i == 2) break; continue; case 3: ; }",
    "switch (# & 1) { case 0:; int t = 4; $x += t; default: t = 3; $x ^= t; }",
    "switch ($x & 3) { case 0: switch (# & 1) { case 0: $x += 2; break; default: $x += 3; } case 1: $x += 4; break; { case 2: $x++; } }",
    "switch ($x & 3) { default: { $x += 2; for (; $k > 0; $k--) { case 1: $x ^= #; if ($x & 1) continue; case 2: $x += 3; } } }",
    "switch ($x & 1) { goto $L; case 0: $x += #; break; $L: case 1: $x ^= 9; if ($k-- > 0) goto $L; }",
    "if ($x & 1) goto $L; switch (#) { $x += 7; $L: $x += 2; default: $x += 3; }",
];

/// The labels of a function, and those among them that have no place yet.
struct Maze {
    labels: Vec<String>,
    unplaced: Vec<String>,
}

impl Generator {
    /// A function of jumps from anywhere to anywhere. Every jump and every round of a loop uses up
    /// some of what it may do in all.
    pub(super) fn maze(&mut self) -> Node {
        let w = self.words(&[('f', "@f")]);
        let count = self.rng.u32(2..=5);
        let labels: Vec<String> = (0..count).map(|_| self.fresh("L")).collect();
        let mut maze = Maze { unplaced: labels.clone(), labels };
        let mut statements = vec![Node::fixed("int i = 0, fuel = 12;", [])];
        statements.extend(self.passages(&mut maze, NESTING));
        statements.extend(self.passages(&mut maze, NESTING));
        while let Some(label) = maze.unplaced.pop() {
            let step = self.maze_step();
            statements.push(Node::fixed(&format!("{label}: #"), [step]));
            statements.push(self.passage(&mut maze, 0));
        }
        statements.push(Node::fixed("return y + x * 5 + i;", []));
        self.outside(w.may("static unsigned $f(unsigned x, unsigned y) #", [Node::block(statements)]));
        let mut lines = Vec::new();
        for _ in 0..self.rng.u32(1..=3) {
            lines.push(w.may("@mix($f(#, #));", [self.simple(), self.simple()]));
        }
        Node::statement("#", [Node::block(lines)])
    }

    fn passages(&mut self, maze: &mut Maze, depth: u32) -> Vec<Node> {
        (0..self.rng.u32(1..=3)).map(|_| self.passage(maze, depth)).collect()
    }

    /// A statement, which has a label if one is left and this is a good place.
    fn passage(&mut self, maze: &mut Maze, depth: u32) -> Node {
        let label = if depth < NESTING && self.rng.bool() { maze.unplaced.pop() } else { None };
        let statement = match self.rng.u32(0..12) {
            0 | 1 => self.jump(maze),
            2 if depth > 0 => {
                let parts = [self.condition(), self.room(maze, depth)];
                Node::statement("if (#) #", parts)
            }
            3 if depth > 0 => {
                let parts = [self.condition(), self.room(maze, depth), self.room(maze, depth)];
                Node::statement("if (#) # else #", parts)
            }
            4 if depth > 0 => {
                let parts = [self.condition(), self.looped(maze, depth)];
                Node::statement("while (fuel-- > 0 && (#)) #", parts)
            }
            5 if depth > 0 => {
                let parts = [self.condition(), self.looped(maze, depth)];
                Node::statement("for (i = 0; i < 3 && fuel-- > 0 && (#); i++) #", parts)
            }
            6 if depth > 0 => {
                let parts = [self.looped(maze, depth), self.condition()];
                Node::statement("do # while (fuel-- > 0 && (#));", parts)
            }
            7 if depth > 0 => {
                let parts = [self.room(maze, depth), self.room(maze, depth), self.room(maze, depth)];
                let end = self.one_of(["", " break;"]);
                let text = format!("switch ((x + y) & 3) {{ case 0: #{end} case 2: # default: #{end} }}");
                Node::statement(&text, parts)
            }
            8 | 9 if depth > 0 => self.chamber(maze, depth),
            _ => self.maze_step(),
        };
        match label {
            Some(label) => Node::fixed(&format!("{label}: #"), [statement]),
            None => statement,
        }
    }

    fn room(&mut self, maze: &mut Maze, depth: u32) -> Node {
        Node::block(self.passages(maze, depth - 1))
    }

    /// The body of a loop, which may be left or begun again in the middle.
    fn looped(&mut self, maze: &mut Maze, depth: u32) -> Node {
        let mut statements = self.passages(maze, depth - 1);
        if self.rng.bool() {
            let text = self.one_of(["if (#) break;", "if (#) continue;"]);
            statements.push(Node::statement(text, [self.condition()]));
            statements.push(self.passage(maze, 0));
        }
        Node::block(statements)
    }

    /// A block with its own variables, into which others may jump.
    fn chamber(&mut self, maze: &mut Maze, depth: u32) -> Node {
        let text = self.rng.choice(BLOCKS).copied().unwrap_or("{ ~ }");
        let entry = match maze.unplaced.pop() {
            Some(label) => Node::fixed(&format!("{label}: #"), [self.maze_step()]),
            None => Node::block(self.passages(maze, depth - 1)),
        };
        let (before, after) = text.split_once('~').unwrap_or((text, ""));
        let mut children: Vec<Node> = before.matches('#').map(|_| self.constant()).collect();
        children.push(entry);
        Node::statement(&format!("{before}#{after}"), children)
    }

    fn jump(&mut self, maze: &Maze) -> Node {
        let at = self.rng.usize(0..maze.labels.len());
        let text = format!("if (fuel-- > 0 && (#)) goto {};", maze.labels[at]);
        Node::statement(&text, [self.condition()])
    }

    fn maze_step(&mut self) -> Node {
        let text = self.rng.choice(STEPS).copied().unwrap_or(";");
        let children: Vec<Node> = text.matches('#').map(|_| self.constant()).collect();
        Node::statement(text, children)
    }

    fn condition(&mut self) -> Node {
        let text = self.rng.choice(CONDITIONS).copied().unwrap_or("1");
        let children: Vec<Node> = text.matches('#').map(|_| self.constant()).collect();
        Node::number(text, children)
    }

    /// `switch` with statements where they are seldom written.
    pub(super) fn selections(&mut self) -> Node {
        let w = self.words(&[('x', "x"), ('k', "k")]);
        let mut lines = vec![w.must("unsigned $x = #; int $k = 0;", [self.simple()])];
        for _ in 0..self.rng.u32(2..=5) {
            lines.push(self.one_selection(&w));
        }
        Node::statement("#", [Node::block(lines)])
    }

    fn one_selection(&mut self, w: &Words) -> Node {
        let text = self.rng.choice(SELECTIONS).copied().unwrap_or(";").replace("$L", &self.fresh("L"));
        let children: Vec<Node> = text.matches('#').map(|_| self.simple()).collect();
        w.may(&format!("$k = 3; {text} @mix($x);"), children)
    }
}
