//! Nearest training rows, by Euclidean distance. Equal distances are ordered by row number.

use super::blocks::BLOCK;
use super::distances::Distances;
use crate::linalg::squared_distance;
use ndarray::{Array1, Array2, ArrayView1, ArrayView2, s};

/// For each row its m nearest training rows, nearest first.
pub(super) struct Neighbours {
    /// rows × m positions among the training rows.
    pub index: Array2<usize>,
    /// rows × m distances.
    pub distance: Array2<f64>,
}

/// The m nearest training rows of each training row, the row itself left out.
pub(super) fn among(train: ArrayView2<f64>, m: usize) -> Neighbours {
    search(train, train, m, true)
}

/// The m nearest training rows of each row.
pub(super) fn nearest(train: ArrayView2<f64>, rows: ArrayView2<f64>, m: usize) -> Neighbours {
    search(train, rows, m, false)
}

/// Squared distances from one matrix product find the candidates fast, but only up to rounding.
/// So every row within the rounding error of the m-th smallest is a candidate, and the exact
/// distances of the candidates decide.
fn search(train: ArrayView2<f64>, rows: ArrayView2<f64>, m: usize, leave_out_self: bool) -> Neighbours {
    let n = train.nrows();
    assert!(m + usize::from(leave_out_self) <= n, "more neighbours asked for than there are rows");
    let mut index = Array2::zeros((rows.nrows(), m));
    let mut distances = Array2::zeros((rows.nrows(), m));
    let prepared = Distances::to(train);
    let mut candidates: Vec<(f64, usize)> = Vec::new();
    for start in (0..rows.nrows()).step_by(BLOCK) {
        let block = rows.slice(s![start..rows.nrows().min(start + BLOCK), ..]);
        let (mut squares, error) = prepared.squared(block);
        for (i, mut squares) in squares.rows_mut().into_iter().enumerate() {
            if leave_out_self {
                squares[start + i] = f64::INFINITY;
            }
            let bound = mth_smallest(squares.view(), m) + error[i];
            candidates.clear();
            let close = squares.iter().enumerate().filter(|(_, v)| **v <= bound).map(|(j, _)| j);
            candidates.extend(close.map(|j| (squared_distance(block.row(i), train.row(j)).sqrt(), j)));
            candidates.sort_unstable_by(|a, b| a.0.total_cmp(&b.0).then(a.1.cmp(&b.1)));
            for (to, (distance, j)) in candidates.iter().take(m).enumerate() {
                index[[start + i, to]] = *j;
                distances[[start + i, to]] = *distance;
            }
        }
    }
    Neighbours { index, distance: distances }
}

/// The m-th smallest value.
fn mth_smallest(values: ArrayView1<f64>, m: usize) -> f64 {
    if m > 32 {
        let mut values = values.to_vec();
        return *values.select_nth_unstable_by(m - 1, f64::total_cmp).1;
    }
    // Few are wanted: nearly every value fails one comparison with the largest kept so far.
    let mut kept = Array1::from_elem(m, f64::INFINITY);
    for value in values {
        if *value < kept[m - 1] {
            let mut at = m - 1;
            while at > 0 && kept[at - 1] > *value {
                kept[at] = kept[at - 1];
                at -= 1;
            }
            kept[at] = *value;
        }
    }
    kept[m - 1]
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::seed::Seed;
    use rand::Rng;

    /// Rows on a coarse lattice far from the origin: ties and duplicates in plenty.
    fn lattice(n: usize) -> Array2<f64> {
        let mut rng = Seed::new(3).rng();
        Array2::from_shape_simple_fn((n, 3), || 1e6 + f64::from(rng.random_range(0..4)))
    }

    #[test]
    fn ties_are_ordered_by_row_number() {
        let (train, rows) = (lattice(200), lattice(300));
        for m in [1, 5, 60] {
            let found = nearest(train.view(), rows.view(), m);
            for (i, row) in rows.rows().into_iter().enumerate() {
                let mut all: Vec<(f64, usize)> =
                    train.rows().into_iter().map(|t| squared_distance(t, row).sqrt()).zip(0..).collect();
                all.sort_unstable_by(|a, b| a.0.total_cmp(&b.0).then(a.1.cmp(&b.1)));
                let expected: Vec<usize> = all.iter().take(m).map(|(_, j)| *j).collect();
                assert_eq!(found.index.row(i).to_vec(), expected, "row {i}, m = {m}");
            }
        }
    }

    #[test]
    fn a_duplicate_is_at_distance_zero_and_never_the_row_itself() {
        let x = ndarray::array![[1.0, 2.0], [1.0, 2.0], [1.0, 2.5]];
        let found = among(x.view(), 1);
        assert_eq!(found.index, ndarray::array![[1], [0], [0]]);
        assert_eq!(found.distance, ndarray::array![[0.0], [0.0], [0.5]]);
    }
}
