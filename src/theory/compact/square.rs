//! The smallest counterexample: X ~ U[0, 1]², k = 1, energy θ(x₁ − ½)², Θ = [−20, 20], so that Θ₀ = {0}.
//!
//! One copy, every feature corrupted, white noise: the kernel is symmetric and cancels, and the second
//! coordinate is in no energy, so that the objective is an integral over x₁ and x̃₁. At the truth
//!
//! ```text
//! L′(0) = ½ (E(x̃₁ − ½)² − E(x₁ − ½)²) = ½ E(noise²) = ½.
//! ```

use crate::theory::one_parameter::Groups;
use crate::theory::rule::{interval, phi};

/// Panels of eight points per unit of length.
const PANELS: usize = 4;
/// Θ = [−20, 20].
const BOUND: f64 = 20.0;
/// White noise goes no farther, up to a mass of 1e-18.
const REACH: f64 = 9.0;

/// What happens outside the square.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Outside {
    /// The network's energy goes on, as it does when the paper's model is trained.
    EnergyGoesOn,
    /// p_θ = 0: a copy that left cannot be the original.
    DensityIsZero,
    /// Nothing gets there: the noise is reflected into the square.
    Reflected,
}

/// The optimum of the population objective; the truth is θ = 0.
#[derive(Clone, Copy, Debug, PartialEq, serde::Serialize)]
pub struct Optimum {
    /// L′ at the truth.
    pub slope_at_truth: f64,
    /// The maximiser over [−20, 20].
    pub theta: f64,
    /// How far the maximiser moves when the panels are doubled: |ΔL′(θ*)| / |L″(θ*)|.
    pub quadrature_error: f64,
    /// sup over the square of |p_θ* − p_X|, where p_X = 1.
    pub sup_error: f64,
}

/// The optimum, by quadrature.
///
/// ```
/// use ebmbook::theory::compact::square::{Outside, optimum};
/// let trained = optimum(Outside::EnergyGoesOn);
/// assert!((trained.slope_at_truth - 0.5).abs() < 1e-12, "the truth is not stationary");
/// assert!(trained.theta > 6.0 && trained.sup_error > 0.7, "{trained:?}");
/// let mended = optimum(Outside::Reflected);
/// assert!(mended.slope_at_truth.abs() < 1e-12 && mended.sup_error < 1e-9, "{mended:?}");
/// ```
pub fn optimum(outside: Outside) -> Optimum {
    let rule = groups(outside, PANELS);
    let theta = rule.maximiser(-BOUND, BOUND);
    let finer = groups(outside, 2 * PANELS).at(theta);
    Optimum {
        slope_at_truth: rule.at(0.0).slope,
        theta,
        quadrature_error: ((finer.slope - rule.at(theta).slope) / finer.curvature).abs(),
        sup_error: sup_error(theta),
    }
}

/// L(θ) at several θ: the curve whose top is not at the truth.
///
/// ```
/// use ebmbook::theory::compact::square::{Outside, objective};
/// let l = objective(Outside::EnergyGoesOn, &[0.0, 6.8]);
/// assert!(l[1] > l[0]);
/// ```
pub fn objective(outside: Outside, thetas: &[f64]) -> Vec<f64> {
    let rule = groups(outside, PANELS);
    thetas.iter().map(|theta| rule.at(*theta).value).collect()
}

/// p_θ on the line x₂ = const, as a function of x₁.
///
/// ```
/// use ebmbook::theory::compact::square::density;
/// assert!((density(0.0, 0.3) - 1.0).abs() < 1e-14);
/// assert!(density(6.8, 0.5) > 1.5);
/// ```
pub fn density(theta: f64, x1: f64) -> f64 {
    // Equation (3): exp(−θ(x₁ − ½)²)/Z, with Z an integral over the square
    let z: f64 = interval(0.0, 1.0, PANELS).iter().map(|(x, w)| w * (-theta * h(*x)).exp()).sum();
    (-theta * h(x1)).exp() / z
}

fn h(x1: f64) -> f64 {
    (x1 - 0.5).powi(2)
}

/// p_θ is monotone in |x₁ − ½|, so the largest distance from 1 is in the middle or at the border.
fn sup_error(theta: f64) -> f64 {
    [0.5, 0.0].map(|x| (density(theta, x) - 1.0).abs()).into_iter().fold(0.0, f64::max)
}

fn groups(outside: Outside, panels: usize) -> Groups {
    let inside = interval(0.0, 1.0, panels);
    let mut groups = Groups::new(2);
    let mut pair = |mass: f64, x: f64, copy: f64| groups.push(mass, &[h(x), h(copy)], &[0.0, 0.0]);
    for (x, wx) in &inside {
        match outside {
            Outside::EnergyGoesOn => {
                let steps = interval(-REACH, REACH, 2 * panels * REACH as usize);
                steps.iter().for_each(|(z, wz)| pair(wx * wz * phi(*z), *x, x + z));
            }
            // A copy that left has posterior 0 whatever θ is, so only pairs inside count.
            Outside::DensityIsZero => {
                inside.iter().for_each(|(y, wy)| pair(wx * wy * phi(y - x), *x, *y));
            }
            Outside::Reflected => {
                inside.iter().for_each(|(y, wy)| pair(wx * wy * reflected(*y, *x), *x, *y));
            }
        }
    }
    groups
}

/// The density at y of x plus white noise, reflected at 0 and 1 until it is inside: symmetric in x and y.
pub(super) fn reflected(y: f64, x: f64) -> f64 {
    // Σ_m φ(y − x + 2m) + φ(y + x + 2m): images of y with a mass above 1e-18
    (-5..=5).map(|m| phi(y - x + f64::from(2 * m)) + phi(y + x + f64::from(2 * m))).sum()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_truth_is_stationary_once_nothing_outside_counts() {
        for outside in [Outside::DensityIsZero, Outside::Reflected] {
            let found = optimum(outside);
            assert!(
                found.slope_at_truth.abs() < 1e-13 && found.theta.abs() < 1e-10,
                "{outside:?}: {found:?}"
            );
        }
    }

    #[test]
    fn the_maximiser_is_known_to_ten_digits() {
        let found = optimum(Outside::EnergyGoesOn);
        assert!(found.quadrature_error < 1e-10, "{found:?}");
        assert!((found.theta - 6.79).abs() < 5e-3 && (found.sup_error - 0.71).abs() < 5e-3, "{found:?}");
    }

    #[test]
    fn reflected_noise_is_a_density_and_symmetric() {
        let mass: f64 = interval(0.0, 1.0, 4).iter().map(|(y, w)| w * reflected(*y, 0.3)).sum();
        assert!((mass - 1.0).abs() < 1e-13);
        assert!((reflected(0.9, 0.3) - reflected(0.3, 0.9)).abs() < 1e-15);
    }
}
