//! The leading eigenvectors of a large symmetric matrix.

use super::symmetric_eigen;
use ndarray::{Array1, Array2, ArrayView2, Axis, s};
use ndarray_rand::RandomExt;
use rand_distr::StandardNormal;

/// The k largest eigenvalues (descending) and their eigenvectors (columns) of a symmetric matrix.
///
/// Small problems are solved whole. A large one is projected on a block Krylov space
/// span(Q, AQ, A²Q, …) that is kept orthonormal and grows until every wanted pair satisfies
/// ‖Av − λv‖ ≤ 1e-13·max|λ|. The block is wider than k, so that eigenvalues of multiplicity k are
/// found in full; should the space grow too large, the problem is solved whole after all. The
/// start block is fixed: the same matrix gives the same bits.
///
/// ```
/// let a = ndarray::Array2::from_diag(&ndarray::array![1.0, 5.0, 3.0]);
/// let (values, vectors) = ebmbook::linalg::leading_eigen(a.view(), 2);
/// assert!((values[0] - 5.0).abs() < 1e-12 && (values[1] - 3.0).abs() < 1e-12);
/// assert_eq!(vectors.dim(), (3, 2));
/// ```
///
/// # Panics
/// If the matrix is not square, holds NaN, or has fewer than k rows.
pub fn leading_eigen(a: ArrayView2<f64>, k: usize) -> (Array1<f64>, Array2<f64>) {
    assert_eq!(a.nrows(), a.ncols(), "an eigenvalue problem needs a square matrix");
    assert!(k <= a.nrows(), "an n × n matrix has n eigenvalues");
    let found = if a.nrows() <= 256 { None } else { krylov(a, k) };
    found.unwrap_or_else(|| {
        let (values, vectors) = symmetric_eigen(a);
        let last_first: Vec<usize> = (a.nrows() - k..a.nrows()).rev().collect();
        (values.select(Axis(0), &last_first), vectors.select(Axis(1), &last_first))
    })
}

/// The projection behind [`leading_eigen`]; none where solving the whole problem is the better way.
fn krylov(a: ArrayView2<f64>, k: usize) -> Option<(Array1<f64>, Array2<f64>)> {
    let n = a.nrows();
    let width = k + (k / 2).max(3);
    let largest = n / 3;
    let mut rng = crate::seed::Seed::new(0).child("start block").rng();
    // Basis vectors are rows here, so that each of them is contiguous.
    let mut block = Array2::random_using((width, n), StandardNormal, &mut rng);
    let mut basis = Array2::<f64>::zeros((0, n));
    let mut image = Array2::<f64>::zeros((0, n));
    let mut projected = Array2::<f64>::zeros((0, 0));
    while basis.nrows() + width <= largest {
        orthonormalise(&mut block, &basis);
        if block.nrows() == 0 {
            // The space is invariant under A and cannot grow; it may be too small for k pairs.
            return None;
        }
        let new_image = block.dot(&a);
        basis.append(Axis(0), block.view()).expect("rows of one length");
        image.append(Axis(0), new_image.view()).expect("rows of one length");
        // T = Qᵀ A Q, bordered by the new block.
        let border = basis.dot(&new_image.t());
        let (old, all) = (projected.nrows(), basis.nrows());
        let mut grown = Array2::zeros((all, all));
        grown.slice_mut(s![..old, ..old]).assign(&projected);
        grown.slice_mut(s![.., old..]).assign(&border);
        grown.slice_mut(s![old.., ..]).assign(&border.t());
        projected = grown;
        let (theta, ritz) = symmetric_eigen(projected.view());
        let last_first: Vec<usize> = (all.saturating_sub(k)..all).rev().collect();
        let (values, ritz) = (theta.select(Axis(0), &last_first), ritz.select(Axis(1), &last_first));
        let (vectors, images) = (ritz.t().dot(&basis), ritz.t().dot(&image));
        let scale = theta.iter().fold(0.0_f64, |m, t| m.max(t.abs()));
        let residual = |i: usize| {
            let rows = images.row(i).into_iter().zip(vectors.row(i));
            rows.map(|(av, v)| (av - values[i] * v).powi(2)).sum::<f64>().sqrt()
        };
        if all >= k && (0..k).all(|i| residual(i) <= 1e-13 * scale) {
            return Some((values, vectors.t().as_standard_layout().into_owned()));
        }
        block = new_image;
    }
    None
}

/// Makes the rows of `block` orthonormal and orthogonal to the rows of `basis`; rows that lie in
/// the span of the others, up to rounding, are dropped.
fn orthonormalise(block: &mut Array2<f64>, basis: &Array2<f64>) {
    let norm = |row: ndarray::ArrayView1<f64>| row.dot(&row).sqrt();
    let before: Vec<f64> = block.rows().into_iter().map(norm).collect();
    // Twice is enough: the second pass removes what rounding left in the first.
    for _ in 0..2 {
        let inside = block.dot(&basis.t());
        *block -= &inside.dot(basis);
    }
    let mut kept: Vec<Array1<f64>> = Vec::new();
    for (row, before) in block.rows().into_iter().zip(before) {
        let mut row = row.to_owned();
        for _ in 0..2 {
            for other in &kept {
                let inside = row.dot(other);
                row.scaled_add(-inside, other);
            }
        }
        let length = norm(row.view());
        if length > 1e-12 * before {
            kept.push(row / length);
        }
    }
    let mut rows = Array2::zeros((kept.len(), block.ncols()));
    for (mut to, from) in rows.rows_mut().into_iter().zip(&kept) {
        to.assign(from);
    }
    // One more pass against the basis: dividing by a small length has magnified its share.
    rows -= &rows.dot(&basis.t()).dot(basis);
    *block = rows;
}

/// Turns each column so that its entry of largest absolute value is positive; of equal ones the
/// first decides. Eigenvectors are only defined up to sign, and a snapshot needs one of the two.
pub fn fix_signs(vectors: &mut Array2<f64>) {
    for mut column in vectors.columns_mut() {
        let largest = column.iter().fold(0.0_f64, |m, v| if v.abs() > m.abs() { *v } else { m });
        if largest < 0.0 {
            column.mapv_inplace(|v| -v);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::thin_svd;
    use super::*;

    /// Q diag(values) Qᵀ for a random orthogonal Q.
    fn with_spectrum(values: &Array1<f64>) -> Array2<f64> {
        let n = values.len();
        let mut rng = crate::seed::Seed::new(5).rng();
        let gaussian = Array2::random_using((n, n), StandardNormal, &mut rng);
        let (q, _, _) = thin_svd(gaussian.view());
        let a = (&q * values).dot(&q.t());
        (&a + &a.t()) / 2.0
    }

    #[test]
    fn leading_pairs_equal_those_of_the_whole_problem() {
        // Gaps of 1/30 among the leading values: residuals of 1e-13 leave vectors good to
        // 1e-13 · 30 < 1e-11, and the whole problem's own vectors are off by a little more.
        let values = Array1::from_shape_fn(600, |i| (-(i as f64) / 30.0).exp() - 0.3);
        let a = with_spectrum(&values);
        let (found, mut vectors) = krylov(a.view(), 4).expect("a slowly falling spectrum is no obstacle");
        let (whole_values, whole) = symmetric_eigen(a.view());
        let mut whole = whole.slice(s![.., 596..;-1]).to_owned();
        fix_signs(&mut vectors);
        fix_signs(&mut whole);
        for i in 0..4 {
            assert!((found[i] - whole_values[599 - i]).abs() < 1e-12, "{i}: {}", found[i]);
            assert!((&vectors.column(i) - &whole.column(i)).iter().all(|e| e.abs() < 1e-10), "{i}");
        }
    }

    #[test]
    fn repeated_eigenvalues_are_found_in_full() {
        let values = Array1::from_shape_fn(400, |i| if i < 4 { 1.0 } else { 0.5 / i as f64 });
        let (found, vectors) = leading_eigen(with_spectrum(&values).view(), 4);
        assert!(found.iter().all(|v| (v - 1.0).abs() < 1e-12), "{found}");
        let gram = vectors.t().dot(&vectors);
        assert!((&gram - &Array2::<f64>::eye(4)).iter().all(|e| e.abs() < 1e-12));
    }

    #[test]
    fn a_matrix_of_low_rank_is_no_obstacle() {
        let values = Array1::from_shape_fn(300, |i| if i < 2 { 3.0 - i as f64 } else { 0.0 });
        let (found, _) = leading_eigen(with_spectrum(&values).view(), 5);
        let expected = [3.0, 2.0, 0.0, 0.0, 0.0];
        assert!(found.iter().zip(expected).all(|(v, e)| (v - e).abs() < 1e-12), "{found}");
        let (zeros, _) = leading_eigen(Array2::zeros((300, 300)).view(), 2);
        assert!(zeros.iter().all(|v| *v == 0.0));
    }
}
