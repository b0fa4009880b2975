//! Kernel ridge on a few landmarks: the flexible learner that 16 000 rows can afford.

use crate::linalg::solve_positive_definite;
use crate::regress::{RegressError, Regression, RegressionResult, Regressor, RowWeights};
use ndarray::{Array1, Array2, ArrayView1, ArrayView2, Axis};

/// Landmarks, and with up to so many rows each row is one. Functions as smooth as those of the designs need fewer.
const LANDMARKS: usize = 200;
/// Penalty; small, so that it follows what is there to follow.
const PENALTY: f64 = 0.1;

/// f(x) = ȳ + Σ_m c_m k(x, z_m), k the RBF kernel with γ = 1/d, whose landmarks z_m are rows taken at equal steps.
///
/// Exact kernel ridge takes n³/3 operations and n² numbers; with M landmarks it is nM² and nM.
///
/// ```
/// use ebmbook::{regress::Regressor, theory::mended::samples::Landmarks};
/// use ndarray::Array2;
/// let x = Array2::from_shape_fn((1000, 1), |(i, _)| i as f64 / 500.0 - 1.0);
/// let y = x.column(0).mapv(|x| (3.0 * x).sin());
/// let off = Landmarks.fit(x.view(), y.view())?.predict(x.view())? - &y;
/// assert!(off.iter().all(|e| e.abs() < 0.05));
/// # Ok::<(), ebmbook::regress::RegressError>(())
/// ```
#[derive(Clone, Copy, Debug)]
pub struct Landmarks;

struct Fitted {
    landmarks: Array2<f64>,
    coefficients: Array1<f64>,
    mean: f64,
}

/// k(x, z) = exp(−‖x − z‖²/d)
fn kernel(x: ArrayView2<f64>, z: ArrayView2<f64>) -> Array2<f64> {
    let square = |a: ArrayView2<f64>| a.map_axis(Axis(1), |row| row.dot(&row));
    let products = x.dot(&z.t()) * 2.0;
    let distances = &square(x).insert_axis(Axis(1)) + &square(z) - products;
    distances.mapv_into(|s| (-s.max(0.0) / x.ncols() as f64).exp())
}

impl Regressor for Landmarks {
    fn name(&self) -> &'static str {
        "rbf on landmarks"
    }

    fn fit_weighted(&self, x: ArrayView2<f64>, y: ArrayView1<f64>, weights: RowWeights) -> RegressionResult {
        let n = x.nrows();
        if n == 0 {
            return Err(RegressError::NoRows { model: self.name() });
        }
        let rows: Vec<usize> = (0..LANDMARKS.min(n)).map(|m| m * n / LANDMARKS.min(n)).collect();
        let landmarks = x.select(Axis(0), &rows);
        let w = weights.map_or_else(|| Array1::ones(n), |w| w.to_owned());
        let mean = w.dot(&y) / w.sum();
        // c = (KᵀWK + αK_zz)⁻¹ KᵀW(y − ȳ)
        let k = kernel(x, landmarks.view());
        let weighted = &k * &w.insert_axis(Axis(1));
        let mut normal = k.t().dot(&weighted) + kernel(landmarks.view(), landmarks.view()) * PENALTY;
        // Landmarks close to each other make it singular to rounding.
        normal.diag_mut().mapv_inplace(|v| v + 1e-9 * n as f64);
        let right = weighted.t().dot(&(&y - mean)).insert_axis(Axis(1));
        let solved = solve_positive_definite(normal.view(), right.view());
        let coefficients = solved
            .ok_or(RegressError::Singular { model: self.name(), size: rows.len(), alpha: PENALTY })?
            .remove_axis(Axis(1));
        Ok(Box::new(Fitted { landmarks, coefficients, mean }))
    }
}

impl Regression for Fitted {
    fn predict(&self, x: ArrayView2<f64>) -> Result<Array1<f64>, RegressError> {
        Ok(kernel(x, self.landmarks.view()).dot(&self.coefficients) + self.mean)
    }
}
