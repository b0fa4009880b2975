//! What a learner sees: features, treatments, outcomes, and the propensity where it is known.

use super::CateError;
use crate::data::Dataset;
use ndarray::{Array1, Array2, ArrayView1, ArrayView2, Axis};

/// Training rows.
///
/// ```
/// use ebmbook::cate::Sample;
/// use ndarray::array;
/// let error = Sample::new(array![[1.0], [2.0]], array![true, true], array![0.0, 1.0]).err().unwrap();
/// assert_eq!(error.to_string(), "training rows: every row is treated; both arms are needed");
/// ```
#[derive(Clone, Debug)]
pub struct Sample {
    x: Array2<f64>,
    treated: Array1<bool>,
    outcome: Array1<f64>,
    propensity: Option<Array1<f64>>,
}

/// Rows whose effect is asked for. Features alone convert with `.into()`.
#[derive(Clone, Copy, Debug)]
pub struct Rows<'a> {
    /// The features.
    pub x: ArrayView2<'a, f64>,
    /// P(A = 1 | x) of each row, where it is known.
    pub propensity: Option<ArrayView1<'a, f64>>,
}

impl<'a> From<ArrayView2<'a, f64>> for Rows<'a> {
    fn from(x: ArrayView2<'a, f64>) -> Self {
        Self { x, propensity: None }
    }
}

impl Sample {
    /// Checks lengths, finiteness, and that both arms have rows.
    pub fn new(x: Array2<f64>, treated: Array1<bool>, outcome: Array1<f64>) -> Result<Self, CateError> {
        let rows = x.nrows();
        for (what, found) in [("treatment", treated.len()), ("outcome", outcome.len())] {
            if found != rows {
                return Err(CateError::Lengths { what, found, rows });
            }
        }
        finite("features", x.iter())?;
        finite("outcome", outcome.iter())?;
        check_both_arms(|| "training rows".into(), treated.iter())?;
        Ok(Self { x, treated, outcome, propensity: None })
    }

    /// The covariates, treatments and outcomes of a data set.
    pub fn from_dataset(data: &Dataset) -> Result<Self, CateError> {
        Self::new(data.x().to_owned(), data.treatment()?.to_owned(), data.outcome()?.to_owned())
    }

    /// With the known propensity of each row.
    pub fn with_propensity(mut self, propensity: Array1<f64>) -> Result<Self, CateError> {
        if propensity.len() != self.n() {
            let (what, found, rows) = ("known propensity", propensity.len(), self.n());
            return Err(CateError::Lengths { what, found, rows });
        }
        self.propensity = Some(propensity);
        Ok(self)
    }

    /// Number of rows.
    pub fn n(&self) -> usize {
        self.x.nrows()
    }

    /// The features.
    pub fn x(&self) -> ArrayView2<'_, f64> {
        self.x.view()
    }

    /// The treatment A.
    pub fn treated(&self) -> ArrayView1<'_, bool> {
        self.treated.view()
    }

    /// The outcome Y.
    pub fn outcome(&self) -> ArrayView1<'_, f64> {
        self.outcome.view()
    }

    /// Features and known propensities.
    pub fn rows(&self) -> Rows<'_> {
        Rows { x: self.x.view(), propensity: self.propensity.as_ref().map(|e| e.view()) }
    }

    /// The rows of one arm, ascending.
    pub fn arm(&self, treated: bool) -> Vec<usize> {
        (0..self.n()).filter(|i| self.treated[*i] == treated).collect()
    }

    /// The given rows, in the given order. They may lack an arm.
    pub(super) fn select(&self, rows: &[usize]) -> Self {
        Self {
            x: self.x.select(Axis(0), rows),
            treated: self.treated.select(Axis(0), rows),
            outcome: self.outcome.select(Axis(0), rows),
            propensity: self.propensity.as_ref().map(|e| e.select(Axis(0), rows)),
        }
    }
}

/// Refuses rows that all belong to one arm.
pub(super) fn check_both_arms<'a>(
    place: impl FnOnce() -> String,
    treated: impl Iterator<Item = &'a bool>,
) -> Result<(), CateError> {
    let (mut any, mut all) = (false, true);
    treated.for_each(|a| (any, all) = (any || *a, all && *a));
    match (any, all) {
        (true, false) => Ok(()),
        (false, _) => Err(CateError::OneArm { place: place(), arm: "control" }),
        (true, true) => Err(CateError::OneArm { place: place(), arm: "treated" }),
    }
}

fn finite<'a>(what: &'static str, values: impl Iterator<Item = &'a f64>) -> Result<(), CateError> {
    match values.enumerate().find(|(_, v)| !v.is_finite()) {
        Some((position, value)) => Err(CateError::NotFinite { what, position, value: *value }),
        None => Ok(()),
    }
}
