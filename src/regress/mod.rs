//! Regressions and classifications. In: rows, an outcome (or a treatment), perhaps weights.
//! Out: a fitted function of a row. They agree with scikit-learn's to rounding.
//!
//! ```text
//! kernel ridge   f(x) = Σ c_i k(x, x_i),     c = (K + αI)⁻¹ y                 no intercept
//! ridge          f(x) = xᵀβ + b,             β = (XcᵀWXc + αI)⁻¹ XcᵀWyc       b not penalised
//! polynomial     ridge on all products of at most two covariates
//! power          ridge on covariates made Gaussian by Yeo & Johnson's transform
//! ```
//!
//! Classifiers give P(A = 1 | x): [`Svc`] with Platt's probabilities, [`Logistic`] regression, and
//! [`ClosedForm`], which has nothing iterative in it.

/// The constructors of a regressor whose only choice is its penalty α.
macro_rules! penalised {
    ($model:ident, $name:literal) => {
        impl Default for $model {
            /// α = 1.
            fn default() -> Self {
                Self { alpha: $crate::regress::DEFAULT_ALPHA }
            }
        }

        impl $model {
            /// With penalty α, finite and not negative.
            pub fn new(alpha: impl Into<f64>) -> Result<Self, $crate::regress::RegressError> {
                Ok(Self { alpha: $crate::regress::check_alpha($name, alpha)? })
            }
        }
    };
}

mod brent;
mod classifier;
mod closed_form;
mod dual;
mod error;
mod kernel_ridge;
mod kind;
mod linear;
mod logistic;
mod polynomial;
mod power;
mod ridge;
mod svc;

pub use classifier::{Classification, ClassificationResult, Classifier};
pub use closed_form::ClosedForm;
pub use error::RegressError;
pub use kernel_ridge::{Kernel, KernelRidge};
pub use kind::{RegressorKind, by_name};
pub use logistic::Logistic;
pub use polynomial::Polynomial;
pub use power::{Power, PowerTransform};
pub use ridge::Ridge;
pub use svc::{FittedSvc, Svc};

use ndarray::{Array1, ArrayView1, ArrayView2};
use std::sync::Arc;

/// The penalty α of every regressor unless one says otherwise, as in scikit-learn.
pub const DEFAULT_ALPHA: f64 = 1.0;

/// A weight a row; none if all are one.
pub type RowWeights<'a> = Option<ArrayView1<'a, f64>>;

/// What fitting a regressor gives.
pub type RegressionResult = Result<Box<dyn Regression>, RegressError>;

/// A way to learn E[Y | x] from rows.
///
/// ```
/// use ebmbook::regress::{Regressor, Ridge};
/// use ndarray::array;
/// let x = array![[0.0], [1.0], [2.0]];
/// let fitted = Ridge::new(1e-9)?.fit(x.view(), array![1.0, 3.0, 5.0].view())?;
/// assert!((fitted.predict(array![[10.0]].view())?[0] - 21.0).abs() < 1e-6);
/// # Ok::<(), ebmbook::regress::RegressError>(())
/// ```
pub trait Regressor: Send + Sync {
    /// The name, as on the command line.
    fn name(&self) -> &'static str;

    /// Fits with a weight a row.
    fn fit_weighted(&self, x: ArrayView2<f64>, y: ArrayView1<f64>, weights: RowWeights) -> RegressionResult;

    /// Fits with all rows alike.
    fn fit(&self, x: ArrayView2<f64>, y: ArrayView1<f64>) -> RegressionResult {
        self.fit_weighted(x, y, None)
    }
}

/// A fitted regression.
pub trait Regression: Send + Sync {
    /// f(x) for each row.
    fn predict(&self, x: ArrayView2<f64>) -> Result<Array1<f64>, RegressError>;
}

impl Regressor for Arc<dyn Regressor> {
    fn name(&self) -> &'static str {
        (**self).name()
    }

    fn fit_weighted(&self, x: ArrayView2<f64>, y: ArrayView1<f64>, weights: RowWeights) -> RegressionResult {
        (**self).fit_weighted(x, y, weights)
    }
}

/// A penalty must be finite and not negative.
fn check_alpha(model: &'static str, alpha: impl Into<f64>) -> Result<f64, RegressError> {
    let alpha = alpha.into();
    if alpha.is_finite() && alpha >= 0.0 {
        Ok(alpha)
    } else {
        let rule = "must be finite and not negative";
        Err(RegressError::Parameter { model, field: "penalty alpha", rule, value: alpha })
    }
}

/// Refuses rows that no model can be fitted on.
fn check_rows(
    model: &'static str,
    x: ArrayView2<f64>,
    y: ArrayView1<f64>,
    weights: RowWeights,
) -> Result<(), RegressError> {
    if x.nrows() == 0 {
        return Err(RegressError::NoRows { model });
    }
    length(model, "outcomes", y.len(), x.nrows())?;
    finite(model, "covariates", x.iter())?;
    finite(model, "outcomes", y.iter())?;
    let Some(w) = weights else { return Ok(()) };
    length(model, "weights", w.len(), x.nrows())?;
    finite(model, "weights", w.iter())?;
    if let Some((position, value)) = w.iter().enumerate().find(|(_, w)| **w < 0.0) {
        return Err(RegressError::Weights { model, position, value: *value });
    }
    if w.sum() <= 0.0 {
        return Err(RegressError::Weights { model, position: 0, value: w[0] });
    }
    Ok(())
}

fn length(model: &'static str, what: &'static str, found: usize, rows: usize) -> Result<(), RegressError> {
    if found == rows { Ok(()) } else { Err(RegressError::Lengths { model, what, found, rows }) }
}

fn finite<'a>(
    model: &'static str,
    what: &'static str,
    values: impl Iterator<Item = &'a f64>,
) -> Result<(), RegressError> {
    match values.enumerate().find(|(_, v)| !v.is_finite()) {
        Some((position, value)) => Err(RegressError::NotFinite { model, what, position, value: *value }),
        None => Ok(()),
    }
}

/// Refuses rows of another width than the model was fitted on.
fn check_width(model: &'static str, x: ArrayView2<f64>, expected: usize) -> Result<(), RegressError> {
    let found = x.ncols();
    if found == expected { Ok(()) } else { Err(RegressError::Width { model, found, expected }) }
}
