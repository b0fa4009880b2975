//! Metrics. In: estimates, truths, representations of several runs. Out: numbers with intervals.
//!
//! ```text
//! PEHE = √( n⁻¹ Σ (τ̂(x_i) − τ_i)² )          MCC = mean over pairs of runs and dimensions of corr
//! effective rank = (Σλ)² / Σλ²               of the correlation matrix of a representation
//! ```
//!
//! The paper's text defines PEHE as the mean square; its tables print the root. [`pehe`] is the
//! root, [`pehe_square`] the square, and the truth can be noisy (y1 − y0) or noiseless (τ): the
//! printed numbers are roots against noisy truth.

mod agreement;
mod counts;
mod effect;
mod intervals;
mod mcc;
mod rank;

pub use agreement::{Agreement, agreement, mcc_interval};
pub use counts::{holm, one_sided_t};
pub use effect::{pehe, pehe_square, skill};
pub use intervals::{
    Interval, bootstrap_groups, bootstrap_interval, jackknife_interval, t_half_width, t_interval, t_quantile,
};
pub use mcc::{Mcc, correlation, mcc};
pub use rank::{Shape, shape};

/// A metric that cannot be computed.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
#[allow(missing_docs)] // the messages say what the fields are
pub enum MetricError {
    #[error("{metric}: {left} estimates against {right} truths; there must be as many, and at least one")]
    Lengths { metric: &'static str, left: usize, right: usize },
    #[error("{metric} needs at least {needed} {what}, got {found}")]
    TooFew { metric: &'static str, what: &'static str, needed: usize, found: usize },
    #[error("{metric}: run {run} has shape {found:?}, but run 0 has {expected:?}")]
    Shapes { metric: &'static str, run: usize, found: (usize, usize), expected: (usize, usize) },
    #[error("{metric}: value {position} is {value}, which is not finite")]
    NotFinite { metric: &'static str, position: usize, value: f64 },
    #[error("confidence level must lie in (0, 1), got {0}")]
    Level(f64),
}

/// Refuses NaN and infinities: a metric of them would look like a number and mean nothing.
fn all_finite<'a>(
    metric: &'static str,
    values: impl IntoIterator<Item = &'a f64>,
) -> Result<(), MetricError> {
    match values.into_iter().enumerate().find(|(_, v)| !v.is_finite()) {
        Some((position, value)) => Err(MetricError::NotFinite { metric, position, value: *value }),
        None => Ok(()),
    }
}
