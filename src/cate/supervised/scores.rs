//! The classics: a propensity score and prognostic scores.

use super::{Map, SupervisedReduce};
use crate::cate::CateError;
use crate::data::Dataset;
use crate::data::split::Standardiser;
use crate::regress::{Classifier, Logistic, Regressor};
use crate::representation::{Representation, RepresentationError};
use crate::seed::Seed;
use ndarray::{ArrayView2, Axis, stack};
use std::sync::Arc;

/// Three coordinates: the logit of the propensity (Rosenbaum & Rubin 1983) and the prognostic score of each arm (Hansen
/// 2008), from a logistic regression and this regressor on standardised covariates.
///
/// ```text
/// f(x) = ( log π̂(x)/(1 − π̂(x)),  μ̂_0(x),  μ̂_1(x) )
/// ```
///
/// ```
/// use ebmbook::{cate::{Scores, SupervisedReduce}, prelude::*, regress::Ridge};
/// let data = synthetic::Released::new(50, 500)?.generate();
/// let fitted = Scores::new(Ridge::new(1.0)?).fit(&data.train, Seed::new(1))?;
/// assert_eq!(fitted.transform(data.test.x())?.dim(), (20_000, 3));
/// # Ok::<(), ebmbook::Error>(())
/// ```
#[derive(Clone)]
pub struct Scores {
    regressor: Arc<dyn Regressor>,
}

/// Propensities closer to 0 or 1 than this count as this.
const NEAR: f64 = 1e-6;

impl Scores {
    /// With this regressor in each arm. The mean outcome of the arm is removed before, and put back after.
    pub fn new(regressor: impl Regressor + 'static) -> Self {
        Self { regressor: Arc::new(regressor) }
    }
}

impl SupervisedReduce for Scores {
    fn fit(&self, rows: &Dataset, _seed: Seed) -> Result<Box<dyn Representation>, CateError> {
        let (treated, outcome) = (rows.treatment()?, rows.outcome()?);
        let scale = Standardiser::fit(rows.x());
        let x = scale.apply(rows.x());
        let propensity = Logistic::default().fit(x.view(), treated)?;
        let prognosis = |a: bool| -> Result<_, CateError> {
            let arm: Vec<usize> = (0..rows.n()).filter(|i| treated[*i] == a).collect();
            let y = outcome.select(Axis(0), &arm);
            let mean = y.mean().unwrap_or(0.0);
            Ok((self.regressor.fit(x.select(Axis(0), &arm).view(), (y - mean).view())?, mean))
        };
        let arms = [prognosis(false)?, prognosis(true)?];
        let failed = |error: crate::regress::RegressError| RepresentationError::Scores(error.to_string());
        let map = move |x: ArrayView2<f64>| {
            let x = scale.apply(x);
            let pi = propensity.probability(x.view()).map_err(failed)?.mapv(|p| p.clamp(NEAR, 1.0 - NEAR));
            let logit = pi.mapv(|p| (p / (1.0 - p)).ln());
            let [m0, m1] = &arms;
            let of = |(f, mean): &(Box<dyn crate::regress::Regression>, f64)| {
                f.predict(x.view()).map(|y| y + *mean).map_err(failed)
            };
            let (m0, m1) = (of(m0)?, of(m1)?);
            Ok(stack(Axis(1), &[logit.view(), m0.view(), m1.view()]).expect("as many rows in each"))
        };
        Ok(Box::new(Map::new(rows, 3, map)?))
    }
}
