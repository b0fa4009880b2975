//! What measures a claim, and what else its folder offers: pictures, a calibration, the statistic of the printed means.

use super::{Findings, Report};
use crate::context::Context;
use crate::registry::{Scale, Value};
use crate::study::StudyError;
use ebmbook::show::Figure;

/// Measures a claim, as printed and for each control.
pub type Measure = fn(&Context) -> Result<Findings, StudyError>;
/// Gives the numbers behind medians.
pub type Repeat = fn(&Context) -> Result<Vec<Replicates>, StudyError>;
/// Gives values of printed means.
pub type OfPrinted = fn(Scale) -> Result<Vec<Value>, StudyError>;

/// What a claim's folder offers. Only the measurement is needed.
///
/// ```text
/// pub const CHECK: Check = Check { pictures: Pictures::Illustrate(pictures), ..Check::new(measure) };
/// ```
pub struct Check {
    /// Measures the claim as printed and each control.
    pub measure: Measure,
    /// Its pictures, beside the one of value, controls and bound.
    pub pictures: Pictures,
    /// The numbers behind the medians that it judges, if it judges any.
    pub replicates: Option<Repeat>,
    /// The calibration on record, for a claim in which chance has a say.
    pub calibration: Option<&'static str>,
    /// Its values, computed from the means that the paper prints over the settings of a scale.
    pub printed: Option<OfPrinted>,
}

/// Pictures that stand with a claim.
pub enum Pictures {
    /// None.
    None,
    /// They show what the check measured.
    Measured(fn(&Report) -> Vec<Figure>),
    /// They illustrate, at quick scale, as the notebooks do.
    Illustrate(fn(&Report, &Context) -> Vec<Figure>),
}

/// The independent numbers behind one median.
#[derive(Clone, Debug, PartialEq)]
pub struct Replicates {
    /// Of what.
    pub name: String,
    /// One number per draw.
    pub numbers: Vec<f64>,
}

impl Check {
    /// A check without anything beside it.
    pub const fn new(measure: Measure) -> Self {
        Self { measure, pictures: Pictures::None, replicates: None, calibration: None, printed: None }
    }

    /// The pictures of a judged claim.
    pub fn pictures(&self, report: &Report, context: &Context) -> Vec<Figure> {
        match self.pictures {
            Pictures::None => Vec::new(),
            Pictures::Measured(draw) => draw(report),
            // A picture illustrates; it needs no more than the notebooks show.
            Pictures::Illustrate(draw) => draw(report, &Context { scale: Scale::Quick, ..context.clone() }),
        }
    }
}
