//! The mean effect with an interval: cross-fitted augmented inverse-propensity weighting (AIPW).

use super::crossfit::Nuisances;
use super::{CateError, Folding, Propensity, Sample};
use crate::metrics::{Interval, t_quantile};
use crate::regress::Regressor;
use ndarray::{Array1, ArrayView1};

/// Propensities below this count as this, so that no weight exceeds a million.
const MIN_PROPENSITY: f64 = 1e-6;

/// Estimates E[Y(1) − Y(0)] by the mean of the scores
///
/// ```text
/// φ_i = m1 − m0 + A(Y − m1)/e − (1−A)(Y − m0)/(1−e)
/// ```
///
/// m_a is fitted on arm a, and m and e never see the row's own fold. The standard deviation of φ
/// over √n is the standard error (φ − E φ is the influence function). The interval covers at its
/// level where m and e converge fast enough, and the estimate is consistent if either does.
///
/// ```
/// use ebmbook::cate::{Aipw, Folding, Propensity, Sample};
/// use ebmbook::{regress::Ridge, seed::Seed};
/// use ndarray::{Array1, Array2};
/// // Y = 5 + x + A: a coin decides on the treatment, and everybody's effect is 1.
/// let x = Array2::from_shape_fn((200, 1), |(i, _)| (i * 37 % 101) as f64 / 50.0);
/// let treated = Array1::from_shape_fn(200, |i| i % 3 == 0);
/// let outcome = Array1::from_shape_fn(200, |i| 5.0 + x[[i, 0]] + f64::from(u8::from(treated[i])));
/// let folding = Folding::Stratified { k: 2, seed: Seed::new(1) };
/// let aipw = Aipw::new(Ridge::new(1e-3)?, Propensity::Constant, folding);
/// let mean = aipw.estimate(&Sample::new(x, treated, outcome)?)?;
/// assert!((mean.estimate - 1.0).abs() < 1e-3 && mean.standard_error < 1e-3);
/// # Ok::<(), ebmbook::Error>(())
/// ```
#[derive(Clone)]
pub struct Aipw {
    nuisances: Nuisances,
}

/// A mean effect with its standard error.
#[derive(Clone, Debug)]
pub struct MeanEffect {
    /// The mean of the scores.
    pub estimate: f64,
    /// Their standard deviation over √n.
    pub standard_error: f64,
    /// The out-of-fold propensity of each row.
    pub propensity: Array1<f64>,
}

impl Aipw {
    /// With this outcome regression, propensity and folds.
    pub fn new(regressor: impl Regressor + 'static, propensity: Propensity, folding: Folding) -> Self {
        Self { nuisances: Nuisances::new(regressor, propensity, folding) }
    }

    /// The mean effect over the population that the rows were drawn from.
    pub fn estimate(&self, sample: &Sample) -> Result<MeanEffect, CateError> {
        let (folds, propensity) = self.nuisances.before_outcome(sample)?;
        let [m0, m1] = folds.cross_fit(sample, |rest, fold| {
            let m = |treated: bool| -> Result<Array1<f64>, CateError> {
                let arm = rest.select(&rest.arm(treated));
                Ok(self.nuisances.regressor.fit(arm.x(), arm.outcome())?.predict(fold.x())?)
            };
            Ok([m(false)?, m(true)?])
        })?;
        let scores = scores(sample, [m0.view(), m1.view()], propensity.view());
        let standard_error = scores.std(1.0) / (sample.n() as f64).sqrt();
        Ok(MeanEffect { estimate: scores.mean().unwrap_or(f64::NAN), standard_error, propensity })
    }
}

impl MeanEffect {
    /// The interval at this confidence level.
    pub fn interval(&self, level: f64) -> Interval {
        let freedom = self.propensity.len().saturating_sub(1) as f64;
        let half = t_quantile((1.0 - level) / 2.0, freedom) * self.standard_error;
        Interval { estimate: self.estimate, low: self.estimate - half, high: self.estimate + half }
    }

    /// How many propensities lie outside [low, high]: there, hardly any row has the other treatment.
    pub fn outside(&self, low: f64, high: f64) -> usize {
        self.propensity.iter().filter(|e| !(low..=high).contains(*e)).count()
    }
}

/// The score φ of each row, from outcome models m0 and m1 and a propensity.
pub(super) fn scores(sample: &Sample, m: [ArrayView1<f64>; 2], propensity: ArrayView1<f64>) -> Array1<f64> {
    Array1::from_shape_fn(sample.n(), |i| {
        let (y, treated, [m0, m1]) = (sample.outcome()[i], sample.treated()[i], m.map(|m| m[i]));
        let (p0, p1) = ((1.0 - propensity[i]).max(MIN_PROPENSITY), propensity[i].max(MIN_PROPENSITY));
        // Y_a = m_a + (Y − m_a)·1{A = a}/P(A = a | x)
        let y0 = m0 + if treated { 0.0 } else { (y - m0) / p0 };
        let y1 = m1 + if treated { (y - m1) / p1 } else { 0.0 };
        y1 - y0
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::regress::{Logistic, Ridge};
    use crate::seed::Seed;
    use ndarray::Array2;
    use rand::Rng;
    use rand_distr::{Distribution, StandardNormal};

    /// x drives treatment and outcome; the effect is 1 + x with mean 1.
    fn confounded(n: usize, seed: Seed) -> Sample {
        let mut rng = seed.rng();
        let x = Array2::from_shape_fn((n, 1), |_| StandardNormal.sample(&mut rng));
        let treated = x.column(0).mapv(|x: f64| rng.random_bool(1.0 / (1.0 + (-x).exp())));
        let outcome = Array1::from_shape_fn(n, |i| {
            let noise: f64 = StandardNormal.sample(&mut rng);
            5.0 + 2.0 * x[[i, 0]] + if treated[i] { 1.0 + x[[i, 0]] } else { 0.0 } + noise
        });
        Sample::new(x, treated, outcome).unwrap()
    }

    fn aipw(propensity: Propensity, seed: Seed) -> Aipw {
        Aipw::new(Ridge::default(), propensity, Folding::Stratified { k: 2, seed })
    }

    #[test]
    fn the_interval_covers_at_its_level_and_a_difference_in_means_does_not() {
        let (mut covered, mut naive_near) = (0, 0);
        for run in 0..400 {
            let seed = Seed::new(5).index(run);
            let sample = confounded(300, seed.child("rows"));
            let found = aipw(Propensity::model(Logistic::default()), seed).estimate(&sample).unwrap();
            let interval = found.interval(0.95);
            covered += u32::from((interval.low..=interval.high).contains(&1.0));
            let mean =
                |treated| sample.outcome().select(ndarray::Axis(0), &sample.arm(treated)).mean().unwrap();
            naive_near += u32::from((mean(true) - mean(false) - 1.0).abs() < 1.0);
        }
        // Standard error of a share of .95 over 400: .011; four of them.
        assert!((f64::from(covered) / 400.0 - 0.95).abs() < 0.044, "{covered} of 400");
        assert!(naive_near < 4, "confounding moves the difference in means by more than 1: {naive_near}");
    }

    #[test]
    fn either_nuisance_suffices() {
        let sample = confounded(20_000, Seed::new(3));
        // The propensity is wrong (a constant), the regression is right.
        let found = aipw(Propensity::Constant, Seed::new(1)).estimate(&sample).unwrap();
        assert!((found.estimate - 1.0).abs() < 5.0 * found.standard_error, "{found:?}");
        // The regression is wrong (a penalty that leaves a constant), the propensity is right.
        let constant = Ridge::new(1e9).unwrap();
        let folding = Folding::Stratified { k: 2, seed: Seed::new(1) };
        let right = Propensity::model(Logistic::default());
        let found = Aipw::new(constant, right, folding).estimate(&sample).unwrap();
        assert!((found.estimate - 1.0).abs() < 5.0 * found.standard_error, "{found:?}");
    }
}
