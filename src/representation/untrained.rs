//! The baseline beside every trained representation: the same network before its first step.

use super::ebm::Fitted;
use super::{Reduce, Representation, RepresentationError};
use crate::data::Covariates;
use crate::ebm::{Ebm, EbmParams};
use crate::seed::Seed;

/// f_θ at its initialisation, standardised by the training rows unless asked otherwise.
///
/// ```
/// use ebmbook::{prelude::*, representation::Untrained};
/// let data = synthetic::Released::new(50, 100)?.generate();
/// let fitted = Untrained::new(Ebm::params(3)).fit(data.train.covariates(), Seed::new(1))?;
/// assert_eq!(fitted.k(), 3);
/// # Ok::<(), ebmbook::Error>(())
/// ```
#[derive(Clone, Debug)]
pub struct Untrained {
    params: EbmParams,
    standardised: bool,
}

impl Untrained {
    /// With the shape these parameters describe.
    pub fn new(params: EbmParams) -> Self {
        Self { params, standardised: true }
    }

    /// The representation as the network gives it.
    pub fn raw(self) -> Self {
        Self { standardised: false, ..self }
    }
}

impl Reduce for Untrained {
    fn name(&self) -> &'static str {
        "untrained"
    }

    fn fit(&self, train: &Covariates, seed: Seed) -> Result<Box<dyn Representation>, RepresentationError> {
        let ebm = Ebm::untrained(&self.params, train, seed)?;
        Ok(Box::new(Fitted::new("untrained", ebm, self.standardised, train)?))
    }
}
