//! k-means. In: rows. Out: k centres, the cluster of each row, and the cluster of any other row.
//!
//! ```text
//! minimise  Σ_i ‖x_i − c_{l(i)}‖²   over centres c_1 … c_k and labels l
//! ```
//!
//! by Lloyd's algorithm from several greedy k-means++ starts, with the stopping rule, the tolerance
//! and the treatment of empty clusters that scikit-learn has.

use super::RepresentationError;
use super::blocks::{check, check_size, squared_distances};
use crate::seed::Seed;
use ndarray::{Array1, Array2, ArrayView1, ArrayView2, Axis};
use rand::Rng;
use rand_chacha::ChaCha8Rng;

const NAME: &str = "k-means";

/// How k-means is run.
///
/// ```
/// use ebmbook::{representation::kmeans::KMeans, seed::Seed};
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
    /// k clusters; ten starts, at most 300 iterations, tolerance 1e-4.
    pub fn new(k: usize) -> Self {
        Self { k, starts: 10, max_iterations: 300, tolerance: 1e-4 }
    }

    /// Another number of starts, of which the one with the smallest sum of squares is kept.
    pub fn with_starts(self, starts: usize) -> Self {
        Self { starts: starts.max(1), ..self }
    }

    /// Fits on rows; start i uses the i-th item below the seed.
    pub fn fit(&self, x: ArrayView2<f64>, seed: Seed) -> Result<Clusters, RepresentationError> {
        check_size(NAME, self.k, x.nrows(), "the number of rows")?;
        check(NAME, x, x.ncols())?;
        let runs = (0..self.starts).map(|start| {
            let mut rng = seed.child(NAME).index(start).rng();
            self.lloyd(x, plus_plus(x, self.k, &mut rng))
        });
        Ok(runs.reduce(|best, run| if run.inertia < best.inertia { run } else { best }).expect("a start"))
    }

    /// Lloyd's algorithm from given centres (k × d).
    pub fn fit_from(
        &self,
        x: ArrayView2<f64>,
        centres: Array2<f64>,
    ) -> Result<Clusters, RepresentationError> {
        check_size(NAME, self.k, x.nrows(), "the number of rows")?;
        check_size(NAME, self.k, centres.nrows(), "the number of given centres")?;
        check(NAME, x, centres.ncols())?;
        Ok(self.lloyd(x, centres))
    }

    fn lloyd(&self, x: ArrayView2<f64>, mut centres: Array2<f64>) -> Clusters {
        // Relative to the mean variance of the columns, so that the unit of measurement is no matter.
        let tolerance = self.tolerance * x.var_axis(Axis(0), 0.0).mean().unwrap_or(0.0);
        let mut labels = Array1::from_elem(x.nrows(), usize::MAX);
        for _ in 0..self.max_iterations {
            let (new_labels, squares) = assign(x, centres.view());
            let new_centres = means(x, &new_labels, &squares, centres.nrows());
            let moved: f64 = (&new_centres - &centres).iter().map(|m| m * m).sum();
            let settled = new_labels == labels;
            (centres, labels) = (new_centres, new_labels);
            if settled || moved <= tolerance {
                break;
            }
        }
        let (labels, squares) = assign(x, centres.view());
        Clusters { centres, labels, inertia: squares.sum() }
    }
}

impl Clusters {
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
    pub fn predict(&self, rows: ArrayView2<f64>) -> Result<Array1<usize>, RepresentationError> {
        check(NAME, rows, self.centres.ncols())?;
        Ok(assign(rows, self.centres()).0)
    }

    /// Euclidean distances of any rows to the centres, rows × k.
    pub fn distances(&self, rows: ArrayView2<f64>) -> Result<Array2<f64>, RepresentationError> {
        check(NAME, rows, self.centres.ncols())?;
        Ok(squared_distances(rows, self.centres()).mapv_into(f64::sqrt))
    }
}

/// The nearest centre of each row and the squared distance to it.
fn assign(x: ArrayView2<f64>, centres: ArrayView2<f64>) -> (Array1<usize>, Array1<f64>) {
    let nearest = |squares: ArrayView1<f64>| {
        let first = (0, squares[0]);
        squares
            .iter()
            .copied()
            .enumerate()
            .fold(first, |best, here| if here.1 < best.1 { here } else { best })
    };
    let (labels, squares): (Vec<usize>, Vec<f64>) =
        squared_distances(x, centres).rows().into_iter().map(nearest).unzip();
    (labels.into(), squares.into())
}

/// The mean of each cluster. An empty cluster gets the row that lies farthest from its centre,
/// and that row leaves the cluster it was in.
fn means(x: ArrayView2<f64>, labels: &Array1<usize>, squares: &Array1<f64>, k: usize) -> Array2<f64> {
    let mut sums = Array2::<f64>::zeros((k, x.ncols()));
    let mut sizes = vec![0_usize; k];
    for (row, label) in x.rows().into_iter().zip(labels) {
        let mut sum = sums.row_mut(*label);
        sum += &row;
        sizes[*label] += 1;
    }
    let empty: Vec<usize> = (0..k).filter(|c| sizes[*c] == 0).collect();
    if !empty.is_empty() {
        let mut far_first: Vec<usize> = (0..x.nrows()).collect();
        far_first.sort_by(|a, b| squares[*b].total_cmp(&squares[*a]));
        for (cluster, row) in empty.into_iter().zip(far_first) {
            let mut old = sums.row_mut(labels[row]);
            old -= &x.row(row);
            sizes[labels[row]] -= 1;
            sums.row_mut(cluster).assign(&x.row(row));
            sizes[cluster] = 1;
        }
    }
    for (mut sum, size) in sums.rows_mut().into_iter().zip(sizes) {
        sum /= size.max(1) as f64;
    }
    sums
}

/// Greedy k-means++: each further centre is the best of 2 + ⌊ln k⌋ rows drawn with probability
/// proportional to the squared distance to the centres so far.
fn plus_plus(x: ArrayView2<f64>, k: usize, rng: &mut ChaCha8Rng) -> Array2<f64> {
    let trials = 2 + (k as f64).ln() as usize;
    let mut chosen = vec![rng.random_range(0..x.nrows())];
    let squares_to = |row: usize| squared_distances(x, x.row(row).insert_axis(Axis(0))).remove_axis(Axis(1));
    let mut closest = squares_to(chosen[0]);
    while chosen.len() < k {
        let best = (0..trials)
            .map(|_| {
                let row = draw(&closest, rng);
                let mut with_it = squares_to(row);
                with_it.zip_mut_with(&closest, |new, old| *new = new.min(*old));
                (row, with_it)
            })
            .reduce(|best, trial| if trial.1.sum() < best.1.sum() { trial } else { best });
        let (row, squares) = best.expect("at least two trials");
        chosen.push(row);
        closest = squares;
    }
    x.select(Axis(0), &chosen)
}

/// A position with probability proportional to its weight.
fn draw(weights: &Array1<f64>, rng: &mut ChaCha8Rng) -> usize {
    let mut left = rng.random::<f64>() * weights.sum();
    for (i, weight) in weights.iter().enumerate() {
        left -= weight;
        if left < 0.0 {
            return i;
        }
    }
    // All weights are zero (every row is a centre already) or rounding used them up.
    weights.len() - 1
}

#[cfg(test)]
mod tests {
    use super::*;

    fn cloud(n: usize) -> Array2<f64> {
        let mut rng = Seed::new(11).rng();
        Array2::from_shape_simple_fn((n, 3), || rng.random::<f64>())
    }

    #[test]
    fn one_cluster_sits_at_the_mean() {
        let x = cloud(50);
        let clusters = KMeans::new(1).fit(x.view(), Seed::new(0)).unwrap();
        assert!(
            (&clusters.centres().row(0) - &super::super::blocks::column_means(x.view()))
                .iter()
                .all(|e| e.abs() < 1e-14)
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
