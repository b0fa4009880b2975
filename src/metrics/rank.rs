//! The shape of one representation: how many directions does it really use?

use super::mcc::Centred;
use super::{MetricError, all_finite};
use crate::linalg::symmetric_eigen;
use ndarray::{Array2, ArrayView2};

/// How spread out a representation is over its k coordinates, after each is standardised.
#[derive(Clone, Copy, Debug, PartialEq, serde::Serialize)]
pub struct Shape {
    /// (Σλ)² / Σλ² of the correlation matrix: 1 if all coordinates are one, k if none are alike.
    pub effective_rank: f64,
    /// Share of the first principal component.
    pub first_share: f64,
    /// Largest |corr| between two different coordinates.
    pub largest_cross: f64,
    /// Mean |corr| between two different coordinates.
    pub mean_cross: f64,
}

/// Shape of a representation (rows × k). Coordinates without spread count as directions of
/// variance zero.
///
/// ```
/// use ndarray::array;
/// let one_direction = array![[0.0, 0.0], [1.0, -2.0], [3.0, -6.0]];
/// let shape = ebmbook::metrics::shape(one_direction.view())?;
/// assert!((shape.effective_rank - 1.0).abs() < 1e-12 && (shape.largest_cross - 1.0).abs() < 1e-12);
/// # Ok::<(), ebmbook::metrics::MetricError>(())
/// ```
pub fn shape(f: ArrayView2<f64>) -> Result<Shape, MetricError> {
    const METRIC: &str = "effective rank";
    let (n, k) = f.dim();
    if n < 3 {
        return Err(MetricError::TooFew { metric: METRIC, what: "rows", needed: 3, found: n });
    }
    if k == 0 {
        return Err(MetricError::TooFew { metric: METRIC, what: "coordinates", needed: 1, found: k });
    }
    all_finite(METRIC, f)?;
    let columns = Centred::columns(f);
    let corr = Array2::from_shape_fn((k, k), |(i, j)| {
        let rho = columns[i].correlation(&columns[j]);
        if rho.is_nan() { 0.0 } else { rho }
    });
    let (values, _) = symmetric_eigen(corr.view());
    let sum: f64 = values.iter().map(|v| v.max(0.0)).sum();
    let squares: f64 = values.iter().map(|v| v * v).sum();
    if sum == 0.0 {
        return Ok(Shape { effective_rank: 0.0, first_share: 0.0, largest_cross: 0.0, mean_cross: 0.0 });
    }
    let cross: Vec<f64> = (0..k).flat_map(|i| (0..i).map(move |j| (i, j))).map(|ij| corr[ij].abs()).collect();
    Ok(Shape {
        effective_rank: sum * sum / squares,
        first_share: values[k - 1] / sum,
        largest_cross: cross.iter().copied().fold(0.0, f64::max),
        mean_cross: if cross.is_empty() { 0.0 } else { cross.iter().sum::<f64>() / cross.len() as f64 },
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use ndarray::array;

    #[test]
    fn orthogonal_coordinates_have_full_rank_whatever_their_scale() {
        let f = array![[1.0, 100.0], [1.0, -100.0], [-1.0, 100.0], [-1.0, -100.0]];
        let shape = shape(f.view()).unwrap();
        assert!((shape.effective_rank - 2.0).abs() < 1e-12 && shape.largest_cross < 1e-12);
        assert!((shape.first_share - 0.5).abs() < 1e-12);
    }

    #[test]
    fn a_constant_representation_has_rank_zero() {
        assert_eq!(shape(Array2::ones((5, 3)).view()).unwrap().effective_rank, 0.0);
        assert!(shape(Array2::ones((2, 3)).view()).is_err());
    }
}
