//! Effect estimates on a representation in finite samples. In: designs with known effects. Out: what
//! a learner estimates when it sees the trained f, the exact limit of f, or x.
//!
//! X ~ N(0, I₂), Y = μ₀(X) + A·τ(X) + ½·noise, and a T-learner with RBF kernel ridge, which can follow
//! any smooth function: what it misses, the representation has lost. In the limit f is a function of
//! log p_X = −‖x‖²/2 + c; [`limit`](super::limit) has the errors that are then left.

use super::limit::Design;
use super::mixture;
use crate::cate::{Learner, Sample, TLearner};
use crate::data::Covariates;
use crate::data::split::Standardiser;
use crate::ebm::Ebm;
use crate::regress::KernelRidge;
use crate::seed::Seed;
use ndarray::{Array1, Array2, ArrayView2, Axis};
use ndarray_rand::RandomExt;
use rand::Rng;
use rand_distr::{Distribution, StandardNormal};

/// Penalty of the regression; small, so that it follows what is there to follow.
const PENALTY: f64 = 0.1;
/// Standard deviation of the outcome given x and A.
const OUTCOME_SD: f64 = 0.5;
const TEST_ROWS: usize = 1_000;

/// Estimated effects at the test rows of one design, and the truth.
#[derive(Clone, Debug)]
pub struct Estimates {
    /// τ(x).
    pub truth: Array1<f64>,
    /// By a learner that sees the trained representation.
    pub trained: Array1<f64>,
    /// By one that sees its exact limit.
    pub limit: Array1<f64>,
    /// By one that sees x.
    pub covariates: Array1<f64>,
}

/// One EBM on n rows, and the estimates on it under each design.
///
/// ```
/// use ebmbook::{metrics::pehe, seed::Seed, theory::{effects::estimates, limit::Design}};
/// let found = estimates(&[Design::CONFOUNDED_CONSTANT], 400, Seed::new(1))?;
/// let of = |e| pehe(e, found[0].truth.view());
/// let (limit, x) = (of(found[0].limit.view())?, of(found[0].covariates.view())?);
/// assert!(limit > 1.0, "on the limit an effect of 1 is overestimated");
/// assert!(x < limit / 2.0, "{x} on x, {limit} on the limit");
/// # Ok::<(), ebmbook::Error>(())
/// ```
pub fn estimates(designs: &[Design], n: usize, seed: Seed) -> crate::Result<Vec<Estimates>> {
    let x = gaussian(n, seed.child("train"));
    let test = gaussian(TEST_ROWS, seed.child("test"));
    let train = Covariates::continuous(x.clone())?;
    let ebm = Ebm::fit(&mixture::params(n), &train, seed.child("run"))?;
    let seen = [
        (ebm.embed(x.view())?, ebm.embed(test.view())?),
        standardised(half_square(x.view()), half_square(test.view())),
        standardised(x.clone(), test.clone()),
    ];
    designs
        .iter()
        .enumerate()
        .map(|(i, design)| {
            let (treated, outcome) = outcomes(design, x.view(), seed.child("outcomes").index(i));
            let learn = |(train, test): &(Array2<f64>, Array2<f64>)| -> crate::Result<Array1<f64>> {
                let sample = Sample::new(train.clone(), treated.clone(), outcome.clone())?;
                let learner = TLearner::new(KernelRidge::rbf(PENALTY)?);
                Ok(learner.fit(&sample)?.at(test.view().into())?)
            };
            Ok(Estimates {
                truth: test.map_axis(Axis(1), |x| (design.effect)(x[0], x[1])),
                trained: learn(&seen[0])?,
                limit: learn(&seen[1])?,
                covariates: learn(&seen[2])?,
            })
        })
        .collect()
}

pub(super) fn gaussian(n: usize, seed: Seed) -> Array2<f64> {
    let mut rng = seed.rng();
    Array2::random_using((n, 2), StandardNormal, &mut rng)
}

/// −log p_X(x) + c = ‖x‖²/2, the one column that the limit has.
pub(super) fn half_square(x: ArrayView2<f64>) -> Array2<f64> {
    x.map_axis(Axis(1), |x| 0.5 * x.dot(&x)).insert_axis(Axis(1))
}

pub(super) fn standardised(train: Array2<f64>, test: Array2<f64>) -> (Array2<f64>, Array2<f64>) {
    let scale = Standardiser::fit(train.view());
    (scale.apply(train.view()), scale.apply(test.view()))
}

pub(super) fn outcomes(design: &Design, x: ArrayView2<f64>, seed: Seed) -> (Array1<bool>, Array1<f64>) {
    let mut rng = seed.rng();
    let (treated, outcome): (Vec<bool>, Vec<f64>) = x
        .rows()
        .into_iter()
        .map(|x| {
            let treated = rng.random::<f64>() < (design.propensity)(x[0], x[1]);
            let noise: f64 = StandardNormal.sample(&mut rng);
            let effect = if treated { (design.effect)(x[0], x[1]) } else { 0.0 };
            (treated, (design.control_mean)(x[0], x[1]) + effect + OUTCOME_SD * noise)
        })
        .unzip();
    (treated.into(), outcome.into())
}
