//! Section 2: how fast a regression can learn in d dimensions.
//!
//! For an α-smooth function of d variables no estimator beats n^{−2α/(2α+d)} in mean squared error.
//! The regressogram below (local means over cells of side h ∝ n^{−1/(2α+d)}) reaches it for α = 1.
//! The target is a sum of tents, Lipschitz and no smoother, tilted along every axis, so that the
//! bias is really of order h and the measured slope is that of the theory.

use crate::metrics::{Interval, bootstrap_groups};
use crate::seed::Seed;
use ndarray::{Array1, Array2};
use rand::Rng;
use rand_distr::{Distribution, StandardNormal};
use std::collections::HashMap;

/// Slope of a straight line with its standard error.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Slope {
    /// Least-squares slope of log error on log n.
    pub estimate: f64,
    /// Standard error from the spread over replicates.
    pub se: f64,
    /// Degrees of freedom of the standard error (Welch–Satterthwaite).
    pub freedom: f64,
}

/// Mean squared errors of the regressogram, for each n and each replicate.
pub fn mean_squared_errors(d: usize, sizes: &[usize], replicates: usize, seed: Seed) -> Vec<Vec<f64>> {
    let of_size = |n: usize| (0..replicates).map(|r| one_error(d, n, seed.index(n).index(r))).collect();
    sizes.iter().map(|n| of_size(*n)).collect()
}

/// d^{−½} Σ_s 2·|2x_s − 1|: tilted along every axis, of the same size for all d.
fn tents(x: &[f64]) -> f64 {
    x.iter().map(|v| 2.0 * (2.0 * v - 1.0).abs()).sum::<f64>() / (x.len() as f64).sqrt()
}

fn one_error(d: usize, n: usize, seed: Seed) -> f64 {
    let mut rng = seed.rng();
    let x = Array2::from_shape_simple_fn((n, d), || rng.random::<f64>());
    let y = Array1::from_shape_fn(n, |i| {
        let noise: f64 = StandardNormal.sample(&mut rng);
        tents(x.row(i).as_slice().expect("rows are contiguous")) + 0.5 * noise
    });
    // Cells of side h = ½·n^{−1/(2+d)}
    let per_side = (2.0 * (n as f64).powf(1.0 / (2.0 + d as f64))).round().max(1.0);
    let cell = |row: &[f64]| -> Vec<u16> { row.iter().map(|v| (v * per_side) as u16).collect() };
    let mut sums: HashMap<Vec<u16>, (f64, f64)> = HashMap::new();
    for (row, y) in x.rows().into_iter().zip(&y) {
        let entry = sums.entry(cell(row.as_slice().expect("rows are contiguous"))).or_default();
        *entry = (entry.0 + y, entry.1 + 1.0);
    }
    let overall = y.sum() / n as f64;
    let test = 2000;
    let total: f64 = (0..test)
        .map(|_| {
            let row: Vec<f64> = (0..d).map(|_| rng.random()).collect();
            let guess = sums.get(&cell(&row)).map_or(overall, |(sum, count)| sum / count);
            (guess - tents(&row)).powi(2)
        })
        .sum();
    total / f64::from(test)
}

/// Least-squares slope of the log mean error on log n; the standard error propagates the spread of
/// each mean over its replicates.
///
/// ```
/// use ebmbook::theory::rates::slope;
/// let errors = vec![vec![1.0, 1.0], vec![0.25, 0.25]];
/// assert!((slope(&[100, 400], &errors).estimate + 1.0).abs() < 1e-12);
/// ```
pub fn slope(sizes: &[usize], errors: &[Vec<f64>]) -> Slope {
    let log_n: Vec<f64> = sizes.iter().map(|n| (*n as f64).ln()).collect();
    let centre = log_n.iter().sum::<f64>() / log_n.len() as f64;
    let spread: f64 = log_n.iter().map(|l| (l - centre).powi(2)).sum();
    let (mut estimate, mut variance, mut fourth) = (0.0, 0.0, 0.0);
    for (l, of_size) in log_n.iter().zip(errors) {
        let m = of_size.len() as f64;
        let mean = of_size.iter().sum::<f64>() / m;
        let var_mean = of_size.iter().map(|e| (e - mean).powi(2)).sum::<f64>() / (m - 1.0).max(1.0) / m;
        let weight = (l - centre) / spread;
        estimate += weight * mean.ln();
        // Var(log mean) ≈ Var(mean)/mean²
        let part = weight * weight * var_mean / (mean * mean);
        variance += part;
        fourth += part * part / (m - 1.0).max(1.0);
    }
    // ν = (Σ v_i)² / Σ v_i²/(m_i − 1)
    let freedom = if fourth > 0.0 { variance * variance / fourth } else { f64::INFINITY };
    Slope { estimate, se: variance.sqrt(), freedom }
}

/// Percentile bootstrap of the slope: the replicates of each n are drawn again, with replacement.
///
/// ```
/// use ebmbook::{seed::Seed, theory::rates::slope_interval};
/// let errors = vec![vec![1.0, 1.1, 0.9, 1.0], vec![0.25, 0.26, 0.24, 0.25]];
/// let interval = slope_interval(&[100, 400], &errors, 0.95, 1000, Seed::new(1));
/// assert!(interval.low < -0.95 && interval.high > -1.05 && interval.low < interval.high);
/// ```
///
/// # Panics
/// If a size has fewer than two replicates, or there are fewer than 100 resamples.
pub fn slope_interval(
    sizes: &[usize],
    errors: &[Vec<f64>],
    level: f64,
    resamples: usize,
    seed: Seed,
) -> Interval {
    let of = |drawn: &[Vec<f64>]| slope(sizes, drawn).estimate;
    bootstrap_groups(errors, of, level, resamples, seed).expect("two replicates of every size")
}
