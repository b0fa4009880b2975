//! The doubly robust learner: regress a pseudo-outcome whose mean is the effect if either
//! nuisance is right.

use super::crossfit::Nuisances;
use super::{CateError, CrossFitFolds, Effect, Folding, Learner, Propensity, Rows, Sample};
use crate::linalg::least_squares;
use crate::regress::{RegressError, Regressor};
use ndarray::{Array1, Array2, ArrayView1, ArrayView2, Axis, Slice, concatenate};

/// Propensities below this count as this, so that no weight exceeds a million.
const MIN_PROPENSITY: f64 = 1e-6;

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
        let pseudo = Array1::from_shape_fn(sample.n(), |i| {
            let (y, treated) = (sample.outcome()[i], sample.treated()[i]);
            let (p0, p1) = ((1.0 - propensity[i]).max(MIN_PROPENSITY), propensity[i].max(MIN_PROPENSITY));
            // Y_a = m_a + (Y − m_a)·1{A = a}/P(A = a | x)
            let y0 = m0[i] + if treated { 0.0 } else { (y - m0[i]) / p0 };
            let y1 = m1[i] + if treated { (y - m1[i]) / p1 } else { 0.0 };
            y1 - y0
        });
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
