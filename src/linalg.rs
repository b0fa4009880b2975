//! Dense linear algebra on `ndarray` matrices, computed by `faer`. The only place that knows it.

use faer::{Mat, Side};
use ndarray::{Array1, Array2, ArrayView2};

/// Eigenvalues (ascending) and eigenvectors (columns) of a symmetric matrix; only the lower
/// triangle is read.
///
/// ```
/// let a = ndarray::array![[2.0, 0.0], [0.0, 1.0]];
/// let (values, _) = ebmbook::linalg::symmetric_eigen(a.view());
/// assert_eq!(values, ndarray::array![1.0, 2.0]);
/// ```
///
/// # Panics
/// If the matrix is not square or holds NaN.
pub fn symmetric_eigen(a: ArrayView2<f64>) -> (Array1<f64>, Array2<f64>) {
    assert_eq!(a.nrows(), a.ncols(), "an eigenvalue problem needs a square matrix");
    let eigen =
        to_faer(a).self_adjoint_eigen(Side::Lower).expect("a finite symmetric matrix has eigenvectors");
    let values = Array1::from_shape_fn(a.nrows(), |i| eigen.S().column_vector()[i]);
    (values, from_faer(eigen.U()))
}

/// The thin singular value decomposition: U (n × r), singular values (descending), V (d × r),
/// with r = min(n, d).
///
/// ```
/// let a = ndarray::array![[3.0, 0.0], [0.0, 4.0], [0.0, 0.0]];
/// let (_, s, _) = ebmbook::linalg::thin_svd(a.view());
/// assert!((s[0] - 4.0).abs() < 1e-12 && (s[1] - 3.0).abs() < 1e-12);
/// ```
///
/// # Panics
/// If the matrix holds NaN.
pub fn thin_svd(a: ArrayView2<f64>) -> (Array2<f64>, Array1<f64>, Array2<f64>) {
    let svd = to_faer(a).thin_svd().expect("a finite matrix has singular values");
    let s = Array1::from_shape_fn(a.nrows().min(a.ncols()), |i| svd.S().column_vector()[i]);
    (from_faer(svd.U()), s, from_faer(svd.V()))
}

/// A `faer` copy of an `ndarray` matrix.
pub(crate) fn to_faer(a: ArrayView2<f64>) -> Mat<f64> {
    Mat::from_fn(a.nrows(), a.ncols(), |i, j| a[[i, j]])
}

/// An `ndarray` copy of a `faer` matrix.
pub(crate) fn from_faer(a: faer::MatRef<'_, f64>) -> Array2<f64> {
    Array2::from_shape_fn((a.nrows(), a.ncols()), |(i, j)| a[(i, j)])
}
