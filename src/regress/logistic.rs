//! Logistic regression, by Newton's method to the optimum.

use super::classifier::{Classification, ClassificationResult, Classifier, check_arms, sigmoid};
use super::linear::{Linear, scale_rows};
use super::{RegressError, Regression};
use crate::linalg::solve_positive_definite;
use ndarray::{Array1, Array2, ArrayView1, ArrayView2, Axis, Slice, concatenate};

const STEPS: usize = 100;

/// min ½‖w‖² + C·Σ log(1 + e^{−ỹ_i(w·x_i + b)}), ỹ = 2a − 1; the intercept b is not penalised.
///
/// scikit-learn stops its quasi-Newton search up to 2e-4 away from this optimum; the optimum
/// itself is what is computed here.
///
/// ```
/// use ebmbook::regress::{Classifier, Logistic};
/// use ndarray::array;
/// let (x, treated) = (array![[0.0], [0.0], [0.0], [0.0]], array![true, true, true, false]);
/// let fitted = Logistic::new(1.0)?.fit(x.view(), treated.view())?;
/// assert!((fitted.probability(x.view())?[0] - 0.75).abs() < 1e-9, "the intercept learns the share");
/// # Ok::<(), ebmbook::regress::RegressError>(())
/// ```
#[derive(Clone, Debug)]
pub struct Logistic {
    c: f64,
}

impl Default for Logistic {
    /// C = 1.
    fn default() -> Self {
        Self { c: 1.0 }
    }
}

impl Logistic {
    /// With the inverse penalty C.
    pub fn new(c: impl Into<f64>) -> Result<Self, RegressError> {
        let c = c.into();
        if c.is_finite() && c > 0.0 {
            return Ok(Self { c });
        }
        let rule = "must be finite and positive";
        Err(RegressError::Parameter { model: "logistic", field: "inverse penalty C", rule, value: c })
    }

    /// log(1 + e^{−v}) summed, plus half the squared norm of the slopes.
    fn objective(&self, z: &Array2<f64>, labels: &Array1<f64>, b: &Array1<f64>) -> f64 {
        let margins = z.dot(b) * labels;
        let losses = margins.iter().map(|m| if *m > 0.0 { (-m).exp().ln_1p() } else { -m + m.exp().ln_1p() });
        self.c * losses.sum::<f64>() + 0.5 * b.iter().skip(1).map(|w| w * w).sum::<f64>()
    }

    fn newton(&self, z: &Array2<f64>, labels: &Array1<f64>) -> Result<Array1<f64>, RegressError> {
        let mut b = Array1::zeros(z.ncols());
        let mut value = self.objective(z, labels, &b);
        for _ in 0..STEPS {
            let p = z.dot(&b).mapv_into(sigmoid);
            // ∇ = C·Zᵀ(p − a) + (0, w),   H = C·Zᵀdiag(p(1−p))Z + diag(0, 1, …, 1)
            let residual = &p - &labels.mapv(|l| if l > 0.0 { 1.0 } else { 0.0 });
            let mut gradient = z.t().dot(&residual) * self.c;
            let curvature = p.mapv(|p| (self.c * p * (1.0 - p)).max(1e-12));
            let mut hessian = z.t().dot(&scale_rows(z.view(), curvature.view()));
            for s in 1..b.len() {
                gradient[s] += b[s];
                hessian[[s, s]] += 1.0;
            }
            let step = solve_positive_definite(hessian.view(), gradient.view().insert_axis(Axis(1)))
                .ok_or(RegressError::Singular { model: "logistic", size: b.len(), alpha: 1.0 / self.c })?;
            let step = step.index_axis_move(Axis(1), 0);
            let slope = step.dot(&gradient);
            // A sum of n terms is known to n·ε of its size.
            if slope <= z.nrows() as f64 * f64::EPSILON * value.abs() {
                // Half of this is what the step gains: less than the objective's rounding, so the
                // line search is blind. Newton's error squares once more, and that is the optimum.
                return Ok(b - step);
            }
            // Halve the step until it pays: at least a little of what the slope promises.
            let mut length = 1.0;
            loop {
                let next = &b - &(&step * length);
                let next_value = self.objective(z, labels, &next);
                if next_value <= value - 1e-4 * length * slope || length < 1e-10 {
                    (b, value) = (next, next_value);
                    break;
                }
                length /= 2.0;
            }
        }
        Err(RegressError::NoConvergence { model: "logistic", steps: STEPS })
    }
}

impl Classifier for Logistic {
    fn name(&self) -> &'static str {
        "logistic"
    }

    fn fit(&self, x: ArrayView2<f64>, treated: ArrayView1<bool>) -> ClassificationResult {
        check_arms("logistic", x, treated)?;
        let z = concatenate![Axis(1), Array2::ones((x.nrows(), 1)), x];
        let b = self.newton(&z, &treated.mapv(|a| if a { 1.0 } else { -1.0 }))?;
        let beta = b.slice_axis(Axis(0), Slice::from(1..)).to_owned();
        Ok(Box::new(Fitted(Linear { model: "logistic", beta, intercept: b[0] })))
    }
}

struct Fitted(Linear);

impl Classification for Fitted {
    fn probability(&self, x: ArrayView2<f64>) -> Result<Array1<f64>, RegressError> {
        Ok(self.0.predict(x)?.mapv_into(sigmoid))
    }
}
