//! The R-learner: residual on residual, as one weighted regression.

use super::crossfit::Nuisances;
use super::{CateError, CrossFitFolds, Effect, Folding, Learner, Propensity, Rows, Sample};
use crate::regress::{KernelRidge, Regression, Regressor};
use ndarray::{Array1, ArrayView1, Zip};
use std::sync::Arc;

/// A treatment residual closer to zero than this is moved away from it before dividing.
const MIN_RESIDUAL: f64 = 1e-5;

/// τ̂ = argmin Σ w (target − τ(x))² + penalty, with weight (A − ê)² and target (Y − q̂)/(A − ê);
/// ê and q̂ come from the other folds.
///
/// The final regression is linear kernel ridge unless another is named: without an intercept, so
/// a constant effect costs. That is the paper's choice whatever the outcome regression is.
#[derive(Clone)]
pub struct RLearner {
    nuisances: Nuisances,
    final_stage: Arc<dyn Regressor>,
}

impl RLearner {
    /// With this outcome regression, propensity and folds.
    pub fn new(regressor: impl Regressor + 'static, propensity: Propensity, folding: Folding) -> Self {
        let final_stage = Arc::new(KernelRidge::default());
        Self { nuisances: Nuisances::new(regressor, propensity, folding), final_stage }
    }

    /// With another final regression.
    pub fn with_final_stage(self, final_stage: impl Regressor + 'static) -> Self {
        Self { final_stage: Arc::new(final_stage), ..self }
    }

    /// Fits with out-of-fold propensities that were computed before, see [`CrossFitFolds::propensity`].
    pub fn fit_given(
        &self,
        sample: &Sample,
        folds: &CrossFitFolds,
        propensity: ArrayView1<f64>,
    ) -> Result<Box<dyn Effect>, CateError> {
        let [q] = folds.cross_fit(sample, |rest, fold| {
            Ok([self.nuisances.regressor.fit(rest.x(), rest.outcome())?.predict(fold.x())?])
        })?;
        // rT = A − ê, rY = Y − q̂
        let residual_t =
            Zip::from(sample.treated()).and(propensity).map_collect(|a, e| f64::from(u8::from(*a)) - e);
        let residual_y = &sample.outcome() - &q;
        // target = rY / t̃ with t̃ = ±max(|rT|, 1e-5), weight = rT²
        let moved = residual_t.mapv(|r| r.abs().max(MIN_RESIDUAL).copysign(if r < 0.0 { -1.0 } else { 1.0 }));
        let (target, weight) = (residual_y / moved, residual_t.mapv(|r| r * r));
        let fitted = self.final_stage.fit_weighted(sample.x(), target.view(), Some(weight.view()))?;
        Ok(Box::new(Final(fitted)))
    }
}

impl Learner for RLearner {
    fn name(&self) -> &'static str {
        "r"
    }

    fn fit(&self, sample: &Sample) -> Result<Box<dyn Effect>, CateError> {
        let (folds, propensity) = self.nuisances.before_outcome(sample)?;
        self.fit_given(sample, &folds, propensity.view())
    }
}

struct Final(Box<dyn Regression>);

impl Effect for Final {
    fn at(&self, rows: Rows<'_>) -> Result<Array1<f64>, CateError> {
        Ok(self.0.predict(rows.x)?)
    }
}
