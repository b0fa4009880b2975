//! What several runs agree on: MCC between them, and the shape of each.

use super::{Interval, Mcc, MetricError, Shape, jackknife_interval, mcc, shape, t_interval};
use ndarray::ArrayView2;

/// Agreement of several runs on the same rows, and the shape of each run's representation.
#[derive(Clone, Debug, PartialEq)]
pub struct Agreement {
    /// MCC over all pairs of runs.
    pub mcc: Mcc,
    /// One shape for each run.
    pub shapes: Vec<Shape>,
}

/// Agreement and shapes of runs; each is rows × k, with one order of the rows.
///
/// ```
/// use ndarray::array;
/// let run = array![[0.0, 1.0], [1.0, 0.0], [2.0, 5.0]];
/// let found = ebmbook::metrics::agreement(&[run.view(), run.view()])?;
/// assert!((found.mcc.signed - 1.0).abs() < 1e-12);
/// assert!(found.mean(|s| s.effective_rank) > 1.0);
/// # Ok::<(), ebmbook::metrics::MetricError>(())
/// ```
pub fn agreement(runs: &[ArrayView2<f64>]) -> Result<Agreement, MetricError> {
    let shapes = runs.iter().map(|f| shape(*f)).collect::<Result<_, _>>()?;
    Ok(Agreement { mcc: mcc(runs)?, shapes })
}

impl Agreement {
    /// The mean over runs of a property of their shapes.
    pub fn mean(&self, of: fn(&Shape) -> f64) -> f64 {
        self.shapes.iter().map(of).sum::<f64>() / self.shapes.len() as f64
    }

    /// That mean with its 95 % interval: runs are independent.
    pub fn interval(&self, of: fn(&Shape) -> f64) -> Result<Interval, MetricError> {
        t_interval(&self.shapes.iter().map(of).collect::<Vec<_>>(), 0.95)
    }
}

/// Signed MCC of several runs with its 95 % interval, which knows that pairs share runs.
///
/// # Panics
/// If a run is not finite, or differs from the others in shape.
pub fn mcc_interval(runs: &[ArrayView2<f64>]) -> Result<Interval, MetricError> {
    jackknife_interval(runs, |runs| mcc(runs).expect("finite runs of one shape").signed, 0.95)
}
