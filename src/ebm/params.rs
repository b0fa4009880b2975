//! Every choice behind a model, with the paper's as defaults where it states one.

use super::{DirectionLaw, Directions, EbmError, Folds, Objective};
use crate::network::{
    Activation, Adam, Architecture, Device, Engine, Keep, NetworkError, Precision, RateSchedule, WeightDecay,
};
use crate::seed::Seed;
use ndarray::{Array2, ArrayView2};

/// Which features the authors' program corrupts ([`Objective::ReleasedProgram`] only).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum ReleasedMask {
    /// Each with probability q; weight q^{−|mask|}.
    #[default]
    Bernoulli,
    /// Exactly five; weight 1/C(d, b). The program's default.
    FiveColumns,
}

/// The parameters of a model; see [`Ebm`](super::Ebm).
///
/// ```
/// use ebmbook::prelude::*;
/// let params = Ebm::params(5).hidden(&[20, 20]).corruption(0.3).epochs(50);
/// assert!(params.check(100).is_ok());
/// assert_eq!(Ebm::params(0).check(100).unwrap_err().to_string(),
///     "representation size k must be at least 1, got 0");
/// ```
#[derive(Clone, Debug, PartialEq, serde::Serialize, serde::Deserialize)]
#[serde(deny_unknown_fields)]
pub struct EbmParams {
    pub(super) k: usize,
    pub(super) hidden: Vec<usize>,
    pub(super) activation: Activation,
    pub(super) released_architecture: bool,
    pub(super) copies: usize,
    pub(super) corruption: f64,
    pub(super) noise_sd: f64,
    /// Left out of the text where it is not used, so that what was recorded before keeps its name.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub(super) other_rows: bool,
    pub(super) objective: Objective,
    pub(super) released_mask: ReleasedMask,
    pub(super) folds: Folds,
    pub(super) centres: Option<Vec<Vec<f64>>>,
    pub(super) directions: DirectionLaw,
    pub(super) directions_seed: u64,
    pub(super) given_directions: Option<Vec<Vec<f64>>>,
    pub(super) rate: f64,
    pub(super) schedule: RateSchedule,
    pub(super) weight_decay: Option<WeightDecay>,
    pub(super) batch: usize,
    pub(super) epochs: usize,
    pub(super) steps: Option<usize>,
    pub(super) validation: f64,
    pub(super) validate_every: usize,
    pub(super) patience: Option<usize>,
    pub(super) keep: Keep,
    pub(super) precision: Precision,
    pub(super) engine: Engine,
    pub(super) device: Device,
}

crate::network::setters! {
    EbmParams:
    /// φ of the hidden layers. Default: ReLU.
    activation: Activation;
    /// One more linear map before the output, as the authors' program has. Default: no.
    released_architecture: bool;
    /// b, the corrupted copies of each row. Default: 1.
    copies: usize;
    /// q, the probability that a feature is corrupted. Default: 0.5.
    corruption: impl Into<f64>;
    /// σ of the noise on continuous features. Default: 1.
    noise_sd: impl Into<f64>;
    /// Whether a copy is another row, drawn from all folds, in the place of a corrupted one: then log p_X never enters,
    /// and training is classification, e_j → −log P(j | x) + c. Default: no.
    other_rows: bool;
    /// What is minimised. Default: pairwise.
    objective: Objective;
    /// Which features the authors' program corrupts. Default: each with probability q.
    released_mask: ReleasedMask;
    /// Which density each row trains. Default: random.
    folds: Folds;
    /// The law of B. Default: Haar.
    directions: DirectionLaw;
    /// The seed of B. It is not the run's: runs that are compared must share B. Default: 1.
    directions_seed: u64;
    /// Adam's learning rate. Default: 1e-3.
    rate: impl Into<f64>;
    /// How the rate moves. Default: constant.
    schedule: RateSchedule;
    /// Weight decay. Default: none.
    weight_decay: Option<WeightDecay>;
    /// Rows in a mini-batch. Default: 256.
    batch: usize;
    /// Passes over the training rows. Default: 100.
    epochs: usize;
    /// Stops after this many steps, if that comes before the last epoch. Default: no limit.
    steps: Option<usize>;
    /// Share of the rows held out to score the run. Default: 0.2.
    validation: impl Into<f64>;
    /// Epochs between validations. Default: 1.
    validate_every: usize;
    /// Validations without improvement after which the run stops; none to never stop. Default: 20.
    patience: Option<usize>;
    /// Which weights are kept. Default: the best on validation.
    keep: Keep;
    /// The number type of training. Default: single.
    precision: Precision;
    /// How the network is computed. Default: fused.
    engine: Engine;
    /// Where training runs. Default: CPU.
    device: Device;
}

impl EbmParams {
    /// The defaults for a k-dimensional representation: one hidden stack of 20-20.
    pub fn new(k: usize) -> Self {
        Self {
            k,
            hidden: vec![20, 20],
            activation: Activation::Relu,
            released_architecture: false,
            copies: 1,
            corruption: 0.5,
            noise_sd: 1.0,
            other_rows: false,
            objective: Objective::Pairwise,
            released_mask: ReleasedMask::Bernoulli,
            folds: Folds::Random,
            centres: None,
            directions: DirectionLaw::Haar,
            directions_seed: 1,
            given_directions: None,
            rate: 1e-3,
            schedule: RateSchedule::Constant,
            weight_decay: None,
            batch: 256,
            epochs: 100,
            steps: None,
            validation: 0.2,
            validate_every: 1,
            patience: Some(20),
            keep: Keep::Best,
            precision: Precision::F32,
            engine: Engine::Fused,
            device: Device::Cpu,
        }
    }

    /// What the authors' public program does: its objective, folds, architecture, directions,
    /// validation every 7 epochs with a patience of 7, and the worst checkpoint kept.
    ///
    /// ```
    /// use ebmbook::ebm::EbmParams;
    /// assert!(EbmParams::released(5).check(100).is_ok());
    /// assert!(EbmParams::released(6).check(100).is_err(), "the authors' B is known for nine k only");
    /// ```
    pub fn released(k: usize) -> Self {
        Self::new(k)
            .objective(Objective::ReleasedProgram)
            .folds(Folds::KMeans)
            .released_architecture(true)
            .directions(DirectionLaw::Authors)
            .validate_every(7)
            .patience(Some(7))
            .keep(Keep::Worst)
    }

    /// Widths of the hidden layers, from the input on. Default: 20, 20.
    pub fn hidden(mut self, widths: &[usize]) -> Self {
        self.hidden = widths.to_vec();
        self
    }

    /// Centres for k-means and soft folds, one per row, instead of centres fitted to the rows: for
    /// runs on fresh samples that share their folds.
    pub fn centres(mut self, centres: ArrayView2<f64>) -> Self {
        self.centres = Some(centres.rows().into_iter().map(|row| row.to_vec()).collect());
        self
    }

    /// A matrix B of one's own, β_j in column j.
    pub fn given_directions(mut self, b: ArrayView2<f64>) -> Self {
        self.given_directions = Some(b.rows().into_iter().map(|row| row.to_vec()).collect());
        self
    }

    /// These parameters with another k.
    ///
    /// ```
    /// use ebmbook::ebm::EbmParams;
    /// assert_eq!(EbmParams::new(3).epochs(7).sized(8), EbmParams::new(8).epochs(7));
    /// ```
    pub fn sized(self, k: usize) -> Self {
        Self { k, ..self }
    }

    /// The k of the representation.
    pub fn k(&self) -> usize {
        self.k
    }

    /// Which rows each density is told from noise on.
    ///
    /// ```
    /// use ebmbook::ebm::{EbmParams, Folds};
    /// assert_eq!(*EbmParams::new(3).kind_of_folds(), Folds::Random);
    /// ```
    pub fn kind_of_folds(&self) -> &Folds {
        &self.folds
    }

    /// Checks everything that does not depend on the rows, for d covariates.
    pub fn check(&self, d: usize) -> Result<(), EbmError> {
        let positive = |field, value: usize| {
            if value == 0 { Err(EbmError::parameter(field, value, "must be at least 1")) } else { Ok(()) }
        };
        self.architecture(d)?;
        positive("number of corrupted copies b", self.copies)?;
        positive("batch size", self.batch)?;
        positive("number of epochs", self.epochs)?;
        positive("epochs between validations", self.validate_every)?;
        if let Some(steps) = self.steps {
            positive("number of steps", steps)?;
        }
        if let Some(patience) = self.patience {
            positive("patience", patience)?;
        }
        let q = self.corruption;
        if !(q > 0.0 && q <= 1.0) {
            return Err(crate::noise::NoiseError::Probability(q).into());
        }
        if !(self.noise_sd > 0.0 && self.noise_sd.is_finite()) {
            return Err(crate::noise::NoiseError::Scale(self.noise_sd).into());
        }
        if !(self.rate > 0.0 && self.rate.is_finite()) {
            return Err(EbmError::parameter("learning rate", self.rate, "must be positive and finite"));
        }
        if !(0.0..1.0).contains(&self.validation) {
            return Err(EbmError::parameter("validation share", self.validation, "must lie in [0, 1)"));
        }
        if self.validation == 0.0 && self.keep != Keep::Last {
            let rule = "must be positive unless the last weights are kept";
            return Err(EbmError::parameter("validation share", self.validation, rule));
        }
        if let Some(WeightDecay::L2(lambda) | WeightDecay::Decoupled(lambda)) = self.weight_decay
            && !(lambda >= 0.0 && lambda.is_finite())
        {
            return Err(EbmError::parameter("weight decay", lambda, "must be at least 0 and finite"));
        }
        if self.other_rows && !matches!(self.objective, Objective::Pairwise | Objective::EnergyOnly) {
            let rule = "must be `pairwise` or `energy-only` where copies are other rows";
            return Err(EbmError::parameter("objective", self.objective, rule));
        }
        self.check_released(d)?;
        self.make_directions()?;
        Ok(self.device.check()?)
    }

    fn check_released(&self, d: usize) -> Result<(), EbmError> {
        if self.objective != Objective::ReleasedProgram {
            return Ok(());
        }
        if self.folds != Folds::KMeans {
            let rule = "must be k-means for the released program's objective";
            return Err(EbmError::parameter("folds", format!("{:?}", self.folds), rule));
        }
        if self.released_mask == ReleasedMask::FiveColumns && (d < 5 || self.copies > d) {
            let rule = format!("must be at least 5 and at least b = {} to corrupt five columns", self.copies);
            return Err(EbmError::parameter("number of covariates d", d, rule));
        }
        Ok(())
    }

    pub(super) fn architecture(&self, d: usize) -> Result<Architecture, NetworkError> {
        let make = if self.released_architecture { Architecture::released } else { Architecture::new };
        make(d, &self.hidden, self.k, self.activation)
    }

    pub(super) fn make_directions(&self) -> Result<Directions, EbmError> {
        let Some(rows) = &self.given_directions else {
            return Directions::new(
                self.directions,
                self.k,
                Seed::new(self.directions_seed).child("directions"),
            );
        };
        let b = matrix("matrix of directions", rows)?;
        if b.nrows() != self.k {
            let rule = format!("must be {0} × {0}", self.k);
            return Err(EbmError::parameter("matrix of directions", format!("{} rows", b.nrows()), rule));
        }
        Directions::from_matrix(b)
    }

    pub(super) fn given_centres(&self, d: usize) -> Result<Option<Array2<f64>>, EbmError> {
        let Some(rows) = &self.centres else { return Ok(None) };
        let centres = matrix("matrix of centres", rows)?;
        if centres.dim() != (self.k, d) {
            let shape = format!("{} × {}", centres.nrows(), centres.ncols());
            return Err(EbmError::parameter("matrix of centres", shape, format!("must be {} × {d}", self.k)));
        }
        Ok(Some(centres))
    }

    pub(super) fn adam(&self) -> Adam {
        Adam { decay: self.weight_decay, ..Adam::default() }
    }
}

fn matrix(what: &'static str, rows: &[Vec<f64>]) -> Result<Array2<f64>, EbmError> {
    let width = rows.first().map_or(0, Vec::len);
    Array2::from_shape_vec((rows.len(), width), rows.concat())
        .map_err(|_| EbmError::parameter(what, "rows of different lengths", "must be rectangular"))
}
