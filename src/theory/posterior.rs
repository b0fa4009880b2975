//! The posterior of "candidate a is the original", Equation (6), and what cancels.
//!
//! ```text
//! q_{θ,j}(a | V) ∝ p_{θ,j}(v_a) · Π_{a'≠a} p̃(v_{a'} | v_a)
//! ```

use super::density::log_sum_exp;
use ndarray::{Array1, ArrayView1};

/// Softmax of log p(v_a) + log-weight of a; constants shared by all candidates cancel.
///
/// ```
/// use ebmbook::theory::posterior::posterior;
/// use ndarray::array;
/// let q = posterior(array![0.0, 0.0].view(), array![0.0, f64::ln(3.0)].view());
/// assert!((q[1] - 0.75).abs() < 1e-15);
/// ```
pub fn posterior(log_p: ArrayView1<f64>, log_weights: ArrayView1<f64>) -> Array1<f64> {
    // Equation (6) in logarithms: log p_{θ,j}(v_a) + log p̃_{−a}(V) − log Σ_a …
    let total = &log_p + &log_weights;
    let log_norm = log_sum_exp(total.view(), Array1::ones(total.len()).view());
    total.mapv_into(|v| (v - log_norm).exp())
}

/// The posterior from densities that are normalised, as Equation (6) is printed: no logarithm, no shift.
///
/// ```
/// use ebmbook::theory::posterior::posterior_of_densities;
/// use ndarray::array;
/// let q = posterior_of_densities(array![0.2, 0.1].view(), array![0.5, 0.5].view());
/// assert!((q[0] - 2.0 / 3.0).abs() < 1e-15);
/// ```
pub fn posterior_of_densities(p: ArrayView1<f64>, kernel: ArrayView1<f64>) -> Array1<f64> {
    // Equation (6): p_{θ,j}(v_a) p̃_{−a}(V) / Σ_a p_{θ,j}(v_a) p̃_{−a}(V)
    let joint = &p * &kernel;
    let total = joint.sum();
    joint / total
}

/// Largest change of the posterior when the log-normaliser of candidate a is `shifts[a]`. Equal
/// shifts (one density for all candidates) change nothing; unequal ones (each candidate scored
/// with the β of its own cluster) do.
pub fn change_under_shift(
    log_p: ArrayView1<f64>,
    log_weights: ArrayView1<f64>,
    shifts: ArrayView1<f64>,
) -> f64 {
    let before = posterior(log_p, log_weights);
    let after = posterior((&log_p - &shifts).view(), log_weights);
    (&before - &after).iter().fold(0.0, |m, d| m.max(d.abs()))
}

#[cfg(test)]
mod tests {
    use super::*;
    use ndarray::array;

    #[test]
    fn the_partition_function_cancels_when_candidates_share_their_direction() {
        let (log_p, weights) = (array![-3.0, 1.0, 0.5], array![-20.0, -22.0, -21.0]);
        for log_z in [-700.0, -1.0, 0.3, 1e4] {
            // Subtracting log Z loses |log Z|·2⁻⁵³ of each log-density.
            let bound = 8.0 * f64::EPSILON * f64::abs(log_z) + 1e-15;
            assert!(
                change_under_shift(log_p.view(), weights.view(), Array1::from_elem(3, log_z).view()) <= bound
            );
        }
        assert!(change_under_shift(log_p.view(), weights.view(), array![0.0, 1.0, 0.0].view()) > 0.01);
    }

    #[test]
    fn a_flat_model_with_flat_weights_is_uniform() {
        let zero = Array1::zeros(4);
        assert_eq!(posterior(zero.view(), zero.view()), Array1::from_elem(4, 0.25));
    }
}
