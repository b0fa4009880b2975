//! A learner that predicts the same effect for everybody. Replace it by yours.

use super::{CateError, Effect, Learner, Rows, Sample};
use ndarray::Array1;

/// τ̂(x) = mean of treated outcomes − mean of the others.
#[derive(Clone, Copy, Debug, Default)]
pub struct MyLearner;

struct Constant(f64);

impl Learner for MyLearner {
    fn name(&self) -> &'static str {
        "my-learner"
    }

    fn fit(&self, sample: &Sample) -> Result<Box<dyn Effect>, CateError> {
        let mean = |treated: bool| sample.select(&sample.arm(treated)).outcome().mean().unwrap_or(f64::NAN);
        Ok(Box::new(Constant(mean(true) - mean(false))))
    }
}

impl Effect for Constant {
    fn at(&self, rows: Rows<'_>) -> Result<Array1<f64>, CateError> {
        Ok(Array1::from_elem(rows.x.nrows(), self.0))
    }
}
