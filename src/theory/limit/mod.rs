//! What a learner on the limiting representation estimates.
//!
//! In the limit f = −log p_X·B1 + c, so conditioning on f is conditioning on log p_X, and a learner on
//! f estimates
//!
//! ```text
//! τ_f = E[Y | A=1, log p_X] − E[Y | A=0, log p_X].
//! ```
//!
//! That is E[τ | log p_X] when treatment is randomised. Otherwise ignorability given X does not carry
//! over to f(X). Here X ~ N(0, I₂), so log p_X is a function of the radius, the angle is uniform and
//! every conditional expectation is an integral over the angle.

pub mod compact;

use super::rule::interval;
use ndarray::Array1;

/// Angles of the periodic trapezoidal rule, which is exact to rounding for these smooth integrands.
const ANGLES: usize = 256;
/// Panels of eight points for the radius.
const PANELS: usize = 16;
/// Radii beyond this carry e^{−32} of the mass.
const LARGEST_RADIUS: f64 = 8.0;

/// A design on the plane: propensity, control mean and effect as functions of x.
#[derive(Clone, Copy, Debug)]
pub struct Design {
    /// π(x).
    pub propensity: fn(f64, f64) -> f64,
    /// μ₀(x).
    pub control_mean: fn(f64, f64) -> f64,
    /// τ(x).
    pub effect: fn(f64, f64) -> f64,
}

impl Design {
    /// Randomised, and the effect is a function of log p_X: what a representation by log p_X keeps.
    pub const RANDOMISED_RADIAL: Self = Self {
        propensity: |_, _| 0.5,
        control_mean: |x, _| x,
        effect: |x, y| 1.0 + (x * x + y * y - 2.0) / 4.0,
    };
    /// Randomised, and the effect varies along a level set of p_X.
    pub const RANDOMISED_LINEAR: Self =
        Self { propensity: |_, _| 0.5, control_mean: |x, _| x, effect: |x, _| 1.0 + x };
    /// Confounded by x₁, and the effect is 1 for everybody.
    pub const CONFOUNDED_CONSTANT: Self = Self {
        propensity: |x, _| 1.0 / (1.0 + (-2.0 * x).exp()),
        control_mean: |x, _| x,
        effect: |_, _| 1.0,
    };
    /// Confounded by x₁, and the effect follows x₂, of which the propensity knows nothing.
    pub const CONFOUNDED_LINEAR: Self = Self { effect: |_, y| 1.0 + y, ..Self::CONFOUNDED_CONSTANT };
}

/// The limit of estimates that see only log p_X, beside the truth.
#[derive(Clone, Copy, Debug, PartialEq, serde::Serialize)]
pub struct LimitError {
    /// Root mean squared distance of τ_f from τ.
    pub pehe: f64,
    /// Root mean squared distance of τ_f from E[τ | log p_X]: bias by confounding.
    pub bias: f64,
    /// Root mean squared distance of E[τ | log p_X] from τ: what the representation loses.
    pub lost: f64,
}

/// Averages over the angle at one radius.
struct Angular {
    propensity: f64,
    treated: f64,
    control: f64,
    effect: f64,
    effect_variance: f64,
}

fn angular(design: &Design, r: f64, angles: usize) -> Angular {
    let mean = |g: &dyn Fn(f64, f64) -> f64| {
        let at = |i: usize| {
            let angle = std::f64::consts::TAU * i as f64 / angles as f64;
            g(r * angle.cos(), r * angle.sin())
        };
        (0..angles).map(at).sum::<f64>() / angles as f64
    };
    let Design { propensity: pi, control_mean: mu0, effect: tau } = *design;
    let effect = mean(&tau);
    Angular {
        propensity: mean(&pi),
        treated: mean(&|x, y| pi(x, y) * (mu0(x, y) + tau(x, y))),
        control: mean(&|x, y| (1.0 - pi(x, y)) * mu0(x, y)),
        effect,
        effect_variance: mean(&|x, y| (tau(x, y) - effect).powi(2)),
    }
}

/// Radii of a quadrature rule between two, each with the mass that N(0, I₂) has there: r·e^{−r²/2} dr.
fn radii(from: f64, to: f64, panels: usize) -> Vec<(f64, f64)> {
    let mass = |(r, w): (f64, f64)| (r, w * r * (-r * r / 2.0).exp());
    interval(from, to, panels).into_iter().map(mass).collect()
}

/// Errors of the limit under a design.
///
/// ```
/// use ebmbook::theory::limit::{Design, limit_error};
/// assert!(limit_error(&Design::RANDOMISED_RADIAL).pehe < 1e-10);
/// assert!(limit_error(&Design::CONFOUNDED_CONSTANT).bias > 1.0, "an effect of 1 is estimated with a bias above 1");
/// ```
pub fn limit_error(design: &Design) -> LimitError {
    limit_error_within(design, LARGEST_RADIUS, PANELS, ANGLES)
}

/// The error of the quadrature behind [`limit_error`]: how much PEHE and bias change, at most, when panels
/// and angles are doubled.
///
/// ```
/// use ebmbook::theory::limit::{Design, quadrature_error};
/// assert!(quadrature_error(&Design::CONFOUNDED_CONSTANT) < 1e-9);
/// ```
pub fn quadrature_error(design: &Design) -> f64 {
    let (once, twice) =
        (limit_error(design), limit_error_within(design, LARGEST_RADIUS, 2 * PANELS, 2 * ANGLES));
    (once.pehe - twice.pehe).abs().max((once.bias - twice.bias).abs())
}

fn limit_error_within(design: &Design, radius: f64, panels: usize, angles: usize) -> LimitError {
    let (mut pehe, mut bias, mut lost) = (0.0, 0.0, 0.0);
    let radii = radii(0.0, radius, panels);
    let total: f64 = radii.iter().map(|(_, mass)| mass).sum();
    for (r, mass) in radii {
        let mass = mass / total;
        let a = angular(design, r, angles);
        let estimate = a.treated / a.propensity - a.control / (1.0 - a.propensity);
        lost += mass * a.effect_variance;
        bias += mass * (estimate - a.effect).powi(2);
        pehe += mass * (a.effect_variance + (estimate - a.effect).powi(2));
    }
    LimitError { pehe: f64::sqrt(pehe), bias: f64::sqrt(bias), lost: f64::sqrt(lost) }
}

/// The limit when the learner sees x itself: E[Y | A=1, x] − E[Y | A=0, x] against τ(x), with every
/// expectation taken at the point instead of over the angle.
///
/// ```
/// use ebmbook::theory::limit::{Design, error_given_x};
/// assert!(error_given_x(&Design::CONFOUNDED_CONSTANT) < 1e-14);
/// ```
pub fn error_given_x(design: &Design) -> f64 {
    let Design { propensity: pi, control_mean: mu0, effect: tau } = *design;
    let mut total = 0.0;
    for (r, mass) in radii(0.0, LARGEST_RADIUS, PANELS) {
        for i in 0..ANGLES {
            let angle = std::f64::consts::TAU * i as f64 / ANGLES as f64;
            let (x, y) = (r * angle.cos(), r * angle.sin());
            // E[AY | x] / E[A | x] − E[(1−A)Y | x] / E[1−A | x]
            let treated = pi(x, y) * (mu0(x, y) + tau(x, y)) / pi(x, y);
            let control = (1.0 - pi(x, y)) * mu0(x, y) / (1.0 - pi(x, y));
            total += mass * (treated - control - tau(x, y)).powi(2) / ANGLES as f64;
        }
    }
    total.sqrt()
}

/// √E(τ²): the error of an estimate of 0 for everybody.
///
/// ```
/// use ebmbook::theory::limit::{Design, error_of_zero};
/// assert!((error_of_zero(&Design::CONFOUNDED_CONSTANT) - 1.0).abs() < 1e-12);
/// // τ = 1 + x₁
/// assert!((error_of_zero(&Design::RANDOMISED_LINEAR) - 2.0_f64.sqrt()).abs() < 1e-12);
/// ```
pub fn error_of_zero(design: &Design) -> f64 {
    let square = |(r, mass): (f64, f64)| {
        let a = angular(design, r, ANGLES);
        mass * (a.effect_variance + a.effect.powi(2))
    };
    radii(0.0, LARGEST_RADIUS, PANELS).into_iter().map(square).sum::<f64>().sqrt()
}

/// E[Y | A=1, bin] − E[Y | A=0, bin] in equally likely bins of log p_X, from the mode outwards.
///
/// ```
/// use ebmbook::theory::limit::{Design, estimates_by_bin};
/// let bins = estimates_by_bin(&Design::CONFOUNDED_CONSTANT, 3);
/// assert!(bins[2] > 2.5, "far from the mode an effect of 1 looks like {}", bins[2]);
/// ```
pub fn estimates_by_bin(design: &Design, bins: usize) -> Array1<f64> {
    // P(R ≤ r) = 1 − e^{−r²/2}
    let edge = |i: usize| {
        if i == bins { LARGEST_RADIUS } else { (-2.0 * (1.0 - i as f64 / bins as f64).ln()).sqrt() }
    };
    Array1::from_shape_fn(bins, |i| {
        let (mut treated, mut propensity, mut control, mut rest) = (0.0, 0.0, 0.0, 0.0);
        for (r, mass) in radii(edge(i), edge(i + 1), 8) {
            let a = angular(design, r, ANGLES);
            treated += mass * a.treated;
            propensity += mass * a.propensity;
            control += mass * a.control;
            rest += mass * (1.0 - a.propensity);
        }
        treated / propensity - control / rest
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn randomisation_removes_the_bias_and_confounding_brings_it_back() {
        let linear = limit_error(&Design::RANDOMISED_LINEAR);
        assert!(linear.bias < 1e-10);
        // τ = 1 + x₁ and E[τ | r] = 1, so what is lost is sd(x₁) = 1.
        assert!((linear.lost - 1.0).abs() < 1e-9 && (linear.pehe - 1.0).abs() < 1e-9);
        let confounded = limit_error(&Design::CONFOUNDED_CONSTANT);
        assert!(confounded.lost < 1e-7 && confounded.bias > 1.0);
    }

    #[test]
    fn the_bins_match_a_simulation() {
        use crate::seed::Seed;
        use rand::Rng;
        use rand_distr::{Distribution, StandardNormal};
        let bins = estimates_by_bin(&Design::CONFOUNDED_CONSTANT, 3);
        let mut rng = Seed::new(1).rng();
        let n = 200_000;
        let mut sums = [[(0.0, 0.0); 2]; 3];
        for _ in 0..n {
            let (x, y): (f64, f64) = (StandardNormal.sample(&mut rng), StandardNormal.sample(&mut rng));
            let a = rng.random::<f64>() < (Design::CONFOUNDED_CONSTANT.propensity)(x, y);
            let outcome = x + if a { 1.0 } else { 0.0 };
            let share = 1.0 - (-(x * x + y * y) / 2.0).exp();
            let slot = &mut sums[((share * 3.0) as usize).min(2)][usize::from(a)];
            *slot = (slot.0 + outcome, slot.1 + 1.0);
        }
        for (bin, exact) in sums.iter().zip(&bins) {
            let estimate = bin[1].0 / bin[1].1 - bin[0].0 / bin[0].1;
            // Outcomes have sd below 2.5 in a bin; each mean is over some 33 000 rows: se ≤ .02.
            assert!((estimate - exact).abs() < 5.0 * 0.02, "{estimate} against {exact}");
        }
    }
}
