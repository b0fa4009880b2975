//! Data → representation → learners → PEHE, with the trivial predictors of the same rows beside it.

use super::cache::Cache;
use super::representation::Embedded;
use super::{
    Effects, Fit, LearnerKind, Predictor, Quantity, RepresentationSpec, StudyError, Values, as_text,
};
use ebmbook::cate::{
    CrossFitFolds, DrLearner, Effect, Features, Folding, Learner, Propensity, RLearner, Rows, Sample,
    XLearner, outcome_error,
};
use ebmbook::data::TrainTest;
use ebmbook::metrics::{pehe, shape};
use ebmbook::regress::{KernelRidge, Svc};
use ebmbook::seed::Seed;
use ndarray::{Array1, ArrayView1, s};
use std::sync::Arc;

/// Penalty of every outcome regression.
pub const ALPHA: f64 = 1.0;
/// Folds of the cross-validated outcome error.
const OUTCOME_FOLDS: usize = 5;

/// PEHE against the noisy truth (`r kernel-ridge`) and, where it is known, against the noiseless
/// one (`r kernel-ridge, noiseless`); `zero`, `constant` and `oracle` for the same rows.
pub(super) fn compute(task: &Effects) -> Result<Values, StudyError> {
    let data = task.data.load()?;
    let embedded = task.representation.embed_shared(&task.data, seed(task))?;
    let mut values = Values::new();
    if !matches!(task.representation, RepresentationSpec::Raw | RepresentationSpec::Latent) {
        let shape = shape(embedded.test.view())?;
        values.insert(Quantity::EffectiveRank.to_string(), shape.effective_rank);
    }
    let mut errors = Errors::new(&data, embedded.test.nrows())?;
    let learning = Learning::new(task, &data, &embedded)?;
    for fit in &task.fits {
        errors.record(Predictor::Fit(*fit), learning.effects(*fit)?.view())?;
    }
    values.extend(errors.values);
    if task.scores {
        values.extend(embedded.held_out_loss.map(|loss| (Quantity::HeldOutLoss.to_string(), loss)));
        values.insert(Quantity::OutcomeError.to_string(), learning.outcome_error()?);
    }
    Ok(values)
}

/// Errors against the effects of the first test rows, those of the trivial predictors among them.
pub(super) struct Errors<'a> {
    data: &'a TrainTest,
    rows: usize,
    pub values: Values,
}

impl<'a> Errors<'a> {
    pub fn new(data: &'a TrainTest, rows: usize) -> Result<Self, StudyError> {
        let mut errors = Self { data, rows, values: Values::new() };
        errors.record(Predictor::Zero, Array1::zeros(rows).view())?;
        let constant = Array1::from_elem(rows, data.train.difference_in_means()?);
        errors.record(Predictor::Constant, constant.view())?;
        if let Ok(tau) = data.test.effect() {
            errors.record(Predictor::Oracle, tau)?;
        }
        Ok(errors)
    }

    pub fn record(&mut self, of: Predictor, estimate: ArrayView1<f64>) -> Result<(), StudyError> {
        let rows = self.rows;
        let error = |truth: ArrayView1<f64>| pehe(estimate.slice(s![..rows]), truth.slice(s![..rows]));
        let noisy = error(self.data.test.noisy_effect()?.view())?;
        self.values.insert(Quantity::Pehe(of).to_string(), noisy);
        if let Ok(tau) = self.data.test.effect() {
            self.values.insert(Quantity::Noiseless(of).to_string(), error(tau)?);
        }
        Ok(())
    }
}

/// One seed for every task on the same data and representation, whatever learners follow: tables
/// that differ in the regressor alone use the same representations, as the paper says it did. An
/// untrained network has the seed of the EBM of its shape, so that run r of it is what run r of the
/// EBM was before its first step.
fn seed(task: &Effects) -> Seed {
    let representation = match task.representation.clone() {
        RepresentationSpec::Untrained { params, standardised } => {
            RepresentationSpec::Ebm { params, standardised }
        }
        other => other,
    };
    let text = as_text(&(&task.data, &representation));
    Seed::new(task.seed).child("representation").child(&text).index(task.replicate)
}

/// Features, folds and propensities that all learners of a cell share.
struct Learning {
    sample: Sample,
    test: ndarray::Array2<f64>,
    folding: Folding,
    folds: CrossFitFolds,
    svc: Propensity,
    /// Difference of the arms' mean outcomes, where these were removed.
    removed: f64,
    /// What the features depend on; the seed of the classifier's probabilities and of the folds.
    key: (String, u32),
}

/// Propensities do not depend on the outcome, and so not on the regressor: tables that differ in it alone
/// share them, by their features and the run.
static OUT_OF_FOLD: Cache<(String, u32), Array1<f64>> = Cache::new(KEPT);
static AT_TEST: Cache<(String, u32), Array1<f64>> = Cache::new(KEPT);
/// Decision values at the test rows, by the features they are made of. Runs that differ in folds alone share
/// them: most of the time of a learner on the covariates is spent here.
static DECISIONS: Cache<String, Array1<f64>> = Cache::new(KEPT);

/// Sets of propensities kept in memory: those at 20 000 test rows take 160 kB.
const KEPT: usize = 64;

impl Learning {
    fn new(task: &Effects, data: &TrainTest, embedded: &Embedded) -> Result<Self, StudyError> {
        let switches = Features { standardise: false, constant_column: task.constant_column };
        let made = switches.switches(embedded.train.view(), embedded.test.view());
        let treated = data.train.treatment()?.to_owned();
        let mut outcome = data.train.outcome()?.to_owned();
        let mut removed = 0.0;
        if task.centre_arms {
            removed = data.train.difference_in_means()?;
            let control_mean = mean_of_controls(treated.view(), outcome.view());
            outcome.zip_mut_with(&treated, |y, a| *y -= control_mean + if *a { removed } else { 0.0 });
        }
        let seed = task.replicate as u32;
        // Where nothing is drawn for the representation the seed decides nothing: folds and classifier go by the
        // replicate.
        let drawn = task.representation.is_random().then_some((task.replicate, task.seed));
        let features = as_text(&(&task.data, &task.representation, drawn, task.constant_column));
        let folding = Folding::ScikitLearn { k: 2, seed };
        Ok(Self {
            folds: folding.folds(treated.view())?,
            folding,
            sample: Sample::new(made.train, treated, outcome)?,
            test: made.test,
            svc: Propensity::model(Svc::new(seed)),
            removed,
            key: (features, seed),
        })
    }

    fn effects(&self, fit: Fit) -> Result<Array1<f64>, StudyError> {
        let regressor = fit.regressor.build(ALPHA)?;
        let (sample, folds, folding) = (&self.sample, &self.folds, self.folding.clone());
        let svc = self.svc.clone();
        let fitted: Box<dyn Effect> = match fit.learner {
            LearnerKind::X => XLearner::new(regressor, Propensity::Known).fit(sample)?,
            LearnerKind::Dr => DrLearner::new(regressor, svc, folding).fit_given(
                sample,
                folds,
                self.out_of_fold()?.view(),
            )?,
            LearnerKind::R => {
                RLearner::new(regressor, svc, folding).fit_given(sample, folds, self.out_of_fold()?.view())?
            }
            // Nothing of these is shared between learners.
            other => other.build(regressor, svc, folding).fit(sample)?,
        };
        let at_test = if fit.learner == LearnerKind::X { Some(self.at_test()?) } else { None };
        let propensity = at_test.as_ref().map(|e| e.view());
        Ok(fitted.at(Rows { x: self.test.view(), propensity })? + self.removed)
    }

    /// Of the regressor that the paper's tables have.
    fn outcome_error(&self) -> Result<f64, StudyError> {
        let folds = CrossFitFolds::scikit_learn(OUTCOME_FOLDS, self.sample.treated(), self.key.1)?;
        Ok(outcome_error(&KernelRidge::linear(ALPHA)?, &self.sample, &folds)?)
    }

    fn out_of_fold(&self) -> Result<Arc<Array1<f64>>, StudyError> {
        OUT_OF_FOLD.get(&self.key, || Ok(self.folds.propensity(&self.sample, &self.svc)?))
    }

    fn at_test(&self) -> Result<Arc<Array1<f64>>, StudyError> {
        AT_TEST.get(&self.key, || {
            let (features, seed) = &self.key;
            let fitted = Svc::new(*seed).fit_svc(self.sample.x(), self.sample.treated())?;
            let decision = DECISIONS.get(features, || Ok(fitted.decision(self.test.view())?))?;
            Ok(fitted.probability_at(decision.as_ref().clone()))
        })
    }
}

fn mean_of_controls(treated: ArrayView1<bool>, outcome: ArrayView1<f64>) -> f64 {
    let controls: Vec<f64> = treated.iter().zip(outcome).filter(|(a, _)| !**a).map(|(_, y)| *y).collect();
    controls.iter().sum::<f64>() / controls.len() as f64
}

/// Effects of the R-learner with linear kernel ridge on given features, for [`super::stability`].
pub(super) fn r_learner(
    data: &TrainTest,
    embedded: &Embedded,
    constant_column: bool,
    seed: u32,
) -> Result<Array1<f64>, StudyError> {
    let switches = Features { standardise: false, constant_column };
    let made = switches.switches(embedded.train.view(), embedded.test.view());
    let (a, y) = (data.train.treatment()?.to_owned(), data.train.outcome()?.to_owned());
    let sample = Sample::new(made.train, a, y)?;
    let regressor = KernelRidge::linear(ALPHA)?;
    let folding = Folding::ScikitLearn { k: 2, seed };
    let learner = RLearner::new(regressor, Propensity::model(Svc::new(seed)), folding);
    Ok(learner.fit(&sample)?.at(made.test.view().into())?)
}
