//! The n × n forms: coefficients of kernel functions at the training rows.

use super::linear::solve_penalised;
use super::{RegressError, RowWeights};
use ndarray::{Array1, Array2, ArrayView1, ArrayView2, Axis};

/// More rows than this would need several matrices of 1.2 GB.
pub(super) const MAX_ROWS: usize = 12_000;

/// Refuses an n × n matrix that would not fit.
pub(super) fn check_size(model: &'static str, n: usize) -> Result<(), RegressError> {
    if n > MAX_ROWS { Err(RegressError::TooManyRows { model, n, max: MAX_ROWS }) } else { Ok(()) }
}

/// Kernel ridge without intercept: f(x) = Σ c_i k(x, x_i).
pub(super) fn solve(
    model: &'static str,
    kernel: Array2<f64>,
    y: ArrayView1<f64>,
    weights: RowWeights,
    alpha: f64,
) -> Result<Array1<f64>, RegressError> {
    let Some(w) = weights else { return solve_penalised(model, kernel, y, alpha) };
    // c = s ∘ (ssᵀ∘K + αI)⁻¹ (s∘y),  s = √w
    let s = w.mapv(f64::sqrt);
    let right = &s * &y;
    Ok(solve_penalised(model, weighted(kernel, &s), right.view(), alpha)? * &s)
}

/// Ridge in the feature space of a kernel, with an intercept that is not penalised: the
/// coefficients c and the constant b of f(x) = b + Σ c_i k(x, x_i).
pub(super) fn solve_with_intercept(
    model: &'static str,
    mut kernel: Array2<f64>,
    y: ArrayView1<f64>,
    weights: RowWeights,
    alpha: f64,
) -> Result<(Array1<f64>, f64), RegressError> {
    let n = y.len();
    let w = weights.map_or_else(|| Array1::ones(n), |w| w.to_owned());
    let share = &w / w.sum();
    let mean_y = share.dot(&y);
    // Features are centred at their (weighted) mean: k(x, z) − k̄(x) − k̄(z) + k̄, k̄(x) = Σ w_j k(x, x_j) / Σ w_j
    let row_mean = kernel.dot(&share);
    let grand_mean = share.dot(&row_mean);
    kernel -= &row_mean.view().insert_axis(Axis(1));
    kernel -= &row_mean.view().insert_axis(Axis(0));
    kernel += grand_mean;
    let centred = &y - mean_y;
    let c = solve(model, kernel, centred.view(), weights, alpha)?;
    // Σ c_i = 0, because the centred kernel annihilates the weights: what is left of the centring
    // of k(x, x_i) is the constant k̄(x_i).
    let constant = mean_y - c.dot(&row_mean);
    Ok((c, constant))
}

/// ssᵀ ∘ K.
fn weighted(mut kernel: Array2<f64>, s: &Array1<f64>) -> Array2<f64> {
    kernel *= &s.view().insert_axis(Axis(1));
    kernel *= &s.view().insert_axis(Axis(0));
    kernel
}

/// ‖x_i − z_j‖² for all pairs, as ‖x‖² + ‖z‖² − 2·x·z; rounding below zero is cut off.
pub(crate) fn squared_distances(x: ArrayView2<f64>, z: ArrayView2<f64>) -> Array2<f64> {
    let norms = |m: ArrayView2<f64>| m.rows().into_iter().map(|r| r.dot(&r)).collect::<Array1<f64>>();
    let (x_norms, z_norms) = (norms(x), norms(z));
    let mut distances = x.dot(&z.t());
    for (mut row, x_norm) in distances.rows_mut().into_iter().zip(&x_norms) {
        row.zip_mut_with(&z_norms, |v, z_norm| *v = (x_norm + z_norm - 2.0 * *v).max(0.0));
    }
    distances
}
