//! Arrays over a finite index sort, spelled out: the word of an array is the words of its
//! cells, one after another. A cell's number is its index's word read as a number, which is
//! the order of `tamis_term::pack` too. Equality and choice need nothing of their own.

use crate::Error;
use crate::gates::{Edge, Gates};
use crate::words::{Word, mux};

/// The cell at `index`: a tree of multiplexers that halves the candidates per index bit.
pub(crate) fn select(gates: &mut Gates, array: &[Edge], index: &[Edge]) -> Result<Word, Error> {
    let width = array.len() >> index.len();
    let mut cells = array.to_vec();
    for bit in index {
        let mut half = Vec::with_capacity(cells.len() / 2);
        for pair in cells.chunks_exact(2 * width) {
            let (even, odd) = pair.split_at(width);
            half.extend(mux(gates, *bit, odd, even)?);
        }
        cells = half;
    }
    Ok(cells)
}

/// The array with `element` at `index`.
pub(crate) fn store(gates: &mut Gates, array: &[Edge], index: &[Edge], element: &[Edge]) -> Result<Word, Error> {
    let hits = decode(gates, index)?;
    let mut result = Vec::with_capacity(array.len());
    for (hit, cell) in hits.into_iter().zip(array.chunks_exact(element.len())) {
        result.extend(mux(gates, hit, element, cell)?);
    }
    Ok(result)
}

/// For every cell number, whether `index` is that number.
fn decode(gates: &mut Gates, index: &[Edge]) -> Result<Vec<Edge>, Error> {
    let mut hits = vec![Edge::TRUE];
    for bit in index {
        gates.meter.work(hits.len())?;
        let high = hits.iter().map(|hit| gates.and(*hit, *bit)).collect::<Result<Vec<_>, Error>>()?;
        let low = hits.iter().map(|hit| gates.and(*hit, !*bit)).collect::<Result<Vec<_>, Error>>()?;
        hits = low;
        hits.extend(high);
    }
    Ok(hits)
}
