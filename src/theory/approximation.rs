//! Proposition 3.4: the class comes as close as one likes to any continuous density, all j at once.
//!
//! With `f = −g·(B·1)` every direction gives the same density, `β_jᵀf = −g`, so it is enough that a
//! network can approximate g = log p_X uniformly. Here g is a network with one hidden ReLU layer:
//! hidden weights drawn at random, output weights by least squares.
//!
//! The printed proof takes f *linear*. Then log p is linear and `p(mid)² = p(x)·p(x')` for the middle
//! of any two points. If a density is H at two points and L < H between them, sup error ε means
//! (L + ε)² ≥ (H − ε)², i.e. `ε ≥ (H − L)/2`: no linear f does better.

use super::density::{Grid, log_densities, log_sum_exp};
use super::full_rank::common_direction;
use crate::linalg::thin_svd;
use crate::seed::Seed;
use ndarray::{Array1, Array2, ArrayView1, ArrayView2, Axis};
use ndarray_rand::RandomExt;
use rand::Rng;
use rand_distr::StandardNormal;

/// A density on the square [−1, 1]², positive everywhere.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Target {
    /// Two Gaussian bumps on a floor.
    Bimodal,
    /// Mass around a circle on a floor.
    Ring,
    /// One narrow bump on a floor.
    SharpPeak,
}

impl Target {
    /// All targets.
    pub const ALL: [Self; 3] = [Self::Bimodal, Self::Ring, Self::SharpPeak];

    /// The density up to its normaliser.
    pub fn unnormalised(self, x: ArrayView1<f64>) -> f64 {
        let bump = |cx: f64, cy: f64, sd: f64| {
            (-((x[0] - cx).powi(2) + (x[1] - cy).powi(2)) / (2.0 * sd * sd)).exp()
        };
        match self {
            Self::Bimodal => bump(-0.5, 0.0, 0.2) + bump(0.5, 0.0, 0.2) + 0.1,
            Self::Ring => (-((x[0].hypot(x[1]) - 0.6) / 0.15).powi(2) / 2.0).exp() + 0.1,
            Self::SharpPeak => bump(0.2, -0.3, 0.1) + 0.1,
        }
    }

    /// The density at the points of a grid.
    pub fn density(self, grid: &Grid) -> Array1<f64> {
        let raw = Array1::from_shape_fn(grid.weights.len(), |i| self.unnormalised(grid.points.row(i)));
        let mass = grid.integrate(raw.view());
        raw / mass
    }
}

/// sup_x |p_X(x) − p_{θ,j}(x)| / sup_x p_X(x), the largest over j, for a one-hidden-layer network of
/// the given width. The network is fitted on a coarse grid and judged on a finer one that shares
/// no point with it, so that wiggles between the fitted points count.
///
/// # Panics
/// If B is not square.
pub fn network_error(
    target: Target,
    width: usize,
    directions: ArrayView2<f64>,
    panels: usize,
    seed: Seed,
) -> f64 {
    network_errors(&[target], width, directions, panels, seed)[0]
}

/// Errors for several targets, by networks that share one draw of the hidden layer.
///
/// ```
/// use ebmbook::{seed::Seed, theory::approximation::{Target, network_errors}};
/// let b = ndarray::array![[0.6, 0.8], [0.8, -0.6]];
/// let error = |width| network_errors(&Target::ALL, width, b.view(), 3, Seed::new(1));
/// assert!(error(128).iter().zip(error(8)).all(|(wide, narrow)| *wide < narrow));
/// ```
///
/// # Panics
/// If B is not square.
pub fn network_errors(
    targets: &[Target],
    width: usize,
    directions: ArrayView2<f64>,
    panels: usize,
    seed: Seed,
) -> Vec<f64> {
    let fit = Fit::new(width, panels, seed);
    let judge = Grid::quadrature(2, -1.0, 1.0, panels + 1);
    let features = fit.layer.features(judge.points.view());
    let common = common_direction(directions).insert_axis(Axis(0));
    let sup = |v: &Array1<f64>| v.iter().fold(0.0_f64, |m, x| m.max(x.abs()));
    let error = |target: &Target| {
        let g = features.dot(&fit.weights(*target));
        // Proposition 3.4: f = −g·u with Bᵀu = 1 gives all k densities at once; u = B·1 for an orthogonal B
        let f = -g.insert_axis(Axis(1)).dot(&common);
        let fitted = log_densities(&judge, f.view(), directions).mapv_into(f64::exp);
        let p = target.density(&judge);
        fitted.columns().into_iter().map(|column| sup(&(&column - &p)) / sup(&p)).fold(0.0, f64::max)
    };
    targets.iter().map(error).collect()
}

/// How much the logarithm of a normaliser changes when the panels of the rule behind
/// [`network_errors`] are doubled: that of the network fitted to each target, and of the target itself,
/// whichever changes more. A network has kinks, which a rule for smooth functions only gets near.
///
/// ```
/// use ebmbook::{seed::Seed, theory::approximation::{Target, normaliser_errors}};
/// let change = normaliser_errors(&Target::ALL, 64, 3, Seed::new(1));
/// assert!(change.iter().all(|c| *c < 0.05), "{change:?}");
/// ```
pub fn normaliser_errors(targets: &[Target], width: usize, panels: usize, seed: Seed) -> Vec<f64> {
    let fit = Fit::new(width, panels, seed);
    let rules = [panels + 1, 2 * (panels + 1)].map(|panels| {
        let grid = Grid::quadrature(2, -1.0, 1.0, panels);
        (fit.layer.features(grid.points.view()), grid)
    });
    let change = |target: &Target| {
        let weights = fit.weights(*target);
        let [once, twice] = rules.each_ref().map(|(features, grid)| {
            // β_jᵀf = −g, so that log Z = log ∫ exp(g) for every j.
            let log_target = grid.points.map_axis(Axis(1), |x| target.unnormalised(x).ln());
            [features.dot(&weights), log_target].map(|g| log_sum_exp(g.view(), grid.weights.view()))
        });
        (once[0] - twice[0]).abs().max((once[1] - twice[1]).abs())
    };
    targets.iter().map(change).collect()
}

/// A hidden layer, and the least-squares problem of its output weights at the points of a coarse grid.
struct Fit {
    grid: Grid,
    layer: HiddenLayer,
    solve: LeastSquares,
}

impl Fit {
    fn new(width: usize, panels: usize, seed: Seed) -> Self {
        let grid = Grid::quadrature(2, -1.0, 1.0, panels);
        let layer = HiddenLayer::draw(2, width, seed);
        let solve = LeastSquares::new(layer.features(grid.points.view()).view());
        Self { grid, layer, solve }
    }

    /// Output weights of the network that is fitted to the log density of a target.
    fn weights(&self, target: Target) -> Array1<f64> {
        self.solve.weights(target.density(&self.grid).mapv_into(f64::ln).view())
    }
}

/// Units relu(wᵀx + c) with unit weights in random directions and kinks spread over the square.
struct HiddenLayer {
    weights: Array2<f64>,
    biases: Array1<f64>,
}

impl HiddenLayer {
    fn draw(d: usize, width: usize, seed: Seed) -> Self {
        let mut rng = seed.rng();
        let mut weights = Array2::<f64>::random_using((d, width), StandardNormal, &mut rng);
        for mut w in weights.columns_mut() {
            let norm = w.dot(&w).sqrt();
            w /= norm;
        }
        Self { weights, biases: Array1::from_shape_simple_fn(width, || rng.random_range(-1.5..1.5)) }
    }

    /// Outputs of the units, and a column of ones.
    fn features(&self, x: ArrayView2<f64>) -> Array2<f64> {
        let mut features = Array2::ones((x.nrows(), self.biases.len() + 1));
        let units = (x.dot(&self.weights) + &self.biases).mapv_into(|v| v.max(0.0));
        features.slice_mut(ndarray::s![.., 1..]).assign(&units);
        features
    }
}

/// Directions that the points see less than the strongest one by this factor are left out of a fit. A unit whose
/// kink leaves hardly a point on one side makes such a direction: its weight could be anything, and a fit
/// that follows the rounding there is off by orders of magnitude between the points.
const SEEN: f64 = 1e-6;

/// V S⁻¹ Uᵀ y without the directions that the points hardly see.
struct LeastSquares {
    u: Array2<f64>,
    s: Array1<f64>,
    v: Array2<f64>,
}

impl LeastSquares {
    fn new(a: ArrayView2<f64>) -> Self {
        let (u, s, v) = thin_svd(a);
        let rank = s.iter().filter(|v| **v > s[0] * SEEN).count();
        let kept = ndarray::s![.., ..rank];
        Self {
            u: u.slice(kept).to_owned(),
            s: s.slice(ndarray::s![..rank]).to_owned(),
            v: v.slice(kept).to_owned(),
        }
    }

    fn weights(&self, y: ArrayView1<f64>) -> Array1<f64> {
        self.v.dot(&(self.u.t().dot(&y) / &self.s))
    }
}

/// The error of a linear f, at the best of many exponential tilts exp(aᵀx), and the lower
/// bound that no tilt can beat, both relative to sup p_X.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct LinearError {
    /// The smallest error found.
    pub best: f64,
    /// (H − L)/2: what every linear f leaves.
    pub lower_bound: f64,
}

/// Error of the best linear f on the bimodal target: tilts on a grid of slopes in [−4, 4]².
pub fn linear_error(grid: &Grid) -> LinearError {
    let p = Target::Bimodal.density(grid);
    let mass = grid.integrate(grid.points.map_axis(Axis(1), |x| Target::Bimodal.unnormalised(x)).view());
    let at = |x: f64| Target::Bimodal.unnormalised(ndarray::array![x, 0.0].view()) / mass;
    // The modes lie between the points of the grid.
    let top = p.iter().copied().chain([at(-0.5), at(0.5)]).fold(0.0, f64::max);
    let mut best = f64::INFINITY;
    for i in -40..=40 {
        for j in -40..=40 {
            let slope = ndarray::array![f64::from(i) / 10.0, f64::from(j) / 10.0];
            let energy = -grid.points.dot(&slope).insert_axis(Axis(1));
            let fitted = log_densities(grid, energy.view(), ndarray::array![[1.0]].view());
            let on_grid = fitted.iter().zip(&p).map(|(l, p)| (l.exp() - p).abs());
            // log p_a(x) = aᵀx − log Z, so any point of the grid gives log Z.
            let log_z = grid.points.row(0).dot(&slope) - fitted[[0, 0]];
            let at_modes = [-0.5, 0.5].map(|x| ((x * slope[0] - log_z).exp() - at(x)).abs());
            let sup = on_grid.chain(at_modes).fold(0.0, f64::max);
            best = best.min(sup / top);
        }
    }
    // The two modes and the middle between them.
    LinearError { best, lower_bound: (at(0.5).min(at(-0.5)) - at(0.0)) / 2.0 / top }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn wider_networks_come_closer_and_linear_ones_stop() {
        let grid = Grid::quadrature(2, -1.0, 1.0, 3);
        let b = ndarray::array![[0.6, 0.8], [0.8, -0.6]];
        let error = |width| network_error(Target::Bimodal, width, b.view(), 4, Seed::new(1));
        let (narrow, wide) = (error(8), error(256));
        assert!(wide < narrow / 3.0, "{narrow} at width 8, {wide} at width 256");
        let linear = linear_error(&grid);
        assert!(linear.best >= linear.lower_bound && linear.lower_bound > 0.2, "{linear:?}");
        assert!(wide < linear.lower_bound);
    }
}
