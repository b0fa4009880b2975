//! Section 4's objective saturates. In: d, b, q. Out: how much of the answer is left to the model.
//!
//! With b ≥ 2 the copies are scattered around the true row, so that the kernel terms
//! w_a = Σ_{a'≠a} log p̃(v_{a'} | v_a) alone give it away. What a flat energy leaves to learn from is
//!
//! ```text
//! 1 − posterior of the true row = Σ_{a≥1} exp(w_a) / Σ_{a≥0} exp(w_a)
//! ```
//!
//! It is heavy-tailed and far below the smallest double in high dimension, so everything here is
//! in powers of ten, median and mean, with the number of draws beside them.

use crate::data::Covariates;
use crate::ebm::Objective;
use crate::noise::{NoiseError, NoiseKernel};
use crate::seed::Seed;
use crate::theory::gradient::gaussian_rows;
use ndarray::{Array2, Array3, ArrayView1, ArrayView2, Axis, s};
use rand::Rng;
use rayon::prelude::*;

/// Draws that share one generator; a result does not depend on the number of threads.
const CHUNK: usize = 100;

/// What is left to learn from, over many draws.
#[derive(Clone, Copy, Debug, PartialEq, serde::Serialize)]
pub struct Saturation {
    /// Number of features.
    pub d: usize,
    /// Corrupted copies.
    pub b: usize,
    /// Corruption probability.
    pub q: f64,
    /// Rows drawn.
    pub draws: usize,
    /// log₁₀ of the median of 1 − posterior.
    pub median: f64,
    /// log₁₀ of the mean of 1 − posterior.
    pub mean: f64,
}

/// For d continuous features. The kernel depends on differences only, so the rows can be zero.
///
/// ```
/// use ebmbook::{theory::saturation::saturation, seed::Seed};
/// let one_copy = saturation(100, 1, 0.5, 200, Seed::new(1))?;
/// assert!((10_f64.powf(one_copy.mean) - 0.5).abs() < 1e-9, "one copy: a coin flip, always");
/// let three = saturation(100, 3, 0.5, 200, Seed::new(1))?;
/// assert!(three.median < -20.0, "three copies: nothing left");
/// # Ok::<(), ebmbook::noise::NoiseError>(())
/// ```
pub fn saturation(d: usize, b: usize, q: f64, draws: usize, seed: Seed) -> Result<Saturation, NoiseError> {
    let rows = Array2::from_shape_fn((2, d.max(1)), |(i, _)| i as f64);
    let rows = Covariates::continuous(rows).expect("finite numbers");
    let kernel = NoiseKernel::new(&rows, q)?;
    of_kernel(&kernel, rows.x().slice(s![..1, ..]), b, draws, seed)
}

/// For any kernel; each draw corrupts one of the given rows, chosen at random.
pub fn of_kernel(
    kernel: &NoiseKernel,
    x: ArrayView2<f64>,
    b: usize,
    draws: usize,
    seed: Seed,
) -> Result<Saturation, NoiseError> {
    let logs = draws_of_kernel(kernel, x, b, draws, seed)?;
    let (median, mean) = (median(&logs), log10_mean(&logs));
    Ok(Saturation { d: kernel.d(), b, q: kernel.q(), draws, median, mean })
}

/// The middle number, or the middle between two.
///
/// ```
/// use ebmbook::theory::saturation::median;
/// assert_eq!((median(&[3.0, 1.0, 2.0]), median(&[4.0, 1.0])), (2.0, 2.5));
/// ```
///
/// # Panics
/// If there are no numbers.
pub fn median(values: &[f64]) -> f64 {
    let mut sorted = values.to_vec();
    sorted.sort_unstable_by(f64::total_cmp);
    let middle = sorted.len() / 2;
    if sorted.len() % 2 == 1 { sorted[middle] } else { 0.5 * (sorted[middle - 1] + sorted[middle]) }
}

/// log₁₀ of the mean of numbers given as powers of ten.
///
/// ```
/// let mean = ebmbook::theory::saturation::log10_mean(&[-400.0, -401.0]);
/// assert!((mean - (-400.0 + 0.55_f64.log10())).abs() < 1e-12);
/// ```
pub fn log10_mean(powers: &[f64]) -> f64 {
    let ten = std::f64::consts::LN_10;
    let logs: Vec<f64> = powers.iter().map(|p| p * ten).collect();
    (log_sum(&logs) - (logs.len() as f64).ln()) / ten
}

/// The draws themselves: log₁₀ of 1 − posterior.
///
/// ```
/// use ebmbook::{noise::NoiseKernel, seed::Seed, theory::{gradient::gaussian_rows, saturation::draws_of_kernel}};
/// let rows = gaussian_rows(100, 10, Seed::new(1));
/// let kernel = NoiseKernel::new(&rows, 0.5)?;
/// let three_copies = draws_of_kernel(&kernel, rows.x(), 3, 50, Seed::new(2))?;
/// assert_eq!(three_copies.iter().filter(|log10| **log10 > -6.0).count(), 0);
/// # Ok::<(), ebmbook::noise::NoiseError>(())
/// ```
pub fn draws_of_kernel(
    kernel: &NoiseKernel,
    x: ArrayView2<f64>,
    b: usize,
    draws: usize,
    seed: Seed,
) -> Result<Vec<f64>, NoiseError> {
    let chunks: Result<Vec<Vec<f64>>, NoiseError> = (0..draws.div_ceil(CHUNK))
        .into_par_iter()
        .map(|chunk| {
            let seed = seed.index(chunk);
            let groups = CHUNK.min(draws - chunk * CHUNK);
            let mut rng = seed.child("rows").rng();
            let rows: Vec<usize> = (0..groups).map(|_| rng.random_range(0..x.nrows())).collect();
            let originals = x.select(Axis(0), &rows);
            let copies = kernel.corrupt(originals.view(), b, seed.child("noise"))?;
            let mut candidates = Array3::zeros((groups, b + 1, kernel.d()));
            candidates.slice_mut(s![.., 0, ..]).assign(&originals);
            candidates.slice_mut(s![.., 1.., ..]).assign(&copies);
            let weights = kernel.log_weights(candidates.view())?;
            Ok(weights
                .rows()
                .into_iter()
                .map(|w| log_rest(w.as_slice().expect("rows are contiguous")))
                .collect())
        })
        .collect();
    Ok(chunks?.concat().into_iter().map(|log| log / std::f64::consts::LN_10).collect())
}

/// Loss of a flat energy, −log posterior, for a draw of log₁₀(1 − posterior).
///
/// ```
/// use ebmbook::theory::saturation::flat_loss;
/// assert!((flat_loss(0.5_f64.log10()) - 2.0_f64.ln()).abs() < 1e-12, "one copy: a guess between two");
/// assert!((flat_loss(-20.0) - 1e-20).abs() < 1e-30);
/// ```
pub fn flat_loss(log10_rest: f64) -> f64 {
    -(-10_f64.powf(log10_rest)).ln_1p()
}

/// Pairwise loss of the true density where d covariates are independent standard normal ones: the smallest that training
/// can reach, with any number of copies.
///
/// ```
/// use ebmbook::{seed::Seed, theory::saturation::least_pairwise_loss};
/// let [few, many] = [0.2, 0.8].map(|q| least_pairwise_loss(25, q, 2_000, Seed::new(1)).unwrap());
/// assert!(many < few && few < 2.0_f64.ln());
/// ```
pub fn least_pairwise_loss(d: usize, q: f64, draws: usize, seed: Seed) -> Result<f64, NoiseError> {
    let rows = gaussian_rows(d, draws, seed.child("rows"));
    let copies = NoiseKernel::new(&rows, q)?.corrupt(rows.x(), 1, seed.child("noise"))?;
    // −log p(x) = |x|²/2 + c
    let energy = |row: ArrayView1<f64>| 0.5 * row.dot(&row);
    let loss =
        |i| Objective::Pairwise.loss(&[energy(rows.x().row(i)), energy(copies.slice(s![i, 0, ..]))], &[]);
    Ok((0..draws).map(loss).sum::<f64>() / draws as f64)
}

/// The table of (d, b, q) that the workbook shows, with a fifth of the draws from d = 100 on.
pub fn table(draws: usize, seed: Seed) -> Result<Vec<Saturation>, NoiseError> {
    let mut table = Vec::new();
    for d in [2, 10, 25, 48, 100, 250] {
        for (b, q) in [(1, 0.5), (2, 0.5), (3, 0.5), (5, 0.2), (10, 0.5)] {
            let draws = if d >= 100 { draws.div_ceil(5) } else { draws };
            table.push(saturation(d, b, q, draws, seed.index(d).index(b))?);
        }
    }
    Ok(table)
}

/// log(1 − posterior of candidate 0) under a flat energy.
fn log_rest(weights: &[f64]) -> f64 {
    log_sum(&weights[1..]) - log_sum(weights)
}

/// log Σ exp
fn log_sum(logs: &[f64]) -> f64 {
    let highest = logs.iter().copied().fold(f64::NEG_INFINITY, f64::max);
    highest + logs.iter().map(|l| (l - highest).exp()).sum::<f64>().ln()
}
