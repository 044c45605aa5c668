//! Which sorts the language has, and how variables of them are declared.

use crate::remopla::names::{MAX_CELLS, MAX_WIDTH};
use tamis_term::Sort;

/// Refuses sorts that have no counterpart.
pub fn check(sort: &Sort) -> Result<(), String> {
    match sort {
        Sort::Bool => Ok(()),
        Sort::BitVec(width) if *width <= MAX_WIDTH => Ok(()),
        Sort::BitVec(width) => Err(format!("bit-vectors of {width} bits")),
        Sort::Int | Sort::Real => Err(format!("unbounded numbers of sort {sort}")),
        Sort::Array(array) => {
            let indexed = matches!(array.index, Sort::BitVec(_));
            let flat = matches!(array.element, Sort::Bool | Sort::BitVec(_));
            if !indexed || !flat {
                return Err(format!("arrays of sort {sort}"));
            }
            check(&array.element)?;
            cells(sort).map(|_| ())
        }
    }
}

/// How many cells an array has.
pub fn cells(sort: &Sort) -> Result<u64, String> {
    let count = match sort {
        Sort::Array(array) => array.index.cardinality(),
        Sort::Bool | Sort::BitVec(_) | Sort::Int | Sort::Real => None,
    };
    count.filter(|count| *count <= MAX_CELLS).ok_or_else(|| format!("arrays of sort {sort}"))
}

/// `int x(8)`, or `int (8)` without a name: a declaration, a parameter or a result.
pub fn declare(sort: &Sort, name: &str) -> Result<String, String> {
    let space = if name.is_empty() { "" } else { " " };
    check(sort)?;
    let (element, dims) = match sort {
        Sort::Array(array) => (&array.element, format!("[{}]", cells(sort)?)),
        Sort::Bool | Sort::BitVec(_) | Sort::Int | Sort::Real => (sort, String::new()),
    };
    Ok(match element {
        Sort::BitVec(width) => format!("int{space}{name}{dims}({width})"),
        Sort::Bool | Sort::Int | Sort::Real | Sort::Array(_) => format!("bool{space}{name}{dims}"),
    })
}
