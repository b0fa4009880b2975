//! What can go wrong with a model, in one line each.

use crate::network::{DeviceError, NetworkError};
use crate::{data::DataError, metrics::MetricError, noise::NoiseError};

/// A model that cannot be set up, trained, saved or loaded.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
#[allow(missing_docs)] // the messages say what the fields are
pub enum EbmError {
    #[error("{field} {rule}, got {value}")]
    Parameter { field: &'static str, value: String, rule: String },
    #[error("rows have {found} covariates, but the model was trained on {expected}")]
    Width { found: usize, expected: usize },
    #[error(transparent)]
    ArmOutcome(#[from] super::ArmOutcomeError),
    #[error(transparent)]
    Network(#[from] NetworkError),
    #[error(transparent)]
    Noise(#[from] NoiseError),
    #[error(transparent)]
    KMeans(#[from] crate::kmeans::KMeansError),
    #[error(transparent)]
    Data(#[from] DataError),
    #[error(transparent)]
    Metric(#[from] MetricError),
}

impl EbmError {
    /// A parameter outside its range: `field` `rule`, got `value`.
    pub fn parameter(field: &'static str, value: impl ToString, rule: impl Into<String>) -> Self {
        Self::Parameter { field, value: value.to_string(), rule: rule.into() }
    }
}

impl From<DeviceError> for EbmError {
    fn from(error: DeviceError) -> Self {
        Self::Network(error.into())
    }
}
