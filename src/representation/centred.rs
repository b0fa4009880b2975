//! Principal components in the feature space of a kernel, given the n × n kernel matrix: what
//! kernel PCA and Isomap share.

use crate::linalg::{fix_signs, leading_eigen};
use ndarray::{Array1, Array2, ArrayView2, ArrayViewMut2, Axis};

/// The leading eigenvectors of the doubly centred kernel matrix, ready to project new rows on.
pub(super) struct CentredKernel {
    /// V / √λ, n × k; a component whose eigenvalue is zero is zero.
    scaled: Array2<f64>,
    /// 1ᵀV/√λ, which the mean of a new row's kernel values is multiplied with.
    column_sums: Array1<f64>,
    /// (mean of each column − grand mean)ᵀ V/√λ.
    offset: Array1<f64>,
    /// V√λ.
    pub training: Array2<f64>,
}

impl CentredKernel {
    /// Centres the kernel matrix in place and finds its k leading eigenvectors.
    pub fn new(mut kernel: Array2<f64>, k: usize) -> Self {
        let column_means = kernel.mean_axis(Axis(0)).expect("at least one row");
        let grand_mean = column_means.mean().expect("at least one row");
        // K − row mean − column mean + grand mean; K is symmetric, so both means are the same vector.
        for (mut row, row_mean) in kernel.rows_mut().into_iter().zip(&column_means) {
            row.zip_mut_with(&column_means, |v, mean| *v += grand_mean - row_mean - mean);
        }
        let (values, mut vectors) = leading_eigen(kernel.view(), k);
        fix_signs(&mut vectors);
        // What is left of a zero eigenvalue after rounding says nothing and must not be divided by.
        let tiny = 1e-12 * values.iter().copied().fold(0.0_f64, f64::max);
        let root = values.mapv(|v| if v > tiny { v.sqrt() } else { 0.0 });
        let inverse_root = root.mapv(|r| if r > 0.0 { 1.0 / r } else { 0.0 });
        let scaled = &vectors * &inverse_root;
        Self {
            column_sums: scaled.sum_axis(Axis(0)),
            offset: (&column_means - grand_mean).dot(&scaled),
            training: &vectors * &root,
            scaled,
        }
    }

    /// (k_x − its mean − column means + grand mean) · V/√λ for rows of kernel values k_x, without
    /// writing the centred rows down.
    pub fn project(&self, kernel_rows: ArrayView2<f64>, mut to: ArrayViewMut2<f64>) {
        to.assign(&kernel_rows.dot(&self.scaled));
        for (row, mut to) in kernel_rows.rows().into_iter().zip(to.rows_mut()) {
            let mean = row.sum() / row.len() as f64;
            for i in 0..to.len() {
                to[i] -= mean * self.column_sums[i] + self.offset[i];
            }
        }
    }
}
