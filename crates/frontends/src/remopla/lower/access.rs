//! Reading and writing variables and parts of them: an index that is not constant chooses
//! among the cells that it may name.

use super::expression::Evaluator;
use super::value::{Value, Whole};
use crate::cursor::Refused;
use crate::remopla::ast::{Expr, Lval};
use crate::remopla::number::Number;
use crate::remopla::report::count;
use crate::remopla::types::{Dim, Element, Scalar, Type, Variable};
use num_bigint::BigInt;
use tamis_ir::{Diagnostic, Span};
use tamis_term::{Term, Var};

/// Up to so many cells a read compares the index with each; beyond that it halves the range.
const LINEAR: usize = 16;

/// A variable or a part of it.
#[derive(Debug)]
pub struct Access<'n> {
    /// The variable.
    pub variable: &'n Variable,
    /// The type of the part.
    pub ty: Type,
    /// The cell where the part starts if all indices are the least possible.
    base: usize,
    /// How many cells the part has.
    size: usize,
    /// The indices.
    picks: Vec<Pick>,
    /// Whether all indices are in range.
    pub defined: Term,
}

/// The cells that one cell of a part may be, each with the condition that it is that one.
pub type Targets = Vec<(Term, Var)>;

/// An index.
#[derive(Debug)]
struct Pick {
    dim: Dim,
    /// How many cells are between two neighbours.
    stride: usize,
    index: Number,
}

impl Pick {
    /// The values that the index may have inside the array.
    fn values(&self) -> std::ops::Range<u32> {
        let first = self.dim.low.max(u32::try_from(&self.index.low).unwrap_or(0));
        let last = self.dim.low + self.dim.size - 1;
        first..last.min(u32::try_from(&self.index.high).unwrap_or(last)).saturating_add(1).max(first)
    }

    /// Where the part starts for a value of the index.
    fn offset(&self, value: u32) -> usize {
        (value - self.dim.low) as usize * self.stride
    }
}

impl Access<'_> {
    /// Whether no index has to be looked up when the program runs.
    pub fn is_fixed(&self) -> bool {
        self.picks.iter().all(|pick| pick.index.value().is_some())
    }

    /// The types of the cells.
    pub fn scalars(&self) -> &[Scalar] {
        &self.variable.scalars[self.base..self.base + self.size]
    }
}

impl<'n, 's> Evaluator<'_, 'n, '_, 's> {
    /// Finds what an expression on the left or the right of an assignment names.
    ///
    /// # Errors
    /// If there is no such variable or part.
    pub fn access(&mut self, lval: &Lval<'s>) -> Result<Access<'n>, Refused> {
        if self.frames[usize::from(lval.primes)].is_none() {
            let hint = "relations between old and new values go into `skip(…)`; `''` is for rules that push";
            return Err(self.ctx.report.error_with(lval.span, "primes are not allowed here", hint));
        }
        let Some(variable) = self.variable(lval) else { return Err(self.unknown(lval)) };
        let types = &self.ctx.names.types;
        let stride = types.element_cells(variable.ty.element);
        let always = self.ctx.terms.bool(true);
        let mut access =
            Access { variable, ty: variable.ty.clone(), base: 0, size: 0, picks: Vec::new(), defined: always };
        self.pick(&mut access, &lval.index, stride, lval)?;
        if let Some((field, indices)) = &lval.field {
            let element = match access.ty.element {
                Element::Struct(id) if access.ty.dims.is_empty() => types.field(id, field.text),
                Element::Struct(_) => {
                    return Err(self.ctx.report.error(lval.span, "a field of an array: the index is missing"));
                }
                Element::Scalar(_) => None,
            };
            let Some(element) = element else {
                let message = format!("`{}` has no field `{}`", lval.name.text, field.text);
                return Err(self.ctx.report.error(field.span, message));
            };
            access.base += element.offset;
            access.ty = element.ty.clone();
            self.pick(&mut access, indices, 1, lval)?;
        }
        let elements = usize::try_from(access.ty.elements()).unwrap_or(usize::MAX);
        access.size = types.element_cells(access.ty.element) * elements;
        Ok(access)
    }

    fn unknown(&mut self, lval: &Lval<'s>) -> Refused {
        let name = lval.name.text;
        let report = &mut *self.ctx.report;
        if self.bound.iter().any(|(bound, _)| *bound == name) || self.ctx.names.constant(name).is_some() {
            report.error(lval.span, format!("`{name}` is a constant, not a variable"))
        } else if self.ctx.names.module(name).is_some() {
            report.error_with(lval.name.span, format!("`{name}` is a module, not a variable"), "call it: `x = f(…);`")
        } else if lval.primes > 0 {
            report.error(lval.name.span, format!("no variable `{name}` can have {} primes here", lval.primes))
        } else {
            report.error_with(lval.name.span, format!("unknown variable `{name}`"), "declare it")
        }
    }

    /// Applies indices.
    fn pick(
        &mut self,
        access: &mut Access<'n>,
        indices: &[Expr<'s>],
        cells: usize,
        lval: &Lval<'s>,
    ) -> Result<(), Refused> {
        if indices.is_empty() {
            return Ok(());
        }
        let dims = std::mem::take(&mut access.ty.dims);
        if dims.len() != indices.len() {
            let has = if dims.is_empty() {
                "is no array".to_owned()
            } else {
                format!("has {}", count(dims.len(), "dimension"))
            };
            let message = format!(
                "`{}` {has}, but {} given",
                lval.name.text,
                match indices.len() {
                    1 => "one index is".to_owned(),
                    many => format!("{many} indices are"),
                }
            );
            return Err(self.ctx.report.error(lval.span, message));
        }
        let mut stride = cells * dims.iter().map(|dim| dim.size as usize).product::<usize>();
        for (dim, expr) in dims.into_iter().zip(indices) {
            stride /= dim.size as usize;
            let index = self.number(expr)?;
            let (low, high) = (BigInt::from(dim.low), BigInt::from(dim.low) + (dim.size - 1));
            let inside = index.number.between(self.ctx.terms, &low, &high);
            if self.ctx.terms.is_false(inside) && self.bound.is_empty() {
                let message = format!("the index is never between {low} and {high}");
                self.ctx.report.add(Diagnostic::warning(expr.span, message));
            }
            access.defined = self.ctx.terms.and(&[access.defined, index.defined, inside]);
            access.picks.push(Pick { dim, stride, index: index.number });
        }
        Ok(())
    }

    /// The value of a variable or a part of it.
    pub(super) fn read(&mut self, lval: &Lval<'s>) -> Result<Value, Refused> {
        let access = self.access(lval)?;
        let frame = usize::from(lval.primes);
        if let Some(scalar) = access.ty.single() {
            let term = self.choose(&access, &access.picks, access.base, frame, lval.span)?;
            return Ok(Value::of_term(term, scalar, access.defined));
        }
        let range = access.base..access.base + access.size;
        let cells = range.map(|cell| self.choose(&access, &access.picks, cell, frame, lval.span));
        let cells = cells.collect::<Result<Vec<_>, _>>()?;
        let scalars = access.scalars().to_vec();
        Ok(Value::Whole(Whole { ty: access.ty, cells, scalars, defined: access.defined }))
    }

    /// The cell that the indices choose, `base` being where they count from.
    fn choose(
        &mut self,
        access: &Access<'n>,
        picks: &[Pick],
        base: usize,
        frame: usize,
        span: Span,
    ) -> Result<Term, Refused> {
        let Some((pick, rest)) = picks.split_first() else {
            return Ok(self.cell(access.variable.cells[base], frame));
        };
        let values = pick.values();
        if values.len() <= 1 {
            // Where no value is possible the term is never looked at.
            let offset = if values.is_empty() { 0 } else { pick.offset(values.start) };
            return self.choose(access, rest, base + offset, frame, span);
        }
        self.ctx.spend(values.len() as u64, span)?;
        let options = values
            .map(|value| Ok((value, self.choose(access, rest, base + pick.offset(value), frame, span)?)))
            .collect::<Result<Vec<_>, Refused>>()?;
        Ok(self.select(&pick.index, &options))
    }

    fn cell(&mut self, var: Var, frame: usize) -> Term {
        let replaced = self.frames[frame].as_ref().and_then(|frame| frame.cells.get(&var));
        replaced.copied().unwrap_or_else(|| self.ctx.terms.var(var))
    }

    /// The option that the index names; it is known to name one of them.
    fn select(&mut self, index: &Number, options: &[(u32, Term)]) -> Term {
        if options.len() > LINEAR {
            let (low, high) = options.split_at(options.len() / 2);
            let (below, above) = (self.select(index, low), self.select(index, high));
            let middle = BigInt::from(high[0].0);
            let terms = &mut *self.ctx.terms;
            let right = index.between(terms, &middle, &index.high);
            return terms.ite(right, above, below);
        }
        let mut options = options.iter().rev();
        let Some((_, mut chosen)) = options.next().copied() else { return self.ctx.terms.bool(false) };
        for (value, option) in options {
            let here = index.eq_value(self.ctx.terms, &BigInt::from(*value));
            chosen = self.ctx.terms.ite(here, *option, chosen);
        }
        chosen
    }

    /// The cells that a write may change, part by part: for every cell of the part the
    /// candidates, each with the condition that the indices name it.
    pub(super) fn targets(&mut self, access: &Access<'_>, span: Span) -> Result<Vec<Targets>, Refused> {
        let always = self.ctx.terms.bool(true);
        let mut places = vec![(always, access.base)];
        for pick in &access.picks {
            let values = pick.values();
            let count = places.len() as u64 * values.len() as u64;
            if count > 1 {
                self.ctx.spend(count, span)?;
            }
            // That the index is in range is checked anyway.
            let only = values.len() == 1;
            let mut next = Vec::new();
            for value in values {
                let here = if only { always } else { pick.index.eq_value(self.ctx.terms, &BigInt::from(value)) };
                for (condition, base) in &places {
                    let condition = self.ctx.terms.and(&[*condition, here]);
                    next.push((condition, base + pick.offset(value)));
                }
            }
            places = next;
        }
        let cells = 0..access.size;
        Ok(cells
            .map(|at| places.iter().map(|(when, base)| (*when, access.variable.cells[base + at])).collect())
            .collect())
    }
}
