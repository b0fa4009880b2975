//! The best energy on X = [0, 1] for p_X ∝ e^{−2x}, one copy, q = 1: as the noise leaves X, and mended.
//!
//! With J(x, y) = p_X(x) p̃(y | x) and c(x, y) = log p̃(y | x) − log p̃(x | y), the objective is
//!
//! ```text
//! −L(e) = ∫∫_X J(x, y) softplus(e(x) − e(y) − c(x, y)) dx dy + ∫_X p_X(x) P(x̃ ∉ X | x) softplus(e(x) − e_out) dx
//! ```
//!
//! and convex in e. Outside X an energy can only gain by rising, so a class bounded by M has e_out = M there;
//! a model that is 0 outside has e_out = ∞, and noise that stays inside has no second term. The integrals
//! become sums over quadrature points, and Newton's method with bounds finds the best values there.
//!
//! **Relative sup error** means sup_{x ∈ X} |p_θ(x)/p_X(x) − 1|, both densities having mass 1 on X. The sup is
//! taken over a grid with both ends of X, where it is attained; between quadrature points the optimum is known
//! from its own equation, δL/δe(x) = 0.

use super::square::reflected;
use crate::linalg::solve_positive_definite;
use crate::theory::rule::{interval, normal_cdf, phi, sigmoid, softplus};
use ndarray::{Array1, Array2, Axis};

/// Points of the grid on which the sup is taken, both ends among them.
const JUDGED: usize = 201;
/// Halvings between the largest and the smallest panel.
const OCTAVES: i32 = 11;
const STEPS: usize = 100;
/// A Newton step that is shorter ends the search, and one that is shorter than this is taken as it is.
const CONVERGED: f64 = 1e-11;
const NEAR: f64 = 1e-5;

/// What the model does outside X, or what keeps the noise inside.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Contrast {
    /// The noise leaves X, and every energy between −M and M is in the class.
    Bounded(f64),
    /// The noise leaves X, and p_θ = 0 there.
    ZeroOutside,
    /// The noise is reflected at the ends of X.
    Reflected,
    /// The noise is drawn again until it lies in X. That kernel is not symmetric; its terms are kept.
    Resampled,
    /// Drawn again, and the kernel terms left out as if it were symmetric: `Pairwise` does that.
    ResampledWithoutTerms,
}

/// The best density of a class beside p_X.
#[derive(Clone, Debug)]
pub struct Optimum {
    /// Points of X, both ends among them.
    pub x: Vec<f64>,
    /// p_θ/p_X at these points.
    pub ratio: Vec<f64>,
}

impl Optimum {
    /// sup_x |p_θ(x)/p_X(x) − 1|.
    pub fn relative_error(&self) -> f64 {
        self.ratio.iter().fold(0.0, |m, r| f64::max(m, (r - 1.0).abs()))
    }

    /// sup p_θ/p_X over inf p_θ/p_X, minus one: free of the normaliser.
    pub fn spread(&self) -> f64 {
        let top = self.ratio.iter().copied().fold(0.0, f64::max);
        top / self.ratio.iter().copied().fold(f64::INFINITY, f64::min) - 1.0
    }
}

/// P(x + noise ∈ X).
///
/// ```
/// use ebmbook::theory::compact::interval::acceptance;
/// // Resampling without its kernel terms learns p_X divided by this.
/// assert!((acceptance(0.5) / acceptance(0.0) - 1.122).abs() < 1e-3);
/// ```
pub fn acceptance(x: f64) -> f64 {
    normal_cdf(1.0 - x) - normal_cdf(-x)
}

/// The optimum over all energies that the contrast allows, with so many panels of eight points per halving of the distance to 0.
///
/// ```
/// use ebmbook::theory::compact::interval::{Contrast, optimum};
/// let error = |contrast| optimum(contrast, 1).relative_error();
/// assert!(error(Contrast::Bounded(3.0)) > 0.1);
/// assert!(error(Contrast::Reflected) < 1e-9);
/// assert!(error(Contrast::ResampledWithoutTerms) > 0.05);
/// ```
///
/// # Panics
/// If Newton's method does not converge.
pub fn optimum(contrast: Contrast, panels: usize) -> Optimum {
    let problem = Problem::new(contrast, panels);
    let energy = problem.minimiser();
    // Equation (3): p_θ = exp(−e)/Z, with Z an integral over X
    let z: f64 = problem.rule.iter().zip(&energy).map(|((_, w), e)| w * (-e).exp()).sum();
    let x: Vec<f64> = (0..JUDGED).map(|i| i as f64 / (JUDGED - 1) as f64).collect();
    let ratio = |x: &f64| (-problem.energy_at(*x, &energy)).exp() / z / p_x(*x);
    Optimum { ratio: x.iter().map(ratio).collect(), x }
}

/// A rule whose panels shrink towards 0, where the bound −M holds the energy on an interval of length about e^{−M}.
fn graded(panels: usize) -> Vec<(f64, f64)> {
    let edge = |octave: i32| if octave > OCTAVES { 0.0 } else { 0.5_f64.powi(octave) };
    (0..=OCTAVES).rev().flat_map(|octave| interval(edge(octave + 1), edge(octave), panels)).collect()
}

/// p_X(x) = 2e^{−2x}/(1 − e^{−2}).
fn p_x(x: f64) -> f64 {
    2.0 * (-2.0 * x).exp() / (1.0 - (-2.0_f64).exp())
}

struct Problem {
    contrast: Contrast,
    rule: Vec<(f64, f64)>,
    /// J(x_i, x_j) times both weights.
    joint: Array2<f64>,
    /// c(x_i, x_j).
    offset: Array2<f64>,
    /// p_X(x_i) P(x̃ ∉ X | x_i) times the weight.
    leaving: Array1<f64>,
}

impl Problem {
    fn new(contrast: Contrast, panels: usize) -> Self {
        let rule = graded(panels);
        let m = rule.len();
        let at = |i: usize| rule[i].0;
        let joint = Array2::from_shape_fn((m, m), |(i, j)| {
            rule[i].1 * rule[j].1 * p_x(at(i)) * contrast.kernel(at(j), at(i))
        });
        let offset = Array2::from_shape_fn((m, m), |(i, j)| contrast.offset(at(i), at(j)));
        let leaving = Array1::from_shape_fn(m, |i| rule[i].1 * p_x(at(i)) * contrast.leaving(at(i)));
        Self { contrast, rule, joint, offset, leaving }
    }

    fn loss(&self, e: &Array1<f64>) -> f64 {
        let pairs: f64 = self
            .joint
            .indexed_iter()
            .map(|((i, j), mass)| mass * softplus(e[i] - e[j] - self.offset[[i, j]]))
            .sum();
        let bound = self.contrast.bound();
        pairs + self.leaving.iter().zip(e).map(|(mass, e)| mass * softplus(e - bound)).sum::<f64>()
    }

    fn derivatives(&self, e: &Array1<f64>) -> (Array1<f64>, Array2<f64>) {
        let m = e.len();
        let (mut slope, mut curvature) = (Array1::zeros(m), Array2::zeros((m, m)));
        for ((i, j), mass) in self.joint.indexed_iter() {
            let s = sigmoid(e[i] - e[j] - self.offset[[i, j]]);
            slope[i] += mass * s;
            slope[j] -= mass * s;
            let v = mass * s * (1.0 - s);
            curvature[[i, i]] += v;
            curvature[[j, j]] += v;
            curvature[[i, j]] -= v;
            curvature[[j, i]] -= v;
        }
        for (i, mass) in self.leaving.iter().enumerate() {
            let s = sigmoid(e[i] - self.contrast.bound());
            slope[i] += mass * s;
            curvature[[i, i]] += mass * s * (1.0 - s);
        }
        (slope, curvature)
    }

    /// Newton's method on the values that no bound holds, each step cut back into the bounds and halved until it helps.
    fn minimiser(&self) -> Array1<f64> {
        let bound = self.contrast.bound();
        let mut e = Array1::zeros(self.rule.len());
        for _ in 0..STEPS {
            let (slope, mut curvature) = self.derivatives(&e);
            let free: Vec<usize> = (0..e.len())
                .filter(|i| !(e[*i] <= -bound && slope[*i] > 0.0 || e[*i] >= bound && slope[*i] < 0.0))
                .collect();
            if bound.is_infinite() {
                // Only differences of energies count: the term below picks the step of mean 0.
                curvature += 1.0 / e.len() as f64;
            }
            let by_slope = slope.select(Axis(0), &free).insert_axis(Axis(1));
            let by_curvature = curvature.select(Axis(0), &free).select(Axis(1), &free);
            let step = solve_positive_definite(by_curvature.view(), by_slope.view())
                .expect("the objective is strictly convex in what is free");
            let moved = |length: f64| {
                let mut moved = e.clone();
                for (i, step) in free.iter().zip(&step) {
                    moved[*i] = (e[*i] - length * step).clamp(-bound, bound);
                }
                moved
            };
            let longest = step.iter().fold(0.0, |m, s| f64::max(m, s.abs()));
            if longest < CONVERGED {
                return moved(1.0);
            }
            let here = self.loss(&e);
            // So short a step cannot be judged by the loss, and Newton's method needs no help there.
            let mut length = 1.0;
            while longest * length > NEAR && self.loss(&moved(length)) > here {
                length *= 0.5;
            }
            e = moved(length);
        }
        panic!("Newton's method did not converge in {STEPS} steps");
    }

    /// The best energy at any x, given those at the quadrature points: where δL/δe(x) changes sign.
    fn energy_at(&self, x: f64, energy: &Array1<f64>) -> f64 {
        let bound = self.contrast.bound();
        let slope = |e: f64| {
            let pair = |((y, w), at): (&(f64, f64), &f64)| {
                let original = p_x(x) * self.contrast.kernel(*y, x);
                let copy = p_x(*y) * self.contrast.kernel(x, *y);
                let s = sigmoid(e - at - self.contrast.offset(x, *y));
                // δ/δe(x): x is the original of y, or its copy
                w * (original * s - copy * (1.0 - s))
            };
            let inside: f64 = self.rule.iter().zip(energy).map(pair).sum();
            inside + p_x(x) * self.contrast.leaving(x) * sigmoid(e - bound)
        };
        let (mut low, mut high) = (f64::max(-bound, -100.0), f64::min(bound, 100.0));
        for _ in 0..100 {
            let middle = 0.5 * (low + high);
            if slope(middle) > 0.0 { high = middle } else { low = middle }
        }
        0.5 * (low + high)
    }
}

impl Contrast {
    fn bound(self) -> f64 {
        if let Self::Bounded(m) = self { m } else { f64::INFINITY }
    }

    /// p̃(y | x) inside X.
    fn kernel(self, y: f64, x: f64) -> f64 {
        match self {
            Self::Bounded(_) | Self::ZeroOutside => phi(y - x),
            Self::Reflected => reflected(y, x),
            Self::Resampled | Self::ResampledWithoutTerms => phi(y - x) / acceptance(x),
        }
    }

    /// log p̃(y | x) − log p̃(x | y); 0 for symmetric kernels, and where it is left out.
    fn offset(self, x: f64, y: f64) -> f64 {
        if self == Self::Resampled { (acceptance(y) / acceptance(x)).ln() } else { 0.0 }
    }

    /// P(x̃ ∉ X | x), as far as such copies teach anything.
    fn leaving(self, x: f64) -> f64 {
        if let Self::Bounded(_) = self { 1.0 - acceptance(x) } else { 0.0 }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_error_fades_as_the_bound_grows_and_is_never_zero() {
        // The same to three digits with two and with three panels.
        let settled = [(1.5, 0.483), (3.0, 0.1838), (5.0, 0.03206), (8.0, 0.001667)];
        for (bound, error) in settled {
            let found = optimum(Contrast::Bounded(bound), 1).relative_error();
            assert!((found / error - 1.0).abs() < 2e-3, "M = {bound}: {found} against {error}");
        }
    }

    #[test]
    fn four_mends_give_p_x_back_and_a_missing_kernel_term_gives_p_x_over_the_acceptance() {
        for contrast in [Contrast::ZeroOutside, Contrast::Reflected, Contrast::Resampled] {
            let error = optimum(contrast, 1).relative_error();
            assert!(error < 1e-10, "{contrast:?}: {error}");
        }
        let found = optimum(Contrast::ResampledWithoutTerms, 1);
        let predicted = acceptance(0.5) / acceptance(0.0) - 1.0;
        assert!((found.spread() - predicted).abs() < 1e-10, "{} against {predicted}", found.spread());
    }
}
