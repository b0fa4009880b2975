//! Every choice behind an autoencoder.

use crate::network::{Activation, Architecture, Keep, NetworkError, Precision};
use crate::seed::Seed;
use rand_distr::{Distribution, StandardNormal};

/// How weights start.
#[derive(Clone, Copy, Debug, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
#[serde(rename_all = "kebab-case")]
pub(super) enum Start {
    /// U(−1/√inputs, 1/√inputs), as the EBM.
    Uniform,
    /// Weights N(0, 1) whatever the width, biases 0.01: the released program.
    Normal,
}

/// The parameters of an autoencoder; see [`Autoencoder`](super::Autoencoder).
///
/// ```
/// use ebmbook::representation::Autoencoder;
/// let params = Autoencoder::params(5).hidden(&[64, 32]).epochs(50);
/// assert!(params.check(100).is_ok());
/// let error = Autoencoder::params(5).batch(0).check(100).unwrap_err();
/// assert_eq!(error.to_string(), "batch size must be at least 1, got 0");
/// ```
#[derive(Clone, Debug, PartialEq, serde::Serialize, serde::Deserialize)]
pub struct AutoencoderParams {
    pub(super) k: usize,
    pub(super) hidden: Vec<usize>,
    pub(super) released: bool,
    pub(super) start: Start,
    pub(super) standardise: bool,
    pub(super) rate: f64,
    pub(super) batch: usize,
    pub(super) epochs: usize,
    pub(super) patience: Option<usize>,
    pub(super) keep: Keep,
    pub(super) validation: f64,
    pub(super) precision: Precision,
}

crate::network::setters! {
    AutoencoderParams:
    /// Learning rate.
    rate: f64;
    /// Rows a step.
    batch: usize;
    /// Passes over the rows, at most.
    epochs: usize;
    /// Epochs without a lower validation loss after which training stops; none to go on.
    patience: Option<usize>;
    /// Which weights the run ends with.
    keep: Keep;
    /// Whether rows are standardised by the training rows on the way in.
    standardise: bool;
    /// The number type of training.
    precision: Precision;
}

impl AutoencoderParams {
    /// Codes of k numbers: standardised covariates, two hidden ReLU layers of 40 on either side,
    /// Adam with rate 1e-3, batches of 64, at most 200 epochs. The weights with the lowest loss on a
    /// held-out fifth are kept, and training stops after ten epochs without a lower one.
    pub fn new(k: usize) -> Self {
        Self {
            k,
            hidden: vec![40, 40],
            released: false,
            start: Start::Uniform,
            standardise: true,
            rate: 1e-3,
            batch: 64,
            epochs: 200,
            patience: Some(10),
            keep: Keep::Best,
            validation: 0.2,
            precision: Precision::F32,
        }
    }

    /// The released program's: d → 40 without an activation, 6 × (40 → 40, ReLU), 40 → k and the
    /// mirror of it; weights N(0, 1), biases 0.01; covariates as they are; Adam with rate 1e-3,
    /// batches of 256 (64 on its synthetic data), at most 50 epochs, stopping after three without a
    /// lower validation loss, the last weights.
    ///
    /// ```
    /// use ebmbook::representation::Autoencoder;
    /// let encoder = Autoencoder::params(5).released().encoder(48)?;
    /// let active: Vec<bool> = encoder.layers().iter().map(|l| l.activated).collect();
    /// assert_eq!(active, [false, true, true, true, true, true, true, false]);
    /// # Ok::<(), ebmbook::network::NetworkError>(())
    /// ```
    pub fn released(self) -> Self {
        Self {
            hidden: vec![40; 7],
            released: true,
            start: Start::Normal,
            standardise: false,
            rate: 1e-3,
            batch: 256,
            epochs: 50,
            patience: Some(3),
            keep: Keep::Last,
            validation: 0.2,
            ..self
        }
    }

    /// Widths of the encoder's hidden layers; the decoder mirrors them.
    pub fn hidden(self, hidden: &[usize]) -> Self {
        Self { hidden: hidden.to_vec(), ..self }
    }

    /// The encoder for d covariates.
    pub fn encoder(&self, d: usize) -> Result<Architecture, NetworkError> {
        Architecture::from_maps(d, &self.half(self.hidden.iter(), self.k), Activation::Relu)
    }

    /// Encoder and decoder for d covariates as one stack.
    pub fn shape(&self, d: usize) -> Result<Architecture, NetworkError> {
        let mut maps = self.half(self.hidden.iter(), self.k);
        maps.extend(self.half(self.hidden.iter().rev(), d));
        // Checks that the encoder is possible, before the code is just one layer among others.
        self.encoder(d)?;
        Architecture::from_maps(d, &maps, Activation::Relu)
    }

    /// One half: hidden layers, active but for the first of the released program, and a linear end.
    fn half<'a>(&self, hidden: impl Iterator<Item = &'a usize>, outputs: usize) -> Vec<(usize, bool)> {
        let active = |l: usize| !(self.released && l == 0);
        hidden.enumerate().map(|(l, width)| (*width, active(l))).chain([(outputs, false)]).collect()
    }

    pub(super) fn initialise(&self, shape: &Architecture, seed: Seed) -> Vec<f64> {
        if self.start == Start::Uniform {
            return shape.initialise(seed);
        }
        let mut rng = seed.rng();
        let mut theta = Vec::with_capacity(shape.parameters());
        for layer in shape.layers() {
            let weights = 0..layer.inputs * layer.outputs;
            theta.extend(weights.map(|_| -> f64 { StandardNormal.sample(&mut rng) }));
            theta.extend(std::iter::repeat_n(0.01, layer.outputs));
        }
        theta
    }

    /// Checks everything that does not depend on the rows, for d covariates.
    pub fn check(&self, d: usize) -> Result<(), NetworkError> {
        self.shape(d)?;
        let counts = [("batch size", Some(self.batch)), ("number of epochs", Some(self.epochs))];
        for (field, value) in counts.into_iter().chain([("patience", self.patience)]) {
            if value == Some(0) {
                return Err(NetworkError::parameter(field, 0, "must be at least 1"));
            }
        }
        if !(self.rate > 0.0 && self.rate.is_finite()) {
            return Err(NetworkError::parameter("learning rate", self.rate, "must be positive and finite"));
        }
        Ok(())
    }
}
