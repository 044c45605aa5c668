//! Rows over the values before a step and those after it.

use super::analysis::Space;
use super::rows::{Row, Rows};

/// Columns for what variables were before they are written, ahead of the others.
pub(super) struct Moved {
    width: u32,
    /// By column: where the value before is.
    places: Vec<usize>,
    /// The first column that stays.
    pub(super) kept: usize,
    /// Columns that stay ahead of the space's.
    more: usize,
    columns: usize,
}

impl Moved {
    /// With `written` columns moved ahead, and room for `more` between them and the others.
    pub(super) fn new(width: u32, space: &Space, written: &[usize], more: usize) -> Moved {
        let kept = written.len();
        let mut places: Vec<usize> = (kept + more..).take(space.len()).collect();
        for (place, column) in written.iter().enumerate() {
            places[*column] = place;
        }
        Moved { width, places, kept, more, columns: space.len() }
    }

    /// Puts further columns ahead.
    pub(super) fn shift(&mut self, by: usize) {
        self.places.iter_mut().for_each(|place| *place += by);
        self.kept += by;
    }

    /// How long rows are.
    pub(super) fn length(&self) -> usize {
        self.kept + self.more + self.columns + 1
    }

    /// A form over the values before.
    pub(super) fn before(&self, row: &Row) -> Row {
        let mut lifted = vec![0; self.length()];
        for (place, entry) in self.places.iter().zip(row) {
            lifted[*place] = *entry;
        }
        lifted[self.length() - 1] = row[self.columns];
        lifted
    }

    /// The value of a column afterwards.
    pub(super) fn unit(&self, column: usize) -> Row {
        unit(self.length(), self.kept + self.more + column)
    }

    /// What is known of the values before.
    pub(super) fn after(&self, rows: &Rows) -> Rows {
        let mut after = Rows::new(self.width, self.length() - 1);
        for row in rows.iter() {
            after.insert(self.before(row));
        }
        after
    }
}

/// The value of a column.
pub(super) fn unit(length: usize, column: usize) -> Row {
    let mut row = vec![0; length];
    row[column] = 1;
    row
}

/// What is zero if two forms are equal.
pub(super) fn difference(one: &Row, other: &Row) -> Row {
    one.iter().zip(other).map(|(one, other)| one.wrapping_sub(*other)).collect()
}
