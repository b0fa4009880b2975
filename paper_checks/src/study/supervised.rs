//! Representations that outcomes made, and learners on other rows: data → parts → representation → learners → PEHE.

use super::effects::{ALPHA, Errors};
use super::{DataSpec, Fit, Predictor, StudyError, Values, as_text};
use ebmbook::cate::{
    AfterPca, CateError, CrossFitted, Effect, FoldEbm, FoldLogits, Folding, Learner, PropensityKind, Rows,
    Sample, Scores, SupervisedReduce,
};
use ebmbook::data::split::Standardiser;
use ebmbook::ebm::{EbmParams, OutcomeBins};
use ebmbook::regress::KernelRidge;
use ebmbook::seed::Seed;
use ndarray::Array1;
use serde::{Deserialize, Serialize};
use std::sync::Arc;

/// PEHE of learners on a representation that outcomes made.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Supervised {
    /// Training and test rows.
    pub data: DataSpec,
    /// What is fitted to arms and outcomes.
    pub method: SupervisedSpec,
    /// Principal components that it sees in the place of the covariates.
    pub components: Option<usize>,
    /// Whether the rows that train the learner are others than those that made the representation.
    pub cross_fitted: bool,
    /// The learners.
    pub fits: Vec<Fit>,
    /// Which run.
    pub replicate: usize,
    /// Master seed.
    pub seed: u64,
}

/// How outcomes make a representation.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(tag = "method", rename_all = "kebab-case")]
pub enum SupervisedSpec {
    /// f modulo B1 of an EBM with folds by arm and outcome.
    FoldEbm {
        /// Bins of the outcome in each arm.
        bins: OutcomeBins,
        /// Its parameters; k follows from the bins.
        params: Box<EbmParams>,
        /// Whether pilots choose the noise.
        pilot: bool,
    },
    /// The logits of a softmax classifier of the folds.
    FoldLogits {
        /// Bins of the outcome in each arm.
        bins: OutcomeBins,
        /// The parameters of its network and training.
        params: Box<EbmParams>,
    },
    /// Propensity and prognostic scores.
    Scores,
}

/// Parts of the rows.
const PARTS: usize = 2;

impl Supervised {
    fn reduce(&self) -> Result<Arc<dyn SupervisedReduce>, StudyError> {
        Ok(match self.method.clone() {
            SupervisedSpec::FoldEbm { bins, params, pilot } => self.behind(
                FoldEbm::new(bins).params(move |of| (*params).clone().sized(of.k())).pilot_noise(pilot),
            ),
            SupervisedSpec::FoldLogits { bins, params } => {
                self.behind(FoldLogits::new(bins).params(move |of| (*params).clone().sized(of.k())))
            }
            SupervisedSpec::Scores => self.behind(Scores::new(KernelRidge::rbf(ALPHA)?)),
        })
    }

    fn behind(&self, method: impl SupervisedReduce + 'static) -> Arc<dyn SupervisedReduce> {
        match self.components {
            Some(k) => Arc::new(AfterPca::new(k, method)),
            None => Arc::new(method),
        }
    }

    /// Whether a network computes the representation.
    pub(super) fn has_network(&self) -> bool {
        self.method != SupervisedSpec::Scores
    }
}

/// PEHE against the noisy and the noiseless effect, as in [`super::effects`].
pub(super) fn compute(task: &Supervised) -> Result<Values, StudyError> {
    let data = task.data.load()?;
    let mut errors = Errors::new(&data, data.test.n())?;
    let method = task.reduce()?;
    // Runs with and without cross-fitting, and with either method, deal the rows alike.
    let seed = Seed::new(task.seed).child("supervised").child(&as_text(&task.data)).index(task.replicate);
    let learners: Vec<CentredArms> =
        task.fits.iter().map(|fit| CentredArms::new(*fit)).collect::<Result<_, _>>()?;
    let learners: Vec<&dyn Learner> = learners.iter().map(|learner| learner as &dyn Learner).collect();
    let effects = if task.cross_fitted {
        CrossFitted::fit(method.as_ref(), PARTS, &data.train, seed)?.predict(&learners, data.test.x())?
    } else {
        let representation = method.fit(&data.train, seed)?;
        let scale = Standardiser::fit(representation.training());
        let (treated, outcome) = (data.train.treatment()?.to_owned(), data.train.outcome()?.to_owned());
        let sample = Sample::new(scale.apply(representation.training()), treated, outcome)?;
        let test = scale.apply(representation.transform(data.test.x())?.view());
        let at_test = |learner: &&dyn Learner| learner.fit(&sample)?.at(test.view().into());
        learners.iter().map(at_test).collect::<Result<_, CateError>>()?
    };
    for (fit, effects) in task.fits.iter().zip(effects) {
        errors.record(Predictor::Fit(*fit), effects.view())?;
    }
    Ok(errors.values)
}

/// A learner that sees outcomes without the mean of their arm, and gives the difference of the means back: an intercept
/// for regressors that have none.
struct CentredArms(Arc<dyn Learner>);

impl CentredArms {
    fn new(fit: Fit) -> Result<Self, StudyError> {
        let folding = Folding::ScikitLearn { k: 2, seed: 0 };
        Ok(Self(fit.learner.build(fit.regressor.build(ALPHA)?, PropensityKind::Constant.build(0), folding)))
    }
}

struct Shifted(Box<dyn Effect>, f64);

impl Effect for Shifted {
    fn at(&self, rows: Rows<'_>) -> Result<Array1<f64>, CateError> {
        Ok(self.0.at(rows)? + self.1)
    }
}

impl Learner for CentredArms {
    fn name(&self) -> &'static str {
        self.0.name()
    }

    fn fit(&self, sample: &Sample) -> Result<Box<dyn Effect>, CateError> {
        let mean = |treated: bool| {
            let arm = sample.arm(treated);
            arm.iter().map(|i| sample.outcome()[*i]).sum::<f64>() / arm.len() as f64
        };
        let means = [mean(false), mean(true)];
        let (y, treated) = (sample.outcome(), sample.treated());
        let outcome = Array1::from_shape_fn(sample.n(), |i| y[i] - means[usize::from(treated[i])]);
        let centred = Sample::new(sample.x().to_owned(), sample.treated().to_owned(), outcome)?;
        Ok(Box::new(Shifted(self.0.fit(&centred)?, means[1] - means[0])))
    }
}
