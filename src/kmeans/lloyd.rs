//! Lloyd's algorithm: nearest centres and means in turn.

use super::{Clusters, KMeans};
use crate::linalg::squared_distances;
use ndarray::{Array1, Array2, ArrayView1, ArrayView2, Axis};

impl KMeans {
    /// Means of the nearest rows, until no row changes its cluster or the centres hardly move.
    pub(super) fn lloyd(&self, x: ArrayView2<f64>, mut centres: Array2<f64>) -> Clusters {
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
        Clusters::assigned(x, centres)
    }
}

impl Clusters {
    pub(super) fn assigned(x: ArrayView2<f64>, centres: Array2<f64>) -> Self {
        let (labels, squares) = assign(x, centres.view());
        Self { centres, labels, inertia: squares.iter().sum() }
    }
}

/// The nearest centre of each row and the squared distance to it.
pub(super) fn assign(x: ArrayView2<f64>, centres: ArrayView2<f64>) -> (Array1<usize>, Array1<f64>) {
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
