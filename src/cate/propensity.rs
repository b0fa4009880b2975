//! Where P(A = 1 | x) comes from.

use super::{CateError, Rows, Sample};
use crate::regress::{Classification, Classifier, ClosedForm, Logistic, Svc};
use ndarray::{Array1, ArrayView1};
use std::sync::Arc;
use strum::{Display, EnumIter, EnumString, VariantNames};

/// The propensities by name; it parses, prints and lists itself.
///
/// ```
/// use ebmbook::cate::PropensityKind;
/// let error = "coin".parse::<PropensityKind>().unwrap_err();
/// assert_eq!(error.to_string(), "no propensity is called `coin`; there are svc, logistic, closed-form, constant, known");
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Display, EnumIter, EnumString, VariantNames)]
#[strum(serialize_all = "kebab-case", parse_err_ty = CateError, parse_err_fn = unknown_propensity)]
pub enum PropensityKind {
    /// A support vector classifier with Platt's probabilities.
    Svc,
    /// Logistic regression.
    Logistic,
    /// A classifier with nothing iterative in it.
    ClosedForm,
    /// The share of treated rows.
    Constant,
    /// Given with the rows.
    Known,
}

fn unknown_propensity(name: &str) -> CateError {
    CateError::Unknown { what: "propensity", name: name.into(), known: PropensityKind::VARIANTS.join(", ") }
}

impl PropensityKind {
    /// The propensity; the seed is that of the support vector classifier.
    pub fn build(self, svc_seed: u32) -> Propensity {
        match self {
            Self::Svc => Propensity::model(Svc::new(svc_seed)),
            Self::Logistic => Propensity::model(Logistic::default()),
            Self::ClosedForm => Propensity::model(ClosedForm),
            Self::Constant => Propensity::Constant,
            Self::Known => Propensity::Known,
        }
    }
}

/// The source of the propensity.
///
/// ```
/// use ebmbook::cate::{Propensity, Sample};
/// use ndarray::array;
/// let sample = Sample::new(array![[0.0], [1.0]], array![false, true], array![0.0, 1.0])?;
/// let share = Propensity::Constant.fit(&sample)?.of(sample.rows())?;
/// assert_eq!(share, array![0.5, 0.5]);
/// # Ok::<(), ebmbook::cate::CateError>(())
/// ```
#[derive(Clone)]
pub enum Propensity {
    /// A classifier learns it from the rows.
    Model(Arc<dyn Classifier>),
    /// The share of treated rows, the same for everybody: right where treatment is a coin.
    Constant,
    /// Given with the rows (an oracle, or the design of a trial).
    Known,
}

impl Propensity {
    /// Learnt by a classifier.
    pub fn model(classifier: impl Classifier + 'static) -> Self {
        Self::Model(Arc::new(classifier))
    }

    /// Fits on training rows.
    pub fn fit(&self, sample: &Sample) -> Result<FittedPropensity, CateError> {
        Ok(FittedPropensity(match self {
            Self::Model(classifier) => Fitted::Model(classifier.fit(sample.x(), sample.treated())?),
            Self::Constant => Fitted::Constant(sample.arm(true).len() as f64 / sample.n() as f64),
            Self::Known => Fitted::Known,
        }))
    }
}

/// A fitted propensity.
pub struct FittedPropensity(Fitted);

enum Fitted {
    Model(Box<dyn Classification>),
    Constant(f64),
    Known,
}

impl FittedPropensity {
    /// P(A = 1 | x) of each row.
    pub fn of(&self, rows: Rows<'_>) -> Result<Array1<f64>, CateError> {
        match &self.0 {
            Fitted::Model(fitted) => Ok(fitted.probability(rows.x)?),
            Fitted::Constant(share) => Ok(Array1::from_elem(rows.x.nrows(), *share)),
            Fitted::Known => {
                let rows_without = CateError::NoKnownPropensity { rows: rows.x.nrows() };
                let known = rows.propensity.ok_or(rows_without)?;
                check_range(known)?;
                Ok(known.to_owned())
            }
        }
    }
}

fn check_range(known: ArrayView1<f64>) -> Result<(), CateError> {
    match known.iter().enumerate().find(|(_, e)| !(**e > 0.0 && **e < 1.0)) {
        Some((position, value)) => Err(CateError::PropensityRange { position, value: *value }),
        None => Ok(()),
    }
}
