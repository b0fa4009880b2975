//! Dense linear algebra on `ndarray` matrices, computed by `faer`. The only place that knows it.

mod distances;
mod leading;

pub(crate) use distances::{squared_distance, squared_distances};
pub use leading::{fix_signs, leading_eigen};

use faer::prelude::Solve;
use faer::{Mat, Side};
use ndarray::{Array1, Array2, ArrayView1, ArrayView2};

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

/// The solution of A·X = B for a symmetric positive definite A, by Cholesky; `None` if A is not
/// positive definite to rounding (a pivot below n·ε of its diagonal entry). Only the lower
/// triangle is read.
///
/// ```
/// use ebmbook::linalg::solve_positive_definite;
/// use ndarray::array;
/// let x = solve_positive_definite(array![[4.0, 0.0], [0.0, 9.0]].view(), array![[8.0], [9.0]].view());
/// assert_eq!(x, Some(array![[2.0], [1.0]]));
/// assert_eq!(solve_positive_definite(array![[0.0]].view(), array![[1.0]].view()), None);
/// ```
///
/// # Panics
/// If A is not square or B has another number of rows.
pub fn solve_positive_definite(a: ArrayView2<f64>, b: ArrayView2<f64>) -> Option<Array2<f64>> {
    assert!(
        a.nrows() == a.ncols() && a.nrows() == b.nrows(),
        "a square system with one right-hand row a row"
    );
    let factor = to_faer(a).llt(Side::Lower).ok()?;
    // A pivot is what is left of a diagonal entry once the columns before it are projected out.
    // Where that is rounding, rounding alone decides whether the factorisation goes through.
    let cut = f64::EPSILON * a.nrows() as f64;
    if (0..a.nrows()).any(|j| factor.L()[(j, j)].powi(2) <= cut * a[[j, j]]) {
        return None;
    }
    Some(from_faer(factor.solve(to_faer(b)).as_ref()))
}

/// The least-squares solution of A·x ≈ b that has the smallest norm. Singular values up to
/// ε·max(n, d)·σ_max count as zero, which is what makes collinear columns and n < d harmless.
///
/// ```
/// use ebmbook::linalg::least_squares;
/// use ndarray::array;
/// // Two identical columns share the coefficient.
/// let x = least_squares(array![[1.0, 1.0], [2.0, 2.0]].view(), array![2.0, 4.0].view());
/// assert!((&x - &array![1.0, 1.0]).iter().all(|e| e.abs() < 1e-14));
/// ```
///
/// # Panics
/// If the number of rows differs, or an entry is not finite.
pub fn least_squares(a: ArrayView2<f64>, b: ArrayView1<f64>) -> Array1<f64> {
    assert_eq!(a.nrows(), b.len(), "one right-hand side a row");
    let (u, s, v) = thin_svd(a);
    let cut = f64::EPSILON * a.nrows().max(a.ncols()) as f64 * s.first().copied().unwrap_or(0.0);
    // x = V·diag(1/σ)·Uᵀb over the singular values above the cut
    let mut coordinates = u.t().dot(&b);
    coordinates.zip_mut_with(&s, |c, s| *c = if *s > cut { *c / s } else { 0.0 });
    v.dot(&coordinates)
}

#[cfg(test)]
mod tests {
    use super::*;
    use ndarray::array;

    #[test]
    fn a_system_that_is_singular_up_to_rounding_has_no_solution() {
        // Columns a, b and a + b: the third pivot is rounding, of either sign.
        let x = array![[0.1, 0.7, 0.8], [0.3, -0.2, 0.1], [1.1, 0.4, 1.5], [0.9, 0.3, 1.2]];
        let gram = x.t().dot(&x);
        assert_eq!(solve_positive_definite(gram.view(), array![[1.0], [1.0], [1.0]].view()), None);
        let better = &gram + &(Array2::<f64>::eye(3) * 1e-6);
        assert!(solve_positive_definite(better.view(), array![[1.0], [1.0], [1.0]].view()).is_some());
    }
}
