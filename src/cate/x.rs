//! Impute each row's missing outcome, regress the imputed effects, mix by the propensity.

use super::t::{Arms, fit_arms};
use super::{CateError, Effect, FittedPropensity, Learner, Propensity, Rows, Sample};
use crate::regress::{Regression, Regressor};
use ndarray::Array1;
use std::sync::Arc;

/// τ̂(x) = e(x)·g0(x) + (1 − e(x))·g1(x), with g0 fitted on f1(X) − Y of the controls and g1 on
/// Y − f0(X) of the treated.
///
/// ```
/// use ebmbook::cate::{Learner, Propensity, Sample, XLearner};
/// use ebmbook::regress::{ClosedForm, Ridge};
/// use ndarray::array;
/// let x = array![[0.0], [1.0], [2.0], [0.0], [1.0], [2.0]];
/// let treated = array![false, false, false, true, true, true];
/// let sample = Sample::new(x, treated, array![0.0, 1.0, 2.0, 3.0, 4.0, 5.0])?;
/// let learner = XLearner::new(Ridge::new(1e-6)?, Propensity::model(ClosedForm));
/// assert!((learner.fit(&sample)?.at(array![[7.0]].view().into())?[0] - 3.0).abs() < 1e-5);
/// # Ok::<(), ebmbook::Error>(())
/// ```
#[derive(Clone)]
pub struct XLearner {
    regressor: Arc<dyn Regressor>,
    propensity: Propensity,
}

impl XLearner {
    /// With this regressor in both stages.
    pub fn new(regressor: impl Regressor + 'static, propensity: Propensity) -> Self {
        Self { regressor: Arc::new(regressor), propensity }
    }
}

struct Mixed {
    g0: Box<dyn Regression>,
    g1: Box<dyn Regression>,
    propensity: FittedPropensity,
}

impl Learner for XLearner {
    fn name(&self) -> &'static str {
        "x"
    }

    fn fit(&self, sample: &Sample) -> Result<Box<dyn Effect>, CateError> {
        let Arms { f: [f0, f1] } = fit_arms(&self.regressor, sample)?;
        let (controls, treated) = (sample.arm(false), sample.arm(true));
        let (c, t) = (sample.select(&controls), sample.select(&treated));
        // D0 = f1(X) − Y on controls,  D1 = Y − f0(X) on treated
        let d0 = f1.predict(c.x())? - c.outcome();
        let d1 = &t.outcome() - &f0.predict(t.x())?;
        let g0 = self.regressor.fit(c.x(), d0.view())?;
        let g1 = self.regressor.fit(t.x(), d1.view())?;
        // In sample, controls first: the order in which EconML hands rows to the classifier.
        let propensity = self.propensity.fit(&sample.select(&[controls, treated].concat()))?;
        Ok(Box::new(Mixed { g0, g1, propensity }))
    }
}

impl Effect for Mixed {
    fn at(&self, rows: Rows<'_>) -> Result<Array1<f64>, CateError> {
        let e = self.propensity.of(rows)?;
        // τ̂ = e·g0 + (1 − e)·g1
        Ok(&e * &self.g0.predict(rows.x)? + (1.0 - &e) * self.g1.predict(rows.x)?)
    }
}
