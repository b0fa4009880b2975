//! Rows in blocks, so that no n × n_train matrix ever stands in memory whole, and the checks that
//! every method makes on the rows it is given.

use super::RepresentationError;
use ndarray::{Array1, Array2, ArrayView1, ArrayView2, ArrayViewMut2, Axis};

/// Rows a block: 256 × 2500 numbers are 5 MB.
pub(super) const BLOCK: usize = 256;

/// Applies `map` to blocks of rows and stacks what it writes into rows × k.
pub(super) fn by_blocks(
    rows: ArrayView2<f64>,
    k: usize,
    mut map: impl FnMut(ArrayView2<f64>, ArrayViewMut2<f64>),
) -> Array2<f64> {
    let mut out = Array2::zeros((rows.nrows(), k));
    for (block, to) in rows.axis_chunks_iter(Axis(0), BLOCK).zip(out.axis_chunks_iter_mut(Axis(0), BLOCK)) {
        map(block, to);
    }
    out
}

/// Refuses rows of another width than the training rows', and numbers that are not finite.
pub(super) fn check(
    method: &'static str,
    rows: ArrayView2<f64>,
    expected: usize,
) -> Result<(), RepresentationError> {
    if rows.ncols() != expected {
        return Err(RepresentationError::Width { method, found: rows.ncols(), expected });
    }
    // Without an early end the usual case, nothing to find, is fast.
    if rows.fold(true, |finite, v| finite & v.is_finite()) {
        return Ok(());
    }
    match rows.indexed_iter().find(|(_, v)| !v.is_finite()) {
        Some(((row, column), value)) => {
            Err(RepresentationError::NotFinite { method, row, column, value: *value })
        }
        None => Ok(()),
    }
}

/// Refuses a k outside 1..=max.
pub(super) fn check_size(
    method: &'static str,
    k: usize,
    max: usize,
    why: &'static str,
) -> Result<(), RepresentationError> {
    if (1..=max).contains(&k) { Ok(()) } else { Err(RepresentationError::Size { method, k, max, why }) }
}

/// The mean of each column.
pub(super) fn column_means(x: ArrayView2<f64>) -> Array1<f64> {
    x.mean_axis(Axis(0)).expect("covariates have at least one row")
}

/// The squared Euclidean norm of each row.
pub(super) fn squared_norms(x: ArrayView2<f64>) -> Array1<f64> {
    x.rows().into_iter().map(|row| row.dot(&row)).collect()
}

/// Exact squared distances between all rows of a and all rows of b, the direct way.
pub(super) fn squared_distances(a: ArrayView2<f64>, b: ArrayView2<f64>) -> Array2<f64> {
    let (a, b) = (a.as_standard_layout(), b.as_standard_layout());
    let mut out = Array2::zeros((a.nrows(), b.nrows()));
    for (a, mut out) in a.rows().into_iter().zip(out.rows_mut()) {
        for (b, out) in b.rows().into_iter().zip(&mut out) {
            *out = squared_distance(a, b);
        }
    }
    out
}

/// ‖a − b‖², the same bits for (a, b) and (b, a).
pub(super) fn squared_distance(a: ArrayView1<f64>, b: ArrayView1<f64>) -> f64 {
    let (Some(a), Some(b)) = (a.to_slice(), b.to_slice()) else {
        return squared_distance(a.to_owned().view(), b.to_owned().view());
    };
    // Four sums at a time: a single one has to wait for each addition to finish.
    let mut sums = [0.0; 4];
    let (a_fours, b_fours) = (a.chunks_exact(4), b.chunks_exact(4));
    let rest: f64 = a_fours.remainder().iter().zip(b_fours.remainder()).map(|(a, b)| (a - b) * (a - b)).sum();
    for (a, b) in a_fours.zip(b_fours) {
        for lane in 0..4 {
            sums[lane] += (a[lane] - b[lane]) * (a[lane] - b[lane]);
        }
    }
    (sums[0] + sums[2]) + (sums[1] + sums[3]) + rest
}
