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
//! assert_eq!(batch.rows.len(), 2 * 3 * 51, "two groups of three candidates, 50 numbers and a one each");
//!
//! // A network that gives 0 everywhere leaves each pair a coin flip.
//! let b = Directions::new(DirectionLaw::Haar, 3, Seed::new(3))?;
//! let loss = batch.loss(Objective::Pairwise, &b, &[0.0; 18], &mut [0.0; 18]);
//! assert!((loss - 2.0_f64.ln()).abs() < 1e-12);
//! # Ok::<(), ebmbook::Error>(())
//! ```

use super::{Assignment, Directions, EbmError, EbmParams, Folds, Objective, ReleasedMask};
use crate::data::Covariates;
use crate::network::Real;
use crate::noise::{Change, NoiseKernel};
use crate::seed::Seed;
use ndarray::{Array2, Array3, ArrayView2, Axis, s};
use rand::Rng;
use rand_chacha::ChaCha8Rng;

/// Groups of b + 1 candidates, all in one matrix so that one product serves them.
#[derive(Clone, Debug, Default)]
pub struct Batch<T> {
    /// One candidate after the other, group by group: d numbers and a one each.
    pub rows: Vec<T>,
    groups: usize,
    /// b + 1
    size: usize,
    /// j of each candidate's β_j; empty if each group counts in all k densities.
    directions: Vec<usize>,
    /// w_a of each candidate; empty if the objective uses none.
    log_weights: Vec<f64>,
}

/// Draws candidates for rows of one training set.
pub struct Sampler {
    x: Array2<f64>,
    kernel: NoiseKernel,
    assignment: Assignment,
    objective: Objective,
    copies: usize,
    mask: ReleasedMask,
    /// Rows of each cluster, for the released program.
    members: Vec<Vec<usize>>,
    /// Candidates in double precision, for the objectives with weights.
    scratch: Array3<f64>,
    words: Vec<u32>,
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
        Ok(Self::new(train.x(), kernel, assignment, params))
    }

    fn new(x: ArrayView2<f64>, kernel: NoiseKernel, assignment: Assignment, params: &EbmParams) -> Self {
        Self {
            x: x.as_standard_layout().into_owned(),
            kernel,
            members: (0..params.k).map(|j| assignment.members(j)).collect(),
            assignment,
            objective: params.objective,
            copies: params.copies,
            mask: params.released_mask,
            scratch: Array3::zeros((0, params.copies + 1, x.ncols())),
            words: Vec::new(),
        }
    }

    /// The folds of the training rows.
    pub fn assignment(&self) -> &Assignment {
        &self.assignment
    }

    /// The groups of these training rows, with fresh noise.
    pub fn draw<T: Real>(&mut self, rows: &[usize], seed: Seed, batch: &mut Batch<T>) {
        let (size, d) = (self.copies + 1, self.x.ncols());
        batch.groups = rows.len();
        batch.size = size;
        batch.directions.clear();
        batch.log_weights.clear();
        batch.rows.resize(rows.len() * size * (d + 1), T::of(1.0));
        let mut rng = seed.rng();
        match self.objective {
            Objective::ReleasedProgram => self.released(rows, &mut rng, batch),
            Objective::Ranking | Objective::RankingExact => self.weighted(rows, &mut rng, batch),
            Objective::Pairwise | Objective::EnergyOnly => self.corrupted(rows, &mut rng, batch),
        }
    }

    /// v_0 = x_i, v_1 … v_b ~ p̃(· | x_i), all scored with the β of row i's fold.
    fn corrupted<T: Real>(&mut self, rows: &[usize], rng: &mut ChaCha8Rng, batch: &mut Batch<T>) {
        let (size, width) = (self.copies + 1, self.x.ncols() + 1);
        for (i, group) in rows.iter().zip(batch.rows.chunks_exact_mut(size * width)) {
            let (original, copies) = group.split_at_mut(width);
            let x = self.x.row(*i);
            let x = x.as_slice().expect("rows are contiguous");
            write_row(original, x);
            for copy in copies.chunks_exact_mut(width) {
                copy.copy_from_slice(original);
                // In double precision, and rounded after.
                let write = |s: usize, change: Change| copy[s] = T::of(change.of(x[s]));
                self.kernel.corruptions(&mut self.words, rng, write);
            }
        }
        self.directions_of(rows, batch);
    }

    /// Candidates with log-weights, which need the candidates in double precision.
    fn weighted<T: Real>(&mut self, rows: &[usize], rng: &mut ChaCha8Rng, batch: &mut Batch<T>) {
        self.make_room(rows.len());
        for (i, mut group) in rows.iter().zip(self.scratch.outer_iter_mut()) {
            for (a, mut candidate) in group.outer_iter_mut().enumerate() {
                let candidate = candidate.as_slice_mut().expect("rows are contiguous");
                candidate.copy_from_slice(self.x.row(*i).as_slice().expect("rows are contiguous"));
                if a > 0 {
                    self.kernel.corrupt_row(candidate, &mut self.words, rng);
                }
            }
        }
        let groups = self.scratch.slice(s![..rows.len(), .., ..]);
        let mut weights = self.kernel.log_weights(groups).expect("the kernel is of these rows");
        if self.objective == Objective::RankingExact {
            let possible = self.kernel.possible_originals(groups).expect("the kernel is of these rows");
            weights.zip_mut_with(&possible, |w, p| *w = if *p { *w } else { f64::NEG_INFINITY });
        }
        batch.log_weights.extend(weights.iter());
        self.directions_of(rows, batch);
        self.write_scratch(batch);
    }

    /// All candidates of a row have the β of its fold, if it is in one.
    fn directions_of<T>(&self, rows: &[usize], batch: &mut Batch<T>) {
        let folds = rows.iter().filter_map(|i| self.assignment.fold(*i));
        batch.directions.extend(folds.flat_map(|j| std::iter::repeat_n(j, self.copies + 1)));
    }

    fn make_room(&mut self, groups: usize) {
        if self.scratch.len_of(Axis(0)) < groups {
            self.scratch = Array3::zeros((groups, self.copies + 1, self.x.ncols()));
        }
    }

    /// The candidates of the scratch, in the batch's number type.
    fn write_scratch<T: Real>(&self, batch: &mut Batch<T>) {
        let d = self.x.ncols();
        let candidates = self.scratch.as_slice().expect("made in this order").chunks_exact(d);
        for (row, candidate) in batch.rows.chunks_exact_mut(d + 1).zip(candidates) {
            write_row(row, candidate);
        }
    }

    /// The authors' program: one mask a row, shared by its b copies; the copies start from rows
    /// of the same cluster, drawn with replacement; each is scored with the β of the cluster it is
    /// nearest to, and has weight −log p̃_a.
    fn released<T: Real>(&mut self, rows: &[usize], rng: &mut ChaCha8Rng, batch: &mut Batch<T>) {
        let d = self.x.ncols();
        self.make_room(rows.len());
        let clusters = self.assignment.clusters().expect("checked: the released objective has k-means folds");
        for (i, mut group) in rows.iter().zip(self.scratch.outer_iter_mut()) {
            let cluster = self.assignment.fold(*i).expect("k-means folds name one cluster a row");
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
            for (a, mut candidate) in group.outer_iter_mut().enumerate() {
                if a == 0 {
                    candidate.assign(&self.x.row(*i));
                    batch.directions.push(cluster);
                    batch.log_weights.push(0.0);
                    continue;
                }
                let base = self.members[cluster][rng.random_range(0..self.members[cluster].len())];
                candidate.assign(&self.x.row(base));
                let log_density = self.kernel.corrupt_where(candidate.view_mut(), &mask, rng);
                batch.directions.push(clusters.nearest(candidate.view()));
                batch.log_weights.push(-(log_density + log_mask));
            }
        }
        self.write_scratch(batch);
    }
}

/// d numbers, rounded, and a one.
fn write_row<T: Real>(row: &mut [T], values: &[f64]) {
    row.iter_mut().zip(values).for_each(|(slot, value)| *slot = T::of(*value));
    row[values.len()] = T::of(1.0);
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

impl<T: Real> Batch<T> {
    /// Equation (7): the mean loss over the groups, given f of every candidate; ∂loss/∂f is written to `gradient`.
    pub fn loss(&self, objective: Objective, b: &Directions, f: &[T], gradient: &mut [T]) -> f64 {
        let k = b.k();
        // β_j in row j, so that a direction is a slice.
        let beta: Vec<f64> = b.matrix().t().iter().copied().collect();
        let densities = if self.directions.is_empty() { k } else { 1 };
        let share = 1.0 / (self.groups * densities) as f64;
        let (mut energies, mut by_energy) = (vec![0.0; self.size], vec![0.0; self.size]);
        let mut total = 0.0;
        gradient.fill(T::of(0.0));
        for g in 0..self.groups {
            let candidates = g * self.size..(g + 1) * self.size;
            let weights = self.log_weights.get(candidates.clone()).unwrap_or_default();
            let f = &f[candidates.start * k..candidates.end * k];
            let gradient = &mut gradient[candidates.start * k..candidates.end * k];
            for density in 0..densities {
                let direction = |a: usize| {
                    let j = self.directions.get(candidates.start + a).copied().unwrap_or(density);
                    &beta[j * k..(j + 1) * k]
                };
                for (a, f) in f.chunks_exact(k).enumerate() {
                    // e_a = β_jᵀ f(v_a)
                    energies[a] = direction(a).iter().zip(f).map(|(b, f)| b * f.wide()).sum();
                }
                total += objective.loss_and_gradient(&energies, weights, &mut by_energy);
                for (a, gradient) in gradient.chunks_exact_mut(k).enumerate() {
                    // ∂loss/∂f(v_a) = ∂loss/∂e_a · β_j
                    let scale = share * by_energy[a];
                    gradient.iter_mut().zip(direction(a)).for_each(|(g, b)| *g += T::of(scale * b));
                }
            }
        }
        total * share
    }
}
