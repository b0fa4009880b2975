//! Appendix B.6: the density that Equation (6) needs of any pair of candidates, and what B.6 gives.
//!
//! B.6 writes the density of indicator and value together: with R known, a value left alone has 1 − q and one
//! drawn again q/m. As a density of that pair it is right, and sums to one. Equation (6) needs the density of
//! the *value*, for pairs of candidates whose indicator nobody knows:
//!
//! ```text
//! categorical   x̃ = x: 1 − q + q/m,   x̃ ≠ x: q/m      (B.6 read by value: 1 − q, q/m)
//! continuous    with respect to Lebesgue measure plus an atom at x: qφ(x̃ − x) and 1 − q
//! ```
//!
//! The continuous kernel has no density with respect to one measure for all x: the atom moves along. The
//! posterior that it does have is the limit of kernels with a density, and that is `RankingExact`.

use super::posterior::posterior;
use super::rule::phi;
use ndarray::{Array1, Array2, ArrayView1, ArrayView2};

/// log p̃(x_i | x_j) in row i and column j, by Appendix B.6 with the indicator read off the values: equal means R = 0.
/// A feature has the values that occur in its column.
///
/// ```
/// use ebmbook::theory::kernels::literal_categorical;
/// use ndarray::array;
/// let table = literal_categorical(array![[0.0], [1.0]].view(), 0.4);
/// // ½·.4 + .6 < 1: not a density of the value
/// assert!((table.column(0).iter().map(|l| l.exp()).sum::<f64>() - 0.8).abs() < 1e-15);
/// ```
pub fn literal_categorical(x: ArrayView2<f64>, q: f64) -> Array2<f64> {
    let values = |s: usize| {
        let mut values = x.column(s).to_vec();
        values.sort_unstable_by(f64::total_cmp);
        values.dedup();
        values.len() as f64
    };
    let sizes: Vec<f64> = (0..x.ncols()).map(values).collect();
    Array2::from_shape_fn((x.nrows(), x.nrows()), |(i, j)| {
        // Appendix B.6: Π_s (1 − q)^{1−R_s} (q/|X_s|)^{R_s}
        (0..x.ncols()).map(|s| if x[[i, s]] == x[[j, s]] { 1.0 - q } else { q / sizes[s] }).map(f64::ln).sum()
    })
}

/// The posterior of each of some numbers being the original when a value left alone still moves by N(0, width²):
/// that kernel has a density, (1 − q)φ_width + qφ, and no atom.
///
/// ```
/// use ebmbook::theory::kernels::smoothed_posterior;
/// use ndarray::array;
/// // 1 occurs twice. The narrower the kernel, the surer that 3 is not the original.
/// let of_three = |width| smoothed_posterior(array![1.0, 1.0, 3.0].view(), array![0.0, 0.0, 5.0].view(), 0.5, width)[2];
/// assert!(of_three(1e-2) > 1e-4 && of_three(1e-9) < 1e-6);
/// ```
pub fn smoothed_posterior(v: ArrayView1<f64>, log_p: ArrayView1<f64>, q: f64, width: f64) -> Array1<f64> {
    let kernel = |step: f64| (1.0 - q) * phi(step / width) / width + q * phi(step);
    let term = |a: usize| {
        let others = (0..v.len()).filter(|other| *other != a);
        others.map(|other| kernel(v[other] - v[a]).ln()).sum::<f64>()
    };
    posterior(log_p, Array1::from_shape_fn(v.len(), term).view())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::data::Covariates;
    use crate::noise::NoiseKernel;
    use ndarray::{Axis, array};

    #[test]
    fn the_limit_of_kernels_with_a_density_is_ranking_exact() {
        let rows = Covariates::continuous(array![[0.0], [1.0]]).unwrap();
        let kernel = NoiseKernel::new(&rows, 0.3).unwrap();
        let (v, log_p) = (array![0.2, 0.2, 1.1, -0.4], array![-0.5, -0.5, 0.7, 1.0]);
        let group = v.clone().insert_axis(Axis(1)).insert_axis(Axis(0));
        let printed = kernel.log_weights(group.view()).unwrap();
        let possible = kernel.possible_originals(group.view()).unwrap();
        let exact =
            Array1::from_shape_fn(4, |a| if possible[[0, a]] { printed[[0, a]] } else { f64::NEG_INFINITY });
        let gap = |weights: ArrayView1<f64>, width: f64| {
            let difference =
                posterior(log_p.view(), weights) - smoothed_posterior(v.view(), log_p.view(), 0.3, width);
            difference.iter().fold(0.0_f64, |m, d| m.max(d.abs()))
        };
        assert!(gap(exact.view(), 1e-3) < 1e-1 && gap(exact.view(), 1e-8) < 1e-6);
        assert!(gap(printed.row(0), 1e-8) > 0.1);
    }
}
