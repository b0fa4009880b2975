//! What Propositions 3.3 and 3.4 need of B, if it is not orthogonal.
//!
//! * Identifiability needs full rank: `f = −(Bᵀ)⁻¹ log p + constant`. An error of the log-densities grows by at
//!   most `1/σ_min(B)`, so that the relative error grows by the condition number; 1 for an orthogonal B.
//! * Approximation needs less: some u with `Bᵀu = 1`. Then `f = −log p_X · u` gives all k densities at once. An
//!   orthogonal B has u = B·1, an invertible one u = (Bᵀ)⁻¹1, and two equal directions do no harm. Two opposite
//!   ones do: −e and e cannot both be the energy of p_X.

use crate::linalg::{least_squares, thin_svd};
use ndarray::{Array1, ArrayView2};

/// The u with Bᵀu = 1, or the shortest one that comes nearest.
///
/// ```
/// use ebmbook::theory::full_rank::common_direction;
/// use ndarray::array;
/// let b = array![[1.0, 0.5], [0.0, 2.0]];
/// assert!((b.t().dot(&common_direction(b.view())) - 1.0).iter().all(|gap| gap.abs() < 1e-14));
/// ```
pub fn common_direction(directions: ArrayView2<f64>) -> Array1<f64> {
    // Appendix B.3: β_jᵀu = 1 for all j, the line for which the printed proof uses orthogonality
    least_squares(directions.t(), Array1::ones(directions.ncols()).view())
}

/// By how much the recovery of f amplifies an error of the log-densities, at most: 1/σ_min(B). Infinite for a B
/// that is not of full rank.
///
/// ```
/// use ebmbook::theory::full_rank::recovery_gain;
/// use ndarray::array;
/// assert!((recovery_gain(array![[0.6, 0.8], [0.8, -0.6]].view()) - 1.0).abs() < 1e-14);
/// assert_eq!(recovery_gain(array![[1.0, 1.0], [0.0, 0.0]].view()), f64::INFINITY);
/// ```
pub fn recovery_gain(directions: ArrayView2<f64>) -> f64 {
    let (_, s, _) = thin_svd(directions);
    let (largest, smallest) = (s[0], s[s.len() - 1]);
    if smallest > largest * 1e-12 { 1.0 / smallest } else { f64::INFINITY }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::seed::Seed;
    use crate::theory::approximation::{Target, network_error};
    use crate::theory::identifiability::recover_from_any;
    use ndarray::array;

    #[test]
    fn the_bound_is_reached_along_the_weakest_direction() {
        let b = array![[1.0, 0.9], [0.2, 0.3]];
        let (_, _, v) = thin_svd(b.view());
        // f = −(Bᵀ)⁺ log p is linear, so an error of log p along the last right singular vector is the worst.
        let error = v.column(1).insert_axis(ndarray::Axis(0));
        let grown = recover_from_any(error, b.view());
        let norm = grown.iter().map(|e| e * e).sum::<f64>().sqrt();
        assert!((norm / recovery_gain(b.view()) - 1.0).abs() < 1e-12);
    }

    #[test]
    fn approximation_needs_a_common_direction_and_no_more() {
        let error = |b: ndarray::Array2<f64>| network_error(Target::Bimodal, 256, b.view(), 4, Seed::new(1));
        let orthogonal = error(array![[0.6, 0.8], [0.8, -0.6]]);
        for b in [array![[1.0, 0.5], [0.0, 2.0]], array![[1.0, 1.0], [0.0, 0.0]]] {
            assert!((error(b) / orthogonal - 1.0).abs() < 1e-10);
        }
        assert!(error(array![[1.0, -1.0], [0.0, 0.0]]) > 2.0 * orthogonal);
    }
}
