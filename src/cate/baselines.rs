//! What every estimate has to beat: nothing at all, one number for everybody, and the truth.

use super::{CateError, Effect, Learner, Rows, Sample};
use crate::data::{DataError, Dataset};
use crate::metrics::{MetricError, pehe};
use ndarray::{Array1, ArrayView1};

/// τ̂ = 0 for everybody.
#[derive(Clone, Copy, Debug, Default)]
pub struct Zero;

/// τ̂ = mean outcome of the treated − mean outcome of the controls, for everybody.
#[derive(Clone, Copy, Debug, Default)]
pub struct DifferenceInMeans;

struct Constant(f64);

impl Learner for Zero {
    fn name(&self) -> &'static str {
        "zero"
    }

    fn fit(&self, _sample: &Sample) -> Result<Box<dyn Effect>, CateError> {
        Ok(Box::new(Constant(0.0)))
    }
}

impl Learner for DifferenceInMeans {
    fn name(&self) -> &'static str {
        "constant"
    }

    fn fit(&self, sample: &Sample) -> Result<Box<dyn Effect>, CateError> {
        let mean = |treated: bool| {
            let rows = sample.arm(treated);
            rows.iter().map(|i| sample.outcome()[*i]).sum::<f64>() / rows.len() as f64
        };
        Ok(Box::new(Constant(mean(true) - mean(false))))
    }
}

impl Effect for Constant {
    fn at(&self, rows: Rows<'_>) -> Result<Array1<f64>, CateError> {
        Ok(Array1::from_elem(rows.x.nrows(), self.0))
    }
}

/// The baselines of one pair of training and test set.
///
/// ```
/// use ebmbook::cate::Baselines;
/// use ebmbook::data::synthetic::Released;
/// let data = Released::new(50, 100)?.generate();
/// let baselines = Baselines::new(&data.train, &data.test)?;
/// let errors = baselines.pehe(data.test.noisy_effect()?.view())?;
/// let text: Vec<String> = errors.iter().map(|(name, pehe)| format!("{name} {pehe:.3}")).collect();
/// assert_eq!(text.join(", "), "zero 1.919, constant 1.982, oracle 1.404");
/// # Ok::<(), ebmbook::Error>(())
/// ```
#[derive(Clone, Debug)]
pub struct Baselines {
    constant: f64,
    oracle: Option<Array1<f64>>,
}

impl Baselines {
    /// The difference in means of the training rows, and the test rows' noiseless effect where
    /// it is known.
    pub fn new(train: &Dataset, test: &Dataset) -> Result<Self, DataError> {
        let oracle = test.effect().ok().map(|tau| tau.to_owned());
        Ok(Self { constant: train.difference_in_means()?, oracle })
    }

    /// The PEHE of each baseline against a truth, by name.
    pub fn pehe(&self, truth: ArrayView1<f64>) -> Result<Vec<(&'static str, f64)>, MetricError> {
        let constant = |value: f64| pehe(Array1::from_elem(truth.len(), value).view(), truth);
        let mut errors = vec![("zero", constant(0.0)?), ("constant", constant(self.constant)?)];
        if let Some(tau) = &self.oracle {
            errors.push(("oracle", pehe(tau.view(), truth)?));
        }
        Ok(errors)
    }
}
