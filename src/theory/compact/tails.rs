//! N(0, 1) cut to [−c, c], energy s·x²/2 everywhere, truth s = 1, one copy, q = 1. As c grows p_X covers what the
//! noise reaches, and the optimum tends to the truth: p_X > 0 wherever the noise goes is what the proposition needs.

use crate::theory::one_parameter::Groups;
use crate::theory::rule::{interval, normal};

const PANELS: usize = 24;

/// The best s on [−c, c].
///
/// ```
/// use ebmbook::theory::compact::tails::best_scale;
/// assert!(best_scale(1.0) > 2.0, "much of the noise lies outside");
/// assert!((best_scale(9.0) - 1.0).abs() < 1e-9, "all but 1e-18 of the law is inside");
/// ```
pub fn best_scale(c: f64) -> f64 {
    let mut groups = Groups::new(2);
    let h = |x: f64| 0.5 * x * x;
    // The mass that the cut leaves is a factor of L, and moves no maximiser.
    for (x, wx) in interval(-c, c, PANELS) {
        let density = (-h(x)).exp();
        for (y, wy) in normal(x, 1.0, PANELS) {
            groups.push(wx * wy * density, &[h(x), h(y)], &[0.0, 0.0]);
        }
    }
    groups.maximiser(-20.0, 20.0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_error_fades_as_the_law_covers_its_noise() {
        let errors = [1.0, 2.0, 3.0, 4.0].map(|c| best_scale(c) - 1.0);
        assert!(errors.windows(2).all(|pair| 0.0 < pair[1] && pair[1] < pair[0]), "{errors:?}");
    }
}
