//! Squared distances of many rows to fixed training rows by one matrix product, and the error
//! that rounding can leave in them.

use super::blocks::{column_means, squared_norms};
use ndarray::{Array1, Array2, ArrayView2};

/// Training rows, prepared for distances to them.
pub(super) struct Distances {
    mean: Array1<f64>,
    /// Training rows minus their mean: distances do not notice, and rounding errors shrink.
    train: Array2<f64>,
    norms: Array1<f64>,
    longest: f64,
}

impl Distances {
    pub fn to(train: ArrayView2<f64>) -> Self {
        let mean = column_means(train);
        let train = &train - &mean;
        let norms = squared_norms(train.view());
        let longest = norms.iter().copied().fold(0.0_f64, f64::max).sqrt();
        Self { mean, train, norms, longest }
    }

    pub fn d(&self) -> usize {
        self.mean.len()
    }

    /// ‖x − t‖² = ‖x‖² − 2xᵀt + ‖t‖² for all rows x and training rows t, and for each x a bound on
    /// the rounding error of the difference between two of its entries.
    pub fn squared(&self, rows: ArrayView2<f64>) -> (Array2<f64>, Array1<f64>) {
        let rows = &rows - &self.mean;
        let mut squares = rows.dot(&self.train.t());
        let norms = squared_norms(rows.view());
        for (mut row, norm) in squares.rows_mut().into_iter().zip(&norms) {
            row.zip_mut_with(&self.norms, |v, train_norm| {
                let square = norm + train_norm - 2.0 * *v;
                *v = if square > 0.0 { square } else { 0.0 };
            });
        }
        // A sum of d products is off by at most about d·ε·Σ|terms|; there are three, and two
        // entries are compared.
        let each = 4.0 * (self.d() + 6) as f64 * f64::EPSILON;
        (squares, norms.mapv(|norm| each * (norm.sqrt() + self.longest).powi(2)))
    }
}
