//! Sweeps: hyper-parameters searched as the paper searched them. In: a setting, a score and a seed. Out: trials.
//!
//! ```text
//! trials so far ──optimiser──▶ a batch of points ──cells──▶ store ──▶ scores
//! ```
//!
//! A point is a pure function of the seed and of the batches before it, and a trial is a cell. So neither the number of
//! workers nor a kill changes anything: whoever starts again proposes the same points and finds their values in the store.
//!
//! The optimiser is the Gaussian process of the crate `optimizer`: expected improvement over a thousand candidates, which is
//! what the paper's tool does, and stateless enough to be asked anew for every point. `tpe` has no Gaussian process and looks
//! at one hyper-parameter at a time; `egobox-ego` has five times the dependencies and another version of ndarray.

mod figure;
mod score;
mod space;

pub(super) use figure::figures;
pub use figure::{names as figure_names, rank};
pub use score::Score;
pub use space::{Point, STARTUP};

use super::plans::{Method, Setting};
use super::{
    Arm, Base, Cell, Fit, Hyperparameter, LearnerKind, Results, Schedule, Store, StudyError, Values, run,
};
use ebmbook::data::Protocol;
use ebmbook::ebm::{DirectionLaw, Objective};
use ebmbook::seed::Seed;
use serde::Serialize;

/// The study of points that are drawn.
pub(super) const STUDY: &str = "sweep";

/// Points that are proposed before any of them is scored.
pub const BATCH: usize = 5;

/// A sweep.
#[derive(Clone, Debug)]
pub struct Sweep {
    /// Where.
    pub setting: Setting,
    /// What training minimises.
    pub objective: Objective,
    /// What the optimiser goes by.
    pub score: Score,
    /// Number of trials.
    pub trials: usize,
    /// Master seed of the optimiser.
    pub seed: u64,
}

/// A point and what came of it.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Trial {
    /// The point.
    #[serde(flatten)]
    pub point: Point,
    /// Runs of the same point before it: another run has another seed.
    pub replicate: usize,
    /// Less is better.
    pub score: f64,
    /// Every value of the run.
    pub values: Values,
}

impl Sweep {
    /// Runs the trials that have no values in the store, batch by batch, and tells the trials so far after each.
    pub fn run(
        &self,
        store: &Store,
        workers: usize,
        mut told: impl FnMut(&[Trial]) -> Result<(), StudyError>,
    ) -> Result<Vec<Trial>, StudyError> {
        let mut trials = Vec::new();
        while trials.len() < self.trials {
            let batch = self.batch(&trials);
            let cells: Vec<Cell> =
                batch.iter().map(|(point, replicate)| self.cell(*point, *replicate)).collect();
            let report = run(&cells, store, Schedule::on(workers), &());
            if let Some(error) = report.broken {
                return Err(error);
            }
            if let Some((cell, reason)) = report.failed.into_iter().next() {
                return Err(StudyError::Trial { cell, reason });
            }
            let results = Results::from_store(cells, store)?;
            for ((point, replicate), (_, values)) in batch.into_iter().zip(results.rows()) {
                let values = values.clone();
                trials.push(Trial { point, replicate, score: self.score.of(&values), values });
            }
            told(&trials)?;
        }
        Ok(trials)
    }

    /// The next points, each with the number of its runs so far. Within a batch a point that waits for its score counts
    /// as an average one, so that the next is looked for elsewhere.
    fn batch(&self, trials: &[Trial]) -> Vec<(Point, usize)> {
        let mut tried: Vec<(Point, f64)> = trials.iter().map(|trial| (trial.point, trial.score)).collect();
        let average = tried.iter().map(|(_, score)| score).sum::<f64>() / tried.len().max(1) as f64;
        let seed = Seed::new(self.seed).child("sweep");
        let mut batch = Vec::new();
        for trial in trials.len()..self.trials.min(trials.len() + BATCH) {
            let point = Point::propose(seed.index(trial), &tried[..trials.len() + batch.len()]);
            batch.push((point, tried.iter().filter(|(earlier, _)| *earlier == point).count()));
            tried.push((point, average));
        }
        batch
    }

    /// The cell of a trial: data and network as in the tables, with Haar directions, because the authors' B ends at k = 20.
    pub fn cell(&self, point: Point, replicate: usize) -> Cell {
        let study = format!("sweep-{}", self.score);
        trial(&study, &self.setting, self.objective, point, (Hyperparameter::Trial, 0.0), replicate)
    }
}

/// The cell of a point, under a name of its own.
pub(super) fn trial(
    study: &str,
    setting: &Setting,
    objective: Objective,
    point: Point,
    called: (Hyperparameter, f64),
    replicate: usize,
) -> Cell {
    let protocol = Protocol::Released;
    let params = setting.with_k(point.k).ebm(protocol, objective);
    let params = params
        .copies(point.b)
        .hidden(&vec![setting.width(); point.layers])
        .corruption(point.q)
        .directions(DirectionLaw::Haar);
    let method =
        Method::trained(Arm::of(Base::trained(objective)).with(called.0, called.1), params, protocol)
            .with_scores();
    let fits = [Fit::kernel_ridge(LearnerKind::R)];
    method.cell(study, setting, setting.data(protocol), &fits, replicate)
}
