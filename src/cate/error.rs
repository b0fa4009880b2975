//! What can be wrong with an effect estimation, in one line each.

use crate::data::DataError;
use crate::regress::RegressError;
use crate::representation::RepresentationError;

/// An effect that cannot be estimated.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
#[allow(missing_docs)] // the messages say what the fields are
pub enum CateError {
    #[error(transparent)]
    Regress(#[from] RegressError),
    #[error(transparent)]
    Data(#[from] DataError),
    #[error(transparent)]
    Ebm(#[from] crate::ebm::EbmError),
    #[error("making folds by arm and outcome from {rows} of the rows: {error}")]
    Folds { rows: usize, error: crate::ebm::ArmOutcomeError },
    #[error(transparent)]
    Representation(#[from] RepresentationError),
    #[error("no {what} is called `{name}`; there are {known}")]
    Unknown { what: &'static str, name: String, known: String },
    #[error("{place}: every row is {arm}; both arms are needed")]
    OneArm { place: String, arm: &'static str },
    #[error("{what} has {found} entries, but there are {rows} rows")]
    Lengths { what: &'static str, found: usize, rows: usize },
    #[error("{what}: entry {position} is {value}, which is not finite")]
    NotFinite { what: &'static str, position: usize, value: f64 },
    #[error("a known propensity must lie in (0, 1); entry {position} is {value}")]
    PropensityRange { position: usize, value: f64 },
    #[error("the propensity is to be known, but the {rows} rows come without one")]
    NoKnownPropensity { rows: usize },
    #[error("number of folds must lie in 2..={max} ({why}), got {k}")]
    FoldCount { k: usize, max: usize, why: &'static str },
    #[error("fold numbers must be 0, 1, … without a gap; there is a fold {last} and none of fold {missing}")]
    FoldGap { last: usize, missing: usize },
}
