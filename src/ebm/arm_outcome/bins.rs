//! How outcomes are put into bins.

use super::{ArmOutcomeError, SMALLEST_FOLD};
use ndarray::ArrayView1;
use std::str::FromStr;

/// More values than this are taken for a continuous outcome.
const MAX_VALUES: usize = 16;

/// The outcome bins of an arm.
///
/// ```
/// use ebmbook::ebm::OutcomeBins;
/// assert_eq!("4".parse::<OutcomeBins>()?, OutcomeBins::Quantiles(4));
/// assert_eq!("values".parse::<OutcomeBins>()?, OutcomeBins::Values);
/// assert_eq!("0,2.5".parse::<OutcomeBins>()?, OutcomeBins::Edges(vec![0.0, 2.5]));
/// assert!("few".parse::<OutcomeBins>().is_err());
/// # Ok::<(), ebmbook::ebm::ArmOutcomeError>(())
/// ```
#[derive(Clone, Debug, PartialEq, serde::Serialize, serde::Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum OutcomeBins {
    /// This many bins with about equally many rows, within each arm.
    Quantiles(usize),
    /// Inner edges, shared by both arms: m edges make m + 1 bins, the outer two unbounded.
    Edges(Vec<f64>),
    /// A bin for each value of an outcome that takes few: effects on f are then exact.
    Values,
}

impl FromStr for OutcomeBins {
    type Err = ArmOutcomeError;

    fn from_str(text: &str) -> Result<Self, ArmOutcomeError> {
        let malformed = || ArmOutcomeError::Malformed(text.into());
        if text == "values" {
            return Ok(Self::Values);
        }
        if let Ok(bins) = text.parse() {
            return if bins < 2 { Err(ArmOutcomeError::Bins(bins)) } else { Ok(Self::Quantiles(bins)) };
        }
        let edges = text.split(',').map(|edge| edge.trim().parse().map_err(|_| malformed()));
        rising(edges.collect::<Result<_, _>>()?).map(Self::Edges)
    }
}

impl OutcomeBins {
    /// The inner edges for an arm with these outcomes, among all outcomes.
    pub(super) fn edges(
        &self,
        arm: &'static str,
        own: &[f64],
        all: ArrayView1<f64>,
    ) -> Result<Vec<f64>, ArmOutcomeError> {
        let (sorted, rows) = (sort(own.iter()), own.len());
        let distinct = dedup(sorted.clone());
        match distinct[..] {
            [] => return Err(ArmOutcomeError::NoRows { arm }),
            [value] => return Err(ArmOutcomeError::Constant { arm, rows, value }),
            _ => {}
        }
        let edges = match self {
            Self::Edges(edges) => rising(edges.clone())?,
            Self::Values => {
                let values = dedup(sort(all.iter()));
                if values.len() > MAX_VALUES {
                    return Err(ArmOutcomeError::ManyValues { distinct: values.len(), max: MAX_VALUES });
                }
                values[..values.len() - 1].to_vec()
            }
            Self::Quantiles(bins) => {
                let (bins, distinct) = (*bins, distinct.len());
                if bins < 2 {
                    return Err(ArmOutcomeError::Bins(bins));
                }
                if bins > distinct {
                    return Err(ArmOutcomeError::FewValues { arm, bins, distinct });
                }
                if bins * SMALLEST_FOLD > rows {
                    return Err(ArmOutcomeError::SmallArm { arm, rows, bins });
                }
                // The largest outcome of the first s/S of the arm.
                (1..bins).map(|s| sorted[s * rows / bins - 1]).collect()
            }
        };
        if (edges.len() + 1) * SMALLEST_FOLD > rows {
            return Err(ArmOutcomeError::SmallArm { arm, rows, bins: edges.len() + 1 });
        }
        Ok(edges)
    }
}

fn sort<'a>(values: impl Iterator<Item = &'a f64>) -> Vec<f64> {
    // Adding 0 makes −0 and 0 one value.
    let mut sorted: Vec<f64> = values.map(|v| v + 0.0).collect();
    sorted.sort_unstable_by(f64::total_cmp);
    sorted
}

fn dedup(mut sorted: Vec<f64>) -> Vec<f64> {
    sorted.dedup();
    sorted
}

fn rising(edges: Vec<f64>) -> Result<Vec<f64>, ArmOutcomeError> {
    let rise = edges.iter().all(|e| e.is_finite()) && edges.windows(2).all(|pair| pair[0] < pair[1]);
    if rise && !edges.is_empty() { Ok(edges) } else { Err(ArmOutcomeError::Edges(edges)) }
}

/// Bin s of these edges in words.
pub(super) fn range(edges: &[f64], s: usize) -> String {
    match (s.checked_sub(1).map(|below| edges[below]), edges.get(s)) {
        (None, Some(high)) => format!("outcomes up to {high}"),
        (Some(low), Some(high)) => format!("outcomes above {low} and up to {high}"),
        (Some(low), None) => format!("outcomes above {low}"),
        (None, None) => "all outcomes".into(),
    }
}
