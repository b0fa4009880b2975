//! Three definitions of "the same representation", as distances one can compute. In: f and g at the same rows.
//! Out: what is left of g after the best map of f from each class.
//!
//! ```text
//! up to a constant (Proposition 3.3)          g = f + C
//! strong identifiability (ICE-BeeM, Def. 2)   g_i = a_i f_{γ(i)} + c_i,   γ a permutation
//! weak identifiability (ICE-BeeM, Def. 1)     g = A f + c,   A of full rank
//! ```
//!
//! Each class contains the one above it. A model that is identified up to a constant is therefore identified in
//! the two other senses, and the definition above is the stronger one; a model with a learned B is identified in
//! the last sense only.

use crate::linalg::thin_svd;
use ndarray::{Array2, ArrayView2, Axis};

/// √(Σ‖g − T(f)‖² / Σ‖g − mean‖²) at the best T of each class; 0 if g is such a map of f, 1 if T helps nothing.
#[derive(Clone, Copy, Debug, PartialEq, serde::Serialize)]
pub struct Residuals {
    /// T(f) = f + C. The only one that can exceed 1.
    pub constant: f64,
    /// T scales, shifts and permutes coordinates.
    pub strong: f64,
    /// T is affine.
    pub weak: f64,
}

/// The residuals of g on f.
///
/// ```
/// use ebmbook::theory::equivalence::residuals;
/// use ndarray::array;
/// let f = array![[0.0, 1.0], [1.0, 0.5], [3.0, -2.0], [2.0, 2.0]];
/// let shifted = residuals(f.view(), (&f + &array![[3.0, -1.0]]).view());
/// assert!(shifted.constant < 1e-14);
/// let swapped = residuals(f.view(), f.select(ndarray::Axis(1), &[1, 0]).view());
/// assert!(swapped.constant > 0.1 && swapped.strong < 1e-14);
/// let rotated = residuals(f.view(), f.dot(&array![[0.6, 0.8], [0.8, -0.6]]).view());
/// assert!(rotated.strong > 0.1 && rotated.weak < 1e-14);
/// ```
///
/// # Panics
/// If the shapes differ, or there are more than 16 coordinates: all their permutations are looked at.
pub fn residuals(f: ArrayView2<f64>, g: ArrayView2<f64>) -> Residuals {
    assert_eq!(f.dim(), g.dim(), "the same rows and coordinates");
    assert!(f.ncols() <= 16, "permutations of at most 16 coordinates");
    let (f, g) = (centred(f), centred(g));
    let total = square(&g);
    let relative = |left: f64| (left.max(0.0) / total).sqrt();
    // Projection of g onto the columns of f; directions at the rounding level carry nothing.
    let (u, s, _) = thin_svd(f.view());
    let rank = s.iter().filter(|v| **v > s[0] * 1e-12).count();
    let u = u.slice(ndarray::s![.., ..rank]);
    Residuals {
        constant: relative(square(&(&g - &f))),
        strong: relative(best_assignment(&cost(&f, &g))),
        weak: relative(square(&(&g - &u.dot(&u.t().dot(&g))))),
    }
}

fn centred(a: ArrayView2<f64>) -> Array2<f64> {
    &a - &a.mean_axis(Axis(0)).expect("there are rows")
}

fn square(a: &Array2<f64>) -> f64 {
    a.iter().map(|v| v * v).sum()
}

/// ‖g_i − a f_j‖² at the best a, for each i and j.
fn cost(f: &Array2<f64>, g: &Array2<f64>) -> Array2<f64> {
    Array2::from_shape_fn((g.ncols(), f.ncols()), |(i, j)| {
        let (gi, fj) = (g.column(i), f.column(j));
        let own = fj.dot(&fj);
        let scale = if own > 0.0 { gi.dot(&fj) / own } else { 0.0 };
        (&gi - &(&fj * scale)).iter().map(|v| v * v).sum()
    })
}

/// The cheapest way to give every row a column of its own: over sets of columns, row by row.
fn best_assignment(cost: &Array2<f64>) -> f64 {
    let k = cost.nrows();
    let mut best = vec![f64::INFINITY; 1 << k];
    best[0] = 0.0;
    for used in 0..1_usize << k {
        let row = used.count_ones() as usize;
        for j in (0..k).filter(|j| row < k && used >> j & 1 == 0) {
            let with = used | 1 << j;
            best[with] = f64::min(best[with], best[used] + cost[[row, j]]);
        }
    }
    best[(1 << k) - 1]
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::seed::Seed;
    use crate::theory::lemma::uniform_simplex;
    use ndarray::array;

    #[test]
    fn the_classes_are_nested() {
        let draw =
            |seed| Array2::from_shape_vec((20, 3), uniform_simplex(60, Seed::new(seed)).to_vec()).unwrap();
        for seed in 0..20 {
            let r = residuals(draw(seed).view(), draw(seed + 100).view());
            assert!(r.weak <= r.strong + 1e-12 && r.strong <= r.constant + 1e-12 && r.strong <= 1.0, "{r:?}");
        }
    }

    #[test]
    fn an_assignment_uses_every_column_once() {
        // Row by row the first column is cheapest for both.
        assert_eq!(best_assignment(&array![[0.0, 5.0], [1.0, 9.0]]), 6.0);
    }
}
