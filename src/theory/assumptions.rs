//! Assumptions 2.1 and 2.3 together. In: the number d of noisy covariates. Out: what a perfect regression on
//! them takes for the effect.
//!
//! Assumption 2.1 is ignorability given X. Assumption 2.3 lets U cause treatment and outcome, and X be a noisy
//! function of U. Then X does not determine U, and what it leaves open confounds:
//!
//! ```text
//! U ~ N(0, 1),   X = U·1 + N(0, I_d),   π = σ(c·U),   μ₀ = U,   effect 1 for everybody
//! τ_X = E[Y | A = 1, X] − E[Y | A = 0, X] = 1 + E[πU | X]/E[π | X] − E[(1 − π)U | X]/E[1 − π | X]
//! ```
//!
//! X says of U what its mean does: U given X is N(m, 1/(d + 1)) with m ~ N(0, d/(d + 1)).

use super::rule::{normal, sigmoid};

const PANELS: usize = 12;

/// What a perfect regression on X estimates where the effect is 1.
#[derive(Clone, Copy, Debug, PartialEq, serde::Serialize)]
pub struct Estimate {
    /// E τ_X.
    pub mean: f64,
    /// √E(τ_X − 1)².
    pub pehe: f64,
    /// How much the mean changes when the panels are doubled.
    pub quadrature_error: f64,
}

/// The estimate with d covariates and π = σ(`confounding`·U).
///
/// ```
/// use ebmbook::theory::assumptions::estimate;
/// assert!(estimate(1, 2.0).mean > 1.7, "one covariate leaves much of U open");
/// assert!(estimate(100, 2.0).mean < 1.03, "a hundred leave little");
/// assert!((estimate(1, 0.0).mean - 1.0).abs() < 1e-12, "randomised: nothing to confound");
/// ```
pub fn estimate(d: usize, confounding: f64) -> Estimate {
    let (mean, square) = moments(d, confounding, PANELS);
    let finer = moments(d, confounding, 2 * PANELS).0;
    Estimate { mean, pehe: square.sqrt(), quadrature_error: (finer - mean).abs() }
}

/// E τ_X and E(τ_X − 1)².
fn moments(d: usize, confounding: f64, panels: usize) -> (f64, f64) {
    let d = d as f64;
    let mut sums = (0.0, 0.0);
    for (m, mass) in normal(0.0, (d / (d + 1.0)).sqrt(), panels) {
        let (mut treated, mut shifted, mut mean) = (0.0, 0.0, 0.0);
        for (u, w) in normal(m, (1.0 / (d + 1.0)).sqrt(), panels) {
            let pi = sigmoid(confounding * u);
            treated += w * pi;
            shifted += w * pi * u;
            mean += w * u;
        }
        // Section 2: E[Y | A = 1, X] − E[Y | A = 0, X], which is τ(X) under Assumption 2.1
        let estimate = 1.0 + shifted / treated - (mean - shifted) / (1.0 - treated);
        sums.0 += mass * estimate;
        sums.1 += mass * (estimate - 1.0).powi(2);
    }
    sums
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn more_covariates_leave_less_open() {
        let at = |d| estimate(d, 2.0);
        assert!((at(1).mean - 1.752).abs() < 5e-4 && (at(100).mean - 1.020).abs() < 5e-4, "{:?}", at(1));
        assert!([1, 3, 10, 30, 100].windows(2).all(|d| at(d[1]).pehe < at(d[0]).pehe));
        assert!(at(1).quadrature_error < 1e-10, "{:?}", at(1));
    }
}
