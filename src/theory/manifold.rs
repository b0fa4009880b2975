//! Section 4's manifold and Proposition 4.1's density. In: how far rows scatter off the manifold. Out: what
//! becomes of log density, contrast and representation as they come closer to it.
//!
//! X₁ ~ N(0, 1) along the manifold, X₂ ~ N(0, ε²) off it: d = 2, d* = 1. For every ε > 0 there is a density,
//! and in the limit of training f is an affine function of −log p_X = x₁²/2 + x₂²/(2ε²) + log ε + c. At ε = 0
//! X has no density, and Proposition 4.1 has nothing to say.
//!
//! One copy, white noise. With t = z₂/ε ~ N(0, ε⁻²) and the energy s·x₁²/2 + x₂²/(2ε²), given the noise
//!
//! ```text
//! e(x̃) − e(x) ~ N((s z₁² + t²)/2, s² z₁² + t²).
//! ```
//!
//! Only copies with |t| of order one, a share of order ε, teach anything about s.

use super::rule::{interval, normal, phi, sigmoid, softplus};

const PANELS: usize = 10;
/// Beyond this |t| the original is certain: softplus(−t²/2 + 9|t|) < 1e-15.
const FAR: f64 = 27.0;

/// What is left at distance ε from the manifold.
#[derive(Clone, Copy, Debug, PartialEq, serde::Serialize)]
pub struct Near {
    /// E log p_X(X) = −log(2πe) − log ε.
    pub mean_log_density: f64,
    /// The loss of the true model, by Equation (7) with one copy.
    pub loss: f64,
    /// E Var_q of ∂e/∂s at the truth: the curvature from which the part along the manifold is learned.
    pub information: f64,
    /// Share of Var(log p_X) that comes from the coordinate off the manifold.
    pub share_off: f64,
}

/// The model at distance ε.
///
/// ```
/// use ebmbook::theory::manifold::near;
/// let (far, close) = (near(1.0), near(1e-3));
/// assert!(close.mean_log_density > far.mean_log_density + 6.0, "the density diverges");
/// assert!(close.loss < 1e-2 * far.loss && close.information < 1e-2 * far.information);
/// assert!((close.share_off - 0.5).abs() < 1e-12, "half of f is about the scatter, however small");
/// ```
pub fn near(epsilon: f64) -> Near {
    // −log p_X(x) + c = x₁²/2 + x₂²/(2ε²), a sum of two independent parts
    let (along, off) = (variance_of_square(1.0), variance_of_square(epsilon));
    let share_off = off / (along + off);
    let entropy = (2.0 * std::f64::consts::PI * std::f64::consts::E).ln() + epsilon.ln();
    let (loss, information) = contrast(epsilon);
    Near { mean_log_density: -entropy, loss, information, share_off }
}

/// Var(x²/(2 sd²)) for x ~ N(0, sd²).
fn variance_of_square(sd: f64) -> f64 {
    let moment = |power: i32| -> f64 {
        normal(0.0, sd, 2 * PANELS).iter().map(|(x, w)| w * (x * x / (2.0 * sd * sd)).powi(power)).sum()
    };
    moment(2) - moment(1).powi(2)
}

/// Loss and information at the truth, by quadrature over z₁, t and the difference D of the energies.
fn contrast(epsilon: f64) -> (f64, f64) {
    let reach = f64::min(FAR, 9.0 / epsilon);
    let (mut loss, mut information) = (0.0, 0.0);
    // t and z₁ are symmetric
    for (t, wt) in interval(0.0, reach, 2 * PANELS) {
        for (z, wz) in interval(0.0, 9.0, PANELS) {
            let mass = 4.0 * wt * epsilon * phi(epsilon * t) * wz * phi(z);
            // D ~ N(ρ²/2, ρ²) with ρ² = z₁² + t²; of it, h = x₁z₁ + z₁²/2 lies along the manifold. Given D it has mean
            // z₁²D/ρ² and variance z₁²t²/ρ².
            let square = z * z + t * t;
            let share = z * z / square;
            for (d, w) in normal(square / 2.0, square.sqrt(), PANELS) {
                loss += mass * w * softplus(-d);
                let q = sigmoid(-d);
                information += mass * w * q * (1.0 - q) * ((share * d).powi(2) + share * t * t);
            }
        }
    }
    (loss, information)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_can_be_learned_is_of_the_order_of_the_scatter() {
        let ratio = |of: fn(&Near) -> f64| of(&near(1e-2)) / of(&near(1e-3));
        assert!((ratio(|n| n.loss) - 10.0).abs() < 0.1, "{}", ratio(|n| n.loss));
        assert!((ratio(|n| n.information) - 10.0).abs() < 0.1, "{}", ratio(|n| n.information));
    }

    #[test]
    fn at_scale_one_it_is_the_contrast_in_two_dimensions() {
        let plane = crate::theory::contrast::contrast(2, 1.0);
        assert!((near(1.0).loss - plane.loss).abs() < 1e-8, "{:?} against {plane:?}", near(1.0));
    }
}
