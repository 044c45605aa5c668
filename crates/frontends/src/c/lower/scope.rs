//! Lifetimes of local objects that pointers can outlive, where memory safety is asked about.
//!
//! An object lives while control is in the block that declares it, however control enters the block
//! (at its start, by `goto` or by a `case`) and leaves it (at its end, by `break`, `continue`,
//! `goto` or `return`). An array of variable length lives from its declaration on.

use super::Lowering;
use super::homes::Home;
use crate::c::tree::{BlockId, FunctionId, LabelId, ObjectId};
use tamis_ir::{Op, Span};

impl<'a> Lowering<'a> {
    /// Control enters a block, or a statement expression, at its start. How many blocks were around.
    pub(super) fn open_scope(&mut self, block: BlockId, span: Span) -> usize {
        let depth = self.frame.scopes.len();
        if !self.declared_in(block).is_empty() {
            self.frame.scopes.push(block);
            self.begin_block(block, span);
        }
        depth
    }

    /// Control leaves blocks at their end, and so many are around then.
    pub(super) fn close_scope(&mut self, depth: usize, span: Span) {
        self.leave_scopes(depth, span);
        self.frame.scopes.truncate(depth);
    }

    /// What a block of the current function declares.
    fn declared_in(&self, block: BlockId) -> &'a [ObjectId] {
        let function = self.frame.function.map(|function| &self.unit.functions[function.index()]);
        function.map_or(&[], |function| &function.blocks[block.index()])
    }

    /// The lifetimes of a block's objects start.
    pub(super) fn begin_block(&mut self, block: BlockId, span: Span) {
        if self.failures.asks_about_memory() {
            self.make_all(self.declared_in(block), span);
        }
    }

    /// Control leaves all blocks but the outermost ones.
    pub(super) fn leave_scopes(&mut self, depth: usize, span: Span) {
        if !self.failures.asks_about_memory() {
            return;
        }
        for block in self.frame.scopes.get(depth..).unwrap_or_default().to_vec() {
            for object in self.declared_in(block) {
                self.end(*object, span);
            }
        }
    }

    /// Control leaves the blocks that a label is not in, and enters those that it is in.
    pub(super) fn cross_to_label(&mut self, label: LabelId, span: Span) {
        let Some(function) = self.frame.function else { return };
        let around = &self.unit.functions[function.index()].labels[label.index()].blocks;
        let declaring = |(block, _): &&(BlockId, usize)| !self.declared_in(*block).is_empty();
        let around: Vec<(BlockId, usize)> = around.iter().filter(declaring).copied().collect();
        let common = self.frame.scopes.iter().zip(&around).take_while(|(here, (there, _))| *here == there).count();
        self.leave_scopes(common, span);
        for (block, before) in &around[..common] {
            self.end_arrays(&self.declared_in(*block)[*before..], span);
        }
        for (block, _) in &around[common..] {
            self.begin_block(*block, span);
        }
    }

    /// Control goes back before the declarations of objects: those of variable length die.
    fn end_arrays(&mut self, objects: &[ObjectId], span: Span) {
        if self.failures.asks_about_memory() {
            for object in objects.iter().filter(|object| self.unit.objects[object.index()].vla_bytes.is_some()) {
                self.end(*object, span);
            }
        }
    }

    /// The lifetime of an object ends, if it has begun.
    pub(super) fn end(&mut self, object: ObjectId, span: Span) {
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
