//! What every model of P(A = 1 | x) has in common.

use super::{RegressError, finite, length};
use ndarray::{Array1, ArrayView1, ArrayView2};
use std::sync::Arc;

/// What fitting a classifier gives.
pub type ClassificationResult = Result<Box<dyn Classification>, RegressError>;

/// A way to learn P(A = 1 | x) from rows.
///
/// ```
/// use ebmbook::regress::{Classifier, Logistic};
/// use ndarray::array;
/// let (x, treated) = (array![[-1.0], [-2.0], [1.0], [2.0]], array![false, false, true, true]);
/// let fitted = Logistic::default().fit(x.view(), treated.view())?;
/// let p = fitted.probability(array![[-3.0], [0.0], [3.0]].view())?;
/// assert!(p[0] < 0.1 && (p[1] - 0.5).abs() < 1e-9 && p[2] > 0.9);
/// # Ok::<(), ebmbook::regress::RegressError>(())
/// ```
pub trait Classifier: Send + Sync {
    /// The name, as on the command line.
    fn name(&self) -> &'static str;

    /// Fits on rows of both arms.
    fn fit(&self, x: ArrayView2<f64>, treated: ArrayView1<bool>) -> ClassificationResult;
}

/// A fitted classifier.
pub trait Classification: Send + Sync {
    /// P(A = 1 | x) for each row.
    fn probability(&self, x: ArrayView2<f64>) -> Result<Array1<f64>, RegressError>;
}

impl Classifier for Arc<dyn Classifier> {
    fn name(&self) -> &'static str {
        (**self).name()
    }

    fn fit(&self, x: ArrayView2<f64>, treated: ArrayView1<bool>) -> ClassificationResult {
        (**self).fit(x, treated)
    }
}

/// Refuses rows that no classifier can be fitted on.
pub(super) fn check_arms(
    model: &'static str,
    x: ArrayView2<f64>,
    treated: ArrayView1<bool>,
) -> Result<(), RegressError> {
    length(model, "treatments", treated.len(), x.nrows())?;
    if x.nrows() == 0 {
        return Err(RegressError::NoRows { model });
    }
    finite(model, "covariates", x.iter())?;
    match treated.iter().filter(|a| **a).count() {
        0 => Err(RegressError::OneArm { model, arm: "control" }),
        all if all == treated.len() => Err(RegressError::OneArm { model, arm: "treated" }),
        _ => Ok(()),
    }
}

/// σ(v) = 1 / (1 + e^{−v}), without overflow on either side.
pub(super) fn sigmoid(v: f64) -> f64 {
    if v >= 0.0 { 1.0 / (1.0 + (-v).exp()) } else { v.exp() / (1.0 + v.exp()) }
}
