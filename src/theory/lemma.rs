//! Lemma B.2: the cross-entropy Σ w_c log w̃_c, as the paper writes it without the minus sign, is largest over
//! the simplex at w̃ = w.

use crate::seed::Seed;
use ndarray::{Array1, ArrayView1};
use ndarray_rand::RandomExt;
use rand_distr::Exp1;

/// Σ w_c log w̃_c, with 0·log 0 = 0.
///
/// ```
/// use ebmbook::theory::lemma::cross_entropy;
/// use ndarray::array;
/// let w = array![0.5, 0.5];
/// assert!(cross_entropy(w.view(), w.view()) > cross_entropy(w.view(), array![0.9, 0.1].view()));
/// ```
pub fn cross_entropy(w: ArrayView1<f64>, w_tilde: ArrayView1<f64>) -> f64 {
    w.iter().zip(w_tilde).filter(|(w, _)| **w > 0.0).map(|(w, t)| w * t.ln()).sum()
}

/// A uniform draw from the simplex of dimension m.
pub fn uniform_simplex(m: usize, seed: Seed) -> Array1<f64> {
    let mut rng = seed.rng();
    let draws = Array1::<f64>::random_using(m, Exp1, &mut rng);
    let sum = draws.sum();
    draws / sum
}

/// Smallest advantage of the truth, Σ w log w − Σ w log w̃, over `draws` pairs of uniform points of
/// simplices with 2 to 12 corners. The lemma says that it is at least 0 (it is the Kullback–Leibler
/// divergence). With `normalised = false` w̃ is doubled, so it leaves the simplex: the control.
pub fn smallest_advantage(draws: usize, normalised: bool, seed: Seed) -> f64 {
    (0..draws).map(|i| advantage(i, normalised, seed)).fold(f64::INFINITY, f64::min)
}

/// The mean of the same advantage: the mean Kullback–Leibler divergence of two uniform points of a simplex,
/// which is what there is to gain from knowing w.
///
/// ```
/// use ebmbook::{seed::Seed, theory::lemma::mean_advantage};
/// assert!(mean_advantage(500, Seed::new(1)) > 0.1);
/// ```
pub fn mean_advantage(draws: usize, seed: Seed) -> f64 {
    (0..draws).map(|i| advantage(i, true, seed)).sum::<f64>() / draws as f64
}

/// Σ w log w − Σ w log w̃ of pair i.
fn advantage(i: usize, normalised: bool, seed: Seed) -> f64 {
    let m = 2 + i % 11;
    let w = uniform_simplex(m, seed.index(i).child("w"));
    let mut w_tilde = uniform_simplex(m, seed.index(i).child("w tilde"));
    if !normalised {
        w_tilde *= 2.0;
    }
    cross_entropy(w.view(), w.view()) - cross_entropy(w.view(), w_tilde.view())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_truth_wins_on_the_simplex_and_loses_off_it() {
        assert!(smallest_advantage(5000, true, Seed::new(1)) >= 0.0);
        assert!(smallest_advantage(5000, false, Seed::new(1)) < -0.1);
    }
}
