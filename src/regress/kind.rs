//! Regressors by name.

use super::{KernelRidge, Polynomial, Power, RegressError, Regressor, Ridge};
use serde::{Deserialize, Serialize};
use std::sync::Arc;
use strum::{Display, EnumIter, EnumString, VariantNames};

/// The regressors by name; it parses, prints and lists itself.
///
/// ```
/// use ebmbook::regress::RegressorKind;
/// assert_eq!("kernel-ridge".parse::<RegressorKind>()?.build(1.0)?.name(), "kernel-ridge");
/// assert_eq!(RegressorKind::Ridge.build(1)?.name(), "ridge", "a whole number will do");
/// let error = "lasso".parse::<RegressorKind>().unwrap_err();
/// assert!(error.to_string().starts_with("no regressor is called `lasso`; there are kernel-ridge"));
/// # Ok::<(), ebmbook::regress::RegressError>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[derive(Display, EnumIter, EnumString, VariantNames)]
#[serde(rename_all = "kebab-case")]
#[strum(serialize_all = "kebab-case", parse_err_ty = RegressError, parse_err_fn = unknown)]
pub enum RegressorKind {
    /// Kernel ridge with a linear kernel.
    KernelRidge,
    /// Kernel ridge with an RBF kernel.
    Rbf,
    /// Ridge with an intercept.
    Ridge,
    /// Ridge on products of at most two covariates.
    Polynomial,
    /// Ridge on covariates made Gaussian.
    Power,
}

fn unknown(name: &str) -> RegressError {
    RegressError::UnknownRegressor { name: name.into(), known: RegressorKind::VARIANTS.join(", ") }
}

impl RegressorKind {
    /// Whether a constant outcome is fitted as it is. Kernel ridge has no intercept: it shrinks every
    /// prediction towards 0, wherever the outcomes lie.
    ///
    /// ```
    /// use ebmbook::regress::RegressorKind;
    /// assert!(RegressorKind::Ridge.has_intercept() && !RegressorKind::KernelRidge.has_intercept());
    /// ```
    pub fn has_intercept(self) -> bool {
        !matches!(self, Self::KernelRidge | Self::Rbf)
    }

    /// The regressor with penalty α.
    pub fn build(self, alpha: impl Into<f64>) -> Result<Arc<dyn Regressor>, RegressError> {
        let alpha = alpha.into();
        Ok(match self {
            Self::KernelRidge => Arc::new(KernelRidge::linear(alpha)?),
            Self::Rbf => Arc::new(KernelRidge::rbf(alpha)?),
            Self::Ridge => Arc::new(Ridge::new(alpha)?),
            Self::Polynomial => Arc::new(Polynomial::new(alpha)?),
            Self::Power => Arc::new(Power::new(alpha)?),
        })
    }
}

/// [`RegressorKind`] parsed and built.
pub fn by_name(name: &str, alpha: impl Into<f64>) -> Result<Arc<dyn Regressor>, RegressError> {
    name.parse::<RegressorKind>()?.build(alpha)
}
