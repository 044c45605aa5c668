//! Z3's models as values.
//!
//! Values are read from Z3's text, except for the small ones: the reader knows all that a
//! constant can be, and refuses what is none, such as an irrational number. Some arrays Z3 writes
//! as functions; those are tried at all indices, or at those that they mention.

use super::encode::Encoder;
use crate::Why;
use crate::valuation::Valuation;
use num_rational::BigRational;
use std::collections::BTreeSet;
use std::sync::Arc;
use tamis_term::value::values;
use tamis_term::walk::post_order;
use tamis_term::{ArraySort, ArrayValue, Reader, Sort, Term, Terms, Value};
use z3::ast::Dynamic;

/// An array with at most this many cells is read cell by cell.
const FEW: u64 = 256;

/// The values of the variables of a question, if the model makes all of it true.
pub(super) fn read(
    terms: &Terms,
    encoder: &mut Encoder,
    model: &z3::Model,
    question: &[Term],
) -> Result<Valuation, Why> {
    let mut valuation = Valuation::default();
    for var in terms.free_vars(question) {
        let sort = terms.var_sort(var);
        let constant = encoder.var(terms, var)?;
        let value = model.eval(&constant, true).and_then(|found| value(encoder, model, &found, sort));
        let Some(value) = value else {
            let name = terms.name(var);
            return Err(Why::GaveUp(format!("Z3 found a value of {name} that is not a constant of {sort}")));
        };
        valuation.values.insert(var, value);
    }
    if valuation.confirms(terms, question) {
        Ok(valuation)
    } else {
        Err(Why::GaveUp("Z3 found a model under which not all formulas are true".to_owned()))
    }
}

fn rational((over, under): (i64, i64)) -> Value {
    Value::Real(Box::new(BigRational::new(over.into(), under.into())))
}

fn value(encoder: &mut Encoder, model: &z3::Model, found: &Dynamic, sort: &Sort) -> Option<Value> {
    let small = match sort {
        Sort::Bool => found.as_bool()?.as_bool().map(Value::Bool),
        Sort::BitVec(width @ ..=64) => found.as_bv()?.as_u64().map(|value| Value::bv(*width, value)),
        Sort::Int => found.as_int()?.as_i64().map(Value::int),
        Sort::Real => found.as_real()?.as_rational().map(rational),
        Sort::BitVec(_) | Sort::Array(_) => None,
    };
    if small.is_some() {
        return small;
    }
    let text = found.to_string();
    match (Value::read(&text, sort), sort) {
        (Ok(value), _) => Some(value),
        (Err(_), Sort::Array(array)) => match array.index.cardinality() {
            Some(count) if count <= FEW => cells(encoder, model, found, array),
            Some(_) | None => function(&text, array),
        },
        (Err(_), Sort::Bool | Sort::BitVec(_) | Sort::Int | Sort::Real) => None,
    }
}

/// An array cell by cell. Arrays of arrays nest no deeper than their sorts.
fn cells(encoder: &mut Encoder, model: &z3::Model, found: &Dynamic, sort: &Arc<ArraySort>) -> Option<Value> {
    let array = found.as_array()?;
    let mut cells = Vec::new();
    for index in values(&sort.index) {
        let place = encoder.constant(&index).ok()?;
        let cell = model.eval(&array.select(&place), true)?;
        cells.push((index, value(encoder, model, &cell, &sort.element)?));
    }
    let default = cells.first()?.1.clone();
    Some(Value::Array(Box::new(ArrayValue::from_cells(sort.clone(), default, cells))))
}

/// An array that is written as a function, if it is as it looks: elsewhere than at the indices
/// that the function mentions, it has one value. Whether that is so shows when the model is
/// tried.
fn function(text: &str, sort: &Arc<ArraySort>) -> Option<Value> {
    let mut own = Terms::new();
    let mut reader = Reader::new(text);
    reader.open().ok()?;
    reader.symbol().ok()?;
    reader.open().ok()?;
    reader.open().ok()?;
    let name = reader.symbol().ok()?;
    let index = own.declare(&name, reader.sort().ok()?);
    reader.close().ok()?;
    reader.close().ok()?;
    let body = reader.term(&mut own).ok()?;
    if *own.var_sort(index) != sort.index || *own.sort(body) != sort.element {
        return None;
    }
    let places = mentioned(&own, body, &sort.index);
    let mut others = (0..=places.len()).filter_map(|number| sample(&sort.index, number));
    let elsewhere = others.find(|place| !places.contains(place))?;
    let at = |place: &Value| own.eval(body, |_| place.clone());
    let cells: Vec<(Value, Value)> = places.iter().map(|place| (place.clone(), at(place))).collect();
    Some(Value::Array(Box::new(ArrayValue::from_cells(sort.clone(), at(&elsewhere), cells))))
}

/// The constants of a sort in a term.
fn mentioned(terms: &Terms, term: Term, sort: &Sort) -> BTreeSet<Value> {
    let values = post_order(terms, &[term]).into_iter().filter_map(|term| terms.value(term));
    values.filter(|value| value.has_sort(sort)).cloned().collect()
}

/// One of many values of a sort.
fn sample(sort: &Sort, number: usize) -> Option<Value> {
    let number = u64::try_from(number).ok()?;
    match sort {
        Sort::BitVec(width) => (*width >= 64 || number < 1 << width).then(|| Value::bv(*width, number)),
        Sort::Int => Some(Value::int(number)),
        Sort::Real => Value::read(&format!("{number}.0"), sort).ok(),
        Sort::Bool | Sort::Array(_) => None,
    }
}
