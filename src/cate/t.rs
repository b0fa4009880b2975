//! Two regressions, one per arm.

use super::{CateError, CrossFitFolds, Effect, Learner, Rows, Sample};
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

/// Root mean squared error of outcomes, each predicted by the regression of its arm on the rows of the other folds: what a
/// choice between features can go by where no effect is known.
///
/// ```
/// use ebmbook::cate::{CrossFitFolds, Sample, outcome_error};
/// use ebmbook::regress::Ridge;
/// use ndarray::array;
/// let x = array![[0.0], [1.0], [2.0], [3.0], [0.0], [1.0], [2.0], [3.0]];
/// let treated = array![false, false, false, false, true, true, true, true];
/// let outcome = array![0.0, 1.0, 2.0, 3.0, 5.0, 6.0, 7.0, 8.0];
/// let folds = CrossFitFolds::given(vec![0, 1, 0, 1, 0, 1, 0, 1], treated.view())?;
/// let error = outcome_error(&Ridge::new(1e-9)?, &Sample::new(x, treated, outcome)?, &folds)?;
/// assert!(error < 1e-6, "a line in each arm");
/// # Ok::<(), ebmbook::Error>(())
/// ```
pub fn outcome_error(
    regressor: &dyn Regressor,
    sample: &Sample,
    folds: &CrossFitFolds,
) -> Result<f64, CateError> {
    let [predicted] = folds.cross_fit(sample, |rest, fold| {
        let [control, treated] = fit_arms(regressor, rest)?.f;
        let (mut predicted, of_treated) = (control.predict(fold.x())?, treated.predict(fold.x())?);
        fold.arm(true).into_iter().for_each(|i| predicted[i] = of_treated[i]);
        Ok([predicted])
    })?;
    let squares = (&predicted - &sample.outcome()).mapv(|error| error * error);
    Ok(squares.mean().unwrap_or(f64::NAN).sqrt())
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
