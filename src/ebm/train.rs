//! Training. In: covariates, parameters, a seed. Out: a fitted [`Ebm`]. Each step draws fresh noise.

use super::candidates::{Batch, Sampler};
use super::{Directions, Ebm, EbmError, EbmParams, Objective};
use crate::data::Covariates;
use crate::network::{BatchLoss, Block, EpochRecord, History, Keep, Lanes, Network, Plan, Real, Run};
use crate::seed::Seed;

/// A run that can be taken epoch by epoch, saved and resumed.
///
/// ```
/// use ebmbook::prelude::*;
/// use ebmbook::ebm::Trainer;
/// let data = synthetic::Released::new(50, 100)?.generate().train;
/// let params = Ebm::params(2).epochs(3);
/// let mut trainer = Trainer::new(&params, data.covariates(), Seed::new(1))?;
/// while let Some(record) = trainer.epoch()? {
///     assert!(record.train.is_finite());
/// }
/// assert_eq!(trainer.finish()?.history().epochs.len(), 3);
/// # Ok::<(), ebmbook::Error>(())
/// ```
pub struct Trainer {
    pub(super) params: EbmParams,
    pub(super) seed: Seed,
    pub(super) data: Covariates,
    pub(super) run: Run<Telling>,
}

/// Telling rows from their corrupted copies.
pub(super) struct Telling {
    sampler: Sampler,
    directions: Directions,
    objective: Objective,
}

impl<T: Real> BatchLoss<T> for Telling {
    type Batch = Batch<T>;

    fn draw(&mut self, rows: &[usize], noise: Seed, batch: &mut Batch<T>) {
        self.sampler.draw(rows, noise, batch);
    }

    fn input(batch: &Batch<T>) -> &[Block<T>] {
        batch.blocks()
    }

    fn loss(&self, batch: &Batch<T>, block: usize, f: &[Lanes<T>], gradient: &mut [Lanes<T>]) -> f64 {
        batch.loss(self.objective, &self.directions, block, f, gradient)
    }
}

impl Trainer {
    /// Checks the parameters and sets everything up; no step is taken yet.
    pub fn new(params: &EbmParams, train: &Covariates, seed: Seed) -> Result<Self, EbmError> {
        params.check(train.d())?;
        let shape = params.architecture(train.d())?;
        let network = Network {
            theta: shape.initialise(seed.child("weights")),
            shape,
            adam: params.adam(),
            engine: params.engine,
            device: params.device,
            precision: params.precision,
        };
        let loss = Telling {
            sampler: Sampler::for_rows(params, train, seed.child("folds"))?,
            directions: params.make_directions()?,
            objective: params.objective,
        };
        let run = Run::new(network, params.plan(), loss, train.n(), seed)?;
        Ok(Self { params: params.clone(), seed, data: train.clone(), run })
    }

    /// Trains for one epoch; none if the run is over.
    pub fn epoch(&mut self) -> Result<Option<EpochRecord>, EbmError> {
        Ok(self.run.epoch()?)
    }

    /// The parameters of the run.
    pub fn params(&self) -> &EbmParams {
        &self.params
    }

    /// The course of the run so far.
    pub fn history(&self) -> &History {
        self.run.history()
    }

    /// The model with the weights that are kept.
    pub fn finish(self) -> Result<Ebm, EbmError> {
        let (theta, history, Telling { sampler, directions, .. }) = self.run.finish();
        let assignment = sampler.assignment().clone();
        Ebm::new(self.params, theta, directions, assignment, history, &self.data, self.seed)
    }
}

impl EbmParams {
    pub(super) fn plan(&self) -> Plan {
        Plan {
            batch: self.batch,
            epochs: self.epochs,
            steps: self.steps,
            rate: self.rate,
            schedule: self.schedule,
            validation: self.validation,
            validate_every: self.validate_every,
            // Who asks for the last weights asks for the last epoch.
            patience: self.patience.filter(|_| self.keep != Keep::Last),
            keep: self.keep,
        }
    }
}
