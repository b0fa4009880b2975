//! Ridge regression with an intercept that is not penalised.

use super::dual;
use super::linear::{Linear, scale_rows, solve_penalised};
use super::{RegressError, RegressionResult, Regressor, RowWeights, check_rows};
use ndarray::{Array1, ArrayView1, ArrayView2};

/// f(x) = xᵀβ + b with β = (XcᵀWXc + αI)⁻¹ XcᵀWyc, where Xc and yc are centred at their
/// (weighted) means.
///
/// ```
/// use ebmbook::regress::{Regressor, Ridge};
/// use ndarray::array;
/// let (x, y) = (array![[1.0], [3.0]], array![5.0, 5.0]);
/// let fitted = Ridge::default().fit(x.view(), y.view())?;
/// assert_eq!(fitted.predict(array![[100.0]].view())?[0], 5.0, "a constant is for free");
/// # Ok::<(), ebmbook::regress::RegressError>(())
/// ```
#[derive(Clone, Debug)]
pub struct Ridge {
    alpha: f64,
}

penalised!(Ridge, "ridge");

impl Regressor for Ridge {
    fn name(&self) -> &'static str {
        "ridge"
    }

    fn fit_weighted(&self, x: ArrayView2<f64>, y: ArrayView1<f64>, weights: RowWeights) -> RegressionResult {
        check_rows("ridge", x, y, weights)?;
        Ok(Box::new(fit("ridge", x, y, weights, self.alpha)?))
    }
}

/// Ridge on any columns, for the models that are ridge on transformed columns.
pub(super) fn fit(
    model: &'static str,
    x: ArrayView2<f64>,
    y: ArrayView1<f64>,
    weights: RowWeights,
    alpha: f64,
) -> Result<Linear, RegressError> {
    let share = weights.map_or_else(|| Array1::from_elem(y.len(), 1.0 / y.len() as f64), |w| &w / w.sum());
    let (mean_x, mean_y) = (share.dot(&x), share.dot(&y));
    let (centred_x, centred_y) = (&x - &mean_x, &y - mean_y);
    let beta = if x.ncols() <= x.nrows() {
        // β = (XcᵀWXc + αI)⁻¹ XcᵀWyc
        let wx = weights.map(|w| scale_rows(centred_x.view(), w));
        let wx = wx.as_ref().unwrap_or(&centred_x);
        solve_penalised(model, centred_x.t().dot(wx), wx.t().dot(&centred_y).view(), alpha)?
    } else {
        // More columns than rows: β = Xcᵀ c from an n × n system
        dual::check_size(model, x.nrows())?;
        let kernel = centred_x.dot(&centred_x.t());
        centred_x.t().dot(&dual::solve(model, kernel, centred_y.view(), weights, alpha)?)
    };
    let intercept = mean_y - mean_x.dot(&beta);
    Ok(Linear { model, beta, intercept })
}

#[cfg(test)]
mod tests {
    use super::*;
    use ndarray::{Axis, array, concatenate};

    #[test]
    fn a_weight_of_two_is_a_row_given_twice() {
        let x = array![[1.0, 2.0], [0.0, -1.0], [3.0, 0.5], [1.5, 1.5]];
        let y = array![1.0, 2.0, -1.0, 0.0];
        let weighted =
            fit("ridge", x.view(), y.view(), Some(array![1.0, 2.0, 1.0, 0.0].view()), 0.5).unwrap();
        let rows = [0, 1, 1, 2];
        let (x2, y2) = (x.select(Axis(0), &rows), y.select(Axis(0), &rows));
        let repeated = fit("ridge", x2.view(), y2.view(), None, 0.5).unwrap();
        assert!((&weighted.beta - &repeated.beta).iter().all(|e| e.abs() < 1e-14));
        assert!((weighted.intercept - repeated.intercept).abs() < 1e-14);
    }

    #[test]
    fn columns_of_zeros_switch_to_the_dual_form_and_change_nothing() {
        let x = array![[1.0, 2.0], [0.0, -1.0], [3.0, 0.5]];
        let (y, w) = (array![1.0, 2.0, -1.0], array![0.3, 1.0, 2.0]);
        let wide = concatenate![Axis(1), x, ndarray::Array2::zeros((3, 5))];
        for weights in [None, Some(w.view())] {
            let narrow = fit("ridge", x.view(), y.view(), weights, 1.0).unwrap();
            let wide = fit("ridge", wide.view(), y.view(), weights, 1.0).unwrap();
            for s in 0..2 {
                assert!((narrow.beta[s] - wide.beta[s]).abs() < 1e-14);
            }
            assert!((narrow.intercept - wide.intercept).abs() < 1e-14);
        }
    }
}
