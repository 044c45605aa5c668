//! Lifetimes of local objects that pointers can outlive, where memory safety is asked about.
//!
//! An object dies when control leaves the block that declares it, in whichever way: at its end, by
//! `break`, `continue`, `goto` or `return`.

use super::Lowering;
use super::homes::Home;
use crate::c::tree::{FunctionId, LabelId, ObjectId, Stmt, StmtKind};
use tamis_ir::{Op, Span};

/// A block that control is in.
#[derive(Debug)]
pub(super) struct Scope {
    /// The block's address, which identifies it.
    block: usize,
    /// What it declares, as far as lowering has come.
    pub objects: Vec<ObjectId>,
}

/// What identifies a block.
pub(super) fn identity(block: &Stmt) -> usize {
    std::ptr::from_ref(block).addr()
}

/// For every label of a function, the blocks around it from the outside.
pub(super) fn label_scopes(body: &Stmt, labels: usize) -> Vec<Vec<usize>> {
    let mut found = vec![Vec::new(); labels];
    walk(body, &mut Vec::new(), &mut found);
    found
}

fn walk(statement: &Stmt, around: &mut Vec<usize>, found: &mut [Vec<usize>]) {
    match &statement.kind {
        StmtKind::Block(statements) => {
            around.push(identity(statement));
            for inner in statements {
                walk(inner, around, found);
            }
            around.pop();
        }
        StmtKind::For { init, body, .. } => {
            around.push(identity(statement));
            for inner in init {
                walk(inner, around, found);
            }
            walk(body, around, found);
            around.pop();
        }
        StmtKind::If(_, then, otherwise) => {
            walk(then, around, found);
            if let Some(inner) = otherwise {
                walk(inner, around, found);
            }
        }
        StmtKind::Label(label, inner) => {
            found[label.index()].clone_from(around);
            walk(inner, around, found);
        }
        StmtKind::While(_, inner)
        | StmtKind::DoWhile(inner, _)
        | StmtKind::Switch(_, inner)
        | StmtKind::Case(_, _, inner)
        | StmtKind::Default(inner) => walk(inner, around, found),
        StmtKind::Expr(_)
        | StmtKind::Declare(..)
        | StmtKind::Goto(_)
        | StmtKind::Break
        | StmtKind::Continue
        | StmtKind::Return(_)
        | StmtKind::Unsupported { .. }
        | StmtKind::Empty => {}
    }
}

impl Lowering<'_> {
    /// Control enters a block, or a statement expression, at that address.
    pub(super) fn open_scope(&mut self, block: usize) {
        self.frame.scopes.push(Scope { block, objects: Vec::new() });
    }

    /// Control leaves a block at its end.
    pub(super) fn close_scope(&mut self, span: Span) {
        let depth = self.frame.scopes.len().saturating_sub(1);
        self.leave_scopes(depth, span);
        self.frame.scopes.pop();
    }

    /// Control leaves all blocks but the outermost ones.
    pub(super) fn leave_scopes(&mut self, depth: usize, span: Span) {
        if !self.failures.asks_about_memory() {
            return;
        }
        let inner = self.frame.scopes.get(depth..).unwrap_or_default();
        let objects: Vec<ObjectId> = inner.iter().flat_map(|scope| scope.objects.iter().copied()).collect();
        for object in objects {
            self.end(object, span);
        }
    }

    /// Control leaves the blocks that a label is not in.
    pub(super) fn leave_for_label(&mut self, label: LabelId, span: Span) {
        let around = &self.frame.label_scopes[label.index()];
        let common = self.frame.scopes.iter().zip(around).take_while(|(scope, block)| scope.block == **block).count();
        self.leave_scopes(common, span);
    }

    /// The lifetime of an object ends, if it has begun.
    fn end(&mut self, object: ObjectId, span: Span) {
        if let Home::Moving { address, .. } = self.homes[object.index()] {
            let pointer = self.terms.var(address);
            self.bury(pointer, span);
        }
    }

    /// No local object lives yet: its address is that of nothing, which may die any time.
    pub(super) fn clear_addresses(&mut self, function: FunctionId, span: Span) {
        let about = &self.unit.functions[function.index()];
        if !self.failures.asks_about_memory() {
            return;
        }
        let mut writes = Vec::new();
        for object in about.params.iter().chain(&about.locals) {
            if let Home::Moving { address, .. } = self.homes[object.index()] {
                writes.push((address, self.zero_of(address)));
            }
        }
        if !writes.is_empty() {
            self.emit(Op::Assign(writes), span);
        }
    }

    /// Objects of a function end with it.
    pub(super) fn bury_locals(&mut self, function: FunctionId, span: Span) {
        let about = &self.unit.functions[function.index()];
        if self.failures.asks_about_memory() {
            for object in about.params.iter().chain(&about.locals) {
                self.end(*object, span);
            }
        }
    }
}
