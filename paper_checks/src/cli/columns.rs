//! The options by which every command that reads a user's CSV learns what its columns mean.

use super::Problem;
use clap::Args;
use ebmbook::data::Dataset;
use ebmbook::data::csv::{KindRule, MAX_DISTINCT, Roles, Table};
use std::path::{Path, PathBuf};

/// What the columns of a CSV file mean.
#[derive(Args, Clone, Debug)]
pub struct ColumnArgs {
    /// Name of the treatment column (0 or 1). Columns y0, y1 and tau are truths, never covariates.
    #[arg(long, value_name = "COLUMN")]
    pub treatment: Option<String>,
    /// Name of the observed-outcome column.
    #[arg(long, value_name = "COLUMN")]
    pub outcome: Option<String>,
    /// Covariates that are categorical whatever they hold.
    #[arg(long, value_name = "COLUMN,…", value_delimiter = ',')]
    pub categorical: Vec<String>,
    /// Covariates that are continuous whatever they hold.
    #[arg(long, value_name = "COLUMN,…", value_delimiter = ',')]
    pub continuous: Vec<String>,
    /// A covariate with at most this many distinct values is categorical.
    #[arg(long, value_name = "M", default_value_t = MAX_DISTINCT)]
    pub max_distinct: usize,
}

/// Rows to fit on, rows to apply the fit to, and what the columns of both mean.
#[derive(Args, Clone, Debug)]
pub struct TrainTestFiles {
    /// CSV file of training rows.
    #[arg(long, value_name = "FILE")]
    pub train: PathBuf,
    /// CSV file of the rows asked about; its columns are found by name, and y0, y1 and tau in it are
    /// truths.
    #[arg(long, value_name = "FILE")]
    pub test: PathBuf,
    #[command(flatten)]
    pub columns: ColumnArgs,
}

impl TrainTestFiles {
    /// The training file as a table and as data, with further columns set aside.
    pub fn read_train(&self, set_aside: &[String]) -> Result<(Table, Dataset), Problem> {
        let table = Table::read(&self.train)?;
        let data = table.dataset(&self.columns.roles(set_aside))?;
        Ok((table, data))
    }

    /// The other file, its covariates those of the training rows.
    pub fn read_test(&self, train: &Dataset) -> Result<(Table, Dataset), Problem> {
        let table = Table::read(&self.test)?;
        let data = table.dataset_like(train, &Roles::default())?;
        Ok((table, data))
    }
}

impl ColumnArgs {
    /// The roles these options describe, with further columns set aside.
    pub fn roles(&self, set_aside: &[String]) -> Roles {
        Roles {
            treatment: self.treatment.clone(),
            outcome: self.outcome.clone(),
            set_aside: set_aside.to_vec(),
            kinds: KindRule {
                max_distinct: self.max_distinct,
                categorical: self.categorical.clone(),
                continuous: self.continuous.clone(),
            },
        }
    }

    /// Reads a training file.
    pub fn read(&self, path: &Path) -> Result<Dataset, Problem> {
        Ok(Table::read(path)?.dataset(&self.roles(&[]))?)
    }
}

/// Names on standard error, once the work is done, the covariates that never vary.
pub fn note_constant(train: &Dataset) {
    let constant = train.covariates().constant_columns();
    if !constant.is_empty() {
        super::progress::note(format!(
            "note: constant in the training rows, never corrupted: {}",
            constant.join(", ")
        ));
    }
}
