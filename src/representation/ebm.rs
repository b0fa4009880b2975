//! The paper's reduction: the representation of a trained EBM.

use super::{Reduce, Representation, RepresentationError};
use crate::data::Covariates;
use crate::ebm::{Ebm, EbmError, EbmParams};
use crate::seed::Seed;
use ndarray::{Array2, ArrayView2};

/// f_θ of a trained EBM, standardised by the training rows unless asked otherwise.
///
/// ```
/// use ebmbook::{prelude::*, representation::EbmReduction};
/// let data = synthetic::Released::new(50, 100)?.generate();
/// let fitted = EbmReduction::new(Ebm::params(3).epochs(5)).fit(data.train.covariates(), Seed::new(1))?;
/// assert_eq!(fitted.transform(data.test.x())?.dim(), (20_000, 3));
/// # Ok::<(), ebmbook::Error>(())
/// ```
#[derive(Clone, Debug)]
pub struct EbmReduction {
    params: EbmParams,
    standardised: bool,
}

impl EbmReduction {
    /// With these parameters.
    pub fn new(params: EbmParams) -> Self {
        Self { params, standardised: true }
    }

    /// The representation as the network gives it, as the authors' program uses it.
    pub fn raw(self) -> Self {
        Self { standardised: false, ..self }
    }
}

impl Reduce for EbmReduction {
    fn name(&self) -> &'static str {
        "ebm"
    }

    fn fit(&self, train: &Covariates, seed: Seed) -> Result<Box<dyn Representation>, RepresentationError> {
        let ebm = Ebm::fit(&self.params, train, seed)?;
        Ok(Box::new(Fitted::new("ebm", ebm, self.standardised, train)?))
    }
}

/// A network, trained or not, that serves as a representation.
pub(super) struct Fitted {
    method: &'static str,
    ebm: Ebm,
    standardised: bool,
    training: Array2<f64>,
}

impl Fitted {
    pub fn new(
        method: &'static str,
        ebm: Ebm,
        standardised: bool,
        train: &Covariates,
    ) -> Result<Self, RepresentationError> {
        let mut fitted = Self { method, ebm, standardised, training: Array2::zeros((0, 0)) };
        fitted.training = fitted.transform(train.x())?;
        Ok(fitted)
    }
}

impl Representation for Fitted {
    fn k(&self) -> usize {
        self.ebm.k()
    }

    fn training(&self) -> ArrayView2<'_, f64> {
        self.training.view()
    }

    fn held_out_loss(&self) -> Option<f64> {
        self.ebm.history().kept_validation()
    }

    fn transform(&self, rows: ArrayView2<f64>) -> Result<Array2<f64>, RepresentationError> {
        let f = if self.standardised { self.ebm.embed(rows) } else { self.ebm.raw(rows) };
        f.map_err(|error| match error {
            EbmError::Width { found, expected } => {
                RepresentationError::Width { method: self.method, found, expected }
            }
            other => other.into(),
        })
    }
}
