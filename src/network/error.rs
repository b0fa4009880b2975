//! What can go wrong with a network, in one line each.

use super::DeviceError;
use crate::{data::DataError, files::FileError};
use std::path::PathBuf;

/// A network that cannot be set up, trained, saved or loaded.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
#[allow(missing_docs)] // the messages say what the fields are
pub enum NetworkError {
    #[error("{field} {rule}, got {value}")]
    Parameter { field: &'static str, value: String, rule: String },
    #[error("training diverged: the loss is {loss} at epoch {epoch}; lower the learning rate (now {rate})")]
    Diverged { epoch: usize, loss: f64, rate: f64 },
    #[error("checkpoint `{}`: {reason}", path.display())]
    Checkpoint { path: PathBuf, reason: String },
    #[error("checkpoint `{}`: {field} is {found}, but this run has {expected}", path.display())]
    Mismatch { path: PathBuf, field: &'static str, found: String, expected: String },
    #[error("the device failed: {0}")]
    Compute(String),
    #[error(transparent)]
    Device(#[from] DeviceError),
    #[error(transparent)]
    Data(#[from] DataError),
    #[error(transparent)]
    File(#[from] FileError),
}

impl NetworkError {
    /// A parameter outside its range: `field` `rule`, got `value`.
    pub fn parameter(field: &'static str, value: impl ToString, rule: impl Into<String>) -> Self {
        Self::Parameter { field, value: value.to_string(), rule: rule.into() }
    }

    /// A failure inside the tensor library.
    pub(super) fn device(error: impl std::fmt::Debug) -> Self {
        Self::Compute(format!("{error:?}"))
    }
}
