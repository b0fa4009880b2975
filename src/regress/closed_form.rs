//! A classifier without iterations or randomness: ridge regression on the labels ±1, squashed.

use super::classifier::{Classification, ClassificationResult, Classifier, check_arms, sigmoid};
use super::linear::{Linear, solve_penalised};
use super::{RegressError, Regression};
use ndarray::{Array1, Array2, ArrayView1, ArrayView2, Axis, Slice, concatenate};

/// P(A = 1 | x) = σ(2·zᵀb), z = (1, x), b = (ZᵀZ + I)⁻¹ Zᵀ(2a − 1). Golden values use it, because
/// every program gets the same numbers out of it.
///
/// ```
/// use ebmbook::regress::{Classifier, ClosedForm};
/// use ndarray::array;
/// let fitted = ClosedForm.fit(array![[-1.0], [1.0]].view(), array![false, true].view())?;
/// // b = (0, 2/3)
/// assert!((fitted.probability(array![[1.0]].view())?[0] - 1.0 / (1.0 + (-4.0_f64 / 3.0).exp())).abs() < 1e-15);
/// # Ok::<(), ebmbook::regress::RegressError>(())
/// ```
#[derive(Clone, Copy, Debug, Default)]
pub struct ClosedForm;

struct Fitted(Linear);

impl Classifier for ClosedForm {
    fn name(&self) -> &'static str {
        "closed-form"
    }

    fn fit(&self, x: ArrayView2<f64>, treated: ArrayView1<bool>) -> ClassificationResult {
        check_arms("closed-form", x, treated)?;
        let z = concatenate![Axis(1), Array2::ones((x.nrows(), 1)), x];
        let labels = treated.mapv(|a| if a { 1.0 } else { -1.0 });
        // b = (ZᵀZ + I)⁻¹ Zᵀ(2a − 1)
        let b = solve_penalised("closed-form", z.t().dot(&z), z.t().dot(&labels).view(), 1.0)?;
        let beta = b.slice_axis(Axis(0), Slice::from(1..)).to_owned();
        Ok(Box::new(Fitted(Linear { model: "closed-form", beta, intercept: b[0] })))
    }
}

impl Classification for Fitted {
    fn probability(&self, x: ArrayView2<f64>) -> Result<Array1<f64>, RegressError> {
        Ok(self.0.predict(x)?.mapv_into(|score| sigmoid(2.0 * score)))
    }
}
