//! Notebook 05: consistency. What the check measured, as curves; the rest is drawn by [`pictures`](crate::pictures).

use super::Judged;
use crate::pictures::consistency as drawn;
use ebmbook::show::Figure;

pub use drawn::*;

/// Agreement of independent runs against n, as the check of consistency measured it.
pub fn agreement(consistency: &Judged) -> Figure {
    drawn::agreement_of(&consistency.report().findings.baselines)
}

/// Distance of the learned densities to their limit against n.
pub fn distances(consistency: &Judged) -> Figure {
    drawn::distances_of(&consistency.report().findings.baselines)
}
