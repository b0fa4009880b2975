//! Training: the loop of the EBM with another loss.

use super::{Autoencoder, AutoencoderParams};
use crate::data::Covariates;
use crate::data::split::Standardiser;
use crate::network::checkpoint::data_hash;
use crate::network::{
    Adam, Architecture, BatchLoss, Block, Device, Engine, EpochRecord, History, LANES, Lanes, Network,
    NetworkError, Plan, RateSchedule, Real, Run,
};
use crate::seed::Seed;
use ndarray::{Array2, Axis};

/// A run that can be taken epoch by epoch, saved and resumed.
///
/// ```
/// use ebmbook::{prelude::*, representation::Autoencoder, representation::autoencoder::AutoencoderTrainer};
/// let data = synthetic::Released::new(50, 100)?.generate().train;
/// let params = Autoencoder::params(2).epochs(4);
/// let mut trainer = AutoencoderTrainer::new(&params, data.covariates(), Seed::new(1))?;
/// while let Some(record) = trainer.epoch()? {
///     assert!(record.validation.unwrap().is_finite());
/// }
/// assert_eq!(trainer.finish().history().epochs.len(), 4);
/// # Ok::<(), ebmbook::Error>(())
/// ```
pub struct AutoencoderTrainer {
    pub(super) params: AutoencoderParams,
    pub(super) shape: Architecture,
    pub(super) seed: Seed,
    pub(super) data_hash: String,
    scale: Option<Standardiser>,
    pub(super) run: Run<Rebuilding>,
}

/// Rebuilding scaled rows from their codes.
pub(super) struct Rebuilding {
    x: Array2<f64>,
}

impl<T: Real> BatchLoss<T> for Rebuilding {
    /// One block, and how many rows it has.
    type Batch = (Vec<Block<T>>, usize);

    fn draw(&mut self, rows: &[usize], _noise: Seed, (blocks, count): &mut Self::Batch) {
        blocks.resize(1, Block::default());
        blocks[0].fill(self.x.select(Axis(0), rows).view());
        *count = rows.len();
    }

    fn input((blocks, _): &Self::Batch) -> &[Block<T>] {
        blocks
    }

    fn loss(&self, (x, rows): &Self::Batch, block: usize, f: &[Lanes<T>], gradient: &mut [Lanes<T>]) -> f64 {
        rebuilding_error(&x[block], *rows, f, gradient)
    }
}

impl AutoencoderTrainer {
    /// Checks the parameters and sets everything up; no step is taken yet.
    pub fn new(params: &AutoencoderParams, train: &Covariates, seed: Seed) -> Result<Self, NetworkError> {
        params.check(train.d())?;
        let shape = params.shape(train.d())?;
        let scale = params.standardise.then(|| Standardiser::fit(train.x()));
        let x = scale.as_ref().map_or_else(|| train.x().to_owned(), |scale| scale.apply(train.x()));
        let network = Network {
            theta: params.initialise(&shape, seed.child("weights")),
            shape: shape.clone(),
            adam: Adam::default(),
            engine: Engine::Fused,
            device: Device::Cpu,
            precision: params.precision,
        };
        let run = Run::new(network, params.plan(), Rebuilding { x }, train.n(), seed)?;
        Ok(Self { params: params.clone(), shape, seed, data_hash: data_hash(train), scale, run })
    }

    /// Trains for one epoch; none if the run is over.
    pub fn epoch(&mut self) -> Result<Option<EpochRecord>, NetworkError> {
        self.run.epoch()
    }

    /// The course of the run so far.
    pub fn history(&self) -> &History {
        self.run.history()
    }

    /// The autoencoder with the weights that are kept.
    pub fn finish(self) -> Autoencoder {
        let (theta, history, _) = self.run.finish();
        Autoencoder {
            params: self.params,
            shape: self.shape,
            theta,
            scale: self.scale,
            history,
            seed: self.seed.to_hex(),
            data_hash: self.data_hash,
        }
    }
}

impl AutoencoderParams {
    fn plan(&self) -> Plan {
        Plan {
            batch: self.batch,
            epochs: self.epochs,
            steps: None,
            rate: self.rate,
            schedule: RateSchedule::Constant,
            validation: self.validation,
            validate_every: 1,
            patience: self.patience,
            keep: self.keep,
        }
    }
}

/// (1/md) Σ ‖g(f(x_i)) − x_i‖² over m rows, and its gradient 2(g(f(x)) − x)/md.
fn rebuilding_error<T: Real>(x: &Block<T>, m: usize, rebuilt: &[Lanes<T>], gradient: &mut [Lanes<T>]) -> f64 {
    let d = rebuilt.len() / x.chunks();
    let scale = 2.0 / (m * d) as f64;
    let mut sum = 0.0;
    for (i, (x, (f, gradient))) in x.values().iter().zip(rebuilt.iter().zip(gradient)).enumerate() {
        // Rows that only fill up do not count.
        let rows = (m - (i % (rebuilt.len() / d)) * LANES).min(LANES);
        *gradient = [T::of(0.0); LANES];
        for v in 0..rows {
            let error = f[v] - x[v];
            gradient[v] = T::of(scale) * error;
            sum += error.wide().powi(2);
        }
    }
    sum / (m * d) as f64
}
