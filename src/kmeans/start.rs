//! Where Lloyd's algorithm starts: rows far from one another.

use crate::linalg::squared_distances;
use ndarray::{Array1, Array2, ArrayView2, Axis};
use rand::Rng;
use rand_chacha::ChaCha8Rng;

/// k-means++: each further centre is the best of some rows drawn with probability proportional to
/// the squared distance to the centres so far.
pub(super) fn plus_plus(x: ArrayView2<f64>, k: usize, trials: usize, rng: &mut ChaCha8Rng) -> Array2<f64> {
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
        let (row, squares) = best.expect("at least one trial");
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
    // Rounding used the weights up, or all are zero: every row is a centre already.
    weights.iter().rposition(|weight| *weight > 0.0).unwrap_or(weights.len() - 1)
}
