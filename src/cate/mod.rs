//! Effect estimation. In: features, treatments and outcomes of training rows. Out: τ̂(x) for any
//! rows.
//!
//! ```text
//! T    τ̂ = f1 − f0,                        f_a fitted on arm a
//! S    τ̂ = g(x, 0, 1) − g(x, 1, 0),        g fitted on (x, 1−A, A)
//! X    τ̂ = e·g0 + (1−e)·g1,                g0, g1 fitted on imputed effects
//! DR   τ̂ = OLS of  m1 − m0 + A(Y−m1)/e − (1−A)(Y−m0)/(1−e)  on x
//! R    τ̂ = argmin Σ (A−ê)² ( (Y−q̂)/(A−ê) − τ(x) )²  + penalty
//! ```
//!
//! e is the propensity. DR and R take their nuisances ê, m̂, q̂ from other folds than the row's
//! own. Every learner agrees with EconML's to rounding. [`Features`] puts a representation in
//! front, with or without standardisation and a constant column.

mod baselines;
mod crossfit;
mod dr;
mod error;
mod features;
mod propensity;
mod r;
mod s;
mod sample;
mod t;
mod x;

pub use baselines::{Baselines, DifferenceInMeans, Zero};
pub use crossfit::{CrossFitFolds, Folding};
pub use dr::DrLearner;
pub use error::CateError;
pub use features::{Features, Prepared};
pub use propensity::{FittedPropensity, PROPENSITIES, Propensity};
pub use r::RLearner;
pub use s::SLearner;
pub use sample::{Rows, Sample};
pub use t::TLearner;
pub use x::XLearner;

use crate::regress::Regressor;
use ndarray::Array1;
use std::sync::Arc;

/// A way to estimate effects.
///
/// ```
/// use ebmbook::cate::{Learner, Sample, TLearner};
/// use ebmbook::regress::Ridge;
/// use ndarray::array;
/// let x = array![[0.0], [1.0], [2.0], [0.0], [1.0], [2.0]];
/// let treated = array![false, false, false, true, true, true];
/// let outcome = array![0.0, 1.0, 2.0, 3.0, 4.0, 5.0];
/// let effect = TLearner::new(Ridge::new(1e-6)?).fit(&Sample::new(x, treated, outcome)?)?;
/// assert!((effect.at(array![[7.0]].view().into())?[0] - 3.0).abs() < 1e-5);
/// # Ok::<(), ebmbook::Error>(())
/// ```
pub trait Learner: Send + Sync {
    /// The name, as on the command line.
    fn name(&self) -> &'static str;

    /// Learns τ̂ from training rows.
    fn fit(&self, sample: &Sample) -> Result<Box<dyn Effect>, CateError>;
}

/// The names [`by_name`] knows.
pub const LEARNERS: [&str; 5] = ["t", "s", "x", "dr", "r"];

/// The learner of that name. T and S make no use of a propensity, T, S and X none of folds.
///
/// ```
/// use ebmbook::cate::{self, Folding, Propensity};
/// use ebmbook::{regress, seed::Seed};
/// let folding = Folding::Stratified { k: 2, seed: Seed::new(0) };
/// let r = cate::by_name("r", regress::by_name("ridge", 1.0)?, Propensity::by_name("svc", 42)?, folding)?;
/// assert_eq!(r.name(), "r");
/// # Ok::<(), ebmbook::Error>(())
/// ```
pub fn by_name(
    name: &str,
    regressor: Arc<dyn Regressor>,
    propensity: Propensity,
    folding: Folding,
) -> Result<Arc<dyn Learner>, CateError> {
    Ok(match name {
        "t" => Arc::new(TLearner::new(regressor)),
        "s" => Arc::new(SLearner::new(regressor)),
        "x" => Arc::new(XLearner::new(regressor, propensity)),
        "dr" => Arc::new(DrLearner::new(regressor, propensity, folding)),
        "r" => Arc::new(RLearner::new(regressor, propensity, folding)),
        _ => {
            return Err(CateError::Unknown {
                what: "learner",
                name: name.into(),
                known: LEARNERS.join(", "),
            });
        }
    })
}

/// An estimated effect.
pub trait Effect: Send + Sync {
    /// τ̂ for each row.
    fn at(&self, rows: Rows<'_>) -> Result<Array1<f64>, CateError>;
}
