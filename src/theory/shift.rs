//! Section 3: "the regression models are indifferent to conditioning on a random variable, or the
//! same random variable plus some constant vector".
//!
//! Partial identifiability leaves an additive constant open, so this sentence carries the step from
//! representations to effects. It is a property of the regression, not of the representation.

use crate::regress::{RegressError, Regressor};
use ndarray::{Array1, ArrayView1, ArrayView2, Axis};

/// Largest change of a prediction when every feature of every row moves by `shift`, in units of
/// the predictions' standard deviation.
///
/// ```
/// use ebmbook::{regress, theory::shift::largest_change};
/// use ndarray::array;
/// let (x, y) = (array![[0.0], [1.0], [2.0], [4.0]], array![1.0, 2.0, 3.5, 4.0]);
/// let change = |name| {
///     let regressor = regress::by_name(name, 1.0)?;
///     largest_change(regressor.as_ref(), x.view(), y.view(), x.view(), 3.0)
/// };
/// assert!(change("ridge")? < 1e-12);
/// assert!(change("kernel-ridge")? > 0.01);
/// # Ok::<(), ebmbook::Error>(())
/// ```
pub fn largest_change(
    regressor: &dyn Regressor,
    x: ArrayView2<f64>,
    y: ArrayView1<f64>,
    test: ArrayView2<f64>,
    shift: f64,
) -> Result<f64, RegressError> {
    change(|by| regressor.fit((&x + by).view(), y)?.predict((&test + by).view()), shift)
}

/// [`largest_change`] where every feature is first scaled to mean 0 and variance 1 over the training rows, as the paper
/// does with its representations.
///
/// ```
/// use ebmbook::{regress, theory::shift::largest_change_standardised};
/// use ndarray::array;
/// let (x, y) = (array![[0.0], [1.0], [2.0], [4.0]], array![1.0, 2.0, 3.5, 4.0]);
/// let regressor = regress::by_name("kernel-ridge", 1.0)?;
/// assert!(largest_change_standardised(regressor.as_ref(), x.view(), y.view(), x.view(), 3.0)? < 1e-12);
/// # Ok::<(), ebmbook::Error>(())
/// ```
pub fn largest_change_standardised(
    regressor: &dyn Regressor,
    x: ArrayView2<f64>,
    y: ArrayView1<f64>,
    test: ArrayView2<f64>,
    shift: f64,
) -> Result<f64, RegressError> {
    let predict = |by: f64| {
        let (x, test) = (&x + by, &test + by);
        let (mean, sd) = (x.mean_axis(Axis(0)).expect("there are rows"), x.std_axis(Axis(0), 0.0));
        regressor.fit(((&x - &mean) / &sd).view(), y)?.predict(((&test - &mean) / &sd).view())
    };
    change(predict, shift)
}

fn change(
    predict: impl Fn(f64) -> Result<Array1<f64>, RegressError>,
    shift: f64,
) -> Result<f64, RegressError> {
    let (here, there) = (predict(0.0)?, predict(shift)?);
    Ok((&there - &here).iter().fold(0.0_f64, |m, e| m.max(e.abs())) / here.std(0.0))
}
