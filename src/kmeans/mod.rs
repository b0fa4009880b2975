//! k-means. In: rows. Out: k centres, the cluster of each row, and the cluster of any other row.
//!
//! ```text
//! minimise  Σ_i ‖x_i − c_{l(i)}‖²   over centres c_1 … c_k and labels l
//! ```
//!
//! by Lloyd's algorithm from several k-means++ starts, with the stopping rule and the treatment of
//! empty clusters that scikit-learn has. Folds of the EBM and the distances to centres that it is
//! compared with are both made of it.

mod lloyd;
mod start;

use crate::linalg::squared_distances;
use crate::seed::Seed;
use lloyd::assign;
use ndarray::{Array1, Array2, ArrayView1, ArrayView2, Axis};

/// Rows that cannot be put into clusters.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
#[allow(missing_docs)] // the messages say what the fields are
pub enum KMeansError {
    #[error("k-means: k must lie in 1..={max} ({why}), got {k}")]
    Size { k: usize, max: usize, why: &'static str },
    #[error("k-means: rows have {found} covariates, but the centres have {expected}")]
    Width { found: usize, expected: usize },
    #[error("k-means: row {row}, covariate {column} is {value}; every number must be finite")]
    NotFinite { row: usize, column: usize, value: f64 },
}

/// How k-means is run.
///
/// ```
/// use ebmbook::{kmeans::KMeans, seed::Seed};
/// let x = ndarray::array![[0.0], [0.2], [9.0], [9.2]];
/// let clusters = KMeans::new(2).fit(x.view(), Seed::new(0))?;
/// assert_eq!(clusters.labels()[0], clusters.labels()[1]);
/// assert_ne!(clusters.labels()[1], clusters.labels()[2]);
/// assert!((clusters.inertia() - 0.04).abs() < 1e-12);
/// assert_eq!(clusters.predict(ndarray::array![[8.0]].view())?[0], clusters.labels()[3]);
/// # Ok::<(), ebmbook::Error>(())
/// ```
#[derive(Clone, Copy, Debug)]
pub struct KMeans {
    k: usize,
    starts: usize,
    /// Rows that are tried for each further centre of a start.
    trials: usize,
    max_iterations: usize,
    tolerance: f64,
}

/// The result of k-means.
#[derive(Clone, Debug)]
pub struct Clusters {
    centres: Array2<f64>,
    labels: Array1<usize>,
    inertia: f64,
}

impl KMeans {
    /// k clusters as scikit-learn finds them: ten greedy k-means++ starts with 2 + ⌊ln k⌋ trials, at
    /// most 300 iterations, tolerance 1e-4.
    pub fn new(k: usize) -> Self {
        let trials = 2 + (k.max(1) as f64).ln() as usize;
        Self { k, starts: 10, trials, max_iterations: 300, tolerance: 1e-4 }
    }

    /// k clusters by the textbook: k-means++ starts without trials, each run until no row changes
    /// its cluster.
    ///
    /// ```
    /// use ebmbook::{kmeans::KMeans, seed::Seed};
    /// let x = ndarray::array![[0.0], [0.2], [9.0], [9.2]];
    /// let clusters = KMeans::textbook(2).fit(x.view(), Seed::new(1))?;
    /// assert!((clusters.inertia() - 0.04).abs() < 1e-12);
    /// # Ok::<(), ebmbook::Error>(())
    /// ```
    pub fn textbook(k: usize) -> Self {
        Self { trials: 1, tolerance: 0.0, ..Self::new(k) }
    }

    /// Another number of starts, of which the one with the smallest sum of squares is kept.
    pub fn with_starts(self, starts: usize) -> Self {
        Self { starts: starts.max(1), ..self }
    }

    /// Fits on rows; start i uses the i-th item below the seed.
    pub fn fit(&self, x: ArrayView2<f64>, seed: Seed) -> Result<Clusters, KMeansError> {
        self.check(x.nrows(), "the number of rows")?;
        check(x, x.ncols())?;
        let runs = (0..self.starts).map(|start| {
            self.lloyd(x, start::plus_plus(x, self.k, self.trials, &mut seed.index(start).rng()))
        });
        Ok(runs.reduce(|best, run| if run.inertia < best.inertia { run } else { best }).expect("a start"))
    }

    /// Lloyd's algorithm from given centres (k × d).
    pub fn fit_from(&self, x: ArrayView2<f64>, centres: Array2<f64>) -> Result<Clusters, KMeansError> {
        self.check(x.nrows(), "the number of rows")?;
        self.check(centres.nrows(), "the number of given centres")?;
        check(x, centres.ncols())?;
        Ok(self.lloyd(x, centres))
    }

    fn check(&self, max: usize, why: &'static str) -> Result<(), KMeansError> {
        let k = self.k;
        if (1..=max).contains(&k) { Ok(()) } else { Err(KMeansError::Size { k, max, why }) }
    }
}

impl Clusters {
    /// Given centres (k × d) as they are, and the nearest of them for each row.
    ///
    /// ```
    /// use ebmbook::kmeans::Clusters;
    /// let (x, centres) = (ndarray::array![[1.0], [9.0]], ndarray::array![[0.0], [8.0]]);
    /// let clusters = Clusters::around(x.view(), centres)?;
    /// assert_eq!(clusters.labels(), ndarray::array![0, 1]);
    /// assert_eq!(clusters.inertia(), 2.0);
    /// # Ok::<(), ebmbook::Error>(())
    /// ```
    pub fn around(x: ArrayView2<f64>, centres: Array2<f64>) -> Result<Self, KMeansError> {
        KMeans::new(centres.nrows()).check(centres.nrows(), "the number of given centres")?;
        check(x, centres.ncols())?;
        Ok(Self::assigned(x, centres))
    }

    /// The centres, k × d.
    pub fn centres(&self) -> ArrayView2<'_, f64> {
        self.centres.view()
    }

    /// The cluster of each row that was fitted on.
    pub fn labels(&self) -> ArrayView1<'_, usize> {
        self.labels.view()
    }

    /// Σ of squared distances of the rows to their centres.
    pub fn inertia(&self) -> f64 {
        self.inertia
    }

    /// The cluster of any rows: that of the nearest centre, of equally near ones the first.
    pub fn predict(&self, rows: ArrayView2<f64>) -> Result<Array1<usize>, KMeansError> {
        check(rows, self.centres.ncols())?;
        Ok(assign(rows, self.centres()).0)
    }

    /// The cluster of one row of finite numbers.
    pub(crate) fn nearest(&self, row: ArrayView1<f64>) -> usize {
        assign(row.insert_axis(Axis(0)), self.centres()).0[0]
    }

    /// Euclidean distances of any rows to the centres, rows × k.
    pub fn distances(&self, rows: ArrayView2<f64>) -> Result<Array2<f64>, KMeansError> {
        check(rows, self.centres.ncols())?;
        Ok(squared_distances(rows, self.centres()).mapv_into(f64::sqrt))
    }
}

/// Refuses rows of another width, and numbers that are not finite.
fn check(rows: ArrayView2<f64>, expected: usize) -> Result<(), KMeansError> {
    if rows.ncols() != expected {
        return Err(KMeansError::Width { found: rows.ncols(), expected });
    }
    match rows.indexed_iter().find(|(_, v)| !v.is_finite()) {
        Some(((row, column), value)) => Err(KMeansError::NotFinite { row, column, value: *value }),
        None => Ok(()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use ndarray_rand::RandomExt;
    use rand_distr::StandardUniform;

    fn cloud(n: usize) -> Array2<f64> {
        let mut rng = Seed::new(11).rng();
        Array2::random_using((n, 3), StandardUniform, &mut rng)
    }

    #[test]
    fn one_cluster_sits_at_the_mean() {
        let x = cloud(50);
        let clusters = KMeans::new(1).fit(x.view(), Seed::new(0)).unwrap();
        assert!(
            (&clusters.centres().row(0) - &x.mean_axis(Axis(0)).unwrap()).iter().all(|e| e.abs() < 1e-14)
        );
    }

    #[test]
    fn as_many_clusters_as_rows_leave_no_distance() {
        let x = cloud(12);
        let clusters = KMeans::new(12).fit(x.view(), Seed::new(0)).unwrap();
        assert_eq!(clusters.inertia(), 0.0);
        let mut labels = clusters.labels().to_vec();
        labels.sort_unstable();
        assert_eq!(labels, (0..12).collect::<Vec<_>>());
    }

    #[test]
    fn an_empty_cluster_takes_the_farthest_row() {
        let x = ndarray::array![[0.0], [1.0], [10.0]];
        let far_away = ndarray::array![[0.5], [1e6]];
        let clusters = KMeans::new(2).fit_from(x.view(), far_away).unwrap();
        assert_eq!(clusters.labels(), ndarray::array![0, 0, 1]);
        assert_eq!(clusters.centres(), ndarray::array![[0.5], [10.0]]);
    }

    #[test]
    fn more_starts_never_fit_worse() {
        let x = cloud(200);
        let inertia =
            |starts| KMeans::new(8).with_starts(starts).fit(x.view(), Seed::new(4)).unwrap().inertia();
        assert!(inertia(10) <= inertia(1));
    }

    #[test]
    fn identical_rows_and_impossible_sizes_are_handled() {
        let x = Array2::from_elem((5, 2), 3.0);
        let clusters = KMeans::new(2).fit(x.view(), Seed::new(0)).unwrap();
        assert_eq!(clusters.inertia(), 0.0);
        let error = KMeans::new(6).fit(x.view(), Seed::new(0)).unwrap_err();
        assert_eq!(error.to_string(), "k-means: k must lie in 1..=5 (the number of rows), got 6");
    }
}
