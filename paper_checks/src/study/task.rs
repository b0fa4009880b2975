//! What a cell computes: everything its values depend on, as plain data.

use super::{DataSpec, RepresentationSpec, StudyError, Values, effects, overlap, stability};
use serde::{Deserialize, Serialize};

/// A piece of work.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(tag = "kind", rename_all = "kebab-case")]
pub enum Task {
    /// Data → representation → learners → PEHE.
    Effects(Effects),
    /// Several runs of one method on the same rows: do representations and estimates agree?
    Stability(Stability),
    /// Treated share and overlap of a data set.
    Overlap(Overlap),
}

/// A learner and the outcome regression behind it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Fit {
    /// `t`, `x`, `dr` or `r`.
    pub learner: String,
    /// A name that `ebmbook::regress::by_name` knows.
    pub regressor: String,
}

impl Fit {
    /// All four learners of the paper with one regressor.
    pub fn all(regressor: &str) -> Vec<Self> {
        ["t", "x", "dr", "r"].map(|learner| Self::new(learner, regressor)).to_vec()
    }

    /// One learner with one regressor.
    pub fn new(learner: &str, regressor: &str) -> Self {
        Self { learner: learner.into(), regressor: regressor.into() }
    }

    /// The name of its value: `r kernel-ridge`.
    pub fn name(&self) -> String {
        format!("{} {}", self.learner, self.regressor)
    }
}

/// PEHE of learners on a representation.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Effects {
    /// Training and test rows.
    pub data: DataSpec,
    /// What the learners see.
    pub representation: RepresentationSpec,
    /// Whether a column of ones stands beside it.
    pub constant_column: bool,
    /// Whether the mean outcome of each arm is removed before, and put back after.
    pub centre_arms: bool,
    /// The learners.
    pub fits: Vec<Fit>,
    /// Which run: seeds the network, the folds and the classifier's probabilities.
    pub replicate: usize,
    /// Master seed.
    pub seed: u64,
}

/// Agreement of several runs.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Stability {
    /// Pool of training rows and the test rows; `n` of it is the number of rows a run trains on.
    pub data: DataSpec,
    /// The method that is run.
    pub representation: RepresentationSpec,
    /// Number of runs.
    pub runs: usize,
    /// A fresh sample each run, or the same sample and another initialisation.
    pub fresh_samples: bool,
    /// Whether an R-learner is fitted on each run as well.
    pub with_effects: bool,
    /// Whether it sees a column of ones beside the representation.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub constant_column: bool,
    /// Which group of runs.
    pub replicate: usize,
    /// Master seed.
    pub seed: u64,
}

/// Treated share and overlap.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Overlap {
    /// The data set.
    pub data: DataSpec,
}

impl Stability {
    /// What the representations of its runs depend on.
    pub(super) fn runs_identity(&self) -> String {
        let Self { data, representation, runs, fresh_samples, replicate, seed, .. } = self;
        let on = (data, representation, runs, fresh_samples, replicate, seed);
        serde_json::to_string(&on).expect("a specification is plain data")
    }
}

impl Task {
    /// What is worth computing once for all tasks that have it in common: a representation, and the
    /// propensities on it. Cells with equal answers should follow one another.
    pub(super) fn shared(&self) -> String {
        match self {
            Self::Effects(Effects { data, representation, replicate, seed, .. }) => {
                let on = (data, representation, replicate, seed);
                serde_json::to_string(&on).expect("a specification is plain data")
            }
            Self::Stability(task) => task.runs_identity(),
            Self::Overlap(task) => serde_json::to_string(&task.data).expect("a specification is plain data"),
        }
    }

    /// Raised whenever the values of a kind of task change for the same parameters.
    pub fn algorithm(&self) -> u32 {
        match self {
            // Untrained networks start where the EBM does since 2.
            Self::Effects(task) => 1 + u32::from(task.representation.is_untrained()),
            // Fresh samples have no common row since 2; trivial predictors stand beside effects since 3.
            Self::Stability(task) => 1 + u32::from(task.fresh_samples) + 2 * u32::from(task.with_effects),
            Self::Overlap(_) => 1,
        }
    }

    /// The data it is about; `n` is the number of rows it trains on.
    pub fn data(&self) -> &DataSpec {
        match self {
            Self::Effects(task) => &task.data,
            Self::Stability(task) => &task.data,
            Self::Overlap(task) => &task.data,
        }
    }

    /// The data set whose rows it reads: for several runs of a method, the pool that their samples come from.
    pub(super) fn rows(&self) -> DataSpec {
        match self {
            Self::Stability(task) => stability::pool(&task.data),
            _ => self.data().clone(),
        }
    }

    /// The master seed, where anything is random beyond the data.
    pub fn seed(&self) -> Option<u64> {
        match self {
            Self::Effects(task) => Some(task.seed),
            Self::Stability(task) => Some(task.seed),
            Self::Overlap(_) => None,
        }
    }

    /// Does the work, on one thread.
    pub fn compute(&self) -> Result<Values, StudyError> {
        match self {
            Self::Effects(task) => effects::compute(task),
            Self::Stability(task) => stability::compute(task),
            Self::Overlap(task) => overlap::compute(task),
        }
    }
}
