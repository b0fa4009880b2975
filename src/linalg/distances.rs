//! Squared Euclidean distances without cancellation.

use ndarray::{Array2, ArrayView1, ArrayView2};

/// Exact squared distances between all rows of a and all rows of b, the direct way.
pub(crate) fn squared_distances(a: ArrayView2<f64>, b: ArrayView2<f64>) -> Array2<f64> {
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
pub(crate) fn squared_distance(a: ArrayView1<f64>, b: ArrayView1<f64>) -> f64 {
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
