//! Candidates. In: training rows and a seed. Out: groups (original, copies) ready for the network,
//! and the loss of their representations.
//!
//! ```
//! use ebmbook::ebm::candidates::{Batch, Sampler};
//! use ebmbook::ebm::{DirectionLaw, Directions};
//! use ebmbook::prelude::*;
//! let data = synthetic::Released::new(50, 100)?.generate().train;
//! let params = Ebm::params(3).copies(2);
//! let mut sampler = Sampler::for_rows(&params, data.covariates(), Seed::new(1))?;
//! let mut batch = Batch::<f32>::default();
//! sampler.draw(&[4, 7], Seed::new(2), &mut batch);
//! assert_eq!(batch.blocks()[0].feature(0).len(), 3, "originals, first copies and second copies, sixteen at a time");
//!
//! // A network that gives 0 everywhere leaves each pair a coin flip.
//! let b = Directions::new(DirectionLaw::Haar, 3, Seed::new(3))?;
//! let loss = batch.loss(Objective::Pairwise, &b, 0, &[[0.0; 16]; 9], &mut [[0.0; 16]; 9]);
//! assert!((loss - 2.0_f64.ln()).abs() < 1e-7);
//! # Ok::<(), ebmbook::Error>(())
//! ```

mod loss;
mod sampler;

pub use sampler::Sampler;

use super::{Directions, Objective};
use crate::network::{Block, LANES, Lanes, Real};

/// Groups of b + 1 candidates. A block holds all originals of its groups, then their first copies, and so on, each
/// padded to whole lanes.
#[derive(Clone, Debug)]
pub struct Batch<T> {
    /// Rooms that are kept from draw to draw; the first `parts.len()` are in use.
    blocks: Vec<Block<T>>,
    parts: Vec<Part<T>>,
    groups: usize,
    /// b + 1
    size: usize,
}

impl<T> Default for Batch<T> {
    fn default() -> Self {
        Self { blocks: Vec::new(), parts: Vec::new(), groups: 0, size: 0 }
    }
}

/// What a block's candidates are besides their values.
#[derive(Clone, Debug, Default)]
struct Part<T> {
    groups: usize,
    folds: Fold,
    /// w_a − w_0 of each candidate, candidate by candidate as in the block; empty if the objective uses none.
    weights: Vec<Lanes<T>>,
}

/// Which β_j scores a candidate.
#[derive(Clone, Debug, Default)]
enum Fold {
    /// Each group counts in all k densities.
    #[default]
    Every,
    /// That of its group.
    OfGroup(Vec<usize>),
    /// One for each candidate, candidate by candidate.
    OfCandidate(Vec<usize>),
}

impl<T: Real> Batch<T> {
    /// The candidates.
    pub fn blocks(&self) -> &[Block<T>] {
        &self.blocks[..self.parts.len()]
    }

    /// Equation (7): what the groups of a block add to the mean loss over all groups, given f of every candidate;
    /// ∂loss/∂f is written to `gradient`.
    pub fn loss(
        &self,
        objective: Objective,
        b: &Directions,
        block: usize,
        f: &[Lanes<T>],
        gradient: &mut [Lanes<T>],
    ) -> f64 {
        let (part, k) = (&self.parts[block], b.k());
        let chunks = part.groups.div_ceil(LANES);
        // β_j in row j, so that a direction is a slice.
        let beta: Vec<T> = b.matrix().t().iter().map(|b| T::of(*b)).collect();
        let densities = if matches!(part.folds, Fold::Every) { k } else { 1 };
        let share = T::of(1.0 / (self.groups * densities) as f64);
        let mut work = loss::Work::new(self.size, k);
        gradient.fill([T::of(0.0); LANES]);
        let mut total = 0.0;
        for chunk in 0..chunks {
            let rows = chunk * LANES..part.groups.min((chunk + 1) * LANES);
            // Lanes that only fill up have no share in the loss.
            let shares = std::array::from_fn(|v| if v < rows.len() { share } else { T::of(0.0) });
            for density in 0..densities {
                let direction = |a: usize, v: usize| match &part.folds {
                    Fold::Every => density,
                    Fold::OfGroup(folds) => folds[rows.start + v],
                    Fold::OfCandidate(folds) => folds[a * part.groups + rows.start + v],
                };
                let own = if matches!(part.folds, Fold::OfCandidate(_)) { self.size } else { 1 };
                work.gather(own, rows.len(), |a, v| &beta[direction(a, v) * k..][..k]);
                let at = loss::Place { chunk, chunks, size: self.size };
                total += loss::chunk(objective, at, &part.weights, shares, f, &mut work, gradient);
            }
        }
        total
    }
}
