//! Covariates of the paper's own settings.

use crate::printed::{Block, Hyperparameters, Printed};
use ebmbook::data::ihdp::Ihdp;
use ebmbook::data::twins::{Missing, TreatmentRule, Twins};
use ebmbook::data::{Covariates, synthetic::Released};
use ebmbook::seed::Seed;
use std::sync::OnceLock;

/// The rows of each printed setting: covariates of files that ship and of the authors' synthetic data, the same for
/// every seed, so they are made once.
pub(super) fn printed_rows() -> ebmbook::Result<&'static [Covariates]> {
    static ROWS: OnceLock<Vec<Covariates>> = OnceLock::new();
    if let Some(made) = ROWS.get() {
        return Ok(made);
    }
    let made = Printed::load().hyperparameters.iter().map(rows).collect::<ebmbook::Result<_>>()?;
    Ok(ROWS.get_or_init(|| made))
}

fn rows(h: &Hyperparameters) -> ebmbook::Result<Covariates> {
    let first: Vec<usize> = (0..h.n).collect();
    // Draws treatments and outcomes, which are not looked at.
    let seed = Seed::new(0);
    Ok(match h.dataset {
        Block::Twins => Twins::load()?
            .dataset(Missing::CompleteCase, TreatmentRule::FairCoin, seed)?
            .covariates()
            .rows(&first),
        Block::Ihdp => Ihdp::load()?.surface_b(seed).covariates().rows(&first),
        Block::SyntheticGrowingD | Block::SyntheticD100 => {
            Released::new(h.d, h.n)?.generate().train.covariates().clone()
        }
    })
}
