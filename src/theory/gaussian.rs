//! Proposition 4.1 for the smallest model there is. In: b, q, an objective. Out: the parameter at
//! which the population objective is best.
//!
//! X ~ N(0, 1), energy e(x) = s·x²/2, so the truth is s = 1. The loss of a group is convex in s,
//!
//! ```text
//! ℓ(s) = log Σ_a exp(−s·x_a²/2 + w_a) − (−s·x_0²/2 + w_0),     ℓ′ = x_0²/2 − Σ_a π_a x_a²/2
//! ```
//!
//! and Newton's method on fixed draws finds its optimum with a standard error from the spread of
//! ℓ′ over the draws.

use crate::data::Covariates;
use crate::ebm::{EbmError, Objective};
use crate::noise::{NoiseError, NoiseKernel};
use crate::seed::Seed;
use ndarray::{Array2, Array3, ArrayView3, s};
use ndarray_rand::RandomExt;
use rand_distr::StandardNormal;
use rayon::prelude::*;

/// Newton's method has converged when a step is shorter, and has failed after so many.
const CONVERGED: f64 = 1e-7;
const STEPS: usize = 50;
/// Draws that share one generator; a result does not depend on the number of threads.
const CHUNK: usize = 2_000;

/// The best s, and how well the draws pin it down.
#[derive(Clone, Copy, Debug, PartialEq, serde::Serialize)]
pub struct GaussianOptimum {
    /// Corrupted copies.
    pub b: usize,
    /// Corruption probability.
    pub q: f64,
    /// Groups drawn.
    pub draws: usize,
    /// The minimiser of the loss; the truth is 1.
    pub s: f64,
    /// Its Monte Carlo standard error.
    pub standard_error: f64,
}

/// Σ ℓ′, Σ ℓ″ and Σ ℓ′² over some draws.
#[derive(Clone, Copy, Default)]
struct Sums {
    slope: f64,
    curvature: f64,
    square: f64,
}

/// What candidates are scored with. The default is the model above; a check puts something broken
/// in its place and looks whether the optimum moves.
#[derive(Clone, Copy, Debug)]
pub struct Scores {
    /// e(x)/s, the energy at s = 1.
    pub energy: fn(f64) -> f64,
    /// w_a = Σ_{a'≠a} log p̃(v_{a'} | v_a) of each candidate, groups × (b + 1).
    pub kernel_terms: fn(&NoiseKernel, ArrayView3<f64>) -> Result<Array2<f64>, NoiseError>,
}

impl Default for Scores {
    fn default() -> Self {
        Self { energy: |x| 0.5 * x * x, kernel_terms: NoiseKernel::log_weights }
    }
}

impl Scores {
    /// The population optimum of `objective` with b copies and corruption probability q.
    ///
    /// ```
    /// use ebmbook::{ebm::Objective, theory::gaussian::Scores, seed::Seed};
    /// let scores = Scores::default();
    /// let printed = scores.optimum(Objective::Ranking, 5, 0.5, 20_000, Seed::new(1))?;
    /// assert!(printed.s < 0.9, "five copies: not the truth, {printed:?}");
    /// let exact = scores.optimum(Objective::RankingExact, 5, 0.5, 20_000, Seed::new(1))?;
    /// assert!((exact.s - 1.0).abs() < 4.0 * exact.standard_error, "{exact:?}");
    /// # Ok::<(), ebmbook::ebm::EbmError>(())
    /// ```
    pub fn optimum(
        &self,
        objective: Objective,
        b: usize,
        q: f64,
        draws: usize,
        seed: Seed,
    ) -> Result<GaussianOptimum, EbmError> {
        if objective == Objective::ReleasedProgram {
            let rule = "must be one whose copies come from the row itself";
            return Err(EbmError::parameter("objective", "released-program", rule));
        }
        let rows = Covariates::continuous(ndarray::array![[0.0], [1.0]])?;
        let kernel = NoiseKernel::new(&rows, q)?;
        let mut s = 1.0;
        let mut step = f64::NAN;
        // Newton from the truth, with steps of at most one; a convex function of one variable needs a handful.
        for _ in 0..STEPS {
            let sums = all_sums(self, &kernel, objective, b, draws, s, seed)?;
            // Proposition 4.1: the optimum is where ℓ′ vanishes; is it s = 1?
            step = sums.slope / sums.curvature;
            s -= step.clamp(-1.0, 1.0);
            if step.abs() < CONVERGED {
                // √(mean ℓ′² / draws) / mean ℓ″
                let standard_error = sums.square.sqrt() / sums.curvature;
                return Ok(GaussianOptimum { b, q, draws, s, standard_error });
            }
        }
        let rule =
            format!("must fall below {CONVERGED:e} within {STEPS} steps, else there is no optimum to report");
        Err(EbmError::parameter("step of Newton's method", step, rule))
    }
}

fn all_sums(
    scores: &Scores,
    kernel: &NoiseKernel,
    objective: Objective,
    b: usize,
    draws: usize,
    s: f64,
    seed: Seed,
) -> Result<Sums, EbmError> {
    let chunks: Result<Vec<Sums>, EbmError> = (0..draws.div_ceil(CHUNK))
        .into_par_iter()
        .map(|chunk| {
            let groups = CHUNK.min(draws - chunk * CHUNK);
            chunk_sums(scores, kernel, objective, b, groups, s, seed.index(chunk))
        })
        .collect();
    // In the order of the chunks, so that rounding does not depend on the threads.
    Ok(chunks?.iter().fold(Sums::default(), |sum, c| Sums {
        slope: sum.slope + c.slope,
        curvature: sum.curvature + c.curvature,
        square: sum.square + c.square,
    }))
}

/// The first rows that [`Scores::optimum`] draws with this seed: a fingerprint of its data.
///
/// ```
/// use ebmbook::{seed::Seed, theory::gaussian::first_rows};
/// assert_eq!(first_rows(3, Seed::new(1)), first_rows(5, Seed::new(1)).slice(ndarray::s![..3, ..]));
/// ```
pub fn first_rows(rows: usize, seed: Seed) -> Array2<f64> {
    originals(rows, seed.index(0))
}

fn originals(groups: usize, seed: Seed) -> Array2<f64> {
    let mut rng = seed.child("x").rng();
    Array2::random_using((groups, 1), StandardNormal, &mut rng)
}

fn chunk_sums(
    scores: &Scores,
    kernel: &NoiseKernel,
    objective: Objective,
    b: usize,
    groups: usize,
    s: f64,
    seed: Seed,
) -> Result<Sums, EbmError> {
    let x = originals(groups, seed);
    let copies = kernel.corrupt(x.view(), b, seed.child("noise"))?;
    let mut candidates = Array3::zeros((groups, b + 1, 1));
    candidates.slice_mut(s![.., 0, ..]).assign(&x);
    candidates.slice_mut(s![.., 1.., ..]).assign(&copies);
    let mut weights = (scores.kernel_terms)(kernel, candidates.view())?;
    if objective == Objective::RankingExact {
        let possible = kernel.possible_originals(candidates.view())?;
        weights.zip_mut_with(&possible, |w, p| *w = if *p { *w } else { f64::NEG_INFINITY });
    }
    // e = s·x²/2, so ∂e/∂s = x²/2.
    let half_squares = candidates.mapv(scores.energy);
    let mut sums = Sums::default();
    let mut gradient = vec![0.0; b + 1];
    for (h, w) in half_squares.outer_iter().zip(weights.rows()) {
        let h: Vec<f64> = h.iter().copied().collect();
        let energies: Vec<f64> = h.iter().map(|h| s * h).collect();
        let w: Vec<f64> = if objective.is_weighted() { w.to_vec() } else { vec![] };
        objective.loss_and_gradient(&energies, &w, &mut gradient);
        let slope: f64 = gradient.iter().zip(&h).map(|(g, h)| g * h).sum();
        sums.slope += slope;
        sums.square += slope * slope;
        sums.curvature += curvature(objective, &gradient, &h);
    }
    Ok(sums)
}

/// ℓ″(s), from ∂ℓ/∂e.
fn curvature(objective: Objective, gradient: &[f64], h: &[f64]) -> f64 {
    if objective == Objective::Pairwise {
        // Σ_a σ(1−σ)(h_0 − h_a)²/b, with σ_a/b = −∂ℓ/∂e_a
        let b = (h.len() - 1) as f64;
        return (1..h.len())
            .map(|a| {
                let sigma = -gradient[a] * b;
                sigma * (1.0 - sigma) * (h[0] - h[a]).powi(2) / b
            })
            .sum();
    }
    // Var_π(h), with π_a = 1{a = 0} − ∂ℓ/∂e_a
    let posterior = |a: usize| f64::from(u8::from(a == 0)) - gradient[a];
    let mean: f64 = (0..h.len()).map(|a| posterior(a) * h[a]).sum();
    (0..h.len()).map(|a| posterior(a) * (h[a] - mean).powi(2)).sum()
}
