//! What can be wrong with data, in one line each.

use std::path::{Path, PathBuf};

/// A problem with a data file, a column, a row or a parameter of a generator.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
#[allow(missing_docs)] // the message above each variant says what its fields are
pub enum DataError {
    #[error("cannot read `{}`: {reason}", path.display())]
    Unreadable { path: PathBuf, reason: std::io::Error },
    #[error("`{}` is empty; a header line and at least one row are needed", path.display())]
    Empty { path: PathBuf },
    #[error("`{}` has a header and no rows; at least one row is needed", path.display())]
    HeaderOnly { path: PathBuf },
    #[error("`{}` line {line}: not UTF-8; save the file as UTF-8 text", path.display())]
    NotUtf8 { path: PathBuf, line: u64 },
    #[error("`{}` starts with the byte-order mark of {encoding}; save the file as UTF-8 text", path.display())]
    WrongEncoding { path: PathBuf, encoding: &'static str },
    #[error("`{}`: the header is one cell with `{separator}` in it; cells must be separated by commas", path.display())]
    WrongSeparator { path: PathBuf, separator: String },
    #[error("`{}` line {line}: {found} cells, but the header has {expected}", path.display())]
    Ragged { path: PathBuf, line: u64, found: usize, expected: usize },
    #[error("`{}`: two columns are called `{name}`; names must differ", path.display())]
    DuplicateColumn { path: PathBuf, name: String },
    #[error("`{}`: column {position} has no name; every column needs one", path.display())]
    UnnamedColumn { path: PathBuf, position: usize },
    #[error("`{}`: the name of column {position} holds a line break or another control character", path.display())]
    UnprintableName { path: PathBuf, position: usize },
    #[error("`{}` line {line}, column `{column}`: the cell is empty; drop or fill missing values first", path.display())]
    MissingCell { path: PathBuf, line: u64, column: String },
    #[error("`{}` line {line}, column `{column}`: `{value}` is not a number", path.display())]
    NotANumber { path: PathBuf, line: u64, column: String, value: String },
    #[error("`{}` line {line}, column `{column}`: `{value}` is not finite", path.display())]
    NotFinite { path: PathBuf, line: u64, column: String, value: String },
    #[error("`{}` has no column `{name}`; it has {known}", path.display())]
    UnknownColumn { path: PathBuf, name: String, known: String },
    #[error("`{}` line {line}, treatment column `{column}`: {value} is not 0 or 1", path.display())]
    TreatmentNotBinary { path: PathBuf, line: u64, column: String, value: f64 },
    #[error("`{}`, treatment column `{column}`: every row is {arm}; both arms are needed", path.display())]
    OneArm { path: PathBuf, column: String, arm: &'static str },
    #[error("`{}` has {found} row(s); {rule}", path.display())]
    TooFewRows { path: PathBuf, found: usize, rule: String },
    #[error("`{}` has no covariate column: every column is a treatment, an outcome or a truth", path.display())]
    NoCovariates { path: PathBuf },
    #[error("column `{column}` is given as both {one} and {other}; a column has one role")]
    TwoRoles { column: String, one: &'static str, other: &'static str },
    #[error("`{}`: sha256 is {found}, the manifest says {expected}; restore the file or update the manifest", path.display())]
    HashMismatch { path: PathBuf, expected: String, found: String },
    #[error("`{}`: {reason}", path.display())]
    BadManifest { path: PathBuf, reason: String },
    #[error("no data set is called `{name}`; there are {known}")]
    UnknownDataset { name: String, known: String },
    #[error("`{}`: not an NPCI replicate: {reason}", path.display())]
    NotNpci { path: PathBuf, reason: String },
    #[error("{field} {rule}, got {value}")]
    Parameter { field: &'static str, value: String, rule: String },
    #[error("{what} has {found} entries, but there are {expected} rows")]
    Length { what: &'static str, found: usize, expected: usize },
    #[error("{what}: entry {position} is {value}, which is not finite")]
    NotFiniteEntry { what: &'static str, position: usize, value: f64 },
    #[error("the data set `{name}` has no {what}")]
    Absent { name: String, what: &'static str },
}

impl DataError {
    /// A parameter outside its range: `field` `rule`, got `value`.
    pub fn parameter(field: &'static str, value: impl ToString, rule: impl Into<String>) -> Self {
        Self::Parameter { field, value: value.to_string(), rule: rule.into() }
    }

    /// A file that could not be opened or read.
    pub(crate) fn unreadable(path: &Path, reason: std::io::Error) -> Self {
        Self::Unreadable { path: path.to_owned(), reason }
    }
}
