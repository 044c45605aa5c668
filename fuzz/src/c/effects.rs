//! Side effects inside expressions, and calls.
//!
//! A reserved variable is mentioned nowhere in the expression but in the effect itself and, where
//! C orders the evaluation (`,` `&&` `||` `?:`), in what comes after it.

use super::Generator;
use super::features::Part;
use super::scope::{Place, Use};
use super::tree::Node;
use super::types::Type;

impl Generator {
    /// An expression that changes a reserved variable.
    pub(super) fn effect(&mut self, depth: u32) -> Node {
        let Some(at) = self.reserved.pop() else { return self.expression(depth) };
        self.tell(Part::Effects);
        let name = self.vars[at].name.clone();
        // While the effect is written, the variable must not be read.
        self.vars[at].ready = false;
        let node = match self.rng.u32(0..9) {
            0 => Node::number(&format!("({name}++)"), []),
            1 => Node::number(&format!("(--{name})"), []),
            2 => Node::number(&format!("({name} = #)"), [self.expression(depth)]),
            3 => Node::number(&format!("({name} += #)"), [self.expression(depth)]),
            4 => Node::number(&format!("({name} %= {})", self.divisor()), []),
            5 => {
                let first = self.expression(depth);
                Node::number(&format!("({name} = #, #)"), [first, self.after(at, depth)])
            }
            6 => Node::number(&format!("({name}-- && #)"), [self.after(at, depth)]),
            7 => Node::number(&format!("(++{name} || #)"), [self.after(at, depth)]),
            _ => {
                let parts = [self.expression(depth), self.after(at, depth), self.after(at, depth)];
                Node::number(&format!("(({name} ^= #) ? # : #)"), parts)
            }
        };
        self.vars[at].ready = false;
        self.spent.push(at);
        node
    }

    /// What is evaluated after the effect on the variable, and may read it.
    fn after(&mut self, at: usize, depth: u32) -> Node {
        self.vars[at].ready = true;
        let node = self.expression(depth);
        self.vars[at].ready = false;
        node
    }

    /// A call of a function that changes nothing but its own variables.
    pub(super) fn pure_call(&mut self, depth: u32) -> Node {
        let affordable = |at: &usize| {
            let function = &self.functions[*at];
            function.pure && matches!(function.result, Some(Type::Int(_))) && self.affords(function.cost)
        };
        let open: Vec<usize> = (0..self.functions.len()).filter(affordable).collect();
        let Some(at) = self.rng.choice(&open).copied() else { return self.expression(depth) };
        let Some(call) = self.call(at) else { return self.simple() };
        Node::number("#", [call])
    }

    /// A call. Its arguments are values, and addresses of objects that live now.
    pub(super) fn call(&mut self, at: usize) -> Option<Node> {
        let function = self.functions[at].clone();
        let mut arguments = Vec::new();
        for (position, ty) in function.params.iter().enumerate() {
            let counts = function.recursive && position == 0;
            arguments.push(if counts { Node::fixed("(# & 3)", [self.simple()]) } else { self.argument(ty)? });
        }
        self.charge(function.cost);
        let holes = vec!["#"; arguments.len()].join(", ");
        let callee = match &function.table {
            Some(table) if self.rng.bool() => {
                let index = self.simple();
                arguments.insert(0, index);
                format!("{table}[# & 3]")
            }
            Some(_) | None => function.name.clone(),
        };
        Some(Node::fixed(&format!("{callee}({holes})"), arguments))
    }

    /// A value of any type.
    pub(super) fn argument(&mut self, ty: &Type) -> Option<Node> {
        match ty {
            Type::Int(_) => Some(self.expression(1)),
            Type::Record(_) => self.object(ty),
            Type::Pointer(target) => self.address(target, self.depth),
            Type::Array(..) => None,
        }
    }

    /// An object of this very type, as a value.
    pub(super) fn object(&mut self, ty: &Type) -> Option<Node> {
        let Place { node, .. } = self.place(Use::Read, &|other| other == ty)?;
        Some(node)
    }

    /// The expression is complete: its variables may be used again.
    pub(super) fn release(&mut self) {
        self.reserved.clear();
        for at in std::mem::take(&mut self.spent) {
            self.vars[at].ready = true;
        }
    }
}
