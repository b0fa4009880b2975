//! No reduction at all: f(x) = x.

use super::{Reduce, Representation, RepresentationError};
use crate::data::Covariates;
use crate::seed::Seed;
use ndarray::{Array2, ArrayView2};

/// f(x) = x, so that "without representation" is one more representation.
#[derive(Clone, Copy, Debug, Default)]
pub struct Identity;

struct Fitted(Array2<f64>);

impl Reduce for Identity {
    fn name(&self) -> &'static str {
        "identity"
    }

    fn fit(&self, train: &Covariates, _seed: Seed) -> Result<Box<dyn Representation>, RepresentationError> {
        Ok(Box::new(Fitted(train.x().to_owned())))
    }
}

impl Representation for Fitted {
    fn k(&self) -> usize {
        self.0.ncols()
    }

    fn training(&self) -> ArrayView2<'_, f64> {
        self.0.view()
    }

    fn transform(&self, rows: ArrayView2<f64>) -> Result<Array2<f64>, RepresentationError> {
        if rows.ncols() != self.k() {
            let (found, expected) = (rows.ncols(), self.k());
            return Err(RepresentationError::Width { method: "identity", found, expected });
        }
        Ok(rows.to_owned())
    }
}
