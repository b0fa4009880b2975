//! The course of a run.

/// What one epoch left behind.
#[derive(Clone, Copy, Debug, PartialEq, serde::Serialize, serde::Deserialize)]
pub struct EpochRecord {
    /// 1, 2, ….
    pub epoch: usize,
    /// Mean loss over the epoch's steps, each before its update.
    pub train: f64,
    /// Loss on the held-out rows, in epochs that were validated.
    pub validation: Option<f64>,
}

/// The course of a run.
#[derive(Clone, Debug, Default, PartialEq, serde::Serialize, serde::Deserialize)]
pub struct History {
    /// One record for each epoch.
    pub epochs: Vec<EpochRecord>,
    /// The epoch whose weights are kept; none while the last ones are.
    pub kept_epoch: Option<usize>,
    /// Whether early stopping ended the run.
    pub stopped_early: bool,
    /// Steps taken.
    pub steps: usize,
    /// Validations since the last improvement.
    pub waited: usize,
}

impl History {
    /// The validation loss of the weights that are kept.
    pub fn kept_validation(&self) -> Option<f64> {
        let kept = self.kept_epoch?;
        self.epochs.iter().find(|e| e.epoch == kept)?.validation
    }
}
