//! k-means with k-means++ starts. In: rows. Out: k centres.

use super::EbmError;
use super::folds::squared;
use crate::seed::Seed;
use ndarray::{Array2, ArrayView1, ArrayView2};
use rand::Rng;

/// Starts tried; the one with the smallest sum of squares is kept.
const STARTS: usize = 10;
/// Lloyd iterations at most.
const ITERATIONS: usize = 300;

/// k cluster centres.
///
/// ```
/// use ebmbook::{ebm::KMeans, seed::Seed};
/// let x = ndarray::array![[0.0], [0.2], [9.0], [9.2]];
/// let clusters = KMeans::fit(x.view(), 2, Seed::new(1))?;
/// assert!((clusters.inertia(x.view()) - 0.04).abs() < 1e-12);
/// # Ok::<(), ebmbook::ebm::EbmError>(())
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct KMeans {
    centres: Array2<f64>,
}

impl KMeans {
    /// The best of ten k-means++ starts, each run to convergence.
    pub fn fit(x: ArrayView2<f64>, k: usize, seed: Seed) -> Result<Self, EbmError> {
        if k == 0 || k > x.nrows() {
            let rule = format!("must lie in 1..={} (the rows there are) for k-means folds", x.nrows());
            return Err(EbmError::parameter("number of clusters k", k, rule));
        }
        let mut best: Option<(f64, Self)> = None;
        for start in 0..STARTS {
            let found = Self { centres: lloyd(x, plus_plus(x, k, seed.index(start))?) };
            let inertia = found.inertia(x);
            if best.as_ref().is_none_or(|(smallest, _)| inertia < *smallest) {
                best = Some((inertia, found));
            }
        }
        Ok(best.expect("at least one start").1)
    }

    /// Known centres, one a row.
    pub fn from_centres(centres: Array2<f64>) -> Self {
        Self { centres }
    }

    /// The centres, one a row.
    pub fn centres(&self) -> ArrayView2<'_, f64> {
        self.centres.view()
    }

    /// The nearest centre of each row.
    pub fn predict(&self, x: ArrayView2<f64>) -> Vec<usize> {
        x.rows().into_iter().map(|row| nearest(row, &self.centres).0).collect()
    }

    /// The nearest centre of one row.
    pub fn nearest(&self, row: ArrayView1<f64>) -> usize {
        nearest(row, &self.centres).0
    }

    /// Σ ‖x_i − nearest centre‖².
    pub fn inertia(&self, x: ArrayView2<f64>) -> f64 {
        x.rows().into_iter().map(|row| nearest(row, &self.centres).1).sum()
    }
}

fn nearest(row: ArrayView1<f64>, centres: &Array2<f64>) -> (usize, f64) {
    let mut best = (0, f64::INFINITY);
    for (j, centre) in centres.rows().into_iter().enumerate() {
        let distance = squared(row, centre);
        if distance < best.1 {
            best = (j, distance);
        }
    }
    best
}

/// Centres drawn one after the other with probability ∝ squared distance to those drawn before.
fn plus_plus(x: ArrayView2<f64>, k: usize, seed: Seed) -> Result<Array2<f64>, EbmError> {
    let mut rng = seed.rng();
    let mut centres = Array2::zeros((k, x.ncols()));
    let mut distance = vec![f64::INFINITY; x.nrows()];
    let mut next = rng.random_range(0..x.nrows());
    for j in 0..k {
        centres.row_mut(j).assign(&x.row(next));
        distance.iter_mut().zip(x.rows()).for_each(|(d, row)| *d = d.min(squared(row, x.row(next))));
        let total: f64 = distance.iter().sum();
        if j + 1 == k {
            break;
        }
        if total <= 0.0 {
            let rule = format!("must be at most {}, the number of distinct rows, for k-means folds", j + 1);
            return Err(EbmError::parameter("number of clusters k", k, rule));
        }
        let mut left = rng.random::<f64>() * total;
        // Rows at distance 0 are never drawn, not even when rounding leaves a remainder.
        next = distance.iter().rposition(|d| *d > 0.0).expect("the total is positive");
        for (i, d) in distance.iter().enumerate() {
            if *d > 0.0 && left < *d {
                next = i;
                break;
            }
            left -= d;
        }
    }
    Ok(centres)
}

/// Means of the nearest rows, until nothing moves. An emptied cluster takes the row farthest from
/// its centre.
fn lloyd(x: ArrayView2<f64>, mut centres: Array2<f64>) -> Array2<f64> {
    let k = centres.nrows();
    let mut labels = vec![usize::MAX; x.nrows()];
    for _ in 0..ITERATIONS {
        let found: Vec<(usize, f64)> = x.rows().into_iter().map(|row| nearest(row, &centres)).collect();
        let unchanged = found.iter().zip(&labels).all(|((j, _), label)| j == label);
        if unchanged {
            break;
        }
        labels = found.iter().map(|(j, _)| *j).collect();
        let mut counts = vec![0.0; k];
        centres.fill(0.0);
        for (row, j) in x.rows().into_iter().zip(&labels) {
            counts[*j] += 1.0;
            let mut centre = centres.row_mut(*j);
            centre += &row;
        }
        let mut distance: Vec<f64> = found.iter().map(|(_, distance)| *distance).collect();
        for (j, count) in counts.iter().enumerate() {
            let mut centre = centres.row_mut(j);
            if *count > 0.0 {
                centre /= *count;
            } else {
                let farthest = (0..x.nrows()).max_by(|a, b| distance[*a].total_cmp(&distance[*b]));
                let farthest = farthest.expect("there are at least k rows");
                distance[farthest] = 0.0;
                centre.assign(&x.row(farthest));
            }
        }
    }
    centres
}

#[cfg(test)]
mod tests {
    use super::*;
    use ndarray::array;

    #[test]
    fn well_separated_clusters_are_found_whatever_the_seed() {
        let x = Array2::from_shape_fn((90, 2), |(i, s)| {
            let centre = [[0.0, 0.0], [10.0, 0.0], [0.0, 10.0]][i % 3][s];
            centre + 0.01 * ((i * 7 + s * 3) % 11) as f64
        });
        for seed in 0..20 {
            let clusters = KMeans::fit(x.view(), 3, Seed::new(seed)).unwrap();
            let labels = clusters.predict(x.view());
            assert!((0..90).all(|i| labels[i] == labels[i % 3]), "seed {seed}");
        }
    }

    #[test]
    fn more_clusters_than_distinct_rows_are_refused() {
        let x = array![[1.0], [1.0], [2.0]];
        let error = KMeans::fit(x.view(), 3, Seed::new(0)).unwrap_err();
        assert_eq!(
            error.to_string(),
            "number of clusters k must be at most 2, the number of distinct rows, for k-means folds, got 3"
        );
        assert!(KMeans::fit(x.view(), 4, Seed::new(0)).is_err());
    }
}
