//! Ridge on all products of at most two covariates, without ever writing them down when there
//! are more of them than rows.
//!
//! The columns are 1, x_s, x_s² and x_s·x_t (s < t): 31 626 of them at d = 250. Their inner
//! product has a closed form,
//!
//! ```text
//! φ(x)·φ(z) = 1 + x·z + ½( (x·z)² + Σ_s x_s² z_s² )
//! ```
//!
//! and so has the fitted function: a constant, a vector and a symmetric d × d matrix.

use super::dual;
use super::ridge;
use super::{RegressError, Regression, RegressionResult, Regressor, RowWeights, check_rows, check_width};
use ndarray::{Array1, Array2, ArrayView1, ArrayView2, Axis, Slice};

/// More columns than this would need several matrices of 1.2 GB in the primal form.
const MAX_COLUMNS: usize = 12_000;
/// Rows predicted at a time.
const BLOCK: usize = 4096;

/// Ridge with an intercept on polynomial columns of degree two.
///
/// ```
/// use ebmbook::regress::{Polynomial, Regressor};
/// use ndarray::{Array1, Array2};
/// let x = Array2::from_shape_fn((20, 1), |(i, _)| i as f64 / 10.0);
/// let y: Array1<f64> = x.column(0).mapv(|x| x * x);
/// let fitted = Polynomial::new(1e-9)?.fit(x.view(), y.view())?;
/// assert!((fitted.predict(ndarray::array![[3.0]].view())?[0] - 9.0).abs() < 1e-6);
/// # Ok::<(), ebmbook::regress::RegressError>(())
/// ```
#[derive(Clone, Debug)]
pub struct Polynomial {
    alpha: f64,
}

penalised!(Polynomial, "polynomial");

impl Polynomial {
    /// Number of columns for d covariates, the constant not counted.
    pub fn columns(d: usize) -> usize {
        d + d * (d + 1) / 2
    }
}

impl Regressor for Polynomial {
    fn name(&self) -> &'static str {
        "polynomial"
    }

    fn fit_weighted(&self, x: ArrayView2<f64>, y: ArrayView1<f64>, weights: RowWeights) -> RegressionResult {
        check_rows("polynomial", x, y, weights)?;
        let columns = Self::columns(x.ncols());
        Ok(Box::new(if columns <= x.nrows() {
            fit_primal(x, y, weights, self.alpha)?
        } else {
            fit_dual(x, y, weights, self.alpha)?
        }))
    }
}

/// f(x) = constant + linearᵀx + xᵀ·quadratic·x
struct Quadratic {
    constant: f64,
    linear: Array1<f64>,
    quadratic: Array2<f64>,
}

impl Regression for Quadratic {
    fn predict(&self, x: ArrayView2<f64>) -> Result<Array1<f64>, RegressError> {
        check_width("polynomial", x, self.linear.len())?;
        let mut predictions = x.dot(&self.linear) + self.constant;
        for start in (0..x.nrows()).step_by(BLOCK) {
            let rows = Slice::from(start..x.nrows().min(start + BLOCK));
            let block = x.slice_axis(Axis(0), rows);
            let product = block.dot(&self.quadratic);
            let forms = product.rows().into_iter().zip(block.rows()).map(|(p, x)| p.dot(&x));
            let into = predictions.slice_axis_mut(Axis(0), rows);
            into.into_iter().zip(forms).for_each(|(f, form)| *f += form);
        }
        Ok(predictions)
    }
}

/// Columns x_s, then x_s·x_t for s ≤ t; the constant column is annihilated by the centring.
fn expand(x: ArrayView2<f64>) -> Array2<f64> {
    let d = x.ncols();
    let mut columns = Array2::zeros((x.nrows(), Polynomial::columns(d)));
    for (mut to, from) in columns.rows_mut().into_iter().zip(x.rows()) {
        let products = (0..d).flat_map(|s| (s..d).map(move |t| (s, t))).map(|(s, t)| from[s] * from[t]);
        to.iter_mut().zip(from.iter().copied().chain(products)).for_each(|(to, v)| *to = v);
    }
    columns
}

fn fit_primal(
    x: ArrayView2<f64>,
    y: ArrayView1<f64>,
    weights: RowWeights,
    alpha: f64,
) -> Result<Quadratic, RegressError> {
    let (d, columns) = (x.ncols(), Polynomial::columns(x.ncols()));
    if columns > MAX_COLUMNS {
        return Err(RegressError::TooManyColumns { model: "polynomial", columns, max: MAX_COLUMNS });
    }
    let fitted = ridge::fit("polynomial", expand(x).view(), y, weights, alpha)?;
    let mut quadratic = Array2::zeros((d, d));
    let mut products = fitted.beta.iter().skip(d);
    for s in 0..d {
        for t in s..d {
            quadratic[[s, t]] = *products.next().expect("one coefficient a pair");
        }
    }
    let linear = fitted.beta.slice_axis(Axis(0), Slice::from(..d)).to_owned();
    Ok(Quadratic { constant: fitted.intercept, linear, quadratic })
}

fn fit_dual(
    x: ArrayView2<f64>,
    y: ArrayView1<f64>,
    weights: RowWeights,
    alpha: f64,
) -> Result<Quadratic, RegressError> {
    dual::check_size("polynomial", x.nrows())?;
    let squares = x.mapv(|v| v * v);
    // K = x·z + ½( (x·z)² + x²·z² ); the constant column's 1 is annihilated by the centring.
    let mut kernel = x.dot(&x.t());
    kernel.zip_mut_with(&squares.dot(&squares.t()), |k, diagonal| *k += 0.5 * (*k * *k + diagonal));
    let (c, constant) = dual::solve_with_intercept("polynomial", kernel, y, weights, alpha)?;
    // Σ_i c_i φ(x)·φ(x_i) = xᵀ(Σ c_i x_i) + ½ xᵀ(Σ c_i x_i x_iᵀ)x + ½ Σ_s x_s² (Σ c_i x_is²)
    let weighted = super::linear::scale_rows(x, c.view());
    let mut quadratic = x.t().dot(&weighted);
    quadratic.diag_mut().zip_mut_with(&squares.t().dot(&c), |q, diagonal| *q += diagonal);
    quadratic *= 0.5;
    Ok(Quadratic { constant, linear: x.t().dot(&c), quadratic })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::seed::Seed;
    use rand::Rng;

    #[test]
    fn the_closed_form_kernel_gives_what_the_columns_give() {
        let mut rng = Seed::new(1).child("polynomial").rng();
        let mut draw =
            |n: usize, d: usize| Array2::from_shape_simple_fn((n, d), || rng.random_range(-2.0..2.0));
        let (x, test) = (draw(40, 4), draw(7, 4));
        let y = x.column(0).mapv(f64::sin) + x.column(1);
        let w = x.column(2).mapv(|v: f64| v.abs());
        for weights in [None, Some(w.view())] {
            let primal = fit_primal(x.view(), y.view(), weights, 0.8).unwrap().predict(test.view()).unwrap();
            let dual = fit_dual(x.view(), y.view(), weights, 0.8).unwrap().predict(test.view()).unwrap();
            // Kernel entries reach 10³, the smallest eigenvalue is α: rounding of 1e-13 or so.
            assert!((&primal - &dual).iter().all(|e| e.abs() < 1e-11), "{primal} {dual}");
        }
    }

    #[test]
    fn two_hundred_and_fifty_covariates_make_31_626_columns_with_the_constant() {
        assert_eq!(Polynomial::columns(250) + 1, 31_626);
    }
}
