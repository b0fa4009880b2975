//! CSV files of users. In: a path and the roles of the columns. Out: a [`Dataset`], or one line
//! that says where the file breaks which rule.
//!
//! A file has a header with distinct names and then rows of finite numbers. The columns called
//! `y0`, `y1` (potential outcomes) and `tau` (noiseless effect) are truths, never covariates.

mod parse;
mod records;
mod roles;
mod write;

pub use records::Records;
pub use roles::{KindRule, MAX_DISTINCT, Roles, TRUTH_COLUMNS};
pub use write::write;

use super::{Column, Covariates, DataError, Dataset};
use ndarray::{Array1, Array2, ArrayView1, ArrayView2, Axis};
use parse::{parse_header, parse_row, records};
use std::path::{Path, PathBuf};

/// A CSV file in memory: distinct names, and nothing but finite numbers.
///
/// ```
/// use ebmbook::data::csv::{Roles, Table};
/// let table = Table::parse("mine.csv".as_ref(), b"age,drug,score\n61,0,1.5\n58,1,2.5\n")?;
/// let roles = Roles { treatment: Some("drug".into()), outcome: Some("score".into()), ..Default::default() };
/// let data = table.dataset(&roles)?;
/// assert_eq!((data.d(), data.difference_in_means()?), (1, 1.0));
///
/// let error = Table::parse("mine.csv".as_ref(), b"age,age\n1,2\n").unwrap_err();
/// assert_eq!(error.to_string(), "`mine.csv`: two columns are called `age`; names must differ");
/// # Ok::<(), ebmbook::data::DataError>(())
/// ```
#[derive(Clone, Debug)]
pub struct Table {
    path: PathBuf,
    names: Vec<String>,
    values: Array2<f64>,
    /// The line each row starts on, for messages.
    lines: Vec<u64>,
}

impl Table {
    /// Reads and checks a file.
    pub fn read(path: &Path) -> Result<Self, DataError> {
        let bytes = std::fs::read(path).map_err(|e| DataError::unreadable(path, e))?;
        Self::parse(path, &bytes)
    }

    /// Checks the bytes of a file; `path` is for messages only.
    pub fn parse(path: &Path, bytes: &[u8]) -> Result<Self, DataError> {
        let path = path.to_owned();
        let wrong_encoding = |encoding| DataError::WrongEncoding { path: path.clone(), encoding };
        let bytes = match bytes {
            // Spreadsheets write this mark in front of UTF-8; it is harmless.
            [0xef, 0xbb, 0xbf, rest @ ..] => rest,
            [0xff, 0xfe, ..] => return Err(wrong_encoding("UTF-16 (little endian)")),
            [0xfe, 0xff, ..] => return Err(wrong_encoding("UTF-16 (big endian)")),
            all => all,
        };
        let mut records = records(bytes);
        let Some((_, header)) = records.next() else { return Err(DataError::Empty { path }) };
        let names = parse_header(&path, &header)?;
        Self::from_records(path, names, records)
    }

    /// Parses a file without a header, whose columns have known names.
    pub(super) fn parse_headless(path: &Path, names: Vec<String>, bytes: &[u8]) -> Result<Self, DataError> {
        Self::from_records(path.to_owned(), names, records(bytes))
    }

    fn from_records(
        path: PathBuf,
        names: Vec<String>,
        records: impl Iterator<Item = (u64, ::csv::ByteRecord)>,
    ) -> Result<Self, DataError> {
        let (mut values, mut lines) = (Vec::new(), Vec::new());
        for (line, record) in records {
            parse_row(&path, line, &names, &record, &mut values)?;
            lines.push(line);
        }
        if lines.is_empty() {
            return Err(DataError::HeaderOnly { path });
        }
        let shape = (lines.len(), names.len());
        let values = Array2::from_shape_vec(shape, values).expect("each row has one value a name");
        Ok(Self { path, names, values, lines })
    }

    /// The column names, in file order.
    pub fn names(&self) -> &[String] {
        &self.names
    }

    /// All values, rows × columns.
    pub fn values(&self) -> ArrayView2<'_, f64> {
        self.values.view()
    }

    /// Number of rows.
    pub fn n(&self) -> usize {
        self.values.nrows()
    }

    /// One column by name.
    pub fn column(&self, name: &str) -> Result<ArrayView1<'_, f64>, DataError> {
        Ok(self.values.column(self.position(name)?))
    }

    /// The data set with these roles; every other column is a covariate.
    pub fn dataset(&self, roles: &Roles) -> Result<Dataset, DataError> {
        self.check_roles(roles)?;
        let is_role = |name: &String| {
            TRUTH_COLUMNS.contains(&name.as_str())
                || [&roles.treatment, &roles.outcome].into_iter().flatten().any(|r| r == name)
                || roles.set_aside.contains(name)
        };
        let names: Vec<&String> = self.names.iter().filter(|name| !is_role(name)).collect();
        let columns = names
            .iter()
            .map(|name| {
                Ok(Column { name: (*name).clone(), kind: roles.kinds.kind(name, self.column(name)?) })
            })
            .collect::<Result<_, DataError>>()?;
        self.assemble(roles, columns)
    }

    /// The covariates that `train` has, found by name, with its kinds. Other columns are
    /// looked at only where `roles` names them.
    pub fn dataset_like(&self, train: &Dataset, roles: &Roles) -> Result<Dataset, DataError> {
        self.assemble(roles, train.covariates().columns().to_vec())
    }

    fn assemble(&self, roles: &Roles, columns: Vec<Column>) -> Result<Dataset, DataError> {
        if columns.is_empty() {
            return Err(DataError::NoCovariates { path: self.path.clone() });
        }
        let positions: Vec<usize> =
            columns.iter().map(|c| self.position(&c.name)).collect::<Result<_, _>>()?;
        let covariates = Covariates::new(self.values.select(Axis(1), &positions), columns)?;
        let name = self.path.file_stem().unwrap_or_default().to_string_lossy();
        let mut builder = Dataset::builder(name, covariates);
        let treatment = roles.treatment.as_deref().map(|name| self.binary(name)).transpose()?;
        let outcome = roles.outcome.as_deref().map(|name| self.column(name)).transpose()?;
        if let (Some(treatment), Some(outcome)) = (treatment, outcome) {
            builder = builder.observed(treatment, outcome.to_owned());
        }
        let truth = |name: &str| self.column(name).ok().map(|c| c.to_owned());
        match (truth("y0"), truth("y1")) {
            (Some(y0), Some(y1)) => builder = builder.potential_outcomes(y0, y1),
            (None, None) => {}
            // A lone potential outcome is a mistake in the file: say which one is missing.
            (None, Some(_)) => return Err(self.unknown("y0")),
            (Some(_), None) => return Err(self.unknown("y1")),
        }
        if let Some(tau) = truth("tau") {
            builder = builder.effect(tau);
        }
        builder.build()
    }

    /// Refuses roles that name an unknown column, or one column twice.
    fn check_roles(&self, roles: &Roles) -> Result<(), DataError> {
        let mut given: Vec<(&str, &'static str)> = Vec::new();
        let single = [(&roles.treatment, "treatment"), (&roles.outcome, "outcome")];
        given.extend(single.iter().filter_map(|(name, role)| Some((name.as_deref()?, *role))));
        let lists = [
            (&roles.set_aside, "a set-aside column"),
            (&roles.kinds.categorical, "a categorical covariate"),
            (&roles.kinds.continuous, "a continuous covariate"),
        ];
        given.extend(lists.iter().flat_map(|(names, role)| names.iter().map(|n| (n.as_str(), *role))));
        for (i, (name, role)) in given.iter().enumerate() {
            self.position(name)?;
            if TRUTH_COLUMNS.contains(name) {
                return Err(DataError::TwoRoles { column: (*name).into(), one: "a truth", other: role });
            }
            if let Some((_, one)) = given[..i].iter().find(|(other, _)| other == name) {
                return Err(DataError::TwoRoles { column: (*name).into(), one, other: role });
            }
        }
        Ok(())
    }

    /// A column of zeros and ones in which both occur.
    pub fn binary(&self, name: &str) -> Result<Array1<bool>, DataError> {
        let column = self.column(name)?;
        let path = || self.path.clone();
        if let Some((row, value)) = column.iter().enumerate().find(|(_, v)| **v != 0.0 && **v != 1.0) {
            let line = self.lines[row];
            return Err(DataError::TreatmentNotBinary {
                path: path(),
                line,
                column: name.into(),
                value: *value,
            });
        }
        let treated = column.iter().filter(|v| **v == 1.0).count();
        if treated == 0 || treated == column.len() {
            let arm = if treated == 0 { "control" } else { "treated" };
            return Err(DataError::OneArm { path: path(), column: name.into(), arm });
        }
        Ok(column.mapv(|v| v == 1.0))
    }

    fn position(&self, name: &str) -> Result<usize, DataError> {
        self.names.iter().position(|n| n == name).ok_or_else(|| self.unknown(name))
    }

    fn unknown(&self, name: &str) -> DataError {
        const SHOWN: usize = 8;
        let mut known =
            self.names.iter().take(SHOWN).map(|n| format!("`{n}`")).collect::<Vec<_>>().join(", ");
        if self.names.len() > SHOWN {
            known += &format!(" and {} more", self.names.len() - SHOWN);
        }
        DataError::UnknownColumn { path: self.path.clone(), name: name.into(), known }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parse(text: &str) -> Result<Table, DataError> {
        Table::parse(Path::new("t.csv"), text.as_bytes())
    }

    #[test]
    fn a_utf8_mark_spaces_and_carriage_returns_are_harmless() {
        let table = parse("\u{feff}a , b\r\n 1, 2\r\n").unwrap();
        assert_eq!(table.names(), ["a", "b"]);
        assert_eq!(table.values(), ndarray::array![[1.0, 2.0]]);
    }

    #[test]
    fn a_row_with_too_few_cells_is_named_by_its_line() {
        let error = parse("a,b\n1,2\n\n3\n").unwrap_err();
        assert_eq!(error.to_string(), "`t.csv` line 4: 1 cells, but the header has 2");
        let error = parse("a,b\r\n1,2\r\n\r\n\r\n3,4\r\n5\r\n").unwrap_err();
        assert_eq!(error.to_string(), "`t.csv` line 6: 1 cells, but the header has 2");
    }

    #[test]
    fn fifty_values_are_categories_and_fifty_one_are_numbers() {
        let column = |m: usize| Array1::from_shape_fn(m, |i| i as f64);
        let rule = KindRule::default();
        assert_eq!(rule.kind("x", column(50).view()).name(), "categorical");
        assert_eq!(rule.kind("x", column(51).view()).name(), "continuous");
        let forced = KindRule { continuous: vec!["x".into()], ..KindRule::default() };
        assert_eq!(forced.kind("x", column(2).view()).name(), "continuous");
    }

    #[test]
    fn test_rows_are_matched_to_training_columns_by_name() {
        let train = parse("x1,x2,a,y\n1,2,0,1\n3,4,1,2\n").unwrap();
        let roles = Roles { treatment: Some("a".into()), outcome: Some("y".into()), ..Default::default() };
        let train = train.dataset(&roles).unwrap();
        let test = parse("tau,x2,x1\n9,20,10\n").unwrap().dataset_like(&train, &Roles::default()).unwrap();
        assert_eq!(test.x(), ndarray::array![[10.0, 20.0]]);
        assert_eq!(test.effect().unwrap(), ndarray::array![9.0]);
    }

    #[test]
    fn written_numbers_read_back_to_the_same_bits() {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("bits.csv");
        let values = ndarray::array![[0.1 + 0.2, -0.0, 5e-324], [1.0 / 3.0, f64::MAX, 1e22]];
        write(&path, &["a", "b,c", "d"], values.view()).unwrap();
        let back = Table::read(&path).unwrap();
        assert_eq!(back.names(), ["a", "b,c", "d"]);
        assert!(back.values.iter().zip(&values).all(|(a, b)| a.to_bits() == b.to_bits()));
    }
}
