//! What a sweep goes by.

use crate::study::{Fit, LearnerKind, Quantity, Values};
use clap::ValueEnum;
use strum::{Display, EnumIter};

/// What a sweep goes by. Of each, less is better.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, ValueEnum, Display, EnumIter)]
#[strum(serialize_all = "kebab-case")]
pub enum Score {
    /// The loss on the 20 % of the rows that training holds out: its negative is the objective, which the paper maximised.
    #[default]
    Validation,
    /// Cross-validated error of the outcomes, by a kernel ridge in each arm (the paper's second footnote).
    OutcomeCv,
    /// PEHE of the R-learner on the test rows, as the released notebook has it: no choice that could be made without them.
    PeheTest,
}

impl Score {
    /// The value of a cell that it is.
    pub const fn quantity(self) -> Quantity {
        match self {
            Self::Validation => Quantity::HeldOutLoss,
            Self::OutcomeCv => Quantity::OutcomeError,
            Self::PeheTest => Fit::kernel_ridge(LearnerKind::R).pehe(),
        }
    }

    /// Its value among those of a cell.
    pub fn of(self, values: &Values) -> f64 {
        values.get(&self.quantity().to_string()).copied().unwrap_or(f64::NAN)
    }
}
