//! A representation that outcomes made, and a learner on top, cross-fitted as one thing.

use super::{CateError, CrossFitFolds, Effect, FoldEbm, Learner, Rows, Sample, SupervisedReduce};
use crate::data::Dataset;
use crate::data::split::Standardiser;
use crate::ebm::{EbmParams, OutcomeBins};
use crate::representation::Representation;
use crate::seed::Seed;
use ndarray::{Array1, Array2, ArrayView2, Axis};
use std::sync::Arc;

/// Effects on f modulo B1, with folds by arm and outcome.
///
/// The folds use the outcomes. A learner on the same rows would see its own answers in its features, so rows are dealt
/// into parts: for each part, the rows outside it make folds and representation, and those inside train the learner.
/// Effects are the mean over the parts. There is no way to hand it a representation of the learner's own rows.
///
/// ```
/// use ebmbook::{cate::{Effect, Mended, TLearner}, ebm::OutcomeBins, prelude::*, regress::Ridge};
/// let data = synthetic::Released::new(50, 500)?.generate();
/// let mended = Mended::new(OutcomeBins::Quantiles(2), TLearner::new(Ridge::new(1.0)?))
///     .params(|params| params.epochs(2));
/// let effect = mended.fit(&data.train, Seed::new(1))?;
/// for made in effect.made() {
///     assert!(made.representation.iter().all(|row| !made.learner.contains(row)));
/// }
/// assert_eq!(effect.at(data.test.x().into())?.len(), 20_000);
/// # Ok::<(), ebmbook::Error>(())
/// ```
#[derive(Clone)]
pub struct Mended {
    method: FoldEbm,
    learner: Arc<dyn Learner>,
    parts: usize,
}

impl Mended {
    /// With these outcome bins and this learner; two parts.
    pub fn new(bins: OutcomeBins, learner: impl Learner + 'static) -> Self {
        Self::with(bins, Arc::new(learner))
    }

    /// [`new`](Self::new) with a learner that is shared.
    pub fn with(bins: OutcomeBins, learner: Arc<dyn Learner>) -> Self {
        Self { method: FoldEbm::new(bins), learner, parts: 2 }
    }

    /// The number of parts, at least 2.
    pub fn parts(self, parts: usize) -> Self {
        Self { parts, ..self }
    }

    /// Changes the model's parameters. Its k and its folds are those of arm and outcome whatever is asked for.
    pub fn params(self, change: impl Fn(EbmParams) -> EbmParams + Send + Sync + 'static) -> Self {
        Self { method: self.method.params(change), ..self }
    }

    /// Whether pilots choose the noise of each representation from the rows that make it. Default: no.
    pub fn pilot_noise(self, pilot: bool) -> Self {
        Self { method: self.method.pilot_noise(pilot), ..self }
    }

    /// Fits representation and learner.
    pub fn fit(&self, data: &Dataset, seed: Seed) -> Result<MendedEffect, CateError> {
        CrossFitted::fit(&self.method, self.parts, data, seed)?.learn(self.learner.as_ref())
    }
}

/// Representations that outcomes made, one for each part of the rows, by the rows outside the part. A learner is trained
/// on the part itself.
///
/// ```
/// use ebmbook::{cate::{CrossFitted, Effect, FoldLogits, TLearner}, ebm::OutcomeBins, prelude::*, regress::Ridge};
/// let data = synthetic::Released::new(50, 500)?.generate();
/// let method = FoldLogits::new(OutcomeBins::Quantiles(2)).params(|params| params.epochs(2));
/// let parts = CrossFitted::fit(&method, 2, &data.train, Seed::new(1))?;
/// let effect = parts.learn(&TLearner::new(Ridge::new(1.0)?))?;
/// assert_eq!(effect.made().iter().map(|made| made.learner.len()).sum::<usize>(), 500);
/// # Ok::<(), ebmbook::Error>(())
/// ```
#[derive(Clone)]
pub struct CrossFitted {
    parts: Vec<Part>,
    made: Vec<Made>,
}

/// Which rows made what.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Made {
    /// The rows behind the folds and the representation.
    pub representation: Vec<usize>,
    /// The rows that trained the learner.
    pub learner: Vec<usize>,
}

/// A representation, and the rows that it was not made of.
#[derive(Clone)]
struct Part {
    representation: Arc<dyn Representation>,
    scale: Standardiser,
    inside: Sample,
}

/// Effects on representations that were made of other rows.
pub struct MendedEffect {
    parts: Vec<(Part, Box<dyn Effect>)>,
    made: Vec<Made>,
}

impl CrossFitted {
    /// Deals the rows into parts, with as many of each arm, and fits the method outside of each.
    pub fn fit(
        method: &dyn SupervisedReduce,
        parts: usize,
        data: &Dataset,
        seed: Seed,
    ) -> Result<Self, CateError> {
        let dealt = CrossFitFolds::stratified(parts, data.treatment()?, seed.child("parts"))?;
        let split = |p: usize| -> Made {
            let (learner, representation) = (0..data.n()).partition(|i| dealt.of_row()[*i] == p);
            Made { representation, learner }
        };
        let made: Vec<Made> = (0..parts).map(split).collect();
        let part = |(p, made): (usize, &Made)| {
            let (outside, inside) = (data.rows(&made.representation), data.rows(&made.learner));
            let representation = method.fit(&outside, seed.child("part").index(p))?;
            let f = representation.transform(inside.x())?;
            let scale = Standardiser::fit(f.view());
            let (treated, outcome) = (inside.treatment()?.to_owned(), inside.outcome()?.to_owned());
            let inside = Sample::new(scale.apply(f.view()), treated, outcome)?;
            Ok(Part { representation: representation.into(), scale, inside })
        };
        let parts = made.iter().enumerate().map(part).collect::<Result<_, CateError>>()?;
        Ok(Self { parts, made })
    }

    /// Effects at these rows by several learners; each representation is evaluated once.
    pub fn predict(
        &self,
        learners: &[&dyn Learner],
        x: ArrayView2<f64>,
    ) -> Result<Vec<Array1<f64>>, CateError> {
        let mut sums = vec![Array1::zeros(x.nrows()); learners.len()];
        for part in &self.parts {
            let features = part.features(x)?;
            for (sum, learner) in sums.iter_mut().zip(learners) {
                *sum += &learner.fit(&part.inside)?.at(features.view().into())?;
            }
        }
        Ok(sums.into_iter().map(|sum| sum / self.parts.len() as f64).collect())
    }

    /// Trains a learner on each part.
    pub fn learn(&self, learner: &dyn Learner) -> Result<MendedEffect, CateError> {
        let of = |part: &Part| Ok((part.clone(), learner.fit(&part.inside)?));
        let parts = self.parts.iter().map(of).collect::<Result<_, CateError>>()?;
        Ok(MendedEffect { parts, made: self.made.clone() })
    }
}

impl Part {
    fn features(&self, x: ArrayView2<f64>) -> Result<Array2<f64>, CateError> {
        Ok(self.scale.apply(self.representation.transform(x)?.view()))
    }
}

impl MendedEffect {
    /// Which rows made what, part by part.
    pub fn made(&self) -> &[Made] {
        &self.made
    }

    /// Coordinates of the representation; for f modulo B1, k − 1.
    pub fn coordinates(&self) -> usize {
        self.parts[0].0.representation.k()
    }
}

impl Effect for MendedEffect {
    fn at(&self, rows: Rows<'_>) -> Result<Array1<f64>, CateError> {
        let mut sum = Array1::zeros(rows.x.len_of(Axis(0)));
        for (part, effect) in &self.parts {
            sum += &effect.at(Rows { x: part.features(rows.x)?.view(), ..rows })?;
        }
        Ok(sum / self.parts.len() as f64)
    }
}
