//! Covariates: numbers with a description of each column.

use super::DataError;
use ndarray::{Array2, ArrayView1, ArrayView2, Axis};

/// What the values of a covariate mean, which decides how it is corrupted.
#[derive(Clone, Debug, PartialEq)]
pub enum ColumnKind {
    /// A real number.
    Continuous,
    /// One of finitely many values, in ascending order.
    Categorical {
        /// The values seen, ascending.
        values: Vec<f64>,
    },
}

impl ColumnKind {
    /// Categorical with the distinct values of `column`, in ascending order.
    pub fn categorical(column: ArrayView1<f64>) -> Self {
        Self::Categorical { values: distinct(column) }
    }

    /// `continuous` or `categorical`.
    pub fn name(&self) -> &'static str {
        match self {
            Self::Continuous => "continuous",
            Self::Categorical { .. } => "categorical",
        }
    }
}

/// The distinct values of a column, ascending.
pub(crate) fn distinct(column: ArrayView1<f64>) -> Vec<f64> {
    let mut values = column.to_vec();
    values.sort_unstable_by(f64::total_cmp);
    values.dedup();
    values
}

/// The name and the kind of one covariate.
#[derive(Clone, Debug, PartialEq)]
pub struct Column {
    /// The name, as in the file or `x1`, `x2`, ….
    pub name: String,
    /// Continuous or categorical.
    pub kind: ColumnKind,
}

/// Covariates: an n × d matrix of finite numbers and a description of each column.
///
/// ```
/// use ebmbook::data::Covariates;
/// let x = Covariates::continuous(ndarray::array![[0.1, 0.2], [0.3, 0.4]])?;
/// assert_eq!((x.n(), x.d(), x.columns()[1].name.as_str()), (2, 2, "x2"));
/// # Ok::<(), ebmbook::data::DataError>(())
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct Covariates {
    x: Array2<f64>,
    columns: Vec<Column>,
}

impl Covariates {
    /// Checks that there is a row, a description for each column, and nothing but finite numbers.
    pub fn new(x: Array2<f64>, columns: Vec<Column>) -> Result<Self, DataError> {
        if x.nrows() == 0 || x.ncols() == 0 {
            let shape = format!("{} × {}", x.nrows(), x.ncols());
            return Err(DataError::parameter(
                "covariates",
                shape,
                "must have at least one row and one column",
            ));
        }
        if columns.len() != x.ncols() {
            return Err(DataError::parameter(
                "columns",
                columns.len(),
                format!("must describe each of the {} covariates", x.ncols()),
            ));
        }
        let x = x.as_standard_layout().into_owned();
        finite("covariates", x.iter())?;
        Ok(Self { x, columns })
    }

    /// Covariates `x1 … xd`, all continuous.
    pub fn continuous(x: Array2<f64>) -> Result<Self, DataError> {
        let columns =
            (1..=x.ncols()).map(|s| Column { name: format!("x{s}"), kind: ColumnKind::Continuous }).collect();
        Self::new(x, columns)
    }

    /// The n × d matrix.
    pub fn x(&self) -> ArrayView2<'_, f64> {
        self.x.view()
    }

    /// Names and kinds.
    pub fn columns(&self) -> &[Column] {
        &self.columns
    }

    /// Number of rows.
    pub fn n(&self) -> usize {
        self.x.nrows()
    }

    /// Number of covariates.
    pub fn d(&self) -> usize {
        self.x.ncols()
    }

    /// The names of the columns that take a single value in these rows. They carry nothing and
    /// are never corrupted.
    ///
    /// ```
    /// use ebmbook::data::Covariates;
    /// let x = Covariates::continuous(ndarray::array![[1.0, 7.0], [2.0, 7.0]])?;
    /// assert_eq!(x.constant_columns(), ["x2"]);
    /// # Ok::<(), ebmbook::data::DataError>(())
    /// ```
    pub fn constant_columns(&self) -> Vec<&str> {
        let constant = |s: &usize| self.x.column(*s).iter().all(|v| *v == self.x[[0, *s]]);
        (0..self.d()).filter(constant).map(|s| self.columns[s].name.as_str()).collect()
    }

    /// The given rows, in the given order. Kinds keep the values of the full data.
    pub fn rows(&self, rows: &[usize]) -> Self {
        Self { x: self.x.select(Axis(0), rows), columns: self.columns.clone() }
    }
}

/// Refuses the first entry that is NaN or infinite.
pub(super) fn finite<'a>(what: &'static str, values: impl Iterator<Item = &'a f64>) -> Result<(), DataError> {
    match values.enumerate().find(|(_, v)| !v.is_finite()) {
        Some((position, value)) => Err(DataError::NotFiniteEntry { what, position, value: *value }),
        None => Ok(()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use ndarray::array;

    #[test]
    fn empty_or_infinite_covariates_are_refused() {
        assert!(Covariates::continuous(array![[f64::INFINITY]]).is_err());
        assert!(Covariates::continuous(Array2::zeros((0, 2))).is_err());
        assert!(Covariates::new(array![[1.0, 2.0]], vec![]).is_err());
    }

    #[test]
    fn categorical_values_are_distinct_and_ascending() {
        let column = array![3.0, 1.0, 3.0, -2.0];
        assert_eq!(
            ColumnKind::categorical(column.view()),
            ColumnKind::Categorical { values: vec![-2.0, 1.0, 3.0] }
        );
    }
}
