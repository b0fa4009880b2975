//! What can go wrong with a model, in one line each.

use super::device::DeviceError;
use crate::{data::DataError, files::FileError, metrics::MetricError, noise::NoiseError};
use std::path::PathBuf;

/// A model that cannot be set up, trained, saved or loaded.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
#[allow(missing_docs)] // the messages say what the fields are
pub enum EbmError {
    #[error("{field} {rule}, got {value}")]
    Parameter { field: &'static str, value: String, rule: String },
    #[error("training diverged: the loss is {loss} at epoch {epoch}; lower the learning rate (now {rate})")]
    Diverged { epoch: usize, loss: f64, rate: f64 },
    #[error("rows have {found} covariates, but the model was trained on {expected}")]
    Width { found: usize, expected: usize },
    #[error("checkpoint `{}`: {reason}", path.display())]
    Checkpoint { path: PathBuf, reason: String },
    #[error("checkpoint `{}`: {field} is {found}, but this run has {expected}", path.display())]
    Mismatch { path: PathBuf, field: &'static str, found: String, expected: String },
    #[error("the device failed: {0}")]
    Compute(String),
    #[error(transparent)]
    Device(#[from] DeviceError),
    #[error(transparent)]
    Noise(#[from] NoiseError),
    #[error(transparent)]
    KMeans(#[from] crate::kmeans::KMeansError),
    #[error(transparent)]
    Data(#[from] DataError),
    #[error(transparent)]
    Metric(#[from] MetricError),
    #[error(transparent)]
    File(#[from] FileError),
}

impl EbmError {
    /// A parameter outside its range: `field` `rule`, got `value`.
    pub fn parameter(field: &'static str, value: impl ToString, rule: impl Into<String>) -> Self {
        Self::Parameter { field, value: value.to_string(), rule: rule.into() }
    }

    /// A failure inside the tensor library.
    pub(crate) fn device(error: impl std::fmt::Debug) -> Self {
        Self::Compute(format!("{error:?}"))
    }
}
