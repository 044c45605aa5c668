//! Makes a failing program small, by cutting its tree (delta debugging; Zeller, Hildebrandt 2002):
//! statements and parts of lists go, in runs that get shorter; a statement becomes one of its
//! blocks; a number becomes zero, or one of the numbers that it is made of.
//!
//! A name whose declaration went may mean another variable now, so the caller must let the
//! compiler and its sanitizers look at every candidate.

use super::tree::{Kind, Node, Piece};

/// The smallest program reached from `program` by steps that keep `fails` true, within so many
/// questions.
pub fn shrink(program: &Node, mut questions: u32, mut fails: impl FnMut(&Node) -> bool) -> Node {
    let mut best = program.clone();
    let mut ask = |candidate: &Node| {
        questions = questions.saturating_sub(1);
        questions > 0 && fails(candidate)
    };
    loop {
        let before = measure(&best);
        for length in [16, 8, 4, 2, 1] {
            best = reduce(best, &|node| cuts(node, length), &mut ask);
        }
        best = reduce(best, &replacements, &mut ask);
        if measure(&best) == before {
            return best;
        }
    }
}

/// What gets smaller: nodes, then text.
fn measure(node: &Node) -> (usize, usize) {
    (node.size(), node.print("").len())
}

/// A change: the way to a node, by positions of pieces, and what is done there.
struct Change {
    path: Vec<usize>,
    what: What,
}

enum What {
    /// These pieces go.
    Cut(usize, usize),
    /// Another node takes the place.
    Replace(Node),
}

/// Makes all changes that keep the failure.
fn reduce(mut best: Node, changes: &dyn Fn(&Node) -> Vec<Change>, ask: &mut dyn FnMut(&Node) -> bool) -> Node {
    let mut at = 0;
    loop {
        // After a change the list is another one, but most of it stays before this position.
        let Some(change) = changes(&best).into_iter().nth(at) else { return best };
        let mut candidate = best.clone();
        apply(&mut candidate, &change.path, change.what);
        if measure(&candidate) < measure(&best) && ask(&candidate) {
            best = candidate;
        } else {
            at += 1;
        }
    }
}

fn apply(node: &mut Node, path: &[usize], what: What) {
    match (path, what) {
        ([], What::Cut(from, to)) => {
            node.pieces.drain(from..to);
        }
        ([], What::Replace(other)) => *node = other,
        ([at, rest @ ..], what) => {
            if let Some(Piece::Node(child)) = node.pieces.get_mut(*at) {
                apply(child, rest, what);
            }
        }
    }
}

/// Visits every node with the way to it.
fn visit(node: &Node, path: &mut Vec<usize>, act: &mut dyn FnMut(&Node, &[usize])) {
    act(node, path);
    for (at, piece) in node.pieces.iter().enumerate() {
        if let Piece::Node(child) = piece {
            path.push(at);
            visit(child, path, act);
            path.pop();
        }
    }
}

/// Runs of statements that can go.
fn cuts(program: &Node, length: usize) -> Vec<Change> {
    let mut all = Vec::new();
    visit(program, &mut Vec::new(), &mut |node, path| {
        let goes = |piece: &Piece| match (node.kind, piece) {
            (Kind::Block | Kind::Unit, Piece::Node(child)) => child.kind == Kind::Statement,
            (Kind::List, _) => node.pieces.len() > length,
            (Kind::Block | Kind::Unit | Kind::Number | Kind::Statement | Kind::Fixed, _) => false,
        };
        for from in (0..node.pieces.len()).step_by(length) {
            let to = (from + length).min(node.pieces.len());
            if to - from == length && node.pieces[from..to].iter().all(goes) {
                all.push(Change { path: path.to_vec(), what: What::Cut(from, to) });
            }
        }
    });
    all
}

/// Nodes that something simpler can replace.
fn replacements(program: &Node) -> Vec<Change> {
    let mut all = Vec::new();
    visit(program, &mut Vec::new(), &mut |node, path| {
        let simpler = match node.kind {
            Kind::Statement => {
                let blocks = node.children().filter(|child| child.kind == Kind::Block);
                blocks.map(|block| Node::statement("#", [block.clone()])).collect()
            }
            Kind::Number => {
                let mut simpler = vec![Node::number("0", []), Node::number("1", [])];
                numbers(node, &mut simpler);
                simpler
            }
            Kind::Block | Kind::Unit | Kind::List | Kind::Fixed => Vec::new(),
        };
        all.extend(simpler.into_iter().map(|node| Change { path: path.to_vec(), what: What::Replace(node) }));
    });
    all
}

/// The nearest numbers inside a node.
fn numbers(node: &Node, out: &mut Vec<Node>) {
    for child in node.children() {
        if child.kind == Kind::Number {
            out.push(child.clone());
        } else {
            numbers(child, out);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::c::features::Features;
    use crate::c::generate;

    #[test]
    fn what_matters_stays_and_the_rest_goes() {
        let has_switch = |program: &Node| program.print("").contains("switch");
        let program = (0..100).map(|seed| generate(seed, Features::PLAIN)).find(has_switch).expect("one has");
        let small = shrink(&program, 100_000, |candidate| candidate.print("").contains("switch"));
        let text = small.print("");
        assert!(text.contains("switch (0"), "{text}");
        assert!(small.size() < 20, "{text}");
    }
}
