//! How a run goes: what it minimises, how long, at which rate, and which weights it ends with.

use super::{Block, Lanes};
use crate::seed::Seed;
use serde::{Deserialize, Serialize};
use strum::{Display, EnumString, VariantNames};

/// How the learning rate moves over a run.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[derive(Display, EnumString, VariantNames)]
#[serde(rename_all = "lowercase")]
#[strum(serialize_all = "lowercase")]
pub enum RateSchedule {
    /// One rate for every step.
    #[default]
    Constant,
    /// ½·rate·(1 + cos(π·t/T)): from the full rate to zero.
    Cosine,
}

/// Which weights a run ends with.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[derive(Display, EnumString, VariantNames)]
#[serde(rename_all = "lowercase")]
#[strum(serialize_all = "lowercase")]
pub enum Keep {
    /// Those with the lowest validation loss; early stopping waits for a lower one.
    #[default]
    Best,
    /// Those with the highest validation loss, with early stopping that waits for a higher one:
    /// what the authors' program does, because it logs −loss and minimises it.
    Worst,
    /// Those of the last step; validation is only reported.
    Last,
}

/// The number type of training. Evaluation is always in double precision.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[derive(Display, EnumString, VariantNames)]
#[serde(rename_all = "lowercase")]
#[strum(serialize_all = "lowercase")]
pub enum Precision {
    /// Single.
    #[default]
    F32,
    /// Double.
    F64,
}

/// What a run minimises, in the number type T.
pub(crate) trait BatchLoss<T> {
    /// What the network is shown in one step.
    type Batch: Default;

    /// Makes the batch of these training rows; a loss without noise ignores the seed.
    fn draw(&mut self, rows: &[usize], noise: Seed, batch: &mut Self::Batch);

    /// The rows of the batch.
    fn input(batch: &Self::Batch) -> &[Block<T>];

    /// What a block adds to the mean loss of the batch, given f of its rows; ∂loss/∂f is written to `gradient`.
    fn loss(&self, batch: &Self::Batch, block: usize, f: &[Lanes<T>], gradient: &mut [Lanes<T>]) -> f64;
}

/// How long a run goes on, at which rate, and which weights it ends with.
#[derive(Clone, Debug)]
pub(crate) struct Plan {
    /// Rows in a mini-batch.
    pub batch: usize,
    /// Passes over the rows.
    pub epochs: usize,
    /// Ends the run after this many steps, if that comes before the last epoch.
    pub steps: Option<usize>,
    pub rate: f64,
    pub schedule: RateSchedule,
    /// Share of the rows held out to score the run.
    pub validation: f64,
    /// Epochs between validations.
    pub validate_every: usize,
    /// Validations without improvement after which the run stops.
    pub patience: Option<usize>,
    pub keep: Keep,
}

impl Plan {
    /// Steps of the whole run: epochs × batches, or fewer if a limit is set.
    pub fn total_steps(&self, rows: usize) -> usize {
        let all = self.epochs * rows.div_ceil(self.batch);
        self.steps.map_or(all, |limit| limit.min(all))
    }

    pub fn rate(&self, step: usize, total: usize) -> f64 {
        match self.schedule {
            RateSchedule::Constant => self.rate,
            // ½·rate·(1 + cos(π·t/T))
            RateSchedule::Cosine => {
                0.5 * self.rate * (1.0 + (std::f64::consts::PI * step as f64 / total as f64).cos())
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_cosine_rate_starts_full_and_ends_at_nothing() {
        let plan = Plan {
            batch: 10,
            epochs: 3,
            steps: None,
            rate: 0.5,
            schedule: RateSchedule::Cosine,
            validation: 0.0,
            validate_every: 1,
            patience: None,
            keep: Keep::Last,
        };
        let total = plan.total_steps(25);
        assert_eq!(total, 9, "three epochs of two full batches and a half");
        assert_eq!(plan.rate(0, total), 0.5);
        assert!((plan.rate(3, total) - 0.375).abs() < 1e-15, "½·½·(1 + cos(π/3))");
        assert!(plan.rate(total, total).abs() < 1e-15);
        assert_eq!(Plan { steps: Some(4), ..plan }.total_steps(25), 4);
    }
}
