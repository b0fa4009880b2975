//! Folds by arm and outcome. In: treatments and outcomes of training rows. Out: the fold (a, s) of each row, the rows of
//! arm a whose outcome lies in bin s.
//!
//! Density j = (a, s) then tends to p(x | A = a, Y ∈ s), and with e = Bᵀf
//!
//! ```text
//! e_j(x) − mean_l e_l(x) = −(log P(j | x) − mean_l log P(l | x)) + c_j
//! ```
//!
//! The left side is f modulo B1 ([`Ebm::modulo_b1`](super::Ebm::modulo_b1)). log p_X has dropped out, and what is left are
//! the log-odds of arm and outcome bin.

mod bins;
mod classifier;
mod probabilities;

pub use bins::OutcomeBins;
pub use classifier::FoldClassifier;
pub use probabilities::FoldProbabilities;
pub(crate) use probabilities::{constants_of_shares, probabilities_of_energies};

use super::Folds;
use ndarray::ArrayView1;

/// Rows that a fold must have at the least: fewer do not show a density.
pub const SMALLEST_FOLD: usize = 5;

/// Folds by arm and outcome that cannot be made, in one line each.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
#[non_exhaustive]
#[allow(missing_docs)] // the messages say what the fields are
pub enum ArmOutcomeError {
    #[error("there are {outcomes} outcomes for {treatments} treatments; each row needs one of both")]
    Lengths { treatments: usize, outcomes: usize },
    #[error("outcome of row {row} is {value}; folds by arm and outcome need finite outcomes")]
    NotFinite { row: usize, value: f64 },
    #[error("the {arm} arm has no rows; folds by arm and outcome need both arms")]
    NoRows { arm: &'static str },
    #[error("the outcome is {value} in all {rows} rows of the {arm} arm; it must vary to be put into bins")]
    Constant { arm: &'static str, rows: usize, value: f64 },
    #[error(
        "the {arm} arm has {rows} rows, too few for {bins} outcome bins of at least {SMALLEST_FOLD} rows each"
    )]
    SmallArm { arm: &'static str, rows: usize, bins: usize },
    #[error(
        "{bins} outcome bins are asked for, but the outcome takes {distinct} distinct values in the {arm} arm; ask for at most {distinct}, or for its values"
    )]
    FewValues { arm: &'static str, bins: usize, distinct: usize },
    #[error(
        "bin {bin} of {bins} in the {arm} arm ({range}) has {rows} rows; each must have at least {SMALLEST_FOLD}"
    )]
    SmallBin { arm: &'static str, bin: usize, bins: usize, range: String, rows: usize },
    #[error("number of outcome bins must be at least 2, got {0}")]
    Bins(usize),
    #[error("bin edges must be finite and rise, got {0:?}")]
    Edges(Vec<f64>),
    #[error(
        "the outcome takes {distinct} distinct values, too many for a bin each (at most {max}); give a number of bins"
    )]
    ManyValues { distinct: usize, max: usize },
    #[error("outcome bins must be a number, `values`, or rising edges as in 0,0.5,1; got `{0}`")]
    Malformed(String),
}

/// The fold (a, s) of each training row: number a·S + s, so that the S control folds come first.
///
/// ```
/// use ebmbook::ebm::{ArmOutcome, OutcomeBins};
/// let treated = ndarray::Array1::from_shape_fn(40, |i| i % 2 == 1);
/// let outcome = ndarray::Array1::from_shape_fn(40, |i| i as f64);
/// let folds = ArmOutcome::new(treated.view(), outcome.view(), &OutcomeBins::Quantiles(2))?;
/// assert_eq!((folds.k(), folds.bins()), (4, 2));
/// assert_eq!(folds.of_row()[..4], [0, 2, 0, 2], "low outcomes of the control arm, and of the treated one");
/// assert_eq!(folds.shares(), [0.25; 4]);
///
/// let error = ArmOutcome::new(treated.view(), outcome.view(), &OutcomeBins::Quantiles(5)).unwrap_err();
/// assert_eq!(error.to_string(),
///     "the control arm has 20 rows, too few for 5 outcome bins of at least 5 rows each");
/// # Ok::<(), ebmbook::ebm::ArmOutcomeError>(())
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct ArmOutcome {
    of_row: Vec<usize>,
    bins: usize,
    shares: Vec<f64>,
    means: Vec<f64>,
}

impl ArmOutcome {
    /// Makes the folds. Every one has at least [`SMALLEST_FOLD`] rows, or the error names the arm, the bin and its rows.
    pub fn new(
        treated: ArrayView1<bool>,
        outcome: ArrayView1<f64>,
        bins: &OutcomeBins,
    ) -> Result<Self, ArmOutcomeError> {
        if treated.len() != outcome.len() {
            let (treatments, outcomes) = (treated.len(), outcome.len());
            return Err(ArmOutcomeError::Lengths { treatments, outcomes });
        }
        if let Some((row, value)) = outcome.iter().enumerate().find(|(_, y)| !y.is_finite()) {
            return Err(ArmOutcomeError::NotFinite { row: row + 1, value: *value });
        }
        let mut of_row = vec![0; treated.len()];
        let mut count = 0;
        for (a, arm) in [(false, "control"), (true, "treated")] {
            let rows: Vec<usize> = (0..treated.len()).filter(|i| treated[*i] == a).collect();
            let own: Vec<f64> = rows.iter().map(|i| outcome[*i]).collect();
            let edges = bins.edges(arm, &own, outcome)?;
            count = edges.len() + 1;
            let mut sizes = vec![0; count];
            for (row, y) in rows.iter().zip(&own) {
                // Bin s holds edge_{s−1} < y ≤ edge_s.
                let s = edges.partition_point(|edge| edge < y);
                sizes[s] += 1;
                of_row[*row] = usize::from(a) * count + s;
            }
            if let Some(s) = (0..count).find(|s| sizes[*s] < SMALLEST_FOLD) {
                let (bin, range) = (s + 1, bins::range(&edges, s));
                return Err(ArmOutcomeError::SmallBin { arm, bin, bins: count, range, rows: sizes[s] });
            }
        }
        let (mut rows, mut sums) = (vec![0.0; 2 * count], vec![0.0; 2 * count]);
        for (j, y) in of_row.iter().zip(outcome) {
            rows[*j] += 1.0;
            sums[*j] += y;
        }
        let means = sums.iter().zip(&rows).map(|(sum, rows)| sum / rows).collect();
        let shares = rows.iter().map(|rows| rows / of_row.len() as f64).collect();
        Ok(Self { of_row, bins: count, shares, means })
    }

    /// The folds as a model takes them.
    ///
    /// ```
    /// use ebmbook::{ebm::{ArmOutcome, OutcomeBins}, prelude::*};
    /// let data = synthetic::Released::new(50, 500)?.generate().train;
    /// let folds = ArmOutcome::new(data.treatment()?, data.outcome()?, &OutcomeBins::Quantiles(3))?;
    /// let params = Ebm::params(folds.k()).folds(folds.folds()).epochs(2);
    /// let ebm = Ebm::fit(&params, data.covariates(), Seed::new(1))?;
    /// assert_eq!(ebm.modulo_b1(data.x())?.dim(), (500, 5), "k − 1 coordinates");
    /// # Ok::<(), ebmbook::Error>(())
    /// ```
    pub fn folds(&self) -> Folds {
        Folds::Given(self.of_row.clone())
    }

    /// The fold of each row.
    pub fn of_row(&self) -> &[usize] {
        &self.of_row
    }

    /// Number of folds, k = 2S.
    pub fn k(&self) -> usize {
        2 * self.bins
    }

    /// S, the outcome bins of an arm.
    pub fn bins(&self) -> usize {
        self.bins
    }

    /// P(j), the share of the rows in each fold.
    pub fn shares(&self) -> &[f64] {
        &self.shares
    }

    /// The mean outcome of the rows in each fold.
    pub fn means(&self) -> &[f64] {
        &self.means
    }
}

#[cfg(test)]
mod tests;
