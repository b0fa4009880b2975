//! Training. In: covariates, parameters, a seed. Out: a fitted [`Ebm`].
//!
//! Each epoch visits the rows in a fresh order, in mini-batches; each step draws fresh noise. All
//! randomness is a function of the run's seed, the epoch and the step, never of what ran before,
//! so that a run can stop, be saved, and go on to the same bits.

use super::candidates::{Batch, Sampler};
use super::network::{Learner, Real, State, learner};
use super::{Directions, Ebm, EbmError, EbmParams, Keep, Precision, Schedule};
use crate::data::{Covariates, split};
use crate::seed::Seed;

/// What one epoch left behind.
#[derive(Clone, Copy, Debug, PartialEq, serde::Serialize, serde::Deserialize)]
pub struct EpochRecord {
    /// 1, 2, ….
    pub epoch: usize,
    /// Mean loss over the epoch's steps, each before its update.
    pub train: f64,
    /// Loss on the held-out rows, in epochs that were validated.
    pub validation: Option<f64>,
}

/// The course of a run.
#[derive(Clone, Debug, Default, PartialEq, serde::Serialize, serde::Deserialize)]
pub struct History {
    /// One record for each epoch.
    pub epochs: Vec<EpochRecord>,
    /// The epoch whose weights are kept; none while the last ones are.
    pub kept_epoch: Option<usize>,
    /// Whether early stopping ended the run.
    pub stopped_early: bool,
    /// Steps taken.
    pub steps: usize,
    /// Validations since the last improvement.
    pub waited: usize,
}

impl History {
    /// The validation loss of the weights that are kept.
    pub fn kept_validation(&self) -> Option<f64> {
        let kept = self.kept_epoch?;
        self.epochs.iter().find(|e| e.epoch == kept)?.validation
    }
}

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
    pub(super) run: Run,
}

/// The run in the number type it was asked for.
pub(super) enum Run {
    Single(Loop<f32>),
    Double(Loop<f64>),
}

/// Calls the same method in either number type.
macro_rules! either {
    ($run:expr, $inner:ident => $body:expr) => {
        match $run {
            Run::Single($inner) => $body,
            Run::Double($inner) => $body,
        }
    };
}

impl Trainer {
    /// Checks the parameters and sets everything up; no step is taken yet.
    pub fn new(params: &EbmParams, train: &Covariates, seed: Seed) -> Result<Self, EbmError> {
        params.check(train.d())?;
        let run = match params.precision {
            Precision::F32 => Run::Single(Loop::new(params, train, seed)?),
            Precision::F64 => Run::Double(Loop::new(params, train, seed)?),
        };
        Ok(Self { params: params.clone(), seed, data: train.clone(), run })
    }

    /// Trains for one epoch; none if the run is over.
    pub fn epoch(&mut self) -> Result<Option<EpochRecord>, EbmError> {
        either!(&mut self.run, run => run.epoch(&self.params, self.seed))
    }

    /// The parameters of the run.
    pub fn params(&self) -> &EbmParams {
        &self.params
    }

    /// The course of the run so far.
    pub fn history(&self) -> &History {
        either!(&self.run, run => &run.history)
    }

    /// The model with the weights that are kept.
    pub fn finish(self) -> Result<Ebm, EbmError> {
        let (theta, history, assignment, directions) = either!(self.run, run => {
            let state = run.learner.state();
            let theta: Vec<f64> = run.kept.as_ref().unwrap_or(&state.theta).iter().map(|p| p.wide()).collect();
            (theta, run.history, run.sampler.assignment().clone(), run.directions)
        });
        Ebm::new(self.params, theta, directions, assignment, history, &self.data, self.seed)
    }
}

/// Everything that moves during a run.
pub(super) struct Loop<T> {
    pub learner: Box<dyn Learner<T>>,
    pub history: History,
    /// Weights of the kept epoch and their validation loss.
    pub kept: Option<Vec<T>>,
    directions: Directions,
    sampler: Sampler,
    batch: Batch<T>,
    validation: Vec<(usize, Batch<T>)>,
    rows: Vec<usize>,
}

impl<T: Real> Loop<T> {
    fn new(params: &EbmParams, train: &Covariates, seed: Seed) -> Result<Self, EbmError> {
        let (held_out, rows) = hold_out(train.n(), params.validation, seed.child("validation"))?;
        let mut sampler = Sampler::for_rows(params, train, seed.child("folds"))?;
        // The held-out rows keep the same noise throughout, so that epochs can be compared.
        let mut validation = Vec::new();
        for (i, chunk) in held_out.chunks(params.batch).enumerate() {
            let mut batch = Batch::default();
            sampler.draw(chunk, seed.child("validation noise").index(i), &mut batch)?;
            validation.push((chunk.len(), batch));
        }
        let shape = params.architecture(train.d())?;
        let theta = shape.initialise(seed.child("weights"));
        Ok(Self {
            learner: learner(shape, &theta, params.adam(), params.engine, params.device)?,
            history: History::default(),
            kept: None,
            directions: params.make_directions()?,
            sampler,
            batch: Batch::default(),
            validation,
            rows,
        })
    }

    fn epoch(&mut self, params: &EbmParams, seed: Seed) -> Result<Option<EpochRecord>, EbmError> {
        let total = total_steps(params, self.rows.len());
        let epoch = self.history.epochs.len() + 1;
        if self.history.stopped_early || self.history.steps >= total {
            return Ok(None);
        }
        let order = split::permutation(self.rows.len(), seed.child("order").index(epoch));
        let order: Vec<usize> = order.into_iter().map(|i| self.rows[i]).collect();
        let noise = seed.child("noise").index(epoch);
        let (mut sum, mut seen) = (0.0, 0);
        for (step, rows) in order.chunks(params.batch).enumerate().take(total - self.history.steps) {
            self.sampler.draw(rows, noise.index(step), &mut self.batch)?;
            let rate = rate(params, self.history.steps, total);
            let (batch, b) = (&self.batch, &self.directions);
            let mut loss = |f: &[T], gradient: &mut [T]| batch.loss(params.objective, b, f, gradient);
            let value = self.learner.step(&batch.rows, &mut loss, rate)?;
            if !value.is_finite() {
                return Err(EbmError::Diverged { epoch, loss: value, rate: params.rate });
            }
            self.history.steps += 1;
            sum += value * rows.len() as f64;
            seen += rows.len();
        }
        let last = self.history.steps >= total;
        let due = epoch.is_multiple_of(params.validate_every) || last;
        let validation = if due && !self.validation.is_empty() { Some(self.validate(params)?) } else { None };
        let record = EpochRecord { epoch, train: sum / seen as f64, validation };
        self.history.epochs.push(record);
        if let Some(loss) = validation {
            self.judge(params, epoch, loss);
        }
        Ok(Some(record))
    }

    /// Mean loss over the held-out rows.
    fn validate(&mut self, params: &EbmParams) -> Result<f64, EbmError> {
        let (mut sum, mut count) = (0.0, 0);
        for (rows, batch) in &self.validation {
            let f = self.learner.forward(&batch.rows)?;
            let mut unused = vec![T::of(0.0); f.len()];
            sum += *rows as f64 * batch.loss(params.objective, &self.directions, &f, &mut unused);
            count += rows;
        }
        Ok(sum / count as f64)
    }

    /// Keeps the weights if they are better (or, for the released program, worse), else waits.
    fn judge(&mut self, params: &EbmParams, epoch: usize, loss: f64) {
        if params.keep == Keep::Last {
            return;
        }
        let improved = match (self.history.kept_validation(), params.keep) {
            (None, _) => true,
            (Some(kept), Keep::Worst) => loss > kept,
            (Some(kept), _) => loss < kept,
        };
        if improved {
            self.kept = Some(self.learner.state().theta);
            self.history.kept_epoch = Some(epoch);
            self.history.waited = 0;
        } else {
            self.history.waited += 1;
            self.history.stopped_early = params.patience.is_some_and(|p| self.history.waited >= p);
        }
    }

    /// Takes over a saved run.
    pub fn restore(
        &mut self,
        state: &State<T>,
        kept: Option<Vec<T>>,
        history: History,
    ) -> Result<(), EbmError> {
        self.learner.restore(state)?;
        self.kept = kept;
        self.history = history;
        Ok(())
    }
}

/// Held-out rows and the rest.
fn hold_out(n: usize, share: f64, seed: Seed) -> Result<(Vec<usize>, Vec<usize>), EbmError> {
    if share == 0.0 {
        return Ok((Vec::new(), (0..n).collect()));
    }
    let held_out = ((n as f64 * share).round() as usize).max(1);
    if held_out >= n {
        let rule = format!("must be more than the {held_out} held out for validation");
        return Err(EbmError::parameter("number of training rows", n, rule));
    }
    let (mut held_out, mut rows) = split::random(n, held_out, seed)?;
    held_out.sort_unstable();
    rows.sort_unstable();
    Ok((held_out, rows))
}

/// Steps of the whole run: epochs × batches, or fewer if a limit is set.
fn total_steps(params: &EbmParams, rows: usize) -> usize {
    let all = params.epochs * rows.div_ceil(params.batch);
    params.steps.map_or(all, |limit| limit.min(all))
}

fn rate(params: &EbmParams, step: usize, total: usize) -> f64 {
    match params.schedule {
        Schedule::Constant => params.rate,
        // ½·rate·(1 + cos(π·t/T))
        Schedule::Cosine => {
            0.5 * params.rate * (1.0 + (std::f64::consts::PI * step as f64 / total as f64).cos())
        }
    }
}
