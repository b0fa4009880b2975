//! Training, epoch by epoch. As for the EBM, all randomness is a function of the run's seed and
//! the epoch, so that a run can stop, be saved, and go on to the same bits.

use super::checkpoint::Saved;
use super::{Autoencoder, AutoencoderParams, append_rows};
use crate::data::split::{self, Standardiser};
use crate::data::{Covariates, DataError};
use crate::ebm::checkpoint::data_hash;
use crate::ebm::network::{Adam, Architecture, Engine, Learner, Real, State, learner};
use crate::ebm::{Device, EbmError, EpochRecord, History, Keep, Precision};
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
    /// Scaled rows.
    x: Array2<f64>,
    rows: Vec<usize>,
    held_out: Vec<usize>,
    pub(super) run: Run,
    pub(super) history: History,
}

/// What moves, in the number type it was asked for.
pub(super) enum Run {
    Single(Weights<f32>),
    Double(Weights<f64>),
}

pub(super) struct Weights<T> {
    pub learner: Box<dyn Learner<T>>,
    pub kept: Option<Vec<T>>,
}

/// Calls the same code in either number type.
macro_rules! either {
    ($run:expr, $inner:ident => $body:expr) => {
        match $run {
            Run::Single($inner) => $body,
            Run::Double($inner) => $body,
        }
    };
}
pub(super) use either;

impl AutoencoderTrainer {
    /// Checks the parameters and sets everything up; no step is taken yet.
    pub fn new(params: &AutoencoderParams, train: &Covariates, seed: Seed) -> Result<Self, EbmError> {
        params.check(train.d())?;
        let shape = params.shape(train.d())?;
        let n = train.n();
        let held_out = ((n as f64 * params.validation).round() as usize).max(1);
        if held_out >= n {
            let rule = format!("must be more than the {held_out} held out for validation");
            return Err(DataError::parameter("number of training rows", n, rule).into());
        }
        let (mut held_out, mut rows) = split::random(n, held_out, seed.child("validation"))?;
        held_out.sort_unstable();
        rows.sort_unstable();
        let scale = params.standardise.then(|| Standardiser::fit(train.x()));
        let x = scale.as_ref().map_or_else(|| train.x().to_owned(), |scale| scale.apply(train.x()));
        let theta = params.initialise(&shape, seed.child("weights"));
        let run = match params.precision {
            Precision::F32 => Run::Single(Weights::new(&shape, &theta)?),
            Precision::F64 => Run::Double(Weights::new(&shape, &theta)?),
        };
        let (params, data_hash) = (params.clone(), data_hash(train));
        Ok(Self {
            params,
            shape,
            seed,
            data_hash,
            scale,
            x,
            rows,
            held_out,
            run,
            history: History::default(),
        })
    }

    /// Trains for one epoch; none if the run is over.
    pub fn epoch(&mut self) -> Result<Option<EpochRecord>, EbmError> {
        let epoch = self.history.epochs.len() + 1;
        if self.history.stopped_early || epoch > self.params.epochs {
            return Ok(None);
        }
        let order = split::permutation(self.rows.len(), self.seed.child("order").index(epoch));
        let order: Vec<usize> = order.into_iter().map(|i| self.rows[i]).collect();
        let (params, x) = (&self.params, &self.x);
        let (train, validation) = either!(&mut self.run, run => {
            let train = run.pass(x, &order, params.batch, Some(params.rate))?;
            (train, run.pass(x, &self.held_out, params.batch, None)?)
        });
        if !train.is_finite() || !validation.is_finite() {
            let loss = if train.is_finite() { validation } else { train };
            return Err(EbmError::Diverged { epoch, loss, rate: params.rate });
        }
        self.history.steps += order.len().div_ceil(params.batch);
        let record = EpochRecord { epoch, train, validation: Some(validation) };
        self.judge(epoch, validation);
        self.history.epochs.push(record);
        Ok(Some(record))
    }

    /// Waits for a better validation loss, and keeps the weights that have it if asked to.
    fn judge(&mut self, epoch: usize, loss: f64) {
        let past = self.history.epochs.iter().filter_map(|e| e.validation);
        let improved = match self.params.keep {
            Keep::Worst => past.fold(f64::NEG_INFINITY, f64::max) < loss,
            Keep::Best | Keep::Last => past.fold(f64::INFINITY, f64::min) > loss,
        };
        if !improved {
            self.history.waited += 1;
            self.history.stopped_early = self.params.patience.is_some_and(|p| self.history.waited >= p);
            return;
        }
        self.history.waited = 0;
        if self.params.keep != Keep::Last {
            self.history.kept_epoch = Some(epoch);
            either!(&mut self.run, run => run.kept = Some(run.learner.state().theta));
        }
    }

    /// The course of the run so far.
    pub fn history(&self) -> &History {
        &self.history
    }

    /// The autoencoder with the weights that are kept.
    pub fn finish(self) -> Autoencoder {
        let theta = either!(self.run, run => {
            let theta = run.kept.unwrap_or_else(|| run.learner.state().theta);
            theta.into_iter().map(Real::wide).collect()
        });
        Autoencoder {
            params: self.params,
            shape: self.shape,
            theta,
            scale: self.scale,
            history: self.history,
            seed: self.seed.to_hex(),
            data_hash: self.data_hash,
        }
    }
}

impl<T: Real> Weights<T> {
    fn new(shape: &Architecture, theta: &[f64]) -> Result<Self, EbmError> {
        let learner = learner(shape.clone(), theta, Adam::default(), Engine::Fused, Device::Cpu)?;
        Ok(Self { learner, kept: None })
    }

    /// One pass over these rows in batches, with steps if there is a rate; the mean loss.
    fn pass(
        &mut self,
        x: &Array2<f64>,
        rows: &[usize],
        batch: usize,
        rate: Option<f64>,
    ) -> Result<f64, EbmError> {
        let d = x.ncols();
        let (mut input, mut sum) = (Vec::new(), 0.0);
        for chunk in rows.chunks(batch) {
            input.clear();
            append_rows(&mut input, x.select(Axis(0), chunk).view(), T::of);
            let mut loss = |f: &[T], gradient: &mut [T]| rebuilding_error(&input, f, gradient, d);
            let value = match rate {
                Some(rate) => self.learner.step(&input, &mut loss, rate)?,
                None => {
                    let f = self.learner.forward(&input)?;
                    let mut unused = vec![T::of(0.0); f.len()];
                    loss(&f, &mut unused)
                }
            };
            sum += value * chunk.len() as f64;
        }
        Ok(sum / rows.len() as f64)
    }

    /// Takes over a saved run.
    pub fn restore(&mut self, saved: Saved<T>) -> Result<(), EbmError> {
        let Saved { state, kept } = saved;
        self.learner.restore(&state)?;
        self.kept = kept;
        Ok(())
    }

    pub fn state(&self) -> State<T> {
        self.learner.state()
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
