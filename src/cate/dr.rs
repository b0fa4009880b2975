//! The doubly robust learner: regress a pseudo-outcome whose mean is the effect if either
//! nuisance is right.

use super::aipw::scores;
use super::crossfit::Nuisances;
use super::{CateError, CrossFitFolds, Effect, Folding, Learner, Propensity, Rows, Sample};
use crate::linalg::least_squares;
use crate::regress::{RegressError, Regressor};
use ndarray::{Array1, Array2, ArrayView1, ArrayView2, Axis, Slice, concatenate};

/// τ̂(x) = θ0 + xᵀθ, the least-squares fit (of smallest norm where it is not unique) of
///
/// ```text
/// m1 − m0 + A(Y − m1)/e − (1−A)(Y − m0)/(1−e)
/// ```
///
/// with m and e from the other folds; m(x, a) is one regression on the columns (x, A).
#[derive(Clone)]
pub struct DrLearner {
    nuisances: Nuisances,
}

impl DrLearner {
    /// With this outcome regression, propensity and folds.
    pub fn new(regressor: impl Regressor + 'static, propensity: Propensity, folding: Folding) -> Self {
        Self { nuisances: Nuisances::new(regressor, propensity, folding) }
    }

    /// Fits with out-of-fold propensities that were computed before, see [`CrossFitFolds::propensity`].
    pub fn fit_given(
        &self,
        sample: &Sample,
        folds: &CrossFitFolds,
        propensity: ArrayView1<f64>,
    ) -> Result<Box<dyn Effect>, CateError> {
        let [m0, m1] = folds.cross_fit(sample, |rest, fold| {
            let columns = with_treatment(rest.x(), |i| rest.treated()[i]);
            let g = self.nuisances.regressor.fit(columns.view(), rest.outcome())?;
            let m = |treated: bool| g.predict(with_treatment(fold.x(), |_| treated).view());
            Ok([m(false)?, m(true)?])
        })?;
        let pseudo = scores(sample, [m0.view(), m1.view()], propensity);
        let columns = concatenate![Axis(1), Array2::ones((sample.n(), 1)), sample.x()];
        let theta = least_squares(columns.view(), pseudo.view());
        let slopes = theta.slice_axis(Axis(0), Slice::from(1..)).to_owned();
        Ok(Box::new(LinearEffect { intercept: theta[0], slopes }))
    }
}

impl Learner for DrLearner {
    fn name(&self) -> &'static str {
        "dr"
    }

    fn fit(&self, sample: &Sample) -> Result<Box<dyn Effect>, CateError> {
        let (folds, propensity) = self.nuisances.before_outcome(sample)?;
        self.fit_given(sample, &folds, propensity.view())
    }
}

struct LinearEffect {
    intercept: f64,
    slopes: Array1<f64>,
}

impl Effect for LinearEffect {
    fn at(&self, rows: Rows<'_>) -> Result<Array1<f64>, CateError> {
        let (found, expected) = (rows.x.ncols(), self.slopes.len());
        if found != expected {
            return Err(RegressError::Width { model: "dr", found, expected }.into());
        }
        Ok(rows.x.dot(&self.slopes) + self.intercept)
    }
}

/// (x, A)
fn with_treatment(x: ArrayView2<f64>, treated: impl Fn(usize) -> bool) -> Array2<f64> {
    let a = Array2::from_shape_fn((x.nrows(), 1), |(i, _)| f64::from(u8::from(treated(i))));
    concatenate![Axis(1), x, a]
}
