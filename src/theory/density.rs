//! The k densities of a partially randomized EBM as a table over points.
//!
//! ```text
//! p_{θ,j}(x) = exp(−β_jᵀ f_θ(x)) / Z_{θ,j},     Z_{θ,j} = Σ_x w(x) exp(−β_jᵀ f_θ(x))
//! ```
//!
//! The weights w are 1 on a finite X, and those of a quadrature rule on a continuous one.

use super::rule;
use ndarray::{Array1, Array2, ArrayView1, ArrayView2, Axis};

/// Points with the weights of a sum or an integral over them.
#[derive(Clone, Debug)]
pub struct Grid {
    /// One point a row.
    pub points: Array2<f64>,
    /// One weight a point.
    pub weights: Array1<f64>,
}

impl Grid {
    /// Finitely many points, each counted once.
    pub fn finite(points: Array2<f64>) -> Self {
        Self { weights: Array1::ones(points.nrows()), points }
    }

    /// Gauss–Legendre points of the box [low, high]^d, `panels` panels of eight points a side.
    ///
    /// ```
    /// use ebmbook::theory::density::Grid;
    /// let grid = Grid::quadrature(2, -1.0, 1.0, 2);
    /// // ∫∫ x²y² over the square is 4/9, and the rule is exact for polynomials of this degree.
    /// let integral: f64 = grid.points.rows().into_iter().zip(&grid.weights).map(|(x, w)| w * (x[0] * x[1]).powi(2)).sum();
    /// assert!((integral - 4.0 / 9.0).abs() < 1e-14);
    /// ```
    ///
    /// # Panics
    /// Unless d is 1 or 2: a tensor grid is of no use beyond.
    pub fn quadrature(d: usize, low: f64, high: f64, panels: usize) -> Self {
        assert!(d == 1 || d == 2, "quadrature serves one or two dimensions, not {d}");
        let (nodes, weights): (Vec<f64>, Vec<f64>) = rule::interval(low, high, panels).into_iter().unzip();
        let m = nodes.len();
        if d == 1 {
            return Self { points: Array1::from(nodes).insert_axis(Axis(1)), weights: weights.into() };
        }
        let points =
            Array2::from_shape_fn((m * m, 2), |(i, s)| if s == 0 { nodes[i / m] } else { nodes[i % m] });
        Self { points, weights: Array1::from_shape_fn(m * m, |i| weights[i / m] * weights[i % m]) }
    }

    /// Σ_x w(x) g(x).
    pub fn integrate(&self, g: ArrayView1<f64>) -> f64 {
        self.weights.dot(&g)
    }
}

/// log p_{θ,j} at each point (rows) for each direction j (columns).
///
/// ```
/// use ebmbook::theory::density::{Grid, log_densities};
/// use ndarray::array;
/// let grid = Grid::finite(array![[0.0], [1.0]]);
/// let f = array![[0.0], [f64::ln(3.0)]];
/// let log_p = log_densities(&grid, f.view(), array![[1.0]].view());
/// assert!((log_p[[0, 0]].exp() - 0.75).abs() < 1e-15);
/// ```
///
/// # Panics
/// If `f` does not have one row a point and one column for each row of B.
pub fn log_densities(grid: &Grid, f: ArrayView2<f64>, directions: ArrayView2<f64>) -> Array2<f64> {
    assert_eq!(
        f.dim(),
        (grid.weights.len(), directions.nrows()),
        "one row per point, one column per coordinate"
    );
    // Equation (3), the density: p_{θ,j}(x) = exp(−β_jᵀ f_θ(x)) / Z_{θ,j}, in logarithms, for all x and j at once: −F B − log Z
    let mut log_p = -f.dot(&directions);
    for mut column in log_p.columns_mut() {
        let log_z = log_sum_exp(column.view(), grid.weights.view());
        column -= log_z;
    }
    log_p
}

/// log Σ w exp(v), safe for large v.
pub(crate) fn log_sum_exp(v: ArrayView1<f64>, w: ArrayView1<f64>) -> f64 {
    let top = v.iter().copied().fold(f64::NEG_INFINITY, f64::max);
    if top == f64::NEG_INFINITY {
        return top;
    }
    top + v.iter().zip(w).map(|(v, w)| w * (v - top).exp()).sum::<f64>().ln()
}

#[cfg(test)]
mod tests {
    use super::*;
    use ndarray::array;

    #[test]
    fn densities_integrate_to_one_and_the_quadrature_error_is_below_1e_12() {
        let smooth = |grid: &Grid| {
            Array2::from_shape_fn((grid.weights.len(), 2), |(i, j)| {
                let x = grid.points.row(i);
                if j == 0 { (2.0 * x[0]).sin() + x[1] * x[1] } else { x[0] * x[1] }
            })
        };
        let directions = array![[0.6, 0.8], [0.8, -0.6]];
        let at_origin = |panels| {
            let grid = Grid::quadrature(2, -2.0, 2.0, panels);
            let log_p = log_densities(&grid, smooth(&grid).view(), directions.view());
            for column in log_p.columns() {
                assert!((grid.integrate(column.mapv(f64::exp).view()) - 1.0).abs() < 1e-12);
            }
            // log Z from one point: −β₁ᵀf − log p₁
            -smooth(&grid).row(0).dot(&directions.column(0)) - log_p[[0, 0]]
        };
        assert!((at_origin(8) - at_origin(16)).abs() < 1e-12);
    }
}
