//! One regression that sees the treatment as two more columns.

use super::{CateError, Effect, Learner, Rows, Sample};
use crate::regress::{Regression, Regressor};
use ndarray::{Array1, Array2, ArrayView2, Axis, concatenate};
use std::sync::Arc;

/// τ̂(x) = g(x, 0, 1) − g(x, 1, 0), g fitted on the columns (x, 1−A, A).
#[derive(Clone)]
pub struct SLearner {
    regressor: Arc<dyn Regressor>,
}

impl SLearner {
    /// With this regressor.
    pub fn new(regressor: impl Regressor + 'static) -> Self {
        Self { regressor: Arc::new(regressor) }
    }
}

struct Single(Box<dyn Regression>);

impl Learner for SLearner {
    fn name(&self) -> &'static str {
        "s"
    }

    fn fit(&self, sample: &Sample) -> Result<Box<dyn Effect>, CateError> {
        let columns = with_arms(sample.x(), |i| sample.treated()[i]);
        Ok(Box::new(Single(self.regressor.fit(columns.view(), sample.outcome())?)))
    }
}

impl Effect for Single {
    fn at(&self, rows: Rows<'_>) -> Result<Array1<f64>, CateError> {
        let g = |treated: bool| self.0.predict(with_arms(rows.x, |_| treated).view());
        Ok(g(true)? - g(false)?)
    }
}

/// (x, 1−A, A)
fn with_arms(x: ArrayView2<f64>, treated: impl Fn(usize) -> bool) -> Array2<f64> {
    let arms =
        Array2::from_shape_fn((x.nrows(), 2), |(i, arm)| f64::from(u8::from(treated(i) == (arm == 1))));
    concatenate![Axis(1), x, arms]
}
