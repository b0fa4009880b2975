//! Several runs of one method: do representations and effect estimates agree between runs?

use super::cache::Cache;
use super::data::twins_pool;
use super::effects::r_learner;
use super::representation::Embedded;
use super::{DataSpec, Quantity, RepresentationSpec, Source, Stability, StudyError, Values};
use ebmbook::data::{Dataset, TrainTest, split};
use ebmbook::ebm::{EbmError, Folds};
use ebmbook::kmeans::KMeans;
use ebmbook::metrics::{agreement, pehe};
use ebmbook::seed::Seed;
use ndarray::{Array1, Array2, ArrayView2, s};
use std::sync::Arc;

/// Rows of synthetic data that samples are drawn from.
const SYNTHETIC_POOL: usize = 20_000;
/// Test rows that agreement is measured on.
const TEST_ROWS: usize = 5_000;
/// Groups of runs kept in memory: ten of five coordinates take 3 MB.
const KEPT: usize = 32;

/// MCC (signed, absolute, canonical), shape of the representations averaged over runs, and, with
/// effects, the standard deviation of τ̂(x) across runs averaged over x, and the PEHE with its trivial
/// predictors.
pub(super) fn compute(task: &Stability) -> Result<Values, StudyError> {
    let drawn = Drawn::new(task)?;
    let embedded = drawn.embedded()?;
    let mut effects = Vec::new();
    let (mut errors, mut zero, mut constants) = (Vec::new(), Vec::new(), Vec::new());
    if task.with_effects {
        let truth = drawn.test.noisy_effect()?;
        for (run, embedded) in embedded.iter().enumerate() {
            let data = drawn.run(run);
            // The learner's own folds stay the same, so that only the representation varies.
            let estimate = r_learner(&data, embedded, task.constant_column, 0)?;
            let truth = truth.slice(s![..estimate.len()]);
            errors.push(pehe(estimate.view(), truth)?);
            zero.push(pehe(Array1::zeros(truth.len()).view(), truth)?);
            let constant = Array1::from_elem(truth.len(), data.train.difference_in_means()?);
            constants.push(pehe(constant.view(), truth)?);
            effects.push(estimate);
        }
    }
    let runs: Vec<Array2<f64>> = embedded.iter().map(finite).collect();
    let views: Vec<ArrayView2<f64>> = runs.iter().map(|r| r.view()).collect();
    let found = agreement(&views)?;
    let mut values = vec![
        (Quantity::Mcc, found.mcc.signed),
        (Quantity::MccAbsolute, found.mcc.absolute),
        (Quantity::MccCanonical, found.mcc.cca),
        (Quantity::EffectiveRank, found.mean(|s| s.effective_rank)),
        (Quantity::LargestCrossCorrelation, found.mean(|s| s.largest_cross)),
    ];
    if task.with_effects {
        let stacked = Array2::from_shape_fn((effects.len(), effects[0].len()), |(r, i)| effects[r][i]);
        // mean over x of sd_r τ̂_r(x)
        let spread = stacked.std_axis(ndarray::Axis(0), 1.0).mean().unwrap_or(f64::NAN);
        values.push((Quantity::SdOfEffects, spread));
        values.push((Quantity::SdOfPehe, Array1::from_vec(errors.clone()).std(1.0)));
        let means = [(Quantity::MeanPehe, errors), (Quantity::ZERO, zero), (Quantity::CONSTANT, constants)];
        values.extend(means.map(|(of, errors)| (of, Array1::from_vec(errors).mean().unwrap_or(f64::NAN))));
    }
    Ok(values.into_iter().map(|(of, value)| (of.to_string(), value)).collect())
}

/// The rows of every run of a task.
struct Drawn<'a> {
    task: &'a Stability,
    everything: Arc<TrainTest>,
    test: Dataset,
    /// Rows of the pool, in an order of this group of runs.
    order: Vec<usize>,
    seed: Seed,
}

impl<'a> Drawn<'a> {
    fn new(task: &'a Stability) -> Result<Self, StudyError> {
        let everything = pool(&task.data).load()?;
        let seed = Seed::new(task.seed).child("stability").index(task.replicate);
        let rows: Vec<usize> = (0..everything.test.n().min(TEST_ROWS)).collect();
        let test = everything.test.rows(&rows);
        let order = split::permutation(everything.train.n(), seed.child("sample").index(0));
        let wanted = task.data.n * if task.fresh_samples { task.runs } else { 1 };
        if wanted > order.len() {
            return Err(StudyError::Pool { wanted, rows: order.len() });
        }
        Ok(Self { task, everything, test, order, seed })
    }

    /// Training and test rows of a run.
    fn run(&self, run: usize) -> TrainTest {
        let n = self.task.data.n;
        // Fresh samples have no row in common: they are parts of one permutation.
        let from = if self.task.fresh_samples { run * n } else { 0 };
        let train = self.everything.train.rows(&self.order[from..from + n]);
        TrainTest { train, test: self.test.clone(), protocol: self.everything.protocol }
    }

    /// The representation of each run, from memory if a task that asks for other values of the same runs
    /// made them: both halves of Figure 3 are about the same networks.
    fn embedded(&self) -> Result<Arc<Vec<Embedded>>, StudyError> {
        static MADE: Cache<String, Vec<Embedded>> = Cache::new(KEPT);
        MADE.get(&self.task.runs_identity(), || {
            let representation = with_shared_centres(&self.task.representation, &self.everything, self.seed)?;
            let embed = |run| representation.embed(&self.run(run), self.seed.child("run").index(run));
            (0..self.task.runs).map(embed).collect()
        })
    }
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
pub(super) fn pool(spec: &DataSpec) -> DataSpec {
    let n = match (spec.source, spec.protocol) {
        (Source::Synthetic, _) => SYNTHETIC_POOL,
        (Source::Twins, protocol) => twins_pool(protocol),
        (Source::Ihdp | Source::Npci, _) => 522,
    };
    DataSpec { n, ..spec.clone() }
}

/// A diverged coordinate counts as one that does not vary.
fn finite(embedded: &Embedded) -> Array2<f64> {
    embedded.test.mapv(|v| if v.is_finite() { v } else { 0.0 })
}
