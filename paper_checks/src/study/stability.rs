//! Several runs of one method: do representations and effect estimates agree between runs?

use super::effects::r_learner;
use super::representation::Embedded;
use super::{DataSpec, RepresentationSpec, Source, Stability, StudyError, Values};
use ebmbook::data::{Protocol, TrainTest, split};
use ebmbook::ebm::{EbmError, Folds};
use ebmbook::kmeans::KMeans;
use ebmbook::metrics::{mcc, pehe, shape};
use ebmbook::seed::Seed;
use ndarray::{Array1, Array2, ArrayView2, s};

/// Rows of synthetic data that samples are drawn from.
const SYNTHETIC_POOL: usize = 20_000;
/// Test rows that agreement is measured on.
const TEST_ROWS: usize = 5_000;

/// MCC (signed, absolute, canonical), shape of the representations averaged over runs, and, with
/// effects, the standard deviation of τ̂(x) across runs averaged over x, and the PEHE with its trivial
/// predictors.
pub(super) fn compute(task: &Stability) -> Result<Values, StudyError> {
    let everything = pool(&task.data).load()?;
    let seed = Seed::new(task.seed).child("stability").index(task.replicate);
    let rows: Vec<usize> = (0..everything.test.n().min(TEST_ROWS)).collect();
    let test = everything.test.rows(&rows);
    let rows_of_pool = split::permutation(everything.train.n(), seed.child("sample").index(0));
    let wanted = task.data.n * if task.fresh_samples { task.runs } else { 1 };
    if wanted > rows_of_pool.len() {
        return Err(StudyError::Pool { wanted, rows: rows_of_pool.len() });
    }
    let representation = with_shared_centres(&task.representation, &everything, seed)?;
    let mut runs = Vec::with_capacity(task.runs);
    let mut effects = Vec::new();
    let (mut errors, mut zero, mut constants) = (Vec::new(), Vec::new(), Vec::new());
    for run in 0..task.runs {
        // Fresh samples have no row in common: they are parts of one permutation.
        let from = if task.fresh_samples { run * task.data.n } else { 0 };
        let picked = &rows_of_pool[from..from + task.data.n];
        let train = everything.train.rows(picked);
        let data = TrainTest { train, test: test.clone(), protocol: everything.protocol };
        let embedded = representation.embed(&data, seed.child("run").index(run))?;
        if task.with_effects {
            // The learner's own folds stay the same, so that only the representation varies.
            let estimate = r_learner(&data, &embedded, task.constant_column, 0)?;
            let truth = test.noisy_effect()?;
            let truth = truth.slice(s![..estimate.len()]);
            errors.push(pehe(estimate.view(), truth)?);
            zero.push(pehe(Array1::zeros(truth.len()).view(), truth)?);
            let constant = Array1::from_elem(truth.len(), data.train.difference_in_means()?);
            constants.push(pehe(constant.view(), truth)?);
            effects.push(estimate);
        }
        runs.push(finite(embedded));
    }
    let views: Vec<ArrayView2<f64>> = runs.iter().map(|r| r.view()).collect();
    let agreement = mcc(&views)?;
    let shapes = views.iter().map(|r| shape(*r)).collect::<Result<Vec<_>, _>>()?;
    let mean = |of: &dyn Fn(&ebmbook::metrics::Shape) -> f64| {
        shapes.iter().map(of).sum::<f64>() / shapes.len() as f64
    };
    let mut values = Values::from([
        ("mcc".to_owned(), agreement.signed),
        ("mcc, absolute".to_owned(), agreement.absolute),
        ("mcc, canonical".to_owned(), agreement.cca),
        ("effective rank".to_owned(), mean(&|s| s.effective_rank)),
        ("largest cross-correlation".to_owned(), mean(&|s| s.largest_cross)),
    ]);
    if task.with_effects {
        let stacked = Array2::from_shape_fn((effects.len(), effects[0].len()), |(r, i)| effects[r][i]);
        // mean over x of sd_r τ̂_r(x)
        let spread = stacked.std_axis(ndarray::Axis(0), 1.0).mean().unwrap_or(f64::NAN);
        values.insert("sd of effects".into(), spread);
        values.insert("sd of pehe".into(), Array1::from_vec(errors.clone()).std(1.0));
        for (name, errors) in [("pehe", errors), ("zero", zero), ("constant", constants)] {
            values.insert(name.into(), Array1::from_vec(errors).mean().unwrap_or(f64::NAN));
        }
    }
    Ok(values)
}

/// Folds by clusters have centres that all runs share, found in the whole pool: otherwise coordinate j
/// would mean another part of the space in each run.
fn with_shared_centres(
    representation: &RepresentationSpec,
    everything: &TrainTest,
    seed: Seed,
) -> Result<RepresentationSpec, StudyError> {
    match representation {
        RepresentationSpec::Ebm { params, standardised } if *params.kind_of_folds() == Folds::KMeans => {
            let seed = seed.child("centres");
            let found =
                KMeans::textbook(params.k()).fit(everything.train.x(), seed).map_err(EbmError::from)?;
            let params = Box::new(params.as_ref().clone().centres(found.centres()));
            Ok(RepresentationSpec::Ebm { params, standardised: *standardised })
        }
        other => Ok(other.clone()),
    }
}

/// The data set whose training part is the pool that samples are drawn from.
fn pool(spec: &DataSpec) -> DataSpec {
    let n = match (spec.source, spec.protocol) {
        (Source::Synthetic, _) => SYNTHETIC_POOL,
        (Source::Twins, Protocol::Released) => 2_921,
        (Source::Twins, Protocol::Paper) => 10_084,
        (Source::Ihdp | Source::Npci, _) => 522,
    };
    DataSpec { n, ..spec.clone() }
}

/// A diverged coordinate counts as one that does not vary.
fn finite(embedded: Embedded) -> Array2<f64> {
    embedded.test.mapv_into(|v| if v.is_finite() { v } else { 0.0 })
}
