//! Consistency and its corollary in one experiment. In: sample sizes. Out: MCC, and beside it the
//! rank of what is being agreed on.
//!
//! X is an equal mixture of three Gaussians in the plane. All k densities of the model converge to
//! p_X, so runs agree (MCC → 1) and f → −log p_X · B1 + c has rank one: different coordinates
//! become the same function.

use crate::data::Covariates;
use crate::ebm::{DirectionLaw, Ebm, EbmError, EbmParams, Folds, Keep, Schedule};
use crate::metrics::{Interval, correlation, mcc, shape, t_interval};
use crate::seed::Seed;
use ndarray::{Array1, Array2, ArrayView2};
use rand::Rng;
use rand_distr::{Distribution, StandardNormal};
use rayon::prelude::*;

const MEANS: [[f64; 2]; 3] = [[2.0, 0.0], [-1.0, 1.7], [-1.0, -1.7]];
const SD: f64 = 0.6;
const TEST_ROWS: usize = 5_000;

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
    let steps = (200 * n / 256).clamp(1, 6_000);
    Ebm::params(5)
        .hidden(&[32, 32])
        .directions(DirectionLaw::Authors)
        .rate(3e-3)
        .schedule(Schedule::Cosine)
        .batch(256)
        .epochs(steps.div_ceil(n.div_ceil(256)))
        .steps(Some(steps))
        .validation(0.0)
        .patience(None)
        .keep(Keep::Last)
}

/// What the runs of one sample size show, with 95 % intervals over independent runs.
#[derive(Clone, Debug, serde::Serialize)]
pub struct MixtureRow {
    /// Sample size.
    pub n: usize,
    /// Runs, each with its own sample and initialisation.
    pub runs: usize,
    /// Signed MCC over all pairs of runs.
    pub mcc: f64,
    /// Signed MCC over disjoint pairs of runs, which are independent.
    pub mcc_interval: Interval,
    /// Mean |corr| between different coordinates.
    pub off_diagonal: Interval,
    /// Mean over runs of |corr(f_i, log p_X)|, coordinate by coordinate.
    pub with_log_density: Vec<f64>,
    /// Effective rank.
    pub effective_rank: Interval,
}

/// The experiment at each sample size, with an even number of runs (at least 4), each on a fresh
/// sample, judged on 5000 test rows that all share.
pub fn experiment(
    sizes: &[usize],
    runs: usize,
    folds: &Folds,
    seed: Seed,
) -> Result<Vec<MixtureRow>, EbmError> {
    if runs < 4 || !runs.is_multiple_of(2) {
        return Err(EbmError::parameter("number of runs", runs, "must be even and at least 4"));
    }
    if let Some(n) = sizes.iter().find(|n| **n < 10) {
        return Err(EbmError::parameter("sample size", n, "must be at least 10"));
    }
    let test = sample(TEST_ROWS, seed.child("test"));
    sizes.iter().map(|n| row(*n, runs, folds, test.view(), seed.index(*n))).collect()
}

fn row(
    n: usize,
    runs: usize,
    folds: &Folds,
    test: ArrayView2<f64>,
    seed: Seed,
) -> Result<MixtureRow, EbmError> {
    let params = params(n).folds(folds.clone());
    let fitted: Result<Vec<Array2<f64>>, EbmError> = (0..runs)
        .into_par_iter()
        .map(|r| {
            let seed = seed.index(r);
            let train = Covariates::continuous(sample(n, seed.child("sample")))?;
            Ebm::fit(&params, &train, seed.child("run"))?.embed(test)
        })
        .collect();
    let fitted = fitted?;
    let views: Vec<ArrayView2<f64>> = fitted.iter().map(|f| f.view()).collect();
    let pairs: Result<Vec<f64>, _> =
        views.chunks(2).map(|pair| Ok(mcc(pair)?.signed)).collect::<Result<_, EbmError>>();
    let shapes = views.iter().map(|f| shape(*f)).collect::<Result<Vec<_>, _>>()?;
    let log_p = log_density(test);
    let with_log_density = (0..params.k())
        .map(|i| {
            views.iter().map(|f| correlation(f.column(i), log_p.view()).abs()).sum::<f64>() / runs as f64
        })
        .collect();
    let interval = |values: Vec<f64>| t_interval(&values, 0.95);
    Ok(MixtureRow {
        n,
        runs,
        mcc: mcc(&views)?.signed,
        mcc_interval: interval(pairs?)?,
        off_diagonal: interval(shapes.iter().map(|s| s.mean_cross).collect())?,
        with_log_density,
        effective_rank: interval(shapes.iter().map(|s| s.effective_rank).collect())?,
    })
}
