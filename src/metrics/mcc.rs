//! Mean correlation coefficient: do runs agree, dimension by dimension?

use super::{MetricError, all_finite};
use crate::linalg::thin_svd;
use ndarray::{Array1, Array2, ArrayView1, ArrayView2, Axis};

/// Agreement of several representations of the same rows.
#[derive(Clone, Copy, Debug, PartialEq, serde::Serialize)]
pub struct Mcc {
    /// Mean signed Pearson correlation, same dimension to same dimension: the paper's quantity.
    pub signed: f64,
    /// The mean of absolute correlations.
    pub absolute: f64,
    /// Mean canonical correlation: agreement up to any linear map. A map can undo rotations, but the
    /// mean is over all k directions, so where a representation has rank one in truth and noise in
    /// the rest it is *lower* than the other two.
    pub cca: f64,
    /// Share of (pair, dimension) correlations set to 0 because a coordinate did not vary.
    pub degenerate: f64,
}

/// MCC over all pairs of runs; each run is rows × k, the same rows in the same order.
///
/// ```
/// use ebmbook::metrics::mcc;
/// use ndarray::array;
/// let run = array![[0.0, 1.0], [1.0, 0.0], [2.0, 5.0]];
/// let flipped = &run * &array![[1.0, -1.0]];
/// let agreement = mcc(&[run.view(), flipped.view()])?;
/// // One dimension agrees, one is upside down.
/// assert!(agreement.signed.abs() < 1e-12);
/// assert!((agreement.absolute - 1.0).abs() < 1e-12 && (agreement.cca - 1.0).abs() < 1e-12);
/// # Ok::<(), ebmbook::metrics::MetricError>(())
/// ```
pub fn mcc(runs: &[ArrayView2<f64>]) -> Result<Mcc, MetricError> {
    const METRIC: &str = "MCC";
    if runs.len() < 2 {
        return Err(MetricError::TooFew { metric: METRIC, what: "runs", needed: 2, found: runs.len() });
    }
    let shape = runs[0].dim();
    if shape.0 < 3 || shape.1 == 0 {
        return Err(MetricError::TooFew { metric: METRIC, what: "rows", needed: 3, found: shape.0 });
    }
    for (i, run) in runs.iter().enumerate() {
        if run.dim() != shape {
            return Err(MetricError::Shapes { metric: METRIC, run: i, found: run.dim(), expected: shape });
        }
        all_finite(METRIC, run)?;
    }
    let centred: Vec<Vec<Centred>> = runs.iter().map(|run| Centred::columns(*run)).collect();
    let bases: Vec<Array2<f64>> = runs.iter().map(|run| orthonormal_basis(*run)).collect();
    let (mut signed, mut absolute, mut cca, mut degenerate) = (0.0, 0.0, 0.0, 0.0);
    let mut pairs = 0.0;
    for r in 0..runs.len() {
        for s in 0..r {
            pairs += 1.0;
            for j in 0..shape.1 {
                let rho = centred[r][j].correlation(&centred[s][j]);
                let (rho, flat) = if rho.is_nan() { (0.0, 1.0) } else { (rho, 0.0) };
                signed += rho;
                absolute += rho.abs();
                degenerate += flat;
            }
            cca += mean_canonical_correlation(&bases[r], &bases[s]);
        }
    }
    let terms = pairs * shape.1 as f64;
    Ok(Mcc {
        signed: signed / terms,
        absolute: absolute / terms,
        cca: cca / pairs,
        degenerate: degenerate / terms,
    })
}

/// Pearson correlation; NaN if either vector has no spread beyond rounding.
///
/// ```
/// use ebmbook::metrics::correlation;
/// use ndarray::array;
/// let rho = correlation(array![1.0, 2.0, 3.0].view(), array![6.0, 4.0, 2.0].view());
/// assert!((rho + 1.0).abs() < 1e-12);
/// assert!(correlation(array![1.0, 1.0].view(), array![6.0, 4.0].view()).is_nan());
/// ```
pub fn correlation(x: ArrayView1<f64>, y: ArrayView1<f64>) -> f64 {
    Centred::new(x).correlation(&Centred::new(y))
}

/// A vector with its mean taken off, so that it is done once where many correlations follow.
pub(super) struct Centred {
    values: Array1<f64>,
    /// NaN if the vector has no spread beyond rounding.
    norm: f64,
}

impl Centred {
    pub fn new(v: ArrayView1<f64>) -> Self {
        let mean = v.mean().unwrap_or(f64::NAN);
        let values = v.mapv(|v| v - mean);
        let norm = values.dot(&values).sqrt();
        // n values of size m, each rounded to ε·m, have a norm of about ε·m·√n from rounding alone.
        let size = v.iter().fold(0.0_f64, |m, v| m.max(v.abs()));
        let flat = norm <= 10.0 * f64::EPSILON * size * (v.len() as f64).sqrt();
        Self { values, norm: if flat { f64::NAN } else { norm } }
    }

    /// Each column of a representation.
    pub fn columns(f: ArrayView2<f64>) -> Vec<Self> {
        f.columns().into_iter().map(Self::new).collect()
    }

    /// Pearson correlation; NaN if either vector has no spread.
    pub fn correlation(&self, other: &Self) -> f64 {
        (self.values.dot(&other.values) / self.norm / other.norm).clamp(-1.0, 1.0)
    }
}

/// Orthonormal basis of the centred columns; directions with singular value below the rounding
/// level of the largest are left out, so a rank-one representation has a basis of one vector.
fn orthonormal_basis(run: ArrayView2<f64>) -> Array2<f64> {
    let mean = run.mean_axis(Axis(0)).expect("at least three rows");
    let (u, s, _) = thin_svd((&run - &mean).view());
    let threshold = s[0] * f64::EPSILON * run.nrows().max(run.ncols()) as f64;
    let rank = s.iter().filter(|v| **v > threshold && **v > 0.0).count();
    u.slice(ndarray::s![.., ..rank]).to_owned()
}

/// Canonical correlations are the singular values of Q_xᵀQ_y; the mean is over min(rank) of them.
fn mean_canonical_correlation(qx: &Array2<f64>, qy: &Array2<f64>) -> f64 {
    let rank = qx.ncols().min(qy.ncols());
    if rank == 0 {
        return 0.0;
    }
    let (_, s, _) = thin_svd(qx.t().dot(qy).view());
    s.iter().map(|v| v.min(1.0)).sum::<f64>() / rank as f64
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::seed::Seed;
    use ndarray::array;
    use ndarray_rand::RandomExt;
    use rand_distr::StandardNormal;

    fn gaussian(n: usize, k: usize, seed: u64) -> Array2<f64> {
        let mut rng = Seed::new(seed).rng();
        Array2::random_using((n, k), StandardNormal, &mut rng)
    }

    #[test]
    fn a_rotation_is_invisible_to_cca_and_visible_to_the_signed_value() {
        let run = gaussian(500, 2, 1);
        let quarter_turn = array![[0.0, 1.0], [-1.0, 0.0]];
        let rotated = run.dot(&quarter_turn);
        let agreement = mcc(&[run.view(), rotated.view()]).unwrap();
        assert!(agreement.cca > 1.0 - 1e-10, "{agreement:?}");
        // Under independence each correlation has standard error 1/√500 ≈ 0.045.
        assert!(agreement.signed.abs() < 0.15, "{agreement:?}");
    }

    #[test]
    fn independent_runs_do_not_agree_and_dimensions_are_not_matched() {
        let run = gaussian(2000, 3, 2);
        let other = gaussian(2000, 3, 3);
        assert!(mcc(&[run.view(), other.view()]).unwrap().absolute < 0.1);
        // The same coordinates in another order: MCC does not go looking for the best match.
        let permuted = run.select(Axis(1), &[1, 2, 0]);
        assert!(mcc(&[run.view(), permuted.view()]).unwrap().signed.abs() < 0.1);
    }

    #[test]
    fn a_dead_coordinate_counts_as_zero_and_is_reported() {
        let mut run = gaussian(50, 2, 4);
        run.column_mut(1).fill(0.3);
        let agreement = mcc(&[run.view(), run.view()]).unwrap();
        assert!((agreement.signed - 0.5).abs() < 1e-12 && agreement.degenerate == 0.5);
        assert!((agreement.cca - 1.0).abs() < 1e-10, "the one live direction agrees");
    }

    #[test]
    fn shapes_and_nan_are_refused() {
        let run = gaussian(10, 2, 5);
        assert!(mcc(&[run.view()]).is_err());
        assert!(mcc(&[run.view(), gaussian(10, 3, 5).view()]).is_err());
        let mut broken = run.clone();
        broken[[3, 1]] = f64::NAN;
        assert!(mcc(&[run.view(), broken.view()]).is_err());
    }
}
