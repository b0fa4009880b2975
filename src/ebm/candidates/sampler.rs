//! Where candidates come from.

use super::{Batch, Fold, LANES, Part, Real};
use crate::data::Covariates;
use crate::ebm::{Assignment, EbmError, EbmParams, Folds, Objective, ReleasedMask};
use crate::network::{Block, Lanes};
use crate::noise::NoiseKernel;
use crate::seed::{Bulk, Seed};
use ndarray::{Array2, Array3, Axis, s};
use rand::Rng;
use rand_chacha::ChaCha8Rng;

/// Candidates in a block, at most: what a processor's second cache holds on the way through the layers.
const CANDIDATES: usize = 512;

/// Draws candidates for rows of one training set.
pub struct Sampler {
    /// The training rows, transposed: d × n.
    x: Array2<f64>,
    kernel: NoiseKernel,
    assignment: Assignment,
    objective: Objective,
    copies: usize,
    /// Whether copies are other rows instead of corrupted ones.
    other_rows: bool,
    mask: ReleasedMask,
    /// Rows of each cluster, for the released program.
    members: Vec<Vec<usize>>,
    /// Candidates in double precision, for the objectives with weights.
    wide: Block<f64>,
}

impl Sampler {
    /// For these training rows, with the noise and the folds the parameters ask for.
    pub fn for_rows(params: &EbmParams, train: &Covariates, folds: Seed) -> Result<Self, EbmError> {
        let kernel = NoiseKernel::new(train, params.corruption)?.with_sd(params.noise_sd)?;
        let centres = params.given_centres(train.d())?;
        if centres.is_some() && !matches!(params.folds, Folds::KMeans | Folds::Soft { .. }) {
            let rule = "must be k-means or soft when centres are given";
            return Err(EbmError::parameter("folds", format!("{:?}", params.folds), rule));
        }
        let assignment = Assignment::with_centres(&params.folds, train.x(), params.k, centres, folds)?;
        Ok(Self {
            x: train.x().t().as_standard_layout().into_owned(),
            kernel,
            members: (0..params.k).map(|j| assignment.members(j)).collect(),
            assignment,
            objective: params.objective,
            copies: params.copies,
            other_rows: params.other_rows,
            mask: params.released_mask,
            wide: Block::default(),
        })
    }

    /// The folds of the training rows.
    pub fn assignment(&self) -> &Assignment {
        &self.assignment
    }

    /// The groups of these training rows, with fresh noise.
    pub fn draw<T: Real>(&mut self, rows: &[usize], seed: Seed, batch: &mut Batch<T>) {
        (batch.groups, batch.size) = (rows.len(), self.copies + 1);
        let groups = (CANDIDATES / batch.size / LANES).max(1) * LANES;
        batch.parts.clear();
        let (mut rng, mut bulk) = (seed.rng(), seed.bulk());
        for (i, rows) in rows.chunks(groups).enumerate() {
            if batch.blocks.len() == i {
                batch.blocks.push(Block::default());
            }
            let block = &mut batch.blocks[i];
            batch.parts.push(match self.objective {
                Objective::ReleasedProgram => self.released(rows, &mut rng, block),
                Objective::Ranking | Objective::RankingExact => self.weighted(rows, &mut bulk, block),
                Objective::Pairwise | Objective::EnergyOnly => {
                    self.corrupted(rows, &mut bulk, block);
                    Part { groups: rows.len(), folds: self.folds_of(rows), weights: Vec::new() }
                }
            });
        }
    }

    /// v_0 = x_i, v_1 … v_b ~ p̃(· | x_i), or rows drawn from all of them
    fn corrupted<T: Real>(&self, rows: &[usize], rng: &mut Bulk, block: &mut Block<T>) {
        let chunks = rows.len().div_ceil(LANES);
        block.resize(self.x.nrows(), (self.copies + 1) * chunks);
        let drawn = if self.other_rows { self.draw_rows(self.copies * chunks, rng) } else { Vec::new() };
        for (s, x) in self.x.rows().into_iter().enumerate() {
            let (originals, copies) = block.feature_mut(s).split_at_mut(chunks);
            let x = x.to_slice().expect("contiguous");
            originals.as_flattened_mut()[rows.len()..].fill(T::of(0.0));
            originals.as_flattened_mut().iter_mut().zip(rows).for_each(|(slot, i)| *slot = T::of(x[*i]));
            if self.other_rows {
                copies.as_flattened_mut().iter_mut().zip(&drawn).for_each(|(slot, i)| *slot = T::of(x[*i]));
                continue;
            }
            copies.chunks_exact_mut(chunks).for_each(|copy| copy.copy_from_slice(originals));
            self.kernel.corrupt_lanes(s, rng, copies, T::of);
        }
    }

    /// Rows drawn with replacement, sixteen for each of so many lanes.
    fn draw_rows(&self, lanes: usize, rng: &mut Bulk) -> Vec<usize> {
        let n = self.x.ncols() as u64;
        // ⌊n·u⌋ with u of 32 bits
        (0..lanes).flat_map(|_| rng.words().map(|word| ((u64::from(word) * n) >> 32) as usize)).collect()
    }

    /// Candidates with log-weights, which need the candidates in double precision.
    fn weighted<T: Real>(&mut self, rows: &[usize], rng: &mut Bulk, block: &mut Block<T>) -> Part<T> {
        let mut wide = std::mem::take(&mut self.wide);
        self.corrupted(rows, rng, &mut wide);
        block.resize(self.x.nrows(), wide.chunks());
        block.values_mut().iter_mut().zip(wide.values()).for_each(|(slot, wide)| *slot = wide.map(T::of));
        let room = rows.len().next_multiple_of(LANES);
        let candidates = Array3::from_shape_fn((rows.len(), self.copies + 1, self.x.nrows()), |(g, a, s)| {
            wide.feature(s).as_flattened()[a * room + g]
        });
        self.wide = wide;
        let mut weights = self.kernel.log_weights(candidates.view()).expect("the kernel is of these rows");
        if self.objective == Objective::RankingExact {
            let possible = self.kernel.possible_originals(candidates.view());
            let possible = possible.expect("the kernel is of these rows");
            weights.zip_mut_with(&possible, |w, p| *w = if *p { *w } else { f64::NEG_INFINITY });
        }
        Part { groups: rows.len(), folds: self.folds_of(rows), weights: relative(&weights) }
    }

    /// All candidates of a row have the β of its fold, if it is in one.
    fn folds_of(&self, rows: &[usize]) -> Fold {
        match rows.iter().map(|i| self.assignment.fold(*i)).collect() {
            Some(folds) => Fold::OfGroup(folds),
            None => Fold::Every,
        }
    }

    /// The authors' program: one mask per row, shared by its b copies; the copies start from rows
    /// of the same cluster, drawn with replacement; each is scored with the β of the cluster it is
    /// nearest to, and has weight −log p̃_a.
    fn released<T: Real>(&self, rows: &[usize], rng: &mut ChaCha8Rng, block: &mut Block<T>) -> Part<T> {
        let (d, size, room) = (self.x.nrows(), self.copies + 1, rows.len().next_multiple_of(LANES));
        let clusters = self.assignment.clusters().expect("checked: the released objective has k-means folds");
        let mut candidates = Array2::zeros((size * room, d));
        let mut folds = vec![0; size * rows.len()];
        let mut weights = Array2::zeros((rows.len(), size));
        for (g, i) in rows.iter().enumerate() {
            let cluster = self.assignment.fold(*i).expect("k-means folds name one cluster for each row");
            let mask = match self.mask {
                ReleasedMask::Bernoulli => (0..d).map(|_| rng.random::<f64>() < self.kernel.q()).collect(),
                ReleasedMask::FiveColumns => five_of(d, rng),
            };
            let log_mask = match self.mask {
                // 1/q^{|mask|}
                ReleasedMask::Bernoulli => {
                    -(mask.iter().filter(|m| **m).count() as f64) * self.kernel.q().ln()
                }
                // 1/C(d, b)
                ReleasedMask::FiveColumns => -log_choose(d, self.copies),
            };
            candidates.row_mut(g).assign(&self.x.column(*i));
            folds[g] = cluster;
            for a in 1..size {
                let base = self.members[cluster][rng.random_range(0..self.members[cluster].len())];
                let mut candidate = candidates.row_mut(a * room + g);
                candidate.assign(&self.x.column(base));
                let log_density = self.kernel.corrupt_where(candidate.view_mut(), &mask, rng);
                folds[a * rows.len() + g] = clusters.nearest(candidate.view());
                weights[[g, a]] = -(log_density + log_mask);
            }
        }
        block.fill(candidates.view());
        Part { groups: rows.len(), folds: Fold::OfCandidate(folds), weights: relative(&weights) }
    }
}

/// w_a − w_0 of each candidate (groups × (b + 1)), candidate by candidate in lanes.
fn relative<T: Real>(weights: &Array2<f64>) -> Vec<Lanes<T>> {
    let mut lanes = Vec::new();
    for of_candidate in weights.columns() {
        for (chunk, own) in of_candidate
            .axis_chunks_iter(Axis(0), LANES)
            .zip(weights.slice(s![.., 0]).axis_chunks_iter(Axis(0), LANES))
        {
            let mut weight = [T::of(0.0); LANES];
            weight.iter_mut().zip(chunk.iter().zip(own)).for_each(|(slot, (w, own))| *slot = T::of(w - own));
            lanes.push(weight);
        }
    }
    lanes
}

/// Five of d columns, without replacement.
fn five_of(d: usize, rng: &mut ChaCha8Rng) -> Vec<bool> {
    let mut mask = vec![false; d];
    rand::seq::index::sample(rng, d, 5).into_iter().for_each(|s| mask[s] = true);
    mask
}

/// log C(n, m)
fn log_choose(n: usize, m: usize) -> f64 {
    (1..=m).map(|i| ((n - m + i) as f64 / i as f64).ln()).sum()
}
