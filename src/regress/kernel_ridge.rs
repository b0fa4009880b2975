//! Kernel ridge regression: no intercept, nothing is centred.

use super::dual::{self, squared_distances};
use super::linear::{Linear, scale_rows, solve_penalised};
use super::{
    RegressError, Regression, RegressionResult, Regressor, RowWeights, check_alpha, check_rows, check_width,
};
use ndarray::{Array1, Array2, ArrayView1, ArrayView2, Axis, Slice};

/// Rows predicted at a time, so that the kernel between them and the training rows stays small.
const BLOCK: usize = 1024;

/// k(x, z).
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Kernel {
    /// x·z. The paper's choice; without an intercept it cannot express a constant.
    Linear,
    /// exp(−‖x − z‖²/d).
    Rbf,
}

/// f(x) = Σ c_i k(x, x_i) with c = (K + αI)⁻¹ y.
///
/// ```
/// use ebmbook::regress::{KernelRidge, Regressor};
/// use ndarray::array;
/// let (x, y) = (array![[1.0], [2.0]], array![3.0, 3.0]);
/// // A linear kernel has no intercept: at the origin it always says zero.
/// let linear = KernelRidge::linear(1.0)?.fit(x.view(), y.view())?;
/// assert_eq!(linear.predict(array![[0.0]].view())?[0], 0.0);
/// # Ok::<(), ebmbook::regress::RegressError>(())
/// ```
#[derive(Clone, Debug)]
pub struct KernelRidge {
    kernel: Kernel,
    alpha: f64,
}

impl Default for KernelRidge {
    /// The linear kernel with α = 1.
    fn default() -> Self {
        Self { kernel: Kernel::Linear, alpha: super::DEFAULT_ALPHA }
    }
}

impl KernelRidge {
    /// The linear kernel with penalty α.
    pub fn linear(alpha: impl Into<f64>) -> Result<Self, RegressError> {
        Ok(Self { kernel: Kernel::Linear, alpha: check_alpha("kernel-ridge", alpha)? })
    }

    /// The RBF kernel with γ = 1/d and penalty α.
    pub fn rbf(alpha: impl Into<f64>) -> Result<Self, RegressError> {
        Ok(Self { kernel: Kernel::Rbf, alpha: check_alpha("rbf", alpha)? })
    }

    fn fit_linear(
        &self,
        x: ArrayView2<f64>,
        y: ArrayView1<f64>,
        weights: RowWeights,
    ) -> Result<Linear, RegressError> {
        let model = self.name();
        let beta = if x.ncols() <= x.nrows() {
            // β = (XᵀWX + αI)⁻¹ XᵀWy: the same function from a d × d system
            let wx = weights.map(|w| scale_rows(x, w));
            let wx = wx.as_ref().map_or(x, |wx| wx.view());
            solve_penalised(model, x.t().dot(&wx), wx.t().dot(&y).view(), self.alpha)?
        } else {
            dual::check_size(model, x.nrows())?;
            x.t().dot(&dual::solve(model, x.dot(&x.t()), y, weights, self.alpha)?)
        };
        Ok(Linear { model, beta, intercept: 0.0 })
    }
}

impl Regressor for KernelRidge {
    fn name(&self) -> &'static str {
        match self.kernel {
            Kernel::Linear => "kernel-ridge",
            Kernel::Rbf => "rbf",
        }
    }

    fn fit_weighted(&self, x: ArrayView2<f64>, y: ArrayView1<f64>, weights: RowWeights) -> RegressionResult {
        check_rows(self.name(), x, y, weights)?;
        if self.kernel == Kernel::Linear {
            return Ok(Box::new(self.fit_linear(x, y, weights)?));
        }
        dual::check_size(self.name(), x.nrows())?;
        let gamma = 1.0 / x.ncols() as f64;
        let kernel = rbf(x, x, gamma);
        let coefficients = dual::solve(self.name(), kernel, y, weights, self.alpha)?;
        Ok(Box::new(Rbf { rows: x.to_owned(), coefficients, gamma }))
    }
}

struct Rbf {
    rows: Array2<f64>,
    coefficients: Array1<f64>,
    gamma: f64,
}

impl Regression for Rbf {
    fn predict(&self, x: ArrayView2<f64>) -> Result<Array1<f64>, RegressError> {
        check_width("rbf", x, self.rows.ncols())?;
        let mut predictions = Vec::with_capacity(x.nrows());
        for start in (0..x.nrows()).step_by(BLOCK) {
            let block = x.slice_axis(Axis(0), Slice::from(start..x.nrows().min(start + BLOCK)));
            predictions.extend(rbf(block, self.rows.view(), self.gamma).dot(&self.coefficients));
        }
        Ok(predictions.into())
    }
}

fn rbf(x: ArrayView2<f64>, z: ArrayView2<f64>, gamma: f64) -> Array2<f64> {
    squared_distances(x, z).mapv_into(|d| (-gamma * d).exp())
}

#[cfg(test)]
mod tests {
    use super::*;
    use ndarray::array;

    #[test]
    fn d_by_d_and_n_by_n_forms_give_one_function() {
        let x = array![[1.0, 2.0, -1.0], [0.5, -1.0, 0.3], [2.0, 0.1, 0.2], [-1.0, 1.0, 1.0]];
        let (y, w) = (array![1.0, -2.0, 0.5, 3.0], array![0.5, 2.0, 0.0, 1.0]);
        let model = KernelRidge::linear(0.7).unwrap();
        for weights in [None, Some(w.view())] {
            let primal = model.fit_linear(x.view(), y.view(), weights).unwrap().beta;
            let c = dual::solve("kernel-ridge", x.dot(&x.t()), y.view(), weights, 0.7).unwrap();
            let difference = &primal - &x.t().dot(&c);
            assert!(difference.iter().all(|e| e.abs() < 1e-14), "{difference}");
        }
    }

    #[test]
    fn a_singular_system_is_an_error_that_names_the_penalty() {
        let x = array![[1.0, 1.0], [1.0, 1.0], [2.0, 2.0]];
        let error =
            KernelRidge::linear(0.0).unwrap().fit(x.view(), array![1.0, 2.0, 3.0].view()).err().unwrap();
        assert_eq!(
            error.to_string(),
            "kernel-ridge: the 2 × 2 system is singular to rounding at penalty alpha = 0; a larger penalty makes it solvable"
        );
    }
}
