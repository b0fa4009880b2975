//! Kernel values, computed once and shared by the six classifiers of one fit.

use super::super::dual::squared_distances;
use ndarray::{Array1, Array2, ArrayView1, ArrayView2, Axis, Slice};

/// Up to this many rows the table of all kernel values is kept (at most 200 MB).
const TABLE_ROWS: usize = 5_000;
/// Rows predicted at a time.
const BLOCK: usize = 512;

/// exp(−γ‖x_i − x_j‖²) of the training rows.
pub(super) struct Gram {
    pub rows: Array2<f64>,
    norms: Array1<f64>,
    gamma: f64,
    table: Option<Array2<f64>>,
}

impl Gram {
    pub fn new(rows: Array2<f64>, gamma: f64) -> Self {
        let keep = rows.nrows() <= TABLE_ROWS;
        Self::with_table(rows, gamma, keep)
    }

    fn with_table(rows: Array2<f64>, gamma: f64, keep: bool) -> Self {
        let norms = rows.rows().into_iter().map(|r| r.dot(&r)).collect();
        let table = keep.then(|| symmetric(squared_distances(rows.view(), rows.view()), gamma));
        Self { rows, norms, gamma, table }
    }

    /// Tells k(x_i, x_j) for some j, in their order.
    pub fn values(&self, i: usize, columns: &[usize], mut tell: impl FnMut(f64)) {
        if let Some(table) = &self.table {
            let row = table.row(i);
            columns.iter().for_each(|j| tell(row[*j]));
            return;
        }
        for &j in columns {
            let product = self.rows.row(i).dot(&self.rows.row(j));
            tell((-self.gamma * (self.norms[i] + self.norms[j] - 2.0 * product)).exp());
        }
    }

    /// Σ_j c_j k(x_i, x_j) over some j.
    pub fn weighted_sum(&self, i: usize, columns: &[usize], c: &[f64]) -> f64 {
        let (mut sum, mut c) = (0.0, c.iter());
        self.values(i, columns, |k| sum += k * c.next().expect("one coefficient for each"));
        sum
    }
}

/// exp(−γD), computed on one triangle. The diagonal is one whatever rounding says.
fn symmetric(mut distances: Array2<f64>, gamma: f64) -> Array2<f64> {
    for i in 0..distances.nrows() {
        distances[[i, i]] = 1.0;
        for j in 0..i {
            let value = (-gamma * distances[[i, j]]).exp();
            distances[[i, j]] = value;
            distances[[j, i]] = value;
        }
    }
    distances
}

/// Σ_j c_j exp(−γ‖x − z_j‖²) for each row x.
pub(super) fn weighted_sums(
    x: ArrayView2<f64>,
    z: ArrayView2<f64>,
    gamma: f64,
    c: ArrayView1<f64>,
) -> Array1<f64> {
    let mut sums = Vec::with_capacity(x.nrows());
    for start in (0..x.nrows()).step_by(BLOCK) {
        let block = x.slice_axis(Axis(0), Slice::from(start..x.nrows().min(start + BLOCK)));
        let kernel = squared_distances(block, z).mapv_into(|d| (-gamma * d).exp());
        sums.extend(kernel.dot(&c));
    }
    sums.into()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::regress::svc::platt::cross_validated;
    use crate::seed::Seed;
    use rand::Rng;

    #[test]
    fn values_from_the_table_and_without_it_lead_to_the_same_platt_parameters() {
        let mut rng = Seed::new(3).rng();
        let rows = Array2::from_shape_simple_fn((120, 4), || rng.random_range(-1.0..1.0));
        let signs: Vec<f64> = (0..120).map(|i| if i < 50 { 1.0 } else { -1.0 }).collect();
        let fit = |keep| cross_validated(&Gram::with_table(rows.clone(), 0.3, keep), &signs, 1, 1e-3);
        let ((a, b), (c, d)) = (fit(true), fit(false));
        // The solver sees the values in single precision, so rounding of the last bits is gone.
        assert!((a - c).abs() < 1e-12 && (b - d).abs() < 1e-12, "{a} {b} {c} {d}");
    }
}
