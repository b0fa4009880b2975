//! f(x) = xᵀβ + b, the fitted form of every model that is linear in its columns.

use super::{RegressError, Regression, check_width};
use crate::linalg::solve_positive_definite;
use ndarray::{Array1, Array2, ArrayView1, ArrayView2, Axis};

/// A fitted linear function.
pub(super) struct Linear {
    pub model: &'static str,
    pub beta: Array1<f64>,
    pub intercept: f64,
}

impl Regression for Linear {
    fn predict(&self, x: ArrayView2<f64>) -> Result<Array1<f64>, RegressError> {
        check_width(self.model, x, self.beta.len())?;
        Ok(x.dot(&self.beta) + self.intercept)
    }
}

/// The rows of `x`, each times its entry of `by`.
pub(super) fn scale_rows(x: ArrayView2<f64>, by: ArrayView1<f64>) -> Array2<f64> {
    &x * &by.insert_axis(Axis(1))
}

/// (A + αI)⁻¹ b, or the error that names the model and the penalty. A is overwritten.
pub(super) fn solve_penalised(
    model: &'static str,
    mut a: Array2<f64>,
    b: ArrayView1<f64>,
    alpha: f64,
) -> Result<Array1<f64>, RegressError> {
    a.diag_mut().map_inplace(|v| *v += alpha);
    solve_positive_definite(a.view(), b.insert_axis(Axis(1)))
        .map(|x| x.index_axis_move(Axis(1), 0))
        .ok_or(RegressError::Singular { model, size: a.nrows(), alpha })
}
