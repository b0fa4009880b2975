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
//! front, with or without standardisation and a constant column. [`Aipw`] estimates the mean
//! effect with an interval.

mod aipw;
mod baselines;
mod crossfit;
mod dr;
mod error;
mod features;
mod mended;
mod propensity;
mod r;
mod s;
mod sample;
mod supervised;
mod t;
mod x;

pub use aipw::{Aipw, MeanEffect};
pub use baselines::{Baselines, DifferenceInMeans, Zero};
pub use crossfit::{CrossFitFolds, Folding};
pub use dr::DrLearner;
pub use error::CateError;
pub use features::{Features, Prepared};
pub use mended::{CrossFitted, Made, Mended, MendedEffect};
pub use propensity::{FittedPropensity, Propensity, PropensityKind};
pub use r::RLearner;
pub use s::SLearner;
pub use sample::{Rows, Sample};
pub use supervised::{AfterPca, FoldEbm, FoldLogits, Scores, SupervisedReduce};
pub use t::{TLearner, outcome_error};
pub use x::XLearner;

use crate::regress::Regressor;
use ndarray::Array1;
use serde::{Deserialize, Serialize};
use std::sync::Arc;
use strum::{Display, EnumIter, EnumString, VariantNames};

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

/// The learners by name; it parses, prints and lists itself.
///
/// ```
/// use ebmbook::cate::{Folding, LearnerKind, PropensityKind};
/// use ebmbook::{regress::RegressorKind, seed::Seed};
/// let (ridge, svc) = (RegressorKind::Ridge.build(1.0)?, PropensityKind::Svc.build(42));
/// let folding = Folding::Stratified { k: 2, seed: Seed::new(0) };
/// assert_eq!("r".parse::<LearnerKind>()?.build(ridge, svc, folding).name(), "r");
/// let error = "f".parse::<LearnerKind>().unwrap_err();
/// assert_eq!(error.to_string(), "no learner is called `f`; there are t, s, x, dr, r");
/// # Ok::<(), ebmbook::Error>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[derive(Display, EnumIter, EnumString, VariantNames)]
#[serde(rename_all = "kebab-case")]
#[strum(serialize_all = "kebab-case", parse_err_ty = CateError, parse_err_fn = unknown_learner)]
pub enum LearnerKind {
    /// [`TLearner`].
    T,
    /// [`SLearner`].
    S,
    /// [`XLearner`].
    X,
    /// [`DrLearner`].
    Dr,
    /// [`RLearner`].
    R,
}

fn unknown_learner(name: &str) -> CateError {
    CateError::Unknown { what: "learner", name: name.into(), known: LearnerKind::VARIANTS.join(", ") }
}

impl LearnerKind {
    /// The learner with these parts.
    pub fn build(
        self,
        regressor: Arc<dyn Regressor>,
        propensity: Propensity,
        folding: Folding,
    ) -> Arc<dyn Learner> {
        match self {
            Self::T => Arc::new(TLearner::new(regressor)),
            Self::S => Arc::new(SLearner::new(regressor)),
            Self::X => Arc::new(XLearner::new(regressor, propensity)),
            Self::Dr => Arc::new(DrLearner::new(regressor, propensity, folding)),
            Self::R => Arc::new(RLearner::new(regressor, propensity, folding)),
        }
    }

    /// Whether the learner uses a propensity.
    pub fn uses_propensity(self) -> bool {
        matches!(self, Self::X | Self::Dr | Self::R)
    }
}

/// An estimated effect.
pub trait Effect: Send + Sync {
    /// τ̂ for each row.
    fn at(&self, rows: Rows<'_>) -> Result<Array1<f64>, CateError>;
}
