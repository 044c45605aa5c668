//! Linear equations modulo a power of two, in Howell form (Howell, "Spans in the module
//! `(Z_m)^s`", 1986; Elder, Lim, Sharma, Andersen, Reps, "Abstract domains of affine relations",
//! 2014, section 2).
//!
//! A row `a` says that `a[0]·x[0] + … + a[n-1]·x[n-1] + a[n] = 0`. The rows that follow from others
//! are their span. In Howell form each column leads at most one row, with a power of two; and
//! whatever in the span is zero up to some column is a combination of the rows that begin after it.
//! So to forget the first variables is to drop rows, and what two sets have in common is found the
//! same way.

/// The coefficients by column, and the constant.
pub(super) type Row = Vec<u64>;

/// Equations over some columns.
#[derive(Clone, Debug)]
pub(super) struct Rows {
    width: u32,
    /// By column, and for the constant: the row that begins there.
    basis: Vec<Option<Row>>,
}

impl Rows {
    /// No equations, over so many columns of words of so many bits.
    pub(super) fn new(width: u32, columns: usize) -> Rows {
        Rows { width, basis: vec![None; columns + 1] }
    }

    fn mask(&self) -> u64 {
        u64::MAX >> (64 - self.width)
    }

    fn columns(&self) -> usize {
        self.basis.len() - 1
    }

    pub(super) fn iter(&self) -> impl Iterator<Item = &Row> {
        self.basis.iter().flatten()
    }

    /// Whether no values satisfy the equations.
    pub(super) fn is_contradictory(&self) -> bool {
        self.basis[self.columns()].is_some()
    }

    /// Adds an equation.
    pub(super) fn insert(&mut self, row: Row) {
        let mask = self.mask();
        let mut stack = vec![row];
        while let Some(mut row) = stack.pop() {
            scale(&mut row, 1, mask);
            let Some(lead) = self.reduce(&mut row) else { continue };
            let twos = row[lead].trailing_zeros();
            let odd = row[lead] >> twos;
            scale(&mut row, inverse(odd), mask);
            if twos > 0 {
                // What the row says of the columns after the first.
                let mut rest = row.clone();
                scale(&mut rest, 1 << (self.width - twos), mask);
                stack.push(rest);
            }
            stack.extend(self.basis[lead].replace(row));
        }
    }

    /// Subtracts from a row what the basis says, up to the first column where that is not possible.
    fn reduce(&self, row: &mut Row) -> Option<usize> {
        for lead in 0..row.len() {
            if row[lead] == 0 {
                continue;
            }
            let Some(known) = &self.basis[lead] else { return Some(lead) };
            let twos = known[lead].trailing_zeros();
            if row[lead].trailing_zeros() < twos {
                return Some(lead);
            }
            subtract(row, known, row[lead] >> twos, self.mask());
        }
        None
    }

    /// Whether an equation follows.
    pub(super) fn implies(&self, row: &Row) -> bool {
        self.reduce(&mut row.clone()).is_none()
    }

    /// What follows for the columns after the first ones.
    pub(super) fn without_first(&self, number: usize) -> Rows {
        let tail = |row: &Option<Row>| row.as_ref().map(|row| row[number..].to_vec());
        Rows { width: self.width, basis: self.basis[number..].iter().map(tail).collect() }
    }

    /// What follows from both.
    pub(super) fn join(&self, other: &Rows) -> Rows {
        // Zassenhaus: what is zero in the first half is in both spans.
        let half = self.basis.len();
        let mut both = Rows::new(self.width, 2 * half - 1);
        for row in self.iter() {
            both.insert([row.as_slice(), row].concat());
        }
        for row in other.iter() {
            both.insert([row.as_slice(), &vec![0; half]].concat());
        }
        both.without_first(half)
    }

    /// The same equations, as definitions of variables by others as far as possible: solvers just
    /// put in what a variable is. Of all that could be said, that with the smallest factors is.
    pub(super) fn solved(&self) -> Vec<Row> {
        let mask = self.mask();
        let mut open: Vec<Row> = self.iter().cloned().collect();
        let mut solved: Vec<Row> = Vec::new();
        loop {
            let choices = open.iter().enumerate().flat_map(|(at, row)| {
                let odd = (0..self.columns()).filter(|column| row[*column] % 2 == 1);
                odd.map(move |column| {
                    let mut scaled = row.clone();
                    scale(&mut scaled, inverse(row[column]), mask);
                    (at, column, scaled)
                })
            });
            let Some((at, column, row)) = choices.min_by_key(|(.., row)| self.size(row)) else { break };
            open.swap_remove(at);
            for other in open.iter_mut().chain(&mut solved) {
                let times = other[column];
                subtract(other, &row, times, mask);
            }
            open.retain(|row| row.iter().any(|entry| *entry != 0));
            solved.push(row);
        }
        solved.extend(open);
        solved
    }

    /// How large the factors are, signs aside.
    fn size(&self, row: &Row) -> u128 {
        row[..self.columns()].iter().map(|entry| u128::from((*entry).min(entry.wrapping_neg() & self.mask()))).sum()
    }
}

fn scale(row: &mut Row, by: u64, mask: u64) {
    for entry in row {
        *entry = entry.wrapping_mul(by) & mask;
    }
}

fn subtract(row: &mut Row, other: &Row, times: u64, mask: u64) {
    for (entry, other) in row.iter_mut().zip(other) {
        *entry = entry.wrapping_sub(other.wrapping_mul(times)) & mask;
    }
}

/// The inverse of an odd number modulo 2^64: each of Newton's steps doubles the bits that are right.
fn inverse(odd: u64) -> u64 {
    let mut inverse = odd;
    for _ in 0..5 {
        inverse = inverse.wrapping_mul(2_u64.wrapping_sub(odd.wrapping_mul(inverse)));
    }
    inverse
}

#[cfg(test)]
mod tests {
    use super::*;
    use fastrand::Rng;

    const WIDTH: u32 = 3;
    const COLUMNS: usize = 3;

    fn random(rng: &mut Rng, number: usize) -> Rows {
        let mut rows = Rows::new(WIDTH, COLUMNS);
        for _ in 0..number {
            rows.insert((0..=COLUMNS).map(|_| rng.u64(..8)).collect());
        }
        rows
    }

    /// All values that satisfy the equations.
    fn points(rows: &Rows) -> Vec<[u64; COLUMNS]> {
        let all = (0..512).map(|n: u64| [n & 7, n >> 3 & 7, n >> 6]);
        all.filter(|point| rows.iter().all(|row| holds(row, point))).collect()
    }

    fn holds(row: &[u64], point: &[u64]) -> bool {
        let sum: u64 = row.iter().zip(point).map(|(factor, value)| factor * value).sum();
        (sum + row[row.len() - 1]).is_multiple_of(8)
    }

    /// All equations that hold at all points.
    fn hull(points: &[[u64; COLUMNS]]) -> Vec<Row> {
        let all = (0..4096).map(|n: u64| vec![n & 7, n >> 3 & 7, n >> 6 & 7, n >> 9]);
        all.filter(|row| points.iter().all(|point| holds(row, point))).collect()
    }

    #[test]
    fn odd_numbers_have_inverses() {
        for odd in [1, 3, 5, 255, u64::MAX, 0x1234_5678_9abc_def1] {
            assert_eq!(inverse(odd).wrapping_mul(odd), 1);
        }
    }

    #[test]
    fn what_follows_is_what_holds_at_all_points() {
        let mut rng = Rng::with_seed(1);
        for _ in 0..200 {
            let number = rng.usize(..4);
            let rows = random(&mut rng, number);
            let points = points(&rows);
            assert_eq!(points.is_empty(), rows.is_contradictory());
            if !points.is_empty() {
                let implied = |row: &Row| rows.implies(row);
                let all: Vec<Row> = hull(&points);
                assert!(all.iter().all(implied), "{rows:?}");
                let mut solved = Rows::new(WIDTH, COLUMNS);
                rows.solved().into_iter().for_each(|row| solved.insert(row));
                assert!(solved.iter().all(implied), "{rows:?}");
                assert!(rows.iter().all(|row| solved.implies(row)), "{rows:?}");
            }
        }
    }

    #[test]
    fn joins_are_hulls_and_forgetting_projects() {
        let mut rng = Rng::with_seed(2);
        for _ in 0..200 {
            let numbers = [rng.usize(..4), rng.usize(..4)];
            let [one, other] = numbers.map(|number| random(&mut rng, number));
            if one.is_contradictory() || other.is_contradictory() {
                continue;
            }
            let both = [points(&one), points(&other)].concat();
            let join = one.join(&other);
            let hull = hull(&both);
            assert!(join.iter().all(|row| hull.contains(row)));
            assert!(hull.iter().all(|row| join.implies(row)));
            let rest = one.without_first(1);
            let kept: Vec<Row> = rest.iter().map(|row| [&[0], row.as_slice()].concat()).collect();
            let about_rest = super::tests::hull(&points(&one)).into_iter().filter(|row| row[0] == 0);
            assert!(kept.iter().all(|row| one.implies(row)));
            assert!(about_rest.into_iter().all(|row| rest.implies(&row[1..].to_vec())));
        }
    }
}
