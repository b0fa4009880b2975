//! What a cell computes: everything its values depend on, as plain data.

use super::{
    DataSpec, Fit, RepresentationSpec, StudyError, Supervised, Values, as_text, effects, overlap, stability,
    supervised,
};
use serde::{Deserialize, Serialize};

/// A piece of work.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(tag = "kind", rename_all = "kebab-case")]
pub enum Task {
    /// Data → representation → learners → PEHE.
    Effects(Effects),
    /// Data → representation that outcomes made → learners on other rows → PEHE.
    Supervised(Supervised),
    /// Several runs of one method on the same rows: do representations and estimates agree?
    Stability(Stability),
    /// Treated share and overlap of a data set.
    Overlap(Overlap),
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
    /// Whether what hyper-parameters can be chosen by stands beside the errors. Left out of the text where it is not, so
    /// that what was recorded before keeps its name.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub scores: bool,
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
        as_text(&(data, representation, runs, fresh_samples, replicate, seed))
    }
}

impl Task {
    /// What is worth computing once for all tasks that have it in common: a representation, and the
    /// propensities on it. Cells with equal answers should follow one another.
    pub(super) fn shared(&self) -> String {
        match self {
            Self::Effects(Effects { data, representation, replicate, seed, .. }) => {
                as_text(&(data, representation, replicate, seed))
            }
            Self::Supervised(task) => as_text(task),
            Self::Stability(task) => task.runs_identity(),
            Self::Overlap(task) => as_text(&task.data),
        }
    }

    /// The version of its computation; `version` has the list.
    pub fn algorithm(&self) -> u32 {
        use version::*;
        match self {
            _ if self.has_network() => NETWORKS_ON_BLOCKS,
            Self::Effects(task) if task.representation.is_untrained() => UNTRAINED_STARTS_WHERE_THE_EBM_DOES,
            Self::Stability(task) => match (task.fresh_samples, task.with_effects) {
                (false, false) => FIRST,
                (true, false) => FRESH_SAMPLES_SHARE_NO_ROW,
                (false, true) => TRIVIAL_PREDICTORS_BESIDE_EFFECTS,
                (true, true) => TRIVIAL_PREDICTORS_ON_FRESH_SAMPLES,
            },
            Self::Effects(_) | Self::Supervised(_) | Self::Overlap(_) => FIRST,
        }
    }

    fn has_network(&self) -> bool {
        match self {
            Self::Effects(task) => task.representation.has_network(),
            Self::Supervised(task) => task.has_network(),
            Self::Stability(task) => task.representation.has_network(),
            Self::Overlap(_) => false,
        }
    }

    /// The data it is about; `n` is the number of rows it trains on.
    pub fn data(&self) -> &DataSpec {
        match self {
            Self::Effects(task) => &task.data,
            Self::Supervised(task) => &task.data,
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
            Self::Supervised(task) => Some(task.seed),
            Self::Stability(task) => Some(task.seed),
            Self::Overlap(_) => None,
        }
    }

    /// Does the work, on one thread.
    pub fn compute(&self) -> Result<Values, StudyError> {
        match self {
            Self::Effects(task) => effects::compute(task),
            Self::Supervised(task) => supervised::compute(task),
            Self::Stability(task) => stability::compute(task),
            Self::Overlap(task) => overlap::compute(task),
        }
    }
}

/// Versions of the computations. A kind of task gets a new one when its values change for the same parameters.
mod version {
    pub const FIRST: u32 = 1;
    pub const UNTRAINED_STARTS_WHERE_THE_EBM_DOES: u32 = 2;
    pub const FRESH_SAMPLES_SHARE_NO_ROW: u32 = 2;
    pub const TRIVIAL_PREDICTORS_BESIDE_EFFECTS: u32 = 3;
    pub const TRIVIAL_PREDICTORS_ON_FRESH_SAMPLES: u32 = 4;
    pub const NETWORKS_ON_BLOCKS: u32 = 5;
}
