//! The loop itself, in one number type.

use super::{
    BatchLoss, EpochRecord, History, Keep, LANES, Lanes, NetworkError, Plan, Real, TrainableNet,
    TrainingState,
};
use crate::data::split;
use crate::seed::Seed;

/// Everything that moves during a run.
pub(crate) struct Loop<T, L: BatchLoss<T>> {
    plan: Plan,
    seed: Seed,
    pub net: Box<dyn TrainableNet<T>>,
    pub objective: L,
    pub history: History,
    /// Weights of the kept epoch.
    pub kept: Option<Vec<T>>,
    batch: L::Batch,
    validation: Vec<(usize, L::Batch)>,
    rows: Vec<usize>,
}

impl<T: Real, L: BatchLoss<T>> Loop<T, L> {
    /// Holds some of the n rows out and makes their batches; no step is taken yet.
    pub fn new(
        plan: Plan,
        mut objective: L,
        net: Box<dyn TrainableNet<T>>,
        n: usize,
        seed: Seed,
    ) -> Result<Self, NetworkError> {
        let (held_out, rows) = hold_out(n, plan.validation, seed.child("validation"))?;
        // The held-out rows keep the same noise throughout, so that epochs can be compared.
        let mut validation = Vec::new();
        for (i, chunk) in held_out.chunks(plan.batch).enumerate() {
            let mut batch = L::Batch::default();
            objective.draw(chunk, seed.child("validation noise").index(i), &mut batch);
            validation.push((chunk.len(), batch));
        }
        let (history, kept, batch) = (History::default(), None, L::Batch::default());
        Ok(Self { plan, seed, net, objective, history, kept, batch, validation, rows })
    }

    /// Trains for one epoch; none if the run is over.
    pub fn epoch(&mut self) -> Result<Option<EpochRecord>, NetworkError> {
        let total = self.plan.total_steps(self.rows.len());
        let epoch = self.history.epochs.len() + 1;
        if self.history.stopped_early || self.history.steps >= total {
            return Ok(None);
        }
        let order = split::permutation(self.rows.len(), self.seed.child("order").index(epoch));
        let order: Vec<usize> = order.into_iter().map(|i| self.rows[i]).collect();
        let noise = self.seed.child("noise").index(epoch);
        let (mut sum, mut seen) = (0.0, 0);
        for (step, rows) in order.chunks(self.plan.batch).enumerate().take(total - self.history.steps) {
            self.objective.draw(rows, noise.index(step), &mut self.batch);
            let rate = self.plan.rate(self.history.steps, total);
            let (objective, batch) = (&self.objective, &self.batch);
            let mut loss =
                |i: usize, f: &[Lanes<T>], gradient: &mut [Lanes<T>]| objective.loss(batch, i, f, gradient);
            let value = self.net.step(L::input(batch), &mut loss, rate)?;
            self.finite(epoch, value)?;
            self.history.steps += 1;
            sum += value * rows.len() as f64;
            seen += rows.len();
        }
        let last = self.history.steps >= total;
        let due = epoch.is_multiple_of(self.plan.validate_every) || last;
        let validation = if due { self.validate()? } else { None };
        if let Some(loss) = validation {
            self.finite(epoch, loss)?;
            self.judge(epoch, loss);
        }
        let record = EpochRecord { epoch, train: sum / seen as f64, validation };
        self.history.epochs.push(record);
        Ok(Some(record))
    }

    fn finite(&self, epoch: usize, loss: f64) -> Result<(), NetworkError> {
        if loss.is_finite() {
            Ok(())
        } else {
            Err(NetworkError::Diverged { epoch, loss, rate: self.plan.rate })
        }
    }

    /// Mean loss over the held-out rows, if there are any.
    fn validate(&mut self) -> Result<Option<f64>, NetworkError> {
        let (mut sum, mut count) = (0.0, 0);
        for (rows, batch) in &self.validation {
            for (i, block) in L::input(batch).iter().enumerate() {
                let f = self.net.forward(block)?;
                let mut unused = vec![[T::of(0.0); LANES]; f.len()];
                sum += *rows as f64 * self.objective.loss(batch, i, &f, &mut unused);
            }
            count += rows;
        }
        Ok((count > 0).then(|| sum / count as f64))
    }

    /// Keeps the weights if they are better (or, for the authors' program, worse) than in every
    /// epoch before, else waits.
    fn judge(&mut self, epoch: usize, loss: f64) {
        let (keep, patience) = (self.plan.keep, self.plan.patience);
        if keep == Keep::Last && patience.is_none() {
            return;
        }
        let past = self.history.epochs.iter().filter_map(|e| e.validation);
        let improved = match keep {
            Keep::Worst => past.fold(f64::NEG_INFINITY, f64::max) < loss,
            Keep::Best | Keep::Last => past.fold(f64::INFINITY, f64::min) > loss,
        };
        if !improved {
            self.history.waited += 1;
            self.history.stopped_early = patience.is_some_and(|p| self.history.waited >= p);
            return;
        }
        self.history.waited = 0;
        if keep != Keep::Last {
            self.kept = Some(self.net.state().theta);
            self.history.kept_epoch = Some(epoch);
        }
    }

    /// Takes over a saved run.
    pub fn restore(
        &mut self,
        state: &TrainingState<T>,
        kept: Option<Vec<T>>,
        history: History,
    ) -> Result<(), NetworkError> {
        self.net.restore(state)?;
        self.kept = kept;
        self.history = history;
        Ok(())
    }

    /// The weights that are kept, in double precision, the course of the run and its objective.
    pub fn finish(self) -> (Vec<f64>, History, L) {
        let theta = self.kept.unwrap_or_else(|| self.net.state().theta);
        (theta.into_iter().map(Real::wide).collect(), self.history, self.objective)
    }
}

/// Held-out rows and the rest.
fn hold_out(n: usize, share: f64, seed: Seed) -> Result<(Vec<usize>, Vec<usize>), NetworkError> {
    if share == 0.0 {
        return Ok((Vec::new(), (0..n).collect()));
    }
    let held_out = ((n as f64 * share).round() as usize).max(1);
    if held_out >= n {
        let rule = format!("must be more than the {held_out} held out for validation");
        return Err(NetworkError::parameter("number of training rows", n, rule));
    }
    let (mut held_out, mut rows) = split::random(n, held_out, seed)?;
    held_out.sort_unstable();
    rows.sort_unstable();
    Ok((held_out, rows))
}
