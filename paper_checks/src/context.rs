//! What every check is given: how large to be, which seed, and the building blocks it must use so
//! that a deliberate bug can be planted under all of them at once.

use crate::registry::Scale;
use crate::study::{Results, Studies, StudyError};
use ebmbook::data::Covariates;
use ebmbook::ebm::{DirectionLaw, Directions, Ebm};
use ebmbook::metrics::{mcc, pehe, pehe_square};
use ebmbook::network::Activation;
use ebmbook::seed::Seed;
use ebmbook::theory::density::{self, Grid};
use ebmbook::theory::mixture::{self, Runs};
use ebmbook::theory::{gaussian, population};
use ndarray::{Array2, ArrayView1, ArrayView2};
use ndarray_rand::RandomExt;
use rand_distr::StandardNormal;

/// A deliberate bug, planted by a test to see that a verdict turns red.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Mutation {
    /// Densities exp(+βᵀf) instead of exp(−βᵀf), in density tables, posteriors and training objectives.
    EnergySign,
    /// The sum of kernel terms in a posterior ends one candidate too early.
    MissingKernelTerm,
    /// B with a column that is not orthogonal to the others.
    DirectionsNotOrthogonal,
    /// The mean square where PEHE is its root. It moves the PEHE of every design of the effects on a trained f
    /// and turns its snapshot red; the verdict, which rests on the limits, stays.
    PeheSquared,
    /// Agreement of two runs after the best linear matching of their coordinates, instead of
    /// coordinate by coordinate. It lifts the MCC of runs on fresh samples, at small n most, and turns its
    /// snapshot red; the verdict stays, because the matched MCC rises, too.
    MccWithMatching,
}

/// Scale, seed and building blocks of a check.
#[derive(Clone, Debug)]
pub struct Context {
    /// How much work to do.
    pub scale: Scale,
    /// The seed of everything random in the check.
    pub seed: Seed,
    /// A bug planted by a test; none outside of tests.
    pub mutation: Option<Mutation>,
    /// Where the values of studies are.
    pub studies: Studies,
    /// Whether to be as small as keeps every statistical gate alive: the size of calibrations.
    pub reduced: bool,
}

impl Default for Context {
    fn default() -> Self {
        Self {
            scale: Scale::Quick,
            seed: Seed::new(2022),
            mutation: None,
            studies: Studies::default(),
            reduced: false,
        }
    }
}

impl Context {
    /// `quick` at quick scale, `full` at full scale.
    pub fn pick<T>(&self, quick: T, full: T) -> T {
        match self.scale {
            Scale::Quick => quick,
            Scale::Full => full,
        }
    }

    /// The values of a study at this scale; an error if cells are missing.
    pub fn results(&self, study: &str) -> Result<Results, StudyError> {
        self.studies.results(study, self.scale)
    }

    /// [`Context::pick`], with a size of its own for hundreds of repetitions.
    pub fn size<T>(&self, reduced: T, quick: T, full: T) -> T {
        if self.reduced { reduced } else { self.pick(quick, full) }
    }

    /// What candidates of the Gaussian model are scored with.
    pub fn gaussian_scores(&self) -> gaussian::Scores {
        let right = gaussian::Scores::default();
        match self.mutation {
            Some(Mutation::EnergySign) => wrong_sign(right),
            Some(Mutation::MissingKernelTerm) => gaussian::Scores {
                kernel_terms: |kernel, candidates| {
                    let mut weights = kernel.log_weights(candidates)?;
                    for (group, mut weight) in candidates.outer_iter().zip(weights.rows_mut()) {
                        let last = group.nrows() - 1;
                        for a in 0..last {
                            weight[a] -= kernel.log_density(group.row(last), group.row(a));
                        }
                    }
                    Ok(weights)
                },
                ..right
            },
            _ => right,
        }
    }

    /// What candidates of a finite population are scored with.
    pub fn population_scores(&self) -> population::Scores {
        let right = population::Scores::default();
        match self.mutation {
            Some(Mutation::EnergySign) => population::Scores { sign: -1.0, ..right },
            Some(Mutation::MissingKernelTerm) => population::Scores {
                kernel_term: |a, log_kernel| population::all_others(a, &log_kernel[..log_kernel.len() - 1]),
                ..right
            },
            _ => right,
        }
    }

    /// Trains runs on the mixture. The pairwise objective has no kernel terms to leave out, so only
    /// the sign of the energy matters to it.
    pub fn train(&self, runs: Runs, seed: Seed) -> ebmbook::Result<Vec<mixture::Run>> {
        if self.mutation != Some(Mutation::EnergySign) {
            return Ok(runs.train(seed)?);
        }
        // The loss sees −β_jᵀf; whoever reads the energies takes them for β_jᵀf.
        let b = -Directions::new(DirectionLaw::Authors, 5, seed)?.matrix().to_owned();
        let mut trained = runs.directions(b.view()).train(seed)?;
        trained.iter_mut().for_each(|run| run.energies.mapv_inplace(|e| -e));
        Ok(trained)
    }

    /// PEHE of estimates.
    pub fn pehe(&self, estimate: ArrayView1<f64>, truth: ArrayView1<f64>) -> ebmbook::Result<f64> {
        Ok(if self.mutation == Some(Mutation::PeheSquared) {
            pehe_square(estimate, truth)?
        } else {
            pehe(estimate, truth)?
        })
    }

    /// MCC of two runs.
    pub fn agreement(&self, one: ArrayView2<f64>, other: ArrayView2<f64>) -> ebmbook::Result<f64> {
        let found = mcc(&[one, other])?;
        Ok(if self.mutation == Some(Mutation::MccWithMatching) { found.cca } else { found.signed })
    }

    /// Haar directions.
    pub fn directions(&self, k: usize) -> ebmbook::Result<Array2<f64>> {
        let mut b =
            Directions::new(DirectionLaw::Haar, k, self.seed.child("directions"))?.matrix().to_owned();
        if self.mutation == Some(Mutation::DirectionsNotOrthogonal) {
            let mixed = (&b.column(0) + &b.column(1)) / 2.0_f64.sqrt();
            b.column_mut(1).assign(&mixed);
        }
        Ok(b)
    }

    /// log p_{θ,j} over a grid.
    pub fn log_densities(&self, grid: &Grid, f: ArrayView2<f64>, directions: ArrayView2<f64>) -> Array2<f64> {
        if self.mutation == Some(Mutation::EnergySign) {
            return density::log_densities(grid, (-&f).view(), directions);
        }
        density::log_densities(grid, f, directions)
    }

    /// A small smooth EBM trained for a few epochs on Gaussian rows: a real
    /// network for the statements that hold for any network.
    pub fn small_ebm(&self, d: usize, k: usize) -> ebmbook::Result<Ebm> {
        let mut rng = self.seed.child("rows").rng();
        let x = Array2::<f64>::random_using((400, d), StandardNormal, &mut rng);
        let directions = self.directions(k)?;
        let orthogonal = self.mutation != Some(Mutation::DirectionsNotOrthogonal);
        let mut params = Ebm::params(k).hidden(&[16, 16]).activation(Activation::Silu).epochs(30);
        if orthogonal {
            params = params.given_directions(directions.view());
        }
        Ok(Ebm::fit(&params, &Covariates::continuous(x)?, self.seed.child("training"))?)
    }
}

/// The Gaussian model with the sign of the energy flipped.
pub(super) fn wrong_sign(scores: gaussian::Scores) -> gaussian::Scores {
    gaussian::Scores { energy: |x| -0.5 * x * x, ..scores }
}
