//! What the columns of a file mean.

use crate::data::ColumnKind;
use crate::data::covariates::distinct;
use ndarray::ArrayView1;

/// Columns with this name are truths about the rows, not covariates.
pub const TRUTH_COLUMNS: [&str; 3] = ["y0", "y1", "tau"];

/// A column with at most this many distinct values is taken for categorical (the authors' rule).
pub const MAX_DISTINCT: usize = 50;

/// How a column's kind is found.
#[derive(Clone, Debug)]
pub struct KindRule {
    /// At most this many distinct values make a column categorical.
    pub max_distinct: usize,
    /// Columns that are categorical whatever they hold.
    pub categorical: Vec<String>,
    /// Columns that are continuous whatever they hold.
    pub continuous: Vec<String>,
}

impl Default for KindRule {
    fn default() -> Self {
        Self { max_distinct: MAX_DISTINCT, categorical: vec![], continuous: vec![] }
    }
}

impl KindRule {
    /// The kind of the column `name` with these values.
    pub fn kind(&self, name: &str, column: ArrayView1<f64>) -> ColumnKind {
        let values = distinct(column);
        let named = |list: &[String]| list.iter().any(|n| n == name);
        if named(&self.continuous) || (!named(&self.categorical) && values.len() > self.max_distinct) {
            ColumnKind::Continuous
        } else {
            ColumnKind::Categorical { values }
        }
    }
}

/// Which column plays which role.
#[derive(Clone, Debug, Default)]
pub struct Roles {
    /// Name of the treatment column (0 or 1).
    pub treatment: Option<String>,
    /// Name of the observed-outcome column.
    pub outcome: Option<String>,
    /// Columns that are not covariates for another reason (a fold number, a known propensity).
    pub set_aside: Vec<String>,
    /// How kinds are found.
    pub kinds: KindRule,
}
