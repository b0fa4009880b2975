//! Section 2: how fast a regression can learn in d dimensions.
//!
//! For an α-smooth function of d variables no estimator beats n^{−2α/(2α+d)} in mean squared error.
//! The regressogram below (local means over cells of side h ∝ n^{−1/(2α+d)}) reaches it for α = 1.
//! The target is a sum of tents, Lipschitz and no smoother, tilted along every axis, so that the
//! bias is really of order h and the measured slope is that of the theory.

use crate::metrics::{Interval, bootstrap_groups};
use crate::seed::Seed;
use ndarray::{Array2, ArrayView1};
use ndarray_rand::RandomExt;
use rand::Rng;
use rand_distr::{Distribution, StandardNormal, StandardUniform};
use rayon::prelude::*;

/// Standard deviation of an outcome given x.
const NOISE: f64 = 0.5;
/// Rows on which an error is measured.
const TEST: usize = 2000;
/// Σ_s 4·Var|2U − 1|/d = 4/12, whatever d is: the error of predicting the mean.
pub const TARGET_VARIANCE: f64 = 1.0 / 3.0;

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

/// Cells along a side, h^{−1} = factor·n^{1/(2+d)}. Any factor gives the rate in the limit. A mean over the
/// N points of a cell has variance σ²/N, and E[1/N] exceeds 1/E[N] by a factor of about 1 + 1/E[N]. Where
/// cells are poor the line bends, so a slope at moderate n is best read off with a small factor.
fn cells_per_side(d: usize, n: usize, factor: f64) -> usize {
    (factor * (n as f64).powf(1.0 / (2.0 + d as f64))).round().max(1.0) as usize
}

/// Mean squared errors of the regressogram with `factor`·n^{1/(2+d)} cells a side, for each n and each
/// replicate.
pub fn mean_squared_errors(
    d: usize,
    factor: f64,
    sizes: &[usize],
    replicates: usize,
    seed: Seed,
) -> Vec<Vec<f64>> {
    let one = |n: usize, r: usize| one_error(d, n, cells_per_side(d, n, factor), seed.index(n).index(r));
    let of_size = |n: &usize| (0..replicates).into_par_iter().map(|r| one(*n, r)).collect();
    sizes.iter().map(of_size).collect()
}

/// The first rows that [`mean_squared_errors`] draws: a fingerprint of its data.
///
/// ```
/// use ebmbook::{seed::Seed, theory::rates::first_rows};
/// assert_eq!(first_rows(2, 250, Seed::new(1)).dim(), (250, 2));
/// ```
pub fn first_rows(d: usize, n: usize, seed: Seed) -> Array2<f64> {
    rows(d, n, &mut seed.index(n).index(0).rng())
}

fn rows(d: usize, n: usize, rng: &mut impl Rng) -> Array2<f64> {
    Array2::random_using((n, d), StandardUniform, rng)
}

/// d^{−½} Σ_s 2·|2x_s − 1|: tilted along every axis, of the same size for all d.
fn tents<'a>(x: impl ExactSizeIterator<Item = &'a f64>) -> f64 {
    let d = x.len() as f64;
    x.map(|v| 2.0 * (2.0 * v - 1.0).abs()).sum::<f64>() / d.sqrt()
}

fn one_error(d: usize, n: usize, per_side: usize, seed: Seed) -> f64 {
    let mut rng = seed.rng();
    let x = rows(d, n, &mut rng);
    let cell = |row: ArrayView1<f64>| {
        row.iter().fold(0, |index, v| index * per_side + ((v * per_side as f64) as usize).min(per_side - 1))
    };
    let mut sums = vec![(0.0, 0.0); per_side.pow(d as u32)];
    let mut overall = 0.0;
    for row in x.rows() {
        let noise: f64 = StandardNormal.sample(&mut rng);
        let y = tents(row.iter()) + NOISE * noise;
        let entry = &mut sums[cell(row)];
        *entry = (entry.0 + y, entry.1 + 1.0);
        overall += y / n as f64;
    }
    let total: f64 = rows(d, TEST, &mut rng)
        .rows()
        .into_iter()
        .map(|row| {
            let (sum, count) = sums[cell(row)];
            let guess = if count > 0.0 { sum / count } else { overall };
            (guess - tents(row.iter())).powi(2)
        })
        .sum();
    total / TEST as f64
}

/// The expectation of such an error, without simulation. In a cell that N ~ Bin(n, m^{−d}) points fall
/// into, with v the variance of the target within a cell and V that over the cube,
///
/// ```text
/// E error = v + (σ² + v)·E[1{N>0}/N] + P(N=0)·(V − v + (σ² + V)/n)
/// ```
///
/// up to what an empty cell tells about the overall mean, which is smaller than 1/n of it.
///
/// ```
/// use ebmbook::{seed::Seed, theory::rates::{expected_error, mean_squared_errors}};
/// let simulated = &mean_squared_errors(2, 1.0, &[500], 400, Seed::new(1))[0];
/// let mean = simulated.iter().sum::<f64>() / 400.0;
/// // An error scatters by a tenth of itself: one part in two hundred for the mean, and four of them.
/// assert!((mean / expected_error(2, 1.0, 500) - 1.0).abs() < 0.02);
/// ```
pub fn expected_error(d: usize, factor: f64, n: usize) -> f64 {
    let per_side = cells_per_side(d, n, factor) as f64;
    // Along an axis a cell of side h has variance (4h/√d)²/12; the cell with the tip, which is there when
    // their number is odd, has a quarter of it. Summed over the d axes:
    let tip = if per_side % 2.0 == 1.0 { 1.0 - 0.75 / per_side } else { 1.0 };
    let within = 4.0 / 3.0 / (per_side * per_side) * tip;
    let (inverse, empty) = inverse_count(n, per_side.powi(-(d as i32)));
    let noise = NOISE * NOISE;
    within
        + (noise + within) * inverse
        + empty * (TARGET_VARIANCE - within + (noise + TARGET_VARIANCE) / n as f64)
}

/// E[1{N>0}/N] and P(N = 0) for N ~ Bin(n, p).
fn inverse_count(n: usize, p: f64) -> (f64, f64) {
    if p >= 1.0 {
        return (1.0 / n as f64, 0.0);
    }
    let mut log_pmf = n as f64 * (-p).ln_1p();
    let empty = log_pmf.exp();
    let mut inverse = 0.0;
    for count in 1..=n {
        // P(N = c)/P(N = c−1) = (n − c + 1)/c · p/(1 − p)
        log_pmf += ((n - count + 1) as f64 / count as f64).ln() + p.ln() - (-p).ln_1p();
        inverse += log_pmf.exp() / count as f64;
    }
    (inverse, empty)
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn in_eight_dimensions_two_cells_a_side_cannot_beat_the_mean_and_three_can() {
        assert_eq!([8_000, 16_000].map(|n| cells_per_side(8, n, 1.0)), [2, 3]);
        assert!(expected_error(8, 1.0, 8_000) > TARGET_VARIANCE);
        let share = expected_error(8, 1.0, 16_000) / TARGET_VARIANCE;
        assert!((0.85..0.95).contains(&share), "nine tenths: {share}");
    }
}
