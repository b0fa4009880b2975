//! One error type for the whole library, made of one enum per stage.
//!
//! Every message is a single line that names the field, the value that was given and the rule
//! it breaks, so that a program can print it as it is.

use crate::{
    data::DataError, ebm::EbmError, metrics::MetricError, noise::NoiseError,
    representation::RepresentationError,
};

/// The result of anything in this library that can fail.
pub type Result<T, E = Error> = std::result::Result<T, E>;

/// Anything that can go wrong, by stage.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// Reading, checking or generating data.
    #[error(transparent)]
    Data(#[from] DataError),
    /// Building or using the corruption kernel.
    #[error(transparent)]
    Noise(#[from] NoiseError),
    /// Putting rows into clusters.
    #[error(transparent)]
    KMeans(#[from] crate::kmeans::KMeansError),
    /// Setting up, training, saving or loading an energy-based model.
    #[error(transparent)]
    Ebm(#[from] EbmError),
    /// Folds by arm and outcome.
    #[error(transparent)]
    ArmOutcome(#[from] crate::ebm::ArmOutcomeError),
    /// Setting up, training, saving or loading a network.
    #[error(transparent)]
    Network(#[from] crate::network::NetworkError),
    /// A device for training.
    #[error(transparent)]
    Device(#[from] crate::network::DeviceError),
    /// Fitting or applying a representation.
    #[error(transparent)]
    Representation(#[from] RepresentationError),
    /// Fitting or applying a regression or a classifier.
    #[error(transparent)]
    Regress(#[from] crate::regress::RegressError),
    /// Estimating effects.
    #[error(transparent)]
    Cate(#[from] crate::cate::CateError),
    /// Computing a metric, an interval or a test.
    #[error(transparent)]
    Metric(#[from] MetricError),
    /// Writing a file.
    #[error(transparent)]
    File(#[from] crate::files::FileError),
}
