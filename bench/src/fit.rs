//! Lines through points, by least squares.
//!
//! A time that grows like a power of the size is a straight line where both are logarithms, and
//! one that grows by a factor with every step is a straight line where only the time is.

/// The exponent of the power that is nearest to the points.
#[must_use]
pub fn exponent(points: &[(f64, f64)]) -> Option<f64> {
    let logs = points.iter().filter(|(x, y)| *x > 0.0 && *y > 0.0).map(|(x, y)| (x.ln(), y.ln()));
    slope(&logs.collect::<Vec<_>>())
}

/// The factor by which `y` grows when `x` grows by one.
#[must_use]
pub fn factor(points: &[(f64, f64)]) -> Option<f64> {
    let logs = points.iter().filter(|(_, y)| *y > 0.0).map(|(x, y)| (*x, y.ln()));
    slope(&logs.collect::<Vec<_>>()).map(f64::exp)
}

/// The slope of the line through the points, if they are not all above each other.
fn slope(points: &[(f64, f64)]) -> Option<f64> {
    #[expect(clippy::cast_precision_loss, reason = "there are few points")]
    let count = points.len() as f64;
    let (mx, my) = (points.iter().map(|p| p.0).sum::<f64>() / count, points.iter().map(|p| p.1).sum::<f64>() / count);
    let spread: f64 = points.iter().map(|(x, _)| (x - mx).powi(2)).sum();
    (spread > 0.0).then(|| points.iter().map(|(x, y)| (x - mx) * (y - my)).sum::<f64>() / spread)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn near(found: Option<f64>, expected: f64) -> bool {
        found.is_some_and(|found| (found - expected).abs() < 1e-9)
    }

    #[test]
    fn the_exponent_of_a_power_is_found() {
        let cubes = [1.0_f64, 2.0, 4.0, 9.0].map(|x| (x, 5.0 * x.powi(3)));
        assert!(near(exponent(&cubes), 3.0));
        assert!(near(exponent(&[(8.0, 0.5), (64.0, 0.5)]), 0.0));
    }

    #[test]
    fn the_factor_of_an_exponential_is_found() {
        let doubling = [3.0_f64, 4.0, 5.0, 8.0].map(|x| (x, 0.1 * x.exp2()));
        assert!(near(factor(&doubling), 2.0));
        assert!(exponent(&doubling).is_some_and(|found| found > 3.0));
    }

    #[test]
    fn one_point_is_no_line() {
        assert_eq!((exponent(&[(2.0, 1.0)]), factor(&[(2.0, 1.0)])), (None, None));
        assert_eq!((exponent(&[]), factor(&[])), (None, None));
        assert_eq!(exponent(&[(2.0, 0.0), (3.0, 0.0)]), None);
    }
}
