//! `--folds`: the kinds that the covariates decide, and those that other columns make.

use super::Problem;
use ebmbook::data::Dataset;
use ebmbook::data::csv::Table;
use ebmbook::ebm::{ArmOutcome, EbmError, Folds, OutcomeBins};
use std::str::FromStr;

/// Which density each row trains, as it is asked for.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum FoldChoice {
    /// By covariates or at random.
    Kind(Folds),
    /// By treatment and outcome.
    ArmOutcome,
    /// By a column.
    Column(String),
}

/// Folds, and the k that goes with them where they decide it.
pub(super) struct Made {
    pub folds: Folds,
    pub k: Option<usize>,
}

impl FromStr for FoldChoice {
    type Err = EbmError;

    fn from_str(text: &str) -> Result<Self, EbmError> {
        let rule = "must be `random`, `all`, `k-means`, `soft`, `arm-outcome` or `given:COLUMN`";
        match text.split_once(':') {
            None if text == "arm-outcome" => Ok(Self::ArmOutcome),
            Some(("given", column)) if !column.is_empty() => Ok(Self::Column(column.into())),
            _ => text.parse().map(Self::Kind).map_err(|_| EbmError::parameter("folds", text, rule)),
        }
    }
}

impl FoldChoice {
    /// Columns that are no covariates.
    pub fn set_aside(&self) -> Vec<String> {
        match self {
            Self::Column(name) => vec![name.clone()],
            _ => Vec::new(),
        }
    }

    /// The folds of these rows.
    pub fn make(
        &self,
        table: &Table,
        train: &Dataset,
        bins: Option<&OutcomeBins>,
        k: Option<usize>,
    ) -> Result<Made, Problem> {
        if bins.is_some() && *self != Self::ArmOutcome {
            return Err(Problem::new("--bins is for --folds arm-outcome"));
        }
        let (folds, own) = match self {
            Self::Kind(folds) => return Ok(Made { folds: folds.clone(), k }),
            Self::Column(name) => Folds::from_column(table.column(name)?)?,
            Self::ArmOutcome => {
                let (Ok(treated), Ok(outcome)) = (train.treatment(), train.outcome()) else {
                    return Err(Problem::new(
                        "--treatment COLUMN and --outcome COLUMN are needed to make folds by arm and outcome",
                    ));
                };
                let folds = ArmOutcome::new(treated, outcome, bins.unwrap_or(&OutcomeBins::Quantiles(4)))?;
                (folds.folds(), folds.k())
            }
        };
        if let Some(k) = k.filter(|k| *k != own) {
            let rule = format!("must be {own}, the number of folds, or not be given");
            return Err(EbmError::parameter("representation size k", k, rule).into());
        }
        Ok(Made { folds, k: Some(own) })
    }
}
