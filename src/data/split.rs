//! Rows into parts: random splits, folds, and the standardisation that training rows define.

use super::{Column, ColumnKind, Covariates, DataError, Dataset, TrainTest};
use crate::seed::Seed;
use ndarray::{Array1, ArrayView2, Axis};
use rand::seq::SliceRandom;

/// A random permutation of 0..n.
pub fn permutation(n: usize, seed: Seed) -> Vec<usize> {
    let mut rows: Vec<usize> = (0..n).collect();
    rows.shuffle(&mut seed.rng());
    rows
}

/// The first `train` rows of a random permutation, and the rest.
///
/// ```
/// use ebmbook::{data::split, seed::Seed};
/// let (train, test) = split::random(10, 7, Seed::new(1))?;
/// assert_eq!((train.len(), test.len()), (7, 3));
/// assert!(split::random(10, 11, Seed::new(1)).is_err());
/// # Ok::<(), ebmbook::data::DataError>(())
/// ```
pub fn random(n: usize, train: usize, seed: Seed) -> Result<(Vec<usize>, Vec<usize>), DataError> {
    if train == 0 || train >= n {
        return Err(DataError::parameter(
            "training rows",
            train,
            format!("must lie in 1..{n}, the rows there are"),
        ));
    }
    let mut rows = permutation(n, seed);
    let rest = rows.split_off(train);
    Ok((rows, rest))
}

/// The fold (0..k) of each row: sizes differ by at most one.
///
/// ```
/// use ebmbook::{data::split, seed::Seed};
/// let folds = split::folds(11, 5, Seed::new(1))?;
/// let sizes: Vec<usize> = (0..5).map(|j| folds.iter().filter(|f| **f == j).count()).collect();
/// assert_eq!(sizes, [3, 2, 2, 2, 2]);
/// # Ok::<(), ebmbook::data::DataError>(())
/// ```
pub fn folds(n: usize, k: usize, seed: Seed) -> Result<Vec<usize>, DataError> {
    if k == 0 || k > n {
        return Err(DataError::parameter(
            "number of folds",
            k,
            format!("must lie in 1..={n}, the rows there are"),
        ));
    }
    let mut fold_of = vec![0; n];
    for (position, row) in permutation(n, seed).into_iter().enumerate() {
        fold_of[row] = position % k;
    }
    Ok(fold_of)
}

/// Column means and population standard deviations of training rows, applied to any rows.
/// Columns without spread are only centred.
///
/// ```
/// use ebmbook::data::split::Standardiser;
/// let train = ndarray::array![[1.0, 5.0], [3.0, 5.0]];
/// let scale = Standardiser::fit(train.view());
/// assert_eq!(scale.apply(ndarray::array![[5.0, 6.0]].view()), ndarray::array![[3.0, 1.0]]);
/// ```
#[derive(Clone, Debug, PartialEq, serde::Serialize, serde::Deserialize)]
pub struct Standardiser {
    mean: Vec<f64>,
    sd: Vec<f64>,
}

impl Standardiser {
    /// Means and standard deviations of these rows. There must be at least one.
    pub fn fit(x: ArrayView2<f64>) -> Self {
        let mean = x.mean_axis(Axis(0)).expect("at least one row");
        let mut sd = x.std_axis(Axis(0), 0.0);
        for (s, column) in x.columns().into_iter().enumerate() {
            // A spread at the level of rounding is none; dividing by it would blow up noise.
            let magnitude = column.iter().fold(0.0_f64, |m, v| m.max(v.abs()));
            if sd[s] <= 10.0 * f64::EPSILON * magnitude {
                sd[s] = 1.0;
            }
        }
        Self { mean: mean.to_vec(), sd: sd.to_vec() }
    }

    /// (x − mean) / sd, column by column.
    pub fn apply(&self, x: ArrayView2<f64>) -> ndarray::Array2<f64> {
        let (mean, sd) = (Array1::from(self.mean.clone()), Array1::from(self.sd.clone()));
        (&x - &mean) / &sd
    }

    /// Column means.
    pub fn mean(&self) -> &[f64] {
        &self.mean
    }

    /// Column standard deviations (1 where a column has no spread).
    pub fn sd(&self) -> &[f64] {
        &self.sd
    }

    fn covariates(&self, covariates: &Covariates) -> Covariates {
        let columns = covariates.columns().iter().enumerate().map(|(s, column)| {
            let kind = match &column.kind {
                ColumnKind::Continuous => ColumnKind::Continuous,
                ColumnKind::Categorical { values } => {
                    let values = values.iter().map(|v| (v - self.mean[s]) / self.sd[s]).collect();
                    ColumnKind::Categorical { values }
                }
            };
            Column { name: column.name.clone(), kind }
        });
        Covariates::new(self.apply(covariates.x()), columns.collect())
            .expect("standardised values stay finite")
    }

    /// The data set with standardised covariates (categorical values move with them).
    pub fn dataset(&self, data: &Dataset) -> Dataset {
        data.with_covariates(self.covariates(data.covariates())).expect("the rows are the same")
    }
}

impl TrainTest {
    /// Both parts with covariates standardised by the training rows.
    pub fn standardised(&self) -> Self {
        let scale = Standardiser::fit(self.train.x());
        Self { train: scale.dataset(&self.train), test: scale.dataset(&self.test), protocol: self.protocol }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use ndarray::array;

    #[test]
    fn categorical_values_follow_their_column_through_standardisation() {
        let x = array![[0.0], [2.0], [2.0], [0.0]];
        let kind = ColumnKind::categorical(x.column(0));
        let covariates = Covariates::new(x, vec![Column { name: "c".into(), kind }]).unwrap();
        let scaled = Standardiser::fit(covariates.x()).covariates(&covariates);
        assert_eq!(scaled.columns()[0].kind, ColumnKind::Categorical { values: vec![-1.0, 1.0] });
        assert_eq!(scaled.x(), array![[-1.0], [1.0], [1.0], [-1.0]]);
    }

    #[test]
    fn a_column_constant_up_to_rounding_is_not_blown_up() {
        let x = array![[0.1 + 0.2], [0.3], [0.3]];
        let scaled = Standardiser::fit(x.view()).apply(x.view());
        assert!(scaled.iter().all(|v| v.abs() < 1e-15));
    }
}
