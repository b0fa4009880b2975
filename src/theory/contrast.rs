//! Section 4: if q_θ "can distinguish any true sample" from its noisy proxies, is p_θ near p_X?
//!
//! X ~ N(0, I_d), one copy x̃ = x + z with white noise, energy s‖x‖²/2, so that p_θ = N(0, I/s) and the truth
//! is s = 1. Everything is exact, because given the length r of z
//!
//! ```text
//! e(x̃) − e(x) = s(xᵀz + r²/2) ~ N(s r²/2, s² r²),     r² ~ χ²_d.
//! ```
//!
//! In high dimension the difference is positive almost surely for *every* s > 0: each of these models tells
//! the original from its copy, and their densities are as far from p_X as one likes.

use super::rule::{interval, normal, normal_cdf, sigmoid, softplus};
use statrs::function::gamma::ln_gamma;

const PANELS: usize = 24;
/// Standard deviations of r, about √½, within which all of its mass lies.
const REACH: f64 = 9.0;

/// How well the model with scale s contrasts, and how far its density is from that of X.
#[derive(Clone, Copy, Debug, PartialEq, serde::Serialize)]
pub struct Contrast {
    /// E softplus(e(x) − e(x̃)); log 2 for a model that knows nothing.
    pub loss: f64,
    /// P(e(x̃) > e(x)): how often the original is the likelier of the two.
    pub accuracy: f64,
    /// |∂loss/∂s|: what training has left to follow.
    pub slope: f64,
    /// KL(p_X ‖ p_θ) = ½d(s − 1 − log s).
    pub divergence: f64,
}

/// The contrast in dimension d of the model with scale s. Losses below 1e-15 are cut off with the tails of the rules.
///
/// ```
/// use ebmbook::theory::contrast::contrast;
/// let wrong = contrast(500, 0.25);
/// assert!(wrong.accuracy > 1.0 - 1e-12 && wrong.loss < 1e-12, "it tells every row from its copy");
/// assert!(wrong.divergence > 100.0, "and has another density");
/// assert!(contrast(3, 1.0).slope < 1e-11, "the truth is stationary in any dimension");
/// ```
pub fn contrast(d: usize, s: f64) -> Contrast {
    let step = normal(0.0, 1.0, PANELS);
    let (mut loss, mut accuracy, mut slope) = (0.0, 0.0, 0.0);
    for (r, mass) in lengths(d) {
        for (z, w) in &step {
            let difference = r * r / 2.0 + r * z;
            // Equation (7) with one copy: −log q(0 | V) = softplus(e(x) − e(x̃))
            loss += mass * w * softplus(-s * difference);
            slope -= mass * w * difference * sigmoid(-s * difference);
        }
        accuracy += mass * normal_cdf(r / 2.0);
    }
    let divergence = 0.5 * d as f64 * (s - 1.0 - s.ln());
    Contrast { loss, accuracy, slope: slope.abs(), divergence }
}

/// Lengths of white noise in d dimensions with their masses, 2^{1−d/2}/Γ(d/2)·r^{d−1}e^{−r²/2} dr.
fn lengths(d: usize) -> Vec<(f64, f64)> {
    let d = d as f64;
    let log_scale = (1.0 - d / 2.0) * 2.0_f64.ln() - ln_gamma(d / 2.0);
    let density = |r: f64| (log_scale + (d - 1.0) * r.ln() - r * r / 2.0).exp();
    let centre = (d - 1.0).sqrt();
    interval((centre - REACH).max(0.0), centre + REACH, PANELS)
        .into_iter()
        .map(|(r, w)| (r, w * density(r)))
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lengths_have_mass_one_and_mean_square_d() {
        for d in [1, 2, 10, 1000] {
            let moment = |power: i32| lengths(d).iter().map(|(r, w)| w * r.powi(power)).sum::<f64>();
            assert!((moment(0) - 1.0).abs() < 1e-9 && (moment(2) / d as f64 - 1.0).abs() < 1e-9, "{d}");
        }
    }

    #[test]
    fn the_best_model_is_the_truth_and_in_high_dimension_nothing_says_so() {
        let loss = |d, s| contrast(d, s).loss;
        for d in [1, 10, 100] {
            assert!(loss(d, 1.0) < loss(d, 0.5) && loss(d, 1.0) < loss(d, 2.0));
        }
        assert!(loss(1, 0.25) - loss(1, 1.0) > 0.02 && loss(200, 0.25) - loss(200, 1.0) < 1e-4);
    }
}
