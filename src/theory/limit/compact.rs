//! Effects on the limit inside the paper's own assumptions: X compact, and δ < π < 1 − δ.
//!
//! On a disc p_X is cut off from N(0, I₂) and f still says the radius alone. On a square with a uniform law
//! p_X is constant, and so is f: a learner on it compares the two arms as they are.

use super::{ANGLES, Design, LimitError, PANELS, limit_error_within, radii};
use crate::theory::density::Grid;
use std::f64::consts::TAU;

impl Design {
    /// [`CONFOUNDED_CONSTANT`](Self::CONFOUNDED_CONSTANT) with π held between .1 and .9.
    pub const POSITIVE_CONSTANT: Self = Self {
        propensity: |x, y| (Self::CONFOUNDED_CONSTANT.propensity)(x, y).clamp(0.1, 0.9),
        ..Self::CONFOUNDED_CONSTANT
    };
}

/// Errors of the limit where X ~ N(0, I₂) given ‖X‖ ≤ radius.
///
/// ```
/// use ebmbook::theory::limit::{Design, compact::disc_error};
/// let error = disc_error(&Design::POSITIVE_CONSTANT, 2.0);
/// assert!(error.bias > 0.5 && error.lost < 1e-7, "nothing to lose, and still biased: {error:?}");
/// assert!(disc_error(&Design::RANDOMISED_RADIAL, 2.0).pehe < 1e-10);
/// ```
pub fn disc_error(design: &Design, radius: f64) -> LimitError {
    limit_error_within(design, radius, PANELS, ANGLES)
}

/// How much PEHE and bias on the disc change, at most, when panels and angles are doubled.
pub fn disc_quadrature_error(design: &Design, radius: f64) -> f64 {
    let (once, twice) =
        (disc_error(design, radius), limit_error_within(design, radius, 2 * PANELS, 2 * ANGLES));
    (once.pehe - twice.pehe).abs().max((once.bias - twice.bias).abs())
}

/// E[Y | A = 1] − E[Y | A = 0] where X is uniform on [−a, a]²: the estimate of every learner on f, which is constant.
///
/// ```
/// use ebmbook::theory::limit::{Design, compact::square_estimate};
/// assert!(square_estimate(&Design::POSITIVE_CONSTANT, 1.0) > 1.5, "an effect of 1, confounded");
/// assert!((square_estimate(&Design::RANDOMISED_LINEAR, 1.0) - 1.0).abs() < 1e-12, "its mean, unbiased");
/// ```
pub fn square_estimate(design: &Design, a: f64) -> f64 {
    let grid = Grid::quadrature(2, -a, a, PANELS);
    let Design { propensity: pi, control_mean: mu0, effect: tau } = *design;
    let mean = |g: &dyn Fn(f64, f64) -> f64| {
        let at = grid.points.rows().into_iter().zip(&grid.weights);
        at.map(|(x, w)| w * g(x[0], x[1])).sum::<f64>() / (4.0 * a * a)
    };
    let treated = mean(&pi);
    let with = mean(&|x, y| pi(x, y) * (mu0(x, y) + tau(x, y)));
    let without = mean(&|x, y| (1.0 - pi(x, y)) * mu0(x, y));
    with / treated - without / (1.0 - treated)
}

/// Var(E[g(X) | f(X)]) / Var(g(X)) on the disc: the share of g that the limit of f predicts.
///
/// ```
/// use ebmbook::theory::limit::compact::predicted_share;
/// assert!(predicted_share(|x, _| x, 2.0) < 1e-20, "nothing");
/// assert!((predicted_share(|x, y| x * x + y * y, 2.0) - 1.0).abs() < 1e-12, "all of it");
/// ```
pub fn predicted_share(g: fn(f64, f64) -> f64, radius: f64) -> f64 {
    let radii = radii(0.0, radius, PANELS);
    let total: f64 = radii.iter().map(|(_, mass)| mass).sum();
    let (mut mean, mut predicted, mut square) = (0.0, 0.0, 0.0);
    for (r, mass) in radii {
        let at = |i: usize| {
            let angle = TAU * i as f64 / ANGLES as f64;
            g(r * angle.cos(), r * angle.sin())
        };
        // f says r, so that E[g | f] is a mean over the angle
        let given_f = (0..ANGLES).map(at).sum::<f64>() / ANGLES as f64;
        mean += mass / total * given_f;
        predicted += mass / total * given_f * given_f;
        square += mass / total * (0..ANGLES).map(|i| at(i).powi(2)).sum::<f64>() / ANGLES as f64;
    }
    (predicted - mean * mean) / (square - mean * mean)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn neither_compactness_nor_positivity_removes_the_bias() {
        let design = Design::POSITIVE_CONSTANT;
        let grid = Grid::quadrature(2, -2.0, 2.0, 4);
        let within = |x: f64, y: f64| (0.1..=0.9).contains(&(design.propensity)(x, y));
        assert!(grid.points.rows().into_iter().all(|x| within(x[0], x[1])));
        let (disc, square) = (disc_error(&design, 2.0), square_estimate(&design, 1.0));
        assert!((disc.pehe - 1.06).abs() < 5e-3 && (square - 1.562).abs() < 1e-3, "{disc:?}, {square}");
        // The propensity has kinks, which a rule for smooth functions only gets near.
        assert!(disc_quadrature_error(&design, 2.0) < 1e-3);
    }

    #[test]
    fn a_wide_disc_is_the_plane() {
        let (disc, plane) = (
            disc_error(&Design::CONFOUNDED_CONSTANT, 8.0),
            super::super::limit_error(&Design::CONFOUNDED_CONSTANT),
        );
        assert!((disc.pehe - plane.pehe).abs() < 1e-12);
    }
}
