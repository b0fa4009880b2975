//! Proposition 3.3: the k densities determine f up to an additive constant.
//!
//! Forward: adding C to f changes no density. Converse, constructively: stack
//! `log p_j(x) = −β_jᵀf(x) − log Z_j` over j and multiply by B,
//!
//! ```text
//! f(x) = −B (log p(x) + log Z) = −B log p(x) + constant,     because B Bᵀ = I.
//! ```

use crate::linalg::thin_svd;
use ndarray::{Array2, ArrayView2, Axis};

/// f up to a constant from the log-densities (points × k) and the directions (k × k).
///
/// ```
/// use ebmbook::theory::{density::{Grid, log_densities}, identifiability::{constant_gap, recover}};
/// use ndarray::array;
/// let b = array![[0.6, 0.8], [0.8, -0.6]];
/// let f = array![[0.1, 2.0], [-1.0, 0.5], [0.3, 0.3]];
/// let log_p = log_densities(&Grid::finite(array![[0.0], [1.0], [2.0]]), f.view(), b.view());
/// assert!(constant_gap(recover(log_p.view(), b.view()).view(), f.view()) < 1e-14);
/// ```
pub fn recover(log_p: ArrayView2<f64>, directions: ArrayView2<f64>) -> Array2<f64> {
    // Equation (5), Proposition 3.3: equal densities, equal f up to a constant. Rows: f(x)ᵀ = −(log p(x))ᵀ Bᵀ
    -log_p.dot(&directions.t())
}

/// f from any directions, one per column, orthogonal or not: `f = −(Bᵀ)⁺ log p + constant` with the
/// pseudo-inverse. It is exact where B has full rank k; otherwise it is the shortest f with these densities,
/// and what lies outside the span of the directions is lost.
///
/// ```
/// use ebmbook::theory::{density::{Grid, log_densities}, identifiability::{constant_gap, recover_from_any}};
/// use ndarray::{array, s};
/// let b = array![[1.0, 0.5], [0.0, 2.0]];
/// let f = array![[0.1, 2.0], [-1.0, 0.5], [0.3, 0.3]];
/// let log_p = log_densities(&Grid::finite(array![[0.0], [1.0], [2.0]]), f.view(), b.view());
/// assert!(constant_gap(recover_from_any(log_p.view(), b.view()).view(), f.view()) < 1e-14);
/// let one = recover_from_any(log_p.slice(s![.., ..1]), b.slice(s![.., ..1]));
/// assert!(constant_gap(one.view(), f.view()) > 0.1);
/// ```
pub fn recover_from_any(log_p: ArrayView2<f64>, directions: ArrayView2<f64>) -> Array2<f64> {
    // B = U S Vᵀ, rows: f(x)ᵀ = −(log p(x))ᵀ V S⁺ Uᵀ; singular values at the rounding level are zeros.
    let (u, s, v) = thin_svd(directions);
    let inverse = s.mapv(|value| if value > s[0] * 1e-12 { 1.0 / value } else { 0.0 });
    -log_p.dot(&(&v * &inverse)).dot(&u.t())
}

/// How far two representations are from differing by a constant: the largest entry of f − g after
/// its column means are removed.
pub fn constant_gap(f: ArrayView2<f64>, g: ArrayView2<f64>) -> f64 {
    let difference = &f - &g;
    let mean = difference.mean_axis(Axis(0)).expect("there are points");
    (difference - &mean).iter().fold(0.0, |m, d| m.max(d.abs()))
}

/// How far g is from an affine function of f: the largest residual of the least-squares fit. What
/// remains identified when B is learned along with f.
pub fn affine_gap(f: ArrayView2<f64>, g: ArrayView2<f64>) -> f64 {
    let centre = |a: ArrayView2<f64>| {
        let mean = a.mean_axis(Axis(0)).expect("there are points");
        &a - &mean
    };
    let (f, g) = (centre(f), centre(g));
    // Projection of g onto the column space of f; directions at the rounding level carry nothing.
    let (u, s, _) = thin_svd(f.view());
    let rank = s.iter().filter(|v| **v > s[0] * 1e-12).count();
    let u = u.slice(ndarray::s![.., ..rank]);
    let residual = &g - &u.dot(&u.t().dot(&g));
    residual.iter().fold(0.0, |m, d| m.max(d.abs()))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::theory::density::{Grid, log_densities};
    use ndarray::array;

    fn setting() -> (Grid, Array2<f64>, Array2<f64>) {
        let grid = Grid::quadrature(1, -2.0, 2.0, 4);
        let f = Array2::from_shape_fn((grid.weights.len(), 2), |(i, j)| {
            let x = grid.points[[i, 0]];
            if j == 0 { x.sin() } else { x * x }
        });
        (grid, f, array![[0.6, 0.8], [0.8, -0.6]])
    }

    #[test]
    fn a_constant_is_invisible_and_anything_else_is_not() {
        let (grid, f, b) = setting();
        let shifted = &f + &array![[3.0, -7.0]];
        let gap = |g: &Array2<f64>| {
            let difference =
                log_densities(&grid, f.view(), b.view()) - log_densities(&grid, g.view(), b.view());
            difference.iter().fold(0.0_f64, |m, d| m.max(d.abs()))
        };
        // Energies of size 10 rounded at 2⁻⁵³ leave about 1e-14.
        assert!(gap(&shifted) < 1e-13);
        assert!(gap(&(&f * 1.01)) > 1e-3);
    }

    #[test]
    fn a_rank_deficient_b_loses_a_direction() {
        let (grid, f, _) = setting();
        let deficient = array![[1.0, 1.0], [0.0, 0.0]];
        let log_p = log_densities(&grid, f.view(), deficient.view());
        assert!(constant_gap(recover(log_p.view(), deficient.view()).view(), f.view()) > 0.1);
    }

    #[test]
    fn a_learned_b_identifies_f_only_up_to_a_linear_map() {
        let (grid, f, b) = setting();
        // Another orthogonal B' with f' = B'Bᵀf has the same energies, hence the same densities.
        let other = array![[1.0, 0.0], [0.0, 1.0]];
        let f_other = f.dot(&b).dot(&other.t());
        let difference =
            log_densities(&grid, f.view(), b.view()) - log_densities(&grid, f_other.view(), other.view());
        assert!(difference.iter().all(|d| d.abs() < 1e-12));
        assert!(constant_gap(f_other.view(), f.view()) > 0.1);
        assert!(affine_gap(f.view(), f_other.view()) < 1e-12);
    }
}
