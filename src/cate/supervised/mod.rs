//! Representations that are made from outcomes, too. In: covariates, treatments and outcomes. Out: a map of covariates.
//!
//! A learner on the rows that made such a map would see its own answers in its features:
//! [`CrossFitted`](super::CrossFitted) keeps the two apart.

mod scores;

pub use scores::Scores;

use super::CateError;
use crate::data::split::Standardiser;
use crate::data::{Covariates, Dataset};
use crate::ebm::{ArmOutcome, Ebm, EbmError, EbmParams, FoldClassifier, OutcomeBins};
use crate::representation::{Pca, Reduce, Representation, RepresentationError};
use crate::seed::Seed;
use ndarray::{Array2, ArrayView2};
use std::sync::Arc;

/// A way to make a representation from covariates, treatments and outcomes.
///
/// ```
/// use ebmbook::{cate::{FoldEbm, SupervisedReduce}, ebm::OutcomeBins, prelude::*};
/// let data = synthetic::Released::new(50, 500)?.generate();
/// let method = FoldEbm::new(OutcomeBins::Quantiles(2)).params(|params| params.epochs(2));
/// assert_eq!(method.fit(&data.train, Seed::new(1))?.k(), 3, "modulo B1");
/// # Ok::<(), ebmbook::Error>(())
/// ```
pub trait SupervisedReduce: Send + Sync {
    /// Fits on rows whose treatments and outcomes are known.
    fn fit(&self, rows: &Dataset, seed: Seed) -> Result<Box<dyn Representation>, CateError>;
}

type Change = Arc<dyn Fn(EbmParams) -> EbmParams + Send + Sync>;

/// f modulo B1 of an EBM with folds by arm and outcome.
#[derive(Clone)]
pub struct FoldEbm {
    bins: OutcomeBins,
    change: Change,
    pilot: bool,
}

impl FoldEbm {
    /// With these outcome bins.
    pub fn new(bins: OutcomeBins) -> Self {
        Self { bins, change: Arc::new(|params| params), pilot: false }
    }

    /// Changes the model's parameters. Its k and its folds are those of arm and outcome whatever is asked for.
    pub fn params(self, change: impl Fn(EbmParams) -> EbmParams + Send + Sync + 'static) -> Self {
        Self { change: Arc::new(change), ..self }
    }

    /// Whether pilots choose the noise, [`EbmParams::with_pilot_noise`].
    pub fn pilot_noise(self, pilot: bool) -> Self {
        Self { pilot, ..self }
    }
}

impl SupervisedReduce for FoldEbm {
    fn fit(&self, rows: &Dataset, seed: Seed) -> Result<Box<dyn Representation>, CateError> {
        let (folds, params) = prepared(rows, &self.bins, &self.change)?;
        let mut params = params.folds(folds.folds());
        if self.pilot {
            params = params.with_pilot_noise(rows.covariates(), seed.child("noise"))?.params;
        }
        let ebm = Ebm::fit(&params, rows.covariates(), seed.child("ebm"))?;
        Ok(Box::new(Map::new(rows, folds.k() - 1, move |x| Ok(ebm.modulo_b1(x)?))?))
    }
}

/// The logits of a softmax classifier of arm and outcome bin, on the same network: [`FoldClassifier`].
#[derive(Clone)]
pub struct FoldLogits {
    bins: OutcomeBins,
    change: Change,
}

impl FoldLogits {
    /// With these outcome bins.
    pub fn new(bins: OutcomeBins) -> Self {
        Self { bins, change: Arc::new(|params| params) }
    }

    /// Changes the parameters of network and training.
    pub fn params(self, change: impl Fn(EbmParams) -> EbmParams + Send + Sync + 'static) -> Self {
        Self { change: Arc::new(change), ..self }
    }
}

impl SupervisedReduce for FoldLogits {
    fn fit(&self, rows: &Dataset, seed: Seed) -> Result<Box<dyn Representation>, CateError> {
        let (folds, params) = prepared(rows, &self.bins, &self.change)?;
        let fitted = FoldClassifier::fit(&params, &folds, rows.covariates(), seed.child("classifier"))?;
        Ok(Box::new(Map::new(rows, folds.k() - 1, move |x| Ok(fitted.contrasts(x)?))?))
    }
}

fn prepared(
    rows: &Dataset,
    bins: &OutcomeBins,
    change: &Change,
) -> Result<(ArmOutcome, EbmParams), CateError> {
    let folds = ArmOutcome::new(rows.treatment()?, rows.outcome()?, bins)
        .map_err(|error| CateError::Folds { rows: rows.n(), error })?;
    let params = change(Ebm::params(folds.k()));
    if params.k() != folds.k() {
        let rule = format!("must be {}, the folds by arm and outcome", folds.k());
        return Err(EbmError::parameter("representation size k", params.k(), rule).into());
    }
    Ok((folds, params))
}

/// Principal components first, standardised, and another method on them.
#[derive(Clone)]
pub struct AfterPca {
    components: usize,
    then: Arc<dyn SupervisedReduce>,
}

impl AfterPca {
    /// So many components, then this method.
    pub fn new(components: usize, then: impl SupervisedReduce + 'static) -> Self {
        Self { components, then: Arc::new(then) }
    }
}

impl SupervisedReduce for AfterPca {
    fn fit(&self, rows: &Dataset, seed: Seed) -> Result<Box<dyn Representation>, CateError> {
        let pca = Pca::new(self.components).fit(rows.covariates(), seed.child("pca"))?;
        let scale = Standardiser::fit(pca.training());
        let scores = Covariates::continuous(scale.apply(pca.training()))?;
        let then = self.then.fit(&rows.with_covariates(scores)?, seed)?;
        let map = move |x: ArrayView2<f64>| then.transform(scale.apply(pca.transform(x)?.view()).view());
        let k = map(rows.x())?.ncols();
        Ok(Box::new(Map::new(rows, k, map)?))
    }
}

/// A map with what it makes of the rows it was fitted on.
struct Map<F> {
    k: usize,
    training: Array2<f64>,
    map: F,
}

impl<F> Map<F>
where
    F: Fn(ArrayView2<f64>) -> Result<Array2<f64>, RepresentationError> + Send + Sync,
{
    fn new(rows: &Dataset, k: usize, map: F) -> Result<Self, RepresentationError> {
        Ok(Self { k, training: map(rows.x())?, map })
    }
}

impl<F> Representation for Map<F>
where
    F: Fn(ArrayView2<f64>) -> Result<Array2<f64>, RepresentationError> + Send + Sync,
{
    fn k(&self) -> usize {
        self.k
    }

    fn training(&self) -> ArrayView2<'_, f64> {
        self.training.view()
    }

    fn transform(&self, rows: ArrayView2<f64>) -> Result<Array2<f64>, RepresentationError> {
        (self.map)(rows)
    }
}
