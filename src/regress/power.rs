//! Ridge on covariates that Yeo and Johnson's power transform has made as Gaussian as it can.
//!
//! ```text
//! ψ_λ(x) = ((x+1)^λ − 1)/λ            x ≥ 0     (log(x+1) at λ = 0)
//! ψ_λ(x) = −((1−x)^(2−λ) − 1)/(2−λ)   x < 0     (−log(1−x) at λ = 2)
//! ```
//!
//! λ maximises the Gaussian likelihood of a column; the transformed column is standardised.

use super::brent::minimise;
use super::linear::Linear;
use super::{
    RegressError, Regression, RegressionResult, Regressor, RowWeights, check_rows, check_width, ridge,
};
use crate::data::split::Standardiser;
use ndarray::{Array1, Array2, ArrayView1, ArrayView2};

/// A fitted power transform: one exponent a column, then standardisation.
///
/// ```
/// use ebmbook::regress::PowerTransform;
/// use ndarray::Array2;
/// // A column with a heavy right tail is pulled in.
/// let x = Array2::from_shape_fn((201, 1), |(i, _)| ((i as f64 - 100.0) / 50.0).exp());
/// let transform = PowerTransform::fit(x.view())?;
/// assert!(transform.lambdas()[0] < 0.0);
/// let z = transform.apply(x.view())?;
/// assert!(z.mean().unwrap().abs() < 1e-12 && (z.std(0.0) - 1.0).abs() < 1e-12);
/// # Ok::<(), ebmbook::regress::RegressError>(())
/// ```
#[derive(Clone, Debug)]
pub struct PowerTransform {
    lambdas: Vec<f64>,
    scale: Standardiser,
}

impl PowerTransform {
    /// The exponents that make each column most Gaussian.
    pub fn fit(x: ArrayView2<f64>) -> Result<Self, RegressError> {
        if x.nrows() == 0 {
            return Err(RegressError::NoRows { model: "power" });
        }
        let lambdas: Vec<f64> = x.columns().into_iter().map(|column| exponent(column)).collect();
        let transformed = transform(x, &lambdas)?;
        Ok(Self { lambdas, scale: Standardiser::fit(transformed.view()) })
    }

    /// The exponent λ of each column.
    pub fn lambdas(&self) -> &[f64] {
        &self.lambdas
    }

    /// Transforms and standardises rows; they may lie outside the range of the fitted ones.
    pub fn apply(&self, x: ArrayView2<f64>) -> Result<Array2<f64>, RegressError> {
        check_width("power", x, self.lambdas.len())?;
        Ok(self.scale.apply(transform(x, &self.lambdas)?.view()))
    }
}

fn transform(x: ArrayView2<f64>, lambdas: &[f64]) -> Result<Array2<f64>, RegressError> {
    let mut transformed = x.to_owned();
    for (s, (mut column, lambda)) in transformed.columns_mut().into_iter().zip(lambdas).enumerate() {
        column.mapv_inplace(|v| psi(v, *lambda));
        if column.iter().any(|v| !v.is_finite()) {
            return Err(RegressError::Overflow { model: "power", column: s + 1, lambda: *lambda });
        }
    }
    Ok(transformed)
}

fn psi(x: f64, lambda: f64) -> f64 {
    if x >= 0.0 {
        if lambda.abs() < f64::EPSILON { x.ln_1p() } else { ((x + 1.0).powf(lambda) - 1.0) / lambda }
    } else if (lambda - 2.0).abs() > f64::EPSILON {
        -((1.0 - x).powf(2.0 - lambda) - 1.0) / (2.0 - lambda)
    } else {
        -(-x).ln_1p()
    }
}

/// λ = argmin −ℓ(λ); a column without spread stays as it is (λ = 1).
fn exponent(column: ArrayView1<f64>) -> f64 {
    if column.iter().all(|v| *v == column[0]) {
        return 1.0;
    }
    let n = column.len() as f64;
    // Σ sign(x)·log(1 + |x|), the log-derivative of ψ up to the factor λ − 1
    let log_jacobian: f64 = column.iter().map(|v| v.signum() * v.abs().ln_1p()).sum();
    let negative_log_likelihood = |lambda: f64| {
        let transformed = column.mapv(|v| psi(v, lambda));
        let variance = transformed.var(0.0);
        if !variance.is_finite() || variance < f64::MIN_POSITIVE {
            return f64::INFINITY;
        }
        // ℓ(λ) = −n/2·log var(ψ_λ(x)) + (λ − 1)·Σ sign(x)·log(1 + |x|)
        n / 2.0 * variance.ln() - (lambda - 1.0) * log_jacobian
    };
    minimise(negative_log_likelihood, -2.0, 2.0).unwrap_or(1.0)
}

/// Ridge with an intercept on power-transformed covariates. The default α = 1 reproduces the printed
/// table; the released notebook says 0.001.
///
/// ```
/// use ebmbook::regress::{Power, Regressor};
/// assert_eq!(Power::default().name(), "power");
/// ```
#[derive(Clone, Debug)]
pub struct Power {
    alpha: f64,
}

penalised!(Power, "power");

impl Regressor for Power {
    fn name(&self) -> &'static str {
        "power"
    }

    fn fit_weighted(&self, x: ArrayView2<f64>, y: ArrayView1<f64>, weights: RowWeights) -> RegressionResult {
        check_rows("power", x, y, weights)?;
        let transform = PowerTransform::fit(x)?;
        let linear = ridge::fit("power", transform.apply(x)?.view(), y, weights, self.alpha)?;
        Ok(Box::new(Fitted { transform, linear }))
    }
}

struct Fitted {
    transform: PowerTransform,
    linear: Linear,
}

impl Regression for Fitted {
    fn predict(&self, x: ArrayView2<f64>) -> Result<Array1<f64>, RegressError> {
        self.linear.predict(self.transform.apply(x)?.view())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use ndarray::array;

    #[test]
    fn flipping_the_sign_of_a_column_reflects_its_exponent_about_one() {
        // ψ_λ(−x) = −ψ_{2−λ}(x)
        for (x, lambda) in [(0.7, 0.3), (2.0, 0.0), (1.5, 2.0), (0.2, -3.0)] {
            assert!((psi(-x, lambda) + psi(x, 2.0 - lambda)).abs() < 1e-15);
        }
        let x = Array1::from_shape_fn(50, |i| (i as f64 / 10.0).exp() / 30.0);
        let (plain, flipped) = (exponent(x.view()), exponent((-&x).view()));
        // Brent stops within 1.5e-8 of each minimum.
        assert!((plain + flipped - 2.0).abs() < 1e-6, "{plain} {flipped}");
    }

    #[test]
    fn a_constant_column_is_left_alone_and_contributes_nothing() {
        let x = array![[1.0, 5.0], [2.0, 5.0], [4.0, 5.0]];
        let transform = PowerTransform::fit(x.view()).unwrap();
        assert_eq!(transform.lambdas()[1], 1.0);
        assert_eq!(transform.apply(x.view()).unwrap().column(1), array![0.0, 0.0, 0.0]);
    }
}
