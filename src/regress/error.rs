//! What can be wrong with a regression or a classification, in one line each.

/// A model that cannot be fitted or applied.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
#[allow(missing_docs)] // the messages say what the fields are
pub enum RegressError {
    #[error("no regressor is called `{name}`; there are {known}")]
    UnknownRegressor { name: String, known: String },
    #[error("{model}: {field} {rule}, got {value}")]
    Parameter { model: &'static str, field: &'static str, rule: &'static str, value: f64 },
    #[error("{model}: there are no rows to fit; at least one is needed")]
    NoRows { model: &'static str },
    #[error("{model}: {found} {what} for {rows} rows; there must be one a row")]
    Lengths { model: &'static str, what: &'static str, found: usize, rows: usize },
    #[error("{model}: {what}: entry {position} is {value}, which is not finite")]
    NotFinite { model: &'static str, what: &'static str, position: usize, value: f64 },
    #[error("{model}: weights must be non-negative with a positive sum; entry {position} is {value}")]
    Weights { model: &'static str, position: usize, value: f64 },
    #[error("{model}: {n} rows need an n × n matrix; at most {max} rows fit")]
    TooManyRows { model: &'static str, n: usize, max: usize },
    #[error("{model}: {columns} columns are too many; at most {max} fit")]
    TooManyColumns { model: &'static str, columns: usize, max: usize },
    #[error(
        "{model}: the {size} × {size} system is singular to rounding at penalty alpha = {alpha}; a larger penalty makes it solvable"
    )]
    Singular { model: &'static str, size: usize, alpha: f64 },
    #[error("{model}: rows have {found} columns, but it was fitted on {expected}")]
    Width { model: &'static str, found: usize, expected: usize },
    #[error("{model}: every row is {arm}; both arms are needed")]
    OneArm { model: &'static str, arm: &'static str },
    #[error(
        "{model}: no convergence after {steps} steps; columns on very different scales are the usual cause"
    )]
    NoConvergence { model: &'static str, steps: usize },
    #[error(
        "{model}: column {column} (counted from 1) leaves the range of numbers under exponent lambda = {lambda}"
    )]
    Overflow { model: &'static str, column: usize, lambda: f64 },
}
