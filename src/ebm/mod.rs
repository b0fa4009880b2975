//! The partially randomized energy-based model. In: covariates and a seed. Out: [`Ebm`], a
//! representation f_θ : Rᵈ → Rᵏ and the k densities it stands for, Equation (4):
//!
//! ```text
//! p_{θ,j}(x) = exp(−β_jᵀ f_θ(x)) / Z_{θ,j},     j = 1..k,     B = (β_1 … β_k) orthogonal, fixed
//! ```
//!
//! θ is the only thing learned, by telling rows from their corrupted copies. Follow a run:
//! [`directions`](Directions) draws B, [`Folds`] says which density each row trains, the sampler
//! makes candidates, the [`network`](crate::network) gives their representations, the [`Objective`] their loss,
//! and [`Trainer`] repeats it.

mod arm_outcome;
pub mod candidates;
mod checkpoint;
mod directions;
mod error;
mod folds;
mod model;
mod objective;
mod params;
mod pilot;
#[cfg(test)]
mod tests;
mod train;

// What the parameters of a model choose of its network.
pub use crate::network::{
    Activation, Device, Engine, EpochRecord, History, Keep, Precision, RateSchedule, WeightDecay,
};
pub use arm_outcome::{
    ArmOutcome, ArmOutcomeError, FoldClassifier, FoldProbabilities, OutcomeBins, SMALLEST_FOLD,
};
pub(crate) use arm_outcome::{constants_of_shares, probabilities_of_energies};
pub use directions::{DirectionLaw, Directions, LiteralReading, literal_reading};
pub use error::EbmError;
pub use folds::{Assignment, Folds, soft_weights};
pub use model::Ebm;
pub use objective::Objective;
pub use params::{EbmParams, ReleasedMask};
pub use pilot::{Pilot, Tried};
pub use train::Trainer;
