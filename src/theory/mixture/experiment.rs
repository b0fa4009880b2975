//! The experiment at several sample sizes, summed up.

use super::{log_density, runs, sample};
use crate::ebm::{EbmError, Folds};
use crate::metrics::{Interval, agreement, correlation, mcc, t_interval};
use crate::seed::Seed;
use ndarray::ArrayView2;

const TEST_ROWS: usize = 5_000;

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
    let test = sample(TEST_ROWS, seed.child("test"));
    sizes.iter().map(|n| row(*n, runs, folds, test.view(), seed.index(*n))).collect()
}

fn row(
    n: usize,
    count: usize,
    folds: &Folds,
    test: ArrayView2<f64>,
    seed: Seed,
) -> Result<MixtureRow, EbmError> {
    let fitted = runs(n, count, folds, test, seed)?;
    let views: Vec<ArrayView2<f64>> = fitted.iter().map(|run| run.f.view()).collect();
    let pairs: Result<Vec<f64>, _> =
        views.chunks(2).map(|pair| Ok(mcc(pair)?.signed)).collect::<Result<_, EbmError>>();
    let found = agreement(&views)?;
    let log_p = log_density(test);
    let with_log_density = (0..views[0].ncols())
        .map(|i| {
            views.iter().map(|f| correlation(f.column(i), log_p.view()).abs()).sum::<f64>() / count as f64
        })
        .collect();
    Ok(MixtureRow {
        n,
        runs: count,
        mcc: found.mcc.signed,
        mcc_interval: t_interval(&pairs?, 0.95)?,
        off_diagonal: found.interval(|s| s.mean_cross)?,
        with_log_density,
        effective_rank: found.interval(|s| s.effective_rank)?,
    })
}
