//! What the values of a cell are called. Files hold the printed form, as in `r kernel-ridge, noiseless`.

use ebmbook::cate::LearnerKind;
use ebmbook::regress::RegressorKind;
use serde::{Deserialize, Serialize};
use std::fmt::{self, Display, Formatter};
use std::str::FromStr;
use strum::{Display, EnumIter, IntoEnumIterator};

/// The regressors of the paper's tables.
pub const PRINTED_REGRESSORS: [RegressorKind; 4] =
    [RegressorKind::KernelRidge, RegressorKind::Power, RegressorKind::Polynomial, RegressorKind::Ridge];

/// A learner and the outcome regression behind it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Fit {
    /// How effects are learnt.
    pub learner: LearnerKind,
    /// How outcomes are.
    pub regressor: RegressorKind,
}

/// As in `r kernel-ridge`.
impl Display for Fit {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        write!(f, "{} {}", self.learner, self.regressor)
    }
}

impl Fit {
    /// One learner with one regressor.
    pub const fn new(learner: LearnerKind, regressor: RegressorKind) -> Self {
        Self { learner, regressor }
    }

    /// One learner with linear kernel ridge, as in Table 1.
    pub const fn kernel_ridge(learner: LearnerKind) -> Self {
        Self::new(learner, RegressorKind::KernelRidge)
    }

    /// All four learners of the paper with one regressor.
    pub fn all(regressor: RegressorKind) -> Vec<Self> {
        let learners = [LearnerKind::T, LearnerKind::X, LearnerKind::Dr, LearnerKind::R];
        learners.map(|learner| Self { learner, regressor }).to_vec()
    }

    /// Its PEHE against the noisy effect, as the paper prints it.
    pub const fn pehe(self) -> Quantity {
        Quantity::Pehe(Predictor::Fit(self))
    }
}

/// What predicts effects.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Display)]
#[strum(serialize_all = "kebab-case")]
pub enum Predictor {
    /// No effect for anybody.
    #[default]
    Zero,
    /// The difference in means for everybody.
    Constant,
    /// The true effect.
    Oracle,
    /// A learner.
    #[strum(to_string = "{0}")]
    Fit(Fit),
}

/// What a value of a cell is.
///
/// ```
/// use paper_checks::study::{Fit, LearnerKind, Predictor, Quantity};
/// let r = Fit::kernel_ridge(LearnerKind::R);
/// assert_eq!(r.pehe().to_string(), "r kernel-ridge");
/// assert_eq!("r kernel-ridge, noiseless".parse(), Ok(Quantity::Noiseless(Predictor::Fit(r))));
/// assert_eq!("sd of effects".parse(), Ok(Quantity::SdOfEffects));
/// assert!("r kernel ridge".parse::<Quantity>().is_err());
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Display, EnumIter)]
pub enum Quantity {
    /// Error of predicted effects against the noisy effect y1 − y0.
    #[strum(to_string = "{0}")]
    Pehe(Predictor),
    /// Error against the noiseless effect.
    #[strum(to_string = "{0}, noiseless")]
    Noiseless(Predictor),
    /// Agreement of runs, coordinate by coordinate.
    #[strum(serialize = "mcc")]
    Mcc,
    /// Agreement without the sign.
    #[strum(serialize = "mcc, absolute")]
    MccAbsolute,
    /// Agreement after the best linear matching.
    #[strum(serialize = "mcc, canonical")]
    MccCanonical,
    /// Effective rank of a representation.
    #[strum(serialize = "effective rank")]
    EffectiveRank,
    /// Largest correlation between two of its coordinates.
    #[strum(serialize = "largest cross-correlation")]
    LargestCrossCorrelation,
    /// Standard deviation of τ̂(x) across runs, averaged over x.
    #[strum(serialize = "sd of effects")]
    SdOfEffects,
    /// Standard deviation of the PEHE across runs.
    #[strum(serialize = "sd of pehe")]
    SdOfPehe,
    /// Loss on the rows that training held out.
    #[strum(serialize = "held-out loss")]
    HeldOutLoss,
    /// Cross-validated error of the outcomes.
    #[strum(serialize = "outcome error")]
    OutcomeError,
    /// PEHE averaged over runs.
    #[strum(serialize = "pehe")]
    MeanPehe,
    /// Share of treated rows.
    #[strum(serialize = "treated share")]
    TreatedShare,
    /// Share of rows whose propensity is close to 0 or 1.
    #[strum(serialize = "extreme propensities")]
    ExtremePropensities,
    /// How well a linear index tells treated rows from controls.
    #[strum(serialize = "area under the curve")]
    AreaUnderTheCurve,
}

impl Quantity {
    /// PEHE of predicting zero.
    pub const ZERO: Self = Self::Pehe(Predictor::Zero);
    /// PEHE of predicting one constant.
    pub const CONSTANT: Self = Self::Pehe(Predictor::Constant);

    /// The learner whose error it is, if it is one's.
    pub fn fit(self) -> Option<Fit> {
        match self {
            Self::Pehe(Predictor::Fit(fit)) | Self::Noiseless(Predictor::Fit(fit)) => Some(fit),
            _ => None,
        }
    }

    /// Whether it is the error of a predictor that learns nothing.
    pub fn is_trivial(self) -> bool {
        matches!(self, Self::Pehe(_) | Self::Noiseless(_)) && self.fit().is_none()
    }
}

impl FromStr for Quantity {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let (plain, noiseless) = text.strip_suffix(", noiseless").map_or((text, false), |p| (p, true));
        let fit = |(l, r): (&str, &str)| Some(Fit::new(l.parse().ok()?, r.parse().ok()?));
        let predictor = match plain {
            "zero" => Some(Predictor::Zero),
            "constant" => Some(Predictor::Constant),
            "oracle" => Some(Predictor::Oracle),
            _ => plain.split_once(' ').and_then(fit).map(Predictor::Fit),
        };
        let found = match predictor {
            Some(of) if noiseless => Some(Self::Noiseless(of)),
            Some(of) => Some(Self::Pehe(of)),
            None => Self::iter().find(|quantity| quantity.to_string() == text),
        };
        found.ok_or_else(|| format!("no quantity is called `{text}`"))
    }
}
