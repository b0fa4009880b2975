//! Tables of results, in which words stand beside numbers.

use crate::data::DataError;
use std::path::Path;

/// Rows of a CSV file by the names of its columns: words in some cells, numbers in others.
///
/// ```
/// use ebmbook::data::csv::Records;
/// let rows = Records::parse("table.csv".as_ref(), "arm,n,error\npca,100,1.5\nraw,100,\npca,250,1.25\n")?;
/// let pca = rows.only("arm", "pca");
/// assert_eq!(pca.numbers("error"), [1.5, 1.25]);
/// assert_eq!(pca.words("n"), ["100", "250"]);
/// assert!(rows.only("arm", "raw").numbers("error")[0].is_nan(), "an empty cell is no number");
/// # Ok::<(), ebmbook::data::DataError>(())
/// ```
#[derive(Clone, Debug)]
pub struct Records {
    names: csv::StringRecord,
    rows: Vec<csv::StringRecord>,
}

impl Records {
    /// Reads a file.
    pub fn read(path: impl AsRef<Path>) -> Result<Self, DataError> {
        let path = path.as_ref();
        let text = std::fs::read_to_string(path).map_err(|e| DataError::unreadable(path, e))?;
        Self::parse(path, &text)
    }

    /// Reads the text of a file; `path` is for messages only.
    pub fn parse(path: &Path, text: &str) -> Result<Self, DataError> {
        let wrong = |e: csv::Error| DataError::unreadable(path, std::io::Error::other(e));
        let mut reader = csv::Reader::from_reader(text.as_bytes());
        let names = reader.headers().map_err(wrong)?.clone();
        let rows = reader.records().collect::<Result<_, _>>().map_err(wrong)?;
        Ok(Self { names, rows })
    }

    /// The rows that have this word in this column.
    pub fn only(&self, column: &str, word: &str) -> Self {
        let at = self.at(column);
        let rows = self.rows.iter().filter(|row| &row[at] == word).cloned().collect();
        Self { names: self.names.clone(), rows }
    }

    /// A column as it stands in the file.
    pub fn words(&self, column: &str) -> Vec<String> {
        let at = self.at(column);
        self.rows.iter().map(|row| row[at].to_owned()).collect()
    }

    /// A column of numbers; NaN where a cell has none.
    pub fn numbers(&self, column: &str) -> Vec<f64> {
        let at = self.at(column);
        self.rows.iter().map(|row| row[at].parse().unwrap_or(f64::NAN)).collect()
    }

    /// How many rows there are.
    pub fn len(&self) -> usize {
        self.rows.len()
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.rows.is_empty()
    }

    /// # Panics
    /// If there is no such column.
    fn at(&self, column: &str) -> usize {
        let known = || self.names.iter().collect::<Vec<_>>().join(", ");
        self.names
            .iter()
            .position(|name| name == column)
            .unwrap_or_else(|| panic!("no column is called `{column}`; there are {}", known()))
    }
}
