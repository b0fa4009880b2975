//! Two regressions, one per arm.

use super::{CateError, Effect, Learner, Rows, Sample};
use crate::regress::{Regression, Regressor};
use ndarray::Array1;
use std::sync::Arc;

/// τ̂(x) = f1(x) − f0(x), f_a fitted on the rows of arm a.
#[derive(Clone)]
pub struct TLearner {
    regressor: Arc<dyn Regressor>,
}

impl TLearner {
    /// With this regressor in both arms.
    pub fn new(regressor: impl Regressor + 'static) -> Self {
        Self { regressor: Arc::new(regressor) }
    }
}

/// f0 and f1.
pub(super) struct Arms {
    pub f: [Box<dyn Regression>; 2],
}

/// Fits the regressor on each arm.
pub(super) fn fit_arms(regressor: &dyn Regressor, sample: &Sample) -> Result<Arms, CateError> {
    let fit = |treated: bool| {
        let arm = sample.select(&sample.arm(treated));
        regressor.fit(arm.x(), arm.outcome())
    };
    Ok(Arms { f: [fit(false)?, fit(true)?] })
}

impl Learner for TLearner {
    fn name(&self) -> &'static str {
        "t"
    }

    fn fit(&self, sample: &Sample) -> Result<Box<dyn Effect>, CateError> {
        Ok(Box::new(fit_arms(&self.regressor, sample)?))
    }
}

impl Effect for Arms {
    fn at(&self, rows: Rows<'_>) -> Result<Array1<f64>, CateError> {
        Ok(self.f[1].predict(rows.x)? - self.f[0].predict(rows.x)?)
    }
}
