//! Proposition 3.1: f is a sufficient and a minimal statistic for the family indexed by β.
//!
//! ```text
//! log p_β(x) − log p_β(x') = −βᵀ(f(x) − f(x'))
//! ```
//!
//! Sufficient: on a fibre of f the right side is 0 whatever β is. Minimal: off it, it moves with β.
//! Over an open set of β it always moves. Over the k columns of B alone it is the same for every j
//! exactly when f(x) − f(x') is a multiple of B·1: there the minimal statistic is f modulo B·1.

use super::density::{Grid, log_densities};
use crate::linalg::thin_svd;
use crate::seed::Seed;
use ndarray::{Array1, Array2, ArrayView1, ArrayView2, Axis};
use ndarray_rand::RandomExt;
use rand_distr::StandardNormal;

/// Largest change with β of the conditional law of x given a statistic, on a finite X: over all
/// fibres of the statistic and all pairs of columns of `betas`, in total variation. It is 0, up
/// to rounding, if and only if the statistic is sufficient for these β.
///
/// ```
/// use ebmbook::theory::sufficiency::conditional_gap;
/// use ndarray::array;
/// let f = array![[0.0, 0.0], [0.0, 0.0], [0.0, 1.0]]; // the first two points share a fibre
/// let betas = array![[1.0, 0.0], [0.0, 1.0]];
/// assert!(conditional_gap(f.view(), f.view(), betas.view()) < 1e-15);
/// let first_coordinate = f.slice(ndarray::s![.., ..1]);
/// assert!(conditional_gap(f.view(), first_coordinate, betas.view()) > 0.1);
/// ```
///
/// # Panics
/// If the shapes do not fit.
pub fn conditional_gap(f: ArrayView2<f64>, statistic: ArrayView2<f64>, betas: ArrayView2<f64>) -> f64 {
    let grid = Grid::finite(Array2::zeros((f.nrows(), 1)));
    // Proposition 3.1, sufficiency: P(x | statistic) must not depend on β
    let p = log_densities(&grid, f, betas).mapv_into(f64::exp);
    let mut gap = 0.0_f64;
    for fibre in fibres(statistic) {
        let mut laws = p.select(Axis(0), &fibre);
        for mut law in laws.columns_mut() {
            let mass = law.sum();
            law /= mass;
        }
        for j in 1..laws.ncols() {
            for i in 0..j {
                // ‖P − Q‖_TV = ½ Σ |P − Q|
                let tv = 0.5 * (&laws.column(j) - &laws.column(i)).iter().map(|d| d.abs()).sum::<f64>();
                gap = gap.max(tv);
            }
        }
    }
    gap
}

/// Groups of rows with equal values.
fn fibres(statistic: ArrayView2<f64>) -> Vec<Vec<usize>> {
    let mut groups: Vec<Vec<usize>> = Vec::new();
    for i in 0..statistic.nrows() {
        match groups.iter_mut().find(|g| statistic.row(g[0]) == statistic.row(i)) {
            Some(group) => group.push(i),
            None => groups.push(vec![i]),
        }
    }
    groups
}

/// Spread over the columns of `betas` of the log-ratio −βᵀΔ for two points whose representations
/// differ by Δ: its largest minus its smallest value. 0 means that these β cannot tell them apart.
///
/// ```
/// use ebmbook::theory::sufficiency::log_ratio_spread;
/// use ndarray::array;
/// let b = array![[0.6, 0.8], [0.8, -0.6]];
/// let b_one = b.sum_axis(ndarray::Axis(1));
/// assert!(log_ratio_spread(b_one.view(), b.view()) < 1e-15, "Δ = B·1 is invisible to the columns of B");
/// assert!(log_ratio_spread(array![1.0, 0.0].view(), b.view()) > 0.1);
/// ```
pub fn log_ratio_spread(delta: ArrayView1<f64>, betas: ArrayView2<f64>) -> f64 {
    // Proposition 3.1: log p_β(x) − log p_β(x') = −βᵀ(f(x) − f(x'))
    let ratios = betas.t().dot(&delta);
    let (low, high) =
        ratios.iter().fold((f64::INFINITY, f64::NEG_INFINITY), |(l, h), r| (l.min(*r), h.max(*r)));
    high - low
}

/// A walk along the fibre of f through `start`: steps of length `step` in random directions of
/// the null space of the Jacobian, each corrected back onto the fibre by Newton's method.
///
/// # Panics
/// If f does not reduce the dimension, or Newton does not come back to within 1e-12 (the step is
/// then too long for the curvature of f).
pub fn walk_fibre(
    f: &dyn Fn(ArrayView1<f64>) -> Array1<f64>,
    start: ArrayView1<f64>,
    steps: usize,
    step: f64,
    seed: Seed,
) -> Array2<f64> {
    let target = f(start);
    let (d, k) = (start.len(), target.len());
    assert!(k < d, "fibres need k < d, got k = {k} and d = {d}");
    let mut rng = seed.rng();
    let mut path = Array2::zeros((steps + 1, d));
    path.row_mut(0).assign(&start);
    let mut x = start.to_owned();
    for i in 1..=steps {
        let (u, s, v) = thin_svd(jacobian(f, x.view()).view());
        let mut direction = Array1::random_using(d, StandardNormal, &mut rng);
        // Project the row space of the Jacobian out of the direction.
        direction = &direction - &v.dot(&v.t().dot(&direction));
        let length = direction.dot(&direction).sqrt();
        x = &x + &(direction * (step / length));
        for _ in 0..50 {
            let miss = &target - &f(x.view());
            if miss
                .iter()
                .all(|m| m.abs() < 1e-13 * (1.0 + target.iter().fold(0.0_f64, |a, t| a.max(t.abs()))))
            {
                break;
            }
            // Newton with the pseudo-inverse V S⁻¹ Uᵀ of the Jacobian at the start of the step
            x = &x + &v.dot(&(u.t().dot(&miss) / &s));
        }
        let miss = &target - &f(x.view());
        assert!(miss.iter().all(|m| m.abs() < 1e-12), "step {i} left the fibre by {miss}");
        path.row_mut(i).assign(&x);
    }
    path
}

/// Central differences; an error of 1e-9 in them only slows Newton down.
fn jacobian(f: &dyn Fn(ArrayView1<f64>) -> Array1<f64>, x: ArrayView1<f64>) -> Array2<f64> {
    const H: f64 = 1e-5;
    let columns: Vec<Array1<f64>> = (0..x.len())
        .map(|s| {
            let (mut up, mut down) = (x.to_owned(), x.to_owned());
            up[s] += H;
            down[s] -= H;
            (f(up.view()) - f(down.view())) / (2.0 * H)
        })
        .collect();
    Array2::from_shape_fn((columns[0].len(), x.len()), |(i, s)| columns[s][i])
}

#[cfg(test)]
mod tests {
    use super::*;
    use ndarray::array;

    #[test]
    fn a_walk_stays_on_the_fibre_and_goes_somewhere() {
        let norm = |x: ArrayView1<f64>| array![x.dot(&x), x[0] * x[1]];
        let start = array![1.0, 2.0, -0.5, 0.7];
        let path = walk_fibre(&norm, start.view(), 40, 0.1, Seed::new(3));
        for x in path.rows() {
            let miss = norm(x) - norm(start.view());
            assert!(miss.iter().all(|m| m.abs() < 1e-12));
        }
        let distance = |x: ArrayView1<f64>| (&x - &start).mapv(|d| d * d).sum().sqrt();
        assert!(path.rows().into_iter().map(distance).fold(0.0, f64::max) > 0.3);
    }

    #[test]
    fn x_itself_is_sufficient_but_tells_more_apart_than_needed() {
        let f = array![[0.0, 0.0], [0.0, 0.0], [1.0, 0.5], [1.0, 0.5]];
        let x = array![[0.0], [1.0], [2.0], [3.0]];
        let betas = array![[1.0, 0.3, -0.4], [0.2, 1.0, 0.9]];
        assert_eq!(conditional_gap(f.view(), x.view(), betas.view()), 0.0);
        // Points 0 and 1 have different x and no β tells them apart: x is not minimal.
        assert_eq!(log_ratio_spread((&f.row(0) - &f.row(1)).view(), betas.view()), 0.0);
    }
}
