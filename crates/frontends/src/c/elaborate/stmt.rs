//! Statements.

use super::super::tree::{BlockId, Expr, ExprKind, Function, Label as Target, LabelId, Place, Stmt, StmtKind};
use super::super::types::{Ty, Type};
use super::expr::Operand;
use super::function::Switch;
use super::operators::is_value;
use super::{Elaborator, R};
use lang_c::ast::{
    AsmStatement, BlockItem, DoWhileStatement, Expression, ForInitializer, ForStatement, GnuExtendedAsmStatement,
    Identifier, IfStatement, Label, LabeledStatement, Statement, StaticAssert, WhileStatement,
};
use lang_c::span::Node;
use std::collections::BTreeMap;
use tamis_ir::Span;

/// What `break` and `continue` may leave.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Around {
    Loop,
    Switch,
}

impl Elaborator<'_> {
    /// The statements of a block. What is wrong is left out, as it was reported.
    pub(super) fn block_items(&mut self, items: &[Node<BlockItem>]) -> Vec<Stmt> {
        let mut statements = Vec::with_capacity(items.len());
        for item in items {
            let result = match &item.node {
                BlockItem::Declaration(declaration) => {
                    self.declaration(declaration).map(|more| statements.extend(more))
                }
                BlockItem::StaticAssert(assertion) => self.static_assert(assertion),
                BlockItem::Statement(statement) => {
                    self.statement(statement).map(|statement| statements.push(statement))
                }
            };
            self.settle(result, item.span);
        }
        statements
    }

    pub(super) fn static_assert(&mut self, node: &Node<StaticAssert>) -> R<()> {
        let span = self.span(node);
        let (value, _) = self.constant(&node.node.expression)?;
        if value == 0 {
            return Err(self.error(span, "this static assertion does not hold"));
        }
        Ok(())
    }

    pub(super) fn statement(&mut self, node: &Node<Statement>) -> R<Stmt> {
        let span = self.span(node);
        let kind = match &node.node {
            Statement::Labeled(labeled) => self.labeled(&labeled.node, span)?,
            Statement::Compound(items) => {
                self.enter();
                let (block, statements) = (self.block(), self.block_items(items));
                self.leave();
                StmtKind::Block(block, statements)
            }
            Statement::Expression(None) => StmtKind::Empty,
            Statement::Expression(Some(expression)) => StmtKind::Expr(self.expr(expression)?),
            Statement::If(node) => return self.in_block(span, |this| this.selection(&node.node)),
            Statement::Switch(node) => {
                return self.in_block(span, |this| this.switch(&node.node.expression, &node.node.statement));
            }
            Statement::While(node) => return self.in_block(span, |this| this.while_loop(&node.node)),
            Statement::DoWhile(node) => return self.in_block(span, |this| this.do_loop(&node.node)),
            Statement::For(node) => return self.in_block(span, |this| this.for_loop(&node.node)),
            Statement::Goto(name) => StmtKind::Goto(self.label(name, false)?),
            Statement::Continue if self.current.as_ref().is_some_and(|current| current.loops > 0) => StmtKind::Continue,
            Statement::Continue => return Err(self.error(span, "`continue` outside of a loop")),
            Statement::Break if self.current.as_ref().is_some_and(|current| current.breakable > 0) => StmtKind::Break,
            Statement::Break => return Err(self.error(span, "`break` outside of a loop or switch")),
            Statement::Return(value) => StmtKind::Return(self.returned(value.as_deref(), span)?),
            Statement::Asm(node) => self.assembler(&node.node)?,
        };
        Ok(Stmt { kind, span })
    }

    /// A statement with a scope of its own.
    fn scoped(&mut self, node: &Node<Statement>) -> R<Stmt> {
        let span = self.span(node);
        self.in_block(span, |this| this.statement(node).map(|statement| statement.kind))
    }

    /// A statement that is a block, as selections, iterations and the statements in them are. It is
    /// written down if it declares something.
    fn in_block(&mut self, span: Span, build: impl FnOnce(&mut Self) -> R<StmtKind>) -> R<Stmt> {
        self.enter();
        let (block, kind) = (self.block(), build(self));
        self.leave();
        let statement = Stmt { kind: kind?, span };
        let function = self.current.as_ref().map(|current| &self.unit.functions[current.function.index()]);
        let declares = function.is_some_and(|function| !function.blocks[block.index()].is_empty());
        Ok(if declares { Stmt { kind: StmtKind::Block(block, vec![statement]), span } } else { statement })
    }

    fn selection(&mut self, node: &IfStatement) -> R<StmtKind> {
        let condition = self.condition(&node.condition);
        let yes = self.scoped(&node.then_statement);
        let no = match &node.else_statement {
            Some(no) => Some(Box::new(self.scoped(no)?)),
            None => None,
        };
        Ok(StmtKind::If(condition?, Box::new(yes?), no))
    }

    fn while_loop(&mut self, node: &WhileStatement) -> R<StmtKind> {
        let condition = self.condition(&node.expression);
        let body = self.body(&node.statement, Around::Loop);
        Ok(StmtKind::While(condition?, Box::new(body?)))
    }

    fn do_loop(&mut self, node: &DoWhileStatement) -> R<StmtKind> {
        let body = self.body(&node.statement, Around::Loop);
        let condition = self.condition(&node.expression)?;
        Ok(StmtKind::DoWhile(Box::new(body?), condition))
    }

    fn body(&mut self, node: &Node<Statement>, around: Around) -> R<Stmt> {
        let loops = u32::from(around == Around::Loop);
        if let Some(current) = &mut self.current {
            current.loops += loops;
            current.breakable += 1;
        }
        let result = self.scoped(node);
        if let Some(current) = &mut self.current {
            current.loops -= loops;
            current.breakable -= 1;
        }
        result
    }

    fn for_loop(&mut self, node: &ForStatement) -> R<StmtKind> {
        let mut init = Vec::new();
        match &node.initializer.node {
            ForInitializer::Empty => {}
            ForInitializer::Expression(expression) => {
                let expr = self.expr(expression)?;
                let span = expr.span;
                init.push(Stmt { kind: StmtKind::Expr(expr), span });
            }
            ForInitializer::Declaration(declaration) => init = self.declaration(declaration)?,
            ForInitializer::StaticAssert(assertion) => self.static_assert(assertion)?,
        }
        let condition = match &node.condition {
            Some(condition) => Some(self.condition(condition)?),
            None => None,
        };
        let step = match &node.step {
            Some(step) => Some(self.expr(step)?),
            None => None,
        };
        let body = Box::new(self.body(&node.statement, Around::Loop)?);
        Ok(StmtKind::For { init, condition, step, body })
    }

    fn switch(&mut self, expression: &Node<Expression>, body: &Node<Statement>) -> R<StmtKind> {
        let value = self.expr(expression)?;
        if !self.unit.types.is_integer(value.ty) {
            let name = self.describe(value.ty);
            return Err(self.error(value.span, format!("a switch is over integers, not {name}")));
        }
        let value = self.promote(value);
        if let Some(current) = &mut self.current {
            current.switches.push(Switch { ty: value.ty, cases: BTreeMap::new(), default: false });
        }
        let body = self.body(body, Around::Switch);
        if let Some(current) = &mut self.current {
            current.switches.pop();
        }
        Ok(StmtKind::Switch(value, Box::new(body?)))
    }

    fn labeled(&mut self, node: &LabeledStatement, span: Span) -> R<StmtKind> {
        let label: R<Box<dyn FnOnce(Box<Stmt>) -> StmtKind>> = match &node.label.node {
            Label::Identifier(name) => match self.label(name, true) {
                Ok(label) => Ok(Box::new(move |inner| StmtKind::Label(label, inner))),
                Err(reported) => Err(reported),
            },
            Label::Case(value) => self.case(value, value).map(case_of),
            Label::CaseRange(range) => self.case(&range.node.low, &range.node.high).map(case_of),
            Label::Default => match self.default(span) {
                Ok(()) => Ok(Box::new(StmtKind::Default)),
                Err(reported) => Err(reported),
            },
        };
        let inner = Box::new(self.statement(&node.statement)?);
        Ok(label?(inner))
    }

    fn innermost_switch(&mut self, span: Span) -> R<&mut Switch> {
        let inside = self.current.as_ref().is_some_and(|current| !current.switches.is_empty());
        if !inside {
            return Err(self.error(span, "a case outside of a switch"));
        }
        let switch = self.current.as_mut().and_then(|current| current.switches.last_mut());
        Ok(switch.expect("there is a switch around"))
    }

    fn default(&mut self, span: Span) -> R<()> {
        let again = std::mem::replace(&mut self.innermost_switch(span)?.default, true);
        if again {
            return Err(self.error(span, "the switch has two defaults"));
        }
        Ok(())
    }

    fn case(&mut self, low: &Node<Expression>, high: &Node<Expression>) -> R<(i128, i128)> {
        let span = self.span(low);
        let ty = self.innermost_switch(span)?.ty;
        let (first, _) = self.constant(low)?;
        let (last, _) = self.constant(high)?;
        let (first, last) = (self.wrap(first, ty), self.wrap(last, ty));
        if first > last {
            // GNU: an empty range matches nothing.
            self.warn(span, "this range of cases is empty");
            return Ok((first, last));
        }
        let cases = &mut self.innermost_switch(span)?.cases;
        let overlaps = cases.range(..=last).next_back().is_some_and(|(_, end)| *end >= first);
        cases.insert(first, last);
        if overlaps {
            return Err(self.error(span, format!("the case {first} is there twice")));
        }
        Ok((first, last))
    }

    /// The label of a name, defined or mentioned here.
    fn label(&mut self, name: &Node<Identifier>, defines: bool) -> R<LabelId> {
        let span = self.at(name.span);
        let around: Vec<BlockId> = self.scopes.iter().filter_map(|scope| scope.block).collect();
        let Some(current) = &mut self.current else { return Err(self.error(span, "a label outside of a function")) };
        let Function { labels, blocks, .. } = &mut self.unit.functions[current.function.index()];
        let id = *current.labels.entry(name.node.name.clone()).or_insert_with(|| {
            labels.push(Target { name: name.node.name.clone(), span, blocks: Vec::new() });
            LabelId(u32::try_from(labels.len() - 1).expect("fewer than 2^32 labels"))
        });
        if defines {
            labels[id.index()].span = span;
            labels[id.index()].blocks = around.iter().map(|block| (*block, blocks[block.index()].len())).collect();
            if !current.defined_labels.insert(id) {
                return Err(self.error(span, format!("the label `{}` is there twice", name.node.name)));
            }
        }
        Ok(id)
    }

    fn returned(&mut self, value: Option<&Node<Expression>>, span: Span) -> R<Option<super::super::tree::Expr>> {
        let result: Option<Ty> = self.current.as_ref().map(|current| current.result);
        let value = match value {
            Some(value) => Some(self.expr(value)?),
            None => None,
        };
        let Some(result) = result else { return Err(self.error(span, "`return` outside of a function")) };
        let void = matches!(self.unit.types.get(result), Type::Void);
        match value {
            Some(value) if void => {
                // GNU: `return f();` in a void function, where f is void as well.
                if !matches!(self.unit.types.get(value.ty), Type::Void) {
                    self.warn(span, "a void function returns a value, which is dropped");
                }
                Ok(Some(self.convert(value, result)))
            }
            Some(value) => {
                let at = value.span;
                Ok(Some(self.assigned(value, result, at)?))
            }
            None => Ok(None),
        }
    }

    fn assembler(&mut self, node: &AsmStatement) -> R<StmtKind> {
        match node {
            AsmStatement::GnuBasic(template) if is_blank(&template.node) => Ok(StmtKind::Empty),
            AsmStatement::GnuBasic(_) => Ok(StmtKind::Unsupported {
                what: "asm".to_owned(),
                changes: Vec::new(),
                inputs: Vec::new(),
                memory: true,
            }),
            AsmStatement::GnuExtended(asm) => self.extended_assembler(asm),
        }
    }

    fn extended_assembler(&mut self, asm: &GnuExtendedAsmStatement) -> R<StmtKind> {
        let mut changes: Vec<Place> = Vec::new();
        for output in &asm.outputs {
            match self.operand(&output.node.variable_name)? {
                Operand::Place(place) => changes.push(place),
                Operand::Value(expr) => {
                    return Err(self.error(expr.span, "an output of assembler text must be a place"));
                }
                Operand::Function(_, span) => return Err(self.error(span, "a function cannot be changed")),
            }
        }
        let mut inputs: Vec<Expr> = Vec::new();
        for input in &asm.inputs {
            let value = match self.operand(&input.node.variable_name)? {
                Operand::Value(value) => value,
                Operand::Place(place) if self.unit.types.is_scalar(place.ty) => {
                    let (ty, span) = (place.ty, place.span);
                    Expr { kind: ExprKind::Load(Box::new(place)), ty, span }
                }
                Operand::Place(place) if !is_value(&place) => {
                    let (ty, span) = (self.unit.types.pointer(place.ty), place.span);
                    Expr { kind: ExprKind::Address(Box::new(place)), ty, span }
                }
                Operand::Place(_) | Operand::Function(..) => continue,
            };
            inputs.push(value);
        }
        let memory = asm.clobbers.iter().any(|clobber| clobber.node.iter().any(|part| part.contains("memory")));
        if is_blank(&asm.template.node) && changes.is_empty() {
            // What the inputs do happens all the same.
            return Ok(inputs.into_iter().reduce(after).map_or(StmtKind::Empty, StmtKind::Expr));
        }
        let memory = memory && !is_blank(&asm.template.node);
        Ok(StmtKind::Unsupported { what: "asm".to_owned(), changes, inputs, memory })
    }
}

/// What makes a labelled statement of the statement behind the label.
fn case_of((low, high): (i128, i128)) -> Box<dyn FnOnce(Box<Stmt>) -> StmtKind> {
    Box::new(move |inner| StmtKind::Case(low, high, inner))
}

/// Two expressions one after the other.
fn after(first: Expr, second: Expr) -> Expr {
    let (ty, span) = (second.ty, second.span);
    Expr { kind: ExprKind::Comma(Box::new(first), Box::new(second)), ty, span }
}

/// Whether assembler text is only a barrier for the compiler.
fn is_blank(template: &[String]) -> bool {
    template.iter().all(|part| part.trim_matches('"').trim().is_empty())
}
