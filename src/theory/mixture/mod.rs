//! Proposition 4.1 and its corollary in one experiment. In: sample sizes. Out: how far the runs are from
//! their limit, MCC between them, and beside it the rank of what is being agreed on.
//!
//! X is an equal mixture of three Gaussians in the plane. All k densities of the model converge to
//! p_X, so runs agree (MCC → 1) and f → −log p_X · B1 + c has rank one: different coordinates
//! become the same function. [`limits`] says what other folds converge to.

mod experiment;
pub mod limits;

pub use experiment::{MixtureRow, experiment};

use crate::data::Covariates;
use crate::ebm::{DirectionLaw, Ebm, EbmError, EbmParams, Folds};
use crate::network::{Keep, RateSchedule};
use crate::seed::Seed;
use ndarray::{Array1, Array2, ArrayView2};
use rand::Rng;
use rand_distr::{Distribution, StandardNormal};
use rayon::prelude::*;

const MEANS: [[f64; 2]; 3] = [[2.0, 0.0], [-1.0, 1.7], [-1.0, -1.7]];
const SD: f64 = 0.6;

/// n draws from the mixture.
///
/// ```
/// use ebmbook::{seed::Seed, theory::mixture};
/// let x = mixture::sample(1000, Seed::new(1));
/// let log_p = mixture::log_density(x.view());
/// // The entropy of three well-separated components: log 3 + log(2πe·0.36) = 2.91.
/// assert!((-log_p.mean().unwrap() - 2.91).abs() < 0.15);
/// ```
pub fn sample(n: usize, seed: Seed) -> Array2<f64> {
    let mut rng = seed.rng();
    let mut x = Array2::zeros((n, 2));
    for mut row in x.rows_mut() {
        let mean = MEANS[rng.random_range(0..3)];
        for s in 0..2 {
            row[s] = mean[s] + SD * Distribution::<f64>::sample(&StandardNormal, &mut rng);
        }
    }
    x
}

/// log p_X of each row.
pub fn log_density(x: ArrayView2<f64>) -> Array1<f64> {
    let log_scale = -(3.0 * 2.0 * std::f64::consts::PI * SD * SD).ln();
    x.rows()
        .into_iter()
        .map(|row| {
            let parts = MEANS.map(|m| -((row[0] - m[0]).powi(2) + (row[1] - m[1]).powi(2)) / (2.0 * SD * SD));
            let highest = parts.iter().copied().fold(f64::NEG_INFINITY, f64::max);
            log_scale + highest + parts.iter().map(|p| (p - highest).exp()).sum::<f64>().ln()
        })
        .collect()
}

/// The model of the experiment at sample size n: k = 5, pairwise with one copy, q = ½, noise of
/// standard deviation 1, 32-32 ReLU, Adam 3e-3 with cosine decay, batches of 256 and
/// min(200·n/256, 6000) steps. The directions are the authors', none of whose (B1)_i is near 0.
pub fn params(n: usize) -> EbmParams {
    params_for(n, steps(n))
}

/// How long a run at sample size n trains.
fn steps(n: usize) -> usize {
    (200 * n / 256).clamp(1, 6_000)
}

fn params_for(n: usize, steps: usize) -> EbmParams {
    Ebm::params(5)
        .hidden(&[32, 32])
        .directions(DirectionLaw::Authors)
        .rate(3e-3)
        .schedule(RateSchedule::Cosine)
        .batch(256)
        .epochs(steps.div_ceil(n.div_ceil(256)))
        .steps(Some(steps))
        .validation(0.0)
        .patience(None)
        .keep(Keep::Last)
}

/// One trained run, seen on test rows.
#[derive(Clone, Debug)]
pub struct Run {
    /// f, standardised by the run's training rows; rows × k.
    pub f: Array2<f64>,
    /// β_jᵀf, rows × k: column j is −log p_{θ,j} up to a constant.
    pub energies: Array2<f64>,
    /// Centres behind k-means and soft folds.
    pub centres: Option<Array2<f64>>,
}

/// Independent runs at sample size n, each on a fresh sample, seen on the same test rows.
///
/// ```
/// use ebmbook::{ebm::Folds, seed::Seed, theory::mixture};
/// let test = mixture::sample(100, Seed::new(1));
/// let runs = mixture::runs(50, 2, &Folds::Random, test.view(), Seed::new(2))?;
/// assert_eq!((runs.len(), runs[0].energies.dim()), (2, (100, 5)));
/// # Ok::<(), ebmbook::ebm::EbmError>(())
/// ```
pub fn runs(
    n: usize,
    count: usize,
    folds: &Folds,
    test: ArrayView2<f64>,
    seed: Seed,
) -> Result<Vec<Run>, EbmError> {
    Runs::new(n, count, folds, test).train(seed)
}

/// Independent runs, each on a fresh sample, seen on the same test rows. [`runs`] for the plain case.
///
/// ```
/// use ebmbook::{ebm::Folds, seed::Seed, theory::mixture::{Runs, sample}};
/// let test = sample(100, Seed::new(1));
/// let runs = Runs::new(50, 1, &Folds::Random, test.view());
/// let longer = runs.clone().as_long_as(500);
/// assert_ne!(longer.train(Seed::new(2))?[0].energies, runs.train(Seed::new(2))?[0].energies);
/// # Ok::<(), ebmbook::ebm::EbmError>(())
/// ```
#[derive(Clone, Debug)]
pub struct Runs<'a> {
    n: usize,
    count: usize,
    folds: &'a Folds,
    test: ArrayView2<'a, f64>,
    as_long_as: usize,
    directions: Option<Array2<f64>>,
}

impl<'a> Runs<'a> {
    /// So many runs at sample size n.
    pub fn new(n: usize, count: usize, folds: &'a Folds, test: ArrayView2<'a, f64>) -> Self {
        Self { n, count, folds, test, as_long_as: n, directions: None }
    }

    /// Trains for as many steps as runs at sample size n do: what longer training does without more data.
    pub fn as_long_as(self, n: usize) -> Self {
        Self { as_long_as: n, ..self }
    }

    /// Directions of one's own, β_j in column j, instead of the authors'.
    pub fn directions(self, b: ArrayView2<f64>) -> Self {
        Self { directions: Some(b.to_owned()), ..self }
    }

    /// Trains them.
    pub fn train(&self, seed: Seed) -> Result<Vec<Run>, EbmError> {
        if self.n < 10 {
            return Err(EbmError::parameter("sample size", self.n, "must be at least 10"));
        }
        (0..self.count).into_par_iter().map(|r| self.one(seed.index(r))).collect()
    }

    fn one(&self, seed: Seed) -> Result<Run, EbmError> {
        let train = Covariates::continuous(sample(self.n, seed.child("sample")))?;
        let mut params = params_for(self.n, steps(self.as_long_as)).folds(self.folds.clone());
        if let Some(b) = &self.directions {
            params = params.given_directions(b.view());
        }
        let ebm = Ebm::fit(&params, &train, seed.child("run"))?;
        Ok(Run {
            f: ebm.embed(self.test)?,
            energies: ebm.energies(self.test)?,
            centres: ebm.centres().map(|c| c.to_owned()),
        })
    }
}
