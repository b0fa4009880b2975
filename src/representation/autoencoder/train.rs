//! Training: the loop of the EBM with another loss.

use super::{Autoencoder, AutoencoderParams, append_rows};
use crate::data::Covariates;
use crate::data::split::Standardiser;
use crate::network::checkpoint::data_hash;
use crate::network::{
    Adam, Architecture, BatchLoss, Device, Engine, EpochRecord, History, Network, NetworkError, Plan,
    RateSchedule, Real, Run,
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
    /// d numbers and a one for each row.
    type Batch = Vec<T>;

    fn draw(&mut self, rows: &[usize], _noise: Seed, batch: &mut Vec<T>) {
        batch.clear();
        append_rows(batch, self.x.select(Axis(0), rows).view(), T::of);
    }

    fn input(batch: &Vec<T>) -> &[T] {
        batch
    }

    fn loss(&self, batch: &Vec<T>, f: &[T], gradient: &mut [T]) -> f64 {
        rebuilding_error(batch, f, gradient, self.x.ncols())
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

/// (1/md) Σ ‖g(f(x_i)) − x_i‖² over m rows (d numbers and a one each), and its gradient
/// 2(g(f(x)) − x)/md.
fn rebuilding_error<T: Real>(rows: &[T], rebuilt: &[T], gradient: &mut [T], d: usize) -> f64 {
    let scale = T::of(2.0 / rebuilt.len() as f64);
    let mut sum = 0.0;
    for ((x, f), g) in rows.chunks(d + 1).zip(rebuilt.chunks(d)).zip(gradient.chunks_mut(d)) {
        for s in 0..d {
            let error = f[s] - x[s];
            g[s] = scale * error;
            sum += error.wide().powi(2);
        }
    }
    sum / rebuilt.len() as f64
}
