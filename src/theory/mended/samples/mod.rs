//! Folds by arm and outcome in finite samples, against others. In: a design, n rows and a seed. Out: the error of effects by one learner that sees
//! one of several representations, trained on these rows.
//!
//! X ~ N(0, I₂), as in [`effects`](crate::theory::effects), four outcome bins in each arm. Every representation is
//! cross-fitted as [`Mended`](crate::cate::Mended) is: half of the rows make it, the other half train the learner, and the
//! other way round. The learner on x itself has all rows. Networks and training are those of
//! [`mixture`](crate::theory::mixture), with every coordinate corrupted and half as many steps at the most.

mod landmarks;
mod run;

pub use landmarks::Landmarks;
pub use run::{Compared, compare};

/// What the learner sees.
#[derive(Clone, Copy, Debug, PartialEq, Eq, strum::Display, strum::EnumIter)]
pub enum Seen {
    /// f with random folds, as printed.
    #[strum(to_string = "random folds")]
    Random,
    /// The one column that f with random folds tends to, −log p_X.
    #[strum(to_string = "limit of random folds")]
    Limit,
    /// f modulo B1 with folds by arm.
    #[strum(to_string = "arm")]
    Arm,
    /// f modulo B1 with folds by arm and outcome.
    #[strum(to_string = "arm and outcome")]
    ArmOutcome,
    /// All of the same f.
    #[strum(to_string = "with B1")]
    WithB1,
    /// f modulo B1 with folds by arm and outcome, from all rows, which then train the learner, too.
    #[strum(to_string = "same rows")]
    SameRows,
    /// x itself.
    #[strum(to_string = "x")]
    Covariates,
}
