//! C text with holes: the tree that the generator builds and the shrinker cuts.
//!
//! A node is a text in which other nodes are embedded. All that the shrinker must know about a
//! node is its kind: a number may become any other number, a statement may go. This never leads
//! to undefined behaviour, because guards are text of the node that needs them: the `& 31` of a
//! shift belongs to the shift, not to its operand.

use std::fmt::Write;

/// A piece of a program.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Node {
    /// What may be done with it.
    pub kind: Kind,
    /// Its text, and what is embedded in it.
    pub pieces: Vec<Piece>,
}

/// What may be done with a node.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// An expression of an integer type, in which any other may stand.
    Number,
    /// A statement or declaration of a block; it may be left out.
    Statement,
    /// A list of statements, printed in braces.
    Block,
    /// A list of declarations, printed without.
    Unit,
    /// A list in braces with commas; each of its parts but the last may be left out.
    List,
    /// Anything else: it stays.
    Fixed,
}

/// A part of a node.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Piece {
    /// Text. `@` stands for the prefix of names with file scope.
    Text(String),
    /// Something embedded.
    Node(Node),
}

impl Node {
    /// A node whose text has a `#` for each child.
    ///
    /// # Panics
    /// If there are more holes than children, or fewer.
    #[must_use]
    pub fn new(kind: Kind, text: &str, children: impl IntoIterator<Item = Node>) -> Node {
        let mut children = children.into_iter();
        let mut pieces = Vec::new();
        for (at, part) in text.split('#').enumerate() {
            if at > 0 {
                pieces.push(Piece::Node(children.next().expect("a child for every hole")));
            }
            if !part.is_empty() {
                pieces.push(Piece::Text(part.to_owned()));
            }
        }
        assert!(children.next().is_none(), "a hole for every child");
        Node { kind, pieces }
    }

    /// An integer expression.
    #[must_use]
    pub fn number(text: &str, children: impl IntoIterator<Item = Node>) -> Node {
        Node::new(Kind::Number, text, children)
    }

    /// A statement.
    #[must_use]
    pub fn statement(text: &str, children: impl IntoIterator<Item = Node>) -> Node {
        Node::new(Kind::Statement, text, children)
    }

    /// What is neither.
    #[must_use]
    pub fn fixed(text: &str, children: impl IntoIterator<Item = Node>) -> Node {
        Node::new(Kind::Fixed, text, children)
    }

    /// Statements in braces.
    #[must_use]
    pub fn block(statements: Vec<Node>) -> Node {
        Node { kind: Kind::Block, pieces: statements.into_iter().map(Piece::Node).collect() }
    }

    /// A list in braces with commas.
    #[must_use]
    pub fn list(parts: Vec<Node>) -> Node {
        Node { kind: Kind::List, pieces: parts.into_iter().map(Piece::Node).collect() }
    }

    /// The embedded nodes.
    pub fn children(&self) -> impl Iterator<Item = &Node> {
        self.pieces.iter().filter_map(|piece| match piece {
            Piece::Node(node) => Some(node),
            Piece::Text(_) => None,
        })
    }

    /// How many nodes there are, this one included.
    #[must_use]
    pub fn size(&self) -> usize {
        1 + self.children().map(Node::size).sum::<usize>()
    }

    /// The text, with `prefix` before every name of file scope.
    #[must_use]
    pub fn print(&self, prefix: &str) -> String {
        let mut out = String::new();
        self.print_to(&mut out, prefix, 0);
        out
    }

    fn print_to(&self, out: &mut String, prefix: &str, indent: usize) {
        let (open, close, inner) = match self.kind {
            Kind::Block => ("{\n", "}", indent + 1),
            Kind::Unit => ("", "", indent),
            Kind::List => {
                for (at, part) in self.children().enumerate() {
                    out.push_str(if at == 0 { "{" } else { ", " });
                    part.print_to(out, prefix, indent);
                }
                out.push('}');
                return;
            }
            Kind::Number | Kind::Statement | Kind::Fixed => {
                for piece in &self.pieces {
                    match piece {
                        Piece::Text(text) => out.push_str(&text.replace('@', prefix)),
                        Piece::Node(node) => node.print_to(out, prefix, indent),
                    }
                }
                return;
            }
        };
        out.push_str(open);
        for statement in self.children() {
            let _ = write!(out, "{:width$}", "", width = 2 * inner);
            statement.print_to(out, prefix, inner);
            out.push('\n');
        }
        if self.kind == Kind::Block {
            let _ = write!(out, "{:width$}{close}", "", width = 2 * indent);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn texts_with_holes_print_in_order() {
        let sum = Node::number("(# + #)", [Node::number("1", []), Node::number("@x", [])]);
        let block = Node::block(vec![Node::statement("if (#) #", [sum, Node::block(vec![])])]);
        assert_eq!(block.print("p_"), "{\n  if ((1 + p_x)) {\n  }\n}");
        assert_eq!(block.size(), 6);
        let list = Node::list(vec![Node::number("1", []), Node::fixed(".a = #", [Node::number("2", [])])]);
        assert_eq!(list.print(""), "{1, .a = 2}");
    }
}
