//! Errors of effect estimates.

use super::{MetricError, all_finite};
use ndarray::ArrayView1;

/// √( n⁻¹ Σ (τ̂_i − τ_i)² ), the root that the paper's tables print.
///
/// ```
/// use ebmbook::metrics::pehe;
/// use ndarray::array;
/// assert_eq!(pehe(array![1.0, 5.0].view(), array![1.0, 1.0].view())?, 8.0_f64.sqrt());
/// # Ok::<(), ebmbook::metrics::MetricError>(())
/// ```
pub fn pehe(estimate: ArrayView1<f64>, truth: ArrayView1<f64>) -> Result<f64, MetricError> {
    Ok(pehe_square(estimate, truth)?.sqrt())
}

/// n⁻¹ Σ (τ̂_i − τ_i)², the mean square that the paper's text defines.
pub fn pehe_square(estimate: ArrayView1<f64>, truth: ArrayView1<f64>) -> Result<f64, MetricError> {
    let squares = differences("PEHE", estimate, truth)?.map(|d| d * d);
    Ok(squares.sum::<f64>() / truth.len() as f64)
}

/// | mean τ̂ − mean τ |, the error of the average effect.
///
/// ```
/// use ebmbook::metrics::ate_error;
/// use ndarray::array;
/// assert_eq!(ate_error(array![0.0, 4.0].view(), array![1.0, 1.0].view())?, 1.0);
/// # Ok::<(), ebmbook::metrics::MetricError>(())
/// ```
pub fn ate_error(estimate: ArrayView1<f64>, truth: ArrayView1<f64>) -> Result<f64, MetricError> {
    Ok((differences("ATE error", estimate, truth)?.sum::<f64>() / truth.len() as f64).abs())
}

/// 1 − (PEHE / PEHE of a reference)²: 1 is perfect, 0 is no better than the reference.
///
/// ```
/// assert_eq!(ebmbook::metrics::skill(1.0, 2.0), 0.75);
/// assert!(ebmbook::metrics::skill(3.0, 2.0) < 0.0);
/// ```
pub fn skill(pehe: f64, reference: f64) -> f64 {
    1.0 - (pehe / reference).powi(2)
}

fn differences<'a>(
    metric: &'static str,
    estimate: ArrayView1<'a, f64>,
    truth: ArrayView1<'a, f64>,
) -> Result<impl Iterator<Item = f64> + 'a, MetricError> {
    if estimate.len() != truth.len() || truth.is_empty() {
        return Err(MetricError::Lengths { metric, left: estimate.len(), right: truth.len() });
    }
    all_finite(metric, estimate)?;
    all_finite(metric, truth)?;
    Ok(estimate.into_iter().zip(truth).map(|(e, t)| e - t))
}
